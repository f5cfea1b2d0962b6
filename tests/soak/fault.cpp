#include "tests/soak/fault.h"

#include <cstdlib>

namespace phasegate::soak {
namespace fs = std::filesystem;
namespace {

Variables with_library() {
  return {
      {"LD_PRELOAD", faults_library().string()},
      // A sanitizer's runtime wants to come first; this library has none and takes nothing of it.
      {"ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0"}};
}

}  // namespace

fs::path faults_library() {
  if (const char* library = std::getenv("SOAK_FAULTS")) return library;
  return fs::read_symlink("/proc/self/exe").parent_path() / "libsoak_faults.so";
}

Variables with_fault(const Fault& fault) {
  Variables variables = with_library();
  variables["SOAK_ACTION"] = fault.action;
  variables["SOAK_CALLS"] = fault.calls;
  variables["SOAK_FILE"] = fault.file;
  variables["SOAK_NUMBER"] = std::to_string(fault.number);
  variables["SOAK_TIMES"] = std::to_string(fault.times);
  if (!fault.met.empty()) variables["SOAK_MET"] = fault.met.string();
  return variables;
}

Variables with_record(const fs::path& record, const fs::path& below) {
  Variables variables = with_library();
  variables["SOAK_RECORD"] = record.string();
  variables["SOAK_BELOW"] = below.string();
  return variables;
}

}  // namespace phasegate::soak

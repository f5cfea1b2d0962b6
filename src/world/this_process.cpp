#include "world/this_process.h"

#include <cerrno>
#include <csignal>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include <unistd.h>

#include "base/text.h"

namespace phasegate::world {
using gating::engine::Owner;
namespace {

std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return std::string(base::trimmed(id));
}

/// Field 22 of /proc/<pid>/stat, counted behind the name, which may hold anything.
std::optional<std::int64_t> start_of(std::int64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  const auto name_end = line.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream rest(line.substr(name_end + 1));
  constexpr int kFieldsBefore = 19;
  std::string skipped;
  for (int i = 0; i < kFieldsBefore; ++i) rest >> skipped;
  std::int64_t start = 0;
  if (!(rest >> start)) return std::nullopt;
  return start;
}

}  // namespace

Owner this_process() {
  const std::int64_t pid = ::getpid();
  return {boot_id(), pid, start_of(pid).value_or(0)};
}

bool is_gone(const Owner& owner) {
  const std::string boot = boot_id();
  if (boot.empty()) return false;
  if (owner.boot_id != boot) return true;
  if (::kill(static_cast<pid_t>(owner.pid), 0) != 0 && errno == ESRCH) return true;
  const auto start = start_of(owner.pid);
  return start && owner.process_start != 0 && *start != owner.process_start;
}

}  // namespace phasegate::world

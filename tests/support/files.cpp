#include "tests/support/files.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <doctest/doctest.h>
#include <unistd.h>

namespace phasegate::test {
namespace fs = std::filesystem;

TempFolder::TempFolder() {
  std::string shape = (fs::temp_directory_path() / "phasegate-test-XXXXXX").string();
  if (::mkdtemp(shape.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = shape;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TempFolder::write(std::string_view relative, std::string_view bytes) const {
  const fs::path path = path_ / relative;
  write_file(path, bytes);
  return path;
}

void write_file(const fs::path& path, std::string_view bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  REQUIRE(file.good());
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE_MESSAGE(file.good(), path.string());
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

fs::path source_folder() {
  const char* folder = std::getenv("PHASEGATE_SOURCE_DIR");
  REQUIRE_MESSAGE(folder != nullptr,
                  "run the tests through ctest: PHASEGATE_SOURCE_DIR is not set");
  return folder;
}

fs::path fixture(std::string_view name) {
  return source_folder() / "tests" / "fixtures" / name;
}

std::optional<fs::path> real_documents(std::string_view relative) {
  const char* folder = std::getenv("PHASEGATE_SHARED");
  const fs::path root = folder != nullptr ? fs::path(folder) : source_folder() / ".." / "shared";
  std::error_code ignored;
  if (!fs::exists(root / relative, ignored)) {
    MESSAGE("skipped: no real documents at " << relative << " (set PHASEGATE_SHARED)");
    return std::nullopt;
  }
  return fs::canonical(root / relative);
}

}  // namespace phasegate::test

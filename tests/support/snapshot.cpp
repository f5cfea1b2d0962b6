#include "tests/support/snapshot.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <doctest/doctest.h>

#include "tests/support/files.h"

namespace phasegate::test {
namespace {

/// The first line in which two texts differ, from both.
std::string first_difference(const std::string& wanted, const std::string& got) {
  std::istringstream wanted_lines(wanted);
  std::istringstream got_lines(got);
  std::string wanted_line;
  std::string got_line;
  for (int number = 1;; ++number) {
    const bool more_wanted = static_cast<bool>(std::getline(wanted_lines, wanted_line));
    const bool more_got = static_cast<bool>(std::getline(got_lines, got_line));
    if (!more_wanted && !more_got) return "the texts differ in their line ends";
    if (more_wanted && more_got && wanted_line == got_line) continue;
    return "line " + std::to_string(number) +
           "\n  snapshot: " + (more_wanted ? wanted_line : "(ends here)") +
           "\n  now:      " + (more_got ? got_line : "(ends here)");
  }
}

}  // namespace

void check_snapshot(std::string_view name, const std::string& text) {
  const std::filesystem::path file = source_folder() / "tests" / "snapshots" / name;
  if (std::getenv("PHASEGATE_UPDATE_SNAPSHOTS") != nullptr) {
    std::ofstream(file, std::ios::binary) << text;
    return;
  }
  CAPTURE(name);
  REQUIRE_MESSAGE(std::filesystem::exists(file),
                  "no such snapshot; PHASEGATE_UPDATE_SNAPSHOTS=1 writes it");
  const std::string wanted = read_file(file);
  CHECK_MESSAGE(wanted == text, first_difference(wanted, text));
}

}  // namespace phasegate::test

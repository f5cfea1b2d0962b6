#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "state/state.h"
#include "tests/soak/fault.h"
#include "tests/soak/scenario.h"
#include "tests/support/files.h"

using namespace phasegate;
using namespace phasegate::soak;
namespace fs = std::filesystem;

namespace {

struct Row {
  const char* action;
  const char* calls;
  const char* file;
  long times;
  /// What refusals may be called; none: the fault must not be noticed.
  std::vector<std::string> codes;
};

/// One session with the fault at its `number`-th call, another server without. False if the fault
/// was never come to.
bool is_got_over(const Project& original, const Row& row, long number) {
  CAPTURE(row.action);
  CAPTURE(row.calls);
  CAPTURE(row.times);
  CAPTURE(number);
  const test::TempFolder temp;
  const Project project(original, temp.path());
  const fs::path met = temp.path() / "met";
  const Scenario scenario{"plain", "src/a.cpp", 40, 3};
  const Went hurt = work_through(
      project, scenario, {}, with_fault({row.action, row.calls, row.file, number, row.times, met}));
  CHECK(hurt.answered);
  CHECK(hurt.code == 0);
  for (const Json& refusal : hurt.refusals) {
    const std::string wrong = wrong_with_refusal(refusal, row.codes);
    CHECK_MESSAGE(wrong.empty(), wrong);
  }
  const auto whole = [&](const Went& went) {
    const Findings found = look_at_store(project.state(), {{scenario.target, went.told}});
    for (const std::string& words : found.words) CHECK_MESSAGE(false, words);
  };
  whole(hurt);
  const Went well = work_through(project, scenario, hurt.told);
  CHECK(well.code == 0);
  CHECK(well.refusals.empty());
  CHECK(well.told.passed.size() == 3);
  whole(well);
  return fs::exists(met);
}

}  // namespace

TEST_CASE("faults: a disk that refuses each write, sync and open of a session") {
  const test::TempFolder temp;
  const Project original(temp.path(), Project::People::nobody);
  const std::vector<std::string> refused = {"io_error", "disk_full", "read_only"};
  const char* const state = "*/state*";
  const std::vector<Row> rows = {
      {"ENOSPC", "write,truncate", state, 0, {"disk_full", "io_error"}},
      {"EIO", "write,sync,truncate", state, 1, {"io_error"}},
      {"EROFS", "open,mkdir,link,remove", state, 0, refused},
      {"EINTR", "write,open", state, 1, {}},
      {"short", "write", state, 1, {}},
  };
  for (const Row& row : rows) {
    long number = 1;
    while (number < 500 && is_got_over(original, row, number)) ++number;
    MESSAGE(row.action, " at ", number - 1, " calls");
    CHECK(number > 5);
    CHECK(number < 500);
  }
}

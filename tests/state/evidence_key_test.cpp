#include "state/evidence_key.h"

#include <string>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "state/inspect.h"
#include "state/request_key.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

using namespace phasegate;
namespace fs = std::filesystem;
using test::failure_code;

TEST_CASE("evidence key: private, the same from then on, and another than every other key") {
  const test::TempFolder temp;
  const fs::path folder = temp.path() / "state";
  CHECK_FALSE(state::evidence_key_problem(folder).has_value());
  CHECK_FALSE(fs::exists(folder));
  const std::string key = state::evidence_key(folder);
  CHECK(key.size() == 32);
  CHECK(state::evidence_key(folder) == key);
  CHECK(state::request_key(folder) != key);
  struct stat status{};
  REQUIRE(::stat((folder / "evidence-key").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777U) == 0600U);
  CHECK(test::read_file(folder / "evidence-key") == key);
  const test::TempFolder other;
  CHECK(state::evidence_key(other.path()) != key);
}

TEST_CASE("evidence key: one that others may know is refused, left, and told of") {
  const test::TempFolder temp;
  const fs::path folder = temp.path() / "state";
  test::add_run(folder);
  test::write_file(folder / "evidence-key", std::string(32, 'k'));
  fs::permissions(folder / "evidence-key", fs::perms(0640));
  CHECK(failure_code([&] { static_cast<void>(state::evidence_key(folder)); }) == "unsafe_key");
  CHECK(test::read_file(folder / "evidence-key") == std::string(32, 'k'));
  const auto report = state::inspect(folder);
  REQUIRE(report.key_problem.has_value());
  CHECK(report.key_problem->message.find("evidence-key") != std::string::npos);
  CHECK(report.key_problem->hint.find("counts as other evidence") != std::string::npos);

  test::write_file(folder / "evidence-key.new-1-2", "half");
  CHECK(state::inspect(folder).unfinished == std::vector<std::string>{"evidence-key.new-1-2"});
}

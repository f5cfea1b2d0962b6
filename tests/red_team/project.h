#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "tests/support/files.h"
#include "tests/support/live_program.h"
#include "tests/support/program.h"

/// The checks as an assistant meets them that would rather not do the work: a small project with
/// shell scripts as code and as tests, and the built program.
namespace phasegate::red_team {

using base::Json;
namespace fs = std::filesystem;

/// Stands in the text of the last phase: whoever sees it has been told what is not reached yet.
inline constexpr std::string_view kOfLastPhase = "Canary of the last phase";

/// A git repository with `src/add.sh` (which subtracts), a test of it that passes, a runner that
/// writes build/junit.xml, an old docs/report.md, and two trusted workflows:
/// - `fix`: plan, change (red before, green now, protected files, within the plan), done
/// - `change`: the same without the red test
/// The runner appends a line to build/runs, and waits as long as build/hold is there.
class Project {
 public:
  /// A copy of one that is made once.
  Project();

  [[nodiscard]] const fs::path& root() const { return root_; }
  [[nodiscard]] fs::path state() const { return folder_.path() / "state"; }
  [[nodiscard]] const fs::path& outside() const { return folder_.path(); }

  /// Runs a line of shell in the root; it must succeed. It knows `report` (writes docs/report.md),
  /// `red` (adds a test that shows the bug), and `fix` (both, and mends the bug).
  void sh(const std::string& line) const;

  [[nodiscard]] test::ToRun to_run(std::vector<std::string> arguments) const;
  [[nodiscard]] test::Ended run(std::vector<std::string> arguments) const;
  [[nodiscard]] test::Ended call(const std::string& tool, const Json& arguments) const;
  [[nodiscard]] test::ToRun completing(const std::string& phase, const Json& evidence) const;
  [[nodiscard]] test::Ended complete(const std::string& phase, const Json& evidence) const;

  /// A person says `answer` on a terminal; the exit code.
  int trust(const std::string& workflow, std::string_view answer = "y\n") const;
  /// Starts a session of a trusted workflow.
  void start(const std::string& workflow) const;
  /// Passes the phase `plan` with these files to be changed.
  void plan(const std::vector<std::string>& files = {"src/add.sh", "tests/test_neg.sh",
                                                     "docs/**"}) const;

  /// The open phase, asked of the program.
  [[nodiscard]] std::string phase() const;
  /// How often the journal has this of a phase.
  [[nodiscard]] int journalled(std::string_view kind, std::string_view phase) const;
  /// How often the tests were run in the project itself.
  [[nodiscard]] int test_runs() const;

 private:
  struct Made {};
  explicit Project(Made made);

  test::TempFolder folder_;
  fs::path root_;
};

/// Evidence of the phase `change` that says all is well.
[[nodiscard]] Json all_well(int tests_total = 2);

[[nodiscard]] bool contains(std::string_view text, std::string_view part);
/// Looks again and again until it is so; false after the time in which it should have been.
[[nodiscard]] bool becomes(const std::function<bool()>& so);

}  // namespace phasegate::red_team

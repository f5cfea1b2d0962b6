#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "tests/support/files.h"
#include "tests/support/live_program.h"
#include "tests/support/program.h"

/// People's decisions as an assistant meets them that would rather decide for itself: a project
/// whose folder it may write, the built program, and as many terminals as it likes to make.
namespace phasegate::red_team {

using base::Json;
namespace fs = std::filesystem;

inline constexpr const char* kSecret = "green kettle hums";
inline constexpr const char* kOfEve = "no leave was given";
/// Stands in what is not reached before a person has decided.
inline constexpr const char* kBehind = "Canary behind the decision";

/// What is waited for on the terminal, and what is typed then.
using Script = std::vector<std::pair<std::string, std::string>>;
using Variables = std::map<std::string, std::string>;

/// `times` wrong secrets of ada.
[[nodiscard]] Script wrong(int times = 3);
/// Chooses what was preselected, and gives this secret.
[[nodiscard]] Script deciding(const std::string& secret);
/// Enrols somebody with this secret.
[[nodiscard]] Script enrolling(const std::string& secret);

/// A project with four workflows, and ada enrolled:
/// - `two`: plan (a note, then a person decides), done
/// - `client`: the same, where the client's word is taken
/// - `prose`: a folder whose first gate says human_approval_required
/// - `runs`: one that runs a program, and is not trusted
class Deciding {
 public:
  /// A copy of one that is made once.
  Deciding();

  [[nodiscard]] const fs::path& root() const { return root_; }
  [[nodiscard]] fs::path state() const { return folder_.path() / "state"; }
  [[nodiscard]] fs::path book() const { return state() / "approvers.db"; }
  [[nodiscard]] const fs::path& outside() const { return folder_.path(); }

  [[nodiscard]] test::ToRun to_run(std::vector<std::string> arguments,
                                   const Variables& variables = {}) const;
  [[nodiscard]] test::Ended run(std::vector<std::string> arguments) const;
  [[nodiscard]] Json json(std::vector<std::string> arguments) const;
  /// On a terminal of its own; output and errors are in `out`.
  [[nodiscard]] test::Ended on_terminal(std::vector<std::string> arguments, const Script& script,
                                        const Variables& variables = {}) const;

  /// A session whose first phase was handed over and waits.
  [[nodiscard]] std::string waiting(const std::string& workflow = "two",
                                    const Json& evidence = {{"note", "done"}}) const;
  [[nodiscard]] test::Ended call(const std::string& tool, const Json& arguments) const;
  /// What one JSON-RPC call over stdio gives a client of the newest revision that can ask people.
  [[nodiscard]] Json ask(const std::string& tool, const Json& arguments,
                         const Json& more = Json::object()) const;

  [[nodiscard]] std::int64_t version(const std::string& session) const;
  /// Still open, still the same, and nothing of the next phase is told.
  void still_waits(const std::string& session) const;
  /// How often its journal has this kind.
  [[nodiscard]] int journalled(const std::string& session, std::string_view kind) const;

  /// Runs statements on a database beside the program, as any other program may.
  void sql(const fs::path& database, const std::string& statements) const;
  [[nodiscard]] std::string column(const fs::path& database, const std::string& query) const;
  /// Every byte of the state folder and of the project.
  [[nodiscard]] std::string all_bytes() const;

 private:
  struct Made {};
  explicit Deciding(Made made);

  test::TempFolder folder_;
  fs::path root_;
};

}  // namespace phasegate::red_team

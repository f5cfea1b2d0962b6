#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "tests/soak/process.h"

/// A project with workflows, and the built program serving it.
namespace phasegate::soak {

using base::Json;

/// Longer than anything here takes, on a busy machine as well: what is not there then never comes.
inline constexpr std::chrono::microseconds kForever = std::chrono::minutes(2);

/// A phase of a workflow of the project, in order; the evidence is the same for all of them.
inline constexpr const char* kPlainPhases[] = {"one", "two", "three", "four", "five"};
inline constexpr const char* kCheckedPhases[] = {"one", "two", "three"};
inline constexpr const char* kAskedPhases[] = {"one", "two"};

/// Of ada, who decides.
inline constexpr const char* kSecret = "green kettle hums";

/// What is waited for on a terminal, and what is typed then.
using Script = std::vector<std::pair<std::string, std::string>>;

/// A folder with a project and its state:
/// - `plain`: five phases that take a note
/// - `checked`: three, of which the second starts a program that appends the session to `ran`
/// - `asked`: two; whether the first one is left is ada's to say
class Project {
 public:
  /// `folder` must be empty. A person on a terminal trusts `checked` and enrols ada, unless there
  /// is to be `nobody`; then there is no state yet.
  enum class People { ada, nobody };
  explicit Project(const std::filesystem::path& folder, People people = People::ada);
  /// A copy of another one in the empty folder `folder`.
  Project(const Project& original, const std::filesystem::path& folder);

  [[nodiscard]] std::filesystem::path root() const { return folder_ / "project"; }
  [[nodiscard]] std::filesystem::path state() const { return folder_ / "state"; }
  [[nodiscard]] std::filesystem::path errors() const { return folder_ / "errors.log"; }
  [[nodiscard]] Command command(const std::vector<std::string>& words,
                                const Variables& variables = {}) const;

 private:
  void at_terminal(const std::vector<std::string>& words, const Script& script) const;

  std::filesystem::path folder_;
};

/// A server on standard input and output, with its client.
class Server {
 public:
  explicit Server(const Project& project, const Variables& variables = {});

  /// Calls a tool; the structured answer, with `error` in it if it was refused. If none has come
  /// after `patience` the server is killed, but what it had said by then is still heard. Nullopt:
  /// no answer came, and the server is gone.
  [[nodiscard]] std::optional<Json> call(const std::string& tool, const Json& arguments,
                                         std::chrono::microseconds patience = kForever);
  /// The names of its tools, or nothing.
  [[nodiscard]] std::vector<std::string> tools();
  void kill() { child_.kill(); }
  /// Says that there is nothing more to come; the exit code.
  int end();
  /// Waits for one that is gone; the exit code, or 128 + the signal that ended it.
  int wait() { return child_.wait(); }

 private:
  [[nodiscard]] std::optional<Json> ask(const std::string& method, const Json& parameters,
                                        std::chrono::microseconds patience);

  Child child_;
  int asked_ = 0;
};

/// A text of JSON; null if it is none.
[[nodiscard]] Json parsed(const std::string& text);
/// Evidence that every phase takes, `bytes` long.
[[nodiscard]] Json evidence_for(const std::string& target, const std::string& phase,
                                std::size_t bytes = 40);

}  // namespace phasegate::soak

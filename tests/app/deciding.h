#pragma once
#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "state/approvers/approver_book.h"
#include "tests/app/project.h"
#include "tests/support/live_program.h"

namespace phasegate::test {

inline constexpr const char* kSecret = "green kettle hums";
inline constexpr const char* kBob = "blue ladder leans";

/// A project whose first phase a person approves.
class Deciding : public Project {
 public:
  Deciding() {
    be_sound();
    write_file(
        root() / ".phasegate" / "workflows" / "two_steps" / "phases" / "0" / "gate-definition.yaml",
        "checkpoint:\n  strict: true\nhuman_approval_required: true\nevidence_schema:\n"
        "  plan_written:\n    type: boolean\n    required: true\n"
        "    description: The plan is written\n"
        "  notes:\n    type: string\n    required: false\n    description: Notes\n");
  }

  void enrol(const char* name, const char* secret) const {
    state::SqliteApproverBook book(state(), {4, 8, 1});
    state::ChangeBy by{"root", {}};
    const auto all = book.list();
    if (!all->empty()) by.approver = all->front();
    REQUIRE(book.add(name, {}, secret, by, base::SystemClock().now()).ok());
  }

  void hand_over(const std::string& id, int visit = 1,
                 const Json& evidence = {{"plan_written", true}}) const {
    Json arguments = {{"session_id", id}, {"phase", "0"}, {"evidence", evidence}};
    if (visit > 1) arguments["visit"] = visit;
    static_cast<void>(call({{"complete_phase", arguments}}));
    REQUIRE(run_json({"status", id, "--json"})["waits_for"] == "person");
  }

  /// A session that waits for a decision.
  [[nodiscard]] std::string waiting(const char* target = "",
                                    const Json& evidence = {{"plan_written", true}}) const {
    const std::string id = start(target);
    hand_over(id, 1, evidence);
    return id;
  }

  [[nodiscard]] std::int64_t version(const std::string& id) const {
    return run_json({"status", id, "--json"})["state_version"].get<std::int64_t>();
  }

  /// Makes it a git repository with everything committed.
  void make_git() const {
    ToRun git;
    git.folder = root();
    git.variables["GIT_CONFIG_GLOBAL"] = "/dev/null";
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"init", "-q"},
          {"add", "-A"},
          {"-c", "user.name=n", "-c", "user.email=e@x", "commit", "-qm", "first"}}) {
      git.arguments = arguments;
      REQUIRE(run_program(find_program("git"), git).code == 0);
    }
  }
};

/// The program with somebody at its terminal.
class Person {
 public:
  Person(const Project& project, std::vector<std::string> arguments)
      : program_(phasegate_binary(), project.to_run(std::move(arguments)),
                 LiveProgram::Output::terminal, 200) {}

  void answer(const char* prompt, const std::string& text) {
    REQUIRE_MESSAGE(program_.wait_for(prompt), prompt, " did not come: ", program_.output());
    program_.type(text + "\n");
  }
  /// A secret, which the terminal must not show.
  void tell(const char* prompt, const std::string& secret) {
    REQUIRE_MESSAGE(program_.wait_for(prompt), prompt, " did not come: ", program_.output());
    CHECK_FALSE(program_.echoes());
    program_.type(secret + "\n");
  }
  int end() {
    const int code = program_.wait_for_end();
    CHECK(program_.echoes());
    CHECK_FALSE(contains(program_.output(), kSecret));
    CHECK_FALSE(contains(program_.output(), kBob));
    return code;
  }
  [[nodiscard]] const std::string& output() const { return program_.output(); }
  [[nodiscard]] LiveProgram& program() { return program_; }

 private:
  LiveProgram program_;
};

}  // namespace phasegate::test

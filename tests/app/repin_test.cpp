#include <doctest/doctest.h>

#include "app/cli/command_repin.h"
#include "tests/app/project.h"

namespace phasegate::app::cli {
namespace {

using test::contains;
using test::Project;

constexpr const char* kDocument =
    "# Tea\n\nFor two.\n\n## Phase 1: Boil\n\nBoil water.\n\n### Validation Gate\n- [ ] Water "
    "boils\n\n"
    "## Phase 2: Pour\n\nPour it.\n\n### Validation Gate\n- [ ] Cup is full\n";

void write_tea(const Project& project, const std::string& text) {
  test::write_file(project.root() / ".phasegate" / "workflows" / "tea.md", text);
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

/// A project with a session of the document, in its second phase.
struct Tea {
  Project project;
  std::string session;

  Tea() {
    write_tea(project, kDocument);
    const auto started = project.call({{"start_workflow", Json{{"workflow_type", "tea"}}}});
    session = base::string_member(started[0], "session_id").value_or("");
    const auto passed = project.call(
        {{"complete_phase",
          Json{{"session_id", session}, {"phase", "1"}, {"evidence", {{"water_boils", true}}}}}});
    REQUIRE_MESSAGE(passed[0]["checkpoint_passed"] == true, base::dump(passed[0]));
  }
  using Json = base::Json;

  /// The command as on a terminal; `asked` is what the person was shown.
  Outcome repin(bool answer, std::string& asked, const Prompts& prompts = {}) const {
    Invocation invocation;
    invocation.state = project.state().string();
    invocation.argument = session.substr(0, 8);
    Environment environment;
    environment.working_folder = project.root();
    environment.stdin_is_terminal = true;
    environment.stdout_is_terminal = true;
    auto settings = resolve(invocation, environment);
    REQUIRE(settings.ok());
    Program program(*settings);
    return repin_session(
        invocation, program, environment, Page{},
        [&](const std::string& question) {
          asked = question;
          return answer;
        },
        prompts);
  }
};

TEST_CASE("repin: without a terminal nothing is shown, and the command for a person is") {
  const Tea tea;
  write_tea(tea.project, with(kDocument, "Pour it.", "Pour it slowly."));
  const auto ended = tea.project.run({"repin", tea.session});
  CHECK(ended.code == 1);
  CHECK(ended.out.empty());
  CHECK(contains(ended.err, "on a terminal"));
  CHECK(contains(ended.err, "phasegate repin " + tea.session + " --root "));
  CHECK(contains(ended.err, " --state "));
  CHECK_FALSE(contains(ended.err, "Pour"));
  CHECK(tea.project.run({"repin", "00000000"}).code == 1);
  CHECK(tea.project.run({"repin"}).code == 2);
}

TEST_CASE("repin: the difference is shown, no is no, and yes is on record") {
  const Tea tea;
  write_tea(tea.project, with(with(kDocument, "Pour it.", "Pour it slowly."), "- [ ] Cup is full",
                              "- [ ] Cup is half full") +
                             "\n## Phase 3: Drink\n\n### Validation Gate\n- [ ] Cup is empty\n");
  std::string asked;
  const Outcome no = tea.repin(false, asked);
  CAPTURE(asked);
  CHECK(no.code == ExitCode::not_ok);
  CHECK(contains(no.out, "Nothing was changed"));
  CHECK(contains(asked, "kept: phase 1"));
  CHECK(contains(asked, "~ phase 2 Pour, the open one\n"));
  CHECK(contains(asked, "another text\n"));
  CHECK(contains(asked, "asks for more: cup_is_half_full\n"));
  CHECK(contains(asked, "does not ask any more for cup_is_full\n"));
  CHECK(contains(asked, "+ phase 3 Drink\n"));
  CHECK(contains(asked, "[y/N] "));
  CHECK(contains(tea.project.run({"status", tea.session, "--all"}).out, "(2 of 2)"));

  const Outcome yes = tea.repin(true, asked);
  CHECK_MESSAGE(yes.code == ExitCode::ok, yes.err);
  CHECK(contains(yes.out, "goes on with the changed workflow, in phase 2"));
  const auto content = tea.project.call({{"get_current_phase", {{"session_id", tea.session}}}});
  CHECK(contains(base::dump(content[0]), "Pour it slowly."));
  const auto status = tea.project.run({"status", tea.session});
  CHECK(contains(status.out, "(2 of 3)"));
  CHECK(contains(status.out, "to a changed workflow, 1 time"));
  CHECK(tea.project.run_json({"status", tea.session, "--json"})["repins"] == 1);
  CHECK(contains(tea.project.run({"history", tea.session}).out, "run_repinned"));
  CHECK(tea.project.run_json({"export", tea.session})["metadata"]["repins"] == 1);

  asked.clear();
  const Outcome again = tea.repin(true, asked);
  CHECK(again.code == ExitCode::ok);
  CHECK(asked.empty());
  CHECK(contains(again.out, "pinned to the workflow as it is now"));
}

TEST_CASE(
    "repin: once somebody is enrolled it takes their secret, and is on record as theirs (§6)") {
  const Tea tea;
  write_tea(tea.project, with(kDocument, "Pour it.", "Pour it slowly."));
  state::SqliteApproverBook book(tea.project.state(), {4, 8, 1});
  REQUIRE(book.add("ada", {}, "green kettle hums", {"root", {}}, {1}).ok());
  std::string given = "blue ladder leans";
  const Prompts prompts{[&](const std::string&) -> base::Result<state::Secret> {
                          state::Secret secret;
                          CHECK(secret.add(given));
                          return secret;
                        },
                        [](const std::string&) { return std::string("nobody asks for a name"); }};
  std::string asked;
  const Outcome wrong = tea.repin(true, asked, prompts);
  CHECK(wrong.code == ExitCode::not_ok);
  CHECK(contains(wrong.err, "do not belong together"));
  CHECK_FALSE(contains(tea.project.run({"history", tea.session}).out, "run_repinned"));

  given = "green kettle hums";
  const Outcome yes = tea.repin(true, asked, prompts);
  CHECK_MESSAGE(yes.code == ExitCode::ok, yes.err);
  CHECK(contains(tea.project.run({"history", tea.session}).out, "(approver:ada)"));
}

TEST_CASE("repin: a changed past, files with errors and a workflow that is gone are refused") {
  const Tea tea;
  std::string asked;
  write_tea(tea.project, with(kDocument, "Boil water.", "Boil milk."));
  const Outcome past = tea.repin(true, asked);
  CHECK(past.code == ExitCode::not_ok);
  CHECK(contains(past.err, "Phase 1, which the session has completed, has another text"));
  CHECK(contains(past.out, "~ phase 1 Boil\n"));
  write_tea(tea.project, "# Notes\n");
  CHECK(contains(tea.repin(true, asked).err, "no workflow \"tea\" here any more"));
  std::filesystem::remove(tea.project.root() / ".phasegate" / "workflows" / "tea.md");
  test::write_file(tea.project.root() / ".phasegate" / "workflows" / "tea.yaml", "workflow: tea\n");
  CHECK(contains(tea.repin(true, asked).err, "phasegate validate tea"));
  CHECK(asked.empty());
  CHECK(contains(tea.project.run({"status", tea.session}).out, "(2 of 2)"));
}

}  // namespace
}  // namespace phasegate::app::cli

#include "app/cli/doubts.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "app/composition.h"
#include "app/settings.h"
#include "tests/app/deciding.h"
#include "tests/app/settings_support.h"

namespace phasegate::app::cli {
namespace {

TEST_CASE(
    "doubts: a decision is held against who is enrolled now (ARCHITECTURE §6, no silent pass)") {
  const Approvers approvers = {{"Ada", {}, "aaaa", {1000}, "root"},
                               {"bob", {}, "bbbb", {5000}, "Ada"}};
  struct Row {
    const char* kind;
    const char* data;
    std::int64_t at;
    std::optional<std::string> all;    ///< with secrets that were replaced since
    std::optional<std::string> doubt;  ///< without
  };
  const std::string replaced = "bob has had another secret since 1970-01-01T00:00:05.000Z";
  const std::string then = "the fingerprint is not the one that bob had then";
  const std::string eve = "eve\\u001b is not enrolled";
  for (const Row& row : {
           Row{"decision_answered", R"({"approver":"ada","fingerprint":"aaaa"})", 2000, {}, {}},
           {"decision_answered", R"({"approver":"bob","fingerprint":"aaaa"})", 2000, replaced, {}},
           {"decision_answered", R"({"approver":"bob","fingerprint":"aaaa"})", 5000, then, then},
           {"reopen_demanded", R"({"approver":"bob"})", 9000, then, then},
           {"decision_answered", R"({"approver":"eve\u001b","fingerprint":"aaaa"})", 1, eve, eve},
           {"decision_answered", R"({"channel":"client"})", 1, {}, {}},
           {"decision_answered", "{", 1, "the entry cannot be read", "the entry cannot be read"},
           {"phase_completed", R"({"approver":"eve"})", 1, {}, {}},
       }) {
    CAPTURE(row.data);
    gating::engine::JournalRow entry;
    entry.entry.kind = row.kind;
    entry.entry.data = row.data;
    entry.entry.at = {row.at};
    CHECK(doubt_about(entry, approvers, true) == row.all);
    CHECK(doubt_about(entry, approvers, false) == row.doubt);
  }
}

TEST_CASE("doubts: approvals that a state has and its journal does not, or that nobody gave (§6)") {
  const test::Deciding project;
  project.enrol("ada", test::kSecret);
  const std::string id = project.waiting("src/a.cpp");
  Program program(test::settings_of(project));
  const auto view = program.engine().view(id);
  REQUIRE(view.ok());
  const Approvers approvers = program.approvers().list().value();
  const auto doubts = [&](const gating::engine::RunView& seen) {
    return doubts_about(program.engine(), seen, approvers);
  };
  CHECK(doubts(*view).empty());

  // As a bundle could bring it that somebody has written.
  gating::engine::RunView invented = *view;
  gating::AcceptedPhase accepted;
  accepted.phase = invented.run.current_phase;
  accepted.deciders = {"approver:ada", "approver:eve"};
  invented.run.accepted.push_back(accepted);
  const std::string phase = "decided in phase " + accepted.phase + ": ";
  CHECK(doubts(invented) ==
        std::vector<std::string>{phase + "its journal knows of no decision of ada",
                                 phase + "its journal knows of no decision of eve"});
  invented.run.accepted.back().deciders.clear();
  CHECK(doubts(invented) ==
        std::vector<std::string>{
            phase + "its workflow asks for a person, and it was completed without one"});

  // What really was decided is none.
  test::Person ada(project, {"decide", id, "--option", "approve"});
  ada.answer("Anything to be said with it", "");
  ada.answer("Is that your decision?", "y");
  ada.tell("Secret of ada: ", test::kSecret);
  CHECK(ada.end() == 0);
  const auto decided = program.engine().view(id);
  REQUIRE(decided.ok());
  REQUIRE_FALSE(decided->run.accepted.empty());
  CHECK(decided->run.accepted.back().deciders == std::vector<std::string>{"approver:ada"});
  CHECK(doubts(*decided).empty());
}

}  // namespace
}  // namespace phasegate::app::cli

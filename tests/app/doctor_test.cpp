#include <doctest/doctest.h>

#include "app/cli/doctor_report.h"
#include "base/json.h"

namespace app = phasegate::app;
namespace cli = phasegate::app::cli;
namespace phases = phasegate::phases;
using Level = cli::Diagnosis::Level;

namespace {

app::Settings settings() {
  app::Settings made;
  made.root = "/p";
  made.root_from = "--root";
  made.state_folder = "/s";
  made.state_from = "--state";
  return made;
}

cli::Page page() {
  cli::Page made;
  made.width = 100;
  return made;
}

phasegate::state::StoreReport sound_report() {
  phasegate::state::StoreReport report;
  report.exists = true;
  report.writable = true;
  report.private_to_owner = true;
  report.schema_version = 1;
  report.schema_version_known = 1;
  report.runs = 3;
  report.runs_by_status = {{"active", 1}, {"completed", 2}};
  report.bytes = 4096;
  return report;
}

}  // namespace

TEST_CASE("doctor: a sound store, and one that does not exist yet, are no problem") {
  auto found = cli::diagnose_state(settings(), sound_report(), true);
  CHECK(cli::sound(found));
  CHECK(
      cli::doctor_text(found, page()) ==
      "ok       state      /s (from --state)\n"
      "ok       state      version 1, 3 sessions (1 active, 2 completed), 4096 bytes and 0 in its "
      "log\n"
      "All is sound.\n");
  CHECK(cli::sound(cli::diagnose_state(settings(), {}, true)));
  CHECK_FALSE(cli::sound(cli::diagnose_state(settings(), {}, false)));
}

TEST_CASE("doctor: everything that a store's report can hold is told") {
  struct Row {
    const char* said;
    Level level;
    void (*change)(phasegate::state::StoreReport&);
  };
  const std::vector<Row> rows = {
      {"it is no database", Level::problem,
       [](auto& r) {
         r.problem = phasegate::base::Error{"x", "it is no database", "move it", ""};
       }},
      {"page 3 is broken", Level::problem, [](auto& r) { r.integrity = "page 3 is broken"; }},
      {"session x lost", Level::problem,
       [](auto& r) { r.damaged.push_back({"x", "session x lost"}); }},
      {"and 7 more of that kind", Level::problem,
       [](auto& r) {
         r.damaged.push_back({"x", "session x lost"});
         r.damaged_left_out = 7;
       }},
      {"cannot be written", Level::problem, [](auto& r) { r.writable = false; }},
      {"folder 0755, file 0644", Level::note,
       [](auto& r) {
         r.private_to_owner = false;
         r.folder_mode = 0755;
         r.file_mode = 0644;
       }},
      {"state.db.new-1 was left behind", Level::note,
       [](auto& r) { r.unfinished = {"state.db.new-1"}; }},
      {"backups: state.db.before-v2", Level::ok,
       [](auto& r) { r.backups = {"state.db.before-v2"}; }},
  };
  for (const Row& row : rows) {
    CAPTURE(row.said);
    auto report = sound_report();
    row.change(report);
    const auto found = cli::diagnose_state(settings(), report, true);
    CHECK(cli::sound(found) == (row.level != Level::problem));
    bool said = false;
    for (const auto& diagnosis : found) {
      if (diagnosis.text.find(row.said) == std::string::npos) continue;
      said = true;
      CHECK(diagnosis.level == row.level);
    }
    CHECK(said);
  }
}

TEST_CASE("doctor: workflows that cannot be started and broken places are problems") {
  app::Settings wanted = settings();
  wanted.places = {{"/p/flows", "flows"}};
  auto broken = std::make_shared<phases::LoadedWorkflow>();
  broken->workflow.id = "broken";
  broken->findings = {{phases::Severity::error,
                       "missing_metadata",
                       "metadata.json is missing",
                       "",
                       {"metadata.json", 0, 0},
                       ""}};
  auto found = cli::diagnose_workflows(wanted, {{"broken", "flows", broken}}, {});
  CHECK_FALSE(cli::sound(found));
  CHECK(found.back().level == Level::problem);
  CHECK(found.back().text == "broken cannot be started: metadata.json is missing (metadata.json)");

  found = cli::diagnose_workflows(
      wanted, {},
      {{phases::Severity::error, "unreadable_place", "flows cannot be read", "", {}, ""}});
  CHECK_FALSE(cli::sound(found));
  // What cannot be looked at is no smaller a problem where the library goes on without it.
  for (const char* code : {"unreadable_place", "unreadable_file"}) {
    CHECK_FALSE(cli::sound(cli::diagnose_workflows(
        wanted, {}, {{phases::Severity::warning, code, "it cannot be read", "", {}, ""}})));
  }
  CHECK(cli::sound(cli::diagnose_workflows(
      wanted, {}, {{phases::Severity::info, "linked_folder", "it is a link", "", {}, ""}})));
  CHECK(cli::doctor_text(found, page()).find("1 problem.\n") != std::string::npos);
  const auto json = cli::doctor_json(wanted, {}, sound_report(), found);
  CHECK(json["ok"] == false);
  CHECK(json["state"]["sessions_by_status"]["completed"] == 2);
  CHECK(json["places"][0]["name"] == "flows");
  CHECK(json["places"][0]["built_in"] == false);
}

TEST_CASE("doctor: the place of the program's own workflows is no missing folder") {
  app::Settings wanted = settings();
  wanted.places = {{"/nowhere/flows", "flows"}, phases::built_in_place()};
  auto own = std::make_shared<phases::LoadedWorkflow>();
  own->workflow.id = "feature";
  const auto found = cli::diagnose_workflows(wanted, {{"feature", "built-in", own}}, {});
  CHECK(found[0].text == "flows: not there");
  CHECK(found[1].text == "built-in: 1 workflow, which the program carries");
}

TEST_CASE("doctor: a narrow terminal gets its lines below each other") {
  cli::Page narrow;
  narrow.width = 20;
  CHECK(
      cli::doctor_text({{Level::problem, "state", "it is no database", "move it away"}}, narrow) ==
      "problem  state\n"
      "  it is no database\n"
      "  move it away\n"
      "1 problem.\n");
}

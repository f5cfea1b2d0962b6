#include "phases/plain_folder.h"

#include <doctest/doctest.h>

#include "phases/workflow_reader.h"
#include "tests/phases/native/fixture.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;
using phasegate::test::findings_of;
using phasegate::test::has;
using phasegate::test::TempFolder;
namespace fs = std::filesystem;

namespace {

using Files = std::vector<std::pair<const char*, std::string>>;

std::string gate(const std::string& box) {
  return "# Phase 1: Words\n\n## Validation Gate\n- [ ] " + box + "\n";
}

LoadedWorkflow read(const Files& files) {
  const TempFolder place;
  for (const auto& [path, bytes] : files) place.write(std::string("w/") + path, bytes);
  return read_workflow(place.path() / "w", PlainRequirementReader());
}

std::vector<std::string> outline_of(const LoadedWorkflow& loaded) {
  std::vector<std::string> lines;
  for (const Phase& phase : loaded.workflow.phases) {
    std::string line = phase.id + " " + phase.file;
    for (const Task& task : phase.tasks) line += " " + task.number + "=" + task.file;
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> asked_of(const LoadedWorkflow& loaded, std::size_t phase) {
  std::vector<std::string> names;
  for (const Requirement& one : loaded.workflow.phases.at(phase).gate.requirements) {
    names.push_back(one.name + " " + to_text(one.source));
  }
  return names;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("plain folders: phases by the names of folders and files") {
  struct Row {
    const char* what;
    Files files;
    Lines outline;
  };
  const Row rows[] = {
      {"a folder each",
       {{"phases/1/phase.md", gate("a")},
        {"phases/2/README.md", gate("b")},
        {"phases/10/index.md", gate("c")}},
       {"1 phases/1/phase.md", "2 phases/2/README.md", "10 phases/10/index.md"}},
      {"a file each",
       {{"phases/phase-2-b.md", gate("b")}, {"phases/phase-1-a.md", gate("a")}},
       {"1 phases/phase-1-a.md", "2 phases/phase-2-b.md"}},
      {"files beside folders of tasks",
       {{"phases/1/task-10-z.md", "z"},
        {"phases/1/task-2-y.md", "y"},
        {"phases/phase-1-a.md", gate("a")},
        {"phases/phase-2-b.md", gate("b")}},
       {"1 phases/phase-1-a.md 2=phases/1/task-2-y.md 10=phases/1/task-10-z.md",
        "2 phases/phase-2-b.md"}},
      {"a folder without a text of its own",
       {{"phases/1/beta.md", gate("b")}, {"phases/1/alpha.md", gate("a")}},
       {"1 phases/1/#tasks.md 1=phases/1/alpha.md 2=phases/1/beta.md"}},
      {"numbers as they are written",
       {{"phases/0/phase.md", gate("a")},
        {"phases/0B/phase.md", gate("b")},
        {"phases/01-x/phase.md", gate("c")},
        {"phases/phase-a/phase.md", gate("d")}},
       {"0 phases/0/phase.md", "0B phases/0B/phase.md", "1 phases/01-x/phase.md",
        "a phases/phase-a/phase.md"}},
      {"steps in the folder itself",
       {{"step-02-go.md", gate("b")}, {"step-01-init.md", gate("a")}, {"notes.md", "n"}},
       {"1 step-01-init.md", "2 step-02-go.md"}},
      {"numbered files",
       {{"01-plan.md", gate("a")}, {"2-do.md", gate("b")}},
       {"1 01-plan.md", "2 2-do.md"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const LoadedWorkflow got = read(row.files);
    CAPTURE(all_findings(got));
    CHECK(got.startable());
    CHECK(outline_of(got) == row.outline);
    CHECK(got.workflow.id == "w");
  }
}

TEST_CASE("plain folders: titles are the documents', without their numbers") {
  const LoadedWorkflow got = read({{"phases/1/phase.md", "# Phase 1: Look around\n"},
                                   {"phases/1/task-1-first-look.md", "words"},
                                   {"phases/phase-2-tidy-up.md", "words"},
                                   {"phases/3/x.md", "# Only this\n"},
                                   {"README.md", "# The framework\n\nFor tidy people.\n"}});
  REQUIRE(got.workflow.phases.size() == 3);
  CHECK(got.workflow.title == "The framework");
  CHECK(got.workflow.description == "For tidy people.");
  CHECK(got.workflow.phases[0].title == "Look around");
  CHECK(got.workflow.phases[0].tasks.at(0).name == "First look");
  CHECK(got.workflow.phases[1].title == "Tidy up");
  CHECK(got.workflow.phases[2].title == "Phase 3");
  const Document& list = got.workflow.documents.at("phases/3/#tasks.md");
  CHECK(list.phase == "3");
  CHECK(got.blobs.at(list.hash).find("- Task 1: Only this\n") != std::string::npos);
}

TEST_CASE("plain folders: a gate is what all documents of its phase ask for, with their lines") {
  const LoadedWorkflow got = read({{"phases/1/phase.md", gate("All done")},
                                   {"phases/1/task-1-a.md", gate("First done")},
                                   {"phases/1/task-2-b.md", gate("All done")},
                                   {"phases/2/phase.md", "words"}});
  CAPTURE(all_findings(got));
  CHECK(asked_of(got, 0) ==
        Lines{"all_done phases/1/phase.md:4", "first_done phases/1/task-1-a.md:4"});
  CHECK(has(got, "repeated_requirement"));
  CHECK(got.workflow.phases[1].gate.weak);
  CHECK(has(got, "weak_gate"));
}

TEST_CASE("plain folders: a gate file counts, wherever the text of its phase lies") {
  const std::string yaml = "evidence_schema:\n  count:\n    type: integer\n    required: true\n";
  for (const char* text : {"phases/phase-1/phase.md", "phases/phase-1-x.md"}) {
    CAPTURE(text);
    const LoadedWorkflow got = read({{text, gate("Done")},
                                     {"phases/phase-1/task-1-a.md", "a"},
                                     {"phases/phase-1/gate-definition.yaml", yaml}});
    CAPTURE(all_findings(got));
    REQUIRE(got.startable());
    CHECK(asked_of(got, 0) == Lines{"count phases/phase-1/gate-definition.yaml:2"});
    CHECK(got.workflow.documents.at("phases/phase-1/gate-definition.yaml").withheld);
  }
}

TEST_CASE("invariant 1: files belong to their phases, and others are shared") {
  const LoadedWorkflow got = read({{"phases/1/phase.md", gate("a") + "See ../../core/words.md\n"},
                                   {"phases/1/data.txt", "d"},
                                   {"phases/2/phase.md", gate("b")},
                                   {"phases/overview.md", "o"},
                                   {"core/words.md", "w"},
                                   {"LAUNCHER.md", "l"}});
  const auto& documents = got.workflow.documents;
  CHECK(documents.at("phases/1/data.txt").phase == "1");
  CHECK(documents.at("core/words.md").phase.empty());
  CHECK_FALSE(documents.at("core/words.md").withheld);
  CHECK(documents.at("phases/1/phase.md").links == Lines{"core/words.md"});
  CHECK(documents.at("LAUNCHER.md").phase.empty());
  CHECK(documents.at("phases/overview.md").withheld);
  CHECK(has(got, "unused_phase_file"));
}

TEST_CASE("plain folders: what is ambiguous is said") {
  const LoadedWorkflow texts =
      read({{"phases/1/phase.md", gate("a")}, {"phases/phase-1-b.md", gate("b")}});
  CHECK(outline_of(texts) == Lines{"1 phases/1/phase.md 1=phases/phase-1-b.md"});
  CHECK(has(texts, "two_phase_texts"));
  const LoadedWorkflow twice = read({{"01-a.md", gate("a")}, {"1-b.md", gate("b")}});
  CHECK(outline_of(twice) == Lines{"1 01-a.md", "1-2 1-b.md"});
  CHECK(has(twice, "repeated_phase_number"));
  CHECK(has(read({{"1-a.md", gate("a")}, {"3-b.md", gate("b")}}), "phase_numbers_jump"));
  CHECK(has(read({{"phases/1/phase.md", gate("a")}, {"phases/4/phase.md", gate("b")}}),
            "phase_numbers_jump"));
  CHECK(has(read({{"phases/1/data.txt", "x"}, {"phases/2/phase.md", gate("a")}}), "empty_phase"));
}

TEST_CASE("invariant 3: what may hold a gate and is not read refuses the workflow") {
  const TempFolder place;
  const TempFolder elsewhere;
  const auto outside = elsewhere.write("x.md", gate("secret"));
  place.write("w/phases/1/phase.md", gate("a"));
  fs::create_directories(place.path() / "w/phases/2");
  fs::create_symlink(outside, place.path() / "w/phases/2/phase.md");
  const LoadedWorkflow got = read_workflow(place.path() / "w", PlainRequirementReader());
  CHECK_FALSE(got.startable());
  CHECK(findings_of(got, "unreadable_file").front().severity == Severity::error);
  for (const char* name : {"Metadata.json", "metadata.yaml", "Workflow.yaml"}) {
    CAPTURE(name);
    const LoadedWorkflow near = read({{"phases/1/phase.md", gate("a")}, {name, "{}"}});
    CHECK_FALSE(near.startable());
    CHECK(has(near, "unread_definition"));
  }
}

TEST_CASE("plain folders: which folders are workflows") {
  struct Row {
    Files files;
    bool is;
  };
  const Row rows[] = {
      {{{"phases/1/x.md", "x"}}, true},
      {{{"phases/phase-1-a.md", "x"}}, true},
      {{{"01-a.md", "x"}, {"02-b.md", "x"}}, true},
      {{{"01-a.md", "x"}}, false},
      {{{"2024-01-02-a.md", "x"}, {"2024-02-02-b.md", "x"}}, false},
      {{{"README.md", "x"}, {"CHANGELOG.md", "x"}}, false},
      {{{"phases/notes.md", "x"}}, false},
      {{{"1-a.txt", "x"}, {"2-b.txt", "x"}}, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.files.front().first);
    const TempFolder place;
    for (const auto& [path, bytes] : row.files) place.write(std::string("w/") + path, bytes);
    CHECK(is_plain_workflow_folder(place.path() / "w") == row.is);
  }
  CHECK_FALSE(is_plain_workflow_folder("/nowhere"));
  // phases/ says that it is meant as one, even if nobody can tell its phases.
  CHECK(has(read({{"phases/notes.md", "x"}}), "missing_metadata"));
  CHECK_FALSE(has(read({{"metadata.json", "{}"}, {"phases/1/phase.md", "x"}}), "no_phases"));
}

#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "phases/native/keys.h"
#include "tests/phases/native/fixture.h"
#include "tests/support/files.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;
using phasegate::test::findings_of;
using phasegate::test::flow;
using phasegate::test::native;
using phasegate::test::step;

namespace {

/// Every error says that something is not supported yet, and there is one.
void check_only_later(const LoadedWorkflow& got) {
  CHECK_FALSE(got.startable());
  for (const Finding& finding : got.findings) {
    if (finding.severity != Severity::error) continue;
    CHECK_MESSAGE(finding.code == "not_supported_yet", all_findings(got));
  }
}

}  // namespace

TEST_CASE("later parts: every key and value of them refuses the file by name") {
  const auto refused = [](const std::string& text, const std::string& name) {
    const LoadedWorkflow got = native(text);
    CAPTURE(text);
    check_only_later(got);
    const auto found = findings_of(got, "not_supported_yet");
    REQUIRE(found.size() == 1);
    CHECK_MESSAGE(found[0].message.find(name) != std::string::npos, found[0].message);
    CHECK(found[0].message.find("refused rather than") != std::string::npos);
    CHECK(found[0].source.column > 0);
  };
  for (const std::string& key : native_workflow_keys().later) refused(flow(key + ": x\n"), key);
  for (const std::string& key : native_defaults_keys().later) {
    refused(flow("defaults: {" + key + ": 1}\n"), key);
  }
  for (const std::string& key : native_step_keys().later) {
    refused(flow("", "  - {id: a, " + key + ": x}\n"), key);
  }
  for (const std::string& kind : native_kinds().later) {
    refused(flow("", "  - {id: a, kind: " + kind + "}\n"), kind);
  }
  for (const std::string& dialect : native_dialects().later) {
    refused(flow("dialect: " + dialect + "\n"), dialect);
  }
  refused(flow("defaults: {by: editor}\n"), "editor");
  refused(flow("", "  - {id: a, by: editor/strict}\n"), "editor/strict");
  refused(flow("start: b\n", step("a") + step("b")), "start: b");
  const std::string evidence = "    evidence: {s: string}\n";
  const auto next = [&](const std::string& value) {
    return flow("", step("a", evidence + "    next: " + value + "\n") + step("b") + step("c"));
  };
  refused(next("null"), "next: null");
  refused(next("c"), "next: c");
  refused(next("a"), "next: a");
  refused(next("[{goto: b}]"), "several ways");
  refused(flow("", step("a") + step("b", evidence + "    next: a\n")), "next: a");
}

TEST_CASE("later parts: documents of other styles are recognised, and nothing in them is unknown") {
  const char* const documents[] = {
      // outputs of a step, conditions, templates in single braces
      R"(workflow: w
title: Technical pass
dialect: lexichord
steps:
  - {id: edit, by: editor/strict, instructions: "Check this page", outputs: {edited: $.output, count: $.metadata.count}}
  - {id: shorten, by: shortener, when: "settings.shorten != false", inputs: {text: edited}, instructions: "Shorten: {text}"}
  - {id: tune, by: tuner, when: previous.success, instructions: "Check the style"}
  - {id: sum-up, by: writer, instructions: "Write the summary"}
)",
      // retries, time limits, going back
      R"(workflow: w
dialect: openagents
limits: {max_transitions: 50, max_duration: 600s}
steps:
  - {id: plan, by: planner, timeout: 120s, next: code}
  - {id: code, by: coder, max_attempts: 2, on_failure: goto plan, next: test}
  - {id: test, by: tester, max_attempts: 3, on_failure: goto code, next: null}
)",
      // branches at once
      R"(workflow: w
dialect: openagents
steps:
  - id: all-tests
    kind: parallel
    on_item_failure: collect
    steps: [{id: unit, by: unit-tester}, {id: whole, by: whole-tester}]
    on_failure: continue
    next: report
  - {id: report, by: reporter}
)",
      // a choice of ways
      R"(workflow: w
dialect: openagents
steps:
  - {id: test, by: tester, next: look}
  - {id: look, kind: choice, next: [{when: "context.test.success === true", goto: ship}, {goto: tell}]}
  - {id: ship, by: shipper, next: null}
  - {id: tell, by: teller, next: null}
)",
      // collecting what branches found
      R"(workflow: w
dialect: openfang
steps:
  - id: ideas
    kind: parallel
    steps:
      - {id: bold, by: writer, timeout: 60s, output: bold, instructions: "Ideas for: {{input}}"}
      - {id: plain, by: builder, timeout: 60s, output: plain, instructions: "Ideas for: {{input}}"}
  - {id: gather, kind: collect, separator: "\n\n---\n\n"}
  - {id: join, by: orchestrator, instructions: "You received {{input}}"}
)",
      // repeating until a word comes
      R"(workflow: w
dialect: openfang
steps:
  - {id: draft, by: writer, output: draft, instructions: "Draft about: {{input}}"}
  - {id: refine, by: reviewer, timeout: 180s, max_attempts: 2, repeat: {until: {contains: APPROVED}, max: 4}, instructions: "Review {{input}}"}
)",
      // commands, entry conditions, checks, work items, a person's decision
      R"(workflow: w
title: Rounds of editing
dialect: razorweave
protect: [{sqlite: data/project.db}]
checks:
  saved: {sqlite: {db: data/project.db, query: "SELECT 1 FROM plans WHERE run = :run", expect: row}}
defaults: {by: assistant}
steps:
  - id: plan
    command: w1:plan
    entry: [{expr: "book !== null", error: No book}]
    checks: [{expr: saved(), error: Not saved}]
  - id: write
    kind: map
    items: areas
    as: area
    max: 3
    min_success: 2
    command: w1:write --area {{area}}
    checks: [{expr: result.changed.length > 0, error: Nothing changed}]
  - id: review
    command: w1:review
    review: {by: critic, accept: "result.ok"}
    next: [{when: 'result.decision === "approved"', goto: person}, {goto: write, max: 3, on_exhausted: ask}]
  - id: person
    kind: decision
    prompt: How shall it go on?
    show: [metrics.delta]
    approvers: {role: editor, count: 1, not_submitter: true}
    channel: approver
    options:
      - {label: Finish, goto: finish}
      - {label: Again, goto: plan, input: required}
      - {label: Stop, outcome: rejected}
  - id: finish
    command: w1:finish
    lease: 30m
    backoff: 10s
    next: null
)",
  };
  for (const char* text : documents) {
    CAPTURE(std::string(text).substr(0, 60));
    check_only_later(native(text));
  }
}

TEST_CASE("later parts: a folder whose phases are files is recognised as well") {
  const phasegate::test::TempFolder place;
  place.write("w/workflow.yaml", R"(workflow: w
dialect: agent-os
input: {type: object, required: [target_file], properties: {target_file: {type: string}}}
steps:
  - id: "1"
    title: Phase 1 – Methods
    instructions: {file: phases/1.md}
    evidence:
      function_count: {type: integer, minimum: 1, description: Functions found}
      functions_list: {type: array, min_items: 1}
    when: input.target_file != null
    checks:
      - {expr: "evidence.functions_list.length === evidence.function_count", error: Not as many}
      - {file: {path: "{{input.target_file}}", matches_all: evidence.functions_list}, error: Missing}
  - {id: "2", title: Phase 2, instructions: {file: phases/2.md}, evidence: {calls: {type: integer, minimum: 0}, patterns: {type: array}}}
complete_message: All done
)");
  place.write("w/phases/1.md", "# One\n");
  place.write("w/phases/2.md", "# Two\n");
  const LoadedWorkflow got = read_native_folder(place.path() / "w");
  check_only_later(got);
  CHECK(findings_of(got, "not_supported_yet").size() == 2);
  CHECK(got.workflow.phases.size() == 2);
}

TEST_CASE("later parts: a key is read or waits, never both") {
  for (const NativeKeys* keys :
       {&native_workflow_keys(), &native_defaults_keys(), &native_step_keys(),
        &native_property_keys(), &native_kinds(), &native_dialects()}) {
    std::set<std::string> all(keys->read.begin(), keys->read.end());
    all.insert(keys->later.begin(), keys->later.end());
    CHECK(all.size() == keys->read.size() + keys->later.size());
  }
}

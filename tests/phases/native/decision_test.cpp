// Decisions as authors write them (ARCHITECTURE §6; 001-21, 003-17).
#include "phases/decision.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "phases/native/writer.h"
#include "tests/phases/native/fixture.h"

using namespace phasegate::phases;
using phasegate::test::all_findings;
using phasegate::test::errors_of;
using phasegate::test::findings_of;
using phasegate::test::flow;
using phasegate::test::native;
using phasegate::test::step;

namespace {

/// Three steps: work, a person's decision with these lines (each indented by four), work.
std::string asked(const std::string& lines) {
  return flow("", step("draft") + "  - id: gate\n    kind: decision\n" + lines + step("publish"));
}

/// The decision step whose options are these items, each on a line from 10 on.
std::string with_options(const std::vector<std::string>& items) {
  std::string lines = "    prompt: How is it to go on?\n    options:\n";
  for (const std::string& item : items) lines += "      - " + item + "\n";
  return asked(lines);
}

const DecisionDemand& demand_of(const LoadedWorkflow& got, const std::string& phase) {
  const Phase* found = got.workflow.find_phase(phase);
  REQUIRE_MESSAGE(got.startable(), all_findings(got));
  REQUIRE(found != nullptr);
  REQUIRE(found->gate.decision.has_value());
  return *found->gate.decision;
}

/// `code line:column` and the hint.
void refused(const std::string& text, const std::string& error, const std::string& said) {
  const LoadedWorkflow got = native(text);
  CAPTURE(text);
  const auto errors = errors_of(got);
  REQUIRE_MESSAGE(errors.size() == 1, all_findings(got));
  CHECK_MESSAGE(errors[0] == error, all_findings(got));
  CHECK_MESSAGE(all_findings(got).find(said) != std::string::npos, all_findings(got));
}

}  // namespace

TEST_CASE("decision: everything that a step says about it is in the model (003-17)") {
  const LoadedWorkflow got = native(flow("", step("plan") + R"(  - id: check
    instructions: Check it
    evidence: {report: string}
    decision:
      prompt: Is the report good enough?
      show: [evidence.report, "steps.plan.evidence.summary + '!'", summary]
      options:
        - {label: Yes, input: none}
        - {id: again, label: Not yet, goto: plan, input: required}
        - {label: "End it, well done", outcome: completed}
        - {label: Stop, outcome: cancelled}
        - {label: No, outcome: rejected, input: optional}
        - {label: Skip, goto: 3}
      approvers: {role: Editor, count: 2, not_submitter: true}
      channel: approver
      remind_after: 4h
)" + step("3")));
  const DecisionDemand& demand = demand_of(got, "check");
  CHECK(demand.prompt == "Is the report good enough?");
  CHECK(demand.show == std::vector<std::string>{"evidence.report",
                                                "steps.plan.evidence.summary + '!'", "summary"});
  const std::vector<DecisionOption> options = {
      {"yes", "Yes", DecisionEffect::proceed, "", DecisionInput::none},
      {"again", "Not yet", DecisionEffect::go_to, "plan", DecisionInput::required},
      {"end-it-well-done", "End it, well done", DecisionEffect::completed, "",
       DecisionInput::optional},
      {"stop", "Stop", DecisionEffect::cancelled, "", DecisionInput::optional},
      {"no", "No", DecisionEffect::rejected, "", DecisionInput::optional},
      {"skip", "Skip", DecisionEffect::go_to, "3", DecisionInput::optional}};
  CHECK(demand.options == options);
  CHECK(demand.role == "editor");
  CHECK(demand.count == 2);
  CHECK(demand.not_submitter);
  CHECK(demand.channel == DecisionChannel::approver);
  CHECK(demand.remind_after_ms == 4 * 3'600'000);
  CHECK(demand.source == Source{"w.yaml", 10, 0, 0});
  CHECK_FALSE(got.workflow.phases[1].by_person);
  CHECK(got.findings.empty());
}

TEST_CASE("decision: yes and no are two options (001-21), and a step may only decide") {
  const LoadedWorkflow got =
      native(with_options({"{label: yes}", "{label: no, outcome: rejected}"}));
  const DecisionDemand& demand = demand_of(got, "gate");
  CHECK(demand.options[0].id == "yes");
  CHECK(demand.options[1].effect == DecisionEffect::rejected);
  const Phase& gate = got.workflow.phases[1];
  CHECK(gate.by_person);
  CHECK(gate.file.empty());
  CHECK(gate.title == "gate");
  CHECK(gate.gate.requirements.empty());
  CHECK_FALSE(gate.gate.none);
  CHECK_FALSE(gate.gate.weak);
}

TEST_CASE("decision: the human gate of 003 as it is written there") {
  const LoadedWorkflow got =
      native(flow("title: Iterative editing\ndefaults: {by: assistant}\n",
                  step("strategic-planning") + step("chapter-review", R"(    evidence:
      metrics: object
      modifiedChapters: {type: array, min_items: 1}
)") + R"(  - id: human-gate
    kind: decision
    prompt: Review the changes and metrics. How would you like to proceed?
    show: [metrics.baseline, metrics.current, metrics.delta, modifiedChapters]
    options:
      - {label: Approve and finalize, goto: finalize}
      - {label: Request more improvements, goto: strategic-planning, input: required}
      - {label: Reject and stop, outcome: rejected}
)" + step("finalize")));
  const DecisionDemand& demand = demand_of(got, "human-gate");
  CHECK(demand.show.size() == 4);
  CHECK(demand.find_option("approve-and-finalize")->phase == "finalize");
  CHECK(demand.find_option("request-more-improvements")->input == DecisionInput::required);
  CHECK(demand.find_option("reject-and-stop")->effect == DecisionEffect::rejected);
}

TEST_CASE("decision: without options they are the standard three") {
  const LoadedWorkflow got =
      native(flow("", step("a", "    decision: Is it good enough?\n") +
                          step("b", "    gate: none\n    decision: {prompt: \"Is it?\"}\n") +
                          "  - {id: c, kind: decision, prompt: \"And all of it?\"}\n" +
                          "  - {id: d, kind: decision, prompt: \"Really?\"}\n"));
  CHECK(demand_of(got, "a") == standard_decision("Is it good enough?", "a", {"w.yaml", 5, 0}));
  CHECK(demand_of(got, "b").options == standard_decision("", "b", {}).options);
  CHECK(got.workflow.phases[1].gate.none);
  // Where nobody works, it goes back to the work.
  CHECK(demand_of(got, "c").options == standard_decision("", "b", {}).options);
  CHECK(demand_of(got, "d").options == standard_decision("", "b", {}).options);
  const LoadedWorkflow first =
      native(flow("", "  - {id: c, kind: decision, prompt: \"Begin?\"}\n" + step("a")));
  const auto& options = demand_of(first, "c").options;
  REQUIRE(options.size() == 2);
  CHECK(options[0].id == "approve");
  CHECK(options[1].id == "reject");
}

TEST_CASE("decision: instructions of a decision are shown, without them there are none") {
  const LoadedWorkflow got =
      native(asked("    instructions: Look at the draft.\n    prompt: Is it good?\n"));
  REQUIRE_MESSAGE(got.startable(), all_findings(got));
  const Phase& gate = got.workflow.phases[1];
  CHECK(gate.file == "w.yaml#gate");
  CHECK(got.workflow.documents.at("w.yaml#gate").phase == "gate");
}

TEST_CASE("decision: what is wrong is said at its place") {
  const auto step_with = [](const std::string& value) {
    return flow("", step("a", "    decision: " + value + "\n"));
  };
  const auto with = [&](const std::string& members) {
    return step_with("{prompt: \"Is it?\", " + members + "}");
  };
  // The value of decision: begins in column 15; what is behind the prompt, in 34.
  refused(step_with("required"), "unknown_value 5:15", "no question");
  refused(step_with("none"), "unknown_value 5:15", "write the question");
  refused(step_with("' '"), "empty_text 5:15", "prompt");
  refused(step_with("true"), "wrong_type 5:15", "write decision: \"Is it good enough?\"");
  refused(step_with(""), "wrong_type 5:5", "got nothing");
  refused(step_with("{}"), "missing_key 5:15", "write prompt:");
  refused(with("aprovers: {count: 2}"), "unknown_key 5:34", "did you mean approvers?");
  refused(with("question: \"Is it?\""), "unknown_key 5:34", "did you mean prompt?");
  refused(with("timeout: 4h"), "unknown_key 5:34", "did you mean remind_after?");
  refused(with("show: evidence.s"), "wrong_type 5:40", "a list of names and expressions");
  refused(with("show: [3]"), "wrong_type 5:41", "entry 1 of show");
  refused(with("show: ['']"), "empty_text 5:41", "entry 1 of show");
  refused(with("options: []"), "wrong_type 5:43", "leave options out");
  refused(with("options: {yes: go}"), "wrong_type 5:43", "a list of options");
  refused(with("approvers: editor"), "wrong_type 5:45", "approvers: {role: editor, count: 2}");
  refused(with("approvers: {rolle: editor}"), "unknown_key 5:46", "did you mean role?");
  refused(with("approvers: {role: 'the editor'}"), "invalid_id 5:52", "letters from a to z");
  refused(with("approvers: {count: 0}"), "out_of_range 5:53", "1 to 100");
  refused(with("approvers: {count: two}"), "wrong_type 5:53", "a whole number");
  refused(with("approvers: {not_submitter: yes}"), "wrong_type 5:61", "true or false");
  refused(with("channel: clients"), "unknown_value 5:43", "did you mean client?");
  refused(with("remind_after: 4"), "wrong_type 5:48", "30m or 4h");
  refused(with("remind_after: 0s"), "out_of_range 5:48", "1s to");
  refused(with("remind_after: 9000h"), "out_of_range 5:48", "8784h");
}

TEST_CASE("decision: what cannot be proven through the client is refused there") {
  const auto with = [](const std::string& approvers) {
    return asked("    prompt: Is it good?\n    channel: client\n    approvers: {" + approvers +
                 "}\n");
  };
  refused(with("count: 2"), "contradicting_keys 10:24", "count");
  refused(with("role: qa"), "contradicting_keys 10:23", "proves nothing");
  refused(with("not_submitter: true"), "contradicting_keys 10:32", "not_submitter");
  CHECK(demand_of(native(with("count: 1")), "gate").channel == DecisionChannel::client);
}

TEST_CASE("decision: options that cannot be chosen are refused") {
  refused(with_options({"Yes"}), "wrong_type 10:9", "a map with a label");
  refused(with_options({"{goto: draft}"}), "missing_key 10:9", "has no label");
  refused(with_options({"{label: ' '}"}), "empty_text 10:17", "label of option 1");
  refused(with_options({"{label: 1}"}), "wrong_type 10:17", "write it in quotes");
  refused(with_options({"{label: Yes, txt: Yes}"}), "unknown_key 10:22", "known keys: id, label");
  refused(with_options({"{label: Go, requiresInput: true}"}), "unknown_key 10:21",
          "did you mean input: required?");
  refused(with_options({"{label: Go, input: maybe}"}), "unknown_value 10:28",
          "none, optional, required");
  refused(with_options({"{label: Go, outcome: complete}"}), "unknown_value 10:30",
          "did you mean completed?");
  refused(with_options({"{label: Go}", "{label: Back, goto: draft, outcome: rejected}"}),
          "contradicting_keys 11:45", "keep one");
  refused(with_options({"{label: Go}", "{label: Back, goto: dratf}"}), "unknown_step 11:29",
          "did you mean draft?");
  refused(with_options({"{label: Go}", "{label: Back, goto: true}"}), "wrong_type 11:29",
          "a step's id");
  refused(with_options({"{label: Go}", "{label: go!}"}), "duplicate_option 11:17",
          "first in line 10");
  refused(with_options({"{label: Go}", "{label: On, id: go}"}), "duplicate_option 11:25",
          "id: of its own");
  refused(with_options({"{label: 好}"}), "missing_key 10:17", "write id:");
  refused(with_options({"{label: Go, id: Go on}"}), "invalid_id 10:25", "such as go-on");
  refused(with_options({"{label: Back, goto: draft}", "{label: Stop, outcome: rejected}"}),
          "no_way_forward 8:0", "add an option that goes on");
  refused(with_options({"{label: Again, goto: gate}"}), "no_way_forward 8:0", "goes back or stops");
  refused(with_options(std::vector<std::string>(17, "{label: Go}")), "too_many_options 10:7",
          "the limit is 16");
  for (const char* forward :
       {"{label: Go}", "{label: Go, goto: publish}", "{label: End, outcome: completed}"}) {
    CHECK(native(with_options({forward})).startable());
  }
}

TEST_CASE("decision: a step has work or a decision at itself, and an error says which") {
  const auto both = [](const std::string& line) {
    return asked("    prompt: Is it good?\n    " + line + "\n");
  };
  refused(both("evidence: {s: string}"), "misplaced_key 9:5", "to the step before it");
  refused(both("checks: [{file: a}]"), "misplaced_key 9:5", "no work");
  refused(both("tasks: [{name: a, instructions: b}]"), "misplaced_key 9:5", "no work");
  refused(both("by: assistant"), "misplaced_key 9:5", "approvers: {role: …}");
  refused(both("decision: Is it good?"), "misplaced_key 9:5", "at the step itself");
  refused(both("gate: none"), "contradicting_gate 9:11", "remove gate");
  refused(both("when: x"), "not_supported_yet 9:5", "when");
  refused(asked(""), "missing_key 6:5", "write prompt:");
  for (const char* key : {"prompt", "show", "options", "approvers", "channel", "remind_after"}) {
    refused(flow("", step("a", "    evidence: {s: string}\n    " + std::string(key) + ": x\n")),
            "misplaced_key 6:5", "below decision:");
  }
  refused(flow("", step("a", "    prompt: Is it good?\n")), "misplaced_key 5:5", "below decision:");
}

TEST_CASE("decision: texts are bounded, and templates in them are not expanded") {
  const auto with = [](const std::string& prompt, const std::string& label) {
    return native(
        asked("    prompt: \"" + prompt + "\"\n    options: [{label: \"" + label + "\"}]\n"));
  };
  const LoadedWorkflow got = with(std::string(2500, 'a') + " b", std::string(400, 'c'));
  CHECK(demand_of(got, "gate").prompt.size() <= 2000);
  CHECK(demand_of(got, "gate").options[0].label.size() <= 300);
  CHECK(demand_of(got, "gate").options[0].id.size() == 64);
  CHECK(findings_of(got, "text_shortened").size() == 2);
  CHECK(findings_of(with("Is {{input.a}} good?", "Yes"), "template_not_expanded").size() == 1);
  // A text of several lines ends where its words end.
  CHECK(demand_of(native(asked("    prompt: |\n      One\n      two\n")), "gate").prompt ==
        "One\ntwo");
  std::string entries;
  for (int i = 0; i < 33; ++i) entries += "run.id, ";
  refused(asked("    prompt: Is it good?\n    show: [" + entries + "]\n"), "out_of_range 9:11",
          "the limit is 32");
  refused(asked("    prompt: Is it good?\n    show: [\"" + std::string(4097, 'a') + "\"]\n"),
          "out_of_range 9:12", "the limit is 4096");
}

TEST_CASE("decision: written out and read back it is the same (adopt)") {
  const LoadedWorkflow first =
      native(flow("", step("plan") + step("check", R"(    evidence: {report: string}
    decision:
      prompt: "Is it good: \"yes\"?"
      show: [evidence.report]
      options:
        - {label: Yes, input: none}
        - {label: Later, goto: "9"}
        - {label: Not yet, goto: plan, input: required}
        - {label: Stop, outcome: rejected}
      approvers: {role: editor, count: 2, not_submitter: true}
      remind_after: 90m
)") + R"(  - id: look
    kind: decision
    prompt: Is it really good?
    instructions: Read the report.
    channel: client
  - {id: bare, kind: decision, prompt: "And now?"}
)" + step("9", "    decision: Is it done?\n")));
  REQUIRE_MESSAGE(first.startable(), all_findings(first));
  const auto without_lines = [](std::vector<Phase> phases) {
    for (Phase& phase : phases) {
      phase.source = {};
      phase.gate.source = {};
      if (phase.gate.decision) phase.gate.decision->source = {};
      for (Requirement& one : phase.gate.requirements) one.source = {};
    }
    return phases;
  };
  const NativeText written = write_native({{&first, ""}});
  const LoadedWorkflow again = native(written.yaml);
  REQUIRE_MESSAGE(again.startable(), written.yaml);
  CHECK_MESSAGE(without_lines(again.workflow.phases) == without_lines(first.workflow.phases),
                written.yaml);
  CHECK(written.notes.empty());
  // Two of them one behind the other: the ways lead to the steps that have other ids now.
  const NativeText twice = write_native({{&first, ""}, {&first, ""}});
  const LoadedWorkflow both = native(twice.yaml);
  REQUIRE_MESSAGE(both.startable(), twice.yaml);
  REQUIRE(both.workflow.phases.size() == 10);
  CHECK(demand_of(both, "w-check").find_option("later")->phase == "w-9");
  CHECK(demand_of(both, "w-check").find_option("not-yet")->phase == "w-plan");
}

#include "mcp/tools/complete_answers.h"

#include <algorithm>

#include "base/clock.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "mcp/tools/answer.h"
#include "mcp/tools/artifacts_block.h"
#include "mcp/tools/checks_block.h"
#include "mcp/tools/criteria.h"
#include "mcp/tools/decision_block.h"
#include "mcp/tools/phase_block.h"
#include "mcp/tools/refusal_passages.h"
#include "mcp/tools/run_block.h"

namespace phasegate::mcp::tools {

using base::Json;
using gating::EvidenceVerdict;
using gating::FieldProblem;
using gating::RefusalKind;
using gating::Reply;
using gating::RunStatus;
using gating::engine::CompleteReply;

namespace {

/// Problems described in full; the rest are named.
constexpr std::size_t kProblemBytesMax = 3500;
constexpr std::size_t kNamesShownMax = 20;
constexpr const char* kHowToWait =
    "Do not go on and do not change the files: call complete_phase again with the same evidence, "
    "which waits for the checks and starts nothing anew, or get_workflow_state.";
constexpr const char* kResend =
    "Do what is missing, then send every field, those that were right as well.";

/// Where a field is asked for: the line alone, in the gate's own file.
std::string place_of(const phases::Source& source, const std::string& gate_file) {
  if (source.file == gate_file && source.line > 0) return "line " + std::to_string(source.line);
  return phases::to_text(source);
}

Json problem_json(const FieldProblem& problem, const std::string& gate_file) {
  Json out = {{"field", problem.field},
              {"problem", problem.keyword},
              {"wanted", problem.wanted},
              {"got", problem.got}};
  if (!problem.sent_as.empty()) out["did_you_send_it_as"] = problem.sent_as;
  if (!problem.source.file.empty()) out["required_by"] = place_of(problem.source, gate_file);
  return out;
}

std::string problem_line(const FieldProblem& problem, const std::string& gate_file) {
  std::string line = "- " + problem.text;
  if (problem.keyword == "required" || problem.keyword == "type") {
    line += ": wanted " + problem.wanted + ", got " + problem.got;
  }
  if (!problem.sent_as.empty()) {
    line += "; you sent " + base::in_quotes(problem.sent_as) + ": did you mean " +
            base::in_quotes(problem.field) + "?";
  }
  if (!problem.source.file.empty()) line += " [" + place_of(problem.source, gate_file) + "]";
  return line;
}

/// 004-26 and 004-31: every field that is not as required, by the seed's words and in detail.
void add_problems(Answer& answer, const EvidenceVerdict& verdict, const std::string& gate_file) {
  Json& out = answer.structured();
  Json missing = Json::array();
  Json problems = Json::array();
  std::size_t used = 0;
  std::string rest;
  if (!gate_file.empty()) {
    out["source"] = gate_file;
    answer.line("Not as required (lines of " + gate_file + "):");
  }
  for (const FieldProblem& problem : verdict.problems) {
    const std::string line = problem_line(problem, gate_file);
    Json detail = problem_json(problem, gate_file);
    used += std::max(line.size(), base::dump(detail).size() + problem.text.size());
    if (used > kProblemBytesMax || problems.size() >= base::limits::kProblemsShownMax) {
      rest += (rest.empty() ? "" : ", ") + problem.field;
      continue;
    }
    missing.push_back(problem.text);
    problems.push_back(std::move(detail));
    answer.line(line);
  }
  if (!rest.empty()) {
    rest = base::shortened(rest, kProblemBytesMax / 2);
    out["also_missing"] = rest;
    answer.line("- and: " + rest);
  }
  out["missing_evidence"] = std::move(missing);
  out["problems"] = std::move(problems);
}

void add_names(Answer& answer, const char* key, const char* words,
               const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::vector<std::string> shown;
  for (const std::string& name : names) {
    if (shown.size() == kNamesShownMax) {
      shown.push_back("… " + std::to_string(names.size() - kNamesShownMax) + " more");
      break;
    }
    shown.push_back(base::shortened(name, 80));
  }
  answer.structured()[key] = shown;
  answer.line(std::string(words) + ": " + base::joined(shown, ", "));
}

/// Fields that counted under the names that the gate publishes.
void add_aliases(Answer& answer, const std::vector<gating::AliasTaken>& taken) {
  if (taken.empty()) return;
  Json names = Json::object();
  std::vector<std::string> words;
  for (const gating::AliasTaken& one : taken) {
    if (words.size() == kNamesShownMax) break;
    const std::string alias = base::shortened(one.alias, 80);
    names[alias] = one.name;
    words.push_back(base::in_quotes(alias) + " as " + one.name);
  }
  answer.structured()["aliases_taken"] = std::move(names);
  answer.line("Taken under their published names: " + base::joined(words, ", "));
}

/// What was decided is committed; only the open phase's text could not be read for this answer.
void add_unreadable(Answer& answer, const CompleteReply& reply) {
  if (!reply.unreadable) return;
  answer.structured()["phase_unreadable"] = {{"error", reply.unreadable->code},
                                             {"message", reply.unreadable->message},
                                             {"required_action", reply.unreadable->hint}};
  answer.line("The above is recorded, but the text of phase " + reply.view.run.current_phase +
              " cannot be shown (" + reply.unreadable->code + "): " + reply.unreadable->message);
  answer.line("What to do: " + reply.unreadable->hint);
}

/// What is wrong, the rules of what is wrong, one whole example: enough to mend it. The phase's
/// text and criteria are not repeated, since who hands over evidence has been given them; a reader
/// who has lost them is told how to get them (004-43).
void add_refused_evidence(Answer& answer, const CompleteReply& reply) {
  const gating::engine::PhaseView& phase = *reply.phase;
  std::vector<std::string> fields;
  for (const FieldProblem& problem : reply.reply.verdict.problems) fields.push_back(problem.field);
  add_format(answer, phase, fields);
  answer.structured()["resend"] = kResend;
  answer.line(kResend);
  name_phase(answer, "current_phase_content", phase);
}

/// Evidence out of turn: the phase that is open is given instead of the one that was spoken of.
void add_open_phase(Answer& answer, const gating::engine::PhaseView& phase) {
  add_criteria(answer, phase);
  add_artifacts(answer, "artifacts_available", phase, kArtifactBytesAside);
  add_phase(answer, "current_phase_content", phase);
}

protocol::ToolResult refused(const CompleteReply& reply,
                             const std::vector<rag::FoundPassage>& passages) {
  const gating::Refusal& refusal = *reply.reply.refusal;
  const bool evidence = refusal.kind == RefusalKind::incomplete_checkpoint;
  const bool checks = refusal.kind == RefusalKind::checks_failed;
  const bool out_of_turn = refusal.kind == RefusalKind::phase_sequence_violation;
  Answer answer;
  answer.structured()["checkpoint_passed"] = false;
  answer.structured()["phase"] = reply.reply.phase;
  add_refusal(answer, refusal, reply.view, reply.reply.phase);
  if (evidence) {
    add_problems(answer, reply.reply.verdict, reply.view.phase().gate.source.file);
  }
  if (checks && !reply.reply.verdict.problems.empty()) {
    add_problems(answer, reply.reply.verdict, reply.view.phase().gate.source.file);
  }
  add_results(answer, reply.reply.checks, "What the server saw for itself:");
  add_places(answer, passages);
  add_aliases(answer, reply.reply.verdict.aliases_taken);
  add_names(answer, "extra_fields", "Kept, but not asked for", reply.reply.verdict.extra_fields);
  add_run(answer, reply.view, {.progress = out_of_turn, .missing = !evidence && !checks});
  add_unreadable(answer, reply);
  const auto& phase = reply.phase;
  if (!phase || !phase->current || reply.view.run.status != RunStatus::active) {
    return std::move(answer).finish(true);
  }
  if (evidence) {
    add_refused_evidence(answer, reply);
  } else if (out_of_turn) {
    add_open_phase(answer, *phase);
  } else {
    name_phase(answer, "current_phase_content", *phase);
  }
  return std::move(answer).finish(true);
}

void add_end(Answer& answer, const CompleteReply& reply) {
  const gating::RunState& run = reply.view.run;
  Json& out = answer.structured();
  out["workflow_complete"] = run.status == RunStatus::completed;
  if (run.status == RunStatus::completed) {
    out["message"] = reply.view.workflow().complete_message;
    answer.line("Workflow complete. " + reply.view.workflow().complete_message);
  } else if (run.status == RunStatus::waiting) {
    out["message"] = "The workflow is not complete: " + run.waiting.reason;
    answer.line("The workflow is not complete: " + run.waiting.reason);
  }
}

protocol::ToolResult passed(const CompleteReply& reply) {
  const bool repeated = reply.reply.kind == Reply::Kind::repeated;
  const gating::AcceptedPhase& accepted = *reply.reply.accepted;
  Answer answer;
  Json& out = answer.structured();
  out["checkpoint_passed"] = true;
  out["phase_completed"] = accepted.phase;
  out["accepted_at"] = base::to_rfc3339(accepted.accepted_at);
  out["self_attested"] = accepted.self_attested;
  if (repeated) out["repeated"] = true;
  if (accepted.weak) out["weak_gate"] = true;
  if (accepted.lenient) out["lenient"] = true;
  if (accepted.checked > 0) out["checked"] = accepted.checked;
  if (accepted.skipped > 0) out["skipped_checks"] = accepted.skipped;
  if (!accepted.deciders.empty()) out["decided_by"] = accepted.deciders;
  answer.line(
      "Checkpoint of phase " + accepted.phase + " passed at " +
      base::to_rfc3339(accepted.accepted_at) +
      (repeated ? " (repeated: the same evidence was accepted then)" : "") + "; " +
      base::counted(static_cast<std::size_t>(accepted.self_attested), "field") +
      " on your word alone" +
      (accepted.checked > 0
           ? ", " + base::counted(static_cast<std::size_t>(accepted.checked), "check") + " passed"
           : std::string()) +
      (accepted.deciders.empty() ? std::string()
                                 : ", decided by " + base::joined(accepted.deciders, ", ")) +
      ".");
  if (accepted.lenient && !reply.reply.verdict.problems.empty()) {
    answer.line("Not as required, let through because the gate file says strict: false:");
    add_problems(answer, reply.reply.verdict, "");
  }
  add_results(answer, reply.reply.checks, "What the server saw for itself:");
  add_aliases(answer, reply.reply.verdict.aliases_taken);
  add_names(answer, "extra_fields", "Kept, but not asked for", reply.reply.verdict.extra_fields);
  const auto& phase = reply.phase;
  const bool goes_on = phase && phase->current && is_open(reply.view.run.status);
  if (!goes_on) {
    if (reply.view.run.status == RunStatus::active) {
      // The next phase is open, only its text could not be read for this answer.
      out["next_phase"] = reply.view.run.current_phase;
      out["workflow_complete"] = false;
    } else {
      add_end(answer, reply);
    }
    add_run(answer, reply.view);
    add_unreadable(answer, reply);
    return std::move(answer).finish();
  }
  out["next_phase"] = phase->phase->id;
  out["next_phase_unlocked"] = true;
  out["workflow_complete"] = false;
  add_run(answer, reply.view);
  add_criteria(answer, *phase);
  add_artifacts(answer, "artifacts_available", *phase, kArtifactBytesAside);
  add_phase(answer, "next_phase_content", *phase);
  return std::move(answer).finish();
}

/// The evidence is as required and kept; nothing is opened by that.
protocol::ToolResult verifying(const CompleteReply& reply) {
  Answer answer;
  answer.structured()["checkpoint_passed"] = false;
  answer.structured()["phase"] = reply.reply.phase;
  answer.structured()["how_to_wait"] = kHowToWait;
  add_aliases(answer, reply.reply.verdict.aliases_taken);
  add_names(answer, "extra_fields", "Kept, but not asked for", reply.reply.verdict.extra_fields);
  add_run(answer, reply.view);
  answer.line(kHowToWait);
  return std::move(answer).finish();
}

/// The evidence and the checks are as required and kept; nothing is opened by that.
protocol::ToolResult awaiting(const CompleteReply& reply) {
  Answer answer;
  answer.structured()["checkpoint_passed"] = false;
  answer.structured()["phase"] = reply.reply.phase;
  answer.structured()["waiting_for_person"] = true;
  answer.line("Not approved: phase " + reply.reply.phase +
              " stays shut until a person has decided. What was handed over is kept.");
  add_results(answer, reply.reply.checks, "What the server saw for itself:");
  add_aliases(answer, reply.reply.verdict.aliases_taken);
  add_names(answer, "extra_fields", "Kept, but not asked for", reply.reply.verdict.extra_fields);
  add_run(answer, reply.view);
  return std::move(answer).finish();
}

/// A person has decided otherwise than by opening the gate.
protocol::ToolResult not_opened(const CompleteReply& reply) {
  Answer answer;
  answer.structured()["checkpoint_passed"] = false;
  answer.structured()["phase"] = reply.reply.phase;
  const gating::RunState& run = reply.view.run;
  answer.line(is_open(run.status) ? "Not approved: a person has sent the session to phase " +
                                        run.current_phase + "."
                                  : "Not approved: a person has ended the session.");
  add_run(answer, reply.view, {.progress = true});
  add_unreadable(answer, reply);
  const auto& phase = reply.phase;
  if (phase && phase->current && run.status == RunStatus::active) {
    answer.raw(feedback_text(run));
    add_criteria(answer, *phase);
    add_phase(answer, "current_phase_content", *phase);
  }
  return std::move(answer).finish(true);
}

}  // namespace

protocol::ToolResult complete_answer(const CompleteReply& reply,
                                     const std::vector<rag::FoundPassage>& passages) {
  switch (reply.reply.kind) {
    case Reply::Kind::verifying:
      return verifying(reply);
    case Reply::Kind::waiting:
      return awaiting(reply);
    case Reply::Kind::refused:
      return refused(reply, passages);
    case Reply::Kind::accepted:
    case Reply::Kind::repeated:
      return passed(reply);
    default:
      return not_opened(reply);
  }
}

}  // namespace phasegate::mcp::tools

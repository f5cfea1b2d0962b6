#include "mcp/tools/checks_block.h"

#include <algorithm>

#include "base/clock.h"
#include "base/json.h"
#include "base/named_commands.h"
#include "base/text.h"

namespace phasegate::mcp::tools {

using base::Json;
using gating::CheckOutcome;
using gating::CheckResult;
using gating::engine::RunView;

namespace {

/// What results may take of an answer; the rest of them is counted.
constexpr std::size_t kResultBytesMax = 4000;
constexpr std::size_t kTailBytesShown = 1200;
constexpr std::size_t kReasonBytesShown = 600;
constexpr std::size_t kChecksListedMax = 20;

void put(Json& json, const char* name, const std::string& text, std::size_t bytes_max) {
  if (!text.empty()) json[name] = base::shortened(text, bytes_max);
}

/// The end of a long text says more than its beginning.
std::string tail_of(const std::string& text) {
  if (text.size() <= kTailBytesShown) return text;
  const std::size_t line = text.find('\n', text.size() - kTailBytesShown);
  return line == std::string::npos ? base::shortened(text, kTailBytesShown)
                                   : "…\n" + text.substr(line + 1);
}

Json result_json(const CheckResult& result) {
  Json json = {{"name", result.name},
               {"kind", phases::to_text(result.kind)},
               {"outcome", to_text(result.outcome)},
               {"looked_at", base::shortened(result.subject, kReasonBytesShown)}};
  put(json, "reason", result.reason, kReasonBytesShown);
  put(json, "error", result.error, kReasonBytesShown);
  put(json, "hint", result.hint, kReasonBytesShown);
  if (result.exit_code) json["exit_code"] = *result.exit_code;
  if (!result.lets_through()) put(json, "output", tail_of(result.output_tail), kTailBytesShown + 8);
  json["duration_ms"] = result.duration_ms;
  if (result.reused) json["reused"] = true;
  if (result.source.line > 0) json["required_by"] = phases::to_text(result.source);
  return json;
}

std::string result_text(const CheckResult& result) {
  std::string text = "- " + result.name + " (" + std::string(phases::to_text(result.kind)) +
                     "): " + std::string(to_text(result.outcome));
  if (!result.reason.empty()) text += ": " + base::shortened(result.reason, kReasonBytesShown);
  if (!result.error.empty()) text += ". " + base::shortened(result.error, kReasonBytesShown);
  if (!result.hint.empty()) text += ". " + base::shortened(result.hint, kReasonBytesShown);
  if (result.source.line > 0) text += " [" + phases::to_text(result.source) + "]";
  text += "\n  looked at: " + base::shortened(result.subject, kReasonBytesShown);
  if (!result.lets_through() && !result.output_tail.empty()) {
    text += "\n  output:\n" + tail_of(result.output_tail);
  }
  return text;
}

}  // namespace

Json checks_json(const std::vector<phases::Check>& checks) {
  Json list = Json::array();
  for (const phases::Check& check : checks) {
    if (list.size() == kChecksListedMax) {
      list.push_back("… " + std::to_string(checks.size() - kChecksListedMax) + " more");
      break;
    }
    list.push_back({{"name", check.name},
                    {"kind", phases::to_text(check.kind)},
                    {"looks_at", phases::subject_of(check)}});
  }
  return list;
}

std::string checks_text(const std::vector<phases::Check>& checks) {
  if (checks.empty()) return "";
  std::string text = "The server then looks for itself:\n";
  std::size_t listed = 0;
  for (const phases::Check& check : checks) {
    if (listed++ == kChecksListedMax) {
      text += "- … " + std::to_string(checks.size() - kChecksListedMax) + " more\n";
      break;
    }
    text += "- " + check.name + " (" + std::string(phases::to_text(check.kind)) +
            "): " + phases::subject_of(check) + "\n";
  }
  return text;
}

void add_results(Answer& answer, const std::vector<CheckResult>& results,
                 const std::string& heading) {
  if (results.empty()) return;
  Json list = Json::array();
  std::vector<std::string> passed;
  std::size_t used = 0;
  std::size_t left_out = 0;
  answer.line(heading);
  for (const CheckResult& result : results) {
    if (result.outcome == CheckOutcome::passed) {
      passed.push_back(result.name);
      continue;
    }
    Json json = result_json(result);
    const std::string text = result_text(result);
    used += std::max(base::dump(json).size(), text.size());
    if (used > kResultBytesMax && !list.empty()) {
      ++left_out;
      continue;
    }
    list.push_back(std::move(json));
    answer.line(text);
  }
  if (left_out > 0) answer.line("- and " + base::counted(left_out, "more check") + " not passed");
  if (!passed.empty()) {
    if (passed.size() > kChecksListedMax) {
      const std::size_t more = passed.size() - kChecksListedMax;
      passed.resize(kChecksListedMax);
      passed.push_back("… " + std::to_string(more) + " more");
    }
    answer.line("- passed: " + base::joined(passed, ", "));
    answer.structured()["checks_passed"] = passed;
  }
  for (const CheckResult& result : results) {
    if (result.outcome != CheckOutcome::passed || result.hint.empty()) continue;
    answer.line("- note of " + result.name + ": " +
                base::shortened(result.hint, kReasonBytesShown));
  }
  if (!list.empty()) answer.structured()["checks_not_passed"] = std::move(list);
  if (left_out > 0) answer.structured()["checks_left_out"] = left_out;
}

void name_place(std::vector<CheckResult>& results, const std::string& options) {
  for (CheckResult& one : results) one.hint = base::with_options(one.hint, options);
}

void add_verifying(Answer& answer, const RunView& view) {
  if (!view.run.pending) return;
  Json block = {{"attempt", view.run.pending->attempt},
                {"since", base::to_rfc3339(view.run.pending->since)}};
  const bool carried_out = view.effect && view.effect->owner;
  std::string line = "Not passed yet: the server's checks of attempt " +
                     std::to_string(view.run.pending->attempt) + " of phase " +
                     view.run.current_phase +
                     (carried_out ? " are being carried out" : " wait to be carried out") +
                     ", since " + base::to_rfc3339(view.run.pending->since);
  if (view.effect && !view.effect->progress.empty()) {
    block["progress"] = view.effect->progress;
    line += ", now at " + view.effect->progress;
  }
  answer.structured()["verifying"] = std::move(block);
  answer.line(line + ". The phase is open until they have passed.");
}

}  // namespace phasegate::mcp::tools

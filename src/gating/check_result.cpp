#include "gating/check_result.h"

#include <array>
#include <limits>
#include <utility>

#include "base/json.h"
#include "gating/state_members.h"

namespace phasegate::gating {
namespace {

constexpr std::array<std::pair<CheckOutcome, std::string_view>, 4> kOutcomes{{
    {CheckOutcome::passed, "passed"},
    {CheckOutcome::failed, "failed"},
    {CheckOutcome::errored, "errored"},
    {CheckOutcome::skipped, "skipped"},
}};

void put(base::Json& json, const char* name, const std::string& text) {
  if (!text.empty()) json[name] = text;
}

}  // namespace

std::string_view to_text(CheckOutcome outcome) {
  for (const auto& [known, word] : kOutcomes) {
    if (known == outcome) return word;
  }
  return "unknown";
}

std::optional<CheckOutcome> check_outcome_from(std::string_view text) {
  for (const auto& [outcome, word] : kOutcomes) {
    if (word == text) return outcome;
  }
  return std::nullopt;
}

bool CheckResult::lets_through() const {
  return outcome == CheckOutcome::passed || outcome == CheckOutcome::skipped;
}

base::Json to_json(const CheckResult& result) {
  base::Json json = {{"name", result.name},
                     {"kind", phases::to_text(result.kind)},
                     {"outcome", to_text(result.outcome)},
                     {"subject", result.subject},
                     {"duration_ms", result.duration_ms},
                     {"at_ms", result.at.ms}};
  put(json, "reason", result.reason);
  put(json, "error", result.error);
  put(json, "hint", result.hint);
  if (result.exit_code) json["exit_code"] = *result.exit_code;
  put(json, "output_tail", result.output_tail);
  put(json, "output_digest", result.output_digest);
  put(json, "value", result.value);
  put(json, "inputs_digest", result.inputs_digest);
  put(json, "environment_digest", result.environment_digest);
  if (result.reused) json["reused"] = true;
  json["source"] =
      base::Json::array({result.source.file, result.source.line, result.source.line_end});
  return json;
}

base::Result<CheckResult> check_result_from_json(const base::Json& json) {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  CheckResult result;
  StateMembers members(json, "check");
  members.read("name", result.name);
  members.read_enum("kind", result.kind, phases::check_kind_from);
  members.read_enum("outcome", result.outcome, check_outcome_from);
  members.read("subject", result.subject);
  members.read("duration_ms", result.duration_ms, 0);
  members.read("at_ms", result.at.ms, kLowest);
  for (const auto& [name, text] :
       {std::pair("reason", &result.reason), std::pair("error", &result.error),
        std::pair("hint", &result.hint), std::pair("output_tail", &result.output_tail),
        std::pair("output_digest", &result.output_digest), std::pair("value", &result.value),
        std::pair("inputs_digest", &result.inputs_digest),
        std::pair("environment_digest", &result.environment_digest)}) {
    if (members.has(name)) members.read(name, *text);
  }
  if (members.has("exit_code")) {
    int code = 0;
    members.read("exit_code", code, std::numeric_limits<int>::min());
    result.exit_code = code;
  }
  if (members.has("reused")) members.read("reused", result.reused);
  if (const base::Json* source = members.array("source")) {
    const bool sound = source->size() == 3 && (*source)[0].is_string() &&
                       (*source)[1].is_number_integer() && (*source)[2].is_number_integer();
    if (sound) {
      result.source.file = (*source)[0].get<std::string>();
      result.source.line = (*source)[1].get<int>();
      result.source.line_end = (*source)[2].get<int>();
    } else {
      members.fail("source", "is no place");
    }
  }
  if (auto problem = members.finish()) return *std::move(problem);
  return result;
}

CheckResult errored(const phases::Check& check, std::string reason, std::string hint) {
  CheckResult result;
  result.name = check.name;
  result.kind = check.kind;
  result.outcome = CheckOutcome::errored;
  result.subject = phases::subject_of(check);
  result.reason = std::move(reason);
  result.error = check.error;
  result.hint = std::move(hint);
  result.source = check.source;
  return result;
}

}  // namespace phasegate::gating

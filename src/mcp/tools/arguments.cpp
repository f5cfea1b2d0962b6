#include "mcp/tools/arguments.h"

#include "base/json.h"
#include "base/text.h"
#include "phases/workflow.h"

namespace phasegate::mcp::tools {

using base::Error;
using base::Json;
using base::Result;

namespace {

constexpr std::size_t kShownCharsMax = 60;

bool takes_numbers(std::string_view name) {
  return name == "phase" || name == "task_number";
}

std::string without_slash(const std::string& pointer) {
  return pointer.starts_with('/') ? pointer.substr(1) : pointer;
}

/// `Phase 2` and `phase-2` mean `2`; only said in a hint, never assumed.
std::string without_phase_word(std::string_view text) {
  const std::string lower = base::lowered(base::trimmed(text));
  if (!lower.starts_with("phase")) return "";
  std::string_view rest = base::trimmed(text).substr(5);
  while (!rest.empty() && (rest.front() == ' ' || rest.front() == '-' || rest.front() == '_')) {
    rest.remove_prefix(1);
  }
  return phases::is_phase_number(rest) ? std::string(rest) : "";
}

}  // namespace

Result<Arguments> Arguments::check(const gating::JsonSchema& schema, const Json& arguments) {
  std::string message;
  std::string where;
  for (const gating::SchemaProblem& problem : schema.validate(arguments)) {
    const std::string name = without_slash(problem.path);
    if (problem.keyword == "type" && takes_numbers(name)) {
      const Json* given = base::find_member(arguments, name);
      if (given != nullptr && given->is_number()) continue;
    }
    if (where.empty()) where = name;
    if (!message.empty()) message += "; ";
    message +=
        (name.empty() ? "arguments" : name) + ": wanted " + problem.wanted + ", got " + problem.got;
  }
  if (message.empty()) return Arguments(arguments);
  const Json* evidence = base::find_member(arguments, "evidence");
  const bool as_text = where == "evidence" && evidence != nullptr && evidence->is_string();
  return Error{"invalid_argument", std::move(message),
               as_text ? "send the evidence as an object, not as a text that holds one"
                       : "call the tool again with arguments as its input schema says",
               std::move(where)};
}

std::string Arguments::text(std::string_view name) const {
  return base::string_member(*arguments_, name).value_or("");
}

std::optional<std::int64_t> Arguments::integer(std::string_view name) const {
  return base::integer_member(*arguments_, name);
}

bool Arguments::flag(std::string_view name) const {
  return base::bool_member(*arguments_, name).value_or(false);
}

const Json* Arguments::value(std::string_view name) const {
  return base::find_member(*arguments_, name);
}

Result<std::string> Arguments::phase() const {
  const Json* given = value("phase");
  const auto refuse = [&](std::string hint) {
    return Error{
        "invalid_argument",
        "phase: " +
            base::shortened(given == nullptr ? "nothing" : base::dump(*given), kShownCharsMax) +
            " is no phase id",
        std::move(hint), "phase"};
  };
  constexpr std::string_view kHint =
      "phase ids are written as in current_phase of every answer, for example \"1\"";
  if (given == nullptr) return refuse(std::string(kHint));
  if (given->is_number()) {
    const auto number = base::as_integer(*given);
    if (!number || *number < 0) return refuse(std::string(kHint));
    return std::to_string(*number);
  }
  const std::string id(base::trimmed(text("phase")));
  if (phases::is_phase_id(id)) return id;
  const std::string meant = without_phase_word(id);
  return refuse(meant.empty() ? std::string(kHint) : "did you mean \"" + meant + "\"?");
}

Result<std::string> Arguments::task_number() const {
  const Json* given = value("task_number");
  if (given == nullptr) return std::string();
  if (given->is_number()) {
    const auto number = base::as_integer(*given);
    if (!number || *number < 0) {
      return Error{"invalid_argument",
                   "task_number: " + base::shortened(base::dump(*given), kShownCharsMax) +
                       " is no task number",
                   "task numbers are listed with the phase's content", "task_number"};
    }
    return std::to_string(*number);
  }
  return std::string(base::trimmed(text("task_number")));
}

}  // namespace phasegate::mcp::tools

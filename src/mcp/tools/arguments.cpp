#include "mcp/tools/arguments.h"

#include "base/json.h"
#include "base/text.h"
#include "mcp/tools/phase_names.h"
#include "phases/workflow.h"

namespace phasegate::mcp::tools {

using base::Error;
using base::Json;
using base::Result;

namespace {

constexpr std::size_t kShownCharsMax = 60;

/// What assistants send beside what the flat schema can say: numbers for ids, a plain text for the
/// input or for a list of one, null for what they leave out.
bool also_taken(std::string_view name, const Json& given) {
  if (name == "phase" || name == "task_number") return given.is_number();
  if (name == "filter_phase" && given.is_number()) return true;
  if (name == "filter_tags" && given.is_string()) return true;
  if (name.starts_with("filter_") && given.is_null()) return true;
  return name == "input" && given.is_string();
}

std::string without_slash(const std::string& pointer) {
  return pointer.starts_with('/') ? pointer.substr(1) : pointer;
}

}  // namespace

Result<Arguments> Arguments::check(const gating::JsonSchema& schema, const Json& arguments) {
  std::string message;
  std::string where;
  for (const gating::SchemaProblem& problem : schema.validate(arguments)) {
    const std::string name = without_slash(problem.path);
    if (problem.keyword == "type") {
      const Json* given = base::find_member(arguments, name);
      if (given != nullptr && also_taken(name, *given)) continue;
    }
    if (where.empty()) where = name;
    if (!message.empty()) message += "; ";
    // A gate may ask for secrets, which no answer repeats.
    const Json* evidence = name == "evidence" ? base::find_member(arguments, name) : nullptr;
    message += (name.empty() ? "arguments" : name) + ": wanted " + problem.wanted + ", got " +
               (evidence == nullptr
                    ? problem.got
                    : "a value of the type " + std::string(base::json_type_name(*evidence)));
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

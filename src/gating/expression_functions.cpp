#include "gating/expression_functions.h"

#include "base/json.h"
#include "base/text.h"

namespace phasegate::gating {

using base::Json;

namespace {

using Arguments = std::vector<const Json*>;
using Outcome = std::optional<Json>;

Outcome wrong(std::string& problem, std::string_view wanted, const Json& got) {
  problem = "wanted " + std::string(wanted) + ", got " + value_in_words(got);
  return std::nullopt;
}

Outcome spent(std::string& problem) {
  problem = kTooManySteps;
  return std::nullopt;
}

const std::string& text_of(const Json& value) {
  return value.get_ref<const std::string&>();
}

/// All arguments as texts, with the work for them paid.
bool all_texts(const Arguments& arguments, StepBudget& budget, std::string& problem) {
  for (const Json* argument : arguments) {
    const Json& value = *argument;
    if (!value.is_string()) {
      wrong(problem, "a text", value);
      return false;
    }
    if (!budget.take_bytes(text_of(value).size())) {
      spent(problem);
      return false;
    }
  }
  return true;
}

Outcome matching(const Arguments& arguments, const RE2* pattern, StepBudget& budget,
                 std::string& problem) {
  // What compiling a pattern costs, in steps: it is at most a kilobyte.
  constexpr std::size_t kCompileSteps = 100;
  if (!all_texts(arguments, budget, problem)) return std::nullopt;
  const std::string& text = text_of(*arguments[0]);
  if (pattern != nullptr) return Json(RE2::PartialMatch(text, *pattern));
  if (!budget.take(kCompileSteps)) return spent(problem);
  const auto compiled = compile_pattern(text_of(*arguments[1]));
  if (!compiled) {
    problem = compiled.error().message;
    return std::nullopt;
  }
  return Json(RE2::PartialMatch(text, **compiled));
}

Outcome on_step(Builtin builtin, const Json& id, const Json& scope, std::string& problem) {
  if (!id.is_string()) return wrong(problem, "the id of a phase, a text", id);
  const Json* steps = find_name(scope, "steps");
  if (steps == nullptr || !steps->is_object()) {
    problem = "nothing is known of phases here";
    return std::nullopt;
  }
  const Json* step = base::find_member(*steps, text_of(id));
  if (builtin == Builtin::completed) return Json(step != nullptr);
  if (step == nullptr) return Json(0);
  const Json* visits = base::find_member(*step, "visits");
  return Json(visits != nullptr && visits->is_number() ? *visits : Json(0));
}

}  // namespace

const std::vector<BuiltinFunction>& builtin_functions() {
  static const std::vector<BuiltinFunction> kFunctions = {
      {"count", Builtin::count, 1},
      {"any", Builtin::any, 1},
      {"isEmpty", Builtin::is_empty, 1},
      {"contains", Builtin::contains, 2},
      {"startsWith", Builtin::starts_with, 2},
      {"endsWith", Builtin::ends_with, 2},
      {"matches", Builtin::matches, 2},
      {"lower", Builtin::lower, 1},
      {"completed", Builtin::completed, 1},
      {"visits", Builtin::visits, 1},
  };
  return kFunctions;
}

const BuiltinFunction* find_builtin(std::string_view name) {
  for (const BuiltinFunction& function : builtin_functions()) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

std::optional<bool> contains(const Json& holder, const Json& value, StepBudget& budget,
                             std::string& problem) {
  if (holder.is_string()) {
    if (!value.is_string()) {
      wrong(problem, "a text to look for in a text", value);
      return std::nullopt;
    }
    if (!budget.take_bytes(text_of(holder).size())) {
      spent(problem);
      return std::nullopt;
    }
    return text_of(holder).find(text_of(value)) != std::string::npos;
  }
  if (!holder.is_array()) {
    wrong(problem, "a text or a list to look in", holder);
    return std::nullopt;
  }
  if (!budget.take_items(holder.size())) {
    spent(problem);
    return std::nullopt;
  }
  for (const Json& item : holder) {
    const auto same = strictly_equal(item, value, budget);
    if (!same) {
      spent(problem);
      return std::nullopt;
    }
    if (*same) return true;
  }
  return false;
}

Outcome apply_builtin(Builtin builtin, const Arguments& arguments, const Json& scope,
                      const RE2* pattern, StepBudget& budget, std::string& problem) {
  const Json& first = *arguments[0];
  switch (builtin) {
    case Builtin::count:
      if (!first.is_structured()) return wrong(problem, "a list or an object", first);
      return Json(first.size());
    case Builtin::any:
      if (!first.is_structured()) return wrong(problem, "a list or an object", first);
      return Json(!first.empty());
    case Builtin::is_empty:
      if (first.is_null()) return Json(true);
      if (first.is_string()) return Json(text_of(first).empty());
      if (!first.is_structured()) return wrong(problem, "a text, a list or an object", first);
      return Json(first.empty());
    case Builtin::contains: {
      const auto found = contains(first, *arguments[1], budget, problem);
      if (!found) return std::nullopt;
      return Json(*found);
    }
    case Builtin::starts_with:
      if (!all_texts(arguments, budget, problem)) return std::nullopt;
      return Json(text_of(first).starts_with(text_of(*arguments[1])));
    case Builtin::ends_with:
      if (!all_texts(arguments, budget, problem)) return std::nullopt;
      return Json(text_of(first).ends_with(text_of(*arguments[1])));
    case Builtin::matches:
      return matching(arguments, pattern, budget, problem);
    case Builtin::lower:
      if (!all_texts(arguments, budget, problem)) return std::nullopt;
      return Json(base::lowered(text_of(first)));
    case Builtin::completed:
    case Builtin::visits:
      return on_step(builtin, first, scope, problem);
  }
  return std::nullopt;
}

}  // namespace phasegate::gating

#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gating/expression_tree.h"
#include "gating/expression_values.h"

namespace phasegate::gating {

/// A function of the language: its name and how many arguments it takes.
struct BuiltinFunction {
  std::string_view name;
  Builtin builtin;
  std::size_t arguments;
};
[[nodiscard]] const std::vector<BuiltinFunction>& builtin_functions();
/// The function of this name, or null.
[[nodiscard]] const BuiltinFunction* find_builtin(std::string_view name);

/// Carries out a function. `scope` is for completed() and visits(), `pattern` for matches() if it
/// was constant. nullopt: `problem` says why, in words that go on after the call's text.
[[nodiscard]] std::optional<base::Json> apply_builtin(
    Builtin builtin, const std::vector<const base::Json*>& arguments, const base::Json& scope,
    const RE2* pattern, StepBudget& budget, std::string& problem);

/// True if a text contains the text, or a list the value. nullopt as above.
[[nodiscard]] std::optional<bool> contains(const base::Json& holder, const base::Json& value,
                                           StepBudget& budget, std::string& problem);

}  // namespace phasegate::gating

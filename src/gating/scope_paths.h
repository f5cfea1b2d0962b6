#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"

/// What names in expressions and templates stand for.
namespace phasegate::gating {

/// A path's constant parts: {`steps`, `plan`, `output`}.
using NamePath = std::vector<std::string>;

/// True for the names of other dialects that stand for the scope as a whole: `ctx.x` is `x`.
[[nodiscard]] bool stands_for_scope(std::string_view name);

/// What a bare name stands for: `context` for {`steps`}, `_previousOutput` for {`previous`,
/// `output`}, any other name for itself.
[[nodiscard]] NamePath canonical_name(std::string_view name);

/// True for roots whose members are ids, in which hyphens may stand and which may begin with a
/// digit: `steps.plan-b`, `checks.command-2`.
[[nodiscard]] bool has_ids(std::string_view root);

/// The value of a bare name: the scope's member of that name, else of what the name stands for.
/// Null pointer: the scope has neither. O(members).
[[nodiscard]] const base::Json* find_name(const base::Json& scope, std::string_view name);

/// `evidence.count` for each path: its first two parts; sorted, each once.
[[nodiscard]] std::vector<std::string> first_parts(const std::vector<NamePath>& paths);
/// Sorted, each once.
void sort_and_unique(std::vector<NamePath>& paths);

/// `did you mean evidence.count`, from the members of `holder`; empty if nothing is near. Only
/// names of the scope itself are ever offered.
[[nodiscard]] std::string nearest_member(const base::Json& holder, std::string_view name,
                                         std::string_view prefix);

}  // namespace phasegate::gating

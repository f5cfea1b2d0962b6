#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "base/result.h"

namespace phasegate::gating {

/// `text` with each `{{path}}` replaced by the value at that path of the scope, in one pass: what
/// was inserted is never looked at again. Texts are inserted as they are, numbers and flags as JSON
/// writes them. A path is a name with members (`steps.plan-b.output`, `input["a b"]`, `args[0]`);
/// blanks around it are allowed, and there is no way to write a `{{` that is none. Errors
/// (`template_failed`): a path that is not there or holds null, a list or an object; a NUL byte; a
/// result over limits::kFilledBytesMax. O(text + result).
[[nodiscard]] base::Result<std::string> filled(std::string_view text, const base::Json& scope);
/// The paths that a template names, as Expression::names gives them; an error (`invalid_template`)
/// if a `{{` is not closed or what it holds is no path. O(text).
[[nodiscard]] base::Result<std::vector<std::string>> template_names(std::string_view text);
/// The same with all their parts: {`steps`, `plan-b`, `output`}; sorted, each once.
[[nodiscard]] base::Result<std::vector<std::vector<std::string>>> template_paths(
    std::string_view text);

}  // namespace phasegate::gating

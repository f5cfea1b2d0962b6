#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "gating/expression.h"
#include "gating/scope_paths.h"
#include "phases/check.h"

namespace phasegate::gating {

/// What a check's parameters read, found by compiling all that can be compiled in them.
struct CheckUses {
  std::vector<NamePath> paths;     ///< that expressions and templates name
  std::vector<std::string> calls;  ///< named checks
  std::vector<NamePath> at_entry;  ///< paths needed already when the phase is entered
  std::optional<Expression> that;  ///< the condition, of kind `expr`
};

/// `functions`: named checks that may be called. Errors (`invalid_check`) name check, member and
/// line: what does not compile, a value that its member cannot take, a `{{…}}` where none is
/// filled in.
[[nodiscard]] base::Result<CheckUses> uses_of(const phases::Check& check,
                                              const std::vector<std::string>& functions);

/// An error about a check, at its line.
[[nodiscard]] base::Error check_error(const phases::Check& check, const std::string& problem,
                                      std::string hint = "");

}  // namespace phasegate::gating

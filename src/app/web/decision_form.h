#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "base/result.h"
#include "state/approvers/secret.h"

namespace phasegate::app::web {

/// The longest body of a form. A line break of an input is six bytes of it; the rest is for the
/// other fields.
inline constexpr std::size_t kFormBytesMax =
    6 * base::limits::kDecisionInputBytesMax + (16U << 10U);

/// What a person sends from the page of a decision. All texts are UTF-8 without NUL.
struct DecisionForm {
  std::string token;   ///< see FormSeal
  std::string option;  ///< id of the chosen one; empty: none was chosen
  std::string input;   ///< lines end in LF
  std::string name;
  state::Secret secret;
};

/// Reads `application/x-www-form-urlencoded`. Fields may be missing and are empty then. Errors
/// (`invalid_form`, never with anything that was sent): a field twice or one that the page does not
/// have, broken percent-encoding, what is no UTF-8, NUL, and a secret that is longer than any.
/// Linear; of the secret no copy is left but the one in the form.
[[nodiscard]] base::Result<DecisionForm> read_decision_form(std::string_view body);

}  // namespace phasegate::app::web

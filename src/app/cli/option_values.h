#pragma once
#include <string>
#include <string_view>

#include "app/cli/invocation.h"

namespace phasegate::app::cli {

/// An option as it was typed.
struct GivenOption {
  const OptionSpec* spec;
  std::string value;  ///< empty for a switch
};

/// Puts an option's value where it belongs. Errors (`usage`): a value that is not one of those that
/// may be given, is no number, or is too long.
[[nodiscard]] base::Result<void> apply(const GivenOption& given, Invocation& invocation);

/// A usage error: exit code 2.
[[nodiscard]] base::Error usage_error(std::string message, std::string hint);

/// `NAME is A, B, not "TYPED".` with the nearest of the words in `choice` (`a|b`).
[[nodiscard]] base::Error not_a_choice(std::string_view name, std::string_view choice,
                                       std::string_view typed);

/// True if `word` is one of the words of `choice` (`a|b`).
[[nodiscard]] bool is_one_of(std::string_view choice, std::string_view word);

}  // namespace phasegate::app::cli

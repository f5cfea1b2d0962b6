#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

/// What may be an approver's name, role and secret. Pure; every text gives a result, in linear
/// time.
namespace phasegate::state {

/// A name or role as it is compared: ASCII letters in lower case. Errors (`invalid_name`): empty,
/// longer than 64 bytes, another character than ASCII letters, digits, `.`, `_` and `-`, or a first
/// one that is no letter or digit. `what` is `name` or `role`, for the message.
[[nodiscard]] base::Result<std::string> compared_name(std::string_view what, std::string_view name);

/// Roles as they are kept: as they are compared, sorted, each once. Errors: as compared_name, and
/// `too_many` for more than 16.
[[nodiscard]] base::Result<std::vector<std::string>> kept_roles(
    const std::vector<std::string>& roles);

/// Whether `secret` may become the secret of `name`. Errors (`weak_secret`, never with a part of
/// it in the message): fewer than 8 characters, more than 1024 bytes, not UTF-8, control
/// characters, the name itself in whatever case, or one character repeated.
[[nodiscard]] base::Result<void> check_new_secret(std::string_view name, std::string_view secret);

}  // namespace phasegate::state

#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace phasegate::state {

/// The name of the file in a state folder that holds the key of secret evidence.
inline constexpr std::string_view kEvidenceKeyFileName = "evidence-key";

/// What the digests that take the place of secret evidence are keyed with (gating/secrets.h): as
/// request_key, in a file of its own. Without it nobody finds out from a database, a backup or an
/// export which value was handed over. Lost, nothing else is: a call that repeats secret evidence
/// counts as other evidence then.
[[nodiscard]] std::string evidence_key(const std::filesystem::path& folder);

/// See request_key_problem.
[[nodiscard]] std::optional<base::Error> evidence_key_problem(const std::filesystem::path& folder);

}  // namespace phasegate::state

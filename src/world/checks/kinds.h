#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "gating/check_result.h"
#include "gating/engine/checks.h"
#include "phases/check.h"

/// One function per kind of check, one file each. `ask` holds what the check was told; its
/// parameters are those of phases::check_members, already known to have their types. None throws
/// for what it finds in the project.
namespace phasegate::world::checks {

/// Where checks look, and with what.
struct Place {
  std::filesystem::path root;            ///< the project's, canonical
  std::vector<std::string> environment;  ///< for programs: `NAME=value`, filtered already
  std::filesystem::path scratch;  ///< a private folder outside the project for temporary files
};

/// One check that is to be carried out.
struct Ask {
  const phases::Check& check;
  const base::Json& parameters;  ///< phases::parameters_of(check)
  const gating::engine::CheckScene& scene;
  const Place& place;
};

[[nodiscard]] gating::CheckResult check_file(const Ask& ask);
[[nodiscard]] gating::CheckResult check_command(const Ask& ask);
[[nodiscard]] gating::CheckResult check_tests(const Ask& ask);
[[nodiscard]] gating::CheckResult check_json(const Ask& ask);
[[nodiscard]] gating::CheckResult check_sqlite(const Ask& ask);
[[nodiscard]] gating::CheckResult check_git(const Ask& ask);
[[nodiscard]] gating::CheckResult check_count(const Ask& ask);
[[nodiscard]] gating::CheckResult check_http(const Ask& ask);
[[nodiscard]] gating::CheckResult check_junit(const Ask& ask);
[[nodiscard]] gating::CheckResult check_coverage(const Ask& ask);
[[nodiscard]] gating::CheckResult check_guard(const Ask& ask);

}  // namespace phasegate::world::checks

#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "world/checks/kinds.h"
#include "world/checks/opened_file.h"

/// Files as they were when the phase was entered, for what must have been made in it.
namespace phasegate::world::checks {

/// SHA-256 of the file when the phase was entered, `""` if it was not there; nullopt: nothing was
/// seen of it then. Errors (`damaged_state`): what was observed cannot be read.
[[nodiscard]] base::Result<std::optional<std::string>> digest_at_entry(
    const gating::engine::CheckScene& scene, std::string_view path);

/// Whether a report was written since the phase was entered: its content is not what it was; where
/// that is not known, its file says so by its time. Errors: those of reading it.
[[nodiscard]] base::Result<bool> written_in_step(const gating::engine::CheckScene& scene,
                                                 std::string_view path, const OpenedFile& file);

/// Opens the report at the parameter `report` or `file` and reads it. The result is an error also
/// where `written_in_step` is wanted and it was not written in the step (`not_written`).
struct Report {
  std::string path;  ///< filled and normalised
  std::string text;
};
[[nodiscard]] base::Result<Report> read_report(const Ask& ask, std::string_view parameter,
                                               std::size_t bytes_max, bool in_step);

/// A result for what kept a file from being read: failed where it is not there, is no file or was
/// not written in the step; errored otherwise.
[[nodiscard]] gating::CheckResult without_file(const Ask& ask, const base::Error& error);

/// The same result, about this path.
[[nodiscard]] gating::CheckResult about(gating::CheckResult result, std::string_view path);

}  // namespace phasegate::world::checks

#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "base/result.h"
#include "gating/run.h"
#include "gating/state_members.h"

/// Parts of the stored state that several of its readers share. For run_json.cpp and its parts.
namespace phasegate::gating {

[[nodiscard]] base::Json files_json(const std::vector<FileDigest>& files);
void read_files(StateMembers& members, std::vector<FileDigest>& files);

void read_texts(StateMembers& members, std::string_view name, std::vector<std::string>& texts);

[[nodiscard]] base::Json results_json(const std::vector<CheckResult>& results);
[[nodiscard]] std::optional<base::Error> read_results(StateMembers& members, std::string_view name,
                                                      std::vector<CheckResult>& results);

[[nodiscard]] base::Json to_json(const Pending& pending);
[[nodiscard]] std::optional<base::Error> read_pending(const base::Json& json, Pending& out);

/// What people decide: the open decision, what they sent back, pauses and visits. Each is written
/// only where there is something to say.
void put_decisions(base::Json& json, const RunState& run);
[[nodiscard]] std::optional<base::Error> read_decisions(StateMembers& reader, RunState& run);

}  // namespace phasegate::gating

#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "state/seal/audit.h"
#include "state/seal/row_marks.h"
#include "state/seal/seal_rows.h"

namespace phasegate::state {

/// One session with everything that is kept of it and the marks that vouch for it, as it lies in
/// the database, whether it verifies or not: what an audit report is made of.
struct SealedSession {
  std::string database_id;
  std::string project_root;
  RunColumns row;
  std::string mac;
  std::string state;  ///< JSON text
  std::vector<ChainedEntry> journal;
  std::vector<StoredArtifactRow> artifacts;
  /// The columns of the rows of the table decision, by name; a missing value is not there.
  std::vector<std::map<std::string, std::string>> decisions;
  std::string definition_mark;  ///< of the workflow that it is pinned to; empty: that is missing
};

/// Reads it within a snapshot, together with an audit of it, so that both are of one moment;
/// nullopt if there is no such session or the database cannot be read, which `report` says then.
/// O(its journal), also in memory. Makes and changes nothing; never throws for the store's sake.
[[nodiscard]] std::optional<SealedSession> read_sealed_session(const std::filesystem::path& folder,
                                                               std::string_view session,
                                                               AuditReport& report);

}  // namespace phasegate::state

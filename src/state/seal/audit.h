#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "state/db.h"
#include "state/seal/acceptance.h"
#include "state/seal/seal.h"
#include "state/seal/store_mark.h"

/// Verifies histories as a whole, which loading a session does not: it looks at the session's
/// checkpoint and the end of its journal alone.
namespace phasegate::state {

/// So many findings are named; those beyond are counted.
inline constexpr std::size_t kAuditFindingsMax = 1000;

/// Something that is not as it was written.
struct AuditFinding {
  std::string session;   ///< empty: of the store as a whole
  std::int64_t seq = 0;  ///< the first entry of its journal that differs; 0: no entry does
  /// `checkpoint`, `journal`, `evidence`, `decision`, `workflow`, `document`, `store`, `anchor`,
  /// `missing`, `trust`, `unreadable`.
  std::string code;
  std::string message;

  friend bool operator==(const AuditFinding&, const AuditFinding&) = default;
};

struct AuditReport {
  std::int64_t sessions = 0;
  std::int64_t entries = 0;
  std::int64_t artifacts = 0;
  std::int64_t decisions = 0;
  std::int64_t workflows = 0;
  std::int64_t documents = 0;
  std::optional<StoreMark> mark;       ///< nullopt: it does not hold
  std::optional<std::int64_t> anchor;  ///< its counter; nullopt: it is lost
  std::vector<Acceptance> acceptances;
  std::vector<AuditFinding> findings;
  std::int64_t findings_left_out = 0;
  /// Why nothing, or nothing more, could be read: no state, no keys, no permission, a newer or an
  /// unsealed version, a damaged file.
  std::optional<base::Error> problem;

  void add(AuditFinding finding);
  [[nodiscard]] bool sound() const { return findings.empty() && !problem; }
};

/// Verifies one session with all that belongs to it alone: checkpoint, state, journal, evidence,
/// decisions, what it has observed; adds what differs to `report`. Within a snapshot or transaction
/// of the caller's. A session that is not there is a finding (`missing`). O(its journal); memory:
/// 64 entries. Throws StoreFailure where the file cannot be read.
void audit_session(Db& db, Seal& seal, std::string_view session, AuditReport& report);

/// Verifies the state as a whole: its mark, the sum and the numbers of all sessions, `anchor` (read
/// before the snapshot was begun) and the acceptances. As audit_session. O(number of sessions).
void audit_marks(Db& db, Seal& seal, const std::optional<std::int64_t>& anchor,
                 AuditReport& report);

/// Verifies what one session shares with others: the workflow that it is pinned to and its
/// documents. As audit_session; nothing for a session that is not there. O(the workflow).
void audit_pinned(Db& db, Seal& seal, const std::string& session, AuditReport& report);

/// Verifies what sessions share: workflows and documents, and that no rows are left of sessions
/// that are gone. As audit_session. O(everything but the journals).
void audit_shared(Db& db, Seal& seal, AuditReport& report);

/// Audits the state in `folder`: `session` alone, or everything if it is empty. Only reads, makes
/// no file, and works on a file system that cannot be written. Writers go on meanwhile: what is
/// read of each session is of one moment. Never throws for the store's sake.
[[nodiscard]] AuditReport audit(const std::filesystem::path& folder, std::string_view session = "");

/// Opens the database of `folder` for reading alone, also where nothing can be written. Throws
/// StoreFailure.
[[nodiscard]] Db open_for_audit(const std::filesystem::path& folder);
/// What verifies it. Throws StoreFailure also if nothing is sealed yet, or if the keys are missing.
[[nodiscard]] Seal open_audited(Db& db, const std::filesystem::path& folder);
/// The anchor's counter, for a snapshot that is begun after this; adds to `report` if the
/// database's file is older than its log. After the first query. Throws StoreFailure.
[[nodiscard]] std::optional<std::int64_t> look_at_anchor(Db& db, Seal& seal, AuditReport& report);
/// One session as `audit` does it, within a snapshot of the caller's that was begun after the
/// anchor was read: audit_session, audit_pinned, and how the store's mark and anchor stand. Throws
/// StoreFailure.
void audit_one(Db& db, Seal& seal, const std::optional<std::int64_t>& anchor,
               std::string_view session, AuditReport& report);

}  // namespace phasegate::state

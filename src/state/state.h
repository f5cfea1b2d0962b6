#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/limits.h"
#include "gating/engine/ports.h"
#include "state/inspect.h"

/// The door of state/: what has happened. One SQLite database per project, shared by any number of
/// processes; what a call has written is on disk when the call returns.
///
///   const auto store = state::open_store(folder);       // touches nothing yet
///   store->runs().create_run(definition, first, true);  // makes folder and file, commits
///
/// - inspect.h      what `phasegate doctor` shows about a store
/// - db.h           connection, statement, transaction: RAII over SQLite's C interface
/// - db_watch.h     notices what others do to the files while they are open
/// - db_busy.h, db_log.h   waiting for other processes, and a write-ahead log that stays short
/// - migrations.h   numbered steps of the schema, with a verified backup before each upgrade
/// - store_file.h   the database file: made late, opened late, checked before use
/// - definitions.h, records.h, journal_reading.h, run_rows.h, run_list.h, decision_rows.h,
///   used_once.h   the tables, as functions on a connection
/// - request_key.h  the secret with which the installation seals what passes through clients
/// - evidence_key.h   the key of the digests that are kept of secret evidence; key_file.h: both
/// - verified.h     texts that need not be verified twice
/// - project_root.h   which project it is, for whoever has only the folder
/// - open_runs.h      what is open in a store, without opening it for anything else
/// - run_store.h, outbox.h, trust_book.h   the engine's ports on top of them
/// - stored_texts.h   the texts of workflows that sessions are pinned to
/// - approvers/     who may decide, in a database of its own outside every project
namespace phasegate::state {

class StoredTexts;

struct StoreOptions {
  /// How long a write waits for other processes' writes before it fails with `busy`.
  std::int64_t busy_ms = base::limits::kStoreBusyMs;
  /// Refuse (`disk_full`) to let the database grow beyond this many pages of 4 KiB; 0: no bound.
  std::int64_t pages_max = 0;
  /// The project's root, kept with the next thing that is written; see project_root.h.
  std::string project_root = {};
};

/// A store and its outbox on one connection. Not thread-safe: one per thread; not to be used in a
/// child after fork. Methods throw gating::engine::StoreFailure; after a failure the next call
/// opens the file afresh.
class Store {
 public:
  virtual ~Store() = default;
  [[nodiscard]] virtual gating::engine::RunStore& runs() = 0;
  [[nodiscard]] virtual gating::engine::Outbox& outbox() = 0;
  [[nodiscard]] virtual gating::engine::TrustBook& trust() = 0;
  [[nodiscard]] virtual StoredTexts& texts() = 0;
};

/// The store in `folder` (its file is `folder/state.db`). Nothing on disk is touched before the
/// first call, nothing is made before the first write: reading a store that does not exist finds
/// it empty. The first write makes the folder (0700) and the file (0600). A folder that cannot be
/// written is refused (`read_only`), never replaced by another place.
[[nodiscard]] std::unique_ptr<Store> open_store(const std::filesystem::path& folder,
                                                const StoreOptions& options = {});

}  // namespace phasegate::state

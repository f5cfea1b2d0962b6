#include "state/seal/seal_everything.h"

#include <system_error>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/hash.h"
#include "state/migrations.h"
#include "state/seal/anchor.h"
#include "state/seal/row_marks.h"
#include "state/seal/seal.h"
#include "state/seal/seal_rows.h"
#include "state/seal/store_mark.h"

namespace phasegate::state {
namespace fs = std::filesystem;
using gating::engine::ArtifactRow;
namespace {

constexpr std::int64_t kRowsAtOnce = 64;

/// The digest of versions 1 to 4.
std::string plain_artifact_digest(std::int64_t run, const ArtifactRow& row) {
  return base::Digest()
      .add(std::to_string(run))
      .add(row.artifact.phase)
      .add(std::to_string(row.artifact.visit))
      .add(row.artifact.evidence)
      .add(row.artifact.digest)
      .add(std::to_string(row.accepted_at.ms))
      .add(row.stale ? "stale" : "")
      .hex();
}

void seal_definition(Db& db, Seal& seal, const std::string& hash) {
  const StoredDefinitionRow row = read_definition_row(db, hash).value();
  if (base::sha256_hex(row.model) != row.digest) return;
  db.prepare("UPDATE definition SET model_digest = ? WHERE hash = ?")
      .bind_all(to_hex(seal.mark(definition_text(seal, hash, row.version, row.model, row.blobs))),
                hash)
      .run();
}

void seal_definitions(Db& db, Seal& seal) {
  std::vector<std::string> hashes;
  {
    Statement rows = db.prepare("SELECT hash FROM definition ORDER BY hash");
    while (rows.step()) hashes.push_back(rows.text(0));
  }
  for (const std::string& hash : hashes) seal_definition(db, seal, hash);
}

/// The chain of the last entry.
std::string seal_journal(Db& db, Seal& seal, const RunColumns& run) {
  std::string chain;
  std::int64_t after = 0;
  for (;;) {
    const auto page = read_chained(db, run.number, after, kRowsAtOnce);
    if (page.empty()) return chain;
    for (const ChainedEntry& row : page) {
      chain = seal.mark(journal_text(seal, run.number, run.id, chain, row.seq, row.entry));
      Statement update = db.prepare("UPDATE journal SET chain = ? WHERE run = ? AND seq = ?");
      update.bind_blob(1, chain).bind(2, run.number).bind(3, row.seq).run();
    }
    after = page.back().seq;
  }
}

void seal_artifacts(Db& db, Seal& seal, std::int64_t run) {
  std::vector<std::int64_t> numbers;
  {
    Statement rows = db.prepare("SELECT number FROM artifact WHERE run = ? ORDER BY number");
    rows.bind_all(run);
    while (rows.step()) numbers.push_back(rows.integer(0));
  }
  for (const std::int64_t number : numbers) {
    const StoredArtifactRow stored = read_artifact_row(db, number).value();
    if (plain_artifact_digest(run, stored.row) != stored.digest) continue;
    db.prepare("UPDATE artifact SET stored_digest = ? WHERE number = ?")
        .bind_all(to_hex(seal.mark(artifact_text(seal, number, run, stored.row))), number)
        .run();
  }
}

void seal_decisions(Db& db, Seal& seal, std::int64_t run) {
  std::vector<std::string> ids;
  {
    Statement rows = db.prepare("SELECT id FROM decision WHERE run = ?");
    rows.bind_all(run);
    while (rows.step()) ids.push_back(rows.text(0));
  }
  for (const std::string& id : ids) seal_decision(db, seal, id);
}

/// The run's mark; empty if it gets none.
std::string seal_run(Db& db, Seal& seal, RunColumns run, const std::string& state) {
  run.chain_head = seal_journal(db, seal, run);
  seal_artifacts(db, seal, run.number);
  seal_decisions(db, seal, run.number);
  if (base::sha256_hex(state) != run.state_digest) return "";
  const std::string mac = seal.mark(run_text(seal, run));
  Statement update = db.prepare("UPDATE run SET chain_head = ?, mac = ? WHERE number = ?");
  update.bind_blob(1, run.chain_head).bind_blob(2, mac).bind(3, run.number).run();
  return mac;
}

void seal_runs(Db& db, Seal& seal, StoreMark& mark) {
  const std::string sql = "SELECT " + std::string(kRunColumns) +
                          ", state FROM run WHERE number > ? ORDER BY number LIMIT ?";
  for (;;) {
    std::vector<std::pair<RunColumns, std::string>> page;
    {
      Statement rows = db.prepare(sql);
      rows.bind_all(mark.last_number, kRowsAtOnce);
      while (rows.step()) page.emplace_back(read_run_columns(rows), rows.text(kRunColumnCount));
    }
    if (page.empty()) return;
    for (auto& [run, state] : page) {
      mark.last_number = run.number;
      const std::string mac = seal_run(db, seal, std::move(run), state);
      if (!mac.empty()) mark.sum.add(mac);
    }
  }
}

}  // namespace

void seal_everything(Db& db, const fs::path& folder) {
  static_cast<void>(make_seal_keys(folder));
  Seal seal(folder, read_database_id(db));
  StoreMark mark;
  mark.sealed_since = base::SystemClock().now().ms;
  seal_definitions(db, seal);
  seal_runs(db, seal, mark);
  mark.unsealed_until = mark.last_number;
  mark.trusted = trust_digest(db);
  // Beside an anchor an old database is one that was put back, or another one: a person must say
  // that it may be used (see compare_with_anchor). A new one has nothing that could be older.
  std::error_code ignored;
  if (mark.last_number > 0 && fs::exists(fs::symlink_status(folder / kAnchorFileName, ignored))) {
    mark.counter = 1;
  }
  write_store_mark(db, seal, mark);
}

}  // namespace phasegate::state

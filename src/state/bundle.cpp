#include "state/bundle.h"

#include <utility>

#include "base/ids.h"
#include "base/json.h"
#include "base/limits.h"
#include "state/bundle_claims.h"
#include "state/definitions.h"
#include "state/records.h"
#include "state/run_rows.h"
#include "state/seal/audit.h"
#include "state/seal/seal_rows.h"
#include "state/store_file.h"

namespace phasegate::state {
namespace fs = std::filesystem;
using base::Error;
using base::Result;
namespace {

constexpr std::size_t kEntriesAtOnce = 256;

/// The bytes of all documents of a definition.
std::map<std::string, std::string> documents_of(Db& db, const std::string& definition) {
  std::map<std::string, std::string> documents;
  VerifiedBlobs none;
  Statement rows = db.prepare("SELECT blob FROM definition_blob WHERE definition = ?");
  rows.bind_all(definition);
  while (rows.step()) {
    const std::string hash = rows.text(0);
    if (auto bytes = read_blob(db, hash, none)) documents.emplace(hash, *std::move(bytes));
  }
  return documents;
}

bool is_known(Db& db, std::string_view sql, std::string_view value) {
  Statement row = db.prepare(sql);
  return row.bind_all(value).step();
}

/// What stands in the way of taking a session in.
Result<void> can_be_taken_in(Db& db, const Bundle& bundle) {
  const std::string& id = bundle.run.id;
  const auto taken = [](const std::string& what) {
    return Error{"exists", what, "Nothing was taken in.", ""};
  };
  if (!base::is_id(id)) return Error{"damaged", "The session has no id of ours.", "", ""};
  if (is_known(db, "SELECT 1 FROM run WHERE id = ?", id)) {
    return taken("Session " + id + " is here already.");
  }
  if (is_known(db, "SELECT 1 FROM tombstone WHERE id = ?", id)) {
    return taken("Session " + id + " was here and was pruned.");
  }
  for (const DecisionRecord& one : bundle.decisions) {
    if (is_known(db, "SELECT 1 FROM decision WHERE id = ?", one.id)) {
      return taken("Decision " + one.id + " is here already, of another session.");
    }
  }
  return {};
}

/// `workflow`: the hash under which it came.
gating::JournalEntry imported_entry(const Bundle& bundle, const std::string& workflow,
                                    const std::string& who, base::TimePoint now) {
  base::Json data = {{"database", bundle.database_id},
                     {"exported_by", bundle.exported_by},
                     {"exported_at", base::to_rfc3339(bundle.exported_at)},
                     {"entries", bundle.journal.size()}};
  if (workflow != bundle.definition.hash) {
    data["definition"] = {{"from", workflow}, {"to", bundle.definition.hash}};
  }
  return {"imported", bundle.run.current_phase, bundle.run.visit, 0, who, base::dump(data), now};
}

/// What is sealed here must be what an audit would find whole.
Result<void> goes_together(Db& db, Seal& seal, const std::string& run_id) {
  AuditReport report;
  audit_session(db, seal, run_id, report);
  if (report.findings.empty()) return {};
  return damaged_bundle(report.findings.front().message);
}

}  // namespace

Result<Bundle> read_bundle(const fs::path& folder, std::string_view run_id, const std::string& who,
                           base::TimePoint now) {
  const Error unknown{"unknown_session", "There is no session " + std::string(run_id) + " here.",
                      "`phasegate sessions --all` lists them.", ""};
  StoreFile file(folder, {.busy_ms = base::limits::kStoreBusyMs});
  if (!file.begin_reading()) return unknown;
  Db& db = *file.for_reading();
  VerifiedRuns none;
  auto row = read_run(db, file.seal(), run_id, none);
  if (!row) return unknown;
  Statement effects = db.prepare("SELECT 1 FROM outbox WHERE run = ?");
  if (row->run.pending || effects.bind_all(row->number).step()) {
    return Error{"effects_pending",
                 "Checks or notices of session " + row->run.id + " are still to be carried out.",
                 "`phasegate work` carries them out; then export it.", ""};
  }
  Bundle bundle;
  bundle.database_id = read_database_id(db);
  bundle.exported_by = who;
  bundle.exported_at = now;
  bundle.artifacts = read_artifacts(db, file.seal(), run_id);
  bundle.decisions = read_decisions(db, file.seal(), row->number);
  for (std::int64_t seq = 0;;) {
    auto page = read_journal(db, file.seal(), run_id, seq, kEntriesAtOnce);
    if (page.empty()) break;
    seq = page.back().seq;
    std::move(page.begin(), page.end(), std::back_inserter(bundle.journal));
  }
  bundle.definition = read_definition(db, file.seal(), row->run.definition_hash).value();
  bundle.definition.blobs = documents_of(db, bundle.definition.hash);
  VerifiedBlobs blobs;
  for (const std::string& hash : {row->run.started, row->run.entered}) {
    if (hash.empty()) continue;
    if (auto bytes = read_blob(db, hash, blobs)) bundle.observations[hash] = *std::move(bytes);
  }
  bundle.run = std::move(row->run);
  return bundle;
}

Result<void> can_be_imported(const fs::path& folder, const Bundle& bundle) {
  StoreFile file(folder, {.busy_ms = base::limits::kStoreBusyMs});
  Db* db = file.for_reading();
  return db == nullptr ? Result<void>() : can_be_taken_in(*db, bundle);
}

Result<void> import_bundle(const fs::path& folder, const Bundle& given, const std::string& who,
                           base::TimePoint now) {
  const auto sound = without_claims(given);
  if (!sound) return sound.error();
  const Bundle& bundle = *sound;
  StoreFile file(folder, {.busy_ms = base::limits::kStoreBusyMs});
  Db& db = file.for_writing();
  StoreTransaction transaction(file, db);
  StoreGuard& guard = transaction.guard();
  Seal& seal = guard.seal();
  if (auto able = can_be_taken_in(db, bundle); !able) return able;
  std::vector<gating::JournalEntry> entries;
  entries.reserve(bundle.journal.size() + 1);
  for (const auto& one : bundle.journal) entries.push_back(one.entry);
  entries.push_back(imported_entry(bundle, given.definition.hash, who, now));

  keep_definition(db, seal, bundle.definition);
  for (const auto& [hash, bytes] : bundle.observations) keep_bytes(db, hash, bytes);
  RunRow row;
  row.number = guard.next_number();
  row.run = bundle.run;
  const auto chains = chains_of(seal, row.number, row.run.id, 0, "", entries);
  row.journal_head = static_cast<std::int64_t>(entries.size());
  row.chain_head = chains.back();
  insert_run(db, guard, row);
  append_journal(db, row.number, 0, entries, chains);
  for (const auto& one : bundle.artifacts) {
    keep_artifact(db, seal, row.number, one.artifact, one.accepted_at);
  }
  for (const DecisionRecord& one : bundle.decisions) {
    insert_decision(db, seal, row.number, one);
  }
  if (auto whole = goes_together(db, seal, row.run.id); !whole) return whole;
  transaction.commit(StoreTransaction::Anchor::synced);
  return {};
}

}  // namespace phasegate::state

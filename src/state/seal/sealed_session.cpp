#include "state/seal/sealed_session.h"

#include <array>
#include <utility>

#include "gating/engine/ports.h"
#include "state/migrations.h"
#include "state/project_root.h"
#include "state/seal/anchor.h"
#include "state/seal/open_seal.h"
#include "state/store_file.h"

namespace phasegate::state {
namespace fs = std::filesystem;
using gating::engine::StoreFailure;
namespace {

constexpr std::int64_t kEntriesAtOnce = 64;

constexpr std::array<const char*, 14> kDecisionColumns = {
    "id",       "phase",   "visit",     "status", "question", "shown_digest", "created_at",
    "approver", "channel", "assurance", "choice", "input",    "decided_at",   "mac"};

void read_journal_into(Db& db, SealedSession& session) {
  for (std::int64_t after = 0;;) {
    auto page = read_chained(db, session.row.number, after, kEntriesAtOnce);
    if (page.empty()) return;
    after = page.back().seq;
    for (ChainedEntry& entry : page) session.journal.push_back(std::move(entry));
  }
}

void read_artifacts_into(Db& db, SealedSession& session) {
  Statement rows = db.prepare("SELECT number FROM artifact WHERE run = ? ORDER BY number");
  rows.bind_all(session.row.number);
  while (rows.step()) {
    if (auto row = read_artifact_row(db, rows.integer(0))) {
      session.artifacts.push_back(*std::move(row));
    }
  }
}

void read_decisions_into(Db& db, SealedSession& session) {
  std::string sql = "SELECT ";
  for (const char* column : kDecisionColumns) sql += std::string(column) + ", ";
  sql += "run FROM decision WHERE run = ? ORDER BY created_at, id";
  Statement rows = db.prepare(sql);
  rows.bind_all(session.row.number);
  while (rows.step()) {
    std::map<std::string, std::string> decision;
    for (std::size_t i = 0; i < kDecisionColumns.size(); ++i) {
      const int column = static_cast<int>(i);
      if (rows.is_null(column)) continue;
      const bool is_mark = i + 1 == kDecisionColumns.size();
      decision[kDecisionColumns[i]] = is_mark ? to_hex(rows.text(column)) : rows.text(column);
    }
    session.decisions.push_back(std::move(decision));
  }
}

std::optional<SealedSession> read_all(Db& db, Seal& seal, std::string_view id) {
  Statement row =
      db.prepare("SELECT " + std::string(kRunColumns) + ", mac, state FROM run WHERE id = ?");
  if (!row.bind_all(id).step()) return std::nullopt;
  SealedSession session;
  session.database_id = seal.database_id();
  session.project_root = read_project_root(db);
  session.row = read_run_columns(row);
  session.mac = row.text(kRunColumnCount);
  session.state = row.text(kRunColumnCount + 1);
  read_journal_into(db, session);
  read_artifacts_into(db, session);
  read_decisions_into(db, session);
  if (const auto definition = read_definition_row(db, session.row.definition)) {
    session.definition_mark = definition->digest;
  }
  return session;
}

}  // namespace

std::optional<SealedSession> read_sealed_session(const fs::path& folder, std::string_view session,
                                                 AuditReport& report) {
  try {
    Db db = open_for_audit(folder);
    auto seal = open_audited(db, folder);
    const auto anchor = look_at_anchor(db, seal, report);
    const Snapshot snapshot(db);
    audit_one(db, seal, anchor, session, report);
    return read_all(db, seal, session);
  } catch (const StoreFailure& failure) {
    report.problem = failure.error();
    return std::nullopt;
  }
}

}  // namespace phasegate::state

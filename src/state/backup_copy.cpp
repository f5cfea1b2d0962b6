#include "state/backup_copy.h"

#include "base/limits.h"
#include "gating/engine/ports.h"
#include "state/migrations.h"
#include "state/seal/audit.h"

namespace phasegate::state {
namespace {

std::int64_t version_of(Db& db) {
  return db.query_integer("PRAGMA user_version").value_or(0);
}

[[noreturn]] void refuse_copy(const std::string& problem) {
  throw gating::engine::StoreFailure(base::Error{
      "damaged", "the copy of the state does not verify: " + problem,
      "run `phasegate doctor`; the copy was removed and the state was left as it is", ""});
}

}  // namespace

CopyFacts facts_of(Db& db) {
  if (const std::string problem = db.check(true); !problem.empty()) refuse_copy(problem);
  CopyFacts facts;
  facts.schema_version = version_of(db);
  facts.database_id = read_database_id(db);
  facts.bytes = db.query_integer("PRAGMA page_count").value_or(0) *
                db.query_integer("PRAGMA page_size").value_or(0);
  return facts;
}

CopyFacts copy_verified(Db& source, UnfinishedFile& copy) {
  source.backup_to(copy.path());
  copy.sync();
  Db db(copy.path(), {.mode = DbOptions::Mode::read_only});
  CopyFacts facts = facts_of(db);
  if (facts.schema_version != version_of(source)) refuse_copy("it has another schema version");
  if (facts.database_id != read_database_id(source)) refuse_copy("it is another database");
  return facts;
}

std::vector<std::string> audit_copy(Db& copy, Seal& seal,
                                    const std::optional<std::int64_t>& anchor) {
  AuditReport report;
  audit_marks(copy, seal, anchor, report);
  audit_shared(copy, seal, report);
  Statement runs = copy.prepare("SELECT id FROM run ORDER BY number");
  while (runs.step()) audit_session(copy, seal, runs.text(0), report);
  std::vector<std::string> damaged;
  for (const AuditFinding& one : report.findings) {
    if (damaged.size() == base::limits::kDamagedShownMax) break;
    damaged.push_back((one.session.empty() ? "" : "session " + one.session + ": ") + one.message);
  }
  return damaged;
}

}  // namespace phasegate::state

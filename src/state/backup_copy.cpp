#include "state/backup_copy.h"

#include "gating/engine/ports.h"
#include "state/migrations.h"

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

}  // namespace phasegate::state

#include <string>

#include <doctest/doctest.h>

#include "base/hash.h"
#include "state/migrations.h"
#include "state/open_runs.h"
#include "state/seal/open_seal.h"
#include "state/state.h"
#include "tests/state/seal/seal_support.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

using namespace phasegate;
using test::findings_of;
using test::run_id;

namespace {

const std::string kSession = "4fb587ff-c0fa-4696-b6a2-a79a1cdbe6b1";

/// A database of schema version `version`, as the programs of that time left it.
void make_old(const std::filesystem::path& folder, int version) {
  state::Db db(folder / "state.db", {.mode = state::DbOptions::Mode::create});
  db.execute(test::read_file(test::fixture("state") / "version-1.sql"));
  for (const state::Migration& migration : state::all_migrations()) {
    if (migration.version == 1 || migration.version > version) continue;
    db.execute(std::string(migration.sql));
    db.execute("PRAGMA user_version=" + std::to_string(migration.version));
  }
  db.use_write_ahead_log();
}

/// The digest that versions 1 to 4 kept with the evidence of run number `run`, here a copy of that
/// of run 1.
std::string plain_digest(state::Db& db, int run) {
  state::Statement row =
      db.prepare("SELECT phase, visit, evidence, digest, accepted_at FROM artifact WHERE run = 1");
  REQUIRE(row.step());
  return base::Digest()
      .add(std::to_string(run))
      .add(row.text(0))
      .add(std::to_string(row.integer(1)))
      .add(row.text(2))
      .add(row.text(3))
      .add(std::to_string(row.integer(4)))
      .add("")
      .hex();
}

}  // namespace

TEST_CASE(
    "sealed: a database of each version without seals is sealed when it is migrated, and goes on") {
  for (int version = 1; version < state::kSealedSinceVersion; ++version) {
    CAPTURE(version);
    const test::TempFolder temp;
    make_old(temp.path(), version);
    CHECK(state::audit(temp.path()).problem->code == "not_sealed");
    // Only read, as from another project, it is as it was.
    CHECK(state::read_open_runs(temp.path())->runs.size() == 1);
    CHECK(state::inspect(temp.path(), {.thorough = true}).damaged.empty());
    CHECK_FALSE(std::filesystem::exists(temp.path() / "seal-keys"));

    const auto store = state::open_store(temp.path());
    REQUIRE(store->runs().load(kSession).has_value());
    CHECK(findings_of(temp.path()) == "");
    const auto report = state::audit(temp.path());
    REQUIRE(report.mark.has_value());
    CHECK(report.mark->unsealed_until == 1);
    CHECK(report.mark->sealed_since > 0);
    CHECK(report.mark->last_number == 1);
    CHECK(report.entries == 4);
    store->runs().transact(kSession,
                           [](const gating::RunState& run) { return test::step_of(run, "{}"); });
    CHECK(findings_of(temp.path()) == "");
    CHECK(state::audit(temp.path()).anchor == 1);
    test::change(temp.path(), "UPDATE journal SET actor = 'eve' WHERE seq = 2");
    CHECK(findings_of(temp.path()).find("journal " + kSession + " 2") == 0);
  }
}

TEST_CASE("sealed: what was damaged before is not sealed as if it were sound") {
  const char* const damages[] = {
      "UPDATE run SET state = replace(state, '\"current_phase\":\"2\"', '\"current_phase\":\"1\"')",
      "UPDATE artifact SET evidence = '{}'",
      "UPDATE definition SET model = replace(model, '2.0', '1.0')",
  };
  for (const char* const damage : damages) {
    CAPTURE(damage);
    const test::TempFolder temp;
    make_old(temp.path(), 4);
    test::change(temp.path(), damage);
    const auto store = state::open_store(temp.path());
    static_cast<void>(store->runs().list({}));
    const auto report = state::audit(temp.path());
    CHECK_FALSE(report.sound());
    // What is not sealed does not hide that another session is put back.
    for (const auto& finding : report.findings) CHECK(finding.code != "store");
  }
}

TEST_CASE("sealed: a migration seals hundreds of sessions in one go") {
  const test::TempFolder temp;
  make_old(temp.path(), 4);
  constexpr int kSessions = 500;
  {
    state::Db db(temp.path() / "state.db", {});
    const std::string state = db.query_text("SELECT state FROM run").value();
    state::Transaction transaction(db);
    for (int i = 2; i <= kSessions; ++i) {
      std::string own = state;
      own.replace(own.find(kSession), kSession.size(), run_id(i));
      db.prepare(
            "INSERT INTO run (number, id, workflow, definition, status, open, partial,"
            " current_phase, target, branch, phases_completed, created_at, updated_at, version,"
            " journal_head, state, state_digest) SELECT ?, ?, workflow, definition, status, open,"
            " partial, current_phase, target, branch, phases_completed, created_at, updated_at,"
            " version, journal_head, ?, ? FROM run WHERE number = 1")
          .bind_all(i, run_id(i), own, base::sha256_hex(own))
          .run();
      db.prepare(
            "INSERT INTO journal (run, seq, kind, phase, visit, attempt, actor, data, at)"
            " SELECT ?, seq, kind, phase, visit, attempt, actor, data, at FROM journal"
            " WHERE run = 1")
          .bind_all(i)
          .run();
      db.prepare(
            "INSERT INTO artifact (run, phase, visit, evidence, digest, stored_digest, accepted_at)"
            " SELECT ?1, phase, visit, evidence, digest, ?2, accepted_at FROM artifact WHERE run = "
            "1")
          .bind_all(i, plain_digest(db, i))
          .run();
    }
    transaction.commit();
  }
  CHECK(state::open_store(temp.path())->runs().load(run_id(kSessions)).has_value());
  CHECK(findings_of(temp.path()) == "");
  const auto report = state::audit(temp.path());
  CHECK(report.sessions == kSessions);
  CHECK(report.entries == 4 * kSessions);
}

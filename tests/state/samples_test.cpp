#include <filesystem>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "base/json.h"
#include "phases/workflow_json.h"
#include "state/migrations.h"
#include "state/seal/audit.h"
#include "state/seal/open_seal.h"
#include "state/state.h"
#include "state/store_file.h"
#include "state/tombstones.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

// What earlier versions of the program have stored is read by this one.

using namespace phasegate;
namespace fs = std::filesystem;

namespace {

const std::string kRun = "4fb587ff-c0fa-4696-b6a2-a79a1cdbe6b1";

/// A database as the program of this schema version left it, with what lies beside it.
void make_sample(const fs::path& folder, int version) {
  state::Db db(folder / "state.db", {.mode = state::DbOptions::Mode::create});
  for (int one = 1; one <= version; ++one) {
    db.execute(
        test::read_file(test::fixture("state") / ("version-" + std::to_string(one) + ".sql")));
  }
  db.use_write_ahead_log();
  if (version < state::kSealedSinceVersion) return;
  const fs::path anchor = "version-" + std::to_string(version) + ".seal-anchor";
  for (const auto& [sample, name] :
       {std::pair<fs::path, const char*>{"seal-keys", "seal-keys"}, {anchor, "seal-anchor"}}) {
    fs::copy_file(test::fixture("state") / sample, folder / name);
    fs::permissions(folder / name, fs::perms::owner_read | fs::perms::owner_write);
  }
}

}  // namespace

TEST_CASE("samples: stored definitions of every model version load") {
  static_assert(phases::Workflow::kModelVersion == 6, "a sample of the new version belongs here");
  for (int version = 1; version <= phases::Workflow::kModelVersion; ++version) {
    CAPTURE(version);
    const fs::path file = test::fixture("models") / ("model_" + std::to_string(version) + ".json");
    const auto json = base::parse_json(test::read_file(file), {1U << 20U, 64});
    REQUIRE(json.ok());
    CHECK((*json)["model_version"] == version);
    const auto workflow = phases::workflow_from_json(*json);
    REQUIRE_MESSAGE(workflow.ok(), base::to_text(workflow.error()));
    CHECK(workflow->phases.size() >= 2);
    // Stored again it is the same, in the words of this version.
    const auto again = phases::workflow_from_json(phases::to_json(*workflow));
    REQUIRE(again.ok());
    CHECK(*again == *workflow);
    CHECK(workflow->dynamic.has_value() == (version == 3));
    CHECK(workflow->checks.size() == (version >= 4 ? 1U : 0U));
    CHECK(workflow->phases[0].gate.decision.has_value() == (version >= 5));
    CHECK(workflow->passages_on_refusal == (version == 6));
  }
}

TEST_CASE("samples: databases of every schema version open, keep everything and go on") {
  const int newest = state::newest_version(state::all_migrations());
  for (int version = 1; version <= newest; ++version) {
    CAPTURE(version);
    const test::TempFolder temp;
    make_sample(temp.path(), version);
    const bool sealed = version >= state::kSealedSinceVersion;
    CHECK(state::audit(temp.path()).sound() == sealed);
    const auto store = state::open_store(temp.path());
    const auto run = store->runs().load(kRun);
    REQUIRE(run.has_value());
    CHECK(run->current_phase == "2");
    CHECK(store->runs().artifacts(kRun).size() == 1);
    CHECK(store->runs().journal(kRun, 0, 100).size() == 4);
    const auto definition = store->runs().definition(run->definition_hash);
    REQUIRE(definition.has_value());
    const auto json = base::parse_json(definition->model, {1U << 20U, 64});
    REQUIRE(json.ok());
    CHECK(phases::workflow_from_json(*json).ok());

    CHECK(store->runs().use_once({"used-already", 1'900'000'000'000}, {1'800'000'000'000}) ==
          (version < 2));
    CHECK(store->trust().trusted().size() == (version >= 3 ? 1U : 0U));
    CHECK(store->outbox().find(kRun, "notify").has_value() == (version >= 3));
    CHECK(store->runs().next_due({0}).has_value() == (version >= 4));

    const auto done = store->runs().transact(
        kRun, [](const gating::RunState& before) { return test::step_of(before, "{}"); });
    CHECK(done.has_value());
    CHECK(store->runs().journal(kRun, 0, 100).size() == 5);
    // The sample's workflow was stored in the words of an earlier model; the real hash of one says
    // which they are.
    auto same = test::a_definition();
    if (const auto stored = store->runs().definition(same.hash)) {
      same.model_version = stored->model_version;
    }
    store->runs().create_run(same, test::first_of(test::run_id(7)), false);
    const auto report = state::inspect(temp.path(), {.thorough = true});
    CHECK(report.damaged.empty());
    CHECK(report.integrity.empty());
    CHECK(report.schema_version == report.schema_version_known);
    CHECK(report.backups.size() == (version < report.schema_version ? 1U : 0U));
    // What was sealed by then, and what is sealed now.
    const state::AuditReport audited = state::audit(temp.path());
    CHECK(audited.sound());
    REQUIRE(audited.mark.has_value());
    CHECK((audited.mark->unsealed_until == 1) == (audited.mark->sealed_since > 0));
    CHECK(audited.acceptances.size() == (version >= 6 ? 1U : 0U));
    CHECK(state::find_pruned(temp.path(), test::run_id(2)).has_value() == (version >= 6));
    CHECK(store->runs().find_decision("asked").has_value() == (version >= 6));
  }
}

#include "state/bundle.h"

#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "base/hash.h"
#include "base/json.h"
#include "phases/loaded_workflow.h"
#include "phases/workflow_json.h"
#include "state/prune.h"
#include "state/seal/audit.h"
#include "state/state.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"
#include "tests/support/workflows.h"

using namespace phasegate;
using base::TimePoint;
using gating::RunState;
using test::run_id;

namespace {

constexpr TimePoint kNow{1'900'000'000'000};
constexpr TimePoint kThen{1'900'000'100'000};

/// A workflow as a start keeps it; another field is another one.
gating::engine::StoredDefinition definition_with(const std::string& field = "done") {
  auto loaded = test::workflow(
      "spec", {test::phase("1", {test::boolean(field)}), test::phase("2", {test::boolean("all")})});
  loaded.content_hash = phases::content_hash_of(loaded);
  gating::engine::StoredDefinition definition;
  definition.hash = loaded.content_hash;
  definition.model = base::dump(phases::to_json(loaded.workflow));
  definition.blobs = loaded.blobs;
  return definition;
}

gating::Transition first_of(
    int number, const gating::engine::StoredDefinition& definition = definition_with()) {
  gating::Transition first = test::first_of(run_id(number), "the same work");
  first.next->definition_hash = definition.hash;
  return first;
}

/// A store with a run that has evidence, a decision and something it has seen.
void fill(const std::filesystem::path& folder) {
  const auto store = state::open_store(folder);
  store->runs().create_run(definition_with(), first_of(1), false);
  store->runs().transact(run_id(1), [](const RunState& run) {
    gating::Transition step = test::asking(test::step_of(run, R"({"n":1})"), "d1");
    const std::string seen = "what was there\n";
    step.next->entered = base::sha256_hex(seen);
    step.blobs.emplace(step.next->entered, seen);
    step.artifact = gating::NewArtifact{"1", 1, R"({"done":true})", "digest"};
    return step;
  });
}

state::Bundle exported(const std::filesystem::path& folder) {
  auto bundle = state::read_bundle(folder, run_id(1), "ann", kNow);
  REQUIRE(bundle.ok());
  return std::move(bundle).value();
}

std::string code_of(const base::Result<void>& result) {
  return result ? "" : result.error().code;
}

}  // namespace

TEST_CASE("bundle: a session goes to another machine whole, and on there") {
  const test::TempFolder here;
  const test::TempFolder there;
  fill(here.path());
  test::add_run(there.path(), 5);
  const state::Bundle bundle = exported(here.path());
  const std::string text = state::to_text(bundle);
  const auto read = state::parse_bundle(text);
  REQUIRE(read.ok());
  CHECK(state::to_text(*read) == text);
  CHECK(read->run == bundle.run);
  CHECK(read->exported_by == "ann");

  REQUIRE(state::import_bundle(there.path(), *read, "bob", kThen).ok());
  const auto from = state::open_store(here.path());
  const auto to = state::open_store(there.path());
  auto known = from->runs().load(run_id(1));
  known->resume_key.clear();
  CHECK(to->runs().load(run_id(1)) == known);
  CHECK(to->runs().artifacts(run_id(1)) == from->runs().artifacts(run_id(1)));
  CHECK(to->runs().find_decision("d1") == run_id(1));
  CHECK(to->runs().definition(bundle.definition.hash)->model == bundle.definition.model);
  for (const auto& [hash, bytes] : bundle.definition.blobs) CHECK(to->runs().blob(hash) == bytes);
  CHECK(to->runs().blob(base::sha256_hex("what was there\n")) == "what was there\n");
  auto history = to->runs().journal(run_id(1), 0, 100);
  const auto before = from->runs().journal(run_id(1), 0, 100);
  REQUIRE(history.size() == before.size() + 1);
  const gating::JournalEntry last = history.back().entry;
  history.pop_back();
  CHECK(history == before);
  CHECK(last.kind == "imported");
  CHECK(last.actor == "bob");
  CHECK(last.at == kThen);
  const auto data = base::parse_json(last.data, {4096, 4});
  REQUIRE(data.ok());
  CHECK((*data)["database"] == bundle.database_id);
  CHECK((*data)["exported_by"] == "ann");
  CHECK((*data)["entries"] == before.size());
  CHECK(state::audit(there.path()).sound());
  const auto step =
      to->runs().transact(run_id(1), [](const RunState& run) { return test::step_of(run, "{}"); });
  CHECK(step.has_value());
  CHECK(state::audit(there.path()).sound());
}

TEST_CASE("bundle: what is here already, or was and was pruned, is not taken in") {
  const test::TempFolder here;
  fill(here.path());
  const state::Bundle bundle = exported(here.path());
  CHECK(code_of(state::can_be_imported(here.path(), bundle)) == "exists");
  CHECK(code_of(state::import_bundle(here.path(), bundle, "bob", kThen)) == "exists");

  const test::TempFolder there;
  CHECK(state::can_be_imported(there.path(), bundle).ok());
  CHECK(std::filesystem::is_empty(there.path()));
  REQUIRE(state::import_bundle(there.path(), bundle, "bob", kThen).ok());
  {
    const auto store = state::open_store(there.path());
    store->runs().transact(run_id(1), [](const RunState& run) {
      gating::Transition end = test::step_of(run, "{}");
      end.next->status = gating::RunStatus::cancelled;
      return end;
    });
  }
  state::PruneWish wish;
  wish.keep = 0;
  wish.who = "ann";
  REQUIRE(state::Pruner(there.path()).prune(wish).sessions.size() == 1);
  CHECK(code_of(state::import_bundle(there.path(), bundle, "bob", kThen)) == "exists");

  // A decision of another session.
  const test::TempFolder third;
  test::add_run(third.path(), 2);
  state::Bundle other = bundle;
  REQUIRE(state::import_bundle(third.path(), bundle, "bob", kThen).ok());
  other.run.id = run_id(9);
  CHECK(code_of(state::import_bundle(third.path(), other, "bob", kThen)) == "exists");
  CHECK(state::audit(third.path()).sound());
}

TEST_CASE("bundle: what it says was trusted, found or answered does not count here") {
  const test::TempFolder here;
  const test::TempFolder there;
  fill(here.path());
  state::Bundle forged = exported(here.path());
  forged.run.trust = std::string(64, 'a');
  gating::CheckResult passed;
  passed.name = "tests";
  passed.inputs_digest = "d";
  forged.run.verified = gating::Verified{1, "digest", {passed}, false, kNow};
  forged.run.decision->answers.push_back(
      {"Approve", "", "ada", "fingerprint", "terminal", "shown", kNow});
  REQUIRE(state::import_bundle(there.path(), forged, "bob", kThen).ok());
  const auto store = state::open_store(there.path());
  const auto run = store->runs().load(run_id(1));
  REQUIRE(run.has_value());
  CHECK(run->trust.empty());
  CHECK_FALSE(run->verified.has_value());
  REQUIRE(run->decision.has_value());
  CHECK(run->decision->answers.empty());
  // A start for the same work begins a session of its own.
  const auto begun = store->runs().create_run(definition_with(), first_of(2), true);
  CHECK_FALSE(begun.resumed);
  CHECK(state::audit(there.path()).sound());
}

TEST_CASE("bundle: a workflow that has another content than its hash says is no start's") {
  const test::TempFolder here;
  fill(here.path());
  state::Bundle forged = exported(here.path());
  const std::string local = forged.definition.hash;
  const auto easier = definition_with("anything");
  forged.definition.model = easier.model;
  forged.definition.blobs = easier.blobs;

  const test::TempFolder there;
  REQUIRE(state::import_bundle(there.path(), forged, "bob", kThen).ok());
  const auto store = state::open_store(there.path());
  const std::string kept = store->runs().load(run_id(1))->definition_hash;
  CHECK(kept == "imported:" + easier.hash);
  CHECK_FALSE(store->runs().definition(local).has_value());
  store->runs().create_run(definition_with(), first_of(2), false);
  CHECK(store->runs().definition(local)->model == definition_with().model);
  CHECK(store->runs().definition(kept)->model == easier.model);
  const auto journal = store->runs().journal(run_id(1), 0, 100);
  CHECK(journal.back().entry.data.find(local) != std::string::npos);
  CHECK(state::audit(there.path()).sound());

  // Exported from there it comes under the same hash again.
  const state::Bundle again = exported(there.path());
  const test::TempFolder third;
  REQUIRE(state::import_bundle(third.path(), again, "cy", kThen).ok());
  CHECK(state::open_store(third.path())->runs().load(run_id(1))->definition_hash == kept);
}

TEST_CASE("bundle: parts that do not go together are refused, and nothing is taken in") {
  const test::TempFolder here;
  const test::TempFolder there;
  fill(here.path());
  const state::Bundle bundle = exported(here.path());
  state::Bundle forged = bundle;
  SUBCASE("a model that is none") {
    forged.definition.model = "{}";
  }
  SUBCASE("a document is missing") {
    forged.definition.blobs.erase(forged.definition.blobs.begin());
  }
  SUBCASE("checks that wait") {
    forged.run.pending = gating::Pending{};
  }
  SUBCASE("an observation that did not come") {
    forged.run.started = std::string(64, 'a');
  }
  SUBCASE("an observation too many") {
    forged.observations.emplace(base::sha256_hex("more"), "more");
  }
  SUBCASE("evidence that is missing") {
    gating::AcceptedPhase accepted;
    accepted.phase = "2";
    forged.run.accepted.push_back(accepted);
  }
  SUBCASE("a decision that its journal does not know") {
    forged.decisions.push_back(bundle.decisions.front());
    forged.decisions.back().id = "d2";
  }
  CHECK(code_of(state::import_bundle(there.path(), forged, "bob", kThen)) == "damaged");
  CHECK_FALSE(state::open_store(there.path())->runs().load(run_id(1)).has_value());
  CHECK(code_of(state::import_bundle(there.path(), bundle, "bob", kThen)).empty());
}

TEST_CASE("definitions: another one under a hash that is known is damage") {
  const test::TempFolder temp;
  const auto store = state::open_store(temp.path());
  store->runs().create_run(definition_with(), first_of(1), false);
  store->runs().create_run(definition_with(), first_of(2), false);
  auto other = definition_with();
  other.model += " ";
  CHECK(test::failure_code([&] { store->runs().create_run(other, first_of(3), false); }) ==
        "damaged");
  other = definition_with();
  other.blobs.emplace(base::sha256_hex("more"), "more");
  CHECK(test::failure_code([&] { store->runs().create_run(other, first_of(3), false); }) ==
        "damaged");
  CHECK(state::audit(temp.path()).sessions == 2);
  CHECK(state::audit(temp.path()).sound());
}

TEST_CASE("bundle: what waits to be carried out is not exported, nor is what does not verify") {
  const test::TempFolder temp;
  CHECK(state::read_bundle(temp.path(), run_id(1), "ann", kNow).error().code == "unknown_session");
  fill(temp.path());
  CHECK(state::read_bundle(temp.path(), run_id(2), "ann", kNow).error().code == "unknown_session");
  const auto store = state::open_store(temp.path());
  store->runs().transact(run_id(1), [](const RunState& run) {
    gating::Transition told = test::step_of(run, "{}");
    told.effects.push_back({"notify", "1", 1, "{}"});
    return told;
  });
  CHECK(state::read_bundle(temp.path(), run_id(1), "ann", kNow).error().code == "effects_pending");
  state::Db(temp.path() / "state.db", {})
      .execute("DELETE FROM outbox; UPDATE journal SET actor = 'eve' WHERE seq = 1");
  CHECK(test::failure_code([&] {
          static_cast<void>(state::read_bundle(temp.path(), run_id(1), "ann", kNow));
        }) == "damaged");
}

TEST_CASE(
    "bundle: every changed byte of the document is noticed, and other documents are refused") {
  const test::TempFolder temp;
  fill(temp.path());
  const std::string text = state::to_text(exported(temp.path()));
  REQUIRE(state::parse_bundle(text).ok());
  const auto code = [](std::string_view document) {
    const auto read = state::parse_bundle(document);
    return read ? "accepted" : read.error().code;
  };
  int accepted = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    if (code(changed) == "accepted") ++accepted;
  }
  CHECK(accepted == 0);
  for (const char* other : {"", "{}", "[]", "null", "words", R"({"format":"other"})"}) {
    CAPTURE(other);
    CHECK(code(other) == "not_a_bundle");
  }
  CHECK(code(text.substr(0, text.size() / 2)) == "not_a_bundle");
  CHECK(code(R"({"format":"phasegate-session","version":2})") == "newer_version");
  CHECK(code(R"({"format":"phasegate-session","version":1})") == "damaged");
}

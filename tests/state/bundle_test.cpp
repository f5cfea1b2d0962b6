#include "state/bundle.h"

#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include "base/hash.h"
#include "base/json.h"
#include "state/prune.h"
#include "state/seal/audit.h"
#include "state/state.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

using namespace phasegate;
using base::TimePoint;
using gating::RunState;
using test::run_id;

namespace {

constexpr TimePoint kNow{1'900'000'000'000};
constexpr TimePoint kThen{1'900'000'100'000};

/// A store with a run that has evidence, a decision and something it has seen.
void fill(const std::filesystem::path& folder) {
  const auto store = state::open_store(folder);
  store->runs().create_run(test::a_definition(), test::first_of(run_id(1)), false);
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
  CHECK(to->runs().load(run_id(1)) == from->runs().load(run_id(1)));
  CHECK(to->runs().artifacts(run_id(1)) == from->runs().artifacts(run_id(1)));
  CHECK(to->runs().find_decision("d1") == run_id(1));
  CHECK(to->runs().definition(bundle.definition.hash)->model == bundle.definition.model);
  CHECK(to->runs().blob(base::sha256_hex("# Phase 1\n")) == "# Phase 1\n");
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
  CHECK(code_of(state::import_bundle(here.path(), bundle, "bob", kThen)) == "exists");

  const test::TempFolder there;
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

  // Another workflow under the same hash, and a decision of another session.
  const test::TempFolder third;
  test::add_run(third.path(), 2);
  state::Bundle other = bundle;
  other.definition.model = "{}";
  CHECK(code_of(state::import_bundle(third.path(), other, "bob", kThen)) == "exists");
  other = bundle;
  REQUIRE(state::import_bundle(third.path(), bundle, "bob", kThen).ok());
  other.run.id = run_id(9);
  CHECK(code_of(state::import_bundle(third.path(), other, "bob", kThen)) == "exists");
  CHECK(state::audit(third.path()).sound());
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

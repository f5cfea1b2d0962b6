#include <set>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/json.h"
#include "gating/run.h"

using namespace phasegate;
using gating::GatePolicy;
using gating::RunState;
using gating::RunStatus;

namespace {

/// Every member differs from its default, so that a member that is forgotten shows.
RunState full_state() {
  RunState run;
  run.id = "6f1c2f7e-0000-4000-8000-000000000001";
  run.workflow = "spec";
  run.definition_hash = "d41d8cd98f";
  run.status = RunStatus::waiting;
  run.partial = true;
  run.waiting = {"dynamic_unsupported", "the rest is not known — yet"};
  run.current_phase = "0B";
  run.visit = 3;
  run.attempts = 7;
  run.missing = {"srd_created", "ünïcode"};
  run.accepted = {
      {"0", 1, 2, "abc", {1'800'000'000'123}, 4, 5, 6, true, false, 0, {}, false},
      {"1", 2, 1, "def", {1'800'000'000'456}, 0, 0, 0, false, true, 2, {{"a/b", "12"}}, true}};
  run.gates = GatePolicy::as_written;
  run.target = "src/a b.cpp";
  run.branch = "feature/x";
  run.worktree = "../other";
  run.input = R"({"a":[1,"\n"]})";
  run.options = R"({"new":true})";
  run.resume_key = "key";
  run.principal = "ada";
  run.end_reason = "because";
  run.created_at = {-5};
  run.updated_at = {9'000'000'000'000'000};
  run.version = 42;
  return run;
}

base::Json reparsed(const base::Json& json) {
  auto parsed = base::parse_json(base::dump(json), {1U << 20U, 64});
  REQUIRE(parsed.ok());
  return *std::move(parsed);
}

}  // namespace

TEST_CASE("004-33: a run's state survives being written and read") {
  for (const RunState& run : {full_state(), RunState{}}) {
    const auto back = gating::run_state_from_json(reparsed(gating::to_json(run)));
    REQUIRE(back.ok());
    CHECK(*back == run);
  }
}

TEST_CASE("a state with any member missing, wrong-typed or null is damaged, never half read") {
  const base::Json whole = gating::to_json(full_state());
  REQUIRE(whole.size() > 20);
  for (const auto& item : whole.items()) {
    CAPTURE(item.key());
    base::Json without = whole;
    without.erase(item.key());
    const auto missing = gating::run_state_from_json(without);
    REQUIRE_FALSE(missing.ok());
    CHECK(missing.error().code == "damaged_state");
    CHECK(missing.error().message.find(item.key()) != std::string::npos);
    for (const base::Json& wrong : {base::Json(nullptr), base::Json(1.5), base::Json("?\x01"),
                                    base::Json::array({1}), base::Json::object()}) {
      base::Json changed = whole;
      changed[item.key()] = wrong;
      const auto read = gating::run_state_from_json(changed);
      // A text is what some members are; then the value must have been taken over.
      if (read.ok()) {
        CHECK(wrong.is_string());
        CHECK(reparsed(gating::to_json(*read)) == reparsed(changed));
      } else {
        CHECK(read.error().code == "damaged_state");
      }
    }
  }
}

TEST_CASE("a member of an accepted phase that is missing or unknown is damage") {
  const base::Json whole = gating::to_json(full_state());
  const base::Json accepted = whole.at("accepted").at(1);
  // Written only where there is something to say.
  const std::set<std::string> optional = {"skipped", "files", "stale"};
  for (const auto& item : accepted.items()) {
    if (optional.contains(item.key())) continue;
    CAPTURE(item.key());
    base::Json changed = whole;
    changed["accepted"][1].erase(item.key());
    CHECK_FALSE(gating::run_state_from_json(changed).ok());
  }
  base::Json more = whole;
  more["accepted"][0]["surprise"] = 1;
  CHECK_FALSE(gating::run_state_from_json(more).ok());
}

TEST_CASE("unknown values and members are refused: what is not understood must not be dropped") {
  const base::Json whole = gating::to_json(full_state());
  struct Case {
    const char* key;
    base::Json value;
  };
  const std::vector<Case> cases = {{"status", "done"},
                                   {"gates", "lenient"},
                                   {"visit", 0},
                                   {"visit", 3'000'000'000},
                                   {"attempts", -1},
                                   {"version", 0},
                                   {"surprise", "x"},
                                   {"format", 2},
                                   {"missing", {"a", 1}},
                                   {"accepted", {1}},
                                   {"waiting", {{"code", ""}}}};
  for (const Case& c : cases) {
    CAPTURE(c.key);
    base::Json changed = whole;
    changed[c.key] = c.value;
    const auto read = gating::run_state_from_json(changed);
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().code == "damaged_state");
  }
  for (const base::Json& nothing : {base::Json(nullptr), base::Json::array(), base::Json("x")}) {
    CHECK_FALSE(gating::run_state_from_json(nothing).ok());
  }
}

TEST_CASE("statuses and policies have one name each, and only waiting and active are open") {
  for (const RunStatus status : {RunStatus::active, RunStatus::waiting, RunStatus::completed,
                                 RunStatus::rejected, RunStatus::failed, RunStatus::cancelled}) {
    CHECK(gating::run_status_from(gating::to_text(status)) == status);
    CHECK(gating::is_open(status) == (status == RunStatus::active || status == RunStatus::waiting));
  }
  for (const GatePolicy policy : {GatePolicy::strict, GatePolicy::as_written}) {
    CHECK(gating::gate_policy_from(gating::to_text(policy)) == policy);
  }
  CHECK_FALSE(gating::run_status_from("Active").has_value());
  CHECK_FALSE(gating::gate_policy_from("").has_value());
}

TEST_CASE("the latest visit's acceptance of a phase is the one that counts") {
  RunState run;
  CHECK(run.find_accepted("1") == nullptr);
  run.accepted = {{"1", 1, 1, "first", {1}, 0, 0, 0, false, false, 0, {}, false},
                  {"2", 1, 1, "other", {2}, 0, 0, 0, false, false, 0, {}, false},
                  {"1", 2, 1, "second", {3}, 0, 0, 0, false, false, 0, {}, false}};
  REQUIRE(run.find_accepted("1") != nullptr);
  CHECK(run.find_accepted("1")->evidence_digest == "second");
  CHECK(run.find_accepted("2")->evidence_digest == "other");
  CHECK(run.find_accepted("") == nullptr);
}

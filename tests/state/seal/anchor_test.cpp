#include "state/seal/anchor.h"

#include <string>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "gating/engine/ports.h"
#include "state/db.h"
#include "state/lost_store.h"
#include "state/seal/open_seal.h"
#include "state/seal/upkeep.h"
#include "state/state.h"
#include "tests/state/seal/seal_support.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

using namespace phasegate;
namespace fs = std::filesystem;
using test::findings_of;
using test::go_on;
using test::is_sound;
using test::make_histories;
using test::run_id;
using test::write_code;

namespace {

constexpr base::TimePoint kNow{1'800'000'000'000};

/// What is said to somebody whose write is refused.
std::string refusal_of(const fs::path& folder) {
  try {
    go_on(folder);
  } catch (const gating::engine::StoreFailure& failure) {
    CHECK(failure.error().code == "damaged");
    CHECK(failure.error().hint.find("phasegate restore") != std::string::npos);
    CHECK(failure.error().hint.find("audit --accept") != std::string::npos);
    return failure.error().message;
  }
  return "";
}

/// The older copies of a state that somebody may put back.
struct Copies {
  explicit Copies(const fs::path& from) : state(from) {
    make_histories(state, 2, 10);
    test::copy_files(state, old, {"state.db", "state.db-wal"});
    go_on(state);
    go_on(state);
  }

  fs::path state;
  test::TempFolder place;
  fs::path old = place.path() / "old";
};

}  // namespace

TEST_CASE("anchor: an older copy of the database is read, and never written") {
  const test::TempFolder temp;
  const Copies copies(temp.path());
  const auto counter = state::audit(temp.path()).anchor;
  fs::remove(temp.path() / "state.db-wal");
  test::copy_files(copies.old, temp.path());
  const std::string said = refusal_of(temp.path());
  CHECK(said.find("older than it was") != std::string::npos);
  CHECK(said.find(std::to_string(*counter)) != std::string::npos);
  CHECK(said.find(std::to_string(*counter - 2)) != std::string::npos);
  const auto store = state::open_store(temp.path());
  CHECK(store->runs().load(run_id(1)).has_value());
  CHECK(store->runs().journal(run_id(1), 0, 100).size() == 10);
  CHECK(store->runs().list({})->runs.size() == 2);
  CHECK(test::failure_code([&] { store->runs().use_once({"t", kNow.ms}, kNow); }) == "damaged");
  CHECK(test::failure_code([&] { store->outbox().release_all({"b", 1, 1}); }) == "damaged");
  CHECK(state::inspect(temp.path()).seal_problem.has_value());
  CHECK(findings_of(temp.path()).find("anchor") != std::string::npos);
  CHECK_FALSE(state::audit(temp.path(), run_id(2)).sound());
}

TEST_CASE("anchor: an older log is noticed like an older database") {
  const test::TempFolder temp;
  make_histories(temp.path(), 1, 10);
  const test::TempFolder old;
  // While a store is open the log stays; what it held then is put back later.
  const auto open = state::open_store(temp.path());
  const auto step = [](const gating::RunState& run) { return test::step_of(run, "{}"); };
  open->runs().transact(run_id(1), step);
  test::copy_files(temp.path(), old.path(), {"state.db", "state.db-wal"});
  open->runs().transact(run_id(1), step);
  const test::TempFolder again;
  test::copy_files(temp.path(), again.path(), {"seal-keys", "seal-anchor"});
  test::copy_files(old.path(), again.path());
  CHECK(write_code(again.path()) == "damaged");
  CHECK(state::open_store(again.path())->runs().load(run_id(1)).has_value());
}

TEST_CASE("anchor: without it, or with that of another database, nothing is written") {
  const test::TempFolder temp;
  make_histories(temp.path(), 1, 10);
  const fs::path anchor = temp.path() / "seal-anchor";
  const std::string whole = test::read_file(anchor);
  REQUIRE(whole.size() == 2 * state::kAnchorSlotBytes);
  SUBCASE("gone") {
    fs::remove(anchor);
  }
  SUBCASE("empty") {
    fs::resize_file(anchor, 0);
  }
  SUBCASE("of another database under the same key") {
    const test::TempFolder other;
    test::copy_files(temp.path(), other.path(), {"seal-keys"});
    make_histories(other.path(), 1, 30);
    fs::copy_file(other.path() / "seal-anchor", anchor, fs::copy_options::overwrite_existing);
  }
  SUBCASE("a link") {
    fs::rename(anchor, temp.path() / "there");
    fs::create_symlink(temp.path() / "there", anchor);
  }
  SUBCASE("readable by others") {
    REQUIRE(::chmod(anchor.c_str(), 0644) == 0);
  }
  CHECK(refusal_of(temp.path()).find("seal-anchor") != std::string::npos);
  CHECK_FALSE(is_sound(temp.path()));
  // An approver's word, and it goes on.
  CHECK(state::to_be_accepted(temp.path()).mended.size() == 1);
  static_cast<void>(state::accept_as_it_is(temp.path(), "approver:ada", "lost", kNow));
  CHECK(write_code(temp.path()).empty());
  CHECK(findings_of(temp.path()) == "");
}

TEST_CASE("anchor: of two slots one is enough, and the next write makes the other good") {
  const test::TempFolder temp;
  make_histories(temp.path(), 1, 10);
  const fs::path anchor = temp.path() / "seal-anchor";
  const std::string whole = test::read_file(anchor);
  const auto counter = *state::audit(temp.path()).anchor;
  const std::size_t newest = static_cast<std::size_t>(counter % 2) * state::kAnchorSlotBytes;
  for (std::size_t at = 0; at < state::kAnchorSlotBytes; at += 3) {
    CAPTURE(at);
    std::string torn = whole;
    torn[newest + at] = static_cast<char>(torn[newest + at] ^ 1);
    test::write_file(anchor, torn);
    // Behind the database, as after a power failure: that is no trouble.
    CHECK(state::audit(temp.path()).anchor == counter - 1);
    CHECK(is_sound(temp.path()));
  }
  go_on(temp.path());
  CHECK(state::audit(temp.path()).anchor == counter + 1);
  CHECK(is_sound(temp.path()));
}

TEST_CASE("anchor: alone it says how far some database has been, whoever may verify it") {
  const test::TempFolder temp;
  CHECK(state::counter_of_any(temp.path()) == 0);
  make_histories(temp.path(), 1, 10);
  const auto counter = *state::audit(temp.path()).anchor;
  CHECK(state::counter_of_any(temp.path()) == counter);
  fs::remove(temp.path() / "seal-keys");
  CHECK(state::counter_of_any(temp.path()) == counter);
  const fs::path anchor = temp.path() / "seal-anchor";
  const std::string whole = test::read_file(anchor);
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    test::write_file(anchor, whole.substr(0, size));
    CHECK(state::counter_of_any(temp.path()) <= counter);
  }
  for (const std::string& other :
       {std::string(2 * state::kAnchorSlotBytes, ' '), std::string("phasegate anchor 1 "),
        "phasegate anchor 1 " + std::string(state::kAnchorSlotBytes, 'x'),
        std::string("phasegate anchor 1 id -5 "), std::string("phasegate anchor 1 id x ")}) {
    test::write_file(anchor, other);
    CHECK(state::counter_of_any(temp.path()) == 0);
  }
}

TEST_CASE("anchor: what was made before anything was committed keeps nobody from beginning") {
  const test::TempFolder temp;
  make_histories(temp.path(), 1, 3);
  state::Db db(temp.path() / "state.db", {});
  state::Seal seal = *state::open_seal(db, temp.path());
  const test::TempFolder other;
  test::copy_files(temp.path(), other.path(), {"seal-keys"});
  state::Seal there(other.path(), seal.database_id());
  REQUIRE(state::raise_anchor(there, 0, "", true));
  CHECK_FALSE(state::lost_store(other.path()).has_value());
  REQUIRE(state::raise_anchor(there, 1, "", true));
  CHECK(state::lost_store(other.path()).has_value());
}

TEST_CASE("anchor: who comes with a lower counter than it has writes nothing") {
  const test::TempFolder temp;
  make_histories(temp.path(), 1, 6);
  const fs::path anchor = temp.path() / "seal-anchor";
  const std::string before = test::read_file(anchor);
  const auto counter = *state::audit(temp.path()).anchor;
  state::Db db(temp.path() / "state.db", {.mode = state::DbOptions::Mode::read_only});
  auto seal = *state::open_seal(db, temp.path());
  for (const std::int64_t lower : {counter, counter - 1, counter - 2, std::int64_t{0}}) {
    CHECK(state::raise_anchor(seal, lower, "", false));
    CHECK(test::read_file(anchor) == before);
  }
  CHECK(state::raise_anchor(seal, counter + 1, "", false));
  CHECK(state::anchored_counter(seal) == counter + 1);
}

TEST_CASE("anchor: never ahead of the database whoever writes, and up to it with the next write") {
  const test::TempFolder temp;
  make_histories(temp.path(), 2, 6);
  std::vector<int> children;
  for (int process = 0; process < 4; ++process) {
    children.push_back(test::start_child([&] {
      const auto store = state::open_store(temp.path(), {.busy_ms = 20'000});
      for (int i = 0; i < 20; ++i) {
        store->runs().transact(run_id(1 + i % 2), [](const gating::RunState& run) {
          return test::step_of(run, "{}");
        });
        const auto report = state::audit(temp.path());
        if (!report.sound()) return false;
      }
      return true;
    }));
  }
  for (const int child : children) CHECK(test::wait_for_child(child) == 0);
  const auto report = state::audit(temp.path());
  REQUIRE(report.mark.has_value());
  // Those that write at the same moment may leave it behind.
  CHECK(report.anchor <= report.mark->counter);
  CHECK(findings_of(temp.path()) == "");
  go_on(temp.path());
  CHECK(state::audit(temp.path()).anchor == report.mark->counter + 1);
}

TEST_CASE("acceptance: an approver's word lets an older state go on, and is shown ever after") {
  const test::TempFolder temp;
  const Copies copies(temp.path());
  fs::remove(temp.path() / "state.db-wal");
  test::copy_files(copies.old, temp.path());
  const auto found = state::to_be_accepted(temp.path()).mended;
  REQUIRE(found.size() == 1);
  const auto before = state::audit(temp.path());
  const auto counter =
      state::accept_as_it_is(temp.path(), "approver:ada", found.front(), kNow).counter;
  CHECK(counter == *before.anchor + 1);
  CHECK(findings_of(temp.path()) == "");
  go_on(temp.path());
  const auto report = state::audit(temp.path());
  CHECK(report.sound());
  REQUIRE(report.acceptances.size() == 1);
  CHECK(report.acceptances[0].principal == "approver:ada");
  CHECK(report.acceptances[0].at == kNow);
  CHECK(report.acceptances[0].counter == before.mark->counter);
  CHECK(report.acceptances[0].anchor == before.anchor);
  for (const char* sql :
       {"DELETE FROM acceptance", "UPDATE acceptance SET principal = 'approver:eve'",
        "UPDATE acceptance SET at = at + 1", "UPDATE acceptance SET anchor = NULL",
        "INSERT INTO acceptance SELECT 2, at, principal, what, counter, anchor, mac FROM "
        "acceptance"}) {
    CAPTURE(sql);
    const test::TempFolder copy;
    test::copy_files(temp.path(), copy.path());
    test::change(copy.path(), sql);
    CHECK(findings_of(copy.path()).find("list of who accepted") != std::string::npos);
  }
  // The copy that was ahead is the older one now: its counter is the lower one.
  CHECK(state::to_be_accepted(temp.path()).mended.empty());
}

TEST_CASE("acceptance: only what it mends is offered, and what stays is told before and after") {
  const test::TempFolder temp;
  make_histories(temp.path(), 2, 6);
  CHECK(state::to_be_accepted(temp.path()).mended.empty());
  CHECK(state::to_be_accepted(temp.path()).stays.empty());
  static_cast<void>(state::accept_as_it_is(temp.path(), "approver:ada", "nothing", kNow));
  test::change(temp.path(), "UPDATE acceptance SET principal = 'approver:eve'");
  const auto rows = test::all_rows(temp.path());
  auto found = state::to_be_accepted(temp.path());
  CHECK(found.mended.empty());
  REQUIRE(found.stays.size() == 1);
  CHECK(found.stays.front().find("list of who accepted") != std::string::npos);
  // Looking has changed nothing.
  CHECK(test::all_rows(temp.path()) == rows);

  fs::remove(temp.path() / "seal-anchor");
  const std::vector<std::string> stays = found.stays;
  found = state::to_be_accepted(temp.path());
  REQUIRE(found.mended.size() == 1);
  CHECK(found.mended.front().find("seal-anchor") != std::string::npos);
  CHECK(found.stays == stays);
  CHECK(state::accept_as_it_is(temp.path(), "approver:ada", "lost", kNow).stays == stays);
  CHECK(write_code(temp.path()).empty());
  CHECK(state::to_be_accepted(temp.path()).mended.empty());
  CHECK(state::to_be_accepted(temp.path()).stays == stays);
}

TEST_CASE("acceptance: a lost session may be accepted, a changed one stays frozen") {
  const test::TempFolder temp;
  make_histories(temp.path(), 3, 10);
  test::change(temp.path(),
               "DELETE FROM journal WHERE run = 2; DELETE FROM artifact WHERE run = 2;"
               "DELETE FROM decision WHERE run = 2; DELETE FROM run WHERE number = 2;"
               "UPDATE run SET target = 'x' WHERE number = 3");
  CHECK(findings_of(temp.path()).find("session number 2 is gone") != std::string::npos);
  static_cast<void>(state::accept_as_it_is(temp.path(), "ada", "lost", kNow));
  const auto report = state::audit(temp.path());
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].session == run_id(3));
  CHECK(write_code(temp.path(), 3) == "damaged");
  CHECK(write_code(temp.path(), 1).empty());
}

TEST_CASE("anchor: a database of an earlier version beside it waits for a person's word") {
  const test::TempFolder temp;
  make_histories(temp.path(), 1, 10);
  // As somebody would do who wants everything sealed anew, changes included.
  test::change(temp.path(),
               "UPDATE run SET mac = NULL, chain_head = NULL; UPDATE journal SET chain = NULL;"
               "DELETE FROM meta WHERE key = 'seal_mark'; DROP TABLE acceptance;"
               "ALTER TABLE decision DROP COLUMN mac; DROP TABLE tombstone;"
               "DROP INDEX run_by_definition; DROP INDEX run_by_branch; DROP INDEX outbox_by_kind;"
               "DROP INDEX journal_of_people; DROP INDEX outbox_held; DROP INDEX outbox_by_owner;"
               "PRAGMA user_version = 4");
  CHECK(write_code(temp.path()) == "damaged");
  test::change(temp.path(), "UPDATE meta SET value = 'another' WHERE key = 'database_id'");
  CHECK(write_code(temp.path()) == "damaged");
}

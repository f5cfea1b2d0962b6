#include "state/run_store.h"

#include <doctest/doctest.h>

#include "tests/state/run_store_contract.h"
#include "tests/support/files.h"

using namespace phasegate;

namespace {

void on_sqlite(void (*check)(const test::StoreMaker&)) {
  const test::TempFolder folder;
  check(test::sqlite_in(folder.path() / "state"));
}

}  // namespace

namespace contract = test::contract;

TEST_CASE("store: a store that does not exist yet reads as empty") {
  on_sqlite(contract::empty_store_reads_as_empty);
}
TEST_CASE("004-36: what was created is read back by another process") {
  on_sqlite(contract::a_run_is_read_back);
}
TEST_CASE("004-38: the newest open run with the same key is resumed") {
  on_sqlite(contract::an_open_run_is_resumed);
}
TEST_CASE("pinned: a definition is kept once, as it was") {
  on_sqlite(contract::definitions_are_kept_once);
}
TEST_CASE("004-34: a transition is kept as a whole or not at all") {
  on_sqlite(contract::a_transition_is_all_or_nothing);
}
TEST_CASE("store: the journal counts from 1 without gaps, per run") {
  on_sqlite(contract::the_journal_has_no_gaps);
}
TEST_CASE("004-27: artifacts come back in the order of acceptance, once per visit") {
  on_sqlite(contract::artifacts_come_in_order);
}
TEST_CASE("store: pages hold every run once, newest change first") {
  on_sqlite(contract::lists_page_through_everything);
}
TEST_CASE("store: a cursor that the list did not give out is refused") {
  on_sqlite(contract::strange_cursors_are_refused);
}
TEST_CASE("store: many processes on one file lose nothing") {
  on_sqlite(contract::processes_lose_nothing);
}
TEST_CASE("store: processes that start with one key at once share one run") {
  on_sqlite(contract::processes_start_one_run_per_key);
}
TEST_CASE("store: SIGKILL at any moment loses nothing acknowledged and leaves nothing half") {
  on_sqlite(contract::killed_writers_leave_nothing_half);
}
TEST_CASE("outbox: an effect has one owner, told apart from a later process with its pid") {
  on_sqlite(contract::an_effect_has_one_owner);
}
TEST_CASE("outbox: an expired lease is taken over, and the late owner's result is refused") {
  on_sqlite(contract::an_expired_lease_is_taken_over);
}
TEST_CASE("outbox: effects are claimed oldest first and released when their process ends") {
  on_sqlite(contract::effects_are_released_and_claimed_in_order);
}
TEST_CASE("outbox: many processes carry out each effect once") {
  on_sqlite(contract::processes_claim_each_effect_once);
}

#pragma once
#include <array>

#include "tests/state/store_support.h"

/// What every RunStore, Outbox and TrustBook must do, whatever lies under it. Each function gets an
/// empty store and is a test of its own. Those named `processes_…` and `killed_…` fork, and want a
/// store that other processes can open.
namespace phasegate::test::contract {

void empty_store_reads_as_empty(const StoreMaker& make);
void a_run_is_read_back(const StoreMaker& make);
void an_open_run_is_resumed(const StoreMaker& make);
void definitions_are_kept_once(const StoreMaker& make);
void a_run_and_its_definition_change_together(const StoreMaker& make);
void a_transition_is_all_or_nothing(const StoreMaker& make);
void the_journal_has_no_gaps(const StoreMaker& make);
void a_decision_is_found_by_its_id(const StoreMaker& make);
void artifacts_come_in_order(const StoreMaker& make);
void lists_page_through_everything(const StoreMaker& make);
void strange_cursors_are_refused(const StoreMaker& make);
void lists_are_of_a_branch_or_an_id(const StoreMaker& make);
void a_journal_is_read_from_its_end(const StoreMaker& make);
void a_token_counts_once(const StoreMaker& make);
void used_tokens_are_forgotten_after_their_time(const StoreMaker& make);
void processes_use_a_token_once(const StoreMaker& make);
void processes_lose_nothing(const StoreMaker& make);
void processes_start_one_run_per_key(const StoreMaker& make);
void killed_writers_leave_nothing_half(const StoreMaker& make);
void what_does_not_exist_is_nothing(const StoreMaker& make);
void texts_and_bytes_come_back_as_they_were(const StoreMaker& make);
void a_refused_transition_keeps_no_bytes(const StoreMaker& make);
void a_list_goes_on_while_runs_change(const StoreMaker& make);
void a_run_that_ends_changes_its_list(const StoreMaker& make);
void time_alone_changes_no_version(const StoreMaker& make);
/// Returns at once for a store that has no readings.
void a_reading_sees_one_moment(const StoreMaker& make);

void an_effect_has_one_owner(const StoreMaker& make);
void an_expired_lease_is_taken_over(const StoreMaker& make);
void a_deferred_effect_waits(const StoreMaker& make);
void an_effect_waits_behind_no_deferred_ones(const StoreMaker& make);
void runs_are_due_in_order(const StoreMaker& make);
void effects_are_released_and_claimed_in_order(const StoreMaker& make);
void processes_claim_each_effect_once(const StoreMaker& make);
void an_effect_and_its_result_go_together(const StoreMaker& make);
void effects_are_found_by_run_and_kind(const StoreMaker& make);
void only_what_is_wished_for_is_claimed(const StoreMaker& make);
void effects_are_due_when_their_leases_end(const StoreMaker& make);
void strangers_change_no_effect(const StoreMaker& make);

void trust_is_given_and_taken_back(const StoreMaker& make);

struct Promise {
  const char* what;
  void (*check)(const StoreMaker&);
};

/// All but those that fork: what each store's tests go through.
inline constexpr std::array kPromises = std::to_array<Promise>({
    {"store: a store that does not exist yet reads as empty", empty_store_reads_as_empty},
    {"004-36: what was created is read back by another process", a_run_is_read_back},
    {"004-38: the newest open run with the same key is resumed", an_open_run_is_resumed},
    {"pinned: a definition is kept once, as it was", definitions_are_kept_once},
    {"pinned: a run goes over to another definition together with it, or not at all",
     a_run_and_its_definition_change_together},
    {"004-34: a transition is kept as a whole or not at all", a_transition_is_all_or_nothing},
    {"store: the journal counts from 1 without gaps, per run", the_journal_has_no_gaps},
    {"004-27: artifacts come back in the order of acceptance, once per visit",
     artifacts_come_in_order},
    {"store: a decision leads to its run, with the transition that asked or not at all (§6)",
     a_decision_is_found_by_its_id},
    {"store: pages hold every run once, newest change first", lists_page_through_everything},
    {"store: runs are listed by branch and by the beginning of their id",
     lists_are_of_a_branch_or_an_id},
    {"store: the end of a journal, and what people have said in it, are read by themselves",
     a_journal_is_read_from_its_end},
    {"store: a cursor that the list did not give out is refused", strange_cursors_are_refused},
    {"store: what counts once is used up with what it brings about, and never again",
     a_token_counts_once},
    {"store: a used token is refused by its time once it is forgotten",
     used_tokens_are_forgotten_after_their_time},
    {"outbox: an effect has one owner, told apart from a later process with its pid",
     an_effect_has_one_owner},
    {"outbox: an expired lease is taken over, and the late owner's result is refused",
     an_expired_lease_is_taken_over},
    {"outbox: what is deferred waits for its time, and kinds do not stand in each other's way",
     a_deferred_effect_waits},
    {"outbox: what nobody has had yet comes before what was deferred",
     an_effect_waits_behind_no_deferred_ones},
    {"run store: runs are found by the time at which they are due", runs_are_due_in_order},
    {"outbox: effects are claimed oldest first and released when their process ends",
     effects_are_released_and_claimed_in_order},
    {"store: ids that do not exist are nothing, whatever they are", what_does_not_exist_is_nothing},
    {"store: long texts and any bytes come back as they were",
     texts_and_bytes_come_back_as_they_were},
    {"store: what is observed is kept with the transition that remembers it, or not at all",
     a_refused_transition_keeps_no_bytes},
    {"store: a list that is paged through while runs change shows none of them twice",
     a_list_goes_on_while_runs_change},
    {"store: a run is among the open or the ended ones, by its status",
     a_run_that_ends_changes_its_list},
    {"store: a tick is kept without a new version (docs/decisions/0030)",
     time_alone_changes_no_version},
    {"store: a reading sees one moment of everything", a_reading_sees_one_moment},
    {"outbox: an effect is removed with its result, by its owner only",
     an_effect_and_its_result_go_together},
    {"outbox: an effect is found by run and kind, with its owner and how far it is",
     effects_are_found_by_run_and_kind},
    {"outbox: only what is wished for is claimed, and what is orphaned at once",
     only_what_is_wished_for_is_claimed},
    {"outbox: the next effect is due when the first lease ends",
     effects_are_due_when_their_leases_end},
    {"outbox: who does not hold an effect changes nothing about it", strangers_change_no_effect},
    {"trust book: a record is found by its digest as it was written (ARCHITECTURE §5)",
     trust_is_given_and_taken_back},
});

}  // namespace phasegate::test::contract

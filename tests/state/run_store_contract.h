#pragma once
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

}  // namespace phasegate::test::contract

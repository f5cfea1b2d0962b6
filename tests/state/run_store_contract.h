#pragma once
#include "tests/state/store_support.h"

/// What every RunStore and Outbox must do, whatever lies under it. Each function gets an empty
/// store and is a test of its own.
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

void an_effect_has_one_owner(const StoreMaker& make);
void an_expired_lease_is_taken_over(const StoreMaker& make);
void a_deferred_effect_waits(const StoreMaker& make);
void an_effect_waits_behind_no_deferred_ones(const StoreMaker& make);
void runs_are_due_in_order(const StoreMaker& make);
void effects_are_released_and_claimed_in_order(const StoreMaker& make);
void processes_claim_each_effect_once(const StoreMaker& make);

}  // namespace phasegate::test::contract

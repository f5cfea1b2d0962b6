#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gating/transition.h"
#include "state/db.h"
#include "state/seal/seal.h"

/// The table decision: what people were asked and answered, by the decision's id. The run's state
/// is the truth; these rows are found without reading every run.
namespace phasegate::state {

/// A row of the table decision.
struct DecisionRecord {
  std::string id;
  std::string phase;
  std::int64_t visit = 0;
  std::string status;
  std::string question;
  std::string shown_digest;
  std::int64_t created_at = 0;
  std::optional<std::string> approver;
  std::optional<std::string> channel;
  std::optional<std::string> assurance;
  std::optional<std::string> choice;
  std::optional<std::string> input;
  std::optional<std::int64_t> decided_at;

  friend bool operator==(const DecisionRecord&, const DecisionRecord&) = default;
};

/// Writes what the transition does to the run's decisions, `before` being the one that was open
/// until now: a new one is `open`; one that is not open any more is `decided` if the transition's
/// journal has the answer, and `withdrawn` if not. Part of the caller's transaction.
void keep_decisions(Db& db, Seal& seal, std::int64_t run,
                    const std::optional<gating::OpenDecision>& before,
                    const gating::Transition& transition);

/// The id of the run that was asked, whether the decision is still open or not. O(log n).
[[nodiscard]] std::optional<std::string> find_decision(Db& db, std::string_view id);

/// All rows of a run, oldest first, verified with `seal` unless that is null. Throws StoreFailure
/// (`damaged`) for one that is not what was written.
[[nodiscard]] std::vector<DecisionRecord> read_decisions(Db& db, Seal* seal, std::int64_t run);

/// Adds a row that another store had, and seals it. Part of the caller's transaction.
void insert_decision(Db& db, Seal& seal, std::int64_t run, const DecisionRecord& one);

}  // namespace phasegate::state

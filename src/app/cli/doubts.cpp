#include "app/cli/doubts.h"

#include <algorithm>
#include <set>
#include <utility>

#include "app/cli/outside_text.h"
#include "app/cli/text.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "phases/decision.h"

namespace phasegate::app::cli {
namespace {

using gating::engine::Approver;
using gating::engine::JournalRow;

constexpr std::size_t kRowsPerRead = 200;
constexpr std::size_t kNameBytesShown = 64;

bool is_by_approver(const gating::RunState& run) {
  constexpr std::string_view kApprover = "approver:";
  const auto names_one = [&](const std::string& who) { return who.starts_with(kApprover); };
  return run.status == gating::RunStatus::rejected ||
         (run.feedback && names_one(run.feedback->by)) ||
         (run.decision && !run.decision->answers.empty()) ||
         std::any_of(run.accepted.begin(), run.accepted.end(), [&](const auto& accepted) {
           return std::any_of(accepted.deciders.begin(), accepted.deciders.end(), names_one);
         });
}

/// A workflow that a session goes on with later cannot ask for more in a phase that has passed.
bool is_undecided(const gating::engine::RunView& view, const gating::AcceptedPhase& accepted) {
  const phases::Phase* phase = view.workflow().find_phase(accepted.phase);
  return phase != nullptr && phases::asks_a_person(*phase) && accepted.deciders.empty();
}

}  // namespace

std::optional<std::string> doubt_about(const JournalRow& row, const Approvers& approvers,
                                       bool also_replaced) {
  const std::string& kind = row.entry.kind;
  if (kind != "decision_answered" && kind != "reopen_demanded") return std::nullopt;
  const auto data = base::parse_json(
      row.entry.data, {base::limits::kMessageBytesMax, base::limits::kMessageDepthMax});
  if (!data) return "the entry cannot be read";
  const std::string name = base::string_member(*data, "approver").value_or("");
  if (name.empty()) return std::nullopt;
  const auto found =
      std::find_if(approvers.begin(), approvers.end(), [&](const Approver& approver) {
        return base::lowered(approver.name) == base::lowered(name);
      });
  const std::string who = shown_short(name, kNameBytesShown);
  if (found == approvers.end()) return who + " is not enrolled";
  if (found->fingerprint == base::string_member(*data, "fingerprint").value_or("")) {
    return std::nullopt;
  }
  if (found->since.ms <= row.entry.at.ms) {
    return "the fingerprint is not the one that " + who + " had then";
  }
  if (!also_replaced) return std::nullopt;
  return who + " has had another secret since " + base::to_rfc3339(found->since);
}

namespace {

std::vector<std::string> doubts_in(gating::engine::Engine& engine,
                                   const gating::engine::RunView& view,
                                   const Approvers& approvers) {
  const gating::RunState& run = view.run;
  std::vector<std::string> doubts;
  const auto add = [&doubts](const std::string& phase, const std::string& doubt) {
    std::string text = "decided in phase " + shown_value(phase) + ": " + doubt;
    if (std::find(doubts.begin(), doubts.end(), text) == doubts.end()) {
      doubts.push_back(std::move(text));
    }
  };
  std::set<std::pair<std::string, std::string>> answered;  // phase, and who
  std::int64_t last = 0;
  for (;;) {
    const auto rows = engine.journal_of_people(run.id, last, kRowsPerRead);
    if (!rows) return {};
    if (rows->empty()) break;
    for (const JournalRow& row : *rows) {
      if (row.entry.kind == "decision_answered")
        answered.insert({row.entry.phase, row.entry.actor});
      if (const auto doubt = doubt_about(row, approvers, false)) add(row.entry.phase, *doubt);
    }
    last = rows->back().seq;
  }
  for (const gating::AcceptedPhase& accepted : run.accepted) {
    if (is_undecided(view, accepted)) {
      add(accepted.phase, "its workflow asks for a person, and it was completed without one");
    }
    for (const std::string& decider : accepted.deciders) {
      if (answered.contains({accepted.phase, decider})) continue;
      add(accepted.phase, "its journal knows of no decision of " + person_text(decider));
    }
  }
  return doubts;
}

}  // namespace

std::vector<std::string> doubts_about(gating::engine::Engine& engine,
                                      const gating::engine::RunView& view,
                                      const Approvers& approvers) {
  const auto& accepted = view.run.accepted;
  const bool undecided = std::any_of(accepted.begin(), accepted.end(),
                                     [&](const auto& phase) { return is_undecided(view, phase); });
  if (!undecided && !is_by_approver(view.run)) return {};
  try {
    return doubts_in(engine, view, approvers);
  } catch (const gating::engine::StoreFailure&) {
    return {};
  }
}

}  // namespace phasegate::app::cli

#include "state/decision_rows.h"

#include "base/json.h"
#include "base/limits.h"
#include "state/seal/seal_rows.h"

namespace phasegate::state {
namespace {

using base::Json;
using gating::JournalEntry;
using gating::OpenDecision;
using gating::Transition;

constexpr base::JsonLimits kDataLimits{base::limits::kMessageBytesMax,
                                       base::limits::kMessageDepthMax};

std::string member(const Json& data, std::string_view name) {
  return base::string_member(data, name).value_or("");
}

/// What the transition's journal says of this decision under `kind`.
std::optional<Json> journalled(const Transition& transition, std::string_view kind,
                               std::string_view decision) {
  for (const JournalEntry& entry : transition.journal) {
    if (entry.kind != kind) continue;
    auto data = base::parse_json(entry.data, kDataLimits);
    if (data && member(*data, "decision") == decision) return *std::move(data);
  }
  return std::nullopt;
}

void close(Db& db, const OpenDecision& decision, const Transition& transition) {
  const base::TimePoint at = transition.next->updated_at;
  const auto answer = journalled(transition, "decision_answered", decision.id);
  if (!answer) {
    db.prepare("UPDATE decision SET status = 'withdrawn', decided_at = ? WHERE id = ?")
        .bind_all(at.ms, decision.id)
        .run();
    return;
  }
  db.prepare(
        "UPDATE decision SET status = 'decided', shown_digest = ?, approver = ?, channel = ?,"
        " assurance = ?, choice = ?, input = ?, decided_at = ? WHERE id = ?")
      .bind_all(member(*answer, "shown_digest"), member(*answer, "approver"),
                member(*answer, "channel"), member(*answer, "assurance"), member(*answer, "option"),
                member(*answer, "input"), at.ms, decision.id)
      .run();
}

void open(Db& db, std::int64_t run, const OpenDecision& decision, const Transition& transition) {
  const auto asked = journalled(transition, "decision_opened", decision.id);
  // What is shown is put together when somebody looks; its digest comes with the answer.
  db.prepare(
        "INSERT INTO decision (id, run, phase, visit, status, question, shown_digest, created_at)"
        " VALUES (?, ?, ?, ?, 'open', ?, '', ?)")
      .bind_all(decision.id, run, transition.next->current_phase, transition.next->visit,
                asked ? member(*asked, "prompt") : std::string(), decision.opened_at.ms)
      .run();
}

}  // namespace

void keep_decisions(Db& db, Seal& seal, std::int64_t run, const std::optional<OpenDecision>& before,
                    const Transition& transition) {
  const std::optional<OpenDecision>& after = transition.next->decision;
  if (before && after && before->id == after->id) return;
  if (before) {
    close(db, *before, transition);
    seal_decision(db, seal, before->id);
  }
  if (after) {
    open(db, run, *after, transition);
    seal_decision(db, seal, after->id);
  }
}

std::optional<std::string> find_decision(Db& db, std::string_view id) {
  Statement row = db.prepare(
      "SELECT run.id FROM decision JOIN run ON run.number = decision.run WHERE decision.id = ?");
  if (!row.bind_all(id).step()) return std::nullopt;
  return row.text(0);
}

}  // namespace phasegate::state

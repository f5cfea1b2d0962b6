#include "state/decision_rows.h"

#include "base/json.h"
#include "base/limits.h"
#include "state/damage.h"
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

std::optional<std::string> maybe_text(const Statement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  return row.text(column);
}

void bind_maybe(Statement& statement, int index, const std::optional<std::string>& text) {
  if (text) {
    statement.bind(index, *text);
  } else {
    statement.bind_null(index);
  }
}

void require_sealed(Db& db, Seal& seal, const std::string& id) {
  const auto marks = read_decision_marks(db, seal, id);
  if (marks && seal.holds(marks->mac, marks->text)) return;
  throw_damaged("decision " + id + " is not what was written");
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

std::vector<DecisionRecord> read_decisions(Db& db, Seal* seal, std::int64_t run) {
  Statement rows = db.prepare(
      "SELECT id, phase, visit, status, question, shown_digest, created_at, approver, channel,"
      " assurance, choice, input, decided_at FROM decision WHERE run = ? ORDER BY created_at, id");
  rows.bind_all(run);
  std::vector<DecisionRecord> found;
  while (rows.step()) {
    DecisionRecord& one = found.emplace_back();
    one.id = rows.text(0);
    if (seal != nullptr) require_sealed(db, *seal, one.id);
    one.phase = rows.text(1);
    one.visit = rows.integer(2);
    one.status = rows.text(3);
    one.question = rows.text(4);
    one.shown_digest = rows.text(5);
    one.created_at = rows.integer(6);
    one.approver = maybe_text(rows, 7);
    one.channel = maybe_text(rows, 8);
    one.assurance = maybe_text(rows, 9);
    one.choice = maybe_text(rows, 10);
    one.input = maybe_text(rows, 11);
    if (!rows.is_null(12)) one.decided_at = rows.integer(12);
  }
  return found;
}

void insert_decision(Db& db, Seal& seal, std::int64_t run, const DecisionRecord& one) {
  Statement insert = db.prepare(
      "INSERT INTO decision (id, run, phase, visit, status, question, shown_digest, created_at,"
      " approver, channel, assurance, choice, input, decided_at)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind_all(one.id, run, one.phase, one.visit, one.status, one.question, one.shown_digest,
                  one.created_at);
  bind_maybe(insert, 9, one.approver);
  bind_maybe(insert, 10, one.channel);
  bind_maybe(insert, 11, one.assurance);
  bind_maybe(insert, 12, one.choice);
  bind_maybe(insert, 13, one.input);
  if (one.decided_at) {
    insert.bind(14, *one.decided_at);
  } else {
    insert.bind_null(14);
  }
  insert.run();
  seal_decision(db, seal, one.id);
}

}  // namespace phasegate::state

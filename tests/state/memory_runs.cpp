#include <limits>
#include <set>
#include <tuple>

#include "base/hash.h"
#include "base/limits.h"
#include "tests/state/memory_data.h"

namespace phasegate::test::memory {
namespace {

void keep_bytes(Data& data, const std::string& hash, const std::string& bytes) {
  require(base::sha256_hex(bytes) == hash, "a blob's key is not the hash of its bytes");
  data.blobs.emplace(hash, bytes);
}

void keep_definition(Data& data, const engine::StoredDefinition& definition) {
  if (const auto known = data.definitions.find(definition.hash); known != data.definitions.end()) {
    if (known->second.model == definition.model) return;
    throw engine::StoreFailure(
        {"damaged", "another workflow has this hash", "nothing was changed", ""});
  }
  for (const auto& [hash, bytes] : definition.blobs) keep_bytes(data, hash, bytes);
  engine::StoredDefinition kept = definition;
  kept.blobs.clear();
  data.definitions.emplace(definition.hash, std::move(kept));
}

void write(Data& data, Run& run, const Transition& transition) {
  const RunState& next = *transition.next;
  if (next.decision) data.decisions.emplace(next.decision->id, next.id);
  for (const gating::Effect& effect : transition.effects) {
    OutboxRow row;
    row.id = data.next_effect++;
    row.run_id = next.id;
    row.effect = effect;
    data.outbox.push_back(std::move(row));
  }
  for (const auto& [hash, bytes] : transition.blobs) keep_bytes(data, hash, bytes);
  if (transition.artifact) {
    for (const auto& row : run.artifacts) {
      require(row.artifact.phase != transition.artifact->phase ||
                  row.artifact.visit != transition.artifact->visit,
              "a phase is accepted once per visit");
    }
    const auto* accepted = next.find_accepted(transition.artifact->phase);
    run.artifacts.push_back({*transition.artifact,
                             accepted != nullptr ? accepted->accepted_at : next.updated_at, false});
  }
  for (const gating::JournalEntry& entry : transition.journal) {
    run.journal.push_back({static_cast<std::int64_t>(run.journal.size()) + 1, entry});
  }
  run.state = next;
}

std::optional<Transition> decide_and_write(Data& data, std::string_view id, const Decide& decide) {
  Run* run = data.find(id);
  if (run == nullptr) return std::nullopt;
  Transition transition = decide(run->state);
  if (!transition.next) return transition;
  require(transition.next->id == run->state.id, "a transition changes a run's id");
  require(transition.next->version >= run->state.version, "a run's version goes back");
  require(data.definitions.contains(transition.next->definition_hash), "no such definition");
  write(data, *run, transition);
  return transition;
}

bool use(Data& data, const engine::Once& once, TimePoint now) {
  if (once.until_ms < now.ms || data.used.contains(once.token)) return false;
  std::erase_if(data.used, [&](const auto& used) { return used.second < now.ms; });
  data.used.emplace(once.token, once.until_ms);
  return true;
}

std::string cursor_of(const engine::RunQuery& query, const RunState& last) {
  const std::string time = std::to_string(last.updated_at.ms);
  return base::Digest()
             .add(std::to_string(static_cast<int>(query.which)))
             .add(query.workflow)
             .add(query.branch ? "of branch" : "")
             .add(query.branch.value_or(""))
             .add(query.id_prefix)
             .add(time)
             .add(last.id)
             .hex() +
         "." + time + "." + last.id;
}

class MemoryRuns final : public engine::RunStore {
 public:
  explicit MemoryRuns(Shared data) : data_(std::move(data)) {}

  engine::StartOutcome create_run(const engine::StoredDefinition& definition,
                                  const Transition& first, bool resume) override {
    require(first.next.has_value(), "a run begins without a state");
    const RunState& run = *first.next;
    require(run.definition_hash == definition.hash, "a run is pinned to another definition");
    if (resume && !run.resume_key.empty()) {
      const Run* open = nullptr;
      for (const Run& one : data_->runs) {
        if (one.state.resume_key != run.resume_key || !gating::is_open(one.state.status)) continue;
        if (open == nullptr || one.state.created_at >= open->state.created_at) open = &one;
      }
      if (open != nullptr) return {open->state.id, true};
    }
    Change change(data_);
    require(change->find(run.id) == nullptr, "there is such a run");
    keep_definition(*change, definition);
    change->runs.emplace_back();
    write(*change, change->runs.back(), first);
    change.commit();
    return {run.id, false};
  }

  std::optional<Transition> transact(std::string_view id, const Decide& decide) override {
    Change change(data_);
    auto done = decide_and_write(*change, id, decide);
    if (done && done->next) change.commit();
    return done;
  }
  engine::OnceOutcome transact_once(std::string_view id, const engine::Once& once, TimePoint now,
                                    const Decide& decide) override {
    Change change(data_);
    if (!use(*change, once, now)) return {true, std::nullopt};
    auto done = decide_and_write(*change, id, decide);
    if (done) change.commit();
    return {false, std::move(done)};
  }
  std::optional<Transition> transact_pinning(std::string_view id,
                                             const engine::StoredDefinition& definition,
                                             const Decide& decide) override {
    Change change(data_);
    keep_definition(*change, definition);
    auto done = decide_and_write(*change, id, decide);
    if (done && done->next) change.commit();
    return done;
  }
  std::optional<Transition> transact_effect(std::string_view id, std::int64_t effect,
                                            const Owner& owner, const Decide& decide) override {
    Change change(data_);
    const auto removed = std::erase_if(change->outbox, [&](const OutboxRow& row) {
      return row.id == effect && row.owner == owner;
    });
    if (removed == 0) return std::nullopt;
    auto done = decide_and_write(*change, id, decide);
    if (done) change.commit();
    return done;
  }
  bool use_once(const engine::Once& once, TimePoint now) override { return use(*data_, once, now); }

  std::optional<RunState> load(std::string_view id) override {
    const Run* run = data_->find(id);
    return run == nullptr ? std::nullopt : std::optional(run->state);
  }

  base::Result<engine::RunPage> list(const engine::RunQuery& query) override {
    std::vector<const RunState*> rows;
    for (const Run& run : data_->runs) {
      const bool open = gating::is_open(run.state.status);
      if (query.which == engine::RunQuery::Which::open && !open) continue;
      if (query.which == engine::RunQuery::Which::ended && open) continue;
      if (!query.workflow.empty() && query.workflow != run.state.workflow) continue;
      if (query.branch && *query.branch != run.state.branch) continue;
      if (run.state.id.starts_with(query.id_prefix)) rows.push_back(&run.state);
    }
    const auto later = [](const RunState* a, const RunState* b) {
      return std::tie(a->updated_at, a->id) > std::tie(b->updated_at, b->id);
    };
    std::sort(rows.begin(), rows.end(), later);
    RunState from;
    from.updated_at.ms = std::numeric_limits<std::int64_t>::max();
    if (!query.cursor.empty() && !position(query, from)) {
      return base::Error{"invalid_cursor", "the cursor does not belong to this list",
                         "leave the cursor out to begin with the first page", "cursor"};
    }
    const std::size_t limit = std::clamp<std::size_t>(query.limit, 1, base::limits::kListItemsMax);
    engine::RunPage page;
    const RunState* last = nullptr;
    for (const RunState* row : rows) {
      if (!query.cursor.empty() && !later(&from, row)) continue;
      if (page.runs.size() == limit) {
        page.next_cursor = cursor_of(query, *last);
        break;
      }
      page.runs.push_back(summary(*row));
      last = row;
    }
    return page;
  }

  std::optional<std::string> find_decision(std::string_view decision) override {
    const auto found = data_->decisions.find(std::string(decision));
    return found == data_->decisions.end() ? std::nullopt : std::optional(found->second);
  }
  std::vector<std::string> due(TimePoint now, std::size_t limit) override {
    std::vector<std::pair<std::int64_t, std::string>> all;
    for (const Run& run : data_->runs) {
      if (run.state.due_at && *run.state.due_at <= now) {
        all.emplace_back(run.state.due_at->ms, run.state.id);
      }
    }
    std::sort(all.begin(), all.end());
    std::vector<std::string> ids;
    for (const auto& [ms, id] : all) {
      if (ids.size() < limit) ids.push_back(id);
    }
    return ids;
  }
  std::optional<TimePoint> next_due(TimePoint after) override {
    std::optional<TimePoint> next;
    for (const Run& run : data_->runs) {
      const auto& due = run.state.due_at;
      if (due && *due > after && (!next || *due < *next)) next = due;
    }
    return next;
  }
  std::vector<engine::JournalRow> journal(std::string_view id, std::int64_t after,
                                          std::size_t limit) override {
    std::vector<engine::JournalRow> rows;
    const Run* run = data_->find(id);
    if (run == nullptr) return rows;
    for (const auto& row : run->journal) {
      if (row.seq > after && rows.size() < limit) rows.push_back(row);
    }
    return rows;
  }
  std::vector<engine::JournalRow> journal_end(std::string_view id, std::size_t limit) override {
    const Run* run = data_->find(id);
    if (run == nullptr) return {};
    const std::size_t count = std::min(limit, run->journal.size());
    return {run->journal.end() - static_cast<std::ptrdiff_t>(count), run->journal.end()};
  }
  std::vector<engine::JournalRow> journal_of_people(std::string_view id, std::int64_t after,
                                                    std::size_t limit) override {
    std::vector<engine::JournalRow> rows;
    const Run* run = data_->find(id);
    if (run == nullptr) return rows;
    for (const auto& row : run->journal) {
      const bool spoken =
          row.entry.kind == "decision_answered" || row.entry.kind == "reopen_demanded";
      if (spoken && row.seq > after && rows.size() < limit) rows.push_back(row);
    }
    return rows;
  }
  std::vector<engine::ArtifactRow> artifacts(std::string_view id) override {
    const Run* run = data_->find(id);
    return run == nullptr ? std::vector<engine::ArtifactRow>() : run->artifacts;
  }
  std::optional<engine::StoredDefinition> definition(std::string_view hash) override {
    const auto found = data_->definitions.find(std::string(hash));
    return found == data_->definitions.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<std::string> blob(std::string_view hash) override {
    const auto found = data_->blobs.find(std::string(hash));
    return found == data_->blobs.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  /// Where the page before ended; false for a cursor that this query did not give out.
  static bool position(const engine::RunQuery& query, RunState& from) {
    const auto first = query.cursor.find('.');
    const auto second = query.cursor.find('.', first + 1);
    if (first == std::string::npos || second == std::string::npos) return false;
    const std::string time = query.cursor.substr(first + 1, second - first - 1);
    if (time.empty() || time.size() > 15 ||
        time.find_first_not_of("0123456789") != std::string::npos) {
      return false;
    }
    from.updated_at.ms = std::stoll(time);
    from.id = query.cursor.substr(second + 1);
    return cursor_of(query, from) == query.cursor;
  }

  static engine::RunSummary summary(const RunState& run) {
    std::set<std::string> phases;
    for (const auto* accepted : run.completed()) phases.insert(accepted->phase);
    return {run.id,
            run.workflow,
            run.status,
            run.partial,
            run.current_phase,
            run.target,
            run.branch,
            static_cast<std::int64_t>(phases.size()),
            run.created_at,
            run.updated_at};
  }

  Shared data_;
};

}  // namespace

std::unique_ptr<engine::RunStore> runs_of(Shared data) {
  return std::make_unique<MemoryRuns>(std::move(data));
}

}  // namespace phasegate::test::memory

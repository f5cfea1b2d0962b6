#include "bench/scale_store.h"

#include <algorithm>
#include <stdexcept>

#include <sys/syscall.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/ids.h"
#include "state/state.h"

namespace {

bool is_synchronised = true;

int synchronise(long call, int file) {
  return is_synchronised ? static_cast<int>(::syscall(call, file)) : 0;
}

}  // namespace

// In the place of the C library's, for this program only.
extern "C" int fsync(int file) {
  return synchronise(SYS_fsync, file);
}
extern "C" int fdatasync(int file) {
  return synchronise(SYS_fdatasync, file);
}

namespace phasegate::bench {
using gating::RunState;
using gating::RunStatus;
using gating::Transition;
using gating::engine::StoredDefinition;
namespace {

constexpr base::TimePoint kBeginning{1'800'000'000'000};
constexpr int kPhases = 4;
constexpr std::int64_t kBranches = 50;
constexpr std::int64_t kWorkflowBytes = 6'000;
constexpr std::int64_t kLongestAtOnce = 1'000;

std::string evidence_of(std::int64_t number) {
  return R"({"test_command":"make test","test_exit_code":0,"test_output":"run )" +
         std::to_string(number) + std::string(120, '.') + R"("})";
}

gating::JournalEntry entry(const RunState& run, std::string_view kind, std::string data) {
  return {std::string(kind), run.current_phase, run.visit, run.attempts, "ada",
          std::move(data),   run.updated_at};
}

std::string phase_completed(std::int64_t number) {
  return R"({"evidence":)" + evidence_of(number) + "}";
}

/// All that has happened to a run since its start, at once: as many entries as it shall have, and
/// mostly its end.
void add_rest(Transition& next, std::int64_t number, std::int64_t entries, bool ends) {
  RunState& state = *next.next;
  state.version += entries - 1;
  state.updated_at.ms += 1;
  for (int phase = 1; phase <= kPhases; ++phase) {
    state.accepted.push_back({std::to_string(phase), 1, 2, base::sha256_hex(evidence_of(number)),
                              state.updated_at, 3, 0, 0, false, false});
  }
  state.current_phase = std::to_string(kPhases);
  for (std::int64_t i = 1; i < entries; ++i) {
    const bool refused = i % 2 == 1;
    next.journal.push_back(
        entry(state, refused ? "evidence_refused" : "phase_completed",
              refused ? R"({"missing":["test_output"]})" : phase_completed(number)));
  }
  next.artifact = {std::to_string(kPhases), 1, evidence_of(number),
                   state.accepted.back().evidence_digest};
  if (number % kDecidedEach == 0) {
    gating::OpenDecision asked;
    asked.id = decision_of(state.id);
    asked.opened_at = state.updated_at;
    state.decision = asked;
  }
  if (number % kDeferredEach == 0) {
    next.effects.push_back({"notify:ada", state.current_phase, 1, R"({"event":"run_completed"})"});
  }
  if (ends) state.status = RunStatus::completed;
}

/// Ends an open decision, as an answer does.
Transition answered(const RunState& run) {
  Transition next;
  next.next = run;
  next.next->version += 1;
  next.next->decision.reset();
  next.journal.push_back(entry(run, "decision_answered",
                               R"({"decision":")" + run.decision->id + R"(","approver":"ada"})"));
  return next;
}

void defer_all(state::Store& store) {
  const gating::engine::Owner owner{"bench", 1, 1};
  while (const auto row = store.outbox().claim(owner, kBeginning, 1'000, {"", "notify:ada", {}})) {
    store.outbox().defer(row->id, owner, kDeferredUntil);
  }
}

void add_long_run(state::Store& store, const std::string& id, std::int64_t entries) {
  for (std::int64_t left = entries - 1; left > 0; left -= kLongestAtOnce) {
    store.runs().transact(id, [&](const RunState& run) {
      Transition next;
      next.next = run;
      next.next->version += 1;
      for (std::int64_t i = 0; i < std::min(left, kLongestAtOnce); ++i) {
        next.journal.push_back(entry(run, "evidence_refused", phase_completed(i)));
      }
      return next;
    });
  }
}

}  // namespace

void set_synchronised(bool synchronised) {
  is_synchronised = synchronised;
}

const StoredDefinition& definition() {
  static const StoredDefinition kDefinition = [] {
    StoredDefinition made;
    made.model = R"({"id":"feature","text":")" + std::string(kWorkflowBytes, 'x') + R"("})";
    made.hash = base::sha256_hex(made.model);
    const std::string text = "# Phase 1\n" + std::string(2'000, 'y');
    made.blobs[base::sha256_hex(text)] = text;
    return made;
  }();
  return kDefinition;
}

Transition started(const std::string& id, base::TimePoint at) {
  Transition first;
  RunState& run = first.next.emplace();
  run.id = id;
  run.workflow = "feature";
  run.definition_hash = definition().hash;
  run.current_phase = "1";
  run.target = "src/total.py";
  run.branch = "main";
  run.principal = "ada";
  run.created_at = at;
  run.updated_at = at;
  first.journal = {entry(run, "run_started", R"({"target":"src/total.py"})")};
  return first;
}

Transition completed(const RunState& run) {
  Transition next;
  next.next = run;
  RunState& state = *next.next;
  state.version += 1;
  state.visit += 1;
  state.updated_at.ms += 1;
  next.journal = {entry(state, "phase_completed", phase_completed(state.version)),
                  entry(state, "phase_entered", "{}")};
  next.artifact = {state.current_phase, state.visit, evidence_of(state.version),
                   base::sha256_hex(evidence_of(state.version))};
  return next;
}

void make_store(const std::filesystem::path& folder, const Size& size,
                const std::function<void(std::int64_t)>& say) {
  if (size.runs <= kOpenRuns || size.entries < size.runs) {
    throw std::runtime_error("more than 20 runs are needed, and an entry for each");
  }
  set_synchronised(false);
  const auto store = state::open_store(folder);
  auto& runs = store->runs();
  base::SystemIdSource ids;
  // The long journal is a tenth of all entries.
  const std::int64_t in_long = std::max<std::int64_t>(size.entries / 10, 1);
  const std::int64_t each = std::max<std::int64_t>((size.entries - in_long) / size.runs, 1);
  std::int64_t left = (size.entries - in_long) - each * size.runs;
  for (std::int64_t number = 1; number <= size.runs; ++number) {
    const bool ends = number <= size.runs - kOpenRuns;
    Transition first = started(ids.new_id(), {kBeginning.ms + 10 * number});
    RunState& run = *first.next;
    run.branch = ends ? "branch-" + std::to_string(number % kBranches) : "main";
    if (!ends) run.due_at = base::TimePoint{kBeginning.ms * 2 + number};
    if (number == size.runs) run.target = kLongTarget;
    const std::string id = run.id;
    add_rest(first, number, each + (left-- > 0 ? 1 : 0), ends);
    runs.create_run(definition(), first, false);
    if (number % kDecidedEach == 0) runs.transact(id, answered);
    if (number == size.runs) add_long_run(*store, id, in_long);
    if (number % 10'000 == 0) say(number);
  }
  defer_all(*store);
  set_synchronised(true);
}

}  // namespace phasegate::bench

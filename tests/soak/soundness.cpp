#include "tests/soak/soundness.h"

#include <string_view>

#include "base/json.h"
#include "gating/engine/ports.h"
#include "state/backups.h"
#include "state/db.h"
#include "state/state.h"
#include "state/tombstones.h"
#include "tests/soak/process.h"

namespace phasegate::soak {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kJournalMax = 100'000;

/// One session by itself: its journal, its artifacts and its state tell the same.
void look_at_run(state::Store& store, const gating::RunState& run, Findings& found) {
  const auto journal = store.runs().journal(run.id, 0, kJournalMax);
  std::map<std::string, int> once;
  std::size_t all_completed = 0;
  for (std::size_t i = 0; i < journal.size(); ++i) {
    if (journal[i].seq != static_cast<std::int64_t>(i) + 1) {
      ++found.half;
      found.words.push_back(run.id + ": the journal has a gap");
      break;
    }
    const auto& entry = journal[i].entry;
    if (entry.kind != "phase_completed" && entry.kind != "decision_answered") continue;
    if (entry.kind == "phase_completed") ++all_completed;
    if (++once[entry.kind + " " + entry.phase + " " + std::to_string(entry.visit)] > 1) {
      ++found.doubled;
      found.words.push_back(run.id + ": " + entry.kind + " twice of phase " + entry.phase);
    }
  }
  if (journal.empty() || run.accepted.size() != all_completed ||
      store.runs().artifacts(run.id).size() != all_completed) {
    ++found.half;
    found.words.push_back(run.id + ": journal, artifacts and state do not tell the same");
  }
}

void compare(const gating::RunState& run, const Told& told, Findings& found) {
  if (!told.session.empty() && told.session != run.id) return;
  for (const std::string& phase : told.passed) {
    if (run.find_accepted(phase) != nullptr) continue;
    ++found.lost;
    found.words.push_back(run.id + ": phase " + phase + " is lost");
  }
  if (told.complete && run.status != gating::RunStatus::completed) {
    ++found.lost;
    found.words.push_back(run.id + ": its end is lost");
  }
}

/// It had ended, and what stays of it tells that.
bool was_pruned(const fs::path& state, const Told& told) {
  const auto tombstone = state::find_pruned(state, told.session);
  return tombstone && tombstone->id == told.session && tombstone->status == "completed";
}

void look_at_runs(const fs::path& state, state::Store& store, const ToldByTarget& told,
                  Findings& found) {
  std::map<std::string, std::set<std::string>> sessions;
  gating::engine::RunQuery query;
  do {
    const auto page = store.runs().list(query);
    if (!page.ok()) {
      found.words.push_back(base::to_text(page.error()));
      return;
    }
    for (const auto& row : page->runs) {
      const auto run = store.runs().load(row.id);
      if (!run) continue;
      sessions[run->target].insert(run->id);
      look_at_run(store, *run, found);
      const auto expected = told.find(run->target);
      if (expected != told.end()) compare(*run, expected->second, found);
    }
    query.cursor = page->next_cursor;
  } while (!query.cursor.empty());
  for (const auto& [target, expected] : told) {
    if (!expected.session.empty() && !sessions[target].contains(expected.session) &&
        !was_pruned(state, expected)) {
      ++found.lost;
      found.words.push_back(target + ": session " + expected.session + " is lost");
    }
    if (sessions[target].size() > 1) {
      ++found.doubled;
      found.words.push_back(target + " was begun twice");
    }
  }
}

}  // namespace

void Findings::add(const Findings& other) {
  lost += other.lost;
  doubled += other.doubled;
  half += other.half;
  words.insert(words.end(), other.words.begin(), other.words.end());
}

void Told::add(const Told& other) {
  if (session.empty()) session = other.session;
  passed.insert(other.passed.begin(), other.passed.end());
  complete = complete || other.complete;
}

Findings look_at_backups(const fs::path& state) {
  Findings found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(state / state::kBackupFolderName, none)) {
    if (entry.path().extension() != ".db") continue;
    try {
      state::Db db(entry.path(), {.mode = state::DbOptions::Mode::read_only});
      const std::string problem = db.check(true);
      if (problem.empty() && db.query_integer("SELECT count(*) FROM meta") > 0) continue;
      found.words.push_back(entry.path().string() + ": " + problem);
    } catch (const gating::engine::StoreFailure& failure) {
      found.words.push_back(entry.path().string() + ": " + base::to_text(failure.error()));
    }
    ++found.half;
  }
  return found;
}

Findings look_at_store(const fs::path& state, const ToldByTarget& told) {
  Findings found;
  try {
    const auto store = state::open_store(state);
    look_at_runs(state, *store, told, found);
  } catch (const gating::engine::StoreFailure& failure) {
    ++found.half;
    found.words.push_back(base::to_text(failure.error()));
  }
  const state::StoreReport report = state::inspect(state, {.thorough = true});
  if (report.problem) found.words.push_back(base::to_text(*report.problem));
  if (!report.integrity.empty()) found.words.push_back("integrity: " + report.integrity);
  for (const auto& item : report.damaged) found.words.push_back("damaged: " + item.message);
  if (report.problem || !report.integrity.empty() || !report.damaged.empty()) ++found.half;
  return found;
}

std::string verdict_of_program(const fs::path& root, const fs::path& state) {
  const std::string program = phasegate_binary().string();
  const auto asked = [&](const std::vector<std::string>& words) {
    Command command{{program}, root, {{"PHASEGATE_STATE", state.string()}, {"HOME", "/nowhere"}}};
    command.words.insert(command.words.end(), words.begin(), words.end());
    return run(command);
  };
  static const bool kKnowsAudit = asked({"help", "audit"}).code == 0;
  const Ended ended = asked({kKnowsAudit ? "audit" : "doctor", "--json"});
  return ended.code == 0 ? std::string()
                         : ended.out + " (exit code " + std::to_string(ended.code) + ")";
}

}  // namespace phasegate::soak

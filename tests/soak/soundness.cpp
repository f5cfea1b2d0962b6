#include "tests/soak/soundness.h"

#include <fstream>
#include <functional>
#include <string_view>

#include "base/json.h"
#include "gating/engine/ports.h"
#include "state/backups.h"
#include "state/db.h"
#include "state/restore.h"
#include "state/seal/audit.h"
#include "state/seal/seal_keys.h"
#include "state/state.h"
#include "state/store_file.h"
#include "state/tombstones.h"
#include "tests/soak/process.h"

namespace phasegate::soak {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kJournalMax = 100'000;
constexpr std::size_t kTombstonesMax = 1'000'000;

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

/// All sessions that the list has. One that is listed and not there is half.
void for_each_run(state::Store& store, Findings& found,
                  const std::function<void(const gating::RunState&)>& look) {
  gating::engine::RunQuery query;
  do {
    const auto page = store.runs().list(query);
    if (!page.ok()) {
      found.add_half(base::to_text(page.error()));
      return;
    }
    for (const auto& row : page->runs) {
      if (const auto run = store.runs().load(row.id)) {
        look(*run);
      } else {
        found.add_half(row.id + " is listed, and cannot be loaded");
      }
    }
    query.cursor = page->next_cursor;
  } while (!query.cursor.empty());
}

void look_at_runs(const fs::path& state, state::Store& store, const ToldByTarget& told,
                  Findings& found) {
  std::map<std::string, std::set<std::string>> sessions;
  for_each_run(store, found, [&](const gating::RunState& run) {
    sessions[run.target].insert(run.id);
    look_at_run(store, run, found);
    const auto expected = told.find(run.target);
    if (expected != told.end()) compare(run, expected->second, found);
  });
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

/// Takes a copy in as another machine would that has nothing but the keys.
void look_at_copy(const fs::path& state, const fs::path& copy, Findings& found) {
  const fs::path empty = state.parent_path() / "copy-taken-in";
  fs::remove_all(empty);
  fs::create_directory(empty);
  fs::permissions(empty, fs::perms::owner_all);
  fs::copy_file(state / state::kSealKeysFileName, empty / state::kSealKeysFileName);
  try {
    const auto taken_in = state::Restore::prepare(empty, copy);
    if (!taken_in) {
      found.add_half(copy.string() + ": " + base::to_text(taken_in.error()));
    } else {
      for (const std::string& one : (*taken_in)->plan().damaged) {
        found.add_half(copy.string() + ": " + one);
      }
    }
  } catch (const gating::engine::StoreFailure& failure) {
    found.add_half(copy.string() + ": " + base::to_text(failure.error()));
  }
  fs::remove_all(empty);
}

}  // namespace

void Findings::add_half(std::string what) {
  ++half;
  words.push_back(std::move(what));
}

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
  const auto copies = state::list_backups(state);
  if (copies.empty()) found.add_half("there is no copy of the store");
  for (const state::StateBackup& copy : copies) look_at_copy(state, copy.file, found);
  return found;
}

Findings look_at_checks(const fs::path& state, const fs::path& ran) {
  Findings found;
  std::set<std::string> done;
  std::ifstream lines(ran);
  for (std::string line; std::getline(lines, line);) done.insert(line);
  const auto look = [&](const std::string& id) {
    if (!done.contains(id)) found.add_half(id + ": its check was passed and never carried out");
  };
  const auto store = state::open_store(state);
  for_each_run(*store, found, [&](const gating::RunState& run) {
    if (run.workflow == "checked" && run.status == gating::RunStatus::completed) look(run.id);
  });
  state::Db db(state / state::kStoreFileName, {.mode = state::DbOptions::Mode::read_only});
  for (const state::Tombstone& one : state::find_tombstones(db, "", kTombstonesMax)) {
    if (one.workflow == "checked" && one.status == "completed") look(one.id);
  }
  return found;
}

Findings look_at_seals(const fs::path& state) {
  Findings found;
  const state::AuditReport report = state::audit(state);
  for (const state::AuditFinding& finding : report.findings) {
    found.add_half("audit: " + finding.code + " " + finding.session + " " +
                   std::to_string(finding.seq) + ": " + finding.message);
  }
  if (report.problem) found.add_half("audit: " + base::to_text(*report.problem));
  return found;
}

Findings look_at_store(const fs::path& state, const ToldByTarget& told) {
  Findings found;
  try {
    const auto store = state::open_store(state);
    look_at_runs(state, *store, told, found);
  } catch (const gating::engine::StoreFailure& failure) {
    found.add_half(base::to_text(failure.error()));
  }
  const state::StoreReport report = state::inspect(state, {.thorough = true});
  for (const auto& problem : {report.problem, report.key_problem, report.seal_problem}) {
    if (problem) found.add_half(base::to_text(*problem));
  }
  if (!report.integrity.empty()) found.add_half("integrity: " + report.integrity);
  for (const auto& item : report.damaged) found.add_half("damaged: " + item.message);
  // Where nothing was stored yet there is nothing sealed.
  if (report.exists) found.add(look_at_seals(state));
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

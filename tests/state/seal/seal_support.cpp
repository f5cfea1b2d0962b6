#include "tests/state/seal/seal_support.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "base/hash.h"
#include "state/prune.h"
#include "state/seal/upkeep.h"
#include "tests/state/store_support.h"

namespace phasegate::test {
namespace fs = std::filesystem;
using gating::RunState;
using gating::Transition;

namespace {

Transition accepting(const RunState& run, const std::string& phase = "1") {
  Transition step = step_of(run, "{}");
  gating::AcceptedPhase accepted;
  accepted.phase = phase;
  accepted.evidence_digest = "d" + phase;
  accepted.accepted_at = step.next->updated_at;
  step.next->accepted.push_back(accepted);
  step.artifact = {phase, 1, R"({"text":"done"})", "d" + phase};
  return step;
}

Transition ending(const RunState& run) {
  Transition step = step_of(run, "{}");
  step.next->status = gating::RunStatus::completed;
  return step;
}

Transition answering(const RunState& run) {
  Transition step = step_of(run, "{}");
  const std::string id = step.next->decision->id;
  step.next->decision.reset();
  step.journal.insert(step.journal.begin(),
                      {"decision_answered", "1", 1, 1, "approver:ada",
                       R"({"decision":")" + id +
                           R"(","option":"approve","channel":"web",)"
                           R"("assurance":"secret","shown_digest":"beef","approver":"ada"})",
                       run.updated_at});
  return step;
}

}  // namespace

void make_histories(const fs::path& folder, int runs, int entries) {
  const auto store = state::open_store(folder);
  auto& port = store->runs();
  store->trust().trust({"beef01", "spec", R"([{"runs":"make"}])", "ada", {5}, {"PATH=/bin"}});
  for (int i = 1; i <= runs; ++i) {
    const std::string id = run_id(i);
    const std::string mark = std::to_string(i);
    port.create_run(a_definition(), first_of(id, "key" + mark), false);
    port.transact(id, [](const RunState& run) { return accepting(run); });
    port.transact(id, [&](const RunState& run) { return asking(step_of(run, "{}"), "a" + mark); });
    port.transact(id, [](const RunState& run) { return answering(run); });
    port.transact(id, [&](const RunState& run) { return asking(step_of(run, "{}"), "b" + mark); });
    while (static_cast<int>(port.journal(id, 0, 100'000).size()) < entries) {
      port.transact(id, [](const RunState& run) { return step_of(run, R"({"n":1})"); });
    }
  }
}

void make_everything(const fs::path& folder, int entries) {
  constexpr int kRuns = 3;
  constexpr int kPruned = 2;
  constexpr base::TimePoint kNow{1'800'000'000'000};
  make_histories(folder, kRuns, entries);
  {
    const auto store = state::open_store(folder);
    auto& port = store->runs();
    store->trust().trust({"beef02", "other", R"([{"runs":"test"}])", "bob", {6}, {"HOME=/root"}});
    for (int i = 1; i <= kRuns; ++i) {
      port.transact(run_id(i), [](const RunState& run) { return accepting(run, "2"); });
      for (const int token : {1, 2}) {
        port.use_once({std::to_string(10 * i + token), kNow.ms + 1000}, kNow);
      }
    }
    Transition first = first_of(run_id(kRuns + 1), "", "other");
    first.effects = {{"check", "1", 1, "{}"}, {"notify", "1", 1, "{}"}};
    auto other = a_definition("other");
    const std::string document = "# Another one\n";
    other.blobs[base::sha256_hex(document)] = document;
    port.create_run(other, first, false);
    for (int i = 1; i <= kPruned; ++i) {
      const std::string id = run_id(kRuns + 1 + i);
      port.create_run(a_definition(), first_of(id), false);
      port.transact(id, ending);
    }
  }
  static_cast<void>(state::Pruner(folder).prune({0, kPruned, "ann", kNow, false}));
  for (const char* who : {"ada", "bob"}) {
    static_cast<void>(state::accept_as_it_is(folder, who, "as it is", kNow));
  }
}

void go_on(const fs::path& folder, int number) {
  const auto done = state::open_store(folder)->runs().transact(
      run_id(number), [](const RunState& run) { return step_of(run, R"({"n":2})"); });
  CHECK(done.has_value());
}

void change(const fs::path& folder, const std::string& sql) {
  state::Db db(folder / "state.db", {});
  db.execute("PRAGMA foreign_keys=OFF; PRAGMA ignore_check_constraints=ON; " + sql);
}

std::vector<std::string> tables_of(state::Db& db) {
  std::vector<std::string> tables;
  state::Statement rows =
      db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
  while (rows.step()) tables.push_back(rows.text(0));
  return tables;
}

std::map<std::string, std::vector<std::string>> all_rows(const fs::path& folder) {
  std::map<std::string, std::vector<std::string>> rows;
  // What cannot be read of one table leaves the others to be read, each by a connection of its own.
  const auto open = [&] {
    return state::Db(folder / "state.db", {.mode = state::DbOptions::Mode::read_only});
  };
  std::vector<std::string> tables;
  try {
    state::Db db = open();
    tables = tables_of(db);
  } catch (const std::exception& problem) {
    rows[""].push_back(problem.what());
  }
  for (const std::string& table : tables) {
    try {
      state::Db db = open();
      state::Statement found = db.prepare("SELECT * FROM " + table);
      while (found.step()) {
        std::string line;
        for (int i = 0; i < found.columns(); ++i)
          line += std::to_string(found.is_null(i)) + found.text(i) + "|";
        rows[table].push_back(line);
      }
    } catch (const std::exception& problem) {
      rows[table].push_back(problem.what());
    }
  }
  return rows;
}

std::string findings_of(const fs::path& folder) {
  const auto report = state::audit(folder);
  std::string text;
  for (const auto& finding : report.findings) {
    text += finding.code + " " + finding.session + " " + std::to_string(finding.seq) + ": " +
            finding.message + "\n";
  }
  if (report.problem) text += "problem " + report.problem->code + ": " + report.problem->message;
  return text;
}

bool is_sound(const fs::path& folder) {
  return state::audit(folder).sound();
}

void copy_files(const fs::path& from, const fs::path& to, const std::vector<std::string>& names) {
  fs::create_directories(to);
  for (const auto& entry : fs::directory_iterator(from)) {
    const std::string name = entry.path().filename().string();
    if (!names.empty() && std::find(names.begin(), names.end(), name) == names.end()) continue;
    if (entry.is_regular_file()) {
      fs::copy_file(entry.path(), to / name, fs::copy_options::overwrite_existing);
    }
  }
}

std::string write_code(const fs::path& folder, int number) {
  return failure_code([&] {
    state::open_store(folder)->runs().transact(
        run_id(number), [](const RunState& run) { return step_of(run, "{}"); });
  });
}

}  // namespace phasegate::test

#include "tests/soak/kills.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <exception>
#include <iterator>
#include <memory>
#include <thread>
#include <vector>

#include "state/state.h"
#include "tests/soak/killer.h"
#include "tests/soak/project.h"
#include "tests/soak/writer.h"

namespace phasegate::soak {
namespace fs = std::filesystem;
namespace {

/// Somebody who looks at the same store with commands, which are killed as well.
class Onlooker {
 public:
  Onlooker(const Project& project, std::uint64_t seed) : project_(project), killer_(seed) {}

  void look_once() {
    struct Look {
      std::vector<std::string> words;
      int code_max;  // status and history say 1 where no session is open
    };
    static const Look kLooks[] = {
        {{"status"}, 1},
        {{"sessions", "--all"}, 0},
        {{"history"}, 1},
        {{"work"}, 0},
        {{"status", "--all"}, 1},
        {{"doctor"}, 0},
        {{"work"}, 0},
        {{"inbox", "--state"}, 1},
        {{"backup"}, 0},
        {{"backup"}, 0},
        {{"backup"}, 0},
        {{"backup"}, 0},
    };
    const Look& look = kLooks[static_cast<std::size_t>(killer_.number(std::size(kLooks)))];
    std::vector<std::string> words = look.words;
    if (words.back() == "--state") words.push_back(project_.state().string());
    const bool copies = words.front() == "backup";
    Death death;
    if (copies && !killer_.one_in(4)) death = killer_.next(Killer::Victim::backup);
    if (!copies && killer_.one_in(2)) death = killer_.next();
    const ErrorText errors;
    Child child(project_.command(words, death.point ? with_fault(*death.point) : Variables{}),
                Child::Streams::pipes, errors.path());
    ++report_.commands;
    std::string said;
    if (!death.point && death.patience.count() > 0) {
      static_cast<void>(child.read_line(death.patience));
      child.kill();
    } else {
      said = child.read_all();
    }
    const int code = child.wait();
    if (code == 128 + SIGKILL) {
      report_.add_kill(death.kind);
    } else if (code > look.code_max && !was_busy(code, errors.read())) {
      report_.found.words.push_back(words.front() + " ended with " + std::to_string(code) + ": " +
                                    said + errors.read());
    } else if (copies && code == 0) {
      ++report_.copies;
    }
  }
  [[nodiscard]] const KillReport& report() const { return report_; }

 private:
  const Project& project_;
  Killer killer_;
  KillReport report_;
};

/// Runs `body` in a thread of its own until the end; what it throws is a finding.
template <typename Body>
std::thread in_thread(Findings& problems, Body body) {
  return std::thread([&problems, body] {
    try {
      body();
    } catch (const std::exception& problem) {
      problems.words.emplace_back(problem.what());
    }
  });
}

}  // namespace

void KillReport::add(const KillReport& other) {
  kills += other.kills;
  for (const auto& [kind, count] : other.at_points) at_points[kind] += count;
  acknowledged += other.acknowledged;
  unanswered += other.unanswered;
  repeated += other.repeated;
  sessions += other.sessions;
  commands += other.commands;
  copies += other.copies;
  found.add(other.found);
}

void KillReport::add_kill(const std::string& kind) {
  ++kills;
  if (!kind.empty()) ++at_points[kind];
}

int KillReport::at_calls() const {
  int all = 0;
  for (const auto& [kind, count] : at_points) all += count;
  return all;
}

std::string KillReport::by_kind() const {
  std::string text;
  for (const std::string& kind : Killer::kinds()) {
    const auto met = at_points.find(kind);
    text += (text.empty() ? "" : ", ") + kind + " " +
            std::to_string(met == at_points.end() ? 0 : met->second);
  }
  return text;
}

KillReport kill_again_and_again(const fs::path& folder, const KillWishes& wishes) {
  const Project project(folder);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wishes.seconds_max);
  const auto in_time = [&] {
    return wishes.seconds_max == 0 || std::chrono::steady_clock::now() < end;
  };
  std::atomic<int> left = wishes.kills;
  std::atomic<bool> over = false;
  Common common;
  std::vector<std::unique_ptr<Writer>> writers;
  std::vector<Findings> problems(static_cast<std::size_t>(wishes.writers) + 1);
  std::vector<std::thread> threads;
  for (int i = 0; i < wishes.writers; ++i) {
    writers.push_back(std::make_unique<Writer>(project, common, i,
                                               wishes.seed * 1000 + static_cast<std::uint64_t>(i)));
  }
  for (std::size_t i = 0; i < writers.size(); ++i) {
    threads.push_back(in_thread(problems[i], [&left, &in_time, &writers, i] {
      while (in_time() && left.fetch_sub(1) > 0) writers[i]->die_once();
      writers[i]->finish();
    }));
  }
  Onlooker onlooker(project, wishes.seed * 1000 + 999);
  std::thread looking = in_thread(problems.back(), [&] {
    while (!over) onlooker.look_once();
  });
  for (std::thread& thread : threads) thread.join();
  over = true;
  looking.join();

  KillReport report = onlooker.report();
  ToldByTarget told;
  for (const auto& writer : writers) {
    report.add(writer->report());
    for (const auto& [target, words] : writer->told()) told[target].add(words);
  }
  for (const Findings& problem : problems) report.found.add(problem);
  // What nobody asks for any more is carried out as well, and a copy is made of what that leaves.
  for (const char* command : {"work", "backup"}) {
    const Ended ended = run(project.command({command}));
    if (ended.code != 0) report.found.words.push_back(command + (" fails: " + ended.err));
  }
  report.found.add(look_at_store(project.state(), told));
  report.found.add(look_at_backups(project.state()));
  report.found.add(look_at_checks(project.state(), project.root() / "ran"));
  const auto waiting = state::inspect(project.state()).effects_waiting;
  if (waiting != 0) {
    report.found.words.push_back(std::to_string(waiting) + " effects were never delivered");
  }
  const std::string verdict = verdict_of_program(project.root(), project.state());
  if (!verdict.empty()) report.found.words.push_back(verdict);
  return report;
}

}  // namespace phasegate::soak

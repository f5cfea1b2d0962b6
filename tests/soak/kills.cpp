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
    static const std::vector<std::string> kCommands[] = {
        {"status"}, {"sessions", "--all"},    {"history"},
        {"work"},   {"status", "--all"},      {"doctor"},
        {"work"},   {"inbox", "--state", ""}, {"backup"},
    };
    std::vector<std::string> words =
        kCommands[static_cast<std::size_t>(killer_.number(std::size(kCommands)))];
    if (words.back().empty()) words.back() = project_.state().string();
    const Death death = killer_.one_in(2) ? killer_.next() : Death{};
    Child child(project_.command(words, death.point ? with_fault(*death.point) : Variables{}),
                Child::Streams::pipes, project_.errors());
    ++report_.commands;
    if (!death.point && death.patience.count() > 0) {
      static_cast<void>(child.read_line(death.patience));
      child.kill();
    } else {
      static_cast<void>(child.read_all());
    }
    const int code = child.wait();
    if (code == 128 + SIGKILL) {
      ++report_.kills;
      if (death.point) ++report_.at_points;
    } else if (code > 1 && !(code == 3 && !fs::exists(project_.state() / "state.db"))) {
      report_.found.words.push_back(words.front() + " ended with " + std::to_string(code));
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
  at_points += other.at_points;
  acknowledged += other.acknowledged;
  unanswered += other.unanswered;
  repeated += other.repeated;
  sessions += other.sessions;
  commands += other.commands;
  found.add(other.found);
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
  // What nobody asks for any more is carried out as well.
  if (run(project.command({"work"})).code != 0) report.found.words.emplace_back("work fails");
  report.found.add(look_at_store(project.state(), told));
  report.found.add(look_at_backups(project.state()));
  const auto waiting = state::inspect(project.state()).effects_waiting;
  if (waiting != 0) {
    report.found.words.push_back(std::to_string(waiting) + " effects were never delivered");
  }
  const std::string verdict = verdict_of_program(project.root(), project.state());
  if (!verdict.empty()) report.found.words.push_back(verdict);
  return report;
}

}  // namespace phasegate::soak

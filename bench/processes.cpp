// Many processes that write into one store at once, beside as many that write the same rows with
// SQLite alone; see README.md beside this.
//
//   bench_processes [DIR] [--processes N] [--each N] [--rounds N]
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ids.h"
#include "bench/bare_transactions.h"
#include "bench/scale_store.h"
#include "state/state.h"

namespace {

namespace fs = std::filesystem;
namespace bench = phasegate::bench;
namespace state = phasegate::state;
using Clock = std::chrono::steady_clock;

struct Load {
  int processes = 8;
  int each = 1000;
  int rounds = 3;
};

/// Nanoseconds that every transaction has taken, written by all processes.
class SharedTimes {
 public:
  explicit SharedTimes(std::size_t count) : count_(count) {
    void* memory = ::mmap(nullptr, count * sizeof(std::int64_t), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
    times_ = static_cast<std::int64_t*>(memory);
  }
  ~SharedTimes() { ::munmap(times_, count_ * sizeof(std::int64_t)); }
  SharedTimes(const SharedTimes&) = delete;
  SharedTimes& operator=(const SharedTimes&) = delete;

  std::int64_t& at(std::size_t index) { return times_[index]; }
  [[nodiscard]] std::vector<std::int64_t> sorted() const {
    std::vector<std::int64_t> all(times_, times_ + count_);
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  std::size_t count_;
  std::int64_t* times_ = nullptr;
};

/// Opens its own connection and gives what does one transaction.
using Opening = std::function<std::function<void()>(const fs::path& folder, const std::string& id)>;

struct Kind {
  const char* name;
  Opening open;
  std::vector<double> per_second = {};
  std::vector<double> p50_ms = {};
  std::vector<double> p99_ms = {};
  std::vector<double> longest_ms = {};
};

int work(const Load& load, int process, const Opening& open, const fs::path& folder,
         const std::string& id, int begin, SharedTimes& times) {
  try {
    const std::function<void()> once = open(folder, id);
    char byte = 0;
    if (::read(begin, &byte, 1) < 0) return 1;
    for (int i = 0; i < load.each; ++i) {
      const auto before = Clock::now();
      once();
      times.at(static_cast<std::size_t>(process * load.each + i)) =
          std::chrono::nanoseconds(Clock::now() - before).count();
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_processes: %s\n", error.what());
    return 1;
  }
}

std::vector<std::string> make_runs(const fs::path& folder, int count) {
  const auto store = state::open_store(folder);
  phasegate::base::SystemIdSource ids;
  std::vector<std::string> made;
  for (int i = 0; i < count; ++i) {
    made.push_back(ids.new_id());
    store->runs().create_run(bench::definition(), bench::started(made.back(), {1'800'000'000'000}),
                             false);
  }
  return made;
}

void run_round(const Load& load, Kind& kind, const fs::path& folder) {
  const std::vector<std::string> ids = make_runs(folder, load.processes);
  SharedTimes times(static_cast<std::size_t>(load.processes * load.each));
  int begin[2] = {-1, -1};
  if (::pipe(begin) != 0) throw std::runtime_error("no pipe");
  std::vector<pid_t> children;
  for (int process = 0; process < load.processes; ++process) {
    const pid_t pid = ::fork();
    if (pid < 0) throw std::runtime_error("fork failed");
    if (pid == 0) {
      ::close(begin[1]);
      ::_exit(work(load, process, kind.open, folder, ids[static_cast<std::size_t>(process)],
                   begin[0], times));
    }
    children.push_back(pid);
  }
  ::close(begin[0]);
  const auto before = Clock::now();
  ::close(begin[1]);  // the end of the pipe is what all wait for
  bool all_well = true;
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    all_well = all_well && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  const std::chrono::duration<double> took = Clock::now() - before;
  if (!all_well) throw std::runtime_error(std::string(kind.name) + ": a process failed");
  const auto sorted = times.sorted();
  const auto ms = [&](double share) {
    const auto at = static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1));
    return static_cast<double>(sorted[at]) / 1e6;
  };
  kind.per_second.push_back(static_cast<double>(sorted.size()) / took.count());
  kind.p50_ms.push_back(ms(0.5));
  kind.p99_ms.push_back(ms(0.99));
  kind.longest_ms.push_back(ms(1));
  fs::remove_all(folder);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::function<void()> open_through_store(const fs::path& folder, const std::string& id) {
  return [store = std::shared_ptr<state::Store>(state::open_store(folder)), id] {
    if (!store->runs().transact(id, bench::completed)) throw std::runtime_error("a run is gone");
  };
}

Opening open_bare(bench::Waiting waiting) {
  return [waiting](const fs::path& folder, const std::string& id) {
    const auto bare = std::make_shared<bench::BareTransactions>(folder / "state.db", id, waiting);
    return [bare] { bare->run(); };
  };
}

int run(const fs::path& folder, const Load& load) {
  std::vector<Kind> kinds = {
      {"the store", open_through_store},
      {"SQLite alone, waiting as the store does", open_bare(bench::Waiting::ours)},
      {"SQLite alone, its busy_timeout", open_bare(bench::Waiting::sqlites)}};
  for (int round = 0; round < load.rounds; ++round) {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      run_round(load, kinds[i], folder / (std::to_string(round) + "-" + std::to_string(i)));
    }
  }
  std::printf("%d processes, %d transactions each, median of %d rounds\n", load.processes,
              load.each, load.rounds);
  std::printf("%-42s %10s %10s %10s %12s\n", "", "per second", "p50 ms", "p99 ms", "longest ms");
  for (const Kind& kind : kinds) {
    std::printf("%-42s %10.0f %10.2f %10.2f %12.1f\n", kind.name, median(kind.per_second),
                median(kind.p50_ms), median(kind.p99_ms), median(kind.longest_ms));
  }
  const double store = median(kinds[0].per_second);
  std::printf(
      "throughput, by SQLite alone: %.2f x waiting as the store does, %.2f x with its own\n",
      store / median(kinds[1].per_second), store / median(kinds[2].per_second));
  return 0;
}

int number_from(const char* text) {
  int number = 0;
  const char* const end = text + std::strlen(text);
  const auto [stopped, failed] = std::from_chars(text, end, number);
  if (failed != std::errc() || stopped != end || number < 1) {
    throw std::runtime_error("a number is missing");
  }
  return number;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Load load;
    fs::path folder =
        fs::temp_directory_path() / ("phasegate-processes-" + std::to_string(::getpid()));
    int at = 1;
    if (at < argc && argv[at][0] != '-') folder = argv[at++];
    for (; at + 1 < argc; at += 2) {
      const std::string_view option = argv[at];
      int* const value = option == "--processes" ? &load.processes
                         : option == "--each"    ? &load.each
                         : option == "--rounds"  ? &load.rounds
                                                 : nullptr;
      if (value == nullptr) break;
      *value = number_from(argv[at + 1]);
    }
    if (at != argc) {
      std::fputs("bench_processes: [DIR] [--processes N] [--each N] [--rounds N]\n", stderr);
      return 2;
    }
    const int code = run(folder, load);
    fs::remove(folder);  // each round has removed its own
    return code;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_processes: %s\n", error.what());
    return 1;
  }
}

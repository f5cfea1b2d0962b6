// The write-ahead log stays short, whatever is written and whoever reads meanwhile.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/limits.h"
#include "state/db.h"
#include "state/run_store.h"
#include "state/store_file.h"
#include "tests/state/store_support.h"
#include "tests/support/files.h"

using namespace phasegate;
namespace fs = std::filesystem;

namespace {

/// A thousand pages until it is copied, and what is kept of it on disk.
constexpr std::uintmax_t kShort = 2 * base::limits::kStoreLogBytesKept;

/// Writes small transitions one after the other as a server does, but does not wait for the disk.
class Writer {
 public:
  explicit Writer(const fs::path& folder)
      : log_(folder / "state.db-wal"), file_(folder, {.busy_ms = base::limits::kStoreBusyMs}) {
    file_.for_writing().execute("PRAGMA synchronous=OFF");
  }

  /// The longest that the log has been.
  std::uintmax_t write(int transitions) {
    std::uintmax_t longest = 0;
    state::SqliteRunStore runs(file_);
    for (int i = 0; i < transitions; ++i) {
      const auto done = runs.transact(test::run_id(1), [](const gating::RunState& run) {
        return test::step_of(run, R"({"n":1})");
      });
      REQUIRE(done.has_value());
      longest = std::max(longest, fs::file_size(log_));
    }
    return longest;
  }

 private:
  fs::path log_;
  state::StoreFile file_;
};

/// Calls something when it goes out of scope.
template <typename Call>
class AtEnd {
 public:
  explicit AtEnd(Call call) : call_(std::move(call)) {}
  ~AtEnd() { call_(); }
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;

 private:
  Call call_;
};

}  // namespace

TEST_CASE("log: stays short over thousands of small transitions") {
  const test::TempFolder temp;
  test::add_run(temp.path());
  Writer writer(temp.path());
  CHECK(writer.write(3'000) <= kShort);
}

TEST_CASE("log: what a long reader has made of it is short again once the reader has ended") {
  const test::TempFolder temp;
  test::add_run(temp.path());
  Writer writer(temp.path());
  {
    state::Db other(temp.path() / "state.db", {.mode = state::DbOptions::Mode::read_only});
    const state::Snapshot reader(other);
    CHECK(other.query_integer("SELECT count(*) FROM journal") == 1);
    CHECK(writer.write(3'000) > kShort);
    CHECK(other.query_integer("SELECT count(*) FROM journal") == 1);
  }
  writer.write(10);
  CHECK(fs::file_size(temp.path() / "state.db-wal") <= kShort);
}

TEST_CASE("log: readers that follow each other without a gap do not let it grow without end") {
  const test::TempFolder temp;
  test::add_run(temp.path());
  Writer writer(temp.path());
  std::atomic<bool> done = false;
  std::atomic<int> begun = 0;
  std::atomic<int> reads = 0;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      state::Db db(temp.path() / "state.db", {.mode = state::DbOptions::Mode::read_only,
                                              .busy_ms = base::limits::kStoreBusyMs});
      while (!done) {
        const state::Snapshot snapshot(db);
        const int mine = ++begun;
        begun.notify_all();
        static_cast<void>(db.query_integer("SELECT count(*) FROM run"));
        // Nobody ends before another has begun.
        if (!done) begun.wait(mine);
        ++reads;
        reads.notify_all();
      }
    });
  }
  // Before the threads are joined, however this ends.
  const AtEnd end_of_readers([&] {
    done = true;
    // Wakes whoever still waits for another.
    ++begun;
    begun.notify_all();
  });
  for (int now = reads; now < 10; now = reads) reads.wait(now);
  constexpr int kTransitions = 2'000;
  const std::uintmax_t longest = writer.write(kTransitions);
  // Each writes seven pages; how much of them stays depends on when the readers get time.
  CHECK(longest < kTransitions * 4 * 4096);
}

#include "rag/background_index.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <doctest/doctest.h>
#include <sqlite3.h>

#include "gating/engine/ports.h"
#include "tests/rag/index_support.h"

namespace phasegate::rag {
namespace {

using Files = std::vector<std::string>;
using test::files_found;
using test::Library;

constexpr std::int64_t kLongMs = 30'000;

/// Looks again and again until it is so; false after the time in which it should have been.
template <typename So>
bool becomes(const So& so) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(kLongMs);
  while (!so()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::yield();
  }
  return true;
}

/// The rules cannot be copied: the thread makes its own.
BackgroundIndex::Rules rules_of(Library& library) {
  return [root = library.rules().root]() -> base::Result<SourceRules> {
    SourceRules rules;
    rules.root = root;
    rules.folders = {"standards"};
    return rules;
  };
}

TEST_CASE("background index: what changes is found, whoever changes it and however") {
  Library library;
  library.write("standards/locks.md", "# Locks\n\nTake mutexes in one order.\n");
  BackgroundIndex kept(library.index(), library.rules().root, rules_of(library));
  CHECK_FALSE(kept.state().begun);
  REQUIRE(kept.ready(kLongMs));
  CHECK(kept.state().watching);
  Finder finder(library.index());
  CHECK(files_found(finder, library.rules(), "mutex") == Files{"standards/locks.md"});

  library.write("standards/new/retry.md", "# Retries\n\nBack off exponentially.\n");
  CHECK(becomes([&] {
    return files_found(finder, library.rules(), "exponentially") == Files{"standards/new/retry.md"};
  }));
  library.replace("standards/new/retry.md", "# Retries\n\nGive up after three.\n");
  CHECK(becomes([&] {
    return files_found(finder, library.rules(), "three") == Files{"standards/new/retry.md"};
  }));
  library.move("standards/new", "standards/moved");
  CHECK(becomes([&] {
    return files_found(finder, library.rules(), "three") == Files{"standards/moved/retry.md"};
  }));
  library.remove("standards/moved/retry.md");
  CHECK(becomes([&] { return Indexer(library.index()).index().count_files() == 1; }));
}

TEST_CASE("background index: begins without a folder and finds it when it comes") {
  Library library;
  BackgroundIndex kept(library.index(), library.rules().root, rules_of(library));
  REQUIRE(kept.ready(kLongMs));
  Finder finder(library.index());
  CHECK(files_found(finder, library.rules(), "mutex").empty());
  library.write("standards/locks.md", "# Locks\n\nTake mutexes in one order.\n");
  CHECK(becomes([&] {
    return files_found(finder, library.rules(), "mutex") == Files{"standards/locks.md"};
  }));
}

TEST_CASE("background index: what SQLite refuses of a damaged index ends no thread") {
  Library library;
  library.write("standards/locks.md", "# Locks\n\nTake mutexes in one order.\n");
  {
    Indexer indexer(library.index());
    static_cast<void>(indexer.look(library.rules(), test::always));
    sqlite3* db = nullptr;
    REQUIRE(sqlite3_open((library.index() / indexer.index().name()).c_str(), &db) == SQLITE_OK);
    CHECK(sqlite3_exec(db, "UPDATE words_config SET v = 0 WHERE k = 'version'", nullptr, nullptr,
                       nullptr) == SQLITE_OK);
    sqlite3_close(db);
  }
  library.write("standards/retry.md", "# Retries\n\nBack off exponentially.\n");
  BackgroundIndex kept(library.index(), library.rules().root, rules_of(library));
  REQUIRE(kept.ready(kLongMs));
  Finder finder(library.index());
  CHECK(becomes([&] {
    return files_found(finder, library.rules(), "mutex") == Files{"standards/locks.md"} &&
           files_found(finder, library.rules(), "exponentially") == Files{"standards/retry.md"};
  }));
}

TEST_CASE("background index: says why it cannot go on, and goes on once it can") {
  Library library;
  library.write("standards/locks.md", "# Locks\n\nTake mutexes in one order.\n");
  std::atomic<bool> sound = false;
  const auto rules = rules_of(library);
  BackgroundIndex kept(library.index(), library.rules().root, [&]() -> base::Result<SourceRules> {
    if (!sound) return base::Error{"unsound_search", "mend it", "", ""};
    return rules();
  });
  CHECK_FALSE(kept.ready(kLongMs));
  REQUIRE(kept.state().failed);
  CHECK(kept.state().failed->code == "unsound_search");
  sound = true;
  kept.look_again();
  CHECK(becomes([&] { return kept.ready(0) && !kept.state().failed; }));
}

}  // namespace
}  // namespace phasegate::rag

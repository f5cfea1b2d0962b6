#include "rag/indexer.h"

#include <fstream>

#include <doctest/doctest.h>

#include "rag/index_schema.h"
#include "tests/rag/index_support.h"

namespace phasegate::rag {
namespace {

using Files = std::vector<std::string>;
using test::always;
using test::files_found;
using test::Library;

TEST_CASE("indexer: documents that appear, change, move and go are found as they are") {
  Library library;
  library.write("standards/locks.md", "# Locks\n\nTake mutexes in one order.\n");
  library.write("standards/retry.md", "# Retries\n\nBack off exponentially.\n");
  Indexer indexer(library.index());
  Finder finder(library.index());
  LookReport report = indexer.look(library.rules(), always);
  CHECK(report.added == 2);
  CHECK(report.finished);
  CHECK(indexer.index().totals().complete);
  CHECK(files_found(finder, library.rules(), "mutex order") == Files{"standards/locks.md"});

  SUBCASE("nothing has changed: nothing is read") {
    // Read so soon after it was written that only a second reading can tell.
    static_cast<void>(indexer.look(library.rules(), always));
    report = indexer.look(library.rules(), always);
    CHECK_FALSE(report.any());
  }
  SUBCASE("changed") {
    library.replace("standards/locks.md", "# Locks\n\nPrefer channels to sharing.\n");
    report = indexer.look(library.rules(), always);
    CHECK(report.changed == 1);
    CHECK(report.read >= 1);
    CHECK(files_found(finder, library.rules(), "mutex").empty());
    CHECK(files_found(finder, library.rules(), "channels") == Files{"standards/locks.md"});
  }
  SUBCASE("added") {
    library.write("standards/deep/er/cache.md", "# Caches\n\nInvalidate by version.\n");
    report = indexer.look_in(library.rules(), {"standards/deep/er"}, {}, always);
    CHECK(report.added == 1);
    CHECK(files_found(finder, library.rules(), "invalidate") ==
          Files{"standards/deep/er/cache.md"});
  }
  SUBCASE("deleted") {
    library.remove("standards/locks.md");
    report = indexer.look_in(library.rules(), {"standards"}, {}, always);
    CHECK(report.removed == 1);
    CHECK(files_found(finder, library.rules(), "mutex").empty());
    CHECK(indexer.index().count_files() == 1);
  }
  SUBCASE("renamed, with a name that needs quotes") {
    library.move("standards/locks.md", "standards/team's \"locks\".md");
    report = indexer.look(library.rules(), always);
    CHECK(report.added == 1);
    CHECK(report.removed == 1);
    CHECK(files_found(finder, library.rules(), "mutex") == Files{"standards/team's \"locks\".md"});
  }
  SUBCASE("renamed to another case of letters") {
    library.move("standards/locks.md", "standards/Locks.md");
    static_cast<void>(indexer.look(library.rules(), always));
    CHECK(files_found(finder, library.rules(), "mutex") == Files{"standards/Locks.md"});
  }
  SUBCASE("emptied") {
    library.write("standards/locks.md", "");
    static_cast<void>(indexer.look(library.rules(), always));
    CHECK(files_found(finder, library.rules(), "mutex").empty());
    CHECK(indexer.check().empty());
  }
  SUBCASE("another text with an older time") {
    library.write("standards/locks.md", "# Locks\n\nPrefer channels to sharing.\n");
    std::filesystem::last_write_time(
        library.at("standards/locks.md"),
        std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * 365));
    CHECK(indexer.look(library.rules(), always).changed == 1);
    CHECK(files_found(finder, library.rules(), "channels") == Files{"standards/locks.md"});
  }
  CHECK(indexer.check().empty());
}

TEST_CASE("indexer: what was done before a stop is kept, and the rest follows") {
  Library library;
  for (int i = 0; i < 600; ++i) {
    library.write("standards/" + std::to_string(i) + ".md",
                  "# Rule " + std::to_string(i) + "\n\nalways check" + std::to_string(i) + "\n");
  }
  Indexer indexer(library.index());
  Indexer other(library.index());
  const LookReport stopped =
      indexer.look(library.rules(), [&] { return other.index().count_files() == 0; });
  CHECK_FALSE(stopped.finished);
  CHECK(stopped.added > 0);
  CHECK(stopped.added < 600);
  CHECK_FALSE(indexer.index().totals().complete);
  const LookReport rest = indexer.look(library.rules(), always);
  CHECK(rest.finished);
  CHECK(stopped.added + rest.added == 600);
  CHECK(indexer.index().totals().complete);
}

TEST_CASE("indexer: a rebuild is swapped in whole, and who had the old index open goes over") {
  Library library;
  library.write("standards/locks.md", "# Locks\n\nTake mutexes in one order.\n");
  Indexer indexer(library.index());
  static_cast<void>(indexer.look(library.rules(), always));
  Finder finder(library.index());
  REQUIRE(files_found(finder, library.rules(), "mutex").size() == 1);
  const std::string before = indexer.index().name();

  Indexer other(library.index());
  REQUIRE(other.index().name() == before);
  library.write("standards/retry.md", "# Retries\n\nBack off exponentially.\n");
  CHECK(indexer.rebuild(library.rules(), always).added == 2);
  CHECK(indexer.index().name() != before);
  CHECK_FALSE(std::filesystem::exists(library.index() / before));
  CHECK(files_found(finder, library.rules(), "exponentially") == Files{"standards/retry.md"});
  library.write("standards/third.md", "# Third\n\nLog the correlation id.\n");
  CHECK(other.look(library.rules(), always).added == 1);
  CHECK(other.index().name() == indexer.index().name());
  CHECK(files_found(finder, library.rules(), "correlation") == Files{"standards/third.md"});
}

/// What a program or a person may leave where the index was.
struct Wreck {
  const char* what;
  void (*make)(const std::filesystem::path& file, const std::filesystem::path& folder);
};

void overwrite(const std::filesystem::path& file, std::size_t from, std::size_t count, char with) {
  std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
  stream.seekp(static_cast<std::streamoff>(from));
  stream << std::string(count, with);
}

TEST_CASE("indexer: an index that is damaged, foreign or of another version is made anew") {
  const Wreck wrecks[] = {
      {"empty", [](const auto& file, const auto&) { std::filesystem::resize_file(file, 0); }},
      {"cut short",
       [](const auto& file, const auto&) { std::filesystem::resize_file(file, 5000); }},
      {"text", [](const auto& file, const auto&) { test::write_file(file, "no database\n"); }},
      {"overwritten from the first page on",
       [](const auto& file, const auto&) { overwrite(file, 100, 8000, 'x'); }},
      {"gone", [](const auto& file, const auto&) { std::filesystem::remove(file); }},
      {"a newer version",
       [](const auto& file, const auto&) {
         state::Db db(file, {});
         db.execute("PRAGMA user_version=99");
       }},
      {"without its tables",
       [](const auto& file, const auto&) {
         state::Db db(file, {});
         db.execute("DROP TABLE passage");
       }},
      {"the whole folder is gone",
       [](const auto&, const auto& folder) {
         for (const auto& entry : std::filesystem::directory_iterator(folder)) {
           std::filesystem::remove(entry);
         }
       }},
      {"a name that leads elsewhere",
       [](const auto&, const auto& folder) {
         test::write_file(folder / ("current-" + std::to_string(kIndexFormat)), "../../state.db");
       }},
  };
  for (const Wreck& wreck : wrecks) {
    for (const bool looks_first : {true, false}) {
      const std::string what = wreck.what;
      CAPTURE(what);
      CAPTURE(looks_first);
      Library library;
      library.write("standards/locks.md", "# Locks\n\nTake mutexes in one order.\n");
      std::filesystem::path file;
      {
        Indexer indexer(library.index());
        static_cast<void>(indexer.look(library.rules(), always));
        file = library.index() / indexer.index().name();
      }
      wreck.make(file, library.index());
      Finder finder(library.index());
      if (!looks_first) {
        // Nothing, and that it is not all, rather than something wrong.
        SearchRequest request;
        request.query = "mutex";
        const auto answer = finder.search(request, library.rules(), nullptr);
        REQUIRE(answer);
        CHECK(answer->passages.empty());
        CHECK_FALSE(answer->complete);
      }
      Indexer indexer(library.index());
      static_cast<void>(indexer.look(library.rules(), always));
      CHECK(indexer.check().empty());
      CHECK(files_found(finder, library.rules(), "mutex") == Files{"standards/locks.md"});
    }
  }
}

TEST_CASE("indexer: files that are cut while they are open end nothing, and are made anew") {
  for (const char* suffix : {"", "-wal", "-shm"}) {
    for (const bool whole : {true, false}) {
      CAPTURE(suffix);
      CAPTURE(whole);
      Library library;
      library.write("standards/locks.md", "# Locks\n\nTake mutexes in one order.\n");
      Indexer indexer(library.index());
      static_cast<void>(indexer.look(library.rules(), always));
      Finder finder(library.index());
      REQUIRE(files_found(finder, library.rules(), "mutex").size() == 1);
      const std::filesystem::path file =
          library.index() / (indexer.index().name() + std::string(suffix));
      REQUIRE(std::filesystem::exists(file));
      std::filesystem::resize_file(file, whole ? 0 : std::filesystem::file_size(file) / 2);
      const auto found = files_found(finder, library.rules(), "mutex");
      CHECK((found.empty() || found == Files{"standards/locks.md"}));
      static_cast<void>(indexer.look(library.rules(), always));
      CHECK(files_found(finder, library.rules(), "mutex") == Files{"standards/locks.md"});
    }
  }
}

TEST_CASE("indexer: two that begin at once share the work and lose nothing") {
  Library library;
  for (int i = 0; i < 40; ++i) {
    library.write("standards/" + std::to_string(i) + ".md",
                  "# Rule " + std::to_string(i) + "\n\nword" + std::to_string(i) + "\n");
  }
  Indexer first(library.index());
  Indexer second(library.index());
  REQUIRE(first.index().name() == second.index().name());
  bool went = false;
  const LookReport report = first.look(library.rules(), [&] {
    if (!went) {
      went = true;
      static_cast<void>(second.look(library.rules(), always));
    }
    return true;
  });
  CHECK(report.finished);
  static_cast<void>(second.look(library.rules(), always));
  CHECK(first.index().count_files() == 40);
  CHECK(first.index().totals().passages == 40);
  CHECK(first.check().empty());
}

TEST_CASE("indexer: what may not be searched any more goes with the next look") {
  Library library;
  library.write("standards/locks.md", "# Locks\n\nTake mutexes in one order.\n");
  library.write("standards/plans/next.md", "# Plans\n\nThe secret of phase two.\n");
  Indexer indexer(library.index());
  Finder finder(library.index());
  static_cast<void>(indexer.look(library.rules(), always));
  REQUIRE(files_found(finder, library.rules(), "secret phase two").size() == 1);
  library.rules().withheld.folders.push_back(
      std::filesystem::canonical(library.at("standards/plans")));
  CHECK_MESSAGE(files_found(finder, library.rules(), "secret phase two").empty(),
                "not even before the next look");
  static_cast<void>(indexer.look(library.rules(), always));
  CHECK(indexer.index().count_files() == 1);
}

}  // namespace
}  // namespace phasegate::rag

#include "rag/finder.h"

#include <set>

#include <doctest/doctest.h>

#include "base/hash.h"
#include "rag/text_digest.h"
#include "tests/rag/index_support.h"

namespace phasegate::rag {
namespace {

using Files = std::vector<std::string>;
using test::always;
using test::files_found;
using test::Library;

SearchAnswer searched(Finder& finder, Library& library, const SearchRequest& request,
                      const SessionText* session = nullptr) {
  auto answer = finder.search(request, library.rules(), session);
  REQUIRE_MESSAGE(answer, answer.error().message);
  return std::move(answer).value();
}

SearchRequest asking(std::string query) {
  SearchRequest request;
  request.query = std::move(query);
  return request;
}

/// A paragraph that is a passage by itself.
std::string filler(const std::string& word) {
  std::string text;
  while (text.size() < 450) text += word + " and so on and so forth, ";
  return text + "\n\n";
}

void index(Library& library) {
  static_cast<void>(Indexer(library.index()).look(library.rules(), always));
}

TEST_CASE("finder: a passage says where it stands and what it says") {
  Library library;
  library.write("standards/testing/doubles.md",
                "---\ntags: [Mocks]\nphase: 2\n---\n# Test doubles\n\n" + filler("About doubles") +
                    "## When to fake\n\nFake what is slow.\n" + filler("About fakes"));
  index(library);
  Finder finder(library.index());
  const SearchAnswer answer = searched(finder, library, asking("fake slow"));
  REQUIRE(answer.passages.size() == 1);
  const FoundPassage& passage = answer.passages[0];
  CHECK(passage.file == "standards/testing/doubles.md");
  CHECK(passage.section == "Test doubles > When to fake");
  CHECK(passage.phase == "2");
  CHECK(passage.content.find("Fake what is slow.") != std::string::npos);
  CHECK(passage.line_first == 9);
  CHECK(passage.line_last == 12);
  CHECK(passage.relevance > 0);
  CHECK(passage.relevance <= 1);
  CHECK(passage.id.size() == 16);
  CHECK(std::set<std::string>(passage.tags.begin(), passage.tags.end()).contains("mocks"));
  CHECK(answer.complete);
  CHECK_FALSE(answer.more);
}

TEST_CASE("finder: a text that has changed since it was indexed is never answered as it was") {
  Library library;
  library.write("standards/locks.md", "# Locks\n\nTake mutexes in one order.\n");
  library.write("standards/retry.md", "# Retries\n\nBack off exponentially.\n");
  index(library);
  Finder finder(library.index());
  SUBCASE("changed") {
    library.write("standards/locks.md", "# Locks\n\nTake mutexes in any order you like.\n");
    const SearchAnswer answer = searched(finder, library, asking("mutex order"));
    REQUIRE(answer.passages.size() == 1);
    CHECK(answer.passages[0].content.find("any order you like") != std::string::npos);
  }
  SUBCASE("changed, as long as before, within one tick of the clock") {
    for (int i = 0; i < 20; ++i) {
      const std::string word = "word" + std::string(1, static_cast<char>('a' + i));
      library.write("standards/locks.md", "# Locks\n\nTake mutexes in " + word + ".\n");
      const SearchAnswer answer = searched(finder, library, asking("mutexes"));
      REQUIRE(answer.passages.size() == 1);
      CHECK(answer.passages[0].content.find(word) != std::string::npos);
    }
  }
  SUBCASE("changed to something else") {
    library.write("standards/locks.md", "# Locks\n\nPrefer channels.\n");
    CHECK(files_found(finder, library.rules(), "mutex").empty());
    CHECK(files_found(finder, library.rules(), "channels") == Files{"standards/locks.md"});
  }
  SUBCASE("deleted") {
    library.remove("standards/locks.md");
    CHECK(files_found(finder, library.rules(), "mutex").empty());
  }
  SUBCASE("a link out of the project in its place") {
    const test::TempFolder outside;
    outside.write("locks.md", "# Locks\n\nTake mutexes in one order.\n");
    library.remove("standards/locks.md");
    std::filesystem::create_symlink(outside.path() / "locks.md", library.at("standards/locks.md"));
    CHECK(files_found(finder, library.rules(), "mutex").empty());
  }
  SUBCASE("ignored by git since") {
    library.write(".gitignore", "locks.md\n");
    CHECK(files_found(finder, library.rules(), "mutex").empty());
  }
}

TEST_CASE("finder: the same passage in several files is one, which names the others") {
  Library library;
  for (const char* name : {"a", "b", "c"}) {
    library.write("standards/" + std::string(name) + ".md",
                  "# Title " + std::string(name) + "\n\n" + filler(name) +
                      "## Licence\n\nDo what you like with it, " +
                      "but keep the notice, name who wrote it, and say what you changed.\n" +
                      filler("Warranty"));
  }
  index(library);
  Finder finder(library.index());
  const SearchAnswer answer = searched(finder, library, asking("keep the notice"));
  REQUIRE(answer.passages.size() == 1);
  CHECK(answer.passages[0].also_in.size() == 2);
}

TEST_CASE("finder: pages hold every passage once, in the order of one long page") {
  Library library;
  for (int i = 0; i < 23; ++i) {
    library.write("standards/" + std::to_string(i) + ".md",
                  "# Rule " + std::to_string(i) + "\n\nEvery handler needs a timeout. " +
                      std::string(static_cast<std::size_t>(i) * 20, 'x') + "\n");
  }
  index(library);
  Finder finder(library.index());
  SearchRequest all = asking("timeout");
  all.results = 100;
  const SearchAnswer whole = searched(finder, library, all);
  CHECK(whole.passages.size() == 23);
  CHECK_FALSE(whole.more);
  std::vector<std::string> ids;
  SearchRequest page = asking("timeout");
  for (bool more = true; more;) {
    const SearchAnswer part = searched(finder, library, page);
    for (const FoundPassage& passage : part.passages) ids.push_back(passage.id);
    more = part.more;
    page.offset += part.passages.size();
    REQUIRE(part.passages.size() <= page.results);
    REQUIRE(ids.size() <= 23);
  }
  REQUIRE(ids.size() == 23);
  for (std::size_t i = 0; i < ids.size(); ++i) CHECK(ids[i] == whole.passages[i].id);
}

TEST_CASE("finder: filters take the phase and the tags of documents") {
  Library library;
  library.write("standards/phase-2-plan.md", "# Plan\n\nWrite the budget down.\n");
  library.write("standards/money/budget.md", "# Budget\n\nA budget has a limit.\n");
  index(library);
  Finder finder(library.index());
  SearchRequest request = asking("budget");
  CHECK(searched(finder, library, request).passages.size() == 2);
  request.phase = "2";
  REQUIRE(searched(finder, library, request).passages.size() == 1);
  CHECK(searched(finder, library, request).passages[0].file == "standards/phase-2-plan.md");
  request.phase = "1";
  CHECK(searched(finder, library, request).passages.empty());
  request.phase = "";
  request.tags = {"money", "unheard-of"};
  REQUIRE(searched(finder, library, request).passages.size() == 1);
  CHECK(searched(finder, library, request).passages[0].file == "standards/money/budget.md");
}

SessionText reached() {
  SessionText session;
  session.workflow = "review";
  session.digest = "d1";
  session.documents = {{"phases/1/phase.md", "1", "# Phase 1\n\nCount the zebras in the plan.\n"},
                       {"core/guide.md", "", "# Guide\n\nZebras are striped.\n"}};
  return session;
}

TEST_CASE("finder: what a session has reached is found with it and without it not at all") {
  Library library;
  library.write("standards/animals.md", "# Animals\n\nA zebra is no horse.\n");
  index(library);
  Finder finder(library.index());
  CHECK(files_found(finder, library.rules(), "zebra") == Files{"standards/animals.md"});
  const SessionText session = reached();
  CHECK_FALSE(finder.knows("d1"));
  SearchAnswer answer = searched(finder, library, asking("zebras"), &session);
  CHECK(answer.passages.size() == 3);
  CHECK(finder.knows("d1"));

  SessionText again = session;
  again.documents.clear();
  SearchRequest own = asking("zebras");
  own.workflow = "review";
  answer = searched(finder, library, own, &again);
  REQUIRE(answer.passages.size() == 2);
  for (const FoundPassage& passage : answer.passages) CHECK(passage.workflow == "review");
  own.phase = "1";
  answer = searched(finder, library, own, &again);
  REQUIRE(answer.passages.size() == 1);
  CHECK(answer.passages[0].file == "phases/1/phase.md");
  CHECK(answer.passages[0].phase == "1");
  CHECK(files_found(finder, library.rules(), "zebra") == Files{"standards/animals.md"});
  CHECK(files_found(finder, library.rules(), "striped").empty());
}

TEST_CASE("finder: a copy of a text that belongs to a phase is not found") {
  Library library;
  const std::string text = "# Phase 2\n\nThe canary sings at dawn.\n";
  library.write("standards/copy.md", text);
  index(library);
  Finder finder(library.index());
  REQUIRE(files_found(finder, library.rules(), "canary").size() == 1);
  SUBCASE("as it is") {
    library.rules().withheld.digests.insert(base::sha256_hex(text));
  }
  SUBCASE("saved by another system") {
    library.write("standards/copy.md",
                  "\xEF\xBB\xBF# Phase 2\r\n\r\nThe canary sings at dawn.\r\n");
    REQUIRE(files_found(finder, library.rules(), "canary").size() == 1);
    library.rules().withheld.digests.insert(plain_digest(text));
  }
  CHECK(files_found(finder, library.rules(), "canary").empty());
  // Not even what it could mean is told.
  CHECK(searched(finder, library, asking("canarx")).corrected.empty());
  finder.drop_withheld(library.rules());
  CHECK(Indexer(library.index()).index().count_files() == 0);
}

TEST_CASE("finder: queries that are no words are refused, all others are words") {
  Library library;
  library.write("standards/sql.md", "# Queries\n\nNever DROP TABLE users in production.\n");
  index(library);
  Finder finder(library.index());
  for (const char* query : {"", "   ", "\"\"", "?!*", "\xF0\x9F\x98\x80"}) {
    CAPTURE(query);
    const auto answer = finder.search(asking(query), library.rules(), nullptr);
    REQUIRE_FALSE(answer);
    CHECK(answer.error().code == "invalid_query");
    CHECK_FALSE(answer.error().hint.empty());
  }
  for (const char* query :
       {"'; DROP TABLE users --", "drop AND (table OR", "NEAR(drop table)", "title:drop", "drop*",
        "^drop", "\"drop table", "drop\ttable\n", "(?i)drop.*table$", "DROP"}) {
    CAPTURE(query);
    CHECK(files_found(finder, library.rules(), query) == Files{"standards/sql.md"});
  }
}

TEST_CASE("finder: a misspelt word is searched as the nearest that is there, and that is said") {
  Library library;
  library.write("standards/locks.md", "# Concurrency\n\nTransactions need isolation.\n");
  index(library);
  Finder finder(library.index());
  const SearchAnswer answer = searched(finder, library, asking("isolatoin"));
  REQUIRE(answer.passages.size() == 1);
  REQUIRE(answer.corrected.size() == 1);
  CHECK(answer.corrected[0].written == "isolatoin");
  CHECK(answer.corrected[0].taken == "isolation");
}

}  // namespace
}  // namespace phasegate::rag

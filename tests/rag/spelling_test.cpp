#include "rag/spelling.h"

#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "rag/memory_collection.h"

using namespace phasegate;

namespace {

rag::MemoryCollection collection_of(const std::vector<std::string_view>& texts) {
  rag::MemoryCollection collection;
  for (const std::string_view text : texts) {
    rag::PassageFields fields;
    fields.of(rag::Field::text) = text;
    collection.add(std::move(fields));
  }
  return collection;
}

rag::Spelling spelling(rag::Collection& collection, std::string_view text,
                       const std::function<bool(rag::PassageId)>& accepts = nullptr) {
  const auto query = rag::parse_query(text);
  REQUIRE(query);
  return rag::spelling_of(*query, collection, accepts);
}

}  // namespace

TEST_CASE("spelling: the nearest word as it stands in a passage") {
  rag::MemoryCollection collection = collection_of({
      "The validation of evidence, and who receives it. Valid values.",
      "Implementation of a gate; the gates of a workflow.",
      "Größe, überprüfen, Überprüfung",
      "a grate for rats",
      "snake_case HTTPServer",
      "gate and gate again",
  });
  struct Row {
    std::string_view query;
    std::string_view text;
  };
  const Row rows[] = {
      {"validtaion", "validation"},
      {"implementaton", "implementation"},
      {"recieves", "receives"},
      {"evidense", "evidence"},
      {"evdience for workflwo", "evidence workflow"},
      {"gaet", "gate"},
      {"gatess", "gates"},
      // The first letter may be wrong, if no word begins with that one.
      {"qorkflow", "workflow"},
      {"uberprufnug", "uberprufung"},
      // One of several is near.
      {"zzzzzzzz implementaton", "zzzzzzzz implementation"},
      // Nothing is near, or the word is too short to say, or nothing is wrong.
      {"zzzzzzzz", ""},
      {"gte", ""},
      {"validtoinx", ""},
      {"gate", ""},
      {"gate evidense", ""},
      {"ghte_implementaton", "gate implementation"},
      {"2023", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.query);
    const rag::Spelling got = spelling(collection, row.query);
    CHECK(got.text == row.text);
    CHECK(got.corrections.empty() == row.text.empty());
  }
  const rag::Spelling two = spelling(collection, "Evdience workflwo");
  REQUIRE(two.corrections.size() == 2);
  CHECK(two.corrections[0].word == "evdience");
  CHECK(two.corrections[0].meant == "evidence");
}

TEST_CASE("spelling: of equally near words the one that more passages hold") {
  rag::MemoryCollection collection =
      collection_of({"branch", "brunch", "brunch", "brunch again", "branch", "french"});
  CHECK(spelling(collection, "brxnch").text == "brunch");
}

TEST_CASE("spelling: only words of passages that are accepted") {
  rag::MemoryCollection collection = collection_of({"canary", "an open text"});
  CHECK(spelling(collection, "canray").text == "canary");
  CHECK(spelling(collection, "canray", [](rag::PassageId id) { return id == 1; }).text.empty());
}

TEST_CASE("spelling: nothing to go by, and very much") {
  rag::MemoryCollection empty;
  CHECK(spelling(empty, "gate").text.empty());
  rag::MemoryCollection collection;
  for (int i = 0; i < 2000; ++i) {
    rag::PassageFields fields;
    fields.of(rag::Field::text) = "word" + std::string(1, static_cast<char>('a' + i % 26)) + "x" +
                                  std::to_string(i) + " " + std::string(64, 'w');
    collection.add(std::move(fields));
  }
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "wrd" + std::to_string(i) + "y ";
  (void)spelling(collection, many);
  CHECK(spelling(collection, std::string(64, 'w') + "v").text.empty());
  CHECK(spelling(collection, std::string(63, 'w')).text == std::string(64, 'w'));
}

TEST_CASE("spelling: edit distance") {
  struct Row {
    std::u32string_view a;
    std::u32string_view b;
    std::size_t distance;
  };
  const Row rows[] = {
      {U"", U"", 0},        {U"a", U"", 1},        {U"abc", U"abc", 0},
      {U"abc", U"acb", 1},  {U"abc", U"abd", 1},   {U"abc", U"ab", 1},
      {U"abc", U"xabc", 1}, {U"abcd", U"badc", 2}, {U"kitten", U"sitting", 3},
      {U"abc", U"xyz", 3},  {U"a", U"abcdef", 3},
  };
  for (const Row& row : rows) {
    CHECK(rag::edit_distance(row.a, row.b, 2) == row.distance);
    CHECK(rag::edit_distance(row.b, row.a, 2) == row.distance);
  }
}

#include "rag/ranking.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "base/limits.h"
#include "rag/joint_collection.h"
#include "rag/memory_collection.h"
#include "rag/ranking_recipe.h"

using namespace phasegate;

namespace {

rag::PassageFields passage(std::string_view title, std::string_view text,
                           std::string_view code = "", std::string_view path = "") {
  rag::PassageFields fields;
  fields.of(rag::Field::title) = title;
  fields.of(rag::Field::path) = path;
  fields.of(rag::Field::text) = text;
  fields.of(rag::Field::code) = code;
  return fields;
}

rag::Ranking ranked(rag::Collection& collection, std::string_view text, std::size_t results = 10,
                    std::function<bool(rag::PassageId)> accepts = nullptr) {
  const auto query = rag::parse_query(text);
  REQUIRE(query);
  return rag::rank(*query, collection, {results, std::move(accepts)});
}

/// The passages in order, as `2 0 1`.
std::string order(rag::Collection& collection, std::string_view text, std::size_t results = 10,
                  std::function<bool(rag::PassageId)> accepts = nullptr) {
  std::string out;
  for (const rag::Ranked& one : ranked(collection, text, results, std::move(accepts)).passages) {
    if (!out.empty()) out += ' ';
    out += std::to_string(one.passage);
  }
  return out;
}

/// Passages about other things, so that words are as rare as in a collection.
void add_others(rag::MemoryCollection& collection, int count) {
  for (int i = 0; i < count; ++i) {
    collection.add(passage(
        "other", "some other words about nothing in particular number" + std::to_string(i)));
  }
}

/// Counts what it is asked.
class Counting final : public rag::Collection {
 public:
  explicit Counting(rag::Collection& inner) : inner_(inner) {}
  std::size_t size() override { return inner_.size(); }
  rag::PassageId bound() override { return inner_.bound(); }
  const std::array<double, rag::kFields>& mean_lengths() override { return inner_.mean_lengths(); }
  const rag::Counts& lengths(rag::PassageId id) override { return inner_.lengths(id); }
  void postings(std::string_view term, std::vector<rag::Posting>& into) override {
    ++postings_read;
    inner_.postings(term, into);
  }
  std::size_t frequency(std::string_view term) override { return inner_.frequency(term); }
  rag::PassageFields fields(rag::PassageId id) override {
    texts_read.push_back(id);
    return inner_.fields(id);
  }
  void terms_beginning(std::string_view first,
                       const std::function<void(std::string_view, std::size_t)>& each) override {
    inner_.terms_beginning(first, each);
  }

  std::size_t postings_read = 0;
  std::vector<rag::PassageId> texts_read;

 private:
  rag::Collection& inner_;
};

}  // namespace

TEST_CASE("ranking: nothing to find") {
  rag::MemoryCollection empty;
  CHECK(ranked(empty, "gate").passages.empty());
  rag::MemoryCollection collection({passage("a", "b")});
  const rag::Ranking none = ranked(collection, "gate");
  CHECK(none.passages.empty());
  CHECK(none.found == 0);
  CHECK(ranked(collection, "b", 0).passages.empty());
  CHECK(ranked(collection, "b", 0).found == 1);
  rag::MemoryCollection blank({passage("", ""), passage("", "")});
  CHECK(ranked(blank, "gate").passages.empty());
}

TEST_CASE("ranking: titles before text, rare words before frequent ones, short before long") {
  rag::MemoryCollection collection({
      passage("notes", "a gate in the text and more words to read"),
      passage("The gate", "a title and a text with more words to read"),
      passage("notes", "no such thing, but a path", "", "gate"),
      passage("notes", "a gate and evidence in the text, with words"),
  });
  add_others(collection, 20);
  CHECK(order(collection, "gates").starts_with("1 "));
  CHECK(order(collection, "gates").ends_with(" 2"));
  CHECK(order(collection, "gate evidence").starts_with("3 "));
  CHECK(order(collection, "gates", 2).size() == 3);
  CHECK(ranked(collection, "gates", 2).found == 4);
}

TEST_CASE("ranking: the exact form and neighbours count among the best") {
  rag::MemoryCollection collection({
      passage("x", "he validated what others wrote"),
      passage("x", "a validation of what others wrote"),
      passage("y", "push the button with force and other things, then go"),
      passage("y", "force push the branch and other things, then go on"),
  });
  add_others(collection, 30);
  CHECK(order(collection, "validation") == "1 0");
  CHECK(order(collection, "validated") == "0 1");
  CHECK(order(collection, "force push") == "3 2");
}

TEST_CASE("ranking: identifiers are found by their parts and whole") {
  rag::MemoryCollection collection({
      passage("x", "words and words", "run_store.begin()"),
      passage("x", "words and words", "store.run()"),
      passage("x", "words and words", "RunStore::begin()"),
  });
  add_others(collection, 30);
  CHECK(order(collection, "run_store").starts_with("0 "));
  CHECK(order(collection, "RunStore").starts_with("2 "));
  CHECK(ranked(collection, "run store").passages.size() == 3);
  CHECK(ranked(collection, "unknown_store").passages.size() == 3);
}

TEST_CASE("ranking: long queries learn from the best passages") {
  rag::MemoryCollection collection;
  for (int i = 0; i < 5; ++i) {
    collection.add(
        passage("wing", "lift of a slender delta wing at high angle in flow, with vortices"));
  }
  collection.add(passage("other", "vortices alone"));
  add_others(collection, 60);
  const rag::Ranking ranking = ranked(collection, "slender delta wing lift high angle of attack");
  REQUIRE(ranking.passages.size() == 6);
  CHECK(ranking.passages[5].passage == 5);
  CHECK(ranking.found == 5);
}

TEST_CASE("ranking: quoted phrases") {
  rag::MemoryCollection collection({
      passage("a", "never push with force to a branch"),
      passage("b", "do not force push to main"),
      passage("c", "Force\npush, they said"),
      passage("d", "forces pushed"),
      passage("force", "push"),
  });
  add_others(collection, 10);
  CHECK(order(collection, "\"force push\"") == "2 1");
  CHECK(order(collection, "\"force push\" \"to main\"") == "1");
  CHECK(order(collection, "\"do not\" branch") == "1");
  CHECK(ranked(collection, "\"force push\"").phrases == rag::Phrases::held);
  CHECK(ranked(collection, "\"force push\"").found == 2);
  CHECK(ranked(collection, "force push").phrases == rag::Phrases::none);
  // No passage holds it: as plain words, and said so.
  for (const std::string_view text :
       {"\"push main\"", "\"force push\" \"with force\"", "\"force unknown\"", "\"main branch\""}) {
    CAPTURE(text);
    const rag::Ranking plain = ranked(collection, text);
    CHECK(plain.phrases == rag::Phrases::not_held);
    CHECK_FALSE(plain.passages.empty());
  }
}

TEST_CASE("ranking: what is not accepted is not found, and nothing is learnt from it") {
  rag::MemoryCollection collection;
  for (int i = 0; i < 6; ++i) {
    collection.add(passage("wing", "lift of a slender delta wing at high angle, canary word"));
  }
  collection.add(passage("open", "slender delta wing"));
  collection.add(passage("canary", "canary and other words"));
  add_others(collection, 60);
  const auto open = [](rag::PassageId id) { return id >= 6; };
  Counting counting(collection);
  for (const std::string_view text :
       {"slender wing", "slender delta wing lift high angle", "\"delta wing\""}) {
    CAPTURE(text);
    const rag::Ranking ranking = ranked(counting, text, 100, open);
    REQUIRE(ranking.passages.size() == 1);
    CHECK(ranking.passages[0].passage == 6);
    CHECK(ranking.found == 1);
  }
  CHECK(std::all_of(counting.texts_read.begin(), counting.texts_read.end(), open));
}

TEST_CASE("ranking: relevance is between 0 and 1, descending, and higher for more of the query") {
  rag::MemoryCollection collection({
      passage("gate", "gate"),
      passage("evidence gate", "evidence for a gate"),
      passage("x", "one gate among many other words that say nothing of it"),
  });
  add_others(collection, 40);
  for (const std::string_view text :
       {"gate", "gate evidence", "gate gate gate evidence", "gate unknown",
        "gate evidence nothing words other particular some number3"}) {
    CAPTURE(text);
    double before = 1;
    for (const rag::Ranked& one : ranked(collection, text, 100).passages) {
      CHECK(one.relevance > 0);
      CHECK(one.relevance <= before);
      before = one.relevance;
    }
  }
  CHECK(ranked(collection, "gate unknown").passages[0].relevance <
        ranked(collection, "gate").passages[0].relevance);
}

TEST_CASE("ranking: equal passages by id, and the same answer every time") {
  rag::MemoryCollection collection;
  for (int i = 0; i < 200; ++i) collection.add(passage("gate", "the same text"));
  add_others(collection, 200);
  CHECK(order(collection, "gate", 4) == "0 1 2 3");
  const rag::Ranking first = ranked(collection, "the same gate text words other nothing", 300);
  const rag::Ranking second = ranked(collection, "the same gate text words other nothing", 300);
  REQUIRE(first.passages.size() == second.passages.size());
  for (std::size_t i = 0; i < first.passages.size(); ++i) {
    CHECK(first.passages[i].passage == second.passages[i].passage);
  }
}

TEST_CASE("ranking: bounded: words, postings and texts") {
  rag::MemoryCollection collection;
  std::string all;
  for (int i = 0; i < 3000; ++i) {
    const std::string word = "word" + std::to_string(i);
    all += word + ' ';
    collection.add(passage(word, "common text with " + word));
  }
  Counting counting(collection);
  // The rarest words count: those that all passages hold do not.
  const rag::Ranking many = ranked(counting, "common text " + all, 5000);
  CHECK(many.found == base::limits::kQueryTermsMax);
  CHECK(counting.postings_read <= base::limits::kQueryTermsMax + rag::kRecipe.feedback_terms);
  CHECK(counting.texts_read.size() <= rag::kRecipe.feedback_passages);
  counting.texts_read.clear();
  CHECK(ranked(counting, "common text", 5000).passages.size() == 3000);
  CHECK(counting.texts_read.size() <= rag::kRecipe.looked_at);
  counting.texts_read.clear();
  CHECK(ranked(counting, "\"text common\"", 5000).passages.size() == 3000);
  CHECK(counting.texts_read.size() <= rag::kRecipe.looked_at + rag::kRecipe.phrases_looked_at);
}

TEST_CASE("ranking: two collections as one rank as if they were one") {
  const std::vector<rag::PassageFields> passages = {
      passage("gate", "evidence of a gate"),       passage("x", "a gate, and more about tests"),
      passage("tests", "how a gate is tested"),    passage("evidence", "what a gate asks for"),
      passage("y", "nothing of the kind is here"), passage("z", "or there", "gate_evidence()"),
  };
  rag::MemoryCollection whole(passages);
  rag::MemoryCollection first({passages[0], passages[1], passages[2]});
  rag::MemoryCollection second({passages[3], passages[4], passages[5]});
  rag::JointCollection joint(first, second);
  CHECK(joint.size() == 6);
  for (const std::string_view text :
       {"gate", "gate evidence", "\"a gate\"", "tests", "gate_evidence",
        "evidence gate asks tests more nothing kind here"}) {
    CAPTURE(text);
    const rag::Ranking expected = ranked(whole, text);
    const rag::Ranking got = ranked(joint, text);
    REQUIRE(got.passages.size() == expected.passages.size());
    for (std::size_t i = 0; i < got.passages.size(); ++i) {
      CHECK(got.passages[i].passage == expected.passages[i].passage);
      CHECK(got.passages[i].score == doctest::Approx(expected.passages[i].score));
    }
  }
  CHECK(joint.is_of_second(3));
  CHECK(joint.own_id(5) == 2);
  CHECK(joint.own_id(2) == 2);
  std::string terms;
  joint.terms_beginning("ga", [&](std::string_view term, std::size_t frequency) {
    terms += std::string(term) + ' ' + std::to_string(frequency) + ' ';
  });
  CHECK(terms == "gate 5 gate_evidence 1 ");
}

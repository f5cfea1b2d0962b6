#include "rag/memory_collection.h"

#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

using namespace phasegate;

namespace {

std::string terms_of(rag::Collection& collection, std::string_view first) {
  std::string out;
  collection.terms_beginning(first, [&](std::string_view term, std::size_t frequency) {
    out += std::string(term) + ':' + std::to_string(frequency) + ' ';
  });
  return out;
}

}  // namespace

TEST_CASE("memory collection: lengths, postings and vocabulary") {
  rag::MemoryCollection collection;
  CHECK(collection.size() == 0);
  CHECK(collection.bound() == 0);
  CHECK(collection.mean_lengths()[0] == 0);
  CHECK(terms_of(collection, "").empty());

  CHECK(collection.add({{"The gates", "a b", "gate gate_file", "x"}}) == 0);
  CHECK(collection.add({{"", "", "files", ""}}) == 1);
  CHECK(collection.size() == 2);
  CHECK(collection.bound() == 2);
  // A joined form is no word more.
  CHECK(collection.lengths(0) == rag::Counts{2, 2, 3, 1});
  CHECK(collection.lengths(1) == rag::Counts{0, 0, 1, 0});
  CHECK(collection.mean_lengths() == std::array<double, rag::kFields>{1, 1, 2, 0.5});

  std::vector<rag::Posting> postings{{7, {}}};
  collection.postings("gate", postings);
  REQUIRE(postings.size() == 1);
  CHECK(postings[0].passage == 0);
  CHECK(postings[0].counts == rag::Counts{1, 0, 2, 0});
  collection.postings("file", postings);
  CHECK(postings.size() == 2);
  collection.postings("unknown", postings);
  CHECK(postings.empty());
  CHECK(collection.frequency("file") == 2);
  CHECK(collection.frequency("gate_file") == 1);
  CHECK(collection.frequency("gates") == 0);
  CHECK(collection.fields(1).of(rag::Field::text) == "files");

  CHECK(terms_of(collection, "ga") == "gate:1 gate_file:1 ");
  CHECK(terms_of(collection, "zz").empty());
  collection.add({{"gable", "", "", ""}});
  CHECK(terms_of(collection, "ga") == "gabl:1 gate:1 gate_file:1 ");
}

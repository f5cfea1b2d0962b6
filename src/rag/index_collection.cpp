#include "rag/index_collection.h"

#include <algorithm>
#include <utility>

#include "gating/engine/ports.h"

namespace phasegate::rag {
namespace {

constexpr std::size_t kFrequenciesMax = 100'000;
/// Six megabytes.
constexpr std::size_t kPostingsKeptMax = 300'000;

[[noreturn]] void damaged(const std::string& what) {
  throw gating::engine::StoreFailure(
      {"damaged", "the search index is damaged: " + what,
       "it is made anew from the documents; nothing else depends on it", ""});
}

/// The field of a column of `words`: title, path, text, code.
std::size_t field_of(char first, char second) {
  switch (first) {
    case 't':
      return static_cast<std::size_t>(second == 'i' ? Field::title : Field::text);
    case 'p':
      return static_cast<std::size_t>(Field::path);
    default:
      return static_cast<std::size_t>(Field::code);
  }
}

}  // namespace

void IndexCollection::refresh() {
  state::Db& db = index_.db();
  // Another number whenever another connection has written; what this one writes does not count.
  const std::int64_t version = db.query_integer("PRAGMA data_version").value_or(0);
  const std::int64_t newest =
      db.query_integer("SELECT seq FROM sqlite_sequence WHERE name = 'passage'").value_or(0);
  // Far more than is_worn lets come up, and far less than memory.
  constexpr std::int64_t kNumberMax = 1LL << 28;
  if (newest < 0 || newest > kNumberMax) damaged("its numbers are wrong");
  Totals totals = index_.totals();
  const bool same = version == version_ &&
                    newest + 1 == static_cast<std::int64_t>(lengths_.size()) &&
                    totals.passages == totals_.passages && totals.lengths == totals_.lengths;
  totals_ = totals;
  if (same) return;
  version_ = version;
  frequencies_.clear();
  postings_.clear();
  postings_kept_ = 0;
  state::Statement rows = db.prepare(
      "SELECT id, title_length, path_length, text_length, code_length FROM passage WHERE id >= ?1 "
      "ORDER BY id");
  rows.bind(1, static_cast<std::int64_t>(lengths_.size()));
  lengths_.resize(static_cast<std::size_t>(newest) + 1);
  while (rows.step()) {
    const std::int64_t id = rows.integer(0);
    if (id < 0 || id > newest) damaged("a passage has a number that was never given");
    Counts& lengths = lengths_[static_cast<std::size_t>(id)];
    for (std::size_t i = 0; i < kFields; ++i) {
      lengths[i] = static_cast<std::uint32_t>(rows.integer(1 + static_cast<int>(i)));
    }
  }
  for (std::size_t i = 0; i < kFields; ++i) {
    means_[i] = totals_.passages == 0 ? 0
                                      : static_cast<double>(totals_.lengths[i]) /
                                            static_cast<double>(totals_.passages);
  }
}

const Counts& IndexCollection::lengths(PassageId passage) {
  return lengths_.at(passage);
}

void IndexCollection::postings(std::string_view term, std::vector<Posting>& into) {
  std::string key(term);
  if (const auto known = postings_.find(key); known != postings_.end()) {
    into = known->second;
    return;
  }
  into.clear();
  state::Statement rows =
      index_.db().prepare("SELECT doc, col FROM temp.occurrence WHERE term = ?1");
  rows.bind(1, term);
  while (rows.step()) {
    const std::int64_t id = rows.integer(0);
    if (id < 0 || id >= static_cast<std::int64_t>(lengths_.size())) {
      damaged("a word stands in a passage that is not there");
    }
    const auto passage = static_cast<PassageId>(id);
    if (into.empty() || into.back().passage != passage) into.push_back({passage, {}});
    const std::string column = rows.text(1);
    ++into.back().counts[field_of(column[0], column[1])];
  }
  if (frequencies_.size() < kFrequenciesMax) frequencies_[key] = into.size();
  if (into.size() > kPostingsKeptMax) return;
  while (postings_kept_ + into.size() > kPostingsKeptMax) {
    postings_kept_ -= postings_.begin()->second.size();
    postings_.erase(postings_.begin());
  }
  postings_kept_ += into.size();
  postings_.emplace(std::move(key), into);
}

std::size_t IndexCollection::frequency(std::string_view term) {
  std::string key(term);
  if (const auto known = frequencies_.find(key); known != frequencies_.end()) return known->second;
  state::Statement row = index_.db().prepare("SELECT doc FROM temp.vocabulary WHERE term = ?1");
  row.bind(1, term);
  const std::size_t count = row.step() ? static_cast<std::size_t>(row.integer(0)) : 0;
  if (frequencies_.size() >= kFrequenciesMax) frequencies_.clear();
  frequencies_.emplace(std::move(key), count);
  return count;
}

PassageFields IndexCollection::fields(PassageId passage) {
  const auto row = index_.passage(passage);
  if (!row) damaged("a word stands in a passage that is not there");
  Passage shown;
  shown.title = row->title;
  shown.path = row->path;
  shown.content = row->content;
  return fields_of(row->file, shown);
}

void IndexCollection::terms_beginning(
    std::string_view first, const std::function<void(std::string_view, std::size_t)>& each) {
  state::Statement rows =
      index_.db().prepare("SELECT term, doc FROM temp.vocabulary WHERE term >= ?1 AND term < ?2");
  const std::string from(first);
  const std::string to = from + "\xFF";
  rows.bind(1, std::string_view(from)).bind(2, std::string_view(to));
  while (rows.step()) each(rows.text(0), static_cast<std::size_t>(rows.integer(1)));
}

}  // namespace phasegate::rag

#include "bench/plain_search.h"

#include <cctype>
#include <set>
#include <stdexcept>

#include <sqlite3.h>

namespace phasegate::bench {

struct PlainSearch::State {
  sqlite3* db = nullptr;
  sqlite3_stmt* query = nullptr;

  ~State() {
    sqlite3_finalize(query);
    sqlite3_close_v2(db);
  }
  void require(int code) const {
    if (code != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(db));
  }
  void execute(const char* sql) const { require(sqlite3_exec(db, sql, nullptr, nullptr, nullptr)); }
};

namespace {

/// `"word" OR "word" …`, each word once; in quotes no sign is syntax.
std::string any_of_the_words(std::string_view query) {
  std::string joined;
  std::set<std::string> seen;
  std::string word;
  const auto take = [&] {
    if (!word.empty() && seen.insert(word).second) {
      joined += (joined.empty() ? "\"" : " OR \"") + word + "\"";
    }
    word.clear();
  };
  for (const char c : query) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || byte >= 0x80) {
      word += static_cast<char>(std::tolower(byte));
    } else {
      take();
    }
  }
  take();
  return joined;
}

}  // namespace

PlainSearch::PlainSearch(const std::filesystem::path& file) : state_(std::make_unique<State>()) {
  state_->require(sqlite3_open(file.c_str(), &state_->db));
  state_->execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000");
  state_->execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='porter unicode61')");
  state_->require(sqlite3_prepare_v3(
      state_->db, "SELECT rowid, text FROM texts WHERE texts MATCH ?1 ORDER BY rank LIMIT ?2", -1,
      SQLITE_PREPARE_PERSISTENT, &state_->query, nullptr));
}

PlainSearch::~PlainSearch() = default;

void PlainSearch::add(const std::vector<std::string>& texts) {
  state_->execute("BEGIN");
  sqlite3_stmt* insert = nullptr;
  state_->require(sqlite3_prepare_v2(state_->db, "INSERT INTO texts(rowid, text) VALUES(?1, ?2)",
                                     -1, &insert, nullptr));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    sqlite3_bind_int64(insert, 1, static_cast<sqlite3_int64>(i));
    sqlite3_bind_text64(insert, 2, texts[i].data(), texts[i].size(), SQLITE_STATIC, SQLITE_UTF8);
    sqlite3_step(insert);
    sqlite3_reset(insert);
  }
  state_->require(sqlite3_finalize(insert));
  state_->execute("COMMIT; INSERT INTO texts(texts) VALUES('optimize')");
}

std::vector<std::int64_t> PlainSearch::search(std::string_view query, std::size_t limit) {
  const std::string words = any_of_the_words(query);
  std::vector<std::int64_t> found;
  if (words.empty()) return found;
  std::size_t bytes = 0;
  sqlite3_bind_text64(state_->query, 1, words.data(), words.size(), SQLITE_STATIC, SQLITE_UTF8);
  sqlite3_bind_int64(state_->query, 2, static_cast<sqlite3_int64>(limit));
  while (sqlite3_step(state_->query) == SQLITE_ROW) {
    found.push_back(sqlite3_column_int64(state_->query, 0));
    bytes += static_cast<std::size_t>(sqlite3_column_bytes(state_->query, 1));
  }
  state_->require(sqlite3_reset(state_->query));
  if (bytes == 0 && !found.empty()) throw std::runtime_error("texts without text");
  return found;
}

}  // namespace phasegate::bench

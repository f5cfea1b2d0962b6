#include "rag/index_db.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/limits.h"
#include "base/text.h"
#include "gating/engine/ports.h"
#include "rag/index_schema.h"

namespace phasegate::rag {
namespace {

/// Tags have no control characters.
constexpr char kTagSeparator = '\n';

[[noreturn]] void damaged(const std::string& what) {
  throw gating::engine::StoreFailure(
      {"damaged", "the search index is damaged: " + what,
       "it is made anew from the documents; nothing else depends on it", ""});
}

state::DbOptions options_for(IndexDb::Open how) {
  state::DbOptions options;
  options.busy_ms = base::limits::kStoreBusyMs;
  options.mode = how == IndexDb::Open::create ? state::DbOptions::Mode::create
                                              : state::DbOptions::Mode::existing;
  if (how == IndexDb::Open::existing) options.application_id = kIndexApplicationId;
  return options;
}

constexpr std::string_view kFileColumns =
    "SELECT path, digest, bytes, modified_ns, changed_ns, inode, device, plain_digest, left_out "
    "FROM file ";

FileRow file_row(const state::Statement& row) {
  FileRow read;
  read.file.path = row.text(0);
  read.digest = row.text(1);
  read.file.bytes = static_cast<std::uint64_t>(row.integer(2));
  read.file.modified_ns = row.integer(3);
  read.file.changed_ns = row.integer(4);
  read.file.inode = static_cast<std::uint64_t>(row.integer(5));
  read.file.device = static_cast<std::uint64_t>(row.integer(6));
  read.plain_digest = row.text(7);
  read.left_out = row.integer(8) != 0;
  return read;
}

std::map<std::string, FileRow> by_path(state::Statement rows) {
  std::map<std::string, FileRow> files;
  while (rows.step()) {
    FileRow row = file_row(rows);
    std::string path = row.file.path;
    files.emplace_hint(files.end(), std::move(path), std::move(row));
  }
  return files;
}

std::vector<std::string> tags_in(const std::string& text) {
  std::vector<std::string> tags;
  for (const std::string_view tag : base::split(text, kTagSeparator)) {
    if (!tag.empty()) tags.emplace_back(tag);
  }
  return tags;
}

std::string folder_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash));
}

}  // namespace

IndexDb::IndexDb(const std::filesystem::path& file, Open how)
    : name_(file.filename().string()), db_(file, options_for(how)) {
  if (how == Open::create) {
    db_.execute("PRAGMA application_id=" + std::to_string(kIndexApplicationId) +
                "; PRAGMA user_version=" + std::to_string(kIndexFormat));
    db_.use_write_ahead_log();
    state::Transaction transaction(db_);
    db_.execute(std::string(index_schema()));
    transaction.commit();
  } else if (db_.query_integer("PRAGMA user_version") != kIndexFormat) {
    damaged("it has another format");
  }
  constexpr std::int64_t kTables = 4;
  const auto tables = db_.query_integer(
      "SELECT count(*) FROM sqlite_schema "
      "WHERE type = 'table' AND name IN ('file', 'passage', 'total', 'words')");
  if (tables != kTables) damaged("a table of it is missing");
  // What a power failure takes away can be made again; what is there is whole all the same.
  db_.execute("PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000");
  db_.execute(std::string(index_views()));
  db_.watch_files();
}

IndexDb::~IndexDb() {
  try {
    // The last connection would copy the log into the file, by an index of it that may be cut
    // short. Files that have no name any more cannot even be looked at.
    if (!std::filesystem::exists(db_.path()) || !is_in_place()) db_.leave_files_at_close();
  } catch (const std::exception&) {
    db_.leave_files_at_close();
  }
}

bool IndexDb::is_in_place() {
  return db_.look_at_files() == state::FilesFound::as_opened;
}

std::map<std::string, FileRow> IndexDb::files() {
  return by_path(db_.prepare(std::string(kFileColumns) + "ORDER BY path"));
}

std::map<std::string, FileRow> IndexDb::files_in(std::string_view folder) {
  state::Statement rows =
      db_.prepare(std::string(kFileColumns) + "WHERE folder = ?1 ORDER BY path");
  rows.bind(1, folder);
  return by_path(std::move(rows));
}

std::optional<FileRow> IndexDb::file(std::string_view path) {
  state::Statement row = db_.prepare(std::string(kFileColumns) + "WHERE path = ?1");
  row.bind(1, path);
  if (!row.step()) return std::nullopt;
  return file_row(row);
}

std::size_t IndexDb::count_files() {
  return static_cast<std::size_t>(
      db_.query_integer("SELECT count(*) FROM file WHERE left_out = 0").value_or(0));
}

Totals IndexDb::totals() {
  state::Statement row = db_.prepare(
      "SELECT passages, complete, title_length, path_length, text_length, code_length FROM total");
  if (!row.step()) damaged("its totals are missing");
  Totals totals;
  totals.passages = static_cast<std::size_t>(row.integer(0));
  totals.complete = row.integer(1) != 0;
  for (std::size_t i = 0; i < kFields; ++i) {
    totals.lengths[i] = static_cast<std::uint64_t>(row.integer(2 + static_cast<int>(i)));
  }
  return totals;
}

std::optional<PassageRow> IndexDb::passage(PassageId id) {
  state::Statement row = db_.prepare(
      "SELECT p.name, f.path, f.phase, f.tags, p.title, p.path, p.content, p.line_first, "
      "p.line_last, p.tokens, p.digest FROM passage p JOIN file f ON f.id = p.file WHERE p.id = "
      "?1");
  row.bind(1, static_cast<std::int64_t>(id));
  if (!row.step()) return std::nullopt;
  PassageRow read;
  read.name = row.text(0);
  read.file = row.text(1);
  read.phase = row.text(2);
  read.tags = tags_in(row.text(3));
  read.title = row.text(4);
  read.path = row.text(5);
  read.content = row.text(6);
  read.line_first = static_cast<std::size_t>(row.integer(7));
  read.line_last = static_cast<std::size_t>(row.integer(8));
  read.tokens = static_cast<std::size_t>(row.integer(9));
  read.digest = row.text(10);
  return read;
}

std::vector<PassageId> IndexDb::passages_of(
    std::string_view phase,
    const std::function<bool(const std::vector<std::string>&)>& tags_wanted) {
  std::vector<PassageId> passages;
  state::Statement files = db_.prepare("SELECT id, phase, tags FROM file");
  while (files.step()) {
    if (!phase.empty() && files.text(1) != phase) continue;
    if (!tags_wanted(tags_in(files.text(2)))) continue;
    state::Statement rows = db_.prepare("SELECT id FROM passage WHERE file = ?1");
    rows.bind(1, files.integer(0));
    while (rows.step()) passages.push_back(static_cast<PassageId>(rows.integer(0)));
  }
  return passages;
}

void IndexDb::add_to_totals(const Counts& lengths, int sign) {
  state::Statement row = db_.prepare(
      "UPDATE total SET passages = passages + ?1, title_length = title_length + ?2, "
      "path_length = path_length + ?3, text_length = text_length + ?4, "
      "code_length = code_length + ?5");
  row.bind(1, static_cast<std::int64_t>(sign));
  for (std::size_t i = 0; i < kFields; ++i) {
    row.bind(2 + static_cast<int>(i), sign * static_cast<std::int64_t>(lengths[i]));
  }
  row.run();
}

void IndexDb::put(const IndexedText& text) {
  remove(text.file.path);
  const std::int64_t file_id = put_file(text.file, text, 0);
  for (const IndexedPassage& made : text.passages) {
    state::Statement passage = db_.prepare(
        "INSERT INTO passage(file, name, title, path, content, line_first, line_last, tokens, "
        "digest, title_length, path_length, text_length, code_length) "
        "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)");
    const Passage& shown = made.passage;
    passage.bind_all(file_id, std::string_view(made.name), std::string_view(shown.title),
                     std::string_view(shown.path), std::string_view(shown.content),
                     static_cast<std::int64_t>(shown.line_first),
                     static_cast<std::int64_t>(shown.line_last),
                     static_cast<std::int64_t>(shown.tokens), std::string_view(made.digest));
    for (std::size_t i = 0; i < kFields; ++i) {
      passage.bind(10 + static_cast<int>(i), static_cast<std::int64_t>(made.lengths[i]));
    }
    passage.run();
    state::Statement words =
        db_.prepare("INSERT INTO words(rowid, title, path, text, code) VALUES(?1, ?2, ?3, ?4, ?5)");
    words.bind(1, db_.last_insert_id());
    for (std::size_t i = 0; i < kFields; ++i) {
      words.bind(2 + static_cast<int>(i), std::string_view(made.terms[i]));
    }
    words.run();
    add_to_totals(made.lengths, 1);
  }
}

void IndexDb::put_left_out(const SourceFile& file, LeftOut why) {
  remove(file.path);
  static_cast<void>(put_file(file, {}, static_cast<std::int64_t>(why) + 1));
}

std::vector<std::pair<std::string, LeftOut>> IndexDb::left_out() {
  std::vector<std::pair<std::string, LeftOut>> files;
  state::Statement rows =
      db_.prepare("SELECT path, left_out FROM file WHERE left_out > 0 ORDER BY path");
  while (rows.step()) {
    const std::int64_t why = rows.integer(1) - 1;
    const bool known = why <= static_cast<std::int64_t>(LeftOut::unsteady);
    files.emplace_back(rows.text(0), known ? static_cast<LeftOut>(why) : LeftOut::unknown);
  }
  return files;
}

std::int64_t IndexDb::put_file(const SourceFile& file, const IndexedText& text,
                               std::int64_t left_out) {
  state::Statement row = db_.prepare(
      "INSERT INTO file(path, folder, digest, plain_digest, left_out, phase, tags, bytes, "
      "modified_ns, changed_ns, inode, device) "
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)");
  row.bind_all(std::string_view(file.path), std::string_view(folder_of(file.path)),
               std::string_view(text.digest), std::string_view(text.plain_digest), left_out,
               std::string_view(text.phase),
               std::string_view(base::joined(text.tags, std::string_view(&kTagSeparator, 1))),
               static_cast<std::int64_t>(file.bytes), file.modified_ns, file.changed_ns,
               static_cast<std::int64_t>(file.inode), static_cast<std::int64_t>(file.device));
  row.run();
  return db_.last_insert_id();
}

void IndexDb::remove(std::string_view path) {
  state::Statement row = db_.prepare("SELECT id FROM file WHERE path = ?1");
  row.bind(1, path);
  if (!row.step()) return;
  const std::int64_t file = row.integer(0);
  remove_passages(file);
  state::Statement gone = db_.prepare("DELETE FROM file WHERE id = ?1");
  gone.bind(1, file).run();
}

void IndexDb::remove_passages(std::int64_t file) {
  // An index that keeps no text is told what to forget: the same words, made of the same text.
  Stemmer stemmer;
  state::Statement rows = db_.prepare(
      "SELECT p.id, f.path, p.title, p.path, p.content, p.title_length, p.path_length, "
      "p.text_length, p.code_length FROM passage p JOIN file f ON f.id = p.file "
      "WHERE p.file = ?1");
  rows.bind(1, file);
  while (rows.step()) {
    Passage passage;
    passage.title = rows.text(2);
    passage.path = rows.text(3);
    passage.content = rows.text(4);
    const PassageFields fields = fields_of(rows.text(1), passage);
    state::Statement words = db_.prepare(
        "INSERT INTO words(words, rowid, title, path, text, code) "
        "VALUES('delete', ?1, ?2, ?3, ?4, ?5)");
    words.bind(1, rows.integer(0));
    Counts lengths{};
    for (std::size_t i = 0; i < kFields; ++i) {
      const Terms terms = terms_of(fields.texts[i], stemmer);
      lengths[i] = static_cast<std::uint32_t>(rows.integer(5 + static_cast<int>(i)));
      words.bind(2 + static_cast<int>(i), std::string_view(terms.text));
    }
    words.run();
    add_to_totals(lengths, -1);
  }
  state::Statement gone = db_.prepare("DELETE FROM passage WHERE file = ?1");
  gone.bind(1, file).run();
}

void IndexDb::restamp(const SourceFile& file) {
  state::Statement row = db_.prepare(
      "UPDATE file SET bytes = ?2, modified_ns = ?3, changed_ns = ?4, inode = ?5, device = ?6 "
      "WHERE path = ?1");
  row.bind_all(std::string_view(file.path), static_cast<std::int64_t>(file.bytes), file.modified_ns,
               file.changed_ns, static_cast<std::int64_t>(file.inode),
               static_cast<std::int64_t>(file.device));
  row.run();
}

void IndexDb::set_complete() {
  db_.prepare("UPDATE total SET complete = 1").run();
}

bool IndexDb::is_worn() {
  constexpr std::int64_t kSpare = 100'000;
  constexpr std::int64_t kTimes = 4;
  const std::int64_t given =
      db_.query_integer("SELECT seq FROM sqlite_sequence WHERE name = 'passage'").value_or(0);
  return given > kTimes * static_cast<std::int64_t>(totals().passages) + kSpare;
}

std::string IndexDb::check() {
  std::string problems = db_.check(false);
  if (!problems.empty()) return problems;
  const auto counted = db_.query_integer("SELECT count(*) FROM passage").value_or(0);
  if (counted != static_cast<std::int64_t>(totals().passages)) return "its totals are wrong";
  return "";
}

void IndexDb::tidy() {
  db_.execute("INSERT INTO words(words) VALUES('optimize')");
  const state::Statement done = [&] {
    state::Statement checkpoint = db_.prepare("PRAGMA wal_checkpoint(TRUNCATE)");
    checkpoint.step();
    return checkpoint;
  }();
  if (done.integer(0) != 0) {
    throw gating::engine::StoreFailure(
        {"busy", "the search index is in use by somebody else", "try again in a moment", ""});
  }
}

}  // namespace phasegate::rag

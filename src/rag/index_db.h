#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rag/collection.h"
#include "rag/indexed_text.h"
#include "rag/sources.h"
#include "state/db.h"

namespace phasegate::rag {

/// What the index knows of a file.
struct FileRow {
  SourceFile file;           ///< as it was when its text was read
  std::string digest;        ///< SHA-256 of its bytes
  std::string plain_digest;  ///< of plain_digest
  bool left_out = false;     ///< because of what it says: it has no passages
};

/// A passage as an answer shows it.
struct PassageRow {
  std::string name;  ///< stable id
  std::string file;
  std::string phase;
  std::vector<std::string> tags;
  std::string title;
  std::string path;
  std::string content;
  std::size_t line_first = 0;
  std::size_t line_last = 0;
  std::size_t tokens = 0;
  std::string digest;  ///< of what is shown: equal for duplicates
};

/// What all passages come to.
struct Totals {
  std::size_t passages = 0;
  std::array<std::uint64_t, kFields> lengths{};
  bool complete = false;  ///< every file has been looked at once
};

/// One database of an index: its tables as values. One connection, for one thread. Failures are
/// gating::engine::StoreFailure; `damaged` where what it holds does not fit together.
class IndexDb {
 public:
  enum class Open { existing, create };
  IndexDb(const std::filesystem::path& file, Open how);
  ~IndexDb();
  IndexDb(const IndexDb&) = delete;
  IndexDb& operator=(const IndexDb&) = delete;

  /// The file's name without its folder.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] state::Db& db() { return db_; }
  /// False if somebody has removed, replaced or cut one of its files since it was opened: what is
  /// read from it then may end the process. A few microseconds.
  [[nodiscard]] bool is_in_place();

  /// Every file, by path; or only those directly in some folder (`""` is the project's root).
  [[nodiscard]] std::map<std::string, FileRow> files();
  [[nodiscard]] std::map<std::string, FileRow> files_in(std::string_view folder);
  [[nodiscard]] std::optional<FileRow> file(std::string_view path);
  [[nodiscard]] std::size_t count_files();
  /// The files that are left out because of what they say, by path.
  [[nodiscard]] std::vector<std::pair<std::string, LeftOut>> left_out();
  [[nodiscard]] Totals totals();
  [[nodiscard]] std::optional<PassageRow> passage(PassageId id);
  /// Those of the files of this phase (empty: of any) whose tags `tags_wanted` takes.
  [[nodiscard]] std::vector<PassageId> passages_of(
      std::string_view phase,
      const std::function<bool(const std::vector<std::string>&)>& tags_wanted);

  /// Within a transaction of the caller's. Both take the place of what the file held before.
  void put(const IndexedText& text);
  void put_left_out(const SourceFile& file, LeftOut why);
  void remove(std::string_view path);
  /// The file was looked at again, and its text is what it was.
  void restamp(const SourceFile& file);
  void set_complete();

  /// Whether it has given so many more numbers to passages than it holds that it should be made
  /// anew: what is kept by number grows with them.
  [[nodiscard]] bool is_worn();
  /// What is wrong with it; empty: nothing that can be seen. Reads all of it and writes nothing.
  [[nodiscard]] std::string check();
  /// After many changes: fewer pieces to look through, and all of it in the file itself. Throws
  /// StoreFailure (`disk_full`, …) if that cannot be done.
  void tidy();

 private:
  std::int64_t put_file(const SourceFile& file, const IndexedText& text, std::int64_t left_out);
  void remove_passages(std::int64_t file);
  void add_to_totals(const Counts& lengths, int sign);

  std::string name_;
  state::Db db_;
};

}  // namespace phasegate::rag

#pragma once
#include <cstdint>
#include <optional>
#include <string>

struct sqlite3;
struct sqlite3_file;

/// What lies in the files behind a connection. They are read through SQLite's own: a descriptor of
/// ours on the same file would, when closed, drop the locks that other connections of this process
/// hold on it.
namespace phasegate::state {

/// `which`: SQLITE_FCNTL_FILE_POINTER for the database, SQLITE_FCNTL_JOURNAL_POINTER for its log;
/// null if there is none.
[[nodiscard]] sqlite3_file* file_behind(sqlite3* handle, int which);

/// See Db::log_name.
[[nodiscard]] std::optional<std::string> log_name(sqlite3* handle);

/// Reads a page of `bytes` bytes from the database's file; empty if the file is shorter. A code of
/// SQLite's if it cannot be read.
[[nodiscard]] int read_page_in_file(sqlite3* handle, std::int64_t number, std::int64_t bytes,
                                    std::string& page);

}  // namespace phasegate::state

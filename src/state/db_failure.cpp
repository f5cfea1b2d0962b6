#include "state/db_failure.h"

#include <cerrno>
#include <cstring>
#include <new>
#include <stdexcept>

#include <sqlite3.h>

#include "gating/engine/ports.h"
#include "state/store_file.h"

namespace phasegate::state {
namespace {

/// A commit whose sync has failed may still reach the disk, and then be there after a crash.
constexpr std::string_view kRepeat =
    "repeat the call, which happens once even if it is found that this one was kept; if it fails "
    "again look at the disk; ";
constexpr std::string_view kSeePlace = "`phasegate doctor` shows where the state lies";

base::Error read_only(const std::string& message) {
  return {"read_only", message,
          "make the state folder writable or choose another one with --state; nothing was written "
          "anywhere else; " +
              std::string(kSeePlace),
          ""};
}

base::Error disk_full(const std::string& file) {
  return {"disk_full", "there is no room to write " + file,
          "free some disk space and repeat the call; nothing of it was kept and nothing that was "
          "kept before is lost",
          ""};
}

base::Error damaged(const std::string& message) {
  return {"damaged", message,
          "run `phasegate doctor`; `phasegate restore FILE` puts a copy in its place and keeps the "
          "file under another name, `phasegate backup --list` shows the copies here; nothing was "
          "changed",
          ""};
}

base::Error not_a_database(const std::string& file) {
  std::string hint = "it was left as it is; ";
  if (file == kStoreFileName) {
    hint +=
        "`phasegate restore FILE` puts a copy in its place, `phasegate restore --set-aside` "
        "gives it another name; ";
  }
  return {"not_a_database", file + " is not a database of phasegate",
          hint + "or choose another folder with --state; " + std::string(kSeePlace), ""};
}

}  // namespace

base::Error describe_sqlite(int extended_code, std::string_view file) {
  const std::string name(file);
  switch (extended_code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {"busy", "another process has been writing to " + name + " for too long",
              "repeat the call, of which nothing was kept; if it goes on, end the program that "
              "holds the file open; `phasegate doctor` shows where the state lies",
              ""};
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return read_only(name + " may not be written");
    case SQLITE_CANTOPEN:
      return read_only(name + " or a file beside it cannot be opened");
    case SQLITE_FULL:
      return disk_full(name);
    case SQLITE_IOERR:
      return {"io_error",
              "the disk failed while " + name + " was used (" +
                  std::string(sqlite3_errstr(extended_code)) + ", code " +
                  std::to_string(extended_code) + ")",
              std::string(kRepeat) + std::string(kSeePlace), ""};
    case SQLITE_CORRUPT:
      return damaged(name + " is damaged");
    case SQLITE_NOTADB:
      return not_a_database(name);
    default:
      return {};
  }
}

base::Error describe_errno(int error_number, std::string_view doing) {
  const std::string message =
      "the state folder " + std::string(doing) + ": " + std::strerror(error_number);
  switch (error_number) {
    case EACCES:
    case EPERM:
    case EROFS:
    case ENOTDIR:
      return read_only(message);
    case ENOSPC:
    case EDQUOT:
      return disk_full("the state folder");
    default:
      return {"io_error", message, std::string(kRepeat) + std::string(kSeePlace), ""};
  }
}

void throw_sqlite(int extended_code, std::string_view file, const std::string& detail) {
  if ((extended_code & 0xFF) == SQLITE_NOMEM) throw std::bad_alloc();
  base::Error error = describe_sqlite(extended_code, file);
  if (error.code.empty()) {
    throw std::logic_error("state: " + detail + " (code " + std::to_string(extended_code) + ")");
  }
  throw gating::engine::StoreFailure(std::move(error));
}

void throw_errno(int error_number, std::string_view doing) {
  throw gating::engine::StoreFailure(describe_errno(error_number, doing));
}

}  // namespace phasegate::state

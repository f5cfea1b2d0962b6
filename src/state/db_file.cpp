#include "state/db_file.h"

#include <array>
#include <string_view>

#include <sqlite3.h>

#include "state/seal/seal_text.h"

namespace phasegate::state {

sqlite3_file* file_behind(sqlite3* handle, int which) {
  sqlite3_file* file = nullptr;
  sqlite3_file_control(handle, "main", which, static_cast<void*>(&file));
  return file == nullptr || file->pMethods == nullptr ? nullptr : file;
}

std::optional<std::string> log_name(sqlite3* handle) {
  // Two numbers in the log's header that are others in each log ("WAL File Format", §1.2).
  constexpr int kHeaderBytes = 32;
  constexpr std::size_t kSaltsAt = 16;
  constexpr std::size_t kSaltsBytes = 8;
  sqlite3_file* log = file_behind(handle, SQLITE_FCNTL_JOURNAL_POINTER);
  if (log == nullptr) return "";
  sqlite3_int64 size = 0;
  std::array<char, kHeaderBytes> header{};
  if (log->pMethods->xFileSize(log, &size) != SQLITE_OK) return std::nullopt;
  if (size < kHeaderBytes) return "";
  if (log->pMethods->xRead(log, header.data(), kHeaderBytes, 0) != SQLITE_OK) return std::nullopt;
  return to_hex(std::string_view(&header[kSaltsAt], kSaltsBytes));
}

int read_page_in_file(sqlite3* handle, std::int64_t number, std::int64_t bytes, std::string& page) {
  page.clear();
  sqlite3_file* file = file_behind(handle, SQLITE_FCNTL_FILE_POINTER);
  if (file == nullptr || bytes <= 0 || number < 1) return SQLITE_OK;
  page.resize(static_cast<std::size_t>(bytes));
  const int code =
      file->pMethods->xRead(file, page.data(), static_cast<int>(bytes), (number - 1) * bytes);
  if (code == SQLITE_OK) return code;
  page.clear();
  return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}

}  // namespace phasegate::state

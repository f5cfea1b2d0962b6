#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/state/seal/seal_support.h"
#include "tests/support/files.h"

using namespace phasegate;
namespace fs = std::filesystem;

namespace {

void put(const fs::path& file, std::size_t at, char byte) {
  std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
  out.seekp(static_cast<std::streamoff>(at));
  out.put(byte);
  out.flush();
  REQUIRE(out.good());
}

std::size_t number_from(const char* variable, std::size_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : static_cast<std::size_t>(std::strtoul(text, nullptr, 10));
}

/// Of all tables in which everything is sealed: what waits, and tokens that were used, is no
/// history.
std::map<std::string, std::vector<std::string>> sealed_rows(const fs::path& folder) {
  auto rows = test::all_rows(folder);
  for (const char* table : {"outbox", "used_once", "sqlite_sequence"}) rows.erase(table);
  return rows;
}

}  // namespace

TEST_CASE("audit: a changed byte of the file is found, or changes no row that is sealed") {
  // Every byte of every page takes long; `scripts/soak pages` asks for it, in several processes.
  const bool exhaustive = std::getenv("PHASEGATE_EXHAUSTIVE") != nullptr;
  const test::TempFolder temp;
  test::make_everything(temp.path(), exhaustive ? 100 : 30);
  const fs::path file = temp.path() / "state.db";
  REQUIRE_FALSE(fs::exists(temp.path() / "state.db-wal"));
  const std::string whole = test::read_file(file);
  const auto rows = sealed_rows(temp.path());
  for (const auto& [table, lines] : rows) {
    CAPTURE(table);
    CHECK_FALSE(lines.empty());
  }
  CHECK(rows.size() >= 11);
  const std::size_t parts = number_from("PHASEGATE_PARTS", 1);
  const std::size_t step = exhaustive ? parts : 251;
  std::size_t tried = 0;
  std::size_t unused = 0;
  for (std::size_t at = 100 + number_from("PHASEGATE_PART", 0); at < whole.size(); at += step) {
    ++tried;
    put(file, at, static_cast<char>(whole[at] ^ 1));
    if (test::is_sound(temp.path())) {
      ++unused;
      CAPTURE(at);
      CHECK(sealed_rows(temp.path()) == rows);
    }
    put(file, at, whole[at]);
  }
  MESSAGE("bytes tried: ", tried, " of ", whole.size(), ", of them in no row: ", unused);
  CHECK(test::is_sound(temp.path()));
  CHECK(unused < tried);
}

TEST_CASE("audit: a file that was cut short anywhere is not sound") {
  const test::TempFolder temp;
  test::make_histories(temp.path(), 1, 60);
  const fs::path file = temp.path() / "state.db";
  const std::string whole = test::read_file(file);
  for (std::size_t kept = 0; kept < whole.size(); kept += 1024) {
    CAPTURE(kept);
    fs::resize_file(file, kept);
    CHECK_FALSE(test::is_sound(temp.path()));
    test::write_file(file, whole);
  }
  CHECK(test::is_sound(temp.path()));
}

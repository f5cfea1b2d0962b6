#include <algorithm>
#include <charconv>
#include <system_error>
#include <tuple>

#include "base/hash.h"
#include "base/limits.h"
#include "base/paths.h"
#include "base/text.h"
#include "world/database/migrations.h"

namespace phasegate::world::database {
namespace fs = std::filesystem;
namespace {

using base::Error;
using base::Result;

constexpr std::size_t kDigitsMin = 4;
constexpr std::size_t kDigitsMax = 9;

Error invalid(const std::string& name, std::string message, std::string hint) {
  return {"invalid_migration", base::in_quotes(name) + " " + std::move(message), std::move(hint),
          name};
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '-' || c == '_' ||
         c == '.';
}

/// The number of `0001-name.sql`; 0: it is no such name.
std::int64_t number_of(std::string_view name) {
  const auto digits =
      static_cast<std::size_t>(std::find_if_not(name.begin(), name.end(), is_digit) - name.begin());
  if (digits < kDigitsMin || digits > kDigitsMax) return 0;
  std::string_view rest = name.substr(digits);
  if (!rest.starts_with('-')) return 0;
  rest.remove_suffix(std::string_view(".sql").size());
  if (rest.size() < 2 || !std::all_of(rest.begin(), rest.end(), is_name_character)) return 0;
  std::int64_t number = 0;
  std::from_chars(name.data(), name.data() + digits, number);
  return number;
}

std::string with_plain_lines(std::string text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with(kMark)) text.erase(0, kMark.size());
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    out += text[i];
  }
  return out;
}

Result<Migration> read_migration(const fs::path& root, const std::string& folder,
                                 const std::string& name) {
  Migration migration;
  migration.name = name;
  migration.number = number_of(name);
  if (migration.number == 0) {
    return invalid(name, "is no name of a migration",
                   "name it by number and purpose, from 0001 on: 0001-books.sql");
  }
  auto text = base::read_file_below(root, folder + "/" + name, base::limits::kDocumentBytesMax);
  if (!text) return std::move(text).error();
  if (text->find('\0') != std::string::npos || !base::is_utf8(*text)) {
    return invalid(name, "is no text in UTF-8", "write it anew as text");
  }
  if (base::trimmed(*text).empty()) {
    return invalid(name, "is empty", "write the statements of the change into it");
  }
  migration.sql = with_plain_lines(std::move(text).value());
  migration.sha256 = base::sha256_hex(migration.sql);
  return migration;
}

Result<void> check_numbers(const std::vector<Migration>& migrations) {
  for (std::size_t i = 0; i < migrations.size(); ++i) {
    const auto wanted = static_cast<std::int64_t>(i) + 1;
    const Migration& found = migrations[i];
    if (found.number == wanted) continue;
    if (i > 0 && found.number == migrations[i - 1].number) {
      return invalid(found.name, "has the number of " + base::in_quotes(migrations[i - 1].name),
                     "give one of them the next free number");
    }
    return invalid(found.name, "comes where number " + std::to_string(wanted) + " is missing",
                   "numbers go 1, 2, 3, … without a gap");
  }
  return {};
}

}  // namespace

Result<std::vector<Migration>> read_migrations(const fs::path& root, std::string_view folder) {
  const auto normalised = base::normalised_relative(folder);
  if (!normalised) return normalised.error();
  std::error_code failed;
  const fs::path canonical = fs::canonical(root / *normalised, failed);
  if (failed || !fs::is_directory(canonical, failed)) {
    return Error{"not_found", "there is no folder " + base::in_quotes(*normalised),
                 "name the folder that holds 0001-….sql", *normalised};
  }
  const auto files = base::list_files_below(canonical, base::limits::kWorkflowFilesMax, 1);
  if (!files) return files.error();
  std::vector<Migration> migrations;
  for (const std::string& name : *files) {
    if (!base::lowered(name).ends_with(".sql")) continue;
    auto migration = read_migration(root, *normalised, name);
    if (!migration) return std::move(migration).error();
    migrations.push_back(std::move(migration).value());
  }
  if (migrations.empty()) {
    return Error{"not_found", "the folder " + base::in_quotes(*normalised) + " holds no migrations",
                 "write the first one: 0001-name.sql", *normalised};
  }
  std::sort(migrations.begin(), migrations.end(), [](const Migration& a, const Migration& b) {
    return std::tie(a.number, a.name) < std::tie(b.number, b.name);
  });
  if (auto sound = check_numbers(migrations); !sound) return std::move(sound).error();
  return migrations;
}

Result<std::vector<Migration>> pending_migrations(const std::vector<Migration>& files,
                                                  const std::vector<AppliedMigration>& applied) {
  for (std::size_t i = 0; i < applied.size(); ++i) {
    const AppliedMigration& had = applied[i];
    if (i >= files.size() || had.number != files[i].number) {
      return Error{"migration_missing",
                   "the database has had " + base::in_quotes(had.name) + ", which is not there",
                   "put the file back as it was: what was applied stays in the folder", had.name};
    }
    if (had.sha256 != files[i].sha256 || had.name != files[i].name) {
      return Error{"migration_changed",
                   "the database has had " + base::in_quotes(had.name) + " as it was on " +
                       had.applied_at + ", and the file is another now",
                   "put it back as it was, and write the change as the next number", files[i].name};
    }
  }
  return std::vector<Migration>(files.begin() + static_cast<std::ptrdiff_t>(applied.size()),
                                files.end());
}

}  // namespace phasegate::world::database

#include <algorithm>

#include "world/database/backups.h"

namespace phasegate::world::database {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

struct Parts {
  std::string_view stem;
  std::string_view ending;  ///< with its dot
};

Parts parts_of(std::string_view database) {
  const std::size_t dot = database.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {database, ".db"};
  return {database.substr(0, dot), database.substr(dot)};
}

}  // namespace

std::string backup_name(std::string_view database, base::TimePoint time, int turn) {
  const Parts parts = parts_of(database);
  std::string name(parts.stem);
  name += '-';
  // Colons and dots of the time are left out: some file systems refuse them.
  for (const char c : base::to_rfc3339(time)) {
    if (is_digit(c) || c == 'T' || c == 'Z') name += c;
  }
  if (turn > 1) name += "-" + std::to_string(turn);
  return name.append(parts.ending);
}

bool is_backup_name(std::string_view database, std::string_view name) {
  const Parts parts = parts_of(database);
  if (!name.starts_with(parts.stem) || !name.ends_with(parts.ending)) return false;
  if (name.size() < parts.stem.size() + parts.ending.size()) return false;
  name.remove_prefix(parts.stem.size());
  name.remove_suffix(parts.ending.size());
  constexpr std::string_view kShape = "-00000000T000000000Z";
  if (name.size() < kShape.size()) return false;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    if (kShape[i] == '0' ? !is_digit(name[i]) : name[i] != kShape[i]) return false;
  }
  name.remove_prefix(kShape.size());
  if (name.empty()) return true;
  return name.size() > 1 && name.front() == '-' &&
         std::all_of(name.begin() + 1, name.end(), is_digit);
}

}  // namespace phasegate::world::database

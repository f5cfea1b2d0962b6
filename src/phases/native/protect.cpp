#include "phases/native/protect.h"

#include <algorithm>

#include "base/text.h"
#include "phases/checks/check_paths.h"
#include "phases/native/rules.h"

namespace phasegate::phases {
namespace {

using Kind = YamlNode::Kind;

constexpr std::size_t kDatabasesMax = 16;
constexpr std::int64_t kCopiesMax = 100;

std::optional<ProtectedDatabase> read_entry(const YamlNode& item, const NativeReport& report) {
  if (item.kind != Kind::map) {
    report.wrong_type("an entry of protect", "a map with sqlite", item,
                      "write - {sqlite: data/project.db, backups: 10}");
    return std::nullopt;
  }
  report.refuse_other_keys(item, native_protect_keys(), "an entry of protect");
  ProtectedDatabase database;
  database.source = report.kept(item.line);
  const YamlNode* path = item.find("sqlite");
  if (path == nullptr) {
    report.error("missing_key", "an entry of protect does not say which database",
                 "write sqlite: PATH", report.at(item));
    return std::nullopt;
  }
  const auto read = read_check_path(*path, "sqlite of protect", report);
  if (!read) return std::nullopt;
  if (read->starts_with('/') || read->find("{{") != std::string::npos) {
    report.error("invalid_path",
                 "sqlite of protect is " + base::in_quotes(base::shortened(*read, 120)) +
                     ", and must be a path within the project, known before anything is",
                 "write a path from the project's root, such as data/project.db", report.at(*path));
    return std::nullopt;
  }
  database.path = *read;
  if (const YamlNode* backups = item.find("backups")) {
    const auto count = read_native_length(*backups, "backups of protect", report);
    if (!count) return std::nullopt;
    if (*count < 1 || *count > kCopiesMax) {
      report.error("out_of_range",
                   "backups of protect is " + std::to_string(*count) + ", it may be 1 to " +
                       std::to_string(kCopiesMax),
                   "", report.at(*backups));
      return std::nullopt;
    }
    database.backups = static_cast<int>(*count);
  }
  return database;
}

}  // namespace

std::vector<ProtectedDatabase> read_native_protect(const YamlNode& node,
                                                   const NativeReport& report) {
  std::vector<ProtectedDatabase> databases;
  if (node.is_null()) return databases;
  if (node.kind != Kind::sequence || node.items.size() > kDatabasesMax) {
    report.wrong_type("protect",
                      "a list of at most " + std::to_string(kDatabasesMax) + " databases", node,
                      "write - {sqlite: data/project.db, backups: 10} below it");
    return databases;
  }
  for (const YamlNode& item : node.items) {
    auto entry = read_entry(item, report);
    if (!entry) continue;
    const bool taken =
        std::any_of(databases.begin(), databases.end(),
                    [&](const ProtectedDatabase& one) { return one.path == entry->path; });
    if (taken) {
      report.error("duplicate_key",
                   base::in_quotes(base::shortened(entry->path, 120)) + " is protected twice",
                   "keep one of the two", report.at(item));
      continue;
    }
    databases.push_back(std::move(*entry));
  }
  return databases;
}

}  // namespace phasegate::phases

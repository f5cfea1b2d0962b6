#include "phases/checks/checks_reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/limits.h"
#include "base/text.h"
#include "phases/checks/check_item.h"

namespace phasegate::phases {
namespace {

using Kind = YamlNode::Kind;
namespace limits = base::limits;

/// What an expression calls by itself: a named check must not hide it.
constexpr std::array<std::string_view, 11> kFunctions = {
    "count",   "any",   "isEmpty",   "contains", "startsWith", "endsWith",
    "matches", "lower", "completed", "visits",   "includes"};
constexpr std::array<std::string_view, 6> kWords = {"true", "false", "null", "and", "or", "not"};

std::string shown(std::string_view name) {
  return base::in_quotes(base::shortened(name, 60));
}

bool is_within_limit(std::size_t count, const std::string& what, Source source,
                     const NativeReport& report) {
  if (count <= limits::kChecksPerGateMax) return true;
  report.error("too_many_checks",
               what + " has " + std::to_string(count) + " checks, the limit is " +
                   std::to_string(limits::kChecksPerGateMax),
               "put several into one program, or split the step", std::move(source));
  return false;
}

/// Gives each check without a name one: its kind and its number among those of that kind, or the
/// next number that is free.
void name_checks(std::vector<CheckItem>& items, std::set<std::string>& taken) {
  std::map<CheckKind, int> numbers;
  for (CheckItem& item : items) {
    int number = ++numbers[item.check.kind];
    if (!item.check.name.empty()) continue;
    do {
      item.check.name = std::string(to_text(item.check.kind)) + "-" + std::to_string(number++);
    } while (!taken.insert(item.check.name).second);
  }
}

bool is_identifier(std::string_view name) {
  return !name.empty() && name.size() <= 64 && (name.front() < '0' || name.front() > '9') &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                  (c >= 'A' && c <= 'Z');
         });
}

bool is_reserved(std::string_view name) {
  return std::find(kFunctions.begin(), kFunctions.end(), name) != kFunctions.end() ||
         std::find(kWords.begin(), kWords.end(), name) != kWords.end();
}

bool is_made(const Check& check) {
  const std::string head = std::string(to_text(check.kind)) + "-";
  return check.name.starts_with(head) && check.name.size() > head.size() &&
         check.name.find_first_not_of("0123456789", head.size()) == std::string::npos;
}

}  // namespace

ReadChecks read_checks(const YamlNode& list, const std::string& what, const NativeReport& report) {
  ReadChecks read;
  if (list.is_null()) return read;
  if (list.kind != Kind::sequence) {
    report.wrong_type(what, "a list of checks", list, "write - {file: docs/plan.md} below it");
    read.sound = false;
    return read;
  }
  if (!is_within_limit(list.items.size(), what, report.at(list), report)) {
    read.sound = false;
    return read;
  }
  std::vector<CheckItem> items;
  std::map<std::string, int> lines;
  for (const YamlNode& node : list.items) {
    const std::string number = std::to_string(&node - list.items.data() + 1);
    auto item = read_check_item(node, "check " + number, false, report);
    if (!item) {
      read.sound = false;
      continue;
    }
    const std::string& name = item->check.name;
    if (!name.empty()) {
      const auto [first, is_new] = lines.emplace(name, item->name_line);
      if (!is_new) {
        report.error(
            "duplicate_check",
            "the name " + shown(name) + " is taken, first in line " + std::to_string(first->second),
            "give each check a name of its own",
            {report.file(), item->name_line, 0, item->name_column});
        read.sound = false;
        continue;
      }
    }
    items.push_back(std::move(*item));
  }
  std::set<std::string> taken;
  for (const auto& [name, line] : lines) taken.insert(name);
  name_checks(items, taken);
  for (CheckItem& item : items) read.checks.push_back(std::move(item.check));
  return read;
}

ReadChecks read_named_checks(const YamlNode& map, const NativeReport& report) {
  ReadChecks read;
  if (map.is_null()) return read;
  if (map.kind != Kind::map) {
    report.wrong_type("checks of the workflow", "a map of checks by name", map,
                      "write checks: {planSaved: {file: docs/plan.md}}; checks that close a step "
                      "stand in the step");
    read.sound = false;
    return read;
  }
  if (!is_within_limit(map.members.size(), "checks of the workflow", report.at(map), report)) {
    read.sound = false;
    return read;
  }
  for (const auto& member : map.members) {
    if (!is_identifier(member.name) || is_reserved(member.name)) {
      report.error("unusable_name", shown(member.name) + " cannot be the name of a named check",
                   is_reserved(member.name)
                       ? "it is a word of the expression language: choose another"
                       : "use at most 64 letters, digits and _, and begin with a letter: "
                         "expressions call it",
                   report.at(member));
      read.sound = false;
      continue;
    }
    auto item = read_check_item(member.value, "the check " + shown(member.name), true, report);
    if (!item) {
      read.sound = false;
      continue;
    }
    item->check.name = member.name;
    item->check.source = report.kept(member.line);
    read.checks.push_back(std::move(item->check));
  }
  return read;
}

bool add_checks(std::vector<Check>& checks, std::vector<Check> more, const NativeReport& report) {
  if (more.empty()) return true;
  const Source first = more.front().source;
  if (!is_within_limit(checks.size() + more.size(), "the gate", first, report)) return false;
  bool sound = true;
  std::map<std::string, Source> taken;
  for (const Check& check : checks) taken.emplace(check.name, check.source);
  for (Check& check : more) {
    int number = 1;
    while (is_made(check) && taken.contains(check.name)) {
      check.name = std::string(to_text(check.kind)) + "-" + std::to_string(++number);
    }
    const auto [known, is_new] = taken.emplace(check.name, check.source);
    if (!is_new) {
      report.error(
          "duplicate_check",
          "the name " + shown(check.name) + " is taken, first at " + to_text(known->second),
          "give each check a name of its own", check.source);
      sound = false;
      continue;
    }
    checks.push_back(std::move(check));
  }
  return sound;
}

bool check_ties(const Gate& gate, const NativeReport& report) {
  bool sound = true;
  std::vector<std::string> names;
  for (const Check& check : gate.checks) names.push_back(check.name);
  for (const Requirement& requirement : gate.requirements) {
    const std::string& name = requirement.check;
    if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) continue;
    const auto nearest = base::nearest_name(name, names);
    report.error("unknown_check",
                 shown(requirement.name) + " names the check " + shown(name) +
                     ", which its gate does not have",
                 nearest         ? "did you mean " + *nearest + "?"
                 : names.empty() ? "write it below checks, with name: " + name
                                 : "checks of the gate: " + base::joined(names, ", "),
                 requirement.source);
    sound = false;
  }
  return sound;
}

}  // namespace phasegate::phases

#include "phases/check.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "phases/check_json.h"

namespace phasegate::phases {
namespace {

constexpr std::size_t kSubjectBytesMax = 200;
constexpr std::size_t kSubjectWithConditionsBytesMax = 120;

constexpr std::array<std::pair<CheckKind, std::string_view>, 12> kKinds{{
    {CheckKind::file, "file"},
    {CheckKind::command, "command"},
    {CheckKind::tests, "tests"},
    {CheckKind::json, "json"},
    {CheckKind::sqlite, "sqlite"},
    {CheckKind::git, "git"},
    {CheckKind::count, "count"},
    {CheckKind::http, "http"},
    {CheckKind::expr, "expr"},
    {CheckKind::junit, "junit"},
    {CheckKind::coverage, "coverage"},
    {CheckKind::guard, "protected"},
}};

using Members = std::vector<CheckMember>;
using T = MemberType;

Members joined(Members first, const Members& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

/// What both kinds that start a program know.
const Members& program_members() {
  static const Members kMembers = {
      {"argv", T::arguments, false, {}},
      {"shell", T::flag, false, {}},
      {"run", T::text, false, {}},
      {"project", T::text, false, {}},
      {"if_missing", T::word, false, {"fail", "skip"}},
      {"cwd", T::path, false, {}},
      {"env", T::map, false, {}},
      {"timeout", T::duration, false, {}},
      {"output_max", T::whole, false, {}},
      {"inputs", T::globs, false, {}},
  };
  return kMembers;
}

}  // namespace

base::Json to_json(const Check& check) {
  base::Json json = base::Json::object();
  json["name"] = check.name;
  json["kind"] = to_text(check.kind);
  const auto parameters = parameters_of(check);
  json["parameters"] = parameters ? *parameters : base::Json(check.parameters);
  if (!check.error.empty()) json["error"] = check.error;
  if (check.cache_inputs) json["cache_inputs"] = true;
  json["source"] = base::Json::array({check.source.file, check.source.line, check.source.line_end});
  return json;
}

base::Result<base::Json> parameters_of(const Check& check) {
  auto parameters = base::parse_json(
      check.parameters, {base::limits::kCheckBytesMax, base::limits::kDocumentDepthMax});
  if (parameters && parameters->is_object()) return parameters;
  return base::Error{"invalid_check",
                     "the parameters of check " + base::in_quotes(check.name) + " are damaged", "",
                     to_text(check.source)};
}

std::string_view to_text(CheckKind kind) {
  for (const auto& [known, word] : kKinds) {
    if (known == kind) return word;
  }
  return "unknown";
}

std::optional<CheckKind> check_kind_from(std::string_view word) {
  for (const auto& [kind, known] : kKinds) {
    if (known == word) return kind;
  }
  return std::nullopt;
}

const std::vector<CheckMember>& check_members(CheckKind kind) {
  static const Members kFile = {
      {"path", T::path, true, {}},       {"exists", T::flag, false, {}},
      {"absent", T::flag, false, {}},    {"type", T::word, false, {"file", "folder"}},
      {"min_size", T::whole, false, {}}, {"matches", T::pattern, false, {}},
      {"lacks", T::pattern, false, {}},  {"matches_all", T::expression, false, {}},
      {"sha256", T::filled, false, {}},  {"changed_since_step", T::flag, false, {}},
  };
  static const Members kCommand =
      joined(program_members(), {
                                    {"stdin", T::filled, false, {}},
                                    {"exit", T::wholes, false, {}},
                                    {"stdout_matches", T::pattern, false, {}},
                                    {"stdout_lacks", T::pattern, false, {}},
                                    {"stderr_matches", T::pattern, false, {}},
                                    {"stderr_lacks", T::pattern, false, {}},
                                    {"stdout_json", T::expression, false, {}},
                                });
  static const Members kTests =
      joined(program_members(), {
                                    {"fails_at", T::word, false, {"start"}},
                                    {"passes_now", T::flag, false, {}},
                                    {"files", T::globs, false, {}},
                                    {"junit", T::path, false, {}},
                                    {"coverage", T::path, false, {}},
                                    {"min_tests", T::whole, false, {}},
                                    {"max_skipped", T::whole, false, {}},
                                    {"min_coverage", T::number, false, {}},
                                    {"ratchet", T::names, false, {}},
                                });
  static const Members kJson = {
      {"file", T::path, false, {}},       {"evidence", T::text, false, {}},
      {"schema", T::schema, false, {}},   {"schema_file", T::path, false, {}},
      {"that", T::expression, false, {}},
  };
  static const Members kSqlite = {
      {"db", T::path, true, {}},         {"query", T::text, true, {}},
      {"parameters", T::map, false, {}}, {"expect", T::word, false, {"row", "none"}},
      {"rows", T::whole, false, {}},     {"timeout", T::duration, false, {}},
  };
  static const Members kGit = {
      {"clean", T::flag, false, {}},    {"changed", T::flag, false, {}},
      {"commit", T::filled, false, {}}, {"branch", T::pattern, false, {}},
      {"touched", T::globs, false, {}}, {"untouched", T::globs, false, {}},
      {"within", T::globs, false, {}},  {"within_plan", T::expression, false, {}},
  };
  static const Members kCount = {
      {"files", T::globs, true, {}},         {"pattern", T::pattern, false, {}},
      {"equals", T::expression, false, {}},  {"at_least", T::expression, false, {}},
      {"at_most", T::expression, false, {}},
  };
  static const Members kHttp = {
      {"url", T::text, true, {}},
      {"hosts", T::names, false, {}},
      {"method", T::word, false, {"GET", "HEAD"}},
      {"status", T::wholes, false, {}},
      {"body_matches", T::pattern, false, {}},
      {"body_lacks", T::pattern, false, {}},
      {"body_json", T::expression, false, {}},
      {"timeout", T::duration, false, {}},
  };
  static const Members kExpr = {{"that", T::expression, true, {}}};
  static const Members kJunit = {
      {"report", T::path, true, {}},           {"min_tests", T::whole, false, {}},
      {"max_failures", T::whole, false, {}},   {"max_skipped", T::whole, false, {}},
      {"written_in_step", T::flag, false, {}},
  };
  static const Members kCoverage = {
      {"report", T::path, true, {}},
      {"format", T::word, false, {"cobertura", "lcov", "json"}},
      {"of", T::word, false, {"lines", "branches"}},
      {"min", T::number, true, {}},
      {"written_in_step", T::flag, false, {}},
  };
  static const Members kGuard = {
      {"paths", T::globs, false, {}},
      {"project", T::flag, false, {}},
      {"if_missing", T::word, false, {"fail", "skip"}},
      {"additions", T::word, false, {"refused", "allowed"}},
  };
  switch (kind) {
    case CheckKind::file:
      return kFile;
    case CheckKind::command:
      return kCommand;
    case CheckKind::tests:
      return kTests;
    case CheckKind::json:
      return kJson;
    case CheckKind::sqlite:
      return kSqlite;
    case CheckKind::git:
      return kGit;
    case CheckKind::count:
      return kCount;
    case CheckKind::http:
      return kHttp;
    case CheckKind::expr:
      return kExpr;
    case CheckKind::junit:
      return kJunit;
    case CheckKind::coverage:
      return kCoverage;
    case CheckKind::guard:
      return kGuard;
  }
  return kExpr;
}

std::string_view short_member(CheckKind kind) {
  switch (kind) {
    case CheckKind::file:
      return "path";
    case CheckKind::command:
    case CheckKind::tests:
      return "argv";
    case CheckKind::expr:
      return "that";
    case CheckKind::guard:
      return "paths";
    case CheckKind::http:
      return "url";
    case CheckKind::junit:
      return "report";
    case CheckKind::json:
    case CheckKind::sqlite:
    case CheckKind::git:
    case CheckKind::count:
    case CheckKind::coverage:
      return "";
  }
  return "";
}

bool needs_trust(const Check& check) {
  const auto parameters = parameters_of(check);
  if (!parameters) return true;
  if (check.kind == CheckKind::http) return true;
  if (check.kind == CheckKind::command || check.kind == CheckKind::tests) {
    // A command that the project does not have runs nothing.
    return base::find_member(*parameters, "argv") != nullptr ||
           base::find_member(*parameters, "run") != nullptr;
  }
  for (const CheckMember& member : check_members(check.kind)) {
    if (member.type != T::path) continue;
    const auto path = base::string_member(*parameters, member.name);
    if (path && path->starts_with('/')) return true;
  }
  return false;
}

namespace {

std::string listed(const base::Json& parameters, const char* name) {
  std::string text;
  const base::Json* list = base::find_member(parameters, name);
  if (list == nullptr || !list->is_array()) return text;
  for (const base::Json& item : *list) {
    if (item.is_string()) text += (text.empty() ? "" : " ") + item.get<std::string>();
  }
  return text;
}

/// `clean, within_plan steps.plan.evidence.files`
std::string all_members(const base::Json& parameters) {
  std::vector<std::string> members;
  for (const auto& [name, value] : parameters.items()) {
    std::string member = name;
    if (value.is_string()) {
      member += " " + value.get<std::string>();
    } else if (value != true) {
      member += " " + base::dump(value);
    }
    members.push_back(std::move(member));
  }
  return base::joined(members, ", ");
}

/// How it is looked at, which says nothing of what is wanted.
bool is_means(std::string_view name) {
  static constexpr std::array kMeans{"shell",   "project", "if_missing", "cwd",   "env",
                                     "timeout", "inputs",  "output_max", "stdin", "parameters",
                                     "hosts",   "format",  "exists"};
  return std::find(kMeans.begin(), kMeans.end(), name) != kMeans.end();
}

/// `min_size 200`, `lacks "TODO"`; empty: it is what holds anyway.
std::string condition(const CheckMember& member, const base::Json& value) {
  const std::string name(member.name);
  if (value.is_boolean()) {
    if (member.name == "passes_now" && value == true) return "";
    return value == true ? name : name + " false";
  }
  if (member.type == T::schema) return name;
  if (value.is_array()) {
    std::string items;
    for (const base::Json& item : value) {
      items += " " + (item.is_string() ? item.get<std::string>() : base::dump(item));
    }
    return name + items;
  }
  if (!value.is_string()) return name + " " + base::dump(value);
  const auto& text = value.get_ref<const std::string&>();
  if (member.name == "expect" && text == "row") return "";
  const bool quoted = member.type == T::pattern || member.type == T::text;
  return name + " " + (quoted ? base::in_quotes(text) : text);
}

/// ` (min_size 200, lacks "TODO")`: what is demanded of it beside that it is there or ends well.
std::string conditions_of(const Check& check, const base::Json& parameters,
                          const std::vector<std::string_view>& shown) {
  std::vector<std::string> conditions;
  for (const CheckMember& member : check_members(check.kind)) {
    const base::Json* value = base::find_member(parameters, member.name);
    if (value == nullptr || is_means(member.name)) continue;
    if (std::find(shown.begin(), shown.end(), member.name) != shown.end()) continue;
    auto one = condition(member, *value);
    if (!one.empty()) conditions.push_back(std::move(one));
  }
  return conditions.empty() ? "" : " (" + base::joined(conditions, ", ") + ")";
}

}  // namespace

std::string subject_of(const Check& check) {
  const auto parameters = parameters_of(check);
  if (!parameters) return std::string(to_text(check.kind));
  std::string text;
  std::vector<std::string_view> shown;
  for (const char* name : {"run", "path", "report", "url", "db", "file", "that"}) {
    if (auto found = base::string_member(*parameters, name)) {
      text = *std::move(found);
      shown = {name};
      break;
    }
  }
  if (text.empty()) {
    text = listed(*parameters, "argv");
    shown = {"argv"};
  }
  if (text.empty()) {
    if (const auto project = base::string_member(*parameters, "project")) {
      text = "the project's command " + *project;
    }
  }
  for (const char* name : {"paths", "files"}) {
    if (!text.empty()) break;
    text = listed(*parameters, name);
    shown = {name};
  }
  if (text.empty()) return base::shortened(all_members(*parameters), kSubjectBytesMax);
  // Of tests, their files say where they lie, not what is wanted.
  if (check.kind == CheckKind::tests) shown.insert(shown.end(), {"files", "junit", "coverage"});
  const std::string conditions = conditions_of(check, *parameters, shown);
  if (!conditions.empty()) text = base::shortened(text, kSubjectWithConditionsBytesMax);
  text += conditions;
  std::replace(text.begin(), text.end(), '\n', ' ');
  return base::shortened(text, kSubjectBytesMax);
}

}  // namespace phasegate::phases

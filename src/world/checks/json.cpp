#include "base/json.h"

#include <algorithm>
#include <optional>

#include "base/limits.h"
#include "base/text.h"
#include "gating/json_schema.h"
#include "world/checks/kinds.h"
#include "world/checks/opened_file.h"
#include "world/checks/outcome.h"
#include "world/checks/parameters.h"
#include "world/checks/step_files.h"

namespace phasegate::world::checks {

using base::Error;
using base::Json;
using base::Result;
using gating::CheckResult;

namespace {

/// Parsed JSON takes many times its text.
constexpr std::size_t kJsonBytesMax = 16U << 20U;
constexpr std::size_t kProblemsShownMax = 10;
constexpr std::size_t kPlaceBytesShown = 100;

/// What is looked at, and how sentences call it.
struct Subject {
  std::string name;
  Json value;
};

Result<Json> parsed(const std::string& name, const std::string& text) {
  auto json = base::parse_json(text, {kJsonBytesMax, base::limits::kDocumentDepthMax});
  if (json) return json;
  return Error{"invalid_json", name + " is no JSON: " + json.error().message, json.error().hint,
               ""};
}

/// `a.b.c` within the evidence; a member whose name has dots is found too.
const Json* in_evidence(const Json& scope, std::string_view path) {
  const Json* at = base::find_member(scope, "evidence");
  if (path.starts_with("evidence.")) path.remove_prefix(std::string_view("evidence.").size());
  if (at != nullptr) {
    if (const Json* whole = base::find_member(*at, path)) return whole;
  }
  for (const std::string_view part : base::split(path, '.')) {
    if (at != nullptr) at = base::find_member(*at, part);
  }
  return at;
}

std::string in_words(const gating::SchemaProblem& problem) {
  const std::string place = problem.path.empty() ? "the value" : problem.path;
  return base::shortened(place, kPlaceBytesShown) + " must be " + problem.wanted + ", got " +
         problem.got;
}

Result<std::optional<gating::JsonSchema>> schema_of(const Ask& ask) {
  const Json* written = base::find_member(ask.parameters, "schema");
  Json from_file;
  if (Parameters(ask).has("schema_file")) {
    if (written != nullptr) {
      return Error{"invalid_check", "schema and schema_file are both given", "give one of them",
                   ""};
    }
    const auto file = read_report(ask, "schema_file", kJsonBytesMax, false);
    if (!file) return file.error();
    auto json = parsed(shown_path(file->path), file->text);
    if (!json) return json.error();
    from_file = std::move(json).value();
    written = &from_file;
  }
  if (written == nullptr) return std::optional<gating::JsonSchema>();
  auto schema = gating::JsonSchema::compile(*written);
  if (!schema) {
    return Error{schema.error().code, "the schema cannot be used: " + schema.error().message,
                 schema.error().hint, ""};
  }
  return std::optional<gating::JsonSchema>(std::move(schema).value());
}

CheckResult judged(const Ask& ask, const Subject& subject) {
  const auto not_told = [&](const Error& error) { return unclear(ask, error.message, error.hint); };
  const auto schema = schema_of(ask);
  if (!schema) return not_told(schema.error());
  std::vector<std::string> problems;
  if (schema->has_value()) {
    const auto found = (*schema)->validate(subject.value);
    for (std::size_t i = 0; i < std::min(found.size(), kProblemsShownMax); ++i) {
      problems.push_back(in_words(found[i]));
    }
    if (found.size() > kProblemsShownMax) {
      problems.push_back("and " + std::to_string(found.size() - kProblemsShownMax) + " more");
    }
  }
  const Parameters parameters(ask);
  if (parameters.has("that")) {
    const Json names = {{"value", subject.value}};
    const auto value = parameters.value("that", names);
    if (!value) return not_told(value.error());
    const std::string written = parameters.text("that").value_or("that");
    if (!value->is_boolean()) {
      return unclear(ask, written + " is " + std::string(base::json_type_name(*value)) +
                              ", wanted true or false");
    }
    if (!value->get<bool>()) {
      problems.push_back(written + " is not so" + parameters.behind("that", names));
    }
  }
  if (problems.empty()) return passed(ask);
  return failed(ask, subject.name + ": " + base::joined(problems, "; "));
}

}  // namespace

CheckResult check_json(const Ask& ask) {
  const Parameters parameters(ask);
  const auto path = parameters.text("evidence");
  if (path.has_value() == parameters.has("file")) {
    return unclear(ask,
                   path ? "file and evidence are both given" : "neither file nor evidence is given",
                   "give one of them");
  }
  if (path) {
    const std::string name = path->starts_with("evidence.") ? *path : "evidence." + *path;
    const Json* value = in_evidence(ask.scene.scope, *path);
    if (value == nullptr) return about(failed(ask, name + " is not there"), name);
    return about(judged(ask, {name, *value}), name);
  }
  const auto file = read_report(ask, "file", kJsonBytesMax, false);
  if (!file) return without_file(ask, file.error());
  const std::string name = shown_path(file->path);
  auto json = parsed(name, file->text);
  if (!json) return about(failed(ask, json.error().message, json.error().hint), file->path);
  return about(judged(ask, {name, std::move(json).value()}), file->path);
}

}  // namespace phasegate::world::checks

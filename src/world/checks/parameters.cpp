#include "world/checks/parameters.h"

#include <algorithm>

#include "base/json.h"
#include "base/paths.h"
#include "base/text.h"
#include "gating/expression.h"
#include "gating/named_values.h"

namespace phasegate::world::checks {

using base::Error;
using base::Json;
using base::Result;

namespace {

Error missing(std::string_view name) {
  return {"invalid_check", std::string(name) + " is not given", "", std::string(name)};
}

/// Which of a check's many texts could not be filled in.
Error named(Error error, std::string_view parameter) {
  error.message = std::string(parameter) + ": " + error.message;
  return error;
}

Json with_names(Json scope, const Json& extra) {
  for (const auto& [key, value] : extra.items()) scope[key] = value;
  return scope;
}

/// The path begins as its author wrote it: what was filled in leads on from there, not back.
Result<void> keeps_beginning(std::string_view written, std::string_view path,
                             std::string_view parameter) {
  const std::size_t open = written.find("{{");
  if (open == std::string_view::npos) return {};
  const std::string_view literal = written.substr(0, open);
  const std::size_t slash = literal.rfind('/');
  if (slash == std::string_view::npos) return {};
  const auto folder = base::normalised_relative(literal.substr(0, slash));
  // `./` is the root itself, and so is `a/../`.
  const std::string beginning =
      (folder ? *folder + "/" : std::string()) + std::string(literal.substr(slash + 1));
  if (path.starts_with(beginning) && path.size() > beginning.size()) return {};
  return Error{"invalid_path",
               "what was filled into " + base::in_quotes(written) + " makes it " +
                   base::in_quotes(path) + ", which does not begin with " +
                   base::in_quotes(literal) + " any more",
               "hand over a value that leads on from there, without ..", std::string(parameter)};
}

}  // namespace

bool Parameters::has(std::string_view name) const {
  return base::find_member(ask_.parameters, name) != nullptr;
}

bool Parameters::flag(std::string_view name, bool otherwise) const {
  return base::bool_member(ask_.parameters, name).value_or(otherwise);
}

std::optional<std::int64_t> Parameters::whole(std::string_view name) const {
  return base::integer_member(ask_.parameters, name);
}

std::optional<double> Parameters::number(std::string_view name) const {
  const Json* value = base::find_member(ask_.parameters, name);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->get<double>();
}

std::vector<std::int64_t> Parameters::wholes(std::string_view name) const {
  std::vector<std::int64_t> numbers;
  if (const Json* list = base::find_member(ask_.parameters, name)) {
    for (const Json& item : *list) {
      if (const auto number = base::as_integer(item)) numbers.push_back(*number);
    }
  }
  return numbers;
}

std::optional<std::string> Parameters::text(std::string_view name) const {
  return base::string_member(ask_.parameters, name);
}

std::vector<std::string> Parameters::texts(std::string_view name) const {
  std::vector<std::string> found;
  if (const Json* list = base::find_member(ask_.parameters, name)) {
    for (const Json& item : *list) {
      if (item.is_string()) found.push_back(item.get<std::string>());
    }
  }
  return found;
}

Result<std::string> Parameters::filled(std::string_view name) const {
  const auto written = text(name);
  if (!written) return missing(name);
  auto full = gating::filled(*written, ask_.scene.scope);
  return full ? std::move(full) : named(full.error(), name);
}

Result<std::vector<std::string>> Parameters::all_filled(std::string_view name) const {
  std::vector<std::string> found;
  for (const std::string& written : texts(name)) {
    auto one = gating::filled(written, ask_.scene.scope);
    if (!one) {
      return named(one.error(), std::string(name) + "[" + std::to_string(found.size()) + "]");
    }
    found.push_back(std::move(one).value());
  }
  return found;
}

Result<std::vector<std::pair<std::string, std::string>>> Parameters::map(
    std::string_view name) const {
  std::vector<std::pair<std::string, std::string>> found;
  const Json* members = base::find_member(ask_.parameters, name);
  if (members == nullptr) return found;
  for (const auto& [key, value] : members->items()) {
    if (!value.is_string()) return missing(key);
    auto one = gating::filled(value.get_ref<const std::string&>(), ask_.scene.scope);
    if (!one) return named(one.error(), std::string(name) + "." + key);
    found.emplace_back(key, std::move(one).value());
  }
  return found;
}

Result<std::string> Parameters::path(std::string_view name) const {
  const auto written = text(name);
  auto full = filled(name);
  if (!full) return full;
  if (!written->starts_with('/')) {
    auto path = base::normalised_relative(*full);
    if (!path) return path;
    if (auto kept = keeps_beginning(*written, *path, name); !kept) return kept.error();
    return path;
  }
  // What was filled in must not lead to another place than the one that was written.
  const auto parts = base::split(*full, '/');
  if (*full != *written && std::find(parts.begin(), parts.end(), "..") != parts.end()) {
    return Error{"invalid_path", base::in_quotes(*full) + " leads out with ..",
                 "give a path without ..", std::string(name)};
  }
  return full;
}

Result<Json> Parameters::value(std::string_view name, const Json& extra) const {
  const Json* written = base::find_member(ask_.parameters, name);
  if (written == nullptr) return missing(name);
  if (!written->is_string()) return *written;
  const auto expression =
      gating::Expression::parse(written->get_ref<const std::string&>(), ask_.scene.callable);
  if (!expression) return expression.error();
  if (extra.empty()) return expression->evaluate(ask_.scene.scope, ask_.scene.named);
  return expression->evaluate(with_names(ask_.scene.scope, extra), ask_.scene.named);
}

std::string Parameters::behind(std::string_view name, const Json& extra) const {
  const auto written = text(name);
  if (!written) return "";
  const auto expression = gating::Expression::parse(*written, ask_.scene.callable);
  if (!expression) return "";
  const std::string named = gating::named_values(*expression, with_names(ask_.scene.scope, extra));
  return named.empty() ? "" : ": " + named;
}

}  // namespace phasegate::world::checks

#include "gating/scope_paths.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/json.h"
#include "base/text.h"

namespace phasegate::gating {

using base::Json;

namespace {

/// So many members are looked through for a nearest name; more are nobody's slip of the pen.
constexpr std::size_t kCandidatesMax = 200;

struct Alias {
  std::string_view name;
  std::string_view root;
  std::string_view member;  ///< empty: none
};

constexpr std::array<Alias, 4> kAliases{{
    {"context", "steps", ""},
    {"result", "evidence", ""},
    {"_previousStepSuccess", "previous", "success"},
    {"_previousOutput", "previous", "output"},
}};

const Alias* alias_of(std::string_view name) {
  for (const Alias& alias : kAliases) {
    if (alias.name == name) return &alias;
  }
  return nullptr;
}

}  // namespace

bool stands_for_scope(std::string_view name) {
  return name == "ctx" || name == "checkpoint";
}

NamePath canonical_name(std::string_view name) {
  const Alias* alias = alias_of(name);
  if (alias == nullptr) return {std::string(name)};
  if (alias->member.empty()) return {std::string(alias->root)};
  return {std::string(alias->root), std::string(alias->member)};
}

bool has_ids(std::string_view root) {
  return root == "steps" || root == "context" || root == "checks";
}

const Json* find_name(const Json& scope, std::string_view name) {
  if (const Json* own = base::find_member(scope, name)) return own;
  const Alias* alias = alias_of(name);
  if (alias == nullptr) return nullptr;
  const Json* root = base::find_member(scope, alias->root);
  if (root == nullptr || alias->member.empty()) return root;
  return base::find_member(*root, alias->member);
}

std::vector<std::string> first_parts(const std::vector<NamePath>& paths) {
  std::vector<std::string> names;
  names.reserve(paths.size());
  for (const NamePath& path : paths) {
    names.push_back(path.size() > 1 ? path[0] + "." + path[1] : path[0]);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

void sort_and_unique(std::vector<NamePath>& paths) {
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
}

std::string nearest_member(const Json& holder, std::string_view name, std::string_view prefix) {
  if (!holder.is_object()) return "";
  std::vector<std::string> candidates;
  for (const auto& [key, value] : holder.items()) {
    if (candidates.size() == kCandidatesMax) break;
    candidates.push_back(key);
  }
  const auto near = base::nearest_name(name, candidates);
  if (!near) return "";
  return "did you mean " + base::in_quotes(std::string(prefix) + *near) + "?";
}

}  // namespace phasegate::gating

#include "world/checks/inputs.h"

#include <unordered_set>

#include "base/hash.h"
#include "base/json.h"
#include "base/paths.h"
#include "gating/expression.h"
#include "phases/check_json.h"
#include "world/checks/glob_walk.h"
#include "world/checks/opened_file.h"
#include "world/checks/parameters.h"

namespace phasegate::world::checks {

using base::Json;
using phases::MemberType;

namespace {

constexpr const char* kProjectFile = ".phasegate/project.yaml";

/// What a template in `value` comes to, added piece by piece. False: it cannot be filled.
bool add_filled(base::Digest& digest, const Json& value, const Json& scope) {
  const auto add = [&](const Json& text) {
    if (!text.is_string()) return true;
    const auto filled = gating::filled(text.get_ref<const std::string&>(), scope);
    if (filled) digest.add(*filled);
    return filled.ok();
  };
  if (!value.is_structured()) return add(value);
  for (const auto& [key, item] : value.items()) {
    digest.add(key);
    if (!add(item)) return false;
  }
  return true;
}

/// What an expression reads of the scope. False: it does not parse by itself.
bool add_read(base::Digest& digest, const Json& value, const Json& scope) {
  if (!value.is_string()) return true;
  const auto expression = gating::Expression::parse(value.get_ref<const std::string&>());
  if (!expression) return false;
  for (const std::string& name : expression->names()) {
    const std::size_t dot = name.find('.');
    const Json* read = base::find_member(scope, name.substr(0, dot));
    if (read != nullptr && dot != std::string::npos) {
      if (const Json* inner = base::find_member(*read, name.substr(dot + 1))) read = inner;
    }
    digest.add(name).add(read == nullptr ? "" : base::dump_canonical(*read));
  }
  return true;
}

bool add_parameters(base::Digest& digest, const Ask& ask) {
  for (const phases::CheckMember& member : phases::check_members(ask.check.kind)) {
    const Json* value = base::find_member(ask.parameters, member.name);
    if (value == nullptr) continue;
    digest.add(member.name);
    switch (member.type) {
      case MemberType::path:
      case MemberType::filled:
      case MemberType::arguments:
      case MemberType::map:
        if (!add_filled(digest, *value, ask.scene.scope)) return false;
        break;
      case MemberType::expression:
        if (!add_read(digest, *value, ask.scene.scope)) return false;
        break;
      default:
        break;
    }
  }
  return true;
}

bool add_file(base::Digest& digest, const Ask& ask, const std::string& path) {
  const auto bytes = file_digest(ask.place.root, path);
  if (bytes) digest.add(path).add(*bytes);
  return bytes.ok();
}

}  // namespace

std::vector<gating::FileDigest> file_digests(const std::vector<std::string>& paths,
                                             const Place& place) {
  std::vector<gating::FileDigest> found;
  std::unordered_set<std::string> seen;
  for (const std::string& path : paths) {
    // Evidence names these: never an absolute one.
    auto normalised = base::normalised_relative(path);
    if (!normalised || !seen.insert(*normalised).second) continue;
    const auto file = OpenedFile::open(place.root, *normalised);
    if (!file) continue;
    auto digest = file->sha256();
    if (digest) found.push_back({std::move(normalised).value(), std::move(digest).value()});
  }
  return found;
}

std::string inputs_digest(const Ask& ask) {
  const auto patterns = Parameters(ask).texts("inputs");
  if (patterns.empty()) return "";
  const auto globs = Globs::compile(patterns, Hidden::included);
  if (!globs) return "";
  const auto files = list_matching(ask.place.root, *globs, Entries::all);
  if (!files) return "";
  base::Digest digest;
  Json definition = phases::to_json(ask.check);
  // Where it stands in its file changes nothing.
  definition.erase("source");
  digest.add(base::dump_canonical(definition));
  if (!add_parameters(digest, ask)) return "";
  for (const std::string& variable : ask.place.environment) digest.add(variable);
  // Which program a command of the project is stands there.
  if (Parameters(ask).has("project") && !add_file(digest, ask, kProjectFile)) return "";
  digest.add(std::to_string(files->size()));
  for (const std::string& path : *files) {
    if (ask.scene.go_on && !ask.scene.go_on()) return "";
    if (!add_file(digest, ask, path)) return "";
  }
  return digest.hex();
}

}  // namespace phasegate::world::checks

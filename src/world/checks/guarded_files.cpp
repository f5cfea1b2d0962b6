#include "world/checks/guarded_files.h"

#include "base/json.h"
#include "base/limits.h"
#include "world/checks/glob_walk.h"
#include "world/checks/tree_entry.h"

namespace phasegate::world::checks {

base::Result<Started::Digests> guarded_files(const std::vector<std::string>& globs,
                                             const Place& place) {
  const auto compiled = Globs::compile(globs, Hidden::included);
  if (!compiled) return compiled.error();
  const auto paths = list_matching(place.root, *compiled, Entries::all);
  if (!paths) return paths.error();
  Started::Digests digests;
  for (const std::string& path : *paths) digests[path] = look_at(place.root, path).digest;
  return digests;
}

std::string guarded_key(const std::vector<std::string>& globs) {
  return base::dump(base::Json(globs));
}

std::vector<std::string> guarded_globs(std::string_view key) {
  std::vector<std::string> globs;
  const auto list = base::parse_json(key, {base::limits::kCheckBytesMax, 2});
  if (!list || !list->is_array()) return globs;
  for (const base::Json& glob : *list) {
    if (glob.is_string()) globs.push_back(glob.get<std::string>());
  }
  return globs;
}

}  // namespace phasegate::world::checks

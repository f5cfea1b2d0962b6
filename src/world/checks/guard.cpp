#include <set>
#include <string>
#include <vector>

#include "base/globs.h"
#include "base/text.h"
#include "world/checks/guarded_files.h"
#include "world/checks/kinds.h"
#include "world/checks/outcome.h"
#include "world/checks/parameters.h"
#include "world/checks/started.h"
#include "world/checks/tree_entry.h"

namespace phasegate::world::checks {

using base::Globs;
using base::Hidden;

namespace {

struct Differences {
  std::set<std::string> changed;
  std::set<std::string> removed;
  std::set<std::string> added;
};

void compare(const Started::Digests& before, const Started::Digests& now, Differences& found) {
  for (const auto& [path, digest] : before) {
    const auto still = now.find(path);
    if (still == now.end()) {
      found.removed.insert(path);
    } else if (!same_entry(digest, still->second)) {
      found.changed.insert(path);
    }
  }
  for (const auto& [path, digest] : now) {
    if (!before.contains(path)) found.added.insert(path);
  }
}

void say(std::string& reason, const std::set<std::string>& paths, const char* what) {
  if (paths.empty()) return;
  if (!reason.empty()) reason += "; ";
  reason += std::string(what) + " since the run began: " +
            named_paths(std::vector<std::string>(paths.begin(), paths.end()));
}

}  // namespace

gating::CheckResult check_guard(const Ask& ask) {
  const Parameters parameters(ask);
  const std::vector<std::string> globs = parameters.texts("paths");
  if (globs.empty()) {
    gating::CheckResult nothing = unclear(
        ask, "this project protects no files",
        "a person names them in .phasegate/project.yaml, e.g. protected: [tests/**], for the "
        "sessions that are started then");
    if (parameters.text("if_missing") == "skip") nothing.outcome = gating::CheckOutcome::skipped;
    return nothing;
  }
  // A pattern that says nothing is the author's to mend; no new run would see more.
  if (const auto compiled = Globs::compile(globs, Hidden::included); !compiled) {
    return unclear(ask, "a pattern of the protected files is wrong: " + compiled.error().message,
                   "the author of the workflow, or of protected in .phasegate/project.yaml, "
                   "writes it anew");
  }
  const auto started = read_started(ask.scene.started);
  if (!started) return unclear(ask, started.error().message, started.error().hint);
  const auto before = started->guarded.find(guarded_key(globs));
  if (before == started->guarded.end()) {
    const std::string why = started->problems.empty() ? "" : ": " + started->problems.front();
    return unclear(ask, "the protected files were not observed when the run began" + why,
                   "start a new run of this workflow");
  }
  const auto now = guarded_files(globs, ask.place);
  if (!now) return unclear(ask, now.error().message, now.error().hint);
  Differences found;
  compare(before->second, *now, found);
  if (parameters.text("additions") == "allowed") found.added.clear();
  std::string reason;
  say(reason, found.changed, "changed");
  say(reason, found.removed, "removed");
  say(reason, found.added, "added");
  if (reason.empty()) {
    gating::CheckResult result = passed(ask);
    if (before->second.empty() && now->empty()) {
      result.hint = "the patterns match no file, so nothing is protected by them";
    }
    return result;
  }
  return failed(ask, "protected files were " + reason,
                "put them back as they were; a person changes protected files outside of a run");
}

}  // namespace phasegate::world::checks

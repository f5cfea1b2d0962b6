#include "world/checks/observations.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/json.h"
#include "phases/check_json.h"
#include "world/checks/guarded_files.h"
#include "world/checks/opened_file.h"
#include "world/checks/parameters.h"
#include "world/checks/repository.h"
#include "world/checks/started.h"
#include "world/checks/tree_entry.h"

namespace phasegate::world::checks {

using phases::Check;
using phases::CheckKind;

namespace {

std::vector<const Check*> checks_of(const phases::Workflow& workflow) {
  std::vector<const Check*> checks;
  const auto add = [&](const std::vector<Check>& more) {
    for (const Check& check : more) checks.push_back(&check);
  };
  for (const phases::Phase& phase : workflow.phases) add(phase.gate.checks);
  add(workflow.checks);
  return checks;
}

/// What differs from HEAD, or nothing and why: with half of it, what an assistant did could not be
/// told from what was there before.
void observe_repository(Started& started, const Place& place) {
  const auto note = [&](const base::Error& error) { started.problems.push_back(error.message); };
  const auto repository = Repository::open(place);
  if (!repository) return note(repository.error());
  if (const auto settled = repository->settled(); !settled) note(settled.error());
  started.ignored = repository->ignore_lists();
  auto head = repository->head();
  if (!head) return note(head.error());
  const auto paths = repository->differing(*head, Repository::Ignored::personal_too);
  if (!paths) return note(paths.error());
  for (const std::string& path : *paths) started.dirty[path] = look_at(place.root, path).digest;
  started.commit = *std::move(head);
}

void observe_guarded(Started& started, const Ask& ask) {
  const std::vector<std::string> globs = Parameters(ask).texts("paths");
  const std::string key = guarded_key(globs);
  if (globs.empty() || started.guarded.contains(key)) return;
  auto files = guarded_files(globs, ask.place);
  if (files) {
    started.guarded[key] = *std::move(files);
  } else {
    started.problems.push_back(files.error().message);
  }
}

/// The member that names the file whose change the check demands; empty: it demands none.
std::string_view watched_member(const Check& check, const Parameters& parameters) {
  switch (check.kind) {
    case CheckKind::file:
      return parameters.flag("changed_since_step") ? "path" : "";
    case CheckKind::junit:
    case CheckKind::coverage:
      return parameters.flag("written_in_step", true) ? "report" : "";
    case CheckKind::command:
    case CheckKind::tests:
    case CheckKind::json:
    case CheckKind::sqlite:
    case CheckKind::git:
    case CheckKind::count:
    case CheckKind::http:
    case CheckKind::expr:
    case CheckKind::guard:
      return "";
  }
  return "";
}

}  // namespace

std::string observe_start(const phases::Workflow& workflow, const Place& place) {
  const std::vector<const Check*> checks = checks_of(workflow);
  const auto is = [](CheckKind kind) {
    return [kind](const Check* one) { return one->kind == kind; };
  };
  const bool repository = std::any_of(checks.begin(), checks.end(), is(CheckKind::git)) ||
                          std::any_of(checks.begin(), checks.end(), is(CheckKind::tests));
  const bool guarded = std::any_of(checks.begin(), checks.end(), is(CheckKind::guard));
  if (!repository && !guarded) return "";
  Started started;
  if (repository) observe_repository(started, place);
  const base::Json nothing = base::Json::object();
  const gating::engine::CheckScene scene{nothing, "", "", {}, "", {}, {}, {}};
  for (const Check* check : checks) {
    if (check->kind != CheckKind::guard) continue;
    if (const auto written = phases::parameters_of(*check)) {
      observe_guarded(started, {*check, *written, scene, place});
    }
  }
  return to_text(started);
}

std::string observe_entry(const phases::Phase& phase, const base::Json& scope, const Place& place) {
  const gating::engine::CheckScene scene{scope, "", "", {}, "", {}, {}, {}};
  base::Json seen = base::Json::object();
  for (const Check& check : phase.gate.checks) {
    const auto written = phases::parameters_of(check);
    if (!written) continue;
    const Ask ask{check, *written, scene, place};
    const Parameters parameters(ask);
    const std::string_view member = watched_member(check, parameters);
    if (member.empty()) continue;
    // A path that evidence names is not known yet.
    const auto path = parameters.path(member);
    if (!path) continue;
    // What cannot be looked at has not been seen: its check says why.
    if (auto digest = file_digest(place.root, *path)) seen[*path] = *std::move(digest);
  }
  return seen.empty() ? "" : base::dump(seen);
}

}  // namespace phasegate::world::checks

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <re2/re2.h>

#include "base/globs.h"
#include "base/json.h"
#include "base/paths.h"
#include "base/text.h"
#include "world/checks/kinds.h"
#include "world/checks/outcome.h"
#include "world/checks/parameters.h"
#include "world/checks/repository.h"
#include "world/checks/started.h"

namespace phasegate::world::checks {

using base::Error;
using base::Globs;
using base::Hidden;
using base::Result;
using Paths = std::vector<std::string>;

namespace {

/// Names that nobody would plan: a pattern that takes more than few of them takes anything.
constexpr std::string_view kFirstLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
constexpr const char* kRestOfNames[] = {"q81", "q81.zq", "q81/zq82.zq", "q81/zq82/zq83.zq"};
constexpr std::size_t kFewNames = 4;

/// What is not as wanted, a sentence each; none: it is as wanted. An error: it cannot be said.
using Verdict = Result<std::vector<std::string>>;

Paths kept(const Paths& paths, const auto& wanted) {
  Paths found;
  std::copy_if(paths.begin(), paths.end(), std::back_inserter(found), wanted);
  return found;
}

/// What an earlier phase said that it would touch: files, folders and globs.
class Plan {
 public:
  /// Errors: anything that is no list of paths within the project, or says nothing in particular.
  static Result<Plan> from(const base::Json& value) {
    if (!value.is_array()) return refused("is no list of paths but " + shown(value));
    Plan plan;
    for (const base::Json& item : value) {
      if (!item.is_string()) return refused("names something that is no path: " + shown(item));
      if (auto added = plan.add(item.get<std::string>()); !added) return added.error();
    }
    return plan;
  }

  [[nodiscard]] bool empty() const { return paths_.empty() && globs_.empty(); }
  [[nodiscard]] bool covers(const std::string& path) const {
    const auto holds = [&](const std::string& planned) {
      return path == planned || path.starts_with(planned + "/");
    };
    const auto matches = [&](const Globs& glob) { return glob.matches(path); };
    return std::any_of(paths_.begin(), paths_.end(), holds) ||
           std::any_of(globs_.begin(), globs_.end(), matches);
  }

 private:
  static Error refused(std::string why) {
    return {"invalid_plan", "the plan " + std::move(why),
            "the plan must list the files, folders and globs that may change", ""};
  }
  static std::string shown(const base::Json& value) {
    return base::shortened(base::dump(value), 100);
  }

  Result<void> add(const std::string& written) {
    const auto path = base::normalised_relative(written);
    if (!path) return refused("names " + base::in_quotes(written) + ": " + path.error().message);
    const auto nothing_in_particular = [&] {
      return refused("names nothing in particular: " + base::in_quotes(written));
    };
    // `.` is all of it, and `!` would plan all but something.
    if (path->starts_with('!') || path->find_first_not_of("*?/.[]{},") == std::string::npos) {
      return nothing_in_particular();
    }
    if (path->find_first_of("*?[{") == std::string::npos) {
      paths_.push_back(*path);
      return {};
    }
    auto glob = Globs::compile({*path}, Hidden::included);
    if (!glob) return refused("names " + base::in_quotes(written) + ": " + glob.error().message);
    if (matches_anything(*glob)) return nothing_in_particular();
    globs_.push_back(std::move(glob).value());
    return {};
  }

  /// True if it takes names that nobody would plan, whichever of them: `**` can be written in many
  /// ways.
  static bool matches_anything(const Globs& glob) {
    return std::any_of(std::begin(kRestOfNames), std::end(kRestOfNames), [&](const char* rest) {
      const auto taken = std::count_if(kFirstLetters.begin(), kFirstLetters.end(), [&](char first) {
        return glob.matches(std::string(1, first) + rest);
      });
      return static_cast<std::size_t>(taken) > kFewNames;
    });
  }

  Paths paths_;
  std::vector<Globs> globs_;
};

class Asked {
 public:
  Asked(const Ask& ask, const Repository& repository)
      : ask_(ask), parameters_(ask), repository_(repository) {}

  [[nodiscard]] Verdict judge() {
    if (auto error = state(); error) return *error;
    if (auto error = changes(); error) return *error;
    return wrong_;
  }
  /// How many paths have changed, if that was looked at.
  [[nodiscard]] std::optional<std::size_t> changed() const { return changed_; }

 private:
  using Problem = std::optional<Error>;

  Problem state() {
    if (parameters_.has("clean")) {
      if (auto problem = clean(parameters_.flag("clean"))) return problem;
    }
    if (parameters_.has("commit")) {
      const auto id = parameters_.filled("commit");
      if (!id) return id.error();
      const auto commit = repository_.find_commit(*id);
      if (!commit) return commit.error();
      if (!*commit) {
        wrong_.push_back(base::in_quotes(base::shortened(*id, 80)) +
                         " is not the id of a commit of this repository" +
                         (repository_.shallow() ? ", whose history is cut off (shallow)" : ""));
      }
    }
    return parameters_.has("branch") ? on_branch(*parameters_.text("branch")) : std::nullopt;
  }

  Problem clean(bool wanted) {
    const auto started = read_started(ask_.scene.started);
    const auto ignored = ignored_since_start(repository_, started ? &*started : nullptr);
    const auto paths = repository_.unclean(ignored);
    if (!paths) return paths.error();
    if (!wanted && paths->empty()) {
      wrong_.emplace_back("the working tree is clean, wanted are uncommitted changes");
    }
    if (!wanted || paths->empty()) return std::nullopt;
    std::string why = "the working tree is not clean, uncommitted are " + named_paths(*paths);
    if (ignored == Repository::Ignored::gitignore_only) {
      why += started
                 ? " (personal ignore lists do not count: .git/info/exclude, "
                   "core.excludesFile, core.fileMode or core.autocrlf is another than when the run "
                   "began)"
                 : " (personal ignore lists do not count: they were not observed when the run "
                   "began)";
    }
    wrong_.push_back(std::move(why));
    return std::nullopt;
  }

  Problem on_branch(const std::string& pattern) {
    const re2::RE2 wanted(pattern, re2::RE2::Quiet);
    if (!wanted.ok())
      return Error{"invalid_check", "branch is no pattern: " + wanted.error(), "", ""};
    const auto branch = repository_.branch();
    if (!branch) return branch.error();
    if (branch->empty()) {
      wrong_.push_back("no branch is checked out, wanted is one that matches " +
                       base::in_quotes(pattern));
    } else if (!re2::RE2::PartialMatch(*branch, wanted)) {
      wrong_.push_back("the branch is " + base::in_quotes(*branch) +
                       ", wanted is one that matches " + base::in_quotes(pattern));
    }
    return std::nullopt;
  }

  Problem changes() {
    constexpr const char* kOfChanges[] = {"changed", "touched", "untouched", "within",
                                          "within_plan"};
    if (std::none_of(std::begin(kOfChanges), std::end(kOfChanges),
                     [&](const char* name) { return parameters_.has(name); })) {
      return std::nullopt;
    }
    const auto started = read_started(ask_.scene.started);
    if (!started) return started.error();
    const auto paths = changed_since_start(repository_, *started, ask_.place, ask_.scene.go_on);
    if (!paths) return paths.error();
    changed_ = paths->size();
    if (parameters_.has("changed") && parameters_.flag("changed") == paths->empty()) {
      wrong_.push_back(paths->empty() ? "nothing has changed since the run began"
                                      : "changed since the run began are " + named_paths(*paths));
    }
    for (const auto& judge : {&Asked::touched, &Asked::untouched, &Asked::within}) {
      if (auto problem = (this->*judge)(*paths)) return problem;
    }
    return within_plan(*paths);
  }

  Problem touched(const Paths& paths) {
    const Paths globs = parameters_.texts("touched");
    const auto takes_away = [](const std::string& glob) { return glob.starts_with('!'); };
    for (const std::string& written : globs) {
      if (takes_away(written)) continue;
      Paths with_exceptions = kept(globs, takes_away);
      with_exceptions.push_back(written);
      const auto glob = Globs::compile(with_exceptions, Hidden::included);
      if (!glob) return glob.error();
      if (kept(paths, [&](const std::string& path) { return glob->matches(path); }).empty()) {
        wrong_.push_back("nothing that matches " + base::in_quotes(written) +
                         " has changed since the run began");
      }
    }
    return std::nullopt;
  }

  Problem untouched(const Paths& paths) {
    if (!parameters_.has("untouched")) return std::nullopt;
    const auto globs = Globs::compile(parameters_.texts("untouched"), Hidden::included);
    if (!globs) return globs.error();
    const Paths wrong = kept(paths, [&](const std::string& path) { return globs->matches(path); });
    if (!wrong.empty()) wrong_.push_back("changed, and must not be, are " + named_paths(wrong));
    return std::nullopt;
  }

  Problem within(const Paths& paths) {
    if (!parameters_.has("within")) return std::nullopt;
    const auto globs = Globs::compile(parameters_.texts("within"), Hidden::included);
    if (!globs) return globs.error();
    const Paths wrong = kept(paths, [&](const std::string& path) { return !globs->matches(path); });
    if (!wrong.empty())
      wrong_.push_back("changed outside what may change are " + named_paths(wrong));
    return std::nullopt;
  }

  Problem within_plan(const Paths& paths) {
    if (!parameters_.has("within_plan")) return std::nullopt;
    const auto value = parameters_.value("within_plan", base::Json::object());
    if (!value) return value.error();
    const auto plan = Plan::from(*value);
    if (!plan) {
      wrong_.push_back(plan.error().message);
    } else if (plan->empty()) {
      wrong_.emplace_back("the plan names no path, so that nothing may have changed by it");
    } else {
      const Paths wrong = kept(paths, [&](const std::string& path) { return !plan->covers(path); });
      if (!wrong.empty()) wrong_.push_back("changed and not planned are " + named_paths(wrong));
    }
    return std::nullopt;
  }

  const Ask& ask_;
  Parameters parameters_;
  const Repository& repository_;
  std::vector<std::string> wrong_;
  std::optional<std::size_t> changed_;
};

}  // namespace

gating::CheckResult check_git(const Ask& ask) {
  const auto cannot = [&](const Error& why) {
    const Error error = since_start(why, ask.scene.started);
    return unclear(ask, error.message, error.hint);
  };
  const auto repository = Repository::open(ask.place, ask.scene.go_on);
  if (!repository) return cannot(repository.error());
  if (const auto settled = repository->settled(); !settled) {
    return unclear(ask, settled.error().message, settled.error().hint);
  }
  Asked asked(ask, *repository);
  const Verdict wrong = asked.judge();
  if (!wrong) return cannot(wrong.error());
  gating::CheckResult result =
      wrong->empty()
          ? passed(ask)
          : failed(ask, base::joined(*wrong, "; "),
                   "git status and git diff show it; put it right and send the evidence again");
  if (const auto changed = asked.changed()) result.value = std::to_string(*changed);
  return result;
}

}  // namespace phasegate::world::checks

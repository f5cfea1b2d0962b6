#include "gating/check_names.h"

#include <algorithm>

#include "base/text.h"
#include "gating/check_uses.h"

namespace phasegate::gating {

using base::Error;
using phases::Check;
using phases::CheckKind;
using phases::Phase;

namespace {

using Names = std::vector<std::string>;

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Names fields_of(const Phase& phase) {
  Names names;
  for (const phases::Requirement& field : phase.gate.requirements) names.push_back(field.name);
  return names;
}

const Names& run_members() {
  static const Names kNames = {"id", "workflow", "phase", "visit", "attempt", "target", "branch"};
  return kNames;
}

const Names& result_members() {
  static const Names kNames = {"passed", "outcome", "value", "exit_code"};
  return kNames;
}

const Names& step_members() {
  static const Names kNames = {"output", "evidence", "stale", "visits"};
  return kNames;
}

class Judge {
 public:
  Judge(const CheckPlace& place, CheckKind kind) : place_(place), kind_(kind) {}

  [[nodiscard]] std::optional<NameProblem> judge(const NamePath& path) const {
    if (auto error = root(path)) return error;
    if (path.size() == 1) return bare(path[0]);
    if (path[0] == "evidence") {
      auto error = known(path, 1, fields_of(place_.phase), "is no field that this gate asks for");
      return error ? error : not_secret(place_.phase, path, 1);
    }
    if (path[0] == "run") return known(path, 1, run_members(), "is not known of a run");
    if (path[0] == "input") return input(path);
    if (path[0] == "checks") {
      if (auto error = known(path, 1, place_.earlier, "is no earlier check of this gate")) {
        return error;
      }
      return path.size() == 2
                 ? std::nullopt
                 : known(path, 2, result_members(), "is not known of a check's result");
    }
    if (path[0] == "steps") return step(path);
    return std::nullopt;
  }

 private:
  /// An error if the part `at` of the path is none of `names`.
  [[nodiscard]] std::optional<NameProblem> known(const NamePath& path, std::size_t at,
                                                 const Names& names,
                                                 const std::string& problem) const {
    if (has(names, path[at])) return std::nullopt;
    const Names before(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(at));
    const std::string prefix = before.empty() ? "" : base::joined(before, ".") + ".";
    const auto near = base::nearest_name(path[at], names);
    std::string hint;
    if (near) {
      hint = "did you mean " + prefix + *near + "?";
    } else if (!names.empty()) {
      hint = "there is " + prefix + base::joined(names, ", " + prefix);
    }
    return NameProblem{base::in_quotes(prefix + path[at]) + " " + problem,
                       base::shortened(hint, 400)};
  }

  [[nodiscard]] std::optional<NameProblem> root(const NamePath& path) const {
    Names roots = {"evidence", "input", "steps", "checks", "run"};
    if (place_.named) roots.insert(roots.end(), {"args", "arg"});
    roots.insert(roots.end(), place_.bare.begin(), place_.bare.end());
    if (kind_ != CheckKind::expr) roots.insert(roots.end(), {"value", "output"});
    return known(path, 0, roots, "is no name that can be read here");
  }

  [[nodiscard]] std::optional<NameProblem> input(const NamePath& path) const {
    if (!place_.workflow.input_closed) return std::nullopt;
    Names names;
    for (const auto& member : place_.workflow.input) names.push_back(member.name);
    return known(path, 1, names, "is no input of this workflow");
  }

  [[nodiscard]] std::optional<NameProblem> step(const NamePath& path) const {
    Names earlier;
    const Phase* found = nullptr;
    for (const Phase& phase : place_.workflow.phases) {
      if (phase.id == place_.phase.id) break;
      earlier.push_back(phase.id);
      if (phase.id == path[1]) found = &phase;
    }
    if (auto error = known(path, 1, earlier, "is no phase before this one")) return error;
    if (path.size() == 2) return std::nullopt;
    if (auto error = known(path, 2, step_members(), "is not known of a phase")) return error;
    if (path.size() == 3 || (path[2] != "evidence" && path[2] != "output")) return std::nullopt;
    if (path[2] == "evidence") {
      auto error = known(path, 3, fields_of(*found), "is no field that this phase's gate asks for");
      if (error) return error;
    }
    return not_secret(*found, path, 3);
  }

  /// A field by its name alone may be that of this phase or of one before it.
  [[nodiscard]] std::optional<NameProblem> bare(const std::string& name) const {
    if (!has(place_.bare, name)) return std::nullopt;
    for (const Phase& phase : place_.workflow.phases) {
      if (auto problem = not_secret(phase, {name}, 0)) return problem;
      if (phase.id == place_.phase.id) break;
    }
    return std::nullopt;
  }

  /// An error if the part `at` of the path is a secret field of the phase: there is nothing to read
  /// but a digest, which is equal to nothing.
  [[nodiscard]] static std::optional<NameProblem> not_secret(const Phase& phase,
                                                             const NamePath& path, std::size_t at) {
    for (const phases::Requirement& field : phase.gate.requirements) {
      if (field.name != path[at] || !field.secret) continue;
      return NameProblem{
          base::in_quotes(base::joined(path, ".")) +
              " is secret: its value is gone once it is handed over, so that nothing can read it",
          "leave it out here, say what must hold by the field's own rules (pattern, min_length, "
          "…), "
          "or remove secret from it"};
    }
    return std::nullopt;
  }

  const CheckPlace& place_;
  CheckKind kind_;
};

}  // namespace

std::optional<NameProblem> name_problem(const std::vector<NamePath>& paths, const CheckPlace& place,
                                        CheckKind kind) {
  const Judge judge(place, kind);
  for (const NamePath& path : paths) {
    if (auto problem = judge.judge(path)) return problem;
  }
  return std::nullopt;
}

std::optional<Error> impossible_name(const Check& check, const std::vector<NamePath>& paths,
                                     const CheckPlace& place) {
  const auto problem = name_problem(paths, place, check.kind);
  if (!problem) return std::nullopt;
  return check_error(check, problem->problem, problem->hint);
}

}  // namespace phasegate::gating

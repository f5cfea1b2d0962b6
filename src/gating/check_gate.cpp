#include "gating/check_gate.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/check_names.h"
#include "gating/check_ties.h"
#include "gating/check_uses.h"
#include "gating/expression_functions.h"
#include "gating/expression_scanner.h"
#include "gating/expression_values.h"
#include "phases/project_paths.h"

namespace phasegate::gating {

using base::Error;
using base::Json;
using base::Result;
using phases::Check;
using phases::CheckKind;
using phases::Phase;
using phases::Requirement;

namespace {

/// `{{evidence.report}}`, with brackets for a name that needs them.
std::string template_of(const std::string& field) {
  if (!field.empty() && is_name_start(field[0]) &&
      std::all_of(field.begin(), field.end(), is_name_part)) {
    return "{{evidence." + field + "}}";
  }
  std::string quoted;
  for (const char c : field) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return "{{evidence[\"" + quoted + "\"]}}";
}

/// What evidence names must be there, and be what the field asks for.
std::optional<Check> implied_by(const Requirement& field) {
  if (!phases::names_place(field.format)) return std::nullopt;
  Check check;
  check.name = "exists:" + field.name;
  check.kind = CheckKind::file;
  check.parameters =
      base::dump(Json{{"path", template_of(field.name)},
                      {"type", field.format == phases::kProjectFolder ? "folder" : "file"}});
  check.source = field.source;
  return check;
}

bool is_claim(const NamePath& path) {
  return path.size() > 1 && path[0] == "evidence";
}

/// What a condition compares claims with: something that the engine saw or knows for itself.
bool is_seen(const NamePath& path) {
  return path[0] == "checks" || path[0] == "run";
}

/// True if a check looks at more than what it is told. `seeing`: the named checks that do.
bool sees(const Check& check, const CheckUses& uses, const std::set<std::string>& seeing) {
  return check.kind != CheckKind::expr ||
         std::any_of(uses.paths.begin(), uses.paths.end(), is_seen) ||
         std::any_of(uses.calls.begin(), uses.calls.end(),
                     [&](const std::string& called) { return seeing.contains(called); });
}

/// What is needed on entry into a phase may not rest on what is handed over to leave it.
std::optional<Error> too_early(const Check& check, const CheckUses& uses) {
  for (const NamePath& path : uses.at_entry) {
    if (path[0] == "input" || path[0] == "steps" || path[0] == "run") continue;
    return check_error(check,
                       "changed_since_step compares with the file as it was when the phase was "
                       "entered, and " +
                           base::in_quotes(path[0]) + " is not known then",
                       "name the file itself, or by input or an earlier phase's evidence");
  }
  return std::nullopt;
}

/// The named checks of a workflow, compiled as they are reached.
class NamedChecks {
 public:
  explicit NamedChecks(const phases::Workflow& workflow) : workflow_(workflow) {
    for (const Check& check : workflow.checks) names_.push_back(check.name);
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  std::optional<Error> check_names() const {
    std::set<std::string> seen;
    for (const Check& check : workflow_.checks) {
      if (!seen.insert(check.name).second) {
        return check_error(check, "another named check has this name");
      }
      if (find_builtin(check.name) != nullptr) {
        return check_error(check, "a function of the expression language has this name",
                           "give it another one");
      }
    }
    return std::nullopt;
  }

  /// Compiles a named check and all that it calls. An error for a cycle, with its members. `place`:
  /// the gate that calls it, or null where only the check by itself is looked at.
  // NOLINTNEXTLINE(misc-no-recursion)
  std::optional<Error> reach(const std::string& name, const CheckPlace* place) {
    if (std::find(open_.begin(), open_.end(), name) != open_.end()) {
      open_.push_back(name);
      return check_error(*find(name), "named checks call each other in a circle: " +
                                          base::shortened(base::joined(open_, " → "), 400));
    }
    if (reached_.contains(name)) return std::nullopt;
    const Check* check = find(name);
    auto uses = uses_of(*check, names_);
    if (!uses) return uses.error();
    if (auto error = too_early(*check, *uses)) return error;
    if (place != nullptr) {
      if (auto error = impossible_name(*check, uses->paths, *place)) return error;
    }
    if (open_.size() >= base::limits::kExpressionDepthMax) {
      return check_error(*check, "named checks call each other too deep");
    }
    open_.push_back(name);
    for (const std::string& called : uses->calls) {
      if (auto error = reach(called, place)) return error;
    }
    open_.pop_back();
    reached_.emplace(name, std::move(uses).value());
    return std::nullopt;
  }

  /// Those of the reached ones that look at more than what they are told, by others if need be.
  [[nodiscard]] std::set<std::string> seeing() const {
    std::set<std::string> found;
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [name, uses] : reached_) {
        if (sees(*find(name), uses, found)) changed = found.insert(name).second || changed;
      }
    }
    return found;
  }

  [[nodiscard]] std::map<std::string, CheckUses>& reached() { return reached_; }
  [[nodiscard]] const Check* find(const std::string& name) const {
    for (const Check& check : workflow_.checks) {
      if (check.name == name) return &check;
    }
    return nullptr;
  }

 private:
  const phases::Workflow& workflow_;
  std::vector<std::string> names_;
  std::vector<std::string> open_;
  std::map<std::string, CheckUses> reached_;
};

/// The claims that one check ties to what it looks at, or only to each other.
struct Tie {
  std::set<std::string> fields;
  bool seen = false;
};

Tie tie_of(const Check& check, const CheckUses& uses, const std::set<std::string>& seeing) {
  Tie tie{{}, sees(check, uses, seeing)};
  for (const NamePath& path : uses.paths) {
    if (is_claim(path)) tie.fields.insert(path[1]);
  }
  return tie;
}

/// Adds the fields of every tie that touches what is backed, until nothing changes.
void spread(std::vector<Tie> ties, std::set<std::string>& backed) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Tie& tie : ties) {
      const bool touches =
          tie.seen || std::any_of(tie.fields.begin(), tie.fields.end(),
                                  [&](const std::string& field) { return backed.contains(field); });
      if (!touches || tie.fields.empty()) continue;
      backed.merge(tie.fields);
      tie.fields.clear();
      changed = true;
    }
  }
}

}  // namespace

Result<CheckGate> CheckGate::compile(const phases::Workflow& workflow, const Phase& phase) {
  CheckGate gate;
  gate.checks_ = phase.gate.checks;
  for (const Requirement& field : phase.gate.requirements) {
    auto implied = implied_by(field);
    if (!implied) continue;
    gate.fields_.emplace(implied->name, field.name);
    gate.backed_.insert(field.name);
    gate.checks_.push_back(std::move(*implied));
  }

  NamedChecks named(workflow);
  if (auto error = named.check_names()) return *error;
  CheckPlace place{workflow, phase, {}, false, {}};
  std::vector<std::pair<const Check*, CheckUses>> read;
  for (const Check& check : gate.checks_) {
    if (std::find(place.earlier.begin(), place.earlier.end(), check.name) != place.earlier.end()) {
      return check_error(check, "another check of this gate has this name",
                         "give one of them another name");
    }
    auto uses = uses_of(check, named.names());
    if (!uses) return uses.error();
    if (auto error = impossible_name(check, uses->paths, place)) return *error;
    if (auto error = too_early(check, *uses)) return *error;
    CheckPlace within = place;
    within.named = true;
    for (const std::string& called : uses->calls) {
      if (auto error = named.reach(called, &within)) return *error;
    }
    if (uses->that) gate.expressions_.emplace(check.name, std::move(*uses->that));
    read.emplace_back(&check, std::move(uses).value());
    place.earlier.push_back(check.name);
  }
  for (const Requirement& field : phase.gate.requirements) {
    if (field.check.empty()) continue;
    const auto tied = std::find_if(gate.checks_.begin(), gate.checks_.end(),
                                   [&](const Check& one) { return one.name == field.check; });
    if (tied == gate.checks_.end()) {
      const auto near = base::nearest_name(field.check, place.earlier);
      return Error{"invalid_check",
                   "the field " + base::in_quotes(field.name) + " is tied to the check " +
                       base::in_quotes(field.check) + ", which this gate does not have",
                   near ? "did you mean " + base::in_quotes(*near) + "?" : "",
                   phases::to_text(field.source)};
    }
    if (auto error = impossible_tie(field, *tied)) return *error;
    gate.backed_.insert(field.name);
  }
  // A named check that no gate calls is nobody's; it is looked at once, with the first phase.
  if (!workflow.phases.empty() && workflow.phases.front().id == phase.id) {
    NamedChecks all(workflow);
    for (const Check& check : workflow.checks) {
      if (auto error = all.reach(check.name, nullptr)) return *error;
    }
  }
  const std::set<std::string> seeing = named.seeing();
  std::vector<Tie> ties;
  for (const auto& [check, uses] : read) ties.push_back(tie_of(*check, uses, seeing));
  for (auto& [name, uses] : named.reached()) {
    ties.push_back(tie_of(*named.find(name), uses, seeing));
    if (uses.that) gate.named_expressions_.emplace(name, std::move(*uses.that));
  }
  spread(std::move(ties), gate.backed_);
  return gate;
}

std::vector<const Check*> CheckGate::due(const Json& evidence) const {
  std::vector<const Check*> all;
  for (const Check& check : checks_) {
    if (const auto field = fields_.find(check.name); field != fields_.end()) {
      const Json* sent = base::find_member(evidence, field->second);
      if (sent == nullptr || sent->is_null()) continue;
    }
    all.push_back(&check);
  }
  return all;
}

const Expression* CheckGate::expression(const std::string& check) const {
  const auto found = expressions_.find(check);
  return found == expressions_.end() ? nullptr : &found->second;
}

const Expression* CheckGate::named_expression(const std::string& check) const {
  const auto found = named_expressions_.find(check);
  return found == named_expressions_.end() ? nullptr : &found->second;
}

}  // namespace phasegate::gating

#include "phases/lint_checks.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <set>
#include <vector>

#include "base/json.h"
#include "base/paths.h"
#include "base/text.h"
#include "phases/check_json.h"

namespace phasegate::phases {
namespace {

bool is_word_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80;
}

/// The words of a field's name and description, in lower case.
std::set<std::string> words_of(const Requirement& requirement) {
  std::set<std::string> words;
  std::string word;
  for (const char c : base::lowered(requirement.name + " " + requirement.description) + " ") {
    if (is_word_char(c)) {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::move(word));
      word.clear();
    }
  }
  return words;
}

/// What a field says, in words that are asked for.
class Said {
 public:
  explicit Said(const Requirement& requirement) : words_(words_of(requirement)) {}

  [[nodiscard]] bool any(std::initializer_list<const char*> words) const {
    return std::any_of(words.begin(), words.end(),
                       [&](const char* word) { return words_.contains(word); });
  }
  [[nodiscard]] bool passing() const {
    return any({"pass", "passes", "passed", "passing", "green", "succeed", "succeeds", "succeeded",
                "successful", "successfully", "success"}) ||
           (any({"no", "without", "zero", "0"}) &&
            any({"fail", "fails", "failed", "failing", "failure", "failures", "error", "errors",
                 "warning", "warnings", "issues", "problems"}));
  }
  [[nodiscard]] bool denied() const { return any({"not", "never", "cannot"}); }

 private:
  std::set<std::string> words_;
};

/// The number before `%`, or the only number: `coverage of at least 80 %`.
std::optional<std::string> percentage(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    if (std::isdigit(static_cast<unsigned char>(text[at])) == 0) {
      ++at;
      continue;
    }
    const auto end = std::min(text.find_first_not_of("0123456789.", at), text.size());
    std::string number = text.substr(at, end - at);
    while (number.ends_with('.')) number.pop_back();
    const auto behind = std::min(text.find_first_not_of(' ', end), text.size());
    const bool percent = text.substr(behind).starts_with("%") ||
                         base::lowered(text.substr(behind, 7)).starts_with("percent");
    const bool plain = std::count(number.begin(), number.end(), '.') <= 1 && number.size() <= 5;
    if (percent && plain && std::stod(number) <= 100) return number;
    at = end;
  }
  return std::nullopt;
}

/// The first path in a text: `docs/plan.md`, `CHANGELOG.md`. Parts with a placeholder are none.
std::optional<std::string> path_in(const std::string& text) {
  static const std::string kChars =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-";
  static const std::string kUnclear = "<>{}[]*$~:@\\";
  for (std::size_t at = text.find_first_of(kChars); at != std::string::npos;) {
    const auto end = std::min(text.find_first_not_of(kChars, at), text.size());
    std::string token = text.substr(at, end - at);
    const bool unclear =
        (at > 0 && kUnclear.find(text[at - 1]) != std::string::npos) ||
        (end < text.size() && text[end] != ':' && kUnclear.find(text[end]) != std::string::npos);
    while (token.ends_with('.') || token.ends_with('-')) token.pop_back();
    const auto slash = token.rfind('/');
    const auto dot = token.rfind('.');
    const bool ending = dot != std::string::npos && dot > 0 && token.size() - dot > 2 &&
                        token.size() - dot <= 7 &&
                        (slash == std::string::npos || dot > slash + 1) &&
                        std::isalpha(static_cast<unsigned char>(token[dot + 1])) != 0;
    const auto path = base::normalised_relative(token);
    if (!unclear && ending && path && *path == token) return token;
    at = text.find_first_of(kChars, end);
  }
  return std::nullopt;
}

/// The kind with its members, without a name.
std::optional<std::string> check_for(const Requirement& requirement) {
  const Said said(requirement);
  if (said.denied()) return std::nullopt;
  if (said.any({"coverage", "covered"})) {
    if (const auto percent = percentage(requirement.description)) {
      return "tests: {project: test, min_coverage: " + *percent + ", coverage: PATH}";
    }
  }
  if (said.any({"test", "tests", "testsuite"}) && said.passing()) return "tests: {project: test}";
  const bool clean = said.any({"clean", "free"});
  if (said.any({"lint", "lints", "linter", "linting"}) && (clean || said.passing())) {
    return "command: {project: lint}";
  }
  if (said.any({"builds", "compiles"}) ||
      (said.any({"build", "compile", "compiled", "compilation"}) && (clean || said.passing()))) {
    return "command: {project: build}";
  }
  const bool whole = said.any({"change", "changes", "code", "files", "work", "all", "everything",
                               "git", "fix", "implementation"});
  if ((said.any({"committed"}) && whole) ||
      (clean && said.any({"git", "worktree", "uncommitted"})) ||
      (clean && said.any({"working"}) && said.any({"tree", "directory", "copy"}))) {
    return "git: clean";
  }
  if (said.any({"exist", "exists", "created", "written", "generated", "present", "saved", "added",
                "produced"})) {
    if (const auto path = path_in(requirement.description)) return "file: " + *path;
  }
  return std::nullopt;
}

/// The field's own name where a check may have it.
std::string name_for(const Requirement& requirement) {
  std::string name;
  for (const char c : requirement.name.substr(0, 64)) {
    name += static_cast<unsigned char>(c) < 0x80 && (is_word_char(c) || c == '-') ? c : '_';
  }
  return name.empty() || name.front() == '-' ||
                 std::isdigit(static_cast<unsigned char>(name.front())) != 0
             ? "checked_" + name.substr(0, 50)
             : name;
}

void propose(const Phase& phase, FindingList& findings) {
  for (const Requirement& requirement : phase.gate.requirements) {
    if (requirement.type != ValueType::boolean || !requirement.required ||
        requirement.false_allowed || !requirement.check.empty()) {
      continue;
    }
    const auto check = proposed_check(requirement);
    if (!check) continue;
    findings.info("check_proposed",
                  base::in_quotes(requirement.name) +
                      " is left on the assistant's word, and a check can find it out",
                  "write below checks: - " + *check + ", and check: " + name_for(requirement) +
                      " at the field; for documents both stand in a file of corrections",
                  requirement.source, phase.id);
  }
}

void warn_of_reports(const Phase& phase, FindingList& findings) {
  const auto& checks = phase.gate.checks;
  const bool runs = std::any_of(checks.begin(), checks.end(),
                                [](const Check& check) { return check.kind == CheckKind::tests; });
  if (runs) return;
  for (const Check& check : checks) {
    if (check.kind != CheckKind::junit && check.kind != CheckKind::coverage) continue;
    findings.warning("forgeable_report",
                     "the check " + base::in_quotes(check.name) +
                         " reads a report that whoever can write files can write by hand: "
                         "nothing in this gate runs the tests",
                     "let phasegate run them: {tests: {project: test, " +
                         std::string(check.kind == CheckKind::junit ? "junit" : "coverage") +
                         ": PATH}}",
                     check.source, phase.id);
  }
}

/// The inputs that the texts of a value name in `{{input.NAME}}`.
void collect_inputs(const base::Json& value, std::set<std::string>& names) {
  if (value.is_structured()) {
    for (const base::Json& item : value) collect_inputs(item, names);
    return;
  }
  if (!value.is_string()) return;
  const std::string& text = value.get_ref<const std::string&>();
  for (auto open = text.find("{{"); open != std::string::npos; open = text.find("{{", open)) {
    open += 2;
    const auto close = std::min(text.find("}}", open), text.size());
    const std::string_view path = base::trimmed(std::string_view(text).substr(open, close - open));
    constexpr std::string_view kHead = "input.";
    if (!path.starts_with(kHead)) continue;
    const std::string_view rest = path.substr(kHead.size());
    names.emplace(rest.substr(0, rest.find_first_of(".[")));
  }
}

class InputLint {
 public:
  InputLint(const Workflow& workflow, FindingList& findings) : findings_(findings) {
    for (const Requirement& input : workflow.input) known_.push_back(input.name);
    if (workflow.dynamic) known_.push_back(workflow.dynamic->input);
  }

  void look(const Check& check, const std::string& phase) {
    const auto parameters = parameters_of(check);
    if (!parameters) return;
    std::set<std::string> names;
    collect_inputs(*parameters, names);
    for (const std::string& name : names) {
      if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
      const auto nearest = base::nearest_name(name, known_);
      findings_.error(
          "unknown_input",
          "the check " + base::in_quotes(check.name) + " takes the input " +
              base::in_quotes(base::shortened(name, 60)) + ", which the workflow does not ask for",
          nearest ? "did you mean {{input." + *nearest + "}}?" : "add it to properties of input",
          check.source, phase);
    }
  }

 private:
  FindingList& findings_;
  std::vector<std::string> known_;
};

/// Without a schema anything may be given at the start. Where something could not be read, it may
/// be the input that is missed.
void check_inputs(const Workflow& workflow, FindingList& findings) {
  if ((workflow.input.empty() && !workflow.input_closed) || findings.has_error()) return;
  InputLint lint(workflow, findings);
  for (const Phase& phase : workflow.phases) {
    for (const Check& check : phase.gate.checks) lint.look(check, phase.id);
  }
  for (const Check& check : workflow.checks) lint.look(check, "");
}

}  // namespace

bool looks_for_itself(const Gate& gate) {
  return std::any_of(gate.checks.begin(), gate.checks.end(),
                     [](const Check& check) { return check.kind != CheckKind::expr; });
}

std::optional<std::string> proposed_check(const Requirement& requirement) {
  const auto check = check_for(requirement);
  if (!check) return std::nullopt;
  return "{name: " + name_for(requirement) + ", " + *check + "}";
}

void lint_checks(const Workflow& workflow, FindingList& findings) {
  for (const Phase& phase : workflow.phases) {
    propose(phase, findings);
    warn_of_reports(phase, findings);
  }
  check_inputs(workflow, findings);
}

}  // namespace phasegate::phases

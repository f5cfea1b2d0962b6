#include "gating/check_uses.h"

#include <utility>

#include "base/json.h"
#include "base/paths.h"
#include "base/text.h"
#include "gating/expression_tree.h"
#include "gating/json_schema.h"
#include "gating/templates.h"
#include "phases/check_json.h"

namespace phasegate::gating {

using base::Error;
using base::Json;
using base::Result;
using phases::Check;
using phases::CheckKind;
using phases::CheckMember;
using phases::MemberType;

namespace {

class Uses {
 public:
  Uses(const Check& check, const std::vector<std::string>& functions)
      : check_(check), functions_(functions) {}

  Result<CheckUses> read() {
    const auto parameters = phases::parameters_of(check_);
    if (!parameters) return parameters.error();
    for (const CheckMember& member : phases::check_members(check_.kind)) {
      const Json* value = base::find_member(*parameters, member.name);
      if (value == nullptr) {
        if (member.required) return wrong(member, "it is missing");
        continue;
      }
      if (auto error = read_member(member, *value)) return *error;
      if (check_.kind == CheckKind::tests &&
          (member.name == "junit" || member.name == "coverage")) {
        if (auto error = read_report_place(member, value->get<std::string>())) return *error;
      }
    }
    if (check_.kind == CheckKind::file &&
        base::bool_member(*parameters, "changed_since_step").value_or(false)) {
      const auto path = template_paths(base::string_member(*parameters, "path").value_or(""));
      if (path) uses_.at_entry = *path;
    }
    return std::move(uses_);
  }

 private:
  [[nodiscard]] Error wrong(const CheckMember& member, const std::string& problem,
                            std::string hint = "") const {
    return check_error(check_, std::string(member.name) + ": " + problem, std::move(hint));
  }

  std::optional<Error> read_member(const CheckMember& member, const Json& value) {
    switch (member.type) {
      case MemberType::expression:
        return read_expression(member, value);
      case MemberType::pattern:
        return read_pattern(member, value);
      case MemberType::path:
      case MemberType::filled:
        return read_template(member, value);
      case MemberType::arguments:
      case MemberType::map:
        return read_templates(member, value);
      case MemberType::schema: {
        const auto schema = JsonSchema::compile(value);
        if (!schema) {
          return wrong(
              member,
              schema.error().message + " (at " + base::in_quotes(schema.error().where) + ")",
              schema.error().hint);
        }
        return std::nullopt;
      }
      case MemberType::text:
        return read_text(member, value);
      default:
        return std::nullopt;
    }
  }

  /// Where a run of tests writes its report is the author's to say, as what is run: no value that
  /// was handed over names a file of the project for it, and nothing of git's is one.
  [[nodiscard]] std::optional<Error> read_report_place(const CheckMember& member,
                                                       const std::string& path) const {
    const std::string hint = "write a path of the project as it is, e.g. " +
                             std::string(member.name) + ": build/" +
                             (member.name == "junit" ? "junit.xml" : "coverage.xml");
    if (path.find("{{") != std::string::npos) {
      return wrong(member, "{{…}} is not filled in here: the author says where the report lies",
                   hint);
    }
    const auto below = base::normalised_relative(path);
    if (!below || below->empty()) return wrong(member, "it is no path within the project", hint);
    for (const std::string_view part : base::split(*below, '/')) {
      if (base::lowered(part) == ".git") return wrong(member, "nothing in .git is a report", hint);
    }
    return std::nullopt;
  }

  /// A text is an expression; a number, a flag or a list stands for itself.
  std::optional<Error> read_expression(const CheckMember& member, const Json& value) {
    const bool condition = check_.kind == CheckKind::expr;
    if (!value.is_string() && !condition) return std::nullopt;
    const std::string text = value.is_string() ? value.get<std::string>() : base::dump(value);
    auto expression = Expression::parse(text, functions_);
    if (!expression) return wrong(member, expression.error().message, expression.error().hint);
    uses_.paths.insert(uses_.paths.end(), expression->paths().begin(), expression->paths().end());
    uses_.calls.insert(uses_.calls.end(), expression->calls().begin(), expression->calls().end());
    if (condition) uses_.that = std::move(expression).value();
    return std::nullopt;
  }

  std::optional<Error> read_pattern(const CheckMember& member, const Json& value) const {
    if (!value.is_string()) return wrong(member, "a pattern must be a text");
    const auto pattern = compile_pattern(value.get_ref<const std::string&>());
    if (!pattern) return wrong(member, pattern.error().message, pattern.error().hint);
    return std::nullopt;
  }

  std::optional<Error> read_template(const CheckMember& member, const Json& value) {
    if (!value.is_string()) return wrong(member, "it must be a text");
    const auto paths = template_paths(value.get_ref<const std::string&>());
    if (!paths) return wrong(member, paths.error().message, paths.error().hint);
    uses_.paths.insert(uses_.paths.end(), paths->begin(), paths->end());
    return std::nullopt;
  }

  std::optional<Error> read_templates(const CheckMember& member, const Json& values) {
    if (!values.is_structured()) return wrong(member, "it must hold texts");
    for (const Json& value : values) {
      if (auto error = read_template(member, value)) return error;
    }
    return std::nullopt;
  }

  /// A text is taken as it is. Somebody who writes `{{evidence.x}}` into a shell's line or a query
  /// believes otherwise, and would be wrong about what is checked.
  std::optional<Error> read_text(const CheckMember& member, const Json& value) {
    if (!value.is_string()) return wrong(member, "it must be a text");
    const auto& text = value.get_ref<const std::string&>();
    if (member.name == "evidence") {
      uses_.paths.push_back({"evidence", std::string(base::split(text, '.').front())});
    }
    for (std::size_t at = text.find("{{"); at != std::string::npos; at = text.find("{{", at + 2)) {
      const std::size_t close = text.find("}}", at);
      if (close == std::string::npos) break;
      const auto names = template_names(std::string_view(text).substr(at, close + 2 - at));
      if (!names || names->empty()) continue;
      const std::string root(base::split(names->front(), '.').front());
      for (const char* known : {"evidence", "input", "steps", "checks", "run", "args", "arg"}) {
        if (root != known) continue;
        return wrong(member, "{{" + names->front() + "}} is not filled in here",
                     "values are never put into a command's or a query's text: pass them as "
                     "arguments, in env or in parameters");
      }
    }
    return std::nullopt;
  }

  const Check& check_;
  const std::vector<std::string>& functions_;
  CheckUses uses_;
};

}  // namespace

Error check_error(const Check& check, const std::string& problem, std::string hint) {
  return {"invalid_check", "the check " + base::in_quotes(check.name) + ": " + problem,
          std::move(hint), phases::to_text(check.source)};
}

Result<CheckUses> uses_of(const Check& check, const std::vector<std::string>& functions) {
  return Uses(check, functions).read();
}

}  // namespace phasegate::gating

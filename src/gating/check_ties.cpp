#include "gating/check_ties.h"

#include <initializer_list>
#include <string>
#include <utility>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "phases/check_json.h"

namespace phasegate::gating {

using base::Error;
using base::Json;
using phases::Check;
using phases::CheckKind;
using phases::Requirement;
using phases::ValueType;

namespace {

/// What a kind finds that a field can say.
enum class Finds { nothing, a_number, anything };

struct Findable {
  Finds what = Finds::nothing;
  std::string why;  ///< `finds a number`, for messages
};

bool has_any(const Json& parameters, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (base::find_member(parameters, name) != nullptr) return true;
  }
  return false;
}

Findable findable(const Check& check) {
  const auto parameters = phases::parameters_of(check);
  const Json written = parameters ? *parameters : Json::object();
  switch (check.kind) {
    case CheckKind::command:
      return {Finds::a_number, "finds an exit code"};
    case CheckKind::tests:
      // The report may come from the project's own command.
      if (has_any(written, {"junit", "project"})) return {Finds::a_number, "finds a number"};
      return {Finds::nothing, "finds no number of tests without junit"};
    case CheckKind::junit:
    case CheckKind::count:
    case CheckKind::http:
    case CheckKind::coverage:
      return {Finds::a_number, "finds a number"};
    case CheckKind::git:
      if (has_any(written, {"changed", "touched", "untouched", "within", "within_plan"})) {
        return {Finds::a_number, "finds a number"};
      }
      return {Finds::nothing, "finds no value: it compares nothing with the start"};
    case CheckKind::sqlite:
      if (has_any(written, {"rows"})) return {Finds::a_number, "finds a number"};
      if (base::string_member(written, "expect") == "none") {
        return {Finds::nothing, "finds no value: it passes if there is none"};
      }
      return {Finds::anything, ""};
    case CheckKind::file:
    case CheckKind::json:
    case CheckKind::expr:
    case CheckKind::guard:
      break;
  }
  return {Finds::nothing, "finds no value that a field could say, only whether it passed"};
}

bool is_numeric(ValueType type) {
  return type == ValueType::integer || type == ValueType::number;
}

}  // namespace

std::optional<Error> impossible_tie(const Requirement& field, const Check& check) {
  if (field.type == ValueType::boolean) return std::nullopt;
  const Findable found = findable(check);
  if (found.what == Finds::anything) return std::nullopt;
  if (found.what == Finds::a_number && is_numeric(field.type)) return std::nullopt;
  return Error{"invalid_check",
               "the field " + base::in_quotes(field.name) + " has the type " +
                   std::string(phases::to_text(field.type)) + " and is tied to the check " +
                   base::in_quotes(check.name) + " (" + std::string(phases::to_text(check.kind)) +
                   "), which " + found.why,
               found.what == Finds::a_number
                   ? "make it an integer or a number, or a boolean that says whether it passed"
                   : "make it a boolean that says whether it passed",
               phases::to_text(field.source)};
}

std::optional<Json> found_for(const CheckResult& result, const Requirement& field) {
  if (field.type == ValueType::boolean) return Json(result.outcome == CheckOutcome::passed);
  if (result.value.empty()) return std::nullopt;
  auto value = base::parse_json(result.value,
                                {base::limits::kCheckBytesMax, base::limits::kDocumentDepthMax});
  if (!value) return std::nullopt;
  const bool of_tests = result.kind == CheckKind::tests || result.kind == CheckKind::junit;
  if (!of_tests || !is_numeric(field.type)) return std::move(value).value();
  const Json* tests = base::find_member(*value, "tests");
  if (tests == nullptr) return std::nullopt;
  return *tests;
}

}  // namespace phasegate::gating

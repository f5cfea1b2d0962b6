#include "gating/expression_values.h"

#include <cmath>
#include <cstdint>
#include <utility>

#include "base/json.h"
#include "base/text.h"

namespace phasegate::gating {

using base::Json;

namespace {

/// A whole number that int64 holds exactly, however it is kept.
std::optional<std::int64_t> exact(const Json& number) {
  if (number.is_number_float()) return std::nullopt;
  if (number.is_number_unsigned() && number.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
  return number.get<std::int64_t>();
}

/// Wide enough on common systems for every whole number of 64 bits.
long double widened(const Json& number) {
  if (number.is_number_float()) return number.get<double>();
  if (number.is_number_unsigned()) return static_cast<long double>(number.get<std::uint64_t>());
  return static_cast<long double>(number.get<std::int64_t>());
}

/// -1, 0, 1; JSON has no number that compares with none.
int order(const Json& a, const Json& b) {
  const auto exact_a = exact(a);
  const auto exact_b = exact(b);
  if (exact_a && exact_b) return *exact_a < *exact_b ? -1 : (*exact_a > *exact_b ? 1 : 0);
  const long double wide_a = widened(a);
  const long double wide_b = widened(b);
  return wide_a < wide_b ? -1 : (wide_a > wide_b ? 1 : 0);
}

std::optional<std::int64_t> exactly(ExpressionOp op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (op) {
    case ExpressionOp::add:
      if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
      return result;
    case ExpressionOp::subtract:
      if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
      return result;
    case ExpressionOp::multiply:
      if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
      return result;
    default:
      if (b == 0 || (a == INT64_MIN && b == -1) || a % b != 0) return std::nullopt;
      return a / b;
  }
}

std::optional<Json> arithmetic(ExpressionOp op, const Json& a, const Json& b,
                               std::string& problem) {
  if (op == ExpressionOp::divide && b.get<double>() == 0) {
    problem = "division by zero";
    return std::nullopt;
  }
  const auto exact_a = exact(a);
  const auto exact_b = exact(b);
  if (exact_a && exact_b) {
    if (const auto result = exactly(op, *exact_a, *exact_b)) return Json(*result);
  }
  const auto x = a.get<double>();
  const auto y = b.get<double>();
  const double result = op == ExpressionOp::add        ? x + y
                        : op == ExpressionOp::subtract ? x - y
                        : op == ExpressionOp::multiply ? x * y
                                                       : x / y;
  if (!std::isfinite(result)) {
    problem = "the result is larger than any number";
    return std::nullopt;
  }
  return Json(result);
}

bool holds(ExpressionOp op, int order) {
  switch (op) {
    case ExpressionOp::lt:
      return order < 0;
    case ExpressionOp::le:
      return order <= 0;
    case ExpressionOp::gt:
      return order > 0;
    default:
      return order >= 0;
  }
}

bool is_ordering(ExpressionOp op) {
  return op == ExpressionOp::lt || op == ExpressionOp::le || op == ExpressionOp::gt ||
         op == ExpressionOp::ge;
}

}  // namespace

const Json& ValueStore::null() {
  static const Json kNull;
  return kNull;
}

const Json& ValueStore::keep(Json value) {
  static const Json kTrue = true;
  static const Json kFalse = false;
  if (value.is_boolean()) return value.get<bool>() ? kTrue : kFalse;
  return kept_.emplace_back(std::move(value));
}

std::string_view to_text(ExpressionOp op) {
  switch (op) {
    case ExpressionOp::eq:
      return "===";
    case ExpressionOp::ne:
      return "!==";
    case ExpressionOp::lt:
      return "<";
    case ExpressionOp::le:
      return "<=";
    case ExpressionOp::gt:
      return ">";
    case ExpressionOp::ge:
      return ">=";
    case ExpressionOp::add:
      return "+";
    case ExpressionOp::subtract:
      return "-";
    case ExpressionOp::multiply:
      return "*";
    case ExpressionOp::divide:
      return "/";
  }
  return "?";
}

std::string value_in_words(const Json& value) {
  constexpr std::size_t kShownBytesMax = 60;
  if (value.is_null()) return "null";
  if (value.is_array()) return "a list of " + base::counted(value.size(), "item");
  if (value.is_object()) return "an object";
  if (value.is_string()) {
    return "the text " +
           base::in_quotes(base::shortened(value.get_ref<const std::string&>(), kShownBytesMax));
  }
  return (value.is_number() ? "the number " : "") + base::dump(value);
}

// Values come from documents whose depth was limited when they were parsed.
// NOLINTNEXTLINE(misc-no-recursion)
std::optional<bool> strictly_equal(const Json& a, const Json& b, StepBudget& budget) {
  if (a.is_number() && b.is_number()) return order(a, b) == 0;
  if (a.type() != b.type()) return false;
  if (a.is_string()) {
    const auto& text = a.get_ref<const std::string&>();
    const auto& other = b.get_ref<const std::string&>();
    if (text.size() != other.size()) return false;
    if (!budget.take_bytes(text.size())) return std::nullopt;
    return text == other;
  }
  if (!a.is_structured()) return a == b;
  if (a.size() != b.size()) return false;
  if (a.is_array()) {
    if (!budget.take_items(a.size())) return std::nullopt;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto same = strictly_equal(a[i], b[i], budget);
      if (!same || !*same) return same;
    }
    return true;
  }
  for (const auto& [key, value] : a.items()) {
    if (!budget.take(1) || !budget.take_items(b.size())) return std::nullopt;
    const Json* other = base::find_member(b, key);
    if (other == nullptr) return false;
    const auto same = strictly_equal(value, *other, budget);
    if (!same || !*same) return same;
  }
  return true;
}

std::optional<Json> computed(ExpressionOp op, const Json& a, const Json& b, StepBudget& budget,
                             std::string& problem) {
  const bool numbers = a.is_number() && b.is_number();
  const bool texts = a.is_string() && b.is_string();
  if (is_ordering(op) && numbers) return Json(holds(op, order(a, b)));
  if (numbers) return arithmetic(op, a, b, problem);
  if (!texts || (!is_ordering(op) && op != ExpressionOp::add)) {
    problem = std::string(to_text(op)) + " needs two numbers" +
              (is_ordering(op) || op == ExpressionOp::add ? " or two texts" : "") + ", got " +
              value_in_words(a) + " and " + value_in_words(b);
    return std::nullopt;
  }
  const auto& text = a.get_ref<const std::string&>();
  const auto& other = b.get_ref<const std::string&>();
  if (!budget.take_bytes(text.size() + other.size())) {
    problem = kTooManySteps;
    return std::nullopt;
  }
  if (is_ordering(op)) return Json(holds(op, text.compare(other)));
  if (text.size() + other.size() > base::limits::kFilledBytesMax) {
    problem =
        "the text would be longer than " + std::to_string(base::limits::kFilledBytesMax) + " bytes";
    return std::nullopt;
  }
  return Json(text + other);
}

std::optional<Json> negated(const Json& a, std::string& problem) {
  if (!a.is_number()) {
    problem = "- needs a number, got " + value_in_words(a);
    return std::nullopt;
  }
  const auto whole = exact(a);
  if (whole && *whole != INT64_MIN) return Json(-*whole);
  return Json(-a.get<double>());
}

}  // namespace phasegate::gating

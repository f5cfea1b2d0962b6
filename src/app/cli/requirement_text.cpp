#include "app/cli/requirement_text.h"

#include <vector>

#include "app/cli/text.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

constexpr std::size_t kPatternBytesShown = 120;

std::string scalar_text(const phases::Scalar& value) {
  struct {
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(std::int64_t v) const { return std::to_string(v); }
    std::string operator()(double v) const { return base::number_text(v); }
    std::string operator()(const std::string& v) const { return base::in_quotes(v); }
  } text;
  return std::visit(text, value);
}

void add_bounds(const phases::Requirement& r, std::vector<std::string>& rules) {
  if (r.minimum && r.maximum) {
    rules.push_back(base::number_text(*r.minimum) + " to " + base::number_text(*r.maximum));
  } else {
    if (r.minimum) rules.push_back("at least " + base::number_text(*r.minimum));
    if (r.maximum) rules.push_back("at most " + base::number_text(*r.maximum));
  }
  if (r.exclusive_minimum) rules.push_back("more than " + base::number_text(*r.exclusive_minimum));
  if (r.exclusive_maximum) rules.push_back("less than " + base::number_text(*r.exclusive_maximum));
}

}  // namespace

std::string rules_in_words(const phases::Requirement& r) {
  std::vector<std::string> rules;
  if (r.constant) {
    rules.push_back("must be " + scalar_text(*r.constant));
  } else if (r.type == phases::ValueType::boolean && r.required && !r.false_allowed) {
    rules.emplace_back("must be true");
  }
  if (!r.one_of.empty()) {
    std::vector<std::string> values;
    for (const phases::Scalar& value : r.one_of) values.push_back(scalar_text(value));
    rules.push_back("one of " + base::joined(values, ", "));
  }
  add_bounds(r, rules);
  const auto count = [](std::int64_t n) { return static_cast<std::size_t>(n < 0 ? 0 : n); };
  if (r.min_length) rules.push_back("at least " + counted(count(*r.min_length), "character"));
  if (r.min_items) rules.push_back("at least " + counted(count(*r.min_items), "item"));
  if (r.type == phases::ValueType::string && r.required && !r.min_length && !r.constant) {
    rules.emplace_back("not empty");
  }
  if (r.format) rules.push_back("format " + *r.format);
  if (r.pattern) {
    rules.push_back("matches " + base::in_quotes(base::shortened(*r.pattern, kPatternBytesShown)));
  }
  if (!r.required) rules.emplace_back("optional");
  return base::joined(rules, ", ");
}

std::vector<std::string> gate_marks(const phases::Gate& gate) {
  std::vector<std::string> marks;
  if (gate.weak) {
    marks.emplace_back("weak gate: the documents require nothing here; a summary is asked for");
  }
  if (gate.human_approval) {
    marks.push_back("stays shut: the documents ask for a person's approval (" +
                    phases::to_text(gate.human_approval_source) +
                    "), and this version cannot take one");
  }
  if (gate.asks_leniency) {
    marks.emplace_back(
        "its file asks for leniency, which is not honoured unless the server runs with "
        "--gates as-written");
  }
  return marks;
}

}  // namespace phasegate::app::cli

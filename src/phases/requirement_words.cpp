#include "phases/requirement_words.h"

#include <string_view>
#include <vector>

#include "base/text.h"
#include "phases/project_paths.h"

namespace phasegate::phases {
namespace {

constexpr std::size_t kPatternBytesShown = 120;

std::string scalar_text(const Scalar& value) {
  struct {
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(std::int64_t v) const { return std::to_string(v); }
    std::string operator()(double v) const { return base::number_text(v); }
    std::string operator()(const std::string& v) const { return base::in_quotes(v); }
  } text;
  return std::visit(text, value);
}

std::size_t count(std::int64_t bound) {
  return bound < 0 ? 0 : static_cast<std::size_t>(bound);
}

void add_bounds(const Requirement& r, std::vector<std::string>& rules) {
  if (r.minimum && r.maximum) {
    rules.push_back(base::number_text(*r.minimum) + " to " + base::number_text(*r.maximum));
  } else {
    if (r.minimum) rules.push_back("at least " + base::number_text(*r.minimum));
    if (r.maximum) rules.push_back("at most " + base::number_text(*r.maximum));
  }
  if (r.exclusive_minimum) rules.push_back("more than " + base::number_text(*r.exclusive_minimum));
  if (r.exclusive_maximum) rules.push_back("less than " + base::number_text(*r.exclusive_maximum));
}

std::string one_of_words(const std::vector<Scalar>& values) {
  std::vector<std::string> words;
  words.reserve(values.size());
  for (const Scalar& value : values) words.push_back(scalar_text(value));
  return "one of " + base::joined(words, ", ");
}

std::string matches_words(const std::string& pattern) {
  return "matches " + base::in_quotes(base::shortened(pattern, kPatternBytesShown));
}

/// `each a string (at least 5 characters)`
std::string item_words(const ItemRule& rule) {
  std::vector<std::string> rules;
  if (!rule.one_of.empty()) rules.push_back(one_of_words(rule.one_of));
  if (rule.min_length) {
    rules.push_back("at least " + base::counted(count(*rule.min_length), "character"));
  }
  if (rule.pattern) rules.push_back(matches_words(*rule.pattern));
  const std::string type(to_text(rule.type));
  return rules.empty() ? type : type + " (" + base::joined(rules, ", ") + ")";
}

}  // namespace

std::string rules_in_words(const Requirement& r) {
  std::vector<std::string> rules;
  if (r.constant) {
    rules.push_back("must be " + scalar_text(*r.constant));
  } else if (r.type == ValueType::boolean && r.required && !r.false_allowed) {
    rules.emplace_back("must be true");
  }
  if (!r.one_of.empty()) rules.push_back(one_of_words(r.one_of));
  add_bounds(r, rules);
  const bool free_text = r.type == ValueType::string && r.required && !r.constant &&
                         r.one_of.empty() && !r.pattern && !r.format;
  const bool one_is_enough = free_text && r.min_length.value_or(0) <= 1;
  if (r.min_length && !one_is_enough) {
    rules.push_back("at least " + base::counted(count(*r.min_length), "character"));
  }
  if (r.max_length) {
    rules.push_back("at most " + base::counted(count(*r.max_length), "character"));
  }
  if (r.min_items) rules.push_back("at least " + base::counted(count(*r.min_items), "item"));
  if (r.max_items) rules.push_back("at most " + base::counted(count(*r.max_items), "item"));
  if (r.items) rules.push_back("each " + item_words(*r.items));
  if (free_text) rules.emplace_back("not blank");
  if (r.format) {
    rules.push_back(*r.format == kProjectPath     ? "a file within the project"
                    : *r.format == kProjectFolder ? "a folder within the project"
                                                  : "format " + *r.format);
  }
  if (r.pattern) rules.push_back(matches_words(*r.pattern));
  if (!r.required) rules.emplace_back("optional");
  if (r.secret) rules.emplace_back("secret: only a digest is kept");
  return base::joined(rules, ", ");
}

std::string type_and_rules(const Requirement& requirement) {
  const std::string rules = rules_in_words(requirement);
  return std::string(to_text(requirement.type)) + (rules.empty() ? "" : ", " + rules);
}

}  // namespace phasegate::phases

#include "phases/native/field_writer.h"

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "phases/native/yaml_text.h"

namespace phasegate::phases {
namespace {

std::string number(double value) {
  return base::dump(base::number_json(value));
}

std::string scalar(const Scalar& value) {
  struct {
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(std::int64_t v) const { return std::to_string(v); }
    std::string operator()(double v) const { return number(v); }
    std::string operator()(const std::string& v) const { return yaml_quoted(v); }
  } text;
  return std::visit(text, value);
}

std::string list(const std::vector<Scalar>& values) {
  std::vector<std::string> words;
  words.reserve(values.size());
  for (const Scalar& value : values) words.push_back(scalar(value));
  return "[" + base::joined(words, ", ") + "]";
}

std::string items(const ItemRule& rule) {
  std::string text = "{type: " + std::string(to_text(rule.type));
  if (rule.min_length) text += ", min_length: " + std::to_string(*rule.min_length);
  if (rule.pattern) text += ", pattern: " + yaml_quoted(*rule.pattern);
  if (!rule.one_of.empty()) text += ", enum: " + list(rule.one_of);
  return text + "}";
}

/// A boolean that may be false, though nothing else says so.
bool needs_both(const Requirement& r) {
  return r.type == ValueType::boolean && r.required && r.false_allowed && !r.constant &&
         r.one_of.empty();
}

}  // namespace

std::string native_field(const Requirement& r, std::size_t indent, const std::string& source,
                         bool input) {
  std::string text = std::string(indent, ' ') + yaml_key(r.name) + ":\n";
  const auto line = [&](const char* key, const std::string& value) {
    text.append(indent + 2, ' ').append(key).append(": ").append(value).append("\n");
  };
  line("type", std::string(to_text(r.type)));
  if (!r.description.empty()) line("description", yaml_quoted(base::to_utf8(r.description)));
  if (!r.required && !input) line("required", "false");
  if (r.minimum) line("minimum", number(*r.minimum));
  if (r.maximum) line("maximum", number(*r.maximum));
  if (r.exclusive_minimum) line("exclusive_minimum", number(*r.exclusive_minimum));
  if (r.exclusive_maximum) line("exclusive_maximum", number(*r.exclusive_maximum));
  if (r.min_length) line("min_length", std::to_string(*r.min_length));
  if (r.max_length) line("max_length", std::to_string(*r.max_length));
  if (r.min_items) line("min_items", std::to_string(*r.min_items));
  if (r.max_items) line("max_items", std::to_string(*r.max_items));
  if (r.items) line("items", items(*r.items));
  if (r.pattern) line("pattern", yaml_quoted(*r.pattern));
  if (r.format) line("format", *r.format);
  if (r.constant) line("const", scalar(*r.constant));
  if (!r.one_of.empty()) line("enum", list(r.one_of));
  if (!input && needs_both(r)) line("enum", "[true, false]");
  if (!r.example.empty()) line("example", r.example);
  if (input) return text;
  if (!r.artifact) line("artifact", "false");
  if (!r.aliases.empty()) {
    line("aliases", list({r.aliases.begin(), r.aliases.end()}));
  }
  if (r.secret) line("secret", "true");
  if (!r.check.empty()) line("check", yaml_quoted(r.check));
  if (!source.empty()) line("source", yaml_quoted(source));
  return text;
}

}  // namespace phasegate::phases

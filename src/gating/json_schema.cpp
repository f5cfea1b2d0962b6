#include "gating/json_schema.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include <re2/re2.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "gating/formats.h"

namespace phasegate::gating {

using base::Error;
using base::Json;
using base::Result;

struct JsonSchema::Node {
  struct Member {
    std::string name;
    std::unique_ptr<const Node> schema;
  };

  std::string type;  // empty: any
  std::vector<Member> properties;
  std::vector<std::string> required;
  bool additional_properties = true;
  std::unique_ptr<const Node> items;
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::optional<double> exclusive_minimum;
  std::optional<double> exclusive_maximum;
  std::optional<std::int64_t> min_length;
  std::optional<std::int64_t> max_length;
  std::optional<std::int64_t> min_items;
  std::optional<std::int64_t> max_items;
  std::unique_ptr<const RE2> pattern;
  std::string format;
  std::optional<Json> constant;
  std::vector<Json> one_of;
};

namespace {

using Node = JsonSchema::Node;
constexpr std::size_t kSchemaDepthMax = 32;
constexpr std::size_t kValueCharsShown = 60;

const std::vector<std::string>& known_keywords() {
  static const std::vector<std::string> kWords = {"type",
                                                  "properties",
                                                  "required",
                                                  "additionalProperties",
                                                  "items",
                                                  "minimum",
                                                  "maximum",
                                                  "exclusiveMinimum",
                                                  "exclusiveMaximum",
                                                  "minLength",
                                                  "maxLength",
                                                  "minItems",
                                                  "maxItems",
                                                  "pattern",
                                                  "enum",
                                                  "const",
                                                  "format",
                                                  "title",
                                                  "description",
                                                  "default",
                                                  "examples",
                                                  "writeOnly"};
  return kWords;
}

std::string child(const std::string& pointer, std::string_view key) {
  std::string out = pointer + "/";
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

// ── Compiling ────────────────────────────────────────────────────────────────────────────────────

Error invalid(const std::string& where, std::string message, std::string hint = "") {
  return Error{"invalid_schema", std::move(message), std::move(hint), where};
}

class Compiler {
 public:
  Result<std::unique_ptr<const Node>> compile(const Json& schema, const std::string& at,
                                              std::size_t depth) {
    if (!schema.is_object()) return invalid(at, "a schema must be an object");
    if (depth > kSchemaDepthMax) return invalid(at, "the schema is nested too deeply");
    auto node = std::make_unique<Node>();
    for (const auto& [keyword, value] : schema.get_ref<const Json::object_t&>()) {
      const auto done = keyword_into(*node, keyword, value, child(at, keyword), depth);
      if (!done) return done.error();
    }
    return std::unique_ptr<const Node>(std::move(node));
  }

 private:
  Result<void> keyword_into(Node& node, const std::string& keyword, const Json& value,
                            const std::string& at, std::size_t depth) {
    if (keyword == "type") return type_into(node, value, at);
    if (keyword == "properties") return properties_into(node, value, at, depth);
    if (keyword == "required") return required_into(node, value, at);
    if (keyword == "additionalProperties") {
      if (!value.is_boolean()) return invalid(at, "additionalProperties must be true or false");
      node.additional_properties = value.get<bool>();
      return {};
    }
    if (keyword == "items") {
      auto items = compile(value, at, depth + 1);
      if (!items) return items.error();
      node.items = std::move(items).value();
      return {};
    }
    if (keyword == "minimum") return number_into(node.minimum, value, at);
    if (keyword == "maximum") return number_into(node.maximum, value, at);
    if (keyword == "exclusiveMinimum") return number_into(node.exclusive_minimum, value, at);
    if (keyword == "exclusiveMaximum") return number_into(node.exclusive_maximum, value, at);
    if (keyword == "minLength") return count_into(node.min_length, value, at);
    if (keyword == "maxLength") return count_into(node.max_length, value, at);
    if (keyword == "minItems") return count_into(node.min_items, value, at);
    if (keyword == "maxItems") return count_into(node.max_items, value, at);
    if (keyword == "pattern") return pattern_into(node, value, at);
    if (keyword == "enum") return enum_into(node, value, at);
    if (keyword == "const") {
      node.constant = value;
      return {};
    }
    if (keyword == "format") return format_into(node, value, at);
    if (keyword == "title" || keyword == "description" || keyword == "default" ||
        keyword == "examples" || keyword == "writeOnly") {
      return {};
    }
    const auto nearest = base::nearest_name(keyword, known_keywords());
    return invalid(at, "unknown keyword " + base::in_quotes(keyword),
                   nearest ? "did you mean " + *nearest + "?" : "");
  }

  static Result<void> type_into(Node& node, const Json& value, const std::string& at) {
    static constexpr std::array<std::string_view, 7> kTypes = {
        "boolean", "integer", "number", "string", "array", "object", "null"};
    if (!value.is_string()) return invalid(at, "type must be one type name");
    for (const std::string_view type : kTypes) {
      if (value.get_ref<const std::string&>() == type) {
        node.type = type;
        return {};
      }
    }
    return invalid(at, "unknown type " + base::in_quotes(value.get_ref<const std::string&>()));
  }

  Result<void> properties_into(Node& node, const Json& value, const std::string& at,
                               std::size_t depth) {
    if (!value.is_object()) return invalid(at, "properties must be an object");
    for (const auto& [name, schema] : value.get_ref<const Json::object_t&>()) {
      auto compiled = compile(schema, child(at, name), depth + 1);
      if (!compiled) return compiled.error();
      node.properties.push_back({name, std::move(compiled).value()});
    }
    return {};
  }

  static Result<void> required_into(Node& node, const Json& value, const std::string& at) {
    if (!value.is_array()) return invalid(at, "required must be a list of names");
    for (const Json& name : value) {
      if (!name.is_string()) return invalid(at, "required must be a list of names");
      node.required.push_back(name.get<std::string>());
    }
    return {};
  }

  static Result<void> number_into(std::optional<double>& out, const Json& value,
                                  const std::string& at) {
    if (!value.is_number()) return invalid(at, "must be a number");
    out = value.get<double>();
    return {};
  }

  static Result<void> count_into(std::optional<std::int64_t>& out, const Json& value,
                                 const std::string& at) {
    const auto count = base::as_integer(value);
    if (!count || *count < 0) return invalid(at, "must be a whole number from 0");
    out = count;
    return {};
  }

  static Result<void> pattern_into(Node& node, const Json& value, const std::string& at) {
    if (!value.is_string()) return invalid(at, "pattern must be a text");
    const auto& text = value.get_ref<const std::string&>();
    if (text.size() > base::limits::kPatternBytesMax) {
      return invalid(at, "the pattern is longer than " +
                             std::to_string(base::limits::kPatternBytesMax) + " bytes");
    }
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(1 << 20);
    auto pattern = std::make_unique<const RE2>(text, options);
    if (!pattern->ok()) {
      return invalid(
          at, "the pattern " + base::in_quotes(text) + " does not compile: " + pattern->error());
    }
    node.pattern = std::move(pattern);
    return {};
  }

  static Result<void> enum_into(Node& node, const Json& value, const std::string& at) {
    if (!value.is_array() || value.empty()) return invalid(at, "enum must be a list of values");
    for (const Json& allowed : value) node.one_of.push_back(allowed);
    return {};
  }

  static Result<void> format_into(Node& node, const Json& value, const std::string& at) {
    if (!value.is_string() || !is_known_format(value.get_ref<const std::string&>())) {
      return invalid(at, "unknown format " + base::dump(value),
                     "known formats: " + base::joined(known_formats(), ", "));
    }
    node.format = value.get<std::string>();
    return {};
  }
};

// ── Validating ───────────────────────────────────────────────────────────────────────────────────

std::string article(std::string_view type) {
  const bool vowel = type.front() == 'a' || type.front() == 'i' || type.front() == 'o';
  return (vowel ? "an " : "a ") + std::string(type);
}

std::string shown(const Json& value) {
  if (value.is_string()) {
    return base::in_quotes(base::shortened(value.get_ref<const std::string&>(), kValueCharsShown));
  }
  if (value.is_array()) return base::counted(value.size(), "item");
  if (value.is_object()) return base::counted(value.size(), "member");
  return base::dump(value);
}

std::string described(const Json& value) {
  if (value.is_null()) return "null";
  return article(base::json_type_name(value)) + " (" + shown(value) + ")";
}

/// JSON's equality: 1 equals 1.0, true equals nothing but true.
bool equal(const Json& a, const Json& b) {
  if (a.is_number() && b.is_number()) {
    const auto whole_a = base::as_integer(a);
    const auto whole_b = base::as_integer(b);
    if (whole_a && whole_b) return *whole_a == *whole_b;
    return a.get<double>() == b.get<double>();
  }
  return a == b;
}

bool has_type(const Json& value, const std::string& type) {
  if (type == "integer") return value.is_number() && base::json_type_name(value) == "integer";
  if (type == "number") return value.is_number();
  return base::json_type_name(value) == type;
}

class Validator {
 public:
  explicit Validator(std::vector<SchemaProblem>& problems) : problems_(problems) {}

  void check(const Node& node, const Json& value, const std::string& at) {
    if (!node.type.empty() && !has_type(value, node.type)) {
      report(at, "type", article(node.type), described(value));
      return;  // the other rules speak of a value of the right type
    }
    check_choice(node, value, at);
    if (value.is_number()) check_number(node, value, at);
    if (value.is_string()) check_text(node, value.get_ref<const std::string&>(), at);
    if (value.is_array()) check_array(node, value, at);
    if (value.is_object()) check_object(node, value, at);
  }

 private:
  void report(const std::string& at, std::string keyword, std::string wanted, std::string got) {
    problems_.push_back({at, std::move(keyword), std::move(wanted), std::move(got)});
  }

  void check_choice(const Node& node, const Json& value, const std::string& at) {
    if (node.constant && !equal(*node.constant, value)) {
      report(at, "const", base::dump(*node.constant), shown(value));
    }
    if (node.one_of.empty()) return;
    std::string wanted = "one of";
    for (std::size_t i = 0; i < node.one_of.size(); ++i) {
      if (equal(node.one_of[i], value)) return;
      wanted += (i == 0 ? " " : ", ") + base::dump(node.one_of[i]);
    }
    report(at, "enum", std::move(wanted), shown(value));
  }

  void check_number(const Node& node, const Json& value, const std::string& at) {
    const double number = value.get<double>();
    if (node.minimum && number < *node.minimum) {
      report(at, "minimum", "at least " + base::number_text(*node.minimum), shown(value));
    }
    if (node.maximum && number > *node.maximum) {
      report(at, "maximum", "at most " + base::number_text(*node.maximum), shown(value));
    }
    if (node.exclusive_minimum && number <= *node.exclusive_minimum) {
      report(at, "exclusiveMinimum", "more than " + base::number_text(*node.exclusive_minimum),
             shown(value));
    }
    if (node.exclusive_maximum && number >= *node.exclusive_maximum) {
      report(at, "exclusiveMaximum", "less than " + base::number_text(*node.exclusive_maximum),
             shown(value));
    }
  }

  void check_text(const Node& node, const std::string& text, const std::string& at) {
    if (node.min_length || node.max_length) {
      const auto length = static_cast<std::int64_t>(base::utf8_length(text));
      const std::string got = base::counted(static_cast<std::size_t>(length), "character");
      if (node.min_length && length < *node.min_length) {
        report(at, "minLength",
               *node.min_length == 1
                   ? "a text that is not empty"
                   : "at least " +
                         base::counted(static_cast<std::size_t>(*node.min_length), "character"),
               got);
      }
      if (node.max_length && length > *node.max_length) {
        report(at, "maxLength",
               "at most " + base::counted(static_cast<std::size_t>(*node.max_length), "character"),
               got);
      }
    }
    if (node.pattern && !RE2::PartialMatch(text, *node.pattern)) {
      report(at, "pattern", "a text that matches " + node.pattern->pattern(),
             base::in_quotes(base::shortened(text, kValueCharsShown)));
    }
    if (!node.format.empty() && !has_format(text, node.format)) {
      report(at, "format", format_in_words(node.format),
             base::in_quotes(base::shortened(text, kValueCharsShown)));
    }
  }

  void check_array(const Node& node, const Json& value, const std::string& at) {
    const auto count = static_cast<std::int64_t>(value.size());
    const std::string got = std::to_string(count) + (count == 1 ? " item" : " items");
    if (node.min_items && count < *node.min_items) {
      report(at, "minItems",
             "at least " + std::to_string(*node.min_items) +
                 (*node.min_items == 1 ? " item" : " items"),
             got);
    }
    if (node.max_items && count > *node.max_items) {
      report(at, "maxItems", "at most " + std::to_string(*node.max_items) + " items", got);
    }
    if (!node.items) return;
    for (std::size_t i = 0; i < value.size(); ++i) {
      check(*node.items, value[i], at + "/" + std::to_string(i));
    }
  }

  void check_object(const Node& node, const Json& value, const std::string& at) {
    for (const std::string& name : node.required) {
      if (base::find_member(value, name) == nullptr) {
        report(child(at, name), "required", wanted_member(node, name), "nothing");
      }
    }
    for (const Node::Member& member : node.properties) {
      const Json* present = base::find_member(value, member.name);
      if (present != nullptr) check(*member.schema, *present, child(at, member.name));
    }
    if (node.additional_properties) return;
    std::vector<std::string> known;
    known.reserve(node.properties.size());
    for (const Node::Member& member : node.properties) known.push_back(member.name);
    for (const auto& [name, unused] : value.get_ref<const Json::object_t&>()) {
      bool is_known = false;
      for (const std::string& candidate : known) is_known = is_known || candidate == name;
      if (is_known) continue;
      const auto nearest = base::nearest_name(name, known);
      report(child(at, name), "additionalProperties",
             nearest ? "no such member (did you mean " + *nearest + "?)" : "no such member",
             "one named " + base::in_quotes(base::shortened(name, kValueCharsShown)));
      if (problems_.size() >= base::limits::kProblemsShownMax) return;
    }
  }

  static std::string wanted_member(const Node& node, const std::string& name) {
    for (const Node::Member& member : node.properties) {
      if (member.name == name && !member.schema->type.empty()) return article(member.schema->type);
    }
    return "a value";
  }

  std::vector<SchemaProblem>& problems_;
};

}  // namespace

JsonSchema::JsonSchema(std::unique_ptr<const Node> root) : root_(std::move(root)) {}
JsonSchema::JsonSchema(JsonSchema&&) noexcept = default;
JsonSchema& JsonSchema::operator=(JsonSchema&&) noexcept = default;
JsonSchema::~JsonSchema() = default;

Result<JsonSchema> JsonSchema::compile(const Json& schema) {
  auto root = Compiler().compile(schema, "", 0);
  if (!root) return root.error();
  return JsonSchema(std::move(root).value());
}

std::vector<SchemaProblem> JsonSchema::validate(const Json& value) const {
  std::vector<SchemaProblem> problems;
  Validator(problems).check(*root_, value, "");
  return problems;
}

}  // namespace phasegate::gating

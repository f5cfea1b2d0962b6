#include "phases/checks/check_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"
#include "phases/checks/check_paths.h"
#include "phases/checks/duration.h"
#include "phases/native/plain_json.h"

namespace phasegate::phases {
namespace {

using base::Json;
using Kind = YamlNode::Kind;
namespace limits = base::limits;

constexpr double kExactMax = 9007199254740992.0;  ///< the last whole number that doubles tell apart
constexpr std::size_t kListMax = 1000;            ///< arguments, patterns of paths, names

/// One value on its way into the parameters.
class ValueReader {
 public:
  ValueReader(const CheckMember& member, const std::string& what, const NativeReport& report)
      : member_(member), what_(what), report_(report) {}

  std::optional<Json> read(const YamlNode& node) {
    switch (member_.type) {
      case MemberType::flag: {
        const auto flag = report_.flag(node, what_);
        return flag ? std::optional<Json>(*flag) : std::nullopt;
      }
      case MemberType::whole:
        return whole(node, what_);
      case MemberType::number:
        return number(node);
      case MemberType::duration:
        return duration(node);
      case MemberType::text:
        return as_it_is(node);
      case MemberType::word:
        return word(node);
      case MemberType::pattern:
        return sized(node, limits::kPatternBytesMax, "write it in quotes");
      case MemberType::path: {
        const auto path = read_check_path(node, what_, report_);
        return path ? std::optional<Json>(*path) : std::nullopt;
      }
      case MemberType::globs:
        return read_check_globs(node, what_, report_);
      case MemberType::filled:
        return filled(node, what_);
      case MemberType::arguments:
        return arguments(node);
      case MemberType::names:
        return names(node);
      case MemberType::map:
        return map(node);
      case MemberType::expression:
        return expression(node);
      case MemberType::wholes:
        return wholes(node);
      case MemberType::schema:
        if (node.kind == Kind::map) return plain_json(node);
        report_.wrong_type(what_, "a JSON Schema object", node);
        return std::nullopt;
      case MemberType::any:
        return plain_json(node);
    }
    return std::nullopt;
  }

 private:
  std::optional<Json> number(const YamlNode& node) const {
    double value = 0;
    if (scalar_kind(node) == ScalarKind::number) {
      const char* end = node.scalar.data() + node.scalar.size();
      const auto read = std::from_chars(node.scalar.data(), end, value);
      if (read.ptr == end && read.ec == std::errc() && value >= 0 && value <= kExactMax) {
        return base::number_json(value);
      }
    }
    report_.wrong_type(what_, "a number from 0 on", node, "write it as 80 or 85.5, without quotes");
    return std::nullopt;
  }

  std::optional<Json> whole(const YamlNode& node, const std::string& what) const {
    double value = 0;
    if (scalar_kind(node) == ScalarKind::number) {
      const char* end = node.scalar.data() + node.scalar.size();
      const auto read = std::from_chars(node.scalar.data(), end, value);
      if (read.ptr == end && read.ec == std::errc() && value >= 0 && value <= kExactMax &&
          std::floor(value) == value) {
        return Json(static_cast<std::int64_t>(value));
      }
    }
    report_.wrong_type(what, "a whole number from 0 on", node);
    return std::nullopt;
  }

  std::optional<Json> wholes(const YamlNode& node) const {
    Json list = Json::array();
    if (node.kind != Kind::sequence) {
      const auto one = whole(node, what_);
      if (!one) return std::nullopt;
      list.push_back(*one);
      return list;
    }
    for (const YamlNode& item : node.items) {
      const auto one = whole(item, "a number of " + what_);
      if (!one) return std::nullopt;
      list.push_back(*one);
    }
    return is_fit(list.size(), node) ? std::optional(std::move(list)) : std::nullopt;
  }

  std::optional<Json> duration(const YamlNode& node) const {
    const std::string hint = "write it as 500ms, 90s, 10m or 1h";
    const auto value = node.kind == Kind::scalar && scalar_kind(node) == ScalarKind::text
                           ? duration_from(node.scalar)
                           : std::nullopt;
    if (!value) {
      report_.wrong_type(what_, "a duration", node, hint);
      return std::nullopt;
    }
    if (*value >= 1 && *value <= limits::kCheckMsMax) return Json(*value);
    report_.error("out_of_range",
                  what_ + " is " + base::shortened(node.scalar, 40) + ", it may be 1ms to " +
                      duration_text(limits::kCheckMsMax),
                  hint, report_.at(node));
    return std::nullopt;
  }

  std::optional<Json> word(const YamlNode& node) const {
    const NativeKeys words{{member_.words.begin(), member_.words.end()}, {}};
    bool later = false;
    const auto value = report_.word(node, words, what_, later);
    return value ? std::optional<Json>(*value) : std::nullopt;
  }

  /// A text with something in it, within a number of bytes.
  std::optional<Json> sized(const YamlNode& node, std::size_t bytes_max,
                            const std::string& hint) const {
    if (node.kind != Kind::scalar || scalar_kind(node) != ScalarKind::text) {
      report_.wrong_type(what_, "a text", node, hint);
      return std::nullopt;
    }
    if (!node.scalar.empty() && node.scalar.size() <= bytes_max) return Json(node.scalar);
    report_.error("out_of_range",
                  what_ + " must have 1 to " + std::to_string(bytes_max) + " bytes, has " +
                      std::to_string(node.scalar.size()),
                  "", report_.at(node));
    return std::nullopt;
  }

  /// Nothing is expanded in these texts: a value would become a part of what is carried out.
  std::optional<Json> as_it_is(const YamlNode& node) const {
    auto text = sized(node, limits::kCheckBytesMax, "write it in quotes");
    if (!text) return std::nullopt;
    if (is_blank(node.scalar)) {
      report_.error("empty_text", what_ + " is empty", "", report_.at(node));
      return std::nullopt;
    }
    if (node.scalar.find("{{") == std::string::npos) return text;
    std::string hint = "write it as it is";
    if (member_.name == "run") hint = "hand it over in env: {NAME: \"{{…}}\"} and write \"$NAME\"";
    if (member_.name == "query")
      hint = "hand it over in parameters: {name: \"{{…}}\"}, write :name";
    report_.error("template_not_allowed", what_ + " holds {{, and no value is put into it", hint,
                  report_.at(node));
    return std::nullopt;
  }

  std::optional<Json> filled(const YamlNode& node, const std::string& what) const {
    if (node.kind != Kind::scalar || scalar_kind(node) != ScalarKind::text) {
      report_.wrong_type(what, "a text", node,
                         node.kind == Kind::scalar ? "write it in quotes" : "");
      return std::nullopt;
    }
    if (is_template_closed(node.scalar)) return Json(node.scalar);
    report_.error("invalid_template", what + " has a {{ that is not closed",
                  "write {{evidence.name}}", report_.at(node));
    return std::nullopt;
  }

  static bool is_template_closed(std::string_view text) {
    for (auto at = text.find("{{"); at != std::string_view::npos; at = text.find("{{", at)) {
      at = text.find("}}", at);
      if (at == std::string_view::npos) return false;
    }
    return true;
  }

  bool is_fit(std::size_t count, const YamlNode& node) const {
    if (count >= 1 && count <= kListMax) return true;
    report_.error("out_of_range",
                  what_ + " must have 1 to " + std::to_string(kListMax) + " items, has " +
                      std::to_string(count),
                  "", report_.at(node));
    return false;
  }

  std::optional<Json> arguments(const YamlNode& node) const {
    if (node.kind != Kind::sequence) {
      report_.wrong_type(what_, "a list of arguments", node,
                         "write [make, test]; a line for a shell is {shell: true, run: \"…\"}");
      return std::nullopt;
    }
    if (!is_fit(node.items.size(), node)) return std::nullopt;
    Json list = Json::array();
    for (const YamlNode& item : node.items) {
      auto one = filled(item, "an argument of " + what_);
      if (!one) return std::nullopt;
      list.push_back(std::move(*one));
    }
    const YamlNode& program = node.items.front();
    if (is_blank(program.scalar) || program.scalar.find("{{") != std::string::npos) {
      report_.error("template_not_allowed",
                    "the first argument of " + what_ +
                        " is the program, and is written down: no value says what is run",
                    "name the program", report_.at(program));
      return std::nullopt;
    }
    return list;
  }

  std::optional<Json> names(const YamlNode& node) const {
    if (node.kind != Kind::sequence) {
      report_.wrong_type(what_, "a list of texts", node);
      return std::nullopt;
    }
    if (!is_fit(node.items.size(), node)) return std::nullopt;
    Json list = Json::array();
    for (const YamlNode& item : node.items) {
      const auto text = report_.text(item, "an item of " + what_);
      if (!text) return std::nullopt;
      if (is_blank(*text)) {
        report_.error("empty_text", "an item of " + what_ + " is empty", "", report_.at(item));
        return std::nullopt;
      }
      list.push_back(*text);
    }
    return list;
  }

  std::optional<Json> map(const YamlNode& node) const {
    if (node.kind != Kind::map) {
      report_.wrong_type(what_, "a map of names to texts", node);
      return std::nullopt;
    }
    Json map = Json::object();
    for (const auto& member : node.members) {
      const bool usable = !member.name.empty() && member.name.size() <= 200 &&
                          std::all_of(member.name.begin(), member.name.end(),
                                      [](unsigned char c) {
                                        return c == '_' || (c >= '0' && c <= '9') ||
                                               (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
                                      }) &&
                          (member.name.front() < '0' || member.name.front() > '9');
      if (!usable) {
        report_.error(
            "unusable_name",
            base::in_quotes(base::shortened(member.name, 60)) + " cannot be a name in " + what_,
            "use letters, digits and _, and begin with a letter", report_.at(member));
        return std::nullopt;
      }
      auto value = filled(member.value, member.name + " of " + what_);
      if (!value) return std::nullopt;
      map[member.name] = std::move(*value);
    }
    return map;
  }

  /// A number or a flag stands for itself; whether a text can be evaluated is gating's to say.
  std::optional<Json> expression(const YamlNode& node) const {
    if (node.kind == Kind::scalar && scalar_kind(node) != ScalarKind::text) {
      return plain_json(node);
    }
    auto text = sized(node, limits::kExpressionBytesMax, "");
    if (!text || !is_blank(node.scalar)) return text;
    report_.error("empty_text", what_ + " is empty", "write an expression, such as evidence.n > 0",
                  report_.at(node));
    return std::nullopt;
  }

  const CheckMember& member_;
  const std::string& what_;
  const NativeReport& report_;
};

}  // namespace

std::optional<Json> read_check_value(const CheckMember& member, const YamlNode& node,
                                     const std::string& what, const NativeReport& report) {
  return ValueReader(member, what, report).read(node);
}

}  // namespace phasegate::phases

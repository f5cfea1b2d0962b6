#include "app/cli/new_workflow.h"

#include <algorithm>
#include <array>

#include "app/cli/option_values.h"
#include "base/text.h"

namespace phasegate::app::cli {
namespace {

constexpr std::size_t kNameCharsMax = 64;
constexpr std::string_view kModelineMark = "# yaml-language-server:";
constexpr std::string_view kModeline = "# yaml-language-server: $schema=../workflow.schema.json";
constexpr std::string_view kNameKey = "workflow:";

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A name that YAML might take for a number or a truth value stands in quotes.
std::string as_yaml(std::string_view name) {
  constexpr std::array<std::string_view, 9> kNotNames = {"true", "false", "null", "yes", "no",
                                                         "on",   "off",   "y",    "n"};
  const std::string low = base::lowered(name);
  const bool plain = is_letter(name.front()) &&
                     std::find(kNotNames.begin(), kNotNames.end(), low) == kNotNames.end();
  return plain ? std::string(name) : "\"" + std::string(name) + "\"";
}

/// What follows the value on the line of a key: a comment with the spaces before it.
std::string_view comment_of(std::string_view line) {
  const std::size_t mark = line.find(" #");
  if (mark == std::string_view::npos) return {};
  const std::size_t value_end = line.find_last_not_of(' ', mark);
  return value_end == std::string_view::npos ? std::string_view() : line.substr(value_end + 1);
}

}  // namespace

base::Result<void> check_new_name(std::string_view name) {
  for (const std::string_view ending : {".yaml", ".yml", ".json"}) {
    if (name.ends_with(ending) && name.size() > ending.size()) {
      return usage_error(
          base::in_quotes(name) + " is a file's name; the workflow's is wanted.",
          "`phasegate new " + std::string(name.substr(0, name.size() - ending.size())) + "`.");
    }
  }
  const bool sound = !name.empty() && (is_letter(name.front()) || is_digit(name.front())) &&
                     std::all_of(name.begin(), name.end(), [](char c) {
                       return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.';
                     });
  if (!sound) {
    return usage_error(base::in_quotes(name) + " cannot be a workflow's name.",
                       "A name holds letters, digits, `_`, `-` and `.`, and begins with a letter "
                       "or a digit: review_code.");
  }
  if (name.size() > kNameCharsMax) {
    return usage_error("The name has " + std::to_string(name.size()) + " characters; at most " +
                           std::to_string(kNameCharsMax) + " are possible.",
                       "Choose a shorter one; its `title:` may be long.");
  }
  return {};
}

std::string with_name(std::string_view text, std::string_view name) {
  std::string out(kModeline);
  out += '\n';
  bool named = false;
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool is_modeline = first && line.starts_with(kModelineMark);
    first = false;
    if (is_modeline) continue;
    if (!named && line.starts_with(kNameKey)) {
      named = true;
      out.append(kNameKey).append(" ").append(as_yaml(name)).append(comment_of(line));
    } else {
      out += line;
    }
    out += '\n';
  }
  return out;
}

}  // namespace phasegate::app::cli

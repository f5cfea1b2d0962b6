#include "gating/expression_tree.h"

#include "base/json.h"
#include "base/limits.h"
#include "base/text.h"

namespace phasegate::gating {
namespace {

constexpr std::size_t kShownBytesMax = 200;

/// `column 9`, `line 2, column 4`: in characters, as editors count.
std::string position(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const std::string column =
      "column " + std::to_string(base::utf8_length(before.substr(line_begin)) + 1);
  if (line_begin == 0) return column;
  std::size_t line = 1;
  for (const char c : before) line += c == '\n' ? 1 : 0;
  return "line " + std::to_string(line) + ", " + column;
}

}  // namespace

base::Error expression_error(std::string_view code, std::string_view text, std::size_t at,
                             const std::string& problem, std::string hint) {
  return {std::string(code),
          position(text, at) + " of " + base::in_quotes(base::shortened(text, kShownBytesMax)) +
              ": " + problem,
          std::move(hint), ""};
}

base::Result<std::unique_ptr<const RE2>> compile_pattern(const std::string& pattern) {
  if (pattern.size() > base::limits::kPatternBytesMax) {
    return base::Error{
        "invalid_pattern",
        "the pattern is longer than " + std::to_string(base::limits::kPatternBytesMax) + " bytes",
        "", ""};
  }
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(1 << 20);
  auto compiled = std::make_unique<const RE2>(pattern, options);
  if (!compiled->ok()) {
    return base::Error{
        "invalid_pattern",
        "the pattern " + base::in_quotes(pattern) + " does not compile: " + compiled->error(),
        "patterns are RE2: no look-around, no back-references", ""};
  }
  return compiled;
}

}  // namespace phasegate::gating

#include "world/checks/text_pattern.h"

#include <algorithm>

#include <re2/re2.h>

#include "base/text.h"

namespace phasegate::world::checks {

using base::Error;
using base::Result;

namespace {

constexpr std::size_t kShownBytesMax = 100;

RE2::Options quiet() {
  RE2::Options options;
  options.set_log_errors(false);
  return options;
}

re2::StringPiece piece(std::string_view text) {
  return {text.data(), text.size()};
}

}  // namespace

std::string searchable(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == '\r' && i + 1 < bytes.size() && bytes[i + 1] == '\n') continue;
    text += bytes[i];
  }
  return base::is_utf8(text) ? text : base::to_utf8(text);
}

struct TextPattern::Compiled {
  std::string written;
  RE2 expression;
};

TextPattern::TextPattern(std::unique_ptr<const Compiled> compiled)
    : compiled_(std::move(compiled)) {}
TextPattern::TextPattern(TextPattern&&) noexcept = default;
TextPattern& TextPattern::operator=(TextPattern&&) noexcept = default;
TextPattern::~TextPattern() = default;

Result<TextPattern> TextPattern::compile(std::string_view pattern) {
  std::unique_ptr<const Compiled> compiled(
      new Compiled{std::string(pattern), RE2("(?m)" + std::string(pattern), quiet())});
  if (!compiled->expression.ok()) {
    return Error{"invalid_pattern",
                 "the pattern " + base::in_quotes(base::shortened(pattern, kShownBytesMax)) +
                     " cannot be used: " + base::to_utf8(compiled->expression.error()),
                 "patterns are RE2: no look-around, no back-references", ""};
  }
  return TextPattern(std::move(compiled));
}

std::optional<std::size_t> TextPattern::first_line(std::string_view text) const {
  re2::StringPiece match;
  if (!compiled_->expression.Match(piece(text), 0, text.size(), RE2::UNANCHORED, &match, 1)) {
    return std::nullopt;
  }
  return 1 + static_cast<std::size_t>(std::count(text.data(), match.data(), '\n'));
}

std::optional<std::int64_t> TextPattern::count(std::string_view text,
                                               const std::function<bool()>& go_on) const {
  std::int64_t found = 0;
  std::size_t at = 0;
  while (at <= text.size()) {
    // A single look is linear, all of them together need not be.
    if (go_on && !go_on()) return std::nullopt;
    re2::StringPiece match;
    if (!compiled_->expression.Match(piece(text), at, text.size(), RE2::UNANCHORED, &match, 1)) {
      break;
    }
    ++found;
    const auto begin = static_cast<std::size_t>(match.data() - text.data());
    at = begin + match.size();
    if (!match.empty()) continue;
    // Behind an empty match the next character begins.
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80) ++at;
  }
  return found;
}

std::string TextPattern::shown() const {
  return "/" + base::shortened(base::to_utf8(compiled_->written), kShownBytesMax) + "/";
}

}  // namespace phasegate::world::checks

#include "world/checks/printed.h"

#include <re2/re2.h>

#include "base/limits.h"
#include "base/text.h"

namespace phasegate::world::checks {
namespace {

constexpr std::string_view kErrors = "[stderr]\n";
constexpr std::string_view kMissing = "…";

/// The length of the escape sequence at the beginning of `text`, which begins with ESC.
std::size_t escape_length(std::string_view text) {
  if (text.size() < 2) return text.size();
  if (text[1] == '[') {  // CSI: parameters, then one final byte
    std::size_t at = 2;
    while (at < text.size() && text[at] >= 0x20 && text[at] < 0x40) ++at;
    return std::min(at + 1, text.size());
  }
  if (text[1] == ']') {  // OSC: up to BEL or ESC backslash
    const std::size_t end = text.find_first_of("\a\x1b", 2);
    if (end == std::string_view::npos) return text.size();
    return text[end] == '\a' ? end + 1 : std::min(end + 2, text.size());
  }
  return 2;
}

/// True for a character that changes how others are shown: C1 controls, bidirectional controls and
/// separators of lines.
bool steers(std::string_view character) {
  return (character.size() == 2 && character[0] == '\xc2' &&
          static_cast<unsigned char>(character[1]) < 0xA0) ||
         (character >= "\xe2\x80\xa8" && character <= "\xe2\x80\xae") ||
         (character >= "\xe2\x81\xa6" && character <= "\xe2\x81\xa9");
}

std::string harmless(std::string_view bytes) {
  const std::string text = base::to_utf8(bytes);
  std::string kept;
  kept.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    const auto byte = static_cast<unsigned char>(rest[0]);
    if (byte == 0x1B) {
      at += escape_length(rest);
      continue;
    }
    if (byte == '\r') {  // a line that is written over, or a line's end
      if (!rest.substr(1).starts_with('\n')) kept += '\n';
      ++at;
      continue;
    }
    std::size_t length = 1;
    while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xC0U) == 0x80) {
      ++length;
    }
    const std::string_view character = rest.substr(0, length);
    const bool control = byte < 0x20 ? byte != '\n' && byte != '\t' : byte == 0x7F;
    if (control || steers(character)) {
      kept += "\xef\xbf\xbd";
    } else {
      kept += character;
    }
    at += length;
  }
  return kept;
}

/// The last lines of `output` in at most `bytes_max` bytes.
std::string last_lines(const base::ProcessOutput& output, std::size_t bytes_max) {
  // What is made harmless may become longer or shorter; four times as much is enough to choose of.
  std::string_view end = output.text;
  bool cut = false;
  if (output.cut) {
    end.remove_prefix(output.cut_at);
    cut = true;
  }
  if (end.size() > 4 * bytes_max) {
    end.remove_prefix(end.size() - 4 * bytes_max);
    // A character that was split is no ill-formed one.
    for (int i = 0; i < 3 && (static_cast<unsigned char>(end[0]) & 0xC0U) == 0x80; ++i) {
      end.remove_prefix(1);
    }
    cut = true;
  }
  const std::string text = harmless(end);
  std::string_view shown = base::trimmed(text);
  const std::size_t room = bytes_max - kMissing.size() - 1;
  if (shown.size() > room) {
    std::size_t from = shown.size() - room;
    while ((static_cast<unsigned char>(shown[from]) & 0xC0U) == 0x80) ++from;
    shown.remove_prefix(from);
    cut = true;
    // A line is told whole, unless it is the only one.
    const std::size_t line = shown.find('\n');
    if (line != std::string_view::npos) shown.remove_prefix(line + 1);
  }
  if (!cut) return std::string(shown);
  return std::string(kMissing) + "\n" + std::string(shown);
}

}  // namespace

std::string tail_of(const base::ProcessOutput& out, const base::ProcessOutput& err) {
  constexpr std::size_t kMost = base::limits::kOutputTailBytesMax;
  if (err.text.empty()) return last_lines(out, kMost);
  constexpr std::size_t kHalf = kMost / 2 - kErrors.size() - 1;
  std::string errors = last_lines(err, out.text.empty() ? kMost : kHalf);
  if (out.text.empty() || errors.empty()) return errors.empty() ? last_lines(out, kMost) : errors;
  const std::string printed = last_lines(out, kHalf);
  if (printed.empty()) return errors;
  return printed + "\n" + std::string(kErrors) + errors;
}

base::Result<bool> matches(std::string_view text, const std::string& pattern) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(1 << 20);
  const RE2 compiled(pattern, options);
  if (!compiled.ok()) {
    return base::Error{
        "invalid_pattern",
        "the pattern " + base::in_quotes(pattern) + " does not compile: " + compiled.error(), "",
        ""};
  }
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), compiled);
}

}  // namespace phasegate::world::checks

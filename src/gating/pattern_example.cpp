#include "gating/pattern_example.h"

#include <array>
#include <cstddef>

#include <re2/re2.h>

namespace phasegate::gating {
namespace {

constexpr std::size_t kExampleCharsMax = 512;
constexpr int kNestingMax = 32;

/// Walks the pattern once and writes one text that it should match.
class Writer {
 public:
  explicit Writer(std::string_view pattern) : rest_(pattern) {}

  std::optional<std::string> write() {
    std::string out = alternatives(0);
    if (failed_ || !rest_.empty()) return std::nullopt;
    return out;
  }

 private:
  std::string alternatives(int nesting) {
    std::string first = sequence(nesting);
    while (!failed_ && !rest_.empty() && rest_.front() == '|') {
      rest_.remove_prefix(1);
      const std::string other = sequence(nesting);
      // An empty branch would make an example that tells nothing.
      if (first.empty()) first = other;
    }
    return first;
  }

  std::string sequence(int nesting) {
    std::string out;
    while (!failed_ && !rest_.empty() && rest_.front() != '|' && rest_.front() != ')') {
      const std::string piece = atom(nesting);
      const std::size_t times = repeats();
      for (std::size_t i = 0; i < times && out.size() < kExampleCharsMax; ++i) out += piece;
      if (out.size() >= kExampleCharsMax) failed_ = true;
    }
    return out;
  }

  std::string atom(int nesting) {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    if (c == '(') return group(nesting);
    if (c == '[') return character_class();
    if (c == '\\') return escape();
    if (c == '^' || c == '$') return "";
    if (c == '.') return "x";
    if (c == '*' || c == '+' || c == '?') failed_ = true;
    return std::string(1, c);
  }

  std::string group(int nesting) {
    if (nesting >= kNestingMax) {
      failed_ = true;
      return "";
    }
    if (rest_.starts_with("?")) {
      // (?:…), (?i:…), (?i) and (?P<name>…); flags do not change what is written.
      const auto end = rest_.find_first_of(rest_.starts_with("?P<") ? ">" : ":)");
      if (end == std::string_view::npos) {
        failed_ = true;
        return "";
      }
      const bool only_flags = rest_[end] == ')';
      rest_.remove_prefix(end + 1);
      if (only_flags) return "";
    }
    std::string inside = alternatives(nesting + 1);
    if (rest_.empty()) {
      failed_ = true;
    } else {
      rest_.remove_prefix(1);
    }
    return inside;
  }

  std::string escape() {
    if (rest_.empty()) {
      failed_ = true;
      return "";
    }
    const char c = rest_.front();
    rest_.remove_prefix(1);
    switch (c) {
      case 'd':
        return "1";
      case 'w':
        return "a";
      case 's':
        return " ";
      case 'D':
      case 'S':
        return "x";
      case 'W':
        return "-";
      case 'n':
        return "\n";
      case 't':
        return "\t";
      case 'b':
      case 'B':
      case 'A':
      case 'z':
        return "";
      default:
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) {
          failed_ = true;  // \p{…}, \x{…}, \Q…: left to a placeholder
        }
        return std::string(1, c);
    }
  }

  std::string character_class() {
    const std::size_t close = rest_.find(']', rest_.starts_with("^]") ? 2 : 1);
    if (close == std::string_view::npos || rest_.starts_with("[:")) {
      failed_ = true;
      return "";
    }
    const std::string body = "[" + std::string(rest_.substr(0, close + 1));
    rest_.remove_prefix(close + 1);
    RE2::Options quiet;
    quiet.set_log_errors(false);
    const RE2 one(body, quiet);
    static constexpr std::string_view kCandidates =
        "axA1-_./: "
        "#@,;+=!%&*()[]{}<>~'\"|\\?^$BCDbcd23456789efghijklmnopqrstuvwyzEFGHIJKLMNOPQRSTUVWXYZ0";
    for (const char candidate : kCandidates) {
      if (one.ok() && RE2::FullMatch(std::string(1, candidate), one)) {
        return std::string(1, candidate);
      }
    }
    failed_ = true;
    return "";
  }

  std::size_t repeats() {
    std::size_t times = 1;
    if (rest_.empty()) return times;
    const char c = rest_.front();
    if (c == '*' || c == '+' || c == '?') {
      rest_.remove_prefix(1);
    } else if (c == '{') {
      const auto close = rest_.find('}');
      if (close == std::string_view::npos) return times;
      times = 0;
      for (const char digit : rest_.substr(1, close - 1)) {
        if (digit < '0' || digit > '9') break;
        times = times * 10 + static_cast<std::size_t>(digit - '0');
        if (times > kExampleCharsMax) break;
      }
      rest_.remove_prefix(close + 1);
    } else {
      return times;
    }
    if (rest_.starts_with("?")) rest_.remove_prefix(1);  // lazy repeats match the same texts
    return times;
  }

  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace

std::optional<std::string> pattern_example(std::string_view pattern) {
  auto text = Writer(pattern).write();
  RE2::Options quiet;
  quiet.set_log_errors(false);
  const RE2 compiled(re2::StringPiece(pattern.data(), pattern.size()), quiet);
  if (!text || !compiled.ok() || !RE2::PartialMatch(*text, compiled)) return std::nullopt;
  return text;
}

}  // namespace phasegate::gating

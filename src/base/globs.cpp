#include "base/globs.h"

#include <algorithm>
#include <optional>

#include <re2/re2.h>

#include "base/glob_pattern.h"
#include "base/limits.h"
#include "base/text.h"

namespace phasegate::base {
namespace {

constexpr std::size_t kPatternsMax = 256;
constexpr std::size_t kAlternativesMax = 1024;

RE2::Options quiet() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  return options;
}

bool matches_whole(const RE2& pattern, std::string_view text) {
  return RE2::FullMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

/// Alternatives of one regular expression; "nothing" is one that matches no text.
std::string any_of(const std::vector<std::string>& alternatives, std::string_view suffix = "") {
  std::string text;
  for (const std::string& one : alternatives) {
    if (one.empty()) continue;
    text += (text.empty() ? "(?:" : "|") + one;
  }
  return text.empty() ? "[^\\x00-\\x{10FFFF}]" : text + ")" + std::string(suffix);
}

Error of_pattern(const std::string& pattern, Error error) {
  error.message = "the pattern " + in_quotes(pattern) + " cannot be used: " + error.message;
  error.where = pattern;
  return error;
}

std::optional<Error> refused(std::string_view pattern) {
  const auto invalid = [](const char* message, const char* hint) {
    return Error{"invalid_glob", message, hint, ""};
  };
  if (pattern.empty()) return invalid("it is empty", "write ** for every file");
  if (pattern.size() > limits::kPatternBytesMax) return invalid("it is too long", "");
  if (!is_utf8(pattern)) return invalid("it is no UTF-8", "");
  if (pattern.front() == '/') return invalid("it is absolute", "write it relative to the project");
  const bool controls = std::any_of(pattern.begin(), pattern.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  if (controls) return invalid("it holds a control character", "");
  return std::nullopt;
}

bool lies_in_git(std::string_view path) {
  const auto parts = split(path, '/');
  return std::find(parts.begin(), parts.end(), ".git") != parts.end();
}

}  // namespace

struct Globs::Compiled {
  RE2 taken;
  RE2 taken_away;
  RE2 folders;
  RE2 folders_taken_away;
};

Globs::Globs(std::unique_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
Globs::Globs(Globs&&) noexcept = default;
Globs& Globs::operator=(Globs&&) noexcept = default;
Globs::~Globs() = default;

Result<Globs> Globs::compile(const std::vector<std::string>& patterns, Hidden hidden) {
  if (patterns.empty()) return Error{"invalid_glob", "no pattern of paths is given", "", ""};
  if (patterns.size() > kPatternsMax) {
    return Error{"invalid_glob", "more than " + std::to_string(kPatternsMax) + " patterns of paths",
                 "name a folder instead of its files", ""};
  }
  std::vector<std::string> taken;
  std::vector<std::string> away;
  std::vector<std::string> folders;
  std::vector<std::string> whole_away;
  std::size_t left = kAlternativesMax;
  for (const std::string& pattern : patterns) {
    const bool takes_away = pattern.starts_with('!');
    const std::string_view plain = std::string_view(pattern).substr(takes_away ? 1 : 0);
    if (auto problem = refused(plain)) return of_pattern(pattern, *std::move(problem));
    const auto alternatives = without_braces(plain, left);
    if (!alternatives) return of_pattern(pattern, alternatives.error());
    left -= alternatives->size();
    for (const std::string& alternative : *alternatives) {
      // What braces leave over may be empty or absolute again.
      if (auto problem = refused(alternative)) return of_pattern(pattern, *std::move(problem));
      auto one = translated(alternative, hidden == Hidden::included);
      if (!one) return of_pattern(pattern, one.error());
      if (takes_away) {
        away.push_back(one->files);
        whole_away.push_back(one->whole);
        continue;
      }
      if (one->names_git) {
        return of_pattern(pattern, {"invalid_glob", "nothing in .git is looked at",
                                    "a check of the kind git looks at the repository", ""});
      }
      taken.push_back(one->files);
      folders.push_back(one->folders);
    }
  }
  if (taken.empty()) {
    return Error{"invalid_glob", "every pattern of paths takes away, and none says from what",
                 "add ** for every file", ""};
  }
  const RE2::Options options = quiet();
  std::unique_ptr<const Compiled> compiled(
      new Compiled{RE2(any_of(taken), options), RE2(any_of(away), options),
                   RE2(any_of(folders), options), RE2(any_of(whole_away, "(?:/.*)?"), options)});
  if (!compiled->taken.ok() || !compiled->taken_away.ok() || !compiled->folders.ok() ||
      !compiled->folders_taken_away.ok()) {
    return Error{"invalid_glob", "the patterns of paths are too large together",
                 "name a folder instead of its files", patterns.front()};
  }
  return Globs(std::move(compiled));
}

bool Globs::matches(std::string_view path) const {
  if (lies_in_git(path)) return false;
  const std::string text = to_utf8(path);
  return matches_whole(compiled_->taken, text) && !matches_whole(compiled_->taken_away, text);
}

bool Globs::may_match_below(std::string_view folder) const {
  if (folder.empty()) return true;
  if (lies_in_git(folder)) return false;
  const std::string text = to_utf8(folder);
  return matches_whole(compiled_->folders, text) &&
         !matches_whole(compiled_->folders_taken_away, text);
}

}  // namespace phasegate::base

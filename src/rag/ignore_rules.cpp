#include "rag/ignore_rules.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <unordered_map>

#include "base/text.h"
#include "rag/ignore_pattern.h"

namespace phasegate::rag {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Spaces at the end do not count, unless a backslash stands before them.
std::string_view without_spaces_behind(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == ' ') continue;
    // A backslash at the very end leaves the line as it is.
    if (line[at] == '\\' && ++at == line.size()) return line;
    end = at + 1;
  }
  return line.substr(0, end);
}

struct Line {
  std::string_view pattern;
  bool negated = false;
  bool folders_only = false;
};

Line read_line(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  // To git, a line is a string of C.
  line = without_spaces_behind(line.substr(0, line.find('\0')));
  Line found;
  found.negated = line.starts_with('!');
  if (found.negated) line.remove_prefix(1);
  found.folders_only = line.ends_with('/');
  if (found.folders_only) line.remove_suffix(1);
  found.pattern = line;
  return found;
}

struct Hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

/// The number of a pattern, from 1; 0 is none.
using Number = std::size_t;

/// The last pattern of some text: for any entry, and for folders only.
struct Last {
  Number any = 0;
  Number folders = 0;

  [[nodiscard]] Number of(bool is_folder) const { return is_folder ? std::max(any, folders) : any; }
};
using Texts = std::unordered_map<std::string, Last, Hash, std::equal_to<>>;

Number last_of(const Texts& texts, std::string_view text, bool is_folder) {
  const auto at = texts.find(text);
  return at == texts.end() ? 0 : at->second.of(is_folder);
}

struct Wild {
  Number number = 0;
  bool folders_only = false;
  bool over_path = false;
  std::string begin;  ///< what stands before the first wildcard
  WildPattern rest;
};

}  // namespace

/// Patterns without a wildcard, and `*` with plain text behind it, are looked up; only the others
/// are gone through.
struct IgnoreRules::State {
  std::vector<bool> negated = std::vector<bool>(1);  // by number
  Texts names;
  Texts paths;
  Texts endings;
  std::set<std::size_t> ending_lengths;
  std::vector<Wild> wild;  // by ascending number
  bool sound = true;

  void add(const Line& line) {
    std::string_view pattern = line.pattern;
    negated.push_back(line.negated);
    const Number number = negated.size() - 1;
    const auto put = [&](Texts& texts, std::string_view text) {
      Last& last = texts[std::string(text)];
      (line.folders_only ? last.folders : last.any) = number;
    };
    const bool over_path = pattern.find('/') != std::string_view::npos;
    if (pattern.starts_with('/')) pattern.remove_prefix(1);
    if (!has_wildcard(pattern)) return put(over_path ? paths : names, pattern);
    if (!over_path && pattern.starts_with('*') && !has_wildcard(pattern.substr(1))) {
      put(endings, pattern.substr(1));
      ending_lengths.insert(pattern.size() - 1);
      return;
    }
    if (wild.size() >= kIgnorePatternsMax || pattern.size() > kIgnorePatternBytesMax) {
      sound = false;
      return;
    }
    // As git does it, the plain beginning is compared first and `**` behind it stands at the start.
    const std::size_t plain = plain_length(pattern);
    const auto over = over_path ? WildPattern::Over::path : WildPattern::Over::name;
    auto rest = WildPattern::compile(pattern.substr(plain), over);
    if (!rest) return;
    wild.push_back({number, line.folders_only, over_path, std::string(pattern.substr(0, plain)),
                    *std::move(rest)});
  }
};

IgnoreRules::IgnoreRules() : state_(std::make_unique<State>()) {}
IgnoreRules::IgnoreRules(IgnoreRules&&) noexcept = default;
IgnoreRules& IgnoreRules::operator=(IgnoreRules&&) noexcept = default;
IgnoreRules::~IgnoreRules() = default;

IgnoreRules::IgnoreRules(std::string_view text) : IgnoreRules() {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line.front() != '#') state_->add(read_line(line));
  }
}

Ignored IgnoreRules::judge(std::string_view path, bool is_folder, std::uint64_t& steps_left) const {
  const State& state = *state_;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  Number last =
      std::max(last_of(state.names, name, is_folder), last_of(state.paths, path, is_folder));
  for (const std::size_t length : state.ending_lengths) {
    if (length > name.size()) break;
    last = std::max(last, last_of(state.endings, name.substr(name.size() - length), is_folder));
  }
  for (auto one = state.wild.rbegin(); one != state.wild.rend() && one->number > last; ++one) {
    if (steps_left == 0) return Ignored::unknown;
    --steps_left;
    if (one->folders_only && !is_folder) continue;
    const std::string_view text = one->over_path ? path : name;
    if (!text.starts_with(one->begin)) continue;
    std::uint64_t steps = 0;
    if (one->rest.matches(text.substr(one->begin.size()), steps)) last = one->number;
    steps_left -= std::min(steps, steps_left);
  }
  if (last == 0) return Ignored::unsaid;
  return state.negated[last] ? Ignored::no : Ignored::yes;
}

bool IgnoreRules::empty() const {
  return state_->negated.size() == 1;
}

bool IgnoreRules::sound() const {
  return state_->sound;
}

}  // namespace phasegate::rag

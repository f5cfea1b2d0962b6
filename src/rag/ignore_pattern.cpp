#include "rag/ignore_pattern.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

namespace phasegate::rag {
namespace {

using Bytes = std::bitset<256>;

/// POSIX's classes in the C locale; nullopt for a name that is none.
std::optional<Bytes> class_of(std::string_view name) {
  Bytes found;
  const auto add = [&](unsigned first, unsigned last) {
    for (unsigned c = first; c <= last; ++c) found.set(c);
  };
  const bool alnum = name == "alnum";
  if (name == "digit" || name == "xdigit" || alnum) add('0', '9');
  if (name == "upper" || name == "alpha" || alnum) add('A', 'Z');
  if (name == "lower" || name == "alpha" || alnum) add('a', 'z');
  if (name == "xdigit") {
    add('A', 'F');
    add('a', 'f');
  }
  if (name == "blank" || name == "space") add(' ', ' ');
  if (name == "blank") add('\t', '\t');
  if (name == "space") add('\t', '\r');
  if (name == "cntrl") {
    add(0, 0x1F);
    add(0x7F, 0x7F);
  }
  if (name == "print") add(' ', '~');
  if (name == "graph" || name == "punct") add('!', '~');
  if (name == "punct") {
    for (unsigned c = '0'; c <= 'z'; ++c) {
      if ((c <= '9') || (c >= 'A' && c <= 'Z') || c >= 'a') found.reset(c);
    }
  }
  return found.any() ? std::optional(found) : std::nullopt;
}

/// Reads a set; `at` is behind its `[` and is moved behind its `]`. nullopt if it does not end, or
/// holds a class that nobody knows.
std::optional<Bytes> read_set(std::string_view pattern, std::size_t& at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < pattern.size() ? static_cast<unsigned char>(pattern[i]) : 0U;
  };
  const bool negated = byte(at) == '!' || byte(at) == '^';
  if (negated) ++at;
  Bytes members;
  unsigned before = 0;  // what a range may begin with; 0: nothing
  bool first = true;    // a ] in the first place is a member
  while (first || byte(at) != ']') {
    first = false;
    unsigned now = byte(at);
    if (now == 0) return std::nullopt;
    if (now == '\\') {
      now = byte(++at);
      if (now == 0) return std::nullopt;
      members.set(now);
    } else if (now == '-' && before != 0 && byte(at + 1) != 0 && byte(at + 1) != ']') {
      unsigned last = byte(++at);
      if (last == '\\') last = byte(++at);
      if (last == 0) return std::nullopt;
      for (unsigned c = before; c <= last; ++c) members.set(c);
      now = 0;
    } else if (now == '[' && byte(at + 1) == ':') {
      const std::size_t begin = at + 2;
      const std::size_t end = pattern.find(']', begin);
      if (end == std::string_view::npos) return std::nullopt;
      if (end > begin && pattern[end - 1] == ':') {
        const auto named = class_of(pattern.substr(begin, end - 1 - begin));
        if (!named) return std::nullopt;
        members |= *named;
        at = end;
        now = 0;
      } else {
        members.set(now);
      }
    } else {
      members.set(now);
    }
    before = now;
    ++at;
  }
  ++at;
  return negated ? ~members : members;
}

}  // namespace

bool has_wildcard(std::string_view pattern) {
  return plain_length(pattern) < pattern.size();
}

std::size_t plain_length(std::string_view pattern) {
  return std::min(pattern.find_first_of("*?[\\"), pattern.size());
}

std::optional<WildPattern> WildPattern::compile(std::string_view pattern, Over over) {
  WildPattern found;
  found.over_ = over;
  for (std::size_t at = 0; at < pattern.size();) {
    Step step;
    const char c = pattern[at];
    if (c == '*') {
      const std::size_t end = std::min(pattern.find_first_not_of('*', at), pattern.size());
      const std::string_view behind = pattern.substr(end);
      const bool whole_part =
          (at == 0 || pattern[at - 1] == '/') &&
          (behind.empty() || behind.starts_with('/') || behind.starts_with("\\/"));
      const bool deep = over == Over::path && end - at > 1 && whole_part;
      step.kind = deep ? Kind::deep_star : Kind::star;
      if (deep && behind.starts_with('/')) found.steps_.push_back({Kind::skip, 0, 0});
      at = end;
    } else if (c == '?') {
      step.kind = Kind::any;
      ++at;
    } else if (c == '[') {
      ++at;
      const auto set = read_set(pattern, at);
      if (!set) return std::nullopt;
      step.kind = Kind::set;
      step.set = found.sets_.size();
      found.sets_.push_back(*set);
    } else {
      if (c == '\\' && ++at == pattern.size()) return std::nullopt;
      step.byte = static_cast<unsigned char>(pattern[at++]);
    }
    found.steps_.push_back(step);
  }
  // What stands behind the last wildcard is plain; a slash in front may be that of `**/`.
  const std::size_t last = pattern.find_last_of("*?[]\\");
  std::string_view end = pattern.substr(last == std::string_view::npos ? 0 : last + 1);
  if (end.starts_with('/')) end.remove_prefix(1);
  found.end_ = end;
  return found;
}

bool WildPattern::takes(const Step& step, unsigned char c) const {
  switch (step.kind) {
    case Kind::byte:
      return step.byte == c;
    case Kind::any:
      return over_ == Over::name || c != '/';
    case Kind::set:
      return sets_[step.set].test(c) && (over_ == Over::name || c != '/');
    case Kind::star:
      return over_ == Over::name || c != '/';
    case Kind::deep_star:
      return true;
    case Kind::skip:
      return false;
  }
  return false;
}

bool WildPattern::matches(std::string_view text, std::uint64_t& steps) const {
  if (!text.ends_with(end_)) return false;
  constexpr std::size_t kBits = 64;
  const std::size_t words = steps_.size() / kBits + 1;
  // Nearly every pattern is short.
  std::array<std::uint64_t, 4> few{};
  std::vector<std::uint64_t> many(words * 2 <= few.size() ? 0 : words * 2);
  std::span<std::uint64_t> states = std::span(few).first(words * 2 <= few.size() ? words : 0);
  std::span<std::uint64_t> next = std::span(few).subspan(states.size(), states.size());
  if (states.empty()) {
    states = std::span(many).first(words);
    next = std::span(many).last(words);
  }
  const auto set = [](std::span<std::uint64_t> bits, std::size_t i) {
    bits[i / kBits] |= std::uint64_t{1} << (i % kBits);
  };
  // Visits every state in ascending order. What may be nothing leads to later states of the same
  // moment, so that one pass sees those, too.
  const auto visit = [&](const auto& see) {
    bool any = false;
    for (std::size_t word = 0; word < words; ++word) {
      std::uint64_t seen = 0;
      while (const std::uint64_t left = states[word] & ~seen) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(left));
        seen |= std::uint64_t{1} << bit;
        const std::size_t i = word * kBits + bit;
        any = true;
        ++steps;
        if (i == steps_.size()) continue;
        const Step& step = steps_[i];
        const bool skip = step.kind == Kind::skip;
        if (skip || step.kind == Kind::star || step.kind == Kind::deep_star) set(states, i + 1);
        if (skip) set(states, i + 3);
        see(i, step);
      }
    }
    return any;
  };
  set(states, 0);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    std::fill(next.begin(), next.end(), 0);
    const bool any = visit([&](std::size_t i, const Step& step) {
      if (!takes(step, byte)) return;
      const bool stays = step.kind == Kind::star || step.kind == Kind::deep_star;
      set(next, stays ? i : i + 1);
    });
    if (!any) return false;
    std::swap(states, next);
  }
  visit([](std::size_t, const Step&) {});
  return ((states[steps_.size() / kBits] >> (steps_.size() % kBits)) & 1U) != 0;
}

}  // namespace phasegate::rag

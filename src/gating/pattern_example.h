#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace phasegate::gating {

/// A short text that the RE2 pattern finds a match in, or nullopt if none could be made.
/// Understands literals, classes, groups, alternatives and counted repeats; whatever it makes is
/// proven with RE2 before it is returned. At most limits::kPatternBytesMax of pattern, O(pattern ×
/// repeats).
[[nodiscard]] std::optional<std::string> pattern_example(std::string_view pattern);

}  // namespace phasegate::gating

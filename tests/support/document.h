#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace phasegate::test {

/// A fenced block of one of our own documents, with the comment that says what tests do with it.
struct Block {
  std::string language;  ///< `sh`, `json`, `text`, …; may be empty
  std::string text;
  std::string mark;  ///< of `<!-- MARK -->` on the line before the fence; may be empty
  int line = 0;      ///< of the fence, from 1
};

/// The fenced blocks of a markdown document, in order. Fences inside list items count, too.
[[nodiscard]] std::vector<Block> blocks_of(std::string_view markdown);

/// True if every line of `expected` is found in `output`, in this order; `…` within a line stands
/// for anything, and a line that is only `…` for any number of lines. `missing` is the first line
/// that is not there.
[[nodiscard]] bool printed(std::string_view output, std::string_view expected,
                           std::string& missing);

}  // namespace phasegate::test

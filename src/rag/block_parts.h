#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rag/blocks.h"

namespace phasegate::rag {

/// A block, or a part of one that was too large.
struct BlockPart {
  std::size_t first = 0;  ///< lines of the document, from 0, both included
  std::size_t last = 0;
  std::string text;  ///< without a line's end behind it
};

/// A block's lines, divided if they have more than `bytes_max` bytes: a fence into fences, a table
/// into tables with its head, anything else between its lines. A longer line is cut, between words
/// if it is text, never within a character. Each part has at most `bytes_max` bytes (which are at
/// least 64). Linear.
[[nodiscard]] std::vector<BlockPart> parts_of(const Block& block,
                                              const std::vector<std::string_view>& lines,
                                              std::size_t bytes_max);

}  // namespace phasegate::rag

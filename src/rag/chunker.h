#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

namespace phasegate::rag {

/// The smallest page that `split_pages` makes: the longest UTF-8 character fits into it.
inline constexpr std::size_t kPageBytesMin = 4;

/// Splits a markdown document into pages of at most `bytes_max` bytes (less than kPageBytesMin
/// counts as kPageBytesMin). The pages put together are the document, byte for byte; they point
/// into `markdown`. An empty document is one empty page.
///
/// A page ends before a heading if it can, else at a blank line, else at the end of a line. It ends
/// within a fenced code block only if that block alone is larger than a page, within a line only if
/// that line is, and never within a character. Any bytes are taken; O(n log n) at most.
[[nodiscard]] std::vector<std::string_view> split_pages(std::string_view markdown,
                                                        std::size_t bytes_max);

}  // namespace phasegate::rag

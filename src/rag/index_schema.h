#pragma once
#include <cstdint>
#include <string_view>

namespace phasegate::rag {

/// `PRAGMA application_id` of an index: `pgsx`.
inline constexpr std::int64_t kIndexApplicationId = 0x70677378;

/// Counts up whenever an index made before could not be used any more: another schema, other words
/// made of the same text, other passages. Each format has files of its own, so that two versions of
/// the program can share a folder and neither reads what the other has made.
inline constexpr int kIndexFormat = 1;

/// Makes an empty index.
[[nodiscard]] std::string_view index_schema();

/// What every connection to an index needs beside it.
[[nodiscard]] std::string_view index_views();

}  // namespace phasegate::rag

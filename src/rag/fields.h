#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace phasegate::rag {

/// What a passage is searched in; words weigh differently by where they stand.
enum class Field : std::uint8_t {
  title,  ///< the passage's own headings
  path,   ///< the headings above it and the words of the file's path
  text,   ///< what it says
  code,   ///< what it shows in fences
};

inline constexpr std::size_t kFields = 4;

/// A number for each field, in the order of Field.
using Counts = std::array<std::uint32_t, kFields>;

/// What a passage holds, field by field.
struct PassageFields {
  std::array<std::string, kFields> texts;

  [[nodiscard]] const std::string& of(Field field) const {
    return texts[static_cast<std::size_t>(field)];
  }
  [[nodiscard]] std::string& of(Field field) { return texts[static_cast<std::size_t>(field)]; }
};

}  // namespace phasegate::rag

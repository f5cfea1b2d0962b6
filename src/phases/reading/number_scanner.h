#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "phases/reading/quantities.h"

namespace phasegate::phases {

/// What the words around a number make of it.
enum class Bound : std::uint8_t { none, at_least, more, at_most, less, exact };

/// A number where it stands in a lower-case text, and what is written around it.
struct Found {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< behind its unit
  double value = 0;
  bool decimal = false;
  bool percent = false;
  bool unit = false;         ///< a time or a size
  std::optional<double> of;  ///< the 10 of 8/10
  Bound bound = Bound::none;
};

/// Units behind a number that make it no count: times, sizes, rates.
[[nodiscard]] bool is_unit_word(std::string_view word);

/// The numbers of a lower-case text that could be measures, in their order. Versions, dates,
/// ordinals and names such as `phase 2` are none. Linear.
[[nodiscard]] std::vector<Found> numbers_in(std::string_view lower);

/// The type and the bound of a number: counts are whole, percentages and units are not.
[[nodiscard]] Quantity bounded(const Found& found, Bound bound);

}  // namespace phasegate::phases

#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phases/correction/corrections.h"
#include "phases/finding_list.h"

namespace phasegate::phases {

/// A sentence as references are compared: emphasis and code marks, the box, bullet or number in
/// front, marks and a full stop behind are left out, and blanks are one. The same for what the
/// document says and for what the author copied from it.
[[nodiscard]] std::string plain_reference(std::string_view sentence);

/// The position of the requirement that a correction speaks of, among those that were read. nullopt
/// after an error: `drift` with the nearest names, or `ambiguous_reference` with all of them.
[[nodiscard]] std::optional<std::size_t> find_requirement(
    const RequirementCorrection& correction, const std::vector<Requirement>& requirements,
    const std::string& phase, FindingList& findings);

}  // namespace phasegate::phases

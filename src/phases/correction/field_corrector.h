#pragma once
#include <optional>

#include "phases/correction/corrections.h"
#include "phases/native/report.h"

namespace phasegate::phases {

/// The requirement as the entry makes it. With a type the entry's rules replace all that was read;
/// without one they replace the rules of their names. A new name keeps the old one as an alias.
/// nullopt after an error.
[[nodiscard]] std::optional<Requirement> corrected_field(const Requirement& read,
                                                         const RequirementCorrection& entry,
                                                         const NativeReport& report);

/// The requirement that an entry adds; nullopt after an error.
[[nodiscard]] std::optional<Requirement> added_field(const RequirementCorrection& entry,
                                                     const NativeReport& report);

}  // namespace phasegate::phases

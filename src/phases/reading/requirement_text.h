#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "phases/reading/item_text.h"
#include "phases/reading/quantities.h"
#include "phases/reading/statements.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// What a statement must be read as.
enum class Asked {
  condition,  ///< something that holds or not, unless it names a measure
  value       ///< something that is handed over
};

/// The requirements that one statement asks for: one, or one for each of several placeholders on
/// its line. Empty for placeholders without words. `source` is where it stands.
[[nodiscard]] std::vector<Requirement> requirements_from(const Statement& statement, Asked asked,
                                                         RequirementSource kind,
                                                         const Source& source);

/// The same for a sentence without a label.
[[nodiscard]] Requirement condition_from(std::string_view sentence, RequirementSource kind,
                                         const Source& source);

/// True where the words make it conditional, at the beginning as well: `If …`, `When …`.
[[nodiscard]] bool is_optional_wording(std::string_view sentence);

}  // namespace phasegate::phases

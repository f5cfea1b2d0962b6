#pragma once
#include <optional>
#include <string>

#include "phases/native/report.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// A check as one item says it, and whether its name was written.
struct CheckItem {
  Check check;  ///< its name is empty if none was written
  int name_line = 0;
  int name_column = 0;
};

/// Reads one item of a list of checks; `what` names it for findings (`check 2`). Where the item
/// stands under its name already, `named`, it may not have another. nullopt after an error: no
/// check is better than half of one.
[[nodiscard]] std::optional<CheckItem> read_check_item(const YamlNode& item,
                                                       const std::string& what, bool named,
                                                       const NativeReport& report);

}  // namespace phasegate::phases

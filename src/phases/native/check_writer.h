#pragma once
#include <cstddef>
#include <string>

#include "phases/workflow.h"

namespace phasegate::phases {

/// A check as an item of a native file's list, its dash `indent` columns deep: read again it is the
/// same but for its line. Its name is always written, so that what names it still finds it.
[[nodiscard]] std::string native_check(const Check& check, std::size_t indent);

/// A named check as a member of the map at the top of a native file, its key `indent` columns deep.
[[nodiscard]] std::string native_named_check(const Check& check, std::size_t indent);

/// The databases that a workflow protects, as the key `protect` at the top; empty without any.
[[nodiscard]] std::string native_protect(const Workflow& workflow);

}  // namespace phasegate::phases

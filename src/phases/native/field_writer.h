#pragma once
#include <cstddef>
#include <string>

#include "phases/workflow.h"

namespace phasegate::phases {

/// A requirement as a field of a native file: its name and below it type and rules, the name
/// `indent` columns deep. `source` is written as it is unless empty; `input`: a field of the input,
/// which is required elsewhere.
[[nodiscard]] std::string native_field(const Requirement& requirement, std::size_t indent,
                                       const std::string& source, bool input = false);

}  // namespace phasegate::phases

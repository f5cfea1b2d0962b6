#pragma once
#include <string>

#include "phases/workflow.h"

namespace phasegate::phases {

/// A requirement's rule in one short form, for programs that compare readings: `== true`,
/// `== false`, `== N`, `== TEXT`, `> N`, `>= N`, `< N`, `<= N`, `range:a..b`, `enum:a|b|c`,
/// `format:NAME`, `exists` (a path), `non-empty`, or nothing. Of several rules the first of these
/// that holds is said. (`!= N`, the last word of that language, no requirement can say.) A text,
/// list or object that is required is non-empty. Pure.
[[nodiscard]] std::string constraint_of(const Requirement& requirement);

}  // namespace phasegate::phases

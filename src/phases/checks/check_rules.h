#pragma once
#include <string>

#include "base/json_fwd.h"
#include "phases/check.h"
#include "phases/native/report.h"

namespace phasegate::phases {

/// What a kind's members must be together: one of several, none beside another, words of a list.
/// `node` is the kind's value, where its members are found for their line and column. `parameters`
/// were each of their type; what stands for itself is written down (`expect: row`). True if nothing
/// was wrong.
[[nodiscard]] bool check_kind_rules(CheckKind kind, const YamlNode& node, const std::string& what,
                                    base::Json& parameters, const NativeReport& report);

}  // namespace phasegate::phases

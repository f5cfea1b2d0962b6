#pragma once
#include <optional>
#include <string>

#include "base/json_fwd.h"
#include "phases/check.h"
#include "phases/native/report.h"

namespace phasegate::phases {

/// Reads the value of one member as its type wants it and gives what is kept: durations in
/// milliseconds, one pattern of paths as a list of one, paths normalised. `what` names it for
/// findings (`timeout of check 2`). nullopt after an error at the value. Linear in the value.
[[nodiscard]] std::optional<base::Json> read_check_value(const CheckMember& member,
                                                         const YamlNode& node,
                                                         const std::string& what,
                                                         const NativeReport& report);

}  // namespace phasegate::phases

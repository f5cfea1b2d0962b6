#pragma once
#include <vector>

#include "phases/native/report.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Reads `protect`, a list of databases of the project that are copied before a run begins
/// (003-61): `{sqlite: PATH, backups: 10}`. Paths stay within the project; each is named once. What
/// is wrong is an error among the report's findings, and such an entry is left out.
[[nodiscard]] std::vector<ProtectedDatabase> read_native_protect(const YamlNode& node,
                                                                 const NativeReport& report);

}  // namespace phasegate::phases

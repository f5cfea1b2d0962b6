#pragma once
#include <string>
#include <string_view>

namespace phasegate::test {

/// Compares `text` with tests/snapshots/NAME and fails with the first difference. What users see is
/// changed on purpose or not at all: with PHASEGATE_UPDATE_SNAPSHOTS=1 the file is written instead,
/// and the change is reviewed with the rest of the commit. A missing file fails.
void check_snapshot(std::string_view name, const std::string& text);

}  // namespace phasegate::test

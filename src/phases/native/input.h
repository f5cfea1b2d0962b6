#pragma once
#include "phases/native/report.h"
#include "phases/workflow.h"

namespace phasegate::phases {

/// Reads `input`, an object of JSON Schema, into workflow.input and workflow.input_closed.
void read_native_input(const YamlNode& node, const NativeReport& report, Workflow& workflow);

}  // namespace phasegate::phases

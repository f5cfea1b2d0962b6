#pragma once
#include <string_view>

namespace phasegate::app {

/// docs/workflow.schema.json: the JSON Schema of native workflow files.
[[nodiscard]] std::string_view workflow_schema();

/// src/app/templates/workflow.yaml: what `new` begins a workflow with.
[[nodiscard]] std::string_view workflow_template();

}  // namespace phasegate::app

#pragma once
#include <string_view>

namespace phasegate::app {

/// docs/workflow.schema.json: the JSON Schema of native workflow files.
[[nodiscard]] std::string_view workflow_schema();

/// src/app/templates/workflow.yaml: what `new` begins a workflow with.
[[nodiscard]] std::string_view workflow_template();

/// src/app/web/style.css: how the web pages look.
[[nodiscard]] std::string_view page_style();

}  // namespace phasegate::app

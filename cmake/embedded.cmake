# Puts the texts that `phasegate new` writes, and the style of web pages, into the program
# (src/app/embedded.h), made anew when one of them changes.
set(embedded_schema_file "${CMAKE_SOURCE_DIR}/docs/workflow.schema.json")
set(embedded_template_file "${CMAKE_SOURCE_DIR}/src/app/templates/workflow.yaml")
set(embedded_style_file "${CMAKE_SOURCE_DIR}/src/app/web/style.css")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  "${embedded_schema_file}" "${embedded_template_file}" "${embedded_style_file}")
file(READ "${embedded_schema_file}" embedded_schema)
file(READ "${embedded_template_file}" embedded_template)
file(READ "${embedded_style_file}" embedded_style)

# A string literal may hold 64 KB everywhere; the schema is far smaller, and this says so if not.
string(LENGTH "${embedded_schema}" embedded_schema_length)
if(embedded_schema_length GREATER 65000)
  message(FATAL_ERROR "docs/workflow.schema.json is too long for one string literal")
endif()
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/generated/embedded_texts.cpp" @ONLY CONTENT [[
#include "app/embedded.h"

namespace phasegate::app {

std::string_view workflow_schema() {
  return R"phasegate(@embedded_schema@)phasegate";
}

std::string_view workflow_template() {
  return R"phasegate(@embedded_template@)phasegate";
}

std::string_view page_style() {
  return R"phasegate(@embedded_style@)phasegate";
}

}  // namespace phasegate::app
]])

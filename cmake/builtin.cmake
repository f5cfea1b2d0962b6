# Puts the built-in workflows into the program: one source file with the text of every
# src/phases/builtin/*.yaml, made anew when one of them changes.
file(GLOB builtin_files CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/phases/builtin/*.yaml")
list(SORT builtin_files)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${builtin_files})

set(builtin_entries "")
foreach(builtin_file ${builtin_files})
  get_filename_component(builtin_id "${builtin_file}" NAME_WE)
  file(READ "${builtin_file}" builtin_text)
  string(APPEND builtin_entries "    {\"${builtin_id}\", R\"phasegate(${builtin_text})phasegate\"},\n")
endforeach()
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/generated/builtin_texts.cpp" @ONLY CONTENT [[
#include "phases/builtin.h"

namespace phasegate::phases {
namespace {

constexpr BuiltinWorkflow kBuiltin[] = {
@builtin_entries@};

}  // namespace

std::span<const BuiltinWorkflow> builtin_workflows() {
  return kBuiltin;
}

}  // namespace phasegate::phases
]])

# The headers of others that cost most to compile, compiled once instead of in each of several
# hundred files. Only for speed: rooms that are built as released do without, so that each file of
# src/ names all that it uses.
option(PHASEGATE_PRECOMPILE "Compile costly headers of libraries once" ${PHASEGATE_TESTS})
option(PHASEGATE_ROOMS_AS_RELEASED "Compile src/ as the release preset does, whatever the build type" OFF)

set(PHASEGATE_COSTLY_HEADERS
  <algorithm> <array> <atomic> <chrono> <condition_variable> <filesystem> <functional> <map> <memory>
  <mutex> <optional> <set> <span> <string> <string_view> <thread> <unordered_map> <utility> <variant> <vector>
  <nlohmann/json.hpp>)

# phasegate_precompiled(name LINKS libraries... HEADERS headers...): what phasegate_precompile(target
# name) gives to targets that are compiled with the same options.
function(phasegate_precompiled name)
  cmake_parse_arguments(P "" "" "LINKS;HEADERS" ${ARGN})
  if(NOT PHASEGATE_PRECOMPILE)
    return()
  endif()
  add_library(phasegate_precompiled_${name} OBJECT "${CMAKE_SOURCE_DIR}/cmake/precompiled.cpp")
  target_link_libraries(phasegate_precompiled_${name} PRIVATE phasegate_options ${P_LINKS})
  target_precompile_headers(phasegate_precompiled_${name} PRIVATE ${P_HEADERS})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # A date inside would keep ccache from knowing it again.
    target_compile_options(phasegate_precompiled_${name} PRIVATE -Xclang -fno-pch-timestamp)
  endif()
endfunction()

function(phasegate_precompile target name)
  if(PHASEGATE_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM phasegate_precompiled_${name})
  endif()
endfunction()

# The headers of others that cost most to compile, compiled once instead of in each of several
# hundred files: most of the time of a build goes there. Without it each file of src/ must name all
# that it uses, which a build with PHASEGATE_PRECOMPILE=OFF shows.
option(PHASEGATE_PRECOMPILE "Compile costly headers of libraries once" ON)
option(PHASEGATE_ROOMS_AS_RELEASED "Compile src/ as the release preset does, whatever the build type" OFF)

# What the files of src/ are compiled with beyond the build type's own options.
set(PHASEGATE_ROOM_OPTIONS "$<$<BOOL:${PHASEGATE_ROOMS_AS_RELEASED}>:-O2;-DNDEBUG>")

set(PHASEGATE_COSTLY_HEADERS
  <algorithm> <array> <atomic> <chrono> <condition_variable> <filesystem> <functional> <map> <memory>
  <mutex> <optional> <set> <span> <string> <string_view> <thread> <unordered_map> <utility> <variant> <vector>
  <nlohmann/json.hpp>)

# phasegate_precompiled(name LINKS libraries... OPTIONS options... HEADERS headers...): what phasegate_precompile(target
# name) gives to targets that are compiled with the same options.
function(phasegate_precompiled name)
  cmake_parse_arguments(P "" "" "LINKS;OPTIONS;HEADERS" ${ARGN})
  if(NOT PHASEGATE_PRECOMPILE)
    return()
  endif()
  add_library(phasegate_precompiled_${name} OBJECT "${CMAKE_SOURCE_DIR}/cmake/precompiled.cpp")
  target_link_libraries(phasegate_precompiled_${name} PRIVATE phasegate_options ${P_LINKS})
  target_compile_options(phasegate_precompiled_${name} PRIVATE ${P_OPTIONS})
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

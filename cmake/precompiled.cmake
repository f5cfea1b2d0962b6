# The headers of others that cost most to compile, compiled once instead of in each of several
# hundred files. Only for speed: the release preset does without, so that it tells of a file of src/
# that does not name all that it uses.
option(PHASEGATE_PRECOMPILE "Compile costly headers of libraries once" ${PHASEGATE_TESTS})
option(PHASEGATE_ROOMS_AS_RELEASED "Compile src/ as the release preset does, whatever the build type" OFF)
set(PHASEGATE_ROOM_OPTIONS)
if(PHASEGATE_ROOMS_AS_RELEASED)
  set(PHASEGATE_ROOM_OPTIONS -O2 -DNDEBUG)
  if(PHASEGATE_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC forgets what is its own library's once that is precompiled, and warns about it.
    list(APPEND PHASEGATE_ROOM_OPTIONS -Wno-array-bounds -Wno-stringop-overflow)
  endif()
endif()

set(PHASEGATE_COSTLY_HEADERS
  <algorithm> <array> <atomic> <chrono> <condition_variable> <filesystem> <functional> <map> <memory>
  <mutex> <optional> <set> <span> <string> <string_view> <thread> <unordered_map> <utility> <variant> <vector>
  <nlohmann/json.hpp>)

# phasegate_precompiled(name LINKS libraries... HEADERS headers... [OPTIONS options...]): what
# phasegate_precompile(target name) gives to targets that are compiled with the same options.
function(phasegate_precompiled name)
  cmake_parse_arguments(P "" "" "LINKS;HEADERS;OPTIONS" ${ARGN})
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

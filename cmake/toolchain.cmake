# Warnings, sanitizers, and the optional speed-ups of the build (ccache, mold).
add_library(phasegate_options INTERFACE)
target_compile_options(phasegate_options INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
  -Wimplicit-fallthrough -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns wrongly when it optimises: about "literal" + std::string (GCC bug 105651) and
  # about the value of a std::optional that is only read where it is set (GCC bug 80635).
  target_compile_options(phasegate_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
target_include_directories(phasegate_options INTERFACE "${CMAKE_SOURCE_DIR}/src")

if(PHASEGATE_SANITIZE)
  set(flags -fsanitize=${PHASEGATE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_compile_options(phasegate_options INTERFACE ${flags})
  target_link_options(phasegate_options INTERFACE ${flags})
endif()

if(PHASEGATE_FUZZ)
  # Coverage is what guides the fuzzer through the rooms; its main function comes with the targets.
  target_compile_options(phasegate_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # A clone in another folder must hit the same cache: paths are left out of the key.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_BASEDIR=${CMAKE_SOURCE_DIR};CCACHE_NOHASHDIR=1;CCACHE_SLOPPINESS=pch_defines,time_macros;${CCACHE_PROGRAM}")
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

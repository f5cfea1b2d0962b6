# shellcheck shell=bash
# shellcheck disable=SC2034  # the lists are used by the scripts that read this file
# What the scripts share: where they are, what has to be installed, how to configure and build.
# Everything said here goes to standard error, because standard output may belong to the protocol.

repository="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)"
jobs="${PHASEGATE_JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}"

# One line per package: its name on Debian and Ubuntu, and how to see elsewhere that it is there:
# cmd:NAME is a program, pc:NAME a pkg-config module, file:NAME a header below /usr/include or
# /usr/local/include.
packages_build='
g++                    cmd:g++
cmake                  cmd:cmake
ninja-build            cmd:ninja
pkg-config             cmd:pkg-config
nlohmann-json3-dev     pc:nlohmann_json
libyaml-cpp-dev        pc:yaml-cpp
libssl-dev             pc:libcrypto
libmd4c-dev            pc:md4c
libre2-dev             pc:re2
libsqlite3-dev         pc:sqlite3
libspdlog-dev          pc:spdlog
libpugixml-dev         pc:pugixml
libcpp-httplib-dev     pc:cpp-httplib
libstemmer-dev         file:libstemmer.h
libutf8proc-dev        pc:libutf8proc
'
packages_test='
doctest-dev            file:doctest/doctest.h
librapidcheck-dev      file:rapidcheck.h
nodejs                 cmd:node
npm                    cmd:npm
'
packages_clang='
clang-19               cmd:clang++-19
libclang-rt-19-dev     cmd:clang++-19
'
packages_speed='
ccache                 cmd:ccache
mold                   cmd:mold
'
packages_browser='
chromium               cmd:chromium
nodejs                 cmd:node
'
packages_format='
clang-format-19        cmd:clang-format-19
'

say() {
  printf 'phasegate: %s\n' "$*" >&2
}

# present PACKAGE PROBE: is it there?
present() {
  local package="$1" probe="$2" folder
  case "$probe" in
    cmd:*)
      # A program counts wherever it comes from; a library that only backs it needs the package.
      if [[ "$package" != lib* ]] && command -v "${probe#cmd:}" >/dev/null 2>&1; then return 0; fi
      ;;
    pc:*)
      if command -v pkg-config >/dev/null 2>&1 && pkg-config --exists "${probe#pc:}"; then return 0; fi
      ;;
    file:*)
      for folder in /usr/include /usr/local/include; do
        if [[ -e "$folder/${probe#file:}" ]]; then return 0; fi
      done
      ;;
  esac
  if command -v dpkg-query >/dev/null 2>&1; then
    [[ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" == installed ]]
  else
    # Without dpkg the compiler's own libraries cannot be looked up; the build will tell.
    [[ "$package" == lib* && "$probe" == cmd:* ]]
  fi
}

# need LISTS…: installs what is missing, or says what is and ends with 3.
need() {
  local -a missing=()
  local package probe
  while read -r package probe; do
    if [[ -n "$package" ]] && ! present "$package" "$probe"; then missing+=("$package"); fi
  done <<<"$(printf '%s\n' "$@")"
  if [[ ${#missing[@]} -eq 0 ]]; then return 0; fi

  if ! command -v apt-get >/dev/null 2>&1; then
    say "missing (names as on Debian and Ubuntu): ${missing[*]}"
    say "install what they are called here, then try again"
    exit 3
  fi
  local -a as_root=()
  if [[ "$(id -u)" -ne 0 ]]; then
    if ! command -v sudo >/dev/null 2>&1; then
      say "missing: ${missing[*]}; there is no sudo here, so run as root:"
      say "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
      exit 3
    fi
    # Started by a client there is no terminal on which sudo could ask.
    if [[ -t 0 ]]; then as_root=(sudo); else as_root=(sudo -n); fi
    say "using sudo to install: ${missing[*]}"
  else
    say "installing: ${missing[*]}"
  fi
  if ! install_packages "${missing[@]}"; then
    say "could not install: ${missing[*]}; run by hand:"
    say "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}"
    exit 3
  fi
}

# Uses as_root of need. apt writes to standard error only and reads nothing.
install_packages() {
  local -a apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq)
  "${apt[@]}" update </dev/null >&2 || say "apt-get update failed; trying with what is known"
  "${apt[@]}" install -y --no-install-recommends "$@" </dev/null >&2
}

# build PRESET [TARGETS…]: configures if need be and builds. One at a time per checkout, because
# several clients may start the program at once.
build() {
  local preset="$1"
  shift
  mkdir -p "$repository/build"
  (
    if command -v flock >/dev/null 2>&1; then
      exec 9>"$repository/build/.lock"
      flock 9
    fi
    cd "$repository" || exit
    if [[ ! -f "build/$preset/build.ninja" ]]; then cmake --preset "$preset" || exit; fi
    # The lock must not be held by what the build leaves running (a compiler cache, …).
    cmake --build "build/$preset" -j "$jobs" ${1:+--target "$@"} 9>&-
  ) </dev/null
}

# shellcheck shell=sh
# What the tests that drive programs from npm share: they are installed outside of the source tree.
# Where that is not possible the tests are skipped with a message, but fail under
# PHASEGATE_E2E=require. The caller sets `here`, its folder beside this one, and `name`, which its
# messages begin with.

skip() {
  if [ "${PHASEGATE_E2E:-}" = require ]; then
    echo "${name:?} failed: $1" >&2
    exit 1
  fi
  echo "${name:?} skipped: $1"
  exit 77
}

# has_packages HERE MODULES OPTION: is what HERE asks for in MODULES, installed with OPTION?
has_packages() {
  { cat "$1/package-lock.json" && echo "$3"; } | cmp -s - "$2/.installed"
}

# node_is_at_least MAJOR [PROGRAM]
node_is_at_least() {
  "${2:-node}" -e "process.exit(process.versions.node.split('.')[0] >= $1 ? 0 : 1)" 2>/dev/null
}

# install_packages HERE MODULES OPTION: what the lock file in HERE names, into MODULES. OPTION is
# `--omit=optional` or empty; an installation with everything is good for both.
install_packages() {
  command -v node >/dev/null || skip "node is not installed"
  command -v npm >/dev/null || skip "npm is not installed"
  node_is_at_least 20 || skip "node $(node --version) is too old, 20 or newer is needed"

  # Two test runs at once share one installation; the lock goes away with the descriptor.
  mkdir -p "$2"
  exec 9>"$2/.lock"
  if command -v flock >/dev/null; then flock 9; fi
  if ! has_packages "$1" "$2" '' && ! has_packages "$1" "$2" "$3"; then
    rm -f "$2/.installed"
    cp "$1/package.json" "$1/package-lock.json" "$2/"
    # shellcheck disable=SC2086  # nothing, or one option
    (cd "$2" && npm ci $3 --ignore-scripts --no-audit --no-fund --fetch-retries=1 \
      --fetch-retry-mintimeout=500 --fetch-retry-maxtimeout=2000 --loglevel=error >npm.log 2>&1 </dev/null) ||
      skip "the packages cannot be installed, see $2/npm.log"
    { cat "$1/package-lock.json" && echo "$3"; } >"$2/.installed"
  fi
  exec 9>&-
}

# use_newer_node FOLDER: puts a Node.js of version 22 or newer first in PATH, from npm into FOLDER
# if the machine's own is older; fails if there is none for this machine.
use_newer_node() {
  if node_is_at_least 22; then return 0; fi
  install_packages "${here:?}/../support/node" "$1" ''
  for program in "$1"/node_modules/node-*/bin/node; do
    if node_is_at_least 22 "$program"; then
      PATH="$(dirname -- "$program"):$PATH"
      return 0
    fi
  done
  return 1
}

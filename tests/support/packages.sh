# shellcheck shell=sh
# What the tests that drive programs from npm share: they are installed outside of the source tree.
# Where that is not possible the tests are skipped with a message, but fail under
# PHASEGATE_E2E=require. The caller sets `name`, which its messages begin with.

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

# install_packages HERE MODULES OPTION: what the lock file in HERE names, into MODULES. OPTION is
# `--omit=optional` or empty; an installation with everything is good for both.
install_packages() {
  command -v node >/dev/null || skip "node is not installed"
  command -v npm >/dev/null || skip "npm is not installed"
  node -e 'process.exit(process.versions.node.split(".")[0] >= 20 ? 0 : 1)' ||
    skip "node $(node --version) is too old, 20 or newer is needed"

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

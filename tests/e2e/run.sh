#!/bin/sh
# Runs the end-to-end tests with the official MCP clients and the assistants from npm, which are
# installed outside of the source tree. Where that is not possible the tests are skipped with a
# message, but fail under PHASEGATE_E2E=require. An assistant that is not made for this machine is
# left out by npm; only its own test is skipped then.
#
#   run.sh FOLDER_FOR_THE_PACKAGES [node --test arguments…]
#
# The assistants themselves (Claude Code, Codex, Gemini CLI) take about 750 MB, so they are installed
# only where they were asked for: PHASEGATE_E2E=require or PHASEGATE_E2E=assistants.
#
# PHASEGATE_BINARY and PHASEGATE_ECHO_SERVER name the programs under test.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
modules=$1
shift

skip() {
  if [ "${PHASEGATE_E2E:-}" = require ]; then
    echo "e2e failed: $1" >&2
    exit 1
  fi
  echo "e2e skipped: $1"
  exit 77
}

command -v node >/dev/null || skip "node is not installed"
command -v npm >/dev/null || skip "npm is not installed"
node -e 'process.exit(process.versions.node.split(".")[0] >= 20 ? 0 : 1)' ||
  skip "node $(node --version) is too old, 20 or newer is needed"

# Two test runs at once share one installation; the lock goes away with the shell.
mkdir -p "$modules"
exec 9>"$modules/.lock"
if command -v flock >/dev/null; then flock 9; fi
case "${PHASEGATE_E2E:-}" in
  require | assistants) wanted='' ;;
  *) wanted='--omit=optional' ;;
esac
# What is installed: these versions with the assistants, or without them, which is enough unless they
# are wanted.
has() {
  { cat "$here/package-lock.json" && echo "$1"; } | cmp -s - "$modules/.installed"
}
if ! has '' && ! has "$wanted"; then
  rm -f "$modules/.installed"
  cp "$here/package.json" "$here/package-lock.json" "$modules/"
  # shellcheck disable=SC2086  # nothing, or one option
  (cd "$modules" && npm ci $wanted --ignore-scripts --no-audit --no-fund --fetch-retries=1 \
    --fetch-retry-mintimeout=500 --fetch-retry-maxtimeout=2000 --loglevel=error >npm.log 2>&1 </dev/null) ||
    skip "the packages cannot be installed, see $modules/npm.log"
  { cat "$here/package-lock.json" && echo "$wanted"; } >"$modules/.installed"
fi
exec 9>&-

PHASEGATE_E2E_MODULES=$modules
export PHASEGATE_E2E_MODULES
if [ $# -eq 0 ]; then set -- --test-reporter=spec "$here"/*.test.mjs; fi
exec node --test "$@"

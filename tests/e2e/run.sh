#!/bin/sh
# Runs the end-to-end tests with the official MCP clients and the assistants from npm, which are
# installed outside of the source tree. Where that is not possible the tests are skipped with a
# message, but fail under PHASEGATE_E2E=require. An assistant that is not made for this machine is
# left out by npm; only its own test is skipped then.
#
#   run.sh FOLDER_FOR_THE_PACKAGES [node --test arguments…]
#
# The assistants themselves (Claude Code, Codex, Gemini CLI, opencode), the Inspector and the Node.js
# that they need take about 1.5 GB, so they are installed only where they were asked for:
# PHASEGATE_E2E=require or PHASEGATE_E2E=assistants.
#
# PHASEGATE_BINARY and PHASEGATE_ECHO_SERVER name the programs under test.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
modules=$1
shift
# shellcheck disable=SC2034  # for packages.sh
name=e2e
# shellcheck source=tests/support/packages.sh
. "$here/../support/packages.sh"

case "${PHASEGATE_E2E:-}" in
  require | assistants)
    # Without it npm leaves out what needs it, and only those tests are skipped.
    use_newer_node "$(dirname -- "$modules")/node-npm" || true
    install_packages "$here" "$modules" ''
    ;;
  *) install_packages "$here" "$modules" --omit=optional ;;
esac

PHASEGATE_E2E_MODULES=$modules
export PHASEGATE_E2E_MODULES
if [ $# -eq 0 ]; then set -- --test-reporter=spec "$here"/*.test.mjs; fi
exec node --test "$@"

#!/bin/sh
# Runs the official conformance suites from npm against phasegate-conformance. They are installed
# outside of the source tree, together with a newer Node.js where one is needed. Where that is not
# possible the tests are skipped with a message, but fail under PHASEGATE_E2E=require.
#
#   run.sh FOLDER_FOR_THE_PACKAGES [node --test arguments…]
#
# PHASEGATE_CONFORMANCE names the program under test.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
modules=$1
shift
# shellcheck disable=SC2034  # for packages.sh
name=conformance
# shellcheck source=tests/support/packages.sh
. "$here/../support/packages.sh"

use_newer_node "$(dirname -- "$modules")/node-npm" ||
  skip "node 22 is needed, and npm has none for this machine: install it"
install_packages "$here" "$modules" ''

PHASEGATE_CONFORMANCE_MODULES=$modules
export PHASEGATE_CONFORMANCE_MODULES
if [ $# -eq 0 ]; then set -- --test-reporter=spec "$here"/*.test.mjs; fi
exec node --test "$@"

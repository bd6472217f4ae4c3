#!/usr/bin/env bash
# The service, again at every change of the source. Ends both of its processes when it is ended, however that is.
set -uo pipefail
trap 'kill $(jobs -p) 2>/dev/null' EXIT
trap 'exit 0' INT TERM HUP
tsc -p tsconfig.build.json
tsc -p tsconfig.build.json --watch --preserveWatchOutput &
node --watch --max-semi-space-size=8 dist/main.js &
wait

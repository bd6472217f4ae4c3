#!/usr/bin/env bash
# Runs the service and restarts it when the source changes. Stops the compiler and the service however it is ended.
set -uo pipefail
trap 'kill $(jobs -p) 2>/dev/null' EXIT
trap 'exit 0' INT TERM HUP
tsc -p tsconfig.build.json
tsc -p tsconfig.build.json --watch --preserveWatchOutput &
node --watch dist/cli.js start &
wait

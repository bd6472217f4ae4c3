#!/usr/bin/env bash
# Builds what runs in production into a folder: the compiled service and its production dependencies.
#   scripts/build-release.sh <folder>
# BUILT=true takes the packages and dist as they are, where a run of CI has just installed and built them.
set -euo pipefail
[ $# = 1 ] || { echo "usage: scripts/build-release.sh <folder>" >&2; exit 2; }
cd "$(dirname "$0")/.."
release=$1
mkdir -p "$release"
release=$(cd "$release" && pwd)
if [ "${BUILT:-}" != true ]; then
  npm ci
  npm run -s build
fi
cp -R dist deploy package.json package-lock.json .npmrc LICENSE "$release/"
# The packages that bring Node itself are optional; where Node 24 is installed they are not needed.
npm ci --omit=dev --omit=optional --prefix "$release"

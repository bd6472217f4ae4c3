#!/usr/bin/env bash
# The steps of the Dockerfile without a container engine: builds a release, starts it as a user without rights where
# that is possible, and waits until it is ready.
#   scripts/check-release.sh [folder]   builds into a folder that stays; without one, into a temporary folder
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d /tmp/all-clear-release-XXXXXX)
trap 'kill "${pid:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
release=${1:-$folder/release}
scripts/build-release.sh "$release"
release=$(cd "$release" && pwd)
node=$PWD/node_modules/.bin/node
mkdir "$folder/data"
chmod 755 "$folder"
as_user=()
if [ "$(id -u)" = 0 ]; then
  chown nobody "$folder/data"
  as_user=(setpriv --reuid=nobody --clear-groups --)
  # The user without rights cannot read the folder of root that node may be in.
  cp -L "$node" "$folder/node" && node=$folder/node
fi
port=25998
(cd "$release" && exec "${as_user[@]}" env -i PATH="$PATH" PORT=$port NODE_ENV=production DATABASE_URL=embedded DATA_DIR="$folder/data" "$node" dist/cli.js start) >"$folder/log" 2>&1 &
pid=$!
for _ in $(seq 100); do
  if "$node" -e "fetch('http://127.0.0.1:$port/readyz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"; then
    # Its files are written by the build, without the package that they come from.
    "$node" -e "fetch('http://127.0.0.1:$port/graphql', { headers: { accept: 'text/html' } }).then(r => process.exit(r.ok ? 0 : 1))"
    "$node" -e "fetch('http://127.0.0.1:$port/console/').then(r => process.exit(r.ok ? 0 : 1))"
    echo "The release answers, with $(ls "$release/node_modules" | wc -l) folders of packages."
    exit 0
  fi
  kill -0 "$pid" 2>/dev/null || break
  sleep 0.2
done
cat "$folder/log" >&2
exit 1

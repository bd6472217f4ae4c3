#!/usr/bin/env bash
# Checks and tests the rules of docs/monitoring with promtool, which Debian has in its package prometheus.
set -euo pipefail
cd "$(dirname "$0")/../docs/monitoring"
if ! command -v promtool >/dev/null; then
  echo "The alert rules are not checked: promtool is not installed (Debian: apt-get install prometheus)."
  exit 0
fi
promtool check rules alerts.yml
promtool test rules alerts.test.yml

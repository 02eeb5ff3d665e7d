#!/usr/bin/env bash
# Builds the service and measures it while its settings are edited.
#
# usage: load.sh [SECONDS] [RUNS] [CLIENTS], see Tests/load.py
set -euo pipefail
cd "$(dirname "$0")"

LIVESERVICE=${LIVESERVICE:-$(./build.sh)}
export LIVESERVICE PYTHONDONTWRITEBYTECODE=1
/usr/bin/python3 Tests/load.py "$@"

#!/usr/bin/env bash
# Builds the service, optimized, and prints its path.
set -euo pipefail
cd "$(dirname "$0")"

build=../../.build/live-service
"${SWIFT:-swift}" build --configuration release --scratch-path "$build" >&2
echo "$(cd "$build/release" && pwd)/liveservice"

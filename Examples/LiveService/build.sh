#!/usr/bin/env bash
# Builds the service, optimized, and prints its path.
set -euo pipefail
cd "$(dirname "$0")"

# In the directory of the benchmarks: both need the library optimized in the same way, so it is compiled once.
build=../../Benchmarks/.build
"${SWIFT:-swift}" build --configuration release --scratch-path "$build" >&2
echo "$(cd "$build/release" && pwd)/liveservice"

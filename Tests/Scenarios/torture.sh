#!/usr/bin/env bash
# Plays all scenarios again and again: torture.sh [RUNS]. The first run that fails ends it.
set -euo pipefail
cd "$(dirname "$0")/../.."

runs=${1:-20}
swift=${SWIFT:-swift}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# A scenario whose program is missing must not pass for one that was played.
export SESSIONMIRROR_NO_SKIPS=1 SWIFT_BACKTRACE=enable=no

fail() {
    grep -E '✘|error' "$log" >&2 || tail -n 20 "$log" >&2
    echo "run $1 of $runs failed" >&2
    exit 1
}

expected=$(cat Tests/Scenarios/*.scenario | grep -c '^scenario:')
"$swift" build --build-tests
for ((run = 1; run <= runs; run++)); do
    began=$SECONDS
    timeout 300 "$swift" test --skip-build --filter 'ScenarioTests' >"$log" 2>&1 || fail "$run"
    played=$(sed -n 's/.*with \([0-9]*\) test cases passed.*/\1/p' "$log" | sort -n | tail -n 1)
    [ "$played" = "$expected" ] || fail "$run"
    echo "run $run of $runs: $played scenarios in $((SECONDS - began)) s"
done
echo "$runs runs of $expected scenarios, all green: $((runs * expected)) in all"

#!/usr/bin/env bash
# Runs all scenarios repeatedly: torture.sh sessions|watching [RUNS]. Stops at the first run that fails.
set -euo pipefail
cd "$(dirname "$0")/../.."

subject=${1:?"sessions or watching?"}
runs=${2:-20}
swift=${SWIFT:-swift}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# A missing program is a failure, so that no scenario is skipped.
export SESSIONMIRROR_NO_SKIPS=1 SWIFT_BACKTRACE=enable=no

fail() {
    grep -E '✘|error' "$log" >&2 || tail -n 20 "$log" >&2
    echo "run $1 of $runs failed" >&2
    exit 1
}

count() { cat "$@" | grep -c '^scenario:'; }

case $subject in
sessions)
    tests=ScenarioTests
    expected=$(count Tests/Scenarios/*.scenario)
    ;;
watching)
    tests=ConformanceTests
    expected=$(($(count Tests/Scenarios/*.scenario Tests/Scenarios/Watching/*.scenario) * 3))
    ;;
*)
    echo "usage: torture.sh sessions|watching [RUNS]" >&2
    exit 2
    ;;
esac

# The summary that the tests print: "N scenarios × 3 backends = M played, 0 skipped".
summary() { sed -n 's/^\([0-9]* scenarios × .*\)$/\1/p' "$log" | tail -n 1; }

"$swift" build --build-tests
for ((run = 1; run <= runs; run++)); do
    began=$SECONDS
    timeout 300 "$swift" test --skip-build --filter "$tests" >"$log" 2>&1 || fail "$run"
    played=$(sed -n 's/.*with \([0-9]*\) test cases passed.*/\1/p' "$log" | sort -n | tail -n 1)
    [ "$played" = "$expected" ] || fail "$run"
    line=$(summary)
    echo "run $run of $runs: ${line:-$played scenarios} in $((SECONDS - began)) s"
done
echo "$runs runs of $expected cases, all passed: $((runs * expected)) in total"

#!/usr/bin/env bash
# Runs the long checks, one after the other, and prints how long each took. A version is tagged only after all of them
# have passed. CONTRIBUTING.md says what each proves, and which change calls for which.
#
# usage: release-check.sh [CHECK]…, a target of make with its variables, such as 'fuzz SECONDS=60'; all by default
set -uo pipefail
cd "$(dirname "$0")/.." || exit

# Those that find most come first.
checks=(sanitize-all race-proof 'torture-files KILLS=600 RUNS=4' 'torture-scenarios RUNS=10' 'torture-watching RUNS=10'
    torture-saving torture-objects torture-fleet torture-state 'torture-sessions FACTOR=70' torture-edits torture-steps
    torture-year 'fuzz SECONDS=120'
    fuzz-proof bench-age bench-counts-proof bench-compare-proof bench torture-orders 'bench-service LOAD_SECONDS=15'
    check-deb)
[ $# -eq 0 ] || checks=("$@")
# A test that needs a missing program fails instead of being skipped.
export SESSIONMIRROR_NO_SKIPS=1
logs=.build/release-check
mkdir -p "$logs"

Scripts/packages.sh build fleet scenarios cluster bench service package root || exit
failed=0
for check in "${checks[@]}"; do
    began=$SECONDS
    read -ra words <<<"$check"
    log=$logs/${words[0]}.log
    if make "${words[@]}" >"$log" 2>&1; then
        result=passed
    else
        result="FAILED, see $log"
        failed=1
    fi
    printf '%-26s %5d s  %s\n' "$check" $((SECONDS - began)) "$result"
done
printf '%-26s %5d s\n' together "$SECONDS"
exit "$failed"

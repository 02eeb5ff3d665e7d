#!/usr/bin/env bash
# Shows that the torture tests of sessions find data races: introduces two into a copy of the sources, one at a time,
# and runs the tests there under the thread sanitizer. Exits with 0 if each is reported, and nothing without them.
#
# usage: prove.sh [--lines], which checks only that the lines to replace are there
set -euo pipefail
cd "$(dirname "$0")/../.."
swift=${SWIFT:-swift}
lines_only=${1-}

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
tar --create --exclude=.build Package.swift Sources Examples Tests | tar --extract --directory "$copy"
cd "$copy"
# A run that a report stops leaves temporary files, which are removed with the copy.
mkdir temporary
export TMPDIR=$copy/temporary
# The other tests are not built.
export SESSIONMIRROR_TARGETS=SessionMirrorTests

torture() {
    "$swift" build --product SessionMirrorPackageTests "${options[@]}" >log 2>&1 || { tail -20 log >&2; exit 2; }
    status=0
    TSAN_OPTIONS="${TSAN_OPTIONS:-} halt_on_error=$1" SWIFT_BACKTRACE=enable=no \
        timeout 600 "$swift" test --skip-build "${options[@]}" --filter 'SessionMirrorTests.*Torture' >log 2>&1 || status=$?
}
# Debug builds find the same races and take a third of the time to build.
options=(--sanitize thread -Xcc -DTSAN_BUILD)

# plant FILE GOOD BAD [CODE]: replaces GOOD by BAD in a file, appends CODE, and expects a report of the tests.
plant() {
    local file=Sources/SessionMirror/$1 good=$2 bad=$3 text
    text=$(<"$file")
    if [[ $text != *"$good"* ]]; then
        echo "The line to replace is no longer in $file; choose another one in prove.sh." >&2
        exit 2
    fi
    [ -z "$lines_only" ] || return 0
    printf '%s\n%s\n' "${text/"$good"/"$bad"}" "${4-}" >"$file"
    echo "Race introduced into $file: $bad"
    torture 1
    if [ "$status" -eq 0 ] || ! grep --quiet '^WARNING: ThreadSanitizer: ' log; then
        echo "The race was NOT reported (the tests ended with $status):" >&2
        tail -20 log >&2
        exit 1
    fi
    grep --max-count=1 '^SUMMARY: ' log | sed 's/.*ThreadSanitizer: /Reported: /'
    printf '%s\n' "$text" >"$file"
}

if [ -z "$lines_only" ]; then
    torture 0
    if [ "$status" -ne 0 ] || grep --quiet 'ThreadSanitizer' log; then
        echo "There is a report WITHOUT an introduced race:" >&2
        tail -40 log >&2
        exit 1
    fi
    echo "The unchanged sources cause no report."
fi

# Publishes without acquire and release ordering, which has no visible effect on this processor.
plant Snapshots/SnapshotCell.swift \
    'pointer.exchange(next, ordering: .acquiringAndReleasing)' 'pointer.exchange(next, ordering: .relaxed)'

# Counters that several threads change without a lock.
plant Sync/FileSynchronizer.swift 'measurements = Lock(Measurements())' \
    'measurements = Unlocked(Measurements())' \
    'final class Unlocked<Value>: @unchecked Sendable {
    private var value: Value
    init(_ value: Value) { self.value = value }
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result { body(&value) }
}'

[ -n "$lines_only" ] || echo "Both races were reported, and nothing else."

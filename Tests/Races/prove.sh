#!/usr/bin/env bash
# Shows that the torture of sessions finds races: plants two in a copy of the sources, one after the other, and runs the
# torture there under the thread sanitizer. Exits with 0 when each was reported and nothing is reported without them.
set -euo pipefail
cd "$(dirname "$0")/../.."

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
tar --create --exclude=.build Package.swift Sources Examples Tests | tar --extract --directory "$copy"
cd "$copy"
# What a torture leaves behind that a report has stopped goes with the copy.
mkdir temporary
export TMPDIR=$copy/temporary
# No other tests are needed.
cat >>Package.swift <<'END'
package.targets.removeAll { $0.isTest && $0.name != "SessionMirrorTests" }
END

torture() {
    swift build --product SessionMirrorPackageTests "${options[@]}" >log 2>&1 || { tail -20 log >&2; exit 2; }
    status=0
    TSAN_OPTIONS="${TSAN_OPTIONS:-} halt_on_error=$1" SWIFT_BACKTRACE=enable=no \
        timeout 600 swift test --skip-build "${options[@]}" --filter 'SessionMirrorTests.*Torture' >log 2>&1 || status=$?
}
# Not optimised: that finds the same, and is built in a third of the time.
options=(--sanitize thread -Xcc -DTSAN_BUILD)

# Spoils a line of a file, and lets the torture find it. What else is given goes to the end of the file.
plant() {
    local file=Sources/SessionMirror/$1 good=$2 bad=$3 text
    text=$(<"$file")
    if [[ $text != *"$good"* ]]; then
        echo "The line to spoil is no longer in $file; choose another one in prove.sh." >&2
        exit 2
    fi
    printf '%s\n%s\n' "${text/"$good"/"$bad"}" "${4-}" >"$file"
    echo "Planted in $file: $bad"
    torture 1
    if [ "$status" -eq 0 ] || ! grep --quiet '^WARNING: ThreadSanitizer: ' log; then
        echo "The planted race was NOT reported (the torture ended with $status):" >&2
        tail -20 log >&2
        exit 1
    fi
    grep --max-count=1 '^SUMMARY: ' log | sed 's/.*ThreadSanitizer: /Reported: /'
    printf '%s\n' "$text" >"$file"
}

torture 0
if [ "$status" -ne 0 ] || grep --quiet 'ThreadSanitizer' log; then
    echo "Something is reported WITHOUT a planted race:" >&2
    tail -40 log >&2
    exit 1
fi
echo "Nothing is reported of the sources as they are."

# A publisher that does not order what it wrote before what it shows, which no test on this processor could notice.
plant Publishing/Published.swift \
    'pointer.exchange(next, ordering: .acquiringAndReleasing)' 'pointer.exchange(next, ordering: .relaxed)'

# Counters that several threads touch, without their lock.
plant Mirroring/Mirroring.swift 'timing = Lock(Timing())' 'timing = Unlocked(Timing())' \
    'final class Unlocked<Value>: @unchecked Sendable {
    private var value: Value
    init(_ value: Value) { self.value = value }
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result { body(&value) }
}'

echo "Both planted races were reported, and nothing else."

#!/usr/bin/env bash
# Shows that counts.sh finds what becomes more expensive: introduces one cost at a time into a copy of the sources, and
# expects the check there to name the case, the cost and both numbers. Exits with 0 if each is found, and nothing without
# them.
#
# usage: prove-counts.sh [--lines], which checks only that the lines to replace are there
set -euo pipefail
cd "$(dirname "$0")/.."
lines_only=${1-}

copy=$PWD/.build/prove-counts
if [ -z "$lines_only" ]; then
    mkdir -p "$copy"
    # Keeps the products of the last proof.
    find "$copy" -name .build -prune -o -type f -exec rm {} +
    tar --create --exclude=.build Package.swift Sources Examples Tests Benchmarks | tar --extract --directory "$copy"
    # Otherwise the build does not see that a source is gone.
    find "$copy" -name Package.swift -not -path '*/.build/*' -exec touch {} +
    cd "$copy"
fi

# plant WHAT FILE GOOD BAD MESSAGE [CODE]: replaces GOOD by BAD in a file, appends CODE, and expects a line of the check that
# matches MESSAGE.
plant() {
    local what=$1 file=$2 good=$3 bad=$4 message=$5 text
    text=$(<"$file")
    if [[ $text != *"$good"* ]]; then
        echo "The line to replace is no longer in $file; choose another one in prove-counts.sh." >&2
        exit 2
    fi
    [ -z "$lines_only" ] || return 0
    printf '%s\n%s\n' "${text/"$good"/"$bad"}" "${6-}" >"$file"
    if Benchmarks/counts.sh check >log 2>&1; then
        echo "Not found: $what" >&2
        exit 1
    fi
    if ! grep --max-count=1 --extended-regexp "$message" log; then
        echo "The check failed without a line like '$message', with $what:" >&2
        tail -20 log >&2
        exit 1
    fi
    echo "Found: $what"
    printf '%s\n' "$text" >"$file"
}

if [ -z "$lines_only" ] && ! Benchmarks/counts.sh check >log 2>&1; then
    echo "The check fails WITHOUT an introduced cost:" >&2
    tail -20 log >&2
    exit 1
fi

# Released after the read section, or the compiler would remove both.
plant 'a reference count in each read' Sources/SessionMirror/Snapshots/SnapshotCell.swift \
    'let object = beginReading()
        defer {
            clinux_sanitizer_release(object)
            rcu_end_reading()' \
    'let object = beginReading()
        let held = Unmanaged<AnyObject>.fromOpaque(object).retain()
        defer {
            clinux_sanitizer_release(object)
            rcu_end_reading()
            held.release()' \
    '^read/session\.port: 1 retains; the table has 0'

# On a busy machine, one of several counts of a case may have one allocation less, which hides one more in that case.
plant 'one more allocation in a reload' Sources/SessionMirror/Sync/FileLoader.swift \
    'let text = storage.text' \
    'let text = storage.text
        let waste = UnsafeMutableRawPointer.allocate(byteCount: text.withStoredBytes(\.count), alignment: 8)
        deallocate(waste)' \
    '^reload/[^:]+: [0-9]+ allocations; the table has [0-9]+, exactly' \
    '@inline(never) private func deallocate(_ waste: UnsafeMutableRawPointer) { waste.deallocate() }'

plant 'one more write in a save' Sources/DurableFiles/System/Kernel+Writing.swift \
    'try errnoResult(pwrite(' \
    '_ = pwrite(descriptor, bytes.baseAddress, bytes.count, offset)
        return try errnoResult(pwrite(' \
    '^save/1 KB: 2 calls of pwrite64; the table has 1, exactly'

[ -n "$lines_only" ] || echo "All three were found, and nothing without them."

#!/usr/bin/env bash
# Shows that the fuzzer finds mistakes: plants one at a time in a copy of the library and fuzzes the copy for two minutes
# at most. Exits with 0 when there is a finding each time, and when the library without the mistake has nothing to fear
# from it.
set -euo pipefail
cd "$(dirname "$0")/../.."

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
tar --create --exclude=.build Package.swift Sources Examples Tests | tar --extract --directory "$copy"
log=$copy/log

# prove TARGET FILE GOOD BAD: with BAD in the place of GOOD in a file of the library there is a finding, and only then.
prove() {
    local target=$1 file=$copy/Sources/LosslessJSON/$2 good=$3 bad=$4 text status=0 finding
    text=$(<"$file")
    if [[ $text != *"$good"* ]]; then
        echo "The line to spoil is no longer in $2; choose another one in prove.sh." >&2
        exit 2
    fi
    printf '%s\n' "${text/"$good"/"$bad"}" >"$file"
    echo "Planted in $2: $bad"

    cd "$copy/Tests/Fuzz"
    rm -rf .build/findings
    ./run.sh 120 "$target" >"$log" 2>&1 || status=$?
    grep -E 'Fatal error|^#[0-9]+.*(NEW|REDUCE)' "$log" | tail -2 || true
    finding=$(find .build/findings -type f | head -1)
    if [ "$status" -ne 1 ] || [ -z "$finding" ]; then
        echo "The planted mistake was NOT found (run.sh ended with $status):" >&2
        tail -20 "$log" >&2
        exit 1
    fi
    echo "Found by this input:"
    od -A d -t x1z "$finding" | head -40

    printf '%s\n' "$text" >"$file"
    swift build -c release --sanitize=fuzzer --product "$target" >"$log" 2>&1
    if ! SWIFT_BACKTRACE=enable=no timeout 60 ".build/release/$target" "$finding" >"$log" 2>&1; then
        echo "The library WITHOUT the planted mistake fails too:" >&2
        tail -20 "$log" >&2
        exit 1
    fi
}

# UTF-8 encoded surrogates are taken for text.
prove ParserFuzz Parsing/Scanner+Tokens.swift 'bytes & 0x200F != 0, bytes & 0x200F != 0x200D {' 'bytes & 0x200F != 0 {'
# A comma stays behind when the last of several items goes.
prove EditFuzz Editing/Spots/Spot.swift 'if hasItemBefore, commas.count > removedCount {' 'if hasItemBefore, commas.count >= removedCount {'
echo "The planted mistakes were found, and nothing else."

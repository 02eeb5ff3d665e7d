#!/usr/bin/env bash
# Checks that the fuzzers find bugs: plants one at a time in a copy of the library and fuzzes the copy for at most two
# minutes. Exits with 0 if there is a finding for each bug, and if the library without the bug handles the input of the
# finding.
#
# usage: prove.sh [--lines], which checks only that the lines to replace are there
set -euo pipefail
cd "$(dirname "$0")/../.."
swift=${SWIFT:-swift}
lines_only=${1-}

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
tar --create --exclude=.build Package.swift Sources Examples Tests | tar --extract --directory "$copy"
log=$copy/log

# prove TARGET FILE GOOD BAD: checks that there is a finding if BAD replaces GOOD in a file of the library, and only then.
prove() {
    local target=$1 file=$copy/Sources/$2 good=$3 bad=$4 text status=0 finding
    text=$(<"$file")
    if [[ $text != *"$good"* ]]; then
        echo "The line to replace is no longer in $2. Choose another one in prove.sh." >&2
        exit 2
    fi
    [ -z "$lines_only" ] || return 0
    printf '%s\n' "${text/"$good"/"$bad"}" >"$file"
    echo "Planted in $2: $bad"

    cd "$copy/Tests/Fuzz"
    rm -rf .build/findings
    ./run.sh 120 "$target" >"$log" 2>&1 || status=$?
    grep -E 'Fatal error|^#[0-9]+.*(NEW|REDUCE)' "$log" | tail -2 || true
    finding=$(find .build/findings -type f | head -1)
    if [ "$status" -ne 1 ] || [ -z "$finding" ]; then
        echo "The planted bug was NOT found (run.sh exited with $status):" >&2
        tail -20 "$log" >&2
        exit 1
    fi
    echo "Found with this input:"
    od -A d -t x1z "$finding" | head -40

    printf '%s\n' "$text" >"$file"
    "$swift" build -c release --sanitize=fuzzer -Xswiftc -enable-testing --product "$target" >"$log" 2>&1
    if ! SWIFT_BACKTRACE=enable=no timeout 60 ".build/release/$target" "$finding" >"$log" 2>&1; then
        echo "The library WITHOUT the planted bug fails, too:" >&2
        tail -20 "$log" >&2
        exit 1
    fi
}

# Accepts surrogates that are encoded in UTF-8.
prove ParserFuzz LosslessJSON/Parsing/Scanner+Tokens.swift 'bytes & 0x200F != 0, bytes & 0x200F != 0x200D {' 'bytes & 0x200F != 0 {'
# Leaves a comma behind when the last of several items is removed.
prove EditFuzz LosslessJSON/Editing/Sites/EditSite.swift 'if hasItemBefore, commas.count > removedCount {' 'if hasItemBefore, commas.count >= removedCount {'
# Keeps the places where walks over a text begin as they were before an edit.
prove ReparseFuzz LosslessJSON/Reparsing/PositionMarks.swift 'mark.offset += growths[next]' 'mark.offset += 0'
# Replaces the items of several places from the first one on, so that those that come or go move the later places.
prove ReparseFuzz LosslessJSON/Reparsing/SubtreeSharing+Items.swift 'for other in others.reversed() {' 'for other in others {'
# Prints the message of a problem without escaping it.
prove MessageFuzz SessionMirror/Status/SessionProblem.swift 'let message = message.visible(upTo: 1_500)' 'let message = message'
# Prints the path of a conflict without escaping it.
# shellcheck disable=SC2016 # interpolation in Swift
prove MessageFuzz LosslessJSON/Merging/JSONMerge.swift 'path.inMessage' 'path.dotted'
[ -n "$lines_only" ] || echo "All planted bugs were found, and nothing else."

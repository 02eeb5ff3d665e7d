#!/usr/bin/env bash
# Shows that the fuzzer finds a mistake: plants one in a copy of the parser, which then takes UTF-8 encoded
# surrogates for text, and fuzzes the copy for two minutes at most. Exits with 0 when there is a finding, and when the
# parser without the mistake has nothing to fear from it.
set -euo pipefail
cd "$(dirname "$0")/../.."

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
tar --create --exclude=.build Package.swift Sources Examples Tests | tar --extract --directory "$copy"

file=$copy/Sources/LosslessJSON/Parsing/Scanner+Tokens.swift
good='bytes & 0x200F != 0, bytes & 0x200F != 0x200D {'
bad='bytes & 0x200F != 0 {'
text=$(<"$file")
if [[ $text != *"$good"* ]]; then
    echo "The line to spoil is no longer in ${file#"$copy/"}; choose another one in prove.sh." >&2
    exit 2
fi
printf '%s\n' "${text/"$good"/"$bad"}" >"$file"
echo "Planted in ${file#"$copy/"}: $bad"

log=$copy/log
cd "$copy/Tests/Fuzz"
status=0
./run.sh 120 >"$log" 2>&1 || status=$?
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
swift build -c release --sanitize=fuzzer --product ParserFuzz >"$log" 2>&1
if ! SWIFT_BACKTRACE=enable=no timeout 60 .build/release/ParserFuzz "$finding" >"$log" 2>&1; then
    echo "The parser WITHOUT the planted mistake fails too:" >&2
    tail -20 "$log" >&2
    exit 1
fi
echo "The planted mistake was found, and nothing else."

#!/usr/bin/env bash
# Builds the programs of this package and runs each in an empty directory; each fails if the library does not do what its
# documentation says. Then compiles what the compiler must reject, with the message in its first line.
#
# usage: programs.sh
set -euo pipefail
cd "$(dirname "$0")"
swift=${SWIFT:-swift}
scratch=../../.build/newcomer/programs
"$swift" build --scratch-path "$scratch"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
binaries=$(cd "$scratch/debug" && pwd)
for program in Service TwoWriters Preferences Concurrency UserTests CommandLineTool; do
    mkdir "$work/$program"
    if ! timeout 60 "$binaries/$program" "$work/$program" >"$work/output" 2>&1; then
        cat "$work/output"
        echo "newcomer: $program failed" >&2
        exit 1
    fi
    echo "$program: passed"
done

modules=(-I "$scratch/debug/Modules")
for directory in ../../Sources/C* ../../Sources/C*/include; do modules+=(-I "$directory"); done
for source in Rejected/*.swift; do
    message=$(sed -n '1s,^// error: ,,p' "$source")
    if "${swift}c" -typecheck -swift-version 6 "${modules[@]}" "$source" >"$work/output" 2>&1; then
        echo "newcomer: the compiler accepts $source" >&2
        exit 1
    fi
    grep -qF "$message" "$work/output" || { cat "$work/output"; echo "newcomer: no such message for $source" >&2; exit 1; }
    echo "$source: rejected with \"$message\""
done

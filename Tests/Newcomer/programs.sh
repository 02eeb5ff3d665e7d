#!/usr/bin/env bash
# Builds the programs of this package and runs each in an empty directory; each fails if the library does not do what its
# documentation says. Then compiles what the compiler must reject, with the message in its first line, and what it must accept
# without a warning where declarations belong to the main actor.
#
# usage: programs.sh [--build], which only builds them
set -euo pipefail
cd "$(dirname "$0")"
swift=${SWIFT:-swift}
scratch=../../.build/newcomer/programs
# A program has the code of its page as it stands there: the new code of ComingFrom, and all of StandardFolders, of
# ObjectStore and of the two pages of FleetSession but the first line.
python3 - ../../Sources <<'END'
import re, sys
pages = {
    "StoredValues/StoredValues.docc/ComingFrom.md": ("ComingFrom", r"^Now\b[^\n]*\n\n```swift\n(.*?)```"),
    "StandardFolders/StandardFolders.docc/StandardFolders.md":
        ("Folders", r"```swift\n(?:import StandardFolders\n\n)?(.*?)```"),
    "ObjectStore/ObjectStore.docc/ObjectStore.md": ("Objects", r"```swift\n(?:import ObjectStore\n\n)?(.*?)```"),
    "FleetSession/FleetSession.docc/FleetSession.md": ("Fleets", r"```swift\n(?:import FleetSession\n\n)?(.*?)```"),
    "FleetSession/FleetSession.docc/FromOneMachineToMany.md": ("Fleets", r"```swift\n(.*?)```"),
}
for path, (name, pattern) in pages.items():
    page = open(f"{sys.argv[1]}/{path}", encoding="utf-8").read()
    program = open(f"Sources/{name}/main.swift", encoding="utf-8").read()
    samples = re.findall(pattern, page, re.DOTALL | re.MULTILINE)
    missing = [sample for sample in samples if sample not in program]
    if len(samples) < 2 or missing:
        sys.exit(f"newcomer: {name} lacks samples of {path}:\n" + "\n".join(missing))
END
../../Scripts/packages.sh fleet
"$swift" build --scratch-path "$scratch"
[ "${1-}" != --build ] || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
binaries=$(cd "$scratch/debug" && pwd)
for program in Service TwoWriters Preferences Concurrency UserTests CommandLineTool Secrets ComingFrom Folders Objects Fleets; do
    mkdir "$work/$program"
    if ! HOME=$work/$program timeout 60 "$binaries/$program" "$work/$program" >"$work/output" 2>&1; then
        cat "$work/output"
        echo "newcomer: $program failed" >&2
        exit 1
    fi
    echo "$program: passed"
done

modules=(-I "$scratch/debug/Modules")
for directory in ../../Sources/C* ../../Sources/C*/include; do modules+=(-I "$directory"); done
check() { "${swift}c" -typecheck -swift-version 6 "${modules[@]}" "$@" >"$work/output" 2>&1; }
if ! check -default-isolation MainActor -warnings-as-errors MainActor/main.swift; then
    cat "$work/output"
    echo "newcomer: the compiler rejects MainActor" >&2
    exit 1
fi
for source in Rejected/*.swift; do
    message=$(sed -n '1s,^// error: ,,p' "$source")
    if check "$source"; then
        echo "newcomer: the compiler accepts $source" >&2
        exit 1
    fi
    grep -qF "$message" "$work/output" || { cat "$work/output"; echo "newcomer: no such message for $source" >&2; exit 1; }
    echo "$source: rejected with \"$message\""
done

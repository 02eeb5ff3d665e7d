#!/usr/bin/env bash
# Does what README tells a newcomer to do: a package of their own beside this one, with README's manifest and README's
# program, built, run, and its file edited. Fails if it prints anything else than README says.
#
# usage: run.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
place=$root/.build/newcomer
swift=${SWIFT:-swift}

mkdir -p "$place/Service/Sources/Service"
ln -sfn "$root" "$place/SessionMirror"

# block NAME: the block of README whose first line is the comment `// NAME`, without that line.
block() {
    awk -v first="// $1" '
        inside && /^```$/ { exit }
        inside { print; found = 1 }
        previous == "```swift" && $0 == first { inside = 1 }
        { previous = $0 }
        END { exit !found }' "$root/README.md" ||
        { echo "README.md has no block $1" >&2; exit 1; }
}
keep() { cmp -s - "$1" <<<"$2" || printf '%s\n' "$2" >"$1"; }
keep "$place/Service/Package.swift" "$(block Package.swift)"
keep "$place/Service/Sources/Service/main.swift" "$(block Sources/Service/main.swift)"
# Of a package beside it the build remembers the files of last time, and does without those that have moved since.
"$swift" build --package-path "$place/Service" || {
    rm -rf "$place/Service/.build"
    "$swift" build --package-path "$place/Service"
}

work=$(mktemp -d)
mkfifo "$work/output"
service=
finish() {
    [ -z "$service" ] || kill "$service" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM
cd "$work"
stdbuf -oL "$place/Service/.build/debug/Service" >"$work/output" 2>&1 &
service=$!
exec 3<"$work/output"

# expect LINE: the next line that the service prints, within twenty seconds.
expect() {
    local line
    IFS= read -r -t 20 line <&3 || { echo "newcomer: nothing came, where README says: $1" >&2; exit 1; }
    echo "$line"
    [ "$line" = "$1" ] || { echo "newcomer: README says: $1" >&2; exit 1; }
}
# What README shows below the command is what must come.
mapfile -t promised < <(awk '/^\$ swift run Service$/ { inside = 1; next } inside && /^```$/ { exit } inside' "$root/README.md")
[ "${#promised[@]}" -eq 7 ] || { echo "newcomer: README promises ${#promised[@]} lines, not 7" >&2; exit 1; }

expect "${promised[0]}"
echo '{ "port": 9090 }' >server.json
expect "${promised[1]}"
printf '{\n  "port": "eighty"\n}\n' >server.json
expect "${promised[2]}"
expect "${promised[3]}"
expect "${promised[4]}"
sed -i 's/"eighty"/80/' server.json
# The callback and the loop are two subscribers: which of them is first is not promised.
IFS= read -r -t 20 one <&3 && IFS= read -r -t 20 two <&3
printf '%s\n' "$one" "$two"
[ "$(printf '%s\n' "$one" "$two" | sort)" = "$(printf '%s\n' "${promised[5]}" "${promised[6]}" | sort)" ] ||
    { echo "newcomer: README says: ${promised[5]} and ${promised[6]}" >&2; exit 1; }
echo "README's program does what README says."

#!/usr/bin/env bash
# Follows the instructions of README: creates a package that depends on this one, with the manifest and the program of
# README, builds and runs it, and edits its file. Fails if the program prints anything other than README shows.
#
# usage: run.sh [--build], which only builds it
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
place=$root/.build/newcomer
swift=${SWIFT:-swift}

mkdir -p "$place/Service/Sources/Service"
ln -sfn "$root" "$place/SessionMirror"

# block NAME: prints the code block of README whose first line is the comment `// NAME`, without that line.
block() {
    awk -v first="// $1" '
        inside && /^```$/ { exit }
        inside { print; found = 1 }
        previous == "```swift" && $0 == first { inside = 1 }
        { previous = $0 }
        END { exit !found }' "$root/README.md" ||
        { echo "README.md has no code block that begins with // $1" >&2; exit 1; }
}
keep() { cmp -s - "$1" <<<"$2" || printf '%s\n' "$2" >"$1"; }
keep "$place/Service/Package.swift" "$(block Package.swift)"
keep "$place/Service/Sources/Service/main.swift" "$(block Sources/Service/main.swift)"
# The build caches the list of files of a local dependency, and fails if files have moved since the last run.
"$swift" build --package-path "$place/Service" || {
    rm -rf "$place/Service/.build"
    "$swift" build --package-path "$place/Service"
}
[ "${1-}" != --build ] || exit 0

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

# expect LINE: checks the next line that the service prints, within twenty seconds.
expect() {
    local line
    IFS= read -r -t 20 line <&3 || { echo "newcomer: no output, but README shows: $1" >&2; exit 1; }
    echo "$line"
    [ "$line" = "$1" ] || { echo "newcomer: README shows: $1" >&2; exit 1; }
}
# The expected lines are those that README shows below the command.
mapfile -t shown < <(awk '/^\$ swift run Service$/ { inside = 1; next } inside && /^```$/ { exit } inside' "$root/README.md")
[ "${#shown[@]}" -eq 7 ] || { echo "newcomer: README shows an unexpected number of lines: ${#shown[@]}" >&2; exit 1; }

expect "${shown[0]}"
echo '{ "port": 9090 }' >server.json
expect "${shown[1]}"
printf '{\n  "port": "eighty"\n}\n' >server.json
expect "${shown[2]}"
expect "${shown[3]}"
expect "${shown[4]}"
sed -i 's/"eighty"/80/' server.json
# The callback and the sequence are two subscribers, whose order is not guaranteed.
IFS= read -r -t 20 one <&3 && IFS= read -r -t 20 two <&3
printf '%s\n' "$one" "$two"
[ "$(printf '%s\n' "$one" "$two" | sort)" = "$(printf '%s\n' "${shown[5]}" "${shown[6]}" | sort)" ] ||
    { echo "newcomer: README shows: ${shown[5]} and ${shown[6]}" >&2; exit 1; }
kill -TERM "$service"
wait "$service" || { echo "newcomer: the service does not end well on SIGTERM: $?" >&2; exit 1; }
service=
echo "The program of README prints what README shows, and ends on SIGTERM."

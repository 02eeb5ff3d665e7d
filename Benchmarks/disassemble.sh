#!/bin/sh
# Prints the machine code of a loop over session.port in a program that uses the library, and of one over
# session.read { $0.port }. Fails if a loop retains or releases, allocates or evaluates a key path.
#
# The machine code is the same on every machine, so that CI can check it, unlike times.
set -eu
cd "$(dirname "$0")"
swift=${SWIFT:-swift}

"$swift" build -c release --product PortLoop >&2
program=$("$swift" build -c release --show-bin-path)/PortLoop
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

nm "$program" | awk '$3 ~ /PortLoop.*sumOf(Ports|Reads)/ { print $3 }' >"$folder/functions"
# Fails if a loop is missing, for example because the linker merged identical functions.
for loop in sumOfPorts sumOfReads; do
    grep --quiet "$loop" "$folder/functions" || {
        echo "disassemble.sh: there is no function $loop in PortLoop" >&2
        exit 1
    }
done
while read -r function; do
    objdump --disassemble="$function" --no-show-raw-insn --no-addresses "$program" | sed -n '/^<.*>:$/,/^$/p'
done <"$folder/functions" >"$folder/code"
"$swift" demangle --compact <"$folder/code"

grep --quiet urcu_bp_gp "$folder/code" || {
    echo "disassemble.sh: no loop enters a read section: not the expected code" >&2
    exit 1
}
# The only allowed calls register a thread on its first read, and decode a value after an update of another type.
if grep --extended-regexp 'call|jmp +\*|@plt' "$folder/code" |
    grep --invert-match --extended-regexp 'urcu_bp_register|beginReadingOutdated' >"$folder/calls"; then
    echo "disassemble.sh: reading a plain value calls" >&2
    "$swift" demangle --compact <"$folder/calls" >&2
    exit 1
fi
echo "No reference counting, no allocation, no key path evaluation."

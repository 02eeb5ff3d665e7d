#!/bin/sh
# Counts the instructions, allocations and system calls of the hot paths, and compares them with the table in Baseline:
#
#     counts.sh check            fails for a case that costs something else
#     counts.sh accept REASON    writes the table
#     counts.sh print [NAME]…    prints the counts as JSON
#     counts.sh build            only builds the program that is counted
set -eu
cd "$(dirname "$0")"
swift=${SWIFT:-swift}

"$swift" build -c release --product CountedCases >&2
program=$("$swift" build -c release --show-bin-path)/CountedCases
command=${1-}
[ "$command" != build ] || exit 0
[ $# -eq 0 ] || shift
exec /usr/bin/python3 counts.py "$command" "$program" "$@"

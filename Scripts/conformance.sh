#!/usr/bin/env bash
# Runs `sessionctl check --strict` on each file of a directory: y_* must be accepted, n_* must be rejected, i_* may be
# either but must get an answer.
#
# usage: conformance.sh SESSIONCTL DIRECTORY
set -euo pipefail

[ $# -eq 2 ] || { echo "usage: conformance.sh SESSIONCTL DIRECTORY" >&2; exit 2; }
sessionctl=$1
suite=$2
[ -d "$suite" ] || { echo "conformance: '$suite' is not a directory" >&2; exit 2; }
shopt -s nullglob globstar

declare -A count=([y]=0 [n]=0 [i]=0)
wrong=0
for file in "$suite"/**/[yni]_*.json; do
    kind=$(basename "$file")
    kind=${kind%%_*}
    answer=0
    timeout 60 "$sessionctl" check --strict "$file" >/dev/null 2>&1 || answer=$?
    case $kind$answer in
    y0 | n1 | i0 | i1) ;;
    *)
        echo "conformance: $file: exit code $answer"
        wrong=$((wrong + 1))
        ;;
    esac
    count[$kind]=$((count[$kind] + 1))
done

total=$((count[y] + count[n] + count[i]))
[ $total -gt 0 ] || { echo "conformance: '$suite' contains no files y_*, n_* or i_*" >&2; exit 2; }
echo "conformance: ${count[y]} to accept, ${count[n]} to reject, ${count[i]} to answer: $wrong wrong answers"
[ $wrong -eq 0 ]

#!/bin/sh
# Counts the instructions of what one benchmark times, and says which functions they are in:
#
#     profile.sh parse/mixed/1MB/ours
#
# Counts hardly differ between runs, whatever else the machine does. Needs valgrind.
set -eu
cd "$(dirname "$0")"
if [ $# -ne 1 ]; then
    echo "usage: profile.sh TITLE/CONTENDER" >&2
    exit 2
fi

swift build -c release >&2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

# Debian's valgrind cannot read the compiler's debugging information; the names of functions are not part of it.
strip --strip-debug -o "$folder/benchmarks" "$(swift build -c release --show-bin-path)/LosslessJSONBenchmarks"

# So short a minimum time is over after one iteration, at least of what takes longer than a microsecond.
valgrind --quiet --tool=callgrind --collect-atstart=no --callgrind-out-file="$folder/counts" \
    "$folder/benchmarks" --benchmark_filter="^$1\$" --benchmark_min_time=0.000001 >"$folder/output" 2>&1 || {
    cat "$folder/output" >&2
    exit 1
}
callgrind_annotate "$folder/counts" | swift demangle --compact | sed -e "s, \[$folder/benchmarks\],," -e 's, \[/.*/, [,'

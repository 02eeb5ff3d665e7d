#!/bin/sh
# Counts the instructions of the timed code of one benchmark, by function:
#
#     profile.sh parse/mixed/1MB/ours
#
# Counts hardly vary between runs. Needs valgrind.
set -eu
cd "$(dirname "$0")"
swift=${SWIFT:-swift}
if [ $# -ne 1 ]; then
    echo "usage: profile.sh TITLE/IMPLEMENTATION" >&2
    exit 2
fi

"$swift" build -c release >&2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

# Debian's valgrind cannot read the compiler's debug information. Function names are not part of it.
strip --strip-debug -o "$folder/benchmarks" "$("$swift" build -c release --show-bin-path)/LosslessJSONBenchmarks"

# With this minimum time, a benchmark of more than a microsecond runs one iteration.
valgrind --quiet --tool=callgrind --collect-atstart=no --callgrind-out-file="$folder/counts" \
    "$folder/benchmarks" --benchmark_filter="^$1\$" --benchmark_min_time=0.000001 >"$folder/output" 2>&1 || {
    cat "$folder/output" >&2
    exit 1
}
callgrind_annotate "$folder/counts" | "$swift" demangle --compact | sed -e "s, \[$folder/benchmarks\],," -e 's, \[/.*/, [,'

#!/bin/sh
# Measures two revisions alternately in one run and prints the ratio of each case.
#
#     compare.sh REVISION [ROUNDS]     this checkout against REVISION; 5 rounds
#
# Each round runs every program once for each side; the side that runs first alternates. Exits with an error when a
# program fails, not when a case is slower: read the ratios together with the spread of REVISION against itself.
set -eu
cd "$(dirname "$0")"
swift=${SWIFT:-swift}

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo "usage: compare.sh REVISION [ROUNDS]" >&2
    exit 2
fi
revision=$(git rev-parse --verify --short "$1^{commit}")
rounds=${2-5}

here=$PWD
there=$(realpath -m "../.build/compare/$revision")
if [ ! -d "$there" ]; then
    mkdir -p "$there"
    git -C .. archive "$revision" | tar -x -C "$there"
fi

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
trap 'exit 130' INT TERM

# build PACKAGE: prints the directory with the programs
build() {
    "$swift" build -c release --package-path "$1" >&2
    "$swift" build -c release --package-path "$1/.." --product WatchProbe >&2
    "$swift" build -c release --package-path "$1" --show-bin-path
}

new=$(build "$here")
old=$(build "$there/Benchmarks")
new_probe=$("$swift" build -c release --package-path "$here/.." --show-bin-path)/WatchProbe
old_probe=$("$swift" build -c release --package-path "$there" --show-bin-path)/WatchProbe

# measure SIDE ROUND PROGRAMS PROBE
measure() {
    "$3/ReadBenchmarks" --benchmark_repetitions=3 --benchmark_min_time=0.02 \
        --benchmark_enable_random_interleaving=true --benchmark_out="$results/$1-$2-read.json" \
        --benchmark_out_format=json >"$results/output" 2>&1
    "$3/LosslessJSONBenchmarks" --benchmark_filter='-/(1KB|100KB|10MB)/' --benchmark_repetitions=2 \
        --benchmark_min_time=0.02 --benchmark_enable_random_interleaving=true \
        --benchmark_out="$results/$1-$2-json.json" --benchmark_out_format=json >"$results/output" 2>&1
    "$3/LatencyBenchmarks" "$4" --short >"$results/$1-$2-latency.json"
    "$3/SaveBenchmarks" --short >"$results/$1-$2-save.json"
    "$3/ReplaceBenchmarks" --short >"$results/$1-$2-replace.json"
}

round=1
while [ "$round" -le "$rounds" ]; do
    echo "round $round of $rounds" >&2
    if [ $((round % 2)) -eq 1 ]; then
        measure old "$round" "$old" "$old_probe"
        measure new "$round" "$new" "$new_probe"
    else
        measure new "$round" "$new" "$new_probe"
        measure old "$round" "$old" "$old_probe"
    fi
    round=$((round + 1))
done

python3 compare.py "$revision" "$results"

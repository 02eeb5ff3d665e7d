#!/bin/sh
# Builds the benchmarks, runs them and prints the table.
#
#     run.sh           everything, some 15 minutes, builds included; appends the cases to the history
#     run.sh --short   one size of each document and fewer repetitions, about a minute when built
#
# The results are kept in .build/benchmarks/results, or short, and replace those of the last such run.
# Fails if a program fails, not if a target is missed.
set -eu
cd "$(dirname "$0")"
swift=${SWIFT:-swift}
python=/usr/bin/python3  # for which Debian's packages are installed

began=$(date +%s)
kept=../.build/benchmarks/results
rounds=3 repetitions=4 minimum=0.05 filter=.
documents='*' length=
case "${1-}" in
--short)
    rounds=2 repetitions=3 minimum=0.02
    filter='-/(1KB|100KB|10MB)/'
    documents='*-1MB.json' length=--short
    kept=../.build/benchmarks/short
    ;;
'') ;;
*)
    echo "usage: run.sh [--short]" >&2
    exit 2
    ;;
esac

"$swift" build -c release >&2
programs=$("$swift" build -c release --show-bin-path)
# Programs of the main package: WatchProbe watches with a chosen backend; sessionctl is measured as it is installed, and
# its start with the libraries of the toolchain, too. A build compiles one large module at a time, so two take less time
# side by side.
SESSIONMIRROR_FLEET=0 ../Scripts/install.sh build >&2 &
for product in WatchProbe sessionctl; do "$swift" build -c release --package-path .. --product "$product" >&2; done
wait $!
main_programs=$("$swift" build -c release --package-path .. --show-bin-path)
sessionctl=$(realpath ../.build/installable/release/sessionctl)

results=$kept.new work=$(mktemp -d)
trap 'rm -rf "$results" "$work"' EXIT
trap 'exit 130' INT TERM
rm -rf "$results"
mkdir -p "$results"
# shellcheck disable=SC2086  # one word or none
"$python" machine.py $length >"$results/run.json"

# Hides messages of Google Benchmark, such as the warning that its library was built without optimization.
run() {
    "$@" 2>"$work/messages" || {
        cat "$work/messages" >&2
        echo "run.sh: $1 failed" >&2
        exit 1
    }
}

node=$(command -v node || command -v nodejs || true)
if [ -n "$node" ]; then
    run "$programs/LosslessJSONBenchmarks" --write-documents "$work/all"
    mkdir "$work/documents"
    # shellcheck disable=SC2086  # a pattern
    (cd "$work/all" && mv $documents ../documents)
else
    echo "skipped: node's JSON.parse, because node is not installed (apt-get install nodejs)" >&2
    [ -z "${SESSIONMIRROR_NO_SKIPS-}" ] || exit 1
fi

inotifywait=$(command -v inotifywait || true)
if [ -z "$inotifywait" ]; then
    echo "skipped: inotifywait, because it is not installed (apt-get install inotify-tools)" >&2
    [ -z "${SESSIONMIRROR_NO_SKIPS-}" ] || exit 1
fi

# Skipped also under SESSIONMIRROR_NO_SKIPS: it is downloaded, and PyPI may be out of reach.
watchfiles=$(cd .. && pwd)/.build/benchmarks/venv/bin/python
if ! "$watchfiles" -c 'import watchfiles' 2>/dev/null; then
    mkdir -p ../.build/benchmarks
    if ! { /usr/bin/python3 -m venv ../.build/benchmarks/venv &&
        "$watchfiles" -m pip --quiet --disable-pip-version-check install watchfiles==1.3.0; } >&2; then
        echo "skipped: watchfiles, because it could not be installed from PyPI (apt-get install python3-venv)" >&2
        watchfiles=
    fi
fi

# Runs in rounds, so that a slow phase of the machine does not affect only one implementation.
round=1
while [ "$round" -le "$rounds" ]; do
    echo "round $round of $rounds" >&2
    for program in LosslessJSONBenchmarks ReadBenchmarks; do
        run "$programs/$program" --benchmark_filter="$filter" --benchmark_repetitions="$repetitions" \
            --benchmark_min_time="$minimum" --benchmark_enable_random_interleaving=true \
            --benchmark_out="$results/round-$round-$program.json" --benchmark_out_format=json >"$work/output"
    done
    if [ -n "$node" ]; then
        run "$node" node.mjs "$work/documents" "$repetitions" "$minimum" >"$results/round-$round-node.json"
    fi
    round=$((round + 1))
done

echo "edits" >&2
# shellcheck disable=SC2086  # one word or none
run "$programs/LatencyBenchmarks" "$main_programs/WatchProbe" $length >"$results/round-edits.json"

echo "storms" >&2
# shellcheck disable=SC2086  # one word or none
run "$programs/LatencyBenchmarks" storm $length >"$results/round-storms.json"

echo "replacing" >&2
# shellcheck disable=SC2086  # one word or none
run "$programs/ReplaceBenchmarks" $length >"$results/round-replacing.json"

echo "saving" >&2
# shellcheck disable=SC2086  # one word or none
run "$programs/SaveBenchmarks" $length >"$results/round-saving.json"

echo "objects" >&2
# shellcheck disable=SC2086  # one word or none
run "$programs/ObjectBenchmarks" $length >"$results/round-objects.json"

echo "growth" >&2
# shellcheck disable=SC2086  # one word or none
run "$programs/ScaleBenchmarks" $length >"$results/round-growth.json"

echo "commands" >&2
strip -o "$work/sessionctl" "$main_programs/sessionctl"
# shellcheck disable=SC2086  # one word or none
run "$programs/LatencyBenchmarks" lines "$sessionctl" ${inotifywait:+"--inotifywait=$inotifywait"} \
    ${watchfiles:+"--watchfiles=$watchfiles"} $length >"$results/round-lines.json"
# shellcheck disable=SC2086  # one word or none
run "$python" commands.py "$sessionctl" "$work/sessionctl" $length >"$results/round-commands.json"

rm -rf "$kept"
mv "$results" "$kept"
"$python" report.py "$kept"/round-*.json
[ -n "$length" ] || "$python" history.py "$kept"
echo
# shellcheck disable=SC2086  # one word or none
"$python" view.py "$sessionctl" $length
"$python" machine.py --seconds $(($(date +%s) - began)) "$kept/run.json"

#!/usr/bin/env bash
# Builds the tests and runs them, and repeats at the end which failed and why.
#
# usage: test.sh [--filter REGEX | --build] [OPTION OF SWIFT BUILD]…
#
# With --build they are only built.
#
# Without a filter the tests run in several processes at once: the test runner uses as many threads as there are
# processors, and most tests wait for programs or files. Those of FileWatching count the watches of their process. Those of
# etcd clusters block a thread while members start, elect or end, so one of them runs at a time: the client, and the
# session of a fleet, need threads to meet their time limits.
set -euo pipefail
# Gives each process of tests a process group of its own, so that all of it can be ended.
set -m

# Regular expressions of the tests of each process; one more process runs the tests that match none of them.
groups=(
    '^SessionMirrorTests\.[^S-Z]'
    '^SessionMirrorTests\.[S-Z]'
    '^DurableFilesTests\.[^Q-Z]'
    '^DurableFilesTests\.[Q-Z]'
    '^(LosslessJSON|Cost)Tests\.'
    '^FileWatchingTests\.'
    '^SessionctlTests\.'
)
serial_groups=(
    '^(EtcdClient|EtcdTestSupport)Tests\.'
    '^FleetSessionTests\.'
)
only_build=
if [ "${1-}" = --build ]; then
    only_build=yes
    shift
elif [ "${1-}" = --filter ]; then
    groups=("$2")
    serial_groups=()
    shift 2
else
    rest=()
    for group in "${groups[@]}" "${serial_groups[@]}"; do rest+=(--skip "$group"); done
fi
swift=${SWIFT:-swift}

# Tests of one module are built without the libraries of the others.
case "${SESSIONMIRROR_TARGETS:-all}" in
all | *Etcd* | *Fleet* | *Sessionctl*) Scripts/packages.sh fleet ;;
esac
"$swift" build --build-tests "$@"
[ -z "$only_build" ] || exit 0
tests=$("$swift" build "$@" --show-bin-path)/SessionMirrorPackageTests.xctest

logs=$(mktemp -d)
processes=()
# shellcheck disable=SC2317 # called by the trap
finish() {
    for process in "${processes[@]}"; do kill -- "-$process" 2>/dev/null || true; done
    rm -rf "$logs"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

# start OPTION…: starts one process with these tests.
start() {
    local log=$logs/${#processes[@]}
    "$tests" --testing-library swift-testing "$@" >"$log" 2>&1 &
    processes+=($!)
}

began=$SECONDS
for group in "${groups[@]}"; do start --filter "$group"; done
for group in "${serial_groups[@]}"; do start --no-parallel --filter "$group"; done
[ -z "${rest+set}" ] || start "${rest[@]}"
echo "Running the tests in ${#processes[@]} processes; their output follows."
failed=0
for index in "${!processes[@]}"; do
    status=0
    wait "${processes[index]}" || status=$?
    cat "$logs/$index"
    case $status in
    0) ;;
    # No test matches, which happens to a group when only some tests are built.
    69) [ -n "${rest+set}" ] || failed=1 ;;
    *)
        echo "A process of tests ended with exit status $status."
        failed=1
        ;;
    esac
done
processes=()

echo
grep --no-filename --text -E '^(✔|✘|━) Test run|played, .* skipped' "$logs"/* || true
echo "=== tests of ${*:-the default build}: $((SECONDS - began)) s"
[ "$failed" -eq 0 ] && exit 0

echo "=== failures"
# Tests provoke many messages: only the last ones, in case a program stopped with one of them.
cat "$logs"/* | grep --text -E '(error|ERROR|WARNING|[Ff]atal error): ' | tail -n 20 || true
# A failed test prints lines with a cross and, below them, details with an arrow; a sanitizer prints a summary.
cat "$logs"/* | awk '
    /^↳/ { if (wanted) print; next }
    { wanted = /^✘/ && !/recorded a known issue/ }
    wanted || /^SUMMARY: /' | tail -n 100
exit 1

#!/usr/bin/env bash
# Fuzzes the parser, edits of texts, next versions of texts, or messages that quote texts, for a number of seconds:
#   run.sh SECONDS [ParserFuzz|EditFuzz|ReparseFuzz|MessageFuzz]
# Shows the output of libFuzzer: executions and coverage ("cov" counts code locations, "ft" counts features).
# Exits with 1 on a finding, and keeps its input in .build/findings. CONFIGURATION=debug builds faster and fuzzes slower.
set -euo pipefail
cd "$(dirname "$0")"
swift=${SWIFT:-swift}

configuration=${CONFIGURATION:-release}
seconds=${1:?"usage: run.sh SECONDS [ParserFuzz|EditFuzz|MessageFuzz]"}
target=${2:-ParserFuzz}
findings=$PWD/.build/findings
# One for each fuzzer: replaying the inputs of a fast one takes a slow one longer than the time it has.
corpus=.build/corpus/$target
mkdir -p "$corpus" "$findings"

# Testing is enabled because messages are created by internal code.
"$swift" build -c "$configuration" --sanitize=fuzzer -Xswiftc -enable-testing --product "$target"

# Without SWIFT_BACKTRACE a crash starts a backtrace program that never ends under libFuzzer. The outer limit ends a
# fuzzer that hangs; replaying the corpus comes before the seconds of fuzzing.
status=0
SWIFT_BACKTRACE=enable=no timeout --kill-after=10 "$((seconds + 300))" \
    ".build/$configuration/$target" -max_total_time="$seconds" -timeout=20 -max_len=4096 -len_control=20 -dict=json.dict \
    -print_final_stats=1 -artifact_prefix="$findings/" "$corpus" Corpus || status=$?

if [ "$status" -ne 0 ]; then
    echo "FINDING (exit status $status). Inputs in $findings:" >&2
    ls -lt "$findings" >&2
    echo "Reproduce one with: (cd $PWD && swift run -Xswiftc -enable-testing CorpusReplay $findings/NAME)" >&2
    exit 1
fi
echo "No finding in $seconds seconds."

#!/usr/bin/env bash
# Fuzzes for a number of seconds, the parser or the edits of texts: run.sh SECONDS [ParserFuzz|EditFuzz]
# What libFuzzer prints comes through: executions, coverage ("cov" counts places in the code, "ft" combinations).
# Exits with 1 on a finding; the input that made it is kept in .build/findings.
set -euo pipefail
cd "$(dirname "$0")"

seconds=${1:?"usage: run.sh SECONDS [ParserFuzz|EditFuzz]"}
target=${2:-ParserFuzz}
findings=$PWD/.build/findings
mkdir -p .build/corpus "$findings"

swift build -c release --sanitize=fuzzer --product "$target"

# A crash would otherwise start a backtrace program that never ends under libFuzzer. The outer limit is for a fuzzer
# that no longer answers.
status=0
SWIFT_BACKTRACE=enable=no timeout --kill-after=10 "$((seconds + 120))" \
    ".build/release/$target" -max_total_time="$seconds" -timeout=20 -max_len=4096 -len_control=20 -dict=json.dict \
    -print_final_stats=1 -artifact_prefix="$findings/" .build/corpus Corpus || status=$?

if [ "$status" -ne 0 ]; then
    echo "FINDING (exit status $status). Inputs in $findings:" >&2
    ls -lt "$findings" >&2
    echo "Look at one with: (cd $PWD && swift run CorpusReplay $findings/NAME)" >&2
    exit 1
fi
echo "No finding in $seconds seconds."

#!/usr/bin/env bash
# Shows that compare.py says "no difference" for a revision and itself, ten times, and finds slowdowns that are planted
# in a copy of it: parsing by about 10 %, by time; and reading by a few instructions, by counts. Takes about an hour.
# The revision is HEAD, or BASE from the environment.
#
# usage: prove-compare.sh [--planted | --lines]
#   --planted  only the slowdowns, some ten minutes
#   --lines    only checks that the lines to replace are there
set -euo pipefail
cd "$(dirname "$0")/.."
lines_only='' planted_only=''
case "${1-}" in
--lines) lines_only=yes ;;
--planted) planted_only=yes ;;
'') ;;
*) sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2 ;;
esac
revision=${BASE:-HEAD}

parses='parse/mixed/(100KB|1MB)'
others='edit/one value/100KB|decode/typical root/value|encode/typical root/value'
# A ratio that differs from 1 by at least so much.
three_percent='(0\.([0-8][0-9]|9[0-6])[0-9]|1\.(0[3-9]|[1-9][0-9])[0-9]|[2-9]\.[0-9]+)'
copy=$PWD/.build/compare/proof
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
trap 'exit 130' INT TERM

# compare OPTION…: prints the output and keeps it.
compare() {
    /usr/bin/python3 Benchmarks/compare.py "$revision" --now "$copy" "$@" \
        >"$results/table" 2>"$results/messages" || { tail -20 "$results/messages" >&2; exit 2; }
    cat "$results/table"
}

# expect PATTERN WHAT: fails if no line of the table matches.
expect() {
    grep --quiet --extended-regexp "$1" "$results/table" || { echo "compare.py did not say: $2" >&2; exit 1; }
}

# expect_none PATTERN WHAT: fails if a line of the table matches.
expect_none() {
    if grep --extended-regexp "$1" "$results/table" >&2; then
        echo "compare.py said that without a reason: $2" >&2
        exit 1
    fi
}

# plant FILE GOOD BAD: replaces GOOD by BAD in a file of the copy.
plant() {
    local text
    text=$(git show "$revision:$1")
    if [[ $text != *"$2"* ]]; then
        echo "The line to replace is no longer in $1; choose another one in prove-compare.sh." >&2
        exit 2
    fi
    [ -z "$lines_only" ] || return 0
    printf '%s\n' "${text/"$2"/"$3"}" >"$copy/$1"
    echo "Planted in $1: $3"
}

# Restores a file of the copy.
restore() { [ -n "$lines_only" ] || git show "$revision:$1" >"$copy/$1"; }

proves_counts=
if git cat-file -e "$revision:Benchmarks/counts.py" 2>/dev/null; then proves_counts=yes; fi

if [ -z "$lines_only" ]; then
    mkdir -p "$copy"
    # Keeps the products of the last proof.
    find "$copy" -name .build -prune -o -type f -exec rm {} +
    git archive "$revision" | tar --extract --directory "$copy"
fi
if [ -z "$lines_only$planted_only" ]; then
    for number in {1..10}; do
        echo "$revision and itself, $number of 10"
        compare --only times
        expect ': 0 faster, 0 slower, ' 'no difference'
    done
    if [ -n "$proves_counts" ]; then
        compare --only counts
        expect ': no difference$' 'no difference'
    fi
fi

# Parses the first ninth of a text twice, 9 to 11 % more instructions. Creates no JSONSyntaxError at its end, which
# would search for the location.
parsing=Sources/LosslessJSON/Parsing/JSONDocument.swift
good='        try self.init(scanning: source(), options)'
plant $parsing "$good" \
    "        let part = Source.scannable(UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 9)))
        var builder = TreeBuilder(part)
        _ = try? Scanner(part, options).run(&builder)
        builder.dispose()
$good"
if [ -z "$lines_only" ]; then
    # In the usual 10 rounds, a busy machine hides a tenth.
    compare --only times --rounds 30 --cases "^($parses|$others)/ours\$"
    for case in parse/mixed/100KB parse/mixed/1MB; do
        expect "^$case/ours .* slower " "$case is slower"
    done
    # With other code in the program, all of it lies elsewhere in memory, and may take a percent or two more or less; a
    # read or a lookup of some nanoseconds even more, so that they are not compared here.
    expect_none "^($others)/.*  $three_percent  .* (slower|faster) " 'slower or faster by more than 3 %'
    expect_none "^($parses)/.* faster " 'faster'
fi
restore $parsing

# Enters and leaves a second read section.
reading=Sources/SessionMirror/Snapshots/SnapshotCell.swift
good='        return _fastPath(!object.isMarked)'
plant $reading "$good" "        rcu_begin_reading()
        rcu_end_reading()
$good"
if [ -z "$lines_only" ] && [ -n "$proves_counts" ]; then
    compare --only counts
    expect '^read.* slower by instructions$' 'reading is slower by instructions'
fi
restore $reading

[ -n "$lines_only" ] && exit 0
[ -n "$planted_only" ] || echo "No difference between a revision and itself."
echo "Planted slowdowns were found."
[ -n "$proves_counts" ] || echo "Reading was not proved, because $revision has no Benchmarks/counts.py."

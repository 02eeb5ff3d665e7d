#!/usr/bin/env python3
"""Measures two revisions alternately and says for each case whether they differ. README.md explains the table.

    compare.py BASE [--rounds N] [--cases REGEX] [--now CHECKOUT] [--only times|counts] [--json FILE] [--strict]

`make bench-compare` runs it. Exits with 2 if something cannot run, and with --strict with 1 if something is slower or a
count is higher.
"""

import argparse
import json
import pathlib
import re
import signal
import sys
import tempfile

from comparison import counted, sides
from comparison.measurement import measure
from comparison.output import missing, report
from comparison.programs import DEFAULT_CASES, MeasurementError
from comparison.selection import Selection, cases, select
from comparison.sides import Side
from comparison.verdicts import Comparison, minimum_rounds


def data(base: Side, now: Side, comparisons: list[Comparison], counts: counted.Counts | None) -> dict:
    return {
        "base": base.label,
        "now": now.label,
        "cases": [
            {
                "name": case.name,
                "base": list(case.base),
                "now": list(case.now),
                "ratio": case.ratio,
                "interval": case.interval,
                "p": case.p,
                "correctedP": case.corrected_p,
                "verdict": case.verdict,
                "smallestVisible": case.smallest_visible,
                "again": {"base": list(case.again.base), "now": list(case.again.now)} if case.again else None,
            }
            for case in comparisons
        ],
        "counts": [count._asdict() | {"verdict": count.verdict} for count in counts.different] if counts else None,
    }


def check(selection: Selection, rounds: int) -> None:
    """Rejects a measurement that cannot find anything."""
    count = sum(map(len, selection.cases.values()))
    if count == 0:
        lines = missing(selection.only_base, "only in base") + missing(selection.only_now, "only in now")
        raise MeasurementError("\n".join(["no case that both sides have matches CASES", *lines]))
    if rounds < (needed := minimum_rounds(count)):
        raise MeasurementError(
            f"{rounds} rounds cannot show a difference in {count} cases: give ROUNDS={needed} or more, or fewer CASES"
        )


def times(base: Side, now: Side, pattern: re.Pattern[str], rounds: int) -> tuple[Selection, list[Comparison]]:
    selection = select(pattern, cases(base, pattern), cases(now, pattern))
    check(selection, rounds)
    comparisons = measure(selection, base, now, rounds)
    different = {case.name: case for case in comparisons if case.first_verdict != "no difference"}
    if different:
        print(f"measuring again: {', '.join(different)}", file=sys.stderr)
        for again in measure(selection.only(set(different)), base, now, rounds):
            different[again.name].again = again
    return selection, comparisons


def counts(base: Side, now: Side, is_required: bool) -> counted.Counts | None:
    if counted.has_counts(base, now):
        return counted.count(base, now)
    if is_required:
        raise MeasurementError("one of the sides has no Benchmarks/counts.py")
    return None


def compare(options: argparse.Namespace) -> int:
    pattern = re.compile(options.cases)
    if options.json and not options.json.absolute().parent.is_dir():
        raise MeasurementError(f"{options.json} cannot be written: its directory is missing")
    commit = sides.revision(options.base)
    selection, comparisons, counted_cases = Selection({}, [], []), [], None
    with tempfile.TemporaryDirectory(dir=sides.directory(), prefix="run-") as folder:
        base = Side(commit, sides.checkout(commit), pathlib.Path(folder, "a"))
        checkout = options.now.resolve()
        now = Side(sides.description(checkout), checkout, pathlib.Path(folder, "b"))
        print(f"base: {base.label}, now: {now.label}", file=sys.stderr)
        if options.only != "counts":
            selection, comparisons = times(base, now, pattern, options.rounds)
        if options.only != "times":
            counted_cases = counts(base, now, is_required=options.only == "counts")
    print(report(selection, comparisons, counted_cases))
    if options.json:
        text = json.dumps(data(base, now, comparisons, counted_cases), indent=1)
        options.json.write_text(text + "\n", encoding="utf-8")
    is_worse = any(case.verdict == "slower" for case in comparisons) or bool(counted_cases and counted_cases.higher)
    return 1 if options.strict and is_worse else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measures two revisions alternately.")
    parser.add_argument("base", metavar="BASE", help="the revision to compare with")
    parser.add_argument("--rounds", type=int, default=10, help="processes for each program and side (10)")
    parser.add_argument("--cases", default=DEFAULT_CASES, metavar="REGEX", help="in TITLE/IMPLEMENTATION (hot paths)")
    parser.add_argument("--now", type=pathlib.Path, default=sides.ROOT, metavar="CHECKOUT", help="the other side")
    parser.add_argument("--only", choices=["times", "counts"], help="compares only these")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="keeps all times")
    parser.add_argument("--strict", action="store_true", help="exits with 1 if something is slower or a count is higher")
    return parser.parse_args()


def main() -> None:
    # Removes the copies of the programs.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(compare(arguments()))
    except MeasurementError as error:
        print(f"compare.py: {error}", file=sys.stderr)
        sys.exit(2)
    except re.error as error:
        print(f"compare.py: CASES is no regular expression: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()

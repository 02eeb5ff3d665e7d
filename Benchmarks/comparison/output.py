"""Prints the result of a comparison as tables."""

import collections
import math
import statistics

from .counted import Counts
from .selection import Selection
from .verdicts import Comparison

VERDICTS = ("faster", "slower", "no difference")


def duration(nanoseconds: float) -> str:
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.4g} {unit}"
    return f"{nanoseconds:.4g} ns"


def percent(ratio: float) -> str:
    return f"{100 * (ratio - 1):.1f} %" if math.isfinite(ratio) else "none"


def table(head: list[str], rows: list[list[str]]) -> str:
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    lines = [head, ["─" * width for width in widths], *rows]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:]))])
        for line in lines
    )


def times_table(comparisons: list[Comparison]) -> str:
    rows = []
    for case in comparisons:
        low, high = case.interval
        base, now = (duration(statistics.median(times)) for times in (case.base, case.now))
        visible = percent(case.smallest_visible)
        rows.append([case.name, base, now, f"{case.ratio:.3f}", f"{low:.3f}–{high:.3f}", case.verdict, visible])
    return table(["case", "base", "now", "ratio", "interval", "verdict", "smallest visible"], rows)


def counts_table(counts: Counts) -> str:
    rows = []
    for count in counts.different:
        ratio = f"{count.now / count.base:.3f}" if count.base else ""
        rows.append([count.case, f"{count.base:,.0f}", f"{count.now:,.0f}", ratio, count.verdict])
    return table(["case", "base", "now", "ratio", "verdict"], rows)


def missing(names: list[str], what: str) -> list[str]:
    return [f"{what}: {', '.join(names)}"] if names else []


def summary(comparisons: list[Comparison], counts: Counts | None) -> str:
    """The line with the number of each verdict."""
    parts = []
    if comparisons:
        found = collections.Counter(comparison.verdict for comparison in comparisons)
        parts.append(f"{len(comparisons)} cases: " + ", ".join(f"{found[verdict]} {verdict}" for verdict in VERDICTS))
    if counts:
        found = collections.Counter(count.verdict for count in counts.different)
        text = ", ".join(f"{number} {verdict}" for verdict, number in found.items()) or "no difference"
        parts.append(f"counts of {counts.cases} cases: {text}")
    return "; ".join(parts)


def report(selection: Selection, comparisons: list[Comparison], counts: Counts | None) -> str:
    parts = []
    only_base, only_now = selection.only_base, selection.only_now
    if comparisons:
        parts.append(times_table(comparisons))
    if counts:
        only_base, only_now = only_base + counts.only_base, only_now + counts.only_now
        if counts.different:
            parts.append(counts_table(counts))
    measured = {comparison.name for comparison in comparisons}
    unmeasured = [case for cases in selection.cases.values() for case in cases if case not in measured]
    lines = [
        *missing(only_base, "only in base"),
        *missing(only_now, "only in now"),
        *missing(unmeasured, "selected, but not measured"),
        *missing([case.name for case in comparisons if case.verdict != case.first_verdict], "different, but not again"),
        summary(comparisons, counts),
    ]
    return "\n\n".join([*parts, "\n".join(lines)])

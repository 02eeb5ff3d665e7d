"""The tables of a run, for the terminal and for the report."""

from results import OURS, duration, ratio
from targets import all_targets

CASE_HEAD = ["case", "time", "MB/s", "its time ÷ ours", "allocations", "memory"]
TARGET_HEAD = ["target", "measured", "limit", "met"]


def case_cells(title, implementation, result, ours):
    input_bytes = ours.counters.get("inputBytes")
    counters = result.counters
    memory = ""
    if counters.get("resultBytes"):
        memory = ratio(result.memory) if "inputBytes" in counters else f"{counters['resultBytes']:,.0f} B"
    return [
        title if implementation == OURS else "  " + implementation,
        duration(result.time),
        f"{input_bytes * 1e3 / result.time:,.0f}" if input_bytes else "",
        ratio(result.time / ours.time) if implementation != OURS else "",
        f"{counters['allocations']:,.0f}" if "allocations" in counters else "",
        memory,
    ]


def case_rows(results):
    return [
        case_cells(title, implementation, result, implementations[OURS])
        for title, implementations in results.cases()
        for implementation, result in implementations.items()
    ]


def target_rows(results):
    return [target.cells for target in all_targets(results)]


def print_table(head, rows):
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, ["─" * width for width in widths], *rows]:
        print("  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]))

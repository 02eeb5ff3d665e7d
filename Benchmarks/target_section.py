"""What the report says about targets: first those that are missed."""

from markup import Paragraph, Table
from reasons import paragraphs
from table import TARGET_HEAD
from targets import all_targets

DIRECTION = (
    "`A ÷ B` is the time of A divided by that of B. Against another implementation, it is always the time of that one"
    " divided by ours, as in the table of all cases: higher is better."
)
ELSEWHERE = (
    "Tests check what is counted and not timed: that a million updates are a handful of writes (`BurstTests`), that no"
    " thread of an idle service wakes up (`IdleTests`), and the system calls of a save (`SystemCallTests`);"
    " `Baseline/counts.json` has the instructions and allocations of the hot paths."
)
LIMITS = (
    "Limits that say more than one number: memory is at most 2× the text of typical documents (`mixed`), and 3.2× that of"
    " texts of nothing but short strings, numbers or keys. An update after a rest takes at most 0.8 of what it took in the"
    " beginning, 92 to 103 µs, and 50 to 58 in memory (2026-11). Allocations per scalar are those of containers and of large"
    " pages."
)


def missed(results):
    """The table, and why: each reason with its targets."""
    found = [target for target in all_targets(results) if target.is_met is False]
    if not found:
        return [Paragraph("None is missed.")]
    reasons = paragraphs("Missed", ((target.what, target.note) for target in found))
    return [Paragraph(DIRECTION), Table(TARGET_HEAD, [target.cells for target in found]), *reasons]


def others(results):
    table = Table(TARGET_HEAD, [target.cells for target in all_targets(results) if target.is_met is not False])
    return [table, Paragraph(LIMITS), Paragraph(ELSEWHERE)]


def sentence(results):
    met = [target.is_met for target in all_targets(results)]
    return (
        f"Of {len(met)} targets, {met.count(True)} are met, {met.count(False)} missed, {met.count(None)} not measured."
    )

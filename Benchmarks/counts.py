#!/usr/bin/env python3
"""Counts what the hot paths cost, and compares it with the table Baseline/counts.json.

    counts.py check PROGRAM              fails if a case costs something else than the table says
    counts.py accept PROGRAM REASON      writes the table, with the reason for what has changed in it
    counts.py print PROGRAM [NAME]…      prints the counts as JSON, of all cases or of those whose names begin with NAME

PROGRAM is CountedCases. Counts do not depend on how fast or how busy the machine is, so that every change can be checked
against the table. They do depend on the compiler and the processor's architecture, which the table names.
"""

import collections
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import time

import counting

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Baseline", "counts.json")
MEASURES = (counting.allocations, counting.instructions, counting.system_calls)
# These make no system calls.
WITHOUT_SYSTEM_CALLS = ("read/", "parse/", "reparse/", "edit/", "encode/", "decode/")

# By how much a cost may differ from the table; other costs are exact.
TOLERANCES = {"instructions": 0.02, "retains": 0.02, "releases": 0.02}
# Tables of types have addresses as keys, so that another build has other collisions.
CODING, TOLERANCE_OF_CODING = ("encode/", "decode/"), 0.05

# Several threads take part in these, and who wakes whom differs from process to process. They are counted again while they
# cost more than the table says, and in a check also while they cost less; but a system call that is missing is told.
SHARED, TOLERANCE_OF_SHARED = ("update after a rest/", "save/", "reload/"), 0.05
ATTEMPTS = 20

# Of the gates that each change passes. A longer count is told, and fails nothing: machines differ.
LONGEST = 180

# A queue that another thread empties from time to time grows now and then during such a loop, so that only whole
# allocations for each repetition count.
LOOPS = "update/"


class Table:
    """The costs of all cases, the environment in which they were counted, and the reasons for their changes."""

    def __init__(self, document):
        self.environment = document.get("environment", {})
        self.reasons = document.get("reasons", [])
        self.cases = document.get("cases", {})

    @staticmethod
    def read():
        if not os.path.exists(TABLE):
            return Table({})
        with open(TABLE, encoding="utf-8") as file:
            return Table(json.load(file))

    def write(self):
        document = {"environment": self.environment, "reasons": self.reasons, "cases": self.cases}
        os.makedirs(os.path.dirname(TABLE), exist_ok=True)
        with open(TABLE, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1, ensure_ascii=False)
            file.write("\n")


def environment():
    version = subprocess.run(
        [os.environ.get("SWIFT", "swift"), "--version"], capture_output=True, text=True, check=True
    ).stdout
    return {"architecture": platform.machine(), "swift": version.split("Swift version ")[1].split()[0]}


def combine(samples, choose):
    """What `choose` returns of each cost over the samples of each case. A cost that a sample lacks is zero."""
    costs = {}
    for case, repetitions in samples.items():
        names = dict.fromkeys(name for repetition in repetitions for name in repetition)
        costs[case] = {name: choose([repetition.get(name, 0) for repetition in repetitions]) for name in names}
    return costs


def measure(program, names=(), measures=MEASURES):
    """The costs of each case."""
    costs = collections.defaultdict(dict)
    for count in measures:
        chosen = names or [""]
        if count is counting.system_calls and not names:
            chosen = ["update", "save/", "reload/"]
        # The least of the calls could hide that one is missing now and then.
        choose = statistics.median_low if count is counting.system_calls else min
        for case, values in combine(count(program, *filter(None, chosen)), choose).items():
            found = {name: value for name, value in values.items() if value or "calls" not in name}
            costs[case].update((name, rounded(case, name, value)) for name, value in found.items())
    return dict(costs)


def rounded(case, cost, value):
    return float(int(value)) if cost == "allocations" and case.startswith(LOOPS) else round(value, 2)


def tolerance(case, cost):
    if cost not in TOLERANCES:
        return 0
    if case.startswith(SHARED):
        return TOLERANCE_OF_SHARED
    return TOLERANCE_OF_CODING if case.startswith(CODING) else TOLERANCES[cost]


Difference = collections.namedtuple("Difference", "case cost expected measured")


def differences(cases, measured, part=1):
    """The costs that are not what the table says, within a part of what is allowed."""
    for case, expected in cases.items():
        for cost in sorted(expected.keys() | measured.get(case, {}).keys()):
            found = Difference(case, cost, expected.get(cost, 0), measured.get(case, {}).get(cost, 0))
            if not is_allowed(found, part):
                yield found


def is_allowed(found, part=1):
    allowed = tolerance(found.case, found.cost)
    # Who allocates what for a job of several threads varies a little, too: only more than the least is too much.
    if found.cost == "allocations" and found.case.startswith(SHARED) and found.measured < found.expected:
        allowed = TOLERANCE_OF_SHARED
    return abs(found.measured - found.expected) <= part * allowed * found.expected


def least(_case, _cost, values):
    return min(values)


def may_be_chance(found):
    """Whether the same program may cost something else in another process: also less, except for its system calls."""
    return found.measured > found.expected or measure_of(found.cost) is not counting.system_calls


def nearest_to(cases):
    def nearest(case, cost, values):
        return min(values, key=lambda value: abs(value - cases.get(case, {}).get(cost, 0)))

    return nearest


def merge(measured, again, measures=MEASURES, choose=least):
    """Keeps what `choose` returns of each cost that `measures` counted again. One that was not found again is zero."""
    for case, costs in again.items():
        for cost, value in measured[case].items():
            if measure_of(cost) in measures:
                measured[case][cost] = choose(case, cost, (value, costs.get(cost, 0)))


def measure_of(cost):
    """The function that counts it."""
    if cost == "allocations":
        return counting.allocations
    return counting.instructions if cost in TOLERANCES else counting.system_calls


def count_again(program, cases, measured, choose, is_wrong):
    """Counts shared cases again while `is_wrong` says so of a cost that differs from the table: another thread may have
    done other work meanwhile, or a part of the work."""
    for _ in range(ATTEMPTS):
        wrong = [found for found in differences(cases, measured) if may_vary(found, measured) and is_wrong(found)]
        if not wrong:
            return
        for measure_again in {measure_of(found.cost) for found in wrong}:
            names = sorted({found.case for found in wrong if measure_of(found.cost) is measure_again})
            merge(measured, measure(program, names, [measure_again]), [measure_again], choose)


def may_vary(difference, measured):
    return difference.case.startswith(SHARED) and difference.case in measured


def text(value):
    return f"{value:,.0f}" if value == int(value) or value >= 1_000 else f"{value:,.2f}"


def check(program):
    table = Table.read()
    if table.environment != (now := environment()):
        return [f"the table was counted with {table.environment}, this is {now}"]
    began = time.monotonic()
    measured = measure(program)
    count_again(program, table.cases, measured, nearest_to(table.cases), may_be_chance)
    seconds = time.monotonic() - began
    failures = [f"{case}: is no longer counted" for case in table.cases.keys() - measured.keys()]
    failures += [f"{case}: is not in the table" for case in measured.keys() - table.cases.keys()]
    for found in differences(table.cases, measured):
        if found.case not in measured:
            continue
        allowed = tolerance(found.case, found.cost)
        limit = f"± {allowed * 100:g} %" if allowed else "exactly"
        failures.append(
            f"{found.case}: {text(found.measured)} {found.cost}; the table has {text(found.expected)}, {limit}"
        )
    print(
        f"counts.py: {len(measured)} cases counted in {seconds:.0f} s, {len(failures)} differ from {os.path.relpath(TABLE)}"
    )
    if seconds > LONGEST:
        print(f"counts.py: warning: that is more than {LONGEST} s; count fewer cases or repetitions", file=sys.stderr)
    return failures


def accept(program, reason):
    table = Table.read()
    measured = measure(program)
    merge(measured, measure(program))
    count_again(program, table.cases, measured, least, lambda found: found.measured > found.expected)
    cases, changes = accepted(table.cases, measured)
    table.reasons.append({"date": datetime.date.today().isoformat(), "reason": reason, "changes": changes})
    table.environment, table.cases = environment(), cases
    table.write()


def accepted(before, measured):
    """The new table, and what has changed in it: the old and the new number, None for a case that is on one side only.

    What is within half of its tolerance stays as it is, so that the table does not follow small increases that are never
    listed. Beyond that, the next count might differ by more than the tolerance.
    """
    cases = {case: dict(costs) for case, costs in measured.items()}
    changed = {(found.case, found.cost) for found in differences(before, measured, part=0.5)}
    changes = {}
    for case in [*before, *(case for case in measured if case not in before)]:
        old, new = before.get(case), measured.get(case)
        for cost in sorted((old or {}).keys() | (new or {}).keys()):
            values = [None if costs is None else costs.get(cost, 0) for costs in (old, new)]
            if None in values or (case, cost) in changed:
                changes[f"{case}: {cost}"] = values
            elif cost in old:
                cases[case][cost] = old[cost]
            else:
                cases[case].pop(cost, None)
    return cases, changes


def main():
    usage = "usage: counts.py check PROGRAM | accept PROGRAM REASON | print PROGRAM [NAME]…"
    match sys.argv[1:]:
        case ["check", program]:
            if failures := check(program):
                sys.exit("\n".join([*failures, 'If this is meant: make bench-accept REASON="why it costs that"']))
        case ["accept", program, reason] if reason.strip():
            accept(program, reason.strip())
        case ["accept", *_]:
            sys.exit('counts.py: say why the costs change: make bench-accept REASON="…"')
        case ["print", program, *names]:
            json.dump({"cases": measure(program, names)}, sys.stdout, indent=1, ensure_ascii=False)
            print()
        case _:
            sys.exit(usage)


if __name__ == "__main__":
    try:
        main()
    except counting.CountingError as error:
        sys.exit(f"counts.py: {error}")

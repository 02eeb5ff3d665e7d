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
# The hash tables of many keys have random seeds.
LARGE, TOLERANCE_OF_LARGE = ("1000 structs", "10000 structs", "1000 structs in an array", "1000 unmarked structs"), 0.002
# A loop of updates of a large root rarely allocates what it keeps.
LOOPS, TOLERANCE_OF_LOOPS = "update/", 0.1

# Several threads take part in these, and who wakes whom differs from process to process. They are counted again while they
# cost more than the table says, and the least counts.
SHARED, TOLERANCE_OF_SHARED = ("update after a rest/", "save/", "reload/"), 0.05
ATTEMPTS = 10


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


def least(samples):
    """The least of each cost over the samples of each case. A cost that a sample lacks is zero."""
    costs = {}
    for case, repetitions in samples.items():
        names = dict.fromkeys(name for repetition in repetitions for name in repetition)
        costs[case] = {name: min(repetition.get(name, 0) for repetition in repetitions) for name in names}
    return costs


def measure(program, names=(), measures=MEASURES):
    """The costs of each case."""
    costs = collections.defaultdict(dict)
    for count in measures:
        chosen = names or [""]
        if count is counting.system_calls and not names:
            chosen = ["update", "save/", "reload/"]
        for case, values in least(count(program, *filter(None, chosen))).items():
            costs[case].update((name, round(value, 2)) for name, value in values.items() if value or "calls" not in name)
    return dict(costs)


def tolerance(case, cost):
    if cost in TOLERANCES:
        if case.startswith(SHARED):
            return TOLERANCE_OF_SHARED
        return TOLERANCE_OF_CODING if case.startswith(CODING) else TOLERANCES[cost]
    if cost == "allocations" and case.endswith(LARGE) and not case.startswith(SHARED):
        return TOLERANCE_OF_LOOPS if case.startswith(LOOPS) else TOLERANCE_OF_LARGE
    return 0


Difference = collections.namedtuple("Difference", "case cost expected measured")


def differences(cases, measured):
    """The costs that are not what the table says."""
    for case, expected in cases.items():
        for cost in sorted(expected.keys() | measured.get(case, {}).keys()):
            before, now = expected.get(cost, 0), measured.get(case, {}).get(cost, 0)
            if abs(now - before) > tolerance(case, cost) * before:
                yield Difference(case, cost, before, now)


def merge(measured, again, measures=MEASURES):
    """Keeps the least of each cost. One that `measures` did not find again is zero."""
    for case, costs in again.items():
        for cost, value in measured[case].items():
            if measure_of(cost) in measures:
                measured[case][cost] = min(value, costs.get(cost, 0))


def is_shared(difference):
    return difference.case.startswith(SHARED)


def measure_of(cost):
    """The function that counts it."""
    if cost == "allocations":
        return counting.allocations
    return counting.instructions if cost in TOLERANCES else counting.system_calls


def count_again(program, table, measured):
    """Counts shared cases again while they are above the table: another thread may have done other work meanwhile."""
    for _ in range(ATTEMPTS):
        above = [found for found in differences(table.cases, measured) if is_shared(found) and found.measured > found.expected]
        if not above:
            return
        for measure_again in {measure_of(found.cost) for found in above}:
            names = sorted({found.case for found in above if measure_of(found.cost) is measure_again})
            merge(measured, measure(program, names, [measure_again]), [measure_again])


def text(value):
    return f"{value:,.0f}" if value == int(value) or value >= 1_000 else f"{value:,.2f}"


def check(program):
    table = Table.read()
    if table.environment != (now := environment()):
        return [f"the table was counted with {table.environment}, this is {now}"]
    began = time.monotonic()
    measured = measure(program)
    count_again(program, table, measured)
    seconds = time.monotonic() - began
    failures = [f"{case}: is no longer counted" for case in table.cases.keys() - measured.keys()]
    failures += [f"{case}: is not in the table" for case in measured.keys() - table.cases.keys()]
    for found in differences(table.cases, measured):
        # Less than the least that was seen when the table was written is no reason to stop.
        if found.case not in measured or (is_shared(found) and found.measured < found.expected):
            continue
        allowed = tolerance(found.case, found.cost)
        limit = f"± {allowed * 100:g} %" if allowed else "exactly"
        failures.append(
            f"{found.case}: {text(found.measured)} {found.cost}; the table has {text(found.expected)}, {limit}"
        )
    print(
        f"counts.py: {len(measured)} cases counted in {seconds:.0f} s, {len(failures)} differ from {os.path.relpath(TABLE)}"
    )
    return failures


def accept(program, reason):
    table = Table.read()
    measured = measure(program)
    count_again(program, table, measured)
    changed = [found._asdict() for found in differences(table.cases, measured)]
    changes = {f"{found['case']}: {found['cost']}": [found["expected"], found["measured"]] for found in changed}
    table.reasons.append({"date": datetime.date.today().isoformat(), "reason": reason, "changes": changes})
    table.environment, table.cases = environment(), measured
    table.write()


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

"""Runs the programs of both sides in turn, and repeats rounds in which the machine was busy."""

import statistics
import sys
import typing

from .programs import Program
from .selection import Selection
from .sides import Side
from .verdicts import Comparison, judge

# The time of a process, against the shortest of its side, above which its round is repeated. While another program used
# the sibling of the processor, all cases of a process took 1.5 to 2 times as long.
DISTURBED = 1.2

# The times of one process by case.
Times = dict[str, float]


class Round(typing.NamedTuple):
    """One process of each side."""

    base: Times
    now: Times


def measure(selection: Selection, base: Side, now: Side, rounds: int) -> list[Comparison]:
    """Runs one process for each program, side and round. The side that begins alternates."""
    results: dict[Program, list[Round]] = {program: [] for program in selection.cases}
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        for program, cases in selection.cases.items():
            results[program].append(run(program, cases, base, now, number))
    for program, cases in selection.cases.items():
        repeat_disturbed(program, cases, base, now, results[program])
    comparisons = [case for program, cases in selection.cases.items() for case in compare(cases, results[program])]
    judge(comparisons)
    return comparisons


def run(program: Program, cases: list[str], base: Side, now: Side, number: int) -> Round:
    for side in (base, now):
        side.renew()
    if number % 2 == 0:
        times = program.times(base.folder, cases)
        return Round(times, program.times(now.folder, cases))
    times = program.times(now.folder, cases)
    return Round(program.times(base.folder, cases), times)


def repeat_disturbed(program: Program, cases: list[str], base: Side, now: Side, results: list[Round]) -> None:
    """Replaces rounds, at most as many as there are. Either side can be the reason, so that none has an advantage."""
    for number in range(len(results)):
        disturbances = [disturbance(round, results) for round in results]
        worst = max(range(len(results)), key=lambda index: disturbances[index])
        if disturbances[worst] <= DISTURBED:
            return
        print(f"{program.name}: repeating a round that took {disturbances[worst]:.2f} times as long", file=sys.stderr)
        results[worst] = run(program, cases, base, now, number)
    left = sum(disturbance(round, results) > DISTURBED for round in results)
    if left:
        print(f"{program.name}: the machine was busy in {left} of {len(results)} rounds", file=sys.stderr)


def disturbance(one: Round, results: list[Round]) -> float:
    """The time of the slower process against the shortest of its side, in the median over cases: a case that varies by
    itself is not a disturbance."""
    return max(slowness(times, side) for times, side in zip(one, zip(*results)))


def slowness(process: Times, side: tuple[Times, ...]) -> float:
    ratios = [time / min(times.get(case, time) for times in side) for case, time in process.items()]
    return statistics.median(ratios) if ratios else 1


def compare(cases: list[str], results: list[Round]) -> list[Comparison]:
    """Leaves out a case that one of the processes has not measured."""
    return [
        Comparison(case, [base[case] for base, _ in results], [now[case] for _, now in results])
        for case in cases
        if all(case in base and case in now for base, now in results)
    ]

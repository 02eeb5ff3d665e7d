"""Selects the cases to measure: those that both sides have."""

import re
import typing

from .programs import PROGRAMS, Program
from .sides import Side


class Selection(typing.NamedTuple):
    """The cases to measure, by program, and what only one side has."""

    cases: dict[Program, list[str]]
    only_base: list[str]
    only_now: list[str]

    def only(self, names: set[str]) -> "Selection":
        cases = {program: [case for case in cases if case in names] for program, cases in self.cases.items()}
        return self._replace(cases={program: cases for program, cases in cases.items() if cases})


def select(pattern: re.Pattern[str], base: dict[Program, list[str]], now: dict[Program, list[str]]) -> Selection:
    """Selects among the cases of both sides."""
    cases: dict[Program, list[str]] = {}
    only_base: list[str] = []
    only_now: list[str] = []
    for program in dict.fromkeys([*base, *now]):
        of_base, of_now = ([case for case in side.get(program, []) if pattern.search(case)] for side in (base, now))
        only_base += [case for case in of_base if case not in of_now]
        only_now += [case for case in of_now if case not in of_base]
        if both := [case for case in of_base if case in of_now]:
            cases[program] = both
    return Selection(cases, only_base, only_now)


def cases(side: Side, pattern: re.Pattern[str]) -> dict[Program, list[str]]:
    """Builds the programs of a side that may have a case."""
    programs = [
        program
        for program in PROGRAMS
        if side.has(program) and (not program.fixed_cases or any(map(pattern.search, program.fixed_cases)))
    ]
    side.build(programs)
    return {program: program.cases(side.folder) for program in programs}

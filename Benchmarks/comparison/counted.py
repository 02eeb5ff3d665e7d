"""Compares what counts.py of both sides prints: instructions and other counts, which hardly vary between runs."""

import json
import typing

from counts import SHARED, merge, tolerance

from .programs import MeasurementError
from .sides import Side, build, run

ATTEMPTS = 3


class Count(typing.NamedTuple):
    """A count of one case that differs between the sides."""

    case: str
    name: str
    base: float
    now: float

    @property
    def verdict(self) -> str:
        if self.name == "instructions":
            return f"{'slower' if self.now > self.base else 'faster'} by instructions"
        return f"{'more' if self.now > self.base else 'fewer'} {self.name}"


class Counts(typing.NamedTuple):
    """The counts of both sides."""

    cases: int
    different: list[Count]
    only_base: list[str]
    only_now: list[str]

    @property
    def higher(self) -> list[Count]:
        return [count for count in self.different if count.now > count.base]


def has_counts(*sides: Side) -> bool:
    """Whether each side has counts.py: older revisions have none."""
    return all((side.benchmarks / "counts.py").exists() for side in sides)


def count(base: Side, now: Side) -> Counts:
    """Each side counts with its own counts.py, which fits its programs. A shared case that differs is counted again on
    both sides: another thread may have done other work meanwhile."""
    both = counts(base), counts(now)
    for _ in range(ATTEMPTS):
        names = sorted({found.case for found in compare(*both).different if found.case.startswith(SHARED)})
        if not names:
            break
        for measured, side in zip(both, (base, now)):
            merge(measured, counts(side, names))
    return compare(*both)


def counts(side: Side, names: typing.Sequence[str] = ()) -> dict[str, dict[str, float]]:
    program = build(side.benchmarks, "CountedCases") / "CountedCases"
    text = run(["/usr/bin/python3", str(side.benchmarks / "counts.py"), "print", str(program), *names])
    try:
        return json.loads(text)["cases"]
    except (ValueError, KeyError) as error:
        raise MeasurementError(f"counts.py of {side.label} printed something else than counts: {error!r}") from error


def compare(base: dict[str, dict[str, float]], now: dict[str, dict[str, float]]) -> Counts:
    both = [case for case in base if case in now]
    different = [
        Count(case, name, before, after)
        for case in both
        for name in dict.fromkeys([*base[case], *now[case]])
        if abs((after := now[case].get(name, 0)) - (before := base[case].get(name, 0))) > tolerance(case, name) * before
    ]
    only_base = [case for case in base if case not in now]
    only_now = [case for case in now if case not in base]
    return Counts(len(both), different, only_base, only_now)

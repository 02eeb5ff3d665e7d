"""A performance target."""

import math
import typing

from results import ratio


class Target(typing.NamedTuple):
    """A performance target and its measured value."""

    what: str
    measured: float
    limit: float
    text: typing.Callable[[float], str]
    at_least: bool = False
    # Why it may be missed, and which limit would be right. Shown only if it is.
    note: str = ""

    @property
    def is_met(self):
        """None if it was not measured."""
        if math.isnan(self.measured):
            return None
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit

    @property
    def cells(self):
        limit = ("≥ " if self.at_least else "≤ ") + self.text(self.limit)
        if self.is_met is None:
            return [self.what, "not measured", limit, ""]
        return [self.what, self.text(self.measured), limit, "yes" if self.is_met else "NO"]


def against(what, results, title, contender, *, least=None, most=None, note="", name=None):
    """The time of a contender divided by ours: at least so much, or ours at most so many times that of the contender."""
    measured = results.time(title, contender) / results.time(title)
    return faster(f"{what}: {name or contender} ÷ ours", measured, least or 1 / most, note)


def faster(what, measured, least, note=""):
    exact = ratio if least < 10 or least == int(least) else "{:.1f}×".format
    return Target(what, measured, least, exact, at_least=True, note=note)

"""Finds ratios of the history that have changed by more than their noise.

A ratio is the time of a contender divided by ours. Two rules, both in logarithms: a ratio has drifted if the medians of
the first and of the last three runs differ by more than a multiple of the noise, and has changed suddenly if the last run
differs by SUDDEN times as much from the median of those before, and lies beyond all of them. Either must be more than a
tenth. A sudden change must be larger, because a single run can be disturbed, and one that stays is a drift two runs
later. The constants are those with which noise as in the history lets less than one of 300 pairs appear: see
Tests/test_trends.py.
"""

import math
import statistics
import typing

WINDOW = 20  # the latest runs: what changed on purpose is not told for ever
FEWEST = 7
GROUP = 3
LEAST = math.log(1 / 0.9)
SUDDEN = 1.6
# Also pairs whose runs happen to agree have noise.
LEAST_NOISE = 0.03
WORSE, BETTER, CHANGED = "**worse**", "better", "**changed**"
# Contenders that are this library, too: their ratio also rises if they become slower.
OWN = (
    "@Stored", "view.burst", "session.showColumn", "session.names", "$ratings.read", "static parameter", "session.update",
    "in memory", "one session", "one file", "one thread", "the first", "kernelInotify", "dynamic", "ours, with its text",
)  # fmt: skip
# Percentiles of rare events, and maxima: two runs differ too much.
RARE = ("/p99", "/p99.9", "/p99.99", "/max")


class Trend(typing.NamedTuple):
    """The ratios of one case to one contender in the order of the runs."""

    case: str
    contender: str
    points: list  # pairs of the number of a run and a ratio

    @property
    def ratios(self):
        return [ratio for _, ratio in self.points]

    @property
    def logarithms(self):
        return [math.log(ratio) for ratio in self.ratios[-WINDOW:]]

    @property
    def last(self):
        return self.ratios[-1]

    @property
    def earlier(self):
        return self.ratios[:-1]

    @property
    def is_long_enough(self):
        return len(self.points) >= FEWEST

    @property
    def noise(self):
        """Neither a slow drift nor one sudden change adds to it: of the steps from run to run, the largest is left out."""
        return max(LEAST_NOISE, spread(sorted(steps(self.logarithms))[:-1]))

    @property
    def multiple(self):
        """Of the noise, that are required. It is less certain if it was found from few runs."""
        return 3.5 + 18 / len(self.logarithms)

    @property
    def drift(self):
        """Logarithm of the factor from the first runs to the last ones."""
        return statistics.median(self.logarithms[-GROUP:]) - statistics.median(self.logarithms[:GROUP])

    @property
    def has_drifted(self):
        return abs(self.drift) > max(LEAST, self.multiple * self.noise)

    @property
    def change(self):
        """Logarithm of the factor from all earlier runs to the last one."""
        *earlier, last = self.logarithms
        return last - statistics.median(earlier)

    @property
    def has_changed(self):
        *earlier, last = self.logarithms
        is_beyond = last < min(earlier) - LEAST or last > max(earlier) + LEAST
        return is_beyond and abs(self.change) > SUDDEN * self.multiple * max(LEAST_NOISE, spread(steps(earlier)))

    @property
    def verdict(self):
        if not self.is_long_enough:
            return "too few runs"
        if not (self.has_drifted or self.has_changed):
            return ""
        if self.factor < 1:
            return WORSE
        return CHANGED if self.contender in OWN else BETTER

    @property
    def compared(self):
        """The ratios before and after what has been noticed."""
        ratios = self.ratios[-WINDOW:]
        if self.has_changed and not self.has_drifted:
            return statistics.median(ratios[:-1]), self.last
        return statistics.median(ratios[:GROUP]), statistics.median(ratios[-GROUP:])

    @property
    def factor(self):
        before, after = self.compared
        return after / before

    @property
    def shows_a_fifth(self):
        """Whether a drift by a fifth would be told."""
        return -math.log(0.8) > self.multiple * self.noise


def steps(values):
    return [abs(after - before) for before, after in zip(values, values[1:])]


def spread(differences):
    """The standard deviation of independent values with these differences between neighbors."""
    return math.sqrt(sum(difference**2 for difference in differences) / len(differences) / 2)


def runs_of(entries):
    return list(dict.fromkeys((entry["date"], entry["commit"]) for entry in entries))


def all_trends(entries):
    """Of all pairs of a case and a contender, in the order of the history."""
    numbers = {run: number for number, run in enumerate(runs_of(entries))}
    points = {}
    for entry in entries:
        for pair, ratio in ratios_of(entry):
            points.setdefault(pair, []).append((numbers[entry["date"], entry["commit"]], ratio))
    return [Trend(*pair, pairs) for pair, pairs in points.items()]


def ratios_of(entry):
    """Those of ours, and those of other ways of this library to the contenders that are none."""
    case, ratios = entry["case"], entry["ratios"]
    for contender, ratio in ratios.items():
        yield (case, contender), ratio
        if contender not in OWN:
            yield from (((f"{case}, by {own}", contender), ratio / ratios[own]) for own in OWN if own in ratios)


def judged(found):
    """Those with enough runs that end with the last one: not of cases that no longer exist, nor of rare events."""
    last = max((trend.points[-1][0] for trend in found), default=0)
    return [
        trend for trend in found
        if trend.is_long_enough and trend.points[-1][0] == last and not is_rare(trend)
    ]  # fmt: skip


def is_rare(trend):
    return trend.case.split(", by ")[0].endswith(RARE)


def others_of_case(trend, found):
    """The median factor of the other contenders of the case: about the same if ours has changed, 1 if the contender has."""
    factors = [math.exp(one.drift) for one in found if one.case == trend.case and one.contender != trend.contender]
    return statistics.median(factors) if factors else math.nan

"""Finds ratios of the history that have changed by more than their noise.

A ratio is the time of a contender divided by ours. Three comparisons, all in logarithms:

- the median of the last three runs with that of the first three: a drift, worse or better
- the median of the last three runs with the best median of any three earlier ones: a loss, worse only. It also shows what
  is lost after an improvement, when the last runs are still better than the first
- the last run with the median of the six before, if it lies beyond all of these: sudden, worse or better

Each must differ by more than a tenth, and by a multiple of the noise. The noise is found from the steps between runs,
without the largest, so that a change that stays is no noise; for a loss without the two largest, because it follows a rise.
A sudden change must be larger, because a single run can be disturbed, and one that stays is a drift or a loss two runs
later. Worse wins over better. With these constants, noise as in the history lets less than one of 300 pairs appear: see
Tests/test_trends.py.
"""

import math
import statistics
import typing

WINDOW = 20  # the latest runs: what changed on purpose is not told for ever
FEWEST = 7
GROUP = 3
BEFORE = 6  # runs that a sudden change is compared with
LEAST = math.log(1 / 0.9)
SUDDEN = 2
# Also pairs whose runs happen to agree have noise.
LEAST_NOISE = 0.03
WORSE, BETTER, CHANGED = "**worse**", "better", "**changed**"
FIRST, BEST, RUNS_BEFORE = "the first runs", "the best earlier runs", "the runs before"
# Contenders that are this library, too: their ratio also rises if they become slower.
OWN = (
    "@Stored", "view.burst", "session.showColumn", "session.names", "$ratings.read", "static parameter", "session.update",
    "in memory", "one session", "one file", "one thread", "the first", "kernelInotify", "dynamic",
    "ours, with its text", "ours, from its tree",
)  # fmt: skip
# Contenders that wait a fixed time before they tell a change, so that a ratio to them is a time of ours in disguise.
WAITING = ("watchfiles",)
# Percentiles of rare events, and maxima: two runs differ too much.
RARE = ("/p99", "/p99.9", "/p99.99", "/p99.999", "/max")


class Comparison(typing.NamedTuple):
    """Of later runs with earlier ones, by their numbers."""

    basis: str
    before: list
    after: list


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
    def multiple(self):
        """Of the noise, that are required for a drift. Noise is less certain if it was found from few runs."""
        return 3.5 + 20 / len(self.logarithms)

    @property
    def multiple_of_loss(self):
        """It is larger, because the best of many is the best by chance, and without two steps less is left."""
        return 3.5 + 55 / len(self.logarithms)

    @property
    def least_drift(self):
        """The smallest logarithm of a factor that is told."""
        return max(LEAST, self.multiple * noise(self.logarithms, 1))

    @property
    def groups(self):
        """The numbers of any GROUP successive runs."""
        numbers = [number for number, _ in self.points[-WINDOW:]]
        return [numbers[start : start + GROUP] for start in range(max(1, len(numbers) - GROUP + 1))]

    @property
    def drift(self):
        return Comparison(FIRST, self.groups[0], self.groups[-1])

    @property
    def has_drifted(self):
        return abs(self.change(self.drift)) > self.least_drift

    @property
    def loss(self):
        earlier = self.groups[:-GROUP] or self.groups[:1]
        return Comparison(BEST, max(earlier, key=self.median), self.groups[-1])

    @property
    def has_lost(self):
        return -self.change(self.loss) > max(LEAST, self.multiple_of_loss * noise(self.logarithms, 2))

    @property
    def sudden(self):
        numbers = [number for number, _ in self.points]
        return Comparison(RUNS_BEFORE, numbers[-1 - BEFORE : -1], numbers[-1:])

    @property
    def is_sudden(self):
        *earlier, last = self.logarithms
        before = earlier[-BEFORE:]
        is_beyond = last < min(before) - LEAST or last > max(before) + LEAST
        least = SUDDEN * self.multiple * noise(earlier, 1)
        return is_beyond and abs(self.change(self.sudden)) > max(LEAST, least)

    @property
    def noticed(self):
        """The comparisons that differ by more than the noise, the one to report first."""
        if not self.is_long_enough:
            return []
        rules = ((self.has_lost, self.loss), (self.has_drifted, self.drift), (self.is_sudden, self.sudden))
        # Stable, so that the order of the rules holds among those that are worse.
        return sorted((found for holds, found in rules if holds), key=lambda found: self.change(found) > 0)

    @property
    def comparison(self):
        return next(iter(self.noticed), self.drift)

    @property
    def verdict(self):
        if not self.is_long_enough:
            return "too few runs"
        if not self.noticed:
            return ""
        if self.factor < 1:
            return WORSE
        return CHANGED if self.contender in OWN else BETTER

    def median(self, numbers):
        """Of the ratios of these runs, those that have one."""
        found = [ratio for number, ratio in self.points if number in numbers]
        return statistics.median(found) if found else math.nan

    def change(self, comparison):
        """The logarithm of the factor."""
        return math.log(self.factor_of(comparison))

    def factor_of(self, comparison):
        return self.median(comparison.after) / self.median(comparison.before)

    @property
    def compared(self):
        """The ratios before and after what has been noticed."""
        return self.median(self.comparison.before), self.median(self.comparison.after)

    @property
    def factor(self):
        return self.factor_of(self.comparison)

    @property
    def shows_a_fifth(self):
        """Whether a drift by a fifth would be told."""
        return self.is_long_enough and -math.log(0.8) > self.least_drift


def noise(values, left_out):
    """The standard deviation of independent values with these steps, of which the largest are left out."""
    steps = sorted(abs(after - before) for before, after in zip(values, values[1:]))
    kept = steps[: len(steps) - left_out]
    if not kept:
        return math.inf
    return max(LEAST_NOISE, math.sqrt(sum(step**2 for step in kept) / len(kept) / 2))


def runs_of(entries):
    return list(dict.fromkeys((entry["date"], entry["commit"]) for entry in entries))


def machines_of(entries):
    """What is known of the machine of each run, in their order; old runs do not know the kernel and the model."""
    fields = ("machine", "model", "kernel")
    return list({
        (entry["date"], entry["commit"]): tuple(entry.get(name) for name in fields) for entry in entries
    }.values())  # fmt: skip


def other_machines(machines):
    """How many of the earlier runs were on another machine than the last one, and how many may have been."""
    *earlier, last = machines[-WINDOW:]
    others = [any(a != b for a, b in zip(one, last) if a and b) for one in earlier]
    unknown = [not other and not all(one + last) for one, other in zip(earlier, others)]
    return sum(others), sum(unknown)


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
    """Those with enough runs that end with the last one: not of former cases, of rare events or of fixed times."""
    last = max((trend.points[-1][0] for trend in found), default=0)
    return [
        trend for trend in found
        if trend.is_long_enough and trend.points[-1][0] == last and not is_rare(trend) and not waits(trend)
    ]  # fmt: skip


def is_rare(trend):
    return trend.case.split(", by ")[0].endswith(RARE)


def waits(trend):
    return trend.contender in WAITING


def others_of_case(trend, found):
    """The median factor of the others of the case, of the same runs: as its own if ours has changed, 1 if the contender has."""
    others = (one for one in found if one.case == trend.case and one.contender != trend.contender)
    factors = [factor for one in others if not math.isnan(factor := one.factor_of(trend.comparison))]
    return statistics.median(factors) if factors else math.nan

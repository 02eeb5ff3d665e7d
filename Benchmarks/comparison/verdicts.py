"""Decides for each case whether two sides differ, from one time per side and round.

A case is faster or slower if all of this holds; otherwise, there is no difference:

- a Mann-Whitney test of the times has p < 0.05 after Holm's correction for the number of cases;
- the interval of the ratio excludes 1: a bootstrap of the ratio of medians over rounds, at 95 % for all cases together
  (Bonferroni), which draws both times of a round together, so that a drift of the machine cancels out;
- the rounds agree: a sign test of the ratios within each round has p < 0.05, for example 9 of 10 on one side. A
  disturbance that lasted for some rounds, or began between the two processes of a round, does not pass this test;
- it is found again when the case is measured in as many rounds again.
"""

import functools
import math
import typing

import numpy
import scipy.stats

SIGNIFICANCE = 0.05
# The probability with which the smallest visible difference would have been found in each of two measurements: 80 % in
# both.
POWER = 0.9
RESAMPLES = 10_000


class Comparison:
    """The times of one case: one of each side for each round."""

    def __init__(self, name: str, base: typing.Sequence[float], now: typing.Sequence[float]):
        self.name = name
        self.base = numpy.asarray(base, dtype=float)
        self.now = numpy.asarray(now, dtype=float)
        # Set by judge().
        self.p = 1.0
        self.corrected_p = 1.0
        self.cases = 1
        # The second measurement of a case that differs.
        self.again: Comparison | None = None

    @property
    def rounds(self) -> int:
        return len(self.base)

    @property
    def ratio(self) -> float:
        return float(numpy.median(self.now) / numpy.median(self.base))

    @functools.cached_property
    def _resampled_rounds(self) -> numpy.ndarray:
        """The numbers of the rounds of each resample. Few resamples have too few values in the tails for many cases."""
        count = max(RESAMPLES, 400 * self.cases)
        return numpy.random.default_rng(0).integers(self.rounds, size=(count, self.rounds))

    @functools.cached_property
    def _resampled_ratios(self) -> numpy.ndarray:
        now, base = self.now[self._resampled_rounds], self.base[self._resampled_rounds]
        return numpy.median(now, axis=1) / numpy.median(base, axis=1)

    @functools.cached_property
    def interval(self) -> tuple[float, float]:
        tail = SIGNIFICANCE / self.cases / 2
        low, high = numpy.quantile(self._resampled_ratios, (tail, 1 - tail))
        return float(low), float(high)

    @property
    def is_agreed_by_rounds(self) -> bool:
        slower = int(numpy.count_nonzero(self.now > self.base))
        return max(slower, self.rounds - slower) >= agreeing_rounds(self.rounds)

    @property
    def verdict(self) -> str:
        first = self.first_verdict
        return first if self.again is None or self.again.first_verdict == first else "no difference"

    @property
    def first_verdict(self) -> str:
        # The interval takes the longest to compute.
        if self.corrected_p >= SIGNIFICANCE or not self.is_agreed_by_rounds:
            return "no difference"
        low, high = self.interval
        if low > 1:
            return "slower"
        return "faster" if high < 1 else "no difference"

    @functools.cached_property
    def smallest_visible(self) -> float:
        """The ratio above 1 that would have been "slower" with a probability of POWER, by the scatter of these rounds.

        Without the difference that was measured, each resample of the rounds becomes "slower" if one side is multiplied
        by a number that is large enough for all three conditions. This is the quantile of these numbers. The test
        counts the pairs of any two times in which `now` is longer, and the rounds likewise: so the number for either is
        one of the ratios in order. Holm's correction is at least as strict for the smallest p, and is used for all.
        """
        now = (self.now / self.ratio)[self._resampled_rounds[:1000]]
        base = self.base[self._resampled_rounds[:1000]]
        pairs = (base[:, :, None] / now[:, None, :]).reshape(len(base), -1)
        by_test = nth_smallest(pairs, critical_pairs(self.rounds, SIGNIFICANCE / self.cases))
        by_rounds = nth_smallest(base / now, agreeing_rounds(self.rounds))
        by_interval = self.ratio / self.interval[0] * self.ratio / self._resampled_ratios[:1000]
        return float(numpy.quantile(numpy.maximum.reduce([by_test, by_rounds, by_interval]), POWER))


def judge(comparisons: list[Comparison]) -> None:
    """Sets the p-values, which depend on all cases of the run. All have the same number of rounds."""
    if not comparisons:
        return
    now = numpy.array([comparison.now for comparison in comparisons])
    base = numpy.array([comparison.base for comparison in comparisons])
    values = mann_whitney(now, base)
    for comparison, p, corrected in zip(comparisons, values, holm(values)):
        comparison.p, comparison.corrected_p, comparison.cases = float(p), corrected, len(comparisons)


def mann_whitney(now, base):
    """The p-value of each row of times."""
    return scipy.stats.mannwhitneyu(now, base, axis=-1, method="exact").pvalue


def holm(values: typing.Sequence[float]) -> list[float]:
    """Corrects p-values for their number, by Holm's method."""
    corrected = [1.0] * len(values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(values)), key=lambda index: values[index])):
        largest = max(largest, min(1.0, float(values[index]) * (len(values) - rank)))
        corrected[index] = largest
    return corrected


def smallest_p(rounds: int) -> float:
    """The p-value of a Mann-Whitney test if all times of one side are longer than those of the other."""
    return 2 / math.comb(2 * rounds, rounds)


def minimum_rounds(cases: int) -> int:
    """The number of rounds with which a difference in one of the cases can be found at all."""
    rounds = 6  # of which all agree with p < 0.05
    while smallest_p(rounds) * cases >= SIGNIFICANCE:
        rounds += 1
    return rounds


@functools.cache
def agreeing_rounds(rounds: int) -> int:
    """The smallest number of rounds on one side with p < 0.05 in a sign test."""
    for count in range(rounds // 2 + 1, rounds + 1):
        if 2 * sum(math.comb(rounds, more) for more in range(count, rounds + 1)) / 2**rounds < SIGNIFICANCE:
            return count
    return rounds + 1


@functools.cache
def critical_pairs(rounds: int, p: float) -> int:
    """The smallest number of pairs, of one time of each side, with `now` longer, for which a Mann-Whitney test has a
    p-value below `p`; one more than all pairs if there is none."""
    count = rounds * rounds + 1
    while mann_whitney(*with_pairs(rounds, count - 1)) < p:
        count -= 1
    return count


def with_pairs(rounds: int, count: int) -> tuple[list[float], list[float]]:
    """Times of both sides with `now` longer in `count` pairs: some exceed all of `base`, one some, and others none."""
    exceeded = [min(max(count - rounds * index, 0), rounds) for index in range(rounds)]
    now = [number - 0.5 - index / 1000 for index, number in enumerate(exceeded)]
    return now, [float(number) for number in range(rounds)]


def nth_smallest(rows: numpy.ndarray, number: int) -> numpy.ndarray:
    """The value of each row that `number` values do not exceed; infinity if there are fewer."""
    if number > rows.shape[1]:
        return numpy.full(len(rows), math.inf)
    return numpy.partition(rows, number - 1, axis=1)[:, number - 1]

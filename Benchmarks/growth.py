"""How costs grow: the exponent of a power law, fitted to the cases scale/OPERATION/SIZE, beside the expected one.

Costs that do not depend on the size have the exponent 0, costs proportional to it 1. Small sizes are dominated by
constant costs, so that only the last two decades are fitted. Large data is slower for each byte, because it does not fit
in the caches: where the same run has measured a floor, the exponent of the difference from it is judged. Threads are two
axes: up to the number of processors they run at once, beyond it in turns.
"""

import collections
import math
import typing

from results import OURS

DECADES = 2
MARGIN = 0.25
# Of the step between the last two sizes, which a fit can hide: a factor of 1.6 for each decade. Two times that scatter by
# a tenth change it by 0.06.
STEP_MARGIN = 0.2
# The implementations that do the least with each byte.
FLOORS = ("read and compare", "copy of the text", "copy of the value", "plain reading", "bare minimum")
# A cost that is larger than its floor by at most this part of itself is as its floor.
FLOOR_SHARE = 0.1
FEWEST = 3
CROWD = "threads beyond the processors"

# Where a file or a root is read, written or copied as a whole, its size counts; of versions that share their parts, only
# what differs. Two threads that share a core read less than twice as much. The documentation does not promise all of
# this: of a lookup among 100,000 keys it says a few times as long, of subscribers, sessions and threads nothing.
EXPECTED = {
    "parse": 1, "reparse": 1, "edit": 1, "open": 1, "reload": 1, "save": 1,
    "decode": 1, "encode": 1, "update": 1, "reload typed root": 1, "save typed root": 1, "save unmarked root": 1,
    "reload typed array": 1, "save typed array": 1, "save unmarked array": 1,
    "lookup": 0, "replace": 0, "insert": 0, "merge": 0,
    "notify": 1,
    "open sessions": 1, "save one of the sessions": 0,
    "read": -0.5,
}
EXPECTED_IN_CROWD = {"read": 0}


class Growth(typing.NamedTuple):
    """The costs of one implementation of one operation along one axis."""

    operation: str
    implementation: str
    axis: str
    points: list  # pairs of a size and a time
    floor: dict = {}  # the time of one of FLOORS in the same operation, by size

    @property
    def exponent(self):
        return exponent(self.points, fewest=2 if self.axis == "threads" else FEWEST)

    @property
    def step(self):
        """The exponent from the last size but one to the last."""
        return exponent(self.points[-2:], fewest=2)

    @property
    def beyond(self):
        """The points without the floor, except where nothing remains of them."""
        costs = [(size, time, time - self.floor.get(size, 0)) for size, time in self.points]
        return [(size, cost) for size, time, cost in costs if cost > FLOOR_SHARE * time]

    @property
    def is_as_floor(self):
        """At the last size, where a faster growth would show most."""
        return self.points[-1][0] not in dict(self.beyond)

    @property
    def exponent_beyond(self):
        """That of the difference from the floor; nan without a floor, and where too few sizes differ from it."""
        if self.is_as_floor or not self.floor:
            return math.nan
        return exponent(self.beyond, fewest=2 if len(self.beyond) < len(self.points) else FEWEST)

    @property
    def step_beyond(self):
        """From a size that is as its floor, the least that it can be."""
        if self.is_as_floor or not self.floor:
            return math.nan
        beyond = dict(self.beyond)
        return exponent([(size, beyond.get(size, FLOOR_SHARE * time)) for size, time in self.points[-2:]], fewest=2)

    @property
    def expected(self):
        """None if nothing is."""
        return (EXPECTED_IN_CROWD if self.axis == CROWD else EXPECTED).get(self.operation)

    @property
    def judged(self):
        return self.exponent_beyond if self.floor else self.exponent

    @property
    def judged_step(self):
        return self.step_beyond if self.floor else self.step

    @property
    def is_worse(self):
        return self.expected is not None and self.judged > self.expected + MARGIN

    @property
    def is_worse_at_last(self):
        return self.expected is not None and self.judged_step > self.expected + STEP_MARGIN

    @property
    def excuse(self):
        """Why a larger exponent than the expected one is no warning."""
        if self.is_worse or self.expected is None:
            return ""
        if self.is_as_floor:
            return "as its floor" if self.exponent > self.expected else ""
        return "within the margin" if self.judged > self.expected else ""


def exponent(points, fewest=FEWEST):
    """Of the power law that fits the last decades best, by least squares on logarithms; nan for too few points."""
    largest = max((size for size, _ in points), default=0)
    # Sizes are rounded by their programs.
    fitted = [(math.log(size), math.log(time)) for size, time in points if size >= 0.9 * largest / 10**DECADES]
    if len(fitted) < fewest:
        return math.nan
    mean_size, mean_time = (sum(column) / len(fitted) for column in zip(*fitted))
    spread = sum((size - mean_size) ** 2 for size, _ in fitted)
    return sum((size - mean_size) * (time - mean_time) for size, time in fitted) / spread


def measured(results):
    """All growths, ours and others, in the order of measurement."""
    points = collections.defaultdict(list)
    for title, implementations in results.titles.items():
        parts = title.split("/")
        if parts[0] != "scale" or parts[-1] == "p99":
            continue
        operation = "/".join(part for part in parts[1:] if part != "median").rsplit("/", 1)[0]
        for implementation, result in implementations.items():
            if "size" in result.counters:
                size = result.counters["size"]
                for axis in axes(result.counters.get("axis", "size"), size, results.context.get("num_cpus", 1)):
                    points[operation, implementation, axis].append((size, result.time))
    growths = [Growth(*key, sorted(pairs)) for key, pairs in points.items()]
    floors = {(one.operation, one.axis): dict(one.points) for one in growths if one.implementation in FLOORS}
    return [one._replace(floor=floors.get((one.operation, one.axis), {})) for one in growths]


def axes(axis, size, processors):
    """The axes on which a size is a point."""
    if axis != "threads":
        return [axis]
    return ["threads"] * (size <= processors) + [CROWD] * (size >= processors)


def by_threads(results):
    """The growths on both axes of threads, joined."""
    joined = {}
    for growth in measured(results):
        if growth.axis in ("threads", CROWD):
            before = joined.get(growth[:2])
            points = growth.points + (before.points if before else [])
            joined[growth[:2]] = growth._replace(axis="threads", points=sorted(set(points)))
    return list(joined.values())


def ours(results):
    return [growth for growth in measured(results) if growth.implementation == OURS]

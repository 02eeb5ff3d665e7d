"""How far a time is from its floor: what the same run needs for the least that must be done."""

import typing

from results import OURS, duration, ratio

# A floor that is itself part of the work is subtracted; from another one, the distance is a factor.
DIFFERENCE = {"raw inotify", "clock alone"}
FLOORS = DIFFERENCE | {
    "atomic load", "rcu_dereference", "bare minimum", "copy of the text", "read and compare", "plain calls",
}
READ_FLOORS = ("atomic load", "rcu_dereference")
READ_TITLE = "read/session.port/"


class Distance(typing.NamedTuple):
    """The distance of one case from one floor."""

    title: str
    time: float
    floor_name: str
    floor: float

    @property
    def text(self):
        if self.floor_name in DIFFERENCE:
            beyond = self.time - self.floor
            return f"{duration(abs(beyond))} {'more' if beyond >= 0 else 'less'}"
        return ratio(self.time / self.floor)

    @property
    def cells(self):
        return [self.title, duration(self.time), self.floor_name, duration(self.floor), self.text]


def distances(results):
    """Of all cases that have a floor in this run."""
    for title, implementations in results.cases():
        for name, floor in sorted(floors_of(title, implementations, results).items()):
            yield Distance(title, implementations[OURS].time, name, floor.time)


def floors_of(title, implementations, results):
    own = {name: result for name, result in implementations.items() if name in FLOORS}
    if own or not title.startswith(("read/", "stored/a plain value/read")):
        return own
    # The floor of all reads is measured once for each number of threads.
    concurrency = title.rsplit("/", 1)[1] if title.startswith("read/") else "alone"
    shared = {name: results.get(READ_TITLE + concurrency, name) for name in READ_FLOORS}
    return {name: result for name, result in shared.items() if result}

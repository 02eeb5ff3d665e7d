"""How far a time is from its floor: what the same run needs for the least that must be done."""

import typing

from results import OURS, duration, ratio

# A floor that is itself part of the work is subtracted; from another one, the distance is a factor.
DIFFERENCE = {"raw inotify", "clock alone"}
FLOORS = DIFFERENCE | {
    "atomic load", "rcu_dereference", "a static variable", "bare minimum", "copy of the text", "copy of the value",
    "plain reading", "read and compare", "plain calls", "true",
}  # fmt: skip
READ_FLOORS = ("atomic load", "rcu_dereference")
READ_TITLE = "read/session.port/"
COPY = "copy of the text"

# Why the other costs have none.
WITHOUT_FLOOR = (
    ("lookup/", "replace/10", "insert/", "merge/", "scale/lookup/", "scale/replace/", "scale/insert/",
        "scale/merge/"),
    "Objects: a `Dictionary` of the same keys keeps neither the order nor the text: it is a competitor, and no floor.",
), (
    ("difference/", "parse/100000"),
    "The cost depends on what has changed, or no text of that size is copied.",
), (
    ("stored/set", "stored/10,000", "stored/a wrapper", "update/"),
    "Work without a text or a file: instructions are counted instead, see `Baseline/counts.json`.",
), (
    (
        "save/", "load/", "commit/8 threads", "commit/after", "command/", "watch/", "scale/open sessions/",
        "edit to callback/10000", "edit to handler/write+close in place/10000", "edit to handler/rename/10000",
    ),
    "Compared with another program, database or number of objects in the same run.",
)  # fmt: skip


class Distance(typing.NamedTuple):
    """The distance of one case from one floor."""

    title: str
    time: float
    floor_name: str
    floor: float

    @property
    def text(self):
        if self.time <= self.floor:
            return "no more than the floor"
        if self.floor_name in DIFFERENCE:
            return f"{duration(self.time - self.floor)} more"
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
    if own:
        return own
    if title.startswith(("parse/", "reparse/")):
        # The text of the same size that is copied for the edits. Those of sets of keys have other sizes.
        copy = results.get("edit/one value/" + title.rsplit("/", 1)[1], COPY)
        return {COPY: copy} if copy else {}
    if title.startswith(("decode/typical root/", "encode/typical root/")):
        # As of the roots that grow: a text that is about as large, also where only the tree is coded.
        copy = results.get("edit/one value/1KB", COPY)
        return {COPY: copy} if copy else {}
    if not title.startswith(("read/", "stored/a plain value/read", "stored/an array/read")):
        return {}
    # The floor of all reads is measured once for each number of threads.
    concurrency = title.rsplit("/", 1)[1] if title.startswith("read/") else "alone"
    shared = {name: results.get(READ_TITLE + concurrency, name) for name in READ_FLOORS}
    return {name: result for name, result in shared.items() if result}


def without_floor(results):
    """The reasons why costs have no floor, each with the number of cases."""
    titles = [title for title, implementations in results.cases() if not floors_of(title, implementations, results)]
    for beginnings, reason in WITHOUT_FLOOR:
        if number := sum(title.startswith(beginnings) for title in titles):
            yield number, reason
    beginnings = tuple(beginning for reason in WITHOUT_FLOOR for beginning in reason[0])
    if others := [title for title in titles if not title.startswith(beginnings)]:
        yield len(others), "Not said why: " + ", ".join(others) + "."

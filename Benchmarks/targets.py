"""The performance targets. One that is missed fails nothing, because a busy machine misses absolute times."""

import math
import typing

from results import OURS, duration, ratio


class Target(typing.NamedTuple):
    """A performance target and its measured value."""

    what: str
    measured: float
    limit: float
    text: typing.Callable[[float], str]
    at_least: bool = False
    # Why it is missed where this was written, and which limit would be right.
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


MEMORY_OF_KEYS = "3.25× is proposed: what it takes does not depend on the run."
MUTEX = (
    "A read takes as long as rcu_dereference in C, and a mutex that no other thread holds about three times as long, so that"
    " 6× is out of reach. 2.5× alone and 15× with two threads are proposed."
)
THREE_LEVELS = "70 ns are proposed: three lookups among few keys, and a reference to the version."
ABSOLUTE = (
    "An absolute time or speed. The virtual machine where this was measured becomes slower by up to a half within an hour,"
    " and what an edit starts slows down more than a bare reader of its event."
)
STRINGS = (
    "About half of the time goes to branches that no processor predicts: ten copies of the text of 100 KB are"
    " parsed nearly twice as fast as 1 MB without a repetition. 6.5× is proposed."
)
ONE_OF_MANY = (
    "A third to a half of it does not depend on the number of structs (see the cases with 10 keys): the waiting threads are"
    " woken, and what they need is in no cache. The rest compares every struct with the one before."
)
CODING = "Codable's generic containers are made for each struct, and their types are looked up each time."


def parse_targets(results):
    mixed = "parse/mixed/1MB"
    time = results.time(mixed)
    speed = results.counter(mixed, "inputBytes") * 1e3 / time
    yield Target("parse mixed, MB/s", speed, 800, "{:,.0f}".format, at_least=True, note=ABSOLUTE)
    for shape in ("mixed", "numbers", "strings"):
        title = f"parse/{shape}/1MB"
        for other, limit in (("JSONSerialization", 8), ("JSON.parse", 1.5)):
            against = results.time(title, other) / results.time(title)
            note = STRINGS if shape == "strings" else ""
            yield Target(f"parse {shape}, against {other}", against, limit, ratio, at_least=True, note=note)
    for shape in ("mixed", "strings", "numbers", "wide"):
        title = f"parse/{shape}/1MB"
        allocations = results.counter(title, "allocations") / results.counter(title, "scalars")
        yield Target(f"parse {shape}, allocations per scalar", allocations, 1, "{:.2f}".format)
    yield Target("memory of mixed, against its text", results.memory(mixed), 2, ratio)
    for name in ("strings/1MB", "numbers/1MB", "wide/1MB", "100000 short keys", "100000 long keys"):
        memory = results.memory("parse/" + name)
        yield Target(f"memory of {name}, against its text", memory, 3.2, "{:.3f}×".format, note=MEMORY_OF_KEYS)


def object_targets(results):
    for keys, limits in (("short keys", (35, 150)), ("long keys", (75, 300))):
        for count, limit in zip((10, 100_000), limits):
            for outcome in ("hit", "miss"):
                time = results.time(f"lookup/{outcome}/{count} {keys}")
                yield Target(f"look up among {count:,} {keys}, {outcome}", time, limit, duration, note=ABSOLUTE)
    for operation in ("replace", "insert"):
        for keys in ("short keys", "long keys"):
            large, small = (results.time(f"{operation}/{count} {keys}") for count in (100_000, 1_000))
            yield Target(f"{operation} among 100,000 {keys}, a copy alive", large, 5_000, duration)
            yield Target(f"{operation} among 100,000 {keys}, against 1,000", large / small, 3, ratio)


def read_targets(results):
    for what in ("session.port", "read { $0.port }"):
        alone, in_pairs, with_writer = (
            results.time(f"read/{what}/{concurrency}") for concurrency in ("alone", "2 threads", "1000 writes a second")
        )
        yield Target(what, alone, 2.5, duration)
        yield Target(f"{what}, two threads against one", in_pairs / alone, 1.3, ratio)
        yield Target(f"{what}, 1,000 publishes a second against none", with_writer / alone, 1.5, ratio)
        yield Target(f"{what}, allocations", results.counter(f"read/{what}/alone", "allocations"), 0, "{:.0f}".format)
    for concurrency, words, limit in (("alone", "alone", 6), ("2 threads", "two threads", 30)):
        title = f"read/session.port/{concurrency}"
        against_mutex = results.time(title, "Mutex") / results.time(title)
        yield Target(f"session.port against a mutex, {words}", against_mutex, limit, ratio, at_least=True, note=MUTEX)
    yield Target("session.snapshot", results.time("read/session.snapshot/alone"), 25, duration)
    time = results.time("read/three levels of JSON/alone")
    yield Target("look up three levels of JSON", time, 60, duration, note=THREE_LEVELS)
    for what in ("present", "missing"):
        time = results.time(f"read/one key as a type, {what}/alone")
        yield Target(f"read one key as a type, {what}", time, 60, duration)


def coding_targets(results):
    # A save needs the encoded tree, not its text: it edits the text of the file.
    for operation, form, other, limit in (("decode", "bytes", "JSONDecoder", 2), ("encode", "value", "JSONEncoder", 1.5)):
        against = results.time(f"{operation}/typical root/bytes", other) / results.time(
            f"{operation}/typical root/{form}")
        yield Target(f"{operation} a struct of 1 KB, against {other}", against, limit, ratio, at_least=True, note=CODING)
    for count in (1_000, 10_000):
        for operation, other, limit in (("decode", "JSONDecoder", 2), ("encode", "JSONEncoder", 2.5)):
            title = f"scale/{operation}/{count} keys"
            against = results.time(title, other) / results.time(title)
            what = f"{operation} {count:,} structs, against {other}"
            yield Target(what, against, limit, ratio, at_least=True, note=CODING)
        title = f"scale/reload typed root/{count} keys"
        against = results.time(title) / results.time(title, "JSONDecoder")
        what = f"reload one of {count:,} structs, against JSONDecoder for all"
        yield Target(what, against, 0.08, ratio, note=ONE_OF_MANY)
        title = f"scale/save typed root/{count} keys"
        ours, foundation, least = (results.time(title, by) for by in (OURS, "JSONEncoder", "bare minimum"))
        against = (ours - least) / (foundation - least)
        what = f"save one of {count:,} structs, against JSONEncoder for all, both beyond the replacement"
        yield Target(what, against, 0.15, ratio, note=ONE_OF_MANY)


def stored_targets(results):
    title = "stored/a plain value/read"
    limits = (("a static parameter", OURS, 5), ("@Stored", "@Stored", 5), ("view.burst", "view.burst", 6))
    for name, by, limit in limits:
        yield Target(f"read {name}", results.time(title, by), limit, duration)
    title = "stored/an array/read"
    against_session = results.time(title) / results.time(title, "session.names")
    yield Target("read an array by @Stored, against session.names", against_session, 1.25, ratio)
    title = "stored/set until visible"
    for name, by in (("@Stored", OURS), ("a static parameter", "static parameter")):
        yield Target(f"set {name}, until visible", results.time(title, by), 5_000, duration)


def latency_targets(results):
    for method in ("write+close", "rename"):
        title = f"edit to callback/1KB/{method}/at once/median"
        beyond = results.time(title) - results.time(title, "raw inotify")
        what = f"edit to callback, 1 KB, {method}: median beyond raw inotify"
        yield Target(what, beyond, 60_000, duration, note=ABSOLUTE)
    for layout in ("one folder", "100 folders"):
        crowd = f"10000 sessions, {layout}"
        yield Target(f"open {crowd}", results.time(f"open/{crowd}"), 3e9, duration, note=ABSOLUTE)
        sizes = (results.counter(f"open/{crowd}", "resultBytes", name) for name in (OURS, "plain reading"))
        yield Target(f"each of {crowd}, bytes beside its data", next(sizes) - next(sizes), 16_384, "{:,.0f}".format)
        title = f"edit to callback/{crowd}/median"
        against_one = results.time(title) / results.time(title, "one session")
        yield Target(f"edit among {crowd}, against one", against_one, 1.5, ratio)


def watch_targets(results):
    for edit in ("write+close in place", "rename"):
        title = f"edit to handler/{edit}/soon/median"
        beyond = results.time(title) - results.time(title, "raw inotify")
        what = f"edit to handler, {edit}: median beyond raw inotify"
        yield Target(what, beyond, 30_000, duration, note=ABSOLUTE)
    crowd = "10000 files, 100 folders"
    size = results.counter(f"watch/{crowd}", "allocatedBytes")
    yield Target(f"each watch of {crowd}, bytes of malloc", size, 2_048, "{:,.0f}".format)
    for edit in ("write+close in place", "rename"):
        title = f"edit to handler/{edit}/{crowd}/median"
        against_one = results.time(title) / results.time(title, "one file")
        yield Target(f"edit among {crowd}, {edit}, against one", against_one, 1.5, ratio)


def command_targets(results):
    for method in ("write+close", "rename"):
        for interval in ("at once", "rested", "after 50 ms"):
            title = f"edit to line/1KB/{method}/{interval}/median"
            beyond = results.time(title) - results.time(title, "raw inotify")
            what = f"sessionctl watch, {method}, {interval}: median beyond raw inotify"
            yield Target(what, beyond, 150_000, duration, note=ABSOLUTE)
    for size in ("1KB", "130KB", "1.3MB"):
        title = f"command/get/{size}/median"
        against_jq = results.time(title, "jq") / results.time(title)
        yield Target(f"sessionctl get, {size}, against jq", against_jq, 1, ratio, at_least=True)
        title = f"command/set/{size}/median"
        against_jq = results.time(title, "jq, sync, mv, sync") / results.time(title)
        what = f"sessionctl set, {size}, against jq with the same durability"
        yield Target(what, against_jq, 1, ratio, at_least=True)


def replace_targets(results):
    title = "replace/1KB/durable/median"
    against_least = results.time(title) / results.time(title, "bare minimum")
    yield Target("replace 1 KB, against the bare minimum", against_least, 1.25, ratio)


def save_targets(results):
    for size in ("100 B", "10 KB"):
        time = results.time(f"update/{size}/median")
        yield Target(f"update of a value of {size}, until visible", time, 3_000, duration)
    title = "update/100 B/after 50 ms/median"
    for name, by, limit in (("", OURS, 80_000), (" in memory", "in memory", 45_000)):
        time = results.time(title, by)
        yield Target(f"update of a value{name} after a rest of 50 ms", time, limit, duration, note=ABSOLUTE)
    title = "commit/1KB/median"
    against_least = results.time(title) / results.time(title, "bare minimum")
    yield Target("commit 1 KB, against the bare minimum", against_least, 1.5, ratio)
    title = "commit/8 threads/median"
    against_one = results.time(title, "one thread") / results.time(title)
    yield Target("commits a second of eight threads, against one", against_one, 3, ratio, at_least=True)
    for commits in (10_000, 50_000):
        title = f"commit/after {commits}/median"
        if results.get(title):
            against_first = results.time(title) / results.time(title, "the first")
            yield Target(f"a commit after {commits:,}, against the first", against_first, 1.5, ratio)


def store_targets(results):
    for count in (10_000, 100_000):
        title = f"save/{count} objects/median"
        if results.get(title):
            against_few = results.time(title) / results.time("save/1000 objects/median")
            yield Target(f"save an object among {count:,}, against 1,000", against_few, 1.5, ratio)


SUITES = (
    parse_targets, object_targets, coding_targets, read_targets, stored_targets, latency_targets, watch_targets,
    command_targets, replace_targets, save_targets, store_targets,
)


def all_targets(results):
    return [target for suite in SUITES for target in suite(results)]

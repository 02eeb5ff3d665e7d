#!/usr/bin/env python3
"""Prints the results of one run as a table: report.py RESULT.json...

The files are the output of Google Benchmark, LatencyBenchmarks, ObjectBenchmarks, ReplaceBenchmarks, SaveBenchmarks,
commands.py and node.mjs. Names are TITLE/IMPLEMENTATION; the implementations of one title form a group, whose first row is ours. A time
is the lower quartile of all repetitions in all files, because disturbances only make a measurement longer. The shorter of wall and
processor time counts: other programs add to the first, garbage collector threads to the second. For two threads it is
wall time, because a waiting thread uses no processor time.
"""

import json
import math
import statistics
import sys
import typing

OURS = "ours"
NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


class Result:
    """The measurements of one implementation under one title."""

    def __init__(self):
        self.times = []
        self.counters = {}

    def add(self, entry):
        meets_others = "/2 threads/" in entry["name"]
        has_wall_time_only = meets_others or "cpu_time" not in entry
        time = entry["real_time"] if has_wall_time_only else min(entry["real_time"], entry["cpu_time"])
        self.times.append(time * NANOSECONDS[entry["time_unit"]])
        for name in ("inputBytes", "resultBytes", "allocatedBytes", "allocations", "scalars"):
            if name in entry:
                self.counters[name] = entry[name]

    @property
    def time(self):
        if len(self.times) == 1:
            return self.times[0]
        return statistics.quantiles(self.times, n=4, method="inclusive")[0]

    @property
    def memory(self):
        """Bytes of the result for each byte of the input."""
        if "inputBytes" not in self.counters:
            return math.nan
        return self.counters["resultBytes"] / self.counters["inputBytes"]


class Results:
    """All measurements, by title and implementation."""

    def __init__(self, paths):
        self.titles = {}
        self.context = {}
        for path in paths:
            with open(path, encoding="utf-8") as file:
                document = json.load(file)
            self.context.update(document["context"])
            # Repetitions of different benchmarks are interleaved; the table has the order of registration.
            for entry in sorted(document["benchmarks"], key=lambda entry: entry.get("family_index", 0)):
                if entry["run_type"] != "iteration":
                    continue
                if entry.get("error_occurred"):
                    sys.exit(f"report.py: {entry['name']}: {entry['error_message']}")
                title, implementation = entry["name"].rsplit("/", 1)
                self.titles.setdefault(title, {}).setdefault(implementation, Result()).add(entry)

    def get(self, title, implementation=OURS):
        return self.titles.get(title, {}).get(implementation)

    def time(self, title, implementation=OURS):
        result = self.get(title, implementation)
        return result.time if result else math.nan

    def counter(self, title, name, implementation=OURS):
        result = self.get(title, implementation)
        return result.counters.get(name, math.nan) if result else math.nan

    def memory(self, title):
        result = self.get(title)
        return result.memory if result else math.nan


def duration(nanoseconds):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= 0.9995 * size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


def ratio(value):
    return f"{value:.2f}×" if value < 10 else f"{value:,.0f}×"


def cells(title, implementation, result, ours):
    input_bytes = ours.counters.get("inputBytes")
    counters = result.counters
    memory = ""
    if counters.get("resultBytes"):
        memory = ratio(result.memory) if "inputBytes" in counters else f"{counters['resultBytes']:,.0f} B"
    return [
        title if implementation == OURS else "  " + implementation,
        duration(result.time),
        f"{input_bytes * 1e3 / result.time:,.0f}" if input_bytes else "",
        ratio(result.time / ours.time) if implementation != OURS else "",
        f"{counters['allocations']:,.0f}" if "allocations" in counters else "",
        memory,
    ]


def print_table(head, rows):
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, ["─" * width for width in widths], *rows]:
        print("  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]))


def print_cases(results):
    rows = []
    for title, implementations in results.titles.items():
        if OURS not in implementations:
            continue
        ours = implementations[OURS]
        for implementation in sorted(implementations, key=lambda name: (name != OURS, name)):
            rows.append(cells(title, implementation, implementations[implementation], ours))
    print_table(["case", "time", "MB/s", "its time ÷ ours", "allocations", "memory"], rows)


class Target(typing.NamedTuple):
    """A performance target and its measured value."""

    what: str
    measured: float
    limit: float
    text: typing.Callable[[float], str]
    at_least: bool = False

    @property
    def cells(self):
        limit = ("≥ " if self.at_least else "≤ ") + self.text(self.limit)
        if math.isnan(self.measured):
            return [self.what, "not measured", limit, ""]
        is_reached = self.measured >= self.limit if self.at_least else self.measured <= self.limit
        return [self.what, self.text(self.measured), limit, "yes" if is_reached else "NO"]


def parse_targets(results):
    mixed = "parse/mixed/1MB"
    time = results.time(mixed)
    speed = results.counter(mixed, "inputBytes") * 1e3 / time
    yield Target("parse mixed, MB/s", speed, 800, "{:,.0f}".format, at_least=True)
    against_foundation = results.time(mixed, "JSONSerialization") / time
    yield Target("parse mixed, against JSONSerialization", against_foundation, 8, ratio, at_least=True)
    against_node = results.time(mixed, "JSON.parse") / time
    yield Target("parse mixed, against node (800 where it does 540)", against_node, 800 / 540, ratio, at_least=True)
    for shape in ("mixed", "strings", "numbers", "wide"):
        title = f"parse/{shape}/1MB"
        allocations = results.counter(title, "allocations") / results.counter(title, "scalars")
        yield Target(f"parse {shape}, allocations per scalar", allocations, 1, "{:.2f}".format)
    yield Target("memory of mixed, against its text", results.memory(mixed), 2, ratio)
    for name in ("strings/1MB", "numbers/1MB", "wide/1MB", "100000 short keys", "100000 long keys"):
        yield Target(f"memory of {name}, against its text", results.memory("parse/" + name), 3.2, ratio)


def object_targets(results):
    for keys, limits in (("short keys", (35, 150)), ("long keys", (75, 300))):
        for count, limit in zip((10, 100_000), limits):
            for outcome in ("hit", "miss"):
                time = results.time(f"lookup/{outcome}/{count} {keys}")
                yield Target(f"look up among {count:,} {keys}, {outcome}", time, limit, duration)
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
        yield Target(f"{what}, two threads against one", in_pairs / alone, 2, ratio)
        yield Target(f"{what}, 1,000 publishes a second against none", with_writer / alone, 1.5, ratio)
        yield Target(f"{what}, allocations", results.counter(f"read/{what}/alone", "allocations"), 0, "{:.0f}".format)
    for concurrency, words, limit in (("alone", "alone", 8), ("2 threads", "two threads", 40)):
        title = f"read/session.port/{concurrency}"
        against_mutex = results.time(title, "Mutex") / results.time(title)
        yield Target(f"session.port against a mutex, {words}", against_mutex, limit, ratio, at_least=True)
    yield Target("session.snapshot", results.time("read/session.snapshot/alone"), 25, duration)
    yield Target("look up three levels of JSON", results.time("read/three levels of JSON/alone"), 60, duration)
    for what in ("present", "missing"):
        time = results.time(f"read/one key as a type, {what}/alone")
        yield Target(f"read one key as a type, {what}", time, 60, duration)


def stored_targets(results):
    title = "stored/a plain value/read"
    for name, by, limit in (("a static parameter", OURS, 5), ("@Stored", "@Stored", 5), ("view.burst", "view.burst", 6)):
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
        yield Target(f"edit to callback, 1 KB, {method}: median beyond raw inotify", beyond, 60_000, duration)
    for layout in ("one folder", "100 folders"):
        crowd = f"10000 sessions, {layout}"
        yield Target(f"open {crowd}", results.time(f"open/{crowd}"), 3e9, duration)
        sizes = (results.counter(f"open/{crowd}", "resultBytes", name) for name in (OURS, "plain reading"))
        yield Target(f"each of {crowd}, bytes beside its data", next(sizes) - next(sizes), 16_384, "{:,.0f}".format)
        title = f"edit to callback/{crowd}/median"
        against_one = results.time(title) / results.time(title, "one session")
        yield Target(f"edit among {crowd}, against one", against_one, 1.5, ratio)


def watch_targets(results):
    for edit in ("write+close in place", "rename"):
        title = f"edit to handler/{edit}/soon/median"
        beyond = results.time(title) - results.time(title, "raw inotify")
        yield Target(f"edit to handler, {edit}: median beyond raw inotify", beyond, 30_000, duration)
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
            yield Target(what, beyond, 150_000, duration)
    for size in ("1KB", "130KB", "1.3MB"):
        title = f"command/get/{size}/median"
        against_jq = results.time(title, "jq") / results.time(title)
        yield Target(f"sessionctl get, {size}, against jq", against_jq, 1, ratio, at_least=True)
        title = f"command/set/{size}/median"
        against_jq = results.time(title, "jq, sync, mv, sync") / results.time(title)
        yield Target(f"sessionctl set, {size}, against jq with the same durability", against_jq, 1, ratio, at_least=True)


def replace_targets(results):
    title = "replace/1KB/durable/median"
    against_least = results.time(title) / results.time(title, "bare minimum")
    yield Target("replace 1 KB, against the bare minimum", against_least, 1.25, ratio)


def save_targets(results):
    for size in ("100 B", "10 KB"):
        yield Target(f"update of a value of {size}, until visible", results.time(f"update/{size}/median"), 3_000, duration)
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


def print_targets(results):
    suites = (
        parse_targets, object_targets, read_targets, stored_targets, latency_targets, watch_targets,
        command_targets, replace_targets, save_targets, store_targets,
    )
    targets = [target for suite in suites for target in suite(results)]
    print_table(["target", "measured", "limit", "met"], [target.cells for target in targets])


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = {line.split(":", 1)[1].strip() for line in file if line.startswith("model name")}
    return ", ".join(names) or "unknown processor"


def main():
    results = Results(sys.argv[1:])
    context = results.context
    node = f", node {context['node']}" if "node" in context else ""
    print(f"{context['num_cpus']} × {processor()}, {context['date'][:10]}{node}")
    if sizes := context.get("programSizes"):
        text = " and ".join(f"{size / 1e6:.1f} MB {name}" for name, size in sizes.items())
        print(f"sessionctl: {text}")
    print()
    print_cases(results)
    print()
    print_targets(results)


if __name__ == "__main__":
    main()

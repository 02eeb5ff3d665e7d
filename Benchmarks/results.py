"""Reads the results of a run.

The files are the output of Google Benchmark, LatencyBenchmarks, ObjectBenchmarks, ReplaceBenchmarks, SaveBenchmarks,
commands.py and node.mjs. Names are TITLE/IMPLEMENTATION; the implementations of one title form a group. A time is the
lower quartile of all repetitions in all files, because disturbances only make a measurement longer. The shorter of wall
and processor time counts: other programs add to the first, garbage collector threads to the second. For several threads
it is wall time, because a waiting thread uses no processor time.
"""

import glob
import json
import math
import os
import re
import statistics
import sys

OURS = "ours"
# Cases with several threads.
THREADED = re.compile(r"threads|writes a second")
NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
COUNTERS = ("inputBytes", "resultBytes", "allocatedBytes", "allocations", "scalars", "axis", "size")


def quartiles(times):
    """The lower quartile, the median and the upper quartile."""
    return statistics.quantiles(times, n=4, method="inclusive") if len(times) > 1 else times * 3


class Result:
    """The measurements of one implementation under one title."""

    def __init__(self):
        self.times = []
        self.samples = []
        self.counters = {}
        self.summary = None

    def add(self, entry):
        has_wall_time_only = "cpu_time" not in entry or THREADED.search(entry["name"])
        time = entry["real_time"] if has_wall_time_only else min(entry["real_time"], entry["cpu_time"])
        self.times.append(time * NANOSECONDS[entry["time_unit"]])
        self.samples += entry.get("times", [])
        if "quartiles" in entry:
            self.summary = (entry["quartiles"], entry["measurements"])
        for name in COUNTERS:
            if name in entry:
                self.counters[name] = entry[name]

    @property
    def time(self):
        return self.times[0] if len(self.times) == 1 else quartiles(self.times)[0]

    @property
    def quartiles(self):
        """Of the individual measurements, if the program has printed them or their quartiles."""
        return self.summary[0] if self.summary else quartiles(self.samples or self.times)

    @property
    def repetitions(self):
        return self.summary[1] if self.summary else len(self.samples or self.times)

    @property
    def memory(self):
        """Bytes of the result for each byte of the input."""
        if "inputBytes" not in self.counters or "resultBytes" not in self.counters:
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
                    sys.exit(f"{os.path.basename(sys.argv[0])}: {entry['name']}: {entry['error_message']}")
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

    def cases(self):
        """The titles that ours is measured under, each with its implementations: ours, then the others by name."""
        for title, implementations in self.titles.items():
            if OURS in implementations:
                yield title, dict(sorted(implementations.items(), key=lambda item: (item[0] != OURS, item[0])))


class BenchmarkRun:
    """A run that run.sh has kept: its results, and what was measured where."""

    def __init__(self, directory):
        path = os.path.join(directory, "run.json")
        if not os.path.exists(path):
            sys.exit(f"{path} does not exist: run `make bench` first")
        with open(path, encoding="utf-8") as file:
            self.info = json.load(file)
        self.results = Results(sorted(glob.glob(os.path.join(directory, "round-*.json"))))


def duration(nanoseconds, digits=3):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if abs(nanoseconds) >= (1 - 0.5 / 10**digits) * size:
            return f"{significant(nanoseconds / size, digits)} {unit}"
    return f"{significant(nanoseconds, digits)} ns"


def significant(value, digits):
    """The value with this many significant digits, without an exponent."""
    text = f"{value:.{digits}g}"
    return f"{float(text):.0f}" if "e" in text else text


def ratio(value):
    if 0 < value < 0.1:
        return f"{value:.{1 - math.floor(math.log10(value))}f}×"
    return f"{value:.2f}×" if value < 10 else f"{value:,.0f}×"

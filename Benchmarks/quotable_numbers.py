"""The numbers that the documentation may quote, by name. quoted_numbers.py puts them in."""

import json
import math
import pathlib

from results import duration, significant

COUNTS = pathlib.Path(__file__).resolve().parent / "Baseline" / "counts.json"


def time_of(title, implementation="ours"):
    return lambda results: short_duration(results.time(title, implementation))


def beyond(title, floor, implementation="ours"):
    return lambda results: short_duration(results.time(title, implementation) - results.time(title, floor))


def times(title, divisor):
    return lambda results: factor(results.time(title) / results.time(divisor))


def memory(title):
    return lambda results: factor(results.memory(title))


def short_duration(nanoseconds):
    return None if math.isnan(nanoseconds) else duration(nanoseconds, 2)


def factor(value):
    return None if math.isnan(value) else significant(value, 2)


def kilobytes(value):
    return None if math.isnan(value) else f"{significant(value / 1e3, 2)} KB"


def program_size(name):
    def text(results):
        size = results.context.get("programSizes", {}).get(name)
        return f"{size / 1e6:.1f} MB" if size else None

    return text


def line(interval, implementation="ours"):
    return beyond(f"edit to line/1KB/rename/{interval}/median", "raw inotify", implementation)


# What the documentation may quote of a run: a text for each name, or None if the run has not measured it.
REPORTED = {
    "read.port": time_of("read/session.port/alone"),
    "read.port.threads": time_of("read/session.port/2 threads"),
    "read.mutex.threads": time_of("read/session.port/2 threads", "Mutex"),
    "read.keypath.factor": times("read/a key path of run time/alone", "read/session.port/alone"),
    "update": time_of("update/100 B/median"),
    "update.1000": time_of("scale/update/1000 keys"),
    "update.10000": time_of("scale/update/10000 keys"),
    "edit.callback": time_of("edit to callback/1KB/rename/rested/median"),
    "edit.line.at.once": line("at once"),
    "edit.line.rested": line("rested"),
    "edit.line.idle": line("after 50 ms"),
    "edit.line.file": line("rested", "raw inotify with the file"),
    "watch.memory": lambda results: kilobytes(results.counter("watch/10000 files, 100 folders", "allocatedBytes")),
    "json.replace": time_of("replace/100000 short keys"),
    "json.insert": time_of("insert/100000 short keys"),
    "json.memory.mixed": memory("parse/mixed/1MB"),
    "json.memory.keys": memory("parse/100000 short keys"),
    "json.memory.most": memory("parse/smallest containers/1MB"),
    "start": time_of("command/start/median"),
    "start.dynamic": time_of("command/start/median", "dynamic"),
    "start.true": time_of("command/start/median", "true"),
    "size": program_size("as installed"),
    "size.dynamic": program_size("with the toolchain's libraries"),
}


def instructions(case):
    return lambda counts: f"{counts[case]:,.0f}" if case in counts else None


def instructions_ratio(case, divisor):
    return lambda counts: factor(counts.get(case, math.nan) / counts.get(divisor, math.nan))


# What it may quote of the table of counts.
COUNTED = {
    "read.port.instructions": instructions("read/session.port"),
    "save.unmarked.factor": instructions_ratio("save/1000 unmarked structs", "save/1000 structs"),
}


def measured_numbers(results):
    return texts(REPORTED, results)


class RecordingResults:
    """Results that have nothing, and note what they are asked for."""

    def __init__(self):
        self.asked = []
        self.context = {"programSizes": self}

    def time(self, title, implementation="ours"):
        return self.note("time", title, implementation)

    def memory(self, title):
        return self.note("memory", title)

    def counter(self, title, name, implementation="ours"):
        return self.note(name, title, implementation)

    def get(self, program):
        self.note("size", program)

    def note(self, measure, *names):
        self.asked.append(f"{measure} of {'/'.join(names)}")
        return math.nan


def sources_of_numbers():
    """What the number of each name is computed from, in the order in which it is used."""
    found = {}
    for name, text in sorted(REPORTED.items()):
        results = RecordingResults()
        text(results)
        found[name] = results.asked
    return found


def counted_numbers(path=COUNTS):
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return texts(COUNTED, {case: costs["instructions"] for case, costs in cases.items()})


def texts(names, source):
    found = {name: text(source) for name, text in sorted(names.items())}
    return {name: text for name, text in found.items() if text is not None}

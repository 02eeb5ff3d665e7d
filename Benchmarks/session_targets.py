"""Targets of sessions, watches, stored values, commands and files."""

import target_notes as notes
from results import OURS, duration, ratio
from target import Target, against


def read_targets(results):
    for what in ("session.port", "read { $0.port }"):
        alone, in_pairs, with_writer = (
            results.time(f"read/{what}/{concurrency}") for concurrency in ("alone", "2 threads", "1000 writes a second")
        )
        yield Target(what, alone, 2.5, duration, note=notes.ABSOLUTE)
        yield Target(f"{what}: two threads ÷ one", in_pairs / alone, 1.3, ratio)
        yield Target(f"{what}: with 1,000 publishes a second ÷ without", with_writer / alone, 1.5, ratio)
        yield Target(f"{what}, allocations", results.counter(f"read/{what}/alone", "allocations"), 0, "{:.0f}".format)
    for concurrency, words, limit in (("alone", "alone", 6), ("2 threads", "two threads", 30)):
        title = f"read/session.port/{concurrency}"
        yield against(f"session.port, {words}", results, title, "Mutex", least=limit, note=notes.MUTEX)
    time = results.time("read/session.snapshot/alone")
    yield Target("session.snapshot", time, 25, duration, note=notes.ABSOLUTE)
    time = results.time("read/three levels of JSON/alone")
    yield Target("look up three levels of JSON", time, 60, duration, note=notes.ABSOLUTE)
    for what in ("present", "missing"):
        time = results.time(f"read/one key as a type, {what}/alone")
        yield Target(f"read one key as a type, {what}", time, 60, duration, note=notes.ABSOLUTE)


def reload_targets(results):
    for size in ("1MB", "10MB"):
        what, title, name = f"reload {size} of JSON", f"scale/reload/{size}", "read and compare"
        yield against(what, results, title, name, most=3, note=notes.RELOAD_JSON)


def stored_targets(results):
    title = "stored/a plain value/read"
    limits = (
        ("a static parameter", OURS, 5), ("@Stored", "@Stored", 5), ("view.burst", "view.burst", 6),
        ("a key path of StandardSession", "session.showColumn", 5),
    )  # fmt: skip
    for name, by, limit in limits:
        yield Target(f"read {name}", results.time(title, by), limit, duration, note=notes.ABSOLUTE)
    yield against("read an array by @Stored", results, "stored/an array/read", "session.names", most=1.25)
    title = "stored/set until visible"
    for name, by in (("@Stored", OURS), ("a static parameter", "static parameter")):
        yield Target(f"set {name}, until visible", results.time(title, by), 5_000, duration, note=notes.ABSOLUTE)


# A reader of the directory alone misses what is written to the file by its other names and mounts; the second one does
# not, as a session and `sessionctl watch` do not.
READERS = ("raw inotify", "raw inotify with the file")


def beyond(results, what, title, *readers, limit, note):
    """By how much a median exceeds that of each reader."""
    for reader in readers:
        time = results.time(title) - results.time(title, reader)
        yield Target(f"{what}: median beyond {reader}", time, limit, duration, note=note)


def latency_targets(results):
    for method in ("write+close", "rename"):
        for interval in ("at once", "rested"):
            title = f"edit to callback/1KB/{method}/{interval}/median"
            what = f"edit to callback, 1 KB, {method}, {interval}"
            yield from beyond(results, what, title, *READERS, limit=60_000, note=notes.EDIT_TO_CALLBACK)
            for count in (1_000, 10_000):
                what = f"edit to callback, one of {count:,} structs, {method}, {interval}"
                title = f"edit to callback/{count} structs/{method}/{interval}/median"
                name, note = "JSONDecoder for all", notes.EDIT_OF_MANY
                yield against(what, results, title, "JSONDecoder", most=0.08, name=name, note=note)
    for layout in ("one folder", "100 folders"):
        crowd = f"10000 sessions, {layout}"
        yield Target(f"open {crowd}", results.time(f"open/{crowd}"), 3e9, duration, note=notes.ABSOLUTE)
        sizes = (results.counter(f"open/{crowd}", "resultBytes", name) for name in (OURS, "plain reading"))
        yield Target(f"each of {crowd}, bytes beside its data", next(sizes) - next(sizes), 16_384, "{:,.0f}".format)
        yield against(f"edit among {crowd}", results, f"edit to callback/{crowd}/median", "one session", most=1.5)


def watch_targets(results):
    for edit in ("write+close in place", "rename"):
        title = f"edit to handler/{edit}/soon/median"
        yield from beyond(
            results, f"edit to handler, {edit}", title, "raw inotify", limit=30_000, note=notes.ABSOLUTE
        )
    crowd = "10000 files, 100 folders"
    size = results.counter(f"watch/{crowd}", "allocatedBytes")
    yield Target(f"each watch of {crowd}, bytes of malloc", size, 2_048, "{:,.0f}".format)
    for edit in ("write+close in place", "rename"):
        title = f"edit to handler/{edit}/{crowd}/median"
        yield against(f"edit among {crowd}, {edit}", results, title, "one file", most=1.5)


def command_targets(results):
    for method in ("write+close", "rename"):
        for interval in ("at once", "rested", "after 50 ms"):
            title = f"edit to line/1KB/{method}/{interval}/median"
            what = f"sessionctl watch, {method}, {interval}"
            yield from beyond(results, what, title, *READERS, limit=150_000, note=notes.WATCH_LINES)
    for size in ("1KB", "130KB", "1.3MB"):
        yield against(f"sessionctl get, {size}", results, f"command/get/{size}/median", "jq", least=1)
        durable, name = "jq, sync, mv, sync", "jq with the same durability"
        yield against(f"sessionctl set, {size}", results, f"command/set/{size}/median", durable, least=1, name=name)


def replace_targets(results):
    for size in ("1KB", "1MB"):
        what, title = f"replace {size}, durable", f"replace/{size}/durable/median"
        yield against(what, results, title, "bare minimum", most=1.25, note=notes.REPLACE)


def save_targets(results):
    for size in ("100 B", "10 KB"):
        time = results.time(f"update/{size}/median")
        yield Target(f"update of a value of {size}, until visible", time, 3_000, duration, note=notes.ABSOLUTE)
    title = "update/100 B/after 50 ms/median"
    for name, by, limit in (("", OURS, 80_000), (" in memory", "in memory", 45_000)):
        time, what = results.time(title, by), f"update of a value{name} after a rest of 50 ms"
        yield Target(what, time, limit, duration, note=notes.UPDATE_AFTER_REST)
    yield against("commit 1 KB", results, "commit/1KB/median", "bare minimum", most=1.5, note=notes.COMMIT)
    yield against("commits of eight threads, each", results, "commit/8 threads/median", "one thread", least=3)
    for commits in (10_000, 50_000):
        title = f"commit/after {commits}/median"
        if results.get(title):
            yield against(f"a commit after {commits:,}", results, title, "the first", most=1.5)


def store_targets(results):
    for count in (10_000, 30_000, 100_000):
        title = f"save/{count} objects/median"
        if results.get(title):
            factor = results.time(title) / results.time("save/1000 objects/median")
            yield Target(f"save an object among {count:,} ÷ among 1,000", factor, 1.5, ratio)

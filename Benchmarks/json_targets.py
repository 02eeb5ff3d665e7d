"""Targets of parsing, objects and coding."""

import target_notes as notes
from results import OURS, duration, ratio
from target import Target, against, faster


def parse_targets(results):
    mixed = "parse/mixed/1MB"
    time = results.time(mixed)
    speed = results.counter(mixed, "inputBytes") * 1e3 / time
    yield Target("parse mixed, MB/s", speed, 800, "{:,.0f}".format, at_least=True, note=notes.ABSOLUTE)
    for shape in ("mixed", "numbers", "strings"):
        title = f"parse/{shape}/1MB"
        for other, limit in (("JSONSerialization", 8), ("JSON.parse", 1.5)):
            note = notes.STRINGS if shape == "strings" else ""
            yield against(f"parse {shape}", results, title, other, least=limit, note=note)
    for shape in ("mixed", "strings", "numbers", "wide"):
        title = f"parse/{shape}/1MB"
        allocations = results.counter(title, "allocations") / results.counter(title, "scalars")
        yield Target(f"parse {shape}, allocations per scalar", allocations, 0.3, "{:.2f}".format)
    yield Target("memory of mixed ÷ its text", results.memory(mixed), 2, ratio)
    for name in ("strings/1MB", "numbers/1MB", "wide/1MB", "100000 short keys", "100000 long keys"):
        memory = results.memory("parse/" + name)
        yield Target(f"memory of {name} ÷ its text", memory, 3.2, "{:.3f}×".format, note=notes.MEMORY_OF_KEYS)


def object_targets(results):
    for keys, limits in (("short keys", (35, 150)), ("long keys", (75, 300))):
        for count, limit in zip((10, 100_000), limits):
            for outcome in ("hit", "miss"):
                time = results.time(f"lookup/{outcome}/{count} {keys}")
                yield Target(f"look up among {count:,} {keys}, {outcome}", time, limit, duration, note=notes.ABSOLUTE)
    for operation in ("replace", "insert"):
        for keys in ("short keys", "long keys"):
            large, small = (results.time(f"{operation}/{count} {keys}") for count in (100_000, 1_000))
            yield Target(f"{operation} among 100,000 {keys}, a copy alive", large, 5_000, duration, note=notes.ABSOLUTE)
            yield Target(f"{operation} among 100,000 {keys} ÷ among 1,000", large / small, 3, ratio)


def coding_targets(results):
    yield from small_root_targets(results)
    for count in (1_000, 10_000):
        yield from many_structs_targets(results, f"{count} keys", f"{count:,} structs")


def small_root_targets(results):
    title = "{}/typical root/{}".format
    tree = results.time(title("decode", "bytes"), "JSONDecoder") / results.time(title("decode", "value"))
    yield faster("decode a root of 1 KB from its tree: JSONDecoder ÷ ours", tree, 2)
    text = title("decode", "bytes")
    yield against("decode a root of 1 KB from its text", results, text, "JSONDecoder", least=2)
    # A save needs the encoded tree and edits the text of the file, so the goals are those of the tree.
    tree = results.time(title("encode", "bytes"), "JSONEncoder") / results.time(title("encode", "value"))
    what = "encode a root of 1 KB to its tree, without its text: JSONEncoder ÷ ours"
    yield faster(what, tree, 2.5)


def many_structs_targets(results, size, structs):
    title = f"scale/decode/{size}"
    tree = results.time(title, "JSONDecoder") / results.time(title, "ours, from its tree")
    yield faster(f"decode {structs} from their tree: JSONDecoder ÷ ours", tree, 2)
    yield against(f"decode {structs} from their text", results, title, "JSONDecoder", least=2)
    what = f"encode {structs} to their tree, without its text"
    yield against(what, results, f"scale/encode/{size}", "JSONEncoder", least=2.5)
    yield from changed_structs_targets(results, size, structs, "root")
    yield from changed_structs_targets(results, size, f"{structs} in an array", "array")


def changed_structs_targets(results, size, structs, root):
    title = f"scale/reload typed {root}/{size}"
    what, name = f"reload one of {structs}, without watching", "JSONDecoder for all"
    yield against(what, results, title, "JSONDecoder", most=0.08, name=name, note=notes.EDIT_OF_MANY)
    yield one_more_or_less("reload", results, title, structs)
    for operation, whose, most, note in (
        ("save typed", structs, 0.15, notes.SAVE_OF_MANY),
        ("save unmarked", f"{structs} that cannot be compared by their bytes", 0.4, notes.SAVE_OF_UNMARKED),
    ):
        title = f"scale/{operation} {root}/{size}"
        ours, foundation, least = (results.time(title, by) for by in (OURS, "JSONEncoder", "bare minimum"))
        what = f"save one of {whose}, both beyond the bare replacement: JSONEncoder for all ÷ ours"
        yield faster(what, (foundation - least) / (ours - least), 1 / most, note)
        yield one_more_or_less("save", results, title, whose)


def one_more_or_less(operation, results, title, structs):
    times = results.time(title, "one more or less") / results.time(title)
    return Target(f"{operation} one more or less of {structs} ÷ one that changes", times, 2, ratio, note=notes.RESIZED)

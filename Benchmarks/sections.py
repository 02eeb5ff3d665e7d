"""What the report says: blocks from the results of a run and from the history."""

import collections
import math

import floors
import growth
import plots
from history import HistoryError, read, runs_of, trends
from markup import Heading, Paragraph, Plot, Table
from results import ratio
from table import CASE_HEAD, TARGET_HEAD, case_rows, target_rows
from targets import all_targets

NOT_MEASURED = "Not measured in this run."
TRACKED = (
    ("read/session.port/alone", "Mutex"),
    ("read/session.port/2 threads", "Mutex"),
    ("parse/mixed/1MB", "JSONSerialization"),
    ("parse/mixed/1MB", "JSON.parse"),
    ("decode/typical root/bytes", "JSONDecoder"),
    ("encode/typical root/bytes", "JSONEncoder"),
    ("edit/one value/1MB", "fresh parse"),
    ("edit to callback/1KB/rename/at once/median", "raw inotify"),
    ("replace/1KB/durable/median", "bare minimum"),
    ("commit/1KB/median", "bare minimum"),
    ("stored/a plain value/read", "UserDefaults"),
)


def blocks(run, history_directory):
    results = run.results
    return [
        *summary(run),
        Heading("Read latency"), *read_latency(results),
        Heading("Threads"), *threads(results),
        Heading("Reads during reload storms"), *storms(results),
        Heading("Edit to callback"), *edit_to_callback(results),
        Heading("Edit to handler"), *edit_to_handler(results),
        Heading("Distance from the floor"), *distances(results),
        Heading("Growth"), *growths(results),
        Heading("Targets"), *targets(results),
        Heading("History"), *history(history_directory),
        Heading("All cases"), *cases(results),
    ]


def summary(run):
    info, machine = run.info, run.info["machine"]
    kind = "virtual, " if machine["isVirtual"] else ""
    yield Paragraph(
        f"Commit `{info['commit']}`, {info['date'][:10]}, on {machine['processors']} × {machine['processor']}"
        f" ({kind}Linux {machine['kernel']}, {machine['swift']}). Only ratios within a run are meaningful;"
        " `Benchmarks/README.md` describes the cases."
        + (f" The run took {info['seconds'] / 60:.0f} minutes, builds included." if "seconds" in info else "")
    )
    if info["options"]:
        yield Paragraph(f"**A run with `{' '.join(info['options'])}`: fewer cases and repetitions.**")
    met = [target.is_met for target in all_targets(run.results)]
    worse = sum(item.is_worse for item in growth.ours(run.results))
    yield Paragraph(
        f"Of {len(met)} targets, {met.count(True)} are met, {met.count(False)} missed, {met.count(None)} not measured."
        f" {worse or 'No'} cost{'s grow' if worse > 1 else ' grows'} faster than documented."
    )


def plot(name, description, svg):
    return [Plot(name, description, svg)] if svg else [Paragraph(NOT_MEASURED)]


def read_latency(results):
    text = "The time of a read by variant, on a logarithmic scale"
    return plot("read-latency", text, plots.read_latency(results))


def threads(results):
    return plot("threads", "The time of a read by the number of threads", plots.threads(results))


def storms(results):
    text = "The share of reads that took longer than a time, while the file is reloaded all the time"
    return plot("storm", text, plots.tails(results, "storm/read/", "storm", "time of a read"))


def edit_to_callback(results):
    text = "The share of edits of a file of 1 KB that had reached the callback, or a raw inotify reader, after a time"
    names = {"ours": "callback of a session"}
    label = "from the edit to the callback"
    drawing = plots.distributions(results, "edit to callback/1KB/", "edit-to-callback", names, label)
    return plot("edit-to-callback", text, drawing)


def edit_to_handler(results):
    text = "The share of edits that had reached the handler of a watch, or a raw inotify reader, after a time"
    names = {"ours": "by libinotifytools", "kernelInotify": "by the kernel's inotify"}
    label = "from the edit to the handler"
    drawing = plots.distributions(results, "edit to handler/", "edit-to-handler", names, label)
    return plot("edit-to-handler", text, drawing)


def distances(results):
    rows = [distance.cells for distance in floors.distances(results)]
    if not rows:
        return [Paragraph(NOT_MEASURED)]
    text = (
        "A floor is the time of an implementation that does the least that must be done, in the same run. Raw inotify and"
        " the clock are subtracted; other floors divide."
    )
    missing = [Paragraph(f"{number} cases have no floor. {reason}") for number, reason in floors.without_floor(results)]
    return [Paragraph(text), Table(["case", "time", "floor", "its time", "distance"], rows), *missing]


def growths(results):
    found = growth.ours(results)
    if not found:
        return [Paragraph(NOT_MEASURED)]
    text = (
        f"Exponents are fitted to the last {growth.DECADES} decades of each axis: 0 means that a cost does not depend"
        " on the size, 1 that it is proportional to the size. A warning means that an exponent exceeds the documented"
        f" one, and that of the floor in the same run, by more than {growth.MARGIN}."
    )
    head = ["cost", "axis", "sizes", "exponent", "documented", "that of the floor", ""]
    table = Table(head, [growth_cells(item) for item in found])
    drawing = plots.growth_by_size(results)
    return [Paragraph(text), *plot("growth", "Time against size, both on logarithmic scales", drawing), table]


def growth_cells(item):
    sizes = f"{item.points[0][0]:,.0f} to {item.points[-1][0]:,.0f}"
    documented = "not documented" if item.documented is None else f"≤ {item.documented}"
    fitted = "too few sizes" if math.isnan(item.exponent) else f"{item.exponent:.2f}"
    floor = f"{item.floor:.2f}" if math.isfinite(item.floor) else ""
    return [item.operation, item.axis, sizes, fitted, documented, floor, "**WARNING**" if item.is_worse else ""]


def targets(results):
    """The table, and why targets are missed: each reason with its targets."""
    notes = collections.defaultdict(list)
    for target in all_targets(results):
        if target.is_met is False:
            notes[target.note or "No reason is known."].append(target.what)
    reasons = [Paragraph(f"Missed: {'; '.join(missed)}. {note}") for note, missed in notes.items()]
    return [Table(TARGET_HEAD, target_rows(results)), *reasons]


def history(directory):
    try:
        entries = read(directory)
    except HistoryError as error:
        return [Paragraph(f"**Damaged: {error}**")]
    found = list(trends(entries, TRACKED))
    drawing = plots.ratios(runs_of(entries), found)
    if not drawing:
        return [Paragraph("Ratios over commits are plotted once the history has two full runs.")]
    text = (
        "A ratio is the time of another implementation in multiples of ours: higher is better, whatever the machine. The"
        " plot divides each by that of its first run. The last run is better or worse if its ratio differs by more than a"
        " tenth from all earlier ones; also worse if the last three are worse than the first three by more than a tenth."
    )
    rows = [
        [one.case, one.contender, ratio(min(one.earlier)), ratio(max(one.earlier)), ratio(one.last), one.verdict]
        for one in found
    ]
    table = Table(["case", "against", "least so far", "most so far", "now", ""], rows)
    return [Paragraph(text), Plot("history", "Ratios over the commits of the history", drawing), table]


def cases(results):
    return [Table(CASE_HEAD, rows)] if (rows := case_rows(results)) else [Paragraph(NOT_MEASURED)]

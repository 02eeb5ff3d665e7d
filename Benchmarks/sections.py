"""What the report says: blocks from the results of a run and from the history."""

import floors
import growth_section
import plots
import target_section
from history_section import Past, changes, history
from markup import Heading, Paragraph, Plot, Table
from table import CASE_HEAD, case_rows

NOT_MEASURED = "Not measured in this run."


def blocks(run, history_directory):
    """What matters first, then plots, then long tables."""
    results, past = run.results, Past(history_directory)
    return [
        *summary(run, past),
        Heading("Missed targets"), *target_section.missed(results),
        Heading("Growth"), *(growth_section.table(results) or [Paragraph(NOT_MEASURED)]),
        Heading("Trends"), *changes(past),
        Heading("Read latency"), *read_latency(results),
        Heading("Threads"), *threads(results),
        Heading("Reads during reload storms"), *storms(results),
        Heading("Edit to callback"), *edit_to_callback(results),
        Heading("Edit to handler"), *edit_to_handler(results),
        Heading("Time against size"), *(growth_section.plot(results) or [Paragraph(NOT_MEASURED)]),
        Heading("History"), *history(past),
        Heading("Distance from the floor"), *distances(results),
        Heading("Other targets"), *target_section.others(results),
        Heading("All cases"), *cases(results),
    ]


def summary(run, past):
    info, machine = run.info, run.info["machine"]
    kind = "virtual, " if machine["isVirtual"] else ""
    yield Paragraph(
        f"Commit `{info['commit']}`, {info['date'][:10]}, on {machine['processors']} × {machine['processor']}"
        f" ({kind}Linux {machine['kernel']}, {machine['swift']}). Only ratios within a run are meaningful;"
        " `Benchmarks/README.md` describes the cases."
        + (f" The run took {info['seconds'] / 60:.0f} minutes of at most 20, builds included." if "seconds" in info else "")
    )
    if info["options"]:
        yield Paragraph(f"**A run with `{' '.join(info['options'])}`: fewer cases and repetitions.**")
    yield Paragraph(
        target_section.sentence(run.results) + growth_section.sentence(run.results)
        + (f" {past.sentence}" if past.judged else "")
    )


def plot(name, description, svg):
    return [Plot(name, description, svg)] if svg else [Paragraph(NOT_MEASURED)]


def read_latency(results):
    text = "The time of a read by variant, on a logarithmic scale"
    return plot("read-latency", text, plots.read_latency(results))


def threads(results):
    return plot("threads", "The time of a read by the number of threads", plots.threads(results))


def storms(results):
    text = (
        "The share of reads that took longer than a time, while the file is reloaded all the time. Times at the left are below"
        " the resolution of the clock, whose own share is that of the clock alone"
    )
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


def cases(results):
    return [Table(CASE_HEAD, rows)] if (rows := case_rows(results)) else [Paragraph(NOT_MEASURED)]

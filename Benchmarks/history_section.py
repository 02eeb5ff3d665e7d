"""What the report says about the history."""

import math

import plots
import trend_notes
import trends
from history import HistoryError, read
from markup import Paragraph, Plot, Table
from reasons import paragraphs
from results import ratio

TRACKED = (
    ("read/session.port/alone", "Mutex"),
    ("read/session.port/2 threads", "Mutex"),
    ("read/session.snapshot/alone", "Mutex"),
    ("read/three levels of JSON/alone", "Mutex"),
    ("stored/a plain value/read", "UserDefaults"),
    ("stored/a plain value/read, by @Stored", "UserDefaults"),
    ("stored/set until visible", "UserDefaults"),
    ("parse/mixed/1MB", "JSONSerialization"),
    ("parse/mixed/1MB", "JSON.parse"),
    ("decode/typical root/bytes", "JSONDecoder"),
    ("encode/typical root/bytes", "JSONEncoder"),
    ("edit/one value/1MB", "fresh parse"),
    ("scale/reload typed root/1000 keys", "JSONDecoder"),
    ("scale/save typed root/1000 keys", "JSONEncoder"),
    ("update/100 B/after 50 ms/median", "in memory"),
    ("edit to callback/1KB/rename/at once/median", "raw inotify"),
    ("replace/1KB/durable/median", "bare minimum"),
    ("commit/1KB/median", "bare minimum"),
)
DIRECTION = (
    "A ratio is the time of another implementation divided by ours, here as in the table of all cases: higher is better,"
    " whatever the machine."
)


class Past:
    """The trends of all pairs of a case and a contender, or why there are none."""

    def __init__(self, directory):
        self.damage = None
        try:
            entries = read(directory)
        except HistoryError as error:
            entries, self.damage = [], str(error)
        self.runs = trends.runs_of(entries)
        self.machines = trends.machines_of(entries)
        self.all = trends.all_trends(entries)
        self.judged = trends.judged(self.all)
        self.flagged = sorted((trend for trend in self.judged if trend.verdict), key=lambda trend: trend.factor)

    def number(self, verdict):
        return sum(trend.verdict == verdict for trend in self.flagged)

    @property
    def showing_a_fifth(self):
        return sum(trend.shows_a_fifth for trend in self.judged)

    @property
    def sentence(self):
        worse, better = self.number(trends.WORSE), self.number(trends.BETTER)
        return (
            f"Of {len(self.judged)} ratios, {f'**{worse}**' if worse else 'none'} became worse than in earlier runs by more"
            f" than their noise, {better or 'none'} better. Only in {self.showing_a_fifth} is the noise small enough to show a"
            " drift by a fifth."
        )


def changes(past):
    """The pairs that have changed by more than their noise, the worst first, and why."""
    if past.damage:
        return [Paragraph(f"**Damaged: {past.damage}**")]
    if not past.judged:
        return [Paragraph(f"Trends are judged once {trends.FEWEST} full runs have a case.")]
    rare = sum(trends.is_rare(trend) for trend in past.all)
    waiting = sum(trends.waits(trend) for trend in past.all)
    text = (
        f"Of {len(past.all)} pairs of a case and a contender, {len(past.judged)} are judged, which the last run and at least"
        f" {trends.FEWEST} runs have: {past.number(trends.WORSE)} are worse, {past.number(trends.BETTER)} better, as listed"
        f" below; {past.number(trends.CHANGED)} have changed, which means that another way of this library may be slower. In"
        f" {past.showing_a_fifth} of {len(past.judged)} pairs, the noise is small enough to show a drift by a fifth."
    )
    left_out = (
        f"{rare} pairs are left out because they are percentiles of rare events or maxima, which are too noisy, and"
        f" {waiting} because the contender ({', '.join(trends.WAITING)}) waits a fixed time, so that their ratio is a time of"
        " ours in disguise, which depends on the machine."
    )
    rules = (
        f"Of the last {trends.WINDOW} runs at most, the median of the last {trends.GROUP} is compared with that of the first"
        f" {trends.GROUP} (the first runs) and with the best median of any {trends.GROUP} successive runs before them (the"
        f" best earlier runs; worse only), and the last run with the median of the {trends.BEFORE} before it, if it lies"
        " beyond all of them (the runs before). A pair is listed if one of these differs by more than a tenth and several"
        " times its own noise from run to run, so many that noise alone lets, on average, less than one of 300 pairs appear. Noise is"
        " found without the largest step, or the two largest for the best earlier runs. A pair that is worse by one"
        " comparison and better by another is worse."
    )
    advice = (
        "If ours has changed, other contenders of the case have the same factor between the same runs. If theirs is about 1,"
        " the contender has changed, or the machine: a faster memory or kernel shortens some implementations more than others."
    )
    head = ["case", "against", "compared with", "before", "now", "factor", "others of the case", ""]
    table = Table(head, [change_cells(trend, past) for trend in past.flagged])
    parts = (text, left_out, rules, machine_sentence(past.machines), f"{DIRECTION} {advice}")
    paragraphs = [Paragraph(words) for words in parts if words]
    return [*paragraphs, *([table, *reasons(past)] if past.flagged else [])]


def machine_sentence(machines):
    """Whether the last run can be compared with those before."""
    others, unknown = trends.other_machines(machines)
    name = ", ".join(filter(None, machines[-1]))
    text = f"The last run was on {name}."
    if others:
        text += f" **Of the {len(machines[-trends.WINDOW:]) - 1} runs before, {others} were on another machine or kernel.**"
    if unknown:
        text += f" Whether {unknown} of the runs before were on the same one is not known: no model or kernel was recorded."
    return text


def change_cells(trend, past):
    before, now = (ratio(value) for value in trend.compared)
    others = trends.others_of_case(trend, past.judged)
    return [
        trend.case, trend.contender, trend.comparison.basis, before, now, ratio(trend.factor),
        "" if math.isnan(others) else ratio(others), trend.verdict,
    ]  # fmt: skip


def reasons(past):
    """Each with the pairs that are worse by it."""
    worse = [trend for trend in past.flagged if trend.verdict == trends.WORSE]
    pairs = ((f"{trend.case} against {trend.contender}", trend_notes.note(trend)) for trend in worse)
    return paragraphs("Worse", pairs)


def history(past):
    found = {(trend.case, trend.contender): trend for trend in past.all}
    tracked = [found[pair] for pair in TRACKED if pair in found and len(found[pair].points) > 1]
    drawing = plots.ratios(past.runs, tracked)
    if not drawing:
        return [Paragraph("Ratios over commits are plotted once the history has two full runs.")]
    text = f"{DIRECTION} The plot divides each by that of its first run. The verdicts are those of the section on trends."
    rows = [
        [one.case, one.contender, ratio(min(one.earlier)), ratio(max(one.earlier)), ratio(one.last), one.verdict]
        for one in tracked
    ]
    table = Table(["case", "against", "least before", "most before", "now", ""], rows)
    return [Paragraph(text), Plot("history", "Ratios over the commits of the history", drawing), table]

"""What the report says about the history."""

import math

import plots
import trends
from history import HistoryError, read
from markup import Paragraph, Plot, Table
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
        self.all = trends.all_trends(entries)
        self.judged = trends.judged(self.all)
        self.flagged = sorted((trend for trend in self.judged if trend.verdict), key=lambda trend: trend.factor)

    def number(self, verdict):
        return sum(trend.verdict == verdict for trend in self.flagged)

    @property
    def sentence(self):
        worse, better = self.number(trends.WORSE), self.number(trends.BETTER)
        return (
            f"Of {len(self.judged)} ratios, {f'**{worse}**' if worse else 'none'} became worse than in earlier runs by more"
            f" than their noise, {better or 'none'} better."
        )


def changes(past):
    """The pairs that have changed by more than their noise, the worst first."""
    if past.damage:
        return [Paragraph(f"**Damaged: {past.damage}**")]
    if not past.judged:
        return [Paragraph(f"Trends are judged once {trends.FEWEST} full runs have a case.")]
    rare = sum(trends.is_rare(trend) for trend in past.all)
    fine = sum(trend.shows_a_fifth for trend in past.judged)
    text = (
        f"All {len(past.judged)} pairs of a case and a contender were looked at that at least {trends.FEWEST} runs have, of"
        f" {len(past.all)}: {past.number(trends.WORSE)} are worse, {past.number(trends.BETTER)} better, as listed below;"
        f" {past.number(trends.CHANGED)} have changed, which means that another way of this library may be slower."
        f" {rare} are percentiles of rare events or maxima, which are left out: they are too noisy."
        f" A pair is listed if the medians of its first and last {trends.GROUP} runs, of {trends.WINDOW} at most, differ by"
        " more than a tenth and several times its own noise from run to run, so many that noise alone lets less than one of"
        " 300 pairs appear; or if the last run differs as clearly from all others. In"
        f" {fine} pairs, the noise is small enough to show a drift by a fifth."
    )
    advice = (
        "If ours has changed, other contenders of the case have the same factor. If theirs is about 1, the contender has"
        " changed, or the machine: a faster memory or kernel shortens some implementations more than others."
    )
    head = ["case", "against", "first", "last", "factor", "others of the case", ""]
    table = Table(head, [change_cells(trend, past) for trend in past.flagged])
    return [Paragraph(text), Paragraph(DIRECTION + " " + advice), *([table] if past.flagged else [])]


def change_cells(trend, past):
    first, last = (ratio(value) for value in trend.compared)
    others = trends.others_of_case(trend, past.judged)
    return [
        trend.case, trend.contender, first, last, ratio(trend.factor), "" if math.isnan(others) else ratio(others),
        trend.verdict,
    ]


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
    table = Table(["case", "against", "least so far", "most so far", "now", ""], rows)
    return [Paragraph(text), Plot("history", "Ratios over the commits of the history", drawing), table]

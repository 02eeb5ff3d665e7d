"""Figures of matplotlib as SVG: small, the same bytes for the same data, and readable on white and on black."""

import io
import re

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot  # noqa: E402
from matplotlib import ticker  # noqa: E402

from results import duration  # noqa: E402

INK, GRID, PAPER = "#222222", "#dddddd", "#ffffff"
COLORS = ("#1f6fd6", "#c2571a", "#7a7a7a", "#23915a", "#a04fc4", "#b58a00")
# Series are distinguished by dashes as well as colors, and when these begin again, by markers.
DASHES = ("-", "--", ":", "-.", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 3)))
MARKERS = (".", "x", "^")
# Style sheets override attributes where they are understood; elsewhere, the plot is dark on white.
DARK = (
    f'[style*="fill: {INK}"]{{fill:#e4e4e4!important}}[style*="stroke: {INK}"]{{stroke:#e4e4e4!important}}'
    f'[style*="stroke: {GRID}"]{{stroke:#3a3a3a!important}}[style*="fill: {PAPER}"]{{fill:#16181c!important}}'
)
STYLE = f"<style>@media (prefers-color-scheme: dark){{{DARK}}}</style>"
POINTS = 80

matplotlib.rcParams.update({
    "svg.fonttype": "none",
    "font.family": ["DejaVu Sans"],
    "font.size": 10,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.titlesize": 10,
    "axes.edgecolor": "#888888",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "xtick.color": "#888888",
    "xtick.labelcolor": INK,
    "ytick.color": "#888888",
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "figure.facecolor": PAPER,
    "axes.facecolor": "none",
    "axes.titlelocation": "left",
    "lines.linewidth": 1.8,
})


def grid(count, height=3.6, width=9, **options):
    """A figure with this many panels of this height, in rows of two."""
    rows, columns = -(-count // 2), min(count, 2)
    figure, panels = matplotlib.pyplot.subplots(rows, columns, figsize=(width, rows * height), squeeze=False, **options)
    for panel in panels.flat[count:]:
        panel.set_visible(False)
    return figure, list(panels.flat[:count])


def text_of(figure, name):
    """The SVG of a figure, which is closed."""
    matplotlib.rcParams["svg.hashsalt"] = name
    file = io.StringIO()
    figure.tight_layout()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    matplotlib.pyplot.close(figure)
    text = file.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*">', "<g>", text)
    text = re.sub(r"\s*\n\s*", "\n", text)
    text = re.sub(r' d="[^"]*"', lambda match: re.sub(r"(\.\d\d)\d+", r"\1", match.group()), text)
    return re.sub(r"(<svg[^>]*>)", lambda match: match.group(1) + STYLE, text, count=1)


def style(number):
    return {"color": COLORS[number % len(COLORS)], "linestyle": DASHES[number % len(DASHES)]}


def marker(number):
    return MARKERS[number // len(COLORS) % len(MARKERS)]


def time_axis(axis):
    """Labels an axis with times in nanoseconds by their units, more densely if it has few decades."""
    low, high = axis.get_view_interval()
    steps = (1, 2, 5) if high < 100 * low else (1,)
    axis.set_major_locator(ticker.LogLocator(subs=steps))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: duration(value)))
    axis.set_minor_formatter(ticker.NullFormatter())


def number_axis(axis, numbers):
    """Labels an axis with these numbers only."""
    axis.set_major_locator(ticker.FixedLocator(numbers))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axis.set_minor_locator(ticker.NullLocator())


def thinned(values, count=POINTS):
    """At most this many of the sorted values, with their ranks from 0 to 1; dense at the slow end."""
    ordered, last = sorted(values), max(len(values) - 1, 1)
    if len(ordered) <= count:
        chosen = range(len(ordered))
    else:
        half = count // 2
        even = {round(last * number / (half - 1)) for number in range(half)}
        tail = {round(last * (1 - 10 ** (-number * 5 / half))) for number in range(half)}
        chosen = sorted(even | tail | {last})
    return [ordered[index] for index in chosen], [index / last for index in chosen]

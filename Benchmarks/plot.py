#!/usr/bin/env python3
"""Plots the latency from edit to handler as an SVG: plot.py RESULT.json... >PLOT.svg

Each panel is one edit method and interval, each line the cumulative distribution of one implementation. Plots all
results that include their individual times: `edit to handler/…` of LatencyBenchmarks.
"""

import json
import math
import sys
import xml.sax.saxutils

WIDTH, HEIGHT = 980, 800
PANEL_WIDTH, PANEL_HEIGHT = 390, 260
LEFT, TOP = 75, 110
ACROSS, DOWN = 460, 350
SHORTEST, LONGEST = 1, 1_000  # microseconds; longer times are clamped

# Distinguished by dashes as well as colors, which are readable on white and on black.
IMPLEMENTATIONS = {
    "ours": ("FileWatch by libinotifytools", "#1f6fd6", ""),
    "kernelInotify": ("FileWatch by the kernel’s inotify", "#c2571a", "7 4"),
    "raw inotify": ("raw blocking read of inotify", "#7a7a7a", "2 3"),
}
INTERVALS = {
    "soon": "next edit after half a millisecond, processors awake",
    "rested": "next edit after 2 to 4 ms, processors asleep",
}
STYLE = """
    text { font-family: system-ui, sans-serif; font-size: 13px; fill: #222 }
    .title { font-size: 18px; font-weight: 600 } .panel { font-weight: 600 } .small { font-size: 12px }
    .grid { stroke: #ddd } .frame { stroke: #888; fill: none } .paper { fill: #fff }
    @media (prefers-color-scheme: dark) {
      text { fill: #e4e4e4 } .grid { stroke: #3a3a3a } .frame { stroke: #888 } .paper { fill: #16181c }
    }
"""


def read(paths):
    """Times in microseconds by title and implementation, in the order of measurement."""
    panels = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            entries = json.load(file)["benchmarks"]
        for entry in entries:
            if "times" in entry:
                title, implementation = entry["name"].rsplit("/", 1)
                times = sorted(time / 1e3 for time in entry["times"])
                panels.setdefault(title.removesuffix("/median"), {})[implementation] = times
    return panels


def text(x, y, words, kind="", anchor="start", more=""):
    words = xml.sax.saxutils.escape(words)
    # The attributes are for programs without style sheets.
    weight = ' font-weight="600"' if kind in ("title", "panel") else ""
    size = {"title": 18, "small": 12}.get(kind, 13)
    font = f'font-family="sans-serif" font-size="{size}"{weight} fill="#222"'
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}" {font}{more}>{words}</text>'


class Panel:
    """The plot of one edit method and interval."""

    def __init__(self, title, implementations, x, y):
        self.title, self.implementations, self.left, self.top = title, implementations, x, y

    def across(self, microseconds):
        """The x coordinate, on a logarithmic scale."""
        part = math.log10(min(max(microseconds, SHORTEST), LONGEST) / SHORTEST) / math.log10(LONGEST / SHORTEST)
        return self.left + part * PANEL_WIDTH

    def down(self, part):
        return self.top + (1 - part) * PANEL_HEIGHT

    def draw(self):
        _, kind, interval = self.title.split("/", 2)
        yield text(self.left, self.top - 26, kind, "panel")
        yield text(self.left, self.top - 9, INTERVALS.get(interval, interval), "small")
        yield from self.grid()
        for name, times in self.implementations.items():
            yield self.line(times, *IMPLEMENTATIONS[name][1:])
        yield (
            f'<rect x="{self.left}" y="{self.top}" width="{PANEL_WIDTH}" height="{PANEL_HEIGHT}" class="frame"'
            ' fill="none" stroke="#888"/>'
        )

    def grid(self):
        bottom, right = self.down(0), self.left + PANEL_WIDTH
        for microseconds in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000):
            x = self.across(microseconds)
            yield f'<path d="M{x:.1f} {self.top}V{bottom}" class="grid" stroke="#ddd"/>'
            words = "1 ms" if microseconds == 1_000 else f"{microseconds}"
            yield text(x, bottom + 17, words, "small", "middle")
        for percent in (0, 25, 50, 75, 99):
            y = self.down(percent / 100)
            yield f'<path d="M{self.left} {y:.1f}H{right}" class="grid" stroke="#ddd"/>'
            yield text(self.left - 7, y + 4, f"{percent} %", "small", "end")
        yield text(self.left + PANEL_WIDTH / 2, bottom + 37, "from the edit to the handler, µs", "small", "middle")

    def line(self, times, color, dashes):
        points = [(self.across(times[0]), self.down(0))]
        for number, time in enumerate(times, 1):
            points.append((self.across(time), self.down(number / len(times))))
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        return f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="2" stroke-dasharray="{dashes or "none"}"/>'


def legend(x, y):
    for words, color, dashes in IMPLEMENTATIONS.values():
        yield (
            f'<path d="M{x} {y - 4}h34" fill="none" stroke="{color}" stroke-width="3"'
            f' stroke-dasharray="{dashes or "none"}"/>'
        )
        yield text(x + 42, y, words)
        x += 275


def draw(panels):
    count = max((len(times) for implementations in panels.values() for times in implementations.values()), default=0)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' role="img">'
    )
    title = f"How many of {count:,} edits by another process had reached the handler after a given time"
    yield f"<title>{title}</title>"
    yield f"<style>{STYLE}</style>"
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" class="paper" fill="#fff"/>'
    yield text(LEFT, 30, title, "title")
    yield from legend(LEFT, 56)
    for number, (title, implementations) in enumerate(panels.items()):
        known = {name: implementations[name] for name in IMPLEMENTATIONS if name in implementations}
        yield from Panel(title, known, LEFT + number % 2 * ACROSS, TOP + number // 2 * DOWN).draw()
    yield "</svg>"


def main():
    print("\n".join(draw(read(sys.argv[1:]))))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Prints the cases of two sides that were measured alternately: compare.py NAME DIRECTORY

DIRECTORY holds old-*.json and new-*.json in the form of Google Benchmark. A time is the lower quartile of all repetitions.
`noise` compares the odd rounds of the old side with its even ones: a ratio within it says nothing.
"""

import glob
import math
import sys

from results import Results, duration
from table import print_table


def results(folder, side, rounds="*"):
    return Results(sorted(glob.glob(f"{folder}/{side}-{rounds}-*.json")))


def main():
    name, folder = sys.argv[1:]
    old, new = results(folder, "old"), results(folder, "new")
    odd, even = results(folder, "old", "[13579]"), results(folder, "old", "[02468]")
    rows, ratios = [], []
    for title in old.titles:
        if new.get(title) is None or old.get(title) is None:
            continue
        before, after = old.time(title), new.time(title)
        noise = odd.time(title) / even.time(title)
        ratios.append((after / before, title))
        noise = "" if math.isnan(noise) else f"{max(noise, 1 / noise):.2f}"
        rows.append([title, duration(before), duration(after), f"{after / before:.2f}", noise])
    if not rows:
        sys.exit("compare.py: no case was measured on both sides")
    print_table(["case", name, "now", "now ÷ " + name, "noise"], rows)
    mean = math.exp(sum(math.log(ratio) for ratio, _ in ratios) / len(ratios))
    print(f"\ngeometric mean of {len(ratios)} ratios: {mean:.3f}")


if __name__ == "__main__":
    main()

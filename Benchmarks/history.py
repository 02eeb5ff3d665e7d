#!/usr/bin/env python3
"""Appends the cases of a full run to the history: history.py RESULTS [HISTORY]

RESULTS is a directory written by run.sh; HISTORY, by default History beside this file, has a file for each year with
one line of JSON for each case of each run. Fails, and appends nothing, if a file is damaged or already has the run.
"""

import json
import os
import pathlib
import sys

from machine import short_name
from results import OURS, BenchmarkRun

DIRECTORY = pathlib.Path(__file__).resolve().parent / "History"
FIELDS = {
    "commit": str, "date": str, "machine": str, "case": str,
    "median": (int, float), "quartiles": list, "repetitions": int, "ratios": dict,
}
# What else tells machines apart. Lines written before 2026-11-27 have neither.
OPTIONAL = {"kernel": str, "model": str}


class HistoryError(Exception):
    """A damaged file, or a run that must not be appended."""


def rounded(value):
    """Four significant digits, to keep lines short."""
    value = float(f"{value:.4g}")
    return int(value) if value.is_integer() else value


def entry(info, title, implementations):
    ours = implementations[OURS]
    lower, median, upper = (rounded(time) for time in ours.quartiles)
    ratios = {name: rounded(other.time / ours.time) for name, other in implementations.items() if name != OURS}
    line = {
        "commit": info["commit"],
        "date": info["date"],
        "machine": short_name(info["machine"]),
        **{name: info["machine"][name] for name in OPTIONAL if name in info["machine"]},
        "case": title,
        "median": median,
        "quartiles": [lower, upper],
        "repetitions": ours.repetitions,
        "ratios": ratios,
    }
    if "allocations" in ours.counters:
        line["allocations"] = rounded(ours.counters["allocations"])
    return line


def parsed(line, place):
    advice = "restore the file with `git checkout`, or remove the line"
    try:
        value = json.loads(line)
    except ValueError as error:
        raise HistoryError(f"{place}: not JSON ({error}); {advice}") from None
    if not isinstance(value, dict):
        raise HistoryError(f"{place}: not an object; {advice}")
    for name, kind in FIELDS.items():
        if not isinstance(value.get(name), kind):
            raise HistoryError(f'{place}: "{name}" is missing or of another type; {advice}')
    for name, kind in OPTIONAL.items():
        if not isinstance(value.get(name, kind()), kind):
            raise HistoryError(f'{place}: "{name}" is of another type; {advice}')
    return value


def read_file(path):
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8", errors="replace")
    if text and not text.endswith("\n"):
        raise HistoryError(f"{path}: the last line is incomplete; restore the file with `git checkout`")
    return [parsed(line, f"{path}:{number}") for number, line in enumerate(text.splitlines(), 1)]


def read(directory=DIRECTORY):
    """All entries, oldest first."""
    entries = [entry for path in sorted(pathlib.Path(directory).glob("*.jsonl")) for entry in read_file(path)]
    return sorted(entries, key=lambda entry: entry["date"])


def append(run, directory=DIRECTORY):
    """Appends a line for each case; returns the file and the number of lines."""
    info = run.info
    if info["options"]:
        raise HistoryError(f"a run with {' '.join(info['options'])} does not belong into the history")
    lines = [entry(info, *case) for case in run.results.cases()]
    path = pathlib.Path(directory) / f"{info['date'][:4]}.jsonl"
    present = read_file(path)
    if any((old["commit"], old["date"]) == (info["commit"], info["date"]) for old in present):
        raise HistoryError(f"{path}: the run of {info['commit']} at {info['date']} is already in the history")
    path.parent.mkdir(parents=True, exist_ok=True)
    text = path.read_text(encoding="utf-8") if present else ""
    text += "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    new = path.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, path)
    return path, len(lines)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: history.py RESULTS [HISTORY]")
    try:
        path, count = append(BenchmarkRun(sys.argv[1]), *sys.argv[2:])
    except HistoryError as error:
        sys.exit(f"history.py: {error}")
    print(f"history.py: {count} cases in {path}", file=sys.stderr)


if __name__ == "__main__":
    main()

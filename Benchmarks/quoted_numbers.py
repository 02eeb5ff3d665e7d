#!/usr/bin/env python3
"""Keeps numbers in the documentation equal to the checked-in report: quoted_numbers.py --check|--write|--age [FILE...]

A number stands between HTML comments that name it: <!--bench read.port-->1.9 ns<!--/bench-->. Its value is that of
Report/numbers.json, which `make bench-report` writes. FILE is by default every Markdown file but the report itself.
--age fails if what is measured has changed since the report.
"""

import json
import math
import os
import pathlib
import re
import subprocess
import sys
import typing

from machine import MEASURED
from results import duration, significant

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
NUMBERS = HERE / "Report" / "numbers.json"
COUNTS = HERE / "Baseline" / "counts.json"

MARKER = re.compile(r"<!--bench (?P<name>[^<>]*)-->(?P<text>[^<]*)<!--/bench-->")
LONE = re.compile(r"<!--/?bench\b.*?-->", re.DOTALL)
# A comment at the start of a line or list item is a block, whose line DocC leaves out.
BLOCK = re.compile(r"^[ >]*(?:[-*+]|\d+[.)])?[ >]*$")
# What shows markers instead of using them.
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.DOTALL | re.MULTILINE)


def time_of(title, implementation="ours"):
    return lambda results: short_duration(results.time(title, implementation))


def beyond(title, floor):
    return lambda results: short_duration(results.time(title) - results.time(title, floor))


def times(title, divisor):
    return lambda results: factor(results.time(title) / results.time(divisor))


def memory(title):
    return lambda results: factor(results.memory(title))


def short_duration(nanoseconds):
    return None if math.isnan(nanoseconds) else duration(nanoseconds, 2)


def factor(value):
    return None if math.isnan(value) else significant(value, 2)


def kilobytes(value):
    return None if math.isnan(value) else f"{significant(value / 1e3, 2)} KB"


def program_size(name):
    def text(results):
        size = results.context.get("programSizes", {}).get(name)
        return f"{size / 1e6:.1f} MB" if size else None

    return text


def count(case, cost):
    """A number of the table of counts, whole."""

    def text(_):
        costs = json.loads(COUNTS.read_text(encoding="utf-8"))["cases"].get(case, {})
        return f"{costs[cost]:,.0f}" if cost in costs else None

    return text


def line(interval):
    return beyond(f"edit to line/1KB/rename/{interval}/median", "raw inotify")


# What the documentation may quote: a text for each name, or None if the run has not measured it.
QUOTED = {
    "read.port": time_of("read/session.port/alone"),
    "read.port.instructions": count("read/session.port", "instructions"),
    "read.port.threads": time_of("read/session.port/2 threads"),
    "read.mutex.threads": time_of("read/session.port/2 threads", "Mutex"),
    "read.keypath.factor": times("read/a key path of run time/alone", "read/session.port/alone"),
    "update": time_of("update/100 B/median"),
    "edit.callback": time_of("edit to callback/1KB/rename/rested/median"),
    "edit.line.at.once": line("at once"),
    "edit.line.rested": line("rested"),
    "edit.line.idle": line("after 50 ms"),
    "watch.memory": lambda results: kilobytes(results.counter("watch/10000 files, 100 folders", "allocatedBytes")),
    "json.replace": time_of("replace/100000 short keys"),
    "json.insert": time_of("insert/100000 short keys"),
    "json.memory.mixed": memory("parse/mixed/1MB"),
    "json.memory.keys": memory("parse/100000 short keys"),
    "json.memory.most": memory("parse/smallest containers/1MB"),
    "start": time_of("command/start/median"),
    "start.dynamic": time_of("command/start/median", "dynamic"),
    "start.true": time_of("command/start/median", "true"),
    "size": program_size("as installed"),
    "size.dynamic": program_size("with the toolchain's libraries"),
}


def measured_numbers(results):
    texts = {name: text(results) for name, text in QUOTED.items()}
    return {name: text for name, text in sorted(texts.items()) if text is not None}


class Finding(typing.NamedTuple):
    path: str
    line: int
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.message}"


def blanked(text):
    """The text with code as spaces, at the same positions."""
    return CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def findings(path, text, numbers):
    visible = blanked(text)

    def finding(match, message):
        return Finding(path, text.count("\n", 0, match.start()) + 1, message)

    for match in MARKER.finditer(visible):
        name, written = match["name"], match["text"]
        if BLOCK.match(text[text.rfind("\n", 0, match.start()) + 1 : match.start()]):
            yield finding(match, f'"{name}" begins a line, and would be a block: put it behind a word')
        if name not in QUOTED:
            yield finding(match, f'there is no number "{name}"; quoted_numbers.py lists them')
        elif name not in numbers:
            yield finding(match, f'the report has no "{name}": run all benchmarks and `make bench-report`')
        elif written != numbers[name]:
            message = f'"{name}" is {numbers[name]} in the report, not {written}: run quoted_numbers.py --write'
            yield finding(match, message)
    complete = [match.span() for match in MARKER.finditer(visible)]
    for match in LONE.finditer(visible):
        if not any(start <= match.start() < end for start, end in complete):
            yield finding(match, f"{match.group()} has no other half")


def updated(text, numbers):
    """The text with the reported values."""
    parts, end = [], 0
    for match in MARKER.finditer(blanked(text)):
        if match["name"] in numbers:
            parts += [text[end : match.start("text")], numbers[match["name"]]]
            end = match.end("text")
    return "".join(parts) + text[end:]


def documents():
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md", ":!Benchmarks/Report"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


def reported(name="numbers", path=NUMBERS):
    try:
        return json.loads(path.read_text(encoding="utf-8"))[name]
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"quoted_numbers.py: {path}: {error!r}; `make bench-report` writes it")


def changes_since(commit):
    """The files that are measured, or measure, and have changed since the commit; None if git does not know it."""
    command = ["git", "diff", "--name-only", commit, "--", *MEASURED]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return result.stdout.splitlines() if result.returncode == 0 else None


def check_age():
    commit = reported("commit")
    changes = changes_since(commit.removesuffix("-dirty"))
    if changes == [] and not commit.endswith("-dirty"):
        return 0
    what = f"{len(changes)} measured files have changed" if changes else "git does not know it, or it had other changes"
    sys.exit(f"quoted_numbers.py: the report is that of {commit}: {what}; run `make bench` and `make bench-report`")


def main():
    mode, *files = sys.argv[1:] or [""]
    if mode == "--age" and not files:
        return check_age()
    if mode not in ("--check", "--write"):
        sys.exit("usage: quoted_numbers.py --check|--write [FILE...] | --age")
    paths = map(pathlib.Path, files) if files else [ROOT / name for name in documents()]
    numbers = reported()
    found = []
    for path in paths:
        text = path.read_text(encoding="utf-8")
        if mode == "--write" and (new := updated(text, numbers)) != text:
            path.write_text(new, encoding="utf-8")
            text = new
        found += findings(os.path.relpath(path), text, numbers)
    for finding in found:
        print(finding, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

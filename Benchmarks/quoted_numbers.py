#!/usr/bin/env python3
"""Keeps numbers in the documentation equal to the checked-in report: quoted_numbers.py --check|--write|--age [FILE...]

A number stands between HTML comments that name it: <!--bench read.port-->1.9 ns<!--/bench-->. Its value is that of
Report/numbers.json, which `make bench-report` writes, or of Baseline/counts.json, which `make bench-accept` writes.
FILE is by default every Markdown file but the report itself. --check also fails if a name in quotable_numbers.py is
computed from other measurements than the report says. --age fails if what is measured has changed since the report.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import typing

from machine import MEASURED
from quotable_numbers import COUNTED, REPORTED, counted_numbers, sources_of_numbers
from unmarked_numbers import ADVICE, doc_comments, spaces, unmarked

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
NUMBERS = HERE / "Report" / "numbers.json"

MARKER = re.compile(r"<!--bench (?P<name>[^<>]*)-->(?P<text>[^<]*)<!--/bench-->")
LONE = re.compile(r"<!--/?bench\b.*?-->", re.DOTALL)
# A comment at the start of a line or list item is a block, whose line DocC leaves out.
BLOCK = re.compile(r"^[ >]*(?:[-*+]|\d+[.)])?[ >]*$")
# What shows markers instead of using them.
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.DOTALL | re.MULTILINE)


class Finding(typing.NamedTuple):
    path: str
    line: int
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.message}"


def blanked(text):
    """The text with code as spaces, at the same positions."""
    return CODE.sub(spaces, text)


def findings(path, text, numbers):
    if path.endswith(".swift"):
        text = doc_comments(text)
    visible = blanked(text)

    def finding(position, message):
        return Finding(path, text.count("\n", 0, position) + 1, message)

    for match in MARKER.finditer(visible):
        name, written, start = match["name"], match["text"], match.start()
        if BLOCK.match(text[text.rfind("\n", 0, start) + 1 : start]):
            yield finding(start, f'"{name}" begins a line, and would be a block: put it behind a word')
        if name not in REPORTED and name not in COUNTED:
            yield finding(start, f'there is no number "{name}"; quotable_numbers.py lists them')
            continue
        source = "Baseline/counts.json" if name in COUNTED else "the report"
        if name not in numbers:
            remedy = "name another case" if name in COUNTED else "run all benchmarks and `make bench-report`"
            yield finding(start, f'{source} has no "{name}": {remedy}')
        elif written != numbers[name]:
            message = f'"{name}" is {numbers[name]} in {source}, not {written}: run quoted_numbers.py --write'
            yield finding(start, message)
    complete = [match.span() for match in MARKER.finditer(visible)]
    for match in LONE.finditer(visible):
        if not any(start <= match.start() < end for start, end in complete):
            yield finding(match.start(), f"{match.group()} has no other half")
    for position, words in unmarked(MARKER.sub(spaces, visible)):
        yield finding(position, f'"{words}" looks measured, and has no source: {ADVICE}')


def updated(text, numbers):
    """The text with the reported values."""
    parts, end = [], 0
    for match in MARKER.finditer(blanked(text)):
        if match["name"] in numbers:
            parts += [text[end : match.start("text")], numbers[match["name"]]]
            end = match.end("text")
    return "".join(parts) + text[end:]


def documents():
    """The Markdown files, and the sources, whose documentation comments are searched for numbers without markers."""
    patterns = ["*.md", "Sources/*.swift", ":!Benchmarks/Report"]
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


def reported(name="numbers", path=NUMBERS):
    try:
        return json.loads(path.read_text(encoding="utf-8"))[name]
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"quoted_numbers.py: {path}: {error!r}; `make bench-report` writes it")


def changes_since(commit):
    """The files that are measured, or measure, and have changed since the commit; None if git does not know it."""
    changed, untracked = (
        subprocess.run(["git", *command, "--", *MEASURED], cwd=ROOT, capture_output=True, text=True, check=False)
        for command in (["diff", "--name-only", commit], ["ls-files", "--others", "--exclude-standard"])
    )
    return changed.stdout.splitlines() + untracked.stdout.splitlines() if changed.returncode == 0 else None


def changed_sources(path=NUMBERS):
    """The names that are now computed from other measurements than the numbers in the report, which says from which."""
    known = json.loads(path.read_text(encoding="utf-8")).get("sources")
    if known is None:  # a report from before the sources were written
        return []
    now = sources_of_numbers()
    return sorted(name for name in known.keys() | now.keys() if known.get(name) != now.get(name))


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
    numbers = reported() | counted_numbers()
    found = []
    for path in paths:
        text = path.read_text(encoding="utf-8")
        if mode == "--write" and path.suffix == ".md" and (new := updated(text, numbers)) != text:
            path.write_text(new, encoding="utf-8")
            text = new
        found += findings(os.path.relpath(path), text, numbers)
    found += [
        Finding(os.path.relpath(NUMBERS), 1, f'"{name}" was computed from other measurements: run `make bench-report`')
        for name in changed_sources()
    ]
    for finding in found:
        print(finding, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/python3
"""Writes the report of a run: page.py [RESULTS [HTML [MARKDOWN [HISTORY]]]]

RESULTS is a directory written by run.sh, HTML the file of a page without other files. MARKDOWN is a directory for
README.md, the plots, and numbers.json with the numbers that the documentation quotes.
"""

import json
import pathlib
import sys

import history
from markup import Plot, html_page, markdown_page
from quotable_numbers import measured_numbers, sources_of_numbers
from results import BenchmarkRun
from sections import blocks

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parent / ".build" / "benchmarks"
DEFAULTS = [BUILD / "results", BUILD / "report" / "index.html", HERE / "Report", history.DIRECTORY]
TITLE = "Benchmark report"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_report(results, html, markdown, history_directory):
    run = BenchmarkRun(results)
    content = blocks(run, history_directory)
    write(html, html_page(TITLE, content))
    for old in markdown.glob("*.svg"):
        old.unlink()
    for block in content:
        if isinstance(block, Plot):
            write(markdown / f"{block.name}.svg", block.svg)
    write(markdown / "README.md", markdown_page(TITLE, content))
    numbers = {
        "commit": run.info["commit"], "date": run.info["date"],
        "numbers": measured_numbers(run.results), "sources": sources_of_numbers(),
    }  # fmt: skip
    write(markdown / "numbers.json", json.dumps(numbers, indent=1, ensure_ascii=False) + "\n")


def main():
    if len(sys.argv) > 1 + len(DEFAULTS):
        sys.exit("usage: page.py [RESULTS [HTML [MARKDOWN [HISTORY]]]]")
    given = [pathlib.Path(argument) for argument in sys.argv[1:]]
    paths = given + DEFAULTS[len(given) :]
    write_report(*paths)
    print(f"report: {paths[1]} and {paths[2] / 'README.md'}")


if __name__ == "__main__":
    main()

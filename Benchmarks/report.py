#!/usr/bin/env python3
"""Prints the results of one run as a table, and its targets: report.py RESULT.json..."""

import sys

from machine import processor
from results import Results
from table import CASE_HEAD, TARGET_HEAD, case_rows, print_table, target_rows


def main():
    results = Results(sys.argv[1:])
    context = results.context
    node = f", node {context['node']}" if "node" in context else ""
    print(f"{context['num_cpus']} × {processor()}, {context['date'][:10]}{node}")
    if sizes := context.get("programSizes"):
        text = " and ".join(f"{size / 1e6:.1f} MB {name}" for name, size in sizes.items())
        print(f"sessionctl: {text}")
    print()
    print_table(CASE_HEAD, case_rows(results))
    print()
    print_table(TARGET_HEAD, target_rows(results))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Prints a line when it watches, and for each change that the package watchfiles reports: watchfiles_lines.py FILE

With the defaults of watchfiles, changes are reported 50 ms after the last one (step), and at the latest 1.6 s after the
first one (debounce).
"""

import pathlib
import sys

import watchfiles


def main() -> None:
    path = pathlib.Path(sys.argv[1])
    is_ready = False
    # The first report, without changes, comes after 200 ms.
    for changes in watchfiles.watch(path.parent, rust_timeout=200, yield_on_timeout=True):
        if not changes and not is_ready:
            is_ready = True
            print("ready", flush=True)
        if any(changed == str(path) for _, changed in changes):
            print("changed", flush=True)


if __name__ == "__main__":
    main()

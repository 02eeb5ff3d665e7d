#!/usr/bin/env python3
"""Checks that every sentence of a page names a test that exists: claims.py PAGE TESTS_DIRECTORY

Each sentence of a list item is followed by comments with the title of the tests that prove it:

    - A promise. <!-- "title of a test" --> <!-- "title of another" -->

Text outside list items must not promise anything.
"""

import pathlib
import re
import sys

COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
TITLE = re.compile(r'"((?:[^"\\]|\\.)*)"')
# A sentence ends where a capital letter follows; "e.g." and file names do not.
SENTENCE_END = re.compile(r"[.!?:;]?[.!?](?=\s+[A-Z`*])")


def items(text: str) -> list[str]:
    found: list[str] = []
    for line in text.splitlines():
        if line.startswith("- "):
            found.append(line[2:])
        elif line.startswith("  ") and found and line.strip():
            found[-1] += " " + line.strip()
    return found


def titles(directory: str) -> set[str]:
    pattern = re.compile(r'@(?:Test|Suite)\(\s*"((?:[^"\\]|\\.)*)"')
    return {
        title
        for path in pathlib.Path(directory).rglob("*.swift")
        for title in pattern.findall(path.read_text(encoding="utf-8"))
    }


def problems(page: str, known: set[str]) -> list[str]:
    wrong = []
    for item in items(pathlib.Path(page).read_text(encoding="utf-8")):
        pieces = COMMENT.split(item)
        for text, comment in zip(pieces[::2], pieces[1::2] + [""]):
            if not text.strip():
                continue
            if SENTENCE_END.search(text.strip()) or not comment:
                wrong.append(f"no test is named after: {text.strip()}")
        for comment in pieces[1::2]:
            named = TITLE.findall(comment)
            wrong += [f"there is no test {title!r}" for title in named if title not in known]
            if not named:
                wrong.append(f"a comment names no test: {comment.strip()}")
    return wrong


def main() -> int:
    if len(sys.argv) != 3:
        sys.exit("usage: claims.py PAGE TESTS_DIRECTORY")
    page, tests = sys.argv[1:]
    wrong = problems(page, titles(tests))
    for line in wrong:
        print(f"{page}: {line}", file=sys.stderr)
    count = len(items(pathlib.Path(page).read_text(encoding="utf-8")))
    print(f"claims: {page}: {count} items, {len(wrong)} problems")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())

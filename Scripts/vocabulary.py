#!/usr/bin/env python3
"""Rejects declarations, files and directories with names that the project no longer uses: vocabulary.py DIRECTORY...

The documentation page Vocabulary lists the terms in use. Comments and strings are not checked.
"""

import pathlib
import re
import sys

TYPES = """
Mirroring MirrorState Standing Sight Outlook FileLook Understanding CheckedDecoding Meeting Returns OwnValues Intentions
Answer Ground Basis Ending Aftermath Edition AnyEdition Newsstand Published Replaced Bulletin Calls Topic Part
Listener Turn LastSaves Farewell Rota Summons Guest Crew Relief Errand Aftercare Alarm Looker Glance WitnessedInotify
Replacing Way Mark Rescue Carried SideNote Place Spot Gap Piece Surroundings Graft Print Complaint Refusal Problem
Patience Run Save
""".split()
MEMBERS = """
rights signalled took met hindered unhindered lull lane lanes lookout detour wish frozen restless look lookAgain refusal
""".split()
DIRECTORIES = "Mirroring Saving Publishing Subscribing Reporting Conversions Work Spots".split()

# In Swift, and types also in C and Python. A generic parameter follows "<" or a comma in a declaration's head.
TYPE = re.compile(
    r"\b(?:struct|class|enum|actor|protocol|typealias|associatedtype|macro)\s+`?(%s)\b"
    r"|\b(?:struct|class|enum|func|init|subscript|typealias)\b[^(){}=\n]*<[^(){}=\n]*?\b(%s)\s*[:,>]"
    % ("|".join(TYPES), "|".join(TYPES))
)
# Also one of several cases or variables.
MEMBER = re.compile(
    r"\b(?:func|var|let|case)\s+(?:\(\s*)?(?:`?\w+`?(?:\([^()\n]*\))?(?:\s*=\s*[^,\n]+)?\s*,\s*)*`?(%s)\b" % "|".join(MEMBERS)
)
# Comments and strings.
PROSE = re.compile(r'//[^\n]*|"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"')


def blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def problems(path: pathlib.Path) -> list[str]:
    found = []
    stem = path.stem.split("+")[0]
    if stem in TYPES:
        found.append(f"{path}: name of a file")
    text = PROSE.sub(blank, path.read_text(encoding="utf-8"))
    for pattern in (TYPE, MEMBER):
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            found.append(f"{path}:{line}: {next(filter(None, match.groups()))}")
    return found


def main() -> int:
    found = []
    if len(sys.argv) < 2:
        sys.exit("usage: vocabulary.py DIRECTORY...")
    for directory in map(pathlib.Path, sys.argv[1:]):
        for path in sorted(directory.rglob("*")):
            if ".build" in path.parts:
                continue
            if path.is_dir() and path.name in DIRECTORIES:
                found.append(f"{path}/: name of a directory")
            elif path.suffix in (".swift", ".c", ".h", ".py"):
                found += problems(path)
    for problem in found:
        print(f"{problem}: see the page Vocabulary of the documentation", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

"""Finds numbers in prose that look measured, and have no source.

A measured number is quoted from the report with a marker (see quoted_numbers.py), or its paragraph or list item says
when it was measured: "measured once in 2026-11" or "measured with Swift 6.3". <!--constant--> behind a number says that
it was chosen, such as a limit or an interval.
"""

import re

NUMBER = r"(?<![\w.,])(?<!− )\d[\d,]*(?:\.\d+)?"
WORD = r"(?:two|three|four|five|six|seven|eight|nine|ten|half)"
FRACTION = r"(?:half|third|quarter|fifth|tenth)"
COST = r"(?:time|instructions|memory|pages|cost)"
MORE = r"(?:faster|slower|longer|shorter|earlier|later|more|less|fewer)"
TAKES = r"(?:takes?|took|costs?|saves?|saved|uses?|needs?|lasts?)"
ABOUT = r"(?:about|some|only|nearly|almost|roughly|around|another)"

# Milliseconds, seconds and sizes are mostly limits, so that they look measured only behind a verb or with a fraction.
PATTERNS = (
    # 1.9 ns, 800 MB/s, 27 instructions
    rf"{NUMBER}\s*(?:[nµu]s|[KMG]B/s|(?:nano|micro)seconds|instructions|allocations|retains|releases)\b",
    # 22 %, 1.5×
    rf"{NUMBER}\s*[×%]",
    # 2.8 ms
    r"(?<![\w.,])\d+\.\d+\s*m?s\b",
    # takes about 3 ms, costs 2 KB
    rf"\b(?:{TAKES}|in)\s+(?:{ABOUT}\s+)?{NUMBER}\s*(?:m?s|(?:milli)?seconds|[KMG]?B|bytes)\b",
    # takes about 18 minutes, in two hours
    rf"\b(?:{TAKES}|in)\s+(?:{ABOUT}\s+)?(?:{NUMBER}|{WORD})\s+(?:minutes|hours)\b",
    # 57 system calls, 500,000 values a second; a limit is 30 times a second
    rf"{NUMBER}\s+system\s+calls\b",
    rf"{NUMBER}\s+(?!times\b)\w+\s+(?:a|per)\s+second\b",
    # 2.3 times as fast, three times longer, 3.2 times the text
    rf"(?:{NUMBER}|\b{WORD})\s+times\s+(?:as|{MORE})\b",
    rf"{NUMBER}\s+times\s+(?:the|its|their|that)\b",
    # twice as fast, half of the time, a quarter earlier, saves a third
    r"\btwice\s+as\s+\w+",
    rf"\b{FRACTION}\s+(?:of\s+(?:\w+\s+)?{COST}|{MORE})\b",
    rf"\b{TAKES}\s+(?:{ABOUT}\s+)?a\s+{FRACTION}\b",
    # about a third, an order of magnitude
    rf"\babout\s+a\s+{FRACTION}\b",
    r"\borders?\s+of\s+magnitude\b",
    # 90 of 4,000
    rf"{NUMBER}\s+of\s+\d{{1,3}}(?:,\d{{3}})+",
    # Measured: 2,505
    rf"\b[Mm]easured:\s+{NUMBER}",
)
MEASURED = re.compile("|".join(PATTERNS))
DATED = re.compile(r"\b[Mm]easured\b[^.:]*?\b(?:20\d\d-\d\d|Swift\s\d)")
# The number, and its unit if it stands between.
CONSTANT = re.compile(r"\S+(?:[ \n]+\S+)?<!--constant-->")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
# A paragraph, a list item, a heading or a table.
BLOCK = re.compile(r"(?:^[ >]*\S.*\n?)(?:^(?![ >]*(?:[-*+]|\d+[.)]) )(?!#)[ >]*\S.*\n?)*", re.MULTILINE)

ADVICE = "quote the report with a marker, say when it was measured, or mark it as <!--constant-->; see Benchmarks/README.md"


def spaces(match):
    return re.sub(r"[^\n]", " ", match.group())


def doc_comments(source):
    """The documentation comments of Swift, at the same positions."""
    lines = (line.replace("///", "   ", 1) if line.lstrip().startswith("///") else "" for line in source.split("\n"))
    return "\n".join(lines)


def unmarked(text):
    """The position and the words of each number without a source. `text` has neither code nor quoted numbers."""
    for pattern in (CONSTANT, COMMENT):
        text = pattern.sub(spaces, text)
    for block in BLOCK.finditer(text):
        if not DATED.search(block.group()):
            for match in MEASURED.finditer(text, *block.span()):
                yield match.start(), " ".join(match.group().split())

#!/usr/bin/env python3
"""Fails when a public symbol has no description: undocumented.py DIRECTORY_OF_SYMBOL_GRAPHS

A member whose name says everything needs none: a comment would only repeat it.
"""

import json
import pathlib
import sys

# Members of types whose own comment says what they are.
SELF_EXPLANATORY = {"description", "init(location:)", "session", "severity", "value"}


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit("usage: undocumented.py DIRECTORY_OF_SYMBOL_GRAPHS")
    total, bare = 0, []
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.symbols.json")):
        for symbol in json.loads(path.read_text(encoding="utf-8"))["symbols"]:
            # Synthesized members inherit the meaning of their protocol.
            if "::SYNTHESIZED::" in symbol["identifier"]["precise"] or "location" not in symbol:
                continue
            if symbol["pathComponents"][-1] in SELF_EXPLANATORY:
                continue
            total += 1
            lines = symbol.get("docComment", {}).get("lines", [])
            if not any(line["text"].strip() for line in lines):
                bare.append(".".join(symbol["pathComponents"]))
    for name in bare:
        print(f"undocumented: {name}", file=sys.stderr)
    print(f"documentation: {total - len(bare)} of {total} public symbols are documented")
    return 1 if bare or not total else 0


if __name__ == "__main__":
    sys.exit(main())

"""Parses JSON documents with Python's own parser and prints each on one line, in the form of CanonicalDump.swift.

Each document on standard input is preceded by its length in four bytes, most significant first.
"""

import json
import sys


class Number(str):
    """A number with its spelling."""


def reject(word):
    raise ValueError(word + " is not JSON")


def last_of_each_key(pairs):
    """Keeps the last member of each duplicate key, at its position."""
    last = {key: place for place, (key, _) in enumerate(pairs)}
    return [pair for place, pair in enumerate(pairs) if last[pair[0]] == place]


class Members(list):
    """An object; a plain list is an array."""


def text(string):
    return '"' + string.encode("utf-8").hex()


def dump(value):
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, Number):
        return "#" + value
    if isinstance(value, str):
        return text(value)
    if isinstance(value, Members):
        return "{" + ",".join(text(key) + ":" + dump(member) for key, member in value) + "}"
    return "[" + ",".join(dump(element) for element in value) + "]"


def main():
    sys.setrecursionlimit(20_000)
    source = sys.stdin.buffer
    while length := source.read(4):
        document = source.read(int.from_bytes(length, "big"))
        value = json.loads(
            document,
            parse_int=Number,
            parse_float=Number,
            parse_constant=reject,
            object_pairs_hook=lambda pairs: Members(last_of_each_key(pairs)),
        )
        print(dump(value))


main()

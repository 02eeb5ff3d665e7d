#!/usr/bin/env python3
"""Measures how soon sessionctl watch --view answers a key while its file changes 1,000 times a second.

usage: view.py SESSIONCTL [--short]

Types letters into the search line of a view in a pseudo-terminal, and takes the time until each appears. The letters
occur nowhere else on the screen. Prints the median and the maximum beside the target of 100 ms.
"""

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

TARGET = 0.1
LETTERS = "QWYU"  # in no escape sequence
LONGEST_SEARCH = 40
RATE = 1000

WRITER = """
import os, sys, time
folder, records, rate = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
rest = ",".join('{"id": %d, "name": "record %d", "active": true, "tags": ["a", "b"], "score": 0.5,'
                ' "note": "some text of an ordinary length, as in a file"}' % (n, n) for n in range(records))
start, number = time.monotonic(), 0
while True:
    with open(folder + "/new", "w") as file:
        file.write('{"number": %d, "records": [%s]}' % (number, rest))
    os.rename(folder + "/new", folder + "/a.json")
    number += 1
    if number == 1 or number % 100 == 0: print(number, flush=True)
    time.sleep(max(0, start + number / rate - time.monotonic()))
"""


class View:
    """The program in a pseudo-terminal."""

    def __init__(self, program: str, path: str) -> None:
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execv(program, [program, "watch", "--view", path])
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        self.received = 0

    def read(self, limit: float) -> bytes:
        ready, _, _ = select.select([self.terminal], [], [], max(0, limit))
        part = os.read(self.terminal, 1 << 16) if ready else b""
        self.received += len(part)
        return part

    def wait_for(self, text: bytes, limit: float = 20) -> float:
        """Returns the time until the text is written."""
        start, last = time.monotonic(), b""
        while time.monotonic() - start < limit:
            last = last[-len(text) :] + self.read(start + limit - time.monotonic())
            if text in last:
                return time.monotonic() - start
        sys.exit(f"view.py: {text!r} did not appear within {limit} s")

    def press(self, keys: str) -> None:
        os.write(self.terminal, keys.encode())

    def rest(self, duration: float) -> None:
        """Reads what is written, for some time."""
        end = time.monotonic() + duration
        while time.monotonic() < end:
            self.read(end - time.monotonic())

    def end(self) -> None:
        os.kill(self.process, signal.SIGTERM)
        os.waitpid(self.process, 0)
        os.close(self.terminal)


def measure(program: str, records: int, keys: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, folder, str(records), str(RATE)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout
        try:
            writer.stdout.readline()
            size = os.path.getsize(f"{folder}/a.json")
            view = View(program, f"{folder}/a.json")
            view.wait_for(b"number")
            view.rest(1)
            start, received = time.monotonic(), view.received
            times = []
            for number in range(keys):
                if number % LONGEST_SEARCH == 0:
                    view.press("\x1b" if number else "")
                    view.rest(0.1)
                    view.press("/")
                    view.rest(0.1)
                letter = LETTERS[number % len(LETTERS)]
                view.press(letter)
                times.append(view.wait_for(letter.encode()))
                view.rest(0.01 + number % 7 / 300)
            duration, received = time.monotonic() - start, view.received - received
            view.end()
        finally:
            writer.kill()
            changes = sum(1 for _ in writer.stdout) * 100
            total = time.monotonic() - start + 1
            writer.wait()
            writer.stdout.close()
    median, longest = statistics.median(times), max(times)
    print(
        f"{size / 1e3:7,.1f} kB, {changes / total:5.0f} changes/s: key to screen {median * 1e3:5.1f} ms median,"
        f" {longest * 1e3:5.1f} ms maximum of {keys} (target {TARGET * 1e3:.0f} ms{'' if longest <= TARGET else ', MISSED'});"
        f" {received / duration / 1e3:.0f} kB/s to the terminal"
    )


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit("usage: view.py SESSIONCTL [--short]")
    keys = 100 if "--short" in sys.argv else 400
    print("sessionctl watch --view, keys while the file changes")
    for records in (10, 10_000):
        measure(os.path.abspath(sys.argv[1]), records, keys)


if __name__ == "__main__":
    main()

"""Loads the service while its settings are edited every 10 ms, and compares with edits of a file that is not watched.

usage: load.py [SECONDS of each run] [RUNS of each kind]
"""

import os
import re
import statistics
import subprocess
import sys
import threading
import time

from harness import Folder, Service


def text(number):
    return f'{{ "listen": {{ "port": 0 }}, "greeting": "number {number}", "features": {{ "number {number}": true }} }}\n'


class Editor:
    """Replaces a file every 10 ms, as an editor does."""

    numbers = iter(range(1, 10**9))

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.stop = threading.Event()
        self.edits = 0
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        due = time.monotonic()
        while not self.stop.is_set():
            self.folder.write(self.name, text(next(self.numbers)))
            self.edits += 1
            due += 0.01
            time.sleep(max(0, due - time.monotonic()))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()


def usage(process):
    """The memory in KB, and the numbers of descriptors and threads."""
    with open(f"/proc/{process.pid}/status") as file:
        status = file.read()
    memory = int(re.search(r"VmRSS:\s+(\d+)", status)[1])
    threads = int(re.search(r"Threads:\s+(\d+)", status)[1])
    return memory, len(os.listdir(f"/proc/{process.pid}/fd")), threads


def wrk(service, seconds):
    """Returns the answers per second. Fails if an answer is missing or mixes versions."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check.lua")
    result = subprocess.run(
        ["wrk", "--threads", "1", "--connections", "16", "--duration", f"{seconds}s", "--script", script,
         f"http://127.0.0.1:{service.port}/"], check=True, capture_output=True, text=True)
    found = re.search(r"requests=(\d+) microseconds=(\d+) wrong=(\d+) failed=(\d+)", result.stdout)
    requests, duration, wrong, failed = map(int, found.groups())
    if wrong or failed:
        raise SystemExit(f"load: {wrong} answers that mix versions, {failed} failed, of {requests}")
    return requests / duration * 1e6


def main(seconds, runs):
    folder = Folder()
    try:
        folder.write("settings.json", text(0))
        service = Service(folder)
        try:
            measure(folder, service, seconds, runs)
            if service.end() != 0:
                raise SystemExit("load: the service has failed")
        finally:
            service.kill()
    finally:
        folder.remove()


def measure(folder, service, seconds, runs):
    # The first run creates threads and buffers.
    with Editor(folder, "settings.json"):
        wrk(service, min(seconds, 3))
    before = usage(service.process)
    reloads = service.metric('liveservice_file_reloads_total{file="settings"}')
    rates = {"watched": [], "unwatched": []}
    edits = 0
    for run in range(runs):
        # Alternating, in turns of both orders, because the machine may become faster or slower.
        for kind in (["watched", "unwatched"] if run % 2 == 0 else ["unwatched", "watched"]):
            name = "settings.json" if kind == "watched" else "unwatched.json"
            with Editor(folder, name) as editor:
                rates[kind].append(wrk(service, seconds))
            if kind == "watched":
                edits += editor.edits
            print(f"{kind:9} {rates[kind][-1]:9,.0f} answers/s  {editor.edits} edits", flush=True)
    after = usage(service.process)
    reloads = service.metric('liveservice_file_reloads_total{file="settings"}') - reloads
    ratios = [watched / unwatched for watched, unwatched in zip(rates["watched"], rates["unwatched"])]
    print(f"reloads: {reloads:.0f} of {edits} edits")
    for what, first, last in zip(["memory in KB", "descriptors", "threads"], before, after):
        print(f"{what}: {first} before, {last} after")
    print(f"ratio of the answers: {statistics.median(ratios):.3f} (of each pair: "
          f"{', '.join(f'{ratio:.3f}' for ratio in ratios)})")
    # Events may be joined, but most edits are seen. Threads of the library come and go.
    if reloads < edits * 0.5:
        raise SystemExit("load: the service has not followed its settings")
    if after[0] > before[0] * 1.2 + 2_000 or after[1] > before[1] + 2 or after[2] > before[2] + 4:
        raise SystemExit("load: the service has grown")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30, int(sys.argv[2]) if len(sys.argv) > 2 else 3)

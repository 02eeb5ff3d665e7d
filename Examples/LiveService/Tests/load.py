"""Loads the service while its settings are edited every 10 ms, and compares with edits of a file that is not watched.

usage: load.py [SECONDS of each run] [RUNS of each kind] [CLIENTS that receive events]

Each run is split into parts of about ten seconds, in alternation with the other kind, because a machine may become
faster or slower meanwhile.
"""

import os
import re
import selectors
import socket
import statistics
import subprocess
import sys
import threading
import time

from harness import Folder, Service, eventually


def text(number):
    return f'{{ "listen": {{ "port": 0 }}, "greeting": "number {number}", "features": {{ "number {number}": true }} }}\n'


class Editor:
    """Replaces a file every 10 ms, as an editor does."""

    numbers = iter(range(1, 10**9))

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.stop = threading.Event()
        self.edits = 0
        self.number = 0
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        due = time.monotonic()
        while not self.stop.is_set():
            self.number = next(self.numbers)
            self.folder.write(self.name, text(self.number))
            self.edits += 1
            due += 0.01
            time.sleep(max(0, due - time.monotonic()))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()


class Streams:
    """Clients that receive the events of the page, each by a connection of its own."""

    def __init__(self, service, count):
        self.selector = selectors.DefaultSelector()
        # The end of what each client has received.
        self.tails = {}
        request = f"GET /admin/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {service.token}\r\n\r\n"
        for _ in range(count):
            client = socket.create_connection(("127.0.0.1", service.port), timeout=20)
            client.sendall(request.encode())
            client.setblocking(False)
            self.selector.register(client, selectors.EVENT_READ)
            self.tails[client] = b""

    def read(self):
        for key, _ in self.selector.select(0.05):
            data = key.fileobj.recv(1 << 16)
            if not data:
                raise SystemExit("load: a stream of events has ended")
            self.tails[key.fileobj] = (self.tails[key.fileobj] + data)[-8_192:]

    def have(self, text):
        return all(text.encode() in tail for tail in self.tails.values())

    def close(self):
        self.selector.close()
        for client in self.tails:
            client.close()


def stream(folder, service, seconds, clients):
    """Edits the settings beside clients that receive events: each must have the last value in the end. Returns how many
    edits there were."""
    streams = Streams(service, clients)
    try:
        with Editor(folder, "settings.json") as editor:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                streams.read()
        end = time.monotonic() + 60
        while not streams.have(f"number {editor.number}"):
            streams.read()
            if time.monotonic() > end:
                missing = sum(f"number {editor.number}".encode() not in tail for tail in streams.tails.values())
                raise SystemExit(f"load: {missing} of {clients} clients have not received the last value")
    finally:
        streams.close()
    print(f"{clients} clients received the last of {editor.edits} values")
    return editor.edits


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


def main(seconds, runs, clients, least_ratio=0.0):
    """Fails if the answers beside edits of the settings are fewer than `least_ratio` of those beside other edits."""
    folder = Folder()
    try:
        folder.write("settings.json", text(0))
        service = Service(folder)
        try:
            measure(folder, service, seconds, runs, clients, least_ratio)
            if service.end() != 0:
                raise SystemExit("load: the service has failed")
        finally:
            service.kill()
    finally:
        folder.remove()


def measure(folder, service, seconds, runs, clients, least_ratio):
    # The first run creates threads and buffers.
    with Editor(folder, "settings.json"):
        wrk(service, min(seconds, 3))
    stream(folder, service, min(seconds, 3), clients)
    eventually("the connections have ended", lambda: usage(service.process)[1] < clients)
    before = usage(service.process)
    reloads = service.metric('liveservice_file_reloads_total{file="settings"}')
    rates = {"watched": [], "unwatched": []}
    edits = 0
    parts = max(1, seconds // 10)
    for part in range(runs * parts):
        # In turns of both orders.
        for kind in (["watched", "unwatched"] if part % 2 == 0 else ["unwatched", "watched"]):
            name = "settings.json" if kind == "watched" else "unwatched.json"
            with Editor(folder, name) as editor:
                rates[kind].append(wrk(service, seconds // parts))
            if kind == "watched":
                edits += editor.edits
            print(f"{kind:9} {rates[kind][-1]:9,.0f} answers/s  {editor.edits} edits", flush=True)
    edits += stream(folder, service, seconds, clients)
    # Connections that clients have closed end soon.
    eventually("the connections have ended", lambda: usage(service.process)[1] <= before[1] + 2)
    after = usage(service.process)
    reloads = service.metric('liveservice_file_reloads_total{file="settings"}') - reloads
    ratios = [watched / unwatched for watched, unwatched in zip(rates["watched"], rates["unwatched"])]
    ratio = statistics.mean(rates["watched"]) / statistics.mean(rates["unwatched"])
    print(f"reloads: {reloads:.0f} of {edits} edits")
    for what, first, last in zip(["memory in KB", "descriptors", "threads"], before, after):
        print(f"{what}: {first} before, {last} after")
    print(f"ratio of the answers: {ratio:.3f} (of each pair: "
          f"{', '.join(f'{ratio:.3f}' for ratio in ratios)})")
    # Events may be joined, but most edits are seen. Threads of the library come and go.
    if reloads < edits * 0.5:
        raise SystemExit("load: the service has not followed its settings")
    if after[0] > before[0] * 1.2 + 2_000 or after[1] > before[1] + 2 or after[2] > before[2] + 4:
        raise SystemExit("load: the service has grown")
    if ratio < least_ratio:
        raise SystemExit(f"load: edits of the settings cost more than {1 - least_ratio:.0%} of the answers")


if __name__ == "__main__":
    seconds, runs, clients = [int(text) for text in sys.argv[1:]] + [30, 3, 500][len(sys.argv) - 1:]
    # Runs of a few seconds differ by more than 5 % by themselves.
    main(seconds, runs, clients, least_ratio=0.95 if seconds >= 10 else 0)

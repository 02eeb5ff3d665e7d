#!/usr/bin/env python3
"""Measures what the machines of a fleet cost, and prints a line of JSON for each number of machines.

usage: fleet.py [OPTION]… COUNT…

Starts three members of etcd in memory and FleetCrowd, a process with COUNT machines, for each COUNT. Build that before:
SESSIONMIRROR_TARGETS=FleetCrowd swift build -c release
"""

import argparse
import json
import os
import pathlib
import re
import selectors
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = {"PATH": os.environ["PATH"], "ETCDCTL_API": "3"}
TICKS = os.sysconf("SC_CLK_TCK")


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Cluster:
    """Three members on 127.0.0.1, with their files in memory."""

    def __init__(self, folder):
        ports = free_ports(9)
        self.folder = folder
        self.ports, self.peers, self.status = ports[:3], ports[3:6], ports[6:]
        self.endpoints = [f"http://127.0.0.1:{port}" for port in self.ports]
        self.members = []
        self.start()

    def start(self):
        peers = ",".join(f"m{number}=http://127.0.0.1:{port}" for number, port in enumerate(self.peers))
        for number in range(3):
            client, peer = self.endpoints[number], f"http://127.0.0.1:{self.peers[number]}"
            command = ["etcd", "--name", f"m{number}", "--data-dir", f"{self.folder}/m{number}"]
            command += ["--initial-cluster", peers, "--listen-client-urls", client, "--advertise-client-urls", client]
            command += ["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer]
            command += ["--listen-metrics-urls", f"http://127.0.0.1:{self.status[number]}", "--logger", "zap"]
            command += ["--log-level", "error"]
            with open(f"{self.folder}/m{number}.log", "a", encoding="utf-8") as log:
                self.members.append(subprocess.Popen(command, env=ENVIRONMENT, stdout=log, stderr=log))
        while not all(self.is_healthy(number) for number in range(3)):
            time.sleep(0.02)

    def get(self, number, path):
        try:
            with socket.create_connection(("127.0.0.1", self.status[number]), 2) as connection:
                connection.sendall(f"GET {path} HTTP/1.0\r\n\r\n".encode())
                return b"".join(iter(lambda: connection.recv(1 << 16), b"")).decode()
        except OSError:
            return ""

    def is_healthy(self, number):
        return '"true"' in self.get(number, "/health")

    def stop(self):
        for member in self.members:
            member.kill()
        for member in self.members:
            member.wait()
        self.members = []

    def calls(self):
        """The calls that the members have received since their start, by method."""
        found = {}
        for number in range(3):
            pattern = r'^grpc_server_started_total\{grpc_method="(\w+)".*\} (\S+)$'
            for method, count in re.findall(pattern, self.get(number, "/metrics"), re.MULTILINE):
                if float(count):
                    found[method] = found.get(method, 0) + int(float(count))
        return found

    def resident_bytes(self):
        pages = (pathlib.Path(f"/proc/{member.pid}/statm").read_text().split()[1] for member in self.members)
        return sum(int(count) for count in pages) * os.sysconf("SC_PAGE_SIZE")

    def processor_time(self):
        fields = [pathlib.Path(f"/proc/{member.pid}/stat").read_text().rsplit(")", 1)[1] for member in self.members]
        return sum(int(text.split()[11]) + int(text.split()[12]) for text in fields) / TICKS

    def etcdctl(self, *arguments, text=None):
        command = ["etcdctl", "--endpoints", ",".join(self.endpoints), *arguments]
        subprocess.run(command, env=ENVIRONMENT, input=text, text=True, check=True, stdout=subprocess.DEVNULL)


class Refusals:
    """Stands for killed members: counts the connections of each half second and closes them."""

    def __init__(self, ports):
        self.times, self.is_ended = [], False
        self.listeners = [socket.create_server(("127.0.0.1", port), backlog=4096) for port in ports]
        self.selector = selectors.DefaultSelector()
        for listener in self.listeners:
            self.selector.register(listener, selectors.EVENT_READ)
        self.thread = threading.Thread(target=self.run)
        self.start = time.monotonic()
        self.thread.start()

    def run(self):
        while not self.is_ended:
            for key, _ in self.selector.select(0.1):
                connection, _ = key.fileobj.accept()
                self.times.append(time.monotonic() - self.start)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                connection.close()

    def end(self):
        """The numbers of connections in each second."""
        self.is_ended = True
        self.thread.join()
        seconds = int(time.monotonic() - self.start) + 1
        for listener in self.listeners:
            listener.close()
        return [sum(1 for moment in self.times if int(moment) == second) for second in range(seconds)]


class Crowd:
    """The process of the machines."""

    def __init__(self, program, folder, size, endpoints):
        command = [program, folder, str(size), "60", *endpoints]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()

    def ask(self, *words):
        print(*words, file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.kill()
        self.process.wait()


def medians(answers):
    return {name: round(statistics.median(each[name] for each in answers), 2) for name in answers[0]}


def put_to_watch(cluster, size):
    """Times from the start of `etcdctl put` until `etcdctl watch` has printed the value, and of the put alone, in ms."""
    text = "v" * size
    endpoints = ",".join(cluster.endpoints)
    command = ["etcdctl", "--endpoints", endpoints, "watch", "/crowd/etcdctl"]
    found = {"putToWatch": [], "put": []}
    with subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as watch:
        time.sleep(1)
        for _ in range(10):
            start = time.monotonic()
            cluster.etcdctl("put", "/crowd/etcdctl", text=text)
            found["put"].append((time.monotonic() - start) * 1e3)
            for _ in range(3):
                watch.stdout.readline()
            found["putToWatch"].append((time.monotonic() - start) * 1e3)
        watch.kill()
    return {name: round(statistics.median(times), 1) for name, times in found.items()}


def difference(after, before):
    return {name: after[name] - before.get(name, 0) for name in after if after[name] != before.get(name, 0)}


class Measurement:
    def __init__(self, options, count, folder):
        self.options, self.count = options, count
        self.cluster = Cluster(folder)
        endpoints = self.cluster.endpoints
        self.crowd = Crowd(options.program, f"{folder}/machines", options.bytes, endpoints)
        self.result = {"machines": count, "bytes": options.bytes}

    def run(self):
        steps = (self.join, self.edit, self.stream, self.commit, self.idle, self.lose, self.restart)
        try:
            for step in steps:
                step()
                print(f"{self.count} machines: {step.__name__}", file=sys.stderr)
            self.result["state"] = self.crowd.ask("state")
            return self.result
        finally:
            self.crowd.end()
            self.cluster.stop()

    def per_machine(self, after, before):
        names = ("residentBytes", "heapBytes", "descriptors", "sockets", "threads")
        return {name: round((after[name] - before[name]) / self.count, 2) for name in names}

    def join(self):
        empty, members = self.crowd.ask("usage"), self.cluster.resident_bytes()
        self.crowd.ask("open", self.count)
        opened = self.crowd.ask("usage")
        self.result["connected"] = self.crowd.ask("join", self.count)["seconds"]
        time.sleep(2)
        joined = self.crowd.ask("usage")
        self.result["session"] = self.per_machine(opened, empty)
        self.result["bridge"] = self.per_machine(joined, opened)
        self.result["process"] = {name: joined[name] for name in ("residentBytes", "threads", "descriptors", "sockets")}
        self.result["memberBytes"] = round((self.cluster.resident_bytes() - members) / self.count)
        self.result["joinCalls"] = self.cluster.calls()

    def edit(self):
        self.crowd.ask("edit")
        before = self.cluster.processor_time()
        self.result["edit"] = medians([self.crowd.ask("edit") for _ in range(self.options.edits)])
        deliveries = self.options.edits * max(1, self.count - 1)
        self.result["edit"]["memberMicroseconds"] = round((self.cluster.processor_time() - before) / deliveries * 1e6, 1)
        self.result["bareWatches"] = self.crowd.ask("watch", self.count)
        self.result["etcdctl"] = put_to_watch(self.cluster, self.options.bytes)
        self.result["afterEdits"] = self.crowd.ask("usage")

    def stream(self):
        self.result["streams"] = []
        for rate in self.options.rates:
            before = self.cluster.calls()
            answer = self.crowd.ask("stream", 5 * rate, round(1000 / rate))
            answer["versions"] = difference(self.cluster.calls(), before).get("Txn", 0)
            self.result["streams"].append({"rate": rate, **answer})

    def commit(self):
        if self.options.commits:
            before = self.cluster.calls()
            self.result["commit"] = self.crowd.ask("commit", self.options.commits)
            self.result["commit"]["transactions"] = difference(self.cluster.calls(), before).get("Txn", 0)

    def lose(self):
        """Kills a member."""
        if not self.options.lose:
            return
        start = time.monotonic()
        self.cluster.members[0].kill()
        disconnected = 0
        while True:
            count = self.count - self.crowd.ask("state")["connected"]
            disconnected = max(disconnected, count)
            if disconnected and not count:
                break
            time.sleep(0.02)
        self.result["lostMember"] = {"disconnected": disconnected, "connectedAgain": round(time.monotonic() - start, 2)}

    def idle(self):
        if not self.options.idle:
            return
        # Machines tell the store the revision that they have.
        time.sleep(25)
        calls, usage = self.cluster.calls(), self.crowd.ask("usage")
        processor_time = self.cluster.processor_time()
        time.sleep(self.options.idle)
        after = self.crowd.ask("usage")
        idle = {name: round(count / self.count, 2) for name, count in difference(self.cluster.calls(), calls).items()}
        idle["sleeps"] = round((after["sleeps"] - usage["sleeps"]) / self.count, 2)
        idle["processorMilliseconds"] = round((after["processorTime"] - usage["processorTime"]) / self.count * 1e3, 3)
        idle["memberMilliseconds"] = round((self.cluster.processor_time() - processor_time) / self.count * 1e3, 3)
        self.result["idle"] = {"seconds": self.options.idle, **idle}

    def restart(self):
        if not self.options.down:
            return
        self.cluster.stop()
        refusals = Refusals(self.cluster.ports)
        time.sleep(self.options.down)
        attempts = refusals.end()
        start = time.monotonic()
        self.cluster.start()
        healthy = time.monotonic() - start
        connected = []
        while not connected or connected[-1] < self.count:
            connected.append(self.crowd.ask("state")["connected"])
            time.sleep(1)
        again = time.monotonic() - start
        self.result["restart"] = {
            "down": self.options.down, "attemptsPerSecond": [round(count / self.count, 2) for count in attempts],
            "healthy": round(healthy, 1), "connectedAgain": round(again, 1), "connectedBySecond": connected,
            "calls": {name: round(count / self.count, 2) for name, count in self.cluster.calls().items()},
            "usage": self.crowd.ask("usage"),
        }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("counts", metavar="COUNT", nargs="+", type=int)
    parser.add_argument("--program", default=ROOT / ".build/release/FleetCrowd")
    parser.add_argument("--bytes", type=int, default=1000, help="the size of the value")
    parser.add_argument("--edits", type=int, default=10, help="the number of edits of which the median counts")
    parser.add_argument("--rates", type=int, nargs="*", default=[], help="edits per second, for five seconds each")
    parser.add_argument("--commits", type=int, default=0, help="commits of each machine, on all machines at once")
    parser.add_argument("--lose", action="store_true", help="kill a member and wait until all are connected again")
    parser.add_argument("--idle", type=float, default=0, help="seconds without changes")
    parser.add_argument("--down", type=float, default=0, help="seconds without members before they start again")
    options = parser.parse_args()
    for count in options.counts:
        folder = tempfile.mkdtemp(prefix="fleet-", dir="/dev/shm")
        try:
            print(json.dumps(Measurement(options, count, folder).run()), flush=True)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()

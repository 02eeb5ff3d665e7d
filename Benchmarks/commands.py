#!/usr/bin/env python3
"""Measures whole processes of sessionctl beside jq, and prints the times in the format of Google Benchmark.

    commands.py SESSIONCTL DYNAMIC [--short]

SESSIONCTL is the program as `make install` installs it, DYNAMIC one that loads the libraries of the Swift toolchain. A
time is that from just before posix_spawn until wait4 has returned. The implementations of a case run in turn, each
time in another order. Each case appears twice: with all times, of which report.py takes the lower quartile, and with
their median. Files are in TMPDIR or /var/tmp, on a disk.
"""

import json
import os
import random
import shlex
import statistics
import sys
import tempfile
import time

# Services in a file, by its size.
SIZES = {"1KB": 6, "130KB": 760, "1.3MB": 7600}
DISCARD = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]


def settings(services):
    """Typical settings, as LatencyBenchmarks has them, with all values in the file where people would write them."""
    return json.dumps(
        {
            "sequence": 0,
            "services": [
                {
                    "name": f"service {number}",
                    "host": f"node-{number}.internal",
                    "port": 8000 + number,
                    "isEnabled": True,
                    "weight": (100 + number) / 1000,
                    "tags": ["blue", "spare"],
                }
                for number in range(services)
            ],
        },
        indent=2,
    ) + "\n"


def run(arguments, quiet=True):
    """Runs a program and returns the nanoseconds that it took."""
    begin = time.monotonic_ns()
    process = os.posix_spawnp(arguments[0], arguments, os.environ, file_actions=DISCARD if quiet else [])
    _, status, _ = os.wait4(process, 0)
    duration = time.monotonic_ns() - begin
    if status != 0:
        sys.exit(f"commands.py: {shlex.join(arguments)} failed with wait status {status}")
    return duration


def shell(command):
    return ["/bin/sh", "-ec", command]


class Case:
    """One operation, by several implementations."""

    def __init__(self, title, commands, rounds):
        self.title = title
        # Functions from the number of a round to the arguments of a program.
        self.commands = commands
        self.rounds = rounds

    def entries(self):
        times = {name: [] for name in self.commands}
        names = list(self.commands)
        order = random.Random(self.title)
        # The first round only fills caches.
        for number in range(self.rounds + 1):
            order.shuffle(names)
            for name in names:
                duration = run(self.commands[name](number))
                if number > 0:
                    times[name].append(duration)
        for name, durations in times.items():
            for duration in durations:
                yield self.entry(self.title, name, duration)
            yield self.entry(f"{self.title}/median", name, statistics.median(durations))

    @staticmethod
    def entry(title, name, duration):
        return {"name": f"{title}/{name}", "run_type": "iteration", "real_time": duration, "time_unit": "ns"}


def start_case(sessionctl, dynamic, rounds):
    commands = {
        "ours": lambda _: [sessionctl, "--version"],
        "dynamic": lambda _: [dynamic, "--version"],
        "jq": lambda _: ["jq", "--version"],
        "true": lambda _: ["true"],
    }
    return Case("command/start", commands, rounds)


def get_case(sessionctl, folder, size, rounds):
    file = os.path.join(folder, f"get-{size}.json")
    write(file, settings(SIZES[size]))
    middle = SIZES[size] // 2
    commands = {
        "ours": lambda _: [sessionctl, "get", file, f"services.{middle}.port"],
        "jq": lambda _: ["jq", f".services[{middle}].port", file],
    }
    return Case(f"command/get/{size}", commands, rounds)


def set_case(sessionctl, folder, size, rounds):
    """Each implementation has a file of its own, in a directory of its own."""
    middle = SIZES[size] // 2

    def file(name):
        path = os.path.join(folder, f"set-{size}-{name}", "settings.json")
        if not os.path.exists(path):
            os.mkdir(os.path.dirname(path))
            write(path, settings(SIZES[size]))
        return path

    ours, moved, synced = file("ours"), file("moved"), file("synced")

    def jq(path, number):
        return f"jq '.services[{middle}].port = {number}' {shlex.quote(path)} >{shlex.quote(path + '.new')}"

    def move(path):
        return f"mv {shlex.quote(path + '.new')} {shlex.quote(path)}"

    def sync(path):
        return f"sync {shlex.quote(path)}"

    commands = {
        "ours": lambda number: [sessionctl, "set", ours, f"services.{middle}.port", str(number)],
        "jq, mv": lambda number: shell(f"{jq(moved, number)}; {move(moved)}"),
        "jq, sync, mv, sync": lambda number: shell(
            f"{jq(synced, number)}; {sync(synced + '.new')}; {move(synced)}; {sync(os.path.dirname(synced))}"
        ),
    }
    return Case(f"command/set/{size}", commands, rounds)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    arguments = sys.argv[1:]
    is_short = arguments[-1:] == ["--short"]
    if is_short:
        arguments.pop()
    if len(arguments) != 2:
        sys.exit("usage: commands.py SESSIONCTL DYNAMIC [--short]")
    sessionctl, dynamic = arguments
    rounds = 40 if is_short else 200
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as folder:
        cases = [start_case(sessionctl, dynamic, rounds)]
        for case in (get_case, set_case):
            cases += [case(sessionctl, folder, size, rounds if size == "1KB" else rounds // 2) for size in SIZES]
        entries = [entry for case in cases for entry in case.entries()]
    sizes = {"as installed": os.stat(sessionctl).st_size, "with the toolchain's libraries": os.stat(dynamic).st_size}
    context = {"programSizes": sizes}
    json.dump({"context": context, "benchmarks": entries}, sys.stdout, indent=1)


if __name__ == "__main__":
    main()

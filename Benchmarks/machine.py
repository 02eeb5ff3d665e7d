#!/usr/bin/env python3
"""Prints as JSON what a run measures, and on which machine: machine.py [OPTION...]

The options are those of run.sh. A commit is marked as dirty if a file that is measured, or that measures, differs. At the
end, machine.py --seconds NUMBER FILE adds to that file how long the run took, builds included.
"""

import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MEASURED = [
    "Package.swift", "Sources", "Examples/sessionctl", "Scripts/install.sh", "Scripts/function-order.txt",
    "Benchmarks/Package.swift", "Benchmarks/Sources", "Benchmarks/run.sh", "Benchmarks/commands.py",
    "Benchmarks/node.mjs", "Benchmarks/view.py", "Benchmarks/watchfiles_lines.py",
    # The target of a symbolic link in Benchmarks/Sources.
    "Tests/CAllocationCount",
    # What makes quotable numbers of the results.
    "Benchmarks/machine.py", "Benchmarks/results.py", "Benchmarks/quotable_numbers.py",
    # `make bench` has no cluster, and fleet.py no report.
    ":!Sources/CCurl", ":!Sources/EtcdClient", ":!Sources/FleetSession", ":!*.md",
]


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def commit():
    name = output("git", "rev-parse", "--short", "HEAD")
    return name + ("-dirty" if output("git", "status", "--porcelain", "--", *MEASURED) else "")


def facts_of_processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        pairs = [line.split(":", 1) for line in file if ":" in line]
    return {(key.strip(), value.strip()) for key, value in pairs}


def processor():
    names = {value for key, value in facts_of_processor() if key == "model name"}
    return ", ".join(sorted(names)) or "unknown processor"


def model():
    """Virtual machines may leave out the number from the name: family 25, model 17, stepping 1"""
    facts = dict(facts_of_processor())
    keys = {"family": "cpu family", "model": "model", "stepping": "stepping"}
    return ", ".join(f"{name} {facts[key]}" for name, key in keys.items() if key in facts) or "unknown model"


def is_virtual():
    return any(key == "flags" and "hypervisor" in value.split() for key, value in facts_of_processor())


def short_name(machine):
    """For the history: 2x Intel Xeon 2.80GHz, virtual"""
    words = machine["processor"]
    for mark in ("(R)", "(TM)", "(tm)", "CPU", "Processor", "@"):
        words = words.replace(mark, " ")
    return f"{machine['processors']}x {' '.join(words.split())}" + (", virtual" if machine["isVirtual"] else "")


def run_info(options):
    machine = {
        "processor": processor(),
        "model": model(),
        "processors": len(os.sched_getaffinity(0)),
        "isVirtual": is_virtual(),
        "kernel": platform.release(),
        "swift": output(os.environ.get("SWIFT", "swift"), "--version").splitlines()[0],
    }
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"commit": commit(), "date": date, "machine": machine, "options": options}


def add_seconds(number, path):
    info = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    pathlib.Path(path).write_text(json.dumps(info | {"seconds": int(number)}, indent=1, ensure_ascii=False) + "\n", "utf-8")


def main():
    if sys.argv[1:2] == ["--seconds"]:
        return add_seconds(*sys.argv[2:])
    json.dump(run_info(sys.argv[1:]), sys.stdout, indent=1, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()

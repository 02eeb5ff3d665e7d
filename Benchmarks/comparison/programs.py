"""The benchmark programs: which cases they have, and their times in one process."""

import json
import math
import os
import pathlib
import re
import subprocess
import typing

from results import NANOSECONDS, THREADED

# The hot paths of one thread that can be measured alone. The implementations that are not `ours` are other ways to use
# this library.
DEFAULT_CASES = "|".join(
    [
        r"^read/.*/alone/ours$",
        r"^stored/a plain value/read/(ours|@Stored|view\.burst|session\.showColumn)$",
        r"^stored/an array/read/(ours|\$ratings\.read|session\.names)$",
        r"^stored/set until visible/(ours|static parameter|session\.update)$",
        r"^parse/mixed/(100KB|1MB)/ours$",
        r"^lookup/(hit|miss)/1000 (short|long) keys/ours$",
        r"^edit/one value/100KB/ours$",
        r"^(decode|encode)/typical root/(value|bytes)/ours$",
        r"^reparse/one changed/1MB/ours$",
        r"^scale/(reload|save) typed root/1000 keys/ours$",
    ]
)

class MeasurementError(Exception):
    """A program that could not run."""


class Program(typing.NamedTuple):
    """A benchmark program."""

    name: str
    # The cases of a program that cannot list them, and measures all of them in each process.
    fixed_cases: tuple[str, ...] = ()
    # A program of the main package, whose path is the first argument.
    companion: str = ""

    def cases(self, folder: pathlib.Path) -> list[str]:
        if self.fixed_cases:
            return list(self.fixed_cases)
        return output([str(folder / self.name), "--benchmark_list_tests=true"]).splitlines()

    def times(self, folder: pathlib.Path, cases: list[str]) -> dict[str, float]:
        """Runs a process and returns the nanoseconds of each case."""
        path = str(folder / self.name)
        if self.fixed_cases:
            command = [path, *([str(folder / self.companion)] if self.companion else []), "--short"]
        else:
            command = [*pinned(cases), path, *google_options(cases)]
        try:
            entries = json.loads(output(command))["benchmarks"]
        except ValueError as error:
            raise MeasurementError(f"{path} printed invalid JSON: {error}") from error
        return shortest(entries, set(cases))


PROGRAMS = [
    Program("ReadBenchmarks"),
    Program("LosslessJSONBenchmarks"),
    Program(
        "SaveBenchmarks",
        (
            "update/100 B/median/ours",
            "update/10 KB/median/ours",
            "commit/1KB/median/ours",
            "commit/8 threads/median/ours",
            "commit/after 10000/median/ours",
        ),
    ),
    Program(
        "ScaleBenchmarks",
        tuple(
            f"scale/{work}/{keys} keys/ours"
            for work in ("reload typed root", "save typed root", "decode", "encode")
            for keys in (10, 100, 1_000)
        ),
    ),
    Program("ReplaceBenchmarks", ("replace/1KB/durable/median/ours", "replace/1KB/fast/median/ours")),
    Program(
        "LatencyBenchmarks",
        (
            "edit to callback/1KB/write+close/at once/median/ours",
            "edit to callback/1KB/write+close/rested/median/ours",
            "edit to callback/1KB/rename/at once/median/ours",
            "edit to callback/1KB/rename/rested/median/ours",
            "edit to callback/10000 sessions, one folder/median/ours",
            "open/10000 sessions, one folder/ours",
            "watch/10000 files, 100 folders/ours",
        ),
        companion="WatchProbe",
    ),
]


def pinned(cases: list[str]) -> list[str]:
    """Keeps a process on the last processor, because the first one handles most interrupts."""
    if any(THREADED.search(case) for case in cases):
        return []
    return ["taskset", "--cpu-list", str(max(os.sched_getaffinity(0)))]


def google_options(cases: list[str]) -> list[str]:
    # POSIX rejects a backslash before other characters.
    names = "|".join(re.sub(r"[\[(){.*+?^$|\\]", r"\\\g<0>", case) for case in cases)
    return [
        f"--benchmark_filter=^({names})$",
        "--benchmark_repetitions=9",
        "--benchmark_min_time=0.01",
        # Otherwise a slow first iteration, which opens a session, becomes the only one of each repetition.
        "--benchmark_min_warmup_time=0.001",
        "--benchmark_enable_random_interleaving=true",
        "--benchmark_format=json",
    ]


def output(command: list[str]) -> str:
    """Runs a program with the same small environment each time, because its size shifts the stack."""
    kept = {name: os.environ[name] for name in ("HOME", "LD_LIBRARY_PATH", "PATH", "TMPDIR") if name in os.environ}
    environment = kept | {"SWIFT_DETERMINISTIC_HASHING": "1"}
    process = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if process.returncode != 0:
        raise MeasurementError(f"{process.stderr}{' '.join(command)} exited with {process.returncode}")
    return process.stdout


def shortest(entries: list[dict], cases: set[str]) -> dict[str, float]:
    """The shortest repetition of each case: disturbances only make a measurement longer, and on a busy machine affect
    more than a quarter of the repetitions."""
    times: dict[str, float] = {}
    for entry in entries:
        if entry["run_type"] != "iteration" or entry["name"] not in cases:
            continue
        if entry.get("error_occurred"):
            raise MeasurementError(f"{entry['name']}: {entry['error_message']}")
        times[entry["name"]] = min(times.get(entry["name"], math.inf), nanoseconds(entry))
    return times


def nanoseconds(entry: dict) -> float:
    """The shorter of wall and processor time; for several threads wall time, because a waiting thread uses no
    processor time."""
    time = entry["real_time"]
    if "cpu_time" in entry and not THREADED.search(entry["name"]):
        time = min(time, entry["cpu_time"])
    return time * NANOSECONDS[entry["time_unit"]]

#!/usr/bin/env python3
"""Records the functions that sessionctl runs for an edit, or counts how many recorded functions a program still has.

usage: function_order.py PROGRAM…              prints the names of the functions, in the order of their first calls
       function_order.py --check LIST PROGRAM  fails if the program has less than four fifths of those of the project

The linker puts the functions of the list next to each other, in its order. An edit after a rest finds neither the code
nor the addresses of its pages in the caches of the processor, so it costs more the more pages its code lies on: some
300 without the list, and a third of that with it. Names in the list that a program does not have do no harm.

The programs must have their symbols. Several of them, built with different options, give one list. Needs valgrind.
"""

import bisect
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import typing

# If a program has less than this share of the recorded functions, they are to be recorded again.
SMALLEST_SHARE = 0.8
OPENAT2 = pathlib.Path(__file__).with_name("valgrind-openat2.c")
WARM_UP = 3
EDITS = 4
# How long a program that waits for an edit has called nothing, in seconds.
REST = 1


def document(number: int) -> str:
    members = "".join(f'  "service{each}": {{"port": {each}, "host": "::{each}"}},\n' for each in range(12))
    return f'{{\n{members}  "number": {number}\n}}\n'


def edit(path: pathlib.Path, number: int) -> None:
    """Writes in place and renames in turns, as programs and editors do."""
    if number % 2:
        path.write_text(document(number))
    else:
        new = path.with_suffix(".new")
        new.write_text(document(number))
        new.rename(path)


class Symbols:
    """The functions of a program by their addresses."""

    def __init__(self, program: str) -> None:
        listing = subprocess.run(["nm", "--numeric-sort", program], check=True, capture_output=True, text=True).stdout
        fields = [line.split(maxsplit=2) for line in listing.splitlines()]
        self.symbols = [(int(each[0], 16), each[2]) for each in fields if len(each) == 3 and each[1] in "tTwW"]
        self.end = self.symbols[-1][0]

    def name(self, address: int) -> str | None:
        if not self.symbols[0][0] <= address <= self.end:
            return None
        return self.symbols[bisect.bisect_right(self.symbols, (address, "\U0010ffff")) - 1][1]


class Run:
    """A run of the program in valgrind, which writes the address of each block of code that is executed. The library of
    OPENAT2 lies beside the program.
    """

    def __init__(self, program: str, symbols: Symbols, *arguments: str) -> None:
        self.program, self.symbols = program, symbols
        self.trace: list[bytes] = []
        self.base: int | None = None
        self.records = False
        self.last_call = time.monotonic()
        reading, writing = os.pipe()
        # A block ends where a function is called.
        tool = ["--tool=lackey", "--basic-counts=no", "--trace-superblocks=yes", "--vex-guest-chase=no"]
        self.process = subprocess.Popen(
            ["valgrind", *tool, f"--log-fd={writing}", program, *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, pass_fds=[writing], text=True,
            env=os.environ | {"LD_PRELOAD": f"{program}.so"},
        )  # fmt: skip
        os.close(writing)
        self.reader = threading.Thread(target=self.read, args=[reading])
        self.reader.start()

    def read(self, descriptor: int) -> None:
        with open(descriptor, "rb", buffering=0) as trace:
            while chunk := trace.read(1 << 20):
                self.last_call = time.monotonic()
                if self.base is None:
                    self.base = self.find_base()
                if self.records:
                    self.trace.append(chunk)

    def find_base(self) -> int | None:
        """Where the program is loaded: in valgrind, addresses are those of the process."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/maps").read_text().splitlines():
            if line.endswith(self.program):
                return int(line.split("-")[0], 16)
        return None

    def wait_for_rest(self) -> None:
        while time.monotonic() < self.last_call + REST:
            time.sleep(REST / 10)

    def end(self) -> None:
        """Waits for the end, and fails if the program does."""
        status = self.process.wait()
        self.reader.join()
        if status != 0:
            self.fail(f"the program ended with {status}")

    def fail(self, message: str) -> typing.NoReturn:
        self.process.kill()
        sys.exit(f"function_order.py: {message}")

    def functions(self) -> list[str]:
        """The names of the recorded functions, each once."""
        addresses = dict.fromkeys(line for line in b"".join(self.trace).splitlines() if line.startswith(b"SB "))
        names = (self.symbols.name(int(line[3:], 16) - self.base) for line in addresses)
        return list(dict.fromkeys(name for name in names if name))


def functions_of_edits(program: str, symbols: Symbols, path: pathlib.Path) -> list[str]:
    path.write_text(document(0))
    run = Run(program, symbols, "watch", str(path), "--count", str(WARM_UP + EDITS))
    run.process.stdout.readline()
    for number in range(1, WARM_UP + EDITS + 1):
        run.wait_for_rest()
        run.records = number > WARM_UP
        edit(path, number)
        line = run.process.stdout.readline()
        if str(number) not in line:
            run.fail(f"edit {number} gave the line {line!r}")
    run.end()
    return run.functions()


def functions_of_start(program: str, symbols: Symbols, path: pathlib.Path) -> list[str]:
    found: list[str] = []
    for command, *arguments in [["get", "number"], ["set", "number", "7"]]:
        path.write_text(document(0))
        run = Run(program, symbols, command, str(path), *arguments)
        run.records = True
        run.end()
        found += run.functions()
    return found


def record(programs: list[str]) -> None:
    edits: list[str] = []
    starts: list[str] = []
    for program in programs:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "settings.json"
            # Debian's valgrind cannot read the compiler's debug information.
            stripped = os.path.join(folder, "sessionctl")
            subprocess.run(["strip", "--strip-debug", "-o", stripped, program], check=True)
            subprocess.run(["clang", "-O2", "-shared", "-fPIC", "-o", f"{stripped}.so", OPENAT2], check=True)
            symbols = Symbols(stripped)
            edits += functions_of_edits(stripped, symbols, path)
            starts += functions_of_start(stripped, symbols, path)
    print("\n".join(dict.fromkeys(edits + starts)))


def check(path: str, program: str) -> None:
    modules = [entry.name for folder in ("Sources", "Examples") for entry in pathlib.Path(folder).iterdir()]
    prefixes = tuple(f"$s{len(module)}{module}" for module in modules)
    recorded = {name for name in pathlib.Path(path).read_text().split() if name.startswith(prefixes)}
    listing = subprocess.run(["nm", program], check=True, capture_output=True, text=True).stdout
    there = recorded & {line.split()[-1] for line in listing.splitlines()}
    if not recorded or len(there) < SMALLEST_SHARE * len(recorded):
        sys.exit(f"{program} has {len(there)} of the {len(recorded)} functions in {path}: run 'make function-order'")
    print(f"{path}: {len(there)} of {len(recorded)} functions of the project are in {program}")


match sys.argv[1:]:
    case ["--check", path, program]:
        check(path, program)
    case [_, *_] as programs if not programs[0].startswith("-"):
        record(programs)
    case _:
        sys.exit(__doc__.split("\n\n")[1])

"""Runs CountedCases, by itself, under callgrind and under strace, and reads the costs of its cases.

Each function returns the costs of every case in every repetition: {case: [{cost: value}]}. A cost is a number for one
repetition; those of system calls are named by the call, such as `calls of pwrite64`.
"""

import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

OPENAT2 = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Scripts", "valgrind-openat2.c")

# Waiting, and what the threads and the memory of the C library need: they depend on who is faster.
UNCOUNTED_CALLS = frozenset(
    """
    futex ppoll poll pselect6 epoll_wait epoll_pwait sched_yield nanosleep clock_nanosleep restart_syscall membarrier
    mmap munmap mprotect madvise mremap brk clone clone3 set_robust_list rseq prctl exit sched_getaffinity gettid
    rt_sigprocmask rt_sigaction rt_sigreturn rt_sigtimedwait
    """.split()
)
# Wake-ups of other threads, and notifications of the kernel.
UNCOUNTED_FILES = ("<anon_inode:", "<pipe:", "</proc/")
WRITING_CALLS = frozenset("write writev pwrite64 pwritev pwritev2 copy_file_range sendfile".split())


class CountingError(Exception):
    """A program that failed, with its message."""


def environment():
    """The same hash seeds, and no files of the user, in each run."""
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    return kept | {"SWIFT_DETERMINISTIC_HASHING": "1", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}


def run(*command):
    result = subprocess.run(command, env=environment(), capture_output=True, text=True, errors="replace", check=False)
    if result.returncode != 0:
        end = "\n".join(result.stderr.strip().splitlines()[-5:])
        raise CountingError(f"{' '.join(command[:2])} … failed with {result.returncode}: {end}")
    return result.stdout


def parsed_mark(text):
    """The case, its scope and its repetitions, of a mark `CASE|SCOPE|REPETITIONS`."""
    case, scope, repetitions = text.split("|")
    return case, scope, int(repetitions)


def allocations(program, *names):
    """Counts calls of malloc and its relatives."""
    samples = collections.defaultdict(list)
    # With fixed addresses, hash tables of types are the same in each run.
    for line in run("setarch", "--addr-no-randomize", program, *names).splitlines():
        mark, count = line.rsplit("|", 1)
        case, _, repetitions = parsed_mark(mark)
        samples[case].append({"allocations": int(count) / repetitions})
    return samples


def instructions(program, *names):
    """Counts instructions, and calls of the functions that retain and release.

    On a busy machine, callgrind once wrote a case without any instruction. Such a case is counted again.
    """
    samples = {}
    for _ in range(3):
        samples.update(run_callgrind(program, *names))
        names = sorted(case for case, costs in samples.items() if not all(cost["instructions"] for cost in costs))
        if not names:
            return samples
    raise CountingError(f"callgrind counts nothing in {', '.join(names)}")


def run_callgrind(program, *names):
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor() as executor:
        # Debian's valgrind cannot read the compiler's debug information. Function names are not part of it.
        stripped = os.path.join(folder, "CountedCases")
        run("strip", "--strip-debug", "-o", stripped, program)
        openat2 = os.path.join(folder, "openat2.so")
        run("clang", "-O2", "-shared", "-fPIC", "-o", openat2, OPENAT2)
        # Threads can be separated in all parts of a run or in none.
        runs = [
            executor.submit(
                run, "env", f"LD_PRELOAD={openat2}", "valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no",
                f"--separate-threads={separate}", f"--callgrind-out-file={folder}/{scope}", stripped, "--few",
                f"--{scope}", *names,
            )
            for scope, separate in (("thread", "yes"), ("process", "no"))
        ]  # fmt: skip
        for finished in runs:
            finished.result()
        return read_callgrind(folder)


def read_callgrind(folder):
    """Reads the files `thread.NUMBER-01` and `process.NUMBER`: one for each report of a case."""
    parts = [re.fullmatch(r"thread\.(\d+)-01|process\.(\d+)", name) for name in os.listdir(folder)]
    samples = collections.defaultdict(list)
    for part in sorted(filter(None, parts), key=lambda part: int(part[1] or part[2])):
        mark, costs = read_callgrind_part(os.path.join(folder, part[0]))
        case, _, repetitions = parsed_mark(mark)
        samples[case].append({cost: costs[cost] / repetitions for cost in ("instructions", "retains", "releases")})
    return samples


def read_callgrind_part(path):
    """The mark and the costs of one thread."""
    mark, costs, names, called = "", collections.Counter(), {}, ""
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("desc: Trigger: Client Request: "):
                mark = line.split(": ", 3)[3].strip()
            elif line.startswith("totals: "):
                costs["instructions"] = int(line.split()[1])
            elif line.startswith(("fn=(", "cfn=(")):
                identifier, _, name = line.rstrip("\n").partition(" ")
                kind, _, identifier = identifier.partition("=")
                if name:
                    names[identifier] = name
                if kind == "cfn":
                    called = names.get(identifier, "")
            elif line.startswith("calls="):
                count = int(line[len("calls=") :].split()[0])
                if called in ("swift_retain", "swift_retain_n"):
                    costs["retains"] += count
                elif called in ("swift_release", "swift_release_n"):
                    costs["releases"] += count
    return mark, costs


def system_calls(program, *names):
    """Counts system calls by name, and the bytes that are written to files."""
    with tempfile.NamedTemporaryFile(mode="r", encoding="utf-8", errors="replace") as output:
        run("strace", "-f", "-y", "-s", "200", "-e", "signal=none", "-o", output.name, program, "--few", *names)
        return read_strace(output)


def read_strace(lines):
    """Reads the output of `strace -f -y`, whose marks are writes to the descriptor -1."""
    samples = collections.defaultdict(list)
    main, counted, costs, unfinished = None, False, {}, {}
    for line in lines:
        match = re.match(r"(\d+) +(.*)", line)
        thread, text = match[1], match[2]
        main = main or thread
        if resumed := re.match(r"<\.\.\. \w+ resumed>(.*)", text):
            text = unfinished.pop(thread, "") + resumed[1]
        elif text.endswith("<unfinished ...>"):
            unfinished[thread] = text.removesuffix("<unfinished ...>")
            continue
        if mark := re.match(r'write\(-1, "([^"]*)"', text):
            if mark[1] in ("resume", "pause"):
                counted = mark[1] == "resume"
            else:
                case, scope, repetitions = parsed_mark(mark[1])
                threads = [thread] if scope == "thread" else list(costs)
                total = sum((costs.get(thread, collections.Counter()) for thread in threads), collections.Counter())
                samples[case].append({cost: count / repetitions for cost, count in total.items()})
                costs = {}
        elif counted:
            costs.setdefault(thread, collections.Counter()).update(costs_of_call(text))
    return samples


def costs_of_call(text):
    match = re.match(r"(\w+)\((.*)\) += (-?\d+)", text)
    if not match:
        return {}
    name, arguments, result = match[1], match[2], int(match[3])
    first = arguments.split(", ", 1)[0]
    if name in UNCOUNTED_CALLS or any(kind in first for kind in UNCOUNTED_FILES):
        return {}
    costs = {f"calls of {name}": 1}
    if name in WRITING_CALLS and result > 0:
        costs["bytes written"] = result
    return costs

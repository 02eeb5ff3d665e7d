"""Tests of reading and comparing counts, without running anything."""

import contextlib
import copy
import io
import itertools
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import counting  # noqa: E402
import counts  # noqa: E402

TRACE = """\
7 write(-1, "resume", 6)            = -1 EBADF (Bad file descriptor)
7 openat(AT_FDCWD</>, "/dev/shm/a", O_RDONLY) = 3</dev/shm/a>
8 pwrite64(4</dev/shm/b>, "x", 1, 0 <unfinished ...>
7 futex(0x1, FUTEX_WAKE_PRIVATE, 1) = 1
7 pwrite64(3</dev/shm/a>, "= 9"..., 300, 0) = 300
8 <... pwrite64 resumed>)             = 1
7 write(5<anon_inode:[eventfd]>, "\\1", 8) = 8
7 write(-1, "pause", 5)             = -1 EBADF (Bad file descriptor)
7 close(3</dev/shm/a>)              = 0
7 write(-1, "save|thread|1", 13)      = -1 EBADF (Bad file descriptor)
7 write(-1, "resume", 6)            = -1 EBADF (Bad file descriptor)
7 pread64(3</dev/shm/a>, "x", 1, 0) = 1
8 pread64(3</dev/shm/a>, "x", 1, 0) = 1
7 write(-1, "pause", 5)             = -1 EBADF (Bad file descriptor)
7 write(-1, "load|process|2", 14)     = -1 EBADF (Bad file descriptor)
"""

PROFILE = """\
desc: Trigger: Client Request: read/session.port|thread|10

fn=(1) loop
0 100
cfn=(2) swift_retain
calls=3 0
0 30
cfn=(3) swift_release_n
calls=2 0
0 20
fn=(4) other
cfn=(2)
calls=4 0
0 40
totals: 190
"""


class CountingTests(unittest.TestCase):
    def test_system_calls_of_a_thread_and_of_all(self):
        samples = counting.read_strace(io.StringIO(TRACE))
        self.assertEqual(
            dict(samples),
            {
                "save": [{"calls of openat": 1, "calls of pwrite64": 1, "bytes written": 300}],
                "load": [{"calls of pread64": 1}],
            },
        )

    def test_instructions_and_references(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "thread.1-01").write_text(PROFILE)
            (path / "thread-01").write_text("totals: 5\n")
            self.assertEqual(
                dict(counting.read_callgrind(folder)),
                {"read/session.port": [{"instructions": 19, "retains": 0.7, "releases": 0.2}]},
            )

    def test_a_case_without_instructions_is_counted_again(self):
        full, empty = {"instructions": 7}, {"instructions": 0}
        runs = [{"read": [full], "save": [full, empty], "save 2": [full]}, {"save": [full, full], "save 2": [full]}]
        with unittest.mock.patch.object(counting, "run_callgrind", side_effect=runs) as run:
            self.assertEqual(
                counting.instructions("program"), {"read": [full], "save": [full, full], "save 2": [full]}
            )
            self.assertEqual([call.args for call in run.mock_calls], [("program",), ("program", "save")])

    def test_a_case_that_stays_without_instructions_is_an_error(self):
        with unittest.mock.patch.object(counting, "run_callgrind", return_value={"save": [{"instructions": 0}]}) as run:
            with self.assertRaisesRegex(counting.CountingError, "callgrind counts nothing in save"):
                counting.instructions("program")
            self.assertEqual(run.call_count, 3)

    def test_a_program_that_fails_is_named(self):
        with self.assertRaisesRegex(counting.CountingError, "sh -c … failed with 3: oops"):
            counting.run("sh", "-c", "echo oops >&2; exit 3")


class CheckTests(unittest.TestCase):
    """`check` with a table and counts that are given."""

    table = {
        "read/session.port": {"allocations": 0, "instructions": 27, "retains": 0},
        "save/1 KB": {"instructions": 1_000, "calls of pwrite64": 1},
        "reload/1 KB": {"allocations": 100, "instructions": 1_000},
        "encode/1000 structs": {"allocations": 100},
    }

    def failures(self, changes, again=None, environment=None):
        measured = {case: costs | changes.get(case, {}) for case, costs in self.table.items()}
        table = counts.Table({"environment": {"swift": "1"}, "cases": self.table})
        with (
            unittest.mock.patch.object(counts.Table, "read", return_value=table),
            unittest.mock.patch.object(counts, "environment", return_value=environment or {"swift": "1"}),
            unittest.mock.patch.object(
                counts, "measure", side_effect=itertools.chain([measured], itertools.repeat(again or {}))
            ),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            return counts.check("")

    def test_what_the_table_says_passes(self):
        self.assertEqual(self.failures({"save/1 KB": {"instructions": 1_049}, "reload/1 KB": {"instructions": 955}}), [])

    def test_each_kind_of_cost_is_named_with_both_numbers(self):
        self.assertEqual(
            self.failures(
                {
                    "read/session.port": {"retains": 1, "instructions": 30},
                    "save/1 KB": {"calls of pwrite64": 2, "calls of write": 1},
                    "encode/1000 structs": {"allocations": 101},
                }
            ),
            [
                "read/session.port: 30 instructions; the table has 27, ± 2 %",
                "read/session.port: 1 retains; the table has 0, ± 2 %",
                "save/1 KB: 2 calls of pwrite64; the table has 1, exactly",
                "save/1 KB: 1 calls of write; the table has 0, exactly",
                "encode/1000 structs: 101 allocations; the table has 100, exactly",
            ],
        )

    def test_what_became_cheaper_is_told_except_for_several_threads(self):
        changes = {"read/session.port": {"instructions": 20}, "reload/1 KB": {"allocations": 99}}
        self.assertEqual(self.failures(changes), ["read/session.port: 20 instructions; the table has 27, ± 2 %"])

    def test_what_several_threads_no_longer_do_is_told(self):
        changes = {"save/1 KB": {"calls of pwrite64": 0, "instructions": 940}, "reload/1 KB": {"allocations": 94}}
        self.assertEqual(
            self.failures(changes),
            [
                "save/1 KB: 0 calls of pwrite64; the table has 1, exactly",
                "save/1 KB: 940 instructions; the table has 1,000, ± 5 %",
                "reload/1 KB: 94 allocations; the table has 100, exactly",
            ],
        )

    def test_calls_are_those_of_most_repetitions(self):
        repetitions = {"save/1 KB": [{"calls of fsync": 1}, {}, {"calls of fsync": 1}]}
        with unittest.mock.patch.object(counting, "system_calls", return_value=repetitions) as system_calls:
            self.assertEqual(counts.measure("", ["save"], [system_calls]), {"save/1 KB": {"calls of fsync": 1}})

    def test_loops_count_whole_allocations(self):
        repetitions = {"update/1 KB": [{"allocations": 3.06}], "read/a": [{"allocations": 0.01}]}
        with unittest.mock.patch.object(counting, "allocations", return_value=repetitions) as allocations:
            measured = counts.measure("", ["a"], [allocations])
        self.assertEqual(measured, {"update/1 KB": {"allocations": 3}, "read/a": {"allocations": 0.01}})

    def test_a_case_of_several_threads_is_counted_again(self):
        above = {"reload/1 KB": {"allocations": 101}}
        self.assertEqual(self.failures(above, again={"reload/1 KB": {"allocations": 100}}), [])
        self.assertEqual(
            self.failures(above, again={"reload/1 KB": {"allocations": 101}}),
            ["reload/1 KB: 101 allocations; the table has 100, exactly"],
        )
        self.assertEqual(
            self.failures({"save/1 KB": {"calls of pwrite64": 0}}, again={"save/1 KB": {"calls of pwrite64": 1}}),
            ["save/1 KB: 0 calls of pwrite64; the table has 1, exactly"],
        )
        below = {"reload/1 KB": {"allocations": 94}}
        self.assertEqual(self.failures(below, again={"reload/1 KB": {"allocations": 100}}), [])
        self.assertEqual(
            self.failures(below, again={"reload/1 KB": {"allocations": 93}}),
            ["reload/1 KB: 94 allocations; the table has 100, exactly"],
        )

    def test_what_is_not_found_again_is_zero(self):
        self.assertEqual(self.failures({"save/1 KB": {"calls of write": 1}}, again={"save/1 KB": {"calls of pwrite64": 1}}), [])

    def test_another_compiler_needs_another_table(self):
        self.assertIn("this is {'swift': '2'}", self.failures({}, environment={"swift": "2"})[0])

    def accepted(self, before, measured):
        table = counts.Table({"cases": before})
        with (
            unittest.mock.patch.object(counts.Table, "read", return_value=table),
            unittest.mock.patch.object(counts.Table, "write"),
            unittest.mock.patch.object(counts, "environment", return_value={"swift": "1"}),
            unittest.mock.patch.object(counts, "measure", side_effect=lambda *_: copy.deepcopy(measured)),
        ):
            counts.accept("", "why")
        return table.cases, table.reasons[-1]["changes"]

    def test_only_what_is_listed_changes_in_the_table(self):
        before = {"parse/a": {"allocations": 3, "instructions": 1_000, "retains": 100}}
        measured = {"parse/a": {"allocations": 4, "instructions": 1_009, "retains": 103}}
        cases, changes = self.accepted(before, measured)
        self.assertEqual(cases, {"parse/a": {"allocations": 4, "instructions": 1_000, "retains": 103}})
        self.assertEqual(changes, {"parse/a: allocations": [3, 4], "parse/a: retains": [100, 103]})

    def test_small_increases_do_not_add_up(self):
        before, instructions = {"parse/a": {"instructions": 1_000}}, 1_000
        for _ in range(5):
            instructions *= 1.01
            before, changes = self.accepted(before, {"parse/a": {"instructions": instructions}})
            if changes:
                break
        self.assertEqual(list(changes), ["parse/a: instructions"])
        self.assertEqual(changes["parse/a: instructions"][0], 1_000)

    def test_calls_that_come_and_go_are_listed(self):
        cases, changes = self.accepted({"save/a": {"calls of fsync": 1}}, {"save/a": {"calls of write": 2}})
        self.assertEqual(cases, {"save/a": {"calls of write": 2}})
        self.assertEqual(changes, {"save/a: calls of fsync": [1, 0], "save/a: calls of write": [0, 2]})

    def test_new_and_old_cases_are_listed(self):
        cases, changes = self.accepted({"old": {"allocations": 1}}, {"new": {"allocations": 2, "instructions": 7}})
        self.assertEqual(cases, {"new": {"allocations": 2, "instructions": 7}})
        self.assertEqual(
            changes, {"old: allocations": [1, None], "new: allocations": [None, 2], "new: instructions": [None, 7]}
        )

    def test_a_long_count_is_told_and_fails_nothing(self):
        for seconds, message in ((180, ""), (181, "more than 180 s")):
            with (
                unittest.mock.patch.object(counts.time, "monotonic", side_effect=[0, seconds]),
                contextlib.redirect_stderr(io.StringIO()) as errors,
            ):
                self.assertEqual(self.failures({}), [])
            self.assertIn(message, errors.getvalue())
            self.assertEqual(bool(message), bool(errors.getvalue()))

    def test_cases_that_come_and_go_are_told(self):
        with unittest.mock.patch.dict(self.table):
            measured = dict(self.table)
            self.table["old"] = {"allocations": 1}
            measured["new"] = {"allocations": 1}
            table = counts.Table({"environment": {"swift": "1"}, "cases": self.table})
            with (
                unittest.mock.patch.object(counts.Table, "read", return_value=table),
                unittest.mock.patch.object(counts, "environment", return_value={"swift": "1"}),
                unittest.mock.patch.object(counts, "measure", return_value=measured),
                contextlib.redirect_stdout(io.StringIO()),
            ):
                self.assertEqual(counts.check(""), ["old: is no longer counted", "new: is not in the table"])


if __name__ == "__main__":
    unittest.main()

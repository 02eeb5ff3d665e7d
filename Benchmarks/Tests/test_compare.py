"""Tests of the decisions of compare.py, with synthetic times."""

import contextlib
import io
import pathlib
import re
import statistics
import sys
import unittest
import unittest.mock

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import compare  # noqa: E402
from comparison import counted, output, programs  # noqa: E402
from comparison.programs import Program  # noqa: E402
from comparison.selection import Selection, select  # noqa: E402
from comparison.verdicts import (  # noqa: E402
    Comparison,
    agreeing_rounds,
    critical_pairs,
    holm,
    judge,
    minimum_rounds,
    nth_smallest,
    smallest_p,
)

READS, PARSES = Program("ReadBenchmarks"), Program("LosslessJSONBenchmarks")


def run(generator, cases, ratio=1.0, rounds=10, scatter=0.03, drift=None):
    """Comparisons of one run, of which the first case is slower by `ratio`. `drift` is common to both sides."""
    drift = numpy.ones(rounds) if drift is None else drift
    comparisons = []
    for case in range(cases):
        base, now = (100 * drift * generator.lognormal(0, scatter, rounds) for _ in range(2))
        comparisons.append(Comparison(f"case {case}", base, now * (ratio if case == 0 else 1)))
    judge(comparisons)
    return comparisons


def different(comparisons):
    return [comparison.name for comparison in comparisons if comparison.verdict != "no difference"]


class InMemory:
    """A side without programs."""

    def __init__(self, name):
        self.folder = pathlib.Path(name)

    def renew(self):
        pass


class SameRevision(unittest.TestCase):
    def test_at_most_a_few_percent_of_comparisons_find_a_difference(self):
        generator = numpy.random.default_rng(1)
        false = sum(bool(different(run(generator, cases=30))) for _ in range(200))
        # Five percent in the long run.
        self.assertLessEqual(false, 14)

    def test_difference_that_is_not_found_again(self):
        case, again, opposite = (
            run(numpy.random.default_rng(11), cases=10, ratio=ratio)[0] for ratio in (1.2, 1.2, 1 / 1.2)
        )
        self.assertEqual([case.verdict, opposite.verdict], ["slower", "faster"])
        case.again = again
        self.assertEqual(case.verdict, "slower")
        for case.again in (opposite, run(numpy.random.default_rng(12), cases=10)[0]):
            self.assertEqual(case.verdict, "no difference")
        lines = output.report(Selection({}, [], []), [case], None).splitlines()
        self.assertIn("different, but not again: case 0", lines)
        self.assertEqual(lines[-1], "1 cases: 0 faster, 0 slower, 1 no difference")

    def test_drift_of_both_sides(self):
        generator = numpy.random.default_rng(2)
        rising = numpy.linspace(1, 2, 10)
        burst = numpy.where(numpy.arange(10) < 4, 1.5, 1)
        for drift in (rising, burst):
            false = sum(bool(different(run(generator, cases=30, drift=drift))) for _ in range(20))
            self.assertEqual(false, 0)

    def test_disturbance_of_one_side_in_some_rounds(self):
        generator = numpy.random.default_rng(3)
        for disturbed in range(6):
            comparisons = run(generator, cases=30)
            comparisons[0].now[:disturbed] *= 1.5
            judge(comparisons)
            self.assertEqual(different(comparisons), [], f"{disturbed} rounds")

    def test_rounds_that_do_not_agree(self):
        # Mann-Whitney alone finds a difference, although in three of ten rounds the other side is faster.
        base, now = [1, 2, 3, 4, 5, 6, 7, 28, 29, 30], [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
        case = Comparison("case", base, now)
        judge([case])
        self.assertFalse(case.is_agreed_by_rounds)
        self.assertEqual(case.verdict, "no difference")


class Slowdown(unittest.TestCase):
    def test_ten_percent_with_three_percent_scatter(self):
        generator = numpy.random.default_rng(4)
        runs = [run(generator, cases=30, ratio=1.1) for _ in range(30)]
        found = sum(comparisons[0].verdict == "slower" for comparisons in runs)
        self.assertGreaterEqual(found, 27)

    def test_speedup(self):
        self.assertEqual(run(numpy.random.default_rng(5), cases=30, ratio=0.88)[0].verdict, "faster")

    def test_while_both_sides_drift_a_little(self):
        drift = numpy.linspace(1, 1.05, 10)
        case = run(numpy.random.default_rng(6), cases=10, ratio=1.15, drift=drift)[0]
        self.assertEqual(case.verdict, "slower")
        self.assertTrue(case.interval[0] < 1.15 < case.interval[1])

    def test_smallest_visible_difference_is_found_with_its_probability(self):
        generator = numpy.random.default_rng(7)
        visible = [run(generator, cases=10)[0].smallest_visible for _ in range(20)]
        typical = statistics.median(visible)
        self.assertTrue(1.03 < typical < 1.12, typical)
        found = sum(run(generator, cases=10, ratio=typical)[0].verdict == "slower" for _ in range(100))
        self.assertTrue(75 < found < 100, found)

    def test_smallest_visible_difference_does_not_depend_on_the_measured_one(self):
        equal, slower = (run(numpy.random.default_rng(8), cases=10, ratio=ratio)[0] for ratio in (1, 1.3))
        self.assertAlmostEqual(equal.smallest_visible, slower.smallest_visible, places=6)


class Corrections(unittest.TestCase):
    def test_holm(self):
        # The example of R's p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
        for value, expected in zip(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]):
            self.assertAlmostEqual(value, expected)
        self.assertEqual(holm([0.9, 0.8]), [1, 1])
        self.assertEqual(holm([]), [])

    def test_interval_becomes_wider_with_the_number_of_cases(self):
        one, many = (run(numpy.random.default_rng(9), cases=cases)[0].interval for cases in (1, 40))
        self.assertTrue(many[0] < one[0] < one[1] < many[1])

    def test_critical_pairs_are_those_of_a_table(self):
        # Published critical values of U for two samples of 10: 23 at 0.05, 16 at 0.01. U is the smaller count of pairs.
        self.assertEqual(critical_pairs(10, 0.05), 100 - 23)
        self.assertEqual(critical_pairs(10, 0.01), 100 - 16)
        self.assertEqual(critical_pairs(5, 0.001), 26)

    def test_minimum_of_rounds(self):
        self.assertAlmostEqual(smallest_p(5), 2 / 252)
        self.assertEqual([minimum_rounds(cases) for cases in (1, 23, 24, 40, 85, 86)], [6, 6, 7, 7, 7, 8])
        self.assertEqual([agreeing_rounds(rounds) for rounds in (5, 6, 10, 20)], [6, 6, 9, 15])

    def test_nth_smallest(self):
        rows = numpy.array([[3.0, 1.0, 2.0]])
        self.assertEqual([float(nth_smallest(rows, number)[0]) for number in (1, 3, 4)], [1, 3, float("inf")])


class Cases(unittest.TestCase):
    def test_what_only_one_side_has_is_told(self):
        base = {READS: ["read/a/ours", "read/b/ours"]}
        now = {READS: ["read/b/ours", "read/c/ours"], PARSES: ["parse/d/ours", "other/ours"]}
        selection = select(re.compile("^(read|parse)/"), base, now)
        self.assertEqual(selection.cases, {READS: ["read/b/ours"]})
        lines = output.report(selection, run(numpy.random.default_rng(10), cases=2), None).splitlines()
        self.assertIn("only in base: read/a/ours", lines)
        self.assertIn("only in now: read/c/ours, parse/d/ours", lines)
        self.assertIn("selected, but not measured: read/b/ours", lines)
        self.assertEqual(lines[-1], "2 cases: 0 faster, 0 slower, 2 no difference")

    def test_time_of_a_process_is_its_shortest_repetition_in_nanoseconds(self):
        def entry(name, real, processor, unit="us", kind="iteration"):
            return {"name": name, "run_type": kind, "real_time": real, "cpu_time": processor, "time_unit": unit}

        entries = [entry("a/ours", time, time + 1) for time in (5, 1, 2, 3, 4)]
        entries += [entry("a/ours", 0, 0, kind="aggregate"), entry("b/ours", 9, 8, "ns"), entry("c/ours", 1, 1)]
        entries += [entry("d/2 threads/ours", 9, 8, "ns")]
        times = programs.shortest(entries, {"a/ours", "b/ours", "d/2 threads/ours"})
        self.assertEqual(times, {"a/ours": 1000, "b/ours": 8, "d/2 threads/ours": 9})

    def test_failure_of_a_case(self):
        entry = {"name": "a/ours", "run_type": "iteration", "error_occurred": True, "error_message": "broken"}
        with self.assertRaisesRegex(programs.MeasurementError, "a/ours: broken"):
            programs.shortest([entry], {"a/ours"})

    def test_filter_selects_exactly_these_names(self):
        cases = ["read/read { $0.port }/alone/ours", "a+b (c)/ours"]
        pattern = re.compile(programs.google_options(cases)[0].removeprefix("--benchmark_filter="))
        self.assertTrue(all(pattern.search(case) for case in cases))
        self.assertIsNone(pattern.search("read/read { $0xport }/alone/ours"))
        self.assertIsNone(pattern.search("more a+b (c)/ours"))


class Rounds(unittest.TestCase):
    def test_sides_begin_in_turn(self):
        processes = []

        class Recorder:
            def times(self, folder, cases):
                processes.append(folder.name)
                # A case that one process has not measured is left out.
                return {case: 1.0 for case in cases if case == "x" or len(processes) != 3}

        sides = [InMemory(name) for name in "ab"]
        with contextlib.redirect_stderr(io.StringIO()):
            comparisons = compare.measure(Selection({Recorder(): ["x", "y"]}, [], []), *sides, rounds=4)
        self.assertEqual("".join(processes), "abbaabba")
        self.assertEqual([(case.name, case.rounds) for case in comparisons], [("x", 4)])

    def test_those_on_a_busy_machine_are_repeated(self):
        class Busy:
            name = "Busy"
            processes = 0

            def times(self, folder, cases):
                self.processes += 1
                # The second round; and a case that varies by itself.
                slowness = 1.5 if self.processes in (3, 4, 9) else 1 + self.processes / 1000
                return {"x": slowness, "y": 2 * slowness, "z": 1.0 if self.processes % 3 else 5.0}

        program, sides = Busy(), [InMemory(name) for name in "ab"]
        messages = io.StringIO()
        with contextlib.redirect_stderr(messages):
            comparisons = compare.measure(Selection({program: ["x", "y", "z"]}, [], []), *sides, rounds=4)
        # The first repetition is disturbed, too.
        self.assertEqual(program.processes, 12)
        self.assertTrue(all(max(*case.base, *case.now) < 1.02 for case in comparisons[:1]))
        self.assertNotIn("busy", messages.getvalue())

    def test_that_stay_disturbed_are_told(self):
        class Drifting:
            name = "Drifting"
            processes = 0

            def times(self, folder, cases):
                self.processes += 1
                return {"x": 1.5**self.processes}

        messages = io.StringIO()
        sides = [InMemory(name) for name in "ab"]
        with contextlib.redirect_stderr(messages):
            compare.measure(Selection({Drifting(): ["x"]}, [], []), *sides, rounds=4)
        self.assertRegex(messages.getvalue(), "Drifting: the machine was busy in [1-4] of 4 rounds")

    def test_a_difference_is_measured_again(self):
        runs = []

        def measure(selection, base, now, rounds):
            runs.append(selection.cases)
            names = [case for cases in selection.cases.values() for case in cases]
            comparisons = run(numpy.random.default_rng(13), len(names), ratio=1.2, rounds=rounds)
            for comparison, name in zip(comparisons, names):
                comparison.name = name
            return comparisons

        def cases(side, pattern):
            return {READS: ["x", "y"], PARSES: ["z"]}

        with (
            unittest.mock.patch("compare.measure", measure),
            unittest.mock.patch("compare.cases", cases),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            _, comparisons = compare.times(None, None, re.compile(""), 10)
        self.assertEqual(runs, [{READS: ["x", "y"], PARSES: ["z"]}, {READS: ["x"]}])
        self.assertEqual([comparison.again is not None for comparison in comparisons], [True, False, False])

    def test_too_few_are_rejected(self):
        selection = Selection({READS: [f"case {number}" for number in range(40)]}, [], [])
        compare.check(selection, rounds=7)
        with self.assertRaisesRegex(programs.MeasurementError, "6 rounds cannot .* in 40 cases: give ROUNDS=7"):
            compare.check(selection, rounds=6)
        with self.assertRaisesRegex(programs.MeasurementError, "no case .*\nonly in now: a"):
            compare.check(Selection({}, [], ["a"]), rounds=10)


class Counts(unittest.TestCase):
    def test_differences(self):
        base = {
            "read": {"instructions": 100, "allocations": 0},
            "save": {"instructions": 1000, "allocations": 5},
            "load": {"instructions": 1000, "allocations": 5},
            "old": {"instructions": 1},
        }
        now = {
            "read": {"instructions": 103, "allocations": 0},
            "save": {"instructions": 1020, "allocations": 6, "calls of write": 1},
            "load": {"instructions": 970, "allocations": 5},
            "new": {"instructions": 1},
        }
        counts = counted.compare(base, now)
        self.assertEqual(
            [(count.case, count.verdict) for count in counts.different],
            [
                ("read", "slower by instructions"), ("save", "more allocations"), ("save", "more calls of write"),
                ("load", "faster by instructions"),
            ],
        )  # fmt: skip
        self.assertEqual([count.case for count in counts.higher], ["read", "save", "save"])
        text = output.report(Selection({}, [], []), [], counts)
        self.assertIn("only in base: old", text)
        self.assertIn("only in now: new", text)
        line = (
            "counts of 3 cases: 1 slower by instructions, 1 more allocations, 1 more calls of write,"
            " 1 faster by instructions"
        )
        self.assertEqual(text.splitlines()[-1], line)
        self.assertEqual(output.summary([], counted.compare(base, base)), "counts of 4 cases: no difference")

    def test_shared_cases_are_counted_again_while_they_differ(self):
        for values, expected in (((120, 100), 0), ((120, 119, 118, 117), 1)):
            now = iter(values)
            with unittest.mock.patch.object(
                counted, "counts", lambda side, names=(): {"save/a": {"instructions": 100 if side == "base" else next(now)}}
            ):
                self.assertEqual(len(counted.count("base", "now").different), expected)
            self.assertEqual(list(now), [])


if __name__ == "__main__":
    unittest.main()

"""Tests history, growth, quoted numbers, targets and the report, from results made up for them."""

import json
import math
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import floors  # noqa: E402
import growth  # noqa: E402
import growth_section  # noqa: E402
import history  # noqa: E402
import page  # noqa: E402
import quotable_numbers  # noqa: E402
import quoted_numbers  # noqa: E402
from results import BenchmarkRun, Results, duration, ratio  # noqa: E402
from targets import all_targets  # noqa: E402

INFO = {
    "commit": "abc1234",
    "date": "2026-03-01T10:00:00Z",
    "machine": {"processor": "Example", "processors": 2, "isVirtual": True, "kernel": "6.1", "swift": "Swift 6.3"},
    "options": [],
}


def entry(name, nanoseconds, **more):
    return {"name": name, "run_type": "iteration", "real_time": nanoseconds, "time_unit": "ns", **more}


ENTRIES = [
    entry("read/session.port/alone/ours", 2.0, allocations=0),
    entry("read/session.port/alone/ours", 4.0, allocations=0),
    entry("read/session.port/alone/Mutex", 20.0),
    entry("read/session.port/alone/atomic load", 0.5),
    entry("read/session.snapshot/alone/ours", 10.0),
    entry("edit to callback/1KB/rename/at once/median/ours", 90_000, times=[80_000, 90_000, 100_000]),
    entry("edit to callback/1KB/rename/at once/median/raw inotify", 40_000, times=[30_000, 40_000, 50_000]),
    *(entry(f"scale/parse/{size}/ours", 3.0 * size, axis="bytes", size=size) for size in (1_000, 10_000, 100_000)),
    *(entry(f"scale/parse/{size}/copy of the text", size, axis="bytes", size=size) for size in (1_000, 10_000, 100_000)),
    *(entry(f"scale/lookup/{size}/ours", size**0.5, axis="keys", size=size) for size in (10, 100, 1_000)),
]


class TestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_with(self, entries=(), **info):
        directory = self.folder / "results"
        directory.mkdir(exist_ok=True)
        (directory / "run.json").write_text(json.dumps(INFO | info))
        (directory / "round-1-a.json").write_text(json.dumps({"context": {}, "benchmarks": list(entries)}))
        return BenchmarkRun(directory)


class HistoryTests(TestCase):
    def file(self):
        return self.folder / "History" / "2026.jsonl"

    def append(self, **info):
        return history.append(self.run_with(ENTRIES, **info), self.folder / "History")

    def test_a_run_is_one_line_for_each_case(self):
        self.append()
        lines = self.file().read_text().splitlines()
        self.assertEqual(len(lines), 9)
        self.assertEqual(
            lines[0],
            '{"commit":"abc1234","date":"2026-03-01T10:00:00Z","machine":"2x Example, virtual","kernel":"6.1",'
            '"case":"read/session.port/alone","median":3,"quartiles":[2.5,3.5],"repetitions":2,'
            '"ratios":{"Mutex":8,"atomic load":0.2},"allocations":0}',
        )

    def test_the_quartiles_are_those_of_the_individual_measurements(self):
        self.append()
        line = json.loads(self.file().read_text().splitlines()[2])
        self.assertEqual((line["repetitions"], line["quartiles"]), (3, [85_000, 95_000]))

    def test_a_later_run_is_appended(self):
        self.append()
        before = self.file().read_text()
        self.append(date="2026-03-02T10:00:00Z")
        self.assertTrue(self.file().read_text().startswith(before))
        self.assertEqual(len(history.read(self.folder / "History")), 18)

    def test_the_model_of_the_processor_is_kept_and_old_lines_have_none(self):
        self.append()
        self.append(date="2026-03-02T10:00:00Z", machine=INFO["machine"] | {"model": "family 25"})
        old, new = history.read(self.folder / "History")[0], history.read(self.folder / "History")[-1]
        self.assertEqual((old.get("model"), new["model"], new["kernel"]), (None, "family 25", "6.1"))

    def test_a_run_is_appended_once(self):
        self.append()
        before = self.file().read_text()
        with self.assertRaisesRegex(history.HistoryError, "already in the history"):
            self.append()
        self.assertEqual(self.file().read_text(), before)

    def test_a_short_run_is_rejected(self):
        with self.assertRaisesRegex(history.HistoryError, "--short"):
            self.append(options=["--short"])
        self.assertFalse(self.file().exists())

    def test_a_damaged_file_is_rejected_and_stays(self):
        self.append()
        whole = self.file().read_text()
        damages = (
            (whole[:-20], "the last line is incomplete"),
            (whole.replace('{"commit"', "{commit", 1), "2026.jsonl:1: not JSON"),
            (whole.replace('"median":3', '"median":"3"', 1), '2026.jsonl:1: "median" is missing'),
            (whole.replace('"kernel":"6.1"', '"kernel":6.1', 1), '2026.jsonl:1: "kernel" is of another type'),
            (whole + "[]\n", "2026.jsonl:10: not an object"),
        )
        for text, message in damages:
            with self.subTest(message):
                self.file().write_text(text)
                with self.assertRaisesRegex(history.HistoryError, message):
                    self.append(date="2026-03-02T10:00:00Z")
                self.assertEqual(self.file().read_text(), text)


class GrowthTests(unittest.TestCase):
    def test_the_exponent_is_found(self):
        for power in (0, 0.5, 1, 2):
            points = [(10**number, 7 * 10 ** (number * power)) for number in range(1, 6)]
            self.assertAlmostEqual(growth.exponent(points), power)

    def test_small_sizes_do_not_count(self):
        points = [(10**number, 10**number + 5_000) for number in range(1, 8)]
        self.assertAlmostEqual(growth.exponent(points), 1, delta=0.05)

    def test_two_sizes_are_too_few(self):
        self.assertTrue(math.isnan(growth.exponent([(1, 1), (10, 10)])))

    def test_more_threads_than_processors_are_an_axis_of_their_own(self):
        self.assertEqual(growth.axes("bytes", 8, 2), ["bytes"])
        self.assertEqual(growth.axes("threads", 1, 2), ["threads"])
        self.assertEqual(growth.axes("threads", 2, 2), ["threads", growth.CROWD])
        self.assertEqual(growth.axes("threads", 4, 2), [growth.CROWD])
        crowd = growth.Growth("read", "ours", growth.CROWD, [(2, 10), (4, 20), (8, 40)])
        self.assertTrue(crowd.is_worse)
        self.assertFalse(crowd._replace(axis="threads", points=[(1, 20), (2, 11)]).is_worse)

    def test_only_faster_growth_is_worse(self):
        def grown(operation, power):
            return growth.Growth(operation, "ours", "bytes", [(10**n, 10 ** (n * power)) for n in range(1, 5)])

        self.assertTrue(grown("parse", 1.3).is_worse)
        self.assertFalse(grown("parse", 1.2).is_worse)
        self.assertFalse(grown("parse", 0.1).is_worse)
        self.assertEqual(grown("parse", 1.3).excuse, "")
        self.assertEqual(grown("parse", 1.2).excuse, "within the margin")
        self.assertEqual(grown("parse", 0.9).excuse, "")
        self.assertEqual(grown("an operation without an expectation", 2).excuse, "")

    # A copy of a text that leaves the caches: the last step is a factor of 74.
    copy = {1_000_000: 20_710, 10_000_000: 653_138, 100_000_000: 48_196_783}

    def beyond_copy(self, cost):
        points = [(size, floor + cost(size)) for size, floor in self.copy.items()]
        return growth.Growth("parse", "ours", "bytes", points, self.copy)

    def test_a_floor_that_leaves_the_caches_hides_nothing(self):
        for power in (1.3, 1.9):
            parse = self.beyond_copy(lambda size, power=power: 1.6e6 * (size / 1e6) ** power)
            self.assertAlmostEqual(parse.exponent_beyond, power)
            self.assertAlmostEqual(parse.step_beyond, power)
            self.assertTrue(parse.is_worse)
            self.assertTrue(parse.is_worse_at_last)
            self.assertEqual(parse.excuse, "")

    def test_a_linear_cost_beyond_the_floor_is_as_expected(self):
        for share in (0.3, 1.6):
            edit = self.beyond_copy(lambda size, share=share: share * size)
            self.assertGreater(edit.exponent, 1)
            self.assertAlmostEqual(edit.exponent_beyond, 1)
            self.assertFalse(edit.is_worse or edit.is_worse_at_last)

    def test_a_cost_that_is_its_floor_is_no_warning(self):
        update = self.beyond_copy(lambda size: 0.02 * size)
        self.assertEqual([size for size, _ in update.beyond], [1_000_000, 10_000_000])
        self.assertTrue(update.is_as_floor)
        self.assertEqual(update.excuse, "as its floor")
        self.assertFalse(update.is_worse or update.is_worse_at_last)
        below = self.beyond_copy(lambda size: -0.01 * size)
        self.assertFalse(below.is_worse or below.is_worse_at_last)

    def test_a_jump_from_the_floor_is_a_warning(self):
        jump = self.beyond_copy(lambda size: 3e8 if size == 100_000_000 else 0)
        self.assertTrue(jump.is_worse_at_last)

    def test_a_size_without_a_floor_counts_as_a_whole(self):
        parse = self.beyond_copy(lambda size: 0.3 * size)
        parse = parse._replace(floor={size: time for size, time in self.copy.items() if size < 100_000_000})
        self.assertTrue(parse.is_worse_at_last)

    def test_a_jump_at_the_last_size_is_worse(self):
        points = [(10, 10), (100, 100), (1_000, 1_000), (10_000, 17_000)]
        save = growth.Growth("save", "ours", "bytes", points)
        self.assertFalse(save.is_worse)
        self.assertTrue(save.is_worse_at_last)
        self.assertAlmostEqual(save.step, math.log10(17))
        self.assertFalse(save._replace(operation="an operation without an expectation").is_worse_at_last)
        # The last size need not be ten times the one before.
        self.assertAlmostEqual(save._replace(points=[(10, 10), (20, 40)]).step, 2)


    def test_a_warning_has_its_reason(self):
        points = [(10, 10), (100, 1_000), (1_000, 100_000)]
        found = [growth.Growth(operation, "ours", "keys", points) for operation in ("lookup", "merge")]
        texts = [paragraph.text for paragraph in growth_section.reasons(found)]
        self.assertRegex(texts[0], "^Warned of: lookup. A lookup walks a tree")
        self.assertEqual(texts[1], "Warned of: merge. **No reason is written down.**")
        self.assertEqual(growth_section.reasons([]), [])

    def test_growths_of_one_operation_are_named_with_their_axes(self):
        found = [growth.Growth("read", "ours", axis, [(1, 1), (2, 4)]) for axis in ("threads", growth.CROWD)]
        with unittest.mock.patch.object(growth, "ours", return_value=found):
            self.assertIn("**read (threads), read (threads beyond the processors)**", growth_section.sentence(None))
            self.assertEqual(growth_section.name(found[0], found[:1]), "read")


class QuotedNumbersTests(unittest.TestCase):
    numbers = {"read.port": "1.9 ns"}

    def messages(self, text, path="a.md"):
        return [str(finding) for finding in quoted_numbers.findings(path, text, self.numbers)]

    def test_an_equal_number_is_accepted(self):
        self.assertEqual(self.messages("takes <!--bench read.port-->1.9 ns<!--/bench-->."), [])

    def test_a_stale_number_is_named_with_its_line_and_both_values(self):
        [message] = self.messages("\ntakes <!--bench read.port-->2.5 ns<!--/bench-->.")
        self.assertRegex(message, '^a.md:2: "read.port" is 1.9 ns in the report, not 2.5 ns')

    def test_unknown_unmeasured_and_incomplete_markers_are_rejected(self):
        for text, message in (
            ("<!--bench read.prot-->1.9 ns<!--/bench-->", 'no number "read.prot"'),
            ("<!--bench update-->1 µs<!--/bench-->", 'the report has no "update"'),
            ("<!--bench read.port.instructions-->27<!--/bench-->", 'counts.json has no "read.port.instructions"'),
            ("<!--bench read.port-->1.9 ns", "has no other half"),
            ("<!--bench read.port-->1.9 ns <!--bench read.port-->1.9 ns<!--/bench-->", "has no other half"),
            ("1.9 ns<!--/bench-->", "has no other half"),
        ):
            with self.subTest(text):
                self.assertRegex("\n".join(self.messages(text)), message)

    def test_a_marker_at_the_start_of_a_line_or_item_is_rejected(self):
        marker = "<!--bench read.port-->1.9 ns<!--/bench-->"
        for start in ("", "  ", "- ", "1. ", "> "):
            with self.subTest(start):
                self.assertRegex("\n".join(self.messages(f"a\n{start}{marker} b")), "^a.md:2: .*begins a line")
        self.assertEqual(self.messages(f"a\n| {marker} |"), [])

    def test_updating_changes_the_number_only(self):
        shown, unknown = "`<!--bench read.port-->1 ns<!--/bench-->`", "<!--bench x-->1<!--/bench-->"
        text = f"a <!--bench read.port-->2.5 ns<!--/bench-->, {shown} {unknown}"
        self.assertEqual(quoted_numbers.updated(text, self.numbers), text.replace("2.5 ns", "1.9 ns"))

    def test_counts_come_from_the_table(self):
        with tempfile.TemporaryDirectory() as folder:
            counts = pathlib.Path(folder) / "counts.json"
            counts.write_text('{"cases": {"read/session.port": {"instructions": 27.01}}}')
            self.assertEqual(quotable_numbers.counted_numbers(counts), {"read.port.instructions": "27"})

    def test_each_quoted_count_is_in_the_table(self):
        self.assertEqual(quotable_numbers.counted_numbers().keys(), quotable_numbers.COUNTED.keys())

    def test_an_unmarked_number_is_named_with_its_line_and_what_to_do(self):
        [message] = self.messages("A read\n\ntakes 1.9 ns alone.")
        self.assertRegex(message, '^a.md:3: "1.9 ns" looks measured, and has no source: quote the report')

    def test_each_kind_of_measured_number_is_found(self):
        for text in (
            "after 12\nµs", "at 1,334 MB/s", "only 27 instructions", "no more than 3 allocations", "1.5× of that",
            "22 % of it", "up to 2.3 times as fast", "is twice as fast", "three times as long", "3.2 times their text",
            "it takes about 3 ms", "a start of 2.8 ms", "a watch costs 2 KB", "half of the time", "a quarter earlier",
            "it takes\nabout 18 minutes", "runs in two hours", "57 system calls", "500,000 values a second",
            "about a third of them", "an order of magnitude", "that saves a third", "90 of 4,000 values",
            "Measured: 2,505 times",
        ):
            with self.subTest(text):
                self.assertRegex("\n".join(self.messages(f"- Here: {text}.")), "^a.md:1: .* looks measured")

    def test_limits_and_intervals_are_not_measured(self):
        for text in (
            "waits up to 5 s", "after 50 ms without edits", "at most 64 KiB", "is retried after 1, 2, 4 … 64 s",
            "at most 6,000 values (about 1 MB)", "several times as long", "30 times a second", "for two hours",
            "one of 100,000 keys", "p < 0.05", "killed a process 2,000 times", "`22 %`", "```\ntakes 2 ms\n```",
            "<!-- takes 2 ms -->",
        ):
            with self.subTest(text):
                self.assertEqual(self.messages(text), [])

    def test_a_date_and_a_constant_are_sources(self):
        for text in (
            "Measured once, in 2026-11: 22 %\nof the time.",
            "measured once with Swift 6.3.1, it takes 3 ms",
            "| with 2 %<!--constant-->; 5 %<!--constant--> of others |",
            "took 1.2<!--constant--> times as long",
            "steps of 10\nns<!--constant-->",
        ):
            with self.subTest(text):
                self.assertEqual(self.messages(text), [])

    def test_a_date_holds_for_its_paragraph_or_item_only(self):
        dated = "measured in 2026-11, 22 % of it"
        for text in (f"{dated}\n\n3 %", f"3 %\n\n{dated}", f"- {dated}\n- 3 %", f"1. {dated}\n   - 3 %", f"{dated}\n# 3 %"):
            with self.subTest(text):
                self.assertRegex("\n".join(self.messages(text)), '^[^\n]*"3 %"[^\n]*$')
        self.assertEqual(self.messages(f"- {dated}\n  and 3 % more"), [])

    def test_documentation_comments_of_sources_are_searched(self):
        source = 'let time = "2 ns"  // 3 ns\n    /// Takes\n    /// 4 ns.\n    // 5 ns\n'
        [message] = self.messages(source, path="a.swift")
        self.assertRegex(message, '^a.swift:3: "4 ns"')

    def test_durations_have_two_digits(self):
        for nanoseconds, text in ((1.94, "1.9 ns"), (996, "1 µs"), (94_400, "94 µs"), (2_040_000, "2 ms")):
            self.assertEqual(duration(nanoseconds, 2), text)


class ReportTests(TestCase):
    def write(self, entries):
        self.run_with(entries)
        html, markdown = self.folder / "index.html", self.folder / "Report"
        page.write_report(self.folder / "results", html, markdown, self.folder / "History")
        return html.read_text(), (markdown / "README.md").read_text(), markdown

    def test_a_run_without_results_is_reported_as_such(self):
        html, text, markdown = self.write([])
        self.assertGreater(text.count("Not measured in this run."), 5)
        self.assertIn("0 are met, 0 missed", text)
        self.assertNotIn("<svg", html)
        self.assertEqual(json.loads((markdown / "numbers.json").read_text())["numbers"], {})

    def test_cases_plots_warnings_and_numbers_are_reported(self):
        html, text, markdown = self.write(ENTRIES)
        self.assertIn("| read/session.port/alone | 2.5 ns | ", text)
        warning = "**WARNING**; **WARNING: last step**"
        self.assertIn(f"| lookup | {warning} | ≤ 0 | 0.50 |  | 3.16× |  | 10 to 1,000 keys |", text)
        self.assertIn("| parse |  | ≤ 1 | 1.00 | 1.00 | 10× | 10× | 1,000 to 100,000 bytes |", text)
        self.assertIn("**lookup** grows faster than expected by more than 0.25 in the exponent", text)
        self.assertIn("Warned of: lookup. A lookup walks a tree", text)
        self.assertLess(text.index("## Trends"), text.index("## Read latency"))
        self.assertIn("<strong>WARNING</strong>", html)
        self.assertIn("![The time of a read by variant, on a logarithmic scale](read-latency.svg)", text)
        self.assertEqual(html.count("<svg"), len(list(markdown.glob("*.svg"))))
        numbers = json.loads((markdown / "numbers.json").read_text())
        self.assertEqual(numbers["numbers"], {"read.port": "2.5 ns"})

        # The same results give the same bytes.
        plots = {path.name: path.read_bytes() for path in markdown.glob("*.svg")}
        self.assertEqual(self.write(ENTRIES)[:2], (html, text))
        self.assertEqual({path.name: path.read_bytes() for path in markdown.glob("*.svg")}, plots)

    def test_distances_from_the_floor(self):
        results = self.run_with(ENTRIES).results
        found = {(distance.title, distance.floor_name): distance.text for distance in floors.distances(results)}
        self.assertEqual(found[("read/session.port/alone", "atomic load")], "5.00×")
        self.assertEqual(found[("read/session.snapshot/alone", "atomic load")], "20×")
        self.assertEqual(found[("edit to callback/1KB/rename/at once/median", "raw inotify")], "50 µs more")

    def test_coding_is_compared_with_a_copy_of_a_text(self):
        copy = entry("edit/one value/1KB/copy of the text", 100)
        results = self.run_with([entry("decode/typical root/bytes/ours", 1_000), copy]).results
        [distance] = floors.distances(results)
        self.assertEqual((distance.floor_name, distance.text), ("copy of the text", "10×"))

    def test_a_time_below_the_floor_is_no_distance(self):
        for floor in ("raw inotify", "bare minimum"):
            for time in (90, 100):
                distance = floors.Distance("replace", time, floor, 100)
                self.assertEqual(distance.text, "no more than the floor")

    def test_small_ratios_have_two_digits(self):
        for value, text in ((0, "0.00×"), (0.00396, "0.0040×"), (0.074, "0.074×"), (0.1, "0.10×"), (18.4, "18×")):
            self.assertEqual(ratio(value), text)

    def test_a_case_without_a_floor_has_a_reason(self):
        entries = [entry("lookup/hit/10 short keys/ours", 40), entry("something/ours", 1)]
        reasons = list(floors.without_floor(self.run_with(entries).results))
        self.assertEqual([number for number, _ in reasons], [1, 1])
        self.assertIn("Not said why: something", reasons[1][1])

    def test_a_missed_target_has_its_reason(self):
        slow = "update/100 B/after 50 ms/median/in memory"
        parse = [entry("parse/mixed/1MB/ours", 10), entry("parse/mixed/1MB/JSON.parse", 9)]
        _, text, _ = self.write([entry(slow, 75_000), *parse])
        self.assertIn("Missed: update of a value in memory after a rest of 50 ms. Directly after another one", text)
        self.assertIn("Missed: parse mixed: JSON.parse ÷ ours. **No reason is written down.**", text)

    def test_against_a_contender_more_is_better(self):
        title = "commit/after 50000/median"
        results = self.run_with([entry(f"{title}/ours", 120), entry(f"{title}/the first", 100)]).results
        [target] = [target for target in all_targets(results) if target.is_met is not None]
        self.assertEqual(target.cells, ["a commit after 50,000: the first ÷ ours", "0.83×", "≥ 0.67×", "yes"])

    def test_the_age_of_a_report(self):
        with unittest.mock.patch.object(quoted_numbers, "reported", return_value="abc1234"):
            for changes, message in ((["a", "b"], "2 measured files"), (None, "git does not know it")):
                with unittest.mock.patch.object(quoted_numbers, "changes_since", return_value=changes):
                    with self.assertRaisesRegex(SystemExit, f"that of abc1234: {message}"):
                        quoted_numbers.check_age()
            with unittest.mock.patch.object(quoted_numbers, "changes_since", return_value=[]):
                self.assertEqual(quoted_numbers.check_age(), 0)

    def test_a_name_with_other_sources_is_found(self):
        numbers = self.folder / "numbers.json"
        sources = quotable_numbers.sources_of_numbers()
        self.assertEqual(sources["read.port"], ["time of read/session.port/alone/ours"])
        self.assertEqual(sources["size"], ["size of as installed"])
        self.assertEqual([name for name, asked in sources.items() if not asked], [])
        for known, names in (
            (sources, []),
            (sources | {"update": ["time of update/1KB/median/ours"]}, ["update"]),
            ({name: asked for name, asked in sources.items() if name != "start"} | {"gone": []}, ["gone", "start"]),
        ):
            numbers.write_text(json.dumps({"sources": known}))
            self.assertEqual(quoted_numbers.changed_sources(numbers), names)
        numbers.write_text("{}")
        self.assertEqual(quoted_numbers.changed_sources(numbers), [])

    def test_targets_without_data_are_not_measured(self):
        targets = all_targets(Results([]))
        self.assertEqual({target.cells[1] for target in targets}, {"not measured"})
        self.assertEqual({target.is_met for target in targets}, {None})


if __name__ == "__main__":
    unittest.main()

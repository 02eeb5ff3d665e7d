"""Tests which changes of ratios are told: noise is not, a drift by a fifth is."""

import math
import pathlib
import random
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import trend_notes  # noqa: E402
import trends  # noqa: E402
from history_section import Past, changes  # noqa: E402

# Of the pairs in the history: a fifth each has a spread from run to run of about so much.
SPREADS = (0.03, 0.06, 0.1, 0.15, 0.3)
QUIET = 0.03


def entries(pairs):
    """A history in which each case has one contender and a list of ratios."""
    return [
        {"date": f"{number:03}", "commit": "a", "case": case, "ratios": {"Mutex": value}}
        for case, values in pairs.items() for number, value in enumerate(values)
    ]  # fmt: skip


def noise(generator, runs, spread, has_outliers=False):
    """Ratios around 3; with outliers, those of Student's t distribution with four degrees of freedom."""
    def value():
        wide = math.sqrt(1 / generator.gammavariate(2, 1)) if has_outliers else 1
        return 3 * math.exp(generator.gauss(0, spread) * wide)

    return [value() for _ in range(runs)]


def flagged(pairs):
    found = trends.judged(trends.all_trends(entries(pairs)))
    return [trend for trend in found if trend.verdict]


class VerdictTests(unittest.TestCase):
    def trend(self, *ratios):
        return trends.Trend("read", "Mutex", list(enumerate(ratios)))

    def test_too_few_runs_are_not_judged(self):
        self.assertEqual(self.trend(3, 3, 3, 3, 3, 1).verdict, "too few runs")
        self.assertEqual(trends.judged([self.trend(3, 3, 3, 3, 3, 1)]), [])

    def test_a_sudden_change_is_told(self):
        before = (3, 2.9, 3.1, 3, 3.1, 2.9)
        self.assertEqual(self.trend(*before, 2.9).verdict, "")
        worse = self.trend(*before, 1.8)
        self.assertEqual((worse.verdict, worse.compared), (trends.WORSE, (3, 1.8)))
        self.assertAlmostEqual(worse.factor, 1.8 / 3)
        self.assertEqual(self.trend(*before, 4.8).verdict, trends.BETTER)

    def test_a_change_that_stays_is_told(self):
        for values, verdict in (((2.4, 2.5, 2.45), trends.WORSE), ((3.7, 3.8, 3.9), trends.BETTER), ((3, 2.9, 3), "")):
            self.assertEqual(self.trend(3, 2.9, 3.1, 3, 3.1, 2.9, *values).verdict, verdict)

    def test_small_steps_add_up(self):
        steps = [3 * 0.8 ** (number / 11) for number in range(12)]
        self.assertEqual(self.trend(*steps).verdict, trends.WORSE)

    def test_the_larger_the_noise_the_larger_a_change_must_be(self):
        self.assertEqual(self.trend(3, 2, 4, 2.5, 3.6, 2.2, 2.2, 2.3, 2.1).verdict, "")

    def test_a_change_long_ago_is_not_told_for_ever(self):
        self.assertEqual(self.trend(*[3] * 10, *[2] * 10).verdict, trends.WORSE)
        self.assertEqual(self.trend(*[3] * 10, *[2] * trends.WINDOW).verdict, "")

    def test_what_is_lost_after_an_improvement_is_told(self):
        lost = self.trend(*[3] * 6, *[15] * 8, *[7] * 3)
        self.assertEqual((lost.verdict, lost.comparison.basis, lost.compared), (trends.WORSE, trends.BEST, (15, 7)))
        kept = self.trend(*[3] * 6, *[15] * 11)
        self.assertEqual((kept.verdict, kept.comparison.basis, kept.compared), (trends.BETTER, trends.FIRST, (3, 15)))
        self.assertEqual(self.trend(*[3] * 6, *[15] * 8, *[14] * 3).verdict, trends.BETTER)
        # All of it, too.
        self.assertEqual(self.trend(*[3] * 6, *[15] * 8, *[3] * 3).verdict, trends.WORSE)

    def test_a_sudden_loss_after_an_improvement_is_told(self):
        lost = self.trend(*[3] * 6, *[15] * 8, 7)
        self.assertEqual((lost.verdict, lost.comparison.basis, lost.compared), (trends.WORSE, trends.RUNS_BEFORE, (15, 7)))

    def test_a_few_points_show_nothing(self):
        for number in (1, 2, 3):
            few = self.trend(*[3] * number)
            self.assertEqual((few.shows_a_fifth, few.verdict, few.factor), (False, "too few runs", 1))
        self.assertEqual(trends.noise([], 1), math.inf)
        self.assertTrue(self.trend(*[3] * 12).shows_a_fifth)

    def test_a_contender_that_waits_a_fixed_time_is_not_judged(self):
        points = list(enumerate([3] * 8))
        found = [trends.Trend("edit to line", contender, points) for contender in ("raw inotify", "watchfiles")]
        self.assertEqual(trends.judged(found), found[:1])

    def test_rare_events_and_former_cases_are_not_judged(self):
        pairs = {"read": [3] * 8, "read/p99": [3] * 8, "read/max": [3] * 8, "removed": [3] * 7}
        self.assertEqual([trend.case for trend in trends.judged(trends.all_trends(entries(pairs)))], ["read"])

    def test_another_way_of_this_library_is_compared_with_what_is_none(self):
        history = [
            {"date": f"{number:02}", "commit": "a", "case": "read", "ratios": {"@Stored": slower, "UserDefaults": 400}}
            for number, slower in enumerate([1] * 7 + [1.5] * 3)
        ]
        found = {(trend.case, trend.contender): trend for trend in trends.all_trends(history)}
        self.assertEqual(found["read", "UserDefaults"].verdict, "")
        self.assertEqual(found["read", "@Stored"].verdict, trends.CHANGED)
        self.assertEqual(found["read, by @Stored", "UserDefaults"].verdict, trends.WORSE)

    def test_other_contenders_of_a_case_tell_whether_ours_has_changed(self):
        ours = [(number, 3 if number < 5 else 2) for number in range(10)]
        stable = [(number, 5) for number in range(10)]
        found = [trends.Trend("read", "Mutex", ours), trends.Trend("read", "actor", stable)]
        self.assertAlmostEqual(trends.others_of_case(found[0], found), 1)
        self.assertAlmostEqual(trends.others_of_case(found[1], found), 2 / 3)
        self.assertTrue(math.isnan(trends.others_of_case(found[0], found[:1])))


class SectionTests(unittest.TestCase):
    def past(self, found):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch("history_section.read", return_value=found):
            return Past(folder)

    def text(self, past):
        return "\n".join(block.markdown() for block in changes(past))

    def test_what_is_worse_has_a_reason(self):
        lost = [3] * 6 + [15] * 8 + [7] * 3
        past = self.past(entries({"read": lost, "write": lost, "stable": [3] * 17}))
        with unittest.mock.patch.object(trend_notes, "NOTES", (("write", "Mutex", "It writes more."),)):
            text = self.text(past)
        self.assertIn("| read | Mutex | the best earlier runs | 15× | 7.00× | 0.47× |  | **worse** |", text)
        self.assertIn("Worse: read against Mutex. **No reason is written down.**", text)
        self.assertIn("Worse: write against Mutex. It writes more.", text)

    def test_another_machine_than_before_is_told(self):
        def found(*machines):
            lines = entries({"read": [3] * len(machines)})
            return self.past([line | {"machine": "2x Example"} | more for line, more in zip(lines, machines)])

        old, new, other = {}, {"model": "family 25", "kernel": "6.1"}, {"model": "family 26", "kernel": "6.1"}
        known = self.text(found(*[new] * 8))
        self.assertIn("The last run was on 2x Example, family 25, 6.1.\n", known + "\n")
        self.assertNotIn("not known", known)
        self.assertIn("**Of the 7 runs before, 5 were on another machine or kernel.**", self.text(found(*[new] * 5, *[other] * 3)))
        self.assertIn("Whether 5 of the runs before were on the same one", self.text(found(*[old] * 5, *[new] * 3)))

    def test_the_summary_says_how_few_pairs_show_a_fifth(self):
        past = self.past(entries({"loud": [3, 30] * 6, "stable": [3] * 12}))
        self.assertIn("Of 2 ratios, none became worse than in earlier runs", past.sentence)
        self.assertIn("Only in 1 is the noise small enough", past.sentence)


class NoiseTests(unittest.TestCase):
    def pairs(self, seed, runs, has_outliers):
        generator = random.Random(seed)
        return {
            f"case {number}": noise(generator, runs, SPREADS[number % len(SPREADS)], has_outliers)
            for number in range(300)
        }

    def test_seeded_noise_of_300_pairs_is_not_told(self):
        for has_outliers in (False, True):
            with self.subTest(has_outliers=has_outliers):
                self.assertEqual(flagged(self.pairs(1, 12, has_outliers)), [])

    def test_of_other_seeds_and_lengths_hardly_any_pair_is_told(self):
        found = [
            len(flagged(self.pairs(seed, runs, has_outliers)))
            for seed in range(2, 8) for runs in (7, 12, 20) for has_outliers in (False, True)
        ]  # fmt: skip
        self.assertLess(sum(found) / len(found), 0.5)

    def test_a_planted_slow_drift_by_a_fifth_is_told(self):
        for runs, least in ((12, 14), (20, 18)):
            generator = random.Random(1)
            pairs = self.pairs(1, runs, False)
            for number in range(20):
                values = noise(generator, runs, QUIET)
                pairs[f"drift {number}"] = [value * 0.8 ** (run / (runs - 1)) for run, value in enumerate(values)]
            found = flagged(pairs)
            with self.subTest(runs=runs):
                self.assertGreaterEqual(len(found), least)
                self.assertEqual({trend.case.split()[0] for trend in found}, {"drift"})
                self.assertEqual({trend.verdict for trend in found}, {trends.WORSE})

    def test_a_planted_loss_of_a_third_after_an_improvement_is_told(self):
        generator = random.Random(1)
        pairs = {}
        for number in range(20):
            values = noise(generator, 12, QUIET)
            pairs[f"loss {number}"] = [value * (1 if run < 4 else 2 if run >= 9 else 3) for run, value in enumerate(values)]
        found = flagged(pairs)
        self.assertGreaterEqual(len(found), 19)
        self.assertEqual({trend.verdict for trend in found}, {trends.WORSE})

    def test_a_planted_step_by_a_fifth_is_told_two_runs_later(self):
        generator = random.Random(1)
        pairs = {}
        for number in range(20):
            values = noise(generator, 12, QUIET)
            pairs[f"step {number}"] = [value * (0.8 if run >= 9 else 1) for run, value in enumerate(values)]
        self.assertGreaterEqual(len(flagged(pairs)), 19)


if __name__ == "__main__":
    unittest.main()

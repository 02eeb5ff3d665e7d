"""What the report says about growth."""

import math

import growth
import plots
from markup import Paragraph, Plot, Table
from results import ratio


def table(results):
    found = growth.ours(results)
    if not found:
        return []
    text = (
        f"Exponents are fitted to the last {growth.DECADES} decades of each axis: 0 means that a cost does not depend"
        " on the size, 1 that it is proportional to the size. A warning means that an exponent exceeds the documented"
        f" one, and that of the floor in the same run, by more than {growth.MARGIN}. The last step is from the last size"
        " but one to the last, as the factor of a tenfold size; a warning means that it exceeds both by more than"
        f" {growth.STEP_MARGIN} in the exponent, a factor of {10**growth.STEP_MARGIN:.1f}."
    )
    head = ["cost", "", "exponent", "documented", "of the floor", "last step", "of the floor", "sizes"]
    return [Paragraph(text), Table(head, [cells(item) for item in found])]


def cells(item):
    sizes = f"{item.points[0][0]:,.0f} to {item.points[-1][0]:,.0f} {item.axis}"
    documented = "not documented" if item.documented is None else f"≤ {item.documented}"
    fitted = "too few sizes" if math.isnan(item.exponent) else f"{item.exponent:.2f}"
    floor = f"{item.floor:.2f}" if math.isfinite(item.floor) else ""
    steps = [ratio(10**step) if math.isfinite(step) else "" for step in (item.step, item.floor_step)]
    return [item.operation, remark(item), fitted, documented, floor, *steps, sizes]


def remark(item):
    remarks = ["**WARNING**"] if item.is_worse else [item.excuse] if item.excuse else []
    if item.is_worse_at_last:
        remarks.append("**WARNING: last step**")
    return "; ".join(remarks)


def sentence(results):
    """What exactly was computed."""
    found = growth.ours(results)
    if not found:
        return ""
    worse, steps = ([one.operation for one in found if is_worse(one)] for is_worse in (
        lambda one: one.is_worse, lambda one: one.is_worse_at_last))
    subject = f"**{', '.join(worse)}** grow" + ("s" if len(worse) == 1 else "") if worse else "No cost grows"
    text = f" {subject} faster than documented by more than {growth.MARGIN}, beyond what its floor does."
    if steps:
        text += f" From the last size but one to the last, **{', '.join(steps)}** "
        text += "does" if len(steps) == 1 else "do"
        text += f", by more than {growth.STEP_MARGIN}."
    return text


def plot(results):
    drawing = plots.growth_by_size(results)
    return [Plot("growth", "Time against size, both on logarithmic scales", drawing)] if drawing else []

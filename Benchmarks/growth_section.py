"""What the report says about growth."""

import math

import growth
import plots
from growth_notes import note
from markup import Paragraph, Plot, Table
from reasons import paragraphs
from results import ratio

HEAD = ["cost", "", "expected", "exponent", "beyond the floor", "last step", "beyond the floor", "sizes"]


def table(results):
    found = growth.ours(results)
    if not found:
        return []
    text = (
        f"Exponents are fitted to the last {growth.DECADES} decades of each axis: 0 means that a cost does not depend"
        " on the size, 1 that it is proportional to the size. The last step is from the last size but one to the last, as"
        " the factor of a tenfold size. Beyond the floor, both are those of the time minus that of the floor in the same"
        f" run, without sizes where at most {growth.FLOOR_SHARE * 100:g} % of the time remain. If the last size is one of"
        " them, the cost is as its floor; a last step from such a size assumes that all of these remain. A warning means"
        " that the exponent, beyond the floor where there is one, exceeds the expected one by more than"
        f" {growth.MARGIN}, or the last step by more than {growth.STEP_MARGIN} in the exponent, a factor of"
        f" {10**growth.STEP_MARGIN:.1f}."
    )
    return [Paragraph(text), Table(HEAD, [cells(item) for item in found]), *reasons(found)]


def cells(item):
    sizes = f"{item.points[0][0]:,.0f} to {item.points[-1][0]:,.0f} {item.axis}"
    expected = "not said" if item.expected is None else f"≤ {item.expected}"
    fitted = "too few sizes" if math.isnan(item.exponent) else power(item.exponent)
    beyond = [power(item.exponent_beyond), factor(item.step_beyond)]
    if item.is_as_floor:
        beyond = ["as its floor"] * 2
    return [item.operation, remark(item), expected, fitted, beyond[0], factor(item.step), beyond[1], sizes]


def power(exponent):
    return f"{exponent:.2f}" if math.isfinite(exponent) else ""


def factor(exponent):
    return ratio(10**exponent) if math.isfinite(exponent) else ""


def remark(item):
    remarks = ["**WARNING**"] if item.is_worse else [item.excuse] if item.excuse else []
    if item.is_worse_at_last:
        remarks.append("**WARNING: last step**")
    return "; ".join(remarks)


def reasons(found):
    """Why there are warnings: each reason with its operations."""
    warned = [item for item in found if item.is_worse or item.is_worse_at_last]
    return paragraphs("Warned of", ((name(item, found), note(item)) for item in warned), ", ")


def name(item, found):
    """With its axis if another growth has the same operation."""
    same = [one for one in found if one.operation == item.operation]
    return f"{item.operation} ({item.axis})" if len(same) > 1 else item.operation


def sentence(results):
    """What exactly was computed."""
    found = growth.ours(results)
    if not found:
        return ""
    worse = [name(one, found) for one in found if one.is_worse]
    steps = [name(one, found) for one in found if one.is_worse_at_last]
    subject = f"**{', '.join(worse)}** grow" + ("s" if len(worse) == 1 else "") if worse else "No cost grows"
    text = (
        f" {subject} faster than expected by more than {growth.MARGIN} in the exponent, which is that of the difference"
        " from the floor where one is measured."
    )
    if steps:
        text += f" In the step to the last size, it is exceeded by more than {growth.STEP_MARGIN} for **{', '.join(steps)}**."
    return text


def plot(results):
    drawing = plots.growth_by_size(results)
    return [Plot("growth", "Time against size, both on logarithmic scales", drawing)] if drawing else []

"""The plots of the report. Each function returns an SVG, or None if the run has no data for it."""

import collections
import math

import svg
from floors import FLOORS
from growth import by_threads, measured
from results import OURS

STORED = {
    OURS: ("a static parameter", "this library"),
    "@Stored": ("@Stored", "this library"),
    "UserDefaults": ("UserDefaults", "alternative"),
}


def read_variants(results):
    """Names and times of all single-threaded reads, the fastest first."""
    variants = {}
    for title, implementations in results.titles.items():
        parts = title.split("/")
        is_read = (parts[0], parts[-1]) == ("read", "alone")
        for name, result in implementations.items():
            if is_read and name == OURS:
                variants[parts[1]] = (result.time, "this library")
            elif title == "read/session.port/alone":
                variants[f"{name}, a number"] = (result.time, "floor" if name in FLOORS else "alternative")
    for name, (label, kind) in STORED.items():
        if result := results.get("stored/a plain value/read", name):
            variants[label] = (result.time, kind)
    return sorted(((name, *rest) for name, rest in variants.items()), key=lambda variant: (variant[1], variant[0]))


def read_latency(results):
    variants = read_variants(results)
    if not variants:
        return None
    figure, [panel] = svg.grid(1, height=1.1 + 0.26 * len(variants))
    for kind, color, marker in (("this library", 0, "o"), ("alternative", 1, "s"), ("floor", 2, "D")):
        chosen = [(time, row) for row, (_, time, its_kind) in enumerate(variants) if its_kind == kind]
        if chosen:
            panel.scatter(*zip(*chosen), color=svg.COLORS[color], marker=marker, label=kind, zorder=3)
    for row, (_, time, _) in enumerate(variants):
        panel.annotate(svg.duration(time), (time, row), xytext=(8, -3.5), textcoords="offset points")
    panel.set_yticks(range(len(variants)), [name.replace("$", r"\$") for name, _, _ in variants])
    panel.set_xscale("log")
    panel.set_xlim(0.6 * variants[0][1], 3 * variants[-1][1])
    panel.invert_yaxis()
    svg.time_axis(panel.xaxis)
    panel.set_xlabel("time of a read, one thread (logarithmic)")
    panel.legend(loc="upper right")
    return svg.text_of(figure, "read-latency")


def threads(results):
    growths = [growth for growth in by_threads(results) if len(growth.points) > 1]
    operations = list(dict.fromkeys(growth.operation for growth in growths))
    if not operations:
        return None
    figure, panels = svg.grid(len(operations))
    for panel, operation in zip(panels, operations):
        chosen = [growth for growth in growths if growth.operation == operation]
        lines(panel, chosen, lambda growth: growth.implementation)
        svg.number_axis(panel.xaxis, sorted({size for growth in chosen for size, _ in growth.points}))
        panel.set_title(operation)
        panel.set_xlabel("threads")
    return svg.text_of(figure, "threads")


def growth_by_size(results):
    """Ours only; one panel for each axis and expected growth."""
    groups = collections.defaultdict(list)
    for growth in measured(results):
        if growth.implementation == OURS and "threads" not in growth.axis and len(growth.points) > 1:
            groups[growth.axis, growth.expected].append(growth)
    if not groups:
        return None
    figure, panels = svg.grid(len(groups), height=4.4)
    for panel, ((axis, expected), chosen) in zip(panels, groups.items()):
        lines(panel, chosen, lambda growth: f"{growth.operation}: {growth.exponent:.2f}")
        if expected:
            panel.legend(fontsize=8, loc="upper left")
        low, high = panel.get_ylim()
        # On less than a decade, noise would look like growth.
        middle, half = math.sqrt(low * high), math.sqrt(10)
        panel.set_ylim(min(low, middle / half), max(high, middle * half))
        panel.set_xlabel(axis)
    return svg.text_of(figure, "growth")


def lines(panel, growths, label):
    for number, growth in enumerate(growths):
        panel.plot(*zip(*growth.points), marker=svg.marker(number), label=label(growth), **svg.style(number))
    panel.set_xscale("log")
    panel.set_yscale("log")
    svg.time_axis(panel.yaxis)
    panel.legend(fontsize=8)


def distributions(results, prefix, name, names, label):
    """The share of measurements that were at most so long: a panel for each title that begins with the prefix."""
    titles = sampled(results, prefix)
    if not titles:
        return None
    figure, panels = svg.grid(len(titles), height=3.4, sharex=True, sharey=True)
    for panel, (title, implementations) in zip(panels, titles.items()):
        for number, (implementation, samples) in enumerate(implementations.items()):
            times, ranks = svg.thinned(samples)
            shares = [100 * rank for rank in ranks]
            panel.plot(times, shares, label=names.get(implementation, implementation), **svg.style(number))
        panel.set_title(title.removeprefix(prefix).removesuffix("/median").replace("/", ", "))
        panel.set_xscale("log")
        svg.time_axis(panel.xaxis)
        panel.tick_params(labelbottom=True)
    panels[0].legend(loc="lower right")
    panels[0].set_ylabel("share, %")
    panels[len(titles) - 1].set_xlabel(label)
    return svg.text_of(figure, name)


def tails(results, prefix, name, label):
    """The share of measurements that took longer, both on a logarithmic scale, so that rare ones are visible."""
    titles = sampled(results, prefix)
    if not titles:
        return None
    figure, panels = svg.grid(len(titles))
    for panel, (title, implementations) in zip(panels, titles.items()):
        stem = title.removesuffix("/median")
        for number, (implementation, samples) in enumerate(implementations.items()):
            points = tail(results, stem, implementation, samples)
            maximum = results.time(f"{stem}/max", implementation)
            longest = "" if math.isnan(maximum) else f", at most {svg.duration(maximum)}"
            panel.plot(*zip(*points), label=implementation + longest, **svg.style(number))
        panel.set_title(stem.removeprefix(prefix).replace("/", ", "))
        panel.set_xscale("log")
        panel.set_yscale("log")
        svg.time_axis(panel.xaxis)
        panel.yaxis.set_major_formatter(svg.ticker.FuncFormatter(lambda value, _: f"{value:g} %"))
        panel.set_ylabel("share of longer reads")
        panel.set_xlabel(label)
        panel.legend(loc="lower left")
    return svg.text_of(figure, name)


def tail(results, stem, implementation, samples):
    """Pairs of a time and the percentage of longer ones. Samples may be quantiles, so that rarer ones are cases."""
    points = [(time, 100 * (1 - rank)) for time, rank in zip(*svg.thinned(samples)) if rank < 1]
    for name, share in (("p99.9", 0.1), ("p99.99", 0.01), ("p99.999", 0.001)):
        time = results.time(f"{stem}/{name}", implementation)
        if not math.isnan(time) and share < points[-1][1]:
            points.append((time, share))
    return points


def sampled(results, prefix):
    """The individual times by title and implementation, ours first."""
    found = {}
    for title, implementations in results.titles.items():
        names = sorted(implementations, key=lambda name: name != OURS)
        samples = {name: implementations[name].samples for name in names if implementations[name].samples}
        if title.startswith(prefix) and samples:
            found[title] = samples
    return found


def ratios(runs, trends):
    """The ratios of pairs of a case and a contender over the runs of the history, in multiples of their first ones."""
    if len(runs) < 2:
        return None
    figure, [panel] = svg.grid(1, height=4.6)
    for number, trend in enumerate(trends):
        first = trend.points[0][1]
        points = [(index, ratio / first) for index, ratio in trend.points]
        label = f"{trend.case}: {trend.contender}"
        panel.plot(*zip(*points), marker=svg.marker(number), label=label, **svg.style(number))
    labelled = range(0, len(runs), -(-len(runs) // 20))
    panel.set_xticks(labelled, [runs[index][1] for index in labelled], rotation=60, ha="right")
    panel.set_yscale("log", base=2)
    panel.yaxis.set_major_formatter(svg.ticker.FuncFormatter(lambda value, _: f"{value:g}×"))
    panel.set_ylabel("ratio ÷ that of the first run (logarithmic)")
    panel.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    return svg.text_of(figure, "history")

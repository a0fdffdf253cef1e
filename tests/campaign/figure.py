"""The figure of a page, from what is kept beside it: CASE.json with the numbers on all grids, CASE.csv with
profiles. So a figure can be drawn again without the runs."""

import csv
import textwrap

import numpy as np

MOST = 12  # panels
LOGARITHMIC = ("grid_turbulence",)  # kinds of cases whose profiles are spectra
ACROSS = {
    "channel": "distance from the wall, wall units",
    "cavity": "place [side]",
    "grid_turbulence": "k [1/cm]",
    "taylor_green": "time",
}


def read_profiles(path):
    """{quantity: [place, value, error, value on the finest grid, its error]} of CASE.csv."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.reader(line for line in file if not line.startswith("#"))
        next(rows)
        found = {}
        for row in rows:
            found.setdefault(row[0], []).append([float(v) for v in row[1:]])
    return {name: np.array(values).T for name, values in found.items()}


def shown(rows, grids, profiles):
    """Rows of numbers that get a panel: beside profiles those with a reference, else all but numbers that are
    those of one grid by their nature and have none."""
    return [
        r
        for r in rows
        if "value" in r and (r["reference"] is not None or (not profiles and len(r["grids"]) == len(grids)))
    ]


def number_panel(axis, case, row):
    """A number over the square of the spacing, extrapolated where there are several grids."""
    spacing = np.array([case.grid(g).spacing for g in row["grids"]])
    value, error = np.array(list(row["grids"].values()), dtype=float).T
    bars = np.where(np.isfinite(error), 2 * error, 0.0)
    axis.errorbar(
        np.square(spacing / spacing[-1]),
        value,
        yerr=bars if bars.any() else None,
        fmt="o",
        capsize=3,
        label="grids, two standard errors" if bars.any() else "grids",
    )
    if len(spacing) > 1:
        axis.errorbar(
            [0], [row["value"]], yerr=[2 * row["error"]], fmt="s", capsize=3, label="extrapolated, two errors"
        )
    if row["reference"] is not None:
        axis.axhline(row["reference"], color="k", lw=0.8, ls="--", label=row["source"])
    axis.margins(x=0.1, y=0.15)
    low, high = axis.get_ylim()
    axis.set_ylim(low, high + 0.35 * (high - low))  # the legend stands there
    if len(spacing) == 1:
        axis.set_xlim(0, 2)
    axis.set_xlabel("square of the spacing, finest grid 1")
    axis.ticklabel_format(useOffset=False)


def profile_panel(axis, case, profile, reference, grids):
    """A profile on the finest grid and extrapolated, beside the first table."""
    place, value, error, fine, fine_error = profile
    axis.plot(place, fine, lw=1.0, label=grids[-1])
    axis.fill_between(place, fine - 2 * fine_error, fine + 2 * fine_error, alpha=0.2)
    if len(grids) > 1:
        axis.plot(place, value, lw=1.0, ls="--", label="extrapolated")
        axis.fill_between(place, value - 2 * error, value + 2 * error, alpha=0.2)
    if reference is not None and reference.value is not None:
        some = max(1, len(reference.value[0]) // 40)
        axis.plot(reference.value[0][::some], reference.value[1][::some], "k.", ms=4, label=reference.source)
    if case.measure in LOGARITHMIC:
        axis.set(xscale="log", yscale="log")
        axis.set_ylim(bottom=fine.max() * 1e-6)
    axis.set_xlabel(ACROSS.get(case.measure, "place"))


def draw(plt, case, result, profiles, references, path):
    """Panels of profiles, then of numbers. Returns whether there is a figure."""
    grids = result["grids_used"]
    first = {}
    for ref in references:
        if ref.quantity in profiles and " " not in ref.quantity:
            known = first.get(ref.quantity)
            if known is None or known.value is None:
                first[ref.quantity] = ref
    panels = [(ref.words.removesuffix(", largest difference") or name, ref) for name, ref in first.items()]
    panels += [(row["quantity"], row) for row in shown(result["rows"], grids, first)]
    panels = panels[:MOST]
    if not panels:
        return False
    across = min(3, len(panels))
    down = -(-len(panels) // across)
    figure, axes = plt.subplots(
        down, across, figsize=(4.2 * across, 3.4 * down), squeeze=False, constrained_layout=True
    )
    for axis, (title, one) in zip(axes.flat, panels):
        if isinstance(one, dict):
            number_panel(axis, case, one)
        else:
            profile_panel(axis, case, profiles[one.quantity], one, grids)
        axis.set_title(textwrap.fill(title, 40), fontsize=10)
        axis.legend(fontsize=7, loc="upper right" if isinstance(one, dict) else "best")
    for axis in list(axes.flat)[len(panels) :]:
        axis.axis("off")
    figure.savefig(path, dpi=90)
    plt.close(figure)
    return True

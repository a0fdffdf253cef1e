#!/usr/bin/env python3
"""Finds where the flow behind a backward-facing step separates from the walls and reattaches: a table and a
figure.

usage: step_report.py [--no-figure] [--to FOLDER] DIR...

Each DIR holds a run of inputs/cases/backward-step-*.nml; its newest checkpoint is read. The flow reattaches
or separates where the shear on a wall changes its sign. The shear is computed from the velocity in the cells
along the wall. Listed are the reattachment on the lower wall, and the separation and the reattachment on the
upper one. If two grids have the same box and cells of the same shape, the places of the two finest ones are
extrapolated to zero cell width, at second order. For Re 800 the values of Gartling (1990) are printed, too.

The figure is FOLDER/backward-step.png, also as PDF and SVG. It has streamlines on the finest grid and the
shear on both walls. Beside it are the table backward-step.tex and the page backward-step.html. FOLDER is the
current one unless it is given.

Exit codes: 0 done; 2 a file of a run is missing or can't be read. The other runs are reported all
the same."""
import math
import os
import sys

import system_python
system_python.require("step_report", __name__)
import numpy as np  # noqa: E402
from kolmo.plots import COLOURS  # noqa: E402
import sheet_page  # noqa: E402
from report_page import sheet, title_of, write_table  # noqa: E402
from report_parts import Unreadable, plotter  # noqa: E402
from walls_report import Run, save  # noqa: E402

GARTLING = (6.10, 4.85, 10.48)
NAMES = ("lower wall: reattachment", "upper wall: separation", "upper wall: reattachment")


def turns(x, shear, first, rising):
    """The first place from `first` on where the shear changes its sign upwards, or downwards; nan: none."""
    signed = shear if rising else -shear
    for i in range(len(x) - 1):
        if x[i] >= first and signed[i] < 0 <= signed[i + 1]:
            return float(x[i] - signed[i] * (x[i + 1] - x[i]) / (signed[i + 1] - signed[i]))
    return math.nan


class Step(Run):
    """A run behind a step, with the shear on its walls over that of the stream that comes in."""

    def __init__(self, folder):
        super().__init__(folder)
        if self.kind[0] != ["inflow", "outflow"] or self.kind[2] != ["wall", "wall"]:
            raise Unreadable("not a flow along x from an inflow to an outflow, with walls in z")
        self.u = self.velocity[0].mean(axis=1)
        self.x = self.face[0][:self.u.shape[1]]
        z, ends = self.centre[2], (self.face[2][0], self.face[2][-1])
        self.lower = 2 * self.nu * self.u[0] / (2 * (z[0] - ends[0]))
        self.upper = 2 * self.nu * self.u[-1] / (2 * (ends[1] - z[-1]))
        self.reynolds = 1 / self.nu
        after = turns(self.x, self.upper, 0.0, False)
        self.places = (turns(self.x, self.lower, self.x[1], True), after,
                       turns(self.x, self.upper, after, True) if math.isfinite(after) else math.nan)

    def shape(self):
        """What runs have in common whose places can be extrapolated."""
        return (round(self.reynolds, 6), tuple(round(v, 9) for v in self.length[::2]),
                round(self.centre[0].size / self.centre[2].size, 9))


def row(re, cells, length, places):
    def text(place):
        return f"{place:8.3f}" if math.isfinite(place) else "    none"
    print(f"  {re:6.0f}  {cells:>14s}  {length:6.4g}  " + "  ".join(f"{text(p):>24s}" for p in places))
    return [f"{re:.0f}", cells, f"{length:.4g}", *(text(p).strip() for p in places)]


def extrapolated(runs):
    """Places without the error of the two finest grids, by boxes."""
    found = []
    for shape in dict.fromkeys(r.shape() for r in runs):
        same = sorted((r for r in runs if r.shape() == shape), key=lambda r: r.centre[2].size)
        if len(same) > 1 and same[-2].centre[2].size < same[-1].centre[2].size:
            coarse, fine = same[-2:]
            ratio = (fine.centre[2].size / coarse.centre[2].size) ** 2
            found.append((fine, [b + (b - a) / (ratio - 1) for a, b in zip(coarse.places, fine.places)]))
    return found


def draw(runs, folder):
    plt = plotter()
    finest = max(runs, key=lambda r: r.centre[2].size)
    runs = sorted((r for r in runs if r.reynolds == finest.reynolds and r.length[0] == finest.length[0]),
                  key=lambda r: r.centre[2].size)
    panels, axes = sheet(plt, 1, 3, title_of(finest.input))
    axes = axes[0]
    psi = np.vstack((np.zeros(finest.u.shape[1]),
                     np.cumsum(finest.u * np.diff(finest.face[2])[:, None], axis=0)))
    levels = np.r_[-0.04:0.0:0.005, 0.0:0.5:0.05, 0.5:0.54:0.0025]
    axes[0].contour(finest.x, finest.face[2], psi, levels=levels, colors=COLOURS[0],
                    linewidths=0.6, linestyles="solid")
    axes[0].set(ylabel="z [height]", title=f"streamlines, Re {finest.reynolds:.0f}, {finest.cells()} cells")
    for axis, name, title in ((axes[1], "lower", "lower wall"), (axes[2], "upper", "upper wall")):
        for place, run in enumerate(runs):
            shade = 0.75 * (len(runs) - 1 - place) / max(1, len(runs) - 1)
            axis.plot(run.x, getattr(run, name), color=str(shade),
                      linewidth=1.2, label=f"{run.centre[2].size} cells from wall to wall")
        axis.axhline(0.0, color="black", linewidth=0.5)
        if abs(finest.reynolds - 800) < 1e-6:
            for k in ((0,) if name == "lower" else (1, 2)):
                axis.plot(GARTLING[k], 0.0, "o", ms=3.5, color=COLOURS[1],
                          label="Gartling (1990)" if k < 2 else None)
        most = max(np.max(np.abs(run.lower)) for run in runs)
        axis.set(title=f"shear on the {title}", ylabel="shear [U^2]", ylim=(-1.1 * most, 1.1 * most))
    for axis in axes:
        axis.set(xlabel="x [height]", xlim=(0.0, finest.length[0]))
    return save(plt, panels, folder, "backward-step.png")


def write(folder, title, rows, pictures):
    """The table for LaTeX, and the page, with a row for each place."""
    write_table(os.path.join(folder, "backward-step.tex"), ("Re", "cells", "length", *NAMES), rows)
    head = ("place, in heights", *(f"Re {r[0]}, {r[1]}" for r in rows))
    places = [(name, *(r[3 + n] for r in rows)) for n, name in enumerate(NAMES)]
    sheet_page.write(os.path.join(folder, "backward-step.html"), title or "Backward-facing step",
                     [("Places", "nothing is judged", False, head, places, None,
                       ["backward-step-2", "backward-step-3", "backward-step-3"])], pictures)


def main(arguments):
    figure, folder, names, words = True, ".", [], iter(arguments)
    for word in words:
        if word == "--no-figure":
            figure = False
        elif word == "--to":
            folder = next(words, None)
        else:
            names.append(word)
    if not names or folder is None or any(n.startswith("-") for n in names):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    runs, faults = [], 0
    for name in names:
        try:
            runs.append(Step(name))
        except Unreadable as error:
            print(f"step_report: {name}: {error}", file=sys.stderr)
            faults += 1
    print(f"  {'Re':>6s}  {'cells':>14s}  {'length':>6s}  " + "  ".join(f"{n:>24s}" for n in NAMES))
    rows = [row(run.reynolds, run.cells(), run.length[0], run.places) for run in runs]
    rows += [row(run.reynolds, "extrapolated", run.length[0], places) for run, places in extrapolated(runs)]
    if any(abs(r.reynolds - 800) < 1e-6 for r in runs):
        rows.append(row(800, "Gartling 1990", 30, GARTLING))
    if figure and runs:
        title = title_of(max(runs, key=lambda r: r.centre[2].size).input)
        write(folder, title, rows, draw(runs, folder))
    return 2 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Grid convergence: runs of one case on finer and finer grids, the observed order of accuracy, the
extrapolated values, and their uncertainty beside the statistical one.

The formulas are those of Roache's grid convergence index for three grids of any ratios, as Celik and others
(J. Fluids Eng. 130, 2008, 078001) give them."""

from __future__ import annotations

import math
import os
import shlex
import subprocess
from dataclasses import asdict, dataclass
from typing import Any, Sequence

import numpy as np

from . import launch
from .guarded import Unreadable
from .runs import Run

FACTOR = 1.25  # of safety, for three grids
ORDERS = (0.5, 2.0)  # between which an observed order is used; the scheme's own is 2
FEW = 8  # cells: a direction with fewer is not refined, as that of a two-dimensional flow
SAME = 0.01  # of the time that the first flow is followed: ends of runs that differ by less count as equal
NOISE = 2.0  # standard errors, within which two values count as the same


@dataclass
class Convergence:
    """Of one quantity.

    values, errors: from the coarsest grid to the finest; standard errors, 0 where none is known. order:
    observed; None: none could be. used: the order that extrapolates. uncertainty: of the extrapolated value
    for the grid; statistical: the standard error of it. note: what is to be said."""

    quantity: str
    spacing: list[float]
    values: list[float]
    errors: list[float]
    order: float | None
    used: float
    extrapolated: float
    uncertainty: float
    statistical: float
    note: str


def observed_order(fine: float, coarse: float, r21: float, r32: float) -> float | None:
    """p of coarse/fine, by iteration; None where it does not settle. fine: f2 - f1; coarse: f3 - f2."""
    if fine == 0 or coarse == 0:
        return None
    sign, p = math.copysign(1.0, coarse / fine), 2.0
    for _ in range(200):
        top, bottom = r21**p - sign, r32**p - sign
        if top <= 0 or bottom <= 0:
            return None
        new = abs(math.log(abs(coarse / fine)) + math.log(top / bottom)) / math.log(r21)
        if abs(new - p) < 1e-12:
            return new
        p = new
    return None


def analyse(
    quantity: str, spacing: Sequence[float], values: Sequence[float], errors: Sequence[float] | None = None
) -> Convergence:
    """Of values on three grids or more, from the coarsest to the finest; the finest three give the order."""
    if len(spacing) != len(values) or len(values) < 3:
        raise ValueError("values on three grids or more are needed, with their spacings")
    if not all(a > b > 0 for a, b in zip(spacing, spacing[1:])):
        raise ValueError("spacings must fall from the coarsest grid to the finest")
    sigma = [0.0] * len(values) if errors is None else [float(e) for e in errors]
    (h3, h2, h1), (f3, f2, f1) = spacing[-3:], values[-3:]
    fine, coarse, r21, r32 = f2 - f1, f3 - f2, h2 / h1, h3 / h2
    order, note = observed_order(fine, coarse, r21, r32), ""
    monotone = fine * coarse > 0
    within = abs(fine) <= NOISE * math.hypot(sigma[-1], sigma[-2]) and any(sigma)
    if within:
        note = "the two finest grids differ by no more than the statistical error: no order is observed"
    elif not monotone:
        note = "the values do not fall or rise from grid to grid: no order is observed"
    elif order is None or not ORDERS[0] <= order <= 2 * ORDERS[1]:
        note = "the observed order is not that of the scheme: the grids are too coarse for it"
    if within or not monotone:
        order = None
    used = min(max(order if order is not None else ORDERS[1], ORDERS[0]), ORDERS[1])
    if order is not None and abs(order - ORDERS[1]) < 0.25:
        used = order  # near the scheme's order, as observed
    share = 1.0 / (r21**used - 1.0)
    spread = abs(fine) if monotone and not within else max(abs(v - f1) for v in values[-3:])
    return Convergence(
        quantity,
        list(map(float, spacing)),
        list(map(float, values)),
        sigma,
        order,
        used,
        f1 - share * fine if monotone and not within else f1,
        FACTOR * share * spread if monotone and not within else 3.0 * spread,
        math.hypot((1 + share) * sigma[-1], share * sigma[-2]) if monotone and not within else sigma[-1],
        note,
    )


def grids(n: Sequence[int], count: int, ratio: float) -> list[tuple[int, ...]]:
    """From the coarsest, n, to the finest; even numbers of cells. A direction of fewer than 8 cells stays."""
    if count < 3 or not ratio > 1.1:
        raise ValueError("three grids or more, and a ratio above 1.1, are needed")
    found = [
        tuple(n) if m == 0 else tuple(c if c < FEW else 2 * round(c * ratio**m / 2) for c in n)
        for m in range(count)
    ]
    if not any(c >= FEW for c in n):
        raise ValueError(
            f"grid.n = {', '.join(map(str, n))}: no direction has {FEW} cells or more to refine"
        )
    return found


def spacing_of(n: Sequence[int], first: Sequence[int]) -> float:
    """Over that of the first grid, of the directions that are refined."""
    ratios = [a / b for a, b in zip(first, n) if a >= FEW]
    return math.prod(ratios) ** (1.0 / len(ratios))


def value_of(run: Run, quantity: str) -> tuple[float, float]:
    """A quantity of a run and its standard error (0: none is known).

    NAME: of statistics.nc, else the last value of series.nc; NAME:last, NAME:max, NAME:min, NAME:mean: of
    series.nc."""
    name, _, how = quantity.partition(":")
    if not how and os.path.exists(run.path("statistics.nc")) and name in run.statistics:
        s = run.statistics
        error = float(s[name + "_error"].values) if name + "_error" in s else 0.0
        if s[name].values.ndim != 0:
            raise Unreadable(f"{quantity}: it is no single number of {run.path('statistics.nc')}")
        return float(s[name].values), error if math.isfinite(error) else 0.0
    if name not in run.series:
        raise Unreadable(
            f"{quantity}: {run.folder} has no such number; series.nc has {', '.join(run.series)}"
        )
    t, v = run.series["time"].values, np.asarray(run.series[name].values, dtype=float)
    chosen = {"": v[-1], "last": v[-1], "max": v.max(), "min": v.min()}
    if how == "mean":
        return float((0.5 * (v[1:] + v[:-1]) * np.diff(t)).sum() / (t[-1] - t[0])), 0.0
    if how not in chosen:
        raise Unreadable(f"{quantity}: after the colon last, max, min or mean is wanted")
    return float(chosen[how]), 0.0


def add_times(found: Convergence, runs: Sequence[Run]) -> None:
    """Adds to the note of a last value that the times of the runs differ, as with `regrid`: in a flow that
    decays or grows such values have no order."""
    name, _, how = found.quantity.partition(":")
    averaged = not how and os.path.exists(runs[0].path("statistics.nc")) and name in runs[0].statistics
    if averaged or how not in ("", "last"):
        return
    ends = [float(run.series["time"].values[-1]) for run in runs]
    if max(ends) - min(ends) > SAME * (ends[0] - float(runs[0].series["time"].values[0])):
        words = ", ".join(f"{t:.6g}" for t in ends)
        found.note += (found.note and "; ") + (
            f"values at different times were compared, t = {words}: their order means something in a steady "
            "flow alone"
        )


def folder_of(folder: str, size: Sequence[int]) -> str:
    """Of the run on one grid."""
    return os.path.join(folder, "x".join(map(str, size)))


def analysed(
    sizes: Sequence[Sequence[int]], runs: Sequence[Run], quantities: Sequence[str]
) -> list[Convergence]:
    """Of runs on these grids, from the coarsest to the finest."""
    spacing, found = [spacing_of(size, sizes[0]) for size in sizes], []
    for quantity in quantities:
        values, errors = zip(*(value_of(one, quantity) for one in runs))
        found.append(analyse(quantity, spacing, values, errors))
        add_times(found[-1], runs)
    return found


def converge(
    case: launch.CaseOrPath,
    quantities: Sequence[str],
    *,
    folder: str,
    n: Sequence[int],
    count: int = 3,
    ratio: float = 1.5,
    ranks: int = 1,
    progress: bool = True,
    regrid: bool = False,
    **settings: Any,
) -> tuple[list[Run], list[Convergence]]:
    """Runs the case on each grid, in folder/NXxNYxNZ, and analyses the quantities.

    n: the coarsest grid. regrid: a finer grid goes on from the end of the coarser one for as long as the case
    lasts, which is for flows that are statistically steady; its averages begin as long after that as those of
    the case after the start."""
    every = grids(n, count, ratio)
    runs: list[Run] = []
    for size in every:
        more: dict[str, Any] = dict(settings, **{"grid.n": size})
        place = folder_of(folder, size)
        if regrid and runs:
            first, before = runs[0], runs[-1]
            paths = before.checkpoints.paths
            if not paths or first.number("run.t_end", -1.0) < 0:
                raise Unreadable(f"{before.folder}: to go on from it, it needs a checkpoint and run.t_end")
            begin = before.checkpoints.times[-1]
            more.update(
                {
                    "checkpoint.regrid": True,
                    "run.t_end": begin + first.number("run.t_end"),
                    "restart": paths[max(paths)],
                }
            )
            if first.input.get("statistics.start") and first.number("statistics.start", -1.0) >= 0:
                more["statistics.start"] = begin + first.number("statistics.start")
        runs.append(launch.run(case, ranks, folder=place, progress=progress, **more))
    return runs, analysed(every, runs, quantities)


def submit(
    case: str | os.PathLike[str],
    command: Sequence[str],
    *,
    folder: str,
    sizes: Sequence[Sequence[int]],
    program: str | None = None,
    **settings: Any,
) -> list[str]:
    """Queues the run on each grid and returns what the command said of each.

    command: of the batch system, such as ['sbatch', 'inputs/slurm/mpirun.sbatch']. It finds in its
    environment what those scripts read: CASE, RUN (the folder) and KOLMO, a script in that folder that starts
    the program with the settings of this grid. A command that fails raises RunFailed."""
    kolmo, said = program or launch.find_program(), []
    for size in sizes:
        place = os.path.abspath(folder_of(folder, size))
        os.makedirs(place, exist_ok=True)
        more = launch.arguments_of(dict(settings, **{"grid.n": tuple(size), "output.directory": place}))
        script = os.path.join(place, "kolmo-on-this-grid")
        with open(script, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec {shlex.quote(kolmo)} "$@" {shlex.join(more)}\n')
        os.chmod(script, 0o755)
        env = dict(os.environ, CASE=os.path.abspath(case), RUN=place, KOLMO=script)
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise launch.RunFailed(done.returncode, command, (done.stdout + done.stderr).splitlines())
        said.append(done.stdout.strip())
    return said


def collect(folder: str, sizes: Sequence[Sequence[int]]) -> list[Run]:
    """The runs that submit() has queued; refused where one has not finished."""
    runs = [Run(folder_of(folder, size)) for size in sizes]
    late = [run.folder for run in runs if not run.finished]
    if late:
        raise Unreadable(f"not finished yet, or not begun: {', '.join(late)}; collect again when they are")
    return runs


def table(sizes: Sequence[Sequence[int]], found: Sequence[Convergence]) -> str:
    """For the terminal."""
    heads = ["x".join(map(str, size)) for size in sizes]
    lines = [
        f"{'quantity':28s}"
        + "".join(f"{h:>16s}" for h in heads)
        + f"{'order':>8s}{'extrapolated':>16s}{'grid':>11s}{'statistics':>11s}"
    ]
    for c in found:
        order = "-" if c.order is None else f"{c.order:.2f}"
        lines.append(
            f"{c.quantity:28s}"
            + "".join(f"{v:16.8g}" for v in c.values)
            + f"{order:>8s}{c.extrapolated:16.8g}{c.uncertainty:11.2g}{c.statistical:11.2g}"
        )
        if c.note:
            lines.append(f"  note: {c.note}")
    return "\n".join(lines)


def as_json(sizes: Sequence[Sequence[int]], found: Sequence[Convergence]) -> dict[str, Any]:
    """All of it."""
    return {"grids": [list(map(int, s)) for s in sizes], "quantities": [asdict(c) for c in found]}


def draw(c: Convergence) -> Any:
    """The axis of a new figure: values over the square of the spacing, and the extrapolated one."""
    from . import plots

    axis = plots.panel()
    with plots.style():
        axis.errorbar(
            np.square(c.spacing),
            c.values,
            yerr=2 * np.asarray(c.errors),
            fmt="o-",
            ms=3,
            color=plots.COLOURS[0],
            label=c.quantity,
        )
        axis.errorbar(
            [0.0],
            [c.extrapolated],
            yerr=[c.uncertainty + 2 * c.statistical],
            fmt="s",
            ms=4,
            capsize=3,
            color=plots.COLOURS[1],
            label="extrapolated",
        )
        axis.set(xlabel="square of the spacing, over that of the coarsest grid", ylabel=c.quantity)
        axis.legend()
    return axis


def figure(found: Sequence[Convergence], path: str) -> None:
    """A figure for each quantity: several get their numbers before the ending."""
    from . import plots

    stem, ending = os.path.splitext(path)
    for number, c in enumerate(found, 1):
        plots.save(draw(c), f"{stem}-{number}{ending}" if len(found) > 1 else path)

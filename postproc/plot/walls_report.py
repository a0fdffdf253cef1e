#!/usr/bin/env python3
"""Compares runs between walls with exact and published solutions: a table, and figures of the profiles.

usage: walls_report.py [--no-figure] [--to FOLDER] DIR...

Each DIR holds series.nc and checkpoints of a run, whose input tells what flow it is:

  - Laminar flows are compared with their exact solutions, in the newest checkpoint: Couette, Poiseuille,
    Stokes' first problem, Womersley, Ekman, rectangular duct.
  - Lid-driven cavities are compared with tests/data/cavity_centre_lines.csv, in the newest checkpoint.
  - Of other flows the friction is printed, averaged over the second half of the run. Of a stream along one
    wall, or between two that move alike or not at all, bulk velocity and friction coefficient are printed,
    too, of the velocity against the wall. Between walls that move differently there is no such velocity.

Velocities are divided by the largest velocity of a wall, or by the bulk velocity of the input. The figures
are FOLDER/walls-laminar.png and FOLDER/walls-cavity.png; FOLDER is the current one unless it is given. Beside
them are the same figures as PDF and SVG, walls.tex and cavities.tex, the tables of laminar flows and of
cavities for LaTeX, and the page walls.html with all of this.

Exit codes: 0 done; 2 a file of a run is missing or can't be read. The other runs are reported all
the same."""
import cmath
import math
import os
import sys

import system_python
system_python.require("walls_report", __name__)
import numpy as np  # noqa: E402
from kolmo.guarded import in_child, opened  # noqa: E402
from kolmo.namelists import parse, reals  # noqa: E402
from kolmo.snapshots import find  # noqa: E402
from kolmo.plots import line_style as style  # noqa: E402
import sheet_page  # noqa: E402
from report_page import sheet, write_sheet, write_table  # noqa: E402
from report_parts import Unreadable, contents_of, plotter  # noqa: E402
from taylor_green_report import read_table  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CAVITY = os.path.join(ROOT, "tests", "data", "cavity_centre_lines.csv")
SOURCE = {("2d", 1000): "Botella & Peyret", ("3d", 1000): "Albensoeder & Kuhlmann"}  # the others: Ghia et al.
AXIS = "xyz"


def read_series(path):
    """Columns of a series, and its input as text."""
    found = contents_of(path)
    if "input" not in found["words"]:
        raise Unreadable(f"{path}: it has no attribute 'input', so that the flow is unknown")
    return found["values"], found["words"]["input"]


@in_child
def read_checkpoint(path):
    """Velocity, faces of the three directions, time."""
    with opened(path) as file:
        return ([np.asarray(file[f"fields/{name}"][...]) for name in "uvw"],
                [np.asarray(file[f"grid/{a}_face"][...]) for a in AXIS], float(file["state"].attrs["time"]))


class Run:
    """Input, series and newest checkpoint of a folder."""

    def __init__(self, folder):
        self.folder = folder
        try:
            self.series, text = read_series(os.path.join(folder, "series.nc"))
            self.input = parse(text)
            checkpoints = find(folder).get("checkpoint")
            if not checkpoints:
                raise Unreadable("no checkpoint in it")
            self.velocity, self.face, self.time = read_checkpoint(checkpoints[max(checkpoints)])
        except (OSError, KeyError) as error:
            raise Unreadable(f"{error}") from None
        self.centre = [0.5 * (f[1:] + f[:-1]) for f in self.face]
        self.length = [f[-1] - f[0] for f in self.face]
        self.nu = (reals(self.input, "fluid.nu", 1)[0] if self.input.get("fluid.nu")
                   else 1.0 / reals(self.input, "fluid.reynolds", 1)[0])
        self.kind = [[self.word(f"boundary.{a}_{s}", "periodic") for s in ("low", "high")] for a in AXIS]
        self.moving = [[reals(self.input, f"boundary.{a}_{s}_velocity", 3, 0.0) for s in ("low", "high")]
                       for a in AXIS]
        self.bounded = [d for d in range(3) if self.kind[d][0] != "periodic"]
        self.forcing = self.word("forcing.type", "none")
        self.disturbed = self.word("initial.type", "taylor-green") == "taylor-green" or (
            self.word("initial.type", "") == "channel"
            and reals(self.input, "initial.disturbance", 1, 0.3)[0] > 0)

    def word(self, name, default):
        return (self.input.get(name) or [default])[0]

    def stream(self):
        """Direction of the force, or of the motion of the walls."""
        if self.forcing != "none":
            return AXIS.index(self.word("forcing.direction", "x"))
        speed = [max(abs(self.moving[d][s][a]) for d in range(3) for s in range(2)) for a in range(3)]
        return int(np.argmax(speed))

    def lid(self):
        return max(abs(v) for d in self.moving for s in d for v in s)

    def cells(self):
        return " x ".join(str(c.size) for c in self.centre)


def cubic(x, y, place):
    """y at a place: the cubic through the four nearest points. y may have more dimensions after its first."""
    first = int(np.clip(np.searchsorted(x, place) - 2, 0, len(x) - 4))
    xs = x[first:first + 4]
    return sum(y[first + a] * math.prod((place - xs[b]) / (xs[a] - xs[b]) for b in range(4) if b != a)
               for a in range(4))


# ---- laminar flows -----------------------------------------------------------------------------------------

def plane_profile(run):
    """(coordinate from the lower wall, velocity along the stream), means over planes."""
    normal, stream = run.bounded[0], run.stream()
    u = np.moveaxis(run.velocity[stream], 2 - normal, 0).reshape(run.centre[normal].size, -1).mean(axis=1)
    return run.centre[normal] - run.face[normal][0], u


def couette(run):
    x, u = plane_profile(run)
    low, high = (run.moving[run.bounded[0]][s][run.stream()] for s in range(2))
    exact = lambda s: low + (high - low) * s / run.length[run.bounded[0]]
    return "Couette", x, u, exact


def poiseuille(run):
    x, u = plane_profile(run)
    height, value = run.length[run.bounded[0]], reals(run.input, "forcing.value", 1)[0]
    low, high = (run.moving[run.bounded[0]][s][run.stream()] for s in range(2))
    exact = lambda s: low + (high - low) * s / height + value / (2 * run.nu) * s * (height - s)
    return "Poiseuille", x, u, exact


def womersley(run):
    """Flow between walls under a force that oscillates, long after its start."""
    x, u = plane_profile(run)
    value, amplitude, frequency, phase = (reals(run.input, f"forcing.{name}", 1, 0.0)[0]
                                          for name in ("value", "amplitude", "frequency", "phase"))
    half, omega = run.length[run.bounded[0]] / 2, 2 * math.pi * frequency
    k, turn = cmath.sqrt(1j * omega / run.nu), cmath.exp(1j * (omega * run.time + phase))
    exact = lambda s: np.array([value / (2 * run.nu) * y * (2 * half - y) + amplitude * (
        turn / (1j * omega) * (1 - cmath.cosh(k * (y - half)) / cmath.cosh(k * half))).real
                                for y in np.atleast_1d(s)])
    return "Womersley", x, u, exact


def ekman(run):
    """Velocity along the geostrophic flow over a wall, free slip at the other end; printed: the stress on the
    wall against that flow."""
    normal, force = run.bounded[0], run.stream()
    value, rate = (reals(run.input, "forcing.value", 1)[0],
                   2 * reals(run.input, "forcing.rotation", 3, 0.0)[normal])
    other = 3 - normal - force
    # other, force, normal right-handed: a force along the second drives along the first
    sign = 1 if (other - normal) % 3 == 1 else -1
    k, height = cmath.sqrt(1j * abs(rate) / run.nu), run.length[normal]
    low = run.kind[normal][0] == "wall"
    aloft = sign * value / rate
    u, v = (np.moveaxis(run.velocity[d], 2 - normal, 0).reshape(run.centre[normal].size, -1).mean(axis=1)
            for d in (other, force))
    near = 0 if low else -1
    print("    velocity beside the wall "
          f"{math.degrees(abs(math.atan2(v[near], u[near] * math.copysign(1, aloft)))):.2f} degrees off the "
          "flow "
          f"aloft, in the layer's exact solution {math.degrees(cmath.phase(k * cmath.tanh(k * height))):.2f} "
          "on the wall")
    away = (lambda s: s) if low else (lambda s: height - s)
    exact = lambda s: np.array([aloft * (1 - cmath.cosh(k * (height - y)) / cmath.cosh(k * height)).real
                                for y in np.atleast_1d(away(s))])
    return "Ekman", run.centre[normal] - run.face[normal][0], u, exact


def stokes(run):
    x, u = plane_profile(run)
    normal = run.bounded[0]
    low = run.kind[normal][0] == "wall"
    speed = run.moving[normal][0 if low else 1][run.stream()]
    away = (lambda s: s) if low else (lambda s: run.length[normal] - s)
    exact = lambda s: speed * np.array([math.erfc(v / (2 * math.sqrt(run.nu * run.time)))
                                        for v in np.atleast_1d(away(s))])
    return "Stokes' first problem", x, u, exact


def duct_velocity(run, a, b):
    """Velocity over the shorter side, in the middle of the longer one, and mean velocity of a duct of half
    sides a <= b: the series of F. M. White, Viscous Fluid Flow."""
    value = reals(run.input, "forcing.value", 1)[0]

    def exact(s):
        total = np.zeros_like(np.asarray(s, dtype=float))
        for n in range(1, 200, 2):
            k = n * math.pi / (2 * a)
            total = (total
                     + (-1.0) ** (n // 2) * (1.0 - 1.0 / math.cosh(min(k * b, 700.0))) * np.cos(k * (s - a))
                     / n ** 3)
        return 16 * value * a * a / (run.nu * math.pi ** 3) * total
    odd = range(1, 400, 2)
    rest = sum(math.tanh(n * math.pi * b / (2 * a)) / n ** 5 for n in odd)
    mean = value * a * a / (3 * run.nu) * (1 - 192 * a / (math.pi ** 5 * b) * rest)
    return exact, mean


def duct(run):
    """Velocity over the shorter side in the middle of the longer one."""
    wide, high = sorted(run.bounded, key=lambda d: -run.length[d])
    u = run.velocity[run.stream()].mean(axis=2 - run.stream())  # [larger axis, smaller axis]
    if wide < high:
        u = u.T
    line = cubic(run.centre[wide] - run.face[wide][0], u, run.length[wide] / 2)
    exact, mean = duct_velocity(run, run.length[high] / 2, run.length[wide] / 2)
    bulk = run.series[f"momentum_{AXIS[run.stream()]}"][-1]
    hydraulic = 2 * run.length[wide] * run.length[high] / (run.length[wide] + run.length[high])
    value = reals(run.input, "forcing.value", 1)[0]
    print(f"    bulk velocity {bulk:.6f}, series {mean:.6f}: {100 * (bulk / mean - 1):+.3f} %; "
          f"f Re {2 * hydraulic ** 2 * value / (run.nu * bulk):.4f}, series "
          f"{2 * hydraulic ** 2 * value / (run.nu * mean):.4f}")
    return "rectangular duct", run.centre[high] - run.face[high][0], line, exact


def laminar(run):
    """The function that compares this flow with an exact one, or None."""
    if run.disturbed:
        return None
    if (
        len(run.bounded) == 2
        and run.forcing == "pressure-gradient"
        and not any(reals(run.input, "forcing.rotation", 3, 0.0))
        and reals(run.input, "forcing.amplitude", 1, 0.0)[0] == 0
    ):
        if any(v for d in run.bounded for side in run.moving[d] for v in side):
            return None
        return duct
    if len(run.bounded) != 1:
        return None
    kinds, turning = run.kind[run.bounded[0]], reals(run.input, "forcing.rotation", 3, 0.0)
    oscillates = reals(run.input, "forcing.amplitude", 1, 0.0)[0] != 0
    still = not any(v for side in run.moving[run.bounded[0]] for v in side)
    if any(turning):
        only = turning[run.bounded[0]] != 0 and sum(1 for w in turning if w) == 1
        layer = (
            only
            and still
            and sorted(kinds) == ["slip", "wall"]
            and run.forcing == "pressure-gradient"
            and not oscillates
        )
        return ekman if layer else None
    if oscillates:
        return womersley if kinds == ["wall",
                                      "wall"] and still and run.forcing == "pressure-gradient" else None
    if kinds == ["wall", "wall"]:
        return {"none": couette, "pressure-gradient": poiseuille}.get(run.forcing)
    return stokes if sorted(kinds) == ["slip", "wall"] and run.forcing == "none" and not still else None


# ---- cavities ----------------------------------------------------------------------------------------------

def is_cavity(run):
    """The lid of the table: at the upper end of z, moving along x."""
    return (run.forcing == "none" and {0, 2} <= set(run.bounded) and run.moving[2][1][0] == run.lid() > 0
            and max(run.length[0], run.length[2]) - min(run.length[0], run.length[2]) < 1e-9)


def centre_lines(run):
    """{'u': (z, u), 'w': (x, w)} in units of side and lid, walls included; in three dimensions in the middle
    plane."""
    lines, side, middle = {}, run.length[2], {}
    for name, across, along in (("u", 0, 2), ("w", 2, 0)):
        q = run.velocity[0 if name == "u" else 2]
        if 1 in run.bounded:
            q = cubic(run.centre[1] - run.face[1][0], np.moveaxis(q, 1, 0), run.length[1] / 2)
        else:
            q = q.mean(axis=1)
        q = q.T if name == "u" else q  # first index: across
        middle[name] = cubic(run.face[across][:-1] - run.face[across][0], q, side / 2)
        place = (run.centre[along] - run.face[along][0]) / side
        ends = (0.0, 1.0) if name == "u" else (0.0, 0.0)
        lines[name] = (np.concatenate(([0.0], place, [1.0])),
                       np.concatenate(([ends[0]], middle[name] / run.lid(), [ends[1]])))
    return lines


def cavity(run):
    """Prints the differences; returns what the figure shows: order, title, lines, points of the table, its
    source; and rows for the page."""
    flow = "3d" if 1 in run.bounded else "2d"
    re = run.lid() * run.length[2] / run.nu
    lines = centre_lines(run)
    rows = [r for r in read_table(CAVITY) if r["flow"] == flow and abs(float(r["re"]) / re - 1) < 1e-6]
    points = {name: np.array([(float(r["place"]), float(r["velocity"]))
                              for r in rows if r["component"] == name]) for name in lines}
    source = SOURCE.get((flow, round(re)), "Ghia et al.") if rows else "no table"
    print(f"{run.folder}: cavity {flow}, Re {re:g}, {run.cells()} cells, t = {run.time:g}: smallest u "
          f"{lines['u'][1].min():.5f}, "
          f"w from {lines['w'][1].min():.5f} to {lines['w'][1].max():.5f}")
    said = []
    for name, (place, value) in lines.items():
        words = ("-", "-")
        if rows:
            away = [cubic(place, value, t) - v for t, v in points[name]]
            words = (f"{np.max(np.abs(away)):.2e}", f"{math.sqrt(np.mean(np.square(away))):.2e}")
            print(f"    {name} from {source}: largest difference {words[0]}, rms {words[1]}")
        said.append((f"{name}, {flow}, Re {re:g}", run.cells(), f"{run.time:g}", source, *words))
    energy = np.interp(run.series["time"][-1] - 1.0, run.series["time"], run.series["kinetic_energy"])
    if energy > 0:
        print("    change of the energy in the last unit of time "
              f"{abs(run.series['kinetic_energy'][-1] / energy - 1):.1e} of it")
    return (flow, re), f"{flow}, Re {re:g}, {run.cells()}", lines, points if rows else None, source, said


# ---- friction ----------------------------------------------------------------------------------------------

def against_walls(run):
    """Velocity along the stream of all walls of a plane stream that do not slip; None if they differ, or the
    stream is not a plane one."""
    speeds = {run.moving[d][s][run.stream()] for d in run.bounded for s in range(2)
              if run.kind[d][s] == "wall"}
    return speeds.pop() if len(run.bounded) == 1 and len(speeds) == 1 else None


def work_of_shear(run):
    """Work of moving walls for a shear of 1, over the volume. With equal shear on the two walls of a
    direction, the work is that of the difference of their velocities."""
    total = 0.0
    for d in run.bounded:
        low, high = (run.moving[d][s][run.stream()] if run.kind[d][s] == "wall" else 0.0 for s in range(2))
        total += abs(high - low) / run.length[d]
    return total


def friction(run):
    """Mean shear on the walls that do not slip, over the second half of the run; Re_tau of half the height,
    of all of it where one side slips; bulk velocity and friction coefficient against walls that move alike or
    not at all."""
    s, half = run.series, run.series["time"] >= 0.5 * run.series["time"][-1]
    t = s["time"][half]
    mean = lambda q: float(np.sum(0.5 * (q[1:] + q[:-1]) * np.diff(t)) / (t[-1] - t[0]))
    volume, area = math.prod(run.length), 0.0
    for d in run.bounded:
        area += sum(volume / run.length[d] for kind in run.kind[d] if kind == "wall")
    slips = any(kind == "slip" for d in run.bounded for kind in run.kind[d])
    height = min(run.length[d] for d in run.bounded) * (1.0 if slips else 0.5)
    force = mean(s["force"][half]) if run.forcing != "none" else 0.0
    if run.forcing != "none":
        shear = abs(force) * volume / area
    else:
        work = work_of_shear(run)
        shear = abs(mean(s["wall_work"][half])) / work if work else math.nan
    wall, words = against_walls(run), ""
    if wall is not None:
        bulk = mean(s[f"momentum_{AXIS[run.stream()]}"][half]) - wall
        words = f", bulk velocity {bulk:.5f}" + (" against the walls" if wall else "")
        words += f", friction coefficient {2.0 * shear / bulk ** 2:.4e}" if bulk else ""
    print(f"{run.folder}: {run.cells()} cells, t = {t[0]:.4g} .. {t[-1]:.4g}: mean shear on the walls "
          f"{shear:.5f}, force {force:.5f}, Re_tau {math.sqrt(shear) * height / run.nu:.1f}{words}, "
          f"enstrophy {mean(s['enstrophy'][half]):.3f}, at the start {s['enstrophy'][0]:.3f}")


# ---- figures -----------------------------------------------------------------------------------------------

MARKS = {"ls": "none", "marker": "o", "ms": 3.5, "mfc": "none"}
LAMINAR = ("flow", "cells", "t", "largest error", "over the largest velocity")
CAVITIES = ("line", "cells", "t", "table", "largest difference", "rms")


def save(plt, figure, folder, name):
    """A figure of a name of its own in a folder; returns the pictures of its panels."""
    return write_sheet(plt, figure, os.path.join(folder, name))


def laminar_figure(plt, shown, folder):
    """Velocities across, a panel for each flow."""
    figure, panels = sheet(plt, 1, len(shown))
    for axis, (name, x, u, exact, length) in zip(panels[0], shown):
        fine = np.linspace(0.0, length, 200)
        axis.plot(exact(fine), fine, label="exact", **style(1))
        axis.plot(u, x, label=f"this run, {x.size} cells", **{**MARKS, "color": style(0)["color"]})
        axis.set(title=name, xlabel="velocity $[U]$", ylabel="distance from the lower wall $[L]$")
    return save(plt, figure, folder, "walls-laminar.png")


def cavity_figure(plt, shown, folder):
    """Both lines through the middle, a column for each cavity."""
    figure, panels = sheet(plt, 2, len(shown))
    for column, (_, name, lines, points, source, _) in enumerate(sorted(shown, key=lambda c: c[0])):
        for row, (part, words) in enumerate((("u", ("z [side]", "u on x = 1/2 [lid]")),
                                             ("w", ("x [side]", "w on z = 1/2 [lid]")))):
            axis = panels[row][column]
            axis.plot(*lines[part], label="this run", **style(0))
            if points is not None:
                axis.plot(points[part][:, 0], points[part][:, 1], color="black", label=source, **MARKS)
            axis.set(xlabel=words[0], ylabel=words[1], xlim=(0.0, 1.0))
        panels[0][column].set_title(name)
    return save(plt, figure, folder, "walls-cavity.png")


def draw(profiles, cavities, folder, rows):
    """What there is to draw, the tables for LaTeX, and the page."""
    if not profiles and not cavities:
        return
    try:
        plt = plotter()
    except ImportError as error:
        print(f"no figures: {error} (install python3-matplotlib)")
        return
    lists, pictures, order = [], [], sorted(cavities, key=lambda c: c[0])
    if profiles:
        pictures += laminar_figure(plt, profiles, folder)
        write_table(os.path.join(folder, "walls.tex"), LAMINAR, rows)
        lists.append(("Laminar flows", f"{len(rows)} compared with exact solutions; nothing is judged", False,
                      LAMINAR, rows, None, [f"walls-laminar-{n}" for n in range(1, len(rows) + 1)]))
    if cavities:
        pictures += cavity_figure(plt, cavities, folder)
        said = [row for c in order for row in c[5]]
        write_table(os.path.join(folder, "cavities.tex"), CAVITIES, said)
        lists.append(("Cavities", f"{sum(c[3] is not None for c in order)} of {len(order)} compared with "
                      "tables; nothing is judged", False, CAVITIES, said, None,
                      [f"walls-cavity-{n + 1 + row * len(order)}" for n in range(len(order))
                       for row in range(2)]))
    sheet_page.write(os.path.join(folder, "walls.html"), "Flows between walls", lists, pictures)


def report(folder, profiles, cavities, rows):
    """Prints what is to say of one run, and adds what the figures show."""
    run = Run(folder)
    compare = laminar(run)
    if not run.bounded:
        print(f"{folder}: there are no walls in it")
    elif compare:
        name, x, u, exact = found = compare(run)
        across = min(run.bounded, key=lambda d: (run.length[d], -d))
        wrong, scale = u - exact(x), np.max(np.abs(exact(x)))
        print(f"{folder}: {name}, {run.cells()} cells, t = {run.time:g}: largest error "
              f"{np.max(np.abs(wrong)):.3e}, "
              f"over the largest velocity {np.max(np.abs(wrong)) / scale:.3e}")
        profiles.append(found + (run.length[across],))
        rows.append((name, run.cells(), f"{run.time:g}", f"{np.max(np.abs(wrong)):.3e}",
                     f"{np.max(np.abs(wrong)) / scale:.3e}"))
    elif is_cavity(run):
        cavities.append(cavity(run))
    else:
        friction(run)


def main(arguments):
    figures, folder, rest = True, ".", []
    words = iter(arguments)
    for word in words:
        if word == "--no-figure":
            figures = False
        elif word == "--to":
            folder = next(words, None)
        else:
            rest.append(word)
    if not rest or folder is None or any(r.startswith("-") for r in rest):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    profiles, cavities, rows, faults = [], [], [], 0
    for name in rest:
        try:
            report(name, profiles, cavities, rows)
        except Unreadable as error:
            print(f"walls_report: {name}: {error}", file=sys.stderr)
            faults += 1
    if figures:
        draw(profiles, cavities, folder, rows)
    return 2 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

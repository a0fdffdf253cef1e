#!/usr/bin/env python3
"""Compares a Taylor-Green run with the spectral reference at Re = 1600: a table, and the figure
DIR/taylor-green.png, also as PDF and SVG, the table taylor-green.tex, and the page taylor-green.html.

usage: taylor_green_report.py [--no-figure | --expected-rows] DIR

DIR holds series.nc. The table has a line for each quantity: its value in this run and in the reference, the
error, the error that is expected on this grid (docs/validation/taylor-green-expected.csv), and the verdict.
With --expected-rows the rows of that file are printed instead, as this run gives them.

Exit codes: 0 all is as expected, or there is nothing to judge; 1 an error is larger than expected; 2
series.nc is missing or can't be read."""
import csv
import math
import os
import sys

import system_python
system_python.require("taylor_green_report", __name__)
import numpy as np  # noqa: E402
from kolmo.namelists import parse, reals  # noqa: E402
from kolmo.plots import line_style as style  # noqa: E402
import sheet_page  # noqa: E402
from report_page import sheet, title_of, write_sheet, write_table  # noqa: E402
from report_parts import Unreadable, contents_of, plotter  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
REFERENCE = os.path.join(ROOT, "tests", "data", "taylor_green_re1600.csv")
EXPECTED = os.path.join(ROOT, "docs", "validation", "taylor-green-expected.csv")
CURVES = os.path.join(ROOT, "docs", "validation", "taylor-green-curves.csv")
SIDE_OVER_ETA = 535.0  # at the peak of dissipation
RESOLVED = 2.5         # Kolmogorov lengths in a cell, above which a grid is called coarse

RE_REFERENCE = 1600.0
ENERGY_TIMES = (4.0, 8.0, 12.0)  # of the reference, in L/U0
# a run must reach so much beyond the reference's peak to be judged on its own
AFTER_PEAK = 0.5
SCALED_MOST = 0.3  # share: errors beyond are not of second order, so none is expected from another grid
MARGIN_MEASURED = 1.1            # allowed: error expected on a tabulated grid, times this
MARGIN_SCALED = 1.5              # the same where the expected error is scaled from another grid
MARGIN_ROUND_OFF = 1e-4          # and this much more, relative: compilers, ranks, the interval of the series


# ---- reading -----------------------------------------------------------------------------------------------

def read_series(path):
    """columns (arrays sorted by time, one record a time), and the global attributes as text."""
    if not os.path.isfile(path):
        raise Unreadable("there is no such file; has the run been started, and with this output.directory?")
    return series_of(path)


def series_of(path):
    """The same of a file that is there."""
    wanted = ("time", "kinetic_energy", "dissipation")
    optional = ("dt", "cfl", "enstrophy", "budget_residual", "divergence_max", "pressure_iterations",
                "seconds_per_step")
    found = contents_of(path)
    missing = [name for name in wanted if name not in found["values"]]
    if missing:
        raise Unreadable("it has no variable " + ", ".join(missing))
    column = {name: found["values"][name].ravel() for name in wanted + optional if name in found["values"]}
    attribute = {name: value for name, value in found["words"].items()
                 if name in ("input", "version", "title", "backend", "precision")}
    if "input" not in attribute:
        raise Unreadable("it has no attribute `input`, so that the flow is unknown")
    count = min(c.size for c in column.values())
    if count < 2:
        raise Unreadable(f"it holds {count} records; a comparison needs at least two")
    column = {name: c[:count] for name, c in column.items()}
    _, order = np.unique(column["time"][::-1], return_index=True)  # of equal times the last written
    return {name: c[count - 1 - order] for name, c in column.items()}, attribute


def read_table(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#") and line.strip()))


def read_reference():
    rows = read_table(REFERENCE)
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def read_curve(cells):
    """What Kolmo gave on this grid; None where no curve is kept."""
    rows = [row for row in read_table(CURVES) if float(row["n"]) == cells]
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]} if rows else None


# ---- the run -----------------------------------------------------------------------------------------------

class Flow:
    """What the input text says of the flow, and why (if so) it is not the reference's."""

    def __init__(self, text):
        values = parse(text)
        self.type = (values.get("initial.type") or ["unknown"])[0]
        self.title = title_of(values)
        self.n = [int(v) for v in reals(values, "grid.n", 3)]
        self.why = []
        self.speed = reals(values, "initial.amplitude", 1, 1.0)[0]
        length = reals(values, "grid.length", 3, 2.0 * math.pi)
        waves = reals(values, "initial.wavenumber", 1, 1.0)[0]
        self.length = length[0] / (2.0 * math.pi * waves)
        if values.get("fluid.nu") and float(reals(values, "fluid.nu", 1)[0]) > 0.0:
            self.re = self.speed * self.length / reals(values, "fluid.nu", 1)[0]
        else:
            self.re = reals(values, "fluid.reynolds", 1)[0]
        self.t_end = reals(values, "run.t_end", 1, -1.0)[0] * self.speed / self.length
        if self.type != "taylor-green":
            self.why.append(f"the flow is '{self.type}', not 'taylor-green'")
        if abs(self.re / RE_REFERENCE - 1.0) > 1e-6:
            self.why.append(f"its Reynolds number is {self.re:g}, not {RE_REFERENCE:g}")
        if max(length) - min(length) > 1e-9 * max(length):
            self.why.append("the box is not a cube")
        if any(reals(values, "initial.velocity", 3, 0.0)):
            self.why.append("a uniform velocity is added")
        cube = len(set(self.n)) == 1 and all(s == "uniform" for s in values.get("grid.stretching", []))
        self.cells = self.n[0] / waves if cube else None  # a direction and vortex; None: no expected errors


def interpolate(t, x, y):
    """y at t: the cubic through the four nearest records."""
    first = int(np.clip(np.searchsorted(x, t) - 2, 0, max(x.size - 4, 0)))
    xs, ys = x[first:first + 4], y[first:first + 4]
    total = 0.0
    for a in range(xs.size):
        weight = 1.0
        for b in range(xs.size):
            if b != a:
                weight *= (t - xs[b]) / (xs[a] - xs[b])
        total += weight * ys[a]
    return float(total)


def peak(x, y):
    """Place and value of the largest y: the top of the parabola through three records; None at the last
    record."""
    m = int(np.argmax(y))
    if m >= y.size - 1:
        return None
    if m == 0:
        return float(x[0]), float(y[0])
    a, b, c = np.polyfit(x[m - 1:m + 2] - x[m], y[m - 1:m + 2], 2)
    if a >= 0.0:
        return float(x[m]), float(y[m])
    top = -b / (2.0 * a)
    return float(x[m] + top), float(c + b * top / 2.0)


def energy_times(reference, t_last):
    """Three times of the reference: 4, 8, 12, or the largest that the run has reached."""
    reached = [t for t in reference["t"] if 0.0 < t <= t_last * (1.0 + 1e-6) and t == round(t)]
    times = [t for t in ENERGY_TIMES if t in reached]
    if len(times) < len(ENERGY_TIMES) and reached and reached[-1] not in times:
        times.append(reached[-1])
    return times


def measure(series, reference):
    """[(key, words, run, reference)], and notes on what cannot be compared."""
    t, energy, dissipation, loss = (series[n]
                                    for n in ("time", "kinetic_energy", "dissipation", "energy_loss"))
    found, notes = [], []
    top = int(np.argmax(reference["dissipation"]))
    t_top, top_value = float(reference["t"][top]), float(reference["dissipation"][top])
    for column, key, words in ((dissipation, "dissipation", "dissipation"), (loss, "energy_loss", "-dE/dt")):
        at = peak(t, column) if t[-1] >= t_top + AFTER_PEAK else None
        if at is None:
            notes.append(f"no peak of {words} to compare: the run ends at t = {t[-1]:.4g}, the reference "
                         f"peaks at {t_top:g}")
            continue
        found.append((f"peak_{key}", f"largest {words}", at[1], top_value))
        found.append((f"peak_{key}_time", f"time of largest {words}", at[0], t_top))
    times = energy_times(reference, float(t[-1]))
    if t[-1] < ENERGY_TIMES[-1]:
        notes.append(f"the run ends at t = {t[-1]:.4g}, before {ENERGY_TIMES[-1]:g}: energy compared "
                     + ("at " + ", ".join(f"{x:g}" for x in times) if times else "nowhere"))
    for x in times:
        at = int(np.flatnonzero(reference["t"] == x)[0])
        found.append((f"energy_t{x:g}", f"energy at t = {x:g}", interpolate(x, t, energy),
                      float(reference["kinetic_energy"][at])))
    return found, notes


# ---- expected errors ---------------------------------------------------------------------------------------

def expected_error(table, cells, key):
    """(relative error expected, cells of the grid it comes from) or None. Second order from the nearest
    grid."""
    if cells is None:
        return None
    known = {float(row["n"]): float(row["value"]) for row in table if row["quantity"] == key}
    if not known:
        return None
    nearest = min(known, key=lambda n: abs(math.log(n / cells)))
    value = known[nearest] * (nearest / cells) ** 2
    return (value, nearest) if nearest == cells or abs(value) <= SCALED_MOST else None


def judge(error, expected, cells):
    """'' where nothing is known, else 'as expected' or 'larger than expected'."""
    if not math.isfinite(error):
        return "larger than expected"
    if expected is None:
        return ""
    margin = MARGIN_MEASURED if expected[1] == cells else MARGIN_SCALED
    return ("as expected" if abs(error) <= margin * abs(expected[0]) + MARGIN_ROUND_OFF
            else "larger than expected")


# ---- output ------------------------------------------------------------------------------------------------

HEAD = ("quantity", "this run", "reference", "error", "expected", "verdict")


def print_comparison(found, flow, table):
    """Prints the table, what is larger than expected first; returns its rows and how many those are."""
    rows, scaled = [], set()
    for key, words, value, reference in found:
        error = (value - reference) / reference
        expected = expected_error(table, flow.cells, key)
        verdict = judge(error, expected, flow.cells)
        shown = "-"
        if expected is not None:
            away = expected[1] != flow.cells
            shown = f"{'~' if away else ''}{100.0 * expected[0]:.2f} %"
            if away:
                scaled.add(expected[1])
        rows.append((words, f"{value:.6f}", f"{reference:.6f}", f"{100.0 * error:.2f} %", shown,
                     verdict or "-"))
    rows.sort(key=lambda row: row[-1] != "larger than expected")
    worse = sum(row[-1] == "larger than expected" for row in rows)
    if worse:
        print(f"{worse} of {len(found)} larger than expected")
    for row in (HEAD, *rows):
        print("{:28}{:>12}{:>12}{:>10}{:>11}  {}".format(*row))
    for n in sorted(scaled):
        print(f"~ not tabulated for this grid: second-order scaling from {n:g} cells")
    if flow.cells is None:
        print("expected errors are for uniform cubes of cells: none for this grid")
    elif not any(expected_error(table, flow.cells, f[0]) for f in found):
        print("no expected errors are tabulated: nothing is judged")
    return rows, worse


def print_plain(series):
    """What can be said without a reference."""
    print(f"{'quantity':24}{'this run':>12}   at t")
    for words, name in (("largest dissipation", "dissipation"), ("largest -dE/dt", "energy_loss")):
        m = int(np.argmax(series[name]))
        print(f"{words:24}{series[name][m]:12.6g}   {series['time'][m]:.4g}")
    for words, m in (("first energy", 0), ("last energy", -1)):
        print(f"{words:24}{series['kinetic_energy'][m]:12.6g}   {series['time'][m]:.4g}")


def print_health(series):
    parts = []
    if "divergence_max" in series:
        parts.append(f"largest max|div u| {np.max(series['divergence_max']):.1e}")
    if "budget_residual" in series:
        parts.append(f"energy budget residual at most {np.max(np.abs(series['budget_residual'])):.1e}")
    if "pressure_iterations" in series:
        parts.append(f"pressure iterations {np.mean(series['pressure_iterations']):.1f} on average")
    if parts:
        print("all records: " + ", ".join(parts))


def figure(path, series, reference, expected, flow):
    """expected: what this grid gives; None: not known. Returns the pictures of the panels."""
    plt = plotter()
    sheet_of, panels = sheet(plt, 1, 2, f"{flow.title or flow.type}, Re = {flow.re:g}, "
                             f"{' x '.join(str(n) for n in flow.n)} cells")
    t, axes = series["time"], panels[0]
    marks = {"ls": "none", "marker": "o", "ms": 3.5, "mfc": "none", "color": "black"}
    if expected is not None:
        shown = expected["t"] <= max(float(t[-1]), 1.0)
        for axis, name in zip(axes, ("kinetic_energy", "dissipation")):
            axis.plot(expected["t"][shown], expected[name][shown], color="0.75", lw=4,
                      label=f"expected on {flow.cells:g}$^3$ cells")
    axes[0].plot(t, series["kinetic_energy"], label="this run", **style(0))
    axes[1].plot(t, series["dissipation"], label="this run, dissipation", **style(0))
    axes[1].plot(t, series["energy_loss"], label="this run, -dE/dt", **style(1))
    if reference is not None:
        shown, resolved = reference["t"] <= max(float(t[-1]), 1.0), "resolved: spectral, 512$^3$"
        axes[0].plot(reference["t"][shown], reference["kinetic_energy"][shown], label=resolved, **marks)
        axes[1].plot(reference["t"][shown], reference["dissipation"][shown], label=resolved, **marks)
    axes[0].set(xlabel="time t  [L/U$_0$]", ylabel="kinetic energy E  [U$_0^2$]")
    axes[1].set(xlabel="time t  [L/U$_0$]", ylabel="dissipation, -dE/dt  [U$_0^3$/L]")
    for panel in axes:
        panel.set_xlim(0.0, float(t[-1]))
        panel.set_ylim(bottom=0.0)
    return write_sheet(plt, sheet_of, path)


def write_page(stem, title, rows, worse, notes, pictures):
    """The comparison as a table of LaTeX, and the page."""
    if rows:
        write_table(stem + ".tex", HEAD, rows)
    judged = sum(row[-1] != "-" for row in rows)
    words = (f"{worse} of {judged} LARGER THAN EXPECTED" if worse else f"all {judged} as expected" if judged
             else "nothing is judged")
    marks = {"larger than expected": "fail", "as expected": "pass"}
    names = [f"{os.path.basename(stem)}-{1 if row[0].startswith('energy') else 2}" for row in rows]
    sheet_page.write(stem + ".html", title, [("Comparison", words, worse > 0, HEAD, rows,
                                              [marks.get(row[-1], "") for row in rows], names)],
                     pictures, notes)


def load(directory):
    """series in units of U0 and L, with -dE/dt added; attributes; flow."""
    path = os.path.join(directory, "series.nc")
    try:
        series, attribute = read_series(path)
        flow = Flow(attribute["input"])
        for name in ("time", "kinetic_energy", "dissipation"):
            if not np.all(np.isfinite(series[name])):
                raise Unreadable(f"{name} holds values that are not finite numbers: the run has failed")
    except Unreadable as error:
        print(f"taylor_green_report: {path}: {error}", file=sys.stderr)
        sys.exit(2)
    series["time"] = series["time"] * (flow.speed / flow.length)
    series["kinetic_energy"] = series["kinetic_energy"] / flow.speed ** 2
    series["dissipation"] = series["dissipation"] * (flow.length / flow.speed ** 3)
    series["energy_loss"] = -np.gradient(series["kinetic_energy"], series["time"])
    return series, attribute, flow


def main(arguments):
    options = [a for a in arguments if a.startswith("--")]
    rest = [a for a in arguments if not a.startswith("--")]
    if len(rest) != 1 or set(options) - {"--no-figure", "--expected-rows"}:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    series, attribute, flow = load(rest[0])
    reference = read_reference()
    found, notes = measure(series, reference) if not flow.why else ([], [])
    if "--expected-rows" in options:
        if flow.why or flow.cells is None:
            print("taylor_green_report: not the reference's flow on a uniform cube", file=sys.stderr)
            return 2
        for key, _, value, true in found:
            print(f"{flow.cells:g},{key},{(value - true) / true:.4e}")
        return 0
    print(f"{flow.type}, Re = {flow.re:g}, {' x '.join(str(n) for n in flow.n)} cells, t = "
          f"{series['time'][0]:.4g} .. "
          f"{series['time'][-1]:.4g} L/U0, kolmo {attribute.get('version', '(version unknown)')}")
    if flow.t_end > 0.0 and series["time"][-1] < flow.t_end * (1.0 - 1e-6):
        notes.insert(0, f"the run has not reached its end, t = {flow.t_end:g}")
    coarse = SIDE_OVER_ETA / flow.cells if flow.cells and not flow.why else 0.0
    if coarse > RESOLVED:
        notes.append(f"this grid is coarse: a cell is {coarse:.1f} Kolmogorov lengths wide at the peak. The "
                     "run leaves the resolved curve there by as much as the column 'expected' says; that is "
                     "the error of the grid, not of the build")
    if flow.why:
        notes.append("the reference does not apply: " + "; ".join(flow.why))
    rows, worse = [], 0
    if found:
        rows, worse = print_comparison(found, flow, read_table(EXPECTED))
    else:
        print_plain(series)
    print_health(series)
    for note in notes:
        print("note: " + note)
    if "--no-figure" not in options:
        path = os.path.join(rest[0], "taylor-green.png")
        try:
            pictures = figure(path, series, None if flow.why else reference,
                              None if flow.why or flow.cells is None else read_curve(flow.cells), flow)
            write_page(os.path.splitext(path)[0], flow.title or flow.type, rows, worse, notes, pictures)
        except ImportError as error:
            print(f"no figure: {error} (install python3-matplotlib)")
        except OSError as error:
            print(f"no figure: {error}")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

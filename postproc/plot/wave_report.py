#!/usr/bin/env python3
"""Compares the growth of a Tollmien-Schlichting wave with linear theory: a table and a figure.

usage: wave_report.py [--no-figure] [--to FOLDER] DIR

DIR holds a folder NXxNZ for each grid, with the amplitudes that `tests/physics/orr_sommerfeld.py --keep`
leaves. Frequency and growth rate are the slopes of straight lines through the logarithm of the complex
amplitude, from t = 100 on. The values of the two finest grids are extrapolated to zero cell width, at second
order.

The figure is FOLDER/orr-sommerfeld.png, also as PDF and SVG. It has the amplitudes over time, and the errors
over the number of cells. Beside it are the table orr-sommerfeld.tex and the page orr-sommerfeld.html. FOLDER
is the current one unless it is given.

Exit codes: 0 done; 2 a file is missing or can't be read."""
import glob
import os
import re
import sys

import system_python
system_python.require("wave_report", __name__)
import numpy as np  # noqa: E402
from report_parts import Unreadable, options, plotter, read_rows  # noqa: E402
from kolmo.plots import COLOURS  # noqa: E402
import sheet_page  # noqa: E402
from report_page import sheet, write_table  # noqa: E402
from walls_report import save  # noqa: E402

OMEGA = 0.24989154 + 0.00223498j
FIRST = 100.0


def read(folder):
    """[(cells of a wave length, cells from wall to wall, times, complex logarithms, omega)], coarse first."""
    found = []
    for path in glob.glob(os.path.join(folder, "*", "amplitude.csv")):
        name = re.fullmatch(r"(\d+)x(\d+)", os.path.basename(os.path.dirname(path)))
        if name is None:
            continue
        rows = read_rows(path)[2]
        time = np.array([row.number("time") for row in rows])
        value = np.array([np.log(row.number("amplitude")) + 1j * row.number("phase") for row in rows])
        late = time >= FIRST - 1e-9
        if late.sum() < 3:
            raise Unreadable(f"{path}: fewer than three amplitudes from t = {FIRST:g} on")
        found.append((int(name[1]), int(name[2]), time, value,
                      complex(1j * np.polyfit(time[late], value[late], 1)[0])))
    if not found:
        raise Unreadable("no NXxNZ/amplitude.csv in it; tests/physics/orr_sommerfeld.py --keep writes them")
    return sorted(found, key=lambda run: run[0])


def row(cells, omega):
    errors = (100 * (omega.real / OMEGA.real - 1), 100 * (omega.imag / OMEGA.imag - 1))
    print(f"  {cells:>14s}  {omega.real:.8f}  {errors[0]:9.4f} %  {omega.imag:.8f}  {errors[1]:9.3f} %")
    return [cells, f"{omega.real:.8f}", f"{errors[0]:.4f} %", f"{omega.imag:.8f}", f"{errors[1]:.3f} %"]


def table(runs):
    print(f"  {'cells':>14s}  {'frequency':>10s}  {'error':>11s}  {'growth':>10s}  {'error':>11s}")
    rows = [row(f"{nx} x 2 x {nz}", omega) for nx, nz, _, _, omega in runs]
    for coarse, fine in zip(runs, runs[1:]):
        ratio = (fine[0] / coarse[0]) ** 2
        rows.append(row(f"from {coarse[0]}, {fine[0]}", fine[4] + (fine[4] - coarse[4]) / (ratio - 1)))
    return rows + [row("theory", OMEGA)]


def draw(runs, folder):
    plt = plotter()
    panels, ((left, right),) = sheet(plt, 1, 2)
    for place, (nx, nz, time, value, _) in enumerate(runs):
        left.plot(time, value.real - value.real[0], linewidth=1.2, label=f"{nx} x {nz} cells",
                  color=plt.get_cmap("Blues")(0.35 + 0.6 * place / max(1, len(runs) - 1)))
    time = runs[-1][2]
    left.plot(time, OMEGA.imag * time, color=COLOURS[1], linestyle="--", label="linear theory")
    left.set(xlabel="time [half height / centreline velocity]", ylabel="ln(amplitude / its start)")
    nx = np.array([run[0] for run in runs], dtype=float)
    for name, mark, error in (("growth rate", "o", [abs(r[4].imag / OMEGA.imag - 1) for r in runs]),
                              ("frequency", "s", [abs(r[4].real / OMEGA.real - 1) for r in runs])):
        right.loglog(nx, error, color=COLOURS[0], marker=mark, label=name)
        right.loglog(nx, error[0] * (nx[0] / nx) ** 2, color="black", linewidth=0.6, linestyle=":",
                     label="second order" if mark == "o" else None)
    right.set(xlabel="cells of a wave length", ylabel="error, over the theory")
    right.set_xticks(nx, [f"{n:.0f}" for n in nx])
    right.minorticks_off()
    return save(plt, panels, folder, "orr-sommerfeld.png")


def write(folder, rows, pictures):
    """The table for LaTeX, and the page, with a row for each number."""
    head = ("cells", "frequency", "its error", "growth", "its error")
    write_table(os.path.join(folder, "orr-sommerfeld.tex"), head, rows)
    numbers = [(name, *(r[n] for r in rows)) for n, name in
               ((1, "frequency"), (2, "error of the frequency"), (3, "growth"), (4, "error of the growth"))]
    sheet_page.write(os.path.join(folder, "orr-sommerfeld.html"), "Growth of a Tollmien-Schlichting wave",
                     [("Frequency and growth", "nothing is judged", False,
                       ("number", *(r[0] for r in rows)), numbers, None, ["orr-sommerfeld-2"] * 4)],
                     pictures)


def main(arguments):
    try:
        given = options(arguments, __doc__, {"no-figure": False, "to": "."})
        runs = read(given["dir"])
    except Unreadable as error:
        print(f"wave_report: {error}", file=sys.stderr)
        return 2
    rows = table(runs)
    if not given["no-figure"]:
        write(given["to"], rows, draw(runs, given["to"]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

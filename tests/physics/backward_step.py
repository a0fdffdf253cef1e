#!/usr/bin/env python3
"""The flow behind a backward-facing step at Re 800 against Gartling, Int. J. Numer. Methods Fluids 11 (1990)
953: where it comes back to the lower wall, leaves the upper one and comes back to that.

Runs inputs/cases/backward-step-re800.nml from rest until it is steady, on coarse grids with numbers of their
own, and with --long on 64 and 96 cells from wall to wall, extrapolated to no width.
postproc/plot/step_report.py finds the places. Would catch: an outflow that pulls the flow or holds it back,
friction that is off where the flow turns round, convection that is of first order beside a wall."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CASE = os.path.join(ROOT, "inputs", "cases", "backward-step-re800.nml")
REPORT = os.path.join(ROOT, "postproc", "plot", "step_report.py")
NAMES = ("lower wall: reattachment", "upper wall: separation", "upper wall: reattachment")
GARTLING = (6.10, 4.85, 10.48)
# cells along the channel and from wall to wall, and the places that were found with them
COARSE = ((100, 16, (5.150, 3.921, 8.891)), (150, 24, (5.706, 4.467, 9.931)))
FINE = ((400, 64, (6.038, 4.795, 10.416)), (600, 96, (6.069, 4.825, 10.452)))


def run(kolmo, nx, nz):
    """The folder of such a run."""
    folder = kolmo.place(f"{nx}x{nz}")
    kolmo.call(CASE, "--set", f"grid.n={nx},2,{nz}", "--set", f"output.directory={folder}", seconds=7200)
    return folder


def reported(folders):
    """The three places of each folder, and those that the report extrapolates."""
    told = subprocess.run([sys.executable, REPORT, "--no-figure", *folders], capture_output=True, text=True,
                          check=True).stdout
    return [[float(word) for word in line.split()[-3:]] for line in told.splitlines()[1:]][:len(folders) + 1]


def judge(kolmo, check, grids, slack, error):
    """Each grid within `slack` of what was found with it, the extrapolation within `error` of Gartling's."""
    found = reported([run(kolmo, nx, nz) for nx, nz, _ in grids])
    for (nx, nz, wanted), places in zip(grids, found):
        for name, place, number in zip(NAMES, places, wanted):
            check.near(f"{nx} x {nz} cells: {name}", place, number, slack)
    for name, place, number in zip(NAMES, found[-1], GARTLING):
        check.near(f"extrapolated: {name}", place, number, error * number)


def step(kolmo, check):
    """16 and 24 cells from wall to wall: numbers of their own, extrapolated within 3 %. With --long also 64
    and 96, within 0.2 %."""
    judge(kolmo, check, COARSE, 0.006, 0.03)
    if kolmo.options.long:
        judge(kolmo, check, FINE, 0.004, 0.002)


if __name__ == "__main__":
    kc.main(__doc__, [step])

#!/usr/bin/env python3
"""The drag on a sphere in a stream at Re 100, 1.087 (Johnson and Patel, J. Fluid Mech. 378 (1999) 19).

Runs inputs/cases/sphere-re100.nml on grids that are uniform round the sphere and grow away from it by 10 % a
cell: with 5 cells across the sphere for a short time, and with --long with 8, 12 and 16, also in a wider
domain. Each grid has a number of its own. With --long, the values with 12 and 16 cells, extrapolated at
second order, with the influence of the sides taken off, are to be within 1 % of the reference.

Would catch: a force that lacks a part of the pressure or of friction, a wall at a wrong place, an inflow or
outflow that pushes the sphere."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402

CASE = os.path.join(HERE, "..", "..", "inputs", "cases", "sphere-re100.nml")
REFERENCE, GROWTH, FINE = 1.087, 1.1, ((-1.0, 3.0), (-1.0, 1.0))
# ends of the domain along the stream and across it, in diameters from the sphere
DOMAIN = {"narrow": ((-5.0, 13.0), (-5.0, 5.0)), "wide": ((-10.0, 15.0), (-10.0, 10.0))}
# domain, cells across the sphere, end of the run, and the drag that was found with them
QUICK = (("narrow", 5, 8.0, 1.2614),)
LONG = (("narrow", 8, 30.0, 1.1589), ("narrow", 12, 30.0, 1.1289), ("narrow", 16, 30.0, 1.1159),
        ("wide", 8, 30.0, 1.1473), ("wide", 12, 30.0, 1.1178))


def widths(first, length):
    """Cells from a width on that grow by GROWTH or a little less, and fill the length."""
    count = 1
    while sum(first * GROWTH ** (n + 1) for n in range(count)) < length:
        count += 1
    low, high = 1.0, GROWTH
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = ((middle, high) if sum(first * middle ** (n + 1) for n in range(count)) < length
                     else (low, middle))
    found = np.array([first * low ** (n + 1) for n in range(count)])
    return found * length / found.sum()


def faces(across, fine, ends):
    """Faces of a direction."""
    h = 1.0 / across
    inside = np.full(round((fine[1] - fine[0]) * across), h)
    width = np.concatenate([widths(h, fine[0] - ends[0])[::-1], inside, widths(h, ends[1] - fine[1])])
    face = ends[0] + np.concatenate([[0.0], np.cumsum(width)])
    face[-1] = ends[1]
    return face


def drag(kolmo, domain, across, end):
    """The drag coefficient at the end of a run."""
    folder = kolmo.place(f"{domain}-{across}")
    os.makedirs(folder, exist_ok=True)
    x, y = (faces(across, fine, ends) for fine, ends in zip(FINE, DOMAIN[domain]))
    names = [os.path.join(folder, f"{d}.txt") for d in "xy"]
    for name, face in zip(names, (x, y)):
        np.savetxt(name, face, "%.17g")
    ends = DOMAIN[domain]
    sizes = [len(x) - 1, len(y) - 1, len(y) - 1]
    kolmo.call(CASE, *(word for setting in (
        f"grid.n={sizes[0]},{sizes[1]},{sizes[2]}", f"grid.origin={ends[0][0]},{ends[1][0]},{ends[1][0]}",
        f"grid.length={ends[0][1] - ends[0][0]},{ends[1][1] - ends[1][0]},{ends[1][1] - ends[1][0]}",
        "grid.stretching=file,file,file", f"grid.stretching_file={names[0]},{names[1]},{names[1]}",
        "bodies.centre(:,1)=0,0.02,0.01", f"run.t_end={end}", f"output.directory={folder}/run")
        for word in ("--set", setting)), seconds=7200)
    return float(kc.read_fields(os.path.join(folder, "run", "bodies.nc"))["coefficient_x"][-1, 0])


def sphere(kolmo, check):
    """The drag on each grid, and extrapolated."""
    found = {}
    for domain, across, end, wanted in QUICK + (LONG if kolmo.options.long else ()):
        found[domain, across] = drag(kolmo, domain, across, end)
        check.near(f"{domain} domain, {across} cells across: drag", found[domain, across], wanted, 0.001)
    if not kolmo.options.long:
        return
    a, b = found["narrow", 12], found["narrow", 16]
    limit = b + (b - a) / ((16 / 12) ** 2 - 1)
    sides = found["wide", 12] / found["narrow", 12]
    check.near("extrapolated, without the sides of the domain: drag over that of the reference",
               limit * sides / REFERENCE, 1.0, 0.01)


if __name__ == "__main__":
    kc.main(__doc__, [sphere])

#!/usr/bin/env python3
"""Taylor-Green vortex at Re 1600 on 32^3 and 64^3 cells, against the spectral reference on 512^3.

Source: tests/data/taylor_green_re1600.csv (van Rees et al., J. Comput. Phys. 230 (2011) 2794). Until t = 3
the grids more or less resolve the flow: energy and enstrophy must agree closely and their errors fall with
the grid, at t = 1 at second order. Up to t = 10 they do not; the error of the energy must be at the level
these grids have, less than half of it on the finer one, and the peak of the dissipation near its time. Would
catch: a wrong viscosity or Reynolds number, numerical dissipation, a wrong norm of energy or enstrophy, a
scheme that needs more cells than second order does."""
import math
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
import kolmo_case as kc  # noqa: E402

DATA = os.path.join(HERE, "..", "data", "taylor_green_re1600.csv")
T_END, EARLY = 10.0, 3.0
SIZES = (32, 64)


def reference():
    """Columns of the reference up to T_END."""
    with open(DATA, encoding="utf-8") as source:
        lines = [line.strip() for line in source if not line.startswith("#")]
    names = lines[0].split(",")
    table = np.array([[float(v) for v in line.split(",")] for line in lines[1:]])
    table = table[table[:, 0] <= T_END]
    return {name: table[:, n] for n, name in enumerate(names)}


def re1600(kolmo, check):
    """Both grids to t = 10."""
    ref = reference()
    early, late, vortex, first = {}, {}, {}, {}
    for n in SIZES:
        case = {"run": {"t_end": T_END}, "grid": {"n": (n, n, n)}, "fluid": {"reynolds": 1600.0},
                "checkpoint": {"at_end": False}}
        s = kolmo.run(case, ranks=2, seconds=550).series()
        energy = np.interp(ref["t"], s["time"], s["kinetic_energy"])
        enstrophy = np.interp(ref["t"], s["time"], s["enstrophy"])
        wrong = np.abs(energy - ref["kinetic_energy"]) / ref["kinetic_energy"][0]
        before = ref["t"] <= EARLY
        early[n], late[n] = float(np.max(wrong[before])), float(np.max(wrong))
        vortex[n] = float(np.max(np.abs(enstrophy / ref["enstrophy"] - 1.0)[before]))
        first[n] = abs(float((enstrophy / ref["enstrophy"])[ref["t"] == 1.0][0]) - 1.0)
        peak = s["time"][int(np.argmax(s["dissipation"]))]
        print(f"     {n}^3: {int(s['step'][-1])} steps; error of the energy to t = {EARLY}: {early[n]:.2e}, "
              f"to t = {T_END}: {late[n]:.2e};"
              f" of the enstrophy to t = {EARLY}: {vortex[n]:.2e}; dissipation peaks at t = {peak:.2f}, "
              f"{np.max(s['dissipation']):.5f}")
        check.near(f"{n}^3: energy at the start", s["kinetic_energy"][0], 0.125, 1e-12)
        check.below(f"{n}^3: largest divergence_max", np.max(s["divergence_max"]), 1e-6)
        check.below(f"{n}^3: largest budget_residual over the largest dissipation",
                    np.max(np.abs(s["budget_residual"])) / np.max(s["dissipation"]), BUDGET[n])
        check.below(f"{n}^3: momentum", max(np.max(np.abs(s[f"momentum_{d}"])) for d in "xyz"), 1e-12)
        check.holds(f"{n}^3: energy falls at every step", np.all(np.diff(s["kinetic_energy"]) < 0))
        check.below(f"{n}^3: error of the energy to t = {EARLY}, over the initial energy", early[n],
                    EARLY_ENERGY[n])
        check.below(f"{n}^3: relative error of the enstrophy to t = {EARLY}", vortex[n], EARLY_ENSTROPHY[n])
        check.below(f"{n}^3: error of the energy to t = {T_END}, over the initial energy", late[n],
                    LATE_ENERGY[n])
        check.near(f"{n}^3: time of the largest dissipation", peak, 8.97, PEAK_TIME[n])
    a, b = SIZES
    check.near("order of the enstrophy at t = 1", math.log2(first[a] / first[b]), 2.0, 0.1)
    check.above(f"error of the enstrophy to t = {EARLY}, coarse over fine", vortex[a] / vortex[b], 2.5)
    check.above(f"error of the energy to t = {EARLY}, coarse over fine", early[a] / early[b], 2.5)
    check.above("error of the energy to t = 10, coarse over fine", late[a] / late[b], 2.0)


# measured, see the lines above, and about a third more
BUDGET = {32: 0.011, 64: 0.013}
EARLY_ENERGY = {32: 8e-4, 64: 2.8e-4}
EARLY_ENSTROPHY = {32: 0.15, 64: 0.053}
LATE_ENERGY = {32: 0.125, 64: 0.044}
PEAK_TIME = {32: 1.2, 64: 0.8}

if __name__ == "__main__":
    kc.main(__doc__, [re1600])

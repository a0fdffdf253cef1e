#!/usr/bin/env python3
"""What the discrete equations keep: energy without viscosity, momentum, and the energy budget with viscosity.

Random solenoidal flow with a mean velocity on a stretched grid: no symmetry that could hide a fault. Would
catch: convection that is not skew-symmetric (a drift of energy that does not go away with dt), fluxes that do
not telescope or a pressure gradient that is not the transpose of the divergence (momentum), a dissipation
that is not the one the diffusion operator takes out of the energy (budget), a vorticity at the wrong
edges."""
import math
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

STRETCHED = {"n": (20, 16, 12), "length": (kc.TWO_PI, 5.0, 5.5), "stretching": ("sine", "tanh", "sine"),
             "stretching_factor": (0.4, 0.8, 0.5)}
FLOW = {"type": "isotropic", "k_peak": 2.0, "velocity": (0.5, -0.3, 0.2)}
T_END, T_SHORT = 0.4, 0.05
MOMENTUM = ("momentum_x", "momentum_y", "momentum_z")
SCHEMES = ("rk3-half", "rk3-wray")


def run(kolmo, scheme, diffusion, nu, dt, grid=None, t_end=T_END):
    """A run to T_END."""
    time = {"scheme": scheme, "diffusion": diffusion, "dt": dt}
    if diffusion == "implicit":
        time["diffusion_tolerance"] = 1e-13
    return kolmo.run({"run": {"t_end": t_end}, "grid": grid or STRETCHED, "fluid": {"nu": nu}, "time": time,
                      "pressure": {"tolerance": 1e-12}, "initial": FLOW})


def energy_without_viscosity(kolmo, check):
    """The energy changes by the time steps alone, at order 3. With rk3-half too: with N skew its change over
    a step is dt^2/2 <N(u2), N(u2) - N(u1)>, and u2 - u1 is of order dt^2."""
    for scheme in SCHEMES:
        change, rate = [], []
        for steps in (16, 32, 64):
            energy = run(kolmo, scheme, "explicit", 0.0, T_END / steps).series()["kinetic_energy"]
            change.append(energy[-1] / energy[0] - 1.0)
            rate.append(abs(energy[1] / energy[0] - 1.0) / (T_END / steps))
        text = ", ".join(f"{x:.2e}" for x in change)
        check.above(f"{scheme}: order of the energy's change to t = {T_END} ({text})",
                    math.log2(change[-2] / change[-1])
                    if change[-2] * change[-1] > 0 else math.nan, 3 - 0.1)
        check.above(f"{scheme}: order of its rate in the first step ({', '.join(f'{x:.2e}' for x in rate)})",
                    math.log2(rate[-2] / rate[-1]), 3 - 0.1)
        limit = change[-1] + (change[-1] - change[-2]) / 7.0
        check.below(f"{scheme}: the change left at dt = 0, extrapolated, over the change at the smallest dt",
                    abs(limit / change[-1]), 0.2)
    energy = run(kolmo, "rk3-wray", "explicit", 0.0, 1e-3, t_end=0.02).series()["kinetic_energy"]
    check.below("rk3-wray, dt = 0.001, 20 steps: relative change of energy",
                abs(energy[-1] / energy[0] - 1.0), 1e-10)


def momentum(kolmo, check):
    """Mean velocity as at the start, to rounding, in every mode."""
    for scheme in SCHEMES:
        for diffusion, nu in (("explicit", 0.0), ("explicit", 0.02), ("implicit", 0.2)):
            s = run(kolmo, scheme, diffusion, nu, 0.02).series()
            worst = max(np.max(np.abs(s[name] - s[name][0])) for name in MOMENTUM)
            check.below(f"{scheme}, {diffusion}, nu = {nu}: largest change of momentum", worst, 1e-13)
    result = run(kolmo, "rk3-half", "explicit", 0.02, 0.02, t_end=0.04)
    c, s = result.checkpoint(), result.series()
    for name, component, mean in zip(MOMENTUM, "uvw", FLOW["velocity"]):
        check.near(f"{name} of the last step, against the checkpoint", s[name][-1],
                   c.mean(component, c.fields[component]),
                   1e-14)
        check.near(f"{name}, about the mean velocity asked for (waves have a mean on stretched points)",
                   s[name][-1], mean,
                   0.01)


def budget(kolmo, check):
    """Change of energy plus dissipation is zero but for the time steps, and that at their order, explicit or
    implicit."""
    for scheme, diffusion, least in (("rk3-half", "explicit", 2.0), ("rk3-wray", "explicit", 3.0),
                                     ("rk3-half", "implicit", 2.0), ("rk3-wray", "implicit", 2.0)):
        residual = []
        for steps in (16, 32, 64):
            s = run(kolmo, scheme, diffusion, 0.05, T_SHORT / steps, t_end=T_SHORT).series()
            # the first step has a trapezoid only, of order 2
            residual.append(float(np.sqrt(np.mean(np.square(s["budget_residual"][2:]
                                                            / s["dissipation"][2:])))))
        label = (f"{scheme}, {diffusion}: budget_residual over dissipation "
                 f"({', '.join(f'{r:.2e}' for r in residual)})")
        check.above(label + ", order", math.log2(residual[-2] / residual[-1]), least - 0.1)
        check.below(label + ", at the smallest dt", residual[-1], 1e-5)
        e, step = s["dissipation"], np.diff(s["time"])
        by_hand = (np.diff(s["kinetic_energy"]) / step + 0.5 * (e[1:] + e[:-1]))  # of order 2
        check.below(f"{scheme}, {diffusion}: budget_residual against energies and a trapezoid of the "
                    "dissipation",
                    np.max(np.abs(s["budget_residual"][1:] - by_hand)) / e[0], 1e-6)


def dissipation_and_enstrophy(kolmo, check):
    """On a uniform grid dissipation = 2 nu enstrophy, whatever the lengths and numbers of cells."""
    grid = {"n": (20, 16, 12), "length": (kc.TWO_PI, 5.0, 4.0)}
    for nu in (0.02, 0.3):
        s = run(kolmo, "rk3-half", "implicit", nu, 0.02, grid).series()
        check.below(f"nu = {nu}: largest relative difference",
                    np.max(np.abs(s["dissipation"] / (2 * nu * s["enstrophy"]) - 1.0)), 1e-11)
    s = run(kolmo, "rk3-half", "explicit", 0.0, 0.02, grid).series()
    check.below("nu = 0: dissipation", np.max(np.abs(s["dissipation"])), 0.0)
    check.above("nu = 0: enstrophy at the start", s["enstrophy"][0], 0.1)


if __name__ == "__main__":
    kc.main(__doc__, [energy_without_viscosity, momentum, budget, dissipation_and_enstrophy])

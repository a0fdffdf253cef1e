#!/usr/bin/env python3
"""Order of accuracy in space: 2.00 +- 0.05, for each of u, v, w and p, against exact solutions of the
equations.

Would catch: a metric of first order on stretched grids, values taken at the wrong point (face for centre, one
cell off), a wrong coefficient of viscosity or convection that the comparison with the reference shares, an
axis taken for another.

Flows that move with a mean velocity and decay: Taylor-Green vortices in a plane, in a box of three different
lengths; the ABC flow and Antuono's Beltrami flow in a cube with three different numbers of cells. Time steps
are so small that halving them would not show. The pressure of a checkpoint is that of the last stage:
rk3-wray's belongs to 5/6 of the last step."""
import math
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
from kolmo_case import X, Y, Z  # noqa: E402

ORDER, BY = 2.0, 0.05
NU, DT, STEPS = 0.05, 0.005, 30
PRESSURE_TIME = 5.0 / 6.0  # of the step
UNIFORM = {"stretching": ("uniform",) * 3}
SINE = {"stretching": ("sine",) * 3, "stretching_factor": (0.3, 0.2, 0.4)}
BOX = (kc.TWO_PI, 4.5, 3.0)
DRIFT = (0.7, -0.4, 0.3)


def plane(x, t, length):
    """Taylor-Green vortices of stream function a/ky sin sin; vorticity = K stream function, so Euler's
    equations hold."""
    k = [kc.TWO_PI / length[d] for d in range(3)]
    square = k[X] ** 2 + k[Y] ** 2
    a = math.exp(-NU * square * t)
    sx, cx, sy, cy = np.sin(k[X] * x[X]), np.cos(k[X] * x[X]), np.sin(k[Y] * x[Y]), np.cos(k[Y] * x[Y])
    u, v = a * sx * cy, -a * k[X] / k[Y] * cx * sy
    return u, v, 0.0 * x[Z], -0.5 * (u * u + v * v + square * (a / k[Y] * sx * sy) ** 2)


def abc(x, t, length):
    """Arnold, Beltrami, Childress: curl u = k u."""
    k = kc.TWO_PI / length[X]
    a = math.exp(-NU * k * k * t)
    x = [k * q for q in x]
    u = a * (ABC[0] * np.sin(x[Z]) + ABC[2] * np.cos(x[Y]))
    v = a * (ABC[1] * np.sin(x[X]) + ABC[0] * np.cos(x[Z]))
    w = a * (ABC[2] * np.sin(x[Y]) + ABC[1] * np.cos(x[X]))
    return u, v, w, -0.5 * (u * u + v * v + w * w)


def beltrami(x, t, length):
    """Antuono, J. Fluid Mech. 890 (2020) A23: curl u = sqrt(3) k u."""
    k = kc.TWO_PI / length[X]
    a = 4 * math.sqrt(2) / (3 * math.sqrt(3)) * math.exp(-3 * NU * k * k * t)
    x = [k * q for q in x]

    def component(p, q, r):
        return a * (np.sin(p - 5 * math.pi / 6) * np.cos(q - math.pi / 6) * np.sin(r)
                    - np.cos(r - 5 * math.pi / 6) * np.sin(p - math.pi / 6) * np.sin(q))
    u, v, w = component(x[X], x[Y], x[Z]), component(x[Y], x[Z], x[X]), component(x[Z], x[X], x[Y])
    return u, v, w, -0.5 * (u * u + v * v + w * w)


ABC = (1.0, 0.7, 0.4)
FLOWS = {"taylor-green-2d": plane, "abc": abc, "beltrami": beltrami}


def errors(kolmo, flow, grid, n):
    """Root mean square errors of u, v, w, p (up to its mean) at the end of a run."""
    length = grid["length"]
    initial = {"type": flow, "velocity": DRIFT}
    if flow == "abc":
        initial["abc"] = ABC
    result = kolmo.run({"run": {"steps_max": STEPS}, "grid": {**grid, "n": n}, "fluid": {"nu": NU},
                        "time": {"scheme": "rk3-wray", "dt": DT}, "pressure": {"tolerance": 1e-9},
                        "initial": initial})
    c = result.checkpoint(STEPS)
    out = {}
    for number, name in enumerate("uvwp"):
        t = DT * (STEPS if name != "p" else STEPS - 1 + PRESSURE_TIME)
        x = [q - DRIFT[d] * t for d, q in enumerate(c.position(name))]
        wrong = c.fields[name] - (FLOWS[flow](x, t, length)[number] + (DRIFT[number] if name != "p" else 0.0))
        if name == "p":
            wrong = wrong - c.mean("p", wrong)
        out[name] = c.rms(name, wrong)
    return out


def judge(kolmo, check, flow, grid, sizes, names):
    """Errors on each grid, and the slope between the finest two."""
    found = [errors(kolmo, flow, grid, n) for n in sizes]
    for name in names:
        text = ", ".join(f"{e[name]:.3e}" for e in found)
        slope = math.log(found[-2][name] / found[-1][name]) / math.log(sizes[-1][0] / sizes[-2][0])
        check.near(f"{flow}, {grid['stretching'][0]}, order of {name} (errors {text})", slope, ORDER, BY)
    return found


def plane_uniform(kolmo, check):
    """Taylor-Green vortices in a box of three lengths."""
    found = judge(kolmo, check, "taylor-green-2d", {**UNIFORM, "length": BOX},
                  [(24, 20, 4), (48, 40, 4), (96, 80, 4)], "uvp")
    check.below("uniform w stays uniform, error", found[-1]["w"], 1e-9)  # the pressure tolerance


def plane_stretched(kolmo, check):
    """The same on cells of all sizes."""
    found = judge(kolmo, check, "taylor-green-2d", {**SINE, "length": BOX},
                  [(24, 20, 4), (48, 40, 4), (96, 80, 4)], "uvp")
    check.below("uniform w stays uniform, error", found[-1]["w"], 1e-9)  # the pressure tolerance


def abc_uniform(kolmo, check):
    """ABC flow, all components, cells of three lengths."""
    judge(kolmo, check, "abc", {**UNIFORM, "length": kc.CUBE}, [(12, 16, 10), (24, 32, 20), (48, 64, 40)],
          "uvwp")


def abc_stretched(kolmo, check):
    """ABC flow on cells of all sizes."""
    judge(kolmo, check, "abc", {**SINE, "length": kc.CUBE}, [(12, 16, 10), (24, 32, 20), (48, 64, 40)],
          "uvwp")


def beltrami_uniform(kolmo, check):
    """Antuono's flow."""
    judge(kolmo, check, "beltrami", {**UNIFORM, "length": kc.CUBE},
          [(12, 16, 10), (24, 32, 20), (48, 64, 40)], "uvwp")


def beltrami_stretched(kolmo, check):
    """Antuono's flow on cells of all sizes."""
    judge(kolmo, check, "beltrami", {**SINE, "length": kc.CUBE}, [(12, 16, 10), (24, 32, 20), (48, 64, 40)],
          "uvwp")


if __name__ == "__main__":
    kc.main(__doc__,
            [plane_uniform, plane_stretched, abc_uniform, abc_stretched, beltrami_uniform,
             beltrami_stretched])

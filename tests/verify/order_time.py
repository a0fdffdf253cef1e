#!/usr/bin/env python3
"""Order of accuracy in time, at a fixed grid: the differences between runs with dt, dt/2 and dt/4 fall by
2^order.

Explicit diffusion: rk3-half 2.00 +- 0.05, rk3-wray 3.00 +- 0.05; implicit (trapezoidal): both 2 or more.
Would catch: a wrong stage coefficient or stage length, an old right-hand side of the wrong stage, a pressure
that costs an order, a step that is cut short. That all four tend to the same flow catches a scheme of clean
order for other equations.

Smooth nonlinear flow: the three-dimensional Taylor-Green vortex carried along by a mean velocity, pressure to
1e-12."""
import math
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

BY = 0.05
T_END = 1.0
GRIDS = {"uniform": {"n": (16, 12, 10), "length": (kc.TWO_PI, 5.0, 5.5)},
         "stretched": {"n": (16, 12, 10), "length": (kc.TWO_PI, 5.0, 5.5),
                       "stretching": ("sine", "tanh", "sine"),
                       "stretching_factor": (0.3, 0.7, 0.3)}}


def final_velocity(kolmo, grid, scheme, diffusion, dt):
    """Velocity of all faces at T_END in one array."""
    time = {"scheme": scheme, "diffusion": diffusion, "dt": dt}
    if diffusion == "implicit":
        time["diffusion_tolerance"] = 1e-13
    result = kolmo.run({"run": {"t_end": T_END}, "grid": grid, "fluid": {"nu": 0.05}, "time": time,
                        "pressure": {"tolerance": 1e-12},
                        "initial": {"type": "taylor-green", "velocity": (0.4, -0.3, 0.2)}})
    c = result.checkpoint()
    steps = round(T_END / dt)
    if c.state["step"] != steps or abs(c.state["time"] - T_END) > 1e-12:
        raise kc.RunError(f"ended at step {c.state['step']:.0f}, t = {c.state['time']:.15g}, expected "
                          f"{steps}, {T_END}")
    return np.concatenate([q.ravel() for q in c.velocity])


def rms(q):
    """Root mean square."""
    return math.sqrt(float(np.mean(np.square(q))))


def order(kolmo, name, scheme, diffusion, steps):
    """Order from the three finest runs; velocity of the finest, extrapolated, and what the extrapolation
    changed."""
    v = [final_velocity(kolmo, GRIDS[name], scheme, diffusion, T_END / n) for n in steps]
    d = [rms(a - b) for a, b in zip(v, v[1:])]
    slope = math.log2(d[-2] / d[-1])
    print(f"     {name}, {scheme}, {diffusion}: differences " + ", ".join(f"{x:.3e}" for x in d))
    return slope, v[-1] + (v[-1] - v[-2]) / (2.0 ** round(slope) - 1.0), d[-1]


def judge(kolmo, check, name):
    """Both schemes, both treatments of diffusion on one grid."""
    found = {}
    for scheme, diffusion, steps, wanted in (("rk3-half", "explicit", (20, 40, 80), 2),
                                             ("rk3-wray", "explicit", (10, 20, 40), 3),
                                             ("rk3-half", "implicit", (20, 40, 80), None),
                                             ("rk3-wray", "implicit", (20, 40, 80), None)):
        slope, v, change = order(kolmo, name, scheme, diffusion, steps)
        label = f"{name}, {scheme}, {diffusion}, order"
        if wanted is not None:
            check.near(label, slope, wanted, BY)
        else:
            check.above(label, slope, 2 - BY)
        found[scheme, diffusion] = v, change
    best = found["rk3-wray", "explicit"][0]
    for key, (v, change) in found.items():
        if key != ("rk3-wray", "explicit"):
            check.below(f"{name}, {', '.join(key)}: the limit dt = 0 is that of rk3-wray, explicit",
                        rms(v - best), 0.1 * change)


def uniform(kolmo, check):
    """Uniform grid, box of three lengths."""
    judge(kolmo, check, "uniform")


def stretched(kolmo, check):
    """Stretched in all directions."""
    judge(kolmo, check, "stretched")


if __name__ == "__main__":
    kc.main(__doc__, [uniform, stretched])

#!/usr/bin/env python3
"""Forces that follow the flow have the order of the scheme in time.

A given power: in a box without walls and viscosity the square of the velocity grows by twice the power times
the time; between walls the differences between runs with dt, dt/2 and dt/4 fall at the order of the scheme,
for each treatment of diffusion, and the power delivered is the one asked for. A bulk velocity that the start
contradicts costs no order. Would catch: a force from the velocity at the start of the step, or of the wrong
stage; a jump that is spread over the first stage; a stage's mean velocity that leaves out the force."""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402

BY = 0.1
T_END = 0.5
# what the channel is run with: scheme, diffusion, steps of the coarsest run, order
DISTURBED = {"type": "channel", "disturbance": 0.1}
WAYS = (("rk3-half", "explicit", 20, 2), ("rk3-wray", "explicit", 20, 3), ("rk3-half", "implicit-z", 20, 2),
        ("rk3-wray", "implicit-z", 20, 2), ("rk3-half", "implicit", 20, 2), ("rk3-wray", "implicit", 20, 2))


def channel(scheme, diffusion, steps, force, initial):
    """A stream between walls, driven by a force."""
    time = {"scheme": scheme, "diffusion": diffusion, "dt": T_END / steps}
    if diffusion == "implicit":
        time["diffusion_tolerance"] = 1e-13
    return {"run": {"t_end": T_END},
            "grid": {"n": (12, 8, 8), "length": (4.0, 2.0, 2.0),
                     "stretching": ("uniform", "uniform", "tanh"), "stretching_factor": (0.0, 0.0, 0.6)},
            "fluid": {"nu": 0.05}, "time": time,
            "boundary": {"z_low": "wall", "z_high": "wall"},
            "initial": initial,
            "forcing": dict({"direction": "x"}, **force),
            "pressure": {"tolerance": 1e-12}}


def velocity(result):
    """Velocity of all faces in one array."""
    return np.concatenate([q.ravel() for q in result.checkpoint().velocity])


def rms(q):
    """Root mean square."""
    return math.sqrt(float(np.mean(np.square(q))))


def judge(kolmo, check, force, args, by_force):
    """The order of the velocity in each way, and that all ways tend to one flow."""
    found = []
    initial = dict(DISTURBED, **({"amplitude": 1.0} if force["type"] == "power" else {}))
    for scheme, diffusion, steps, wanted in WAYS:
        runs = [kolmo.run(channel(scheme, diffusion, n * steps, force, initial), *args) for n in (1, 2, 4)]
        v = [velocity(r) for r in runs]
        d = [rms(a - b) for a, b in zip(v, v[1:])]
        slope = math.log2(d[0] / d[1])
        check.above(f"{force['type']}, {scheme}, {diffusion}: order ({d[0]:.2e}, {d[1]:.2e})", slope,
                    wanted - BY)
        found.append((v[2] + (v[2] - v[1]) / (2.0 ** wanted - 1.0), d[1]))
        by_force(f"    {scheme}, {diffusion}", runs[-1].series())
    for (scheme, diffusion, *_), (limit, change) in zip(WAYS, found):
        check.below(f"    {scheme}, {diffusion}: the limit dt = 0 is that of rk3-wray, explicit",
                    rms(limit - found[1][0]), 0.3 * change)


def alone(kolmo, check):
    """A stream without walls: u^2 = u0^2 + 2 P t. The error falls at the order of the scheme."""
    for scheme, wanted in (("rk3-half", 2), ("rk3-wray", 3)):
        errors = []
        for steps in (5, 10, 20):
            s = kolmo.run({"run": {"t_end": 1.0}, "grid": {"n": (4, 4, 4), "length": (1.0, 1.0, 1.0)},
                           "fluid": {"nu": 0.1}, "time": {"scheme": scheme, "dt": 1.0 / steps},
                           "initial": {"type": "uniform", "velocity": (0.0, 0.8, 0.0)},
                           "forcing": {"type": "power", "direction": "y", "value": 0.5}}).series()
            errors.append(abs(float(s["momentum_y"][-1]) - math.sqrt(0.64 + 1.0)))
        check.above(f"{scheme}: order of the velocity ({errors[1]:.2e}, {errors[2]:.2e})",
                    math.log2(errors[1] / errors[2]), wanted - BY)


def power(kolmo, check):
    """A power in a channel: order, and what is delivered."""
    asked = 0.5

    def delivered(name, s):
        mean = float(np.sum(s["force_power"][1:] * s["dt"][1:]) / np.sum(s["dt"][1:]))
        check.below(f"{name}: power delivered over the one asked for, less 1", abs(mean / asked - 1), 2e-6)

    judge(kolmo, check, {"type": "power", "value": asked}, (), delivered)


def start(kolmo, check):
    """A bulk velocity of 1 for a flow that starts with 0.6: the first step makes it so at once."""
    slow = kolmo.run(kc.merge(channel("rk3-half", "explicit", 20, {"type": "bulk-velocity", "value": 0.6},
                                      DISTURBED), {"run": {"t_end": None, "steps_max": 0}}))

    def force(name, s):
        work = float(s["force_power"][1] * s["dt"][1])
        check.near(f"{name}: work of the first step, over that of an impulse", work / (0.5 * (1 - 0.6 ** 2)),
                   1.0, 0.02)
        check.below("        bulk velocity less 1", float(np.max(np.abs(s["momentum_x"][1:] - 1))), 1e-13)

    judge(kolmo, check, {"type": "bulk-velocity", "value": 1.0},
          ("--force-restart", "--restart", kc.checkpoint_path(slow.folder)), force)


def restart(kolmo, check):
    """The same bits on any ranks and through a restart, of a power and of a start that contradicts."""
    uniform = {"type": "uniform", "velocity": (0.6, 0.0, 0.0)}
    for kind, value in (("power", 0.5), ("bulk-velocity", 1.0)):
        case = kc.merge(channel("rk3-wray", "explicit", 40, {"type": kind, "value": value}, uniform),
                        {"run": {"steps_max": 12, "t_end": None}})
        through = kolmo.run(case)
        for ranks in (2, 4):
            check.same(f"{kind}: 1 and {ranks} ranks", kc.differences(through, kolmo.run(case, ranks=ranks)))
        first = kolmo.run(kc.merge(case, {"run": {"steps_max": 5}}))
        again = kolmo.run(case, "--restart", kc.checkpoint_path(first.folder), folder=first.folder)
        check.same(f"{kind}: with a restart after step 5", kc.differences(through, again))


if __name__ == "__main__":
    kc.main(__doc__, [alone, power, start, restart])

#!/usr/bin/env python3
"""Trapezoidal diffusion in all directions between walls, time.diffusion = 'implicit': steps beyond the
explicit limit.

Steady flows in every orientation stay to the solver's tolerance at 20 times the explicit limit, with drag
equal to force; the bulk velocity holds; the energy budget closes at second order; disturbed flows (walls in
one, two and three directions, no slip, moving, free slip) go to those of short explicit steps at second
order, with both schemes; the same bits on any ranks and after a restart. Would catch: a system whose wall has
the wrong side, component or distance, a moving wall left out, points on a wall that the iteration moves, a
halo beyond a wall that is not 0 there, a force that is not spread as its stage spreads it."""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402
from steady_walls import explicit_limit, laminar  # noqa: E402

AXIS = "xyz"
NU = 0.25
N = 12


def turned(values, normal, stream):
    """(normal, stream, span) values in the order x, y, z."""
    out = [None] * 3
    out[normal], out[stream], out[3 - normal - stream] = values
    return tuple(out)


def steady(normal, stream, case):
    """A laminar flow between the walls of one direction."""
    return kc.merge({"run": {"steps_max": 200},
                     "grid": {"n": turned((N, 4, 4), normal, stream),
                              "length": turned((2.0, 3.0, 2.5), normal, stream),
                             "stretching": turned(("tanh", "uniform", "uniform"), normal, stream),
                             "stretching_factor": turned((1.0, 0.0, 0.0), normal, stream)},
                     "fluid": {"nu": NU}, "time": {"diffusion": "implicit", "diffusion_tolerance": 1e-14},
                     "boundary": {f"{AXIS[normal]}_low": "wall", f"{AXIS[normal]}_high": "wall"},
                     "initial": {"type": "channel", "disturbance": 0.0}, "checkpoint": {"at_end": True},
                     "output": {"log_interval": 1000}}, case)


def profile(state, normal, component):
    u = np.moveaxis(state.velocity[component], 2 - normal, 0).reshape(N, -1)
    return u.mean(axis=1), np.ptp(u, axis=1).max()


def poiseuille(kolmo, check):
    """At 20 times the explicit limit to the discrete steady flow; the walls hold the force."""
    for normal, stream, force, high in ((2, 0, {"type": "bulk-velocity", "value": 1.0}, "wall"),
                                        (1, 2, {"type": "pressure-gradient", "value": -0.4}, "wall"),
                                        (0, 1, {"type": "bulk-velocity", "value": 0.7}, "slip"),
                                        (1, 0, {"type": "power", "value": 0.6}, "wall")):
        case = steady(normal, stream,
                      {"forcing": dict(force, direction=AXIS[stream]),
                       "boundary": {f"{AXIS[normal]}_high": high}})
        dt = 20 * explicit_limit(case, kolmo)
        result = kolmo.run(kc.merge(case, {"time": {"dt": dt}}))
        state, series = result.checkpoint(), result.series()
        u, uneven = profile(state, normal, stream)
        check.below(f"walls in {AXIS[normal]}, {force['type']} along {AXIS[stream]}, {high} above, dt "
                    f"{dt:.3g}: uneven along the walls", uneven, 1e-12)
        gradient = series["force"][-1]
        check.below("    profile less the steady one",
                    np.max(np.abs(u - laminar(state.face[normal], gradient, high, NU))), 1e-11)
        width = state.width[normal]
        drag = NU * (2 * u[0] / width[0] + (2 * u[-1] / width[-1] if high == "wall" else 0)) / 2.0
        check.near("    force, and drag of the walls", gradient, drag, 1e-11)
        if force["type"] == "bulk-velocity":
            check.below("    bulk velocity less its value",
                        np.max(np.abs(series[f"momentum_{AXIS[stream]}"][1:] - force["value"])), 1e-13)


def couette(kolmo, check):
    """The linear profile between walls that move along both directions."""
    for normal, stream in ((2, 0), (0, 1), (1, 2)):
        d, span = AXIS[normal], 3 - normal - stream
        low, high = [0.0] * 3, [0.0] * 3
        low[stream], high[stream], high[span] = -0.5, 1.0, 0.25
        case = steady(normal, stream,
                      {"run": {"steps_max": 30},
                       "boundary": {f"{d}_low_velocity": tuple(low), f"{d}_high_velocity": tuple(high)}})
        dt = 20 * explicit_limit(case, kolmo)
        result = kolmo.run(kc.merge(case, {"time": {"dt": dt}}))
        state = result.checkpoint()
        x = state.centre[normal]
        check.below(f"couette, walls in {d}, dt {dt:.3g}: linear profile",
                    max(np.max(np.abs(profile(state, normal, stream)[0] + 0.5 - 0.75 * x)),
                        np.max(np.abs(profile(state, normal, span)[0] - 0.125 * x))), 1e-12)
        check.below("    work of the walls less dissipation, over it", np.max(np.abs(
            result.series()["wall_work"] / result.series()["dissipation"] - 1)), 1e-11)


def disturbed(case=None):
    """A coarse flow with disturbances, cells stretched towards walls in z."""
    return kc.merge({"run": {"steps_max": 6, "seed": 3},
                     "grid": {"n": (12, 12, 16), "length": (3.0, 2.5, 2.0),
                              "stretching": ("uniform", "sine", "tanh"),
                              "stretching_factor": (0.0, 0.3, 1.5)},
                     "fluid": {"nu": 0.02},
                     "time": {"diffusion": "implicit", "diffusion_tolerance": 1e-13, "dt": 0.04},
                     "initial": {"type": "channel"},
                     "boundary": {"z_low": "wall", "z_high": "wall"}, "pressure": {"tolerance": 1e-11},
                     "forcing": {"type": "bulk-velocity", "value": 1.0},
                     "checkpoint": {"at_end": True}, "output": {"log_interval": 1000}}, case or {})


FLOWS = (
    ("channel", {}),
    (
        "free slip and moving walls in x",
        {
            "boundary": {
                "z_low": None,
                "z_high": None,
                "x_low": "slip",
                "x_high": "wall",
                "x_high_velocity": (0.0, 0.4, 0.2),
            },
            "grid": {"stretching": ("tanh", "uniform", "sine"), "stretching_factor": (1.2, 0.0, 0.3)},
            "forcing": {"type": "pressure-gradient", "value": 0.1, "direction": "y"},
        },
    ),
    (
        "duct",
        {
            "boundary": {"y_low": "wall", "y_high": "slip"},
            "initial": {"type": "taylor-green", "velocity": (1.0, 0.0, 0.0)},
            "grid": {"stretching": ("uniform", "uniform", "tanh"), "stretching_factor": (0.0, 0.0, 1.5)},
        },
    ),
    (
        "cavity",
        {
            "boundary": {
                "x_low": "wall",
                "x_high": "wall",
                "y_low": "wall",
                "y_high": "wall",
                "z_high_velocity": (1.0, 0.5, 0.0),
                "x_low_velocity": (0.0, 0.0, -0.3),
            },
            "grid": {"stretching": ("tanh", "uniform", "tanh"), "stretching_factor": (1.1, 0.0, 1.3)},
            "initial": {"type": "taylor-green"},
            "forcing": {"type": "none", "value": None},
        },
    ),
)


def order(kolmo, check):
    """A start by short explicit steps, which takes off what does not fit the walls; then dt and dt/2 against
    explicit dt/16."""
    for (name, case), scheme in zip(FLOWS[1:], ("rk3-half", "rk3-wray", "rk3-half")):
        end = 0.16
        case = disturbed(case)
        explicit = {"time": {"diffusion": "explicit", "diffusion_tolerance": None}}
        begin = kolmo.run(kc.merge(case, explicit, {"run": {"steps_max": 64}, "time": {"dt": 0.00125}}))
        start = kc.checkpoint_path(begin.folder)

        def run(diffusion, steps):
            more = {"run": {"steps_max": 64 + steps}, "time": {"dt": end / steps, "scheme": scheme}}
            return kolmo.run(kc.merge(case, diffusion, more), "--restart", start).checkpoint()
        fine = run(explicit, 96)
        error = [[math.sqrt(np.mean((run({}, steps).velocity[c] - fine.velocity[c]) ** 2)) for c in range(3)]
                 for steps in (6, 12)]
        for c in range(3):
            e = [row[c] for row in error]
            check.near(f"{name}, {scheme}: order of {'uvw'[c]} (errors {', '.join(f'{x:.2e}' for x in e)})",
                       math.log2(e[0] / e[1]), 2.0, 0.25)
        check.below("    largest error", max(error[0]), 1e-3)


def bulk(kolmo, check):
    """The bulk velocity and the energy budget of disturbed flows in a duct, with steps by Courant number."""
    case = kc.merge(disturbed(FLOWS[2][1]), {"run": {"steps_max": 10}, "time": {"dt": None, "cfl": 1.0}})
    viscous = explicit_limit(case, kolmo)
    s = kolmo.run(case).series()
    check.below("bulk velocity less 1", np.max(np.abs(s["momentum_x"][1:] - 1)), 1e-13)
    check.above("dt over the limit of explicit diffusion", np.min(s["dt"][1:]) / viscous, 2.5)
    check.below("energy of the last step over that of the first",
                s["kinetic_energy"][-1] / s["kinetic_energy"][0], 1.1)


def budget(kolmo, check):
    """The energy budget closes to the error in time: at second order as dt falls."""
    for name, case in FLOWS[1::2]:
        left = []
        for dt, steps in ((0.008, 20), (0.004, 40)):
            s = kolmo.run(kc.merge(disturbed(case),
                                   {"run": {"steps_max": steps}, "time": {"dt": dt}})).series()
            left.append(abs(float(s["budget_residual"][-1])) / float(s["dissipation"][-1]))
        check.below(f"{name}: residual over dissipation", left[1], 5e-5)
        check.above("    at dt over that at dt/2", left[0] / left[1], 3.0)


def layouts(kolmo, check):
    """The same bits on any ranks, with every kind of polynomial; and after a restart."""
    for (name, case), more, layouts in zip(FLOWS,
                                           ({}, {"pressure": {"preconditioner": "jacobi", "tolerance": 1e-8}},
                                            {"pressure": {"preconditioner": "polynomial", "degree": 3,
                                                          "tolerance": 1e-8}},
                                            {"time": {"scheme": "rk3-wray"}}),
                                           (((1, 1, 2),), ((2, 1, 1),), ((1, 2, 1), (1, 1, 2)),
                                            ((1, 2, 2),))):
        case = kc.merge(disturbed(case), more,
                        {"run": {"steps_max": 4}, "checkpoint": {"interval": 2, "keep": 4}})
        one = kolmo.run(case)
        for layout in layouts:
            other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=math.prod(layout))
            check.same(f"{name}, {' x '.join(map(str, layout))} ranks", kc.differences(one, other))
        again = kolmo.run(case, "--restart", kc.checkpoint_path(one.folder, 2), ranks=2)
        check.same(f"{name}: fields after the restart",
                   kc.differing_arrays(one.checkpoint(4).fields, again.checkpoint(4).fields))


def rest(kolmo, check):
    """A cavity that starts at rest, with a step by Courant number: that of the lid."""
    case = disturbed({"grid": {"n": (8, 4, 8)},
                      "boundary": {"x_low": "wall", "x_high": "wall", "z_high_velocity": (1.0, 0.0, 0.0)},
                      "initial": {"type": "rest"}, "forcing": {"type": "none", "value": None},
                      "time": {"dt": None, "cfl": 1.0}})
    s = kolmo.run(case).series()
    check.above("energy in the end", s["kinetic_energy"][-1], 1e-3)


def pushed(kolmo, check):
    """A force on a fluid (nearly) at rest limits the first steps, in each direction: half of time.cfl in the
    first, never much beyond it."""
    for stream, normal in ((0, 2), (2, 1), (1, 0)):
        n, force = [8, 8, 8], 3.0
        n[stream] = 16
        case = {"run": {"steps_max": 40}, "grid": {"n": tuple(n), "length": (1.0, 1.5, 2.0)},
                "fluid": {"nu": 1e-3},
                "boundary": {f"{AXIS[normal]}_low": "wall", f"{AXIS[normal]}_high": "wall"},
                "initial": {"type": "rest"},
                "time": {"diffusion": "implicit", "cfl": 1.5},
                "forcing": {"type": "pressure-gradient", "direction": AXIS[stream], "value": force}}
        width = case["grid"]["length"][stream] / 16
        s = kolmo.run(case).series()
        check.near(f"pressure gradient along {AXIS[stream]}: first step", float(s["dt"][1]),
                   math.sqrt(1.5 * width / (2 * force)), 1e-12)
        check.near("    its CFL number", float(s["cfl"][1]), 0.75, 1e-3)
        check.below("    largest CFL number", float(np.max(s["cfl"][1:])), 1.5 * 1.5)
        slow = tuple(1e-3 if d == stream else 0.0 for d in range(3))
        s = kolmo.run(kc.merge(case,
                               {"initial": {"type": "uniform", "velocity": slow},
                                "forcing": {"type": "power", "value": 0.1}})).series()
        check.near("    a power over a slow stream: first step", float(s["dt"][1]), 1.5 * 1e-3 ** 2 / 0.1,
                   1e-9)
        check.below("    power over that given, after it", abs(float(s["force_power"][-1]) / 0.1 - 1), 0.05)
        again = kolmo.run(kc.merge(case,
                                   {"run": {"steps_max": 2},
                                    "initial": {"type": "uniform",
                                                "velocity": tuple(1e-3 * v for v in slow)}})).series()
        check.above("    a gradient over an even slower one: kinetic energy",
                    float(again["kinetic_energy"][-1]), 0.05)
    foretold = kolmo.run(kc.merge(case, {"run": {"steps_max": 1}}), "--check").out
    check.says("--check", foretold, f"dt                       {math.sqrt(1.5 * width / (2 * force)):.4e}")


if __name__ == "__main__":
    kc.main(__doc__, [poiseuille, couette, order, bulk, budget, layouts, rest, pushed])

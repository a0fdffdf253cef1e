#!/usr/bin/env python3
"""Implicit diffusion with open faces: 'implicit', and 'implicit-z' through faces in z too.

Steady flows are those of explicit diffusion, at steps far beyond its limit; flows with inflows that change in
time go to the flow of short explicit steps at second order; the energy budget closes; the same bits on any
ranks and after a restart. Would catch: a change of the velocity that does not vanish on an inflow or at the
distance of an outflow's plane, planes of another time than the stage's, a row of a column without what the
plane beside it gives."""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402

TOLERANT = {"implicit": {"diffusion_tolerance": 1e-13}, "implicit-z": {}, "explicit": {}}


def by(diffusion, **more):
    """The group of a way to diffuse."""
    return {"time": dict(TOLERANT[diffusion], diffusion=diffusion, **more)}


def flow(case):
    """Turbulence comes in with a stream of 1 in x, between a wall and free slip in z."""
    return kc.merge({"run": {"steps_max": 6, "seed": 4},
                     "grid": {"n": (16, 12, 14), "length": (2.0, 1.5, 1.25),
                              "stretching": ("tanh-low", "uniform", "tanh"),
                              "stretching_factor": (0.6, 0.0, 1.2)},
                     "fluid": {"nu": 0.02}, "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)},
                     "pressure": {"tolerance": 1e-11},
                     "boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0),
                                  "x_low_turbulence": (0.05, 0.05, 0.05),
                                  "x_high": "outflow", "turbulence_length": 0.5, "turbulence_modes": 20,
                                  "z_low": "wall",
                                  "z_low_velocity": (1.0, 0.2, 0.0), "z_high": "slip"},
                     "output": {"log_interval": 1000}}, case)


NOTHING = {"x_low": None, "x_low_velocity": None, "x_low_turbulence": None, "x_high": None, "z_low": None,
           "z_low_velocity": None,
           "z_high": None}
FLOWS = (("along x", {}),
         ("along z, downward, beside walls", {
             "grid": {"stretching": ("sine", "tanh", "tanh-high"), "stretching_factor": (0.3, 1.0, 0.8)},
             "initial": {"velocity": (0.0, 0.0, -1.0)},
             "boundary": dict(NOTHING, z_high="inflow", z_high_velocity=(0.1, 0.0, -1.0),
                              z_high_turbulence=(0.05, 0.05, 0.05),
                              z_low="outflow", y_low="slip", y_high="wall",
                              y_high_velocity=(0.0, 0.0, -1.0))}),
         ("along y, two outflows", {
             "grid": {"stretching": ("tanh", "uniform", "tanh"), "stretching_factor": (0.8, 0.0, 0.9)},
             "initial": {"velocity": (0.0, 1.0, 0.0)},
             "boundary": dict(NOTHING, y_low="inflow", y_low_velocity=(0.0, 1.0, 0.2),
                              y_low_turbulence=(0.04, 0.05, 0.03), y_high="outflow",
                              z_high="outflow", z_low="inflow", z_low_velocity=(0.0, 1.0, 0.4), x_low="slip",
                              x_high="slip")}))


def order(kolmo, check):
    """A start by short explicit steps; then dt and dt/2 against explicit dt/16."""
    for (name, case), scheme, ways in zip(FLOWS, ("rk3-half", "rk3-wray", "rk3-half"),
                                          (("implicit",), ("implicit", "implicit-z"),
                                          ("implicit", "implicit-z"))):
        case, end = flow(case), 0.16
        begin = kolmo.run(kc.merge(case, by("explicit", dt=0.01), {"run": {"steps_max": 20}}))
        start = kc.checkpoint_path(begin.folder)

        def run(way, steps):
            return kolmo.run(kc.merge(case, by(way, dt=end / steps, scheme=scheme),
                                      {"run": {"steps_max": 20 + steps}}),
                             "--restart", start).checkpoint()
        fine = run("explicit", 64)
        for way in ways:
            error = [[math.sqrt(np.mean((run(way, steps).velocity[c] - fine.velocity[c]) ** 2))
                      for c in range(3)] for steps in (6, 12)]
            for c in range(3):
                e = [row[c] for row in error]
                measured = (f"{name}, {way}, {scheme}: order of {'uvw'[c]} "
                            f"(errors {', '.join(f'{x:.2e}' for x in e)})")
                if scheme == "rk3-half":
                    check.near(measured, math.log2(e[0] / e[1]), 2.0, 0.25)
                else:  # what convection leaves is of third order, and here not small beside diffusion's
                    check.above(measured, math.log2(e[0] / e[1]), 1.8)
            check.below("    largest error", max(error[0]), 2e-4)


def steady(kolmo, check):
    """The developed flow through a duct, from a uniform one: that of explicit diffusion, at steps 20 times as
    long."""
    ducts = (("z", "y", ("implicit", "implicit-z")), ("x", "z", ("implicit",)))
    for stream, walls, ways in ducts if kolmo.options.long else ducts[:1]:
        d, velocity = "xyz".index(stream), [0.0] * 3
        velocity[d] = 1.0
        n, length, kind = [4] * 3, [1.5] * 3, ["uniform"] * 3
        n[d], length[d], kind[d] = 8, 2.0, "tanh-low"
        n["xyz".index(walls)], kind["xyz".index(walls)] = 12, "tanh"
        case = {"run": {"t_end": 16.0}, "grid": {"n": n, "length": length, "stretching": kind,
                                                 "stretching_factor": [1.0 * (k != "uniform") for k in kind]},
                "fluid": {"nu": 0.4}, "initial": {"type": "uniform", "velocity": velocity},
                "pressure": {"tolerance": 1e-11},
                "boundary": {f"{stream}_low": "inflow", f"{stream}_low_velocity": velocity,
                             f"{stream}_high": "outflow",
                             f"{walls}_low": "wall", f"{walls}_high": "wall",
                             f"{walls}_low_velocity": [0.2 * v for v in velocity]},
                "output": {"log_interval": 10000}}
        fields = {way: kolmo.run(kc.merge(case, by(way, cfl=1.2))) for way in ("explicit",) + ways}
        want = fields["explicit"].checkpoint()
        for way in ways:
            state = fields[way].checkpoint()
            check.below(f"along {stream}, {way}: velocity less that of explicit diffusion",
                        max(np.max(np.abs(a - b)) for a, b in zip(state.velocity, want.velocity)), 1e-7)
            check.above("    length of the steps, over explicit ones",
                        fields["explicit"].steps()[-1] / fields[way].steps()[-1],
                        15.0 if way == "implicit" else 1.2)


def budget(kolmo, check):
    """The energy budget closes to the error in time: at second order as dt falls."""
    for (name, case), way in zip(FLOWS[:2], ("implicit", "implicit-z")):
        left = []
        for dt, steps in ((0.008, 20), (0.004, 40)):
            s = kolmo.run(kc.merge(flow(case), by(way, dt=dt), {"run": {"steps_max": steps}})).series()
            left.append(abs(float(s["budget_residual"][-1])) / float(s["dissipation"][-1]))
        check.below(f"{name}, {way}: residual over dissipation", left[1], 4e-4)
        check.above("    at dt over that at dt/2", left[0] / left[1], 3.0)


def layouts(kolmo, check):
    """The same bits on any ranks, cut in every direction, and after a restart."""
    for (name, case), way, scheme, layouts in (
            (FLOWS[0], "implicit", "rk3-half", ((2, 2, 2), (2, 1, 1))),
            (FLOWS[1], "implicit", "rk3-wray", ((1, 2, 2),)),
            (FLOWS[1], "implicit-z", "rk3-half", ((1, 2, 1), (2, 1, 2))),
            (FLOWS[2], "implicit-z", "rk3-wray", ((1, 1, 4),))):
        case = kc.merge(flow(case), by(way, dt=0.03, scheme=scheme),
                        {"run": {"steps_max": 4}, "checkpoint": {"interval": 2, "keep": 4}})
        one = kolmo.run(case)
        for layout in layouts:
            other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=math.prod(layout))
            check.same(f"{name}, {way}, {' x '.join(map(str, layout))} ranks", kc.differences(one, other))
        again = kolmo.run(case, "--restart", kc.checkpoint_path(one.folder, 2), ranks=2)
        check.same("    fields after the restart",
                   kc.differing_arrays(one.checkpoint(4).fields, again.checkpoint(4).fields))


if __name__ == "__main__":
    kc.main(__doc__, [order, steady, budget, layouts])

#!/usr/bin/env python3
"""What meets bodies at the boundaries of the domain, and after a run.

tables: a body may touch an inflow from a table whose velocity is 0 there, on any number of ranks; a table or
    synthetic turbulence that blows into a body is refused with file and speed.
planes: likewise of planes in time, of which any may blow into the body.
outflow: a body a cell before the outflow, and one beside the window of an inflow: mass and energy balance.
stored: kolmo-stats refuses averages of flows whose bodies vanish or move, by the name of their input.

Would catch: an inflow whose mass has nowhere to go, which ends in a pressure solve that stagnates; a remedy
that names an input which nobody gave."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(HERE, "..", "..", "postproc", "python"))
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402
from kolmo.planes import write_planes  # noqa: E402

N, LENGTH = (24, 6, 16), (3.0, 0.75, 2.0)
STEP = 0.5  # height of a step that begins at the inflow
CASE = {"run": {"steps_max": 20}, "grid": {"n": N, "length": LENGTH}, "fluid": {"nu": 0.02},
        "time": {"dt": 0.02}, "initial": {"type": "rest"}, "pressure": {"tolerance": 1e-10},
        "boundary": {"x_low": "inflow", "x_high": "outflow", "z_low": "wall", "z_high": "wall"},
        "bodies": {"shape": ("box",), "centre": (0.0, 0.375, 0.0), "size": (2.0, 3.0, 2 * STEP)},
        "output": {"series_interval": 1}}


def same_bits(check, name, a, b):
    """Velocity and pressure of two runs."""
    one, other = a.checkpoint(), b.checkpoint()
    check.holds(name, all(np.array_equal(p, q) for p, q in zip(one.velocity, other.velocity))
                and np.array_equal(one.fields["p"], other.fields["p"]))


def profile(z, through):
    """A parabola above the step; `through`: another one that also enters the step."""
    return z * (2 - z) if through else np.where(z > STEP, (z - STEP) * (2 - z), 0)


def balanced(check, name, r):
    """Mass and energy of a run between inflow and outflow."""
    s = r.series()
    check.below(f"{name}: divergence", s["divergence_max"].max(), 1e-10)
    check.below("  volume in less out", float(np.abs(s["flux_in"] - s["flux_out"]).max()), 1e-12)
    check.above("  what enters", float(s["flux_in"].min()), 0.1)
    check.below("  residual of the energy's budget over the dissipation",
                float(np.abs(s["budget_residual"][10:]).max() / s["dissipation"].max()), 1e-2)


def tables(kolmo, check):
    """A step that begins at the inflow."""
    place = kolmo.place()
    z = np.linspace(0, 2, 65)

    def given(through):
        path = os.path.join(place, "through.txt" if through else "above.txt")
        np.savetxt(path, np.stack([z, profile(z, through), 0 * z, 0 * z], axis=1))
        return kc.merge(CASE, {"boundary": {"x_low_profile": "table", "x_low_along": "z",
                                            "x_low_file": path}})
    one = kolmo.run(given(False))
    balanced(check, "above the step", one)
    for ranks in ((2, 1, 2), (1, 2, 1)):
        same_bits(check, f"ranks {ranks}", one, kolmo.run(kc.merge(given(False), {"grid": {"ranks": ranks}}),
                                                          ranks=ranks[0] * ranks[1] * ranks[2]))
    for ranks, more in ((1, ()), (2, ()), (1, ("--check",))):
        r = kolmo.run(given(True), *more, ranks=ranks, rc=2)
        check.says(f"into the step, {ranks} ranks {' '.join(more)}", r.text, "through.txt",
                   "boundary.x_low = 'inflow'", "bodies cover", "U = 0.6836")
    waves = {"boundary": {"x_low_turbulence": (0.1, 0.1, 0.1), "turbulence_length": 0.3}}
    check.says("turbulence into the step", kolmo.run(kc.merge(given(False), waves), rc=2).text,
               "no boundary turbulence")


def planes(kolmo, check):
    """The same step, planes in time."""
    place = kolmo.place()
    y, z = np.linspace(0, LENGTH[1], N[1] + 1), np.linspace(0, LENGTH[2], N[2] + 1)
    centre = 0.5 * (z[1:] + z[:-1])
    velocity = np.zeros((4, N[2], N[1], 3))
    for n in range(4):
        velocity[n, :, :, 0] = (1 + 0.1 * n) * profile(centre, False)[:, None]

    def given(name):
        path = os.path.join(place, name + ".h5")
        write_planes(path, np.arange(4) * 0.2, y, z, velocity)
        return kc.merge(CASE, {"boundary": {"x_low_profile": "planes", "x_low_file": path,
                                            "planes_loop": True}})
    balanced(check, "above the step", kolmo.run(given("above")))
    velocity[2, 1, 4, 0] = 0.03
    for more in ((), ("--check",)):
        check.says("one plane into the step", kolmo.run(given("into"), *more, rc=2).text, "into.h5",
                   "in the plane of t = 0.4", "U = 0.03")


def outflow(kolmo, check):
    """Bodies close to the outflow, and in the corners of both."""
    stream = {"boundary": {"x_low_velocity": (1.0, 0.0, 0.0), "z_low": "slip", "z_high": "slip"}}
    near = {"bodies": {"shape": ("sphere",), "centre": (LENGTH[0] - 0.44, 0.375, 1.05),
                       "size": (0.6, 0.0, 0.0)}}
    r = kolmo.run(kc.merge(CASE, stream, near))
    balanced(check, "a sphere a cell before the outflow", r)
    same_bits(check, "  ranks", r, kolmo.run(kc.merge(CASE, stream, near, {"grid": {"ranks": (2, 1, 2)}}),
                                             ranks=4))
    window = {"boundary": {"x_low_window": (0.0, LENGTH[1], STEP, LENGTH[2])}}
    balanced(check, "a step beside the window of an inflow", kolmo.run(kc.merge(CASE, stream, window)))


def stored(kolmo, check):
    """kolmo-stats."""
    box = {"run": {"steps_max": 4}, "grid": {"n": (16, 16, 16), "length": (2.0, 2.0, 2.0)},
           "fluid": {"nu": 0.02}, "time": {"dt": 0.02}, "checkpoint": {"interval": 2},
           "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)},
           "bodies": {"shape": ("sphere",), "centre": (1.0, 1.0, 1.0), "size": (0.8, 0.0, 0.0)}}
    run = kolmo.run(kc.merge(box, {"bodies": {"remove_time": (0.05,)}}))
    said = kolmo.other("kolmo-stats").call(run.folder, "--out", kolmo.place(), rc=2).err
    check.says("averages", said, "vanish (remove_time)")
    check.holds("  nothing else is blamed", "statistics.start" not in said)


if __name__ == "__main__":
    kc.main(__doc__, [tables, planes, outflow, stored])

#!/usr/bin/env python3
"""Flows round bodies with the axes exchanged.

turned: a case and the same case with x, y, z made y, z, x and z, x, y have the same flow, forces and torques
    to rounding, for bodies of many shapes at rest, one whose surface turns, and one that travels, on a
    stretched grid between walls.

Would catch: a shape, a wall distance, a force or a torque that treats one direction in its own way."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402

LENGTH, CELLS = (2.0, 1.5, 1.75), (16, 12, 14)
TRIPLES = ("centre", "angles", "velocity", "amplitude")  # of bodies: three values in x, y and z
BOXES = ("box", "ellipsoid")  # whose sizes are those in x, y and z
# One angle for each body: several act one after another, in an order that the exchange would change.
BODIES = {
    "boxes": {"shape": ("box", "ellipsoid"), "centre": (0.1, 0.4, 0.5, 1.1, 1.0, 1.2),
              "size": (0.6, 0.5, 0.7, 0.9, 0.5, 0.6), "angles": (0.0, 25.0, 0.0, 0.0, 0.0, 40.0)},
    "round": {"shape": ("cylinder", "torus", "capsule", "capsule"), "operation": ("add", "add", "add", "cut"),
              "centre": (0.5, 0.4, 0.9, 1.5, 0.75, 0.9, 0.9, 1.2, 0.5, 0.5, 0.4, 1.2),
              "size": (0.5, 0.8, 0.0, 0.5, 0.3, 0.0, 0.4, 0.9, 0.0, 0.4, 0.7, 0.0),
              "axis": ("z", "x", "y", "z"),
              "angles": (15.0, 0.0, 0.0, 0.0, 30.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), "thin_walls": True},
    "turning": {"shape": ("cylinder",), "centre": (0.9, 0.7, 0.9), "size": (0.6, 0.8, 0.0), "axis": ("x",),
                "motion": ("rotate",), "rotation": (3.0,)},
    "travelling": {"shape": ("ellipsoid",), "centre": (0.9, 0.7, 0.9), "size": (0.9, 0.5, 0.6),
                   "motion": ("oscillate",), "amplitude": (0.2, 0.1, -0.1), "frequency": (0.8,)},
}


def turn(values, by):
    """Three values, of which that of x becomes that of the axis `by`."""
    return tuple(values[(d - by) % 3] for d in range(3))


def turned_bodies(bodies, by):
    """The bodies with their axes exchanged."""
    out = {}
    for name, values in bodies.items():
        if name == "axis":
            out[name] = tuple("xyz"[("xyz".index(a) + by) % 3] for a in values)
        elif name in TRIPLES or name == "size":
            triples = [values[n:n + 3] for n in range(0, len(values), 3)]
            out[name] = sum((turn(t, by) if name in TRIPLES or shape in BOXES else t
                             for t, shape in zip(triples, bodies["shape"])), ())
        else:
            out[name] = values
    return out


def flow(kolmo, bodies, by):
    """Velocity, pressure, forces and torques in the order of the axes before the exchange. The pressure of
    cells without fluid has no meaning."""
    wall = "xyz"[(2 + by) % 3]
    r = kolmo.run({
        "run": {"steps_max": 6}, "fluid": {"nu": 0.02}, "time": {"dt": 0.02},
        "pressure": {"tolerance": 1e-12},
        "grid": {"n": turn(CELLS, by), "length": turn(LENGTH, by),
                 "stretching": turn(("sine", "uniform", "tanh"), by),
                 "stretching_factor": turn((0.3, 0.0, 1.2), by)},
        "boundary": {f"{wall}_low": "wall", f"{wall}_high": "wall"},
        "forcing": {"type": "pressure-gradient", "direction": "xyz"[by], "value": 0.5},
        "initial": {"type": "uniform", "velocity": turn((1.0, 0.4, 0.0), by)},
        "output": {"field_interval": 6}, "bodies": turned_bodies(bodies, by)})
    fields = r.checkpoint().fields
    order = tuple((2 - (2 - d + by) % 3) for d in range(3))  # arrays are (z, y, x)
    velocity = [np.transpose(fields["uvw"[(c + by) % 3]], order) for c in range(3)]
    with h5py.File(os.path.join(r.folder, "bodies.nc"), "r") as b:
        force = np.stack([b[f"{part}_{'xyz'[(c + by) % 3]}"][:]
                          for c in range(3) for part in ("force", "torque")])
    with h5py.File(os.path.join(r.folder, "fields_00000006.h5"), "r") as f:
        pressure = np.where(f["solid_share"][:] < 0.5, fields["p"], 0)
    return velocity + [np.transpose(pressure, order)], force


def turned(kolmo, check):
    """The same flow along exchanged axes."""
    for name, bodies in BODIES.items():
        one, force = flow(kolmo, bodies, 0)
        for by in (1, 2):
            other, its = flow(kolmo, bodies, by)
            for c, least in zip(range(4), (1e-11, 1e-11, 1e-11, 1e-10)):
                check.below(f"{name}, x is {'xyz'[by]}: {'uvwp'[c]}", np.abs(one[c] - other[c]).max(), least)
            check.below("  forces and torques, of the largest",
                        np.abs(force - its).max() / np.abs(force).max(), 1e-10)


if __name__ == "__main__":
    kc.main(__doc__, [turned])

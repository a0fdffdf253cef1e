#!/usr/bin/env python3
"""Writes planes of velocity in time for an inflow (boundary.x_low_profile = 'planes'): io/schema.md,
"kolmo-planes".

The planes of one cell's faces from a run's checkpoints, for the inflow of another run on a grid with the same
cells across. kolmo.write_planes() of the Python package writes planes from arrays.

    python3 postproc/planes.py planes.h5 --direction x --index 10 runs/a/checkpoint_*.h5"""
import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "plot"))
import system_python  # noqa: E402
system_python.require("planes", __name__)
import h5py  # noqa: E402
import numpy as np  # noqa: E402
from kolmo.planes import write_planes as write  # noqa: E402


def plane_of(checkpoint, direction, index):
    """Time, faces along the plane and velocity on face `index` of a direction, and in the cells above it, of
    a checkpoint."""
    with h5py.File(checkpoint, "r") as f:
        time = float(f["state"].attrs["time"])
        faces = [f[f"grid/{d}_face"][:] for d in "xyz" if d != direction]
        at = [slice(None)] * 3
        at["zyx".index(direction)] = index
        return time, faces, np.stack([f[f"fields/{c}"][tuple(at)] for c in "uvw"], axis=-1)


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("planes", help="the file to write")
    parser.add_argument("checkpoints", nargs="+", help="checkpoints, one for each time")
    parser.add_argument("--direction", choices="xyz", default="x", help="direction through the plane")
    parser.add_argument("--index", type=int, default=0, help="the face along it")
    parser.add_argument("--start", type=float, help="time that the first plane gets (default: its own)")
    options = parser.parse_args()
    found = sorted((plane_of(c, options.direction, options.index) for c in options.checkpoints),
                   key=lambda plane: plane[0])
    times = np.array([time for time, _, _ in found])
    if options.start is not None:
        times += options.start - times[0]
    if len(found) < 2 or np.any(np.diff(times) <= 0):
        sys.exit("planes.py: two checkpoints or more are wanted, of different times")
    write(options.planes, times, *found[0][1], np.stack([velocity for _, _, velocity in found]))
    print(f"{options.planes}: {len(found)} planes from t = {times[0]:g} to {times[-1]:g}")


if __name__ == "__main__":
    main()

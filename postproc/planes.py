#!/usr/bin/env python3
"""Writes planes of velocity in time for an inflow (boundary.x_low_profile = 'planes'): io/schema.md,
"kolmo-planes".

As a module: write(path, times, first_face, second_face, velocity). As a program: the planes of one cell's
faces from a run's checkpoints, for the inflow of another run on a grid with the same cells across:

    python3 postproc/planes.py planes.h5 --direction x --index 10 runs/a/checkpoint_*.h5"""
import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "plot"))
import system_python  # noqa: E402
system_python.require("planes", __name__)
import h5py  # noqa: E402
import numpy as np  # noqa: E402


def mix(x):
    """The finaliser of splitmix64."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def hash_of(array):
    """The hash of an array of float64 or float32, as io/schema.md has it."""
    flat = np.ascontiguousarray(array).ravel()
    bits = flat.view(np.uint64) if flat.dtype.itemsize == 8 else flat.view(np.uint32).astype(np.uint64)
    with np.errstate(over="ignore"):
        return np.sum(mix(bits ^ mix(np.arange(bits.size, dtype=np.uint64))), dtype=np.uint64)


def write(path, times, first_face, second_face, velocity):
    """velocity[time, second, first, 3]: components x, y, z, each at its own place on the face: one along the
    face on the lower face of its cell, the one through it, and the other one, at the cell's centre.
    first_face, second_face: faces of the cells along the face, n + 1 each."""
    velocity = np.asarray(velocity)
    if velocity.dtype != np.float32:
        velocity = velocity.astype(np.float64)
    lines = {"first_face": first_face, "second_face": second_face, "time": times}
    lines = {name: np.asarray(line, dtype=np.float64) for name, line in lines.items()}
    wanted = (lines["time"].size, lines["second_face"].size - 1, lines["first_face"].size - 1, 3)
    if velocity.shape != wanted:
        raise ValueError(f"velocity has the shape {velocity.shape}, times and faces ask for {wanted}")
    with h5py.File(path, "w", libver=("v110", "v110")) as f:
        f.attrs["format"] = np.bytes_("kolmo-planes")
        f.attrs["format_version"] = np.int64(1)
        for name, array in dict(lines, velocity=velocity).items():
            f.create_dataset(name, data=array).attrs["hash"] = hash_of(array)
        f.attrs["complete"] = np.int64(1)


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

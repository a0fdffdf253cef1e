#!/usr/bin/env python3
"""Writes planes in time of velocity and scalars for an inflow (boundary.x_low_profile = 'planes',
scalars.x_low = 'planes'): io/schema.md, "kolmo-planes".

The planes of one cell's faces from a run's checkpoints, for the inflow of another run on a grid with the same
cells across. A scalar on a face is the mean of the two cells beside it, as in the equations.
kolmo.write_planes() of the Python package writes planes from arrays.

    python3 postproc/planes.py planes.h5 --direction x --index 10 runs/a/checkpoint_*.h5"""
import argparse
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "plot"))
import system_python  # noqa: E402
system_python.require("planes", __name__)
import numpy as np  # noqa: E402
from kolmo.guarded import Unreadable, in_child, opened  # noqa: E402
from kolmo.planes import write_planes as write  # noqa: E402


NO_SCALARS = re.compile(r"u|v|w|p|p_stage_\d|potential_.|outflow_.*|statistics|forcing")


def is_periodic(run, direction):
    """Whether a direction is periodic, by the input that is kept in a checkpoint."""
    given = re.search(rf"^\s*{direction}_low = '(\w+)'", run.attrs["input"].decode(), re.MULTILINE)
    return given is not None and given[1] == "periodic"


def scalars_of(f):
    """Names of the scalars in a checkpoint."""
    return [name for name, field in f["fields"].items()
            if not NO_SCALARS.fullmatch(name) and field.attrs.get("location") == b"ccc"]


@in_child
def plane_of(checkpoint, direction, index):
    """Time, faces along the plane, velocity on face `index` of a direction and in the cells above it, scalars
    on the face, and their units, of a checkpoint."""
    with opened(checkpoint) as f:
        def cut(name, index):
            at = [slice(None)] * 3
            at["zyx".index(direction)] = index
            return f[f"fields/{name}"][tuple(at)]
        names = scalars_of(f)
        cells = len(f[f"grid/{direction}_face"]) - 1
        if not 0 <= index < cells:
            raise Unreadable(f"--index {index} is no face; choose 0 to {cells - 1}")
        if names and index == 0 and not is_periodic(f["run"], direction):
            raise Unreadable(f"face 0 bounds the grid in {direction}, and no cell lies below it for the "
                             f"scalars ({', '.join(names)}); choose --index 1 or more")
        faces = [f[f"grid/{d}_face"][:] for d in "xyz" if d != direction]
        scalars = {name: 0.5 * (cut(name, (index - 1) % cells) + cut(name, index)) for name in names}
        units = {name: f[f"fields/{name}"].attrs["unit"].decode() for name in names}
        return (float(f["state"].attrs["time"]), faces, np.stack([cut(c, index) for c in "uvw"], axis=-1),
                scalars, units)


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("planes", help="the file to write")
    parser.add_argument("checkpoints", nargs="+", help="checkpoints, one for each time")
    parser.add_argument("--direction", choices="xyz", default="x", help="direction through the plane")
    parser.add_argument("--index", type=int, default=0, help="the face along it")
    parser.add_argument("--start", type=float, help="time that the first plane gets (default: its own)")
    options = parser.parse_args()
    try:
        found = sorted((plane_of(c, options.direction, options.index) for c in options.checkpoints),
                       key=lambda plane: plane[0])
    except Unreadable as fault:
        sys.exit(f"planes.py: {fault}")
    times = np.array([plane[0] for plane in found])
    if options.start is not None:
        times += options.start - times[0]
    if len(found) < 2 or np.any(np.diff(times) <= 0):
        sys.exit("planes.py: two checkpoints or more are wanted, of different times")
    names = [name for name in found[0][3] if all(name in plane[3] for plane in found)]
    write(options.planes, times, *found[0][1], np.stack([plane[2] for plane in found]),
          scalars={name: np.stack([plane[3][name] for plane in found]) for name in names},
          units={name: found[0][4][name] for name in names})
    print(f"{options.planes}: {len(found)} planes from t = {times[0]:g} to {times[-1]:g}"
          + (f", with {', '.join(names)}" if names else ""))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Draws slices: one PNG for each slice, time and quantity.

usage: slices.py [--quantity NAME]... [--slice N]... [--step N]... [--map NAME] [--limits LOW,HIGH]
                 [--to FOLDER] DIR

DIR holds files slice_<n>_<step>.h5. The pictures are slice_<n>_<step>_<quantity>.png. They show the cells as
they are, on the stretched grid.

  --quantity NAME    draw only this quantity; may be given several times. NAME is velocity (its magnitude),
                     velocity.x, velocity.y, velocity.z, vorticity or one of its components, pressure, q,
                     lambda2 or the name of a scalar. Without this option, all quantities in the files are
                     drawn, and of a vector the magnitude and the three components
  --slice N          draw only this slice; may be given several times
  --step N           draw only this step; may be given several times
  --map NAME         colour map of matplotlib. Without this option, quantities that have a sign get a
                     diverging map with zero in its middle, and others get viridis
  --limits LOW,HIGH  values at the ends of the colour map. Without this option, all times of one slice and
                     quantity have the same limits, so that their pictures make a film
  --to FOLDER        write the pictures into FOLDER instead of DIR

Exit codes: 0 drawn; 1 there is nothing to draw; 2 a file is missing or can't be read, or an option is not
understood."""
import os
import sys

import system_python
system_python.require("slices", __name__)
import h5py  # noqa: E402
import numpy as np  # noqa: E402
import report_parts  # noqa: E402
from kolmo.guarded import in_child, opened, writable  # noqa: E402
from kolmo.plots import plane_picture, signed  # noqa: E402
from kolmo.plots import VECTORS as LETTER  # noqa: E402
from kolmo.snapshots import find_slices  # noqa: E402
from report_parts import Unreadable, plotter  # noqa: E402

OTHER_SIGN = 0.02  # of the largest value: below, values of the other sign make no flow of both
@in_child
def names_in(path):
    """What a file holds, components of vectors after their magnitude."""
    with opened(path) as file:
        arrays = [n for n, d in file.items() if isinstance(d, h5py.Dataset)]
    return [whole for n in arrays for whole in ([n] + [f"{n}.{d}" for d in "xyz"] if n in LETTER else [n])]


@in_child
def read(path, quantity):
    """Values over the plane [second direction, first], faces of both directions, their letters, what is drawn
    and where, time."""
    name, _, component = quantity.partition(".")
    try:
        with opened(path) as file:
            values, face = np.asarray(file[name][...], dtype=float), [
                np.asarray(file[f"grid/{d}_face"][...]) for d in "xyz"
            ]
            time = float(file.attrs["time"])
    except (OSError, KeyError) as error:
        raise Unreadable(f"{path}: {error}") from None
    if name in LETTER:
        values = values[..., "xyz".index(component)] if component else np.sqrt((values ** 2).sum(axis=-1))
    normal = next(d for d in range(3) if face[d].size == 2)
    a, b = (d for d in range(3) if d != normal)
    where = f"{'xyz'[normal]} = {face[normal].mean():.5g}"
    return np.squeeze(values, axis=2 - normal), face[a], face[b], "xyz"[a] + "xyz"[b], where, time


def common_limits(files, quantity):
    """Of all times, without the 0.2 % of the largest values; of what has both signs, alike on both sides of
    zero."""
    low, high = [], []
    for path in files.values():
        values = read(path, quantity)[0]
        low.append(np.quantile(values, 0.002) if signed(quantity) else values.min())
        high.append(np.quantile(values, 0.998))
    low, high = min(low), max(high)
    if not signed(quantity):
        return low, max(high, low + 1e-30)
    most = max(-low, high)
    if not most > 0 or min(-low, high) > OTHER_SIGN * most:
        return -(most or 1.0), most or 1.0
    if high > -low:
        return 0.0 if low < 0.5 * high else low, high
    return low, 0.0 if high > 0.5 * low else high


def picture(plt, path, quantity, limits, colours=None, size=None):
    """A figure of one slice. size: of the figure; without it the longer side of the slice has 6 inches."""
    values, first, second, letters, where, time = read(path, quantity)
    wide, high = first[-1] - first[0], second[-1] - second[0]
    scale = 6.0 / max(wide, high)
    below = wide > 1.8 * high  # where the colour bar is then
    room = (0.8, 1.8) if below else (1.6, 0.9)
    figure, axis = plt.subplots(figsize=size or (max(scale * wide, 2.2) + room[0],
                                                 max(scale * high, 1.4) + room[1]),
                                constrained_layout=True)
    plane_picture(axis, (first, second), letters, values, quantity, limits, colours)
    axis.set_title(f"${where}$, $t = {time:.5g}$")
    return figure


def draw(o):
    """All pictures asked for; their number."""
    plt = plotter()
    drawn = 0
    slices = find_slices(o["dir"])
    there = {q for files in slices.values() for q in names_in(next(iter(files.values())))}
    for quantity in o["quantity"]:
        if there and quantity not in there:
            raise Unreadable(f"--quantity {quantity}: these files have {', '.join(sorted(there))}")
    os.makedirs(o["to"], exist_ok=True)
    for number, files in sorted(slices.items()):
        if o["slice"] and number not in o["slice"]:
            continue
        held = names_in(next(iter(files.values())))
        for quantity in [q for q in held if not o["quantity"] or q in o["quantity"]]:
            limits = o["limits"] or common_limits(files, quantity)
            for step, path in sorted(files.items()):
                if o["step"] and step not in o["step"]:
                    continue
                figure = picture(plt, path, quantity, limits, o["map"])
                name = os.path.join(o["to"], f"slice_{number}_{step:08d}_{quantity.replace('.', '_')}.png")
                figure.savefig(writable(name), dpi=150)
                plt.close(figure)
                print(f"drawn {name}")
                drawn += 1
    return drawn


def limits_of(text):
    """Two rising numbers."""
    low, high = (float(v) for v in text.split(","))
    if not low < high:
        raise ValueError(text)
    return low, high


def options(words):
    """What the command line asks for."""
    found = report_parts.options(
        words,
        __doc__,
        {"quantity": [], "slice": [], "step": [], "map": None, "limits": None, "to": None},
        {"slice": int, "step": int, "limits": limits_of},
    )
    found["to"] = found["to"] or found["dir"]
    return found


def main(words):
    """Exit code."""
    return report_parts.exit_code("slices", draw, lambda: options(words),
                                  "no such slice_<n>_<step>.h5, quantity or step")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

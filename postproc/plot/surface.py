#!/usr/bin/env python3
"""Draws the coefficients of pressure and friction round a body, from its surface data.

usage: surface.py [--body N] [--step N] [--angle NAME] [--speed U] [--parts N] [--table FILE]
                  [--to FILE] DIR

DIR is the folder of a run with surface_average.h5 or surface_<step>.h5. The coefficients are
(p - p0)/(U^2/2), where p0 is the mean pressure over the surface, and the shear along the surface, in the
direction of growing angle, over U^2/2. Both are means over parts of the surface of equal angle, weighted with
the area.

  --body N       number of the body (1)
  --step N       of this step. Without this option, the averages, or the last step if there are none
  --angle NAME   about-z: angle about z through the middle of the body, which is 0 at -x and 90 degrees at -y;
                 about-y: 0 at -x, 90 at -z; about-x: 0 at -y, 90 at -z; polar: angle from -x, from 0 to 180
                 (about-z)
  --speed U      the speed U (1)
  --parts N      number of the parts (72)
  --table FILE   write the two curves as a table, too
  --to FILE      write this picture. Without this option, surface_<body>.png in DIR

Exit codes: 0 drawn; 1 the body has no points; 2 a file is missing or can't be read, or an option is not
understood."""
import os
import sys

import system_python
system_python.require("surface", __name__)
import numpy as np  # noqa: E402
import report_parts  # noqa: E402
from kolmo.guarded import in_child, writable  # noqa: E402
from kolmo.plots import line_style, panel, save  # noqa: E402
from kolmo.surfaces import find_surfaces, read_surface  # noqa: E402
from report_parts import Unreadable, plotter  # noqa: E402

NAMES = ("about-x", "about-y", "about-z", "polar")
UPSTREAM = {"about-x": (1, 2), "about-y": (0, 2), "about-z": (0, 1)}  # directions of cosine and sine
NEEDED = ("position", "normal", "face_area", "weight", "body", "pressure", "shear")


@in_child
def read(path):
    """The arrays of a file and its time."""
    data = read_surface(path)
    return {name: np.asarray(data[name].values) for name in NEEDED}, float(data.attrs["time"])


def file_of(folder, step):
    """Which file is drawn."""
    average, steps = os.path.join(folder, "surface_average.h5"), find_surfaces(folder)
    if step is None and os.path.exists(average):
        return average
    if not steps or step not in (None, *steps):
        raise Unreadable(f"{folder}: no surface data{'' if step is None else f' of step {step}'}; "
                         "output.surface_interval asks for them")
    return steps[max(steps) if step is None else step]


def angles(position, how):
    """Angle of each point in degrees, and the unit vector in which it grows."""
    away = position - 0.5 * (position.min(axis=0) + position.max(axis=0))
    along = np.zeros_like(away)
    if how == "polar":
        off = np.hypot(away[:, 1], away[:, 2])
        angle = np.arctan2(off, -away[:, 0])
        out = away[:, 1:] / np.maximum(off, 1e-300)[:, None]
        along[:, 0], along[:, 1:] = np.sin(angle), np.cos(angle)[:, None] * out
        return np.degrees(angle), along
    first, second = UPSTREAM[how]
    angle = np.arctan2(-away[:, second], -away[:, first]) % (2 * np.pi)
    along[:, first], along[:, second] = np.sin(angle), -np.cos(angle)
    return np.degrees(angle), along


def curves(s, how, speed, parts):
    """Middle of each part that has points, and both coefficients there."""
    angle, along = angles(s["position"], how)
    dynamic, weight = 0.5 * speed**2, s["weight"]
    pressure = s["pressure"] - (s["pressure"] * weight).sum() / weight.sum()
    # the force of friction on a part of the surface, along it
    shear = s["shear"] - (s["shear"] * s["normal"]).sum(axis=1, keepdims=True) * s["normal"]
    friction = (shear * along).sum(axis=1) * s["face_area"]
    end = 180.0 if how == "polar" else 360.0
    part = np.minimum((angle / end * parts).astype(int), parts - 1)
    area, sums = np.bincount(part, weight, parts), np.bincount(part, pressure * weight, parts)
    drag = np.bincount(part, friction, parts)
    kept = area > 1e-12 * weight.sum()
    return ((np.arange(parts) + 0.5) * end / parts)[kept], (sums[kept] / area[kept] / dynamic,
                                                           drag[kept] / area[kept] / dynamic)


def draw(o):
    """Whether there was anything to draw."""
    plotter()
    found, time = read(file_of(o["dir"], o["step"]))
    own = found["body"] == o["body"]
    if not own.any():
        return False
    place, value = curves({name: found[name][own] for name in NEEDED}, o["angle"], o["speed"], o["parts"])
    axis = panel()
    for n, (values, words) in enumerate(zip(value, ("pressure", "friction"))):
        axis.plot(place, values, label=words, **line_style(n))
    axis.set(xlabel="angle [degree]", ylabel="$2\\,(p - p_0)/U^2$, $2\\,\\tau/U^2$", xlim=(0, place[-1]))
    axis.legend()
    name = o["to"] or os.path.join(o["dir"], f"surface_{o['body']}.png")
    save(axis, name)
    if o["table"]:
        np.savetxt(writable(o["table"]), np.transpose([place, *value]), "%.8g",
                   header="angle [degree], coefficient of pressure, of friction")
    print(f"drawn {name}: body {o['body']}, t = {time:.5g}")
    return True


def positive(kind):
    """A number above 0."""
    def convert(text):
        value = kind(text)
        if not 0 < value < 1e100:
            raise ValueError(text)
        return value
    return convert


def options(words):
    """What the command line asks for."""
    return report_parts.options(
        words, __doc__,
        {"body": 1, "step": None, "angle": "about-z", "speed": 1.0, "parts": 72, "table": None, "to": None},
        {"body": positive(int), "step": int, "angle": lambda text: NAMES[NAMES.index(text)],
         "speed": positive(float), "parts": positive(int)})


def main(words):
    """Exit code."""
    return report_parts.exit_code("surface", draw, lambda: options(words), "the body has no points")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

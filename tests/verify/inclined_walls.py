#!/usr/bin/env python3
"""Laminar flow between inclined plane walls, which are bodies.

A band that crosses a periodic box leaves a channel between its two sides. The band is moved so that its walls
stand at the same place in their cells on all grids. The mean velocity has an exact value, that of a parabola.

along_z: the force acts along the walls in the third direction. The order is two at any angle.
plane: the force acts in the plane of the angle, and the pressure turns the flow along the walls. At 45
    degrees the order is two. At other angles the error is below 0.2 h/H + 4 (h/H)^2, H being the width of the
    channel.

Would catch: a wall that stands elsewhere than its body says, by a part of a cell; a force that the pressure
on an inclined wall does not balance."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
import kolmo_case as kc  # noqa: E402

PLACE = 0.3  # of the walls in their cells, in widths of a cell along x
ORDER = 1.8


def mean_error(kolmo, slope, n, along):
    """Error of the mean velocity, and h/H. slope: cells in x for each cell in y along the walls."""
    h = 1 / n
    width = 0.5 / math.hypot(1, slope)  # |x - slope y| < 1/4 is solid, and as much is fluid
    side, angle = 1 / slope, math.degrees(math.atan(1 / slope))
    dt = 0.15 * h * h
    force = {"x": 1.0, "z": 1.0}[along]
    r = kolmo.run({
        "run": {"steps_max": int(1.7 * width ** 2 / dt)}, "time": {"dt": dt}, "fluid": {"nu": 1.0},
        "grid": {"n": (n, n // slope, 2), "length": (1.0, side, 2 * h)}, "initial": {"type": "rest"},
        "pressure": {"tolerance": 1e-7}, "output": {"series_interval": 10, "bodies_interval": 0},
        "forcing": {"type": "pressure-gradient", "direction": along, "value": force},
        "bodies": {"shape": ("box",), "centre": (0.5 + PLACE * h, 0.5 * side, h),
                   "size": (3 * math.hypot(1, side), width, 1.0), "angles": (0.0, 0.0, angle)}})
    s = r.series()["momentum_" + along]
    turn = math.cos(math.radians(angle)) ** 2 if along == "x" else 1.0
    exact = 0.5 * force * turn * width ** 2 / 12
    drift = abs(s[-1] / s[-2] - 1)
    return s[-1] / exact - 1, h / width, drift


def judged(kolmo, check, slope, along, sizes, ordered):
    """Errors on some grids: their order, or that each is small."""
    errors = []
    for n in sizes:
        error, ratio, drift = mean_error(kolmo, slope, n, along)
        errors.append(error)
        check.below(f"slope 1:{slope}, force along {along}, {n} cells, error {100 * error:+.3f} %: change",
                    drift, 1e-3 * abs(error) + 1e-7)
        if not ordered:
            check.below("  its error", abs(error), 0.2 * ratio + 4 * ratio ** 2)
    if ordered:
        order = math.log(abs(errors[0] / errors[-1])) / math.log(sizes[-1] / sizes[0])
        check.above(f"slope 1:{slope}, force along {along}: order", order, ORDER)


def grids(kolmo, slope):
    """Numbers of cells in x."""
    return tuple(n * slope for n in ((16, 32, 64) if kolmo.options.long else (16, 32)))


def along_z(kolmo, check):
    """The third direction."""
    for slope in (1, 2, 3) if kolmo.options.long else (1, 2):
        judged(kolmo, check, slope, "z", grids(kolmo, slope), True)


def plane(kolmo, check):
    """In the plane of the angle."""
    for slope in (1, 2, 3) if kolmo.options.long else (1, 2):
        judged(kolmo, check, slope, "x", grids(kolmo, slope), slope == 1)


if __name__ == "__main__":
    kc.main(__doc__, [along_z, plane])

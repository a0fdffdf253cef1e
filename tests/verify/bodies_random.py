#!/usr/bin/env python3
"""Flows round random bodies: packings, surfaces of triangles, hollow bodies and slivers.

runs: each geometry is computed for some steps without a drive, or it is refused for a reason that a geometry
    can have. What runs has no divergence beyond the tolerance, no number that is not finite, and energy that
    never grows; some have the same bits on two ranks. With --long there are 300 geometries, else 12.
surfaces: inputs/cases/bodies_stl.py writes the files that lie beside it, bit for bit; the pieces of the hill
    meet to 1e-9 of its height.

Would catch: a region of fluid whose pressure has no solution, a wall distance that drives the flow, a surface
through whose edges fluid passes, a list that depends on the ranks."""
import os
import random
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(HERE, "..", "..", "inputs", "cases"))
import bodies_stl  # noqa: E402
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402

LONG, TOLERANCE = 300, 1e-9
SHORT = tuple(range(11)) + (126,)  # the last one, a hollow body in a wall, had other bits on two ranks
REASONS = ("thinner than a cell", "no face centre belongs", "fit", "fill the whole domain", "cut each other")
STEPS = 4


def random_stl(path, dice):
    """The boulder, stretched and sheared at random; seldom so that it cuts itself."""
    matrix = np.eye(3) + np.array([[dice.uniform(-0.5, 0.5) for _ in range(3)] for _ in range(3)])
    if np.linalg.det(matrix) < 0:
        matrix[:, 0] *= -1
    triangles = [[matrix @ np.array(p) for p in t] for t in bodies_stl.boulder()]
    with open(path, "wb") as file:
        file.write(b"".ljust(80) + struct.pack("<I", len(triangles)))
        for t in triangles:
            file.write(struct.pack("<12fH", 0, 0, 0, *(float(q) for p in t for q in p), 0))


def geometry(kind, dice, length, cells, place):
    """Inputs of random bodies."""
    h = max(a / b for a, b in zip(length, cells))

    def somewhere():
        return tuple(dice.uniform(0, a) for a in length)

    def turned():
        return tuple(dice.uniform(-180, 180) for _ in range(3))
    if kind == "packing":
        return {"packing": {"shape": dice.choice(("box", "sphere")), "count": dice.randint(1, 12),
                            "size": dice.uniform(1.5, 4) * h, "seed": dice.randint(0, 10 ** 6),
                            "gap": dice.choice((0.0, 0.3, 1.0, 2.0))}}
    if kind == "stl":
        path = os.path.join(place, "random.stl")
        random_stl(path, dice)
        return {"bodies": {"shape": ("stl",), "file": (path,), "centre": somewhere(), "angles": turned(),
                           "size": (dice.uniform(3, 7) * h, 0.0, 0.0)}}
    if kind == "hollow":  # a sealed cavity in a body
        centre, outer, inner = somewhere(), dice.uniform(7, 9) * h, dice.choice(("box", "sphere"))
        return {"bodies": {"shape": ("sphere", inner), "centre": centre * 2,
                           "size": (outer, 0.0, 0.0, 3 * h) + ((3 * h if inner == "box" else 0.0),) * 2,
                           "angles": (0.0,) * 3 + (turned() if inner == "box" else (0.0,) * 3),
                           "operation": ("add", "cut")}}
    return {"bodies": {"shape": ("box", "ellipsoid"), "centre": somewhere() + somewhere(),  # slivers
                       "size": (dice.uniform(1, 1.6) * h, 6 * h, 5 * h, dice.uniform(1, 2) * h, 5 * h, 6 * h),
                       "angles": turned() * 2, "thin_walls": dice.random() < 0.5}}


def made(number, place):
    """Case number `number`."""
    dice = random.Random(number)
    kind = ("packing", "stl", "hollow", "sliver")[number % 4]
    cells = tuple(dice.choice((14, 16, 18, 20)) for _ in range(3))
    length = tuple(dice.uniform(0.8, 1.2) * n / 16 for n in cells)
    walls = {"z_low": "wall", "z_high": "wall"} if dice.random() < 0.5 else {}
    bodies = geometry(kind, dice, length, cells, place)
    return kind, kc.merge({
        "run": {"steps_max": STEPS}, "grid": {"n": cells, "length": length}, "fluid": {"nu": 0.01},
        "time": {"cfl": 0.5}, "boundary": walls, "pressure": {"tolerance": TOLERANCE},
        "initial": {"type": "uniform", "velocity": (1.0, 0.3, 0.0 if walls else -0.2)},
        "output": {"series_interval": 1}}, bodies)


def judge(check, name, r):
    """A run that was not refused."""
    s = r.series()
    good = (np.isfinite(s["kinetic_energy"]).all() and s["divergence_max"].max() <= TOLERANCE
            and (np.diff(s["kinetic_energy"]) <= 1e-14).all())
    check.holds(name, good)


def runs(kolmo, check):
    """All geometries."""
    refused = 0
    numbers = range(LONG) if kolmo.options.long else SHORT
    for number in numbers:
        place = kolmo.place()
        kind, case = made(number, place)
        r = kolmo.run(case, rc=None)
        name = f"geometry {number}, {kind}"
        if r.rc == 2:
            refused += 1
            check.holds(f"{name}: refused for what it is", any(reason in r.text for reason in REASONS))
            continue
        if r.rc != 0:
            check.holds(f"{name}: {r.text[-200:]}", False)
            continue
        judge(check, name, r)
        if number % 6 == 0:
            other = kolmo.run(kc.merge(case, {"grid": {"ranks": (2, 1, 1)}}), ranks=2)
            check.holds("  the same bits on 2 ranks", all(np.array_equal(a, b) for a, b in zip(
                r.checkpoint().velocity, other.checkpoint().velocity)))
    check.below("part of the geometries that were refused", refused / len(numbers), 0.5)


def surfaces(kolmo, check):
    """The surfaces of the cases."""
    folder, cases = kolmo.place(), os.path.dirname(bodies_stl.__file__)
    for name, triangles in (("boulder.stl", bodies_stl.boulder()), ("hill.stl", bodies_stl.hill())):
        bodies_stl.write(os.path.join(folder, name), triangles)
        one, other = (kc.file_bytes(os.path.join(place, name)) for place in (folder, cases))
        check.holds(f"{name} is what the script writes", one == other)
    heights = [[sum(c[n] * x ** n for n in range(4)) for x in (low, high)]
               for low, high, c in bodies_stl.HILL]
    steps = [abs(a[1] - b[0]) for a, b in zip(heights, heights[1:])] + [abs(heights[0][0] - 28),
                                                                        abs(heights[-1][1])]
    check.below("steps between the pieces of the hill, in its height", max(steps) / 28, 1e-9)


if __name__ == "__main__":
    kc.main(__doc__, [surfaces, runs])

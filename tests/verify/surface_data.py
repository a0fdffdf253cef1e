#!/usr/bin/env python3
"""Pressure and shear on the surface of bodies: surface_<step>.h5 and surface_average.h5.

forces: on each body the sums of -pressure times area and of shear times face_area are the forces of bodies.nc
    to rounding, for both schemes, on stretched grids, with bodies that touch, turn or cross periodic faces.
layouts: the same points with the same bits on any number of ranks.
averages: they are the means of the files of all steps, weighted with the length of the steps; they continue
    through a restart with the same bits, and begin anew with another start.
geometry: the points of a sphere lie on it, the normals point away from its centre, the weights add up to its
    area and the area vectors to 0; those of a box on grid faces are exact.
shear: in a steady laminar flow along boxes each point has the exact shear; in vortices over a slab each point
    has that of the velocities beside it.
files: the XDMF index names every array; the Python package opens the files.
refused: bodies that move through the grid or vanish, no bodies, no forces.

Would catch: a half of a link that goes to a wrong cell, a normal that points inward, a pressure of one stage
alone, a sum that depends on the ranks, averages that a restart loses."""
import glob
import math
import os
import subprocess
import sys
import xml.etree.ElementTree as tree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(HERE, "..", "..", "postproc", "python"))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402

PLOT = os.path.join(HERE, "..", "..", "postproc", "plot", "surface.py")
BOX = (kc.TWO_PI, 4.5, 5.25)
GRID = {"n": (12, 10, 8), "length": BOX, "stretching": ("sine", "uniform", "tanh"),
        "stretching_factor": (0.3, 0.0, 1.2)}
START = {"type": "taylor-green", "amplitude": 0.8, "velocity": (0.4, -0.3, 0.2)}
# a sphere across the periodic faces, a box that touches it, and a cylinder through the domain that turns
BODIES = {"shape": ("sphere", "box", "cylinder"), "centre": (0.2, 1.2, 5.0, 1.9, 1.2, 4.6, 3.6, 3.1, 2.0),
          "size": (2.2, 0.0, 0.0, 1.6, 1.5, 1.4, 1.7, 0.0, 0.0), "axis": ("z", "z", "y"),
          "motion": ("none", "none", "rotate"), "rotation": (0.0, 0.0, 1.3)}
ARRAYS = ("position", "normal", "area", "face_area", "weight", "body", "pressure", "shear")


def case(scheme="rk3-half", bodies=BODIES, steps=6, more=None):
    """A run that writes the surface data of every second step, and their averages from the third step on."""
    return kc.merge({"run": {"steps_max": steps}, "grid": GRID, "fluid": {"nu": 0.05},
                     "time": {"scheme": scheme, "dt": 0.05}, "initial": START, "bodies": bodies,
                     "pressure": {"tolerance": 1e-9},
                     "output": {"surface_interval": 2, "surface_start": 0.1}}, more or {})


def read(path):
    """The arrays of a file without the dimensions of a field, and its numbers."""
    with h5py.File(path, "r") as f:
        return ({name: f[name][0, 0] for name in ARRAYS},
                {name: f.attrs[name] for name in f.attrs})


def surfaces(r):
    """All files of single steps: {step: arrays}."""
    paths = sorted(glob.glob(os.path.join(r.folder, "surface_0*.h5")))
    return {int(path[-11:-3]): read(path)[0] for path in paths}


def average(r):
    return read(os.path.join(r.folder, "surface_average.h5"))


def sums(s, body):
    """Force of the pressure and of the shear on a body."""
    own = s["body"] == body
    return (-(s["pressure"][own, None] * s["area"][own]).sum(axis=0),
            (s["shear"][own] * s["face_area"][own, None]).sum(axis=0))


def forces(kolmo, check):
    """Sums over the points against bodies.nc."""
    wall = {"y_low": "wall", "y_high": "wall"}
    kinds = (("rk3-half", BODIES, {}), ("rk3-wray", BODIES, {}),
             ("rk3-wray", BODIES, {"forcing": {"type": "bulk-velocity", "direction": "x", "value": 0.4}}),
             ("rk3-half", {"shape": ("box",), "centre": (3.0, 2.25, 2.0), "size": (2.0, 9.0, 1.7)},
              {"boundary": wall, "initial": {"type": "uniform", "amplitude": None,
                                             "velocity": (0.5, 0.0, 0.0)}}))
    for scheme, bodies, more in kinds:
        r = kolmo.run(case(scheme, bodies, 6, more))
        found = surfaces(r)
        check.equal(f"{scheme}, {len(bodies['shape'])} bodies: steps of the files", sorted(found), [2, 4, 6])
        f = kc.read_fields(os.path.join(r.folder, "bodies.nc"))
        for step, s in found.items():
            at = int(np.flatnonzero(f["step"][:] == step)[0])
            for n in range(len(bodies["shape"])):
                pressure, shear = sums(s, n + 1)
                for d in range(3):
                    scale = max(abs(f[f"{kind}_{e}"][at, n]) for kind in ("pressure", "viscous")
                                for e in "xyz")
                    wanted = f[f"viscous_{'xyz'[d]}"][at, n] + f[f"convective_{'xyz'[d]}"][at, n]
                    check.below(f"  step {step}, body {n + 1}, pressure along {'xyz'[d]}",
                                abs(pressure[d] - f[f"pressure_{'xyz'[d]}"][at, n]) / scale, 1e-12)
                    check.below("    shear", abs(shear[d] - wanted) / scale, 1e-12)


def differences(one, other):
    """Names of the arrays that differ in any bit."""
    return [name for name in ARRAYS if one[name].tobytes() != other[name].tobytes()]


def layouts(kolmo, check):
    """The same bits on any number of ranks."""
    some = ((4, (2, 1, 2)), (2, (2, 1, 1)), (4, (1, 2, 2)), (8, (2, 2, 2)))
    for scheme, layout in (("rk3-wray", some[:1]), ("rk3-half", some[2:3])):
        layout = some if kolmo.options.long else layout
        one = kolmo.run(case(scheme, steps=4))
        for ranks, of in layout:
            other = kolmo.run(case(scheme, steps=4, more={"grid": {"ranks": of}}), ranks=ranks)
            a, b = surfaces(one), surfaces(other)
            check.equal(f"{scheme}, {of}: steps", sorted(a), sorted(b))
            check.equal("  arrays that differ", [differences(a[n], b[n]) for n in a if n in b], [[], []])
            check.equal("  of the averages", differences(average(one)[0], average(other)[0]), [])


def averages(kolmo, check):
    """Averages over time, through restarts."""
    changing = {"time": {"dt": None, "cfl": 0.3}, "output": {"surface_interval": 1}}
    for scheme in ("rk3-half", "rk3-wray"):
        given = case(scheme, steps=8, more=changing)
        whole = kolmo.run(given)
        mean, about = average(whole)
        dt, sums_of = [], {"pressure": 0.0, "shear": 0.0}
        for path in sorted(glob.glob(os.path.join(whole.folder, "surface_0*.h5"))):
            s, numbers = read(path)
            if numbers["time"] - numbers["duration"] < 0.1 - 1e-9:
                continue
            dt.append(numbers["duration"])
            for name in sums_of:
                sums_of[name] = sums_of[name] + numbers["duration"] * s[name]
        check.above(f"{scheme}: steps before the start", 8 - len(dt), 0.5)
        check.equal("  steps in the averages", int(about["steps"]), len(dt))
        check.near("  their length", float(about["duration"]), sum(dt), 1e-13)
        for name, total in sums_of.items():
            check.below(f"  mean {name}", np.abs(total / sum(dt) - mean[name]).max(), 1e-13)
        folder = kolmo.place()
        kolmo.run(kc.merge(given, {"run": {"steps_max": 5}}), folder=folder)
        rest = kolmo.run(given, "--restart", "latest", folder=folder, ranks=2)
        check.equal("  restart on two ranks: arrays that differ", differences(mean, average(rest)[0]), [])
        a, b = surfaces(whole), surfaces(rest)
        check.equal("  files of steps", [differences(a[n], b[n]) for n in a], [[]] * len(a))
    folder = kolmo.place()
    kolmo.run(kc.merge(given, {"run": {"steps_max": 5}}), folder=folder)
    r = kolmo.run(kc.merge(given, {"output": {"surface_start": 0.0}}), "--restart", "latest", folder=folder)
    check.says("another start", r.text, "the averages on the surface of bodies begin here")
    check.equal("  steps in the averages", int(average(r)[1]["steps"]), 3)


def geometry(kolmo, check):
    """Places, normals and areas of a sphere and of a box on grid faces."""
    radius, centre = 0.9, np.array([1.03, 1.52, 1.41])
    for n in (16, 32):
        r = kolmo.run({"run": {"steps_max": 1}, "grid": {"n": (n, n, n), "length": (3.0, 3.0, 3.0)},
                       "fluid": {"nu": 0.1}, "time": {"dt": 1e-3}, "initial": {"type": "rest"},
                       "output": {"surface_interval": 1},
                       "bodies": {"shape": ("sphere",), "centre": tuple(centre), "size": (2 * radius, 0, 0)}})
        s = surfaces(r)[1]
        away = s["position"] - centre
        away -= 3 * np.round(away / 3)
        check.below(f"{n}^3: distance of the points from the sphere",
                    np.abs(np.linalg.norm(away, axis=1) - radius).max(), 1e-9)
        check.below("  normals", np.abs(s["normal"] - away / radius).max(), 1e-8)
        check.below("  sum of the area vectors", np.abs(s["area"].sum(axis=0)).max(), 1e-13)
        check.below("  sum of the weights over the area of the sphere - 1", 
                    abs(s["weight"].sum() / (4 * math.pi * radius ** 2) - 1), 0.48 / n)
        check.below("  volume from the points",
                    abs((away * s["area"]).sum() / 3 / (4 / 3 * math.pi * radius ** 3) - 1), 0.03)
    hole, half = np.array([1.03, 1.52, 2.0]), np.array([0.4, 0.4, 0.75])
    r = kolmo.run({"run": {"steps_max": 1}, "grid": {"n": (32, 32, 32), "length": (3.0, 3.0, 3.0)},
                   "fluid": {"nu": 0.1}, "time": {"dt": 1e-3}, "initial": {"type": "rest"},
                   "output": {"surface_interval": 1},
                   "bodies": {"shape": ("sphere", "box"), "centre": (*centre, *hole), "thin_walls": True,
                              "size": (2 * radius, 0, 0, *(2 * half)), "operation": ("add", "cut")}})
    s = surfaces(r)[1]
    outside = np.abs(np.linalg.norm(s["position"] - centre, axis=1) - radius) < 1e-9
    inside = np.abs((np.abs(s["position"] - hole) - half).max(axis=1)) < 1e-9
    check.equal("a sphere with a hole: points that are neither on it nor in the hole",
                int((~outside & ~inside).sum()), 0)
    check.above("  points in the hole", int((inside & ~outside).sum()), 1000)
    check.above("  their normals point into it",
                float((s["normal"] * (hole - s["position"])).sum(axis=1)[inside & ~outside].min()), 0.3)
    r = kolmo.run({"run": {"steps_max": 1}, "grid": {"n": (8, 6, 10), "length": (2.0, 1.5, 2.5)},
                   "fluid": {"nu": 0.1}, "time": {"dt": 1e-3}, "initial": {"type": "rest"},
                   "output": {"surface_interval": 1},
                   "bodies": {"shape": ("box",), "centre": (1.0, 0.5, 0.0), "size": (1.0, 0.5, 1.0)}})
    s = surfaces(r)[1]
    check.equal("box: number of points", len(s["body"]), 2 * (4 * 2 + 4 * 4 + 2 * 4))
    check.below("  weights are the faces", np.abs(s["weight"] - 0.0625).max(), 1e-14)
    check.below("  so are the area vectors", np.abs(s["area"] - 0.0625 * s["normal"]).max(), 1e-14)


def shear(kolmo, check):
    """Shear along flat surfaces: exact in a laminar channel, and at its place in a flow that varies."""
    h, height = 0.2, 2.0
    r = kolmo.run({"run": {"steps_max": 500}, "grid": {"n": (4, 14, 3), "length": (0.8, 14 * h, 0.6)},
                   "fluid": {"nu": 1.0}, "time": {"dt": 0.006}, "initial": {"type": "rest"},
                   "pressure": {"tolerance": 1e-10},
                   "forcing": {"type": "pressure-gradient", "direction": "x", "value": 1.0},
                   "output": {"surface_interval": 500},
                   "bodies": {"shape": ("box",), "centre": (0.4, 0.0, 0.3), "size": (2.0, 4 * h, 2.0)}})
    s = surfaces(r)[500]
    check.equal("channel of boxes: number of points", len(s["body"]), 2 * 4 * 3)
    check.below("  shear over the exact one - 1", np.abs(s["shear"][:, 0] / (height / 2) - 1).max(), 2e-3)
    check.below("  across the flow", np.abs(s["shear"][:, 1:]).max(), 1e-12)
    n, length = (16, 12, 10), (kc.TWO_PI, kc.TWO_PI, 5.0)
    h, nu = length[2] / n[2], 0.3
    r = kolmo.run({"run": {"steps_max": 1}, "grid": {"n": n, "length": length}, "fluid": {"nu": nu},
                   "time": {"dt": 1e-7}, "initial": {"type": "taylor-green", "amplitude": 1.0},
                   "pressure": {"tolerance": 1e-11}, "output": {"surface_interval": 1},
                   "bodies": {"shape": ("box",), "centre": (3.0, 3.0, 0.0), "size": (9.0, 9.0, 4 * h)}})
    s, f = surfaces(r)[1], r.checkpoint().fields
    at = np.round(s["position"][:, :2] / (length[0] / n[0], length[1] / n[1]) - 0.5).astype(int)
    row = np.where(s["normal"][:, 2] > 0, 2, n[2] - 3)
    for d, name, step in ((0, "u", (0, 0, 1)), (1, "v", (0, 1, 0))):
        high = np.roll(f[name], -1, axis=2 - d)
        wanted = nu * (f[name] + high)[row, at[:, 1], at[:, 0]] / h
        check.below(f"vortices over a slab: shear along {'xy'[d]} less that of the flow beside it",
                    np.abs(s["shear"][:, d] - wanted).max() / np.abs(wanted).max(), 1e-4)


def files(kolmo, check):
    """The index, and the Python package."""
    import kolmo as package
    check.says("--check", kolmo.run(case(), "--check").text, "surface data, each time",
               "host memory of surfaces")
    r = kolmo.run(case(steps=4))
    for stem, names in (("surface", 2), ("surface_average", 1)):
        grids = tree.parse(os.path.join(r.folder, f"{stem}.xdmf")).getroot().findall(".//Grid/Grid")
        grids = grids or tree.parse(os.path.join(r.folder, f"{stem}.xdmf")).getroot().findall(".//Grid")
        grids = [g for g in grids if g.find("Topology") is not None]
        check.equal(f"{stem}.xdmf: grids", len(grids), names)
        for g in grids:
            check.equal("  arrays", sorted(a.get("Name") for a in g.findall("Attribute")),
                        sorted(name for name in ARRAYS if name != "position"))
            for item in g.findall(".//DataItem"):
                path, name = item.text.strip().split(":/")
                with h5py.File(os.path.join(r.folder, path), "r") as f:
                    size = [int(n) for n in item.get("Dimensions").split()]
                    check.equal(f"  {name}: shape", size, list(f[name].shape))
    run = package.open(r.folder)
    check.equal("package: steps", run.surfaces.steps, [2, 4])
    check.holds("  the list of files", "surfaces" in run.files)
    s, last = surfaces(r)[4], run.surfaces.last
    for name in ARRAYS:
        check.holds(f"  {name}", np.array_equal(np.asarray(last[name].values), s[name]))
    for body in (1, 2, 3):
        check.below(f"  force on body {body}", np.abs(package.surface_force(last, body) -
                                                      sum(sums(s, body))).max(), 1e-13)
    check.equal("  all times", run.surfaces.stack("pressure").values.shape, (2, len(s["body"])))
    check.equal("  averages", float(run.surface_average.attrs["duration"]), float(average(r)[1]["duration"]))
    table, picture = os.path.join(r.folder, "round.txt"), os.path.join(r.folder, "round.png")
    drawn = subprocess.run([sys.executable, PLOT, "--body", "3", "--angle", "about-y", "--parts", "12",
                            "--table", table, "--to", picture, r.folder], capture_output=True, text=True,
                           check=False)
    check.equal("a figure: exit code", drawn.returncode, 0)
    angle, cp, _ = np.loadtxt(table, unpack=True)
    mean, own = average(r)[0], average(r)[0]["body"] == 3
    away = mean["position"][own] - (3.6, 3.1, 2.0)
    wanted = mean["pressure"][own] - np.average(mean["pressure"][own], weights=mean["weight"][own])
    part = (np.degrees(np.arctan2(-away[:, 2], -away[:, 0])) % 360 // 30).astype(int)
    for n, a in enumerate(angle):
        kept = part == int(a // 30)
        check.near(f"  coefficient of pressure at {a:g} degrees", float(cp[n]), float(
            2 * np.average(wanted[kept], weights=mean["weight"][own][kept])), 1e-4)
    try:
        kolmo.run(case(steps=1, more={"output": {"surface_start": None, "surface_interval": 1}}),
                  folder=(other := kolmo.place()))
        found = str(package.open(other).surface_average)
    except package.Unreadable as error:
        found = str(error)
    check.says("  without averages", found, "output.surface_start asks for it")


def refused(kolmo, check):
    """What has no surface data."""
    moving = {"shape": ("sphere",), "centre": (3.0, 2.2, 2.7), "size": (2.6, 0.0, 0.0)}
    for bodies, more, words in (
            (dict(moving, motion=("translate",), velocity=(0.1, 0.0, 0.0)), {}, "move through the grid"),
            (dict(moving, remove_time=(0.2,)), {}, "vanish (remove_time)"),
            (moving, {"output": {"bodies_interval": 0}}, "give output.bodies_interval = 1"),
            ({}, {}, "add a body")):
        for one in ({"surface_interval": None}, {"surface_start": None}):
            r = kolmo.run(kc.merge(case(bodies=bodies), {"output": one}, more), "--check", rc=2)
            check.says("refused", r.text, "surface_", words)


if __name__ == "__main__":
    kc.main(__doc__, [forces, layouts, averages, geometry, shear, files, refused])

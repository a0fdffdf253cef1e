#!/usr/bin/env python3
"""Flows round bodies that move through the grid.

reference: velocity, pressure, the momentum of faces that turn and the residual of the energy's budget are
    those of tests/reference/moving_bodies.py, which finds each face from its definition, for both schemes
    and several motions, on stretched grids. The mean of the pressure over the fluid is 0. The change of the
    fluid's momentum balances the forces and the term of faces that open and close in bodies.nc, to rounding;
    every cell is free of divergence to the tolerance.
layouts: the same bits on any number of ranks, forces included, also where a body crosses ranks and periodic
    faces.
restart: the same bits after a restart, bodies.nc included.
energy: the residual of the energy's budget falls with dt, with every motion and drive, also between walls.
towed: the force on a body towed through fluid at rest is that on the same body at rest in a stream.
limits: steps that are too long for the motion, bodies that meet others or a boundary, and what is not
    available with such bodies are refused by name; the length of the step follows the body's speed.

Would catch: a body that lags behind its time, a face that keeps the velocity of water that has left it,
pressure of 0 in a cell that becomes fluid, a right-hand side of a face that was closed, a list that depends
on the ranks."""
import functools
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(HERE, "..", "reference"))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402
import moving_bodies as mb  # noqa: E402
import navier_stokes as ns  # noqa: E402

BOX = (kc.TWO_PI, 4.5, 5.25)
GRID = {"n": (12, 10, 8), "length": BOX, "stretching": ("sine", "uniform", "tanh"),
        "stretching_factor": (0.3, 0.0, 1.2)}
START = {"type": "taylor-green", "amplitude": 0.8, "velocity": (0.4, -0.3, 0.2)}
CENTRE, DIAMETER = (5.0, 2.2, 2.7), 2.6
SPHERE = {"shape": ("sphere",), "centre": CENTRE, "size": (DIAMETER, 0.0, 0.0)}
# the first one crosses the periodic face in x
TOWED = dict(SPHERE, motion=("translate",), velocity=(1.1, 0.35, -0.6))
SHAKEN = dict(SPHERE, motion=("oscillate",), amplitude=(0.3, -0.2, 0.15), frequency=(0.9,), phase=(0.4,))
ANGLES, EDGES = (20.0, -35.0, 15.0), (2.6, 1.5, 2.1)
TURNED = {"shape": ("box",), "centre": CENTRE, "size": EDGES, "angles": ANGLES, "axis": ("y",),
          "motion": ("rotate",), "rotation": (0.9,)}
# time, place, angles of an ellipsoid that swings and turns; the rows are not at times of stages
SWING = np.array([[t, CENTRE[0] + 0.3 * math.sin(2 * t), CENTRE[1] + 0.2 * t, CENTRE[2] - 0.3 * t * t,
                   15 * t, 5 - 20 * math.sin(t), 10 * t] for t in (-0.04, 0.065, 0.115, 0.21, 0.29, 0.45)])
AXES = (2.8, 2.0, 1.6)
VELOCITY = 1e-11
PRESSURE = 1e-9


def case(scheme, shapes, steps=10, more=None):
    """A run of `steps` steps."""
    return kc.merge({"run": {"steps_max": steps}, "grid": GRID, "fluid": {"nu": 0.05},
                     "time": {"scheme": scheme, "dt": 0.05}, "initial": START, "bodies": shapes,
                     "pressure": {"tolerance": 1e-12}, "output": {"series_interval": 1}}, more or {})


def nearest(x, y, z, centre):
    """The way from the nearest image of a point to x, y, z."""
    return [q - c - length * np.round((q - c) / length) for q, c, length in zip((x, y, z), centre, BOX)]


def sphere(x, y, z):
    """Positive outside the sphere."""
    return np.sqrt(x ** 2 + y ** 2 + z ** 2) - DIAMETER / 2


def box(x, y, z):
    """Positive outside the box."""
    return np.maximum.reduce([abs(x) - EDGES[0] / 2, abs(y) - EDGES[1] / 2, abs(z) - EDGES[2] / 2])


def ellipsoid(x, y, z):
    """Positive outside the ellipsoid."""
    return (2 * x / AXES[0]) ** 2 + (2 * y / AXES[1]) ** 2 + (2 * z / AXES[2]) ** 2 - 1


def about(axis, angle):
    """The matrix of a rotation about a vector, by the series of the exponential."""
    x, y, z = np.array(axis) / np.linalg.norm(axis) * angle
    generator, term, out = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]), np.eye(3), np.eye(3)
    for n in range(1, 30):
        term = term @ generator / n
        out = out + term
    return out


def euler(degrees):
    """First about x, then about y, then about z."""
    a, b, c = np.radians(degrees)
    return about((0, 0, 1), c) @ about((0, 1, 0), b) @ about((1, 0, 0), a)


def spline(rows, t):
    """Numbers at a time, from cubics whose slopes at the rows are those of parabolas through three rows."""
    times, values = rows[:, 0], rows[:, 1:]

    def slope(i):
        m = min(max(i, 1), len(times) - 2)
        c = np.polyfit(times[m - 1:m + 2] - times[i], values[m - 1:m + 2], 2)
        return c[1]
    i = int(np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 2))
    h, s = times[i + 1] - times[i], (t - times[i]) / (times[i + 1] - times[i])
    return ((1 + 2 * s) * (1 - s) ** 2 * values[i] + s * (1 - s) ** 2 * h * slope(i) +
            s * s * (3 - 2 * s) * values[i + 1] + s * s * (s - 1) * h * slope(i + 1))


def pose(shapes):
    """Place of the centre and rotation of a body, and the function of its shape at rest."""
    kind = shapes["motion"][0]
    if kind == "translate":
        return (lambda t: np.array(CENTRE) + np.array(shapes["velocity"]) * t), (lambda t: np.eye(3)), sphere
    if kind == "oscillate":
        rate, phase = kc.TWO_PI * shapes["frequency"][0], shapes["phase"][0]
        return (lambda t: np.array(CENTRE) + np.array(shapes["amplitude"]) * math.sin(rate * t + phase)), (
            lambda t: np.eye(3)), sphere
    if kind == "rotate":
        rest = euler(ANGLES)
        return (lambda t: np.array(CENTRE)), (
            lambda t: about(rest @ np.array((0, 1, 0)), shapes["rotation"][0] * t) @ rest), box
    return (lambda t: spline(SWING, t)[:3]), (lambda t: euler(spline(SWING, t)[3:])), ellipsoid


FORCE = {"type": "formula", "fx": "0.3*sin(z)*cos(2*t) + 0.2", "fy": "0.4*cos(x + 3*t)",
         "fz": "0.1*y*exp(-x) - t"}  # fmt: skip


def force(x, y, z, t):
    """The same."""
    return (0.3 * np.sin(z) * np.cos(2 * t) + 0.2, 0.4 * np.cos(x + 3 * t) + 0 * y, 0.1 * y * np.exp(-x) - t)


def solver_of(grid, scheme, shapes):
    """The slow solver of a case."""
    place, turn, shape = pose(shapes)
    place, turn = (functools.lru_cache(None)(of) for of in (place, turn))

    def turned(x, y, z, t):
        way, q = nearest(x, y, z, place(t)), turn(t)
        return [sum(q[d][e] * way[d] for d in range(3)) for e in range(3)]

    def rate(of, t):  # no row of the file is as close as the step
        step = 1e-3
        return (8 * (of(t + step) - of(t - step)) - of(t + 2 * step) + of(t - 2 * step)) / (12 * step)

    def velocity(x, y, z, t):
        kind, way = shapes["motion"][0], nearest(x, y, z, place(t))
        v, w = np.zeros(3), np.zeros(3)
        if kind == "translate":
            v = np.array(shapes["velocity"])
        elif kind == "oscillate":
            fast = kc.TWO_PI * shapes["frequency"][0]
            v = np.array(shapes["amplitude"]) * fast * math.cos(fast * t + shapes["phase"][0])
        elif kind == "rotate":
            w = euler(ANGLES) @ np.array((0, 1, 0)) * shapes["rotation"][0]
        else:
            v, spin = rate(place, t), rate(turn, t) @ turn(t).T
            w = np.array((spin[2, 1], spin[0, 2], spin[1, 0]))
        return [v[d] + w[(d + 1) % 3] * way[(d + 2) % 3] - w[(d + 2) % 3] * way[(d + 1) % 3]
                for d in range(3)]
    solver = mb.MovingBodySolver(grid, 0.05, scheme, ns.initial_point_values(grid, START), shape, turned,
                                 velocity)
    solver.vel, _ = solver.project(solver.hold(solver.vel))
    return solver


def forces(result):
    """Variables of bodies.nc."""
    with h5py.File(os.path.join(result.folder, "bodies.nc"), "r") as f:
        return {name: f[name][:] for name in f if f[name].dtype.kind in "fi"}


def imbalance(result, solid):
    """Largest imbalance of momentum over the largest force. solid: the solid's momentum before each step and
    after the last."""
    b, size, worst = forces(result), 0.0, 0.0
    for d, c in enumerate("xyz"):
        fluid = result.series()["momentum_" + c] * BOX[0] * BOX[1] * BOX[2] - np.array(solid)[:, d]
        left = np.diff(fluid) / 0.05 + b["force_" + c][:, 0] + b["opening_" + c][:, 0]
        left = left - b.get("formula_force_" + c, 0.0)
        worst, size = max(worst, np.abs(left).max()), max(size, np.abs(b["force_" + c]).max())
    return worst / size


def reference(kolmo, check):
    """Velocity, pressure and momentum of the slow solver."""
    grid = ns.Grid(GRID["n"], BOX, (0, 0, 0), GRID["stretching"], GRID["stretching_factor"])
    with open(os.path.join(kolmo.place(), "swing.txt"), "w") as f:
        f.write("# time, place, angles\n" + "\n".join(" ".join(map(repr, map(float, row))) for row in SWING))
    swung = {"shape": ("ellipsoid",), "size": AXES, "motion": ("file",), "motion_file": (f.name,)}
    for scheme, shapes, drive in (("rk3-half", TOWED, FORCE), ("rk3-wray", SHAKEN, None),
                                  ("rk3-half", TURNED, None), ("rk3-wray", swung, FORCE)):
        name = f"{scheme}, {shapes['motion'][0]}{', force' if drive else ''}"
        solver = solver_of(grid, scheme, shapes)
        solver.field = force if drive else None
        lost, pushed, solid, turned, left = [], [], [solver.solid_momentum()], 0, []
        for _ in range(4):
            before, energy = [np.array(q) for q in solver.open], solver.energy()
            solver.step(0.05)
            left.append((solver.energy() - energy - solver.gain) / 0.05 / np.prod(BOX))
            lost.append(solver.lost)
            pushed.append(solver.pushed)
            solid.append(solver.solid_momentum())
            turned += sum(int(np.sum(a != b)) for a, b in zip(before, solver.open))
        driven = {"forcing": drive} if drive else {}
        r = kolmo.run(case(scheme, shapes, 4, driven))
        got, b = r.checkpoint(), forces(r)
        speed = max(np.abs(q).max() for q in solver.vel)
        check.above(f"{name}: faces that have turned", turned, 10)
        check.below(f"{name}: velocity", max(np.abs(a - q).max() for a, q in zip(got.velocity, solver.vel)) /
                    speed, VELOCITY)
        off = (got.fields["p"] - solver.p)[solver.live()]
        check.below(f"{name}: pressure but for a constant", (off.max() - off.min()) / speed ** 2, PRESSURE)
        in_fluid = np.where(solver.live(), grid.volume("ccc") * got.fields["p"], 0.0)
        check.below(f"{name}: mean of the pressure over the fluid", abs(in_fluid.sum()) / abs(in_fluid).sum(),
                    1e-9)
        check.below(f"{name}: divergence", got.scaled_divergence(), 1e-11)
        budget = r.series()["budget_residual"][1:]
        check.below(f"{name}: residual of the energy's budget, over the kinetic energy",
                    np.abs(budget[2:] - left[2:]).max() / r.series()["kinetic_energy"].max(), 1e-10)
        for d, c in enumerate("xyz"):
            check.below(f"{name}: momentum of faces that turn, {c}",
                        np.abs(b["opening_" + c][:, 0] - np.array(lost)[:, d]).max(), 1e-9)
            if drive:
                check.below(f"{name}: force on the fluid, {c}",
                            np.abs(b["formula_force_" + c] / np.array(pushed)[:, d] - 1).max(), 1e-12)
        # of a file, the velocity of the solid is known here from differences alone
        most = 1e-12 if shapes["motion"][0] != "file" else 1e-10
        check.below(f"{name}: balance of momentum", imbalance(r, solid), most)
        r = kolmo.run(case(scheme, shapes, 4,
                           {**driven, "pressure": {"tolerance": 1e-9, "stage_reduction": 0.1}}))
        check.below(f"{name}: the same if stages leave a part of the divergence", imbalance(r, solid), most)
        check.below(f"{name}: divergence then", r.checkpoint().scaled_divergence(), 1e-9)
        at = pose(shapes)[0](solver.t)
        check.below(f"{name}: position", max(abs(b["position_" + c][-1, 0] - at[d])
                                             for d, c in enumerate("xyz")), 1e-12)


def residual(result):
    """Mean magnitude of the residual of the energy's budget, over that of the change of energy."""
    s = result.series()
    left, change = s["budget_residual"][3:], np.diff(s["kinetic_energy"])[2:] / np.diff(s["time"])[2:]
    return np.abs(left).mean() / np.abs(change).mean()


def energy(kolmo, check):
    """The budget closes to the error in time, of which only faces that turn leave a part of first order."""
    walls = {"grid": {"n": (12, 10, 8), "stretching": None, "stretching_factor": None},
             "boundary": {"z_low": "wall", "z_high": "wall", "z_high_velocity": (0.4, 0.2, 0.0)},
             "initial": {"type": "rest", "amplitude": None, "velocity": None}}
    slides = dict(TOWED, velocity=(1.1, 0.35, 0.0))
    gradient = {"forcing": {"type": "pressure-gradient", "value": 0.7}}
    flows = (("rk3-half", "translate, gradient", TOWED, gradient),
             ("rk3-wray", "oscillate, rotating frame", SHAKEN, {"forcing": {"rotation": (0.5, 1.0, -0.7)}}),
             ("rk3-wray", "rotate", TURNED, {}), ("rk3-half", "translate between walls", slides, walls),
             ("rk3-wray", "translate, force", TOWED, {"forcing": FORCE}),
             ("rk3-half", "oscillate", SHAKEN, {}), ("rk3-half", "rotate", TURNED, {}))
    for scheme, name, shapes, more in flows if kolmo.options.long else flows[:4]:
        left = []
        for dt in (0.02, 0.005):
            given = case(scheme, shapes, round(0.4 / dt), {"time": {"dt": dt}})
            left.append(residual(kolmo.run(kc.merge(given, more))))
        check.below(f"{scheme}, {name}: residual of the energy's budget", left[0], 0.01)
        check.above(f"{scheme}, {name}: ratio of the residuals with dt and dt/4", left[0] / left[1], 3)


def same(check, name, a, b):
    """The same bits of the flow, of the forces and of the energy's budget."""
    for field in "uvwp":
        check.holds(f"{name}: {field}",
                    np.array_equal(a.checkpoint().fields[field], b.checkpoint().fields[field]))
    x, y = forces(a), forces(b)
    check.holds(f"{name}: bodies.nc", all(np.array_equal(x[n], y[n]) for n in x))
    left = [r.series()["budget_residual"] for r in (a, b)]
    check.holds(f"{name}: budget_residual",
                np.array_equal(*left, equal_nan=True) and np.isfinite(left[0][3:]).all())


# two spheres on different ways, and a box at rest
THREE = {"shape": ("sphere", "box", "cylinder"), "centre": (0.2, 1.2, 4.4, 3.2, 2.0, 1.2, 5.0, 3.6, 0.0),
         "size": (1.3, 0.0, 0.0, 1.1, 0.9, 0.8, 1.0, 0.0, 0.0), "axis": ("z", "z", "z"),
         "motion": ("translate", "none", "oscillate"), "velocity": (-0.9, 0.4, 0.3) + 6 * (0.0,),
         "amplitude": 6 * (0.0,) + (0.2, 0.15, 0.0), "frequency": (0.0, 0.0, 0.8)}


def layouts(kolmo, check):
    """The same bits on any number of ranks."""
    big = {"grid": {"n": (20, 16, 12)}, "pressure": {"tolerance": 1e-6}, "time": {"dt": 0.05}}
    one = kolmo.run(case("rk3-wray", THREE, 4, big))
    for ranks, layout in ((2, (2, 1, 1)), (4, (1, 2, 2)), (8, (2, 2, 2))):
        some = kolmo.run(kc.merge(case("rk3-wray", THREE, 4, big), {"grid": {"ranks": layout}}), ranks=ranks)
        same(check, f"{layout}", one, some)


def restart(kolmo, check):
    """The same bits after a restart on other ranks."""
    with open(os.path.join(kolmo.place(), "swing.txt"), "w") as f:
        f.write("# time, place, angles\n" + "\n".join(" ".join(map(repr, map(float, row))) for row in SWING))
    swung = {"shape": ("ellipsoid",), "size": AXES, "motion": ("file",), "motion_file": (f.name,)}
    for scheme, shapes in (("rk3-half", TOWED), ("rk3-wray", SHAKEN), ("rk3-half", TURNED),
                           ("rk3-wray", swung)):
        given = case(scheme, shapes, 8)
        whole = kolmo.run(given)
        folder = kolmo.place()
        kolmo.run(kc.merge(given, {"run": {"steps_max": 4}}), folder=folder)
        rest = kolmo.run(given, "--restart", "latest", folder=folder, ranks=2)
        same(check, f"{scheme}: restart", whole, rest)
    with open(swung["motion_file"][0], "a", encoding="utf-8") as f:
        f.write("\n0.6 5.1 2.3 2.5 7 -4 5\n")
    r = kolmo.other("kolmo-stats").call("--out", os.path.join(kolmo.place(), "stats"), folder, rc=2)
    check.says("kolmo-stats with a motion_file that has changed", r.text,
               "another geometry or motion", "bodies.motion_file")
    longer = kc.merge(given, {"run": {"steps_max": 10}})
    r = kolmo.run(longer, "--restart", "latest", folder=folder, rc=2)
    check.says("a motion_file that has changed", r.text, "another geometry or motion", "bodies.motion_file")
    r = kolmo.run(longer, "--restart", "latest", "--force-restart", folder=folder, ranks=2)
    check.says("forced", r.text, "a file that has changed", "the flow was projected")
    check.below("forced: divergence", r.checkpoint().scaled_divergence(), 1e-11)


def towed(kolmo, check):
    """A cylinder towed through fluid at rest, and the same one at rest in a stream."""
    n, length, h = (48, 32, 4), 6.0, 0.125
    common = {"run": {"steps_max": 80}, "grid": {"n": n, "length": (length, 4.0, 4 * h)},
              "fluid": {"nu": 0.05},
              "time": {"dt": 0.02}, "pressure": {"tolerance": 1e-8}, "output": {"series_interval": 10}}
    body = {"shape": ("cylinder",), "centre": (3.0, 2.0, 0.0), "size": (1.0, 0.0, 0.0)}
    stream = kolmo.run(kc.merge(common, {"bodies": body,
                                         "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)}}))
    still = kolmo.run(kc.merge(common, {
        "bodies": dict(body, motion=("translate",), velocity=(-1.0, 0.0, 0.0)), "initial": {"type": "rest"}}))
    a, b = forces(stream)["force_x"][:, 0], forces(still)
    # a fixed number of whole cells: 0.02 * 1.0 / 0.125 = 4 cells in 25 steps
    b = b["force_x"][:, 0]
    for first, last in ((30, 55), (55, 80)):
        mean = a[first:last].mean()
        check.near(f"mean force, steps {first} to {last}, {mean:.4f}", b[first:last].mean() / mean, 1, 0.02)


def limits(kolmo, check):
    """Refusals, and the length of the step."""
    r = kolmo.run(kc.merge(case("rk3-half", TOWED, 3), {"time": {"dt": 0.5}}), rc=2)
    check.says("a long step", r.text, "time.dt", "too long for the motion", "give time.dt up to")
    r = kolmo.run(kc.merge(case("rk3-half", TOWED, 3), {"time": {"dt": 0.5}}), "--check", rc=2)
    check.says("a long step, --check", r.text, "too long for the motion")
    fast, path = 1e61, os.path.join(kolmo.place(), "path.txt")
    with open(path, "w", encoding="ascii") as f:
        f.write("0 5.0 2.2 2.7\n1 1e61 2.2 2.7\n")
    for speed in (fast, 1e300):
        r = kolmo.run(case("rk3-half", dict(TOWED, velocity=(0.0, speed, 0.0)), 3), rc=2)
        check.says(f"a translation at {speed}", r.text, ".nml:", "bodies.velocity(2,1) = ", "is too fast for")
    for name, shapes in (("a translation by a path", dict(SPHERE, centre=None, motion=("file",),
                                                          motion_file=(path,))),
                         ("an oscillation", dict(SHAKEN, frequency=(fast,))),
                         ("a turn", dict(TURNED, rotation=(fast,))),
                         ("a surface that turns", dict(SPHERE, motion=("rotate",), rotation=(fast,)))):
        for words in ([], ["--check"]):
            r = kolmo.run(case("rk3-half", shapes, 3), *words, rc=2)
            check.says(f"{name}, too fast, {words}", r.text, ".nml:", "body 1 moves at a speed of up to",
                       "too fast for", "give it a slower motion")
    far = kolmo.run(case("rk3-half", dict(TOWED, centre=(1e60, 2.2, 2.7)), 3), rc=2)
    check.says("a body that is far away", far.text, "so far from the box", "move it into the box")
    late = kolmo.run(case("rk3-half", dict(SHAKEN, phase=(1e7,)), 3), rc=2)
    check.says("a phase without digits", late.text, "bodies.phase", "allowed: -1000000 <= phase <= 1000000")
    for more, words in (({"forcing": {"type": "bulk-velocity", "value": 1.0}}, "forcing.type"),
                        ({"bodies": {"operation": ("cut",)}}, "bodies.operation"),
                        ({"scalars": {"name": ("T",), "diffusivity": (0.1,)}}, "scalars are not available"),
                        ({"bodies": {"amplitude": (1.0, 0.0, 0.0)}}, "bodies.amplitude"),
                        ({"bodies": {"velocity": None}}, "bodies.velocity"),
                        ({"bodies": {"shape": ("plane",), "size": None}}, "plane")):
        r = kolmo.run(kc.merge(case("rk3-half", TOWED), more), "--check", rc=2)
        check.holds(f"{words} is refused by name", words in r.text)
    for text, words in (("0 1 1 1\n1 2 1 1\n", "covers the times"), ("0 1 1 1\n0 2 1 1\n", "not later"),
                        ("0 1 1\n1 2 1\n", "4 or 7 numbers"), ("# nothing\n", "two lines")):
        with open(os.path.join(kolmo.place(), "path.txt"), "w") as f:
            f.write(text)
        r = kolmo.run(case("rk3-half", {"shape": ("sphere",), "size": (1.0, 0.0, 0.0), "motion": ("file",),
                                        "motion_file": (f.name,)}, 30), rc=2)
        check.holds(f"a motion_file is refused: {words}", words in r.text)
    two = {"shape": ("ellipsoid", "sphere", "box"),
           "centre": (1.0, 0.8, 0.7, 1.5, 2.2, 2.6, 4.5, 2.2, 2.6),
           "size": (0.9, 0.9, 0.9, 1.4, 0.0, 0.0, 1.2, 1.2, 1.2),
           "motion": ("translate", "translate", "none"), "velocity": (0.01, 0.0, 0.0, 1.0, 0.0, 0.0)}
    r = kolmo.run(kc.merge(case("rk3-half", two, 100), {"grid": {"n": (24, 20, 16)}}), rc=None)
    check.holds("a body that meets another one ends the run", r.rc != 0)
    check.says("bodies that meet", r.text, "closer than a cell", "body 2 (sphere", "body 3 (box")
    r = kolmo.run(kc.merge(case("rk3-half", TOWED, 100), {"boundary": {"y_low": "wall", "y_high": "wall"},
                                                         "initial": {"type": "rest", "amplitude": None,
                                                                     "velocity": None}}), rc=None)
    check.says("a boundary", r.text, "closer than a cell to a boundary of the domain in y")
    rest = {"type": "rest", "amplitude": None, "velocity": None}
    grid = {"n": (16, 10, 8), "length": BOX, "stretching": None, "stretching_factor": None}
    slides = dict(SPHERE, centre=(0.6, 3.0, 2.7), size=(0.7, 0.0, 0.0), motion=("translate",),
                  velocity=(0.0, -1.0, 0.0))
    for low, high, enters, speed in (("inflow", "outflow", "x_low", 1.0),
                                     ("outflow", "inflow", "x_high", -1.0)):
        faces = {"x_low": low, "x_high": high, enters + "_velocity": (speed, 0.0, 0.0),
                 enters + "_window": (0.0, 1.0, 0.0, 1.0)}
        more = {"grid": grid, "initial": rest, "boundary": faces}
        r = kolmo.run(kc.merge(case("rk3-half", slides, 3), more), rc=2)
        check.says(f"a body that begins beside an {low} is refused", r.text,
                   "case.nml:", ": error: body 1",
                   "begins closer than a cell to a boundary of the domain in x")
    near = {"shape": ("box", "sphere"), "centre": (2.0, 2.2, 2.6, 2.9, 2.2, 2.6),
            "size": (1.0, 0.9, 0.9, 1.0, 0.0, 0.0), "motion": ("rotate", "none"), "rotation": (0.9, 0.0)}
    for words, ranks in (((), 1), ((), 2), (("--check",), 1)):
        r = kolmo.run(kc.merge(case("rk3-half", near, 3), {"grid": {"n": (24, 20, 16)}}), *words,
                      ranks=ranks, rc=2)
        check.says(f"a body that begins beside another is refused, {ranks} ranks {''.join(words)}", r.text,
                   "case.nml:", ": error: body 1 (box", "begins closer than a cell to body 2 (sphere")
    r = kolmo.run(kc.merge(case("rk3-half", TOWED, 3), {
        "time": {"dt": None, "cfl": 1.0}, "fluid": {"nu": 1e-4}, "initial": rest}))
    narrow = np.diff(ns.Grid(GRID["n"], BOX, (0, 0, 0), GRID["stretching"],
                             GRID["stretching_factor"]).xf[0]).min()
    check.below("the part of a cell that the body crosses in a step", 1.1 * r.series()["dt"][1] / narrow,
                0.5 * (1 + 1e-9))


if __name__ == "__main__":
    kc.main(__doc__, [reference, energy, layouts, restart, towed, limits])

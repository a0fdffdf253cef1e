#!/usr/bin/env python3
"""Flows round bodies at rest, and inside rotating ones.

reference: velocity and pressure after ten steps are those of tests/reference/bodies.py, which computes each
    term from its definition, for both schemes, several bodies and every kind of drive, on stretched grids.
balance: the change of momentum is the drive less the forces in bodies.nc, to rounding; the bulk velocity
    asked for is met to rounding; the energy of a flow that nothing drives falls.
layouts: the same bits on any number of ranks, forces included.
restart: the same bits after a restart, bodies.nc included.
added: bodies are put into the flow of a checkpoint.
changed: a restart with other bodies is refused, also if only a file of them has changed.
vanishing: the flow after bodies have vanished is that of the slow solver; the same bits across restarts.
stream: round a sphere between an inflow and an outflow, what enters leaves, the budget of the energy closes,
    and the bits are the same on any number of ranks.
walls: a channel made of two boxes on grid faces is the channel between walls of the grid, to rounding.
stages: the first two stages of a step save iterations, at an error far below that of the step.
first_stage: a first stage that takes its guess keeps momentum, layouts, restarts and the order in time.
smoothing: smoothing steps that follow from earlier solves are the same on any number of ranks and after a
    restart.
order: differences between runs with dt, dt/2 and dt/4 fall at second order under an oscillating force.
coefficients: those in bodies.nc and series.nc follow from the forces; the report shows them.
couette: the torque between a rotating cylinder and one at rest is the exact one.
fields: field files hold the share of the solid and the level set; a probe in a body says so.
spheres: the drag of a cubic array is that of the literature.
cylinders: the same of a square array of cylinders.
refused: what is not available with bodies is refused, by name.

Would catch: a wall on the wrong side, a drag of first order in time, a force after the projection, a sum that
depends on the ranks, a closed face that moves."""
import math
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(HERE, "..", "reference"))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402
import bodies  # noqa: E402
import navier_stokes as ns  # noqa: E402

REPORT = os.path.join(HERE, "..", "..", "postproc", "kolmo-report")

BOX = (kc.TWO_PI, 4.5, 5.25)
GRID = {"n": (12, 10, 8), "length": BOX, "stretching": ("sine", "uniform", "tanh"),
        "stretching_factor": (0.3, 0.0, 1.2)}
START = {"type": "taylor-green", "amplitude": 0.8, "velocity": (0.4, -0.3, 0.2)}
SPHERE = {"shape": ("sphere",), "centre": (3.0, 2.2, 2.7), "size": (2.6, 0.0, 0.0)}
# a sphere across the periodic faces of x and z, and a cylinder through the box
TWO = {"shape": ("sphere", "cylinder"), "centre": (0.2, 1.2, 5.0, 3.6, 3.1, 2.0),
       "size": (1.9, 0.0, 0.0, 1.7, 0.0, 0.0), "axis": ("z", "y")}
VELOCITY = 1e-11
PRESSURE = 1e-9
# the slow solver projects in each stage; without it, the first two leave a tenth of the divergence
EVERY_STAGE = {"pressure": {"stage_reduction": 0}}
# increments of the pressure by multigrid, repeated until the tolerance is met
SINGLE = {"pressure": {"multigrid_precision": "single"}}


def case(scheme, drive, shapes, steps=10, more=None):
    """A run of `steps` steps."""
    return kc.merge({"run": {"steps_max": steps}, "grid": GRID, "fluid": {"nu": 0.05},
                     "time": {"scheme": scheme, "dt": 0.05}, "initial": START, "bodies": shapes,
                     "pressure": {"tolerance": 1e-12}},
                    {"forcing": drive} if drive else {}, more or {})


def periodic(distance, box):
    """The distance function of a body and its images in neighbouring boxes."""
    def nearest(x, y, z):
        return np.minimum.reduce([distance(x - i * box[0], y - j * box[1], z - k * box[2])
                                  for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)])
    return nearest


def sphere(centre, diameter):
    """Distance to a sphere."""
    def distance(x, y, z):
        return np.sqrt((x - centre[0]) ** 2 + (y - centre[1]) ** 2 + (z - centre[2]) ** 2) - diameter / 2
    return distance


def cylinder_y(centre, diameter):
    """Distance to a cylinder along y through the whole box."""
    def distance(x, y, z):
        return np.sqrt((x - centre[0]) ** 2 + (z - centre[2]) ** 2) - diameter / 2 + 0 * y
    return distance


def both(a, b):
    """The union of two bodies."""
    return lambda x, y, z: np.minimum(a(x, y, z), b(x, y, z))


ONE_BODY = periodic(sphere((3.0, 2.2, 2.7), 2.6), BOX)
TWO_BODIES = both(periodic(sphere((0.2, 1.2, 5.0), 1.9), BOX),
                  periodic(cylinder_y((3.6, 3.1, 2.0), 1.7), BOX))
WAVE = {"type": "pressure-gradient", "direction": "y", "value": 0.2, "amplitude": 0.3, "frequency": 0.7,
        "phase": 0.4}
DRIVES = {
    "nothing": (None, {}),
    "oscillating force": (WAVE, {"along": 1,
                                 "force": lambda t: 0.2 + 0.3 * math.cos(kc.TWO_PI * 0.7 * t + 0.4)}),
    "bulk velocity": ({"type": "bulk-velocity", "direction": "x", "value": 0.35},
                      {"along": 0, "bulk": lambda t: 0.35}),
}
REFERENCE = (("rk3-wray", "oscillating force", SPHERE, ONE_BODY),
             ("rk3-half", "bulk velocity", TWO, TWO_BODIES),
             ("rk3-half", "nothing", SPHERE, ONE_BODY), ("rk3-half", "oscillating force", TWO, TWO_BODIES),
             ("rk3-wray", "bulk velocity", SPHERE, ONE_BODY))


def reference(kolmo, check):
    """Velocity and pressure of the slow solver."""
    grid = ns.Grid(GRID["n"], BOX, (0, 0, 0), GRID["stretching"], GRID["stretching_factor"])
    for scheme, name, shapes, body in REFERENCE if kolmo.options.long else REFERENCE[:2]:
        drive, options = DRIVES[name]
        solver = bodies.BodySolver(grid, 0.05, scheme, ns.initial_point_values(grid, START), body, **options)
        solver.vel, _ = solver.project(solver.hold(solver.vel))
        if solver.bulk is not None:  # the first step gives the flow the bulk velocity
            unit = [1.0 * solver.open[d] if d == solver.direction else np.zeros(grid.shape) for d in range(3)]
            unit, _ = solver.project(unit)
            lack = (solver.bulk(0) - solver.mean(solver.vel)) / solver.mean(unit)
            solver.vel = [a + lack * b for a, b in zip(solver.vel, unit)]
        for _ in range(10):
            solver.step(0.05)
        single = SINGLE if scheme == "rk3-half" else {}
        got = kolmo.run(case(scheme, drive, shapes, more=kc.merge(EVERY_STAGE, single))).checkpoint()
        speed = max(np.abs(q).max() for q in solver.vel)
        worst = max(np.abs(a - b).max() for a, b in zip(got.velocity, solver.vel))
        live = np.zeros(grid.shape, dtype=bool)
        for d in range(3):
            live |= solver.open[d] | ns.above(solver.open[d], d)
        off = (got.fields["p"] - solver.p)[live]
        check.below(f"{scheme}, {name}: velocity", worst / speed, VELOCITY)
        check.below(f"{scheme}, {name}: pressure but for a constant", (off.max() - off.min()) / speed ** 2,
                    PRESSURE)


def forces(result):
    """Variables of bodies.nc."""
    with h5py.File(os.path.join(result.folder, "bodies.nc"), "r") as f:
        return {name: f[name][:] for name in f if f[name].dtype.kind in "fi"}


def imbalance(result, dt, first=0):
    """Largest imbalance of momentum over the largest force, from record `first` on."""
    s, b = result.series(), forces(result)
    volume = BOX[0] * BOX[1] * BOX[2]
    worst, size = 0.0, 0.0
    for c in "xyz":
        momentum = s["momentum_" + c] * volume
        total = b["force_" + c].sum(axis=1)
        drive = np.zeros_like(total)
        if np.any(b["drive_" + c] != 0):  # the force acts on the open faces alone
            drive = s["force"][1:] * volume - b["drive_" + c]
        left = (momentum[1:] - momentum[:-1]) / dt - drive + total
        worst, size = max(worst, np.abs(left[first:]).max()), max(size, np.abs(total).max())
    return worst / size


def balance(kolmo, check):
    """Momentum, energy, bulk velocity."""
    for scheme in ("rk3-half", "rk3-wray"):
        r = kolmo.run(case(scheme, WAVE, TWO, more={"output": {"series_interval": 1}}))
        check.below(f"{scheme}: momentum", imbalance(r, 0.05), 1e-12)
        r = kolmo.run(case(scheme, WAVE, TWO, more=kc.merge(SINGLE, {"output": {"series_interval": 1}})))
        check.below(f"{scheme}: momentum with increments in single precision", imbalance(r, 0.05), 1e-12)
        r = kolmo.run(case(scheme, WAVE, TWO, more={"output": {"series_interval": 1},
                                                    "pressure": {"tolerance": 1e-9, "stage_reduction": 0.1}}))
        check.below(f"{scheme}: momentum if stages leave a part of the divergence", imbalance(r, 0.05), 1e-12)
        check.below(f"{scheme}: divergence of steps then", r.series()["divergence_max"][1:].max(), 1e-9)
        r = kolmo.run(case(scheme, DRIVES["bulk velocity"][0], TWO), "--set", "pressure.tolerance=1e-12")
        check.below(f"{scheme}: momentum at a bulk velocity", imbalance(r, 0.05, first=1), 1e-12)
        check.below(f"{scheme}: bulk velocity", np.abs(r.series()["momentum_x"][1:] - 0.35).max(), 1e-13)
        r = kolmo.run(case(scheme, None, TWO, steps=30))
        energy = r.series()["kinetic_energy"]
        check.above(f"{scheme}: the energy falls in each step", (energy[:-1] - energy[1:]).min(), 0)
        residual = np.abs(r.series()["budget_residual"][15:]).max() / r.series()["dissipation"].max()
        check.below(f"{scheme}: residual of the energy's budget over the dissipation", residual, 2e-3)


def same(check, name, a, b):
    """The same bits of the flow, of the series and of the forces."""
    for field in "uvwp":
        check.holds(f"{name}: {field}",
                    np.array_equal(a.checkpoint().fields[field], b.checkpoint().fields[field]))
    check.same(f"{name}: series.nc", kc.differing_arrays(a.series(), b.series(), kc.FROM_CLOCK))
    x, y = forces(a), forces(b)
    check.holds(f"{name}: bodies.nc", all(np.array_equal(x[n], y[n]) for n in x))


def layouts(kolmo, check):
    """The same bits on any number of ranks."""
    big = {"grid": {"n": (24, 20, 16)}, "pressure": {"tolerance": 1e-8}}
    layouts_all = ((2, (2, 1, 1)), (4, (1, 2, 2)), (8, (2, 2, 2)))
    for drive, some_layouts in ((WAVE, layouts_all[2:]), (DRIVES["bulk velocity"][0], layouts_all[:2])):
        one = kolmo.run(case("rk3-wray", drive, TWO, 2, big))
        for ranks, layout in layouts_all if kolmo.options.long else some_layouts:
            some = kolmo.run(kc.merge(case("rk3-wray", drive, TWO, 2, big), {"grid": {"ranks": layout}}),
                             ranks=ranks)
            same(check, f"{drive['type']}, {layout}", one, some)


def restart(kolmo, check):
    """The same bits after a restart on other ranks."""
    for scheme, drive in (("rk3-half", DRIVES["bulk velocity"][0]), ("rk3-wray", WAVE)):
        given = case(scheme, drive, TWO, 8, SINGLE if scheme == "rk3-half" else {})
        whole = kolmo.run(given)
        folder = kolmo.place()
        kolmo.run(kc.merge(given, {"run": {"steps_max": 4}}), folder=folder)
        rest = kolmo.run(given, "--restart", "latest", folder=folder, ranks=2)
        same(check, f"{scheme}: restart", whole, rest)


def added(kolmo, check):
    """Bodies put into a developed flow: by one input, with a word in the log, free of divergence."""
    folder = kolmo.place()
    before = case("rk3-half", WAVE, {}, 4)
    kolmo.run(before, folder=folder)
    more = kc.merge(case("rk3-half", WAVE, TWO, 8), {"output": {"directory": kolmo.place()}})
    start = kc.checkpoint_path(folder)
    r = kolmo.run(more, "--restart", start, rc=2)
    check.says("without the input", r.text, "bodies.shape", "none", "sphere",
               "or checkpoint.add_bodies = .true.")
    given = kc.merge(more, {"checkpoint": {"add_bodies": True}})
    r = kolmo.run(given, "--restart", start, folder=given["output"]["directory"])
    check.says("the log", r.text, "the checkpoint has no bodies: 2 are put into its flow")
    check.below("divergence", r.checkpoint().scaled_divergence(), 1e-11)
    check.below("momentum", imbalance(r, 0.05), 1e-12)
    r = kolmo.run(kc.merge(given, {"run": {"steps_max": 9}}), "--restart", "latest",
                  folder=given["output"]["directory"])
    check.holds("a later restart goes on with them", "are put into" not in r.text)
    r = kolmo.run(kc.merge(given, {"output": {"directory": None}}), "--restart", "latest", folder=folder)
    total, steps = r.series()["bodies_force_x"], r.series()["step"]
    check.holds("in the same folder: series.nc has the force on the bodies from then on, NaN before",
                np.isnan(total[steps <= 4]).all() and np.isfinite(total[steps > 4]).all() and steps[-1] == 8)
    r = kolmo.run(kc.merge(before, {"run": {"steps_max": 12}}), "--restart", "latest", folder=folder, rc=2)
    check.says("an input without bodies", r.text, "or checkpoint.remove_bodies = .true.")


def changed(kolmo, check):
    """Other bodies than those of the checkpoint are refused; so is another file of the same name."""
    folder = kolmo.place()
    listed = os.path.join(folder, "list.txt")
    with open(listed, "w", encoding="utf-8") as f:
        f.write("sphere 3.0 2.2 2.7 2.6 0 0\n")
    given = kc.merge(case("rk3-half", None, {}, 2), {"bodies_list": {"file": listed}})
    kolmo.run(given, folder=folder)
    more = kc.merge(given, {"run": {"steps_max": 4}})
    with open(listed, "w", encoding="utf-8") as f:
        f.write("sphere 3.0 2.2 2.7 2.65 0 0\n")
    r = kolmo.run(more, "--restart", "latest", folder=folder, rc=2)
    check.says("another list", r.text, "another geometry", "bodies_list.file")
    with open(listed, "w", encoding="utf-8") as f:
        f.write("! the same sphere\n\nsphere 3.0 2.2 2.7 2.6 0 0\n".replace("!", "#"))
    r = kolmo.run(more, "--restart", "latest", folder=folder, ranks=2)
    check.equal("the same bodies in another text: steps", r.steps()[-1], 4)
    folder = kolmo.place()
    kolmo.run(case("rk3-half", None, SPHERE, 2), folder=folder)
    other = kc.merge(case("rk3-half", None, SPHERE, 4), {"bodies": {"size": (2.4, 0.0, 0.0)}})
    check.says("another size", kolmo.run(other, "--restart", "latest", folder=folder, rc=2).text,
               "bodies.size")
    r = kolmo.run(other, "--restart", "latest", "--force-restart", folder=folder)
    check.says("forced", r.text, "the flow was projected")
    check.below("forced: divergence", r.checkpoint().scaled_divergence(), 1e-11)


def vanishing(kolmo, check):
    """Bodies that vanish: the flow of the slow solver, the same bits after restarts, one of two bodies."""
    grid = ns.Grid(GRID["n"], BOX, (0, 0, 0), GRID["stretching"], GRID["stretching_factor"])
    solver = bodies.BodySolver(grid, 0.05, "rk3-half", ns.initial_point_values(grid, START), ONE_BODY)
    solver.vel, _ = solver.project(solver.hold(solver.vel))
    for _ in range(4):
        solver.step(0.05)
    bare = ns.Solver(grid, 0.05, "rk3-half", "explicit", solver.vel)
    bare.vel, _ = bare.project(bare.vel)
    for _ in range(4):
        bare.step(0.05)
    gone = kc.merge(case("rk3-half", None, SPHERE, 8, EVERY_STAGE), {"bodies": {"remove_time": (0.2,)},
                                                        "output": {"field_interval": 4}})
    r = kolmo.run(gone)
    speed = max(np.abs(q).max() for q in bare.vel)
    check.below("velocity of the slow solver after the removal",
                max(np.abs(a - b).max() for a, b in zip(r.checkpoint().velocity, bare.vel)) / speed, VELOCITY)
    check.says("the log", r.text, "bodies have vanished, none are left")
    share = []
    for step in (4, 8):
        with h5py.File(os.path.join(r.folder, f"fields_{step:08d}.h5"), "r") as f:
            share.append(float(f["solid_share"][...].max()))
    check.equal("largest solid share in field files before and after", share, [1.0, 0.0])
    check.equal("records of bodies.nc", list(forces(r)["step"]), [1, 2, 3, 4])
    drive = DRIVES["bulk velocity"][0]
    for name, times in (("one of two", (0.2, -1.0)), ("one after the other", (0.3, 0.2))):
        given = kc.merge(case("rk3-wray", drive, TWO, 8), {
            "bodies": {"remove_time": times if min(times) > 0 else (times[0],)},
            "checkpoint": {"interval": 2}, "output": {"series_interval": 1}})
        whole = kolmo.run(given)
        series = whole.series()
        check.below(f"{name}: bulk velocity", np.abs(series["momentum_x"][1:] - 0.35).max(), 1e-12)
        for step in (2, 4, 6) if kolmo.options.long else (4,):
            folder = kolmo.place()
            kolmo.run(kc.merge(given, {"run": {"steps_max": step}}), folder=folder)
            rest = kolmo.run(given, "--restart", "latest", folder=folder, ranks=2)
            for field in "uvwp":
                check.holds(f"{name}: restart from step {step}: {field}", np.array_equal(
                    whole.checkpoint().fields[field], rest.checkpoint().fields[field]))
            check.holds(f"{name}: restart from step {step}: bodies.nc", all(
                np.array_equal(a, b) for a, b in zip(forces(whole).values(), forces(rest).values())))
    cubes = {"run": {"steps_max": 8}, "grid": {"n": (16, 16, 16), "length": kc.CUBE}, "fluid": {"nu": 0.05},
             "time": {"dt": 0.05}, "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)},
             "forcing": {"type": "bulk-velocity", "direction": "x", "value": 1.0},
             "packing": {"shape": "box", "count": 3, "size": 1.2, "align": True, "remove_time": 0.2},
             "history": {"interval": 2}, "output": {"series_interval": 1}}
    r = kolmo.run(cubes)
    with h5py.File(os.path.join(r.folder, "history.nc"), "r") as f:
        check.equal("the history begins when no body is left", list(f["step"][:]), [6, 8])
        check.near("time of the decay", f["time_of_decay"][-1], 0.2, 1e-12)
    check.equal("    in series.nc: records with an exponent before", np.isfinite(
        r.series()["decay_exponent"][:5]).sum(), 0)
    drive = {"forcing": {"type": "formula", "direction": None, "value": None, "fx": "sin(2*pi*y/ly)"}}
    driven = kolmo.run(kc.merge(cubes, drive, {"run": {"steps_max": 24}}))
    with h5py.File(os.path.join(driven.folder, "history.nc"), "r") as f:
        known = [np.isfinite(f[name][:]).sum() for name in ("time_of_decay", "decay_exponent")]
    check.equal("    with a force by formulas, which drives on, there is no decay",
                known + [np.isfinite(driven.series()["decay_exponent"]).sum()], [0, 0, 0])
    stays = kc.merge(cubes, {"packing": {"remove_time": None}, "history": {"interval": None}})
    first = kolmo.run(stays)
    rest = kolmo.run(kc.merge(stays, {"packing": dict.fromkeys(cubes["packing"]), "history": {"interval": 1},
                                      "run": {"steps_max": 30}, "checkpoint": {"remove_bodies": True}}),
                     "--restart", kc.checkpoint_path(first.folder, 8))
    with h5py.File(os.path.join(rest.folder, "history.nc"), "r") as f:
        check.near("taken out at a restart: time of the decay", f["time_of_decay"][-1], 22 * 0.05, 1e-12)
        check.holds("    its exponent", bool(np.isfinite(f["decay_exponent"][-1])))
    check.below("the force that holds the mean velocity of an empty box",
                np.abs(r.series()["force"][6:]).max(), 1e-11)
    r = kolmo.run(kc.merge(gone, {"time": {"dt": None, "cfl": 0.5},
                                  "run": {"steps_max": None, "t_end": 0.4}}))
    check.near("a step ends when the body vanishes", np.abs(r.series()["time"] - 0.2).min(), 0, 1e-14)
    for more, words in (({"operation": ("cut",)}, "would become solid"),
                        ({"remove_time": (0.0,)}, "above 0")):
        bad = kc.merge(gone, {"bodies": more})
        if "operation" in more:
            bad = kc.merge(bad, {"bodies": {"shape": ("sphere", "sphere"), "centre": (3.0, 2.2, 2.7) * 2,
                                            "size": (2.6, 0.0, 0.0, 1.0, 0.0, 0.0),
                                            "operation": ("add", "cut"), "remove_time": (0.2, 0.2)}})
        check.says("refused", kolmo.run(bad, "--check", rc=2).text, words)
    for more, words in (({"scalars": {"name": ("c",), "diffusivity": (0.01,)}}, "scalars are not available"),
                        ({"bodies": {"motion": ("translate",), "velocity": (0.1, 0.0, 0.0)}},
                         "with a remove_time")):
        check.says("refused", kolmo.run(kc.merge(gone, more), "--check", rc=2).text, words)


def stream(kolmo, check):
    """A sphere between an inflow and an outflow."""
    given = {"run": {"steps_max": 40}, "fluid": {"nu": 0.02}, "time": {"dt": 0.03},
             "grid": {"n": (24, 16, 12), "length": (3.0, 2.0, 1.5),
                      "stretching": ("uniform", "tanh", "uniform"), "stretching_factor": (0.0, 1.2, 0.0)},
             "initial": {"type": "rest"}, "pressure": {"tolerance": 1e-11},
             "boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0), "x_high": "outflow",
                          "y_low": "slip", "y_high": "slip"},
             "bodies": {"shape": ("sphere",), "centre": (1.1, 1.03, 0.76), "size": (0.7, 0.0, 0.0)},
             "output": {"series_interval": 1}}
    one = kolmo.run(given)
    some = kolmo.run(kc.merge(given, {"grid": {"ranks": (2, 2, 1)}}), ranks=4)
    same(check, "4 ranks", one, some)
    s = one.series()
    check.below("volume in less out", np.abs(s["flux_in"] - s["flux_out"]).max() / 3, 1e-12)
    check.below("residual of the energy's budget over the dissipation",
                np.abs(s["budget_residual"][20:]).max() / s["dissipation"].max(), 1e-3)
    check.above("the stream drags the sphere along", forces(one)["force_x"][20:].min(), 0.1)


def walls(kolmo, check):
    """Boxes on grid faces against walls of the grid."""
    n, h, steps = (8, 10, 6), 0.25, 20
    common = {"run": {"steps_max": steps}, "fluid": {"nu": 0.05}, "time": {"dt": 0.02},
              "pressure": {"tolerance": 1e-13},
              "forcing": {"type": "pressure-gradient", "direction": "x", "value": 1.0}}
    for scheme in ("rk3-half", "rk3-wray"):
        case_ = kc.merge(common, {"time": {"scheme": scheme}, "initial": {"type": "rest"}})
        solid = kolmo.run(kc.merge(case_, {
            "grid": {"n": (n[0], n[1] + 4, n[2]), "length": (2.0, (n[1] + 4) * h, 1.5)},
            "bodies": {"shape": ("box",), "centre": (1.0, 0.0, 0.75), "size": (4.0, 4 * h, 3.0)}}))
        plain = kolmo.run(kc.merge(case_, {
            "grid": {"n": n, "length": (2.0, n[1] * h, 1.5)},
            "boundary": {"y_low": "wall", "y_high": "wall"}}))
        u = solid.checkpoint().fields["u"][:, 2:-2, :]
        v = plain.checkpoint().fields["u"]
        check.below(f"{scheme}: a channel of boxes is the channel between walls", np.abs(u - v).max(),
                    1e-13 * np.abs(v).max())


def stages(kolmo, check):
    """The first two stages of a step leave a tenth of the divergence, with half the iterations and an error
    far below that of the step."""
    kept = {}
    for name, more in (("preset", {}), ("every stage", EVERY_STAGE), ("half the step", kc.merge(
            EVERY_STAGE, {"run": {"steps_max": 40}, "time": {"dt": 0.01}}))):
        asked = case("rk3-half", WAVE, TWO, 20, kc.merge({"time": {"dt": 0.02}}, more))
        kept[name] = kolmo.run(kc.merge(asked, {"pressure": {"tolerance": 1e-6}}))
    velocity = {n: np.array(r.checkpoint().velocity) for n, r in kept.items()}
    of = velocity["every stage"]
    step = np.sqrt(np.mean((velocity["half the step"] - of)**2))
    check.below("error of the stages over that of the step",
                np.sqrt(np.mean((velocity["preset"] - of)**2)) / step, 0.25)
    count = {n: r.series()["pressure_iterations"][5:].mean() for n, r in kept.items()}
    check.below("iterations over those of every stage", count["preset"] / count["every stage"], 0.75)
    check.below("div u after the step", kept["preset"].series()["divergence_max"][5:].max(), 1e-6)


def first_stage(kolmo, check):
    """A first stage that takes the guess as its pressure: iterations, error, momentum, bits."""
    preset = {"pressure": {"tolerance": 1e-6}, "time": {"dt": 0.02}}
    solved = kc.merge(preset, {"pressure": {"first_stage": "solved"}})
    kept = {n: kolmo.run(case("rk3-half", WAVE, TWO, 20, more)) for n, more in (
        ("preset", preset), ("solved", solved),
        ("half the step", kc.merge(solved, {"run": {"steps_max": 40}, "time": {"dt": 0.01}})))}
    velocity = {n: np.array(r.checkpoint().velocity) for n, r in kept.items()}
    step = np.sqrt(np.mean((velocity["half the step"] - velocity["solved"])**2))
    left = np.sqrt(np.mean((velocity["preset"] - velocity["solved"])**2))
    check.below("error of the first stage over that of the step", left / step, 0.3)
    check.holds("the first stage is not solved for", left > 0)
    count = {n: r.series()["pressure_iterations"][10:].mean() for n, r in kept.items()}
    check.below("iterations over those with a solve", count["preset"] / count["solved"], 0.8)
    check.below("div u after the step", kept["preset"].series()["divergence_max"][5:].max(), 1e-6)
    check.below("momentum", imbalance(kept["preset"], 0.02), 1e-12)
    given = case("rk3-half", WAVE, TWO, 14, kc.merge(preset, {"checkpoint": {"interval": 11, "keep": 2}}))
    one = kolmo.run(given)
    four = kolmo.run(given, "--profile", ranks=4)
    same(check, "four ranks", one, four)
    sent = re.search(r"^ +faces +([\d.]+) ", four.text, re.M)  # ranks form the other halos of the pressure
    check.below("exchanges of the pressure's halo alone, a step", float(sent.group(1)), 1.3)
    again = kolmo.run(given, "--restart", kc.checkpoint_path(one.folder, 11), ranks=2)
    check.same("restart", kc.differing_arrays(one.checkpoint(14).fields, again.checkpoint(14).fields))
    every = kolmo.run(kc.merge(given, {"pressure": {"first_stage": "solved"}}))
    double = kolmo.run(kc.merge(given, {"pressure": {"multigrid_precision": "double"}}))
    check.below("in double precision the first stage is solved for: the same flow to the tolerance",
                np.abs(np.array(double.checkpoint().velocity)
                       - np.array(every.checkpoint().velocity)).max(), 1e-5)


def smoothing(kolmo, check):
    """The number of smoothing steps of a solve follows from the solves before: the same on any number of
    ranks, and after a restart, for which the checkpoint has what they achieved."""
    part = kc.TWO_PI / 4
    bed = {"shape": ("sphere",) * 8, "size": (0.95 * 2 * part, 0.0, 0.0) * 8,
           "centre": tuple(part * c for x in (1, 3) for y in (1, 3) for z in (1, 3) for c in (x, y, z))}
    given = {"run": {"steps_max": 18}, "grid": {"n": (48, 48, 48)}, "fluid": {"reynolds": 1600.0},
             "initial": {"type": "taylor-green"}, "bodies": bed, "checkpoint": {"interval": 12, "keep": 2},
             "pressure": {"preconditioner": "multigrid"}}
    one = kolmo.run(given)
    same(check, "four ranks", one, kolmo.run(given, ranks=4))
    begin = kc.checkpoint_path(one.folder, 12)
    again = kolmo.run(given, "--restart", begin, ranks=2)
    check.same("restart", kc.differing_arrays(one.checkpoint(18).fields, again.checkpoint(18).fields))
    for path in (kc.checkpoint_path(one.folder, 18), kc.checkpoint_path(again.folder, 18)):
        with h5py.File(path, "r") as h:
            state = dict(h["state"].attrs)
            check.holds("strong smoothing was measured", state["smoothing_steps"] >= 3
                        and state["smoothing_reduction"] > 20 and state["smoothing_gain"] > 1)
    empty = kolmo.run({**given, "run": {"steps_max": 2}, "bodies": {}})
    with h5py.File(kc.checkpoint_path(empty.folder, 2), "r") as h:
        check.holds("none without bodies", h["state"].attrs["smoothing_steps"] == 0)


def order(kolmo, check):
    """Second order in time."""
    for scheme, least in (("rk3-half", 1.8), ("rk3-wray", 1.7)):
        runs = []
        for steps in (10, 20, 40):
            drive = {"type": "pressure-gradient", "direction": "x", "value": 0.0, "amplitude": 1.0,
                     "frequency": 1.0}
            runs.append(kolmo.run(kc.merge(case(scheme, drive, SPHERE, steps), {
                "time": {"dt": 0.25 / steps},
                "initial": {"type": "rest", "amplitude": None, "velocity": None},
                "fluid": {"nu": 0.02}})))
        flows = [np.concatenate([q.ravel() for q in r.checkpoint().velocity]) for r in runs]
        d = [float(np.sqrt(np.mean((a - b) ** 2))) for a, b in zip(flows, flows[1:])]
        check.above(f"{scheme}: order ({d[0]:.2e}, {d[1]:.2e})", math.log2(d[0] / d[1]), least)


def couette(kolmo, check):
    """The torque of the flow between cylinders, and its energy budget."""
    inner, outer, nu, length = 0.5, 1.0, 0.1, 2.2
    for n in (48, 64) if kolmo.options.long else (32,):
        h = length / n
        r = kolmo.run({
            "run": {"steps_max": n * n // 5}, "grid": {"n": (n, n, 4), "length": (length, length, 4 * h)},
            "fluid": {"nu": nu}, "time": {"dt": 0.2 * h * h / nu}, "pressure": {"tolerance": 1e-8},
            "initial": {"type": "rest"}, "output": {"series_interval": 50, "bodies_interval": 50},
            "bodies": {"shape": ("box", "cylinder", "cylinder"),
                       "centre": (1.1, 1.1, 2 * h, 1.1, 1.1, 0.0, 1.1, 1.1, 0.0),
                       "size": (length, length, 4 * h, 2 * outer, 0.0, 0.0, 2 * inner, 0.0, 0.0),
                       "operation": ("add", "cut", "add"), "motion": ("none", "none", "rotate"),
                       "rotation": (0.0, 0.0, 1.0)}})
        torque = forces(r)["torque_z"][-1]
        exact = 4 * math.pi * nu * inner ** 2 * outer ** 2 / (outer ** 2 - inner ** 2) * 4 * h
        check.near(f"{n} cells: torque on the inner cylinder over the exact one", torque[2] / exact, -1, 0.02)
        check.near("    on the outer one", torque[:2].sum() / exact, 1, 0.01)
        check.below("    their sum", abs(torque.sum()) / exact, 0.01)
        s = r.series()
        check.below("    residual of the energy's budget over the power",
                    abs(s["budget_residual"][-1]) * length ** 2 * 4 * h / exact, 1e-4)


def turning(kolmo, check):
    """Bodies that turn in their place: what cuts them is refused, what leaves their surface whole is not."""
    wall = {"z_low": "wall", "z_high": "wall"}
    rod = {"shape": ("cylinder", "box"), "centre": (1.1, 1.2, 1.0, 2.2, 1.2, 1.0),
           "size": (0.9, 0.0, 0.0, 0.5, 0.5, 0.5), "motion": ("rotate", "none"), "rotation": (1.5, 0.0)}
    ball = {"shape": ("sphere",), "centre": (1.1, 1.2, 1.0), "size": (0.9, 0.0, 0.0), "motion": ("rotate",),
            "rotation": (1.5,), "axis": ("x",)}
    pocket = {"shape": ("ellipsoid",), "centre": (0.342, 1.7097, 0.362), "size": (0.6716, 0.6716, 1.0074),
              "motion": ("rotate",), "rotation": (1.5,)}
    base = {"run": {"steps_max": 3}, "grid": {"n": (14, 12, 10), "length": (2.9, 2.4, 2.0)},
            "fluid": {"nu": 0.02}, "initial": {"type": "rest"}, "pressure": {"tolerance": 1e-7}}
    small = {"grid": {"n": (10, 14, 12), "length": (2.75, 2.51, 2.05)}, "bodies": pocket,
             "boundary": {"x_low": "slip", "x_high": "slip", **wall}}
    for name, more, words in (
            ("a box in a rod", {"bodies": dict(rod, centre=(1.1, 1.2, 1.0, 1.6, 1.2, 1.0))},
             ("error: body 1 (cylinder", "and body 2 (box", "overlaps it (bodies.shape(2), ")),
            ("a ball in a wall", {"boundary": wall, "bodies": dict(ball, centre=(1.1, 1.2, 0.3))},
             ("error: body 1 (sphere", "a boundary of the domain cuts it")),
            ("a ball that closes off cells", small,
             ("error: body 1 (ellipsoid", "closes off a region of 1 cells"))):
        texts = []
        for ranks, args in ((1, ()), (3, ()), (1, ("--check",))):
            r = kolmo.run(kc.merge(base, more), *args, ranks=ranks, rc=2)
            texts.append(re.sub(r"[^ ]*case.nml", "case.nml", r.err))
        check.says(f"{name} is refused", texts[0], *words)
        lines = {re.search("case.nml:.*", text)[0] for text in texts}
        check.holds("    in the same words on 3 ranks and by --check", len(lines) == 1, str(lines))
    for name, more in (("a rod from wall to wall beside a box", {"boundary": wall, "bodies": rod}),
                       ("a ball above a wall", {"boundary": wall, "bodies": ball}),
                       ("a rod across periodic faces", {"bodies": rod})):
        r = kolmo.run(kc.merge(base, more))
        check.below(f"{name} runs: divergence", r.series()["divergence_max"][-1], 1e-6)
        check.above("    kinetic energy", r.series()["kinetic_energy"][-1], 1e-6)


def closed_off(kolmo, check):
    """A cell that a body closes off at an outflow, or at an inflow where there is none, is refused."""
    rod = {"shape": ("cylinder",), "size": (0.53, 0.583, 0.0), "axis": ("x",)}
    base = {"run": {"steps_max": 2}, "grid": {"n": (14, 16, 10), "length": (2.57, 2.48, 2.69)},
            "fluid": {"nu": 0.02}, "initial": {"type": "rest"}}
    for high, more in (("outflow", {}), ("inflow", {"x_high_velocity": (1.0, 0.0, 0.0)})):
        faces = {"x_low": "inflow", "x_high": high, "x_low_velocity": (1.0, 0.0, 0.0), "y_low": "slip",
                 "y_high": "slip", **more}
        near = kc.merge(base, {"boundary": faces, "bodies": dict(rod, centre=(2.191, 1.43, 1.597))})
        for ranks, args in ((1, ()), (2, ()), (1, ("--check",))):
            r = kolmo.run(near, *args, ranks=ranks, rc=2)
            check.says(f"an {high}, {ranks} ranks {' '.join(args)}", r.err, "case.nml:",
                       f": error: the bodies close off a region of 1 cells at an {high}")
        r = kolmo.run(kc.merge(near, {"bodies": {"centre": (1.9, 1.43, 1.597)}}))
        check.below(f"two cells from the {high} it runs: divergence", r.series()["divergence_max"][-1], 1e-5)


def picture(kolmo, check):
    """--check --picture on one rank and two; what is refused."""
    folder = kolmo.place()
    path = kolmo.write(case("rk3-wray", {"type": "none"}, SPHERE), folder)
    names = [os.path.join(folder, f"{n}.png") for n in (1, 2)]
    for n, name in enumerate(names, 1):
        r = kolmo.call(path, "--check", "--picture", f"y=2.2:{name}", ranks=n)
        check.says(f"on {n} ranks", r.text, "Picture of the bodies: " + name)
    one, two = (kc.file_bytes(name) for name in names)
    os.mkfifo(os.path.join(folder, "pipe"))
    check.holds("the same file", one == two and one[:8] == b"\x89PNG\r\n\x1a\n")
    for words, told in ((("--check", "--picture", "y=99:x.png"), "lies outside the domain"),
                        (("--check", "--picture", "y=1"), "a plane and a file are wanted"),
                        (("--check", "--picture", "y=z:x.png"), "'z' is not a number"),
                        (("--check", "--picture", f"y=1:{folder}/none/x.png"), "none/x.png"),
                        (("--check", "--picture", f"y=1:{folder}/pipe"), "it is a pipe"),
                        (("--picture", "y=1:x.png"), "give --check, too")):
        check.says(" ".join(words), kolmo.call(path, *words, rc=4 if folder in words[-1] else 2).text, told)


def fields(kolmo, check):
    """The share of the solid and the level set in field files, and probes inside a body."""
    points = (3.0, 2.2, 2.7, 0.3, 0.4, 0.5, 3.0, 3.6, 2.7)
    run = kolmo.run(kc.merge(case("rk3-half", None, SPHERE, 2), {
        "output": {"field_interval": 1, "field_precision": "double"}, "grid": {"ranks": (1, 2, 1)},
        "probes": {"position": points, "interval": 1}}), ranks=2)
    with h5py.File(os.path.join(run.folder, "fields_00000002.h5"), "r") as file:
        share, level = file["solid_share"][...], file["level_set"][...]
        faces = [file[f"grid/{d}_face"][...] for d in "xyz"]
    inner = [f[:-1, None] + np.diff(f)[:, None] * (np.arange(4) + 0.5) / 4 for f in faces]
    x, y, z = (p.ravel() for p in inner)
    solid = ONE_BODY(x[None, None, :], y[None, :, None], z[:, None, None]) < 0
    n = [f.size - 1 for f in faces]
    wanted = solid.reshape(n[2], 4, n[1], 4, n[0], 4).mean(axis=(1, 3, 5))
    check.below("solid share", float(np.max(np.abs(share - wanted))), 1 / 32)
    check.below("  its volume", abs(float((share - wanted).sum()) / wanted.sum()), 1e-3)
    centre = [0.5 * (f[1:] + f[:-1]) for f in faces]
    distance = ONE_BODY(centre[0][None, None, :], centre[1][None, :, None], centre[2][:, None, None])
    near = np.abs(distance) < 0.2
    check.below("level set near the surface", float(np.max(np.abs(level - distance)[near])), 1e-6)
    check.holds("  its sign, and no larger", (np.sign(level) == np.sign(distance)).all()
                and (np.abs(level) <= np.abs(distance) + 1e-6).all())
    index = open(os.path.join(run.folder, "fields.xdmf"), encoding="utf-8").read()
    check.says("index", index, "solid_share", "level_set")
    check.says("a probe in a body", run.text, "probe 1 at 3, 2.2, 2.7 lies in body 1")
    check.holds("  the others do not", "probe 2 at" not in run.text and "probe 3 at" not in run.text)
    with h5py.File(os.path.join(run.folder, "probes.nc"), "r") as file:
        check.equal("  in_body", list(file["in_body"][:]), [1, 0, 0])
    without = kolmo.run(kc.merge(case("rk3-half", None, SPHERE, 1), {
        "output": {"field_interval": 1, "fields_bodies": False}}))
    with h5py.File(os.path.join(without.folder, "fields_00000001.h5"), "r") as file:
        check.holds("not asked for", "solid_share" not in file)
    towed = kolmo.run(kc.merge(case("rk3-half", None, dict(SPHERE, motion=("translate",),
                                                           velocity=(1.1, 0.35, -0.6)), 2),
                               {"output": {"field_interval": 1, "field_precision": "double"}}))
    with h5py.File(os.path.join(towed.folder, "fields_00000002.h5"), "r") as file:
        level, t = file["level_set"][...], float(file.attrs["time"])
    there = periodic(sphere((3.0 + 1.1 * t, 2.2 + 0.35 * t, 2.7 - 0.6 * t), 2.6), BOX)
    distance = there(centre[0][None, None, :], centre[1][None, :, None], centre[2][:, None, None])
    near = np.abs(distance) < 0.2
    check.below("level set of a body on its way", float(np.max(np.abs(level - distance)[near])), 1e-6)


def spheres(kolmo, check):
    """The drag of a simple cubic array of spheres against Zick and Homsy (1982)."""
    for n, most in ((16, 0.005), (24, 0.002)) if kolmo.options.long else ((16, 0.005),):
        diameter, speed, dt = (6 * 0.125 / math.pi) ** (1 / 3), 1e-3, 0.15 / n ** 2
        r = kolmo.run({
            "run": {"steps_max": int(0.12 / dt)}, "grid": {"n": (n, n, n), "length": (1.0, 1.0, 1.0)},
            "fluid": {"nu": 1.0}, "time": {"dt": dt}, "pressure": {"tolerance": 1e-7},
            "initial": {"type": "uniform", "velocity": (speed, 0.0, 0.0)},
            "forcing": {"type": "bulk-velocity", "direction": "x", "value": speed},
            "output": {"series_interval": 20, "bodies_interval": 20},
            "bodies": {"shape": ("sphere",), "centre": (0.5 + 0.3 / n, 0.5 + 0.1 / n, 0.5 + 0.45 / n),
                       "size": (diameter, 0.0, 0.0)}})
        unit, b = 3 * math.pi * diameter * speed, forces(r)
        check.near(f"{n}^3: drag over that of the reference", r.series()["force"][-1] / unit / 4.292, 1, most)
        check.near("  by bodies.nc", (b["force_x"][-1, 0] + b["drive_x"][-1]) / unit / 4.292, 1, most)


def cylinders(kolmo, check):
    """The drag of a square array of cylinders against Sangani and Acrivos (1982)."""
    speed = 1e-3
    arrays = [(0.2, 51.53, 16, 0.01), (0.2, 51.53, 32, 0.002)]
    if kolmo.options.long:
        arrays += [(0.2, 51.53, 64, 0.002), (0.3, 102.9, 16, 0.005), (0.3, 102.9, 32, 0.003),
                   (0.3, 102.9, 64, 0.002), (0.5, 532.55, 16, 0.01), (0.5, 532.55, 32, 0.01),
                   (0.5, 532.55, 64, 0.005)]
    for share, wanted, n, most in arrays:
        dt = 0.15 / n ** 2
        r = kolmo.run({
            "run": {"steps_max": int(0.12 / dt)}, "grid": {"n": (n, n, 2), "length": (1.0, 1.0, 2 / n)},
            "fluid": {"nu": 1.0}, "time": {"dt": dt}, "pressure": {"tolerance": 1e-7},
            "initial": {"type": "uniform", "velocity": (speed, 0.0, 0.0)},
            "forcing": {"type": "bulk-velocity", "direction": "x", "value": speed},
            "output": {"series_interval": 20, "bodies_interval": 0},
            "bodies": {"shape": ("cylinder",), "centre": (0.5 + 0.3 / n, 0.5 + 0.1 / n, 0.0),
                       "size": (2 * math.sqrt(share / math.pi), 0.0, 0.0)}})
        check.near(f"share {share:g}, {n}^2: drag over that of the reference",
                   r.series()["force"][-1] / speed / wanted, 1, most)


def coefficients(kolmo, check):
    """2 F/(A U^2) of each body, and of all of them together where the step has forces."""
    area, speed = 1.7, 0.6
    of = dict(TWO, reference_area=area, reference_speed=speed)
    r = kolmo.run(case("rk3-half", None, of, 9, {"output": {"bodies_interval": 2, "series_interval": 1}}))
    b, s = forces(r), r.series()
    for d in "xyz":
        wanted = 2 * b[f"force_{d}"] / (area * speed ** 2)
        check.below(f"coefficient along {d}", float(np.abs(b[f"coefficient_{d}"] / wanted - 1).max()), 1e-13)
        known = np.isin(s["step"], b["step"])
        check.equal("  steps with forces", list(s["step"][known]), list(b["step"]))
        check.below("  of all bodies", float(np.abs(s[f"bodies_coefficient_{d}"][known] /
                                                    wanted.sum(axis=1) - 1).max()), 1e-12)
        check.below("  the force on them", float(np.abs(s[f"bodies_force_{d}"][known] /
                                                        b[f"force_{d}"].sum(axis=1) - 1).max()), 1e-12)
        check.holds("  other steps have none", np.isnan(s[f"bodies_coefficient_{d}"][~known]).all())
    subprocess.run([sys.executable, REPORT, r.folder], capture_output=True, check=False)
    with open(os.path.join(r.folder, "report.html"), encoding="utf-8") as file:
        check.says("the report", file.read(), "mean coefficient, x",
                   f"{b['coefficient_x'][b['time'] >= 0.25, 0].mean():.5g}")
    r = kolmo.run(case("rk3-half", None, TWO, 3))
    check.below("without an area and a speed: the force on all bodies", float(np.abs(
        r.series()["bodies_force_x"][1:] / forces(r)["force_x"].sum(axis=1) - 1).max()), 1e-12)
    check.holds("  no coefficients", "bodies_coefficient_x" not in r.series())
    for more, words in (({"reference_area": 1.0}, "give bodies.reference_speed"),
                        ({"reference_speed": 1.0}, "give bodies.reference_area")):
        check.says("one of the two", kolmo.run(case("rk3-half", None, dict(SPHERE, **more)), "--check",
                                               rc=2).text, words)
    idle = case("rk3-half", None, of, 5, {"output": {"bodies_interval": 0}})
    check.says("without forces", kolmo.run(idle, "--check", rc=2).text, "bodies.reference_area has no effect")


def refused(kolmo, check):
    """Refusals, with the name of what is refused and of the group."""
    wall = {"z_low": "wall", "z_high": "wall"}
    box = {"n": (12, 12, 12), "length": kc.CUBE, "stretching": None, "stretching_factor": None}
    for more, words in (({"time": {"diffusion": "implicit"}}, "implicit diffusion"),
                        ({"time": {"diffusion": "implicit-z"}, "boundary": wall,
                          "initial": {"type": "rest", "amplitude": None, "velocity": None}},
                         "implicit diffusion in z, which has one matrix for all columns"),
                        ({"pressure": {"method": "exact"}}, "'exact'"),
                        ({"pressure": {"sums": "one"}}, "pressure.sums"),
                        ({"pressure": {"transfer": "linear"}}, "pressure.transfer"),
                        ({"pressure": {"preconditioner": "direct", "direct_precision": "single"}},
                         "pressure.direct_precision"),
                        ({"grid": box, "forcing": {"type": "linear", "value": 0.1}}, "turbulence of a box"),
                        ({"grid": box, "history": {"interval": 2}}, "history of a box"),
                        ({"scalars": {"name": ("c",), "diffusivity": (0.01,), "limiter": ("koren",)}},
                         "a limiter of scalars"),
                        ({"checkpoint": {"regrid": True, "restart": "latest"}}, "another grid")):
        r = kolmo.run(kc.merge(case("rk3-half", None, SPHERE), more), "--check", rc=2)
        check.holds(f"{words}: refused", any(words in line and "with bodies in the flow (&bodies)" in line
                                             for line in r.text.splitlines()))
    slab = {"shape": ("box",), "centre": (3.0, 2.25, 2.6), "size": (1.5, 4.5, 5.25)}
    r = kolmo.run(case("rk3-half", DRIVES["bulk velocity"][0], slab), rc=2)
    check.says("a bulk velocity where nothing can flow", r.text, "forcing.type", "close the domain across x")
    stream = {"boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0), "x_high": "outflow"},
              "grid": box, "initial": {"type": "rest", "amplitude": None, "velocity": None}}
    for x, words in ((0.0, "of boundary.x_low = 'inflow'"), (kc.TWO_PI, "of boundary.x_high = 'outflow'")):
        bad = kc.merge(case("rk3-half", None, dict(SPHERE, centre=(x, 2.2, 2.7))), stream)
        check.says("a body in an open face", kolmo.run(bad, "--check", rc=2).text, words)
    for more in ({"spectra_interval": 2}, {"stop_when": "dissipation", "stop_error": 0.1},
                 {"stress_budgets": True}, {"quadrants": True}, {"phases": 8}, {"spectra_heights": 1.0}):
        r = kolmo.run(kc.merge(case("rk3-half", None, SPHERE), {"statistics": dict(more, start=0.0)}),
                      "--check", rc=2)
        check.says("statistics", r.text, f"statistics.{next(iter(more))}", "bodies.shape", "averages.h5")


if __name__ == "__main__":
    kc.main(__doc__, [reference, balance, layouts, restart, added, changed, vanishing, stream, walls, stages,
                      first_stage, smoothing, order, couette, spheres, cylinders, turning, closed_off,
                      picture, fields, coefficients, refused])

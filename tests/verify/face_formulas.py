#!/usr/bin/env python3
"""Velocities of faces by formulas. Inflows against 'parabolic' and, to the bit, against tables. Walls against
walls of uniform velocity, to the bit, and against an exact flow. The same bits on any ranks and after a
restart; what --check says of them; what is refused.

Would catch: a component that is evaluated at the points of another, a direction along the face that is taken
for the other one, a formula that is not evaluated on the face itself, a window that a formula ignores, a
flux with the wrong sign, the work of a wall with the velocity 0, a wall by formulas that implicit diffusion
takes for one at rest, bits that depend on the ranks, a fault in a formula at the wrong column.
"""

import math
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402

AXIS = "xyz"
ENDS = ("low", "high")
# direction of the stream, side where it comes in, direction of the walls
ORIENTATIONS = ((0, 0, 2), (0, 1, 1), (1, 0, 0), (1, 1, 2), (2, 0, 1), (2, 1, 0))


def turned(values, stream, normal):
    """(stream, normal, span) values in the order x, y, z."""
    out = [None] * 3
    out[stream], out[normal], out[3 - normal - stream] = values
    return tuple(out)


def pipe(stream, side, normal, more=None):
    """Flow between walls through open ends; `more` gives the profile."""
    d, n = AXIS[stream], AXIS[normal]
    boundary = {f"{d}_{ENDS[side]}": "inflow", f"{d}_{ENDS[1 - side]}": "outflow",
                f"{n}_low": "wall", f"{n}_high": "wall"}
    boundary.update({f"{d}_{ENDS[side]}_{name}": value for name, value in (more or {}).items()})
    return {"run": {"steps_max": 3}, "fluid": {"nu": 0.05},
            "grid": {"n": turned((8, 12, 6), stream, normal),
                     "length": turned((2.0, 2.0, 1.5), stream, normal),
                     "stretching": turned(("tanh-low", "tanh", "uniform"), stream, normal),
                     "stretching_factor": turned((0.5, 1.0, 0.0), stream, normal)},
            "initial": {"type": "rest"}, "boundary": boundary, "output": {"log_interval": 10000}}


def profile(stream, side, normal, text):
    """Formulas of the stream, along the walls' normal and along the span; s in `text` is the coordinate
    between the walls."""
    sign = "-" if side else ""
    return turned([re.sub(r"\bs\b", AXIS[normal], sign + t) for t in text], stream, normal)


def table_test(kolmo, check):
    """A formula of one coordinate has the bits of a table with the same values at all places. A parabola is
    'parabolic' to rounding once its mean on the grid is the same."""
    text = ("1.5*s*(2 - s)", "0.25*s*(2 - s)*(s - 1)", "0.5*s")
    for stream, side, normal in ORIENTATIONS:
        name = f"{AXIS[stream]}_{ENDS[side]}, walls in {AXIS[normal]}"
        formula = profile(stream, side, normal, text)
        by = kolmo.run(pipe(stream, side, normal, {"profile": "formula", "formula": formula}))
        c = by.checkpoint()
        s = np.sort(np.concatenate([c.face[normal], c.centre[normal], [2.5]]))
        sign = -1.0 if side else 1.0
        along, across, span = 1.5 * s * (2 - s), 0.25 * s * (2 - s) * (s - 1), 0.5 * s
        values = turned((sign * along, sign * across, sign * span), stream, normal)
        path = os.path.join(kolmo.place(), "table.txt")
        np.savetxt(path, np.column_stack([s, *values]), fmt="%.17g")
        more = {"profile": "table", "file": path, "along": AXIS[normal]}
        table = kolmo.run(pipe(stream, side, normal, more))
        check.same(f"{name}: as the table",
                   kc.differing_arrays(c.fields, table.checkpoint().fields))
        if side != stream % 2:
            continue
        points, width = c.centre[normal], c.width[normal] / 2.0
        scale = 1 / float(np.sum(width * points * (2 - points)))
        formula = profile(stream, side, normal, (f"{scale!r}*s*(2 - s)", "0", "0"))
        by = kolmo.run(pipe(stream, side, normal, {"profile": "formula", "formula": formula})).checkpoint()
        mean = turned((sign, 0.0, 0.0), stream, normal)
        parabola = kolmo.run(pipe(stream, side, normal, {"profile": "parabolic", "velocity": mean}))
        check.below("    as 'parabolic'", max(np.max(np.abs(a - b)) for a, b in
                                               zip(by.velocity, parabola.checkpoint().velocity)), 1e-10)


MIXED = pipe(0, 0, 2, {"profile": "formula", "formula": (
    "z*(2 - z)*(1 + 0.3*sin(2*pi*y/ly)) + 0*x", "0.2*z*cos(2*pi*y/ly)", "0.1*z*(2 - z)*sin(4*pi*y/ly)")})


def restarted(kolmo, check, case, one, n):
    """Run `one` of four steps: a restart at its middle, on two ranks, has its bits. Returns the checkpoint of
    a restart at its end on a grid of n cells."""
    again = kolmo.run(case, "--restart", kc.checkpoint_path(one.folder, 2), ranks=2)
    differing = kc.differing_arrays(one.checkpoint().fields, again.checkpoint(4).fields)
    check.same("    after a restart", differing)
    finer = kc.merge(case, {"run": {"steps_max": 6}, "grid": {"n": n}, "checkpoint": {"regrid": True}})
    return kolmo.run(finer, "--restart", kc.checkpoint_path(one.folder, 4)).checkpoint()


def layouts_test(kolmo, check):
    """A profile that varies in both directions of its face: the velocity on the face, and the same bits on
    any ranks and after a restart on others."""
    case = kc.merge(MIXED, {"run": {"steps_max": 4}, "checkpoint": {"interval": 2, "keep": 4}})
    one = kolmo.run(case)
    c = one.checkpoint()
    y, z = np.meshgrid(c.centre[1], c.centre[2])
    wanted = z * (2 - z) * (1 + 0.3 * np.sin(2 * np.pi * y / 1.5))
    check.below("u on the face", float(np.max(np.abs(c.velocity[0][:, :, 0] - wanted))), 1e-14)
    for layout in ((2, 1, 1), (1, 2, 1), (1, 1, 2), (1, 2, 2)):
        other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=math.prod(layout))
        check.same(f"{layout} ranks", kc.differences(one, other))
    u = restarted(kolmo, check, case, one, (12, 8, 16))
    y, z = np.meshgrid(u.centre[1], u.centre[2])
    wanted = z * (2 - z) * (1 + 0.3 * np.sin(2 * np.pi * y / 1.5))
    error = float(np.max(np.abs(u.velocity[0][:, :, 0] - wanted)))
    check.below("u on the face of another grid", error, 1e-14)
    other = kc.merge(case, {"boundary": {"x_low_formula": ("z*(2 - z)", "0", "0")}})
    bad = kolmo.run(other, "--restart", kc.checkpoint_path(one.folder, 2), rc=2)
    check.says("a restart with another formula", bad.text, "boundary.x_low_formula", "--force-restart")


def balance_test(kolmo, check):
    """What comes out is said; fluxes that must cancel do so as those of tables; windows close a face."""
    shown = kolmo.run(MIXED, "--check").out
    told = re.search(r"inflow x_low, by formulas: flux (\S+) into the box, mean velocity (\S+) through the "
                     r"face, \|u\|, \|v\|, \|w\| up to (\S+), (\S+), (\S+)", shown)
    check.near("flux", float(told[1]), 4 / 3 * 1.5, 0.02)
    check.near("mean velocity", float(told[2]), 2 / 3, 0.01)
    check.near("largest u", float(told[3]), 1.3, 0.05)
    check.says("the log", kolmo.run(MIXED).out, told[0])
    both = kc.merge(MIXED, {"boundary": {"x_high": "inflow", "x_high_profile": "formula", "x_low_formula":
                                         ("z*(2 - z)", "0", "0"), "x_high_formula": ("2/3", "0", "0")}})
    s = kolmo.run(both).series()
    check.below("inflows at both ends", float(np.max(np.abs(s["flux_in"]))), 1e-13)
    bad = kolmo.run(both, "--check", "--set", "boundary.x_high_formula(1)=0.7", rc=2)
    check.says("fluxes that don't cancel", bad.text, "no face is an outflow", "boundary.x_high_formula")
    bad = kolmo.run(MIXED, "--check", "--set", "boundary.x_low_formula(1)=-z", rc=2)
    check.says("an outward flux", bad.text, "out of the box",
               "reverse the velocity of boundary.x_low_formula")
    bad = kolmo.run(MIXED, "--check", "--set", "boundary.x_low_formula(1)='0*z'", rc=2)
    check.says("no flux", bad.text, "nothing flows through the inflows", "boundary.x_low_formula")
    bad = kolmo.run(MIXED, "--check", "--set", "boundary.x_low_formula(1)=2*z", rc=2)
    check.says("a repetition in the place of a formula", bad.text, "repetitions", "in quotes")
    for setting in ("boundary.x_low_formula='z*(2 - z)','0','0'", "boundary.x_low_formula(1)='z*(2 - z)'"):
        told = kolmo.run(MIXED, "--check", "--set", setting).out
        check.says(f"--set {setting}", told, "inflow x_low, by formulas: flux 2.0")
    body = kc.merge(MIXED, {"bodies": {"shape": "box", "centre": (0.2, 0.75, 1.0), "size": (0.5, 0.5, 0.5)}})
    check.says("a body before the inflow", kolmo.run(body, "--check", rc=2).text, "case.nml:",
               "brings fluid through cells that bodies cover")
    window = kc.merge(MIXED, {"boundary": {"x_low_window": (0.5, 1.0, 0.5, 1.5), "x_low_formula":
                                           ("sqrt(z - 0.5)*0 + 1", "0", "0")}})
    c = kolmo.run(window).checkpoint()
    inside = np.outer(np.abs(c.centre[2] - 1) < 0.5, np.abs(c.centre[1] - 0.75) < 0.25)
    check.same("a window", [] if np.array_equal(c.velocity[0][:, :, 0], 1.0 * inside) else ["u"])


def moved(case, normal, along, text, name="formula"):
    """The case with walls in `normal`, whose upper one moves."""
    d = AXIS[normal]
    more = {f"{d}_low": "wall", f"{d}_high": "wall"}
    if name == "formula":
        more[f"{d}_high_profile"] = "formula"
    more[f"{d}_high_{name}"] = text
    return kc.merge(case, {"boundary": more})


BOX = {"run": {"steps_max": 4}, "fluid": {"nu": 0.05}, "initial": {"type": "rest"},
       "grid": {"n": (10, 8, 12), "length": (1.0, 1.5, 2.0), "stretching": ("tanh", "uniform", "sine"),
                "stretching_factor": (1.0, 0.0, 0.2)},
       "output": {"log_interval": 10000}, "checkpoint": {"interval": 2, "keep": 4}}


def uniform_test(kolmo, check):
    """A formula that is a number gives the flow, the series and the probes of this number."""
    for normal, diffusion in ((0, "explicit"), (1, "implicit"), (2, "implicit-z")):
        place = [0.4, 0.6, 0.7]
        place[normal] = BOX["grid"]["length"][normal] - 0.005
        case = kc.merge(BOX, {"time": {"diffusion": diffusion, "dt": 0.004},
                              "probes": {"position": tuple(place)}})
        speed = [0.5, -0.25, 0.75]
        speed[normal] = 0.0
        runs = [kolmo.run(moved(case, normal, None, tuple(speed), "velocity")),
                kolmo.run(moved(case, normal, None, tuple(repr(v) if v else "0" for v in speed)))]
        one, other = (run.checkpoint().fields for run in runs)
        name = f"walls in {AXIS[normal]}, {diffusion}"
        if diffusion == "implicit-z":  # a plane is added beside the systems, a number within them
            check.below(name, max(float(np.max(np.abs(one[f] - other[f]))) for f in one), 1e-12)
        else:
            check.same(name, kc.differing_arrays(one, other))
        a, b = (run.series() for run in runs)
        work = np.abs(a["wall_work"] / b["wall_work"] - 1)[1:]
        check.below("    work of the wall", float(np.max(work)), 1e-12)
        a, b = (kc.read_fields(os.path.join(run.folder, "probes.nc")) for run in runs)
        check.below("    probes", max(float(np.max(np.abs(a[n] - b[n]))) for n in "uvw"), 1e-12)


def exact_test(kolmo, check):
    """A steady flow that walls by formulas and a force by formulas keep: of second order, with a budget that
    closes, whatever the direction and the treatment of diffusion."""
    for normal, stream, diffusion in ((2, 0, "explicit"), (2, 1, "implicit-z"), (0, 1, "implicit"),
                                      (1, 2, "explicit")):
        a, n = AXIS[stream], AXIS[normal]
        put = lambda text: re.sub(r"\b[an]\b", lambda m: {"a": a, "n": n}[m[0]], text)  # noqa: E731
        along = lambda texts: turned([put(text) for text in (*texts, "0")], stream, normal)  # noqa: E731
        velocity = along(("cos(a)*(1 - 3*n^2)", "sin(a)*(n - n^3)"))
        force = along(("sin(a)*cos(a)*(-6*n*(n - n^3) - (1 - 3*n^2)^2) + nu*cos(a)*(7 - 3*n^2)",
                       "nu*sin(a)*(7*n - n^3)"))
        errors = []
        for cells in (8, 16) if diffusion == "explicit" else (16,):
            case = {"run": {"t_end": 0.5}, "fluid": {"nu": 0.05}, "time": {"diffusion": diffusion},
                    "grid": {"n": turned((cells, cells, 4), stream, normal),
                             "length": turned((2 * np.pi, 1.0, 1.0), stream, normal),
                             "stretching": turned(("uniform", "tanh", "uniform"), stream, normal),
                             "stretching_factor": turned((0.0, 1.0, 0.0), stream, normal)},
                    "boundary": {f"{n}_low": "wall", f"{n}_high": "wall", f"{n}_low_profile": "formula",
                                 f"{n}_high_profile": "formula", f"{n}_low_formula": along(("cos(a)", "0")),
                                 f"{n}_high_formula": along(("-2*cos(a)", "0"))},
                    "initial": dict(zip("uvw", velocity), type="formula"),
                    "forcing": dict(zip(("fx", "fy", "fz"), force), type="formula"),
                    "output": {"log_interval": 10000}}
            run = kolmo.run(case)
            c, s = run.checkpoint(), run.series()
            at = c.position("uvw"[stream])
            errors.append(float(np.max(np.abs(
                c.velocity[stream] - np.cos(at[stream]) * (1 - 3 * at[normal] ** 2)))))
        name = f"stream {a}, walls in {n}, {diffusion}"
        if len(errors) == 2:
            check.near(f"{name}: order", math.log2(errors[0] / errors[1]), 2.0, 0.3)
        check.below(f"{name}: velocity", errors[-1], 0.02)
        check.below("    budget over the dissipation",
                    abs(float(s["budget_residual"][-1] / s["dissipation"][-1])), 2e-3)
        check.above("    work of the walls", float(s["wall_work"][-1]), 0.25)


def lid_test(kolmo, check):
    """A smooth lid: divergence, and the same bits on ranks that are divided in any direction and after a
    restart. Averages in every cell, of the run and of stored flows."""
    for normal in range(3):
        p, q = (d for d in range(3) if d != normal)
        shape = [f"sin(pi*{AXIS[p]}/l{AXIS[p]})^2*sin(pi*{AXIS[q]}/l{AXIS[q]})^2", "0.5*sin(pi*x*y*z)^2"]
        text = ["0", "0", "0"]
        text[p], text[q] = shape
        case = moved(BOX, normal, p, tuple(text))
        case["boundary"].update({f"{AXIS[p]}_low": "wall", f"{AXIS[p]}_high": "wall"})
        one = kolmo.run(case)
        c = one.checkpoint()
        largest = max(float(np.max(np.abs(v))) for v in c.velocity)
        check.below(f"lid {AXIS[normal]}_high: divergence", c.scaled_divergence() * largest, 1e-6)
        check.above("    largest velocity", largest, 0.02)
        for layout in (((1, 2, 2),), ((1, 1, 2), (2, 1, 1)), ((1, 2, 1), (2, 1, 2)))[normal]:
            other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=math.prod(layout))
            check.same(f"    {layout} ranks", kc.differences(one, other))
    c = restarted(kolmo, check, case, one, (12, 10, 10))
    largest = max(float(np.max(np.abs(v))) for v in c.velocity)
    check.below("on another grid: divergence", c.scaled_divergence() * largest, 1e-6)
    case = kc.merge(case, {"statistics": {"start": 0.0, "interval": 1, "directions": "none", "batches": 0}})
    for extra, words in (({"directions": "periodic"}, "take walls of uniform velocity"),
                         ({"directions": "y"}, "take walls of uniform velocity")):
        bad = kolmo.run(kc.merge(case, {"statistics": extra | {"batches": None}}), "--check", rc=2)
        check.says(f"averages {extra}", bad.text, words, "statistics.directions = 'none'")
    run = kolmo.run(kc.merge(case, {"statistics": {"start": 1e-9, "interval": 2}}))
    out = kolmo.place()
    kolmo.other("kolmo-stats").call(run.folder, "--out", out)
    one, other = (kc.read_fields(os.path.join(folder, "averages.h5")) for folder in (run.folder, out))
    check.holds("averages in every cell are there", len(one) > 3, str(sorted(one)))
    check.same("kolmo-stats", kc.differing_arrays(one, other))
    across = {"x_low": "periodic", "x_high": "periodic", "z_high_formula": ("cos(2*pi*y/ly)", "0", "0")}
    bad = kolmo.run(kc.merge(case, {"boundary": across,
                                    "statistics": {"directions": "y", "batches": None}}), "--check", rc=2)
    check.says("averages along a direction of the formula", bad.text, "along which walls vary")


# formulas of x_low, the element and the column of the fault, and what is said
FAULTS = [
    (("z + t", "0", "0"), 1, 5, "t can't stand here"), (("1", "sin(z", "0"), 2, 6, "closing parenthesis"),
    (("1", "0", "z*u"), 3, 3, "'u' is not known"), (("system(1)", "0", "0"), 1, 1, "'system' is not known"),
]  # fmt: skip


def refused_test(kolmo, check):
    """Every fault has its place and a remedy."""
    for formula, element, column, words in FAULTS:
        case = kc.merge(MIXED, {"boundary": {"x_low_formula": formula}})
        bad = kolmo.run(case, "--check", rc=2)
        check.says(str(formula), bad.text,
                   f"boundary.x_low_formula({element}): column {column} of the formula", words)
        lines = open(os.path.join(bad.folder, "case.nml"), encoding="utf-8").read().splitlines()
        row = next(n for n, line in enumerate(lines, 1) if line.startswith("  x_low_formula"))
        start = lines[row - 1].index("'") + sum(len(f) + 4 for f in formula[:element - 1])
        check.says("    place", bad.text, f"case.nml:{row}:{start + 1 + column}: error")
    check.says("    remedy", kolmo.run(kc.merge(MIXED, {"boundary": {"x_low_formula": ("t", "0", "0")}}),
                                       rc=2).text, "profile 'planes'")
    for change, *words in (
        ({"x_low_formula": None}, "needs boundary.x_low_formula", "add for example x_low_formula = '"),
        ({"x_low_profile": "uniform", "x_low_velocity": (1.0, 0.0, 0.0)},
         "boundary.x_low_formula has no effect", "choose 'formula'"),
        ({"x_low_velocity": (1.0, 0.0, 0.0)}, "boundary.x_low_velocity has no effect", "'uniform'"),
        ({"x_low_file": "a.txt"}, "boundary.x_low_file has no effect", "'table'"),
        ({"x_low_along": "y"}, "boundary.x_low_along has no effect"),
        ({"y_low_profile": "formula"}, "boundary.y_low_profile has no effect"),
        ({"x_low_formula": ("1/(z - z)", "0", "0")},
         "boundary.x_low_formula(1) is inf at x = 0, y = 0.125, z = "),
        ({"x_low_formula": ("1e70", "0", "0")},
         "boundary.x_low_formula(1) is 1e+70 at x = 0, y = ", "at most 1e+"),
        ({"x_low_formula": ("1", "0", "log(x - 1)")}, "boundary.x_low_formula(3) is nan at x = 0, y = ",
         "change its formula, log(x - 1)"),
    ):
        numbers = "y = " in words[0]  # found on the grid, not by the rules of the inputs
        for args, ranks in ((("--check",), 1), ((), 2)) if numbers else ((("--check",), 1),):
            bad = kolmo.run(kc.merge(MIXED, {"boundary": change}), *args, ranks=ranks, rc=2)
            check.says(f"{change} {args}", bad.text.replace("-nan", "nan"), *words)


WALL = moved(BOX, 2, 0, ("sin(pi*x)^2", "0", "0"))


def walls_refused_test(kolmo, check):
    """What is not possible with walls by formulas, and forces that are not finite."""
    for change, *words in (
        ({"z_high_formula": ("1", "0", "0.1*x")}, "boundary.z_high_formula(3) = '0.1*x'", "through itself",
         "make it '0'"),
        ({"z_high_formula": ("1 + t", "0", "0")}, "boundary.z_high_formula(1): column 5",
         "t can't stand here"),
        ({"z_high_formula": None}, "needs boundary.z_high_formula"),
        ({"z_high_profile": None}, "boundary.z_high_formula has no effect", "choose 'formula'"),
        ({"z_high_velocity": (1.0, 0.0, 0.0)}, "boundary.z_high_velocity has no effect", "choose 'uniform'"),
        ({"z_high_profile": "parabolic"}, "boundary.z_high_profile has no effect", "choose 'inflow'"),
        ({"z_high": "slip"}, "has no effect"),
        ({"z_high_formula": ("1/(x - x)", "0", "0")}, "boundary.z_high_formula(1) is inf at x = ", "z = 2;"),
        ({"x_low": "inflow", "x_low_profile": "parabolic", "x_low_velocity": (1.0, 0.0, 0.0),
          "x_high": "outflow"},
         "boundary.x_low_profile = 'parabolic' is the flow between walls of uniform velocity"),
    ):
        bad = kolmo.run(kc.merge(WALL, {"boundary": change}), "--check", rc=2)
        check.says(str(change), bad.text.replace("-nan", "nan"), *words)
    for change, *words in (
        ({"initial": {"type": "channel"}}, "walls of uniform velocity", "boundary.z_high_velocity"),
        ({"fluid": {"re_tau": 100.0}}, "fluid.re_tau has no effect", "walls of uniform velocity"),
    ):
        check.says(str(change), kolmo.run(kc.merge(WALL, change), "--check", rc=2).text, *words)
    told = kolmo.run(WALL, "--check").out
    check.says("--check", told, "wall z_high, by formulas: |u|, |v|, |w| up to 1, 0, 0")
    check.says("the log", kolmo.run(WALL).out, "wall z_high, by formulas: |u|")


def force_test(kolmo, check):
    """A force that is not finite names its component, place and time, at the start and later."""
    case = kc.merge(BOX, {"time": {"dt": 0.01}, "run": {"steps_max": 8},
                          "grid": {"n": (20, 8, 12), "stretching": None, "stretching_factor": None}})
    for force, rc, *words in (
        ({"fy": "1/(x - x)"}, 2, "case.nml:", "forcing.fy is inf at x = ", "t = 0;"),
        ({"fx": "y", "fz": "log(z - 0.05)"}, 2, "forcing.fz is nan at x = ", "z = 0,"),
        ({"fx": "sqrt(abs(x - 0.45) - 0.01)"}, 2, "forcing.fx is nan at x = 0.45", "t = 0;"),
        ({"fz": "sqrt(0.0433 - t) + y"}, 3, "case.nml:", "forcing.fz is nan at x = ", "z = 0, t = 0.04"),
        ({"fx": "1/(step(0.0499 - t) + step(0.2 - z))"}, 3,
         "forcing.fx is inf at x = 0", "t = 0.05;"),
    ):
        for ranks in (1, 2):
            bad = kolmo.run(kc.merge(case, {"forcing": dict(force, type="formula")}), ranks=ranks, rc=rc)
            check.says(f"{force}, {ranks} ranks", bad.text.replace("-nan", "nan"), *words,
                       "change its formula")


if __name__ == "__main__":
    kc.main(__doc__, [table_test, layouts_test, balance_test, refused_test, uniform_test,
                      exact_test, lid_test, walls_refused_test, force_test])

#!/usr/bin/env python3
"""Flows between walls that others have computed, or that a series gives: cavities, the wall that starts at
once, ducts.

The lid-driven cavity in two dimensions at Re 100 (Ghia, Ghia and Shin, J. Comput. Phys. 48 (1982) 387) and Re
1000 (Botella and Peyret, Comput. Fluids 27 (1998) 421), run to the steady state; Stokes' first problem
against the error function; the laminar flow in rectangular ducts against its series; errors fall at second
order. Some numbers of the sources stand in tests/data/cavity_centre_lines.csv; whole tables are used as well
where a folder shared/reference lies beside the checkout. Would catch: convection that is wrong beside a wall
or in a corner, a lid that drags too much or too little, a wall that is felt a step late, friction that is off
where two walls meet."""
import cmath
import csv
import glob
import math
import os
import re
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
import kolmo_case as kc  # noqa: E402

SHARED = os.path.normpath(os.path.join(HERE, "..", "..", "..", "shared", "reference"))
CASES = os.path.join(HERE, "..", "..", "inputs", "cases")
BODIES = re.compile(r"^&bod(y|ies)", re.M)
DATA = os.path.join(HERE, "..", "data", "cavity_centre_lines.csv")


def rows_of(path):
    """Rows of a table, without its comments."""
    with open(path, encoding="utf-8") as source:
        return list(csv.DictReader(line for line in source if not line.startswith("#")))


def quoted(re, component):
    """[(place, velocity)] of the cavity in two dimensions, as quoted in tests/data."""
    return [(float(r["place"]), float(r["velocity"])) for r in rows_of(DATA)
            if (r["flow"], r["re"], r["component"]) == ("2d", str(re), component)]


def shared(check, name):
    """Rows of a table of the shared reference data; None where there is none."""
    path = os.path.join(SHARED, name)
    if not os.path.exists(path):
        check.skip(f"the whole of {name}", "no folder shared/reference beside the checkout")
        return None
    return rows_of(path)


# ---- cavities ----------------------------------------------------------------------------------------------

def cavity(n, re, t_end, factor=0.0):
    """The square with a lid that moves along x, n x n cells in x and z; nothing varies along y."""
    kind = "tanh" if factor else "uniform"
    return {"run": {"t_end": t_end},
            "grid": {"n": (n, 2, n), "length": (1.0, 1.0, 1.0), "stretching": (kind, "uniform", kind),
                     "stretching_factor": (factor, 0.0, factor)},
            "fluid": {"reynolds": float(re)}, "time": {"cfl": 1.5}, "initial": {"type": "rest"},
            "boundary": dict({f"{a}_{s}": "wall" for a in "xz" for s in ("low", "high")},
                             z_high_velocity=(1.0, 0.0, 0.0)),
            "pressure": {"preconditioner": "direct"},
            "output": {"log_interval": 100000, "series_interval": 20}}


def at(x, y, places):
    """y at each place: the cubic through the four nearest points."""
    out = []
    for t in places:
        first = int(np.clip(np.searchsorted(x, t) - 2, 0, len(x) - 4))
        xs, ys = x[first:first + 4], y[first:first + 4]
        out.append(sum(ys[a] * math.prod((t - xs[b]) / (xs[a] - xs[b]) for b in range(4) if b != a)
                       for a in range(4)))
    return np.array(out)


def centre_lines(c):
    """(z, u on x = 1/2, x, w on z = 1/2), walls included. The number of cells is even: these lines are
    faces."""
    n = c.centre[0].size
    u, w = c.fields["u"].mean(axis=1)[:, n // 2], c.fields["w"].mean(axis=1)[n // 2, :]
    return (np.concatenate(([0.0], c.centre[2], [1.0])), np.concatenate(([0.0], u, [1.0])),
            np.concatenate(([0.0], c.centre[0], [1.0])), np.concatenate(([0.0], w, [0.0])))


def steady(check, name, result):
    """The energy has stopped changing, and the lid's work is dissipated."""
    s = result.series()
    energy = np.interp(s["time"][-1] - 1.0, s["time"], s["kinetic_energy"])
    check.below(f"{name}: change of the energy in the last unit of time, over it",
                abs(s["kinetic_energy"][-1] / energy - 1.0), STEADY)
    check.below("    work of the lid over dissipation, less 1",
                abs(s["wall_work"][-1] / s["dissipation"][-1] - 1.0), STEADY)
    check.below("    flow along y", float(np.max(np.abs(result.checkpoint().fields["v"]))), 1e-12)


def deviation(line, table):
    """Largest difference from a table of (place, value)."""
    places, values = np.array(table).T
    return float(np.max(np.abs(at(*line, places) - values)))


def cavity_re100(kolmo, check):
    """Re 100 on three uniform grids: Ghia's profile, and second order."""
    found, table = [], quoted(100, "u")
    for n in (12, 24, 48):
        result = kolmo.run(cavity(n, 100, 20.0))
        z, u, x, w = centre_lines(result.checkpoint())
        found.append(at(z, u, [place for place, _ in table]))
        steady(check, f"{n} x {n}", result)
    check.below("u on 48 x 48, from Ghia et al.", deviation((z, u), table), GHIA[0])
    check.below("    w", deviation((x, w), quoted(100, "w")), GHIA[1])
    rows = shared(check, "cavity2d_ghia1982_u.csv")
    if rows:
        check.below("    from the whole table",
                    deviation((z, u), [(float(r["y"]), float(r["Re100"])) for r in rows]), GHIA[0])
    changes = [float(np.sqrt(np.mean((a - b) ** 2))) for a, b in zip(found, found[1:])]
    check.near("order of u", math.log2(changes[0] / changes[1]), 2.0, ORDER_CAVITY)


def cavity_re1000(kolmo, check):
    """Re 1000 on stretched grids: Botella and Peyret's profiles, errors that fall with the grid. --long: with
    64 x 64 cells."""
    rows, errors, lines = shared(check, "cavity2d_botella1998_re1000.csv"), [], []
    cells = (32, 64) if kolmo.options.long else (32, 48)
    finer = cells[1] / cells[0]
    for n in cells:
        result = kolmo.run(cavity(n, 1000, 80.0, 1.2), seconds=300)
        z, u, x, w = centre_lines(result.checkpoint())
        steady(check, f"{n} x {n}", result)
        lines.append(((z, u), (x, w)))
        errors.append((deviation((z, u), quoted(1000, "u")), deviation((x, w), quoted(1000, "w"))))
        check.below("    u, from Botella and Peyret", errors[-1][0], BOTELLA[n][0])
        check.below("    w, from Botella and Peyret", errors[-1][1], BOTELLA[n][1])
        for line, name, bound in (((z, u), "u", BOTELLA[n][0]), ((x, w), "v", BOTELLA[n][1])):
            if rows:
                table = [(float(r["coordinate"]), float(r["velocity"]))
                         for r in rows if r["component"] == name]
                check.below(f"    {name} of the whole tables", deviation(line, table), bound)
    for n, name in enumerate("uw"):
        table = quoted(1000, name)
        check.above(f"order of {name}", math.log(errors[0][n] / errors[1][n], finer), ORDER_RE1000)
        coarse, fine = (at(*pair[n], [place for place, _ in table]) for pair in lines)
        check.below(f"    {name} of both grids, extrapolated, from Botella and Peyret",
                    float(np.max(np.abs(fine + (fine - coarse) / (finer ** 2 - 1.0)
                                        - [value for _, value in table]))),
                    EXTRAPOLATED[cells[1]][n])


# ---- Stokes' first problem ---------------------------------------------------------------------------------

def stokes_first(kolmo, check):
    """A wall that starts at once, each direction and side in turn: u = erfc(x/(2 sqrt(nu t))) at second
    order."""
    for normal, stream, side in ((0, 1, "low"), (1, 2, "high"), (2, 0, "low")):
        axis, other, errors, shear = "xyz"[normal], "high" if side == "low" else "low", [], []
        velocity = tuple(1.0 if d == stream else 0.0 for d in range(3))
        for n in (32, 64):
            case = {"run": {"t_end": 1.0}, "fluid": {"nu": 1.0}, "initial": {"type": "rest"},
                    "grid": {"n": tuple(n if d == normal else 2 for d in range(3)),
                             "length": tuple(8.0 if d == normal else 1.0 for d in range(3))},
                    "boundary": {f"{axis}_{side}": "wall", f"{axis}_{side}_velocity": velocity,
                                 f"{axis}_{other}": "slip"},
                    "output": {"log_interval": 100000}}
            result = kolmo.run(case)
            c = result.checkpoint()
            x = c.centre[normal] if side == "low" else 8.0 - c.centre[normal]
            u = np.moveaxis(c.velocity[stream], 2 - normal, 0).reshape(n, -1).mean(axis=1)
            errors.append(float(np.max(np.abs(u - np.array([math.erfc(v / 2.0) for v in x])))))
            nearest = int(np.argmin(x))
            shear.append(abs((1.0 - u[nearest]) / x[nearest] * math.sqrt(math.pi) - 1.0))
        check.below(f"wall {axis}_{side}, stream {'xyz'[stream]}: error on 64 cells", errors[1], 7e-4)
        check.near("    order", math.log2(errors[0] / errors[1]), 2.0, 0.15)
        check.below("    shear on the wall, error", shear[1], 2e-3)
        check.near("    its order", math.log2(shear[0] / shear[1]), 2.0, 0.15)


# ---- ducts -------------------------------------------------------------------------------------------------

def duct_series(aspect):
    """(mean velocity, largest velocity) in G a^2/nu of a duct of half sides a and aspect a, force G: F. M.
    White, Viscous Fluid Flow."""
    odd = range(1, 400, 2)
    mean = (1.0
            - 192.0 / (math.pi ** 5 * aspect)
            * sum(math.tanh(n * math.pi * aspect / 2) / n ** 5 for n in odd)) / 3.0
    top = 16.0 / math.pi ** 3 * sum((-1.0) ** (n // 2)
                                    * (1.0 - 1.0 / math.cosh(min(n * math.pi * aspect / 2, 700.0))) / n ** 3
                                    for n in odd)
    return mean, top


def middle(u):
    """Value between the four middle cells of each direction: cubics. [j, i]"""
    weight = np.array([-1.0, 9.0, 9.0, -1.0]) / 16.0
    b, a = u.shape[0] // 2, u.shape[1] // 2
    return float(weight @ u[b - 2:b + 2, a - 2:a + 2] @ weight)


def ducts(kolmo, check):
    """Square and twice as wide as high, in three orientations: friction and largest velocity at second
    order."""
    check.near("series: f Re of the square", 2.0 * 2.0 ** 2 / duct_series(1.0)[0], 56.90831, 1e-4)
    check.near("    largest over mean velocity", duct_series(1.0)[1] / duct_series(1.0)[0], 2.096256, 1e-5)
    rows = shared(check, "duct_laminar_rectangular.csv")
    for row in rows or []:
        mean, top = duct_series(float(row["aspect"]))
        check.below(
            f"    aspect {row['aspect']}: from the shared table",
            max(abs(mean / float(row["U_mean"]) - 1.0), abs(top / float(row["u_max"]) - 1.0)),
            1e-5,
        )
    for stream, wide, aspect in ((0, 1, 2), (1, 2, 1), (2, 1, 2)):
        mean, top = duct_series(aspect)
        high, errors = 3 - stream - wide, []
        for n in (12, 24):
            cells, length = [2, 2, 2], [0.5, 0.5, 0.5]
            cells[wide], cells[high], length[wide], length[high] = n * aspect, n, 2.0 * aspect, 2.0
            case = {"run": {"t_end": 4.0}, "fluid": {"nu": 1.0}, "initial": {"type": "rest"},
                    "grid": {"n": tuple(cells), "length": tuple(length)},
                    "boundary": {f"{'xyz'[d]}_{s}": "wall" for d in (wide, high) for s in ("low", "high")},
                    "forcing": {"type": "pressure-gradient", "direction": "xyz"[stream], "value": 1.0},
                    "output": {"log_interval": 100000, "series_interval": 10}}
            result = kolmo.run(case)
            bulk = result.series()[f"momentum_{'xyz'[stream]}"][-1]
            u = result.checkpoint().velocity[stream].mean(axis=2 - stream)
            hydraulic = 4.0 * aspect / (1.0 + aspect)
            wanted = 2.0 * hydraulic ** 2 / mean
            friction = 2.0 * hydraulic ** 2 / bulk
            errors.append((abs(friction / wanted - 1.0), abs(middle(u) / bulk / (top / mean) - 1.0)))
        check.below(f"aspect {aspect}, stream {'xyz'[stream]}: f Re on {n} cells, {friction:.4f}, error",
                    errors[1][0], DUCT[aspect][0])
        check.near("    order", math.log2(errors[0][0] / errors[1][0]), 2.0, 0.1)
        check.below("    largest over mean velocity, error", errors[1][1], DUCT[aspect][1])
        check.near("    order", math.log2(errors[0][1] / errors[1][1]), 2.0, 0.2)


# ---- cases -------------------------------------------------------------------------------------------------

def exact_womersley(z, t):
    """The velocity of inputs/cases/womersley.nml."""
    omega, nu = kc.TWO_PI, 0.04
    k = cmath.sqrt(1j * omega / nu)
    return np.array([cmath.exp(1j * omega * t) / (1j * omega)
                     * (1.0 - cmath.cosh(k * (s - 1.0)) / cmath.cosh(k)) for s in z]).real


def exact_ekman(z, _):
    """u + i v of inputs/cases/ekman.nml."""
    k = cmath.sqrt(2j / 0.04)
    return np.array([1.0 - cmath.cosh(k * (1.0 - s)) / cmath.cosh(k) for s in z])


def oscillating_and_turning(kolmo, check):
    """The cases womersley.nml and ekman.nml as they are, on coarser grids: their exact solutions at second
    order."""
    for name, exact, sets, bound in (("womersley", exact_womersley, (16, 0.04, 32, 0.02), 3.5e-3),
                                     ("ekman", exact_ekman, (12, 0.1, 24, 0.05), 1.3e-3)):
        errors = []
        for cells, dt in (sets[:2], sets[2:]):
            folder = kolmo.place()
            kolmo.call(os.path.join(CASES, f"{name}.nml"), "--set", f"grid.n=4,4,{cells}", "--set",
                       f"time.dt={dt}", "--set",
                       f"output.directory={folder}", folder=folder)
            state = kc.Checkpoint(kc.checkpoint_path(folder))
            u, v = (state.velocity[d].mean(axis=(1, 2)) for d in (0, 1))
            found = u + 1j * v if name == "ekman" else u
            errors.append(float(np.max(np.abs(found - exact(state.centre[2], state.state["time"])))))
        check.below(f"{name}.nml on {cells} cells: error", errors[1], bound)
        check.near("    order", math.log2(errors[0] / errors[1]), 2.0, 0.3)


def all_cases(kolmo, check):
    """Every file of inputs/cases that a CPU can begin: three steps on a small grid of its kind."""
    for path in sorted(glob.glob(os.path.join(CASES, "*.nml"))):
        with open(path, encoding="utf-8") as source:
            text = source.read()
        cells = re.search(r"^ *n *= *(\d+), *(\d+), *(\d+)", text, re.M)
        most = 64 if BODIES.search(text) else 16  # a body must be wider than a cell
        small = ",".join(str(min(int(n), most)) for n in cells.groups())
        folder = kolmo.place()
        result = kolmo.call(path, "--set", f"grid.n={small}", "--set", "run.steps_max=3", "--set",
                            f"output.directory={folder}",
                            "--set", "pressure.tolerance=1e-5", rc=None)
        check.equal(f"{os.path.basename(path)} on {small}: exit code", result.rc, 0)


# measured, and about a third more
STEADY = 8e-5
GHIA = (0.0038, 0.012)  # of which most is Ghia's
ORDER_CAVITY = 0.25
BOTELLA = {32: (0.041, 0.037), 48: (0.0185, 0.017), 64: (0.0105, 0.0097)}
EXTRAPOLATED = {48: (1.5e-3, 1.2e-3), 64: (1.0e-3, 1.0e-3)}
ORDER_RE1000 = 1.8
DUCT = {1: (0.0089, 0.0068), 2: (0.0059, 0.0039)}

if __name__ == "__main__":
    kc.main(__doc__, [cavity_re100, cavity_re1000, stokes_first, ducts, oscillating_and_turning, all_cases])

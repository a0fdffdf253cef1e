#!/usr/bin/env python3
"""Budgets of the Reynolds stresses in every cell (statistics.cell_budgets), round bodies and without.

reference: each term is that which numpy makes of the checkpoints of every step: right-hand sides by the slow
    solvers of tests/reference, means over time, fluctuations about them, products of these.
closure: the residual is the change of the stress, at first order in the step.
walls: between walls of the grid and of bodies on grid faces the terms are the same; they are 0 in a steady
    laminar flow.
layouts: the same bits on any ranks and after a restart; along directions; stored and merged flows.
refused: what has no budgets, by name.

Would catch: a term of a wrong sign or pair, a right-hand side in closed faces, a wall's term left out, a
gradient from the wrong cell, a weight left out."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(HERE, "..", "reference"))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402
import bodies  # noqa: E402
import navier_stokes as ns  # noqa: E402

BOX = (kc.TWO_PI, 4.5, 5.25)
GRID = {"n": (12, 10, 8), "length": BOX, "stretching": ("sine", "uniform", "tanh"),
        "stretching_factor": (0.3, 0.0, 1.2)}
# a sphere across periodic faces, and a cylinder whose surface turns
TWO = {"shape": ("sphere", "cylinder"), "centre": (0.2, 1.2, 5.0, 3.6, 3.1, 2.0),
       "size": (1.9, 0.0, 0.0, 1.7, 0.0, 0.0), "axis": ("z", "y")}
NU, OMEGA = 0.05, (0.3, -0.2, 0.4)
PAIRS = {"uu": (0, 0), "vv": (1, 1), "ww": (2, 2), "uv": (0, 1), "uw": (0, 2), "vw": (1, 2)}
TERMS = ("production", "transport", "viscous_diffusion", "dissipation", "pressure_strain",
         "pressure_transport", "budget_residual", "wall_term")
CASE = {"run": {"steps_max": 20}, "grid": GRID, "fluid": {"nu": NU}, "time": {"dt": 0.05}, "bodies": TWO,
        "initial": {"type": "taylor-green", "amplitude": 0.8, "velocity": (0.4, -0.3, 0.2)},
        "forcing": {"rotation": OMEGA},
        "pressure": {"tolerance": 1e-10}, "output": {"field_precision": "double"},
        "statistics": {"start": 0.12, "interval": 1, "directions": "none", "cell_budgets": True}}
CHANNEL = {"run": {"steps_max": 12}, "grid": {"n": (10, 8, 12), "length": (2.0, 1.5, 1.0)},
           "fluid": {"nu": 0.02}, "time": {"dt": 0.01},
           "boundary": {"z_low": "wall", "z_high": "wall"},
           "initial": {"type": "formula", "u": "sin(pi*z)*(1 + sin(pi*x)*cos(4*pi*y/1.5))",
                       "v": "sin(pi*z)*cos(pi*x)", "w": "0.5*sin(pi*z)^2*sin(pi*x)"},
           "pressure": {"tolerance": 1e-10}, "output": {"field_precision": "double"},
           "statistics": dict(CASE["statistics"], start=0.0)}


class Terms(bodies.BodySolver):
    """The slow solver without its projection, whose dense inverse takes long."""

    def operator(self):
        return np.zeros((1, 1))


def is_in_fluid(x, y, z):
    """Positive in the fluid of TWO."""
    images = [np.sqrt((x - 0.2 - i * BOX[0])**2 + (y - 1.2 - j * BOX[1])**2 + (z - 5.0 - k * BOX[2])**2)
              for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1)]
    return np.minimum(np.minimum.reduce(images) - 0.95, np.sqrt((x - 3.6)**2 + (z - 2.0)**2) - 0.85 + 0 * y)


def arrays(folder):
    with h5py.File(os.path.join(folder, "averages.h5"), "r") as file:
        return {n: d[...] for n, d in file.items() if isinstance(d, h5py.Dataset)}


def differ(one, other):
    return kc.differing_arrays(arrays(one), arrays(other))


def weights_of(t):
    w = np.empty_like(t)
    w[1:-1] = 0.5 * (t[2:] - t[:-2])
    w[0], w[-1] = t[1] - t[0], t[-1] - t[-2]
    return w / w.sum()


def in_cells(faces):
    return np.array([0.5 * (q + ns.above(q, d)) for d, q in enumerate(faces)])


def rates_of(solver, vel, p, dt):
    """Right-hand sides at open faces, each with the one before: convection, viscosity, pressure and Coriolis
    force, wall."""
    grid = solver.grid
    convection = [-c for c in ns.convection(grid, vel)]
    viscous = [c + NU * ns.laplacian(grid, location, q)
               for c, location, q in zip(convection, ns.VELOCITY_LOCATIONS, vel)]
    pressure = [r - g + c for r, g, c in zip(viscous, ns.gradient(grid, p), coriolis(grid, vel))]
    explicit = solver.right_hand_side(vel)
    wall = []
    for d in range(3):
        drag, pull = solver.terms[d][:2]
        all_of = explicit[d] - (viscous[d] - pressure[d]) - drag * vel[d] + pull
        wall.append(np.where(dt * drag > 2, all_of * 2 / np.maximum(dt * drag, 2), all_of))
    return [in_cells([np.where(solver.open[d], r[d], 0) for d in range(3)])
            for r in (convection, viscous, pressure, wall)]


def coriolis(grid, vel):
    """-2 Omega x u at the faces, from the velocities of the two cells beside them, by their widths."""
    cells, out = in_cells(vel), []
    for d in range(3):
        total = 0
        for e in range(3):
            width = ns.along(grid.dc[d], d) * cells[e]
            there = 0.5 * (width + ns.below(width, d)) / ns.along(grid.df[d], d)
            total = total + 2 * float(np.cross(np.eye(3)[d], np.eye(3)[e]) @ np.array(OMEGA)) * there
        out.append(total)
    return out


def gradients_of(grid, u):
    """g[c][e][side]: gradient of component c along e, towards the lower and the upper cell."""
    cells = in_cells(u)
    g = [[None] * 3 for _ in range(3)]
    for c in range(3):
        for e in range(3):
            if c == e:
                g[c][e] = [(ns.above(u[c], c) - u[c]) / ns.along(grid.dc[c], c)] * 2
            else:
                low = (cells[c] - ns.below(cells[c], e)) / ns.along(grid.df[e], e)
                g[c][e] = [low, ns.above(low, e)]
    return np.array(g)


def wanted_terms(solver, times, flows, pressures, dt):
    """All terms, from fluctuations about the means."""
    w = weights_of(times)

    def mean(x):
        return np.tensordot(w, np.asarray(x), 1)
    u = np.array([in_cells(f) for f in flows])
    g = np.array([gradients_of(solver.grid, f) for f in flows])
    r = np.array([rates_of(solver, f, p, dt) for f, p in zip(flows, pressures)])
    p = np.array(pressures)
    big_g = mean(g)
    u1, g1, r1, p1 = u - mean(u), g - big_g, r - mean(r), p - mean(p)
    centre, centre1 = 0.5 * (big_g[:, :, 0] + big_g[:, :, 1]), 0.5 * (g1[:, :, :, 0] + g1[:, :, :, 1])
    out = {}
    for name, (a, c) in PAIRS.items():
        change = [mean(u1[:, a] * r1[:, part, c] + u1[:, c] * r1[:, part, a]) for part in range(4)]
        production = -sum(mean(u1[:, a] * u1[:, e]) * centre[c, e] + mean(u1[:, c] * u1[:, e]) * centre[a, e]
                          for e in range(3))
        dissipation = 2 * NU * sum(0.5 * mean(g1[:, a, e, s] * g1[:, c, e, s])
                                   for e in range(3) for s in (0, 1))
        strain = mean(p1 * (centre1[:, a, c] + centre1[:, c, a]))
        force = -2 * np.cross(OMEGA, u1, axisb=1, axisc=1)
        turned = out[f"{name}_rotation"] = mean(u1[:, a] * force[:, c] + u1[:, c] * force[:, a])
        out.update({f"{name}_{term}": value for term, value in zip(TERMS, (
            production, change[0] - production, change[1] - change[0] + dissipation, dissipation, strain,
            change[2] - change[1] - strain - turned, change[3], change[3] - change[2]))})
    for term in TERMS:
        out[f"k_{term}"] = 0.5 * sum(out[f"{n}_{term}"] for n in ("uu", "vv", "ww"))
    return out


def flows_of(result, start):
    times, flows, pressures = [], [], []
    for step in sorted(result.steps()):
        c = result.checkpoint(step)
        if c.state["time"] >= start and step > 0:
            times.append(c.state["time"])
            flows.append(c.velocity)
            pressures.append(c.fields["p"])
    return np.array(times), flows, pressures


def reference(kolmo, check):
    grid = ns.Grid(GRID["n"], BOX, (0, 0, 0), GRID["stretching"], GRID["stretching_factor"])
    solver = Terms(grid, NU, "rk3-half", [np.zeros(grid.shape)] * 3, is_in_fluid)
    for scheme in ("rk3-half", "rk3-wray") if kolmo.options.long else ("rk3-half",):
        asked = kc.merge(CASE, {"time": {"scheme": scheme}, "checkpoint": {"interval": 1, "keep": 99}})
        result = kolmo.run(asked)
        data = arrays(result.folder)
        wanted = wanted_terms(solver, *flows_of(result, 0.12), 0.05)
        fluid = data["samples"] > 0
        check.holds(f"{scheme}: solid and fluid", 0.5 < fluid.mean() < 0.99, f"{fluid.mean()}")
        worst, odd = {}, []
        for name, value in wanted.items():
            largest = max(np.abs(wanted[f"{name.split('_')[0]}_{t}"][fluid]).max() for t in TERMS)
            found = data[name]
            odd += [] if np.array_equal(np.isfinite(found), fluid) else [name]
            worst[name] = np.abs(found - value)[fluid].max() / largest
        check.same("  NaN in solids alone", odd)
        check.below(f"  all terms ({max(worst, key=worst.get)})", max(worst.values()), 1e-8)
        check.holds("  none is 0", all(np.abs(wanted[n][fluid]).max() > 1e-6 for n in wanted
                                       if n != "k_pressure_strain"))
        out = os.path.join(kolmo.place(), "stats")
        kolmo.other("kolmo-stats").call("--out", out, result.folder, ranks=2)
        check.same("  stored flows", differ(result.folder, out))


def closure(kolmo, check):
    """The residual is the change of the stress, by differences of the flows before and after each sample;
    the error falls with the step."""
    errors = []
    for dt, steps in ((0.04, 21), (0.02, 41)) + (((0.01, 81),) if kolmo.options.long else ()):
        result = kolmo.run(kc.merge(CASE, {
            "run": {"steps_max": steps}, "time": {"dt": dt}, "statistics": {"start": 0.16, "interval": 2},
            "checkpoint": {"interval": 1, "keep": 999}}))
        data, (times, flows, _) = arrays(result.folder), flows_of(result, 0.16 - 1.01 * dt)
        u = np.array([in_cells(f) for f in flows])
        rate = (u[2:] - u[:-2])[::2] / (2 * dt)
        u = u[1:-1:2]
        u1 = u - u.mean(axis=0)
        check.equal(f"dt = {dt}: samples", int(data["samples"].max()), len(u))
        wanted = {n: np.mean(u1[:, a] * rate[:, b] + u1[:, b] * rate[:, a], axis=0)
                  for n, (a, b) in PAIRS.items()}
        wanted["k"] = 0.5 * (wanted["uu"] + wanted["vv"] + wanted["ww"])
        fluid = data["samples"] > 0
        errors.append({n: np.sqrt(np.mean((data[f"{n}_budget_residual"] - w)[fluid]**2)
                                  / np.mean(w[fluid]**2)) for n, w in wanted.items()})
    for n in errors[0]:
        check.below(f"{n}: residual less change, over the change, rms", errors[-1][n], 0.05)
        check.above("  falls with the step", errors[0][n] / errors[-1][n], 1.75 ** (len(errors) - 1))


def walls(kolmo, check):
    """Between two boxes on grid faces as between walls, but in the cells at them, where the wall's distance
    is in a term of its own; 0 without fluctuations."""
    grid = kolmo.run(CHANNEL)
    solid = kolmo.run(kc.merge(CHANNEL, {
        "grid": {"n": (10, 8, 16), "length": (2.0, 1.5, 4 / 3), "origin": (0.0, 0.0, -1 / 6)},
        "boundary": {"z_low": "periodic", "z_high": "periodic"},
        "bodies": {"shape": ("box", "box"), "centre": (1.0, 0.75, -1 / 12, 1.0, 0.75, 13 / 12),
                   "size": (2.0, 1.5, 1 / 6, 2.0, 1.5, 1 / 6)}}))
    one, two = arrays(grid.folder), arrays(solid.folder)
    for name in ("uu", "uw", "k"):
        for term in ("production", "transport", "dissipation", "pressure_strain", "budget_residual"):
            inner = slice(0, None) if term == "budget_residual" else slice(1, -1)
            a, b = one[f"{name}_{term}"][inner], two[f"{name}_{term}"][2:-2][inner]
            scale = max(np.abs(one[f"{name}_{t}"]).max() for t in TERMS[:-1])
            check.below(f"{name}_{term} between boxes", np.abs(a - b).max() / scale, 1e-6)
    check.holds("no wall term without bodies", "uu_wall_term" not in one and "uu_wall_term" in two)
    poiseuille = kolmo.run(kc.merge(CHANNEL, {
        "initial": {"u": "z*(1-z) + 1/576", "v": "0", "w": "0"},
        "forcing": {"type": "pressure-gradient", "direction": "x", "value": 0.04}}))
    still = arrays(poiseuille.folder)
    check.below("laminar: all terms", max(np.abs(still[f"{n}_{t}"]).max() for n in ("uu", "uw", "k")
                                          for t in TERMS[:-1]), 1e-6 * still["dissipation"].max())


def layouts(kolmo, check):
    one = kolmo.run(CASE)
    other = kolmo.run(kc.merge(CASE, {"grid": {"ranks": (2, 1, 2)}}), ranks=4)
    check.same("on (2, 1, 2)", differ(one.folder, other.folder))
    folder = kolmo.place()
    kolmo.run(kc.merge(CASE, {"run": {"steps_max": 11}}), folder=folder)
    again = kolmo.run(kc.merge(CASE, {"checkpoint": {"restart": "latest"}}), ranks=2, folder=folder)
    check.same("restarted", differ(one.folder, again.folder))
    anew = kolmo.run(kc.merge(CASE, {"statistics": {"cell_budgets": False}, "checkpoint": {
        "restart": kc.checkpoint_path(one.folder)}, "run": {"steps_max": 22}}))
    check.says("another choice", anew.out, "averages of the checkpoint are dropped", "cell_budgets")
    without = arrays(kolmo.run(kc.merge(CASE, {"statistics": {"cell_budgets": False}, "scalars": {
        "name": ("dye",), "diffusivity": (0.05,)}, "pressure": {"stage_reduction": None}})).folder)
    data = arrays(kolmo.run(kc.merge(CASE, {"scalars": {
        "name": ("dye",), "diffusivity": (0.05,)}, "pressure": {"stage_reduction": None}})).folder)
    good = data["samples"] > 0
    check.below("a passive scalar changes nothing but what the first stages leave", np.abs(
        data["k_production"] - arrays(one.folder)["k_production"])[good].max()
                / np.abs(data["k_production"][good]).max(), 1e-2)
    check.same("the other arrays", kc.differing_arrays(without, {n: data[n] for n in without}))
    check.holds("errors", np.isfinite(data["k_production_error"][data["samples"] > 0]).all())
    lines = kc.merge(CASE, {"statistics": {"directions": "y"}})
    one = kolmo.run(lines)
    check.same("along y on (2, 2, 1)", differ(one.folder, kolmo.run(
        kc.merge(lines, {"grid": {"ranks": (2, 2, 1)}}), ranks=4).folder))
    first = kolmo.run(kc.merge(lines, {"run": {"steps_max": 11}}))
    second = kolmo.run(kc.merge(lines, {"checkpoint": {"restart": kc.checkpoint_path(first.folder)},
                                        "statistics": {"start": 11.5 * 0.05}}))
    out = os.path.join(kolmo.place(), "out")
    kolmo.other("kolmo-merge").call("--out", out, second.folder, first.folder, ranks=2)
    a, b = arrays(one.folder), arrays(out)
    for name in ("k_production", "uw_wall_term", "k_budget_residual"):
        good = np.isfinite(a[name])
        check.below(f"merged: {name}", np.abs(a[name] - b[name])[good].max() / np.abs(a[name][good]).max(),
                    1e-9)


def refused(kolmo, check):
    moving = {"motion": ("translate", "none"), "velocity": (0.1, 0.0, 0.0, 0.0, 0.0, 0.0)}
    for case, change, words in (
            (CASE, {"bodies": moving}, ("statistics.cell_budgets", "bodies.motion")),
            (CASE, {"bodies": {"remove_time": (0.3,)}}, ("statistics.cell_budgets",)),
            (CASE, {"statistics": {"stress_budgets": True}}, ("stress_budgets", "cell_budgets")),
            (CHANNEL, {"statistics": {"directions": "periodic"}}, ("cell_budgets", "stress_budgets")),
            (CHANNEL, {"boundary": {"x_low": "inflow", "x_high": "outflow"}}, ("cell_budgets", "inflows"))):
        check.says(f"{change}", kolmo.run(kc.merge(case, change), rc=2).text, *words)


if __name__ == "__main__":
    kc.main(__doc__, [reference, closure, walls, layouts, refused])

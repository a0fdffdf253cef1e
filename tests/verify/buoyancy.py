#!/usr/bin/env python3
"""Buoyancy: a state of rest stays at rest, convection begins at the critical Rayleigh number, a heated cavity
has the published Nusselt number, order in time, energy budget, directions of gravity, layouts and restarts,
refusals.

Would catch: a force taken at the wrong point or time, a wrong sign, a part of the hydrostatic pressure that
is left in the force, a work that is missing in the budget, an axis taken for another, a value beyond a face
that is stale when the force reads it, and numbers in units of free fall that differ from those that they
stand for."""
import csv
import math
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
from kolmo_case import Z  # noqa: E402

kc.LOCATION.update({"heat": "ccc", "salt": "ccc"})
REFERENCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "shared", "reference")
BY = 0.05
PLATES = {"z_low": "wall", "z_high": "wall"}
HOT_BELOW = {"z_low": "value", "z_high": "value", "z_low_value": 0.5, "z_high_value": -0.5}
SINGLE = 1e-12


def still(kolmo, check):
    """Fluid that is stratified along gravity, or uniform with gravity along no axis, stays at rest without a
    pressure."""
    grid = {"n": (8, 6, 12), "length": (1.0, 2.0, 1.0), "stretching": ("sine", "uniform", "tanh-low"),
            "stretching_factor": (0.4, 0.0, 1.5)}
    for name, scalars, gravity in (
            ("stratified", {"prandtl": 1.0, "initial": "conduction", **HOT_BELOW}, (0, 0, 9.0)),
            ("uniform", {"prandtl": 1.0, "initial_value": 3.0}, (1.0, -2.0, 3.0))):
        result = kolmo.run({"run": {"steps_max": 20}, "grid": grid, "fluid": {"nu": 0.01},
                            "time": {"dt": 0.02}, "boundary": PLATES, "initial": {"type": "rest"},
                            "scalars": {"name": "heat", **scalars},
                            "buoyancy": {"gravity": gravity, "expansion": 0.5}})
        c = result.checkpoint()
        check.below(f"{name}: speed", max(float(np.max(np.abs(q))) for q in c.velocity), 1e-13)
        check.below(f"{name}: pressure", float(np.max(np.abs(c.fields["p"]))), 1e-12)


def held(kolmo, check):
    """Fluid that the pressure holds at rest against a force stays at rest: the run goes on, although the flow
    has the speed of rounding, to which no tolerance can be relative."""
    grid = {"n": (12, 10, 16), "length": (2.0, 1.5, 1.0), "stretching": ("uniform", "uniform", "tanh"),
            "stretching_factor": (0.0, 0.0, 1.2)}
    buoyant = {"scalars": {"name": "heat", "prandtl": 1.0, "initial_value": 1.0},
               "buoyancy": {"gravity": (0, 0, -10.0), "expansion": 1.0, "reference": 0.0}}
    for name, more in (("buoyancy", buoyant),
                       ("a fixed dt", {**buoyant, "time": {"dt": 0.01}}),
                       ("direct", {**buoyant, "pressure": {"preconditioner": "direct"}}),
                       ("jacobi", {**buoyant, "pressure": {"preconditioner": "jacobi"}}),
                       ("a formula", {"forcing": {"type": "formula", "fz": "-10"}})):
        result = kolmo.run({"run": {"steps_max": 40}, "grid": grid, "fluid": {"nu": 0.02}, "boundary": PLATES,
                            "initial": {"type": "rest"}, **more}, rc=None)
        check.equal(f"{name}: exit code", result.rc, 0)
        if result.rc == 0:
            c = result.checkpoint()
            check.below(f"{name}: speed", max(float(np.max(np.abs(q))) for q in c.velocity), 1e-7)
            p, z = c.fields["p"].mean(axis=(1, 2)), c.centre[Z]
            check.below(f"{name}: the pressure balances the force",
                        abs(abs((p[0] - p[-1]) / (z[-1] - z[0])) / 10 - 1), 1e-6)


def onset(kolmo, check):
    """Convection between no-slip plates decays at Ra = 1700 and grows at 1716, at the critical wavelength; in
    between the rate vanishes at 1707.762, less what 48 cells cost."""
    rates = []
    for rayleigh in (1700.0, 1716.0):
        series = kolmo.run({
            "run": {"t_end": 12.0}, "grid": {"n": (32, 2, 48), "length": (2 * math.pi / 3.117, 0.2, 1.0)},
            "boundary": PLATES, "initial": {"type": "rest"}, "checkpoint": {"at_end": False},
            "scalars": {"name": "heat", "prandtl": 0.7, "initial": "conduction", "disturbance": 1e-4,
                        "waves": (1, 0, 1), **HOT_BELOW},
            "buoyancy": {"gravity": (0, 0, -1.0), "rayleigh": rayleigh}}).series()
        late = len(series["time"]) * 2 // 3
        rates.append(math.log(series["kinetic_energy"][-1] / series["kinetic_energy"][late])
                     / (series["time"][-1] - series["time"][late]) / 2)
    check.below("rate of growth at Ra 1700", rates[0], 0)
    check.above("rate of growth at Ra 1716", rates[1], 0)
    check.near("Ra where the rate is 0", 1700 - 16 * rates[0] / (rates[1] - rates[0]), 1707.762, 5)


def published(rayleigh):
    """The mean Nusselt number of the heated cavity (de Vahl Davis 1983); None without the table."""
    path = os.path.join(REFERENCE, "heated_cavity_2d_devahldavis1983.csv")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as source:
        for row in csv.DictReader(line for line in source if not line.startswith("#")):
            if float(row["Ra"]) == rayleigh and row["source"] == "dVD":
                return float(row["Nu_mean"])
    return None


def steady_cavity(kolmo, rayleigh, prandtl, cells):
    """Nusselt numbers of the steady flow in a heated square cavity, and its work over its dissipation."""
    faces = {f"{d}_{end}": "wall" for d in "xz" for end in ("low", "high")}
    series = kolmo.run({
        "run": {"t_end": 45.0}, "grid": {"n": (cells, 2, cells), "length": (1.0, 0.1, 1.0)},
        "boundary": faces, "initial": {"type": "rest"}, "output": {"series_interval": 50},
        "pressure": {"tolerance": 1e-5},
        "scalars": {"name": "heat", "prandtl": prandtl, "x_low": "value", "x_high": "value",
                    "x_low_value": 0.5, "x_high_value": -0.5},
        "buoyancy": {"gravity": (0, 0, -1.0), "rayleigh": rayleigh}}).series()
    kappa = 1 / math.sqrt(rayleigh * prandtl)
    return {"hot wall": series["heat_flux_in_x_low"][-1] / kappa,
            "cold wall": -series["heat_flux_in_x_high"][-1] / kappa,
            "volume flux": 1 + series["heat_flux_x"][-1] / kappa,
            "dissipation of the variance": series["heat_dissipation"][-1] / kappa,
            "work": series["buoyancy_work"][-1] / series["dissipation"][-1]}


def cavity(kolmo, check):
    """At Ra = 1e4: four Nusselt numbers agree on each grid; extrapolated from two grids by the second order,
    they agree with the table."""
    found = [steady_cavity(kolmo, 1e4, 0.71, cells) for cells in (20, 40)]
    for n, numbers in zip((20, 40), found):
        work = numbers.pop("work")
        for name, value in numbers.items():
            check.near(f"{n} x {n} cells, Nu by {name}", value, numbers["hot wall"], 1e-3)
        check.near(f"{n} x {n} cells, work of buoyancy over dissipation", work, 1, 1e-3)
    limit = (4 * found[1]["hot wall"] - found[0]["hot wall"]) / 3
    wanted = published(1e4)
    if wanted is None:
        check.skip("published Nusselt number", "no table")
    else:
        check.near("Nu, de Vahl Davis 1983", limit, wanted, 0.003 * wanted)


PLUME = {"run": {"steps_max": 8, "seed": 2},
         "grid": {"n": (12, 10, 14), "length": (1.0, 0.8, 1.2), "stretching": ("sine", "uniform", "tanh"),
                  "stretching_factor": (0.3, 0.0, 0.9)},
         "fluid": {"nu": 0.02}, "boundary": {**PLATES, "z_high_velocity": (0.3, 0.1, 0.0)},
         "initial": {"type": "uniform", "velocity": (0.4, -0.3, 0.0)}, "pressure": {"tolerance": 1e-11},
         "scalars": {"name": ("heat", "salt"), "prandtl": (0.7, 2.0), "initial": ("conduction", "uniform"),
                     "initial_value": (0.0, 0.2), "disturbance": (0.4, 0.3), "waves": (1, 1, 1, 0, 1, 1),
                     **HOT_BELOW},
         "forcing": {"rotation": (0.1, 0.0, 0.5)},
         "buoyancy": {"gravity": (0.5, 0.0, -2.0), "expansion": (1.0, -0.7)}}


def order_in_time(kolmo, check):
    """Differences of runs with dt, dt/2, dt/4, of velocity and scalars; the energy budget closes with the
    same order."""
    for scheme, order in (("rk3-half", 2), ("rk3-wray", 3)):
        fields, residual = [], []
        for n in (40, 80, 160) if order == 2 else (20, 40, 80):
            result = kolmo.run(kc.merge(PLUME, {"run": {"t_end": 0.5, "steps_max": None},
                                                "time": {"scheme": scheme, "dt": 0.5 / n}}))
            c = result.checkpoint()
            fields.append(np.concatenate([c.fields[name].ravel()
                                          for name in ("u", "v", "w", "heat", "salt")]))
            series = result.series()
            residual.append(float(np.max(np.abs(series["budget_residual"][n // 4:]))))
        d = [float(np.sqrt(np.mean(np.square(a - b)))) for a, b in zip(fields, fields[1:])]
        check.near(f"{scheme}: order in time (differences {d[0]:.2e}, {d[1]:.2e})", math.log2(d[0] / d[1]),
                   order, 2 * BY if order == 3 else BY)
        check.above(f"{scheme}: order of the budget's residual ({residual[-2]:.1e}, {residual[-1]:.1e})",
                    math.log2(residual[-2] / residual[-1]), 1.8)


def turned(kolmo, check):
    """The same flow with axes and gravity exchanged."""
    found = []
    for shift in range(3):
        def turn(values, by=shift):
            return [values[(d - by) % 3] for d in range(3)]
        axis = "xyz"[(Z + shift) % 3]
        faces = {f"{axis}_low": "wall", f"{axis}_high": "wall"}
        values = {f"{axis}_low": "value", f"{axis}_high": "value", f"{axis}_low_value": 0.5,
                  f"{axis}_high_value": -0.5}
        c = kolmo.run({"run": {"steps_max": 6}, "time": {"dt": 0.02},
                       "grid": {"n": turn((10, 12, 14)), "length": turn((2.0, 3.0, 1.0)),
                                "stretching": turn(("sine", "uniform", "tanh")),
                                "stretching_factor": turn((0.3, 0.0, 0.9))},
                       "fluid": {"nu": 0.02}, "boundary": faces, "pressure": {"tolerance": 1e-13},
                       "initial": {"type": "rest"},
                       "scalars": {"name": "heat", "prandtl": 0.7, "initial": "conduction",
                                   "disturbance": 0.3, "waves": turn((1, 2, 1)), **values},
                       "buoyancy": {"gravity": turn((0.3, -0.2, -1.0)), "expansion": 2.0}}).checkpoint()
        order = [2 - (2 - a + shift) % 3 for a in range(3)]
        found.append({name: np.transpose(c.fields["uvw"[("uvw".index(name) + shift) % 3]
                                                  if name in "uvw" else name], order)
                      for name in ("u", "v", "w", "heat")})
    for shift in (1, 2):
        for name, values in found[0].items():
            check.below(f"axes moved by {shift}: {name}", float(np.max(np.abs(found[shift][name] - values))),
                        SINGLE)


def layouts_and_restart(kolmo, check):
    """The same bits on 1, 2, 4 and 8 ranks, and after a restart on other ranks."""
    for scheme, layouts in (("rk3-half", ((1, 1, 2), (2, 2, 2))), ("rk3-wray", ((1, 2, 1), (2, 1, 2)))):
        case = kc.merge(PLUME, {"time": {"scheme": scheme}, "checkpoint": {"interval": 4}})
        one = kolmo.run(case)
        for layout in layouts:
            other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=int(np.prod(layout)))
            check.same(f"{scheme}, {' x '.join(map(str, layout))} ranks", kc.differences(one, other))
        first = kolmo.run(kc.merge(case, {"run": {"steps_max": 4}}))
        second = kolmo.run(case, "--restart", "latest", ranks=2, folder=first.folder)
        check.same(f"{scheme}, restarted on 2 ranks", kc.differences(one, second))


def taken_on(kolmo, check):
    """A flow without scalars takes on heavy ones by one input, and says so. Buoyancy that is left out, or of
    another kind, is other physics."""
    averages = {"statistics": {"start": 0.0, "interval": 1}}
    case = kc.merge(PLUME, averages, {"buoyancy": {"gravity": (0.3, -0.2, -1.0)}})
    plain = {group: names for group, names in case.items() if group not in ("scalars", "buoyancy")}
    first = kolmo.run(kc.merge(plain, {"run": {"steps_max": 3}}))
    path = {"checkpoint": {"restart": kc.checkpoint_path(first.folder)}}
    for ranks in (1, 2):
        more = kolmo.run(kc.merge(case, {"run": {"steps_max": 7}}, path), ranks=ranks)
        check.says(f"taken on, {ranks} ranks", more.text, "begin with their initial values: heat salt",
                   "buoyancy begins with them: averages begin anew")
        if ranks == 1:
            one = more
            again = kolmo.run(kc.merge(case, {"run": {"steps_max": 5}}, path))
            again = kolmo.run(kc.merge(case, {"run": {"steps_max": 7}}), "--restart", "latest",
                              folder=again.folder)
            check.same("    and stopped and restarted", kc.differences(one, again))
        else:
            check.same("    the same bits", kc.differences(one, more))
    check.above("    and it moves the fluid", float(np.abs(one.series()["buoyancy_work"][-1])), 1e-6)
    left = kolmo.run(kc.merge(plain, {"run": {"steps_max": 9},
                                      "checkpoint": {"restart": kc.checkpoint_path(one.folder)}}), rc=2)
    check.says("left out", left.text, "buoyancy.gravity", "--force-restart")
    other = kolmo.run(kc.merge(case, {"run": {"steps_max": 9}, "scalars": {"name": ("warmth", "salt")},
                                      "buoyancy": {"expansion": (3.0, -0.5)},
                                      "checkpoint": {"restart": kc.checkpoint_path(one.folder)}}), rc=2)
    check.says("another expansion", other.text, "buoyancy.expansion", "--force-restart")


def free_fall(kolmo, check):
    """A Rayleigh number stands for nu, diffusivity, gravity and expansion; a Richardson number for the last
    two."""
    base = kc.merge(PLUME, {"run": {"steps_max": 3}, "forcing": {"rotation": None},
                            "buoyancy": {"gravity": (0.0, 0.0, -1.0), "expansion": (1.0, -0.5)}})
    nu = math.sqrt(0.7 / 3000.0)
    one = kolmo.run(kc.merge(base, {"fluid": {"nu": nu}}))
    two = kolmo.run(kc.merge(base, {"fluid": {"nu": None}, "buoyancy": {"gravity": (0.0, 0.0, -9.0),
                                                                      "rayleigh": 3000.0}}))
    check.same("rayleigh", kc.differences(one, two))
    one = kolmo.run(kc.merge(base, {"buoyancy": {"gravity": (0.0, 0.0, -0.25)}}))
    two = kolmo.run(kc.merge(base, {"buoyancy": {"richardson": 0.25}}))
    check.same("richardson", kc.differences(one, two))


def through_faces(kolmo, check):
    """Buoyancy does no work on an inflow, whose velocity is given: the energy budget closes."""
    s = kolmo.run({"run": {"steps_max": 6}, "grid": {"n": (12, 8, 8), "length": (2.0, 1.5, 2.0)},
                   "fluid": {"nu": 0.05}, "time": {"dt": 0.004}, "pressure": {"tolerance": 1e-10},
                   "boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0), "x_high": "outflow"},
                   "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)},
                   "scalars": {"name": "heat", "prandtl": 1.0, "initial_value": 1.0, "x_low": "value",
                               "x_low_value": 1.0, "x_high": "none"},
                   "buoyancy": {"gravity": (-5.0, 0.0, 0.0), "expansion": 1.0, "reference": 0.0}}).series()
    check.above("work of the buoyancy beside an inflow", float(s["buoyancy_work"][-1]), 4.0)
    check.below("residual of the energy budget", float(np.abs(s["budget_residual"][3:]).max()), 1e-9)


BASE = {"run": {"steps_max": 1}, "grid": {"n": (8, 8, 8)}, "fluid": {"nu": 0.01},
        "scalars": {"name": "heat", "prandtl": 0.7}, "buoyancy": {"gravity": (0, 0, -1.0), "expansion": 1.0}}
REFUSED = [
    ({"buoyancy": {"gravity": None}}, ["buoyancy.expansion has no effect", "buoyancy.gravity other than 0"]),
    ({"buoyancy": {"expansion": None}}, ["buoyancy.gravity has no effect", "rayleigh or richardson"]),
    ({"buoyancy": {"expansion": (1.0, 1.0)}}, ["buoyancy.expansion(2) has no effect", "scalars.name(2)"]),
    ({"buoyancy": {"rayleigh": 1e4}}, ["fluid.nu has no effect with buoyancy.rayleigh"]),
    ({"buoyancy": {"rayleigh": 1e4, "richardson": 1.0}, "fluid": {"nu": None}}, ["can't both be given"]),
    ({"buoyancy": {"rayleigh": 1e4}, "fluid": {"nu": None}, "scalars": {"prandtl": None, "diffusivity": 0.1}},
     ["needs the Prandtl number", "scalars.prandtl(1)"]),
    ({"buoyancy": {"richardson": 1.0, "expansion": 3.0}}, ["buoyancy.expansion(1) = 3", "it is 1"]),
    ({"buoyancy": {"richardson": -1.0}}, ["buoyancy.richardson", "richardson > 0"]),
    ({"pressure": {"method": "exact"}}, ["pressure.method = 'exact'", "buoyancy so far"]),
    ({"buoyancy": {"gravty": 1.0}}, ["did you mean 'gravity'?"])]


def refused(kolmo, check):
    """Faulty inputs end with exit code 2, place and remedy. A Rayleigh number that is not that of the faces
    has a warning."""
    high = {"run": {"steps_max": 1}, "grid": {"n": (4, 4, 8), "length": (1.0, 1.0, 2.0)}, "boundary": PLATES,
            "initial": {"type": "rest"}, "scalars": {"name": "heat", "prandtl": 1.0, **HOT_BELOW},
            "buoyancy": {"gravity": (0, 0, -1.0), "rayleigh": 1e4}}
    check.says("a height other than 1", kolmo.run(high, "--check").out, "warning: buoyancy.rayleigh = 10000",
               "distance 2 of the faces in z", "it is 80000")
    layer = {"grid": {"length": (1.0, 1.0, 1.0)}, "buoyancy": {"rayleigh": 1e7, "gravity": (0, 0, 1.0)}}
    for dt, rc in ((1.9, 0), (2.5, 2)):
        bad = kolmo.run(kc.merge(high, layer, {"time": {"dt": dt}}), "--check", rc=rc)
    check.says("a dt too long for waves", bad.text, "time.dt = 2.5 is too long for buoyancy",
               "the frequency 1,", "stable up to dt = 2;", "give a shorter time.dt")
    given = {"scalars": {"z_low": "flux", "z_low_value": 1.0, "z_high_value": 0.0}, "time": {"dt": 2.5},
             "fluid": {"nu": 1e-3}, "buoyancy": {"gravity": (0, 0, -1.0), "expansion": 1.0}}
    heated = kc.merge({k: v for k, v in high.items() if k != "buoyancy"}, given)
    kolmo.run(heated, "--check")  # a flux does not tell the difference that convection leaves
    for change, words in REFUSED:
        result = kolmo.run(kc.merge(BASE, change), "--check", rc=None)
        check.equal(f"{change}: exit code", result.rc, 2)
        check.says(str(change), result.text, "case.nml:", *words)


if __name__ == "__main__":
    kc.main(__doc__, [still, held, onset, cavity, order_in_time, turned, layouts_and_restart, taken_on,
                      free_fall, through_faces, refused])

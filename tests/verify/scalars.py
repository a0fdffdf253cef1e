#!/usr/bin/env python3
"""Transport of scalars: exact solutions and their orders, conservation, conditions on faces, the same bits on
any layout and after a restart, refusals.

Would catch: a metric of first order on stretched grids, a value on a face taken half a cell off, a flux of
the wrong sign or size, a stage that uses the velocity or the values of another stage, convection that creates
a scalar or its variance, a halo or a value beyond a face that is stale, a scalar that takes the input of
another, a restart that loses one, and an input that is read but has no effect."""
import math
import os
import re
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
from kolmo_case import X, Z  # noqa: E402

kc.LOCATION.update({"heat": "ccc", "dye": "ccc", "salt": "ccc", "temperature": "ccc"})
CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "inputs", "cases")
ORDER, BY = 2.0, 0.05
SINE = {"stretching": ("sine",) * 3, "stretching_factor": (0.3, 0.2, 0.4)}
BOX = (kc.TWO_PI, 4.5, 3.0)
WALLS = {"z_low": "wall", "z_high": "wall"}


def slope_of(errors, sizes):
    """The order between the last two errors."""
    return math.log(errors[-2] / errors[-1]) / math.log(sizes[-1] / sizes[-2])


def waves_that_travel(kolmo, check):
    """A product of cosines is carried by a uniform velocity and decays, on uniform and stretched grids."""
    drift, kappa, dt, steps = (0.7, -0.4, 0.3), 0.05, 0.005, 40
    for name, grid in (("uniform", {}), ("stretched", SINE)):
        found, sizes = [], [(28, 20, 16), (56, 40, 32)]
        for n in sizes:
            result = kolmo.run({"run": {"steps_max": steps}, "grid": {"n": n, "length": BOX, **grid},
                                "fluid": {"nu": 0.02}, "time": {"scheme": "rk3-wray", "dt": dt},
                                "initial": {"type": "uniform", "velocity": drift},
                                "scalars": {"name": "heat", "diffusivity": kappa, "initial_value": 0.5,
                                            "disturbance": 1.0, "waves": (1, 1, 1)}})
            c = result.checkpoint()
            exact = math.exp(-kappa * sum((kc.TWO_PI / q) ** 2 for q in BOX) * dt * steps)
            for d, q in enumerate(c.position("heat")):
                exact = exact * np.cos(kc.TWO_PI / BOX[d] * (q - drift[d] * dt * steps))
            found.append(c.rms("heat", c.fields["heat"] - 0.5 - exact))
        check.near(f"{name}: order of a travelling wave (errors {', '.join(f'{e:.3e}' for e in found)})",
                   slope_of(found, [n[0] for n in sizes]), ORDER, BY)


def manufactured(kolmo, check):
    """The flow and the temperature of manufactured-scalar.nml, which convection, diffusion, the mean gradient
    and the force hold steady: order in space."""
    path = os.path.join(CASES, "manufactured-scalar.nml")
    found, sizes = {"u": [], "temperature": []}, [(16, 2, 24), (32, 2, 48)]
    for n in sizes:
        folder = kolmo.place()
        words = (f"grid.n={n[0]},{n[1]},{n[2]}", f"output.directory={folder}", "run.t_end=2")
        c = kolmo.call(path, *(f"--set={w}" for w in words), folder=folder).checkpoint()
        for name, errors in found.items():
            x, _, z = c.position(name)
            exact = np.sin(x) if name == "temperature" else np.cos(z + np.sin(x))
            errors.append(c.rms(name, c.fields[name] - exact))
    for name, errors in found.items():
        check.near(f"{name}: order (errors {', '.join(f'{e:.3e}' for e in errors)})",
                   slope_of(errors, [n[0] for n in sizes]), ORDER, BY)


def between_faces(kolmo, check):
    """Diffusion between two faces with values, between two without flux, and one of each: sines and cosines
    decay, on stretched cells, along each direction."""
    kappa, dt, steps = 0.1, 0.0005, 200
    for d in range(3):
        found, sizes = [], [16, 32]
        for n in sizes:
            cells = [4, 4, 4]
            cells[d] = n
            axis = "xyz"[d]
            stretching = ["uniform"] * 3
            stretching[d] = "tanh"
            face = {f"{axis}_low": "wall", f"{axis}_high": "wall"}
            waves = [0, 0, 0]
            waves[d] = 2
            result = kolmo.run({"run": {"steps_max": steps},
                                "grid": {"n": cells, "length": (1.0, 1.0, 1.0), "stretching": stretching,
                                         "stretching_factor": [1.2 if i == d else 0.0 for i in range(3)]},
                                "fluid": {"nu": 0.01}, "boundary": face, "initial": {"type": "rest"},
                                "time": {"dt": dt},
                                "scalars": {"name": "heat", "diffusivity": kappa, "disturbance": 1.0,
                                            "waves": waves, f"{axis}_low": "value", f"{axis}_high": "value",
                                            f"{axis}_low_value": 1.0, f"{axis}_high_value": 3.0,
                                            "initial": "conduction"}})
            c = result.checkpoint()
            s = kc.along(c.centre[d], d)
            exact = 1 + 2 * s + math.exp(-kappa * (2 * math.pi) ** 2 * dt * steps) * np.sin(2 * math.pi * s)
            found.append(c.rms("heat", c.fields["heat"] - exact))
        check.near(f"{'xyz'[d]}: order between values (errors {', '.join(f'{e:.3e}' for e in found)})",
                   slope_of(found, sizes), ORDER, BY)


def steady_conduction(kolmo, check):
    """A given flux on one wall, a value on the other, and a source: the parabola is a steady state, the
    fluxes and their sum are exact."""
    kappa, flux, source, high = 0.2, 0.3, 0.5, 2.0
    case = {"run": {"steps_max": 2000}, "grid": {"n": (4, 4, 8), "length": (1.0, 1.0, 1.0),
                                                 "stretching": ("uniform", "uniform", "tanh"),
                                                 "stretching_factor": (0, 0, 0.8)},
            "fluid": {"nu": 0.2}, "boundary": WALLS, "initial": {"type": "rest"},
            "checkpoint": {"at_end": True},
            "scalars": {"name": "heat", "diffusivity": kappa, "source": source, "initial_value": high,
                        "z_low": "flux", "z_low_value": flux, "z_high": "value", "z_high_value": high}}
    result = kolmo.run(merge_time(case, 0.012))
    c, series = result.checkpoint(), result.series()
    z = kc.along(c.centre[Z], Z)
    exact = high + flux / kappa * (1 - z) + source / (2 * kappa) * (1 - z * z)
    check.below("steady parabola, error", c.rms("heat", c.fields["heat"] - exact), 1e-2)
    check.near("flux at the lower wall", series["heat_flux_in_z_low"][-1], flux, 1e-12)
    check.near("flux at the upper wall", series["heat_flux_in_z_high"][-1], -(flux + source), 1e-4)
    check.near("mean of the record", series["heat_mean"][-1], c.mean("heat", c.fields["heat"]), 1e-13)
    check.near("largest of the record", series["heat_largest"][-1], np.max(c.fields["heat"]), 1e-14)
    check.near("least of the record", series["heat_least"][-1], np.min(c.fields["heat"]), 1e-14)


def merge_time(case, dt):
    """The case with a fixed time step."""
    return kc.merge(case, {"time": {"dt": dt}})


TURBULENT = {"run": {"seed": 5, "steps_max": 20},
             "grid": {"n": (16, 12, 14), "length": BOX, **SINE}, "fluid": {"nu": 0.002},
             "initial": {"type": "isotropic", "k_peak": 2, "velocity": (0.3, -0.2, 0.1)},
             "pressure": {"tolerance": 1e-10}}


def conservation(kolmo, check):
    """Without diffusion the mean stays to rounding, and the variance drifts by the error in time alone, which
    falls by the order of the scheme. A uniform scalar stays uniform to the pressure's tolerance."""
    for scheme, order in (("rk3-half", 2), ("rk3-wray", 3)):
        drift = []
        for steps in (20, 40) if order == 2 else (40, 80):
            result = kolmo.run(kc.merge(merge_time(TURBULENT, 1.0 / steps), {
                "run": {"steps_max": steps}, "time": {"scheme": scheme},
                "scalars": {"name": ("dye", "salt"), "diffusivity": (0.0, 0.0), "initial_value": (1.0, 2.0),
                            "disturbance": 0.5, "waves": (1, 1, 1)}}))
            series = result.series()
            drift.append(abs(series["dye_variance"][-1] / series["dye_variance"][0] - 1))
            if not drift[1:]:
                check.below(f"{scheme}: mean", abs(series["dye_mean"][-1] - series["dye_mean"][0]), 1e-13)
                uneven = max(series["salt_largest"][-1] - 2, 2 - series["salt_least"][-1])
                bound = 2 * np.sum(series["dt"] * series["divergence"]) + 1e-13
                check.below(f"{scheme}: a uniform scalar", uneven, bound)
        check.above(f"{scheme}: order of the drift of the variance ({drift[0]:.2e}, {drift[1]:.2e})",
                    math.log2(drift[0] / drift[1]), order - 0.1)


def order_in_time(kolmo, check):
    """Scalars in an evolving flow: differences of runs with dt, dt/2, dt/4."""
    for scheme, order, steps in (("rk3-half", 2, (20, 40, 80)), ("rk3-wray", 3, (20, 40, 80))):
        fields = []
        for n in steps:
            result = kolmo.run({"run": {"t_end": 1.0}, "grid": {"n": (16, 12, 10), "length": BOX, **SINE},
                                "fluid": {"nu": 0.05}, "time": {"scheme": scheme, "dt": 1.0 / n},
                                "pressure": {"tolerance": 1e-11},
                                "initial": {"type": "taylor-green", "velocity": (0.4, -0.3, 0.2)},
                                "scalars": {"name": "heat", "prandtl": 0.7, "disturbance": 1.0,
                                            "waves": (1, 1, 1), "source": 0.3,
                                            "mean_gradient": (0.5, 1.0, -0.3)}})
            fields.append(result.checkpoint().fields["heat"])
        d = [float(np.sqrt(np.mean(np.square(a - b)))) for a, b in zip(fields, fields[1:])]
        check.near(f"{scheme}: order in time (differences {d[0]:.2e}, {d[1]:.2e})", math.log2(d[0] / d[1]),
                   order, BY)


IMPLICIT = {"run": {"t_end": 0.4, "seed": 3}, "grid": {"n": (10, 12, 16), "length": (2.0, 1.5, 1.0),
                                                       "stretching": ("sine", "uniform", "tanh"),
                                                       "stretching_factor": (0.3, 0.0, 1.3)},
            "fluid": {"nu": 0.05}, "pressure": {"tolerance": 1e-11},
            "boundary": {**WALLS, "z_high_velocity": (0.5, 0.2, 0.0)},
            "initial": {"type": "uniform", "velocity": (0.4, -0.3, 0.0)},
            "scalars": {"name": ("heat", "dye"), "prandtl": (0.5, 3.0), "initial": ("conduction", "uniform"),
                        "initial_value": (0.0, 0.3), "disturbance": (0.5, 0.4), "waves": (1, 1, 1, 1, 0, 2),
                        "z_low": ("value", "flux"), "z_high": ("value", "flux"),
                        "z_low_value": (1.0, 0.04), "z_high_value": (-0.5, -0.04),
                        "mean_gradient": (0.3, 0.0, 0.0)}}
EXACT = {"time": {"diffusion_tolerance": 1e-13}}


def implicit_diffusion(kolmo, check):
    """Diffusion of scalars implicit in all directions and in z: second order in time, towards the solution
    of explicit diffusion."""
    fine = kolmo.run(kc.merge(IMPLICIT, {"time": {"scheme": "rk3-wray", "dt": 0.4 / 400}})).checkpoint()
    for scheme in ("rk3-half", "rk3-wray"):
        for how in ("implicit", "implicit-z"):
            more = EXACT if how == "implicit" else {}
            runs = [kolmo.run(kc.merge(IMPLICIT, more, {"time": {"scheme": scheme, "diffusion": how,
                                                                 "dt": 0.4 / n}})).checkpoint()
                    for n in (40, 80, 160)]
            for name in ("heat", "dye"):
                d = [fine.rms(name, b.fields[name] - a.fields[name]) for a, b in zip(runs, runs[1:])]
                left = fine.rms(name, fine.fields[name] - runs[-1].fields[name])
                check.near(f"{scheme}, {how}: order of {name} (differences {d[0]:.2e}, {d[1]:.2e})",
                           math.log2(d[0] / d[1]), 2, 0.15)
                check.below("    distance from explicit diffusion over the last difference", left / d[1], 1)


def implicit_steady(kolmo, check):
    """With steps far beyond the limit of explicit diffusion, layers come to the profiles of conduction; a
    mean that only fluxes can change stays."""
    for d, how in ((0, "implicit"), (1, "implicit"), (2, "implicit"), (2, "implicit-z")):
        axis, cells, law, factor = "xyz"[d], [4, 4, 4], ["uniform"] * 3, [0.0] * 3
        cells[d], law[d], factor[d] = 16, "tanh", 1.5
        case = {"run": {"steps_max": 350}, "grid": {"n": tuple(cells), "length": (1.0, 1.0, 1.0),
                                                   "stretching": tuple(law),
                                                   "stretching_factor": tuple(factor)},
                "fluid": {"nu": 0.1}, "time": {"dt": 0.035, "diffusion": how},
                "boundary": {f"{axis}_low": "slip", f"{axis}_high": "slip"}, "initial": {"type": "rest"},
                "scalars": {"name": ("heat", "dye"), "prandtl": (1.0, 0.25),
                            "initial": ("conduction", "uniform"),
                            "initial_value": (0.0, 0.7), "disturbance": (0.4, 0.0),
                            "waves": tuple(int(a == d) for a in range(3)),
                            f"{axis}_low": ("value", "flux"), f"{axis}_high": ("value", "flux"),
                            f"{axis}_low_value": (1.0, 0.2), f"{axis}_high_value": (-1.0, -0.2)}}
        if how == "implicit":
            case = kc.merge(case, EXACT)
        c = kolmo.run(case).checkpoint()
        x = np.asarray(c.centre[d])
        for name, wanted in (("heat", 1 - 2 * x), ("dye", 0.7 + 0.2 / 0.4 * (0.5 - x))):
            found = np.transpose(c.fields[name], [2 - d] + [a for a in range(3) if a != 2 - d])[:, 0, 0]
            check.below(f"{how} along {axis}: profile of {name}", float(np.max(np.abs(found - wanted))),
                        2e-4)
        check.below(f"{how} along {axis}: mean of dye", abs(c.mean("dye", c.fields["dye"]) - 0.7), 1e-11)


def implicit_without_diffusion(kolmo, check):
    """Beside implicit diffusion a scalar that does not diffuse is carried on, with its mean and nearly its
    variance."""
    scalars = {"name": ("heat", "mark"), "diffusivity": (0.02, 0.0), "initial_value": (0.5, 0.7),
               "disturbance": (0.1, 0.3), "waves": (1, 0, 1, 1, 0, 1)}
    for how, more in (("explicit", {}), ("implicit", EXACT), ("implicit-z", {})):
        case = {"run": {"steps_max": 10}, "grid": {"n": (8, 8, 8), "length": (1.0, 1.0, 1.0)},
                "fluid": {"nu": 0.02}, "boundary": WALLS, "forcing": {"type": "bulk-velocity", "value": 1.0},
                "initial": {"type": "channel"}, "time": {"dt": 0.01, "diffusion": how},
                "pressure": {"tolerance": 1e-10}, "scalars": scalars}
        series = kolmo.run(kc.merge(case, more)).series()
        check.near(f"{how}: mean of mark", series["mark_mean"][-1], 0.7, 1e-12)
        check.near(f"{how}: variance of mark", series["mark_variance"][-1], series["mark_variance"][0], 1e-4)


def implicit_layouts(kolmo, check):
    """Implicit diffusion of scalars has the same bits on any ranks and after a restart, both ways."""
    cases = (("rk3-half", "implicit", (2, 1, 2)), ("rk3-wray", "implicit-z", (1, 2, 2)),
             ("rk3-half", "implicit-z", (1, 1, 2)), ("rk3-wray", "implicit", (1, 2, 1)))
    for scheme, how, layout in cases if kolmo.options.long else cases[:2]:
        case = kc.merge(IMPLICIT, {"run": {"t_end": None, "steps_max": 4},
                                   "time": {"scheme": scheme, "diffusion": how, "dt": 0.02}})
        one = kolmo.run(case)
        other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=int(np.prod(layout)))
        check.same(f"{scheme}, {how}, {layout} ranks", kc.differences(one, other))
        first = kolmo.run(kc.merge(case, {"run": {"steps_max": 2}}))
        again = kolmo.run(case, "--restart", "latest", folder=first.folder)
        check.same(f"{scheme}, {how}, restarted", kc.differences(one, again))


def memory(kolmo, check):
    """A scalar takes at most three arrays, as --check counts them."""
    walls = {"boundary": {"z_low": "wall", "z_high": "wall"}}
    for flow, inverse in (({}, "direct"), ({}, "jacobi"), (walls, "multigrid")):
        for scheme in ("rk3-half", "rk3-wray") if kolmo.options.long else ("rk3-wray",):
            for how in ("explicit", "implicit") if kolmo.options.long else ("implicit",):
                case = kc.merge(flow, {"run": {"steps_max": 2}, "grid": {"n": (8, 8, 8)},
                                       "fluid": {"nu": 0.1}, "initial": {"type": "uniform"},
                                       "pressure": {"preconditioner": inverse},
                                       "time": {"scheme": scheme, "diffusion": how, "dt": 0.01}})
                none, one, eight = (arrays_of(kolmo, case, n) for n in (0, 1, 8))
                check.holds(f"{inverse}, {scheme}, {how}: one scalar takes {one - none} arrays, "
                            f"eight {eight - none}", 0 < one - none <= 3 and one < eight <= none + 24)
    case = kc.merge(walls, {"run": {"steps_max": 2}, "grid": {"n": (8, 8, 8)}, "fluid": {"nu": 0.1},
                            "initial": {"type": "uniform"}, "time": {"dt": 0.01},
                            "statistics": {"start": 0.0}})
    lift = {"buoyancy": {"gravity": (0.3, 0.2, -1.0), "expansion": 1.0}}
    none, one, eight = (arrays_of(kolmo, case, n, lift) for n in (0, 1, 8))
    check.holds(f"budgets with buoyancy: one takes {one - none}, eight {eight - none}",
                one - none <= 6 and eight - none <= 24)


def arrays_of(kolmo, case, n, more=None):
    """The arrays of a case with so many scalars, and with what belongs to them."""
    scalars = {"name": tuple("abcdefgh"[:n]), "prandtl": (1.0,) * n}
    more = {**(more or {}), "scalars": scalars} if n > 0 else {}
    text = kolmo.run(kc.merge(case, more), "--check").text
    return int(re.search(r"fields +(\d+) arrays", text).group(1))


def exact_method(kolmo, check):
    """pressure.method = 'exact' carries scalars as the projection does, one with a mean gradient, one with a
    limiter: the velocities of both differ by what the tolerance leaves."""
    case = {"run": {"steps_max": 5}, "grid": {"n": (12, 10, 8)}, "fluid": {"nu": 0.02}, "time": {"dt": 0.01},
            "initial": {"type": "taylor-green"}, "pressure": {"tolerance": 1e-10},
            "scalars": {"name": ("heat", "dye"), "prandtl": (0.7, 2.0), "disturbance": (1.0, 0.5),
                        "mean_gradient": (0, 0, 1.0), "limiter": ("none", "koren")}}
    found = [kolmo.run(kc.merge(case, {"pressure": {"method": m}})).checkpoint().fields
             for m in ("exact", "projection")]
    for name in ("heat", "dye"):
        check.below(f"{name}: difference of the methods",
                    float(abs(found[0][name] - found[1][name]).max()), 1e-8)


def open_box(kolmo, check):
    """What inflows bring less what outflows take is what the box gains; a scalar that enters with its initial
    value stays uniform."""
    case = {"run": {"steps_max": 30}, "grid": {"n": (24, 8, 12), "length": (3.0, 1.0, 1.0)},
            "fluid": {"nu": 0.02}, "time": {"dt": 0.01, "scheme": "rk3-wray"},
            "pressure": {"tolerance": 1e-11},
            "boundary": {"x_low": "inflow", "x_high": "outflow", "x_low_velocity": (1.0, 0.0, 0.0),
                         "x_low_profile": "parabolic", **WALLS},
            "initial": {"type": "channel", "disturbance": 0.3},
            "scalars": {"name": ("dye", "salt"), "diffusivity": (0.01, 0.02), "initial_value": (0.0, 1.0),
                        "x_low": ("value", "value"), "x_low_value": (1.0, 1.0)}}
    series = kolmo.run(case).series()
    flux = (series["dye_flux_in_x_low"] + series["dye_flux_in_x_high"]) / 3.0
    # Simpson's rule; z walls have no flux
    gained = 0.01 / 3 * (flux[0] + flux[30] + 4 * np.sum(flux[1:30:2]) + 2 * np.sum(flux[2:29:2]))
    check.near("dye gained", series["dye_mean"][-1] - series["dye_mean"][0], gained, 2e-3 * gained)
    check.below("flux through walls", np.max(np.abs(series["dye_flux_in_z_low"])), 1e-15)
    check.below("uniform", max(series["salt_largest"][-1] - 1, 1 - series["salt_least"][-1]), 1e-10)


def jet(kolmo, check):
    """A dye enters through the open part of an inflow alone: far from it nothing diffuses in."""
    c = kolmo.run({"run": {"steps_max": 2}, "grid": {"n": (8, 4, 16), "length": (1.0, 0.5, 2.0)},
                   "fluid": {"nu": 0.01}, "time": {"dt": 0.002},
                   "boundary": {"x_low": "inflow", "x_high": "outflow", "x_low_velocity": (1.0, 0.0, 0.0),
                                "x_low_window": (0.0, 0.5, 0.0, 0.5), **WALLS},
                   "initial": {"type": "rest"},
                   "scalars": {"name": "dye", "diffusivity": 0.05, "x_low": "value",
                               "x_low_value": 1.0}}).checkpoint()
    check.above("dye beside the opening", float(np.min(c.fields["dye"][:4, :, 0])), 1e-3)
    check.equal("dye far from it, beside the closed part", float(np.max(np.abs(c.fields["dye"][12:]))), 0.0)


CHANNEL = {"run": {"steps_max": 6, "seed": 3},
           "grid": {"n": (12, 10, 14), "length": (3.0, 2.0, 1.0),
                    "stretching": ("uniform", "sine", "tanh"), "stretching_factor": (0, 0.3, 1.2)},
           "fluid": {"nu": 0.005}, "time": {"cfl": 0.8},
           "boundary": {**WALLS, "z_high_velocity": (0.5, 0.0, 0.0)},
           "initial": {"type": "channel"}, "forcing": {"type": "bulk-velocity", "value": 1.0},
           "output": {"field_interval": 3, "field_precision": "double"},
           "slices": {"normal": "y", "position": 0.7, "interval": 3, "quantities": "velocity heat salt"},
           "probes": {"position": (1.0, 0.7, 0.1)},
           "scalars": {"name": ("heat", "dye", "salt"), "prandtl": (0.71, 2.0, 1.0),
                       "initial": ("conduction", "uniform", "uniform"), "disturbance": (0.1, 0.2, 0.3),
                       "waves": (1, 1, 1, 0, 0, 0, 2, 0, 1), "z_low": ("value", "flux", "none"),
                       "z_high": ("value", "flux", "flux"), "z_low_value": (1.0, 0.02, 0.0),
                       "z_high_value": (0.0, -0.05, -0.1), "source": (0.0, 0.03, 0.0),
                       "bulk_source": (0.0, 0.0, 0.1)}}
# z_low_value has no effect for 'none'
CHANNEL["scalars"]["z_low_value"] = (1.0, 0.02)


def extra_arrays(result):
    """Slices and probes."""
    out = {}
    for name in sorted(os.listdir(result.folder)):
        if name.startswith(("slice_", "fields_")) and name.endswith(".h5"):
            out.update({f"{name} {k}": v
                        for k, v in kc.read_fields(os.path.join(result.folder, name)).items()})
    return out


def jet_case(kolmo, check):
    """The case of a jet with a dye, on a coarse grid: what enters less what leaves is what stays."""
    folder = kolmo.place()
    kolmo.call(os.path.join(CASES, "jet-dye.nml"), "--set", "grid.n=32,16,16", "--set", "run.t_end=24",
               "--set", f"output.directory={folder}")
    series = kc.read_series(folder)
    middle = lambda q: 0.5 * np.sum((q[1:] + q[:-1]) * np.diff(series["time"]))  # noqa: E731
    enters, leaves = (16 * middle(series[f"dye_flux_in_x_{side}"]) for side in ("low", "high"))
    stays = 128 * (series["dye_mean"][-1] - series["dye_mean"][0])
    check.near("dye that enters", float(enters), 24.0, 0.05)
    check.above("dye that leaves", float(-leaves), 1.0)
    check.below("what stays, over what enters", abs(stays - enters - leaves) / enters, 2e-3)


def layouts_and_restart(kolmo, check):
    """The same bits on 1, 2, 4 and 8 ranks, and after a restart on other ranks; both schemes."""
    for scheme in ("rk3-half", "rk3-wray"):
        case = kc.merge(CHANNEL, {"time": {"scheme": scheme}})
        one = kolmo.run(kc.merge(case, {"checkpoint": {"interval": 3}}))
        arrays = extra_arrays(one)
        check.equal(f"{scheme}: scalars in slices", sum(1 for k in arrays if k.startswith("slice_1_00000006")
                                                        and k.endswith(("heat", "salt"))), 2)
        for layout in ((2, 1, 1), (1, 2, 1), (2, 2, 2)) if scheme == "rk3-half" else ((1, 1, 2), (1, 2, 2)):
            other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=int(np.prod(layout)))
            check.same(f"{scheme}, {' x '.join(map(str, layout))} ranks", kc.differences(one, other)
                       + kc.differing_arrays(arrays, extra_arrays(other)))
        first = kolmo.run(kc.merge(case, {"run": {"steps_max": 3}}))
        second = kolmo.run(case, "--restart", "latest", ranks=2, folder=first.folder)
        check.same(f"{scheme}, restarted on 2 ranks", kc.differences(one, second))


def limiter(kolmo, check):
    """A dye of random values without diffusion: with the limiter its extremes hardly grow, and half of its
    variance falls by the numerical dissipation; the same bits on several ranks, between walls and with others
    that have none."""
    extremes = {}
    for name in ("koren", "none"):
        series = kolmo.run(kc.merge(merge_time(TURBULENT, 0.01), {
            "run": {"steps_max": 60}, "scalars": {"name": "dye", "diffusivity": 0.0, "initial_value": 1.0,
                                                  "disturbance": 1.0, "limiter": name}})).series()
        extremes[name] = max(series["dye_largest"][-1] - 2, -series["dye_least"][-1])
        if name == "koren":
            loss = series["dye_numerical_dissipation"]
            lost = 0.01 / 3 * (loss[0] + loss[-1] + 4 * np.sum(loss[1:-1:2]) + 2 * np.sum(loss[2:-1:2]))
            fell = 0.5 * (series["dye_variance"][0] - series["dye_variance"][-1])
            check.near("half the variance falls by the numerical dissipation", fell, lost, 1e-2 * lost)
            check.below("mean", abs(series["dye_mean"][-1] - series["dye_mean"][0]), 1e-13)
    swings = {"run": {"steps_max": 60}, "grid": {"n": (16, 8, 8)}, "fluid": {"nu": 0.001},
              "initial": {"type": "uniform", "velocity": (1.0, 0.4, 0.2)}, "time": {"cfl": 1.5},
              "scalars": {"name": "dye", "diffusivity": 0.01, "initial_value": 1.0, "disturbance": 1.0,
                          "limiter": "koren"}}
    for scheme in ("rk3-half", "rk3-wray"):
        s = kolmo.run(kc.merge(swings, {"time": {"scheme": scheme}})).series()
        check.below(f"{scheme}, cfl = 1.5: new extremes", max(s["dye_largest"].max() - 2,
                                                              -s["dye_least"].min()), 0.02)
    long = kolmo.run(kc.merge(swings, {"time": {"cfl": None, "dt": 0.4}}), rc=3)
    check.says("a fixed dt that is too long", long.err, "beyond the stability limit")
    check.below("new extremes with the limiter", extremes["koren"], 0.01)
    check.above("new extremes without it", extremes["none"], 0.2)
    case = kc.merge(CHANNEL, {"scalars": {"limiter": ("koren", "none", "koren")}, "run": {"steps_max": 4},
                              "checkpoint": {"interval": 2}, "time": {"scheme": "rk3-wray"}})
    one = kolmo.run(case)
    for layout in ((1, 1, 2), (2, 2, 2)):
        other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=int(np.prod(layout)))
        check.same(f"{' x '.join(map(str, layout))} ranks", kc.differences(one, other))
    first = kolmo.run(kc.merge(case, {"run": {"steps_max": 2}}))
    check.same("restarted", kc.differences(one, kolmo.run(case, "--restart", "latest", ranks=2,
                                                          folder=first.folder)))


def taken_on(kolmo, check):
    """A checkpoint without scalars, or on another grid, goes on with them; or without some of them."""
    plain = {group: names for group, names in CHANNEL.items() if group not in ("scalars", "slices", "probes")}
    first = kolmo.run(kc.merge(plain, {"run": {"steps_max": 3}}))
    path = kc.checkpoint_path(first.folder)
    second = kolmo.run(kc.merge(CHANNEL, {"checkpoint": {"restart": path}}))
    check.says("a scalar begins", second.text, "begin with their initial values: heat dye salt")
    third = kolmo.run(CHANNEL, folder=kolmo.place())
    finer = kolmo.run(kc.merge(CHANNEL, {"run": {"steps_max": 6}, "grid": {"n": (16, 12, 20)},
                                         "checkpoint": {"restart": kc.checkpoint_path(third.folder),
                                                        "regrid": True}}))
    check.near("regrid keeps the mean", finer.series()["heat_mean"][0], third.series()["heat_mean"][-1],
               1e-12)
    other = kolmo.run(kc.merge(CHANNEL, {"scalars": {"prandtl": (7.0, 2.0, 1.0)},
                                         "checkpoint": {"restart": kc.checkpoint_path(third.folder)}}), rc=2)
    check.says("another diffusivity is other physics", other.text, "scalars.prandtl", "--force-restart")
    less = kolmo.run(kc.merge(plain, {"run": {"steps_max": 6}, "scalars": {"name": "dye", "prandtl": 1.0},
                                      "checkpoint": {"restart": kc.checkpoint_path(third.folder),
                                                     "force": True}}))
    check.says("scalars left out are named", less.text, "that this run leaves out: heat salt\n")
    check.holds("    and no others of a run that has them all", "leaves out" not in second.text + finer.text)
    box = {"run": {"steps_max": 2}, "grid": {"n": (8, 8, 8)}, "fluid": {"nu": 0.1}, "time": {"dt": 0.01},
           "initial": {"type": "taylor-green"}}
    start = kolmo.run(box)
    alone, more = start.series(), {"name": "heat", "prandtl": 1.0, "initial_value": 0.5}
    series = kolmo.run(kc.merge(box, {"run": {"steps_max": 4}, "scalars": more}), "--restart", "latest",
                       folder=start.folder).series()
    check.holds("taken on in the same folder: series.nc has the scalar from then on, NaN before",
                np.isnan(series["heat_mean"][:3]).all() and (abs(series["heat_mean"][3:] - 0.5) < 1e-6).all())
    check.holds("    and the other columns stay in their places",
                all(np.array_equal(series[n][:3], q, equal_nan=True) for n, q in alone.items()))
    again = kolmo.run(kc.merge(box, {"run": {"steps_max": 6}}), "--restart", "latest", folder=start.folder,
                      rc=4)
    check.says("left out in the same folder: refused with the file, the column and a remedy", again.text,
               "series.nc", "'heat_mean'", "move the file away", "output.directory")
    check.holds("    and series.nc stays", all(np.array_equal(series[n], q, equal_nan=True)
                                              for n, q in again.series().items()))


BODIES = {"run": {"steps_max": 20, "seed": 4},
          "grid": {"n": (16, 14, 12), "length": BOX, "stretching": ("sine", "uniform", "tanh"),
                   "stretching_factor": (0.3, 0.0, 0.8)},
          "fluid": {"nu": 0.05}, "time": {"dt": 0.02}, "boundary": WALLS, "pressure": {"tolerance": 1e-12},
          "initial": {"type": "uniform", "velocity": (0.5, 0.3, 0.0)},
          "bodies": {"shape": ("sphere", "cylinder"), "centre": (2.0, 2.2, 1.4, 4.6, 2.0, 1.6),
                     "size": (1.5, 0.0, 0.0, 1.1, 0.0, 0.0), "axis": ("z", "y")},
          "scalars": {"name": ("heat", "dye"), "prandtl": (0.7, 2.0), "initial_value": (0.0, 0.8),
                      "disturbance": (0.6, 0.0), "waves": (1, 2, 1, 0, 0, 0)},
          "buoyancy": {"gravity": (0.3, 0.0, -1.0), "expansion": (0.5, 0.0)}}


def solid_cells(c):
    """Cells without an open face: all six face centres lie in the bodies of BODIES."""
    def inside(x, y, z):
        return (((x - 2.0) ** 2 + (y - 2.2) ** 2 + (z - 1.4) ** 2 <= 0.75**2)
                | ((x - 4.6) ** 2 + (z - 1.6) ** 2 + 0 * y <= 0.55**2))
    dead = np.ones(c.fields["heat"].shape, dtype=bool)
    for d in range(3):
        place = c.position("uvw"[d])
        low = inside(*place)
        place[d] = kc.along(c.face[d][1:], d)
        dead &= low & inside(*place)
    return dead


def beside_bodies(kolmo, check):
    """Nothing passes through bodies: the mean over the fluid stays, half the variance falls by the
    dissipation, a uniform scalar stays uniform, and cells in bodies keep their values; the numbers are those
    of the fluid alone; the same bits on several ranks and after a restart."""
    one = kolmo.run(kc.merge(BODIES, {"checkpoint": {"interval": 10}}))
    series, c, start = one.series(), one.checkpoint(), one.checkpoint(10)
    dead = solid_cells(c)
    check.above("solid cells", float(dead.sum()), 20)
    volume = c.weight("heat") * ~dead
    mean = float((volume * c.fields["heat"]).sum() / volume.sum())
    check.near("mean", series["heat_mean"][-1], mean, 1e-14)
    check.near("variance", series["heat_variance"][-1],
               float((volume * (c.fields["heat"] - mean) ** 2).sum() / volume.sum()), 1e-13)
    check.near("largest", series["heat_largest"][-1], float(c.fields["heat"][~dead].max()), 1e-14)
    check.below("change of the mean", abs(series["heat_mean"][-1] - series["heat_mean"][0]), 1e-13)
    check.below("change of a uniform scalar", float(abs(c.fields["dye"] - 0.8).max()), 1e-10)
    check.same("values in bodies", [] if np.array_equal(c.fields["heat"][dead], start.fields["heat"][dead])
               else ["heat"])
    loss = series["heat_dissipation"]
    lost = 0.02 / 3 * (loss[0] + loss[-1] + 4 * np.sum(loss[1:-1:2]) + 2 * np.sum(loss[2:-1:2]))
    fell = 0.5 * (series["heat_variance"][0] - series["heat_variance"][-1])
    check.near("half the variance falls by the dissipation", fell, lost, 1e-3 * lost)
    other = kolmo.run(kc.merge(BODIES, {"grid": {"ranks": (2, 1, 2)}}), ranks=4)
    check.same("2 x 1 x 2 ranks", kc.differences(one, other))
    first = kolmo.run(kc.merge(BODIES, {"run": {"steps_max": 10}}))
    check.same("restarted", kc.differences(one, kolmo.run(BODIES, "--restart", "latest", ranks=2,
                                                          folder=first.folder)))


def heated_beside_bodies(kolmo, check):
    """A source heats the fluid, and not the body in the first cell: the variance keeps its digits."""
    case = {k: v for k, v in BODIES.items() if k not in ("buoyancy", "scalars", "bodies")}
    run = kolmo.run(kc.merge(case, {
        "bodies": {"shape": "box", "centre": (0.4, 0.4, 0.4), "size": (1.0, 1.0, 1.0)},
        "scalars": {"name": "heat", "prandtl": 0.7, "disturbance": 0.6, "waves": (1, 2, 1), "source": 1e4}}))
    series, c = run.series(), run.checkpoint()
    heat = c.fields["heat"]
    fluid = heat > 1000
    check.holds("the first cell is solid", not fluid[0, 0, 0])
    weight = c.weight("heat") * fluid
    mean = float((weight * heat).sum() / weight.sum())
    variance = float((weight * (heat - mean)**2).sum() / weight.sum())
    check.near("mean", series["heat_mean"][-1], mean, 1e-11)
    check.near("variance over that by numpy", series["heat_variance"][-1] / variance, 1.0, 1e-9)
    check.near("least", series["heat_least"][-1], float(heat[fluid].min()), 1e-11)


def sealed(kolmo, check):
    """A plate across the box keeps two rooms apart: each comes to its own mean."""
    case = {"run": {"steps_max": 800}, "grid": {"n": (4, 4, 20), "length": (1.0, 1.0, 2.0)},
            "fluid": {"nu": 0.1}, "time": {"dt": 0.005}, "boundary": WALLS, "initial": {"type": "rest"},
            "bodies": {"shape": "box", "centre": (0.5, 0.5, 1.0), "size": (2.0, 2.0, 0.2)},
            "scalars": {"name": "heat", "prandtl": 0.2, "disturbance": 1.0, "waves": (0, 0, 3)},
            "output": {"log_interval": 1000}}
    end = kolmo.run(case).checkpoint().fields["heat"][:, 0, 0]
    low, high = end[:9], end[-9:]
    centre = (np.arange(9) + 0.5) * 0.1
    start = np.sin(3 * math.pi * centre / 2)
    check.below("lower room is uniform", float(np.ptp(low)), 1e-3)
    check.near("    at its mean", float(low.mean()), float(start.mean()), 1e-12)
    check.near("upper room at its mean", float(high.mean()),
               float(np.sin(3 * math.pi * (2 - centre) / 2).mean()), 1e-12)


def permuted(kolmo, check):
    """The same flow with its axes exchanged."""
    found = []
    for shift in range(3):
        def turn(values, by=shift):
            return [values[(d - by) % 3] for d in range(3)]
        face = {}
        scalars = {"name": "heat", "diffusivity": 0.05, "disturbance": 0.3, "waves": turn((1, 2, 1)),
                   "mean_gradient": turn((0.4, -0.3, 0.0))}
        axis = "xyz"[(Z + shift) % 3]
        for end, value in (("low", 1.0), ("high", -0.5)):
            face[f"{axis}_{end}"] = "slip"
            scalars[f"{axis}_{end}"] = "value"
            scalars[f"{axis}_{end}_value"] = value
        result = kolmo.run({"run": {"steps_max": 5}, "time": {"dt": 0.02},
                            "grid": {"n": turn((10, 12, 14)), "length": turn((2.0, 3.0, 1.0)),
                                     "stretching": turn(("sine", "uniform", "tanh")),
                                     "stretching_factor": turn((0.3, 0.0, 0.9))},
                            "fluid": {"nu": 0.02}, "boundary": face, "pressure": {"tolerance": 1e-12},
                            "initial": {"type": "uniform", "velocity": turn((0.6, -0.4, 0.0))},
                            "scalars": scalars})
        q = result.checkpoint().fields["heat"]  # [k, j, i]
        found.append(np.transpose(q, [2 - (2 - a + shift) % 3 for a in range(3)]))
    for shift in (1, 2):
        check.below(f"axes moved by {shift}, difference", float(np.max(np.abs(found[shift] - found[0]))),
                    1e-12)


BASE = {"run": {"steps_max": 1}, "grid": {"n": (8, 8, 8)}, "fluid": {"nu": 0.01},
        "scalars": {"name": ("heat", "dye"), "prandtl": (0.7, 1.0)}}
WALLED = kc.merge(BASE, {"boundary": WALLS, "initial": {"type": "rest"}})
REFUSED = [
    (BASE, {"name": ("heat", "heat")}, ["scalars.name(2)", "is the name of scalar 1"]),
    (BASE, {"name": ("heat", "pressure")}, ["scalars.name(2)", "'pressure'", "something else"]),
    (BASE, {"name": ("heat", "2dye")}, ["scalars.name(2)", "is no name"]),
    (BASE, {"source": (0, 0, 1.0)}, ["scalars.source(3) has no effect", "scalars.name(3)"]),
    (BASE, {"diffusivity": 0.1}, ["scalars.prandtl(1)", "can't both be given"]),
    (BASE, {"prandtl": 0.7}, ["'dye', has no diffusivity", "prandtl(2) = 0.71"]),
    (BASE, {"waves": (1, 0, 0)}, ["scalars.waves(1,1) has no effect", "disturbance"]),
    (BASE, {"waves": (4, 0, 0), "disturbance": 1.0}, ["scalars.waves(1,1) = 4", "waves <= 3"]),
    (BASE, {"z_low": "value"}, ["scalars.z_low(1) = 'value'", "boundary.z_low", "choose 'none'"]),
    (BASE, {"initial": "conduction"}, ["scalars.initial(1) = 'conduction'", "exactly one direction"]),
    (BASE, {"bulk_source": 1.0}, ["scalars.bulk_source(1)", "bulk-velocity"]),
    (WALLED, {"z_low_value": 1.0}, ["scalars.z_low_value(1) has no effect", "'none'"]),
    (WALLED, {"mean_gradient": (0, 0, 1.0)}, ["scalars.mean_gradient(3,1)", "not periodic"]),
    (WALLED, {"z_low": "flux", "z_low_value": 1.0}, ["don't balance", "scalars.source(1)"]),
    (kc.merge(WALLED, {"forcing": {"type": "bulk-velocity", "value": 2.0}}),
     {"z_low": "flux", "z_low_value": 1.0, "mean_gradient": (0.5, 0, 0)},
     ["don't balance", "change by -0.840845", "scalars.source(1) to 0.8408450"]),
    (WALLED, {"z_low": "value", "prandtl": None, "diffusivity": (0.0, 0.1)},
     ["scalars.z_low(1)", "a diffusivity above 0"]),
    (kc.merge(BASE, {"time": {"diffusion": "implicit"},
                     "boundary": {"x_low": "inflow", "x_high": "outflow", "x_low_velocity": (1.0, 0.0, 0.0),
                                  "x_low_window": (1.0, 3.0, 1.0, 3.0)}}),
     {"x_low": "value"}, ["time.diffusion", "boundary.x_low_window", "choose 'explicit'"]),
    (kc.merge(BASE, {"slices": {"normal": "x", "position": 1.0, "interval": 1, "quantities": "salt"}}), {},
     ["'salt' is not known", "heat, dye"]),
    (kc.merge(BASE, {"bodies": {"shape": "sphere", "centre": (3.0, 3.0, 3.0), "size": (2.0, 0.0, 0.0),
                                "motion": "translate", "velocity": (0.1, 0.0, 0.0)}}), {},
     ["scalars are not available with bodies that move through the grid", "&scalars"]),
    (BASE, {"nam": "x"}, ["did you mean 'name'?"]),
    (BASE, {"z_low": "warm"}, ["'warm'", "'none', 'value', 'flux'"])]


def refused(kolmo, check):
    """Faulty inputs end with exit code 2, place and remedy."""
    for case, names, words in REFUSED:
        result = kolmo.run(kc.merge(case, {"scalars": names}), "--check", rc=None)
        check.equal(f"{names or list(case)[-1]}: exit code", result.rc, 2)
        check.says(str(names), result.text, "case.nml:", *words)
    open_ended = {"z_low": "flux", "z_low_value": 1.0, "mean_gradient": (0.5, 0, 0), "source": (0, 2.0)}
    told = kolmo.run(kc.merge(WALLED, {"scalars": open_ended}), "--check").out
    check.says("what is not refused but warned of", told, "scalar 'heat': its fluxes and sources are not",
               "mean gradient", "scalar 'dye': no face takes away", "changes by 2 a unit of time")


def names(kolmo, check):
    """Names of quantities of the flow in files of statistics are refused, all in --help-statistics."""
    of_flow, found = False, {}
    for line in kolmo.call("--help-statistics", folder=kolmo.place()).out.splitlines():
        if line and line[0] != "|":  # the line before a table; scalars and spectra have names of another form
            of_flow = "scalar" not in line and "spectra.nc" not in line and "pdf.nc" not in line
        elif of_flow and line:
            found.update({n.lower(): n for n in re.findall(r"`([A-Za-z]\w*)`", line.split("|")[1])
                          if len(n) <= 24 and not n.startswith("sum_")})
    found = [n for n in found.values() if n != "T" and not n.startswith("T_")]
    check.above("names", len(found), 150)
    plain = {k: v for k, v in BASE.items() if k != "scalars"}
    passed, step = [], 1 if kolmo.options.long else 4
    for first in range(0, len(found), 8 * step):
        part = found[first:first + 8]
        text = kolmo.run(kc.merge(plain, {"scalars": {"name": tuple(part), "prandtl": (1.0,) * len(part)}}),
                         "--check", rc=2).text
        passed += [n for i, n in enumerate(part) if f"scalars.name({i + 1}) = '{n}'" not in text]
    check.equal("names of the flow that a scalar may have", passed, [])
    text = kolmo.run(kc.merge(plain, {"scalars": {"name": ("heat_variance", "heat"), "prandtl": (1.0, 1.0)}}),
                     "--check", rc=2).text
    check.says("a name of another scalar's quantity", text,
               "scalars.name(1) = 'heat_variance' begins like a quantity of scalar 2, 'heat'")
    taken = ("run", "sums", "cells_latest", "level_set", "solid_share", "in_body", "gradient", "shear",
             "along", "across", "error", "variance", "E_uu_x", "flux_ww", "cell_vv", "du_across_3", "t_end",
             "Re")
    for first in range(0, len(taken), 8):
        part = taken[first:first + 8]
        text = kolmo.run(kc.merge(plain, {"scalars": {"name": part, "prandtl": (1.0,) * len(part)}}),
                         "--check", rc=2).text
        check.equal(f"names of the other parts of files that a scalar may have, from {part[0]}",
                    [n for i, n in enumerate(part) if f"scalars.name({i + 1}) = '{n}'" not in text], [])
    free = ("dye", "dye_2", "vapor", "Y_O2", "hot_air", "phase_field", "T", "dxyl")
    kolmo.run(kc.merge(plain, {"scalars": {"name": free, "prandtl": (1.0,) * 8}}), "--check")
    # letters that spectra and densities begin with: every file of averages is written
    letters = {"run": {"steps_max": 1}, "grid": {"n": (8, 8, 8), "length": (2.0, 2.0, 1.0)},
               "fluid": {"nu": 0.02}, "time": {"dt": 0.01}, "initial": {"type": "uniform",
                                                                       "velocity": (1.0, 0.5, 0.0)},
               "scalars": {"name": ("T", "D", "E", "R", "S", "C", "pdf", "outside"), "prandtl": (1.0,) * 8,
                           "disturbance": (0.1,) * 8},
               "statistics": {"start": 0.0, "interval": 1, "spectra_interval": 1}}
    kolmo.run(letters)
    kolmo.run(kc.merge(letters, {"boundary": WALLS, "statistics": {"spectra_heights": 0.25,
                                                                   "stress_budgets": True}}))


if __name__ == "__main__":
    kc.main(__doc__, [waves_that_travel, manufactured, between_faces, steady_conduction, conservation,
                      order_in_time, implicit_diffusion, implicit_steady, implicit_without_diffusion,
                      implicit_layouts, memory, exact_method, open_box, jet, jet_case, layouts_and_restart,
                      limiter, taken_on, beside_bodies, heated_beside_bodies, sealed, permuted, refused,
                      names])

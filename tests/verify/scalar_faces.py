#!/usr/bin/env python3
"""Values and fluxes of scalars that vary over a face: by formulas, from tables, and from planes in time.

What is given by a formula or a table that does not vary has the bits of the number; an independent version
in numpy for walls and for inflows; a steady state that values and fluxes along walls keep, of second order;
fluxes that balance; planes of one run in another; layouts, restarts, other grids; refusals. Would catch: a
value at the place of another cell, of the wrong sign or half a cell off, a rank that takes the part of
another, a plane of another stage, a table that is read and not checked."""
import math
import os
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc"))
import h5py  # noqa: E402
import kolmo_case as kc  # noqa: E402
import planes  # noqa: E402
from kolmo.planes import hash_of  # noqa: E402

kc.LOCATION.update({"heat": "ccc", "dye": "ccc"})
AXIS = "xyz"
LENGTH = (1.0, 1.5, 2.0)
BOX = {"run": {"steps_max": 4}, "fluid": {"nu": 0.05}, "initial": {"type": "rest"},
       "grid": {"n": (10, 8, 12), "length": LENGTH, "stretching": ("tanh-low", "sine", "tanh"),
                "stretching_factor": (0.7, 0.2, 1.0)},
       "time": {"dt": 0.004}, "output": {"log_interval": 10000}, "checkpoint": {"interval": 2, "keep": 4},
       "scalars": {"name": ("heat", "dye"), "diffusivity": (0.05, 0.08), "disturbance": (0.3, 0.2),
                   "unit": ("K", "1")}}


def rounding(kolmo, double, single):
    """The bound of this build."""
    return single if kolmo.options.real == "float" else double


def table_of(kolmo, x, values, head=""):
    """A file with a table."""
    path = os.path.join(kolmo.place(), "table.txt")
    np.savetxt(path, np.column_stack([x, values]), fmt="%.17g", header=head, comments="# ")
    return path


def most_apart(a, b):
    """The largest difference of the scalars of two flows."""
    return max(float(np.max(np.abs(a[n] - b[n]))) for n in ("heat", "dye"))


def walls(case, normal, scalars):
    """The case with walls in `normal`, and these inputs of scalars, whose names have low and high for
    them."""
    d = AXIS[normal]
    stretching, factor = list(BOX["grid"]["stretching"]), list(BOX["grid"]["stretching_factor"])
    for e in range(3):
        if e != normal and stretching[e] != "sine":
            stretching[e], factor[e] = "sine", 0.15
    scalars = {name.replace("low", f"{d}_low").replace("high", f"{d}_high"): value
               for name, value in scalars.items()}
    return kc.merge(case, {"boundary": {f"{d}_low": "wall", f"{d}_high": "wall"}, "scalars": scalars,
                           "grid": {"stretching": stretching, "stretching_factor": factor}})


def uniform(kolmo, check):
    """A formula and a table that are a number give the fields, the series and the probes of this number."""
    for normal, diffusion, limiter in ((0, "explicit", "koren"), (1, "implicit", "none"),
                                       (2, "implicit-z", "none"), (2, "explicit", "none")):
        place = [0.4, 0.6, 0.7]
        place[normal] = 0.003
        case = kc.merge(BOX, {"time": {"diffusion": diffusion}, "probes": {"position": tuple(place)},
                              "scalars": {"limiter": (limiter, "none")}, "initial": {
                                  "type": "formula", "u": "sin(2*pi*y/ly)", "v": "0.3*cos(2*pi*z/lz)"}})
        along = AXIS[(normal + 1) % 3]
        ends = (0.0, LENGTH[(normal + 1) % 3])
        kinds = {"low": ("value", "flux"), "high": ("flux", "value")}
        one = kolmo.run(walls(case, normal, kinds | {"low_value": (0.7, 0.2), "high_value": (-0.1, 1.25)}))
        two = kolmo.run(walls(case, normal, kinds | {
            "low_formula": ("0.7", "0.2"), "high_table": tuple(table_of(kolmo, ends, (v, v))
                                                              for v in (-0.1, 1.25)),
            "high_along": (along, along)}))
        name = f"walls in {AXIS[normal]}, {diffusion}, limiter {limiter}"
        if diffusion == "implicit-z":  # a plane is added beside the systems, a number within them
            a, b = one.checkpoint().fields, two.checkpoint().fields
            check.below(name, max(float(np.max(np.abs(a[f] - b[f]))) for f in a),
                        rounding(kolmo, 1e-13, 1e-6))
        else:
            check.same(name, [d for d in kc.differences(one, two) if "scalar_tables" not in d])
        a, b = (kc.read_fields(os.path.join(run.folder, "probes.nc")) for run in (one, two))
        check.below("    probes beside the wall", most_apart(a, b), rounding(kolmo, 1e-13, 1e-6))


def diffuse(q, faces, bounds):
    """The Laplacian of cell values. bounds: of each direction None if it is periodic, else of both ends the
    kind and what is given there."""
    out = np.zeros_like(q)
    for d in range(3):
        axis, width = 2 - d, np.diff(faces[d])
        low, high = ghosts(q, d, bounds[d], (width[0], width[-1]))
        padded = np.concatenate([low, q, high], axis=axis)
        ends = (width[-1], width[0]) if bounds[d] is None else (width[0], width[-1])
        wide = np.concatenate([ends[:1], width, ends[1:]])
        gap = kc.along(0.5 * (wide[1:] + wide[:-1]), d)
        flux = np.diff(padded, axis=axis) / gap
        out += np.diff(flux, axis=axis) / kc.along(width, d)
    return out


def ghosts(q, d, bound, width):
    """The layers beyond both ends."""
    axis = 2 - d
    first, last = np.take(q, [0], axis=axis), np.take(q, [-1], axis=axis)
    if bound is None:
        return last, first
    out = []
    for inside, (kind, given), w in zip((first, last), bound, width):
        given = np.expand_dims(given, axis) if np.ndim(given) else given
        out.append({"value": 2 * given - inside, "gradient": inside + given * w, "none": inside}[kind])
    return out


def on_face(c, normal, text):
    """A formula in numpy at the centres of cells of a face: (second, first)."""
    a, b = [d for d in range(3) if d != normal]
    names = {"sin": np.sin, "cos": np.cos, "exp": np.exp, "pi": math.pi}
    names.update({AXIS[a]: c.centre[a][None, :], AXIS[b]: c.centre[b][:, None]})
    names.update({f"l{d}": length for d, length in zip(AXIS, LENGTH)})
    shape = (len(c.centre[b]), len(c.centre[a]))
    return np.broadcast_to(eval(text.replace("^", "**"), names), shape)  # pylint: disable=eval-used


def reference(kolmo, check):
    """Diffusion between walls whose values and fluxes vary in both directions, against numpy."""
    for normal in range(3):
        a, b = (AXIS[d] for d in range(3) if d != normal)
        given = {"low": f"1 + 0.5*sin(2*pi*{a}/l{a})*cos(2*pi*{b}/l{b})", "high": f"0.3*{a}^2 - 0.1*exp({b})"}
        case = walls(BOX, normal, {"low": ("value", "flux"), "high": ("flux", "value"),
                                   "low_formula": (given["low"],) * 2, "high_formula": (given["high"],) * 2})
        run = kolmo.run(kc.merge(case, {"checkpoint": {"interval": 1, "keep": 9}}))
        c = run.checkpoint(0) if 0 in run.steps() else None
        start = run.checkpoint(run.steps()[0])
        c = start if c is None else c
        for name, kappa, kinds in (("heat", 0.05, ("value", "flux")), ("dye", 0.08, ("flux", "value"))):
            ends = [("value", on_face(c, normal, given[end])) if kind == "value" else
                    ("gradient", on_face(c, normal, given[end]) / kappa)
                    for end, kind in zip(("low", "high"), kinds)]
            bounds = [ends if d == normal else None for d in range(3)]
            q = start.fields[name].copy()
            for _ in range(4 - run.steps()[0]):
                base = q
                for weight in (0.5, 0.5, 1.0):
                    q = base + weight * 0.004 * kappa * diffuse(q, c.face, bounds)
            error = float(np.max(np.abs(q - run.checkpoint(4).fields[name])))
            check.below(f"walls in {AXIS[normal]}, {name}: less the same in numpy", error,
                        rounding(kolmo, 1e-13, 2e-6))
        s = run.series()
        area = np.outer(np.diff(c.face[AXIS.index(b)]), np.diff(c.face[AXIS.index(a)]))
        mean = float(np.sum(area * on_face(c, normal, given["high"])) / np.sum(area))
        check.near("    mean flux in the series", s[f"heat_flux_in_{AXIS[normal]}_high"][-1], mean,
                   rounding(kolmo, 1e-13, 1e-5))


def steady(kolmo, check):
    """cos(a) cosh(n) is kept by values on one wall and fluxes through the other: second order, with explicit
    and implicit diffusion."""
    kappa = 0.5
    for normal, diffusion in ((0, "implicit"), (1, "explicit"), (2, "implicit-z")):
        stream = (normal + 1) % 3
        a, n, errors = AXIS[stream], AXIS[normal], []
        flux = f"{kappa}*cos({a})*sinh(1)"  # into the fluid from above
        for cells in (6, 12):
            size, length = [4] * 3, [1.0] * 3
            size[stream], size[normal], length[stream] = 2 * cells, cells, kc.TWO_PI
            stretching = ["tanh" if d == normal else "uniform" for d in range(3)]
            case = {"run": {"t_end": 8.0}, "fluid": {"nu": 0.5}, "initial": {"type": "rest"},
                    "grid": {"n": size, "length": length, "stretching": stretching,
                             "stretching_factor": [0.8 * (s == "tanh") for s in stretching]},
                    "time": {"diffusion": diffusion}, "output": {
                        "log_interval": 10000}, "boundary": {f"{n}_low": "wall", f"{n}_high": "wall"},
                    "scalars": {"name": "heat", "diffusivity": kappa, f"{n}_low": "value",
                                f"{n}_low_formula": f"cos({a})", f"{n}_high": "flux",
                                f"{n}_high_formula": flux}}
            if diffusion != "explicit":
                case["time"]["dt"] = 0.05 if diffusion == "implicit" else 0.02
            if diffusion == "implicit":
                case["time"]["diffusion_tolerance"] = 1e-12
            c = kolmo.run(case).checkpoint()
            x = c.position("heat")
            exact = np.cos(x[stream]) * np.cosh(x[normal])
            errors.append(c.rms("heat", c.fields["heat"] - exact))
        check.near(f"walls in {n}, {diffusion}: order (errors {errors[0]:.2e}, {errors[1]:.2e})",
                   math.log2(errors[0] / errors[1]), 2.0, 0.1)


def balance(kolmo, check):
    """Fluxes alone: the mean stays to rounding. What the grid leaves over is removed, and told; more is
    refused with the source that would balance it."""
    scalars = {"low": ("flux", "none"), "low_formula": ("1 + 0.5*cos(2*pi*y/ly)", ""),
               "high": ("flux", "none"), "high_formula": ("-1 - 0.3*x*(lx - x)", "")}
    case = walls(BOX, 2, scalars)
    source = 0.3 * LENGTH[0] ** 2 / 6 / LENGTH[2]
    case["scalars"]["source"] = (source, 0.0)
    run = kolmo.run(case)
    s = run.series()
    check.says("what the grid leaves over is told", run.out, "heat on z_low, by its formula: flux from",
               "was added to balance the fluxes on this grid")
    check.below("mean", float(np.max(np.abs(s["heat_mean"] - s["heat_mean"][0]))),
                rounding(kolmo, 1e-14, 1e-8))
    total = s["heat_flux_in_z_low"] + s["heat_flux_in_z_high"] + source * LENGTH[2]
    check.below("fluxes in and source", float(np.max(np.abs(total))), rounding(kolmo, 1e-13, 1e-7))
    bad = kolmo.run(kc.merge(case, {"scalars": {"source": (0.5, 0.0)}}), "--check", rc=2)
    check.says("fluxes that don't balance", bad.text, "case.nml:", "scalar 1, 'heat'", "don't balance",
               "change scalars.source(1) to 0.02")
    heated = walls(BOX, 2, {"low": ("flux", "none"), "low_formula": ("0.1 + 0*y", ""),
                            "high": ("flux", "none"), "high_value": (0.1, 0.0)})
    heated = kc.merge(heated, {"forcing": {"type": "bulk-velocity", "value": 0.5, "direction": "x"},
                               "initial": {"type": "uniform", "velocity": (0.5, 0.0, 0.0)},
                               "scalars": {"mean_gradient": (0.2 / LENGTH[2] / 0.5,) + (0.0,) * 5}})
    s = kolmo.run(heated).series()
    check.below("a mean gradient along the stream balances fluxes: mean",
                float(np.max(np.abs(s["heat_mean"] - s["heat_mean"][0]))), rounding(kolmo, 1e-13, 1e-7))
    plain = kc.merge(heated, {"scalars": {"z_low_formula": None, "z_low_value": (0.1, 0.0)}})
    kolmo.run(plain, "--check")  # which compares numbers before there is a grid


STREAM = {"run": {"steps_max": 6, "t_end": 0.3}, "fluid": {"nu": 0.02}, "time": {"dt": 0.02},
          "grid": {"n": (10, 9, 12), "length": (2.0, 1.5, 2.5)}, "output": {"log_interval": 1000},
          "checkpoint": {"interval": 1, "keep": 20}, "pressure": {"tolerance": 1e-10},
          "scalars": {"name": ("heat", "dye"), "diffusivity": (0.03, 0.01), "unit": ("K", "1"),
                      "initial_value": (0.2, 0.0)}}
TIMES = np.array([0.0, 0.03, 0.11, 0.12, 0.125, 0.3])


def stream_along(stream, path, more=None):
    """A uniform stream along a direction from planes; free slip along the first direction beside it."""
    a = [d for d in range(3) if d != stream][0]
    d, velocity = AXIS[stream], [0.0] * 3
    velocity[stream] = 1.0
    stretching = ["uniform"] * 3
    stretching[stream], stretching[a] = "tanh-low", "tanh"
    return kc.merge(STREAM, {
        "initial": {"type": "uniform", "velocity": velocity},
        "grid": {"stretching": stretching, "stretching_factor": [0.7 * (s != "uniform") for s in stretching]},
        "boundary": {f"{d}_low": "inflow", f"{d}_low_profile": "planes", f"{d}_low_file": path,
                     f"{d}_high": "outflow", f"{AXIS[a]}_low": "slip", f"{AXIS[a]}_high": "slip"},
        "scalars": {f"{d}_low": ("planes", "value"), f"{d}_low_value": (0.0, 0.5)}}, more or {})


def faces_of(kolmo, case, stream):
    """The grid, from the start of the same case with a plain inflow."""
    d = AXIS[stream]
    velocity = [0.0] * 3
    velocity[stream] = 1.0
    plain = kc.merge(case, {"run": {"steps_max": 1, "t_end": None}, "boundary": {
        f"{d}_low_profile": None, f"{d}_low_file": None, f"{d}_low_velocity": velocity, "planes_loop": None},
        "scalars": {f"{d}_low": ("value", "value")}})
    return kolmo.run(plain).checkpoint()


def random_planes(face, times, stream, seed=3):
    """A uniform velocity through the face, and random values of a scalar."""
    a, b = [d for d in range(3) if d != stream]
    shape = (len(times), len(face[b]) - 1, len(face[a]) - 1)
    velocity = np.zeros(shape + (3,))
    velocity[..., stream] = 1.0
    return velocity, np.random.default_rng(seed).uniform(-1.0, 1.0, shape)


def at_time(values, t, loop=False):
    """Linear between planes."""
    if loop:
        t = TIMES[0] + math.fmod(t - TIMES[0], TIMES[-1] - TIMES[0])
    k = min(int(np.searchsorted(TIMES, t, side="right")) - 1, len(TIMES) - 2)
    part = (t - TIMES[k]) / (TIMES[k + 1] - TIMES[k])
    return (1 - part) * values[k] + part * values[k + 1]


def carried(q, face, stream, inflow, kappa):
    """Convection by a uniform stream and diffusion, with what comes in and nothing else beyond the faces."""
    axis = 2 - stream
    a = [d for d in range(3) if d != stream][0]
    bounds = [[("value", inflow), ("none", 0.0)] if d == stream else
              [("none", 0.0)] * 2 if d == a else None for d in range(3)]
    low, high = ghosts(q, stream, bounds[stream], np.diff(face[stream])[[0, -1]])
    padded = np.concatenate([low, q, high], axis=axis)
    on = 0.5 * (np.take(padded, range(1, padded.shape[axis]), axis=axis) +
                np.take(padded, range(padded.shape[axis] - 1), axis=axis))
    convection = -np.diff(on, axis=axis) / kc.along(np.diff(face[stream]), stream)
    return convection + kappa * diffuse(q, face, bounds)


def in_time(kolmo, check):
    """Scalars from planes in time, against numpy with the value at the time of each stage; layouts and a
    restart."""
    for stream, layout in ((0, (1, 2, 2)), (1, (2, 1, 2)), (2, (2, 2, 1))):
        path = os.path.join(kolmo.place(), "planes.h5")
        case = stream_along(stream, path)
        start = faces_of(kolmo, case, stream)
        a, b = [d for d in range(3) if d != stream]
        velocity, heat = random_planes(start.face, TIMES, stream)
        planes.write(path, TIMES, start.face[a], start.face[b], velocity, {"heat": heat}, {"heat": "K"})
        one = kolmo.run(case)
        q = np.full(start.fields["heat"].shape, 0.2)
        for step in range(6):
            base = q
            for weight, at in ((0.5, 0.0), (0.5, 0.5), (1.0, 0.5)):
                q = base + weight * 0.02 * carried(q, start.face, stream,
                                                   at_time(heat, 0.02 * (step + at)), 0.03)
        d = AXIS[stream]
        check.below(f"along {d}: less the same in numpy",
                    float(np.max(np.abs(q - one.checkpoint(6).fields["heat"]))), 1e-9)
        check.says("    what the log says", one.out, f"heat on {d}_low, from planes: value from -0.9")
        if stream == 1 and not kolmo.options.long:
            continue
        other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=math.prod(layout))
        check.same(f"    {' x '.join(map(str, layout))} ranks", kc.differences(one, other))
        again = kolmo.run(case, "--restart", kc.checkpoint_path(one.folder, 3), ranks=2)
        check.same("    fields after a restart",
                   kc.differing_arrays(one.checkpoint(6).fields, again.checkpoint(6).fields))
        heat[3, 1, 1] += 0.125
        planes.write(path, TIMES, start.face[a], start.face[b], velocity, {"heat": heat})
        bad = kolmo.run(case, "--restart", kc.checkpoint_path(one.folder, 3), rc=2)
        check.says("    other planes are other physics", bad.text, f"boundary.{d}_low_file")


def over_a_section(kolmo, check):
    """Averages over the direction along which the flow is homogeneous, behind planes in time: the same on any
    ranks, and all but the covariance on the inflow itself are numbers."""
    path = os.path.join(kolmo.place(), "planes.h5")
    case = stream_along(0, path)
    start = faces_of(kolmo, case, 0)
    case["statistics"] = {"start": 0.0, "interval": 1}
    velocity, heat = random_planes(start.face, TIMES, 0)
    planes.write(path, TIMES, start.face[1], start.face[2], velocity, {"heat": heat})
    one, two = kolmo.run(case), kolmo.run(kc.merge(case, {"grid": {"ranks": (1, 2, 2)}}), ranks=4)
    found, other = (kc.read_fields(os.path.join(run.folder, "statistics.nc")) for run in (one, two))
    check.same("ranks", kc.differing_arrays(found, other))
    check.holds("heat_u is unknown on the inflow", bool(np.all(np.isnan(found["heat_u"][..., 0]))))
    check.holds("and known inside", bool(np.all(np.isfinite(found["heat_u"][..., 1:]))))
    flows = [one.checkpoint(k).fields["heat"] for k in range(1, 7)]
    level = np.mean([np.mean(q, axis=0) for q in flows], axis=0)  # the cells along z are uniform
    check.below("means", float(np.max(np.abs(found["heat"] - level))), 1e-13)


def from_a_run(kolmo, check):
    """Planes of a run's checkpoints: what the first run had on a face inside, the second has on its
    inflow."""
    first = stream_along(0, "none")
    first["boundary"].update({"x_low_profile": None, "x_low_file": None, "x_low_velocity": (1.0, 0.0, 0.0)})
    first["scalars"].update({"x_low": ("value", "value"), "x_low_formula": ("sin(2*pi*z/lz)*y", "")})
    a = kolmo.run(kc.merge(first, {"run": {"steps_max": 10}}))
    path = os.path.join(kolmo.place(), "planes.h5")
    made = subprocess.run([sys.executable, planes.__file__, path, "--index", "3", "--start", "0"]
                          + [kc.checkpoint_path(a.folder, k) for k in range(2, 11)],
                          check=True, capture_output=True, text=True)
    check.says("planes.py", made.stdout, "with dye, heat")
    case = stream_along(0, path, {"run": {"t_end": 0.12}, "scalars": {"x_low": ("planes", "planes"),
                                                                      "x_low_value": None}})
    kolmo.run(case)
    with h5py.File(path, "r") as f:
        given, unit = f["scalars/heat"][:], f["scalars/heat"].attrs["unit"]
    inside = [a.checkpoint(k).fields["heat"] for k in range(2, 11)]
    means = 0.5 * np.array([q[:, :, 2] + q[:, :, 3] for q in inside])
    check.equal("unit", unit, b"K")
    check.below("planes are the means of two cells", float(np.max(np.abs(given - means))), 1e-15)
    refused = subprocess.run([sys.executable, planes.__file__, path, kc.checkpoint_path(a.folder, 2),
                              kc.checkpoint_path(a.folder, 3)], check=False, capture_output=True, text=True)
    check.says("planes on a face that bounds the grid", refused.stderr, "choose --index 1 or more")


def inflows(kolmo, check):
    """An inflow with a formula, a window and a limiter against one with a number: the same bits; and a
    formula against a table; in a box whose walls have other values."""
    case = {"run": {"steps_max": 4}, "fluid": {"nu": 0.05}, "time": {"dt": 0.01},
            "grid": {"n": (10, 8, 12), "length": (2.0, 1.5, 2.0),
                     "stretching": ("uniform", "uniform", "tanh"), "stretching_factor": (0.0, 0.0, 0.7)},
            "boundary": {"x_low": "inflow", "x_high": "outflow", "z_low": "wall", "z_high": "wall",
                         "x_low_velocity": (1.0, 0.0, 0.0), "x_low_window": (0.4, 1.1, 0.5, 1.5)},
            "initial": {"type": "rest"}, "output": {"log_interval": 1000},
            "scalars": {"name": ("heat", "dye"), "diffusivity": (0.05, 0.01), "limiter": ("none", "koren"),
                        "x_low": ("value", "value"), "z_low": ("value", "none"),
                        "z_low_formula": ("x*(2 - x)", "")}}
    one = kolmo.run(kc.merge(case, {"scalars": {"x_low_value": (0.7, 1.0)}}))
    two = kolmo.run(kc.merge(case, {"scalars": {"x_low_formula": ("0.7", "1 + 0*z")}}))
    check.same("an inflow by a formula", kc.differences(one, two))
    z = np.linspace(0.0, 2.0, 5)
    three = kolmo.run(kc.merge(case, {"scalars": {"x_low_formula": ("0.3 - z", "2*y")}}))
    four = kolmo.run(kc.merge(case, {"scalars": {
        "x_low_table": (table_of(kolmo, z, 0.3 - z, "unit: 1"), table_of(kolmo, (0.0, 1.5), (0.0, 3.0))),
        "x_low_along": ("z", "y")}}))
    a, b = (run.checkpoint().fields for run in (three, four))
    check.below("a formula and a table", most_apart(a, b), 1e-14)
    for layout in ((1, 2, 2), (2, 2, 1)):
        other = kolmo.run(kc.merge(case, {"scalars": {"x_low_formula": ("0.3 - z", "2*y")},
                                          "grid": {"ranks": layout}}), ranks=math.prod(layout))
        check.same(f"    {layout} ranks", kc.differences(three, other))


def kept(kolmo, check):
    """Layouts, restarts bit for bit, other grids, averages in every cell; another table is other physics."""
    table = table_of(kolmo, (0.0, 0.4, 1.5), (0.0, 1.0, 0.0), "unit: K")
    scalars = {"low": ("value", "flux"), "high": ("value", "none"),
               "low_formula": ("sin(2*pi*x/lx)*y", "cos(2*pi*y/ly)"), "high_table": (table, ""),
               "high_along": ("y", "x")}
    for diffusion in ("explicit", "implicit", "implicit-z"):
        case = walls(kc.merge(BOX, {"time": {"diffusion": diffusion, "scheme": "rk3-wray"}, "initial": {
            "type": "formula", "u": "sin(2*pi*y/ly)"}}), 2, scalars)
        one = kolmo.run(case)
        both = kolmo.options.long or diffusion == "explicit"
        for layout in ((1, 1, 2), (2, 2, 1)) if both else ((1, 2, 2),):
            other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=math.prod(layout))
            check.same(f"{diffusion}: {layout} ranks", kc.differences(one, other))
        again = kolmo.run(case, "--restart", kc.checkpoint_path(one.folder, 2), ranks=2)
        check.same("    after a restart",
                   kc.differing_arrays(one.checkpoint(4).fields, again.checkpoint(4).fields))
    finer = kc.merge(case, {"grid": {"n": (12, 10, 10)}, "checkpoint": {"regrid": True}})
    c = kolmo.run(finer, "--restart", kc.checkpoint_path(one.folder, 2)).checkpoint()
    check.holds("on another grid", bool(np.all(np.isfinite(c.fields["heat"]))))
    bad = kolmo.run(kc.merge(case, {"scalars": {"z_low_formula": ("sin(2*pi*x/lx)", "cos(2*pi*y/ly)")}}),
                    "--restart", kc.checkpoint_path(one.folder, 2), rc=2)
    check.says("another formula is other physics", bad.text, "scalars.z_low_formula")
    np.savetxt(table, [[0.0, 0.0], [0.4, 1.5], [1.5, 0.0]])
    bad = kolmo.run(case, "--restart", kc.checkpoint_path(one.folder, 2), rc=2)
    check.says("another table, too", bad.text, "scalars.*_table", "other numbers")
    cells = {"statistics": {"start": 0.0, "interval": 1, "directions": "none", "batches": 0}}
    run = kolmo.run(kc.merge(case, cells))
    check.holds("averages in every cell", len(kc.read_fields(os.path.join(run.folder, "averages.h5"))) > 3)
    for directions, words in (("periodic", "all periodic directions"), ("x", "chosen directions")):
        bad = kolmo.run(kc.merge(case, cells, {"statistics": {"directions": directions, "batches": None}}),
                        "--check", rc=2)
        check.says(f"averages over {directions}", bad.text, words, "do not vary along these",
                   "scalars.z_low(1)", "a formula", "choose statistics.directions = 'none'")


def refused(kolmo, check):
    """Every fault has its place and a remedy."""
    table = table_of(kolmo, (0.0, 2.0), (1.0, 2.0))
    base = walls(BOX, 1, {"low": ("value", "none"), "low_formula": ("x*z", ""), "high": ("flux", "none"),
                          "high_value": (0.1, 0.0)})
    for change, *words in (
        ({"y_low_value": (0.5, 0.0)}, "scalars.y_low_value(1) and scalars.y_low_formula(1) can't both",
         "remove one"),
        ({"y_low_table": (table, "")}, "scalars.y_low_formula(1) and scalars.y_low_table(1) can't both"),
        ({"y_low": ("none", "none")},
         "scalars.y_low_formula(1) has no effect with scalars.y_low(1) = 'none'"),
        ({"y_low_formula": ("x*z", "x")}, "scalars.y_low_formula(2) has no effect"),
        ({"y_high_along": ("x", "z")}, "scalars.y_high_along(1) has no effect", "give a table"),
        ({"y_low_formula": None, "y_low_table": (table, ""), "y_low_along": ("y", "z")},
         "does not lie along the face", "choose 'x' or 'z'"),
        ({"y_low": ("planes", "none")}, "scalars.y_low(1) = 'planes' does not suit boundary.y_low = 'wall'",
         "choose 'value'"),
        ({"x_low_formula": ("y", "")}, "scalars.x_low_formula(1) has no effect"),
        ({"y_low_formula": ("x*", "")}, "scalars.y_low_formula(1): column 3 of the formula"),
        ({"y_low_formula": ("x + t", "")}, "column 5", "t can't stand here"),
        ({"y_low_formula": ("1/(x - x)", "")}, "scalars.y_low_formula(1) is inf at x = ", "y = 0, z = ",
         "change its formula"),
        ({"y_low_formula": ("", "", "x")}, "scalar 3 has no name"),
        ({"y_low_formula": None, "y_low_table": ("nowhere.txt", "")}, "nowhere.txt",
         "scalars.y_low_table(1)"),
        ({"initial": ("conduction", "uniform"), "y_high": ("value", "none")}, "with numbers for both"),
    ):
        bad = kolmo.run(kc.merge(base, {"scalars": change}), "--check", rc=2)
        check.says(str(change), bad.text.replace("-nan", "nan"), *words)
    for text, *words in (
        ("0 1\n1 2 3\n2 0\n", "table.txt:2: error: the line does not hold two numbers"),
        ("0 1\n1 nan\n2 0\n", "table.txt:2: error: the line does not hold two numbers"),
        ("0 1\n0 2\n2 0\n", "table.txt:2: error: the coordinate 0"),
        ("0 1\n1 2\n", "from 0 to 1; let them reach over the whole face, from 0 to 2"),
        ("0 1\n2000 2\n", "from 0 to 2000, far beyond the face, from 0 to 2: give them in its unit"),
        ("# unit: mol/L\n0 1\n2 2\n", "table.txt:1: error: the unit of the table is 'mol/L'",
         "has the unit 'K'", "(scalars.unit(1))"),
        ("# Units: degC\n0 1\n2 2\n", "table.txt:1: error: the unit of the table is 'degC'"),
        ("0 1\n#unit = mK\n2 2\n", "table.txt:2: error: the unit of the table is 'mK'"),
    ):
        path = os.path.join(kolmo.place(), "table.txt")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        bad = kolmo.run(kc.merge(base, {"scalars": {"y_low_formula": None, "y_low_table": (path, "")}}),
                        "--check", rc=2)
        check.says(repr(text), bad.text, *words)
    path = os.path.join(kolmo.place(), "planes.h5")
    case = stream_along(0, path)
    start = faces_of(kolmo, case, 0)
    velocity, heat = random_planes(start.face, TIMES, 0)

    def told(words, scalars, units=None, change=None, instead=None):
        planes.write(path, TIMES, start.face[1], start.face[2], velocity, scalars, units)
        if instead is not None:  # which the package does not write
            with h5py.File(path, "r+") as f:
                f["scalars/heat"][...] = instead
                f["scalars/heat"].attrs["hash"] = hash_of(instead)
        bad = kolmo.run(kc.merge(case, change or {}), "--check", rc=2)
        check.says(words[0], bad.text, *words)
    told(("there are no planes of the scalar 'heat'", "choose 'value'"), {"dye": heat})
    told(("there are no planes of the scalar 'heat'",), None)
    told(("the unit of the scalar 'heat' is 'm'", "scalars.unit(1) = 'K'"), {"heat": heat}, {"heat": "m"})
    told(("scalars.x_low(1) = 'planes' takes the planes of the velocity",
          "boundary.x_low_profile is 'uniform'"), {"heat": heat}, None,
         {"boundary": {"x_low_profile": None, "x_low_file": None, "x_low_velocity": (1.0, 0.0, 0.0)}})
    bad_heat = heat.copy()
    bad_heat[2, 1, 1] = np.nan
    told(("plane 2 of '/scalars/heat'", "a value of nan"), {"heat": heat}, instead=bad_heat)


if __name__ == "__main__":
    kc.main(__doc__, [uniform, reference, steady, balance, in_time, over_a_section, from_a_run, inflows, kept,
                      refused])

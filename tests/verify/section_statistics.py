#!/usr/bin/env python3
"""Statistics of flows with one homogeneous direction, statistics.nc over the section: sums that the series
knows too, the laminar duct, budgets, layouts, restart, files.

Over the section, energy, dissipation, momentum and force are those of series.nc to rounding, for ducts along
every axis, with walls that slip or move and with open faces; a laminar duct is that of the series solution;
production and dissipation are those of sums over the raw moments; the same bits on any ranks and after a
restart. Would catch: a term of the wrong place or weight, a component under another's name, axes that trade
places, a side of the section that is taken for another, a state that the checkpoint lacks."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402

AXIS, PART = "xyz", "uvw"
ROUNDING = 2e-13


class Page:
    """statistics.nc of a run. Fields are [b, a] of the section's directions a before b."""

    def __init__(self, result):
        self.data, self.units = {}, {}
        with h5py.File(os.path.join(result.folder, "statistics.nc"), "r") as file:
            self.texts = {k: v.decode() if isinstance(v, bytes) else v
                          for k, v in file.attrs.items() if not k.startswith("_NC")}
            for place, prefix in ((file, ""), (file["raw"], "raw/")):
                for name, column in place.items():
                    if isinstance(column, h5py.Dataset):
                        self.data[prefix + name] = column[...]
        self.n = int(self.data["n_samples"])
        self.s = self.texts["homogeneous_direction"]
        self.a, self.b = (d for d in AXIS if d != self.s)
        self.ps, self.pa, self.pb = (PART[AXIS.index(d)] for d in (self.s, self.a, self.b))
        self.c, self.e, self.f = ([], [], [])
        for d in (self.a, self.b):
            c = np.diff(self.data[d + "_face"])
            inner = 0.5 * (c[1:] + c[:-1])
            self.c.append(c)
            self.e.append(np.concatenate(([0.5 * c[0]], inner, [0.5 * c[-1]])))
            self.f.append(np.concatenate(([c[0]], inner, [c[-1]])))
        self.area = self.c[0].sum() * self.c[1].sum()

    def __getitem__(self, name):
        return self.data[name]

    def raw(self, name):
        """Mean over the samples."""
        return self.data["raw/sum_" + name] / self.n

    def mean(self, values, inner=(0, 0)):
        """Over the section, of values at any of its places; inner: 1: without the boundaries in a, b."""
        high, wide = values.shape
        of_a, of_b = (c if n == c.size else e
                      for n, c, e in ((wide, self.c[0], self.e[0]), (high, self.c[1], self.e[1])))
        weight = of_b[:, None] * of_a[None, :]
        i, j = (slice(n, -n if n else None) for n in inner)
        return (weight * values)[j, i].sum() / self.area

    def gradients(self):
        """Raw moments of all gradients, each with the boundaries that do not count."""
        s, a, b, ps, pa, pb = self.s, self.a, self.b, self.ps, self.pa, self.pb
        return [(f"d{ps}d{s}", (0, 0)), (f"d{pa}d{a}", (0, 0)), (f"d{pb}d{b}", (0, 0)),
                (f"d{ps}d{a}", (0, 0)), (f"d{pa}d{s}", (1, 0)),
                (f"d{ps}d{b}", (0, 0)), (f"d{pb}d{s}", (0, 1)), (f"d{pa}d{b}", (1, 0)),
                (f"d{pb}d{a}", (0, 1))]

    def same(self, other):
        """Names of variables that differ, bit for bit."""
        return [n for n in sorted(set(self.data) | set(other.data))
                if n not in self.data or n not in other.data
                or np.asarray(self.data[n]).tobytes() != np.asarray(other.data[n]).tobytes()]


def duct(along="x", *cases):
    """A disturbed duct, stretched between its walls, of another number of cells in each direction."""
    n, length, law, factor = [10, 14, 12], [2.0, 2.0, 1.6], ["tanh"] * 3, [1.1, 1.2, 0.9]
    d = AXIS.index(along)
    n[d], length[d], law[d], factor[d] = 16, 2.5, "sine", 0.3
    walls = {f"{a}_{e}": "wall" for a in AXIS if a != along for e in ("low", "high")}
    return kc.merge(
        {
            "run": {"steps_max": 12, "seed": 5},
            "grid": {
                "n": tuple(n),
                "length": tuple(length),
                "stretching": tuple(law),
                "stretching_factor": tuple(factor),
            },
            "fluid": {"nu": 0.01},
            "time": {"dt": 0.02},
            "boundary": walls,
            "forcing": {"type": "bulk-velocity", "value": 1.0, "direction": along},
            "initial": {"type": "channel", "disturbance": 0.3},
            "pressure": {"tolerance": 1e-9},
            "statistics": {"start": 0.0, "interval": 1},
            "checkpoint": {"at_end": True},
            "output": {"log_interval": 1000},
        },
        *cases
    )


def stream(*cases):
    """An inflow along x between walls in z, homogeneous in y."""
    return kc.merge({"run": {"steps_max": 10, "seed": 5},
                     "grid": {"n": (14, 10, 12), "length": (3.0, 1.5, 2.0),
                              "stretching": ("uniform", "sine", "tanh"),
                             "stretching_factor": (0.0, 0.3, 1.2)},
                     "fluid": {"nu": 0.02}, "time": {"dt": 0.02},
                     "boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0), "x_high": "outflow",
                                  "z_low": "wall", "z_high": "wall"},
                     "initial": {"type": "channel", "disturbance": 0.3}, "pressure": {"tolerance": 1e-9},
                     "statistics": {"start": 0.0, "interval": 1}, "output": {"log_interval": 1000}}, *cases)


def near(check, name, value, wanted, by=ROUNDING):
    check.below(name, abs(value - wanted) / max(abs(wanted), 1e-300), by)


def with_series(check, label, page, result):
    """Sums over the section that the series has."""
    series, nu = {k: v[1:].mean() for k, v in result.series().items()}, float(page["nu"])
    near(check, f"{label}: kinetic energy", 0.5 * sum(page.mean(page.raw(q + q)) for q in PART),
         series["kinetic_energy"])
    near(check, f"{label}: kinetic energy, the number", float(page["kinetic_energy"]),
         series["kinetic_energy"])
    squares = sum(page.mean(page.raw(name + "_2"), inner) for name, inner in page.gradients())
    near(check, f"{label}: dissipation", nu * squares, series["dissipation"])
    near(check, f"{label}: dissipation, the number", float(page["dissipation"]), series["dissipation"])
    for d, q in zip(AXIS, PART):
        check.below(f"{label}: momentum of {q}",
                    abs(page.mean(page.raw(q.upper())) - series["momentum_" + d]), 1e-14)
    near(check, f"{label}: force", float(page["force"]) + 1, series["force"] + 1)
    return nu * squares


def slopes(page):
    """Gradients of the mean velocity, by raw sums where values beyond walls count."""
    s, a, b, ps, pa, pb = page.s, page.a, page.b, page.ps, page.pa, page.pb
    mean = {f"d{ps}d{a}": page.raw(f"d{ps}d{a}"), f"d{ps}d{b}": page.raw(f"d{ps}d{b}"),
            f"d{pa}d{b}": page.raw(f"d{pa}d{b}"), f"d{pb}d{a}": page.raw(f"d{pb}d{a}")}
    mean[f"d{pa}d{a}"] = np.diff(page.raw(pa.upper()), axis=1) / page.c[0]
    mean[f"d{pb}d{b}"] = np.diff(page.raw(pb.upper()), axis=0) / page.c[1][:, None]
    return mean


def energy(check, label, page, dissipation):
    """Of k: dissipation is what the mean flow leaves of the whole; production is the work of the stresses on
    the gradients of the mean."""
    nu, mean = float(page["nu"]), slopes(page)
    of_mean = nu * sum(page.mean(mean[name] ** 2, inner) for name, inner in page.gradients() if name in mean)
    near(check, f"{label}: dissipation of k and of the mean", page.mean(page["k_dissipation"]) + of_mean,
         dissipation)
    a, b, ps, pa, pb = page.a, page.b, page.ps, page.pa, page.pb
    A, B = page.raw(pa.upper()), page.raw(pb.upper())
    of_a, of_b = 0.5 * (A[:, 1:] + A[:, :-1]), 0.5 * (B[1:] + B[:-1])
    work = (page.mean((page.raw(f"flux_{pa}_{a}") - of_a ** 2) * mean[f"d{pa}d{a}"])
            + page.mean((page.raw(f"flux_{pb}_{b}") - of_b ** 2) * mean[f"d{pb}d{b}"]))
    pair = ("".join(sorted(p)) for p in (ps + pa, ps + pb))
    work += sum(page.mean(page[p] * mean[f"d{ps}d{d}"]) for p, d in zip(pair, (a, b)))
    edge = []
    for raw, slope, carried, carrier, d in ((f"flux_{pa}_{b}", f"d{pa}d{b}", A, B, 0),
                                            (f"flux_{pb}_{a}", f"d{pb}d{a}", B.T, A.T, 1)):
        c, f, beyond = page.c[d], page.f[d], page.f[1 - d]
        flux, grad = ((m if d == 0 else m.T)[:, 1:-1] for m in (page.raw(raw), mean[slope]))
        inside = carried[:, 1:-1]
        column = np.vstack((inside[:1] - grad[:1] * beyond[0], inside, inside[-1:] + grad[-1:] * beyond[-1]))
        edge.append(flux
                    - (c[:-1] * carrier[:, :-1] + c[1:] * carrier[:, 1:]) / (2 * f[1:-1]) * 0.5
                    * (column[1:] + column[:-1]))
        work += (page.e[1 - d][:, None] * page.e[d][1:-1] * edge[-1] * grad).sum() / page.area
    check.below(f"{label}: stress of {pa} and {pb}",
                abs(page["".join(sorted(pa + pb))][1:-1, 1:-1]
                    - 0.5 * (edge[0][1:-1] + edge[1].T[:, 1:-1])).max(), 1e-15)
    size = abs(page["k_production"]).max()
    check.below(f"{label}: production", abs(page.mean(page["k_production"]) + work) / size, 1e-12)
    check.holds(f"{label}: it produces", size > 1e-8, size)
    variances = sum(page.mean(page[q + q]) for q in PART)
    near(check, f"{label}: turbulent energy", page.mean(page["k"]), 0.5 * variances)


def integrals(kolmo, check):
    """Ducts along every axis; one wall slips, one moves."""
    for along, more in (("x", {}), ("y", {"boundary": {"x_high": "slip"}}),
                        ("z",
                         {"boundary": {"y_high_velocity": (0.3, 0.0, 0.2)},
                          "initial": {"type": "taylor-green", "disturbance": None}})):
        result = kolmo.run(duct(along, more))
        page, label = Page(result), f"duct along {along}"
        check.equal(f"{label}: directions", (page.s, page.texts["streamwise_direction"], page.n),
                    (along, along, 12))
        energy(check, label, page, with_series(check, label, page, result))
        moments(check, label, page)


def moments(check, label, page):
    """Central moments and rms of the vorticity from the raw ones."""
    for q in PART:
        u, uu, uuu = (page.raw(n) for n in (q.upper(), q + q, 3 * q))
        check.below(f"{label}: variance of {q}", abs(page[q + q] - np.maximum(uu - u * u, 0)).max(), 1e-14)
        there = page[q + q] > 1e-3 * page[q + q].max()
        third = (uuu - 3 * u * uu + 2 * u ** 3)[there]
        check.below(f"{label}: skewness of {q}",
                    abs(page[q + "_skewness"][there] * page[q + q][there] ** 1.5 - third).max(), 1e-14)
    s, a, b, ps, pa, pb = page.s, page.a, page.b, page.ps, page.pa, page.pb
    sign = -1 if s == "y" else 1
    omega = sign * (page.raw(f"d{pb}d{a}") - page.raw(f"d{pa}d{b}"))
    check.below(f"{label}: mean vorticity", abs(page["Omega_" + s] - omega).max(), 1e-15)
    check.below(f"{label}: its rms",
                abs(page[f"omega_{s}_rms"] ** 2 - np.maximum(page.raw(f"omega_{s}_2") - omega ** 2, 0)).max(),
                1e-12)
    check.below(f"{label}: rms of another",
                abs(page[f"omega_{b}_rms"] ** 2
                    - np.maximum(page.raw(f"omega_{b}_2") - page.raw(f"d{ps}d{a}") ** 2, 0)).max(), 1e-12)
    nu = float(page["nu"])
    for d, normal in enumerate((a, b)):
        if f"wall_stress_{ps}_{normal}_low" not in page.data:
            continue
        shear = page.raw(f"d{ps}d{normal}")
        low = shear[:, 0] if d == 0 else shear[0]
        check.below(f"{label}: stress on the lower wall in {normal}",
                    abs(page[f"wall_stress_{ps}_{normal}_low"] - nu * low).max(), 1e-16)
        square = page.raw(f"d{ps}d{normal}_2")
        square = (square[:, -1] if d == 0 else square[-1]) - (shear[:, -1] if d == 0 else shear[-1]) ** 2
        if f"wall_stress_{ps}_{normal}_high" in page.data:
            check.below(f"{label}: its rms on the upper one",
                        abs(page[f"wall_stress_{ps}_{normal}_high_rms"] ** 2 - nu ** 2 * square).max(), 1e-14)


def open_faces(kolmo, check):
    """An inflow along walls: the stream is that of the inflow, its walls alone make the friction; one through
    a window, turbulent; one downwards, along x homogeneous; and a jet without walls."""
    result = kolmo.run(stream())
    page = Page(result)
    check.equal("stream: directions", (page.s, page.texts["streamwise_direction"]), ("y", "x"))
    energy(check, "stream", page, with_series(check, "stream", page, result))
    near(check, "stream: diameter", float(page["hydraulic_diameter"]), 4.0)
    force = sum(np.nansum(page.e[0] * page[f"wall_stress_u_z_{e}"]) for e in ("low", "high"))
    missing = [np.flatnonzero(np.isnan(page[f"wall_stress_u_z_{n}"])).tolist() for n in ("low", "high_rms")]
    check.equal("a stream: where walls meet open faces their stress is missing", missing,
                [[0, page.e[0].size - 1]] * 2)
    near(check, "stream: friction velocity", float(page["u_tau"]) ** 2, force / 6.0, 1e-12)
    step = kolmo.run(stream({"boundary": {"x_low_window": (0.0, 1.5, 1.0, 2.0),
                                          "x_low_turbulence": (0.1, 0.1, 0.1), "turbulence_length": 0.4,
                                          "turbulence_modes": 50}}))
    energy(check, "step", Page(step), with_series(check, "step", Page(step), step))
    down = stream({"boundary": {"x_low": None, "x_low_velocity": None, "x_high": None, "y_low": "wall",
                                "y_high": "slip", "z_low": "outflow", "z_high": "inflow",
                                "z_high_velocity": (0.1, 0.0, -1.0)},
                   "initial": {"type": "uniform", "velocity": (0.0, 0.0, -1.0), "disturbance": None},
                   "grid": {"stretching": ("sine", "tanh", "tanh"), "stretching_factor": (0.3, 1.1, 0.8)}})
    result = kolmo.run(down)
    page = Page(result)
    check.equal("down: directions", (page.s, page.texts["streamwise_direction"]), ("x", "z"))
    energy(check, "down", page, with_series(check, "down", page, result))
    jet = Page(kolmo.run(stream({"boundary": {"z_low": "slip", "z_high": "outflow"},
                                 "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0),
                                             "disturbance": None}})))
    check.equal("jet: nothing in wall units",
                [n for n in jet.data if n.endswith("_plus") or n in ("u_tau", "delta", "wall_distance")], [])
    check.holds("jet: bulk velocity", 0.5 < float(jet["u_b"]) < 1.5, float(jet["u_b"]))


def series_of_duct(y, z, a, b):
    """Laminar velocity times nu over the force, at distances y, z from the middle, half sides a <= b (White,
    2006)."""
    n = np.arange(1, 400, 2)
    k = n * np.pi / (2 * a)
    ratio = (np.exp(k * (np.abs(z)[:, None] - b)) * (1 + np.exp(-2 * k * np.abs(z)[:, None]))
             / (1 + np.exp(-2 * k * b)))
    wave = np.sin(n * np.pi / 2) / n ** 3 * np.cos(k * y[:, None])
    return 0.5 * (a * a - y * y)[None, :] - 16 * a * a / np.pi ** 3 * ratio @ wave.T


def laminar(kolmo, check):
    """A laminar duct: the profile and the friction of the series at second order; the wall stress is the
    force; nothing fluctuates, nothing flows across."""
    errors = []
    for n in (8, 16):
        case = duct(
            "x",
            {
                "run": {"steps_max": 400},
                "grid": {
                    "n": (4, n, n),
                    "stretching": ("uniform", "tanh", "tanh"),
                    "stretching_factor": (0.0, 1.2, 0.9),
                },
                "fluid": {"nu": 1.0},
                "time": {"diffusion": "implicit", "dt": 0.01},
                "forcing": {"type": "pressure-gradient", "value": 3.0},
                "initial": {"disturbance": 0.0},
                "pressure": {"preconditioner": "direct", "tolerance": None},
                "statistics": {"start": 3.8, "interval": 2},
                "checkpoint": {"at_end": False},
            },
        )
        page = Page(kolmo.run(case))
        middle = [page[d] - 0.5 * (page[d + "_face"][0] + page[d + "_face"][-1]) for d in "yz"]
        wanted = 3.0 * series_of_duct(middle[1], middle[0], 0.8, 1.0).T
        errors.append(abs(page["U"] - wanted).max())
        radius = 3.2 / 7.2  # area over perimeter
        near(check, f"{n}: friction velocity", float(page["u_tau"]) ** 2, 3.0 * radius, 1e-8)
        near(check, f"{n}: Reynolds number", float(page["Re_b"]), float(page["u_b"]) * 4 * radius, 1e-14)
        near(check, f"{n}: friction factor", float(page["friction_factor"]),
             8 * 3.0 * radius / float(page["u_b"]) ** 2, 1e-8)
        check.below(f"{n}: fluctuations",
                    max(abs(page[v]).max()
                        for v in ("uu", "vv", "ww", "uv", "uw", "vw", "V", "W", "k", "p_rms")), 1e-12)
        near(check, f"{n}: work of the force", float(page["dissipation"]), 3.0 * float(page["u_b"]), 1e-8)
        near(check, f"{n}: wall units", page["U_plus"].max() * float(page["u_tau"]), page["U"].max(), 1e-14)
        near(check, f"{n}: symmetric walls", page["wall_stress_u_y_low"].sum(),
             page["wall_stress_u_y_high"].sum(), 1e-11)
    check.below("profile, over its largest value", errors[1] / wanted.max(), 0.01)
    check.near("its error falls by four", errors[0] / errors[1], 4.0, 0.6)


def layouts(kolmo, check):
    """Every variable has the same bits on any ranks, the homogeneous direction cut, too."""
    for along, cuts in (("x", ((2, 1, 1), (1, 2, 1), (2, 2, 2))), ("y", ((1, 2, 2),)), ("z", ((1, 1, 2),))):
        case = duct(along,
                    {"run": {"steps_max": 3}, "pressure": {"tolerance": 1e-4},
                     "checkpoint": {"at_end": False}})
        one = Page(kolmo.run(case))
        for ranks in cuts:
            other = Page(kolmo.run(kc.merge(case, {"grid": {"ranks": ranks}}), ranks=int(np.prod(ranks))))
            check.same(f"duct along {along}, {ranks}", one.same(other))


def restart(kolmo, check):
    """Stopped in the middle of a batch, on other ranks after it; another grid begins anew; fields have fewer
    batches than numbers."""
    case = duct(
        "y",
        {
            "run": {"steps_max": 40},
            "pressure": {"tolerance": 1e-4},
            "statistics": {"start": 0.1, "write_interval": 7},
            "checkpoint": {"interval": 27, "keep": 4},
        },
    )
    whole = kolmo.run(case)
    folder = kolmo.place()
    kolmo.run(kc.merge(case, {"run": {"steps_max": 27}}), folder=folder)
    second = kolmo.run(kc.merge(case, {"grid": {"ranks": (1, 2, 1)}}), "--restart", "latest", ranks=2,
                       folder=folder)
    page = Page(second)
    check.same("27 steps, then the rest on two ranks", Page(whole).same(page))
    check.same("series and state", kc.differences(whole, second))
    check.equal(
        "batches of fields and of lines",
        [
            int(page[n])
            for n in ("n_samples", "n_batches", "batch_length", "n_batches_lines", "batch_length_lines")
        ],
        [36, 9, 4, 36, 1],
    )
    # of u_tau; both errors are of the same batches, but for how they are correlated
    share = float(page["u_tau_error"]) / float(page["u_tau"])
    near_share = abs(page["V_plus_error"] / page["V_plus"] - page["V_error"] / page["V"])
    check.below("errors of V in wall units, against those of V, over that of u_tau",
                np.nanmax(near_share) / share, 3)
    check.above("    and they are others", np.nanmax(near_share) / share, 0.1)
    check.holds("errors",
                np.isfinite(page["V_error"]).all() and page["V_error"].max() > 0
                and float(page["u_tau_error"]) > 0)
    regrid = kolmo.run(kc.merge(case,
                                {"run": {"steps_max": 45}, "grid": {"n": (10, 20, 12)},
                                 "checkpoint": {"regrid": True}}), "--restart", "latest", folder=folder)
    check.equal("samples after another grid", Page(regrid).n, 5)


def report(kolmo, check):
    """Figures of the section in the report, of a duct and of a stream without walls."""
    tool = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc", "kolmo-report")
    jet = {"boundary": {"z_low": "slip", "z_high": "outflow"},
           "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0), "disturbance": None}}
    for name, case, more in (("duct", duct("z"), ["section_walls"]), ("jet", stream(jet), [])):
        folder = kolmo.run(case).folder
        done = subprocess.run([sys.executable, tool, "--allow", "divergence=1e9", "--allow",
                               "energy budget=1e9", folder], capture_output=True, text=True, check=False)
        check.equal(f"{name}: exit code", done.returncode, 0)
        with open(os.path.join(folder, "report.html"), encoding="utf-8") as file:
            found = re.findall('<figure id="(section_[A-Za-z_]+)"', file.read())
        check.equal(f"{name}: figures", found,
                    ["section_" + n
                     for n in ("W" if name == "duct" else "U", "k", "k_production", "k_dissipation")] + more)


def files(kolmo, check):
    """Words, axes and memory; the end by error; what is refused."""
    result = kolmo.run(duct("x", {"run": {"steps_max": 9}}))
    page = Page(result)
    check.equal("shapes", [page[n].shape for n in ("U", "V", "W", "vw", "wall_stress_u_y_low",
                                                   "wall_stress_w_y_high", "wall_stress_v_z_low")],
                [(12, 14), (12, 15), (13, 14), (13, 15), (12,), (13,), (15,)])
    try:
        import netCDF4
        with netCDF4.Dataset(os.path.join(result.folder, "statistics.nc")) as file:
            lacking = [n
                       for n, v in file.variables.items()
                       if not n.endswith("_bounds") and not (v.units and v.long_name)]
            check.equal("variables without words", lacking, [])
            check.equal("cell methods, axes",
                        (file["U"].cell_methods, file["U"].dimensions, file["V"].dimensions),
                        ("x: mean time: mean", ("z", "y"), ("z", "y_face")))
    except ImportError:
        check.skip("netCDF4", "not installed")
    check.says("memory in --check", kolmo.run(duct("x"), "--check").out, "host memory of averages",
               "on rank 0")
    large = {"grid": {"n": (8, 2400, 2400)}, "pressure": {"preconditioner": "direct", "tolerance": None}}
    check.says("too large a section", kolmo.run(duct("x", large), "--check", rc=2).text, "case.nml:",
               "statistics.start: averages over this section would take", "coarser grid")
    stopped = kolmo.run(duct("x",
                             {"run": {"steps_max": 200},
                              "statistics": {"stop_when": "u_b", "stop_error": 0.01}}))
    check.says("the end by error", stopped.out, "statistics.stop_when is met", "finished: step 32")
    for add, parts in (
        (
            {
                "boundary": {"x_low": "wall", "x_high": "wall"},
                "forcing": {"type": None, "value": None, "direction": None},
                "initial": {"type": "rest", "disturbance": None},
            },
            ("statistics.start", "no direction is periodic"),
        ),
        (
            {"statistics": {"stop_when": "Re_lambda"}},
            ("statistics.stop_when = 'Re_lambda'", "no number of flows along walls", "or 'dissipation'"),
        ),
    ):
        check.says(str(add), kolmo.run(kc.merge(duct(), add), rc=2).text, *parts)


if __name__ == "__main__":
    kc.main(__doc__, [integrals, open_faces, laminar, layouts, restart, report, files])

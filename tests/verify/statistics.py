#!/usr/bin/env python3
"""Statistics between walls, statistics.nc: sums that the series knows too, budgets, exact flows, layouts,
restart, files.

Over the height, energy, dissipation, enstrophy and force are those of series.nc to rounding, for walls in
every direction; transport terms vanish; what a budget lacks is the change of the flow, at first order in dt;
Poiseuille flow has its stress on the line; the same bits on any ranks and after a restart; the file opens in
NetCDF. Would catch: a term of the wrong place or weight, a component under another's name, a sample doubled
or lost at a restart, a state that the checkpoint lacks, a file that is not replaced whole."""
import glob
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402

AXIS, PART = "xyz", "uvw"
ROUNDING = 2e-13


class Page:
    """statistics.nc, or spectra.nc, of a run."""

    def __init__(self, result, name="statistics.nc", normal="wall_normal_direction"):
        self.data, self.words = {}, {}
        with h5py.File(os.path.join(result.folder, name), "r") as file:
            self.texts = {k: v.decode() if isinstance(v, bytes) else v
                          for k, v in file.attrs.items() if not k.startswith("_NC")}
            for place, prefix in ((file, ""), (file["raw"], "raw/")):
                for name, column in place.items():
                    if isinstance(column, h5py.Dataset):
                        self.data[prefix + name] = column[...]
        self.n = int(self.data["n_samples"])
        self.normal = self.texts[normal]
        self.face = self.data[self.normal + "_face"]
        self.c = np.diff(self.face)
        inner = 0.5 * (self.c[1:] + self.c[:-1])
        self.e = np.concatenate(([0.5 * self.c[0]], inner, [0.5 * self.c[-1]]))
        self.f = np.concatenate(([self.c[0]], inner, [self.c[-1]]))
        self.height = self.c.sum()

    def __getitem__(self, name):
        return self.data[name]

    def raw(self, name):
        """Mean over the samples."""
        return self.data["raw/sum_" + name] / self.n

    def over_height(self, name, values=None):
        values = self.raw(name) if values is None else values
        return ((self.c if values.size == self.c.size else self.e) * values).sum() / self.height

    def same(self, other):
        """Names of variables that differ, bit for bit."""
        return [n for n in sorted(set(self.data) | set(other.data))
                if n not in self.data or n not in other.data
                or np.asarray(self.data[n]).tobytes() != np.asarray(other.data[n]).tobytes()]


def channel(normal="z", stream="x", *cases):
    """A disturbed channel, stretched between its walls."""
    n, d = {"x": 12, "y": 14, "z": 10}, AXIS.index(normal)
    n[normal] = 16
    length = [2.5, 2.1, 1.9]
    length[d] = 2.0
    law, factor = ["uniform"] * 3, [0.0] * 3
    law[d], factor[d] = "tanh", 1.2
    return kc.merge({"run": {"steps_max": 12, "seed": 5},
                     "grid": {"n": tuple(n[a] for a in AXIS), "length": tuple(length),
                             "stretching": tuple(law), "stretching_factor": tuple(factor)},
                     "fluid": {"nu": 0.01}, "time": {"dt": 0.02},
                     "boundary": {normal + "_low": "wall", normal + "_high": "wall"},
                     "forcing": {"type": "bulk-velocity", "value": 1.0, "direction": stream},
                     "initial": {"type": "channel"},
                     "pressure": {"tolerance": 1e-9}, "statistics": {"start": 0.0, "interval": 1},
                     "checkpoint": {"at_end": True}, "output": {"log_interval": 1000}}, *cases)


def near(check, name, value, wanted, by=ROUNDING):
    check.below(name, abs(value - wanted) / max(abs(wanted), 1e-300), by)


def integrals(kolmo, check):
    """Walls in each direction; one of them moves, one slips."""
    for normal, stream, more in (("z", "x", {}), ("z", "y", {"boundary": {"z_high": "slip"}}),
                                 ("y", "z", {"boundary": {"y_high_velocity": (0.3, 0.0, -0.2)}}),
                                 ("x", "z", {}),
                                 ("x", "y", {})):
        case = channel(normal, stream, more)
        if normal == "z":
            case = kc.merge(case, {"grid": {"stretching": ("sine", "uniform", "tanh"),
                                            "stretching_factor": (0.3, 0.0, 1.2)}})
        result = kolmo.run(case)
        page, series = Page(result), {k: v[1:].mean() for k, v in result.series().items()}
        a, b = (d for d in AXIS if d != normal)
        pa, pb, pn = (PART[AXIS.index(d)] for d in (a, b, normal))
        label, nu = f"walls in {normal}, stream along {stream}", float(page["nu"])
        check.equal(f"{label}: samples", page.n, 12)
        check.equal(f"{label}: stream", page.texts["streamwise_direction"], stream)
        kinetic = 0.5 * sum(page.over_height(q + q) for q in PART)
        gradients = sum(page.over_height(g + q) for g in ("gradient_", "shear_")
                        for q in PART if f"raw/sum_{g}{q}" in page.data)
        near(check, f"{label}: kinetic energy", kinetic, series["kinetic_energy"])
        near(check, f"{label}: dissipation", nu * gradients, series["dissipation"])
        near(check, f"{label}: enstrophy", 0.5 * sum(page.over_height(f"omega_{d}_squared") for d in AXIS),
             series["enstrophy"])
        for q in (pa, pb):
            check.below(f"{label}: momentum of {q}",
                        abs(page.over_height(q.upper()) - series["momentum_" + AXIS[PART.index(q)]]), 1e-14)
        near(check, f"{label}: force", float(page["force"]), series["force"])
        for side in ("low", "high"):
            check.below(f"{label}: stress on the {side} wall",
                        abs(float(page[f"wall_stress_{side}"]) - series[f"wall_stress_{normal}_{side}"]),
                        1e-14)
        mean = sum(nu * (page.e * page[f"d{q.upper()}d{normal}"] ** 2).sum() / page.height for q in (pa, pb))
        near(check, f"{label}: dissipation of k and of the mean",
             page.over_height("", page["k_dissipation"]) + mean,
             series["dissipation"])
        flux = sum((page.e * page["".join(sorted(q + pn))] * page[f"d{q.upper()}d{normal}"]).sum()
                   / page.height for q in (pa, pb))
        near(check, f"{label}: production", page.over_height("", page["k_production"]), -flux, 1e-11)
        scale = abs(page["k_production"]).max() + abs(page["k_dissipation"]).max()
        for term in ("turbulent_transport", "viscous_diffusion", "pressure_transport"):
            check.below(f"{label}: {term} over the height",
                        abs(page.over_height("", page["k_" + term])) / scale, ROUNDING)
        check.below(f"{label}: through the walls", max(abs(page[pn.upper()][i]) for i in (0, -1)), 0)


def moments(page, velocity, d):
    """Means over planes of squares of u, v at centres and of w at faces (upper wall left out), walls in z."""
    return (velocity[d] ** 2).mean(axis=(1, 2))


def products(velocity):
    """Means over planes of u w and v w on faces, the lower wall first, and of u v on edges, walls in z."""
    u, v, w = velocity[0], velocity[1], velocity[2]

    def mean(q, axis):
        return 0.5 * (q + np.roll(q, 1, axis))
    return {"uw": (mean(w, 2) * mean(u, 0)).mean(axis=(1, 2)),
            "vw": (mean(w, 1) * mean(v, 0)).mean(axis=(1, 2)),
            "uv": (mean(u, 1) * mean(v, 2)).mean(axis=(1, 2))}


def budgets(kolmo, check):
    """Raw second moments: their change from step to step is the sum of the terms, but for the error of a sum
    over steps in time, which halves with dt. Terms of fluctuations differ from the raw ones by the mean
    flow's budget, to rounding."""
    left = []
    for steps, dt in ((10, 0.002), (20, 0.001)):
        case = channel("z", "x", {"run": {"steps_max": steps}, "time": {"dt": dt}, "fluid": {"nu": 0.02},
                                  "pressure": {"preconditioner": "direct", "tolerance": None},
                                  "checkpoint": {"keep": 3}})
        first = kolmo.run(kc.merge(case, {"run": {"steps_max": 20}, "checkpoint": {"interval": 20}}))
        result = kolmo.run(kc.merge(case,
                                    {"run": {"steps_max": 20 + steps},
                                     "checkpoint": {"interval": 20 + steps}}, {
            "statistics": {"start": first.series()["time"][-1] + 0.5 * dt}}), "--restart",
                           kc.checkpoint_path(first.folder, 20))
        page, nu, time = Page(result), 0.02, steps * dt
        start, end = first.checkpoint(20).velocity, result.checkpoint(20 + steps).velocity
        force = float(page["force"])
        worst = 0
        for d, q in enumerate("uv"):
            square, flux = page.raw(q + q), page.raw(f"flux_{q}{q}")
            beyond = np.concatenate(([square[0]], square, [square[-1]]))
            viscous = np.diff(np.diff(beyond) / page.f) / page.c
            shear = page.raw("shear_" + q) * page.f
            raw = (
                -np.diff(flux) / page.c
                + nu * viscous
                - 2 * nu * page.raw("gradient_" + q)
                - nu * (shear[1:] + shear[:-1]) / page.c
                + 2 * page.raw("p_d" + q)
            )
            mean, carried = page.raw(q.upper()), page.raw(q + "w")
            momentum = -np.diff(carried) / page.c + nu * np.diff(page[f"d{q.upper()}dz"]) / page.c
            fluctuations = page[f"{q}{q}_budget_residual"] + 2 * mean * momentum
            check.below(f"{q}{q}: fluctuations and mean make up the raw budget, dt = {dt}",
                        abs(raw - fluctuations).max() / abs(page[f"{q}{q}_dissipation"]).max(), 1e-10)
            change = (moments(page, end, d) - moments(page, start, d)) / time
            worst = max(worst, abs(raw + 2 * force * (d == 0) * mean - change).max())
        change = (moments(page, end, 2) - moments(page, start, 2)) / time
        ww = page["ww_budget_residual"][1:-1] - change[1:]
        worst = max(worst, abs(ww).max())
        change = {n: (products(end)[n] - products(start)[n]) / time for n in ("uw", "vw", "uv")}
        mean = {q: page.raw(q.upper()) for q in "uv"}
        momentum = {q: (np.diff(0.02 * page[f"d{q.upper()}dz"] - page.raw(q + "w")) / page.c
                        + force * (q == "u")) for q in "uv"}
        change["uv"] -= mean["u"] * momentum["v"] + mean["v"] * momentum["u"]
        for n in ("uw", "vw"):
            check.holds(f"{n}: no budget on walls, dt = {dt}",
                        bool(np.isnan(page[n + "_budget_residual"][[0, -1]]).all()))
            worst = max(worst, abs(page[n + "_budget_residual"][1:-1] - change[n][1:]).max())
            height = page.e[1:-1] * page[n + "_turbulent_transport"][1:-1]
            third = page[{"uw": "uww", "vw": "vww"}[n]]
            check.below(f"{n}: turbulent transport, over the inner faces",
                        abs(height.sum() - third[0] + third[-1]) / abs(height).sum(), 1e-12)
        worst = max(worst, abs(page["uv_budget_residual"] - change["uv"]).max())
        left.append(worst)
        scale = abs(page["uu_dissipation"]).max()
    check.below("what budgets lack, over the largest dissipation", left[1] / scale, 0.05)
    check.near("it halves with dt", left[0] / left[1], 2.0, 0.5)


def weighted(checkpoint, a, b, n):
    """Of walls normal to n, stretched everywhere: the three stresses as the sums have them, and means of the
    velocities along a and b over the edges."""
    width = [np.asarray(w) for w in checkpoint.width]
    apart = [0.5 * (w + np.roll(w, 1)) for w in width]
    u = {d: np.transpose(checkpoint.velocity[d], [2 - a, 2 - b, 2 - n]) for d in (a, b, n)}

    def mean(q, wa, wb):
        return np.einsum("ijk,i,j->k", q, wa, wb) / (wa.sum() * wb.sum())

    def half(q, axis):
        return 0.5 * (q + np.roll(q, 1, axis))

    def carried(axis, d):
        shape = [-1 if i == axis else 1 for i in range(3)]
        return half(width[d].reshape(shape) * u[n], axis) / apart[d].reshape(shape)
    return {"an": mean(carried(0, a) * half(u[a], 2), apart[a], width[b]),
            "bn": mean(carried(1, b) * half(u[b], 2), width[a], apart[b]),
            "ab": mean(half(u[a], 1) * half(u[b], 0), apart[a], apart[b]),
            "a": mean(half(u[a], 1), apart[a], apart[b]),
            "b": mean(half(u[b], 0), apart[a], apart[b])}


def shear_budgets(kolmo, check):
    """Walls in y and in x, all directions stretched: what the budgets of the shear stresses lack is the error
    of a sum over steps in time, which halves with dt."""
    for normal, stream in (("y", "z"), ("x", "y")):
        n, left, scale = AXIS.index(normal), {"an": [], "bn": [], "ab": []}, {}
        a, b = (d for d in range(3) if d != n)
        law, factor = ["sine"] * 3, [0.3, 0.4, 0.35]
        law[n], factor[n] = "tanh", 1.2
        for steps, dt in ((10, 0.002), (20, 0.001)):
            case = channel(normal, stream, {"grid": {"stretching": tuple(law),
                                                     "stretching_factor": tuple(factor)}, "time": {"dt": dt},
                                            "fluid": {"nu": 0.02},
                                            "pressure": {"preconditioner": "direct", "tolerance": None},
                                            "checkpoint": {"keep": 3}})
            first = kolmo.run(kc.merge(case, {"run": {"steps_max": 20}, "checkpoint": {"interval": 20}}))
            last = kolmo.run(kc.merge(case,
                                      {"run": {"steps_max": 20 + steps},
                                       "statistics": {"start": first.series()["time"][-1] + 0.5 * dt}}),
                             "--restart", kc.checkpoint_path(first.folder, 20))
            page = Page(last)
            start, end = weighted(first.checkpoint(20), a, b, n), weighted(
                last.checkpoint(20 + steps), a, b, n
            )
            name = {k: "".join(sorted(PART[i] + PART[j]))
                    for k, i, j in (("an", a, n), ("bn", b, n), ("ab", a, b))}
            change = {k: (end[k] - start[k]) / (steps * dt) for k in name}
            mean = {q: page.raw(PART[d].upper()) for q, d in (("a", a), ("b", b))}
            force = float(page["force"])
            for q, d, other in (("a", a, "b"), ("b", b, "a")):
                carried = (page["".join(sorted(PART[d] + PART[n]))]
                           + 0.5 * np.concatenate(([0], mean[q][1:] + mean[q][:-1], [0]))
                           * page.raw(PART[n].upper()))
                momentum = np.diff(0.02 * page[f"d{PART[d].upper()}d{normal}"] - carried) / page.c
                # a force along d acts on the mean of the other component over the edges, which stretching
                # sets apart from that over its own points
                change["ab"] -= (mean[other] * momentum
                                 + force * (AXIS[d] == stream) * 0.5 * (start[other] + end[other]))
            for k in name:
                inner = slice(1, -1) if k != "ab" else slice(None)
                found = change[k] if k == "ab" else change[k][1:]
                left[k].append(abs(page[name[k] + "_budget_residual"][inner] - found).max())
                scale = {**scale, k: abs(found).max()}
        for k, values in left.items():
            check.below(f"walls in {normal}: what the budget of {name[k]} lacks, over its change",
                        values[1] / scale[k], 0.03)
            check.near("    it halves with dt", values[0] / values[1], 2.0, 0.5)


def gradients(page, checkpoint):
    """2 nu <grad u'. grad w'> on inner faces by plain differences, walls in z, the others uniform; nu is that
    of the page."""
    u, w = (np.asarray(q) for q in (checkpoint.velocity[0], checkpoint.velocity[2]))
    h = [np.asarray(checkpoint.width[d])[0] for d in (0, 1)]
    z = 0.5 * (page.face[1:] + page.face[:-1])
    prime = u - u.mean(axis=(1, 2), keepdims=True)
    # both above the lower x face of a cell, on inner faces
    up, wp = 0.5 * (prime[1:] + prime[:-1]), (0.5 * (w + np.roll(w, 1, 2)))[1:]
    total = 0
    for axis, step in ((2, h[0]), (1, h[1])):
        total = (total
                 + (np.roll(up, -1, axis) - np.roll(up, 1, axis))
                 * (np.roll(wp, -1, axis) - np.roll(wp, 1, axis)) / (2 * step) ** 2)
    walled = np.concatenate((np.zeros_like(wp[:1]), wp, np.zeros_like(wp[:1])))
    rise = [(walled[2:] - walled[1:-1]) / np.diff(page.face)[1:, None, None],
            (walled[1:-1] - walled[:-2]) / np.diff(page.face)[:-1, None, None]]
    total = total + np.diff(prime, axis=0) / np.diff(z)[:, None, None] * 0.5 * (rise[0] + rise[1])
    return 2 * float(page["nu"]) * total.mean(axis=(1, 2))


def remainder(kolmo, check):
    """What convection leaves beside production and transport falls at second order in the spacing; the other
    terms stay. Wall shear: its moments by the raw sums. Without the budgets the file has none of them, and
    all else as before."""
    term = {}
    for n in (12, 24):
        case = channel("z", "x", {"grid": {"n": (n, n, n)}, "fluid": {"nu": 0.08}, "time": {"dt": 0.004},
                                  "run": {"steps_max": 100},
                                  "statistics": {"start": 0.398}})
        result = kolmo.run(case)
        page = Page(result)
        plain = gradients(page, result.checkpoint())
        beside = abs(page["uw_dissipation"][1:-1] - plain).max() / abs(plain).max()
        term[n] = {t: abs(page["uw_" + t][1:-1]).max()
                   for t in ("convective_remainder", "production", "dissipation", "pressure_strain")}
        term[n]["uv"] = abs(page["uv_convective_remainder"]).max()
        term[n]["beside"] = beside
    check.near("remainder of uw, twice the cells",
               term[12]["convective_remainder"] / term[24]["convective_remainder"], 4.0, 0.6)
    check.below("dissipation of uw beside that by plain differences", term[24]["beside"], 0.1)
    check.above("    with half of the cells, over that", term[12]["beside"] / term[24]["beside"], 2.0)
    check.near("remainder of uv, twice the cells", term[12]["uv"] / term[24]["uv"], 4.0, 0.8)
    for t in ("production", "dissipation", "pressure_strain"):
        check.near(f"    {t}", term[12][t] / term[24][t], 1.0, 0.2)
    for side, k, sign in (("low", 0, 1), ("high", -1, -1)):
        one, two, three = (page.raw(m)[k] for m in ("shear_u", "shear_u", "shear_u_cubed"))
        one = page["dUdz"][k]
        variance = two - one ** 2
        near(check, f"rms of the {side} wall's shear", float(page[f"wall_stress_{side}_rms"]),
             0.08 * variance ** 0.5, 1e-9)
        near(check, "    skewness", float(page[f"wall_stress_{side}_skewness"]),
             sign * (three - 3 * one * two + 2 * one ** 3) / variance ** 1.5, 1e-7)
    without = Page(kolmo.run(kc.merge(case, {"statistics": {"stress_budgets": False}})))
    lacking = sorted(n for n in page.data if n not in without.data)
    check.holds("left out: the budgets, and no other",
                all(n.startswith(("uw_", "vw_", "uv_", "raw/"))
                    or n.split("_")[0] in ("uvw", "uww", "vww", "uuv", "uvv")
                    for n in lacking) and "uw_production" in lacking, lacking)
    check.same("what is there", [n for n in without.same(page) if n in without.data and "skewness" not in n])


def poiseuille(kolmo, check):
    """A laminar channel: the stress lies on the line, the wall stress is the force, nothing fluctuates;
    errors are those of rounding."""
    case = channel("z", "x",
                   {"run": {"steps_max": 400}, "fluid": {"nu": 1.0},
                    "time": {"diffusion": "implicit-z", "dt": 0.05},
                    "initial": {"disturbance": 0.0},
                    "pressure": {"preconditioner": "direct", "tolerance": None},
                    "statistics": {"start": 12.0, "interval": 2}})
    page = Page(kolmo.run(case))
    check.below("stress beside the line", abs(page["stress_residual"]).max(), 1e-11)
    check.below("force less wall stress",
                abs(float(page["force"]) * 1.0 - float(page["wall_stress_low"])) / 3, 1e-12)
    check.near("friction velocity", float(page["u_tau"]) ** 2, float(page["force"]), 1e-11)
    check.near("force of the parabola, 3 nu", float(page["force"]), 3.0, 0.04)
    check.below("fluctuations", max(abs(page[n]).max() for n in ("uu", "vv", "ww", "uw", "pp")), 1e-13)
    check.below("standard errors", max(page[n].max() for n in ("U_error", "stress_total_error")), 1e-12)
    z = 0.5 * (page.face[1:] + page.face[:-1])
    check.below("the parabola", abs(page["U"] - 1.5 * z * (2 - z)).max(), 0.02)
    check.near("U_plus", page["U_plus"][8] * float(page["u_tau"]) / page["U"][8], 1.0, 1e-14)
    check.equal("samples", page.n, len([s for s in range(1, 401) if s % 2 == 0 and s * 0.05 >= 12.0 - 1e-9]))


def back(check, page, text, half):
    """The columns of the text are the profiles of the file, walls normal to y, stream along z: components w,
    v, u in the places of u, v, w; of faces the mean of both, of both halves the mean with its sign. Budgets
    as published: gains, the dissipation positive, and what is left."""
    def folded(name, sign=1, power=1):
        values = page[name + "_plus"] ** power
        values = 0.5 * (values[1:] + values[:-1]) if values.size == page.face.size else values
        return 0.5 * (values + sign * values[::-1])[:half]
    re_tau, distance = float(page["Re_tau"]), page["wall_distance_plus"][:half]
    # P + v'v' is the same at all heights
    wall, lack, none = folded("P")[0] + folded("vv")[0], np.full(half, np.nan), np.zeros(half)
    wanted = {"mean_prof": (folded("W") + 0.4 / float(page["u_tau"]), folded("dWdy", -1), folded("U"),
                            folded("P") - wall),
              "vel_fluc_prof": (folded("ww"), folded("vv"), folded("uu"), folded("vw", -1), folded("uw"),
                                folded("uv", -1), folded("k")),
              "vor_pres_fluc_prof": (*(folded(f"omega_{d}_rms", power=2) for d in "zyx"), lack, lack, lack,
                                     folded("pp"))}
    for name, own, sign, absent in (("k", "k", 1, ()), ("uu", "ww", 1, (4,)), ("vv", "vv", 1, (0,)),
                                    ("ww", "uu", 1, (4,)), ("uv", "vw", -1, ()), ("uw", "uw", 1, (4,)),
                                    ("vw", "uv", -1, ())):
        terms = ("production", "turbulent_transport", "viscous_diffusion", "pressure_strain",
                 "pressure_transport", "dissipation")
        terms = [none if n in absent else folded(f"{own}_{t}", sign) for n, t in enumerate(terms)]
        left = folded(f"{own}_budget_residual",
                      sign) - (folded(f"{own}_convective_remainder", sign) if name in ("uv", "uw", "vw")
                               else 0)
        wanted[f"RSTE_{name}_prof"] = (*terms, left)
        there = [abs(t[np.isfinite(t)]).max() for t in terms]
        check.below(f"budget of {name} in the text: gains less the dissipation are its last column",
                    np.nanmax(abs(text[f"RSTE_{name}_prof"][:, -1] - left)) / max(there), 1e-8)
    check.equal("files of text", sorted(text), sorted(wanted))
    for name, columns in wanted.items():
        check.equal(f"{name}: shape", text[name].shape, (half, 2 + len(columns)))
        for n, column in enumerate((distance / re_tau, distance) + columns):
            found, size = text[name][:, n], np.nanmax(abs(column)) if np.isfinite(column).any() else 0
            if not (name.startswith("RSTE") and n == 8):  # a small difference of large columns
                check.below(f"{name}, column {n + 1}",
                            np.nanmax(abs(found - column)) / max(size, 1e-12) if size
                            else np.nan_to_num(abs(found)).max(), 2e-9)
            check.equal(f"    {name}, column {n + 1}: where it is missing", np.isnan(found).tolist(),
                        np.isnan(column).tolist())


def report(kolmo, check):
    """The report against a table made of the run itself, in a frame that the walls move through, within what
    is allowed and beyond; text; files that lack."""
    frame = {"y_low_velocity": (0.0, 0.0, -0.4), "y_high_velocity": (0.0, 0.0, -0.4)}
    result = kolmo.run(channel("y", "z", {"run": {"steps_max": 10}, "boundary": frame}))
    page, table = Page(result), os.path.join(result.folder, "table.csv")
    half = page["W_plus"].size // 2

    def write(factor):
        fold = {n: 0.5 * (page[v] + s * page[v][::-1])
                for n, v, s in (("U_plus", "W_plus", 1), ("uu", "ww_plus", 1), ("k", "k_plus", 1))}
        fold["U_plus"] += 0.4 / float(page["u_tau"])
        with open(table, "w", encoding="utf-8") as file:
            file.write("# the run itself\ny_plus," + ",".join(fold) + "\n")
            for k in range(half):
                file.write(",".join(repr(float(v))
                                    for v in [page["wall_distance_plus"][k]]
                                    + [factor * f[k] for f in fold.values()]) + "\n")

    def call(*words):
        tool = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc", "plot",
                            "channel_report.py")
        return subprocess.run([sys.executable, tool, "--allow", "total stress=1e9", *words],
                              capture_output=True, text=True, check=False)
    write(1.0)
    good = call("--no-figure", "--reference", table, "--lee-moser", result.folder, result.folder)
    check.equal("exit code, same numbers", good.returncode, 0)
    check.says("verdicts", good.stdout, "mean velocity", "turbulent energy", "pass")
    text = {os.path.basename(n)[16:-4]: np.loadtxt(n, comments="%")
            for n in glob.glob(os.path.join(result.folder, "LM_Channel_*.dat"))}
    back(check, page, text, half)
    write(1.2)
    bad = call("--figure", os.path.join(result.folder, "figure.png"), "--reference", table, result.folder)
    check.equal("exit code, a fifth too low", bad.returncode, 1)
    check.says("verdict", bad.stdout, "FAIL")
    check.holds("the figure", os.path.getsize(os.path.join(result.folder, "figure.png")) > 10000)
    for name, words in (("a folder", (os.path.join(result.folder, "none"),)),
                        ("a table", ("--reference", "none.csv", result.folder)),
                        ("a name", ("--allow", "V=1", result.folder))):
        check.equal(f"exit code without {name}", call("--no-figure", *words).returncode, 2)


def raw_budgets(page, d):
    """Of the raw second moment of component d, at its places, and what its mean velocity, with the momentum
    equation, has of it; walls or open faces in x. Missing at open faces."""
    nu, q = float(page["nu"]), PART[d]
    mean, square, beyond = page.raw(q.upper()), page.raw(q + q), [np.nan]
    if d == 0:  # at faces
        widths, inner = page.e[1:-1], slice(1, -1)
        middle = 0.5 * (square[1:] + square[:-1]) - 0.25 * page.c ** 2 * page.raw("gradient_u")
        raw = (
            -np.diff(page.raw("flux_uu"))
            + nu * np.diff(np.diff(square) / page.c)
            - 2 * np.diff(page.raw("pu"))
            - 0.5 * 2 * (np.convolve(page.c * (page.raw("p_dv") + page.raw("p_dw")), (1, 1))[1:-1])
            - nu * np.convolve(page.c * page.raw("gradient_u"), (1, 1))[1:-1]
        ) / widths - 2 * nu * page.raw("shear_u")[inner]
        return raw, 2 * mean[inner] * (-np.diff(middle) - np.diff(page.raw("P"))) / widths
    variance = np.concatenate((beyond, np.diff(square) / page.f[1:-1], beyond))
    slope = np.concatenate((beyond, np.diff(mean) / page.f[1:-1], beyond))
    shear = page.raw("shear_" + q) * page.f
    raw = ((-np.diff(page.raw(f"flux_{q}{q}")) + nu * np.diff(variance) - nu * (shear[1:] + shear[:-1]))
           / page.c - 2 * nu * page.raw("gradient_" + q) + 2 * page.raw("p_d" + q))
    return raw, 2 * mean * np.diff(nu * slope - page.raw(q + "u")) / page.c


def open_planes(kolmo, check):
    """Two periodic directions between open faces: turbulence carried through the planes. Raw and central
    budgets differ by what the mean flow has of them, across the planes too; what is beyond an open face is
    missing, and there are no wall units without a wall, between free-slip faces either."""
    none = {"type": None, "value": None, "direction": None}
    case = channel(
        "x",
        "z",
        {
            "run": {"steps_max": 30},
            "forcing": none,
            "initial": {"type": "uniform", "velocity": (1.0, 0.3, 0.0)},
            "fluid": {"nu": 0.02},
            "boundary": {
                "x_low": "inflow",
                "x_low_velocity": (1.0, 0.3, 0.0),
                "x_high": "outflow",
                "x_low_turbulence": (0.2, 0.1, 0.15),
                "turbulence_length": 0.4,
                "turbulence_modes": 50,
            },
        },
    )
    result = kolmo.run(case)
    page, series = Page(result, normal="normal_direction"), {k: v[1:].mean()
                                                             for k, v in result.series().items()}
    check.equal("through: directions", (page.normal, page.texts["streamwise_direction"]), ("x", "x"))
    near(check, "through: kinetic energy", 0.5 * sum(page.over_height(q + q) for q in PART),
         series["kinetic_energy"])
    near(check, "through: bulk velocity", float(page["u_b"]), series["momentum_x"], 1e-12)
    for d, q in enumerate(PART):
        raw, mean = raw_budgets(page, d)
        residual, size = page[f"{q}{q}_budget_residual"], np.nanmax(abs(page[f"{q}{q}_dissipation"]))
        check.equal(f"through: {q}{q} is missing at the faces", np.flatnonzero(np.isnan(residual)).tolist(),
                    [0, residual.size - 1])
        check.below(
            f"through: {q}{q}, fluctuations and mean make up the raw budget",
            abs(raw - mean - (residual[1:-1] if d == 0 else residual))[
                slice(None) if d == 0 else slice(1, -1)
            ].max()
            / size,
            1e-10,
        )
    check.equal(
        "through: missing",
        [
            int(np.isnan(page[n]).sum())
            for n in ("dVdx", "uv", "omega_y_rms", "k_dissipation", "uu", "k", "u_skewness")
        ],
        [2, 2, 2, 2, 0, 0, 0],
    )
    check.equal("through: no wall units",
                [n
                 for n in page.data if n.endswith("_plus") or n.startswith(("wall_", "stress_"))
                 or n in ("u_tau", "delta")], [])
    check.equal("through: no budgets of shear stresses",
                [n for n in page.data if n.startswith(("uv_", "uw_", "vw_")) and not n.endswith("_error")],
                [])
    check.says("budgets of shear stresses asked for",
               kolmo.run(kc.merge(case, {"statistics": {"stress_budgets": True}}), rc=2).text,
               "statistics.stress_budgets has no effect", "no others")
    slip = Page(kolmo.run(channel("z", "x",
                                  {"boundary": {"z_low": "slip", "z_high": "slip"},
                                   "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)}})),
                normal="normal_direction")
    check.equal("free slip: no wall units",
                [n for n in slip.data if n.endswith("_plus") or n in ("u_tau", "delta")], [])
    check.equal(
        "a number that is not there",
        kolmo.run(
            channel(
                "z",
                "x",
                {
                    "boundary": {"z_low": "slip", "z_high": "slip"},
                    "initial": {"type": "rest"},
                    "statistics": {"stop_when": "u_tau"},
                },
            ),
            rc=2,
        ).text.count("without a no-slip wall"),
        1,
    )


def layouts(kolmo, check):
    """Every variable, errors too, has the same bits on any ranks."""
    for normal, stream in (("z", "x"), ("y", "x")):
        case = channel(normal, stream, {"run": {"steps_max": 4}, "pressure": {"tolerance": 1e-6}})
        one = Page(kolmo.run(case))
        for ranks in ((1, 1, 2), (2, 1, 1)) if normal == "z" else ((1, 2, 1),):
            other = Page(kolmo.run(kc.merge(case, {"grid": {"ranks": ranks}}), ranks=int(np.prod(ranks))))
            check.same(f"walls in {normal}, {ranks}", one.same(other))


def restart(kolmo, check):
    """Stopped between samples and in the middle of a batch, on other ranks after it; from a checkpoint before
    the end of the file; a later start drops what is older."""
    case = channel("z", "x",
                   {"run": {"steps_max": 80}, "pressure": {"tolerance": 1e-5},
                    "statistics": {"start": 0.1, "interval": 1, "write_interval": 7},
                    "checkpoint": {"interval": 73, "keep": 4}})
    whole = kolmo.run(case)
    folder = kolmo.place()
    kolmo.run(kc.merge(case, {"run": {"steps_max": 73}, "checkpoint": {"background": True}}), folder=folder)
    second = kolmo.run(kc.merge(case, {"grid": {"ranks": (1, 2, 1)}}), "--restart", "latest", ranks=2,
                       folder=folder)
    check.same("73 steps, then the rest on two ranks", Page(whole).same(Page(second)))
    check.same("series and state", kc.differences(whole, second))
    check.equal("batches joined once", int(Page(whole)["batch_length"]), 2)
    again = kolmo.run(case, "--restart", kc.checkpoint_path(folder, 73), folder=folder)
    check.same("from the earlier checkpoint, over a longer file", Page(whole).same(Page(again)))
    later = kolmo.run(kc.merge(case, {"statistics": {"start": 1.5}}), "--restart",
                      kc.checkpoint_path(folder, 73), folder=kolmo.place())
    check.equal("samples after a later start", Page(later).n, 80 - 74)
    check.says("told in the log", later.out, "are dropped: statistics.start is 1.5")


def quadrants(kolmo, check):
    """Quadrants of one sample against the fields of its checkpoint, with two holes; walls in z and in y. The
    same bits on any ranks and after a restart, anew where the holes are others."""
    add = {"statistics": {"quadrants": True, "quadrant_holes": (1.0, 3.0)}}
    for normal, stream in (("z", "x"), ("z", "y"), ("y", "z")):
        result = kolmo.run(channel(normal, stream, add,
                                   {"run": {"steps_max": 4}, "statistics": {"start": 0.07}}))
        page, velocity = Page(result), result.checkpoint(4).velocity
        n, s = 2 - AXIS.index(normal), 2 - AXIS.index(stream)  # axes of the arrays
        u, w = np.moveaxis(velocity[AXIS.index(stream)], n, 0), np.moveaxis(
            velocity[AXIS.index(normal)], n, 0
        )
        along = s if s > n else s + 1
        u = 0.5 * (u[1:] + u[:-1])
        w = 0.5 * (w + np.roll(w, 1, along))[1:]
        prime = u - u.mean(axis=(1, 2), keepdims=True)
        product = prime * w
        stress = product.mean(axis=(1, 2))
        worst = 0
        for number, hole in enumerate((0.0, 1.0, 3.0)):
            end = f"_hole_{number}" if number else ""
            for q, where in enumerate((((prime > 0) & (w > 0)), ((prime < 0) & (w > 0)),
                                       ((prime < 0) & (w < 0)),
                                       ((prime > 0) & (w < 0)))):
                counted = where & (abs(product) > hole * abs(stress)[:, None, None])
                worst = max(worst,
                            abs(page[f"quadrant_{q + 1}_share{end}"][1:-1]
                                - (product * counted).mean(axis=(1, 2)) / stress).max(),
                            abs(page[f"quadrant_{q + 1}_fraction{end}"][1:-1]
                                - counted.mean(axis=(1, 2))).max())
        check.equal(f"walls in {normal}, stream along {stream}: samples", page.n, 1)
        check.below("    shares of stress and time", worst, 1e-9)
        check.below("    shares of stress, less 1",
                    abs(sum(page[f"quadrant_{q}_share"][1:-1] for q in (1, 2, 3, 4)) - 1).max(), 1e-12)
        check.equal("    holes", [float(page["quadrant_hole_1"]), float(page["quadrant_hole_2"]),
                                  "quadrant_1_share_hole_3" in page.data], [1.0, 3.0, False])
        check.holds("    none on walls",
                    bool(np.isnan(page["quadrant_1_share"][[0, -1]]).all())
                    and not page["quadrant_1_fraction"][[0, -1]].any())
    case = channel("z", "x", add, {"run": {"steps_max": 9}, "pressure": {"tolerance": 1e-6}})
    one = Page(kolmo.run(case))
    folder = kolmo.place()
    kolmo.run(kc.merge(case, {"run": {"steps_max": 6}, "grid": {"ranks": (2, 1, 2)}}), ranks=4, folder=folder)
    check.same("6 steps on four ranks, the rest on one",
               one.same(Page(kolmo.run(case, "--restart", "latest", folder=folder))))
    other = kolmo.run(kc.merge(case,
                               {"run": {"steps_max": 11}, "statistics": {"quadrant_holes": (1.0, 2.0)}}),
                      "--restart", "latest", folder=folder)
    check.says("other holes, told in the log", other.out, "statistics of the checkpoint are dropped")
    check.equal("samples", Page(other).n, 2)
    for add, parts in (({"statistics": {"quadrants": False}},
                        ("statistics.quadrant_holes", "no effect", "quadrants = .true.")),
                       ({"statistics": {"quadrant_holes": (-1.0,)}}, ("statistics.quadrant_holes",))):
        check.says(str(add), kolmo.run(kc.merge(case, add), rc=2).text, *parts)


SPECTRA = {"statistics": {"start": 0.0, "interval": 1, "spectra_interval": 1,
                          "spectra_heights": (0.11, 0.6, 1.3)}}


def spectra(kolmo, check):
    """Spectra at heights: their sums over the waves are the variances and covariances of statistics.nc in
    those planes, correlations begin with them; walls in each direction. The same bits on any ranks and after
    a restart; where the heights are others they alone begin anew."""
    for normal, stream in (("z", "x"), ("y", "z"), ("x", "y")):
        result = kolmo.run(channel(normal, stream, SPECTRA, {"run": {"steps_max": 9}}))
        page, lines = Page(result), Page(result, "spectra.nc")
        a, b = (d for d in AXIS if d != normal)
        pa, pb, pn = (PART[AXIS.index(d)] for d in (a, b, normal))
        centre, face = (np.array([np.argmin(abs(where - z)) for z in lines[at]])
                        for where, at in ((0.5 * (page.face[1:] + page.face[:-1]), normal),
                                         (page.face, normal + "_face")))
        check.equal(f"walls in {normal}: the nearest planes",
                    list(centre),
                    [int(np.argmin(abs(0.5 * (page.face[1:] + page.face[:-1]) - z)))
                     for z in (0.11, 0.6, 1.3)])
        worst = 0
        for first, second, levels in ((pa, pa, centre), (pb, pb, centre), ("p", "p", centre), (pn, pn, face),
                                      (pa, pn, face), (pb, pn, face)):
            name = "".join(sorted(first + second))
            wanted = page[name][levels]
            for d in (a, b):
                sums = lines[f"E_{name}_{d}"].sum(axis=1) * lines["k" + d][1]
                worst = max(worst, abs(sums - wanted).max() / abs(page[name]).max())
                plus = (lines[f"E_{name}_{d}_plus"] * float(lines["nu"])
                        * float(lines["u_tau"]) ** (3 if name == "pp" else 1))
                worst = max(worst,
                            abs(plus - lines[f"E_{name}_{d}"]).max() / abs(lines[f"E_{name}_{d}"]).max())
                if first == second:
                    worst = max(worst, abs(lines[f"R_{name}_{d}"][:, 0] - sums).max() / abs(page[name]).max())
        check.below(f"walls in {normal}: sums over the waves", worst, 1e-11)
        check.near("    u_tau", float(lines["u_tau"]), float(page["u_tau"]), 0)
        check.equal("    samples", lines.n, 9)
        check.holds("    errors", bool(np.isfinite(lines[f"E_{pa}{pa}_{a}_error"]).all()))
    case = channel("z", "x", SPECTRA, {"run": {"steps_max": 10}, "pressure": {"tolerance": 1e-6}})
    whole = kolmo.run(case)
    one = Page(whole, "spectra.nc")
    check.same("four ranks", one.same(Page(kolmo.run(kc.merge(case, {"grid": {"ranks": (1, 2, 2)}}), ranks=4),
                                           "spectra.nc")))
    folder = kolmo.place()
    kolmo.run(kc.merge(case, {"run": {"steps_max": 7}}), folder=folder)
    again = kolmo.run(kc.merge(case, {"grid": {"ranks": (2, 1, 1)}}), "--restart", "latest", ranks=2,
                      folder=folder)
    check.same("7 steps, then the rest on two ranks", one.same(Page(again, "spectra.nc")))
    other = kolmo.run(
        kc.merge(case, {"run": {"steps_max": 12}, "statistics": {"spectra_heights": (0.11, 0.6, 1.4)}}),
        "--restart",
        "latest",
        folder=folder,
    )
    check.says("other heights, told in the log", other.out, "spectra of the checkpoint are dropped")
    check.equal("samples of other heights, and of the profiles", (Page(other, "spectra.nc").n, Page(other).n),
                (2, 12))
    more = kc.merge(case,
                    {"run": {"steps_max": 13}, "statistics": {"spectra_heights": (0.11, 0.6, 1.3, 1.7)}})
    other = kolmo.run(more, "--restart", "latest", ranks=2, folder=folder)
    check.says("one height more, told in the log", other.out,
               "statistics continue after 12 samples; spectra of the checkpoint are dropped")
    check.equal("samples of spectra, and of the profiles", (Page(other, "spectra.nc").n, Page(other).n),
                (1, 13))
    kept = kc.file_bytes(os.path.join(folder, "spectra.nc"))
    kolmo.run(kc.merge(more, {"statistics": {"quadrants": True}}), "--restart", "latest", folder=folder)
    check.holds("at the end, without profiles, the file with wall units stays",
                kept == kc.file_bytes(os.path.join(folder, "spectra.nc")))
    other = kolmo.run(kc.merge(more, {"run": {"steps_max": 14}, "statistics": {"quadrants": True}}),
                      "--restart", "latest", folder=folder)
    check.equal("with quadrants the spectra go on, the profiles begin anew",
                (Page(other, "spectra.nc").n, Page(other).n), (2, 1))
    check.holds(
        "no heights, no file",
        not os.path.exists(
            os.path.join(kolmo.run(channel("z", "x", {"run": {"steps_max": 1}})).folder, "spectra.nc")
        ),
    )
    stretched = {"grid": {"stretching": ("sine", "uniform", "tanh"), "stretching_factor": (0.3, 0.0, 1.2)}}
    for add, parts in ((stretched, ("statistics.spectra_heights", "along x", "'sine'", "'uniform'")),
                       ({"statistics": {"spectra_heights": (0.6, 0.11)}},
                        ("spectra_heights(2)", "from the lower wall up")),
                       ({"statistics": {"spectra_heights": (0.6, 2.5)}},
                        ("spectra_heights(2)", "beyond the upper wall")),
                       ({"statistics": {"spectra_heights": (0.6, 0.601)}},
                        ("spectra_heights(2)", "the same plane")),
                       ({"statistics": {"spectra_interval": 0}},
                        ("spectra_heights", "no effect", "spectra_interval > 0")),
                       ({"boundary": {"z_low": None, "z_high": None},
                         "initial": {"type": "uniform", "velocity": (1, 0, 0)},
                         "forcing": {"type": None, "value": None, "direction": None},
                         "grid": {"stretching": None, "stretching_factor": None}},
                        ("spectra_heights", "no effect", "boundary"))):
        check.says(str(add), kolmo.run(kc.merge(case, add), rc=2).text, *parts)


def files(kolmo, check):
    """Written whole at intervals, moved with an old run's files, opened by NetCDF."""
    case = channel("z", "x", {"run": {"steps_max": 8}, "statistics": {"write_interval": 5}})
    folder = kolmo.place()
    kolmo.run(case, folder=folder)
    page = Page(kolmo.run(case, folder=folder))
    check.holds("the earlier run's file was moved",
                len(glob.glob(os.path.join(folder, "previous-1", "statistics.nc"))) == 1)
    check.holds("no temporary file is left", not glob.glob(os.path.join(folder, "*.tmp")))
    check.holds("provenance", all(page.texts.get(n) for n in ("input", "version", "Conventions", "scaling")),
                sorted(page.texts))
    check.holds("errors need batches", bool(np.isfinite(page["U_error"]).all()) and page.n == 8)
    try:
        import netCDF4
        with netCDF4.Dataset(os.path.join(folder, "statistics.nc")) as file:
            lacking = [n
                       for n, v in file.variables.items()
                       if not n.endswith("_bounds") and not (v.units and v.long_name)]
            check.equal("variables without words", lacking, [])
            check.equal("cell methods", file["U"].cell_methods, "x: y: mean time: mean")
    except ImportError:
        check.skip("netCDF4", "not installed")
    shutil.rmtree(folder, ignore_errors=True)
    check.says("no start", kolmo.run(kc.merge(channel(), {"statistics": {"start": None}}), rc=2).text,
               "statistics.interval", "no effect", "statistics.start")


def overflow(kolmo, check):
    """Velocities whose fourth powers overflow: the run ends with a numerical fault, on any ranks, and no
    average holds what is not finite."""
    case = channel("z", "x",
                   {"run": {"steps_max": 4, "t_end": None}, "time": {"dt": None}, "fluid": {"nu": 4e75},
                    "initial": {"type": "channel", "disturbance": 0.0},
                    "forcing": {"type": "bulk-velocity", "value": 4e77}, "statistics": {"interval": 2}})
    for ranks in (1, 2):
        result = kolmo.run(case, rc=3, ranks=ranks)
        check.says(f"{ranks} ranks", result.err, "the mean of u^4 is inf", "in step 2")
        check.equal("    statistics.nc", os.path.exists(os.path.join(result.folder, "statistics.nc")), False)


if __name__ == "__main__":
    kc.main(__doc__,
            [integrals, budgets, shear_budgets, remainder, poiseuille, report, open_planes, layouts, restart,
             spectra, quadrants, files,
             overflow])

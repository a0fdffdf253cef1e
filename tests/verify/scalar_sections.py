#!/usr/bin/env python3
"""Scalars over the cross-section of ducts, in statistics.nc, against numpy, which averages stored flows along
the homogeneous direction; layouts, restarts, stored flows, merged files, Nusselt number of a laminar duct;
densities of scalars over the volume of ducts and of boxes of stretched spacings, in pdf.nc.

Would catch: a term at the wrong place of the section, a missing width along the homogeneous direction,
a face from the wrong side, a scalar under another's name, a place lost or doubled where the section is cut
among ranks, a flux of the wrong sign, a sample doubled or lost at a restart."""
import os
import re
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402

AXIS, PART = "xyz", "uvw"
NAMES = ("heat", "salt")
kc.LOCATION.update({"heat": "ccc", "salt": "ccc"})
STEPS = 4
LAW, FACTOR = {"walls": "tanh", "along": "sine"}, {"walls": 0.9, "along": 0.3}


def read(folder, name="statistics.nc"):
    """All variables of a file."""
    found = {}
    with h5py.File(os.path.join(folder, name), "r") as file:
        file.visititems(lambda k, v: found.update({k: v[...]}) if isinstance(v, h5py.Dataset) else None)
    return found


def differing(one, other):
    """Names of variables that differ, bit for bit, in both files."""
    return [where for name in ("statistics.nc", "pdf.nc")
            for where in kc.differing_arrays(read(one, name), read(other, name))]


def in_parts(kolmo, check, case, whole):
    """The averages of a whole run are those of a restarted one and of its stored flows, bit for bit. Returns
    the folder of what kolmo-merge makes of two halves."""
    first = kolmo.run(kc.merge(case, {"run": {"steps_max": 2}}))
    rest = kolmo.run(case, "--restart", kc.checkpoint_path(first.folder, 2), ranks=2)
    check.same("restarted on two ranks", differing(whole.folder, rest.folder))
    again, merged = kolmo.place("again"), kolmo.place("merged")
    kolmo.other("kolmo-stats").call(whole.folder, "--out", again)
    check.same("kolmo-stats", differing(whole.folder, again))
    later = kolmo.run(kc.merge(case, {"statistics": {"start": 0.02 + 1e-6}}), "--restart",
                      kc.checkpoint_path(first.folder, 2))
    kolmo.other("kolmo-merge").call("--out", merged, first.folder, later.folder)
    return merged


def check_density(check, found, name, fields, volume):
    """A density over the volume, of values over their root mean square in each field."""
    edges, share = np.linspace(-32, 32, 321), volume / volume.sum()
    counts = 0.0
    for f in fields:
        apart = f - (share * f).sum()
        apart = apart / np.sqrt((share * apart**2).sum())
        counts = counts + np.histogram(apart, edges, weights=share)[0] / len(fields)
    # rounding may move a value over an edge
    check.below(f"pdf_{name}", float(abs(found["pdf_" + name] / 5 - counts).sum()), 1e-10)
    whole = float(found["pdf_" + name].sum() / 5 + found["outside_" + name])
    check.below("    and beyond", abs(whole - 1), 1e-12)


def duct(along, *more):
    """A duct along an axis, stretched in all directions: one scalar with values on its walls, one with fluxes
    that its source balances."""
    s = AXIS.index(along)
    a, b = (d for d in range(3) if d != s)
    kind = ["along" if d == s else "walls" for d in range(3)]
    faces = [f"{AXIS[d]}_{side}" for d in (a, b) for side in ("low", "high")]
    length = (1.3, 1.1, 1.2)
    source = -(0.03 - 0.01) / length[a] - (0.02 + 0.01) / length[b]
    return kc.merge({
        "run": {"steps_max": STEPS, "seed": 3},
        "grid": {"n": (10, 8, 9), "length": length, "stretching": tuple(LAW[k] for k in kind),
                 "stretching_factor": tuple(FACTOR[k] for k in kind)},
        "fluid": {"nu": 0.02}, "time": {"dt": 0.01}, "pressure": {"tolerance": 1e-11},
        "boundary": {f: "wall" for f in faces},
        "initial": {"type": "channel", "disturbance": 0.4},
        "forcing": {"type": "bulk-velocity", "value": 0.8, "direction": along},
        "scalars": {"name": NAMES, "prandtl": (0.7, 2.0), "unit": ("K", "1"), "disturbance": (0.4, 0.3),
                    "source": (0.0, source), **{f: ("value", "flux") for f in faces},
                    **{f + "_value": v for f, v in zip(faces, ((0.5, 0.03), (-0.5, -0.01), (0.2, 0.02),
                                                               (0.0, 0.01)))}},
        "statistics": {"start": 0.0, "interval": 1}, "checkpoint": {"interval": 1, "keep": 20},
        "output": {"log_interval": 1000}}, *more)


def low(q, axis):
    """Half-half mean with the cell below, on inner faces."""
    n = q.shape[axis]
    return 0.5 * (np.take(q, range(1, n), axis) + np.take(q, range(n - 1), axis))


def against_numpy(kolmo, check):
    """Means, moments, fluxes and numbers."""
    for along in AXIS if kolmo.options.long else "xz":
        case = duct(along)
        run = kolmo.run(case)
        found = read(run.folder)
        s = AXIS.index(along)
        a, b = (d for d in range(3) if d != s)
        order = [2 - s, 2 - b, 2 - a]  # [s, b, a], as variables are over b and a
        flows = [run.checkpoint(n + 1) for n in range(STEPS)]
        width = [np.asarray(flows[0].width[d]) for d in range(3)]
        mean = lambda q: np.mean(np.einsum("tsba,s->tba", q, width[s]) / width[s].sum(), axis=0)  # noqa: E731
        take = lambda k: np.array([np.transpose(f.fields[k], order) for f in flows])  # noqa: E731
        u = [take(p) for p in PART]
        middle = 0.5 * (u[s] + np.roll(u[s], -1, 1))
        area = np.outer(width[b], width[a])
        over = lambda q: float((area * q).sum() / area.sum())  # noqa: E731
        for n, name in enumerate(NAMES):
            t = take(name)
            kappa = 0.02 / case["scalars"]["prandtl"][n]
            level = mean(t)
            prime = t - level
            variance = mean(prime**2)
            wanted = {"": level, "_variance": variance, "_rms": variance**0.5,
                      "_skewness": mean(prime**3) / variance**1.5, "_flatness": mean(prime**4) / variance**2,
                      f"_{PART[s]}": mean(prime * (middle - mean(middle)))}
            on_a, on_b = low(t, 3), low(t, 2)
            va, vb = u[a][..., 1:], u[b][..., 1:, :]
            inner = {f"_{PART[a]}": mean(on_a * va) - mean(on_a) * mean(va),
                     f"_{PART[b]}": mean(on_b * vb) - mean(on_b) * mean(vb)}
            for end, value in wanted.items():
                check.below(f"{name}{end}, along {along}", float(abs(found[name + end] - value).max()
                                                                 / abs(value).max()), 1e-9)
            check.below(f"{name}{list(inner)[0]}", float(abs(found[name + f"_{PART[a]}"][:, 1:-1]
                                                             - inner[f"_{PART[a]}"]).max()), 1e-13)
            check.below(f"{name}{list(inner)[1]}", float(abs(found[name + f"_{PART[b]}"][1:-1]
                                                             - inner[f"_{PART[b]}"]).max()), 1e-13)
            check.near(f"{name}: volume mean", float(found[name + "_volume_mean"]), over(level), 1e-14)
            check.near("    variance", float(found[name + "_volume_variance"]),
                       over(mean(t**2)) - over(level)**2, 1e-13)
            bulk = over(mean(t * middle)) / over(mean(middle))
            check.near("    mixed mean", float(found[name + "_bulk"]), bulk, 1e-12)
            flux = value = length = 0.0
            for d, e in ((a, b), (b, a)):
                for side, k in (("low", 0), ("high", -1)):
                    line = level[:, k] if d == a else level[k]
                    given = case["scalars"][f"{AXIS[d]}_{side}_value"][n]
                    into = kappa * 2 * (given - line) / width[d][k] if n == 0 else given + 0 * line
                    on_wall = given + 0 * line if n == 0 else line + given * width[d][k] / kappa / 2
                    here = float((width[e] * into).sum())
                    check.near(f"    flux in through {AXIS[d]}_{side}",
                               float(found[f"{name}_flux_in_{AXIS[d]}_{side}"]), here / width[e].sum(), 1e-13)
                    flux, value = flux + here, value + float((width[e] * on_wall).sum())
                    length += width[e].sum()
            drop = value / length - bulk
            nusselt = flux / length * 4 * area.sum() / length / (kappa * drop)
            check.near("    Nusselt number", float(found[name + "_nusselt"] / nusselt), 1, 1e-10)
            volume = width[s][:, None, None] * area
            check_density(check, read(run.folder, "pdf.nc"), name, t, volume)


def densities_of_box(kolmo, check):
    """In a box of stretched spacings: against numpy, any ranks, restarted, from stored flows and from merged
    halves; a checkpoint without scalars."""
    case = {
        "run": {"steps_max": 4}, "grid": {"n": (10, 8, 9), "length": (1.3, 1.1, 1.2),
                                          "stretching": ("sine", "sine", "uniform"),
                                          "stretching_factor": (0.4, 0.6, 0.0)},
        "fluid": {"nu": 0.02}, "time": {"dt": 0.01}, "pressure": {"tolerance": 1e-11},
        "initial": {"type": "isotropic", "k_peak": 2, "velocity": (0.3, -0.2, 0.1)},
        "scalars": {"name": NAMES, "prandtl": (0.7, 2.0), "disturbance": (0.4, 0.0), "source": (0.0, 1.0)},
        "statistics": {"start": 0.0, "interval": 1}, "checkpoint": {"interval": 1, "keep": 20}}
    run = kolmo.run(case)
    flows = [run.checkpoint(n + 1) for n in range(4)]
    width = [np.asarray(flows[0].width[d]) for d in range(3)]
    volume = np.einsum("k,j,i->kji", width[2], width[1], width[0])
    found = read(run.folder, "pdf.nc")
    check_density(check, found, "heat", [f.fields["heat"] for f in flows], volume)
    check.near("a constant scalar is in the bin above 0", float(found["pdf_salt"][160]), 5, 1e-12)
    other = kolmo.run(kc.merge(case, {"grid": {"ranks": (1, 2, 2)}}), ranks=4)
    check.same("four ranks", differing(run.folder, other.folder))
    out = in_parts(kolmo, check, case, run)
    check.below("merged", float(abs(read(out, "pdf.nc")["pdf_heat"] - found["pdf_heat"]).max()), 1e-12)
    plain = kolmo.run(kc.merge({k: v for k, v in case.items() if k != "scalars"}, {"run": {"steps_max": 2}}))
    check.holds("none without scalars", not os.path.exists(os.path.join(plain.folder, "pdf.nc")))
    taken = kolmo.run(case, "--restart", kc.checkpoint_path(plain.folder, 2))
    check.says("scalars that the checkpoint lacks", taken.text, "the scalars have changed")
    check.equal("    samples", int(read(taken.folder, "pdf.nc")["n_samples"]), 2)


def repeats(kolmo, check):
    """The same bits on any ranks; scalars that a checkpoint lacks."""
    for along, ranks in (("x", (2, 1, 2)), ("y", (1, 2, 1)), ("z", (1, 2, 2))):
        whole = kolmo.run(duct(along))
        other = kolmo.run(duct(along, {"grid": {"ranks": ranks}}), ranks=int(np.prod(ranks)))
        check.same(f"along {along}, {ranks} ranks", differing(whole.folder, other.folder))
    light = kc.merge(duct("x"), {"checkpoint": {"interval": None, "keep": None, "at_end": True}})
    plain = {k: v for k, v in light.items() if k != "scalars"}
    before = kolmo.run(kc.merge(plain, {"run": {"steps_max": 2}}))
    taken = kolmo.run(light, "--restart", kc.checkpoint_path(before.folder, 2))
    check.says("scalars that a checkpoint lacks", taken.text,
               "statistics of the checkpoint are dropped: the scalars have changed")
    check.equal("    samples", int(read(taken.folder)["n_samples"]), 2)


def budget_case(along, *more):
    """A duct as above in which gravity has no special direction, and the second scalar a mean gradient, which
    the source balances."""
    s, plain = AXIS.index(along), duct(along)
    gradient = [0.0] * 6
    gradient[3 + s] = 0.7
    source = plain["scalars"]["source"][1] + 0.7 * plain["forcing"]["value"]
    return duct(along, {"scalars": {"mean_gradient": tuple(gradient), "source": (0.0, source)},
                        "buoyancy": {"gravity": (0.5, -0.3, -1.0), "expansion": (0.8, -0.5)},
                        "statistics": {"scalar_budgets": True}}, *more)


class Section:
    """A stored flow in a duct as arrays [s, b, a], and its rates. Along its own direction a component has all
    faces, also the last one; rates on walls are 0."""

    def __init__(self, flow, along, case):
        s = AXIS.index(along)
        a, b = (d for d in range(3) if d != s)
        self.axes = (s, b, a)
        take = {k: np.transpose(np.asarray(v, dtype=float), [2 - d for d in self.axes])
                for k, v in flow.fields.items()}
        self.c = [np.asarray(flow.width[d]) for d in self.axes]
        self.f = []
        for n, c in enumerate(self.c):
            inner = 0.5 * (c[1:] + c[:-1])
            ends = [0.5 * (c[0] + c[-1])] * 2 if n == 0 else [c[0], c[-1]]
            self.f.append(np.concatenate((ends[:1], inner, ends[1:])))
        self.u = [np.concatenate((q, q[:1] if n == 0 else 0 * np.take(q, [0], n)), axis=n)
                  for n, q in enumerate(take[PART[d]] for d in self.axes)]
        self.p, self.nu, x = take["p"], case["fluid"]["nu"], case["scalars"]
        self.t, self.kappa, self.ghost, self.lift, self.gradient = {}, {}, {}, {}, {}
        for i, name in enumerate(NAMES):
            self.t[name], self.kappa[name] = take[name], self.nu / x["prandtl"][i]
            self.lift[name] = [-case["buoyancy"]["expansion"][i] * case["buoyancy"]["gravity"][d]
                               for d in self.axes]
            self.gradient[name] = [x["mean_gradient"][3 * i + d] for d in self.axes]
            self.ghost[name] = {}
            for n in (1, 2):
                for side, end in (("low", 0), ("high", -1)):
                    face = f"{AXIS[self.axes[n]]}_{side}"
                    value = x[face + "_value"][i]
                    self.ghost[name][n, end] = (-1, 2 * value) if i == 0 else (
                        1, value * self.f[n][end] / self.kappa[name])

    def row(self, values, n):
        return values.reshape([-1 if m == n else 1 for m in range(3)])

    def mean(self, q):
        return np.einsum("sba,s->ba", q, self.c[0]) / self.c[0].sum()

    def prime(self, q):
        return q - self.mean(q)

    def wide(self, q, n, rule):
        """Values at centres along axis n with one more on each side."""
        ends = [np.take(q, [i], n) for i in (0, -1)]
        if n == 0:
            return np.concatenate((ends[1], q, ends[0]), axis=n)
        ends = [rule(n, i)[0] * e + rule(n, i)[1] for i, e in zip((0, -1), ends)]
        return np.concatenate((ends[0], q, ends[1]), axis=n)

    @staticmethod
    def step(q, n):
        return np.diff(q, axis=n)

    @staticmethod
    def half(q, n):
        """Half-half mean of neighbours."""
        m = q.shape[n]
        return 0.5 * (np.take(q, range(1, m), n) + np.take(q, range(m - 1), n))

    def out(self, flux, n):
        """Minus the divergence of a flux through faces."""
        return -self.step(flux, n) / self.row(self.c[n], n)

    def slope(self, q, n, rule):
        return self.step(self.wide(q, n, rule), n) / self.row(self.f[n], n)

    def rule(self, name, mean=True):
        """Of a scalar beyond the sides; of its fluctuation."""
        return lambda n, end: (self.ghost[name][n, end][0], mean * self.ghost[name][n, end][1])

    @staticmethod
    def still(n, end):
        """Of a velocity along a wall."""
        return -1, 0

    def on_faces(self, q, n):
        """Rates on inner faces of axis n with those on the others: 0 on walls."""
        if n > 0:
            zero = 0 * np.take(q, [0], n)
            return np.concatenate((zero, q, zero), axis=n)
        return q

    def at_faces(self, at_centres, n):
        """Differences of values at centres over the distances, on the faces of axis n."""
        if n == 0:
            return self.step(self.wide(at_centres, 0, None), 0) / self.row(self.f[0], 0)
        return self.on_faces(self.step(at_centres, n) / self.row(self.f[n][1:-1], n), n)

    def coriolis(self, n, omega):
        """-2 omega x u along n, on its faces; omega along x, y, z."""
        total = 0
        for m in range(3):
            axis = np.cross(np.eye(3)[self.axes[n]], np.eye(3)[self.axes[m]])
            cell = self.row(self.c[n], n) * self.half(self.u[m], m)
            if n == 0:
                cell = np.concatenate((cell[-1:], cell, cell[:1]))
            there = self.half(cell, n) / self.row(self.f[n] if n == 0 else self.f[n][1:-1], n)
            total = total + 2 * float(axis @ np.asarray(omega)) * self.on_faces(there, n)
        return total

    def velocity_rates(self, n):
        """Convection and diffusion of component n at its faces."""
        u, f, c = self.u[n], self.f[n], self.c[n]
        cell = self.half(u, n)
        convection = -self.at_faces(cell**2, n)
        diffusion = self.at_faces(self.step(u, n) / self.row(c, n), n)
        for e in range(3):
            if e == n:
                continue
            carrier = self.row(c, n) * self.u[e]
            around = self.half(np.concatenate((np.take(carrier, [-1], n), carrier, np.take(carrier, [0], n)),
                                              axis=n), n) / self.row(f, n)
            convection = convection + self.out(around * self.half(self.wide(u, e, self.still), e), e)
            diffusion = diffusion - self.out(self.slope(u, e, self.still), e)
        keep = np.ones(f.size)
        if n > 0:
            keep[[0, -1]] = 0
        return convection * self.row(keep, n), self.nu * diffusion * self.row(keep, n)

    def scalar_rates(self, name):
        t, rule = self.t[name], self.rule(name)
        convection = sum(self.out(self.u[n] * self.half(self.wide(t, n, rule), n), n) for n in range(3))
        diffusion = -self.kappa[name] * sum(self.out(self.slope(t, n, rule), n) for n in range(3))
        source = -sum(g * self.half(self.u[n], n) for n, g in enumerate(self.gradient[name]))
        return convection, diffusion, source

    def buoyancy(self, n):
        total = sum(self.lift[name][n] * t for name, t in self.t.items())
        if n == 0:
            return self.half(self.wide(total, 0, None), 0)
        return self.on_faces(self.half(total, n), n)

    def budgets(self, name):
        """All terms, each from fluctuations."""
        t, rule, out = self.prime(self.t[name]), self.rule(name, False), {}
        level = self.mean(self.t[name])[None]
        conv, diff, source = (self.prime(q) for q in self.scalar_rates(name))
        cell = [self.half(u, n) for n, u in enumerate(self.u)]
        flux = [self.mean(t * self.prime(q)) for q in cell]
        slopes = {n: self.half(self.slope(level, n, self.rule(name)), n)[0] for n in (1, 2)}
        wind = {n: self.mean(self.u[n])[None] for n in (1, 2)}
        wall = (lambda n, end: (0, 0))

        def carried(q):
            return sum(self.out(wind[n] * self.half(self.wide(q[None], n, wall), n), n)[0] for n in (1, 2))

        def close(end, terms):
            total = sum(terms.values()) - 2 * terms["_dissipation"]
            for key, value in {**terms, "_budget_residual": total}.items():
                out[end + key] = value

        scatter = sum(self.half(self.row(self.f[n], n) * self.slope(t, n, rule)**2, n)
                      / self.row(self.c[n], n) for n in range(3))
        terms = {"_production": -2 * sum(flux[n] * slopes[n] for n in (1, 2)),
                 "_gradient_production": 2 * self.mean(t * source),
                 "_mean_convection": carried(self.mean(t**2)),
                 "_dissipation": 2 * self.kappa[name] * self.mean(scatter)}
        terms["_turbulent_transport"] = (2 * self.mean(t * conv) - terms["_production"]
                                         - terms["_mean_convection"])
        terms["_molecular_diffusion"] = 2 * self.mean(t * diff) + terms["_dissipation"]
        close("_variance", terms)
        for n in range(3):
            u = self.prime(cell[n])
            rc, rm = (self.prime(self.half(q, n)) for q in self.velocity_rates(n))
            lift, push = (self.prime(self.half(q, n)) for q in (self.buoyancy(n), self.at_faces(self.p, n)))
            mean_u = self.mean(cell[n])[None]
            shear = {e: self.step(wind[e], e)[0] / self.row(self.c[e], e)[0] if e == n else
                     self.half(self.slope(mean_u, e, self.still), e)[0] for e in (1, 2)}
            ready = {"_production": -sum(flux[e] * shear[e] + self.mean(u * self.prime(cell[e])) * slopes[e]
                                         for e in (1, 2)),
                     "_gradient_production": self.mean(u * source),
                     "_mean_convection": carried(flux[n]),
                     "_buoyancy_production": self.mean(t * lift)}
            ready["_turbulent_transport"] = (self.mean(t * rc + u * conv) - ready["_production"]
                                             - ready["_mean_convection"])
            smooth = sum(-self.out(self.on_faces(self.step(flux[n][None], e)
                                                 / self.row(self.f[e][1:-1], e), e), e)[0] for e in (1, 2))
            ready["_molecular_diffusion"] = 0.5 * (self.nu + self.kappa[name]) * smooth
            ready["_dissipation"] = ready["_molecular_diffusion"] - self.mean(t * rm + u * diff)
            ready["_pressure_gradient"] = self.mean(self.prime(self.p)
                                                    * self.half(self.slope(t, n, rule), n))
            ready["_pressure_transport"] = -self.mean(t * push) - ready["_pressure_gradient"]
            close("_" + PART[self.axes[n]], ready)
        return out


def budgets(kolmo, check):
    """Budgets of the variance and of the fluxes against numpy, in one sample; they close: what they lack is
    the change in time; any ranks, a restart, stored flows, merged halves; refusals."""
    for along in AXIS if kolmo.options.long else "xz":
        case = budget_case(along, {"time": {"dt": 1e-3}})
        run = kolmo.run(kc.merge(case, {"statistics": {"start": 3e-3 - 1e-9}, "run": {"steps_max": 3}}))
        found = read(run.folder)
        flow = Section(run.checkpoint(3), along, case)
        for name in NAMES:
            for end, value in flow.budgets(name).items():
                if name + end not in found:
                    check.below(f"along {along}: no {name}{end}", float(abs(value).max()), 1e-12)
                    continue
                of = end[:end.index("_", 1)]
                scale = max(abs(found[name + of + k]).max() for k in ("_production", "_dissipation"))
                off = float(abs(found[name + end] - value).max() / scale)
                check.below(f"along {along}: {name}{end}", off, 1e-9)
    case = budget_case("x", {"time": {"dt": 1e-4}, "run": {"steps_max": 3}})
    whole = kolmo.run(kc.merge(case, {"statistics": {"start": 2e-4 - 1e-9}, "run": {"steps_max": 2}}))
    found = read(whole.folder)
    run = kolmo.run(case)
    for end in ("_variance", "_u", "_v", "_w"):
        at = []
        for step in (1, 3):
            flow = Section(run.checkpoint(step), "x", case)
            t = flow.prime(flow.t["heat"])
            other = t if end == "_variance" else flow.prime(
                flow.half(flow.u[flow.axes.index(PART.index(end[1]))],
                          flow.axes.index(PART.index(end[1]))))
            at.append(flow.mean(t * other))
        lack = found["heat" + end + "_budget_residual"]
        scale = abs(found["heat" + end + "_dissipation"]).max()
        check.below(f"heat{end} closes, over its dissipation",
                    float(abs((at[1] - at[0]) / 2e-4 - lack).max() / scale), 1e-3)
    case = budget_case("y", {"forcing": {"rotation": (0.3, -0.4, 0.6)}})
    one = kolmo.run(case)
    two = kolmo.run(kc.merge(case, {"grid": {"ranks": (2, 2, 1)}}), ranks=4)
    check.same("2 x 2 x 1 ranks", differing(one.folder, two.folder))
    out = in_parts(kolmo, check, case, one)
    a, b = read(one.folder), read(out)
    small = ("_budget_residual", "_pressure_transport", "_error")  # what nearly cancels
    names = [k for k in a if k.startswith(NAMES) and np.isfinite(a[k]).any() and not k.endswith(small)]
    worst = max(float(np.nanmax(abs(a[k] - b[k])) / np.nanmax(abs(a[k]))) for k in names)
    check.above("variables of scalars", len(names), 75)
    check.below("merged", worst, 1e-11)
    plain = {k: v for k, v in case.items() if k not in ("scalars", "buoyancy")}
    check.says("without scalars", kolmo.run(plain, rc=2).text, "statistics.scalar_budgets has no effect",
               "scalars.name")
    walls = kc.merge(case, {"boundary": {"x_low": "periodic", "x_high": "periodic"}})
    walls["scalars"] = {"name": "heat", "prandtl": 0.7}
    check.says("between walls", kolmo.run(walls, "--check", rc=2).text,
               "statistics.scalar_budgets has no effect", "one periodic direction")


def turning(kolmo, check):
    """In a rotating frame: the gains by the Coriolis force against numpy, as the equations have them; of
    second order in the spacing. The residual is the sum of all terms."""
    omega, errors = (0.3, -0.4, 0.6), []
    # without divergence and 0 on the walls, so that the projection leaves it smooth there
    k, y, z = "2*pi*x/lx", "sin(pi*y/ly)^2", "sin(pi*z/lz)^2"
    flow_of = {"u": f"sin(2*pi*y/ly)*{z}*cos({k} + 0.3)/ly",
               "v": f"{y}*sin(2*pi*z/lz)*(1 + 0.5*cos({k}))/lz + 2/lx*{y}*{z}*sin({k} + 0.3)",
               "w": f"-sin(2*pi*y/ly)*{z}*(1 + 0.5*cos({k}))/ly"}
    for finer in (1, 2):
        case = budget_case("x", {
            "run": {"steps_max": 2}, "time": {"dt": 1e-3}, "forcing": {"rotation": omega},
            "scalars": {"waves": (1, 1, 1, 1, 1, 1)}, "statistics": {"start": 2e-3 - 1e-9},
            "initial": {"type": "formula", "disturbance": None, **flow_of}})
        case["grid"]["n"] = tuple(finer * n for n in case["grid"]["n"])
        run = kolmo.run(case)
        found, flow = read(run.folder), Section(run.checkpoint(2), "x", case)
        check.holds("the variance has no such term", "heat_variance_rotation" not in found)
        errors.append({})
        for name in NAMES:
            t = flow.prime(flow.t[name])
            for n in range(3):
                force = flow.prime(flow.half(flow.coriolis(n, omega), n))
                label = f"{name}_{PART[flow.axes[n]]}"
                size = (flow.mean(t**2).max() * flow.mean(force**2).max()) ** 0.5
                errors[-1][label] = abs(found[label + "_rotation"] - flow.mean(t * force)).max() / size
                terms = [k for k in found if k.startswith(label + "_")
                         and not k.endswith(("_error", "_dissipation", "_residual"))]
                total = sum(found[k] for k in terms) - found[label + "_dissipation"]
                lack = abs(total - found[label + "_budget_residual"]).max()
                check.below(f"{label}: sum of {len(terms)} gains less dissipation is the residual",
                            float(lack / abs(total).max()), 1e-11)
    for label, coarse in errors[0].items():
        check.below(f"{label}_rotation", errors[1][label], 0.025)
        check.above("    error on half the cells, over it", coarse / errors[1][label], 3.0)


def varying(kolmo, check):
    """Values that vary along the sides of the section, by a formula and a table: fluxes, Nusselt number; the
    same by kolmo-stats and kolmo-merge; what varies along the duct is refused."""
    for along in "xy":
        s = AXIS.index(along)
        a, b = (d for d in range(3) if d != s)
        table = os.path.join(kolmo.place(), "table.txt")
        np.savetxt(table, [[0.0, 0.0], [0.3, 0.7], [1.3, -0.2]])
        first, second = f"{AXIS[a]}_low", f"{AXIS[b]}_high"
        case = duct(along, {"scalars": {
            f"{first}_value": (0.0, 0.03), f"{first}_formula": (f"0.5 + sin(2*{AXIS[b]})", ""),
            f"{second}_table": (table, ""), f"{second}_along": (AXIS[a], "z" if b < 2 else "x")}})
        run = kolmo.run(case)
        found = read(run.folder)
        flows = [run.checkpoint(n + 1) for n in range(STEPS)]
        width = [np.asarray(flows[0].width[d]) for d in range(3)]
        order = [2 - s, 2 - b, 2 - a]
        level = np.mean([np.einsum("sba,s->ba", np.transpose(f.fields["heat"], order), width[s])
                         / width[s].sum() for f in flows], axis=0)
        at = flows[0].centre
        given = {(a, "low"): 0.5 + np.sin(2 * at[b]),
                 (b, "high"): np.interp(at[a], [0, 0.3, 1.3], [0, 0.7, -0.2]),
                 (a, "high"): -0.5 + 0 * at[b], (b, "low"): 0.2 + 0 * at[a]}
        for (d, side), value in given.items():
            k = 0 if side == "low" else -1
            line = level[:, k] if d == a else level[k]
            weight = width[b if d == a else a]
            into = 0.02 / 0.7 * 2 * float((weight * (value - line)).sum() / weight.sum()) / width[d][k]
            check.near(f"along {along}: flux in through {AXIS[d]}_{side}",
                       float(found[f"heat_flux_in_{AXIS[d]}_{side}"]), into, 1e-13)
    again = kolmo.place("again")
    kolmo.other("kolmo-stats").call(run.folder, "--out", again)
    check.same("kolmo-stats", differing(run.folder, again))
    half = kolmo.run(kc.merge(case, {"run": {"steps_max": 2}}))
    rest = kolmo.run(kc.merge(case, {"statistics": {"start": 0.02 + 1e-6}}), "--restart",
                     kc.checkpoint_path(half.folder, 2))
    out = kolmo.place("merged")
    kolmo.other("kolmo-merge").call("--out", out, half.folder, rest.folder)
    check.near("kolmo-merge", float(read(out)["heat_nusselt"] / found["heat_nusselt"]), 1, 1e-10)
    bad = kolmo.run(kc.merge(case, {"scalars": {f"{first}_formula": (AXIS[s], "")}}), "--check", rc=2)
    check.says("what varies along the duct", bad.text, f"scalars.{first}(1) is given by a formula",
               "averages over all periodic directions take scalars that do not vary along these")


def memory(kolmo, check):
    """--check counts the sums of scalars and their part of the file."""
    case = duct("x", {"grid": {"n": (8, 40, 30)}, "time": {"dt": 1e-4}})
    told = []
    for inputs in ({k: v for k, v in case.items() if k != "scalars"}, case):
        text = kolmo.run(inputs, "--check").text
        told.append(float(re.search(r"host memory of averages +([\d.]+) MiB", text).group(1)))
    # sums with copies for checkpoints and for the file, batches in the file, its other numbers
    least = 2 * (3 * 19 * 10 + 17 * 10 + 36) * 40 * 30 * 8 / 2**20
    check.above("memory of two scalars, over the least", (told[1] - told[0]) / least, 1.0)


def laminar(kolmo, check):
    """A square duct whose mixed mean grows along it, walls of one temperature around: Nu = 3.608 (Shah and
    London 1978), by second order. With --long a third grid tells the error of that."""
    walls = {f"{d}_{side}": "wall" for d in "yz" for side in ("low", "high")}
    numbers = []
    for n in (10, 20, 40) if kolmo.options.long else (10, 20):
        found = read(kolmo.run({
            "run": {"t_end": 1.5}, "grid": {"n": (2, n, n), "length": (0.2, 1.0, 1.0)}, "fluid": {"nu": 0.5},
            "time": {"dt": 0.0125, "diffusion": "implicit"}, "boundary": walls,
            "forcing": {"type": "bulk-velocity", "value": 1.0, "direction": "x"},
            "initial": {"type": "channel"},
            "scalars": {"name": "heat", "diffusivity": 0.5, "bulk_source": 1.0,
                        **{f: "value" for f in walls}},
            "statistics": {"start": 1.45, "interval": 1}, "output": {"log_interval": 1000}}).folder)
        numbers.append(float(found["heat_nusselt"]))
        into = sum(float(found[f"heat_flux_in_{d}_{side}"]) for d in "yz" for side in ("low", "high"))
        check.near(f"{n} cells: what leaves is what the source brings", into, -1.0, 1e-6)
    check.near("Nusselt number, 20 cells", numbers[1], 3.608, 0.04)
    limits = [(4 * fine - coarse) / 3 for coarse, fine in zip(numbers, numbers[1:])]
    check.near("    extrapolated", limits[-1], 3.608, 0.005)
    if kolmo.options.long:
        check.near("    from the two grids before", limits[0], limits[1], 0.005)


if __name__ == "__main__":
    kc.main(__doc__.split("\n")[0], [against_numpy, densities_of_box, budgets, turning, repeats, varying,
                                     memory, laminar])

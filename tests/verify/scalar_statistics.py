#!/usr/bin/env python3
"""Statistics of scalars between walls, in statistics.nc: means, moments, fluxes, budgets and Nusselt numbers
against numpy, which computes them from the stored flow; layouts, restarts, stored flows and merged files.

numpy knows the equations and the staggered grid, and nothing of the sums: it takes the means away first and
then averages products of fluctuations, and it has convection and diffusion of its own. Would catch: a factor
of the wrong place or weight, a scalar under another's name, a term missing in a budget, buoyancy of the wrong
scalar or sign, a direction taken for another, a sample doubled or lost at a restart."""
import os
import re
import shutil
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import batch_error  # noqa: E402
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402

AXIS, PART = "xyz", "uvw"
ROUNDING = 5e-10
kc.LOCATION.update({"heat": "ccc", "salt": "ccc", "dye": "ccc"})


def read(folder, name="statistics.nc"):
    """All variables of a file."""
    with h5py.File(os.path.join(folder, name), "r") as file:
        found = {}
        file.visititems(lambda k, v: found.update({k: v[...]}) if isinstance(v, h5py.Dataset) else None)
        return found


def differing(one, other):
    """Names of variables that differ, bit for bit."""
    a, b = read(one), read(other)
    return [n for n in sorted(set(a) | set(b))
            if n not in a or n not in b or a[n].tobytes() != b[n].tobytes()]


def case_of(normal, *more):
    """Two scalars in a sheared, heated layer: gravity in no special direction, a mean gradient."""
    n = AXIS.index(normal)
    a = next(d for d in range(3) if d != n)
    cells, law, factor = [10, 12, 14], ["sine"] * 3, [0.3, 0.2, 0.4]
    cells[n], law[n], factor[n] = 12, "tanh", 1.1
    along = [0.0] * 3
    along[a] = 0.7
    low, high = normal + "_low", normal + "_high"
    return kc.merge({
        "run": {"steps_max": 12, "seed": 3},
        "grid": {"n": tuple(cells), "length": (1.3, 1.1, 1.2), "stretching": tuple(law),
                 "stretching_factor": tuple(factor)},
        "fluid": {"nu": 0.01}, "time": {"dt": 0.01},
        "boundary": {low: "wall", high: "wall", high + "_velocity": tuple(0.6 * (d == a) for d in range(3))},
        "initial": {"type": "channel"}, "pressure": {"tolerance": 1e-12},
        "forcing": {"type": "bulk-velocity", "value": 0.8, "direction": AXIS[a]},
        "scalars": {"name": ("heat", "salt"), "prandtl": (0.7, 2.0), "initial": ("conduction", "uniform"),
                    "initial_value": (0.0, 0.4), "disturbance": (0.4, 0.3), "source": (0.3, 0.56),
                    "mean_gradient": (0.0,) * 3 + tuple(along), low: ("value", "flux"),
                    high: ("value", "flux"), low + "_value": (0.5, 0.03), high + "_value": (-0.5, -0.03)},
        "buoyancy": {"gravity": (0.5, -0.3, -1.0), "expansion": (0.8, -0.5)},
        "statistics": {"start": 0.0, "interval": 1, "stress_budgets": True},
        "checkpoint": {"at_end": True}, "output": {"log_interval": 1000}}, *more)


class Flow:
    """A stored flow between walls as arrays [a, b, n], with what lies beyond the walls, and its rates."""

    def __init__(self, checkpoint, normal, case):
        self.n = AXIS.index(normal)
        self.a, self.b = (d for d in range(3) if d != self.n)
        order = [2 - self.a, 2 - self.b, 2 - self.n]
        take = {k: np.transpose(np.asarray(v, dtype=float), order) for k, v in checkpoint.fields.items()}
        self.c = [np.asarray(checkpoint.width[d]) for d in (self.a, self.b, self.n)]
        self.f = [0.5 * (w + np.roll(w, 1)) for w in self.c[:2]]
        c = self.c[2]
        self.f.append(np.concatenate(([c[0]], 0.5 * (c[1:] + c[:-1]), [c[-1]])))
        self.nu = case["fluid"]["nu"]
        faces, scalars = case["boundary"], case["scalars"]
        wall = [faces.get(f"{normal}_{side}_velocity", (0, 0, 0)) for side in ("low", "high")]
        self.u = [self.beyond(take[PART[d]], *((-1, 2 * w[d]) for w in wall)) for d in (self.a, self.b)]
        w = take[PART[self.n]]
        self.w = np.concatenate((w, np.zeros_like(w[:, :, :1])), axis=2)  # faces 0 to n
        self.p = take["p"]
        self.t, self.kappa, self.lift, self.gradient = {}, {}, {}, {}
        for i, name in enumerate(scalars["name"]):
            kappa = self.nu / scalars["prandtl"][i]
            rule = []
            for side, h in (("low", self.f[2][0]), ("high", self.f[2][-1])):
                kind, value = scalars[f"{normal}_{side}"][i], scalars[f"{normal}_{side}_value"][i]
                rule.append({"value": (-1, 2 * value), "flux": (1, value * h / kappa), "none": (1, 0)}[kind])
            self.t[name] = self.beyond(take[name], *rule)
            self.kappa[name] = kappa
            self.lift[name] = [-case["buoyancy"]["expansion"][i] * case["buoyancy"]["gravity"][d]
                               for d in (self.a, self.b, self.n)]
            self.gradient[name] = [scalars["mean_gradient"][3 * i + d] for d in (self.a, self.b)]

    @staticmethod
    def beyond(q, low, high):
        """A field with one layer on each side."""
        return np.concatenate((low[0] * q[:, :, :1] + low[1], q, high[0] * q[:, :, -1:] + high[1]), axis=2)

    def row(self, values, axis):
        """Values along an axis, to broadcast."""
        return values.reshape([-1 if i == axis else 1 for i in range(3)])

    def mean(self, q, wa=None, wb=None):
        """Over planes, weighted with the widths of cells or with these."""
        wa, wb = self.c[0] if wa is None else wa, self.c[1] if wb is None else wb
        return np.einsum("ijk,i,j->k", q, wa, wb) / (wa.sum() * wb.sum())

    def at(self, d, q):
        """Mean over planes of a field at the points of component d along the walls."""
        return self.mean(q, *((self.f[0], self.c[1]) if d == 0 else (self.c[0], self.f[1])))

    @staticmethod
    def low(q, axis):
        """Half-half mean with the point below, periodic."""
        return 0.5 * (q + np.roll(q, 1, axis))

    def slope(self, q, axis):
        """Difference to the point below, over the distance of centres, periodic."""
        return (q - np.roll(q, 1, axis)) / self.row(self.f[axis], axis)

    def out(self, flux, axis):
        """Minus the divergence of a flux through the lower faces, periodic."""
        return -(np.roll(flux, -1, axis) - flux) / self.row(self.c[axis], axis)

    def lap(self, q):
        """Laplacian at centres along n, at the points along a and b of a centred field; q has its layers."""
        inner = q[:, :, 1:-1]
        along = sum(-self.out(self.slope(inner, d), d) for d in (0, 1))
        slope = np.diff(q, axis=2) / self.row(self.f[2], 2)
        return along + np.diff(slope, axis=2) / self.row(self.c[2], 2)

    def scalar_rates(self, name):
        """Convection, diffusion and the source by the mean gradient."""
        t = self.t[name]
        inner = t[:, :, 1:-1]
        convection = sum(self.out(self.u[d][:, :, 1:-1] * self.low(inner, d), d) for d in (0, 1))
        flux = self.w * 0.5 * (t[:, :, 1:] + t[:, :, :-1])
        convection = convection - np.diff(flux, axis=2) / self.row(self.c[2], 2)
        middle = [0.5 * (u + np.roll(u, -1, d))[:, :, 1:-1] for d, u in enumerate(self.u)]
        source = -sum(g * u for g, u in zip(self.gradient[name], middle))
        return convection, self.kappa[name] * self.lap(t), source

    def carried(self, q, d, axis):
        """The velocity q normal to axis-faces, at the points of component d along a or b."""
        wide = self.row(self.c[d], d)
        return 0.5 * (np.roll(wide * q, 1, d) + wide * q) / self.row(self.f[d], d) if axis != d else None

    def along_rates(self, d):
        """Convection; and diffusion of component d along the walls, at its points."""
        u, e = self.u[d], 1 - d
        inner, f = u[:, :, 1:-1], self.row(self.f[d], d)
        centre = 0.5 * (inner + np.roll(inner, -1, d))
        convection = -(centre**2 - np.roll(centre**2, 1, d)) / f
        other = self.carried(self.u[e][:, :, 1:-1], d, e)
        convection = convection + self.out(other * self.low(inner, e), e)
        up = self.carried(self.w, d, 2) * 0.5 * (u[:, :, 1:] + u[:, :, :-1])
        convection = convection - np.diff(up, axis=2) / self.row(self.c[2], 2)
        own = (np.roll(inner, -1, d) - inner) / self.row(self.c[d], d)
        diffusion = (own - np.roll(own, 1, d)) / f - self.out(self.slope(inner, e), e)
        shear = np.diff(u, axis=2) / self.row(self.f[2], 2)
        return convection, self.nu * (diffusion + np.diff(shear, axis=2) / self.row(self.c[2], 2))

    def normal_rates(self):
        """The same of the normal component, on inner faces."""
        w, f = self.w, self.row(self.f[2][1:-1], 2)
        inner, c = w[:, :, 1:-1], self.c[2]
        convection = 0
        for d in (0, 1):
            u = self.u[d][:, :, 1:-1] * self.row(c, 2)
            flux = 0.5 * (u[:, :, 1:] + u[:, :, :-1]) / f * self.low(inner, d)
            convection = convection + self.out(flux, d)
        centre = 0.5 * (w[:, :, 1:] + w[:, :, :-1])
        convection = convection - np.diff(centre**2, axis=2) / f
        diffusion = sum(-self.out(self.slope(inner, d), d) for d in (0, 1))
        own = np.diff(w, axis=2) / self.row(c, 2)
        return convection, self.nu * (diffusion + np.diff(own, axis=2) / f)

    @staticmethod
    def in_cell(q, d):
        """Mean of both faces of the cells, of a field at the points of component d along the walls."""
        return 0.5 * (q + np.roll(q, -1, d))

    def face(self, q):
        """Half-half mean on inner faces, of a field at centres."""
        return 0.5 * (q[:, :, 1:] + q[:, :, :-1])

    def buoyancy(self, d):
        """At the points of component d, 2 for the normal one on inner faces."""
        total = 0
        for name, t in self.t.items():
            inner = t[:, :, 1:-1]
            total = total + self.lift[name][d] * (self.face(inner) if d == 2 else self.low(inner, d))
        return total

    def weighted(self, q, d):
        """A field at centres along d, with the widths of its two cells, at the points of component d."""
        wide = self.row(self.c[d], d) * q
        if d == 2:
            return 0.5 * (wide[:, :, 1:] + wide[:, :, :-1]) / self.row(self.f[2][1:-1], 2)
        return self.low(wide, d) / self.row(self.f[d], d)

    def coriolis(self, omega):
        """-2 omega x u along a, b and n, at the points of the components, for n on inner faces; omega along
        x, y, z."""
        cell = [self.in_cell(self.u[0][:, :, 1:-1], 0), self.in_cell(self.u[1][:, :, 1:-1], 1),
                0.5 * (self.w[:, :, 1:] + self.w[:, :, :-1])]
        along, force = (self.a, self.b, self.n), []
        for i, d in enumerate(along):
            total = 0
            for j, e in enumerate(along):
                axis = np.cross(np.eye(3)[d], np.eye(3)[e])
                total = total + 2 * float(axis @ np.asarray(omega)) * self.weighted(cell[j], i)
            force.append(total)
        return force


    def divergence(self, along_a, along_b, normal):
        """Of a field at the points of the components, the normal one on inner faces; 0 on walls."""
        closed = np.zeros_like(along_a[:, :, :1])
        through = np.concatenate((closed, normal, closed), axis=2)
        return (-self.out(along_a, 0) - self.out(along_b, 1)
                + np.diff(through, axis=2) / self.row(self.c[2], 2))

    def gradient_of(self, p):
        """The three components of the gradient, the normal one on inner faces."""
        return (self.slope(p, 0), self.slope(p, 1),
                np.diff(p, axis=2) / self.row(self.f[2][1:-1], 2))

    def pressure(self, omega):
        """The pressure of this velocity and these scalars: its Laplacian is the divergence of all forces.
        The equation is solved with a full matrix."""
        turn = self.coriolis(omega)
        rates = (*(self.along_rates(d) for d in (0, 1)), self.normal_rates())
        force = [sum(rates[d]) + self.buoyancy(d) + turn[d] for d in range(3)]
        shape = self.p.shape
        unit = np.zeros(self.p.size)
        columns = np.empty((unit.size, unit.size))
        for n in range(unit.size):
            unit[n] = 1
            columns[:, n] = self.divergence(*self.gradient_of(unit.reshape(shape))).ravel()
            unit[n] = 0
        volume = np.einsum("i,j,k->ijk", *self.c).ravel()
        scale = abs(columns).max() / volume.sum()
        source = self.divergence(*force).ravel()
        return np.linalg.solve(columns + scale * volume, source).reshape(shape)  # of mean 0


def fluctuation(q, mean):
    """q less its mean over planes."""
    return q - mean[None, None, :]


def variance_of(flow, name):
    """Profiles of a scalar that stand at centres, and its fluxes on faces."""
    t = flow.t[name]
    inner = t[:, :, 1:-1]
    mean = flow.mean(inner)
    prime = fluctuation(inner, mean)
    convection, diffusion, source = flow.scalar_rates(name)
    rate = 2 * flow.mean(prime * (convection + diffusion + source))
    out = {"": mean, "_variance": flow.mean(prime**2), "_rms": flow.mean(prime**2) ** 0.5,
           "_skewness": flow.mean(prime**3) / flow.mean(prime**2) ** 1.5,
           "_flatness": flow.mean(prime**4) / flow.mean(prime**2) ** 2,
           "_variance_budget_residual": rate}
    if any(flow.gradient[name]):
        out["_variance_gradient_production"] = 2 * flow.mean(prime * source)
    scatter = sum(flow.mean(flow.slope(prime, d) ** 2, *((flow.f[0], None), (None, flow.f[1]))[d])
                  for d in (0, 1))
    layers = fluctuation(t, flow.mean(t))
    shear = flow.mean((np.diff(layers, axis=2) / flow.row(flow.f[2], 2)) ** 2) * flow.f[2]
    out["_variance_dissipation"] = flow.kappa[name] * (2 * scatter + (shear[1:] + shear[:-1]) / flow.c[2])
    both = 0.5 * (t[:, :, 1:] + t[:, :, :-1])
    flux = flow.mean(flow.w * fluctuation(both, flow.mean(both)))
    gradient = np.diff(flow.mean(t)) / flow.f[2]
    out["_" + PART[flow.n]] = flux
    out["_gradient"] = gradient
    out["_total_flux"] = flux - flow.kappa[name] * gradient
    production = -flow.f[2] * flux * gradient
    out["_variance_production"] = (production[1:] + production[:-1]) / flow.c[2]
    return out


def fluxes_of(flow, name):
    """Fluxes and what their budgets lack: their rate of change by all terms of the equations."""
    t = flow.t[name][:, :, 1:-1]
    prime, out = fluctuation(t, flow.mean(t)), {}
    rate = sum(flow.scalar_rates(name))
    rate = fluctuation(rate, flow.mean(rate))
    for d, part in ((0, PART[flow.a]), (1, PART[flow.b])):
        lift, slope = flow.buoyancy(d), flow.slope(flow.p, d)
        push = flow.in_cell(sum(flow.along_rates(d)) + lift - slope, d)
        u = flow.in_cell(flow.u[d][:, :, 1:-1], d)
        out["_" + part] = flow.mean(fluctuation(u, flow.mean(u)) * prime)
        out[f"_{part}_budget_residual"] = flow.mean(push * prime) + flow.mean(
            fluctuation(u, flow.mean(u)) * rate)
        out[f"_{part}_buoyancy_production"] = flow.mean(flow.in_cell(lift, d) * prime)
        out[f"_{part}_pressure_gradient"] = flow.mean(flow.in_cell(-slope, d) * prime)
    part, face = PART[flow.n], flow.face(prime)
    slope = np.diff(flow.p, axis=2) / flow.row(flow.f[2][1:-1], 2)
    push = sum(flow.normal_rates()) + flow.buoyancy(2) - slope
    out[f"_{part}_budget_residual"] = flow.mean(push * face) + flow.mean(flow.w[:, :, 1:-1] * flow.face(rate))
    out[f"_{part}_buoyancy_production"] = flow.mean(flow.buoyancy(2) * face)
    return out


def against_numpy(kolmo, check):
    """One sample, walls in each direction, all directions stretched."""
    for normal in AXIS:
        case = case_of(normal)
        end = case["run"]["steps_max"] * case["time"]["dt"]
        result = kolmo.run(kc.merge(case, {"statistics": {"start": end - 1e-9}}))
        page, flow = read(result.folder), Flow(result.checkpoint(), normal, case)
        for name in flow.t:
            wanted = {**variance_of(flow, name), **fluxes_of(flow, name)}
            for end, values in wanted.items():
                found = page[name + end]
                inner = found[1:-1] if found.size == values.size + 2 else found
                if end.endswith(("_u", "_v", "_w")) and found.size == flow.f[2].size:
                    check.below(f"walls in {normal}: {name}{end} through walls", abs(found[[0, -1]]).max(),
                                0)
                scale = abs(values).max()
                if end.endswith("residual"):  # a sum of terms that nearly cancel
                    scale = max(scale, abs(page[name + end.replace("budget_residual", "dissipation")][1:-1])
                                .max())
                check.below(f"walls in {normal}: {name}{end}", abs(inner - values).max() / scale, ROUNDING)


def work_of_buoyancy(kolmo, check):
    """The budgets of the velocity have the work of all scalars, walls in each direction, and all names are in
    the table that the code prints."""
    for normal in AXIS:
        law = tuple("tanh" if d == normal else "uniform" for d in AXIS)
        factor = tuple(1.1 * (d == normal) for d in AXIS)
        case = case_of(normal, {"grid": {"stretching": law, "stretching_factor": factor}})
        end = case["run"]["steps_max"] * case["time"]["dt"]
        result = kolmo.run(kc.merge(case, {"statistics": {"start": end - 1e-9}}))
        velocity_budgets(read(result.folder), Flow(result.checkpoint(), normal, case), check, normal)
    told = kolmo.call("--help-statistics", folder=kolmo.place()).out
    found = {re.sub("^(heat|salt)", "T", k) for k in read(result.folder)
             if re.match("(heat|salt|k|[uvw]+)(_|$)", k) and not re.search("_(error|plus)$", k)}
    check.above("walls in z: names", len(found), 100)
    check.equal("walls in z: what --help-statistics lacks",
                [k for k in sorted(found) if f"`{k}`" not in told], [])


def velocity_budgets(page, flow, check, normal):
    """What the budgets of the velocity lack is the rate of change by all terms of the equations."""
    a, b, n = PART[flow.a], PART[flow.b], PART[flow.n]
    for part, d in ((a, 0), (b, 1), (n, 2)):
        mean = sum(flow.lift[t][d] * page[f"{t}_{part}"] for t in flow.t)
        check.below(f"walls in {normal}: work of buoyancy on {part}{part}",
                    abs(page[f"{part}{part}_buoyancy_production"] - 2 * mean).max() / abs(mean).max(),
                    ROUNDING)
    for d, part in ((0, a), (1, b)):
        u = flow.u[d][:, :, 1:-1]
        push = sum(flow.along_rates(d)) + flow.buoyancy(d) - flow.slope(flow.p, d)
        rate = 2 * flow.at(d, fluctuation(u, flow.at(d, u)) * push)
        scale = abs(page[f"{part}{part}_dissipation"]).max()
        check.below(f"walls in {normal}: budget of {part}{part}",
                    abs(page[f"{part}{part}_budget_residual"] - rate).max() / scale, ROUNDING)
    w = flow.w[:, :, 1:-1]
    slope = np.diff(flow.p, axis=2) / flow.row(flow.f[2][1:-1], 2)
    rate = 2 * flow.mean(w * (sum(flow.normal_rates()) + flow.buoyancy(2) - slope))
    check.below(f"walls in {normal}: budget of {n}{n}",
                abs(page[f"{n}{n}_budget_residual"][1:-1] - rate).max()
                / abs(page[f"{n}{n}_dissipation"]).max(), ROUNDING)


def gain(pairs):
    """Profile of the sum of the means of products, and its size: that of the products of rms values. pairs: a
    function that averages, and two fields whose means are not yet taken off."""
    total = size = 0
    for mean, p, q in pairs:
        p, q = fluctuation(p, mean(p)), fluctuation(q, mean(q))
        total, size = total + mean(p * q), size + (mean(p * p) * mean(q * q)) ** 0.5
    return total, size.max()


def gains(flow, omega):
    """The gains by the Coriolis force in all budgets, as the discrete equations have them."""
    names, force, w = [PART[d] for d in (flow.a, flow.b, flow.n)], flow.coriolis(omega), flow.w[:, :, 1:-1]
    u, out = [q[:, :, 1:-1] for q in flow.u], {}

    def pair(i, j):
        return "".join(sorted(names[i] + names[j]))

    def edges(q):
        return flow.mean(q, flow.f[0], flow.f[1])
    out[pair(2, 2)] = gain([(flow.mean, 2 * w, force[2])])
    out[pair(0, 1)] = gain([(edges, flow.low(u[0], 1), flow.low(force[1], 0)),
                            (edges, flow.low(u[1], 0), flow.low(force[0], 1))])
    for d in (0, 1):
        def own(q, d=d):
            return flow.at(d, q)
        out[pair(d, d)] = gain([(own, 2 * u[d], force[d])])
        out[pair(d, 2)] = gain([(own, flow.weighted(w, d), flow.face(force[d])),
                                (flow.mean, flow.face(flow.in_cell(u[d], d)), force[2])])
    for name, t in flow.t.items():
        for d in (0, 1):
            out[f"{name}_{names[d]}"] = gain([(flow.mean, t[:, :, 1:-1], flow.in_cell(force[d], d))])
        out[f"{name}_{names[2]}"] = gain([(flow.mean, flow.face(t[:, :, 1:-1]), force[2])])
    return out


def turned(page, wanted, check, label):
    """Errors of the gains in the file over their sizes; the residuals are the sums of all terms."""
    errors = {}
    for name, (gained, size) in wanted.items():
        if size < 1e-13:
            check.holds(f"{label}: {name} has no such term", f"{name}_rotation" not in page)
            continue
        found = page[f"{name}_rotation"]
        found = found[1:-1] if found.size > gained.size else found
        errors[name] = abs(found - gained).max() / size
        loss = page[name + "_dissipation"]
        total = sum(page[k] for k in (f"{name}_{t}" for t in TERMS) if k in page) - loss
        check.below(f"{label}: {name}: sum of gains less dissipation is the residual",
                    np.nanmax(abs(total - page[name + "_budget_residual"])) / np.nanmax(abs(loss)), 1e-12)
    return errors


TERMS = ("production", "gradient_production", "turbulent_transport", "viscous_diffusion",
         "molecular_diffusion", "pressure_transport", "pressure_strain", "pressure_gradient",
         "buoyancy_production", "rotation", "convective_remainder")


def smooth(normal):
    """Formulas of a flow whose three components are correlated."""
    high = f"sin(pi*{normal}/l{normal})"
    phase = " + ".join(f"2*pi*{d}/l{d}" for d in AXIS if d != normal)
    along = [f"{high}*(1 + 0.6*cos({phase} + {lag}) + 0.3*cos({phase} + 2*pi*{d}/l{d}))"
             for lag, d in zip((0.4, 0.9), (d for d in AXIS if d != normal))]
    across = f"{high}^2*(sin({phase}) - 0.5*cos({phase} + 0.5))"
    return {PART[AXIS.index(d)]: across if d == normal else along.pop() for d in AXIS}


def turning(kolmo, check):
    """Gains by the Coriolis force: those of the velocities along the walls by rotation about their normal are
    exact, all others of second order in the spacing; k has none; walls and axes in different directions."""
    runs = (("z", (0.0, 0.0, 0.7)), ("y", (0.3, -0.4, 0.6)), ("z", (0.0, -0.7, 0.0)))
    for normal, omega in runs if kolmo.options.long else runs[:2]:
        errors = []
        for finer in (1, 2):
            case = case_of(normal, {"run": {"steps_max": 2}, "time": {"dt": 0.002},
                                    "forcing": {"rotation": omega}, "scalars": {"waves": (1, 1, 1, 1, 1, 2)},
                                    "initial": {"type": "formula", **smooth(normal)},
                                    "statistics": {"start": 0.004 - 1e-9}})
            case["grid"]["n"] = tuple(finer * n for n in case["grid"]["n"])
            result = kolmo.run(case)
            page, flow = read(result.folder), Flow(result.checkpoint(), normal, case)
            label = f"walls in {normal}, rotation {omega}, {finer}"
            errors.append(turned(page, gains(flow, omega), check, label))
            check.holds("    k has no such term", "k_rotation" not in page)
            for name, rate in fluxes_of(flow, "heat").items():
                if f"heat{name}".replace("budget_residual", "rotation") not in page or "residual" not in name:
                    continue
                found = page["heat" + name] - page["heat" + name.replace("budget_residual", "rotation")]
                scale = abs(rate).max()
                found = found[1:-1] if found.size > rate.size else found
                check.below(f"    heat{name} less the gain: the change by all other terms",
                            abs(found - rate).max() / scale, ROUNDING)
        for name, coarse in errors[0].items():
            if omega[:2] == (0.0, 0.0) and name in ("uu", "vv"):
                check.below(f"    {name}", errors[1][name], ROUNDING)
                continue
            check.below(f"    error of {name}", errors[1][name], 0.03)
            check.above("        that with half the cells, over it", coarse / errors[1][name], 3.0)


def at_its_time(kolmo, check):
    """The pressure that is solved for at the time of a sample: that of a full matrix in numpy; it changes no
    bit of the flow; ranks and restarts have the same bits; what has no such pressure is refused.

    Would catch: a force that the equation lacks, the pressure of a stage in its place, a wall that lets a
    force through."""
    omega = (0.3, -0.4, 0.6)
    solve = {"statistics": {"pressure": "solve"}, "forcing": {"rotation": omega}}
    for normal in AXIS if kolmo.options.long else "zy":
        case = case_of(normal, solve)
        end = case["run"]["steps_max"] * case["time"]["dt"]
        result = kolmo.run(kc.merge(case, {"statistics": {"start": end - 1e-9}}))
        page, flow = read(result.folder), Flow(result.checkpoint(), normal, case)
        stage, flow.p = flow.p, flow.pressure(omega)
        label = f"walls in {normal}: "
        square = flow.mean(flow.p**2) - flow.mean(flow.p)**2
        check.below(label + "variance of the pressure", abs(page["pp"] - square).max() / square.max(), 1e-8)
        check.above("    that of the stage is another one",
                    abs(flow.mean(stage**2) - flow.mean(stage)**2 - square).max() / square.max(), 1e-3)
        for d in (0, 1):
            part = PART[(flow.a, flow.b)[d]]
            strain = -flow.out(flow.u[d][:, :, 1:-1], d)
            wanted = 2 * flow.mean(flow.p * strain)
            check.below(f"    pressure strain of {part}{part}",
                        abs(page[f"{part}{part}_pressure_strain"] - wanted).max() / abs(wanted).max(), 1e-8)
        for name, values in fluxes_of(flow, "heat").items():
            if name.endswith("pressure_gradient"):
                check.below(f"    heat{name}", abs(page["heat" + name] - values).max() / abs(values).max(),
                            1e-8)
        plain = kolmo.run(kc.merge(case, {"statistics": {"pressure": "stage"}}))
        mine, other = result.checkpoint().fields, plain.checkpoint().fields
        check.same("    the flow without such samples",
                   [n for n in mine if n != "statistics" and mine[n].tobytes() != other[n].tobytes()])
    case = case_of("z", {"run": {"steps_max": 4}}, solve)
    whole = kolmo.run(case)
    ranks = kolmo.run(kc.merge(case, {"grid": {"ranks": (1, 2, 2)}}), ranks=4)
    check.same("4 ranks", differing(whole.folder, ranks.folder))
    first = kolmo.run(kc.merge(case, {"run": {"steps_max": 2}}))
    rest = kolmo.run(case, "--restart", kc.checkpoint_path(first.folder, 2), ranks=2)
    check.same("restarted on two ranks", differing(whole.folder, rest.folder))
    stage = kc.merge(case, {"statistics": {"pressure": "stage"}})
    rest = kolmo.run(stage, "--restart", kc.checkpoint_path(first.folder, 2))
    check.says("restarted with the pressure of the stage", rest.text, "are dropped", "pressure")
    again = kolmo.place("again")
    told = kolmo.other("kolmo-stats").call(whole.folder, "--out", again).out
    check.says("kolmo-stats", told, "statistics.pressure = 'solve' is for runs")
    last = kolmo.run(kc.merge(stage, {"statistics": {"start": 0.04 - 1e-9}}))
    found, wanted = read(again), read(last.folder)
    check.same("    it has the pressure of the stage",
               [n for n in ("pp", "uu_pressure_strain")
                if not np.allclose(found[n], wanted[n], rtol=1e-12, atol=0)])
    for name, folder in (("of the stage", last.folder), ("stored, by kolmo-stats", again)):
        told = kolmo.other("kolmo-merge").call(whole.folder, folder, "--overlap", "--out",
                                               kolmo.place("merged"), rc=2).text
        check.says(f"kolmo-merge with the pressure {name}", told,
                   "statistics.pressure: 'solve' and 'stage'", "one statistics.pressure")
    box = {"run": {"steps_max": 1}, "statistics": {"start": 0.0, "pressure": "solve"}}
    check.says("a periodic box", kolmo.run(box, rc=2).text, "statistics.pressure", "walls")


CONVECTION = {
    "run": {"steps_max": 60, "seed": 4}, "grid": {"n": (12, 10, 14), "length": (2.0, 1.6, 1.0),
                                                 "stretching": ("uniform", "uniform", "tanh"),
                                                 "stretching_factor": (0.0, 0.0, 1.2)},
    "boundary": {"z_low": "wall", "z_high": "wall"}, "initial": {"type": "rest"}, "time": {"dt": 0.05},
    "scalars": {"name": "heat", "prandtl": 0.7, "initial": "conduction", "disturbance": 0.3,
                "waves": (1, 1, 1), "z_low": "value", "z_high": "value", "z_low_value": 0.5,
                "z_high_value": -0.5, "unit": "K"},
    "buoyancy": {"gravity": (0, 0, -1.0), "rayleigh": 2e4},
    "pressure": {"tolerance": 1e-12}, "statistics": {"start": 1.0, "interval": 1},
    "output": {"log_interval": 1000}}


def nusselt(kolmo, check):
    """Five Nusselt numbers are those of series.nc, and their spread; with error bars."""
    result = kolmo.run(CONVECTION)
    page, series = read(result.folder), result.series()
    late = series["time"] > 1.0 - 1e-9
    kappa = 1 / np.sqrt(0.7 * 2e4)
    weight = np.ones(late.sum())
    mean = {n: np.average(v[late], weights=weight) for n, v in series.items() if v.shape == late.shape}
    wanted = {"low": mean["heat_flux_in_z_low"] / kappa, "high": -mean["heat_flux_in_z_high"] / kappa,
              "flux": 1 + mean["heat_flux_z"] / kappa, "variance": mean["heat_dissipation"] / kappa,
              "energy": 1 + mean["dissipation"] / kappa}
    column = {"low": "heat_flux_in_z_low", "high": "heat_flux_in_z_high", "flux": "heat_flux_z",
              "variance": "heat_dissipation", "energy": "dissipation"}
    check.equal("batches of one sample", (int(page["n_batches"]), int(page["batch_length"])), (late.sum(), 1))
    for name, value in wanted.items():
        check.below(f"Nusselt number by {name}", abs(page["heat_nusselt_" + name] / value - 1), 1e-11)
        d = (series[column[name]][late] - mean[column[name]]) / kappa
        error = float(page[f"heat_nusselt_{name}_error"])
        check.near("    its error bar", error / batch_error.of_deviations(d), 1, 1e-6)
    values = list(wanted.values())
    check.below("spread", abs(page["heat_nusselt_spread"]
                              - (max(values) - min(values)) / np.mean(values)), 1e-10)
    check.holds("no mixed mean without a stream", "heat_bulk" not in page)
    if shutil.which("ncdump") is None:
        check.skip("units and cell methods", "no ncdump (package netcdf-bin)")
        return
    header = subprocess.run(["ncdump", "-h", os.path.join(result.folder, "statistics.nc")], text=True,
                            capture_output=True, check=False)
    check.says("units and cell methods", header.stdout, "double heat(z)", "heat_variance:long_name")


def nusselt_of_two(kolmo, check):
    """With heat and salt, which lift against each other, the Nusselt number of each by the dissipation of
    energy leaves out the work of the other one, and the work of both is that of series.nc, although one has a
    limiter. With gravity that is not normal to the walls the number is left out, with a reason."""
    pair = {"scalars": {"name": ("heat", "salt"), "prandtl": (0.7, 3.0), "initial": ("conduction",) * 2,
                        "limiter": ("none", "koren"), "disturbance": (0.3, 0.1), "z_low": ("value",) * 2,
                        "z_high": ("value",) * 2, "z_low_value": (0.5, 0.7), "z_high_value": (-0.5, 0.2),
                        "unit": ("K", "1")},
            "buoyancy": {"expansion": (0, -0.6)}}
    case = kc.merge(CONVECTION, pair)
    result = kolmo.run(case)
    page, series = read(result.folder), result.series()
    late = series["time"] > 1.0 - 1e-9
    mean = {n: v[late].mean() for n, v in series.items() if v.shape == late.shape}
    nu, lift, drop = np.sqrt(0.7 / 2e4), {"heat": 1, "salt": -0.6}, {"heat": 1, "salt": 0.5}
    kappa = {"heat": nu / 0.7, "salt": nu / 3}
    for name, other in (("heat", "salt"), ("salt", "heat")):
        wanted = 1 + (mean["dissipation"] - lift[other] * mean[other + "_flux_z"]) / (
            lift[name] * kappa[name] * drop[name])
        check.below(f"{name}: Nusselt number by energy", abs(page[name + "_nusselt_energy"] / wanted - 1),
                    1e-11)
        by = [float(page[f"{name}_nusselt_{way}"]) for way in ("low", "high", "flux", "variance", "energy")]
        check.below("    its part in the spread", abs(page[name + "_nusselt_spread"] * abs(np.mean(by))
                                                     - (max(by) - min(by)) * np.sign(np.mean(by))), 1e-10)
    width = np.diff(page["z_bounds"], axis=1)[:, 0]
    check.below("work of both over the height", abs(
        (width * page["k_buoyancy_production"]).sum() / mean["buoyancy_work"] - 1), 1e-11)
    case = kc.merge(case, {"buoyancy": {"gravity": (0.1, 0, -1.0)}, "run": {"steps_max": 21}})
    check.holds("not with tilted gravity", "heat_nusselt_energy" not in read(kolmo.run(case).folder))


STREAM = {
    "run": {"t_end": 3.0}, "grid": {"n": (4, 4, 16), "length": (1.0, 1.0, 2.0),
                                    "stretching": ("uniform", "uniform", "tanh"),
                                    "stretching_factor": (0.0, 0.0, 1.2)},
    "fluid": {"nu": 0.5}, "time": {"dt": 0.01, "diffusion": "implicit-z"},
    "boundary": {"z_low": "wall", "z_high": "wall"}, "initial": {"type": "uniform", "velocity": (1.0, 0, 0)},
    "forcing": {"type": "bulk-velocity", "value": 1.0, "direction": "x"}, "pressure": {"tolerance": 1e-13},
    "scalars": {"name": "heat", "prandtl": 0.7, "initial_value": 0.3, "bulk_source": 1.5,
                "z_low": "value", "z_high": "value"},
    "statistics": {"start": 0.2, "interval": 1}, "output": {"log_interval": 1000}}


def in_frame(case, walls, bulk=1.0, frame=0.8):
    """The same flow from a frame that moves along x: the velocity of its walls, its bulk velocity against
    them, and the velocity of the frame."""
    source, along = case["scalars"]["bulk_source"], case["forcing"]["direction"]
    return kc.merge(case, {
        "boundary": {w + "_velocity": tuple(-frame * (d == along) for d in AXIS) for w in walls},
        "forcing": {"value": bulk - frame}, "initial": {"velocity": (bulk - frame, 0, 0)},
        "scalars": {"bulk_source": source * (bulk - frame) / bulk, "source": source * frame / bulk}})


def mixed(page, walls):
    """The mixed mean of heat by the profiles of u and T, against the velocity of the walls."""
    width = np.diff(page["z_bounds"], axis=1)[:, 0]
    past = page["U"] - walls
    return (width * (page["heat_u"] + page["heat"] * past)).sum() / (width * past).sum()


def moving_frame(kolmo, check):
    """Mixed mean and Nusselt number in a frame that moves with the stream are those of walls at rest: of
    channels, open channels and ducts, with their error bars. Where walls move differently, the mixed mean
    stays that of the frame."""
    slip = {"boundary": {"z_high": "slip"}, "scalars": {"z_high": "flux", "z_high_value": 0.0}}
    duct = {"grid": {"n": (2, 8, 10)}, "time": {"diffusion": "implicit"},
            "boundary": {"y_low": "wall", "y_high": "wall"}, "scalars": {"y_low": "value", "y_high": "value"}}
    for words, more, walls, numbers in (
            ("channel", {}, ("z_low", "z_high"), ("bulk", "nusselt_bulk", "tau", "volume_mean")),
            ("open channel", slip, ("z_low",), ("bulk", "tau", "volume_mean")),
            ("duct", duct, ("y_low", "y_high", "z_low", "z_high"), ("bulk", "nusselt", "volume_mean"))):
        case = kc.merge(STREAM, more)
        rest, moves = (read(kolmo.run(c).folder) for c in (case, in_frame(case, walls)))
        for name in numbers:
            a, b = float(rest["heat_" + name]), float(moves["heat_" + name])
            check.near(f"{words}: {name}", b / a, 1, 1e-11)
            a, b = (float(page[f"heat_{name}_error"]) for page in (rest, moves))
            check.near("    its error bar", b / a, 1, 1e-7)
        if words != "duct":
            check.near("    by the profiles", float(moves["heat_bulk"]), mixed(moves, -0.8), 1e-12)
    apart = kc.merge(in_frame(STREAM, ("z_low",)), {"boundary": {"z_high_velocity": (0.3, 0, 0)}})
    page = read(kolmo.run(apart).folder)
    check.near("walls that move differently", float(page["heat_bulk"]) / mixed(page, 0), 1, 1e-12)
    rough = kc.merge(in_frame(STREAM, ("z_low", "z_high")), {
        "run": {"steps_max": 20}, "fluid": {"nu": 0.01}, "grid": {"n": (12, 10, 12)},
        "initial": {"type": "channel"}, "scalars": {"disturbance": 0.2}, "statistics": {"start": 0.0}})
    whole = kolmo.run(rough)
    page = read(whole.folder)
    check.near("a flow that varies", float(page["heat_bulk"]) / mixed(page, -0.8), 1, 1e-12)
    first = kolmo.run(kc.merge(rough, {"run": {"steps_max": 10}}))
    rest = kolmo.run(kc.merge(rough, {"statistics": {"start": 0.1 + 1e-6}}), "--restart",
                     kc.checkpoint_path(first.folder, 10))
    out = kolmo.place("merged")
    kolmo.other("kolmo-merge").call("--out", out, first.folder, rest.folder)
    for name in ("heat_bulk", "heat_nusselt_bulk"):
        check.near(f"    kolmo-merge: {name}", float(read(out)[name]) / float(page[name]), 1, 1e-11)


def ends_by_error(kolmo, check):
    """stop_when ends a run by the error of a number of a scalar; one that a flow lacks is refused."""
    small = kc.merge(CONVECTION, {"run": {"steps_max": 40}, "grid": {"n": (6, 6, 8)}, "statistics": {
        "start": 0.0, "stop_error": 1e9}})
    for name in ("low", "high", "flux", "variance", "energy") if kolmo.options.long else ("flux", "energy"):
        result = kolmo.run(kc.merge(small, {"statistics": {"stop_when": "nusselt_" + name}}))
        check.says("nusselt_" + name, result.out, "finished: step 32",
                   f"is met: {float(read(result.folder)['heat_nusselt_' + name]):.6g} +- ")
    again = kc.merge(small, {"statistics": {"stop_when": "nusselt_low", "stop_error": 1e-9}})
    check.says("a smaller error takes longer", kolmo.run(again).out, "finished: step 40")
    box = {"run": {"steps_max": 40}, "grid": {"n": (6, 6, 6)}, "fluid": {"nu": 0.1}, "time": {"dt": 1e-3},
           "initial": {"type": "taylor-green"},
           "scalars": {"name": ("dye", "heat"), "prandtl": (1.0, 1.0), "disturbance": (1.0, 0.2)},
           "statistics": {"start": 0.0, "interval": 1, "stop_error": 1e9, "stop_scalar": 2}}
    for name in ("variance", "variance_dissipation"):
        result = kolmo.run(kc.merge(box, {"statistics": {"stop_when": "scalar_" + name}}))
        check.says("scalar_" + name, result.out,
                   f"is met: {float(read(result.folder)['heat_' + name]):.6g} +- ", ", of the scalar heat")
    for case, words in (
            (kc.merge(small, {"statistics": {"stop_when": "nusselt_bulk"}}), "a drive or a moving wall"),
            (kc.merge(small, {"statistics": {"stop_when": "scalar_variance"}}), "or a Nusselt number"),
            (kc.merge(small, {"statistics": {"stop_when": "nusselt_low", "stop_scalar": 2}}), "there is 1"),
            (kc.merge(small, {"statistics": {"stop_when": "u_b", "stop_scalar": 2}}), "has no effect"),
            (kc.merge(small, {"statistics": {"stop_when": "nusselt_energy"},
                              "buoyancy": {"gravity": (1.0, 0, 0)}}), "gravity along their normal"),
            (kc.merge(box, {"statistics": {"stop_when": "nusselt_low"}}), "or 'scalar_variance'")):
        told = kolmo.run(case, "--check", rc=2).text
        check.says("refused", told, "case.nml:", "statistics.stop_", words)


def limiter(kolmo, check):
    """With a limiter, the total flux carries what the mean gains, and the remainder of the variance's budget
    is the numerical dissipation of series.nc."""
    case = kc.merge(CONVECTION, {"scalars": {"limiter": "koren"}, "run": {"steps_max": 41},
                                 "statistics": {"start": 2.0 + 1e-9}, "checkpoint": {"interval": 40},
                                 "time": {"dt": 0.05}, "output": {"series_interval": 1}})
    first = kolmo.run(kc.merge(case, {"run": {"steps_max": 40}, "statistics": {"start": 5.0}}))
    last = kolmo.run(kc.merge(case, {"time": {"dt": 1e-5}}), "--restart",
                     kc.checkpoint_path(first.folder, 40))
    page, series = read(last.folder), last.series()
    start, end = first.checkpoint(40), last.checkpoint()
    width = end.width[2]
    gain = (end.fields["heat"].mean(axis=(1, 2)) - start.fields["heat"].mean(axis=(1, 2))) / 1e-5
    check.below("gain of the mean", abs(gain + np.diff(page["heat_total_flux"]) / width).max()
                / abs(gain).max(), 1e-3)
    lost = -(width * page["heat_variance_convective_remainder"]).sum() / 2
    check.near("numerical dissipation", lost / series["heat_numerical_dissipation"][-1], 1, 1e-6)


TURNING = {"forcing": {"rotation": (0.3, -0.4, 0.6)}}


def repeats(kolmo, check):
    """The same bits on any ranks, in walls of each direction, after a restart, and from stored flows."""
    layouts = (("z", (1, 2, 2)), ("x", (2, 1, 1)), ("y", (1, 2, 1)))
    for normal, ranks in layouts if kolmo.options.long else layouts[:2]:
        case = case_of(normal, {"run": {"steps_max": 3}}, TURNING)
        whole = kolmo.run(case)
        other = kolmo.run(kc.merge(case, {"grid": {"ranks": ranks}}), ranks=int(np.prod(ranks)))
        check.same(f"walls in {normal}, {ranks} ranks", differing(whole.folder, other.folder))
    case = case_of("z", {"run": {"steps_max": 4}, "checkpoint": {"interval": 1, "keep": 20}}, TURNING)
    whole = kolmo.run(case)
    first = kolmo.run(kc.merge(case, {"run": {"steps_max": 2}}))
    rest = kolmo.run(case, "--restart", kc.checkpoint_path(first.folder, 2), ranks=2)
    check.same("restarted on two ranks", differing(whole.folder, rest.folder))
    again = kolmo.place("again")
    kolmo.other("kolmo-stats").call(whole.folder, "--out", again)
    a, b = read(whole.folder), read(again)
    check.same("kolmo-stats", [n for n in a if n not in b or a[n].tobytes() != b[n].tobytes()])


def merged(kolmo, check):
    """kolmo-merge makes the file of a run from the files of its halves."""
    case = case_of("z", {"run": {"steps_max": 20}}, TURNING)
    whole = kolmo.run(case)
    first = kolmo.run(kc.merge(case, {"run": {"steps_max": 10}}))
    rest = kolmo.run(kc.merge(case, {"statistics": {"start": 0.1 + 1e-6}}), "--restart",
                     kc.checkpoint_path(first.folder, 10))
    out = kolmo.place("merged")
    kolmo.other("kolmo-merge").call("--out", out, first.folder, rest.folder)
    a, b = read(whole.folder), read(out)
    for name in ("heat", "heat_variance", "salt_w_production", "heat_variance_dissipation", "uu_rotation",
                 "vw_rotation", "heat_u_rotation"):
        check.below(f"merged: {name}", np.nanmax(abs(a[name] - b[name])) / np.nanmax(abs(a[name])), 1e-12)


BOX = {"run": {"steps_max": 8, "seed": 2},
       "grid": {"n": (12, 10, 14), "length": (6.0, 5.0, 7.0), "stretching": ("sine",) * 3,
                "stretching_factor": (0.3, 0.2, 0.4)},
       "fluid": {"nu": 0.05}, "time": {"dt": 0.03},
       "initial": {"type": "taylor-green", "velocity": (0.4, -0.3, 0.2)},
       "pressure": {"tolerance": 1e-11},
       "scalars": {"name": ("dye", "heat"), "prandtl": (1.0, 0.7), "disturbance": (1.0, 0.0),
                   "initial_value": (0.5, 0.0), "waves": (1, 1, 2, 0, 0, 0),
                   "mean_gradient": (0.0, 0.0, 0.0, 0.3, 0.0, -0.5)},
       "statistics": {"start": 0.0, "interval": 1}, "checkpoint": {"at_end": True}}


def in_box(kolmo, check):
    """Moments in a stretched periodic box against numpy; ranks, restart."""
    end = BOX["run"]["steps_max"] * BOX["time"]["dt"]
    result = kolmo.run(kc.merge(BOX, {"statistics": {"start": end - 1e-9}}))
    page, c = read(result.folder), result.checkpoint()
    for n, name in enumerate(("dye", "heat")):
        t, kappa = c.fields[name], 0.05 / BOX["scalars"]["prandtl"][n]
        mean = c.mean(name, t)
        prime = t - mean
        variance = c.mean(name, prime**2)
        wanted = {"": mean, "_variance": variance, "_rms": variance**0.5,
                  "_skewness": c.mean(name, prime**3) / variance**1.5,
                  "_flatness": c.mean(name, prime**4) / variance**2}
        squares = production = 0
        for d, part in enumerate("uvw"):
            u, low, gap = c.velocity[d], kc.down(prime, d), kc.along(c.gap[d], d)
            flux = c.mean(name, 0.5 * (u + kc.up(u, d)) * prime)
            slope = (prime - low) / gap
            square = c.mean(part, slope**2)
            strain = (kc.up(u, d) - u) / kc.along(c.width[d], d)
            mixed = c.mean(name, strain * 0.5 * (slope**2 + kc.up(slope, d) ** 2))
            axis = "xyz"[d]
            wanted.update({
                f"_{part}": flux,
                f"_{part}_correlation": flux / (variance * c.mean(part, (u - c.mean(part, u)) ** 2)) ** 0.5,
                f"_d{axis}_squared": square, f"_d{axis}_skewness": c.mean(part, slope**3) / square**1.5,
                f"_d{axis}_flatness": c.mean(part, slope**4) / square**2,
                f"_d{axis}_mixed_skewness": mixed / c.mean(name, strain**2) ** 0.5 / square})
            squares += square
            production -= 2 * BOX["scalars"]["mean_gradient"][3 * n + d] * flux
        wanted["_variance_dissipation"] = 2 * kappa * squares
        wanted["_taylor_length"] = (3 * variance / squares) ** 0.5
        wanted["_time_ratio"] = (float(page["k"]) / float(page["dissipation"]) * 2 * kappa * squares
                                 / variance)
        if production:
            wanted["_variance_gradient_production"] = production
        for end, value in wanted.items():
            check.near(f"{name}{end}", float(page[name + end]), value, 1e-10 * max(abs(value), 1e-3))
        check.near(f"{name}: numbers of series.nc", float(page[name + "_variance"]),
                   result.series()[name + "_variance"][-1], 1e-12)
    check.holds("no production without a gradient", "dye_variance_gradient_production" not in page)
    whole = kolmo.run(BOX)
    other = kolmo.run(kc.merge(BOX, {"grid": {"ranks": (1, 2, 1)}}), ranks=2)
    check.same("2 ranks", differing(whole.folder, other.folder))
    first = kolmo.run(kc.merge(BOX, {"run": {"steps_max": 4}}))
    rest = kolmo.run(BOX, "--restart", kc.checkpoint_path(first.folder, 4))
    check.same("restarted", differing(whole.folder, rest.folder))


CELLS = kc.merge(case_of("z"), {
    "run": {"steps_max": 6}, "checkpoint": {"interval": 1, "keep": 20},
    "statistics": {"stress_budgets": None, "directions": "none"},
    "output": {"field_precision": "double", "log_interval": 1000}})


def arrays(folder):
    """The arrays of averages.h5 with their sums."""
    with h5py.File(os.path.join(folder, "averages.h5"), "r") as file:
        found = {}
        file.visititems(lambda k, v: found.update({k: v[...]}) if isinstance(v, h5py.Dataset) else None)
        return found


def by_name(found, name):
    """The array of this name, wherever it is in the file."""
    return next(v for k, v in found.items() if k.split("/")[-1] == name)


def other_arrays(one, other):
    """Names of arrays that differ, bit for bit."""
    a, b = arrays(one), arrays(other)
    return [n for n in sorted(set(a) | set(b))
            if n not in a or n not in b or a[n].tobytes() != b[n].tobytes()]


def in_cells(kolmo, check):
    """Averages in every cell, and along y: of the stored flows with numpy; restart, ranks, stored flows."""
    run = kolmo.run(CELLS)
    found, flows = arrays(run.folder), [run.checkpoint(n).fields for n in range(1, 7)]
    weight = np.full(6, 1 / 6)
    centred = []
    for f in flows:
        u = [0.5 * (f["u"] + np.roll(f["u"], -1, 2)), 0.5 * (f["v"] + np.roll(f["v"], -1, 1)),
             0.5 * (f["w"] + np.concatenate((f["w"][1:], 0 * f["w"][:1])))]
        centred.append(u)
    for name in ("heat", "salt"):
        t = np.array([f[name] for f in flows])
        mean = np.tensordot(weight, t, 1)
        check.below(f"mean of {name}", abs(by_name(found, name) - mean).max(), 1e-13)
        check.below(f"variance of {name}", abs(by_name(found, name + "_variance")
                                               - np.tensordot(weight, (t - mean) ** 2, 1)).max(), 1e-13)
        for d, part in enumerate(PART):
            u = np.array([q[d] for q in centred])
            flux = np.tensordot(weight, (t - mean) * (u - np.tensordot(weight, u, 1)), 1)
            check.below(f"flux of {name} along {AXIS[d]}", abs(by_name(found, f"{name}_{part}") - flux).max(),
                        1e-13)
    units = kolmo.run(kc.merge(CELLS, {"scalars": {"unit": ("K", "mol/L")}}))
    with h5py.File(os.path.join(units.folder, "averages.h5"), "r") as file:
        for name, wanted in (("heat", ("K", None)), ("heat_variance", ("K2", None)),
                             ("heat_u", ("1", "K U")), ("salt", ("mol/L", None)),
                             ("salt_variance", ("(mol/L)^2", None)), ("salt_w", ("1", "mol/L U"))):
            words = {k: bytes(v).decode() for k, v in file[name].attrs.items() if k in ("units", "scaling")}
            check.equal(f"units of {name}", (words["units"], words.get("scaling")), wanted)
    other = kolmo.run(kc.merge(CELLS, {"grid": {"ranks": (1, 2, 1)}}), ranks=2)
    check.same("2 ranks", other_arrays(run.folder, other.folder))
    first = kolmo.run(kc.merge(CELLS, {"run": {"steps_max": 3}}))
    rest = kolmo.run(CELLS, "--restart", kc.checkpoint_path(first.folder, 3))
    check.same("restarted", other_arrays(run.folder, rest.folder))
    again = kolmo.place("again")
    kolmo.other("kolmo-stats").call(run.folder, "--out", again)
    check.same("kolmo-stats", other_arrays(run.folder, again))
    along = arrays(kolmo.run(kc.merge(CELLS, {"statistics": {"directions": "y"}})).folder)
    t = np.array([f["heat"] for f in flows])
    wide = np.asarray(run.checkpoint().width[1])[:, None]
    line = np.tensordot(weight, (t * wide).sum(axis=2) / wide.sum(), 1)
    check.below("mean of heat along y", abs(by_name(along, "heat")[:, 0, :] - line).max(), 1e-13)
    light = {k: v for k, v in CELLS.items() if k != "buoyancy"}
    plain = {k: v for k, v in light.items() if k != "scalars"}
    first = kolmo.run(kc.merge(plain, {"run": {"steps_max": 2}}))
    taken = kolmo.run(kc.merge(light, {"run": {"steps_max": 4}}), "--restart",
                      kc.checkpoint_path(first.folder, 2))
    check.says("scalars that a checkpoint lacks", taken.text, "begin with their initial values", "averages")
    check.equal("    samples", int(by_name(arrays(taken.folder), "samples").max()), 2)


if __name__ == "__main__":
    kc.main(__doc__.split("\n")[0],
            [against_numpy, work_of_buoyancy, turning, at_its_time, nusselt, nusselt_of_two, moving_frame,
             ends_by_error, limiter, repeats, merged, in_cells, in_box])

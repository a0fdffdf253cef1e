#!/usr/bin/env python3
"""Scalars on bodies with a value: against a reference in numpy, against exact solutions with their order, the
balance with the flux through each body, the same bits on any layout and after a restart, refusals.

Would catch: a wall distance of the wrong side, cell or direction, a weight of another spacing on a stretched
grid, a wall term of first order in time, a flux that is not the one which the scheme used, a body that gets
the value of another or whose cells change, a cell inside a body that counts in a mean, a body on faces of
cells that differs from a wall of the grid, a surface that turns and makes a scalar."""
import math
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
from kolmo_case import X, Y, Z  # noqa: E402

kc.LOCATION.update({"heat": "ccc", "dye": "ccc", "salt": "ccc"})
ROUNDING = 1e-12


def fluxes(folder, name="heat"):
    return kc.read_fields(os.path.join(folder, "bodies.nc"))[name + "_flux"]


# --- the reference: spheres in a fluid at rest, each cell on its own ---

LENGTH = (1.2, 1.0, 0.9)
SPHERES = [((0.35, 0.52, 0.47), 0.21, 1.0), ((0.62, 0.55, 0.43), 0.055, -0.5),
           ((0.85, 0.31, 0.52), 0.16, None)]
STILL = {"run": {"steps_max": 2},
         "grid": {"n": (14, 12, 10), "length": LENGTH, "stretching": ("sine", "tanh", "sine"),
                  "stretching_factor": (0.25, 0.7, 0.2)},
         "fluid": {"nu": 0.02}, "boundary": {"y_low": "wall", "y_high": "wall"}, "initial": {"type": "rest"},
         "bodies": {"shape": ("sphere",) * 3, "centre": sum((s[0] for s in SPHERES), ()),
                    "size": sum(((2 * s[1], 0.0, 0.0) for s in SPHERES), ())},
         "scalars": {"name": "heat", "diffusivity": 0.05, "initial_value": 0.3, "disturbance": 0.2,
                     "waves": (1, 2, 1), "source": 0.4, "y_low": "value", "y_low_value": 0.2,
                     "body_value": (1.0, -0.5)}}


class Reference:
    """The diffusion of STILL as a list of links of each cell, by the geometry of spheres alone."""

    def __init__(self, c):
        self.face = c.face
        self.centre = [0.5 * (f[1:] + f[:-1]) for f in c.face]
        self.width = [np.diff(f) for f in c.face]
        self.n = [len(w) for w in self.width]
        self.kappa = 0.05
        self.cells()

    def distance(self, d, i):
        """From centre i to the one above it; at a wall twice the distance of the wall."""
        n, x = self.n[d], self.centre[d]
        if 0 <= i < n - 1:
            return x[i + 1] - x[i]
        if d == Y:
            return self.width[d][0 if i < 0 else -1]
        return x[0] + LENGTH[d] - x[-1]

    def place(self, i):
        return np.array([self.centre[d][i[d]] for d in range(3)])

    @staticmethod
    def owner(x):
        for n, (centre, radius, _) in enumerate(SPHERES):
            delta = np.array(x) - np.array(centre)
            delta -= np.round(delta / np.array([LENGTH[0], 1e9, LENGTH[2]])) * np.array(LENGTH)
            if np.dot(delta, delta) <= radius**2:
                return n
        return -1

    @staticmethod
    def first_wall(x, d, sign, length):
        """The nearest sphere that a line meets: its distance and number."""
        best = (None, None)
        for n, (centre, radius, _) in enumerate(SPHERES):
            delta = np.array(x) - np.array(centre)
            delta -= np.round(delta / np.array([LENGTH[0], 1e9, LENGTH[2]])) * np.array(LENGTH)
            b, off = sign * delta[d], np.dot(delta, delta) - radius**2
            if b * b < off:
                continue
            for t in (-b - math.sqrt(b * b - off), -b + math.sqrt(b * b - off)):
                if 0 < t <= length * (1 + 1e-12) and (best[0] is None or t < best[0]):
                    best = (t, n)
        return best

    def side(self, i, d, high):
        """(kind, distance, neighbour, value, body, whether the face is open)."""
        sign = 1 if high else -1
        j = list(i)
        j[d] += sign
        h = self.distance(d, i[d] if high else i[d] - 1)
        face = self.place(i)
        face[d] = self.face[d][i[d] + high]
        if d == Y and not 0 <= j[d] < self.n[d]:
            return ("beyond", h, j[d] < 0, None, None, True)
        j[d] %= self.n[d]
        opened, behind = self.owner(face) < 0, self.owner(self.place(j))
        held = behind >= 0 and SPHERES[behind][2] is not None
        if opened and not held:
            return ("fluid", h, tuple(j), None, None, True)
        solid = self.owner(self.place(i)) >= 0
        distance, body = (0, -1) if solid else self.first_wall(self.place(i), d, sign, h)
        if body is not None and body >= 0 and SPHERES[body][2] is not None:
            return ("wall", distance, tuple(j), SPHERES[body][2], body, opened)
        return ("plain", h, tuple(j), SPHERES[behind][2], behind, True) if opened else \
            ("shut", h, None, None, None, False)

    def cells(self):
        """Per cell that is not held: a list of (weight, what), and drag, and the mean on the wall."""
        self.row = {}
        for i in np.ndindex(*self.n):
            body = self.owner(self.place(i))
            if body >= 0 and SPHERES[body][2] is not None:
                continue
            sides = [[self.side(i, d, high) for high in (False, True)] for d in range(3)]
            if not any(s[5] for pair in sides for s in pair):
                continue
            self.row[i] = self.make_row(i, sides)

    def make_row(self, i, sides):
        explicit, drags = [], []  # (weight, neighbour or value, body) ; (drag, value, body)
        for d in range(3):
            w = self.width[d][i[d]]
            h = [self.distance(d, i[d] - 1), self.distance(d, i[d])]
            for n in (0, 1):
                kind, reach, where, value, body, opened = sides[d][n]
                other = sides[d][1 - n]
                if kind == "fluid":
                    explicit.append((1 / (w * h[n]), where, None))
                elif kind == "beyond" and where:  # a value at the low end of y, nothing at the high end
                    explicit.append((1 / (w * h[n]), "ghost", None))
                elif kind == "plain":
                    explicit.append((1 / (w * h[n]), where, body))
                elif kind == "wall":
                    beside = {"wall": other[1], "fluid": h[1 - n], "beyond": h[1 - n]}.get(other[0])
                    r = (h[0] + h[1]) / (reach + beside) if beside is not None else 1.0
                    plain = 1 / (w * h[n]) if opened else 0.0
                    half = (r - 1) / (w * h[1 - n]) if other[0] in ("fluid", "beyond") else 0.0
                    if opened:
                        explicit.append((plain, where, body))
                    if half:
                        explicit.append((half, ("against", other[2] if other[0] == "fluid" else None, value,
                                                other[0] == "beyond" and other[2]), body))
                    drags.append((r / (w * reach) - plain + half, value, body))
        return explicit, drags

    def rate(self, q, i):
        """Explicit part over kappa, in all and through each body."""
        total, through = 0.0, [0.0] * len(SPHERES)
        ghost = 2 * 0.2 - q[i]
        for weight, what, body in self.row[i][0]:
            if what == "ghost":
                term = weight * (ghost - q[i])
            elif isinstance(what[0], str):
                away = q[what[1]] if what[1] is not None else ghost if what[3] else q[i]
                term = weight * (away - what[2])
            else:
                term = weight * (q[what] - q[i])
            total += term
            if body is not None:
                through[body] += term
        return total, through

    def step(self, q, dt, scheme):
        """One step, and what each body has brought, over the volume of a cell and in all."""
        stages = {"rk3-half": ((1 / 2, 0, 1 / 2), (1 / 2, 0, 1 / 2), (1, 0, 1)),
                  "rk3-wray": ((8 / 15, 0, 8 / 15), (5 / 12, -17 / 60, 2 / 15),
                               (3 / 4, -5 / 12, 1 / 3))}[scheme]
        start, old, passed = q.copy(), {}, np.zeros(len(SPHERES))
        for a, a_old, c in stages:
            base = start if scheme == "rk3-half" else q
            out = q.copy()
            if scheme == "rk3-half":
                passed[:] = 0
            for i, (_, drags) in self.row.items():
                total, through = self.rate(q, i)
                volume = np.prod([self.width[d][i[d]] for d in range(3)])
                before = old.get(i, (0.0, [0.0] * len(SPHERES)))
                rate = self.kappa * total + 0.4
                value = base[i] + dt * (a * rate + a_old * before[0])
                z = dt * c * self.kappa * sum(k[0] for k in drags)
                beta = 0.5 if z <= 2 else 1 - 1 / z
                mean = sum(k[0] * k[1] for k in drags) / sum(k[0] for k in drags) if drags else 0
                value = (value - (1 - beta) * z * (base[i] - mean) + beta * z * mean) / (1 + beta * z)
                for n in range(len(SPHERES)):
                    passed[n] += volume * dt * self.kappa * (a * through[n] + a_old * before[1][n])
                for drag, wall, body in drags:
                    passed[body] += volume * dt * c * self.kappa * drag * (
                        beta * (wall - value) + (1 - beta) * (wall - base[i]))
                out[i] = value
                old[i] = (rate, through)
            q = out
        return q, passed / dt


def reference(kolmo, check):
    """A step beside spheres with two values and one without, on a grid stretched in all directions, against
    the reference; the fluxes through them, the mean and the dissipation of the variance."""
    r = None
    for scheme in ("rk3-half", "rk3-wray"):
        case = kc.merge(STILL, {"time": {"scheme": scheme, "dt": 0.008}, "checkpoint": {"interval": 1}})
        run = kolmo.run(case)
        r = r or Reference(run.checkpoint(1))
        check.above("cells with a wall", float(sum(1 for row in r.row.values() if row[1])), 50)
        wanted, flux = r.step(np.transpose(run.checkpoint(1).fields["heat"]), 0.008, scheme)
        found = np.transpose(run.checkpoint(2).fields["heat"])  # fields are stored with x last
        check.below(f"{scheme}: a step", float(abs(found - wanted).max()), ROUNDING)
        check.below("    flux through each body", float(abs(fluxes(run.folder)[1] - flux).max()), ROUNDING)
        weight = np.array([np.prod([r.width[d][i[d]] for d in range(3)]) for i in r.row])
        value = np.array([found[i] for i in r.row])
        mean = float((weight * value).sum() / weight.sum())
        series = run.series()
        check.near("    mean of the cells that no body holds", series["heat_mean"][-1], mean, ROUNDING)
        lost = 0.0
        for i, w in zip(r.row, weight):  # as the rate of sum V theta^2/2, each wall at its own value
            at = found[i]
            for k, what, body in r.row[i][0]:
                if what == "ghost":
                    lost += w * k * 0.5 * (2 * (0.2 - at))**2
                elif isinstance(what[0], str):
                    away = found[what[1]] if what[1] is not None else 0.4 - at if what[3] else at
                    lost += w * k * (what[2] - at) * (away - what[2])
                elif body is None:
                    lost += w * k * 0.5 * (found[what] - at)**2
                else:
                    lost += w * k * (SPHERES[body][2] - at) * (found[what] - at)
            lost += sum(w * drag * (wall - at)**2 for drag, wall, _ in r.row[i][1])
        check.near("    dissipation", series["heat_dissipation"][-1], 0.05 * lost / weight.sum(), ROUNDING)


# --- exact solutions ---

def annulus(n, centre):
    """A hot cylinder in a cold one, two cells thick. The box round them covers itself many times along z."""
    h = 1.2 / n
    return {"run": {"steps_max": round(0.35 / (0.15 * h * h))}, "output": {"log_interval": 100000},
                     "grid": {"n": (n, n, 2), "length": (1.2, 1.2, 2 * h)}, "fluid": {"nu": 0.1},
                     "initial": {"type": "rest"}, "time": {"dt": 0.15 * h * h},
                     "bodies": {"shape": ("box", "cylinder", "cylinder"), "operation": ("add", "cut", "add"),
                                "centre": (0.6, 0.6, h, *centre, h, *centre, h),
                                "size": (1.2, 1.2, 10.0, 0.9, 0.0, 0.0, 0.36, 0.0, 0.0)},
                     "scalars": {"name": "heat", "diffusivity": 1.0, "body_value(1,1)": 0.0,
                                 "body_value(3,1)": 1.0}}


def concentric_cylinders(kolmo, check):
    """Steady conduction: the temperature and the fluxes through both cylinders, of second order."""
    errors, sizes = [], (16, 32)
    for n in sizes:
        run = kolmo.run(annulus(n, (0.51, 0.497)))
        c = run.checkpoint()
        x, y = 0.5 * (c.face[X][1:] + c.face[X][:-1]), 0.5 * (c.face[Y][1:] + c.face[Y][:-1])
        r = np.hypot(x[None, :] - 0.51, y[:, None] - 0.497)
        between = (r > 0.18) & (r < 0.45)
        exact = np.log(r / 0.45) / math.log(0.18 / 0.45)
        errors.append(float(np.sqrt(((c.fields["heat"][0] - exact)[between]**2).mean())))
        flux = fluxes(run.folder)[-1] * math.log(0.45 / 0.18) / (2 * math.pi * 2 * 1.2 / n)
        check.near(f"n = {n}: flux of the hot cylinder over the exact one", flux[2], 1.0, 0.4 / n)
        check.near("    and of the cold one", flux[0], -1.0, 0.4 / n)
        held = c.fields["heat"][0]
        check.holds("    values in the bodies", np.all(held[r < 0.179] == 1) and np.all(held[r > 0.451] == 0))
    order = math.log(errors[0] / errors[1]) / math.log(2)
    check.near(f"order (rms errors {errors[0]:.2e}, {errors[1]:.2e})", order, 2.0, 0.15)


def concentric_spheres(kolmo, check):
    """The same between two spheres."""
    errors, sizes = [], (12, 24)
    for n in sizes:
        h = 1.0 / n
        run = kolmo.run({"run": {"steps_max": round(1 / (h * h))}, "output": {"log_interval": 100000},
                         "grid": {"n": (n, n, n), "length": (1.0, 1.0, 1.0)}, "fluid": {"nu": 0.1},
                         "initial": {"type": "rest"}, "time": {"dt": 0.12 * h * h},
                         "bodies": {"shape": ("box", "sphere", "sphere"), "operation": ("add", "cut", "add"),
                                    "centre": (0.5, 0.5, 0.5, 0.51, 0.497, 0.505, 0.51, 0.497, 0.505),
                                    "size": (1.0, 1.0, 1.0, 0.9, 0.0, 0.0, 0.4, 0.0, 0.0)},
                         "scalars": {"name": "heat", "diffusivity": 1.0, "body_value(1,1)": 0.0,
                                     "body_value(3,1)": 1.0}})
        c = run.checkpoint()
        x, y, z = (0.5 * (f[1:] + f[:-1]) for f in c.face)
        r = np.sqrt((x[None, None, :] - 0.51)**2 + (y[None, :, None] - 0.497)**2
                    + (z[:, None, None] - 0.505)**2)
        between = (r > 0.2) & (r < 0.45)
        exact = (1 / r - 1 / 0.45) / (1 / 0.2 - 1 / 0.45)
        errors.append(float(np.sqrt(((c.fields["heat"] - exact)[between]**2).mean())))
        flux = fluxes(run.folder)[-1] * (1 / 0.2 - 1 / 0.45) / (4 * math.pi)
        check.near(f"n = {n}: flux of the hot sphere over the exact one", flux[2], 1.0, 0.4 / n)
        check.near("    and of the cold one", flux[0], -1.0, 0.4 / n)
    order = math.log(errors[0] / errors[1]) / math.log(2)
    check.near(f"order (rms errors {errors[0]:.2e}, {errors[1]:.2e})", order, 2.0, 0.25)


def like_walls(kolmo, check):
    """A heated flow between two bodies whose surfaces lie on faces of cells is the one between two walls of
    the grid, to rounding."""
    flow = {"run": {"steps_max": 40}, "fluid": {"nu": 0.05}, "time": {"dt": 0.005},
            "pressure": {"tolerance": 1e-12}, "initial": {"type": "rest"},
            "forcing": {"type": "pressure-gradient", "value": 1.0},
            "scalars": {"name": "heat", "diffusivity": 0.03, "source": 0.5, "disturbance": 0.2,
                        "waves": (1, 0, 0)}}
    walls = kolmo.run(kc.merge(flow, {
        "grid": {"n": (8, 4, 12), "length": (2.0, 1.0, 1.5)}, "boundary": {"z_low": "wall", "z_high": "wall"},
        "scalars": {"z_low": "value", "z_low_value": 1.0, "z_high": "value", "z_high_value": -0.5}}))
    bodies = kolmo.run(kc.merge(flow, {
        "grid": {"n": (8, 4, 20), "length": (2.0, 1.0, 2.5)},
        "bodies": {"shape": ("box", "box"), "centre": (1.0, 0.5, 0.25, 1.0, 0.5, 2.25),
                   "size": (2.0, 1.0, 0.5, 2.0, 1.0, 0.5)},
        "scalars": {"body_value": (1.0, -0.5)}}))
    one, other = walls.checkpoint().fields["heat"], bodies.checkpoint().fields["heat"][4:16]
    check.below("largest difference", float(abs(one - other).max()), 1e-13)
    a, b = walls.series(), bodies.series()
    for name in ("mean", "variance", "dissipation"):
        check.near(f"    {name}", b["heat_" + name][-1], a["heat_" + name][-1], 1e-12)


# --- balances in a flow ---

FLOW = {"run": {"steps_max": 20}, "output": {"log_interval": 100},
        "grid": {"n": (24, 20, 16), "length": (1.2, 1.0, 0.8), "stretching": ("sine", "uniform", "sine"),
                 "stretching_factor": (0.2, 0.0, 0.25)},
        "fluid": {"nu": 0.02}, "initial": {"type": "uniform", "velocity": (0.6, 0.3, 0.1)},
        "bodies": {"shape": ("sphere", "cylinder", "box"), "axis": ("z", "y", "z"),
                   "centre": (0.4, 0.5, 0.38, 0.9, 0.3, 0.4, 0.9, 0.75, 0.4),
                   "size": (0.3, 0.0, 0.0, 0.2, 0.0, 0.0, 0.2, 0.2, 0.2)},
        "pressure": {"tolerance": 1e-12}, "time": {"dt": 0.004},
        "scalars": {"name": ("heat", "dye", "salt"), "diffusivity": (0.03, 0.01, 0.05),
                    "initial_value": (0.1, 0.7, 0.7), "disturbance": (0.2, 0.0, 0.0),
                    "bodies": ("none", "value", "flux"), "bodies_value": (0.0, 0.7, 0.2),
                    "body_value": (1.0, -0.5)}}


def balance(kolmo, check):
    """The mean changes by the fluxes through the bodies to rounding, with both schemes; a scalar with the
    value of the bodies stays uniform; a body without a value takes nothing."""
    for scheme in ("rk3-half", "rk3-wray"):
        run = kolmo.run(kc.merge(FLOW, {"time": {"scheme": scheme}}))
        s, c = run.series(), run.checkpoint()
        flux = fluxes(run.folder)
        x, y, z = (0.5 * (f[1:] + f[:-1]) for f in c.face)
        held = (((x[None, None, :] - 0.4)**2 + (y[None, :, None] - 0.5)**2 + (z[:, None, None] - 0.38)**2
                 <= 0.15**2) | ((x[None, None, :] - 0.9)**2 + (z[:, None, None] - 0.4)**2 <= 0.1**2))
        volume = (np.diff(c.face[X])[None, None, :] * np.diff(c.face[Y])[None, :, None]
                  * np.diff(c.face[Z])[:, None, None])
        changed = np.diff(s["heat_mean"]) / 0.004
        size = s["heat_flux_bodies"][1:] / changed
        check.below(f"{scheme}: spread of flux over the change of the mean",
                    float(np.ptp(size)) / size[0], 1e-11)
        check.near("    which is the volume of the cells that no body holds", size[0],
                   float((volume * ~held).sum()), 0.01)
        check.below("    sum over the bodies", float(abs(flux.sum(1) - s["heat_flux_bodies"][1:]).max()),
                    1e-15)
        check.below("    flux of the body without a value", float(abs(flux[:, 2]).max()), 0.0)
        check.holds("    values in the bodies", set(np.unique(c.fields["heat"][held])) == {1.0, -0.5})
        check.below("    a uniform scalar", float(abs(c.fields["dye"] - 0.7).max()), 1e-11)
        check.below("    its flux", float(abs(fluxes(run.folder, "dye")).max()), 1e-12)


def given_fluxes(kolmo, check):
    """Fluxes given on bodies: the balance to rounding, what a body on faces of cells brings to rounding and
    spheres and cylinders with an order above 1.5, a body with a flux of its own; a wall of the grid."""
    box = {"run": {"steps_max": 3}, "grid": {"n": (12, 10, 8), "length": (1.2, 1.0, 0.8)},
           "fluid": {"nu": 0.02}, "initial": {"type": "uniform", "velocity": (0.6, 0.3, 0.1)},
           "time": {"dt": 0.004}, "pressure": {"tolerance": 1e-12},
           "bodies": {"shape": ("box", "box"), "centre": (0.3, 0.5, 0.4, 0.9, 0.5, 0.4),
                      "size": (0.2, 0.4, 0.2, 0.2, 0.2, 0.4)},
           "scalars": {"name": "heat", "diffusivity": 0.03, "bodies": "flux", "bodies_value": 0.7,
                       "body_value": (-0.3,)}}
    for scheme in ("rk3-half", "rk3-wray"):
        run = kolmo.run(kc.merge(box, {"time": {"scheme": scheme}}))
        flux, s = fluxes(run.folder), run.series()
        check.says(f"{scheme}: nothing balances them", run.text, "warning: scalar 'heat': bodies, faces and "
                   "sources bring 0.16 a unit of time, and nothing holds its value")
        checked = kolmo.run(kc.merge(box, {"time": {"scheme": scheme}}), "--check", ranks=2).out
        check.says("    by --check, too", checked, "warning: scalar 'heat': bodies, faces", "bring 0.16 ")
        check.below(f"{scheme}: flux of its own", abs(float(flux[-1, 0]) / (-0.3 * 0.4) - 1), 1e-13)
        check.below("    of all others", abs(float(flux[-1, 1]) / (0.7 * 0.4) - 1), 1e-13)
        brought = np.diff(s["heat_mean"]) * (1.2 * 1.0 * 0.8 - 2 * 0.016) / 0.004
        check.below("    the mean", float(abs(brought - s["heat_flux_bodies"][1:]).max()), 1e-13)
        check.below("    sum over the bodies", float(abs(flux.sum(1) - s["heat_flux_bodies"][1:]).max()),
                    1e-15)
    three = kolmo.run(kc.merge(box, {
        "run": {"steps_max": 1},
        "scalars": {"name": ("heat", "dye", "salt"), "diffusivity": (0.03,) * 3, "bodies": ("flux",) * 3,
                    "bodies_value": (0.7, 0.5, 0.5), "mean_gradient": (0.0,) * 6 + (0.2,)}})).text
    check.says("each of several scalars is told", three,
               "scalar 'heat': bodies, faces and sources bring 0.16",
               "scalar 'dye': bodies, faces and sources bring 0.4 ")
    check.holds("    not one whose mean gradient may balance it", "scalar 'salt'" not in three)
    for shape, size, area in (("sphere", 0.5, math.pi * 0.25), ("cylinder", 0.5, math.pi * 0.5 / 8)):
        errors = []
        for n in (16, 32, 64):
            deep = n if shape == "sphere" else 4
            high = 1.0 if deep == n else 0.125
            run = kolmo.run({"run": {"steps_max": 1}, "fluid": {"nu": 0.01}, "time": {"dt": 1e-4},
                             "grid": {"n": (n, n, deep), "length": (1.0, 1.0, high)},
                             "initial": {"type": "rest"},
                             "bodies": {"shape": shape, "centre": (0.511, 0.503, 0.507 * high),
                                        "size": (size, 0.0, 0.0)},
                             "scalars": {"name": "heat", "diffusivity": 0.01, "bodies": "flux",
                                         "bodies_value": 2.0}})
            errors.append(abs(float(fluxes(run.folder)[-1, 0]) / (2 * area) - 1))
        check.below(f"{shape}, 32 cells across: error {errors}", errors[2], 1e-3)
        check.above("    order", math.log2(errors[0] / errors[2]) / 2, 1.5)
    flow = {"run": {"steps_max": 40}, "fluid": {"nu": 0.05}, "time": {"dt": 0.005},
            "pressure": {"tolerance": 1e-12}, "initial": {"type": "rest"},
            "forcing": {"type": "pressure-gradient", "value": 1.0},
            "scalars": {"name": "heat", "diffusivity": 0.03, "disturbance": 0.2, "waves": (1, 0, 0)}}
    walls = kolmo.run(kc.merge(flow, {
        "grid": {"n": (8, 4, 12), "length": (2.0, 1.0, 1.5)}, "boundary": {"z_low": "wall", "z_high": "wall"},
        "scalars": {"z_low": "flux", "z_low_value": 1.0, "z_high": "flux", "z_high_value": -0.5,
                    "source": -0.5 / 1.5}}))
    bodies = kolmo.run(kc.merge(flow, {
        "grid": {"n": (8, 4, 20), "length": (2.0, 1.0, 2.5)},
        "bodies": {"shape": ("box", "box"), "centre": (1.0, 0.5, 0.25, 1.0, 0.5, 2.25),
                   "size": (2.0, 1.0, 0.5, 2.0, 1.0, 0.5)},
        "scalars": {"bodies": "flux", "body_value": (1.0, -0.5), "source": -0.5 / 1.5}}))
    check.holds("a balance is no matter for a warning", "bring" not in bodies.text)
    checked = kolmo.call(os.path.join(bodies.folder, "case.nml"), "--check").out
    check.holds("    nor for --check", "bring" not in checked and "The input is valid" in checked)
    around = kolmo.run(kc.merge(flow, {
        "run": {"steps_max": 1}, "grid": {"n": (8, 6, 8), "length": (2.0, 1.5, 1.5)},
        "boundary": {"z_low": "wall", "z_high": "wall"},
        "bodies": {"shape": ("sphere",), "centre": (1.0, 0.75, 0.75), "size": (0.7, 0, 0)},
        "scalars": {"z_low": "flux", "z_low_value": 1.0, "z_high": "flux", "z_high_value": -0.5,
                    "source": -0.4}}))
    check.says("a body without a flux leaves the balance open", around.text,
               "warning: scalar 'heat': its fluxes and sources are not compared")
    one, other = walls.checkpoint().fields["heat"], bodies.checkpoint().fields["heat"][4:16]
    check.below("bodies against walls of the grid", float(abs(one - other).max()), 1e-13)


def variance(kolmo, check):
    """Beside bodies whose value is 0, half of the mean square falls by the dissipation."""
    dt, steps = 0.002, 40
    run = kolmo.run(kc.merge(FLOW, {"run": {"steps_max": steps}, "time": {"dt": dt, "scheme": "rk3-wray"},
                                    "scalars": {"name": "heat", "diffusivity": 0.03, "initial_value": 0.4,
                                                "disturbance": 0.3, "waves": (1, 2, 1), "bodies": "value",
                                                "bodies_value": 0.0, "body_value": (0.0, 0.0)}}))
    s = run.series()
    half = 0.5 * (s["heat_variance"] + s["heat_mean"]**2)
    loss = s["heat_dissipation"][10:]  # the first steps lose what the start has on the surfaces
    lost = dt / 3 * (loss[0] + loss[-1] + 4 * np.sum(loss[1:-1:2]) + 2 * np.sum(loss[2:-1:2]))
    check.near("fall over dissipation", float(half[10] - half[-1]) / lost, 1.0, 1e-4)


def in_time(kolmo, check):
    """Second order in time with a source, in an evolving flow."""
    found, steps = [], (10, 20, 160)
    for n in steps:
        run = kolmo.run(kc.merge(FLOW, {"run": {"steps_max": n}, "grid": {"n": (16, 12, 12)},
                                        "time": {"dt": 0.1 / n, "scheme": "rk3-half"},
                                        "checkpoint": {"restart": "none"},
                                        "scalars": {"name": "heat", "diffusivity": 0.02, "initial_value": 1.0,
                                                    "disturbance": 0.0, "source": 3.0, "bodies": "value",
                                                    "bodies_value": 1.0, "body_value": (1.0,)}}))
        found.append(run.checkpoint().fields["heat"])
    errors = [float(np.sqrt(((q - found[-1])**2).mean())) for q in found[:-1]]
    check.above(f"order (errors {errors[0]:.2e}, {errors[1]:.2e})", math.log2(errors[0] / errors[1]), 1.8)


def layouts_and_restart(kolmo, check):
    """The same bits on any ranks, and after a restart."""
    for scheme, layouts in (("rk3-half", ((2, 2, 1),)), ("rk3-wray", ((1, 1, 2), (2, 1, 1)))):
        case = kc.merge(FLOW, {"time": {"scheme": scheme}, "run": {"steps_max": 6}})
        one = kolmo.run(case)
        for ranks in layouts:
            other = kolmo.run(kc.merge(case, {"grid": {"ranks": ranks}}), ranks=math.prod(ranks))
            check.same(f"{scheme}: {ranks[0]} x {ranks[1]} x {ranks[2]} ranks", kc.differences(one, other))
            for name in ("heat", "salt"):
                check.holds(f"    fluxes of {name}",
                            np.array_equal(fluxes(one.folder, name), fluxes(other.folder, name)))
        first = kolmo.run(kc.merge(case, {"run": {"steps_max": 3}}))
        rest = kolmo.run(case, "--restart", "latest", ranks=2, folder=first.folder)
        check.same("    restarted", kc.differences(one, rest))
        check.holds("    fluxes", np.array_equal(fluxes(one.folder), fluxes(rest.folder)))


def turning(kolmo, check):
    """A surface that turns carries its value with it: a uniform scalar stays uniform. Without a value it is
    refused."""
    case = {"run": {"steps_max": 20}, "grid": {"n": (32, 32, 4), "length": (1.0, 1.0, 0.125)},
            "fluid": {"nu": 0.01}, "initial": {"type": "rest"}, "time": {"dt": 0.005},
            "pressure": {"tolerance": 1e-12},
            "bodies": {"shape": "cylinder", "centre": (0.51, 0.5, 0.06), "size": (0.4, 0.0, 0.0),
                       "motion": "rotate", "rotation": 2.0},
            "scalars": {"name": "heat", "diffusivity": 0.01, "initial_value": 1.0}}
    run = kolmo.run(kc.merge(case, {"scalars": {"bodies": "value", "bodies_value": 1.0}}))
    check.below("change of a uniform scalar", float(abs(run.checkpoint().fields["heat"] - 1).max()), 1e-11)
    check.says("without a value", kolmo.run(case, rc=2).text, "heat", "surface turns", "scalars.bodies(1)")


def refused(kolmo, check):
    """Contradicting input is refused with its place and a remedy."""
    base = {k: v for k, v in FLOW.items() if k != "scalars"}
    free = {k: v for k, v in base.items() if k != "bodies"}

    def with_scalar(**more):
        return {"scalars": {"name": "heat", "diffusivity": 0.03, **more}}
    wrong = [
        ("no body", kc.merge(free, with_scalar(bodies="value")), ["has no effect without bodies"]),
        ("value without condition", kc.merge(base, with_scalar(bodies_value=2.0)),
         ["scalars.bodies_value(1) has no effect"]),
        ("value of a body that is not there", kc.merge(base, with_scalar(body_value=(1.0,) * 4)),
         ["scalars.body_value(4,1)", "body 4 has no shape"]),
        ("value of a cut", kc.merge(base, {"bodies": {"operation": ("add", "cut", "add")}},
                                    with_scalar(body_value=(1.0, 2.0))),
         ["scalars.body_value(2,1)", "that it cuts"]),
        ("no diffusion", kc.merge(base, {"scalars": {"name": "heat", "diffusivity": 0.0, "bodies": "value"}}),
         ["does not diffuse"]),
        ("a flux without bodies", kc.merge(free, with_scalar(bodies="flux")),
         ["'flux' has no effect without bodies"]),
        ("a flux of a body that moves", kc.merge(base, with_scalar(bodies="flux"), {"bodies": {
            "motion": ("translate", "none", "none"), "velocity": (0.1,)}}), ["scalars"]),
        ("a flux of a surface that turns", kc.merge(base, with_scalar(bodies="flux"), {"bodies": {
            "motion": ("none", "rotate", "none"), "rotation": (0.0, 1.0)}}), ["whose surface turns"]),
        ("no scalar", kc.merge(base, {"scalars": {"bodies": "value"}}), ["scalars.bodies"]),
        ("implicit diffusion",
         kc.merge(base, with_scalar(bodies="value"), {"time": {"diffusion": "implicit"}}),
         ["implicit diffusion", "&bodies"]),
        ("a limiter", kc.merge(base, with_scalar(bodies="value", limiter="koren")), ["a limiter of scalars"])]
    for name, case, words in wrong:
        check.says(name, kolmo.run(case, rc=2).text, *words)


if __name__ == "__main__":
    sys.exit(kc.main(__doc__, [reference, concentric_cylinders, concentric_spheres, like_walls, balance,
                               given_fluxes, variance, in_time, layouts_and_restart, turning, refused]))

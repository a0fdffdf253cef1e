#!/usr/bin/python3
"""A body that moves through a periodic box with and without apertures in the continuity equation: the trial
of docs/decisions/012-no-apertures.md.

    apertures.py sphere mask|fluid|all [--rest] [--steps 60] [--cfl 0.5] [--scheme rk3-wray]
    apertures.py cylinder mask|fluid|all [--across 16] [--cfl 0.8] [--scheme rk3-wray]

`sphere` prints iterations and first residuals of a sphere towed through 64 x 48 x 40 cells; `cylinder` the
noise of the force on a cylinder that oscillates in fluid at rest. The equations are those of moving_bodies.py
on uniform grids, with faces found by formula, and conjugate gradients with a multigrid cycle in place of
dense solves. Arrays are indexed [k, j, i]."""

import argparse
import numpy as np

TOLERANCE = 1e-6  # of max |div u| h/U
SLIVER = 1e-3     # smaller open shares of a face count as closed
# stages: whether they begin at the start of the step, weights of the new and the old right-hand side, length
RUN = {"rk3-wray": ((False, 8 / 15, 0.0, 8 / 15), (False, 5 / 12, -17 / 60, 2 / 15),
                    (False, 3 / 4, -5 / 12, 1 / 3)),
       "rk3-half": ((True, 1 / 3, 0.0, 1 / 3), (True, 1 / 2, 0.0, 1 / 2), (True, 1.0, 0.0, 1.0))}


def below(q, d):
    """q one point lower in direction d."""
    return np.roll(q, 1, 2 - d)


def above(q, d):
    """q one point higher."""
    return np.roll(q, -1, 2 - d)


def pairs(q, d):
    """Sums of pairs along a direction."""
    low, high = [slice(None)] * 3, [slice(None)] * 3
    low[2 - d], high[2 - d] = slice(0, None, 2), slice(1, None, 2)
    return q[tuple(low)] + q[tuple(high)], q[tuple(low)]


class Multigrid:
    """V-cycle of two damped Jacobi steps before and after, constant transfers, coarse weights by means; and
    conjugate gradients with it. weight: open share of the lower face of each cell in three directions."""

    DAMPING = (0.58, 1.2)

    def __init__(self, weight, h):
        self.levels = []
        while True:
            c = [1 / q**2 for q in h]
            diagonal = sum(c[d] * (weight[d] + above(weight[d], d)) for d in range(3))
            live = diagonal > 0
            halved = [weight[0].shape[2 - d] % 2 == 0 and weight[0].shape[2 - d] >= 4 for d in range(3)]
            self.levels.append((weight, c, np.where(live, 1 / np.where(live, diagonal, 1), 0), halved))
            if not any(halved) or weight[0].size <= 64:
                break
            coarse = []
            for d in range(3):
                q = pairs(weight[d], d)[1] if halved[d] else weight[d]
                for e in range(3):
                    q = 0.5 * pairs(q, e)[0] if e != d and halved[e] else q
                coarse.append(q)
            weight, h = coarse, [q * (1 + halved[d]) for d, q in enumerate(h)]
        shape, size = weight[0].shape, weight[0].size
        matrix = np.array([self.apply(-1, row.reshape(shape)).ravel() for row in np.eye(size)])
        self.inverse = np.linalg.pinv(matrix, rcond=1e-10, hermitian=True)

    def apply(self, level, x):
        weight, c = self.levels[level][:2]
        total = np.zeros_like(x)
        for d in range(3):
            flux = c[d] * weight[d] * (x - below(x, d))
            total += flux - above(flux, d)
        return total

    def cycle(self, b, level=0):
        if level == len(self.levels) - 1:
            return (self.inverse @ b.ravel()).reshape(b.shape)
        inverse, halved = self.levels[level][2:]
        x = np.zeros_like(b)
        for damping in self.DAMPING:
            x = x + damping * inverse * (b - self.apply(level, x))
        r = b - self.apply(level, x)
        for d in range(3):
            r = 0.5 * pairs(r, d)[0] if halved[d] else r
        e = self.cycle(r, level + 1)
        for d in range(3):
            e = np.repeat(e, 2, 2 - d) if halved[d] else e
        x = x + e
        for damping in self.DAMPING[::-1]:
            x = x + damping * inverse * (b - self.apply(level, x))
        return x

    def solve(self, b, limit):
        """The solution, the number of iterations, and the first residual."""
        live = self.levels[0][2] > 0
        x, r, p, rz, n = np.zeros_like(b), b - np.where(live, b[live].mean(), 0), 0.0, 1.0, 0
        first = np.abs(r).max()
        while np.abs(r).max() > limit and n < 60:
            z = np.where(live, self.cycle(r), 0)
            z = z - np.where(live, z[live].mean(), 0)
            p, rz = z + ((r * z).sum() / rz if n else 0.0) * p, (r * z).sum()
            q = self.apply(0, p)
            a = rz / (p * q).sum()
            x, r, n = x + a * p, r - a * q, n + 1
        return x, n, first


class Flow:
    """A flow round one body. variant: 'mask', 'fluid' or 'all'; place, speed: of its centre, functions of
    time; flat: it is a cylinder along z of the diameter `across`, otherwise a sphere."""

    def __init__(self, n, length, nu, scheme, across, flat, variant, place, speed, start=0.0):
        self.n, self.length, self.nu, self.flat, self.variant = n, length, nu, flat, variant
        self.h = [length[d] / n[d] for d in range(3)]
        self.shape, self.radius, self.place, self.speed = (n[2], n[1], n[0]), across / 2, place, speed
        self.active = [d for d in range(3) if n[d] > 1]
        self.volume, self.stages, self.t, self.open = np.prod(self.h), RUN[scheme], 0.0, None
        self.vel = [np.full(self.shape, start if d == 0 else 0.0) for d in range(3)]
        self.p = np.zeros(self.shape)
        self.renew(0.0)
        self.share_before, self.body_before, self.body_step = self.share, self.body, self.body
        held = self.hold(self.vel)
        phi = self.mg.solve(-self.divergence(held), 1e-10)[0]
        self.vel = self.corrected(held, phi)

    # --- geometry

    def way(self, d):
        """From the nearest image of the centre to the faces of component d, each direction along its axis."""
        out = []
        for e in range(3):
            q = (np.arange(self.n[e]) + (0.0 if e == d else 0.5)) * self.h[e] - self.centre[e]
            shape = [1, 1, 1]
            shape[2 - e] = self.n[e]
            out.append((q - self.length[e] * np.round(q / self.length[e])).reshape(shape))
        return out

    def square(self, way):
        return sum(way[e]**2 for e in range(2 if self.flat else 3)) + np.zeros(self.shape)

    def open_share(self, d, way):
        """Of faces: of a cylinder exact along the edge, of a sphere by 16 x 16 points with a linear step."""
        distance = np.sqrt(self.square(way)) - self.radius
        share, near = (distance > 0).astype(float), np.nonzero(np.abs(distance) < 1.2 * max(self.h))
        at = [(q + np.zeros(self.shape))[near] for q in way]
        across = [e for e in range(3) if e != d]
        if self.flat:
            if d == 2:
                return share
            e = across[0]
            half = np.sqrt(np.maximum(self.radius**2 - at[d]**2, 0))
            low, high = at[e] - self.h[e] / 2, at[e] + self.h[e] / 2
            share[near] = 1 - (np.clip(half, low, high) - np.clip(-half, low, high)) / self.h[e]
            return share
        offsets, total, step = (np.arange(16) + 0.5) / 16 - 0.5, 0.0, max(self.h) / 16
        for a in offsets:
            for b in offsets:
                q = list(at)
                q[across[0]] = at[across[0]] + a * self.h[across[0]]
                q[across[1]] = at[across[1]] + b * self.h[across[1]]
                outside = np.sqrt(q[0]**2 + q[1]**2 + q[2]**2) - self.radius
                total = total + np.clip(0.5 + outside / step, 0, 1)
        share[near] = total / 256
        return share

    def walls(self, d, way):
        """The implicit coefficient of component d, and its explicit part as (direction, side, weight)."""
        drag, explicit = np.zeros(self.shape), []
        for e in self.active:
            rest = self.square(way) - way[e]**2
            half, xi, wall = np.sqrt(np.maximum(self.radius**2 - rest, 0)), [], []
            for side in (-1, 1):
                beyond = self.open[d] & ~np.roll(self.open[d], -side, 2 - e)
                to = (-side * half - way[e]) * side / self.h[e]
                xi.append(np.where(beyond, np.clip(to, 1e-6, 1), 1.0))
                wall.append(beyond)
            for side in (0, 1):
                more = self.nu * (2 / (xi[0] + xi[1]) / xi[side] - 1) / self.h[e]**2
                half_open = ~wall[side] & wall[1 - side]
                drag += np.where(wall[side] | half_open, more, 0)
                explicit.append((e, side, np.where(half_open, more, 0)))
        return drag, explicit

    def renew(self, time):
        """Takes the body to its place at a time."""
        before = None if self.open is None else (self.open, self.live)
        self.centre, self.body = self.place(time), self.speed(time)
        ways = [self.way(d) for d in range(3)]
        self.open = [self.square(w) > self.radius**2 for w in ways]
        if self.variant == "mask":
            self.share = [q.astype(float) for q in self.open]
        else:
            self.share = [self.open_share(d, w) for d, w in enumerate(ways)]
            self.share = [np.where((q < SLIVER) | (~self.open[d] if self.variant == "fluid" else False), 0, q)
                          for d, q in enumerate(self.share)]
        self.terms = [self.walls(d, w) for d, w in enumerate(ways)]
        self.live = np.logical_or.reduce([(q > 0) | (above(q, d) > 0) for d, q in enumerate(self.share)])
        self.mg = Multigrid(self.share, self.h)
        if before is None:
            return None
        total, count = np.zeros(self.shape), np.zeros(self.shape)
        for d in range(3):
            for move, way in ((below, self.share[d]), (above, above(self.share[d], d))):
                known = (way > 0) & move(before[1], d)
                total, count = total + np.where(known, move(self.p, d), 0), count + known
        old = np.where(self.live, self.p, 0)
        self.p = np.where(self.live & ~before[1], total / np.maximum(count, 1), old)
        return before[0]

    # --- a step

    def hold(self, vel):
        return [np.where(self.open[d], vel[d], self.body[d]) for d in range(3)]

    def divergence(self, vel):
        """Of the open shares of the faces, relative to the body."""
        flux = [self.share[d] * (vel[d] - self.body[d]) for d in range(3)]
        return sum((above(flux[d], d) - flux[d]) / self.h[d] for d in range(3))

    def gradient(self, p, d):
        return (p - below(p, d)) / self.h[d]

    def corrected(self, vel, phi):
        return [np.where(self.share[d] > 0, vel[d] - self.gradient(phi, d), vel[d]) for d in range(3)]

    def right_hand_side(self):
        u = self.hold(self.vel)
        carrier = u if self.variant == "mask" else [
            self.share_before[d] * self.vel[d] + (1 - self.share_before[d]) * self.body_before[d]
            for d in range(3)]
        out = []
        for d in range(3):
            r = np.zeros(self.shape)
            for e in self.active:
                if e == d:
                    flux = 0.25 * (carrier[d] + above(carrier[d], d)) * (u[d] + above(u[d], d))
                    r -= (flux - below(flux, d)) / self.h[e]
                else:
                    flux = 0.25 * (carrier[e] + below(carrier[e], d)) * (u[d] + below(u[d], e))
                    r -= (above(flux, e) - flux) / self.h[e]
                r += self.nu * (above(u[d], e) - 2 * u[d] + below(u[d], e)) / self.h[e]**2
            for e, side, weight in self.terms[d][1]:
                r += weight * ((above if side else below)(u[d], e) - self.body[d])
            out.append(r)
        return out

    def predict(self, d, base, dt, stage, rhs, old, opened):
        """The prediction of component d, and what the momentum of open faces gets but from the pressure."""
        _, weight, weight_old, length = stage
        dts, grad = length * dt, self.gradient(self.p, d)
        q = base + dt * weight * rhs - dts * grad
        if weight_old:
            q = q + dt * weight_old * np.where(opened, 0, old)
        z = dts * self.terms[d][0]
        beta = np.where(z <= 2, 0.5, 1 - 1 / np.maximum(z, 2))
        q = (q - (1 - beta) * z * (base - self.body[d]) + beta * z * self.body[d]) / (1 + beta * z)
        change = np.where(self.open[d], q + dts * grad - base, 0).sum() * self.volume
        partly = (self.share[d] > 0) & ~self.open[d]
        return np.where(self.open[d], q, self.body[d] - np.where(partly, dts * grad, 0)), change

    def step(self, dt):
        """One step. Returns iterations, the largest first residual, and forces along x on the body: by the
        pressure, by the rest, and by the pressure with the open shares as weights."""
        first_vel, first_open, old, end = self.vel, self.open, None, 0.0
        iterations, residual, force = 0, 0.0, np.zeros(3)
        for m, stage in enumerate(self.stages):
            from_start, dts = stage[0], stage[3] * dt
            base = first_vel if from_start else self.vel
            end = stage[3] if from_start else end + stage[3]
            self.share_before, self.body_before = self.share, self.body
            was = self.renew(self.t + (dt if m == 2 else end * dt))
            was, body = (first_open, self.body_step) if from_start else (was, self.body_before)
            rhs = self.right_hand_side()
            star = [self.predict(d, np.where(was[d], base[d], body[d]), dt, stage, rhs[d],
                                 None if old is None else old[d], self.open[d] & ~was[d]) for d in range(3)]
            old, vel = rhs, [q[0] for q in star]
            scale = min(self.h)
            phi, n, first = self.mg.solve(-self.divergence(vel), TOLERANCE / scale)
            iterations, residual = iterations + n, max(residual, first * scale)
            self.vel, self.p = self.corrected(vel, phi), self.p + np.where(self.live, phi / dts, 0)
            grad = self.gradient(self.p, 0)
            part = np.array([dts * np.where(self.open[0], grad, 0).sum() * self.volume, -star[0][1],
                             dts * (self.share[0] * grad).sum() * self.volume])
            force = part if from_start else force + part
        self.t, self.body_step = self.t + dt, self.body
        return iterations, residual, force / dt


def noise(force):
    """Root mean square of the difference from a cubic through nine steps."""
    powers = np.vander(np.arange(-4, 5), 4)
    row = (powers @ np.linalg.pinv(powers))[4]
    return np.sqrt(np.mean([(force[i] - row @ force[i - 4:i + 5])**2 for i in range(4, len(force) - 4)]))


def sphere(o):
    n, h = (64, 48, 40), 1 / 12
    length = [q * h for q in n]
    middle = np.array(length) / 2
    still = o.rest
    flow = Flow(n, length, 0.01, o.scheme, 1.0, False, o.variant,
                lambda t: middle + (0.0 if still else np.array((-t, 0.013, 0.007))),
                lambda t: np.array((0.0 if still else -1.0, 0.0, 0.0)), 1.0 if still else 0.0)
    done = [flow.step(o.cfl * h)[:2] for _ in range(o.steps)][o.steps // 3:]
    first = [q[1] for q in done]
    print(f"{o.variant}, {'at rest' if still else 'towed'}: {np.mean([q[0] for q in done]):.1f} iterations a "
          f"step, first residual {min(first):.1e} to {max(first):.1e}")


def cylinder(o):
    h, rate, size = 1 / o.across, 2 * np.pi * 0.2, 0.7957747154594767
    n = (8 * o.across, 6 * o.across, 1)
    length = [q * h for q in n]
    middle = np.array(length) / 2
    flow = Flow(n, length, 0.01, o.scheme, 1.0, True, o.variant,
                lambda t: middle - np.array((size * np.sin(rate * t), 0.0, 0.0)),
                lambda t: np.array((-size * rate * np.cos(rate * t), 0.0, 0.0)))
    force = []
    while flow.t < 5:
        force.append(flow.step(o.cfl * h)[2])
    force = np.array(force[len(force) // 10:])
    pressure, rest, weighted = force.T
    share = 100 / np.abs(pressure + rest).max()
    print(f"{o.variant}, {o.across} across: noise in % of the largest force: "
          f"total {share * noise(pressure + rest):.2f}, pressure {share * noise(pressure):.2f}, "
          f"viscous {share * noise(rest):.2f}, total with the pressure weighted "
          f"{share * noise(weighted + rest):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", choices=("sphere", "cylinder"))
    parser.add_argument("variant", choices=("mask", "fluid", "all"))
    parser.add_argument("--rest", action="store_true", help="the sphere is at rest in a stream")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--across", type=int, default=16, help="cells across the cylinder")
    parser.add_argument("--cfl", type=float)
    parser.add_argument("--scheme", choices=tuple(RUN), default="rk3-wray")
    o = parser.parse_args()
    o.cfl = o.cfl or (0.5 if o.case == "sphere" else 0.8)
    (sphere if o.case == "sphere" else cylinder)(o)


if __name__ == "__main__":
    main()

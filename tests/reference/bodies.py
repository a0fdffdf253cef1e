"""Slow, independent reference solver for flows with bodies at rest in a periodic box.

It derives from navier_stokes.py: the same equations and schemes, with explicit diffusion. The bodies enter as
docs/numerics/bodies.md has them, but each term is computed from its definition, on whole arrays:

    open         a face is open if its centre lies in the fluid. Closed faces have the velocity of the body.
    viscous      in a direction with a wall at the distance xi h of the face, the three-point formula on
                 unequal distances (Shortley and Weller) takes the place of the plain one. What it takes from
                 the velocity of the face itself is implicit, with the weight beta; the rest is explicit.
    projection   over open faces alone, by a dense solve: each connected region has a null space of its own
    force        added over open faces before the implicit part of the viscous term

`body` is a function of x, y, z that is positive in the fluid and zero on the wall. `wall` gives the velocity
of the wall at a point, as three functions' values.
"""

import functools

import numpy as np
import navier_stokes as ns

XI_LEAST = 1e-6


def points(grid, location, shift=(0, 0, 0)):
    """Coordinates of the points of a location, moved by `shift` points in each direction, periodic: the
    coordinates go on beyond the ends of the box."""
    result = []
    for d in range(3):
        values = np.asarray(grid.xf[d] if location[d] == 'f' else grid.xc[d])
        n, s = len(values), shift[d]
        index = np.arange(n) + s
        values = values[index % n] + grid.length[d] * (index // n)
        result.append(ns.along(values, d) + np.zeros(grid.shape))
    return result


def crossing(body, start, end):
    """The part of the way from start to end at which the wall is met, by bisection."""
    low, high = np.zeros(start[0].shape), np.ones(start[0].shape)
    for _ in range(60):
        middle = 0.5 * (low + high)
        fluid = body(*[a + middle * (b - a) for a, b in zip(start, end)]) > 0
        low, high = np.where(fluid, middle, low), np.where(fluid, high, middle)
    return np.maximum(high, XI_LEAST)


class BodySolver(ns.Solver):
    """One time step of a flow with bodies. force: a function of time, the force along `along`; bulk: a
    function of time, the mean velocity along it, over the box with its bodies, instead of a force. field: a
    force that varies in space, three components as a function of x, y, z and time, a part of the right-hand
    sides of open faces; `pushed` is what it has given to the fluid in the last step, over its length."""

    field, pushed = None, np.zeros(3)

    def __init__(self, grid, nu, scheme, vel, body, wall=None, force=None, bulk=None, along=0,
                 stored=np.float32):
        super().__init__(grid, nu, scheme, 'explicit', vel)
        self.body, self.force, self.bulk, self.direction = body, force, bulk, along
        self.stored = stored  # the precision in which the coefficients beside bodies are kept
        self.wall = wall or (lambda x, y, z: (0 * x, 0 * x, 0 * x))
        self.open, self.held, self.terms = [], [], []
        for d, location in enumerate(ns.VELOCITY_LOCATIONS):
            at = points(grid, location)
            self.open.append(body(*at) > 0)
            self.held.append(self.wall(*at)[d] * np.ones(grid.shape))
        for d in range(3):
            self.terms.append(self.wall_terms(d))
        self.vel = self.hold(self.vel)
        self.shifts = 0.0

    @functools.cached_property
    def inverse(self):
        """That of the operator, apart from its null spaces."""
        return np.linalg.pinv(self.operator(), rcond=1e-11, hermitian=True)

    def hold(self, vel):
        return [np.where(self.open[d], vel[d], self.held[d]) for d in range(3)]

    def wall_terms(self, d):
        """For component d: drag, drag times the wall's velocity, and the explicit part as a list of
        (direction, side, weight, wall velocity), and the walls on faces of the volume as a list of (c, wall
        velocity)."""
        grid, location = self.grid, ns.VELOCITY_LOCATIONS[d]
        drag, pull, explicit, mirrors = np.zeros(grid.shape), np.zeros(grid.shape), [], []
        lead = np.zeros(grid.shape)  # the plain stencil has the velocity of the neighbour behind the wall
        at = points(grid, location)
        for e in range(3):
            distance = grid.distance(location, e)
            h = [ns.along(distance, e) + np.zeros(grid.shape),
                 ns.along(np.roll(distance, -1), e) + np.zeros(grid.shape)]
            xi, closed, speed, behind = [], [], [], []
            for side in (0, 1):
                step = [0, 0, 0]
                step[e] = 2 * side - 1
                neighbour = points(grid, location, step)
                beyond = self.open[d] & ~(self.body(*neighbour) > 0)
                part = np.ones(grid.shape)
                part[beyond] = crossing(self.body, [q[beyond] for q in at], [q[beyond] for q in neighbour])
                place = [a + part * (b - a) for a, b in zip(at, neighbour)]
                xi.append(part)
                closed.append(beyond)
                speed.append(np.where(beyond, self.wall(*place)[d], 0.0))
                behind.append(np.where(beyond, self.wall(*neighbour)[d], 0.0))
            width = ns.along(grid.width(location, e), e)
            # a single wall on the face of the volume: its flux as that of a wall of the grid, explicit
            mirror = [(e != d) & closed[s] & ~closed[1 - s] & (abs(xi[s] * h[s] - width / 2) <= 1e-9 * width)
                      for s in (0, 1)]
            for side in (0, 1):
                lead = lead + self.nu / width / h[side] * (speed[side] - behind[side])
                c = np.where(mirror[side], self.nu / width * (2 / width - 1 / h[side]), 0.0)
                mirrors.append((c, speed[side]))
            plain = mirror[0] | mirror[1]
            xi = [np.where(plain, 1.0, part) for part in xi]
            ratio = (h[0] + h[1]) / (xi[0] * h[0] + xi[1] * h[1])
            for side in (0, 1):
                # plain: (u_n - u) / h / width; wanted: ratio (u_n - u) / (xi h) / width
                more = self.nu / width * (ratio / xi[side] - 1.0) / h[side]
                # with a wall here, the neighbour is the wall
                drag = drag + np.where(closed[side], more, 0.0)
                pull = pull + np.where(closed[side], more * speed[side], 0.0)
                # without one, but with one opposite: (u_n - wall) explicit, (wall - u) implicit
                half = ~closed[side] & closed[1 - side]
                drag = drag + np.where(half, more, 0.0)
                pull = pull + np.where(half, more * speed[1 - side], 0.0)
                explicit.append((e, side, np.where(half, more, 0.0), speed[1 - side]))
        exact = np.where(drag > 0, drag, 1.0)
        drag = drag.astype(self.stored).astype(float)
        return drag, np.where(drag > 0, drag * pull / exact, 0.0), [
            (e, side, weight.astype(self.stored).astype(float), wall)
            for e, side, weight, wall in explicit], mirrors, lead

    def right_hand_side(self, vel):
        rhs = super().right_hand_side(vel)
        for d in range(3):
            for e, side, weight, wall in self.terms[d][2]:
                neighbour = (ns.above if side else ns.below)(vel[d], e)
                rhs[d] = rhs[d] + weight * (neighbour - wall)
            for c, wall in self.terms[d][3]:
                rhs[d] = rhs[d] + c * (wall - vel[d])
            rhs[d] = rhs[d] + self.terms[d][4]
        return rhs

    def operator(self):
        """The symmetric matrix -V div grad over open faces."""
        grid, n = self.grid, int(np.prod(self.grid.shape))
        number = np.arange(n).reshape(grid.shape)
        a = np.zeros((n, n))
        for d, location in enumerate(ns.VELOCITY_LOCATIONS):
            area = grid.volume(location) / ns.along(grid.df[d], d)  # the volume round a face is area times df
            weight = (area / ns.along(grid.df[d], d)) * self.open[d]
            low = ns.below(number, d)
            for w, i, j in zip(weight.ravel(), number.ravel(), low.ravel()):
                a[i, i] += w
                a[j, j] += w
                a[i, j] -= w
                a[j, i] -= w
        return a

    def project(self, vel):
        rhs = -(self.grid.volume('ccc') * ns.divergence(self.grid, vel)).ravel()
        phi = (self.inverse @ rhs).reshape(self.grid.shape)
        grad = ns.gradient(self.grid, phi)
        return [np.where(self.open[d], vel[d] - grad[d], vel[d]) for d in range(3)], phi

    def finish(self, star, start, dts, shift):
        """Force, implicit viscous part and projection of a prediction."""
        u = [np.array(q) for q in star]
        u[self.direction] = u[self.direction] + shift * self.open[self.direction]
        for d in range(3):
            drag, pull = self.terms[d][:2]
            z = dts * drag
            beta = np.where(z <= 2.0, 0.5, 1.0 - 1.0 / np.maximum(z, 2.0))
            wall = np.where(drag > 0, pull / np.where(drag > 0, drag, 1.0), 0.0)
            u[d] = (u[d] - (1 - beta) * z * (start[d] - wall) + beta * z * wall) / (1 + beta * z)
        u = self.hold(u)
        return self.project(u)

    def mean(self, vel):
        d = self.direction
        return np.sum(self.grid.volume(ns.VELOCITY_LOCATIONS[d]) * vel[d]) / self.grid.box_volume

    def with_field(self, rhs, time):
        """The right-hand sides with the field, and its integral over the open faces."""
        if self.field is None:
            return rhs, np.zeros(3)
        force = [np.where(self.open[d], self.field(*points(self.grid, location), time)[d], 0.0)
                 for d, location in enumerate(ns.VELOCITY_LOCATIONS)]
        total = [np.sum(self.grid.volume(location) * f) for f, location in zip(force, ns.VELOCITY_LOCATIONS)]
        return [a + b for a, b in zip(rhs, force)], np.array(total)

    def step(self, dt):
        total_before, self.pushed = np.zeros(3), np.zeros(3)
        vel_n, old, end, old_force = self.vel, None, 0.0, 0.0
        self.shifts = 0.0
        for from_start, weight, weight_old, length in self.stages:
            dts = length * dt
            start = vel_n if from_start else self.vel
            time = self.t + end * dt
            end = length if from_start else end + length
            rhs, total = self.with_field(self.right_hand_side(self.vel), time)
            self.pushed = (0 if from_start else self.pushed) + weight * total + weight_old * total_before
            total_before = total
            grad_p = ns.gradient(self.grid, self.p)
            star = []
            for d in range(3):
                q = start[d] + dt * weight * rhs[d] - dts * grad_p[d]
                if weight_old != 0.0:
                    q = q + dt * weight_old * old[d]
                star.append(q)
            old = rhs
            shift = 0.0
            if self.force is not None:
                force = self.force(time)
                shift = dt * (weight * force + weight_old * old_force)
                old_force = force
            if self.bulk is not None:
                without = self.mean(self.finish(star, start, dts, 0.0)[0])
                one = self.mean(self.finish(star, start, dts, 1.0)[0]) - without
                shift = (self.bulk(self.t + end * dt) - without) / one
            self.shifts = shift if from_start else self.shifts + shift
            self.vel, phi = self.finish(star, start, dts, shift)
            self.p = self.p + phi / dts
        self.t += dt

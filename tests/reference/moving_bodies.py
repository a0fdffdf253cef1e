"""Slow, independent reference solver for flows with a body that moves through a periodic box.

It derives from bodies.py. Each stage has the geometry of its end, computed from the definition on whole
arrays:

    closed       faces have the velocity of the body at the end of the stage
    opened       a face that has just opened starts from the velocity of the body that it had, and without a
                 right-hand side of the stage before
    uncovered    the pressure of a cell that has become fluid is the mean of the cells beside it, beyond open
                 faces, that were fluid before
    projection   over the faces that are open at the end of the stage

`path` gives the displacement and `speed` the velocity of the body at a time. `body` is that of bodies.py,
with the body where its displacement is zero; it must be periodic. turns: rotation about `centre`, see
`place`. """

import numpy as np
import bodies
import navier_stokes as ns


class MovingBodySolver(bodies.BodySolver):
    """One time step of a flow with a body that moves. turned: a function that takes x, y, z and a time to the
    place that the point has in the body at rest; velocity: of the body at x, y, z and a time."""

    def __init__(self, grid, nu, scheme, vel, body, turned, velocity, stored=np.float32):
        self.rest, self.turned, self.velocity = body, turned, velocity
        self.now, self.matrix = 0.0, None
        super().__init__(grid, nu, scheme, vel, lambda x, y, z: self.rest(*self.turned(x, y, z, self.now)),
                         lambda x, y, z: self.velocity(x, y, z, self.now), stored=stored)
        self.matrix = self.operator()
        self.lost = np.zeros(3)  # momentum of faces that have turned, in the last step
        self.gain = 0.0  # energy that the fluid has got in the last step, by the sums of its stages

    def live(self):
        """Cells with an open face."""
        return np.logical_or.reduce([self.open[d] | ns.above(self.open[d], d) for d in range(3)])

    def operator(self):
        """That of open faces, made regular: 1 in dead cells, and the mean of the others."""
        a = super().operator()
        live = self.live().ravel()
        a[~live, ~live] = 1.0
        scale = a.diagonal().max() / live.sum()
        return a + scale * np.outer(live, live)

    def project(self, vel):
        """As that of bodies.py, by one solve, because the matrix serves once."""
        rhs = -(self.grid.volume('ccc') * ns.divergence(self.grid, vel)).ravel()
        phi = np.linalg.solve(self.matrix, rhs).reshape(self.grid.shape)
        grad = ns.gradient(self.grid, phi)
        return [np.where(self.open[d], vel[d] - grad[d], vel[d]) for d in range(3)], phi

    def renew(self, time):
        """Takes the body to its place at a time."""
        was_open, was_live = [np.array(q) for q in self.open], self.live()
        self.now = time
        for d, location in enumerate(ns.VELOCITY_LOCATIONS):
            at = bodies.points(self.grid, location)
            self.open[d] = self.body(*at) > 0
            self.held[d] = self.wall(*at)[d] * np.ones(self.grid.shape)
        self.terms = [self.wall_terms(d) for d in range(3)]
        self.matrix = self.operator()
        live = self.live()
        total, count = np.zeros(self.grid.shape), np.zeros(self.grid.shape)
        for d in range(3):
            for move, open_side in ((ns.below, self.open[d]), (ns.above, ns.above(self.open[d], d))):
                known = open_side & move(was_live, d)
                total += np.where(known, move(self.p, d), 0.0)
                count += known
        fresh = live & ~was_live
        self.p = np.where(fresh, total / np.maximum(count, 1), np.where(live, self.p, 0.0))
        return was_open

    def dot(self, a, b, where):
        """The sum of the volumes times a b over some of the faces."""
        return sum(np.sum(np.where(where[d], self.grid.volume(location) * a[d] * b[d], 0.0))
                   for d, location in enumerate(ns.VELOCITY_LOCATIONS))

    def energy(self):
        """That of all faces."""
        return 0.5 * self.dot(self.vel, self.vel, [True] * 3)

    def stage_energy(self, start, star, grad_p, grad_phi, dts):
        """What the faces in the body get in a stage, the work of the pressure there, and what the implicit
        part of the viscous term takes from the others: with the means of the velocities before and after."""
        closed = [~o for o in self.open]
        mean = [0.5 * (a + b) for a, b in zip(start, self.vel)]
        change = [b - a for a, b in zip(start, self.vel)]
        push = [dts * a + b for a, b in zip(grad_p, grad_phi)]
        taken = [a - (b + c) for a, b, c in zip(star, self.vel, grad_phi)]
        return (self.dot(mean, change, closed) + self.dot(mean, push, closed) -
                self.dot(mean, taken, self.open))

    def step(self, dt):
        rate_before = 0.0
        vel_n, open_n, old, end = self.vel, [np.array(q) for q in self.open], None, 0.0
        self.lost, self.pushed, total_before = np.zeros(3), np.zeros(3), np.zeros(3)
        for stage, (from_start, weight, weight_old, length) in enumerate(self.stages):
            dts = length * dt
            start = vel_n if from_start else self.vel
            time = self.t + end * dt
            end = length if from_start else end + length
            was_open = self.renew(self.t + (dt if stage == 2 else end * dt))
            if from_start:
                was_open, self.lost = open_n, np.zeros(3)
            rhs, total = self.with_field(self.right_hand_side(self.vel), time)
            self.pushed = (0 if from_start else self.pushed) + weight * total + weight_old * total_before
            total_before = total
            rate = self.dot(self.vel, rhs, self.open)
            self.gain = (0.0 if from_start or stage == 0 else self.gain) + dt * weight * rate
            if weight_old != 0.0:  # but where the face has closed since
                closed = [a & ~b for a, b in zip(was_open, self.open)]
                self.gain += dt * weight_old * (rate_before - self.dot(start, old, closed))
            rate_before = rate
            grad_p = ns.gradient(self.grid, self.p)
            star = []
            for d in range(3):
                volume = self.grid.volume(ns.VELOCITY_LOCATIONS[d])
                opened, closed = self.open[d] & ~was_open[d], was_open[d] & ~self.open[d]
                q = start[d] + dt * weight * rhs[d] - dts * grad_p[d]
                gone = start[d]
                if weight_old != 0.0:
                    q = q + dt * weight_old * np.where(opened, 0.0, old[d])
                    gone = gone + dt * weight_old * old[d]
                self.lost[d] += np.sum(volume * (closed * gone - opened * start[d]))
                star.append(q)
            old = rhs
            self.vel, phi = self.finish(star, start, dts, 0.0)
            self.gain += self.stage_energy(start, star, grad_p, ns.gradient(self.grid, phi), dts)
            self.p = self.p + np.where(self.live(), phi / dts, 0.0)
        self.t += dt
        self.lost = self.lost / dt

    def solid_momentum(self):
        """Of the closed faces."""
        return np.array([np.sum(self.grid.volume(ns.VELOCITY_LOCATIONS[d]) * ~self.open[d] * self.held[d])
                         for d in range(3)])

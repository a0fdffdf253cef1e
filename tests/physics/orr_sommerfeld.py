#!/usr/bin/env python3
"""The growth of a Tollmien-Schlichting wave in plane Poiseuille flow at Re 7500 against linear theory.

The Orr-Sommerfeld equation for waves of length 2 pi half heights has one growing mode, omega = 0.24989154 +
0.00223498 i (Re of the centreline velocity and half the height; Malik, Zang and Hussaini, J. Comput. Phys. 61
(1985) 64). It is solved here by Chebyshev collocation, started in the solver with 1e-5 of the centreline
velocity, and followed on several grids; frequency and growth rate are extrapolated to no width. The growth
rate is the small difference of what the shear gives and what friction takes. Would catch: convection that
adds or takes energy, a wall layer that is resolved at first order, friction or pressure that is late by a
part of a step."""
import csv
import math
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

RE, ALPHA, AMPLITUDE = 7500.0, 1.0, 1e-5  # amplitude over the centreline velocity
OMEGA = 0.24989154 + 0.00223498j  # Malik et al. (1985)
SAMPLE = 5.0                      # time between two amplitudes
STRETCHING = 1.0                  # factor of the grid's tanh from wall to wall
FIRST, LAST = 100.0, 200.0        # the growth is measured between these times
# cells of a wave length and from wall to wall, and the omega that was found with them
GRIDS = (((32, 64), 0.24636140 + 0.00134789j), ((48, 96), 0.24832077 + 0.00186601j),
         ((64, 128), 0.24900808 + 0.00203243j), ((96, 192), 0.24949891 + 0.00214654j),
         ((144, 288), 0.24971707 + 0.00219599j))


def chebyshev(n):
    """Points from 1 to -1 and the matrix of the first derivative (Trefethen 2000)."""
    y = np.cos(np.pi * np.arange(n + 1) / n)
    c = np.r_[2.0, np.ones(n - 1), 2.0] * (-1.0) ** np.arange(n + 1)
    apart = y[:, None] - y[None, :]
    d = np.outer(c, 1 / c) / (apart + np.eye(n + 1))
    return y, d - np.diag(d.sum(axis=1))


def mode(n=100):
    """omega of the growing mode, and its stream function phi(z) between walls at z = 0 and 2."""
    y, d = chebyshev(n)
    inside, one = slice(1, -1), np.eye(n - 1)
    clamped = np.diag(np.r_[0.0, 1 / (1 - y[1:-1] ** 2), 0.0])
    d2 = d @ d
    d4 = ((np.diag(1 - y ** 2) @ d2 @ d2 - 8 * np.diag(y) @ d2 @ d - 12 * d2) @ clamped)[inside, inside]
    d2 = d2[inside, inside]
    laplace = d2 - ALPHA ** 2 * one
    friction = (d4 - 2 * ALPHA ** 2 * d2 + ALPHA ** 4 * one) / (1j * ALPHA * RE)
    speed, vectors = np.linalg.eig(np.linalg.solve(
        laplace, np.diag(1 - y[inside] ** 2) @ laplace + 2 * one - friction))
    k = int(np.argmax(speed.imag))
    # phi = (1 - y^2) q(y) with q from the points inside: zero with its slope at the walls
    values = np.r_[0.0, vectors[:, k], 0.0]
    values = values / values[np.argmax(np.abs(values))]
    weight = np.r_[0.5, np.ones(n - 1), 0.5] * (-1.0) ** np.arange(n + 1)

    def phi(z):
        apart = (z[:, None] - 1.0) - y[None, :]
        hit = np.argmin(np.abs(apart), axis=1)
        on = np.abs(apart[np.arange(len(z)), hit]) < 1e-14
        terms = weight / np.where(np.abs(apart) < 1e-14, 1.0, apart)
        return np.where(on, values[hit], (terms @ values) / terms.sum(axis=1))

    return ALPHA * complex(speed[k]), phi


def basic_flow(face):
    """The flow that is steady for the discrete operators: nu u'' = -2 nu between walls at both ends."""
    width, centre = np.diff(face), 0.5 * (face[1:] + face[:-1])
    apart = np.r_[centre[0] - face[0], np.diff(centre), face[-1] - centre[-1]]
    n = len(width)
    matrix = np.diag(-(1 / apart[:-1] + 1 / apart[1:]))
    matrix += np.diag(1 / apart[1:-1], 1) + np.diag(1 / apart[1:-1], -1)
    return np.linalg.solve(matrix, np.full(n, -2.0) * width)


def case(n, t_end=None):
    """n = (cells of a wave length, cells from wall to wall). dt goes with the width."""
    steps = round(SAMPLE / (0.8 * 2 * math.pi / ALPHA / n[0]))
    return {"run": {"t_end": t_end, "steps_max": 0 if t_end is None else None},
            "grid": {"n": (n[0], 2, n[1]), "length": (2 * math.pi / ALPHA, 0.2, 2.0),
                     "stretching": ("uniform", "uniform", "tanh"),
                     "stretching_factor": (0.0, 0.0, STRETCHING)},
            "fluid": {"nu": 1 / RE}, "boundary": {"z_low": "wall", "z_high": "wall"},
            "forcing": {"type": "pressure-gradient", "value": 2 / RE},
            "time": {"dt": SAMPLE / steps}, "initial": {"type": "rest"},
            "pressure": {"preconditioner": "direct", "tolerance": 1e-12},
            "checkpoint": {"interval": steps, "keep": 1000},
            "output": {"log_interval": 100000, "series_interval": steps}}


def start(kolmo, n, phi):
    """A checkpoint at t = 0 with the steady flow and the wave, whose divergence is 0 to rounding."""
    made = kolmo.run(case(n), folder=kolmo.place(f"{n[0]}x{n[1]}"))
    path = kc.checkpoint_path(made.folder)
    x, z = (kc.Checkpoint(path).face[d] for d in (0, 2))
    psi = np.real(phi(z)[:, None] * np.exp(1j * ALPHA * x)[None, :])
    u, w = np.diff(psi, axis=0) / np.diff(z)[:, None], -np.diff(psi, axis=1) / np.diff(x)[None, :]
    scale = AMPLITUDE / np.max(np.abs(u))
    both = np.ones((1, 2, 1))
    kc.write_field(path, "u", (basic_flow(z)[:, None, None] + scale * u[:, None, :-1]) * both)
    kc.write_field(path, "w", scale * w[:-1, None, :] * both)
    return made.folder, path


def amplitudes(folder, n):
    """Times and complex amplitudes of the wave, as its w on the mid-plane."""
    times, values = [], []
    for step in kc.checkpoint_steps(folder):
        state = kc.Checkpoint(kc.checkpoint_path(folder, step))
        w = state.fields["w"][n[1] // 2, 0, :]
        times.append(state.state["time"])
        values.append(np.mean(w * np.exp(-1j * ALPHA * state.centre[0])))
    return np.array(times), np.array(values)


def follow(kolmo, n, phi):
    """omega of the wave on a grid, by a line through the logarithms of its amplitudes."""
    folder, path = start(kolmo, n, phi)
    kolmo.run(case(n, LAST), "--restart", path, folder=folder, seconds=7200)
    time, value = amplitudes(folder, n)
    logarithm = np.log(np.abs(value)) + 1j * np.unwrap(np.angle(value))
    with open(os.path.join(folder, "amplitude.csv"), "w", encoding="utf-8", newline="") as target:
        table = csv.writer(target)
        table.writerow(("time", "amplitude", "phase"))
        table.writerows((t, abs(v), phase) for t, v, phase in zip(time, value, logarithm.imag))
    late = time >= FIRST - 1e-9
    slope = np.polyfit(time[late], logarithm[late], 1)[0]
    return complex(1j * slope)


def extrapolated(coarse, fine):
    """omega without an error of second order, of (cells of a wave length, omega) on two grids."""
    ratio = (fine[0] / coarse[0]) ** 2
    return fine[1] + (fine[1] - coarse[1]) / (ratio - 1)


def wave(kolmo, check):
    """Frequency and growth rate on two grids and extrapolated: numbers of their own, second order, near the
    theory. With --long three finer grids, of which the last two give the growth rate within 0.05 %."""
    theory, phi = mode()
    check.below("the theory of this script, from the published", abs(theory - OMEGA), 6e-9)
    found = []
    for n, wanted in GRIDS[:2] if not kolmo.options.long else GRIDS:
        omega = follow(kolmo, n, phi)
        found.append((n[0], omega))
        check.near(f"{n[0]} x {n[1]} cells: frequency", omega.real, wanted.real, 2e-7)
        check.near("    growth rate", omega.imag, wanted.imag, 2e-7)
    for coarse, fine in zip(found, found[1:]):
        away = [abs(omega - OMEGA) for _, omega in (coarse, fine)]
        check.near(f"{coarse[0]} and {fine[0]} cells of a wave length: order",
                   math.log(away[0] / away[1]) / math.log(fine[0] / coarse[0]), 2.0, 0.01)
    limit = extrapolated(*found[-2:])
    frequency, growth = ((2e-5, 0.025), (1e-6, 5e-4))[kolmo.options.long]
    check.near("    extrapolated: frequency, over the theory", limit.real / OMEGA.real, 1.0, frequency)
    check.near("    growth rate, over the theory", limit.imag / OMEGA.imag, 1.0, growth)


if __name__ == "__main__":
    kc.main(__doc__, [wave])

#!/usr/bin/env python3
"""The random initial field is what was asked for: spectrum shell by shell, u_rms, no divergence, seeds,
independent of ranks.

Would catch: shells counted or normalised wrongly, a mode and its mirror image that do not match (energy lost
in the real part), velocities that are not at their own faces, the wrong wavenumber of a box that is no cube,
random numbers that hang on the rank or the order of cells, a projection that eats energy.

A run of no steps writes no checkpoint, so these take one step of 1e-13: it changes nothing that the bounds
would see."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

K_PEAK, U_RMS = 3.0, 0.7
CUBE = {"n": (24, 24, 24), "length": kc.CUBE}
BOX = {"n": (32, 20, 12), "length": (9.0, 6.0, 3.0)}
TABLE = ((1.0, 0.2), (2.0, 1.0), (4.0, 0.8), (9.0, 0.1))


def field(kolmo, grid, initial, seed=1, ranks=1):
    """The run that writes the initial field."""
    return kolmo.run({"run": {"steps_max": 1, "seed": seed}, "grid": grid, "fluid": {"nu": 0.0},
                      "time": {"dt": 1e-13},
                      "initial": {"type": "isotropic", "u_rms": U_RMS, **initial}}, ranks=ranks)


def wave_numbers(c):
    """Index of each wave along x, y, z, its wavenumber |k|, and whether it is no wave of two cells in any
    direction."""
    n = c.fields["u"].shape[::-1]
    index = [np.fft.fftfreq(n[d], 1.0 / n[d]) for d in range(3)]
    k = np.sqrt(sum(kc.along(kc.TWO_PI * index[d] / c.length[d], d) ** 2 for d in range(3)))
    inside = np.ones(k.shape, dtype=bool)
    for d in range(3):
        inside = inside & kc.along(2 * np.abs(index[d]) != n[d], d)
    return k, inside


def spectrum(c):
    """Energy of each shell of width 2 pi / longest side, and the number of waves in it."""
    size = c.fields["u"].size
    energy = sum(0.5 * np.abs(np.fft.fftn(q) / size) ** 2 for q in c.velocity)
    k, inside = wave_numbers(c)
    width = kc.TWO_PI / max(c.length)
    shell = np.floor(k / width + 0.5 + 1e-9).astype(int)  # waves on an edge: of the shell above
    count = np.bincount(shell[inside])
    found = np.bincount(shell.ravel(), energy.ravel())
    count = np.pad(count, (0, len(found) - len(count)))
    count[0] = 0
    return width * np.arange(len(found)), found, count


def gaussian(k, _):
    """k^4 exp(-2 (k/kp)^2)"""
    return (k / K_PEAK) ** 4 * np.exp(-2 * (k / K_PEAK) ** 2)


def von_karman(k, k_grid):
    """(k/ke)^4 / (1 + (k/ke)^2)^(17/6), its peak at K_PEAK, cut off towards half the grid's largest
    wavenumber."""
    x = k / (K_PEAK * np.sqrt(5 / 12))
    return x ** 4 * (1 + x * x) ** (-17 / 6) * np.exp(-2 * (2 * k / k_grid) ** 2)


def table(k, _):
    """Straight lines through TABLE, in logarithms."""
    ks, es = np.log(TABLE).T
    inside = (k > TABLE[0][0] * (1 - 1e-9)) & (k < TABLE[-1][0] * (1 + 1e-9))
    return np.where(inside, np.exp(np.interp(np.log(np.maximum(k, 1e-9)), ks, es)), 0.0)


def judge(check, label, result, shape):
    """Spectrum, u_rms, divergence and mean of a field on a uniform grid."""
    c = result.checkpoint()
    k, found, count = spectrum(c)
    k_grid = min(np.pi * n / length for n, length in zip(c.fields["u"].shape[::-1], c.length))
    wanted = np.where(count > 0, shape(k, k_grid), 0.0)
    wanted *= 1.5 * U_RMS ** 2 / np.sum(wanted)
    used = int(np.sum(wanted > 1e-6 * np.max(wanted)))
    check.above(f"{label}: shells that hold energy", used, 4)
    check.below(f"{label}: largest difference of a shell, over the largest shell",
                np.max(np.abs(found - wanted)) / np.max(wanted), 1e-12)
    relevant = wanted > 1e-6 * np.max(wanted)
    check.below(f"{label}: largest relative difference of a shell",
                np.max(np.abs(found[relevant] / wanted[relevant] - 1)), 1e-9)
    check.near(f"{label}: u_rms", np.sqrt(2 / 3 * sum(c.mean(n, c.fields[n] ** 2) / 2 for n in "uvw")), U_RMS,
               1e-12)
    check.near(f"{label}: kinetic_energy of step 0", result.series()["kinetic_energy"][0], 1.5 * U_RMS ** 2,
               1e-12)
    check.below(f"{label}: max |div u| h/U, after the step", c.scaled_divergence(), 2e-12)
    check.below(f"{label}: divergence_max of step 0", result.series()["divergence_max"][0], 1e-13)
    check.below(f"{label}: mean velocity", max(abs(float(np.mean(q))) for q in c.velocity), 1e-14)
    share = [float(np.mean(q * q)) / (3 * U_RMS ** 2) for q in c.velocity]
    return share


def spectra_in_a_cube(kolmo, check):
    """Each spectrum in a cube."""
    path = os.path.join(kolmo.folder, "e.txt")
    with open(path, "w", encoding="utf-8") as target:
        target.write("# k E\n" + "\n".join(f"{k} {e}  # point" for k, e in TABLE) + "\n")
    for name, initial, shape in (("gaussian", {"k_peak": K_PEAK}, gaussian),
                                 ("von-karman", {"k_peak": K_PEAK}, von_karman),
                                 ("file", {"spectrum_file": path}, table)):
        share = judge(check, f"{name}, cube", field(kolmo, CUBE, {"spectrum": name, **initial}), shape)
        check.below(f"{name}: shares of u, v, w in the energy, largest distance from a third (random, this "
                    "seed)",
                    max(abs(s - 1 / 3) for s in share), 0.1)


def spectra_in_a_box(kolmo, check):
    """A box of three lengths: shells as wide as the longest side's wavenumber."""
    for name, shape in (("gaussian", gaussian), ("von-karman", von_karman)):
        judge(check, f"{name}, box", field(kolmo, BOX, {"spectrum": name, "k_peak": K_PEAK}), shape)


def mean_velocity(kolmo, check):
    """initial.velocity comes on top, and moves nothing else."""
    drift = (0.3, -0.2, 0.1)
    plain = field(kolmo, CUBE, {}).checkpoint()
    moved = field(kolmo, CUBE, {"velocity": drift}).checkpoint()
    check.below("difference of the two fields, less the velocity",
                max(float(np.max(np.abs(b - a - d)))
                    for a, b, d in zip(plain.velocity, moved.velocity, drift)), 1e-11)


def seeds_and_ranks(kolmo, check):
    """The same seed gives the same bits on any ranks, another seed another flow; on uniform and stretched
    grids."""
    stretched = {**BOX, "stretching": ("sine", "uniform", "tanh"), "stretching_factor": (0.3, 0.0, 0.9)}
    for label, grid in (("uniform", BOX), ("stretched", stretched)):
        one = field(kolmo, grid, {"k_peak": K_PEAK}, seed=7)
        check.same(f"{label}: again", kc.differences(one, field(kolmo, grid, {"k_peak": K_PEAK}, seed=7)))
        for ranks, layout in ((2, (0, 0, 0)), (3, (1, 3, 1)), (4, (2, 1, 2)), (5, (1, 1, 5))):
            other = field(kolmo, {**grid, "ranks": layout}, {"k_peak": K_PEAK}, seed=7, ranks=ranks)
            check.same(f"{label}: {ranks} ranks", kc.differences(one, other))
        a = one.checkpoint()
        for seed in (8, 1007):
            b = field(kolmo, grid, {"k_peak": K_PEAK}, seed=seed).checkpoint()
            overlap = max(abs(float(np.mean(p * q))) / np.sqrt(float(np.mean(p * p)) * float(np.mean(q * q)))
                          for p, q in zip(a.velocity, b.velocity))
            check.below(f"{label}: correlation of seeds 7 and {seed}", overlap, 0.3)
        if label == "stretched":
            check.below("stretched: max |div u| h/U, of the run's tolerance", a.scaled_divergence(), 1e-6)
            energy = one.series()["kinetic_energy"][0]
            check.near("stretched: energy, about the one asked for", energy / (1.5 * U_RMS ** 2), 1.0, 0.1)


if __name__ == "__main__":
    kc.main(__doc__, [spectra_in_a_cube, spectra_in_a_box, mean_velocity, seeds_and_ranks])

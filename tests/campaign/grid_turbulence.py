"""Brings the energy spectrum of a flow in a periodic cube back to a given one, and keeps the phases of its
waves: so turbulence that has grown from random waves begins its decay with a spectrum that was measured."""

import os

import h5py
import numpy as np

from report_parts import Unreadable


def read_spectrum(path, column):
    """Wavenumbers and E(k) of a table, where it has values."""
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    names = lines[0].split(",")
    if column not in names:
        raise Unreadable(f"{path}: no column {column}; there are {', '.join(names)}")
    rows = np.array([[float(w) for w in line.split(",")] for line in lines[1:]])
    k, e = rows[:, 0], rows[:, names.index(column)]
    good = np.isfinite(e) & (e > 0)
    return k[good], e[good]


def write_spectrum(path, k, e):
    """For initial.spectrum_file."""
    np.savetxt(path, np.stack([k, e], axis=1), fmt="%.9g", header="k, E(k)")


def wave_shells(n):
    """Numbers of the shells of the waves that rfftn gives, and how often each wave counts. Shell s holds the
    waves whose length is nearest to s 2 pi/side; on the edge between two, the larger s counts."""
    m = np.fft.fftfreq(n, 1.0 / n)
    last = np.arange(n // 2 + 1)
    square = m[:, None, None] ** 2 + m[None, :, None] ** 2 + last[None, None, :] ** 2
    twice = np.where((last == 0) | (2 * last == n), 1.0, 2.0)
    return np.floor(np.sqrt(square) + 0.5).astype(np.int32), twice


def shell_energy(waves, shells, twice, count):
    """Kinetic energy of the shells."""
    power = twice * (waves.real**2 + waves.imag**2)
    return 0.5 * np.bincount(shells.ravel(), weights=power.ravel(), minlength=count)[:count]


def factors(energy, side, k, e):
    """By which the waves of each shell are multiplied. Shells below the first wavenumber of the table are
    left as they are; above its last one the last factor holds."""
    width = 2 * np.pi / side
    own = width * np.arange(len(energy))
    inside = (own >= k[0] * (1 - 1e-9)) & (own <= k[-1] * (1 + 1e-9)) & (energy > 0)
    out = np.ones(len(energy))
    target = np.exp(np.interp(np.log(own[inside]), np.log(k), np.log(e))) * width
    out[inside] = np.sqrt(target / energy[inside])
    if inside.any():
        out[np.flatnonzero(inside)[-1] + 1 :] = out[np.flatnonzero(inside)[-1]]
    return out


def reshape(checkpoint, to, k, e):
    """Writes a flow file with the waves of a checkpoint and the spectrum (k, e). All components of a wave are
    multiplied by the same factor, so that the divergence stays what it was."""
    with h5py.File(checkpoint, "r") as source:
        faces = {d: source[f"grid/{d}_face"][...] for d in "xyz"}
        n = source["fields/u"].shape
        side = float(faces["x"][-1] - faces["x"][0])
        if len(set(n)) != 1 or n[0] % 2:
            raise Unreadable(f"{checkpoint}: a cube of an even number of cells is wanted, not {n}")
        shells, twice = wave_shells(n[0])
        count = n[0] // 2 + 1
        waves = {name: np.fft.rfftn(source[f"fields/{name}"][...]) for name in "uvw"}
    energy = sum(shell_energy(w / n[0] ** 3, shells, twice, count) for w in waves.values())
    factor = factors(energy, side, k, e)
    factor = np.append(factor, factor[-1])[np.minimum(shells, count)]
    with h5py.File(to + ".tmp", "w", libver=("v110", "v110")) as target:
        for name, own in waves.items():
            target[name] = np.fft.irfftn(own * factor, n, axes=(0, 1, 2))
        for d, values in faces.items():
            target[f"grid/{d}_face"] = values
        target.attrs.update(format=np.bytes_("kolmo-flow"), format_version=1, complete=1)
    os.replace(to + ".tmp", to)

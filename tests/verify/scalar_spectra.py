#!/usr/bin/env python3
"""Spectra and co-spectra of scalars, at heights between walls and in periodic boxes (spectra.nc), against
numpy, which transforms stored flows; layouts, restarts, stored flows and merged files.

numpy has the staggered grid, takes fluctuations about means over time and transforms them itself. Would
catch: a scalar under another's name, a factor from the wrong side of its face, a plane of the wrong height, a
wave of the wrong weight, a spectrum whose sum is not the variance, a sample doubled or lost at a restart."""
import os
import shutil
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402

AXIS, PART = "xyz", "uvw"
NAMES = ("heat", "salt")
kc.LOCATION.update({"heat": "ccc", "salt": "ccc"})
STEPS = 4


def read(folder, name="spectra.nc"):
    """All variables of a file, and their units."""
    found, units = {}, {}

    def keep(key, value):
        if isinstance(value, h5py.Dataset):
            found[key] = value[...]
            unit = value.attrs.get("scaling", value.attrs.get("units", b""))
            units[key] = unit.decode() if isinstance(unit, bytes) else str(unit)

    with h5py.File(os.path.join(folder, name), "r") as file:
        file.visititems(keep)
    return found, units


def differing(one, other, *names):
    """Names of variables that differ, bit for bit."""
    return [v for n in names for v in kc.differing_arrays(read(one, n)[0], read(other, n)[0])]


SCALARS = {"name": NAMES, "prandtl": (0.7, 2.0), "initial_value": (0.2, 0.4), "disturbance": (0.4, 0.3),
           "waves": (1, 2, 1, 2, 1, 1), "unit": ("K", "1")}
COMMON = {"run": {"steps_max": STEPS, "seed": 3}, "fluid": {"nu": 0.02}, "time": {"dt": 0.02},
          "pressure": {"tolerance": 1e-11}, "output": {"log_interval": 1000},
          "statistics": {"start": 0.0, "interval": 1, "spectra_interval": 1}}
EVERY_STEP = {"checkpoint": {"interval": 1, "keep": 20}}


def walls(normal, *more):
    """Two scalars between walls that are stretched; lines of odd and even length."""
    n = AXIS.index(normal)
    cells, law, factor, heights = [12, 9, 10], ["uniform"] * 3, [0.0] * 3, [0.1, 0.62]
    cells[n], law[n], factor[n] = 14, "tanh", 1.1
    low, high = normal + "_low", normal + "_high"
    a = next(d for d in range(3) if d != n)
    return kc.merge(COMMON, {
        "grid": {"n": tuple(cells), "length": (1.3, 1.1, 1.2), "stretching": tuple(law),
                 "stretching_factor": tuple(factor)},
        "boundary": {low: "wall", high: "wall"}, "initial": {"type": "channel"},
        "forcing": {"type": "bulk-velocity", "value": 0.8, "direction": AXIS[a]},
        "scalars": {**SCALARS, low: ("value",) * 2, high: ("value",) * 2, low + "_value": (1.0, 0.5)},
        "statistics": {"spectra_heights": tuple(heights)}}, *more)


def precision(kolmo):
    """Inputs for the precision of the build."""
    return {"pressure": {"tolerance": 1e-5}} if kolmo.options.real == "float" else {}


def box(*more):
    """Two scalars in a periodic box of unequal sides."""
    return kc.merge(COMMON, {
        "grid": {"n": (12, 9, 10), "length": (6.0, 5.0, 5.5)},
        "initial": {"type": "isotropic", "k_peak": 2, "velocity": (0.3, -0.2, 0.1)},
        "scalars": {**SCALARS, "mean_gradient": (0.3, 0.0, 0.1, 0.0, 0.2, 0.0)}}, *more)


def with_flows(kolmo, case):
    """A run, and the checkpoints of its steps. They come from another run, without averages: their sums take
    most of the time that a checkpoint needs."""
    plain = {group: names for group, names in case.items() if group != "statistics"}
    stored = kolmo.run(kc.merge(plain, EVERY_STEP))
    return kolmo.run(case), [stored.checkpoint(n + 1) for n in range(STEPS)]


def line_spectrum(f, g, axis, length):
    """Co-spectrum of two fields along an axis, both signs of the wavenumber together, over its step."""
    n = f.shape[axis]
    product = (np.fft.fft(f, axis=axis) * np.conj(np.fft.fft(g, axis=axis))).real / n**2
    other = tuple(d for d in range(f.ndim) if d != axis)
    both = product.mean(axis=other)
    found = both[:n // 2 + 1].copy()
    found[1:(n + 1) // 2] += both[:n // 2:-1]
    return found * length / (2 * np.pi)


def worst(value, wanted):
    """Largest difference over the largest value."""
    return np.max(np.abs(value - wanted)) / np.max(np.abs(wanted))


def at_heights(kolmo, check, normal):
    """All spectra of scalars in their planes."""
    run, flows = with_flows(kolmo, walls(normal))
    found, units = read(run.folder)
    profiles = read(run.folder, "statistics.nc")[0]
    nor = AXIS.index(normal)
    along = [d for d in range(3) if d != nor]
    order = [2 - along[0], 2 - along[1], 2 - nor]
    take = [{k: np.transpose(f.fields[k], order) for k in (*PART, *NAMES)} for f in flows]
    centres, faces = (profiles[normal], profiles[normal + "_face"])
    for h in range(2):
        c = int(np.argmin(abs(centres - found[normal][h])))
        f = int(np.argmin(abs(faces - found[normal + "_face"][h])))
        for name in NAMES:
            t = np.array([q[name] for q in take])
            level = t[..., c]
            pairs = {name: (level, level, c, "_variance")}
            for e, d in enumerate(along):
                pairs[PART[d]] = (0.5 * (level + np.roll(level, 1, 1 + e)),
                                  np.array([q[PART[d]][..., c] for q in take]), c, "_" + PART[d])
            pairs[PART[nor]] = (0.5 * (t[..., f - 1] + t[..., f]),
                                np.array([q[PART[nor]][..., f] for q in take]), f, "_" + PART[nor])
            for second, (one, two, place, end) in pairs.items():
                one, two = one - one.mean(), two - two.mean()
                for e, d in enumerate(along):
                    wanted = np.mean([line_spectrum(a, b, e, (1.3, 1.1, 1.2)[d]) for a, b in zip(one, two)],
                                     axis=0)
                    value = found[f"E_{name}_{second}_{AXIS[d]}"][h]
                    check.below(f"E_{name}_{second}_{AXIS[d]}, walls in {normal}, height {h + 1}",
                                np.max(abs(value - wanted)) / max(np.max(abs(wanted)), 1e-12), 1e-10)
                    step = 2 * np.pi / (1.3, 1.1, 1.2)[d]
                    check.near("    its sum", float(value.sum() * step), float((one * two).mean()), 1e-14)
                    if second in (name, PART[nor]):
                        check.near("    and statistics.nc", float(value.sum() * step),
                                   float(profiles[name + end][place]), 1e-14)
                    if second != name:
                        continue
                    lag = np.arange(value.size)
                    wanted = [np.mean(one * np.roll(one, -r, 1 + e)) for r in lag]
                    check.below(f"R_{name}_{name}_{AXIS[d]}",
                                worst(found[f"R_{name}_{name}_{AXIS[d]}"][h], np.array(wanted)), 1e-10)
    a = AXIS[along[0]]
    check.equal("units", [units[f"{k}_{a}"] for k in ("E_heat_heat", f"E_heat_{PART[nor]}", "E_salt_salt",
                                                      "R_heat_heat")],
                ["K2 L", "K U L", "L", "K2"])


def between_walls(kolmo, check):
    """Against numpy."""
    for normal in "zx" if not kolmo.options.long else AXIS:
        at_heights(kolmo, check, normal)


def in_box(kolmo, check):
    """Shells, transfer, dissipation, co-spectra and correlations of a box against numpy."""
    run, flows = with_flows(kolmo, box())
    found, units = read(run.folder)
    moments = read(run.folder, "statistics.nc")[0]
    flows = [f.fields for f in flows]
    n, length = (12, 9, 10), (6.0, 5.0, 5.5)
    k = [np.fft.fftfreq(n[d], 1 / n[d]) * 2 * np.pi / length[d] for d in range(3)]
    square = k[2][:, None, None]**2 + k[1][:, None]**2 + k[0]**2
    seen = [(2 * n[d] / length[d] * np.sin(k[d] * length[d] / n[d] / 2))**2 for d in range(3)]
    modified = seen[2][:, None, None] + seen[1][:, None] + seen[0]
    step = 2 * np.pi / max(length)
    shell = np.floor(np.sqrt(square * (1 + 1e-12)) / step + 0.5).astype(int)
    shells = found["k"].size

    def shelled(f, g, weight=1.0):
        """Sum over each shell of the product of the coefficients, over the step."""
        product = weight * (np.fft.fftn(f) * np.conj(np.fft.fftn(g))).real / f.size**2
        return np.bincount(shell.ravel(), product.ravel(), minlength=shells) / step

    for i, name in enumerate(NAMES):
        kappa = 0.02 / SCALARS["prandtl"][i]
        t = np.array([f[name] for f in flows])
        prime = t - t.mean()
        wanted = {f"E_{name}_{name}": [shelled(p, p) for p in prime],
                  f"D_{name}": [2 * kappa * shelled(p, p, modified) for p in prime]}
        convection = 0
        for d, part in enumerate(PART):
            u = np.array([f[part] for f in flows])
            middle = 0.5 * (u + np.roll(u, -1, 3 - d))
            middle = middle - middle.mean()
            wanted[f"E_{name}_{part}"] = [shelled(a, b) for a, b in zip(prime, middle)]
            check.near(f"sum of E_{name}_{part}", float(found[f"E_{name}_{part}"].sum() * step),
                       float(moments[f"{name}_{part}"]), 1e-13)
            flux = u * 0.5 * (t + np.roll(t, 1, 3 - d))
            convection = convection - (np.roll(flux, -1, 3 - d) - flux) * n[d] / length[d]
        wanted[f"T_{name}"] = [2 * shelled(a, b) for a, b in zip(t, convection)]
        wanted[f"flux_{name}"] = [-np.cumsum(v) * step for v in wanted[f"T_{name}"]]
        for d, axis in enumerate(AXIS):
            lines = [line_spectrum(p, p, 2 - d, length[d]) for p in prime]
            wanted[f"E_{name}_{name}_{axis}"] = lines
            lags = range(n[d] // 2 + 1)
            wanted[f"R_{name}_{name}_{axis}"] = [[np.mean(p * np.roll(p, -r, 2 - d)) for r in lags]
                                                 for p in prime]
            check.near(f"integral length along {axis}", float(found[f"{name}_integral_length_{axis}"]),
                       float(np.pi * np.mean(lines, axis=0)[0] / np.mean(prime**2)), 1e-11)
        for key, values in wanted.items():
            check.below(key, worst(found[key], np.mean(values, axis=0)), 1e-11)
            if key[0] == "E":  # the raw sums hold the means, too, in wave 0
                check.below(f"sum of samples of {key}",
                            worst(found[f"raw/{key}_sum"][1:], np.sum(values, axis=0)[1:]), 1e-11)
            elif key[0] != "R":
                check.below(f"latest {key}", worst(found["latest/" + key], values[-1]), 1e-11)
        for end in ("_variance", "_variance_dissipation"):
            check.near(f"sum over shells: {name}{end}", float(found[name + end] / moments[name + end]), 1,
                       1e-12)
    check.equal("units", [units[u] for u in ("E_heat_heat", "E_heat_u", "T_heat", "flux_salt", "D_salt",
                                             "heat_integral_length_x", "R_heat_heat_z", "E_salt_salt_y")],
                ["K2 L", "K U L", "K2 U", "U/L", "U", "L", "K2", "L"])


def densities(kolmo, check):
    """Of the values and of the gradients, over their root mean squares in each sample."""
    run, flows = with_flows(kolmo, box(precision(kolmo)))
    found = read(run.folder, "pdf.nc")[0]
    flows = [f.fields for f in flows]
    edges = np.linspace(-32, 32, 321)
    check.below("bins", float(abs(found["bin"] - 0.5 * (edges[1:] + edges[:-1])).max()), 1e-12)
    for name in NAMES:
        fields = {name: [f[name] - f[name].mean() for f in flows]}
        for d, axis in enumerate(AXIS):
            fields[f"gradient_{name}_{axis}"] = [np.roll(f[name], -1, 2 - d) - f[name] for f in flows]
        for key, values in fields.items():
            counts = [np.histogram(v / np.sqrt(np.mean(v**2)), edges)[0] / v.size for v in values]
            # rounding may move a value over an edge
            check.below(f"pdf_{key}", float(abs(found["pdf_" + key] / 5 - np.mean(counts, axis=0)).sum()),
                        1e-10)
            check.below("    latest", float(abs(found["latest/pdf_" + key] / 5 - counts[-1]).sum()),
                        1e-10)
            whole = float(found["pdf_" + key].sum() / 5 + found["outside_" + key])
            check.below("    and beyond", abs(whole - 1), 1e-12)
            check.holds("    with errors", f"pdf_{key}_error" in found)


def densities_at_heights(kolmo, check):
    """Of the values in planes, over their root mean squares in each plane and sample."""
    for normal in "zy":
        run, flows = with_flows(kolmo, walls(normal, precision(kolmo)))
        found = read(run.folder, "pdf.nc")[0]
        axis = 2 - AXIS.index(normal)
        centres = read(run.folder, "statistics.nc")[0][normal]
        edges = np.linspace(-32, 32, 321)
        for h in range(2):
            level = int(np.argmin(abs(centres - found[normal][h])))
            for name in NAMES:
                planes = [np.take(f.fields[name], level, axis) for f in flows]
                planes = [(p - p.mean()) / p.std() for p in planes]
                counts = np.mean([np.histogram(p, edges)[0] / p.size for p in planes], axis=0)
                check.below(f"pdf_{name}, walls in {normal}, height {h + 1}",
                            float(abs(found["pdf_" + name][h] / 5 - counts).sum()), 1e-10)
                check.below("    and beyond", float(abs(found["outside_" + name][h])), 1e-14)


def reported(kolmo, check):
    """The report reads densities at heights."""
    run, few = kolmo.run(walls("y")), kolmo.place()
    none = {"spectra_heights": None, "spectra_interval": None}
    for more, words in ((none, "those at statistics.spectra_heights"),
                        ({**none, "directions": "none"}, "in every cell")):
        text = kolmo.run(walls("y", {"statistics": more}, {"run": {"steps_max": 1}})).text
        check.says("why there are no densities", text, "no densities of scalars in pdf.nc: ", words)
    here = os.path.dirname(os.path.abspath(__file__))
    tool = os.path.join(here, "..", "..", "postproc", "kolmo-report")
    for name in ("series.nc", "pdf.nc"):  # the other files have many figures
        shutil.copy(os.path.join(run.folder, name), few)
    made = subprocess.run([sys.executable, tool, few], capture_output=True, text=True, check=False)
    check.holds("the report reads the file", made.returncode in (0, 1), made.stderr)  # 1: verdicts may be bad


def repeats(kolmo, check):
    """The same bits on any ranks, after a restart, from stored flows; halves merge."""
    files = {"walls": ("spectra.nc", "pdf.nc"), "box": ("spectra.nc", "pdf.nc")}
    for label, case, ranks in (("walls", walls("z"), (1, 1, 2)), ("box", box(), (2, 1, 1))):
        whole = kolmo.run(kc.merge(case, EVERY_STEP))
        other = kolmo.run(kc.merge(case, {"grid": {"ranks": ranks}}), ranks=int(np.prod(ranks)))
        check.same(f"{label}, {ranks} ranks", differing(whole.folder, other.folder, *files[label]))
        first = kolmo.run(kc.merge(case, {"run": {"steps_max": 2}}))
        rest = kolmo.run(case, "--restart", kc.checkpoint_path(first.folder, 2), ranks=2)
        check.same(f"{label}, restarted on two ranks", differing(whole.folder, rest.folder, *files[label]))
        again = kolmo.place("again-" + label)
        kolmo.other("kolmo-stats").call(whole.folder, "--out", again)
        check.same(f"{label}, kolmo-stats", differing(whole.folder, again, *files[label]))
        rest = kolmo.run(kc.merge(case, {"statistics": {"start": 0.04 + 1e-6}}), "--restart",
                         kc.checkpoint_path(first.folder, 2))
        out = kolmo.place("merged-" + label)
        kolmo.other("kolmo-merge").call("--out", out, first.folder, rest.folder)
        for file, least in zip(files[label], (15, 3 if label == "walls" else 15)):
            a, b = read(whole.folder, file)[0], read(out, file)[0]
            names = [k for k in a if any(s in k for s in NAMES) and "/" not in k and not k.endswith("_error")]
            scale = {k: np.nanmax(abs(a[k])) + 1e-12 for k in names}
            check.below(f"{label}, {file} merged",
                        max(np.nanmax(abs(a[k] - b[k])) / scale[k] for k in names), 1e-10)
            check.above("    variables of scalars", len(names), least)
            check.equal("    samples", int(b["n_samples"]), STEPS)
        plain = {k: v for k, v in case.items() if k != "scalars"}
        before = kolmo.run(kc.merge(plain, {"run": {"steps_max": 2}}))
        taken = kolmo.run(case, "--restart", kc.checkpoint_path(before.folder, 2))
        check.says("scalars that a checkpoint lacks", taken.text,
                   "spectra of the checkpoint are dropped", "the scalars have changed")
        for file in files[label]:
            check.equal(f"    samples of {file}", int(read(taken.folder, file)[0]["n_samples"]), 2)


if __name__ == "__main__":
    kc.main(__doc__.split("\n")[0], [between_walls, in_box, densities, densities_at_heights, reported,
                                     repeats])

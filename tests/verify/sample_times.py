#!/usr/bin/env python3
"""Averages over time where the step varies: each sample has the weight of the time that it stands for.

A laminar channel with a force that oscillates, whose step follows its speed: the mean of the wall stress
is the integral of series.nc over time, the stress is on its line, while the mean over steps is off;
likewise the dissipation of a box that decays. Restarts at any place have the same bits; files of two
parts merge into that of the whole; stored flows give the file of the run. With equal steps the averages
are plain means. Would catch: samples of equal weight, a weight that is that of the neighbour, one that is
lost at a restart or where files meet."""
import glob
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import h5py  # noqa: E402
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402

NU, MEAN, HALF = 0.05, 0.2, 1.0
PERIOD = 4.0
# over the last 12 units of time, three periods
CHANNEL = {"run": {"t_end": 40.0},
           "grid": {"n": (4, 4, 20), "length": (0.4, 0.4, 2 * HALF),
                    "stretching": ("uniform", "uniform", "tanh"), "stretching_factor": (0.0, 0.0, 1.2)},
           "fluid": {"nu": NU}, "time": {"cfl": 0.5, "diffusion": "implicit"},
           "boundary": {"z_low": "wall", "z_high": "wall"}, "pressure": {"preconditioner": "direct"},
           "forcing": {"type": "pressure-gradient", "value": MEAN, "amplitude": 1.0,
                       "frequency": 1 / PERIOD},
           "initial": {"type": "channel", "disturbance": 0.0},
           "statistics": {"start": 28.0, "interval": 1},
           "checkpoint": {"at_end": True}, "output": {"log_interval": 10000, "series_interval": 1}}
# Re of some 20, decaying: the step grows
BOX = {"run": {"steps_max": 60}, "grid": {"n": (8, 8, 8), "length": (6.283, 6.283, 6.283)},
       "fluid": {"nu": 0.1}, "time": {"cfl": 1.0}, "initial": {"type": "isotropic", "k_peak": 2},
       "statistics": {"start": 0.0, "interval": 1, "spectra_interval": 3},
       "checkpoint": {"at_end": True}, "output": {"log_interval": 10000, "series_interval": 1}}
DUCT = {"run": {"steps_max": 60}, "grid": {"n": (4, 8, 8), "length": (0.5, 1.0, 1.0)},
        "fluid": {"nu": 0.02}, "time": {"cfl": 0.5},
        "boundary": {"y_low": "wall", "y_high": "wall", "z_low": "wall", "z_high": "wall"},
        "forcing": {"type": "pressure-gradient", "value": 0.5, "amplitude": 2.0, "frequency": 2.0},
        "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)},
        "statistics": {"start": 0.0, "interval": 2},
        "checkpoint": {"at_end": True}, "output": {"log_interval": 10000, "series_interval": 1}}


def contents(folder):
    """{file/variable: values}, groups too."""
    found = {}
    for path in glob.glob(os.path.join(folder, "*.nc")):
        name = os.path.basename(path)
        if name == "series.nc":
            continue
        with h5py.File(path, "r") as file:
            file.visititems(lambda n, v, name=name: found.__setitem__(name + "/" + n, v[...])
                            if isinstance(v, h5py.Dataset) else None)
    return found


def differing(one, two):
    """Names of what has other bits."""
    return [n for n in sorted(set(one) | set(two)) if n not in one or n not in two
            or np.asarray(one[n]).tobytes() != np.asarray(two[n]).tobytes()]


def weights(t):
    """Half the time to either neighbour; at the ends twice the one half."""
    half = np.diff(t) / 2
    return np.concatenate(([half[0]], half)) + np.concatenate((half, [half[-1]]))


def over_time(t, values):
    return float((weights(t) * values).sum() / weights(t).sum())


def samples_of(result, every, start):
    """Series at the samples: times, and the columns."""
    series = result.series()
    taken = (series["step"] % every == 0) & (series["time"] >= start * (1 - 1e-12)) & (series["step"] > 0)
    return {n: np.asarray(series[n])[taken] for n in series}


def channel(kolmo, check):
    """The mean wall stress is that over time, and in balance with the force; the stress is on its line."""
    run = kolmo.run(CHANNEL)
    s, page = samples_of(run, 1, 28.0), contents(run.folder)
    t, steps = s["time"], np.diff(s["time"])
    varies = float(np.std(steps) / np.mean(steps))
    check.above("the step varies, rms over mean", varies, 0.14)
    check.equal("samples", int(page["statistics.nc/n_samples"]), t.size)
    check.near("time that they stand for", float(page["statistics.nc/averaging_time"]), weights(t).sum(),
               1e-10)
    force = float(page["statistics.nc/force"])
    check.near("mean force over time", force, over_time(t, s["force"]), 1e-12)
    stress = (page["statistics.nc/wall_stress_low"] + page["statistics.nc/wall_stress_high"]) / 2
    wall = (s["wall_stress_z_low"] + s["wall_stress_z_high"]) / 2
    check.near("mean wall stress over time", float(stress), over_time(t, wall), 1e-12)
    check.near("the force in the mean", float(stress), MEAN * HALF, 1e-3)
    check.above("which the mean over steps is off by", abs(float(np.mean(wall)) / MEAN - 1), 0.05)
    residual = page["statistics.nc/stress_residual"]
    check.below("distance of the total stress from its line", float(np.nanmax(np.abs(residual))), 1e-3)
    for every in (3, 7):
        run = kolmo.run(kc.merge(CHANNEL, {"statistics": {"interval": every}}))
        s, page = samples_of(run, every, 28.0), contents(run.folder)
        check.near(f"mean force over time, a sample every {every} steps", float(page["statistics.nc/force"]),
                   over_time(s["time"], s["force"]), 1e-12)


def box(kolmo, check):
    """The mean dissipation of a decaying box is that over time; raw sums over n_samples are the means;
    spectra with their own interval have it, too."""
    run = kolmo.run(BOX)
    s, page = samples_of(run, 1, 0.0), contents(run.folder)
    check.above("the step varies", float(np.std(np.diff(s["time"])) / np.mean(np.diff(s["time"]))), 0.14)
    for name in ("dissipation", "enstrophy", "kinetic_energy"):
        wanted = over_time(s["time"], s[name])
        check.below(name + " over time", abs(float(page["statistics.nc/" + name]) / wanted - 1), 1e-12)
        check.above("which the mean over steps is off by", abs(float(np.mean(s[name])) / wanted - 1), 0.02)
    check.below("raw sums", abs(float(page["statistics.nc/raw/sum_U"] / page["statistics.nc/n_samples"]
                                      - page["statistics.nc/U"])), 1e-13)
    third = samples_of(run, 3, 0.0)
    check.below("spectra, every third step", abs(float(page["spectra.nc/dissipation"])
                                                 / over_time(third["time"], third["dissipation"]) - 1), 1e-9)


def equal(kolmo, check):
    """With a fixed step the weights are 1, so that the mean over time is that over samples to the bit."""
    run = kolmo.run(kc.merge(BOX, {"time": {"cfl": None, "dt": 0.01}, "run": {"steps_max": 150}}))
    page = contents(run.folder)
    check.equal("weights", sorted(set(page["statistics.nc/batches/weight"])),
                [float(page["statistics.nc/batch_length"])])
    check.equal("of the rest", float(page["statistics.nc/batches/rest_weight"]),
                float(page["statistics.nc/n_samples"]
                      - page["statistics.nc/n_batches"] * page["statistics.nc/batch_length"]))


def restart(kolmo, check):
    """Stopped at a sample, between samples, after the first one, behind a batch: the same bits."""
    for name, case, cuts in (("channel", kc.merge(CHANNEL, {"statistics": {"start": 0.2, "interval": 2},
                                                           "run": {"t_end": None, "steps_max": 300}}),
                              (8, 131, 142)),
                             ("box", BOX, (1, 7, 32)), ("duct", DUCT, (2, 17, 32))):
        steps = case["run"]["steps_max"]
        whole = contents(kolmo.run(case).folder)
        for cut in cuts:
            folder = kolmo.place()
            kolmo.run(kc.merge(case, {"run": {"steps_max": cut}}), folder=folder)
            kolmo.run(kc.merge(case, {"run": {"steps_max": steps}, "grid": {"ranks": (1, 1, 2)}}),
                      "--restart", "latest", ranks=2, folder=folder)
            check.same(f"{name}, {cut} steps and the rest on two ranks", differing(whole, contents(folder)))


def near(check, name, one, two, bound=1e-11):
    """Values alike to rounding, over the largest of each; not those of batches and errors."""
    worst, where = 0.0, ""
    for n, value in one.items():
        skipped = n.endswith(("_error", "n_batches", "batch_length", "_lines"))
        if "/batches/" in n or skipped or n not in two:
            continue
        a, b = np.asarray(value, dtype=float), np.asarray(two[n], dtype=float)
        if a.shape != b.shape or (np.isnan(a) != np.isnan(b)).any():
            worst, where = np.inf, n
        elif np.isfinite(a).any() and n.endswith(("U", "uu", "ww", "force", "k", "dissipation", "u_tau", "E",
                                                  "averaging_time", "S2_along_x")):
            off = float(np.nanmax(np.abs(a - b)) / max(np.nanmax(np.abs(a)), 1e-300))
            worst, where = max((worst, where), (off, n))
    check.below(f"{name}, at most ({where})", worst, bound)


def merged(kolmo, check):
    """Files of two segments, the second of which drops the samples of the first, are together that of the
    whole; so are files made of stored flows from two parts of the time."""
    tool = kolmo.other("kolmo-merge")
    for name, case, cut in (("channel", kc.merge(CHANNEL, {"statistics": {"start": 0.2, "interval": 2},
                                                          "run": {"t_end": None, "steps_max": 300}}), 130),
                            ("box", BOX, 21), ("duct", DUCT, 27)):
        steps = case["run"]["steps_max"]
        whole, first = kolmo.run(case), kolmo.run(kc.merge(case, {"run": {"steps_max": cut}}))
        second = kolmo.run(kc.merge(case, {"run": {"steps_max": steps},
                                           "statistics": {"start": first.series()["time"][-1] + 1e-9}}),
                           "--restart", kc.checkpoint_path(first.folder, cut))
        out = kolmo.place()
        tool.call(second.folder, first.folder, "--out", out)
        near(check, name, contents(whole.folder), contents(out))


def stored(kolmo, check):
    """Stored flows of unequal distances in time: the file of the run, and of two parts merged that of all."""
    case = kc.merge(BOX, {"statistics": {"interval": 4, "spectra_interval": 4},
                          "checkpoint": {"interval": 4, "keep": 100}})
    run, stats, merge = kolmo.run(case), kolmo.other("kolmo-stats"), kolmo.other("kolmo-merge")
    whole, parts, out = kolmo.place(), [kolmo.place(), kolmo.place()], kolmo.place()
    stats.call(run.folder, "--out", whole)
    check.same("as the run", differing(contents(run.folder), contents(whole)))
    middle = str(0.5 * (run.series()["time"][32] + run.series()["time"][33]))
    stats.call(run.folder, "--to", middle, "--out", parts[0])
    stats.call(run.folder, "--from", middle, "--out", parts[1])
    merge.call(*parts, "--out", out)
    near(check, "two parts", contents(whole), contents(out))


if __name__ == "__main__":
    kc.main(__doc__, [channel, box, equal, restart, merged, stored])

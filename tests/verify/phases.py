#!/usr/bin/env python3
"""Averages by the phase of an oscillating drive, phases.nc.

A small channel, stretched, with one wall that moves, whose step varies, driven by a force that oscillates:
the averages of each phase are those that a slow program computes from the stored flows and series.nc, and so
are their error bars; Womersley's flow has the averages of its exact solution. The bits are the same on any
ranks, after a restart at any place of a cycle, and by kolmo-stats; kolmo-merge makes of two parts what one
run gives. What has no phases is refused. Would catch: a sample in the phase beside its own, with the weight
of another, counted twice or lost at a restart, fluctuations about the mean of all phases, errors from samples
of one cycle taken for independent."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import h5py  # noqa: E402
import batch_error  # noqa: E402
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402

PHASES, FREQUENCY, OFFSET, START = 6, 0.4, 0.9, 0.31
CHANNEL = {"run": {"t_end": 25.0, "seed": 4},
           "grid": {"n": (8, 6, 12), "length": (3.0, 2.0, 1.9),
                    "stretching": ("uniform", "uniform", "tanh"), "stretching_factor": (0.0, 0.0, 1.3)},
           "fluid": {"nu": 0.004}, "time": {"cfl": 0.4},
           "boundary": {"z_low": "wall", "z_high": "wall", "z_high_velocity": (0.3, 0.1, 0.0)},
           "forcing": {"type": "pressure-gradient", "value": 0.02, "amplitude": 2.0, "frequency": FREQUENCY,
                       "phase": OFFSET},
           "initial": {"type": "channel", "disturbance": 0.5},
           "statistics": {"start": START, "interval": 2, "phases": PHASES},
           "output": {"log_interval": 10000}}
# every sample is stored
STORED = kc.merge(CHANNEL, {"output": {"field_interval": 2, "field_places": "faces",
                                       "field_precision": "double"}})
# laminar, many cycles, few steps in each
SHORT = kc.merge(CHANNEL, {"run": {"t_end": None, "steps_max": 120},
                           "grid": {"n": (4, 4, 10)}, "fluid": {"nu": 0.05},
                           "time": {"cfl": None, "dt": 0.1}, "statistics": {"interval": 1},
                           "forcing": {"frequency": 1.6}})


def page(folder, name="phases.nc"):
    """{variable: values}, groups too."""
    found = {}
    with h5py.File(os.path.join(folder, name), "r") as file:
        file.visititems(lambda n, v: found.__setitem__(n, v[...]) if isinstance(v, h5py.Dataset) else None)
    return found


def differing(one, two):
    """Names of what has other bits."""
    return kc.differing_arrays(one, two)


def phase_of(t):
    """Number of the phase of times."""
    cycles = FREQUENCY * t + OFFSET / (2 * np.pi)
    return np.floor(PHASES * (cycles - np.floor(cycles))).astype(int)


def weights(t):
    """Half the time to either neighbour; at the ends twice the one half."""
    half = np.diff(t) / 2
    return np.concatenate(([half[0]], half)) + np.concatenate((half, [half[-1]]))


def planes(c, flow):
    """Sums of one stored flow on the grid of a checkpoint: plane means of products that belong to one place
    of the staggered grid."""
    u, v, w, p = (flow[n] for n in ("u", "v", "w", "pressure"))
    mean = lambda q: q.mean(axis=(1, 2))  # noqa: E731
    at_v = 0.25 * (u + kc.down(u, 1)) * (v + kc.down(v, 0))  # equal widths in x and y
    w_at_u = 0.5 * (w + kc.down(w, 0))[1:]
    flux = mean(w_at_u * 0.5 * (u[1:] + u[:-1]))
    return {"U": mean(u), "V": mean(v), "P": mean(p), "uu": mean(u * u), "vv": mean(v * v), "pp": mean(p * p),
            "uv": mean(at_v), "uw": flux, "W": mean(w)[1:], "ww": mean(w * w)[1:],
            "u3": mean(u**3)}


def slow(c, m):
    """Profiles of phases.nc from means of planes()."""
    width = c.width[2]
    low = (m["U"][1:] + m["U"][:-1]) / 2
    third = m["u3"] - 3 * m["U"] * m["uu"] + 2 * m["U"]**3
    variance = m["uu"] - m["U"]**2
    return {"U": m["U"], "V": m["V"], "P": m["P"] - (width * m["P"]).sum() / width.sum(), "uu": variance,
            "vv": m["vv"] - m["V"]**2, "uv": m["uv"] - m["U"] * m["V"], "pp": m["pp"] - m["P"]**2,
            "uw": m["uw"] - low * m["W"], "ww": m["ww"] - m["W"]**2,
            "dUdz": (m["U"][1:] - m["U"][:-1]) / c.gap[2][1:],
            "u_skewness": third / variance**1.5}


def recomputed(kolmo, check):
    """Profiles, numbers, times and error bars of each phase, from stored flows and the series."""
    run = kolmo.run(STORED)
    found, series = page(run.folder), run.series()
    taken = (series["step"] % 2 == 0) & (series["time"] >= START) & (series["step"] > 0)
    s = {n: np.asarray(v)[taken] for n, v in series.items()}
    t, phase, weight = s["time"], phase_of(s["time"]), weights(s["time"])
    check.above("the step varies, rms over mean", float(np.std(np.diff(t)) / np.mean(np.diff(t))), 0.1)
    check.equal("samples", int(found["n_samples"]), t.size)
    check.equal("complete cycles", int(found["n_cycles"]), int((t[-1] - t[0]) * FREQUENCY))
    time = np.array([weight[phase == n].sum() for n in range(PHASES)])
    check.below("time of each phase", float(abs(found["phase_time"] / time - 1).max()), 1e-11)
    check.below("of all phases", abs(float(found["phase_time"].sum() / found["averaging_time"]) - 1), 1e-13)
    check.below("middles of the phases",
                float(abs(found["phase"] - 2 * np.pi * (np.arange(PHASES) + 0.5) / PHASES).max()), 1e-14)

    def mean(n, column):
        return (weight * column)[phase == n].sum() / time[n]
    for name, column in (("force", s["force"]), ("wall_stress_low", s["wall_stress_z_low"]),
                         ("wall_stress_high", s["wall_stress_z_high"])):
        wanted = np.array([mean(n, column) for n in range(PHASES)])
        check.below(name, float(abs(found[name] - wanted).max() / abs(wanted).max()), 1e-11)
    check.below("force of each phase is that of the cosine, but for the width of a phase",
                float(abs(found["force"] - 0.02 - 2 * np.cos(found["phase"])).max()), 0.25)
    c, worst = run.checkpoint(), {}
    sums = [planes(c, kc.read_fields(os.path.join(run.folder, f"fields_{int(step):08d}.h5")))
            for step in s["step"]]
    for n in range(PHASES):
        means = {q: sum(weight[i] * sums[i][q] for i in np.nonzero(phase == n)[0]) / time[n] for q in sums[0]}
        for q, wanted in slow(c, means).items():
            value = found[q][n]
            value = value[1:-1] if value.size == c.width[2].size + 1 else value
            off = np.nanmax(abs(value - wanted)) / np.nanmax(abs(wanted))
            worst[q] = max(worst.get(q, 0), float(off))
        e = np.concatenate(([c.width[2][0] / 2], c.gap[2][1:], [c.width[2][-1] / 2]))
        of_mean = 0.004 * (e * (found["dUdz"][n]**2 + found["dVdz"][n]**2)).sum()
        whole = (c.width[2] * found["k_dissipation"][n]).sum() + of_mean
        worst["dissipation"] = max(worst.get("dissipation", 0),
                                   float(abs(whole / c.length[2] / mean(n, s["dissipation"]) - 1)))
        bulk = (c.width[2] * means["U"]).sum() / c.length[2]
        worst["u_b"] = max(worst.get("u_b", 0), float(abs(found["u_b"][n] - bulk)))
    for q, value in worst.items():
        check.below(q, value, 1e-8 if q == "u_skewness" else 1e-10)
    overall = page(run.folder, "statistics.nc")
    total = (found["phase_time"][:, None] * (found["uu"] + found["U"]**2)).sum(axis=0) / time.sum()
    check.below("<uu> of all phases together is that of statistics.nc",
                float(abs(total - overall["uu"] - overall["U"]**2).max()), 1e-12)
    errors(check, found, phase, weight, t, np.array([q["U"] for q in sums]))


def errors(check, found, phase, weight, t, u):
    """Of the mean velocity, from cycle to cycle; the cycles begin with the first sample."""
    cycle = np.floor((t - t[0]) * FREQUENCY + 1e-9).astype(int)
    count, length = int(found["n_batches"]), int(found["batch_length"])
    check.equal("batches and their length", (count, length), (cycle[-1], 1) if cycle[-1] < 16 else (8, 2))
    batch, inside = cycle // length, cycle // length < count
    share, worst = weight[inside].sum() / weight.sum(), 0.0
    for n in range(PHASES):
        of = [(phase == n) & (batch == m) for m in range(count)]
        wanted = batch_error.of_ratio(np.array([weight[b].sum() for b in of]),
                          np.array([(weight[b, None] * u[b]).sum(axis=0) for b in of])) * np.sqrt(share)
        worst = max(worst, float(abs(found["U_error"][n] / wanted - 1).max()))
    check.below("error bars of U", worst, 1e-6)


def exact(kolmo, check):
    """Womersley's flow: the exact solution, averaged over each phase; no scatter from cycle to cycle."""
    nu, omega = 0.2, 2 * np.pi
    case = {"run": {"t_end": 36.0}, "grid": {"n": (4, 4, 48), "length": (0.5, 0.5, 2.0),
                                             "stretching": ("uniform", "uniform", "tanh"),
                                             "stretching_factor": (0.0, 0.0, 1.2)},
            "fluid": {"nu": nu}, "boundary": {"z_low": "wall", "z_high": "wall"},
            "forcing": {"type": "pressure-gradient", "amplitude": 1.0, "frequency": 1.0},
            "time": {"diffusion": "implicit-z", "dt": 0.015625}, "initial": {"type": "rest"},
            "statistics": {"start": 24.0078125, "interval": 1, "phases": 16},
            "output": {"log_interval": 10000}}
    found = page(kolmo.run(case).folder)
    check.below("equal times", float(np.ptp(found["phase_time"][1:]) / found["phase_time"][1]), 1e-12)
    root, z = np.sqrt(1j * omega / nu), found["z"] - 1
    shape = (1 - np.cosh(root * z) / np.cosh(root)) / (1j * omega)
    # four samples in each phase, the first of them at its beginning
    at = found["phase_bounds"][:, 0][:, None] + 2 * np.pi * np.arange(4) / 64
    wanted = np.real(np.exp(1j * at).mean(axis=1)[:, None] * shape)
    check.below("U by phase, over the largest", float(abs(found["U"] - wanted)[1:].max() / abs(wanted).max()),
                2e-3)
    check.below("error bars, over it", float(np.nanmax(found["U_error"][1:]) / abs(wanted).max()), 1e-4)
    check.equal("errors are there", bool(np.isfinite(found["U_error"]).all()), True)


def bits(kolmo, check):
    """On two and four ranks, and after restarts: within a cycle, at the first sample, where batches join."""
    case = kc.merge(CHANNEL, {"run": {"t_end": 6.0}})
    whole = kolmo.run(case)
    check.above("samples that ranks share", int(page(whole.folder)["n_samples"]), 10)
    for ranks, layout in ((2, (1, 1, 2)), (4, (2, 2, 1))):
        other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=ranks)
        check.same(f"{ranks} ranks", differing(page(whole.folder), page(other.folder)))
    wanted = page(kolmo.run(SHORT).folder)
    check.equal("batches of several cycles", int(wanted["batch_length"]), 2)
    # the first sample is that of step 4, and 16 cycles later batches join
    for cut in (2, 4, 11, 51, 103, 104, 105) if kolmo.options.long else (4, 51, 104):
        folder = kolmo.place()
        kolmo.run(kc.merge(SHORT, {"run": {"steps_max": cut}}), folder=folder)
        kolmo.run(SHORT, "--restart", "latest", ranks=2, folder=folder)
        check.same(f"{cut} steps, the rest on two ranks", differing(wanted, page(folder)))


def changed(kolmo, check):
    """Restarts that ask for phases, for others, for none: those of statistics.nc go on."""
    first = kc.merge(SHORT, {"run": {"steps_max": 30}})
    for before, after, words in ((None, 6, "no averages by phase, so they begin now"),
                                 (4, 6, "phases of the checkpoint are dropped"), (6, None, None)):
        folder = kolmo.place()
        kolmo.run(kc.merge(first, {"statistics": {"phases": before}}), folder=folder)
        run = kolmo.run(kc.merge(SHORT, {"run": {"steps_max": 45}, "statistics": {"phases": after}}),
                        "--restart", "latest", folder=folder)
        if words:
            check.says(f"{before} and {after} phases", run.text, words)
            check.equal("    samples by phase", int(page(folder)["n_samples"]), 15)
        check.equal("    samples in all", int(page(folder, "statistics.nc")["n_samples"]), 42)


def near(check, name, one, two):
    """Values alike to rounding."""
    worst, where = 0.0, ""
    for n in ("U", "uu", "uw", "k_dissipation", "force", "wall_stress_low", "u_b", "phase_time", "P"):
        off = float(np.nanmax(abs(one[n] - two[n])) / np.nanmax(abs(one[n])))
        worst, where = max((worst, where), (off, n))
    check.below(f"{name}, at most ({where})", worst, 1e-11)


def merged(kolmo, check):
    """Two segments of one run, cut within a cycle, and files from parts of the stored flows."""
    tool, stats = kolmo.other("kolmo-merge"), kolmo.other("kolmo-stats")
    half = {"run": {"t_end": 12.0}}
    whole = kolmo.run(kc.merge(STORED, half))
    times, cut = whole.series()["time"], 76
    first = kolmo.run(kc.merge(CHANNEL, {"run": {"t_end": None, "steps_max": cut}}))
    second = kolmo.run(kc.merge(CHANNEL, half, {"statistics": {"start": times[cut] + 1e-9}}), "--restart",
                       kc.checkpoint_path(first.folder, cut))
    out, wanted = kolmo.place(), page(whole.folder)
    tool.call(second.folder, first.folder, "--out", out)
    near(check, "two segments", wanted, page(out))
    check.equal("samples", int(page(out)["n_samples"]), int(wanted["n_samples"]))
    again = kolmo.place()
    os.remove(kc.checkpoint_path(whole.folder))  # of a step that is no sample
    stats.call(whole.folder, "--out", again)
    check.same("kolmo-stats", [n for n in differing(wanted, page(again))])
    halves = [kolmo.place(), kolmo.place()]
    middle = str(0.5 * (times[100] + times[101]))
    stats.call(whole.folder, "--to", middle, "--out", halves[0], ranks=2)
    stats.call(whole.folder, "--from", middle, "--out", halves[1])
    out = kolmo.place()
    tool.call(*halves, "--only", "phases.nc", "--out", out)
    near(check, "two parts of the stored flows", wanted, page(out))
    other = kolmo.place()
    stats.call(whole.folder, "--set", "statistics.phases=5", "--from", middle, "--out", other)
    said = tool.call(halves[0], other, "--out", kolmo.place("refused"), rc=2).err
    check.says("other phases", said, "phases.nc", "phase: 6 and 5 values")


def reported(kolmo, check):
    """The report draws profiles by phase and has their numbers in tables."""
    run, alone = kolmo.run(CHANNEL), kolmo.place()
    for name in ("series.nc", "phases.nc"):  # a page of them has few other figures to draw
        shutil.copy(os.path.join(run.folder, name), alone)
    tool = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc", "kolmo-report")
    figures = os.path.join(alone, "figures")
    made = subprocess.run([tool, "--figures", figures, alone], capture_output=True, text=True, check=False)
    check.equal("the report ends", made.returncode in (0, 1), True)  # short: verdicts may be bad
    with open(os.path.join(alone, "report.html"), encoding="utf-8") as source:
        text = source.read()
    found = page(run.folder)
    check.says("its words", text, "Averages by phase: 6 phases, 9 cycles, frequency 0.4", "30°", "330°",
               f"{found['wall_stress_low'][2]:.5g} ± {found['wall_stress_low_error'][2]:.1g}",
               f"{found['U'][5][0]:.5g} ± {found['U_error'][5][0]:.1g}")
    there = sorted(n for n in os.listdir(figures) if n.startswith("phase_"))
    check.same("figures", sorted(set(there) ^ {f"phase_{n}.{kind}" for kind in ("pdf", "svg") for n in (
        "U", "k", "k_dissipation", "uu", "uw", "force", "u_b", "wall_stress_low_wall_stress_high", "height_U",
        "height_k")}))


def refused(kolmo, check):
    """What has no phases; and memory that is told."""
    for name, change, words in (
            ("one phase", {"statistics": {"phases": 1}}, ["statistics.phases = 1", "2 or more"]),
            ("no frequency", {"forcing": {"frequency": 0.0, "phase": None}}, ["forcing.frequency above 0"]),
            ("no oscillation", {"forcing": {"amplitude": None, "frequency": None, "phase": None}},
             ["statistics.phases has no effect", "forcing.amplitude"]),
            ("no samples", {"statistics": {"start": None, "interval": None}},
             ["statistics.phases has no effect", "statistics.start"]),
            ("a box", {"boundary": {"z_low": None, "z_high": None, "z_high_velocity": None},
                       "initial": {"type": "uniform", "disturbance": None}},
             ["statistics.phases has no effect", "planes"]),
            ("a duct", {"boundary": {"y_low": "wall", "y_high": "wall"}},
             ["statistics.phases has no effect", "planes"])):
        said = kolmo.run(kc.merge(CHANNEL, change), "--check", rc=2)
        check.says(name, said.text, *words)
    check.holds("0 phases say nothing", kolmo.run(kc.merge(CHANNEL, {
        "statistics": {"phases": 0}, "forcing": {"amplitude": None, "frequency": None, "phase": None}}),
        "--check").rc == 0)
    check.says("memory", kolmo.run(CHANNEL, "--check").text, "host memory of averages")


def scalars(kolmo, check):
    """Profiles of two scalars by phase, one of them buoyant, from stored flows; restart, stored flows."""
    kc.LOCATION.update({"heat": "ccc", "salt": "ccc"})
    case = kc.merge(STORED, {
        "run": {"t_end": 8.0}, "buoyancy": {"gravity": (0.0, 0.0, -1.0), "expansion": (0.1, 0.0)},
        "scalars": {"name": ("heat", "salt"), "prandtl": (0.7, 2.0), "disturbance": (0.4, 0.3),
                    "z_low": ("value",) * 2, "z_high": ("value",) * 2, "z_low_value": (1.0, 0.5)}})
    run = kolmo.run(case)
    found, series = page(run.folder), run.series()
    taken = (series["step"] % 2 == 0) & (series["time"] >= START) & (series["step"] > 0)
    t, steps = series["time"][taken], series["step"][taken]
    phase, weight = phase_of(t), weights(t)
    flows = [kc.read_fields(os.path.join(run.folder, f"fields_{int(step):08d}.h5")) for step in steps]
    plane = lambda q: q.mean(axis=(1, 2))  # noqa: E731
    for name in ("heat", "salt"):
        worst = {}
        for n in range(PHASES):
            inside = np.nonzero(phase == n)[0]
            all_of = weight[inside].sum()
            mean = lambda of: sum(weight[i] * plane(of(flows[i])) for i in inside) / all_of  # noqa: E731
            level, square = mean(lambda f: f[name]), mean(lambda f: f[name]**2)
            flux = mean(lambda f: (0.5 * (f[name] + kc.down(f[name], 2)) * f["w"])[1:])
            w = mean(lambda f: f["w"][1:])
            along = mean(lambda f: f[name] * 0.5 * (f["u"] + kc.up(f["u"], 0)))
            u = mean(lambda f: 0.5 * (f["u"] + kc.up(f["u"], 0)))
            wanted = {"": level, "_variance": square - level**2, "_u": along - u * level,
                      "_w": flux - w * 0.5 * (level[1:] + level[:-1])}
            for end, value in wanted.items():
                here = found[name + end][n]
                here = here[1:-1] if end == "_w" else here
                worst[end] = max(worst.get(end, 0), float(abs(here - value).max() / abs(value).max()))
        for end, value in worst.items():
            check.below(name + end, value, 1e-11)
    check.holds("numbers and the work of buoyancy", "heat_nusselt_low" in found
                and "k_buoyancy_production" in found and "heat_variance_dissipation" in found)
    first = kolmo.run(kc.merge(case, {"run": {"t_end": None, "steps_max": int(steps[-1]) // 2}}))
    rest = kolmo.run(case, "--restart", kc.checkpoint_path(first.folder), ranks=2)
    check.same("restarted on two ranks", differing(found, page(rest.folder)))
    again = kolmo.place()
    os.remove(kc.checkpoint_path(run.folder))  # of a step that is no sample
    kolmo.other("kolmo-stats").call(run.folder, "--out", again)
    check.same("kolmo-stats", differing(found, page(again)))


if __name__ == "__main__":
    kc.main(__doc__, [recomputed, exact, bits, changed, merged, reported, refused, scalars])

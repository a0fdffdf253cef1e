#!/usr/bin/env python3
"""history.nc: its numbers are those of the statistics at the same instant, on any ranks and through a
restart; they are those of numpy; kolmo-stats gives the same bits, kolmo-merge averages; what kolmo-decay
makes of it.

Would catch: a sample of another step, a length that is a factor off, a record that is missing or twice
after a restart, a structure function of the wrong component, an exponent that depends on the origin of
time, a window in which the box is too small, averages over runs at unequal times, a run that counts twice."""

import importlib.util
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import h5py  # noqa: E402
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402

PLOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc", "plot")
sys.path.insert(1, PLOT)
from box_history_report import range_of  # noqa: E402

DECAY, REPORT = (os.path.join(PLOT, name) for name in ("decay.py", "run_report.py"))
SCALARS = (
    "k",
    "dissipation",
    "force_power",
    "velocity_rms",
    "dissipation_time",
    "Re_lambda",
    "taylor_length",
    "k_max_eta",
    "gradient_along_skewness",
    "gradient_along_flatness",
    "integral_length",
    "enstrophy",
)


def case(**groups):
    """Forced waves in a box of unequal sides."""
    return kc.merge(
        {
            "run": {"steps_max": 12},
            "grid": {"n": (16, 15, 16), "length": (6.0, 5.0, 6.0)},
            "fluid": {"nu": 0.02},
            "initial": {"type": "isotropic", "k_peak": 2.0, "u_rms": 0.6},
            "forcing": {"type": "linear", "value": 0.6},
            "history": {"interval": 4},
        },
        groups,
    )


def history(result):
    """All arrays of history.nc."""
    return kc.read_fields(os.path.join(result.folder, "history.nc"))


def against_statistics(kolmo, check):
    """The last record and the latest sample of the averages."""
    r = kolmo.run(case(statistics={"start": 0.0, "interval": 4, "spectra_interval": 4}))
    h = history(r)
    with h5py.File(os.path.join(r.folder, "statistics.nc")) as s, h5py.File(
        os.path.join(r.folder, "spectra.nc")
    ) as p:
        latest = {
            **{n: np.array(v) for n, v in s["latest"].items()},
            **{n: np.array(v) for n, v in p["latest"].items()},
        }
    check.equal("records", [int(n) for n in h["step"]], [0, 4, 8, 12])
    for name in SCALARS:
        if name != "force_power":
            check.near(name, float(h[name][-1]), float(latest[name]), 1e-12 * abs(float(latest[name])))
    check.near("force_power", float(h["force_power"][-1]), float(r.series()["force_power"][-1]), 1e-15)
    for name in ("E", "T", "D"):
        check.below(f"{name}(k)", float(np.max(np.abs(h[name][-1] - latest[name]))), 1e-15)
    lengths = np.mean([latest[f"integral_length_{c}"] for c in "xyz"])
    check.near("integral_length_11", float(h["integral_length_11"][-1]), float(lengths), 1e-12)
    check.near(
        "C_eps_11",
        float(h["C_eps_11"][-1]),
        float(h["dissipation"][-1] * lengths / h["velocity_rms"][-1] ** 3),
        1e-12,
    )
    check.near("Re_T", float(h["Re_T"][-1]), float(h["Re_lambda"][-1] ** 2 * 0.15), 1e-9)
    along = 2 * np.mean(
        [latest[f"R_{a}{a}_{x}"][0] - latest[f"R_{a}{a}_{x}"] for a, x in ("ux", "wz")], axis=0
    )
    check.below(
        "structure function along", float(np.max(np.abs(h["structure_along"][-1][:9] - along))), 1e-13
    )
    across = 2 * np.mean(
        [latest[f"R_{a}{a}_{x}"][0] - latest[f"R_{a}{a}_{x}"] for a, x in ("vx", "wx", "uz", "vz")], axis=0
    )
    check.below(
        "structure function across", float(np.max(np.abs(h["structure_across"][-1][:9] - across))), 1e-13
    )
    check.holds("no time of decay", bool(np.all(np.isnan(h["time_of_decay"]))))


def against_numpy(kolmo, check):
    """A record against sums over the checkpoint of its step, by numpy."""
    n, length, nu = np.array((16, 15, 16)), np.array((6.0, 5.0, 6.0)), 0.02
    r = kolmo.run(case(run={"steps_max": 4}))
    h, u = history(r), r.checkpoint(4).velocity
    u = [q - q.mean() for q in u]
    spacing = length / n
    k = sum(np.mean(q * q) for q in u) / 2
    rms = np.sqrt(2 * k / 3)
    slope = [[(np.roll(u[c], -1, 2 - d) - u[c]) / spacing[d] for d in range(3)] for c in range(3)]
    eps = nu * sum(np.mean(slope[c][d] ** 2) for c in range(3) for d in range(3))
    taylor, eta = rms * np.sqrt(15 * nu / eps), (nu**3 / eps) ** 0.25
    along = [slope[d][d] for d in range(3)]
    two = np.mean([np.mean(q**2) for q in along])
    hat = [np.fft.fftn(q) / q.size for q in u]
    wave = [2 * np.pi * np.fft.fftfreq(n[d], spacing[d]) for d in range(3)]
    size = np.sqrt(kc.along(wave[0], 0) ** 2 + kc.along(wave[1], 1) ** 2 + kc.along(wave[2], 2) ** 2)
    step = h["wavenumber"][1]
    energy = sum(abs(q) ** 2 for q in hat) / 2
    shell = np.floor(size / step + 0.5 + 1e-9).astype(int)
    spectrum = np.bincount(shell.ravel(), energy.ravel(), minlength=len(h["wavenumber"])) / step
    lengths, products = [], {}
    for c in range(3):
        for d in range(3):
            products[c, d] = np.array(
                [np.mean(u[c] * np.roll(u[c], -m, 2 - d)) for m in range(n[d] // 2 + 1)]
            )
    for d in range(3):
        line = products[d, d]
        # of an odd number of cells the last value stands for half a cell on each side, as those before it
        ends = line[0] + (line[-1] if n[d] % 2 == 0 else 0)
        lengths.append((line.sum() - ends / 2) * spacing[d] / line[0])
    skewness = np.mean([np.mean(q**3) for q in along]) / two**1.5
    number = np.pi / (2 * rms**2) * np.sum(spectrum[1:] * step / h["wavenumber"][1:])
    for name, wanted in (
        ("k", k),
        ("dissipation", eps),
        ("velocity_rms", rms),
        ("dissipation_time", k / eps),
        ("Re_T", k * k / nu / eps),
        ("Re_lambda", rms * taylor / nu),
        ("taylor_length", taylor),
        ("kolmogorov_length", eta),
        ("k_max_eta", np.pi / spacing.max() * eta),
        ("gradient_along_skewness", skewness),
        ("gradient_along_flatness", np.mean([np.mean(q**4) for q in along]) / two**2),
        ("integral_length", number),
        ("integral_length_11", np.mean(lengths)),
        ("C_eps", eps * number / rms**3),
        ("C_eps_11", eps * np.mean(lengths) / rms**3),
        ("length_over_box", np.mean(lengths) / 5.0),
    ):
        check.near(name, float(h[name][-1]), float(wanted), 1e-11 * abs(float(wanted)))
    check.below("E(k)", float(np.max(np.abs(h["E"][-1] - spectrum))), 1e-13)
    for name, pairs in (
        ("structure_along", ((0, 0), (2, 2))),
        ("structure_across", ((1, 0), (2, 0), (0, 2), (1, 2))),
    ):
        wanted = np.mean([2 * (products[p][0] - products[p]) for p in pairs], axis=0)
        check.below(name, float(np.max(np.abs(h[name][-1][:9] - wanted))), 1e-12)
    check.near("distance", float(h["distance"][3]), 3 * 6.0 / 16, 1e-14)


def ensembles(kolmo, check):
    """kolmo-stats makes the file of the run from its checkpoints, to the bit, on any ranks; kolmo-merge
    averages runs of several seeds at equal times; what is refused."""
    stats, merge = kolmo.other("kolmo-stats"), kolmo.other("kolmo-merge")
    decaying = case(**{
        "forcing": {"type": None, "value": None},
        "history": {"interval": None, "interval_time": 0.1},
        "output": {"cut_steps": True},
        "run": {"steps_max": None, "t_end": 1.0},
    })
    runs = [
        kolmo.run(kc.merge(decaying, {"run": {"seed": seed, "t_end": end}, "checkpoint": kept}))
        for seed, end, kept in ((1, 1.0, {"interval": 1, "keep": 99}), (2, 1.0, {}), (3, 1.2, {}))
    ]
    h = [history(r) for r in runs]
    t = h[0]["time"]
    check.equal("records", [len(x["time"]) for x in h], [11, 11, 13])
    check.holds(
        "exponent where the window has 5 records",
        bool(
            np.all(np.isnan(h[2]["decay_exponent"][:12])) and np.all(np.isfinite(h[2]["decay_exponent"][12:]))
        ),
    )
    part = h[2]["time"] >= 0.8 - 1e-9
    slope = np.polyfit(h[2]["time"][part], h[2]["dissipation_time"][part], 1)[0]
    check.near("    exponent", float(h[2]["decay_exponent"][-1]), 1 / slope, 1e-9 / abs(slope))
    files = [kc.checkpoint_path(runs[0].folder, step) for step in h[0]["step"][1:]]
    check.equal("checkpoints at these times", len(files), 10)
    for ranks in (1, 2):
        out = kolmo.place()
        stats.call(*files, "--no-spectra", "--out", out, ranks=ranks)
        stored = kc.read_fields(os.path.join(out, "history.nc"))
        own = {n: v[1:] if len(v) == 11 else v for n, v in h[0].items()}
        check.same(f"kolmo-stats on {ranks} ranks", kc.differing_arrays(own, stored))
    plain = kolmo.run(case(history={"interval": None}, run={"steps_max": 4}))
    stats.call(plain.folder, "--history")
    stored = kc.read_fields(os.path.join(plain.folder, "stats", "history.nc"))
    check.equal("--history", list(stored["step"]), [4])
    stats.call(runs[0].folder, "--history", "--no-spectra")  # whose cut_steps belongs to its history alone
    check.holds("    of a run that has one", os.path.exists(os.path.join(runs[0].folder, "stats/history.nc")))
    bad = stats.call(runs[0].folder, "--replace", "--set", "history.interval_time=1", rc=2).err
    check.says("    its interval", bad, "--set history.interval_time=...: this setting is for runs")
    out = kolmo.place()
    said = merge.call("--out", out, *[r.folder for r in runs]).out
    check.says("kolmo-merge", said, "11 records of 3 runs", "2 records are left out")
    m = kc.read_fields(os.path.join(out, "history.nc"))
    check.equal("runs", list(m["runs"]), [3] * 11)
    check.below("times", float(np.max(np.abs(m["time"] - t))), 1e-14)
    for name in ("k", "Re_lambda", "C_eps_11", "E", "T", "structure_along"):
        values = np.stack([x[name][:11] for x in h])
        size = np.nanmax(np.abs(values))
        check.below(f"mean of {name}", float(np.nanmax(np.abs(m[name] - values.mean(0)))), 1e-13 * size)
        error = values.std(axis=0, ddof=1) / np.sqrt(3)
        check.below("    error", float(np.nanmax(np.abs(m[name + "_error"] - error))), 1e-12 * size)
    report = subprocess.run(
        [sys.executable, REPORT, "--no-page", out], capture_output=True, timeout=60, check=False
    )
    check.equal("report of the merged folder: exit code", report.returncode, 0)
    again = kolmo.run(kc.merge(decaying, {"run": {"seed": 3, "t_end": 1.0}}))
    again = kolmo.run(
        kc.merge(decaying, {"run": {"seed": 3, "t_end": 1.2}}),
        "--restart",
        kc.checkpoint_path(again.folder),
        folder=again.folder,
    )
    check.same("restart, exponents too", kc.differing_arrays(h[2], history(again)))
    other = kolmo.run(kc.merge(decaying, {"run": {"seed": 4}, "history": {"interval_time": 0.15}}))
    wetter = kolmo.run(kc.merge(decaying, {"run": {"seed": 4}, "fluid": {"nu": 0.03}}))
    for folder, words in (
        (other.folder, ["its record 2 is of the time 0.15", "history.interval_time", "output.cut_steps"]),
        (wetter.folder, ["fluid.nu", "merge histories of one flow"]),
        (runs[0].folder, ["hold the same records"]),
    ):
        check.says(
            "refused", merge.call("--out", kolmo.place(), runs[0].folder, folder, rc=2).err, *words
        )
    pair = [
        kolmo.run(
            kc.merge(
                decaying,
                {
                    "run": {"seed": seed, "t_end": 0.3},
                    "statistics": {"start": 0.0, "interval": 1},
                    "history": {"interval_time": every},
                },
            )
        )
        for seed, every in ((5, 0.1), (6, 0.15))
    ]
    place = os.path.join(kolmo.place(), "none")
    bad = merge.call("--out", place, *[r.folder for r in pair], rc=2)
    check.says("refused beside files that could be merged", bad.err, "its record 2 is of the time 0.15")
    check.holds(
        "    nothing is told or written", "samples of 2" not in bad.out and not os.path.exists(place), bad.out
    )
    kept = merge.call("--only", "statistics.nc", "--out", place, *[r.folder for r in pair]).out
    check.says("    without history.nc", kept, "statistics.nc: ", "samples of 2 files", "written to")


def ranks_and_restart(kolmo, check):
    """The same bits on 1, 2 and 4 ranks, and with a restart that switches the forcing off and one that goes
    on."""
    one = history(kolmo.run(case()))
    for layout in ((2, 1, 1), (1, 2, 2)):
        other = history(kolmo.run(case(grid={"ranks": layout}), ranks=layout[0] * layout[1] * layout[2]))
        check.same(f"1 rank and {layout}", kc.differing_arrays(one, other))
    first = kolmo.run(case(run={"steps_max": 6}))
    again = history(kolmo.run(case(), "--restart", kc.checkpoint_path(first.folder), folder=first.folder))
    check.same("with a restart", kc.differing_arrays(one, again))
    off = kolmo.run(
        case(forcing={"decay": True}, run={"steps_max": 20}),
        "--restart",
        kc.checkpoint_path(first.folder, 12),
        folder=first.folder,
    )
    h = history(off)
    check.equal("records after the switch", [int(n) for n in h["step"]], [0, 4, 8, 12, 16, 20])
    check.near(
        "    time of decay", float(h["time_of_decay"][-1]), float(h["time"][-1] - h["time"][3]), 1e-14
    )
    check.holds("    before the switch there is none", bool(np.all(np.isnan(h["time_of_decay"][:3]))))
    apart = history(kolmo.run(case(forcing={"decay": True}, run={"steps_max": 20}), "--restart",
                              kc.checkpoint_path(first.folder, 12)))  # fmt: skip
    rows = {name: v[-3:] for name, v in h.items() if len(v) == len(h["step"]) and name != "record"}
    check.same("    from the switch on as in a folder of its own, from time 0",
               kc.differing_arrays(rows, {name: apart[name] for name in rows}))  # fmt: skip
    check.equal("    its first time", float(apart["time_of_decay"][0]), 0.0)
    series_of_decay(kolmo, check)
    by_time = history(
        kolmo.run(case(history={"interval": None, "interval_time": 0.25}, output={"cut_steps": True}))
    )
    check.below(
        "by time: distance of the records from 0.25, 0.5, ...",
        float(np.max(np.abs(by_time["time"] - 0.25 * np.arange(len(by_time["time"]))))),
        1e-14,
    )


def series_of_decay(kolmo, check):
    """k/dissipation and the exponent in series.nc: of the fluctuation, by the records since the switch alone,
    and the same bits with a restart within the decay."""
    there = {"initial": {"velocity": (0.3, 0.0, -0.2)}, "history": {"interval": 1}}
    off = kc.merge(case(**there), {"forcing": {"decay": True}})

    def run(*stops):
        folder = kolmo.run(case(**there, run={"steps_max": 12})).folder
        for stop in stops:
            case_of = kc.merge(off, {"run": {"steps_max": stop}})
            found = kolmo.run(case_of, "--restart", "latest", folder=folder)
        return found

    at_once = run(60)
    s, h = at_once.series(), history(at_once)
    for name in ("dissipation_time", "decay_exponent", "decay_exponent_error"):
        both = np.isfinite(h[name])
        check.same(f"series: {name}: where it is known", list(np.flatnonzero(both != np.isfinite(s[name]))))
        check.below("    as in history.nc", float(np.max(np.abs(s[name][both] / h[name][both] - 1))), 1e-6)
    age, ratio = s["time"] - s["time"][12], s["dissipation_time"]
    part = age >= age[-1] / 1.5 * (1 - 1e-9)
    slope = np.polyfit(age[part], ratio[part], 1)[0]
    check.near("    exponent by numpy", float(s["decay_exponent"][-1]), 1 / slope, 1e-9 / abs(slope))
    again = run(30, 60)
    check.same("    with a restart within the decay",
               kc.differing_arrays(s, again.series(), kc.FROM_CLOCK))  # fmt: skip


def synthetic(folder, n, origin, noise=0.0, length=0.02, times=None, driven=False, off=0.0):
    """A history of k = (t - origin)^-n in viscosity 0.01. off: share by which the dissipation of the operator
    is too small."""
    t = np.geomspace(1.0, 30.0, 200) if times is None else times
    random = np.random.default_rng(int(1e6 * noise) + 1)
    k = (t - origin) ** -n
    eps = n * (t - origin) ** (-n - 1)
    os.makedirs(folder)
    values = {
        "time": t,
        "time_of_decay": np.full(len(t), np.nan),
        "k": k,
        "dissipation": eps * (1 - off),
        "velocity_rms": np.sqrt(2 * k / 3),
        "Re_T": k * k / (0.01 * eps),
        "k_max_eta": np.full(len(t), 2.0),
        "dissipation_time": k / eps * (1 + noise * random.standard_normal(len(t))),
        "length_over_box": length * t**0.5,
    }
    with h5py.File(os.path.join(folder, "history.nc"), "w") as target:
        for name in (
            "Re_lambda",
            "taylor_length",
            "kolmogorov_length",
            "gradient_along_skewness",
            "integral_length",
            "integral_length_11",
            "C_eps",
            "C_eps_11",
        ):
            values.setdefault(name, np.ones(len(t)))
        if driven:
            values["decay_exponent"] = np.full(len(t), np.nan)
        for name, value in values.items():
            target[name] = value
    return folder


def exponents(kolmo, check):
    """kolmo-decay: the exponent of a power law whatever its origin, error bars of an ensemble, what is
    refused."""
    base = kolmo.place()

    def call(*args, rc=0):
        ended = subprocess.run(
            [sys.executable, DECAY, *args], capture_output=True, text=True, check=False,
            timeout=60 * kc.crowding(),
        )
        check.equal(
            f"kolmo-decay {' '.join(os.path.basename(a) for a in args[-2:])}: exit code",
            ended.returncode,
            rc,
        )
        return ended.stdout + ended.stderr

    for n, origin in ((1.2, 0.0), (1.5, -2.0), (10.0 / 7.0, 0.5)):
        table = os.path.join(base, f"{n:.2f}.csv")
        call(synthetic(os.path.join(base, f"n{n:.3f}"), n, origin), "--csv", table)
        rows = np.genfromtxt(table, delimiter=",", names=True)
        check.below(f"n = {n:.4f}, origin {origin}: error", float(np.max(np.abs(rows["n"] - n))), 1e-9)
        check.below("    -dk/dt off by", float(np.max(rows["dissipation_off"])), 2e-3)
        check.below(
            "    largest integral scale over the box that is kept",
            float(np.max(rows["length_over_box"])),
            0.1,
        )
    runs = [synthetic(os.path.join(base, f"m{m}"), 1.3, 0.0, noise=0.01 + 1e-4 * m) for m in range(8)]
    table, means = os.path.join(base, "e.csv"), os.path.join(base, "means.csv")
    picture = os.path.join(base, "e.png")
    said = call(*runs, "--csv", table, "--average", means, "--figure", picture)
    rows = np.genfromtxt(table, delimiter=",", names=True)
    off = np.abs(rows["n"] - 1.3) / rows["n_error"]
    check.below("ensemble: deviation over error bar, root mean square", float(np.sqrt(np.mean(off**2))), 2.5)
    check.above("    and not too small", float(np.sqrt(np.mean(off**2))), 0.3)
    if importlib.util.find_spec("matplotlib"):
        with open(picture.replace(".png", ".tex"), encoding="utf-8") as file:
            check.equal("    a line of LaTeX for each window", file.read().count("m0 and 7 more & "),
                        len(rows))
    check.says("    windows refused", said, "refused, as the integral scale exceeds 0.1 of the box")
    again = [
        synthetic(os.path.join(base, "again", f"m{m}"), 1.3, 0.0, noise=0.02 + 0.001 * m) for m in range(2)
    ]
    said = call(*runs, "+", *again)
    check.says("two ensembles of runs of equal names", said, "/m0 and 7 more: ", "again/m0 and 1 more: ")
    averages = np.genfromtxt(means, delimiter=",", names=True)
    check.below("    mean of k", float(np.max(np.abs(averages["k"] / averages["time"] ** -1.3 - 1))), 1e-9)
    other = synthetic(os.path.join(base, "other"), 1.3, 0.0, times=np.geomspace(1.0, 31.0, 200))
    check.says(
        "unequal times", call(runs[0], other, rc=2), "its times are not those of", "history.interval_time"
    )
    leaky = synthetic(os.path.join(base, "leaky"), 1.3, 0.0, off=0.015)
    why = "-dk/dt and the dissipation differ by more than 1 %"
    check.says("a dissipation that is off", call(leaky), "0 windows", why)
    check.says("    within what is allowed", call(leaky, "--closure", "0.02"), "-dk/dt off by 1.5")
    for n, shown in (([9.0, 4.0], (0.5, 4.8)), ([1.3, 1.2], (0.5, 3.0)), ([1.3, -1.0], (-1.2, 3.0))):
        found = range_of(np.array(n))
        check.below(f"figure of n = {n[-1]:g}: its range", max(abs(x - y) for x, y in zip(found, shown)),
                    1e-12)
    unknown = synthetic(os.path.join(base, "unknown"), 1.3, 0.0, length=np.nan)
    for order in ((unknown, runs[0]), (runs[0], unknown)):
        check.says("an integral scale that is not known", call(*order), "0 windows",
                   "the integral scale is not known")
    few = synthetic(os.path.join(base, "few"), 1.3, 0.0, times=np.linspace(0.1, 1.2, 12))
    check.says("few records", call(few), "0 windows; 0 refused", "11 more have fewer than 5 records",
               "history.interval_time")
    short = synthetic(os.path.join(base, "short"), 1.3, 0.0, times=np.linspace(1.0, 1.4, 40))
    check.says("records that end too early", call(short), "no window from t to 1.5 t", "t 1 to 1.4")
    early = call(runs[0], "--after", "4", "--csv", table)
    check.says("    windows that are too early", early, "refused, as it begins before 4 times")
    rows = np.genfromtxt(table, delimiter=",", names=True)
    first = 1.0 / 1.3  # k/dissipation at the first time, but for the noise
    check.above("    the first that is kept", float(rows["from"].min() / first), 3.9)
    check.near("    in turnovers", float(rows["turnovers"][0]), float(rows["from"][0] / first), 0.3)
    for words in (("--closure", "0"), ("--window", "nan"), ("--after", "-1")):
        bad = call(runs[0], *words, rc=2)
        check.says("refused by its name", bad, f"error: {' '.join(words)}: it must be")
    nowhere = os.path.join(base, "nowhere", "n.csv")
    check.says("no folder", call(runs[0], "--csv", nowhere, rc=2), f"{nowhere}: No such file or directory")
    file = call(os.path.join(runs[0], "history.nc"), "--after", "4")
    check.says("a run that is given by its file has the name of its folder", file, "m0: ")
    driven = synthetic(os.path.join(base, "driven"), 1.3, 0.0, driven=True)
    check.says("a flow that is driven", call(driven, rc=2), "something drives the flow", "forcing.decay")
    with h5py.File(os.path.join(few, "history.nc"), "a") as target:
        target["force_power"] = np.where(np.arange(12) > 0, 0.2, 0.0)  # the first record is of no step
    check.says("    few records, all but one with a force", call(few, rc=2), "something drives the flow")
    check.says("no history", call(os.path.join(base, "nothing"), rc=2), "give history.nc")
    check.says("no run", call("+", rc=2), "no run is given")
    check.says("the same run twice", call(runs[0], runs[1], runs[0], rc=2), "must not count twice")
    for name, nu in (("thin", 0.01), ("thick", 0.02)):
        folder = os.path.join(base, name)
        synthetic(folder, 1.2, 0.0, noise=nu)
        with h5py.File(os.path.join(folder, "history.nc"), "r+") as target:
            target.attrs["input"] = f"&fluid\n  nu = {nu}\n/\n"
    words = call(os.path.join(base, "thin"), os.path.join(base, "thick"), rc=2)
    check.says("two viscosities in an ensemble", words, "fluid.nu = 0.02, not fluid.nu = 0.01", "a lone +")


def refused(kolmo, check):
    """Walls, two intervals."""
    walls = {
        "boundary": {"z_low": "wall", "z_high": "wall"},
        "forcing": {"type": None, "value": None},
        "initial": {"type": "channel", "k_peak": None, "u_rms": None},
    }
    for groups, words in (
        (walls, ["history.nc is for periodic boxes", "boundary.z_low"]),
        ({"history": {"interval_time": 0.5}}, ["can't both be above 0"]),
    ):
        result = kolmo.run(case(**groups), rc=None)
        check.equal("exit code", result.rc, 2)
        check.says("message", result.err, *words)
    h = history(
        kolmo.run(
            case(grid={"stretching": ("sine", "uniform", "uniform"), "stretching_factor": (0.3, 0.0, 0.0)})
        )
    )
    check.holds(
        "stretched: numbers without spectra",
        "E" not in h and bool(np.all(np.isfinite(h["k"]))) and bool(np.all(np.isnan(h["C_eps"]))),
    )


if __name__ == "__main__":
    kc.main(__doc__, [against_statistics, against_numpy, ensembles, ranks_and_restart, exponents, refused])

#!/usr/bin/env python3
"""history.nc: its numbers are those of the statistics at the same instant, on any ranks and through a
restart; what kolmo-decay makes of it.

Would catch: a sample of another step, a length that is a factor off, a record that is missing or twice
after a restart, a structure function of the wrong component, an exponent that depends on the origin of
time, a window in which the box is too small, averages over runs at unequal times."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import h5py  # noqa: E402
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402

DECAY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc", "plot", "decay.py")
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
            "grid": {"n": (16, 12, 16), "length": (6.0, 5.0, 6.0)},
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
    check.holds("    before the switch there is none", bool(np.all(np.isnan(h["time_of_decay"][:4]))))
    by_time = history(
        kolmo.run(case(history={"interval": None, "interval_time": 0.25}, output={"cut_steps": True}))
    )
    check.below(
        "by time: distance of the records from 0.25, 0.5, ...",
        float(np.max(np.abs(by_time["time"] - 0.25 * np.arange(len(by_time["time"]))))),
        1e-14,
    )


def synthetic(folder, n, origin, noise=0.0, length=0.02, times=None):
    """A history of k = (t - origin)^-n in viscosity 0.01."""
    t = np.geomspace(1.0, 30.0, 200) if times is None else times
    random = np.random.default_rng(int(1e6 * noise) + 1)
    k = (t - origin) ** -n
    eps = n * (t - origin) ** (-n - 1)
    os.makedirs(folder)
    values = {
        "time": t,
        "time_of_decay": np.full(len(t), np.nan),
        "k": k,
        "dissipation": eps,
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
        for name, value in values.items():
            target[name] = value
    return folder


def exponents(kolmo, check):
    """kolmo-decay: the exponent of a power law whatever its origin, error bars of an ensemble, what is
    refused."""
    base = kolmo.place()

    def call(*args, rc=0):
        ended = subprocess.run(
            [sys.executable, DECAY, *args], capture_output=True, text=True, timeout=60, check=False
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
    said = call(*runs, "--csv", table, "--average", means)
    rows = np.genfromtxt(table, delimiter=",", names=True)
    off = np.abs(rows["n"] - 1.3) / rows["n_error"]
    check.below("ensemble: deviation over error bar, root mean square", float(np.sqrt(np.mean(off**2))), 2.5)
    check.above("    and not too small", float(np.sqrt(np.mean(off**2))), 0.3)
    check.says("    windows refused", said, "refused, as the integral scale exceeds 0.1 of the box")
    averages = np.genfromtxt(means, delimiter=",", names=True)
    check.below("    mean of k", float(np.max(np.abs(averages["k"] / averages["time"] ** -1.3 - 1))), 1e-9)
    other = synthetic(os.path.join(base, "other"), 1.3, 0.0, times=np.geomspace(1.0, 31.0, 200))
    check.says(
        "unequal times", call(runs[0], other, rc=2), "its times are not those of", "history.interval_time"
    )
    check.says("no history", call(os.path.join(base, "nothing"), rc=2), "give history.nc")


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
    kc.main(__doc__, [against_statistics, ranks_and_restart, exponents, refused])

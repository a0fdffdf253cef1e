#!/usr/bin/env python3
"""Error bars against what they claim to be: the scatter of averages over independent runs.

A small turbulent channel is run from many seeds. Of every quantity of statistics.nc, the root mean square of
the claimed errors is divided by the standard deviation of the averages of all runs. The averages begin after
ten turnovers, when the runs have forgotten how they began: what is left of the start is the same in all of
them, so that it counts in the claimed errors, but not in the scatter. They last for 850, about twenty
correlation times of the wall stress; with far fewer nobody can tell an error. Of 18 runs a standard deviation
is known to 17 %, so the bounds for single quantities are wide; with --long 60 runs on a finer grid are made,
and the numbers are printed that docs/statistics.md has. Would catch: errors from batches within a correlation
time taken for independent, samples that count twice, quantities whose error is that of another."""
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
import h5py  # noqa: E402
import kolmo_case as kc  # noqa: E402

# Re_tau 120; u_tau 0.06, so that 15 is a turnover of half the height
CHANNEL = {"run": {"t_end": 1000.0},
           "grid": {"n": (12, 12, 16), "length": (6.0, 3.0, 2.0),
                    "stretching": ("uniform", "uniform", "tanh"), "stretching_factor": (0.0, 0.0, 1.4)},
           "fluid": {"nu": 5e-4}, "boundary": {"z_low": "wall", "z_high": "wall"},
           "forcing": {"type": "bulk-velocity", "value": 1.0}, "time": {"cfl": 1.5},
           "pressure": {"preconditioner": "direct"}, "initial": {"type": "channel"},
           "statistics": {"start": 150.0, "interval": 5}, "checkpoint": {"at_end": False},
           "output": {"log_interval": 10000, "series_interval": 1000}}
FINER = {"grid": {"n": (24, 20, 24)}}
NUMBERS = ("u_tau", "Re_tau", "friction_coefficient")
PROFILES = ("U", "V", "uu", "vv", "ww", "uw", "k", "p_rms", "U_plus", "uu_plus", "uw_plus",
            "k_dissipation", "k_production", "dUdz")


def averages(folder):
    """{name: (values, claimed errors)} of a run."""
    with h5py.File(os.path.join(folder, "statistics.nc"), "r") as file:
        return {n: (np.atleast_1d(file[n][...]), np.atleast_1d(file[n + "_error"][...]))
                for n in file if n + "_error" in file}


def ratios(runs):
    """{name: claimed over actual}; of a profile the median over its places. What is constant is left out."""
    found = {}
    for name in runs[0]:
        value, error = (np.array([r[name][part] for r in runs]) for part in (0, 1))
        actual, size = value.std(axis=0, ddof=1), np.abs(value).max(axis=0)
        told = np.isfinite(actual) & (actual > 1e-9 * size) & (actual > 0)
        if told.any():
            ratio = np.sqrt(np.mean(error[:, told]**2, axis=0)) / actual[told]
            found[name] = float(np.median(ratio))
    return found


def channel(kolmo, check):
    """Claimed over actual: of friction and profiles, and the median of all quantities."""
    runs, case = (60, kc.merge(CHANNEL, FINER)) if kolmo.options.long else (18, CHANNEL)
    made = [averages(kolmo.run(kc.merge(case, {"run": {"seed": 1 + n}})).folder) for n in range(runs)]
    check.above("largest u'u' in wall units, of the calmest run: it is turbulent",
                min(float(np.max(r["uu_plus"][0])) for r in made), 2.0)
    found = ratios(made)
    every = np.array(list(found.values()))
    print(f"    {runs} runs, {every.size} quantities: 5, 25, 50, 75 and 95 % of them are below "
          + ", ".join(f"{p:.2f}" for p in np.percentile(every, (5, 25, 50, 75, 95))))
    for name in NUMBERS + PROFILES:
        if name in found:
            print(f"    {name}: {found[name]:.2f}")
    doubt = 3 / np.sqrt(2 * (runs - 1))  # of a standard deviation, three of its own
    check.above("the median of all", float(np.median(every)), 0.8)
    check.below("the median of all", float(np.median(every)), 1.25)
    for name in NUMBERS + tuple(n for n in PROFILES if n in found):
        check.above(f"{name}, claimed over actual", found[name], 0.8 * (1 - doubt))
        check.below(f"{name}, claimed over actual", found[name], 1.25 * (1 + doubt))


if __name__ == "__main__":
    kc.main(__doc__, [channel])

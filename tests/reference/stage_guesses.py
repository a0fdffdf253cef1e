#!/usr/bin/env python3
"""How good two guesses of the pressure of a stage are: that of pressure.guess = 'lli', and that of a line
through the mean pressures of the last two steps: the trial of docs/decisions/019-guess-of-a-stage.md.

    python3 tests/reference/stage_guesses.py --kolmo build/cpu/kolmo

Three steps of a run that solves for every stage to 1e-11 are read from its checkpoints, which hold the
pressures of all stages. From the first two steps, and the earlier stages of the third, the pressures of the
third are guessed. Prints the root mean square of guess less pressure over that of the pressure, for each
stage."""
import argparse
import glob
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

VORTEX = "&grid n = 32, 32, 32 /\n&fluid reynolds = 200 /\n&initial type = 'taylor-green' /\n"
CHANNEL = """&grid n = 32, 24, 64 length = 3.1415926535897932, 1.0995574287564276, 2
 stretching = 'uniform', 'uniform', 'tanh' stretching_factor = 0, 0, 1.6 /
&fluid nu = 3.571428571428571e-4 /
&boundary z_low = 'wall' z_high = 'wall' /
&forcing type = 'bulk-velocity' value = 1 /
&initial type = 'channel' /
"""
FLOWS = (("vortex", VORTEX, "explicit"), ("channel", CHANNEL, "explicit"), ("channel", CHANNEL, "implicit-z"))
END = 0.9  # time at which the guesses are judged


def pressures(kolmo, flow, diffusion, scheme, dt):
    """Pressures of stages 1 to 3 of the last three steps, the oldest step first."""
    with tempfile.TemporaryDirectory() as folder:
        case, out = os.path.join(folder, "case.nml"), os.path.join(folder, "run")
        with open(case, "w", encoding="utf-8") as file:
            file.write(flow + f"""&run steps_max = {round(END / dt)} t_end = 1e6 /
&time dt = {dt} scheme = '{scheme}' diffusion = '{diffusion}' /
&pressure preconditioner = 'multigrid' guess = 'lli' tolerance = 1e-11 /
&checkpoint interval = 1 keep = 4 /
&output directory = '{out}' /
""")
        done = subprocess.run([kolmo, case], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stdout[-500:] + done.stderr[-500:])
        found = []
        for path in sorted(glob.glob(os.path.join(out, "checkpoint*")))[-3:]:
            with h5py.File(path) as file:
                found.append([file["fields/" + name][...] for name in ("p_stage_1", "p_stage_2", "p")])
        return found


def by_stages(scheme, before, now):
    """'lli': each stage's own pressure is extrapolated (docs/numerics/pressure.md, "Guesses")."""
    if scheme == "rk3-half":
        return (2 * before[2] - before[0], 2 * now[0] - before[2], now[1] + before[2] - before[1])
    return (0.8 * before[2] + 0.2 * before[1], now[0] + before[1] - before[0], (now[0] + now[1]) / 2)


def by_means(scheme, older, before, now):
    """The mean pressure from the start of the step to the end of the stage, by a line through those of the
    last two steps at (1 + c)/2. With 'rk3-wray', whose stages start from the stage before, what the earlier
    stages have done of it is taken off."""
    weights, ends = (((0, 0, 1), (1 / 2, 1 / 2, 1)) if scheme == "rk3-half"
                     else ((8 / 15, 2 / 15, 1 / 3), (8 / 15, 2 / 3, 1)))
    last, first = (sum(w * p for w, p in zip(weights, step)) for step in (before, older))
    mean = [last + (1 + c) / 2 * (last - first) for c in ends]
    if scheme == "rk3-half":
        return mean
    return (mean[0], 5 * mean[1] - 4 * now[0], 3 * mean[2] - (8 * now[0] + 2 * now[1]) / 5)


def size(field):
    """Root mean square without the mean."""
    return float(np.std(field))


def main():
    """Prints a line for each flow, scheme and step length."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kolmo", default="build/cpu/kolmo")
    parser.add_argument("--flows", nargs="+", choices=("vortex", "channel"), default=("vortex", "channel"))
    parser.add_argument("--dt", nargs="+", type=float, default=(0.03, 0.015, 0.0075), help="of a step")
    options = parser.parse_args()
    for name, flow, diffusion in (f for f in FLOWS if f[0] in options.flows):
        for scheme in ("rk3-half", "rk3-wray"):
            for dt in options.dt:
                older, before, now = pressures(options.kolmo, flow, diffusion, scheme, dt)
                guesses = by_stages(scheme, before, now), by_means(scheme, older, before, now)
                errors = [[size(g - p) / size(p) for g, p in zip(guess, now)] for guess in guesses]
                print(f"{name}, {diffusion}, {scheme}, dt {dt}: "
                      + "; ".join(f"{guess} " + ", ".join(f"{e:.1e}" for e in errors_of_it)
                                  for guess, errors_of_it in zip(("lli", "(1 + c)/2"), errors)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""postproc/stirred_box.py: two small ensembles, stirred, followed, and read by kolmo-decay.

Would catch: a decay that begins with the flow of another run, with the mean stream or with the cubes, another
viscosity, an ensemble that is made twice."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc", "stirred_box.py")


def small(kolmo, check):
    """Two runs of one Reynolds number on 16^3 cells."""
    out = kolmo.place()
    words = "--cells 16 --cubes 4 --runs 2 --reynolds 20 --stir 0.1 --decay 0.2".split()
    words += ["--out", out, "--kolmo", kolmo.program]
    command = [sys.executable, TOOL, *words, "--mpirun", " ".join([*kolmo.mpirun, "-n"])]

    def call():
        return subprocess.run(
            command, capture_output=True, text=True, timeout=200, check=False, env=kc.environment()
        )

    done = call()
    check.equal("exit code", done.returncode, 0)
    check.says("its last words", done.stdout, "decay-1 and 1 more")
    for run in (1, 2):
        folder = os.path.join(out, "re20")
        flow = kc.Checkpoint(kc.checkpoint_path(os.path.join(folder, f"stir-{run}"))).velocity
        history = kc.read_fields(os.path.join(folder, f"decay-{run}", "history.nc"))
        k = sum(0.5 * np.mean((u - u.mean()) ** 2) for u in flow)
        check.near(f"run {run}: energy at the start, projected", float(history["k"][0]), k, 0.01 * k)
        series = kc.read_fields(os.path.join(folder, f"decay-{run}", "series.nc"))
        check.near("    mean stream", float(series["momentum_x"][-1]), 0.0, 1e-3)
        check.equal("    records", len(history["k"]), 401)
        check.holds("    it decays", bool(np.all(np.diff(history["k"]) < 0)))
    check.equal("called again: runs made anew", call().stdout.count("--member"), 0)


if __name__ == "__main__":
    kc.main(__doc__, [small])

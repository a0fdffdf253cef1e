#!/usr/bin/env python3
"""postproc/stirred_box.py: two small ensembles, stirred, followed, and read by kolmo-decay.

Would catch: a decay that begins with the flow of another run, with the mean stream or with the cubes, another
viscosity, an ensemble that is made twice."""
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
POSTPROC = os.path.join(HERE, "..", "..", "postproc")
sys.path[:0] = [os.path.join(HERE, "..", "support"), *(os.path.join(POSTPROC, d) for d in ("plot", "python"))]
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402
from report_parts import read_netcdf  # noqa: E402
from kolmo.namelists import parse, reals  # noqa: E402

TOOL = os.path.join(POSTPROC, "stirred_box.py")


def small(kolmo, check):
    """Two runs of one Reynolds number on 24^3 cells, one after the other."""
    out = kolmo.place()
    words = "--cells 24 --cubes 6 --runs 2 --reynolds 20 --turns 2 --turn 0.6 --decay 0.2".split()
    words += ["--processes", "1", "--out", out, "--kolmo", kolmo.program]
    command = [sys.executable, TOOL, *words, "--mpirun", " ".join([*kolmo.mpirun, "-n"])]

    def call(*more):
        return subprocess.run(
            [*command, *more], capture_output=True, text=True, timeout=200, check=False, env=kc.environment()
        )

    done = call()
    check.equal("exit code", done.returncode, 0)
    check.says("its last words", done.stdout, "2 runs of 24^3 cells: stirred in", "minutes a run",
               "decay-1 and 1 more")  # fmt: skip
    for run in (1, 2):
        folder = os.path.join(out, "re20")
        last = os.path.join(folder, f"stir-{run}", "turn-2")
        flow = kc.Checkpoint(kc.checkpoint_path(last)).velocity
        history = kc.read_fields(os.path.join(folder, f"decay-{run}", "history.nc"))
        k = sum(0.5 * np.mean((u - u.mean()) ** 2) for u in flow)
        check.near(f"run {run}: energy at the start, projected", float(history["k"][0]), k, 0.01 * k)
        series = kc.read_fields(os.path.join(folder, f"decay-{run}", "series.nc"))
        for d, mean in zip("xyz", (0.0, 1.0, 0.0)):  # what the second direction leaves, less the stream
            own = float(np.mean(flow["xyz".index(d)])) - mean
            check.near(f"    mean velocity along {d}", float(series[f"momentum_{d}"][-1]), own, 1e-9)
        check.near("    that of the stream", float(series["momentum_y"][-1]), 0.0, 1e-3)
        check.equal("    records", len(history["k"]), 401)
        check.holds("    it decays", bool(np.all(np.diff(history["k"]) < 0)))
        inputs = parse(read_netcdf(os.path.join(last, "series.nc"))["words"]["input"])
        check.equal("    places of the cubes", inputs["packing.seed"], [str(1000 * run + 1)])
        check.equal("    direction", inputs["forcing.direction"], ["y"])
        check.near("    width of a cube", reals(inputs, "packing.size", 1)[0], 4 / 24, 1e-8)
        check.near("    viscosity", reals(inputs, "fluid.nu", 1)[0], 4 / 24 / 20, 1e-8)
    first = os.path.join(out, "re20", "stir-1", "turn-1")
    kept = [name for name in os.listdir(first) if "check" in name]
    check.equal("flows that are left of the first direction", kept, [])
    before = kc.read_fields(os.path.join(first, "series.nc"))
    after = kc.read_fields(os.path.join(out, "re20", "stir-1", "turn-2", "series.nc"))
    turned = before["momentum_x"][-1] - 1.0
    check.near("the stream turns", float(after["momentum_x"][0]), float(turned), 0.06)
    check.near("    to the next direction", float(after["momentum_y"][-1]), 1.0, 1e-3)
    check.equal("called again: runs made anew", call().stdout.count("--member"), 0)
    shutil.rmtree(os.path.join(out, "re20", "decay-2"))
    said = call("--at-once", "1").stdout
    check.equal("    one that is lost", (said.count("--member"), said.count("decay-2 ")), (1, 1))
    refused = call("--cubes", "7")
    check.equal("cubes of fewer than 4 cells: exit code", refused.returncode, 2)
    check.says("    remedy", refused.stderr, "3 cells across on 24^3 cells", "--cubes 6")
    for words in (("--at-once", "0"), ("--reynolds", "-1"), ("--turn", "nan"), ("--after", "-1")):
        refused = call(*words)
        check.equal(f"{' '.join(words)}: exit code", refused.returncode, 2)
        check.says("    message", refused.stderr, f"{' '.join(words)}: it must be")
    refused = call("--kolmo", os.path.join(out, "nothing"))
    check.equal("no program: exit code", refused.returncode, 2)
    check.says("    message", refused.stderr, "there is no such program")


if __name__ == "__main__":
    kc.main(__doc__, [small])

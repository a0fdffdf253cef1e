#!/usr/bin/env python3
"""Tools beside the tests that nothing else runs, each with as little as it takes: processor_time.py,
stage_guesses.py, gpu_list.py, scaling.py.

Would catch: a tool that no longer starts, or whose runs the program refuses; a traceback where a module is
missing."""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import gpu_list  # noqa: E402
import kolmo_case as kc  # noqa: E402

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def call(*words, rc=0, **more):
    """What a script says."""
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False,
                          timeout=kc.SECONDS, env=kc.environment(), **more)
    if done.returncode != rc:
        raise kc.RunError(f"{words}: exit code {done.returncode}, expected {rc}: {done.stdout[-500:]}"
                          f"{done.stderr[-1000:]}")
    return done.stdout + done.stderr


def processor_time(kolmo, check):
    """A round with few cells, of one folder and of two."""
    tool, build = os.path.join(TESTS, "bench", "processor_time.py"), os.path.dirname(kolmo.program)
    small = ("--cells", "16", "--rounds", "1", "--steps", "1", "3", "--out", kolmo.place())
    for builds in ((build,), (build, build)):
        said = call(tool, *builds, *small)
        check.equal(f"rounds of {len(builds)}", len(re.findall(r"^round 1, ", said, re.M)), 2 * len(builds))
        rows = [r.split("|")[1:-1] for r in said.splitlines() if re.match(r"\| (direct|multigrid) ", r)]
        check.equal("    rows of the table", [len(r) for r in rows], [len(builds) + 2] * 2)
    check.says("three folders", call(tool, *3 * [build], rc=2), "two builds at most")


def stage_guesses(kolmo, check):
    """The vortex with the longest steps."""
    tool = os.path.join(TESTS, "reference", "stage_guesses.py")
    said = call(tool, "--kolmo", kolmo.program, "--flows", "vortex", "--dt", "0.03")
    found = re.findall(r"vortex, explicit, (\S+), dt 0.03: lli (.*); \(1 \+ c\)/2 (.*)", said)
    check.equal("schemes", [f[0] for f in found], ["rk3-half", "rk3-wray"])
    for scheme, *errors in found:
        own, other = ([float(e) for e in text.split(",")] for text in errors)
        check.equal(f"{scheme}: stages", (len(own), len(other)), (3, 3))
        check.below("    lli", max(own), 1e-2)


def gpu_names(kolmo, check):
    """The GPUs that programs can use, as CUDA_VISIBLE_DEVICES names them; the GPU tests are skipped if there
    are none."""
    before = os.environ.get("CUDA_VISIBLE_DEVICES")
    try:
        for given, names in (("3,1", ["3", "1"]), ("0, GPU-6f", ["0", "GPU-6f"]), ("0,-1,2", ["0"]),
                             ("-1", []), ("", [])):
            os.environ["CUDA_VISIBLE_DEVICES"] = given
            check.equal(f"CUDA_VISIBLE_DEVICES='{given}'", gpu_list.visible(), names)
        done = subprocess.run(["bash", os.path.join(TESTS, "gpu", "run.sh"), kolmo.place()],
                              capture_output=True, text=True, check=False)
        check.says("GPU tests without a GPU", done.stdout, "0 passed, 0 failed, 1 skipped")
    finally:
        os.environ.pop("CUDA_VISIBLE_DEVICES")
        if before is not None:
            os.environ["CUDA_VISIBLE_DEVICES"] = before


def scaling(kolmo, check):
    """The table of results; without h5py a word of what is missing."""
    tool, out = os.path.join(TESTS, "gpu", "scaling.py"), kolmo.place()
    rows = [{"part": "strong", "cells": [64] * 3, "gpus": n, "transport": "peer", "step_ms": 2.0 / n,
             "iterations": 7.0, "phases": {"pressure": 1.0 / n}, "exchanges": {}, "ns_a_cell": 7.6 / n,
             "arrays_a_cell": 13.0} for n in (1, 2)]  # fmt: skip
    os.makedirs(out, exist_ok=True)
    kept = os.path.join(out, "kept.json")
    with open(kept, "w", encoding="utf-8") as file:
        json.dump({"runs": rows}, file)
    said = call(tool, "--table", kept, "--out", out)
    check.says("table", said, "| strong | 64 x 64 x 64 | 2 | peer | 1.000 |")
    without = "import runpy, sys; sys.modules['h5py'] = None; runpy.run_path({!r}, run_name='__main__')"
    check.equal("without h5py", call("-c", without.format(tool), rc=2),
                "scaling.py: no module h5py; install python3-numpy and python3-h5py\n")


if __name__ == "__main__":
    kc.main(__doc__, [processor_time, stage_guesses, gpu_names, scaling])

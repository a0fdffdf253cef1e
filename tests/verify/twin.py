#!/usr/bin/env python3
"""--twin: a copy beside the run. Without a perturbation the two are equal to the bit; with one the difference
is that of their checkpoints; the run has the bits that it has alone; restart, stop, faults, what is refused.

Would catch: a time step of the copy's own, a difference of the wrong components or weights, a copy that
changes the run, a perturbation that a restart repeats, one of the two that waits for the other for ever."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import h5py  # noqa: E402
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402

REPORT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc", "kolmo-report")
CASE = {
    "run": {"steps_max": 6},
    "grid": {
        "n": (16, 12, 16),
        "length": (6.0, 5.0, 6.0),
        "stretching": ("uniform", "sine", "uniform"),
        "stretching_factor": (0.0, 0.3, 0.0),
    },
    "fluid": {"nu": 0.02},
    "initial": {"type": "isotropic", "k_peak": 2.0, "u_rms": 0.6},
    "checkpoint": {"interval": 3, "keep": 9},
    "pressure": {"preconditioner": "multigrid"},
}


def fields(folder, step=None):
    """Of the checkpoint of a step."""
    return kc.Checkpoint(kc.checkpoint_path(folder, step))


def energy_of_difference(folder, step):
    """By the checkpoints of both."""
    one, other = fields(folder, step), fields(os.path.join(folder, "twin"), step)
    pairs = zip("uvw", one.velocity, other.velocity)
    return sum(0.5 * np.sum(one.weight(name) * (u - v) ** 2) for name, u, v in pairs)


def twins(kolmo, check):
    """Equal ones, and perturbed ones on two layouts, with a restart."""
    alone = kolmo.run(CASE)
    equal = kolmo.run(CASE, "--twin", "none", ranks=2)
    check.equal("unperturbed: difference", list(equal.series()["twin_difference"]), [0.0] * 7)
    for name, folder in (("the run", equal.folder), ("the copy", os.path.join(equal.folder, "twin"))):
        check.same(
            f"    {name} as alone", kc.differing_arrays(fields(folder).fields, fields(alone.folder).fields)
        )
    near = kolmo.run(CASE, "--twin", "rounding", ranks=2)
    check.same(
        "perturbed: the run as alone",
        kc.differing_arrays(fields(near.folder).fields, fields(alone.folder).fields),
    )
    s = near.series()
    for step in (3, 6):
        wanted = energy_of_difference(near.folder, step)
        found = float(s["twin_difference"][step])
        check.near(f"    difference after step {step}", found, wanted, 1e-9 * wanted)
    first = float(s["twin_difference"][0])
    check.above("    at the start above", first, 1e-34)
    check.below("    and below", first, 1e-31)
    many = kolmo.run(CASE, "--twin", "rounding", ranks=4).series()
    check.same("    on four ranks", [n for n in ("twin_difference", "time") if list(many[n]) != list(s[n])])
    half = kolmo.run(kc.merge(CASE, {"run": {"steps_max": 3}}), "--twin", "rounding", ranks=2)
    again = kolmo.run(CASE, "--twin", "rounding", "--restart", "latest", ranks=2, folder=half.folder).series()
    check.same("    with a restart", [n for n in ("twin_difference",) if list(again[n]) != list(s[n])])
    grown = kolmo.run(CASE, "--twin", "rounding", "--restart", kc.checkpoint_path(alone.folder, 3), ranks=2)
    first = float(grown.series()["twin_difference"][0])
    check.above("    from a checkpoint of a run alone: at the start above", first, 1e-34)
    check.below("    and below", first, 1e-31)
    report = subprocess.run(
        [sys.executable, REPORT, near.folder], capture_output=True, text=True, timeout=120, check=False
    )
    check.equal("    its report: exit code", report.returncode, 0)
    with open(os.path.join(near.folder, "report.html"), encoding="utf-8") as page:
        check.says("    has the difference", page.read(), "difference of the velocities")
    first, last = (f"{float(s['twin_difference'][n]):.6e}" for n in (0, -1))
    check.says("    log of the run", log_of(near.folder),
               f"twin: --twin rounding: a copy of this run writes into {near.folder}/twin; every value of",
               "one unit in the last place", f"twin: kinetic energy of the difference {last} at t = ",
               f"{first} at the start")
    check.says("    log of the copy", log_of(os.path.join(near.folder, "twin")),
               "twin: this is the copy of a run, --twin rounding: every value of its u that is not 0")
    check.says("    unperturbed", log_of(equal.folder), "--twin none", "it does not differ from the run",
               "of the difference 0.000000e+00 at t = ")
    check.says("    with a restart", log_of(half.folder), "it goes on with its own checkpoint")


def log_of(folder):
    with open(os.path.join(folder, "run.log"), encoding="utf-8") as log:
        return log.read()


def given(kolmo, check):
    """A copy that begins with the flow of a file; a copy that fails; a stop file of one of the two."""
    start = kolmo.run(CASE)
    path = {name: os.path.join(start.folder, name + ".h5") for name in ("base", "near", "wild")}
    for name, factor in (("base", 1.0), ("near", 1.001), ("wild", 1e4)):
        with h5py.File(path[name], "w", libver=("v110", "v110")) as file:
            for c, u in zip("uvw", fields(start.folder).velocity):
                file[c] = factor * u
            file.attrs.update(format=np.bytes_("kolmo-flow"), format_version=1, complete=1)
    case = kc.merge(CASE, {"initial": {"type": "file", "file": path["base"], "k_peak": None, "u_rms": None}})
    near = kolmo.run(case, "--twin", path["near"], ranks=2)
    s = near.series()
    check.says("a given flow: log", log_of(near.folder), "it begins with the flow of " + path["near"])
    wanted = 1e-6 * s["kinetic_energy"][0]
    check.near("a given flow: difference", float(s["twin_difference"][0]), wanted, 1e-3 * wanted)
    wanted = energy_of_difference(near.folder, 6)
    check.near("    after step 6", float(s["twin_difference"][6]), wanted, 1e-9 * wanted)
    failed = kolmo.run(kc.merge(case, {"time": {"dt": 0.05}}), "--twin", path["wild"], ranks=2, rc=None)
    check.equal("a copy that fails: exit code", failed.rc, 3)
    check.says("    message", failed.err, "in member 2 of 2", "the twin of this run has failed")
    folder = kolmo.place()
    endless = kc.merge(CASE, {"run": {"steps_max": 1000000}, "output": {"log_interval": 1}})
    process = kolmo.start([kolmo.write(endless, folder), "--twin", "none"], 2)
    log = os.path.join(folder, "run.log")
    kc.wait_for(
        lambda: os.path.exists(log) and b"step       3" in kc.file_bytes(log), process, "step 3 in the log"
    )
    with open(os.path.join(folder, "stop"), "w", encoding="utf-8"):
        pass
    stopped = kolmo.finish(process, folder, rc=None, seconds=60)
    check.equal("a stop file: exit code", stopped.rc, 5)
    check.equal(
        "    last steps",
        kc.checkpoint_steps(folder)[-1],
        kc.checkpoint_steps(os.path.join(folder, "twin"))[-1],
    )


def refused(kolmo, check):
    """What makes no sense."""
    rest = kc.merge(CASE, {"initial": {"type": "rest", "k_peak": None, "u_rms": None}})
    result = kolmo.run(rest, "--twin", "rounding", ranks=2, rc=None)
    check.equal("a flow at rest: exit code", result.rc, 2)
    check.says("message", result.err, "u is 0 everywhere", "initial.type")
    for words, ranks, told in (
        (("--twin", "rounding"), 1, "a run and its twin can't share 1 rank evenly"),
        (("--twin", "rounding", "--member", "run.seed=2"), 2, "give one of them"),
        (("--twin", "roundng"), 2, "no such file"),
        (("--twin", __file__, "--restart", "nothing.h5"), 2, "--twin rounding"),
    ):
        result = kolmo.run(CASE, *words, ranks=ranks, rc=None)
        check.equal("exit code", result.rc, 2)
        check.says("message", result.err, told)
    page = kolmo.run(CASE, "--check", "--twin", "rounding").out
    check.equal("--check on one rank: pages", page.count("The input is valid."), 2)
    check.says("    of both", page, "The run, in ", "Its copy, --twin rounding, in ", "/twin:")
    alone = kolmo.run(CASE)
    last = int(alone.series()["step"][-1])
    longer = kc.merge(CASE, {"run": {"steps_max": last + 2}})
    words = ("--twin", "rounding", "--restart")
    result = kolmo.run(longer, *words, "latest", ranks=2, folder=alone.folder, rc=None)
    check.equal("a run without a copy: exit code", result.rc, 2)
    check.says("    message", result.err, "there is no copy in", "name the checkpoint")
    s = kolmo.run(longer, *words, kc.checkpoint_path(alone.folder), ranks=2, folder=alone.folder).series()
    check.equal("    from its checkpoint: records with a difference",
                [int(n) for n in s["step"][np.isfinite(s["twin_difference"])]],
                [last + 1, last + 2])  # fmt: skip


if __name__ == "__main__":
    kc.main(__doc__, [twins, given, refused])

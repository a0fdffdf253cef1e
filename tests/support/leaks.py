#!/usr/bin/env python3
"""Whole runs of a build with the address sanitizer lose no memory: a run, a restart, refused input, a failed
solve.

Would catch: an object that run_destroy() forgets, a message or a list that an error path leaves behind."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kolmo_case as kc  # noqa: E402

# the checker, while it stops MPI's threads; the run was over by then
CRASHED = "LeakSanitizer has encountered a fatal error"
TRIES = 5
SECONDS = 300
CASE = {"run": {"steps_max": 2}, "grid": {"n": (16, 12, 10), "length": kc.CUBE}, "fluid": {"nu": 0.02},
        "initial": {"type": "isotropic"}, "output": {"field_interval": 1}, "pressure": {"tolerance": 1e-7}}
# by unwind tables: the program has no leak_callers.c
LOOK = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=1:fast_unwind_on_malloc=0"}


def run(kolmo, check, label, case, args=(), rc=0):
    """A run in a new folder each time its checker crashes; its exit code and what the checker says."""
    for _ in range(TRIES):
        folder = kolmo.place()
        path = kolmo.write(case, folder)
        for given in args or ((),):
            result = kolmo.call(path, *given, rc=None, seconds=SECONDS, folder=folder, env=LOOK)
            if CRASHED in result.text:
                break
        else:
            check.holds(f"{label}: no leak", "LeakSanitizer: detected" not in result.text,
                        result.text[-2000:])
            check.equal(f"{label}: exit code", result.rc, rc)
            return
    check.skip(label, f"the leak checker crashed {TRIES} times")


def runs(kolmo, check):
    """To the end, and on from there."""
    run(kolmo, check, "run", CASE)
    run(kolmo, check, "implicit", kc.merge(CASE, {"time": {"diffusion": "implicit", "scheme": "rk3-wray"}}))
    run(kolmo, check, "restart", kc.merge(CASE, {"checkpoint": {"interval": 1}}),
        ((), ("--restart", "latest", "--set", "run.steps_max=3")))


def faults(kolmo, check):
    """Runs that end early."""
    run(kolmo, check, "refused", kc.merge(CASE, {"time": {"clf": 0.5}}), rc=2)
    run(kolmo, check, "check", CASE, (("--check",),))
    run(kolmo, check, "no convergence", kc.merge(CASE, {"pressure": {"max_iterations": 1}}), rc=3)


def relatives(kolmo, check):
    """The other programs of the build start."""
    for name in ("kolmo-stats", "kolmo-merge"):
        check.says(name, kolmo.other(name).call("--version").out, "-fsanitize=address")


if __name__ == "__main__":
    kc.main(__doc__, [runs, faults, relatives])

#!/usr/bin/env python3
"""Between two records of the series the monitor leaves out dissipation and enstrophy. The flow and the
records are the same, bit for bit, as if it summed them in every step, on any number of ranks.

Would catch: a time step that depends on what is recorded or on how the grid is cut, a record whose energy
budget lacks the dissipation of the steps before it, after a restart too, and a stop between two records that
leaves the budget undefined."""
import os
import signal
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

STEPS, EVERY = 16, 7
CASE = {"run": {"steps_max": STEPS, "seed": 3},
        "grid": {"n": (24, 20, 16), "length": (kc.TWO_PI, 5.0, 5.5),
                 "stretching": ("sine", "uniform", "tanh"), "stretching_factor": (0.4, 0.0, 1.1)},
        "fluid": {"nu": 0.02}, "time": {"cfl": 0.8},
        "initial": {"type": "isotropic", "velocity": (0.3, -0.2, 0.1)},
        "checkpoint": {"interval": 3, "keep": 9}, "output": {"log_interval": 1000}}
RARE = {"output": {"series_interval": EVERY}}
WALLS = {"grid": {"stretching": ("uniform", "uniform", "tanh"), "stretching_factor": (0.0, 0.0, 1.1)},
         "boundary": {"z_low": "wall", "z_high": "wall", "z_low_velocity": (-1.0, 0.0, 0.0),
                      "z_high_velocity": (1.0, 0.0, 0.0)},
         "forcing": {"type": "bulk-velocity", "value": 0.5},
         "initial": {"type": "channel", "velocity": None}, "run": {"seed": None}}
OVER_RECORDS = ("decay_exponent", "decay_exponent_error")  # from windows of the records themselves
POWER = {"forcing": {"type": "power", "value": 0.2}, "initial": {"velocity": (1.0, 0.0, 0.0)}}
# The last correction of a step without record sums what remains (tests/unit/step/test_flow_monitor.c). Two
# ranks cut x, y, z by turns of the flows; --long: each flow.
TWO, MORE = ((2, 1, 1), (1, 2, 1), (1, 1, 2)), ((2, 2, 1), (2, 2, 2))
FEW = {"run": {"steps_max": 7}, "output": {"series_interval": 5}}
DIRECT, MULTIGRID = {"preconditioner": "direct"}, {"preconditioner": "multigrid"}
WRAY = {"time": {"scheme": "rk3-wray"}}
CUT = {"direct": ({"pressure": DIRECT},),
       "multigrid, rk3-wray": (WRAY, {"pressure": MULTIGRID}),
       "walls, direct, rk3-wray, implicit in z": (WALLS, WRAY, {"time": {"diffusion": "implicit-z"},
                                                                "pressure": DIRECT}),
       "walls, multigrid": (WALLS, {"pressure": MULTIGRID}),
       "linear force": ({"pressure": DIRECT,
                         "forcing": {"type": "linear", "control": "power", "value": 0.1}},)}


def recorded(check, label, every, rare):
    """The records of the second run are those of the first at the same steps; budgets are defined."""
    a, b = every.series(), rare.series()
    steps = [int(n) for n in b["step"]]
    check.equal(f"{label}: steps of the records", steps, [*range(0, STEPS + 1, EVERY), STEPS])
    for name in sorted(set(a) - set(kc.FROM_CLOCK) - set(OVER_RECORDS)):
        same = np.array_equal(a[name][steps], b[name])
        if not same:
            check.same(f"{label}: {name}", [f"{a[name][steps]} and {b[name]}"])
    check.holds(f"{label}: budgets are finite", bool(np.all(np.isfinite(b["budget_residual"]))),
                b["budget_residual"])
    first, second = every.checkpoint(), rare.checkpoint()
    check.same(f"{label}: fields", kc.differing_arrays(first.fields, second.fields))
    check.same(f"{label}: state", kc.differing_arrays(first.state, second.state))


def flows(kolmo, check):
    """With and without records in between, on one rank and on two; undriven, by a force, by a power."""
    for label, variant, ranks in (("periodic", {}, 1),
                                  ("periodic, two ranks", {"grid": {"ranks": (1, 1, 2)}}, 2),
                                  ("walls that move", WALLS, 1), ("a given power", POWER, 1)):
        case = kc.merge(CASE, variant)
        recorded(check, label, kolmo.run(case, ranks=ranks), kolmo.run(kc.merge(case, RARE), ranks=ranks))


def cut(kolmo, check):
    """The steps and records of one rank on 2, 4 and 8, cut in each direction."""
    for number, (label, variants) in enumerate(CUT.items()):
        case = kc.merge(CASE, FEW, *variants)
        one = kolmo.run_once(case)
        if "multigrid" in label:
            check.says(label, one.text, "increments in single precision")
        every = kolmo.run(kc.merge(case, {"output": {"series_interval": 1}}))
        check.same(f"{label}: fields with a record in each step",
                   kc.differing_arrays(every.checkpoint().fields, one.checkpoint().fields))
        for layout in TWO + MORE if kolmo.options.long else (TWO[number % 3], MORE[number % 4 != 0]):
            ranks, words = layout[0] * layout[1] * layout[2], f"{label}, {' x '.join(map(str, layout))} ranks"
            split = {"grid": {"ranks": layout}}
            other = kolmo.run(kc.merge(case, split), ranks=ranks)
            if "walls, direct" in label and ", driver " in one.text:
                # on a GPU the inverse between walls has other kernels on one rank, and equals to rounding
                every = kolmo.run(kc.merge(case, split, {"output": {"series_interval": 1}}), ranks=ranks)
                check.same(f"{words}: fields with a record in each step",
                           kc.differing_arrays(every.checkpoint().fields, other.checkpoint().fields))
            else:
                check.same(words, kc.differences(one, other))


def restarts(kolmo, check):
    """From checkpoints two steps, one step and none before a record, and with another interval."""
    case = kc.merge(CASE, RARE, {"checkpoint": {"interval": 1, "keep": 20}})
    every = kolmo.run(kc.merge(case, {"output": {"series_interval": 1}}))
    whole = kolmo.run(case)
    for step in (4, 5, 6, 7):
        folder = kolmo.place()
        kolmo.run(kc.merge(case, {"run": {"steps_max": step}}), folder=folder)
        part = kolmo.run(case, "--restart", "latest", folder=folder)
        check.same(f"restarted at step {step}",
                   kc.differing_arrays(whole.checkpoint().fields, part.checkpoint().fields))
        a, b = every.series(), part.series()
        steps = [int(n) for n in b["step"]]
        check.same(f"restarted at step {step}: budgets",
                   [] if np.array_equal(a["budget_residual"][steps], b["budget_residual"]) else
                   [f"{a['budget_residual'][steps]} and {b['budget_residual']}"])
    # a checkpoint whose own step has no dissipation: the restart sums it, but the budget of the next step
    # also wants that of the step before
    for name in os.listdir(whole.folder):
        if name.startswith("checkpoint_") and name != "checkpoint_00000004.h5":
            os.remove(os.path.join(whole.folder, name))
    part = kolmo.run(kc.merge(case, {"output": {"series_interval": 1}}), "--restart", "latest",
                     folder=whole.folder)
    budget, steps = part.series()["budget_residual"], part.series()["step"].astype(int)
    known = np.isfinite(budget)
    check.equal("another interval after step 4: steps without a budget", list(steps[~known]), [5])
    check.same("another interval after step 4: the other budgets",
               [] if np.array_equal(a["budget_residual"][steps[known]], budget[known]) else [f"{budget}"])


def stopped(kolmo, check):
    """A stop asked for between two records: within three steps, with a budget."""
    case = kc.merge(CASE, {"run": {"steps_max": 100000}, "checkpoint": {"interval": 0},
                           "output": {"series_interval": 1000, "log_interval": 5}})
    folder = kolmo.place()
    process = kolmo.start([kolmo.write(case, folder)])
    log = os.path.join(folder, "run.log")
    kc.wait_for(lambda: os.path.exists(log) and b"step      20" in kc.file_bytes(log), process,
                "step 20 in the log")
    os.kill(process.pid, signal.SIGUSR1)
    ended = kolmo.finish(process, folder, rc=5, seconds=60)
    check.says("stopped", ended.text, "stopped (signal USR1), checkpoint written")
    series = ended.series()
    check.equal("records", len(series["step"]), 2)
    check.holds("the last record has a budget", bool(np.isfinite(series["budget_residual"][-1])),
                series["budget_residual"])
    check.holds("and a dissipation", bool(series["dissipation"][-1] > 0), series["dissipation"])


if __name__ == "__main__":
    kc.main(__doc__, [flows, cut, restarts, stopped])

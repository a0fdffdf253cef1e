#!/usr/bin/env python3
"""A run that is stopped and restarted equals the one that never stopped, bit for bit: fields, state, series,
field files.

Would catch: a piece of state that the checkpoint lacks (old pressures of the guess, the last dt, the
dissipation two steps back), records of the series doubled, lost or out of order, a checkpoint that counts as
good while it is not, a stop that writes none, a restart that goes on with another grid."""
import os
import re
import shutil
import signal
import sys
import time

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

STEPS, HALF = 8, 4
CASE = {"run": {"steps_max": STEPS, "seed": 3},
        "grid": {"n": (24, 20, 16), "length": (kc.TWO_PI, 5.0, 5.5),
                 "stretching": ("sine", "uniform", "tanh"),
                 "stretching_factor": (0.4, 0.0, 1.1)},
        "fluid": {"nu": 0.02}, "time": {"cfl": 0.8},
        "initial": {"type": "isotropic", "velocity": (0.3, -0.2, 0.1)},
        "checkpoint": {"interval": HALF}}
FIXED = {"time": {"dt": 0.02, "cfl": None}}
IMPLICIT = {"time": {"diffusion": "implicit"}, "fluid": {"nu": 0.2}}
LAST = 40
LONG = {"run": {"steps_max": LAST}, "grid": {"n": (24, 24, 24)}, "pressure": {"tolerance": 1e-10},
        "checkpoint": {"interval": 5}}


def upto(steps):
    """A case that ends at a step."""
    return {"run": {"steps_max": steps}}


def layout(ranks):
    """How many ranks, and how they are laid out."""
    return {"grid": {"ranks": ranks}}


def continuous(check, label, result, last=STEPS):
    """The series holds each step once."""
    found = list(result.series()["step"])
    check.holds(f"{label}: steps 0 to {last} once each in series.nc", found == list(range(last + 1)), found)


def halves(kolmo, check, label, case, first=(1, 1, 1), second=(1, 1, 1)):
    """One run against two, on two layouts."""
    whole = kolmo.run_once(kc.merge(case, layout((1, 1, 1))))
    folder = kolmo.place()
    kolmo.run(kc.merge(case, upto(HALF), layout(first)), ranks=int(np.prod(first)), folder=folder)
    part = kolmo.run(kc.merge(case, layout(second)), "--restart", "latest", ranks=int(np.prod(second)),
                     folder=folder)
    check.same(label, kc.differences(whole, part, STEPS))
    continuous(check, label, part)
    return whole, part


def schemes_and_guesses(kolmo, check):
    """Both schemes, explicit and implicit, with the guesses each of them has; half with dt by cfl, half with
    fixed dt."""
    number = 0
    for scheme, diffusion, guesses in (("rk3-half", {}, ("zero", "previous", "linear", "lli")),
                                       ("rk3-half", IMPLICIT, ("linear", "lli")),
                                       ("rk3-wray", {}, ("previous", "lli", "lli")),
                                       ("rk3-wray", IMPLICIT, ("zero", "lli"))):
        for guess in guesses:
            number += 1
            case = kc.merge(CASE, {"time": {"scheme": scheme}, "pressure": {"guess": guess}}, diffusion,
                            FIXED if number % 2 else {})
            halves(kolmo, check, f"{scheme}, {'implicit' if diffusion else 'explicit'}, {guess}, "
                   f"{'fixed dt' if number % 2 else 'cfl'}", case)
    for diffusion in ({}, IMPLICIT):
        halves(kolmo, check, f"direct, {'implicit' if diffusion else 'explicit'}: no guess",
               kc.merge(CASE, {"pressure": {"preconditioner": "direct"}}, diffusion))


def walls(kolmo, check):
    """Between walls: a moving wall that starts a fluid at rest, and a bulk velocity that is kept while it
    swings."""
    duct = kc.merge(CASE, {"boundary": {"z_low": "wall", "z_high": "wall", "z_high_velocity": (1, 0, 0)},
                           "time": {"diffusion": "implicit-z"},
                           "initial": {"type": "rest", "velocity": None}})
    halves(kolmo, check, "from rest by a moving wall", duct, (1, 2, 1), (1, 1, 1))
    kept = {"forcing": {"type": "bulk-velocity", "value": 1, "amplitude": 0.3, "frequency": 2},
            "initial": {"type": "channel"}}
    halves(kolmo, check, "a bulk velocity that swings", kc.merge(duct, {"time": {"diffusion": None}}, kept),
           (1, 1, 1), (2, 1, 1))


def other_ranks(kolmo, check):
    """The second half on another number of ranks than the first."""
    for first, second in (((1, 1, 1), (2, 2, 1)), ((1, 2, 2), (1, 1, 1)), ((2, 1, 1), (1, 1, 3)),
                          ((1, 3, 1), (2, 2, 2))):
        text = " then ".join(" x ".join(map(str, ranks)) for ranks in (first, second))
        halves(kolmo, check, f"{text} ranks", CASE, first, second)
    halves(kolmo, check, "rk3-wray, implicit, 1 x 2 x 1 then 2 x 1 x 1 ranks",
           kc.merge(CASE, {"time": {"scheme": "rk3-wray"}}, IMPLICIT), (1, 2, 1), (2, 1, 1))


def by_name(kolmo, check):
    """From a file by its name: a newer one beside it, or into another folder."""
    case = kc.merge(CASE, {"checkpoint": {"interval": 2, "keep": 9}})
    whole = kolmo.run(case)
    check.equal("checkpoints kept", whole.steps(), [2, 4, 6, 8])
    old = kc.Checkpoint(kc.checkpoint_path(whole.folder, STEPS))
    series = whole.series()
    again = kolmo.run(case, "--restart", kc.checkpoint_path(whole.folder, HALF), folder=whole.folder)
    check.same("back to step 4 in the same folder, checkpoint of step 8",
               kc.differing_arrays(old.fields, again.checkpoint(STEPS).fields))
    check.same("back to step 4 in the same folder, series",
               kc.differing_arrays(series, again.series(), kc.FROM_CLOCK))
    other = kolmo.run(case, "--restart=" + kc.checkpoint_path(whole.folder, 6))
    check.same("into another folder, fields", kc.differing_arrays(old.fields, other.checkpoint(STEPS).fields))
    check.equal("into another folder, steps of the series", [int(s) for s in other.series()["step"]],
                [6, 7, 8])
    named = kolmo.run(kc.merge(case, {"checkpoint": {"restart": kc.checkpoint_path(whole.folder, 6)}}))
    check.same("named in the input, fields", kc.differing_arrays(old.fields, named.checkpoint(STEPS).fields))


def fields_go_on(kolmo, check):
    """Field files and their list as of one run, at intervals of steps and of time."""
    for label, output in (("by steps", {"field_interval": 3}), ("by time", {"field_interval_time": 0.05})):
        case = kc.merge(CASE, {"output": dict(output, fields_vorticity=True)},
                        FIXED if label == "by time" else {})
        whole, part = halves(kolmo, check, f"field files {label}", case)
        names = [sorted(n for n in os.listdir(r.folder) if n.startswith("fields")) for r in (whole, part)]
        check.equal(f"field files {label}: names", names[1], names[0])
        check.above(f"field files {label}: how many", len(names[0]), 4)
        for name in names[0]:
            a, b = (os.path.join(r.folder, name) for r in (whole, part))
            if name.endswith(".h5"):
                check.same(name, kc.differing_arrays(kc.read_fields(a), kc.read_fields(b)))
            else:
                check.holds(f"{name} holds the same bytes", kc.file_bytes(a) == kc.file_bytes(b))


def at_its_end(kolmo, check):
    """A restart of a run that is complete computes nothing and harms nothing."""
    first = kolmo.run(CASE)
    before = {n: kc.file_bytes(os.path.join(first.folder, n))
              for n in os.listdir(first.folder) if n.endswith(".h5")}
    series = first.series()
    again = kolmo.run(CASE, "--restart", "latest", folder=first.folder)
    after = {n: kc.file_bytes(os.path.join(first.folder, n))
             for n in os.listdir(first.folder) if n.endswith(".h5")}
    check.holds("checkpoints untouched", before == after)
    check.same("series", kc.differing_arrays(series, again.series(), kc.FROM_CLOCK))


def ended_by_time(kolmo, check):
    """t_end moved on by the restart: the steps after it are those of the checkpoint's state, without gap in
    time."""
    folder = kolmo.place()
    case = kc.merge(CASE, {"run": {"steps_max": None, "t_end": 0.3}})
    first = kolmo.run(case, folder=folder)
    check.near("first run ends at t_end", first.series()["time"][-1], 0.3, 1e-15)
    second = kolmo.run(kc.merge(case, {"run": {"t_end": 0.6}}), "--restart", "latest", folder=folder).series()
    check.near("second run ends at t_end", second["time"][-1], 0.6, 1e-15)
    check.below("time is the sum of dt, largest gap",
                np.max(np.abs(np.diff(second["time"]) - second["dt"][1:])), 1e-14)


def killed(kolmo, check):
    """SIGKILL in the middle, then --restart latest; on 1 rank and, one of them killed, on 2."""
    case = kc.merge(CASE, LONG)
    whole = kolmo.run(case)
    for ranks in (1, 2):
        folder = kolmo.place()
        process = kolmo.start([kolmo.write(case, folder)], ranks)
        kc.wait_for(lambda: kc.checkpoint_steps(folder)[-1:] >= [10], process, "the checkpoint of step 10")
        victims = [process.pid] if ranks == 1 else kc.children(process.pid)[-1:]
        for pid in victims:
            os.kill(pid, signal.SIGKILL)
        dead = kolmo.finish(process, folder, rc=None, seconds=60)
        steps = kc.checkpoint_steps(folder)
        check.holds(f"{ranks} ranks: killed, exit code not 0", dead.rc != 0, dead.rc)
        check.holds(f"{ranks} ranks: killed in the middle, checkpoints {steps}", steps and steps[-1] < LAST,
                    steps)
        part = kolmo.run(case, "--restart", "latest", ranks=ranks, folder=folder)
        check.same(f"{ranks} ranks: killed after step {steps[-1]} and restarted",
                   kc.differences(whole, part, LAST))
        continuous(check, f"{ranks} ranks: killed and restarted", part, LAST)


def killed_often(kolmo, check):
    """SIGKILL at moments spread over the step, with series and checkpoint written after each: nothing is lost
    or doubled."""
    case = kc.merge(CASE, LONG, {"checkpoint": {"interval": 1}, "output": {"field_interval": 7}})
    whole = kolmo.run(case)
    folder = kolmo.place()
    path = kolmo.write(case, folder)
    reached = []
    for kill in range(8):
        args = ["--restart", "latest"] if reached else []
        process = kolmo.start([path, *args])
        wanted = (reached[-1] if reached else 0) + 3
        kc.wait_for(lambda w=wanted: kc.checkpoint_steps(folder)[-1:]
                    >= [w], process, f"the checkpoint of step {wanted}")
        time.sleep(0.004 * kill)
        os.killpg(process.pid, signal.SIGKILL)
        kolmo.finish(process, folder, rc=None, seconds=60)
        reached.append(kc.checkpoint_steps(folder)[-1])
        steps = [int(n) for n in kc.read_series(folder)["step"]]
        check.holds(f"kill {kill}: the series reaches the newest checkpoint, {reached[-1]}, each step once",
                    steps == list(range(len(steps))) and steps[-1] >= reached[-1], steps)
    part = kolmo.call(path, "--restart", "latest", folder=folder)
    check.same(f"killed after {reached} and restarted", kc.differences(whole, part, LAST))
    continuous(check, "killed often", part, LAST)


def signalled(kolmo, check):
    """USR1 and TERM: exit code 5, a checkpoint, and the restart equals the run that was left alone."""
    case = kc.merge(CASE, LONG, {"checkpoint": {"interval": 0}})
    whole = kolmo.run(case)
    for number, ranks in ((signal.SIGUSR1, 1), (signal.SIGTERM, 1), (signal.SIGUSR1, 2)):
        label = f"{number.name}, {ranks} ranks"
        folder = kolmo.place()
        process = kolmo.start([kolmo.write(case, folder)], ranks)
        log = os.path.join(folder, "run.log")
        kc.wait_for(lambda: os.path.exists(log) and b"step      10" in kc.file_bytes(log), process,
                    "step 10 in the log")
        os.kill(process.pid, number)  # mpirun passes USR1 on to its ranks
        stopped = kolmo.finish(process, folder, rc=None, seconds=60)
        check.equal(f"{label}: exit code", stopped.rc, 5)
        check.says(label, stopped.text, f"stopped (signal {number.name[3:]}), checkpoint written")
        steps = stopped.steps()
        check.holds(f"{label}: one checkpoint, of step {steps}", len(steps) == 1 and 10 <= steps[0] < LAST,
                    steps)
        continuous(check, f"{label}, stopped", stopped, steps[-1])
        part = kolmo.run(case, "--restart", "latest", ranks=ranks, folder=folder)
        check.same(f"{label}: restarted", kc.differences(whole, part, LAST))
        continuous(check, f"{label}, restarted", part, LAST)


@kc.watches_clock
def wall_clock(kolmo, check):
    """run.walltime reached: exit code 5 in time; checkpoints by the wall clock on the way; the rest by a
    restart."""
    case = kc.merge(CASE, LONG, {"run": {"steps_max": 1000000, "walltime": "00:00:03"},
                                 "checkpoint": {"interval": 0, "interval_walltime": "00:00:01", "keep": 9}})
    for ranks in (1, 2):
        folder = kolmo.place()
        started = time.monotonic()
        stopped = kolmo.run(case, ranks=ranks, folder=folder, rc=5, seconds=30)
        check.below(f"{ranks} ranks: stopped after [s]", time.monotonic() - started, 8)
        check.says(f"{ranks} ranks", stopped.text, "run.walltime is used up", "checkpoint written",
                   "run.walltime 3 s: ")
        steps = stopped.steps()
        check.holds(f"{ranks} ranks: checkpoints on the way and at the end: {steps}", 2 <= len(steps) <= 4,
                    steps)
        continuous(check, f"{ranks} ranks, stopped", stopped, steps[-1])
        end = steps[-1] + 2
        part = kolmo.run(kc.merge(case, {"run": {"steps_max": end}}), "--restart", "latest", ranks=ranks,
                         folder=folder)
        continuous(check, f"{ranks} ranks, restarted", part, end)


def damaged(kolmo, check):
    """The newest checkpoint cut short, or a byte of it changed: 'latest' says so and takes the one before."""
    whole = kolmo.run(CASE)
    check.equal("checkpoints", whole.steps(), [HALF, STEPS])
    path = kc.checkpoint_path(whole.folder, STEPS)
    content = kc.file_bytes(path)
    pattern = kc.Checkpoint(path).fields["w"][3].tobytes()
    place = content.index(pattern)
    changed = content[:place + 5] + bytes([content[place + 5] ^ 16]) + content[place + 6:]
    for label, data in (("cut short", content[:len(content) // 2]), ("empty", b""),
                        ("one bit changed", changed)):
        folder = kolmo.place()
        for name in os.listdir(whole.folder):
            shutil.copy(os.path.join(whole.folder, name), folder)
        bad = kc.checkpoint_path(folder, STEPS)
        with open(bad, "wb") as target:
            target.write(data)
        named = kolmo.run(CASE, "--restart", bad, folder=folder, rc=None)
        check.equal(f"{label}, by name: exit code", named.rc, 4)
        check.says(f"{label}, by name", named.err, os.path.basename(bad))
        part = kolmo.run(CASE, "--restart", "latest", folder=folder)
        check.says(f"{label}, latest", part.text, "warning: a checkpoint is passed over",
                   os.path.basename(bad), "; 1 newer one is not usable")
        check.holds(f"{label}, latest: restart from step {HALF}",
                    re.search(r"restart from \S*checkpoint_00000004\.h5", part.out), part.out)
        check.same(f"{label}, latest: the end", kc.differences(whole, part, STEPS))
        continuous(check, f"{label}, latest", part)


def unsound(kolmo, check):
    """No checkpoint, a grid that differs, a file that is none: a message and an exit code, and nothing is
    harmed."""
    whole = kolmo.run(CASE)
    keep = {n: kc.file_bytes(os.path.join(whole.folder, n))
            for n in os.listdir(whole.folder) if n.endswith((".h5", ".nc"))}
    for ranks in (1, 2):
        empty = kolmo.run(CASE, "--restart", "latest", ranks=ranks, rc=None)
        check.equal(f"{ranks} ranks, empty folder: exit code", empty.rc, 4)
        check.says(f"{ranks} ranks, empty folder", empty.err, "no checkpoint to restart from", empty.folder)
        check.equal(f"{ranks} ranks, empty folder: messages",
                    empty.err.count("no checkpoint to restart from"), 1)
        for grid, words in (
            ({"n": (24, 20, 18)}, ["cells in z: 16 in the file, 18 in the input"]),
            ({"n": (32, 10, 16)}, ["cells in x: 24 in the file, 32", "cells in y: 20 in the file, 10"]),
            ({"length": (kc.TWO_PI, 5.0, 5.6)}, ["z coordinates", "in the file"]),
            ({"stretching_factor": (0.3, 0.0, 1.1)}, ["x coordinates", "in the file"]),
        )[: 4 if ranks == 1 else 1]:
            other = kolmo.run(kc.merge(CASE, {"grid": grid}), "--restart", "latest", ranks=ranks,
                              folder=whole.folder, rc=None)
            check.equal(f"{ranks} ranks, other {next(iter(grid))}: exit code", other.rc, 2)
            check.says(f"{ranks} ranks, other {next(iter(grid))}", other.err, "checkpoint_00000008.h5",
                       *words)
    missing = kolmo.run(CASE, "--restart", os.path.join(whole.folder, "checkpoint_00000005.h5"), rc=None)
    check.equal("a file that is not there: exit code", missing.rc, 4)
    check.says("a file that is not there", missing.err, "checkpoint_00000005.h5")
    text = kolmo.run(CASE, "--restart", os.path.join(whole.folder, "case.nml"), rc=None)
    check.equal("a text file: exit code", text.rc, 4)
    check.says("a text file", text.err, "case.nml")
    after = {n: kc.file_bytes(os.path.join(whole.folder, n)) for n in keep}
    check.holds("checkpoints and series of the folder untouched by all this", keep == after,
                [n for n in keep if keep[n] != after[n]])


if __name__ == "__main__":
    kc.main(__doc__,
            [schemes_and_guesses, walls, other_ranks, by_name, fields_go_on, at_its_end, ended_by_time,
             killed, killed_often, signalled,
             wall_clock, damaged, unsound])

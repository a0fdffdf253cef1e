#!/usr/bin/env python3
"""Files written while the run goes on: the same bytes as when it waits, the steps do not wait for a slow
disk, and faults, stops and the end of the run find the files whole; averages over a section, too.
tests/faults/shim.c, preloaded, makes the disk slow or faulty.

Would catch: a file that holds a later state than its step, a run that waits for the disk after all, a fault
behind its back that nobody tells, an end or a stop that leaves a file half written, a second file begun
before the first is complete."""
import errno
import os
import re
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
from faults import shim  # noqa: E402

CASE = {"run": {"steps_max": 24, "seed": 3}, "grid": {"n": (24, 20, 16)}, "fluid": {"nu": 0.02},
        "initial": {"type": "isotropic"},
        "output": {"log_interval": 1}, "checkpoint": {"interval": 5, "keep": 99, "background": True}}
FIELDS = {"output": {"field_interval": 3, "fields_vorticity": True}}
ENDLESS = {"run": {"steps_max": 1000000}}
AT_ONCE = {"checkpoint": {"background": False}}
WAITED = re.compile(r"files: written in (\S+) s while the run went on; steps waited (\S+) s for copies "
                    r"and for earlier files \((\S+) % of the run\)")


def slow(library, milliseconds, folder, name="checkpoint_"):
    """Each write and sync of such files of a folder takes longer."""
    return {"LD_PRELOAD": library,
            "KOLMO_FAULT": f"slow:{milliseconds}:0:0:{os.path.basename(folder)}/{name}"}


def same_files(check, label, one, other):
    """All checkpoints and field files of two runs hold the same."""
    names = [sorted(n for n in os.listdir(r.folder) if n.endswith(".h5")) for r in (one, other)]
    check.equal(f"{label}: files", names[1], names[0])
    for name in names[0]:
        a, b = (os.path.join(r.folder, name) for r in (one, other))
        if name.startswith("fields"):
            check.same(f"{label}: {name}", kc.differing_arrays(kc.read_fields(a), kc.read_fields(b)))
        else:
            x, y = kc.Checkpoint(a), kc.Checkpoint(b)
            check.same(f"{label}: {name}", kc.differing_arrays(x.fields, y.fields))
            check.holds(f"{label}: {name}, numbers of the state", x.state == y.state, (x.state, y.state))
    check.same(f"{label}: series", kc.differing_arrays(one.series(), other.series(), kc.FROM_CLOCK))


def same_bits(kolmo, check):
    """Written behind the steps or at once: the same files, with each kind of state, also on a slow disk,
    where steps follow."""
    library = shim(kolmo, check)
    for label, more in (("wray, lli", {"time": {"scheme": "rk3-wray"}, "pressure": {"guess": "lli"}}),
                        ("exact", {"pressure": {"method": "exact"}})):
        case = kc.merge(CASE, FIELDS, more)
        whole = kolmo.run(kc.merge(case, AT_ONCE))
        for ranks in (1, 2):
            same_files(check, f"{label}, {ranks} ranks", whole, kolmo.run(case, ranks=ranks))
        if library is not None:
            folder = kolmo.place()
            same_files(check, f"{label}, slow disk", whole,
                       kolmo.call(kolmo.write(case, folder), folder=folder, env=slow(library, 4, folder, "")))


@kc.watches_clock
def nobody_waits(kolmo, check):
    """A slow disk: steps are taken while the checkpoint is written, and wait for less than a twentieth of
    that time."""
    library = shim(kolmo, check)
    if library is None:
        return
    for ranks in (1, 2):
        folder = kolmo.place()
        case = kc.merge(CASE,
                        {"run": {"steps_max": 60}, "checkpoint": {"interval": 40},
                         "grid": {"n": (32, 32, 32), "ranks": (1, 1, ranks)}})
        run = kolmo.call(kolmo.write(case, folder), ranks=ranks, folder=folder,
                         env=slow(library, 100, folder))
        text = run.text
        after = text[text.index("step      40"):text.index("checkpoint written: step 40")]
        check.above(f"{ranks} ranks: steps during the write", len(re.findall(r"\nstep ", after)), 3)
        wrote, waited, share = (float(x) for x in WAITED.search(text).groups())
        check.above(f"{ranks} ranks: seconds to write", wrote, 1)
        check.below(f"{ranks} ranks: waited over written", waited / wrote, 0.05)
        took = float(re.search(r"finished: .*, ([0-9.]+) s$", text, re.M).group(1))
        check.near(f"{ranks} ranks: share of the run, in %", share, 100 * waited / took, 0.03 * share + 0.02)
        check.holds("    without an exponent", "e" not in WAITED.search(text).group(3), text[-300:])


def told(kolmo, check):
    """A fault behind the steps: exit code 4, one message, the older checkpoint, no temporary file, and the
    run goes on from it."""
    library = shim(kolmo, check)
    if library is None:
        return
    whole = kolmo.run(CASE)
    for call, number, ranks in (("write", "1+", 1), ("fsync", "1", 1), ("rename", "1", 1),
                                ("rename", "1", 3)):
        folder = kolmo.place()
        path = kolmo.write(kc.merge(CASE, ENDLESS), folder)
        # MPI has files of the same name elsewhere
        target = os.path.join(os.path.basename(folder), "checkpoint_00000010")
        run = kolmo.call(path, ranks=ranks, folder=folder, rc=None, seconds=60,
                         env={"LD_PRELOAD": library,
                              "KOLMO_FAULT": f"{call}:{number}:{errno.ENOSPC}:0:{target}"})
        label = f"{call} {number}, {ranks} ranks"
        check.equal(f"{label}: exit code", run.rc, 4)
        check.equal(f"{label}: messages",
                    len([line for line in run.err.splitlines() if line.startswith("kolmo: ")]), 1)
        check.says(label, run.err, "checkpoint_00000010")
        check.equal(f"{label}: checkpoints", run.steps(), [5])
        check.equal(f"{label}: temporary files", [n for n in os.listdir(folder) if n.endswith(".tmp")], [])
        part = kolmo.run(CASE, "--restart", "latest", ranks=ranks, folder=folder)
        check.same(f"{label}: restarted", kc.differences(whole, part, 24))
    folder = kolmo.place()  # steps that take longer than a file, and a file in each
    case = kc.merge(CASE, ENDLESS,
                    {"grid": {"n": (48, 40, 32)}, "checkpoint": {"interval": 1},
                     "pressure": {"preconditioner": "jacobi", "tolerance": 1e-11}})
    fault = f"rename:1:{errno.ENOSPC}:0:{os.path.basename(folder)}/checkpoint_00000002"
    run = kolmo.call(kolmo.write(case, folder), folder=folder, rc=4, seconds=60,
                     env={"LD_PRELOAD": library, "KOLMO_FAULT": fault})
    check.says("found where the next file is due", run.err, "checkpoint_00000002")
    check.equal("found where the next file is due: checkpoints", run.steps(), [1])


def stopped_in_it(kolmo, check):
    """A signal while a checkpoint is being written to a slow disk: that one and the last one are whole."""
    library = shim(kolmo, check)
    if library is None:
        return
    for ranks in (1, 2):
        folder = kolmo.place()
        # few and large writes
        path = kolmo.write(kc.merge(CASE, ENDLESS, {"grid": {"ranks": (1, 1, ranks)}}), folder)
        process = kolmo.start([path], ranks, env=slow(library, 20, folder))
        log = os.path.join(folder, "run.log")
        kc.wait_for(lambda at=log: os.path.exists(at) and b"step       6" in kc.file_bytes(at), process,
                    "step 6")
        os.kill(process.pid, signal.SIGUSR1)
        stopped = kolmo.finish(process, folder, rc=None, seconds=60)
        check.equal(f"{ranks} ranks: exit code", stopped.rc, 5)
        steps = stopped.steps()
        check.holds(f"{ranks} ranks: checkpoints {steps}",
                    steps[0] == 5 and steps[-1] == int(stopped.series()["step"][-1]), steps)
        check.equal(f"{ranks} ranks: temporary files", [n for n in os.listdir(folder) if n.endswith(".tmp")],
                    [])
        case = kc.merge(CASE, {"run": {"steps_max": steps[-1] + 3}})
        part = kolmo.run(case, "--restart", "latest", ranks=ranks, folder=folder)
        check.same(f"{ranks} ranks: restarted", kc.differences(kolmo.run(case), part, steps[-1] + 3))


def killed_in_it(kolmo, check):
    """SIGKILL while a checkpoint is being written: the one before is sound."""
    library = shim(kolmo, check)
    if library is None:
        return
    folder = kolmo.place()
    path = kolmo.write(kc.merge(CASE, ENDLESS), folder)
    process = kolmo.start([path], env=slow(library, 50, folder, "checkpoint_00000010"))
    kc.wait_for(lambda: os.path.exists(os.path.join(folder,
                                                    "checkpoint_00000010.h5.tmp")), process, "the write")
    time.sleep(0.1)
    os.killpg(process.pid, signal.SIGKILL)
    dead = kolmo.finish(process, folder, rc=None, seconds=60)
    check.equal("checkpoints", dead.steps(), [5])
    part = kolmo.run(CASE, "--restart", "latest", folder=folder)
    check.same("restarted", kc.differences(kolmo.run(CASE), part, 24))


DUCT = {"run": {"steps_max": 40, "seed": 5}, "grid": {"n": (8, 14, 12), "length": (2.5, 2.0, 1.6),
                                                      "stretching": ("sine", "tanh", "tanh"),
                                                      "stretching_factor": (0.3, 1.2, 0.9)},
        "fluid": {"nu": 0.01}, "time": {"dt": 0.02},
        "boundary": {f"{d}_{e}": "wall" for d in "yz" for e in ("low", "high")},
        "forcing": {"type": "bulk-velocity", "value": 1.0, "direction": "x"},
        "initial": {"type": "channel", "disturbance": 0.3}, "pressure": {"preconditioner": "direct"},
        "scalars": {"name": "heat", "prandtl": 0.7, "disturbance": 0.3, "y_low": "value"},
        "statistics": {"start": 0.0, "interval": 1, "write_interval": 15},
        "checkpoint": {"background": True, "at_end": False}, "output": {"log_interval": 1}}


def differing(one, other, n):
    """Variables of statistics.nc and pdf.nc that differ bit for bit, sums over batches, too; n: samples that
    they are to have."""
    found = []
    for run in (one, other):
        values = {}
        for name in ("pdf.nc", "statistics.nc"):
            with h5py.File(os.path.join(run.folder, name), "r") as file:
                file.visititems(lambda name, it, to=values: to.update({name: it[...]})
                                if isinstance(it, h5py.Dataset) else None)
        found.append(values)
    samples = [int(f["n_samples"]) for f in found]
    return [f"samples {samples}, wanted {n}"] * (samples != [n, n]) + sorted(
        name for name in set(found[0]) | set(found[1])
        if name not in found[0] or name not in found[1]
        or found[0][name].tobytes() != found[1][name].tobytes())


def averages(kolmo, check):
    """statistics.nc of a duct: the steps go on while a slow disk takes it, and it has the bits of the file
    that the run waits for, at its end, of an earlier step, and with a checkpoint; its fault ends the run, and
    leaves the file before it; the end by error comes in the same step."""
    library = shim(kolmo, check)
    if library is None:
        return
    case = kc.merge(DUCT, {"statistics": {"stop_when": "u_b", "stop_error": 0.01}})
    whole = kolmo.run(kc.merge(case, AT_ONCE))
    for label, ranks, more in (("alone", 1, {}), ("with a checkpoint", 2, {"checkpoint": {"interval": 20}})):
        folder = kolmo.place()
        run = kolmo.call(kolmo.write(kc.merge(case, more), folder), ranks=ranks, folder=folder,
                         env=slow(library, 30, folder, "statistics.nc"))
        check.same(label, differing(whole, run, 32))
        check.says(label, run.text, "statistics.nc written while the run goes on",
                   "statistics.stop_when is met", "finished: step 32")
        check.above(f"{label}: seconds behind the steps", float(WAITED.search(run.text).group(1)), 0.03)
    found = []
    for ranks, more in ((2, {}), (1, AT_ONCE)):
        folder, label = kolmo.place(), f"a fault, {ranks} ranks"
        fault = f"rename:2:{errno.ENOSPC}:0:{os.path.basename(folder)}/statistics.nc"
        found.append(kolmo.call(kolmo.write(kc.merge(DUCT, ENDLESS, more), folder), ranks=ranks,
                                folder=folder, rc=4, seconds=60,
                                env={"LD_PRELOAD": library, "KOLMO_FAULT": fault}))
        check.equal(f"{label}: messages",
                    len([line for line in found[-1].err.splitlines() if line.startswith("kolmo: ")]), 1)
        check.says(label, found[-1].err, "statistics.nc")
        check.equal(f"{label}: files", [n for n in os.listdir(folder) if n.startswith("statistics")],
                    ["statistics.nc"])
    check.same("the file before the fault", differing(*found, 15))


@kc.watches_clock
def told_at_once(kolmo, check):
    """A fault of the steps while a file is being written: the message comes before that is complete, and the
    file is whole."""
    library = shim(kolmo, check)
    if library is None:
        return
    for ranks in (1, 2):
        folder = kolmo.place()
        case = kc.merge(CASE, FIELDS, ENDLESS,
                        {"time": {"dt": 2.0}, "grid": {"n": (16, 16, 16), "ranks": (1, 1, ranks)}})
        process = kolmo.start([kolmo.write(case, folder)], ranks, env=slow(library, 150, folder, "fields_"))
        line = b""
        while process.poll() is None and b"kolmo: " not in line:
            line = process.stderr.readline()
        there = os.listdir(folder)
        check.holds(f"{ranks} ranks: the message before the file",
                    b"kolmo: " in line and "fields_00000000.h5" not in there, (line, there))
        ended = kolmo.finish(process, folder, rc=3, seconds=60)
        check.holds(f"{ranks} ranks: the file is whole",
                    "velocity" in kc.read_fields(os.path.join(folder, "fields_00000000.h5")), ended.text)
        check.equal(f"{ranks} ranks: once", ended.err.count("kolmo: "), 0)
        check.holds(f"{ranks} ranks: in the log",
                    b"error: " in kc.file_bytes(os.path.join(folder, "run.log")), ended.text)


def at_once(kolmo, check):
    """Where MPI takes one thread alone the run waits, and says so; asked to wait, it says nothing."""
    library = shim(kolmo, check)
    quiet = kolmo.run(kc.merge(CASE, AT_ONCE))
    check.holds("asked to wait: no word of it",
                "while files are written" not in quiet.text and not WAITED.search(quiet.text), quiet.out)
    if library is None:
        return
    for ranks in (1, 2):
        folder = kolmo.place()
        run = kolmo.call(kolmo.write(CASE, folder), ranks=ranks, folder=folder,
                         env={"LD_PRELOAD": library, "KOLMO_FAULT": "single:0:0:0:none"})
        check.says(f"{ranks} ranks", run.text, "warning: the run waits while files are written: this MPI "
                                               "does not allow calls from several threads")
        same_files(check, f"{ranks} ranks, one thread", quiet, run)


def memory_told(kolmo, check):
    """--check tells the host memory: the whole state and a slab where files are written behind the steps,
    else slabs, which are no more than an array here, and those also for where the copies don't fit, each with
    what is read back; without a word of the input the build decides."""
    copies = {}
    for label, more in (("behind", {}), ("at once", AT_ONCE)):
        folder = kolmo.place()
        text = kolmo.call(kolmo.write(kc.merge(CASE, {"grid": {"n": (64, 64, 64)}}, more), folder), "--check",
                          folder=folder).out
        arrays = float(re.search(r"fields +\d+ arrays of ([\d.]+) MiB", text).group(1))
        copies[label] = float(re.search(r"host memory for files +([\d.]+) MiB", text).group(1)) / arrays
        short = re.search(r"or, where that is short +([\d.]+) MiB", text)
        check.equal(f"{label}: whether it tells of other memory", short is not None, label == "behind")
    read_back = 64 ** 3 * (4 if kolmo.options.real == "float" else 8) / 2 ** 20 / arrays
    check.near("at once: arrays", copies["at once"], 3 * 64 / 68 + read_back, 0.05)
    check.near("behind: arrays", copies["behind"], 6 + 64 / 68 + read_back, 0.05)
    cpu = "backend cpu" in kolmo.call("--version").out
    run = kolmo.run(kc.merge(CASE, {"run": {"steps_max": 2}, "checkpoint": {"background": None}}))
    check.says("not given", run.text,
               "files written " + ("between steps" if cpu else "while the run goes on")
               + "; host memory for them")


if __name__ == "__main__":
    kc.main(__doc__,
            [same_bits, nobody_waits, told, stopped_in_it, killed_in_it, averages, told_at_once, at_once,
             memory_told])

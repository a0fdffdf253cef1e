#!/usr/bin/env python3
"""File operations that fail, one after the other: a message, exit code 4, no hang, no crash, the older
checkpoint as it was, and the run goes on from it. tests/faults/shim.c, preloaded, makes the n-th write,
fsync, rename, ... of one rank fail.

Would catch: a return code that nobody looked at, a fault of one rank that the others never hear of, a crash
in the exit handlers of a library, a half-written file that counts as good, an old checkpoint removed before
the new one is safe."""
import errno
import os
import shutil
import subprocess
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

SHIM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "faults", "shim.c")
CASE = {"run": {"steps_max": 2}, "grid": {"n": (16, 16, 16)}, "fluid": {"nu": 0.02},
        "initial": {"type": "isotropic"},
        "checkpoint": {"interval": 2}}
GOAL = 4
MOST = 60  # calls of a kind that are tried at most


def shim(kolmo, check):
    """The library, or None where it can't be made or loaded."""
    path = os.path.join(kolmo.folder, "shim.so")
    if os.path.exists(path):
        return path
    built = subprocess.run(["cc", "-shared", "-fPIC", "-O1", SHIM, "-o", path, "-ldl"], capture_output=True,
                           text=True, check=False) \
        if shutil.which("cc") else None
    if built is None or built.returncode != 0:
        check.skip("faults of file operations", built.stderr if built else "no cc")
        return None
    if "ASAN_OPTIONS" in os.environ:
        check.skip("faults of file operations", "the sanitizer wants to be the first library")
        return None
    return path


class Faults:
    """A good run, copies of which are continued with a fault."""

    def __init__(self, kolmo, check, library, case=None):
        self.kolmo, self.check, self.library, case = kolmo, check, library, case or CASE
        self.goal = kc.merge(case, {"run": {"steps_max": GOAL}})
        self.good = kolmo.run(case)
        self.whole = kolmo.run(self.goal)
        self.kept = kc.file_bytes(kc.checkpoint_path(self.good.folder, 2))

    def copy(self):
        """A folder with the good run's files, and the input of the goal."""
        folder = self.kolmo.place()
        for name in os.listdir(self.good.folder):
            shutil.copy(os.path.join(self.good.folder, name), folder)
        return folder, self.kolmo.write(self.goal, folder)

    def once(self, call, number, error, path, ranks, rank, codes):
        """One fault; whether it happened. codes: exit codes that are right."""
        folder, case = self.copy()
        marker = os.path.join(folder, "happened")
        place = os.path.join(os.path.basename(folder), path)  # MPI has files of the same name elsewhere
        result = self.kolmo.call(case, "--restart", "latest", ranks=ranks, rc=None, seconds=60, folder=folder,
                                 env={"LD_PRELOAD": self.library,
                                      "KOLMO_FAULT": f"{call}:{number}:{error}:{rank}:{place}",
                                      "KOLMO_FAULT_MARK": marker})
        if not os.path.exists(marker):
            shutil.rmtree(folder)
            return False
        label = f"{call} {number} of {path}, {errno.errorcode.get(error, 'short')}, rank {rank} of {ranks}"
        faults = []
        if result.rc not in codes:
            faults.append(f"exit code {result.rc}")
        if result.rc == 4 and folder not in result.err:
            faults.append("no name in the message")
        if result.rc == 4 and len([line
                                   for line in result.err.splitlines() if line.startswith("kolmo: ")]) != 1:
            faults.append("not one message")
        if kc.file_bytes(kc.checkpoint_path(folder, 2)) != self.kept:
            faults.append("the old checkpoint is another one")
        for step in result.steps():
            with h5py.File(kc.checkpoint_path(folder, step), "r") as source:
                if "complete" not in source.attrs:
                    faults.append(f"checkpoint {step} is not complete")
        os.remove(marker)
        again = self.kolmo.call(case, "--restart", "latest", ranks=ranks, rc=None, folder=folder)
        if again.rc != 0:
            faults.append(f"the run does not go on: {again.err[:300]}")
        elif kc.differences(self.whole, again, GOAL):
            faults.append("other results: " + ", ".join(kc.differences(self.whole, again, GOAL)))
        if [n for n in os.listdir(folder) if n.endswith(".tmp")]:
            faults.append("a temporary file is left")
        self.check.holds(label + f": exit code {result.rc}", not faults,
                         "; ".join(faults) + "; " + (result.err or result.out)[-300:])
        shutil.rmtree(folder)
        return True

    def all(self, call, error, path, codes=(4,), onward="", stride=1):
        """The first call that matches, the next but stride - 1, ... until there is none; with --long each."""
        tried, stride = 0, 1 if self.kolmo.options.long else stride
        for number in range(1, MOST, stride):
            if not self.once(call, f"{number}{onward}", error, path, 1, 0, codes):
                break
            tried += 1
        self.check.above(f"{call} of {path}: calls tried", tried, 1)


def checkpoint_writes(kolmo, check):
    """Writes to a checkpoint: every one without space from there on; some with an error, by half,
    interrupted."""
    library = shim(kolmo, check)
    if library is None:
        return
    f = Faults(kolmo, check, library)
    f.all("write", errno.ENOSPC, "checkpoint_00000004", onward="+", stride=3)
    f.all("write", errno.EIO, "checkpoint_00000004", stride=7)
    f.all("write", 0, "checkpoint_00000004", codes=(0, 4), stride=6)
    f.all("write", errno.EINTR, "checkpoint_00000004", codes=(0, 4), stride=8)


def checkpoint_steps(kolmo, check):
    """What else a checkpoint needs: open, reserve, sync, rename."""
    library = shim(kolmo, check)
    if library is None:
        return
    f = Faults(kolmo, check, library)
    f.all("fsync", errno.EIO, "checkpoint_00000004")
    f.all("rename", errno.EROFS, "checkpoint_00000004")
    # the library looks at the file before it opens it
    f.all("open", errno.EACCES, "checkpoint_00000004", codes=(0, 4), stride=4)
    f.all("fallocate", errno.EDQUOT, "checkpoint_00000004")


def checkpoint_unread(kolmo, check):
    """A sound checkpoint that can't be opened: once, and the restart looks again; or for good, and it keeps
    its name."""
    library = shim(kolmo, check)
    if library is None:
        return
    f = Faults(kolmo, check, library)
    f.all("open", errno.EIO, "checkpoint_00000002", codes=(0, 4), stride=3)
    f.all("open", errno.EMFILE, "checkpoint_00000002", onward="+", codes=(4,), stride=4)
    f.once("open", "3+", errno.EACCES, "checkpoint_00000002", 2, 1, (4,))  # one rank alone can't open it


def closes(kolmo, check):
    """A file that can't be closed, written or only read: HDF5 crashes when the program ends, if it comes to
    that."""
    library = shim(kolmo, check)
    if library is None:
        return
    f = Faults(kolmo, check, library, kc.merge(CASE, {"output": {"field_interval": 2}}))
    f.all("close", errno.EIO, "checkpoint_00000004", codes=(0, 4), stride=5)
    f.all("close", errno.EIO, "fields_00000002", codes=(0,))  # read for fields.xdmf
    f.once("close", "1", errno.EIO, "fields_00000002", 2, 0, (0,))
    f.all("close", errno.EIO, "series.nc", codes=(0, 4), onward="+", stride=4)


def series_and_log(kolmo, check):
    """The series: as the checkpoint. The log and the lock."""
    library = shim(kolmo, check)
    if library is None:
        return
    f = Faults(kolmo, check, library)
    f.all("write", errno.ENOSPC, "series.nc")
    f.all("fsync", errno.EIO, "series.nc")
    f.all("rename", errno.EACCES, "series.nc")
    f.all("open", errno.EMFILE, "series.nc.tmp")
    f.once("write", "1+", errno.ENOSPC, "run.log", 1, 0, (4,))
    f.once("write", "1", errno.ENOSPC, "kolmo.lock", 1, 0, (4,))
    f.once("open", "1", errno.EACCES, "kolmo.lock", 1, 0, (4,))


def one_rank_of_three(kolmo, check):
    """The same on one of three ranks: the others end with it."""
    library = shim(kolmo, check)
    if library is None:
        return
    f = Faults(kolmo, check, library)
    for rank in (0, 2):
        # HDF5 holds the other ranks up: the faulty one ends the run after ten seconds
        for number in ("1+", "3") if kolmo.options.long else ("1+",) if rank == 0 else ("3",):
            f.once("write", number, errno.ENOSPC, "checkpoint_00000004", 3, rank, (4,))
        f.once("open", "1", errno.EIO, "checkpoint_00000004.h5.tmp", 3, rank, (0, 4))
    f.once("rename", "1", errno.EIO, "checkpoint_00000004", 3, 0, (4,))
    f.once("write", "1", errno.ENOSPC, "series.nc", 3, 0, (4,))


def remove_while_written(folder):
    """A file may come into the folder after its names were read."""
    for _ in range(1000):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.exists(folder):
            return
    raise OSError(f"{folder} can't be removed")


def directory_gone(kolmo, check):
    """The folder is removed, or closed for writing, while the run is at work."""
    for ranks in (1, 2):
        for what in ("removed", "closed"):
            if what == "closed" and os.geteuid() == 0:
                check.skip(f"{ranks} ranks: a folder closed for writing", "root may write anywhere")
                continue
            folder = kolmo.place()
            target = os.path.join(folder, "out")
            case = kolmo.write(kc.merge(CASE, {"run": {"steps_max": 1000000}, "checkpoint": {"interval": 200},
                                               "output": {"directory": target, "log_interval": 1}}), folder)
            process = kolmo.start([case], ranks)
            kc.wait_for(lambda t=target: os.path.exists(os.path.join(t, "run.log")), process, "the log")
            if what == "removed":
                remove_while_written(target)
            else:
                os.chmod(target, 0o555)
            ended = kolmo.finish(process, folder, rc=None, seconds=60)
            check.equal(f"{ranks} ranks, {what}: exit code", ended.rc, 4)
            check.says(f"{ranks} ranks, {what}", ended.err, target)


def poison(path, field, value):
    """One value of a checkpoint changed, with the hash that belongs to it."""
    values = kc.Checkpoint(path).fields[field]
    values[3, 5, 7] = value
    kc.write_field(path, field, values)


def bad_values(kolmo, check):
    """NaN, infinity or an absurd number in one cell of one field: found within 10 steps, named, and in no
    checkpoint."""
    case = kc.merge(CASE, {"run": {"steps_max": 14}, "checkpoint": {"interval": 1}})
    good = kolmo.run(CASE)
    for ranks in (1, 2):
        for field in ("u", "v", "w", "p"):
            for value in (np.nan, np.inf, 1e8) if ranks == 1 else (np.nan,):
                folder = kolmo.place()
                for name in os.listdir(good.folder):
                    shutil.copy(os.path.join(good.folder, name), folder)
                poison(kc.checkpoint_path(folder, 2), field, value)
                before = kc.file_bytes(kc.checkpoint_path(folder, 2))
                bad = kolmo.run(case, "--restart", "latest", ranks=ranks, folder=folder, rc=None)
                label = f"{value} in {field}, {ranks} ranks"
                check.equal(f"{label}: exit code", bad.rc, 3)
                check.holds(f"{label}: the message names cell, rank and step",
                            "cell (" in bad.err and "rank" in bad.err and "step" in bad.err,
                            bad.err[:300])
                check.equal(f"{label}: checkpoints", bad.steps(), [2])
                check.holds(f"{label}: untouched", before == kc.file_bytes(kc.checkpoint_path(folder, 2)))


def too_long_a_step(kolmo, check):
    """A fixed dt beyond the stability limit: found within 10 steps though nothing has blown up, and in no
    checkpoint."""
    case = {"run": {"steps_max": 50}, "grid": {"n": (16, 16, 16)}, "fluid": {"nu": 0.0}, "time": {"dt": 0.45},
            "initial": {"type": "uniform", "velocity": (1.0, 1.0, 1.0)}}
    for scheme, limit in (("rk3-half", 2.0), ("rk3-wray", 3 ** 0.5)):
        for interval in (0, 3):
            bad = kolmo.run(kc.merge(case,
                                     {"time": {"scheme": scheme}, "checkpoint": {"interval": interval}}),
                            rc=None)
            check.equal(f"{scheme}, interval {interval}: exit code", bad.rc, 3)
            check.says(f"{scheme}, interval {interval}", bad.err, "the CFL number is 3.44",
                       f"limit {limit:.4g}", "time.dt = 0.45")
            check.equal(f"{scheme}, interval {interval}: checkpoints", bad.steps(), [])
            check.below(f"{scheme}, interval {interval}: last step", bad.series()["step"][-1], 10)


if __name__ == "__main__":
    kc.main(__doc__,
            [checkpoint_writes, checkpoint_steps, checkpoint_unread, closes, series_and_log,
             one_rank_of_three, directory_gone, bad_values, too_long_a_step])

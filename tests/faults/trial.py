"""What the trials of the fault suite share: a case, runs of it that nothing happened to, and the judgement of
a run after a fault.

A trial is a function of one Trial. It returns what happened, a few words, or a Counter of such words; what is
wrong it tells Trial.wrong(). All that it chooses by chance comes from Trial.chance, so that kind, number and
seed repeat it."""
import errno
import os
import random
import re
import shutil
import subprocess
import sys
import threading
from collections import Counter

import h5py
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
import kolmo_case as kc  # noqa: E402

# seconds after which a run counts as hanging; a sound one takes about one
HANG = float(os.environ.get("FAULT_HANG") or 60)
GONE = HANG / 6   # seconds within which all ranks of a killed run must be gone
BEGUN, GOAL = 2, 10  # steps of the run that a fault meets, and of the whole one
CASE = {"run": {"steps_max": GOAL, "seed": 3, "watchdog": "00:00:15"},
        "grid": {"n": (16, 12, 14), "length": (kc.TWO_PI, 5.0, 5.5),
                 "stretching": ("uniform", "uniform", "tanh"),
                 "stretching_factor": (0.0, 0.0, 1.1)},
        "fluid": {"nu": 0.02}, "initial": {"type": "isotropic"}, "checkpoint": {"interval": 1, "keep": 2},
        "output": {"field_interval": 4}}
WALLS = {"boundary": {"z_low": "wall", "z_high": "wall"}, "forcing": {"type": "bulk-velocity", "value": 1.0},
         "initial": {"type": "channel"},
         "statistics": {"start": 0.0, "interval": 1}}
OPEN = {"boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0),
                     "x_low_turbulence": (0.1, 0.06, 0.03), "x_high": "outflow",
                     "turbulence_length": 1.0, "turbulence_modes": 30},
        "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)}}
# of a try, by its number: a periodic box, averages between walls, open faces
CASES = (CASE, kc.merge(CASE, WALLS), CASE, kc.merge(CASE, OPEN))


def upto(steps):
    """A case that ends at a step."""
    return {"run": {"steps_max": steps}}


def statistics_of(folder):
    """Arrays of statistics.nc, sums too; none where there is no such file."""
    found = {}
    path = os.path.join(folder, "statistics.nc")
    if os.path.exists(path):
        with h5py.File(path, "r") as source:
            source.visititems(lambda name, thing: found.update({name: np.array(thing)})
                              if isinstance(thing, h5py.Dataset) else None)
    return found


def files_of(folder):
    """Names of the plain files in a folder."""
    return sorted(n for n in os.listdir(folder) if os.path.isfile(os.path.join(folder, n)))


class Shared:
    """What all trials use: the preloaded library, runs made once, and the number of file operations of a
    run."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.lock = threading.Lock()
        self.made = {}
        self.library = os.path.join(folder, "shim.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", os.path.join(HERE, "shim.c"), "-o", self.library,
                        "-ldl"], check=True)

    def once(self, key, make):
        """What make() returned the first time."""
        with self.lock:
            if key not in self.made:
                place = os.path.join(self.folder, f"made-{len(self.made)}")
                os.makedirs(place, exist_ok=True)
                self.made[key] = make(kc.Kolmo(self.options, place))
            return self.made[key]

    def whole(self, case):
        """The case run through on one rank; each checkpoint of it where the case keeps them."""
        return self.once(("whole", repr(case)), lambda kolmo: kolmo.run(case))

    def begun(self, case):
        """The run that faults meet: the case up to step BEGUN."""
        return self.once(("begun", repr(case)), lambda kolmo: kolmo.run(kc.merge(case, upto(BEGUN))))

    def operations(self, case, path, ranks=1, rank=0):
        """How often a rank's run from BEGUN to GOAL does each operation on files whose name holds path:
        Counter, 'all' the sum."""
        def count(kolmo):
            folder = kolmo.place()
            for name in files_of(begun.folder):
                shutil.copy(os.path.join(begun.folder, name), folder)
            mark = os.path.join(kolmo.folder, "mark")
            place = os.path.join(os.path.basename(folder), path)
            kolmo.call(kolmo.write(case, folder), "--restart", "latest", ranks=ranks, folder=folder,
                       env={"LD_PRELOAD": self.library, "KOLMO_FAULT": f"count:0:0:{rank}:{place}",
                            "KOLMO_FAULT_MARK": mark})
            found = Counter(kc.file_bytes(mark).decode().split() if os.path.exists(mark) else [])
            found["all"] = sum(found.values())
            return found
        begun = self.begun(case)
        return self.once((repr(case), path, ranks, rank), count)


class Trial:
    """One try of a kind of fault, in a folder of its own."""

    def __init__(self, shared, kind, number, seed):
        self.shared, self.number, self.case = shared, number, CASES[number % len(CASES)]
        self.chance = random.Random(f"{seed} {kind} {number}")
        self.faults = []
        self.kolmo = kc.Kolmo(shared.options, os.path.join(shared.folder, f"{kind}-{number}"))
        os.makedirs(self.kolmo.folder, exist_ok=True)

    def wrong(self, text):
        """Something is not as it should be."""
        self.faults.append(text)

    def begin(self, fresh=False, place=None):
        """A folder with the files of the begun run (fresh: empty) and the input of the whole one; kept: the
        old checkpoint."""
        folder = place or self.kolmo.place()
        if not fresh:
            begun = self.shared.begun(self.case)
            for name in files_of(begun.folder):
                shutil.copy(os.path.join(begun.folder, name), folder)
        return folder, self.kolmo.write(self.case, folder)

    def fault(self, folder, call, number, error, path, rank=0):
        """Environment that makes an operation of one rank fail, and the file that is made when it has
        happened."""
        mark = os.path.join(self.kolmo.folder, "mark")
        place = os.path.join(os.path.basename(folder), path)
        return {"LD_PRELOAD": self.shared.library, "KOLMO_FAULT": f"{call}:{number}:{error}:{rank}:{place}",
                "KOLMO_FAULT_MARK": mark}, mark

    def run(self, case, *args, **more):
        """A run to its end; None where it hangs."""
        try:
            return self.kolmo.call(case, *args, rc=None, seconds=HANG, **more)
        except kc.RunError as fault:
            self.wrong(str(fault))
            return None

    def old_checkpoint(self, folder, before):
        """The begun run's checkpoint is as it was, or newer ones have taken its place."""
        steps = kc.checkpoint_steps(folder)
        if BEGUN in steps:
            if kc.file_bytes(kc.checkpoint_path(folder, BEGUN)) != before:
                self.wrong("the old checkpoint is another one")
        elif len(steps) < 2:
            self.wrong(f"the old checkpoint is gone, checkpoints {steps}")

    def message(self, result, folder, code=4):
        """One message that names the folder, and the exit code."""
        if result.rc != code:
            self.wrong(f"exit code {result.rc}, not {code}: {(result.err or result.out)[-300:]}")
        elif folder not in result.err:
            self.wrong(f"no name in the message: {result.err[:300]}")
        elif len([line for line in result.err.splitlines() if line.startswith("kolmo: ")]) != 1:
            self.wrong(f"not one message: {result.err[:600]}")

    def ended_well(self, result, case=None, series=True, sampled=True):
        """The run has come to its end, with the results of the whole one; series: and all of its series;
        sampled: it has taken samples of the averages, so that it knows the latest."""
        if result is None:
            return
        if result.rc != 0:
            self.wrong(f"exit code {result.rc}, not 0: {(result.err or result.out)[-300:]}")
            return
        try:
            whole = self.shared.whole(kc.merge(self.case, case or {}))
            different = kc.differences(whole, result, GOAL)
            different += [f"average {n}"
                          for n in kc.differing_arrays(statistics_of(whole.folder),
                                                       statistics_of(result.folder))
                          if sampled or n != "batches/latest"]
            if not series:
                different = [d for d in different if not d.startswith("column ")]
        except (kc.RunError, OSError) as fault:
            different = [str(fault)]
        if different:
            self.wrong("other results: " + ", ".join(different))
        left = [n for n in os.listdir(result.folder) if n.endswith(".tmp") or n == "kolmo.lock"]
        if left:
            self.wrong(f"left behind: {left}")

    def goes_on(self, folder, damaged=False):
        """The run is continued from the newest checkpoint, on a layout chosen by chance, or anew where there
        is none; its end is that of the run that nothing happened to. damaged: a checkpoint may be passed
        over."""
        steps = kc.checkpoint_steps(folder)
        ranks = self.chance.choice((1, 1, 1, 2, 3))
        args = ["--restart", "latest"] if steps else []
        again = self.run(os.path.join(folder, "case.nml"), *args, ranks=ranks, folder=folder)
        self.ended_well(again, sampled=steps[-1:] != [GOAL])
        if again is None or not steps:
            return again
        if not damaged and f"checkpoint_{steps[-1]:08d}.h5: step {steps[-1]}," not in again.out:
            self.wrong(f"not continued from step {steps[-1]}: "
                       + " | ".join(re.findall(r".*(?:restart|passed).*", again.text)[:3]))
        return again


SHORT = 0  # in place of an error number: a write of half the bytes
RETRIED = (SHORT, errno.EINTR)


def error_name(number):
    """EIO, ..., short."""
    return errno.errorcode.get(number, "short")

"""Checkpoints that were damaged: every one is refused, or holds the same numbers as before."""
import os
import select
import subprocess
from collections import Counter

import h5py
import numpy as np

import kolmo_case as kc
from trial import BEGUN, GOAL, HANG, upto

BATCH = 100  # damaged files of one trial
BLOCK = 4096
SMALL = {"grid": {"n": (8, 6, 8)}}  # of whose checkpoint a larger share is metadata


def content(path):
    """Datasets and attributes of a file, as bytes; None where they can't all be read. One after the other by
    their names: what HDF5 keeps for writers alone, such as lists of free space, is of no matter."""
    found = {}

    def look(name, thing):
        for n in range(h5py.h5a.get_num_attrs(thing.id)):
            key = h5py.h5a.open(thing.id, index=n).name.decode()
            value = thing.attrs[key]
            found[name, key] = value if isinstance(value, (str, bytes)) else np.asarray(value).tobytes()
        if isinstance(thing, h5py.Dataset):
            found[name] = np.array(thing).tobytes()
        else:
            for inner in thing:
                look(f"{name}/{inner}", thing[inner])
    try:
        with h5py.File(path, "r") as source:
            look("", source["/"])
    except (OSError, RuntimeError, KeyError, ValueError, AttributeError, TypeError):
        return None
    return found


class Verifier:
    """The program that says which checkpoints are sound, started again where it crashes or hangs."""

    def __init__(self, program):
        self.program, self.process = program, None

    def ask(self, path):
        """'sound', 'refused: ...', 'crash' or 'hang'."""
        if self.process is None:
            self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL,
                                            text=True, env=kc.environment())
        try:
            self.process.stdin.write(path + "\n")
            self.process.stdin.flush()
            answered = select.select([self.process.stdout], [], [], HANG)[0]
            answer = self.process.stdout.readline().strip() if answered else "hang"
        except BrokenPipeError:
            answer = ""
        if answer in ("", "hang"):
            self.end(kill=True)
        return answer or "crash"

    def end(self, kill=False):
        """Ends the program."""
        if self.process is not None:
            if kill:
                self.process.kill()
            self.process.stdin.close()
            self.process.stdout.close()
            self.process.wait()
            self.process = None


def originals(t):
    """The newest checkpoint of a small run and of a larger one, and the one before: paths of (newest,
    older)."""
    case = kc.merge(t.case, SMALL if t.number % 2 else {}, upto(BEGUN))
    folder = t.shared.whole(case).folder
    return kc.checkpoint_path(folder, BEGUN), kc.checkpoint_path(folder, BEGUN - 1)


def try_files(t, name, change):
    """A batch of files, each changed by chance, asked about one after the other."""
    newest, older = originals(t)
    good, other = kc.file_bytes(newest), kc.file_bytes(older)
    wanted = t.shared.once(("content", newest), lambda kolmo: content(newest))
    path = os.path.join(t.kolmo.folder, os.path.basename(newest))
    verifier = Verifier(t.shared.options.verifier)
    found = Counter()
    try:
        if wanted is None or verifier.ask(newest) != "sound":
            t.wrong("the file that was not damaged is refused")
        for n in range(BATCH):
            data, label = change(t.chance, good, other)
            if os.path.exists(path):
                os.remove(path)  # a new file, of which no library remembers anything
            with open(path, "wb") as target:
                target.write(data)
            answer = verifier.ask(path)
            if answer.startswith("refused: "):
                found[f"{name} refused" if os.path.basename(path) in answer else "no name"] += 1
            elif answer == "sound":
                same = data == good or content(path) == wanted
                found[f"{name} harmless: the same numbers" if same else "silent"] += 1
            else:
                found[answer] += 1
            if found["no name"] + found["silent"] + found["crash"] + found["hang"] > len(t.faults):
                t.wrong(f"{label}, file {n}: {answer}")
    finally:
        verifier.end()
    return Counter({k: v for k, v in found.items() if v})


def one_bit(chance, good, _):
    """One bit of the file is another one."""
    at, bit = chance.randrange(len(good)), chance.randrange(8)
    return good[:at] + bytes([good[at] ^ (1 << bit)]) + good[at + 1:], f"bit {bit} of byte {at}"


def some_bytes(chance, good, other):
    """A cut, a page of zeros, random bytes, two pages exchanged, bytes behind the end, pages of the
    checkpoint before."""
    what = chance.choice(("cut", "zeros", "random", "exchanged", "longer", "stale"))
    size = chance.choice((64, 512, BLOCK))
    at, to = (chance.randrange(max(len(good) - size, 1)) // 64 * 64 for _ in range(2))
    data = bytearray(good)
    if what == "cut":
        at = chance.randrange(len(good))
        data = data[:at]
    elif what == "zeros":
        data[at:at + size] = bytes(size)
    elif what == "random":
        data[at:at + size] = chance.randbytes(size)
    elif what == "exchanged":
        data[at:at + size], data[to:to + size] = good[to:to + size], good[at:at + size]
    elif what == "longer":
        data += chance.randbytes(size)
    else:
        data[at:at + size] = other[at:at + size]
    return bytes(data), f"{what} at {at}, {size} bytes"


def bit_flips(t):
    """One bit, anywhere in a checkpoint."""
    return try_files(t, "", one_bit)


def larger_damage(t):
    """Cuts, holes, exchanged, stale and added bytes anywhere in a checkpoint."""
    return try_files(t, "", some_bytes)


def damaged_series(t):
    """series.nc is damaged between two runs: the restart says so, keeps it by another name, goes on with a
    new one, same end."""
    folder, case = t.begin()
    path = os.path.join(folder, "series.nc")
    good = kc.file_bytes(path)
    data, label = t.chance.choice((one_bit, some_bytes))(t.chance, good, t.chance.randbytes(len(good)))
    with open(path, "wb") as target:
        target.write(data)
    result = t.run(case, "--restart", "latest", ranks=t.chance.choice((1, 1, 2)), folder=folder)
    if result is None or result.rc != 0:
        t.wrong(f"{label}: " + ("hang" if result is None else f"exit code {result.rc}: {result.err[:300]}"))
        return "no restart"
    t.ended_well(result, series=data == good)
    if data == good:
        return "harmless: the same bytes"
    steps = list(result.series()["step"])
    if steps != list(range(BEGUN + 1, GOAL + 1)):
        t.wrong(f"{label}: steps {steps} in the new series")
    if "series.nc is not continued: " not in result.text or kc.file_bytes(path + ".damaged") != data:
        t.wrong(f"{label}: not told, or not kept: {result.out[:300]}")
    return "told, kept by another name, a new one begun"


def restart_after_damage(t):
    """The newest of two checkpoints is damaged in a run's folder: 'latest' says so, takes the older one, same
    end."""
    case = kc.merge(t.case, {"checkpoint": {"interval": 3}})
    whole = t.shared.whole(case)
    half = t.shared.once(("six steps", repr(case)), lambda kolmo: kolmo.run(kc.merge(case, upto(6))))
    folder = t.kolmo.place()
    for name in os.listdir(half.folder):
        with open(os.path.join(folder, name), "wb") as target:
            target.write(kc.file_bytes(os.path.join(half.folder, name)))
    path = kc.checkpoint_path(folder, 6)
    data, label = t.chance.choice((one_bit, some_bytes))(t.chance, kc.file_bytes(path),
                                                         kc.file_bytes(kc.checkpoint_path(folder, 3)))
    with open(path, "wb") as target:
        target.write(data)
    result = t.run(t.kolmo.write(case, folder), "--restart", "latest", ranks=t.chance.choice((1, 1, 2)),
                   folder=folder)
    if result is None:
        return "hang"
    if result.rc != 0:
        t.wrong(f"{label}: exit code {result.rc}: {result.err[:300]}")
        return "no restart"
    different = kc.differences(whole, result, GOAL)
    if different:
        t.wrong(f"{label}: other results: " + ", ".join(different))
    if "restart from " + path in result.out:
        return "harmless: restarted from it"
    if "warning: a checkpoint is passed over" not in result.text or os.path.basename(path) not in result.text:
        t.wrong(f"{label}: not told: {result.out[:300]}")
    if not os.path.exists(path + ".damaged"):
        t.wrong(f"{label}: not renamed")
    return "told, the older one taken"

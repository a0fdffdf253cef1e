#!/usr/bin/env python3
"""kolmo-report on damaged files: whatever happens to libhdf5, the report ends with a message that names the
file.

Would catch: a crash of the library that takes the report along without a word, a message that does not say
which file it is, a hang on a pipe, an escape sequence of a file that is printed."""
import os
import random
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc", "plot"))
import kolmo_case as kc  # noqa: E402
import guarded  # noqa: E402

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc", "kolmo-report")
BOX = {"run": {"steps_max": 6}, "grid": {"n": (12, 12, 12)}, "fluid": {"nu": 0.02}, "time": {"dt": 0.02},
       "initial": {"type": "isotropic"}, "probes": {"position": (1.0, 2.0, 3.0)},
       "slices": {"normal": "z", "position": 1.0, "interval": 6, "quantities": "velocity"},
       "statistics": {"start": 0.0, "interval": 1, "spectra_interval": 2}}
WALLS = {"run": {"steps_max": 4}, "grid": {"n": (12, 10, 12), "length": (4.0, 2.0, 2.0)},
         "fluid": {"nu": 0.01}, "time": {"dt": 0.01}, "boundary": {"z_low": "wall", "z_high": "wall"},
         "forcing": {"type": "bulk-velocity", "value": 1.0}, "initial": {"type": "channel"},
         "statistics": {"start": 0.0, "interval": 1, "spectra_interval": 1, "spectra_heights": (0.5,)}}
TRIES = 12


def damaged(content, seed):
    """Bytes changed, zeros, random bytes, exchanged blocks, or an end cut off."""
    chance = random.Random(seed)
    found = bytearray(content)
    for _ in range(chance.choice((1, 4, 40))):
        kind, at = chance.randrange(5), chance.randrange(len(found))
        size = min(chance.choice((1, 8, 64, 512, 4096)), len(found) - at)
        if kind == 0:
            found[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            found[at:at + size] = bytes(size)
        elif kind == 2:
            found[at:at + size] = chance.randbytes(size)
        elif kind == 3:
            other = chance.randrange(len(found) - size + 1)
            found[at:at + size] = found[other:other + size]
        elif chance.random() < 0.3:
            del found[max(at, 1):]
    return bytes(found)


def report(folder, *words):
    """The command, as a user calls it."""
    return subprocess.run([sys.executable, TOOL, "--no-page", *words, folder], capture_output=True,
                          timeout=120, check=False)


def any_damage(kolmo, check):
    """Random damage to each file of a box and of a channel: exit code 0, 1 or 2, no traceback, no signal;
    with 2 the file, or the folder, is named."""
    for name, case in (("box", BOX), ("walls", WALLS)):
        run = kolmo.run(case)
        files = sorted(n for n in os.listdir(run.folder) if n.endswith(".nc"))
        check.above(f"{name}: files", len(files), 3)
        refused = 0
        tries = 20 * TRIES if kolmo.options.long else TRIES
        for file in files:
            path = os.path.join(run.folder, file)
            content = kc.file_bytes(path)
            bad = []
            for seed in range(tries):
                with open(path, "wb") as target:
                    target.write(damaged(content, f"{name} {file} {seed}"))
                ended = report(run.folder)
                err = ended.stderr.decode("utf-8", "replace")
                refused += ended.returncode == 2
                if ended.returncode not in (0, 1, 2) or "Traceback" in err or (
                        ended.returncode == 2 and run.folder not in err):
                    bad.append((seed, ended.returncode, err[-400:]))
            with open(path, "wb") as target:
                target.write(content)
            check.equal(f"{name}, {file}: {tries} tries that end badly", bad, [])
        check.above(f"{name}: tries that were refused", refused, 1)


def crash(kolmo, check):
    """A reader that ends by a signal, that never ends, that finds a pipe: the report goes on to say so."""
    run = kolmo.run(BOX)
    path = os.path.join(run.folder, "spectra.nc")
    for what, fault in (("SIGSEGV", lambda p: os.kill(os.getpid(), 11)), ("SIGABRT", lambda p: os.abort()),
                        ("it is damaged", lambda p: os._exit(3))):
        try:
            guarded.in_child(fault)(path)
            check.fail(f"{what}: nothing was said")
        except guarded.Unreadable as error:
            check.says(what, str(error), path, "it is damaged", what)
    os.remove(path)
    os.mkfifo(path)
    ended = report(run.folder)
    check.equal("a pipe: exit code", ended.returncode, 2)
    check.says("a pipe", ended.stderr.decode(), path, "no regular file")
    os.remove(path)
    pipe = os.path.join(run.folder, "table.csv")
    os.mkfifo(pipe)
    ended = report(run.folder, "--reference", pipe)
    check.says("a pipe as a table", ended.stderr.decode(), pipe, "no regular file")
    shutil.rmtree(os.path.join(run.folder))
    odd = os.path.join(kolmo.folder, "x\x1b[31m\x07")
    ended = report(odd)
    check.holds("escapes of a name", b"\x1b" not in ended.stderr and b"\\x1b[31m\\x07" in ended.stderr,
                ended.stderr)


if __name__ == "__main__":
    kc.main(__doc__, [any_damage, crash])

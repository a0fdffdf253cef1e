#!/usr/bin/env python3
"""Long paths: a run writes, restarts and is averaged wherever its folder lies.

Would catch: a path that overflows a buffer of a library or of ours, a path that is cut off without a word, a
folder that is only refused when the first checkpoint is due."""
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

CASE = {"run": {"steps_max": 2}, "grid": {"n": (8, 8, 8)}, "fluid": {"nu": 0.02},
        "initial": {"type": "isotropic", "velocity": (0.3, 0.0, 0.0)},
        "statistics": {"start": 0.0, "interval": 1},
        "output": {"field_interval": 1, "field_places": "faces"}, "checkpoint": {"interval": 1}}
TEXT_MOST = 255   # bytes of a text of the input
PATH_MOST = 1023  # bytes of a path


def deep(base, length):
    """A name below base of so many bytes, in parts that file systems take."""
    path = base
    while len(path) < length:
        left = length - len(path) - 1
        part = min(left, 200 if left > 201 or left <= 200 else 100)
        path = os.path.join(path, "d" * part)
    return path


def written(kolmo, check, label, target, ranks, **more):
    """A run into a folder, on to step 4 by 'latest' and by name."""
    folder = kolmo.place()
    case = kolmo.write(kc.merge(CASE, {"output": {"directory": target}}), folder)
    real = os.path.join(more.get("cwd", ""), target)
    ran = kolmo.call(case, ranks=ranks, rc=None, **more)
    check.equal(f"{label}: exit code", (ran.rc, ran.err[-300:] if ran.rc else ""), (0, ""))
    if ran.rc != 0:
        return
    check.equal(f"{label}: checkpoints", kc.checkpoint_steps(real), [1, 2])
    on = kolmo.call(case, "--restart", "latest", "--set", "run.steps_max=3", ranks=ranks, rc=None, **more)
    check.equal(f"{label}: restart latest", (on.rc, kc.checkpoint_steps(real)), (0, [2, 3]))
    name = os.path.join(target, "checkpoint_00000003.h5")
    if len(name) <= TEXT_MOST:
        on = kolmo.call(case, "--restart", name, "--set", "run.steps_max=4", ranks=ranks, rc=None, **more)
        check.equal(f"{label}: restart by name", (on.rc, kc.checkpoint_steps(real)), (0, [3, 4]))
    stats = kolmo.other("kolmo-stats").call("--out", os.path.join(folder, "averages"), target, ranks=ranks,
                                            rc=None, **more)
    check.equal(f"{label}: kolmo-stats", (stats.rc, stats.err[-300:] if stats.rc else ""), (0, ""))


def long_folders(kolmo, check):
    """output.directory near the length at which Open MPI 4.1 failed, 218 bytes, and of all 255; absolute and
    relative; on one rank and two."""
    base = kolmo.place()
    for length, ranks in ((216, 1), (217, 2), (218, 1), (218, 2), (229, 1), (240, 2), (TEXT_MOST, 1),
                          (TEXT_MOST, 2)):
        written(kolmo, check, f"absolute, {length} bytes, {ranks} ranks",
                deep(os.path.join(base, f"r{ranks}"), length), ranks)
    for length, ranks in ((200, 1), (TEXT_MOST, 2)):
        inside = deep(os.path.join(base, "inside"), 900)
        os.makedirs(inside, exist_ok=True)
        written(kolmo, check, f"relative, {length} bytes below 900, {ranks} ranks",
                deep(f"r{ranks}", length), ranks, cwd=inside)
    long = kolmo.run(kc.merge(CASE, {"output": {"directory": deep(base, TEXT_MOST + 1)}}), "--check", rc=2)
    check.says("one byte more", long.err, "output.directory", "255")


def long_files(kolmo, check):
    """Stored flows and averages behind paths of up to 1023 bytes, and what is longer: a message."""
    run = kolmo.run(CASE)
    stats = kolmo.other("kolmo-stats")
    merge = kolmo.other("kolmo-merge")
    averages = [kolmo.place(), kolmo.place()]
    for n, folder in enumerate(averages, 1):
        stats.call("--out", folder, "--replace", kc.checkpoint_path(run.folder, n))
    for length in (500, PATH_MOST - len("/checkpoint_00000001.h5"), PATH_MOST + 1):
        good = length < PATH_MOST
        target = deep(kolmo.place(), length)
        os.makedirs(target)
        shutil.copy(kc.checkpoint_path(run.folder, 1), target)
        file = os.path.join(target, "checkpoint_00000001.h5")
        for ranks in (1, 2):
            found = stats.call("--out", kolmo.place(), "--replace", file, ranks=ranks, rc=None)
            check.equal(f"kolmo-stats, {len(file)} bytes, {ranks} ranks", found.rc, 0 if good else 2)
            if not good:
                check.says("kolmo-stats: too long", found.err, "longer than 1023 bytes")
        for n in (1, 2):
            shutil.copytree(averages[n - 1], os.path.join(target, str(n)))
        found = merge.call("--out", kolmo.place(), "--replace", os.path.join(target, "1"),
                           os.path.join(target, "2"), rc=None)
        if length < 600:
            check.equal(f"kolmo-merge, {length} bytes", (found.rc, found.err[-200:]), (0, ""))
        else:
            check.holds(f"kolmo-merge, {length} bytes: a message", found.rc in (0, 2, 4) and
                        (found.rc == 0 or "long" in found.err), (found.rc, found.err[-300:]))


if __name__ == "__main__":
    kc.main(__doc__, [long_folders, long_files])

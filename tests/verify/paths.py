#!/usr/bin/env python3
"""Long paths: a run writes, restarts and is averaged wherever its folder lies. What is no regular file is
refused at once where a file is needed.

Would catch: a path that overflows a buffer of a library or of ours, a path that is cut off without a word, a
folder that is only refused when the first checkpoint is due; an open that waits for the other end of a pipe;
a checkpoint whose data are in another file."""
import os
import shutil
import socket
import subprocess
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

CASE = {"run": {"steps_max": 2}, "grid": {"n": (8, 8, 8)}, "fluid": {"nu": 0.02},
        "initial": {"type": "isotropic", "velocity": (0.3, 0.0, 0.0)},
        "statistics": {"start": 0.0, "interval": 1, "spectra_interval": 1},
        "probes": {"position": (1.0, 1.0, 1.0), "interval": 1},
        "slices": {"normal": "z", "position": 1.0, "interval": 1},
        "output": {"field_interval": 1, "field_places": "faces"}, "checkpoint": {"interval": 1}}
# Most of the time of such a run goes into files of averages. Without spectra 70 % of it are left, without any
# averages 30 %.
PLAIN = kc.merge(CASE, {"statistics": {"spectra_interval": None}})
BARE = {group: names for group, names in CASE.items() if group != "statistics"}
AVERAGES = ("statistics.nc", "statistics.nc.tmp", "spectra.nc", "pdf.nc", "pdf.nc.tmp")
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
    case = kolmo.write(kc.merge(PLAIN, {"output": {"directory": target}}), folder)
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
    for length, ranks in ((217, 1), (218, 2), (229, 1), (TEXT_MOST, 1)):
        written(kolmo, check, f"absolute, {length} bytes, {ranks} ranks",
                deep(os.path.join(base, f"r{ranks}"), length), ranks)
    for length, ranks in ((TEXT_MOST, 2),):
        inside = deep(os.path.join(base, "inside"), 900)
        os.makedirs(inside, exist_ok=True)
        written(kolmo, check, f"relative, {length} bytes below 900, {ranks} ranks",
                deep(f"r{ranks}", length), ranks, cwd=inside)
    long = kolmo.run(kc.merge(CASE, {"output": {"directory": deep(base, TEXT_MOST + 1)}}), "--check", rc=2)
    check.says("one byte more", long.err, "output.directory", "255")


def long_files(kolmo, check):
    """Stored flows and averages behind paths of up to 1023 bytes, and what is longer: a message."""
    run = kolmo.run_once(CASE)
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


KINDS = ("pipe", "socket", "folder", "device")
RUN_FILES = ("series.nc", "kolmo.lock", "run.log", "series.nc.tmp", "checkpoint_00000003.h5.tmp",
             "checkpoint_00000099.h5", "statistics.nc", "statistics.nc.tmp", "spectra.nc", "pdf.nc",
             "pdf.nc.tmp", "fields_00000003.h5", "fields.xdmf", "fields.xdmf.tmp", "probes.nc",
             "slice_1_00000003.h5")


def strange(path, kind):
    """Something that is no regular file."""
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        os.mkdir(path)
    elif kind == "device":
        os.symlink("/dev/zero", path)
    else:
        here = os.getcwd()
        os.chdir(os.path.dirname(path))  # names of sockets are short
        with socket.socket(socket.AF_UNIX) as end:
            end.bind(os.path.basename(path))
        os.chdir(here)


def no_files(kolmo, check):
    """A pipe, a socket, a folder, a device in place of the input, of tables, of files of an earlier run: a
    message that names it, within seconds, and exit code 2 or 4. Each file of a run is a pipe, and one of the
    other kinds; --long: all of them."""
    walled = {"boundary": {"z_low": "inflow", "z_high": "outflow", "z_low_profile": "table"},
              "initial": {"type": "uniform"}}
    sides = {"faces": {"grid": {"stretching": ("file", "uniform", "uniform"), "stretching_file": "{}"}},
             "table": kc.merge(walled, {"boundary": {"z_low_file": "{}"}}),
             "planes": kc.merge(walled, {"boundary": {"z_low_profile": "planes", "z_low_file": "{}"}}),
             "spectrum": {"initial": {"spectrum": "file", "spectrum_file": "{}"}},
             "probes": {"probes": {"file": "{}", "interval": 1}}}
    good, bare = kolmo.run_once(CASE), kolmo.run_once(BARE)
    for kind in KINDS:
        folder = kolmo.place()
        path = os.path.join(folder, "strange")
        strange(path, kind)
        for ranks in (1, 2) if kind == "pipe" else (1,):
            ended = kolmo.call(path, ranks=ranks, rc=None, seconds=30)
            check.holds(f"input, {kind}, {ranks} ranks", ended.rc == 2 and path in ended.err
                        and kind in ended.err, (ended.rc, ended.err[-300:]))
        for name, change in sides.items() if kind in ("pipe", "device") else ():
            text = kc.namelist(kc.merge(BARE, change))
            case = os.path.join(folder, f"{name}.nml")
            with open(case, "w", encoding="utf-8") as target:
                target.write(text.replace("{}", path))
            ended = kolmo.call(case, "--set", f"output.directory={folder}/out", rc=None, seconds=30)
            check.holds(f"{name}, {kind}", ended.rc in (2, 4) and path in ended.err,
                        (ended.rc, ended.err[-300:]))
        for number, name in enumerate(RUN_FILES):
            if not kolmo.options.long and kind not in ("pipe", KINDS[1 + number % 3]):
                continue
            again = kolmo.place()
            case, before = (CASE, good) if name in AVERAGES else (BARE, bare)
            shutil.copytree(before.folder, again, dirs_exist_ok=True)
            if os.path.exists(os.path.join(again, name)):
                os.remove(os.path.join(again, name))
            strange(os.path.join(again, name), kind)
            case = kolmo.write(kc.merge(case, {"run": {"steps_max": 3}}), again)
            ended = kolmo.call(case, "--restart", "latest", rc=None, seconds=30)
            needed = name in ("series.nc", "kolmo.lock", "run.log", "probes.nc")  # others are replaced
            codes = (4,) if needed and kind != "device" else (0, 4)
            check.holds(f"{name}, {kind}: exit code {ended.rc}",
                        ended.rc in codes and (ended.rc == 0 or name in ended.err),
                        (ended.rc, ended.err[-300:]))
            if name.endswith("99.h5"):
                check.says(f"{name}, {kind}", ended.text, "a checkpoint is passed over", "is no regular file")
        for program, words in (("kolmo", [kolmo.write(CASE, kolmo.place()), "--restart", path + ".h5"]),
                               ("kolmo-stats", ["--out", folder + "/o", path + ".h5"])):
            if not os.path.lexists(path + ".h5"):
                strange(path + ".h5", kind)
            ended = kolmo.other(program).call(*words, rc=None, seconds=30)
            codes = (2, 4) if kind == "folder" else (4,)  # kolmo-stats takes folders
            check.holds(f"checkpoint of {program}, {kind}", ended.rc in codes and path in ended.err,
                        (ended.rc, ended.err[-300:]))


def averages(kolmo, check):
    """A pipe, a device in place of the averages that kolmo-merge reads and of those that it writes; averages
    with a link or data that lead to a pipe."""
    run = kolmo.run_once(CASE)
    good = [kolmo.place(), kolmo.place()]
    for n in (0, 1):
        kolmo.other("kolmo-stats").call("--out", good[n], "--replace", kc.checkpoint_path(run.folder, n + 1))
    for kind in ("pipe", "device"):
        for name in ("statistics.nc", "spectra.nc", "pdf.nc"):
            if not kolmo.options.long and kind == "device" and name != "spectra.nc":
                continue
            folder = kolmo.place()
            shutil.copytree(good[1], folder, dirs_exist_ok=True)
            os.remove(os.path.join(folder, name))
            strange(os.path.join(folder, name), kind)
            ended = kolmo.other("kolmo-merge").call("--out", kolmo.place(), "--replace", good[0], folder,
                                                    rc=None, seconds=30)
            check.holds(f"kolmo-merge, {name}, {kind}", ended.rc in (2, 4)
                        and os.path.join(folder, name) in ended.err, (ended.rc, ended.err[-300:]))
            for program, words in (("kolmo-merge", good),
                                   ("kolmo-stats", [kc.checkpoint_path(run.folder, 2)])):
                ended = kolmo.other(program).call("--out", folder, "--replace", *words, rc=None, seconds=30)
                check.holds(f"{program} into a folder with {name}, {kind}: exit code {ended.rc}",
                            ended.rc in (0, 2, 4), ended.err[-300:])
    pipe = os.path.join(kolmo.place(), "pipe.h5")
    os.mkfifo(pipe)
    for kind in ("link", "array"):
        for name, place in (("statistics.nc", ""), ("spectra.nc", "batches/"), ("pdf.nc", "latest/")):
            folder = kolmo.place()
            shutil.copytree(good[1], folder, dirs_exist_ok=True)
            with h5py.File(os.path.join(folder, name), "r+") as file:
                if kind == "link":
                    file[place + "more"] = h5py.ExternalLink(pipe, "/x")
                else:
                    file.create_dataset(place + "more", (4,), "f8", external=[(pipe, 0, 32)])
            ended = kolmo.other("kolmo-merge").call("--out", kolmo.place(), "--replace", good[0], folder,
                                                    rc=None, seconds=30)
            check.holds(f"kolmo-merge, {name}, {kind} that leads elsewhere", ended.rc == 4
                        and os.path.join(folder, name) in ended.err, (ended.rc, ended.err[-300:]))


def pipe_on_purpose(kolmo, check):
    """On one rank the input may come by a pipe; on two it may not."""
    folder = kolmo.place()
    text = kc.namelist(kc.merge(CASE, {"output": {"directory": folder}}))
    ended = subprocess.run([kolmo.program, "/dev/stdin"], input=text, capture_output=True, text=True,
                           timeout=60, check=False, env={**kc.environment(), **kolmo.alone()})
    check.equal("from standard input", (ended.returncode, kc.checkpoint_steps(folder)), (0, [1, 2]))
    pipe = os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    for ranks in (1, 2):
        with subprocess.Popen(["sh", "-c", f"exec timeout 20 cat '{folder}/case.nml' > '{pipe}'"]) as writer:
            kolmo.write(CASE, folder)
            ended = kolmo.call(pipe, ranks=ranks, rc=None, seconds=30)
            writer.terminate()
        check.equal(f"from a pipe with a writer, {ranks} ranks", ended.rc, 0 if ranks == 1 else 2)
    check.says("from a pipe, 2 ranks", ended.err, "it is a pipe")


def elsewhere(kolmo, check):
    """Checkpoints that lead to other files or places: external, soft and user-defined links, external and
    virtual datasets; behind some of them a pipe. Refused at once, and 'latest' takes the older one."""
    good = kolmo.run_once(PLAIN)
    pipe = os.path.join(kolmo.place(), "pipe.h5")
    os.mkfifo(pipe)
    older = kc.checkpoint_path(good.folder, 1)

    def external_link(file):
        del file["fields/u"]
        file["fields/u"] = h5py.ExternalLink(pipe, "/fields/u")

    def external_group(file):
        file.move("fields", "kept")
        file["fields"] = h5py.ExternalLink(older, "/fields")

    def soft_link(file):
        file.move("fields/u", "fields/x")
        file["fields/u"] = h5py.SoftLink("/fields/x")

    def soft_grid(file):
        file.move("grid/x_face", "x_face")
        file["grid/x_face"] = h5py.SoftLink("/x_face")

    def external_state(file):
        file.move("state", "old_state")
        file["state"] = h5py.ExternalLink(pipe, "/state")

    def replace(file, make):
        data = np.array(file["fields/u"])
        about = dict(file["fields/u"].attrs)
        del file["fields/u"]
        made = make(data)
        for name, value in about.items():
            made.attrs[name] = value

    def external_storage(file):
        raw = os.path.join(kolmo.folder, "raw")
        def make(data):
            data.tofile(raw)
            return file.create_dataset("fields/u", data.shape, data.dtype, external=[(raw, 0, data.nbytes)])
        replace(file, make)

    def virtual(file):
        def make(data):
            layout = h5py.VirtualLayout(data.shape, data.dtype)
            layout[...] = h5py.VirtualSource(older, "fields/u", data.shape)
            return file.create_virtual_dataset("fields/u", layout)
        replace(file, make)

    for change in (external_link, external_group, soft_link, soft_grid, external_state, external_storage,
                   virtual):
        for ranks in (1, 2) if change in (external_link, virtual) else (1,):
            folder = kolmo.place()
            shutil.copytree(good.folder, folder, dirs_exist_ok=True)
            path = kc.checkpoint_path(folder, 2)
            with h5py.File(path, "r+", libver=("v110", "v110")) as file:
                change(file)
            case = kolmo.write(kc.merge(PLAIN, {"run": {"steps_max": 3}}), folder)
            label = f"{change.__name__}, {ranks} ranks"
            for program, words in (("kolmo", [case, "--restart", path]),
                                   ("kolmo", [case, "--restart", path, "--check"]),
                                   ("kolmo-stats", ["--out", os.path.join(folder, "out"), path])):
                if program == "kolmo" and "--check" in words and change in (external_storage, virtual):
                    continue  # it does not look at arrays
                ended = kolmo.other(program).call(*words, ranks=ranks, rc=None, seconds=30)
                check.holds(f"{label}: {program}", ended.rc == 4 and path in ended.err
                            and ("link" in ended.err or "in other files" in ended.err),
                            (ended.rc, ended.err[-300:]))
            ended = kolmo.call(case, "--restart", "latest", ranks=ranks, rc=None, seconds=30)
            check.equal(f"{label}: latest: exit code", ended.rc, 0)
            check.says(f"{label}: latest", ended.text, "a checkpoint is passed over", "step 1")


def stretched(source, target, keep, flip=None):
    """A copy of the first bytes of a file, `keep` of them, with a hole behind them up to 8 TiB."""
    with open(target, "wb") as file:
        file.write(kc.file_bytes(source)[:keep])
        if flip is not None:
            file.seek(flip)
            file.write(b"\xa5")
        file.truncate(8 << 40)


def sparse(kolmo, check):
    """Damaged files that claim terabytes: a checkpoint beside a sound one, a series, averages. What is wrong
    is said within seconds."""
    good = kolmo.run_once(CASE)
    path = kc.checkpoint_path(good.folder, 2)
    whole = os.path.getsize(path)
    with h5py.File(path, "r") as file:
        inside = file["fields/u"].id.get_offset() + 100
    damages = (("300 bytes and a hole", 300, None),
               ("all of it, one byte another, and a hole", whole, inside),
               ("a hole", 0, None), ("half of it and a hole", whole // 2, None))
    for label, keep, flip in damages if kolmo.options.long else damages[:2]:
        folder = kolmo.place()
        shutil.copytree(good.folder, folder, dirs_exist_ok=True)
        newest = os.path.join(folder, "checkpoint_00000009.h5")
        stretched(path, newest, keep, flip)
        case = kolmo.write(kc.merge(CASE, {"run": {"steps_max": 3}}), folder)
        ended = kolmo.call(case, "--restart", newest, rc=None, seconds=60)
        check.holds(f"{label}: by name", ended.rc == 4 and newest in ended.err, (ended.rc, ended.err[-300:]))
        check.below(f"{label}: by name: seconds", ended.seconds, 20)
        ended = kolmo.call(case, "--restart", "latest", rc=None, seconds=60)
        check.equal(f"{label}: exit code", ended.rc, 0)
        check.says(label, ended.text, "a checkpoint is passed over", newest + ".damaged", "step 2")
        check.below(f"{label}: seconds", ended.seconds, 20)
    for name in ("series.nc", "probes.nc"):
        most = os.path.getsize(os.path.join(good.folder, name))
        for keep in (0, 300, most) if kolmo.options.long else (300, most):
            folder = kolmo.place()
            shutil.copytree(good.folder, folder, dirs_exist_ok=True)
            stretched(os.path.join(good.folder, name), os.path.join(folder, name), keep)
            case = kolmo.write(kc.merge(CASE, {"run": {"steps_max": 3}}), folder)
            ended = kolmo.call(case, "--restart", "latest", rc=None, seconds=60)
            check.equal(f"{name}, {keep} bytes: exit code", ended.rc, 0)
            check.says(f"{name}, {keep} bytes", ended.text, f"{name} is not continued", f"{name}.damaged")
            check.below(f"{name}, {keep} bytes: seconds", ended.seconds, 20)
    folder = kolmo.place()
    stretched(os.path.join(good.folder, "statistics.nc"), os.path.join(folder, "statistics.nc"), 300)
    ended = kolmo.other("kolmo-merge").call("--out", kolmo.place(), "--replace", good.folder, folder, rc=None,
                                            seconds=60)
    check.holds("kolmo-merge", ended.rc in (2, 4) and folder in ended.err, (ended.rc, ended.err[-300:]))
    check.below("kolmo-merge: seconds", ended.seconds, 20)


if __name__ == "__main__":
    kc.main(__doc__, [long_folders, long_files, no_files, averages, pipe_on_purpose, elsewhere, sparse])

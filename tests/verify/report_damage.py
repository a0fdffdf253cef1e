#!/usr/bin/env python3
"""kolmo-report and its relatives on damaged files: whatever happens to libhdf5, they end with a message that
names the file, and with exit code 2.

Would catch: a crash of the library that takes the report along without a word, a message that does not say
which file it is, a hang on a pipe, also behind a link, an escape sequence of a file that is printed."""
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback

import h5py

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc", "plot"))
import channel_report  # noqa: E402
import isosurface  # noqa: E402
import kolmo_case as kc  # noqa: E402
import report_parts  # noqa: E402
import run_report  # noqa: E402
import slices  # noqa: E402
import taylor_green_report  # noqa: E402
import walls_report  # noqa: E402
from kolmo import guarded  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL = os.path.join(HERE, "..", "..", "postproc", "kolmo-report")
BOX = {"run": {"steps_max": 6}, "grid": {"n": (12, 12, 12)}, "fluid": {"nu": 0.02}, "time": {"dt": 0.02},
       "initial": {"type": "isotropic"}, "probes": {"position": (1.0, 2.0, 3.0)},
       "slices": {"normal": "z", "position": 1.0, "interval": 6, "quantities": "velocity"},
       "boxes": {"interval": 6, "quantities": "q velocity"},
       "statistics": {"start": 0.0, "interval": 1, "spectra_interval": 2}}
WALLS = {"run": {"steps_max": 4}, "grid": {"n": (12, 10, 12), "length": (4.0, 2.0, 2.0)},
         "fluid": {"nu": 0.01}, "time": {"dt": 0.01}, "boundary": {"z_low": "wall", "z_high": "wall"},
         "forcing": {"type": "bulk-velocity", "value": 1.0, "amplitude": 0.1, "frequency": 10.0},
         "initial": {"type": "channel"},
         "statistics": {"start": 0.0, "interval": 1, "spectra_interval": 1, "spectra_heights": (0.5,),
                        "phases": 2}}
CAVITY = {"run": {"steps_max": 2}, "grid": {"n": (8, 2, 8), "length": (1.0, 1.0, 1.0)}, "fluid": {"nu": 0.01},
          "time": {"dt": 0.01},
          "boundary": {"x_low": "wall", "x_high": "wall", "z_low": "wall", "z_high": "wall",
                       "z_high_velocity": (1.0, 0.0, 0.0)}, "initial": {"type": "rest"}}
CENTRE_LINE = "y,Re100\n0.1,-0.04\n0.5,-0.2\n0.9,0.4\n"
TRIES = 3
SUPERBLOCK = 48  # bytes: signature, sizes and addresses of an HDF5 file
HEAP = b"HEAP", b"GCOL", b"FRHP", b"FHDB", b"OHDR", b"OCHK", b"TREE", b"BTHD", b"BTLF", b"SNOD"


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


def flipped(content, places):
    """Every bit of these bytes the other way."""
    found = bytearray(content)
    for place in places:
        found[place] ^= 0xff
    return bytes(found)


def kinds(content, other):
    """Named damages: what is left of a file, and whether it can only be refused. other: an HDF5 file that is
    no NetCDF."""
    yield "no bytes", b"", True
    yield "one byte", content[:1], True
    yield "cut off within the head", content[:40], True
    yield "cut off in the middle", content[:len(content) // 2], True
    yield "the last byte cut off", content[:-1], False  # of series.nc it belongs to the hash
    yield "zeros", bytes(len(content)), True
    yield "zeros behind the head", content[:SUPERBLOCK] + bytes(len(content) - SUPERBLOCK), True
    yield "a text", b"time, kinetic energy\n0.0, 1.0\n" * 50, True
    yield "an HDF5 file of another kind", other, True
    for place in (0, 7, 8, 9, 20, 30, 40):
        yield f"byte {place} of the head", flipped(content, [place]), place < 8
    for name in HEAP:
        at = content.find(name)
        if at >= 0:
            yield f"the first {name.decode()}", flipped(content, range(at, at + 4)), False
            yield f"behind the first {name.decode()}", flipped(content, range(at + 8, at + 40)), False


def call(*words):
    """A command, as a user calls it."""
    return subprocess.run([sys.executable, *words], capture_output=True, timeout=300, check=False)


def in_copy(main, *words):
    """main(words) of a command in a copy of this process: the start of Python, with the modules of a command,
    takes longer than most commands."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            signal.alarm(300)
            code = 99  # a traceback
            try:
                code = main(list(words))
            except SystemExit as ended:  # as sys.exit() has it
                code = ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
            except BaseException:  # pylint: disable=broad-except
                traceback.print_exc()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(words, code, out.read(), err.read())


def report(folder, *words):
    """The report without its page."""
    return in_copy(run_report.main, "--no-page", *words, folder)


def part(run, place, *names):
    """A folder with these files of a run and its series alone: a page of them has few figures to draw."""
    for name in ("series.nc", *names):
        shutil.copy(os.path.join(run.folder, name), place)
    return kc.Result(run.rc, run.out, run.err, run.seconds, place)


def bad_end(ended, folder, refused=False):
    """What is wrong with the end of a command; "" if nothing is. 0 and 1 are right where damage shows in
    values only."""
    err = ended.stderr.decode("utf-8", "replace")
    good = ended.returncode == 2 and folder in err if refused or ended.returncode == 2 else \
        ended.returncode in (0, 1)
    return "" if good and "Traceback" not in err else f"exit code {ended.returncode}: {err[-300:]}"


def named_damage(kolmo, check):
    """Every file that a report reads, in turn cut off, changed and replaced: exit code 2 and its name. The
    other commands that read such files do the same."""
    run, walls, lid = kolmo.run(BOX), kolmo.run(WALLS), kolmo.run(CAVITY)
    report_parts.plotter()  # once for all copies
    table = os.path.join(kolmo.folder, "centre.csv")
    with open(table, "w", encoding="utf-8") as target:
        target.write(CENTRE_LINE)
    step = "00000006.h5"
    few, phases = part(run, kolmo.place(), f"slice_1_{step}"), part(walls, kolmo.place(), "phases.nc")
    commands = {"report": (run_report, "--no-page", run.folder),
                "walls": (run_report, "--no-page", walls.folder),
                "page": (run_report, few.folder), "page of walls": (run_report, phases.folder),
                "cavity": (run_report, "--no-page", "--reference", table, lid.folder),
                "series": (taylor_green_report, "--no-figure", run.folder),
                "profiles": (channel_report, walls.folder),
                "lid": (walls_report, "--no-figure", lid.folder), "slice": (slices, run.folder),
                "surface": (isosurface, "--colour", "velocity", "--pixels", "60",
                            os.path.join(run.folder, f"box_1_{step}"))}
    quick = {"profiles": ("--no-figure",), "slice": ("--quantity", "velocity.x")}  # where files are sound
    for name, (program, *words) in commands.items():
        ended = in_copy(program.main, *quick.get(name, ()), *words)
        check.holds(f"{name}: sound files", ended.returncode in (0, 1) and b"Traceback" not in ended.stderr,
                    (ended.returncode, ended.stderr[-300:]))
    newest = os.path.basename(lid.checkpoint().path)
    read = [("report", part(run, kolmo.place(), n), n)
            for n in ("series.nc", "statistics.nc", "spectra.nc", "pdf.nc", "probes.nc")]
    read += [("walls", part(walls, kolmo.place(), n), n)
             for n in ("series.nc", "statistics.nc", "spectra.nc")]
    read += [("page of walls", phases, "phases.nc")]
    read += [("page", few, f"slice_1_{step}"), ("cavity", lid, newest), ("series", run, "series.nc"),
             ("profiles", walls, "statistics.nc"), ("lid", lid, "series.nc"), ("lid", lid, newest),
             ("slice", run, f"slice_1_{step}"), ("surface", run, f"box_1_{step}")]
    for number, (command, ran, name) in enumerate(read):
        path = os.path.join(ran.folder, name)
        content, bad = kc.file_bytes(path), []
        other = kc.file_bytes((run if command in ("cavity", "lid", "walls") else lid).checkpoint().path)
        if name.endswith(".h5"):
            other = kc.file_bytes(os.path.join(walls.folder, "statistics.nc"))
        # each file has other ones; a page with a damaged slice has all its other figures to draw
        every = 1 if kolmo.options.long else 18 if command == "page" else 9
        found = [k for n, k in enumerate(kinds(content, other)) if n % every == number % every]
        for kind, left, refused in found:
            with open(path, "wb") as target:
                target.write(left)
            program, *words = commands[command]
            ended = in_copy(program.main, *words[:-1], path if words[-1] == path else ran.folder)
            end = bad_end(ended, path if refused else ran.folder, refused)
            if end:
                bad.append((kind, end))
        with open(path, "wb") as target:
            target.write(content)
        check.above(f"{command}, {name}: damages", len(found), 1 if command == "page" else 2)
        check.equal(f"{command}, {name}: bad ends", bad, [])


def links(kolmo, check):
    """A pipe behind a link of a file, and data in another file: refused at once."""
    run = kolmo.run(BOX)
    pipe = os.path.join(kolmo.folder, "pipe.h5")
    os.mkfifo(pipe)
    slice_file = "slice_1_00000006.h5"
    few = part(run, kolmo.place(), slice_file)
    for name, words, folder in (("spectra.nc", ["--no-page"], run.folder),
                                ("series.nc", ["--no-page"], run.folder), (slice_file, [], few.folder)):
        path = os.path.join(folder, name)
        content = kc.file_bytes(path)
        for kind in ("link", "array"):
            with h5py.File(path, "r+") as file:
                if kind == "link":
                    file["more"] = h5py.ExternalLink(pipe, "/x")
                else:
                    file.create_dataset("more", (4,), "f8", external=[(pipe, 0, 32)])
            ended = in_copy(run_report.main, *words, folder)
            check.equal(f"{name}, {kind}: exit code", ended.returncode, 2)
            check.says(f"{name}, {kind}", ended.stderr.decode(), path, "more",
                       "give a file with its own data")
            with open(path, "wb") as target:
                target.write(content)


def any_damage(kolmo, check):
    """Random damage to each file of a box and of a channel: exit code 0, 1 or 2, no traceback, no signal;
    with 2 the file, or the folder, is named. All tries but every third are of the file beside the series
    alone, which takes a third of the time."""
    for name, case in (("box", BOX), ("walls", WALLS)):
        run = kolmo.run(case)
        files = sorted(n for n in os.listdir(run.folder) if n.endswith(".nc"))
        check.above(f"{name}: files", len(files), 3 - 1)
        refused = 0
        tries = 40 * TRIES if kolmo.options.long else TRIES
        for file in files:
            content, bad = kc.file_bytes(os.path.join(run.folder, file)), []
            few = part(run, kolmo.place(), *{file} - {"series.nc"})
            for seed in range(tries):
                folder = few.folder if seed % 3 else run.folder
                with open(os.path.join(folder, file), "wb") as target:
                    target.write(damaged(content, f"{name} {file} {seed}"))
                ended = report(folder)
                refused += ended.returncode == 2
                end = bad_end(ended, folder)
                if end:
                    bad.append((seed, end))
            with open(os.path.join(run.folder, file), "wb") as target:
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


def pipes(kolmo, check):
    """A pipe where kolmo-decay, -watch, -converge and -report read or write, and a history whose data are in
    another file: refused at once."""
    run = kolmo.run({**BOX, "history": {"interval": 1}})
    pipe, other = os.path.join(kolmo.place(), "pipe"), kolmo.place()
    os.mkfifo(pipe)
    for name in ("history.nc", "run.jsonl", "report.html"):
        os.mkfifo(os.path.join(other, name))
    shutil.copy(os.path.join(run.folder, "series.nc"), other)
    history, linked = os.path.join(run.folder, "history.nc"), os.path.join(other, "linked.nc")
    shutil.copy(history, linked)
    with h5py.File(linked, "r+") as file:
        file["more"] = h5py.ExternalLink(pipe, "/x")
    commands = {"decay": ("kolmo-decay", history, os.path.join(other, "history.nc")),
                "decay of a link": ("kolmo-decay", linked),
                "decay, table": ("kolmo-decay", "--csv", pipe, history),
                "decay, averages": ("kolmo-decay", "--average", pipe, history),
                "watch": ("kolmo-watch", "--once", other),
                "converge": ("kolmo-converge", "--quantity", "k", pipe),
                "report": ("kolmo-report", other)}
    for label, (program, *words) in commands.items():
        ended = call(os.path.join(os.path.dirname(TOOL), program), *words)
        check.equal(f"{label}: exit code", ended.returncode, 2)
        check.says(label, ended.stderr.decode(), "a link" if "link" in label else "no regular file")
    ended = call(os.path.join(os.path.dirname(TOOL), "plot", "poisson_report.py"), pipe)
    check.equal("records of kolmo-bench: exit code", ended.returncode, 2)
    check.says("records of kolmo-bench", ended.stderr.decode(), pipe, "no regular file")


if __name__ == "__main__":
    kc.main(__doc__, [named_damage, links, any_damage, crash, pipes])

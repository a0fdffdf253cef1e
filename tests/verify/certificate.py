#!/usr/bin/env python3
"""Certificates: the repeated run has the same bits on other ranks, from its beginning, and with the choice of
'auto' in its place; what differs is named; what can't be repeated is said.

Would catch: a hash that holds the wall clock, or misses a variable; a change of one bit that passes; a run
that was continued with another input and counts as one; an input that is not that of the run; an input of
restarts, or a layout of ranks, that is asked for again; a profile that counts as a file."""
import contextlib
import io
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc", "plot"))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402
import run_report  # noqa: E402
from kolmo import certificate, namelists, write_flow  # noqa: E402

LOOSE = ("--no-page", "--allow", "total stress=1e9", "--allow", "energy budget=1e9")
CHANNEL = {
    "run": {"steps_max": 8, "title": "to be repeated"},
    "grid": {"n": (8, 12, 10), "length": (2.0, 2.0, 3.0), "stretching": ("uniform", "tanh", "uniform"),
             "stretching_factor": (0.0, 1.5, 0.0)},
    "fluid": {"nu": 0.02},
    "boundary": {"y_low": "wall", "y_high": "wall"},
    "initial": {"type": "channel"},
    "forcing": {"type": "bulk-velocity", "value": 1.0},
    "pressure": {"preconditioner": "auto"},
    "statistics": {"start": 0.0, "interval": 1},
    "checkpoint": {"interval": 4, "keep": 9},
}


def tool(kolmo, *words):
    """Exit code and what is said, in this process, for time."""
    os.environ.update(dict(kc.environment(), KOLMO=kolmo.program, **kolmo.alone()))
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = run_report.main(list(words))
    return code, out.getvalue()


def issued(kolmo, check, folder, code=0):
    """The certificate of a run."""
    found, said = tool(kolmo, *LOOSE, "--certificate", folder)
    check.equal("certificate: exit code", found, code)
    if found != code:
        raise kc.RunError(said)
    with open(os.path.join(folder, "certificate.json"), encoding="utf-8") as file:
        return json.load(file)


def changed(folder, name, at):
    """Flips the last bit of one value of the series."""
    with h5py.File(os.path.join(folder, "series.nc"), "r+") as file:
        values = file[name][...]
        values[at] = np.nextafter(values[at], np.inf)
        file[name][...] = values


def channel_test(kolmo, check):
    """A run on two ranks that was killed and continued; repeated on one, whole and in part."""
    run = kolmo.run(kc.merge(CHANNEL, {"run": {"steps_max": 5}}), ranks=2)
    kolmo.run(CHANNEL, "--restart", "latest", folder=run.folder)
    made = issued(kolmo, check, run.folder)
    case = namelists.parse(made["repeat"]["input"])
    check.holds("'auto' is replaced by its choice", case["pressure.preconditioner"][0] in
                ("direct", "multigrid", "polynomial"), case["pressure.preconditioner"])
    check.equal("it can be repeated", made["repeat"]["why_not"], "")
    check.equal("files", sorted(made["hashes"]), ["series.nc", "statistics.nc"])
    hashed = made["hashes"]["series.nc"]["variables"]
    check.holds("all variables but the clock",
                "seconds_per_step" not in hashed and len(hashed) == len(run.series()) - 1)
    with h5py.File(os.path.join(run.folder, "statistics.nc"), "r") as file:
        scale, height = float(file["u_tau"][...]) / 0.02, np.diff(file["y_face"][...])
    check.near("first cell in wall units", made["resolution"]["dy_plus_least"], scale * height.min(), 1e-9)
    check.near("    along the stream", made["resolution"]["dx_plus_largest"], scale * 0.25, 1e-9)
    check.equal("beginnings", [one["records"] for one in made["beginnings"]], [2, 5])
    check.equal("verdicts", len(made["verdicts"]), 3)
    with open(os.path.join(run.folder, "certificate.html"), encoding="utf-8") as file:
        page = file.read()
    check.holds("the page has hashes and the command", made["hashes"]["series.nc"]["all"] in page
                and "kolmo-report --verify" in page)
    code, said = tool(kolmo, "--verify", run.folder)
    check.equal("repeated on one rank", (code, "verified: the same bits" in said), (0, True))
    code, said = tool(kolmo, "--verify", "--ranks", "2", "--steps", "6", run.folder)
    check.equal("its beginning on two", (code, "first 5 records" in said), (0, True))
    folder = kolmo.place()
    shutil.copytree(run.folder, folder, dirs_exist_ok=True)
    changed(folder, "seconds_per_step", 3)
    check.holds("the clock changes no hash", issued(kolmo, check, folder)["hashes"] == made["hashes"])
    changed(folder, "enstrophy", -1)
    issued(kolmo, check, folder)
    code, said = tool(kolmo, "--verify", folder)
    check.equal("one bit of one value", (code, "1 variables differ: enstrophy" in said), (1, True))
    check.says("    its size", said, "series.enstrophy:")
    path = os.path.join(folder, "certificate.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(dict(made, provenance=dict(made["provenance"], flags="-O0")), file)
    code, said = tool(kolmo, "--verify", path)
    check.equal("another build is told", (code, "another build: flags: " in said), (0, True))


def other_runs_test(kolmo, check):
    """What can't be repeated as one run, and a flow from a file."""
    one = {"pressure": {"preconditioner": "direct"}, "statistics": {"start": None, "interval": None}}
    run = kolmo.run(kc.merge(CHANNEL, one, {"run": {"steps_max": 2}}))
    kolmo.run(kc.merge(CHANNEL, one, {"time": {"cfl": 0.5}}), "--restart", "latest", folder=run.folder)
    made = issued(kolmo, check, run.folder)
    check.says("another CFL number on the way", made["repeat"]["why_not"], "time.cfl: 0.5, was 0.8")
    code, said = tool(kolmo, "--verify", run.folder)
    check.equal("    verify refuses", (code, "can't be repeated to the bit" in said), (2, True))
    run = kolmo.run(kc.merge(CHANNEL, one, {"run": {"steps_max": None, "t_end": 0.1}}))
    kolmo.run(kc.merge(CHANNEL, one, {"run": {"steps_max": None, "t_end": 0.05}}), "--restart", "latest",
              folder=run.folder)
    check.equal("a restart that had nothing to do", issued(kolmo, check, run.folder)["repeat"]["why_not"], "")
    check.equal("    is repeated", tool(kolmo, "--verify", run.folder)[0], 0)
    kolmo.run(kc.merge(CHANNEL, one, {"run": {"steps_max": None, "t_end": 0.2}}), "--restart", "latest",
              folder=run.folder)
    check.says("beyond its end", issued(kolmo, check, run.folder)["repeat"]["why_not"], "run.t_end = 0.1")
    faces = tuple(np.linspace(0, 1, n + 1) for n in (8, 6, 4))
    wave = np.broadcast_to(np.sin(2 * np.pi * faces[1][:-1])[None, :, None], (4, 6, 8))
    flow = os.path.join(kolmo.place(), "flow.h5")
    write_flow(flow, np.stack([wave, 0 * wave, 0 * wave], axis=-1), faces=faces)
    run = kolmo.run({"run": {"steps_max": 3}, "grid": {"n": (8, 6, 4), "length": (1.0, 1.0, 1.0)},
                     "fluid": {"nu": 0.01}, "initial": {"type": "file", "file": flow}})
    made = issued(kolmo, check, run.folder)
    check.equal("the file has its hash", list(made["repeat"]["files"].values()),
                [certificate.file_hash(flow)])
    check.equal("    and is repeated", tool(kolmo, "--verify", run.folder)[0], 0)
    with h5py.File(flow, "r+") as file:
        file["velocity"][0, 0, 0, 0] += 0.1
    code, said = tool(kolmo, "--verify", run.folder)
    check.equal("another file is refused", (code, "another one than that of the run" in said), (2, True))


def kept_inputs_test(kolmo, check):
    """What the repeated input leaves out; what only seems to be a file; records at other steps, and twins."""
    once = {"pressure": {"preconditioner": "direct"}, "statistics": {"start": None, "interval": None},
            "run": {"steps_max": 2}}
    run = kolmo.run(kc.merge(CHANNEL, once, {"grid": {"ranks": (2, 1, 1)}}), ranks=2)
    text = kolmo.call(os.path.join(run.folder, "case.nml"), "--check=all", ranks=2).out
    issued(kolmo, check, run.folder)
    check.equal("grid.ranks, repeated on one rank", tool(kolmo, "--verify", run.folder)[0], 0)
    idle, group = set(), ""
    for line in text.splitlines():
        group = line[1:] if line.startswith("&") else group
        if line.endswith("no effect with checkpoint.restart = 'none'"):
            idle.add(f"{group}.{line.split()[1]}")
    check.equal("inputs of restarts are those of the program", idle, set(certificate.OF_RESTARTS))
    kolmo.run(kc.merge(CHANNEL, once, {"run": {"steps_max": 4}, "output": {"series_interval": 2}}),
              "--restart", "latest", folder=run.folder)
    check.says("records at other steps", issued(kolmo, check, run.folder)["repeat"]["why_not"],
               "output.series_interval: 2, was 1")
    run = kolmo.run(kc.merge(CHANNEL, once), "--twin", "rounding", ranks=2)
    for folder in (run.folder, os.path.join(run.folder, "twin")):
        check.says("a twin", issued(kolmo, check, folder)["repeat"]["why_not"], "--twin")
    found = certificate.files_named({"boundary.x_low_profile": ["parabolic"], "boundary.x_low_file": ["a"],
                                     "initial.file": ["b"], "device.tuning_file": ["c"], "probes.file": [""]})
    check.equal("files", found, {"a": "", "b": ""})
    sphere = {"bodies.shape": ["sphere", "box"], "bodies.size": ["0.5", "0", "0", "1", "0.4", "2"]}
    for words, more, wanted in (
        ("cells over the smallest body", {}, 4.0),
        ("    of a packing", {"packing.shape": ["sphere"], "packing.size": ["0.3"]}, 3.0),
        ("    of a file", {"bodies_list.file": ["list.txt"]}, None),
        ("    a cylinder", {"bodies.shape": ["sphere", "cylinder"]}, None),
        ("    a body that is cut", {"bodies.operation": ["add", "cut"]}, None),
        ("    no bodies", {"bodies.shape": ["none"], "bodies.size": ["0"]}, None),
    ):
        found = certificate.cells_across({**sphere, **more}, 0.1)
        check.equal(words, None if found is None else round(found, 9), wanted)


def choices_test(kolmo, check):
    """Whatever 'auto' has chosen, the input in its place is accepted and asks for the same."""
    run = kolmo.run(kc.merge(CHANNEL, {"run": {"steps_max": 1},
                                       "pressure": {"smoothing": 1, "transfer": "linear"},
                                       "statistics": {"start": None, "interval": None}}))
    path = os.path.join(run.folder, "run.jsonl")
    lines = kc.file_bytes(path).decode().splitlines()
    start = next(n for n, line in enumerate(lines) if '"start"' in line)
    for asked in ("pressure.preconditioner = 'multigrid'", "pressure.preconditioner = 'direct'",
                  "pressure.preconditioner = 'polynomial', pressure.degree = 4, pressure.ratio = 100"):
        told = json.loads(lines[start])
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines[:start] + [json.dumps(dict(told, chosen=asked))] + lines[start + 1:]))
        case = os.path.join(run.folder, "again.nml")
        with open(case, "w", encoding="utf-8") as file:
            file.write(issued(kolmo, check, run.folder)["repeat"]["input"])
        done = subprocess.run([kolmo.program, case, "--check=all"], capture_output=True, text=True,
                              check=False, env=dict(kc.environment(), **kolmo.alone()))
        found = namelists.parse(done.stdout)
        check.equal(asked, (done.returncode, [found[n] for n, _ in certificate.settings_of(asked)]),
                    (0, [[v.strip("'")] for _, v in certificate.settings_of(asked)]))


def refused_test(kolmo, check):
    """Wrong words and damaged certificates; the text of inputs."""
    place = kolmo.place()
    path = os.path.join(place, "certificate.json")
    for text in ("", "{}", "[1]", '{"format": "kolmo-certificate", "format_version": 9}'):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        code, said = tool(kolmo, "--verify", path)
        check.equal(f"'{text[:20]}' is refused", (code, "no certificate of version 1" in said), (2, True))
    check.equal("--steps without --verify", tool(kolmo, "--steps", "3", place)[0], 2)
    check.equal("no series", tool(kolmo, "--no-page", "--certificate", place)[0], 2)
    text = "&run\n  t_end = 2 ! default\n  ! steps_max: not given\n/\n&grid\n  n = 4, 4, 4\n/\n"
    text = certificate.replaced(certificate.replaced(text, "run.t_end", "3"), "fluid.nu", "1")
    again = namelists.parse(text)
    check.equal("an input replaced, another added", again,
                {"run.t_end": ["3"], "grid.n": ["4", "4", "4"], "fluid.nu": ["1"]})


if __name__ == "__main__":
    kc.main(__doc__, [channel_test, other_runs_test, kept_inputs_test, choices_test, refused_test])

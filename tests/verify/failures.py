#!/usr/bin/env python3
"""Runs that cannot go on: exit code 3 or 4, a message that helps, and what was good before stays good. No
rank hangs.

Would catch: a run that goes on with numbers that are not finite, a blow-up told as something else or without
its place, a checkpoint of a broken flow in place of the last good one, a series that loses what led to the
failure, files of an earlier run overwritten, a fault on one rank that leaves the others waiting."""
import os
import re
import resource
import shutil
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

CASE = {"run": {"steps_max": 12}, "grid": {"n": (24, 20, 16)}, "fluid": {"nu": 0.01}, "time": {"dt": 0.02},
        "initial": {"type": "isotropic", "velocity": (0.3, -0.2, 0.1)},
        "checkpoint": {"interval": 2, "keep": 5}}
ABSURD = 2.0  # time step, some ten times the stable one


def blow_up(kolmo, check):
    """Four good steps, then a restart with an absurd fixed dt."""
    good = kolmo.run(kc.merge(CASE, {"run": {"steps_max": 4}}))
    for scheme in ("rk3-half", "rk3-wray"):
        for ranks in (1, 2, 4):
            label = f"{scheme}, {ranks} ranks"
            folder = kolmo.place()
            for name in os.listdir(good.folder):
                shutil.copy(os.path.join(good.folder, name), folder)
            bad = kolmo.run(kc.merge(CASE,
                                     {"time": {"dt": ABSURD, "scheme": scheme},
                                      "checkpoint": {"interval": 1, "keep": 2},
                                      "run": {"steps_max": 100}}),
                            "--restart", "latest", ranks=ranks, folder=folder, rc=None, seconds=60)
            check.equal(f"{label}: exit code", bad.rc, 3)
            named = re.search(r"\b([uvwp]) is (-?nan|-?inf|\S+) in cell \((\d+), (\d+), (\d+)\) on rank "
                              r"(\d+) .*step (\d+)", bad.err)
            check.holds(f"{label}: the message names field, cell, rank and step", named, bad.err[:400])
            if named:
                i, j, k, rank = (int(named.group(n)) for n in (3, 4, 5, 6))
                check.holds(f"{label}: cell ({i}, {j}, {k}) and rank {rank} exist",
                            i < 24 and j < 20 and k < 16 and rank < ranks)
                check.above(f"{label}: step named", int(named.group(7)), 4)
            check.says(f"{label}: what to do", bad.err, "time.dt")
            check.equal(f"{label}: said once", len(re.findall(r"^kolmo: ", bad.err, re.M)), 1)
            check.holds(f"{label}: last good checkpoint untouched",
                        kc.file_bytes(kc.checkpoint_path(folder, 4))
                        == kc.file_bytes(kc.checkpoint_path(good.folder, 4)))
            check.equal(f"{label}: checkpoints", bad.steps(), [2, 4])
            series = bad.series()
            check.equal(f"{label}: first steps of the series", list(series["step"][:5]), [0, 1, 2, 3, 4])
            check.holds(f"{label}: every number of the series is finite",
                        all(np.all(np.isfinite(v)) for n, v in series.items() if n not in kc.FITTED))
    part = kolmo.run(kc.merge(CASE, {"run": {"steps_max": 6}}), "--restart", "latest", folder=folder)
    whole = kolmo.run(kc.merge(CASE, {"run": {"steps_max": 6}}))
    check.same("going on from the last good checkpoint with the old dt", kc.differences(whole, part, 6))


def series_of_a_failure(kolmo, check):
    """The series keeps the steps before the failure, which tell why it came: no checkpoint was asked for."""
    for ranks in (1, 2):
        bad = kolmo.run(kc.merge(CASE,
                                 {"time": {"dt": 0.45}, "run": {"steps_max": 200}, "initial": {"u_rms": 0.6},
                                  "checkpoint": {"interval": None, "keep": None}}), ranks=ranks, rc=None,
                        seconds=60)
        check.equal(f"{ranks} ranks: exit code", bad.rc, 3)
        check.equal(f"{ranks} ranks: first records of the series", list(bad.series()["step"][:1]), [0])
        with open(os.path.join(bad.folder, "run.log"), encoding="utf-8") as log:
            check.holds(f"{ranks} ranks: run.log ends with the reason",
                        bad.err.splitlines()[0][-40:] in log.read(), "no word of it")


def pressure_not_converged(kolmo, check):
    """One iteration allowed: exit code 3, the size of the divergence left, and what to change."""
    good = kolmo.run(kc.merge(CASE, {"run": {"steps_max": 4}}))
    kept = kc.file_bytes(kc.checkpoint_path(good.folder, 4))
    for ranks in (1, 2):
        for case in ({}, {"time": {"diffusion": "implicit"}}):
            bad = kolmo.run(kc.merge(CASE, case, {"pressure": {"max_iterations": 1}}), "--restart", "latest",
                            ranks=ranks,
                            folder=good.folder, rc=None, seconds=60)
            label = f"{ranks} ranks, {'implicit' if case else 'explicit'}"
            check.equal(f"{label}: exit code", bad.rc, 3)
            check.says(label, bad.err, "1 iterations left", "wanted", "pressure.max_iterations", "tolerance",
                       "step 5",
                       "largest in cell (", "on rank ")
            check.equal(f"{label}: said once", bad.err.count("iterations left"), 1)
            check.holds(f"{label}: last good checkpoint untouched",
                        kept == kc.file_bytes(kc.checkpoint_path(good.folder, 4)))
    slow = kolmo.run(kc.merge(CASE, {"pressure": {"preconditioner": "jacobi", "max_iterations": 3}}), rc=None)
    check.equal("jacobi, 3 iterations: exit code", slow.rc, 3)
    check.says("jacobi, 3 iterations", slow.err, "3 iterations left",
               "or choose pressure.preconditioner = 'multigrid'")
    check.holds("multigrid is not told to choose itself", "or choose" not in bad.err, bad.err)
    again = kolmo.run(kc.merge(CASE, {"run": {"steps_max": 6}}), "--restart", "latest", folder=good.folder)
    whole = kolmo.run(kc.merge(CASE, {"run": {"steps_max": 6}}))
    check.same("going on with iterations enough", kc.differences(whole, again, 6))


def no_place_to_write(kolmo, check):
    """Output folders that cannot be: exit code 4, the name and the reason, on 2 ranks too."""
    folder = kolmo.place()
    path = kolmo.write(CASE, folder)
    plain = os.path.join(folder, "plain")
    with open(plain, "w", encoding="utf-8") as target:
        target.write("a file\n")
    for ranks in (1, 2):
        for name, label in ((plain, "a file in its place"),
                            (os.path.join(plain, "x", "y"), "a file among its parents"),
                            ("/proc/kolmo-test", "a file system that takes nothing")):
            bad = kolmo.call(path, "--set", f"output.directory='{name}'", ranks=ranks, rc=None, seconds=60)
            check.equal(f"{label}, {ranks} ranks: exit code", bad.rc, 4)
            check.says(f"{label}, {ranks} ranks", bad.err, name if "x" not in name[-4:] else plain)
    check.equal("the file", kc.file_bytes(plain), b"a file\n")
    deep = os.path.join(folder, "made", "on", "the", "way")
    kolmo.call(path, "--set", f"output.directory='{deep}'", "--set", "run.steps_max=1")
    check.equal("parents are made", kc.checkpoint_steps(deep), [1])
    if os.geteuid() == 0:
        check.skip("a folder without permission", "root may write anywhere")
        return
    closed = os.path.join(folder, "closed")
    os.mkdir(closed, 0o555)
    for name in (closed, os.path.join(closed, "x")):
        bad = kolmo.call(path, "--set", f"output.directory='{name}'", rc=None, seconds=60)
        check.equal("a folder without permission: exit code", bad.rc, 4)
        check.says("a folder without permission", bad.err, closed, "Permission denied")


def disk_full(kolmo, check):
    """Files may not grow beyond a size that the checkpoint exceeds: exit code 4, the older ones untouched,
    nothing half."""
    case = kc.merge(CASE, {"grid": {"n": (32, 32, 32)}, "run": {"steps_max": 4}})
    good = kolmo.run(case)
    kept = {n: kc.file_bytes(kc.checkpoint_path(good.folder, n)) for n in good.steps()}

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (900000, 900000))
    path = kolmo.write(kc.merge(case, {"run": {"steps_max": 8}}), good.folder)
    # Python ignores SIGXFSZ and hands that on, so that writes fail with a code instead of killing the run;
    # alone, MPI needs no file of shared memory, which would exceed the limit
    bad = kolmo.call(path, "--restart", "latest", rc=None, seconds=60, folder=good.folder, preexec_fn=limit,
                     restore_signals=False, env={"OMPI_MCA_ess_singleton_isolated": "1"})
    check.equal("exit code", bad.rc, 4)
    check.says("message", bad.err, "checkpoint_00000006.h5")
    check.equal("checkpoints", bad.steps(), [2, 4])
    check.holds("older checkpoints untouched",
                all(kc.file_bytes(kc.checkpoint_path(good.folder, n)) == b for n, b in kept.items()))
    part = kolmo.call(path, "--restart", "latest", folder=good.folder)
    whole = kolmo.run(kc.merge(case, {"run": {"steps_max": 8}}))
    check.same("going on when there is room", kc.differences(whole, part, 8))


def earlier_run(kolmo, check):
    """A new run in a folder that holds one moves its files to previous-1, then previous-2, bit for bit."""
    case = kc.merge(CASE, {"run": {"steps_max": 2}, "output": {"field_interval": 1}})
    folder = kolmo.place()
    mine = os.path.join(folder, "notes.txt")
    with open(mine, "w", encoding="utf-8") as target:
        target.write("mine\n")
    for number, ranks in ((1, 1), (2, 2), (3, 1)):
        if number == 2:
            for name in ("bodies.nc", "surface_00000002.h5", "surface.xdmf", "surface_average.h5",
                         "surface_average.xdmf"):  # of bodies that the run in the way had
                with open(os.path.join(folder, name), "w", encoding="utf-8") as target:
                    target.write(name)
        if number > 1:
            before = {n: kc.file_bytes(os.path.join(folder, n)) for n in os.listdir(folder)
                      if n not in ("notes.txt", "case.nml") and os.path.isfile(os.path.join(folder, n))}
        run = kolmo.run(kc.merge(case, {"run": {"seed": number}}), ranks=ranks, folder=folder)
        if number == 1:
            continue
        previous = os.path.join(folder, f"previous-{number - 1}")
        moved = {n: kc.file_bytes(os.path.join(previous, n)) for n in os.listdir(previous)}
        check.equal(f"previous-{number - 1}: files", sorted(moved), sorted(before))
        check.holds(f"previous-{number - 1}: the same bytes", moved == before)
        check.says(f"run {number}", run.text, "warning: files of an earlier run were moved to",
                   f"previous-{number - 1}")
    check.equal("files", sorted(os.listdir(folder)),
                sorted(["case.nml", "checkpoint_00000002.h5", "fields.xdmf", "fields_00000000.h5",
                        "fields_00000001.h5",
                        "fields_00000002.h5", "notes.txt", "previous-1", "previous-2", "run.jsonl",
                        "run.log",
                        "series.nc"]))
    check.equal("a file that is not ours", kc.file_bytes(mine), b"mine\n")
    old, new = (kc.Checkpoint(kc.checkpoint_path(p)) for p in (os.path.join(folder, "previous-1"), folder))
    check.above("the old run's flow is another one: largest difference",
                np.max(np.abs(old.fields["u"] - new.fields["u"])), 0.1)


def like_a_pattern(kolmo, check):
    """A folder whose name would be a pattern to a shell: files of the folder it would match stay where they
    are."""
    case = kc.merge(CASE, {"run": {"steps_max": 1}})
    top = kolmo.place()
    path = kolmo.write(case, top)
    for name in ("x1", "x[1]", "x*", "x[1]"):
        kolmo.call(path, "--set", f"output.directory={os.path.join(top, name)}")
    for name, folders in (("x1", []), ("x[1]", ["previous-1"]), ("x*", [])):
        folder = os.path.join(top, name)
        check.equal(f"{name}: checkpoints", [n for n in os.listdir(folder) if n.startswith("checkpoint")],
                    ["checkpoint_00000001.h5"])
        check.equal(f"{name}: folders", [n for n in os.listdir(folder) if n.startswith("previous")], folders)


def checkpoint_from_elsewhere(kolmo, check):
    """A restart from another folder's checkpoint starts a run of its own: no series of two flows, nothing
    lost."""
    one = kolmo.run(kc.merge(CASE, {"run": {"steps_max": 2}}))
    other = kolmo.run(kc.merge(CASE, {"run": {"steps_max": 2, "seed": 5}}))
    before = kc.file_bytes(os.path.join(other.folder, "series.nc"))
    run = kolmo.run(kc.merge(CASE, {"run": {"steps_max": 4}}), "--restart", kc.checkpoint_path(one.folder, 2),
                    folder=other.folder)
    check.equal("steps of the new series", list(run.series()["step"]), [2, 3, 4])
    moved = os.path.join(other.folder, "previous-1")
    check.holds("the old series is in previous-1", before == kc.file_bytes(os.path.join(moved, "series.nc")))
    check.equal("the old checkpoint too", kc.checkpoint_steps(moved), [2])
    whole = kolmo.run(kc.merge(CASE, {"run": {"steps_max": 4}}))
    a, b = (kc.Checkpoint(kc.checkpoint_path(r.folder, 4)).fields for r in (whole, run))
    check.holds("the flow is the first one's, bit for bit",
                all(np.array_equal(a[name], b[name]) for name in a))
    kept = kc.file_bytes(os.path.join(run.folder, "series.nc"))
    kolmo.run(kc.merge(CASE, {"run": {"steps_max": 9}, "pressure": {"max_iterations": 1}}), "--restart",
              "latest",
              folder=run.folder, rc=3)
    check.holds("a restart that fails in its first step leaves the series",
                kept == kc.file_bytes(os.path.join(run.folder, "series.nc")))


def strongly_stretched(kolmo, check):
    """Grids stretched so much that the equations are stiff are solved, by every preconditioner."""
    for factor in (4.5, 6.0):
        for more in ({"preconditioner": "jacobi"}, {"preconditioner": "polynomial", "degree": 1},
                     {"preconditioner": "polynomial", "degree": 4}):
            run = kolmo.run({"run": {"steps_max": 1}, "fluid": {"nu": 0.01}, "pressure": more,
                             "grid": {"n": (16, 16, 64), "stretching": ("uniform", "uniform", "tanh"),
                                      "stretching_factor": (0.0, 0.0, factor)}})
            check.below(f"factor {factor}, {more}: divergence", run.series()["divergence_max"][-1], 1e-6)


def thin_cells_at_rest(kolmo, check):
    """An inflow into a fluid at rest, where cells are as thin as rounding allows: no jump, and the start
    needs no more than the tolerance."""
    for label, n, stretching, factor, tolerance in (
        ("tanh along", (6, 5, 19), ("uniform", "uniform", "tanh"), 6.0, 1e-5),
        ("geometric along", (6, 5, 19), ("uniform", "uniform", "geometric"), 2.0, 1e-5),
        ("geometric across", (6, 20, 5), ("uniform", "geometric", "uniform"), 2.0, 1e-4),
    ):
        run = kolmo.run({"run": {"steps_max": 1}, "fluid": {"nu": 1e-3}, "time": {"diffusion": "implicit"},
                         "pressure": {"tolerance": tolerance},
                         "grid": {"n": n, "length": kc.CUBE, "stretching": stretching,
                                  "stretching_factor": tuple(0.0 if s == "uniform" else factor
                                                             for s in stretching)},
                         "boundary": {"y_low": "slip", "y_high": "slip", "z_low": "inflow",
                                      "z_high": "outflow", "z_low_velocity": (0.0, 0.0, 2.0)},
                         "initial": {"type": "rest"}})
        check.below(f"{label}: divergence", float(run.series()["divergence_max"].max()), tolerance)


def too_large(kolmo, check):
    """A grid for which there is no memory: told before the start, with the size, as a fault of the input."""
    folder = kolmo.place()
    path = kolmo.write(CASE, folder)
    bad = kolmo.call(path, "--set", "grid.n=8000,8000,8000", rc=None, seconds=60)
    check.equal("exit code", bad.rc, 2)
    check.says("message", bad.err, "GiB", "more nodes or a smaller grid")
    check.equal("files", os.listdir(folder), ["case.nml"])


if __name__ == "__main__":
    kc.main(__doc__,
            [blow_up, series_of_a_failure, pressure_not_converged, no_place_to_write, disk_full, earlier_run,
             like_a_pattern,
             checkpoint_from_elsewhere, strongly_stretched, thin_cells_at_rest, too_large])

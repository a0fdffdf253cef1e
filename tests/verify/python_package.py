#!/usr/bin/env python3
"""The Python package kolmo: what it reads of a run against the files themselves, with and without xarray;
runs that it starts; inputs and planes that it writes; its figures; the names in the docs; and the cells of
both notebooks; type hints and docstrings.

Would catch: a dimension under the name of another, an array that is read before it is asked for, a flow of
the wrong step or time, a table that does not follow a run, a setting that does not reach the run, a refused
run that counts as a good one, a figure whose lines are not the numbers of the file."""

import ast
import glob
import importlib.util
import json
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
sys.path.insert(
    0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc", "python")
)
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402
import kolmo as package  # noqa: E402
from kolmo import launch, namelists, runs, snapshots, tables  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
NOTEBOOKS = os.path.join(ROOT, "postproc", "python", "notebooks")
BOX = {
    "run": {"steps_max": 4, "title": "a small box"},
    "grid": {"n": (8, 12, 10), "length": (2.0, 3.0, 4.0)},
    "fluid": {"nu": 0.02},
    "time": {"dt": 0.02},
    "initial": {"type": "isotropic"},
    "probes": {"position": (0.2, 0.3, 0.4)},
    "history": {"interval": 1},
    "output": {"field_interval": 2, "log_interval": 1},
    "slices": {"normal": "y", "position": 1.0, "interval": 2, "quantities": "velocity q"},
    "boxes": {"interval": 4, "quantities": "pressure", "high": (1.0, 1.0, 1.0)},
    "statistics": {"start": 0.0, "interval": 1, "spectra_interval": 2},
    "checkpoint": {"interval": 2},
}
ARRAYS = {"fields": 3, "checkpoint": 2, "slice_1": 3, "box_1": 2}


def box(kolmo):
    """The folder of the small box, which is run once."""
    folder = os.path.join(os.path.dirname(kolmo.folder), "box")
    if not os.path.isdir(folder):
        os.makedirs(folder)
        kolmo.run(BOX, folder=folder)
    return folder


class WithoutXarray:
    """A while in which the package does as if xarray were not installed."""

    def __enter__(self):
        self.kept = tables.has_xarray
        tables.has_xarray = snapshots.has_xarray = lambda: False

    def __exit__(self, *_):
        tables.has_xarray = snapshots.has_xarray = self.kept


def compare_tables(check, run, folder, words):
    """Every variable of every NetCDF file."""
    for name, file_name in runs.TABLES.items():
        if not os.path.exists(os.path.join(folder, file_name)):
            continue
        found = getattr(run, name)
        with h5py.File(os.path.join(folder, file_name), "r") as file:
            wanted = {n: v[...] for n, v in file.items() if tables.is_variable(v)}
            same = [n for n, v in wanted.items() if np.array_equal(found[n].values, v, equal_nan=True)]
            check.equal(
                f"{words}: variables of {file_name} with the values of the file", len(same), len(wanted)
            )
            scaling = {
                n: tables.plain(v.attrs.get("scaling", v.attrs.get("units")))
                for n, v in file.items()
                if n in wanted
            }
        check.equal(f"{words}: their units", {n: found[n].attrs["units"] for n in wanted}, scaling)


def tables_test(kolmo, check):
    """Series, statistics, spectra, densities, probes."""
    folder = box(kolmo)
    with WithoutXarray():
        run = package.open(folder)
        compare_tables(check, run, folder, "numpy")
        check.equal("the series is over time", run.series["kinetic_energy"].dims, ("time",))
        check.equal("a spectrum is over k", run.spectra["E"].dims, ("k",))
        check.equal("probes are over time and probe", run.probes["u"].dims, ("time", "probe"))
        check.equal("the history is over time", run.history["k"].dims, ("time",))
        check.equal("coordinates of the probes", set(run.probes.coords) >= {"time", "x", "y", "z"}, True)
        check.equal("title", run.title, "a small box")
        check.equal("an input", run.number("fluid.nu"), 0.02)
        check.equal(
            "the latest sample has its wavenumbers",
            run.latest("spectra")["E"].shape,
            run.latest("spectra")["k"].shape,
        )
        check.equal("a missing file is refused", refused(lambda: run.phases).count("statistics.phases"), 1)
        check.equal(
            "no folder", "no such folder" in refused(lambda: package.open(folder + "/nowhere")), True
        )
        check.equal(
            "no run in a folder",
            "output.directory" in refused(lambda: package.open(kolmo.place("empty"))),
            True,
        )
        damaged = os.path.join(kolmo.place("damaged"), "series.nc")
        with open(damaged, "w", encoding="ascii") as file:
            file.write("no file of HDF5")
        check.equal(
            "a damaged file is named",
            damaged in refused(lambda: package.open(os.path.dirname(damaged)).series),
            True,
        )
        solid = kolmo.run({"run": {"steps_max": 2}, "grid": {"n": (8, 8, 8), "length": (1.0, 1.0, 1.0)},
                           "fluid": {"nu": 0.1}, "time": {"dt": 1e-3},
                           "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)},
                           "bodies": {"shape": "sphere", "centre": (0.5, 0.5, 0.5), "size": 0.6}})
        compare_tables(check, package.open(solid.folder), solid.folder, "bodies")
        check.equal("forces are over time and body", package.open(solid.folder).bodies["force_x"].dims,
                    ("time", "body"))
    if not tables.has_xarray():
        check.skip("the same as xarray's objects", "no xarray")
        return
    run = package.open(folder)
    compare_tables(check, run, folder, "xarray")
    energy = run.series["kinetic_energy"]
    check.equal(
        "xarray: chosen by time", float(energy.sel(time=0.04, method="nearest")), float(energy.values[2])
    )


def names_test(_, check):
    """Every kolmo.NAME( of the docs is there after `import kolmo` alone."""
    names = set()
    for path in sorted(glob.glob(os.path.join(ROOT, "docs", "*.md")) + [os.path.join(ROOT, "README.md")]):
        with open(path, encoding="utf-8") as file:
            names |= set(re.findall(r"\bkolmo\.([a-z_.]+)\(", file.read()))
    lines = ("import kolmo, operator, sys; "
             "[operator.attrgetter(name)(kolmo) for name in sys.argv[1:]]")  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", lines, *sorted(names)], capture_output=True, text=True, check=False,
        env=dict(os.environ, PYTHONPATH=os.path.join(ROOT, "postproc", "python")),
    )  # fmt: skip
    check.equal(f"{len(names)} functions that the docs name", (done.returncode, done.stderr), (0, ""))
    check.holds("    some of them", {"open", "run", "converge.analyse", "plots.history"} <= names)


def refused(call):
    """The words of an Unreadable; empty where there was none."""
    try:
        call()
    except package.Unreadable as error:
        return str(error)
    return ""


def lacking(path):
    """What the functions of a module lack, of docstrings and of type hints; names with a line in front are
    not meant for users."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    found = [] if ast.get_docstring(tree) else ["the module: docstring"]

    def look(node, head):
        for item in node.body:
            if isinstance(item, ast.ClassDef):
                found.extend([] if ast.get_docstring(item) else [f"{head}{item.name}: docstring"])
                look(item, f"{head}{item.name}.")
            elif isinstance(item, ast.FunctionDef) and re.match("__|[^_]", item.name):
                a, name = item.args, head + item.name
                every = a.posonlyargs + a.args + a.kwonlyargs + [x for x in (a.vararg, a.kwarg) if x]
                found.extend(f"{name}: type of {x.arg}" for x in every
                             if x.annotation is None and x.arg != "self")
                found.extend([] if item.returns else [f"{name}: type of its result"])
                if item.name != "__init__" and not ast.get_docstring(item):
                    found.append(f"{name}: docstring")

    look(tree, "")
    return [f"{os.path.basename(path)}: {words}" for words in found]


def hints_test(kolmo, check):
    """Type hints and docstrings of every public function, class and module."""
    modules = sorted(glob.glob(os.path.join(ROOT, "postproc", "python", "kolmo", "*.py")))
    check.above("modules", len(modules), 12)
    check.same("what they lack", [words for path in modules for words in lacking(path)])
    bad = os.path.join(kolmo.place(), "bad.py")
    with open(bad, "w", encoding="ascii") as file:
        file.write("class A:\n    'words'\n    def b(self, c):\n        pass\n")
    check.equal("a function without them is seen", lacking(bad), [
        "bad.py: the module: docstring", "bad.py: A.b: type of c", "bad.py: A.b: type of its result",
        "bad.py: A.b: docstring"])  # fmt: skip


def flows_test(kolmo, check):
    """Fields, checkpoints, slices, boxes."""
    folder = box(kolmo)
    found = snapshots.find(folder)
    check.equal("kinds of flows and how many", {n: len(p) for n, p in found.items()}, ARRAYS)
    for with_xarray in (False, True):
        if with_xarray and not tables.has_xarray():
            check.skip("flows as xarray's objects", "no xarray")
            return
        with WithoutXarray() if not with_xarray else open(os.devnull, encoding="ascii"):
            run = package.open(folder)
            compare_flows(check, run, found, "xarray" if with_xarray else "numpy")


def compare_flows(check, run, found, words):
    """Values, places and times."""
    for kind, paths in found.items():
        several = snapshots.Snapshots(kind, paths)
        step = max(paths)
        with h5py.File(paths[step], "r") as file:
            arrays = {
                n: v[...]
                for n, v in file.get("fields", file).items()
                if isinstance(v, h5py.Dataset) and v.ndim >= 3 and v.shape[0] > 1
            }
            face = {d: file[f"grid/{d}_face"][...] for d in "xyz"}
            time = float(file["state" if kind == "checkpoint" else "/"].attrs["time"])
        flow = several[step]
        same = [n for n, v in arrays.items() if np.array_equal(flow[n].values, v)]
        check.equal(f"{words}: arrays of {kind}", sorted(same), sorted(arrays))
        check.equal(
            f"{words}: time of {kind}", (float(flow["time"].values), several.times[-1]), (time, time)
        )
        check.equal(
            f"{words}: centres of {kind}",
            [float(abs(flow[d].values - 0.5 * (f[1:] + f[:-1])).max()) for d, f in face.items()],
            [0.0] * 3,
        )
        check.equal(
            f"{words}: the nearest of {kind}",
            float(several.at(time + 9).time.values if words == "xarray" else several.at(time + 9)["time"]),
            time,
        )
    check.equal(f"{words}: u is on faces of x", run.checkpoints.last["u"].dims, ("z", "y", "x_face"))
    check.equal(f"{words}: w is on faces of z", run.checkpoints.last["w"].dims, ("z_face", "y", "x"))
    check.equal(f"{words}: velocity", run.fields.last["velocity"].dims, ("z", "y", "x", "component"))
    over_time = run.fields.stack("velocity")
    check.equal(f"{words}: over time", over_time.shape, (3, 10, 12, 8, 3))
    part = np.asarray(over_time[1:, 9, 2:7:2, 3, 0])
    wanted = np.stack([run.fields[s]["velocity"].values[9, 2:7:2, 3, 0] for s in run.fields.steps[1:]])
    check.equal(f"{words}: a part of it", np.array_equal(part, wanted), True)
    check.equal(f"{words}: no such step", no_key(lambda: run.fields[77]).count("0, 2, 4"), 1)


def no_key(call):
    """The words of a KeyError."""
    try:
        call()
    except KeyError as error:
        return str(error)
    return ""


def lazily_test(kolmo, check):
    """What is opened is not read before it is used, and stays what it was when the run goes on."""
    run = package.open(box(kolmo))
    read = []
    kept = h5py.Dataset.__getitem__

    def told(self, key, *more):
        """Reads, and keeps the name of what has more than one dimension or is a spectrum."""
        if self.ndim > 1 or self.name == "/E":
            read.append(self.name)
        return kept(self, key, *more)

    h5py.Dataset.__getitem__ = told
    try:
        flow, spectra = run.fields.last, run.spectra
        check.equal("arrays read on opening", read, [])
        np.asarray(flow["pressure"].values)
        np.asarray(spectra["E"].values)
    finally:
        h5py.Dataset.__getitem__ = kept
    check.equal("arrays read on use", sorted(read), ["/E", "/pressure"])


def namelists_test(kolmo, check):
    """What is written is what the program reads."""
    case = kc.merge(
        BOX,
        {
            "run": {"title": "it's one", "steps_max": 0},
            "output": {"log_interval": 3},
            "slices": {
                "normal": {1: "y", 2: "z"},
                "position": {1: 1.0, 2: 0.1},
                "interval": {1: 3, 2: 5},
                "quantities": {1: "q", 2: "velocity"},
            },
        },
    )
    folder = kolmo.place("namelist")
    path = package.write_namelist(os.path.join(folder, "case.nml"), case, "two lines\nof words")
    text = kolmo.call(path, "--check=all").out
    read = namelists.parse(text[text.find("&") :])
    check.equal("a text with an apostrophe", read.get("run.title"), ["it's one"])
    check.equal("numbers to the last digit", float(read["fluid.nu"][0]), 0.02)
    check.equal("grid.n", [int(v) for v in read["grid.n"]], [8, 12, 10])
    formulas = ["max(x, 0.5)/lx - 2*sin(pi*y/ly)^2" + " + 0*x" * 36, "atan2(x, y)", "0"]  # 249 bytes
    case = {"run": {"steps_max": 0}, "grid": {"n": [8, 8, 8], "length": [1.0, 1.0, 1.0]},
            "fluid": {"nu": 0.1}, "initial": {"type": "rest"},
            "boundary": {"z_low": "wall", "z_high": "wall", "z_high_profile": "formula",
                         "z_high_formula": formulas},
            "forcing": {"type": "formula", "fx": formulas[0]}}  # fmt: skip
    path = package.write_namelist(os.path.join(folder, "formulas.nml"), case)
    text = kolmo.call(path, "--check=all").out
    read = namelists.parse(text[text.find("&") :])
    check.equal("formulas of a wall", read.get("boundary.z_high_formula"), formulas)
    check.equal("a formula of a force", read.get("forcing.fx"), formulas[:1])
    for value in ({"a": 1}, None, "two\nlines"):
        try:
            namelists.value_text(value)
            check.equal(f"{value!r} is refused", False, True)
        except ValueError:
            check.equal(f"{value!r} is refused", True, True)


def launching_test(kolmo, check):
    """run() and sweep(), and what they say of a run that is refused."""
    os.environ["KOLMO"] = kolmo.program
    small = kc.merge(
        BOX,
        {
            "statistics": {"start": None, "interval": None, "spectra_interval": None},
            "run": {"steps_max": 2},
        },
    )
    folder = os.path.join(kolmo.place("launch"), "with blank")
    try:
        package.run(small, ranks=0, folder=folder, progress=False)
        check.equal("no ranks are refused", False, True)
    except ValueError as error:
        check.says("no ranks are refused", str(error), "ranks = 0: one or more")
    run = package.run(small, folder=folder, progress=False, fluid__nu=0.03, **{"time.dt": 0.01})
    check.equal("settings reach the run", (run.number("fluid.nu"), run.number("time.dt")), (0.03, 0.01))
    check.equal("it is finished, and not at work", (run.finished, run.running), (True, False))
    check.equal("its last step", (run.progress.step, run.progress.share), (2, 1.0))
    more = package.run(
        small,
        folder=folder,
        progress=False,
        restart="latest",
        run__steps_max=3,
        fluid__nu=0.03,
        **{"time.dt": 0.01},
    )
    check.equal("a restart", int(more.series["step"].values[-1]), 3)
    check.equal(
        "a running run is read anew",
        (int(run.series["step"].values[-1]), run.series["time"].shape),
        (3, (4,)),
    )
    try:
        package.run(small, folder=folder + "-2", progress=False, fluid__nue=1.0)
        check.equal("an unknown setting is refused", False, True)
    except package.RunFailed as error:
        check.equal("an unknown setting: exit code", error.code, 2)
        check.equal("    its words are there", "fluid.nue" in str(error), True)
    try:
        package.run(small, folder=folder, progress=False, nu=1.0)
        check.equal("a setting without a group is refused", False, True)
    except TypeError as error:
        check.equal("a setting without a group", "fluid__nu" in str(error), True)
    many = package.sweep(
        small,
        folder=kolmo.place("sweep"),
        progress=False,
        over={"fluid.nu": [0.1, 0.2], "time__dt": [0.01, 0.02]},
        run__steps_max=1,
    )
    rows = many.collect(nu=lambda one: one.number("fluid.nu"), dt=lambda one: one.series["dt"].values[-1])
    check.equal(
        "a sweep has all combinations",
        [(r["fluid.nu"], r["time.dt"], r["nu"], float(r["dt"])) for r in rows],
        [(n, d, n, d) for n in (0.1, 0.2) for d in (0.01, 0.02)],
    )
    check.equal("names of its folders", os.path.basename(many[1].folder), "nu-0.1_dt-0.02")
    job = launch.start(small, folder=kolmo.place("stopped"), run__steps_max=100000, output__log_interval=10)
    job.lines.get(timeout=60)
    while job.run.progress is None and job.process.poll() is None:
        time.sleep(0.05)
    at_work = job.run.running
    job.stop()
    try:
        job.wait()
        check.equal("a stopped run is told apart", False, True)
    except package.RunFailed as error:
        check.equal("a stopped run: exit code, and it was at work", (error.code, at_work), (5, True))


def figures_test(kolmo, check):
    """Lines have the numbers of the files."""
    if importlib.util.find_spec("matplotlib") is None:
        check.skip("figures", "no matplotlib")
        return
    import matplotlib

    matplotlib.use("Agg")
    run = package.open(box(kolmo))
    axis = package.plots.history(run, ("kinetic_energy", "enstrophy"))
    check.equal(
        "two lines", [line.get_label() for line in axis.lines], ["kinetic energy [U2]", "enstrophy [U2/L2]"]
    )
    check.equal(
        "a line has the series",
        np.array_equal(axis.lines[1].get_ydata(), run.series["enstrophy"].values),
        True,
    )
    axis = package.plots.spectrum(run)
    check.equal("a spectrum leaves out k = 0", bool(np.all(axis.lines[0].get_xdata() > 0)), True)
    axis = package.plots.slice_picture(run, 1, "velocity.z")
    mesh = axis.collections[0]
    wanted = run.slices[1].last["velocity"].values[:, 0, :, 2]
    check.equal("a slice", np.array_equal(np.asarray(mesh.get_array()).reshape(wanted.shape), wanted), True)
    check.equal("    its directions", (axis.get_xlabel()[:3], axis.get_ylabel()[:3]), ("$x$", "$z$"))
    for ending in ("pdf", "svg", "png"):
        path = os.path.join(kolmo.folder, "figure." + ending)
        package.plots.save(axis, path)
        check.equal(f"{ending}: written", os.path.getsize(path) > 1000, True)
    check.equal("no such slice", no_key(lambda: package.plots.slice_picture(run, 4)).count("[1]"), 1)


def cells_of(name, changes):
    """The cells of a notebook as a script; changes: lines behind the cell that is tagged parameters."""
    with open(os.path.join(NOTEBOOKS, name), encoding="utf-8") as file:
        cells = [c for c in json.load(file)["cells"] if c["cell_type"] == "code"]
    return "\n".join(
        "".join(c["source"]) + ("\n" + changes if "parameters" in c["metadata"].get("tags", []) else "")
        for c in cells
    )


def notebooks_test(kolmo, check):
    """Each runs from the first cell to the last, with fewer cells and steps."""
    if importlib.util.find_spec("matplotlib") is None:
        check.skip("notebooks", "no matplotlib")
        return
    short = {
        "first_flow.ipynb": "n, t_end, reynolds = (16, 16, 16), 0.5, [20, 40]",
        "channel.ipynb": "n, t_end, t_start = (12, 12, 16), 2.0, 0.4",
    }
    check.equal(
        "the notebooks", sorted(n for n in os.listdir(NOTEBOOKS) if n.endswith(".ipynb")), sorted(short)
    )
    for name, changes in short.items():
        folder = kolmo.place()
        script = os.path.join(folder, "cells.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(cells_of(name, changes))
        done = subprocess.run(
            [sys.executable, script],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=kc.SECONDS,
            env=dict(
                kc.environment(),
                KOLMO=kolmo.program,
                MPLBACKEND="Agg",
                PYTHONPATH=os.path.join(NOTEBOOKS, ".."),
            ),
        )
        check.equal(f"{name}: exit code ({done.stderr.strip()[-300:]})", done.returncode, 0)
        check.equal(f"{name}: its figures", any(f.endswith(".pdf") for f in os.listdir(folder)), True)


if __name__ == "__main__":
    kc.main(
        __doc__,
        [
            tables_test,
            hints_test,
            flows_test,
            lazily_test,
            names_test,
            namelists_test,
            launching_test,
            figures_test,
            notebooks_test,
        ],
    )

#!/usr/bin/env python3
"""Holds a refactoring to the bits of the program before it.

`record` makes some hundreds of short runs with one build, and writes a hash of every dataset and attribute
of their files to a JSON file. `compare` makes the same runs with another build and tells what differs.
README.md has the commands.

Numbers are the values of datasets and numeric attributes. Names are units, long names, dimensions and the
storage of datasets. A change of names is told apart from a change of numbers. Texts for people (log, help,
messages) are not compared. Would catch: any change of arithmetic or of its order, a share of a rank at
another place, a column, array or file that is lost, renamed or written at another step, state that a
restart loses."""
import argparse
import collections
import concurrent.futures
import functools
import glob
import hashlib
import json
import math
import multiprocessing
import os
import signal
import sys
import tempfile
import time
import types

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(HERE, "..", "support"))
try:
    import h5py
    import numpy as np
except ImportError:  # a Python of pyenv or conda; the system's one has the packages
    if os.path.realpath(sys.executable) != os.path.realpath("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    sys.exit("same_bits.py: no module numpy or h5py; install python3-numpy and python3-h5py")
import kolmo_case as kc  # noqa: E402

CASES = os.path.join(ROOT, "inputs", "cases")
SAMPLE = 16          # values of a dataset that are kept, so that a difference has a size
TOLD = 6             # differences of a run that are printed in full

# --- what is left out, and why ---

OUT_GROUPS = {"run": "/run of HDF5 files holds what differs between two equal runs: provenance"}
OUT_DATASETS = {"seconds_per_step": "wall clock of a step"}
OUT_ATTRIBUTES = {  # of the root of NetCDF files
    "version": "commit of the program", "compiler": "of the build", "flags": "of the build",
    "libraries": "of the build",
    "processor": "of the machine", "host": "of the machine", "command": "command line, with paths",
    "ranks": "layout in words", "input": "the whole input in words, with paths", "started": "time stamp",
    "date_modified": "time stamp", "history": "time stamps", "files": "names of files read, with paths",
    "program": "which program wrote, with its version",
    "_NCProperties": "versions of the NetCDF and HDF5 libraries"}
OUT_FILES = {"run.log": "text", "run.jsonl": "text, with the wall clock", "case.nml": "input",
             "kolmo.lock": "process and time", "timeline.json": "wall clock"}
OUT_FOLDER = "given"  # what this script writes for a run to read
REFERENCES = ("REFERENCE_LIST",)  # says the same as the variables' DIMENSION_LIST


# --- the contents of files ---

def number(values):
    """[hash, type and shape, some of the values] of an array."""
    values = np.ascontiguousarray(values)
    words = f"{values.dtype.str} {values.shape}"
    flat = values.ravel()
    some = flat[::max(1, math.ceil(flat.size / SAMPLE))].tolist()
    return [hashlib.sha256(words.encode() + values.tobytes()).hexdigest()[:32], words, some]


def text(value):
    """An attribute as text."""
    if isinstance(value, h5py.Empty):
        return ""
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return value if isinstance(value, str) else str(np.asarray(value).tolist())


def is_text(value):
    """Whether an attribute holds text."""
    return isinstance(value, (bytes, str, h5py.Empty)) or np.asarray(value).dtype.kind in "SUO"


def dimensions(file, lists, known):
    """Names of a variable's dimensions. known: names found before, by address; HDF5 is slow."""
    found = []
    for reference in (r for of in lists for r in of):
        node = file[reference]
        address = h5py.h5o.get_info(node.id).addr
        if address not in known:
            known[address] = node.name
        found.append(known[address])
    return " ".join(found)


def look_at(file, path, node, numbers, names, known):
    """Adds the numbers and the names of a group or dataset. path: its path in the file, "" for the root."""
    if isinstance(node, h5py.Dataset):
        numbers[path] = number(node[()])
        storage = f"{node.dtype.str}, chunks {node.chunks}, {node.compression}, most {node.maxshape}"
        names[path + " storage"] = storage
    for key in node.attrs:
        if key in REFERENCES or (path == "" and key in OUT_ATTRIBUTES):
            continue
        value = node.attrs[key]
        if key == "DIMENSION_LIST":
            names[f"{path}@dimensions"] = dimensions(file, value, known)
        elif key.startswith("_Netcdf4") or is_text(value):
            names[f"{path}@{key}"] = text(value)
        else:
            numbers[f"{path}@{key}"] = number(value)


def contents(path):
    """Numbers and names of one file."""
    numbers, names, known = {}, {}, {}
    if path.endswith(".xdmf"):
        return numbers, {"text": hashlib.sha256(kc.file_bytes(path)).hexdigest()[:32]}
    with h5py.File(path, "r") as file:
        def each(name, node):
            parts = name.split("/")
            if parts[0] not in OUT_GROUPS and parts[-1] not in OUT_DATASETS:
                look_at(file, name, node, numbers, names, known)
        look_at(file, "", file, numbers, names, known)
        file.visititems(each)
    return numbers, names


def files_of(folder):
    """Files that a run has written, by their path from its folder."""
    found = {}
    for inner, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f not in (OUT_FOLDER, ".ompi"))
        for name in sorted(f for f in files if f not in OUT_FILES):
            path = os.path.join(inner, name)
            found[os.path.relpath(path, folder)] = path
    return found


# --- one run ---

class Work:
    """A run under way: its folder, and the programs."""

    def __init__(self, kolmo, real, folder):
        self.program, self.real, self.folder = kolmo, real, folder

    def case(self, case):
        """The case for the arithmetic of the build: float does not reach the tolerances of double."""
        if self.real == "double":
            return case
        exact = case.get("pressure", {}).get("method") == "exact"  # has no systems of the diffusion alone
        solved = case.get("time", {}).get("diffusion") == "implicit" and not exact
        return kc.merge(case, {"pressure": {"tolerance": 1e-4},
                               "time": {"diffusion_tolerance": 1e-5} if solved else {}})

    def place(self, sub=""):
        """A folder of the run."""
        path = os.path.join(self.folder, sub)
        os.makedirs(path, exist_ok=True)
        return path

    def given(self, name, lines=None):
        """A path for a file to read; written here where its lines of numbers are given."""
        path = os.path.join(self.place(OUT_FOLDER), name)
        if lines is not None:
            with open(path, "w", encoding="ascii") as target:
                target.writelines(" ".join(repr(float(x)) for x in np.atleast_1d(line)) + "\n"
                                  for line in lines)
        return path

    def run(self, case, *args, ranks=1, sub=""):
        """Runs a case in a folder of this run."""
        return self.program.run(self.case(case), *args, ranks=ranks, folder=self.place(sub)).folder

    def file(self, path, settings, ranks=1):
        """Runs an input file with settings on top."""
        settings = dict(settings, **{"output.directory": self.folder})
        if self.real == "float":
            settings["pressure.tolerance"] = 1e-4
        words = [w for key, value in settings.items() for w in ("--set", f"{key}={value}")]
        self.program.call(path, *words, ranks=ranks, folder=self.folder)

    def tool(self, name, *args, ranks=1):
        """Runs kolmo-stats or kolmo-merge."""
        self.program.other(name).call(*args, ranks=ranks)

    def checkpoint(self, step, sub=""):
        """Path of a checkpoint."""
        return kc.checkpoint_path(self.place(sub), step)


RUNS = []  # (name, function of a Work)


def add(name, function):
    """One more run."""
    assert name not in (n for n, _ in RUNS), name
    RUNS.append((name, function))


def plain(name, case, ranks=(1, 3)):
    """A case, or a function of Work that gives one, on several numbers of ranks."""
    def work(of, n):
        of.run(case(of) if callable(case) else case, ranks=n)
    for n in ranks:
        add(f"{name}, {n} ranks", functools.partial(work, n=n))


# --- the cases of inputs/cases: cells, and settings on top; others are made smaller by a rule ---

SHRUNK = {
    "abc-decay": (18, 20, 16), "backward-step-re100": (48, 2, 16), "backward-step-re800": (50, 2, 16),
    "cavity-2d-re100": (24, 2, 20), "cavity-2d-re400": (20, 2, 24), "cavity-2d-re1000": (26, 2, 22),
    "cavity-3d-re1000": (16, 14, 12), "channel-minimal": (16, 12, 20), "channel-retau180-quick": (20, 16, 18),
    "channel-retau180-statistics": (24, 18, 16), "channel-retau180": (18, 24, 20),
    "channel-retau395": (20, 24, 18),
    "channel-retau590": (18, 16, 24), "channel-rotating": (16, 18, 14), "couette-turbulent": (24, 16, 14),
    "couette": (4, 4, 20), "cylinder-re20": (88, 2, 18), "duct": (4, 20, 14), "ekman": (4, 4, 30),
    "isotropic-decay": (18, 16, 20), "open-channel": (20, 18, 14), "oscillating-cylinder": (128, 80, 2),
    "poiseuille": (4, 4, 20), "square-duct": (16, 14, 12), "stirred-box": (32, 32, 32),
    "stokes-first-problem": (4, 4, 40), "taylor-couette": (40, 40, 4), "taylor-green-re1600": (20, 18, 24),
    "taylor-green-small": (16, 18, 20),
    "taylor-green-stretched": (20, 18, 16), "womersley": (4, 4, 40)}
BOX_ALONE = (20, 18, 16)
SET = {"channel-retau180-statistics": {"statistics.start": 0, "statistics.interval": 2},
       "square-duct": {"statistics.start": 0, "statistics.interval": 2},
       "isotropic-decay": {"output.field_interval_time": 0.1}}


def cases():
    """Each case on 1 and 3 ranks, the last of them with fields, too."""
    for path in sorted(glob.glob(os.path.join(CASES, "*.nml"))):
        name = os.path.basename(path)[:-len(".nml")]
        n = SHRUNK.get(name, BOX_ALONE)
        settings = dict({"run.steps_max": 8, "grid.n": ",".join(map(str, n))}, **SET.get(name, {}))
        for ranks in (1, 3):
            add(f"cases/{name}, {ranks} ranks", lambda w, path=path, s=settings, r=ranks: w.file(path, s, r))


# --- cases of this script ---

AXIS, ENDS = "xyz", ("low", "high")
FEW = {"run": {"steps_max": 4, "seed": 3}, "output": {"log_interval": 1000}}
GRID = {"n": (20, 18, 16), "length": (kc.TWO_PI, 5.0, 5.5), "stretching": ("sine", "uniform", "tanh"),
        "stretching_factor": (0.4, 0.0, 1.1)}
EVEN = {"n": (16, 12, 20), "length": (6.0, 5.0, 7.0)}
WAVES = {"type": "isotropic", "k_peak": 2.0, "velocity": (0.3, -0.2, 0.1)}
FILES = {"output": {"field_interval": 2, "field_precision": "double", "fields_vorticity": True}}
PERIODIC = kc.merge(FEW, {"grid": GRID, "fluid": {"nu": 0.02}, "time": {"cfl": 0.9}, "initial": WAVES})
UNIFORM = kc.merge(PERIODIC, {"grid": dict(EVEN, stretching=None, stretching_factor=None)})


def turned(values, stream, normal):
    """(stream, normal, span) values in the order x, y, z."""
    out = [None] * 3
    out[stream], out[normal], out[3 - normal - stream] = values
    return tuple(out)


def vector(direction, value):
    """A vector along a direction."""
    return tuple(value if d == direction else 0.0 for d in range(3))


def channel(*cases_, stream=0, normal=2):
    """A disturbed flow between walls normal to a direction, driven."""
    return kc.merge(FEW, {
        "grid": {"n": turned((16, 20, 14), stream, normal), "length": turned((3.0, 2.0, 1.7), stream, normal),
                 "stretching": turned(("uniform", "tanh", "uniform"), stream, normal),
                 "stretching_factor": turned((0.0, 1.2, 0.0), stream, normal)},
        "fluid": {"nu": 0.01}, "time": {"dt": 0.02}, "boundary": {f"{AXIS[normal]}_{e}": "wall"
                                                                  for e in ENDS},
        "initial": {"type": "channel"},
        "forcing": {"type": "bulk-velocity", "value": 1.0, "direction": AXIS[stream]}}, *cases_)


def duct(*cases_, along=0):
    """A disturbed duct, stretched in all directions."""
    a, b = (d for d in range(3) if d != along)
    walls = {f"{AXIS[d]}_{e}": "wall" for d in (a, b) for e in ENDS}
    return kc.merge(FEW, {
        "grid": {"n": turned((14, 12, 10), along, a), "length": turned((2.5, 2.0, 1.6), along, a),
                 "stretching": turned(("sine", "tanh", "tanh"), along, a),
                 "stretching_factor": turned((0.3, 1.1, 0.9), along, a)},
        "fluid": {"nu": 0.01}, "time": {"dt": 0.02}, "boundary": walls, "initial": {"type": "channel"},
        "forcing": {"type": "bulk-velocity", "value": 1.0, "direction": AXIS[along]}}, *cases_)


def stream(*cases_):
    """Synthetic turbulence comes in along x, between a moving wall and free slip in z."""
    return kc.merge(FEW, {
        "grid": {"n": (16, 12, 14), "length": (2.0, 1.5, 1.25), "stretching": ("tanh-low", "uniform", "tanh"),
                 "stretching_factor": (0.6, 0.0, 1.2)},
        "fluid": {"nu": 0.02}, "time": {"dt": 0.02}, "initial": {"type": "uniform",
                                                                 "velocity": (1.0, 0.0, 0.0)},
        "boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0),
                     "x_low_turbulence": (0.05, 0.06, 0.04),
                     "x_high": "outflow", "turbulence_length": 0.5, "turbulence_modes": 20, "z_low": "wall",
                     "z_low_velocity": (1.0, 0.2, 0.0), "z_high": "slip"}}, *cases_)


def along_z(*cases_):
    """The same downward along z, beside walls in y."""
    none = {"x_low": None, "x_low_velocity": None, "x_low_turbulence": None, "x_high": None,
            "z_low_velocity": None}
    return stream({
        "grid": {"stretching": ("sine", "tanh", "tanh-high"), "stretching_factor": (0.3, 1.0, 0.8)},
        "initial": {"velocity": (0.0, 0.0, -1.0)},
        "boundary": dict(none, z_high="inflow", z_high_velocity=(0.1, 0.0, -1.0),
                         z_high_turbulence=(0.05, 0.05, 0.05),
                         z_low="outflow", y_low="slip", y_high="wall", y_high_velocity=(0.0, 0.0, -1.0))},
                  *cases_)


PIPE = kc.merge(FEW, {
    "grid": {"n": (20, 18, 16), "length": (3.0, 1.5, 2.0), "stretching": ("tanh-low", "sine", "tanh"),
             "stretching_factor": (0.5, 0.3, 1.0)},
    "fluid": {"nu": 0.005}, "time": {"cfl": 1.2}, "initial": {"type": "channel", "disturbance": 0.4},
    "boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0), "x_low_profile": "parabolic",
                 "x_high": "outflow", "z_low": "wall", "z_high": "wall"}})
BEND = kc.merge(FEW, {
    "grid": {"n": (20, 18, 16), "length": (2.0, 1.0, 1.5), "stretching": ("tanh", "tanh-low", "uniform"),
             "stretching_factor": (0.8, 1.0, 0.0)},
    "fluid": {"nu": 0.01}, "time": {"cfl": 0.9}, "initial": {"type": "rest"},
    "boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.2, 0.0), "x_low_window": (0.25, 1.0, 0.5, 1.5),
                 "x_high": "wall", "x_high_velocity": (0.0, 0.0, 0.3), "y_low": "outflow", "y_high": "inflow",
                 "y_high_velocity": (0.0, -0.3, 0.1), "z_low": "outflow", "z_high": "wall"}})
FLOWS = (("periodic", PERIODIC), ("uniform", UNIFORM), ("walls", channel()), ("pipe", PIPE))


def time_schemes():
    """Each scheme with each kind of diffusion, in periodic boxes, between walls and with open faces."""
    for scheme in ("rk3-half", "rk3-wray"):
        for diffusion in ("explicit", "implicit", "implicit-z"):
            given = {"time": {"scheme": scheme, "diffusion": diffusion}}
            flows = [("walls", channel(given)), ("stream", stream(given)), ("along z", along_z(given))]
            if diffusion != "implicit-z":
                flows += [("periodic", kc.merge(PERIODIC, FILES, given)), ("duct", duct(given))]
            for name, case in flows:
                plain(f"time/{scheme}, {diffusion}, {name}", case)
    tight = {"time": {"diffusion": "implicit", "diffusion_tolerance": 1e-6}, "fluid": {"nu": 0.2}}
    plain("time/diffusion tolerance", kc.merge(PERIODIC, tight))
    plain("time/by cfl to an end", channel({"run": {"t_end": 0.21, "steps_max": None},
                                            "time": {"dt": None, "cfl": 1.5}}))
    plain("time/inviscid", kc.merge(UNIFORM, {"fluid": {"nu": 0.0}}))
    plain("time/reynolds", kc.merge(UNIFORM, {"fluid": {"nu": None, "reynolds": 80.0}}))


def pressure():
    """Preconditioners, their options, the exact method, guesses, stops of the solver."""
    ways = {"jacobi": {"preconditioner": "jacobi"}, "direct": {"preconditioner": "direct"},
            "polynomial": {"preconditioner": "polynomial"},
            "polynomial 1": {"preconditioner": "polynomial", "degree": 1, "weight": 0.8},
            "polynomial 7": {"preconditioner": "polynomial", "degree": 7, "ratio": 40.0},
            "multigrid": {"preconditioner": "multigrid"},
            "multigrid 3 linear": {"preconditioner": "multigrid", "smoothing": 3, "transfer": "linear"},
            "multigrid constant": {"preconditioner": "multigrid", "transfer": "constant"}}
    for way, given in ways.items():
        for name, case in FLOWS:
            plain(f"pressure/{way}, {name}", kc.merge(case, {"pressure": given}))
    stops = {"one sum": {"sums": "one"}, "several sums": {"sums": "several"}, "iterations": {"iterations": 3},
             "relative": {"relative": 1e-3}, "tolerance": {"tolerance": 1e-4}}
    for name, given in stops.items():
        for flow, case in FLOWS[::2]:
            plain(f"pressure/{name}, {flow}", kc.merge(case, {"pressure": given}), ranks=(3,))
    for guess in ("zero", "previous", "linear", "lli"):
        for scheme in ("rk3-half", "rk3-wray"):
            given = {"pressure": {"guess": guess}, "time": {"scheme": scheme}}
            plain(f"pressure/guess {guess}, {scheme}", kc.merge(PERIODIC, given))
            exact = kc.merge(PERIODIC, given, {"pressure": {"method": "exact"}})
            plain(f"pressure/exact, guess {guess}, {scheme}", exact, ranks=(3,))
    for way in ("jacobi", "direct", "multigrid"):
        for diffusion in ("explicit", "implicit"):
            for name, case in FLOWS[:2]:
                exact = {"pressure": dict(ways[way], method="exact"), "time": {"diffusion": diffusion}}
                plain(f"pressure/exact, {way}, {diffusion}, {name}", kc.merge(case, exact, FILES),
                      ranks=(1, 3))


def forces():
    """Every kind of force along every direction, oscillating ones, and turning frames."""
    for along in range(3):
        for kind, value in (("pressure-gradient", 0.3), ("bulk-velocity", 1.0), ("power", 0.2)):
            force = {"forcing": {"type": kind, "value": value, "direction": AXIS[along]}}
            plain(f"force/{kind} along {AXIS[along]}, walls",
                  channel(force, stream=along, normal=(along + 2) % 3), (3,))
            plain(f"force/{kind} along {AXIS[along]}, periodic", kc.merge(PERIODIC, force), ranks=(1,))
        plain(f"force/duct along {AXIS[along]}", duct(along=along))
    waving = {"amplitude": 0.4, "frequency": 2.0, "phase": 0.3}
    for kind in ("pressure-gradient", "bulk-velocity"):
        plain(f"force/{kind}, oscillating", channel({"forcing": dict(waving, type=kind, value=0.2)}))
    turning = {"forcing": {"rotation": (0.3, -0.5, 0.7)}}
    for name, case in (("periodic", PERIODIC), ("walls", channel()), ("pipe", PIPE)):
        for scheme in ("rk3-half", "rk3-wray"):
            plain(f"force/rotation, {name}, {scheme}", kc.merge(case, turning, {"time": {"scheme": scheme}}),
                  ranks=(3,))
    turned_z = {"forcing": {"rotation": (0.0, -0.2, 0.0)}, "time": {"diffusion": "implicit-z"}}
    plain("force/rotation, implicit-z", channel(turned_z))
    lid = {"boundary": {"z_high_velocity": (1.0, 0.3, 0.0)}, "forcing": {"type": None, "value": None,
                                                                         "direction": None}}
    plain("force/moving wall alone", channel(lid))


def walls_and_grids():
    """Walls normal to each direction, slip, lids; stretchings, faces from a file, layouts of ranks."""
    for normal in range(3):
        along = (normal + 1) % 3
        moving = {f"{AXIS[normal]}_low_velocity": vector(along, -0.5),
                  f"{AXIS[normal]}_high_velocity": vector(along, 0.7)}
        plain(f"walls/normal to {AXIS[normal]}, moving", channel({"boundary": moving}, stream=along,
                                                                 normal=normal))
        for low, high in (("wall", "slip"), ("slip", "wall")):
            sides = {"boundary": {f"{AXIS[normal]}_low": low, f"{AXIS[normal]}_high": high}}
            plain(f"walls/{low} and {high} in {AXIS[normal]}", channel(sides, stream=along, normal=normal),
                  ranks=(3,))
    cavity = {"grid": {"n": (14, 16, 12), "length": (1.0, 1.2, 0.9), "stretching": ("tanh",) * 3,
                       "stretching_factor": (1.0, 0.8, 1.2)}, "fluid": {"nu": 0.01},
              "initial": {"type": "rest"},
              "boundary": dict({f"{d}_{e}": "wall" for d in AXIS for e in ENDS},
                               z_high_velocity=(1.0, 0.2, 0.0),
                               y_low_velocity=(0.0, 0.0, 0.4))}
    plain("walls/cavity with two lids", kc.merge(FEW, cavity, FILES))
    plain("walls/slip box", kc.merge(FEW, cavity, {"boundary": {"x_low": "slip", "x_high": "slip",
                                                                "y_high": "slip"}}))

    laws = {"tanh": 1.1, "sine": 0.4, "tanh-low": 1.2, "tanh-high": 0.9, "geometric": 1.06}
    for law, factor in laws.items():
        grid = {"grid": {"stretching": ("uniform", "uniform", law), "stretching_factor": (0.0, 0.0, factor),
                         "origin": (0.5, -1.0, 2.0)}}
        plain(f"grid/{law}", channel(grid))

    def from_file(work):
        s = np.arange(21) / 20
        z = work.given("z.txt", 2.0 * (s + 0.4 * s * (1 - s) * (2 * s - 1)))
        s = np.arange(17) / 16
        x = work.given("x.txt", 3.0 * (s + 0.5 * (s * (1 - s)) ** 2))
        return channel({"grid": {"stretching": ("file", "uniform", "file"), "stretching_factor": None,
                                 "stretching_file": (x, "", z)}}, FILES)
    plain("grid/faces from files", from_file)
    for ranks in ((2, 1, 1), (1, 2, 1), (1, 1, 2), (1, 3, 1), (2, 2, 1), (1, 2, 2), (2, 1, 2)):
        for name, case in (("periodic", kc.merge(PERIODIC, FILES)), ("walls", channel()), ("bend", BEND)):
            layout = " x ".join(map(str, ranks))
            plain(f"grid/layout {layout}, {name}", kc.merge(case, {"grid": {"ranks": ranks}}),
                  (math.prod(ranks),))


def starts():
    """Every initial flow."""
    cube = {"grid": {"length": kc.CUBE}}
    for name, given in (
            ("taylor-green", {"amplitude": 0.8, "wavenumber": 2}),
            ("taylor-green-2d", {"velocity": (0.4, -0.3, 0.2)}),
            ("abc", {"abc": (1.0, 0.7, 0.4)}), ("beltrami", {"wavenumber": 2}),
            ("isotropic", {"spectrum": "von-karman", "k_peak": 3.0, "u_rms": 0.7}),
            ("isotropic", {"spectrum": "gaussian"}),
            ("uniform", {"velocity": (0.4, -0.3, 0.2)}), ("rest", {})):
        start = dict({key: None for key in WAVES}, type=name, **given)
        forced = {"forcing": {"type": "pressure-gradient", "value": 0.5}} if name == "rest" else {}
        plain(f"start/{' '.join([name, given.get('spectrum', '')]).strip()}",
              kc.merge(UNIFORM, cube, {"initial": start},
                        forced, FILES))

    def from_file(work):
        k = np.arange(1, 12) / 2
        path = work.given("spectrum.txt", np.column_stack([k, k ** 4 / (1 + k ** 6)]))
        return kc.merge(PERIODIC, {"initial": dict(WAVES, spectrum="file", spectrum_file=path, k_peak=None)})
    plain("start/isotropic from a file", from_file)
    plain("start/seed", kc.merge(PERIODIC, {"run": {"seed": 12}}))
    plain("start/channel, undisturbed", channel({"initial": {"disturbance": 0.0}}))
    plain("start/no step", kc.merge(PERIODIC, FILES, {"run": {"steps_max": 0}}))


def planes_file(path, times, first, second, velocity):
    """A file of planes for an inflow, as io/schema.md has it."""
    with h5py.File(path, "w", libver=("v110", "v110")) as target:
        target.attrs["format"], target.attrs["format_version"] = np.bytes_("kolmo-planes"), np.int64(1)
        for name, values in (("first_face", first), ("second_face", second), ("time", times),
                             ("velocity", velocity)):
            values = np.asarray(values, dtype=np.float64)
            bits = np.ascontiguousarray(values).view(np.uint64).ravel()
            with np.errstate(over="ignore"):
                hashed = np.sum(kc.mix(bits ^ kc.mix(np.arange(bits.size, dtype=np.uint64))))
            target.create_dataset(name, data=values).attrs["hash"] = hashed
        target.attrs["complete"] = np.int64(1)


def scattered(shape):
    """Numbers between 0 and 1 without a pattern, the same with every NumPy."""
    with np.errstate(over="ignore"):
        bits = kc.mix(np.arange(1, math.prod(shape) + 1, dtype=np.uint64) * np.uint64(0x9e3779b97f4a7c15))
    return ((bits >> np.uint64(11)).astype(np.float64) / 2.0 ** 53).reshape(shape)


def planes_case(work, along=0, loop=False, scheme="rk3-half"):
    """A stream from below whose inflow is planes in time, beside a wall and free slip."""
    a, b = (d for d in range(3) if d != along)
    n, length = (12, 10, 14), (2.0, 1.25, 1.75)
    times = np.array([0.0, 0.03, 0.0625, 0.07, 0.125, 0.3]) * (0.25 if loop else 1.0)
    velocity = 0.3 * scattered((len(times), n[b], n[a], 3)) - 0.15
    velocity[..., along] += 1.0
    path, d = work.given("planes.h5"), AXIS[along]
    planes_file(path, times, *(np.arange(n[e] + 1) * length[e] / n[e] for e in (a, b)), velocity)
    return kc.merge(FEW, {
        "run": {"t_end": 0.3, "steps_max": 6}, "grid": {"n": n, "length": length}, "fluid": {"nu": 0.01},
        "time": {"dt": 0.02, "scheme": scheme}, "initial": {"type": "uniform",
                                                            "velocity": vector(along, 1.0)},
        "boundary": {f"{d}_low": "inflow", f"{d}_low_profile": "planes", f"{d}_low_file": path,
                     f"{d}_high": "outflow",
                     f"{AXIS[a]}_low": "wall", f"{AXIS[a]}_high": "slip",
                     f"{AXIS[a]}_low_velocity": vector(along, 1.0),
                     "planes_loop": loop}})


def table_case(work, along=0, of=2):
    """A stream whose inflow is a table along one direction of the face."""
    span, d = 3 - along - of, AXIS[along]
    s = np.arange(9) / 4  # from 0 to 2
    columns = [s * 0.0] * 3
    columns[along], columns[of], columns[span] = 0.5 + s * (2 - s), 0.1 * s, 0.25 - 0.1 * s
    path = work.given("table.txt", np.column_stack([s] + columns))
    return kc.merge(FEW, {
        "grid": {"n": turned((16, 14, 10), along, of), "length": turned((3.0, 2.0, 1.5), along, of),
                 "stretching": turned(("uniform", "tanh", "sine"), along, of),
                 "stretching_factor": turned((0.0, 1.0, 0.3), along, of)},
        "fluid": {"nu": 0.02}, "time": {"dt": 0.02}, "initial": {"type": "uniform",
                                                                 "velocity": vector(along, 1.0)},
        "boundary": {f"{d}_low": "inflow", f"{d}_low_profile": "table", f"{d}_low_file": path,
                     f"{d}_low_along": AXIS[of], f"{d}_high": "outflow", f"{AXIS[of]}_low": "slip",
                     f"{AXIS[of]}_high": "slip"}})


def open_faces():
    """Inflows of every profile through every face, windows, two outflows, turbulence."""
    for along in range(3):
        for side in range(2):
            for profile in ("uniform", "parabolic"):
                normal, d, sign = (along + 2 - side) % 3, AXIS[along], 1.0 - 2.0 * side
                case = kc.merge(PIPE, {
                    "grid": {"n": turned((16, 14, 10), along, normal),
                             "length": turned((3.0, 2.0, 1.5), along, normal),
                             "stretching": turned(("tanh-low", "tanh", "sine"), along, normal),
                             "stretching_factor": turned((0.5, 1.0, 0.3), along, normal)},
                    "boundary": dict({key: None for key in PIPE["boundary"]})})
                case["boundary"] = {f"{d}_{ENDS[side]}": "inflow",
                                    f"{d}_{ENDS[side]}_velocity": vector(along, sign),
                                    f"{d}_{ENDS[side]}_profile": profile, f"{d}_{ENDS[1 - side]}": "outflow",
                                    f"{AXIS[normal]}_low": "wall", f"{AXIS[normal]}_high": "wall"}
                plain(f"open/{profile} from {d}_{ENDS[side]}", case, ranks=(1, 3) if side == 0 else (3,))
        plain(f"open/planes along {AXIS[along]}", functools.partial(planes_case, along=along))
        plain(f"open/planes again and again along {AXIS[along]}",
              functools.partial(planes_case, along=along, loop=True, scheme="rk3-wray"), ranks=(3,))
        plain(f"open/table along {AXIS[along]}", functools.partial(table_case, along=along,
                                                                   of=(along + 1) % 3))
    square = {"boundary": {"y_low": "wall", "y_high": "wall"},
              "grid": {"stretching": ("tanh-low", "tanh", "tanh")},
              "initial": {"type": "channel"}}
    plain("open/parabolic into a duct", kc.merge(PIPE, square))
    moving = {"boundary": {"z_low_velocity": (0.4, 0.3, 0.0), "z_high_velocity": (0.9, 0.1, 0.0),
                           "x_low_velocity": (1.0, 0.2, 0.0)}}
    plain("open/parabolic between moving walls", kc.merge(PIPE, moving))
    plain("open/bend with a window", kc.merge(BEND, FILES))
    plain("open/bend, rk3-wray", kc.merge(BEND, {"time": {"scheme": "rk3-wray"}}))
    window = {"boundary": {"x_low_profile": "parabolic", "x_low_window": (0.3, 0.96, 0.5, 1.5)}}
    plain("open/parabolic through a window", kc.merge(BEND, window))
    plain("open/turbulence", stream(FILES))
    plain("open/turbulence, parabolic", kc.merge(PIPE, {"boundary": {
        "x_low_turbulence": (0.1, 0.06, 0.03), "turbulence_length": 0.3, "turbulence_modes": 200}}))
    plain("open/speed of outflows", kc.merge(PIPE, {"boundary": {"outflow_velocity": 0.8}}))
    two = {"boundary": {"x_high": "inflow", "x_high_velocity": (1.0, 0.0, 0.0),
                        "x_high_profile": "parabolic"}}
    plain("open/in at both ends", kc.merge(PIPE, two))


PLACES = {
    "slices": {"normal": ("z", "x", "y"), "position": (4.0, 1.0, 0.1), "interval": (2, 3, 0),
               "interval_time": (0.0, 0.0, 0.06), "quantities": ("velocity pressure", "q vorticity",
                                                                 "lambda2 velocity")},
    "boxes": {"interval": (4, 2), "low(:,2)": (1.0, 0.0, 3.0), "high(:,2)": (3.0, 2.0, 4.0),
              "quantities": ("velocity, q, lambda2, vorticity, pressure", "velocity")},
    "probes": {"position": (1.0, 0.3, 4.0, 0.5, -1.0, 2.0, 6.78, 3.99, 7.49, 3.2, 1.1, 5.123), "interval": 2}}


def outputs():
    """Slices, boxes, probes, fields of every kind."""
    shifted = {"grid": {"origin": (0.5, -1.0, 2.0)}, "time": {"cfl": None, "dt": 0.03},
               "run": {"steps_max": 6}}
    for precision in ("single", "double"):
        plain(f"output/places, {precision}", kc.merge(PERIODIC, PLACES, shifted,
                                                      {"output": {"field_precision": precision}}))
    plain("output/places, 4 ranks in y and z", kc.merge(PERIODIC, PLACES, shifted,
                                                        {"grid": {"ranks": (1, 2, 2)}}), ranks=(4,))
    plain("output/places, exact", kc.merge(PERIODIC, PLACES, shifted, {"pressure": {"method": "exact"}}))
    at = {"slices": {"normal": ("z", "y"), "position": (0.1, 0.5), "interval": (2, 2),
                     "quantities": ("velocity pressure vorticity q lambda2",) * 2},
          "boxes": {"interval": (4,), "quantities": ("velocity pressure vorticity q lambda2",)}}

    def probed(case, work):
        path = work.given("probes.txt", [(0.01, 0.3, 0.02), (1.1, 0.7, 1.99), (2.99, 1.2, 0.4)])
        return kc.merge(case, at, {"probes": {"file": path, "position": (0.5, 0.5, 0.5), "interval": 1}})
    for name, case in (("walls", channel()), ("pipe", kc.merge(PIPE, {"time": {"cfl": 0.8}}))):
        plain(f"output/places, {name}", functools.partial(probed, case))
    for places in ("centres", "faces"):
        for precision in ("single", "double"):
            plain(f"output/fields at {places}, {precision}", kc.merge(PERIODIC, {
                "output": {"field_interval": 2, "field_places": places, "field_precision": precision}}),
                  ranks=(3,))
    plain("output/fields by time", channel({"output": {"field_interval_time": 0.03,
                                                       "fields_vorticity": True}}), ranks=(3,))
    plain("output/series every second step", channel({"output": {"series_interval": 2}}), ranks=(1,))
    plain("output/checkpoints", channel({"checkpoint": {"interval": 1, "keep": 3}}))
    behind = {"checkpoint": {"background": True, "interval": 2}}
    plain("output/written behind the steps", kc.merge(PERIODIC, FILES, behind))
    plain("output/written behind the steps, duct", duct(behind,
                                                        {"statistics": {"start": 0.0, "interval": 1}}),
          ranks=(3,))


# --- statistics ---

SAMPLED = {"run": {"steps_max": 12}, "statistics": {"start": 0.0, "interval": 1}}
RICH = {"statistics": {"spectra_heights": (0.2, 0.9), "spectra_interval": 2, "quadrants": True,
                       "quadrant_holes": (1.0, 2.0, 4.0)}}
BOX = kc.merge(UNIFORM, {"run": {"steps_max": 12}, "time": {"dt": 0.02, "cfl": None},
                         "statistics": {"start": 0.0, "interval": 2, "spectra_interval": 2},
                         "forcing": {"type": "pressure-gradient", "value": 0.1}})
STORED = {"checkpoint": {"interval": 2, "keep": 99}, "output": {"field_interval": 2, "field_places": "faces"}}


def statistics():
    """Averages of boxes, planes and sections, spectra, and the ends that they give a run."""
    plain("statistics/box", BOX)
    plain("statistics/box, exact", kc.merge(BOX, {"pressure": {"method": "exact"},
                                                  "forcing": {"type": None, "value": None}}))
    plain("statistics/box, stretched", kc.merge(PERIODIC, SAMPLED))
    plain("statistics/box, written on the way", kc.merge(BOX, {"statistics": {"write_interval": 4}}),
          ranks=(3,))
    for normal in range(3):
        case = channel(SAMPLED, RICH, stream=(normal + 1) % 3, normal=normal)
        plain(f"statistics/walls normal to {AXIS[normal]}", case)
    for name, given in (("few", {"statistics": {"stress_budgets": False}}),
                        ("wall and slip", {"boundary": {"z_high": "slip"}}),
                        ("moving wall", {"boundary": {"z_high_velocity": (0.6, 0.1, 0.0)}}),
                        ("implicit-z", {"time": {"diffusion": "implicit-z"}}),
                        ("rotation", {"forcing": {"rotation": (0.1, -0.2, 0.3)}})):
        plain(f"statistics/walls, {name}", channel(SAMPLED, given))
    late = {"run": {"steps_max": 12}, "statistics": {"start": 0.05, "interval": 3}}
    plain("statistics/walls, from later on", channel(late), ranks=(1,))
    for along in range(3):
        plain(f"statistics/duct along {AXIS[along]}", duct(SAMPLED, along=along))
    plain("statistics/stream between walls", kc.merge(PIPE, SAMPLED))
    plain("statistics/stream with turbulence", stream(SAMPLED,
                                                      {"boundary": {"z_low": None, "z_low_velocity": None,
                                                                    "z_high": None},
                                                       "grid": {"stretching": ("uniform",) * 3,
                                                                "stretching_factor": None}}))
    plain("statistics/stream along z", along_z(SAMPLED))
    for name, case in (("u_b", channel()), ("dissipation", duct()), ("k", BOX)):
        ends = {"run": {"steps_max": 40}, "statistics": {"start": 0.0, "interval": 1, "stop_when": name,
                                                         "stop_error": 0.3}}
        plain(f"statistics/stop by the error of {name}", kc.merge(case, ends), ranks=(3,))


def stored():
    """kolmo-stats: from checkpoints, from fields, a part of them. kolmo-merge: two runs."""
    def from_checkpoints(work, case, ranks, *words):
        folder = work.run(kc.merge(case, STORED))
        work.tool("kolmo-stats", folder, "--out", os.path.join(folder, "stats"), *words, ranks=ranks)

    def from_fields(work, precision, ranks):
        folder = work.run(kc.merge(BOX, STORED, {"output": {"field_precision": precision}}))
        files = [os.path.join(folder, f"fields_{s:08d}.h5") for s in range(2, 13, 2)]
        work.tool("kolmo-stats", *files, "--out", os.path.join(folder, "stats"), ranks=ranks)
    flows = (("box", BOX), ("walls", channel(SAMPLED, RICH)), ("duct", duct(SAMPLED)),
             ("stream", kc.merge(PIPE, SAMPLED)),
             ("exact", kc.merge(BOX, {"pressure": {"method": "exact"},
                                      "forcing": {"type": None, "value": None}})))
    for name, case in flows:
        for ranks in (1, 3):
            add(f"stored/checkpoints of {name}, {ranks} ranks", lambda w, c=case,
                r=ranks: from_checkpoints(w, c, r))
    part = ("--from", "0.05", "--to", "0.2", "--every", "2", "--no-spectra")
    add("stored/a part of a box", lambda w: from_checkpoints(w, BOX, 1, *part))
    without = kc.merge(UNIFORM, {"run": {"steps_max": 6}})
    add("stored/spectra of a run without", lambda w: from_checkpoints(w, without, 3, "--spectra"))
    for precision in ("double", "single"):
        for ranks in (1, 3):
            add(f"stored/fields, {precision}, {ranks} ranks", lambda w, p=precision,
                r=ranks: from_fields(w, p, r))

    def seeds(work, case, ranks):
        folders = [work.run(kc.merge(case, {"run": {"seed": seed}}), sub=f"seed-{seed}") for seed in (3, 8)]
        work.tool("kolmo-merge", *folders, "--out", os.path.join(work.folder, "merged"), ranks=ranks)

    def segments(work, case, ranks):
        first = work.run(case, sub="first")
        start = float(kc.read_series(first)["time"][-1]) + 1e-9
        later = kc.merge(case, {"run": {"steps_max": 2 * case["run"]["steps_max"]},
                                "statistics": {"start": start}})
        second = work.run(later, "--restart", kc.checkpoint_path(first), sub="second")
        work.tool("kolmo-merge", second, first, "--out", os.path.join(work.folder, "merged"), ranks=ranks)
    for name, case in flows[:4]:
        add(f"merged/seeds of {name}", lambda w, c=case: seeds(w, c, 1))
        add(f"merged/segments of {name}", lambda w, c=case: segments(w, c, 2))


# --- restarts ---

def restarts():
    """On other ranks, from the same folder and into another; another grid; other physics."""
    def goes_on(work, case, first, second, sub=""):
        steps = 2 * work_steps
        case = case(work) if callable(case) else case
        work.run(kc.merge(case, {"run": {"steps_max": work_steps}, "checkpoint": {"interval": work_steps}}),
                 ranks=first)
        path = work.checkpoint(work_steps)
        work.run(kc.merge(case, {"run": {"steps_max": steps}}), "--restart", path if sub else "latest",
                 ranks=second, sub=sub)
    work_steps = 3
    implicit = {"time": {"diffusion": "implicit"}}
    flows = {
        "periodic": PERIODIC, "periodic, rk3-wray, implicit": kc.merge(PERIODIC, implicit,
                                                                       {"time": {"scheme": "rk3-wray"}}),
        "guess linear": kc.merge(PERIODIC, {"pressure": {"guess": "linear"}}),
        "exact": kc.merge(PERIODIC, {"pressure": {"method": "exact"}}), "walls": channel(SAMPLED, RICH),
        "walls, implicit-z": channel({"time": {"diffusion": "implicit-z"}}),
        "box with statistics": kc.merge(BOX, {"statistics": {"interval": 1, "spectra_interval": 1}}),
        "duct with statistics": duct(SAMPLED), "pipe": kc.merge(PIPE, SAMPLED), "bend": BEND,
        "turbulence": stream(implicit),
        "table": table_case, "planes": planes_case,
        "places": kc.merge(PERIODIC, PLACES, FILES, {"grid": {"origin": (0.5, -1.0, 2.0)}})}
    for name, case in flows.items():
        add(f"restart/{name}, 1 to 3 ranks", lambda w, c=case: goes_on(w, c, 1, 3))
        add(f"restart/{name}, 3 ranks to 1, another folder", lambda w, c=case: goes_on(w, c, 3, 1, "on"))

    def changed(work, case, more, ranks, *words):
        work.run(case)
        end = case["run"]["steps_max"]
        more = kc.merge(case, {"run": {"steps_max": end + 2}}, more)
        work.run(more, "--restart", work.checkpoint(end), *words, ranks=ranks, sub="on")
    grids = {"finer": {"n": (30, 28, 24)}, "coarser": {"n": (12, 16, 10)},
             "a little finer": {"n": (21, 19, 17)},
             "stretched otherwise": {"n": (20, 24, 20), "stretching": ("uniform", "sine", "tanh"),
                                     "stretching_factor": (0.0, 0.3, 1.5)}}
    for name, grid in grids.items():
        for ranks in (1, 3):
            more = {"grid": grid, "checkpoint": {"regrid": True}}
            add(f"regrid/{name}, {ranks} ranks", lambda w, m=more, r=ranks: changed(w, PERIODIC, m, r))
    for name, case, n in (("walls", channel(SAMPLED), (18, 12, 24)), ("duct", duct(SAMPLED), (12, 16, 14)),
                          ("pipe", PIPE, (24, 14, 20)),
                          ("exact", kc.merge(PERIODIC, {"pressure": {"method": "exact"}}), (24, 14, 20))):
        more = {"grid": {"n": n}, "checkpoint": {"regrid": True}}
        add(f"regrid/{name}, 3 ranks", lambda w, c=case, m=more: changed(w, c, m, 3))
    other = {"other viscosity": (PERIODIC, {"fluid": {"nu": 0.01}}),
             "other walls": (channel(), {"boundary": {"z_high": "slip"}}),
             "other force": (channel(SAMPLED), {"forcing": {"type": "pressure-gradient", "value": 0.5}})}
    for name, (case, more) in other.items():
        add(f"restart/{name}, forced", lambda w, c=case, m=more: changed(w, c, m, 3, "--force-restart"))
    add("restart/other scheme and step", lambda w: changed(w, PERIODIC,
                                                           {"time": {"scheme": "rk3-wray", "cfl": 0.5},
                                                            "pressure": {"tolerance": 1e-4}}, 3))


for part_ in (cases, time_schemes, pressure, forces, walls_and_grids, starts, open_faces, outputs, statistics,
              stored, restarts):
    part_()


# --- all runs ---

def make(kolmo, real, number_, folder):
    """Makes a run. Returns its files, {file: (numbers, names)}, or the text of a fault; and its seconds."""
    started = time.monotonic()
    name, function = RUNS[number_]
    place = os.path.join(folder, name.replace("/", "-").replace(" ", "_"))
    os.makedirs(place)
    try:
        function(Work(kolmo, real, place))
        made = {file: contents(path) for file, path in files_of(place).items()}
    except Exception as fault:  # pylint: disable=broad-except
        made = f"{type(fault).__name__}: {str(fault)[:600]}"
    for inner, _, files in os.walk(place):  # the disk is small
        for file in files:
            os.remove(os.path.join(inner, file))
    return made, time.monotonic() - started


def make_all(options, real):
    """Yields (name, result of make) of each run as it ends. The order is that of the list."""
    os.environ.setdefault("OMPI_MCA_hwloc_base_binding_policy", "none")
    os.environ.setdefault("OMPI_MCA_mpi_yield_when_idle", "1")
    os.environ.setdefault("OMPI_MCA_rmaps_base_oversubscribe", "1")
    program = os.path.join(options.programs, "kolmo")
    if not os.access(program, os.X_OK) or os.path.isdir(program):
        sys.exit(f"same_bits.py: {program} is not a program; --programs is the folder that holds kolmo")
    chosen = [(i, n) for i, (n, _) in enumerate(RUNS) if any(word in n for word in options.only.split(";"))]
    fork = multiprocessing.get_context("fork")  # the functions of the runs can't be sent to a process
    with tempfile.TemporaryDirectory(prefix="kolmo-bits-") as folder, \
            concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=fork) as pool:
        kolmo = kc.Kolmo(types.SimpleNamespace(kolmo=program, mpirun=options.mpirun), folder)
        waiting = collections.deque((n, pool.submit(make, kolmo, real, i, folder)) for i, n in chosen)
        while waiting:
            name, future = waiting.popleft()
            made, seconds = future.result()
            if options.times:
                print(f"{seconds:6.2f} s  {name}", flush=True)
            yield name, made


def record(options):
    """Writes the hashes of all runs."""
    out = {"real": options.real, "names": {}, "runs": {}}
    faults = count = 0
    for name, made in make_all(options, options.real):
        if isinstance(made, str):
            faults += 1
            print(f"FAIL {name}: {made}", flush=True)
            continue
        count += 1
        files = {}
        for file, (numbers, names) in made.items():
            key = hashlib.sha256(json.dumps(names, sort_keys=True).encode()).hexdigest()[:16]
            out["names"][key] = names  # many files have the same names: each table is kept once
            files[file] = {"numbers": numbers, "names": key}
        out["runs"][name] = files
    with open(options.out + ".tmp", "w", encoding="utf-8") as target:
        json.dump(out, target, separators=(",", ":"))
    os.replace(options.out + ".tmp", options.out)
    values = sum(len(f["numbers"]) for files in out["runs"].values() for f in files.values())
    print(f"{options.out}: {values} arrays and numbers of {sum(map(len, out['runs'].values()))} files")
    print(f"{count} passed, {faults} failed")
    return faults == 0 and count > 0


def flat(files, part):
    """{file:object: value} of the numbers or names of a run's files."""
    return {f"{file}:{path}": value for file, both in files.items() for path, value in both[part].items()}


def apart(old, new):
    """How far two hashed arrays are from each other, by the values that are kept of them."""
    if old[1] != new[1]:
        return f"{old[1]} was, {new[1]} is"
    a, b = np.array(old[2], dtype=float), np.array(new[2], dtype=float)
    different = ~((a == b) | (np.isnan(a) & np.isnan(b)))
    if not different.any():
        return "none of the values kept differs"
    gap = np.max(np.abs(a - b)[different])
    return (f"{different.sum()} of {a.size} values kept differ, by {gap:.3g} at most, "
            f"the largest value is {np.nanmax(np.abs(a)):.3g}")


def differences(old, new):
    """(what differs in numbers, what differs in names) of two runs."""
    was, now = flat(old, "numbers"), flat(new, "numbers")
    lost, more = sorted(set(was) - set(now)), sorted(set(now) - set(was))
    numbers = [f"{key}: {apart(was[key], now[key])}"
               for key in sorted(set(was) & set(now), key=lambda k: (k.endswith("@hash"), k))
               if was[key][0] != now[key][0]]
    renamed = []
    for key in list(lost):  # the same bits under another name
        twin = next((k for k in more if now[k][0] == was[key][0]), None)
        if twin is not None:
            renamed.append(f"{key} is now {twin}")
            lost.remove(key)
            more.remove(twin)
    numbers += [f"{key}: lost" for key in lost] + [f"{key}: new" for key in more]
    both = set(old) & set(new)
    was, now = (flat({file: run[file] for file in both}, "names") for run in (old, new))
    names = [f"{key}: {was.get(key)!r} was, {now.get(key)!r} is" for key in sorted(set(was) | set(now))
             if was.get(key) != now.get(key)]
    empty = sorted(set(old) ^ set(new))
    return numbers + [f"file {name}: {'lost' if name in old else 'new'}" for name in empty], renamed + names


def compare(options):
    """Makes the runs again and tells what differs."""
    with open(options.with_file, encoding="utf-8") as source:
        stored_ = json.load(source)
    passed, failed, changed = 0, 0, collections.Counter()
    for name, made in make_all(options, stored_["real"]):
        old = stored_["runs"].get(name)
        if isinstance(made, str) or old is None:
            failed += 1
            print(f"FAIL {name}: {made if isinstance(made, str) else 'not in ' + options.with_file}",
                  flush=True)
            continue
        old = {file: {"numbers": f["numbers"], "names": stored_["names"][f["names"]]} for file,
               f in old.items()}
        new = json.loads(json.dumps({file: {"numbers": n, "names": t} for file, (n, t) in made.items()}))
        numbers, names = differences(old, new)
        changed.update(names)
        good = not numbers and (options.numbers_only or not names)
        passed += good
        failed += not good
        if numbers or names:
            word = "ok  " if good else "FAIL"
            print(f"{word} {name}: {len(numbers)} numbers and {len(names)} names differ", flush=True)
            for line in numbers[:TOLD] + ([f"and {len(numbers) - TOLD} more"] if len(numbers) > TOLD else []):
                print(f"       {line}", flush=True)
    for line, times in changed.most_common(None if options.all_names else 40):
        print(f"name, in {times} runs: {line}")
    if not options.only:
        gone = sorted(set(stored_["runs"]) - set(n for n, _ in RUNS))
        failed += len(gone)
        for name in gone:
            print(f"FAIL {name}: recorded, but not a run of this script any more")
    print(f"{passed} passed, {failed} failed")
    return failed == 0 and passed > 0


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb in ("record", "compare"):
        one = verbs.add_parser(verb)
        one.add_argument("--programs", required=True, help="folder with kolmo, kolmo-stats and kolmo-merge")
        one.add_argument("--only", default="",
                         help="only runs whose name contains this, or one of these: a;b")
        one.add_argument("--jobs", type=int, default=3, help="runs at a time (3)")
        one.add_argument("--mpirun", default="mpirun --oversubscribe", help="how several ranks are started")
        one.add_argument("--times", action="store_true", help="print the seconds of each run")
        if verb == "record":
            one.add_argument("--out", required=True, help="the JSON file to write")
            one.add_argument("--real", default="double", choices=("float", "double"),
                             help="arithmetic of the program")
        else:
            one.add_argument("--with", dest="with_file", required=True,
                             help="a JSON file that record has written")
            one.add_argument("--numbers-only", action="store_true",
                             help="names that differ are told, and do not fail")
            one.add_argument("--all-names", action="store_true",
                             help="tell all names that differ, not the first 40")
    options = parser.parse_args()
    sys.exit(0 if (record if options.verb == "record" else compare)(options) else 1)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # quietly ended where nobody reads on, as `| head`
    main()

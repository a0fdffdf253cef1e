"""What the end-to-end tests share: a case from dictionaries, a run with a time limit, its files, and the
count of checks.

A test script is a list of functions test(kolmo, check) handed to main(). Each check prints the number it
measured beside its bound; NaN never passes. A run that ends otherwise than expected fails the test that
started it."""
import argparse
import copy
import ctypes
import glob
import math
import os
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

X, Y, Z = 0, 1, 2
TWO_PI = 2.0 * math.pi
CUBE = (TWO_PI, TWO_PI, TWO_PI)
LOCATION = {"u": "fcc", "v": "cfc", "w": "ccf", "p": "ccc"}
SECONDS = 120            # time limit of one run, where the test gives none
FROM_CLOCK = ("seconds_per_step",)  # columns of the series that two equal runs may differ in
# columns of the series that are NaN without a fluctuation, or until a window has enough records
FITTED = ("dissipation_time", "decay_exponent", "decay_exponent_error")


class RunError(Exception):
    """A run ended otherwise than the test expects, or a file of it is missing."""


def xarray_of_netcdf():
    """xarray, if it is installed with a library that reads NetCDF files; else None."""
    try:
        import xarray
    except ImportError:
        return None
    return xarray if {"netcdf4", "h5netcdf"} & set(xarray.backends.list_engines()) else None


# --- a case ---

def value_text(value):
    """A value as the namelist writes it; reals read back as the same double."""
    if isinstance(value, (tuple, list)):
        return ", ".join(value_text(v) for v in value)
    if isinstance(value, (bool, np.bool_)):
        return ".true." if value else ".false."
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, (int, np.integer)):
        return str(value)
    return repr(float(value))


def namelist(case):
    """Text of a case: {group: {name: value}}."""
    return "".join(f"&{group}\n" + "".join(f"  {name} = {value_text(v)}\n" for name, v in names.items())
                   + "/\n"
                   for group, names in case.items())


def merge(*cases):
    """The cases laid over each other, the later ones on top; None takes a name away."""
    out = {}
    for case in cases:
        for group, names in copy.deepcopy(case).items():
            out.setdefault(group, {}).update(names)
    return {group: {name: v for name, v in names.items() if v is not None} for group, names in out.items()}


# --- a run ---

class Result:
    """A run that has ended: exit code, both outputs, seconds, and the folder of its files."""

    def __init__(self, rc, out, err, seconds, folder):
        self.rc, self.out, self.err, self.seconds, self.folder = rc, out, err, seconds, folder

    @property
    def text(self):
        """Both outputs."""
        return self.out + self.err

    def series(self):
        """Columns of series.nc."""
        return read_series(self.folder)

    def checkpoint(self, step=None):
        """The checkpoint of a step, or the newest."""
        return Checkpoint(checkpoint_path(self.folder, step))

    def steps(self):
        """Steps of the checkpoints in the folder."""
        return checkpoint_steps(self.folder)


def environment():
    """Open MPI otherwise refuses to start as root; one thread a rank."""
    env = dict(os.environ, OMP_NUM_THREADS="1")
    env.setdefault("OMPI_ALLOW_RUN_AS_ROOT", "1")
    env.setdefault("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    # tuned launch shapes
    env.setdefault("XDG_CACHE_HOME", os.path.join(tempfile.gettempdir(), "kolmo-test-cache"))
    if "ASAN_OPTIONS" in env:  # leaks of whole runs: tests/support/leaks.py
        env["ASAN_OPTIONS"] += ":detect_leaks=0"
    return env


def crowding():
    """How many times longer than alone a program may take while others keep the cores busy, at least 1.
    Limits after which a run counts as hanging grow with it."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def stop(process):
    """Ends a process that we started; mpirun is asked first, so that it takes its ranks along."""
    for number, patience in ((signal.SIGTERM, 10), (signal.SIGKILL, 10)):
        try:
            os.killpg(process.pid, number)
            process.wait(patience)
            return
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


class Kolmo:
    """The program under test and a folder for its runs."""

    def __init__(self, options, folder):
        self.program = os.path.abspath(options.kolmo)
        self.mpirun = shlex.split(options.mpirun)
        self.folder = folder
        self.options = options
        self.count = 0
        self.processes = 0

    def other(self, name):
        """The same for another program of this build."""
        twin = copy.copy(self)
        twin.program = os.path.join(os.path.dirname(self.program), name)
        return twin

    def place(self, name=None):
        """A new folder."""
        self.count += 1
        path = os.path.join(self.folder, name or f"run-{self.count}")
        os.makedirs(path, exist_ok=True)
        return path

    def command(self, args, ranks):
        """The command line of a run; 0 ranks: without mpirun."""
        start = self.mpirun + ["-n", str(ranks)] if ranks > 1 else []
        return start + [self.program] + list(args)

    def start(self, args, ranks=1, env=None, **more):
        """Starts and returns the process, its outputs in pipes. env: variables on top of the environment."""
        self.processes += max(ranks, 1)
        env = {**environment(), **(self.alone() if ranks <= 1 else {}), **(env or {})}
        return subprocess.Popen(self.command(args, ranks), env=env, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                start_new_session=True, **more)

    def alone(self):
        """Without mpirun Open MPI 4 starts a daemon for ranks that might be spawned, a third of the time of a
        short run. Without the daemon all such runs have the same name, and so need folders of their own."""
        base = os.path.join(self.folder, ".ompi")
        os.makedirs(base, exist_ok=True)
        return {"OMPI_MCA_ess_singleton_isolated": "1",
                "OMPI_MCA_orte_tmpdir_base": tempfile.mkdtemp(dir=base)}

    def finish(self, process, folder=None, rc=0, seconds=SECONDS, started=None):
        """Waits for a process of start(). rc: the exit code expected; None: any."""
        started = started or time.monotonic()
        try:
            patience = seconds * crowding()
            out, err = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            stop(process)
            raise RunError(f"no end within {patience:.0f} s: {shlex.join(process.args)}") from None
        result = Result(process.returncode, out.decode(errors="replace"), err.decode(errors="replace"),
                        time.monotonic() - started, folder)
        if rc is not None and result.rc != rc:
            last = " | ".join((result.err or result.out).strip().splitlines()[:6])
            raise RunError(f"exit code {result.rc}, expected {rc}: {shlex.join(process.args)}: {last}")
        return result

    def call(self, *args, ranks=1, rc=0, seconds=SECONDS, folder=None, **more):
        """A run with these arguments as they are."""
        started = time.monotonic()
        return self.finish(self.start(args, ranks, **more), folder, rc, seconds, started)

    def write(self, case, folder):
        """Writes case.nml into a folder, output.directory the same unless given. Returns its path."""
        path = os.path.join(folder, "case.nml")
        with open(path, "w", encoding="utf-8") as target:
            target.write(namelist(merge({"output": {"directory": folder}}, case)))
        return path

    def run(self, case, *args, ranks=1, folder=None, rc=0, seconds=SECONDS):
        """Runs a case in a folder of its own, or the one given."""
        folder = folder or self.place()
        return self.call(self.write(case, folder), *args, ranks=ranks, rc=rc, seconds=seconds, folder=folder)

    def run_once(self, case, folder=None):
        """The run of a case whose files no test changes: one for all tests of a script. folder: where, if it
        is the first that is asked for."""
        known = self.options.__dict__.setdefault("known_runs", {})
        text = self.program + namelist(case)
        if text not in known:
            known[text] = self.run(case, folder=folder)
        return known[text]


def children(pid):
    """Processes that a process has started."""
    found = []
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            with open(path, encoding="ascii") as source:
                found += [int(word) for word in source.read().split()]
        except OSError:
            continue
    return found


def wait_for(condition, process, what, seconds=60):
    """Waits until the condition holds; RunError where the process ends before or time is up."""
    patience = seconds * crowding()
    limit = time.monotonic() + patience
    while not condition():
        if process.poll() is not None:
            raise RunError(f"the run ended, exit code {process.returncode}, before {what}")
        if time.monotonic() > limit:
            stop(process)
            raise RunError(f"not within {patience:.0f} s: {what}")
        time.sleep(0.003)


# --- its files ---

def read_series(folder):
    """Columns of series.nc; NetCDF-4 is HDF5, and a dimension without a variable a dataset there."""
    path = os.path.join(folder, "series.nc")
    try:
        with h5py.File(path, "r") as source:
            return {name: np.array(column) for name, column in source.items() if name != "record"}
    except OSError as fault:
        raise RunError(f"{path}: {fault}") from fault


def checkpoint_steps(folder):
    """Steps of the checkpoints in a folder, in order."""
    return sorted(int(os.path.basename(p)[len("checkpoint_"):-len(".h5")])
                  for p in glob.glob(os.path.join(folder, "checkpoint_*.h5")))


def checkpoint_path(folder, step=None):
    """Name of the checkpoint of a step, or the newest."""
    steps = checkpoint_steps(folder)
    if not steps or (step is not None and step not in steps):
        raise RunError(f"{folder}: checkpoints of steps {steps}, wanted {'any' if step is None else step}")
    return os.path.join(folder, f"checkpoint_{steps[-1] if step is None else step:08d}.h5")


def along(values, direction):
    """1-D values of one direction, shaped to broadcast over [k, j, i]."""
    shape = [1, 1, 1]
    shape[2 - direction] = len(values)
    return np.reshape(values, shape)


def down(q, direction):
    """q one point lower, periodic: result[i] = q[i - 1]."""
    return np.roll(q, 1, axis=2 - direction)


def up(q, direction):
    """q one point higher, periodic: result[i] = q[i + 1]."""
    return np.roll(q, -1, axis=2 - direction)


class Checkpoint:
    """Fields [k, j, i], numbers of the state, and the grid of a checkpoint."""

    def __init__(self, path):
        self.path = path
        try:
            with h5py.File(path, "r") as source:
                self.fields = {name: np.array(field) for name, field in source["fields"].items()}
                self.state = {name: float(value) for name, value in source["state"].attrs.items()}
                self.face = [np.array(source[f"grid/{d}_face"]) for d in "xyz"]
        except (OSError, KeyError) as fault:
            raise RunError(f"{path}: {fault}") from fault
        self.length = [f[-1] - f[0] for f in self.face]
        self.centre = [0.5 * (f[1:] + f[:-1]) for f in self.face]
        self.width = [np.diff(f) for f in self.face]
        self.gap = [c - np.concatenate(([c[-1] - length], c[:-1]))
                    for c, length in zip(self.centre, self.length)]

    @property
    def velocity(self):
        """u, v, w."""
        return [self.fields[name] for name in "uvw"]

    def position(self, name):
        """Broadcastable x, y, z of a field's points."""
        return [along(self.face[d][:-1] if LOCATION[name][d] == "f" else self.centre[d], d) for d in range(3)]

    def weight(self, name):
        """Volumes round a field's points over the box."""
        out = 1.0
        for d in range(3):
            out = out * along((self.gap if LOCATION[name][d] == "f" else self.width)[d] / self.length[d], d)
        return out

    def mean(self, name, values):
        """Volume mean of values at a field's points."""
        return float(np.sum(self.weight(name) * values))

    def rms(self, name, values):
        """Root of the volume mean square."""
        return math.sqrt(self.mean(name, np.square(values)))

    def divergence(self):
        """div u of each cell."""
        return sum((up(q, d) - q) / along(self.width[d], d) for d, q in enumerate(self.velocity))

    def scaled_divergence(self):
        """max |div u| h / U, as pressure.tolerance counts it."""
        h = np.prod([f[-1] - f[0] for f in self.face]) ** (1 / 3) / self.fields["u"].size ** (1 / 3)
        return float(np.max(np.abs(self.divergence())) * h / max(np.max(np.abs(q)) for q in self.velocity))


def mix(x):
    """The finaliser of splitmix64, io/schema.md."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xbf58476d1ce4e5b9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94d049bb133111eb)
    return x ^ (x >> np.uint64(31))


def write_field(path, name, values):
    """Other values of a field in a checkpoint, with the hash that belongs to them."""
    with h5py.File(path, "r+", libver=("v110", "v110")) as target:
        data = target["fields"][name]
        data[...] = values
        bits = np.ascontiguousarray(data[...]).view(np.uint64).ravel()
        with np.errstate(over="ignore"):
            before, now = data.attrs["hash"], np.sum(mix(bits ^ mix(np.arange(bits.size, dtype=np.uint64))))
            data.attrs.modify("hash", now)
            target.attrs.modify("hash", np.uint64(target.attrs["hash"]) + (now - np.uint64(before)))


def number_hash(name, value):
    """Of a number of /state, io/schema.md: FNV-1a of its name and of its value as C writes it by %a."""
    text = ctypes.create_string_buffer(64)
    ctypes.CDLL(None).snprintf(text, ctypes.c_size_t(64), b"%a", ctypes.c_double(value))
    found = 0xcbf29ce484222325
    for byte in name.encode() + b"\0" + text.value + b"\0":
        found = (found ^ byte) * 0x100000001b3 % 2**64
    return found


def write_state(path, name, value, root_step=False):
    """Another number in /state of a checkpoint, with the hash that belongs to it. root_step: the file's own
    step, too."""
    with h5py.File(path, "r+", libver=("v110", "v110")) as target:
        state = target["state"].attrs
        moved = number_hash(name, value) - number_hash(name, float(state[name]))
        state.modify(name, np.float64(value))
        if root_step:
            moved += number_hash("step", value) - number_hash("step", float(target.attrs["step"]))
            target.attrs.modify("step", np.int64(value))
        target.attrs.modify("hash", np.uint64((int(target.attrs["hash"]) + moved) % 2**64))


def differing_arrays(a, b, leave=()):
    """Names whose values are not bit for bit the same in two dictionaries of arrays or numbers."""
    names = sorted((set(a) | set(b)) - set(leave))
    return [n for n in names if n not in a or n not in b or np.shape(a[n]) != np.shape(b[n])
            or np.asarray(a[n]).tobytes() != np.asarray(b[n]).tobytes()]


def differences(one, other, step=None):
    """What differs, bit for bit, between the newest checkpoints (or those of a step) and the series of two
    runs."""
    a, b = one.checkpoint(step), other.checkpoint(step)
    found = [f"field {n}" for n in differing_arrays(a.fields, b.fields)]
    found += [f"state {n}" for n in differing_arrays(a.state, b.state)]
    found += [f"faces {d}" for d in range(3) if a.face[d].tobytes() != b.face[d].tobytes()]
    return found + [f"column {n}" for n in differing_arrays(one.series(), other.series(), FROM_CLOCK)]


def file_bytes(path):
    """Content of a file."""
    with open(path, "rb") as source:
        return source.read()


def read_fields(path):
    """Arrays of a fields file, without the grid."""
    with h5py.File(path, "r") as source:
        return {name: np.array(d) for name, d in source.items() if isinstance(d, h5py.Dataset)}


# --- checks ---

class Check:
    """Counts what passed and failed, and prints each number with its bound."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def _count(self, good, text):
        self.passed += bool(good)
        self.failed += not good
        print(("ok   " if good else "FAIL ") + text, flush=True)
        return bool(good)

    def below(self, name, value, bound):
        """value <= bound"""
        return self._count(value <= bound, f"{name}: {value:.3g} <= {bound:.3g}")

    def above(self, name, value, bound):
        """value >= bound"""
        return self._count(value >= bound, f"{name}: {value:.4g} >= {bound:.4g}")

    def near(self, name, value, wanted, by):
        """|value - wanted| <= by"""
        return self._count(abs(value - wanted) <= by, f"{name}: {value:.6g} = {wanted:.6g} +- {by:.2g}")

    def equal(self, name, value, wanted):
        """value == wanted"""
        return self._count(value == wanted,
                           f"{name}: {value!r}" + ("" if value == wanted else f", expected {wanted!r}"))

    def same(self, name, different):
        """A list of differences is empty."""
        return self._count(not different,
                           f"{name}: " + (", ".join(different) + " differ" if different else "same bits"))

    def holds(self, name, condition, found=""):
        """A condition without a number; found: what was there instead."""
        return self._count(condition, name + ("" if condition or not found else f"; found: {found}"))

    def says(self, name, text, *parts):
        """Every part stands in the text."""
        missing = [p for p in parts if p not in text]
        return self._count(not missing, f"{name}: says " + ", ".join(map(repr, parts)) if not missing
                           else f"{name}: {missing} not in: {text.strip()[:600]}")

    def skip(self, name, why):
        """Counts a test that can't be done here."""
        self.skipped += 1
        print(f"skip {name}: {why}", flush=True)

    def fail(self, text):
        """Counts a failure."""
        self._count(False, text)


def processor_seconds():
    """What this process and all that it has waited for have used."""
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_SELF,
                                                                         resource.RUSAGE_CHILDREN)))


def watches_clock(test):
    """Marks a test whose bounds are seconds: it wants the machine for itself."""
    test.watches_clock = True
    return test


def main(purpose, tests):
    """Runs the tests of a script and exits: 0 all passed, 1 some failed, 2 nothing could be run."""
    parser = argparse.ArgumentParser(description=purpose,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kolmo", default="build/cpu/kolmo", help="the program under test")
    parser.add_argument("--mpirun", default="mpirun --oversubscribe", help="how several ranks are started")
    parser.add_argument("--only", default="",
                        help="only tests whose name contains this, or one of these: a,b")
    parser.add_argument(
        "--clock",
        choices=("only", "not"),
        help="only, or not, the tests that want the machine for themselves, for they watch the clock",
    )
    parser.add_argument("--part", default="1/1", metavar="K/N",
                        help="every Nth of the tests from the Kth on, so that parts run side by side")
    parser.add_argument("--long", action="store_true", help="also what is left out for its time")
    parser.add_argument("--keep", help="a folder that keeps the runs (default: a temporary one)")
    parser.add_argument("--real", default="double", choices=("float", "double"),
                        help="arithmetic of the program")
    options = parser.parse_args()
    if not os.access(options.kolmo, os.X_OK) or os.path.isdir(options.kolmo):
        print(f"{options.kolmo} is not a program", file=sys.stderr)
        sys.exit(2)
    part, parts = (int(number) for number in options.part.split("/"))
    check = Check()
    try:
        run_tests(tests[part - 1::parts], options, check)
        skipped = f", {check.skipped} skipped" if check.skipped else ""
        print(f"{check.passed} passed, {check.failed} failed{skipped}", flush=True)
    except BrokenPipeError:  # nobody reads on, as behind `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    sys.exit(1 if check.failed or not check.passed else 0)


def run_tests(tests, options, check):
    """Runs those that the options of main() ask for, each in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="kolmo-test-") as folder:
        if options.keep:
            folder = os.path.abspath(options.keep)
        for test in tests:
            if not any(name in test.__name__ for name in options.only.split(",")):
                continue
            if options.clock and (options.clock == "only") != hasattr(test, "watches_clock"):
                continue
            started, used = time.monotonic(), processor_seconds()
            print(f"--- {test.__name__}: {' '.join((test.__doc__ or '').split())}", flush=True)
            place = os.path.join(folder, test.__name__)
            os.makedirs(place, exist_ok=True)
            kolmo = Kolmo(options, place)
            try:
                test(kolmo, check)
            except Exception as fault:  # pylint: disable=broad-except
                check.fail(f"{test.__name__}: {type(fault).__name__}: {fault}")
            print(f"    {time.monotonic() - started:.1f} s, of processors "
                  f"{processor_seconds() - used:.1f} s, {kolmo.processes} processes", flush=True)

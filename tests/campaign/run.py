#!/usr/bin/env python3
"""Runs a case of the validation campaign in parts of a few minutes, and writes its page.

usage: run.py --list [--out DIR]
       run.py CASE [--grid NAME] [--minutes M] [--out DIR] [--segment N] [--flow FILE] [--turnovers N]
                   [--ranks N] [--kolmo PROGRAM] [--set GROUP.NAME=VALUE]... [--estimate] [--no-page]

A call works for M minutes (8) at most, on one grid after the other, from the coarsest; --grid names one. It
ends by itself with a checkpoint, and the same call goes on from there. When all is done, it only writes the
page (page.py). DIR/CASE/GRID has the files of a run, and DIR/CASE/page has the page. DIR is runs/campaign
unless it is given. The program is --kolmo, or $KOLMO, or that of build/cuda or build/cpu.

A finer grid of a flow that is statistically steady begins with the flow that the coarser one has left in
flow.h5, in single precision. Its averages begin some turnovers later. --flow names another such file, of any
grid of the same box, such as one that was kept from another machine. A run that has begun goes on from its
own checkpoint all the same.

  --segment N     make this independent run alone, in GRID-segment-N; 0 is the one in GRID. It has a seed of
                  its own, and noise is added to the flow that it begins with. The page merges all segments
                  of a grid. Without this option all segments of the case are run, which are 1 for most
  --turnovers N   length of the averages, instead of the case's; a run that has ended goes on if N is larger
  --estimate      print cells, steps and time of one segment on each grid: on a GPU of its own by
                  docs/performance, with averages, records and files; here, steps by the last run in DIR
  --list          print all cases with their estimates

TERM or an interrupt ends the run with a checkpoint, and the call without a page, with exit code 5.

Exit codes: 0 the case is done; 5 there is more to run, so call it again; 1 a run failed; 2 an argument is
wrong."""

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.realpath(os.path.join(HERE, "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "postproc", "plot"))
import system_python  # noqa: E402

system_python.require("run.py", __name__)
import h5py  # noqa: E402
import numpy as np  # noqa: E402
import cases  # noqa: E402
import grid_turbulence  # noqa: E402
from kolmo import certificate, launch, namelists  # noqa: E402
from kolmo.snapshots import find  # noqa: E402
from measure import TABLES  # noqa: E402
from separation import MEANS  # noqa: E402

NOISE = 0.05  # of the rms, which is added to the flow of a segment
GRACE = 90  # seconds that a run may take beyond its part before it is ended by force
LEAST = 20  # seconds, below which no part is begun
ONCE = 0.9  # share of a call that a grid without checkpoints wants: it can't go on in the next call
CODES = (0, 2, 3, 4, 5)  # of a run that has ended by itself
BITS = 12  # of the fraction that flow.h5 keeps, so that it can be compressed
SLAB = 32  # planes that are in memory at a time


class Fault(Exception):
    """What is wrong with an argument or a run; code: the exit code."""

    def __init__(self, text, code=2):
        super().__init__(text)
        self.code = code


# ---- the state of a grid -----------------------------------------------------------------------------------


class Work:
    """One grid, or one segment of it: its folder and what has been run there."""

    def __init__(self, out, case, grid, segment=0):
        self.case, self.grid, self.segment = case, grid, segment
        self.name = grid.name + (f"-segment-{segment}" if segment else "")
        self.folder = os.path.join(out, case.name, self.name)
        self.state = {
            "case": case.name,
            "grid": grid.name,
            "segment": segment,
            "n": list(grid.n),
            "parts": [],
            "finished": False,
            "first": None,
        }
        try:
            with open(self.path, encoding="utf-8") as file:
                self.state.update(json.load(file))
        except FileNotFoundError:
            pass
        except ValueError as error:
            raise Fault(f"{self.path}: {error}; remove this folder to begin anew") from None

    @property
    def path(self):
        """Of the state."""
        return os.path.join(self.folder, "campaign.json")

    def keep(self):
        """Writes the state, complete or not at all."""
        os.makedirs(self.folder, exist_ok=True)
        with open(self.path + ".tmp", "w", encoding="utf-8") as file:
            json.dump(self.state, file, indent=1)
        os.replace(self.path + ".tmp", self.path)

    @property
    def flow(self):
        """The flow that is left at the end."""
        return os.path.join(self.folder, "flow.h5")

    @property
    def seconds(self):
        """Of all parts."""
        return sum(p["seconds"] for p in self.state["parts"])


def works(out, case, segments=True):
    """What there is of a case, from the coarsest grid."""
    found = []
    for grid in case.grids:
        for segment in range(100 if segments else 1):
            work = Work(out, case, grid, segment)
            if work.state["parts"]:
                found.append(work)
    return found


# ---- flows in single precision -----------------------------------------------------------------------------


def rounded(values, bits=BITS):
    """Single precision with fewer bits of the fraction, to the nearest."""
    raw = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
    drop = np.uint32(23 - bits)
    half = np.uint32(1 << (23 - bits - 1))
    return (((raw + half) >> drop) << drop).view(np.float32)


def save_flow(checkpoint, path):
    """Velocities of a checkpoint, for initial.type = 'file' of other grids."""
    with h5py.File(checkpoint, "r") as source, h5py.File(
        path + ".tmp", "w", libver=("v110", "v110")
    ) as target:
        for name in "uvw":
            data = source[f"fields/{name}"]
            made = target.create_dataset(
                name,
                data.shape,
                np.float32,
                chunks=(1, *data.shape[1:]),
                shuffle=True,
                compression="gzip",
                compression_opts=4,
            )
            for k in range(0, data.shape[0], SLAB):
                made[k : k + SLAB] = rounded(data[k : k + SLAB])
        for d in "xyz":
            target[f"grid/{d}_face"] = source[f"grid/{d}_face"][...]
        target.attrs.update(format=np.bytes_("kolmo-flow"), format_version=1, complete=1)
    os.replace(path + ".tmp", path)


def disturb(path, to, seed):
    """The same flow with noise, another for each seed: turbulence forgets what it has in common after some
    turnovers."""
    random = np.random.default_rng(seed)
    with h5py.File(path, "r") as source, h5py.File(to, "w", libver=("v110", "v110")) as target:
        for name in "uvw":
            values = source[name][...].astype(float)
            level = NOISE * float(np.std(values - values.mean(axis=(1, 2), keepdims=True)))
            target[name] = (values + level * random.standard_normal(values.shape)).astype(np.float32)
        for d in "xyz":
            target[f"grid/{d}_face"] = source[f"grid/{d}_face"][...]
        target.attrs.update(format=np.bytes_("kolmo-flow"), format_version=1, complete=1)


# ---- a part ------------------------------------------------------------------------------------------------


class Stop:
    """Whether TERM or an interrupt has asked this call to end; it is passed on to the run."""

    def __init__(self):
        self.asked, self.process = False, None

    def ask(self, *_):
        """As the handler of a signal. USR1 ends a run as TERM does, also by way of mpirun."""
        self.asked = True
        if self.process is not None:
            self.process.send_signal(signal.SIGUSR1)

    @contextlib.contextmanager
    def listening(self):
        """Both signals come here, until the end of the block."""
        self.asked = False
        with on_signals(self.ask):
            yield

    def call(self, command, file, seconds, **more):
        """Exit code of a command, whose output goes into a file; 124 where it takes longer."""
        with subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              **more) as process:  # fmt: skip
            self.process = process
            if self.asked:
                self.ask()
            try:
                return process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                return 124
            finally:
                self.process = None


@contextlib.contextmanager
def on_signals(handler):
    """TERM and an interrupt call the handler until the end of the block."""
    before = {n: signal.signal(n, handler) for n in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


STOP = Stop()


def begin(work, flow):
    """What a new run begins with: the file of a flow, or None for the initial flow of the case. The state
    names the run that has made the flow."""
    work.state["begins_with"] = work.grid.grown
    if work.grid.grown is not None:
        return grown(work)
    if not work.case.hands_on:
        return None
    if flow is None:
        grids = [g for g in work.case.grids if g.cells < work.grid.cells]
        before = [Work(os.path.dirname(os.path.dirname(work.folder)), work.case, g).flow for g in grids]
        flow = next((f for f in reversed(before) if os.path.isfile(f)), None)
    if flow is not None:
        work.state["begins_with"] = os.path.basename(os.path.dirname(os.path.abspath(flow)))
    if flow is not None and work.segment:
        os.makedirs(work.folder, exist_ok=True)
        to = os.path.join(work.folder, "begin.h5")
        disturb(flow, to, work.segment)
        return to
    return flow


def spectrum_of(case):
    """Wavenumbers and energies of the case's table."""
    file, column = case.spectrum
    path = os.path.join(TABLES, file)
    if not os.path.isfile(path):
        raise Fault(f"{path}: this table is wanted, since {case.name} begins with its column {column}")
    return grid_turbulence.read_spectrum(path, column)


def grown(work):
    """The flow that the seed of a grid has left, with the spectrum of the case."""
    out = os.path.dirname(os.path.dirname(work.folder))
    seed = Work(out, work.case, work.case.grid(work.grid.grown))
    checkpoints = find(seed.folder).get("checkpoint")
    if not checkpoints or not seed.state["finished"]:
        raise Fault(f"{work.case.name} {work.name} begins with the flow of {seed.name}, which is not done")
    os.makedirs(work.folder, exist_ok=True)
    to = os.path.join(work.folder, "begin.h5")
    grid_turbulence.reshape(checkpoints[max(checkpoints)], to, *spectrum_of(work.case))
    return to


def arguments(work, flow, turnovers, more):
    """Settings of a run, {name: value}; the length is that of the case unless `turnovers` is given."""
    case, grid = work.case, work.grid
    first = flow is None
    develop, span = case.span(grid, first)
    if turnovers is not None:
        span = develop + turnovers
    found = {"grid.n": grid.n, **case.settings, **grid.settings, "run.t_end": span * case.turnover}
    if case.develop or case.steady:
        found["statistics.start"] = develop * case.turnover
    if case.segments > 1 or work.segment:
        found["run.seed"] = 1 + work.segment
    if flow is not None:
        found.update({"initial.type": "file", "initial.file": os.path.abspath(flow)})
    if case.steady:  # a part that is ended by force loses no more than this
        found["checkpoint.interval_walltime"] = "00:03:00"
    if grid.once:
        found["checkpoint.at_end"] = False
    if case.spectrum is not None and grid.seed:
        path = os.path.join(os.path.abspath(work.folder), "spectrum.txt")
        os.makedirs(work.folder, exist_ok=True)
        grid_turbulence.write_spectrum(path, *spectrum_of(case))
        found["initial.spectrum_file"] = path
    found.update(more)
    return found


def write_case(work):
    """The case of inputs/cases without what the campaign leaves out, in the folder of the run."""
    with open(os.path.join(ROOT, "inputs", "cases", work.case.base + ".nml"), encoding="utf-8") as file:
        text = file.read()
    for name in work.case.drop + ((r"initial.\w+",) if work.state["first"] is False else ()):
        text = certificate.without(text, name)
    path = os.path.join(work.folder, "case.nml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def clock(seconds):
    """hh:mm:ss."""
    whole = max(int(seconds), 1)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def setting_words(settings):
    """--set for each."""
    words = []
    for name, value in settings.items():
        text = value if isinstance(value, str) and is_plain(value) else namelists.value_text(value)
        words += ["--set", f"{name}={text}"]
    return words


def is_plain(text):
    """Whether it is written as it stands: numbers between commas, logicals, and what has its quotes."""
    if text.startswith("'") or text.lower() in (".true.", ".false."):
        return True
    try:
        return all(np.isfinite(float(word)) for word in text.split(","))
    except ValueError:
        return False


def refuse_loss(work):
    """A run that was kept without its checkpoint can't go on, and a new one would write over its results."""
    if any(p["exit"] in (0, 5) for p in work.state["parts"]):
        out, free = os.path.dirname(os.path.dirname(work.folder)), work.segment + 1
        while Work(out, work.case, work.grid, free).state["parts"]:
            free += 1
        beside = (
            f"begin another run beside it, --grid {work.grid.name} --segment {free}, or "
            if work.case.steady or work.case.segments > 1
            else ""
        )
        raise Fault(
            f"{work.folder}: it has results and no checkpoint to go on from; {beside}remove this folder to "
            "begin anew"
        )


def part(work, options, seconds):
    """Runs for so many seconds at most. Returns the exit code of the program."""
    os.makedirs(work.folder, exist_ok=True)
    going_on = bool(find(work.folder).get("checkpoint")) and "settings" in work.state
    if not going_on:
        refuse_loss(work)
        start = begin(work, options["flow"])
        work.state["first"] = start is None
        work.state["settings"] = {
            k: v if isinstance(v, (int, float, str)) else list(v)
            for k, v in arguments(work, start, options["turnovers"], options["set"]).items()
        }
    else:
        work.state["settings"].update(options["set"])
    if going_on and options["turnovers"] is not None:
        develop, _ = work.case.span(work.grid, work.state["first"])
        work.state["settings"]["run.t_end"] = (develop + options["turnovers"]) * work.case.turnover
    work.keep()  # what a part that is ended by force goes on with
    command = [
        options["kolmo"],
        write_case(work),
        "--set",
        f"output.directory='{work.folder}'",
        *setting_words(work.state["settings"]),
        "--set",
        f"run.walltime={clock(seconds)}",
    ]
    if going_on:
        command += ["--restart", "latest"]
    if work.grid.once:  # no checkpoint: as many steps as fit
        steps = int(0.9 * seconds / estimate(work.case, work.grid, options["known"])[1])
        command += ["--set", f"run.steps_max={max(steps, 1)}"]
    if options["ranks"] > 1:
        command = ["mpirun", "-n", str(options["ranks"])] + command
    if STOP.asked:
        return 5
    log = os.path.join(work.folder, f"part-{len(work.state['parts']) + 1}.log")
    print(
        f"{work.case.name} {work.name}: {'goes on' if going_on else 'begins'}, at most {seconds:.0f} s",
        flush=True,
    )
    started, began = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), time.monotonic()
    with open(log, "w", encoding="utf-8") as file:
        # the interrupt of a terminal would make mpirun end the run by force
        code = STOP.call(command, file, seconds + GRACE, start_new_session=options["ranks"] > 1)
    work.state["parts"].append(
        {
            "command": shlex.join(command),
            "seconds": time.monotonic() - began,
            "started": started,
            "exit": code,
            **progress(work.folder),
        }
    )
    work.state.update(provenance(work.folder))
    work.state["ranks"] = options["ranks"]
    work.state["finished"] = code == 0
    work.keep()
    if code in (0, 5):
        keep_means(work.folder)
    if code == 0:
        finish(work)
    elif STOP.asked and code not in CODES:
        return 5  # the signal came before the run could catch it, so that it has done nothing
    elif code != 5:
        with open(log, encoding="utf-8", errors="replace") as file:
            print("".join(file.readlines()[-8:]), file=sys.stderr)
    return code


def keep_means(folder):
    """means.h5: averages.h5 without the sums of its batches, which take gigabytes and which only a restart
    needs."""
    path, to = (os.path.join(folder, name) for name in ("averages.h5", MEANS))
    if not os.path.isfile(path):
        return
    with h5py.File(path, "r") as source, h5py.File(to + ".tmp", "w", libver=("v110", "v110")) as target:
        for name in source:
            if name != "sums":
                source.copy(name, target)
        for name, value in source.attrs.items():
            target.attrs[name] = value
    os.replace(to + ".tmp", to)


def finish(work):
    """After the end of a run: keeps the flow that finer grids and segments begin with."""
    checkpoints = find(work.folder).get("checkpoint")
    if work.case.hands_on and checkpoints and not work.segment:
        save_flow(checkpoints[max(checkpoints)], work.flow)
    if work.state["settings"].get("checkpoint.at_end") is False:  # what parts have left; nobody needs it
        for path in (checkpoints or {}).values():
            os.remove(path)


def progress(folder):
    """Steps of the last part and the time reached, by run.jsonl."""
    steps, reached, first = 0, None, None
    try:
        with open(os.path.join(folder, "run.jsonl"), encoding="utf-8") as file:
            for line in file:
                try:
                    event = json.loads(line)
                except ValueError:
                    continue
                if event.get("event") == "start":
                    first = event["step"]
                if "step" in event and first is not None:
                    steps, reached = event["step"] - first, event.get("time", reached)
    except FileNotFoundError:
        pass
    return {"steps": steps, "time": reached}


def provenance(folder):
    """Version and device of the newest files."""
    try:
        with h5py.File(os.path.join(folder, "series.nc"), "r") as file:
            text = {n: v.decode() if isinstance(v, bytes) else str(v) for n, v in file.attrs.items()}
    except OSError:
        return {}
    return {
        "version": text.get("version", ""),
        "device": text.get("processor", ""),
        "arithmetic": text.get("arithmetic", ""),
    }


# ---- estimates ---------------------------------------------------------------------------------------------


def estimate(case, grid, known, turnovers=None):
    """Steps; seconds for a step here, by `known`, the ns for a cell of earlier runs; those on a GPU."""
    develop, span = case.span(grid, grid is case.grids[0])
    span = span if turnovers is None else develop + turnovers
    steps = span * case.turnover / case.dt(grid)
    gpu = cases.COST[case.cost] * 1e-9 * grid.cells + 1e-3 * cases.LAUNCHES.get(case.cost, cases.LAUNCHES_MS)
    here = known.get(case.cost, known.get("any"))
    return int(steps), (gpu if here is None else here * 1e-9 * grid.cells), gpu


def beyond_steps(case, grid, steps, span):
    """What a segment takes on a GPU beside its steps: (steps of the same cost, s). span: time of the run."""
    words, million = {**case.settings, **grid.settings}, 1e-6 * grid.cells
    records, samples = 0.0, 0.0
    if "history.interval_time" in words:
        records = span / words["history.interval_time"]
    elif "history.interval" in words:
        records = steps / words["history.interval"]
    if case.group == "box" and (case.steady or case.develop):
        samples = steps / words.get("statistics.interval", 20)
    seconds = cases.START + cases.FILES * million
    seconds += cases.KEPT * million if case.hands_on else 0.0
    seconds += cases.GROWN * million if grid.grown is not None else 0.0
    return cases.RECORD_STEPS * records + cases.SAMPLE_STEPS * samples, seconds


def segment_seconds(case, grid, turnovers=None):
    """Of one segment of a grid on a GPU."""
    steps, _, gpu = estimate(case, grid, {}, turnovers)
    more, seconds = beyond_steps(case, grid, steps, steps * case.dt(grid))
    return (steps + more) * gpu + seconds


def known_speeds(out):
    """ns for each cell and step of the newest runs in a folder, by kind of step."""
    found = {}
    for case in cases.CASES:
        for work in works(out, case):
            for one in work.state["parts"]:
                if one["steps"] > 20:
                    ns = 1e9 * one["seconds"] / (one["steps"] * work.grid.cells)
                    found[case.cost] = found["any"] = ns
    return found


def minutes(seconds):
    """As text."""
    return f"{seconds / 60:.1f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


def gpu_seconds(case, grids=None):
    """Of all segments of some grids, or of all grids."""
    total = 0.0
    for grid in grids or case.grids:
        total += segment_seconds(case, grid) * (1 if grid.seed else case.segments)
    return total


def show(case, grids, known, turnovers=None):
    """The estimates of some grids of a case, each for one segment."""
    for grid in grids:
        steps, here, _ = estimate(case, grid, known, turnovers)
        gpu = segment_seconds(case, grid, turnovers)
        own = f", here {minutes(steps * here)}" if known else ", here: no run in this folder yet"
        cells = " x ".join(map(str, grid.n))
        print(
            f"  {grid.name:8s} {cells:18s} {grid.cells / 1e6:7.2f} million cells, about {steps} steps: on a "
            f"GPU {minutes(gpu)}{own}"
        )


def listing(out):
    """All cases."""
    known = known_speeds(out)
    for case in cases.CASES:
        times = f", {case.segments} segments" if case.segments > 1 else ""
        print(f"{case.name:20s} {case.group:8s} {case.words}{times}: {minutes(gpu_seconds(case))} on a GPU")
        show(case, case.grids, known)
    return 0


# ---- the command -------------------------------------------------------------------------------------------


NUMBERS = {
    "--minutes": float, "--turnovers": float, "--segment": int, "--ranks": int, "--lanes": int,
    "--part-size": float,
}  # fmt: skip


def value_of(word, text):
    """Of an option."""
    try:
        return NUMBERS.get(word, str)(text)
    except ValueError:
        raise Fault(f"{word} {text}: a number is wanted") from None


def parse(words):
    """{option: value} of the command line."""
    found = {
        "case": None,
        "grid": None,
        "minutes": 8.0,
        "out": os.path.join("runs", "campaign"),
        "segment": None,
        "flow": None,
        "turnovers": None,
        "ranks": 1,
        "kolmo": None,
        "set": {},
        "estimate": False,
        "list": False,
        "no-page": False,
    }
    return read_words(words, found, __doc__, "case")


def read_words(words, found, text, plain):
    """Fills `found`, {option: value}, from a command line. Options that are False take no value. `plain`: the
    name for words that are no options; there is one of them, or a list. text: what --help prints."""
    words = list(words)
    while words:
        word = words.pop(0)
        name = word.removeprefix("--")
        if word in ("-h", "--help"):
            print(text.strip())
            sys.exit(0)
        if not word.startswith("--"):
            if isinstance(found[plain], list):
                found[plain].append(word)
            elif found[plain] is not None:
                raise Fault(f"{word}: one {plain} at a time; see --help")
            else:
                found[plain] = word
        elif name in found and found[name] is False:
            found[name] = True
        elif name == "set" and words:
            key, _, value = words.pop(0).partition("=")
            found["set"][key] = value
        elif name in found and words and not words[0].startswith("--"):
            found[name] = value_of(word, words.pop(0))
        else:
            raise Fault(f"{word}: not understood, or without its value; see --help")
    return found


def chosen(options):
    """The case and the grids to run."""
    names = ", ".join(c.name for c in cases.CASES)
    if options["case"] is None:
        raise Fault(f"which case? {names}")
    try:
        case = cases.find(options["case"])
    except KeyError:
        raise Fault(f"{options['case']}: no such case; there are {names}") from None
    grids = [g for g in case.grids if options["grid"] in (None, g.name)]
    if not grids:
        raise Fault(f"--grid {options['grid']}: {case.name} has {', '.join(g.name for g in case.grids)}")
    if options["flow"] is not None and not os.path.isfile(options["flow"]):
        raise Fault(f"--flow {options['flow']}: there is no such file")
    if options["flow"] is not None and not case.hands_on:
        raise Fault(f"--flow: {case.name} begins with its own initial flow; leave --flow out")
    if not 0 <= (options["segment"] or 0) < 100 or options["ranks"] < 1:
        raise Fault("--segment is from 0 to 99, --ranks 1 or more")
    if not LEAST < 60.0 * options["minutes"] < np.inf:
        raise Fault(f"--minutes {options['minutes']:g}: no part is shorter than {LEAST} s; give more")
    if options["turnovers"] is not None and not 0 < options["turnovers"] < np.inf:
        raise Fault(f"--turnovers {options['turnovers']:g}: a length above 0 is wanted")
    if options["segment"] and any(n.name.startswith("history:") for n in case.numbers):
        raise Fault(f"--segment: {case.name} has numbers of history.nc, which are not merged; leave it out")
    return case, grids


def complete(work, options):
    """Whether nothing is left to run of it."""
    if not work.state["finished"]:
        return False
    if options["turnovers"] is None:
        return True
    develop, _ = work.case.span(work.grid, work.state["first"])
    end = (develop + options["turnovers"]) * work.case.turnover
    return end <= work.state["settings"]["run.t_end"] * (1 + 1e-9)


def wanted(case, grids, options):
    """What the call is to run, in order: all segments of the case, or the one that was asked for."""
    found = []
    for grid in grids:
        segments = range(case.segments) if options["segment"] is None else [options["segment"]]
        found += [Work(options["out"], case, grid, s) for s in ([0] if grid.seed else segments)]
    return found


def main(words):
    """Exit code."""
    options = parse(words)
    if options["list"]:
        return listing(options["out"])
    case, grids = chosen(options)
    if options["estimate"]:
        show(case, grids, known_speeds(options["out"]), options["turnovers"])
        return 0
    options["out"] = os.path.abspath(options["out"])
    options["kolmo"] = os.path.abspath(options["kolmo"] or launch.find_program())
    if not os.access(options["kolmo"], os.X_OK):
        raise Fault(f"--kolmo {options['kolmo']}: no such program")
    os.environ["KOLMO"] = options["kolmo"]  # kolmo-merge is beside it
    with STOP.listening():
        return run_case(case, grids, options)


def run_case(case, grids, options):
    """Runs what is left of it, for so many minutes, and writes its page. Exit code."""
    options["known"] = known_speeds(options["out"])
    end, code = time.monotonic() + 60.0 * options["minutes"], 0
    for work in wanted(case, grids, options):
        if complete(work, options):
            continue
        left = end - time.monotonic()
        if STOP.asked or left < (ONCE * 60.0 * options["minutes"] if work.grid.once else LEAST):
            code = 5
            break
        code = part(work, options, left)
        if code != 0:
            break
    if not options["no-page"] and not STOP.asked:
        from page import write_page

        # certificates take time: when all is done, or by page.py
        write_page(options["out"], case, os.path.join(options["out"], case.name, "page"), certify=code == 0)
    if code not in (0, 5):
        raise Fault(f"{work.folder}: the run ended with exit code {code}", 1)
    print(f"{case.name}: " + ("done" if code == 0 else "there is more to run: call this again"))
    return code


def leave(name, command):
    """Ends the process with the exit code of a command, whose fault is told."""
    try:
        sys.exit(command(sys.argv[1:]))
    except Fault as fault:
        print(f"{name}: {fault}", file=sys.stderr)
        sys.exit(fault.code)


if __name__ == "__main__":
    leave("run.py", main)

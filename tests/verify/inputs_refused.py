#!/usr/bin/env python3
"""Faulty inputs end with exit code 2, all faults at once, each with its place and what is allowed; nothing is
written.

Would catch: a fault found only in the next run, a message without file, line and column or without the
nearest name, a folder made or an old run moved away for an input that is refused, a message from every rank,
a rank that waits for the others."""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "inputs", "cases")
# steps that these cases took (inputs/cases/README.md)
STEPS_TAKEN = {"channel-minimal.nml": 3659, "channel-retau180-quick.nml": 2632,
               "channel-retau180-statistics.nml": 54887, "channel-rotating.nml": 2474,
               "couette-turbulent.nml": 1543, "open-channel.nml": 1831, "square-duct.nml": 2695,
               "poiseuille.nml": 8536, "duct.nml": 6258, "cavity-2d-re1000.nml": 16981,
               "backward-step-re800.nml": 8907}
GOOD = {"run": {"steps_max": 2}, "grid": {"n": (16, 12, 8)}, "fluid": {"nu": 0.01},
        "output": {"directory": "out"}}

# Lines of an input file and what is said of each: (line, column, words). All in one file.
FAULTS = [
    ("&run", None), ("  steps_mx = 4", (3, ["steps_mx", "did you mean 'steps_max'?"])),
    ("  seed = -1", (10, ["run.seed", "-1"])),
    ("/", None), ("&gird", (2, ["gird", "did you mean 'grid'?"])), ("  n = 3", None), ("/", None),
    ("&grid", None), ("  n = 16, 16, 1", (15, ["grid.n(3) = 1", "2 <= n"])),
    ("  length = 1, -1, 1", (15, ["grid.length(2) = -1", "length > 0"])), ("/", None),
    ("&fluid", None), ("  nu = 'thick'", (8, ["fluid.nu", "'thick'"])), ("/", None),
    ("&time", None), ("  dt = 0.1", None), ("  cfl = 0.5", (3, ["time.cfl", "no effect", "time.dt"])),
    ("  scheme = 'rk4'", (12, ["'rk4'", "'rk3-half', 'rk3-wray'"])), ("/", None),
    ("&output", None), ("  directory = 'out'", None), ("  field_interval = 2", None),
    ("  field_interval_time = 0.5", (3, ["field_interval_time", "field_interval (line 22)"])), ("/", None),
    ("&checkpoint", None), ("  interval_walltime = 'soon'", (23, ["interval_walltime"])), ("/", None)]

# One fault each by --set: what is set, words of the answer.
SETTINGS = [
    (["time.cfk=1"], ["'cfk'", "did you mean 'cfl'?"]), (["tim.cfl=1"], ["'tim'", "did you mean 'time'?"]),
    (["time.cfl=abc"], ["time.cfl", "'abc'"]), (["time.cfl=nan"], ["time.cfl"]),
    (["time.cfl=3"], ["time.cfl", "cfl <= 2"]),
    (["time.cfl=1.9", "time.scheme=rk3-wray"], ["time.cfl", "1.7320508", "rk3-wray"]),
    (["foo"], ["group.name=value"]),
    (["grid.n=16,12,8,4"], ["grid.n"]), (["grid.n=16.5,12,8"], ["grid.n"]),
    (["fluid.reynolds=100"], ["fluid.nu", "fluid.reynolds"]), (["fluid.nu=-1"], ["nu >= 0"]),
    (["grid.stretching='tanh','uniform','uniform'"], ["grid.stretching_factor(1)", "0 < f <= 10"]),
    (["grid.stretching_factor=0.5,0,0"], ["grid.stretching_factor(1)", "uniform"]),
    (["boundary.x_low='wall'"], ["'wall'", "'periodic'"]),
    (["initial.type='abc'", "grid.length=1,1,2"], ["grid.length", "abc"]),
    (["initial.k_peak=3"], ["initial.k_peak", "isotropic"]),
    (["pressure.weight=0.5"], ["pressure.weight", "polynomial"]),
    (["pressure.preconditioner=polynomial", "pressure.weight=0.5"], ["pressure.weight", "degree"]),
    (["initial.type=isotropic", "initial.spectrum=file"], ["spectrum_file"]),
    (["pressure.tolerance=1e-17"], ["pressure.tolerance"]),
    (["bodies.shape=cube"], ["'cube'", "'sphere'"]),
    (["bodies.shape=sphere"], ["body 1 has no centre", "bodies.centre(:,1)"]),
    (["bodies.shape=sphere"], ["bodies.size(1,1) = 0", "the diameter"]),
    (["bodies.shape=sphere", "bodies.centre(:,1)=1,1,1", "bodies.size(:,1)=1,2,0"],
     ["bodies.size(2,1) = 2", "no effect", "'sphere' takes 1 number"]),
    (["bodies.centre(:,2)=1,1,1"], ["bodies.centre(1,2) has no effect", "body 2 has no shape"]),
    (["bodies.shape=capsule", "bodies.size(:,1)=1,0.5,0"], ["bodies.size(2,1) = 0.5", "whole length"]),
    (["bodies.shape=torus", "bodies.size(:,1)=1,1.5,0"], ["bodies.size(2,1) = 1.5", "thinner than its ring"]),
    (["bodies.shape=sphere", "bodies.axis(1)=x"], ["bodies.axis(1) has no effect"]),
    (["bodies.shape=sphere", "bodies.angles(2,1)=3"], ["bodies.angles(2,1) has no effect"]),
    (["bodies.shape=sphere", "bodies.operation(1)=cut"], ["bodies.operation(1)", "no body before body 1"]),
    (["bodies.shape=sphere", "bodies.motion(1)=rotate"], ["needs bodies.rotation(1)"]),
    (["bodies.shape=sphere", "bodies.rotation(1)=2"], ["bodies.rotation(1) = 2 has no effect"]),
    (["bodies.shape=sphere", "bodies.motion(1)=oscillate"], ["'oscillate'", "needs bodies.frequency(1)"]),
    (["bodies.shape=stl"], ["body 1", "'stl', has no file", "bodies.file(1)"]),
    (["bodies.shape=box", "bodies.file(1)=a.stl"], ["bodies.file(1) has no effect"]),
    (["bodies.thin_walls=.true."], ["bodies.thin_walls has no effect", "add a body"]),
    (["packing.count=3"], ["packing.count has no effect", "packing.shape = 'none'"]),
    (["packing.shape=box"], ["packing.count = 0"]), (["packing.shape=box"], ["packing.size = 0"]),
    (["packing.shape=sphere", "packing.align=.true."],
     ["packing.align has no effect", "packing.shape = 'box'"]),
    (["statistics.start=0", "grid.length=1e6,1,1"],
     ["statistics.spectra_interval", "shells", "statistics.spectra_interval = 0"]),
    (["output.field_places=faces"],
     ["output.field_places", "no effect", "output.field_interval", "choose output.field_interval"]),
    (["time.diffusion=implicit", "fluid.nu=0"],
     ["time.diffusion = 'implicit' has no effect with fluid.nu = 0", "choose fluid.nu > 0"]),
    (["time.diffusion_tolerance=1e-8"], ["diffusion_tolerance", "implicit"]),
    (["run.walltime='12'"], ["walltime"])]


def write(folder, text, name="case.nml"):
    """An input file as it is."""
    with open(os.path.join(folder, name), "w", encoding="utf-8") as target:
        target.write(text)
    return name


def several_at_once(kolmo, check):
    """One file with eleven faults: each named by file:line:column; on 2 ranks said once."""
    text = "\n".join(line for line, _ in FAULTS) + "\n"
    for ranks in (1, 2):
        folder = kolmo.place()
        result = kolmo.call(write(folder, text), ranks=ranks, rc=None, cwd=folder)
        check.equal(f"{ranks} ranks: exit code", result.rc, 2)
        said = result.err.splitlines()
        wanted = [(n, *fault) for n, (_, fault) in enumerate(FAULTS, 1) if fault]
        for number, column, words in wanted:
            lines = [s for s in said if s.startswith(f"case.nml:{number}:{column}: error: ")]
            check.equal(f"{ranks} ranks: messages for {number}:{column}", len(lines), 1)
            check.says(f"{ranks} ranks, {number}:{column}", "".join(lines), *words)
        found = [s for s in said if re.match(r"case\.nml:\d+:\d+: error: ", s)]
        check.equal(f"{ranks} ranks: messages in all", len(found), len(wanted))
        check.equal(f"{ranks} ranks: files", os.listdir(folder), ["case.nml"])


def one_at_a_time(kolmo, check):
    """Values, types, ranges and combinations that are refused when set on the command line."""
    folder = kolmo.place()
    write(folder, kc.namelist(GOOD))
    for settings, words in SETTINGS:
        args = [word for s in settings for word in ("--set", s)]
        result = kolmo.call("case.nml", *args, rc=None, cwd=folder)
        check.equal(f"{' '.join(settings)}: exit code", result.rc, 2)
        check.says(" ".join(settings), result.err, "error", *words)
    check.equal("files", os.listdir(folder), ["case.nml"])


def required(kolmo, check):
    """What must be given: the grid, the fluid, an end. An empty file names them all."""
    folder = kolmo.place()
    result = kolmo.call(write(folder, ""), rc=None, cwd=folder)
    check.equal("empty file: exit code", result.rc, 2)
    check.says("empty file", result.err, "grid.n is required", "run.t_end or run.steps_max is required",
               "fluid.nu or fluid.reynolds is required")
    for label, text in (("a group without end", "&run\n  steps_max = 2\n"), ("no group", "steps_max = 2\n"),
                        ("a quote without end", "&run\n  title = 'x\n/\n"), ("binary", "\x01\x02\x03\n"),
                        ("two of three cells", kc.namelist(kc.merge(GOOD, {"grid": {"n": (16, 12)}})))):
        result = kolmo.call(write(folder, text), rc=None, cwd=folder)
        check.equal(f"{label}: exit code", result.rc, 2)
        check.says(label, result.err, "case.nml:", "error")
    check.equal("files", os.listdir(folder), ["case.nml"])


def ranks_that_do_not_fit(kolmo, check):
    """Layouts that no grid or number of ranks allows; said once, nothing written, no rank left waiting."""
    folder = kolmo.place()
    write(folder, kc.namelist(GOOD))
    for ranks, layout, words in ((1, "2,1,1", ["2, 1, 1", "product 2", "has 1 rank;"]),
                                 (3, "2,0,1", ["3 ranks", "largest usable"]),
                                 (2, "1,1,1", ["product 1", "2 ranks"]),
                                 (2, "9,0,0", ["grid.ranks(1) = 9", "at most 8"]),
                                 (2, "0,0,17", ["grid.ranks(3) = 17", "at most 4"])):
        result = kolmo.call("case.nml", "--set", f"grid.ranks={layout}", ranks=ranks, rc=None, cwd=folder)
        check.equal(f"{layout} on {ranks} ranks: exit code", result.rc, 2)
        check.says(f"{layout} on {ranks} ranks", result.err, *words)
        check.equal(f"{layout} on {ranks} ranks: messages", result.err.count(": error: "), 1)
    tiny = kolmo.call("case.nml", "--set", "grid.n=4,4,4", "--set", "grid.ranks=0,0,0", ranks=5, rc=None,
                      cwd=folder)
    check.equal("5 ranks for 4 x 4 x 4 cells: exit code", tiny.rc, 2)
    check.says("5 ranks for 4 x 4 x 4 cells", tiny.err, "5 ranks can't be divided", "is 4")
    check.equal("files", os.listdir(folder), ["case.nml"])


def command_line(kolmo, check):
    """Missing file, unknown option, no arguments, two files; help and version."""
    folder = kolmo.place()
    write(folder, kc.namelist(GOOD))
    for args, words in (((), ["no input file", "usage: kolmo"]),
                        (("nothere.nml",), ["nothere.nml", "No such file"]),
                        (("--frobnicate",), ["unknown option --frobnicate", "usage: kolmo"]),
                        (("case.nml", "case.nml"), ["two input files"]),
                        (("case.nml", "--member"), ["--member needs settings"]),
                        (("case.nml", "--member", "--check"), ["--member needs settings", "--check follows"]),
                        (("case.nml", "--twin"), ["--twin needs 'none'"]),
                        (("case.nml", "--twin", "--check"), ["--twin needs 'none'", "--check follows"]),
                        (("case.nml", "--set", "--check"),
                         ["--set needs group.name=value", "--check follows"]),
                        (("case.nml", "--check", "--picture"), ["--picture needs a plane and a file"]),
                        (("case.nml", "--picture", "--check"),
                         ["--picture needs a plane", "--check follows"]),
                        (("case.nml", "--restart", "--check"),
                         ["--restart needs 'latest'", "--check follows"]),
                        (("case.nml", "--restart", "-h"), ["--restart needs 'latest'", "-h follows"]),
                        (("case.nml", "--force-restart"), ["--force-restart checkpoint.force", "no effect"]),
                        (("case.nml", "--check", "--picture", "z=1:a", "--member", "run.seed=2"),
                         ["--picture draws the bodies of one run", "--set instead"]),
                        (("case.nml", "--check", "--profile"), ["--check", "--profile"]),
                        (("case.nml", "--restart"), ["--restart"]),
                        (("case.nml", "--set"), ["group.name=value"]),
                        (("case.nml", "--restart", "a", "--restart", "b"), ["twice"]),
                        ((".",), ["."])):
        for ranks in (1, 2) if args in ((), ("nothere.nml",)) else (1,):
            result = kolmo.call(*args, ranks=ranks, rc=None, cwd=folder)
            label = f"kolmo {' '.join(args)}".strip() + f" on {ranks} ranks"
            check.equal(f"{label}: exit code", result.rc, 2)
            check.says(label, result.err, "error", *words)
            check.equal(f"{label}: said once", result.err.count(words[0]), 1) if words[0] != "." else None
    arrays = os.path.join(kolmo.place(), "series.nc")
    for name, head in (("HDF5", b"\x89HDF\r\n\x1a\n"), ("NetCDF", b"CDF\x01")):
        with open(arrays, "wb") as target:
            target.write(head + bytes(range(256)))
        for ranks in (1, 2):
            result = kolmo.call(arrays, ranks=ranks, rc=2, cwd=folder)
            check.equal(f"a file of {name}, {ranks} ranks: lines", result.err.count("error: "), 1)
            check.says("    told", result.err, "one of HDF5 or NetCDF, so it is no input file")
    for option, words in (("--help", ["usage: kolmo", "exit codes"]),
                          ("--version", ["kolmo ", "HDF5", "compiler"]),
                          ("--help-input", ["&run", "steps_max", "&checkpoint", "restart"]),
                          ("--help-input=markdown", ["steps_max", "|"])):
        result = kolmo.call(option, cwd=folder)
        check.says(option, result.out, *words)
        check.equal(f"{option}: standard error", result.err, "")
    with open(os.path.join(CASES, "..", "..", "docs", "inputs.md"), encoding="utf-8") as page_:
        table = page_.read()
    options = sorted(set(re.findall(r"^  (--[a-z-]+)", kolmo.call("--help", cwd=folder).out, re.M)))
    lacking = [option for option in options if f"| `{option}" not in table]
    check.equal("options of --help that docs/inputs.md lacks", lacking, [])
    two = kolmo.call("--version", ranks=2, cwd=folder)
    check.equal("--version on 2 ranks: said once", two.out.count("backend"), 1)
    check.equal("files", os.listdir(folder), ["case.nml"])


def check_only(kolmo, check):
    """--check prints memory, steps and sizes, and writes nothing, also where the folder can't be made."""
    folder = kolmo.place()
    write(folder, kc.namelist(GOOD))
    for ranks in (1, 2):
        result = kolmo.call("case.nml", "--check", ranks=ranks, cwd=folder)
        check.says(f"{ranks} ranks", result.out, "Memory", "arrays of", "steps ", "checkpoint ", "MiB", "dt ",
                   "The input is valid.",
                   f"16 x 12 x 8 cells on {ranks} rank")
        check.equal(f"{ranks} ranks: said once", result.out.count("The input is valid."), 1)
        latest = kolmo.call("case.nml", "--check", "--restart", "latest", ranks=ranks, cwd=folder)
        check.says(f"{ranks} ranks, a restart", latest.out, "no checkpoint is looked at here",
                   "--restart FILE")
        huge = kolmo.call("case.nml", "--check", "--set", "grid.n=8192,8192,8192", ranks=ranks, cwd=folder)
        check.says(f"{ranks} ranks, 8192^3 cells", huge.out, "NOT ENOUGH on this machine",
                   "a run here would end with", "grid.n = 8192, 8192, 8192",
                   "The input is valid, but the run does not fit into the memory of this machine.")
        check.equal(f"{ranks} ranks, 8192^3 cells: said once", huge.out.count("The input is valid"), 1)
    larger = kolmo.call("case.nml", "--check", "--set", "grid.n=32768,32768,32768", rc=None, cwd=folder)
    check.equal("32768^3 cells on one rank: exit code", larger.rc, 2)
    check.says("32768^3 cells on one rank", larger.err, "error: grid.n is too large", "use more ranks")
    steps = re.search(r"^\s*steps\s+(\d+)$", result.out, re.M)
    check.equal("steps", steps and int(steps.group(1)), 2)
    size = re.search(r"^\s*checkpoint\s+([\d.]+) MiB", result.out, re.M)
    check.near("size of a checkpoint [MiB]", float(size.group(1)) if size else float("nan"),
               16 * 12 * 8 * 6 * 8 / 2 ** 20, 0.006)
    kolmo.call("case.nml", "--check", "--set", "output.directory=case.nml/x", cwd=folder)
    check.equal("files", os.listdir(folder), ["case.nml"])
    # texts and tables count less in a larger file
    run = kolmo.call("case.nml", "--set", "grid.n=32,24,16", cwd=folder)
    path = kc.checkpoint_path(os.path.join(folder, "out"))
    check.near("size of the checkpoint written, over the size foretold",
               os.path.getsize(path) / (32 * 24 * 16 * 6 * 8), 1.0, 0.1)
    check.equal("the run itself: exit code", run.rc, 0)


def page(kolmo, check):
    """--check fits on a page for every case, before which a page of bodies may stand; --check=all has every
    input beside. The dt of the developed flow is told where it is known, and else that it is not."""
    cases = sorted(glob.glob(os.path.join(CASES, "*.nml")))
    pages = {os.path.basename(path): kolmo.call(path, "--check").out for path in cases}
    lines = {name: out[out.find("--check=all") :].count("\n") for name, out in pages.items()}
    longest = max(lines, key=lines.get)
    check.below(f"lines of the longest page of {len(cases)} cases, {longest}", lines[longest], 40)
    bodies = {name: out[: out.find("--check=all")].count("\n") for name, out in pages.items()}
    longest = max(bodies, key=bodies.get)
    check.below(f"lines of the longest page of bodies, {longest}", bodies[longest], 40)
    out = kolmo.call(cases[0], "--check=all").out
    check.says("--check=all", out, "! default", "&device", "! no effect", "wall-clock time")
    check.equal("--check has no defaults", "! default" in pages[os.path.basename(cases[0])], False)
    for name, taken in STEPS_TAKEN.items():
        steps = int(re.search(r"^  steps +([0-9]+)$", pages[name], re.M).group(1))
        check.near(f"{name}: steps foretold, over those taken", steps / taken, 1.0, 0.27)
    for name in ("cavity-2d-re100.nml", "taylor-green-re1600.nml"):
        check.says(name, pages[name], "how fast the flow becomes is not known")


def developed(kolmo, check):
    """A flow from rest that a force speeds up: the steps are counted with the dt of the developed flow, and
    the run takes them."""
    case = kc.merge(GOOD, {"run": {"t_end": 600.0, "steps_max": None},
                           "boundary": {"z_low": "wall", "z_high": "wall"}, "initial": {"type": "rest"},
                           "grid": {"length": (6.0, 3.0, 2.0)}, "time": {"diffusion": "implicit"},
                           "forcing": {"type": "pressure-gradient", "value": 0.03},
                           "output": {"directory": None}})
    out = kolmo.run(case, "--check").out
    later = re.search(r"dt of the developed flow ([0-9.e+-]+), with speeds up to about ([0-9.]+)", out)
    steps = re.search(r"^  steps +([0-9]+)$", out, re.M)
    check.holds("from rest: dt of the developed flow", later is not None and steps is not None, out[-900:])
    check.near("    speed, laminar", float(later.group(2)), 0.03 / (2 * 0.01), 0.01)
    check.near("    dt", float(later.group(1)), 1.0 / (1.5 / (6 / 16)) * 0.8, 1e-3)
    taken = int(re.search(r"finished: step (\d+)", kolmo.run(case).text).group(1))
    check.near("    steps foretold, over those taken", int(steps.group(1)) / taken, 1.0, 0.15)
    out = kolmo.run(kc.merge(case, {"boundary": {"z_low": None, "z_high": None}}), "--check").out
    check.says("a force in a periodic box", out, "how fast the flow becomes is not known")
    out = kolmo.run(kc.merge(case, {"boundary": {"z_high_velocity": (1.0, 0.0, 0.0)}}), "--check").out
    check.says("a force and a moving wall", out, "how fast the flow becomes is not known")


def seconds_of(out):
    """The wall-clock time of --check in seconds, not rounded: the line itself has whole ones."""
    steps = int(re.search(r"^  steps +([0-9]+)$", out, re.M).group(1))
    seconds = steps * float(re.search(r"time of a step +([0-9.e+-]+) s", out).group(1))
    h, m, s = re.search(r"wall-clock time +(\d+):(\d\d):(\d\d) h", out).groups()
    whole = 3600 * int(h) + 60 * int(m) + int(s)
    if abs(whole - seconds) > 1:
        raise kc.RunError(f"wall-clock time of {whole} s for {steps} steps, {seconds} s of theirs")
    return seconds


def factor(one, other):
    """How many times the larger of two numbers is the smaller."""
    return max(one, other) / min(one, other)


def foretold(kolmo, check):
    """The time that --check foretells: by the memory's bandwidth within a factor of 3 of the processor time
    of a run; after that run its own time, and in proportion to the cells for another grid, which takes so
    much more processor time. Other programs change a run's time by the clock, but hardly that of processors
    or the best of the bandwidths that --check measures."""
    cache = {"XDG_CACHE_HOME": kolmo.place()}
    case = kc.merge(GOOD, {"run": {"steps_max": 100}, "grid": {"n": (64, 64, 64)},
                           "initial": {"type": "taylor-green"}, "output": {"log_interval": 1000}})

    def check_and_run(n, by):
        folder = kolmo.place()
        path = kolmo.write(kc.merge(case, {"grid": {"n": (n, n, n)}}), folder)
        told = kolmo.call(path, "--check", env=cache, cwd=folder).out
        check.says(f"{n}^3 cells are foretold", told, by)
        used = kc.processor_seconds()
        text = kolmo.call(path, env=cache, cwd=folder).text
        used = kc.processor_seconds() - used
        taken = float(re.search(r"finished: .*, ([0-9.]+) s$", text, re.M).group(1))
        return seconds_of(told), taken, used

    last = "64 x 64 x 64 cells on 1 rank"
    first, taken, used = check_and_run(64, "by the memory bandwidth")
    check.below(f"    {first:.3g} s foretold, {used:.3g} s of a processor: factor", factor(first, used), 3.0)
    larger, _, more = check_and_run(80, last)
    check.below(f"    {larger:.3g} s foretold, for each cell; the run before took {taken} s: factor",
                factor(larger, (80 / 64)**3 * taken), 1.5)
    check.below("    processor time of a cell on both grids: factor", factor(more, (80 / 64)**3 * used), 2.0)


def cost(kolmo, check):
    """--check tells how long a run takes: by the memory's bandwidth, and after a run on this machine by that,
    whatever else lies in the file."""
    cache = {"XDG_CACHE_HOME": kolmo.place()}
    folder = kolmo.place()
    path = kolmo.write(kc.merge(GOOD, {"run": {"steps_max": 30}}), folder)
    out = kolmo.call(path, "--check", env=cache, cwd=folder).out
    check.says("without a run", out, "by the memory bandwidth measured now", "core hours", "ns/cell")
    kolmo.call(path, "--set", "run.steps_max=5", env=cache, cwd=folder)
    check.equal("a run that is too short leaves nothing", os.listdir(cache["XDG_CACHE_HOME"]), [])
    kolmo.call(path, env=cache, cwd=folder)
    rates = os.path.join(cache["XDG_CACHE_HOME"], "kolmo", "rates.txt")
    with open(rates, encoding="utf-8") as source:
        line = source.read()
    check.equal("lines after a run", line.count("\n"), 1)
    host, device, build, method, ranks, n, seconds, day = (t.strip() for t in line.split("|"))
    check.equal("the line", (build.split()[0], method, ranks, n),
                ("cpu", "rk3-half explicit multigrid", "1", "16 12 8"))
    good = f"{host} | {device} | {build} | {method} | 1 | 32 12 8 | 2.0 | {day}\n"
    for name, text in (("another grid", good),
                       ("damage", "\0" * 50 + "|||\nx | y\n" + "z" * 3000 + "\n" + good),
                       ("another machine behind it", good + good.replace(host + " |", "other |", 1)),
                       ("other ranks", good.replace("| 1 |", "| 3 |") + good)):
        with open(rates, "w", encoding="utf-8") as target:
            target.write(text)
        out = kolmo.call(path, "--check", env=cache, cwd=folder).out
        check.says(name, out, "time of a step           1.00 s", "by the last run on this machine",
                   "32 x 12 x 8 cells on 1 rank", "wall-clock time          0:00:30 h", "0.00833 core hours")
        check.holds(f"{name}: nothing is said of another size", "rough" not in out, out)
    far = good.replace("32 12 8", "80 12 8")
    with open(rates, "w", encoding="utf-8") as target:
        target.write(far)
    out = kolmo.call(path, "--check", env=cache, cwd=folder).out
    check.says("a much larger grid", out, "80 x 12 x 8 cells", "far more or fewer cells, so this is rough")
    with open(rates, "w", encoding="utf-8") as target:
        target.write(good)
    two = kolmo.call(path, "--check", ranks=2, env=cache, cwd=folder).out
    check.says("2 ranks", two, "time of a step           0.500 s", "0.00833 core hours")
    with open(rates, "w", encoding="utf-8") as target:
        target.write(line.replace(seconds, "0") + line.replace(seconds, "nan"))
    check.says("no sense", kolmo.call(path, "--check", env=cache, cwd=folder).out, "by the memory bandwidth")


def memory_foretold(kolmo, check):
    """At most 16 double values a cell for a periodic run with explicit diffusion, halo and buffers
    included. What does not fit is refused before it is taken, with place and remedy."""
    case = kc.merge(GOOD, {"grid": {"n": (512, 512, 512)}})
    for given in ("multigrid", "auto", "direct", "polynomial", "jacobi"):
        out = kolmo.run(case, "--check", "--set", f"pressure.preconditioner={given}").out
        found = re.search(r"with message buffers\s+([0-9.]+) GiB", out)
        check.below(f"{given}: double values a cell", float(found.group(1)) if found else float("nan"), 16.0)
    large = kc.merge(GOOD, {"grid": {"n": (8192, 8192, 8192)}})
    dyes = kc.merge(large, {"scalars": {"name": ("a", "b", "c"), "prandtl": (1.0, 1.0, 1.0)}})
    for name, case, by in (("fields", large, "grid.n = 8192"), ("scalars", dyes, "3 scalars (scalars.name)")):
        told = (by, "fields and message buffers need", "a rank's share of the free memory is", "use more")
        result = kolmo.run(case, rc=None)
        check.equal(f"{name} that do not fit: exit code", result.rc, 2)
        check.says("    place and remedy", result.err, "case.nml:", *told)
        check.says("    --check", kolmo.run(case, "--check").out, "NOT ENOUGH", "case.nml:", *told)
    cells = {"start": 0.0, "directions": "none", "batches": 64}
    told = kolmo.run(kc.merge(large, {"statistics": cells}), "--check").out
    check.says("averages in every cell", told, " GiB in all, averages and message buffers need",
               "or fewer averages of &statistics (batches)")


def settings(kolmo, check):
    """--set changes one value, is kept in the provenance, and the later of two wins or is refused."""
    folder = kolmo.place()
    write(folder, kc.namelist(GOOD))
    kolmo.call("case.nml", "--set", "run.steps_max=3", "--set=grid.n=8,8,10", "--set",
               "output.directory='o t'", cwd=folder)
    c = kc.Checkpoint(kc.checkpoint_path(os.path.join(folder, "o t")))
    check.equal("step of the checkpoint", c.state["step"], 3)
    check.equal("shape", c.fields["u"].shape, (10, 8, 8))
    twice = kolmo.call("case.nml", "--check", "--set", "run.steps_max=3", "--set", "run.steps_max=4", rc=None,
                       cwd=folder)
    check.holds("given twice: refused, or the last one counts",
                twice.rc == 2 or (twice.rc == 0 and "steps_max = 4" in twice.out),
                twice.text[:300])


def refused_late(kolmo, check):
    """Faults that only the run can find, exit code 2 too: an older run's files stay where they are, nothing
    is added."""
    for label, args in (("spectrum file that is not there",
                         ["initial.type=isotropic", "initial.spectrum=file",
                          "initial.spectrum_file=none.txt"]),
                        ("spectrum file that is none", ["initial.type=isotropic", "initial.spectrum=file",
                                                        "initial.spectrum_file=case.nml"]),
                        ("spectrum beyond the grid", ["initial.type=isotropic", "initial.spectrum=file",
                                                      "initial.spectrum_file=high.txt"]),
                        ("fluid at rest without dt", ["initial.type=rest", "fluid.nu=0"])):
        folder = kolmo.place()
        write(folder, kc.namelist(GOOD))
        write(folder, "1000 1\n2000 1\n", "high.txt")
        kolmo.call("case.nml", cwd=folder)
        out = os.path.join(folder, "out")
        before = sorted(os.listdir(out))
        args = [word for s in args for word in ("--set", s)]
        result = kolmo.call("case.nml", *args, rc=None, cwd=folder)
        check.equal(f"{label}: exit code", result.rc, 2)
        check.holds(f"{label}: says why", len(result.err) > 20, result.err)
        check.equal(f"{label}: files of the older run stay", sorted(os.listdir(out)), before)
        if "high.txt" in args[-1]:
            checked = kolmo.call("case.nml", "--check", *args, rc=None, cwd=folder)
            check.equal("    found by --check, too", (checked.rc, checked.err), (2, result.err))
            check.says("    with place and wavenumbers", result.err, "high.txt: error:", "1000 to 2000",
                       "grid.length")


if __name__ == "__main__":
    kc.main(__doc__,
            [several_at_once, one_at_a_time, required, ranks_that_do_not_fit, command_line, check_only, page,
             developed, foretold, cost, memory_foretold, settings, refused_late])

#!/usr/bin/env python3
"""The speed of whole steps and of the pressure solvers on one GPU, of one build or of two in turn: the table
that a change of speed is judged by. In four minutes at most:

    make BACKEND=cuda -j all bench-programs && python3 tests/gpu/speed.py build/cuda
    python3 tests/gpu/speed.py ../before/build/cuda build/cuda

usage: speed.py [BEFORE] BUILD [--out build/speed] [--seconds 230] [--rounds 3] [--only NAME] [--divide N]

BEFORE, BUILD: folders with kolmo and kolmo-bench. Runs have 60 steps with --profile and
output.series_interval = 10; runs of few cells have no --profile, and their time is that of the wall clock
between two numbers of steps. Each round takes every run once, the builds directly after each other, and so
the medians of both builds are of the same minutes. After the first round kolmo-bench measures the copy, the
kernels and the solvers, with bodies and without. When the time is over, rounds are left out: the table says
how many each median has. --only: only lines whose name contains NAME. --divide N: grids N times smaller in
each direction, to try this script without a GPU.
Writes speed.md and speed.json into OUT; prints speed.md. Exit code 1 if a run failed; without a GPU:
skipped, code 0."""
import argparse
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
STEPS = 61             # --profile leaves the first one out
CLOCKED = (200, 3200)  # steps of the two runs whose difference is the time of a step
VORTEX, CHANNEL = "taylor-green-re1600", "channel-retau180"
DIRECT, MULTIGRID = ("pressure.preconditioner=direct",), ("pressure.preconditioner=multigrid",)
WIDE = ("grid.stretching_factor=0,0,2", "time.cfl=0.8")
IMPLICIT = ("time.diffusion=implicit-z",)
CUBES = ("packing.shape=box", "packing.count=768", "packing.size=0.2094", "packing.gap=2",
         "packing.align=.true.")
# Name, case, cells, settings, --profile. The shortest come first, so that a short time leaves out the rest.
RUNS = (
    ("vortex 128^3, direct", VORTEX, (128, 128, 128), DIRECT, False),
    ("vortex 256^3, direct", VORTEX, (256, 256, 256), DIRECT, True),
    ("vortex 256^3, multigrid", VORTEX, (256, 256, 256), MULTIGRID, True),
    ("vortex 256^3, 768 cubes", VORTEX, (256, 256, 256), MULTIGRID + CUBES, True),
    ("vortex 256^3, 768 cubes, forces every 10 steps", VORTEX, (256, 256, 256),
     MULTIGRID + CUBES + ("output.bodies_interval=10",), True),
    ("channel 512 x 256 x 256, direct", CHANNEL, (512, 256, 256), DIRECT + WIDE, True),
    ("channel 512 x 256 x 256, multigrid", CHANNEL, (512, 256, 256), MULTIGRID + WIDE, True),
    ("channel 256 x 256 x 192, implicit-z, direct", CHANNEL, (256, 256, 192), DIRECT + IMPLICIT, True),
    ("vortex 512^3, direct", VORTEX, (512, 512, 512), DIRECT, True),
    ("vortex 512^3, multigrid", VORTEX, (512, 512, 512), MULTIGRID, True),
)
# Name, arguments of kolmo-bench, cells in x of each size, which records.
BENCHES = (
    ("kernels", ("--only", "laplacian|PPCG iteration, degree 1|correct|column|momentum_stage"), (512,)),
    ("solvers", ("poisson", "--only", "multigrid"), (256, 512)),
    ("solvers, cubes", ("poisson", "--only", "multigrid", "--case", "periodic", "--bodies", "cubes"), (256,)),
    ("solvers, bed", ("poisson", "--only", "multigrid", "--case", "periodic", "--bodies", "bed"), (256,)),
)
PHASES = ("convection", "pressure", "correction", "monitor", "diffusion")


class Fault(Exception):
    """A command failed, or it printed something else."""


def gpu_here():
    """Name of the GPU; None if there is none."""
    try:
        found = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return found.stdout.strip() if found.returncode == 0 else None


class Study:
    """Runs of the builds, and their results: {name: {build: [result of each round]}}."""

    def __init__(self, options):
        self.options = options
        self.end = time.monotonic() + options.seconds
        self.results, self.benches, self.failed = {}, {}, 0
        self.longest = {}
        os.makedirs(os.path.join(options.out, "cache"), exist_ok=True)
        self.env = dict(os.environ, XDG_CACHE_HOME=os.path.abspath(os.path.join(options.out, "cache")),
                        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                        OMPI_MCA_hwloc_base_binding_policy="none")

    def left(self):
        """Seconds until the end."""
        return self.end - time.monotonic()

    def command(self, name, command):
        """What a command prints."""
        started = time.monotonic()
        try:
            done = subprocess.run(command, cwd=ROOT, env=self.env, capture_output=True, text=True,
                                  check=False, timeout=max(self.left(), 1))
        except subprocess.TimeoutExpired as late:
            raise Fault(f"{name}: no time left") from late
        self.longest[name] = max(self.longest.get(name, 0), time.monotonic() - started)
        if done.returncode != 0:
            raise Fault(f"{name}: exit code {done.returncode}\n{(done.stdout + done.stderr)[-1000:]}")
        return done.stdout

    def cells(self, run):
        """Cells in each direction."""
        return [n // self.options.divide for n in run[2]]

    def kolmo(self, build, run, steps):
        """The output of one run, and the seconds between its start and its end by its own clock."""
        name, case, _, settings, profile = run
        folder = os.path.abspath(os.path.join(self.options.out, "run"))
        shutil.rmtree(folder, ignore_errors=True)
        settings = settings + (f"run.steps_max={steps}", "run.t_end=1e6", "output.series_interval=10",
                               f"grid.n={','.join(map(str, self.cells(run)))}", "output.log_interval=1000",
                               "output.field_interval_time=0", "checkpoint.at_end=.false.",
                               "checkpoint.interval=0", f"output.directory={folder}")
        out = self.command(name, [os.path.join(build, "kolmo"), f"inputs/cases/{case}.nml"]
                           + [part for s in settings for part in ("--set", s)]
                           + (["--profile"] if profile else []))
        with open(os.path.join(folder, "run.jsonl"), encoding="utf-8") as lines:
            seconds = json.loads(lines.readlines()[-1])["seconds"]
        shutil.rmtree(folder, ignore_errors=True)
        return out, seconds

    def run(self, build, run):
        """Milliseconds of a step and of its phases, GiB, the last divergence and iterations."""
        if run[4]:
            out, _ = self.kolmo(build, run, STEPS)
            result = {name: float(ms) for name, ms in re.findall(r"^  (\w+) +([\d.]+) +[\d.]+ %$", out, re.M)}
            result["step"] = sum(result.values())
        else:
            few, many = (self.kolmo(build, run, steps) for steps in CLOCKED)
            out = many[0]
            result = {"step": 1e3 * (many[1] - few[1]) / (CLOCKED[1] - CLOCKED[0])}
        found = re.search(r"kernel memory ([\d.e+-]+) GiB", out)
        last = re.findall(r"^step .* div +(\S+) .* it +(\d+) ", out, re.M)
        if not result["step"] > 0 or not found or not last:
            raise Fault(f"{run[0]}: no table of a step\n{out[-1000:]}")
        return dict(result, gib=float(found[1]), divergence=float(last[-1][0]), iterations=float(last[-1][1]))

    def round(self):
        """Every run once with each build."""
        for run in RUNS:
            if self.options.only not in run[0]:
                continue
            need = self.longest.get(run[0], 0) * len(self.options.builds) * (1 if run[4] else 2)
            if self.left() < need:
                continue
            for build in self.options.builds:
                self.attempt(lambda b=build, r=run: self.keep(b, r, self.run(b, r)))

    def keep(self, build, run, result):
        """Adds a result to those of its run and build."""
        self.results.setdefault(run[0], {}).setdefault(build, []).append(result)

    def bench(self):
        """What kolmo-bench says of each build."""
        for name, arguments, sizes in BENCHES:
            if self.options.only not in name:
                continue
            for build in self.options.builds:
                self.attempt(lambda b=build, n=name, a=arguments, s=sizes: self.bench_one(b, n, a, s))

    def bench_one(self, build, name, arguments, sizes):
        """One call; its records are kept."""
        path = os.path.abspath(os.path.join(self.options.out, "bench.json"))
        sizes = ",".join(str(n // self.options.divide) for n in sizes)
        self.command("bench, " + name, [os.path.join(build, "kolmo-bench"), *arguments, "--quick",
                                        "--sizes", sizes, "--json", path])
        with open(path, encoding="utf-8") as file:
            found = json.load(file)["runs"][0]
        self.benches.setdefault("copy", {}).setdefault(build, []).append(found["copy_bytes_per_second"])
        for record in found["records"]:
            cells = " x ".join(map(str, record["n"]))
            self.benches.setdefault(f"{name}: {record['name']}, {cells}", {})[build] = record

    def attempt(self, work):
        """What fails is told; the others go on."""
        try:
            work()
        except Fault as fault:
            self.failed += 1
            print(fault, flush=True)


# --- tables ---

def median_of(results, key):
    """Median over the rounds; None where no round has the phase."""
    values = [r[key] for r in results if key in r]
    return statistics.median(values) if values else None


def steps_table(study):
    """Whole steps: a line for each run and build."""
    lines = ["| run | build | rounds | " + " | ".join(PHASES) + " | step, ms | ns a cell | spread | "
             "before / now | GiB | B a cell | div | it |", "|" + " --- |" * (len(PHASES) + 11)]
    for run in RUNS:
        count = float(study.cells(run)[0]) * study.cells(run)[1] * study.cells(run)[2]
        base = None
        for build, results in study.results.get(run[0], {}).items():
            step = median_of(results, "step")
            spread = (max(r["step"] for r in results) - min(r["step"] for r in results)) / step
            base = base or step
            phases = [median_of(results, phase) for phase in PHASES]
            last = results[-1]
            lines.append(f"| {run[0]} | {build} | {len(results)} | "
                         + " | ".join("" if ms is None else f"{ms:.3f}" for ms in phases)
                         + f" | {step:.3f} | {step * 1e6 / count:.4f} | {100 * spread:.1f} %"
                         + f" | {base / step:.3f} | {last['gib']:.3f} | {last['gib'] * 2**30 / count:.1f}"
                         + f" | {last['divergence']:.1e} | {last['iterations']:.0f} |")
    return lines


def bench_table(study):
    """Kernels and solvers: a line for each record and build."""
    lines = ["| kolmo-bench | build | ms | share of copy | Gcells/s | iterations | ms an iteration |",
             "|" + " --- |" * 7]
    for name, builds in study.benches.items():
        for build, record in builds.items():
            if name == "copy":
                continue
            rate = record["n"][0] * record["n"][1] * record["n"][2] / record["seconds"] * 1e-9
            share, its = record.get("share_of_copy"), record.get("iterations")
            lines.append(f"| {name} | {build} | {1e3 * record['seconds']:.3f} | "
                         + ("" if share is None else f"{100 * share:.1f} %") + f" | {rate:.2f} | "
                         + (" | " if not its else f"{its:.2f} | {1e3 * record['seconds'] / its:.3f}") + " |")
    return lines


def report(study, device):
    """Both tables, and what they are of."""
    copies = [f"{build} {statistics.median(rates) * 1e-12:.3f}"
              for build, rates in study.benches.get("copy", {}).items()]
    return "\n".join([f"{device}; copy in TB/s: {', '.join(copies) or 'not measured'}", ""]
                     + steps_table(study) + [""] + bench_table(study) + [""])


def main():
    """Runs the study."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("builds", nargs="+", metavar="BUILD")
    parser.add_argument("--out", default="build/speed")
    parser.add_argument("--seconds", type=float, default=230)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--divide", type=int, default=1)
    options = parser.parse_args()
    if len(options.builds) > 2:
        parser.error("two builds at most")
    device = gpu_here()
    if device is None and options.divide == 1:
        print("no GPU here: the speed is not measured")
        return 0
    options.builds = [os.path.abspath(build) for build in options.builds]
    study = Study(options)
    for number in range(options.rounds):
        study.round()
        if number == 0:
            study.bench()
    text = report(study, device or "no GPU")
    with open(os.path.join(options.out, "speed.md"), "w", encoding="utf-8") as file:
        file.write(text)
    with open(os.path.join(options.out, "speed.json"), "w", encoding="utf-8") as file:
        json.dump({"device": device, "runs": study.results, "bench": study.benches}, file, indent=1)
    print(text)
    print(f"{options.seconds - study.left():.0f} s, {study.failed} failed")
    return 1 if study.failed else 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # quietly ended where nobody reads on, as `| head`
    sys.exit(main())

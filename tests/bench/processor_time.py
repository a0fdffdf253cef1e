#!/usr/bin/env python3
"""Processor time of a step of the CPU build, of two builds in turn: a channel on one rank, with `direct` and
with `multigrid`. The time of a step is the difference of two runs of different length, so that the start does
not count.

    git worktree add ../before COMMIT && make -C ../before -j all && make -j all
    python3 tests/bench/processor_time.py ../before/build/cpu build/cpu

usage: processor_time.py BEFORE [BUILD] [--cells 128] [--rounds 5] [--steps 2 12] [--out FOLDER]

BEFORE, BUILD: folders with kolmo. Each round takes both builds directly after each other. The processor time
is that of user and system, so that other programs on the machine disturb it less than the time of the clock.
Prints every round, and a table of medians in nanoseconds a cell and step. Exit code 1 if a run failed."""
import argparse
import os
import resource
import shutil
import signal
import statistics
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SETTINGS = ("grid.stretching_factor=0,0,2", "time.cfl=0.8", "output.series_interval=10",
            "output.log_interval=1000", "output.field_interval_time=0", "checkpoint.at_end=.false.")
PRECONDITIONERS = ("direct", "multigrid")


def seconds(options, build, preconditioner, steps):
    """Processor time of one run."""
    folder = os.path.abspath(os.path.join(options.out, "run"))
    shutil.rmtree(folder, ignore_errors=True)
    settings = SETTINGS + (f"grid.n={options.cells},{options.cells},{options.cells}",
                           f"run.steps_max={steps}",
                           f"pressure.preconditioner={preconditioner}", f"output.directory={folder}")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([os.path.join(build, "kolmo"), "inputs/cases/channel-retau180.nml"]
                          + [part for s in settings for part in ("--set", s)], cwd=ROOT, capture_output=True,
                          text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(folder, ignore_errors=True)
    if done.returncode != 0:
        sys.exit(f"{build}: exit code {done.returncode}\n{(done.stdout + done.stderr)[-1000:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def step(options, build, preconditioner):
    """Nanoseconds of a step for each cell."""
    few, many = (seconds(options, build, preconditioner, steps) for steps in options.steps)
    return 1e9 * (many - few) / (options.steps[1] - options.steps[0]) / options.cells ** 3


def main():
    """Runs the rounds, prints them and their medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("builds", nargs="+", metavar="BUILD")
    parser.add_argument("--cells", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, nargs=2, default=(2, 12))
    parser.add_argument("--out", default="build/processor-time")
    options = parser.parse_args()
    if len(options.builds) > 2:
        parser.error("two builds at most")
    if options.rounds < 1 or not 0 < options.steps[0] < options.steps[1]:
        parser.error("at least one round, and the second number of steps above the first")
    options.builds = [os.path.abspath(build) for build in options.builds]
    times = {(p, n): [] for p in PRECONDITIONERS for n in range(len(options.builds))}
    for number in range(options.rounds):
        for (preconditioner, of), found in times.items():
            build = options.builds[of]  # both may be the same, to see how far equal builds differ
            found.append(step(options, build, preconditioner))
            print(f"round {number + 1}, {preconditioner}, {build}: {found[-1]:.1f} ns a cell", flush=True)
    print("\n| preconditioner | " + " | ".join(options.builds) + " | ratio |")
    print("|" + " --- |" * (len(options.builds) + 2))
    for preconditioner in PRECONDITIONERS:
        medians = [statistics.median(times[preconditioner, n]) for n in range(len(options.builds))]
        ratio = f"{medians[1] / medians[0]:.3f}" if len(medians) == 2 else ""
        print(f"| {preconditioner} | " + " | ".join(f"{ns:.1f}" for ns in medians) + f" | {ratio} |")
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # quietly ended where nobody reads on, as `| head`
    sys.exit(main())

#!/usr/bin/env python3
"""How long a cell takes in the small boxes of an ensemble, side by side on one GPU, against one large box.

    make BACKEND=cuda -j && python3 tests/gpu/members.py --kolmo build/cuda/kolmo

usage: members.py --kolmo PROGRAM [--members 16] [--cells 128] [--large 512] [--ranks 1 2 4 16] [--rounds 3]
                  [--steps N] [--out build/members] [--set group.name=value ...]

The members are Taylor-Green vortices of --cells^3 with `direct`. With fewer ranks than members, several take
turns in each process. The time of a step is that of the wall clock between two numbers of steps, the longest
of all members; so start and end do not count. Each round takes every line once; the table has medians over
the rounds in ns per cell and step, of the cells of all members, and what they are of the large box. --steps:
of each run, instead of a second's worth on an H100. Exit code 1 if a run failed."""
import argparse
import glob
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FIRST = 0.2  # the shorter run, as a part of the longer one


def seconds(folder):
    """What a run took from its first step to its end, by its own clock."""
    with open(os.path.join(folder, "run.jsonl"), encoding="utf-8") as lines:
        return json.loads(lines.readlines()[-1])["seconds"]


def run(options, cells, members, ranks, steps):
    """Runs and returns the longest time of a member."""
    out = os.path.abspath(os.path.join(options.out, "runs"))
    shutil.rmtree(out, ignore_errors=True)
    words = ["inputs/cases/taylor-green-re1600.nml"]
    for setting in ["pressure.preconditioner=direct", "checkpoint.at_end=.false.", "checkpoint.interval=0",
                    "output.field_interval_time=0", "output.series_interval=10", "output.log_interval=10000",
                    "run.t_end=1e6", f"grid.n={cells},{cells},{cells}", f"run.steps_max={steps}",
                    f"output.directory={out}"] + options.set:
        words += ["--set", setting]
    for n in range(members if members > 1 else 0):
        words += ["--member", f"run.seed={n + 1}"]
    start = ["mpirun", "-n", str(ranks)] if ranks > 1 else []
    env = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
           "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none"}
    done = subprocess.run(start + [os.path.abspath(options.kolmo)] + words, cwd=ROOT, env=env, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=options.limit,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"{members} members on {ranks} ranks: exit code {done.returncode}\n{done.stdout[-1500:]}")
    folders = glob.glob(os.path.join(out, "member-*")) if members > 1 else [out]
    if len(folders) != members:
        sys.exit(f"{len(folders)} folders of {members} members")
    return max(seconds(folder) for folder in folders)


def per_cell(options, cells, members, ranks, steps):
    """Nanoseconds a cell and step."""
    few = max(int(FIRST * steps), 1)
    took = run(options, cells, members, ranks, steps) - run(options, cells, members, ranks, few)
    return 1e9 * took / ((steps - few) * members * cells**3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kolmo", required=True)
    parser.add_argument("--members", type=int, default=16)
    parser.add_argument("--cells", type=int, default=128)
    parser.add_argument("--large", type=int, default=512)
    parser.add_argument("--ranks", type=int, nargs="*", default=[1, 2, 4, 16])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--limit", type=float, default=300, help="seconds of one run at most")
    parser.add_argument("--out", default="build/members")
    parser.add_argument("--set", action="append", default=[])
    options = parser.parse_args()

    def steps(all_cells):
        return max(int(3e9 / all_cells), 10)

    small = options.cells**3
    lines = [(f"one box of {options.large}^3", options.large, 1, 1, options.steps or steps(options.large**3)),
             (f"one box of {options.cells}^3", options.cells, 1, 1, options.steps or steps(small))]
    lines += [(f"{options.members} boxes of {options.cells}^3 on {ranks} rank{'s' * (ranks > 1)}",
               options.cells, options.members, ranks, options.steps or steps(options.members * small))
              for ranks in options.ranks]
    found = {line[0]: [] for line in lines}
    for _ in range(options.rounds):
        for name, *what in lines:
            found[name].append(per_cell(options, *what))
            print(f"  {name}: {found[name][-1]:.3f}", flush=True)
    large = statistics.median(found[lines[0][0]])
    print("\n| what | ns a cell and step | of the large box |\n| --- | --- | --- |")
    for name, values in found.items():
        print(f"| {name} | {statistics.median(values):.3f} | {statistics.median(values) / large:.2f} |")


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # quietly ended where nobody reads on, as `| head`
    main()

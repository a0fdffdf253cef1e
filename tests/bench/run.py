#!/usr/bin/env python3
"""Run the benchmarks on 1 and 2 ranks and keep what they print.

usage: run.py --build build/cpu [--mpirun COMMAND] [--ranks 1,2] [--csv FILE]

The PERF lines go to the terminal and, as a table with commit, compiler and processor, into FILE
(build/.../bench.csv unless given); docs/performance/ keeps the tables that were measured for the record."""
import argparse
import os
import re
import shlex
import subprocess
import sys

LINE = re.compile(r"PERF (\S+) (\S+) (\S+) n=(\d+) ranks=(\d+): (.*)")


def output(command):
    """What a command prints, '' where it can't run."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--mpirun", default="mpirun --oversubscribe")
    parser.add_argument("--ranks", default="1,2")
    parser.add_argument("--csv")
    options = parser.parse_args()
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT", "1")
        os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    version = output([os.path.join(options.build, "kolmo"), "--version"]).splitlines()
    rows = []
    for name in ("bench_kernels", "bench_step"):
        program = os.path.join(options.build, "tests", "bench", name)
        for ranks in options.ranks.split(","):
            run = subprocess.run(shlex.split(options.mpirun) + ["-n", ranks, program], stdout=subprocess.PIPE, text=True,
                                 check=False)
            sys.stdout.write(run.stdout)
            sys.stdout.flush()
            if run.returncode != 0:
                print(f"{name} on {ranks} ranks failed with code {run.returncode}")
                return 1
            rows += [LINE.match(line).groups() for line in run.stdout.splitlines() if LINE.match(line)]
    path = options.csv or os.path.join(options.build, "bench.csv")
    with open(path, "w", encoding="utf-8") as f:
        f.write("".join(f"# {line}\n" for line in version))
        f.write("kernel,backend,arithmetic,n,ranks,result\n")
        f.write("".join(",".join(row[:5]) + f',"{row[5]}"\n' for row in rows))
    print(f"table in {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""What a force by formulas costs: the time of a step without a force, with one and with three short formulas,
and with three long ones, as a table. docs/own-flows.md has its results; in half a minute on a GPU:

    python3 tests/gpu/formulas.py --kolmo build/cuda/kolmo --cells 256
    python3 tests/gpu/formulas.py --kolmo build/cpu/kolmo --cells 48

usage: formulas.py --kolmo PROGRAM [--cells 256] [--steps 40] [--rounds 3] [--scheme rk3-half]

Each round takes every run once. The time of a step is the median over the steps of its rounds, the first ten
of each run left out; each step is listed, for the log waits for the device. All runs have the same fixed dt
and the same pressure iterations, so that they differ in the force alone. Exit code 1 if a run failed."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

SHORT = "0.1*sin(2*pi*y/ly)"
LONG = "0.1*sin(2*pi*y/ly + 3*t)*cos(2*pi*z/lz) + 0.2*exp(-y^2)*z - t*0.01"
RUNS = (("no force", ()), ("one short formula", (("fx", SHORT),)),
        ("three short formulas", (("fx", SHORT), ("fy", SHORT.replace("y", "z")), ("fz", SHORT))),
        ("one long formula", (("fx", LONG),)),
        ("three long formulas", (("fx", LONG), ("fy", LONG), ("fz", LONG))))
CASE = """&run steps_max = {steps} /
&grid n = {cells}, {cells}, {cells} /
&fluid nu = 0.001 /
&time scheme = '{scheme}', dt = {dt} /
&pressure preconditioner = 'multigrid', iterations = 2, tolerance = 0.01 /
&output directory = '{folder}', log_interval = 1, series_interval = 1 /
&checkpoint at_end = .false. /
"""
FIRST = 10  # steps that are left out


def steps_of(options, folder, force):
    """Seconds of the steps of one run."""
    target = os.path.join(folder, "run")
    path = os.path.join(folder, "case.nml")
    text = CASE.format(steps=options.steps + FIRST, cells=options.cells, scheme=options.scheme, folder=target,
                       dt=0.2 / options.cells)
    if force:
        text += "&forcing type = 'formula', " + ", ".join(f"{name} = '{f}'" for name, f in force) + " /\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run([options.kolmo, path], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{options.kolmo} {path}: exit code {done.returncode}\n"
                 + (done.stdout + done.stderr)[-1500:])
    with open(os.path.join(target, "run.jsonl"), encoding="utf-8") as lines:
        events = [json.loads(line) for line in lines]
    seconds = [e["seconds"] for e in events if e["event"] == "step"][FIRST:]
    subprocess.run(["rm", "-rf", target], check=False)
    return seconds


def main():
    """Runs all rounds and prints the table."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--kolmo", required=True)
    ask.add_argument("--cells", type=int, default=256)
    ask.add_argument("--steps", type=int, default=40)
    ask.add_argument("--rounds", type=int, default=3)
    ask.add_argument("--scheme", default="rk3-half")
    options = ask.parse_args()
    found = {name: [] for name, _ in RUNS}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.rounds):
            for name, force in RUNS:
                found[name] += steps_of(options, folder, force)
    count = float(options.cells) ** 3
    base = statistics.median(found["no force"])
    print(f"{options.kolmo}, {options.cells}^3 cells, {options.scheme}, medians of "
          f"{options.rounds * options.steps} steps")
    print("| force | ns per cell and step | more than without | share of the step without | fastest step |")
    print("| --- | --- | --- | --- | --- |")
    for name, seconds in found.items():
        step = statistics.median(seconds)
        print(f"| {name} | {1e9 * step / count:.3f} | {1e9 * (step - base) / count:.3f} | "
              f"{step / base - 1:+.1%} | {1e9 * min(seconds) / count:.3f} |")


main()

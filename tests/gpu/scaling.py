#!/usr/bin/env python3
"""Scaling over the GPUs of one machine: whole steps of the Taylor-Green vortex, strong (256^3, 512^3, 1024^3
cells in all) and weak (512^3 a GPU), the part of the pressure, the share of the exchanges that is hidden,
each transport; the same bits on any number of GPUs; and steps of the largest grid: 1024^3 cells a GPU, 2048^3
on eight. On eight GPUs in nine minutes at most:

    make BACKEND=cuda -j all && python3 tests/gpu/scaling.py --out build/gpu/scaling

usage: scaling.py [--kolmo build/cuda/kolmo] [--gpus 1,2,4,8]
                  [--parts bits,strong,weak,transports,largest] [--out FOLDER]
                  [--seconds 540] [--preconditioner NAME] [--cells 256,512,1024] [--each 512] [--largest 1024]
       scaling.py --table FILE...     table and figure of results made before

Writes scaling.json (after each run), scaling.md and, with matplotlib, scaling.png into FOLDER. What is not
begun after --seconds is left out, told, and counts as failed. Ends with 'N passed, N failed'; without a GPU:
skipped, code 0."""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(HERE, "..", "..", "postproc", "plot"))
import system_python  # noqa: E402

system_python.require("scaling.py", __name__)
import gpu_list  # noqa: E402
import kolmo_case as kc  # noqa: E402

STEPS = 12            # of a timed run; --profile leaves the first one out
STEPS_LARGEST = 20
BITS_CELLS = (128, 96, 160)
LIMIT = 200           # seconds of one run


def gpus_here():
    """Number of the GPUs that programs can use."""
    return len(gpu_list.visible())


def case_of(cells, steps, options):
    """Steps of the vortex on these cells, of nothing but steps."""
    return {"run": {"steps_max": steps},
            "grid": {"n": cells, "length": tuple(kc.TWO_PI * n / min(cells) for n in cells)},
            "fluid": {"reynolds": 1600.0}, "time": {"cfl": 0.8}, "initial": {"type": "taylor-green"},
            "pressure": {"preconditioner": options.preconditioner}, "checkpoint": {"at_end": False},
            "output": {"log_interval": steps}, "device": {"tuning": False}}


def weak_cells(each, gpus):
    """each^3 cells a GPU, cut as evenly as powers of two allow."""
    cells = [each] * 3
    for factor in range(gpus.bit_length() - 1):
        cells[2 - factor % 3] *= 2
    return tuple(cells)


def parse(text):
    """What a run says of itself: ms of each phase, exchanges, memory, device."""
    out = {"phases": {}, "exchanges": {}}
    for name, ms in re.findall(r"^  (\w[\w ]*?) +([0-9.]+) +[0-9.]+ %$", text[text.find("profile of"):],
                               re.M):
        out["phases"][name] = float(ms)
    rows = re.findall(r"^  (\w[\w ]*?) +([0-9.]+) +([0-9.]+) +([0-9.]+) +([0-9.]+) %$", text, re.M)
    for name, count, each, waited, hidden in rows:
        out["exchanges"][name] = {"a_step": float(count), "us": float(each), "waited_us": float(waited),
                                  "hidden": float(hidden)}
    memory = re.search(r"kernel memory ([0-9.]+) GiB", text)
    messages = re.search(r"messages by (\S+?)[;,\s]", text)
    device = re.search(r"^kolmo (\S+),.*\n  (.*)$", text, re.M)
    out["gib_a_rank"] = float(memory.group(1)) if memory else float("nan")
    out["transport"] = messages.group(1) if messages else "none"
    out["version"], out["device"] = device.groups() if device else ("?", "?")
    out["step_ms"] = sum(out["phases"].values())
    return out


class Study:
    """The runs, one after another, until time is up."""

    def __init__(self, options, folder):
        self.options, self.check, self.started = options, kc.Check(), time.monotonic()
        self.kolmo = kc.Kolmo(options, folder)
        self.results = []

    def left(self):
        """Seconds that are left."""
        return self.options.seconds - (time.monotonic() - self.started)

    def save(self):
        """What there is so far: a run that is stopped leaves it."""
        with open(os.path.join(self.options.out, "scaling.json"), "w", encoding="utf-8") as target:
            json.dump({"command": sys.argv, "runs": self.results}, target, indent=1)

    def timed(self, part, cells, gpus, transport="auto", steps=STEPS):
        """One run with --profile, or why there is none."""
        label = (f"{part}: {' x '.join(map(str, cells))} cells on {gpus}"
                 + ("" if transport == "auto" else f", {transport}"))
        if self.left() < 20:
            self.check.fail(f"{label}: no time left")
            return
        case = kc.merge(case_of(cells, steps, self.options),
                        {"device": {"transport": transport}} if transport != "auto" else {})
        started = time.monotonic()
        try:
            result = self.kolmo.run(case, "--profile", ranks=gpus, seconds=min(LIMIT, self.left()))
        except kc.RunError as fault:
            self.check.fail(f"{label}: {fault}")
            return
        row = dict(parse(result.out), part=part, cells=list(cells), gpus=gpus, steps=steps,
                   seconds=time.monotonic() - started)
        # of the steps that are timed
        row["iterations"] = float(result.series()["pressure_iterations"][1 - steps:].mean())
        count = float(cells[0]) * cells[1] * cells[2]
        row["ns_a_cell"] = row["step_ms"] * 1e6 / count
        row["arrays_a_cell"] = row["gib_a_rank"] * 2**30 * gpus / 8 / count
        if row["step_ms"] > 0:
            self.results.append(row)
            self.save()
        self.check.holds(f"{label}: {row['step_ms']:.3f} ms a step, {row['ns_a_cell']:.4f} ns a cell, "
                         f"{row['arrays_a_cell']:.2f} doubles a cell ({row['seconds']:.0f} s)",
                         row["step_ms"] > 0, result.out[-500:])

    def bits(self):
        """The same bits on any number of GPUs; with the exact inverse one GPU takes another way."""
        if self.options.preconditioner in ("direct", "auto"):
            self.check.skip("bits", f"{self.options.preconditioner} promises rounding")
            return
        case = kc.merge(case_of(BITS_CELLS, 10, self.options), {"checkpoint": {"at_end": True}})
        one = self.kolmo.run(case, seconds=LIMIT)
        for gpus in self.options.counts:
            if gpus > 1:
                self.check.same(f"10 steps on {gpus} GPUs and on one",
                                kc.differences(one, self.kolmo.run(case, ranks=gpus, seconds=LIMIT)))

    def strong(self):
        """Grids of a given size."""
        for side in self.options.sides:
            for gpus in self.options.counts:
                self.timed("strong", (side, side, side), gpus)

    def weak(self):
        """As many cells on each GPU."""
        for gpus in self.options.counts:
            self.timed("weak", weak_cells(self.options.each, gpus), gpus)

    def transports(self):
        """Messages by way of the hosts, beside the transport that was chosen before."""
        for gpus in self.options.counts:
            if gpus > 1:
                self.timed("transports", (self.options.each,) * 3, gpus, "host")

    def largest(self):
        """As many cells as fit, on all GPUs."""
        gpus = max(self.options.counts)
        self.timed("largest", weak_cells(self.options.largest, gpus), gpus, steps=STEPS_LARGEST)


# --- table and figure ---

GRIDS = "multigrid"  # exchanges of the multigrid's grids, which overlap nothing


def hidden(row):
    """Share of the time of exchanges that was hidden, of those of the flow and of the conjugate gradients."""
    overlapping = [e for name, e in row["exchanges"].items() if name != GRIDS]
    all_us = sum(e["a_step"] * e["us"] for e in overlapping)
    waited = sum(e["a_step"] * e["waited_us"] for e in overlapping)
    return 1 - waited / all_us if all_us > 0 else float("nan")


def of_grids(row):
    """Milliseconds a step of the exchanges of the multigrid's grids."""
    e = row["exchanges"].get(GRIDS)
    return e["a_step"] * e["us"] * 1e-3 if e else float("nan")


def one_of(rows, row):
    """The row that an efficiency is measured by: fewest GPUs of the same part and, strong, the same cells."""
    same = [r
            for r in rows
            if r["part"] == row["part"] and (r["part"] != "strong" or r["cells"] == row["cells"])]
    return min(same, key=lambda r: r["gpus"])


def efficiency(rows, row):
    """Cells a second and GPU, over those of the fewest GPUs."""
    first = one_of(rows, row)
    return first["ns_a_cell"] * first["gpus"] / (row["ns_a_cell"] * row["gpus"])


def number(value, text):
    """A number as text, - where there is none."""
    return "-" if value != value else format(value, text)


def table(rows):
    """The rows as Markdown."""
    head = ("part", "cells", "GPUs", "messages", "ms a step", "pressure ms", "iterations a step", "ns a cell",
            "efficiency",
            "exchanges hidden", "the multigrid's, ms a step", "doubles a cell")
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for row in rows:
        sized = row["part"] in ("strong", "weak")
        lines.append("| " + " | ".join((
            row["part"], " x ".join(map(str, row["cells"])), str(row["gpus"]), row["transport"],
            f"{row['step_ms']:.3f}",
            number(row["phases"].get("pressure", float("nan")), ".3f"), f"{row['iterations']:.1f}",
            f"{row['ns_a_cell']:.4f}",
            number(100 * efficiency(rows, row) if sized else float("nan"), ".1f") + (" %" if sized else ""),
            number(100 * hidden(row), ".1f") + (" %" if row["exchanges"] else ""),
            number(of_grids(row), ".3f"), number(row["arrays_a_cell"], ".2f"))) + " |")
    return "\n".join(lines) + "\n"


def figure(rows, path):
    """Speed-up and weak efficiency against the number of GPUs."""
    try:
        import matplotlib
    except ImportError:
        print("skip figure: no matplotlib")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot
    fig, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.6), constrained_layout=True)
    counts = sorted({r["gpus"] for r in rows})
    for side, mark in zip(sorted({r["cells"][0] for r in rows if r["part"] == "strong"}), "osd^v"):
        mine = sorted((r for r in rows if r["part"] == "strong" and r["cells"][0] == side),
                      key=lambda r: r["gpus"])
        left.plot([r["gpus"] for r in mine], [efficiency(rows, r) * r["gpus"] for r in mine], mark + "-",
                  label=f"${side}^3$")
    left.plot(counts, counts, "k:", label="ideal")
    mine = sorted((r for r in rows if r["part"] == "weak"), key=lambda r: r["gpus"])
    right.plot([r["gpus"] for r in mine], [100 * efficiency(rows, r) for r in mine], "o-")
    left.set(xlabel="GPUs", ylabel="speed-up of a step", xscale="log", yscale="log", xticks=counts,
             yticks=counts)
    right.set(xlabel="GPUs", ylabel="weak efficiency of a step [%]", xscale="log", xticks=counts,
              ylim=(0, 105))
    for axis in (left, right):
        axis.set_xticks(counts, [str(c) for c in counts])
        axis.minorticks_off()
    left.set_yticks(counts, [str(c) for c in counts])
    left.legend(frameon=False)
    fig.savefig(path, dpi=150)


def write(rows, folder):
    """Table and figure."""
    text = table(rows)
    print(text)
    with open(os.path.join(folder, "scaling.md"), "w", encoding="utf-8") as target:
        target.write(text)
    figure(rows, os.path.join(folder, "scaling.png"))


def numbers(text):
    """Whole numbers between commas."""
    return [int(word) for word in text.split(",")]


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kolmo", default="build/cuda/kolmo", help="the program")
    parser.add_argument("--mpirun", default="mpirun --oversubscribe", help="how several ranks are started")
    parser.add_argument("--gpus", type=numbers, default=[1, 2, 4, 8],
                        help="numbers of GPUs; those that are not here are left out")
    parser.add_argument("--parts", default="bits,largest,strong,weak,transports",
                        help="what to do, in this order")
    parser.add_argument("--cells", dest="sides", type=numbers, default=[256, 512, 1024],
                        help="sides of the strong part")
    parser.add_argument("--each", type=int, default=512,
                        help="side of the cube of a GPU, weak part and transports")
    parser.add_argument("--largest", type=int, default=1024, help="side of the cube of a GPU, largest grid")
    parser.add_argument("--preconditioner", default="multigrid", help="pressure.preconditioner")
    parser.add_argument("--seconds", type=float, default=540, help="begin nothing after so long")
    parser.add_argument("--out", default="build/gpu/scaling", help="folder of the results")
    parser.add_argument("--table", nargs="+", metavar="FILE", help="results made before")
    return parser.parse_args()


def main():
    """Runs the parts; exits 0: all passed, 1: some failed."""
    options = arguments()
    # a container may have fewer cores than MPI counts
    os.environ.setdefault("OMPI_MCA_hwloc_base_binding_policy", "none")
    os.makedirs(options.out, exist_ok=True)
    if options.table:
        rows = []
        for path in options.table:
            with open(path, encoding="utf-8") as source:
                rows += json.load(source)["runs"]
        write(rows, options.out)
        return 0
    here = gpus_here()
    if here == 0:
        print("no GPU here: scaling is skipped\n0 passed, 0 failed, 1 skipped")
        return 0
    options.counts = [n for n in options.gpus if n <= here]
    if not options.counts or any(n & (n - 1) for n in options.counts):
        print(f"--gpus {options.gpus}: powers of two are wanted, one of them at most {here}, the GPUs here",
              file=sys.stderr)
        return 2
    print(f"{here} GPUs, on {options.counts} of them; command: {' '.join(sys.argv)}", flush=True)
    with tempfile.TemporaryDirectory(prefix="kolmo-scaling-") as folder:
        study = Study(options, folder)
        for part in options.parts.split(","):
            if part not in ("bits", "strong", "weak", "transports", "largest"):
                study.check.fail(f"unknown part {part}")
                continue
            try:
                getattr(study, part)()
            except kc.RunError as fault:
                study.check.fail(f"{part}: {fault}")
    study.save()
    if study.results:
        write(study.results, options.out)
    print(f"in all {time.monotonic() - study.started:.0f} s")
    print(f"{study.check.passed} passed, {study.check.failed} failed")
    return 0 if study.check.failed == 0 and study.check.passed > 0 else 1


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # quietly ended where nobody reads on, as `| head`
    sys.exit(main())

#!/usr/bin/env python3
"""Makes tables and figures of `kolmo-bench poisson`: iterations and milliseconds over the number of cells,
and what precision costs.

usage: poisson_report.py [--no-figure] [--to FOLDER] FILE...
       poisson_report.py --precision [--cells N] BUILD...

Each FILE was written by `kolmo-bench poisson --json FILE`. Several files are joined; if a line is in several
of them, the last one counts. The tables are printed. The figures are FOLDER/poisson-iterations.png and
FOLDER/poisson-times.png, also as PDF and SVG, with the cases side by side. The tables for LaTeX have the same
names, with the ending .tex. The page poisson.html has all of this. FOLDER is the current one unless it is
given.

--precision runs BUILD/kolmo-bench of each build on N^3 cells (48) to tolerances from 1e-4 to 1e-12. It prints
iterations and residual of the multigrid for each build, and how far its solution is from that of the exact
inverse of the same build.

Exit codes: 0 done; 2 a file or a program can't be read or run."""
import json
import math
import os
import subprocess
import sys
import tempfile

import system_python
system_python.require("poisson_report", __name__)
from kolmo.plots import MARKS  # noqa: E402
from kolmo.plots import line_style as style  # noqa: E402
import sheet_page  # noqa: E402
from report_page import sheet, write_sheet, write_table  # noqa: E402
from report_parts import Unreadable, plotter, regular  # noqa: E402

CASES = ("periodic", "channel")
TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10, 1e-12)
TOO_TIGHT = 3  # exit code of kolmo-bench where a tolerance is not met


def records(path):
    """The records of the pressure solvers in a file, with `pair` for the library's transforms alone."""
    regular(path)
    try:
        with open(path, encoding="utf-8") as source:
            runs = json.load(source)["runs"]
        found = [r for run in runs for r in run["records"] if "preconditioner" in r and "case" in r]
        return [{**r, "cells": r["n"][0]} for r in found]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Unreadable(f"{path}: {error}") from None


def collect(paths):
    """(case, preconditioner, cells) -> record, and the names in the order of their first line."""
    lines, names = {}, []
    for path in paths:
        for r in records(path):
            lines[r["case"], r["preconditioner"], r["cells"]] = r
            if r["preconditioner"] not in names:
                names.append(r["preconditioner"])
    if not lines:
        raise Unreadable("no records of kolmo-bench poisson")
    return lines, names


# --- tables ---

def table(lines, names, title, value, path=None):
    """Prints a table, and writes it for LaTeX where a path is given."""
    columns = sorted({(CASES.index(case), cells) for case, _, cells in lines})
    head = (title, *(f"{CASES[c]} {n}^3" for c, n in columns))
    rows = []
    for name in names:
        found = [lines.get((CASES[c], name, n)) for c, n in columns]
        rows.append((name, *("-" if r is None else value(r) for r in found)))
    print("| " + " | ".join(head) + " |")
    print("| --- |" + " --- |" * len(columns))
    for name, *values in rows:
        print(f"| `{name}` | " + " | ".join(values) + " |")
    print()
    if path:
        write_table(path, head, rows)
    return head, rows


def tables(lines, names, folder):
    """folder: gets the tables for LaTeX; None: they are printed alone. Returns lists for the page."""
    def place(name):
        return folder and os.path.join(folder, name)
    found = [table(lines, names, "iterations", lambda r: f"{r['iterations']}",
                   place("poisson-iterations.tex")),
             table(lines, names, "ms", lambda r: f"{1e3 * r['seconds']:.3g}", place("poisson-times.tex"))]
    pairs = {key: r for key, r in lines.items() if "over_transforms" in r}
    if pairs:
        table(pairs, ["direct"], "times the bare transforms", lambda r: f"{r['over_transforms']:.3f}")
    return [(heading, "nothing is judged", False, head, rows, None, [f"poisson-{stem}-1"] * len(rows))
            for heading, stem, (head, rows) in zip(("Iterations", "Times"), ("iterations", "times"), found)]


# --- figures ---

def figure(plt, lines, names, value, label, path):
    """A panel for each case."""
    sheet_of, panels = sheet(plt, 1, len(CASES))
    for axis, case in zip(panels[0], CASES):
        for number, name in enumerate(names):
            points = sorted((n, value(r)) for (c, p, n), r in lines.items() if (c, p) == (case, name))
            if points:
                axis.plot(*zip(*points), marker=MARKS[number % len(MARKS)], ms=3.5, label=name,
                          **style(number))
        sizes = sorted({n for c, _, n in lines if c == case})
        axis.set(xscale="log", yscale="log", title=case, xlabel="cells a side", ylabel=label)
        axis.set_xticks(sizes, [str(n) for n in sizes])
        axis.minorticks_off()
    return write_sheet(plt, sheet_of, path)


def figures(lines, names, folder, lists):
    """Iterations and times, and the page."""
    try:
        plt = plotter()
    except ImportError as error:
        print(f"no figures: {error}", file=sys.stderr)
        return
    pictures = figure(plt, lines, names, lambda r: r["iterations"], "iterations to the tolerance",
                      os.path.join(folder, "poisson-iterations.png"))
    pictures += figure(plt, lines, names, lambda r: 1e3 * r["seconds"], "milliseconds a solve",
                       os.path.join(folder, "poisson-times.png"))
    sheet_page.write(os.path.join(folder, "poisson.html"), "Pressure solvers", lists, pictures)


# --- precision ---

def solve(build, cells, tolerance, only, path):
    """Records of one preconditioner and the direct one, by case; None where the tolerance is not met."""
    program = os.path.join(build, "kolmo-bench")
    found = {}
    for case in CASES:
        result = subprocess.run([program, "poisson", "--quick", "--sizes", str(cells), "--case", case,
                                 "--tolerance",
                                 f"{tolerance:g}", "--only", only, "--json", path],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if result.returncode not in (0, TOO_TIGHT):
            raise Unreadable(f"{program}: exit code {result.returncode}: "
                             f"{result.stdout.strip().splitlines()[-1:]}")
        found[case] = None if result.returncode == TOO_TIGHT else records(path)
    return found


def precision(builds, cells):
    print(f"| {cells}^3 cells | tolerance | "
          + " | ".join(f"{case}: iterations | residual | error" for case in CASES) + " |")
    print("| --- | --- |" + " --- | --- | --- |" * len(CASES))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bench.json")
        for build in builds:
            for tolerance in TOLERANCES:
                number = f"1e-{round(-math.log10(tolerance))}"
                found = solve(build, cells, tolerance, "multigrid|direct", path)
                words = []
                for case in CASES:
                    if found[case] is None:
                        words.append("- | - | -")
                        continue
                    by_name = {r["preconditioner"]: r for r in found[case]}
                    m, d = by_name["multigrid"], by_name["direct"]
                    words.append(f"{m['iterations']} | {m['residual_l2']:.1e} | {d['difference']:.1e}")
                print(f"| {os.path.basename(os.path.normpath(build))} | {number} | " + " | ".join(words)
                      + " |", flush=True)


def main(args):
    options = {"--to": ".", "--cells": "48"}
    flags, paths = set(), []
    while args:
        word = args.pop(0)
        if word in options:
            if not args:
                sys.exit(f"poisson_report: {word} wants a value")
            options[word] = args.pop(0)
        elif word in ("--no-figure", "--precision"):
            flags.add(word)
        elif word.startswith("-"):
            print(__doc__)
            return 0 if word in ("-h", "--help") else 2
        else:
            paths.append(word)
    if not paths:
        print(__doc__)
        return 2
    try:
        if "--precision" in flags:
            precision(paths, int(options["--cells"]))
            return 0
        lines, names = collect(paths)
        lists = tables(lines, names, None if "--no-figure" in flags else options["--to"])
        if "--no-figure" not in flags:
            figures(lines, names, options["--to"], lists)
    except (Unreadable, OSError, ValueError) as error:
        print(f"poisson_report: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""Timelines of programs on GPUs, by CUPTI, which the CUDA toolkit brings along: what ran as part of what, and
when no sweep ran.

usage: timeline.py [--within TEXT] [--out FOLDER] -- COMMAND...
           runs a command, mpirun and its ranks too, and prints the tables
       timeline.py [--within TEXT] FILE...
           tables of files made before

A run writes FOLDER/timeline.RANK.PID.tsv (timeline.cpp). Of each file, so of each rank, a table of kernels:
name, part, thread blocks, calls, total and mean time; then the exchanges with other GPUs, how many and how
long, and how much of that no sweep ran; then the gaps, times in which neither a sweep nor a rim ran: by the
kernel that ended them, and how much of them nothing at all ran on the GPU. Parts:
  sweeps      what the queue of the sweeps runs, but for
  exchanges   packing, waiting and unpacking of the flow and of the conjugate gradients: in the queue of the
              exchanges, or, where there is nothing to overlap with, in one launch in that of the sweeps
  levels      the same of the multigrid's grids, which are single precision, and what brings whole ones
              together: told apart where the program computes in double precision
  rims        all else in the queue of the exchanges: sweeps over cells that had to wait for an exchange
--within TEXT: from the first to the last kernel whose name contains the text. What CUPTI adds to each launch
makes short kernels' gaps longer than they are without.
Exits 0: done; 1: no CUPTI here, or a timeline is not whole; a failed command: its exit code."""
import argparse
import bisect
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from typing import NamedTuple

COLUMNS = "start\tend\tdevice\tstream\tbytes\tblocks\tname"
# kernels/cuda/pack.cu: type of the values, and whether neighbours are told when they are packed: so an
# exchange begins, but by the host, too
PACKS = re.compile(r"\bcopy_kernel<(\w+), (?:\(bool\))?(0|1|false|true)\b")
AWAITS = re.compile(r"\bawait_kernel\b")  # in both queues
# packing, waiting and unpacking in one launch, in the queue of the sweeps
WHOLE = re.compile(r"\bexchange_kernel<(\w+),")
# what no run does without, and none gives to the queue of the exchanges: memory filled, and sums
SWEEPS = re.compile(r"\b(fill|blocks|share|total)_kernel\b")
ROWS = 40  # of a table, at most
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "timeline.cpp")


class TimelineError(Exception):
    """No CUPTI, or a file that is no whole timeline."""


class Record(NamedTuple):
    """A kernel, copy or fill: times [ns], queue, bytes, thread blocks; what it is part of, as above."""
    start: int
    end: int
    stream: int
    bytes: int
    blocks: int
    name: str
    part: str = ""


class Exchange(NamedTuple):
    """One with other GPUs, from the first packing to the last unpacking: times [ns], its values' type, its
    part, and how long no sweep ran [ns]."""
    start: int
    end: int
    values: str
    part: str
    waited: int


# --- making one ---

def first_of(cuda, folders, pattern):
    """The first of a toolkit's folders that has such a file, and the file."""
    for folder in folders:
        found = sorted(glob.glob(os.path.join(cuda, folder, pattern)))
        if found:
            return os.path.join(cuda, folder), os.path.basename(found[0])
    raise TimelineError(f"no {pattern} in {cuda}: the CUDA toolkit's CUPTI is not installed; CUDA_HOME names "
                        "another toolkit")


def build(folder):
    """The library that a program is to load, made in the folder."""
    cuda = os.environ.get("CUDA_HOME") or "/usr/local/cuda"  # as the Makefile finds it
    include, _ = first_of(cuda, ("include", "extras/CUPTI/include"), "cupti.h")
    lib, name = first_of(cuda, ("lib64", "lib", "extras/CUPTI/lib64"), "libcupti.so*")
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        raise TimelineError("no C++ compiler")
    made = os.path.join(os.path.abspath(folder), "libtimeline.so")
    done = subprocess.run([compiler, "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared",
                           "-fvisibility=hidden", "-isystem", include,
                           "-isystem", os.path.join(cuda, "include"), SOURCE, "-o", made, f"-L{lib}",
                           f"-Wl,-rpath,{lib}", f"-l:{name}"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise TimelineError(f"timeline.cpp does not compile: {done.stderr[-1500:]}")
    return made


def variables(library, folder):
    """What to add to the environment of a program; its files go into the folder."""
    return {"CUDA_INJECTION64_PATH": library,
            "KOLMO_TIMELINE": os.path.join(os.path.abspath(folder), "timeline")}


def idle(path):
    """Whether a process loaded CUDA and gave it nothing to do, as mpirun itself may."""
    with open(path, encoding="utf-8", errors="replace") as source:
        return [line.startswith("# end\t0\t") for line in source.readlines()[1:2]] == [True]


def files_of(folder):
    """The files of a run, in the order of ranks."""
    found = [path for path in glob.glob(os.path.join(folder, "timeline.*.*.tsv")) if not idle(path)]
    return sorted(found, key=lambda path: [int(word) for word in os.path.basename(path).split(".")[1:3]])


# --- reading one ---

def records(path):
    """What a file holds, by start."""
    try:
        with open(path, encoding="utf-8") as source:
            lines = source.read().splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        raise TimelineError(f"{path}: {fault}") from fault
    if not lines or lines[0] != COLUMNS:
        raise TimelineError(f"{path}: no timeline")
    end = re.fullmatch(r"# end\t(\d+)\tmissing\t(\d+)", lines[-1])
    if end is None or int(end.group(1)) != len(lines) - 2:
        raise TimelineError(f"{path}: cut short; the program said why")
    if int(end.group(2)) > 0:
        raise TimelineError(f"{path}: {end.group(2)} records are missing")
    found = []
    for number, line in enumerate(lines[1:-1], 2):
        try:
            start, stop, _, stream, count, blocks, name = line.split("\t", 6)
            found.append(Record(int(start), int(stop), int(stream), int(count), int(blocks), name))
        except ValueError as fault:
            raise TimelineError(f"{path}, line {number}: {line[:200]!r}") from fault
    found.sort()
    return [r._replace(part=part) for r, part in zip(found, parts(found))]


def transfer_queues(found):
    """The queues that exchanges go through; none on one rank. Others exchange values now and then: those are
    where sweeps run."""
    return {r.stream for r in found if PACKS.search(r.name)} - {r.stream
                                                                for r in found if SWEEPS.search(r.name)}


def runs_of(found):
    """For each exchange that GPUs tell each other of the numbers of its records: packing, waiting, unpacking,
    one after the other in a queue, or all in one."""
    out, under_way = [], {}
    for number, r in enumerate(found):
        packs, mine = PACKS.search(r.name), under_way.get(r.stream)
        if WHOLE.search(r.name):
            out.append([number])
        elif packs and packs.group(2) in ("1", "true"):
            under_way[r.stream] = [number]
            out.append(under_way[r.stream])
            continue
        elif mine is not None and (packs or AWAITS.search(r.name)):
            mine.append(number)
            if not packs:
                continue
        under_way.pop(r.stream, None)
    return out


def values_of(r):
    """Type of the values that a kernel packs or unpacks; "" if it does neither."""
    moves = PACKS.search(r.name) or WHOLE.search(r.name)
    return moves.group(1) if moves else ""


def parts(found):
    """Of what each record is part."""
    transfer = transfer_queues(found)
    types = {values_of(r) for r in found if r.stream in transfer or WHOLE.search(r.name)}
    out, under_way = [], "exchanges"

    def part_of(r):
        return "levels" if values_of(r) == "float" and "double" in types else "exchanges"
    for r in found:
        if r.stream not in transfer:
            out.append("sweeps")
            continue
        if values_of(r):
            under_way = part_of(r)
        # copies by way of the host have no thread blocks
        out.append(under_way if values_of(r) or AWAITS.search(r.name) or r.blocks == 0 else "rims")
    for run in runs_of(found):
        for number in run if found[run[0]].stream not in transfer else ():
            out[number] = part_of(found[run[0]])
    return out


def exchanges(found):
    """Those that GPUs tell each other of, by start."""
    sweeps = union((r.start, r.end) for r in found if r.part == "sweeps")
    out = []
    for run in runs_of(found):
        first, end = found[run[0]], max(found[number].end for number in run)
        out.append(Exchange(first.start, end, values_of(first), first.part,
                            end - first.start - covered(first.start, end, sweeps)))
    return out


def union(intervals):
    """Intervals (start, end), joined where they overlap or touch."""
    out = []
    for start, end in sorted(intervals):
        if out and start <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([start, end])
    return out


def covered(start, end, busy):
    """How much of an interval lies in joined ones."""
    first = max(bisect.bisect_right(busy, [start]) - 1, 0)
    total = 0
    for a, b in busy[first:]:
        if a >= end:
            break
        total += max(0, min(end, b) - max(start, a))
    return total


# --- tables ---

def within(found, text):
    """From the first to the last kernel whose name contains the text."""
    mine = [r for r in found if text in r.name]
    if not mine:
        raise TimelineError(f"no kernel's name contains '{text}'")
    start, end = mine[0].start, max(r.end for r in mine)
    return [r for r in found if r.start >= start and r.end <= end]


def short(name):
    """A kernel's name without what it returns and takes."""
    # (bool)1, (some_enum)2
    name = re.sub(r"\(anonymous namespace\)::|(?<=[<,\s])\([^()]*\)(?=[-\w])", "", name)
    return re.sub(r"^void ", "", name).split("(", 1)[0]


class Gap(NamedTuple):
    """A time in which neither sweep nor rim ran: what ended it, its length, and that in which nothing ran at
    all [ns]."""
    name: str
    blocks: int
    length: int
    nothing: int


def gaps(found):
    """All of them, and from the start of what was found to its end [ns]."""
    sweeps = [r for r in found if r.part in ("sweeps", "rims")]
    others = union((r.start, r.end) for r in found if r.part not in ("sweeps", "rims"))
    out, reached = [], min((r.start for r in sweeps), default=0)
    first = reached
    for r in sweeps:
        if r.start > reached:
            out.append(Gap(short(r.name), r.blocks, r.start - reached,
                           r.start - reached - covered(reached, r.start, others)))
        reached = max(reached, r.end)
    return out, reached - first


def rows(head, lines):
    """A table as text."""
    lines = [head, *lines]
    widths = [max(len(line[n]) for line in lines) for n in range(len(head))]
    return "\n".join("  "
                     + "  ".join(text.ljust(w) if n == 0 else text.rjust(w)
                                 for n, (text, w) in enumerate(zip(line, widths)))
                     for line in lines)


def kernels_table(found):
    """Kernels by part, name and number of thread blocks, the longest together first."""
    times = defaultdict(list)
    for r in found:
        times[short(r.name), r.part, r.blocks].append(r.end - r.start)
    order = sorted(times.items(), key=lambda item: -sum(item[1]))
    return rows(("kernel", "part", "thread blocks", "calls", "ms", "us each"),
                [(name, part, str(blocks), str(len(t)), f"{sum(t) * 1e-6:.3f}",
                  f"{sum(t) * 1e-3 / len(t):.2f}")
                 for (name, part, blocks), t in order[:ROWS]])


def exchanges_table(found):
    """Exchanges by part and type of their values."""
    groups = defaultdict(list)
    for e in exchanges(found):
        groups[e.part, e.values].append(e)
    return rows(("exchanges", "values", "how many", "ms", "us each", "no sweep ran, ms", "us each"),
                [(part, values, str(len(g)), f"{sum(e.end - e.start for e in g) * 1e-6:.3f}",
                  f"{sum(e.end - e.start for e in g) * 1e-3 / len(g):.2f}",
                  f"{sum(e.waited for e in g) * 1e-6:.3f}", f"{sum(e.waited for e in g) * 1e-3 / len(g):.2f}")
                 for (part, values), g in sorted(groups.items())])


def gaps_table(found):
    """Gaps by the kernel that ended them."""
    every, span = gaps(found)
    ended = defaultdict(list)
    for gap in every:
        ended[gap.name, gap.blocks].append(gap)
    length, nothing = sum(g.length for g in every), sum(g.nothing for g in every)
    span = max(span, 1)
    text = (f"  in {span * 1e-6:.3f} ms no sweep ran for {length * 1e-6:.3f} ms, {100 * length / span:.2f} "
            "%; "
            f"nothing at all ran for {nothing * 1e-6:.3f} ms, {100 * nothing / span:.2f} %\n")
    order = sorted(ended.items(), key=lambda item: -sum(g.length for g in item[1]))
    return text + rows(("gap before", "thread blocks", "gaps", "ms", "us each", "nothing ran, ms",
                        "share of all"),
                       [(name, str(blocks), str(len(g)), f"{sum(x.length for x in g) * 1e-6:.3f}",
                         f"{sum(x.length for x in g) * 1e-3 / len(g):.2f}",
                         f"{sum(x.nothing for x in g) * 1e-6:.3f}",
                         f"{100 * sum(x.length for x in g) / span:.2f} %")
                        for (name, blocks), g in order[:ROWS]])


def table(path, text):
    """The tables of a file."""
    found = records(path)
    if text:
        found = within(found, text)
    if not found:
        raise TimelineError(f"{path}: nothing ran on a GPU")
    return (
        f"{os.path.basename(path)}:\n{kernels_table(found)}\n{exchanges_table(found)}\n{gaps_table(found)}\n"
    )


def run(command, folder):
    """The files of a command's run."""
    os.makedirs(folder, exist_ok=True)
    for path in files_of(folder):
        os.remove(path)
    done = subprocess.run(command, env={**os.environ, **variables(build(folder), folder)}, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode if 0 < done.returncode < 128 else 1)
    files = files_of(folder)
    if not files:
        raise TimelineError(f"{command[0]}: no process that used a GPU wrote a timeline into {folder}")
    return files


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--within", metavar="TEXT",
                        help="from the first to the last kernel whose name contains it")
    parser.add_argument("--out", default="build/gpu/timeline", help="folder of a run's files")
    parser.add_argument("what", nargs="+", metavar="FILE | -- COMMAND", help="files, or after -- a command")
    options = parser.parse_args()
    try:
        for path in run(options.what, options.out) if "--" in sys.argv[1:] else options.what:
            print(table(path, options.within))
    except (TimelineError, OSError) as fault:
        print(f"timeline: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # quietly ended where nobody reads on, as `| head`
    sys.exit(main())

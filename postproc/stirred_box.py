#!/usr/bin/env python3
"""Decay of turbulence that cubes have stirred, after Perot (2011): makes ensembles, follows them, fits n.

For each Reynolds number of the cubes it makes an ensemble, whose runs differ in the places of the cubes:

1. stir: a stream of mean velocity 1 flows through cubes at rest in a periodic box of side 1 (the case
   stirred-box.nml). --turns times, after --turn widths of a cube over this velocity, the stream takes the
   next of the directions x, y, z, and the cubes take other places. The fluid keeps its fluctuations; where
   a cube was, it begins with the velocity of the cube;
2. decay: new runs begin with these flows, without cubes and without the mean stream, for a time --decay;
3. kolmo-decay fits the exponent n of k ~ (t - t0)^-n over sliding windows, and draws it over Re_T.

--at-once runs go side by side in one program (--member), each on ranks of its own; on one GPU their ranks
share it. What is there already, from an earlier call, is not made again.

What Perot's public text says: 768 cubes at random places, 1/30 of the box wide, 16 runs, n = 6/5 at high
and 3/2 at low Re_T, with the change near 250. It does not say how many cells a cube has across, how long the
flow is stirred, what moves it, what becomes of the fluid in the cubes, or where the windows lie. These are
choices of this script:

- the cubes fill 2.8 % of the box, whatever their number is, or a little less, since their edges are whole
  numbers of cells. 768 of them have 4 cells across on 128^3 cells, 8 on 256^3, 17 on 512^3. Fewer than 4
  cells are refused: give fewer cubes, which are larger
- a stream that always flows along x leaves long wakes behind the cubes, whose energy is nearly all along x:
  so it turns
- windows begin three times k/dissipation after the cubes have left (--after)"""

import argparse
import math
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
SOLID = 768 / 30**3  # part of the box that cubes fill
LEAST = 4  # cells across a cube
RECORDS = 400  # of the history
LARGE = 256  # cells along the side of a box of which several go side by side


def options(words):
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="stirred_box.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    program = os.path.join(HERE, "..", "build", "cpu", "kolmo")
    parser.add_argument("--kolmo", default=program, metavar="PROGRAM")
    parser.add_argument("--mpirun", default="mpirun -n", help="how ranks are started (default 'mpirun -n')")
    parser.add_argument(
        "--at-once", type=int, metavar="N",
        help="runs that go side by side in one program (default: those of an ensemble; one above 256 cells)",
    )
    parser.add_argument("--ranks", type=int, default=1, metavar="N", help="ranks of each run (1)")
    parser.add_argument(
        "--processes", type=int, metavar="N",
        help="processes in which decays that go side by side take turns, with --ranks 1: 1 for one GPU "
        "(default: one for each). While they are stirred each run has its own, since the host has to make "
        "the cubes",
    )
    parser.add_argument("--cells", type=int, default=256, metavar="N", help="cells along a side (256)")
    parser.add_argument("--cubes", type=int, default=768, metavar="N", help="number of cubes (768)")
    parser.add_argument(
        "--reynolds", type=float, nargs="+", default=[120.0, 240.0, 480.0, 960.0], metavar="RE",
        help="velocity of the stream times the width of a cube over the viscosity (120 240 480 960)",
    )
    parser.add_argument("--runs", type=int, default=4, metavar="N", help="runs of an ensemble (4)")
    parser.add_argument("--turns", type=int, default=12, metavar="N", help="directions, one by one (12)")
    parser.add_argument(
        "--turn", type=float, default=2.0, metavar="T",
        help="time of each, in widths of a cube over the velocity of the stream (2)",
    )
    parser.add_argument("--decay", type=float, default=2.0, metavar="T", help="time of the decay (2)")
    parser.add_argument(
        "--after", type=float, default=3.0, metavar="N",
        help="windows begin after N times the k/dissipation with which the decay begins (3)",
    )
    parser.add_argument("--out", default="runs/stirred", metavar="FOLDER")
    parser.add_argument("--print", action="store_true", dest="dry", help="print the commands only")
    return parser.parse_args(words)


def call(o, command):
    """Runs a command, or prints it."""
    print(" ".join(shlex.quote(word) for word in command), flush=True)
    if not o.dry and subprocess.run(command, check=False).returncode != 0:
        sys.exit(f"stirred_box.py: this command failed: {' '.join(command[:4])} ...; see run.log of its runs")


def latest(folder):
    """The newest checkpoint of a folder; None: there is none."""
    names = os.listdir(folder) if os.path.isdir(folder) else []
    found = sorted(n for n in names if n.startswith("checkpoint_"))
    return os.path.join(folder, found[-1]) if found else None


def flow_of(folder):
    """The flow that a run has left; the name of one that is not there, if commands are printed only."""
    return latest(folder) or os.path.join(folder, "checkpoint_...h5")


def at_once(o):
    """Runs that go side by side: large boxes one by one, for the memory of a GPU."""
    return o.at_once or (o.runs if o.cells <= LARGE else 1)


def together(o, case, settings, members, processes=None):
    """Runs that go side by side, some at once. members: settings of each."""
    count = at_once(o)
    for first in range(0, len(members), count):
        some = members[first : first + count]
        ranks = math.gcd(processes, len(some)) if processes else o.ranks * len(some)
        command = [*o.mpirun.split(), str(ranks), o.kolmo, case]
        for setting in settings:
            command += ["--set", setting]
        for member in some:
            command += ["--member", member]
        call(o, command)


def turn_of(run, turn):
    """Folder of a direction of the stream."""
    return os.path.join(run.stirred, f"turn-{turn + 1}")


def along(turn):
    """Unit vector of the stream."""
    return [1 if d == turn % 3 else 0 for d in range(3)]


def vector(values):
    """Of a setting."""
    return ",".join(str(v) for v in values)


def stir(o, width, runs):
    """The flows through the cubes, one direction after the other. Of the earlier ones only the numbers are
    kept. Runs that have come to different directions go side by side with those that are as far."""
    case = os.path.join(HERE, "..", "inputs", "cases", "stirred-box.nml")
    n = o.cells
    for turn in range(o.turns):
        some = [r for r in runs if all(latest(turn_of(r, t)) is None for t in range(turn, o.turns))]
        settings = [f"grid.n={n},{n},{n}", f"packing.count={o.cubes}", f"packing.size={width:.9g}",
                    f"run.t_end={o.turn * width:.9g}", f"forcing.direction={'xyz'[turn % 3]}",
                    "output.series_interval=10", "output.bodies_interval=0"]
        shift = along(turn)
        if turn:
            shift = [a - b for a, b in zip(shift, along(turn - 1))]
            settings.append("initial.type=file")
        members = []
        for r in some:
            member = (f"fluid.nu={r.nu:.9g} packing.seed={1000 * r.seed + turn} "
                      f"initial.velocity={vector(shift)} output.directory={turn_of(r, turn)}")
            members.append(member + (f" initial.file={flow_of(turn_of(r, turn - 1))}" if turn else ""))
        together(o, case, settings, members)
        for r in some if turn and not o.dry else []:
            os.remove(latest(turn_of(r, turn - 1)))


def decay(o, runs):
    """The decays. Without cubes the pressure can be solved by transforms."""
    n = o.cells
    case = os.path.join(o.out, "decay.nml")
    if not o.dry:
        with open(case, "w", encoding="utf-8") as file:
            file.write(
                f"&run title = 'decay of stirred turbulence', t_end = {o.decay:g} /\n"
                f"&grid n = {n}, {n}, {n}, length = 1, 1, 1 /\n"
                "&time cfl = 0.5 /\n"
                "&pressure preconditioner = 'direct' /\n"
                f"&initial type = 'file', velocity = {vector(-v for v in along(o.turns - 1))} /\n"
                f"&history interval_time = {o.decay / RECORDS:.9g} /\n"
                "&output cut_steps = .true., series_interval = 10, log_interval = 100 /\n"
            )
    together(o, case, [], [
        f"fluid.nu={r.nu:.9g} initial.file={flow_of(turn_of(r, o.turns - 1))} output.directory={r.decayed}"
        for r in runs
    ], o.processes)  # fmt: skip


@dataclass
class Realisation:
    """One run: viscosity, seed of the places, folders."""

    nu: float
    seed: int
    stirred: str
    decayed: str


def tell_time(runs, cells, stirring, decaying):
    """What the runs of this call have taken."""
    print(
        f"stirred_box.py: {runs} runs of {cells}^3 cells: stirred in {stirring:.0f} s, decayed in "
        f"{decaying:.0f} s, {(stirring + decaying) / 60 / runs:.2f} minutes a run",
        flush=True,
    )


def refuse(words):
    """Ends the program: an argument is wrong."""
    print(f"stirred_box.py: {words}", file=sys.stderr)
    sys.exit(2)


def width_of(o):
    """Of a cube: whole cells. Ends the program if the numbers make no sense."""
    above = ("cells", "cubes", "runs", "ranks", "turns", "at_once", "processes", "turn", "decay")
    given = [(name, getattr(o, name)) for name in above] + [("reynolds", value) for value in o.reynolds]
    for name, value in given:
        if value is not None and not value > 0:
            refuse(f"--{name.replace('_', '-')} {value:g}: it must be above 0")
    if not o.after >= 0:
        refuse(f"--after {o.after:g}: it must be 0 or more")
    if o.processes is not None and o.ranks > 1:
        refuse(f"--processes {o.processes}: it goes with --ranks 1 alone, not with --ranks {o.ranks}")
    across = int((SOLID / o.cubes) ** (1 / 3) * o.cells + 1e-9)
    if across < LEAST:
        most = int(SOLID * (o.cells / LEAST) ** 3)
        refuse(
            f"{o.cubes} cubes would have {across} cells across on {o.cells}^3 cells; {LEAST} are wanted. "
            + "Give "
            + (f"--cubes {most}, which are larger, or more --cells" if most else "--cells 16 or more")
        )
    return across / o.cells


def main(words):
    """The program."""
    o = options(words)
    width = width_of(o)
    if not o.dry:
        if shutil.which(o.kolmo) is None:
            refuse(f"--kolmo {o.kolmo}: there is no such program; build it, or give its path")
        os.makedirs(o.out, exist_ok=True)
    runs = {}
    for reynolds in o.reynolds:
        base = os.path.join(o.out, f"re{reynolds:g}")
        runs[reynolds] = [
            Realisation(width / reynolds, n, *(os.path.join(base, f"{w}-{n}") for w in ("stir", "decay")))
            for n in range(1, o.runs + 1)
        ]
    every = [r for some in runs.values() for r in some]
    left = [r for r in every if latest(r.decayed) is None]
    began = time.monotonic()
    stir(o, width, left)
    stirred = time.monotonic()
    decay(o, left)
    if left and not o.dry:
        tell_time(len(left), o.cells, stirred - began, time.monotonic() - stirred)
    groups = []
    for some in runs.values():
        groups += [r.decayed for r in some] + ["+"]
    fits = [sys.executable, os.path.join(HERE, "kolmo-decay"), *groups[:-1], "--after", f"{o.after:g}"]
    call(o, fits + ["--csv", os.path.join(o.out, "n.csv"), "--figure", os.path.join(o.out, "n.png")])


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # quietly ended where nobody reads on, as `| head`
    main(sys.argv[1:])

#!/usr/bin/env python3
"""Decay of turbulence that cubes have stirred, after Perot (2011): makes ensembles, follows them, fits n.

For each Reynolds number of the cubes it makes an ensemble, whose runs differ in the places of the cubes:

1. stir: a stream of mean velocity 1 flows through cubes at rest in a periodic box of side 1 (the case
   stirred-box.nml), for a time --stir;
2. decay: new runs begin with these flows, without cubes and without the mean stream, for a time --decay.
   Where a cube was, the fluid begins with the velocity of the cube;
3. kolmo-decay fits the exponent n of k ~ (t - t0)^-n over sliding windows, and draws it over Re_T.

The runs of an ensemble go side by side in one program (--member), so the number of ranks must be a multiple
of their number. What is there already, from an earlier call, is not made again.

What Perot's public text says: 768 cubes at random places, 1/30 of the box wide, 16 runs, n = 6/5 at high
and 3/2 at low Re_T, with the change near 250. It does not say how long the flow is stirred, what moves it, or
what becomes of the fluid in the cubes; these are choices of this script."""

import argparse
import os
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOLID = 768 / 30**3  # part of the box that cubes fill
RECORDS = 400  # of the history


def options(words):
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="stirred_box.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    program = os.path.join(HERE, "..", "build", "cpu", "kolmo")
    parser.add_argument("--kolmo", default=program, metavar="PROGRAM")
    parser.add_argument("--mpirun", default="mpirun -n", help="how ranks are started (default 'mpirun -n')")
    parser.add_argument("--ranks", type=int, metavar="N", help="ranks of each call (default: one a run)")
    parser.add_argument("--cells", type=int, default=256, metavar="N", help="cells along a side (256)")
    parser.add_argument("--cubes", type=int, default=768, metavar="N", help="number of cubes (768)")
    parser.add_argument(
        "--reynolds", type=float, nargs="+", default=[200.0, 800.0, 3200.0], metavar="RE",
        help="velocity of the stream times the width of a cube over the viscosity (200 800 3200)",
    )
    parser.add_argument("--runs", type=int, default=4, metavar="N", help="runs of an ensemble (4)")
    parser.add_argument("--stir", type=float, default=1.0, metavar="T", help="time of stirring (1)")
    parser.add_argument("--decay", type=float, default=4.0, metavar="T", help="time of the decay (4)")
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


def ensemble(o, case, settings, members):
    """Runs that go side by side."""
    command = [*o.mpirun.split(), str(o.ranks or len(members)), o.kolmo, case]
    for setting in settings:
        command += ["--set", setting]
    for member in members:
        command += ["--member", member]
    call(o, command)


def stir(o, nu, width, folders):
    """The flows through the cubes."""
    case = os.path.join(HERE, "..", "inputs", "cases", "stirred-box.nml")
    n = o.cells
    settings = [f"grid.n={n},{n},{n}", f"fluid.nu={nu:.9g}", f"packing.count={o.cubes}",
                f"packing.size={width:.9g}", f"run.t_end={o.stir:g}"]
    members = [f"packing.seed={seed + 1} output.directory={folder}" for seed, folder in enumerate(folders)]
    ensemble(o, case, settings, members)


def decay(o, nu, stirred, folders):
    """The decays."""
    n = o.cells
    case = os.path.join(o.out, "decay.nml")
    if not o.dry:
        with open(case, "w", encoding="utf-8") as file:
            file.write(
                f"&run title = 'decay of stirred turbulence', t_end = {o.decay:g} /\n"
                f"&grid n = {n}, {n}, {n}, length = 1, 1, 1 /\n"
                "&time cfl = 0.5 /\n"
                "&initial type = 'file', velocity = -1, 0, 0 /\n"
                f"&history interval_time = {o.decay / RECORDS:.9g} /\n"
                "&output cut_steps = .true., log_interval = 100 /\n"
            )
    members = [f"initial.file={latest(flow) or flow + '/checkpoint_...h5'} output.directory={folder}"
               for flow, folder in zip(stirred, folders)]
    ensemble(o, case, [f"fluid.nu={nu:.9g}"], members)


def main(words):
    """The program."""
    o = options(words)
    width = (SOLID / o.cubes) ** (1 / 3)
    groups = []
    if not o.dry:
        os.makedirs(o.out, exist_ok=True)
    for reynolds in o.reynolds:
        base = os.path.join(o.out, f"re{reynolds:g}")
        stirred = [os.path.join(base, f"stir-{run + 1}") for run in range(o.runs)]
        decays = [os.path.join(base, f"decay-{run + 1}") for run in range(o.runs)]
        if any(latest(folder) is None for folder in stirred):
            stir(o, width / reynolds, width, stirred)
        if any(latest(folder) is None for folder in decays):
            decay(o, width / reynolds, stirred, decays)
        groups += decays + ["+"]
    fits = [sys.executable, os.path.join(HERE, "kolmo-decay"), *groups[:-1]]
    call(o, fits + ["--csv", os.path.join(o.out, "n.csv"), "--figure", os.path.join(o.out, "n.png")])


if __name__ == "__main__":
    main(sys.argv[1:])

#!/usr/bin/env python3
"""kolmo-converge: the order and the extrapolation of made-up values, of a flow with an exact solution, and of
a channel that goes on from grid to grid.

Would catch: a wrong order for ratios that differ, an order that is told where there is none, an uncertainty
that does not hold the exact value, averages that begin before the run does."""

import json
import math
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(HERE, "..", "..", "postproc", "python"))
import kolmo_case as kc  # noqa: E402
from kolmo import converge  # noqa: E402

TOOL = os.path.join(HERE, "..", "..", "postproc", "kolmo-converge")
NU = 0.1
VORTEX = {
    "run": {"t_end": 0.5},
    "grid": {"n": (12, 12, 4)},
    "fluid": {"nu": NU},
    "time": {"dt": 0.02},
    "initial": {"type": "taylor-green-2d"},
}
CHANNEL = {
    "run": {"t_end": 0.2},
    "grid": {"n": (8, 8, 10), "length": (4.0, 2.0, 2.0)},
    "fluid": {"nu": 0.02},
    "time": {"dt": 0.02},
    "boundary": {"z_low": "wall", "z_high": "wall"},
    "forcing": {"type": "bulk-velocity", "value": 1.0},
    "initial": {"type": "channel"},
    "statistics": {"start": 0.1, "interval": 1},
}


def tool(kolmo, *words, rc=0):
    """What kolmo-converge says."""
    env = dict(kc.environment(), KOLMO=kolmo.program, **kolmo.alone())
    done = subprocess.run([sys.executable, TOOL, *words], capture_output=True, text=True, check=False,
                          timeout=kc.SECONDS, env=env)  # fmt: skip
    if rc is not None and done.returncode != rc:
        raise kc.RunError(
            f"kolmo-converge {words}: exit code {done.returncode}, expected {rc}: {done.stderr}"
        )
    return done.stdout + done.stderr


def made_up_test(_, check):
    """Values f + c h^p on grids of equal and of other ratios."""
    for p in (1.0, 1.8, 2.0):
        for h in ((1.0, 0.5, 0.25), (1.0, 0.7, 0.4), (1.0, 0.8, 0.7, 0.5)):
            found = converge.analyse("f", h, [3.0 - 0.2 * v**p for v in h])
            check.near(f"order of h^{p:g}, spacings {h}", found.order, p, 1e-6)
            check.near("    extrapolated", found.extrapolated, 3.0, 1e-6)
            check.near("    uncertainty over the error", found.uncertainty / (0.2 * h[-1] ** p), 1.25, 1e-5)
    found = converge.analyse("f", (1.0, 0.5, 0.25), (1.0, 1.2, 1.1))
    check.holds("values that go up and down: no order", found.order is None and found.note != "")
    check.near("    the uncertainty holds them all", found.uncertainty, 0.3, 1e-9)
    found = converge.analyse("f", (1.0, 0.5, 0.25), (1.5, 1.2, 1.11), (0.02, 0.05, 0.05))
    check.holds(
        "a difference within its noise: no order", found.order is None and "statistical" in found.note
    )
    found = converge.analyse("f", (1.0, 0.5, 0.25), (1.5, 1.2, 1.125), (0.0, 0.01, 0.02))
    check.near("standard error of the extrapolated value", found.statistical,
               math.hypot(0.02 * 4 / 3, 0.01 / 3), 1e-9)  # fmt: skip
    check.equal("grids", converge.grids((16, 12, 4), 3, 1.5), [(16, 12, 4), (24, 18, 4), (36, 28, 4)])
    for wrong in (((16, 12, 4), 2, 1.5), ((16, 12, 4), 3, 1.0), ((4, 4, 4), 3, 2.0)):
        try:
            converge.grids(*wrong)
            check.fail(f"grids{wrong} are accepted")
        except ValueError as error:
            check.holds(f"grids{wrong}: {error}", True)


def vortex_test(kolmo, check):
    """A decaying vortex whose energy is known: order two, and the exact value within the uncertainty."""
    place = kolmo.place()
    to = os.path.join(place, "result")
    case = kolmo.write(kc.merge(VORTEX, {"output": {"directory": place}}), place)
    said = tool(kolmo, "--quantities", "kinetic_energy,dissipation:last", "--ratio", "1.5",
                "--to", to, case)  # fmt: skip
    check.says("the table", said, "12x12x4", "18x18x4", "28x28x4", "dissipation:last")
    check.holds("all at one time: no note of times", "different times" not in said, said)
    with open(os.path.join(to, "converge.json"), encoding="utf-8") as file:
        found = json.load(file)
    check.equal("grids", found["grids"], [[12, 12, 4], [18, 18, 4], [28, 28, 4]])
    exact = {
        "kinetic_energy": 0.25 * math.exp(-4 * NU * 0.5),
        "dissipation:last": NU * math.exp(-4 * NU * 0.5),
    }
    for one in found["quantities"]:
        wanted = exact[one["quantity"]]
        check.near(f"{one['quantity']}: order", one["order"], 2.0, 0.1)
        check.below("    error of the extrapolated value, over its uncertainty",
                    abs(one["extrapolated"] - wanted) / one["uncertainty"], 1.0)  # fmt: skip
        check.below("    over that of the finest grid",
                    abs(one["extrapolated"] - wanted) / abs(one["values"][-1] - wanted), 0.2)  # fmt: skip
    try:
        import matplotlib  # noqa: F401  # pylint: disable=import-outside-toplevel,unused-import

        names = [f"converge-{n}.{ending}" for n in (1, 2) for ending in ("pdf", "svg")] + ["converge.tex"]
        check.same("files that lack", [n for n in names if not os.path.exists(os.path.join(to, n))])
        with open(os.path.join(to, "converge.html"), encoding="utf-8") as file:
            page = file.read()
        check.says("the page", page, "an order for all 2", '<a href="#converge-2">dissipation:last</a>',
                   'id="converge-2"')
    except ImportError:
        check.skip("figures", "no matplotlib")


def regrid_test(kolmo, check):
    """Finer grids go on from coarser ones; averages begin as late as in the first run. The notes tell of last
    values at different times, and of them alone."""
    place = kolmo.place()
    to = os.path.join(place, "result")
    case = kolmo.write(kc.merge(CHANNEL, {"output": {"directory": place}}), place)
    said = tool(kolmo, "--quantities", "Re_tau,kinetic_energy,kinetic_energy:max,dissipation:last",
                "--regrid", "--to", to, case, rc=None)  # fmt: skip
    check.says("the table", said, "8x8x10", "18x18x22", "Re_tau")
    with open(os.path.join(to, "converge.json"), encoding="utf-8") as file:
        found = json.load(file)["quantities"]
    check.equal("values at different times",
                [q["quantity"] for q in found if "t = 0.2, 0.4, 0.6" in q["note"]],
                ["kinetic_energy", "dissipation:last"])  # fmt: skip
    for number, name in enumerate(("8x8x10", "12x12x16", "18x18x22")):
        series = kc.read_series(os.path.join(to, name))
        check.near(f"{name}: the end", float(series["time"][-1]), 0.2 * (number + 1), 1e-9)
        with kc.h5py.File(os.path.join(to, name, "statistics.nc"), "r") as file:
            begin = float(file["t_start"][...])
        check.above(f"{name}: averages begin", begin, 0.2 * number + 0.1 - 1e-9)


def queue_test(kolmo, check):
    """Runs that a batch system makes: a script in the place of sbatch starts them with what its environment
    tells; --collect refuses before and finds the same values as runs that are made at once."""
    place = kolmo.place()
    to, case = os.path.join(place, "queued"), kolmo.write(VORTEX, place)
    words = ("--quantities", "kinetic_energy,dissipation:last", "--set", "run.t_end=0.1", "--to")
    check.says("nothing to collect", tool(kolmo, *words, to, "--collect", case, rc=2), "not finished yet")
    batch = os.path.join(place, "queue this")
    with open(batch, "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\n"$KOLMO" "$CASE" >/dev/null && echo "queued $(basename "$RUN")"\n')
    os.chmod(batch, 0o755)
    said = tool(kolmo, *words, to, "--submit", f"'{batch}'", case)
    check.says("what the queue says", said, "12x12x4: queued 12x12x4", "28x28x4: queued 28x28x4")

    def table(text):
        return [line for line in text.splitlines() if line.startswith(("kinetic_energy", "dissipation"))]

    queued = tool(kolmo, *words, to, "--collect", case)
    at_once = tool(kolmo, *words, os.path.join(place, "at once"), case)
    check.equal("the same table as of runs made at once", table(queued), table(at_once))
    check.says("a queue that fails", tool(kolmo, *words, to, "--submit", "false", case, rc=2), "false")
    for more, part in ((("--regrid", "--submit", "true"), "--regrid"),
                       (("--regrid", "--collect"), "--regrid"),
                       (("--ranks", "2", "--submit", "true"), "--ntasks-per-node"),
                       (("--collect", "--submit", "true"), "queue the runs first")):
        check.says(f"with {' '.join(more)}", tool(kolmo, *words, to, *more, case, rc=2), part)


def refused_test(kolmo, check):
    """Options and cases that can't be used."""
    place = kolmo.place()
    case = kolmo.write(VORTEX, place)
    for words, parts in (
        ((case,), ("--quantities",)),
        (("--quantity", "kinetic_energy", place + "/nowhere.nml"), ("nowhere.nml",)),
        (("--quantity", "kinetic_energy", "--grids", "2", case), ("three grids",)),
        (
            ("--quantity", "kinetic_energy", "--set", "fluid.nue=1", "--to", place + "/a", case),
            ("fluid.nue",),
        ),
        (("--quantity", "no_such", "--set", "run.t_end=0.02", "--to", place + "/b", case), ("no_such",)),
    ):
        check.says(f"refused: {' '.join(words[:-1])[:60]}", tool(kolmo, *words, rc=2), *parts)


if __name__ == "__main__":
    kc.main(__doc__, [made_up_test, vortex_test, regrid_test, queue_test, refused_test])

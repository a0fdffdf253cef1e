#!/usr/bin/env python3
"""The same bits on 1 to 8 ranks in any layout: checkpoints, field files and every column of the series but
the clock's.

Would catch: a halo cell or edge that is stale, missing or taken from the wrong neighbour, a sum whose order
depends on the ranks, random numbers keyed to the rank, a loop that treats cells at a rank's rim by other
arithmetic, a file written at the wrong offset. Isotropic flow on a stretched grid: every cell is different,
so nothing cancels."""
import glob
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

# layouts that cut one, two and three directions, evenly and not: 20 and 18 cells over 3 and 7 ranks, 24 over
# 8
LAYOUTS = ((2, 1, 1), (2, 2, 2), (8, 1, 1), (1, 1, 7), (3, 1, 2))
MORE = ((1, 2, 1), (1, 1, 2), (2, 2, 1), (1, 1, 4), (1, 3, 1))  # --long
FEW = ((1, 3, 1), (2, 2, 2))
CASE = {"run": {"steps_max": 3, "seed": 5},
        "grid": {"n": (24, 20, 18), "length": (kc.TWO_PI, 5.0, 5.5),
                 "stretching": ("sine", "uniform", "tanh"),
                 "stretching_factor": (0.4, 0.0, 1.1)},
        "fluid": {"nu": 0.02}, "time": {"cfl": 0.9},
        "initial": {"type": "isotropic", "velocity": (0.3, -0.2, 0.1)},
        "output": {"field_interval": 3, "field_precision": "double", "fields_vorticity": True}}


def fields_of(result):
    """Arrays of every fields file, by file and name."""
    return {f"{os.path.basename(path)} {name}": values
            for path in sorted(glob.glob(os.path.join(result.folder, "fields_*.h5")))
            for name, values in kc.read_fields(path).items()}


def compare(kolmo, check, label, case, layouts):
    """One rank against each layout."""
    one = kolmo.run_once(case)
    fields = fields_of(one)
    check.equal(f"{label}: arrays in field files", len(fields), 6)
    for layout in layouts:
        ranks = layout[0] * layout[1] * layout[2]
        other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=ranks)
        check.same(f"{label}, {' x '.join(map(str, layout))} ranks",
                   kc.differences(one, other) + kc.differing_arrays(fields, fields_of(other)))


def half_explicit(kolmo, check):
    """rk3-half, explicit diffusion, every layout."""
    compare(kolmo, check, "rk3-half, explicit", CASE, LAYOUTS + (MORE if kolmo.options.long else ()))


def half_implicit(kolmo, check):
    """rk3-half, implicit diffusion."""
    compare(kolmo, check, "rk3-half, implicit",
            kc.merge(CASE, {"time": {"diffusion": "implicit"}, "fluid": {"nu": 0.2}}), FEW)


def wray_explicit(kolmo, check):
    """rk3-wray, explicit diffusion."""
    compare(kolmo, check, "rk3-wray, explicit", kc.merge(CASE, {"time": {"scheme": "rk3-wray"}}), FEW)


def wray_implicit(kolmo, check):
    """rk3-wray, implicit diffusion."""
    compare(kolmo, check, "rk3-wray, implicit",
            kc.merge(CASE, {"time": {"scheme": "rk3-wray", "diffusion": "implicit"}, "fluid": {"nu": 0.2}}),
            FEW + ((1, 1, 2),))


def preconditioners(kolmo, check):
    """Each preconditioner."""
    every = ({"preconditioner": "jacobi"}, {"preconditioner": "polynomial", "degree": 7, "ratio": 40.0},
             {"preconditioner": "multigrid", "smoothing": 3, "transfer": "linear"},
             {"preconditioner": "direct"}, {"preconditioner": "polynomial", "degree": 1},
             {"preconditioner": "polynomial", "degree": 2})
    for given in every if kolmo.options.long else every[:4]:
        label = ", ".join(f"{name} = {value}" for name, value in given.items())
        compare(kolmo, check, label, kc.merge(CASE, {"pressure": given}), ((2, 2, 1),))


def guesses(kolmo, check):
    """Each guess of the pressure."""
    for guess in ("zero", "previous", "linear"):
        compare(kolmo, check, f"guess = {guess}", kc.merge(CASE, {"pressure": {"guess": guess}}),
                ((1, 2, 2),))


def analytic(kolmo, check):
    """Taylor-Green and ABC flows on uniform grids, and the layout that the program chooses itself."""
    for flow in ("taylor-green", "abc"):
        case = kc.merge(CASE, {"grid": {"length": kc.CUBE, "stretching": None, "stretching_factor": None},
                               "initial": {"type": flow}})
        compare(kolmo, check, flow, case, ((1, 2, 2),))
        if flow == "taylor-green":
            one = kolmo.run_once(case)
            for ranks in (3, 6):
                check.same(f"{flow}, {ranks} ranks as the program lays them out",
                           kc.differences(one, kolmo.run(case, ranks=ranks)))


def recorded(kolmo, check):
    """tests/bits/same_bits.py records a case on 1 and 3 ranks, and finds the same bits again."""
    tool = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bits", "same_bits.py")
    bits = os.path.join(kolmo.place(), "bits.json")
    for words in (("record", "--out", bits), ("compare", "--with", bits)):
        done = subprocess.run([sys.executable, tool, *words, "--only", "cases/couette,", "--mpirun",
                               kolmo.options.mpirun, "--programs", os.path.dirname(kolmo.options.kolmo)],
                              capture_output=True, text=True, timeout=300, check=False)
        check.equal(f"same_bits.py {words[0]}: exit code", done.returncode, 0)
        check.says(f"same_bits.py {words[0]}", done.stdout, "2 passed, 0 failed")


if __name__ == "__main__":
    kc.main(__doc__,
            [half_explicit, half_implicit, wray_explicit, wray_implicit, preconditioners, guesses, analytic,
             recorded])

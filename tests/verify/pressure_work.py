#!/usr/bin/env python3
"""How much work the pressure solves do: fixed work, the guess that goes with it, a relative bound, the
measured choice.

Would catch: fixed work that is not done or hides a missed tolerance, an extrapolated guess where it is
unstable, a relative bound that rounding can't reach, a choice that ranks or a restart make differently."""
import os
import re
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

CASE = {"run": {"steps_max": 6}, "grid": {"n": (20, 16, 24), "length": kc.CUBE}, "fluid": {"nu": 0.02},
        "initial": {"type": "isotropic", "k_peak": 2.0}, "pressure": {"tolerance": 1e-4}}
STAGES = 3
ONE_SUM = "one sum over the grid in an iteration"


def log_of(result):
    """The log of a run."""
    with open(os.path.join(result.folder, "run.log"), encoding="utf-8") as source:
        return source.read()


def fields_of(result):
    """How many fields the memory of a run has."""
    return int(re.search(r"\((\d+) fields", log_of(result)).group(1))


def fixed_work(kolmo, check):
    """pressure.iterations: so many in each stage, more only where the tolerance wants them, and the log
    counts these."""
    for preconditioner, count in (("multigrid", 2), ("direct", 1), ("polynomial", 25)):
        result = kolmo.run(kc.merge(CASE,
                                    {"pressure": {"preconditioner": preconditioner, "iterations": count}}))
        taken = result.series()["pressure_iterations"][1:]
        told = re.search(r"pressure.iterations = \d+: (\d+) of (\d+) stages needed more", log_of(result))
        check.holds(f"{preconditioner}, {count}: the log tells", told is not None, log_of(result)[-400:])
        check.above(f"{preconditioner}, {count}: iterations of a step", float(np.min(taken)), STAGES * count)
        check.equal(f"{preconditioner}, {count}: stages", int(told.group(2)), 6 * STAGES)
        check.equal(f"{preconditioner}, {count}: more than asked for", int(told.group(1)) > 0,
                    bool(np.max(taken) > STAGES * count))
        check.below(f"{preconditioner}, {count}: divergence",
                    float(np.max(result.series()["divergence_max"][1:])), 1e-4)
    few = kolmo.run(kc.merge(CASE, {"pressure": {"iterations": 1, "tolerance": 1e-9}}))
    check.below("1 iteration, tolerance 1e-9: the tolerance holds",
                float(np.max(few.series()["divergence_max"][1:])), 1e-9)
    check.above("1 iteration, tolerance 1e-9: it took more",
                float(np.min(few.series()["pressure_iterations"][1:])), STAGES + 1)


def sums(kolmo, check):
    """pressure.sums: one with multigrid and fixed work, unless told otherwise; the same flow and iterations,
    the same bits on two ranks."""
    fixed = kc.merge(CASE, {"pressure": {"iterations": 2, "multigrid_precision": "double"}})
    one, pair = kolmo.run(fixed), kolmo.run(fixed, ranks=2)
    several = kolmo.run(kc.merge(fixed, {"pressure": {"sums": "several"}}))
    check.says("fixed work: one sum", log_of(one), ONE_SUM)
    check.same("one sum, two ranks", kc.differences(one, pair))
    check.holds("several sums", ONE_SUM not in log_of(several))
    counts = [list(r.series()["pressure_iterations"]) for r in (one, several)]
    check.equal("one sum and several: iterations", counts[0], counts[1])
    check.near("one sum and several: energy", float(one.series()["kinetic_energy"][-1]),
               float(several.series()["kinetic_energy"][-1]), 1e-12)


INCREMENTS = {"half": {"time": {"scheme": "rk3-half"}}, "wray": {"time": {"scheme": "rk3-wray"}},
              "walls, forced": {"boundary": {"z_low": "wall", "z_high": "wall"},
                                "grid": {"stretching": ("uniform", "uniform", "tanh"),
                                         "stretching_factor": (0.0, 0.0, 1.2)},
                                "initial": {"type": "channel", "k_peak": None},
                                "forcing": {"type": "bulk-velocity", "value": 0.7}},
              "two regions": {"bodies": {"shape": ("box", "box", "sphere"),
                                         "centre": (3.1, 3.1, 1.0, 3.1, 3.1, 4.2, 3.0, 3.3, 5.7),
                                         "size": (20.0, 20.0, 0.9, 20.0, 20.0, 0.7, 1.4, 0.0, 0.0)},
                              "pressure": {"smoothing": 2}}}  # increments have more beside bodies by preset


def increments(kolmo, check):
    """Multigrid in single precision for what the predicted pressure lacks: the flow of double precision to
    the tolerance, in as many iterations; the same bits on ranks and after a restart; refined where more is
    asked than single precision reaches at once; refused by name where it can't be."""
    def precision(which, **more):
        return {"pressure": {"multigrid_precision": which, **more}}

    for name, variant in INCREMENTS.items():
        case = kc.merge(CASE, variant, {"pressure": {"tolerance": 1e-6}})
        auto, double = kolmo.run(case), kolmo.run(kc.merge(case, precision("double")))
        check.says(f"{name}: the log tells", log_of(auto), "increments in single precision")
        for field, values in auto.checkpoint().fields.items():
            other = double.checkpoint().fields[field]
            live = values != 0  # in dead cells p is 0, and in double precision any constant
            check.below(f"{name}: {field}, difference from double",
                        float(np.max(np.abs(values - other)[live])),
                        1e-5 * float(np.max(np.abs(other))))
        check.below(f"{name}: max|div u| h/U", auto.checkpoint().scaled_divergence(), 1e-6)
        counts = [np.sum(r.series()["pressure_iterations"][1:]) for r in (auto, double)]
        check.near(f"{name}: iterations", float(counts[0]), float(counts[1]), 4)
        check.above(f"{name}: fields that are saved", fields_of(double) - fields_of(auto), 1)
        pair = kolmo.run(kc.merge(case, {"grid": {"ranks": (1, 1, 2) if name == "half" else (2, 2, 1)}}),
                         ranks=2 if name == "half" else 4)
        check.same(f"{name}, on ranks", kc.differences(auto, pair))
        folder = kolmo.place()
        kolmo.run(kc.merge(case, {"run": {"steps_max": 3}}), folder=folder)
        check.same(f"{name}, restarted",
                   kc.differences(auto, kolmo.run(case, "--restart", "latest", folder=folder)))
    fine = kolmo.run(kc.merge(CASE, precision("single", tolerance=1e-11)))
    check.below("refined: max|div u| h/U", fine.checkpoint().scaled_divergence(), 1e-11)
    chosen = kolmo.run(kc.merge(CASE, precision("single", preconditioner="auto")))
    check.says("single, whatever 'auto' chooses", log_of(chosen), "preconditioner chosen")
    for words, variant in (("diffusion is implicit", {"time": {"diffusion": "implicit"}}),
                           ("'multigrid' or 'auto'", {"pressure": {"preconditioner": "direct"}}),
                           ("not with bodies that move",
                            {"bodies": {"shape": ("sphere",), "centre": (3.0, 3.0, 3.0),
                                        "size": (1.5, 0.0, 0.0), "motion": ("translate",),
                                        "velocity": (0.1, 0.0, 0.0)}}),
                           ("pressure.guess = 'zero'", {"pressure": {"guess": "zero"}}),
                           ("pressure.sums", {"pressure": {"sums": "several"}})):
        refused = kolmo.run(kc.merge(CASE, precision("single"), variant), rc=2)
        check.says(f"refused: {words}", refused.text, ".nml:", "pressure.multigrid_precision", "choose",
                   words)


def means(kolmo, check):
    """p is 0 in cells inside bodies, and its mean by volume over each region of fluid stays 0.

    Single precision tells the mean of an increment to some digits alone, and the guesses extrapolate what it
    lacks. The runs end 30 steps after the last one that took it off, or with one that does. Near rest stages
    have no increment, and single precision of the last one is seen. A run that goes on between two steps that
    take the mean off has the same bits, on more ranks, too."""
    case = kc.merge(CASE, {"run": {"steps_max": 160}, "grid": {"n": (16, 16, 16)}, "fluid": {"nu": 0.05},
                           "output": {"series_interval": 20}, "time": {"cfl": 0.8},
                           "pressure": {"preconditioner": "multigrid", "multigrid_precision": "single",
                                        "tolerance": 1e-6}})
    slabs = {"bodies": {"shape": ("box", "box"), "centre": (1.0, 3.0, 3.0, 4.5, 3.0, 3.0),
                        "size": (0.9, 9.0, 9.0, 0.9, 9.0, 9.0)}}
    # near rest; a guessed first stage leaves there a largest p that is 50 times smaller, and the same mean
    later = kc.merge(slabs, {"run": {"steps_max": 322}, "pressure": {"first_stage": "solved"}})
    sphere = {"bodies": {"shape": ("sphere",), "centre": (3.0, 3.0, 3.0), "size": (2.0, 0.0, 0.0)}}
    channel = {"run": {"steps_max": 162},
               "grid": {"n": (16, 12, 20), "stretching": ("uniform", "uniform", "tanh"),
                        "stretching_factor": (0.0, 0.0, 1.5)},
               "boundary": {"z_low": "wall", "z_high": "wall"},
               "initial": {"type": "channel", "k_peak": None},
               "forcing": {"type": "pressure-gradient", "value": 1.0}}
    for name, bodies in (("empty box", {"forcing": {"type": "linear", "value": 0.2}}), ("channel", channel),
                         ("sphere", sphere), ("two regions", slabs), ("two regions, later", later)):
        found = kolmo.run(kc.merge(case, bodies)).checkpoint()
        p = np.array(found.fields["p"])
        volume = np.broadcast_to(found.weight("p"), p.shape)
        live = p != 0
        x = np.arange(16)
        between = (x > 2) & (x < 11)  # the slabs
        if bodies in (slabs, later):  # their cells without an open face
            dead = np.all(~live, axis=(0, 1))
            check.equal(f"{name}: columns of cells in bodies, whose p is 0", list(x[dead]), [2, 11])
            check.holds("    and no other cells", np.array_equal(~live, np.broadcast_to(dead, live.shape)))
        parts = [live] if bodies not in (slabs, later) else [live & between, live & ~between]
        for part in parts:
            mean = np.average(p[part], weights=volume[part])
            check.below(f"{name}: mean of the pressure, over the largest", abs(mean) / abs(p).max(),
                        1e-7 if bodies is later else 1e-9)
    near = kc.merge(case, slabs, {"run": {"steps_max": 34}, "output": {"series_interval": 33}})
    whole, folder = kolmo.run(near), kolmo.place()
    kolmo.run(kc.merge(near, {"run": {"steps_max": 33}}), folder=folder)
    on = kolmo.run(near, "--restart", "latest", ranks=2, folder=folder)
    check.same("two regions, restarted between two steps that take the mean off", kc.differences(whole, on))


def guesses(kolmo, check):
    """With fixed work a guess is extrapolated only where a cycle leaves little; the exact inverse looks at
    none."""
    log = log_of(kolmo.run(kc.merge(CASE, {"pressure": {"iterations": 1}})))
    rho = re.search(r"reduces the residual to ([0-9.]+) of it, so the guess may extrapolate", log)
    check.holds("multigrid: extrapolates", rho is not None, log[:1500])
    check.below("multigrid: contraction", float(rho.group(1)) if rho else 1, 0.4)
    result = kolmo.run(kc.merge(CASE, {"pressure": {"preconditioner": "direct"}}))
    check.equal("direct: iterations of a step", sorted(set(result.series()["pressure_iterations"][1:])),
                [STAGES])
    check.holds("direct: no word of a guess", "extrapolat" not in log_of(result))
    bad = kolmo.run(kc.merge(CASE, {"pressure": {"preconditioner": "direct", "guess": "linear"}}), rc=2)
    check.says("direct with a guess", bad.text, "pressure.guess has no effect", "preconditioner")
    for more in ({"preconditioner": "polynomial"}, {"smoothing": 1, "transfer": "constant"}):
        log = log_of(kolmo.run(kc.merge(CASE, {"pressure": {"iterations": 2}}, {"pressure": more},
                                        {"grid": {"n": (20, 16, 64), "length": (6.0, 6.0, 2.0)}})))
        check.says(f"{more}: falls back", log, "pressure.guess = 'previous' instead of an extrapolation")
    plain = log_of(kolmo.run(CASE))
    check.holds("no word of it otherwise", "extrapolat" not in plain)
    check.holds("a tolerance alone: several sums", ONE_SUM not in plain)


def relative(kolmo, check):
    """pressure.relative: reached where it is above rounding, no fault below it."""
    loose = kolmo.run(kc.merge(CASE, {"pressure": {"tolerance": 1e-2}}))
    tight = kolmo.run(kc.merge(CASE, {"pressure": {"tolerance": 1e-2, "relative": 1e-8}}))
    check.below("relative 1e-8: divergence against the loose run",
                float(np.max(tight.series()["divergence_max"][1:])),
                1e-3 * float(np.max(loose.series()["divergence_max"][1:])))
    steady = kolmo.run(kc.merge(CASE,
                                {"run": {"steps_max": 30},
                                 "initial": {"type": "uniform", "velocity": (1.0, 0.5, 0.0), "k_peak": None},
                                 "pressure": {"relative": 0.01}}))
    check.equal("a steady flow: last step", int(steady.series()["step"][-1]), 30)
    decaying = kolmo.run(kc.merge(CASE,
                                  {"run": {"steps_max": 40}, "fluid": {"nu": 0.2},
                                   "initial": {"type": "abc", "k_peak": None},
                                   "pressure": {"relative": 1e-3}}))
    check.equal("a flow that needs no pressure: last step", int(decaying.series()["step"][-1]), 40)


def chosen(kolmo, check):
    """pressure.preconditioner = 'auto': told, the same on all ranks, kept by a restart, forgotten on another
    grid."""
    case = kc.merge(CASE, {"pressure": {"preconditioner": "auto"}, "run": {"steps_max": 2}})
    first = kolmo.run(case, ranks=2)
    told = re.search(r"preconditioner chosen: ([a-z0-9 ]+);", log_of(first))
    check.holds("auto: the log tells", told is not None, log_of(first)[:1500])
    name = told.group(1) if told else ""
    more = kolmo.run(kc.merge(case, {"run": {"steps_max": 4}}), "--restart", "latest", folder=first.folder)
    check.says("auto, restarted on one rank", log_of(more), f"preconditioner of the checkpoint: {name}")
    check.equal("auto, restarted: last step", int(more.series()["step"][-1]), 4)
    other = kolmo.run(kc.merge(case,
                               {"run": {"steps_max": 5}, "grid": {"n": (24, 20, 20)},
                                "checkpoint": {"regrid": True}}),
                      "--restart", "latest", folder=first.folder)
    check.equal("auto, on another grid: measured anew", log_of(other).count("preconditioner chosen: "), 2)
    exact = kolmo.run(kc.merge(case, {"pressure": {"method": "exact", "tolerance": 1e-3}}))
    check.says("auto, exact: no polynomial", log_of(exact),
               "polynomial of degree 4: left aside (not with pressure.method = 'exact')")


if __name__ == "__main__":
    kc.main(__doc__, [fixed_work, sums, increments, means, guesses, relative, chosen])

#!/usr/bin/env python3
"""Stages that solve for a part of the pressure alone (pressure.stage_reduction).

Would catch: a stage pressure that costs an order in time, a last stage that leaves what its tolerance
forbids, a first step without a guess that is cut short, a restart or a layout with other bits, an option that
does nothing beside another one. With --long it makes the table of docs/numerics/pressure.md, "Stages that
leave a part"."""
import math
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

BETWEEN_WALLS = {"run": {"t_end": 1.0}, "fluid": {"nu": 0.01},
                 "grid": {"n": (16, 20, 12), "length": (1.0, 1.2, 1.5),
                          "stretching": ("tanh", "tanh", "uniform"), "stretching_factor": (1.0, 1.0, 0.0)},
                 "boundary": {f"{a}_{e}": "wall" for a in "xy" for e in ("low", "high")},
                 "initial": {"type": "formula", "u": "sin(pi*x)^2*sin(2*pi*y/1.2)*(1 + 0.3*cos(2*pi*z/1.5))",
                             "v": "-1.2*sin(2*pi*x)*sin(pi*y/1.2)^2", "w": "0.3*sin(pi*x)*sin(pi*y/1.2)"},
                 "pressure": {"tolerance": 1e-10, "preconditioner": "multigrid"}}
PERIODIC = {"run": {"t_end": 1.0}, "fluid": {"nu": 0.05},
            "grid": {"n": (24, 20, 16), "length": (kc.TWO_PI, 5.0, 5.5)},
            "initial": {"type": "taylor-green", "velocity": (0.4, -0.3, 0.2)}}
STRETCHED = kc.merge(PERIODIC, {"grid": {"stretching": ("sine", "tanh", "sine"),
                                         "stretching_factor": (0.3, 0.7, 0.3)}})
# Flow, steps to t = 1 of two runs whose errors tell the order.
FLOWS = {
    "periodic, uniform": (PERIODIC, (20, 40)),
    "periodic, stretched": (STRETCHED, (20, 40)),
    "the same, implicit": (kc.merge(STRETCHED, {"time": {"diffusion": "implicit",
                                                         "diffusion_tolerance": 1e-13}}), (20, 40)),
    "walls in x and y": (kc.merge(BETWEEN_WALLS, {"grid": {"n": (16, 20, 24)}}), (40, 80)),
    "channel, implicit-z": ({"run": {"t_end": 1.0}, "fluid": {"nu": 0.01},
                             "grid": {"n": (24, 16, 24), "length": (6.0, 3.0, 2.0),
                                      "stretching": ("uniform", "uniform", "tanh"),
                                      "stretching_factor": (0.0, 0.0, 1.5)},
                             "boundary": {"z_low": "wall", "z_high": "wall"},
                             "time": {"diffusion": "implicit-z"}, "initial": {"type": "channel"},
                             "forcing": {"type": "bulk-velocity", "value": 1.0}}, (20, 40)),
    "inflow and outflow": ({"run": {"t_end": 1.0}, "fluid": {"nu": 0.02},
                            "grid": {"n": (24, 16, 20), "length": (3.0, 2.0, 2.0)},
                            "boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0),
                                         "x_high": "outflow"},
                            "initial": {"type": "formula", "u": "1 + 0.3*sin(pi*y)*sin(pi*x/3)^2",
                                        "v": "0.2*sin(pi*z)*sin(pi*x/3)^2",
                                        "w": "0.3*cos(pi*y)*sin(pi*x/3)^2"}}, (40, 80)),
}


def ended(kolmo, case, scheme, steps, part):
    """Velocity of all faces at t = 1, and iterations a step."""
    result = kolmo.run(kc.merge(case, {"time": {"scheme": scheme, "dt": 1.0 / steps},
                                       "pressure": dict({"tolerance": 1e-11, "preconditioner": "multigrid"},
                                                        **({"stage_reduction": part} if part else {}))}))
    return (np.concatenate([q.ravel() for q in result.checkpoint().velocity]),
            float(np.mean(result.series()["pressure_iterations"][2:])))


def errors(kolmo, check):
    """Errors and orders with parts of 0.3, 0.1 and 0.03 against those of stages that are solved for."""
    for name in FLOWS if kolmo.options.long else ("periodic, stretched",):
        case, steps = FLOWS[name]
        for scheme in ("rk3-wray", "rk3-half") if kolmo.options.long else ("rk3-wray",):
            exact = ended(kolmo, case, scheme, 8 * steps[-1] if kolmo.options.long else 4 * steps[-1], 0)[0]
            full = None
            for part in (0, 0.3, 0.1, 0.03) if kolmo.options.long else (0, 0.1):
                runs = [ended(kolmo, case, scheme, n, part) for n in steps]
                error = [float(np.sqrt(np.mean(np.square(v - exact)))) for v, _ in runs]
                order = math.log2(error[0] / error[1])
                print(f"     {name}, {scheme}, {part}: errors " + ", ".join(f"{e:.3g}" for e in error)
                      + f", order {order:.2f}, iterations {runs[-1][1]:.1f}")
                full = full or (error, order)
                check.near(f"{name}, {scheme}, {part}: error over that of all stages",
                           error[1] / full[0][1], 1.0, 0.02)
                check.near("    order", order, full[1], 0.02)


def reduced_stages(kolmo, check):
    """pressure.stage_reduction: fewer iterations, the tolerance after each step, a third of the time
    scheme's own error at most, the same bits on other ranks and after a restart."""
    part = {"pressure": {"stage_reduction": 0.1}}
    for scheme in ("rk3-wray", "rk3-half"):
        flows, taken = {}, {}
        for label, more, dt in (("half dt", {}, 0.0125), ("all", {}, 0.025), ("part", part, 0.025)):
            result = kolmo.run(kc.merge(BETWEEN_WALLS, {"time": {"scheme": scheme, "dt": dt}}, more))
            flows[label] = np.concatenate([q.ravel() for q in result.checkpoint().velocity])
            taken[label] = float(np.mean(result.series()["pressure_iterations"][2:]))
            check.below(f"{scheme}, {label}: divergence",
                        float(np.max(result.series()["divergence_max"][1:])), 1e-10)
        own = np.linalg.norm(flows["all"] - flows["half dt"])
        check.below(f"{scheme}: what it changes, over the change with half dt",
                    float(np.linalg.norm(flows["part"] - flows["all"]) / own), 0.3)
        check.below(f"{scheme}: iterations, over those with all stages to the tolerance",
                    taken["part"] / taken["all"], 0.7)
    case = kc.merge(BETWEEN_WALLS, part, {"run": {"t_end": None, "steps_max": 6}, "time": {"cfl": 0.8},
                                          "checkpoint": {"interval": 3, "keep": 2}})
    one = kolmo.run(case)
    check.same("two ranks", kc.differences(one, kolmo.run(case, ranks=2)))
    again = kolmo.run(case, "--restart", kc.checkpoint_path(one.folder, 3))
    check.same("restarted", kc.differing_arrays(one.checkpoint(6).fields, again.checkpoint(6).fields))
    taken = [float(np.mean(kolmo.run(kc.merge(case, {"pressure": {
        "multigrid_precision": "single", "stage_reduction": p}})).series()["pressure_iterations"][2:]))
        for p in (0, 0.1)]
    check.below("increments: iterations, over those with all to the tolerance", taken[1] / taken[0], 0.7)
    for more, cause in (({"preconditioner": "direct"}, "pressure.preconditioner = 'direct'"),
                        ({"iterations": 2}, "pressure.iterations = 2"),
                        ({"guess": "previous"}, "pressure.guess = 'previous'")):
        bad = kolmo.run(kc.merge(case, {"pressure": more}), rc=2)
        check.says(f"with {cause}", bad.text, "pressure.stage_reduction has no effect", cause)
    bad = kolmo.run(kc.merge(case, {"scalars": {"name": "dye", "diffusivity": 0.01}}), rc=2)
    check.says("with a scalar", bad.text, "pressure.stage_reduction has no effect", "scalars")


def log_of(result):
    """The log of a run."""
    with open(os.path.join(result.folder, "run.log"), encoding="utf-8") as source:
        return source.read()


def first_stage(kolmo, check):
    """pressure.first_stage = 'guessed' without bodies: iterations, error and order, and what refuses it."""
    case = kc.merge(STRETCHED, {"time": {"scheme": "rk3-half"},
                                "pressure": {"tolerance": 1e-11, "preconditioner": "multigrid",
                                             "multigrid_precision": "single"}})
    flows, taken = {}, {}
    for way, steps in (("solved", 20), ("guessed", 20), ("solved", 40), ("guessed", 40), ("solved", 160)):
        r = kolmo.run(kc.merge(case, {"time": {"dt": 1.0 / steps}, "pressure": {"first_stage": way}}))
        flows[way, steps] = np.concatenate([q.ravel() for q in r.checkpoint().velocity])
        taken[way, steps] = float(np.mean(r.series()["pressure_iterations"][10:]))
        check.below(f"{way}, {steps} steps: divergence",
                    float(np.max(r.series()["divergence_max"][1:])), 1e-10)
    for steps in (20, 40):
        error = [float(np.linalg.norm(flows[way, steps] - flows["solved", 160]))
                 for way in ("guessed", "solved")]
        check.near(f"{steps} steps: error over that with a solve", error[0] / error[1], 1.0, 0.02)
    check.below("iterations, over those with a solve", taken["guessed", 40] / taken["solved", 40], 0.8)
    beside = {"run": {"steps_max": 14}, "fluid": {"nu": 0.01},
              "grid": {"n": (16, 12, 12)}, "time": {"dt": 0.02},
              "bodies": {"shape": ("sphere",), "centre": ((3.0, 3.0, 3.0),), "size": ((2.0, 0.0, 0.0),)},
              "pressure": {"preconditioner": "multigrid"}}
    for cause in ({"multigrid_precision": "double"}, {"relative": 1.0}):
        double = kc.merge(beside, {"pressure": cause})
        solved = kc.merge(double, {"pressure": {"first_stage": "solved"}})
        auto = kolmo.run(double)
        check.same(f"{cause}: no first stage is guessed", kc.differences(auto, kolmo.run(solved)))
        told = "so first stages are solved for, although pressure.first_stage = 'guessed'" in log_of(auto)
        check.equal("    the log tells, unless it is known from the input", told, "relative" in cause)
    told = log_of(kolmo.run(beside))
    check.says("where they are guessed", told, "increments in single precision, first stages are guessed")
    guessed = kc.merge(case, {"run": {"t_end": None, "steps_max": 2}, "time": {"dt": 0.02},
                              "pressure": {"first_stage": "guessed"}})
    for more, cause in (({"time": {"scheme": "rk3-wray"}}, "only with time.scheme = 'rk3-half'"),
                        ({"pressure": {"guess": "linear"}}, "only with pressure.guess = 'lli'"),
                        ({"time": {"diffusion": "implicit"}}, "diffusion is implicit"),
                        ({"scalars": {"name": "dye", "diffusivity": 0.01}}, "scalars"),
                        ({"pressure": {"preconditioner": "direct"}}, "pressure.preconditioner = 'direct'"),
                        ({"pressure": {"multigrid_precision": "double"}}, "is 'double'"),
                        ({"pressure": {"iterations": 2}}, "pressure.iterations = 2")):
        bad = kolmo.run(kc.merge(guessed, more), rc=2)
        check.says(f"refused: {cause}", bad.text, "pressure.first_stage", cause)


if __name__ == "__main__":
    kc.main(__doc__, [reduced_stages, first_stage, errors])

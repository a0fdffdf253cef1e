#!/usr/bin/env python3
"""forcing.type = 'formula': against flows with exact solutions, against the other forces, on any ranks, after
a restart, the energy budget, beside bodies, in the exact fractional step, dt from rest, and what is refused.

Would catch: a force at the wrong time of a stage or with the wrong weight, one that lacks in the right-hand
sides that are kept, a component at the points of another, work that is not in the budget, a force that a
restart forgets, one that acts inside bodies, a mean force that the exact fractional step loses."""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402

BOX = {
    "run": {"steps_max": 6},
    "grid": {"n": (12, 10, 8), "length": (kc.TWO_PI, 3.0, 4.0), "stretching": ("uniform", "sine", "uniform"),
             "stretching_factor": (0.0, 0.2, 0.0)},
    "fluid": {"nu": 0.05},
    "time": {"dt": 0.02},
    "initial": {"type": "rest"},
    "pressure": {"tolerance": 1e-10},
    "forcing": {"type": "formula", "fx": "sin(2*pi*y/ly)*cos(3*t) + 0.1",
                "fy": "0.5*cos(x)*exp(-t)*sin(2*pi*z/lz)", "fz": "min(x, 1)*sin(2*pi*x/lx)"},
}
CHANNEL = {"boundary": {"z_low": "wall", "z_high": "wall"},
           "grid": {"n": (8, 6, 12), "length": (4.0, 2.0, 2.0), "stretching": ("uniform", "uniform", "tanh"),
                    "stretching_factor": (0.0, 0.0, 1.5)}}

EXACT = {"pressure": {"method": "exact", "tolerance": 1e-8}, "output": {"field_interval": 3}}
SPHERE = {"bodies": {"shape": ("sphere",), "centre": (3.0, 1.5, 2.0), "size": (1.6, 0.0, 0.0)}}


def momentum(kolmo, check):
    """A force in time alone: the mean velocity is its integral, to the order of the scheme."""
    for scheme, order in (("rk3-half", 1.9), ("rk3-wray", 2.8)):
        errors = []
        for dt in (0.2, 0.1):
            run = kolmo.run({"run": {"t_end": 2.0}, "grid": {"n": (4, 4, 4)}, "fluid": {"nu": 0.1},
                             "time": {"dt": dt, "scheme": scheme}, "initial": {"type": "rest"},
                             "forcing": {"type": "formula", "fz": "cos(3*t)"}})
            errors.append(abs(run.series()["momentum_z"][-1] - math.sin(6.0) / 3))
        check.above(f"{scheme}: order of the impulse", math.log2(errors[0] / errors[1]), order)


def kolmogorov(kolmo, check):
    """The flow that holds itself against the viscosity; the power is what is lost."""
    run = kolmo.run({"run": {"steps_max": 40}, "grid": {"n": (4, 32, 4)}, "fluid": {"nu": 0.5},
                     "time": {"dt": 0.01}, "initial": {"type": "formula", "u": "sin(y)"},
                     "forcing": {"type": "formula", "fx": "nu*(2 - 2*cos(ly/32))/(ly/32)^2*sin(y)"}})
    s = run.series()
    check.below("change of the energy of a steady flow", float(np.ptp(s["kinetic_energy"])), 1e-12)
    check.near("power over dissipation", float(s["force_power"][-1] / s["dissipation"][-1]), 1.0, 1e-12)


def others(kolmo, check):
    """A formula that is a constant, or oscillates, gives the flow of forcing.type = 'pressure-gradient'."""
    start = {"type": "channel", "disturbance": 0.2}
    for diffusion in ("explicit", "implicit"):
        case = kc.merge(BOX, CHANNEL, {"initial": start, "time": {"diffusion": diffusion}, "forcing": {
            "type": "pressure-gradient", "value": 0.3, "amplitude": 0.2, "frequency": 2.0,
            "fx": None, "fy": None, "fz": None}})
        one = kolmo.run(case).series()
        two = kolmo.run(kc.merge(case, {"forcing": {"type": "formula", "value": None, "amplitude": None,
                                                    "frequency": None,
                                                    "fx": "0.3 + 0.2*cos(2*pi*2*t)"}})).series()
        for name in ("kinetic_energy", "dissipation", "wall_stress_z_low", "momentum_x"):
            check.below(f"{diffusion}: {name} like a pressure gradient",
                        float(abs(one[name] - two[name]).max() / abs(one[name]).max()),
                        1e-7 if name == "wall_stress_z_low" else 1e-8)


def layouts(kolmo, check):
    """The same bits on any ranks and after a restart; the budget."""
    for name, more in (("sphere", SPHERE), ("rk3-wray", {"time": {"scheme": "rk3-wray"}}),
                       ("channel", CHANNEL), ("exact", EXACT)):
        case = kc.merge(BOX, more, {"checkpoint": {"interval": 3}})
        one = kolmo.run(case)
        for ranks in ((2, 1, 1), (1, 2, 2)) if name == "sphere" else ((1, 2, 2),):
            two = kolmo.run(kc.merge(case, {"grid": {"ranks": ranks}}), ranks=int(np.prod(ranks)))
            a, b = one.series(), two.series()
            check.same(f"{name}: ranks {ranks}", [n for n in a if n not in kc.FROM_CLOCK
                                                  and not np.array_equal(a[n], b[n], equal_nan=True)])
        again = kolmo.run(case, "--restart", kc.checkpoint_path(one.folder, 3))
        s, r = one.series(), again.series()
        check.same(f"{name}: after a restart", [n for n in s if n not in kc.FROM_CLOCK and not np.array_equal(
            s[n][-2:], r[n][-2:], equal_nan=True)])
        check.above("    power", float(abs(s["force_power"][1:]).max()), 1e-4)
    errors = []
    for dt in (0.02, 0.01):
        s = kolmo.run(kc.merge(BOX, {"run": {"steps_max": int(0.24 / dt)}, "time": {"dt": dt}})).series()
        errors.append(float(abs(s["budget_residual"][3:]).max() / abs(s["force_power"]).max()))
    check.below("residual of the energy budget over the power", errors[1], 2e-3)
    check.above("    its order", math.log2(errors[0] / errors[1]), 1.7)


def imbalance(run):
    """Largest difference between the change of momentum, and what formulas and bodies do, over the latter."""
    s, worst, size = run.series(), 0.0, 0.0
    with h5py.File(os.path.join(run.folder, "bodies.nc"), "r") as file:
        for c in "xyz":
            force, total = file["formula_force_" + c][...], file["force_" + c][...].sum(axis=1)
            change = np.diff(s["momentum_" + c]) * kc.TWO_PI * 12 / 0.02
            worst = max(worst, float(abs(change - force + total).max()))
            size = max(size, float(abs(total).max()))
    return worst / size


def beside_bodies(kolmo, check):
    """Beside bodies a constant is a pressure gradient, the momentum closes to rounding, and the energy to the
    order of the scheme. Inside bodies a formula may be infinite."""
    for scheme in ("rk3-half", "rk3-wray") if kolmo.options.long else ("rk3-wray",):
        case = kc.merge(BOX, SPHERE, {"time": {"scheme": scheme}, "initial": {"type": "taylor-green"}})
        gradient = {"type": "pressure-gradient", "value": 0.3, "amplitude": 0.2, "frequency": 2.0,
                    "fx": None, "fy": None, "fz": None}  # fmt: skip
        formula = {"fx": "0.3 + 0.2*cos(2*pi*2*t)", "fy": None, "fz": None}
        one, two = [kolmo.run(kc.merge(case, {"forcing": f})).series() for f in (gradient, formula)]
        for name in ("kinetic_energy", "dissipation", "bodies_force_x"):
            check.below(f"{scheme}: {name} like a pressure gradient",
                        float(np.nanmax(abs(one[name] - two[name])) / np.nanmax(abs(one[name]))), 1e-10)
        check.below(f"{scheme}: momentum", imbalance(kolmo.run(case)), 1e-12)
    hot = kc.merge(BOX, SPHERE, {"bodies": {"centre": (math.pi, 1.5, 2.25)}, "forcing": {
        "fx": "1/((x - pi)^2 + (y - 1.5)^2 + (z - 2.25)^2)", "fy": "log(abs(x - pi) - 0.1)", "fz": None}})
    run = kolmo.run(hot)
    check.below("infinite inside the sphere: momentum", imbalance(run), 1e-12)
    check.says("    --check", kolmo.run(hot, "--check").text, "Memory")
    inside, steps = "step(0.12 - (x - pi)^2 - (y - 1.5)^2 - (z - 2.25)^2)", []
    for size, ranks in (("0", (1, 1, 1)), ("1e9", (1, 1, 1)), ("1e9", (1, 2, 2))):
        push = {"fx": f"{size}*{inside}", "fy": "0.1"}
        case = kc.merge(hot, {"time": {"dt": None}, "forcing": push, "grid": {"ranks": ranks}})
        steps.append(kolmo.run(case, ranks=int(np.prod(ranks))).series()["dt"])
    other = [("all", "on 4 ranks")[n - 1] for n in (1, 2) if not np.array_equal(steps[0], steps[n])]
    check.same("    dt with a large force inside", other)
    errors = []
    for dt in (0.02, 0.01):
        steps = {"run": {"steps_max": int(0.24 / dt)}, "time": {"dt": dt}}
        s = kolmo.run(kc.merge(BOX, SPHERE, steps)).series()
        errors.append(float(abs(s["budget_residual"][3:]).max() / abs(s["force_power"]).max()))
    check.below("residual of the energy budget over the power", errors[1], 5e-3)
    check.above("    its order", math.log2(errors[0] / errors[1]), 1.7)


def exact_step(kolmo, check):
    """pressure.method = 'exact' gives the flow of a projection, with a mean force, and its pressure."""
    for scheme, diffusion in (("rk3-half", "implicit"), ("rk3-wray", "explicit"), ("rk3-half", "explicit")):
        case = kc.merge(BOX, {"time": {"scheme": scheme, "diffusion": diffusion}, "run": {"steps_max": 4},
                              "pressure": {"tolerance": 1e-10}, "initial": {"type": "taylor-green"},
                              "checkpoint": {"at_end": True}})  # fmt: skip
        a, b = [kolmo.run(kc.merge(case, {"pressure": {"method": m}})) for m in ("projection", "exact")]
        one, two = a.checkpoint(), b.checkpoint()
        check.below(f"{scheme}, {diffusion}: velocity of a projection",
                    max(float(abs(p - q).max()) for p, q in zip(one.velocity, two.velocity)), 1e-9)
        check.below("    its divergence", two.scaled_divergence(), 1e-13)
        check.above("    the mean velocity", abs(float(b.series()["momentum_x"][-1])), 5e-3)
        power = [float(run.series()["force_power"][-1]) for run in (a, b)]
        check.near("    power", *power, 1e-9)
    wrong = []
    for steps in (4, 8):  # the pressure of a projection is that of a time within its last step
        run = kolmo.run(kc.merge(case, {"run": {"steps_max": steps}, "time": {"dt": 0.08 / steps}}))
        off = two.fields["p"] - run.checkpoint().fields["p"]
        wrong.append(float(np.ptp(off) / np.ptp(two.fields["p"])))
    check.below("the pressure of a projection differs by", wrong[1], 0.05)
    check.above("    less with short steps", wrong[0] / wrong[1], 1.7)


def through_faces(kolmo, check):
    """A force on the fluid between inflow and outflow does no work on the faces, whose velocity is given."""
    open_faces = {"boundary": {"x_low": "inflow", "x_high": "outflow", "x_low_velocity": (1.0, 0.0, 0.0)},
                  "grid": {"stretching": None, "stretching_factor": None},
                  "time": {"dt": 0.01}, "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)},
                  "forcing": {"fx": "1 + cos(x)*cos(2*pi*y/ly)", "fy": None, "fz": None}}  # fmt: skip
    s = kolmo.run(kc.merge(BOX, open_faces)).series()
    check.above("power of a force at an inflow", float(s["force_power"][-1]), 0.5)
    check.below("residual of the energy budget", float(abs(s["budget_residual"][3:]).max()), 1e-5)


def refused(kolmo, check):
    """What is wrong with an input is told with its place; dt from rest."""
    for more, words in (({"forcing": {"fx": "sin(y"}}, "column 6 of the formula: a closing parenthesis is"),
                        ({"forcing": {"fx": None, "fy": None, "fz": None}}, "needs a formula"),
                        ({"forcing": {"value": 1.0}}, "forcing.value has no effect"),
                        ({"forcing": {"type": "none"}}, "forcing.fx has no effect"),
                        ({"forcing": {"fx": "1/(x - x)"}}, "forcing.fx is inf at x = "),
                        (kc.merge(SPHERE, {"forcing": {"fz": "log(x - 0.3)"}}), "forcing.fz is "),
                        ({"initial": {"type": "formula", "u": "t"}}, "t can't stand here")):
        check.says(words, kolmo.run(kc.merge(BOX, more), rc=2).text, words)
    run = kolmo.run(kc.merge(BOX, {"time": {"dt": None}}))
    s = run.series()
    check.below("dt from rest: largest CFL number", float(s["cfl"].max()), 0.85)
    check.above("    the fluid moves", float(s["kinetic_energy"][-1]), 1e-6)


if __name__ == "__main__":
    kc.main(__doc__, [momentum, kolmogorov, others, layouts, beside_bodies, exact_step, through_faces,
                      refused])

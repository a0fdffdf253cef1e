#!/usr/bin/env python3
"""Trapezoidal diffusion in z between walls, time.diffusion = 'implicit-z': steps beyond the explicit limit.

Steady flows stay to rounding at 20 times the explicit limit, with drag equal to force; the bulk velocity
holds; the energy budget closes at second order; a disturbed channel (no slip, one side free slip, moving
walls, a duct) goes to the flow of short explicit steps at second order; the same bits on any ranks in x and y
and after a restart; refusals by name. Would catch: a system of the wrong component, end or kind of wall, a
force whose part in the walls' layers is not that of its stage, a velocity of the wrong stage on the
right-hand side."""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402
from steady_walls import explicit_limit, laminar  # noqa: E402

NU = 0.25
N = 12


def steady(case):
    """A laminar flow between walls in z; cells are long in x and y, where diffusion stays explicit."""
    return kc.merge({"run": {"steps_max": 30}, "grid": {"n": (4, 4, N), "length": (12.0, 10.0, 2.0),
                                                       "stretching": ("uniform", "uniform", "tanh"),
                                                       "stretching_factor": (0.0, 0.0, 1.0)},
                     "fluid": {"nu": NU}, "time": {"diffusion": "implicit-z"},
                     "boundary": {"z_low": "wall", "z_high": "wall"},
                     "initial": {"type": "channel", "disturbance": 0.0}, "checkpoint": {"at_end": True},
                     "output": {"log_interval": 1000}}, case)


def profile(state, component):
    u = state.velocity[component].reshape(N, -1)
    return u.mean(axis=1), np.ptp(u, axis=1).max()


def poiseuille(kolmo, check):
    """From the parabola, at 20 times the explicit limit, to the discrete steady flow; there nothing moves any
    more."""
    for direction, component, force, high in (("x", 0, {"type": "bulk-velocity", "value": 1.0}, "wall"),
                                              ("y", 1, {"type": "pressure-gradient", "value": -0.4}, "wall"),
                                              ("x", 0, {"type": "bulk-velocity", "value": 0.7}, "slip")):
        case = steady({"forcing": dict(force, direction=direction), "boundary": {"z_high": high}})
        dt = 20 * explicit_limit(case, kolmo)
        case = kc.merge(case,
                        {"run": {"steps_max": 600}, "time": {"dt": dt}, "checkpoint": {"interval": 590}})
        result = kolmo.run(case)
        a, b = result.checkpoint(590), result.checkpoint(600)
        u, uneven = profile(b, component)
        label = f"{force['type']} along {direction}, {high} above, dt {dt:.3g}"
        check.below(f"{label}: change of the last 10 steps",
                    np.max(np.abs(u - profile(a, component)[0])) + uneven, 1e-12)
        gradient = result.series()["force"][-1]
        check.below("    profile less the steady one",
                    np.max(np.abs(u - laminar(b.face[2], gradient, high, NU))), 1e-12)
        drag = NU * (2 * u[0] / b.width[2][0] + (2 * u[-1] / b.width[2][-1] if high == "wall" else 0)) / 2.0
        check.near("    force, and drag of the walls", gradient, drag, 1e-12)
        if force["type"] == "bulk-velocity":
            check.below("    bulk velocity less its value",
                        np.max(np.abs(result.series()[f"momentum_{direction}"][1:] - force["value"])), 1e-13)


def couette(kolmo, check):
    """The linear profile between walls that move along both directions."""
    case = steady({"boundary": {"z_low_velocity": (-0.5, 0.0, 0.0), "z_high_velocity": (1.0, 0.25, 0.0)}})
    dt = 20 * explicit_limit(case, kolmo)
    result = kolmo.run(kc.merge(case, {"time": {"dt": dt}}))
    state = result.checkpoint()
    z = state.centre[2]
    check.below(f"couette, dt {dt:.3g}: linear profile",
                max(np.max(np.abs(profile(state, 0)[0] + 0.5 - 0.75 * z)),
                   np.max(np.abs(profile(state, 1)[0] - 0.125 * z))), 1e-13)
    check.below("    work of the walls less dissipation, over it", np.max(np.abs(
        result.series()["wall_work"] / result.series()["dissipation"] - 1)), 1e-12)


def disturbed(case=None):
    """A coarse channel with its disturbances."""
    return kc.merge({"run": {"steps_max": 6, "seed": 3},
                     "grid": {"n": (12, 12, 16), "length": (3.0, 2.5, 2.0),
                              "stretching": ("uniform", "sine", "tanh"),
                              "stretching_factor": (0.0, 0.3, 2.0)},
                     "fluid": {"nu": 0.02}, "time": {"diffusion": "implicit-z", "dt": 0.04},
                     "initial": {"type": "channel"},
                     "boundary": {"z_low": "wall", "z_high": "wall"}, "pressure": {"tolerance": 1e-11},
                     "forcing": {"type": "bulk-velocity", "value": 1.0},
                     "checkpoint": {"at_end": True}, "output": {"log_interval": 1000}}, case or {})


FLOWS = (
    ("channel", {}),
    ("free slip above", {"boundary": {"z_high": "slip"}, "forcing": {"direction": "y"}}),
    (
        "moving walls",
        {
            "boundary": {"z_low_velocity": (0.0, 0.4, 0.0), "z_high_velocity": (0.5, 0.0, 0.0)},
            "forcing": {"type": "pressure-gradient", "value": 0.1},
        },
    ),
    (
        "duct",
        {
            "boundary": {"y_low": "wall", "y_high": "slip"},
            "initial": {"type": "taylor-green", "velocity": (1.0, 0.0, 0.0)},
            "grid": {"stretching": ("uniform", "uniform", "tanh"), "stretching_factor": (0.0, 0.0, 2.0)},
        },
    ),
)


def order(kolmo, check):
    """A start by short explicit steps, which takes off what does not fit the walls; then dt, dt/2, dt/4
    against explicit dt/32."""
    for (name, case), scheme in zip(FLOWS, ("rk3-half", "rk3-wray", "rk3-half", "rk3-wray")):
        end = 0.16
        begin = kolmo.run(disturbed(kc.merge(case,
                                             {"run": {"steps_max": 64},
                                              "time": {"diffusion": "explicit", "dt": 0.00125}})))
        start = kc.checkpoint_path(begin.folder)

        def run(diffusion, steps):
            more = {"run": {"steps_max": 64 + steps},
                    "time": {"diffusion": diffusion, "dt": end / steps, "scheme": scheme}}
            return kolmo.run(disturbed(kc.merge(case, more)), "--restart", start).checkpoint()
        fine = run("explicit", 128)
        error = [[math.sqrt(np.mean((run("implicit-z", steps).velocity[c] - fine.velocity[c]) ** 2))
                  for c in range(3)]
                 for steps in (4, 8, 16)]
        for c in range(3):
            e = [row[c] for row in error]
            measured = f"{name}, {scheme}: order of {'uvw'[c]} (errors {', '.join(f'{x:.2e}' for x in e)})"
            if scheme == "rk3-half":
                check.near(measured, math.log2(e[1] / e[2]), 2.0, 0.2)
            else:  # what convection leaves is of third order, and here not small beside diffusion's
                check.above(measured, math.log2(e[1] / e[2]), 1.8)
        check.below("    largest error at the longest step", max(error[0]), 2e-3)


def bulk(kolmo, check):
    """The bulk velocity of a disturbed flow, with steps by Courant number: longer than explicit diffusion
    allows."""
    case = disturbed({"run": {"steps_max": 10}, "time": {"dt": None, "cfl": 1.0}})
    viscous = explicit_limit(case, kolmo)
    s = kolmo.run(case).series()
    check.below("bulk velocity less 1", np.max(np.abs(s["momentum_x"][1:] - 1)), 1e-13)
    check.above("dt over the limit of explicit diffusion", np.min(s["dt"][1:]) / viscous, 4.0)
    check.below("energy of the last step over that of the first",
                s["kinetic_energy"][-1] / s["kinetic_energy"][0], 1.1)


def budget(kolmo, check):
    """The energy budget closes to the error in time: at second order as dt falls."""
    for name, case in FLOWS[:3]:
        left = []
        for dt, steps in ((0.008, 20), (0.004, 40)):
            s = kolmo.run(disturbed(kc.merge(case,
                                             {"run": {"steps_max": steps}, "time": {"dt": dt}}))).series()
            left.append(abs(float(s["budget_residual"][-1])) / float(s["dissipation"][-1]))
        check.below(f"{name}: residual over dissipation", left[1], 1e-5)
        check.above("    at dt over that at dt/2", left[0] / left[1], 3.0)


def layouts(kolmo, check):
    """The same bits on any ranks, z cut or not; where the layout is open it is not, unless that is the only
    way."""
    for (name, case), scheme, layouts in zip(FLOWS[:1] + FLOWS[2:], ("rk3-half", "rk3-wray", "rk3-half"), (
            ((4, (2, 2, 1)), (3, (1, 1, 3)), (4, (0, 0, 0))), ((2, (1, 1, 2)), (8, (2, 2, 2))),
            ((2, (2, 1, 1)), (4, (1, 2, 2))))):
        case = kc.merge(case, {"time": {"scheme": scheme}})
        one = kolmo.run(disturbed(case))
        for ranks, layout in layouts:
            other = kolmo.run(disturbed(kc.merge(case, {"grid": {"ranks": layout}})), ranks=ranks)
            check.same(f"{name}, ranks {' x '.join(map(str, layout))} of {ranks}", kc.differences(one, other))


def restart(kolmo, check):
    """Stopped and gone on with: the same bits."""
    case = disturbed({"checkpoint": {"interval": 3, "keep": 4}, "time": {"dt": None, "cfl": 0.8}})
    whole = kolmo.run(case)
    other = kolmo.run(case, "--restart", kc.checkpoint_path(whole.folder, 3), ranks=2)
    check.same("fields after the restart",
               kc.differing_arrays(whole.checkpoint(6).fields, other.checkpoint(6).fields))


def memory(kolmo, check):
    """No more arrays than with explicit diffusion, as --check tells them; a pool of that number is enough,
    with few kept for the pressure as with many."""
    for pressure in ({"preconditioner": "direct"},
                     {"preconditioner": "jacobi", "guess": "zero", "tolerance": 1e-6},
                     {"preconditioner": "multigrid", "guess": "lli"}):
        arrays = []
        for diffusion in ("explicit", "implicit-z"):
            scheme = "rk3-wray" if "guess" in pressure else "rk3-half"
            case = disturbed({"run": {"steps_max": 2},
                              "time": {"diffusion": diffusion, "dt": 0.001, "scheme": scheme},
                              "pressure": pressure})
            text = kolmo.call("--check", kolmo.write(case, kolmo.place())).out
            arrays.append(int(text.split("  fields  ")[1].split()[0]))
        kolmo.run(case)
        check.equal(f"arrays, {pressure['preconditioner']}", arrays[1], arrays[0])


def refused(kolmo, check):
    """What 'implicit-z' does not go with, by name, with a remedy."""
    for add, parts in (({"boundary": {"z_low": None, "z_high": None}},
                        ("time.diffusion = 'implicit-z'", "boundary.z_low", "'explicit'")),
                       ({"time": {"diffusion_tolerance": 1e-8}},
                        ("time.diffusion_tolerance", "'implicit-z'")),
                       ({"pressure": {"method": "exact"}}, ("pressure.method", "projection"))):
        case = disturbed(add)
        if add.get("boundary"):
            case["initial"] = {"type": "taylor-green"}
        bad = kolmo.run(case, rc=2, ranks=math.prod(case["grid"].get("ranks", (1,))))
        check.says(", ".join(f"{g}.{n}" for g, names in add.items() for n in names), bad.text, *parts)
    narrow = disturbed({"run": {"steps_max": 1},
                        "grid": {"n": (4, 4, 16), "stretching": ("uniform", "uniform", "tanh"),
                                 "stretching_factor": (0.0, 0.0, 2.0)}})
    check.says("8 ranks, too many for x and y", kolmo.run(narrow, ranks=8).text, "ranks 1 x 1 x 8")


if __name__ == "__main__":
    kc.main(__doc__, [poiseuille, couette, order, bulk, budget, layouts, restart, memory, refused])

#!/usr/bin/env python3
"""Turning frames and forces that oscillate: exact solutions, budgets, the same bits on any ranks and after a
restart.

The inertial oscillation at the order of each scheme, Ekman layers (a pressure gradient over a wall, a moving
lid) at second order in every orientation and with the walls' friction equal to what drives the flow to
rounding, a laminar channel that a turning frame leaves as it is, Womersley's flow, a bulk velocity that
oscillates. Would catch: a wrong sign or component of the Coriolis force, a mean that does work, a force of
the wrong time, a dt that outruns the rotation, state that a restart loses."""
import cmath
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402

AXIS = "xyz"


def axes(normal):
    """The two directions along the walls, so that stream, span and normal are right-handed."""
    return (normal + 1) % 3, (normal + 2) % 3


def unit(direction, value=1.0):
    """A vector along a direction."""
    return tuple(value if d == direction else 0.0 for d in range(3))


def placed(values, directions):
    """Values in the order x, y, z."""
    out = [None] * 3
    for value, d in zip(values, directions):
        out[d] = value
    return tuple(out)


def layer(normal, n, case, factor=1.0, high="slip"):
    """A layer of unit height over a wall, stretched, n cells high."""
    e, f = axes(normal)
    return kc.merge({"grid": {"n": placed((4, 2, n), (e, f, normal)),
                              "length": placed((1.0, 0.5, 1.0), (e, f, normal)),
                              "stretching": placed(("uniform", "uniform", "tanh"), (e, f, normal)),
                              "stretching_factor": placed((0.0, 0.0, factor), (e, f, normal))},
                     "boundary": {f"{AXIS[normal]}_low": "wall", f"{AXIS[normal]}_high": high},
                     "initial": {"type": "rest"}, "output": {"log_interval": 100000, "series_interval": 10}},
                    case)


def profile(state, normal, component):
    """Velocity at the centres between the walls, the same at all places along them."""
    u = np.moveaxis(state.velocity[component], 2 - normal, 0).reshape(state.centre[normal].size, -1)
    assert np.ptp(u, axis=1).max() < 1e-12
    return u.mean(axis=1)


# ---- turning frames ----------------------------------------------------------------------------------------

def inertial(kolmo, check):
    """A uniform velocity turns about the axis with twice the rotation, at the order of the scheme; its length
    is kept."""
    omega, u0, end = np.array((0.3, -0.5, 0.7)), np.array((1.0, 0.4, -0.2)), 2.0
    rate = 2.0 * np.linalg.norm(omega)
    axis, angle = omega / np.linalg.norm(omega), -rate * end
    exact = (u0 * math.cos(angle) + np.cross(axis, u0) * math.sin(angle)
             + axis * np.dot(axis, u0) * (1.0 - math.cos(angle)))
    for scheme, order in (("rk3-half", 2), ("rk3-wray", 3)):
        errors = []
        for steps in (20, 40):
            s = kolmo.run({"run": {"t_end": end},
                           "grid": {"n": (6, 5, 4), "stretching": ("sine", "uniform", "tanh"),
                                    "stretching_factor": (0.4, 0.0, 1.0)},
                           "fluid": {"nu": 0.1}, "time": {"scheme": scheme, "dt": end / steps},
                           "initial": {"type": "uniform", "velocity": tuple(u0)},
                           "forcing": {"rotation": tuple(omega)}}).series()
            errors.append(float(np.linalg.norm([s[f"momentum_{d}"][-1] - exact[n]
                                                for n, d in enumerate(AXIS)])))
        check.near(f"{scheme}: order", math.log2(errors[0] / errors[1]), order, 0.1)
        check.below("    error", errors[1], 3.5e-3)
        check.below("    the flow stays uniform: dissipation", float(np.max(s["dissipation"])), 1e-24)
    s = kolmo.run({"run": {"steps_max": 3}, "grid": {"n": (4, 4, 4)}, "fluid": {"nu": 0.0},
                   "time": {"cfl": 0.5},
                   "initial": {"type": "uniform", "velocity": (1e-3, 0.0, 0.0)},
                   "forcing": {"rotation": (0.0, 0.0, 50.0)}}).series()
    check.below("dt times the rate of rotation", float(np.max(s["dt"])) * 100.0, 0.5 * (1 + 1e-12))
    check.above("    nearly all of time.cfl", float(np.max(s["dt"])) * 100.0, 0.49)


def ekman_exact(z, nu, f, drive, lid=None):
    """u + i v at height z of 1, by a pressure gradient `drive` (complex) under free slip, or by a lid of this
    velocity."""
    k = cmath.sqrt(1j * f / nu)
    if lid is not None:
        return np.array([lid * cmath.sinh(k * s) / cmath.sinh(k) for s in z])
    return np.array([drive / (1j * f) * (1.0 - cmath.cosh(k * (1.0 - s)) / cmath.cosh(k)) for s in z])


def ekman(kolmo, check):
    """Ekman's layer under a geostrophic flow: second order; the wall holds what force and rotation leave, to
    rounding."""
    nu, f = 0.5, 4.0
    for normal, force in ((2, 1), (0, 2), (1, 2)):
        e, g = axes(normal)
        errors = []
        drive = f * (1.0 if force == e else 1j)
        for n in (12, 24) if normal == 2 else (12,):
            case = layer(
                normal,
                n,
                {
                    "run": {"t_end": 24.0 if n == 12 else 8.0},
                    "fluid": {"nu": nu},
                    "forcing": {
                        "type": "pressure-gradient",
                        "direction": AXIS[force],
                        "value": f,
                        "rotation": unit(normal, f / 2),
                    },
                },
            )
            result = kolmo.run(case)
            state, s = result.checkpoint(), result.series()
            u = profile(state, normal, e) + 1j * profile(state, normal, g)
            errors.append(float(np.max(np.abs(u - ekman_exact(state.centre[normal], nu, f, drive)))))
            if n == 12:
                drag, mean = 2.0 * nu * u[0] / state.width[normal][0], np.sum(u * state.width[normal])
                check.below(f"walls in {AXIS[normal]}, force along {AXIS[force]}: friction less force and "
                            "rotation",
                            abs(drive - 1j * f * mean - drag), 5e-12)
                check.below("    error of the profile", errors[0], 1e-2)
                check.near("    power of the force less dissipation",
                           s["force_power"][-1] - s["dissipation"][-1], 0.0, 1e-11)
        if len(errors) == 2:
            check.near("    order of the profile", math.log2(errors[0] / errors[1]), 2.0, 0.2)


def lid(kolmo, check):
    """A moving lid over a turning fluid: second order, with each way of diffusion; its work is dissipated."""
    nu, f = 0.5, 4.0
    for diffusion in ("explicit", "implicit-z", "implicit"):
        errors = []
        for n in (12, 24):
            case = layer(
                2,
                n,
                {
                    "run": {"t_end": 6.0},
                    "fluid": {"nu": nu},
                    "time": {"diffusion": diffusion, "cfl": 0.15},
                    "boundary": {"z_high_velocity": (1.0, 0.5, 0.0)},
                    "forcing": {"rotation": (0.0, 0.0, f / 2)},
                },
                high="wall",
            )
            result = kolmo.run(case)
            state, s = result.checkpoint(), result.series()
            u = profile(state, 2, 0) + 1j * profile(state, 2, 1)
            errors.append(float(np.max(np.abs(u - ekman_exact(state.centre[2], nu, f, 0, 1.0 + 0.5j)))))
        check.near(f"{diffusion}: order of the profile", math.log2(errors[0] / errors[1]), 2.0, 0.2)
        check.below("    error", errors[1], 2e-3)
        check.below("    work of the lid over dissipation, less 1",
                    abs(s["wall_work"][-1] / s["dissipation"][-1] - 1.0), 1e-10)


def spanwise(kolmo, check):
    """A channel that turns about its span: the pressure takes the force up, the laminar flow is the one at
    rest."""
    case = layer(2, 12,
                 {"run": {"t_end": 2.0}, "fluid": {"nu": 0.5},
                  "forcing": {"type": "pressure-gradient", "value": 1.0},
                  "pressure": {"tolerance": 1e-12}}, high="wall")
    a = kolmo.run(case).checkpoint()
    b = kolmo.run(kc.merge(case,
                           {"forcing": {"rotation": (0.0, 0.3, 0.0)},
                            "time": {"dt": a.state["dt"]}})).checkpoint()
    a = kolmo.run(kc.merge(case, {"time": {"dt": a.state["dt"]}})).checkpoint()
    check.below("profile", float(np.max(np.abs(profile(a, 2, 0) - profile(b, 2, 0)))), 1e-12)
    p = b.fields["p"][:, 0, 0]
    u = profile(b, 2, 0)
    cell = 0.6 * u * b.width[2] / 2.0  # 2 Omega u dz of the half cells beside each face
    check.below("pressure gradient less 2 Omega u", float(np.max(np.abs(np.diff(p) - cell[1:] - cell[:-1]))),
                1e-5)


# ---- forces that oscillate ---------------------------------------------------------------------------------

def momentum(kolmo, check):
    """Between free-slip walls the mean velocity is the integral of the force, at the order of the scheme."""
    amplitude, frequency, phase, end = 0.7, 0.8, 0.4, 1.5
    omega = kc.TWO_PI * frequency
    exact = 0.2 * end + amplitude / omega * (math.sin(omega * end + phase) - math.sin(phase))
    for scheme, order in (("rk3-half", 2), ("rk3-wray", 3)):
        errors = []
        for steps in (15, 30):
            s = kolmo.run(layer(1, 4,
                                {"run": {"t_end": end}, "fluid": {"nu": 1e-3},
                                 "time": {"scheme": scheme, "dt": end / steps},
                                 "boundary": {"y_low": "slip"}, "forcing": {
                                     "type": "pressure-gradient", "direction": "z", "value": 0.2,
                                     "amplitude": amplitude,
                                     "frequency": frequency, "phase": phase}})).series()
            errors.append(abs(s["momentum_z"][-1] - exact))
        check.near(f"{scheme}: order", math.log2(errors[0] / errors[1]), order, 0.25)
        check.below("    error", errors[1], 3e-4)


def womersley_exact(z, t, nu, amplitude, omega):
    """Flow between walls at z = 0 and 1 under the force amplitude cos(omega t), long after its start."""
    k = cmath.sqrt(1j * omega / nu)
    return np.array([(amplitude / (1j * omega) * (1.0 - cmath.cosh(k * (s - 0.5)) / cmath.cosh(k / 2.0))
                      * cmath.exp(1j * omega * t)).real for s in z])


WOMERSLEY = {"fluid": {"nu": 0.05},
             "forcing": {"type": "pressure-gradient", "amplitude": 1.0, "frequency": 0.5}}


def womersley(kolmo, check):
    """Womersley's flow in a channel: second order in space and time, with each way of diffusion; the budget
    closes."""
    omega = kc.TWO_PI * 0.5
    for diffusion in ("explicit", "implicit-z", "implicit"):
        errors, left = [], []
        for n, dt in ((12, 0.02), (24, 0.01)) if diffusion != "explicit" else ((12, 0.01), (24, 0.0025)):
            result = kolmo.run(layer(2, n,
                                     kc.merge(WOMERSLEY,
                                              {"run": {"t_end": 10.5}, "output": {"series_interval": 1},
                                               "time": {"diffusion": diffusion, "dt": dt}}), high="wall"))
            state, s = result.checkpoint(), result.series()
            errors.append(float(np.max(np.abs(profile(state, 2, 0)
                                              - womersley_exact(state.centre[2], 10.5, 0.05, 1.0, omega)))))
            last = s["time"] > 8.5
            left.append(float(np.max(np.abs(s["budget_residual"][last]))
                              / np.max(np.abs(s["force_power"][last]))))
        check.near(f"{diffusion}: order of the profile", math.log2(errors[0] / errors[1]), 2.0, 0.25)
        check.below("    error", errors[1], 1.5e-3)
        check.below("    residual of the energy budget over the largest power", left[1], 2e-3)
        check.above("    residual on the coarse over that on the fine grid", left[0] / left[1], 3.0)


def pulsatile(kolmo, check):
    """A bulk velocity that oscillates is the one given, in every step; the force is that of the momentum."""
    for scheme in ("rk3-half", "rk3-wray"):
        s = kolmo.run(layer(0, 12,
                            {"run": {"steps_max": 40}, "fluid": {"nu": 0.02},
                             "time": {"scheme": scheme, "cfl": 0.5},
                             "initial": {"type": "channel"}, "forcing": {
                                 "type": "bulk-velocity", "direction": "y", "value": 0.5, "amplitude": 0.4,
                                 "frequency": 0.7,
                                 "phase": -0.3}, "output": {"series_interval": 1}}, high="wall")).series()
        wanted = 0.5 + 0.4 * np.cos(kc.TWO_PI * 0.7 * s["time"] - 0.3)
        check.below(f"{scheme}: bulk velocity less what is asked for",
                    float(np.max(np.abs(s["momentum_y"][1:] - wanted[1:]))), 2e-14)


# ---- ranks, restarts, inputs -------------------------------------------------------------------------------

TURBULENT = {"run": {"steps_max": 6, "seed": 3},
             "grid": {"n": (24, 18, 20), "length": (4.0, 2.5, 2.0), "stretching_factor": (0.0, 0.3, 1.2),
                      "stretching": ("uniform", "sine", "tanh")},
             "fluid": {"nu": 0.004}, "time": {"cfl": 0.9}, "initial": {"type": "channel"},
             "boundary": {"z_low": "wall", "z_high": "wall"},
             "forcing": {"type": "bulk-velocity", "value": 1.0, "amplitude": 0.2, "frequency": 0.3,
                         "rotation": (0.05, 0.2, -0.1)}}
GRADIENT = kc.merge(TURBULENT, {"forcing": {"type": "pressure-gradient", "value": 0.01, "amplitude": 0.02}})


def budget(kolmo, check):
    """The energy budget of a turning, driven, disturbed channel closes to the error in time."""
    for name, case in (("bulk velocity", TURBULENT), ("pressure gradient", GRADIENT)):
        left = []
        for dt, steps in ((0.004, 30), (0.002, 60)):
            s = kolmo.run(kc.merge(case, {"run": {"steps_max": steps}, "time": {"dt": dt, "cfl": None},
                                          "pressure": {"tolerance": 1e-11}})).series()
            left.append(abs(float(s["budget_residual"][-1])) / float(s["dissipation"][-1]))
        check.below(f"{name}: residual over dissipation", left[1], 2e-3)
        check.above(f"{name}: at dt over that at dt/2", left[0] / left[1], 3.0)


def same_bits(kolmo, check):
    """Any ranks, and a restart, give the same bits; another rotation or oscillation is refused."""
    for name, case, layouts in (("bulk velocity", TURBULENT, ((1, 2, 1), (2, 1, 2))),
                                ("pressure gradient, rk3-wray",
                                 kc.merge(GRADIENT, {"time": {"scheme": "rk3-wray"}}), ((2, 1, 1),))):
        case = kc.merge(case, {"checkpoint": {"interval": 3, "keep": 4}})
        one = kolmo.run(case)
        for layout in layouts:
            other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=math.prod(layout))
            check.same(f"{name}, {' x '.join(map(str, layout))} ranks", kc.differences(one, other))
        other = kolmo.run(case, "--restart", kc.checkpoint_path(one.folder, 3), ranks=2)
        check.same(f"{name}: after a restart",
                   kc.differing_arrays(one.checkpoint(6).fields, other.checkpoint(6).fields))
    for names in ({"rotation": (0.05, 0.2, 0.1)}, {"frequency": 0.4}, {"amplitude": 0.1}, {"phase": 1.0}):
        bad = kolmo.run(kc.merge(case, {"forcing": names}), "--restart", kc.checkpoint_path(one.folder, 3),
                        rc=2)
        check.says(f"another forcing.{list(names)[0]}", bad.text, f"forcing.{list(names)[0]}",
                   "--force-restart")


def refused(kolmo, check):
    """What makes no sense, by name, with a remedy."""
    for add, parts in (({"forcing": {"frequency": None}}, ("forcing.amplitude", "forcing.frequency")),
                       ({"forcing": {"amplitude": None}}, ("forcing.frequency has no effect",)),
                       ({"forcing": {"type": "power"}},
                        ("forcing.amplitude has no effect", "pressure-gradient")),
                       ({"forcing": {"frequency": -1.0}}, ("forcing.frequency", "out of range")),
                       ({"boundary": {"z_low": None, "z_high": None}, "forcing": {
                           "type": None, "value": None, "amplitude": None, "frequency": None},
                         "initial": {"type": "uniform"},
                         "pressure": {"method": "exact"}},
                        ("can't be combined with a rotation", "projection"))):
        bad = kolmo.run(kc.merge(TURBULENT, add), rc=2)
        check.says(", ".join(f"{g}.{n}" for g, names in add.items() for n in names), bad.text, *parts)


if __name__ == "__main__":
    kc.main(__doc__,
            [inertial, ekman, lid, spanwise, momentum, womersley, pulsatile, budget, same_bits, refused])

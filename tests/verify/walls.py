#!/usr/bin/env python3
"""Walls: no slip, moving and free-slip faces in every direction, and what drives a flow between them.

Exact solutions in every orientation (linear Couette flow stays to rounding on any grid, Poiseuille and a
decaying shear wave at second order on stretched grids), a box of free-slip walls against the periodic flow
whose symmetry planes they are, the force against the shear on the walls, the bulk velocity, the energy
budget, the same bits on any ranks and after a restart, and refused inputs. Would catch: a ghost value of the
wrong sign, component or side, a wall face that moves, a metric that is not mirrored, a halo edge that a wall
leaves stale, work that is not counted."""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402

AXIS = "xyz"
ORIENTATIONS = tuple((n, s) for n in range(3) for s in range(3) if n != s)  # normal of the walls, stream


def turned(values, normal, stream):
    """(normal, stream, span) values in the order x, y, z."""
    out = [None] * 3
    out[normal], out[stream], out[3 - normal - stream] = values
    return tuple(out)


def between_walls(normal, stream, n, case, low="wall", high="wall", factor=1.3):
    """A case between two walls, stretched towards them, periodic and short along them."""
    stretching = turned(("tanh" if factor else "uniform", "uniform", "uniform"), normal, stream)
    return kc.merge({"grid": {"n": turned((n, 8, 4), normal, stream),
                              "length": turned((2.0, 1.5, 1.25), normal, stream),
                              "stretching": stretching,
                              "stretching_factor": turned((factor, 0.0, 0.0), normal, stream)},
                     "boundary": {f"{AXIS[normal]}_low": low, f"{AXIS[normal]}_high": high},
                     "checkpoint": {"at_end": True}, "output": {"log_interval": 1000}}, case)


def profile(checkpoint, normal, stream):
    """Velocity along the stream at the centres between the walls, the same at all places along them; and
    their coordinate."""
    u = np.moveaxis(checkpoint.velocity[stream], 2 - normal, 0).reshape(checkpoint.centre[normal].size, -1)
    return u.mean(axis=1), np.ptp(u, axis=1).max(), checkpoint.centre[normal]


def couette(kolmo, check):
    """Walls that move against each other along both directions: the linear profile is a steady state of the
    discrete equations."""
    for normal, stream in ORIENTATIONS:
        d, span = AXIS[normal], 3 - normal - stream
        low, high = [0.0] * 3, [0.0] * 3
        low[stream], high[stream], high[span] = -0.5, 1.0, 0.25
        case = between_walls(normal, stream, 12, {
            "run": {"steps_max": 20}, "fluid": {"nu": 0.05},
            "initial": {"type": "channel", "disturbance": 0.0},
            "boundary": {f"{d}_low_velocity": tuple(low), f"{d}_high_velocity": tuple(high)}})
        result = kolmo.run(case)
        u, uneven, x = profile(result.checkpoint(), normal, stream)
        v = profile(result.checkpoint(), normal, span)[0]
        error = max(np.max(np.abs(u - (-0.5 + 0.75 * x))), np.max(np.abs(v - 0.125 * x)), uneven)
        check.below(f"walls in {d}, stream {AXIS[stream]}: linear profile after 20 steps", error, 1e-13)
        s = result.series()
        check.below("    work of the walls less dissipation, over it",
                    np.max(np.abs(s["wall_work"] - s["dissipation"])) / s["dissipation"][0], 1e-12)
        wanted = 0.05 * (0.75 ** 2 + 0.125 ** 2)
        check.near("    dissipation", s["dissipation"][-1], wanted, 1e-13)
        check.below("    budget", np.max(np.abs(s["budget_residual"])), 1e-13)


def poiseuille(kolmo, check):
    """Steady flow under a pressure gradient: second order on stretched grids, and the walls hold the force to
    rounding."""
    gradient, nu = 0.4, 0.25
    for normal, stream in ORIENTATIONS:
        errors = []
        for n in (12, 24) if stream == (normal + 1) % 3 else (12,):
            case = between_walls(normal, stream, n, {
                "run": {"t_end": 40.0}, "fluid": {"nu": nu},
                "initial": {"type": "channel", "disturbance": 0.0},
                "forcing": {"type": "pressure-gradient", "direction": AXIS[stream], "value": gradient}})
            result = kolmo.run(case)
            u, uneven, x = profile(result.checkpoint(), normal, stream)
            errors.append(max(np.max(np.abs(u - gradient / (2 * nu) * x * (2 - x))), uneven))
            width = result.checkpoint().width[normal]
            drag = nu * (2 * u[0] / width[0] + 2 * u[-1] / width[-1]) / 2.0
            if n == 12:
                check.near(f"walls in {AXIS[normal]}, stream {AXIS[stream]}: drag of the walls", drag,
                           gradient, 2e-11)
                check.near("    power of the force", result.series()["force_power"][-1],
                           gradient * result.series()[f"momentum_{AXIS[stream]}"][-1], 1e-12)
        if len(errors) == 2:
            check.near("    order of the profile", math.log2(errors[0] / errors[1]), 2.0, 0.2)


def laws(kolmo, check):
    """Every law of stretching between walls: the faces are where it says, and linear flow stays to
    rounding."""
    s = np.linspace(0.0, 1.0, 21)
    for law, factor, faces in (
            ("tanh", 1.5, 0.5 * (1 + np.tanh(1.5 * (2 * s - 1)) / np.tanh(1.5))),
            ("tanh-low", 2.0, 1 + np.tanh(2.0 * (s - 1)) / np.tanh(2.0)),
            ("tanh-high", 2.0, np.tanh(2.0 * s) / np.tanh(2.0)),
            ("geometric", 1.2, (1.2 ** np.arange(21) - 1) / (1.2 ** 20 - 1)),
            ("geometric", 0.8, (0.8 ** np.arange(21) - 1) / (0.8 ** 20 - 1))):
        normal = 1
        case = between_walls(normal, 0, 20, {
            "run": {"steps_max": 5}, "fluid": {"nu": 0.05},
            "initial": {"type": "channel", "disturbance": 0.0},
            "grid": {"stretching": ("uniform", law, "uniform"), "stretching_factor": (0.0, factor, 0.0)},
            "boundary": {"y_high_velocity": (1.0, 0.0, 0.0)}})
        state = kolmo.run(case).checkpoint()
        check.below(f"{law} {factor}: faces", np.max(np.abs(state.face[normal] - 2.0 * faces)), 1e-14)
        u, _, x = profile(state, normal, 0)
        check.below("    linear profile", np.max(np.abs(u - 0.5 * x)), 1e-13)


def faces_of_files(kolmo, check):
    """Faces from files: those coordinates, the bits of a law that gives the same, errors with file and line,
    restarts that compare."""
    s = np.linspace(0.0, 1.0, 13)
    face = 2.0 * (0.5 * (1 + np.tanh(1.5 * (2 * s - 1)) / np.tanh(1.5)))
    face[-1], face[0] = 2.0, 0.0
    path = os.path.join(kolmo.place("faces"), "z.txt")

    def write(lines):
        with open(path, "w", encoding="ascii") as target:
            target.write("# faces in z\n\n"
                         + "".join(f"{x!r}  # a face\n" if not isinstance(x, str) else x + "\n"
                                   for x in lines))

    write([float(x) for x in face])
    case = disturbed(2, 0, {"grid": {"n": (24, 18, 12), "stretching": ("uniform", "sine", "file"),
                                     "stretching_factor": (0.0, 0.3, 0.0),
                                     "stretching_file": ("", "", path)},
                            "pressure": {"preconditioner": "direct"}})
    one = kolmo.run(case)
    check.below("faces", np.max(np.abs(one.checkpoint().face[2] - face)), 0.0)
    law = kolmo.run(kc.merge(case, {"grid": {"stretching": ("uniform", "sine", "tanh"),
                                             "stretching_factor": (0.0, 0.3, 1.5),
                                             "stretching_file": None}}))
    check.below("    velocity, from that of the law", max(np.max(np.abs(a - b)) for a, b in zip(
        one.checkpoint().velocity, law.checkpoint().velocity)), 1e-12)
    check.same("    two ranks",
               kc.differences(one, kolmo.run(kc.merge(case, {"grid": {"ranks": (1, 1, 2)}}), ranks=2)))
    moved = face.copy()
    moved[5] += 1e-3
    for name, lines, parts in (
            ("another face", [float(x) for x in moved], ()),
            ("too few", [float(x) for x in face[:-1]],
             ("z.txt:15", "13 faces", "grid.n(3) = 11 (grid.stretching_file(3), ", "case.nml:")),
            ("too many", [float(x) for x in face] + ["2.5"],
             ("z.txt:16", "one number too many", "remove the additional")),
            ("not increasing", [float(x) for x in face[:5]] + [0.1] + [float(x) for x in face[6:]],
             ("z.txt:8", "above", "increase")),
            ("not a number", ["0.0", "x"], ("z.txt:4", "'x'", "one face a line")),
            ("two numbers", ["0.0 0.1"], ("z.txt:3", "does not hold one number")),
            ("another start", [0.1] + [float(x) for x in face[1:]], ("z.txt:3", "grid.origin")),
            ("another end", [float(x) for x in face[:-1]] + [2.1],
             ("z.txt:15", "grid.origin + grid.length"))):
        write(lines)
        if parts:
            check.says(name, kolmo.run(case, "--check", rc=2).text, *parts)
        else:
            bad = kolmo.run(case, "--restart", kc.checkpoint_path(one.folder), rc=2)
            check.says(name + ", restarted", bad.text, "z coordinates: 1 of 13 faces", "face 5")
    periodic = {"grid": {"n": (8, 6, 12), "length": (1.0, 1.0, 2.0),
                         "stretching": ("file", "uniform", "tanh"), "stretching_factor": (0.0, 0.0, 1.5),
                         "stretching_file": (path, "", "")}}
    even = [0.0, 0.1, 0.22, 0.36, 0.5, 0.64, 0.78, 0.9, 1.0]
    for name, lines, parts in (
            ("periodic", even, ("largest growth ratio 1.2000", "valid")),
            ("no equal ends", [0.0, 0.11] + even[2:], ("largest growth ratio 1.2727", "valid")),
            ("a seam that jumps", [(1.1 ** i - 1) / (1.1 ** 8 - 1) for i in range(9)], ())):
        write(lines)
        said = kolmo.run(kc.merge(case, periodic), "--check", rc=0 if parts else 2).text
        check.says(name, said, *(parts or (path, "because x is periodic",
                                           f"ratio {1.1 ** 7:.3f} may be at most 1.150",
                                           "more equal")))
    write(even)
    one, two = (kolmo.run(kc.merge(case, periodic), ranks=ranks) for ranks in (1, 2))
    check.same("periodic, two ranks", kc.differences(one, two))
    check.below("    bulk velocity less 1", np.max(np.abs(one.series()["momentum_x"][1:] - 1)), 2e-14)
    os.remove(path)
    check.says("no file", kolmo.run(case, rc=2).text, path + ": error: the file can't be opened",
               "give the name of an existing file", "(grid.stretching_file(3), ", "case.nml:")
    check.says("not named", kolmo.run(kc.merge(case, {"grid": {"stretching_file": None}}), rc=2).text,
               "needs grid.stretching_file(3)")


def duct_start(kolmo, check):
    """initial.type = 'channel' in ducts: the laminar flow by its series, at rest on the walls, disturbances
    of the size and seed asked for without divergence, nothing that is symmetric."""
    for stream, low_high in ((0, ("wall", "wall")), (1, ("wall", "slip")), (2, ("slip", "wall"))):
        e, f = (stream + 1) % 3, (stream + 2) % 3
        case = {
            "run": {"steps_max": 0, "seed": 4},
            "grid": {
                "n": turned_to((16, 24, 20), (stream, e, f)),
                "length": turned_to((6.0, 2.0, 1.0), (stream, e, f)),
            },
            "fluid": {"nu": 0.001},
            "initial": {"type": "channel", "disturbance": 0.0},
            "boundary": dict(
                {f"{AXIS[e]}_{side}": "wall" for side in ("low", "high")},
                **{f"{AXIS[f]}_low": low_high[0], f"{AXIS[f]}_high": low_high[1]},
            ),
            "forcing": {"type": "bulk-velocity", "direction": AXIS[stream], "value": 1.0},
        }
        state = kolmo.run(case).checkpoint()
        y = state.centre[e] - 1.0
        z, half = ((state.centre[f] - 0.5, 0.5) if low_high == ("wall", "wall") else
                   (state.centre[f] - (1.0 if low_high[0] == "wall" else 0.0), 1.0))
        odd = np.arange(1, 400, 2)
        modes = sum((-1) ** (n // 2) / n ** 3
                    * np.outer(np.cos(n * math.pi * z / (2 * half)), 1.0 - np.cosh(np.minimum(
            n * math.pi * y / (2 * half), 700.0)) / np.cosh(np.minimum(n * math.pi / (2 * half), 700.0)))
                    for n in odd[:100])
        mean = half ** 2 / 3.0 * (1.0
                                  - 192.0 * half / math.pi ** 5
                                  * sum(np.tanh(n * math.pi / (2 * half)) / n ** 5 for n in odd))
        wanted = 16.0 * half ** 2 / math.pi ** 3 * modes / mean  # [f, e]
        u = np.moveaxis(state.velocity[stream], [2 - f, 2 - e, 2 - stream], [0, 1, 2])
        check.below(f"stream {AXIS[stream]}, {low_high[0]} and {low_high[1]}: laminar flow",
                    np.max(np.abs(u - wanted[:, :, None])), 2e-4)
        state = kolmo.run(kc.merge(case, {"initial": {"disturbance": 0.3}})).checkpoint()
        cross = [state.velocity[d] for d in (e, f)]
        check.below("    divergence", state.scaled_divergence(), 1e-8)
        check.near("    largest disturbance", max(np.max(np.abs(v)) for v in cross), 0.3, 0.15)
        for d, v in zip((e, f), cross):
            mirror = np.flip(v, 2 - d)
            check.above(f"    {'uvw'[d]}: no mirror image, over it",
                        np.max(np.abs(v - mirror)) / np.max(np.abs(v)), 0.2)
        other = kolmo.run(kc.merge(case, {"initial": {"disturbance": 0.3}}), ranks=4).checkpoint()
        check.below("    4 ranks: velocity",
                    max(np.max(np.abs(a - b)) for a, b in zip(state.velocity, other.velocity)), 0.0)


def couette_start(kolmo, check):
    """initial.type = 'channel' between moving walls: the same flow but for the noise, whichever way the walls
    move."""
    first = None
    for stream, span, normal in ((0, 1, 2), (1, 0, 2), (2, 1, 0)):
        roles = (stream, span, normal)
        case = {"run": {"steps_max": 0},
                "grid": {"n": turned_to((20, 12, 16), roles), "length": turned_to((6.0, 3.0, 2.0), roles)},
                "fluid": {"nu": 0.001}, "initial": {"type": "channel", "disturbance": 0.3}, "boundary": {
                    f"{AXIS[normal]}_low": "wall", f"{AXIS[normal]}_high": "wall",
                    f"{AXIS[normal]}_high_velocity": turned_to((1.0, 0.0, 0.0), roles)}}
        state = kolmo.run(case).checkpoint()
        flow = [np.moveaxis(state.velocity[d], [2 - normal, 2 - span, 2 - stream], [0, 1, 2]) for d in roles]
        first = first or flow
        lively = [float(np.sqrt(np.mean(np.square(u - u.mean(axis=(1, 2), keepdims=True))))) for u in first]
        for name, a, b, size in zip(("stream", "span", "normal"), flow, first, lively):
            check.below(f"walls in {AXIS[normal]}, stream {AXIS[stream]}: velocity along {name}, other than "
                        "in the first, over its disturbance",
                        float(np.sqrt(np.mean((a - b) ** 2))) / size, 0.35)


def driven_start(kolmo, check):
    """initial.type = 'channel' goes with the force: a pressure gradient, a bulk velocity, one that
    oscillates, along either sense."""
    for sign in (1.0, -1.0):
        for force, mean in (({"type": "pressure-gradient", "value": 0.12 * sign}, 1.0),
                            ({"type": "bulk-velocity", "value": 0.7 * sign}, 0.7),
                            ({"type": "pressure-gradient", "amplitude": 0.5 * sign, "frequency": 1.0}, 1.0)):
            case = {"run": {"steps_max": 0}, "grid": {"n": (8, 12, 16), "length": (1.5, 3.0, 1.0)},
                    "fluid": {"nu": 0.01},
                    "initial": {"type": "channel", "disturbance": 0.0}, "forcing": dict(force, direction="y"),
                    "boundary": {"z_low": "wall", "z_high": "wall"}}
            state = kolmo.run(case).checkpoint()
            z = kc.along(state.centre[2], 2)
            check.below(f"{force}", float(np.max(np.abs(state.fields["v"] - sign * mean * 6 * z * (1 - z)))),
                        0.01)


def turned_to(values, directions):
    """Values of these directions in the order x, y, z."""
    return tuple(value for _, value in sorted(zip(directions, values)))


def half_channel(kolmo, check):
    """A wall below, free slip above: the lower half of a Poiseuille flow, and its mirror image."""
    for low, high in (("wall", "slip"), ("slip", "wall")):
        case = between_walls(2, 0, 24, {"run": {"t_end": 15.0}, "fluid": {"nu": 0.5},
                                        "initial": {"type": "channel", "disturbance": 0.0,
                                                    "amplitude": 0.8 / 3},
                                        "forcing": {"type": "pressure-gradient", "value": 0.1}}, low, high)
        u, _, x = profile(kolmo.run(case).checkpoint(), 2, 0)
        s = x if low == "wall" else 2.0 - x
        check.below(f"{low} below, {high} above", np.max(np.abs(u - 0.1 * s * (4 - s))), 4e-3 * 0.4)


def shear_wave(kolmo, check):
    """The slowest mode between walls decays as exp(-nu (pi/2)^2 t): second order in space and time
    together."""
    nu, end, rates = 0.3, 0.8, []
    for n, dt in ((12, 0.008), (24, 0.002)):
        case = between_walls(1, 0, n, {
            "run": {"t_end": end}, "fluid": {"nu": nu}, "time": {"dt": dt},
            "checkpoint": {"interval": int(0.4 / dt + 0.5)},
            "initial": {"type": "channel", "disturbance": 0.0}}, factor=0.8)
        result = kolmo.run(case)
        steps = result.steps()
        shape = [profile(result.checkpoint(step), 1, 0)[0] for step in steps[-2:]]
        mode = np.sin(math.pi / 2 * result.checkpoint().centre[1]) * result.checkpoint().width[1]
        rates.append(-math.log(np.dot(mode, shape[1]) / np.dot(mode, shape[0])) / 0.4)
    exact = nu * math.pi ** 2 / 4
    check.near("order of the decay rate", math.log2(abs(rates[0] - exact) / abs(rates[1] - exact)), 2.0, 0.25)
    check.below("error of the rate", abs(rates[1] - exact) / exact, 3e-3)


def symmetry_planes(kolmo, check):
    """Taylor-Green vortices between six free-slip walls are those of the periodic box, of which the walls are
    symmetry planes."""
    length, n = (kc.TWO_PI, 5.0, 5.5), (24, 20, 16)
    flow = {"run": {"steps_max": 12}, "fluid": {"nu": 0.02}, "time": {"dt": 0.03},
            "pressure": {"tolerance": 1e-12}}
    whole = kc.merge(
        flow, {"grid": {"n": n, "length": length}, "initial": {"type": "taylor-green", "wavenumber": 1}}
    )
    half = kc.merge(flow, {"grid": {"n": tuple(m // 2 for m in n), "length": tuple(x / 2 for x in length)},
                           "boundary": {f"{a}_{s}": "slip" for a in AXIS for s in ("low", "high")},
                           "initial": {"type": "taylor-green", "wavenumber": 1}})
    # half waves: the walls lie where the waves' velocity through them vanishes
    whole["initial"]["wavenumber"] = 2
    one = kolmo.run(whole).checkpoint()
    for ranks, layout in ((1, (1, 1, 1)), (4, (2, 2, 1)), (2, (1, 1, 2))):
        other = kolmo.run(kc.merge(half, {"grid": {"ranks": layout}}), ranks=ranks).checkpoint()
        for name in "uvw":
            a, b = one.fields[name][:n[2] // 2, :n[1] // 2, :n[0] // 2], other.fields[name]
            check.below(f"{ranks} ranks: {name}", np.max(np.abs(a - b)), 2e-11)
        p, q = one.fields["p"][:n[2] // 2, :n[1] // 2, :n[0] // 2], other.fields["p"]
        check.below(f"{ranks} ranks: p", np.max(np.abs((p - p.mean()) - (q - q.mean()))), 2e-10)


def disturbed(normal, stream, case=None):
    """A channel with its disturbances, coarse."""
    return kc.merge({"run": {"steps_max": 6, "seed": 3},
                     "grid": {"n": turned((20, 24, 18), normal, stream),
                              "length": turned((2.0, 4.0, 2.5), normal, stream),
                              "stretching": turned(("tanh", "uniform", "sine"), normal, stream),
                              "stretching_factor": turned((1.2, 0.0, 0.3), normal, stream)},
                     "fluid": {"nu": 0.004}, "time": {"cfl": 0.9}, "initial": {"type": "channel"},
                     "boundary": {f"{AXIS[normal]}_low": "wall", f"{AXIS[normal]}_high": "wall"},
                     "forcing": {"type": "bulk-velocity", "direction": AXIS[stream], "value": 1.0}},
                    case or {})


CAVITY = {"run": {"steps_max": 6}, "grid": {"n": (20, 18, 24), "length": (1.0, 0.9, 1.2),
                                            "stretching": ("tanh", "uniform", "tanh"),
                                            "stretching_factor": (1.1, 0.0, 0.9)},
          "fluid": {"nu": 0.01}, "time": {"cfl": 0.8}, "initial": {"type": "rest"},
          "boundary": dict({f"{a}_{s}": "wall" for a in AXIS for s in ("low", "high")},
                           z_high_velocity=(1.0, 0.5, 0.0), y_low_velocity=(0.0, 0.0, -0.25),
                           x_high_velocity=(0.0, 0.3, 0.1))}
DUCT = kc.merge(disturbed(2, 0),
                {"boundary": {"y_low": "wall", "y_high": "slip"},
                 "initial": {"type": "uniform", "velocity": (1, 0, 0)}})


def bulk(kolmo, check):
    """The bulk velocity stays at its value; the force of the series is what the fluid's momentum asks for."""
    for normal, stream in ORIENTATIONS:
        for scheme in ("rk3-half", "rk3-wray") if stream == (normal + 1) % 3 else ("rk3-half",):
            s = kolmo.run(disturbed(normal, stream, {"time": {"scheme": scheme}})).series()
            check.below(f"walls in {AXIS[normal]}, stream {AXIS[stream]}, {scheme}: bulk velocity less 1",
                        np.max(np.abs(s[f"momentum_{AXIS[stream]}"][1:] - 1)), 2e-14)
    steady = kolmo.run(between_walls(2, 1, 12, {
        "run": {"t_end": 40.0}, "fluid": {"nu": 0.25}, "initial": {"type": "channel", "disturbance": 0.0},
        "forcing": {"type": "bulk-velocity", "direction": "y", "value": -0.7}}))
    u, width = profile(steady.checkpoint(), 2, 1)[0], steady.checkpoint().width[2]
    check.near("steady: force, and drag of the walls", steady.series()["force"][-1],
               0.25 * (2 * u[0] / width[0] + 2 * u[-1] / width[-1]) / 2.0, 1e-11)
    s = {n: v[-1] for n, v in steady.series().items()}
    check.near("    the same in the series", 2.0 * s["force"],
               s["wall_stress_z_low"] + s["wall_stress_z_high"], 1e-11)
    check.equal("    on other faces", [s[f"wall_stress_{n}"] for n in ("x_low", "x_high", "y_low", "y_high")],
                [0.0] * 4)
    s = kolmo.run(kc.merge(DUCT, {"run": {"steps_max": 30}, "time": {"dt": 0.0005, "cfl": None}})).series()
    drag = 2.5 * (s["wall_stress_z_low"] + s["wall_stress_z_high"]) + 2.0 * s["wall_stress_y_low"]
    change = 2.0 * 2.5 * np.diff(s["momentum_x"]) / 0.0005
    check.below("duct: force of the fluid on three walls, and what drives it", np.max(np.abs(
        2.0 * 2.5 * s["force"][1:] - change - 0.5 * (drag[1:] + drag[:-1]))[5:] / np.abs(drag[6:])), 2e-3)
    power = kolmo.run(disturbed(2, 0, {"forcing": {"type": "power", "value": 0.03}})).series()
    check.below("power: over what was asked for, less 1", np.max(np.abs(power["force_power"][1:] / 0.03 - 1)),
                2e-3)


def budget(kolmo, check):
    """The energy budget of driven flows closes to the error in time: at second order as dt falls."""
    flows = (("channel of power", disturbed(0, 2, {"forcing": {"type": "power", "value": 0.05}})),
             ("duct", DUCT), ("cavity", CAVITY), ("channel", disturbed(2, 0)),
             ("couette", disturbed(1, 0, {"forcing": {"type": "none", "direction": None, "value": None},
                                          "boundary": {"y_low_velocity": (-0.5, 0.0, 0.2),
                                                       "y_high_velocity": (0.5, 0.0, 0.0)}})))
    for name, case in flows if kolmo.options.long else flows[:3]:
        left = []
        for dt, steps in ((0.004, 40), (0.002, 80)):
            s = kolmo.run(kc.merge(case, {"run": {"steps_max": steps}, "time": {"dt": dt, "cfl": None},
                                          "pressure": {"tolerance": 1e-11}})).series()
            left.append(abs(float(s["budget_residual"][-1])) / float(s["dissipation"][-1]))
        check.below(f"{name}: residual over dissipation", left[1], 2e-3)
        check.above(f"{name}: at dt over that at dt/2", left[0] / left[1], 3.0)


def layouts(kolmo, check):
    """The same bits on any ranks: checkpoints, field files and the series."""
    for name, case, layouts in (("channel", disturbed(2, 0), ((1, 1, 2), (2, 2, 2))),
                                ("channel, walls in x", disturbed(0, 1), ((2, 1, 1), (1, 3, 1))),
                                ("duct", DUCT, ((1, 2, 1), (1, 1, 2))),
                                ("cavity", CAVITY, ((2, 2, 2), (1, 3, 1), (2, 1, 1)))):
        case = kc.merge(case, {"output": {"field_interval": 6, "field_precision": "double",
                                          "fields_vorticity": True}})
        one = kolmo.run(case)
        fields = kc.read_fields(os.path.join(one.folder, "fields_00000006.h5"))
        check.holds(f"{name}: fields are finite", all(np.all(np.isfinite(f)) for f in fields.values()))
        for layout in layouts:
            other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=math.prod(layout))
            check.same(f"{name}, {' x '.join(map(str, layout))} ranks",
                       kc.differences(one, other) + kc.differing_arrays(
                fields, kc.read_fields(os.path.join(other.folder, "fields_00000006.h5"))))


def restart(kolmo, check):
    """Stopped and gone on with: the same bits; other walls are refused."""
    for name, case in (("channel", disturbed(2, 0)), ("cavity", CAVITY)):
        case = kc.merge(case, {"checkpoint": {"interval": 3, "keep": 4}})
        whole = kolmo.run(case)
        other = kolmo.run(case, "--restart", kc.checkpoint_path(whole.folder, 3), ranks=2)
        a, b = whole.checkpoint(6), other.checkpoint(6)
        check.same(f"{name}: fields after the restart", kc.differing_arrays(a.fields, b.fields))
    bad = kolmo.run(kc.merge(CAVITY, {"boundary": {"z_high_velocity": (2.0, 0.0, 0.0)}}), "--restart",
                    kc.checkpoint_path(whole.folder, 3), rc=2)
    check.says("another lid", bad.text, "boundary.z_high_velocity")


def refused(kolmo, check):
    """Combinations that make no sense, by name, with a remedy."""
    for add, parts in (({"boundary": {"x_low": "wall"}}, ("boundary.x_high", "periodic")),
                       ({"boundary": {"z_low_velocity": (0.0, 0.0, 1.0)}},
                        ("z_low_velocity(3)", "make it 0")),
                       ({"boundary": {"x_low_velocity": (0.0, 1.0, 0.0)}},
                        ("x_low_velocity has no effect", "choose 'wall'")),
                       ({"grid": {"stretching": ("geometric", "uniform", "tanh"),
                                  "stretching_factor": (1.1, 0.0, 1.2)}},
                        ("grid.stretching(1)", "walls")),
                       ({"forcing": {"direction": "z"}}, ("forcing.direction", "periodic direction")),
                       ({"forcing": {"value": None}},
                        ("forcing.value", "forcing.type = 'bulk-velocity' needs")),
                       ({"forcing": {"type": "power", "value": -1.0}},
                        ("forcing.value = -1: a power", "is not below 0")),
                       ({"forcing": {"type": "power"}, "initial": {"type": "rest"}},
                        ("initial.type = 'rest'", "mean velocity along x at the start", "'channel'")),
                       ({"forcing": {"type": "power"},
                         "initial": {"type": "uniform", "velocity": (0.0, 0.5, 0.0)}},
                        ("mean velocity along x", "initial.velocity(1)")),
                       ({"forcing": {"type": "power"},
                         "initial": {"type": "taylor-green", "velocity": (1e-4, 0.0, 0.0)}},
                        ("mean velocity along x at the start", "it is 0.0001", "the largest speed")),
                       ({"pressure": {"method": "exact"}}, ("pressure.method", "projection")),
                       ({"boundary": {"z_low": None, "z_high": None},
                         "grid": {"stretching": None, "stretching_factor": None},
                         "initial": {"type": "uniform"}, "pressure": {"method": "exact"}},
                        ("can't be combined with a force", "projection")),
                       ({"initial": {"type": "isotropic"}}, ("initial.type", "channel")),
                       ({"initial": {"amplitude": 2.0}}, ("initial.amplitude",)),
                       ({"grid": {"stretching_file": ("", "", "z.txt")}},
                        ("grid.stretching_file(3) has no effect", "choose 'file'")),
                       ({"boundary": {"y_low": "wall", "y_high": "wall", "y_low_velocity": (0.5, 0.0, 0.0)}},
                        ("boundary.y_low_velocity(1)", "at rest")),
                       ({"initial": {"velocity": (0.0, 0.0, 1.0)}}, ("initial.velocity(3)", "z_low"))):
        case = disturbed(2, 0, add)
        if case["forcing"].get("value", 1) is None:
            del case["forcing"]["value"]
        bad = kolmo.run(case, rc=2)
        check.says(", ".join(f"{g}.{n}" for g, names in add.items() for n in names), bad.text, *parts)


if __name__ == "__main__":
    kc.main(__doc__,
            [couette, poiseuille, laws, faces_of_files, duct_start, couette_start, driven_start, half_channel,
             shear_wave, symmetry_planes, bulk,
             budget, layouts, restart, refused])

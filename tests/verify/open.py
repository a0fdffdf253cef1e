#!/usr/bin/env python3
"""Open faces: inflow and convective outflow in every direction, at either end.

Uniform flow through the box stays to rounding; Poiseuille and duct flow that come in leave as they are, at
second order on stretched grids; mass is balanced to rounding in every stage, with several inflows and
outflows too; the energy budget with what open faces carry closes at second order in time, and so does that of
momentum; a vortex leaves, and little of it stays; the same bits on any ranks and after a restart; refused
inputs. Would catch: a plane on the wrong side or of the wrong component, a sign of an outward flux, an
outflow that is not part of the state, a balance that depends on ranks, energy that comes in and is not
counted."""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402

AXIS = "xyz"
ENDS = ("low", "high")
# direction of the stream, side where it comes in, direction of the walls
ORIENTATIONS = ((0, 0, 2), (0, 1, 1), (1, 0, 2), (1, 1, 0), (2, 0, 1), (2, 1, 0))


def turned(values, stream, normal):
    """(stream, normal, span) values in the order x, y, z."""
    out = [None] * 3
    out[stream], out[normal], out[3 - normal - stream] = values
    return tuple(out)


def vector(direction, value):
    """A vector along a direction."""
    return tuple(value if d == direction else 0.0 for d in range(3))


def through(stream, side, speed=1.0, **more):
    """Boundaries of a stream that comes in at `side` of its direction, and the velocity it has."""
    d = AXIS[stream]
    velocity = vector(stream, speed if side == 0 else -speed)
    return dict({f"{d}_{ENDS[side]}": "inflow", f"{d}_{ENDS[side]}_velocity": velocity,
                 f"{d}_{ENDS[1 - side]}": "outflow"}, **more), velocity


def stretched(stream, normal, n, length=(3.0, 2.0, 1.5)):
    """A grid stretched along the stream and across it."""
    return {"n": turned(n, stream, normal), "length": turned(length, stream, normal),
            "stretching": turned(("tanh-low", "tanh", "sine"), stream, normal),
            "stretching_factor": turned((0.5, 1.0, 0.3), stream, normal)}


def uniform(kolmo, check):
    """A uniform stream, oblique to the face, stays as it is to rounding, and so does the mass that it
    carries."""
    for stream, side, normal in ORIENTATIONS:
        boundary, velocity = through(stream, side)
        velocity = tuple(v if d == stream else (0.25, -0.5, 0.3)[d] for d, v in enumerate(velocity))
        boundary[f"{AXIS[stream]}_{ENDS[side]}_velocity"] = velocity
        case = {"run": {"steps_max": 15}, "grid": stretched(stream, normal, (12, 10, 8)),
                "fluid": {"nu": 0.02},
                "initial": {"type": "uniform", "velocity": velocity}, "boundary": boundary}
        case["grid"]["stretching"] = turned(("geometric", "sine", "sine"), stream, normal)
        case["grid"]["stretching_factor"] = turned((1.1, 0.2, 0.3), stream, normal)
        result = kolmo.run(case)
        state, s = result.checkpoint(), result.series()
        error = max(np.max(np.abs(state.velocity[d] - velocity[d])) for d in range(3))
        check.below(f"stream along {AXIS[stream]} from the {ENDS[side]} end: velocity", error, 1e-13)
        check.below("    energy", np.max(np.abs(s["kinetic_energy"] - 0.5 * sum(v * v for v in velocity))),
                    1e-13)
        check.below("    volume that comes in less that goes out",
                    np.max(np.abs(s["flux_in"] - s["flux_out"])) / s["flux_in"][0], 1e-14)
        check.below("    budget", np.max(np.abs(s["budget_residual"])), 1e-12)


def channel(stream, side, normal, n, case=None):
    """Laminar flow between walls, through open ends; n cells from wall to wall."""
    boundary, velocity = through(stream, side, **{f"{AXIS[normal]}_{e}": "wall" for e in ENDS})
    boundary[f"{AXIS[stream]}_{ENDS[side]}_profile"] = "parabolic"
    return kc.merge({"run": {"t_end": 8.0}, "grid": stretched(stream, normal, (10, n, 4)),
                     "fluid": {"nu": 0.2},
                     "initial": {"type": "uniform", "velocity": velocity}, "boundary": boundary,
                     "output": {"log_interval": 10000}}, case or {})


def poiseuille(kolmo, check):
    """The parabola between walls goes through the box: at second order, whatever the flow before."""
    for stream, side, normal in ORIENTATIONS:
        errors = []
        for n in (8, 16) if side == 0 else (8,):
            case = channel(stream, side, normal, n, {"time": {"cfl": 1.5}})
            case["initial"]["velocity"] = (0.0, 0.0, 0.0)
            result = kolmo.run(case)
            state, s = result.checkpoint(), result.series()
            sign = 1 if side == 0 else -1
            x = kc.along(state.centre[normal], normal)
            u = state.velocity[stream] - sign * 1.5 * x * (2 - x)
            errors.append(float(np.max(np.abs(u))))
            others = max(np.max(np.abs(state.velocity[d])) for d in range(3) if d != stream)
            check.below(f"stream along {AXIS[stream]} from the {ENDS[side]} end, {n} cells: across the "
                        "stream", others, 2.5 / n ** 2)
            check.below("    volume in less out",
                        np.max(np.abs(s["flux_in"] - s["flux_out"])) / s["flux_in"][0], 1e-13)
        check.below("    profile", errors[0], 6 / 8 ** 2)
        if len(errors) == 2:
            check.near("    order", math.log2(errors[0] / errors[1]), 2.0, 0.2)


def moving_walls(kolmo, check):
    """Beside moving walls 'parabolic' is what they carry along and a parabola, of the mean asked for,
    component by component; the flow that starts so, and comes in so, stays. Beside one wall and free slip,
    likewise."""
    for stream, side, normal in ORIENTATIONS[:2] + ORIENTATIONS[3:5]:
        span, sign = 3 - normal - stream, 1 if side == 0 else -1
        case = channel(stream, side, normal, 16,
                       {"run": {"t_end": None, "steps_max": 10},
                        "initial": {"type": "channel", "velocity": None, "disturbance": 0.0}})
        walls = [turned(u, stream, normal) for u in ((0.4 * sign, 0.0, 0.3), (0.9 * sign, 0.0, 0.1))]
        mean = turned((1.0 * sign, 0.0, 0.2), stream, normal)
        case["boundary"].update({f"{AXIS[normal]}_{e}_velocity": u for e, u in zip(ENDS, walls)})
        case["boundary"][f"{AXIS[stream]}_{ENDS[side]}_velocity"] = mean
        state = kolmo.run(case).checkpoint()
        s, width = state.centre[normal] / 2.0, state.width[normal] / 2.0
        for c, bound in ((stream, 6 / 16 ** 2), (span, 0.01)):
            linear, shape = (1 - s) * walls[0][c] + s * walls[1][c], s * (1 - s)
            plane = linear + (mean[c] - np.sum(width * linear)) * shape / np.sum(width * shape)
            u = np.moveaxis(state.velocity[c], [2 - normal, 2 - stream], [2, 0])
            if side == 0 and c == stream:
                check.below(f"stream {AXIS[stream]}, walls in {AXIS[normal]}: the plane",
                            float(np.max(np.abs(u[0] - plane))), 1e-13)
            check.below(f"    {'uvw'[c]} after 10 steps, from the {ENDS[side]} end",
                        float(np.max(np.abs(u - plane))), bound)
    case = {"run": {"steps_max": 1}, "grid": {"n": (8, 4, 16), "length": (2.0, 1.0, 2.0)},
            "fluid": {"nu": 0.01}, "initial": {"type": "rest"},
            "boundary": through(0, 0, 1.0, x_low_profile="parabolic", z_low="slip", z_high="wall",
                                z_high_velocity=(0.6, 0.0, 0.0))[0]}
    u = kolmo.run(case).checkpoint()
    s = u.centre[2] / 2.0
    plane = 0.6 + 0.4 * (1 - s ** 2) / np.mean(1 - s ** 2)
    check.below("free slip below, a moving wall above: the plane",
                float(np.max(np.abs(u.velocity[0][:, :, 0] - plane[:, None]))), 1e-13)


def duct_series(y, z, height, width):
    """Laminar flow in a duct of mean velocity 1: series along y and z exchanged beside the one of the
    program."""
    n = np.arange(1, 200, 2)[:, None, None]
    a, b = width / 2, height / 2
    eta, zeta = (y - b)[None, :, None], (z - a)[None, None, :]
    u = np.sum((-1.0) ** ((n - 1) // 2) / n ** 3
               * (1 - np.cosh(n * math.pi * eta / (2 * a)) / np.cosh(n * math.pi * b / (2 * a)))
               * np.cos(n * math.pi * zeta / (2 * a)), axis=0)
    flux = 8 * b * a * sum((1.0 / m ** 4) * (2 / math.pi)
                           * (1 - (2 * a) / (m * math.pi * b) * math.tanh(m * math.pi * b / (2 * a)))
                           for m in range(1, 200, 2)) / (4 * b * a)
    return u / (flux / 2)


def duct(kolmo, check):
    """A duct's series comes in, and stays: second order."""
    errors = []
    for n in (8, 16):
        case = {"run": {"t_end": 1.5},
                "grid": {"n": (4, n, n), "length": (1.0, 1.0, 1.5),
                         "stretching": ("uniform", "tanh", "uniform"),
                         "stretching_factor": (0.0, 0.8, 0.0)},
                "fluid": {"nu": 0.3}, "initial": {"type": "uniform", "velocity": (0, 0, 0)},
                "output": {"log_interval": 10000},
                "boundary": through(0, 0, x_low_profile="parabolic", y_low="wall", y_high="wall",
                                    z_low="wall", z_high="wall")[0]}
        state = kolmo.run(case).checkpoint()
        want = duct_series(state.centre[1], state.centre[2], 1.0, 1.5)
        errors.append(float(np.sqrt(np.mean((state.fields["u"] - want.T[:, :, None]) ** 2))))
    check.below("duct: profile, root mean square", errors[1], 0.012)
    check.above("    order", math.log2(errors[0] / errors[1]), 1.7)


BEND = {"run": {"steps_max": 8},
        "grid": {"n": (20, 18, 16), "length": (2.0, 1.0, 1.5), "stretching": ("tanh", "tanh-low", "uniform"),
                 "stretching_factor": (0.8, 1.0, 0.0)},
        "fluid": {"nu": 0.01}, "time": {"cfl": 0.9}, "initial": {"type": "rest"},
        "pressure": {"tolerance": 1e-10},
        "boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.2, 0.0), "x_low_profile": "uniform",
                     "x_low_window": (0.25, 1.0, 0.5, 1.5), "x_high": "wall",
                     "x_high_velocity": (0.0, 0.0, 0.3),
                     "y_low": "outflow", "y_high": "inflow", "y_high_velocity": (0.0, -0.3, 0.1),
                     "z_low": "outflow", "z_high": "wall"}}
PIPE = kc.merge(channel(0, 0, 2, 16),
                {"run": {"t_end": None, "steps_max": 8}, "grid": {"n": (20, 18, 16)}, "fluid": {"nu": 0.005},
                 "initial": {"type": "channel", "velocity": None, "disturbance": 0.4}})


def mass(kolmo, check):
    """Two inflows, one of them a part of its face, round a bend into two outflows: mass is balanced to
    rounding from rest on."""
    for name, case in (("bend", BEND), ("bend, rk3-wray", kc.merge(BEND, {"time": {"scheme": "rk3-wray"}}))):
        result = kolmo.run(case)
        s = result.series()
        check.below(f"{name}: volume in less out",
                    np.max(np.abs(s["flux_in"] - s["flux_out"])) / s["flux_in"][0], 1e-12)
        state = result.checkpoint()
        width = [np.diff(f) for f in state.face]
        area = kc.along(width[1], 1) * kc.along(width[2], 2)
        centre = [0.5 * (f[1:] + f[:-1]) for f in state.face]
        window = (kc.along(centre[1], 1) > 0.25) & (kc.along(centre[2], 2) > 0.5)
        check.below("    velocity beside the window",
                    float(np.max(np.abs(state.velocity[0][:, :, :1] * ~window))), 0.0)
        check.near("    volume through the window and the upper inflow", float(s["flux_in"][-1]),
                   float(np.sum(area * window)) + 0.3 * 2.0 * 1.5, 1e-12)
        check.below("    divergence", float(np.max(s["divergence_max"])), 1e-9)


def window(kolmo, check):
    """Edges of a window within cells: --check and the log tell which cells are open, and those are."""
    case = kc.merge(BEND, {"run": {"steps_max": 1}, "grid": {"stretching": None, "stretching_factor": None},
                           "boundary": {"x_low_profile": "parabolic", "x_low_window": (0.3, 0.96, 0.5, 1.5)}})
    cells = 1.0 / 18
    said = ("x_low, 0.3 to 0.96 in y, has edges within cells: the open cells reach from "
            f"{5 * cells:.10g} to {17 * cells:.10g}")
    result = kolmo.run(case)
    for name, text in (("--check", kolmo.run(case, "--check").out), ("log", result.text)):
        check.says(name, text, "warning", said)
        # 1.5 in z is a face, 0.5 is none
        check.equal("    directions told", text.count("edges within cells"), 2)
    fitting = kolmo.run(kc.merge(case, {"boundary": {"x_low_window": (5 * cells, 17 * cells, 0.46875, 1.5)}}),
                        "--check").out
    check.holds("on faces of the grid: no warning", "edges within cells" not in fitting)
    open_cells = np.any(result.checkpoint().velocity[0][:, :, 0] != 0, axis=0)
    check.equal("open cells", [int(i) for i in np.flatnonzero(open_cells)], list(range(5, 17)))


def write_table(path, x, *velocity):
    """A file of the profile 'table'."""
    np.savetxt(path, np.column_stack([x] + list(velocity)), fmt="%.17g", header="coordinate u v w")
    return path


def kovasznay(kolmo, check):
    """Kovasznay's exact solution at Re 40, given by tables at both ends of the stream, in three orientations:
    second order."""
    rate = 20 - math.sqrt(400 + 4 * math.pi ** 2)
    s = np.linspace(0.0, 1.0, 801)
    for stream, along in ((0, 1), (2, 0), (1, 2)):
        errors = []
        for n in (12, 24) if stream == 0 else (12,):
            place = kolmo.place()
            boundary = {}
            for end, x in zip(ENDS, (-0.5, 1.0)):
                velocity = [np.zeros_like(s)] * 3
                velocity[stream] = 1 - math.exp(rate * x) * np.cos(2 * math.pi * s)
                velocity[along] = rate / (2 * math.pi) * math.exp(rate * x) * np.sin(2 * math.pi * s)
                name = f"{AXIS[stream]}_{end}"
                boundary.update(
                    {
                        name: "inflow",
                        f"{name}_profile": "table",
                        f"{name}_along": AXIS[along],
                        f"{name}_file": write_table(os.path.join(place, end + ".txt"), s, *velocity),
                    }
                )
            case = {"run": {"t_end": 5.0}, "fluid": {"reynolds": 40.0}, "time": {"cfl": 1.2},
                    "boundary": boundary,
                    "grid": {"n": turned((3 * n // 2, n, 2), stream, along),
                             "length": turned((1.5, 1.0, 0.5), stream, along),
                             "origin": turned((-0.5, 0.0, 0.0), stream, along),
                             "stretching": turned(("tanh", "sine", "uniform"), stream, along),
                             "stretching_factor": turned((0.6, 0.2, 0.0), stream, along)},
                    "initial": {"type": "uniform", "velocity": vector(stream, 1.0)},
                    "output": {"log_interval": 10000}}
            state = kolmo.run(case, folder=place).checkpoint()
            x, y = kc.along(state.face[stream][:-1], stream), kc.along(state.centre[along], along)
            u = state.velocity[stream] - (1 - np.exp(rate * x) * np.cos(2 * math.pi * y))
            x, y = kc.along(state.centre[stream], stream), kc.along(state.face[along][:-1], along)
            v = state.velocity[along] - rate / (2 * math.pi) * np.exp(rate * x) * np.sin(2 * math.pi * y)
            errors.append(float(np.sqrt(np.mean(u ** 2) + np.mean(v ** 2))))
        check.below(f"stream along {AXIS[stream]}: velocity, {n} cells a wave", errors[-1], 4.0 / n ** 2)
        if len(errors) == 2:
            check.near("    order", math.log2(errors[0] / errors[1]), 2.0, 0.2)


def turbulence(kolmo, check):
    """Synthetic turbulence: root mean square and mean as asked for, no flux, the same bits on any ranks and
    after a restart."""
    case = {"run": {"steps_max": 30, "seed": 5}, "grid": {"n": (16, 24, 20), "length": (2.0, 3.0, 2.5)},
            "fluid": {"nu": 0.002},
            "time": {"dt": 0.05}, "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)},
            "checkpoint": {"interval": 1, "keep": 40},
            "boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0),
                         "x_low_turbulence": (0.1, 0.06, 0.03), "x_high": "outflow",
                         "turbulence_length": 0.3, "turbulence_modes": 200}}
    one = kolmo.run(case)
    s = one.series()
    check.below("volume that comes in, less that of the mean", float(np.max(np.abs(s["flux_in"] - 7.5))),
                1e-12)
    check.below("volume in less out", float(np.max(np.abs(s["flux_in"] - s["flux_out"]))), 1e-12)
    inflow = np.array([one.checkpoint(n).velocity[0][:, :, 0] for n in range(1, 31)])
    check.near("root mean square of u on the face", float(np.std(inflow)), 0.1, 0.015)
    check.above("    changes in a step", float(np.std(inflow[1] - inflow[0])), 0.005)
    check.below("    budget", float(np.max(np.abs(s["budget_residual"][3:]))), 2e-3)
    short = kc.merge(case, {"run": {"steps_max": 4}})
    for args, ranks in (((), 4), (("--restart", kc.checkpoint_path(one.folder, 2)), 1)):
        other = kolmo.run(short, *args, ranks=ranks)
        check.same(f"{ranks} ranks {args[:1]}",
                   kc.differing_arrays(one.checkpoint(4).fields, other.checkpoint(4).fields))
    other = kolmo.run(kc.merge(short, {"run": {"seed": 6}})).checkpoint(4)
    check.above("another seed: change of u",
                float(np.max(np.abs(other.velocity[0] - one.checkpoint(4).velocity[0]))), 0.02)
    walls = kc.merge(short, {"run": {"steps_max": 3}, "grid": {"n": (8, 12, 10), "length": (2.0, 1.2, 1.0)},
                             "boundary": {
        f"{a}_{e}": "wall" for a in "yz" for e in ENDS}})
    alone, part = kolmo.run(walls).checkpoint(), kolmo.run(kc.merge(walls, {
        "grid": {"n": (8, 24, 10), "length": (2.0, 2.4, 1.0)},
        "boundary": {"x_low_window": (0.0, 1.2, 0.0, 1.0)}})).checkpoint()
    check.below("a window, less the face that it is as large as: u",
                float(np.max(np.abs(part.velocity[0][:, :12, 0] - alone.velocity[0][:, :, 0]))), 1e-12)
    duct = kc.merge(short, {"boundary": {"z_low": "wall", "z_high": "wall", "x_low_profile": "parabolic"}})
    state = kolmo.run(duct).checkpoint()
    check.below("between walls: u beside them", float(np.max(np.abs(state.velocity[0][0, :, 0]))), 0.2)


def step(kolmo, check):
    """The case of a backward-facing step at Re 100 on a coarse grid: where the flow reattaches."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "inputs", "cases",
                        "backward-step-re100.nml")
    place = kolmo.place()
    kolmo.call(path, "--set", f"output.directory={place}", "--set", "grid.n=48,2,16", "--set", "run.t_end=20")
    state = kc.Checkpoint(kc.checkpoint_path(place))
    u, x = state.fields["u"][0, 0, :], state.face[0][:-1]
    turn = [i for i in range(2, len(u) - 1) if u[i] < 0 <= u[i + 1]]
    check.equal("changes of sign on the lower wall", len(turn), 1)
    i = turn[0]
    check.near("reattachment", float(x[i] - u[i] * (x[i + 1] - x[i]) / (u[i + 1] - u[i])), 1.607, 0.04)


VORTEX = (0.25, 0.2)  # radius of the largest velocity, and that velocity over the stream's


def with_vortex(kolmo, n, length, case):
    """A uniform stream of velocity 1 along x between slip walls, n cells a unit of length, in which a Taylor
    vortex with its middle at x = 1.75 drifts towards the outflow at x = length. Runs the case from there."""
    case = kc.merge({"run": {"steps_max": 0},
                     "grid": {"n": (int(length * n), 2 * n, 2), "length": (length, 2.0, 0.25)},
                     "fluid": {"nu": 1e-4},
                     "time": {"dt": 0.5 / n}, "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)},
                     "boundary": through(0, 0, y_low="slip", y_high="slip")[0],
                     "pressure": {"preconditioner": "direct", "tolerance": 1e-10},
                     "output": {"log_interval": 100000}}, case)
    start = kolmo.run(kc.merge(case, {"run": {"steps_max": 0, "t_end": None}}))
    path = kc.checkpoint_path(start.folder)
    face = kc.Checkpoint(path).face
    radius, speed = VORTEX
    square = ((kc.along(face[0], 0)[0] - 1.75) ** 2 + (kc.along(face[1], 1)[0] - 1.0) ** 2) / radius ** 2
    stream = radius * speed * np.exp((1 - square) / 2)
    kc.write_field(path, "u", 1 + np.diff(stream, axis=0)[None, :, :-1] * n * np.ones((2, 1, 1)))
    kc.write_field(path, "v", -np.diff(stream, axis=1)[None, :-1, :] * n * np.ones((2, 1, 1)))
    return kolmo.run(case, "--restart", kc.checkpoint_path(start.folder), folder=start.folder)


def vortex(kolmo, check):
    """A vortex leaves through the outflow: what of it stays in the box, by comparison with a box that it does
    not leave, is little, and falls with the width of the cells at nearly second order; with --long on a third
    grid, too."""
    left = []
    for n in (8, 16, 32) if kolmo.options.long else (8, 16):
        short, long = (with_vortex(kolmo, n, length, {"run": {"steps_max": None, "t_end": 2.75}})
                       for length in (3.0, 6.0))
        a, b = ([q[:, :, :3 * n] for q in r.checkpoint().velocity[:2]] for r in (short, long))
        left.append([float(np.max(np.abs(p - q))) / VORTEX[1] for p, q in zip(a, b)])
        away = float(np.max(np.abs(long.checkpoint().velocity[1]))) / VORTEX[1]
        check.above(f"{n} cells a unit of length, long box: largest v, over that of the start", away, 0.7)
        check.below("    short box: volume in less out",
                    float(np.max(np.abs(short.series()["flux_in"] - short.series()["flux_out"]))), 1e-13)
    for pair in zip(left, left[1:]):
        for name, coarse, fine, most in zip("uv", *pair, (0.006, 0.053)):
            check.below(f"disturbance of {name} that is left, over the vortex", fine, most)
            check.above("    order", math.log2(coarse / fine), 1.3)


def momentum(kolmo, check):
    """Momentum of the points inside: its change is what the fluid carries through the open faces, and the
    stresses and pressures on all faces, to second order in time."""
    for stream, side, normal in ((0, 0, 2), (2, 0, 1)):
        span, left = 3 - stream - normal, []
        for steps in (10, 20):
            case = kc.merge(channel(stream, side, normal, 12), {
                "run": {"t_end": None, "steps_max": steps},
                "grid": {"n": turned((14, 12, 6), stream, normal)}, "fluid": {"nu": 0.02},
                "time": {"dt": 0.2 / steps},
                "initial": {"type": "channel", "velocity": None, "disturbance": 0.4},
                "pressure": {"tolerance": 1e-11}, "checkpoint": {"interval": steps - 1, "keep": 3}})
            result = kolmo.run(case)
            found = []
            for step in (steps - 1, steps):
                c = result.checkpoint(step)
                plane = c.fields[f"outflow_{AXIS[stream]}_high"][0, :, :, stream]
                u, p, out = (np.moveaxis(q, [2 - stream, 2 - normal, 2 - span], [0, 1, 2]) for q in (
                    c.velocity[stream], c.fields["p"], np.expand_dims(plane, 2 - stream)))
                u, (w, a, b) = np.concatenate([u, out]), (c.width[d] for d in (stream, normal, span))
                area, volume = np.outer(a, b), 0.5 * (w[1:] + w[:-1])
                change = np.sum(area * (0.25 * (u[0] + u[1]) ** 2 - 0.25 * (u[-1] + u[-2]) ** 2 +
                                        0.02 * ((u[-1] - u[-2]) / w[-1] - (u[1] - u[0]) / w[0])))
                drag = 2 * 0.02 * np.sum(np.outer(volume, b) * (u[1:-1, 0] / a[0] + u[1:-1, -1] / a[-1]))
                found.append((np.sum(volume[:, None, None] * area * u[1:-1]), change - drag,
                              np.sum(area * (p[0] - p[-1])), drag))
            old, new = found
            left.append(abs((new[0] - old[0]) * steps / 0.2 - 0.5 * (old[1] + new[1]) - new[2]))
        check.below(f"stream along {AXIS[stream]}, walls in {AXIS[normal]}: what the momentum lacks, over "
                    "the drag", float(left[1] / new[3]), 4e-6)
        check.near("    order in time", math.log2(left[0] / left[1]), 2.0, 0.2)
    left = []
    for steps in (16, 32):
        result = with_vortex(kolmo, 8, 3.0, {"run": {"steps_max": steps}, "time": {"dt": 1.0 / steps},
                                             "checkpoint": {"interval": steps - 1, "keep": 3}})
        found = []
        for step in (steps - 1, steps):
            c, h = result.checkpoint(step), 1 / 8
            v, p, out = c.velocity[1][0], c.fields["p"][0], c.fields["outflow_x_high"][0, 0]
            through_face = 0.5 * (out[:-1, 0] + out[1:, 0]) * 0.5 * (v[1:, -1] + out[1:, 1])
            top = 0.25 * (v[-1] ** 2 - (v[0] + v[1]) ** 2) - 1e-4 * (-v[-1] - (v[1] - v[0])) / h
            friction = 1e-4 * (np.sum(out[1:, 1] - v[1:, -1]) - 2 * np.sum(v[1:, 0])) / h
            found.append((h * h * np.sum(v[1:]), h * (friction - np.sum(through_face) - np.sum(top)),
                          h * np.sum(p[0] - p[-1])))
        old, new = found
        change = (new[0] - old[0]) * steps
        left.append(abs(change - 0.5 * (old[1] + new[1]) - new[2]))
    check.above("vortex in the outflow: change of the momentum across the stream", abs(float(change)), 0.01)
    check.below("    what it lacks, over that", float(left[1] / abs(change)), 5e-4)
    check.above("    order in time", math.log2(left[0] / left[1]), 1.8)


def budget(kolmo, check):
    """What open faces bring is all that the energy lacks: the residual falls with dt squared."""
    for name, case in (("pipe", PIPE), ("pipe, rk3-wray", kc.merge(PIPE, {"time": {"scheme": "rk3-wray"}})),
                       ("bend", BEND)):
        left = []
        for dt, steps in ((0.008, 25), (0.004, 50)):
            s = kolmo.run(kc.merge(case, {"run": {"steps_max": steps}, "time": {"dt": dt, "cfl": None},
                                          "pressure": {"tolerance": 1e-11}})).series()
            left.append(abs(float(s["budget_residual"][-1])) / float(s["dissipation"][-1]))
        check.below(f"{name}: residual over dissipation", left[1], 2e-3)
        check.above("    at dt over that at dt/2", left[0] / left[1], 3.0)


def layouts(kolmo, check):
    """The same bits on any ranks: checkpoints, with the planes of outflows, field files and the series."""
    for name, case, ranks in (("pipe", PIPE, ((2, 2, 1),)), ("bend", BEND, ((2, 1, 1), (1, 2, 2)))):
        case = kc.merge(case,
                        {"run": {"steps_max": 3},
                         "output": {"field_interval": 3, "field_precision": "double",
                                    "fields_vorticity": True}})
        one = kolmo.run(case)
        fields = kc.read_fields(os.path.join(one.folder, "fields_00000003.h5"))
        check.holds(f"{name}: fields are finite", all(np.all(np.isfinite(f)) for f in fields.values()))
        for layout in ranks:
            other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=math.prod(layout))
            check.same(f"{name}, {' x '.join(map(str, layout))} ranks",
                       kc.differences(one, other) + kc.differing_arrays(
                fields, kc.read_fields(os.path.join(other.folder, "fields_00000003.h5"))))


def restart(kolmo, check):
    """Stopped and gone on with, on other ranks: the same bits."""
    for name, case in (("pipe", PIPE), ("bend, rk3-wray", kc.merge(BEND, {"time": {"scheme": "rk3-wray"}}))):
        case = kc.merge(case, {"run": {"steps_max": 4}, "checkpoint": {"interval": 2, "keep": 4}})
        whole = kolmo.run(case)
        other = kolmo.run(case, "--restart", kc.checkpoint_path(whole.folder, 2), ranks=2)
        a, b = whole.checkpoint(4), other.checkpoint(4)
        check.same(f"{name}: fields after the restart", kc.differing_arrays(a.fields, b.fields))
        check.holds("    planes of outflows are there", any(f.startswith("outflow_") for f in a.fields))


def other_inflow(kolmo, check):
    """What comes in counts as physics: the seed of its turbulence, the contents of its tables. Forced: mass
    balanced, no divergence."""
    place = kolmo.place()
    path = os.path.join(place, "inflow.txt")
    case = {"run": {"steps_max": 2, "seed": 5}, "grid": {"n": (12, 10, 8), "length": (2.0, 1.0, 1.5),
                                                         "stretching": ("uniform", "tanh", "uniform"),
                                                        "stretching_factor": (0.0, 1.0, 0.0)},
            "fluid": {"nu": 0.01}, "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)},
            "boundary": {"x_low": "inflow", "x_low_profile": "table", "x_low_file": path, "x_low_along": "y",
                         "x_high": "outflow"}}
    waves = {"boundary": {"x_low_turbulence": (0.1, 0.1, 0.1), "turbulence_length": 0.4}}
    x = np.linspace(0, 1, 5)
    write_table(path, x, 1 + x * (1 - x), 0 * x, 0 * x)
    first, turbulent, more = kolmo.run(case), kolmo.run(kc.merge(case, waves)), {"run": {"steps_max": 4}}
    old = kc.checkpoint_path(first.folder)
    check.equal("another seed, nothing random comes in",
                kolmo.run(kc.merge(case, more, {"run": {"seed": 6}}), "--restart", old).rc, 0)
    bad = kolmo.run(kc.merge(case, waves, more, {"run": {"seed": 6}}), "--restart",
                    kc.checkpoint_path(turbulent.folder), rc=2)
    check.says("another seed of an inflow's turbulence", bad.err, "run.seed: 5 in the file, 6 in the input",
               "--force-restart")
    with open(path, "a", encoding="utf-8") as target:
        target.write("# no other velocity\n")
    check.equal("another comment in a table", kolmo.run(kc.merge(case, more), "--restart", old).rc, 0)
    write_table(path, x, 1.5 + x * (1 - x), 0 * x, 0 * x)
    for args in (("--restart", old), ("--restart", old, "--check")):
        bad = kolmo.run(kc.merge(case, more), *args, rc=2)
        check.says(f"another table {args[2:]}", bad.err,
                   "boundary.x_low_file: " + path + " holds other velocities", "--force-restart")
    forced = [kolmo.run(kc.merge(case, more), "--restart", old, "--force-restart", ranks=ranks)
              for ranks in (1, 2)]
    s = forced[0].series()
    check.says("forced", forced[0].text, "other physics than the checkpoint's (checkpoint.force)",
               "boundary.x_low_file", "the flow was projected, because the boundary conditions have changed")
    check.near("    volume that comes in", float(s["flux_in"][0]),
               float(first.series()["flux_in"][0]) + 0.5 * 1.5, 1e-12)
    check.below("    volume in less out", float(np.max(np.abs(s["flux_in"] - s["flux_out"]))), 1e-12)
    check.below("    divergence from the first record on", float(np.max(s["divergence_max"])), 1e-6)
    check.holds("    every number is finite", all(np.all(np.isfinite(c)) for c in s.values()))
    check.same("    1 and 2 ranks", kc.differences(*forced))


def methods(kolmo, check):
    """Every preconditioner solves with open faces; diffusion implicit in z between walls goes along."""
    one = kolmo.run(PIPE).checkpoint()
    for name in ("jacobi", "polynomial", "direct", "auto"):
        other = kolmo.run(kc.merge(PIPE,
                                   {"pressure": {"preconditioner": name, "tolerance": 1e-11}})).checkpoint()
        check.below(f"{name}: velocity, over that of multigrid",
                    max(np.max(np.abs(a - b)) for a, b in zip(one.velocity, other.velocity)), 3e-5)
    other = kolmo.run(kc.merge(channel(0, 0, 2, 8), {"time": {"diffusion": "implicit-z"}})).checkpoint()
    x = kc.along(other.centre[2], 2)
    check.below("implicit-z: profile", float(np.max(np.abs(other.velocity[0] - 1.5 * x * (2 - x)))),
                6 / 8 ** 2)


def speeds(kolmo, check):
    """What comes in by a table limits the first step of a fluid at rest, and --check knows; a fixed dt beyond
    what the given velocity of an outflow allows is refused, a little beyond it is warned of."""
    y, place = np.linspace(0.0, 1.0, 41), kolmo.place()
    path = write_table(os.path.join(place, "t.txt"), y, 4 + y, 0 * y, 0.5 + 0 * y)
    case = {"run": {"steps_max": 20}, "grid": {"n": (16, 8, 8), "length": (2.0, 1.0, 1.0)},
            "fluid": {"nu": 1e-3}, "initial": {"type": "rest"},
            "time": {"cfl": 0.8},
            "boundary": {"x_low": "inflow", "x_low_profile": "table", "x_low_along": "y", "x_low_file": path,
                         "x_high": "outflow"}}
    first = 0.8 / ((4 + 15 / 16) / 0.125 + 0.5 / 0.125)
    check.near("first step", float(kolmo.run(case).series()["dt"][1]), first, 1e-12)
    check.says("--check", kolmo.run(case, "--check").out, f"dt                       {first:.4e}")
    case = kc.merge(
        case,
        {
            "time": {"cfl": None, "dt": 0.01},
            "boundary": {
                "x_low_profile": None,
                "x_low_along": None,
                "x_low_file": None,
                "x_low_velocity": (1.0, 0.0, 0.0),
            },
        },
    )
    for speed, rc in ((20.0, 0), (26.0, 0), (30.0, 2), (1000.0, 2)):
        for args in ((), ("--check",)):
            result = kolmo.run(kc.merge(case, {"boundary": {"outflow_velocity": speed}}), *args, rc=rc)
            check.holds(f"fixed dt, CFL number of the outflow {speed * 0.01 / 0.125:.2f} {args}: exit code "
                        f"{rc}",
                        rc == 0 or f"CFL number of an outflow is {speed * 0.08:.3g}, beyond the stability "
                                   "limit 2 " in result.err, result.err[-300:])
            if rc == 0 and not args:
                check.equal("    warned of", "warning: CFL number 2.08 is beyond" in result.text,
                            speed == 26.0)


def cancelling(kolmo, check):
    """Inflows whose fluxes cancel are taken whatever rounding leaves, with an outflow and without, also each
    in itself; others are refused."""
    length = (3.0, 0.7, 1.1)
    for speed in (0.1, 0.3, 0.7, 1 / 3):
        for factor, rc in ((1.0, 0), (1 + 1e-7, 2)):
            case = {"run": {"steps_max": 2}, "grid": {"n": (8, 8, 8), "length": length},
                    "fluid": {"nu": 0.01}, "initial": {"type": "rest"},
                    "boundary": {"x_low": "inflow", "x_low_velocity": (speed, 0.0, 0.0), "x_high": "wall",
                                 "y_low": "outflow", "y_high": "inflow",
                                 "y_high_velocity": (0.0, speed * length[1] / length[0] * factor, 0.0)}}
            result = kolmo.run(case, *(() if speed == 0.1 else ("--check",)), rc=rc)
            check.holds(f"{speed:.3f} in and {factor:.7f} of it out beside an outflow: exit code {rc}",
                        rc == 0 or "reverse boundary.x_low_velocity" in result.err)
    y = np.linspace(0.0, 1.0, 401)
    for more, rc in ((0.0, 0), (0.2, 2)):
        place = kolmo.place()
        path = write_table(os.path.join(place, "t.txt"), y,
                           np.sin(2 * math.pi * y) + more * np.sin(math.pi * y), 0 * y, 0 * y)
        case = {"run": {"steps_max": 5},
                "grid": {"n": (8, 12, 4), "length": (1.0, 1.0, 0.5),
                         "stretching": ("tanh", "tanh-low", "uniform"),
                         "stretching_factor": (0.5, 0.7, 0.0)},
                "fluid": {"nu": 0.01}, "initial": {"type": "rest"}, "boundary": {
                    "x_low": "inflow", "x_low_profile": "table", "x_low_along": "y", "x_low_file": path,
                    "x_high": "wall", "y_low": "wall", "y_high": "wall"}}
        result = kolmo.run(case, *(() if rc == 0 else ("--check",)), folder=place, rc=rc)
        if rc != 0:
            check.says("a table that brings more than it takes", result.err, "no face is an outflow", "bring")
            continue
        state, s = result.checkpoint(), result.series()
        u = state.velocity[0][:, :, 0] * np.diff(state.face[1])[None, :] * np.diff(state.face[2])[:, None]
        check.below("a table that brings what it takes: sum over the face", abs(float(np.sum(u))), 1e-15)
        check.above("    sum of magnitudes", float(np.sum(np.abs(u))), 0.3)
        check.below("    divergence", float(np.max(s["divergence_max"])), 1e-6)


def channel_start(kolmo, check):
    """initial.type = 'channel' goes with the inflow, at the mean velocity that this brings, of a table and of
    a window too; with initial.amplitude at that, while the projection adds what the inflow brings
    otherwise."""
    still = {"run": {"t_end": None, "steps_max": 0},
             "initial": {"type": "channel", "velocity": None, "disturbance": 0.0}}
    for stream, side, normal in ORIENTATIONS[:2] + ORIENTATIONS[3::2]:
        for speed, amplitude, bound in ((0.4, None, 0.002), (1.0, 2.0, 0.03))[:1 if stream > 0 else 2]:
            case = kc.merge(channel(stream, side, normal, 16), still)
            d = f"{AXIS[stream]}_{ENDS[side]}"
            case["boundary"][f"{d}_velocity"] = tuple(speed * v for v in case["boundary"][f"{d}_velocity"])
            state = kolmo.run(kc.merge(case, {"initial": {"amplitude": amplitude}})).checkpoint()
            x, scale = kc.along(state.centre[normal], normal), amplitude or speed
            u = (state.velocity[stream] * (1 if side == 0 else -1) - 1.5 * scale * x * (2 - x)
                 - (speed - scale))
            middle = int(np.argmin(np.abs(state.position("uvw"[stream])[stream] - 1.5)))  # far from both ends
            check.below(f"start along {AXIS[stream]} from the {ENDS[side]} end, inflow {speed}, amplitude "
                        f"{amplitude}",
                        float(np.max(np.abs(np.moveaxis(u, 2 - stream, 0)[middle]))), bound)
    place, z = kolmo.place(), np.linspace(0.0, 2.0, 201)
    path = write_table(os.path.join(place, "t.txt"), z, -0.9 * z * (2 - z), 0 * z, 0 * z)
    table = kc.merge(channel(0, 1, 2, 16), still, {"boundary": {
        "x_high_velocity": None, "x_high_profile": "table", "x_high_along": "z", "x_high_file": path}})
    half = kc.merge(channel(0, 0, 2, 16), still,
                    {"grid": {"n": (24, 16, 16)},
                     "boundary": {"x_low_profile": None, "x_low_window": (0.0, 0.75, 0.0, 2.0)}})
    for name, case, mean in (("a table", table, -0.6), ("half of a face", half, 0.5)):
        state = kolmo.run(case, folder=place).checkpoint()
        x = kc.along(state.centre[2], 2)
        inner = (state.velocity[0] - 1.5 * mean * x * (2 - x))[:, :, case["grid"]["n"][0] // 2:-2]
        check.below(f"{name}: start", float(np.max(np.abs(inner))), 0.03)


def refused(kolmo, check):
    """Combinations that make no sense, by name, with a remedy."""
    for add, parts in (({"boundary": {"x_high": "periodic"}}, ("boundary.x_high", "both ends")),
                       ({"boundary": {"x_high": "wall"}}, ("no face is an outflow", "x_low")),
                       ({"boundary": {"x_high": "inflow", "x_high_velocity": (0.5, 0.0, 0.0)}},
                        ("add up to", "outflow")),
                       ({"boundary": {"x_low": "wall", "x_low_velocity": None, "x_low_profile": None}},
                        ("x_high", "nothing flows in")),
                       ({"boundary": {"x_low_velocity": None}}, ("needs boundary.x_low_velocity",)),
                       ({"boundary": {"x_low_velocity": (-1.0, 0.0, 0.0)}},
                        ("reverse boundary.x_low_velocity",)),
                       ({"boundary": {"x_low_velocity": (0.0, 1.0, 0.0)}}, ("does not cross the face",)),
                       ({"boundary": {"x_low_window": (0.0, 9.0, 0.0, 1.0)}},
                        ("x_low_window", "no part of the face", "the lower one first")),
                       ({"boundary": {"x_low_window": (0.5, 0.2, 0.0, 1.0)}},
                        ("x_low_window: 0.5 to 0.2 in y", "give 0.2, 0.5")),
                       ({"boundary": {"x_low_window": (0.301, 0.302, 0.0, 1.0)}},
                        ("case.nml:", "x_low_window lies between the centres of cells", "wider")),
                       ({"boundary": {"x_high": "noslip"}}, ("did you mean 'wall'?",)),
                       ({"boundary": {"x_high": "No-Slip"}}, ("did you mean 'wall'?",)),
                       ({"boundary": {"x_high": "free-slip"}}, ("did you mean 'slip'?",)),
                       ({"boundary": {"x_high": "walls"}}, ("did you mean 'wall'?",)),
                       ({"initial": {"type": "taylor-green", "velocity": None, "disturbance": None}},
                        ("initial.type = 'taylor-green' (line", "a flow of a periodic box",
                         "boundary.x_low is 'inflow'")),
                       ({"initial": {"type": None, "disturbance": None}},
                        ("initial.type = 'taylor-green' (the default)", "choose 'uniform'")),
                       ({"boundary": {"y_low_profile": "parabolic"}}, ("y_low_profile", "inflow")),
                       ({"boundary": {"z_low": "slip", "z_high": "slip"}},
                        ("x_low_profile", "neither in y nor in z", "choose 'uniform'")),
                       ({"boundary": {"z_high": "outflow"}},
                        ("x_low_profile", "in z", "boundary.z_high", "'slip'")),
                       ({"boundary": {"z_high": "outflow", "x_low_window": (0.0, 1.5, 0.5, 2.0)},
                         "initial": {"type": "rest", "disturbance": None}},
                        ("x_low_profile", "in z", "boundary.z_high", "a window that ends before")),
                       ({"boundary": {"x_low_window": (0.5, 1.5, 0.0, 2.0),
                                      "z_high_velocity": (0.5, 0.0, 0.0)},
                         "initial": {"type": "rest", "disturbance": None}},
                        ("z_high_velocity(1) = 0.5", "at rest", "make it 0")),
                       ({"boundary": {"x_low_profile": "table", "x_low_velocity": None}},
                        ("needs boundary.x_low_file",)),
                       ({"boundary": {"x_low_profile": "table", "x_low_velocity": None, "x_low_along": "x",
                                      "x_low_file": "none"}},
                        ("x_low_along", "through the face")),
                       ({"boundary": {"x_low_profile": "table", "x_low_velocity": None,
                                      "x_low_file": "none"}},
                        ("none: error: the file can't be opened", "give the name of an existing file",
                         "(boundary.x_low_file, ",
                         "case.nml:")),
                       ({"boundary": {"x_low_profile": "table", "x_low_file": "none"}},
                        ("x_low_velocity has no effect with boundary.x_low_profile = 'table'",
                         "choose 'uniform' or 'parabolic'")),
                       ({"boundary": {"x_low_turbulence": (0.1, 0.1, 0.1)}}, ("turbulence_length",)),
                       ({"forcing": {"type": "bulk-velocity", "value": 1.0}}, ("forcing.direction", "x_low")),
                       ({"pressure": {"method": "exact"}}, ("pressure.method", "x_low")),
                       ({"initial": {"type": "isotropic", "velocity": None, "disturbance": None}},
                        ("initial.type",)),
                       ({"initial": {"velocity": (0.0, 0.0, 1.0)}}, ("initial.velocity(3)", "z_low"))):
        bad = kolmo.run(kc.merge(PIPE, add), rc=2)
        check.says(", ".join(f"{g}.{n}" for g, names in add.items() for n in names), bad.text, *parts)
    path = os.path.join(kolmo.place(), "t.txt")
    case = kc.merge(PIPE,
                    {"boundary": {"x_low_profile": "table", "x_low_velocity": None, "x_low_file": path}})
    for name, text, parts in (
        (
            "zeros",
            "0 0 0 0\n2 0 0 0\n",
            ("nothing flows through the inflows: the velocities of boundary.x_low_file are 0", "case.nml:"),
        ),
        (
            "outward",
            "0 -1 0 0\n2 -1 0 0\n",
            ("the inflows take 3 out of the box", "reverse the velocity of boundary.x_low_file",
             "case.nml:"),
        ),
        (
            "not a number",
            "0 1 0 0\n2 1 zero 0\n",
            ("t.txt:2: error: the line does not hold four numbers",
             "write a coordinate and u, v, w", "(boundary.x_low_file, "),
        ),
        (
            "not increasing",
            "0 1 0 0\n0 1 0 0\n",
            ("t.txt:2: error: the coordinate 0 does not lie above", "increase", "(boundary.x_low_file, "),
        ),
        (
            "too short",
            "0 1 0 0\n1.5 1 0 0\n",
            ("reach from 0 to 1.5", "over the whole face, from 0 to 2", "(boundary.x_low_file, "),
        ),
        ("one line", "0 1 0 0\n", ("1 line of numbers", "two or more", "(boundary.x_low_file, ")),
    ):
        with open(path, "w", encoding="ascii") as target:
            target.write(text)
        for ranks in (1, 2) if name == "outward" else (1,):
            bad = kolmo.run(case, "--check", ranks=ranks, rc=2)
            check.says(f"a table: {name}, {ranks} ranks", bad.err, *parts)
    bad = kolmo.run(case, "--set", "boundary.x_low_file=gone.txt", rc=2)
    check.says("a table by --set", bad.err, "gone.txt: error: the file can't be opened",
               "(boundary.x_low_file, --set)")
    driven = kolmo.run(kc.merge(PIPE, {"run": {"steps_max": 1}, "boundary": {
        "x_high": "inflow", "x_high_profile": "parabolic", "x_high_velocity": (1.0, 0.0, 0.0)}}))
    check.equal("inflow at both ends whose fluxes cancel", driven.rc, 0)


if __name__ == "__main__":
    kc.main(__doc__,
            [uniform, poiseuille, moving_walls, duct, mass, window, kovasznay, turbulence, step, vortex,
             momentum, budget, layouts, restart, other_inflow,
             methods, speeds, cancelling, channel_start, refused])

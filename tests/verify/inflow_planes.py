#!/usr/bin/env python3
"""Inflow from planes in time (profile 'planes'), written by postproc/planes.py.

The velocity on the face is the planes', linear in time, whatever the steps, also where planes begin anew;
planes taken from one run go through another; the same bits on any ranks and after a restart; other planes are
other physics; what does not fit is refused by name. Would catch: a component at the place of another, rows of
another rank's part, a plane of the interval before, a file that is read and not checked."""
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc"))
import h5py  # noqa: E402
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402
import planes  # noqa: E402
from kolmo.planes import hash_of  # noqa: E402

AXIS = "xyz"
TIMES = np.array([0.0, 0.03, 0.11, 0.12, 0.125, 0.3])


def case_of(stream, path, more=None):
    """A stream from below along a direction, a wall and free slip along the first direction beside it."""
    a, b = [d for d in range(3) if d != stream]
    velocity = [0.0] * 3
    velocity[stream] = 1.0
    n, length = [10, 9, 12], [2.0, 1.5, 2.5]
    stretching = ["uniform"] * 3
    stretching[stream], stretching[a] = "tanh-low", "tanh"
    d = AXIS[stream]
    return kc.merge({"run": {"t_end": 0.3, "steps_max": 8},
                     "grid": {"n": n, "length": length, "stretching": stretching,
                              "stretching_factor": [0.7 * (s != "uniform") for s in stretching]},
                     "fluid": {"nu": 0.01}, "time": {"dt": 0.02},
                     "initial": {"type": "uniform", "velocity": velocity},
                     "boundary": {f"{d}_low": "inflow", f"{d}_low_profile": "planes", f"{d}_low_file": path,
                                  f"{d}_high": "outflow",
                                  f"{AXIS[a]}_low": "wall", f"{AXIS[a]}_high": "slip",
                                  f"{AXIS[a]}_low_velocity": velocity},
                     "checkpoint": {"interval": 1, "keep": 20}, "output": {"log_interval": 1000}},
                    more or {}), (a, b)


def faces_of(kolmo, case, along):
    """Faces of the grid, from the first checkpoint of the same case with a plain inflow."""
    stream = AXIS[3 - sum(along)]
    velocity = [0.0] * 3
    velocity[AXIS.index(stream)] = 1.0
    plain = kc.merge(case, {"run": {"steps_max": 1}, "boundary": {f"{stream}_low_profile": None,
                                                                  f"{stream}_low_file": None,
                                                                  f"{stream}_low_velocity": velocity,
                                                                  "planes_loop": None}})
    state = kolmo.run(plain).checkpoint()
    return [state.face[d] for d in along]


def some_planes(faces, times, stream, single=False):
    """Random velocities, of a stream that comes in."""
    shape = (len(times), len(faces[1]) - 1, len(faces[0]) - 1, 3)
    u = np.random.default_rng(3).uniform(-0.2, 0.2, shape)
    u[..., stream] += 1.0
    return u.astype(np.float32 if single else np.float64)


def on_face(state, stream):
    """Velocity through the lower face of a direction: (second, first)."""
    at = [slice(None)] * 3
    at[2 - stream] = 0
    return state.velocity[stream][tuple(at)]


def wanted(u, times, t, stream, loop):
    """Linear between planes."""
    if loop:
        t = times[0] + math.fmod(t - times[0], times[-1] - times[0])
    k = min(int(np.searchsorted(times, t, side="right")) - 1, len(times) - 2)
    part = (t - times[k]) / (times[k + 1] - times[k])
    u = u[k:k + 2, ..., stream].astype(np.float64)
    return (1 - part) * u[0] + part * u[1]


def linear(kolmo, check):
    """The face has the planes' velocity at each step; the same bits on ranks that cut it, and after a
    restart."""
    for stream, loop, scheme, layout in ((0, False, "rk3-half", (1, 2, 2)), (1, True, "rk3-wray", (2, 1, 2)),
                                         (2, True, "rk3-half", (2, 2, 1))):
        path = os.path.join(kolmo.place(), "planes.h5")
        case, along = case_of(stream, path, {"time": {"scheme": scheme}})
        faces = faces_of(kolmo, case, along)
        times = 0.25 * TIMES if loop else TIMES
        u = some_planes(faces, times, stream, single=stream == 2)
        planes.write(path, times, *faces, u)
        if loop:
            case = kc.merge(case, {"boundary": {"planes_loop": True}})
        one = kolmo.run(case)
        error = max(np.max(np.abs(on_face(one.checkpoint(k), stream)
                                  - wanted(u, times, 0.02 * k, stream, loop))) for k in range(1, 9))
        check.below(f"along {AXIS[stream]}, {scheme}, loop {loop}: velocity on the face, less that of the "
                    "planes", float(error), 1e-13)
        s = one.series()
        check.below("    volume in less out", float(np.max(np.abs(s["flux_in"] - s["flux_out"]))), 1e-12)
        inside = one.checkpoint(8).velocity[(stream + 1) % 3]
        check.above("    the flow inside has it, too", float(np.std(inside)), 1e-3)
        other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=math.prod(layout))
        check.same(f"    {' x '.join(map(str, layout))} ranks", kc.differences(one, other))
        again = kolmo.run(case, "--restart", kc.checkpoint_path(one.folder, 3), ranks=2)
        check.same("    fields after a restart",
                   kc.differing_arrays(one.checkpoint(8).fields, again.checkpoint(8).fields))
        u[3, 1, 1, stream] += 0.125
        planes.write(path, times, *faces, u)
        bad = kolmo.run(case, "--restart", kc.checkpoint_path(one.folder, 3), rc=2)
        check.says("    other planes are other physics", bad.text, f"boundary.{AXIS[stream]}_low_file")


def as_a_table(kolmo, check):
    """Planes of velocities that vary along one direction of the face alone: the flow of a table of the
    same."""
    for stream, of in ((0, 1), (2, 0), (1, 2)):
        place = kolmo.place()
        path, table = os.path.join(place, "planes.h5"), os.path.join(place, "table.txt")
        case, along = case_of(stream, path, {"run": {"steps_max": 3}, "pressure": {"tolerance": 1e-10}})
        faces = faces_of(kolmo, case, along)
        start, slope = [0.3, -0.2, 0.1], [0.05, 0.1, -0.15]
        start[stream] = 1.0
        ends = np.array([faces[along.index(of)][0], faces[along.index(of)][-1]])
        np.savetxt(table, np.column_stack([ends] + [a + b * ends for a, b in zip(start, slope)]), fmt="%.17g")
        u = np.empty((2, len(faces[1]) - 1, len(faces[0]) - 1, 3))
        for c in range(3):
            face = faces[along.index(of)]
            x = face[:-1] if c == of else 0.5 * (face[:-1] + face[1:])
            x = start[c] + slope[c] * x
            u[..., c] = x[None, None, :] if of == along[0] else x[None, :, None]
        planes.write(path, [0.0, 1.0], *faces, u)
        d = AXIS[stream]
        other = kc.merge(case, {"boundary": {f"{d}_low_profile": "table", f"{d}_low_file": table,
                                             f"{d}_low_along": AXIS[of]}})
        a, b = kolmo.run(case).checkpoint(), kolmo.run(other).checkpoint()
        check.below(f"along {d}, velocities that vary in {AXIS[of]}: less the flow of a table",
                    max(float(np.max(np.abs(p - q))) for p, q in zip(a.velocity, b.velocity)), 1e-11)


def from_a_run(kolmo, check):
    """Planes of a run's checkpoints come into another run at their times: what the first had inside, the
    second has on its face."""
    first, _ = case_of(0, "none",
                       {"run": {"t_end": None}, "boundary": {"x_low_profile": None, "x_low_file": None,
                                                             "x_low_velocity": (1.0, 0.0, 0.0),
                                                             "x_low_turbulence": (0.1, 0.1, 0.1),
                                                             "turbulence_length": 0.5}})
    a = kolmo.run(first)
    path = os.path.join(kolmo.place(), "planes.h5")
    subprocess.run([sys.executable, planes.__file__, path, "--index", "4", "--start", "0"]
                   + [kc.checkpoint_path(a.folder, k) for k in range(2, 9)],
                   check=True, capture_output=True)
    second, _ = case_of(0, path, {"run": {"t_end": 0.12}})
    b = kolmo.run(second)
    check.equal("steps of the second run", b.steps()[-1], 6)
    error = max(np.max(np.abs(on_face(b.checkpoint(k), 0) - a.checkpoint(k + 2).velocity[0][:, :, 4]))
                for k in range(1, 7))
    check.below("velocity on the face, less that of the first run inside", float(error), 1e-12)


def channel_start(kolmo, check):
    """initial.type = 'channel' with planes: into the box at velocity 1; the projection adds what the planes
    bring otherwise."""
    path = os.path.join(kolmo.place(), "planes.h5")
    faces = [np.linspace(0.0, length, n + 1) for length, n in ((1.0, 4), (1.0, 16))]
    u = np.zeros((len(TIMES), 16, 4, 3))
    u[..., 0] = -0.5
    planes.write(path, TIMES, *faces, u)
    state = kolmo.run({"run": {"t_end": 0.3, "steps_max": 0},
                       "grid": {"n": (16, 4, 16), "length": (3.0, 1.0, 1.0)}, "fluid": {"nu": 0.01},
                       "initial": {"type": "channel", "disturbance": 0.0}, "boundary": {
                           "x_high": "inflow", "x_high_profile": "planes", "x_high_file": path,
                           "x_low": "outflow", "z_low": "wall", "z_high": "wall"}}).checkpoint()
    z = kc.along(state.centre[2], 2)
    middle = (state.velocity[0] + 6 * z * (1 - z) - 0.5)[:, :, 8]
    check.below("start from the high end, in the middle", float(np.max(np.abs(middle))), 0.03)


def refused(kolmo, check):
    """What does not fit, by name."""
    path = os.path.join(kolmo.place(), "planes.h5")
    case, along = case_of(0, path)
    faces = faces_of(kolmo, case, along)
    u = some_planes(faces, TIMES, 0)

    def stored(times=TIMES, first=faces[0], values=u):
        planes.write(path, times, first, faces[1], values)

    def renewed(name, array):  # what the package does not write
        with h5py.File(path, "r+") as f:
            f[name][...] = array
            f[name].attrs["hash"] = hash_of(array)
    bad = kolmo.run(case, rc=2)
    check.says("no file", bad.text, "planes.h5", "No such file")
    stored()
    for add, parts in (({"run": {"t_end": 0.4}}, ("planes end at t = 0.3", "run.t_end = 0.4")),
                       ({"run": {"t_end": None}}, ("run.t_end is not given",)),
                       ({"boundary": {"x_low_window": (0.5, 1.0, 0.0, 2.5)}}, ("x_low_window", "planes")),
                       ({"boundary": {"x_low_turbulence": (0.1, 0.1, 0.1), "turbulence_length": 0.5}},
                        ("x_low_turbulence", "planes")),
                       ({"boundary": {"x_low_velocity": (1.0, 0.0, 0.0)}}, ("x_low_velocity",)),
                       ({"boundary": {"x_low_along": "y"}}, ("x_low_along",)),
                       ({"boundary": {"x_low_file": None}}, ("needs boundary.x_low_file",)),
                       ({"boundary": {"x_high": "inflow", "x_high_velocity": (1.0, 0.0, 0.0)}},
                        ("no face is an outflow",)),
                       ({"grid": {"n": (10, 10, 12)}}, ("9 cells in y, but the grid has 10",)),
                       ({"grid": {"stretching_factor": (0.7, 0.6, 0.0)}}, ("in y is at",))):
        bad = kolmo.run(kc.merge(case, add), rc=2)
        check.says(", ".join(f"{g}.{n}" for g, names in add.items() for n in names), bad.text, *parts)
    check.equal("--check takes it", kolmo.call("--check", kolmo.write(case, kolmo.place())).rc, 0)
    stored(times=TIMES + 0.01)
    check.says("planes that begin later", kolmo.run(kc.merge(case, {"run": {"t_end": 0.2}}), rc=2).text,
               "reach from t = 0.01", "t = 0 is needed")
    stored()
    renewed("time", TIMES[::-1])
    check.says("times that fall", kolmo.run(case, rc=2).text, "must increase")
    stored(values=-u)
    check.says("planes that take out", kolmo.run(case, rc=2).text, "out of the box")
    stored()
    with h5py.File(path, "r+") as f:
        f["velocity"][2, 3, 4, 1] += 1.0
    check.says("a changed value", kolmo.run(case, rc=4).text, "hash", "damaged")
    stored()
    with h5py.File(path, "r+") as f:
        del f["velocity"]
        f.create_dataset("velocity", data=u, chunks=(1,) + u.shape[1:]).attrs["hash"] = hash_of(u)
    check.says("in pieces", kolmo.run(case, rc=2).text, "in one piece")
    stored()
    u[2, 1, 1, 0] = np.nan
    renewed("velocity", u)
    check.says("not a number", kolmo.run(case, rc=2).text, "plane 2")


if __name__ == "__main__":
    kc.main(__doc__, [linear, as_a_table, from_a_run, channel_start, refused])

#!/usr/bin/env python3
"""What a restart may change: other physics are refused, or forced and told; another grid is refused, or
interpolated.

Would catch: a run that goes on with another viscosity without a word, a difference that the message leaves
out, an interpolation that makes divergence or loses momentum, depends on the ranks or forgets a wrap, a
regrid that replaces the checkpoint it came from."""
import math
import os
import re
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

STEPS = 4
CASE = {"run": {"steps_max": STEPS, "seed": 3},
        "grid": {"n": (24, 20, 16), "length": (kc.TWO_PI, 5.0, 5.5),
                 "stretching": ("sine", "uniform", "tanh"),
                 "stretching_factor": (0.4, 0.0, 1.1)},
        "fluid": {"nu": 0.02}, "initial": {"type": "isotropic", "k_peak": 2.0, "velocity": (0.3, -0.2, 0.1)},
        "checkpoint": {"interval": 2}}
GRIDS = {"finer": {"n": (36, 28, 32)}, "coarser": {"n": (12, 16, 10)}, "a little finer": {"n": (25, 21, 17)},
         "not stretched": {"stretching": ("uniform", "uniform", "uniform"),
                           "stretching_factor": (0.0, 0.0, 0.0)},
         "stretched otherwise": {"n": (24, 24, 20), "stretching": ("uniform", "sine", "tanh"),
                                 "stretching_factor": (0.0, 0.3, 1.5)}}
NUMBER = r"([-+0-9.e]+)"


def contents(folder):
    """Bytes of a folder's files."""
    return {n: kc.file_bytes(os.path.join(folder, n))
            for n in os.listdir(folder) if n.endswith((".h5", ".nc", ".log"))}


def other_physics(kolmo, check):
    """Refused with the name and both values, all at once with the grid; forced: told, and gone on with."""
    first = kolmo.run(CASE)
    before = contents(first.folder)
    for ranks in (1, 2):
        bad = kolmo.run(kc.merge(CASE, {"fluid": {"nu": 0.01}}), "--restart", "latest", ranks=ranks,
                        folder=first.folder, rc=None)
        check.equal(f"{ranks} ranks, refused: exit code", bad.rc, 2)
        check.says(f"{ranks} ranks, refused", bad.err, "fluid.nu: 0.02 in the file, 0.01 in the input",
                   "--force-restart")
        check.equal(f"{ranks} ranks, refused: said once", bad.err.count("fluid.nu: "), 1)
        both = kolmo.run(kc.merge(CASE,
                                  {"fluid": {"nu": None, "reynolds": 100.0}, "grid": {"n": (24, 20, 18)}}),
                         "--restart", "latest",
                         ranks=ranks, folder=first.folder, rc=None)
        check.says(f"{ranks} ranks, with the grid", both.err, "fluid.nu: 0.02 in the file, 0.01 in the input",
                   "cells in z: 16 in the file, 18 in the input", "checkpoint.regrid = .true.")
    named = kolmo.run(kc.merge(CASE, {"fluid": {"nu": 0.01}}), "--check", "--restart",
                      kc.checkpoint_path(first.folder), rc=None)
    check.equal("--check refuses it too: exit code", named.rc, 2)
    check.holds("files of the folder untouched by all this", before == contents(first.folder))
    same = kolmo.run(kc.merge(CASE, upto(6), {"fluid": {"nu": None, "reynolds": 50.0}}), "--restart",
                     "latest", folder=first.folder)
    check.says("the same viscosity by its other name is no change of physics", same.text,
               "fluid.reynolds: 50, was not given")
    forced = kolmo.run(kc.merge(CASE, upto(8), {"fluid": {"nu": 0.01}}), "--restart", "latest",
                       "--force-restart", folder=first.folder)
    check.says("forced", forced.text, "other physics than the checkpoint's (checkpoint.force)",
               "fluid.nu: 0.02 in the file, 0.01 in the input")
    check.equal("forced: steps of the series", [int(s) for s in forced.series()["step"]], list(range(9)))
    idle = kolmo.run(kc.merge(CASE, {"checkpoint": {"regrid": True}}), rc=None)
    check.equal("checkpoint.regrid without restart: exit code", idle.rc, 2)


def other_boundary(kolmo, check):
    """Forced between other boundaries: the flow is projected, guesses, energy and regime of the old one are
    forgotten."""
    walls = {"boundary": {"z_low": "wall", "z_high": "wall"},
             "initial": {"type": "channel", "k_peak": None, "velocity": None},
             "forcing": {"type": "bulk-velocity", "value": 1.0}}
    moving = kc.merge(CASE, walls, {"boundary": {"z_high_velocity": (0.5, 0.0, 0.0)}})
    for name, case, other in (
        (
            "walls in a periodic flow",
            CASE,
            {
                "boundary": {"y_low": "wall", "y_high": "slip"},
                "initial": {"type": "rest", "k_peak": None, "velocity": None},
            },
        ),
        (
            "no walls in a channel, exact",
            kc.merge(CASE, walls),
            {
                "boundary": {"z_low": "periodic", "z_high": "periodic"},
                "initial": {"type": "rest"},
                "forcing": {"type": "none", "value": None},
                "pressure": {"method": "exact"},
            },
        ),
        ("a wall at rest", moving, {"boundary": {"z_high_velocity": None}}),
    ):
        old = kc.checkpoint_path(kolmo.run(case).folder)
        forced = [kolmo.run(kc.merge(case, upto(6), other), "--restart", old, "--force-restart", ranks=ranks)
                  for ranks in (1, 3)]
        check.says(name, forced[0].text, "the flow was projected, because the boundary conditions")
        s = forced[0].series()
        check.equal("    steps", list(s["step"]), [4, 5, 6])
        check.below("    divergence from the first record on", float(np.max(s["divergence_max"])), 1e-6)
        check.same("    1 and 3 ranks", kc.differences(*forced))
        state = kc.Checkpoint(old).state
        check.holds("    the old energy is forgotten",
                    forced[0].checkpoint().state["energy_start"]
                    == s["kinetic_energy"][0] != state["energy_start"])
    # a drive that was switched off: the energy may fall from where it is, however small it was at the start
    pushed = kc.merge(CASE, walls, upto(40), {"initial": {"type": "uniform", "velocity": (0.05, 0.0, 0.0)},
                                              "forcing": {"type": "pressure-gradient", "value": 2.0},
                                              "time": {"dt": 0.02}})
    first = kolmo.run(pushed)
    freed = kolmo.run(kc.merge(pushed, upto(50), {"forcing": {"type": "none", "value": None}}), "--restart",
                      kc.checkpoint_path(first.folder), "--force-restart")
    before, after = first.checkpoint().state, freed.checkpoint().state
    check.equal("a drive switched off", freed.rc, 0)
    check.above("    the energy had grown", before["energy"], 10 * before["energy_start"])
    check.below("    the regime was watched from the first step on", before["regime_begin"], 0.7)
    check.near("    and is from the restart on", after["regime_begin"], before["time"], 1e-12)


def upto(steps):
    """A case that ends at a step."""
    return {"run": {"steps_max": steps}}


def control_may_change(kolmo, check):
    """End time, output, tolerance, scheme and step may change; the log tells from what to what."""
    first = kolmo.run(CASE)
    part = kolmo.run(kc.merge(CASE, upto(6),
                              {"output": {"series_interval": 2, "log_interval": 1},
                               "time": {"scheme": "rk3-wray", "dt": 0.01},
                               "pressure": {"tolerance": 1e-8}}), "--restart", "latest", folder=first.folder)
    check.says("changes", part.text, "run.steps_max: 6, was 4", "output.series_interval: 2, was 1",
               "time.scheme: 'rk3-wray', was 'rk3-half'",
               "pressure.tolerance: 1e-08, was 1e-06")
    check.says("choice", part.text, "step 4, t ", "; the newest of 2 checkpoints")
    again = kolmo.run(kc.merge(CASE, upto(6)), "--restart", "latest", folder=first.folder)
    check.says("back", again.text, "time.scheme: 'rk3-half', was 'rk3-wray'")


def momentum(c):
    """Mean velocity by the volumes round the faces."""
    cell = [np.diff(f) for f in c.face]
    width = [0.5 * (w + np.roll(w, 1)) for w in cell]
    size = np.prod([f[-1] - f[0] for f in c.face])
    return [float(np.sum(c.fields["uvw"[d]] * kc.along(width[d], d) * kc.along(cell[(d + 1) % 3], (d + 1) % 3)
                         * kc.along(cell[(d + 2) % 3], (d + 2) % 3)) / size) for d in range(3)]


def other_grids(kolmo, check):
    """Refused unless asked for; then divergence-free before and after the projection, momentum kept, the same
    bits on any ranks."""
    first = kolmo.run(CASE)
    kept = kc.checkpoint_path(first.folder, STEPS)
    before = contents(first.folder)
    mean = momentum(first.checkpoint(STEPS))
    for label, grid in GRIDS.items():
        case = kc.merge(CASE, upto(STEPS + 1), {"grid": grid})
        bad = kolmo.run(case, "--restart", kept, rc=None)
        check.equal(f"{label}, not asked for: exit code", bad.rc, 2)
        check.says(f"{label}, not asked for", bad.err, "in the file", "checkpoint.regrid = .true.")
        runs = [kolmo.run(kc.merge(case, {"checkpoint": {"regrid": True}}), "--restart", kept, ranks=ranks)
                for ranks in (1, 2, 3)]
        told = re.search(rf"kinetic energy {NUMBER} in the file, {NUMBER} interpolated, {NUMBER} projected "
                         rf"\({NUMBER} %\); "
                         rf"max\|div u\| h/U {NUMBER} interpolated, {NUMBER} projected", runs[0].text)
        check.holds(f"{label}: energy and divergence are told", told, runs[0].text[-800:])
        if told:
            old, raw, new, _, div_raw, div_new = map(float, told.groups())
            check.near(f"{label}: energy of the file", old, first.series()["kinetic_energy"][-1], 1e-8)
            check.below(f"{label}: divergence before the projection", div_raw, 2e-6)
            check.below(f"{label}: divergence after it", div_new, 1e-8)
            check.below(f"{label}: change of energy by the projection", abs(new / raw - 1), 1e-6)
            check.near(f"{label}: energy of the first record", runs[0].series()["kinetic_energy"][0], new,
                       1e-8)
        for d in range(3):
            check.near(f"{label}: momentum {'xyz'[d]}", runs[0].series()[f"momentum_{'xyz'[d]}"][0], mean[d],
                       1e-7)
        for number, run in enumerate(runs[1:], 2):
            check.same(f"{label}: 1 rank against {number}", kc.differences(runs[0], run, STEPS + 1))
    check.holds("the checkpoint and its folder are as they were", before == contents(first.folder))


WALLS = {
    "channel": {"run": {"steps_max": STEPS, "seed": 3}, "grid": {"n": (12, 12, 16), "length": (3.0, 2.5, 2.0),
                                                               "stretching": ("uniform", "sine", "tanh"),
                                                                 "stretching_factor": (0.0, 0.3, 1.5)},
                "boundary": {"z_low": "wall", "z_high": "wall"}, "fluid": {"nu": 0.005},
                "initial": {"type": "channel", "disturbance": 0.3},
                "forcing": {"type": "bulk-velocity", "value": 1.0}, "pressure": {"tolerance": 1e-11},
                "checkpoint": {"interval": STEPS}},
    "cavity": {"run": {"steps_max": STEPS},
               "grid": {"n": (14, 12, 16), "stretching": ("tanh", "uniform", "tanh"),
                       "stretching_factor": (1.1, 0.0, 0.9)},
               "boundary": dict({f"{a}_{s}": "wall" for a in "xyz" for s in ("low", "high")}, y_low="slip",
                                z_high_velocity=(1.0, 0.5, 0.0), x_low_velocity=(0.0, 0.0, -0.25)),
               "fluid": {"nu": 0.02}, "initial": {"type": "taylor-green"}, "time": {"dt": 0.05},
               "checkpoint": {"interval": STEPS}}}
WALL_GRIDS = ({"n": (18, 16, 26)}, {"n": (10, 8, 11), "stretching": ("uniform", "uniform", "tanh"),
                                    "stretching_factor": (0.0, 0.0, 1.9)},
              {"stretching": ("uniform", "uniform", "uniform"), "stretching_factor": (0.0, 0.0, 0.0)})


def between_walls(kolmo, check):
    """To finer, coarser and otherwise stretched grids between the same walls: no divergence, nothing through
    the walls, momentum and bulk velocity kept, the same bits on any ranks; other walls are refused."""
    for name, start in WALLS.items():
        first = kolmo.run(start)
        kept, old = kc.checkpoint_path(first.folder, STEPS), first.series()
        for grid, layout in zip(WALL_GRIDS, ((1, 1, 2), (2, 1, 1), (1, 2, 1))):
            label = f"{name} to {' x '.join(map(str, grid.get('n', start['grid']['n'])))}"
            case = kc.merge(start, upto(STEPS + 1), {"grid": grid, "checkpoint": {"regrid": True}})
            one, two = kolmo.run(case, "--restart",
                                 kept), kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), "--restart",
                                                  kept, ranks=2)
            told = re.search(rf"{NUMBER} interpolated, {NUMBER} projected \(.* {NUMBER} interpolated, "
                             rf"{NUMBER} projected", one.text)
            check.holds(f"{label}: energy and divergence are told", told, one.text[-800:])
            raw, new, div_raw, div_new = map(float, told.groups())
            check.below(f"{label}: divergence before the projection", div_raw, 2e-6)
            check.below(f"{label}: divergence after it", div_new, 1e-8)
            check.below(f"{label}: change of energy by the projection", abs(new / raw - 1), 1e-6)
            check.below(f"{label}: energy over that of the old grid, less 1",
                        abs(new / old["kinetic_energy"][-1] - 1), 0.1)
            series = one.series()
            if name == "channel":
                check.below(f"{label}: bulk velocity less 1", np.max(np.abs(series["momentum_x"] - 1)), 1e-12)
                check.near(f"{label}: momentum across", series["momentum_y"][0], old["momentum_y"][-1], 1e-12)
            w = one.checkpoint(STEPS + 1).fields["w"]
            check.equal(f"{label}: velocity through the lower wall", float(np.max(np.abs(w[0]))), 0.0)
            check.same(f"{label}: 1 rank against 2", kc.differences(one, two, STEPS + 1))
        bad = kolmo.run(kc.merge(start,
                                 {"grid": WALL_GRIDS[0], "checkpoint": {"regrid": True},
                                  "boundary": {"z_high": "slip", "z_high_velocity": None}}),
                        "--restart", kept, rc=2)
        check.says(f"{name}: another wall", bad.text, "boundary.z_high")


OPEN = {
    "stream from above": {"grid": {"n": (14, 12, 16), "length": (2.0, 1.5, 3.0),
                                   "stretching": ("tanh", "sine", "tanh-low"),
                                   "stretching_factor": (0.8, 0.3, 0.7)},
                          "boundary": {"z_high": "inflow", "z_high_velocity": (0.25, 0.5, -1.0),
                                       "z_low": "outflow", "y_low": "inflow",
                                       "y_low_velocity": (0.25, 0.5, -1.0), "y_high": "outflow"},
                          "initial": {"type": "uniform", "velocity": (0.25, 0.5, -1.0)}},
    "channel": {"grid": {"n": (20, 12, 18), "length": (3.0, 1.5, 2.0),
                         "stretching": ("tanh-high", "uniform", "tanh"),
                         "stretching_factor": (0.5, 0.0, 1.0)},
                "boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0),
                             "x_low_profile": "parabolic", "x_high": "outflow",
                             "x_low_turbulence": (0.1, 0.1, 0.1), "turbulence_length": 0.6,
                             "turbulence_modes": 20, "z_low": "wall", "z_high": "wall"},
                "initial": {"type": "channel", "disturbance": 0.2}},
    "bend": {"grid": {"n": (18, 16, 14), "length": (2.0, 1.0, 1.5),
                      "stretching": ("tanh", "tanh-low", "uniform"), "stretching_factor": (0.8, 1.0, 0.0)},
             "boundary": {"x_high": "inflow", "x_high_velocity": (-1.0, 0.2, 0.0),
                          "x_high_profile": "parabolic", "x_low": "wall", "y_low": "outflow",
                          "y_high": "inflow", "y_high_velocity": (0.0, -0.3, 0.1), "z_low": "wall",
                          "z_high": "slip"},
             "initial": {"type": "rest"}}}
OPEN_GRIDS = ({"n": (26, 20, 24)}, {"n": (12, 10, 12), "stretching": ("uniform", "tanh", "uniform"),
                                    "stretching_factor": (0.0, 0.9, 0.0)})


def through_open_faces(kolmo, check):
    """To other grids of a box with inflows and outflows: a uniform stream to rounding, the planes of outflows
    along with the flow, mass balanced, no divergence, the same bits on any ranks, and from there a restart is
    exact."""
    for name, start in OPEN.items():
        start = kc.merge({"run": {"steps_max": 13, "seed": 5}, "fluid": {"nu": 0.02}, "time": {"dt": 0.01},
                          "pressure": {"tolerance": 1e-11},
                          "checkpoint": {"interval": 12}}, start)
        first = kolmo.run(start)
        kept, old = kc.checkpoint_path(first.folder, 12), first.series()
        for grid, layout in zip(OPEN_GRIDS, ((1, 2, 2), (2, 1, 1))):
            label = f"{name} to {' x '.join(map(str, grid['n']))}"
            case = kc.merge(start, upto(14),
                            {"grid": grid, "checkpoint": {"regrid": True, "interval": 1, "keep": 4}})
            one = kolmo.run(case, "--restart", kept)
            two = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), "--restart", kept,
                            ranks=math.prod(layout))
            check.same(f"{label}: 1 rank against {math.prod(layout)}", kc.differences(one, two, 14))
            told = re.search(rf"{NUMBER} interpolated, {NUMBER} projected \(.* {NUMBER} interpolated, "
                             rf"{NUMBER} projected", one.text)
            check.holds("    energy and divergence are told", told, one.text[-800:])
            raw, new, div_raw, div_new = map(float, told.groups())
            series, state, before = one.series(), one.checkpoint(13), first.checkpoint(13)
            check.below("    divergence after the projection", div_new, 1e-8)
            check.below("    volume in less out",
                        float(np.max(np.abs(series["flux_in"] - series["flux_out"]))), 1e-12)
            exact = name.startswith("stream")
            check.below("    divergence before the projection", div_raw, 1e-12 if exact else 0.01)
            check.below("    change of energy by the projection", abs(new / raw - 1),
                        1e-13 if exact else 5e-4)
            check.below("    energy over that of the old grid, less 1",
                        abs(series["kinetic_energy"][0] / old["kinetic_energy"][12] - 1),
                        1e-13 if exact else 0.01)
            for field in sorted(f for f in state.fields if f.startswith("outflow_")):
                mean = [np.array([np.average(s.fields[field][..., c], weights=area(s, field))
                                  for c in range(3)]) for s in (before, state)]
                check.below(f"    {field}: means over the face, less those of the old grid",
                            float(np.max(np.abs(mean[0] - mean[1]))), 1e-13 if exact else 0.02)
            again = kolmo.run(kc.merge(case, {"checkpoint": {"regrid": None}}), "--restart",
                              kc.checkpoint_path(one.folder, 13))
            check.same("    restart from there",
                       kc.differing_arrays(one.checkpoint(14).fields, again.checkpoint(14).fields))


def area(state, field):
    """Areas of the cells of a face, as its plane lies in a file."""
    a, b = [d for d in range(3) if "xyz"[d] != field.split("_")[1]]
    width = [np.diff(f) for f in state.face]
    return (width[b][:, None] * width[a][None, :]).reshape(state.fields[field].shape[:-1])


def couette(kolmo, check):
    """The linear profile between moving walls goes over to rounding, and stays."""
    start = kc.merge(WALLS["channel"],
                     {"initial": {"disturbance": 0.0}, "forcing": {"type": "none", "value": None},
                      "boundary": {"z_low_velocity": (-0.5, 0.0, 0.0), "z_high_velocity": (1.0, 0.25, 0.0)}})
    first = kolmo.run(start)
    for grid in WALL_GRIDS:
        state = kolmo.run(
            kc.merge(start, upto(STEPS + 3), {"grid": grid, "checkpoint": {"regrid": True, "interval": 3}}),
            "--restart",
            kc.checkpoint_path(first.folder, STEPS),
        ).checkpoint(STEPS + 3)
        z = kc.along(0.5 * (state.face[2][1:] + state.face[2][:-1]), 2)
        check.below("linear profile",
                    max(np.max(np.abs(state.fields["u"] + 0.5 - 0.75 * z)),
                        np.max(np.abs(state.fields["v"] - 0.125 * z))), 1e-13)


def same_folder(kolmo, check):
    """In the folder of the old grid: the series goes on, the old checkpoint stays; the next restart is exact
    again."""
    folder = kolmo.run(CASE).folder
    old = kc.file_bytes(kc.checkpoint_path(folder, STEPS))
    case = kc.merge(CASE, {"grid": GRIDS["finer"], "checkpoint": {"regrid": True}})
    kolmo.run(kc.merge(case, upto(STEPS)), "--restart", "latest", folder=folder)
    check.holds("no step: the checkpoint of the old grid is still there",
                old == kc.file_bytes(kc.checkpoint_path(folder, STEPS)))
    kolmo.run(kc.merge(case, upto(6)), "--restart", "latest", ranks=2, folder=folder)
    part = kolmo.run(kc.merge(case, upto(8)), "--restart", "latest", folder=folder)
    check.equal("steps of the series", [int(s) for s in part.series()["step"]], list(range(9)))
    check.holds("the second restart interpolates nothing", "interpolated" not in part.text)
    other = kolmo.place()
    kolmo.run(CASE, folder=other)
    whole = kolmo.run(kc.merge(case, upto(8)), "--restart", "latest", folder=other)
    check.same("one restart against two", kc.differences(whole, part, 8))


def other_box(kolmo, check):
    """Another box is refused, regrid or not."""
    first = kolmo.run(CASE)
    for grid, words in (({"length": (kc.TWO_PI, 5.0, 6.0)},
                         "the box in z: from 0 to 5.5 in the file, from 0 to 6 in the input"),
                        ({"origin": (1.0, 0.0, 0.0)}, "the box in x")):
        bad = kolmo.run(kc.merge(CASE, {"grid": grid, "checkpoint": {"regrid": True}}), "--restart", "latest",
                        folder=first.folder, rc=None)
        check.equal(f"{words}: exit code", bad.rc, 2)
        check.says("other box", bad.err, words)


def order(kolmo, check):
    """The energy of a Taylor-Green vortex taken to a grid half as fine again: its change falls with the
    square of the spacing."""
    change = []
    for n in (16, 32, 64):
        case = {"run": {"steps_max": 1}, "grid": {"n": (n, n, n)}, "fluid": {"nu": 0.0}, "time": {"dt": 1e-6}}
        first = kolmo.run(case)
        m = 3 * n // 2
        finer = kolmo.run(kc.merge(case, upto(2), {"grid": {"n": (m, m, m)}, "checkpoint": {"regrid": True}}),
                          "--restart",
                          kc.checkpoint_path(first.folder))
        change.append(abs(finer.series()["kinetic_energy"][0] / first.series()["kinetic_energy"][-1] - 1))
        check.below(f"{n}^3 to {m}^3: relative change of the energy", change[-1], 4.0 / n ** 2)
    for a, b in zip(change, change[1:]):
        check.above("order", np.log2(a / b), 1.8)


if __name__ == "__main__":
    kc.main(__doc__,
            [other_physics, other_boundary, control_may_change, other_grids, between_walls,
             through_open_faces, couette, same_folder, other_box, order])

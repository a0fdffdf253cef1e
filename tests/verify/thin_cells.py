#!/usr/bin/env python3
"""Cells that are thin in several directions.

Multigrid takes at most ten iterations a step where the stretching 'tanh' has factor 3 in all directions
(with --long in 85 flows), with the same bits on any ranks and after a restart; the log says where the direct
solver is faster, and 'auto' takes it. Implicit diffusion on width ratios of 7e5 runs, or --check and the run
refuse it with a step that runs. Would catch: coarse grids that keep the thin cells, a smoother that does not
damp what they can't show, a coarse cell between two ranks, a refusal without a remedy, a tolerance below
rounding."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

MOST = 10  # iterations a step
WALLS = {f"{d}_{side}": "wall" for d in "xyz" for side in ("low", "high")}
LID = {"boundary": dict(WALLS, z_high_velocity=(1.0, 0.0, 0.0)), "initial": {"type": "rest"}}
VORTEX = {"boundary": WALLS, "initial": {"type": "taylor-green"}}
THROUGH = {"boundary": {**{k: v for k, v in WALLS.items() if k[0] != "x"}, "x_low": "inflow",
                        "x_low_velocity": (1.0, 0.0, 0.0), "x_high": "outflow"},
           "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)}}
# coarse cells begin at other places than ranks in each of these
LAYOUTS = ((2, 1, 1), (1, 2, 1), (1, 1, 2), (2, 2, 1), (1, 1, 4), (2, 2, 2))


def cavity(n, factor, *more):
    """A cavity of length 2 with cells that are thin beside all walls."""
    return kc.merge({"run": {"steps_max": 12},
                     "grid": {"n": n, "length": (2.0, 2.0, 2.0), "stretching": ("tanh",) * 3,
                              "stretching_factor": factor},
                     "fluid": {"nu": 0.01}}, *more)


def log_of(result):
    """The text of run.log."""
    with open(os.path.join(result.folder, "run.log"), encoding="utf-8") as file:
        return file.read()


def iterations(kolmo, check):
    """The most of any step, in flows that stop and that start, of sizes that halve well and do not."""
    for n in ((32, 32, 32), (33, 65, 47), (48, 32, 40), (40, 24, 36)):
        for name, flow in (("lid", LID), ("vortex", VORTEX)):
            s = kolmo.run(cavity(n, (3.0, 3.0, 3.0), flow)).series()
            check.below(f"{n}, {name}: iterations a step", int(s["pressure_iterations"].max()), MOST)
    # uniform starts between walls, whose first step is the hardest; boxes that are not cubes, few cells
    for n, length in (((32, 32, 32), (2.0, 2.0, 2.0)), ((24, 24, 24), (6.0, 2.0, 2.0)),
                      ((36, 28, 40), (2.0, 4.0, 1.0))):
        s = kolmo.run(cavity(n, (3.0, 3.0, 3.0), THROUGH, {"grid": {"length": length},
                                                          "run": {"steps_max": 3}})).series()
        check.below(f"{n}, {length}, from inflow to outflow: iterations a step",
                    int(s["pressure_iterations"].max()), MOST)
    s = kolmo.run(cavity((48, 48, 48), (4.0, 4.0, 4.0), LID)).series()
    check.below("factor 4: iterations a step", float(s["pressure_iterations"][1:].mean()), 12)


def sweep_flows(stretched):
    """Name, faces and start of flows that are periodic in the directions that are not stretched."""
    for kind in ("wall", "slip"):
        faces = {f"{d}_{side}": kind for d in stretched for side in ("low", "high")}
        yield kind, faces, VORTEX["initial"]
    walls = {f"{d}_{side}": "wall" for d in stretched for side in ("low", "high")}
    last = stretched[-1]  # its wall moves in both of the other directions
    along = tuple(float(d != last) for d in "xyz")
    yield "lid", dict(walls, **{f"{last}_high_velocity": along}), LID["initial"]
    for d in "xz":
        speed = tuple(float(d == other) for other in "xyz")
        yield (f"through {d}", dict(walls, **{f"{d}_low": "inflow", f"{d}_low_velocity": speed,
                                              f"{d}_high": "outflow"}),
               {"type": "uniform", "velocity": speed})


def sweep_grids():
    """Cells, lengths, and which directions are stretched."""
    cube = (2.0, 2.0, 2.0)
    for n in ((32, 32, 32), (33, 47, 40)):
        yield from ((n, cube, stretched) for stretched in ("xy", "xz", "yz", "xyz"))
    for n in ((24, 24, 24), (36, 28, 40), (64, 32, 32)):
        yield from ((n, length, "xyz") for length in (cube, (6.0, 2.0, 2.0), (2.0, 4.0, 1.0)))


def sweep(kolmo, check):
    """Factor 3 in pairs of directions and in all three, with other faces and boxes; with --long alone."""
    if not kolmo.options.long:
        return
    first, later = [], []
    for n, length, stretched in sweep_grids():
        grid = {"n": n, "length": length, "stretching_factor": tuple(3.0 * (d in stretched) for d in "xyz"),
                "stretching": tuple("tanh" if d in stretched else "uniform" for d in "xyz")}
        for name, faces, initial in sweep_flows(stretched):
            s = kolmo.run({"run": {"steps_max": 3}, "fluid": {"nu": 0.01}, "boundary": faces,
                           "initial": initial, "grid": grid}).series()
            name = f"{n}, {length}, {stretched} stretched, {name}"
            first.append(int(s["pressure_iterations"][1]))
            later.append(int(s["pressure_iterations"][2:].max()))
            check.below(f"{name}: iterations of the first step", first[-1], MOST)
            check.below(f"{name}: of a later step", later[-1], MOST)
    print(f"    {len(first)} flows: {min(first)} to {max(first)} iterations in the first step, "
          f"{min(later)} to {max(later)} later")


def layouts(kolmo, check):
    """The same bits on any ranks, and after a restart on other ones."""
    case = cavity((26, 23, 29), (3.0, 3.5, 2.5), LID, {"run": {"steps_max": 4},
                                                       "checkpoint": {"interval": 2, "keep": 4}})
    one = kolmo.run(case)
    for layout in LAYOUTS:
        ranks = layout[0] * layout[1] * layout[2]
        other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=ranks)
        check.same(f"{' x '.join(map(str, layout))} ranks", kc.differences(one, other))
    again = kolmo.run(case, "--restart", kc.checkpoint_path(one.folder, 2), ranks=2)
    check.same("fields after the restart",
               kc.differing_arrays(one.checkpoint(4).fields, again.checkpoint(4).fields))


def faster(kolmo, check):
    """The log compares with the direct solver where cells are thin in several directions, and only there."""
    short = {"run": {"steps_max": 1}}
    thin = cavity((32, 32, 32), (3.0, 3.0, 3.0), LID, short)
    log = log_of(kolmo.run(thin))
    check.holds("the log has both times and the faster one",
                re.search(r"2 iterations take \S+ ms, a solve with pressure.preconditioner = 'direct' \S+ ms"
                          r", which is faster here", log), log)
    for factor in ((2.0, 2.0, 2.0), (0.0, 1.5, 1.5)):  # complete directions are halved
        laws = tuple("tanh" if f > 0 else "uniform" for f in factor)
        log = log_of(kolmo.run(kc.merge(thin, {"grid": {"stretching": laws, "stretching_factor": factor}})))
        check.holds(f"factors {factor}: compared, too", "coarsened where cells are thin" not in log
                    and "a solve with pressure.preconditioner = 'direct'" in log, log)
    log = log_of(kolmo.run(kc.merge(thin, {"pressure": {"preconditioner": "auto"}})))
    check.says("'auto'", log, "preconditioner chosen: direct")
    plain = kc.merge(thin, {"grid": {"stretching_factor": (0.5, 0.5, 0.5)}})
    log = log_of(kolmo.run(plain))
    check.holds("nothing is compared on usual grids", "'direct'" not in log, log)


def implicit(kolmo, check):
    """Width ratios of 7e5. --check and the run refuse the same steps, and the dt that they give runs."""
    says = ("time.diffusion = 'implicit'", "weaker stretching", "time.dt up to")
    direct = {"pressure": {"preconditioner": "direct"}}
    refused = {"vortex": (VORTEX, {}), "lid": (LID, {}), "lid, dt given": (LID, {"dt": 1e-3})}
    for name, (flow, time) in refused.items():
        case = cavity((32, 32, 32), (7.7, 7.7, 7.7), flow,
                      {"time": dict(time, diffusion="implicit"), "run": {"steps_max": 2}})
        told = kolmo.call("--check", kolmo.write(case, kolmo.place()), rc=2).err
        check.says(f"{name}: --check", told, *says)
        check.says(f"{name}: the run", kolmo.run(case, rc=2).err, *says)
        if name == "lid":
            dt = float(re.search(r"time.dt up to ([\d.e+-]+),", told).group(1))
            s = kolmo.run(kc.merge(case, direct, {"time": {"dt": dt}})).series()
            check.equal("steps with the dt of the message", len(s["dt"]), 3)
    channel = kc.merge(cavity((16, 16, 32), (0.0, 0.0, 7.7)),
                       {"grid": {"length": (6.0, 3.0, 2.0), "stretching": ("uniform", "uniform", "tanh")},
                        "boundary": {"z_low": "wall", "z_high": "wall"}, "initial": {"type": "channel"},
                        "time": {"diffusion": "implicit", "dt": 2e-3}, "run": {"steps_max": 4},
                        "pressure": {"preconditioner": "direct"}})
    check.equal("steps of a channel", len(kolmo.run(channel).series()["dt"]), 5)
    # rounding leaves more than time.diffusion_tolerance beside the lid, and the run goes on
    case = cavity((32, 32, 32), (6.0, 6.0, 6.0), LID, {"time": {"diffusion": "implicit"},
                                                       "run": {"steps_max": 4},
                                                       "pressure": {"preconditioner": "direct"}})
    check.equal("steps beside a lid", len(kolmo.run(case).series()["dt"]), 5)


if __name__ == "__main__":
    kc.main(__doc__, [iterations, sweep, layouts, faster, implicit])

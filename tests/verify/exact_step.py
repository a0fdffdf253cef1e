#!/usr/bin/env python3
"""The exact fractional step, pressure.method = 'exact': velocity without divergence whatever the tolerance,
and the same flow as the projection and as the independent reference.

Would catch: a curl whose divergence is not zero, a potential that drifts between stages, an operator that is
not the one with implicit diffusion unsplit, a tolerance that does not bound the velocity's error, an old
pressure gradient left in the prediction, a mean velocity lost, a guess that the checkpoint lacks or that
leaves its trace in the result, an edge of a halo that is stale, a pressure in the files that is not the
flow's."""
import glob
import math
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(HERE, "..", "reference"))
import kolmo_case as kc  # noqa: E402
import navier_stokes  # noqa: E402

GRIDS = {"uniform": {"n": (16, 12, 10), "length": (kc.TWO_PI, 5.0, 5.5)},
         "stretched": {"n": (18, 12, 10), "length": (kc.TWO_PI, 5.0, 5.5),
                       "stretching": ("sine", "uniform", "tanh"),
                       "stretching_factor": (0.4, 0.0, 1.1)}}
WAVES = {"type": "isotropic", "velocity": (0.3, -0.2, 0.1)}
VORTEX = {"type": "taylor-green", "velocity": (0.4, -0.3, 0.2)}
EXACT = {"pressure": {"method": "exact", "preconditioner": "multigrid"}}
MODES = [(s, d) for s in ("rk3-half", "rk3-wray") for d in ("explicit", "implicit")]
ROUNDING = 1e-12  # of max|div u| h/U
NU = {"explicit": 0.02, "implicit": 0.2}


def case_of(grid, scheme, diffusion, initial, dt=0.04, steps=5, **pressure):
    """A case of the exact method."""
    return kc.merge(EXACT,
                    {"run": {"steps_max": steps, "seed": 3}, "grid": GRIDS[grid],
                     "fluid": {"nu": NU[diffusion]},
                     "time": {"scheme": scheme, "diffusion": diffusion, "dt": dt}, "initial": initial,
                     "pressure": pressure})


def apart(a, b):
    """Largest difference of two velocities over the largest speed."""
    return max(np.max(np.abs(p - q)) for p, q in zip(a, b)) / max(np.max(np.abs(q)) for q in b)


def divergence(kolmo, check):
    """At rounding level with the loosest tolerance, and the momentum as at the start."""
    for grid in GRIDS:
        for scheme, diffusion in MODES:
            for preconditioner in ("multigrid", "direct", "jacobi"):
                label = f"{grid}, {scheme}, {diffusion}, {preconditioner}"
                case = case_of(grid, scheme, diffusion, WAVES, tolerance=1e-2, preconditioner=preconditioner)
                result = kolmo.run(case)
                check.below(f"{label}: max|div u| h/U", result.checkpoint().scaled_divergence(), ROUNDING)
                s = result.series()
                drift = max(np.max(np.abs(s[f"momentum_{d}"] - s[f"momentum_{d}"][0])) for d in "xyz")
                check.below(f"{label}: change of momentum", drift, 1e-13)


def long_run(kolmo, check):
    """What rounding adds to the divergence in 200 steps."""
    for scheme in ("rk3-half", "rk3-wray"):
        s = kolmo.run(case_of("stretched", scheme, "explicit", WAVES, dt=0.02, steps=200)).series()
        check.below(f"{scheme}: max|div u| after 200 steps over that after 1",
                    s["divergence_max"][-1] / s["divergence_max"][1], 40)


def like_projection(kolmo, check):
    """The same velocity as by a projection solved to 1e-12: the difference is the tolerance's, and falls with
    it."""
    for grid in GRIDS:
        for scheme, diffusion in MODES:
            label = f"{grid}, {scheme}, {diffusion}"
            case = case_of(grid, scheme, diffusion, WAVES)
            fine = {"pressure": {"method": "projection", "tolerance": 1e-12}}
            if diffusion == "implicit":
                fine["time"] = {"diffusion_tolerance": 1e-13}
            wanted = kolmo.run(kc.merge(case, fine)).checkpoint()
            for tolerance in (1e-4, 1e-7, 1e-10) if kolmo.options.long else (1e-4, 1e-10):
                found = kolmo.run(kc.merge(case, {"pressure": {"tolerance": tolerance}})).checkpoint()
                # h/U max|curl e| <= tolerance: e of a wave as long as the box is n/(2 pi) times that; 15
                # stages add up
                check.below(f"{label}: velocity, tolerance {tolerance:g}",
                            apart(found.velocity, wanted.velocity), 15 * 3 * tolerance)


def like_reference(kolmo, check):
    """Against the independent program, whose implicit diffusion is solved for directly."""
    for grid, g in GRIDS.items():
        for scheme, diffusion in MODES:
            steps, dt = 4, 0.05
            result = kolmo.run(case_of(grid, scheme, diffusion, VORTEX, dt=dt, steps=steps,
                                       tolerance=1e-11)).checkpoint()
            _, solver = navier_stokes.run_case(
                {"n": g["n"], "length": g["length"], "stretching": g.get("stretching", ("uniform",) * 3),
                 "factor": g.get("stretching_factor", (0.0,) * 3), "nu": NU[diffusion], "scheme": scheme,
                 "diffusion": diffusion, "initial": VORTEX, "dt": dt, "steps": steps})
            check.below(f"{grid}, {scheme}, {diffusion}: velocity", apart(result.velocity, solver.vel), 1e-9)
            ref = solver.grid
            force = [q + NU[diffusion] * navier_stokes.laplacian(ref, location, v) if diffusion == "implicit"
                     else q
                     for q, location, v in zip(solver.right_hand_side(solver.vel),
                                               navier_stokes.VELOCITY_LOCATIONS, solver.vel)]
            p = solver.poisson.solve(0.0, 1.0, navier_stokes.divergence(ref, force))
            volume = ref.volume("ccc")
            p = p - np.sum(volume * p) / np.sum(volume)
            check.below(f"{grid}, {scheme}, {diffusion}: pressure of that time",
                        np.max(np.abs(result.fields["p"] - p)) / np.max(np.abs(p)), 1e-8)


def order(kolmo, check):
    """Order in time: that of the scheme, 2 with implicit diffusion; no order is lost to a splitting."""
    for scheme, diffusion, least in (("rk3-half", "explicit", 1.95), ("rk3-wray", "explicit", 2.95),
                                     ("rk3-half", "implicit", 1.95),
                                     ("rk3-wray", "implicit", 1.95)):
        v = []
        for steps in (20, 40, 80):
            case = case_of("stretched", scheme, diffusion, VORTEX, dt=0.8 / steps, steps=steps,
                           tolerance=1e-11)
            v.append(np.concatenate([q.ravel() for q in kolmo.run(case).checkpoint().velocity]))
        first, second = (math.sqrt(float(np.mean((a - b) ** 2))) for a, b in zip(v, v[1:]))
        check.above(f"{scheme}, {diffusion}: order in time, differences {first:.2e}, {second:.2e}",
                    math.log2(first / second), least)


def ranks(kolmo, check):
    """The same bits on several ranks."""
    for scheme, diffusion, preconditioner, layouts in (("rk3-half", "explicit", "multigrid",
                                                        ((2, 1, 1), (1, 2, 2))),
                                                       ("rk3-half", "implicit", "direct",
                                                        ((1, 1, 2), (2, 2, 1))),
                                                       ("rk3-wray", "implicit", "multigrid",
                                                        ((1, 1, 2), (2, 2, 1))),
                                                       ("rk3-wray", "explicit", "jacobi",
                                                        ((2, 1, 1), (1, 2, 2)))):
        case = case_of("stretched", scheme, diffusion, WAVES, steps=3, preconditioner=preconditioner)
        one = kolmo.run(case)
        for layout in layouts:
            other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=int(np.prod(layout)))
            check.same(f"{scheme}, {diffusion}, {preconditioner}, {' x '.join(map(str, layout))} ranks",
                       kc.differences(one, other))


def restart(kolmo, check):
    """Stopped and restarted equals the run that never stopped, also on other ranks; from a projection's
    checkpoint and back."""
    for scheme, diffusion, guess, where in (("rk3-half", "explicit", "lli", (1, 1, 1)),
                                            ("rk3-half", "implicit", "previous", (1, 1, 2)),
                                            ("rk3-wray", "explicit", "lli", (2, 1, 1)),
                                            ("rk3-wray", "implicit", "zero", (1, 1, 1))):
        case = kc.merge(case_of("stretched", scheme, diffusion, WAVES, steps=6, guess=guess),
                        {"checkpoint": {"interval": 3}})
        whole, folder = kolmo.run(case), kolmo.place()
        kolmo.run(kc.merge(case, {"run": {"steps_max": 3}}), folder=folder)
        part = kolmo.run(kc.merge(case, {"grid": {"ranks": where}}), "--restart", "latest",
                         ranks=int(np.prod(where)), folder=folder)
        check.same(f"{scheme}, {diffusion}, {guess}: two halves", kc.differences(whole, part))
    case = case_of("stretched", "rk3-half", "explicit", WAVES, steps=6)
    for first, second in (("projection", "exact"), ("exact", "projection")):
        folder = kolmo.place()
        kolmo.run(kc.merge(case, {"run": {"steps_max": 3}, "pressure": {"method": first}}), folder=folder)
        both = kolmo.run(kc.merge(case, {"pressure": {"method": second}}), "--restart", "latest",
                         folder=folder).checkpoint()
        whole = kolmo.run(kc.merge(case, {"pressure": {"method": second}})).checkpoint()
        check.below(f"{first}, then {second}: velocity", apart(both.velocity, whole.velocity), 1e-4)
        if second == "exact":
            check.below(f"{first}, then {second}: max|div u| h/U", both.scaled_divergence(), ROUNDING)


def files(kolmo, check):
    """Files of fields hold the pressure of their time, at step 0 too, and writing them leaves the flow
    alone."""
    case = case_of("stretched", "rk3-half", "explicit", VORTEX, steps=4)
    plain, written = kolmo.run(case), kolmo.run(
        kc.merge(case, {"output": {"field_interval": 2, "field_precision": "double"}})
    )
    check.same("checkpoint with files of fields between the steps", kc.differences(plain, written))
    paths = sorted(glob.glob(os.path.join(written.folder, "fields_*.h5")))
    check.equal("files of fields", len(paths), 3)
    p = [kc.read_fields(path)["pressure"] for path in paths]
    check.same("pressure of the last file, against the checkpoint",
               kc.differing_arrays({"p": p[-1]}, {"p": written.checkpoint().fields["p"]}))
    check.above("largest pressure at step 0", np.max(np.abs(p[0])), 0.1)


def refusals(kolmo, check):
    """What the method has no use for is refused."""
    case = case_of("uniform", "rk3-half", "implicit", VORTEX)
    for text, given in (("polynomial", {"pressure": {"preconditioner": "polynomial"}}),
                        ("relative", {"pressure": {"relative": 0.1}}),
                        ("iterations", {"pressure": {"iterations": 2}}),
                        ("diffusion_tolerance", {"time": {"diffusion_tolerance": 1e-9}})):
        result = kolmo.run(kc.merge(case, given), rc=2)
        check.says(f"{text} with method = 'exact'", result.text, text, "pressure.method")


if __name__ == "__main__":
    kc.main(__doc__,
            [divergence, long_run, like_projection, like_reference, order, ranks, restart, files, refusals])

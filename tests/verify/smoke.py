#!/usr/bin/env python3
"""Short runs in every mode: exit code 0, a sane energy, the divergence within its tolerance. For builds whose
arithmetic or checks differ: --real float, sanitizers.

Would catch: a mode that does not run in this build, memory misused (under a sanitizer), a tolerance that the
arithmetic cannot reach, a restart that this build refuses. --real float: pressure.tolerance 1e-4, sums to
single precision."""
import glob
import json
import os
import re
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

SECONDS = 300  # of one run: sanitizers are slow
STEPS = 4
SINE = {"stretching": ("sine", "uniform", "tanh"), "stretching_factor": (0.3, 0.0, 0.8)}
CASE = {"run": {"steps_max": STEPS}, "grid": {"n": (16, 12, 10), "length": kc.CUBE}, "fluid": {"nu": 0.02},
        "initial": {"type": "taylor-green"}}
# energy of the initial flow over the volume, where it is a simple number on a uniform grid
ENERGY = {"taylor-green": 0.125, "taylor-green-2d": 0.25, "abc": 1.5, "isotropic": 1.5}


def tolerance(kolmo):
    """What this arithmetic reaches."""
    return 1e-4 if kolmo.options.real == "float" else 1e-7


def judge(kolmo, check, label, case, ranks=1, *args, folder=None, implicit=False):
    """Runs a case and checks its series and its end."""
    single = kolmo.options.real == "float"
    given = {"pressure": {"tolerance": tolerance(kolmo)}}
    if implicit:
        given["time"] = {"diffusion": "implicit", "diffusion_tolerance": 1e-5 if single else 1e-9}
    result = kolmo.run(kc.merge(CASE, given, case), *args, ranks=ranks, seconds=SECONDS, folder=folder)
    s = result.series()
    check.equal(f"{label}: last step", int(s["step"][-1]), kc.merge(CASE, case)["run"]["steps_max"])
    check.holds(f"{label}: every number is finite",
                all(np.all(np.isfinite(v)) for n, v in s.items() if n not in kc.FITTED))
    check.below(f"{label}: divergence_max", np.max(s["divergence_max"]), tolerance(kolmo))
    energy = s["kinetic_energy"]
    check.below(f"{label}: largest rise of the energy in a step", np.max(np.diff(energy) / energy[:-1]),
                1e-5 if single else 1e-6)
    check.above(f"{label}: energy left", energy[-1] / energy[0], 0.3)
    drift = max(np.max(np.abs(s[f"momentum_{d}"] - s[f"momentum_{d}"][0])) for d in "xyz")
    check.below(f"{label}: change of momentum", drift, 2e-5 if single else 1e-9)
    c = result.checkpoint(STEPS)
    wanted = np.float32 if single else np.float64
    check.holds(f"{label}: checkpoint of {np.dtype(wanted).name}",
                all(f.dtype == wanted for f in c.fields.values()),
                {n: str(f.dtype) for n, f in c.fields.items()})
    return result


def schemes(kolmo, check):
    """Both schemes, explicit and implicit, uniform and stretched, 1 and 2 ranks."""
    for scheme in ("rk3-half", "rk3-wray"):
        for implicit in (False, True):
            for number, grid in enumerate(({}, SINE)):
                judge(kolmo, check, f"{scheme}, {'implicit' if implicit else 'explicit'}, "
                                    f"{'stretched' if grid else 'uniform'}",
                      {"grid": grid, "time": {"scheme": scheme}}, 1 + number, implicit=implicit)


def initial_flows(kolmo, check):
    """Every initial flow."""
    for flow in ("taylor-green", "taylor-green-2d", "abc", "beltrami", "isotropic"):
        result = judge(kolmo, check, flow, {"initial": {"type": flow}})
        if flow in ENERGY:
            check.near(f"{flow}: energy at the start", result.series()["kinetic_energy"][0], ENERGY[flow],
                       0.02 * ENERGY[flow])
    for spectrum in ("gaussian", "von-karman"):
        judge(kolmo, check, f"isotropic, {spectrum}, stretched, 2 ranks",
              {"initial": {"type": "isotropic", "spectrum": spectrum, "velocity": (0.2, 0.1, -0.1)},
               "grid": SINE}, 2)
    uniform = judge(kolmo, check, "uniform", {"initial": {"type": "uniform", "velocity": (1.0, 0.5, -0.5)}})
    check.near("uniform: energy", uniform.series()["kinetic_energy"][-1], 0.75, 1e-5)
    rest = kolmo.run(kc.merge(CASE, {"initial": {"type": "rest"}, "time": {"dt": 0.1},
                                     "pressure": {"tolerance": tolerance(kolmo)}}), seconds=SECONDS).series()
    check.equal("rest stays at rest: energy", float(np.max(rest["kinetic_energy"])), 0.0)


def pressure(kolmo, check):
    """Every preconditioner and guess."""
    for given in ({"preconditioner": "jacobi"}, {"preconditioner": "polynomial", "degree": 1},
                  {"preconditioner": "polynomial", "degree": 2},
                  {"preconditioner": "polynomial", "degree": 6, "ratio": 30.0},
                  {"preconditioner": "multigrid", "smoothing": 1, "transfer": "constant"},
                  {"preconditioner": "direct"},
                  {"preconditioner": "auto"}, {"iterations": 2},
                  {"preconditioner": "polynomial", "iterations": 3},
                  {"relative": 1e-6 if kolmo.options.real == "double" else 1e-3},
                  {"guess": "zero"}, {"guess": "previous"}, {"guess": "linear"}):
        label = ", ".join(f"{n} = {v}" for n, v in given.items())
        judge(kolmo, check, label, {"pressure": given, "initial": {"type": "isotropic"}, "grid": SINE},
              2 if "preconditioner" in given else 1)


def files(kolmo, check):
    """Field files of both precisions, checkpoints on the way, a restart, a stop by t_end."""
    case = {"initial": {"type": "isotropic"}, "grid": SINE, "checkpoint": {"interval": 2},
            "output": {"field_interval": 2, "fields_vorticity": True}}
    for ranks, precision in ((1, "single"), (2, "double")):
        first = judge(kolmo, check, f"files, {precision}, {ranks} ranks",
                      kc.merge(case, {"output": {"field_precision": precision}}),
                      ranks)
        found = sorted(os.path.basename(p) for p in glob.glob(os.path.join(first.folder, "fields*")))
        check.equal(f"files, {precision}: written", found,
                    ["fields.xdmf"] + [f"fields_{n:08d}.h5" for n in (0, 2, 4)])
        more = kolmo.run(kc.merge(CASE, case,
                                  {"run": {"steps_max": 6}, "pressure": {"tolerance": tolerance(kolmo)}}),
                         "--restart", "latest", ranks=3 - ranks, folder=first.folder, seconds=SECONDS)
        check.equal(f"files, {precision}: restarted, steps of the series",
                    [int(n) for n in more.series()["step"]], list(range(7)))
    end = kolmo.run(kc.merge(CASE,
                             {"run": {"t_end": 0.3, "steps_max": None},
                              "pressure": {"tolerance": tolerance(kolmo)}}),
                    seconds=SECONDS)
    check.near("t_end: last time", end.series()["time"][-1], 0.3, 1e-12)


def forced(kolmo, check):
    """Turbulence of a box under each law of its forcing: finite numbers, the power that is asked for, the
    same bits on 2 ranks, and a restart that lets it decay."""
    single = kolmo.options.real == "float"
    flow = {"initial": {"type": "isotropic", "k_peak": 2.0, "u_rms": 0.6}, "history": {"interval": 2},
            "time": {"dt": 0.05}, "pressure": {"tolerance": tolerance(kolmo)}}
    random = {"law": "ornstein-uhlenbeck", "correlation_time": 1.0}
    for name, forcing in (("energy", {"type": "linear", "value": 0.5}),
                          ("power", {"type": "linear", "control": "power", "value": 0.2}),
                          ("constant power", {"type": "low-wavenumber", "value": 0.2}),
                          ("random", {"type": "low-wavenumber", "value": 0.5, **random})):
        case = kc.merge(CASE, flow, {"forcing": forcing})
        one, two = (kolmo.run(case, ranks=n, seconds=SECONDS) for n in (1, 2))
        check.same(f"{name}: 1 and 2 ranks", kc.differences(one, two))
        power = one.series()["force_power"][1:]
        check.above(f"{name}: size of the power", float(np.min(np.abs(power))), 1e-5)
        if "power" in name:
            check.below(f"{name}: power less the one asked for", float(np.max(np.abs(power - 0.2))),
                        1e-6 if single else 1e-13)
        history = kc.read_fields(os.path.join(one.folder, "history.nc"))
        check.equal(f"{name}: records of history.nc", [int(n) for n in history["step"]], [0, 2, 4])
        check.holds(f"{name}: spectra are finite", bool(np.all(np.isfinite(history["E"]))))
        off = kc.merge(case, {"forcing": {"decay": True}, "run": {"steps_max": STEPS + 2}})
        s = kolmo.run(off, "--restart", kc.checkpoint_path(one.folder), seconds=SECONDS).series()
        check.equal(f"{name}: power of the decay", float(np.max(np.abs(s["force_power"]))), 0.0)
        check.holds(f"{name}: the energy falls", bool(np.all(np.diff(s["kinetic_energy"]) < 0)))
    back = {"initial": {"type": "uniform", "velocity": (-1.0, 0.5, 0.0)}, "time": {"dt": 0.05}}
    power = kolmo.run(kc.merge(CASE, back), seconds=SECONDS).series()["force_power"]
    check.holds("no force, a negative momentum: power 0, not -0", not np.any(power) and
                not np.any(np.signbit(power)), str(power))


def words(kolmo, check):
    """What needs no run: the options, and inputs that are refused."""
    for option in ("--help", "--help-input", "--version"):
        check.holds(option, len(kolmo.call(option, seconds=SECONDS).out) > 50)
    check.says("--version", kolmo.call("--version", seconds=SECONDS).out, f"arithmetic {kolmo.options.real}")
    folder = kolmo.place()
    path = kolmo.write(kc.merge(CASE, {"time": {"clf": 0.5}}), folder)
    bad = kolmo.call(path, rc=None, seconds=SECONDS)
    check.equal("refused: exit code", bad.rc, 2)
    check.says("refused", bad.err, "did you mean 'cfl'?")
    path = kolmo.write(CASE, folder)
    check.says("--check", kolmo.call(path, "--check", seconds=SECONDS).out, "The input is valid.")
    low = kolmo.run(kc.merge(CASE, {"pressure": {"max_iterations": 1, "tolerance": tolerance(kolmo)},
                                    "initial": {"type": "isotropic"}}), rc=3, seconds=SECONDS)
    check.says("no convergence", low.err, "pressure.max_iterations")


def profile(kolmo, check):
    """--profile: the table, the timeline; a timeline that can't be written costs no checkpoint."""
    case = kc.merge(CASE, {"run": {"steps_max": 3}, "pressure": {"tolerance": tolerance(kolmo)}})
    done = kolmo.run(case, "--profile", ranks=2, seconds=SECONDS)
    check.says("profile", done.out, "profile of 2 steps, means over 2 ranks", "pressure", "hidden")
    table = done.out.partition("hidden\n")[2]
    shares = [float(s)
              for s in re.findall(r"^ +[a-z][a-z ]* +[\d.]+ +[\d.]+ +[\d.]+ +(\S+) %$", table, re.MULTILINE)]
    check.holds("profile: every hidden share is between 0 and 100 %",
                len(shares) > 1 and all(0 <= s <= 100 for s in shares),
                table[:400])
    with open(os.path.join(done.folder, "timeline.json"), encoding="utf-8") as source:
        bars = [e for e in json.load(source) if e["ph"] == "X"]
    check.holds("profile: the timeline's bars have a length", bars and all(b["dur"] >= 0 for b in bars))
    hidden = [b["args"]["hidden"] for b in bars if "args" in b]
    check.holds("profile: the timeline's exchanges tell what was hidden",
                hidden and all(0 <= h <= 1 for h in hidden), hidden)
    one = kolmo.run(kc.merge(case, {"run": {"steps_max": 1}}), "--profile", ranks=2, seconds=SECONDS)
    check.says("profile of 1 step", one.out, "profile: the first step is not counted: take 2 or more")
    check.holds("profile of 1 step: no table", "ms/step" not in one.out)
    os.remove(os.path.join(one.folder, "timeline.json"))
    os.mkdir(os.path.join(one.folder, "timeline.json"))
    more = kolmo.run(case, "--restart", "latest", "--profile", folder=one.folder, seconds=SECONDS)
    check.says("timeline that can't be written", more.out, "warning: can't open", "timeline.json",
               "finished: step 3")
    check.equal("timeline that can't be written: checkpoints", more.steps(), [1, 3])


def bodies(kolmo, check):
    """A body at rest, one that travels, and one that vanishes: free of divergence, the same on 2 ranks."""
    sphere = {"shape": ("sphere",), "centre": (3.1, 2.9, 3.3), "size": (2.4, 0.0, 0.0)}
    for label, more in (("at rest", {}), ("that travels", {"motion": ("translate",),
                                                           "velocity": (0.5, -0.3, 0.2)}),
                        ("that vanishes", {"remove_time": (0.1,)})):
        case = kc.merge(CASE, {"grid": SINE, "time": {"dt": 0.05}, "bodies": dict(sphere, **more),
                               "pressure": {"tolerance": tolerance(kolmo)}})
        one, two = (kolmo.run(case, ranks=n, seconds=SECONDS) for n in (1, 2))
        s = one.series()
        check.below(f"a body {label}: divergence_max", np.max(s["divergence_max"]), tolerance(kolmo))
        check.holds(f"a body {label}: the energy is finite and above 0", np.all(s["kinetic_energy"] > 0))
        check.holds(f"a body {label}: the same bits on 2 ranks", all(
            np.array_equal(one.checkpoint().fields[n], two.checkpoint().fields[n]) for n in "uvwp"))
        with h5py.File(os.path.join(one.folder, "bodies.nc"), "r") as f:
            check.equal(f"a body {label}: records", len(f["step"]), 2 if "remove_time" in more else STEPS)
            check.holds(f"a body {label}: finite forces", np.all(np.isfinite(f["force_x"][:])))


def unused(kolmo, check):
    """Inputs of the other backend: refused by --check as by the run, or said to have no effect."""
    if "backend cpu" not in kolmo.call("--version", seconds=SECONDS).out:
        check.skip("unused", "of the CPU build")
        return
    case = kc.merge(CASE, {"run": {"steps_max": 1}, "pressure": {"tolerance": tolerance(kolmo)}})
    for transport in ("peer", "cuda-aware", "host"):
        for args, ranks in ((("--check",), 1), (("--check",), 2), ((), 1)):
            bad = kolmo.run(kc.merge(case, {"device": {"transport": transport}}), *args, ranks=ranks, rc=2,
                            seconds=SECONDS)
            check.says(f"transport {transport}, {ranks} ranks {' '.join(args)}", bad.err, "case.nml:",
                       f": error: device.transport = '{transport}' exists in the CUDA build only")
            check.holds(f"transport {transport}, {ranks} ranks {' '.join(args)}: not called valid",
                        "valid" not in bad.out)
    for name, value in (("tuning", False), ("tuning_file", "tuning.txt")):
        done = kolmo.run(kc.merge(case, {"device": {name: value}}), seconds=SECONDS)
        with open(os.path.join(done.folder, "run.log"), encoding="utf-8") as source:
            check.says(f"device.{name}", source.read(),
                       f"warning: device.{name} has no effect: the CPU build has one launch shape for each "
                       "kernel")
    check.holds("no word of them otherwise", "has no effect" not in kolmo.run(case, seconds=SECONDS).text)


if __name__ == "__main__":
    kc.main(__doc__, [schemes, initial_flows, pressure, files, forced, words, profile, bodies, unused])

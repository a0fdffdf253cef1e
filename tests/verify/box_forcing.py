#!/usr/bin/env python3
"""The forcing of turbulence in a periodic box: what each control and law holds, order in time, the same
bits on any ranks and through a restart, what --check foretells, what is refused.

Would catch: a power that is not the one asked for, a mean velocity that the force sets in motion, a force
from the velocity of the wrong stage, sums that depend on the ranks, a controller that forgets its past at a
restart, a target that gives another viscosity, an input that is read and ignored."""
import math
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import h5py  # noqa: E402
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402

BY = 0.15  # how far below the wanted order a slope may be
LINEAR = {"none": 0.2, "power": 0.2, "energy": 0.6, "dissipation": 0.2}  # control: value


def box(forcing, n=(16, 16, 16), **groups):
    """Random waves, then what the forcing makes of them."""
    return kc.merge({"run": {"steps_max": 12}, "grid": {"n": n}, "fluid": {"nu": 0.02},
                     "initial": {"type": "isotropic", "k_peak": 2.0, "u_rms": 0.6},
                     "pressure": {"tolerance": 1e-10}, "forcing": forcing}, groups)


def linear(control, **more):
    """The group &forcing of linear forcing."""
    return {"type": "linear", "control": control, "value": LINEAR[control], **more}


def waves(**more):
    """The group &forcing of a force in the lowest waves, with constant power unless told otherwise."""
    return {"type": "low-wavenumber", "value": 0.2, **more}


RANDOM = {"law": "ornstein-uhlenbeck", "correlation_time": 1.0, "value": 0.5}


def oblong(case):
    """Unequal sides, uniform spacings."""
    return kc.merge(case, {"grid": {"n": (24, 12, 16), "length": (9.0, 4.0, 6.0)}})


def stretched(case):
    """Unequal sides and spacings."""
    return kc.merge(case, {"grid": {"n": (16, 12, 20), "length": (6.0, 4.0, 7.0),
                                    "stretching": ("sine", "uniform", "sine"),
                                    "stretching_factor": (0.3, 0.0, 0.4)}})


def velocity(result):
    """Velocity of all faces in one array."""
    return np.concatenate([q.ravel() for q in result.checkpoint().velocity])


def powers(kolmo, check):
    """The power of each control, the budget of the energy, the mean velocity."""
    for name, shape in (("cube", lambda c: c), ("stretched", stretched)):
        for control, value in LINEAR.items():
            s = kolmo.run(shape(box(linear(control), initial={"velocity": (0.1, 0.0, -0.2)}))).series()
            power, k = s["force_power"][1:], s["kinetic_energy"] - 0.5 * (0.1 ** 2 + 0.2 ** 2)
            if control == "power":
                check.below(f"{name}, power: power less the one asked for",
                            float(np.max(np.abs(power - value))), 1e-14)
            if control == "none":
                # the last stage of rk3-half starts from the middle of the step, to second order
                middle = 2.0 * value * 0.5 * (k[1:] + k[:-1])
                check.below(f"{name}, none: power over 2 A k, less 1",
                            float(np.max(np.abs(power / middle - 1))),
                            float(np.max(np.abs(k[1:] / k[:-1] - 1))) ** 2 + 5e-3)
            check.above(f"{name}, {control}: power", float(np.min(power)), 1e-3)
            residual = np.max(np.abs(s["budget_residual"][2:])) / np.max(power)
            check.below(f"{name}, {control}: rest of the energy budget over the power", float(residual), 5e-3)
            mean = [np.max(np.abs(s[f"momentum_{c}"] - m)) for c, m in zip("xyz", (0.1, 0.0, -0.2))]
            check.below(f"{name}, {control}: change of the mean velocity", float(max(mean)), 2e-15)


def waves_of(checkpoint):
    """The complex vectors of the 16 pairs of waves of k_high = 2 in a cube: from 'forcing', and from the
    velocity."""
    with h5py.File(checkpoint.path, "r") as source:
        kept = np.array(source["fields/forcing"]).ravel()[2:].reshape(46, 5, 2)[:16, :3]
    found = []
    for m in ((x, y, z) for z in range(-2, 3) for y in range(-2, 3) for x in range(-2, 3)):
        if not 0 < sum(q * q for q in m) <= 4 or m[::-1] < (0, 0, 0):
            continue
        k = [2 * math.pi * q / a for q, a in zip(m, checkpoint.length)]
        h = [width[0] for width in checkpoint.width]
        modified = np.array([2 * math.sin(a * b / 2) / b for a, b in zip(k, h)])
        c = np.array([np.mean(checkpoint.fields[name] * np.exp(
            -1j * sum(a * x for a, x in zip(k, checkpoint.position(name))))) for name in "uvw"])
        found.append(c - modified * (modified @ c) / (modified @ modified))
    return kept[..., 0] + 1j * kept[..., 1], np.array(found)


def wave_powers(kolmo, check):
    """A force in the lowest waves: its power in every stage, the budget, the mean velocity, and the waves of
    the velocity that it goes by. Of random amplitudes the power is what the budget says; they set a fluid at
    rest in motion."""
    for name, shape in (("cube", lambda c: c), ("oblong", oblong)):
        for scheme in ("rk3-half", "rk3-wray"):
            s = kolmo.run(shape(box(waves(k_high=2.5), time={"scheme": scheme},
                                    initial={"velocity": (0.1, 0.0, -0.2)}))).series()
            check.below(f"{name}, {scheme}: power less the one asked for",
                        float(np.max(np.abs(s["force_power"][1:] - 0.2))), 1e-13)
            residual = float(np.max(np.abs(s["budget_residual"][2:]))) / 0.2
            check.below("    rest of the energy budget over the power", residual, 5e-3)
            mean = [np.max(np.abs(s[f"momentum_{c}"] - m)) for c, m in zip("xyz", (0.1, 0.0, -0.2))]
            check.below("    change of the mean velocity", float(max(mean)), 2e-15)
    for diffusion, tolerance in (("explicit", 1e-10), ("explicit", 1e-6), ("implicit", 1e-10)):
        case = box(waves(), n=(16, 12, 10), time={"diffusion": diffusion, "scheme": "rk3-half"},
                   pressure={"tolerance": tolerance})
        kept, found = waves_of(kolmo.run(case).checkpoint())
        check.below(f"waves of the velocity, diffusion {diffusion}, tolerance {tolerance}: kept less those "
                    "of the flow", float(np.max(np.abs(kept - found))), 1e-13)
    rest = {"initial": {"type": "rest", "k_peak": None, "u_rms": None}, "run": {"steps_max": 40},
            "time": {"dt": 0.02}}
    s = kolmo.run(box(waves(**RANDOM), **rest)).series()
    check.above("random, from rest: energy", float(s["kinetic_energy"][-1]), 0.01)
    rest_of_budget = float(np.max(np.abs(s["budget_residual"][2:])))
    check.below("    rest of the budget over the largest power",
                rest_of_budget / float(np.max(np.abs(s["force_power"]))), 1e-2)
    check.below("    mean velocity", float(max(np.max(np.abs(s[f"momentum_{c}"])) for c in "xyz")), 2e-15)
    other = kolmo.run(box(waves(**RANDOM), **{**rest, "run": {"steps_max": 40, "seed": 2}})).series()
    check.above("    another seed: change of the energy", abs(float(other["kinetic_energy"][-1] /
                                                                    s["kinetic_energy"][-1]) - 1), 1e-3)


def held(kolmo, check):
    """Energy and dissipation come to what the control holds, from an energy that is too low or too high."""
    for control, key, by in (("energy", "kinetic_energy", 0.01), ("dissipation", "dissipation", 0.03)):
        for rms in (0.4, 0.8):
            s = kolmo.run(box(linear(control), initial={"u_rms": rms}, pressure={"tolerance": 1e-6},
                              run={"steps_max": None, "t_end": 20.0})).series()
            end = s["time"] > 12.0
            check.near(f"{control} from u_rms {rms}", float(np.mean(s[key][end])), LINEAR[control],
                       by * LINEAR[control])


def order_of(kolmo, check, name, case, wanted):
    """The order of the velocity at one time as dt is halved."""
    v = [velocity(kolmo.run(kc.merge(case, {"run": {"steps_max": None, "t_end": 0.4},
                                            "time": {"dt": 0.05 / n}}))) for n in (1, 2, 4)]
    d = [math.sqrt(float(np.mean((a - b) ** 2))) for a, b in zip(v, v[1:])]
    check.above(f"{name}: order in time ({d[0]:.2e}, {d[1]:.2e})", math.log2(d[0] / d[1]), wanted - BY)


def order(kolmo, check):
    """With a given rate or power the force has the order of the scheme; what follows the dissipation has the
    second."""
    ways = (("power", "rk3-wray", "explicit", 3), ("power", "rk3-half", "implicit", 2),
            ("energy", "rk3-wray", "explicit", 2), ("power", "rk3-half", "explicit", 2),
            ("none", "rk3-wray", "explicit", 3))
    for control, scheme, diffusion, wanted in ways if kolmo.options.long else ways[:3]:
        time = {"scheme": scheme, "diffusion": diffusion}
        if diffusion == "implicit":
            time["diffusion_tolerance"] = 1e-13
        order_of(kolmo, check, f"linear, {control}, {scheme}, {diffusion}",
                 stretched(box(linear(control), time=time, pressure={"tolerance": 1e-12})), wanted)

    # a given path: a constant force
    steady = waves(law="ornstein-uhlenbeck", correlation_time=1e12, value=0.5)
    ways = (("constant power", waves(), "rk3-half", "implicit", 2),
            ("given amplitudes", steady, "rk3-wray", "explicit", 3),
            ("constant power", waves(), "rk3-wray", "explicit", 3),
            ("given amplitudes", steady, "rk3-half", "explicit", 2))
    for name, forcing, scheme, diffusion, wanted in ways if kolmo.options.long else ways[:2]:
        time = {"scheme": scheme, "diffusion": diffusion}
        if diffusion == "implicit":
            time["diffusion_tolerance"] = 1e-13
        order_of(kolmo, check, f"{name}, {scheme}, {diffusion}",
                 oblong(box(forcing, time=time, pressure={"tolerance": 1e-12})), wanted)


def bits(kolmo, check, name, case):
    """The same bits on 1, 2 and 4 ranks, divided in each direction, and through restarts on other ranks."""
    through = kolmo.run_once(case)
    for layout in ((2, 1, 1), (1, 2, 2)):
        ranks = layout[0] * layout[1] * layout[2]
        other = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=ranks)
        check.same(f"{name}: 1 rank and {layout}", kc.differences(through, other))
    steps = case["run"]["steps_max"]
    for at, ranks in ((1, 1), (steps - 3, 2)):
        first = kolmo.run(kc.merge(case, {"run": {"steps_max": at}}))
        again = kolmo.run(case, "--restart", kc.checkpoint_path(first.folder), folder=first.folder,
                          ranks=ranks)
        check.same(f"{name}: with a restart after step {at} on {ranks} ranks", kc.differences(through, again))


def same_bits(kolmo, check):
    """Ranks and restarts."""
    loose = {"tolerance": 1e-6}  # increments of the pressure in single precision
    bits(kolmo, check, "energy", stretched(box(linear("energy"), pressure=loose)))
    rare = stretched(box(linear("energy"), output={"series_interval": 9, "log_interval": 9}))
    check.same("energy: records of every step and of every ninth", kc.differing_arrays(
        kolmo.run(stretched(box(linear("energy")))).checkpoint().fields, kolmo.run(rare).checkpoint().fields))
    # without increments the corrections of 1 rank sum energy and momentum
    exact = {"preconditioner": "direct", "direct_precision": "double"}
    for control in ("energy", "power"):
        case = stretched(box(linear(control), pressure=exact))
        bits(kolmo, check, f"{control}, direct", case)
        rare = kc.merge(case, {"output": {"series_interval": 9, "log_interval": 9}})
        check.same(f"{control}, direct: records of every step and of every ninth", kc.differing_arrays(
            kolmo.run_once(case).checkpoint().fields, kolmo.run(rare).checkpoint().fields))
    bits(kolmo, check, "constant power", oblong(box(waves())))
    rare = oblong(box(waves(), output={"series_interval": 9, "log_interval": 9}))
    check.same("constant power: records of every step and of every ninth", kc.differing_arrays(
        kolmo.run_once(oblong(box(waves()))).checkpoint().fields, kolmo.run(rare).checkpoint().fields))
    bits(kolmo, check, "random, rk3-wray", oblong(box(waves(**RANDOM), time={"scheme": "rk3-wray"},
                                                      pressure=loose)))


def stationary(kolmo, check):
    """A restart on other ranks when the flow has become stationary: the same bits, also in its files."""
    long = {"run": {"steps_max": 110}, "fluid": {"nu": 0.1}, "time": {"dt": 0.1}, "history": {"interval": 5},
            "pressure": {"tolerance": 1e-6}, "checkpoint": {"interval": 90, "keep": 2}}
    for name, case in (("energy", stretched(box(linear("energy"), **long))),
                       ("constant power", box(waves(), n=(14, 16, 12), **long)),
                       ("random", box(waves(**RANDOM), n=(14, 16, 12), **long))):
        through = kolmo.run(case)
        s = through.series()
        late = s["step"] >= 60
        if name == "energy":
            off = float(np.max(np.abs(s["kinetic_energy"][late] / LINEAR["energy"] - 1)))
            check.below("energy: largest distance from the one held, from step 60 on", off, 0.01)
        else:
            loss, gain = (float(np.mean(s[key][late])) for key in ("dissipation", "force_power"))
            check.near(f"{name}: dissipation over power from step 60 on", loss / gain, 1.0, 0.25)
        again = kolmo.run(case, "--restart", kc.checkpoint_path(through.folder, 90), ranks=3)
        old, new = through.checkpoint(), again.checkpoint()
        check.same("    from step 90 on 3 ranks instead of 1", kc.differing_arrays(old.fields, new.fields) +
                   kc.differing_arrays(old.state, new.state))
        for file in ("series.nc", "history.nc"):
            old, new = (kc.read_fields(os.path.join(r.folder, file)) for r in (through, again))
            left_out = {"record", "seconds_per_step", "decay_exponent", "decay_exponent_error"}
            check.same(f"    {file}", [n for n in sorted(set(old) - left_out) if not np.array_equal(
                *(q[n][q["step"] > 90] if q[n].shape[:1] == q["step"].shape else q[n] for q in (old, new)),
                equal_nan=True)])


def other_flows(kolmo, check):
    """A restart on another grid, and one with other waves or another viscosity: the power is the one asked
    for from the first stage on, random amplitudes go on, and the ranks make no difference."""
    every = {"output": {"series_interval": 1}, "time": {"dt": 0.04}}
    for name, forcing in (("energy", linear("energy")), ("constant power", waves()),
                          ("random", waves(**RANDOM))):
        first = kolmo.run(box(forcing, **every))
        path = kc.checkpoint_path(first.folder)
        case = kc.merge(box(forcing, **every), {"grid": {"n": (20, 18, 24)}, "run": {"steps_max": 18},
                                                "checkpoint": {"regrid": True}})
        one, three = (kolmo.run(case, "--restart", path, ranks=n) for n in (1, 3))
        check.same(f"{name}, another grid: 1 and 3 ranks", kc.differences(one, three))
        s = one.series()
        power = s["force_power"][1:]
        check.below("    rest of the energy budget", float(np.max(np.abs(s["budget_residual"][3:]))), 2e-3)
        if name == "constant power":
            check.below("    power less the one asked for", float(np.max(np.abs(power - 0.2))), 1e-13)
        if name == "energy":
            check.near("    energy at the end", float(s["kinetic_energy"][-1]),
                       float(first.series()["kinetic_energy"][-1]), 0.05)
        if name == "random":
            long = kolmo.run(kc.merge(box(forcing, **every), {"run": {"steps_max": 18}}))
            kept = [read_random(r.checkpoint().path) for r in (long, one)]
            check.same("    amplitudes of a run on the first grid", [] if np.array_equal(*kept) else ["z"])
    for name, before, forcing, nu in (("forcing.k_high", waves(k_high=2.5), waves(k_high=1.0), 0.02),
                                      ("forcing.law", waves(), waves(**RANDOM), 0.02),
                                      ("fluid.nu", linear("energy"), linear("energy"), 0.01)):
        source = kolmo.run(box(before, **every))
        case = kc.merge(box(forcing, **every), {"run": {"steps_max": 16}, "fluid": {"nu": nu}})
        path = kc.checkpoint_path(source.folder)
        refusal = kolmo.run(case, "--restart", path, rc=None)
        check.equal(f"another {name}: exit code", refusal.rc, 2)
        check.says("    message", refusal.err, name, "--force-restart")
        s = kolmo.run(case, "--restart", path, "--force-restart").series()
        check.below("    forced: rest of the energy budget", float(np.max(np.abs(s["budget_residual"][1:]))),
                    1e-3)
        if name == "fluid.nu":
            check.near("    power of the first step over that of the second",
                       float(s["force_power"][1] / s["force_power"][2]), 1.0, 0.05)


def read_random(path):
    """The amplitudes of the random force in a checkpoint."""
    with h5py.File(path, "r") as source:
        return np.array(source["fields/forcing"]).ravel()[2:].reshape(46, 5, 2)[:, 3:]


def decay(kolmo, check):
    """A restart switches the forcing off without --force-restart: no power, averages and the bound of the
    energy begin anew, the time of the switch is kept, and the bits are the same through a further restart."""
    for name, forcing in (("linear", linear("energy")), ("waves", waves())):
        case = box(forcing, statistics={"start": 0.0, "spectra_interval": 0})
        forced = kolmo.run(case)
        source = kc.checkpoint_path(forced.folder)
        off = kc.merge(case, {"forcing": {"decay": True}, "run": {"steps_max": 20}})
        through = kolmo.run(off, "--restart", source)
        s = through.series()
        check.equal(f"{name}: power", float(np.max(np.abs(s["force_power"][1:]))), 0.0)
        check.below("    energy at the end over that of the switch", float(s["kinetic_energy"][-1] /
                                                                             s["kinetic_energy"][0]), 0.95)
        check.says("    log", through.text, "switched off", "forcing.decay: .true., was .false.",
                   "the turbulence decays from here on",
                   "begin again", "no force acts")
        state = through.checkpoint().state
        check.equal("    time of the switch", float(state["decays_since"]),
                    float(forced.checkpoint().state["time"]))
        half = kolmo.run(kc.merge(off, {"run": {"steps_max": 16}}), "--restart", source)
        again = kolmo.run(off, "--restart", kc.checkpoint_path(half.folder), folder=half.folder)
        check.same("    with a restart while it decays", kc.differences(through, again))
        none = kc.merge(case, {"forcing": {**dict.fromkeys(forcing), "type": "none"}})
        other = kolmo.run(none, "--restart", source, rc=None)
        check.equal("    another type is still refused", other.rc, 2)
        check.says("    the remedy", other.err, "set forcing.decay = .true. to let the turbulence decay")
        back = kolmo.run(kc.merge(case, {"run": {"steps_max": 22}}), "--restart",
                         kc.checkpoint_path(through.folder))
        check.above("    switched on again: power", float(back.series()["force_power"][-1]), 1e-3)


def seeds(kolmo, check):
    """Another run.seed under random amplitudes is other physics, unless the force is switched off or on;
    an ensemble goes on with the seeds of its members."""
    case = kc.merge(box(waves(**RANDOM)), {"run": {"steps_max": 6, "seed": 3}})
    more = kc.merge(case, {"run": {"steps_max": 10}})
    other = kc.merge(more, {"run": {"seed": 4}})
    first = kolmo.run(case)
    source = kc.checkpoint_path(first.folder)
    bad = kolmo.run(other, "--restart", source, rc=None)
    check.equal("another seed: exit code", bad.rc, 2)
    check.says("    message", bad.err, "run.seed: 3 in the file, 4 in the input",
               "the random force of the box", "--force-restart")
    check.equal("    --check: exit code", kolmo.run(other, "--restart", source, "--check", rc=None).rc, 2)
    forced = kolmo.run(other, "--restart", source, "--force-restart")
    check.says("    forced: log", forced.text, "goes on with other physics", "run.seed: 3 in the file",
               "the amplitudes of the random force begin anew, with the random numbers of run.seed = 4")
    away = read_random(kc.checkpoint_path(forced.folder)) - read_random(source)
    check.above("    other amplitudes", float(np.max(np.abs(away))), 0.01)
    for name, value in (("correlation_time", 2.0), ("value", 0.4), ("k_high", 1.0),
                        ("law", "constant-power")):
        change = {name: value, **({"correlation_time": None} if name == "law" else {})}
        said = kolmo.run(kc.merge(more, {"forcing": change}), "--check", "--restart", source, rc=None)
        check.equal(f"another {name}: exit code", said.rc, 2)
        check.says("    message", said.err, f"forcing.{name}: ", "does not fit this run")
    aimed = {"fluid": {"nu": None}, "forcing": {"target_re_lambda": 20.0}}
    said = kolmo.run(kc.merge(more, aimed), "--check", "--restart", source, rc=None)
    check.says("a target: message", said.err, "fluid.nu: 0.02 in the file")
    off = kolmo.run(kc.merge(other, {"forcing": {"decay": True}}), "--restart", source)
    check.says("    with the force switched off", off.text, "run.seed: 4, was 3", "switched off")
    back = kolmo.run(kc.merge(other, {"run": {"steps_max": 12, "seed": 5}}), "--restart",
                     kc.checkpoint_path(off.folder))
    check.says("    switched on again", back.text, "run.seed: 5, was 4",
               "begin anew, with the random numbers of")
    words = [w for n in (1, 2) for w in ("--member", f"run.seed={n}")]
    without = kc.merge(case, {"run": {"seed": None}})
    begun = kolmo.run(without, *words)
    again = kolmo.run(kc.merge(without, {"run": {"steps_max": 10}}), *words, "--restart", "latest",
                      folder=begun.folder)
    check.equal("an ensemble goes on", [kc.checkpoint_steps(os.path.join(again.folder, f"member-{n}"))[-1]
                                        for n in (1, 2)], [10, 10])
    plain = kolmo.run(kc.merge(box(waves()), {"run": {"seed": 3}}))
    on = kolmo.run(kc.merge(box(waves()), {"run": {"seed": 4, "steps_max": 14}}), "--restart",
                   kc.checkpoint_path(plain.folder))
    check.says("constant power: another seed goes on", on.text, "run.seed: 4, was 3")


def targets(kolmo, check):
    """A target gives the viscosity of the relations, and --check tells Re_lambda and k_max eta."""
    side, n = 2.0 * math.pi, 32
    for control, value, speed in (("energy", 0.6, math.sqrt(0.4)),
                                  ("power", 0.2, (0.2 * 0.19 * side) ** (1 / 3)),
                                  ("none", 0.15, 3 * 0.15 * 0.19 * side)):
        length = 0.19 * side
        case = box({"type": "linear", "control": control, "value": value, "target_re_lambda": 30.0},
                   n=(n, n, n), fluid={"nu": None})
        nu = 15.0 * speed * length / 30.0 ** 2
        eta = (nu ** 3 * length / speed ** 3) ** 0.25
        said = kolmo.run(case, "--check=all")
        found = re.search(r"nu ([-+.e\d]+): Re_lambda ([.\d]+), .* k_max eta ([.\d]+)", said.out)
        check.near(f"{control}: nu", float(found.group(1)) / nu, 1.0, 1e-3)
        check.near(f"{control}: Re_lambda", float(found.group(2)), 30.0, 0.1)
        check.near(f"{control}: k_max eta", float(found.group(3)), n / 2.0 * eta, 0.01)
        other = kc.merge(case, {"forcing": {"target_re_lambda": None, "target_kmax_eta": n / 2.0 * eta}})
        found = re.search(r"nu ([-+.e\d]+): Re_lambda", kolmo.run(other, "--check").out)
        check.near(f"{control}: nu for that k_max eta", float(found.group(1)) / nu, 1.0, 1e-3)
    found = kolmo.run(box(waves(target_re_lambda=40.0), n=(n, n, n), fluid={"nu": None}), "--check").out
    length = side * (0.2 + 2.2 / 40.0) / (0.2 * (1.0 + math.hypot(1.0, 92.0 / 40.0)))
    speed = (0.2 * length) ** (1 / 3)
    check.near("low wavenumbers: Re_lambda", float(re.search(r": Re_lambda ([.\d]+)", found).group(1)), 40.0,
               0.1)
    check.near("low wavenumbers: nu", float(re.search(r"nu ([-+.e\d]+): Re_lambda", found).group(1)) /
               (15.0 * speed * length / 1600.0), 1.0, 1e-3)
    check.says("low wavenumbers", found, "forced waves: 32")
    nu = re.search(r"nu ([-+.e\d]+):", kolmo.run(case, "--check").out).group(1)
    off = kolmo.run(kc.merge(case, {"forcing": {"decay": True}}), "--check")
    check.says("a target, and no force", off.out, "no force acts", f"nu {nu}, by the target of the forcing")
    uneven = {"grid": {"stretching": ("sine", "uniform", "uniform"), "stretching_factor": (0.4, 0.0, 0.0)}}
    said = kolmo.run(kc.merge(case, uneven), "--check").out
    eta, resolved = (float(re.search(name + r" ([.\d]+)[,;]", said.split("forced turbulence")[1]).group(1))
                     for name in ("Kolmogorov scale", "k_max eta"))
    width = float(re.search(r"x: widths [.\d]+ to ([.\d]+)", said).group(1))
    check.near("stretched: k_max eta by the largest spacing", resolved / (math.pi / width * eta), 1.0, 0.01)
    far = kolmo.run(kc.merge(case, {"forcing": {"target_re_lambda": 300.0}}), "--check")
    check.says("a target beyond the grid", far.out, "is beyond this grid", "take more cells")


REFUSED = [
    ({"type": "linear"}, {}, ["needs a forcing.value above 0"]),
    ({"type": "linear", "value": -1.0}, {}, ["needs a forcing.value above 0"]),
    ({"type": "linear", "value": 1.0, "direction": "x"}, {}, ["forcing.direction has no effect"]),
    ({"type": "linear", "value": 1.0, "law": "constant-power"}, {}, ["forcing.law has no effect"]),
    ({"type": "linear", "value": 1.0, "control": "power", "gain": 2.0}, {}, ["forcing.gain has no effect"]),
    ({"type": "power", "value": 1.0, "control": "power"}, {}, ["forcing.control has no effect"]),
    ({"type": "linear", "value": 1.0}, {"boundary": {"z_low": "wall", "z_high": "wall"},
                                        "initial": {"type": "channel", "k_peak": None, "u_rms": None}},
     ["is for periodic boxes", "boundary.z_low"]),
    ({"type": "linear", "value": 1.0}, {"pressure": {"method": "exact", "tolerance": 1e-6}},
     ["'exact' can't be combined with a force"]),
    ({"type": "linear", "value": 1.0}, {"initial": {"type": "rest", "k_peak": None, "u_rms": None}},
     ["has no fluctuation"]),
    ({"type": "linear", "value": 1.0}, {"fluid": {"nu": 0.0}}, ["there is none", "'power' or 'none'"]),
    ({"type": "linear", "value": 1.0, "target_re_lambda": 30.0}, {},
     ["fluid.nu has no effect", "give no forcing.target_re_lambda"]),
    ({"type": "linear", "value": 1.0, "target_re_lambda": 30.0, "target_kmax_eta": 1.5},
     {"fluid": {"nu": None}}, ["both set the viscosity"]),
    ({"type": "linear", "value": 1.0, "target_re_lambda": 30.0},
     {"fluid": {"nu": None}, "grid": {"length": (6.0, 6.0, 7.0)}}, ["is for cubes", "give fluid.nu"]),
    ({"type": "linear", "value": 1.0, "target_kmax_eta": 1.5},
     {"fluid": {"nu": None}, "grid": {"stretching": ("uniform", "sine", "uniform"),
                                      "stretching_factor": (0.0, 0.4, 0.0)}},
     ["target_kmax_eta is for uniform spacings", "grid.stretching(2)", "target_re_lambda or fluid.nu"]),
    ({"type": "low-wavenumber", "value": 0.2, "control": "power"}, {}, ["forcing.control has no effect"]),
    ({"type": "low-wavenumber", "value": 0.2, "correlation_time": 1.0}, {},
     ["correlation_time has no effect", "ornstein-uhlenbeck"]),
    ({"type": "low-wavenumber", "value": 0.2, "law": "ornstein-uhlenbeck"}, {},
     ["needs forcing.correlation_time"]),
    ({"type": "low-wavenumber", "value": 0.2, "k_high": 3.0}, {},
     ["forcing.k_high = 3", "k_high <= 2.8285"]),
    ({"type": "low-wavenumber", "value": 0.2}, {"grid": {"n": (16, 4, 16)}},
     ["too few for the forced waves"]),
    ({"type": "low-wavenumber", "value": 0.2},
     {"grid": {"stretching": ("uniform", "sine", "uniform"), "stretching_factor": (0.0, 0.3, 0.0)}},
     ["for uniform spacings", "choose 'linear'"]),
    ({"type": "low-wavenumber", "value": 0.2}, {"pressure": {"method": "exact", "tolerance": 1e-6}},
     ["'exact' can't be combined with a force"]),
    ({"type": "none", "target_re_lambda": 30.0}, {"fluid": {"nu": None}}, ["target_re_lambda has no effect"]),
]
WALLS = {"boundary": {"z_low": "wall", "z_high": "wall"}}
REST = {"initial": {"type": "rest", "k_peak": None, "u_rms": None}}
# one mistake each, and one fault: the only line of the message has these words
ONE_FAULT = [
    ({"type": "pressure-gradient", "value": 1.0, "target_re_lambda": 30.0},
     {"fluid": {"nu": None}, **WALLS, **REST},
     ["target_re_lambda is for turbulence", "boundary.z_low", "give fluid.nu or fluid.reynolds"]),
    ({"type": "pressure-gradient", "value": 1.0, "target_kmax_eta": 1.5}, {**WALLS, **REST},
     ["target_kmax_eta is for turbulence", "boundary.z_low"]),
    ({"type": "linear", "value": 1.0, "target_re_lambda": 30.0},
     {"fluid": {"nu": None}, **WALLS, **REST, "grid": {"length": (6.0, 6.0, 2.0)}},
     ["'linear' is for periodic boxes", "boundary.z_low", "give fluid.nu in the place of the target"]),
    ({"type": "low-wavenumber", "value": 0.2},
     {**WALLS, **REST, "grid": {"stretching": ("uniform", "uniform", "tanh"),
                                "stretching_factor": (0.0, 0.0, 2.0)}},
     ["'low-wavenumber' is for periodic boxes"]),
    ({"type": "linear", "value": 1.0}, {**REST, "time": {"diffusion": "implicit"}}, ["has no fluctuation"]),
    ({"type": "none", "target_re_lambda": 30.0}, {}, ["target_re_lambda has no effect"]),
]


def refused(kolmo, check):
    """What makes no sense is refused with exit code 2 and a remedy."""
    for forcing, groups, words in REFUSED:
        result = kolmo.run(box(forcing, **groups), rc=None)
        label = " ".join(f"{k}={v}" for k, v in forcing.items())
        check.equal(f"{label}: exit code", result.rc, 2)
        check.says(label, result.err, *words)
    for forcing, groups, words in ONE_FAULT:
        result = kolmo.run(box(forcing, **groups), "--check", rc=None)
        label = " ".join(f"{k}={v}" for k, v in forcing.items())
        check.equal(f"{label}: exit code", result.rc, 2)
        check.says(label, result.err, *words)
        check.equal("    faults", result.err.count("error: "), 1)
    rest = kolmo.run(box(waves(**RANDOM), **REST, time={"diffusion": "implicit"}), "--check")
    check.says("random amplitudes from rest, implicit", rest.out, "The input is valid.")


if __name__ == "__main__":
    kc.main(__doc__, [powers, wave_powers, held, order, same_bits, stationary, other_flows, decay,
                      seeds, targets, refused])

#!/usr/bin/env python3
"""Turbulent or not, and what the grid resolves: the words of the log and of --check about flows along walls.

A laminar channel, disturbances that decay, a start that becomes turbulent, open channel, duct and Couette
flow: what the log says and since when; nothing is said twice after a restart, and the state has the same bits
on any ranks. Spacings in wall units against arithmetic, for every drive. Would catch: a decaying start called
turbulent, turbulence not seen, friction of the wrong wall, wall units of the wrong length, warnings that
never come."""
import math
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

MINIMAL = {"run": {"t_end": 90.0},
           "grid": {"n": (24, 16, 32), "length": (math.pi, 1.1, 2.0),
                    "stretching": ("uniform", "uniform", "tanh"),
                    "stretching_factor": (0.0, 0.0, 1.6)},
           "fluid": {"nu": 1 / 2800}, "boundary": {"z_low": "wall", "z_high": "wall"},
           "forcing": {"type": "bulk-velocity", "value": 1.0},
           "time": {"cfl": 1.5}, "initial": {"type": "channel"}, "pressure": {"preconditioner": "direct"},
           "output": {"log_interval": 100000, "series_interval": 20}}


def told(result):
    """Lines of the log on what the flow is, and the one at the end."""
    return re.findall(r"^(?!.*in the last turnover)(.*the flow is (?:turbulent|laminar).*)$", result.text,
                      re.M), \
        re.findall(r"^(.*in the last turnover.*)$", result.text, re.M)


def turbulent(kolmo, check):
    """A minimal channel becomes turbulent: said once, also by a run in two parts; the state in checkpoints is
    that of one run."""
    case = kc.merge(MINIMAL, {"run": {"t_end": 85.0}, "checkpoint": {"interval": 300, "keep": 9}})
    whole = kolmo.run(case)
    lines, end = told(whole)
    check.equal("lines", len(lines), 1)
    check.says("the log", lines[0] if lines else whole.text[-300:], "turbulent, since t = ")
    since = float(re.search(r"since t = ([\d.]+)", lines[0]).group(1))
    check.below("    since t", since, 40.0)
    check.near("    friction over the laminar one",
               float(re.search(r"friction ([\d.]+) times", end[0]).group(1)), 3.0, 0.9)
    check.near("    mean square of w over u_tau^2", float(re.search(r"([\d.]+) u_tau\^2", end[0]).group(1)),
               0.3, 0.2)
    short = kolmo.run(kc.merge(case, {"run": {"t_end": 30.0}}))
    check.equal("a run of few turnovers: lines", told(short)[0], [])
    check.says("    at the end", told(short)[1][0], "can't be told yet: 4 turnovers, delta/u_tau, are wanted")
    again = kolmo.run(case, "--restart", kc.checkpoint_path(whole.folder, whole.steps()[-2]), ranks=2)
    check.same("state after a restart",
               kc.differing_arrays(whole.checkpoint().state, again.checkpoint().state))
    late = kolmo.run(kc.merge(case, {"run": {"t_end": 86.0}}), "--restart", kc.checkpoint_path(whole.folder))
    check.equal("gone on with: lines", told(late)[0], [])
    check.says("    at the end", told(late)[1][0], f"turbulent since t = {since:.5g}")


def decaying(kolmo, check):
    """The same start in a thick fluid, turning or not, in a duct, in an open channel: the disturbances decay,
    once, and it says so."""
    thick = kc.merge(MINIMAL, {"run": {"t_end": 60.0}, "fluid": {"nu": 4e-3}, "grid": {"n": (12, 12, 16)}})
    for name, add in (("channel", {}), ("turning channel", {"forcing": {"rotation": (0.02, 0.0, 0.0)}}),
                      ("open channel", {"boundary": {"z_high": "slip"}, "fluid": {"nu": 8e-3}}),
                      ("duct", {"boundary": {"y_low": "wall", "y_high": "wall"}, "fluid": {"nu": 2e-3}}),
                      ("pressure gradient", {"forcing": {"type": "pressure-gradient", "value": 0.012}})):
        result = kolmo.run(kc.merge(thick, add))
        lines, end = told(result)
        check.equal(f"{name}: lines", len(lines), 1)
        check.says("    the log", lines[0] if lines else result.text[-300:],
                   "decayed: the flow is laminar, since t = ")
        check.near("    friction over the laminar one at the end",
                   float(re.search(r"friction ([\d.]+) times", end[0]).group(1)), 1.0, 0.03)
    couette = kolmo.run(kc.merge(thick, {"forcing": {"type": "none", "value": None}, "boundary": {
        "z_low_velocity": (-0.5, 0.0, 0.0), "z_high_velocity": (1.0, 0.0, 0.0)}, "fluid": {"nu": 8e-3}}))
    check.says("Couette flow: the log", couette.text, "decayed: the flow is laminar")
    check.near("    friction over the laminar one",
               float(re.search(r"last turnover friction ([\d.]+) times", couette.text).group(1)), 1.0, 0.03)


def laminar(kolmo, check):
    """Poiseuille flow from rest and without disturbances is laminar from the start; flows of other kinds are
    not spoken of."""
    case = kc.merge(MINIMAL,
                    {"run": {"t_end": 10.0}, "grid": {"n": (4, 4, 16), "stretching_factor": (0.0, 0.0, 0.8)},
                     "fluid": {"nu": 0.1},
                     "initial": {"type": "rest"}, "forcing": {"type": "pressure-gradient", "value": 0.3}})
    result = kolmo.run(case)
    lines, end = told(result)
    check.equal("from rest: lines", len(lines), 1)
    check.says("    the log", lines[0], "the flow is laminar, since t = 0:")
    check.near("    friction at the end", float(re.search(r"friction ([\d.]+) times", end[0]).group(1)), 1.0,
               0.03)
    cavity = kolmo.run({"run": {"steps_max": 30}, "grid": {"n": (8, 8, 8)}, "fluid": {"nu": 0.1},
                        "initial": {"type": "rest"},
                        "boundary": dict({f"{a}_{s}": "wall" for a in "xyz" for s in ("low", "high")},
                                         z_high_velocity=(1.0, 0.0, 0.0))})
    check.equal("cavity: lines", told(cavity), ([], []))
    convection = kolmo.run({"run": {"steps_max": 30}, "grid": {"n": (8, 4, 8), "length": (1.0, 0.5, 1.0)},
                            "initial": {"type": "rest"}, "boundary": {"z_low": "wall", "z_high": "wall"},
                            "scalars": {"name": "heat", "prandtl": 1.0, "initial": "conduction",
                                        "disturbance": 0.3, "z_low": "value", "z_low_value": 1.0,
                                        "z_high": "value"},
                            "buoyancy": {"gravity": (0.0, 0.0, -1.0), "rayleigh": 1e5}})
    check.equal("convection: lines", told(convection), ([], []))
    formula = kolmo.run({"run": {"steps_max": 100}, "grid": {"n": (8, 4, 8), "length": (1.0, 0.5, 1.0)},
                         "fluid": {"nu": 0.1}, "initial": {"type": "rest"},
                         "boundary": {"z_low": "wall", "z_high": "wall"},
                         "forcing": {"type": "formula", "fx": "1"}})
    check.equal("a force by a formula: lines", told(formula), ([], []))
    womersley = kolmo.run(kc.merge(case,
                                   {"forcing": {"amplitude": 1.0, "frequency": 1.0}, "run": {"t_end": 1.0}}))
    check.equal("a force that oscillates: lines", told(womersley), ([], []))


def number(text, pattern):
    """The number that a pattern finds."""
    found = re.search(pattern, text)
    return float(found.group(1)) if found else math.nan


def wall_units(kolmo, check):
    """--check: friction by every drive, spacings and points in wall units against arithmetic, warnings where
    they are too coarse."""
    nu = 1 / 2800
    dean = 0.09 * (2 / nu) ** 0.88
    for name, add, re_tau in (
            ("bulk velocity", {}, dean), ("given", {"fluid": {"re_tau": 150.0}}, 150.0),
            ("pressure gradient", {"forcing": {"type": "pressure-gradient", "value": 0.0036}}, 0.06 / nu),
            ("power", {"forcing": {"type": "power", "value": (dean * nu) ** 2}}, dean),
            ("laminar", {"fluid": {"nu": 0.01}}, math.sqrt(3 * 100)),
            ("open channel", {"boundary": {"z_high": "slip"}, "forcing": {"value": 0.5}}, dean * 1.0),
            ("Couette",
             {"forcing": {"type": "none", "value": None}, "boundary": {"z_high_velocity": (1.0, 0.0, 0.0)}},
             0.19 / math.log10(0.5 / nu) * 0.5 / nu),
            ("duct",
             {"boundary": {"y_low": "wall", "y_high": "wall"}, "grid": {"length": (math.pi, 2.0, 2.0)}},
             2.0 * 0.09 * (1 / nu) ** 0.88)):
        text = kolmo.run(kc.merge(MINIMAL, add), "--check").text
        check.near(f"{name}: Re_tau", number(text, r"Re_tau ([\d.]+)"), re_tau, 2e-3 * re_tau)
    text = kolmo.run(kc.merge(MINIMAL, {"fluid": {"re_tau": 180.0}}), "--check").text
    s = [math.tanh(1.6 * (2 * i / 32 - 1)) / math.tanh(1.6) for i in range(33)]  # faces, walls at -1 and 1
    widths = [b - a for a, b in zip(s, s[1:])]
    check.near("dx+", number(text, r"x, along the stream: ([\d.]+)"), math.pi / 24 * 180, 0.05)
    check.near("dy+", number(text, r"y, along the span: ([\d.]+)"), 1.1 / 16 * 180, 0.05)
    check.near("box in x", number(text, r"along the stream: .* box ([\d.]+)"), math.pi * 180, 0.5)
    check.near("first cell", number(text, r"lower wall: first cell ([\d.]+)"), widths[0] * 180, 0.005)
    check.near("first centre", number(text, r"its centre at ([\d.]+)"), widths[0] * 90, 0.005)
    check.equal("centres below 10", number(text, r"([\d]+) centres below 10"),
                sum(0.5 * (a + b) + 1 < 10 / 180 for a, b in zip(s, s[1:])))
    check.near("far from walls", number(text, r"far from walls: ([\d.]+)"), max(widths) * 180, 0.05)
    check.near("growth", number(text, r"growth ratio ([\d.]+)"),
               max(max(a / b, b / a) for a, b in zip(widths, widths[1:])), 1e-4)
    for part in ("in x are too long", "in y are too wide", "in z are too high", "the first centre lies",
                 "widths in z grow by"):
        check.says("coarse", text, part)
    fine = kolmo.run(kc.merge(MINIMAL,
                              {"fluid": {"re_tau": 180.0},
                               "grid": {"n": (96, 64, 128), "length": (4.0, 2.0, 2.0)}}), "--check").text
    check.holds("fine: no warning", "warning" not in fine, fine[-400:])
    small = kolmo.run(kc.merge(MINIMAL, {"grid": {"length": (1.0, 0.4, 2.0)}}), "--check").text
    check.says("small box", small, "wall units in x: turbulence needs", "wall units in y: turbulence needs")
    log = kolmo.run(kc.merge(MINIMAL, {"run": {"steps_max": 1, "t_end": None}})).text
    check.says("the log", log, "Re_tau 178.9 by Dean (1978)", "warning: cells of")
    isotropic = kolmo.run({"run": {"steps_max": 1}, "grid": {"n": (32, 32, 32)}, "fluid": {"nu": 0.01},
                           "initial": {
        "type": "isotropic", "k_peak": 3.0}}, "--check").text
    eps = 0.5 * 3.0 / math.sqrt(kc.TWO_PI)
    check.near("isotropic: k_max eta", number(isotropic, r"k_max eta ([\d.]+)"), 16 * (1e-6 / eps) ** 0.25,
               5e-3)
    check.says("    coarse", isotropic, "warning: k_max eta")
    flat = {"run": {"steps_max": 1}, "grid": {"n": (16, 12, 4)}, "fluid": {"nu": 0.01}}
    for spectrum, largest in (("gaussian", 8), ("von-karman", 2)):
        for k_peak, beyond in ((largest, False), (largest + 1, True)):
            said = kolmo.run(kc.merge(flat, {"initial": {"type": "isotropic", "k_peak": float(k_peak),
                                                         "spectrum": spectrum}}), "--check").text
            told = f"warning: initial.k_peak = {k_peak} is beyond the largest wavenumber of the grid, "
            check.equal(f"{spectrum}, k_peak {k_peak}: a warning", f"{told}{largest}:" in said, beyond)
    said = kolmo.run(kc.merge(flat, {"fluid": {"nu": 0.0}, "initial": {"type": "isotropic", "k_peak": 9.0}}),
                     "--check").text
    check.says("    without viscosity, too", said, "initial.k_peak = 9 is beyond")
    for name, boundary, parts in (
            ("no wall", {}, ("boundary.x_low = 'periodic' (the default)", "choose 'wall'")),
            ("cavity",
             dict({f"{a}_{s}": "wall" for a in "xyz" for s in ("low", "high")},
                  z_high_velocity=(1.0, 0.0, 0.0)),
             ("boundary.x_low = 'wall'", "choose 'periodic'")),
            ("open faces without walls",
             {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0), "x_high": "outflow"},
             ("boundary.x_low = 'inflow'", "that no fluid crosses")),
            ("inflows of two directions",
             {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0), "x_high": "outflow", "z_low": "inflow",
              "z_low_velocity": (0.0, 0.0, 1.0), "z_high": "wall"},
             ("boundary.x_low = 'inflow'", "that no fluid crosses")),
            ("duct with a wall that moves",
             {"y_low": "wall", "y_high": "wall", "z_low": "wall", "z_high": "wall",
              "z_high_velocity": (1.0, 0.0, 0.0)},
             ("boundary.z_high = 'wall'", "in a duct not at all")),
            ("walls that move along x and y",
             {"z_low": "wall", "z_high": "wall", "z_low_velocity": (0.0, 0.5, 0.0),
              "z_high_velocity": (1.0, 0.0, 0.0)},
             ("boundary.z_low = 'wall'", "only along the stream"))):
        bad = kolmo.run({"run": {"steps_max": 1}, "grid": {"n": (8, 8, 8)},
                         "fluid": {"nu": 0.01, "re_tau": 180.0}, "boundary": boundary}, rc=2)
        check.says(name, bad.text, "fluid.re_tau has no effect", *parts)
    for name, top, delta in (("channel", "wall", 1.0), ("boundary layer", "outflow", 2.0)):
        case = {"run": {"steps_max": 1}, "grid": {"n": (32, 4, 16), "length": (3.0, 0.5, 2.0)},
                "fluid": {"nu": 0.01, "re_tau": 180.0},
                "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)},
                "boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0), "x_high": "outflow",
                             "z_low": "wall", "z_high": top}}
        text = kolmo.run(case, "--check").text
        check.near(f"{name} with inflow: u_tau", number(text, r"friction velocity ([\d.]+)"),
                   180 * 0.01 / delta, 1e-3)
        check.near("    dx+", number(text, r"x, along the stream: ([\d.]+)"), 3 / 32 * 180 / delta, 0.06)
        check.near("    first cell", number(text, r"lower wall: first cell ([\d.]+)"), 2 / 16 * 180 / delta,
                   0.06)
        check.equal("    upper wall spoken of", "upper wall" in text, top == "wall")
        check.says("    warnings", text, "in y are too wide", "the first centre lies",
                   "wall units in y: turbulence needs")
        check.holds("    none of the length along the stream", "in x: turbulence needs" not in text)
        without = kolmo.run(kc.merge(case, {"fluid": {"re_tau": None}}), "--check").text
        check.holds("    nothing without fluid.re_tau", "wall unit" not in without)
    ekman = kc.merge(MINIMAL, {"forcing": {"type": "pressure-gradient", "value": 0.01, "direction": "y",
                                           "rotation": (0.0, 0.0, 0.5)},
                               "boundary": {"z_high": "slip"}})
    check.says("Ekman layer", kolmo.run(ekman, "--check").text,
               "the friction is not known in advance in a frame that turns about the walls' normal")
    given = kolmo.run(kc.merge(ekman, {"fluid": {"re_tau": 200.0}}), "--check").text
    check.says("    with fluid.re_tau", given, "Re_tau 200 by fluid.re_tau", "x, along the walls:",
               "at most about 8 along the walls")
    across = kolmo.run(kc.merge(ekman, {"forcing": {"rotation": (0.0, 0.5, 0.0)}}), "--check").text
    check.near("turning about another axis: Re_tau", number(across, r"Re_tau ([\d.]+)"),
               math.sqrt(0.01 * 2.0) * 2.0 * 2800, 0.5)
    check.says("no viscosity",
               kolmo.run(kc.merge(MINIMAL, {"fluid": {"nu": 0.0, "re_tau": 180.0}}), rc=2).text,
               "fluid.re_tau has no effect with fluid.nu = 0")


if __name__ == "__main__":
    kc.main(__doc__, [turbulent, decaying, laminar, wall_units])

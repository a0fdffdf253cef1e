#!/usr/bin/env python3
"""Random inputs that combine whatever the groups offer: each is refused with its place and a remedy, or runs,
with the same bits on several ranks and through a restart.

Would catch: two options that work alone and not together, an array that is not filled for one pair of faces,
a size that is taken from the wrong direction, a refusal without a line, a state that a checkpoint forgets.
Each input has a seed of its own, which the test prints; KOLMO_SEEDS=FIRST-LAST in the environment takes
others. preconditioner = 'auto' is left out: it measures, and what it chooses is another one now and then."""
import os
import random
import re
import sys

import h5py

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

XYZ = "xyz"
STEPS = 4  # of a run; the restart begins in the middle
USUAL, LONG = 6, 160  # inputs


def faces(r):
    """&boundary, and which directions are periodic."""
    names, periodic = {}, []
    for d in XYZ:
        kind = r.choice(("periodic", "periodic", "wall", "slip", "stream") if d == "x"
                        else ("periodic", "periodic", "wall", "slip", "wall-slip"))
        periodic.append(kind == "periodic")
        if kind == "stream":
            names |= {"x_low": "inflow", "x_high": "outflow", "x_low_velocity": (1.0, 0.0, 0.0)}
        elif kind == "wall-slip":
            names |= {d + "_low": "wall", d + "_high": "slip"}
        elif kind != "periodic":
            names |= {d + "_low": kind, d + "_high": kind}
            if kind == "wall" and r.random() < 0.3:
                speed = [0.4 * (e != d) for e in XYZ]
                names[d + r.choice(("_low", "_high")) + "_velocity"] = speed
    return names, periodic


def grid(r, periodic):
    """&grid: other cells, lengths and laws in each direction."""
    n = [r.choice((8, 9, 10, 12, 14, 15, 16)) for _ in XYZ]
    law = ["uniform" if r.random() < 0.5 else "sine" if p else r.choice(("tanh", "tanh-low", "geometric"))
           for p in periodic]
    factor = {"uniform": 0.0, "sine": 0.3, "tanh": 1.1, "tanh-low": 0.9, "geometric": 1.06}
    return {"n": n, "length": [round(r.uniform(1.5, 4.0), 3) for _ in XYZ],
            "origin": [round(r.uniform(-1, 1), 2) for _ in XYZ] if r.random() < 0.3 else (0.0, 0.0, 0.0),
            "stretching": law, "stretching_factor": [factor[w] for w in law]}


def force(r, periodic, boundary):
    """&forcing"""
    along = [d for d, p in zip(XYZ, periodic) if p]
    kinds = ["none", "none", "formula"]
    if along:
        kinds += ["pressure-gradient", "bulk-velocity", "power"]
    if all(periodic):
        kinds += ["linear", "low-wavenumber"]
    names = {"type": r.choice(kinds)}
    if names["type"] in ("pressure-gradient", "bulk-velocity", "power"):
        names |= {"direction": r.choice(along), "value": 0.7}
        if names["type"] != "power" and r.random() < 0.3:
            names |= {"amplitude": 0.2, "frequency": 0.8, "phase": 0.4}
    elif names["type"] == "linear":
        names |= {"control": r.choice(("none", "power", "energy", "dissipation")), "value": 0.5}
    elif names["type"] == "low-wavenumber":
        names |= {"value": 0.4, "k_high": r.choice((1.5, 2.0, 2.5)),
                  "law": r.choice(("constant-power", "ornstein-uhlenbeck"))}
        if names["law"] == "ornstein-uhlenbeck":
            names["correlation_time"] = 0.7
    elif names["type"] == "formula":
        names |= {"fx": "0.1*sin(y) + 0.2*cos(2*t)", "fz": "0.1*x"}
    if r.random() < 0.3 and "inflow" not in boundary.values():
        names["rotation"] = (0.1, -0.3, 0.7)
    return names


def solids(r, box):
    """&bodies"""
    low, size = box["origin"], box["length"]
    names = {}
    for number in range(1, r.choice((1, 1, 2)) + 1):
        shape = r.choice(("sphere", "box", "cylinder", "ellipsoid", "capsule"))
        reach = 0.3 * min(size)
        edges = {"sphere": (reach, 0, 0), "box": (reach, 0.8 * reach, 0.9 * reach),
                 "cylinder": (reach, r.choice((0.0, 1.2 * reach)), 0),
                 "ellipsoid": (reach, 0.8 * reach, 1.2 * reach), "capsule": (0.7 * reach, 1.3 * reach, 0)}
        names |= {f"shape({number})": shape, f"size(:,{number})": [float(v) for v in edges[shape]],
                  f"centre(:,{number})": [low[i] + size[i] * r.uniform(0.35, 0.65) for i in range(3)],
                  f"axis({number})": r.choice(XYZ)}
        if r.random() < 0.4:
            names[f"angles(:,{number})"] = [float(r.randint(-60, 60)) for _ in XYZ]
        motion = r.choice(("none", "none", "none", "rotate", "oscillate", "translate"))
        names[f"motion({number})"] = motion
        names |= {"rotate": {f"rotation({number})": 0.9},
                  "oscillate": {f"amplitude(:,{number})": (0.05, 0.02, 0.0), f"frequency({number})": 0.5},
                  "translate": {f"velocity(:,{number})": (0.2, 0.0, 0.1)}}.get(motion, {})
        if r.random() < 0.1:
            names[f"remove_time({number})"] = 0.01
    return names


def scalars(r, boundary, periodic, bodies):
    """&scalars and &buoyancy"""
    count = r.choice((1, 1, 2, 3, 8))
    names = {}
    for k in range(1, count + 1):
        names |= {f"name({k})": ("temperature", "salt", "dye", "d4", "d5", "d6", "d7", "d8")[k - 1],
                  f"initial({k})": r.choice(("uniform", "formula")), f"initial_value({k})": 0.2,
                  f"disturbance({k})": r.choice((0.0, 0.1)),
                  f"limiter({k})": r.choice(("none", "none", "koren"))}
        names |= r.choice(({f"prandtl({k})": 0.7}, {f"diffusivity({k})": 0.03}))
        if names[f"initial({k})"] == "formula":
            names |= {f"initial_formula({k})": "0.3*sin(x) + 0.1*z*y", f"initial_value({k})": 0.0}
        for i, d in enumerate(XYZ):
            if periodic[i]:
                continue
            for end in ("_low", "_high"):
                kind = r.choice(("none", "value", "value", "flux"))
                if boundary.get(d + end) == "inflow":
                    kind = "value"
                if boundary.get(d + end) in ("outflow", "slip") and kind == "value":
                    kind = "none"
                names |= {f"{d}{end}({k})": kind}
                if kind != "none":
                    names |= {f"{d}{end}_value({k})": round(r.uniform(-0.5, 0.5), 2)}
        if bodies and r.random() < 0.6:
            names |= {f"bodies({k})": r.choice(("value", "flux")), f"bodies_value({k})": 0.4}
        along = [i for i, p in enumerate(periodic) if p]
        if along and r.random() < 0.3:
            names[f"mean_gradient(:,{k})"] = [0.3 * (i == along[0]) for i in range(3)]
    out = {"scalars": names}
    if r.random() < 0.6:
        out["buoyancy"] = {"gravity": [round(r.uniform(-1, 1), 2) for _ in XYZ],
                           **{f"expansion({k})": 0.5 for k in range(1, min(count, 2) + 1)}}
    return out


def measured(r, box, periodic):
    """Averages, probes, slices, boxes and fields."""
    low, size = box["origin"], box["length"]
    inside = [low[i] + 0.3 * size[i] for i in range(3)]
    case = {}
    if r.random() < 0.7:
        along = "".join(d for d, p in zip(XYZ, periodic) if p)
        case["statistics"] = {"start": 0.0, "interval": 1,
                              "directions": r.choice(("periodic", "none") + ((along[0],) if along else ())),
                              "pressure": "stage"}
        walled = [d for d, p in zip(XYZ, periodic) if not p]
        if len(walled) == 1 and case["statistics"]["directions"] == "periodic" and r.random() < 0.5:
            case["statistics"]["pressure"] = "solve"
        if r.random() < 0.3:
            case["statistics"] |= {"cell_budgets": True}
        if r.random() < 0.3:
            case["statistics"] |= {"scalar_budgets": True}
        if case["statistics"]["directions"] == "none":
            case["statistics"]["batches"] = r.choice((0, 16))
    if r.random() < 0.4:
        case["probes"] = {"position(:,1)": inside}
    if r.random() < 0.4:
        case["slices"] = {"normal(1)": r.choice(XYZ), "position(1)": inside[0], "interval(1)": 2}
        case["slices"]["position(1)"] = inside[XYZ.index(case["slices"]["normal(1)"])]
    if r.random() < 0.3:
        case["boxes"] = {"low(:,1)": inside, "high(:,1)": [low[i] + 0.8 * size[i] for i in range(3)],
                         "interval(1)": 2}
    if r.random() < 0.3 and all(periodic):
        case["history"] = {"interval": 2}
    return case


def made(seed):
    """The input of a seed."""
    r = random.Random(seed)
    boundary, periodic = faces(r)
    box = grid(r, periodic)
    case = {"run": {"steps_max": STEPS, "seed": seed}, "grid": box, "boundary": boundary,
            "fluid": {"nu": r.choice((0.05, 0.02))},
            "time": {"scheme": r.choice(("rk3-half", "rk3-wray")),
                     "diffusion": r.choice(("explicit", "explicit", "implicit", "implicit-z")),
                     "cfl": r.choice((0.5, 0.9))},
            "pressure": {"preconditioner": r.choice(("multigrid", "multigrid", "direct", "polynomial",
                                                     "jacobi"))},
            "forcing": force(r, periodic, boundary),
            "checkpoint": {"interval": STEPS // 2, "keep": 4},
            "output": {"field_interval": STEPS, "field_precision": "double",
                       "fields_vorticity": r.random() < 0.3,
                       "field_places": r.choice(("centres", "centres", "faces"))}}
    case["initial"] = {"type": r.choice(("isotropic", "taylor-green", "rest") if all(periodic)
                                        else ("rest", "uniform", "formula"))}
    if case["initial"]["type"] == "uniform":
        case["initial"]["velocity"] = (0.5, 0.0, 0.0)
    if case["initial"]["type"] == "formula":
        case["initial"] |= {"u": "0.3*sin(2*y) + 0.2*cos(z)", "v": "0.2*sin(x)", "w": "0.1*cos(3*x*y)"}
    if r.random() < 0.2:
        case["pressure"]["method"] = "exact"
    if r.random() < 0.2:
        case["pressure"]["guess"] = r.choice(("zero", "previous", "linear"))
    if r.random() < 0.3:
        case["time"] |= {"dt": 0.01}
        del case["time"]["cfl"]
    bodies = r.random() < 0.35
    if bodies:
        case["time"]["diffusion"] = "explicit"
    if bodies:
        case["bodies"] = solids(r, box)
        if r.random() < 0.3:
            case["output"]["surface_interval"] = 2
    if r.random() < 0.5:
        case |= scalars(r, boundary, periodic, bodies)
    case |= measured(r, box, periodic)
    ranks = [1, 1, 1]
    for _ in range(2):
        ranks[r.randrange(3)] *= r.choice((1, 2))
    if ranks == [1, 1, 1]:
        ranks[r.randrange(3)] = r.choice((2, 3))
    return case, ranks


def without(case, folder, line):
    """The case without what stands in a line of its file: a variable, or a group where the line is its
    head; None if that is not to be had."""
    with open(os.path.join(folder, "case.nml"), encoding="utf-8") as source:
        lines = source.read().splitlines()
    group = next(text[1:] for text in lines[line - 1::-1] if text.startswith("&"))
    name = lines[line - 1].split("=")[0].strip()
    if group in ("scalars", "buoyancy", "history", "forcing"):
        name = "&" + group
    if group in ("run", "grid", "fluid", "output"):
        return None
    left = {g: dict(names) for g, names in case.items()}
    if name.startswith("&"):
        del left[group]
        if group == "scalars":
            left.pop("buoyancy", None)
    else:
        del left[group][name]
    return left


def everything(folder):
    """All numbers of all files of a run but checkpoints and what comes from the clock, by file and name."""
    found = {}
    for name in sorted(os.listdir(folder)):
        if name.startswith("checkpoint_") or not name.endswith((".h5", ".nc")):
            continue

        def take(path, item, name=name):
            if isinstance(item, h5py.Dataset) and path not in kc.FROM_CLOCK and item.dtype.kind in "fiu":
                found[f"{name} {path}"] = item[()]

        with h5py.File(os.path.join(folder, name), "r") as source:
            source.visititems(take)
    return found


def compare(check, label, one, other):
    """Checkpoints, series and all other files of two runs."""
    check.same(label, kc.differences(one, other)
               + kc.differing_arrays(everything(one.folder), everything(other.folder)))


def accepted(kolmo, check, case, label):
    """The case without what was refused, and its run; None where nothing is left that runs."""
    for _ in range(40):
        run = kolmo.run(case, rc=None)
        if run.rc != 2:
            return case, run
        text = run.err.strip()
        place = re.search(r"case\.nml:(\d+):", text)
        words = text[text.find("error:"):][:200]
        if not check.holds(f"{label}: refused with its place: {words}", place, text):
            return None, run
        case = without(case, run.folder, int(place[1]))
        if not case:
            return None, run
    return None, run


def ended_well(check, label, run):
    """Whether a run ended with exit code 0; what it said if not."""
    return check.equal(f"{label}: exit code" + (f" {' '.join(run.err.split())[-300:]}" if run.rc else ""),
                       run.rc, 0)


def number(kolmo, check, seed):
    """One input; True if it ran. What is refused is taken away, as often as need be."""
    label = f"seed {seed}"
    case, layout = made(seed)
    case, one = accepted(kolmo, check, case, label)
    if not case or not ended_well(check, label, one):
        return False
    several = kc.merge(case, {"grid": {"ranks": layout}})
    other = kolmo.run(several, ranks=layout[0] * layout[1] * layout[2], rc=None)
    if ended_well(check, f"{label} on {layout} ranks", other):
        compare(check, f"{label} on {layout} ranks", one, other)
    folder = kolmo.place()
    half = kolmo.run(kc.merge(case, {"run": {"steps_max": STEPS // 2}}), folder=folder, rc=None)
    again = kolmo.run(kc.merge(case, {"checkpoint": {"restart": "latest"}}), folder=folder, rc=None)
    if ended_well(check, f"{label}, half of it", half) and ended_well(check, f"{label}, restarted", again):
        compare(check, f"{label}, restarted", one, again)
    return True


def combinations(kolmo, check):
    """Fixed seeds; with --long many more."""
    seeds = os.environ.get("KOLMO_SEEDS")
    first, last = (map(int, seeds.split("-"))) if seeds else (1, LONG if kolmo.options.long else USUAL)
    ran = 0
    for seed in range(first, last + 1):
        try:
            ran += number(kolmo, check, seed)
        except kc.RunError as fault:
            check.fail(f"seed {seed}: {fault}")
    print(f"{ran} of {last - first + 1} ran")


if __name__ == "__main__":
    kc.main(__doc__, [combinations])

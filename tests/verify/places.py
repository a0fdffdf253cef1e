#!/usr/bin/env python3
"""Slices, boxes and probes: what their files hold is the flow of the checkpoint at the right places and
times, for any layout of the ranks, and after a kill and a restart.

Would catch: a plane beside the one asked for, axes exchanged, shares of ranks misplaced or missing, Q or
lambda2 by another formula than the definition, a probe interpolated from the wrong side of a cell or of a
wall, records lost or doubled by a restart, files at the wrong times, a list that names what is not there.
Stretched grid, 1, 2, 4 and 8 ranks cut in each direction."""
import os
import signal
import subprocess
import sys
import xml.etree.ElementTree as xml

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

N = (20, 16, 12)
PROBES = (1.0, 0.3, 4.0, 0.5, -1.0, 2.0, 6.78, 3.99, 7.49, 3.2, 1.1, 5.123)
CASE = {"run": {"steps_max": 6},
        "grid": {"n": N, "length": (kc.TWO_PI, 5.0, 5.5), "origin": (0.5, -1.0, 2.0),
                 "stretching": ("sine", "uniform", "tanh"),
                 "stretching_factor": (0.4, 0.0, 1.1)},
        "fluid": {"nu": 0.02}, "time": {"dt": 0.03},
        "initial": {"type": "isotropic", "velocity": (0.3, -0.2, 0.1)},
        "output": {"field_precision": "double"},
        "slices": {"normal": ("z", "x", "y"), "position": (4.0, 1.0, 0.1), "interval": (2, 3, 0),
                   "interval_time": (0.0, 0.0, 0.06),
                   "quantities": ("velocity pressure", "q vorticity", "lambda2 velocity")},
        "boxes": {"interval": (6, 2), "low(:,2)": (1.0, 0.0, 3.0), "high(:,2)": (3.0, 2.0, 4.0),
                  "quantities": ("velocity, q, lambda2, vorticity, pressure", "velocity")},
        "probes": {"position": PROBES, "interval": 2}}
STEPS = {"slice_1": (0, 2, 4, 6), "slice_2": (0, 3, 6), "slice_3": (0, 2, 4, 6), "box_1": (0, 6),
         "box_2": (0, 2, 4, 6)}


def gradient(c):
    """d u_a / d x_b at cell centres, [k, j, i, a, b]: across a component the mean of the four edges of the
    cell."""
    out = np.empty(c.velocity[0].shape + (3, 3))
    for a, q in enumerate(c.velocity):
        for b in range(3):
            if a == b:
                out[..., a, b] = (kc.up(q, a) - q) / kc.along(c.width[a], a)
            else:
                edge = (q - kc.down(q, b)) / kc.along(c.gap[b], b)
                out[..., a, b] = 0.25 * (edge + kc.up(edge, a) + kc.up(edge, b) + kc.up(kc.up(edge, a), b))
    return out


def quantities(c):
    """All that files can hold, from the faces of a checkpoint."""
    g = gradient(c)
    strain, rotation = 0.5 * (g + np.swapaxes(g, -1, -2)), 0.5 * (g - np.swapaxes(g, -1, -2))
    return {"velocity": np.stack([0.5 * (q + kc.up(q, d)) for d, q in enumerate(c.velocity)], axis=-1),
            "pressure": c.fields["p"],
            "vorticity": np.stack([g[..., (d + 2) % 3, (d + 1) % 3] - g[..., (d + 1) % 3, (d + 2) % 3]
                                   for d in range(3)], axis=-1),
            "q": 0.5 * (np.sum(rotation**2, axis=(-1, -2)) - np.sum(strain**2, axis=(-1, -2))),
            "lambda2": np.linalg.eigvalsh(strain @ strain + rotation @ rotation)[..., 1]}


def holding(face, x):
    """The cell that holds a coordinate."""
    return min(int(np.searchsorted(face, x, side="right")) - 1, len(face) - 2)


def cells(c, stem):
    """Slices of z, y, x and the quantities of a file."""
    kind, number = stem.split("_")
    n = int(number) - 1
    whole = [slice(0, len(f) - 1) for f in c.face]
    if kind == "slice":
        d = "xyz".index(CASE["slices"]["normal"][n])
        at = holding(c.face[d], CASE["slices"]["position"][n])
        whole[d] = slice(at, at + 1)
        words = CASE["slices"]["quantities"][n]
    else:
        words = CASE["boxes"]["quantities"][n]
        if n == 1:
            for d in range(3):
                low, high = CASE["boxes"]["low(:,2)"][d], CASE["boxes"]["high(:,2)"][d]
                inside = np.flatnonzero((c.face[d][1:] > low) & (c.face[d][:-1] < high))
                whole[d] = slice(inside[0], inside[-1] + 1)
    return whole, sorted(words.replace(",", " ").split())


def contents(folder, stem, step):
    """Arrays and faces of one file."""
    with h5py.File(os.path.join(folder, f"{stem}_{step:08d}.h5"), "r") as source:
        arrays = {name: np.array(d) for name, d in source.items() if isinstance(d, h5py.Dataset)}
        return arrays, [np.array(source[f"grid/{d}_face"]) for d in "xyz"], float(source.attrs["time"])


def steps_of(folder, stem):
    """Steps of the files of a stem."""
    return tuple(sorted(int(n[len(stem) + 1:-3]) for n in os.listdir(folder)
                        if n.startswith(stem + "_") and n.endswith(".h5") and n[len(stem) + 1:-3].isdigit()))


def values(kolmo, check):
    """Each file of the last step against the checkpoint; the lists name what is there."""
    run = kolmo.run(CASE)
    c = run.checkpoint(6)
    wanted = quantities(c)
    for stem, steps in STEPS.items():
        check.equal(f"{stem}: steps", steps_of(run.folder, stem), steps)
        arrays, face, time = contents(run.folder, stem, 6)
        where, names = cells(c, stem)
        check.equal(f"{stem}: arrays", sorted(arrays), names)
        check.near(f"{stem}: time", time, 0.18, 1e-15)
        for d in range(3):
            check.same(f"{stem}: faces {'xyz'[d]}",
                       kc.differing_arrays({"f": face[d]},
                                           {"f": c.face[d][where[d].start:where[d].stop + 1]}))
        for name in names:
            want = wanted[name][where[2], where[1], where[0]]
            check.equal(f"{stem}: shape of {name}", arrays[name].shape, want.shape)
            check.below(f"{stem}: {name}, largest difference over its largest value",
                        np.max(np.abs(arrays[name] - want)) / np.max(np.abs(wanted[name])), 1e-13)
        grids = xml.parse(os.path.join(run.folder, f"{stem}.xdmf")).getroot().findall("./Domain/Grid/Grid")
        check.equal(f"{stem}: listed", tuple(int(g.get("Name")[len(stem) + 1:-3]) for g in grids), steps)
        first = grids[0].find("Attribute/DataItem").text.strip().split(":")
        with h5py.File(os.path.join(run.folder, first[0]), "r") as source:
            check.holds(f"{stem}: the list names an array of the file", first[1] in source)
    tool = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc", "plot",
                        "slices.py")

    def draw(*words):
        return subprocess.run([sys.executable, tool, *words, run.folder], capture_output=True, text=True,
                              check=False)
    drawn = draw("--slice", "2", "--step", "3", "--quantity", "vorticity.y", "--to",
                 os.path.join(run.folder, "pictures"))
    if "No module named 'matplotlib'" in drawn.stderr:
        check.skip("pictures", "no matplotlib")
    else:
        check.equal("pictures: exit code", drawn.returncode, 0)
        with open(os.path.join(run.folder, "pictures", "slice_2_00000003_vorticity_y.png"), "rb") as picture:
            check.equal("pictures: begins as a PNG", picture.read(8), b"\x89PNG\r\n\x1a\n")
        check.equal("pictures: of what is not there", draw("--quantity", "q", "--slice", "1").returncode, 1)
    check.equal("pictures: a wrong option", draw("--quantity", "speed").returncode, 2)
    check.above("cells with lambda2 < 0 and with Q > 0 alike, share of those with Q > 0",
                np.mean(wanted["lambda2"][wanted["q"] > 0] < 0), 0.8)


def interpolated(c, array, x, wall=None):
    """Linear between the points of an array, direction after direction; periodic, but in z where wall holds
    the velocities of both ends."""
    q = c.velocity[array] if array < 3 else c.fields["p"]
    for d in (0, 1, 2):
        points, values = (c.face[d][:-1] if array == d else c.centre[d]), q
        if wall is None or d < 2:
            points, values = np.append(points, points[0] + c.length[d]), np.concatenate(
                (q, q[..., :1]), axis=-1
            )
        elif array == 2:
            points, values = c.face[2], np.append(q, wall[1][2])
        elif array == 3:
            points, values = np.concatenate((c.face[2][:1], points,
                                             c.face[2][-1:])), np.concatenate((q[:1], q, q[-1:]))
        else:
            points, values = np.concatenate((c.face[2][:1], points, c.face[2][-1:])), \
                np.concatenate(([wall[0][array]], q, [wall[1][array]]))
        at = x[d] if x[d] >= points[0] else x[d] + c.length[d]
        i = min(int(np.searchsorted(points, at, side="right")) - 1, len(points) - 2)
        part = (at - points[i]) / (points[i + 1] - points[i])
        q = values[..., i] * (1 - part) + values[..., i + 1] * part
    return float(q)


def read_probes(folder):
    """Columns of probes.nc."""
    with h5py.File(os.path.join(folder, "probes.nc"), "r") as source:
        return {name: np.array(source[name]) for name in ("step", "time", "u", "v", "w", "p", "x", "y", "z")}


def probes(kolmo, check):
    """Values against the checkpoint, positions, steps; more of them from a file; next to a moving wall exact
    where the flow is linear."""
    folder = kolmo.place()
    with open(os.path.join(folder, "probes.txt"), "w", encoding="ascii") as target:
        target.write("# x y z\n2.5 1.5 3.5 # one\n\n0.6 3.9 7.4\n")
    case = kc.merge(CASE, {"probes": {"file": os.path.join(folder, "probes.txt")}})
    run = kolmo.run(case, folder=folder)
    c, found = run.checkpoint(6), read_probes(run.folder)
    positions = list(zip(PROBES[0::3], PROBES[1::3], PROBES[2::3])) + [(2.5, 1.5, 3.5), (0.6, 3.9, 7.4)]
    check.equal("steps", found["step"].tolist(), [0, 2, 4, 6])
    check.equal("positions", list(zip(*(found[d].tolist() for d in "xyz"))), positions)
    check.equal("shape", found["u"].shape, (4, 6))
    for a, name in enumerate("uvwp"):
        worst = max(abs(found[name][-1][n] - interpolated(c, a, x)) for n, x in enumerate(positions))
        check.below(f"{name}: largest difference from the checkpoint", worst, 1e-13)
    walled = {"run": {"steps_max": 2},
              "grid": {"n": (8, 8, 12), "length": (1.0, 1.0, 1.0), "ranks": (1, 1, 2),
                       "stretching": ("uniform", "uniform", "tanh"), "stretching_factor": (0.0, 0.0, 1.5)},
              "fluid": {"nu": 0.05}, "time": {"dt": 0.002},
              "boundary": {"z_low": "wall", "z_high": "wall", "z_high_velocity": (2.0, -1.0, 0.0)},
              "initial": {"type": "uniform", "velocity": (0.5, 0.3, 0.0)},
              "probes": {"position": (0.3, 0.01, 0.0, 0.3, 0.5, 0.001, 0.99, 1.0, 0.6, 0.5, 0.5, 0.9995, 0.0,
                                      0.0, 1.0), "interval": 2}}
    run = kolmo.run(walled, ranks=2)
    c, found = run.checkpoint(2), read_probes(run.folder)
    for a, name in enumerate("uvwp"):
        worst = max(abs(found[name][-1][n]
                        - interpolated(c, a, [found[d][n] for d in "xyz"], ((0, 0, 0), (2, -1, 0))))
                    for n in range(5))
        check.below(f"between walls: {name}: largest difference from the checkpoint", worst, 1e-13)
    check.equal("u, v on the moving wall", (found["u"][-1][4], found["v"][-1][4]), (2.0, -1.0))


def layouts(kolmo, check):
    """The same bits in every file on 1, 2, 4 and 8 ranks, cut in each direction."""
    case = kc.merge(CASE,
                    {"run": {"steps_max": 2}, "slices": {"interval": (2, 2, 0)},
                     "boxes": {"interval": (2, 2)}})
    one = kolmo.run(case)
    for ranks in ((2, 1, 1), (1, 2, 2), (2, 2, 2)):
        run = kolmo.run(kc.merge(case, {"grid": {"ranks": ranks}}), ranks=int(np.prod(ranks)))
        for stem in STEPS:
            check.same(f"{ranks}: {stem}",
                       kc.differing_arrays(contents(one.folder, stem, 2)[0],
                                           contents(run.folder, stem, 2)[0]))
        check.same(f"{ranks}: probes", kc.differing_arrays(read_probes(one.folder), read_probes(run.folder)))


def walls(kolmo, check):
    """Between walls: vorticity of a box that holds everything equals that of the field files; and the
    pressure of 'exact' theirs."""
    case = {"run": {"steps_max": 2},
            "grid": {"n": (12, 10, 16), "length": (2.0, 1.5, 1.0), "stretching": ("uniform", "tanh", "tanh"),
                     "stretching_factor": (0.0, 1.2, 1.4)},
            "fluid": {"nu": 0.01}, "time": {"dt": 0.002},
            "boundary": {"z_low": "wall", "z_high": "wall", "y_low": "wall", "y_high": "slip"},
            "initial": {"type": "channel"},
            "output": {"field_interval": 2, "fields_vorticity": True, "field_precision": "double"},
            "boxes": {"interval": 2, "quantities": "velocity vorticity pressure q"}}
    exact = kc.merge(case,
                     {"grid": {"stretching": None, "stretching_factor": None},
                      "pressure": {"method": "exact"},
                      "initial": {"type": "isotropic"}})
    del exact["boundary"]
    for name, one, ranks in (("walls", case, 2), ("exact", exact, 1)):
        run = kolmo.run(one, ranks=ranks)
        fields, found = (
            kc.read_fields(os.path.join(run.folder, "fields_00000002.h5")),
            contents(run.folder, "box_1", 2)[0],
        )
        for array in ("velocity", "vorticity", "pressure"):
            check.below(f"{name}: {array}, largest difference from the field file over its largest value",
                        np.max(np.abs(found[array] - fields[array])) / np.max(np.abs(fields[array])), 1e-12)
        check.above(f"{name}: largest vorticity", np.max(np.abs(fields["vorticity"])), 1)
        check.holds(f"{name}: Q is finite everywhere", np.all(np.isfinite(found["q"])))


def killed(kolmo, check):
    """A run that is killed and restarted, files written behind the steps, leaves the same files as one that
    ran through."""
    case = kc.merge(CASE, {"run": {"steps_max": 60}, "checkpoint": {"interval": 4, "background": True},
                           "slices": {"interval": (12, 20, 0), "interval_time": (0.0, 0.0, 0.6)},
                           "boxes": {"interval": (0, 15), "quantities": None}})
    whole = kolmo.run(case)
    folder = kolmo.place()
    process = kolmo.start([kolmo.write(case, folder)])
    kc.wait_for(lambda: kc.checkpoint_steps(folder), process, "a checkpoint")
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    left = kc.checkpoint_steps(folder)[-1]
    check.below("step of the last checkpoint of the killed run", left, 59)
    resumed = kolmo.run(case, "--restart", "latest", folder=folder)
    check.same("probes", kc.differing_arrays(read_probes(whole.folder), read_probes(resumed.folder)))
    check.equal("steps of probes", read_probes(folder)["step"].tolist(), list(range(0, 61, 2)))
    for stem in ("slice_1", "slice_2", "slice_3", "box_2"):
        steps = steps_of(whole.folder, stem)
        check.equal(f"{stem}: steps", steps_of(folder, stem), steps)
        wrong = [s
                 for s in steps
                 if kc.differing_arrays(contents(whole.folder, stem, s)[0], contents(folder, stem, s)[0])]
        check.equal(f"{stem}: steps whose values differ", wrong, [])
        grids = xml.parse(os.path.join(folder, f"{stem}.xdmf")).getroot().findall("./Domain/Grid/Grid")
        check.equal(f"{stem}: listed", tuple(int(g.get("Name")[len(stem) + 1:-3]) for g in grids), steps)
    other = kc.merge(case, {"probes": {"position": PROBES[3:]}, "run": {"steps_max": 62}})
    refused = kolmo.run(other, "--restart", "latest", folder=folder, rc=4)
    check.says("other probes", refused.text, "probes.nc", "has 4 of 'probe', but this run writes 3",
               "move the file away")


def refused(kolmo, check):
    """Inputs that make no slice, box or probe are refused with place and remedy; a new run moves the old
    files away."""
    good = kc.merge(CASE,
                    {"slices": {"quantities": None}, "boxes": {"quantities": None}, "run": {"steps_max": 0}})
    rows = [({"slices": {"normal": ("z", "none", "y"), "interval": (2, 3, 1), "quantities": "velocity speed"},
              "boxes": {"quantities": "q q", "low(:,2)": (3.5, 0.0, 3.0)},
              "probes": {"position": PROBES[:5]}},
             ("slice 2 has an interval but no normal",
              "slices.interval(3) = 1 and slices.interval_time(3) = 0.06 can't both be above 0",
              "slices.quantities(1): 'speed' is not known, or is given twice; these words are allowed",
              "boxes.quantities(1): 'q' is not known",
              "boxes.low(1,2) = 3.5 to boxes.high(1,2) = 3 is no part of the grid",
              "probe 2 lacks a coordinate")),
            ({"slices": {"position": (9.0, 9.0, 0.1), "interval": (2, 0, 0)}, "boxes": {"interval": (6, 0)},
              "probes": {"position": (9.0,) + PROBES[1:]}},
             ("slices.position(1) = 9 lies outside the grid, which reaches from 2 to 7.5 in z",
              "slices.position(2) has no effect: slice 2 has no interval",
              "boxes.low(1,2) has no effect: box 2 has no interval",
              "probes.position(1,1) = 9 lies outside the grid")),
            ({"slices": {"position": 4.0}, "probes": {"position": None}},
             ("slice 2 has no position", "probes.interval has no effect"))]
    for change, words in rows:
        result = kolmo.run(kc.merge(good, change), rc=2)
        check.says("refused", result.err, *words)
        check.equal("faults", result.err.count(": error: "),
                    len(words) + words.count("slice 2 has no position"))
        check.equal("files", os.listdir(result.folder), ["case.nml"])
    folder = kolmo.place()
    for line, words in (("1 2\n", "probes.txt:2: error: the line does not hold three coordinates"),
                        ("1 2 33\n", "probes.txt:2: error: z = 33 lies outside the grid"),
                        ("#\n", "probes.txt: error: it has no coordinates")):
        path = os.path.join(folder, "probes.txt")
        with open(path, "w", encoding="ascii") as target:
            target.write("# x y z\n" + line)
        case = kc.merge(good, {"probes": {"file": path, "position": None}})
        check.says(words, kolmo.run(case, "--check", rc=2, folder=folder).err, words)
    check.says("and where it is not only checked", kolmo.run(case, rc=2, folder=folder, ranks=2).err, words)
    first = kolmo.run(good)
    again = kolmo.run(good, folder=first.folder)
    moved = sorted(os.listdir(os.path.join(again.folder, "previous-1")))
    check.holds("files of the first run are moved", {"probes.nc", "slice_1.xdmf", "slice_1_00000000.h5",
                                                     "box_2_00000000.h5"} <= set(moved), moved)


if __name__ == "__main__":
    kc.main(__doc__, [values, probes, layouts, walls, killed, refused])

#!/usr/bin/env python3
"""Field files and fields.xdmf: what ParaView would read is the flow of the checkpoint, at the right place and
time.

Would catch: shapes or axes exchanged, a list that names files or arrays that are not there, centre values
that are not the means of the faces around them, a vorticity with a wrong sign or spacing, files at the wrong
times, steps that miss them, single precision where double was asked for. Stretched grid, isotropic flow, 1
and 4 ranks."""
import os
import shutil
import sys
import xml.etree.ElementTree as xml

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

N = (20, 16, 12)
CASE = {"run": {"steps_max": 6, "title": "fields"},
        "grid": {"n": N, "length": (kc.TWO_PI, 5.0, 5.5), "origin": (0.5, -1.0, 2.0),
                 "stretching": ("sine", "uniform", "tanh"),
                 "stretching_factor": (0.4, 0.0, 1.1)},
        "fluid": {"nu": 0.02}, "time": {"dt": 0.03},
        "initial": {"type": "isotropic", "velocity": (0.3, -0.2, 0.1)},
        "output": {"field_interval": 2, "fields_vorticity": True, "field_precision": "double"}}


def vorticity(c):
    """At cell centres: means of the four edges around, each the difference of faces over the distance of
    their centres."""
    q, out = c.velocity, []
    for n in range(3):
        d, e = (n + 1) % 3, (n + 2) % 3
        edge = (q[e] - kc.down(q[e], d)) / kc.along(c.gap[d],
                                                    d) - (q[d] - kc.down(q[d], e)) / kc.along(c.gap[e], e)
        out.append(0.25 * (edge + kc.up(edge, d) + kc.up(edge, e) + kc.up(kc.up(edge, d), e)))
    return np.stack(out, axis=-1)


def values(kolmo, check):
    """Velocity, pressure and vorticity of the last step, from the checkpoint's faces; and the attributes of
    the files."""
    for ranks in (1, 4):
        for precision, eps in (("double", 1e-14), ("single", 6e-8)):
            run = kolmo.run(kc.merge(CASE, {"output": {"field_precision": precision}}), ranks=ranks)
            c = run.checkpoint(6)
            path = os.path.join(run.folder, "fields_00000006.h5")
            found = kc.read_fields(path)
            label = f"{precision}, {ranks} ranks"
            wanted = {
                "velocity": np.stack([0.5 * (q + kc.up(q, d)) for d, q in enumerate(c.velocity)], axis=-1),
                "pressure": c.fields["p"],
                "vorticity": vorticity(c),
            }
            check.equal(f"{label}: arrays", sorted(found), sorted(wanted))
            for name, want in wanted.items():
                check.equal(f"{label}: shape of {name}", found[name].shape, want.shape)
                check.equal(f"{label}: type of {name}", found[name].dtype,
                            np.dtype("f8" if precision == "double" else "f4"))
                check.below(f"{label}: {name}, largest difference over its largest value",
                            np.max(np.abs(found[name] - want)) / np.max(np.abs(want)), 4 * eps)
            with h5py.File(path, "r") as source:
                check.equal(f"{label}: step", int(source.attrs["step"]), 6)
                check.near(f"{label}: time", float(source.attrs["time"]), 0.18, 1e-15)
                check.equal(f"{label}: complete", int(source.attrs.get("complete", 0)), 1)
                check.equal(f"{label}: title", source["run"].attrs["title"].decode(), "fields")
                for d in range(3):
                    check.same(f"{label}: faces {'xyz'[d]}",
                               kc.differing_arrays({"f": c.face[d]},
                                                   {"f": np.array(source[f"grid/{'xyz'[d]}_face"])}))


def listing(kolmo, check):
    """fields.xdmf parses; every array it names is there, in the shape and precision it says; the times are
    the steps'."""
    run = kolmo.run(kc.merge(CASE, {"output": {"field_precision": "single"}}))
    root = xml.parse(os.path.join(run.folder, "fields.xdmf")).getroot()
    grids = root.findall("./Domain/Grid/Grid")
    check.equal("collection", root.find("./Domain/Grid").get("CollectionType"), "Temporal")
    check.equal("grids", [g.get("Name") for g in grids], [f"fields_{n:08d}.h5" for n in (0, 2, 4, 6)])
    times = [float(g.find("Time").get("Value")) for g in grids]
    check.same("times, against the series",
               kc.differing_arrays({"t": np.array(times)}, {"t": run.series()["time"][::2]}))
    nodes = " ".join(str(n + 1) for n in N[::-1])
    cells = " ".join(str(n) for n in N[::-1])
    for grid in grids:
        name = grid.get("Name")
        check.equal(f"{name}: topology",
                    (grid.find("Topology").get("TopologyType"), grid.find("Topology").get("Dimensions")),
                    ("3DRectMesh", nodes))
        geometry = grid.find("Geometry")
        check.equal(f"{name}: geometry", geometry.get("GeometryType"), "VXVYVZ")
        axes = [item.text.strip() for item in geometry.findall("DataItem")]
        check.equal(f"{name}: axes", axes, [f"{name}:/grid/{d}_face" for d in "xyz"])
        found = {a.get("Name"): (a.get("AttributeType"), a.get("Center"),
                                 a.find("DataItem").get("Dimensions"))
                 for a in grid.findall("Attribute")}
        check.equal(f"{name}: attributes", found, {"velocity": ("Vector", "Cell", cells + " 3"),
                                                   "vorticity": ("Vector", "Cell", cells + " 3"),
                                                   "pressure": ("Scalar", "Cell", cells)})
        wrong = []
        for item in grid.iter("DataItem"):
            file, inside = item.text.strip().split(":")
            with h5py.File(os.path.join(run.folder, file), "r") as source:
                data = source[inside]
                if " ".join(map(str, data.shape)) != item.get("Dimensions") or str(
                    data.dtype.itemsize
                ) != item.get("Precision"):
                    wrong.append(f"{item.text}: {data.shape} {data.dtype}")
        check.holds(f"{name}: every array is there, in its shape and precision", not wrong, wrong)


def times(kolmo, check):
    """field_interval_time: at the start and in the first step that reaches each multiple, whatever the
    steps."""
    every = 0.25
    run = kolmo.run(kc.merge(CASE,
                             {"run": {"steps_max": None, "t_end": 1.1}, "time": {"dt": None, "cfl": 0.3},
                              "output": {"field_interval": None, "field_interval_time": every,
                                         "fields_vorticity": False}}))
    s = run.series()
    wanted = [0] + [int(s["step"][np.argmax(s["time"] >= m * every - 1e-9)]) for m in range(1, 5)]
    steps = sorted(int(n[7:-3]) for n in os.listdir(run.folder) if n.startswith("fields_"))
    check.equal("steps of the files", steps, wanted)
    check.above("steps in between", min(np.diff(wanted)), 2)
    names = sorted(kc.read_fields(os.path.join(run.folder, f"fields_{steps[-1]:08d}.h5")))
    check.equal("arrays without vorticity", names, ["pressure", "velocity"])
    grids = xml.parse(os.path.join(run.folder, "fields.xdmf")).getroot().findall("./Domain/Grid/Grid")
    check.equal("listed times", [float(g.find("Time").get("Value")) for g in grids],
                [float(s["time"][n]) for n in steps])
    none = kolmo.run(
        kc.merge(CASE, {"run": {"steps_max": 1}, "output": {"field_interval": 0, "fields_vorticity": None}})
    )
    check.equal("none asked for, files", [n for n in os.listdir(none.folder) if n.startswith("fields")], [])


def cut_steps(kolmo, check):
    """output.cut_steps: fields and slices are written at the very times asked for, with a dt that is chosen
    and one that is fixed; other steps are as long as the flow allows; the same bits after a restart."""
    for name, time in (("cfl", {"dt": None, "cfl": 0.7}), ("fixed dt", {"dt": 0.03})):
        case = kc.merge(CASE, {"run": {"steps_max": None, "t_end": 1.0}, "time": time,
                               "slices": {"normal": ("z",), "position": (2.5,), "interval_time": (0.1,)},
                               "output": {"field_interval": None, "field_interval_time": 0.25},
                               "checkpoint": {"interval": 5, "keep": 100}})
        plain = kolmo.run(case)
        cut = kolmo.run(kc.merge(case, {"output": {"cut_steps": True}}))
        for kind, every in (("fields", 0.25), ("slice_1", 0.1)):
            at = {}
            for label, run in (("without", plain), ("with", cut)):
                names = [n for n in sorted(os.listdir(run.folder)) if n.startswith(kind + "_")]
                at[label] = []
                for file in names:
                    with h5py.File(os.path.join(run.folder, file), "r") as source:
                        at[label].append(float(np.ravel(source.attrs["time"])[0]))
            wanted = np.arange(round(1.0 / every) + 1) * every
            check.equal(f"{name}, {kind}: files", len(at["with"]), len(wanted))
            check.below("    times less those asked for",
                        float(np.max(np.abs(np.array(at["with"]) - wanted))), 1e-14)
            check.above("    without the switch",
                        float(np.max(np.abs(np.array(at["without"]) - wanted))), 1e-3)
        s = cut.series()
        t, dt = s["time"][1:-1], s["dt"][2:]  # each step but the first: its start and its length
        full = 0.03 if "dt" in time and time["dt"] else 0.7 * s["dt"][1:-1] / s["cfl"][1:-1]
        wanted = sorted({round(k * e, 9) for e in (0.1, 0.25) for k in range(1, round(1 / e) + 1)})
        left = np.array([min(w for w in wanted if w > a + 1e-9) - a for a in t])
        untouched = left > 2.001 * full
        check.above(f"{name}: steps that are not shortened", int(np.sum(untouched)), 5)
        check.below("    their dt, over that of the flow that they start from, less 1",
                    float(np.max(np.abs(dt / full - 1)[untouched])), 1e-12)
        check.says("    log", cut.out, "(output)")
        step = cut.steps()[len(cut.steps()) // 2]
        again = kolmo.place()
        path = os.path.join(again, f"checkpoint_{step:08d}.h5")
        shutil.copy(kc.checkpoint_path(cut.folder, step), path)
        shutil.copy(os.path.join(cut.folder, "series.nc"), again)
        on = kolmo.run(kc.merge(case, {"output": {"cut_steps": True}}), "--restart", path, folder=again)
        check.same(f"{name}: with a restart at step {step}", kc.differences(cut, on))
    for every in (0.1201, 0.12000001):  # a bit more than four steps
        run = kolmo.run(kc.merge(CASE, {"run": {"steps_max": None, "t_end": 0.5}, "time": {"dt": 0.03},
                                        "output": {"cut_steps": True, "field_interval": None,
                                                   "field_interval_time": every}}))
        check.above(f"fields each {every}: the shortest step over the fixed one",
                    float(np.min(run.series()["dt"][1:])) / 0.03, 0.1)
    bad = kolmo.run(kc.merge(CASE, {"output": {"cut_steps": True}}), rc=2)
    check.says("nothing asked for by time", bad.err, "output.cut_steps has no effect",
               "or output.field_interval_time")


if __name__ == "__main__":
    kc.main(__doc__, [values, listing, times, cut_steps])

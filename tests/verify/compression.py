#!/usr/bin/env python3
"""output.compression: compressed files hold the same bits, and every program reads them.

Would catch: cells lost or exchanged where a chunk has cells of several ranks, other values on other ranks,
files that are not smaller, checkpoints that are compressed, a reader that can't take chunks, a library
without the filter that is found when the run has computed for hours. Fields, a slice, a box and averages in
every cell of a stretched grid, on 1, 2 and 4 ranks."""
import os
import subprocess
import sys

import h5py
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(HERE, "..", "..", "postproc", "python"))
import kolmo_case as kc  # noqa: E402
import kolmo as package  # noqa: E402

CASE = {"run": {"steps_max": 4},
        "grid": {"n": (20, 16, 12), "length": (kc.TWO_PI, 5.0, 5.5), "origin": (0.5, -1.0, 2.0),
                 "stretching": ("sine", "uniform", "tanh"), "stretching_factor": (0.4, 0.0, 1.1)},
        "fluid": {"nu": 0.02}, "time": {"dt": 0.03},
        "initial": {"type": "isotropic", "velocity": (0.3, -0.2, 0.1)},
        "statistics": {"start": 0.0, "interval": 1, "directions": "none"},
        "slices": {"normal": "z", "position": 3.0, "interval": 2, "quantities": "velocity q"},
        "boxes": {"interval": 4, "low": (1.0, 0.0, 3.0), "high": (4.0, 3.0, 6.0), "quantities": "pressure"},
        "output": {"field_interval": 2, "fields_vorticity": True}}
FACES = kc.merge(CASE, {group: dict.fromkeys(CASE[group]) for group in ("statistics", "slices", "boxes")},
                 {"output": {"field_places": "faces", "field_precision": "double"}})
LIBRARY = """int H5Zfilter_avail(int id) { (void)id; return 0; }
"""


def arrays(path):
    """{name: (bytes of the values, filters, bytes in the file)} of a file, without its grid."""
    found = {}
    with h5py.File(path, "r") as file:
        def look(name, item):
            if isinstance(item, h5py.Dataset) and item.ndim >= 3:
                found[name] = (item[...].tobytes(), item.compression, item.id.get_storage_size(),
                               str(item.attrs["hash"]))

        file.visititems(look)
    return found


def files(folder):
    """All arrays of all HDF5 files of a run."""
    return {name: arrays(os.path.join(folder, name)) for name in sorted(os.listdir(folder))
            if name.endswith(".h5")}


def values(kolmo, check):
    """The same bits and hashes as without compression, on 1, 2 and 4 ranks, in less space."""
    plain = files(kolmo.run(CASE).folder)
    check.equal("files", sorted({name.rpartition("_")[0] or name for name in plain}),
                ["averages.h5", "box_1", "checkpoint", "fields", "slice_1"])
    for ranks, level, layout in ((1, 1, None), (2, 9, (2, 1, 1)), (4, 4, (1, 2, 2))):
        case = kc.merge(CASE, {"output": {"compression": level}, "grid": {"ranks": layout}})
        run = kolmo.run(case, ranks=ranks)
        found, label = files(run.folder), f"level {level}, {ranks} ranks"
        check.equal(f"{label}: files", list(found), list(plain))
        check.same("    values and hashes", [f"{file}: {name}" for file in plain for name in plain[file]
                                             if found[file][name][::3] != plain[file][name][::3]])
        check.same("    arrays that are not compressed as they should be",
                   [f"{file}: {name}" for file in found for name in found[file]
                    if found[file][name][1] != (None if file.startswith("checkpoint") else "gzip")])
        check.below("    size of the fields over that without compression",
                    sum(a[2] for a in found["fields_00000004.h5"].values())
                    / sum(a[2] for a in plain["fields_00000004.h5"].values()), 0.9)


def readers(kolmo, check):
    """A run starts from compressed fields, kolmo-stats averages them, kolmo-merge the averages, and the
    package reads them."""
    run, small = (kolmo.run(kc.merge(FACES, {"output": {"compression": level}})) for level in (0, 5))
    stats = []
    for folder in (run.folder, small.folder):
        stats.append(kolmo.place())
        kolmo.other("kolmo-stats").call(*(os.path.join(folder, f"fields_{n:08d}.h5") for n in (2, 4)),
                                        "--out", stats[-1], "--no-spectra", ranks=2)
    one, other = (package.open(folder).statistics for folder in stats)
    check.same("kolmo-stats", [n for n in one if not np.array_equal(one[n].values, other[n].values,
                                                                    equal_nan=True)])
    begun = [kolmo.run(kc.merge(FACES, {"run": {"steps_max": 1}, "initial": {
        "type": "file", "velocity": None, "file": os.path.join(folder, "fields_00000004.h5")}}))
             for folder in (run.folder, small.folder)]
    check.same("a run that starts from them", kc.differences(*begun))
    flows = [package.open(folder).fields.last["u"].values for folder in (run.folder, small.folder)]
    check.equal("kolmo.open", np.array_equal(*flows), True)
    averaged = [kolmo.run(kc.merge(CASE, {"output": {"compression": level, "field_interval": 0},
                                          "run": {"seed": seed}}))
                for level, seed in ((0, 1), (0, 2), (7, 1), (7, 2))]
    merged = []
    for pair in (averaged[:2], averaged[2:]):
        merged.append(kolmo.place())
        kolmo.other("kolmo-merge").call("--out", merged[-1], *(a.folder for a in pair))
    one, other = (arrays(os.path.join(folder, "averages.h5")) for folder in merged)
    check.same("kolmo-merge", [n for n in one if one[n][0] != other[n][0]])


def refused(kolmo, check):
    """A level that is none, one without files, and an HDF5 without the filter."""
    bad = kolmo.run(kc.merge(CASE, {"output": {"compression": 10}}), rc=2)
    check.says("level 10", bad.err, "output.compression", "9")
    bad = kolmo.run({"run": {"steps_max": 1}, "grid": {"n": (8, 8, 8)}, "fluid": {"nu": 0.1},
                     "output": {"compression": 4}}, rc=2)
    check.says("no files", bad.err, "output.compression has no effect", "ask for fields, slices, boxes")
    folder = kolmo.place()
    source, library = (os.path.join(folder, "lack." + end) for end in ("c", "so"))
    with open(source, "w", encoding="utf-8") as file:
        file.write(LIBRARY)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    path = kolmo.write(kc.merge(CASE, {"output": {"compression": 4}}), folder)
    for words in ((path,), (path, "--check")):
        said = kolmo.call(*words, rc=2, env={"LD_PRELOAD": library})
        check.says(f"without the filter{' --check' * (len(words) - 1)}", said.err, "case.nml:",
                   "output.compression = 4", "built without zlib", "choose 0")
        check.equal("    files", [n for n in os.listdir(folder) if n.endswith((".h5", ".nc"))], [])


if __name__ == "__main__":
    kc.main(__doc__, [values, readers, refused])

#!/usr/bin/env python3
"""What other programs read: XDMF by VTK, the formats of kolmo-export by VTK, meshio and xarray, and
every file of a run by xarray.

Our own checks take the files apart without these programs; where vtk, meshio, xarray or zarr are installed,
they read them, too. KOLMO_FORMATS_PYTHON names a Python that has them, if the one of the tests has not. Would
catch: axes exchanged, values of cells taken for those of points, a stretched grid drawn as a uniform one,
times that are lost, arrays on faces that are shifted to centres without a word, a file that is replaced,
files that are compressed and can't be read (those of the stretched grid), one without its title and input."""

import functools
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(ROOT, "postproc", "python"))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402
import kolmo as package  # noqa: E402

PYTHON = os.environ.get("KOLMO_FORMATS_PYTHON", sys.executable)
BOX = {
    "run": {"steps_max": 4, "title": "a <b> & c"},
    "grid": {"n": (10, 8, 6), "length": (3.0, 2.0, 4.0), "origin": (0.5, -1.0, 2.0)},
    "fluid": {"nu": 0.02},
    "time": {"dt": 0.02},
    "initial": {"type": "isotropic"},
    "statistics": {"start": 0.0, "interval": 1, "spectra_interval": 1},
    "history": {"interval": 1},
    "probes": {"position": (1.0, 0.3, 3.0), "interval": 2},
    "slices": {"normal": "y", "position": 0.1, "interval": 4, "quantities": "velocity q"},
    "output": {"field_interval": 2},
}
STRETCHED = kc.merge(
    BOX,
    {
        "grid": {"stretching": ("sine", "uniform", "tanh"), "stretching_factor": (0.4, 0.0, 1.1)},
        "statistics": {"spectra_interval": None, "directions": "none"},
        "output": {"compression": 4},
    },
)
BODY = kc.merge(
    BOX,
    {
        "statistics": {"spectra_interval": None, "directions": "none"},
        "slices": dict.fromkeys(BOX["slices"]),
        "history": {"interval": None},
        "bodies": {"shape": "box", "centre": (2.0, 0.0, 4.0), "size": (1.0, 0.8, 2.0)},
    },
)
PHASES = {
    "run": {"steps_max": 24},
    "grid": {"n": (4, 4, 8), "length": (2.0, 2.0, 2.0)},
    "fluid": {"nu": 0.02},
    "time": {"dt": 0.05},
    "boundary": {"z_low": "wall", "z_high": "wall"},
    "initial": {"type": "channel"},
    "statistics": {"start": 0.0, "interval": 1, "phases": 4},
    "forcing": {"type": "pressure-gradient", "value": 0.1, "amplitude": 1.0, "frequency": 2.0},
}
# reads one file and prints the class, the times, the coordinates of nodes and the arrays as JSON
READER = r"""
import json, sys
import numpy as np
how, path = sys.argv[1:3]
def told(kind, times, nodes, cells, points, about=None):
    rows = {n: np.asarray(v, dtype=float) for n, v in {**cells, **points}.items()}
    print(json.dumps({"kind": kind, "times": times, "about": about,
                      "nodes": [list(map(float, a)) for a in nodes],
                      "cells": sorted(cells), "points": sorted(points),
                      "values": {n: v.ravel().tolist() for n, v in rows.items()}}))
if how == "meshio":
    import meshio
    mesh = meshio.read(path)
    told(mesh.cells[0].type, [], [np.unique(mesh.points[:, d]) for d in range(3)],
         {n: v[0] for n, v in mesh.cell_data.items()}, {})
elif how == "zarr":
    import xarray
    data = xarray.open_zarr(path)
    told("zarr", data["time"].values.tolist(), [data[d].values for d in "xyz"],
         {n: v.isel(time=-1) for n, v in data.data_vars.items() if "location" in v.attrs}, {},
         {n: data.attrs.get(n) for n in ("title", "input")})
else:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as pipeline
    if how == "xdmf2":
        from vtkmodules.vtkIOXdmf2 import vtkXdmfReader as reader
    elif how == "xdmf3":
        from vtkmodules.vtkIOXdmf3 import vtkXdmf3Reader as reader
    elif how == "hdf":
        from vtkmodules.vtkIOHDF import vtkHDFReader as reader
    else:
        from vtkmodules.vtkIOXML import vtkXMLRectilinearGridReader as reader
    r = reader()
    r.AddFileName(path) if how == "xdmf3" else None
    r.SetFileName(path)
    r.UpdateInformation()
    about, key = r.GetOutputInformation(0), pipeline.TIME_STEPS()
    times = [about.Get(key, n) for n in range(about.Length(key))] if about.Has(key) else []
    r.UpdateTimeStep(times[-1]) if times else r.Update()
    out = r.GetOutputDataObject(0)
    while not out.IsA("vtkDataSet"):
        out = out.GetBlock(0)
    if out.IsA("vtkImageData"):
        first, width, sizes = out.GetOrigin(), out.GetSpacing(), out.GetDimensions()
        nodes = [first[d] + width[d] * np.arange(sizes[d]) for d in range(3)]
    elif out.IsA("vtkUnstructuredGrid"):
        points = vtk_to_numpy(out.GetPoints().GetData())
        nodes = [np.unique(points[:, d]) for d in range(3)]
    else:
        nodes = [vtk_to_numpy(getattr(out, f"Get{d}Coordinates")()) for d in "XYZ"]
    def held(data):
        return {data.GetArrayName(n): vtk_to_numpy(data.GetArray(n)) for n in range(data.GetNumberOfArrays())}
    about = {n: out.GetFieldData().GetAbstractArray(n) for n in ("title", "input")}
    told(out.GetClassName(), times, nodes, held(out.GetCellData()), held(out.GetPointData()),
         {n: v.GetValue(0) for n, v in about.items() if v is not None})
"""
NEEDS = {
    "xdmf2": "vtkmodules.vtkIOXdmf2",
    "xdmf3": "vtkmodules.vtkIOXdmf3",
    "hdf": "vtkmodules.vtkIOHDF",
    "vtr": "vtkmodules.vtkIOXML",
    "meshio": "meshio",
    "zarr": "zarr, xarray",
}
# rectilinear grids and times in VTKHDF
RECENT = "; from vtkmodules.vtkCommonCore import vtkVersion as v; assert v.GetVTKMinorVersion() >= 7"


@functools.lru_cache(maxsize=None)
def there(how):
    """Whether that Python has what reads such files."""
    code = f"import {NEEDS[how]}" + (RECENT if how == "hdf" else "")
    return subprocess.run([PYTHON, "-c", code], capture_output=True, check=False).returncode == 0


def read(how, path):
    """What another program finds in a file; None where it is not installed."""
    if not there(how):
        return None
    done = subprocess.run(
        [PYTHON, "-c", READER, how, path], capture_output=True, text=True, check=False, timeout=kc.SECONDS
    )
    if done.returncode:
        raise kc.RunError(f"{how} {path}: {done.stderr.strip()[-300:]}")
    return json.loads(done.stdout.splitlines()[-1])


def compare(check, label, found, source, kind, times=None):
    """Values of cells, faces and times, against the file of Kolmo."""
    with h5py.File(source, "r") as file:
        wanted = {
            n: file[n][...]
            for n, item in file.items()
            if isinstance(item, h5py.Dataset) and item.attrs["location"] == b"ccc"
        }
        face = [file[f"grid/{d}_face"][...] for d in "xyz"]
    check.equal(f"{label}: kind", found["kind"], kind)
    check.equal("    arrays of cells", found["cells"], sorted(wanted))
    check.same(
        "    values",
        [
            n
            for n, v in wanted.items()
            if not np.array_equal(np.array(found["values"].get(n, [])), v.ravel(), equal_nan=True)
        ],
    )
    centre = [0.5 * (f[1:] + f[:-1]) for f in face]
    check.below(
        "    coordinates",
        max(
            abs(np.array(a) - b).max() if len(a) == b.size else np.inf
            for a, b in zip(found["nodes"], centre if kind == "zarr" else face)
        ),
        1e-12,
    )
    if times is not None:
        check.below(
            "    times",
            abs(np.array(found["times"]) - times).max() if len(found["times"]) == len(times) else np.inf,
            1e-12,
        )


def tool(*words, rc=0):
    """kolmo-export in that Python."""
    done = subprocess.run(
        [PYTHON, os.path.join(ROOT, "postproc", "kolmo-export"), *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=kc.SECONDS,
    )
    if done.returncode != rc:
        raise kc.RunError(
            f"{words}: exit code {done.returncode}, expected {rc}: {done.stderr.strip()[-300:]}"
        )
    return done.stdout + done.stderr


def described(check, about, source):
    """The title and the input of the run, as its own file has them."""
    with h5py.File(source, "r") as file:
        wanted = {n: file["run"].attrs[n].decode() for n in ("title", "input")}
    check.equal("    title and input", {n: about.get(n) for n in wanted}, wanted)


def hexahedra(check, name, folder, source):
    """The XDMF of hexahedra, taken apart by hand and by VTK: each cell is the box between the faces that its
    values are of, with its corners in the order of VTK."""
    folder = os.path.join(folder, "fields-xdmf")
    root = xml.parse(os.path.join(folder, "fields.xdmf")).getroot()
    check.equal(f"{name}, xdmf: times", [float(t.get("Value")) for t in root.iter("Time")], [0.0, 0.04, 0.08])
    one = xml.parse(os.path.join(folder, "fields_00000004.xdmf")).getroot()
    places = {item.text.partition(":")[2] for item in one.iter("DataItem")}
    check.equal("    arrays of a step", sorted(places),
                ["/00000004/pressure", "/00000004/velocity", "/cells", "/points"])
    with h5py.File(os.path.join(folder, "fields.h5"), "r") as made, h5py.File(source, "r") as own:
        face = [own[f"grid/{d}_face"][...] for d in "xyz"]
        corners = made["points"][...][made["cells"][...]].reshape(*own["pressure"].shape, 8, 3)
        away = [0, 1, 1, 0] * 2, [0, 0, 1, 1] * 2, [0] * 4 + [1] * 4  # of the corners in x, y, z
        for d, (values, up) in enumerate(zip(face, away)):
            index = np.arange(values.size - 1).reshape([-1 if a == 2 - d else 1 for a in range(3)] + [1])
            wanted = values[index + np.array(up)]
            check.equal(f"    corners, {'xyz'[d]}",
                        np.array_equal(corners[..., d], np.broadcast_to(wanted, corners.shape[:-1])), True)
        check.equal("    velocity", np.array_equal(made["00000004/velocity"][...],
                                                   own["velocity"][...].reshape(-1, 3)), True)
        sizes = {item.text.partition(":")[2]: item.get("Dimensions") for item in one.iter("DataItem")}
        check.same("    sizes", [p for p in places if sizes[p] != " ".join(map(str, made[p].shape))])
        described(check, made.attrs, source)
    for how in ("xdmf2", "xdmf3"):
        found = read(how, os.path.join(folder, "fields.xdmf"))
        if found is None:
            check.skip(f"{name}, hexahedra by VTK", f"no {NEEDS[how]}")
        else:
            compare(check, f"{name}, hexahedra by {how}", found, source, "vtkUnstructuredGrid",
                    [0.0, 0.04, 0.08])


def readers(kolmo, check):
    """All formats of a uniform and a stretched grid, by the programs that are installed."""
    for name, case, kind in (
        ("uniform", BOX, "vtkImageData"),
        ("stretched", STRETCHED, "vtkRectilinearGrid"),
    ):
        run = kolmo.run(case)
        last = os.path.join(run.folder, "fields_00000004.h5")
        sources = {
            "fields": (last, [0.0, 0.04, 0.08]),
            "slice_1": (os.path.join(run.folder, "slice_1_00000004.h5"), [0.0, 0.08]),
        }
        if name == "stretched":
            sources["averages"] = (os.path.join(run.folder, "averages.h5"), None)
        for stem, (source, times) in sources.items():
            for how in ("xdmf2", "xdmf3"):
                found = read(how, os.path.join(run.folder, stem + ".xdmf"))
                if found is None:
                    check.skip(f"{name}, {stem}.xdmf by VTK", f"no {NEEDS[how]}")
                else:
                    compare(
                        check, f"{name}, {stem}.xdmf by {how}", found, source, "vtkRectilinearGrid", times
                    )
            tool("--of", stem, run.folder)
            path = os.path.join(run.folder, stem + ".vtkhdf")
            with h5py.File(path, "r") as file, h5py.File(source, "r") as own:
                values = file["VTKHDF/CellData/velocity"][...]
                check.equal(
                    f"{name}, {stem}.vtkhdf: last velocity",
                    np.array_equal(values if times is None else values[-1], own["velocity"][...]),
                    True,
                )
                described(check, file.attrs, source)
            found = read("hdf", path)
            if found is None:
                check.skip(f"{name}, {stem}.vtkhdf by VTK", "no vtk, or none from 9.7 on")
            else:
                compare(check, f"{name}, {stem}.vtkhdf by VTK", found, source, kind, times)
        for form, how, where in (
            ("vtr", "vtr", "fields-vtr/fields_00000004.vtr"),
            ("vtu", "meshio", "fields-vtu/fields_00000004.vtu"),
            ("xdmf", "meshio", "fields-xdmf/fields_00000004.xdmf"),
            ("zarr", "zarr", "fields.zarr"),
        ):
            if form == "xdmf":
                tool("--format", form, run.folder)
                hexahedra(check, name, run.folder, last)
                if not there(how):
                    check.skip(f"{name}, {form}", f"no {NEEDS[how]}")
                    continue
            elif form != "vtr" and not there(how):
                check.says(
                    f"{form} without {NEEDS[how]}", tool("--format", form, run.folder, rc=2), "pip install"
                )
                check.skip(f"{name}, {form}", f"no {NEEDS[how]}")
                continue
            if form != "xdmf":
                tool("--format", form, run.folder)
            found = read(how, os.path.join(run.folder, where))
            if found is None:
                check.skip(f"{name}, {form} by VTK", "no vtk")
                continue
            compare(
                check,
                f"{name}, {form} by {how}",
                found,
                last,
                {"vtr": "vtkRectilinearGrid", "zarr": "zarr"}.get(form, "hexahedron"),
                {"vtr": [0.08], "zarr": [0.0, 0.04, 0.08]}.get(form),
            )
            if form in ("vtr", "zarr"):
                described(check, found["about"], last)


def vtr_parts(path):
    """Arrays of a VTR file, taken apart by hand: {section: {name: values}}, and the extent."""
    with open(path, "rb") as file:
        head, _, raw = file.read().partition(b'<AppendedData encoding="raw">\n_')
    root = xml.fromstring(head.decode() + "</VTKFile>")
    piece, found = root.find(".//Piece"), {}
    for section in piece:
        found[section.tag] = {}
        for item in section:
            at = int(item.get("offset"))
            size = int(np.frombuffer(raw[at : at + 8], "<u8")[0])
            found[section.tag][item.get("Name")] = np.frombuffer(
                raw[at + 8 : at + 8 + size], "<f4" if item.get("type") == "Float32" else "<f8"
            )
    return found, piece.get("Extent")


def faces(kolmo, check):
    """Arrays on faces are point data of grids of their own in VTR; VTKHDF says that it leaves them out."""
    run = kolmo.run(kc.merge(STRETCHED, {"output": {"field_places": "faces", "field_precision": "double"}}))
    said = tool("--format", "vtr", run.folder)
    check.equal(
        "collections",
        re.findall(r"fields\w*\.pvd", said),
        ["fields.pvd", "fields_ccf.pvd", "fields_cfc.pvd", "fields_fcc.pvd"],
    )
    with h5py.File(os.path.join(run.folder, "fields_00000004.h5"), "r") as file:
        face = {d: file[f"grid/{d}_face"][...] for d in "xyz"}
        for name, where in (("u", "fcc"), ("v", "cfc"), ("w", "ccf"), ("pressure", "ccc")):
            tail = "" if where == "ccc" else "_" + where
            parts, extent = vtr_parts(os.path.join(run.folder, f"fields-vtr/fields{tail}_00000004.vtr"))
            section = "CellData" if where == "ccc" else "PointData"
            check.equal(
                f"{name}: values", np.array_equal(parts[section][name], file[name][...].ravel()), True
            )
            wanted = {
                d: f if where == "ccc" else f[:-1] if c == "f" else 0.5 * (f[1:] + f[:-1])
                for (d, f), c in zip(face.items(), where)
            }
            check.same("    coordinates", kc.differing_arrays(parts["Coordinates"], wanted))
            check.equal("    extent", extent, " ".join(f"0 {a.size - 1}" for a in wanted.values()))
    listed = xml.parse(os.path.join(run.folder, "fields-vtr/fields.pvd")).getroot()
    check.equal(
        "times",
        [(float(d.get("timestep")), d.get("file")) for d in listed.iter("DataSet")],
        [(t, f"fields_{s:08d}.vtr") for t, s in ((0.0, 0), (0.04, 2), (0.08, 4))],
    )
    for path in ("fields_00000004.vtr", "fields_fcc_00000004.vtr"):
        head = kc.file_bytes(os.path.join(run.folder, "fields-vtr", path)).partition(b"<AppendedData")[0]
        texts = {
            item.get("Name"): bytes(map(int, item.text.split())).rstrip(b"\0").decode()
            for item in xml.fromstring(head.decode() + "</VTKFile>").iter("Array")
        }
        described(check, texts, os.path.join(run.folder, "fields_00000004.h5"))
    check.says("VTKHDF", tool(run.folder), "left out, since they are on faces: u, v, w")
    check.says(
        "VTKHDF of them alone",
        tool("--quantity", "u", "--to", run.folder + "/u", run.folder, rc=2),
        "no array at the centres",
    )


def refused(kolmo, check):
    """Words, files and targets that are wrong; nothing is replaced or left behind."""
    run = kolmo.run(BOX)
    path = os.path.join(run.folder, "fields.vtkhdf")
    with open(path, "w", encoding="utf-8") as file:
        file.write("mine")
    for words, told in (
        ((), "it exists"),
        (("--of", "box_1"), "no file of 'box_1'"),
        (("--quantity", "heat"), "it has no array 'heat', but pressure, velocity"),
        (("--format", "stl"), "not understood"),
        (("--first", "5"), "no file of 'fields'"),
        (("--compression", "12"), "choose a level from 0 to 9"),
        (("--compression", "much"), "not understood"),
        (("--format", "vtr", "--compression", "2"), "of vtkhdf"),
    ):
        check.says(" ".join(words) or "a target that exists", tool(*words, run.folder, rc=2), told)
    check.equal("the target", kc.file_bytes(path), b"mine")
    small = os.path.join(run.folder, "small")
    tool("--compression", "9", "--to", small, run.folder)
    with h5py.File(small, "r") as file:
        stored = file["VTKHDF/CellData/velocity"]
        check.equal("compressed", (stored.compression, stored.chunks), ("gzip", (1, 6, 8, 10, 3)))
    for level in (0, 3):
        try:
            package.export(run.folder, "vtr", compression=level)
            check.holds(f"kolmo.export: level {level} of vtr", False, "it is taken")
        except package.Unreadable as error:
            check.says(f"kolmo.export: level {level} of vtr", str(error), "of vtkhdf")
    tool("--compression", "0", "--to", small + "-0", run.folder)
    with h5py.File(small + "-0", "r") as file:
        stored = file["VTKHDF/CellData/velocity"]
        check.equal("level 0", (stored.compression, stored.chunks), (None, None))
    os.truncate(os.path.join(run.folder, "fields_00000002.h5"), 3000)
    check.says("a damaged file", tool("--to", run.folder + "/x", run.folder, rc=2), "fields_00000002.h5")
    check.equal("    what is left", os.path.exists(run.folder + "/x"), False)


def opened(check, name, data, dims, more=()):
    """A dataset of xarray with its dimensions, each with coordinates that are in order. more: coordinates of
    other names than their dimension."""
    import xarray

    check.equal(f"{name}: class", isinstance(data, xarray.Dataset), True)
    check.equal(
        "    dimensions with coordinates",
        sorted(d for d in data.dims if d in data.coords),
        sorted(dims.split()),
    )
    check.same(
        "    coordinates out of order",
        [d for d in dims.split() if data[d].dtype.kind == "f" and not (np.diff(data[d].values) > 0).all()],
    )
    check.same("    coordinates beside", [n for n in more if n not in data.coords])
    check.same("    variables that can't be read", [n for n in data if data[n].load().size == 0])


def everything(kolmo, check):
    """Every file of a run as a dataset of xarray."""
    if kc.xarray_of_netcdf() is None:
        check.skip("every file by xarray", "no xarray, or none that reads NetCDF")
        return
    box, body, phases = (package.open(kolmo.run(case).folder) for case in (BOX, BODY, PHASES))
    opened(check, "series.nc", box.series, "time")
    opened(check, "history.nc", box.history, "time", ("wavenumber", "distance"))
    opened(check, "probes.nc", box.probes, "time", "xyz")
    opened(check, "statistics.nc of a box", box.statistics, "")
    opened(check, "statistics.nc of a channel", phases.statistics, "z z_face")
    opened(check, "phases.nc", phases.phases, "z z_face phase")
    opened(check, "spectra.nc", box.spectra, "k kx ky kz rx ry rz")
    opened(check, "pdf.nc", box.densities, "rx ry rz sx sy sz bin")
    opened(check, "bodies.nc", body.bodies, "time")
    opened(check, "averages.h5", body.averages, "x y z component")
    opened(check, "fields", box.fields.last, "x y z component")
    opened(check, "slices", box.slices[1].last, "x y z component")
    opened(check, "checkpoints", box.checkpoints.last, "x y z x_face y_face z_face")
    with h5py.File(box.fields.paths[4], "r") as file:
        check.same(
            "faces of the fields",
            [
                d
                for d in "xyz"
                if not np.array_equal(
                    np.append(
                        box.fields.last[f"{d}_bounds"].values[:, 0],
                        box.fields.last[f"{d}_bounds"].values[-1, 1],
                    ),
                    file[f"grid/{d}_face"][...],
                )
            ],
        )
    known = {
        "series.nc",
        "history.nc",
        "probes.nc",
        "statistics.nc",
        "spectra.nc",
        "pdf.nc",
        "phases.nc",
        "bodies.nc",
        "averages.h5",
    }
    every = {n for run in (box, body, phases) for n in os.listdir(run.folder) if n.endswith((".nc", ".h5"))}
    check.equal(
        "files that were not opened",
        sorted(n for n in every - known if not re.fullmatch(r"(fields|checkpoint|slice_1)_\d{8}\.h5", n)),
        [],
    )
    check.equal("files that no run has written", sorted(known - every), [])


if __name__ == "__main__":
    kc.main(__doc__, [readers, faces, refused, everything])

"""Writes flows in formats of other programs: VTKHDF and VTR for ParaView and VisIt, XDMF of hexahedra for
meshio, Zarr for xarray, and what meshio writes.

Values at the centres of cells become cell data. Arrays on faces keep their places: VTR files have them as
point data on grids of their own, Zarr has their coordinates; VTKHDF, XDMF and meshio leave them out."""

from __future__ import annotations

import importlib.util
import inspect
import os
import shutil
from typing import Any, Callable

import h5py
import numpy as np

from .guarded import Unreadable
from .snapshots import find, read_flow
from .tables import Table, plain

FORMS = {"vtkhdf": ".vtkhdf", "vtr": "", "vtu": "", "xdmf": "", "zarr": ".zarr"}
UNIFORM = 1e-9  # of a spacing: spacings that differ by less are equal
CHUNK = 1 << 20  # bytes of a compressed chunk, about
PROVENANCE = ("title", "version", "input", "command", "started")  # of the run, which exported files keep
OF_A_TIME = ("step", "time", "force", "force_power", "complete")  # attributes
NEEDS = {
    "zarr": ("xarray", "zarr"),
    "vtu": ("meshio",),
}


# ---- flows -------------------------------------------------------------------------------------------------


def faces(flow: Any) -> list[np.ndarray]:
    """Of the cells in x, y, z, of a flow as kolmo.open gives it."""
    bounds = [np.asarray(flow[f"{d}_bounds"].values) for d in "xyz"]
    return [np.append(b[:, 0], b[-1, 1]) for b in bounds]


def location(variable: Any) -> str | None:
    """'ccc', 'fcc', ... of an array of a flow; None for coordinates."""
    return variable.attrs.get("location") if len(variable.shape) >= 3 else None


def arrays(flow: Any, names: list[str] | None = None, places: str | None = "ccc") -> dict[str, np.ndarray]:
    """Arrays [z, y, x] or [z, y, x, component] at a location, of all or of these names."""
    return {
        name: np.asarray(flow[name].values)
        for name in flow
        if location(flow[name]) == places and (names is None or name in names)
    }


def locations(flow: Any, names: list[str] | None = None) -> list[str]:
    """Of its arrays."""
    return sorted({str(location(flow[n])) for n in flow if location(flow[n]) and (not names or n in names)})


def provenance(flow: Table) -> dict[str, str]:
    """Texts of the run that wrote a flow; those that it has."""
    run = flow.file["run"].attrs if flow.file is not None and "run" in flow.file else {}
    found = {name: str(plain(run[name])) for name in PROVENANCE if name in run}
    return {name: text for name, text in found.items() if text}


# ---- VTKHDF ------------------------------------------------------------------------------------------------


def is_uniform(face: np.ndarray) -> bool:
    """Whether all cells are of one width."""
    width = np.diff(face)
    return bool(np.ptp(width) <= UNIFORM * width.mean())


def put_text(group: h5py.Group, name: str, text: str) -> None:
    """An attribute as VTK reads it: ASCII of a fixed length."""
    group.attrs.create(name, text.encode("ascii"), dtype=f"S{len(text)}")


def vtkhdf_grid(root: h5py.Group, face: list[np.ndarray]) -> None:
    """ImageData where all spacings are uniform, else RectilinearGrid, which VTKHDF 2.7 has brought."""
    cells = [f.size - 1 for f in face]
    if all(is_uniform(f) for f in face):
        put_text(root, "Type", "ImageData")
        root.attrs["Version"] = np.array([2, 0], dtype="i8")
        root.attrs["WholeExtent"] = np.array([v for n in cells for v in (0, n)], dtype="i8")
        root.attrs["Origin"] = np.array([f[0] for f in face])
        root.attrs["Spacing"] = np.array([(f[-1] - f[0]) / n for f, n in zip(face, cells)])
        root.attrs["Direction"] = np.eye(3).ravel()
        return
    put_text(root, "Type", "RectilinearGrid")
    root.attrs["Version"] = np.array([2, 7], dtype="i8")
    root.attrs["Dimensions"] = np.array([f.size for f in face], dtype="i4")
    for d, f in zip("XYZ", face):
        root.create_dataset(f"{d}Coordinates", data=f)


def chunk_of(shape: tuple[int, ...], size: int, many: bool) -> tuple[int, ...]:
    """Of a compressed array: whole planes of one time, so that a time is read and written on its own."""
    planes = max(1, min(shape[0], CHUNK // (int(np.prod(shape[1:])) * size)))
    return ((1,) if many else ()) + (planes, *shape[1:])


def write_vtkhdf(
    path: str, flows: list[Table], names: list[str] | None = None, compression: int | None = None
) -> None:
    """One file with all times. flows: on one grid, in order of time; each is read when its turn comes."""
    many = len(flows) > 1  # VTK takes one time for a file without steps
    times = np.array([float(f["time"].values) for f in flows])
    with h5py.File(path, "w-") as file:
        file.attrs.update(provenance(flows[-1]))
        root = file.create_group("VTKHDF")
        vtkhdf_grid(root, faces(flows[0]))
        cell = root.create_group("CellData")
        if many:
            steps = root.create_group("Steps")
            steps.attrs["NSteps"] = np.int64(len(flows))
            steps.create_dataset("Values", data=times)
        else:
            root.create_group("FieldData").create_dataset("TimeValue", data=times)
        for n, flow in enumerate(flows):
            for name, values in arrays(flow, names).items():
                if n == 0:
                    shape = (len(flows), *values.shape) if many else values.shape
                    cell.create_dataset(
                        name,
                        shape,
                        values.dtype,
                        chunks=chunk_of(values.shape, values.itemsize, many) if compression else None,
                        compression=compression or None,
                        shuffle=bool(compression),
                    )
                    if many:
                        steps[f"CellDataOffsets/{name}"] = np.arange(len(flows), dtype="i8")
                cell[name][n if many else ...] = values


# ---- VTR ---------------------------------------------------------------------------------------------------


def write_vtr(
    path: str,
    axes: list[np.ndarray],
    cells: dict[str, np.ndarray],
    points: dict[str, np.ndarray],
    time: float,
    about: dict[str, str] | None = None,
) -> None:
    """A rectilinear grid as VTK's XML with appended raw values, for VTK, ParaView, VisIt and PyVista. about:
    texts that become field data."""
    kinds = {"f4": "Float32", "f8": "Float64"}
    blocks: list[np.ndarray] = []
    place = 0

    def entry(name: str, values: np.ndarray) -> str:
        nonlocal place
        values = np.ascontiguousarray(values, dtype="<f4" if values.dtype == np.float32 else "<f8")
        parts = values.shape[3] if values.ndim == 4 else 1
        blocks.append(values)
        place += 8 + values.nbytes
        return (
            f'<DataArray type="{kinds[values.dtype.str[1:]]}" Name="{escaped(name)}" '
            f'NumberOfComponents="{parts}" format="appended" offset="{place - 8 - values.nbytes}"/>\n'
        )

    extent = " ".join(f"0 {a.size - 1}" for a in axes)
    head = (
        '<?xml version="1.0"?>\n<VTKFile type="RectilinearGrid" version="1.0" byte_order="LittleEndian" '
        f'header_type="UInt64">\n<RectilinearGrid WholeExtent="{extent}">\n<FieldData>\n'
        '<DataArray type="Float64" Name="TimeValue" NumberOfTuples="1" format="ascii">'
        f"{time!r}</DataArray>\n"
        + "".join(text_array(name, text) for name, text in (about or {}).items())
        + f'</FieldData>\n<Piece Extent="{extent}">\n<PointData>\n'
        + "".join(entry(n, v) for n, v in points.items())
        + "</PointData>\n<CellData>\n"
        + "".join(entry(n, v) for n, v in cells.items())
        + "</CellData>\n<Coordinates>\n"
        + "".join(entry(d, np.asarray(a, dtype=float)) for d, a in zip("xyz", axes))
        + '</Coordinates>\n</Piece>\n</RectilinearGrid>\n<AppendedData encoding="raw">\n_'
    )
    with open(path, "xb") as file:
        file.write(head.encode("utf-8"))
        for values in blocks:
            file.write(np.uint64(values.nbytes).astype("<u8").tobytes())
            file.write(values.tobytes())
        file.write(b"\n</AppendedData>\n</VTKFile>\n")


def text_array(name: str, text: str) -> str:
    """A text as VTK's XML keeps it: the numbers of its bytes, and 0."""
    codes = " ".join(map(str, text.encode("utf-8") + b"\0"))
    return f'<Array type="String" Name="{escaped(name)}" NumberOfTuples="1" format="ascii">{codes}</Array>\n'


def escaped(text: str) -> str:
    """For XML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def write_series(path: str, files: list[str], times: list[float]) -> None:
    """A ParaView collection: which file is of which time."""
    with open(path, "x", encoding="utf-8") as file:
        file.write('<?xml version="1.0"?>\n<VTKFile type="Collection" version="0.1">\n<Collection>\n')
        for name, time in zip(files, times):
            file.write(f'<DataSet timestep="{time!r}" file="{escaped(os.path.basename(name))}"/>\n')
        file.write("</Collection>\n</VTKFile>\n")


def write_vtrs(folder: str, stem: str, flows: list[Table], names: list[str] | None = None) -> list[str]:
    """A file for each time and each location of arrays, and a collection for each location."""
    made: dict[str, list[str]] = {}
    for flow in flows:
        time = float(flow["time"].values)
        for where in locations(flow, names):
            tail = "" if where == "ccc" else "_" + where
            path = os.path.join(folder, f"{stem}{tail}_{int(flow.attrs['step']):08d}.vtr")
            found = arrays(flow, names, where)
            face = faces(flow)
            if where == "ccc":
                write_vtr(path, face, found, {}, time, provenance(flow))
            else:
                axes = [f[:-1] if c == "f" else 0.5 * (f[1:] + f[:-1]) for f, c in zip(face, where)]
                write_vtr(path, axes, {}, found, time, provenance(flow))
            made.setdefault(stem + tail, []).append(path)
    times = [float(f["time"].values) for f in flows]
    for name, files in made.items():
        write_series(os.path.join(folder, name + ".pvd"), files, times)
    return [os.path.join(folder, name + ".pvd") for name in made]


# ---- meshio ------------------------------------------------------------------------------------------------


def hexahedra(face: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Points of a grid, and for each cell, x fastest, the numbers of its eight points in the order of VTK."""
    x, y, z = (f.size for f in face)
    points = np.stack([a.ravel() for a in np.meshgrid(*face[::-1], indexing="ij")][::-1], axis=1)
    corner = (
        np.arange(z - 1)[:, None, None] * x * y
        + np.arange(y - 1)[None, :, None] * x
        + np.arange(x - 1)[None, None, :]
    ).ravel()
    nodes = np.stack([corner + n for n in (0, 1, 1 + x, x)], axis=1)
    return points, np.concatenate([nodes, nodes + x * y], axis=1)


def to_meshio(flow: Any, names: list[str] | None = None) -> Any:
    """A meshio.Mesh of hexahedra with the arrays at the centres of cells: the way into all formats that
    meshio writes. It has no structured grids, so this takes about 90 bytes a cell besides the values."""
    import meshio  # optional: pip install meshio

    points, cells = hexahedra(faces(flow))
    data = {n: [v.reshape(cells.shape[0], *v.shape[3:])] for n, v in arrays(flow, names).items()}
    return meshio.Mesh(points, [("hexahedron", cells)], cell_data=data)


# ---- XDMF --------------------------------------------------------------------------------------------------

XDMF = '<?xml version="1.0"?>\n<Xdmf Version="3.0">\n<Domain>\n'


def xdmf_item(name: str, place: str, values: Any) -> str:
    """Where an array lies; name: of the HDF5 file beside the index."""
    kind = "Float" if values.dtype.kind == "f" else "Int"
    return (
        f'<DataItem DataType="{kind}" Precision="{values.dtype.itemsize}" Format="HDF" '
        f'Dimensions="{" ".join(map(str, values.shape))}">{escaped(name)}:{place}</DataItem>'
    )


def xdmf_grid(name: str, file: h5py.File, step: str, time: float | None) -> str:
    """The grid of one step; time: None where meshio is to read it, which knows no times."""
    cells, points = file["cells"], file["points"]
    return (
        f'<Grid Name="{step}" GridType="Uniform">\n'
        + (f'<Time Value="{time!r}"/>\n' if time is not None else "")
        + f'<Topology TopologyType="Hexahedron" NumberOfElements="{cells.shape[0]}">'
        + xdmf_item(name, "/cells", cells)
        + '</Topology>\n<Geometry GeometryType="XYZ">'
        + xdmf_item(name, "/points", points)
        + "</Geometry>\n"
        + "".join(
            f'<Attribute Name="{escaped(n)}" AttributeType="{"Vector" if v.ndim == 2 else "Scalar"}" '
            f'Center="Cell">{xdmf_item(name, v.name, v)}</Attribute>\n'
            for n, v in file[step].items()
        )
        + "</Grid>\n"
    )


def write_xdmf(folder: str, stem: str, flows: list[Table], names: list[str] | None = None) -> list[str]:
    """One HDF5 file with the cells as hexahedra, an XDMF index of it for each step, which meshio reads, and
    one of all times. Structured grids are what meshio does not read."""
    data, every = stem + ".h5", []
    with h5py.File(os.path.join(folder, data), "w-") as file:
        file.attrs.update(provenance(flows[-1]))
        file["points"], file["cells"] = hexahedra(faces(flows[0]))
        for flow in flows:
            step = f"{int(flow.attrs['step']):08d}"
            for name, values in arrays(flow, names).items():
                file[f"{step}/{name}"] = values.reshape(file["cells"].shape[0], *values.shape[3:])
            every.append(xdmf_grid(data, file, step, float(flow["time"].values)))
            with open(os.path.join(folder, f"{stem}_{step}.xdmf"), "x", encoding="utf-8") as index:
                index.write(XDMF + xdmf_grid(data, file, step, None) + "</Domain>\n</Xdmf>\n")
    with open(os.path.join(folder, stem + ".xdmf"), "x", encoding="utf-8") as index:
        index.write(
            XDMF
            + f'<Grid Name="{escaped(stem)}" GridType="Collection" CollectionType="Temporal">\n'
            + "".join(every)
            + "</Grid>\n</Domain>\n</Xdmf>\n"
        )
    return [os.path.join(folder, stem + ".xdmf")]


# ---- Zarr --------------------------------------------------------------------------------------------------


def write_zarr(path: str, flows: list[Table], names: list[str] | None = None) -> None:
    """A Zarr store of format 2 with the time in front, for xarray.open_zarr. Needs xarray and zarr."""
    import xarray

    known = inspect.signature(xarray.Dataset.to_zarr).parameters
    form = {"zarr_format": 2} if "zarr_format" in known else {}  # earlier ones write no other
    for n, flow in enumerate(flows):
        data = flow.to_xarray()
        drop = [v for v in data.data_vars if names is not None and v not in names]
        data = data.drop_vars(drop)
        for one in (data, *data.variables.values()):
            one.attrs = {k: v.tolist() if hasattr(v, "tolist") else v for k, v in one.attrs.items()}
        step = int(data.attrs["step"])
        data.attrs = {k: v for k, v in data.attrs.items() if k not in OF_A_TIME} | provenance(flow)
        data = data.set_coords([f"{d}_bounds" for d in "xyz"]).expand_dims("time")
        data["step"] = ("time", np.array([step]), {"units": "1", "long_name": "number of the step"})
        if n == 0:
            data.to_zarr(path, mode="w-", consolidated=True, **form)
        else:
            still = [v for v in data.variables if "time" not in data[v].dims]
            data.drop_vars(still).to_zarr(path, append_dim="time", consolidated=True, **form)


# ---- the whole ---------------------------------------------------------------------------------------------


def lacking(form: str) -> list[str]:
    """Modules that this format needs and that are not installed."""
    return [m for m in NEEDS.get(form, ()) if importlib.util.find_spec(m) is None]


def paths_of(folder: str, kind: str) -> dict[int, str]:
    """Files of a kind (fields, checkpoint, slice_1, box_1, averages) by step."""
    if kind == "averages":
        path = os.path.join(folder, "averages.h5")
        return {int(read_flow(path).attrs["step"]): path} if os.path.exists(path) else {}
    return find(folder).get(kind, {})


def one_grid(flows: list[Table]) -> None:
    """Refuses flows of several grids, as a run has after a restart on another one."""
    first = faces(flows[0])
    for flow in flows[1:]:
        if any(not np.array_equal(a, b) for a, b in zip(first, faces(flow))):
            raise Unreadable(f"{flow.name}: its grid is not that of {flows[0].name}; choose other steps")


def export(
    folder: str | os.PathLike[str],
    form: str = "vtkhdf",
    kind: str = "fields",
    names: list[str] | None = None,
    first: int | None = None,
    last: int | None = None,
    to: str | None = None,
    compression: int | None = None,
    say: Callable[[str], Any] = lambda text: None,
) -> list[str]:
    """Writes files of a run in another format and returns what to open.

    form: 'vtkhdf', 'vtr', 'vtu', 'xdmf' or 'zarr'. kind: 'fields', 'slice_1', 'box_1', 'checkpoint' or
    'averages'. names: these arrays alone. first, last: steps. to: a file for vtkhdf and zarr, a folder for
    the others; without it, beside the run's files. compression: 0 to 9, of vtkhdf. Nothing that exists is
    replaced."""
    folder = os.fspath(folder)
    if form not in FORMS:
        raise Unreadable(f"format {form}: choose one of {', '.join(FORMS)}")
    if compression is not None and form != "vtkhdf":
        raise Unreadable("compression is a choice of vtkhdf files alone; leave it out")
    if compression is not None and not 0 <= compression <= 9:
        raise Unreadable(f"compression {compression}: choose a level from 0 to 9")
    if lacking(form):
        want = lacking(form)
        raise Unreadable(f"format {form} needs {' and '.join(want)}; pip install {' '.join(want)}")
    steps = {
        s: p
        for s, p in sorted(paths_of(folder, kind).items())
        if (first is None or s >= first) and (last is None or s <= last)
    }
    if not steps:
        there = ", ".join(sorted(find(folder))) or "none"
        raise Unreadable(f"{folder}: no file of '{kind}' with such a step; files there are of: {there}")
    flows = [read_flow(p) for p in steps.values()]
    known = [n for n in flows[0] if location(flows[0][n])]
    for name in names or []:
        if name not in known:
            raise Unreadable(f"{flows[0].name}: it has no array '{name}', but {', '.join(known)}")
    one_grid(flows)
    target = to or os.path.join(folder, kind + FORMS[form] if FORMS[form] else f"{kind}-{form}")
    if os.path.exists(target):
        raise Unreadable(f"{target}: it exists; remove it, or choose another name")
    out = [n for n in known if location(flows[0][n]) != "ccc" and (names is None or n in names)]
    if form in ("vtkhdf", "vtu", "xdmf"):
        if not arrays(flows[0], names):
            raise Unreadable(
                f"{flows[0].name}: no array at the centres of cells; choose the format vtr or zarr, which "
                "take arrays on faces"
            )
        if out:
            say(f"left out, since they are on faces: {', '.join(out)}; the formats vtr and zarr take them")
    try:
        return write(form, target, kind, flows, names, compression)
    except BaseException:
        if os.path.isdir(target):
            shutil.rmtree(target, ignore_errors=True)
        elif os.path.exists(target):
            os.unlink(target)
        raise


def write(
    form: str, target: str, kind: str, flows: list[Table], names: list[str] | None, compression: int | None
) -> list[str]:
    """In one of the formats; what to open."""
    if form == "vtkhdf":
        write_vtkhdf(target, flows, names, compression)
    elif form == "zarr":
        write_zarr(target, flows, names)
    else:
        os.makedirs(target)
        if form == "vtr":
            return write_vtrs(target, kind, flows, names)
        if form == "xdmf":
            return write_xdmf(target, kind, flows, names)
        files = [os.path.join(target, f"{kind}_{int(f.attrs['step']):08d}.vtu") for f in flows]
        for path, flow in zip(files, flows):
            to_meshio(flow, names).write(path)
        write_series(os.path.join(target, kind + ".pvd"), files, [float(f["time"].values) for f in flows])
        return [os.path.join(target, kind + ".pvd")]
    return [target]

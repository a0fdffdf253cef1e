"""Pressure and shear on the surface of bodies: surface_<step>.h5 and surface_average.h5."""

from __future__ import annotations

import os
import re
from typing import Any

import h5py
import numpy as np

from .guarded import Unreadable
from .snapshots import Snapshots
from .tables import Table, Variable, attributes_of, best, opened_hdf5

FILE = re.compile(r"surface_(\d{8,})\.h5")
COORDINATES = ("position", "normal", "area", "face_area", "weight", "body")


def find_surfaces(folder: str | os.PathLike[str]) -> dict[int, str]:
    """{step: path} of the files of single steps."""
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise Unreadable(f"{os.fspath(folder)}: {error.strerror}") from None
    found = ((FILE.fullmatch(name), name) for name in names)
    return {int(match[1]): os.path.join(folder, name) for match, name in found if match}


def read_surface(path: str | os.PathLike[str]) -> Table:
    """A file of surface data: arrays over `point`, those of vectors over `point` and `component`."""
    file = opened_hdf5(os.fspath(path))
    if "complete" not in file.attrs or "time" not in file.attrs or "pressure" not in file:
        raise Unreadable(f"{os.fspath(path)}: it is no complete file of surface data")
    found = {"component": Variable(np.array(["x", "y", "z"]), ("component",), {}, "component")}
    for name, item in file.items():
        if not isinstance(item, h5py.Dataset) or item.attrs.get("location") not in ("surface", b"surface"):
            continue
        attrs = attributes_of(item)
        attrs["units"] = attrs.pop("unit", "1")
        dims = ("point",) if item.ndim == 3 else ("point", "component")
        found[name] = Variable(np.asarray(item[0, 0]), dims, attrs, name)
    found["time"] = Variable(
        np.array(float(file.attrs["time"])), (), {"units": "L/U", "long_name": "time"}, "time"
    )
    coords = tuple(n for n in found if n in COORDINATES + ("component", "time"))
    return Table(found, attributes_of(file), coords, file, os.fspath(path))


class Surfaces(Snapshots):
    """Surface data by step: surfaces[step], .last, .at(time), .steps, .times."""

    def __init__(self, paths: dict[int, str]) -> None:
        super().__init__("files of surface data", paths)

    def read(self, path: str) -> Table:
        """One file."""
        return read_surface(path)


def surface_force(data: Any, body: int) -> np.ndarray:
    """The force of the fluid on a body in x, y and z, as the sum over its points [U2 L2]. With the data of a
    step it is that of bodies.nc, to rounding."""
    own = np.asarray(data["body"].values) == body
    pressure, area = np.asarray(data["pressure"].values)[own], np.asarray(data["area"].values)[own]
    shear, size = np.asarray(data["shear"].values)[own], np.asarray(data["face_area"].values)[own]
    return (shear * size[:, None] - pressure[:, None] * area).sum(axis=0)


def average_of(path: str) -> Any:
    """surface_average.h5."""
    if not os.path.exists(path):
        raise Unreadable(f"{path}: no such file; output.surface_start asks for it")
    return best(read_surface(path))

"""Writes planes in time of velocity and scalars for an inflow, and the hash of an array in Kolmo's files."""

from __future__ import annotations

import os
from typing import Any

import h5py
import numpy as np


def mix(x: np.ndarray) -> np.ndarray:
    """The finaliser of splitmix64."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def hash_of(array: np.ndarray) -> np.uint64:
    """The hash of an array of float64 or float32, as io/schema.md defines it."""
    flat = np.ascontiguousarray(array).ravel()
    bits = flat.view(np.uint64) if flat.dtype.itemsize == 8 else flat.view(np.uint32).astype(np.uint64)
    with np.errstate(over="ignore"):
        return np.sum(mix(bits ^ mix(np.arange(bits.size, dtype=np.uint64))), dtype=np.uint64)


def plain(values: Any, name: str) -> np.ndarray:
    """Single precision is kept; all else becomes double. Complex values and those not finite are refused."""
    array = np.asarray(values)
    if np.iscomplexobj(array):
        raise ValueError(f"{name} has complex values; give its real part")
    array = array if array.dtype == np.float32 else array.astype(np.float64)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} has values that are not finite")
    return array


def write_planes(
    path: str | os.PathLike[str],
    times: Any,
    first_face: Any,
    second_face: Any,
    velocity: Any,
    scalars: dict[str, Any] | None = None,
    units: dict[str, str] | None = None,
) -> None:
    """Planes for boundary.*_profile = 'planes' (io/schema.md, "kolmo-planes").

    velocity[time, second, first, 3]: components x, y, z. The component through the face is given at the
    centre of each cell of the face, a component along the face on the lower face of the cell in its own
    direction. first_face, second_face: faces of the cells along the face, one more than there are cells.
    scalars[name][time, second, first]: values of a scalar on the face, at the centre of each of its cells,
    with its unit in units[name]. Single precision is kept, all else is written in double precision."""
    velocity = plain(velocity, "velocity")
    planes = {name: plain(values, name) for name, values in (scalars or {}).items()}
    lines = {"first_face": first_face, "second_face": second_face, "time": times}
    lines = {name: np.asarray(line, dtype=np.float64) for name, line in lines.items()}
    for name, line in lines.items():
        if line.ndim != 1 or line.size < 2 or not (np.diff(line) > 0).all():
            raise ValueError(f"{name} is no list of two numbers or more that increase")
    wanted = (lines["time"].size, lines["second_face"].size - 1, lines["first_face"].size - 1, 3)
    if velocity.shape != wanted:
        raise ValueError(f"velocity has the shape {velocity.shape}, times and faces ask for {wanted}")
    for name, values in planes.items():
        if values.shape != wanted[:3]:
            raise ValueError(f"{name} has the shape {values.shape}, times and faces ask for {wanted[:3]}")
    for name in units or {}:
        if name not in planes:
            raise ValueError(f"there is a unit of {name}, but no planes of it")
    with h5py.File(path, "w", libver=("v110", "v110")) as f:
        f.attrs["format"] = np.bytes_("kolmo-planes")
        f.attrs["format_version"] = np.int64(1)
        for name, array in dict(lines, velocity=velocity).items():
            f.create_dataset(name, data=array).attrs["hash"] = hash_of(array)
        for name, array in planes.items():
            dataset = f.create_dataset(f"scalars/{name}", data=array)
            dataset.attrs["hash"] = hash_of(array)
            if name in (units or {}):
                dataset.attrs["unit"] = np.bytes_((units or {})[name])
        f.attrs["complete"] = np.int64(1)

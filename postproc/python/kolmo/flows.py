"""Writes flows, velocity and scalars, that runs start from, for initial.type = 'file'."""

from __future__ import annotations

import os
from typing import Any, Mapping, Sequence

import h5py
import numpy as np

from .planes import hash_of, plain


def write_flow(
    path: str | os.PathLike[str],
    velocity: Any = None,
    *,
    u: Any = None,
    v: Any = None,
    w: Any = None,
    faces: Sequence[Any] | None = None,
    scalars: Mapping[str, Any] | None = None,
) -> None:
    """A flow for initial.type = 'file' (docs/own-flows.md).

    Either velocity[nz, ny, nx, 3] at the centres of cells, or u, v, w[nz, ny, nx] on their lower faces.
    faces: coordinates of the faces of the cells in x, y and z, one more than there are cells; a file without
    them fits runs on a grid of the same number of cells.
    scalars: for each name of a scalar of the run its values[nz, ny, nx] at the centres of cells."""
    given = {"velocity": velocity} if velocity is not None else {"u": u, "v": v, "w": w}
    if velocity is not None and any(part is not None for part in (u, v, w)):
        raise ValueError("give either velocity, at centres, or u, v and w, on faces")
    if any(part is None for part in given.values()):
        raise ValueError("give velocity, at centres, or all of u, v and w, on faces")
    arrays = {name: plain(values, name) for name, values in given.items()}
    shape = next(iter(arrays.values())).shape[:3]
    for name, array in arrays.items():
        wanted = shape + (3,) if name == "velocity" else shape
        if array.shape != wanted or len(shape) != 3:
            raise ValueError(
                f"{name} has the shape {array.shape}; (nz, ny, nx{', 3' if name == 'velocity' else ''})"
                f" is wanted, the same for all"
            )
        if array.dtype != next(iter(arrays.values())).dtype:
            raise ValueError("u, v and w must be of the same precision")
    values = {name: plain(array, name) for name, array in (scalars or {}).items()}
    for name, array in values.items():
        if name in ("velocity", "u", "v", "w", "p", "grid") or "/" in name:
            raise ValueError(f"a scalar can't be called {name}")
        if array.shape != shape:
            raise ValueError(f"{name} has the shape {array.shape}; that of the velocity is {shape}")
    lines = [] if faces is None else [np.asarray(line, dtype=np.float64) for line in faces]
    if lines and [line.size for line in lines] != [n + 1 for n in shape[::-1]]:
        raise ValueError(
            f"faces has {', '.join(str(line.size) for line in lines)} coordinates in x, y, z; "
            f"{', '.join(str(n + 1) for n in shape[::-1])} are wanted"
        )
    if any(not np.all(np.diff(line) > 0) for line in lines):
        raise ValueError("the coordinates of faces must increase")
    with h5py.File(path, "w", libver=("v110", "v110")) as file:
        file.attrs["format"] = np.bytes_("kolmo-flow")
        file.attrs["format_version"] = np.int64(1)
        every = dict(arrays, **values, **{f"grid/{d}_face": line for d, line in zip("xyz", lines)})
        for name, array in every.items():
            file.create_dataset(name, data=array).attrs["hash"] = hash_of(array)
        file.attrs["complete"] = np.int64(1)

"""Flows at several times: fields, slices, boxes and checkpoints, by step."""

from __future__ import annotations

import bisect
import os
import re
from collections.abc import Mapping
from typing import Any, Callable, Iterator

import h5py
import numpy as np

from .guarded import Unreadable
from .tables import Table, Variable, attributes_of, best, has_xarray, opened_hdf5

FILE = re.compile(r"(fields|checkpoint|slice_\d+|box_\d+)_(\d{8,})\.h5")
SPACE = {"c": "{}", "f": "{}_face"}  # the name of a dimension, by the letter of a location


def find(folder: str | os.PathLike[str]) -> dict[str, dict[int, str]]:
    """{'fields' or 'slice_1' or ...: {step: path}} of a folder."""
    found: dict[str, dict[int, str]] = {}
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise Unreadable(f"{os.fspath(folder)}: {error.strerror}") from None
    for name in names:
        match = FILE.fullmatch(name)
        if match:
            found.setdefault(match[1], {})[int(match[2])] = os.path.join(folder, name)
    return found


def find_slices(folder: str | os.PathLike[str]) -> dict[int, dict[int, str]]:
    """{number: {step: path}} of the slices of a folder."""
    return {
        int(kind[len("slice_") :]): paths
        for kind, paths in find(folder).items()
        if kind.startswith("slice_")
    }


def time_of(file: h5py.File) -> float:
    """Of a flow's file; checkpoints keep it among the numbers of their state."""
    place = file if "time" in file.attrs else file.get("state", file)
    if "time" not in place.attrs or "complete" not in file.attrs:
        raise Unreadable(f"{file.filename}: it is no complete file of a flow: attributes are missing")
    return float(place.attrs["time"])


def coordinates(file: h5py.File) -> dict[str, Variable]:
    """Centres, lower faces, and both ends of the cells in each direction."""
    found = {}
    for d in "xyz":
        face = np.asarray(file[f"grid/{d}_face"][...])
        about = {"units": "L"}
        found[d] = Variable(
            0.5 * (face[1:] + face[:-1]), (d,), dict(about, long_name=f"{d} of cell centres"), d
        )
        found[d + "_face"] = Variable(
            face[:-1],
            (d + "_face",),
            dict(about, long_name=f"{d} of the lower faces of cells"),
            d + "_face",
        )
        found[d + "_bounds"] = Variable(
            np.stack([face[:-1], face[1:]], axis=1),
            (d, "ends"),
            dict(about, long_name=f"both ends of the cells in {d}"),
            d + "_bounds",
        )
    return found


def read_flow(path: str | os.PathLike[str]) -> Table:
    """A file of fields, a slice, a box or a checkpoint. Arrays have the dimensions z, y, x, with x_face for x
    where they are on faces, and `component` of vectors."""
    file = opened_hdf5(os.fspath(path))
    time, found = time_of(file), coordinates(file)
    sizes = {d: v.shape[0] for d, v in found.items() if len(v.dims) == 1}
    used = {"x", "y", "z", "x_bounds", "y_bounds", "z_bounds"}
    for name, item in file.get("fields", file).items():
        if not isinstance(item, h5py.Dataset) or "location" not in item.attrs:
            continue
        attrs = attributes_of(item)
        attrs["units"] = attrs.pop("unit", "1")
        dims = tuple(SPACE[c].format(d) for d, c in zip("zyx", attrs["location"][::-1]))
        if item.shape[:3] != tuple(sizes[d] for d in dims) or item.shape[3:] > (3,):
            continue  # planes of outflows, sums of statistics: not fields
        if item.ndim == 4:
            dims += ("component",)
            found["component"] = Variable(
                np.array(["x", "y", "z"][: item.shape[3]]), ("component",), {}, "component"
            )
        found[name] = Variable(item, dims, attrs, name)
        used.update(dims)
    kept = {n: v for n, v in found.items() if n in used or "location" in v.attrs}
    kept["time"] = Variable(np.array(time), (), {"units": "L/U", "long_name": "time"}, "time")
    coords = tuple(n for n, v in kept.items() if "location" not in v.attrs)
    return Table(kept, dict(attributes_of(file), time=time), coords, file, os.fspath(path))


class OverTime:
    """One array of several files as an array with the time in front; a file is opened when it is used."""

    def __init__(
        self, paths: list[str], name: str, like: Variable, reader: Callable[[str], Table] = read_flow
    ) -> None:
        self.paths, self.name, self.reader = paths, name, reader
        self.shape, self.dtype, self.ndim = (len(paths),) + like.shape, like.dtype, 1 + len(like.shape)

    def __getitem__(self, key: Any) -> np.ndarray:
        """A part, file by file."""
        key = key if isinstance(key, tuple) else (key,)
        first, rest = (key[0], key[1:]) if key and key[0] is not Ellipsis else (slice(None), key)
        if isinstance(first, slice):
            return np.stack([self.one(path, rest) for path in self.paths[first]])
        return self.one(self.paths[first], rest)

    def one(self, path: str, rest: tuple) -> np.ndarray:
        """A part of one file."""
        found = self.reader(path)
        part = np.asarray(found[self.name].data[rest if rest else ...])
        if found.file is not None:
            found.file.close()
        return part


class Snapshots(Mapping):
    """Flows by step: snapshots[step], .last, .at(time), .stack(name)."""

    def __init__(self, kind: str, paths: dict[int, str]) -> None:
        self.kind, self.paths = kind, dict(sorted(paths.items()))
        self._times: list[float] | None = None

    def __getitem__(self, step: int) -> Any:
        """The flow of a step."""
        if step not in self.paths:
            raise KeyError(
                f"step {step}: there are {self.kind} of the steps "
                f"{', '.join(map(str, self.paths)) or '(none)'}"
            )
        return best(self.read(self.paths[step]))

    def read(self, path: str) -> Table:
        """One file."""
        return read_flow(path)

    def __iter__(self) -> Iterator[int]:
        """The steps."""
        return iter(self.paths)

    def __len__(self) -> int:
        """How many flows there are."""
        return len(self.paths)

    def __repr__(self) -> str:
        """One line."""
        return f"<{len(self)} {self.kind}, steps {', '.join(map(str, self.paths))}>"

    @property
    def steps(self) -> list[int]:
        """In order."""
        return list(self.paths)

    @property
    def times(self) -> list[float]:
        """In the order of the steps."""
        if self._times is None:
            self._times = []
            for path in self.paths.values():
                with opened_hdf5(path) as file:
                    self._times.append(time_of(file))
        return self._times

    @property
    def last(self) -> Any:
        """The latest flow."""
        if not self.paths:
            raise Unreadable(f"there are no {self.kind} in this folder")
        return self[self.steps[-1]]

    def at(self, time: float) -> Any:
        """The flow whose time is nearest."""
        if not self.paths:
            raise Unreadable(f"there are no {self.kind} in this folder")
        n = bisect.bisect(self.times, time)
        near = min(range(max(n - 1, 0), min(n + 1, len(self))), key=lambda m: abs(self.times[m] - time))
        return self[self.steps[near]]

    def stack(self, name: str) -> Any:
        """One quantity of all times, the time in front; read from the files when it is used."""
        paths = list(self.paths.values())
        if not paths:
            raise Unreadable(f"there are no {self.kind} in this folder")
        first = self.read(paths[0])
        one = first[name]
        dims = ("time",) + one.dims
        variables = {n: v for n, v in first.variables.items() if n in one.dims}
        variables["time"] = Variable(
            np.array(self.times), ("time",), {"units": "L/U", "long_name": "time"}, "time"
        )
        coords = tuple(variables)
        variables[name] = Variable(OverTime(paths, name, one, self.read), dims, one.attrs, name)
        table = Table(variables, {}, coords, None, self.kind)
        return table.to_xarray()[name] if has_xarray() else table[name]

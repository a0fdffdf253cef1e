"""Variables of a file with their dimensions, coordinates and units, read when they are asked for.

Table and Variable have the part of xarray's Dataset and DataArray that the reports use: table[name].values,
.dims, .shape, .attrs, and iteration over the names. to_xarray() makes a Dataset whose arrays stay on disk
until they are used."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from typing import Any, Iterator

import h5py
import numpy as np

from .guarded import Unreadable, regular

HIDDEN = (
    "CLASS",
    "NAME",
    "DIMENSION_LIST",
    "REFERENCE_LIST",
    "_Netcdf4Dimid",
    "_Netcdf4Coordinates",
    "_NCProperties",
    "_nc3_strict",
    "hash",
    "_FillValue",
)
NO_VARIABLE = b"This is a netCDF dimension but not"


def plain(value: Any) -> Any:
    """An attribute as a text, a number or an array."""
    if isinstance(value, np.ndarray) and value.size == 1:
        value = value.flat[0]
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value.item() if isinstance(value, np.generic) else value


def attributes_of(item: Any) -> dict[str, Any]:
    """Those that are meant for readers."""
    attrs = item.attrs
    return {name: plain(attrs[name]) for name in attrs if name not in HIDDEN}


class Variable:
    """An array of a file, or one in memory; `values` reads it."""

    def __init__(self, data: Any, dims: tuple[str, ...], attrs: dict[str, Any], name: str = "") -> None:
        self.data, self.dims, self.attrs, self.name = data, dims, attrs, name

    @property
    def shape(self) -> tuple[int, ...]:
        """Its size in each dimension."""
        return tuple(self.data.shape)

    @property
    def dtype(self) -> np.dtype:
        """The type of its values."""
        return self.data.dtype

    @property
    def values(self) -> np.ndarray:
        """All of it, read now."""
        return np.asarray(self.data[...])

    def __getitem__(self, key: Any) -> Any:
        """A part of it; only this is read."""
        return self.data[key]

    def __array__(self, dtype: Any = None) -> np.ndarray:
        """For numpy."""
        return self.values if dtype is None else self.values.astype(dtype)

    def __float__(self) -> float:
        """Of one number."""
        return float(self.values)

    def __repr__(self) -> str:
        """One line."""
        sizes = ", ".join(f"{d}: {n}" for d, n in zip(self.dims, self.shape))
        return f"<{self.name} ({sizes}) {self.dtype}, {self.attrs.get('units', '1')}>"


class Table(Mapping):
    """Variables by name. The file stays open as long as the table is in use: a run that renews the file does
    not change what has been opened."""

    def __init__(
        self,
        variables: dict[str, Variable],
        attrs: dict[str, Any],
        coords: tuple[str, ...],
        file: h5py.File | None = None,
        name: str = "",
    ) -> None:
        self.variables, self.attrs, self.coords, self.file, self.name = variables, attrs, coords, file, name

    def __getitem__(self, name: str) -> Variable:
        """A variable; the error lists those that there are."""
        try:
            return self.variables[name]
        except KeyError:
            raise KeyError(
                f"{name}: {self.name or 'this table'} has {', '.join(sorted(self.variables))}"
            ) from None

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self.variables)

    def __len__(self) -> int:
        """How many variables there are."""
        return len(self.variables)

    def __repr__(self) -> str:
        """A line for each variable."""
        return "\n".join([f"Table {self.name}"] + [f"  {v!r}" for v in self.variables.values()])

    def to_xarray(self) -> Any:
        """An xarray.Dataset of the same variables."""
        from .lazy import dataset

        return dataset(self)


def has_xarray() -> bool:
    """Whether xarray is installed."""
    return importlib.util.find_spec("xarray") is not None


def best(table: Table) -> Any:
    """An xarray.Dataset where xarray is installed, else the table itself."""
    return table.to_xarray() if has_xarray() else table


def opened_hdf5(path: str) -> h5py.File:
    """A file, open for reading."""
    if not regular(path):
        raise Unreadable(f"{path}: no such file")
    try:
        return h5py.File(path, "r")
    except OSError as error:
        raise Unreadable(f"{path}: it can't be read, it may be damaged: {error}") from None


def is_variable(item: Any) -> bool:
    """Whether an object of a NetCDF file is a variable; a dimension without one is kept as a dataset, too."""
    return isinstance(item, h5py.Dataset) and not item.attrs.get("NAME", b"").startswith(NO_VARIABLE)


def dimension_names(file: h5py.File, item: h5py.Dataset, known: dict[int, str]) -> tuple[str, ...]:
    """Of a variable of a NetCDF file. known: names by the addresses of their objects, which grows: libhdf5
    looks through the whole file for the name of an object, half of the time that reading averages took."""
    if "DIMENSION_LIST" not in item.attrs:
        return (item.name.rsplit("/", 1)[-1],) if item.ndim == 1 else ()
    names = []
    for reference in item.attrs["DIMENSION_LIST"]:
        scale = file[reference[0]]
        address = h5py.h5o.get_info(scale.id).addr
        if address not in known:
            known[address] = scale.name.rsplit("/", 1)[-1]
        names.append(known[address])
    return tuple(names)


def netcdf_variables(file: h5py.File, group: h5py.Group, rename: Mapping[str, str]) -> dict[str, Variable]:
    """The variables of a group; rename: dimensions that get another name."""
    found = {}
    known: dict[int, str] = {}
    for name, item in group.items():
        if not is_variable(item):
            continue
        attrs = attributes_of(item)
        attrs["units"] = attrs.pop("scaling", attrs.get("units", "1"))  # powers of U and L
        dims = tuple(rename.get(d, d) for d in dimension_names(file, item, known))
        found[name] = Variable(item, dims, attrs, name)
    return found


def read_netcdf(path: str | os.PathLike[str], group: str = "/") -> Table:
    """A NetCDF file of Kolmo, or one of its groups ('latest'). The attribute `units` has the powers of U and
    L. Records are numbered by their time."""
    path = os.fspath(path)
    file = opened_hdf5(path)
    if group not in file:
        raise Unreadable(f"{path}: it has no group '{group}'")
    rename = {"record": "time"} if "record" in file and "time" in file and file["time"].ndim == 1 else {}
    variables = netcdf_variables(file, file[group], rename)
    if group != "/":
        used = {d for v in variables.values() for d in v.dims}
        whole = netcdf_variables(file, file, rename)
        variables.update({d: whole[d] for d in used if d in whole})
    named = {c for v in variables.values() for c in str(v.attrs.pop("coordinates", "")).split()}
    coords = tuple(n for n, v in variables.items() if n in named or n in v.dims)
    return Table(variables, attributes_of(file), coords, file, path)

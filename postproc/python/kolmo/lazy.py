"""Datasets of xarray whose arrays are read from the file when they are used. Needs xarray."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray
from xarray.backends import BackendArray
from xarray.core import indexing

from .tables import Table, Variable


class OnDisk(BackendArray):
    """An array that is indexed by numbers and slices alone, for xarray."""

    def __init__(self, data: Any) -> None:
        self.data, self.shape, self.dtype = data, tuple(data.shape), data.dtype

    def __getitem__(self, key: Any) -> Any:
        """The part that a key of xarray means."""
        return indexing.explicit_indexing_adapter(
            key, self.shape, indexing.IndexingSupport.BASIC, self.part
        )

    def part(self, key: tuple) -> np.ndarray:
        """A part by numbers and slices; h5py knows no negative steps."""
        turned = tuple(
            slice(None, None, -1) if isinstance(k, slice) and (k.step or 1) < 0 else slice(None)
            for k in key
            if isinstance(k, slice)
        )
        forward = tuple(ahead(k, n) for k, n in zip(key, self.shape))
        return np.asarray(self.data[forward])[turned]


def ahead(key: Any, size: int) -> Any:
    """The same elements of a slice, from the first to the last."""
    if not isinstance(key, slice):
        return int(key)
    chosen = range(size)[key]
    if len(chosen) == 0:
        return slice(0, 0)
    first, last = min(chosen[0], chosen[-1]), max(chosen[0], chosen[-1])
    return slice(first, last + 1, abs(chosen.step))


def array(variable: Variable) -> Any:
    """As xarray keeps it."""
    data = variable.data
    if not isinstance(data, np.ndarray) and data.ndim > 0:
        data = indexing.LazilyIndexedArray(OnDisk(data))
    elif not isinstance(data, np.ndarray):
        data = variable.values
    return xarray.Variable(variable.dims, data, variable.attrs)


def dataset(table: Table) -> Any:
    """An xarray.Dataset of a table."""
    every = {name: array(v) for name, v in table.variables.items()}
    return xarray.Dataset(
        {n: v for n, v in every.items() if n not in table.coords},
        {n: v for n, v in every.items() if n in table.coords},
        table.attrs,
    )

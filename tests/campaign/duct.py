"""Numbers of the mean flow in the section of a square duct, from statistics.nc: the velocity on the
centreline and the largest secondary velocity, over the bulk velocity."""

import os

import numpy as np

from report_parts import Unreadable, read_netcdf


def middle(values):
    """Of a section: the mean of the cells round its middle, two or one in each direction."""
    rows, columns = (slice((n - 1) // 2, n // 2 + 1) for n in values.shape)
    return float(values[rows, columns].mean())


def folded(v):
    """A velocity along the second axis, averaged over the quadrants, with its sign in the first of them."""
    v = 0.5 * (v - v[:, ::-1])
    return 0.5 * (v + v[::-1, :])


def secondary(v, w):
    """Both velocities of the mean flow in the section at the centres of the cells, averaged over the eight
    parts that are mirror images of each other. v: (z, faces along y); w: (faces along z, y)."""
    v = folded(0.5 * (v[:, 1:] + v[:, :-1]))
    w = folded(0.5 * (w[1:, :] + w[:-1, :]).T).T
    return 0.5 * (v + w.T), 0.5 * (w + v.T)


def number(folder, name):
    """centreline or secondary, and its standard error. The error of the secondary velocity is that of one of
    the eight parts, so it is too large rather than too small."""
    found = read_netcdf(os.path.join(folder, "statistics.nc"))
    if found is None or found["values"].get("V", np.zeros(0)).ndim != 2:
        raise Unreadable(f"{folder}: statistics.nc has no averages over the section of a duct")
    values = found["values"]
    bulk = float(values["u_b"])

    def error(what):
        return np.nan_to_num(values[what + "_error"], nan=np.inf)

    if name == "centreline":
        return middle(values["U"]) / bulk, middle(error("U")) / bulk
    v, w = secondary(values["V"], values["W"])
    size = np.hypot(v, w)
    at = np.unravel_index(np.argmax(size), size.shape)
    own = np.hypot(0.5 * (error("V")[:, 1:] + error("V")[:, :-1]), 0.5 * (error("W")[1:] + error("W")[:-1]))
    return float(size[at]) / bulk, float(own[at]) / bulk

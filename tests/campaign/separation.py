"""Where a flow separates from the body below it and reattaches, by averages along the span (averages.h5, or
means.h5, which has no sums of batches)."""

import os

import h5py
import numpy as np

from kolmo.snapshots import read_flow
from report_parts import Unreadable

MEANS = "means.h5"
NAMES = ("separation", "reattachment")


def averages_path(folder):
    """Of the file of a run with the averages of its cells; None without."""
    paths = [os.path.join(folder, name) for name in ("averages.h5", MEANS)]
    return next((p for p in paths if os.path.isfile(p)), None)


def averaging_time(folder):
    """Of these averages; None without."""
    path = averages_path(folder)
    if path is None:
        return None
    with h5py.File(path, "r") as file:
        return float(np.ravel(file.attrs["averaging_time"])[0])


def passable(found):
    """Cells of the fluid with an open face along x and one along z. (z, x)

    A cell counts as fluid if any of its faces is open, so the stairs of a body have pockets: cells open to
    one side alone, which the flow cannot pass through. There the velocity, the mean of the two faces, is zero
    along the closed direction, with no variance, and along the other no more than the error of the
    divergence."""
    velocity = found["velocity"].values[:, 0]
    passed = found["samples"].values[:, 0] > 0
    for component, variance in ((0, "uu"), (2, "ww")):
        passed &= (velocity[..., component] != 0) | (found[variance].values[:, 0] != 0)
    return passed


def lowest(values, passed):
    """Of each column the value in its lowest cell that the flow passes through. values, passed: (z, x)."""
    if not passed.any(axis=0).all():
        raise Unreadable("averages.h5 has columns that no flow passes through")
    return values[passed.argmax(axis=0), np.arange(values.shape[1])]


def change(x, u, error, i):
    """Where u changes its sign between the columns i and i + 1, and the standard error of the place."""
    slope = (u[i + 1] - u[i]) / (x[i + 1] - x[i])
    return float(x[i] - u[i] / slope), float(max(error[i], error[i + 1]) / abs(slope))


def joined(starts, ends):
    """Stretches of columns without the gaps that are shorter than the stretch before them and that behind
    them: above the stairs of a body the flow goes back so slowly in places that chance can turn it."""
    starts, ends, n = list(starts), list(ends), 0
    while n + 1 < len(starts):
        if starts[n + 1] - ends[n] < min(ends[n] - starts[n], ends[n + 1] - starts[n + 1]):
            del starts[n + 1], ends[n]
            n = 0
        else:
            n += 1
    return starts, ends


def bubble(x, u, error):
    """Start and end of the longest stretch in which the flow goes back: {name: (place, standard error)}."""
    back = np.concatenate([[False], u < 0, [False]])
    starts, ends = joined(np.flatnonzero(~back[:-1] & back[1:]), np.flatnonzero(back[:-1] & ~back[1:]))
    inside = [(b - a, a, b) for a, b in zip(starts, ends) if a > 0 and b < len(x)]
    if not inside:
        raise Unreadable("averages.h5: the flow goes back nowhere within the domain")
    _, start, end = max(inside)
    return dict(zip(NAMES, (change(x, u, error, start - 1), change(x, u, error, end - 1))))


def number(run, name):
    """A place by its name, and its standard error; not finite if the averages have none."""
    path = averages_path(run.folder)
    found = read_flow(path) if path else run.averages  # which refuses a folder without them
    u = found["velocity"].values[:, 0, :, 0]
    passed = passable(found)
    error = np.full(u.shape, np.inf)
    if "velocity_error" in found:
        error = found["velocity_error"].values[:, 0, :, 0]
    return bubble(found["x"].values, lowest(u, passed), lowest(error, passed))[name]

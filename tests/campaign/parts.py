#!/usr/bin/env python3
"""How far the error bars of short averages can be trusted, by a longer run: a number of series.nc is averaged
over parts of the run. What the parts differ by is printed beside what the batches of each part say.

usage: parts.py FOLDER NAME START LENGTH [LENGTH ...]

FOLDER has the series.nc of the run. START is the time at which its averages begin, each LENGTH that of a
part, in the units of t. For the friction of channel-590, with parts of 0.88 turnovers:

    python3 tests/campaign/parts.py runs/campaign/channel-590/coarse force 74.62 16.418

Exit codes: 0; 2 an argument is wrong."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc", "plot"))
import system_python  # noqa: E402

system_python.require("parts.py", __name__)
import numpy as np  # noqa: E402
from report_parts import Unreadable, read_netcdf  # noqa: E402

BATCHES = 8


def scatter(time, value, start, length):
    """Number of parts; the standard deviation of their means, and the root mean square of the standard errors
    that BATCHES batches of each give, over the mean of all."""
    means, errors = [], []
    for first in np.arange(start, time[-1] - length * (1 - 1e-9), length):
        part = value[(time >= first) & (time < first + length)]
        if part.size < BATCHES:
            raise Unreadable(f"parts of {length:g} have {part.size} records, {BATCHES} are wanted")
        batches = [b.mean() for b in np.array_split(part, BATCHES)]
        means.append(part.mean())
        errors.append(np.std(batches, ddof=1) / BATCHES**0.5)
    if len(means) < 3:
        raise Unreadable(f"{len(means)} parts of {length:g}, 3 are wanted")
    size = abs(np.mean(means))
    return len(means), np.std(means, ddof=1) / size, np.mean(np.square(errors)) ** 0.5 / size


def main(words):
    """Exit code."""
    if "-h" in words or "--help" in words:
        print(__doc__)
        return 0
    try:
        folder, name, start, *lengths = words
        start, lengths = float(start), [float(w) for w in lengths]
        if not lengths or min(lengths) <= 0:
            raise ValueError
    except ValueError:
        print("parts.py: FOLDER NAME START LENGTH are wanted; see --help", file=sys.stderr)
        return 2
    try:
        path = os.path.join(folder, "series.nc")
        if not os.path.isfile(path):
            raise Unreadable(f"{path}: no such file")
        series = read_netcdf(path)["values"]
        if name not in series:
            raise Unreadable(f"series.nc has no {name}")
        for length in lengths:
            count, differ, told = scatter(series["time"], series[name], start, length)
            print(
                f"{count} parts of {length:g}: differ by {100 * differ:.3g} %, "
                f"batches say {100 * told:.3g} %"
            )
    except (Unreadable, OSError) as error:
        print(f"parts.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

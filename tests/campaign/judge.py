"""What a page says of numbers: the part of the grid and the part of chance apart, and the verdict.

No file is read here. Values may be numbers or arrays of a profile; errors are standard errors."""

from dataclasses import dataclass

import numpy as np

PASS, FAIL, NONE = "pass", "fail", "none"
ORDER = 2.0  # of the scheme in space
# Turnovers of averages, below which their own batches give errors that are too small; and by how much, by the
# friction of channel-590: parts of 0.9 turnovers differ by 1.0 %, and their batches say 0.36 % (parts.py).
LONG, SMALL = 5.0, 3.0
LIKELY = 2.0  # standard errors that a difference may be by chance
UNLIKELY = 3.0  # of the misfit of a fit, which is not chance beyond it


@dataclass
class Extrapolated:
    """A quantity on several grids and on none.

    value, error: without the error of the grid, and its standard error. fine, fine_error: on the finest grid.
    grid: what the finest grid adds to the value. doubt: how far the extrapolation from the two grids before
    differs, with two grids what the extrapolation adds; None with one grid. order: observed on the last three
    grids; None: none could be. grids: how many there were."""

    value: object
    error: object
    fine: object
    fine_error: object
    grid: object
    doubt: object
    order: object
    grids: int

    @property
    def total(self):
        """Standard error, with the doubt of the extrapolation as another one."""
        return self.error if self.doubt is None else np.hypot(self.error, self.doubt)


def pair(h_coarse, h_fine, coarse, fine):
    """The extrapolated value of two grids, and what it adds to the finer one for each unit of difference."""
    share = 1.0 / ((h_coarse / h_fine) ** ORDER - 1.0)
    return fine + share * (fine - coarse), share


def observed_order(spacing, values):
    """Of numbers on the last three grids, whose ratios are equal within 10 %; else None."""
    if len(values) < 3 or any(np.ndim(v) for v in values):
        return None
    (h3, h2, h1), (f3, f2, f1) = spacing[-3:], values[-3:]
    if abs((h3 / h2) / (h2 / h1) - 1.0) > 0.1 or (f3 - f2) * (f2 - f1) <= 0:
        return None
    return float(np.log((f3 - f2) / (f2 - f1)) / np.log((h3 * h2 / (h2 * h1)) ** 0.5))


def extrapolate(spacing, values, errors):
    """Of values from the coarsest grid to the finest, at the order of the scheme: from the two finest, or by
    fit() from averages on three grids or more. A place of a profile at which the values of all grids are
    exact, such as a stress on a wall, has no error to weigh by; all others have."""
    if not len(spacing) == len(values) == len(errors) or not values:
        raise ValueError("one value and one error for each spacing are wanted")
    if any(not a > b > 0 for a, b in zip(spacing, spacing[1:])):
        raise ValueError("spacings must fall from the coarsest grid to the finest")
    values, errors = [np.asarray(v, dtype=float) for v in values], [
        np.asarray(e, dtype=float) for e in errors
    ]
    fine, fine_error = values[-1], errors[-1]
    if len(values) == 1:
        return Extrapolated(fine, fine_error, fine, fine_error, None, None, None, 1)
    best = finest(spacing, values, errors)
    weighed = np.all([(e > 0) & np.isfinite(e) for e in errors], axis=0)
    if len(values) < 3 or not weighed.any():
        return best
    fitted = fit(spacing, values, [np.where(weighed, e, 1.0) for e in errors], best)
    one = (np.where(weighed, a, b) for a, b in (
        (fitted.value, best.value), (fitted.error, best.error), (fitted.doubt, best.doubt)
    ))  # fmt: skip
    best.value, best.error, best.doubt = one
    best.grid, best.order = fine - best.value, None
    return best


def finest(spacing, values, errors):
    """From the two finest grids. The doubt is the difference from what the two before them give. With two
    grids nothing tells whether they follow the law, so the doubt is all that the extrapolation adds."""
    fine, fine_error = values[-1], errors[-1]
    best, share = pair(spacing[-2], spacing[-1], values[-2], fine)
    error = np.hypot((1.0 + share) * fine_error, share * errors[-2])
    doubt = abs(best - fine)
    if len(values) > 2:
        before, _ = pair(spacing[-3], spacing[-2], values[-3], values[-2])
        doubt = abs(best - before)
    order = observed_order(spacing, values)
    return Extrapolated(best, error, fine, fine_error, fine - best, doubt, order, len(values))


def fit(spacing, values, errors, other):
    """Of averages on three grids or more: f0 + c h^2 by least squares, with the weights of their errors. The
    doubt is what the misfit is larger than the errors explain. Where chance can't explain the misfit, the
    values are not those of this law, so that the other result, of the finest grids, is taken."""
    h, f, w = np.power(spacing, ORDER), np.array(values), np.array([1.0 / e**2 for e in errors])
    h = h.reshape((-1,) + (1,) * (f.ndim - 1))
    s0, s1, s2 = (np.sum(w * h**n, axis=0) for n in range(3))
    t0, t1 = (np.sum(w * f * h**n, axis=0) for n in range(2))
    best = (s2 * t0 - s1 * t1) / (s0 * s2 - s1**2)
    slope = (s0 * t1 - s1 * t0) / (s0 * s2 - s1**2)
    error = np.sqrt(s2 / (s0 * s2 - s1**2))
    misfit = np.sum(w * (f - best - slope * h) ** 2, axis=0) / (len(values) - 2)
    doubt = error * np.sqrt(np.maximum(misfit - 1.0, 0.0))
    bad = misfit > UNLIKELY**2
    best, error, doubt = (
        np.where(bad, two, one)
        for one, two in ((best, other.value), (error, other.error), (doubt, other.doubt))
    )
    return Extrapolated(best, error, f[-1], errors[-1], f[-1] - best, doubt, None, len(values))


def verdict(difference, error, wanted, grids=1, need=1):
    """Of a difference from a reference and its standard error, both shares of the same as `wanted`.

    pass: the difference is within what is wanted, and so is the error. fail: chance can't explain that it is
    not. none: the error is too large to tell or is not finite, nothing is wanted, or there are fewer grids
    than are needed."""
    if difference is None or wanted is None or grids < need:
        return NONE
    error = 0.0 if error is None else float(error)
    if not np.isfinite(difference) or not np.isfinite(error):
        return NONE
    if abs(difference) > wanted + LIKELY * error:
        return FAIL
    return PASS if abs(difference) <= wanted and error <= wanted else NONE


def reason(difference, error, wanted, grids=1, need=1, reference=True):
    """Why there is no verdict, in a few words; "" where there is one. reference: whether there is one."""
    if verdict(difference, error, wanted, grids, need) != NONE:
        return ""
    if not reference or difference is None:
        return "no reference"
    if wanted is None:
        return "no bound"
    if grids < need:
        return "one grid"
    if not np.isfinite(difference) or not np.isfinite(error or 0.0):
        return "error not known"
    return "error too large" if abs(difference) <= wanted else "within two errors of the bound"


def integral(x, values):
    """By the trapezoidal rule."""
    return float((0.5 * (values[1:] + values[:-1]) * np.diff(x)).sum())


def norm(x, values, scale):
    """Root of the integral of the square, over that of `scale`."""
    return (integral(x, np.square(values)) / max(integral(x, np.square(scale)), 1e-300)) ** 0.5


def at(places, x, values):
    """Values of a line at other places: the cubic through the four nearest points."""
    places, x, values = (np.asarray(a, dtype=float) for a in (places, x, values))
    if x.size < 4:
        return np.interp(places, x, values)
    first = np.clip(np.searchsorted(x, places) - 2, 0, x.size - 4)
    found = np.zeros_like(places)
    for a in range(4):
        weight = np.ones_like(places)
        for b in range(4):
            if b != a:
                weight *= (places - x[first + b]) / (x[first + a] - x[first + b])
        found += weight * values[first + a]
    return found


@dataclass
class Line:
    """A quantity of one grid: x is None for a number, else the places of its values."""

    x: object
    value: object
    error: object


def widened(grids, turnovers):
    """Averages of several grids, {quantity: Line} each, with the errors of short ones mended: the batches of
    less than LONG turnovers have much in common, so that their scatter is less than that of averages. The
    error of a long average of the same flow tells more, since it falls with the root of the time. Where there
    is none, the errors are taken SMALL times. turnovers: of each grid, or None."""
    known = [t or 0.0 for t in turnovers]
    longest = int(np.argmax(known)) if known else 0
    found = []
    for lines, time in zip(grids, known):
        if not 0 < time < LONG:
            found.append(lines)
        elif known[longest] < LONG:
            found.append({n: Line(l.x, l.value, SMALL * np.asarray(l.error)) for n, l in lines.items()})
        else:
            ratio = (known[longest] / time) ** 0.5
            found.append({n: at_least(l, grids[longest].get(n), ratio) for n, l in lines.items()})
    return found


def at_least(line, long, ratio):
    """A line whose error is no smaller than `ratio` times that of `long`, which may be None."""
    if long is None:
        return line
    other = long.error if line.x is None else np.interp(line.x, long.x, long.error)
    return Line(line.x, line.value, np.maximum(line.error, ratio * np.asarray(other)))


def combine(spacing, lines):
    """Extrapolated values of a quantity on several grids, at the places of the finest that all of them
    cover."""
    if lines[-1].x is None:
        return None, extrapolate(spacing, [l.value for l in lines], [l.error for l in lines])
    low, high = max(l.x[0] for l in lines), min(l.x[-1] for l in lines)
    x = lines[-1].x[(lines[-1].x >= low) & (lines[-1].x <= high)]
    values = [at(x, l.x, l.value) for l in lines]
    errors = [np.interp(x, l.x, l.error) for l in lines]
    return x, extrapolate(spacing, values, errors)


@dataclass
class Compared:
    """A quantity beside a reference: difference, its standard error and those of the single grids, all over
    the same scale. place: where the difference of a profile is largest, if it is compared there."""

    difference: float
    error: float
    grids: list
    place: float = None


def compare(spacing, lines, reference, scale=None, largest=False):
    """Differences from a reference, which is a number or a pair (x, values).

    A number is compared with its sign, over `scale` or else its own size. Of a profile it is the norm of the
    difference over the norm of the reference, or over `scale` times the root of the length, and the norm of
    the error in the same measure. With `largest` it is the largest difference over `scale`, and the error at
    that place."""
    x, best = combine(spacing, lines)
    if x is None:
        size = abs(float(reference)) if scale is None else float(scale)
        return Compared(
            float((best.value - reference) / size),
            float(best.total / size),
            [float((l.value - reference) / size) for l in lines],
        )

    def one(place, value, error):
        there, wanted = (np.asarray(a, dtype=float) for a in reference)
        inside = (there >= place[0]) & (there <= place[-1])
        if inside.sum() < place.size:  # a table of few points: at its places
            value, error, place = (
                at(there[inside], place, value),
                np.interp(there[inside], place, error),
                there[inside],
            )
            wanted = wanted[inside]
        else:
            inside = (place >= there[0]) & (place <= there[-1])
            value, error, place = value[inside], error[inside], place[inside]
            wanted = at(place, there, wanted)
        if place.size < 2:
            return np.nan, np.nan, None
        if largest:
            away, most = abs(value - wanted), scale if scale is not None else abs(wanted).max()
            n = away.argmax()
            return float(away[n] / most), float(np.nan_to_num(error, nan=np.inf)[n] / most), float(place[n])
        size = wanted if scale is None else np.full_like(wanted, float(scale))
        return norm(place, value - wanted, size), norm(place, np.nan_to_num(error, nan=np.inf), size), None

    difference, error, at_most = one(x, best.value, best.total)
    return Compared(difference, error, [one(l.x, l.value, l.error)[0] for l in lines], at_most)

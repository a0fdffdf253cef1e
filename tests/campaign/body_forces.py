"""Numbers of the force on a body in a stream, or on one that oscillates, from bodies.nc: drag, lift and
Strouhal number of the periods in which vortices are shed, and the two coefficients of Morison's formula."""

import os

import numpy as np

from kolmo.namelists import parse, reals
from report_parts import Unreadable, read_netcdf

LATE = 0.6  # of the run, after which whole periods count
PERIODS = 2  # that are wanted at least


def coefficients(folder):
    """Times at the middle of the steps, and the three coefficients of the first body."""
    found = read_netcdf(os.path.join(folder, "bodies.nc"))
    if found is None or "coefficient_x" not in found["values"]:
        raise Unreadable(f"{folder}: bodies.nc has no coefficients; bodies.reference_area makes them")
    values = found["values"]
    count = len(values["time"])
    return middles(values["time"]), [values[f"coefficient_{d}"].reshape(count, -1)[:, 0] for d in "xyz"]


def middles(time):
    """Of the steps that end at these times: forces are means over a step."""
    before = np.concatenate([[2 * time[0] - time[1]], time[:-1]]) if len(time) > 1 else time
    return 0.5 * (time + before)


def mean(t, y, start, end):
    """Over the time from start to end, by linear interpolation."""
    inside = (t > start) & (t < end)
    x = np.concatenate([[start], t[inside], [end]])
    f = np.interp(x, t, y)
    return float((0.5 * (f[1:] + f[:-1]) * np.diff(x)).sum() / (end - start))


def crossings(t, y):
    """Times at which y rises through its mean."""
    y = y - mean(t, y, t[0], t[-1])
    at = np.flatnonzero((y[:-1] < 0) & (y[1:] >= 0))
    return t[at] - y[at] * (t[at + 1] - t[at]) / (y[at + 1] - y[at])


def shedding(folder):
    """Drag along x and lift across it over whole periods late in the run: {name: (value, standard error)}.
    The lift oscillates along one direction, whose larger component is positive; the largest and the least
    lift are those along it. The mean lift is the length of the mean vector."""
    t, (drag, *across) = coefficients(folder)
    late = t >= t[0] + LATE * (t[-1] - t[0])
    t, drag, across = t[late], drag[late], np.array([a[late] for a in across])
    if len(t) < 10:
        raise Unreadable(f"{folder}: bodies.nc has {len(t)} records late in the run; ten are wanted")
    swing = across - across.mean(axis=1, keepdims=True)
    direction = np.linalg.eigh(swing @ swing.T)[1][:, -1]
    along = direction @ across * np.sign(direction[np.argmax(abs(direction))])
    marks = crossings(t, along)
    if len(marks) < PERIODS + 1:
        count = max(len(marks) - 1, 0)
        raise Unreadable(f"{folder}: the lift has {count} periods late in the run; {PERIODS} are wanted")
    spans = list(zip(marks[:-1], marks[1:]))

    def over(values):
        return value_of([values(a, b) for a, b in spans])

    def largest(y):
        return over(lambda a, b: peak(t, y, a, b))

    sides = [over(lambda a, b, y=y: mean(t, y, a, b)) for y in across]
    length = float(np.hypot(*(v for v, _ in sides)))
    period, error = over(lambda a, b: b - a)
    scale = time_scale(folder)
    return {
        "drag": over(lambda a, b: mean(t, drag, a, b)),
        "drag_most": largest(drag),
        "lift": (length, float(np.hypot(*(e for _, e in sides)))),
        "lift_most": largest(along),
        "lift_least": tuple(sign * value for sign, value in zip((-1, 1), largest(-along))),
        "strouhal": (scale / period, scale * error / period**2),
        "periods": (float(len(spans)), 0.0),
    }


def value_of(parts):
    """Mean over the periods and its standard error."""
    parts = np.array(parts)
    return float(parts.mean()), float(parts.std(ddof=1) / len(parts) ** 0.5)


def peak(t, y, start, end):
    """The largest value within a period, by the parabola through the three records round it."""
    inside = np.flatnonzero((t >= start) & (t <= end))
    n = inside[np.argmax(y[inside])]
    if n in (0, len(t) - 1):
        return float(y[n])
    a, b, c = np.polyfit(t[n - 1 : n + 2] - t[n], y[n - 1 : n + 2], 2)
    return float(c - b * b / (4 * a)) if a < 0 else float(y[n])


def inputs_of(folder):
    """The inputs of a run."""
    return parse(read_netcdf(os.path.join(folder, "series.nc"))["words"]["input"])


def first(inputs, name):
    """The number of the first body, its first component."""
    words = inputs.get(name)
    if not words:
        raise Unreadable(f"its input text does not give {name}")
    return float(words[0])


def time_scale(folder):
    """Diameter over reference speed."""
    inputs = inputs_of(folder)
    return first(inputs, "bodies.size") / first(inputs, "bodies.reference_speed")


def morison(folder):
    """Cd and Cm of F = -(1/2) Cd D |U| U - (pi/4) Cm D^2 dU/dt for each unit of length, of the last
    period; the body moves along x as its amplitude times sin(2 pi f t). By least squares, and Cd also from
    the first harmonic of the force alone, in which |U| U has 8/(3 pi) of its amplitude: a third harmonic of
    the force counts in the former. Each record is a mean over a step, so it weighs as much as its step is
    long."""
    found = read_netcdf(os.path.join(folder, "bodies.nc"))
    if found is None:
        raise Unreadable(f"{folder}: there is no bodies.nc")
    inputs = inputs_of(folder)
    diameter = first(inputs, "bodies.size")
    amplitude = first(inputs, "bodies.amplitude")
    omega = 2 * np.pi * first(inputs, "bodies.frequency")
    span = reals(inputs, "grid.length", 3)[2]
    end = found["values"]["time"]
    t = middles(end)
    force = found["values"]["force_x"].reshape(len(t), -1)[:, 0] / span
    last = t > end[-1] - 2 * np.pi / omega
    t, force, step = t[last], force[last], 2 * (end - t)[last]
    speed = amplitude * omega * np.cos(omega * t)
    rate = -amplitude * omega**2 * np.sin(omega * t)
    columns = np.stack([-0.5 * diameter * abs(speed) * speed, -0.25 * np.pi * diameter**2 * rate], axis=1)
    weight = np.sqrt(step)
    (drag, mass), *_ = np.linalg.lstsq(columns * weight[:, None], force * weight, rcond=None)
    swing = (force * speed * step).sum() / (speed**2 * step).sum()  # of the force in phase with U, over U
    fourier = -swing / (0.5 * diameter * abs(amplitude) * omega * 8 / (3 * np.pi))
    return {
        "morison_drag": (float(drag), 0.0),
        "morison_mass": (float(mass), 0.0),
        "morison_drag_fourier": (float(fourier), 0.0),
    }


def number(folder, name):
    """A number by its name, and its standard error."""
    if name.startswith("morison_"):
        return morison(folder)[name]
    if name == "drag_last":
        _, found = coefficients(folder)
        return float(found[0][-1]), 0.0
    return shedding(folder)[name]

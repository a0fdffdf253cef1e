#!/usr/bin/env python3
"""Draws an isosurface of Q or lambda2 in a box, by ray casting, with shading and shadows: one PNG.

usage: isosurface.py [--quantity NAME] [--level X] [--colour NAME] [--limits LOW,HIGH] [--map NAME]
                     [--view A,E] [--pixels N] [--to FILE] BOX

BOX is a file box_<n>_<step>.h5.

  --quantity NAME    quantity of the surface: q, which is the default, or lambda2
  --level X          value on the surface. Without this option, the surface encloses 4 % of the cells
  --colour NAME      quantity that colours the surface: velocity (its magnitude), velocity.x,
                     velocity.y, velocity.z, vorticity or one of its components, pressure, a scalar, or
                     height, which is the coordinate z. Without this option, vorticity.z, or height if the
                     file has no vorticity
  --limits LOW,HIGH  values at the ends of the colour map
  --map NAME         colour map of matplotlib
  --view A,E         direction from the box to the eye, in degrees (35,25): the azimuth from x towards y, and
                     the elevation above the x-y plane
  --pixels N         width of the picture (900)
  --to FILE          write the picture to FILE. Without this option, its name is that of BOX, but ends in .png

Exit codes: 0 drawn; 1 the surface is empty; 2 a file is missing or can't be read, or an option is not
understood."""
import sys

import system_python
system_python.require("isosurface", __name__)
import h5py  # noqa: E402
import numpy as np  # noqa: E402
import report_parts  # noqa: E402
from kolmo.guarded import in_child, opened, writable  # noqa: E402
from report_parts import Unreadable, plotter  # noqa: E402
from kolmo.plots import VECTORS as LETTER  # noqa: E402
from kolmo.plots import label, signed  # noqa: E402
from slices import limits_of  # noqa: E402

WIDE = 7.5  # inches of the picture beside its colour bar
SHARE = 0.04  # of the cells, inside the surface, where no level is given
LIGHT = (0.35, 0.45, 0.85)  # to the right, up and towards the eye, in the directions of the picture


class Field:
    """A scalar at cell centres, interpolated linearly; beyond the outermost centres it keeps their values."""

    def __init__(self, values, centre):
        self.values, self.centre = np.ascontiguousarray(values, dtype=np.float32), centre  # values[z, y, x]

    def at(self, points):
        """Values at points[..., 3]."""
        low, share = [], []
        for d in range(3):
            index = np.interp(points[..., d], self.centre[d], np.arange(self.centre[d].size))
            whole = np.minimum(index.astype(np.int32), max(self.centre[d].size - 2, 0))
            low.append(whole)
            share.append((index - whole).astype(np.float32))
        (i, j, k), (a, b, c) = low, share
        f = self.values
        i1, j1, k1 = (np.minimum(n + 1, self.centre[d].size - 1) for d, n in enumerate((i, j, k)))
        lower = ((f[k, j, i] * (1 - a) + f[k, j, i1] * a) * (1 - b)
                 + (f[k, j1, i] * (1 - a) + f[k, j1, i1] * a) * b)
        upper = ((f[k1, j, i] * (1 - a) + f[k1, j, i1] * a) * (1 - b)
                 + (f[k1, j1, i] * (1 - a) + f[k1, j1, i1] * a) * b)
        return lower * (1 - c) + upper * c


@in_child
def read(path, names):
    """Scalars of a box by name, faces of the three directions, time."""
    found = {}
    try:
        with opened(path) as file:
            face = [np.asarray(file[f"grid/{d}_face"][...]) for d in "xyz"]
            time = float(file.attrs["time"])
            for whole in names:
                name, _, component = whole.partition(".")
                if name == "height":
                    found[whole] = np.broadcast_to(((face[2][1:] + face[2][:-1]) / 2)[:, None, None],
                                                   [f.size - 1 for f in face[::-1]])
                    continue
                if name not in file:
                    there = sorted(n for n, d in file.items() if isinstance(d, h5py.Dataset))
                    raise Unreadable(f"{path} has no '{name}', but {', '.join(there)}; choose one of these "
                                     "by --quantity or --colour, or let the run write it (boxes.quantities, "
                                     "output.fields_vorticity)")
                values = np.asarray(file[name][...], dtype=float)
                if name in LETTER:
                    values = (values[..., "xyz".index(component)] if component
                              else np.sqrt((values ** 2).sum(axis=-1)))
                found[whole] = values
    except (OSError, KeyError) as error:
        raise Unreadable(f"{path}: {error}") from None
    return found, face, time


@in_child
def has_vorticity(path):
    """Whether a box has the vorticity."""
    with opened(path) as file:
        return "vorticity" in file


def colour_of(o, path):
    """The quantity that colours a surface."""
    return o["colour"] or ("vorticity.z" if has_vorticity(path) else "height")


def camera(azimuth, elevation):
    """Unit vectors of the picture: to the right, up, towards the eye."""
    a, e = np.radians(azimuth), np.radians(elevation)
    eye = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    right = np.array([-np.sin(a), np.cos(a), 0.0])
    return right, np.cross(eye, right), eye


def inside(start, direction, low, high):
    """Distances along each ray at which it enters and leaves the box; the latter is the smaller one where it
    misses."""
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = (low - start) / direction, (high - start) / direction
    return np.nanmax(np.minimum(first, second), axis=-1), np.nanmin(np.maximum(first, second), axis=-1)


def march(field, level, sign, start, direction, low, high, step):
    """Distance along each ray to the first point with sign*(field - level) > 0; inf where there is none."""
    enter, leave = inside(start, direction, low, high)
    enter = np.maximum(enter, 0.0)
    found = np.full(enter.shape, np.inf)
    active = np.flatnonzero(leave > enter)
    where = enter[active].copy()
    before = np.full(active.size, -np.inf)
    while active.size:
        value = sign * (field.at(start[active] + where[:, None] * direction) - level)
        hit = value > 0
        with np.errstate(invalid="ignore"):
            back = np.where(np.isfinite(before[hit]), step * value[hit] / (value[hit] - before[hit]), 0.0)
        found[active[hit]] = where[hit] - back
        where += step
        keep = ~hit & (where < leave[active])
        active, where, before = active[keep], where[keep], value[keep]
    return found


def normals(field, sign, points, width):
    """Unit vectors out of the surface."""
    gradient = np.stack([field.at(points + width * unit) - field.at(points - width * unit)
                         for unit in np.eye(3)], axis=-1)
    return -sign * gradient / np.maximum(np.linalg.norm(gradient, axis=-1, keepdims=True), 1e-30)


def render(field, level, sign, face, axes, width):
    """Places of the surface on the picture's grid (nan where none), its brightness there, the picture's
    extent."""
    low, high = np.array([f[0] for f in face]), np.array([f[-1] for f in face])
    right, up, eye = axes
    corners = np.array([[(low, high)[b][d] for d, b in enumerate(bits)] for bits in np.ndindex(2, 2, 2)])
    margin = 0.015 * np.linalg.norm(high - low)
    extent = [v for axis in (right, up)
              for v in ((corners @ axis).min() - margin, (corners @ axis).max() + margin)]
    height = 2 * int(round(width / 2 * (extent[3] - extent[2]) / (extent[1] - extent[0])))
    a, b = np.meshgrid(np.linspace(extent[0], extent[1], width), np.linspace(extent[2], extent[3], height))
    start = a.reshape(-1, 1) * right + b.reshape(-1, 1) * up + ((corners @ eye).max() + margin) * eye
    step = 0.5 * min(np.diff(f).mean() for f in face)
    distance = march(field, level, sign, start, -eye, low, high, step)
    seen = np.flatnonzero(np.isfinite(distance))
    points = start[seen] - distance[seen, None] * eye
    normal = normals(field, sign, points, step)
    light = LIGHT[0] * right + LIGHT[1] * up + LIGHT[2] * eye
    light /= np.linalg.norm(light)
    lit = np.isinf(march(field, level, sign, points + 3 * step * normal, light, low, high, step))
    open_sky = np.zeros(seen.size)  # of eight directions, the share that sees no surface nearby
    for bits in np.ndindex(2, 2, 2):
        toward = (2 * np.array(bits) - 1) / 3 ** 0.5
        facing = np.maximum(normal @ toward, 0.0)
        free = sum(sign * (field.at(points + n * step * toward) - level) < 0 for n in (4, 8, 12)) / 3
        open_sky += facing * free
    half = (light + eye) / np.linalg.norm(light + eye)
    shine = np.maximum(normal @ half, 0.0) ** 40 * lit
    bright = 0.22 + 0.24 * open_sky / 1.2 + 0.62 * np.maximum(normal @ light, 0.0) * (0.35 + 0.65 * lit)
    bright *= (1.0 - 0.3 * (distance[seen] - distance[seen].min()) / max(np.ptp(distance[seen]), 1e-30)
               if seen.size else 1.0)
    return points, seen, bright, shine, (height, width), extent


def smaller(picture):
    """Means of 2 x 2 pixels, by which edges become smooth."""
    picture = picture * np.concatenate([np.repeat(picture[..., 3:], 3, axis=-1),
                                        np.ones_like(picture[..., 3:])], axis=-1)
    picture = picture.reshape(picture.shape[0] // 2, 2, picture.shape[1] // 2, 2, 4).mean(axis=(1, 3))
    picture[..., :3] /= np.maximum(picture[..., 3:], 1e-30)
    return picture


def outline(axis, face, axes):
    """Edges of the box: those behind the surface grey."""
    low, high = [f[0] for f in face], [f[-1] for f in face]
    right, up, eye = axes
    nearest = [int(eye[d] > 0) for d in range(3)]
    for d in range(3):
        for first, second in np.ndindex(2, 2):
            bits = [first, second]
            bits.insert(d, 0)
            ends = np.array([[(low, high)[side if n == d else bits[n]][n] for n in range(3)]
                             for side in (0, 1)])
            front = any(bits[n] == nearest[n] for n in range(3) if n != d)
            silhouette = sum(bits[n] == nearest[n] for n in range(3) if n != d) == 1
            axis.plot(ends @ right, ends @ up, color="0.35" if front else "0.72",
                      linewidth=1.0 if silhouette else 0.6,
                      zorder=3 if silhouette or front else 0, alpha=1.0 if silhouette or not front else 0.35,
                      solid_capstyle="round")


def write(name, shown, order, extent, face, axes, colours, pixels):
    """The file of a picture with the edges of the box and a colour bar. order: of the picture among the
    edges, as outline() draws them; colours: what the bar shows, and its words."""
    plt = plotter()
    figure, axis = plt.subplots(figsize=(WIDE + 0.9, WIDE * shown.shape[0] / shown.shape[1]),
                                constrained_layout=True)
    axis.imshow(shown, origin="lower", extent=extent, zorder=order)
    outline(axis, face, axes)
    axis.set(aspect="equal")
    axis.axis("off")
    bar = figure.colorbar(colours[0], ax=axis, shrink=0.55, aspect=24, pad=0.01, label=colours[1])
    bar.outline.set_linewidth(0.4)
    figure.savefig(writable(name), dpi=pixels / (WIDE + 0.9))
    plt.close(figure)


def draw(o):
    """The picture; whether there is anything on it."""
    plt = plotter()
    quantity, colour = o["quantity"] or "q", colour_of(o, o["dir"])
    values, face, time = read(o["dir"], {quantity, colour})
    sign = -1.0 if quantity == "lambda2" else 1.0
    level = (o["level"] if o["level"] is not None
             else float(np.quantile(values[quantity], 1 - SHARE if sign > 0 else SHARE)))
    centre = [(f[1:] + f[:-1]) / 2 for f in face]
    axes = camera(*(o["view"] or (35.0, 25.0)))
    pixels = o["pixels"] or 900
    points, seen, bright, shine, shape, extent = render(Field(values[quantity], centre), level, sign, face,
                                                        axes, 2 * pixels)
    if not seen.size:
        return False
    tint = Field(values[colour], centre).at(points)
    most = np.quantile(abs(tint), 0.98)
    limits = o["limits"] or ((-most, most) if signed(colour) else tuple(np.quantile(tint, (0.01, 0.99))))
    paint = plt.cm.ScalarMappable(plt.Normalize(*limits),
                                  o["map"] or ("RdYlBu_r" if signed(colour) else "viridis"))
    picture = np.zeros((shape[0] * shape[1], 4))
    picture[seen, :3] = np.clip(paint.to_rgba(tint)[:, :3] * bright[:, None] * 1.25 + 0.28 * shine[:, None],
                                0, 1)
    picture[seen, 3] = 1.0
    name = o["to"] or o["dir"].removesuffix(".h5") + ".png"
    write(name, smaller(picture.reshape(*shape, 4)), 2, extent, face, axes,
          (paint, "$z$ [$L$]" if colour == "height" else label(colour)), pixels)
    print(f"drawn {name}: {quantity} = {level:.4g} at t = {time:.5g}")
    return True


def at_least_one(text):
    """A number of pixels."""
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


def pair(text):
    """Two numbers."""
    first, second = (float(v) for v in text.split(","))
    return first, second


def options(words):
    """What the command line asks for."""
    return report_parts.options(
        words,
        __doc__,
        dict.fromkeys(("quantity", "level", "colour", "limits", "map", "view", "pixels", "to")),
        {
            "quantity": lambda text: ("q", "lambda2")[("q", "lambda2").index(text)],
            "level": float,
            "limits": limits_of,
            "view": pair,
            "pixels": at_least_one,
        },
    )


def main(words):
    """Exit code."""
    return report_parts.exit_code("isosurface", draw, lambda: options(words),
                                  "no value reaches --level")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

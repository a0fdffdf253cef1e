"""Figures for papers, and the style that the reports share. Needs matplotlib.

Each function draws on `axis`, or on a new figure of one journal column, and returns the axis; save() writes
figures as PDF, SVG or PNG. Line styles differ, so that lines can be told apart without colour; the
colours are those of Okabe and Ito and of Tol, which the colour-blind can tell apart."""

from __future__ import annotations

import logging
import os
from typing import Any, Sequence

import numpy as np

from .guarded import writable

COLUMN, PAGE = 3.4, 7.0  # width of a column and of a page of a journal, in inches
STYLES = (
    "-",
    "--",
    "-.",
    ":",
    (0, (5, 1, 1, 1, 1, 1)),
    (0, (1, 1)),
    (0, (8, 3)),
    (0, (3, 1)),
    (0, (8, 2, 1, 2)),
)
COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#aa4499",
    "#b9770e",
    "#3a9bdc",
    "#444444",
    "#882255",
    "#117733",
)
MARKS = "os^dv<>"
LETTERS = {
    "font.size": 8,
    "font.family": "serif",
    "mathtext.fontset": "cm",
    "axes.linewidth": 0.6,
    "lines.linewidth": 1.1,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "xtick.direction": "in",
    "ytick.direction": "in",
    "xtick.top": True,
    "ytick.right": True,
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}
VECTORS = {"velocity": "uvw", "vorticity": (r"\omega_x", r"\omega_y", r"\omega_z")}
SYMBOL = {
    "velocity": "|u|",
    "pressure": "p",
    "vorticity": r"|\omega|",
    "q": "Q",
    "lambda2": r"\lambda_2",
    "k": "k",
}
UNIT = {
    "velocity": "U",
    "pressure": "U^2",
    "vorticity": "U/L",
    "q": "U^2/L^2",
    "lambda2": "U^2/L^2",
    "k": "U^2",
}


# ---- style -------------------------------------------------------------------------------------------------


def style() -> Any:
    """A context, `with kolmo.plots.style():`, in which figures of one's own look like these."""
    import matplotlib

    return matplotlib.rc_context(LETTERS)


def line_style(n: int) -> dict[str, Any]:
    """Line style and colour of the n-th line."""
    return {"ls": STYLES[n % len(STYLES)], "color": COLOURS[n % len(COLOURS)]}


def mark(n: int, colour: Any, count: int) -> dict[str, Any]:
    """Marks of the n-th table, at about 30 of its points."""
    return {
        "marker": MARKS[n % len(MARKS)],
        "ls": "none",
        "ms": 3,
        "mfc": "none",
        "mew": 0.6,
        "color": colour,
        "markevery": max(1, count // 30),
    }


def label(quantity: str) -> str:
    """Of a colour bar: 'vorticity.z' with its symbol and unit."""
    name, _, component = quantity.partition(".")
    if name not in UNIT:
        return quantity  # a scalar, in a unit of its own
    symbol = VECTORS[name]["xyz".index(component)] if component else SYMBOL[name]
    return f"${symbol}$ [${UNIT[name]}$]"


def signed(quantity: str) -> bool:
    """Whether values of either sign are to be expected."""
    return "." in quantity or quantity in ("pressure", "q", "lambda2")


def two_signed(limits: tuple[float, float]) -> bool:
    """Whether values of both signs are drawn; a colour map that turns at zero would have one half of its
    colours else."""
    return limits[0] < 0 < limits[1]


def few_ticks(axis: Any) -> None:
    """More numbers on an axis of logarithms that has less than two powers of ten."""
    from matplotlib import ticker

    for part, scale, limits in (
        (axis.xaxis, axis.get_xscale(), axis.get_xlim()),
        (axis.yaxis, axis.get_yscale(), axis.get_ylim()),
    ):
        if scale != "log":
            continue
        powers = np.log10(limits)
        if np.floor(powers[1]) - np.ceil(powers[0]) >= 1:
            continue
        part.set_major_locator(ticker.LogLocator(subs=(1, 2, 5) if powers[1] - powers[0] > 0.6 else "all"))
        part.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:.3g}"))
        part.set_minor_formatter(ticker.NullFormatter())


def panel(width: float = COLUMN, height: float | None = None) -> Any:
    """An axis on a new figure of this width, in inches."""
    import matplotlib.pyplot as plt

    with style():
        return plt.subplots(figsize=(width, height or 0.75 * width), constrained_layout=True)[1]


def save(axis: Any, path: str | os.PathLike[str], dpi: int = 300) -> None:
    """The figure of an axis as a file; the ending says of which kind."""
    logging.getLogger("fontTools").setLevel(logging.ERROR)  # a line for each font of a PDF, on its age
    with style():
        axis.figure.savefig(writable(path), dpi=dpi)


# ---- figures -----------------------------------------------------------------------------------------------


def units(variable: Any) -> str:
    """For a label: ' [U2]', or nothing for a pure number."""
    unit = str(variable.attrs.get("units", "1"))
    return "" if unit == "1" else f" [{unit}]"


def values_of(variable: Any) -> np.ndarray:
    """As numbers."""
    return np.asarray(variable.values, dtype=float)


def history(
    run: Any,
    names: str | Sequence[str] = ("kinetic_energy", "dissipation"),
    axis: Any = None,
    first: int = 0,
) -> Any:
    """Columns of series.nc over time. first: number of the first line's style, to draw several runs."""
    axis = panel() if axis is None else axis
    series = run.series
    names = [names] if isinstance(names, str) else list(names)
    with style():
        for n, name in enumerate(names, first):
            axis.plot(
                values_of(series["time"]),
                values_of(series[name]),
                label=name.replace("_", " ") + units(series[name]),
                **line_style(n),
            )
        axis.set_xlabel("$t$ [$L/U$]")
        axis.legend()
    return axis


def profiles(
    run: Any,
    names: str | Sequence[str],
    axis: Any = None,
    table: Any = None,
    plus: bool = True,
    first: int = 0,
) -> Any:
    """Profiles of statistics.nc between walls, with bands of two standard errors.

    names: as in statistics.nc, without _plus. plus: in wall units, over the distance from the lower wall, and
    the lower half alone. table: {'y_plus': ..., name: ...} in wall units, drawn as marks where it has one of
    the names."""
    axis = panel() if axis is None else axis
    s = run.statistics
    normal = s.attrs.get("wall_normal_direction") or s.attrs.get("normal_direction")
    if not normal:
        raise ValueError("this run has no walls that profiles go between")
    names = [names] if isinstance(names, str) else list(names)
    with style():
        for n, name in enumerate(names, first):
            key = name + "_plus" if plus else name
            value, at_faces = values_of(s[key]), s[key].dims[-1].endswith("_face")
            place = values_of(
                s[
                    (
                        ("wall_distance_face_plus" if at_faces else "wall_distance_plus")
                        if plus
                        else normal + ("_face" if at_faces else "")
                    )
                ]
            )
            kept = slice(0, (value.size + 1) // 2 if plus else value.size)
            error = np.nan_to_num(values_of(s[key + "_error"])) if key + "_error" in s else 0 * value
            axis.plot(place[kept], value[kept], label=name, **line_style(n))
            axis.fill_between(
                place[kept],
                (value - 2 * error)[kept],
                (value + 2 * error)[kept],
                color=COLOURS[n % len(COLOURS)],
                alpha=0.2,
                lw=0,
            )
            if table is not None and name in table:
                points = np.asarray(table[name], dtype=float)
                axis.plot(
                    np.asarray(table["y_plus"], dtype=float),
                    points,
                    **mark(n, COLOURS[n % len(COLOURS)], points.size),
                )
        axis.set_xlabel(f"${normal}^+$" if plus else f"${normal}$ [$L$]")
        axis.legend()
    return axis


def spectrum(
    run: Any, name: str = "E", axis: Any = None, slope: float | None = -5.0 / 3.0, first: int = 0
) -> Any:
    """A spectrum of a periodic box over the wavenumber, and a line of the slope through its middle."""
    axis = panel() if axis is None else axis
    s = run.spectra
    e, k = values_of(s[name]), values_of(s[s[name].dims[-1]])
    good = (k > 0) & (e > 0)
    with style():
        axis.loglog(k[good], e[good], label=name.replace("_", " ") + units(s[name]), **line_style(first))
        if slope is not None and good.any():
            middle = int(np.flatnonzero(good)[good.sum() // 3])
            axis.loglog(
                k[good],
                e[middle] * (k[good] / k[middle]) ** slope,
                "k:",
                lw=0.7,
                label=rf"$k^{{{slope:.2f}}}$",
            )
        axis.set_xlabel(f"${s[name].dims[-1]}$ [$1/L$]")
        axis.legend()
        few_ticks(axis)
    return axis


def plane_picture(
    axis: Any,
    faces: tuple[np.ndarray, np.ndarray],
    letters: str,
    values: np.ndarray,
    quantity: str,
    limits: tuple[float, float],
    colours: str | None = None,
) -> Any:
    """Cells as they are, on the stretched grid; values[second, first]. Returns the colours, for a bar."""
    mesh = axis.pcolormesh(
        faces[0],
        faces[1],
        values,
        cmap=colours or ("RdBu_r" if two_signed(limits) else "viridis"),
        vmin=limits[0],
        vmax=limits[1],
        rasterized=True,
    )
    axis.set(aspect="equal", xlabel=f"${letters[0]}$ [$L$]", ylabel=f"${letters[1]}$ [$L$]")
    wide = np.ptp(faces[0]) > 1.8 * np.ptp(faces[1])  # then the bar has no room beside it
    axis.figure.colorbar(
        mesh,
        ax=axis,
        label=label(quantity),
        shrink=0.9,
        extend="both" if signed(quantity) else "max",
        location="bottom" if wide else "right",
    )
    return mesh


def part_of(flow: Any, quantity: str) -> np.ndarray:
    """'velocity.x' of a flow is its component, 'velocity' the magnitude."""
    name, _, component = quantity.partition(".")
    values = values_of(flow[name])
    if name not in VECTORS:
        return values
    return values[..., "xyz".index(component)] if component else np.sqrt((values**2).sum(axis=-1))


def edges(flow: Any, direction: str) -> np.ndarray:
    """Faces of the cells of a flow."""
    ends = values_of(flow[direction + "_bounds"])
    return np.append(ends[:, 0], ends[-1, 1])


def slice_picture(
    run: Any,
    number: int = 1,
    quantity: str = "velocity",
    step: int | None = None,
    axis: Any = None,
    limits: tuple[float, float] | None = None,
) -> Any:
    """One slice of a run, at a step or the last one."""
    if number not in run.slices:
        raise KeyError(f"slice {number}: this run has {sorted(run.slices) or 'no slices'}")
    flow = run.slices[number].last if step is None else run.slices[number][step]
    axis = panel() if axis is None else axis
    values = part_of(flow, quantity)
    normal = next(d for d in range(3) if edges(flow, "xyz"[d]).size == 2)
    letters = "".join("xyz"[d] for d in range(3) if d != normal)
    if limits is None:
        most = float(np.quantile(np.abs(values), 0.998)) or 1.0
        limits = (-most, most) if signed(quantity) else (float(values.min()), most)
    with style():
        plane_picture(
            axis,
            (edges(flow, letters[0]), edges(flow, letters[1])),
            letters,
            np.squeeze(values, axis=2 - normal),
            quantity,
            limits,
        )
        axis.set_title(
            f"${'xyz'[normal]} = {edges(flow, 'xyz'[normal]).mean():.5g}$, "
            f"$t = {float(flow['time'].values):.5g}$"
        )
    return axis

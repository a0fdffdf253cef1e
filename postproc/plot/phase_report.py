"""Averages by the phase of an oscillating drive, phases.nc, in the report of a run: profiles of some phases,
contours over phase and height, numbers of all phases."""
import numpy as np
from kolmo.plots import line_style

LINES, HEIGHTS = 8, 12  # so many phases in one figure, and heights in a table
CONTOURS = ("U", "V", "W", "k")  # those also drawn over phase and height
NUMBERS = (("force", "force"), ("u_b", "bulk velocity"), ("wall_stress_low", "stress on the lower wall"),
           ("wall_stress_high", "stress on the upper wall"), ("u_tau", "friction velocity"))


def some(count, most):
    """At most so many of them, at equal distances."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))


def phases_shown(count):
    """Of a cycle, in which the last phase is beside the first."""
    return np.arange(0, count, -(-count // LINES))


def degrees(phase):
    """Of phases in rad, as text."""
    return [f"{np.degrees(p):.0f}°" for p in np.atleast_1d(phase)]


def quantities(phases):
    """Name, label and sentence of each profile that is drawn."""
    words = phases["words"]
    stream, normal = words["streamwise_direction"], words.get("wall_normal_direction",
                                                              words.get("normal_direction"))
    u, n = ("uvw"["xyz".index(d)] for d in (stream, normal))
    return ((u.upper(), f"${u.upper()}$", "Mean velocity along the stream"),
            (u + u, f"$\\overline{{{u}'{u}'}}$", "Variance of the velocity along the stream"),
            ("".join(sorted(u + n)), f"$\\overline{{{u}'{n}'}}$", "Reynolds shear stress"),
            ("k", "$k$", "Turbulent kinetic energy"),
            ("k_dissipation", r"$\varepsilon_k$", "Dissipation of the turbulent kinetic energy"))


def place_of(phases, values):
    """Direction normal to the walls; coordinates of the points of a profile."""
    v, words = phases["values"], phases["words"]
    normal = words.get("wall_normal_direction", words.get("normal_direction"))
    return normal, v[normal] if values.shape[-1] == v[normal].size else v[normal + "_face"]


def draw_profiles(page, phases, axes):
    """Of at most LINES phases."""
    v, units = phases["values"], phases["units"]
    shown = phases_shown(v["phase"].size)
    for name, label, words in quantities(phases):
        if name not in v or not np.isfinite(v[name]).any():
            continue
        normal, place = place_of(phases, v[name])
        error = np.nan_to_num(v[name + "_error"])
        figure, axis = axes(page, f"${normal}\\;[L]$", f"{label} [{units[name]}]")
        for m, (n, told) in enumerate(zip(shown, degrees(v["phase"][shown]))):
            axis.plot(place, v[name][n], label=told, **line_style(m))
            axis.fill_between(place, v[name][n] - 2 * error[n], v[name][n] + 2 * error[n],
                              color=line_style(m)["color"], alpha=0.2, lw=0)
        page.add(figure, "phase_" + name, f"{words} by the phase of the drive. Bands: two standard errors.")


def draw_contours(page, phases, axes):
    """Mean velocity and turbulent energy over phase and height."""
    v, units = phases["values"], phases["units"]
    ends = np.degrees(np.append(v["phase_bounds"][:, 0], v["phase_bounds"][-1, 1]))
    for name, label, words in quantities(phases):
        if name not in CONTOURS or name not in v or not np.isfinite(v[name]).any():
            continue
        normal = place_of(phases, v[name])[0]
        signed = np.nanmin(v[name]) < 0 < np.nanmax(v[name])
        most = np.nanmax(np.abs(v[name]))
        figure, axis = axes(page, "phase [degrees]", f"${normal}\\;[L]$")
        mesh = axis.pcolormesh(ends, v[normal + "_face"], v[name].T, cmap="RdBu_r" if signed else "viridis",
                               vmin=-most if signed else None, vmax=most if signed else None, rasterized=True)
        axis.set(xticks=np.arange(0, 361, 90))
        figure.colorbar(mesh, ax=axis, label=f"{label} [{units[name]}]")
        page.add(figure, "phase_height_" + name, f"{words} over phase and height.", vector=False)


def draw_numbers(page, phases, axes):
    """Over the cycle: one figure each, for their units differ."""
    v, units = phases["values"], phases["units"]
    at = np.degrees(v["phase"])
    for names, words in ((("force",), "Force of the drive"), (("u_b",), "Bulk velocity"),
                         (("wall_stress_low", "wall_stress_high"), "Force of the fluid on the walls")):
        there = [n for n in names if n in v and np.isfinite(v[n]).any()]
        if not there:
            continue
        figure, axis = axes(page, "phase [degrees]", f"{words.lower()} [{units[there[0]]}]")
        for n, name in enumerate(there):
            error = np.nan_to_num(v[name + "_error"])
            look = line_style(n)
            axis.plot(at, v[name], marker="o", ms=2.5, **look,
                      label=name.replace("_", " ") if len(there) > 1 else None)
            axis.fill_between(at, v[name] - 2 * error, v[name] + 2 * error, color=look["color"], alpha=0.2,
                              lw=0)
        axis.set(xlim=(0, 360), xticks=np.arange(0, 361, 90))
        page.add(figure, "phase_" + "_".join(there), f"{words} by phase. Bands: two standard errors.")


def told(value, error):
    """A number with its error, if that is known."""
    if not np.isfinite(value):
        return ""
    return f"{value:.5g}" + (f" ± {error:.1g}" if np.isfinite(error) else "")


def tables(page, phases):
    """Numbers of all phases; mean velocity and turbulent energy at some heights of some phases."""
    v, units = phases["values"], phases["units"]
    there = [(n, w) for n, w in NUMBERS if n in v]
    page.table(["phase", "time [L/U]"] + [f"{w} [{units[n]}]" for n, w in there],
               [[phase, f"{v['phase_time'][i]:.5g}"] + [told_of(v, n, i) for n, _ in there]
                for i, phase in enumerate(degrees(v["phase"]))])
    shown = phases_shown(v["phase"].size)
    for name, _, words in quantities(phases):
        if name not in CONTOURS or name not in v:
            continue
        normal, place = place_of(phases, v[name])
        page.table([f"{words.lower()} [{units[name]}]: {normal} [L]"] + degrees(v["phase"][shown]),
                   [[f"{place[k]:.4g}"] + [told_of(v, name, (n, k)) for n in shown]
                    for k in some(place.size, HEIGHTS)])


def told_of(v, name, at):
    """One value of a variable."""
    return told(float(v[name][at]), float(v[name + "_error"][at]))


def draw(page, phases, axes):
    """The section of the page. axes: makes a panel, given the page and the labels of both axes."""
    v = phases["values"]
    page.heading(f"Averages by phase: {v['phase'].size} phases, {float(v['n_cycles']):.0f} cycles, frequency "
                 f"{float(v['frequency']):.6g}")
    draw_numbers(page, phases, axes)
    draw_profiles(page, phases, axes)
    draw_contours(page, phases, axes)
    tables(page, phases)

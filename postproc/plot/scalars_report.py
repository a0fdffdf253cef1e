"""Transported scalars in the report: means, variances, fluxes and Nusselt numbers in time; between walls
profiles, fluxes and budgets."""
import re

import numpy as np
from kolmo.namelists import reals
from kolmo.plots import line_style as style
from report_page import axes, profile_line

# terms of budgets; dissipation is a loss, all others count as gains
TERMS = ("production", "gradient_production", "buoyancy_production", "dissipation", "turbulent_transport",
         "molecular_diffusion", "pressure_transport", "pressure_gradient", "rotation", "convective_remainder",
         "budget_residual")
# ways to a Nusselt number, as names of the averages end, and their words
WAYS = {"low": "lower wall", "high": "upper wall", "flux": "volume flux", "variance": "dissipation",
        "energy": "energy", "bulk": "mixed mean"}


def names_of(run):
    """The scalars of the input that the run has."""
    words = [n for n in run.input.get("scalars.name", []) if n and n != "none"]
    return [n for n in words if run.series is not None and n + "_mean" in run.series["values"]
            or run.statistics is not None and n in run.statistics["values"]]


def in_units(words, unit):
    """For a label; a pure number has no unit."""
    return f"{words} [{unit}]".strip() if unit != "1" else words


def entry(run, name, number, preset):
    """Element of a list of the input; a list that is shorter holds its preset."""
    values = run.input.get(name, [])
    return values[number] if number < len(values) and values[number] else preset


def diffusivity(run, number):
    """Of a scalar [U L]; None where the input does not tell."""
    given = entry(run, "scalars.diffusivity", number, None)
    if given is not None:
        return float(given)
    found = re.search(r"^\s*!?\s*nu = (\S+)", run.words.get("input", ""), re.MULTILINE)
    prandtl = float(entry(run, "scalars.prandtl", number, "1"))
    return float(found[1]) / prandtl if found and prandtl > 0 else None


def across(run, number):
    """Two opposite faces with different values of a scalar: direction, distance, value below less that above;
    None where there are none."""
    lengths = reals(run.input, "grid.length", 3, 0.0)
    for d, letter in enumerate("xyz"):
        faces = [f"scalars.{letter}_{side}" for side in ("low", "high")]
        if all(entry(run, face, number, "none") == "value" for face in faces):
            low, high = (float(entry(run, face + "_value", number, "0")) for face in faces)
            if low != high and lengths[d] > 0:
                return letter, lengths[d], low - high
    return None


def nusselt(run, name, number):
    """Nusselt numbers in time of a layer between two values: words and values."""
    layer, kappa = across(run, number), diffusivity(run, number)
    if layer is None or not kappa:
        return []
    d, distance, difference = layer
    scale = kappa * difference / distance
    columns = ((f"{name}_flux_in_{d}_low", WAYS["low"], lambda v: v / scale),
               (f"{name}_flux_in_{d}_high", WAYS["high"], lambda v: -v / scale),
               (f"{name}_flux_{d}", WAYS["flux"], lambda v: 1 + v / scale),
               (f"{name}_dissipation", WAYS["variance"], lambda v: v * kappa / scale ** 2))
    values = run.series["values"]
    return [(words, of(values[column])) for column, words, of in columns if column in values]


def lines(page, name, place, label, found, words, **more):
    """A figure of lines over one place: (words, values) each."""
    figure, axis = axes(page, place[0], label, **more)
    for n, (told, values) in enumerate(found):
        axis.plot(place[1], values, label=told, **style(n))
    page.add(figure, name, words)


def draw_in_time(page, run, name, number):
    """Columns of series.nc."""
    v, units = run.series["values"], run.series["units"]
    time = ("$t\\;[L/U]$", v["time"])
    lines(page, f"scalar_{name}_range", time, in_units(name, units[name + "_mean"]),
          [("mean", v[name + "_mean"]), ("least", v[name + "_least"]), ("largest", v[name + "_largest"])],
          f"{name}: volume mean, least and largest value of a cell.")
    losses = [("variance", v[name + "_variance"]), ("dissipation of its half", v[name + "_dissipation"])]
    if np.any(v.get(name + "_numerical_dissipation", 0)):
        losses.append(("numerical dissipation", v[name + "_numerical_dissipation"]))
    positive = all((values[1:] > 0).all() for _, values in losses)
    lines(page, f"scalar_{name}_variance", time, in_units("", units[name + "_variance"]), losses,
          f"{name}: variance over the volume, and what diffusion takes of its half.",
          yscale="log" if positive else "linear")
    fluxes = [(f"${c}$", v[f"{name}_flux_{d}"]) for c, d in zip("uvw", "xyz")
              if np.any(v[f"{name}_flux_{d}"])]
    if fluxes:
        lines(page, f"scalar_{name}_flux", time, in_units("", units[name + "_flux_x"]), fluxes,
              f"{name}: volume means of the velocity's components times it.")
    found = nusselt(run, name, number)
    if found:
        # in the first steps the flux at a wall may be that of a jump
        late = time[1] >= time[1][0] + 0.02 * np.ptp(time[1])
        lines(page, f"scalar_{name}_nusselt", (time[0], time[1][late]), "$Nu$",
              [(words, values[late]) for words, values in found],
              f"{name}: Nusselt numbers by the fluxes through both walls, by that through the volume and by "
              "the dissipation of the variance. In a steady flow their averages agree.")


def draw_profiles(page, run, name, normal):
    """Averages over planes of statistics.nc, in the units of the run."""
    v, units = run.statistics["values"], run.statistics["units"]
    place, letter = f"${normal}\\;[L]$", "uvw"["xyz".index(normal)]

    def profiles(end, label, found, words):
        shown = [(n, told, sign) for n, told, sign in found if n in v and np.any(np.nan_to_num(v[n]))]
        if not shown:
            return
        figure, axis = axes(page, place, label)
        for count, (n, told, sign) in enumerate(shown):
            profile_line(axis, v, normal, n, count, told, sign)
        page.add(figure, f"scalar_{name}_{end}", f"{name}: {words} Bands: two standard errors.")

    profiles("mean", in_units("", units[name]), ((name, "mean", 1), (name + "_rms", "rms", 1)),
             "mean and root mean square of the fluctuation.")
    profiles("fluxes", in_units("", units[f"{name}_{letter}"]),
             ((f"{name}_{letter}", "turbulent", 1), (name + "_molecular_flux", "molecular", 1),
              (name + "_total_flux", "total", 1)), f"flux along {normal}.")
    profiles("fluxes_along", in_units("", units[f"{name}_{letter}"]),
             tuple((f"{name}_{c}", f"${c}$", 1) for c in "uvw" if c != letter),
             "covariances with the velocity along the planes.")
    if name + "_turbulent_prandtl" in v:
        draw_prandtl(page, v, name, normal)
    for part, words in (("variance", "its variance"), ("u", "its flux along x"), ("v", "its flux along y"),
                        ("w", "its flux along z")):
        terms = [t for t in TERMS if f"{name}_{part}_{t}" in v]
        if terms and np.any(np.nan_to_num(v[f"{name}_{part}_dissipation"])):
            profiles(f"budget_{part}", in_units("gain", units[f"{name}_{part}_{terms[0]}"]),
                     tuple((f"{name}_{part}_{t}", t.replace("_", " "), -1 if t == "dissipation" else 1)
                           for t in terms), f"budget of {words}; gains are positive.")


def draw_prandtl(page, v, name, normal):
    """Where it means something: the flux and the gradient of the mean go through zero elsewhere."""
    value, gradient = v[name + "_turbulent_prandtl"], v[name + "_gradient"]
    error = np.nan_to_num(v.get(name + "_turbulent_prandtl_error", 0 * value))
    good = (np.isfinite(value) & (np.abs(value) < 5) & (error < 1)
            & (np.abs(gradient) > 0.01 * np.nanmax(np.abs(gradient))))
    if good.mean() < 0.4:  # convection mixes the middle
        return
    figure, axis = axes(page, f"${normal}\\;[L]$", "$Pr_t$")
    profile_line(axis, v, normal, name + "_turbulent_prandtl", 0, "turbulent Prandtl number", 1, good)
    page.add(figure, f"scalar_{name}_prandtl",
             f"{name}: turbulent Prandtl number, where the gradient of the mean is above 1 % of its largest "
             "and the number below 5. Bands: two standard errors.")


def table(page, run, name):
    """Nusselt numbers of the averages."""
    v = run.statistics["values"]
    rows = [(words, f"{float(v[f'{name}_nusselt_{way}']):.5g}",
             f"{float(v[f'{name}_nusselt_{way}_error']):.2g}" if f"{name}_nusselt_{way}_error" in v else "")
            for way, words in WAYS.items() if f"{name}_nusselt_{way}" in v]
    if name + "_nusselt" in v:  # of a cross-section
        rows.append(("flux through the walls", f"{float(v[name + '_nusselt']):.5g}",
                     f"{float(v[name + '_nusselt_error']):.2g}" if name + "_nusselt_error" in v else ""))
    if rows:
        page.table((f"Nusselt number of {name} by", "value", "standard error"), rows,
                   name=f"nusselt_{name}")


def draw(page, run):
    """A section for each scalar."""
    for name in names_of(run):
        number = run.input["scalars.name"].index(name)
        page.heading("Scalar " + name)
        if run.series is not None and name + "_mean" in run.series["values"]:
            draw_in_time(page, run, name, number)
        if run.statistics is None or name not in run.statistics["values"]:
            continue
        words = run.statistics["words"]
        normal = words.get("wall_normal_direction") or words.get("normal_direction")
        if normal and run.statistics["values"][name].ndim == 1:
            draw_profiles(page, run, name, normal)
        table(page, run, name)

"""The energy spectrum of a forced box in Kolmogorov's units, from history.nc, beside what is known: the
spectra behind a grid of Comte-Bellot and Corrsin (1971) and Kolmogorov's constant."""

import os

import numpy as np

from grid_turbulence import read_spectrum
from kolmo.namelists import parse, reals
from report_parts import Unreadable, read_netcdf, read_rows

BATCHES = 10
CONSTANT = (1.62, 1.45, 1.79)  # Kolmogorov's, Sreenivasan (1995), and the range of its error
STATIONS, SCALES = "cbc1971_spectra.csv", "cbc1971_scales.csv"
GRID_NU = 0.15  # of air, behind the grid, in cm^2/s
WORDS = (
    "Spectra in Kolmogorov's units are means over the records of `history.nc` within the averages, with "
    "bands of two standard errors. Dots are those behind a grid (Comte-Bellot and Corrsin 1971), scaled "
    "by the dissipation that is given for each station. The dashed line is Kolmogorov's constant, 1.62, "
    "and the band its range, 1.45 to 1.79 (Sreenivasan 1995), for an inertial range. At k eta of 0.1 to "
    "0.2 spectra lie above it."
)


def of_run(folder):
    """k eta, E/(eps nu^5)^(1/4) and E k^(5/3)/eps^(2/3), each of the last two with its standard error by ten
    batches: rows of an array."""
    inputs = parse(read_netcdf(os.path.join(folder, "series.nc"))["words"]["input"])
    history = read_netcdf(os.path.join(folder, "history.nc"))["values"]
    late = history["time"] >= reals(inputs, "statistics.start", 1)[0]
    if late.sum() < BATCHES:
        raise Unreadable(f"{folder}: {late.sum()} records in history.nc, {BATCHES} are wanted")
    eps = float(history["dissipation"][late].mean())
    eta, one = history["kolmogorov_length"][late][0], history["dissipation"][late][0]
    nu = float((eta**4 * one) ** (1 / 3))
    k = history["wavenumber"]
    inside = (k > 0) & (k <= 0.5 * reals(inputs, "grid.n", 1)[0] * k[1])
    e = history["E"][late][:, inside]
    error = np.std([part.mean(axis=0) for part in np.array_split(e, BATCHES)], axis=0, ddof=1) / BATCHES**0.5
    k, e = k[inside], e.mean(axis=0)
    own, law = (eps * nu**5) ** -0.25, k ** (5 / 3) / eps ** (2 / 3)
    return np.stack([k * (nu**3 / eps) ** 0.25, own * e, own * error, law * e, law * error])


def behind_grid(tables):
    """{name: (k eta, E/(eps nu^5)^(1/4))} of the stations; {} where the tables are not there."""
    spectra, scales = (os.path.join(tables, name) for name in (STATIONS, SCALES))
    if not (os.path.isfile(spectra) and os.path.isfile(scales)):
        return {}
    _, _, rows = read_rows(scales)
    found = {}
    for row in rows:
        one = {name: float(word) for name, word in row.items()}
        k, e = read_spectrum(spectra, f"E{one['tU0_over_M']:.0f}")
        eps = one["dissipation"]
        scaled = e / (eps * GRID_NU**5) ** 0.25
        found[f"grid, $R_\\lambda$ {one['R_lambda']:.0f}"] = (k * (GRID_NU**3 / eps) ** 0.25, scaled)
    return found


def draw(plt, runs, others, path):
    """Both forms of the spectra. runs: {name: rows of of_run()}; others: behind_grid()."""
    figure, axes = plt.subplots(1, 2, figsize=(10.0, 4.0), constrained_layout=True)
    for name, (k, own, own_error, law, law_error) in runs.items():
        for axis, e, error in ((axes[0], own, own_error), (axes[1], law, law_error)):
            (line,) = axis.plot(k, e, lw=1.1, label=name)
            low = np.maximum(e - 2 * error, 1e-3 * e)
            axis.fill_between(k, low, e + 2 * error, color=line.get_color(), alpha=0.2, lw=0)
    for (name, (k, e)), mark in zip(others.items(), "ovs"):
        style = {"ls": "", "marker": mark, "ms": 3, "color": "k", "markerfacecolor": "none", "label": name}
        axes[0].plot(k, e, **style)
        axes[1].plot(k, e * k ** (5 / 3), **style)
    k = np.array([0.01, 0.15])
    axes[0].plot(k, CONSTANT[0] * k ** (-5 / 3), "k--", lw=0.8, label="$1.62\\,(k\\eta)^{-5/3}$")
    axes[1].axhline(CONSTANT[0], color="k", lw=0.8, ls="--")
    axes[1].axhspan(*CONSTANT[1:], color="k", alpha=0.08, lw=0)
    axes[0].set(xscale="log", yscale="log", xlabel=r"$k\eta$", ylabel=r"$E/(\varepsilon\nu^5)^{1/4}$")
    axes[1].set(xscale="log", xlabel=r"$k\eta$", ylabel=r"$E\,k^{5/3}\,\varepsilon^{-2/3}$", ylim=(0, 3.5))
    axes[0].legend(fontsize=7)
    figure.savefig(path, dpi=90)
    plt.close(figure)


def write_table(runs, path):
    """The spectra of all grids as CSV."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("# spectra of the kinetic energy in Kolmogorov's units; errors are standard errors\n")
        file.write("grid,k_eta,E_scaled,E_scaled_error,E_compensated,E_compensated_error\n")
        for name, rows in runs.items():
            for values in rows.T:
                file.write(",".join([name, *(f"{v:.5g}" for v in values)]) + "\n")

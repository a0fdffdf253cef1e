"""The turbulence of a periodic box in time, history.nc, in the report of a run or of an ensemble: numbers
with their standard errors, spectra and structure functions at several times, the exponent of the decay."""
import numpy as np

EXPONENTS = (0.5, 3.0)  # range of the figure; at the begin of a decay n is far from it
CURVES = 6  # times in one figure
AXES = ("wavenumber", "distance")
SAFFMAN = ((6 / 5, "6/5"), (3 / 2, "3/2"))
# figures of numbers: name, label of the axis, its kind, (column, words), sentence
NUMBERS = (("energy", "$k\\;[U^2],\\;\\varepsilon\\;[U^3/L]$", "log",
            (("k", "$k$"), ("dissipation", r"$\varepsilon$")),
            "Turbulent kinetic energy and dissipation"),
           ("time", r"$k/\varepsilon\;[L/U]$", "linear", (("dissipation_time", r"$k/\varepsilon$"),),
            "Time of the large eddies, energy over dissipation"),
           ("reynolds", "Reynolds number", "log", (("Re_lambda", r"$Re_\lambda$"), ("Re_T", "$Re_T$")),
            "Reynolds numbers, of Taylor's scale and of the large eddies, k\u00b2/(\u03bd\u03b5)"),
           ("lengths", "length $[L]$", "log",
            (("integral_length", "from the spectrum"), ("integral_length_11", "$L_{11}$"),
             ("taylor_length", r"Taylor, $\lambda$"), ("kolmogorov_length", r"Kolmogorov, $\eta$")),
            "Integral scales, Taylor's scale and that of Kolmogorov"),
           ("gradients", "skewness", "linear", (("gradient_along_skewness", "skewness"),),
            "Skewness of the longitudinal gradients"),
           ("dissipation_constant", r"$C_\varepsilon$", "linear",
            (("C_eps", "length from the spectrum"), ("C_eps_11", "$L_{11}$")),
            "Dissipation times an integral scale over the cube of the rms velocity"),
           ("quality", "", "linear", (("k_max_eta", r"$k_\mathrm{max}\eta$"),
                                      ("length_over_box", "$L_{11}$ over the box")),
            "Resolution of the small scales, and room for the large ones, which should be below a tenth"))


class History:
    """Times and columns of the file, of the decay alone where a forcing was switched off."""

    def __init__(self, contents):
        v = contents["values"]
        age = v["time_of_decay"]
        self.aged = bool(np.isfinite(age).any())
        keep = np.isfinite(age) if self.aged else np.ones(age.size, bool)
        self.time = (age if self.aged else v["time"])[keep]
        self.value = {n: x[keep] for n, x in v.items() if x.shape[:1] == age.shape and n not in AXES}
        self.axis = {n: v[n] for n in AXES if n in v}
        self.runs = int(v["runs"][0]) if "runs" in v and v["runs"].size > 0 else 0
        self.label = "time since the end of the forcing $[L/U]$" if self.aged else "$t\\;[L/U]$"

    @property
    def bars(self):
        """What is said of the bands in a figure."""
        return f" Bands are two standard errors, from {self.runs} runs." if self.runs > 1 else ""

    def band(self, axis, x, name, colour, rows=slice(None)):
        """Two standard errors on both sides."""
        if name + "_error" in self.value:
            y, e = self.value[name][rows], self.value[name + "_error"][rows]
            axis.fill_between(x, y - 2 * e, y + 2 * e, color=colour, alpha=0.2, lw=0)


def draw_numbers(page, h, axes, style):
    """All numbers in time."""
    for name, label, scale, lines, words in NUMBERS:
        lines = [(n, w) for n, w in lines if n in h.value and np.isfinite(h.value[n]).any()]
        if not lines:
            continue
        figure, axis = axes(page, h.label, label, yscale=scale)
        for n, (column, told) in enumerate(lines):
            axis.plot(h.time, h.value[column], label=told, **style(n))
            h.band(axis, h.time, column, style(n)["color"])
        page.add(figure, "box_" + name, words + "." + h.bars)


def draw_exponent(page, h, axes, style):
    """n of k ~ (t - t0)^-n, where there is one."""
    n, error = h.value["decay_exponent"], h.value["decay_exponent_error"]
    bars = h.bars or " The band is two standard errors of the slope."
    draw_n(page, axes, style, n, error,
           ((h.time, h.label, "box_exponent", "linear"),
            (h.value["Re_T"], "$Re_T$", "box_exponent_reynolds", "log")), bars)


def range_of(n):
    """What a figure of n shows: EXPONENTS, and the last n in any case."""
    return min(EXPONENTS[0], n[-1] - 0.2 * abs(n[-1])), max(EXPONENTS[1], 1.2 * n[-1])


def draw_n(page, axes, style, n, error, along, bars):
    """The exponent with its band. along: what it is drawn over, the label, the name of the figure, the kind
    of axis."""
    good = np.isfinite(n) & np.isfinite(error)
    if good.sum() < 2:
        return
    for x, label, name, scale in along:
        figure, axis = axes(page, label, "$n$", xscale=scale)
        axis.plot(x[good], n[good], label="$n$", **style(0))
        axis.fill_between(x[good], (n - 2 * error)[good], (n + 2 * error)[good], color=style(0)["color"],
                          alpha=0.2, lw=0)
        for value, told in SAFFMAN:
            axis.axhline(value, color="k", lw=0.7, ls=":", label=told)
        axis.set_ylim(*range_of(n[good]))
        page.add(figure, name,
                 "Exponent of the decay, k ~ (t - t0)^-n, from the slope of k/\u03b5 over the last third of "
                 "the time." + bars)


def draw_curves(page, h, axes, style):
    """Spectra, transfer and structure functions at some times."""
    rows = np.unique(np.linspace(0, h.time.size - 1, min(CURVES, h.time.size)).round().astype(int))
    for name, x, xlabel, ylabel, kind, words in (
            ("E", "wavenumber", "$k\\;[1/L]$", "$E\\;[U^2 L]$", "log", "Spectra of the kinetic energy"),
            ("T", "wavenumber", "$k\\;[1/L]$", "$T\\;[U^3]$", "linear", "Transfer of energy into shells"),
            ("structure_along", "distance", "$r\\;[L]$", "$S_2\\;[U^2]$", "log",
             "Mean squares of differences of the velocity along the distance"),
            ("structure_across", "distance", "$r\\;[L]$", "$S_2\\;[U^2]$", "log",
             "The same across the distance")):
        place = h.axis[x]
        figure, axis = axes(page, xlabel, ylabel, xscale="log", yscale=kind)
        for n, row in enumerate(rows):
            y = h.value[name][row]
            good = (place > 0) & np.isfinite(y) & ((y > 0) | (kind == "linear"))
            axis.plot(place[good], y[good], label=f"$t = {h.time[row]:.3g}$", **style(n))
            h.band(axis, place, name, style(n)["color"], row)
        if name == "E":
            top = np.nanmax(h.value[name][rows])
            axis.set_ylim(1e-9 * top, 3 * top)
        page.add(figure, "box_" + name, words + " at several times." + h.bars)


def draw(page, contents, axes, style):
    """The section of the page."""
    h = History(contents)
    if h.time.size < 2:
        return
    page.heading("Turbulence in time" + (f", mean of {h.runs} runs" if h.runs > 1 else ""))
    draw_numbers(page, h, axes, style)
    draw_exponent(page, h, axes, style)
    if h.axis:
        draw_curves(page, h, axes, style)


def draw_series(page, run, axes, style):
    """k/dissipation and the exponent of a run without history.nc, from series.nc."""
    t, ratio = run.column("time"), run.column("dissipation_time")
    n, error = run.column("decay_exponent"), run.column("decay_exponent_error")
    if (np.isfinite(n) & np.isfinite(error)).sum() < 2:
        return
    page.heading("Decay of the turbulence")
    figure, axis = axes(page, "$t\\;[L/U]$", r"$k/\varepsilon\;[L/U]$")
    axis.plot(t, ratio, label=r"$k/\varepsilon$", **style(0))
    page.add(figure, "series_dissipation_time", "Time of the large eddies, energy over dissipation.")
    draw_n(page, axes, style, n, error, ((t, "$t\\;[L/U]$", "series_exponent", "linear"),),
           " The band is two standard errors of the slope.")

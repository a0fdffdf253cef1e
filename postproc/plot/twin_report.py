"""The difference between a run and its twin, in the report."""
import numpy as np


def draw(page, run, axes, style):
    """Its energy in time, beside that of the flow, and how fast it grows."""
    t, difference, energy = run.column("time"), run.column("twin_difference"), run.column("kinetic_energy")
    good = difference > 0
    page.heading("Twin")
    if good.sum() < 2:
        page.words("The run and its twin are equal, to the bit." if not np.any(difference)
                   else "The run and its twin differ in one record only.")
        return
    t, difference, energy = t[good], difference[good], energy[good]
    figure, axis = axes(page, "$t\\;[L/U]$", "energy $[U^2]$", yscale="log")
    axis.plot(t, difference, label="of the difference", **style(0))
    axis.plot(t, energy, label="of the flow", **style(1))
    page.add(figure, "twin_difference", "Kinetic energy of the difference of the velocities of the run and "
                                        "its twin, and that of the flow; volume means.")
    figure, axis = axes(page, "$t\\;[L/U]$", r"$\frac{1}{2}\,\mathrm{d}\ln E_d/\mathrm{d}t\;[U/L]$")
    axis.plot(0.5 * (t[1:] + t[:-1]), 0.5 * np.diff(np.log(difference)) / np.diff(t), label="growth rate",
              **style(0))
    page.add(figure, "twin_growth", "Growth rate of the difference of the velocities.")

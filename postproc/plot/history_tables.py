"""Tables of histories of energy, dissipation and enstrophy, under their usual names, and what a run has of
them."""
import re

import numpy as np

import report_parts
from kolmo.namelists import reals
from report_parts import over

TIMES = ("t", "time")
UNIT = re.compile(r"\[[^]]*\]|\([^)]*\)")
ENERGY, DISSIPATION, ENSTROPHY = "kinetic_energy", "dissipation", "enstrophy"
# what a column is of the run's series, by its name in small letters: the series, a factor, and what more
COLUMNS = {**{n: (ENERGY, 1.0, "") for n in ("kinetic_energy", "k", "ke", "ek", "e_k", "e_kin", "energy",
                                             "e")},
           **{n: (ENERGY, 1.0, "turbulent") for n in ("tke", "turbulent_kinetic_energy")},
           **{n: (ENERGY, 1.0, "total") for n in ("kinetic_energy_total", "total_kinetic_energy",
                                                  "energy_total", "total_energy")},
           **{n: (DISSIPATION, 1.0, "") for n in ("dissipation", "dissipation_rate", "eps", "epsilon", "diss",
                                                  "nu_grad_u_sq", "minus_dedt", "minus_dkdt", "-dedt",
                                                  "-de/dt", "-dk/dt", "-dekdt", "-dek/dt")},
           **{n: (DISSIPATION, -1.0, "") for n in ("dedt", "de/dt", "dk/dt", "dkdt", "dekdt", "dek/dt")},
           **{n: (DISSIPATION, 1.0, "total") for n in ("dissipation_total", "total_dissipation", "eps_total",
                                                       "epsilon_total")},
           **{n: (ENSTROPHY, 1.0, "") for n in ("enstrophy", "enstrophy_mean", "mean_enstrophy", "enst")},
           **{n: (ENSTROPHY, 1.0, "total") for n in ("enstrophy_total", "total_enstrophy")},
           **{n: (ENSTROPHY, 2.0, "") for n in ("omega_squared", "omega_sq", "vorticity_squared",
                                                "mean_square_vorticity")}}


def plain(name):
    """A name in small letters, without its unit in brackets."""
    return UNIT.sub("", name.lower()).strip().replace(" ", "_")


def time_of(names):
    """The column of times; None where there is none."""
    return next((n for n in names if plain(n) in TIMES), None)


def known(names):
    """Whether these columns are such a table's."""
    return time_of(names) is not None and any(plain(n) in COLUMNS for n in names)


def read(name, rows, names):
    """Times, and values by the name of their column."""
    time = time_of(names)
    column = {"t": np.array([r.number(time) for r in rows])}
    column.update({n: np.array([r.number(n) for r in rows]) for n in names if plain(n) in COLUMNS})
    report_parts.sound(name, "t", column)
    return column


def columns(run, table):
    """(name of the series, column, its words, the run's values of it) of all columns: of the turbulent energy
    that of the fluctuations, of a total the integral over the box."""
    for name, wanted in table["column"].items():
        if name == "t":
            continue
        ours, factor, more = COLUMNS[plain(name)]
        values = factor * run.column(ours)
        if more == "turbulent":
            values = values - 0.5 * sum(run.column("momentum_" + d) ** 2 for d in "xyz")
        if more == "total":
            values = values * float(np.prod(reals(run.input, "grid.length", 3)))
        yield ours, name, wanted, values


def judge(run, table, verdicts):
    """Histories over the time that both have; how many."""
    t, there, used = run.column("time"), table["column"]["t"], 0
    for ours, name, column, values in columns(run, table):
        both = report_parts.overlap(table["name"], "times", t, there)
        wanted = np.interp(t[both], there, column)
        size = max(over(t[both], wanted ** 2), 1e-300)
        found = (over(t[both], (values[both] - wanted) ** 2) / size) ** 0.5
        verdicts.add(ours.replace("_", " ") + (f" ({name})" if name != ours else ""), table["name"], found,
                     ours)
        theirs = (there >= t[0]) & (there <= t[-1])
        hint(run, verdicts, table["name"], name, ours, np.interp(there[theirs], t, values), column[theirs])
        used += 1
    return used


def hint(run, verdicts, table, name, ours, found, wanted):
    """A note where a table differs by a factor that another definition has."""
    if found.size == 0 or not (np.all(found > 0) and np.all(wanted > 0)):
        return
    low, ratio, high = np.quantile(wanted / found, (0.25, 0.5, 0.75))
    scatter = high - low
    volume = float(np.prod(reals(run.input, "grid.length", 3)))
    for factor, words in ((2.0, "the mean of the square without the half; omega_squared for the enstrophy"),
                          (volume, f"the integral over the box; {ours}_total"),
                          (2 * volume, "the integral of the square without the half")):
        if abs(factor - 1) > 0.1 and abs(ratio / factor - 1) < 0.02 and scatter < 0.1 * ratio:
            verdicts.notes.append(f"table {table}: {name} is {ratio:.4g} times the run's: it may be {words}")
            return

"""What is measured of a run, and the tables and numbers that it is compared with.

Each kind of case has a function that makes a dictionary of judge.Line of the folder of a run, and one that
lists the references. Tables are those of a folder shared/reference beside the
checkout. A table that is not there is noted, and its rows have no verdict."""

import csv
import io
import os
from dataclasses import dataclass

import numpy as np

import body_forces
import cavity_tables
import channel_report
import duct
import judge
import run_report
import separation
import step_report
from grid_turbulence import read_spectrum
from judge import Line
from kolmo import converge
from kolmo.namelists import parse, reals
from kolmo.runs import Run
from report_parts import Unreadable, over, read_netcdf, read_rows

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
TABLES = os.environ.get("KOLMO_REFERENCE", os.path.join(ROOT, "..", "shared", "reference"))
RMS = {
    "u_rms": "uu",
    "v_rms": "vv",
    "w_rms": "ww",
    "p_rms": "pp",
    "ox_rms": "oxox",
    "oy_rms": "oyoy",
    "oz_rms": "ozoz",
}
TERMS = (
    "production",
    "dissipation",
    "turbulent_transport",
    "viscous_diffusion",
    "pressure_strain",
    "pressure_transport",
)
MOST_PLACES = 1000  # of a curve in CASE.csv; its figure shows no more
BATCHES = 10
SAME_BULK = 0.005  # the same of the bulk Reynolds number, if the table is to judge the friction
SAME_RE = 0.05  # by which Re_tau of a table may differ from the case's if the table is to judge it
STATIONS = {98: "E98", 171: "E171"}  # behind a grid, t U0/M, and the columns of the table
MESH_TIME = 5.08 / 1000.0  # M/U0 in s
BOX_MOST = 0.1  # integral scale over the box, up to which a decay is that of a large box
BUDGETS = ("k", "uu", "vv", "ww", "uv")


@dataclass
class Reference:
    """What a quantity should be: a number, or (places, values), or None if nothing is known. scale: what
    differences are shares of; None: the norm or the size of the reference itself. headline: whether the index
    has it. error: standard error of a number that is a reference. exact: it has no error of the grid, so that
    only the finest grid counts. largest: a profile is compared by its largest difference, not by a norm.
    recalled: the number was quoted from memory of a paper, as its table says."""

    quantity: str
    source: str
    value: object
    wanted: float = None
    scale: float = None
    headline: bool = False
    words: str = ""
    error: float = 0.0
    exact: bool = False
    largest: bool = False
    recalled: bool = False


# ---- tables ------------------------------------------------------------------------------------------------


def table_path(name):
    """Of a table of shared/reference; None where it is not there."""
    path = os.path.join(TABLES, name)
    return path if os.path.isfile(path) else None


def table_number(row, missing):
    """A number of a table, and whether it was quoted from memory; None where the table is not there, which is
    noted."""
    path = table_path(row.file)
    if path is None:
        missing.add(row.file)
        return None, False
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    evidence = ""
    for words in csv.DictReader(lines):
        told = words.get("evidence") or ""
        evidence = evidence if told == "same" else told
        if all(words[column] == text for column, text in row.where.items()):
            return float(words[row.column]), "recalled" in evidence and not evidence.startswith("stored")
    raise Unreadable(f"{path}: no row with {row.where}")


# ---- kinds of cases ----------------------------------------------------------------------------------------


def numbers(case, folder):
    """The numbers that the case lists."""
    run, found = Run(folder), {}
    for n in case.numbers:
        if n.name.startswith("history:"):
            name, at, time = n.name.partition(":")[2].partition("@")
            value, error = history_value(folder, name, float(time)) if at else history_mean(folder, name)
        elif n.name == "series:budget":
            value, error = energy_budget(folder), 0.0
        elif n.name.startswith("forces:"):
            value, error = body_forces.number(folder, n.name.partition(":")[2])
        elif n.name.startswith("duct:"):
            value, error = duct.number(folder, n.name.partition(":")[2])
        elif n.name.startswith("wall:"):
            value, error = separation.number(run, n.name.partition(":")[2])
        else:
            value, error = converge.value_of(run, n.name)
            if not error_is_known(run, n.name):
                error = np.inf
        factor = n.factor if n.fit is None else n.factor / n.fit(converge.value_of(run, "Re_lambda")[0])
        found[n.key] = Line(None, factor * value, abs(factor) * error)
    return found


def error_is_known(run, name):
    """Whether a number of statistics.nc has its standard error: there are enough samples for one."""
    if ":" in name or not os.path.isfile(run.path("statistics.nc")) or name + "_error" not in run.statistics:
        return True
    return bool(np.isfinite(float(run.statistics[name + "_error"].values)))


def energy_budget(folder, start=None):
    """Rise of the kinetic energy and dissipation over the work of force and walls, from a time on (that of
    the averages unless given), by the records of series.nc; it is 1 but for the error in time."""
    series = read_netcdf(os.path.join(folder, "series.nc"))
    if start is None:
        start = reals(parse(series["words"]["input"]), "statistics.start", 1)[0]
    late = series["values"]["time"] >= start
    names = ("time", "kinetic_energy", "dissipation", "force_power")
    t, energy, loss, power = (series["values"][name][late] for name in names)
    if "wall_work" in series["values"]:
        power = power + series["values"]["wall_work"][late]
    return float((energy[-1] - energy[0] + over(t, loss)) / over(t, power))


def history_mean(folder, name):
    """Mean of a number of history.nc over the time of the averages, and its standard error by ten batches."""
    inputs = parse(read_netcdf(os.path.join(folder, "series.nc"))["words"]["input"])
    history = read_netcdf(os.path.join(folder, "history.nc"))["values"]
    late = history["time"] >= reals(inputs, "statistics.start", 1)[0]
    every = compensated_spectrum(history) if name == "compensated_spectrum" else history[name]
    values = every[late & np.isfinite(every)]
    if values.size < BATCHES:
        raise Unreadable(f"{folder}: {values.size} records of {name} in history.nc, {BATCHES} are wanted")
    means = [part.mean() for part in np.array_split(values, BATCHES)]
    return float(values.mean()), float(np.std(means, ddof=1) / BATCHES**0.5)


def compensated_spectrum(history):
    """E k^(5/3)/dissipation^(2/3) of each record, the mean over the shells with k eta between 0.1 and 0.2. In
    an inertial range it is Kolmogorov's constant; there, above it, it is larger."""
    k = history["wavenumber"]
    k_eta = k * history["kolmogorov_length"][:, None]
    scaled = history["E"] * k ** (5 / 3) / history["dissipation"][:, None] ** (2 / 3)
    inside = (k_eta >= 0.1) & (k_eta <= 0.2)
    count = inside.sum(axis=1)
    return np.where(count > 0, np.where(inside, scaled, 0).sum(axis=1) / np.maximum(count, 1), np.nan)


def history_value(folder, name, time):
    """A number of history.nc at a time, which a record must have; it has no error."""
    history = read_netcdf(os.path.join(folder, "history.nc"))["values"]
    return float(history[name][record_at(folder, history, time)]), 0.0


def record_at(folder, history, time):
    """Its number."""
    n = int(np.argmin(abs(history["time"] - time)))
    if abs(history["time"][n] - time) > 1e-6 * max(abs(time), 1e-12):
        raise Unreadable(f"{folder}: history.nc has no record at t = {time:g}")
    return n


def grid_turbulence(case, folder):
    """The numbers of the case, and the spectra at the last two stations."""
    history, found = read_netcdf(os.path.join(folder, "history.nc"))["values"], numbers(case, folder)
    for station, column in STATIONS.items():
        n = record_at(folder, history, (station - 42) * MESH_TIME)
        k, e = history["wavenumber"], history["E"][n]
        good = (k > 0) & (e > 0)
        found[column] = Line(k[good], e[good], np.zeros(good.sum()))
    return found


def grid_turbulence_references(case, missing):
    """Of the numbers and of the spectra."""
    found, path = number_references(case, missing), table_path(case.tables[0])
    if path is None:
        missing.add(case.tables[0])
    for station, column in STATIONS.items():
        value = None if path is None else read_spectrum(path, column)
        words = f"E(k) at t U0/M = {station}"
        by = "Comte-Bellot and Corrsin 1971"
        found.append(Reference(column, by, value, case.wanted["spectrum"], None, True, words))
    return found


def number_references(case, missing):
    """Of these numbers."""
    found = []
    for n in case.numbers:
        is_row = n.reference is not None and not isinstance(n.reference, (int, float))
        value, recalled = table_number(n.reference, missing) if is_row else (n.reference, False)
        found.append(
            Reference(
                n.key,
                n.source,
                value,
                n.wanted,
                n.scale,
                True,
                n.words,
                n.reference_error,
                n.exact,
                recalled=recalled or n.recalled,
            )
        )
    return found


def profile(run, quantity):
    """A profile of channel_report as a Line; rms where the name says so."""
    y, value, error = run.profile(RMS.get(quantity, quantity))
    good = np.isfinite(value)
    y, value, error = y[good], value[good], np.nan_to_num(error[good], nan=np.inf)
    if quantity in RMS:
        value = np.sqrt(np.maximum(value, 0.0))
        error = error / np.maximum(2.0 * value, 1e-12)
        error[value < 1e-6] = 0.0
    return Line(y, value, error)


def off_wall(y):
    """Places of the terms of a budget. Of a budget at faces those on the wall belong to half a volume, from
    the wall to the first centre (docs/statistics.md, "Budgets"): their place is its middle."""
    return np.append(y[1] / 4, y[1:]) if y.size > 1 and y[0] == 0 else y


def channel(_, folder):
    """Profiles and budgets between walls, in wall units, and some numbers."""
    run = channel_report.Channel(os.path.join(folder, "statistics.nc"))
    found = {}
    for quantity in ("U", "uv", *RMS):
        try:
            found[quantity] = profile(run, quantity)
        except KeyError:
            continue
    for name in BUDGETS:
        own = name if name == "k" else run.component(name)
        for term in TERMS:
            if f"{own}_{term}" in run.data:
                y, value, error = run.profile(f"{own}_{term}", sign=-1 if name == "uv" else 1)
                good = np.isfinite(value)
                value = (
                    value * (run.lower if name == "uv" else 1.0) * (-1.0 if term == "dissipation" else 1.0)
                )
                found[f"{name} {term}"] = Line(
                    off_wall(y[good]), value[good], np.nan_to_num(error[good], nan=np.inf)
                )
    number, error = run.number, run.number_error
    found["Re_tau"] = Line(None, number["Re_tau"], error["Re_tau"])
    found["friction_coefficient"] = Line(None, *run.bulk_and_friction()[1])
    y, value, error = run.profile("stress_residual", sign=-1)
    found["stress line"] = Line(y, value, np.nan_to_num(error, nan=np.inf))
    if os.path.isfile(os.path.join(folder, "series.nc")):  # merged segments have no series in common
        found["energy"] = Line(None, energy_budget(folder, float(run.data["t_start"])), 0.0)
    found.update(spectra(folder))
    for quantity in ("u_rms", "v_rms", "w_rms", "p_rms"):
        if quantity in found:
            line = found[quantity]
            n = int(np.argmax(line.value))
            found[f"largest {quantity}"] = Line(None, float(line.value[n]), float(line.error[n]))
    return found


def spectra(folder):
    """Spectra at heights of spectra.nc, in the units of the tables; none without that file."""
    if not os.path.isfile(os.path.join(folder, "spectra.nc")):
        return {}
    run, found = run_report.Run(folder), {}
    if not (run.has_units and run.has_heights):
        return {}
    for direction in ("x", "z"):
        for two in run_report.PAIRS:
            k, e = run_report.spectrum_at(run, two, direction)
            name = two if two == "pp" else run.channel.component(two)
            key = f"E_{name}_{run.channel.letter[direction]}"
            own = run.spectra["values"]
            share = own[key + "_error"] / np.where(own[key] > 0, own[key], 1.0)
            good = np.isfinite(k) & (k > 0)
            for n in range(e.shape[0]):
                error = np.nan_to_num(np.abs(share[n] * e[n])[good], nan=np.inf)
                found[f"E_{two} along {direction}, height {n + 1}"] = Line(k[good], e[n][good], error)
    return found


def spectrum_references(path):
    """Of a table at heights: the case has the same heights in the same order."""
    table = run_report.read_reference(path)
    found, heights = [], sorted({y for _, y in table["stations"]})
    for (direction, y), columns in table["stations"].items():
        for two in run_report.PAIRS:
            if f"E_{two}" in columns:
                name = f"E_{two} along {direction}, height {heights.index(y) + 1}"
                words = f"spectrum of {two} along {direction}, {y:g} wall units from the wall"
                value = columns["k"], columns[f"E_{two}"]
                found.append(Reference(name, table["name"], value, words=words))
    return found


def channel_references(case, missing):
    """Of profiles and budgets. Profiles of another Reynolds number have no verdict. The friction is that of
    the first table with the bulk Reynolds number of the case."""
    friction = [
        Reference("Re_tau", "", None, headline=True, words="Re_tau"),
        Reference("friction_coefficient", "", None, headline=True, words="friction coefficient"),
    ]
    found = [Reference(f"largest {q}", "", None, words=f"largest {q}, wall units") for q in list(RMS)[:4]]
    found.append(
        Reference(
            "energy", "exact", 1.0,
            words="rise of the energy and dissipation over the work of force and walls",
        )  # fmt: skip
    )
    zero = np.linspace(0.0, 2000.0, 20001), np.zeros(20001)
    found.append(
        Reference(
            "stress line", "its straight line", zero, case.wanted.get("stress line"), 3.0**-0.5, True,
            "total stress", exact=True,
        )
    )  # fmt: skip
    profiles = [t for t in case.tables if t.endswith("_profiles.csv")]
    for name in case.tables:
        path = table_path(name)
        if path is None:
            missing.add(name)
        elif name in profiles:
            table = channel_report.read_table(path)
            if friction[0].value is None and "U" in table["column"]:
                set_friction(case, table, friction)
            is_same = case.re_tau is None or abs(table["re_tau"][0] / case.re_tau - 1.0) <= SAME_RE
            for quantity in ("U", "uv", *RMS):
                column = table["column"].get(RMS.get(quantity, quantity))
                if column is not None:
                    column = np.sqrt(np.maximum(column, 0.0)) if quantity in RMS else column
                    found.append(
                        Reference(
                            quantity,
                            table["name"],
                            (table["y"], column),
                            case.wanted.get(quantity) if is_same else None,
                            headline=name == profiles[0] or (name == profiles[1] and quantity == "p_rms"),
                            words=f"{quantity}, profile",
                        )
                    )
        elif name.endswith("_spectra.csv"):
            found += spectrum_references(path)
        elif name.endswith("_budgets.csv"):
            found += budget_references(case, run_report.read_reference(path))
    found = friction + found
    covered = {r.quantity for r in found}
    found += [
        Reference(q, "no table", None, words=f"{q}, profile") for q in ("U", "uv", *RMS) if q not in covered
    ]
    return found + [r for r in without_table(case) if r.quantity not in covered]


def bulk_velocity(table):
    """Of a profile, in wall units; beyond its last point the velocity is that of this point."""
    y, u, re_tau = table["y"], table["column"]["U"], table["re_tau"][0]
    inside = y <= re_tau
    y, u = np.append(y[inside], re_tau), np.append(u[inside], u[inside][-1])
    return (judge.integral(y, u) + 0.5 * y[0] * u[0]) / re_tau


def set_friction(case, table, references):
    """Re_tau and friction coefficient of a table with the bulk Reynolds number of the case, whose bulk
    velocity and half height are 1; those of another flow are no references."""
    bulk, re_tau = bulk_velocity(table), table["re_tau"][0]
    if case.re_tau is None or abs(bulk * re_tau * case.settings["fluid.nu"] - 1.0) > SAME_BULK:
        return
    for ref, value in zip(references, (re_tau, 2.0 / bulk**2)):
        ref.value, ref.source, ref.wanted = float(value), table["name"], case.wanted.get(ref.quantity)


def without_table(case):
    """Budgets and spectra at the heights of the case, with their errors alone."""
    for name in BUDGETS:
        for term in TERMS:
            if (name, term) != ("k", "pressure_strain"):
                words = f"budget of {name}: {term.replace('_', ' ')}"
                yield Reference(f"{name} {term}", "no table", None, words=words)
    heights = case.settings.get("statistics.spectra_heights", ())
    for direction in ("x", "z"):
        for two in run_report.PAIRS:
            for n, height in enumerate(heights, start=1):
                place = f"{height * case.re_tau:.4g} wall units" if case.re_tau else f"{height:.4g}"
                words = f"spectrum of {two} along {direction}, {place} from the wall"
                yield Reference(f"E_{two} along {direction}, height {n}", "no table", None, words=words)


def budget_references(case, table):
    """Terms over the largest production of k, or their own where there is one."""
    found = []
    for quantity in BUDGETS:
        rows = run_report.budget_rows(table, quantity)
        if "production" not in rows:
            continue
        largest = max(
            abs(run_report.budget_rows(table, "k")["production"].max()), abs(rows["production"]).max()
        )
        for term, ours in run_report.TERMS.items():
            if term in rows and (quantity, ours) != ("k", "pressure_strain"):
                found.append(
                    Reference(
                        f"{quantity} {ours}",
                        table["name"],
                        (rows["y_plus"], rows[term]),
                        case.wanted.get("budget"),
                        largest,
                        words=f"budget of {quantity}: {ours.replace('_', ' ')}",
                        largest=True,
                    )
                )
    return found


def taylor_green(_, folder):
    """The dissipation in time."""
    series = read_netcdf(os.path.join(folder, "series.nc"))["values"]
    return {"dissipation": Line(series["time"], series["dissipation"], np.zeros_like(series["time"]))}


def taylor_green_references(case, missing):
    """The spectral solution."""
    path = table_path(case.tables[0])
    if path is None:
        missing.add(case.tables[0])
        return [Reference("dissipation", "spectral, 512^3", None, words="dissipation in time", headline=True)]
    _, _, rows = read_rows(path)
    t, value = (np.array([r.number(n) for r in rows]) for n in ("t", "dissipation"))
    return [
        Reference(
            "dissipation",
            "spectral, 512^3 (van Rees et al. 2011)",
            (t, value),
            words="dissipation",
            headline=True,
        )
    ]


def step(_, folder):
    """Places where the shear on the walls is zero."""
    return {
        name: Line(None, place, 0.0)
        for name, place in zip(step_report.NAMES, step_report.Step(folder).places)
    }


def step_references(case, _):
    """Gartling's."""
    return [
        Reference(name, "Gartling 1990", value, case.wanted["places"], headline=True, words=name)
        for name, value in zip(step_report.NAMES, step_report.GARTLING)
    ]


def cavity(_, folder):
    """Velocities on the lines through the middle."""
    found = cavity_tables.cavity_of(Run(folder))
    return {name: Line(x, u, np.zeros_like(u)) for name, (x, u) in found["lines"].items()}


def cavity_references(case, _):
    """tests/data/cavity_centre_lines.csv, which is a part of the project."""
    _, _, rows = read_rows(os.path.join(ROOT, "tests", "data", "cavity_centre_lines.csv"))
    kind, found = ("3d" if "3d" in case.name else "2d"), []
    for ours, theirs in cavity_tables.OF_RUN.items():
        own = sorted(
            (r.number("place"), r.number("velocity"))
            for r in rows
            if r["flow"] == kind and r.number("re") == 1000 and r["component"] == theirs
        )
        x, u = np.array(own).T
        found.append(
            Reference(
                ours,
                "Albensoeder and Kuhlmann 2005" if kind == "3d" else "Botella and Peyret 1998",
                (x, u),
                case.wanted["centre lines"],
                1.0,
                True,
                cavity_tables.WORDS[ours] + ", largest difference",
                largest=True,
            )
        )
    return found


def cylinder(_, folder):
    """Drag and lift of the channel of Schaefer and Turek: U 0.2, D 0.1, a slice of 0.01."""
    forces = read_netcdf(os.path.join(folder, "bodies.nc"))
    scale = 2.0 / (0.2**2 * 0.1 * 0.01)
    return {
        name: Line(None, scale * float(forces["values"][key].reshape(-1)[-1]), 0.0)
        for name, key in (("Cd", "force_x"), ("Cl", "force_z"))
    }


def cylinder_references(case, missing):
    """The precise values of the table. Public copies of the benchmark have the same."""
    from cases import Row

    found = []
    for name, words in (("Cd", "drag"), ("Cl", "lift")):
        row = Row(case.tables[0], {"case": "2D-1", "quantity": name}, "precise")
        value, recalled = table_number(row, missing)
        found.append(
            Reference(
                name,
                "Nabh 1998, spectral",
                value,
                case.wanted[name],
                headline=True,
                words=words + " coefficient",
                recalled=recalled,
            )
        )
    return found


def decay(_, folder):
    """The exponent of the decay at the last record of history.nc at which the integral scale is not above a
    tenth of the box, and the Reynolds number there."""
    history = read_netcdf(os.path.join(folder, "history.nc"))["values"]
    good = np.flatnonzero(np.isfinite(history["decay_exponent"]) & (history["length_over_box"] <= BOX_MOST))
    if good.size == 0:
        raise Unreadable(f"{folder}: the integral scale exceeds a tenth of the box in each window")
    found = {}
    for name in ("decay_exponent", "Re_lambda"):
        error = history[name + "_error"][good[-1]] if name + "_error" in history else 0.0
        found[name] = Line(None, float(history[name][good[-1]]), float(np.nan_to_num(error)))
    return found


def decay_references(*_):
    """None is of one number: the exponent depends on the Reynolds number."""
    where = "when the integral scale comes to a tenth of the box, or at the end"
    return [
        Reference("decay_exponent", "", None, headline=True, words=f"exponent of the decay {where}"),
        Reference("Re_lambda", "", None, headline=True, words=f"Taylor Reynolds number {where}"),
    ]


KINDS = {
    "numbers": (numbers, number_references),
    "grid_turbulence": (grid_turbulence, grid_turbulence_references),
    "channel": (channel, channel_references),
    "taylor_green": (taylor_green, taylor_green_references),
    "step": (step, step_references),
    "cavity": (cavity, cavity_references),
    "cylinder": (cylinder, cylinder_references),
    "decay": (decay, decay_references),
}


def lines_of(case, folder):
    """{quantity: Line} of a run."""
    return KINDS[case.measure][0](case, folder)


def references_of(case):
    """References, and the tables that are not there."""
    missing = set()
    return KINDS[case.measure][1](case, missing), sorted(missing)


def written(places):
    """Indices of the places of a curve that are written, the last of them included."""
    return np.union1d(np.arange(0, len(places), -(-len(places) // MOST_PLACES)), [len(places) - 1])


def profiles_text(case, grids, lines):
    """All profiles on all grids as CSV: extrapolated, with the standard error, and on the finest grid."""
    spacing = [case.grid(g).spacing for g in grids]
    how = f"Extrapolated at second order from the grids {', '.join(grids)}"
    text = io.StringIO()
    text.write(f"# {case.words}. " + (how if len(grids) > 1 else f"Grid {grids[0]}, not extrapolated") + "\n")
    text.write(
        "# Errors are standard errors of the averages. place: wall units between walls, else the case's own\n"
    )
    if any(line.x is not None and len(line.x) > MOST_PLACES for line in lines[-1].values()):
        text.write(f"# Of a curve with more than {MOST_PLACES} places every n-th is written, and the last\n")
    rows = csv.writer(text, lineterminator="\n")  # names of spectra have commas
    rows.writerow(("quantity", "place", "value", "error", "value_finest", "error_finest"))
    count = 0
    for quantity in lines[-1]:
        own = [l[quantity] for l in lines if quantity in l]
        if len(own) == len(lines) and own[-1].x is not None:
            x, best = judge.combine(spacing, own)
            at = written(x)
            for values in zip(*(v[at] for v in (x, best.value, best.error, best.fine, best.fine_error))):
                rows.writerow((quantity, *(f"{v:.7g}" for v in values)))
                count += 1
    return text.getvalue() if count else ""


# ---- rows --------------------------------------------------------------------------------------------------


def judged(case, grids, lines, references):
    """Rows of a page. grids: names; lines: of each of them; both from the coarsest to the finest."""
    if case.measure == "taylor_green":
        return taylor_green_rows(case, grids, lines, references)
    spacing = [case.grid(g).spacing for g in grids]
    rows = []
    production = lines[-1].get("k production")
    for ref in references:
        if ref.value is None and ref.scale is None and is_budget(ref.quantity) and production is not None:
            ref.scale = float(abs(production.value).max())
        own = [l[ref.quantity] for l in lines if ref.quantity in l]
        if len(own) == len(lines):
            rows.append(row_of(case, grids, spacing, own, ref))
    return rows


def is_budget(quantity):
    """Whether it is a term of a budget."""
    name, _, term = quantity.partition(" ")
    return name in BUDGETS and term in TERMS


def row_of(case, grids, spacing, own, ref):
    """One quantity against one reference."""
    need = case.need
    if ref.exact:
        grids, spacing, own, need = grids[-1:], spacing[-1:], own[-1:], 1
    x, best = judge.combine(spacing, own)
    row = {
        "quantity": ref.words or ref.quantity,
        "source": ref.source,
        "headline": ref.headline,
        "wanted": ref.wanted,
        "order": best.order,
        "n_grids": len(own),
        "need": need,
        "recalled": ref.recalled and ref.value is not None,
    }
    if x is None:
        row.update(
            value=float(best.value),
            error=float(best.total),
            statistical=float(best.error),
            grids={g: [float(l.value), float(l.error)] for g, l in zip(grids, own)},
            grid_error=None if best.grid is None else float(best.grid),
            reference=None if ref.value is None else float(ref.value),
        )
    else:
        size = best.value if ref.scale is None else np.full_like(x, ref.scale)
        row.update(
            statistical=judge.norm(x, best.error, size),
            grid_error=None if best.grid is None else judge.norm(x, best.grid, size),
        )
    if ref.value is None:
        row.update(difference=None, difference_error=None)
    else:
        found = judge.compare(spacing, own, ref.value, ref.scale, ref.largest)
        if ref.error:
            size = abs(ref.value) if ref.scale is None else ref.scale
            found.error = float(np.hypot(found.error, ref.error / size))
        row.update(
            difference=found.difference,
            difference_error=found.error,
            grid_differences=dict(zip(grids, found.grids)),
        )
        if found.place is not None:
            row["place"] = found.place
    row["verdict"] = judge.verdict(row["difference"], row["difference_error"], ref.wanted, len(own), need)
    return row


def rejudged(case, row, references, profiles):
    """A row of a page anew, by the values on all grids that it has kept, or by the profile of the finest grid
    and the extrapolated one that CASE.csv has of two grids without standard errors. Other rows of profiles
    are as they were."""
    ref = next((r for r in references if row["quantity"] == (r.words or r.quantity)), None)
    if ref is None:
        return row
    if "value" in row:
        grids = list(row["grids"])
        own = [Line(None, *pair) for pair in row["grids"].values()]
    elif row["n_grids"] == 2 and not row["statistical"] and ref.quantity in profiles:
        grids = list(row["grid_differences"])
        place, value, _, fine, _ = profiles[ref.quantity]
        _, share = judge.pair(*(case.grid(g).spacing for g in grids), fine, fine)
        none = np.zeros_like(place)
        own = [Line(place, fine - (value - fine) / share, none), Line(place, fine, none)]
    else:
        return row
    new = row_of(case, grids, [case.grid(g).spacing for g in grids], own, ref)
    if "value" not in row:  # these were compared at the places of their own grids
        new["grid_differences"] = row["grid_differences"]
    return new


def taylor_green_rows(case, grids, lines, references):
    """The largest error of the dissipation to some times, over its peak: of each grid, and extrapolated from
    the two finest, with what the two grids before give otherwise there."""
    (ref,), rows = references, []
    own = [l["dissipation"] for l in lines]
    candidates = [
        (f"{g}^3", case.wanted.get(g, (None, None)), l.x, l.value, l.error) for g, l in zip(grids, own)
    ]
    if len(own) > 1:
        x, best = judge.combine([case.grid(g).spacing for g in grids[-3:]], own[-3:])
        words = f"extrapolated from {grids[-2]}^3 and {grids[-1]}^3"
        candidates.append((words, (None,) * 2, x, best.value, best.total))
    for words, wanted, t, value, error in candidates:
        for end, most in zip((8.0, 9.0, 12.0), (*wanted, None)):
            found, told = None, 0.0
            if ref.value is not None and t[-1] >= end - 0.02:
                inside = t <= end
                away = abs(value[inside] - judge.at(t[inside], *ref.value))
                found, told = (float(v / ref.value[1].max()) for v in (away.max(), error[away.argmax()]))
            if ref.value is None or found is not None:
                rows.append(
                    {
                        "quantity": f"dissipation to t = {end:g}: largest error over the peak, {words}",
                        "source": ref.source,
                        "headline": True,
                        "wanted": most,
                        "order": None,
                        "n_grids": len(own),
                        "need": 1,
                        "difference": found,
                        "difference_error": told,
                        "verdict": judge.verdict(found, told, most),
                    }
                )
    return rows

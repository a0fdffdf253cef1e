#!/usr/bin/env python3
"""Makes one page of HTML with all figures of a run, compares them with tables, and judges the differences.

usage: kolmo-report [--reference FILE]... [--station NAME] [--units LENGTH,VELOCITY]
                    [--any-re-tau] [--allow NAME=SHARE]... [--to FILE] [--figures FOLDER] [--slices N]
                    [--no-page] [--certificate] DIR
       kolmo-report --verify [--ranks N] [--steps N] [--to FOLDER] CERTIFICATE.json

DIR is the folder of a run. It holds series.nc and whatever else the run has written: statistics.nc,
spectra.nc, pdf.nc, phases.nc, averages.h5, history.nc, probes.nc, slices. It may also hold averages alone,
as kolmo-stats and kolmo-merge write them. The page contains its figures, so it needs no other file.

  --reference FILE   compare with this table; may be given several times (see below)
  --station NAME     take this station or time of a table of spectra that has several. Without this option,
                     the time of the run's spectrum is taken from a table of several times
  --units L,V        units of length and velocity of the run, expressed in the units of a table of spectra
                     that has units of its own. Example: --units 5.08,1000 for a table in cm and cm/s, if
                     the run's units are 5.08 cm and 10 m/s
  --any-re-tau       compare with tables in wall units whatever their Re_tau
  --allow NAME=SHARE change what is allowed, for example --allow dissipation=0.05. The names are those of the
                     printed list
  --to FILE          write the page to FILE instead of DIR/report.html
  --figures FOLDER   write each figure as PDF and SVG, and the tables as LaTeX, too
  --slices N         number of quantities of each slice that are drawn, at the last time (4)
  --no-page          print the list of norms only
  --certificate      write DIR/certificate.html, .json and .nml: input, build, hashes of all numbers,
                     resolution, budget, divergence, errors, verdicts, and the command that repeats the run
  --verify           repeat the run of a certificate and compare the hashes. The program is $KOLMO, or the
                     kolmo of the PATH or of build/. With --steps N only the longest beginning of at most N
                     steps that has a hash is repeated. With --to FOLDER the new run is kept there
  --ranks N          number of MPI ranks of that run (1); its bits do not depend on it

A table is a CSV file, whose header may follow lines that begin with #. Its columns tell what it is:

  t or time, with any of kinetic_energy (k, ke, energy, E), tke, dissipation, enstrophy
      Histories, in the units of the run. tke is the energy without that of the mean velocity. Other names of
      dissipation are eps, epsilon, -dE/dt, minus_dEdt and nu_grad_u_sq. enstrophy is the mean of half the
      square; omega_squared is that of the square. A name that ends in _total is an integral over the box.
      Capitals do not matter, and a unit in brackets behind a name is left out.
  quantity and y_plus, with terms of budgets (production, dissipation, ...)
      Budgets of k, uu, vv, ww, uv between walls, in wall units.
  y_plus, with U_plus, uu, u_rms, ...
      Profiles between walls, in wall units. channel_report.py --help lists the names.
  k, with E, or with E42, E98, ..., or with columns of times (t=0.5, E_t0.5 or 0.5); or rows of t, k and E
      Spectra, in the units of the run or in those of --units. Values that are nan are left out.
  direction, y_plus and k, with any of E_uu, E_vv, E_ww, E_pp
      Spectra at heights between walls. Each value is the energy of one wave, so their sum is the variance
      over u_tau^2, for p over u_tau^4. k is multiplied by half the distance between the walls.
  dataset and Re_tau, with any of Uc_plus, Ub_plus, Cf, u_rms_max, v_rms_max, w_rms_max, minus_uv_max
      Numbers of channels. Rows within 5 % of the run's Re_tau are compared. nan means not known.
  x or y, with Re100, Re400, ...; or component (u, v), coordinate and velocity
      A lid-driven cavity: v along x, or u along y, on the lines through its centre, for each Reynolds number.
      x is the direction in which the lid moves, and y points towards the lid. Units are the side and the
      velocity of the lid. Values that are nan are left out.
  aspect, with any of u_max_over_U, fRe_Darcy, fRe_Fanning
      Laminar flow in ducts with four walls. The row with the run's ratio of sides is compared.

Places (t, y_plus, k) must increase from row to row. In tables between walls, x is the streamwise, y the
wall-normal and z the spanwise direction. In the figures, lines are the run and markers are the tables.

A table in wall units must have the run's Re_tau within 10 %, unless --any-re-tau is given. Its Re_tau is its
last y_plus over y_over_h. If there is no y_over_h, it is that of the column Re_tau, or else that of a line
before the header (# Re_tau = 182), or else the last y_plus.

These are judged:

  - The energy budget of the run: its residual over the dissipation, both integrated over time.
  - The divergence, against the tolerance that the input asks for.
  - Between walls, the total stress against its line, except in a frame that turns about the walls' normal.
  - Each column of a table: the norm of the difference over the norm of the table. The difference of budgets
    is divided by the norm of the dissipation, that of uv by the norm of the production. For spectra it is
    the root mean square of ln(E/E_table) over complete shells. For spectra at heights it is the root mean
    square of the norms at those heights that lie within 15 % of a height of the table. The lines of a cavity
    are taken from the newest checkpoint.

Exit codes: 0 all is within what is allowed, or the repeated run has the same bits; 1 something is not, or it
has not; 2 a file is missing or can't be read, or a table has nothing to do with the run."""
import functools
import html
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import system_python  # noqa: E402
system_python.require("kolmo-report", __name__)
import numpy as np  # noqa: E402
import report_parts  # noqa: E402
from kolmo.guarded import unforeseen, writable  # noqa: E402
from kolmo.namelists import parse  # noqa: E402
from kolmo.plots import COLOURS, mark  # noqa: E402
from kolmo.plots import line_style as style  # noqa: E402
from kolmo.snapshots import find_slices  # noqa: E402
from report_parts import Unreadable, over, read_netcdf  # noqa: E402
import box_history_report  # noqa: E402
import cavity_tables  # noqa: E402
import duct_tables  # noqa: E402
import history_tables  # noqa: E402
import spectrum_tables  # noqa: E402
import twin_report  # noqa: E402
import channel_report  # noqa: E402
import averages_report  # noqa: E402
import certificate_page  # noqa: E402
import bodies_report  # noqa: E402
import scalars_report  # noqa: E402
from report_page import SIZE, Page, axes, plotter, profile_line, verdicts_of  # noqa: E402
import phase_report  # noqa: E402
import slices  # noqa: E402

# Allowed norms; those of profiles are channel_report's.
ALLOWED = dict(channel_report.ALLOWED, **{"energy budget": 0.02, "divergence": 1.0, "kinetic_energy": 0.02,
                                          "dissipation": 0.05, "enstrophy": 0.1,
                                          "budget": 0.1, "spectrum": 0.2, "spectra at heights": 0.25,
                                          "headline": 0.03, "centre line": 0.02, "duct": 0.02})
TERMS = {"production": "production", "dissipation": "dissipation",
         "turbulent_diffusion": "turbulent_transport", "pressure_strain": "pressure_strain",
         "viscous_diffusion": "viscous_diffusion", "pressure_diffusion": "pressure_transport"}
TERM_ORDER = ("production", "dissipation", "turbulent_transport", "viscous_diffusion", "pressure_strain",
              "pressure_transport", "rotation", "convective_remainder", "budget_residual")
FACES = [f"{d}_{side}" for d in "xyz" for side in ("low", "high")]
HEADLINES = {"Uc_plus": "mean velocity in the middle", "Ub_plus": "bulk velocity",
             "Cf": "friction coefficient", "u_rms_max": "peak of streamwise rms",
             "v_rms_max": "peak of wall-normal rms", "w_rms_max": "peak of spanwise rms",
             "minus_uv_max": "peak of Reynolds shear stress"}
SAME_RE = 0.05  # of Re_tau of the run and of a table, whose numbers are compared
PAIRS = ("uu", "vv", "ww", "pp")  # of spectra at heights
# a height of the run and one of a table, of which spectra are compared: their difference over the latter
NEAR = 0.15
SMALL_STRESS = 0.05  # of the largest shear stress: below, no shares of quadrants are drawn
DIVERGENCE_SLACK = 1.5  # of rounding and of the change of the largest speed within a step, over the tolerance


# ---- reading -----------------------------------------------------------------------------------------------

class Run:
    """The files of a run."""

    def __init__(self, folder):
        self.folder = folder
        if not os.path.isdir(folder):
            raise Unreadable(f"{folder}: no such folder")
        self.series = read_netcdf(os.path.join(folder, "series.nc"))
        self.statistics = read_netcdf(os.path.join(folder, "statistics.nc"))
        self.spectra = read_netcdf(os.path.join(folder, "spectra.nc"))
        self.densities = read_netcdf(os.path.join(folder, "pdf.nc"))
        self.phases = read_netcdf(os.path.join(folder, "phases.nc"))
        self.probes = read_netcdf(os.path.join(folder, "probes.nc"))
        self.averages = averages_report.averages_of(folder)
        self.history = read_netcdf(os.path.join(folder, "history.nc"))
        self.bodies = read_netcdf(os.path.join(folder, "bodies.nc"))
        self.slices = find_slices(folder)
        if self.series is not None and self.column("time").size < 2:
            self.series = None
        if all(file is None for file in (self.series, self.statistics, self.averages, self.history)):
            raise Unreadable(f"{folder}: neither a series.nc with two records or more nor a statistics.nc, "
                             "averages.h5 or history.nc; has the run been started, and with this "
                             "output.directory?")
        self.words = (self.series or self.statistics or self.averages or self.history)["words"]
        self.input = parse(self.words.get("input", ""))
        self.channel = None
        self.decays = self.is_decaying()
        if self.decays:
            for file in (self.statistics, self.spectra, self.densities):
                take_latest(file)
        if self.statistics is not None and "wall_normal_direction" in self.statistics["words"]:
            self.channel = channel_report.Channel(os.path.join(folder, "statistics.nc"))

    def column(self, name):
        """Of the series; zeros where it has none."""
        time = self.series["values"].get("time", np.empty(0)) if self.series is not None else np.empty(0)
        return self.series["values"].get(name, np.zeros_like(time)) if time.size > 0 else time

    def is_decaying(self):
        """Whether it is a periodic box that nothing drives: its averages over time are of flows of different
        ages."""
        words = self.statistics["words"] if self.statistics is not None else {}
        bounded = any(n in words for n in ("wall_normal_direction", "normal_direction",
                                           "homogeneous_direction"))
        open_or_held = any(w != "periodic" for face in FACES for w in self.input.get("boundary." + face, []))
        if bounded or open_or_held:
            return False
        if self.series is None:
            return self.input.get("forcing.type") == ["none"]
        energy = self.column("kinetic_energy")
        return not np.any(self.column("force_power")) and energy[-1] < (1 - 1e-6) * energy[0]

    @property
    def spectrum_time(self):
        """Time of the spectra that are drawn and judged: of a flow that decays the latest; None: there are
        none."""
        if self.spectra is None or "t_end" not in self.spectra["values"]:
            return None
        begin, end = (float(self.spectra["values"][n]) for n in ("t_start", "t_end"))
        return end if self.decays else 0.5 * (begin + end)

    def number(self, name, default):
        """First value of an input."""
        try:
            return float(self.input[name][0].lower().replace("d", "e"))
        except (KeyError, IndexError, ValueError):
            return default

    @functools.cached_property
    def cavity(self):
        """Its lines through the middle, in the newest checkpoint, where it is a lid-driven cavity."""
        return cavity_tables.cavity_of(self)

    @property
    def has_units(self):
        """Whether there are wall units: something drives a flow along the walls. Friction of convection
        between plates at rest is chance."""
        return self.channel is not None and self.channel.number["u_tau"] > 0 and not self.is_convection

    @property
    def is_convection(self):
        """Whether nothing but buoyancy drives the flow, as far as the input tells."""
        moving = any(v.strip("0.") not in ("", "-")
                     for face in FACES for v in self.input.get(f"boundary.{face}_velocity", []))
        return (self.input.get("forcing.type") == ["none"] and not moving and self.series is not None
                and bool(np.any(self.column("buoyancy_work"))))

    @property
    def has_heights(self):
        """Whether there are spectra at heights between walls."""
        return self.spectra is not None and "height" in self.spectra["values"]


def take_latest(file):
    """The latest sample in the place of the averages over time."""
    if file is None or not file["latest"]:
        return
    file["values"].update(file["latest"])
    for name in file["latest"]:
        file["values"].pop(name + "_error", None)


def read_stations(name, rows, names):
    """Spectra at heights by direction and height: wavenumber and densities over it; those of the wavenumber
    0, which no two boxes share, left out."""
    stations = {}
    for place in dict.fromkeys((r["direction"], r.number("y_plus")) for r in rows):
        own = [r for r in rows if (r["direction"], r.number("y_plus")) == place]
        column = {n: np.array([r.number(n) for r in own])
                  for n in ("k",) + tuple("E_" + pair for pair in PAIRS) if n in names}
        report_parts.sound(f"{name}, {place[0]}, y_plus {place[1]:g}", "k", column)
        step = column["k"][1] - column["k"][0]
        stations[place] = {n: (v if n == "k" else v / step)[column["k"] > 0] for n, v in column.items()}
    return stations


def read_reference(path, station=None, units=None, time=None):
    """A table and its kind; station, units: of spectra; time: of the run's."""
    about, names, rows = report_parts.read_rows(path)
    kind = ("budgets" if {"quantity", "y_plus"} <= set(names) and set(TERMS) & set(names) else "headlines"
            if {"dataset", "Re_tau"} <= set(names) and set(HEADLINES) & set(names)
            else "heights" if {"direction", "y_plus", "k"} <= set(names) and
            {"E_" + pair for pair in PAIRS} & set(names) else "profiles"
            if names and "y_plus" in names and "direction" not in names else "histories"
            if history_tables.known(names) and not spectrum_tables.in_rows(names, rows)
            else "spectra" if spectrum_tables.known(names, rows)
            else "centre lines" if cavity_tables.known(names) else "ducts" if duct_tables.known(names)
            else "")
    if not kind:
        raise Unreadable(f"{path}: its columns {', '.join(names)} are none of a known kind; see --help")
    if kind == "profiles":
        return dict(channel_report.read_table(path), kind=kind)
    table = {"kind": kind, "name": os.path.basename(path).removesuffix(".csv"), "rows": rows}
    if kind == "histories":
        table["column"] = history_tables.read(table["name"], rows, names)
    table["re_tau"] = channel_report.friction_number(about, names, rows)
    if kind == "spectra":
        table.update(spectrum_tables.read(table["name"], rows, names, station, units, time))
    if kind == "headlines":
        table["numbers"] = [(r["dataset"],
                             {n: r.number(n) for n in ("Re_tau",) + tuple(HEADLINES) if n in names})
                            for r in rows]
    if kind == "centre lines":
        table["lines"] = cavity_tables.read(table["name"], rows, "\n".join(about))
    if kind == "ducts":
        table["ducts"] = duct_tables.read(rows, names)
    if kind == "heights":
        table["stations"] = read_stations(table["name"], rows, names)
    return table


# ---- judging -----------------------------------------------------------------------------------------------

class Verdicts:
    """Rows of norms."""

    def __init__(self, allowed, any_re_tau=False):
        self.allowed, self.any_re_tau, self.rows, self.notes = allowed, any_re_tau, [], []

    def add(self, words, table, found, name):
        """found: the norm; name: of what is allowed."""
        self.rows.append((words, table, found, self.allowed[name], bool(found <= self.allowed[name]), name))

    @property
    def good(self):
        """Whether all passed."""
        return all(r[4] for r in self.rows)

    def show(self):
        """The list on the terminal."""
        print(f"{'quantity':34s} {'table':28s} {'norm':>10s} {'allowed':>10s}")
        for words, table, found, allowed, good, name in self.rows:
            print(f"{words:34s} {table:28s} {found:10.3g} {allowed:10.3g}  {'pass' if good else 'FAIL'}  "
                  f"({name})")
        for note in self.notes:
            print(f"note: {note}")


def norm(x, found, wanted):
    """Of the difference, over that of the table."""
    return (over(x, (found - wanted) ** 2) / max(over(x, wanted ** 2), 1e-300)) ** 0.5


def judge_run(run, verdicts):
    """What needs no table."""
    if run.series is None:
        judge_stress(run, verdicts)
        return
    t, residual, dissipation = run.column("time"), run.column("budget_residual"), run.column("dissipation")
    scale = over(t, abs(dissipation)) + over(t, abs(run.column("force_power")))
    if scale > 0:
        verdicts.add("residual of the energy budget", "this run", over(t, abs(residual)) / scale,
                     "energy budget")
    tolerance = run.number("pressure.tolerance", 0.0)
    if tolerance > 0:
        verdicts.add("divergence over 1.5 tolerances",
                     "this run",
                     float(run.column("divergence_max")[1:].max()) / (DIVERGENCE_SLACK * tolerance),
                     "divergence")
    judge_stress(run, verdicts)


def judge_stress(run, verdicts):
    """Between walls."""
    if run.has_units and run.channel.turns:
        verdicts.notes.append(channel_report.TURNS)
    elif run.has_units:
        verdicts.add("total stress", "straight line", channel_report.stress_line(run.channel)[0],
                     "total stress")


def budget_rows(table, quantity):
    """y_plus and the terms of one quantity of a table."""
    rows = [r for r in table["rows"] if r["quantity"] == quantity]
    found = {n: np.array([r.number(n) for r in rows])
             for n in ("y_plus",) + tuple(TERMS) if rows and n in rows[0]}
    if found:
        report_parts.sound(f"{table['name']}, {quantity}", "y_plus", found)
    return found


def budget_term(run, quantity, term):
    """Distance, values, as gains: dissipation negative; None where the run has none."""
    name = quantity if quantity == "k" else run.channel.component(quantity)
    key = f"{name}_{term}"
    if key not in run.channel.data:
        return None
    shear = quantity == "uv"  # the mirror image has the other sign
    y, value, _ = run.channel.profile(key, sign=-1 if shear else 1)
    value = value * run.channel.lower if shear else value
    return y, -value if term == "dissipation" else value


def judge_budgets(run, table, verdicts):
    """Each term over the norm of the table's dissipation, of uv over that of its production: its dissipation
    is a tenth of what makes and destroys it."""
    used = 0
    for quantity in ("k", "uu", "vv", "ww", "uv"):
        rows = budget_rows(table, quantity)
        scale = "production" if quantity == "uv" and "production" in rows else "dissipation"
        if scale not in rows:
            continue
        y, size = rows["y_plus"], over(rows["y_plus"], rows[scale] ** 2)
        for term, ours in TERMS.items():
            found = budget_term(run, quantity, ours)
            if found is None or term not in rows:
                continue
            good = np.isfinite(found[1]) & report_parts.overlap(table["name"], "y_plus", found[0], y)
            wanted = np.interp(found[0][good], y, rows[term])
            verdicts.add(f"{quantity}: {ours.replace('_', ' ')}", table["name"],
                         (over(found[0][good], (found[1][good] - wanted) ** 2) / size) ** 0.5, "budget")
            used += 1
    return used


def station_pairs(run, table, direction):
    """Of spectra at heights along x or z of the tables: (number of the height of the run, its y_plus, spectra
    of the table there) for those that are near."""
    values, found = run.spectra["values"], []
    for n, y in enumerate(values["height_plus"]):
        y = run.channel.distance_plus(y)
        there = min((p[1] for p in table["stations"] if p[0] == direction),
                    key=lambda p: abs(p - y), default=None)
        if there is not None and abs(there - y) <= NEAR * there:
            found.append((n, y, table["stations"][direction, there]))
    return found


def spectrum_at(run, pair, direction):
    """Of all heights, over u_tau^2 delta, or u_tau^4 delta of p, and the wavenumbers times delta."""
    values, c = run.spectra["values"], run.channel
    along, name = c.letter[direction], pair if pair == "pp" else c.component(pair)
    scale = float(values["u_tau"]) ** (4 if pair == "pp" else 2) * c.number["delta"]
    return values["k" + along] * c.number["delta"], values[f"E_{name}_{along}"] / scale


def judge_heights(run, table, verdicts):
    """Spectra at the heights that both have, over the wavenumbers that both have."""
    used = 0
    for direction in ("x", "z"):
        pairs = station_pairs(run, table, direction)
        for pair in PAIRS:
            norms = []
            for n, _, station in pairs:
                if "E_" + pair not in station:
                    continue
                k, e = spectrum_at(run, pair, direction)
                both = np.isfinite(k) & (k >= station["k"][0]) & (k <= station["k"][-1])
                if both.sum() < 2:
                    continue
                norms.append(norm(k[both], e[n][both],
                                  np.interp(k[both], station["k"], station["E_" + pair])))
            if norms:
                verdicts.add(f"E_{pair} along {direction}, {len(norms)} heights", table["name"],
                             float(np.sqrt(np.mean(np.square(norms)))), "spectra at heights")
                used += 1
    if used == 0:
        raise Unreadable(f"table {table['name']}: its heights, y_plus "
                         f"{', '.join(f'{y:g}' for y in sorted({p[1] for p in table['stations']}))}, are not "
                         "those "
                         f"of the run, {', '.join(f'{y:.3g}' for y in run.spectra['values']['height_plus'])}")
    return used


def judge_headlines(run, table, verdicts):
    """Numbers of the data sets of nearly the same Reynolds number."""
    c, used = run.channel, 0
    bulk = abs(c.mean_velocity() - c.wall_velocity())
    found = {"Uc_plus": abs(c.profile("U")[1][-1]), "Ub_plus": bulk, "Cf": 2 / max(bulk, 1e-300) ** 2}
    for name, quantity in (("u_rms_max", "uu"), ("v_rms_max", "vv"), ("w_rms_max", "ww")):
        found[name] = max(channel_report.peak(c, quantity)[0], 0) ** 0.5
    found["minus_uv_max"] = -channel_report.peak(c, "uv")[0]
    for dataset, numbers_of in table["numbers"]:
        if not abs(c.number["Re_tau"] - numbers_of["Re_tau"]) <= SAME_RE * numbers_of["Re_tau"]:
            continue
        for name, words in HEADLINES.items():
            if np.isfinite(numbers_of.get(name, np.nan)) and numbers_of[name] != 0:
                verdicts.add(words, f"{table['name']}: {dataset}", abs(found[name] / numbers_of[name] - 1),
                             "headline")
                used += 1
    if used == 0:
        raise Unreadable(f"table {table['name']}: none of its rows has an Re_tau within {SAME_RE:.0%} of the "
                         f"run's, {c.number['Re_tau']:.4g}")
    return used


def judge_table(run, table, verdicts):
    """A table that has nothing to do with the run is a fault: it would be ignored in silence."""
    used = 0
    if table["kind"] == "histories" and run.series is not None:
        used = history_tables.judge(run, table, verdicts)
    elif table["kind"] == "profiles" and run.has_units:
        channel_report.check_friction(run.channel, table, verdicts.any_re_tau)
        for quantity in channel_report.WORDS:
            if quantity in table["column"]:
                verdicts.add(channel_report.WORDS[quantity], table["name"],
                             channel_report.compare(run.channel, table, quantity)[0], quantity)
                used += 1
    elif table["kind"] == "budgets" and run.has_units:
        channel_report.check_friction(run.channel, table, verdicts.any_re_tau)
        used = judge_budgets(run, table, verdicts)
    elif table["kind"] == "headlines" and run.has_units:
        used = judge_headlines(run, table, verdicts)
    elif table["kind"] == "heights" and run.has_units and run.has_heights:
        channel_report.check_friction(run.channel, table, verdicts.any_re_tau)
        used = judge_heights(run, table, verdicts)
    elif table["kind"] == "spectra" and run.spectra is not None and "E" in run.spectra["values"]:
        used = spectrum_tables.judge(run.spectra["values"], table, verdicts)
    elif table["kind"] == "centre lines" and run.cavity is not None:
        used = cavity_tables.judge(run.cavity, table, verdicts)
    elif table["kind"] == "ducts" and duct_tables.duct_of(run.statistics) is not None:
        used = duct_tables.judge(duct_tables.duct_of(run.statistics), table, verdicts)
    if used == 0:
        kind = "spectra at heights" if table["kind"] == "heights" else table["kind"]
        raise Unreadable(f"table {table['name']}: it holds {kind}, of which this run has none")


# ---- the page ----------------------------------------------------------------------------------------------

def draw_histories(page, run, tables):
    """Energy and what changes it, and how well the run solved its equations."""
    page.heading("Histories")
    t = run.column("time")
    for name, label, words in (("kinetic_energy", r"$\frac{1}{2}\langle u_i u_i\rangle\;[U^2]$",
                                "Kinetic energy, volume mean."),
                               ("dissipation", r"$\varepsilon\;[U^3/L]$",
                                "Dissipation of kinetic energy by the diffusion operator."),
                               ("enstrophy", r"$\frac{1}{2}\langle \omega_i \omega_i\rangle\;[U^2/L^2]$",
                                "Enstrophy, volume mean.")):
        figure, axis = axes(page, "$t\\;[L/U]$", label)
        axis.plot(t, run.column(name), label="this run", **style(0))
        for n, table in enumerate(tables):
            of = history_tables.columns(run, table) if table["kind"] == "histories" else ()
            for ours, column, values, own in of:
                if ours == name:
                    # in the run's definition
                    factor = next((a / b for a, b in zip(run.column(ours), own) if b != 0), 1.0)
                    axis.plot(table["column"]["t"], factor * values,
                              label=table["name"] + (f", {column}" if column != ours else ""),
                              **mark(n, "k", values.size))
        axis.set_xlim(t[0], t[-1])
        page.add(figure, "history_" + name, words)
    draw_budget_in_time(page, run)
    figure, axis = axes(page, "$t\\;[L/U]$", r"$\max|\nabla\cdot u|\,h/U$", yscale="log")
    axis.plot(t[1:], np.maximum(run.column("divergence_max")[1:], 1e-18), label="this run", **style(0))
    if run.number("pressure.tolerance", 0.0) > 0:
        axis.axhline(run.number("pressure.tolerance", 0.0), lw=0.7, color="k", ls=":", label="tolerance")
    page.add(figure, "history_divergence", "Largest divergence of a cell after each step.")
    figure, axis = axes(page, "$t\\;[L/U]$", r"$\Delta t\;[L/U]$")
    axis.plot(t[1:], run.column("dt")[1:], label="time step", **style(0))
    other = axis.twinx()
    other.plot(t[1:], run.column("cfl")[1:], label="CFL number (right)", **style(1))
    other.set_ylabel("CFL")
    page.add(figure, "history_step", "Time step and CFL number.")


def draw_decay(page, run):
    """What decays, in time: fluctuations, their lengths and their Reynolds number."""
    page.heading("Decay")
    page.words(decay_words(run))
    if run.series is None:
        return
    t, nu = run.column("time"), run.number("fluid.nu", 0.0)
    mean = 0.5 * sum(run.column("momentum_" + d) ** 2 for d in "xyz")
    k, eps = np.maximum(run.column("kinetic_energy") - mean, 0), run.column("dissipation")
    latest = next((float(f["values"]["t_end"]) for f in (run.statistics, run.spectra, run.densities)
                   if f is not None), None)
    good = (k > 0) & (eps > 0)
    if not good.any():
        return
    t, k, eps = t[good], k[good], eps[good]
    rms = np.sqrt(2 * k / 3)
    figure, axis = axes(page, "$t\\;[L/U]$", "over the first value", yscale="log")
    for n, (values, words) in enumerate(((k, "$k$"), (eps, r"$\varepsilon$"))):
        axis.plot(t, values / values[0], label=words, **style(n))
    mark_time(axis, latest)
    page.add(figure, "decay_energy", "Turbulent kinetic energy and dissipation over their first values"
                                     f" ({k[0]:.4g} and {eps[0]:.4g}).")
    if not nu > 0:
        return
    taylor = np.sqrt(10 * nu * k / eps)
    figure, axis = axes(page, "$t\\;[L/U]$", "length $[L]$", yscale="log")
    for n, (values, words) in enumerate(((rms ** 3 / eps, r"$u_\mathrm{rms}^3/\varepsilon$"),
                                         (taylor, r"Taylor, $\lambda$"),
                                         ((nu ** 3 / eps) ** 0.25, r"Kolmogorov, $\eta$"))):
        axis.plot(t, values, label=words, **style(n))
    mark_time(axis, latest)
    page.add(figure, "decay_lengths", "Lengths of the large eddies, of Taylor and of Kolmogorov.")
    figure, axis = axes(page, "$t\\;[L/U]$", r"$Re_\lambda$")
    axis.plot(t, rms * taylor / nu, label=r"$u_\mathrm{rms}\lambda/\nu$", **style(0))
    mark_time(axis, latest)
    axis.set_ylim(0, None)
    page.add(figure, "decay_reynolds", "Taylor Reynolds number.")


def mark_time(axis, latest):
    """The time of the latest sample of the statistics."""
    if latest is not None:
        axis.axvline(latest, color="k", lw=0.7, ls=":", label="latest sample")


def switched_off(run):
    """Of a flow that decays after a force: that, and when it was switched off, if history.nc tells."""
    if "".join(run.input.get("forcing.decay", [])) != ".true.":
        return ""
    values = run.history["values"] if run.history is not None else {}
    if "time_of_decay" not in values:
        return " after its force was switched off"
    begun = (values["time"] - values["time_of_decay"])[np.isfinite(values["time_of_decay"])]
    return f" after its force was switched off at t = {begun[0]:.4g}" if begun.size > 0 else ""


def decay_words(run):
    """What is said of a flow that decays, on the page and in the list."""
    energy, time = run.column("kinetic_energy"), run.column("time")
    found = "Nothing drives this flow, and it decays" + switched_off(run)
    found += (f": its kinetic energy falls from {energy[0]:.4g} at t = {time[0]:.4g} to {energy[-1]:.4g} at "
              f"t = {time[-1]:.4g}." if energy.size > 0 else ".")
    files = [f for f in (run.statistics, run.spectra, run.densities) if f is not None]
    begin, end = (float(files[0]["values"].get(n, np.nan)) if files else 0.0 for n in ("t_start", "t_end"))
    if files and begin == end:
        found += f" The averages are of one time, t = {end:.4g}, and have no standard errors."
    elif files and files[0]["latest"]:
        found += (f" An average over time, t = {begin:.4g} to {end:.4g}, would mix flows of different ages: "
                  f"numbers, spectra, correlations and densities below are of the latest sample, t = "
                  f"{end:.4g}, and have no standard errors.")
    elif files:
        found += (" The averages below are over time and mix flows of different ages: these files, of an "
                  "earlier version, have no latest sample.")
    return found


def draw_budget_in_time(page, run):
    """Rate of change, gains and losses."""
    t, energy = run.column("time"), run.column("kinetic_energy")
    figure, axis = axes(page, "$t\\;[L/U]$", r"rate of change of energy $[U^3/L]$")
    middle = 0.5 * (t[1:] + t[:-1])
    lines = [(middle, np.diff(energy) / np.maximum(np.diff(t), 1e-300), r"$\mathrm{d}k/\mathrm{d}t$"),
             (t, -run.column("dissipation"), r"$-\varepsilon$")]
    for name, words in (("force_power", "force"), ("buoyancy_work", "buoyancy"), ("wall_work", "walls"),
                        ("open_convection", "open faces")):
        if np.any(run.column(name)):
            lines.append((t, run.column(name), words))
    lines.append((t[1:], run.column("budget_residual")[1:], "residual"))
    for n, (x, y, words) in enumerate(lines):
        axis.plot(x, y, label=words, **style(n))
    page.add(figure, "history_budget",
             "Budget of kinetic energy, volume means; the residual is the error of time steps.")


HIGHER = (("skewness", "Skewness of the velocity.", ("u_skewness", "v_skewness", "w_skewness")),
          ("flatness", "Flatness of the velocity; 3 for a Gaussian.",
           ("u_flatness", "v_flatness", "w_flatness")))
QUADRANTS = (("quadrants", "Shares of the quadrants in the shear stress along the stream; left out where "
              "it is below 5 % of its largest.",
              tuple(f"quadrant_{q}_share" for q in (1, 2, 3, 4))),
             ("quadrants_time", "Shares of the quadrants in the time.",
              tuple(f"quadrant_{q}_fraction" for q in (1, 2, 3, 4))))
PLAIN = (("mean", "Mean velocity and pressure over planes.", ("U", "V", "W", "P")),
         ("rms", "Root mean squares of the fluctuations.", ("u_rms", "v_rms", "w_rms", "p_rms")),
         ("vorticity", "Root mean squares of the fluctuations of the vorticity.",
          ("omega_x_rms", "omega_y_rms", "omega_z_rms")),
         ("budget_k", "Budget of the turbulent kinetic energy; gains are positive.",
          tuple("k_" + t for t in TERM_ORDER)))


def share_known(run, normal, size):
    """Where the shear stress along the stream is more than SMALL_STRESS of its largest: shares in it mean
    nothing where it goes through zero."""
    stream = run.statistics["words"].get("streamwise_direction", "x")
    stress = run.statistics["values"].get("".join(sorted("uvw"["xyz".index(d)] for d in (stream, normal))))
    if stress is None or stress.size != size or not np.isfinite(stress).any():
        return np.ones(size, dtype=bool)
    return np.abs(np.nan_to_num(stress)) > SMALL_STRESS * np.nanmax(np.abs(stress))


def draw_plain_profiles(page, run, normal, sets):
    """Over the whole height, in the units of the run."""
    v, units = run.statistics["values"], run.statistics["units"]
    for figure_name, words, names in sets:
        lines = [n for n in names if n in v and np.isfinite(v[n]).any()]
        if not lines:
            continue
        kinds = {units[name] for name in lines}  # one of all lines stands beside the axis
        one = kinds.pop() if len(kinds) == 1 else ""
        figure, axis = axes(page, f"${normal}\\;[L]$", f"[{one}]" if one not in ("", "1") else "")
        for n, name in enumerate(lines):
            unit = "" if one or units[name] == "1" else f" [{units[name]}]"
            profile_line(axis, v, normal, name, n, name.removeprefix("k_").replace("_", " ") + unit,
                         -1 if name == "k_dissipation" else 1,
                         share_known(run, normal, v[name].size) if name.endswith("_share") else None)
        page.add(figure, "plain_" + figure_name, words + " Bands: two standard errors.")


def draw_profiles(page, run, tables):
    """Between walls, in wall units."""
    c = run.channel
    page.heading(f"Profiles in wall units, Re_tau = {c.number['Re_tau']:.4g}")
    profiles = [x for x in tables if x["kind"] == "profiles"]

    def line(axis, n, quantity, label, root=False, sign=None, scale=1.0):
        y, value, error = c.profile(quantity, sign)
        error = np.nan_to_num(error)
        if root:
            value = np.sqrt(np.maximum(value, 0))
            error = error / np.maximum(2 * value, 1e-3)
        axis.plot(y, scale * value, label=label, **style(n))
        axis.fill_between(y, scale * value - 2 * error, scale * value + 2 * error,
                          color=COLOURS[n % len(COLOURS)], alpha=0.2, lw=0)
        for m, table in enumerate(profiles):
            if quantity in table["column"]:
                points = (np.sqrt(np.maximum(table["column"][quantity], 0)) if root
                          else table["column"][quantity])
                axis.plot(table["y"], scale * points, label=table["name"] if n == 0 else None,
                          **mark(m, COLOURS[n % len(COLOURS)], points.size))

    figure, axis = axes(page, run.channel.distance, "$U^+$", xscale="log")
    line(axis, 0, "U", "this run")
    y = np.geomspace(0.3, 12, 40)
    axis.plot(y, y, "k:", lw=0.7, label=run.channel.distance)
    y = np.geomspace(10, max(run.channel.number["Re_tau"], 12), 40)
    axis.plot(y, np.log(y) / 0.41 + 5.2, "k--", lw=0.7, label=rf"$\ln({run.channel.normal}^+)/0.41+5.2$")
    axis.set(xlim=(0.3, None), ylim=(0, None))
    page.add(figure, "profile_mean",
             "Mean velocity along the stream. Bands in this and the next figures: two standard errors.")
    for name, label, lines, words in (
            ("rms", r"$u_{i,\mathrm{rms}}^+$",
             (("uu", "streamwise"), ("vv", "wall-normal"), ("ww", "spanwise")),
             "Root mean squares of the velocity."),
            ("vorticity", r"$\omega_{i,\mathrm{rms}}^+$",
             (("oxox", "streamwise"), ("oyoy", "wall-normal"), ("ozoz", "spanwise")),
             "Root mean squares of the vorticity."),
            ("pressure", r"$p_\mathrm{rms}^+$", (("pp", "this run"),),
             "Root mean square of the pressure.")):
        figure, axis = axes(page, run.channel.distance, label)
        for n, (quantity, told) in enumerate(lines):
            line(axis, n, quantity, told, root=True)
        axis.set(ylim=(0, None), xlim=(0, None))
        page.add(figure, "profile_" + name, words)
    figure, axis = axes(page, run.channel.distance, r"shear stress $[u_\tau^2]$")
    line(axis, 0, "uv", rf"$-\overline{{{c.product('uv')}}}^+$", scale=-1)
    line(axis, 1, "stress_viscous", "viscous", sign=-1)
    line(axis, 2, "stress_total", "total", sign=-1)
    line(axis, 3, "stress_line", "straight line", sign=-1)
    axis.set(xlim=(0, None))
    page.add(figure, "profile_stress", "Shear stresses; in a steady state the total lies on the line.")
    draw_budgets(page, run, [x for x in tables if x["kind"] == "budgets"])


def draw_budgets(page, run, tables):
    """Of k, of the normal stresses and of the shear stress."""
    for quantity, words in (("k", "turbulent kinetic energy"), ("uu", "streamwise variance"),
                            ("vv", "wall-normal variance"), ("ww", "spanwise variance"),
                            ("uv", f"shear stress {run.channel.product('uv')}")):
        if budget_term(run, quantity, "production") is None and budget_term(run, quantity,
                                                                            "dissipation") is None:
            continue
        figure, axis = axes(page, run.channel.distance, r"gain $[u_\tau^4/\nu]$")
        for n, term in enumerate(TERM_ORDER):
            found = budget_term(run, quantity, term)
            if found is None or not np.any(np.nan_to_num(found[1])):
                continue
            axis.plot(*found, label=term.replace("_", " "), **style(n))
            for m, table in enumerate(tables):
                rows = budget_rows(table, quantity)
                theirs = next((name for name, ours in TERMS.items() if ours == term), None)
                if theirs in rows:
                    axis.plot(rows["y_plus"], rows[theirs],
                              **mark(m, COLOURS[n % len(COLOURS)], rows["y_plus"].size))
        axis.set(xlim=(0, min(80, run.channel.number["Re_tau"])))
        page.add(figure, "budget_" + quantity, f"Budget of the {words}; gains are positive." +
                 "".join(f" Marks: {t['name']}." for t in tables))


def draw_spectra(page, run, tables):
    """Energy over wavenumber, transfer, spectra along axes, correlations."""
    values = run.spectra["values"]
    page.heading("Spectra and correlations")
    k, e = values["k"], values["E"]
    good = k > 0
    some = good & (e > 0)
    if not some.any():
        page.words("Nothing fluctuates: no wave has energy.")
        return
    figure, axis = axes(page, "$k\\;[1/L]$", "$E(k)\\;[U^2 L]$", xscale="log", yscale="log")
    error = np.nan_to_num(values.get("E_error", 0 * e))
    axis.plot(k[some], e[some], label="this run", **style(0))
    axis.fill_between(k[some], np.maximum(e - 2 * error, 1e-3 * e)[some], (e + 2 * error)[some],
                      color=COLOURS[0], alpha=0.2, lw=0)
    for n, table in enumerate(t for t in tables if t["kind"] == "spectra"):
        axis.plot(table["column"]["k"], table["column"]["E"], label=table["name"],
                  **mark(n, "k", table["column"]["k"].size))
    top = int(np.argmax(np.where(good, e, 0)))
    axis.plot(k[good], e[top] * (k[good] / k[top]) ** (-5 / 3), "k:", lw=0.7, label="$k^{-5/3}$")
    axis.set_ylim(max(e[some].min(), 1e-12 * e[some].max()), 3 * e[some].max())
    page.add(figure, "spectrum_energy",
             f"Energy spectrum over shells, t = {run.spectrum_time:.4g}." if run.decays else
             "Energy spectrum over shells, averaged over time; band: two standard errors.")
    figure, axis = axes(page, "$k\\;[1/L]$", "$k\\,T,\\;k\\,D,\\;\\Pi\\;[U^3/L]$", xscale="log")
    for n, (name, label,
            factor) in enumerate((("T", "$k\\,T$", k), ("D", "$k\\,D$", k),
                                  ("flux", r"$\Pi$", np.ones_like(k)))):
        if name in values:
            axis.plot(k[good], (factor * values[name])[good], label=label, **style(n))
    page.add(figure, "spectrum_transfer", "Transfer, dissipation and flux of kinetic energy over wavenumber.")
    for letter, xlabel, ylabel, scale, words in (("E", "$k_i\\;[1/L]$", "$E_{ii}\\;[U^2 L]$", "log",
                                                  "Spectra of each component along its own direction."),
                                                 ("R", "$r\\;[L]$", "$R_{ii}/R_{ii}(0)$", "linear",
                                                  "Correlations of each component along its own direction.")):
        figure, axis = axes(page, xlabel, ylabel, xscale=scale, yscale=scale)
        for n, (component, d) in enumerate(zip("uvw", "xyz")):
            name, place = f"{letter}_{component}{component}_{d}", ("k" if letter == "E" else "r") + d
            if name in values and place in values:
                x, y = values[place], values[name]
                chosen = (x > 0) & (y > 0) if letter == "E" else np.isfinite(y)
                axis.plot(x[chosen], y[chosen] if letter == "E" else y[chosen] / (y[0] or 1.0),
                          label=f"{component} along {d}", **style(n))
        page.add(figure, "spectra_along" if letter == "E" else "correlations", words)


def draw_stations(axis, run, tables, direction, height, component, colour):
    """Marks of the tables' spectra near a height of the run, in its wall units."""
    c = run.channel
    pair = next((p for p in PAIRS[:3] if c.component(p) == 2 * component), None)
    for m, table in enumerate(t for t in tables if t["kind"] == "heights"):
        for n, _, station in station_pairs(run, table, direction):
            if n == height and "E_" + pair in station:
                axis.plot(station["k"] / c.number["Re_tau"], station["E_" + pair] * c.number["Re_tau"],
                          **mark(m, colour, station["k"].size))


def draw_cavity(page, run, tables):
    """Velocities on the lines through the middle, with tables."""
    page.heading("Lines through the middle of the cavity")
    for n, (component, (x, u)) in enumerate(run.cavity["lines"].items()):
        figure, axis = axes(page, "distance from the wall, over the side",
                            f"${component}$ over the speed of the lid")
        axis.plot(x, u, label="run", **style(n))
        for m, table in enumerate(tables):
            for of, place, velocity, _ in cavity_tables.pairs(run.cavity, table):
                if of == component:
                    axis.plot(place, velocity, label=table["name"], **mark(m, style(n)["color"], place.size))
        page.add(figure, f"centre_line_{component}", f"{cavity_tables.WORDS[component]}, t = "
                                                     f"{run.cavity['time']:g}, Re {run.cavity['reynolds']:g}")


def draw_heights(page, run, tables):
    """Spectra and correlations at heights between walls, in wall units, along each of the two directions."""
    values, normal = run.spectra["values"], run.spectra["words"]["wall_normal_direction"]
    page.heading("Spectra at heights")
    for d in (d for d in "xyz" if d != normal):
        for letter, place, scale, words in (("E", "k", "log", "Spectra"),
                                            ("R", "r", "linear", "Two-point correlations")):
            figure, axis = axes(page, f"${place}_{d}^+$",
                                f"$E^+({place}_{d})$" if letter == "E" else "$R/R(0)$", xscale=scale,
                                yscale=scale)
            x, count = values[f"{place}{d}_plus"], 0
            for component in "uvw":
                lines, at = (
                    values[f"{letter}_{component}{component}_{d}_plus"],
                    values["height_face_plus" if component == "uvw"["xyz".index(normal)] else "height_plus"],
                )
                for h in sorted({0, at.size // 2, at.size - 1}):
                    y = lines[h] if letter == "E" else lines[h] / (lines[h][0] or 1.0)
                    chosen = (x > 0) & (y > 0) if letter == "E" else np.isfinite(y)
                    if chosen.any():
                        axis.plot(x[chosen], y[chosen], **style(count),
                                  label=f"${component}{component}$, ${normal}^+={at[h]:.0f}$")
                    if letter == "E":
                        draw_stations(axis, run, tables, "x" if d == run.channel.stream else "z", h,
                                      component, COLOURS[count % len(COLOURS)])
                    count += 1
            page.add(
                figure,
                f"{'spectra' if letter == 'E' else 'correlations'}_heights_{d}",
                f"{words} of the velocity along {d}, over the distance from the lower wall (lowest, middle "
                "and highest of the heights)."
                + "".join(
                    f" Marks: {t['name']}." for t in tables if t["kind"] == "heights" and letter == "E"
                ),
            )


def draw_densities(page, run):
    """Structure functions of the second and third order, densities of velocity and vorticity."""
    values = run.densities["values"]
    page.heading("Structure functions and densities")
    for order, kinds, ylabel, words in (
            (2, ("along", "across"), "$S_2\\;[U^2]$",
             "Structure functions of second order: increments along and across the distance."),
            (3, ("along",), r"$-S_3/(\varepsilon r)$",
             "Structure function of third order over dissipation and distance; 4/5 in an inertial range.")):
        figure, axis = axes(page, "$r\\;[L]$", ylabel, xscale="log", yscale="log" if order == 2 else "linear")
        dissipation = (float(run.statistics["values"]["dissipation"])
                       if run.statistics and "dissipation" in run.statistics["values"] else 0.0)
        lines = [(k, d) for k in kinds
                 for d in "xyz" if f"S{order}_{k}_{d}" in values and (order == 2 or dissipation > 0)]
        for n, (kind, d) in enumerate(lines):
            r, s = values["r" + d], values[f"S{order}_{kind}_{d}"]
            axis.plot(r, np.where(s > 0, s, np.nan) if order == 2 else -s / (dissipation * r),
                      label=f"{kind} {d}", **style(n))
        if order == 3:
            axis.axhline(0.8, color="k", lw=0.7, ls=":", label="4/5")
        page.add(figure, f"structure_{order}", words)
    figure, axis = axes(page, "value over its rms", "probability density", yscale="log")
    place = values["bin"]
    for n, name in enumerate(("velocity", "vorticity")):
        density = values["pdf_" + name]
        axis.plot(place[density > 0], density[density > 0], label=name, **style(n))
    for n, kind in enumerate(("along", "across"), 2):
        # not in files of before
        every = [values[f"pdf_gradient_{kind}_{d}"] for d in "xyz" if f"pdf_gradient_{kind}_{d}" in values]
        if every:
            density = np.mean(every, axis=0)
            axis.plot(place[density > 0], density[density > 0], label=f"gradients {kind}", **style(n))
    gauss(axis)
    page.add(figure, "densities", "Probability densities of components of velocity and vorticity, and of "
                                  "velocity gradients along and across, mean of the three directions.")
    figure, axis = axes(page, "increment along x over its rms", "probability density", yscale="log")
    for n, (distance, density) in enumerate(zip(values["sx"], values["pdf_increment_along_x"])):
        axis.plot(place[density > 0], density[density > 0], label=f"$r = {distance:.3g}$", **style(n))
    gauss(axis)
    page.add(figure, "densities_increments",
             "Probability densities of increments of u over distances along x.")


def gauss(axis):
    """The normal density beside others, and the legend."""
    x = np.linspace(-5, 5, 101)
    axis.plot(x, np.exp(-x * x / 2) / np.sqrt(2 * np.pi), "k:", lw=0.7, label="Gaussian")


def draw_probes(page, run):
    """Velocity and pressure at each probe, the first six."""
    values = run.probes["values"]
    page.heading("Probes")
    for n in range(min(values["x"].size, 6)):
        figure, axis = axes(page, "$t\\;[L/U]$", "$u, v, w\\;[U],\\;p\\;[U^2]$")
        for m, name in enumerate("uvwp"):
            axis.plot(values["time"], values[name][:, n], label=f"${name}$", **style(m))
        page.add(figure, f"probe_{n + 1}",
                 f"Probe {n + 1} at ({values['x'][n]:.4g}, {values['y'][n]:.4g}, {values['z'][n]:.4g}).")


def draw_slices(page, run, most):
    """The last time of each slice."""
    page.heading("Slices")
    for number, files in sorted(run.slices.items()):
        path = files[max(files)]
        for quantity in slices.names_in(path)[:most]:
            figure = slices.picture(page.plt, path, quantity, slices.common_limits({0: path}, quantity),
                                    size=SIZE)
            page.add(figure, f"slice_{number}_{quantity.replace('.', '_')}",
                     f"Slice {number}, {quantity}, step {max(files)}.", vector=False)


def to_centres(values, cells):
    """Of a field over a section [b, a], at faces or centres, the mean of both sides at centres."""
    for axis in (0, 1):
        if values.shape[axis] > cells[axis]:
            values = 0.5 * (np.delete(values, -1, axis) + np.delete(values, 0, axis))
    return values


def draw_section(page, run):
    """Averages over one homogeneous direction: contours over the section with the mean flow in it, and
    stresses along its walls."""
    v, words, units = run.statistics["values"], run.statistics["words"], run.statistics["units"]
    a, b = (d for d in "xyz" if d != words["homogeneous_direction"])
    plus = "_plus" if "u_tau" in v and float(v["u_tau"]) > 0 else ""
    cells, faces = (v[b].size, v[a].size), (v[a + "_face"], v[b + "_face"])
    speed = "UVW"["xyz".index(words["streamwise_direction"])]
    flow = [to_centres(v["UVW"["xyz".index(d)]], cells) for d in (a, b)]
    page.heading("Averages over " + words["homogeneous_direction"]
                 + (f", Re_tau = {float(v['Re_tau']):.4g}" if plus else ""))
    for name, label in ((speed, "mean velocity along the stream"), ("k", "turbulent kinetic energy"),
                        ("k_production", "its production"),
                        ("k_dissipation", "its dissipation"),
                        *((n, f"mean {n}") for n in scalars_report.names_of(run) if v[n].ndim == 2),
                        *((n + "_variance", f"variance of {n}") for n in scalars_report.names_of(run)
                          if n + "_variance" in v and v[n].ndim == 2)):
        in_walls = plus if name + plus in v else ""
        values = to_centres(v[name + in_walls], cells)
        figure, axis = axes(page, f"${a}$ [$L$]", f"${b}$ [$L$]", aspect="equal")
        mesh = axis.pcolormesh(*faces, values, cmap="viridis", rasterized=True)
        if np.ptp(values) > 0:
            axis.contour(v[a], v[b], values, 8, colors="w", linewidths=0.4)
        if name == speed and max(np.abs(f).max() for f in flow) > 0:
            i, j = (
                np.unique(np.searchsorted(v[d], np.linspace(f[0], f[-1], 22)[1:-1]).clip(0, v[d].size - 1))
                for d, f in zip((a, b), faces)
            )
            axis.quiver(v[a][i], v[b][j], flow[0][np.ix_(j, i)], flow[1][np.ix_(j, i)], color="k",
                        width=0.003)
        bar = figure.colorbar(mesh, ax=axis, label=name.removeprefix("k_").replace("_", " ")
                              + ("$^+$" if in_walls else f" [{units[name]}]"), shrink=0.9,
                              location="bottom" if np.ptp(faces[0]) > 1.8 * np.ptp(faces[1]) else "right")
        bar.formatter.set_powerlimits((-1, 4))  # long numbers leave the panel no room
        figure.draw_without_rendering()  # the layout beside a panel of fixed shape wants two rounds
        largest = (
            f"; arrows: the mean flow in the section, at most {max(np.abs(f).max() for f in flow):.3g}"
            if name == speed
            else ""
        )
        page.add(figure, "section_" + name, f"{label[0].upper()}{label[1:]}{largest}.", vector=False)
    walls = [n for n in v if n.startswith("wall_stress_" + speed.lower()) and n.endswith(("_low", "_high"))]
    if not walls:
        return
    figure, axis = axes(page, "distance along the wall [$L$]", "wall stress along the stream [$U^2$]")
    for n, name in enumerate(sorted(walls)):
        along = a if name.split("_")[3] == b else b
        at = v[along if v[name].size == v[along].size else along + "_face"]
        axis.plot(at - v[along + "_face"][0], v[name],
                  label=" ".join(name.split("_")[3:5]) + " wall", **style(n))
        error = np.nan_to_num(v[name + "_error"])
        axis.fill_between(at - v[along + "_face"][0], v[name] - 2 * error, v[name] + 2 * error,
                          color=COLOURS[n % len(COLOURS)], alpha=0.2, lw=0)
    page.add(figure, "section_walls",
             "Force of the fluid on the walls along the stream. Bands: two standard errors.")


def numbers(page, run):
    """Values with their standard errors; of what both files have, that of statistics.nc."""
    rows, seen = [], set()
    for file in (run.statistics, run.spectra):
        for n, v in file["values"].items() if file is not None else ():
            if v.ndim == 0 and not n.endswith("_error") and n not in seen:
                error = file["values"].get(n + "_error")
                rows.append((file["about"][n], n, f"{float(v):.6g}",
                             "" if error is None else f"{float(error):.2g}", file["units"][n]))
                seen.add(n)
    page.heading(f"Latest sample, t = {float(run.statistics['values']['t_end']):.6g}"
                 if run.decays and run.statistics["latest"] else "Averages")
    page.table(("quantity", "name", "value", "standard error", "unit"), rows, name="averages")


def write(run, tables, verdicts, o):
    """The page."""
    if o["figures"] is not None:
        os.makedirs(o["figures"], exist_ok=True)
    page = Page(plotter(), o["figures"])
    words = run.words
    title = (words.get("title") or words.get("run.title") or "".join(run.input.get("run.title", []))
             or os.path.basename(os.path.abspath(run.folder)))
    if run.series is not None:
        step, t = run.column("step"), run.column("time")
        when = f"steps {step[0]:.0f} to {step[-1]:.0f}, t {t[0]:.6g} to {t[-1]:.6g}"
    elif run.statistics is None and run.averages is None:
        when = f"{run.history['values']['time'].size} records of the history"
    else:
        of = run.statistics["values"] if run.statistics is not None else run.averages["numbers"]
        when = "averages over t {:.6g} to {:.6g}".format(*(float(of[n]) for n in ("t_start", "t_end")))
    page.put(f"<h1>{html.escape(title)}</h1><p>{html.escape(run.folder)}: {when}; "
             f"{html.escape(words.get('version', ''))}</p><!--nav-->")
    verdicts_of(page, verdicts.rows, verdicts.notes)
    if run.series is not None:
        draw_histories(page, run, tables)
    if run.decays:
        draw_decay(page, run)
    if run.series is not None and "twin_difference" in run.series["values"]:
        twin_report.draw(page, run, axes, style)
    if run.history is not None:
        box_history_report.draw(page, run.history, axes, style)
    elif run.series is not None and "decay_exponent" in run.series["values"]:
        box_history_report.draw_series(page, run, axes, style)
    if run.has_units:
        draw_profiles(page, run, tables)
    if run.has_units:
        draw_plain_profiles(page, run, run.channel.normal, HIGHER + QUADRANTS)
    words_of = run.statistics["words"] if run.statistics is not None else {}
    normal = words_of.get("normal_direction") or words_of.get("wall_normal_direction")
    if normal and not run.has_units:
        page.heading("Profiles")
        draw_plain_profiles(page, run, normal, PLAIN + HIGHER + QUADRANTS)
    scalars_report.draw(page, run)
    if run.bodies is not None:
        bodies_report.draw(page, run)
    if run.phases is not None:
        phase_report.draw(page, run.phases, axes)
    if run.statistics is not None and "homogeneous_direction" in run.statistics["words"]:
        draw_section(page, run)
    if run.averages is not None:
        averages_report.draw(page, run.averages)
    if run.spectra is not None and "E" in run.spectra["values"]:
        draw_spectra(page, run, tables)
    if run.has_units and run.has_heights:
        draw_heights(page, run, tables)
    lines = [table for table in tables if table["kind"] == "centre lines"]
    if lines:
        draw_cavity(page, run, lines)
    if run.densities is not None and "pdf_velocity" in run.densities["values"]:  # at heights: scalars alone
        draw_densities(page, run)
    if run.statistics is not None:
        numbers(page, run)
    if run.probes is not None:
        draw_probes(page, run)
    if run.slices:
        draw_slices(page, run, o["slices"])
    page.heading("Provenance")
    page.put("<pre>" + html.escape("\n\n".join(f"{n}:\n{v}" for n, v in sorted(words.items())))
             + "</pre>")
    with open(writable(o["to"]), "w", encoding="utf-8") as file:
        file.write(page.text(title))
    print(f"\npage {o['to']}")


# ---- the command -------------------------------------------------------------------------------------------

def options(words):
    """What the command line asks for."""
    found = report_parts.options(
        words,
        __doc__,
        {
            "reference": [],
            "station": None,
            "units": None,
            "any-re-tau": False,
            "to": None,
            "figures": None,
            "slices": 4,
            "no-page": False,
            "certificate": False,
            "verify": False,
            "ranks": 1,
            "steps": None,
        },
        {"slices": int, "ranks": int, "steps": int, "units": spectrum_tables.units_of},
        ALLOWED,
    )
    for name, preset in (("ranks", 1), ("steps", None)):
        if found[name] != preset and not found["verify"]:
            raise Unreadable(f"--{name}: it is of --verify alone; see --help")
    if found["ranks"] < 1:
        raise Unreadable(f"--ranks {found['ranks']}: one or more are needed")
    if not found["verify"]:
        found["to"] = found["to"] or os.path.join(found["dir"], "report.html")
        writable(found["to"])
    return found


def read_tables(o, time):
    """All of the command line. An option that none of them wants is a fault. time: of the run's spectrum."""
    tables = [read_reference(name, o["station"], o["units"], time) for name in o["reference"]]
    if o["station"] is not None and not any(t.get("station") for t in tables):
        raise Unreadable(f"--station {o['station']}: no table has spectra at stations, columns such as "
                         f"E{o['station']}")
    if o["units"] is not None and not any(t["kind"] == "spectra" for t in tables):
        raise Unreadable("--units: no table has spectra")
    return tables


def main(words):
    """Exit code."""
    try:
        o = options(words)
        if o["verify"]:
            return certificate_page.verify(o["dir"], o["ranks"], o["steps"], o["to"])
        run, verdicts = Run(o["dir"]), Verdicts(o["allow"], o["any-re-tau"])
        tables = read_tables(o, run.spectrum_time)
        if run.decays:
            verdicts.notes.append(decay_words(run))
        judge_run(run, verdicts)
        for table in tables:
            judge_table(run, table, verdicts)
        verdicts.show()
        if not o["no-page"]:
            write(run, tables, verdicts, o)
        if o["certificate"]:
            certificate_page.issue(o["dir"], verdicts, o["dir"])
    except (Unreadable, ImportError, OSError) as error:
        print(f"kolmo-report: {error}", file=sys.stderr)
        return 2
    except Exception as error:  # pylint: disable=broad-except
        print(f"kolmo-report: {unforeseen(o['dir'], error)}", file=sys.stderr)
        return 2
    return 0 if verdicts.good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

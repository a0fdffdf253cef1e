#!/usr/bin/env python3
"""Compares the statistics of a channel with published tables: norms with a verdict, and a figure.

usage: channel_report.py [--reference FILE]... [--any-re-tau] [--allow NAME=SHARE]... [--figure FILE]
                         [--no-figure] [--lee-moser FOLDER] DIR

DIR is the folder of a run between two parallel walls, or its statistics.nc. Both halves of the channel are
averaged, with the right sign for each quantity.

  --reference FILE    compare with this table; may be given several times
  --any-re-tau        compare with tables of any Re_tau
  --allow NAME=SHARE  change what is allowed, for example --allow U=0.02
  --figure FILE       draw into FILE instead of DIR/channel.png. The figure is also written as PDF and SVG,
                      the list as a table of LaTeX, and both as a page (HTML), with the same name and another
                      ending
  --no-figure         draw nothing
  --lee-moser FOLDER  write the profiles as text files into FOLDER, in the columns of Lee and Moser's files:
                      LM_Channel_<Re_tau>_mean_prof.dat, _vel_fluc_prof.dat, _vor_pres_fluc_prof.dat, and of
                      the budgets _RSTE_k_prof.dat, _RSTE_uu, _vv, _ww, _uv, _uw, _vw. What the run does not
                      have becomes nan

A table has profiles in wall units. It is a CSV file, whose header may follow lines that begin with #. It has
y_plus, which increases, and any of U_plus, dUdy_plus, P_plus or P_mean (0 on the wall), uu, vv, ww, uv, pp,
k, epsilon, oxox, oyoy, ozoz, or u_rms, v_rms, w_rms, p_rms, ox_rms, oy_rms, oz_rms. Here x is the streamwise,
y the wall-normal and z the spanwise direction.

A table must have the run's Re_tau within 10 %, unless --any-re-tau is given. Its Re_tau is its last y_plus
over y_over_h. If there is no y_over_h, it is that of a line above the header (# Re_tau = 182), or else the
last y_plus.

The list has a line for each quantity of each table; failures come first. The norm of the difference over that
of the table is sqrt(int (a - b)^2 dy / int b^2 dy), at equal y_plus. Next to it are the largest difference
over the largest value, the standard error of the run in the same norm, what is allowed, and the verdict.
Without a table only the line of the total stress is judged, and not even that in a frame that turns about the
walls' normal, where the stress is not linear. The bands in the figure are two standard errors wide on either
side.

Exit codes: 0 all is within what is allowed; 1 something is not; 2 a file is missing or can't be read, or the
flow has no two parallel walls."""
import os
import re
import sys

import system_python
system_python.require("channel_report", __name__)
import numpy as np  # noqa: E402
import report_parts  # noqa: E402
import sheet_page  # noqa: E402
from kolmo.namelists import parse, reals  # noqa: E402
from kolmo.plots import line_style as style  # noqa: E402
from kolmo.plots import mark  # noqa: E402
from report_page import sheet, write_sheet, write_table  # noqa: E402
from report_parts import Unreadable, over, plotter  # noqa: E402

# Allowed norms. Tables of one Reynolds number differ among themselves by 0.2 % in U, 0.5 % in u', 1.7 % in
# v', 1.5 % in uv.
ALLOWED = {"U": 0.015, "dUdy": 0.03, "P": 0.06, "uu": 0.04, "vv": 0.05, "ww": 0.04, "uv": 0.03, "pp": 0.06,
           "k": 0.04, "epsilon": 0.05, "oxox": 0.08, "oyoy": 0.08,
           "ozoz": 0.05, "total stress": 0.02}
SQUARED = {"u_rms": "uu", "v_rms": "vv", "w_rms": "ww", "p_rms": "pp", "ox_rms": "oxox", "oy_rms": "oyoy",
           "oz_rms": "ozoz"}
OUTER = ("y_over_h", "y_over_delta", "y/h", "y/delta", "y_h", "y_delta")  # columns of distances over delta
NEAR_RE = 0.1  # of Re_tau of the run: a table's, whose profiles are compared
MEANS = {"U_plus": "U", "dUdy_plus": "dUdy", "P_plus": "P", "P_mean": "P"}
WORDS = {"U": "mean velocity", "dUdy": "its gradient", "P": "mean pressure", "uu": "streamwise variance",
         "vv": "wall-normal variance", "ww": "spanwise variance", "uv": "Reynolds shear stress",
         "pp": "pressure variance", "k": "turbulent energy", "epsilon": "dissipation of k",
         "oxox": "streamwise vorticity",
         "oyoy": "wall-normal vorticity", "ozoz": "spanwise vorticity"}

TURNS = ("the frame turns about the walls' normal, so the total stress is not linear even in a steady state; "
         "it is not judged")

MARKS_WORDS = ("circles", "squares", "triangles", "diamonds", "wedges", "wedges to the left",
               "wedges to the right")


# ---- reading -----------------------------------------------------------------------------------------------

class Channel:
    """Profiles of statistics.nc with the letters of the tables, in wall units, both halves averaged where
    both walls are alike."""

    def __init__(self, path):
        try:
            contents = report_parts.contents_of(path)
            self.data, texts = contents["values"], contents["words"]
            self.normal, self.stream = texts["wall_normal_direction"], texts["streamwise_direction"]
            turning = reals(parse(texts.get("input", "")), "forcing.rotation", 3, 0.0)
            self.turns = turning["xyz".index(self.normal)] != 0  # about the walls' normal
            self.number = {
                n: float(self.data[n])
                for n in (
                    "u_tau",
                    "Re_tau",
                    "u_b",
                    "Re_b",
                    "friction_coefficient",
                    "force",
                    "n_samples",
                    "t_start",
                    "t_end",
                    "delta",
                    "nu",
                    "wall_stress_low",
                    "wall_stress_high",
                )
            }
            self.title = (texts.get("title") or os.path.basename(os.path.dirname(os.path.abspath(path)))
                          ).replace("$", r"\$")
            self.number_error = {n: float(self.data[n + "_error"])
                                 for n in ("u_tau", "Re_tau", "friction_coefficient")}
        except (OSError, KeyError) as error:
            raise Unreadable(f"{path}: {error}") from None
        span = next(a for a in "xyz" if a not in (self.normal, self.stream))
        self.letter = {"x": self.stream, "y": self.normal, "z": span}
        face = self.data[self.normal + "_face"]
        self.height = face[-1] - face[0]
        low, high = self.number["wall_stress_low"], self.number["wall_stress_high"]
        self.both = abs(low) > 0 and abs(high) > 0  # NaN: no wall
        self.top = abs(high) > 0 and not abs(low) > 0
        self.halves = (self.both and abs(self.number["delta"] - 0.5 * self.height) < 1e-9 * self.height
                       and low * high > 0)
        self.lower = 1.0 if (high if self.top else low) >= 0 else -1.0

    def distance_plus(self, height_plus):
        """Of a height above the lower face, from the nearest wall that is counted from."""
        whole = self.number["Re_tau"] * self.height / self.number["delta"]
        return min(height_plus,
                   whole - height_plus) if self.both else whole - height_plus if self.top else height_plus

    def component(self, letters):
        """Names of the tables as those of the file: uv of a channel with walls in z is uw here."""
        to = {"u": "uvw"["xyz".index(self.letter["x"])], "v": "uvw"["xyz".index(self.letter["y"])],
              "w": "uvw"["xyz".index(self.letter["z"])]}
        return "".join(sorted(to[c] for c in letters))

    @property
    def distance(self):
        """Word of a figure for the distance from the wall."""
        return f"${self.normal}^+$"

    def product(self, letters):
        """Of fluctuations of the run's components, as formulas: u'w' of uv where walls are normal to z."""
        return "".join(self.component(c) + "'" for c in letters)

    def name(self, quantity):
        """Name in the file without _plus, whether it is squared there, its sign on reflection in the middle
        plane."""
        if quantity == "U":
            return self.component("u").upper(), 1, 1
        if quantity == "dUdy":
            return f"d{self.component('u').upper()}d{self.normal}", 1, -1
        if quantity in ("uu", "vv", "ww"):
            return self.component(quantity), 1, 1
        if quantity == "uv":
            return self.component(quantity), 1, -1
        if quantity in ("oxox", "oyoy", "ozoz"):
            return f"omega_{self.letter[quantity[1]]}_rms", 2, 1
        return {"pp": ("pp", 1, 1), "k": ("k", 1, 1),
                "epsilon": ("k_dissipation", 1, 1)}.get(quantity, (quantity, 1, 1))

    def profile(self, quantity, sign=None):
        """Distance from the wall, values and standard errors, all in wall units; from the lower wall to the
        middle, where there is but one wall from that to the other face."""
        name, power, odd = self.name(quantity)
        key = name + "_plus" if name + "_plus" in self.data else name
        sign = odd if sign is None else sign
        value, error = self.data[key], self.data.get(key + "_error", self.data[key] * 0)
        place = self.data["wall_distance_plus" if value.size == self.data[self.normal].size
                          else "wall_distance_face_plus"]
        if power == 2:
            value, error = value ** 2, 2 * value * error
        if self.halves:
            n = (value.size + 1) // 2
            value, error, place = (0.5 * (value + sign * value[::-1])[:n],
                                   np.hypot(error, error[::-1])[:n] / 2, place[:n])
        elif self.both:
            n = (value.size + 1) // 2
            value, error, place = value[:n], error[:n], place[:n]
        elif self.top:
            value, error, place = sign * value[::-1], error[::-1], place[::-1]
        wall = self.wall_velocity() if quantity == "U" else self.wall_pressure() if quantity == "P" else 0.0
        turn = self.lower if quantity in ("U", "dUdy", "uv") else 1.0
        return place, turn * (value - wall), error

    def wall_velocity(self):
        """Mean velocity along the stream on the wall that distances are counted from, in wall units: walls
        may move, and tables begin with 0 there."""
        u, slope, distance = (self.data[n] for n in (f"{self.component('u').upper()}_plus",
                                                     f"{self.name('dUdy')[0]}_plus", "wall_distance_plus"))
        low, high = u[0] - slope[0] * distance[0], u[-1] + slope[-1] * distance[-1]
        return 0.5 * (low + high) if self.halves else high if self.top else low

    def bulk_and_friction(self):
        """Bulk velocity along the stream over u_tau; friction coefficient and its error. Along one wall, or
        walls that move alike, they are against the wall, as in the file; older files have those of the run.
        Between walls that have the same friction and move differently they are against the mean of both."""
        n, e = self.number, self.number_error
        of_file = abs(n["u_b"]) / n["u_tau"]
        wall = self.wall_velocity() if self.halves or not self.both else 0.0
        bulk = abs(self.mean_velocity() - wall)
        if abs(wall) < 1e-6 or abs(bulk - of_file) < 1e-6 * of_file:
            return of_file, (n["friction_coefficient"], e["friction_coefficient"])
        return bulk, (2.0 / bulk**2, 4.0 / bulk**2 * e["u_tau"] / n["u_tau"])

    def mean_velocity(self):
        """Along the stream, over the height, in wall units and in the frame of the run."""
        u, faces = self.data[f"{self.component('u').upper()}_plus"], self.data[f"{self.normal}_face"]
        return float((u * np.diff(faces)).sum() / (faces[-1] - faces[0]))

    def wall_pressure(self):
        """Mean pressure on the lower wall, of both where they are alike, in wall units: P + v'v' is the same
        at all heights, in the mean balance of momentum normal to the walls."""
        at_centres = (self.data["P_plus"]
                      + 0.5 * (lambda v: v[1:] + v[:-1])(self.data[self.component("vv") + "_plus"]))
        return 0.5 * (at_centres[0] + at_centres[-1]) if self.halves else at_centres[-1 if self.top else 0]


def read_table(path):
    """Columns of a reference table by the names used here; its first words."""
    about, names, rows = report_parts.read_rows(path)
    if "y_plus" not in names:
        raise Unreadable(f"{path}: no column y_plus among {', '.join(names)}; a profile wants the distances "
                         "from the wall in wall units")
    column = {n: np.array([r.number(n) for r in rows])
              for n in names if n == "y_plus" or n in MEANS or n in SQUARED
              or (n in WORDS and n not in MEANS.values())}
    place = column["y_plus"]
    label = os.path.basename(path).removesuffix(".csv").removesuffix("_profiles").removeprefix("channel_")
    table = {MEANS[name]: values for name, values in column.items() if name in MEANS}
    for name, values in column.items():
        if name in WORDS:
            table[name] = values
        elif name in SQUARED:
            table[SQUARED[name]] = values ** 2
    if not table:
        raise Unreadable(f"{path}: none of its columns is a profile known here: {', '.join(names)}; see "
                         "--help")
    report_parts.sound(label, "y_plus", dict(table, y_plus=place))
    return {"name": label, "about": about[0].lstrip("# ") if about else "", "y": place, "column": table,
            "re_tau": friction_number(about, names, rows)}


def friction_number(about, names, rows):
    """Re_tau of a table and how it is known; None where it has no y_plus."""
    outer = next((n for n in names if n.lower() in OUTER), None)
    if "y_plus" not in names:
        return None
    last = max(rows, key=lambda r: r.number("y_plus"))
    if outer is not None and last.number(outer) > 0 and last.number("y_plus") > 0:
        return last.number("y_plus") / last.number(outer), f"its y_plus over {outer}"
    if "Re_tau" in names:
        return last.number("Re_tau"), "its column Re_tau"
    for line in about:
        told = re.search(r"Re_?\{?\\?tau\}?\s*(?:=|:|of)?\s*(\d+(?:\.\d+)?)", line, re.IGNORECASE)
        if told:
            return float(told[1]), "as its first lines tell"
    return last.number("y_plus"), "its largest y_plus, for it tells none"


def check_friction(run, table, any_re_tau):
    """Refuses a table in wall units that is of another Re_tau."""
    if table.get("re_tau") is None or any_re_tau:
        return
    (there, how), here = table["re_tau"], run.number["Re_tau"]
    if not abs(there - here) <= NEAR_RE * here:
        raise Unreadable(f"table {table['name']}: its Re_tau is {there:.4g} ({how}), and the run's is "
                         f"{here:.4g}; within {NEAR_RE:.0%} they are compared. A line '# Re_tau = ...' above "
                         "its header tells what it is of; --any-re-tau compares all the same")


# ---- judging -----------------------------------------------------------------------------------------------

def compare(run, table, quantity):
    """Norm of the difference, largest difference, norm of the standard error, each over the table's."""
    y, value, error = run.profile(quantity)
    good = np.isfinite(value) & report_parts.overlap(table["name"], "y_plus", y, table["y"])
    if good.sum() < 2:
        raise Unreadable(f"table {table['name']}: {quantity} of the run has fewer than two values in its "
                         "range")
    y, value, error = y[good], value[good], error[good]
    wanted = np.interp(y, table["y"], table["column"][quantity])
    size = max(over(y, wanted ** 2), 1e-300)
    return ((over(y, (value - wanted) ** 2) / size) ** 0.5,
            abs(value - wanted).max() / max(abs(wanted).max(), 1e-300),
            (over(y, np.nan_to_num(error, nan=np.inf) ** 2) / size) ** 0.5)


def stress_line(run):
    """The total stress less the line, in wall units: norm over that of the line, largest, and standard
    error."""
    y, value, error = run.profile("stress_residual", sign=-1)
    line = run.profile("stress_line", sign=-1)[1]
    size = over(y, line ** 2)
    return ((over(y, value ** 2) / size) ** 0.5, abs(value).max(),
            (over(y, np.nan_to_num(error, nan=np.inf) ** 2) / size) ** 0.5)


PANELS = {"U": 1, "uu": 2, "vv": 2, "ww": 2, "uv": 3, "oxox": 4, "oyoy": 4, "ozoz": 4, "epsilon": 5, "pp": 6}
HEAD = ("quantity", "table", "norm", "largest", "std error", "allowed", "verdict")


def judge(run, tables, allowed):
    """Prints the verdicts, failures first, with their count; returns the rows and whether all are within what
    is allowed."""
    found = []
    if run.turns:
        print(f"note: {TURNS}")
    else:
        found.append(("total stress", "straight line", stress_line(run), allowed["total stress"]))
    found += [(WORDS[quantity], table["name"], compare(run, table, quantity), allowed[quantity])
              for table in tables for quantity in WORDS if quantity in table["column"]]
    found.sort(key=lambda r: r[2][0] <= r[3])
    rows = [(words, table, *(f"{v:.2%}" for v in norms), f"{most:.2%}",
             "pass" if norms[0] <= most else "FAIL")
            for words, table, norms, most in found]
    words, bad = count_of(rows)
    print("\n" + words)
    for row in (HEAD, *rows):
        print("{:24s} {:24s} {:>9s} {:>9s} {:>9s} {:>9s}  {}".format(*row))
    return rows, bad == 0


def peak(run, quantity):
    y, value, _ = run.profile(quantity)
    if not np.isfinite(value).any():
        return np.nan, np.nan
    n = int(np.nanargmax(abs(value)))
    if 0 < n < value.size - 1:
        a, b, c = np.polyfit(y[n - 1:n + 2], value[n - 1:n + 2], 2)
        return c - b * b / (4 * a), -b / (2 * a)
    return value[n], y[n]


def print_numbers(run):
    n, e = run.number, run.number_error
    span = (n["t_end"] - n["t_start"]) * n["u_tau"] / n["delta"]
    bulk, friction = run.bulk_and_friction()
    print(f"samples {n['n_samples']:.0f}, t {n['t_start']:.6g} to {n['t_end']:.6g}: {span:.3g} delta/u_tau; "
          f"walls in {run.normal}, stream along {run.stream}"
          f"{'; both halves averaged' if run.halves else ''}")
    print(f"u_tau {n['u_tau']:.6g} +- {e['u_tau']:.1e}   Re_tau {n['Re_tau']:.5g} +- {e['Re_tau']:.2g}   "
          f"u_b/u_tau {bulk:.5g}   C_f {friction[0]:.5g} +- {friction[1]:.1e}")
    print("force less mean wall stress over delta: "
          f"{abs(n['force']) * n['delta'] / n['u_tau'] ** 2 - 1:+.2%}")
    print(
        "peaks: "
        + ", ".join("{} {:.4g} at {:.3g}".format(q, *peak(run, q)) for q in ("uu", "vv", "ww", "uv"))
        + f"; U in the middle {abs(run.profile('U')[1][-1]):.5g}"
    )


# ---- text --------------------------------------------------------------------------------------------------

def at_centres(values):
    """Of a profile at faces, that at the centres between them."""
    return 0.5 * (values[1:] + values[:-1])


def lee_moser(run, folder):
    """Columns of Lee and Moser: x along the stream, y normal to the wall, z across; wall units, lower half,
    both halves averaged, U and P less those on the wall."""
    place = run.data["wall_distance_plus"]
    size = (place.size + 1) // 2 if run.halves else place.size

    def column(name, sign=1.0, over=False, power=1):
        """A profile of the file, or its square, at centres, folded with its sign."""
        key = name + "_plus" if name + "_plus" in run.data else name
        values = run.data[key] ** power
        values = at_centres(values) if values.size == place.size + 1 else values
        values = 0.5 * (values + sign * values[::-1])[:size] if run.halves else values
        return run.lower * values if over else values

    u, v, w = (run.component(c) for c in "uvw")
    speed = run.lower * (column(u.upper()) - run.wall_velocity())
    pair = {p: "".join(sorted(run.component(c) for c in p)) for p in ("uv", "uw", "vw")}
    y, outer = place[:size], place[:size] / run.number["Re_tau"]
    vorticity = [column(f"omega_{run.letter[c]}_rms", power=2) for c in "xyz"]
    lack = np.full(size, np.nan)
    files = [("mean_prof", ("y/delta", "y^+", "U", "dU/dy", "W", "P"),
              (outer, y, speed, column(f"d{u.upper()}d{run.normal}", -1.0, over=True), column(w.upper()),
               column("P") - run.wall_pressure())),
             ("vel_fluc_prof", ("y/delta", "y^+", "u'u'", "v'v'", "w'w'", "u'v'", "u'w'", "v'w'", "k"),
              (outer, y, column(u + u), column(v + v), column(w + w), column(pair["uv"], -1.0, over=True),
               column(pair["uw"], over=True),
               column(pair["vw"], -1.0), column("k"))),
             ("vor_pres_fluc_prof", ("y/delta", "y^+", "om_x om_x", "om_y om_y", "om_z om_z", "om_x om_y",
                                     "om_x om_z", "om_y om_z", "p'p'"),
              (outer, y, *vorticity, lack, lack, lack, column("pp")))]
    words = ("Production", "Turbulent_Transport", "Viscous_Transport", "Pressure_Strain",
             "Pressure_Transport", "Viscous_Dissipation", "Balance")
    terms = ("production", "turbulent_transport", "viscous_diffusion", "pressure_strain",
             "pressure_transport", "dissipation")
    for name, own, odd, over in (("k", "k", 1.0, False), ("uu", u + u, 1.0, False), ("vv", v + v, 1.0, False),
                                 ("ww", w + w, 1.0, False), ("uv", pair["uv"], -1.0, True),
                                 ("uw", pair["uw"], 1.0, True), ("vw", pair["vw"], -1.0, False)):
        # a term that the file lacks beside it is 0 between parallel walls
        if own + "_dissipation" in run.data:
            term = [column(f"{own}_{t}", odd, over) if f"{own}_{t}" in run.data else 0 * y for t in terms]
            turned = column(own + "_rotation", odd, over) if own + "_rotation" in run.data else 0 * y
            files.append((f"RSTE_{name}_prof", ("y/delta", "y^+") + words,
                          (outer, y, *term, sum(term[:-1]) + turned - term[-1])))
    os.makedirs(folder, exist_ok=True)
    for name, words, columns in files:
        path = os.path.join(folder, f"LM_Channel_{run.number['Re_tau']:04.0f}_{name}.dat")
        bulk = run.bulk_and_friction()[0] * run.number["u_tau"]
        about = [f"Channel, Re_tau = {run.number['Re_tau']:.6g}, nu = {run.number['nu']:.9g}, u_tau = "
                 f"{run.number['u_tau']:.9g}, "
                 f"bulk velocity {bulk:.9g}; columns as in the files of Lee and Moser (2015); "
                 "wall units but y/delta",
                 " ".join(f"{word:>17s}" for word in words)]
        np.savetxt(path, np.column_stack(columns), fmt="%18.9e", comments="% ", header="\n".join(about))
        print(f"text {path}")


# ---- drawing -----------------------------------------------------------------------------------------------

def draw(run, tables, path):
    """Six panels."""
    plt = plotter()
    figure, panels = sheet(plt, 2, 3, f"{run.title}, $Re_\\tau$ = {run.number['Re_tau']:.1f}; lines: this "
                           "run, bands: two standard errors"
                           + "".join(f"; {t['name']}: {MARKS_WORDS[n % len(MARKS_WORDS)]}"
                                     for n, t in enumerate(tables)))

    def line(axis, quantity, label, n, root=False, sign=None, scale=1.0):
        y, value, error = run.profile(quantity, sign)
        value, error = scale * value, np.nan_to_num(error)
        if root:
            value = np.sqrt(np.maximum(value, 0))
            error = error / np.maximum(2 * value, 1e-3)
        axis.plot(y, value, label=label, **style(n))
        axis.fill_between(y, value - 2 * error, value + 2 * error, color=style(n)["color"], alpha=0.2, lw=0)
        for m, table in enumerate(tables):
            if quantity in table["column"]:
                points = table["column"][quantity]
                points = np.sqrt(np.maximum(points, 0)) if root else points
                axis.plot(table["y"], scale * points, **mark(m, style(n)["color"], points.size))

    a = panels[0][0]
    line(a, "U", "$U^+$", 0)
    y = np.geomspace(0.3, 12, 50)
    a.plot(y, y, "k:", lw=0.8, label=run.distance)
    y = np.geomspace(10, max(run.number["Re_tau"], 12), 50)
    a.plot(y, np.log(y) / 0.41 + 5.2, "k--", lw=0.8, label=rf"$\ln({run.normal}^+)/0.41 + 5.2$")
    a.set(xscale="log", xlim=(0.3, None), ylabel="mean velocity", ylim=(0, None))
    a = panels[0][1]
    for n, (quantity, label) in enumerate((("uu", "streamwise"), ("vv", "wall-normal"), ("ww", "spanwise"))):
        line(a, quantity, label, n, root=True)
    a.set(ylabel="rms velocity", ylim=(0, None))
    a = panels[0][2]
    line(a, "uv", rf"$-\langle {run.product('uv')}\rangle^+$", 0, scale=-1)
    line(a, "stress_viscous", "viscous", 1, sign=-1)
    line(a, "stress_total", "total", 2, sign=-1)
    line(a, "stress_line", "straight line", 3, sign=-1)
    a.set(ylabel="shear stress")
    a = panels[1][0]
    for n, (quantity, label) in enumerate((("oxox", "streamwise"), ("oyoy", "wall-normal"),
                                           ("ozoz", "spanwise"))):
        line(a, quantity, label, n, root=True)
    a.set(ylabel=r"rms vorticity, $u_\tau^2/\nu$", ylim=(0, None))
    a = panels[1][1]
    for n, term in enumerate(("production", "dissipation", "turbulent_transport", "viscous_diffusion",
                              "pressure_transport", "budget_residual")):
        line(a, "k_" + term, term.replace("_", " "), n, sign=1, scale=-1 if term == "dissipation" else 1)
    a.set(ylabel=r"budget of k, $u_\tau^4/\nu$", xlim=(0, min(60, run.number["Re_tau"])))
    a = panels[1][2]
    line(a, "stress_residual", "total stress less the line", 2, sign=-1)
    a.set(ylabel="residual of the shear stress")
    b = a.twinx()
    line(b, "pp", "rms pressure (right)", 3, root=True)
    b.set(ylim=(0, None), ylabel="rms pressure")
    for axis in panels.flat:
        axis.set_xlabel("distance from the wall, wall units")
    return write_sheet(plt, figure, path)


# ---- the command -------------------------------------------------------------------------------------------

def count_of(rows):
    """How many verdicts fail, in words, and their number."""
    bad = sum(r[-1] == "FAIL" for r in rows)
    return f"{bad} of {len(rows)} FAIL" if bad else f"all {len(rows)} pass", bad


def write_page(stem, title, rows, pictures):
    """The list as a table of LaTeX, and the page."""
    write_table(stem + ".tex", HEAD, rows)
    panel = {WORDS[q]: n for q, n in PANELS.items()} | {"total stress": 3}
    names = [f"{os.path.basename(stem)}-{panel[r[0]]}" if r[0] in panel else "" for r in rows]
    words, bad = count_of(rows)
    sheet_page.write(stem + ".html", title, [("Verdicts", words, bad > 0, HEAD, rows,
                                              ["fail" if r[-1] == "FAIL" else "pass" for r in rows], names)],
                     pictures)


def main(words):
    try:
        o = report_parts.options(words, __doc__, {"reference": [], "figure": None, "no-figure": False,
                                                  "lee-moser": None, "any-re-tau": False}, allowed=ALLOWED)
        path = os.path.join(o["dir"], "statistics.nc") if os.path.isdir(o["dir"]) else o["dir"]
        run, tables = Channel(path), [read_table(name) for name in o["reference"]]
        if not run.number["u_tau"] > 0:
            raise Unreadable(f"{path}: no wall has a shear stress: there are no wall units")
        for table in tables:
            check_friction(run, table, o["any-re-tau"])
        print_numbers(run)
        rows, good = judge(run, tables, o["allow"])
    except Unreadable as error:
        print(f"channel_report: {error}", file=sys.stderr)
        return 2
    try:
        if o["lee-moser"] is not None:
            lee_moser(run, o["lee-moser"])
    except OSError as error:
        print(f"channel_report: {error}", file=sys.stderr)
        return 2
    if not o["no-figure"]:
        try:
            name = o["figure"] or os.path.join(os.path.dirname(path) or ".", "channel.png")
            write_page(os.path.splitext(name)[0], run.title or "Channel", rows, draw(run, tables, name))
        except (ImportError, OSError) as error:
            print(f"channel_report: no figure: {error}", file=sys.stderr)
            return 2
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

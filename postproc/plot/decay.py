#!/usr/bin/env python3
"""Decay of turbulence in periodic boxes: the exponent n of k ~ (t - t0)^-n over sliding windows.

Reads history.nc of one run, or of the runs of an ensemble, which must have records at the same times.
Since d(k/dissipation)/dt = 1/n for any t0, a straight line is fitted to k/dissipation over each window.
The error bar is the standard error of the mean over the runs; with one run it is the standard error of
the slope, which knows only the scatter about the line. Windows are refused

- in which the integral scale L_11 exceeds a tenth of the box, or is not known (on stretched spacings);
- in which -dk/dt, by differences over neighbouring records, and the dissipation by the viscous terms differ
  by more than --closure: the time step or the interval of the records is too long;
- that begin before --after times the k/dissipation of the first record.

Runs in which something drives the flow in all records are refused as well."""

import argparse
import csv
import os
import sys

import numpy as np
import system_python

system_python.require("decay.py", __name__)
from kolmo.guarded import writable  # noqa: E402
from kolmo.plots import MARKS  # noqa: E402
from kolmo.plots import line_style as style  # noqa: E402
from kolmo.namelists import parse  # noqa: E402
import sheet_page  # noqa: E402
from report_page import sheet, title_of, write_sheet  # noqa: E402
from report_page import write_table as write_latex  # noqa: E402
from report_parts import Unreadable, plotter, read_netcdf  # noqa: E402

BOX_MOST = 0.1  # integral scale over the side of the box
CHANGE = 250.0  # Re_T at which Perot (2011) found the exponent to change
RESOLVED = 1.0  # k_max eta, below which the figure has an open mark
RECORDS_LEAST = 5  # in a window
SAFFMAN = (6.0 / 5.0, 3.0 / 2.0)  # above and below this Re_T
NUMBERS = (
    "k",
    "dissipation",
    "velocity_rms",
    "dissipation_time",
    "Re_T",
    "Re_lambda",
    "taylor_length",
    "kolmogorov_length",
    "k_max_eta",
    "gradient_along_skewness",
    "integral_length",
    "integral_length_11",
    "C_eps",
    "C_eps_11",
    "length_over_box",
)
NUMBERS_OF_WINDOW = ("from", "to", "Re_T", "n", "n_error", "k_max_eta", "length_over_box")  # for LaTeX


# inputs of which the viscosity follows
VISCOSITY = ("fluid.nu", "fluid.reynolds", "forcing.target_re_lambda", "forcing.target_kmax_eta")


class Refused(Exception):
    """What is wrong with the files or the arguments."""


class History:
    """The numbers of history.nc of a run. Times are counted from the end of the forcing, or from when the
    bodies vanished, if there was one or the other."""

    def __init__(self, path):
        self.path = os.path.join(path, "history.nc") if os.path.isdir(path) else path
        try:
            contents = read_netcdf(self.path)
            if contents is None:
                raise Unreadable("no such file")
            values = contents["values"]
            inputs = parse(contents["words"].get("input", ""))
            self.title = title_of(inputs)
            self.viscosity = {name: inputs[name] for name in VISCOSITY if name in inputs}
            since, time = values["time_of_decay"], values["time"]
            self.column = {name: values[name] for name in NUMBERS}
            exponent = values.get("decay_exponent", np.zeros(1))
            power = values.get("force_power", np.zeros(1))[1:]  # that of the first record is of no step
        except Unreadable as fault:
            raise Refused(
                f"{self.path}: {fault}; give history.nc, or the folder of a run with &history"
            ) from None
        decays = np.isfinite(since)
        keep = decays if decays.any() else np.ones(len(time), bool)
        self.time = (since if decays.any() else time)[keep]
        self.column = {name: value[keep] for name, value in self.column.items()}
        self.driven = not decays.any() and not np.isfinite(exponent).any()  # or too short for a window
        self.forced = not decays.any() and power.size > 0 and bool(np.all(power != 0))


def told(inputs):
    """Settings as words."""
    return ", ".join(f"{name} = {' '.join(words)}" for name, words in inputs.items()) or "not told"


def ensemble(paths):
    """The histories, which must have the same times."""
    runs = [History(path) for path in paths]
    first = runs[0]
    for run in runs[1:]:
        count = min(len(run.time), len(first.time))
        same = len(run.time) == len(first.time) and np.allclose(run.time, first.time, rtol=1e-9, atol=1e-12)
        if not same:
            different = np.flatnonzero(
                ~np.isclose(run.time[:count], first.time[:count], rtol=1e-9, atol=1e-12)
            )
            where = (
                f"record {different[0]}: {run.time[different[0]]:.9g}, not {first.time[different[0]]:.9g}"
                if len(different)
                else f"{len(run.time)} records, not {len(first.time)}"
            )
            raise Refused(
                f"{run.path}: its times are not those of {first.path} ({where}); write both with the same "
                "history.interval_time and output.cut_steps = .true., and let their decay begin at the same "
                "time"
            )
        if run.viscosity != first.viscosity:
            raise Refused(
                f"{run.path}: its viscosity is another one than that of {first.path} ({told(run.viscosity)}, "
                f"not {told(first.viscosity)}); put a lone + between ensembles"
            )
    for number, run in enumerate(runs):
        for other in runs[:number]:
            if all(run.column[name].tobytes() == other.column[name].tobytes() for name in NUMBERS):
                raise Refused(
                    f"{run.path}: all its numbers are those of {other.path}, and one run must not count "
                    "twice; leave it out"
                )
    return runs


def balance(run):
    """The dissipation from -dk/dt, by differences over neighbouring records, less that of the operator,
    over the latter. At the first and last record it is not known."""
    k, t, eps = run.column["k"], run.time, run.column["dissipation"]
    out = np.full(len(t), np.nan)
    if len(t) > 2:
        below, above = np.diff(t)[:-1], np.diff(t)[1:]  # second order at unequal distances
        slope = (np.diff(k)[1:] / above * below + np.diff(k)[:-1] / below * above) / (below + above)
        out[1:-1] = -slope / eps[1:-1] - 1.0
    return out


def slope_of(t, y):
    """Slope of a straight line and its standard error."""
    x = t - t.mean()
    slope = float(x @ (y - y.mean()) / (x @ x))
    rest = y - y.mean() - slope * x
    return slope, float(np.sqrt(rest @ rest / max(len(t) - 2, 1) / (x @ x)))


def spans(time, ratio):
    """The records of each span of time from t to ratio t, each beginning halfway (in the logarithm) through
    the one before."""
    out, start = [], time[time > 0].min(initial=np.inf)
    while start * ratio <= time[-1] * (1 + 1e-9):
        out.append(np.flatnonzero((time >= start * (1 - 1e-9)) & (time <= start * ratio * (1 + 1e-9))))
        start *= np.sqrt(ratio)
    return out


def windows(time, ratio):
    """First and one past the last record of each span with enough records for a fit."""
    return [(s[0], s[-1] + 1) for s in spans(time, ratio) if len(s) >= RECORDS_LEAST]


def fit(runs, ratio):
    """A row for each window: the exponent with its error bar, where it lies, and how good the box was."""
    rows = []
    for run in runs:
        if run.forced or (run.driven and len(windows(run.time, 1.5)) > 1):
            raise Refused(
                f"{run.path}: something drives the flow in all records; switch "
                "the forcing off by forcing.decay = .true. and a restart"
            )
    rest = [balance(run) for run in runs]
    for lo, hi in windows(runs[0].time, ratio):
        part = slice(lo, hi)
        slopes = [slope_of(run.time[part], run.column["dissipation_time"][part]) for run in runs]
        n = np.array([1.0 / slope for slope, _ in slopes])
        error = (
            float(np.std(n, ddof=1) / np.sqrt(len(n)))
            if len(runs) > 1
            else float(slopes[0][1] / slopes[0][0] ** 2)
        )
        off = np.concatenate([r[part] for r in rest])
        rows.append(
            {
                "from": runs[0].time[lo],
                "to": runs[0].time[hi - 1],
                "records": hi - lo,
                "runs": len(runs),
                "n": float(n.mean()),
                "n_error": error,
                "Re_T": float(np.mean([np.exp(np.mean(np.log(r.column["Re_T"][part]))) for r in runs])),
                "k_max_eta": float(np.min([r.column["k_max_eta"][part] for r in runs])),
                "length_over_box": float(np.max([r.column["length_over_box"][part] for r in runs])),
                "dissipation_off": float(np.nanmax(np.abs(off))) if np.isfinite(off).any() else np.nan,
                "turnovers": float(np.mean([r.time[lo] / r.column["dissipation_time"][0] for r in runs])),
            }
        )
    return rows


def refusal(row, options):
    """Why a window is not counted; None if it is."""
    if np.isnan(row["length_over_box"]):
        return "the integral scale is not known, as in boxes of stretched spacings"
    if row["length_over_box"] > BOX_MOST:
        return f"the integral scale exceeds {BOX_MOST:g} of the box"
    if not row["dissipation_off"] <= options.closure:
        return f"-dk/dt and the dissipation differ by more than {100 * options.closure:g} %"
    if row["turnovers"] < options.after:
        return f"it begins before {options.after:g} times the first k/dissipation"
    return None


def tell_short(time, ratio):
    """Prints which windows have too few records, or that the records are too short for one."""
    found = [len(records) for records in spans(time, ratio)]
    short = sum(count < RECORDS_LEAST for count in found)
    if not found:
        print(
            f"  no window from t to {ratio:g} t lies in the records, t {time[0]:.4g} to {time[-1]:.4g}: "
            "follow the decay for longer, or make --window smaller"
        )
    elif short:
        print(
            f"  {short} more have fewer than {RECORDS_LEAST} records and are left out; a smaller "
            "history.interval_time makes more records"
        )


def tell(label, rows, time, options):
    """Prints the windows of an ensemble. Returns those that count."""
    reasons = [refusal(row, options) for row in rows]
    kept = [row for row, why in zip(rows, reasons) if why is None]
    print(f"{label}: {len(kept)} windows; {len(rows) - len(kept)} refused")
    for why in sorted({r for r in reasons if r is not None}):
        print(f"  {reasons.count(why)} refused, as {why}")
    tell_short(time, options.window)
    for r in kept:
        print(
            f"  t {r['from']:9.4g} to {r['to']:9.4g}  Re_T {r['Re_T']:8.4g}  n {r['n']:7.4f} +- "
            f"{r['n_error']:.4f}  k_max eta {r['k_max_eta']:6.3f}  "
            f"L_11/box {r['length_over_box']:6.4f}  "
            f"-dk/dt off by {100 * r['dissipation_off']:.2f} %"
        )
    return kept


def averages(runs):
    """Mean over the runs at each time, and its standard error (NaN with one run)."""
    out = {"time": runs[0].time}
    for name in NUMBERS:
        values = np.stack([run.column[name] for run in runs])
        out[name] = values.mean(axis=0)
        out[name + "_error"] = (
            values.std(axis=0, ddof=1) / np.sqrt(len(runs))
            if len(runs) > 1
            else np.full(len(runs[0].time), np.nan)
        )
    return out


def folder_of(path):
    """The folder of a run that is given by this or by its history.nc."""
    whole = os.path.abspath(path)
    return os.path.dirname(whole) if os.path.basename(whole) == "history.nc" else whole


def labels_of(ensembles):
    """A label for each ensemble: the end of the name of the folder of its first run, as long as it takes to
    tell them apart, and how many more there are."""
    names = [folder_of(members[0]).split(os.sep) for members in ensembles]
    length = 1
    while len({tuple(n[-length:]) for n in names}) < len(names) and length < max(map(len, names)):
        length += 1
    return [
        "/".join(n[-length:]) + (f" and {len(m) - 1} more" if len(m) > 1 else "")
        for n, m in zip(names, ensembles)
    ]


def write_table(path, columns):
    """A table with a header line."""
    with open(writable(path), "w", newline="", encoding="utf-8") as target:
        table = csv.writer(target)
        table.writerow(columns)
        table.writerows(zip(*[[f"{v:.10g}" for v in column] for column in columns.values()]))


def draw(path, groups, title):
    """The figure n(Re_T): a colour for each ensemble, beside the exponents of Saffman's theory, which are
    drawn out where Perot found them. Marks are open where k_max eta is below 1."""
    plt = plotter()
    figure, panels = sheet(plt, 1, 1, title)
    axis = panels[0][0]
    for number, (label, rows) in enumerate(groups):
        color = style(number)["color"]
        for good in (True, False):
            part = [r for r in rows if (r["k_max_eta"] >= RESOLVED) == good]
            axis.errorbar(
                [r["Re_T"] for r in part],
                [r["n"] for r in part],
                yerr=[r["n_error"] for r in part],
                fmt=MARKS[number % len(MARKS)],
                ms=3.5,
                capsize=2,
                color=color,
                markerfacecolor=color if good else "white",
                label=label if part and (good or len(part) == len(rows)) else None,
            )
    axis.set_xscale("log")
    low, high = axis.get_xlim()
    for value, words, part in zip(SAFFMAN, ("6/5", "3/2"), ((CHANGE, high), (low, CHANGE))):
        axis.axhline(value, color="grey", linewidth=0.8, linestyle=":")
        if part[0] < part[1]:  # where Perot (2011) found it
            axis.plot(part, (value, value), color="grey", linewidth=1.4)
        axis.annotate(
            words,
            (1.0, value),
            xycoords=("axes fraction", "data"),
            xytext=(3, -3),
            textcoords="offset points",
        )
    axis.set_xlim(low, high)
    axis.set(xlabel=r"$Re_T = k^2/(\nu\varepsilon)$", ylabel="decay exponent $n$")
    return write_sheet(plt, figure, path)


def write_page(stem, title, kept, results, pictures):
    """The windows as a table of LaTeX, and the page."""
    head = ("runs", *NUMBERS_OF_WINDOW)
    rows = [(label, *(f"{r[n]:.5g}" for n in NUMBERS_OF_WINDOW)) for label, part in kept for r in part]
    write_latex(stem + ".tex", head, rows)
    refused = sum(len(part) for _, part in results) - len(rows)
    words = f"{len(rows)} windows; {refused} refused"
    name = os.path.basename(stem) + "-1"
    sheet_page.write(
        stem + ".html",
        title or "Decay of turbulence",
        [("Windows", words, False, head, rows, None, [name] * len(rows))],
        pictures,
    )


def main(arguments):
    """The program."""
    parser = argparse.ArgumentParser(
        prog="kolmo-decay", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "runs",
        nargs="+",
        help="history.nc, or folders of runs: one ensemble. A lone + begins the "
        "next ensemble, for another Reynolds number.",
    )
    parser.add_argument(
        "--window",
        type=float,
        default=1.5,
        metavar="RATIO",
        help="end of a window over its start, in time (default 1.5)",
    )
    parser.add_argument(
        "--closure",
        type=float,
        default=0.01,
        metavar="SHARE",
        help="by which -dk/dt and the dissipation may differ in a window (default 0.01)",
    )
    parser.add_argument(
        "--after",
        type=float,
        default=0.0,
        metavar="N",
        help="windows begin after N times the k/dissipation of the first record (default 0)",
    )
    parser.add_argument("--csv", metavar="FILE", help="write the windows of all ensembles to this table")
    parser.add_argument(
        "--average", metavar="FILE", help="write the averages over the first ensemble at equal times"
    )
    parser.add_argument(
        "--figure",
        metavar="FILE",
        help="draw n over Re_T, also as PDF and SVG; beside it the windows are written as a table of LaTeX, "
        "and both as a page (HTML)",
    )
    options = parser.parse_args(arguments)
    try:
        if not options.window > 1:
            raise Refused(f"--window {options.window:g}: it must be above 1; give for example 1.5")
        if not options.closure > 0:
            raise Refused(f"--closure {options.closure:g}: it must be above 0; give for example 0.01")
        if not options.after >= 0:
            raise Refused(f"--after {options.after:g}: it must be 0 or more; leave it out to begin at once")
        groups, members = [], []
        for name in options.runs + ["+"]:
            if name != "+":
                members.append(name)
            elif members:
                groups.append((members, ensemble(members)))
                members = []
        if not groups:
            raise Refused("no run is given; give history.nc, or the folder of a run with &history")
        labels = labels_of([members for members, _ in groups])
        groups = [(label, runs) for label, (_, runs) in zip(labels, groups)]
        results = [(label, fit(runs, options.window)) for label, runs in groups]
        times = [runs[0].time for _, runs in groups]
        kept = [(label, tell(label, rows, time, options)) for (label, rows), time in zip(results, times)]
        if options.csv:
            rows = [dict(r, ensemble=number) for number, (_, good) in enumerate(kept) for r in good]
            write_table(options.csv, {name: [r[name] for r in rows] for name in (rows[0] if rows else ())})
        if options.average:
            write_table(options.average, averages(groups[0][1]))
        if options.figure and any(rows for _, rows in kept):
            titles = {run.title for _, runs in groups for run in runs}
            title = titles.pop() if len(titles) == 1 else ""
            pictures = draw(options.figure, kept, title)
            write_page(os.path.splitext(options.figure)[0], title, kept, results, pictures)
        elif options.figure:
            print(f"{options.figure} is not drawn: no window is left")
    except (Refused, Unreadable, ImportError, OSError) as fault:
        named = isinstance(fault, OSError) and fault.filename
        words = f"{fault.filename}: {fault.strerror}" if named else fault
        print(f"kolmo-decay: error: {words}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""Writes the page of a case of the validation campaign from the runs that run.py has made.

usage: page.py CASE [--out DIR] [--to FOLDER] [--no-certificate] [--keep]
       page.py CASE --renew [--to FOLDER]

DIR (runs/campaign) has the runs. FOLDER, which is DIR/CASE/page unless it is given, gets CASE.md, CASE.json
with the same numbers, CASE.png, CASE.csv with profiles, CASE-spectrum.png and .csv of forced boxes, and
CASE-GRID.certificate.json for each grid.
`--to docs/validation/results` publishes the page; index.py then renews docs/validation/README.md.
--keep is for runs made where others are not at hand: grids that are not in DIR, but count on the page that
FOLDER has, keep their numbers, and the page says so. Curves are kept of the finest grid of a page alone.
--renew reads no runs: it judges the numbers of FOLDER/CASE.json anew and draws the figure again.

Segments of a grid are merged by kolmo-merge. A grid of a flow that is statistically steady counts as soon as
it has averages over a turnover; of other flows a grid counts when its run has ended.
Values on two grids are extrapolated at second order; a third grid tells how much that is worth, and without
one all that the extrapolation adds counts as its error. The verdict is 'pass' if the difference from the
reference and its error bar are within what is wanted, 'fail' if the difference is not, even less two error
bars, and 'none' otherwise."""

import json
import os
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.realpath(os.path.join(HERE, "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "postproc", "plot"))
import system_python  # noqa: E402

system_python.require("page.py", __name__)
import numpy as np  # noqa: E402
import cases  # noqa: E402
import figure  # noqa: E402
import judge  # noqa: E402
import kept  # noqa: E402
import measure  # noqa: E402
import scaled_spectra  # noqa: E402
import separation  # noqa: E402
from kolmo import launch  # noqa: E402
from report_parts import Unreadable, plotter, read_netcdf  # noqa: E402
from run import ONCE, Fault, gpu_seconds, leave, minutes, setting_words, works  # noqa: E402

CERTIFICATE_SECONDS = 300
PROFILES = {
    True: "Profiles are compared by the norm of the difference over that of the table, terms of budgets by "
    "the largest difference over the largest production; beside it stands its place in wall units. A "
    "standard error is the norm of that of the profile, of a budget over the largest production. The whole "
    "error has that of the extrapolation, too, and is that at the places of the table, of a budget that "
    "where the difference is largest. So it may be the smaller one. Names are those of the tables: x along "
    "the stream, y and v normal to the wall, z and w along the span. mkm: Moser, Kim and Mansour 1999; lm: "
    "Lee and Moser 2015; hj: Hoyas and Jimenez 2008.\n",
    False: "Curves are compared by the norm of the difference over that of the table, or by the largest "
    "difference where the table says so. The whole error has that of the extrapolation, too, and is that at "
    "the places of the table or where the difference is largest.\n",
}
SHORTEST = 0.75  # turnovers of averages: shorter ones tell nothing


# ---- runs --------------------------------------------------------------------------------------------------


def is_usable(case, work):
    """Whether its numbers count."""
    if case.steady or case.develop > 0:
        return (averaged(case, work.folder) or 0.0) >= SHORTEST
    return work.state["finished"] or (
        case.measure == "taylor_green" and os.path.isfile(os.path.join(work.folder, "series.nc"))
    )


def merged(out, case, group):
    """Folder with the averages of the segments of a grid; that of the only one where there is one."""
    if len(group) == 1:
        return group[0].folder
    to = os.path.join(out, case.name, "merged-" + group[0].grid.name)
    os.makedirs(to, exist_ok=True)
    for name in ("statistics.nc", "spectra.nc"):
        if not all(os.path.isfile(os.path.join(w.folder, name)) for w in group):
            continue
        words = [launch.find_program("kolmo-merge"), "--replace", "--only", name, "--out", to]
        words += [w.folder for w in group]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Unreadable(f"kolmo-merge: {done.stderr.strip() or done.stdout.strip()}")
    return to


def averaged(case, folder):
    """Turnovers of the averages, of profiles or of cells; None without."""
    path = os.path.join(folder, "statistics.nc")
    found = read_netcdf(path) if os.path.isfile(path) else None
    time = None if found is None else found["values"].get("averaging_time")
    if time is None:
        time = separation.averaging_time(folder)
    return None if time is None else float(time) / case.turnover


def summary(case, group, folder):
    """What was run of a grid, for the page."""
    parts = [p for w in group for p in w.state["parts"]]
    steps, seconds = sum(p["steps"] for p in parts), sum(p["seconds"] for p in parts)
    cells = group[0].grid.cells
    return {
        "name": group[0].grid.name,
        "n": list(group[0].grid.n),
        "segments": len(group),
        "parts": len(parts),
        "steps": steps,
        "seconds": round(seconds, 1),
        "ns": round(1e9 * seconds / max(steps * cells, 1), 3),
        "finished": all(w.state["finished"] for w in group),
        "failed": [e for w in group for e in [w.state["parts"][-1]["exit"]] if e not in (0, 5)],
        "device": group[0].state.get("device", ""),
        "version": group[0].state.get("version", ""),
        "ranks": group[0].state.get("ranks", 1),
        "averaged": averaged(case, folder),
        "begins_with": group[0].state.get("begins_with"),
        "after": begins_after(case, group[0]),
        "other": other_settings(case, group[0]),
    }


def begins_after(case, work):
    """Turnovers before the averages, where they are not those of the case: of a run that had too little
    time."""
    own = work.state.get("settings", {}).get("statistics.start")
    develop, _ = case.span(work.grid, work.state["first"])
    if own is None or abs(float(own) / case.turnover - develop) < 0.01:
        return None
    return float(own) / case.turnover


LAID_DOWN = ("grid.n", "run.t_end", "run.seed", "run.walltime", "statistics.start", "output.directory")


def other_settings(case, work):
    """Settings of a run that are not those of the case today: {name: [of the run, of the case]}."""

    def texts(settings):
        return {n: setting_words({n: v})[1].partition("=")[2] for n, v in settings.items()}

    lists = work.state.get("settings", {})
    own = texts({n: tuple(v) if isinstance(v, list) else v for n, v in lists.items()})
    table = texts({**case.settings, **work.grid.settings})
    names = [n for n in own if n in table or not n.startswith(("initial.", "checkpoint.", *LAID_DOWN))]
    return {
        n: [own.get(n), table.get(n)]
        for n in [*names, *(t for t in table if t not in own)]
        if own.get(n) != table.get(n)
    }


def collect(out, case):
    """Grids that were run: what was done, and the quantities of those that count."""
    grids, lines, times, done = [], [], [], []
    everything = works(out, case)
    for grid in case.grids:
        group = [w for w in everything if w.grid.name == grid.name]
        if not group:
            continue
        good = [w for w in group if is_usable(case, w)]
        folder = group[0].folder
        if good and not grid.seed:
            try:
                folder = merged(out, case, good)
                lines.append(measure.lines_of(case, folder))
                grids.append(grid.name)
                times.append(averaged(case, folder))
            except (Unreadable, OSError, KeyError) as error:
                print(f"page.py: {case.name} {grid.name}: not counted: {error}", file=sys.stderr)
        done.append(summary(case, group, folder))
    return done, grids, judge.widened(lines, times) if case.steady else lines


# ---- certificates ------------------------------------------------------------------------------------------


def certificate(case, work, to):
    """Has kolmo-report certify a run. Returns its verdicts, and what is to be said."""
    tables = [t for t in map(measure.table_path, case.tables) if t is not None and case.measure != "cylinder"]
    tool = [sys.executable, os.path.join(ROOT, "postproc", "kolmo-report"), "--certificate", "--no-page"]
    with_tables = [w for t in tables for w in ("--reference", t)]
    note = ""
    for words in ([with_tables, []] if with_tables else [[]]):
        try:
            done = subprocess.run(
                tool + words + [work.folder],
                capture_output=True,
                text=True,
                check=False,
                timeout=CERTIFICATE_SECONDS,
            )
        except subprocess.TimeoutExpired:
            return None, f"no certificate within {CERTIFICATE_SECONDS} s"
        if done.returncode in (0, 1):
            break
        note = (done.stderr.strip().splitlines() or ["no reason"])[-1].replace(measure.TABLES + os.sep, "")
    else:
        return None, f"no certificate: {note}"
    with open(os.path.join(work.folder, "certificate.json"), encoding="utf-8") as file:
        text = file.read()
    commands = [shlex.split(p["command"]) for p in work.state["parts"]]
    programs = {c[3 if c[0] == "mpirun" else 0] for c in commands}
    folders = {work.folder} | {os.path.dirname(c[4 if c[0] == "mpirun" else 1]) for c in commands}
    places = [(os.path.dirname(os.path.dirname(f)), "runs/campaign") for f in folders] + [(ROOT, ".")]
    for place, word in [(p, "kolmo") for p in programs] + places:  # they are of one machine
        text = text.replace(place, word)
    with open(os.path.join(to, f"{case.name}-{work.name}.certificate.json"), "w", encoding="utf-8") as file:
        file.write(text)
    rows = json.loads(text)["verdicts"]
    return rows, f"without tables, for {note}" if note else ""


# ---- text --------------------------------------------------------------------------------------------------


def short(value):
    """A number of a table."""
    return "" if value is None or not np.isfinite(value) else f"{value:.5g}"


def percent(value):
    """A share."""
    if value is None or not np.isfinite(value):
        return ""
    return f"{100 * value:.1e} %" if 0 < abs(value) < 5e-5 else f"{100 * value:.2f} %"


def beside_bound(value, wanted):
    """A share, with a digit more where it would look like the bound that it is beyond."""
    alike = None not in (value, wanted) and abs(value) > wanted and percent(abs(value)) == percent(wanted)
    return f"{100 * value:.3f} %" if alike else percent(value)


def table(head, rows):
    """Of markdown."""
    return (
        "\n".join(
            ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
            + ["| " + " | ".join(r) + " |" for r in rows]
        )
        + "\n"
    )


def command(case):
    """That makes a page."""
    return f"python3 tests/campaign/run.py {case.name} --minutes 8"


def whole_command(case, grid):
    """That runs a grid without checkpoints to its end in one call, by its estimate."""
    least = int(np.ceil(gpu_seconds(case, [grid]) / (60.0 * ONCE)))
    return f"python3 tests/campaign/run.py {case.name} --grid {grid.name} --minutes {least}"


def device(run):
    """Of a run, with the number of ranks if it is not one."""
    return run["device"] if run["ranks"] == 1 else f"{run['ranks']} ranks, one {run['device']} each"


def others_words(done):
    """Sentences on runs with settings that are not those of the case."""
    told = {}
    for run in done:
        for name, (own, table) in run.get("other", {}).items():
            words = f"{name} = {own}" if own is not None else f"no {name}"
            words += " (not in the case)" if table is None else f" (in the case {table})"
            told.setdefault(words, []).append(run["name"])
    return [
        f"- Other than the case today, grid{'s' if len(names) > 1 else ''} {', '.join(names)}: {words}."
        for words, names in told.items()
    ]


def took(seconds):
    """A time that was measured, below a minute in seconds."""
    return minutes(seconds) if seconds >= 59.5 else f"{seconds:.0f} s"


def averaged_words(case):
    """Head of the column with the length of averages, by what the times of the case are in."""
    if case.turnover != 1.0:
        return "turnovers averaged"
    return f"time averaged [{case.unit[0]}]" if case.unit[0] else "time averaged"


def runs_table(case, done):
    """What was run."""

    def length(d):
        return "" if d["averaged"] is None else f"{d['averaged']:.3g}"

    def state(d):
        return (
            "yes"
            if d["finished"]
            else "FAILED: exit code " + ", ".join(map(str, d["failed"])) if d["failed"] else "not yet"
        )

    return table(
        (
            "grid",
            "cells",
            "segments, parts",
            "steps",
            "time",
            "ns a cell",
            averaged_words(case),
            "ended",
            "device",
            "commit",
        ),
        [
            (
                d["name"],
                " x ".join(map(str, d["n"])),
                f"{d['segments']}, {d['parts']}",
                str(d["steps"]),
                took(d["seconds"]),
                f"{d['ns']:.3g}",
                length(d),
                state(d),
                device(d),
                d["version"],
            )
            for d in done
        ],
    )


def digit(error):
    """An error with one digit."""
    return f"{float(f'{error:.1g}'):g}"


def with_error(value, error):
    """A number and its error bar."""
    return f"{short(value)} +- {digit(error)}" if error else short(value)


def percent_with_error(value, error, wanted=None):
    """A share and its error bar."""
    share = beside_bound(value, wanted)
    return f"{share} +- {percent(error)}" if error and np.isfinite(error) else share


def verdict_words(row):
    """The verdict, with the reason where there is none."""
    why = judge.reason(
        row["difference"],
        row["difference_error"],
        row["wanted"],
        row["n_grids"],
        row["need"],
        row["difference"] is not None,
    )
    return row["verdict"] + (f": {why}" if why else "")


def source_words(row):
    """Where a reference is from."""
    return row["source"] + (" (recalled)" if row.get("recalled") else "")


def doubt(row):
    """The part of the error that is not chance."""
    return max(row["error"] ** 2 - row["statistical"] ** 2, 0.0) ** 0.5


def number_rows(rows, grids):
    """Those with values."""
    return [
        [
            r["quantity"],
            *(with_error(*r["grids"].get(g, (None, None))) for g in grids),
            short(r["value"]) if r["n_grids"] > 1 else "",
            digit(r["statistical"]) if r["statistical"] else "",
            digit(doubt(r)) if r["n_grids"] > 1 and doubt(r) > 1e-6 * r["error"] else "",
            short(r["grid_error"]),
            "" if r["order"] is None else f"{r['order']:.2f}",
            short(r["reference"]),
            source_words(r),
            percent_with_error(r["difference"], r["difference_error"], r["wanted"]),
            percent(r["wanted"]),
            verdict_words(r),
        ]
        for r in rows
        if "value" in r
    ]


def at_place(row):
    """Where the difference of a profile is largest, behind a number."""
    return f" at {row['place']:.3g}" if "place" in row else ""


def coarse_share(case, grids):
    """What the error of the coarser grid is over that of the finer one, if there are two, by the law at which
    they are extrapolated; else None."""
    if len(grids) != 2:
        return None
    coarse, fine = (case.grid(g).spacing for g in grids)
    return (coarse / fine) ** judge.ORDER


def profile_rows(case, rows, grids):
    """Those of profiles, by norms of differences."""
    share = coarse_share(case, grids)
    return [
        [
            r["quantity"],
            source_words(r),
            *(percent(r.get("grid_differences", {}).get(g)) for g in grids),
            beside_bound(r["difference"], r["wanted"]) + at_place(r) if r["n_grids"] > 1 else "",
            percent(r.get("statistical") or None),
            percent(r["difference_error"] or None),
            percent(r.get("grid_error")),
            *([percent(r["grid_error"] and share * r["grid_error"])] if share else []),
            percent(r["wanted"]),
            verdict_words(r),
        ]
        for r in rows
        if "value" not in r
    ]


def is_fitted(rows):
    """Whether averages on three grids or more have errors, by which judge.extrapolate weighs them."""
    return any("value" in r and r["n_grids"] > 2 and r["statistical"] > 0 for r in rows)


def method(rows, grids):
    """Sentences: how values were extrapolated, and what their errors are."""
    if not rows or "statistical" not in rows[0]:  # errors in time of single grids
        return []
    if len(grids) == 1:
        text = [
            "Only one grid has numbers. So nothing is extrapolated, and the error of the grid is not known."
        ]
    elif is_fitted(rows):
        text = [
            "Extrapolated values are those of a fit f + c h^2 to the averages on all grids, with the weights "
            "of their errors. Where chance does not explain the misfit, values on the finest two grids are "
            "extrapolated at second order, and their errors contain the difference from what the two grids "
            "before them give."
        ]
    else:
        text = ["Values on the finest two grids are extrapolated at second order."]
        if len(grids) > 2:
            text.append("Their errors contain the difference from what the two grids before them give.")
    if any((r["statistical"] or 0) > 0 for r in rows):
        friction = any(r["quantity"] in ("Re_tau", "friction coefficient") for r in rows)
        text.append(
            "Errors of one grid are standard errors of the averages, which are themselves known to about a "
            "third" + (", those of the friction to a factor of two or more." if friction else ".")
        )
    if len(grids) > 1 and any(r["n_grids"] == 1 for r in rows):
        text.append("What is exact on every grid is not extrapolated: it is that of the finest grid.")
    if any(r["n_grids"] == 2 for r in rows):
        text.append(
            "Two grids do not tell whether they follow the second order, so all that the extrapolation adds "
            "counts as its error."
        )
    text.append(
        "A verdict is pass if the difference and its error are within what is wanted, and fail if the "
        "difference is not, even less two of its errors."
    )
    if any(r.get("recalled") for r in rows):
        text.append(
            'A reference that is marked "recalled" is quoted from memory; the paper was not at hand.'
        )
    return text


def turnovers(number):
    """In words."""
    text = f"{number:.3g}"
    return text + (" turnover" if text == "1" else " turnovers")


def averages_words(case, done):
    """When averages begin, and what short ones are worth."""
    text = begin_words(case)
    for run in done:
        if run.get("after") is not None:
            flow = f", with the flow of {run['begins_with']}" if run["begins_with"] else ""
            start = f"--grid {run['name']} --set statistics.start={run['after'] * case.turnover:.6g}"
            text += f" Those of grid {run['name']} begin after {turnovers(run['after'])}{flow} (`{start}`)."
    short = [d["name"] for d in done if d["name"] != "seed" and 0 < (d["averaged"] or 0.0) < judge.LONG]
    if case.hands_on and short:
        longer = any((d["averaged"] or 0.0) >= judge.LONG for d in done)
        text += (
            f"\n\nThe averages of {' and '.join(short)} are shorter than {judge.LONG:g} turnovers. Their "
            "own batches give errors that are too small: in channel-590 the friction of parts of 0.9 "
            "turnovers differs by 1.0 %, and their batches say 0.36 % (`parts.py`). So errors here are "
            + ("at least those of the grid with the longest averages, times the root of the ratio of the "
               "times." if longer else f"{judge.SMALL:g} times those of the batches.")
        )  # fmt: skip
    return text + "\n"


def begin_words(case):
    """When averages of a case begin, and what the unit of their times is."""
    unit, letters = case.unit
    if case.turnover == 1.0:
        text = f"Averages begin after {case.develop:g} " + (unit or "units of time")
        text += f"; {letters}" if letters else ""
    else:
        text = "A turnover" + (f", {unit}," if unit else "") + f" is {case.turnover:.4g} units of time"
        text += f"; {letters}" if letters else ""
        text += f". Averages begin after {case.develop:g} turnovers"
    if case.hands_on:
        text += f", and {case.again:g} turnovers after a flow was taken over from another grid"
    return text + "."


def once_words(case):
    """Sentences and commands of grids without checkpoints, which can't go on in the next call."""
    return [
        f"Grid {g.name} writes no checkpoints. A call makes as many of its steps as it has time for; this "
        f"one makes all of them, by the estimate:\n\n    {whole_command(case, g)}\n"
        for g in case.grids
        if g.once
    ]


def page_text(case, result):
    """The page."""
    grids, rows = result["grids_used"], result["rows"]
    text = [
        f"# {case.words[0].upper() + case.words[1:]}\n",
        f"This page was written by `tests/campaign/page.py`. The case is `{case.name}` of "
        f"`tests/campaign/cases.py`, made from `inputs/cases/{case.base}.nml`.",
    ]
    text += [case.note] if case.note else []
    if case.were and any(run["version"] in case.changed for run in result["runs"]):
        text.append(case.were)
    text += [
        "\n## Command\n",
        "    " + command(case),
        "\nThe command is repeated until it says that the case is done.\n",
        *once_words(case),
        "## Runs\n",
        runs_table(case, result["runs"]),
    ]
    others = others_words(result["runs"])
    if others:
        text.append("\n".join(others) + "\n")
    if any(run["version"].endswith("-dirty") for run in result["runs"]):
        text.append(
            "A commit that ends in -dirty was built with changes that were not committed, so a new build of "
            "that commit need not give the same bits.\n"
        )
    if result.get("kept"):
        text.append(
            f"Kept from the page before, without the runs: grid{'s' if len(result['kept']) > 1 else ''} "
            f"{', '.join(result['kept'])}.\n"
        )
    if case.steady or case.develop:
        text.append(averages_words(case, result["runs"]))
    elif case.unit[1]:
        text.append(f"Times are in {case.unit[0]}; {case.unit[1]}.\n")
    if rows:
        text.append("## Results\n")
        words = " ".join(method(rows, grids))
        text += [words + "\n"] if words else []
    numbers, profiles = number_rows(rows, grids), profile_rows(case, rows, grids)
    if numbers:
        text.append(
            table(
                (
                    "quantity",
                    *grids,
                    "extrapolated",
                    "standard error",
                    "error of the extrapolation",
                    "error of the finest grid",
                    "order",
                    "reference",
                    "by",
                    "difference",
                    "wanted",
                    "verdict",
                ),
                numbers,
            )
        )
    if profiles and case.measure == "taylor_green":
        text.append(
            table(
                ("quantity", "table", "largest error", "wanted", "verdict"),
                [
                    (
                        r["quantity"],
                        r["source"],
                        percent_with_error(r["difference"], r["difference_error"], r["wanted"]),
                        percent(r["wanted"]),
                        verdict_words(r),
                    )
                    for r in rows
                ],
            )
        )
    elif profiles:
        text += [
            PROFILES[case.measure == "channel"],
            table(
                (
                    "quantity",
                    "table",
                    *grids,
                    "extrapolated",
                    "standard error",
                    "whole error",
                    "error of the finest grid",
                    *([f"that of grid {grids[0]}"] if coarse_share(case, grids) else []),
                    "wanted",
                    "verdict",
                ),
                profiles,
            ),
        ]
    if not rows:
        text.append("No grid has numbers yet.\n")
    if result.get("profiles"):
        bars = " with their error bars" if any(r.get("statistical") for r in rows if "value" not in r) else ""
        text.append(f"- [{result['profiles']}]({result['profiles']}) has the profiles{bars}.")
    for name in result["missing"]:
        text.append(f"- The table {name} was not there: its rows are missing or have no verdict.")
    for name, entry in result["certificates"].items():
        good = sum(r["pass"] for r in entry["verdicts"] or [])
        words = f"{good} of {len(entry['verdicts'])} verdicts pass" if entry["verdicts"] is not None else ""
        text.append(f"- Certificate of {name}: " + "; ".join(w for w in (words, entry["note"]) if w) + ".")
        text += [
            f"    - {r['quantity']}, {r['table']}: {r['norm']:.3g}, allowed {r['allowed']:.3g}: fails"
            for r in entry["verdicts"] or []
            if not r["pass"]
        ]
    if result["figure"]:
        text.append(f"\n![{case.words}]({result['figure']})")
    if result.get("spectrum"):
        kept = result["spectrum_table"]
        text.append(
            f"\n## Spectrum\n\n{scaled_spectra.WORDS} [{kept}]({kept}) has the numbers.\n\n"
            f"![spectra in Kolmogorov's units]({result['spectrum']})"
        )
    return "\n".join(text).rstrip() + "\n"


# ---- figures -----------------------------------------------------------------------------------------------


def draw(case, result, references, to):
    """The figure of a page from CASE.json and CASE.csv. Returns its name; "" without."""
    kept = result.get("profiles")
    profiles = figure.read_profiles(os.path.join(to, kept)) if kept else {}
    name = case.name + ".png"
    return name if figure.draw(plotter(), case, result, profiles, references, os.path.join(to, name)) else ""


def spectra(out, case, grids, to):
    """Draws and writes the spectra in Kolmogorov's units of the grids that count. Returns the figure and the
    table; "" without."""
    runs = {}
    for work in works(out, case, segments=False) if case.scaled else []:
        if work.grid.name in grids:
            try:
                runs[f"{work.grid.name}^3"] = scaled_spectra.of_run(work.folder)
            except (Unreadable, OSError, KeyError) as error:
                print(f"page.py: {case.name} {work.grid.name}: no spectrum: {error}", file=sys.stderr)
    if not runs:
        return "", ""
    figure, kept = (f"{case.name}-spectrum.{end}" for end in ("png", "csv"))
    scaled_spectra.write_table(runs, os.path.join(to, kept))
    others = scaled_spectra.behind_grid(measure.TABLES)
    scaled_spectra.draw(plotter(), runs, others, os.path.join(to, figure))
    return figure, kept


# ---- the page ----------------------------------------------------------------------------------------------


def write_result(case, result, to):
    """CASE.json and CASE.md."""
    with open(os.path.join(to, case.name + ".json"), "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
        file.write("\n")
    with open(os.path.join(to, case.name + ".md"), "w", encoding="utf-8") as file:
        file.write(page_text(case, result))


def renew(case, to):
    """Judges a page anew by its kept numbers and today's table of cases, and draws its figure again."""
    with open(os.path.join(to, case.name + ".json"), encoding="utf-8") as file:
        result = json.load(file)
    references, _ = measure.references_of(case)
    kept = result.get("profiles")
    profiles = figure.read_profiles(os.path.join(to, kept)) if kept else {}
    result["rows"] = [measure.rejudged(case, row, references, profiles) for row in result["rows"]]
    if result["figure"]:
        result["figure"] = draw(case, result, references, to)
    write_result(case, result, to)
    return result


def write_page(out, case, to, certify=True, keep=False):
    """Writes the files of a case. keep: grids that are not in `out` are those of the page in `to`. Returns
    what CASE.json holds."""
    os.makedirs(to, exist_ok=True)
    done, grids, lines = collect(out, case)
    own = list(grids)
    references, missing = measure.references_of(case)
    page = kept.Page(case, to, own) if keep else None
    if keep:
        grids, lines = kept.joined(case, page, grids, lines)
        done = kept.runs(case, page, done)
    rows = measure.judged(case, grids, lines, references) if grids else []
    if keep:
        rows, grids = kept.with_single(case, page, rows, grids)
    result = {
        "name": case.name,
        "group": case.group,
        "what": case.words,
        "page": f"{case.name}.md",
        "command": command(case),
        "runs": done,
        "grids_used": grids,
        "rows": rows,
        "missing": missing,
        "certificates": page.certificates if keep else {},
        "figure": "",
        "kept": page.names if keep else [],
    }
    for work in works(out, case, segments=False) if certify else []:
        if work.grid.name in own:
            verdicts, note = certificate(case, work, to)
            result["certificates"][work.name] = {"verdicts": verdicts, "note": note}
    with_lines = [g for g in grids if g not in (page.single if keep else [])]
    profiles = measure.profiles_text(case, with_lines, lines) if grids else ""
    if profiles:
        result["profiles"] = case.name + ".csv"
        with open(os.path.join(to, result["profiles"]), "w", encoding="utf-8") as file:
            file.write(profiles)
    if grids:
        try:
            result["figure"] = draw(case, result, references, to)
            result["spectrum"], result["spectrum_table"] = spectra(out, case, grids, to)
        except ImportError as error:
            print(f"page.py: no figure: {error}", file=sys.stderr)
    write_result(case, result, to)
    counts = {v: sum(r["verdict"] == v for r in rows) for v in (judge.PASS, judge.FAIL, judge.NONE)}
    print(
        f"page {os.path.join(to, case.name + '.md')}: "
        + ", ".join(f"{n} {v}" for v, n in counts.items())
        + (f"; missing tables: {', '.join(missing)}" if missing else "")
    )
    return result


def main(words):
    """Exit code."""
    found = {"out": os.path.join("runs", "campaign"), "to": None, "case": None, "certify": True}
    found["renew"], found["keep"], words = False, False, list(words)
    while words:
        word = words.pop(0)
        if word in ("-h", "--help"):
            print(__doc__.strip())
            return 0
        if word == "--no-certificate":
            found["certify"] = False
        elif word == "--keep":
            found["keep"] = True
        elif word == "--renew":
            found["renew"] = True
        elif word in ("--out", "--to") and words:
            found[word[2:]] = words.pop(0)
        elif word.startswith("-") or found["case"] is not None:
            raise Fault(f"{word}: not understood; see --help")
        else:
            found["case"] = word
    try:
        case = cases.find(found["case"])
    except KeyError:
        raise Fault(f"{found['case']}: no such case; run.py --list has them") from None
    out = os.path.abspath(found["out"])
    to = found["to"] or os.path.join(out, case.name, "page")
    if found["renew"]:
        if not os.path.isfile(os.path.join(to, case.name + ".json")):
            raise Fault(f"{to}: there is no {case.name}.json")
        renew(case, to)
        return 0
    if not works(out, case):
        raise Fault(f"{out}: nothing of {case.name} has been run there")
    write_page(out, case, to, found["certify"], found["keep"])
    return 0


if __name__ == "__main__":
    leave("page.py", main)

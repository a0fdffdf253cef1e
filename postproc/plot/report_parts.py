"""What the reports have in common: texts and numbers of files, integrals, matplotlib without a display, the
command line."""
import csv
import logging
import os
import sys

import numpy as np
from kolmo import tables
from kolmo.guarded import Unreadable, Variables, in_child, opened, regular
from kolmo.namelists import parse as namelist
from kolmo.namelists import reals as numbers

__all__ = ["Unreadable", "namelist", "numbers"]


# ---- files -------------------------------------------------------------------------------------------------

def text_of(value):
    """Of an attribute."""
    if isinstance(value, np.ndarray):
        value = value.flat[0] if value.size else ""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


OVER_TIME = ("series.nc", "probes.nc", "history.nc", "bodies.nc")  # the others hold averages


@in_child
def contents_of(path):
    """Variables, global attributes, units and words of the variables of a NetCDF file."""
    with opened(path) as file:
        variables = tables.netcdf_variables(file, file, {})
        values = {n: v.values.astype(float) for n, v in variables.items() if v.dtype.kind in "fiu"}
        latest = tables.netcdf_variables(file, file["latest"], {}) if "latest" in file else {}
        return {"values": Variables(path, values),
                "latest": {n: v.values.astype(float) for n, v in latest.items()},
                "words": {n: text_of(v) for n, v in file.attrs.items() if not n.startswith("_")},
                "units": {n: text_of(v.attrs["units"]) for n, v in variables.items()},
                "about": {n: text_of(v.attrs.get("long_name", n)) for n, v in variables.items()}}


def read_netcdf(path):
    """The contents of a file; None where there is no such file. A file without samples or records of a run is
    refused."""
    if not regular(path):
        return None
    found = contents_of(path)
    wanted = "time" if os.path.basename(path) in OVER_TIME else "n_samples"
    if wanted not in found["values"]:
        raise Unreadable(f"{path}: it has no variable '{wanted}'; it is damaged, or it is no such file of a "
                         "run")
    return found


class Row(dict):
    """Words of a row of a table by their column; `where`: file and line."""

    def __init__(self, where, pairs):
        super().__init__(pairs)
        self.where = where

    def number(self, name):
        """Of a column that the table has."""
        try:
            return float(self[name])
        except ValueError:
            raise Unreadable(f"{self.where}: {name} is '{self[name]}'; a number is wanted") from None


def read_rows(path):
    """Of a CSV table with # lines before its header: these lines, the names of its columns, its rows."""
    regular(path)
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise Unreadable(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Unreadable(f"{path}: it is no text; a table of comma-separated values is wanted") from None
    about, names, rows = [], None, []
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            about.append(line)
        elif line.strip():
            words, where = [w.strip()
                            for w in next(csv.reader([line], skipinitialspace=True))], f"{path}:{number}"
            if names is None:
                names = words
                twice = [w for w in words if words.count(w) > 1]
                if twice:
                    raise Unreadable(f"{where}: the header names '{twice[0]}' twice; give each column a name "
                                     "of its own")
            elif len(words) != len(names):
                raise Unreadable(f"{where}: {len(words)} values, and the header names {len(names)} columns "
                                 f"({', '.join(names)}); give one for each, between commas")
            else:
                rows.append(Row(where, zip(names, words)))
    if not rows:
        raise Unreadable(f"{path}: no {'rows below its header' if names else 'header'}; a line of column "
                         "names and two or more rows below it are wanted, see --help")
    return about, names, rows


# ---- numbers and figures -----------------------------------------------------------------------------------

def over(x, values):
    """Integral by the trapezoidal rule."""
    return float((0.5 * (values[1:] + values[:-1]) * np.diff(x)).sum())


def plotter():
    """matplotlib.pyplot without a display."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # on caches, where the home can't be written
    import matplotlib
    matplotlib.use("Agg")
    # a line for each font of a PDF, on the age of the font
    logging.getLogger("fontTools").setLevel(logging.ERROR)
    import matplotlib.pyplot as plt
    return plt


def sound(name, place, column):
    """Refuses a table that has no two rows, values that are no numbers, or places that don't increase: what
    is interpolated in it would mean nothing."""
    x = column[place]
    if x.size < 2:
        raise Unreadable(f"table {name}: {x.size} rows; two or more are wanted")
    for words, values in column.items():
        if not np.isfinite(values).all():
            raise Unreadable(f"table {name}: {words} is {values[~np.isfinite(values)][0]:g} in row "
                             f"{int(np.argmin(np.isfinite(values))) + 1}")
    if not (np.diff(x) > 0).all():
        row = int(np.argmin(np.diff(x) > 0))
        raise Unreadable(f"table {name}: {place} must increase from row to row, and {x[row + 1]:g} follows "
                         f"{x[row]:g}")


def overlap(name, place, x, there):
    """Which of the run's places x are in the table's range; refused where fewer than two are."""
    both = np.isfinite(x) & (x >= there[0]) & (x <= there[-1])
    if both.sum() < 2:
        raise Unreadable(f"table {name}: its {place}, {there[0]:g} to {there[-1]:g}, are not those of the "
                         f"run, {np.nanmin(x):g} to {np.nanmax(x):g}")
    return both


# ---- the command line --------------------------------------------------------------------------------------

def share_of(text, allowed):
    """The name and the number of NAME=SHARE."""
    name, _, share = text.partition("=")
    try:
        value = float(share)
    except ValueError:
        value = -1.0
    if name not in allowed or not value > 0:
        raise Unreadable(f"--allow {text}: wanted is NAME=SHARE with a name of {', '.join(allowed)}")
    return name, value


def exit_code(name, draw, asked, nothing):
    """Of a program that draws: 0 drawn, 1 nothing to draw, 2 a fault, with a message. asked() returns the
    options."""
    try:
        drawn = draw(asked())
    except (Unreadable, ImportError, OSError, ValueError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    if not drawn:
        print(f"{name}: nothing to draw: {nothing}", file=sys.stderr)
    return 0 if drawn else 1


def options(words, about, preset, convert=None, allowed=None):
    """What a command line asks for, by name: options with their presets, and `dir`, the one word that is no
    option. A preset False: a switch; a list: the option may be given several times. convert: by name what
    makes a value of the text; a ValueError refuses it. allowed: the norms that --allow NAME=SHARE changes.
    --help prints `about` and exits, --list-options the
    names of all options."""
    found = {name: list(value) if isinstance(value, list) else value for name, value in preset.items()}
    found.update({"dir": None} | ({"allow": dict(allowed)} if allowed else {}))
    words = list(words)
    while words:
        word = words.pop(0)
        name = word[2:] if word.startswith("--") else ""
        if word in ("-h", "--help"):
            print(about.strip())
            sys.exit(0)
        if word == "--list-options":  # for the completion of shells: packaging/completion.sh
            print("\n".join("--" + n for n in (*preset, *(("allow",) if allowed else ()), "help")))
            sys.exit(0)
        if name in preset and preset[name] is False:
            found[name] = True
        elif name in preset or (name == "allow" and allowed):
            if not words or words[0].startswith("--"):
                raise Unreadable(f"{word} wants a value; see --help")
            text = words.pop(0)
            try:
                value = (convert or {}).get(name, str)(text)
            except ValueError:
                raise Unreadable(f"{word} {text}: not understood; see --help") from None
            if name == "allow":
                key, share = share_of(text, allowed)
                found["allow"][key] = share
            elif isinstance(preset[name], list):
                found[name].append(value)
            else:
                found[name] = value
        elif word.startswith("-") or found["dir"] is not None:
            raise Unreadable(f"{word}: not understood; see --help")
        else:
            found["dir"] = word
    if found["dir"] is None:
        raise Unreadable("which folder? see --help")
    return found

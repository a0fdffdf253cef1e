"""Tables of energy spectra: in the units of the run, or at several stations of a decaying flow and in units
of their own, and what a run has of them."""
import re

import numpy as np

import report_parts
from report_parts import Unreadable


def stations(names):
    """Those of the columns E42, E98, ..., in their order."""
    return [n[1:] for n in names if re.fullmatch(r"E\d+(\.\d+)?", n)]


def known(names):
    """Whether these columns are such a table's."""
    return "k" in names and ("E" in names or bool(stations(names)))


def units_of(text):
    """Length and velocity of --units; a ValueError where they are none."""
    length, velocity = (float(word) for word in text.split(","))
    if not (0 < length < np.inf and 0 < velocity < np.inf):
        raise ValueError(text)
    return length, velocity


def read(name, rows, names, station, units):
    """Name, wavenumber and density in the units of the run. Rows in which a station has no value are left
    out."""
    there = stations(names)
    if "E" not in names and len(there) > 1 and station is None:
        raise Unreadable(f"table {name}: it has spectra at {', '.join(there)}; choose one by --station "
                         f"{there[0]}")
    if there and station is not None and station not in there:
        raise Unreadable(f"table {name}: --station {station} is none of its own, {', '.join(there)}")
    chosen = station if there and station is not None else "" if "E" in names else there[0]
    length, velocity = units or (1.0, 1.0)
    k, e = (np.array([r.number(n) for r in rows]) for n in ("k", "E" + chosen))
    some = ~np.isnan(e) if chosen else np.ones(e.size, dtype=bool)
    column = {"k": (k * length)[some], "E": (e / (length * velocity ** 2))[some]}
    report_parts.sound(name, "k", column)
    if not ((column["k"] > 0) & (column["E"] > 0)).all():
        raise Unreadable(f"table {name}: k and E must be above 0")
    return {"name": f"{name}, {chosen}" if chosen else name, "column": column, "station": chosen}


def judge(spectra, table, verdicts):
    """rms of the logarithm of the ratio over the wavenumbers that both have, of whole shells: beyond the
    largest wavenumber along an axis they lack waves."""
    k, e = spectra["k"], spectra["E"]
    whole = k <= min((float(spectra["k" + d].max()) for d in "xyz" if "k" + d in spectra), default=np.inf)
    there, wanted = table["column"]["k"], table["column"]["E"]
    both = report_parts.overlap(table["name"], "wavenumbers", np.where((e > 0) & (k > 0) & whole, k, np.nan),
                                there)
    ratio = np.log(e[both]) - np.interp(np.log(k[both]), np.log(there), np.log(wanted))
    verdicts.add("spectrum, rms of ln E/E_table", table["name"], float(np.sqrt(np.mean(ratio ** 2))),
                 "spectrum")
    return 1

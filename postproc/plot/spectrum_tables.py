"""Tables of energy spectra: in the units of the run, or at several stations of a decaying flow and in units
of their own, and what a run has of them."""
import re

import numpy as np

import report_parts
from report_parts import Unreadable

SAME_TIME = 0.02  # of the run's spectrum and a table's, that are compared


STATION = re.compile(r"E(\d+(?:\.\d+)?)")
TIME = re.compile(r"(?:E[_ ]?)?\(?(?:t[ _]?=?[ ]?)?(\d+\.?\d*(?:[eE][-+]?\d+)?)\)?")


def stations(names):
    """The columns of stations or times, by what --station calls them: E42, E98, or t=0.5, E_t0.5, E(t=0.5),
    0.5."""
    return ({m[1]: n for n in names if (m := STATION.fullmatch(n))}
            or {m[1]: n for n in names if n not in ("k", "E", "t") and (m := TIME.fullmatch(n))})


def timed(names):
    """Whether the columns are of times."""
    return bool(stations(names)) and not any(STATION.fullmatch(n) for n in names)


def in_rows(names, rows):
    """Whether it has the spectra of several times in its rows."""
    return {"t", "k", "E"} <= set(names) and len({r["t"] for r in rows}) < len(rows)


def known(names, rows):
    """Whether these columns are such a table's."""
    return "k" in names and ("E" in names or bool(stations(names))) and ("t" not in names
                                                                         or in_rows(names, rows))


def units_of(text):
    """Length and velocity of --units; a ValueError where they are none."""
    length, velocity = (float(word) for word in text.split(","))
    if not (0 < length < np.inf and 0 < velocity < np.inf):
        raise ValueError(text)
    return length, velocity


def choose(name, labels, station, time):
    """One of the stations: that asked for; of times else that of the run's spectrum."""
    if station is not None:
        found = [w for w in labels if w == station or (same_number(w, station))]
        if not found:
            raise Unreadable(f"table {name}: --station {station} is none of its own, {', '.join(labels)}")
        return found[0]
    if len(labels) == 1 and time is None:
        return labels[0]
    if time is None:
        raise Unreadable(f"table {name}: it has spectra at {', '.join(labels)}; choose one by --station "
                         f"{labels[0]}")
    near = min(labels, key=lambda w: abs(float(w) - time))
    if abs(float(near) - time) > SAME_TIME * max(abs(time), 1e-300):
        raise Unreadable(f"table {name}: it has spectra at t = {', '.join(labels)}, and the run's is of t = "
                         f"{time:.6g}; choose one by --station {near}")
    return near


def same_number(one, other):
    """Whether two words are the same number."""
    try:
        return float(one) == float(other)
    except ValueError:
        return False


def read(name, rows, names, station, units, time=None):
    """Name, wavenumber and density in the units of the run. Rows in which a station has no value are left
    out. time: of the run's spectrum."""
    chosen = ""
    if in_rows(names, rows):
        chosen = choose(name, list(dict.fromkeys(r["t"] for r in rows)), station, time)
        rows, key = [r for r in rows if r["t"] == chosen], "E"
    else:
        there = stations(names)
        if there and (station is not None or "E" not in names):
            chosen = choose(name, list(there), station, time if timed(names) else None)
        key = there[chosen] if chosen else "E"
    length, velocity = units or (1.0, 1.0)
    k, e = (np.array([r.number(n) for r in rows]) for n in ("k", key))
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

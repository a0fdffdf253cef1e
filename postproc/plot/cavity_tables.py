"""Tables of a lid-driven cavity on its centre lines, against the newest checkpoint of a run. u: along the
lid, on the line normal to it; v: normal to the lid, on the line along it; places and velocities in units of
the side and of the lid."""
import re

import numpy as np

import report_parts
import walls_report
from report_parts import Unreadable, over

LINES = {"y": "u", "x": "v"}            # place of a table of one line, and its component
OF_RUN = {"u": "u", "v": "w"}           # the lid is the upper end of z
WORDS = {"u": "u on the line normal to the lid", "v": "v on the line along the lid"}
SAME_RE = 1e-3


def known(names):
    """Whether these columns are such a table's."""
    return {"component", "coordinate",
            "velocity"} <= set(names) or (len(names) > 1 and names[0] in LINES
                                          and all(re.fullmatch(r"Re[0-9.]+", n) for n in names[1:]))


def read(name, rows, about):
    """{(component, Re): (places, velocities)}; Re of a table that names components is what its # lines say,
    None where they don't. nan: not known."""
    names, found = list(rows[0]), {}
    if names[0] in LINES:
        for column in names[1:]:
            found[LINES[names[0]], float(column[2:])] = [(r.number(names[0]), r.number(column)) for r in rows]
    else:
        match = re.search(r"\bRe *= *([0-9.]*[0-9])", about)
        for r in rows:
            if r["component"] not in OF_RUN:
                raise Unreadable(f"table {name}: component {r['component']}; u and v are known")
            found.setdefault((r["component"], float(match[1]) if match else None),
                             []).append((r.number("coordinate"), r.number("velocity")))
    lines = {}
    for (component, reynolds), pairs in found.items():
        place, velocity = np.array([p for p in pairs if np.isfinite(p[1])]).reshape(-1, 2).T
        report_parts.sound(f"{name}, {component}", "place", {"place": place, "velocity": velocity})
        lines[component, reynolds] = (place, velocity)
    return lines


def cavity_of(run):
    """The run's Reynolds number and lines; None where it is no cavity in a square, or a cube, whose lid is
    the upper end of z and moves along x."""
    flow = walls_report.Run(run.folder)
    if not walls_report.is_cavity(flow):
        return None
    lines = walls_report.centre_lines(flow)
    return {"reynolds": flow.lid() * flow.length[2] / flow.nu, "lines": {c: lines[OF_RUN[c]] for c in OF_RUN},
            "time": flow.time}


def pairs(cavity, table):
    """[(component, places of the table, its velocities, the run's)] of the run's Reynolds number."""
    found = []
    for (component, reynolds), (place, velocity) in table["lines"].items():
        if reynolds is None or abs(reynolds / cavity["reynolds"] - 1) <= SAME_RE:
            x, u = cavity["lines"][component]
            found.append((component, place, velocity, np.array([walls_report.cubic(x, u, p) for p in place])))
    return found


def judge(cavity, table, verdicts):
    """How many lines were compared."""
    found = pairs(cavity, table)
    for component, place, wanted, own in found:
        verdicts.add(WORDS[component], table["name"],
                     (over(place, (own - wanted) ** 2) / max(over(place, wanted ** 2), 1e-300)) ** 0.5,
                     "centre line")
    if not found:
        numbers = ", ".join(f"{r:g}" for r in sorted({r for _, r in table["lines"]}))
        raise Unreadable(f"table {table['name']}: it is of Re {numbers}, the run of {cavity['reynolds']:g}")
    return len(found)

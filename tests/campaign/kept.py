"""What a page that exists has kept of grids whose runs are not at hand: their numbers in CASE.json, and in
CASE.csv the curves of its finest grid."""

import json
import math
import os

import figure
import measure
from judge import Line
from run import Fault


class Page:
    """The grids of FOLDER/CASE.json but those in `have`.

    names: of the grids that count; lines: {grid: {quantity: Line}}; runs, certificates: as in CASE.json;
    rows: those of CASE.json, by their quantity."""

    def __init__(self, case, folder, have):
        path = os.path.join(folder, case.name + ".json")
        if not os.path.isfile(path):
            raise Fault(f"{folder}: there is no {case.name}.json, whose grids could be kept")
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        self.names = [g for g in result["grids_used"] if g not in have]
        self.runs = [r for r in result["runs"] if r["name"] not in have]
        self.certificates = {n: c for n, c in result["certificates"].items() if n in self.names}
        self.rows = {r["quantity"]: r for r in result["rows"]}
        self.lines = {g: {} for g in self.names}
        references, _ = measure.references_of(case)
        for ref in references:
            values = self.rows.get(ref.words or ref.quantity, {}).get("grids", {})
            for grid in self.names:
                if grid in values:
                    self.lines[grid][ref.quantity] = Line(None, *values[grid])
                elif values and ref.exact:  # of the finest grid alone, so that none reads the others
                    self.lines[grid][ref.quantity] = Line(None, math.nan, math.nan)
        finest = result["grids_used"][-1] if result["grids_used"] else None
        if result.get("profiles") and finest in self.lines:
            curves = figure.read_profiles(os.path.join(folder, result["profiles"]))
            for quantity, (place, _, _, value, error) in curves.items():
                self.lines[finest][quantity] = Line(place, value, error)
        self.single = [g for g in self.names if not self.lines[g]]
        if case.scaled and self.names:
            lacks(case, self.names, "spectra")
        if self.single and case.measure != "taylor_green":
            lacks(case, self.single, "curves")


def lacks(case, grids, what):
    """Refuses a page that would lose something."""
    raise Fault(
        f"{case.name}: the page has not kept the {what} of {', '.join(grids)}, which would be lost; run "
        f"{'these grids' if len(grids) > 1 else 'this grid'} again"
    )


def runs(case, page, done):
    """Runs of the page and of `done`, as the case has its grids. A grid that the page keeps has its run, even
    if another one has begun that does not count yet; of other grids, such as seeds, the new runs stand."""
    new = {d["name"]: d for d in done if d["name"] not in page.names}
    found = {**{r["name"]: r for r in page.runs}, **new}
    return [found[g.name] for g in case.grids if g.name in found]


def joined(case, page, grids, lines):
    """(grids, lines) of the runs at hand and of the page, from the coarsest to the finest grid, but for grids
    of the page without any kept line."""
    both = {**{g: l for g, l in page.lines.items() if l}, **dict(zip(grids, lines))}
    order = [g.name for g in case.grids if g.name in both]
    return order, [both[g] for g in order]


def with_single(case, page, rows, grids):
    """Rows and names of all grids that count. Rows of one grid alone, of which the page has kept no line, are
    taken as they were. A page that would lose another row is refused."""
    alone = [r for q, r in page.rows.items() for g in page.single if q.endswith(f", {g}^3")]
    found = {r["quantity"] for r in alone + rows}
    if page.names and any(q not in found and "extrapolated from" not in q for q in page.rows):
        lacks(case, page.names, "curves")
    return alone + rows, [g.name for g in case.grids if g.name in page.single + grids]

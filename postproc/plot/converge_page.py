"""The page of kolmo-converge: orders and extrapolated values, those without an order first, each with its
figure; figures and the table for papers."""
import html
import os

from kolmo import converge
from kolmo.guarded import writable
from report_page import Page, plotter


def rows_of(found):
    """Cells of the table, those without an order first; the names of their figures."""
    numbered = sorted(enumerate(found, 1), key=lambda item: item[1].order is not None)
    return [((c.quantity, *(f"{v:.8g}" for v in c.values), "-" if c.order is None else f"{c.order:.2f}",
              f"{c.extrapolated:.8g}", f"{c.uncertainty:.2g}", f"{c.statistical:.2g}",
              "none" if c.order is None else "observed"), c, f"converge-{n}") for n, c in numbered]


def write(folder, title, sizes, found):
    """converge.html, a figure for each quantity as PDF and SVG, and converge.tex."""
    page, rows = Page(plotter(), folder), rows_of(found)
    heads = ["x".join(map(str, size)) for size in sizes]
    page.put(f"<h1>Grid convergence: {html.escape(title)}</h1><p>{html.escape(folder)}: "
             f"{html.escape(', '.join(heads))} cells</p><!--nav-->")
    page.heading("Orders")
    bad = sum(c.order is None for c in found)
    page.words(f"{bad} of {len(found)} WITHOUT AN ORDER" if bad else f"an order for all {len(found)}",
               "sum fail" if bad else "sum")
    page.table(("quantity", *heads, "order", "extrapolated", "uncertainty of the grid", "standard error",
                "order"), [cells for cells, _, _ in rows],
               ["fail" if c.order is None else "pass" for _, c, _ in rows], [name for _, _, name in rows],
               "converge")
    for _, c, _ in rows:
        if c.note:
            page.words(f"{c.quantity}: {c.note}.")
    page.heading("Figures")
    for n, c in enumerate(found, 1):
        page.add(converge.draw(c).figure, f"converge-{n}",
                 f"{c.quantity} over the square of the spacing, with two standard errors, and the "
                 "extrapolated "
                 "value with its uncertainty.")
    with open(writable(os.path.join(folder, "converge.html")), "w", encoding="utf-8") as file:
        file.write(page.text("Grid convergence: " + title))
    print(f"page {os.path.join(folder, 'converge.html')}")

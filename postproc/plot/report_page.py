"""The page of a report: one design for all of its parts. Figures have one size and stand in a grid; tables
scroll where a screen is narrow; verdicts come first and lead to their figures. Nothing is loaded from
elsewhere. Each figure is written as PDF and SVG, each table of numbers as LaTeX, where a folder is given.
Reports without a page have sheet() and write_sheet(): panels of the same size and look."""
import base64
import html
import io
import os
import re

import numpy as np
import report_parts
from kolmo.guarded import writable
from kolmo.plots import COLOURS, COLUMN, LETTERS, few_ticks
from kolmo.plots import line_style as style

SIZE = (COLUMN, 0.75 * COLUMN)  # of every figure, inches: a column of a journal
DPI = 240  # of pictures of many cells
PASS, FAIL = "#0072b2", "#b34700"  # the colour-blind can tell them apart; words say the same
STYLE = """
:root{color-scheme:light}
*{box-sizing:border-box}
body{font:16px/1.45 Georgia,"Times New Roman",serif;color:#1a1a1a;max-width:76rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem;margin:.4rem 0}h2{font-size:1.2rem;margin:1.6rem 0 .5rem;border-bottom:2px solid #ddd}
p{margin:.4rem 0;overflow-wrap:anywhere}a{color:inherit}
nav{font-size:.9rem;margin:.6rem 0}nav a{display:inline-block;margin:0 .9rem .2rem 0}
.sum{font-size:1.15rem;font-weight:bold;padding:.4rem .8rem;border-left:.5rem solid PASS}
.sum.fail{border-color:FAIL;color:FAIL}
.figures{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,21rem),1fr))}
figure{margin:0;border:1px solid #e4e4e4;padding:.5rem;break-inside:avoid}
figure:target{outline:3px solid PASS}
figure img{display:block;width:100%;aspect-ratio:4/3;object-fit:contain}
figcaption{font-size:.85rem;color:#333;margin-top:.3rem;overflow-wrap:anywhere}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem}
td,th{padding:.2rem .7rem .2rem 0;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}
.pass td:last-child{color:PASS}.fail td:last-child{color:FAIL;font-weight:bold}
.fail td:first-child{font-weight:bold}
pre{font-size:.75rem;background:#f6f6f6;padding:.8rem;overflow:auto;max-height:30rem}
code{overflow-wrap:anywhere}
@media print{body{max-width:none;font-size:10pt;padding:0}nav{display:none}
.figures{grid-template-columns:repeat(3,1fr);gap:.4rem}figcaption{font-size:7pt}
figure{border:none}h2{break-after:avoid}
pre{max-height:none;white-space:pre-wrap}.scroll{overflow:visible}}
""".replace("PASS", PASS).replace("FAIL", FAIL)
TEX = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
       **{c: "\\" + c for c in "&%$#_{}"}}


def tex(text):
    """A text for LaTeX."""
    return "".join(TEX.get(c, c) for c in text)


def latex_table(head, rows):
    """A tabular."""
    lines = [" & ".join(map(tex, row)) + r" \\" for row in (head, *rows)]
    return "\n".join([r"\begin{tabular}{" + "l" * len(head) + "}", r"\hline", lines[0], r"\hline", *lines[1:],
                      r"\hline", r"\end{tabular}", ""])


def plotter():
    """matplotlib.pyplot, set for print: a column is 3.4 inches wide, letters of 8 points."""
    plt = report_parts.plotter()
    plt.rcParams.update(LETTERS)
    return plt


class Page:
    """HTML in the making."""

    def __init__(self, plt, figures):
        self.plt, self.figures, self.parts, self.names, self.sections = plt, figures, [], [], []
        self.open = False  # whether the last part is a grid of figures

    def put(self, part):
        """A part that is no figure."""
        if self.open:
            self.parts.append("</div>")
            self.open = False
        self.parts.append(part)

    def heading(self, words):
        """A section."""
        self.sections.append(words)
        self.put(f'<h2 id="section-{len(self.sections)}">{html.escape(words)}</h2>')

    def words(self, text, kind=""):
        """A paragraph."""
        self.put(f"<p{f' class={chr(34)}{kind}{chr(34)}' if kind else ''}>{html.escape(text)}</p>")

    def table(self, head, rows, marks=None, links=None, name=None):
        """Cells as text; marks: a class for each row; links: names of figures that the first cells lead to,
        where the page has them; name: of the LaTeX file."""
        cells = "".join(f"<th>{html.escape(h)}</th>" for h in head)
        body = []
        for n, row in enumerate(rows):
            texts = [html.escape(c) for c in row]
            if links and links[n]:
                texts[0] = f"<!--link {links[n]}-->{texts[0]}<!--/link-->"
            body.append(f"<tr{f' class={chr(34)}{marks[n]}{chr(34)}' if marks else ''}>"
                        + "".join(f"<td>{c}</td>" for c in texts) + "</tr>")
        self.put(f'<div class="scroll"><table><tr>{cells}</tr>{"".join(body)}</table></div>')
        if name and self.figures is not None:
            write_table(os.path.join(self.figures, name + ".tex"), head, rows)

    def add(self, figure, name, words, vector=True):
        """A figure with its words; as SVG, or PNG where it has many cells."""
        for axis in figure.axes:
            few_ticks(axis)
        key(figure)
        picture = drawn(figure, "svg" if vector else "png")
        if self.figures is not None:
            figure.set_layout_engine("none")  # to find where all stands takes as long as to draw it
            figure.savefig(writable(os.path.join(self.figures, name + ".pdf")))
            with open(writable(os.path.join(self.figures, name + ".svg")), "wb") as file:
                file.write(picture if vector else drawn(figure, "svg"))
        self.plt.close(figure)
        self.picture(name, words, picture, "svg+xml" if vector else "png")

    def picture(self, name, words, data, kind):
        """A figure that is drawn already."""
        data = base64.b64encode(data).decode("ascii")
        if not self.open:
            self.parts.append('<div class="figures">')
            self.open = True
        self.names.append(name)
        self.parts.append(f'<figure id="{name}"><img alt="{html.escape(words)}" '
                          f'src="data:image/{kind};base64,{data}"/>'
                          f"<figcaption>{html.escape(words)}</figcaption></figure>")

    def linked(self, text):
        """Names that lead to figures of this page."""
        def link(match):
            here = [name for name in match[1].split("|") if name in self.names]
            return f'<a href="#{here[0]}">{match[2]}</a>' if here else match[2]
        return re.sub(r"<!--link ([\w|-]+)-->(.*?)<!--/link-->", link, text)

    def text(self, title):
        """The whole page."""
        if self.open:
            self.put("")
        links = "".join(f'<a href="#section-{n}">{html.escape(w)}</a>'
                        for n, w in enumerate(self.sections, 1))
        body = self.linked("\n".join(self.parts)).replace("<!--nav-->", f"<nav>{links}</nav>")
        return ("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                '<meta name="viewport" content="width=device-width,initial-scale=1"><title>'
                + html.escape(title) + f"</title><style>{STYLE}</style></head><body>\n" + body
                + "\n</body></html>\n")


def drawn(figure, kind):
    """The bytes of a figure as "svg" or "png"."""
    memory = io.BytesIO()
    figure.savefig(memory, format=kind, dpi=DPI)
    return memory.getvalue()


def verdicts_of(page, rows, notes):
    """The verdicts: their count, those that fail on top, each with a link to its figure. rows: of
    run_report.Verdicts."""
    page.heading("Verdicts")
    bad = sum(not r[4] for r in rows)
    page.words(f"{bad} of {len(rows)} FAIL" if bad else f"all {len(rows)} pass" if rows
               else "nothing is judged", "sum fail" if bad else "sum")
    rows = sorted(rows, key=lambda r: r[4])
    page.table(("quantity", "table", "norm", "allowed", "verdict"),
               [(w, n, f"{f:.3g}", f"{a:.3g}", "pass" if g else "FAIL") for w, n, f, a, g, _ in rows],
               ["pass" if r[4] else "fail" for r in rows], [figure_of(r[0], r[5]) for r in rows], "verdicts")
    for note in notes:
        page.words(note)


FIGURE = {"energy budget": "history_budget", "divergence": "history_divergence",
          "kinetic_energy": "history_kinetic_energy", "dissipation": "history_dissipation",
          "enstrophy": "history_enstrophy", "spectrum": "spectrum_energy", "total stress": "profile_stress",
          "headline": "profile_mean", "U": "profile_mean", "uv": "profile_stress", "pp": "profile_pressure",
          "k": "profile_rms", "uu": "profile_rms", "vv": "profile_rms", "ww": "profile_rms",
          "oxox": "profile_vorticity", "oyoy": "profile_vorticity", "ozoz": "profile_vorticity",
          "epsilon": "budget_k", "duct": "section_U|section_V|section_W"}


def figure_of(words, name):
    """The figure that shows what is judged, or names of which a page has one, between bars; "": none."""
    if name == "budget":
        return "budget_" + words.partition(":")[0]
    if name == "centre line":
        return "centre_line_" + words[:1]
    if name == "spectra at heights":
        found = re.search(r" along ([xyz])", words)
        return f"spectra_heights_{found[1]}" if found else ""
    return FIGURE.get(name, "")


def faults_of(figure):
    """What is wrong with the look of a figure, in words: texts beyond its edges, numbers on an axis that lie
    over one another, a key over a panel, a panel that its words leave too little room."""
    figure.canvas.draw()
    sheet, found = figure.bbox, []
    for number, axis in enumerate(figure.axes, 1):
        panel = axis.get_window_extent()
        bar = axis.get_label() == "<colorbar>"
        if panel.height < 0.3 * sheet.height and axis.get_aspect() == "auto" and not bar:
            found.append(f"panel {number} has {panel.height / sheet.height:.0%} of the height")
        for part in (axis.xaxis, axis.yaxis):
            low, high = sorted(part.get_view_interval())  # of numbers beyond, nothing is seen
            boxes = [t.get_window_extent() for t, at in zip(part.get_ticklabels(), part.get_ticklocs())
                     if t.get_text() and low <= at <= high]
            if any(a.overlaps(b) for n, a in enumerate(boxes) for b in boxes[n + 1:]):
                found.append(f"panel {number}: numbers of an axis overlap")
        legend = axis.get_legend()
        texts = [axis.xaxis.label, axis.yaxis.label, axis.title] + ([legend] if legend else [])
        for text in texts:
            box = text.get_window_extent()
            if box.width > 0 and (box.x0 < -1 or box.y0 < -1 or box.x1 > sheet.x1 + 1
                                  or box.y1 > sheet.y1 + 1):
                found.append(f"panel {number}: a text goes beyond the figure")
        if legend and legend.get_window_extent().y0 < panel.y1 - 1:
            found.append(f"panel {number}: the key lies over it")
        if (legend and axis.get_title()
                and axis.title.get_window_extent().overlaps(legend.get_window_extent())):
            found.append(f"panel {number}: the title lies over the key")
    return found


def axes(page, xlabel, ylabel, **more):
    """One panel; its margins are those that its words want."""
    figure, axis = page.plt.subplots(figsize=SIZE, constrained_layout=True)
    axis.set(xlabel=xlabel, ylabel=ylabel, **more)
    return figure, axis


def profile_line(axis, values, normal, name, number, words, sign=1, shown=None):
    """A profile of statistics.nc over its normal direction, with a band of two standard errors; number: of
    its style. shown: places that are drawn; all others are left out."""
    value = sign * (values[name] if shown is None else np.where(shown, values[name], np.nan))
    place = values[normal] if value.size == values[normal].size else values[normal + "_face"]
    error = np.nan_to_num(values.get(name + "_error", 0 * value))
    axis.plot(place, value, label=words, **style(number))
    axis.fill_between(place, value - 2 * error, value + 2 * error, color=COLOURS[number % len(COLOURS)],
                      alpha=0.2, lw=0)


def title_of(values):
    """run.title of an input, for a figure, where a $ would begin a formula."""
    return " ".join(values.get("run.title") or []).replace("$", r"\$")


def sheet(plt, rows, columns, title=""):
    """A figure of panels of one size for a report without a page, and its axes[row][column]."""
    plt.rcParams.update(LETTERS)
    figure, panels = plt.subplots(rows, columns, squeeze=False, constrained_layout=True,
                                  figsize=(columns * SIZE[0], rows * SIZE[1] + (0.3 if title else 0.0)))
    if title:
        figure.suptitle(title, fontsize=9)
    return figure, panels


def write_sheet(plt, figure, path):
    """Puts the keys above the panels and writes the figure as `path`, and as PDF and SVG beside it. Returns
    the pictures of the panels for a page: (name, words, SVG), named like the file, with their number."""
    for axis in figure.axes:
        few_ticks(axis)
    panels = {}
    for axis in figure.axes:  # an axis on the right has the panel of that on the left
        panels.setdefault(axis.get_subplotspec() or axis, []).append(axis)
    for axes_of in panels.values():
        key_of(axes_of)
    stem, ending = os.path.splitext(path)
    for name in dict.fromkeys((path, stem + ".pdf", stem + ".svg")):
        kind = os.path.splitext(name)[1].lstrip(".") or "png"
        figure.savefig(writable(name) + ".part", dpi=DPI, format=kind)
        figure.set_layout_engine("none")  # the panels stay where they are
        os.replace(name + ".part", name)
    pictures = pictures_of(figure, os.path.basename(stem), list(panels.values()))
    plt.close(figure)
    print(f"figure: {path} (also {os.path.basename(stem)}.pdf and .svg)" if ending not in (".pdf", ".svg")
          else f"figure: {path}")
    return pictures


def plain(label):
    """The words of a label, without the signs of its formulas."""
    text = re.sub(r"\\(?:mathrm|langle|rangle|left|right)|[\\${}]|_(?=\d)", "", label)
    return text.replace("_", " ").strip()


def words_of(axes_of):
    """What a panel shows, as a sentence without its full stop."""
    axis = axes_of[0]
    legend = axis.get_legend()
    title = plain(legend.get_title().get_text() if legend else axis.get_title())
    both = " and ".join(plain(a.get_ylabel()) for a in axes_of if a.get_ylabel())
    text = f"{both} over {plain(axis.get_xlabel())}" if both else ""
    return ": ".join(part for part in (title, text) if part)


def pictures_of(figure, stem, panels):
    """[(name, words, SVG)] of the panels of a sheet that has been drawn; panels: lists of axes."""
    from matplotlib.transforms import Bbox
    figure.canvas.draw()
    for text in figure.texts + ([figure._suptitle] if figure._suptitle else []):
        text.set_visible(False)
    renderer, found = figure.canvas.get_renderer(), []
    for number, axes_of in enumerate(panels, 1):
        for axis in figure.axes:
            axis.set_visible(axis in axes_of)
        box = Bbox.union([axis.get_tightbbox(renderer) for axis in axes_of])
        memory = io.BytesIO()
        figure.savefig(memory, format="svg", dpi=DPI,
                       bbox_inches=box.transformed(figure.dpi_scale_trans.inverted()).padded(0.04))
        found.append((f"{stem}-{number}", words_of(axes_of), memory.getvalue()))
    return found


def write_table(path, head, rows):
    """A table of LaTeX."""
    with open(writable(path), "w", encoding="utf-8") as file:
        file.write(latex_table(head, rows))


def key(figure):
    """What the lines are, above the panel, so that it lies over none of them."""
    key_of(figure.axes)


def key_of(axes_of):
    """The key of one panel, which may have two axes."""
    lines = [x for axis in axes_of for x in axis.get_legend_handles_labels()[0]]
    words = [w for axis in axes_of for w in axis.get_legend_handles_labels()[1]]
    if not lines:
        return
    width = 0.45 + 0.055 * max(len(re.sub(r"\\[a-z]+|[${}^_]", "", w)) for w in words)
    title = axes_of[0].get_title()
    axes_of[0].set_title("")  # it stands over the key, not in it
    axes_of[0].legend(lines, words, title=title or None, title_fontsize=8, loc="lower center",
                      bbox_to_anchor=(0.5, 1.0), fontsize=7,
                          ncol=max(1, min(len(lines), int(0.97 * SIZE[0] / width))), columnspacing=1.0,
                          handlelength=1.8, borderaxespad=0.3)

#!/usr/bin/env python3
"""The pages of channel_report, walls_report, taylor_green_report, step_report, wave_report, poisson_report
and kolmo-decay, of small runs and made-up files: one design, the list first with its count and failures on
top, names that lead to figures, each panel as a figure of one shape, LaTeX, PDF and SVG beside them; and
kolmo-report of a duct and an open flow, in which each verdict leads to a figure.

Would catch: a report without a page, a row that leads to another panel or nowhere, a panel that is missing or
has its neighbour in it, a failure below what passes, a page that loads something."""
import base64
import contextlib
import io
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(HERE, "..", "..", "postproc", "plot"))
import kolmo_case as kc  # noqa: E402
import system_python  # noqa: E402,F401  pylint: disable=unused-import
import channel_report  # noqa: E402
import decay  # noqa: E402
import poisson_report  # noqa: E402
import report_page  # noqa: E402
import run_report  # noqa: E402
import step_report  # noqa: E402
import taylor_green_report  # noqa: E402
import walls_report  # noqa: E402
import wave_report  # noqa: E402

CHANNEL = {"run": {"steps_max": 4, "title": "a channel, Re_tau 9 & less"},
           "grid": {"n": (8, 6, 10), "length": (4.0, 2.0, 2.0)}, "fluid": {"nu": 0.02}, "time": {"dt": 0.02},
           "boundary": {"z_low": "wall", "z_high": "wall"}, "initial": {"type": "channel"},
           "forcing": {"type": "bulk-velocity", "value": 1.0}, "statistics": {"start": 0.0, "interval": 1}}
VORTEX = {"run": {"t_end": 4.2}, "grid": {"n": (8, 8, 8)}, "fluid": {"reynolds": 1600.0}}
POISEUILLE = {"run": {"steps_max": 3}, "grid": {"n": (4, 4, 8), "length": (1.0, 1.0, 2.0)},
              "fluid": {"nu": 0.1}, "time": {"dt": 0.02}, "initial": {"type": "rest"},
              "boundary": {"z_low": "wall", "z_high": "wall"},
              "forcing": {"type": "pressure-gradient", "value": 1.0}}
CAVITY = {"run": {"steps_max": 3}, "grid": {"n": (12, 2, 10), "length": (1.0, 1.0, 1.0)},
          "time": {"dt": 0.01}, "initial": {"type": "rest"}}
LID = {"x_low": "wall", "x_high": "wall", "z_low": "wall", "z_high": "wall",
       "z_high_velocity": (1.0, 0.0, 0.0)}
STREAM = {"run": {"steps_max": 12}, "grid": {"n": (24, 2, 8), "length": (12.0, 0.5, 1.0)},
          "fluid": {"nu": 0.01}, "time": {"dt": 0.02}, "initial": {"type": "rest"},
          "statistics": {"start": 0.0, "interval": 2},
          "boundary": {"x_low": "inflow", "x_low_profile": "parabolic", "x_low_velocity": (1.0, 0.0, 0.0),
                       "x_high": "outflow", "z_low": "wall", "z_high": "wall"}}
DUCT = {"run": {"steps_max": 4}, "grid": {"n": (4, 12, 8), "length": (1.0, 3.0, 1.5)}, "fluid": {"nu": 0.1},
        "time": {"dt": 0.01}, "boundary": {f"{d}_{s}": "wall" for d in "yz" for s in ("low", "high")},
        "forcing": {"type": "pressure-gradient", "value": 1.0}, "initial": {"type": "rest"},
        "statistics": {"start": 0.0, "interval": 1}}
DECAY = {"run": {"t_end": 3.0}, "grid": {"n": (12, 12, 12), "length": (60.0, 60.0, 60.0)},
         "fluid": {"nu": 0.5}, "time": {"dt": 0.1}, "initial": {"type": "isotropic", "k_peak": 0.5},
         "history": {"interval": 1}}


def said(main, words):
    """Exit code of a report, and what it prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = main(list(words))
    return code, out.getvalue()


def shape_of(picture):
    """Width over height of a picture of SVG, and its texts' number."""
    text = base64.b64decode(picture).decode("utf-8")
    width, height = re.search(r'<svg [^>]*?width="([\d.]+)pt"', text), re.search(r'height="([\d.]+)pt"', text)
    return float(width[1]) / float(height[1])


def page_at(check, path, count, links):
    """What every page has: figures, links, nothing that is loaded; returns its text without the pictures."""
    check.equal("the page is there", os.path.exists(path), True)
    with open(path, encoding="utf-8") as file:
        page = file.read()
    stem, name = os.path.splitext(path)[0], os.path.basename(path)
    figures = re.findall(r'<figure id="([\w-]+)"><img alt="(.*?)" src="data:image/svg\+xml;base64,(.*?)"',
                         page)
    body = re.sub(r'data:image[^"]*', "", page)
    check.equal(f"{name}: figures", len(figures), count)
    shapes = [shape_of(data) for *_, data in figures]
    check.holds(f"{name}: each is one panel", all(0.9 < s < 1.9 for s in shapes), f"{shapes}")
    check.same(f"{name}: figures without words", [n for n, words, _ in figures if len(words) < 8])
    found = re.findall(r'<a href="#((?!section)[\w-]+)">(.*?)</a>', body)
    check.equal(f"{name}: rows and their figures", found, links)
    check.same(f"{name}: links that lead nowhere",
               [n for n in re.findall(r'href="#([^"]+)"', page) if f'id="{n}"' not in page])
    check.holds(f"{name}: the list comes before the figures",
                page.index('class="sum') < page.index("<table>") < page.index("<figure"))
    check.holds(f"{name}: the design is that of kolmo-report", report_page.STYLE in page)
    check.holds(f"{name}: nothing is loaded", not re.search(r"<script|<link|url\(|@import", page))
    return body, stem


def beside(check, stem, *endings):
    """Files of a name."""
    check.same(f"files beside {os.path.basename(stem)}.html that lack",
               [e for e in endings if not os.path.exists(stem + e)])


def judged_test(kolmo, check):
    """Reports with verdicts: a channel whose failures come first, and a vortex."""
    run = kolmo.run(CHANNEL)
    table = os.path.join(run.folder, "own.csv")
    channel = channel_report.Channel(os.path.join(run.folder, "statistics.nc"))
    y, value, _ = channel.profile("uu")
    with open(table, "w", encoding="utf-8") as file:
        file.write(f"# Re_tau = {channel.number['Re_tau']}\ny_plus,uu,pp\n")
        file.writelines(f"{a!r},{b!r},{9.0!r}\n" for a, b in zip(map(float, y), map(float, value)))
    code, text = said(channel_report.main, ["--reference", table, run.folder])
    check.equal("channel: exit code", code, 1)
    page, stem = page_at(check, os.path.join(run.folder, "channel.html"), 6,
                         [("channel-3", "total stress"), ("channel-6", "pressure variance"),
                          ("channel-2", "streamwise variance")])
    beside(check, stem, ".png", ".pdf", ".svg", ".tex")
    check.says("channel: count and title", page, "2 of 3 FAIL", "a channel, Re_tau 9 &amp; less")
    check.says("    also printed", text, "2 of 3 FAIL", "page: ")
    rows = re.findall(r'<tr class="(pass|fail)">', page)
    check.equal("channel: failures are on top", rows, ["fail", "fail", "pass"])
    vortex = kolmo.run(VORTEX)
    code, text = said(taylor_green_report.main, [vortex.folder])
    page, stem = page_at(check, os.path.join(vortex.folder, "taylor-green.html"), 2,
                         [("taylor-green-1", "energy at t = 4")])
    beside(check, stem, ".png", ".pdf", ".svg", ".tex")
    check.says("vortex: notes", page, "This grid is coarse", "The run ends at t = 4.2")


def walls_test(kolmo, check):
    """Laminar flows and cavities on one page; a stream behind no step."""
    place = kolmo.place()
    folders = [kolmo.run(POISEUILLE).folder]
    folders += [kolmo.run(kc.merge(CAVITY, {"fluid": {"reynolds": re}, "boundary": LID})).folder
                for re in (400.0, 100.0)]
    code, _ = said(walls_report.main, ["--to", place, *folders])
    check.equal("walls: exit code", code, 0)
    moving = {"z_low_velocity": (0.5, 0.0, 0.0), "z_high_velocity": (0.2, 0.0, 0.0)}
    steps = {"run": {"steps_max": 200}, "time": {"dt": 0.1}, "boundary": moving}
    for words, wanted, more in (("walls that move, with a force", "Poiseuille", {}),
                                ("and without", "Couette", {"forcing": {"type": "none", "value": None}})):
        run = kolmo.run(kc.merge(POISEUILLE, steps, more))
        _, text = said(walls_report.main, ["--no-figure", run.folder])
        wrong = re.search(wanted + r".*over the largest velocity (\S+)", text)
        check.below(f"{words}: largest error", float(wrong.group(1)), 0.02)
    shear = {"boundary": {"z_low_velocity": None}, "initial": {"type": "channel"}}
    run = kolmo.run(kc.merge(POISEUILLE, steps, {"forcing": {"type": "none", "value": None}}, shear,
                             {"run": {"steps_max": 400}, "fluid": {"nu": 1.0}, "time": {"dt": 0.01}}))
    _, text = said(walls_report.main, ["--no-figure", run.folder])
    check.near("one wall that moves: mean shear", float(re.search(r"on the walls ([\d.]+)", text).group(1)),
               0.1, 0.002)
    page, stem = page_at(check, os.path.join(place, "walls.html"), 5,
                         [("walls-laminar-1", "Poiseuille"), ("walls-cavity-1", "u, 2d, Re 100"),
                          ("walls-cavity-3", "w, 2d, Re 100"), ("walls-cavity-2", "u, 2d, Re 400"),
                          ("walls-cavity-4", "w, 2d, Re 400")])
    beside(check, stem, ".tex")
    beside(check, os.path.join(place, "walls-laminar"), ".png", ".pdf", ".svg")
    beside(check, os.path.join(place, "cavities"), ".tex")
    check.says("walls: what is judged", page, "2 of 2 compared with tables; nothing is judged", "Ghia et al.")
    words = re.findall(r"<figcaption>(.*?)</figcaption>", page)
    check.says("figures of Re 100 and 400, u", words[1] + words[2], "Re 100", "Re 400")
    stream = kolmo.run(STREAM)
    said(step_report.main, ["--to", place, stream.folder])
    _, stem = page_at(check, os.path.join(place, "backward-step.html"), 3,
                      [("backward-step-2", "lower wall: reattachment"),
                       ("backward-step-3", "upper wall: separation"),
                       ("backward-step-3", "upper wall: reattachment")])
    beside(check, stem, ".png", ".pdf", ".svg", ".tex")


def others_test(kolmo, check):
    """Pressure solvers, a wave, and the decay of turbulence."""
    place = kolmo.place()
    records = [{"preconditioner": name, "case": case, "n": [n, n, n], "iterations": n // 8, "seconds": 1e-3}
               for case in poisson_report.CASES for name in ("multigrid", "direct") for n in (16, 32)]
    with open(os.path.join(place, "bench.json"), "w", encoding="utf-8") as file:
        json.dump({"runs": [{"records": records}]}, file)
    code, _ = said(poisson_report.main, ["--to", place, os.path.join(place, "bench.json")])
    check.equal("solvers: exit code", code, 0)
    page_at(check, os.path.join(place, "poisson.html"), 4,
            [(f"poisson-{of}-1", name) for of in ("iterations", "times") for name in ("multigrid", "direct")])
    for n in (32, 64):
        os.makedirs(os.path.join(place, f"{n}x{n}"))
        with open(os.path.join(place, f"{n}x{n}", "amplitude.csv"), "w", encoding="utf-8") as file:
            file.write("time,amplitude,phase\n")
            file.writelines(f"{t},{2.7 ** (0.0022 * t)},{-0.25 * t * (1 - 1 / n ** 2)}\n"
                            for t in range(0, 200, 10))
    said(wave_report.main, ["--to", place, place])
    _, stem = page_at(check, os.path.join(place, "orr-sommerfeld.html"), 2,
                      [("orr-sommerfeld-2", n) for n in ("frequency", "error of the frequency", "growth",
                                                         "error of the growth")])
    beside(check, stem, ".png", ".pdf", ".svg", ".tex")
    run = kolmo.run(DECAY)
    code, text = said(decay.main, ["--figure", os.path.join(place, "n.png"), run.folder])
    check.equal("decay: exit code", code, 0)
    count = int(re.search(r": (\d+) windows", text)[1])
    page, stem = page_at(check, os.path.join(place, "n.html"), 1,
                         [("n-1", os.path.basename(run.folder))] * count)
    beside(check, stem, ".png", ".pdf", ".svg", ".tex")
    check.says("decay: the count comes first", page, f"{count} windows; ")


def pages_test(kolmo, check):
    """kolmo-report of a duct and of an open flow: each verdict, also of a table, leads to a figure."""
    duct, stream = kolmo.run(DUCT), kolmo.run(STREAM)
    table = os.path.join(duct.folder, "ducts.csv")
    with open(table, "w", encoding="utf-8") as file:
        file.write("aspect,u_max_over_U,fRe_Darcy\n2.0,1.5,60\n")
    for words in (["--reference", table, duct.folder], [stream.folder]):
        said(run_report.main, ["--figures", kolmo.place(), *words])
        with open(os.path.join(words[-1], "report.html"), encoding="utf-8") as file:
            page = file.read()
        rows = re.findall(r'<tr class="(?:pass|fail)"><td>(.*?)</td>', page)
        check.above("verdicts", len(rows), 1)
        check.equal("verdicts without a figure", [r for r in rows if "<a href=" not in r], [])
        check.holds("the count comes first", page.index('class="sum') < page.index("<figure"))


def tests():
    """Without matplotlib there is nothing to test."""
    try:
        report_page.plotter()
    except ImportError:
        return [lambda kolmo, check: check.skip("pages", "no matplotlib")]
    return [judged_test, walls_test, others_test, pages_test]


if __name__ == "__main__":
    kc.main(__doc__, tests())

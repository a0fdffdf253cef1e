#!/usr/bin/env python3
"""The validation campaign: extrapolation with error bars, verdicts, the table of cases, the index, and a tiny
case through parts, another grid, segments and its page.

Would catch: an extrapolation of the wrong order, errors that are not carried through it, a verdict of pass
with an error bar that can't tell, a page that its kept numbers do not give, a case that names an input or
a file that is not there, an index that is not what its files say, a part that begins anew instead of going
on."""

import contextlib
import dataclasses
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
import time
import types

import h5py
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(HERE, "..", "campaign"))
sys.path.insert(0, os.path.join(ROOT, "postproc", "python"))
sys.path.insert(0, os.path.join(ROOT, "postproc", "plot"))
import body_forces  # noqa: E402
import cases  # noqa: E402
import duct  # noqa: E402
import figure  # noqa: E402
import grid_turbulence  # noqa: E402
import scaled_spectra  # noqa: E402
import index  # noqa: E402
import judge  # noqa: E402
import kept  # noqa: E402
import kolmo_case as kc  # noqa: E402
import measure  # noqa: E402
import node  # noqa: E402
import page  # noqa: E402
import parts  # noqa: E402
import run  # noqa: E402
import separation  # noqa: E402
from kolmo import Run, write_flow  # noqa: E402
from kolmo.namelists import parse, reals  # noqa: E402
from judge import FAIL, NONE, PASS, Line  # noqa: E402


def extrapolation_test(_, check):
    """Numbers and profiles f + c h^2 with errors, on two grids and on three."""
    h = (0.3, 0.2, 0.1)
    values = [2.0 + 0.7 * v**2 for v in h]
    two = judge.extrapolate(h[1:], values[1:], [0.03, 0.04])
    check.near("two grids", float(two.value), 2.0, 1e-12)
    check.near("    error", float(two.error), np.hypot(4 / 3 * 0.04, 1 / 3 * 0.03), 1e-12)
    check.near("    part of the grid", float(two.grid), 0.7 * 0.01, 1e-12)
    check.near("    what the extrapolation adds is its doubt", float(two.doubt), 0.7 * 0.01, 1e-12)
    check.near("    the whole error", float(two.total), np.hypot(two.error, 0.007), 1e-12)
    check.equal("one grid: no doubt", judge.extrapolate([0.1], [2.0], [0.1]).doubt, None)
    three = judge.extrapolate(h, values, [0.0] * 3)
    check.near("three grids: doubt", float(three.doubt), 0.0, 1e-12)
    first = judge.extrapolate(h, [2.0 + 0.1 * v for v in h], [0.0] * 3)
    check.above("    values of first order are doubted", float(first.doubt), 1e-3)
    equal = judge.extrapolate((0.4, 0.2, 0.1), [1 + v**2 for v in (0.4, 0.2, 0.1)], [0.0] * 3)
    check.near("    order", equal.order, 2.0, 1e-9)
    # scatter of many extrapolations of noisy values against the error that is told
    random = np.random.default_rng(1)
    many = [
        judge.extrapolate(h[1:], [values[1] + 0.03 * a, values[2] + 0.04 * b], [0.03, 0.04]).value
        for a, b in random.standard_normal((4000, 2))
    ]
    check.near("    scatter over the error", float(np.std(many) / two.error), 1.0, 0.04)
    noisy = [judge.extrapolate(h, list(np.add(values, np.array([0.01, 0.03, 0.04]) * r)), [0.01, 0.03, 0.04])
             for r in random.standard_normal((4000, 3))]  # fmt: skip
    check.near("averages on three grids", float(np.mean([n.value for n in noisy])), 2.0, 0.002)
    check.near(
        "    scatter over the error", float(np.std([n.value for n in noisy]) / noisy[0].error), 1.0, 0.04
    )
    wall = [np.append(0.0, v) for v in (values[0] + 0.02, values[1], values[2])]
    whole = judge.extrapolate(h, wall, [np.append(0.0, e) for e in (0.01, 0.03, 0.04)])
    alone = judge.extrapolate(h, [w[1] for w in wall], (0.01, 0.03, 0.04))
    for part in ("value", "error", "doubt", "grid", "fine_error"):
        own = getattr(whole, part)
        check.near(f"    a profile that is exact on a wall: {part}", own[1], getattr(alone, part), 1e-12)
        check.near("        on the wall", own[0], 0.0, 1e-12)
    bent = judge.extrapolate(h, [3.0, 2.0, 3.0], [0.01] * 3)
    check.above("    a misfit is doubted", float(bent.doubt), 0.1)
    places = [1 / 20, 1 / 30, 1 / 40, 1 / 60]
    slow = judge.extrapolate(places, [2 - 1.6 * v for v in places], [1e-4] * 4)
    check.below("    values of first order: error over what is told", abs(slow.value - 2) / slow.total, 2.5)
    lines, exact = [], lambda y: np.sin(y)
    for v, n in zip(h, (15, 22, 45)):
        y = (np.arange(n) + 0.5) / n * 3.0
        lines.append(Line(y, exact(y) * (1 + v**2), np.full(n, 0.01)))
    places, best = judge.combine(h, lines)
    check.below("profiles on three grids", float(abs(best.value - exact(places)).max()), 2e-4)
    table = np.linspace(0.0, 3.0, 200)
    found = judge.compare(h, lines, (table, exact(table)))
    check.below("    norm of the difference", found.difference, 2e-4)
    check.near("    on the finest grid", found.grids[-1], 0.01, 1e-4)
    most = judge.compare(h, lines, (table, exact(table)), 1.0, True)
    check.near("    largest difference on the finest grid", most.grids[-1], 0.01, 1e-4)
    check.below("    its error", abs(most.error / 0.01 - 1.0), 0.1)
    found = judge.compare(h[-1:], lines[-1:], (table, exact(table)), 1.0, True)
    check.near("    its place", found.place, np.pi / 2, 0.1)
    check.equal("    a norm has none", judge.compare(h, lines, (table, exact(table))).place, None)
    words = page.at_place({"place": found.place})
    check.equal("    on a page", (words, page.at_place({})), (f" at {found.place:.3g}", ""))
    few = judge.compare(h, lines, (np.array([0.5, 1.0, 2.0]), exact(np.array([0.5, 1.0, 2.0]))))
    check.below("    at the places of a table of few points", few.difference, 2e-4)
    for name, there, wanted in (("on faces", [0.0, 0.4, 1.0], [0.1, 0.4, 1.0]),
                                ("at centres", [0.2, 0.7], [0.2, 0.7])):  # fmt: skip
        found = measure.off_wall(np.array(there))
        check.equal(f"places of the terms of a budget {name}", found.tolist(), wanted)
    for bad in ([0.1, 0.2], [0.2, 0.2]):
        try:
            judge.extrapolate(bad, [1.0, 2.0], [0.0, 0.0])
            check.fail(f"spacings {bad} are taken")
        except ValueError:
            check.holds(f"spacings {bad} are refused", True)


def short_averages_test(_, check):
    """The error bars of averages that are too short for their own batches to tell."""
    x, y = np.linspace(0.0, 1.0, 5), np.linspace(0.0, 1.0, 9)

    def line(error):
        return Line(x, 1 + x, error * (1 + x)), Line(None, 2.0, error)

    long = dict(zip(("U", "Re"), line(0.01)))
    short = {"U": Line(y, 1 + y, np.full(9, 0.021)), "Re": Line(None, 2.1, 0.05)}
    short["alone"] = Line(None, 1.0, 0.1)
    first, found = judge.widened([long, short], [16.0, 4.0])
    check.equal("a long average keeps its errors", first is long, True)
    check.near("a number of a short one keeps an error that is larger", float(found["Re"].error), 0.05, 1e-12)
    check.near("    that of a profile is at least twice that of four times the time",
               abs(found["U"].error - np.maximum(0.021, 0.02 * (1 + y))).max(), 0.0, 1e-12)  # fmt: skip
    check.equal("    what the other grid has not keeps its own", found["alone"].error, 0.1)
    one = judge.widened([short], [0.9])[0]
    check.near("without a long one", float(one["Re"].error), 0.05 * judge.SMALL, 1e-12)
    check.equal("long ones alone", judge.widened([long, short], [16.0, 6.0])[1] is short, True)
    check.equal("no averages", judge.widened([long], [None])[0] is long, True)
    case = cases.find("channel-590")
    done = {"name": "fine", "averaged": 2.4, "after": 1.5, "begins_with": "seed"}
    words = page.averages_words(case, [done, {"name": "coarse", "averaged": 15.0, "begins_with": "seed"}])
    check.says("a page", words, "grid fine begin after 1.5 turnovers, with the flow of seed (`--grid fine",
               "The averages of fine are shorter than 5 turnovers", "with the longest averages")
    check.says("    of one grid", page.averages_words(case, [done]), "3 times those of the batches")
    state = {"first": False, "settings": {"statistics.start": 28.0}}
    work = types.SimpleNamespace(state=state, grid=case.grid("fine"))
    check.near("    when its averages begin", page.begins_after(case, work), 28.0 / case.turnover, 1e-9)
    state["settings"]["statistics.start"] = case.again * case.turnover
    check.equal("    as the case has it", page.begins_after(case, work), None)
    for name, head, words in (
        ("channel-590", "turnovers averaged", "A turnover, delta/u_tau, is 18.66 units of time; delta is"),
        ("periodic-hill", "time averaged [h/U_b]", "begin after 100 h/U_b; h is the height of a hill"),
        ("isotropic-linear", "time averaged", "begin after 100 units of time."),
    ):
        check.equal(f"    unit of the averages of {name}", page.averaged_words(cases.find(name)), head)
        check.says("        told", page.begin_words(cases.find(name)), words)


def parts_test(_, check):
    """Parts of a number whose batches have nothing in common, and of one that keeps its value for ten parts'
    time."""
    t, random = 0.01 * np.arange(64001), np.random.default_rng(3)
    count, differ, told = parts.scatter(t, 5 + random.standard_normal(t.size), 0.0, 4.0)
    check.equal("parts", count, 160)
    check.near("independent: what they differ by", differ, 0.01, 0.002)
    check.near("    what their batches say", told, 0.01, 0.001)
    slow = np.repeat(random.standard_normal(16), 4001)[: t.size]
    _, differ, told = parts.scatter(t, 5 + slow + 0.01 * random.standard_normal(t.size), 0.0, 4.0)
    check.above("slow: over what their batches say", differ / told, 100.0)
    try:
        parts.scatter(t, t, 0.0, 300.0)
        check.fail("two parts are enough")
    except measure.Unreadable as fault:
        check.says("two parts", str(fault), "3 are wanted")
    check.equal("without lengths", parts.main(["runs", "force", "1.0"]), 2)
    check.equal("a folder without series.nc", parts.main(["none", "force", "1.0", "2.0"]), 2)


def verdict_test(_, check):
    """pass, fail and none."""
    for words, given, wanted in (
        ("within", (0.004, 0.001, 0.01), PASS), ("below", (-0.004, 0.001, 0.01), PASS),
        ("beyond", (0.02, 0.001, 0.01), FAIL), ("beyond, below", (-0.02, 0.001, 0.01), FAIL),
        ("beyond by chance", (0.011, 0.001, 0.01), NONE), ("a wide error bar", (0.004, 0.02, 0.01), NONE),
        ("far beyond a wide error bar", (0.06, 0.02, 0.01), FAIL),
        ("nothing wanted", (0.004, 0.001, None), NONE),
        ("an error that is not known", (0.004, np.inf, 0.01), NONE),
        ("    beyond", (0.06, np.nan, 0.01), NONE),
        ("no reference", (None, None, 0.01), NONE), ("not finite", (np.nan, 0.0, 0.01), NONE),
        ("one grid of two", (0.004, 0.001, 0.01, 1, 2), NONE),
        ("two grids", (0.004, 0.001, 0.01, 2, 2), PASS),
    ):  # fmt: skip
        check.equal(f"{words}", judge.verdict(*given), wanted)
    for why, given in (
        ("", (0.004, 0.001, 0.01)), ("", (0.02, 0.001, 0.01)), ("no reference", (None, None, 0.01)),
        ("no bound", (0.004, 0.001, None)), ("one grid", (0.004, 0.001, 0.01, 1, 2)),
        ("error not known", (0.004, np.inf, 0.01)), ("error too large", (0.004, 0.02, 0.01)),
        ("within two errors of the bound", (0.011, 0.001, 0.01)),
    ):  # fmt: skip
        check.equal(f"the reason of {given}", judge.reason(*given), why)
    check.equal("    without a reference", judge.reason(0.004, 0.001, None, reference=False), "no reference")


def table_test(kolmo, check):
    """Every case is accepted by --check with the settings of its coarsest grid, and measures something."""
    out = kolmo.place()
    names = [c.name for c in cases.CASES]
    check.equal("names are different", len(set(names)), len(names))
    for case in cases.CASES:
        spacing = [g.spacing for g in case.grids if not g.seed]
        check.holds(f"{case.name}: grids from the coarsest", all(a > b for a, b in zip(spacing, spacing[1:])))
        if case.spectrum is not None and measure.table_path(case.spectrum[0]) is None:
            check.skip(f"{case.name}: its inputs", f"{case.spectrum[0]} is not there")
            continue
        work = run.Work(out, case, case.grids[0])
        os.makedirs(work.folder)
        words = run.setting_words(run.arguments(work, None, None, {}))
        kolmo.call(run.write_case(work), "--check", *words, "--set", f"output.directory='{work.folder}'")
        if case.spectrum is not None:  # a grid without the flow that it begins with
            try:
                run.begin(run.Work(out, case, case.grids[1]), None)
                check.fail(f"{case.name}: a grid begins with no flow")
            except run.Fault as fault:
                check.says(f"{case.name}: a grid without its flow", str(fault), "which is not done")
        if case.hands_on:  # the finest grid, from a flow of another one
            with open(run.write_case(work), encoding="utf-8") as file:
                length = reals(parse(file.read()), "grid.length", 3, 2 * np.pi)
            length = case.settings.get("grid.length", length)
            flow = os.path.join(work.folder, "flow.h5")
            write_flow(flow, np.zeros((8, 8, 8, 3)), faces=[np.linspace(0, s, 9) for s in length])
            last = run.Work(out, case, case.grids[-1])
            os.makedirs(last.folder)
            last.state["first"] = False
            words = run.setting_words(run.arguments(last, flow, None, {}))
            kolmo.call(run.write_case(last), "--check", *words, "--set", f"output.directory='{last.folder}'")
        references, _ = measure.references_of(case)
        check.holds(f"{case.name}: it measures something", references)


def spacing_test(_, check):
    """The spacing that extrapolations use: the mean of the directions along which the flow varies."""
    hill = cases.find("periodic-hill").grids
    check.near("periodic hill, x and y refined by 1.5, z by 128/88", hill[0].spacing / hill[1].spacing,
               (1.5 * 1.5 * 128 / 88) ** (1 / 3), 1e-12)  # fmt: skip
    for words, n, wanted in (("a cube", (32, 32, 32), 1 / 32), ("a slice", (40, 2, 10), 1 / 20),
                             ("a channel of few cells", (4, 4, 64), 1 / 64)):  # fmt: skip
        check.near(words, cases.Grid("", n).spacing, wanted, 1e-12)


def curve_test(_, check):
    """The rows of a curve in time: errors of the grids over the peak, and of the extrapolated curve, whose
    error is what the two grids before give otherwise."""
    case, t = cases.find("taylor-green"), np.linspace(0.0, 12.0, 121)
    exact = np.exp(-((t - 9.0) ** 2))
    ref = measure.Reference("dissipation", "exact", (t, exact))
    grids = ("256", "384", "512")
    for words, fourth in (("second order", 0.0), ("with a part of fourth order", 3e8)):
        lines = []
        for h in (case.grid(g).spacing for g in grids):
            error = (600 * h**2 + fourth * h**4) * t / 12
            lines.append({"dissipation": Line(t, exact + error, np.zeros_like(t))})
        rows = {r["quantity"]: r for r in measure.taylor_green_rows(case, grids, lines, [ref])}
        own = rows["dissipation to t = 9: largest error over the peak, 256^3"]
        h = case.grid("256").spacing
        check.near(f"{words}: a grid", own["difference"], (600 * h**2 + fourth * h**4) * 0.75, 1e-9)
        check.equal("    its error", own["difference_error"], 0.0)
        last = rows["dissipation to t = 12: largest error over the peak, extrapolated from 384^3 and 512^3"]
        _, best = judge.combine([case.grid(g).spacing for g in grids], [l["dissipation"] for l in lines])
        check.near("    extrapolated", last["difference"], abs(best.value - exact).max(), 1e-9)
        check.near("    its error", last["difference_error"], abs(best.doubt[-1]), 1e-9)
        check.equal("    not zero", last["difference_error"] > 1e-6, fourth > 0)


def coarse_test(_, check):
    """The error of the coarser grid on a page with two: what it differs by from the extrapolated profile."""
    case, x = cases.find("channel-395"), np.linspace(0.0, 1.0, 30)
    grids = ("coarse", "fine")
    lines = [Line(x, 1 + x + 3 * case.grid(g).spacing * (1 - x), np.full(30, 0.01)) for g in grids]
    _, best = judge.combine([case.grid(g).spacing for g in grids], lines)
    ref = measure.Reference("U", "", None)
    row = measure.row_of(case, grids, [case.grid(g).spacing for g in grids], lines, ref)
    share = page.coarse_share(case, grids)
    check.near("share", share, 1.5**2, 1e-12)
    check.near("its error", row["grid_error"] * share, judge.norm(x, lines[0].value - best.value, best.value),
               1e-12)  # fmt: skip
    words = page.profile_rows(case, [row], grids)[0]
    check.equal("    on a page", words[-3], page.percent(row["grid_error"] * share))
    check.equal("one grid", page.coarse_share(case, grids[:1]), None)


def settings_test(_, check):
    """Values of --set and of the table as the program wants them."""
    for value, words in (
        ("24,24,20", "n=24,24,20"), ((24, 24, 20), "n=24, 24, 20"), ("1e6", "n=1e6"), ("'wall'", "n='wall'"),
        ("wall", "n='wall'"), (".false.", "n=.false."), (False, "n=.false."), (0.5, "n=0.5"),
    ):  # fmt: skip
        check.equal(f"{value!r}", run.setting_words({"n": value}), ["--set", words])


def index_test(_, check):
    """docs/validation/README.md is what its files give, each verdict what its numbers give."""
    check.equal("index", index.faults(), [])
    one = {"page-x": {"page": "walls.md", "entries": [
        {"what": "w", "grid": "", "quantity": "q", "ours": "1.2345", "error": "",
         "reference": "2, exact",
         "difference": 0.5,         "wanted": 0.1, "verdict": PASS}]}}  # fmt: skip
    found = " ".join(index.page_faults(index.VALIDATION, one))
    check.says("a wrong entry is found", found, "1.2345 is not in walls.md", "the numbers say fail")
    check.says("    and its difference", found, "difference 0.5, the numbers say -0.3828")
    for text, wanted in (("35.9 +- 0.6", True), ("it is 35.9.", True), ("35.94", False), ("135.9", False),
                         ("2.35.9", False), ("35.9.1", False)):  # fmt: skip
        check.equal(f"35.9 is in '{text}'", index.is_in("35.9", text), wanted)
    for text, wanted in (
        ("2.10", (2.1, 0.005)), ("7.8 %", (0.078, 5e-4)), ("3.22 to 3.24, a paper", (3.23, 0.005)),
        ("-1, exact", (-1.0, 0.5)), ("5.0e-3", (5e-3, 5e-5)), ("no table", None),
    ):  # fmt: skip
        read = index.numbers_in(text)
        check.holds(f"number and rounding of '{text}'",
                    read is wanted or np.allclose(read, wanted, rtol=1e-12), read)  # fmt: skip
    entry = {"grid": "16, 32, extrapolated", "ours": "2.001", "error": "", "reference": "2, exact",
             "difference": 0.0005, "wanted": 0.01, "verdict": PASS}  # fmt: skip
    check.says("an extrapolated value without its error", index.error_fault(entry), "passes without")
    for error, verdict, why in (("0.004", PASS, ""), ("0.03", NONE, "error too large")):
        entry["error"] = error
        check.equal(f"    with the error {error}", index.error_fault(entry), None)
        check.equal("    its verdict", index.entry_verdict(entry), verdict)
        check.equal("    the reason", index.entry_reason(entry), why)
    for name in ("isotropic-forced-30", "sphere-array-0.125"):
        one = index.campaign_results(index.VALIDATION)[name]
        row = one["rows"][0]
        row["grids"][max(row["grids"], key=int)][0] *= 1.001
        check.says(f"{name}: a changed grid is found, by its value",
                   " ".join(index.row_faults(cases.find(name), row)), "value", "its grids say")  # fmt: skip
        check.says("    and by its certificate", " ".join(index.file_faults(index.VALIDATION, one)),
                   f"{row['quantity']}: ", "its certificate says")  # fmt: skip
        row["value"] *= 1.01
        check.says("    a difference, too", " ".join(index.row_faults(cases.find(name), row)), "difference",
                   "its numbers say")  # fmt: skip
    one = index.campaign_results(index.VALIDATION)["cavity-2d"]
    one["runs"][0]["version"] = "0000000"
    found = " ".join(index.file_faults(index.VALIDATION, one))
    check.says("a page of other numbers is found", found, "cavity-2d.md is not what cavity-2d.json gives")
    check.says("a certificate of another commit is found", found, "certificate.json is of commit")
    one["runs"][1]["device"] = "another"
    check.says("    of another device", " ".join(index.file_faults(index.VALIDATION, one)),
               "the page of another")  # fmt: skip
    one = index.campaign_results(index.VALIDATION)["rayleigh-benard-1e5"]
    exact = next(r for r in one["rows"] if r["quantity"] == "spread of the five")
    used = [r["name"] for r in index.grids_of(one, exact)]
    check.equal("grids of a number that is exact", used, one["grids_used"][-1:])
    one["rows"][0]["error"] *= 1.1
    found = " ".join(index.campaign_faults(index.VALIDATION, {one["name"]: one}))
    check.says("a changed error is found", found, "Nusselt number, low: error 0.0", "its grids say")
    clock_checks(check)
    for case, *_, words, _ in index.waiting(index.campaign_results(index.VALIDATION)):
        for one in words.split(", "):
            options = run.parse(one.strip("`").split()[2:])
            check.equal(f"{case}: {one} names it", f"`{run.chosen(options)[0].name}`", case)
    case = cases.find("taylor-green")
    left, (*_, largest) = case.grids[-2:], case.grids
    *_, words = index.commands(case, left)
    options = run.parse(words.split()[2:])
    check.equal("a grid without checkpoints is run by its own command", run.chosen(options)[1], [largest])
    steps, _, step = run.estimate(case, largest, {})
    check.above("    seconds for steps over what all of them take",
                0.9 * 60 * options["minutes"] / (steps * step), 1.0)  # fmt: skip
    check.says("    which its page tells", " ".join(page.once_words(case)), words)
    check.equal("    the others by theirs", index.commands(case, left[:1]), [page.command(case)])
    check.equal("    both", len(index.commands(case, left)), 2)
    case = cases.find("channel-stratified")
    one = index.campaign_results(index.VALIDATION)[case.name]
    for commit, wanted in ((case.changed[0], True), ("0000000", False)):
        for own in one["runs"]:
            own["version"] = commit
        check.equal(f"a page of runs of {commit} says what they were", case.were in page.page_text(case, one),
                    wanted)  # fmt: skip
    case = dataclasses.replace(cases.find("proof-duct"), segments=2, changed=("0000000",))
    done = {"finished": True, "segments": 1, "version": "1111111"}
    check.equal("one segment of two", index.is_complete(case, case.grids[0], done), False)
    done["segments"] = 2
    check.equal("    of both", index.is_complete(case, case.grids[0], done), True)
    done["version"] = "0000000"
    check.equal("    of another flow", index.is_complete(case, case.grids[0], done), False)


def clock_checks(check):
    """Time on what: of the grids of a row and of all that they began with, each once."""

    def runs(name, *grids):
        keys = ("name", "seconds", "begins_with", "device", "ranks")
        return {"name": name, "runs": [dict(zip(keys, g)) for g in grids]}

    def names(one, used):
        found, missing = index.chain(one, [r for r in one["runs"] if r["name"] in used])
        return [r["name"] for r in found], missing

    one = runs("isotropic-forced-60", ("64", 60.0, None, "A", 1), ("96", 120.0, "64", "A", 1),
               ("128", 240.0, "96", "B", 2))  # fmt: skip
    check.equal("a chain of grids", names(one, ["128"]), (["64", "96", "128"], []))
    check.equal("    each once", names(one, ["64", "96", "128"]), (["64", "96", "128"], []))
    check.equal("    no grid after it", names(one, ["96"]), (["64", "96"], []))
    check.equal("    its time", index.clock(one, one["runs"][2:]),
                "3.0 min on A; 4.0 min on 2 ranks, one B each")  # fmt: skip
    check.equal("    below a minute", [page.took(s) for s in (2.8, 59.4, 59.8, 90.0)],
                ["3 s", "59 s", "1.0 min", "1.5 min"])  # fmt: skip
    one["runs"][1]["begins_with"] = "64-segment-2"
    check.equal("    a segment", names(one, ["96"]), (["64", "96"], []))
    del one["runs"][0]
    check.says("    a run that the page has not", index.clock(one, one["runs"][:1]), "2.0 min on A; that of",
               "64 was not kept")  # fmt: skip
    one = runs("grid-turbulence", ("grow-256", 1.0, None, "A", 1), ("256", 2.0, "256", "A", 1),
               ("grow-384", 4.0, None, "A", 1), ("384", 8.0, "384", "A", 1))  # fmt: skip
    check.equal("a seed that grew", names(one, ["384"]), (["grow-384", "384"], []))
    one = index.campaign_results(index.VALIDATION)["taylor-green"]
    row = next(r for r in one["rows"] if "over the peak, 384^3" in r["quantity"])
    check.equal("the grid of a row that names it", [r["name"] for r in index.grids_of(one, row)], ["384"])


def renew_test(kolmo, check):
    """Each published row of numbers is what its kept values and the table of cases give; a page is renewed
    without its runs; tables of profiles whose names have commas; the legend of a number on one grid."""
    published = os.path.join(index.VALIDATION, "results")
    for name, one in index.campaign_results(index.VALIDATION).items():
        case = cases.find(name)
        references, missing = measure.references_of(case)
        if missing:
            check.skip(f"{name}: renewed", f"{', '.join(missing)} is not there")
            continue
        kept = one.get("profiles")
        profiles = figure.read_profiles(os.path.join(published, kept)) if kept else {}
        again = [measure.rejudged(case, row, references, profiles) for row in one["rows"]]
        faults = [b["quantity"] for a, b in zip(one["rows"], again) if not same(a, b)]
        check.equal(f"{name}: rows that its numbers do not give", faults, [])
    folder, case = kolmo.place(), cases.find("sphere-array-0.125")
    with open(os.path.join(published, case.name + ".json"), encoding="utf-8") as file:
        one = json.load(file)
    two = sorted(one["rows"][0]["grids"], key=int)[-2:]
    one["rows"][0].update(verdict="fail", error=0.0, grids={g: one["rows"][0]["grids"][g] for g in two})
    with open(os.path.join(folder, case.name + ".json"), "w", encoding="utf-8") as file:
        json.dump({**one, "figure": ""}, file)
    check.equal("--renew", page.main([case.name, "--renew", "--to", folder]), 0)
    with open(os.path.join(folder, case.name + ".json"), encoding="utf-8") as file:
        row = json.load(file)["rows"][0]
    missing = measure.references_of(case)[1]
    if missing:
        check.skip("    its verdict", f"{', '.join(missing)} is not there")
    else:
        check.equal("    its verdict", row["verdict"], PASS)
    check.near("    what the extrapolation adds is its error", row["error"], abs(row["grid_error"]), 1e-12)
    y = np.linspace(0, 1, 5)
    lines = [{"E_uu along x, height 1": Line(y, y + h, 0 * y)} for h in (0.4, 0.1)]
    kept = os.path.join(folder, "profiles.csv")
    with open(kept, "w", encoding="utf-8") as file:
        file.write(measure.profiles_text(case, ["32", "64"], lines))
    found = figure.read_profiles(kept)
    check.equal("names of profiles", list(found), ["E_uu along x, height 1"])
    check.below("    extrapolated", float(abs(found["E_uu along x, height 1"][1] - y).max()), 1e-6)
    check.says("one grid", measure.profiles_text(case, ["32"], lines[:1]), "Grid 32, not extrapolated")
    t = np.linspace(0, 12, 3057)
    with open(kept, "w", encoding="utf-8") as file:
        file.write(measure.profiles_text(case, ["32"], [{"k": Line(t, 2 * t, 0 * t)}]))
    place, value = figure.read_profiles(kept)["k"][:2]
    check.equal("a long curve: places, first, last", (len(place), place[0], place[-1]), (765, 0, 12))
    check.below("    its values", float(abs(value - 2 * place).max()), 2e-5)  # seven digits of each
    try:
        plt = page.plotter()
    except ImportError:
        check.skip("legends", "matplotlib is not there")
        return
    for grids, words in ((two[1:], False), (two, True)):
        drawn, axis = plt.subplots()
        row = {**one["rows"][0], "grids": {g: one["rows"][0]["grids"][g] for g in grids}}
        figure.number_panel(axis, case, row)
        labels = " ".join(axis.get_legend_handles_labels()[1])
        check.equal(f"legend of {len(grids)} grids", "extrapolated" in labels, words)
        plt.close(drawn)


def keep_test(kolmo, check):
    """Pages of a new run beside grids whose runs are not at hand: numbers of all kept grids, the curve of the
    finest, rows of single grids; what a page has not kept is not lost in silence."""
    folder, published = kolmo.place(), os.path.join(index.VALIDATION, "results")
    case = cases.find("sphere-array-0.125")
    shutil.copy(os.path.join(published, case.name + ".json"), folder)
    with open(os.path.join(folder, case.name + ".json"), encoding="utf-8") as file:
        one = json.load(file)
    grids, number = one["grids_used"], one["rows"][0]
    kept_page = kept.Page(case, folder, grids[-1:])
    check.equal("kept grids", (kept_page.names, kept_page.single), (grids[:-1], []))
    check.equal("    their certificates", sorted(kept_page.certificates), sorted(
        n for n in one["certificates"] if n in grids[:-1]))  # fmt: skip
    quantity = measure.references_of(case)[0][0].quantity
    new = {quantity: Line(None, *number["grids"][grids[-1]])}
    names, lines = kept.joined(case, kept_page, grids[-1:], [new])
    check.equal("    with the new one", names, grids)
    row = measure.judged(case, names, lines, measure.references_of(case)[0])[0]
    check.near("    extrapolated", row["value"], number["value"], 1e-12)
    begun = [{"name": g, "new": True} for g in (grids[-1], grids[0])]  # of the coarsest nothing counts yet
    runs = kept.runs(case, kept_page, begun)
    check.equal("    runs in order", [r["name"] for r in runs], grids)
    check.equal("    new ones", [r["name"] for r in runs if r.get("new")], grids[-1:])

    case, t = cases.find("taylor-green"), np.linspace(0.0, 12.0, 241)
    of = {"640": t + 0.1, "768": t + 0.05, "1024": t + 0.01}
    curve = {g: {"dissipation": Line(t, v, 0 * t)} for g, v in of.items()}
    ref = measure.Reference("dissipation", "a table", (t, t), words="dissipation", headline=True)
    old = ["640", "768"]
    rows = measure.taylor_green_rows(case, old, [curve[g] for g in old], [ref])
    with open(os.path.join(folder, "taylor-green.csv"), "w", encoding="utf-8") as file:
        file.write(measure.profiles_text(case, old, [curve[g] for g in old]))
    with open(os.path.join(folder, "taylor-green.json"), "w", encoding="utf-8") as file:
        runs = [{"name": g} for g in old]
        json.dump({"grids_used": old, "runs": runs, "rows": rows, "certificates": {},
                   "profiles": "taylor-green.csv"}, file)  # fmt: skip
    kept_page = kept.Page(case, folder, ["1024"])
    check.equal("without a curve", kept_page.single, ["640"])
    names, lines = kept.joined(case, kept_page, ["1024"], [curve["1024"]])
    found, names = kept.with_single(
        case, kept_page, measure.taylor_green_rows(case, names, lines, [ref]), names
    )
    check.equal("    all grids", names, [*old, "1024"])
    words = [r["quantity"].partition("peak, ")[2] for r in found[::3]]
    check.equal("    rows", words, ["640^3", "768^3", "1024^3", "extrapolated from 768^3 and 1024^3"])
    check.equal("    as they were", found[:3], rows[:3])
    check.near("    of the kept curve", found[3]["difference"], rows[3]["difference"], 1e-6)
    for name in ("cavity-3d", "isotropic-forced-60"):
        case = cases.find(name)
        for end in ("json", "csv"):
            if os.path.isfile(os.path.join(published, f"{name}.{end}")):
                shutil.copy(os.path.join(published, f"{name}.{end}"), folder)
        try:
            kept.Page(case, folder, [case.grids[-1].name])
            check.equal(f"{name}: refused", False, True)
        except run.Fault as fault:
            check.says(f"{name}: refused", str(fault), "has not kept the", "run th")
    try:
        kept.Page(case, kolmo.place(), [])
        check.equal("no page: refused", False, True)
    except run.Fault as fault:
        check.says("no page: refused", str(fault), "whose grids could be kept")


def same(a, b):
    """Whether two rows of a page are equal but for rounding."""
    if a.keys() != b.keys():
        return False
    return all(
        np.isclose(a[k], b[k], rtol=1e-6, atol=1e-12) if isinstance(a[k], float) else a[k] == b[k]
        for k in a
        if k not in ("grids", "grid_differences")
    )


def settings_told_test(kolmo, check):
    """Settings of a run that are not those of the case, and ranks, are told on its page."""
    case = cases.find("sphere-array-0.125")
    work = run.Work(kolmo.place(), case, case.grids[0])
    work.state["settings"] = {
        **{k: list(v) if isinstance(v, tuple) else v for k, v in run.arguments(work, None, None, {}).items()}
    }
    check.equal("the case's own", page.other_settings(case, work), {})
    work.state["settings"].update({"time.cfl": "0.4", "output.log_interval": 10})
    other = page.other_settings(case, work)
    check.equal("others", other, {"output.log_interval": ["10", "500"], "time.cfl": ["0.4", None]})
    words = " ".join(page.others_words([{"name": "32", "other": other}, {"name": "48", "other": other}]))
    check.says("    on the page", words, "grids 32, 48: output.log_interval = 10 (in the case 500)",
               "time.cfl = 0.4 (not in the case)")  # fmt: skip
    words = page.device({"device": "cuda: a GPU", "ranks": 2})
    check.equal("two ranks", words, "2 ranks, one cuda: a GPU each")


def forces_test(kolmo, check):
    """Numbers of made-up forces: drag, lift and periods of shedding; the coefficients of Morison."""
    folder = kolmo.place()
    random = np.random.default_rng(3)
    t = np.cumsum(0.01 * (1 + 0.5 * random.random(8000)))
    middle = body_forces.middles(t)
    phase, turn = 2 * np.pi * middle / 4.0, 0.3  # period 4, the lift along (cos, sin) of 0.3
    lift = 0.07 + 0.02 * np.sin(phase)
    write_forces(folder, t, 0.65 + 0.003 * np.sin(phase + 1.0), lift * np.cos(turn), lift * np.sin(turn),
                 "&bodies size = 0.5, reference_speed = 2 /")  # fmt: skip
    found = body_forces.shedding(folder)
    for name, wanted, most in (("drag", 0.65, 1e-6), ("drag_most", 0.653, 1e-6), ("lift", 0.07, 1e-6),
                               ("lift_most", 0.09, 1e-6), ("strouhal", 0.5 / (2 * 4.0), 1e-5)):  # fmt: skip
        check.near(f"shedding: {name}", found[name][0], wanted, most)
        check.below("    its error", found[name][1], 10 * most)
    write_forces(folder, t, 0.65 + 0 * t, 0 * t, 0.1 * np.sin(phase) - 0.02,
                 "&bodies size = 0.5, reference_speed = 2 /")  # fmt: skip
    found = body_forces.shedding(folder)
    check.near("shedding: the largest lift, where the least is larger", found["lift_most"][0], 0.08, 1e-6)
    check.near("    the least lift", found["lift_least"][0], -0.12, 1e-6)
    steady = np.full(t.size, 1.1)
    write_forces(folder, t, steady, 0 * steady, 0 * steady, "&bodies size = 1, reference_speed = 1 /")
    check.near("the last drag", body_forces.number(folder, "drag_last")[0], 1.1, 1e-12)
    try:
        body_forces.shedding(folder)
        check.fail("a flow without shedding has a Strouhal number")
    except measure.Unreadable as fault:
        check.says("a flow without shedding", str(fault), "periods late in the run")
    a, omega = -0.8, 2 * np.pi * 0.2
    speed, rate = a * omega * np.cos(omega * middle), -a * omega**2 * np.sin(omega * middle)
    force = -0.5 * 2.1 * 0.5 * abs(speed) * speed - np.pi / 4 * 1.4 * 0.25 * rate
    words = "&grid length = 32, 20, 0.125 / &bodies size = 0.5, amplitude = -0.8, frequency = 0.2 /"
    write_forces(folder, t, force * 0.125, 0 * t, 0 * t, words)
    check.near("Morison: drag", body_forces.number(folder, "morison_drag")[0], 2.1, 1e-9)
    check.near("    added mass", body_forces.number(folder, "morison_mass")[0], 1.4, 1e-9)
    fourier = body_forces.number(folder, "morison_drag_fourier")[0]
    check.near("    drag of the first harmonic", fourier, 2.1, 1e-3)
    third = 0.3 * np.cos(3 * omega * middle)  # which the first harmonic does not see, but the fit does
    write_forces(folder, t, (force + third) * 0.125, 0 * t, 0 * t, words)
    fourier = body_forces.number(folder, "morison_drag_fourier")[0]
    check.near("    with a third harmonic", fourier, 2.1, 2e-3)
    of_third = 8 / (15 * np.pi)  # of cos 3x in |cos x| cos x
    fit = 2.1 + 0.3 * of_third / (2 * (3 / 8) * 0.25 * (a * omega) ** 2)
    check.near("    the fit", body_forces.number(folder, "morison_drag")[0], fit, 2e-3)


def separation_test(kolmo, check):
    """Where a made-up flow goes back: twice, beside solid columns of unequal height. The small file of the
    averages of a run has what a page reads of them."""
    x, height = 0.05 + 0.1 * np.arange(90), np.minimum(np.arange(90) // 10, 3)
    u = np.cos(np.pi * (x - 0.37) / 5.0 + 0.5 * np.pi) * 0.2
    u = np.where((x > 7.02) & (x < 7.31), -0.1, np.where(x > 5.37, abs(u) + 0.01, u))
    plane = np.full((6, 90), 7.0)
    plane[height, np.arange(90)] = u
    samples = np.arange(6)[:, None] >= height
    found = separation.lowest(plane, samples)
    check.equal("the lowest cells", found.tolist(), u.tolist())
    places = separation.bubble(x, found, np.full(90, 0.002))
    check.near("separation", places["separation"][0], 0.37, 0.002)
    turned = np.where(abs(x - 1.5) < 0.06, 1e-4, found)  # within the bubble, by chance
    check.equal("    a short gap does not part the bubble",
                separation.bubble(x, turned, np.full(90, 0.002))["separation"][0], places["separation"][0])
    check.near("    its standard error", places["separation"][1], 0.002 / (0.2 * np.pi / 5), 0.001)
    check.near("reattachment", places["reattachment"][0], 5.35, 0.1)
    try:
        separation.bubble(x, abs(u), 0 * u)
        check.fail("a flow that never goes back separates")
    except measure.Unreadable as fault:
        check.says("a flow that never goes back", str(fault), "goes back nowhere")
    folder = kolmo.place()
    write_pockets(os.path.join(folder, separation.MEANS), x, height, u)
    for name, place in zip(separation.NAMES, (places["separation"], places["reattachment"])):
        own = separation.number(Run(folder), name)
        check.near(f"stairs with pockets: {name}", own[0], place[0], 1e-12)
        check.near("    its standard error", own[1], place[1], 1e-12)
    case = {
        "run": {"steps_max": 80}, "grid": {"n": (16, 8, 8), "length": (2.0, 1.0, 1.0)}, "fluid": {"nu": 0.01},
        "boundary": {"z_low": "wall", "z_high": "wall"}, "time": {"dt": 0.02},
        "bodies": {"shape": "box", "centre": (0.5, 0.5, 0.0), "size": (0.4, 2.0, 0.4)},
        "initial": {"type": "channel", "disturbance": 0.1},
        "forcing": {"type": "pressure-gradient", "value": 0.5},
        "statistics": {"start": 0.0, "interval": 1, "directions": "y", "batches": 16},
    }  # fmt: skip
    folder = kolmo.run(case).folder
    flow = Run(folder).averages
    for words, cells, wanted in (
        ("lowest fluid on the box", flow["samples"].values[:, 0] > 0, [0, 1, 1, 0]),
        ("    that the flow passes", separation.passable(flow), [1, 2, 2, 1]),
    ):
        check.equal(words, cells.argmax(axis=0)[2:6].tolist(), wanted)
    before = separation.number(Run(folder), "reattachment")
    run.keep_means(folder)
    os.remove(os.path.join(folder, "averages.h5"))
    check.equal("the small file gives the same place", separation.number(Run(folder), "reattachment"), before)
    averaged = page.averaged(cases.find("periodic-hill"), folder)
    check.near("    and the time of the averages", averaged, 1.6, 0.03)
    with h5py.File(os.path.join(folder, separation.MEANS), "r") as file:
        check.holds("    without sums", "sums" not in file and "velocity" in file, list(file))


def write_pockets(path, x, height, u):
    """averages.h5 as far as separation.py reads it: columns of fluid above stairs, with u in the lowest cells
    that the flow passes through. Below some of them lie pockets, closed along x or along z."""
    shape = (7, 1, len(x))
    level, column = height + 1, np.arange(len(x))
    above = np.arange(shape[0])[:, None] > level
    fields = {"samples": np.where(above, 8.0, 0.0), "uu": np.where(above, 0.1, np.nan)}
    fields["ww"] = fields["uu"].copy()
    velocity, error = (np.where(above[..., None], v, np.nan) * np.ones(3) for v in (0.3, 0.002))
    velocity[level, column], error[level, column] = np.stack([u, 0 * u, 0.1 * u], axis=1), 0.002
    for name, value in (("samples", 8.0), ("uu", 0.1), ("ww", 0.1)):
        fields[name][level, column] = value
    for columns, along, across in ((column[5::15], 0, 2), (column[10::15], 2, 0)):
        below = height[columns]
        velocity[below, columns], error[below, columns] = 0.0, 0.0
        velocity[below, columns, across], error[below, columns, across] = 1e-9, 4e-10
        fields["samples"][below, columns] = 8.0
        fields[("uu", "", "ww")[along]][below, columns] = 0.0
        fields[("uu", "", "ww")[across]][below, columns] = 1e-18
    with h5py.File(path, "w") as file:
        file.attrs.update(time=8.0, complete=1)
        for axis, faces in zip("xyz", (np.append(x, x[-1] + 0.1) - 0.05, np.arange(2.0), np.arange(8.0))):
            file[f"grid/{axis}_face"] = faces
        for name, values in {**fields, "velocity": velocity, "velocity_error": error}.items():
            file[name] = values.reshape(shape + values.shape[2:])
            file[name].attrs["location"] = np.bytes_("ccc")


def duct_test(kolmo, check):
    """Made-up mean flow in the section of a duct whose eight parts are mirror images, with what is not so."""
    folder, n = kolmo.place(), 40
    face = np.linspace(-1.0, 1.0, n + 1)
    y = 0.5 * (face[1:] + face[:-1])
    corner = lambda a, b: a * (1 - a**2) * (1 - b**2) * (b**2 - 0.2)  # noqa: E731
    v, w = corner(face[None, :], y[:, None]), corner(face[:, None], y[None, :])
    values = {"U": 1.3 * (1 - y[None, :] ** 2) * (1 - y[:, None] ** 2), "V": v + 0.3, "W": w + 0.1 * y,
              "u_b": np.array(0.5), "n_samples": np.array(8.0)}  # fmt: skip
    values.update({f"{name}_error": np.full(values[name].shape, 0.01) for name in "UVW"})
    with h5py.File(os.path.join(folder, "statistics.nc"), "w") as target:
        for name, one in values.items():
            target[name] = one
    check.near("centreline", duct.number(folder, "centreline")[0], 2.6, 0.01)
    both = corner(y[None, :], y[:, None]), corner(y[:, None], y[None, :])
    check.near("secondary", duct.number(folder, "secondary")[0], np.hypot(*both).max() / 0.5, 0.01)
    check.near("    its standard error", duct.number(folder, "secondary")[1], 0.01 * 2**0.5 / 0.5, 1e-9)


def write_forces(folder, t, x, y, z, inputs):
    """bodies.nc and series.nc as far as body_forces.py reads them."""
    with h5py.File(os.path.join(folder, "bodies.nc"), "w") as target:
        target["time"] = t
        for name, values in (("x", x), ("y", y), ("z", z)):
            target[f"force_{name}"] = target[f"coefficient_{name}"] = values[:, None]
    with h5py.File(os.path.join(folder, "series.nc"), "w") as target:
        target["time"] = t
        target.attrs["input"] = np.bytes_(inputs)


def decay_test(kolmo, check):
    """The exponent of a decay is that of the last time at which the box was large enough."""
    folder = kolmo.place()
    with h5py.File(os.path.join(folder, "history.nc"), "w") as target:
        target["time"] = np.arange(6.0)
        target["decay_exponent"] = [np.nan, np.nan, 1.6, 1.5, 1.4, 1.3]
        target["Re_lambda"] = [9.0, 8.0, 7.0, 6.0, 5.0, 4.0]
        target["length_over_box"] = [0.05, 0.06, 0.07, 0.09, 0.101, 0.12]
    found = measure.decay(None, folder)
    check.near("exponent", found["decay_exponent"].value, 1.5, 0)
    check.near("    Re_lambda there", found["Re_lambda"].value, 6.0, 0)
    with h5py.File(os.path.join(folder, "history.nc"), "r+") as target:
        target["length_over_box"][...] = 0.2
    try:
        measure.decay(None, folder)
        check.fail("a box that is too small has an exponent")
    except measure.Unreadable as fault:
        check.says("a box that is too small", str(fault), "exceeds a tenth of the box")


def compensated_test(_, check):
    """The compensated spectrum is its constant where E is that of an inertial range; NaN without shells."""
    k, eta, eps = np.arange(1.0, 33.0), np.array([0.01, 0.02, 0.001]), np.array([0.2, 3.0, 0.2])
    spectrum = 1.7 * eps[:, None] ** (2 / 3) * k ** (-5 / 3)
    spectrum[:, k < 5] = 1e3
    found = measure.compensated_spectrum({"wavenumber": k, "kolmogorov_length": eta, "dissipation": eps,
                                          "E": spectrum})
    check.near("compensated spectrum", float(np.max(abs(found[:2] - 1.7))), 0.0, 1e-12)
    check.holds("    without shells", bool(np.isnan(found[2])))


def scaled_test(_, check):
    """A spectrum in Kolmogorov's units: that of an inertial range, whose amplitude swings from record to
    record, and records of before the averages, which don't count."""
    nu, eps, k = 0.01, 0.3, np.arange(9) * 0.5
    law = 1.6 * eps ** (2 / 3) * np.where(k > 0, k, 1.0) ** (-5 / 3)
    swing = 1 + 0.1 * (-1.0) ** np.arange(40)
    files = {
        "series.nc": {"words": {"input": "&grid\n n = 12, 12, 12\n/\n&statistics\n start = 5\n/\n"}},
        "history.nc": {"values": {
            "time": np.arange(45.0), "wavenumber": k, "dissipation": np.full(45, eps),
            "kolmogorov_length": np.full(45, (nu**3 / eps) ** 0.25),
            "E": np.concatenate([np.full((5, 9), 1e9), swing[:, None] * law])}},
    }  # fmt: skip
    t = np.arange(11.0)
    files["series.nc"]["values"] = {"time": t, "dissipation": np.full(11, 0.3), "force_power": 0.2 + 0.05 * t,
                                    "kinetic_energy": 1 - 0.1 * t + 0.025 * t**2}  # fmt: skip
    read, change = scaled_spectra.read_netcdf, (scaled_spectra, measure)
    for module in change:
        module.read_netcdf = lambda p: files[os.path.basename(p)]
    try:
        k_eta, own, error, compensated, law_error = scaled_spectra.of_run("run")
        budget = measure.energy_budget("run")
    finally:
        for module in change:
            module.read_netcdf = read
    check.near("energy budget, from the start of the averages", budget, 1.0, 1e-12)
    check.equal("scaled spectrum: shells up to those of two cells", len(k_eta), 6)
    check.near("    k eta", float(k_eta[1]), (nu**3 / eps) ** 0.25, 1e-12)
    check.below("    E k^(5/3)/eps^(2/3)", float(np.max(np.abs(compensated - 1.6))), 1e-12)
    check.below("    E/(eps nu^5)^(1/4)", float(np.max(np.abs(own / (1.6 * k_eta ** (-5 / 3)) - 1))), 1e-12)
    check.below("    even batches do not differ", float(np.max(np.maximum(error / own, law_error))), 1e-12)


def spectrum_test(kolmo, check):
    """A flow that has grown from waves with a spectrum is brought back to it; its phases and its divergence
    stay."""
    out = kolmo.place()
    k = np.array([0.9, 2.0, 4.0, 6.5])
    e = np.array([0.5, 2.0, 1.0, 0.1])
    table = os.path.join(out, "table.csv")
    with open(table, "w", encoding="utf-8") as file:
        file.write("# E(k)\nk,E1,E2\n0.5,nan,1\n" + "".join(f"{a},{b},0\n" for a, b in zip(k, e)))
    found = grid_turbulence.read_spectrum(table, "E1")
    check.equal("the table", [list(a) for a in found], [list(k), list(e)])
    shape = os.path.join(out, "shape.txt")
    grid_turbulence.write_spectrum(shape, k, e)
    case = {
        "run": {"steps_max": 6}, "grid": {"n": (16, 16, 16), "length": (6.0, 6.0, 6.0)},
        "fluid": {"nu": 0.02},
        "time": {"dt": 0.05}, "pressure": {"preconditioner": "direct"}, "history": {"interval": 6},
        "initial": {"type": "isotropic", "spectrum": "file", "spectrum_file": shape, "u_rms": 1.5},
    }  # fmt: skip
    grown = kolmo.run(case).folder
    flow = os.path.join(out, "flow.h5")
    grid_turbulence.reshape(kc.checkpoint_path(grown), flow, k, e)
    case["run"], case["initial"] = {"steps_max": 1}, {"type": "file", "file": flow}
    again = kolmo.run(case)
    history = kc.read_fields(os.path.join(again.folder, "history.nc"))
    own = history["wavenumber"]
    inside = (own >= k[0]) & (own <= k[-1])
    wanted = np.exp(np.interp(np.log(own[inside]), np.log(k), np.log(e)))
    check.below("shells in the table", float(abs(history["E"][0][inside] / wanted - 1).max()), 1e-6)
    before = kc.read_fields(os.path.join(grown, "history.nc"))["E"][-1]
    below = (own > 0) & (own < k[0])
    same = np.allclose(history["E"][0][below], before[below], rtol=1e-6)
    check.holds("    and below it as they were", same)
    fields, start = kc.read_fields(flow), kc.Checkpoint(kc.checkpoint_path(grown)).fields
    a, b = (np.fft.rfftn(v["u"])[1:6, 2, 3] for v in (fields, start))
    check.below("    phases", float(abs(np.angle(a / b)).max()), 1e-6)
    divergence = sum(np.roll(fields[n], -1, axis) - fields[n] for n, axis in (("u", 2), ("v", 1), ("w", 0)))
    check.below("    divergence", float(abs(divergence).max()), 1e-6)


def driver(kolmo, out, *words, rc=0):
    """run.py in a process of its own."""
    env = dict(kc.environment(), **kolmo.alone())
    program = os.path.join(HERE, "..", "campaign", "run.py")
    done = subprocess.run([sys.executable, program, *words, "--out", out,
                           "--kolmo", kolmo.program], capture_output=True, text=True, check=False,
                          timeout=kc.SECONDS, env=env)  # fmt: skip
    if done.returncode != rc:
        raise kc.RunError(f"run.py {words}: exit code {done.returncode}, expected {rc}: {done.stderr}")
    return done.stdout + done.stderr


def tiny(case):
    """The small turbulent channel of the table with a few steps, all of the same length."""
    grids = (
        cases.Grid("seed", (8, 8, 8), seed=True, average=0.2),
        cases.Grid("coarse", (8, 8, 10)),
        cases.Grid("fine", (12, 12, 15)),
    )
    settings = {n: v for n, v in case.settings.items() if n != "time.cfl"}
    settings.update({"statistics.interval": 1, "time.dt": 0.02, "statistics.spectra_interval": 5})
    settings["statistics.spectra_heights"] = (0.3, 1.0)
    return dataclasses.replace(
        case, grids=grids, turnover=1.0, develop=0.2, again=0.2, average=1.8, settings=settings,
        drop=("time.cfl",),
    )  # fmt: skip


def chain_test(kolmo, check):
    """Parts, a restart, another grid, a segment, merging and the page, of a channel of a few cells."""
    out = kolmo.place()
    case = tiny(cases.find("proof-channel"))
    options = {"flow": None, "turnovers": None, "set": {}, "ranks": 1, "kolmo": kolmo.program, "known": {}}
    seed, coarse, fine = (run.Work(out, case, g) for g in case.grids)
    check.equal("seed", run.part(seed, options, 60), 0)
    check.holds("it leaves its flow", os.path.isfile(seed.flow))
    # half of it, then the rest by a restart: the bits of a run in one go
    half = dict(options, turnovers=0.8)
    check.equal("coarse grid, first part", run.part(coarse, half, 60), 0)
    check.equal("it begins with the flow of the seed", coarse.state["begins_with"], "seed")
    check.equal("more is asked for", run.complete(coarse, dict(options, turnovers=1.8)), False)
    check.equal("second part", run.part(coarse, dict(options, turnovers=1.8), 60), 0)
    check.equal("parts", len(coarse.state["parts"]), 2)
    check.says("it goes on", coarse.state["parts"][1]["command"], "--restart latest")
    whole = run.Work(os.path.join(out, "whole"), case, case.grids[1])
    check.equal("in one go", run.part(whole, dict(options, flow=seed.flow), 60), 0)
    one, two = (kc.Checkpoint(kc.checkpoint_path(w.folder)) for w in (coarse, whole))
    # equal but for the rounding of the clock, since the first part ends at a time of its own
    check.below("parts and one go", float(abs(one.fields["u"] - two.fields["u"]).max()), 1e-11)
    segment = run.Work(out, case, case.grids[1], 1)
    check.equal("a segment", run.part(segment, options, 60), 0)
    check.equal("    it begins with the flow of the seed", segment.state["begins_with"], "seed")
    three = kc.Checkpoint(kc.checkpoint_path(segment.folder))
    check.above("it is another flow", three.rms("u", three.fields["u"] - one.fields["u"]), 1e-4)
    check.equal("fine grid", run.part(fine, options, 60), 0)
    check.equal("it begins with the flow of the coarse grid", fine.state["begins_with"], "coarse")
    environment, os.environ["KOLMO"] = os.environ.get("KOLMO"), kolmo.program
    result = page.write_page(out, case, os.path.join(out, "page"), certify=False)
    if environment is None:
        del os.environ["KOLMO"]
    else:
        os.environ["KOLMO"] = environment
    check.equal("grids of the page", result["grids_used"], ["coarse", "fine"])
    check.equal("segments of the coarse grid", result["runs"][1]["segments"], 2)
    samples = [measure.read_netcdf(os.path.join(out, case.name, name, "statistics.nc"))["values"]["n_samples"]
               for name in ("coarse", "coarse-segment-1", "merged-coarse")]  # fmt: skip
    check.equal("samples of the merged averages", float(samples[2]), float(samples[0] + samples[1]))
    row = next(r for r in result["rows"] if r["quantity"] == "Re_tau")
    (a, _), (b, _) = row["grids"]["coarse"], row["grids"]["fine"]
    spectra = [n for n in measure.lines_of(case, fine.folder) if n.startswith("E_")]
    check.equal("spectra at heights", len(spectra), 2 * 2 * 4)
    stress = next(r for r in result["rows"] if r["quantity"] == "total stress")
    check.equal("what is exact on every grid is not extrapolated", stress["n_grids"], 1)
    check.near("Re_tau extrapolated", row["value"], b + (b - a) / (1.5**2 - 1), 1e-6 * abs(b))
    with open(os.path.join(out, "page", case.name + ".md"), encoding="utf-8") as file:
        check.says("the page", file.read(), "## Runs", "12 x 12 x 15", "Re\\_tau".replace("\\", ""), "none")
    for step in kc.checkpoint_steps(coarse.folder):
        os.remove(kc.checkpoint_path(coarse.folder, step))
    kept = kc.file_bytes(os.path.join(coarse.folder, "statistics.nc"))
    try:
        run.part(coarse, dict(options, turnovers=2.0), 60)
        check.fail("averages without a checkpoint: a new run wrote over them")
    except run.Fault as fault:
        check.says("averages without a checkpoint are not written over", str(fault), coarse.folder,
                   "--grid coarse --segment 2", "remove this folder")  # fmt: skip
    check.holds("    they are as they were",
                kc.file_bytes(os.path.join(coarse.folder, "statistics.nc")) == kept)  # fmt: skip
    flow = kc.read_fields(seed.flow)
    exact = kc.Checkpoint(kc.checkpoint_path(seed.folder)).fields
    check.below("flow.h5: rounding", float(abs(flow["u"] - exact["u"]).max() / abs(exact["u"]).max()), 2**-12)


def pipe_test(_, check):
    """Nobody reads what is printed, as behind `| head`: the end without a word. Catches tracebacks."""
    for name, word in (("campaign/run.py", "--list"), ("campaign/page.py", "--help"),
                       ("campaign/node.py", "--help"),
                       ("builds/variants.py", "--list"), ("../postproc/kolmo-report", "--help")):  # fmt: skip
        read, write = os.pipe()
        os.close(read)
        ended = subprocess.run([sys.executable, os.path.join(HERE, "..", name), word], stdout=write,
                               stderr=subprocess.PIPE, check=False)  # fmt: skip
        os.close(write)
        check.equal(f"{name} {word}: what it says of it", ended.stderr, b"")


def command_test(kolmo, check):
    """The command: its faults, its list, and a page by the laminar duct, with one table that is not there."""
    out = kolmo.place()
    check.says(
        "no such case", driver(kolmo, out, "channel-181", rc=2), "channel-181: no such case", "channel-180"
    )
    check.says(
        "no such grid", driver(kolmo, out, "channel-180", "--grid", "finest", rc=2),
        "seed, coarse, medium, fine",
    )
    check.says("list", driver(kolmo, out, "--list"), "channel-950", "million cells", "on a GPU")
    check.says("estimate", driver(kolmo, out, "channel-180", "--estimate"), "no run in this folder yet")
    said = driver(kolmo, out, "channel-180", "--grid", "fine", "--estimate")
    check.equal("    of one grid", said.count("million cells"), 1)
    said = driver(kolmo, out, "proof-duct", "--minutes", "0.2", rc=2)
    check.says("too short a call", said, "no part is shorter than 20 s")
    check.says("no length", driver(kolmo, out, "proof-duct", "--turnovers", "0", rc=2), "above 0 is wanted")
    said = driver(kolmo, out, "proof-duct", "--grid", "coarse", "--minutes", "2", "--set", "run.t_end=0.5")
    check.says("a laminar case", said, "proof-duct: done", "0 pass, 0 fail, 1 none")
    check.says("estimate from it", driver(kolmo, out, "channel-180", "--estimate"), "here ")
    with open(os.path.join(out, "proof-duct", "page", "proof-duct.json"), encoding="utf-8") as file:
        result = json.load(file)
    check.equal("its verdict", [r["verdict"] for r in result["rows"]], [NONE])
    check.holds(
        "its certificate",
        os.path.isfile(os.path.join(out, "proof-duct", "page", "proof-duct-coarse.certificate.json")),
    )
    there, measure.TABLES = measure.TABLES, out
    missing = measure.references_of(cases.find("channel-180"))[1]
    for name, re_tau in (("mkm590", 587.19), ("lm550", 543.5)):
        with open(os.path.join(out, f"channel_{name}_profiles.csv"), "w", encoding="utf-8") as file:
            file.write(f"# Re_tau = {re_tau}\ny_plus,U_plus\n1,1\n5,4.9\n30,13.5\n")
    found = measure.references_of(cases.find("channel-590"))[0]
    measure.TABLES = there
    check.equal("tables that are not there are named", len(missing), 6)
    check.equal("nor does one of another bulk Reynolds number", found[0].value, None)
    bounds = {r.source: r.wanted for r in found if r.quantity == "U"}
    check.equal("a table of another Re_tau does not judge", bounds, {"mkm590": 0.003, "lm550": None})


def friction_test(_, check):
    """Re_tau and friction are judged by a table of the same bulk Reynolds number: a made-up parabola."""
    case = dataclasses.replace(cases.find("channel-180"), settings={"fluid.nu": 1 / 3000.0})
    y = np.linspace(0.0, 180.0, 4001)
    shape = (y / 180.0) * (2.0 - y / 180.0)
    for words, bulk, wanted in (("the same", 3000.0 / 180.0, 180.0), ("another", 16.9, None)):
        table = {"name": "x", "y": y, "column": {"U": 1.5 * bulk * shape}, "re_tau": [180.0]}
        check.near(f"{words}: bulk velocity", measure.bulk_velocity(table), bulk, 1e-5 * bulk)
        references = [measure.Reference(n, "", None) for n in ("Re_tau", "friction_coefficient")]
        measure.set_friction(case, table, references)
        check.equal("    Re_tau", references[0].value, wanted)
        check.equal("    its bound", references[0].wanted, None if wanted is None else 0.01)
        if wanted is not None:
            check.near("    friction", references[1].value, 2 / bulk**2, 1e-6)
            check.equal("    its bound", references[1].wanted, 0.02)


def part_test(kolmo, check):
    """Calls that end before the case: exit code 5, and a restart by the next one."""
    out, least, once, part = kolmo.place(), run.LEAST, run.ONCE, run.part
    same = ["--no-page", "--out", out, "--kolmo", kolmo.program]
    words = ["proof-duct", "--grid", "fine", "--minutes", "0.02", "--set", "run.t_end=80", *same]
    run.LEAST = 0
    codes = [run.main(words) for _ in range(2)]
    run.LEAST = least
    check.equal("exit codes", codes, [5, 5])
    case = cases.find("proof-duct")
    parts = run.Work(out, case, case.grids[1]).state["parts"]
    check.equal("parts", [p["exit"] for p in parts], [5, 5])
    check.says("the second goes on", parts[1]["command"], "--restart latest")
    check.above("    to a later time", parts[1]["time"], parts[0]["time"])
    called, run.ONCE = [], 1.0  # as if some of the call had been used
    run.part = lambda work, *_: called.append(work.name) or 0
    code = run.main(["taylor-green", *same])
    run.part, run.ONCE = part, once
    check.equal("a grid without checkpoints waits for a whole call", code, 5)
    check.equal("    all others are run", called, ["256", "384", "512", "640", "768"])


def node_test(kolmo, check):
    """Cases side by side: two lanes, grids that wait for each other's flow, no time left, a failure, what is
    packed. The runs are made up. Catches two grids of a case at a time, lost jobs, archives with
    checkpoints in them."""
    out, calls, lock = kolmo.place(), [], threading.Lock()
    os.makedirs(out, exist_ok=True)
    codes = {"channel-180:fine": 5, "cavity-2d": 1}

    def made_up(_, words, env):
        call = words[2] + (":" + words[4] if words[3] == "--grid" else "")
        with lock:
            calls.append(("begins", call, env["CUDA_VISIBLE_DEVICES"]))
        time.sleep(0.2)
        with lock:
            calls.append(("ends", call, env["CUDA_VISIBLE_DEVICES"]))
        return codes.get(call, 0), "why\n"

    def called(*words):
        calls.clear()
        told, real = io.StringIO(), node.Queue.call
        node.Queue.call = made_up
        os.environ["CUDA_VISIBLE_DEVICES"] = "4,7"
        try:
            with contextlib.redirect_stdout(told):
                code = node.main([*words, "--out", out, "--kolmo", kolmo.program])
        finally:
            node.Queue.call = real
            del os.environ["CUDA_VISIBLE_DEVICES"]
        return code, told.getvalue()

    jobs = ["channel-180:coarse", "channel-180:fine", "taylor-green:256", "taylor-green:384"]
    code, said = called("--minutes", "2", *jobs)
    check.equal("exit code where one has more to run", code, 5)
    check.equal("all are run", sorted(c[1] for c in calls if c[0] == "begins"), sorted(jobs))
    check.equal("on both GPUs", {c[2] for c in calls}, {"4", "7"})
    order = [c[:2] for c in calls]
    check.holds(
        "a grid waits for the flow of another",
        order.index(("ends", jobs[0])) < order.index(("begins", jobs[1])),
        order,
    )
    check.equal("while others run", {c[1] for c in calls[:2]}, {jobs[0], jobs[2]})
    check.says("what became of them", said, "channel-180:fine: more to run", "taylor-green:256: done")
    code, said = called("--minutes", "2", "grid-turbulence:grow-256", "grid-turbulence:256")
    order = [c[0] for c in calls]
    check.equal("a grid waits for the seed from which it grows", order, ["begins", "ends"] * 2)
    code, said = called("--minutes", "2", "cavity-2d", "couette")
    check.equal("exit code of a failure", code, 1)
    check.says("    which is told", said, "cavity-2d: failed", "why", "couette: done")
    code, said = called("--minutes", "2", "--whole", "channel-590", "taylor-green:256", "--lanes", "1")
    begun = [c[1] for c in calls if c[0] == "begins"]
    check.equal("what would not end in time is left", begun, ["taylor-green:256"])
    check.equal("    exit code", code, 5)
    check.says("    told", said, "channel-590                      no time")
    check.equal("nothing is packed without being asked", os.listdir(out), [])
    files = {
        "channel-180": ("checkpoint_00000003.h5", "series.nc", "flow.h5", "fields_00000001.h5"),
        "cavity-3d": ("checkpoint_00000003.h5", "checkpoint_00000012.h5", "bodies.nc"),
    }
    for case, names in files.items():
        os.makedirs(os.path.join(out, case, "48"))
        for name in names:
            with open(os.path.join(out, case, "48", name), "wb") as file:
                file.truncate(node.LARGEST + 1 if name in ("flow.h5", "checkpoint_00000012.h5") else 100)
    with open(os.path.join(out, "cavity-3d", "48", "means.h5"), "wb") as file:
        file.truncate(node.LARGEST + 1)
    kept = os.path.join(out, "kept.tgz")
    code, said = called("--minutes", "2", "cavity-3d", "channel-180", "--pack", kept)
    with tarfile.open(kept) as archive:
        found = sorted(m.name for m in archive.getmembers() if m.isfile())
    packed = ["cavity-3d/48/bodies.nc", "cavity-3d/48/checkpoint_00000012.h5", "channel-180/48/series.nc"]
    check.equal("files that are packed", found, packed)
    check.says("what is too large for it", said, "too large to be packed", "means.h5, 16 MiB")
    piece, left = 0.004, [f"{kept}.tmp", f"{kept}.txt"]
    for path in (*left, f"{kept}.999"):
        with open(path, "w", encoding="ascii") as file:
            file.write("of somebody else\n")
    code, said = called("--minutes", "2", "cavity-3d", "channel-180", "--pack", kept, "--part-size",
                        str(piece))  # fmt: skip
    parts = node.pieces(kept)
    check.equal("pieces", [os.path.basename(p)[-4:] for p in parts],
                [f".{n:03d}" for n in range(len(parts))])  # fmt: skip
    check.above("    of them", len(parts), 1)
    check.says("    told", said, f" MiB in {len(parts)} pieces, which `cat {kept}.[0-9]*` joins")
    sizes = [os.path.getsize(p) for p in parts]
    check.equal("    sizes", sizes[:-1], [int(piece * 2**20)] * (len(parts) - 1))
    check.holds("    without the whole and what was there before", not os.path.exists(kept))
    check.equal("    beside files of others", os.path.exists(left[1]), True)
    joined = b"".join(kc.file_bytes(p) for p in parts)
    with tarfile.open(fileobj=io.BytesIO(joined)) as archive:
        check.equal("    joined", sorted(m.name for m in archive.getmembers() if m.isfile()), packed)
    code, said = called("--minutes", "2", "cavity-3d", "--pack", kept, "--part-size", "1")
    check.equal("a small archive is whole again", (node.pieces(kept), os.path.exists(kept)), ([], True))
    wrong = {
        "name it once": ["couette", "couette:fine"],
        "no such case": ["channel-181"],
        "coarse, fine": ["couette:finest"],
        "which cases?": [],
        "no part is shorter": ["couette", "--minutes", "0.1"],
        "1 or more": ["couette", "--lanes", "0"],
        "a number is wanted": ["couette", "--lanes", "two"],
        "not understood": ["couette", "--ranks"],
        "folder is not there": ["couette", "--pack", os.path.join(out, "none", "k.tgz")],
        "give --pack, too": ["couette", "--part-size", "15"],
        "MiB or more": ["couette", "--pack", kept, "--part-size", "0"],
    }
    for what, words in wrong.items():
        try:
            called(*words)
            check.holds(f"refused: {what}", False)
        except run.Fault as fault:
            check.says(f"refused: {what}", str(fault), what)


def started(kolmo, name, *words):
    """A script of the campaign in a process of its own."""
    env = dict(kc.environment(), OMPI_MCA_rmaps_base_oversubscribe="1")
    if "--ranks" not in words:
        env.update(kolmo.alone())
    env.pop("CUDA_VISIBLE_DEVICES", None)
    command = [sys.executable, os.path.join(HERE, "..", "campaign", name), *words, "--kolmo", kolmo.program]
    return subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, start_new_session=True)  # fmt: skip


def below(pid):
    """All processes that a process and its children have started."""
    found = []
    for child in kc.children(pid):
        found += [child, *below(child)]
    return found


def says_start(folder):
    """Whether the run there has begun its steps."""
    path = os.path.join(folder, "run.log")
    return os.path.isfile(path) and b"start: step 0" in kc.file_bytes(path)


def ends(kolmo, check, label, process, number):
    """Sends a signal to a call, whose runs then end with checkpoints. Returns what it said."""
    runs = below(process.pid)
    process.send_signal(number)
    ended = kolmo.finish(process, rc=None)
    check.equal(f"{label}: exit code", ended.rc, 5)
    limit = time.monotonic() + 10 * kc.crowding()  # ranks of mpirun may end after it
    while (left := [p for p in runs if os.path.exists(f"/proc/{p}")]) and time.monotonic() < limit:
        time.sleep(0.05)
    check.equal("    runs that are left", left, [])
    return ended.out + ended.err


def interrupted(kolmo, check, out):
    """run.py on two ranks."""
    ranks = ("--ranks", "2", "--minutes", "9", "--out", out)
    process = started(kolmo, "run.py", "cavity-2d", "--grid", "64", *ranks)
    folder = os.path.join(out, "cavity-2d", "64")
    kc.wait_for(lambda: says_start(folder), process, "the run takes steps")
    said = ends(kolmo, check, "run.py on 2 ranks, interrupt", process, signal.SIGINT)
    check.says("    it says", said, "cavity-2d: there is more to run")
    check.equal("    checkpoints", len(kc.checkpoint_steps(folder)), 1)
    check.equal("    no page", os.path.exists(os.path.join(out, "cavity-2d", "page")), False)


def stop_test(kolmo, check):
    """TERM and an interrupt: the runs end with checkpoints, no job begins, the archive is renewed, exit code
    5. Catches runs that are left behind, and those that mpirun ends by force."""
    out = kolmo.place()
    os.makedirs(out, exist_ok=True)
    kept = os.path.join(out, "kept.tgz")
    jobs = {"cavity-2d:96": "cavity-2d/96", "cylinder-re100:20": "cylinder-re100/20"}
    folders = [os.path.join(out, *f.split("/")) for f in jobs.values()]
    process = started(kolmo, "node.py", "--lanes", "2", "--minutes", "9", "--pack", kept, "--part-size",
                      "0.002", "--out", out, *jobs, "couette")  # fmt: skip
    kc.wait_for(lambda: all(map(says_start, folders)), process, "both runs take steps")
    said = ends(kolmo, check, "node.py, TERM", process, signal.SIGTERM)
    check.says("    jobs", said, *(f"{j}: more to run" for j in jobs), f"{'couette':32s} not begun")
    for folder in folders:
        with open(os.path.join(folder, "campaign.json"), encoding="utf-8") as file:
            check.equal(f"{folder[len(out) + 1:]}: parts", [p["exit"] for p in json.load(file)["parts"]], [5])
        check.equal("    checkpoints", len(kc.checkpoint_steps(folder)), 1)
    joined = b"".join(kc.file_bytes(p) for p in node.pieces(kept))
    with tarfile.open(fileobj=io.BytesIO(joined)) as archive:
        names = archive.getnames()
    check.holds("    packed", all(f"{f}/campaign.json" in names for f in jobs.values()), str(names))
    if kolmo.options.mpirun.split()[0] == "mpirun":  # that of run.py
        interrupted(kolmo, check, out)
    stop = run.Stop()
    stop.asked = True  # before the command could catch it
    with open(os.path.join(out, "log"), "w", encoding="utf-8") as file:
        check.equal("a signal that comes at once", stop.call(["sleep", "60"], file, 90), -signal.SIGUSR1)
        check.equal("a command that takes too long", run.Stop().call(["sleep", "60"], file, 0.1), 124)


if __name__ == "__main__":
    kc.main(
        __doc__,
        [
            node_test,
            stop_test,
            extrapolation_test,
            verdict_test,
            short_averages_test,
            parts_test,
            settings_test,
            forces_test,
            separation_test,
            duct_test,
            decay_test,
            compensated_test,
            scaled_test,
            spectrum_test,
            table_test,
            spacing_test,
            curve_test,
            coarse_test,
            index_test,
            renew_test,
            keep_test,
            settings_told_test,
            friction_test,
            pipe_test,
            chain_test,
            part_test,
            command_test,
        ],
    )

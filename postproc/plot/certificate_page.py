"""The page of a certificate, and what kolmo-report --certificate and --verify do."""
import html
import os
import shutil
import tempfile

from kolmo import certificate
from kolmo.guarded import writable
from report_page import Page

WORDS = {"kmax_eta": "k_max eta at the largest dissipation",
         "cells_per_body": "widest cells over the smallest body",
         "budget_residual_largest": "largest residual of the energy budget of a step",
         "divergence_largest": "largest divergence of a cell, times h/U"}


def row_of(name, value):
    """A number with its words."""
    words = WORDS.get(name)
    if words is None and "_plus_" in name:
        words = f"{name[-7:].strip('_')} spacing along {name[1]}, wall units"
    return words or name, f"{value:.6g}"


def text_of(made):
    """The page."""
    page = Page(None, None)
    run = made["run"]
    page.put(f"<h1>Certificate: {html.escape(made['title'])}</h1><p>steps {run['steps'][0]} to "
             f"{run['steps'][1]}, t {run['time'][0]:.6g} to {run['time'][1]:.6g}"
             f"{'' if run['finished'] else '; the run has not reached its end'}</p><!--nav-->")
    rows = made["verdicts"]
    bad = sum(not r["pass"] for r in rows)
    page.heading("Verdicts")
    page.words(f"{bad} of {len(rows)} FAIL" if bad else f"all {len(rows)} pass", "sum fail" if bad else "sum")
    rows = sorted(rows, key=lambda r: r["pass"])
    page.table(("quantity", "table", "norm", "allowed", "verdict"),
               [(r["quantity"], r["table"], f"{r['norm']:.3g}", f"{r['allowed']:.3g}",
                 "pass" if r["pass"] else "FAIL") for r in rows],
               ["pass" if r["pass"] else "fail" for r in rows])
    page.heading("What it resolved and kept")
    page.table(("quantity", "value"), [row_of(*item) for part in ("resolution", "kept")
                                       for item in made[part].items()])
    errors = [(n.partition(".")[2].removesuffix("_error"), n) for n in made["numbers"]
              if n.startswith("statistics.") and n.endswith("_error")]
    if errors:
        page.heading("Averages and their statistical errors")
        page.table(("average", "value", "standard error"),
                   [(name, f"{made['numbers'][f'statistics.{name}']:.8g}", f"{made['numbers'][key]:.2g}")
                    for name, key in errors if f"statistics.{name}" in made["numbers"]])
    page.heading("To repeat it")
    repeat = made["repeat"]
    if repeat["possible"]:
        page.put(f"<p>With the build below and a device of the same kind, on any number of ranks:</p><pre>"
                 f"{html.escape(repeat['verify'])}\n{html.escape(repeat['command'])}</pre>")
    else:
        page.words("It can't be repeated to the bit as one run: " + repeat["why_not"])
    if repeat["files"]:
        page.table(("file that it reads", "SHA-256"),
                   [(n, h or "not found when the certificate was written")
                    for n, h in repeat["files"].items()])
    page.heading("Build and device")
    page.table(("", ""), [(n, v) for n, v in made["provenance"].items() if v])
    page.heading("Hashes of its numbers")
    page.words("SHA-256 over names, types, shapes and values of all variables; wall clock and provenance are "
               "left out. certificate.json has those of each variable. averages.h5, fields, slices, boxes "
               "and checkpoints have no hashes here.")
    page.table(("file", "SHA-256"), [(n, h["all"]) for n, h in made["hashes"].items()])
    page.heading("Input")
    page.put("<pre>" + html.escape(repeat["input"]) + "</pre>")
    return page.text("Certificate: " + made["title"])


def issue(folder, verdicts, to):
    """Writes certificate.json, .nml and .html into the folder `to`."""
    rows = [{"quantity": words, "table": table, "norm": float(found), "allowed": float(allowed),
             "pass": bool(good)}
            for words, table, found, allowed, good, _ in verdicts.rows]
    made = certificate.make(folder, rows)
    os.makedirs(to, exist_ok=True)
    path = os.path.join(to, "certificate.json")
    certificate.write(made, path)
    with open(writable(os.path.join(to, "certificate.html")), "w", encoding="utf-8") as file:
        file.write(text_of(made))
    print(f"\ncertificate {path}")
    if not made["repeat"]["possible"]:
        print(f"note: this run can't be repeated to the bit: {made['repeat']['why_not']}")


def verify(path, ranks, steps, to):
    """Repeats the run of a certificate; the exit code. to: folder that keeps it; None: none does."""
    folder = to or tempfile.mkdtemp(prefix="kolmo-verify-")
    try:
        found = certificate.verify(path, folder, ranks, steps)
    finally:
        if to is None:
            shutil.rmtree(folder, ignore_errors=True)
    for name, words in found["rows"]:
        print(f"{name:40s} {words}")
    for words in found["numbers"]:
        print(f"  {words}")
    for words in found["other_build"]:
        print(f"note: another build: {words}")
    print("verified: the same bits" if found["same"] else "NOT the same bits")
    return 0 if found["same"] else 1

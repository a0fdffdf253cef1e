#!/usr/bin/env python3
"""Writes docs/validation/README.md, the index of all that was compared, from docs/validation/results, and the
text of the pages of cases anew from their numbers.

usage: index.py [--check]

docs/validation/results has CASE.json for each case of the campaign that was run (page.py writes it), and
page-NAME.json for each of the other pages, with numbers that stand in that page. The index has one row for
each number that a page calls a headline and for each that fails, and lists the cases that have not been run
with their commands and estimates. --check writes nothing: it compares the index and the pages of cases with
the files, each difference, error and verdict with its numbers, each extrapolated value with those of its
grids, commit, device and numbers of each certificate with those of its run, and each number of another page
with the text of that page. There, what passes has an error within what is wanted if it is extrapolated.

Exit codes: 0 done, or all agrees; 1 something does not."""

import glob
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.realpath(os.path.join(HERE, "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "postproc", "plot"))
import system_python  # noqa: E402

system_python.require("index.py", __name__)
import numpy as np  # noqa: E402
import cases  # noqa: E402
import judge  # noqa: E402
from page import (  # noqa: E402
    command,
    device,
    page_text,
    beside_bound,
    percent,
    percent_with_error,
    short,
    source_words,
    table,
    took,
    verdict_words,
    whole_command,
    with_error,
)
from run import gpu_seconds, minutes  # noqa: E402

VALIDATION = os.path.join(ROOT, "docs", "validation")
NUMBER = r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?"
HEAD = (
    "case",
    "grid",
    "time on what",
    "quantity",
    "ours",
    "reference",
    "difference",
    "wanted",
    "verdict",
    "page",
)
SHOWN = {judge.PASS: "pass", judge.FAIL: "**fail**", judge.NONE: "none"}


def read(folder, pattern):
    """JSON files of docs/validation/results by name."""
    found = {}
    for path in sorted(glob.glob(os.path.join(folder, "results", pattern))):
        with open(path, encoding="utf-8") as file:
            found[os.path.basename(path).removesuffix(".json")] = json.load(file)
    return found


def campaign_results(folder):
    """Of cases."""
    return {
        n: r
        for n, r in read(folder, "*.json").items()
        if not n.startswith("page-") and not n.endswith(".certificate")
    }


def plus_minus(value, error):
    """Ours with its error bar."""
    return f"{value} +- {error}" if error else value


def with_reason(verdict, why):
    """A verdict, with the reason where there is none."""
    return SHOWN[verdict] + (f": {why}" if why else "")


def entry_error(entry):
    """Error of an entry of a page as a share, like its difference; None where it has none."""
    error, reference = numbers_in(entry["error"]), numbers_in(entry["reference"])
    if error is None:
        return None
    return error[0] / (abs(reference[0]) if reference is not None and reference[0] else 1.0)


def entry_verdict(entry):
    """That follows from the numbers of an entry: by its difference alone, but to pass, its error must be
    within what is wanted, too."""
    difference, error, wanted = entry["difference"], entry_error(entry), entry["wanted"]
    if difference is None or wanted is None:
        return judge.NONE
    if abs(difference) > wanted:
        return judge.FAIL
    return judge.PASS if error is None or error <= wanted else judge.NONE


def entry_reason(entry):
    """Why an entry of a page has no verdict."""
    if entry_verdict(entry) != judge.NONE:
        return ""
    return judge.reason(entry["difference"], entry_error(entry) or 0.0, entry["wanted"])


def page_rows(results):
    """Of the pages that no campaign wrote."""
    rows = []
    for one in results.values():
        for entry in one["entries"]:
            rows.append(
                (
                    entry["what"],
                    entry["grid"],
                    entry["time"],
                    entry["quantity"],
                    plus_minus(entry["ours"], entry["error"]),
                    entry["reference"],
                    percent(entry["difference"]),
                    percent(entry["wanted"]),
                    with_reason(entry["verdict"], entry_reason(entry)),
                    f"[{one['name']}]({one['page']})",
                )
            )
    return rows


def grids_of(one, row=None):
    """Runs whose numbers a row has, or all that count. A row that keeps no numbers of grids names them."""
    names = one["grids_used"]
    if row is not None:
        named = [n for n in names if f"{n}^3" in row["quantity"]]
        names = list(row.get("grids") or row.get("grid_differences") or named or names)
    return [r for r in one["runs"] if r["name"] in names]


def begun_with(case, run):
    """Grid whose flow a run began with; None where it began with the initial flow of the case."""
    return case.grid(run["name"]).grown or (run.get("begins_with") or "").partition("-segment-")[0] or None


def chain(one, used):
    """Some runs and all that they began with, back to an initial flow, in the order of the page; and the
    names of those that the page has not."""
    case, runs = cases.find(one["name"]), {r["name"]: r for r in one["runs"]}
    found, left = set(), [r["name"] for r in used]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            before = begun_with(case, runs[name]) if name in runs else None
            left += [before] if before else []
    return [r for r in one["runs"] if r["name"] in found], sorted(found - set(runs))


def clock(one, used):
    """Time and devices of some runs and of all that they began with."""
    runs, missing = chain(one, used)
    seconds = {}
    for run in runs:
        seconds[device(run)] = seconds.get(device(run), 0.0) + run["seconds"]
    text = "; ".join(f"{took(s)} on {d}" for d, s in seconds.items())
    return text + (f"; that of {', '.join(missing)} was not kept" if missing else "")


def campaign_rows(results):
    """Headlines and failures of the cases that were run."""
    rows = []
    for name, one in results.items():
        for row in one["rows"]:
            if not row["headline"] and row["verdict"] != judge.FAIL:
                continue
            used = grids_of(one, row)
            ours, reference = beside_bound(row["difference"], row["wanted"]), source_words(row)
            if "value" in row:
                ours = with_error(row["value"], row["error"])
                reference = (
                    f"{short(row['reference'])}, {reference}"
                    if row["reference"] is not None
                    else (reference + ": none at hand").lstrip(": ")
                )
            elif row["difference"] is not None:
                ours = percent_with_error(row["difference"], row["difference_error"], row["wanted"])
                reference = f"0, {reference}"
            rows.append(
                (
                    one["what"],
                    ", ".join(" x ".join(map(str, r["n"])) for r in used),
                    clock(one, used),
                    row["quantity"],
                    ours,
                    reference,
                    percent_with_error(
                        row["difference"], "value" in row and row["difference_error"], row["wanted"]
                    ),
                    percent(row["wanted"]),
                    verdict_words(row).replace(row["verdict"], SHOWN[row["verdict"]], 1),
                    f"[{name}](results/{one['page']})",
                )
            )
        for run in one["runs"]:
            if run["failed"]:
                rows.append(
                    (
                        one["what"],
                        " x ".join(map(str, run["n"])),
                        clock(one, [run]),
                        "the run itself",
                        f"exit code {run['failed'][-1]}",
                        "0",
                        "",
                        "",
                        SHOWN[judge.FAIL],
                        f"[{name}](results/{one['page']})",
                    )
                )
    return rows


def is_complete(case, grid, run):
    """Whether all segments of a grid have been run to their end, as the case is today."""
    if run is None or not run["finished"] or run["version"] in case.changed:
        return False
    return grid.seed or run["segments"] >= case.segments


def commands(case, left):
    """That run these grids."""
    whole = [whole_command(case, g) for g in left if g.once]
    return [command(case)] * any(not g.once for g in left) + whole


def waiting(results):
    """Cases that have not been run to their end: name, what, state, command, estimate."""
    rows = []
    for case in cases.CASES:
        if case.group == "proof":
            continue
        have = {r["name"]: r for r in results.get(case.name, {}).get("runs", [])}
        left = [g for g in case.grids if not is_complete(case, g, have.get(g.name))]
        if left:
            rows.append(
                (
                    f"`{case.name}`",
                    case.words,
                    ", ".join(f"{g.name} ({minutes(gpu_seconds(case, [g]))})" for g in left),
                    ", ".join(f"`{c}`" for c in commands(case, left)),
                    minutes(gpu_seconds(case, left))
                    + (f" with {case.segments} segments" if case.segments > 1 else ""),
                )
            )
    return rows


def compared(pages, results):
    """Number of comparisons on all pages."""
    return sum(len(p["entries"]) for p in pages.values()) + sum(len(r["rows"]) for r in results.values())


def left_rows(pages):
    """What other pages have not run."""
    return [
        (f"[{p['name']}]({p['page']})", left["what"], f"`{left['command']}`", left["estimate"])
        for p in pages.values()
        for left in p.get("left", ())
    ]


def index_text(folder):
    """The index."""
    pages, results = read(folder, "page-*.json"), campaign_results(folder)
    rows = page_rows(pages) + campaign_rows(results)
    count = {v: sum(r[8].partition(":")[0] == SHOWN[v] for r in rows) for v in SHOWN}
    text = [
        "# Validation\n",
        "This index is generated: `python3 tests/campaign/index.py` writes it from the files in "
        "`docs/validation/results`. `make check` compares the two.\n",
        f"The table has {len(rows)} of {compared(pages, results)} comparisons, the headlines of each page "
        f"and all that fail: {count[judge.PASS]} pass, {count[judge.FAIL]} fail, and "
        f"{count[judge.NONE]} have no verdict. The others are on the pages. A case of the campaign passes if "
        "the difference and its error are within what is wanted, and fails if the difference is not, even "
        "less two of its errors. In rows of other pages the difference alone is compared with what is "
        "wanted. To pass, an error that is known must be within it, too, and that of an extrapolated value "
        "must be known.\n",
        "A comparison without a verdict tells why: *no reference*; *no bound* was set for it beforehand; "
        "*one grid*, where two are wanted; *error too large* to tell; or *within two errors of the bound*. "
        "*Recalled*: the reference is quoted from memory, since the paper was not at hand.\n",
        "Several grids are extrapolated at second order. The error of ours is that of the averages over "
        "time, and with it that of the extrapolation: on two grids all that it adds, on more the difference "
        "between the extrapolations of both pairs, or the misfit.\n",
        "The time of a row of the campaign is that of the runs on its grids and of all runs that these began "
        "with: the one that made the flow, the one whose flow that one began with, and so on back to the "
        "initial flow of the case, each of them once and whole. It is the time of the clock in which the "
        "program ran, all parts and segments, with starts and files; on two GPUs it counts once. In rows of "
        "other pages it is that of the command, as far as it was kept.\n",
        table(HEAD, rows),
        "## Commands\n",
        "Each page has its command. These are the commands of the rows above, in the order of the pages:\n",
    ]
    for one in pages.values():
        text += [f"- [{one['name']}]({one['page']})"]
        text += [f"    - `{c}`" for c in dict.fromkeys(e["command"] for e in one["entries"])]
    text += [f"- [{n}](results/{r['page']})\n    - `{r['command']}`" for n, r in results.items()]
    text += [
        "\n## The campaign\n",
        "`tests/campaign/run.py` runs a case in parts of a few minutes on one grid after the other. Each "
        "call goes on where the last one ended, and writes the page of the case with its table, figure and "
        "certificates. `tests/campaign/cases.py` has the table of cases. These have not been run, or not to "
        "the end. The estimates are for one GPU, from the time for a cell in "
        "[../performance/README.md](../performance/README.md), with what starts, records and files take. "
        "They are no measurements, and are of a GPU that nothing else uses. Beside other programs the runs "
        "above took up to twelve times as long. `--estimate` "
        "prints cells and steps, too. Where runs/campaign is empty, a command first runs the grids that the "
        "named ones begin with.\n",
        table(
            (
                "case",
                "what",
                "grids to run (estimate)",
                "command, to be repeated until it is done; `--grid` names one grid",
                "estimate of all",
            ),
            waiting(results),
        ),
        "These are of the other pages:\n",
        table(("page", "what", "command", "estimate for one H100"), left_rows(pages)),
        "The page of a case is published by these two commands:\n",
        "    python3 tests/campaign/page.py CASE --to docs/validation/results\n"
        "    python3 tests/campaign/index.py\n",
        "A machine that can be had for half an hour at a time needs the flow of a coarse grid as a file: "
        "`run.py` leaves it in `GRID/flow.h5` in single precision, and `--flow` begins with it on any grid "
        "of the same box. `--segment N` makes an independent run whose averages are merged with the "
        "others. Tables are read from a folder shared/reference beside the checkout; where one is missing, "
        "the page names it, and its rows have no verdict.",
    ]
    return "\n".join(text).rstrip() + "\n"


# ---- agreement ---------------------------------------------------------------------------------------------


def page_faults(folder, results):
    """Of pages: numbers that are not in the text, verdicts that do not follow from their numbers."""
    found = []
    for name, one in results.items():
        with open(os.path.join(folder, one["page"]), encoding="utf-8") as file:
            text = " ".join(file.read().split())
        for entry in one["entries"]:
            place = f"{name}: {entry['what']}, {entry['quantity']}"
            for word in (entry["ours"], entry["error"], entry["reference"].split(",")[0]):
                bare = word.removesuffix(" %").lstrip("+")
                if bare and bare[-1].isdigit() and bare not in ("0", "1", "2", "-1"):
                    if not is_in(bare, text):
                        found.append(f"{place}: {word} is not in {one['page']}")
            should = entry_verdict(entry)
            if entry["verdict"] != should:
                found.append(f"{place}: verdict {entry['verdict']}, the numbers say {should}")
            for fault in (difference_fault(entry), error_fault(entry)):
                if fault:
                    found.append(f"{place}: {fault}")
    return found


def is_in(number, text):
    """Whether a number stands in a text, not as a part of another one."""
    return re.search(rf"(?<![\d.]){re.escape(number)}(?!\d|\.\d)", text) is not None


def error_fault(entry):
    """Of an entry that passes: an extrapolated value without its error."""
    if entry["verdict"] == judge.PASS and "extrapolated" in entry["grid"] and entry_error(entry) is None:
        return "an extrapolated value passes without its error"
    return None


def numbers_in(text):
    """Of a text such as 2.10, 7.8 % or 3.22 to 3.24, before its first comma: value or middle, and how far
    its rounding may have moved it; None where it does not begin with a number."""
    found = re.findall(NUMBER, text.split(",")[0])
    if not found or not re.match(NUMBER, text.strip()):
        return None
    scale = 0.01 if "%" in text.split(",")[0] else 1.0
    values = [float(word) * scale for word in found]
    digits = [word.lower().partition("e") for word in found]
    steps = [10.0 ** (int(d[2] or 0) - len(d[0].partition(".")[2])) * scale for d in digits]
    return sum(values) / len(values), 0.5 * max(steps)


def difference_fault(entry):
    """Of an entry of a page: a difference that does not follow from its two numbers."""
    ours, reference = numbers_in(entry["ours"]), numbers_in(entry["reference"])
    if entry["difference"] is None or ours is None or reference is None:
        return None
    size = reference[0] or 1.0
    should = (ours[0] - reference[0]) / size
    if abs(should - entry["difference"]) <= 1e-9 + ours[1] / abs(size):
        return None
    return f"difference {entry['difference']:.4g}, the numbers say {should:.4g}"


def row_faults(case, row):
    """Of a number of a case: a value that its grids do not give, a difference that it does not have."""
    if "value" not in row:
        return
    lines = [judge.Line(None, *pair) for pair in row["grids"].values()]
    spacing = [case.grid(g).spacing for g in row["grids"]]
    _, best = judge.combine(spacing, lines)
    if not np.isclose(best.value, row["value"], rtol=1e-9):
        yield f"value {row['value']:.6g}, its grids say {float(best.value):.6g}"
    if not np.isclose(float(best.total), row["error"], rtol=1e-9, atol=1e-15):
        yield f"error {row['error']:.6g}, its grids say {float(best.total):.6g}"
    if row["reference"] is not None:
        scale = next((n.scale for n in case.numbers if row["quantity"] in (n.words, n.key)), None)
        size = scale or abs(row["reference"])
        should = (row["value"] - row["reference"]) / size
        if not np.isclose(should, row["difference"], rtol=1e-9, atol=1e-12):
            yield f"difference {row['difference']:.6g}, its numbers say {should:.6g}"
        number = next((n for n in case.numbers if row["quantity"] in (n.words, n.key)), None)
        error = np.hypot(float(best.total), number.reference_error if number else 0.0) / size
        if not np.isclose(error, row["difference_error"], rtol=1e-9, atol=1e-15):
            yield f"error of the difference {row['difference_error']:.6g}, its numbers say {error:.6g}"


def certificate_faults(case, one, run, kept):
    """Of a grid of one segment: values that are not those of its certificate."""
    if run["segments"] != 1:
        return
    for number in case.numbers:
        name, _, last = number.name.partition(":")
        name = ("series." if last == "last" else "statistics.") + name
        if name not in kept or last not in ("", "last"):
            continue
        factor = number.factor
        if number.fit is not None:
            factor /= number.fit(kept["statistics.Re_lambda"])
        for row in one["rows"]:
            if row["quantity"] == number.words and run["name"] in row.get("grids", {}):
                value = row["grids"][run["name"]][0]
                if not np.isclose(value, factor * kept[name], rtol=1e-9, atol=1e-12):
                    yield f"{row['quantity']}: {value:.6g}, its certificate says {factor * kept[name]:.6g}"


def file_faults(folder, one):
    """Of a case: a page that is not what its numbers give, certificates that are missing or of another
    commit."""
    try:
        with open(os.path.join(folder, "results", one["page"]), encoding="utf-8") as file:
            if file.read() != page_text(cases.find(one["name"]), one):
                yield f"{one['page']} is not what {one['name']}.json gives"
    except FileNotFoundError:
        pass  # which is told beside the other files
    for run in one["runs"]:
        if one["certificates"].get(run["name"], {}).get("verdicts") is None:
            continue
        name = f"{one['name']}-{run['name']}.certificate.json"
        try:
            with open(os.path.join(folder, "results", name), encoding="utf-8") as file:
                kept = json.load(file)
        except FileNotFoundError:
            yield f"{name} is not there"
            continue
        commit = kept["provenance"]["version"]
        if commit != run["version"]:
            yield f"{name} is of commit {commit}, the page of {run['version']}"
        if kept["provenance"]["processor"] != run["device"]:
            yield f"{name} is of {kept['provenance']['processor']}, the page of {run['device']}"
        for fault in certificate_faults(cases.find(one["name"]), one, run, kept["numbers"]):
            yield f"{name}, {fault}"


FILES = ("figure", "profiles", "spectrum", "spectrum_table")  # beside the page of a case, if it has them


def campaign_faults(folder, results):
    """Of cases: files that are missing or differ, verdicts that do not follow from their numbers."""
    found = []
    for name, one in results.items():
        for file in [one["page"]] + [f for f in map(one.get, FILES) if f]:
            if not os.path.isfile(os.path.join(folder, "results", file)):
                found.append(f"{name}: {file} is not there")
        found += [f"{name}: {fault}" for fault in file_faults(folder, one)]
        for row in one["rows"]:
            should = judge.verdict(
                row["difference"], row["difference_error"], row["wanted"], row["n_grids"], row["need"]
            )
            if row["verdict"] != should:
                found.append(f"{name}, {row['quantity']}: verdict {row['verdict']}, the numbers say {should}")
            found += [f"{name}, {row['quantity']}: {f}" for f in row_faults(cases.find(name), row)]
    return found


def faults(folder=VALIDATION):
    """All that does not agree."""
    found = page_faults(folder, read(folder, "page-*.json")) + campaign_faults(
        folder, campaign_results(folder)
    )
    try:
        with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
            if file.read() != index_text(folder):
                found.append("README.md is not what the files give: run python3 tests/campaign/index.py")
    except FileNotFoundError:
        found.append("README.md is not there: run python3 tests/campaign/index.py")
    return found


def main(words):
    """Exit code."""
    if words not in ([], ["--check"]):
        print(__doc__.strip(), file=sys.stderr)
        return 1
    if not words:
        for name, one in campaign_results(VALIDATION).items():
            with open(os.path.join(VALIDATION, "results", one["page"]), "w", encoding="utf-8") as file:
                file.write(page_text(cases.find(name), one))
        with open(os.path.join(VALIDATION, "README.md"), "w", encoding="utf-8") as file:
            file.write(index_text(VALIDATION))
    found = faults()
    for fault in found:
        print(f"index.py: {fault}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

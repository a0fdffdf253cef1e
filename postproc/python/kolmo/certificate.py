"""A certificate of a run: what it was made with, the hashes of its numbers, what it resolved and kept, and
the input by which anyone repeats it to the bit. verify() repeats it and compares.

Hashes are SHA-256 over name, type, shape and bytes of each variable; wall clock and provenance are left out.
Equal bits are promised for the same version, the same compiler and flags, and the same kind of device, on any
number of ranks."""

from __future__ import annotations

import glob
import hashlib
import json
import math
import os
import re
import subprocess
from typing import Any, Mapping

import h5py
import numpy as np

from . import namelists
from .guarded import Unreadable, in_child, opened, regular, writable
from .launch import RunFailed, find_program, start
from .runs import Run
from .tables import is_variable
from .watch import records

FORMAT, VERSION = "kolmo-certificate", 1
FROM_CLOCK = ("seconds_per_step",)
PROVENANCE = ("version", "arithmetic", "compiler", "flags", "libraries", "processor", "ranks", "command")
BUILD = ("version", "arithmetic", "compiler", "flags")  # those that a program tells of itself
# inputs that change no number of a NetCDF file; of series.nc and probes.nc the records count, too
IDLE = re.compile(r"(run\.(title|walltime|watchdog|t_end|steps_max)|grid\.ranks|output\.(directory|field\w*|"
                  r"log_interval)|(checkpoint|device|slices|boxes)\.\w+)$")  # fmt: skip
OF_RESTARTS = ("checkpoint.force", "checkpoint.regrid", "checkpoint.add_bodies", "checkpoint.remove_bodies")
IDLE_WITH = {
    "direct": ("smoothing", "transfer", "guess", "multigrid_precision"),
    "multigrid": ("direct_precision",),
    "polynomial": ("smoothing", "transfer", "direct_precision", "multigrid_precision"),
}
EARLY = (1, 2, 5)  # times powers of ten: lengths of beginnings of the series that have hashes of their own
RECORD = "record"  # dimension of series


# ---- hashes ------------------------------------------------------------------------------------------------


def digest(name: str, values: np.ndarray) -> str:
    """Of one variable."""
    found = hashlib.sha256()
    if values.dtype.kind == "O":  # texts
        data = "\n".join(str(v) for v in values.ravel()).encode()
    else:
        values = np.ascontiguousarray(values.astype(values.dtype.newbyteorder("<"), copy=False))
        data = values.tobytes()
    found.update(f"{name}|{values.dtype.kind}{values.dtype.itemsize}|{values.shape}\n".encode())
    found.update(data)
    return found.hexdigest()


@in_child
def variables_of(path: str) -> dict[str, np.ndarray]:
    """All numbers of a NetCDF file, those in groups as group/name."""
    found: dict[str, np.ndarray] = {}
    with opened(path) as file:

        def visit(name: str, item: Any) -> None:
            if isinstance(item, h5py.Dataset) and is_variable(item) and name not in FROM_CLOCK:
                found[name] = item[...]

        file.visititems(visit)
    return found


def hashes(path: str) -> dict[str, str]:
    """Of each variable of a file."""
    return {name: digest(name, values) for name, values in sorted(variables_of(path).items())}


def combined(each: Mapping[str, str]) -> str:
    """One hash of all of them."""
    return hashlib.sha256("".join(f"{n} {h}\n" for n, h in sorted(each.items())).encode()).hexdigest()


def beginnings(path: str) -> list[dict[str, Any]]:
    """Hashes of the first records of series.nc, by which a long run is tried in a short one."""
    values = variables_of(path)
    count = values["step"].shape[0] if "step" in values else 0
    lengths = sorted(m * 10**p for p in range(10) for m in EARLY if 1 < m * 10**p < count)
    return [
        {
            "records": n,
            "step": int(values["step"][n - 1]),
            "hash": combined({k: digest(k, v[:n]) for k, v in values.items() if v.shape[:1] == (count,)}),
        }
        for n in lengths
    ]


def file_hash(path: str) -> str | None:
    """Of the bytes of a file; None where there is none."""
    if not regular(path):
        return None
    found = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            found.update(block)
    return found.hexdigest()


# ---- the input that repeats the run ------------------------------------------------------------------------


def replaced(text: str, name: str, value: str) -> str:
    """A namelist in which one input has another value; text: as files keep it, one input in a line."""
    group, _, variable = name.partition(".")
    begin = re.search(rf"^&{group}$", text, re.MULTILINE)
    if not begin:
        return text + f"&{group}\n  {variable} = {value}\n/\n"
    end = text.index("\n/", begin.end())
    part = re.sub(rf"^ *(! )?{variable} = .*\n?", "", text[begin.end() : end] + "\n", flags=re.MULTILINE)
    return text[: begin.end()] + part.rstrip("\n") + f"\n  {variable} = {value}" + text[end:]


def without(text: str, name: str) -> str:
    """A namelist that leaves an input out; name: a pattern."""
    group, _, variable = name.partition(".")
    begin = re.search(rf"^&{group}$", text, re.MULTILINE)
    if not begin:
        return text
    end = text.index("\n/", begin.end())
    part = re.sub(rf"^ *{variable} = .*\n", "", text[begin.end() : end] + "\n", flags=re.MULTILINE)
    return text[: begin.end()] + part.rstrip("\n") + text[end:]


def settings_of(text: str) -> list[tuple[str, str]]:
    """Of "pressure.preconditioner = 'polynomial', pressure.degree = 4"."""
    return re.findall(r"(\w+\.\w+) = ('[^']*'|[^,\s]+)", text)


def repeat_of(run: Run, last_step: int, first_step: int) -> tuple[str, str]:
    """The namelist that repeats a run, and why it can't be repeated to the bit; "": it can."""
    text = str(run.attributes.get("input", ""))
    inputs = namelists.parse(text)
    events = records(run.folder) if os.path.exists(run.path("run.jsonl")) else []
    starts = [one for one in events if one.get("event") == "start"]
    why = ""
    if not text:
        why = "its files keep no input"
    elif first_step != 0:
        why = f"its series begins at step {first_step}: it went on from a checkpoint of another folder"
    elif re.search(r" --twin\b", str(run.attributes.get("command", ""))):
        why = "it ran beside a twin (--twin), which its input does not hold"
    choices = settings_of(str(starts[0].get("chosen") or "")) if starts else []
    if inputs.get("pressure.preconditioner") == ["auto"]:
        if not choices:
            why = why or "run.jsonl does not tell which preconditioner 'auto' has chosen"
        elif inputs.get("time.diffusion") != ["explicit"] and "polynomial" in choices[0][1]:
            why = why or (
                "'auto' has chosen a polynomial for the pressure and another one for implicit diffusion; "
                "name pressure.preconditioner in the input"
            )
        for name in IDLE_WITH.get(choices[0][1].strip("'") if choices else "", ()):
            text = without(text, "pressure." + name)  # refused beside the choice
        for name, value in choices:
            text = replaced(text, name, value)
    why = why or changed_on_the_way(run, events, last_step)
    for name, value in (
        ("run.steps_max", str(last_step)),
        ("run.walltime", "'00:00:00'"),
        ("checkpoint.restart", "'none'"),
        ("checkpoint.at_end", ".false."),
        ("checkpoint.interval_walltime", "'00:00:00'"),
    ):
        text = replaced(text, name, value)
    for name in OF_RESTARTS + ("grid.ranks", "output.directory"):
        text = without(text, name)
    return text, why


def changed_on_the_way(run: Run, events: list[dict[str, Any]], last_step: int) -> str:
    """What a run that was continued has changed, so that one run from the start is another; "": nothing."""
    log = run.log if os.path.exists(run.path("run.log")) else ""
    cut = run.input.get("output.cut_steps") == [".true."]  # steps end at the times of files
    changes = r"^inputs that differ from the checkpoint's:\n((?:  .*\n)+)"
    for block in re.findall(changes, log, re.MULTILINE):
        for line in block.splitlines():
            name = line.strip().partition(":")[0]
            if not IDLE.match(name) or (cut and name.endswith("interval_time")):
                return f"it was continued with another input: {line.strip()}"
    parts = [one for one in events if one.get("event") in ("start", "end")]
    for one, two in zip(parts, parts[1:]):
        # where no part after it made a step, it ended where the run does
        if one.get("event") == "start" and two.get("event") == "end" and two.get("step") != last_step:
            t_end = one.get("t_end")
            if t_end is not None and two.get("time") is not None and float(two["time"]) >= float(t_end):
                return f"it was continued beyond an earlier run.t_end = {t_end:g}, to which its step was cut"
    return ""


def files_named(inputs: Mapping[str, list[str]]) -> dict[str, str]:
    """Files that the input names, with their hashes; "": not found from here."""
    found = {}
    for name, values in inputs.items():
        if re.search(r"[._]file$", name) and name != "device.tuning_file":  # no ..._profile
            for value in values:
                if value:
                    found[value] = file_hash(value) or ""
    return found


# ---- what the run has kept and resolved --------------------------------------------------------------------


def faces_of(run: Run, table: Any) -> dict[str, np.ndarray]:
    """Coordinates of the faces of cells, by direction, as far as they are known."""
    found = {}
    inputs = run.input
    n = namelists.reals(inputs, "grid.n", 3)
    length = namelists.reals(inputs, "grid.length", 3, 2 * math.pi)
    stretching = (inputs.get("grid.stretching") or ["uniform"] * 3) + ["uniform"] * 2
    for d, letter in enumerate("xyz"):
        if table is not None and letter + "_face" in table:
            found[letter] = np.asarray(table[letter + "_face"].values, dtype=float)
        elif stretching[d] == "uniform":
            found[letter] = np.linspace(0.0, length[d], int(n[d]) + 1)
    for kind in (run.fields, run.checkpoints):
        if len(found) < 3 and kind.steps:
            flow = kind.last
            for letter in "xyz":
                if letter + "_bounds" in flow:
                    ends = np.asarray(flow[letter + "_bounds"].values)
                    found.setdefault(letter, np.append(ends[:, 0], ends[-1, 1]))
    return found


def cells_across(inputs: Mapping[str, list[str]], widest: float) -> float | None:
    """Cells over the smallest body, the widest cell counting. None: there are none, or some whose size the
    input does not tell, such as those of files and cylinders through the whole box."""
    shapes = {v for v in inputs.get("bodies.shape", []) if v != "none"}
    listed = inputs.get("bodies_list.file", [""]) != [""]
    cut = not set(inputs.get("bodies.operation", [])) <= {"add"}
    sizes = [float(v) for v in inputs.get("bodies.size", [])]
    if inputs.get("packing.shape", ["none"]) != ["none"]:
        sizes.append(float(inputs["packing.size"][0]))
    sizes = [v for v in sizes if v > 0]
    return min(sizes) / widest if sizes and shapes <= {"box", "sphere"} and not (listed or cut) else None


def resolution(run: Run, series: Any, statistics: Any) -> dict[str, float]:
    """k_max eta of the largest dissipation; spacings in wall units; cells over the smallest body."""
    found: dict[str, float] = {}
    nu = run.number("fluid.nu", 0.0)
    if nu == 0.0 and statistics is not None and "nu" in statistics:
        nu = float(statistics["nu"].values)
    for one in [] if nu else re.findall(r"! nu = (\S+) !", str(run.attributes.get("input", ""))):
        nu = float(one)
    widths = {d: np.diff(f) for d, f in faces_of(run, statistics).items()}
    if series is not None and "dissipation" in series and nu > 0 and len(widths) == 3:
        dissipation = np.asarray(series["dissipation"].values, dtype=float)
        if np.nanmax(dissipation) > 0:
            eta = (nu**3 / np.nanmax(dissipation)) ** 0.25
            found["kmax_eta"] = math.pi / max(float(w.max()) for w in widths.values()) * eta
    if statistics is not None and "u_tau" in statistics and nu > 0:
        scale = float(statistics["u_tau"].values) / nu
        for d, w in widths.items():
            if scale > 0:
                found[f"d{d}_plus_least"], found[f"d{d}_plus_largest"] = scale * w.min(), scale * w.max()
    if len(widths) == 3:
        across = cells_across(run.input, max(float(w.max()) for w in widths.values()))
        if across is not None:
            found["cells_per_body"] = across
    return {name: float(value) for name, value in found.items()}


def final_numbers(series: Any, statistics: Any) -> dict[str, float]:
    """The last record, and averages that are one number, for those who can't have the same bits."""
    found = {}
    for name, table in (("series", series), ("statistics", statistics)):
        for key in table if table is not None else ():
            if key in FROM_CLOCK:
                continue
            values = np.asarray(table[key].values)
            if values.dtype.kind in "fiu" and values.ndim == (1 if name == "series" else 0) and values.size:
                value = float(values[-1] if name == "series" else values)
                if math.isfinite(value):
                    found[f"{name}.{key}"] = value
    return found


def make(folder: str, verdicts: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """The certificate of a run. verdicts: what kolmo-report says of it."""
    run = Run(folder)
    if not os.path.exists(run.path("series.nc")):
        raise Unreadable(f"{run.path('series.nc')}: no such file; a certificate is of a run with its series")
    series = run.series
    statistics = run.statistics if os.path.exists(run.path("statistics.nc")) else None
    steps = np.asarray(series["step"].values)
    if steps.size < 2:
        raise Unreadable(f"{run.path('series.nc')}: {steps.size} records; two or more are wanted")
    text, why = repeat_of(run, int(steps[-1]), int(steps[0]))
    each = {os.path.basename(p): hashes(p) for p in sorted(glob.glob(os.path.join(folder, "*.nc")))}
    attributes = run.attributes
    residual = np.asarray(series["budget_residual"].values, dtype=float)
    return {
        "format": FORMAT,
        "format_version": VERSION,
        "title": run.title,
        "run": {
            "steps": [int(steps[0]), int(steps[-1])],
            "time": [float(v) for v in np.asarray(series["time"].values)[[0, -1]]],
            "finished": run.finished,
            "history": str(attributes.get("history", "")).split("\n")[:-1],
        },
        "provenance": {name: str(attributes.get(name, "")) for name in PROVENANCE},
        "hashes": {name: {"all": combined(h), "variables": h} for name, h in each.items()},
        "beginnings": beginnings(run.path("series.nc")),
        "resolution": resolution(run, series, statistics),
        "kept": {
            "budget_residual_largest": float(np.nanmax(np.abs(residual))),
            "divergence_largest": float(np.max(np.asarray(series["divergence_max"].values)[1:])),
        },
        "numbers": final_numbers(series, statistics),
        "verdicts": verdicts or [],
        "repeat": {
            "possible": why == "",
            "why_not": why,
            "command": "mpirun -n 1 kolmo certificate.nml --set output.directory=\"'runs/repeated'\"",
            "verify": "kolmo-report --verify certificate.json",
            "files": files_named(run.input),
            "input": text,
        },
    }


def write(certificate: Mapping[str, Any], path: str) -> None:
    """As JSON; beside it the namelist."""
    with open(writable(path), "w", encoding="utf-8") as file:
        json.dump(certificate, file, indent=1)
        file.write("\n")
    with open(writable(os.path.splitext(path)[0] + ".nml"), "w", encoding="utf-8") as file:
        file.write(f"! Repeats: {certificate['title']}\n{certificate['repeat']['input']}")


# ---- repeating it ------------------------------------------------------------------------------------------


def read(path: str) -> dict[str, Any]:
    """A certificate; refused where it is none."""
    if os.path.isdir(path):
        path = os.path.join(path, "certificate.json")
    if not regular(path):
        raise Unreadable(f"{path}: no such file; kolmo-report --certificate writes it")
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
        if found["format"] != FORMAT or found["format_version"] != VERSION:
            raise ValueError
        for part in ("provenance", "hashes", "beginnings", "numbers", "repeat", "run"):
            if not isinstance(found[part], (dict, list)):
                raise ValueError
    except (OSError, ValueError, KeyError, TypeError, UnicodeDecodeError):
        raise Unreadable(f"{path}: it is no certificate of version {VERSION}, or it is damaged") from None
    return found


def build_of(program: str) -> dict[str, str]:
    """What a program tells of itself."""
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    words = dict(line.partition(" ")[::2] for line in done.stdout.splitlines())
    backend, _, arithmetic = words.get("backend", "").partition(", arithmetic ")
    return {"version": words.get("kolmo", ""), "arithmetic": arithmetic, "backend": backend,
            "compiler": words.get("compiler", ""), "flags": words.get("flags", "")}  # fmt: skip


def other_build(certificate: Mapping[str, Any], program: str) -> list[str]:
    """What of this program is not that of the certificate."""
    here, there = build_of(program), certificate["provenance"]
    there = dict(there, backend=there["processor"].partition(":")[0])
    return [
        f"{name}: '{here[name]}' here, '{there[name]}' there"
        for name in BUILD + ("backend",)
        if here[name] != there[name]
    ]


def compare(certificate: Mapping[str, Any], run: Run) -> tuple[list[tuple[str, str]], list[str]]:
    """(file, 'same' or what differs) for each file; the numbers that differ most."""
    rows, worst = [], []
    for name, wanted in certificate["hashes"].items():
        path = run.path(name)
        if not os.path.exists(path):
            rows.append((name, "not written"))
            continue
        found = hashes(path)
        if combined(found) == wanted["all"]:
            rows.append((name, "same"))
            continue
        other = sorted(n for n in set(found) | set(wanted["variables"])
                       if found.get(n) != wanted["variables"].get(n))  # fmt: skip
        rows.append((name, f"{len(other)} variables differ: {', '.join(other[:6])}"
                           + (", ..." if len(other) > 6 else "")))  # fmt: skip
    here = final_numbers(run.series, run.statistics if os.path.exists(run.path("statistics.nc")) else None)
    for name, value in certificate["numbers"].items():
        if name in here and here[name] != value:
            worst.append((abs(here[name] - value) / max(abs(value), 1e-300), name, here[name], value))
    worst.sort(reverse=True)
    return rows, [f"{n}: {a:.12g} here, {b:.12g} there ({r:.1e})" for r, n, a, b in worst[:8]]


def verify(
    path: str, folder: str, ranks: int = 1, steps: int | None = None, program: str | None = None,
    progress: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Repeats a run in `folder` and compares it. steps: the longest beginning of at most so many steps is
    repeated instead of the whole. Returns {'same': ..., 'rows': ..., 'other_build': ..., 'numbers': ...}."""
    certificate = read(path)
    repeat = certificate["repeat"]
    if not repeat["possible"]:
        raise Unreadable(f"{path}: this run can't be repeated to the bit: {repeat['why_not']}")
    for name, wanted in repeat["files"].items():
        found = file_hash(name)
        if found is None or found != wanted:
            raise Unreadable(
                f"{name}: the run has read this file; it is "
                + (
                    "not found from the current folder"
                    if found is None
                    else "another one than that of the run"
                )
            )
    early = None
    if steps is not None:
        fitting = [one for one in certificate["beginnings"] if one["step"] <= steps]
        if fitting and steps < certificate["run"]["steps"][1]:
            early = fitting[-1]
        elif steps < certificate["run"]["steps"][1]:
            raise Unreadable(f"--steps {steps}: the certificate has no hash of a beginning that short")
    program = program or find_program()
    os.makedirs(folder, exist_ok=True)
    case = os.path.join(folder, "certificate.nml")
    with open(writable(case), "w", encoding="utf-8") as file:
        file.write(repeat["input"])
    settings = {"run.steps_max": early["step"]} if early else {}
    try:
        run = start(case, ranks, folder=folder, program=program, **settings).wait(progress)
    except RunFailed as error:
        raise Unreadable(f"the run that repeats it has failed: {error}") from None
    found = {"other_build": other_build(certificate, program), "folder": folder, "numbers": []}
    if early:
        values = variables_of(run.path("series.nc"))
        count = early["records"]
        here = combined({n: digest(n, v[:count]) for n, v in values.items() if v.shape[:1] == (count,)})
        same = here == early["hash"]
        found["rows"] = [(f"series.nc, first {count} records", "same" if same else "differs")]
    else:
        found["rows"], found["numbers"] = compare(certificate, run)
        same = all(words == "same" for _, words in found["rows"])
    return {"same": same, **found}

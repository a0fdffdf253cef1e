"""A live view of a run: what a page in the browser or a terminal shows of it. It only reads.

state() gathers it from run.jsonl, spectra.nc and the slices; serve() answers a browser on this machine alone;
write_page() writes a page that renews itself; terminal_view() is for those without a browser."""

from __future__ import annotations

import http.server
import json
import math
import os
import time
import urllib.parse
from typing import Any

import numpy as np

from .guarded import Unreadable, writable
from .plots import VECTORS, part_of, signed
from .runs import Run, open_text
from .snapshots import find, find_slices, read_flow
from .tables import read_netcdf

POINTS = 600  # of a line that is drawn
PIXELS = 200  # of a slice, in each direction
LINES = ("energy", "dissipation", "enstrophy", "dt", "cfl", "divergence", "iterations", "seconds")
BLOCKS = "▁▂▃▄▅▆▇█"
LOCAL = "127.0.0.1"
SAFE = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"


# ---- what there is to see ----------------------------------------------------------------------------------


def records(folder: str) -> list[dict[str, Any]]:
    """Those of run.jsonl; a line that is being written is left out."""
    found = []
    try:
        with open_text(os.path.join(folder, "run.jsonl")) as file:
            for line in file:
                try:
                    one = json.loads(line)
                except ValueError:
                    continue
                if isinstance(one, dict):
                    found.append(one)
    except OSError as error:
        raise Unreadable(
            f"{os.path.join(folder, 'run.jsonl')}: {error.strerror}; a run of this version writes " "it"
        ) from None
    return found


def thinned(values: list[Any], most: int = POINTS) -> list[Any]:
    """At most so many of them, the last one always."""
    every = max(1, math.ceil(len(values) / most))
    return values[::-1][::every][::-1]


def steps_of(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Records of steps in order; where a restart took steps again, those of the restart."""
    steps: list[dict[str, Any]] = []
    for one in found:
        if one.get("event") not in ("step", "start") or not isinstance(one.get("step"), int):
            continue
        while steps and steps[-1]["step"] >= one["step"]:
            steps.pop()
        steps.append(one)
    return steps


def spectrum(folder: str) -> dict[str, list[float]] | None:
    """E(k) of the latest sample, where there is one."""
    path = os.path.join(folder, "spectra.nc")
    if not os.path.exists(path):
        return None
    table = read_netcdf(path)
    if "E" not in table:
        return None
    if table.file is not None and "latest" in table.file:
        table = read_netcdf(path, "latest")
    k, e = table["k"].values, table["E"].values
    good = (k > 0) & (e > 0)
    return {"k": k[good].tolist(), "E": e[good].tolist()}


def slice_names(folder: str) -> list[dict[str, Any]]:
    """The newest file of each slice: its number, step and quantities."""
    found = []
    for number, paths in sorted(find_slices(folder).items()):
        flow = read_flow(paths[max(paths)])
        names = [n for n, v in flow.variables.items() if "location" in v.attrs]
        every = [q for n in names for q in ([f"{n}.{d}" for d in "xyz"] + [n] if n in VECTORS else [n])]
        found.append({"number": number, "step": max(paths), "quantities": every})
    return found


def slice_values(folder: str, number: int, quantity: str) -> dict[str, Any]:
    """One slice of the newest file, thinned."""
    paths = find_slices(folder).get(number)
    if not paths:
        raise Unreadable(f"there is no slice {number}")
    flow = read_flow(paths[max(paths)])
    if quantity.partition(".")[0] not in flow:
        raise Unreadable(f"slice {number} has no {quantity}")
    values = part_of(flow, quantity)
    normal = next(d for d in range(3) if values.shape[2 - d] == 1)
    plane = np.squeeze(values, axis=2 - normal)
    plane = plane[tuple(slice(None, None, max(1, math.ceil(n / PIXELS))) for n in plane.shape)]
    letters = [d for d in "xyz" if d != "xyz"[normal]]
    return {
        "values": [[round(float(v), 6) for v in row] for row in plane],
        "signed": signed(quantity),
        "low": float(plane.min()),
        "high": float(plane.max()),
        "first": letters[0],
        "second": letters[1],
        "step": max(paths),
        "time": float(flow["time"].values),
        "ratio": float(
            np.ptp(flow[letters[1] + "_bounds"].values) / np.ptp(flow[letters[0] + "_bounds"].values)
        ),
    }


def state(folder: str) -> dict[str, Any]:
    """All that a view shows, but the values of slices."""
    found = records(folder)
    steps, run = steps_of(found), Run(folder)
    begun: dict[str, Any] = next((one for one in reversed(found) if one.get("event") == "start"), {})
    last = found[-1] if found else {}
    ended: dict[str, Any] = next(
        (one for one in reversed(found) if one.get("event") in ("start", "end")), {}
    )
    how = ended.get("how") if ended.get("event") == "end" else "running" if run.running else "not running"
    view: dict[str, Any] = {
        "folder": os.path.abspath(folder),
        "title": begun.get("title") or os.path.basename(os.path.abspath(folder)),
        "how": how,
        "cells": begun.get("cells"),
        "ranks": begun.get("ranks"),
        "version": begun.get("version"),
        "last": steps[-1] if steps else last,
        "t_end": begun.get("t_end"),
        "steps_max": begun.get("steps_max"),
        "warnings": [str(one.get("text")) for one in found if one.get("event") == "warning"][-20:],
        "faults": [],
    }
    drawn = thinned(steps)
    view["series"] = {name: [one.get(name) for one in drawn] for name in ("step", "time") + LINES}
    for name, read in (("spectrum", spectrum), ("slices", slice_names)):
        try:
            view[name] = read(folder)
        except (Unreadable, OSError, KeyError, ValueError) as error:
            view[name] = None
            view["faults"].append(str(error))
    view["files"] = {kind: len(paths) for kind, paths in find(folder).items()}
    return view


# ---- a page in the browser ---------------------------------------------------------------------------------


def page(embedded: dict[str, Any] | None = None, seconds: int = 5) -> str:
    """The page; embedded: what it shows, of a page that stands alone."""
    with open_text(os.path.join(os.path.dirname(os.path.abspath(__file__)), "watch_page.html")) as file:
        text = file.read()
    data = "null" if embedded is None else json.dumps(embedded).replace("<", "\\u003c")
    renew = "" if embedded is None else f'<meta http-equiv="refresh" content="{seconds}">'
    return (
        text.replace("<!--renew-->", renew)
        .replace("/*embedded*/null", data)
        .replace("/*seconds*/5", str(seconds))
    )


class Answer(http.server.BaseHTTPRequestHandler):
    """Answers GET of the page, of the state and of slices. No part of a request names a file."""

    folder = ""
    seconds = 5

    def do_GET(self) -> None:  # pylint: disable=invalid-name
        """One request."""
        host = (self.headers.get("Host") or "").rpartition(":")[0]
        if host not in (LOCAL, "localhost"):  # a page of elsewhere that has led its name here
            self.reply(403, "text/plain", "only this machine is answered\n")
            return
        where = urllib.parse.urlsplit(self.path)
        words = dict(urllib.parse.parse_qsl(where.query))
        try:
            if where.path == "/":
                self.reply(200, "text/html", page(seconds=self.seconds))
            elif where.path == "/state.json":
                self.reply(200, "application/json", json.dumps(state(self.folder)))
            elif where.path == "/slice.json":
                number = int(words.get("number", "1"))
                found = slice_values(self.folder, number, words.get("quantity", "velocity"))
                self.reply(200, "application/json", json.dumps(found))
            else:
                self.reply(404, "text/plain", "there is no such page\n")
        except (Unreadable, OSError, KeyError, ValueError, StopIteration) as error:
            self.reply(500, "text/plain", f"{error}\n")

    def reply(self, code: int, kind: str, text: str) -> None:
        """An answer."""
        data = text.encode("utf-8")
        self.send_response(code)
        self.send_header("Content-Type", kind + "; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", SAFE)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # pylint: disable=redefined-builtin
        """Requests are not logged."""


def server(folder: str, port: int = 0, seconds: int = 5) -> http.server.HTTPServer:
    """A server of the page on the loopback address; port 0: a free one."""
    handler = type("AnswerOf", (Answer,), {"folder": folder, "seconds": seconds})
    return http.server.HTTPServer((LOCAL, port), handler)


def inside(path: str, folder: str) -> bool:
    """Whether a file lies in a folder, or below it."""
    real, root = os.path.realpath(path), os.path.realpath(folder)
    return os.path.commonpath([real, root]) == root


def write_page(folder: str, path: str, seconds: int = 5) -> None:
    """The page of now as a file that stands alone, in one rename. Refused in the folder of the run."""
    if inside(path, folder):
        raise Unreadable(
            f"{path}: it lies in the folder of the run, into which nothing is written; choose another"
        )
    view = state(folder)
    view["shown"] = []
    for one in view["slices"] or []:
        quantity = one["quantities"][0]
        view["shown"].append(
            dict(slice_values(folder, one["number"], quantity), number=one["number"], quantity=quantity)
        )
    temporary = path + ".part"
    with open(writable(temporary), "w", encoding="utf-8") as file:
        file.write(page(view, seconds))
    os.replace(temporary, path)


# ---- a view in the terminal --------------------------------------------------------------------------------


def sparkline(values: list[Any], width: int = 60) -> str:
    """A line of blocks."""
    numbers = [v for v in thinned(values, width) if isinstance(v, (int, float))]
    if not numbers:
        return ""
    low, high = min(numbers), max(numbers)
    span = (high - low) or 1.0
    return "".join(BLOCKS[min(int(8 * (v - low) / span), 7)] for v in numbers)


def clock(seconds: Any) -> str:
    """h:mm:ss."""
    if not isinstance(seconds, (int, float)):
        return "?"
    whole = int(round(seconds))
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def terminal_text(view: dict[str, Any], width: int = 100) -> str:
    """What a terminal shows. What a terminal would obey is escaped: titles and warnings come from files."""
    last = view["last"]
    share = float(last.get("share") or 0.0)
    bar = int(round(40 * share))
    lines = [
        f"{view['title']}: {view['how']}",
        f"  [{'#' * bar}{'.' * (40 - bar)}] {100 * share:.1f} %  step {last.get('step', '?')}, "
        f"t = {last.get('time', 0.0):.6g}, {clock(last.get('left'))} left",
    ]
    for name in LINES:
        values = [v for v in view["series"][name] if isinstance(v, (int, float))]
        if values:
            lines.append(f"  {name:12s} {values[-1]:12.5g}  {sparkline(values)}")
    if view["spectrum"]:
        logs = [math.log(e) for e in view["spectrum"]["E"]]
        lines.append(f"  {'E(k), log':12s} {'':12s}  {sparkline(logs)}")
    lines += [f"  warning: {words}" for words in view["warnings"][-5:]]
    lines += [f"  {words}" for words in view["faults"]]
    return "\n".join(
        "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)[:width] for line in lines
    )


def terminal_view(folder: str, seconds: int = 5, once: bool = False) -> None:
    """Renews itself until the run has ended."""
    while True:
        view = state(folder)
        print(("" if once else "\x1b[H\x1b[2J") + terminal_text(view), flush=True)
        if once or view["how"] not in ("running",):
            return
        time.sleep(seconds)

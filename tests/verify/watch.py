#!/usr/bin/env python3
"""run.jsonl against the series, and kolmo-watch: what it gathers, its page in a headless browser, served
and as a file, the terminal, and what it refuses.

Would catch: a line of run.jsonl that is no JSON, numbers that differ from those of the series, steps that a
restart has taken again drawn twice, a page whose script fails, a server that answers other machines or
writes, a title that becomes part of the page."""

import glob
import hashlib
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(HERE, "..", "..", "postproc", "python"))
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402
from kolmo import watch  # noqa: E402
from kolmo.guarded import Unreadable  # noqa: E402

TOOL = os.path.join(HERE, "..", "..", "postproc", "kolmo-watch")
TITLE = 'a "box" <script>alert(1)</script> & \\ \''
CASE = {
    "run": {"steps_max": 6, "title": TITLE},
    "grid": {"n": (12, 10, 8)},
    "fluid": {"nu": 0.02},
    "time": {"dt": 0.02},
    "initial": {"type": "isotropic"},
    "output": {"log_interval": 2},
    "checkpoint": {"interval": 2, "keep": 9},
    "slices": {"normal": "z", "position": 1.0, "interval": 3, "quantities": "vorticity"},
    "statistics": {"start": 0.0, "interval": 1, "spectra_interval": 2},
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def tool(*words, rc=0):
    """What kolmo-watch says."""
    done = subprocess.run(
        [sys.executable, TOOL, *words], capture_output=True, text=True, check=False, timeout=kc.SECONDS
    )
    if done.returncode != rc:
        raise kc.RunError(f"kolmo-watch {words}: exit code {done.returncode}, expected {rc}: {done.stderr}")
    return done.stdout + done.stderr


def marks(folder):
    """Names and contents of a folder, to see whether anything is written."""
    return {n: hashlib.md5(kc.file_bytes(n)).hexdigest() for n in glob.glob(os.path.join(folder, "*"))}


def records_test(kolmo, check):
    """Every line is JSON, and its numbers are those of the series; a restart is told apart."""
    run = kolmo.run(CASE, ranks=2)
    found = watch.records(run.folder)
    lines = kc.file_bytes(os.path.join(run.folder, "run.jsonl")).decode().splitlines()
    check.equal("lines that are JSON", len(found), len(lines))
    events = [one["event"] for one in found if one["event"] != "warning"]
    check.equal("events", events, ["start", "step", "step", "step", "end"])
    check.equal("title", found[0]["title"], TITLE)
    check.equal("cells and ranks", (found[0]["cells"], found[0]["ranks"]), ([12, 10, 8], 2))
    check.equal("how it ended", (found[-1]["how"], found[-1]["step"]), ("finished", 6))
    series = run.series()
    names = {n: n for n in ("time", "dt", "cfl", "dissipation", "enstrophy")}
    names.update(divergence="divergence_max", energy="kinetic_energy", iterations="pressure_iterations")
    for one in found:
        if one["event"] != "step":
            continue
        row = list(series["step"]).index(one["step"])
        wrong = [
            n
            for n, m in names.items()
            if abs(one[n] - series[m][row]) > 1e-8 * abs(series[m][row]) + 1e-300
        ]
        check.same(f"step {one['step']}: numbers of the series", wrong)
    warned = [one["text"] for one in found if one["event"] == "warning"]
    told = re.findall(r"^warning: (.*)$", kc.file_bytes(os.path.join(run.folder, "run.log")).decode(), re.M)
    check.equal("warnings of run.log", warned, told)
    kolmo.run(kc.merge(CASE, {"run": {"steps_max": 8}}), "--restart",
              os.path.join(run.folder, "checkpoint_00000004.h5"), folder=run.folder)  # fmt: skip
    steps = [one["step"] for one in watch.steps_of(watch.records(run.folder))]
    check.equal("steps after a restart, each once", steps, [0, 2, 4, 6, 8])
    again = kolmo.run(kc.merge(CASE, {"run": {"steps_max": 1}}), folder=run.folder)
    moved = os.path.join(run.folder, "previous-1", "run.jsonl")
    check.holds(
        "a new run moves the old file", os.path.exists(moved) and len(watch.records(again.folder)) < 6
    )
    place = kolmo.place()
    os.mkfifo(os.path.join(place, "run.jsonl"))
    log = kolmo.run(kc.merge(CASE, {"run": {"steps_max": 1}}), folder=place)
    check.holds("a pipe in its place: the run goes on", log.rc == 0)


def state_test(kolmo, check):
    """What is gathered, and that nothing is written."""
    run = kolmo.run(CASE)
    before = marks(run.folder)
    view = watch.state(run.folder)
    check.equal("how", view["how"], "finished")
    check.equal("steps", view["series"]["step"], [0, 2, 4, 6])
    check.equal(
        "slices",
        [(s["number"], s["step"], s["quantities"][0]) for s in view["slices"]],
        [(1, 6, "vorticity.x")],
    )
    check.holds("a spectrum", len(view["spectrum"]["k"]) > 3 and view["faults"] == [])
    one = watch.slice_values(run.folder, 1, "vorticity.z")
    with kc.h5py.File(os.path.join(run.folder, "slice_1_00000006.h5"), "r") as file:
        wanted = file["vorticity"][0, :, :, 2]
    check.below("values of a slice", float(np.abs(np.array(one["values"]) - wanted).max()), 1e-5)
    check.equal("its directions", (one["first"], one["second"], one["signed"]), ("x", "y", True))
    text = tool("--once", run.folder)
    check.says("terminal", text, "finished", "100.0 %", "energy", "E(k)")
    page = os.path.join(kolmo.place(), "page.html")
    tool("--once", "--file", page, run.folder)
    with open(page, encoding="utf-8") as file:
        check.holds("a title stays text", "<script>alert" not in file.read())
    check.says(
        "a page in the run's folder",
        tool("--file", os.path.join(run.folder, "p.html"), run.folder, rc=2),
        "choose another",
    )
    link = os.path.join(kolmo.place(), "link")
    os.symlink(run.folder, link)
    check.says(
        "    behind a link",
        tool("--file", os.path.join(link, "p.html"), run.folder, rc=2),
        "choose another",
    )
    check.equal("nothing is written into the run's folder", marks(run.folder), before)
    check.says("no folder", tool("--once", run.folder + "/nowhere", rc=2), "no such folder")
    check.says("no run", tool("--once", kolmo.place(), rc=2), "run.jsonl")
    check.says("an unknown option", tool("--host", "0.0.0.0", run.folder, rc=2), "not understood")
    with open(os.path.join(run.folder, "spectra.nc"), "w", encoding="ascii") as file:
        file.write("damaged")
    check.says(
        "a damaged file is told, the rest is shown", tool("--once", run.folder), "spectra.nc", "energy"
    )


class Served:
    """A server of a run, for a while."""

    def __init__(self, folder):
        self.server = watch.server(folder, 0, 1)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self.server.server_address

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def ask(address, path, host=None, method="GET"):
    """Code and text of an answer."""
    connection = http.client.HTTPConnection(*address, timeout=30)
    connection.request(method, path, headers={"Host": host or f"{address[0]}:{address[1]}"})
    answer = connection.getresponse()
    return answer.status, answer.read().decode(errors="replace")


def server_test(kolmo, check):
    """Answers and refusals of the server."""
    run = kolmo.run(CASE)
    before = marks(run.folder)
    with Served(run.folder) as address:
        check.equal("the address that it listens at", address[0], "127.0.0.1")
        check.equal("the page", ask(address, "/")[0], 200)
        check.equal("the state", json.loads(ask(address, "/state.json")[1])["title"], TITLE)
        found = json.loads(ask(address, "/slice.json?number=1&quantity=vorticity.y")[1])
        check.equal("a slice", (len(found["values"]), len(found["values"][0])), (10, 12))
        slices = "/slice.json?number="
        answers = {"/../case.nml": 404, "/case.nml": 404, slices + "2": 500, slices + "../1": 500}
        answers[slices + "1&quantity=run"] = 500
        for path, code in answers.items():
            check.equal(f"{path}: code", ask(address, path)[0], code)
        for host in ("example.org", "example.org:80", "127.0.0.1.example.org:80"):
            check.equal(f"Host {host}: code", ask(address, "/state.json", host)[0], 403)
        for method in ("POST", "PUT", "DELETE"):
            check.equal(f"{method}: code", ask(address, "/", method=method)[0], 501)
    check.equal("nothing is written into the run's folder", marks(run.folder), before)


def dom(browser, address):
    """The page after its script has run."""
    words = [
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--virtual-time-budget=8000",
        "--dump-dom",
        address,
    ]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=kc.SECONDS).stdout


def browser_test(kolmo, check):
    """What a browser makes of the page: texts, lines and the picture of the slice."""
    browser = next((shutil.which(b) for b in BROWSERS if shutil.which(b)), None)
    if browser is None:
        check.skip("the page in a browser", "no chromium")
        return
    run = kolmo.run(CASE)
    page = os.path.join(kolmo.place(), "page.html")
    watch.write_page(run.folder, page, 3600)  # without a renewal while the browser looks at it
    with Served(run.folder) as address:
        served = dom(browser, f"http://{address[0]}:{address[1]}/")
    for words, text in (("served", served), ("a file", dom(browser, "file://" + page))):
        check.says(
            words,
            text,
            "finished: 100.0 %, step 6",
            "12 x 10 x 8 cells",
            "kinetic energy: ",
            "E(k), latest sample",
        )
        check.equal(f"{words}: figures", sorted(set(re.findall(r'<figure id="([^"]*)"', text))),
                    sorted([f"line-{n}" for n in watch.LINES] + ["spectrum", "slice-1"]))  # fmt: skip
        check.equal(f"{words}: lines", text.count("<polyline"), len(watch.LINES) + 1)
        check.holds(f"{words}: the slice is drawn", "<canvas" in text and 'width="12"' in text)
        check.holds(f"{words}: the title is text", "&lt;script&gt;alert(1)" in text, text[:500])
    check.says("served: a menu of quantities", served, "<option>vorticity.z</option>")


def program_test(kolmo, check):
    """The program serves until it is stopped, and follows a run that is at work."""
    folder = kolmo.place()
    endless = kc.merge(CASE, {"run": {"steps_max": 1000000}, "checkpoint": {"interval": 0}})
    process = kolmo.start([kolmo.write(endless, folder)])
    try:
        lines = os.path.join(folder, "run.jsonl")
        kc.wait_for(lambda: os.path.exists(lines) and len(watch.records(folder)) > 3, process, "some steps")
        # what a shell starts in the background ignores SIGINT; what is typed at a terminal does not
        with subprocess.Popen([sys.executable, TOOL, folder], stdout=subprocess.PIPE, text=True,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as program:
            line = program.stdout.readline()
            port = int(re.search(r"127\.0\.0\.1:(\d+)", line)[1])
            first, second = (json.loads(ask(("127.0.0.1", port), "/state.json")[1]) for _ in range(2))
            program.send_signal(signal.SIGINT)
            check.equal("Ctrl-C: exit code", program.wait(30), 0)
        check.says("what it prints", line, "http://127.0.0.1:", "ssh -L")
        check.equal("a run at work", first["how"], "running")
        check.holds("it goes on", second["last"]["step"] >= first["last"]["step"] > 0)
    finally:
        kc.stop(process)
    try:
        watch.write_page(folder, os.path.join(folder, "page.html"))
        check.fail("a page in the folder is written")
    except Unreadable:
        check.holds("a page in the folder is refused", True)


if __name__ == "__main__":
    kc.main(__doc__, [records_test, state_test, server_test, browser_test, program_test])

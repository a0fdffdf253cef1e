#!/usr/bin/env python3
"""Runs cases of the campaign side by side on the GPUs of one machine, and packs the files that pages read.

usage: node.py [--minutes M] [--lanes N] [--whole] [--out DIR] [--pack FILE [--part-size MIB]]
               [--kolmo PROGRAM] CASE[:GRID]...

Each GPU is a lane, which takes one job after the other from the list, by run.py --no-page. A job is a case,
or one grid of it. Jobs are begun in the order of the list; grids that begin with the flow of another grid
wait for the jobs of their case that stand before them. Ends after M minutes (25): a run that is not done
then ends with a checkpoint, and the same call goes on from there. So it is after TERM or an interrupt, too,
which begin no further job. The last lines tell what became of each job. The program is --kolmo, or $KOLMO, or
that of build/cuda or build/cpu.

  --lanes N    jobs at a time, instead of the number of GPUs (1 without a GPU)
  --whole      begin only what its estimate for a GPU lets end in time: for machines whose folders are lost
  --out DIR    as of run.py (runs/campaign)
  --pack FILE  at the end, and every two minutes, a .tar.gz of what was run: without checkpoints, fields and
               flows, and without files of more than 16 MiB, which are named; of cases that are judged by
               their last checkpoint it has that
  --part-size MIB
               where only small files come back: a larger archive is written as FILE.000, FILE.001, ... in the
               place of FILE, pieces that `cat FILE.[0-9]*` joins

Exit codes: 0 all jobs are done; 5 there is more to run; 1 a job failed; 2 an argument is wrong."""

import os
import re
import signal
import subprocess
import sys
import tarfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "postproc", "plot"))
import system_python  # noqa: E402

system_python.require("node.py", __name__)
sys.path[:0] = [HERE, os.path.join(HERE, "..", "support")]
import gpu_list  # noqa: E402
import run  # noqa: E402
import cases  # noqa: E402
from kolmo import launch  # noqa: E402

LARGEST = 16 << 20  # bytes of a file that is packed
TOLD = 12  # last lines of a failed job that are shown
SMALLEST = 0.001  # MiB of a piece of an archive
EVERY = 120.0  # seconds from one packing to the next
CHECKPOINT = re.compile(r"checkpoint_\d+\.h5")
LEFT_OUT = re.compile(r"checkpoint_\d+\.h5|fields.*|flow\.h5|begin\.h5|averages\.h5|.*\.tmp")
BY_CHECKPOINT = ("cavity", "step")  # measures that read the last checkpoint


class Job:
    """One case, or one grid of it."""

    def __init__(self, words, out):
        name, _, grid = words.partition(":")
        self.words = words
        self.case, grids = run.chosen({**run.parse([name]), "grid": grid or None})
        self.call = [name] + (["--grid", grid] if grid else [])
        self.works = run.wanted(self.case, grids, {"segment": None, "out": out})
        self.state, self.seconds = "not begun", 0.0

    def estimate(self):
        """Seconds on a GPU of what is not done."""
        left = [w for w in self.works if not w.state["finished"]]
        return sum(run.segment_seconds(self.case, w.grid) for w in left)


class Queue:
    """The list, which lanes share."""

    def __init__(self, jobs, options):
        self.jobs, self.options = jobs, options
        self.change = threading.Condition()
        self.end = time.monotonic() + 60.0 * options["minutes"]
        self.stopped, self.processes = False, set()

    def stop(self, *_):
        """As the handler of a signal: no job begins any more, and those that run end with checkpoints."""
        self.stopped = True
        for process in list(self.processes):
            process.terminate()

    def call(self, words, env):
        """Runs a command: exit code and what it says of faults."""
        with subprocess.Popen(
            words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as process:
            self.processes.add(process)
            if self.stopped:
                process.terminate()
            said = process.communicate()[1]
            self.processes.discard(process)
        # -TERM: the signal came before run.py could catch it
        return 5 if self.stopped and process.returncode == -signal.SIGTERM else process.returncode, said

    def waits(self, job):
        """For jobs of the same case before it, whose flow it begins with."""
        before = self.jobs[: self.jobs.index(job)]
        begins = job.case.hands_on or any(w.grid.grown for w in job.works)
        return begins and any(j.case is job.case and j.state in ("not begun", "runs") for j in before)

    def take(self):
        """The next job, or None if there is none left that fits."""
        with self.change:
            while not self.stopped:
                left = self.end - time.monotonic()
                late = [
                    j for j in self.jobs
                    if j.state == "not begun"
                    and (left < run.LEAST or (self.options["whole"] and j.estimate() > left))
                ]  # fmt: skip
                for job in late:
                    job.state = "no time"
                open_jobs = [j for j in self.jobs if j.state == "not begun"]
                ready = [j for j in open_jobs if not self.waits(j)]
                if ready:
                    ready[0].state = "runs"
                    return ready[0]
                if not open_jobs:
                    return None
                self.change.wait(1.0)
        return None

    def lane(self, gpu):
        """Takes jobs until none is left."""
        env = dict(os.environ) if gpu is None else dict(os.environ, CUDA_VISIBLE_DEVICES=gpu)
        while (job := self.take()) is not None:
            left = max(self.end - time.monotonic(), run.LEAST + 1.0)
            words = [sys.executable, os.path.join(HERE, "run.py"), *job.call, "--no-page"]
            words += ["--minutes", f"{left / 60.0:.3f}", "--out", self.options["out"]]
            words += ["--kolmo", self.options["kolmo"]]
            begun = time.monotonic()
            try:
                code, said = self.call(words, env)
                told = said.strip().splitlines()[-TOLD:]
            except OSError as error:
                code, told = 1, [str(error)]
            with self.change:
                job.seconds = time.monotonic() - begun
                job.state = {0: "done", 5: "more to run"}.get(code, "failed")
                said = [f"  {line}" for line in told] if job.state == "failed" else []
                print("\n".join([f"{job.words}: {job.state} after {job.seconds:.0f} s", *said]), flush=True)
                self.change.notify_all()


def pieces(path):
    """Those of an archive that are there, in order."""
    folder, name = os.path.split(os.path.abspath(path))
    piece = re.compile(re.escape(name) + r"\.\d{3,}")
    return sorted(os.path.join(folder, f) for f in os.listdir(folder) if piece.fullmatch(f))


def put(made, to, most):
    """Moves an archive to its place, in pieces where it has more bytes than `most`; None: never. The files of
    the last one go."""
    size = os.path.getsize(made)
    if most is None or size <= most:
        os.replace(made, to)
        written = [to]
    else:
        count = -(-size // most)
        numbers = [f"{n:0{max(3, len(str(count - 1)))}d}" for n in range(count)]
        with open(made, "rb") as source:
            for number in numbers:
                with open(f"{made}.{number}", "wb") as target:
                    target.write(source.read(most))
        written = [f"{to}.{number}" for number in numbers]
        for number, path in zip(numbers, written):
            os.replace(f"{made}.{number}", path)
        os.remove(made)
    kept = {os.path.abspath(path) for path in written}
    for path in [os.path.abspath(to), *pieces(to)]:
        if path not in kept and os.path.exists(path):
            os.remove(path)


def packed(out, names, to, most=None):
    """Writes the archive, in pieces of so many bytes; the files that are too large for it: [(path, bytes)].
    An interrupted call leaves the last archive as it was."""
    large = []

    def wanted(info):
        path, name = os.path.join(out, info.name), os.path.basename(info.name)
        if info.isfile() and LEFT_OUT.fullmatch(name) and path not in judged:
            return None
        if info.isfile() and info.size > LARGEST and path not in judged:
            large.append((path, info.size))
            return None
        return info

    judged = set()
    for name in names:
        if cases.find(name).measure in BY_CHECKPOINT:
            for folder, _, files in os.walk(os.path.join(out, name)):
                last = max((f for f in files if CHECKPOINT.fullmatch(f)), default=None)
                if last is not None:
                    judged.add(os.path.join(folder, last))
    with tarfile.open(to + ".tmp", "w:gz") as archive:
        for name in names:
            if os.path.isdir(os.path.join(out, name)):
                archive.add(os.path.join(out, name), name, filter=wanted)
    put(to + ".tmp", to, most)
    return large


def parse(words):
    """Options and jobs."""
    found = {"minutes": 25.0, "lanes": None, "whole": False, "pack": None, "kolmo": None}
    found["part-size"] = None
    found.update(out=os.path.join("runs", "campaign"), job=[])
    return run.read_words(words, found, __doc__, "job")


def main(words):
    """Exit code."""
    options = parse(words)
    options["out"] = os.path.abspath(options["out"])
    options["kolmo"] = os.path.abspath(options["kolmo"] or launch.find_program())
    if not os.access(options["kolmo"], os.X_OK):
        raise run.Fault(f"--kolmo {options['kolmo']}: no such program")
    if not run.LEAST < 60.0 * options["minutes"] < 1e9:
        raise run.Fault(f"--minutes {options['minutes']:g}: no part is shorter than {run.LEAST} s; give more")
    if not options["job"]:
        raise run.Fault("which cases? run.py --list names them")
    jobs = [Job(words, options["out"]) for words in options["job"]]
    folders = [w.folder for j in jobs for w in j.works]
    twice = {f for f in folders if folders.count(f) > 1}
    if twice:
        raise run.Fault(f"two jobs run in {sorted(twice)[0]}; name it once")
    lanes = gpu_list.visible() or [None]
    if options["lanes"] is not None:
        if options["lanes"] < 1:
            raise run.Fault(f"--lanes {options['lanes']}: 1 or more are wanted")
        lanes = [lanes[n % len(lanes)] for n in range(options["lanes"])]
    if options["pack"] is not None and not os.path.isdir(os.path.dirname(os.path.abspath(options["pack"]))):
        raise run.Fault(f"--pack {options['pack']}: its folder is not there")
    if options["part-size"] is not None and options["pack"] is None:
        raise run.Fault("--part-size: it is the size of the pieces of an archive; give --pack, too")
    if options["part-size"] is not None and not SMALLEST <= options["part-size"] < 1e9:
        raise run.Fault(f"--part-size {options['part-size']:g}: {SMALLEST:g} MiB or more are wanted")
    queue = Queue(jobs, options)
    with run.on_signals(queue.stop):
        return work(queue, lanes)


def work(queue, lanes):
    """Runs the jobs, packs, and tells what became of them. Exit code."""
    jobs, options = queue.jobs, queue.options
    names, to = list(dict.fromkeys(j.case.name for j in jobs)), options["pack"]
    most = None if options["part-size"] is None else int(options["part-size"] * 2**20)
    threads = [threading.Thread(target=queue.lane, args=(gpu,)) for gpu in lanes]
    for thread in threads:
        thread.start()
    next_time = time.monotonic() + EVERY
    while any(t.is_alive() for t in threads):
        time.sleep(0.2)
        if to is not None and time.monotonic() > next_time:
            try:
                packed(options["out"], names, to, most)
            except OSError:  # a run has removed a file meanwhile; the last archive is still there
                pass
            next_time = time.monotonic() + EVERY
    for job in jobs:
        print(f"{job.words:32s} {job.state:12s} {job.seconds:8.0f} s")
    if to is not None:
        for path, size in packed(options["out"], names, to, most):
            print(f"too large to be packed: {path}, {size / 2**20:.0f} MiB")
        found = pieces(to) or [to]
        joined = f" in {len(found)} pieces, which `cat {to}.[0-9]*` joins" if found != [to] else ""
        print(f"{to}: {sum(map(os.path.getsize, found)) / 2**20:.1f} MiB{joined}")
    states = {j.state for j in jobs}
    return 1 if "failed" in states else 0 if states == {"done"} else 5


if __name__ == "__main__":
    run.leave("node.py", main)

"""Several runs one after or beside the other: locks, two runs in one directory, restarts on other layouts."""
import os
import shutil
import signal
import socket
import time

import numpy as np

import kolmo_case as kc
from trial import BEGUN, CASE, GOAL, HANG, upto

LAYOUTS = ((1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2), (1, 3, 1), (2, 2, 1), (1, 2, 2))
VARIANTS = ({}, {"time": {"scheme": "rk3-wray"}}, {"time": {"diffusion": "implicit"}, "fluid": {"nu": 0.2}},
            {"pressure": {"guess": "linear"}}, {"pressure": {"preconditioner": "polynomial"}},
            {"time": {"dt": 0.02}})
UNKNOWN_PROCESS = 4194305  # beyond the largest number that Linux gives
TAKEN = "is in use by another run"


def stale_lock(t):
    """A lock that no living run holds: of a dead process, of another one with its number, of another host,
    empty, torn, nonsense."""
    folder, case = t.begin()
    host, what = socket.gethostname(), t.chance.choice(
        ("dead", "reused", "elsewhere", "empty", "torn", "nonsense")
    )
    pid = os.getpid() if what == "reused" else UNKNOWN_PROCESS
    text = (f"beat 000000000007\nhost {'elsewhere' if what == 'elsewhere' else host}\npid {pid}\nborn 1\n"
            "since 2026-01-01T00:00:00Z\n").encode()
    if what == "torn":
        text = text[:t.chance.randrange(1, len(text))]
    elif what in ("empty", "nonsense"):
        text = b"" if what == "empty" else t.chance.randbytes(200)
    with open(os.path.join(folder, "kolmo.lock"), "wb") as target:
        target.write(text)
    result = t.goes_on(folder)
    if result is not None and result.rc == 0 and "lock" not in result.text:
        t.wrong(f"{what}: the lock is taken over without a word")
    if t.faults:
        t.wrong(f"{what}: {text!r}")
    return "taken over with a warning, run goes on"


def stale_semaphore(t):
    """The locked semaphore that Open MPI leaves where a run is killed in the middle of opening a
    checkpoint."""
    folder, case = t.begin()
    place = t.kolmo.place(f"kept-{os.getpid()}-{t.number}")
    name = f"kept-{os.getpid()}-{t.number}.h5"  # of no other run
    shutil.copy(kc.checkpoint_path(folder, BEGUN), os.path.join(place, name))
    left = f"/dev/shm/sem.OMPIO_{name}"
    with open(left, "wb") as target:
        target.write(bytes(32))
    try:
        result = t.run(case, "--restart", os.path.join(place, name), ranks=t.chance.choice((1, 2)),
                       folder=folder)
        if result is None or result.rc != 0:
            t.wrong(f"exit code {result.rc}: {result.text[-300:]}" if result else "hang")
            return "no restart"
        t.ended_well(result, series=False)
    finally:
        if os.path.exists(left):
            os.remove(left)
    return "no hang, the same bits"


def two_runs(t):
    """Two or three runs begun in one directory within a moment, one of them goes on, is stopped, and restarts
    to the same bits."""
    fresh = t.chance.random() < 0.5
    folder, _ = t.begin(fresh)
    case = t.kolmo.write(kc.merge(t.case, {"run": {"steps_max": 1000000}}), folder)
    processes = []
    for _ in range(t.chance.choice((2, 3))):
        processes.append(t.kolmo.start([case] + ([] if fresh else ["--restart", "latest"]),
                                       t.chance.choice((1, 1, 2))))
        time.sleep(t.chance.choice((0.0, t.chance.uniform(0.0, 0.3))))
    limit = time.monotonic() + HANG
    while len([p for p in processes if p.poll() is None]) > 1 and time.monotonic() < limit:
        time.sleep(0.01)
    living = [p for p in processes if p.poll() is None]
    if len(living) != 1:
        t.wrong(f"{len(living)} runs live")
    for process in processes:
        if process not in living:
            t.message(t.kolmo.finish(process, folder, rc=None), folder)
    log = os.path.join(folder, "run.log")
    for process in living:
        kc.wait_for(lambda: os.path.exists(log) and b"\nstep " in kc.file_bytes(log), process,
                    "a step in the log")
        os.kill(process.pid, signal.SIGUSR1)
        ended = t.kolmo.finish(process, folder, rc=None, seconds=HANG)
        if ended.rc != 5:
            t.wrong(f"the one that lived: exit code {ended.rc}: {ended.text[-300:]}")
    compare_stopped(t, folder)
    return "one goes on, the others: exit code 4"


def compare_stopped(t, folder):
    """Series of a run of unknown length: the first GOAL steps of it are those of the whole run, and no step
    is double."""
    series, whole = kc.read_series(folder), t.shared.whole(t.case).series()
    steps = list(series["step"])
    if steps != list(range(len(steps))):
        t.wrong(f"steps of the series: {steps}")
    n = min(len(steps), GOAL + 1)
    different = kc.differing_arrays({k: v[:n] for k, v in series.items() if np.ndim(v)},
                                    {k: v[:n] for k, v in whole.items() if np.ndim(v)}, kc.FROM_CLOCK)
    if different:
        t.wrong("other results: " + ", ".join(different))
    if [name for name in os.listdir(folder) if name.endswith(".tmp") or name in ("kolmo.lock", "previous-1")]:
        t.wrong(f"left behind: {sorted(os.listdir(folder))}")


def other_layouts(t):
    """A run in three parts that end at steps chosen by chance, each on another layout of ranks, against one
    run on one rank."""
    variant = t.chance.choice(VARIANTS if t.case is CASE else VARIANTS[:2])
    ends = sorted(t.chance.sample(range(1, GOAL), 2)) + [GOAL]
    layouts = [t.chance.choice(LAYOUTS) for _ in ends]
    case = kc.merge(t.case, variant)
    folder = t.kolmo.place()
    for end, layout in zip(ends, layouts):
        path = t.kolmo.write(kc.merge(case, upto(end), {"grid": {"ranks": layout}}), folder)
        args = ["--restart", "latest"] if end != ends[0] else []
        result = t.run(path, *args, ranks=int(np.prod(layout)), folder=folder)
        if result is None or result.rc != 0:
            t.wrong(f"{variant}, {layout}, to step {end}: {result.text[-300:] if result else 'hang'}")
            return "no restart"
    t.ended_well(result, variant)
    if t.faults:
        t.wrong(f"{variant}, steps {ends}, layouts {layouts}")
    shutil.rmtree(folder)
    return "the same bits"

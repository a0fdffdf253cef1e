#!/usr/bin/env python3
"""The fault suite: many runs, each with a fault at a random place, and what came of it. docs/reliability.md
describes and tables it.

Would catch: an old checkpoint spoilt or removed too early, a torn file taken for a good one, a restart with
other bits, a fault that nobody is told of, a hang, a crash, two runs that write the same files.

Each kind of fault counts as one test. A try is repeated by --only KIND --try N --seed SEED."""
import argparse
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from trial import GONE, HANG, Shared, Trial, kc
import calls
import damage
import sharing
import storage
import sudden

FULL, QUICK = 120, 10  # tries of the first kind
MARKER = "<!-- generated below by make faulttest -->"


class Kind:
    """A kind of fault: its function, tries in a full run, tries that one call makes, and how the table names
    it."""

    def __init__(self, function, tries, text, good, of_one=1, why_not=None):
        self.function, self.tries, self.text, self.good, self.of_one = function, tries, text, good, of_one
        self.why_not = why_not or (lambda shared: None)
        self.name = function.__name__


SAME = "newest announced checkpoint sound, restart on any layout gives the same bits"
REFUSED = "refused by name, or the same numbers as before"
TOLD = "one message with the file, exit code 4, old checkpoint intact, restart gives the same bits"
KINDS = (
    Kind(sudden.kill_any_time, 120, "SIGKILL of a run or of one of its ranks at a random time",
         SAME + f"; ranks gone within {GONE:.0f} s"),
    Kind(sudden.kill_in_operation, 180, "SIGKILL in the n-th file operation, a write half done", SAME),
    Kind(sudden.signalled, 40, "USR1, TERM or INT at a random time, once or three times",
         "checkpoint and exit code 5; restart gives the same bits"),
    Kind(storage.disk_full, 90, "disk full at a random byte, MPI-IO by `ompio` and `romio321`", TOLD,
         why_not=storage.may_mount),
    Kind(storage.operation_fails, 180,
         "n-th write, fsync, rename, open, close, unlink or fallocate fails, or writes half",
         TOLD + "; or nothing is lost and the exit code is 0; where MPI-IO waits for ever, `run.watchdog` "
                "ends the run"),
    Kind(calls.mpi_call_fails, 60, "n-th MPI call of a kind fails on one rank",
         "message with rank and call, all ranks end, old checkpoint intact, restart gives the same bits"),
    Kind(damage.bit_flips, 10000, "one bit of a checkpoint is another one", REFUSED, damage.BATCH),
    Kind(damage.larger_damage, 2000,
         "checkpoint cut, lengthened, with zeros, random, exchanged or stale bytes", REFUSED, damage.BATCH),
    Kind(damage.restart_after_damage, 60, "restart where the newest checkpoint is damaged",
         "told, set aside, same bits from the older one"),
    Kind(damage.damaged_series, 60, "restart where `series.nc` is damaged",
         "told, set aside, a new series, same bits of the checkpoint"),
    Kind(sharing.two_runs, 12, "two or three runs begun in one directory",
         "one goes on unharmed; the others: message, exit code 4"),
    Kind(sharing.stale_lock, 18, "a lock left by a dead run, or torn, empty, nonsense",
         "taken over with a warning, the same bits"),
    Kind(sharing.stale_semaphore, 8, "a semaphore that MPI-IO of a killed run has left locked",
         "no hang, the same bits"),
    Kind(sharing.other_layouts, 30, "restarts at two random steps, each part on another layout",
         "the same bits as in one run on one rank"))


def attempt(shared, kind, number, seed, keep):
    """One call of a kind: its outcomes and what is wrong with it."""
    trial = Trial(shared, kind.name, number, seed)
    try:
        outcome = kind.function(trial)
    except (kc.RunError, OSError, KeyError, IndexError, ValueError) as fault:
        trial.wrong(f"{type(fault).__name__}: {fault}")
        outcome = "not judged"
    if not keep:
        shutil.rmtree(trial.kolmo.folder, ignore_errors=True)
    outcomes = outcome if isinstance(outcome, Counter) else Counter({outcome: 1})
    return Counter({" ".join(k.split()): v for k, v in outcomes.items()}), trial.faults


def try_kind(shared, kind, options, check):
    """All tries of a kind, several at a time. Returns the row of the table."""
    calls = max(1, round(kind.tries * options.count / FULL / kind.of_one))
    numbers = [options.single] if options.single is not None else range(calls)
    started, outcomes, bad = time.monotonic(), Counter(), 0
    with ThreadPoolExecutor(options.jobs) as pool:
        waiting = [(n, pool.submit(attempt, shared, kind, n, options.seed, options.keep)) for n in numbers]
        for number, future in waiting:
            found, faults = future.result()
            outcomes += found
            bad += bool(faults)
            if faults:
                print(f"     try {number} of {kind.name}: " + "; ".join(faults), flush=True)
    text = "; ".join(f"{v} {k}" for k, v in outcomes.most_common())
    check.holds(f"{kind.name}: {sum(outcomes.values())} tries: {text}; {bad} bad, "
                f"{time.monotonic() - started:.0f} s", bad == 0)
    return f"| {kind.text} | {kind.good} | {sum(outcomes.values())} | {text} | {bad} |"


# Tries that have found a fault, {kind: (seed, number)}. Each run makes them again. The first: a rank closed a
# checkpoint together with another one that still waited in a call before it.
KNOWN = {"mpi_call_fails": ((738277, 39),)}


def try_known(shared, kind, options, check):
    """The tries of a kind that have found a fault before."""
    for seed, number in KNOWN.get(kind.name, ()):
        outcomes, faults = attempt(shared, kind, number, seed, options.keep)
        check.holds(f"{kind.name}, try {number} of seed {seed}: {', '.join(outcomes)}", not faults, faults)


def write_table(path, rows, options):
    """Renews what stands behind the marker of a page."""
    with open(path, encoding="utf-8") as source:
        head = source.read().split(MARKER)
    if len(head) != 2:
        raise ValueError(f"{path}: not one line {MARKER}")
    lines = ["", f"    FAULT_HANG={HANG:.0f} tests/faults/faulttest.py --count {options.count} "
             f"--seed {options.seed} --table {options.table}", "",
             f"has made this table; `--count {FULL}` makes all tries.", "",
             "| fault | a good end | tries | outcomes | bad |", "| --- | --- | --- | --- | --- |"] + rows
    with open(path, "w", encoding="utf-8") as target:
        target.write(head[0] + MARKER + "\n" + "\n".join(lines) + "\n")


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kolmo", default="build/cpu/kolmo", help="the program under test")
    parser.add_argument("--verifier", default="build/cpu/tests/faults/verifier",
                        help="the program that asks about damaged files")
    parser.add_argument("--mpirun", default="mpirun --oversubscribe", help="how several ranks are started")
    parser.add_argument("--count", type=int, default=FULL,
                        help="tries of the first kind; the others go with it")
    parser.add_argument("--quick", action="store_true", help=f"--count {QUICK}")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 1000000,
                        help="of all that is chosen by chance")
    parser.add_argument("--only", default="", help="kinds whose name contains this")
    parser.add_argument("--try", type=int, dest="single", help="this try alone")
    parser.add_argument("--jobs", type=int, default=2 * len(os.sched_getaffinity(0)),
                        help="tries at a time: a run waits half of its time")
    parser.add_argument("--table", help="a page whose table is renewed")
    parser.add_argument("--keep", help="a folder that keeps the runs")
    options = parser.parse_args()
    if options.quick:
        options.count = QUICK
    for program in (options.kolmo, options.verifier):
        if not os.access(program, os.X_OK):
            parser.error(f"{program} is not a program")
    options.verifier = os.path.abspath(options.verifier)
    return options


def main():
    options = arguments()
    check, rows, skipped = kc.Check(), [], []
    started = time.monotonic()
    print(f"seed {options.seed}; a run hangs after {HANG:.0f} s", flush=True)
    with tempfile.TemporaryDirectory(prefix="kolmo-faults-") as folder:
        if options.keep:
            folder = os.path.abspath(options.keep)
            os.makedirs(folder, exist_ok=True)
        shared = Shared(options, folder)
        for kind in KINDS:
            if options.only not in kind.name:
                continue
            reason = kind.why_not(shared)
            if reason:
                check.skip(kind.name, reason)
                skipped.append(kind.name)
                continue
            rows.append(try_kind(shared, kind, options, check))
            if options.single is None:
                try_known(shared, kind, options, check)
    if options.table and not skipped and not options.only:
        write_table(options.table, rows, options)
    elif options.table:
        print(f"{options.table} is as it was: not all kinds were tried")
    print(f"{time.monotonic() - started:.0f} s")
    print(f"{check.passed} passed, {check.failed} failed"
          + (f", {check.skipped} skipped" if check.skipped else ""))
    sys.exit(1 if check.failed or not check.passed else 0)


if __name__ == "__main__":
    main()

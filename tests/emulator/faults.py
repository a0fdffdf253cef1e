#!/usr/bin/env python3
"""The emulator finds what it is there to find: each kernel of faults.cu with its fault, and none where there
is none.

usage: faults.py --program build/emulated/emulator-faults"""
import argparse
import os
import subprocess

RIGHT = "528 1552 2480"  # sums of 1..32, 33..64, and of 65..95 with 0: numbers handed on by one thread
ORDERS = ("forward", "reverse", "random:1", "random:2")
SAID = {  # fault -> words of the message that ends the program
    "barriers-differ": ("turn_kernel", "waits at the barrier of", "faults.cu"),
    "ends-early": ("turn_kernel", "barrier", "end"),
    "lane-missing": ("sum_kernel", "thread (", "__shfl_down_sync of the lanes ffffffff"),
    "beyond-shared": ("turn_kernel", "dynamic shared memory"),
    "beyond-memory": ("turn_kernel", "Segmentation fault"),
    "too-many": ("turn_kernel", "launch bounds allow 96"),
}
RAISED = {"trap": "cudaErrorLaunchFailure"}
WRONG = {  # fault -> settings under which at least one result has to be wrong
    "barrier-missing": [{"EMULATOR_ORDER": order} for order in ORDERS],
    "wait-missing": [{}],
    "wait-short": [{}],
    "event-missing": [{"EMULATOR_STREAMS": "late"}],
}


def run(program, fault, **settings):
    """Output and errors; the exit code."""
    done = subprocess.run([program, fault], capture_output=True, text=True, check=False, timeout=60,
                          env=dict(os.environ, **settings))
    return done.stdout.strip(), done.stderr, done.returncode


def judged(program):
    """Name and outcome of every check."""
    for order in ORDERS:
        for streams in ("immediate", "late"):
            out, _, _ = run(program, "none", EMULATOR_ORDER=order, EMULATOR_STREAMS=streams)
            yield f"no fault, {order}, {streams}: {out}", out == RIGHT
    for fault, words in SAID.items():
        for order in ORDERS[:3]:
            _, said, code = run(program, fault, EMULATOR_ORDER=order)
            yield f"{fault}, {order}: {said.strip()}", code != 0 and all(word in said for word in words)
    for fault, error in RAISED.items():
        out, _, code = run(program, fault)
        yield f"{fault}: {out}", code == 1 and error in out
    for fault, settings in WRONG.items():
        results = [run(program, fault, **setting)[0] for setting in settings]
        yield f"{fault}: {results}", any(result != RIGHT for result in results)
    known = set(run(program, "")[0].split())
    yield "every fault has its check", known == {"none", *SAID, *RAISED, *WRONG}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    options = parser.parse_args()
    passed = failed = 0
    for name, good in judged(options.program):
        passed += good
        failed += not good
        print(f"{'ok  ' if good else 'FAIL'} {name}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())

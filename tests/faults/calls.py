"""MPI calls that fail on one rank."""
import os
import subprocess

import kolmo_case as kc
from trial import BEGUN, GOAL, HERE, files_of

# nothing is lost where these fail: the end of the run, and memory that the watchdog can do without
MAY_BE_LOST = ("MPI_Comm_free", "MPI_Win_free", "MPI_Win_allocate_shared", "MPI_Win_shared_query",
               "MPI_Barrier")


def library(shared):
    """The library to preload."""
    def build(kolmo):
        path = os.path.join(kolmo.folder, "mpi_shim.so")
        subprocess.run(["mpicc", "-shared", "-fPIC", "-O1", os.path.join(HERE, "mpi_shim.c"), "-o", path,
                        "-ldl"], check=True)
        return path
    return shared.once("mpi shim", build)


def made(shared, case, ranks, rank):
    """How often a rank makes each call from BEGUN to GOAL."""
    path = library(shared)
    begun = shared.begun(case)

    def count(kolmo):
        folder = kolmo.place()
        for name in files_of(begun.folder):
            with open(os.path.join(folder, name), "wb") as target:
                target.write(kc.file_bytes(os.path.join(begun.folder, name)))
        mark = os.path.join(kolmo.folder, "mark")
        kolmo.call(kolmo.write(case, folder), "--restart", "latest", ranks=ranks, folder=folder,
                   env={"LD_PRELOAD": path, "KOLMO_MPI_FAULT": f"count:0:{rank}", "KOLMO_FAULT_MARK": mark})
        return [(line.split()[0], int(line.split()[1])) for line in kc.file_bytes(mark).decode().splitlines()]
    return shared.once(("mpi", repr(case), ranks, rank), count)


def mpi_call_fails(t):
    """The n-th call of a kind is not made by one rank and returns an error: it says so, all ranks end, the
    run goes on from its files."""
    ranks = t.chance.choice((1, 2, 2, 3))
    rank = t.chance.randrange(ranks)
    calls = made(t.shared, t.case, ranks, rank)
    if t.number % 3 == 0:  # the waits by which ranks agree: no other kind is made in so many places
        calls = [c for c in calls if c[0] == "MPI_Wait"] or calls
    call, most = t.chance.choice(calls)
    number = t.chance.randint(1, most)
    label = f"{call} {number} of {most}, rank {rank} of {ranks}"
    folder, case = t.begin()
    before = kc.file_bytes(kc.checkpoint_path(folder, BEGUN))
    mark = os.path.join(t.kolmo.folder, "mark")
    result = t.run(case, "--restart", "latest", ranks=ranks, folder=folder,
                   env={"LD_PRELOAD": library(t.shared), "KOLMO_MPI_FAULT": f"{call}:{number}:{rank}",
                        "KOLMO_FAULT_MARK": mark})
    if result is None:
        t.wrong(label)
        return "hang"
    if not os.path.exists(mark):
        t.wrong(f"{label}: the call was never made")
    if result.rc == 0:
        if call not in MAY_BE_LOST:
            t.wrong(f"{label}: exit code 0 though the call failed")
        t.ended_well(result)
        return "no loss, exit code 0"
    if result.rc < 0 or result.rc > 128:
        t.wrong(f"{label}: exit code {result.rc}")
    if f"on rank {rank} of {ranks}" not in result.err or call not in result.err:
        t.wrong(f"{label}: rank and call are not named: {result.err[:400]}")
    if any(name.endswith(".damaged") for name in os.listdir(folder)):
        t.wrong(f"{label}: a sound file was set aside")
    t.old_checkpoint(folder, before)
    t.goes_on(folder)
    if t.faults:
        t.wrong(f"{label}; steps {kc.checkpoint_steps(folder)} of {GOAL}")
    return f"exit code {result.rc}, restarted"

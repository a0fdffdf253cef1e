"""Storage that fails: disks that are full at some byte, file operations that return an error."""
import errno
import os
import subprocess

import kolmo_case as kc
from trial import BEGUN, GOAL, RETRIED, SHORT, error_name, files_of

PAGE = 4096
MPI_IO = ("ompio", "romio321")
OPERATIONS = (  # call, errors, files
    ("write", (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EINTR, SHORT),
     ("checkpoint_", "series.nc", "statistics.nc", "fields", "run.log")),
    ("fsync", (errno.EIO, errno.ENOSPC, errno.EDQUOT),
     ("checkpoint_", "series.nc", "statistics.nc", "fields")),
    ("rename", (errno.EIO, errno.EROFS, errno.ENOSPC),
     ("checkpoint_", "series.nc", "statistics.nc", "fields")),
    ("open", (errno.EIO, errno.EACCES, errno.EMFILE),
     ("checkpoint_", "series.nc", "statistics.nc", "fields", "kolmo.lock", "run.log")),
    ("close", (errno.EIO, errno.EDQUOT), ("checkpoint_", "series.nc", "fields")),
    ("unlink", (errno.EIO, errno.EACCES), ("checkpoint_",)),
    ("fallocate", (errno.ENOSPC, errno.EDQUOT, errno.EIO), ("checkpoint_", "fields")))
MUST_FAIL = ("write", "fsync", "rename")  # of checkpoints and series, where an error is no EINTR


def may_mount(shared):
    """Why no small file system can be made here, or None."""
    def attempt(kolmo):
        place = kolmo.place()
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", place], capture_output=True,
                              text=True, check=False)
        if done.returncode == 0:
            subprocess.run(["umount", place], check=True)
            return None
        return "no file system can be mounted: " + (done.stderr.strip() or "not root")
    return shared.once("mount", attempt)


def bytes_of(folder):
    """Room that the files of a folder take in pages."""
    return sum(-(-os.path.getsize(os.path.join(folder, n)) // PAGE) * PAGE for n in files_of(folder))


def disk_full(t):
    """A file system of a size at which the run can begin, and can't end. Half of the tries: free space is
    said to be plenty."""
    least = bytes_of(t.shared.begun(t.case).folder) + 2 * PAGE
    most = (bytes_of(t.shared.whole(t.case).folder)
            + os.path.getsize(kc.checkpoint_path(t.shared.whole(t.case).folder)))
    disk = t.kolmo.place("disk")
    size = t.chance.randrange(least, most) // PAGE * PAGE
    env = {"OMPI_MCA_io": t.chance.choice(MPI_IO)}
    blind = t.chance.random() < 0.5
    if blind:
        env.update({"LD_PRELOAD": t.shared.library, "KOLMO_FAULT_SPACE": "1"})
    ranks = t.chance.choice((1, 1, 1, 2))
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk], check=True)
    try:
        folder, case = t.begin(place=disk)
        before = kc.file_bytes(kc.checkpoint_path(folder, BEGUN))
        result = t.run(case, "--restart", "latest", ranks=ranks, folder=folder, env=env)
        if result is None:
            t.wrong(f"{size} bytes, {env}, {ranks} ranks")
            return "hang"
        if result.rc == 0:
            t.ended_well(result)
            return "room enough"
        t.message(result, folder)
        t.old_checkpoint(folder, before)
        left = [n for n in os.listdir(folder) if n.endswith(".h5.tmp")]
        if left and "MPI_Abort" not in result.text and "MPI_ABORT" not in result.text:
            t.wrong(f"left behind: {left}")
        subprocess.run(["mount", "-o", f"remount,size={2 * most}", disk], check=True)
        t.goes_on(folder)
        if t.faults:
            t.wrong(f"{size} bytes, {env}, {ranks} ranks; {result.err[:300]}")
        return "exit code 4, restarted" + (", found by a write" if blind else "")
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def operation_fails(t):
    """The n-th operation of a kind on a kind of file returns an error, once or from there on."""
    ranks = t.chance.choice((1, 1, 1, 1, 1, 1, 1, 2))
    for _ in range(50):
        call, errors, paths = t.chance.choice(OPERATIONS)
        path, rank = t.chance.choice(paths), t.chance.randrange(ranks)
        most = t.shared.operations(t.case, path, ranks, rank)[call]
        if most:
            break
    error = t.chance.choice(errors)
    onward = "+" if error not in RETRIED and t.chance.random() < 0.4 else ""
    number = t.chance.randint(1, most)
    label = f"{call} {number}{onward} of {most} of {path}, {error_name(error)}, rank {rank} of {ranks}"
    folder, case = t.begin()
    before = kc.file_bytes(kc.checkpoint_path(folder, BEGUN))
    env, mark = t.fault(folder, call, f"{number}{onward}", error, path, rank)
    result = t.run(case, "--restart", "latest", ranks=ranks, folder=folder, env=env)
    if result is None:
        t.wrong(label)
        return "hang"
    if not os.path.exists(mark):
        t.wrong("the operation was never done")
    if result.rc == 0:
        if call in MUST_FAIL and error not in RETRIED and path in ("checkpoint_", "series.nc"):
            t.wrong("exit code 0 though the operation failed")
        t.ended_well(result)
        outcome = "no loss, exit code 0"
    else:
        # MPI's own open or close waits for the faulty rank
        waited = result.rc == 1 and ranks > 1 and "no progress for" in result.err
        if not waited:
            t.message(result, folder)
        t.old_checkpoint(folder, before)
        t.goes_on(folder)
        outcome = ("ended by `run.watchdog` as MPI stood still, restarted" if waited
                   else "exit code 4, restarted")
    if t.faults:
        t.wrong(f"{label}; steps {kc.checkpoint_steps(folder)} of {GOAL}")
    return outcome

#!/usr/bin/env python3
"""--member: several runs side by side in one program, on ranks of their own or in turns in one process. Each
has the bits of its run alone; kolmo-merge averages them; a signal stops all; one that blows up leaves the
others running; what is refused; --check.

Would catch: a collective call over all ranks instead of a member's, random numbers or sums that know of other
members, files of two members in one folder, a fault of one member's input that another is blamed for; state
of the process that members in turns share, a member that waits for one that has ended."""
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

CASE = {
    "run": {"steps_max": 8},
    "grid": {"n": (16, 12, 16), "length": (6.0, 5.0, 6.0)},
    "fluid": {"nu": 0.02},
    "time": {"dt": 0.05},
    "initial": {"type": "isotropic", "k_peak": 2.0, "u_rms": 0.6},
    "statistics": {"start": 0.0, "interval": 2, "spectra_interval": 4},
    "history": {"interval": 2},
    "pressure": {"preconditioner": "direct"},
}
FILES = ("series.nc", "history.nc", "statistics.nc", "spectra.nc", "pdf.nc")


def contents(folder):
    """All arrays of all files but the times that a clock told, and the last checkpoint."""
    found = {}
    for name in FILES:
        found.update({f"{name}/{n}": v for n, v in kc.read_fields(os.path.join(folder, name)).items()})
    found.pop("series.nc/seconds_per_step")
    found.update({f"checkpoint/{n}": v for n, v in kc.Checkpoint(kc.checkpoint_path(folder)).fields.items()})
    return found


def alone_and_together(kolmo, check):
    """Two members of two ranks, and three in turns on one; their bits, and their averages."""
    settings = ("run.seed=1", "run.seed=2", "run.seed=3 fluid.nu=0.03 grid.n=20,12,16")
    for members, ranks in ((2, 4), (3, 1)):
        alone = []  # on as many ranks: 'auto' has the exact inverse in single precision on one GPU alone
        for text in settings[:members]:
            words = [w for s in text.split() for w in ("--set", s)]
            alone.append(contents(kolmo.run(CASE, *words, ranks=max(ranks // members, 1)).folder))
        words = [w for text in settings[:members] for w in ("--member", text)]
        place = kolmo.place()
        together = kolmo.run(CASE, *words, "--set", "output.directory=" + place, ranks=ranks)
        folders = [os.path.join(place, f"member-{n + 1}") for n in range(members)]
        for n, folder in enumerate(folders):
            check.same(
                f"{members} members on {ranks} ranks, member {n + 1}",
                kc.differing_arrays(contents(folder), alone[n]),
            )
        with open(os.path.join(folders[1], "run.log"), encoding="utf-8") as log:
            check.says("    its log", log.read(), "finished")
        check.equal("    lines of the others on the terminal", together.out.count("finished:"), 1)
    out = kolmo.place()
    said = kolmo.other("kolmo-merge").call("--out", out, "--overlap", *folders[:2]).out
    check.says("merged", said, "history.nc: 5 records of 2 runs", "statistics.nc: 8 samples of 2 files")
    words = [w for text in settings[:2] for w in ("--member", text)]
    more = kolmo.run(
        kc.merge(CASE, {"run": {"steps_max": 10}}),
        *words,
        "--restart",
        "latest",
        folder=os.path.dirname(folders[0]),
    )
    check.equal("restart in turns", kc.checkpoint_steps(os.path.join(more.folder, "member-2")), [8, 10])


def in_turns(kolmo, check):
    """Four members on two ranks: one blows up, and a signal to each process stops the others."""
    words = [w for n in range(3) for w in ("--member", f"run.seed={n + 1}")]
    place = kolmo.place()
    case = kc.merge(CASE, {"run": {"steps_max": 1000000}, "statistics": {"interval": 1000}})
    path = kolmo.write(case, place)
    started = kolmo.start([path, *words, "--member", "time.dt=5"], ranks=2)
    folders = [os.path.join(place, f"member-{n + 1}") for n in range(4)]

    def goes_on():
        for n, folder in enumerate(folders):
            log = os.path.join(folder, "run.log")
            wanted = "blew up" if n == 3 else "start: step 0"
            if not os.path.exists(log) or wanted not in open(log, encoding="utf-8").read():
                return False
        return True

    kc.wait_for(goes_on, started, "all members have started, and one has ended")
    for pid in kc.children(started.pid):
        os.kill(pid, signal.SIGUSR1)
    ended = kolmo.finish(started, place, rc=None)
    check.holds("exit code 3, or 5 of the others", ended.rc in (3, 5), str(ended.rc))
    check.says("who failed", ended.err, "the solution blew up", "in member 4 of 4")
    for n, folder in enumerate(folders[:3]):
        with open(os.path.join(folder, "run.log"), encoding="utf-8") as log:
            check.says(f"member {n + 1}", log.read(), "stopped (signal USR1), checkpoint written")
        check.equal("    checkpoints", len(kc.checkpoint_steps(folder)), 1)
    check.equal("checkpoints of member 4", kc.checkpoint_steps(folders[3]), [])


def refused(kolmo, check):
    """Ranks that do not divide, equal members, a fault in one member's settings, one whose memory is not
    there."""
    for words, ranks, told in (
        (("--member", "run.seed=1", "--member", "run.seed=2"), 3, ["2 members can't share 3 ranks evenly"]),
        (("--check", "--member", "run.seed=1", "--member", "run.seed=2"), 3,
         ["2 members can't share 3 ranks evenly", "--check without mpirun looks at each"]),
        (("--member", "run.seed=1", "--member", "run.sed=2"), 2,
         ["--member 2 run.sed=2: error: 'sed'", "mean 'seed'?", "in member 2 of 2"]),
        (("--member", "run.seed=1", "--member", "run.sed=2"), 1, ["mean 'seed'?", "in member 2 of 2"]),
        (
            ("--member", "run.seed=1", "--member", "checkpoint.background=.true."),
            1,
            ["write files in their turn", "in member 2 of 2"],
        ),
        (("--member", "run.seed=1 fluid.nu=1", "--member", "time.cfl=0.5", "--member",
          "fluid.nu=1 run.seed=1"), 1,
         ["--member 1 and --member 3 have the same settings, 'run.seed=1 fluid.nu=1'"]),
        (("--member", "", "--member", ""), 1, ["--member 1 and --member 2 have no settings"]),
        (("--member", "fluid.nu=1", "--member", "run.seed=4", "--member", "fluid.nu=1.0"), 3,
         ["--member 1, 'fluid.nu=1', and --member 3, 'fluid.nu=1.0', have the same values"]),
        (("--member", "grid.n=16,12,16", "--member", "grid.n(2)=12 grid.n(1)=16"), 1,
         ["'grid.n(2)=12 grid.n(1)=16', have the same values"]),
        (("--check", "--member", "fluid.nu=0.02", "--member", ""), 2,
         ["--member 1, 'fluid.nu=0.02', and --member 2, '', have the same values"]),
        (("--check", "--member", "2"), 1,
         ["--member 2: a member is given by its settings", "--member run.seed=1 --member run.seed=2"]),
        (("--member", "run.seed=1 output.directory=a", "--member", "output.directory=a run.seed=2"), 1,
         ["--member 1 and --member 2 both write into one folder, output.directory=a"]),
        (("--set", "run.seed=3", "--member", "fluid.nu=1", "--member", "run.seed=1"), 1,
         ["--member 2 run.seed=1: error: run.seed is set by --set and by --member 2", "in member 2 of 2"]),
        (("--member", "fluid.nu=1", "--member", "run.seed=1 run.seed=2"), 1,
         ["--member 2 run.seed=2: error: run.seed is set twice by --member 2", "in member 2 of 2"]),
        (("--member", "fluid.nu=1", "--member", "time.cfl=0.5"), 1,
         ["--member 2 time.cfl=0.5: error: time.cfl has no effect with time.dt", "in member 2 of 2"]),
    ):
        result = kolmo.run(CASE, *words, ranks=ranks, rc=None)
        check.equal("exit code", result.rc, 2)
        check.says("message", result.err, *told)
        check.holds("    told once", result.err.count(told[-1]) == 1 and "in member 1" not in result.err)
    words = ("--member", "run.seed=1", "--member", "grid.n=8192,8192,8192")
    for ranks in (2, 1):
        result = kolmo.run(CASE, *words, ranks=ranks, rc=None)
        check.equal("a member without memory: exit code", result.rc, 2)
        check.says("    message", result.err, "a rank's share of the free memory",
                   "in member 2 of 2", "--member 2: error: grid.n")
        check.holds("    told once", result.err.count("a rank's share") == 1)
        check.holds("    the other took no step", not os.path.exists(os.path.join(result.folder, "member-1")))


def checked(kolmo, check):
    """--check looks at one member after the other, on as many ranks as it would have, and goes on after a
    faulty one."""
    members = ("run.seed=1", "run.seed=2 grid.n=20,12,16", "run.seed=3", "run.seed=4")
    words = [w for text in members for w in ("--member", text)]
    for ranks, count, own in ((1, 4, "1 rank "), (4, 4, "1 rank "), (4, 2, "2 ranks "), (2, 4, "1 rank ")):
        place = kolmo.place()
        said = kolmo.run(CASE, "--check", *words[: 2 * count], "--set", "output.directory=" + place,
                         ranks=ranks).out
        label = f"{count} members on {ranks} ranks"
        check.equal(f"{label}: pages", said.count("The input is valid"), count)
        pages = said.split("\nMember ")
        check.equal("    each with its member", len(pages), count)
        for n, page in enumerate(pages):
            check.says(f"    member {n + 1}", page,
                       f"{n + 1} of {count}, '{members[n]}', in {place}/member-{n + 1}",
                       f"{20 if n == 1 else 16} x 12 x 16 cells on {own}")
        check.equal("    files", os.listdir(place), [])
    equal = kolmo.run(CASE, "--check", "--member", "output.directory=a", "--member", "output.directory=b").out
    check.equal("equal members with a folder each: pages", equal.count("The input is valid"), 2)
    both = kolmo.run(CASE, "--check", "--member", "run.seed=1", "--member", "run.sed=2", "--member",
                     "run.seed=3", ranks=3, rc=None)
    check.equal("a faulty member: exit code", both.rc, 2)
    check.equal("    pages of the others", both.out.count("The input is valid"), 2)
    check.says("    message", both.err, "--member 2 run.sed=2: error: 'sed'", "in member 2 of 3")
    every = kolmo.run(CASE, "--check=all", "--member", "run.seed=5", "--member", "fluid.nu=0.1").out
    check.says("--check=all", every, "seed = 5 ! by --member 1", "nu = 0.1 ! by --member 2",
               "/member-2' ! by --member 2")


if __name__ == "__main__":
    kc.main(__doc__, [alone_and_together, in_turns, refused, checked])

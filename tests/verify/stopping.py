#!/usr/bin/env python3
"""Ways to stop a run, and two runs in one folder: a checkpoint, exit code 5, nothing lost; a rank that stands
still is found.

Would catch: a stop file that is not seen, stays for the next run or is obeyed by one rank alone, a signal
during a write that spoils it, a signal to one rank that leaves the others running, a job script that queues a
run again that has ended, two runs that write the same files, a dead run's lock that bars the folder, a hang
that burns the job's whole time."""
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

LAST = 40
CASE = {"run": {"steps_max": LAST, "seed": 3}, "grid": {"n": (24, 24, 24)}, "fluid": {"nu": 0.02},
        "pressure": {"tolerance": 1e-10},
        "initial": {"type": "isotropic"}, "output": {"log_interval": 1}}
ENDLESS = {"run": {"steps_max": 1000000}}
HERE = os.path.dirname(os.path.abspath(__file__))


def logged(folder, step):
    """Whether the log tells of a step."""
    log = os.path.join(folder, "run.log")
    return os.path.exists(log) and re.search(rb"step +%d " % step, kc.file_bytes(log))


def begin(kolmo, case, ranks, *args, step=5, folder=None, env=None):
    """A run that has come to a step."""
    folder = folder or kolmo.place()
    process = kolmo.start([kolmo.write(case, folder), *args], ranks, env=env)
    kc.wait_for(lambda: logged(folder, step), process, f"step {step} in the log")
    return folder, process


def goes_on(kolmo, check, label, whole, stopped, ranks):
    """The restart of a stopped run equals the run that was left alone."""
    steps = stopped.steps()
    check.holds(f"{label}: one checkpoint, of step {steps}", len(steps) == 1 and steps[0] < LAST, steps)
    check.equal(f"{label}: files left", sorted(set(os.listdir(stopped.folder)) - {"case.nml"}),
                [f"checkpoint_{steps[-1]:08d}.h5", "run.jsonl", "run.log", "series.nc"])
    part = kolmo.run(CASE, "--restart", "latest", ranks=ranks, folder=stopped.folder)
    check.same(f"{label}: restarted", kc.differences(whole, part, LAST))


def stop_file(kolmo, check):
    """A file called stop in the folder: checkpoint, exit code 5, the file is gone; one from before the run is
    removed."""
    whole = kolmo.run(CASE)
    for ranks in (1, 2):
        folder = kolmo.place()
        stale = os.path.join(folder, "stop")
        with open(stale, "w", encoding="utf-8"):
            pass
        folder, process = begin(kolmo, kc.merge(CASE, ENDLESS), ranks, folder=folder)
        check.holds(f"{ranks} ranks: an old stop file is removed", not os.path.exists(stale))
        with open(stale, "w", encoding="utf-8"):
            pass
        stopped = kolmo.finish(process, folder, rc=None, seconds=60)
        check.equal(f"{ranks} ranks: exit code", stopped.rc, 5)
        check.says(f"{ranks} ranks", stopped.text, "it was there before the run",
                   "stopped (stop file), checkpoint written")
        step = stopped.steps()[-1]
        check.equal(f"{ranks} ranks: steps of the series", [int(s) for s in stopped.series()["step"]],
                    list(range(step + 1)))
        part = kolmo.run(kc.merge(CASE, {"run": {"steps_max": step + 2}}), "--restart", "latest", ranks=ranks,
                         folder=folder)
        check.equal(f"{ranks} ranks: goes on", part.steps()[-1], step + 2)
    check.above("the run that was left alone ended", whole.steps()[-1], LAST)


def one_rank_signalled(kolmo, check):
    """USR1 or TERM to one rank of three, sent to it alone: all stop after the same step."""
    whole = kolmo.run(CASE)
    for number, place in ((signal.SIGUSR1, 2), (signal.SIGTERM, 0)):
        folder, process = begin(kolmo, CASE, 3)
        os.kill(kc.children(process.pid)[place], number)
        stopped = kolmo.finish(process, folder, rc=None, seconds=60)
        label = f"{number.name} to process {place} of 3"
        check.equal(f"{label}: exit code", stopped.rc, 5)
        check.says(label, stopped.text, f"stopped (signal {number.name[3:]}), checkpoint written")
        goes_on(kolmo, check, label, whole, stopped, 3)


def other_signals(kolmo, check):
    """HUP, of a terminal that is closed, and XCPU, of a limit of processor time: to the program alone, to one
    rank of two, to mpirun. HUP under nohup, and a reader of the messages that ends, change nothing."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup
    whole = kolmo.run(CASE)
    patient = {"OMPI_MCA_odls_base_sigkill_timeout": "10"}
    for number, ranks in ((signal.SIGHUP, 1), (signal.SIGXCPU, 1), (signal.SIGHUP, 2), (signal.SIGXCPU, 2)):
        folder, process = begin(kolmo, CASE, ranks)
        os.kill(process.pid if ranks == 1 else kc.children(process.pid)[1], number)
        stopped = kolmo.finish(process, folder, rc=None, seconds=60)
        label = f"{number.name}, {ranks} ranks"
        check.equal(f"{label}: exit code", stopped.rc, 5)
        check.says(label, stopped.text, f"stopped (signal {number.name[3:]}), checkpoint written")
        goes_on(kolmo, check, label, whole, stopped, ranks)
    for number in (signal.SIGHUP, signal.SIGXCPU):
        endless = ENDLESS if number == signal.SIGHUP else {}  # TERM comes after ten seconds
        folder, process = begin(kolmo, kc.merge(CASE, endless), 2, env=patient)
        os.kill(process.pid, number)
        stopped = kolmo.finish(process, folder, rc=None, seconds=60)
        check.holds(f"{number.name} to mpirun: exit code is not 0", stopped.rc != 0, stopped.rc)
        if endless:
            check.equal(f"{number.name} to mpirun: checkpoints", len(stopped.steps()), 1)
        else:
            goes_on(kolmo, check, f"{number.name} to mpirun", whole, stopped, 2)
    folder = kolmo.place()
    process = kolmo.start([kolmo.write(CASE, folder)],
                          preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    kc.wait_for(lambda: logged(folder, 5), process, "step 5 in the log")
    os.kill(process.pid, signal.SIGHUP)
    check.same("HUP under nohup", kc.differences(whole, kolmo.finish(process, folder, seconds=60), LAST))
    folder, process = begin(kolmo, CASE, 1)
    process.stdout.close()
    check.equal("nobody reads the messages: exit code", process.wait(60), 0)
    check.same("nobody reads the messages", kc.differences(whole, kc.Result(0, "", "", 0, folder), LAST))


def slow_reader(kolmo, check):
    """A reader of the messages that no longer reads: the run goes on and can be stopped, and run.log has all
    lines."""
    steps = 1000  # a pipe holds 64 KiB, which is 300 lines
    folder, process = begin(kolmo, kc.merge(CASE, ENDLESS, {"grid": {"n": (8, 8, 8)}}), 1)
    kc.wait_for(lambda: logged(folder, steps), process, f"step {steps} in the log")
    os.kill(process.pid, signal.SIGUSR1)
    kc.wait_for(lambda: b"checkpoint written" in kc.file_bytes(os.path.join(folder, "run.log")), process,
                "the end in the log")
    stopped = kolmo.finish(process, folder, rc=None, seconds=60)
    check.equal("slow reader: exit code", stopped.rc, 5)
    lines = [int(n) for n in re.findall(rb"step +(\d+) ", kc.file_bytes(os.path.join(folder, "run.log")))]
    check.equal("slow reader: steps in run.log", lines, list(range(lines[0], lines[0] + len(lines))))
    check.holds("slow reader: steps that it got", stopped.text.count("\nstep ") < len(lines),
                stopped.text.count("\nstep "))


def size_limit(kolmo, check):
    """ulimit -f, from a few bytes to more than a checkpoint needs: a message with file and reason, exit code
    4, the older checkpoint as it was; or the run is complete."""
    case = kc.merge(CASE, {"run": {"steps_max": 2}, "grid": {"n": (16, 16, 16)},
                           "checkpoint": {"interval": 1}})
    good = kolmo.run(kc.merge(case, {"run": {"steps_max": 1}}))
    kept = kc.file_bytes(kc.checkpoint_path(good.folder, 1))
    whole = kolmo.run(case)
    codes = set()
    # the second number is the limit that a process can't raise, which ulimit -f sets as well; the daemon of
    # Open MPI starts under it
    free = resource.RLIM_INFINITY
    for most, hard in ((60, free), (3000, free), (30000, free), (30000, 30000), (100000, free),
                       (len(kept) - 1, free), (len(kept) - 1, len(kept) - 1), (2 * len(kept), free),
                       (2 * len(kept), 2 * len(kept))):
        folder = kolmo.place()
        for name in os.listdir(good.folder):
            shutil.copy(os.path.join(good.folder, name), folder)
        path = kolmo.write(case, folder)
        process = kolmo.start(
            [path, "--restart", "latest"],
            env=None if hard == free else {"OMPI_MCA_ess_singleton_isolated": "0"},
            preexec_fn=lambda m=most, h=hard: resource.setrlimit(resource.RLIMIT_FSIZE, (m, h)))
        ended = kolmo.finish(process, folder, rc=None, seconds=60)
        codes.add(ended.rc)
        label = f"at most {most} bytes a file{'' if hard == free else ', which it can not raise'}"
        check.holds(f"{label}: exit code 4 or 0", ended.rc in (0, 4), (ended.rc, ended.err[-300:]))
        check.holds(f"{label}: the older checkpoint", kc.file_bytes(kc.checkpoint_path(folder, 1)) == kept)
        if ended.rc == 4:
            check.says(label, ended.err, folder, "File too large")
        again = kolmo.call(path, "--restart", "latest", rc=None, folder=folder)
        check.holds(f"{label}: goes on without the limit", again.rc == 0
                    and not kc.differences(whole, again, 2), (again.rc, again.err[-300:]))
    check.equal("exit codes", codes, {0, 4})


def processor_time(kolmo, check):
    """ulimit -t sets the limit at which XCPU comes and the one at which the process is killed to the same
    number: the run stops before it, with a checkpoint."""
    folder = kolmo.place()
    endless = kc.merge(CASE, {"run": {"steps_max": 10**8}, "output": {"log_interval": 10**6},
                              "checkpoint": {"interval": 0}})
    process = kolmo.start([kolmo.write(endless, folder)],
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (8, 8)))
    stopped = kolmo.finish(process, folder, rc=None, seconds=200)
    check.equal("ulimit -t: exit code", stopped.rc, 5)
    check.says("ulimit -t", stopped.text, "stopped (signal XCPU), checkpoint written")
    check.equal("ulimit -t: checkpoints", len(stopped.steps()), 1)


def many_signals(kolmo, check):
    """A burst of signals, some of them during the checkpoint: they change nothing; a signal before the first
    step is kept."""
    whole = kolmo.run(CASE)
    folder, process = begin(kolmo, CASE, 1)
    for count in range(200):
        if process.poll() is not None:
            break
        os.kill(process.pid, (signal.SIGUSR1, signal.SIGTERM, signal.SIGINT)[count % 3])
        time.sleep(0.001)
    stopped = kolmo.finish(process, folder, rc=None, seconds=60)
    check.equal("burst: exit code", stopped.rc, 5)
    goes_on(kolmo, check, "burst", whole, stopped, 1)
    folder = kolmo.place()
    process = kolmo.start([kolmo.write(kc.merge(CASE, ENDLESS, {"grid": {"n": (64, 64, 64)}}), folder)])
    kc.wait_for(lambda: os.path.exists(os.path.join(folder, "kolmo.lock")), process, "the start")
    os.kill(process.pid, signal.SIGUSR1)
    early = kolmo.finish(process, folder, rc=None, seconds=60)
    check.equal("at the start: exit code", early.rc, 5)
    check.below("at the start: steps until the end", early.steps()[-1], 2)


def mpirun_ended(kolmo, check):
    """TERM to mpirun, with time given between its signals: exit by checkpoint; the sound ones stay."""
    whole = kolmo.run(CASE)
    folder, process = begin(kolmo, CASE, 2, env={"OMPI_MCA_odls_base_sigkill_timeout": "5"})
    os.kill(process.pid, signal.SIGTERM)
    stopped = kolmo.finish(process, folder, rc=None, seconds=60)
    check.holds("exit code is not 0", stopped.rc != 0, stopped.rc)
    part = kolmo.run(CASE, *(["--restart", "latest"] if stopped.steps() else []), ranks=2, folder=folder)
    check.holds("a checkpoint was written", stopped.steps() != [], stopped.text[-400:])
    check.same("restarted", kc.differences(whole, part, LAST))


@kc.watches_clock
def two_runs(kolmo, check):
    """A second run in the folder is refused at once and harms nothing; after a kill the lock is taken
    over."""
    for ranks in (1, 2):
        folder, process = begin(kolmo, kc.merge(CASE, ENDLESS), ranks)
        path = os.path.join(folder, "case.nml")
        for args in ((), ("--restart", "latest")):
            started = time.monotonic()
            second = kolmo.call(path, *args, ranks=ranks, rc=None, seconds=30)
            check.equal(f"{ranks} ranks, second run {args}: exit code", second.rc, 4)
            check.below(f"{ranks} ranks, second run: seconds", time.monotonic() - started, 8)
            check.says(f"{ranks} ranks, second run", second.err, folder, "is in use by another run (process")
        check.holds(f"{ranks} ranks: the first run goes on, with its log",
                    process.poll() is None and logged(folder, 5))
        check.equal(f"{ranks} ranks: no folder previous-1",
                    os.path.exists(os.path.join(folder, "previous-1")), False)
        started_by_mpirun = kc.children(process.pid) if ranks > 1 else []
        os.killpg(process.pid, signal.SIGKILL)
        kolmo.finish(process, folder, rc=None, seconds=60)
        for rank in started_by_mpirun:  # in groups of their own; they end when they miss mpirun
            while os.path.exists(f"/proc/{rank}") and time.monotonic() - started < 60:
                time.sleep(0.05)
        check.holds(f"{ranks} ranks: the killed run leaves its lock",
                    os.path.exists(os.path.join(folder, "kolmo.lock")))
        third = kolmo.run(kc.merge(CASE, {"run": {"steps_max": 2}}), ranks=ranks, folder=folder)
        check.says(f"{ranks} ranks: after the kill", third.text,
                   "warning: taking over the lock of a run that has ended without a word")
        check.holds(f"{ranks} ranks: no lock is left", not os.path.exists(os.path.join(folder, "kolmo.lock")))


@kc.watches_clock
def watchdog(kolmo, check):
    """A rank that is stopped: the run ends within run.watchdog and a few seconds, and the message names
    it."""
    case = kc.merge(CASE, ENDLESS, {"run": {"watchdog": "00:00:03"}, "checkpoint": {"interval": 2}})
    folder, process = begin(kolmo, case, 3)
    victim = sorted(kc.children(process.pid))[1]
    with open(f"/proc/{victim}/environ", "rb") as source:
        rank = int(re.search(rb"OMPI_COMM_WORLD_RANK=(\d+)", source.read()).group(1))
    os.kill(victim, signal.SIGSTOP)
    started = time.monotonic()
    ended = kolmo.finish(process, folder, rc=None, seconds=60)
    check.below("seconds until the end", time.monotonic() - started, 13)
    check.equal("exit code", ended.rc, 1)
    check.says("message", ended.err, "no progress for 3 s (run.watchdog)", f"rank {rank} on host",
               "does not run (stopped",
               "last seen in phase '", "of step ")
    check.equal("ranks named", len(re.findall(r"kolmo: rank \d+ on host", ended.err)), 1)
    last = ended.steps()[-1]
    part = kolmo.run(kc.merge(case, {"run": {"steps_max": last + 1}}), "--restart", "latest", ranks=2,
                     folder=folder)
    check.equal("goes on from the last checkpoint", part.steps()[-1], last + 1)
    slow = kolmo.run(kc.merge(CASE, ENDLESS, {"run": {"watchdog": "00:00:03", "walltime": "00:00:05"},
                                              "output": {"log_interval": 100}}), rc=5)
    check.above("a run that makes steps lives longer than that: seconds", slow.seconds, 4)


def batch_script(kolmo, check):
    """inputs/slurm/mpirun.sbatch without Slurm: USR1 to the script ends the run with a checkpoint and queues
    it again; a run that has finished, failed or met a stop file is not queued again; the second time it
    restarts."""
    script = os.path.join(HERE, "..", "..", "inputs", "slurm", "mpirun.sbatch")
    for case, what, requeued, rc in ((ENDLESS, "signal", 1, 5), (ENDLESS, "stop", 0, 5),
                                     ({"run": {"steps_max": 8}}, "end", 0, 0),
                                     ({"run": {"steps_max": 8}, "fluid": {"nu": -1.0}}, "fault", 0, 2)):
        folder = kolmo.place()
        kolmo.write(kc.merge(CASE, case), folder)
        tools = os.path.join(folder, "bin")
        os.mkdir(tools)
        with open(os.path.join(tools, "scontrol"), "w", encoding="utf-8") as fake:
            fake.write(f'#!/bin/sh\necho "$@" >> {folder}/requeued\n')
        os.chmod(os.path.join(tools, "scontrol"), 0o755)
        env = dict(kc.environment(), PATH=tools + ":" + os.environ["PATH"], SLURM_JOB_ID="77",
                   SLURM_NTASKS="2", KOLMO=kolmo.program,
                   CASE=os.path.join(folder, "case.nml"), RUN=folder, MPIRUN=" ".join(kolmo.mpirun))

        def start():
            return subprocess.Popen(["bash", script], env=env, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                    start_new_session=True)
        process = start()
        if what in ("signal", "stop"):
            kc.wait_for(lambda: logged(folder, 5), process, "step 5 in the log")
        if what == "signal":
            os.kill(process.pid, signal.SIGUSR1)
        elif what == "stop":
            with open(os.path.join(folder, "stop"), "w", encoding="utf-8"):
                pass
        result = kolmo.finish(process, folder, rc=None, seconds=60)
        check.equal(f"{what}: exit code of the script", result.rc, rc)
        queue = os.path.join(folder, "requeued")
        lines = kc.file_bytes(queue).decode().splitlines() if os.path.exists(queue) else []
        check.equal(f"{what}: queued again", lines, ["requeue 77"] * requeued)
        if what == "signal":
            step = result.steps()[-1]
            process = start()
            kc.wait_for(lambda s=step: logged(folder, s + 3), process, "steps after the restart")
            os.kill(process.pid, signal.SIGUSR1)
            again = kolmo.finish(process, folder, rc=None, seconds=60)
            check.equal("second time: exit code", again.rc, 5)
            check.says("second time", again.out, f"restart from {folder}/checkpoint_{step:08d}.h5")
            shutil.rmtree(tools)


if __name__ == "__main__":
    kc.main(__doc__,
            [stop_file, one_rank_signalled, other_signals, slow_reader, size_limit,
             processor_time, many_signals, mpirun_ended, two_runs, watchdog, batch_script])

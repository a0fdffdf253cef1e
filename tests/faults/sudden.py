"""Runs that end suddenly: killed at random times, killed in the middle of a file operation, asked to stop by
signals."""
import os
import re
import signal
import time

import kolmo_case as kc
from trial import BEGUN, GONE, HANG


def announced(result):
    """Steps of which the log says that a checkpoint was written."""
    return [int(n) for n in re.findall(r"checkpoint written: step (\d+),", result.out)]


def finish(t, process, folder, moment=None):
    """Waits for a run; all its ranks must be gone soon after its fault: now, or at moment(), asked when it
    has ended."""
    now = time.time()
    try:
        result = t.kolmo.finish(process, folder, rc=None, seconds=HANG)
    except kc.RunError as fault:
        t.wrong(str(fault))
        return None
    gone = time.time() - (moment() if moment else now)
    if gone > GONE:
        t.wrong(f"ranks were there {gone:.1f} s after the fault")
    return result


def after_a_kill(t, folder, before, result):
    """What was announced is there, the old checkpoint is whole, and the run goes on to the same bits."""
    steps = kc.checkpoint_steps(folder)
    told = announced(result)
    if told and (not steps or steps[-1] < told[-1]):
        t.wrong(f"checkpoint of step {told[-1]} was announced, there are {steps}")
    if before is not None:
        t.old_checkpoint(folder, before)
    if result.rc == 0:
        t.ended_well(result)
        return "had ended before"
    t.goes_on(folder)
    if not steps:
        return "killed before the first checkpoint, started anew"
    return "killed, restarted"


def kill_any_time(t):
    """SIGKILL of a run, or of one of its ranks, at a moment of its life."""
    fresh = t.chance.random() < 0.3
    ranks = t.chance.choice((1, 1, 2, 3))
    folder, path = t.begin(fresh)
    before = None if fresh else kc.file_bytes(kc.checkpoint_path(folder, BEGUN))
    sample = t.shared.once(("seconds", repr(t.case), ranks),
                           lambda kolmo: kolmo.run(t.case, ranks=ranks).seconds)
    moment = t.chance.uniform(0.25, 1.1) * sample
    process = t.kolmo.start([path] + ([] if fresh else ["--restart", "latest"]), ranks)
    time.sleep(moment)
    victims = kc.children(process.pid) if ranks > 1 else []
    if victims and t.chance.random() < 0.7:
        try:
            os.kill(t.chance.choice(victims), signal.SIGKILL)
        except ProcessLookupError:
            pass
    elif process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        for pid in victims:  # a group of their own
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
    result = finish(t, process, folder)
    return after_a_kill(t, folder, before, result) if result else "hang"


def kill_in_operation(t):
    """The process kills itself at its n-th operation on files; a write is done by half then."""
    ranks = t.chance.choice((1, 1, 1, 2))
    rank = t.chance.randrange(ranks)
    path = t.chance.choice(("checkpoint_", "checkpoint_", "checkpoint_", "series.nc", ""))
    number = t.shared.operations(t.case, path, ranks, rank)["all"]
    if number == 0:  # this rank writes no such file
        rank, number = 0, t.shared.operations(t.case, path, ranks, 0)["all"]
    folder, case = t.begin()
    before = kc.file_bytes(kc.checkpoint_path(folder, BEGUN))
    env, mark = t.fault(folder, "kill", t.chance.randint(1, number), 0, path, rank)
    process = t.kolmo.start([case, "--restart", "latest"], ranks, env=env)
    result = finish(t, process, folder,
                    lambda: os.path.getmtime(mark) if os.path.exists(mark) else time.time())
    if result is None:
        return "hang"
    if not os.path.exists(mark):
        t.wrong("the operation was never done")
    return after_a_kill(t, folder, before, result)


def signalled(t):
    """USR1, TERM or INT at a moment of the run's life, sometimes twice."""
    folder, path = t.begin()
    before = kc.file_bytes(kc.checkpoint_path(folder, BEGUN))
    ranks = t.chance.choice((1, 1, 2))
    number = signal.SIGUSR1 if ranks > 1 else t.chance.choice((signal.SIGUSR1, signal.SIGTERM, signal.SIGINT))
    sample = t.shared.once(("seconds", repr(t.case), ranks),
                           lambda kolmo: kolmo.run(t.case, ranks=ranks).seconds)
    process = t.kolmo.start([path, "--restart", "latest"], ranks)
    time.sleep(t.chance.uniform(0.3, 1.0) * sample)
    for _ in range(t.chance.choice((1, 1, 3))):
        if process.poll() is None:
            os.kill(process.pid, number)
        time.sleep(t.chance.uniform(0.0, 0.02))
    result = finish(t, process, folder)
    if result is None:
        return "hang"
    steps = kc.checkpoint_steps(folder)
    t.old_checkpoint(folder, before)
    if result.rc == 0:
        t.ended_well(result)
        return "had ended before"
    stepped = re.search(r"^step ", result.out, re.M)
    if result.rc == 5:
        if f"checkpoint written: step {steps[-1]}," not in result.out and steps[-1] != BEGUN:
            t.wrong(f"no checkpoint announced: {result.text[-300:]}")
        if "stopped (signal" not in result.text:
            t.wrong(f"the reason is not told: {result.text[-300:]}")
    elif stepped or result.rc not in (-number, 128 + number, 1):
        t.wrong(f"exit code {result.rc} after signal {number}: {result.text[-300:]}")
    t.goes_on(folder)
    return "exit code 5, restarted" if result.rc == 5 else "ended before the first step, restarted"

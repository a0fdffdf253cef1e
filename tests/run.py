#!/usr/bin/env python3
"""Run test programs, several at a time, and count what they say.

usage: run.py [--mpirun COMMAND] [--timeout SECONDS] [--jobs N] PROGRAM[:RANKS[,RANKS...]]...

A PROGRAM is a cmocka executable or a script (run by this Python if it ends in .py; arguments may follow after
spaces). With RANKS it is started under mpirun once for each count; otherwise directly. N programs run at the
same time; one line each tells of it when it ends. cmocka's closing lines or a line 'N passed, N failed' give
the counts; a program that fails without naming a failed test counts as one. The last line is 'N passed, N
failed', and ', N skipped' where tests were skipped; exit code 1 if any failed or none ran."""
import argparse
import concurrent.futures
import os
import re
import shlex
import signal
import subprocess
import sys
import time

PLAIN = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$", re.M)
CMOCKA = {"passed": re.compile(r"\[  PASSED  \] (\d+) test"),
          "failed": re.compile(r"\[  FAILED  \] (\d+) test"),
          "skipped": re.compile(r"\[  SKIPPED \] (\d+) test")}


ALONE = "alone:"  # before a program that watches the clock and mostly sleeps: it runs after the others
LEAK_CHECKER_CRASHED = "LeakSanitizer has encountered a fatal error"


def counts(text, rc):
    """Passed, failed and skipped of one program from its output and exit code."""
    plain = PLAIN.findall(text)
    if plain:
        passed, failed, skipped = (int(v or 0) for v in plain[-1])
    else:
        passed, failed, skipped = (sum(map(int, CMOCKA[k].findall(text)))
                                   for k in ("passed", "failed", "skipped"))
    if (rc != 0 and failed == 0) or (passed + failed + skipped == 0):
        failed += 1
    return passed, failed, skipped


class Measured(subprocess.Popen):
    """A process, and after its end the processor seconds that it and all whom it waited for have used."""

    processor = 0.0

    def _try_wait(self, wait_flags):
        """As subprocess has it, by wait4."""
        try:
            pid, status, used = os.wait4(self.pid, wait_flags)
        except ChildProcessError:
            return self.pid, 0
        if pid == self.pid:
            self.processor = used.ru_utime + used.ru_stime
        return pid, status


def run(command, timeout):
    """Output, exit code and processor seconds; the whole process group goes down at the time limit."""
    with Measured(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                  start_new_session=True) as process:
        try:
            timeout *= max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))  # others keep the cores busy
            out, _ = process.communicate(timeout=timeout)
            rc = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, _ = process.communicate()
            out += b"\nstopped at the time limit of %d s\n" % timeout
            rc = 124
    return out.decode(errors="replace"), rc, process.processor


def jobs(arguments, mpirun):
    """Label and command of each run."""
    for item in arguments:
        words = shlex.split(item)
        match = re.fullmatch(r"(.*?):(\d+(?:,\d+)*)", words[0])
        program = match.group(1) if match else words[0]
        start = [sys.executable, program] if program.endswith(".py") else [program]
        label = os.path.basename(program)
        if not match:
            yield label, start + words[1:]
            continue
        for ranks in match.group(2).split(","):
            yield f"{label} ({ranks} ranks)", shlex.split(mpirun) + ["-n", ranks] + start + words[1:]


def test(label, command, timeout):
    """Label, output, counts, and seconds of the clock and of processors, of one program."""
    started = time.monotonic()
    out, rc, processor = run(command, timeout)
    for _ in range(2):  # the leak checker itself crashes now and then while it stops MPI's threads
        if LEAK_CHECKER_CRASHED not in out:
            break
        out, rc, more = run(command, timeout)
        processor += more
    return label, out, counts(out, rc), (time.monotonic() - started, processor)


def told(out):
    """Of a program that failed: the lines that say so, and its last ones."""
    lines = out.splitlines()
    return [line for line in lines[:-30] if re.match(r"FAIL|\[  (FAILED|ERROR)", line)][:30] + lines[-30:]


def tell(label, out, result, seconds):
    """The line of one program, and what it said where it failed."""
    word = "FAIL" if result[1] else "ok  "
    skipped = f", {result[2]} skipped" if result[2] else ""
    print(f"{word} {label:44s} {result[0]:4d} passed, {result[1]} failed{skipped}  {seconds[0]:6.1f} s, "
          f"of processors {seconds[1]:.1f} s",
          flush=True)
    if result[1]:
        print("\n".join("     | " + line for line in told(out)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mpirun", default="mpirun --oversubscribe")
    parser.add_argument("--timeout", type=int, default=600)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    # no two programs on one core while another idles
    os.environ.setdefault("OMPI_MCA_hwloc_base_binding_policy", "none")
    total = [0, 0, 0]
    apart = [p[len(ALONE):] for p in options.program if p.startswith(ALONE)]
    together = [p for p in options.program if not p.startswith(ALONE)]
    for programs, lanes in ((together, max(1, options.jobs)), (apart, max(1, options.jobs - 1))):
        with concurrent.futures.ThreadPoolExecutor(lanes) as pool:
            tests = [pool.submit(test, label, command, options.timeout)
                     for label, command in jobs(programs, options.mpirun)]
            for ended in concurrent.futures.as_completed(tests):
                label, out, result, seconds = ended.result()
                total = [a + b for a, b in zip(total, result)]
                tell(label, out, result, seconds)
    skipped = f", {total[2]} skipped" if total[2] else ""
    print(f"{total[0]} passed, {total[1]} failed{skipped}")
    return 1 if total[1] or not total[0] else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:  # nobody reads on, as behind `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)

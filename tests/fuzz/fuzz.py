#!/usr/bin/env python3
"""Run one fuzz target: replay what is known, then look for news.

usage: fuzz.py [--fuzzer libfuzzer|afl] [--work FOLDER] [--seconds N] namelist|checkpoint

The program is FOLDER/<fuzzer>-<target> (`make fuzz-programs`). Replay: the seeds in
tests/fuzz/corpus/<target>. Search: N seconds, from the seeds and from what earlier searches have kept in
FOLDER/corpus. An input that crashes, leaks, hangs or breaks a promise is kept in FOLDER/findings. The last
line is 'N passed, N failed'."""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LARGEST = {"namelist": 4096, "checkpoint": 384}
EXTRA = {"namelist": [os.path.join(ROOT, "inputs", "cases")], "checkpoint": []}


def environment(scratch, target):
    env = dict(os.environ, TMPDIR=scratch, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    # MPI and HDF5 leak by themselves: the unit tests look for our leaks in io/
    env["ASAN_OPTIONS"] = "abort_on_error=1:symbolize=0:detect_leaks=%d" % (target == "namelist")
    env.update(AFL_NO_UI="1", AFL_SKIP_CPUFREQ="1", AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES="1",
               AFL_NO_AFFINITY="1")
    return env


def told(command, env, timeout, log):
    """Exit code; what was said goes to the log."""
    with open(log, "ab") as out:
        try:
            return subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                  timeout=timeout,
                                  check=False).returncode
        except subprocess.TimeoutExpired:
            return 124


def tail(log, lines=40):
    with open(log, "rb") as file:
        print(b"\n".join(file.read().splitlines()[-lines:]).decode(errors="replace"))


def libfuzzer(options, program, seeds, folders, env, log):
    kept, findings = folders
    common = [f"-max_len={LARGEST[options.target]}", "-timeout=30", "-rss_limit_mb=4096",
              f"-artifact_prefix={findings}/", "-detect_leaks=%d" % (options.target == "namelist")]
    replay = told([program, *common, *sorted(glob.glob(os.path.join(seeds[0], "*")))], env, 300, log) == 0
    if not replay:
        tail(log)
        return [replay, False]
    dictionary = os.path.join(options.work, "namelist.dict")
    extra = [f"-dict={dictionary}"] if options.target == "namelist" else ["-len_control=0"]
    search = told([program, *common, *extra, f"-max_total_time={options.seconds}", "-print_final_stats=1",
                   kept, *seeds],
                  env, options.seconds + 240, log) == 0
    tail(log, 12 if search else 60)
    return [replay, search]


def afl(options, program, seeds, folders, env, log):
    kept, findings = folders
    one = os.path.join(env["TMPDIR"], "seeds")
    os.mkdir(one)
    for folder in seeds:
        for path in glob.glob(os.path.join(folder, "*")):
            shutil.copy(path, one)
    replay = told([program, *sorted(glob.glob(os.path.join(seeds[0], "*")))], env, 300, log) == 0
    out = os.path.join(os.path.dirname(kept), f"afl-{options.target}")
    dictionary = ["-x", os.path.join(options.work, "namelist.dict")] if options.target == "namelist" else []
    code = told(["afl-fuzz", "-i", "-" if os.path.isdir(out) else one, "-o", out, "-V", str(options.seconds),
                 "-m", "none",
                 "-t", "5000+", "-G", str(LARGEST[options.target]), *dictionary, "--", program], env,
                options.seconds + 240, log)
    crashes = [p for kind in ("crashes", "hangs")
               for p in glob.glob(os.path.join(out, "default", kind, "id*"))]
    for path in crashes:
        shutil.move(path, findings)
    stats = os.path.join(out, "default", "fuzzer_stats")
    if os.path.isfile(stats):
        with open(stats, encoding="utf-8") as file:
            print(
                "".join(
                    line
                    for line in file
                    if re.match("execs_done|execs_per_sec|corpus_count|edges_found|saved_", line)
                ),
                end="",
            )
    if code != 0:
        tail(log)
    return [replay, code == 0 and not crashes]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fuzzer", choices=("libfuzzer", "afl"), default="libfuzzer")
    parser.add_argument("--work", default=os.path.join(ROOT, "build", "fuzz"))
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("target", choices=sorted(LARGEST))
    options = parser.parse_args()
    options.work = os.path.abspath(options.work)
    program = os.path.join(options.work, f"{options.fuzzer}-{options.target}")
    folders = [os.path.join(options.work, kind, options.target) for kind in ("corpus", "findings")]
    for folder in folders:
        os.makedirs(folder, exist_ok=True)
    log = os.path.join(options.work, f"{options.fuzzer}-{options.target}.log")
    open(log, "w", encoding="utf-8").close()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # the target writes a file for each input
    seeds = [os.path.join(HERE, "corpus", options.target)] + EXTRA[options.target]
    with tempfile.TemporaryDirectory(prefix="kolmo-fuzz-", dir=memory) as scratch:
        run = afl if options.fuzzer == "afl" else libfuzzer
        results = run(options, program, seeds, folders, environment(scratch, options.target), log)
    for name, good in zip(("replay", "search"), results):
        print(f"{options.target}: {name} {'passed' if good else 'FAILED'}")
    if not all(results):
        print(f"findings, if any: {folders[1]}; to repeat one: {program} FILE; log: {log}")
    print(f"{sum(results)} passed, {2 - sum(results)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())

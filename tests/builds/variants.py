#!/usr/bin/env python3
"""Builds every variant of docs/building.md, each in a folder of its own, with warnings as errors.

usage: variants.py [--only WORDS]... [--jobs N] [--to FOLDER] [--list]

The variants are all combinations of the line "make [BACKEND=...] ..." at the head of the page, and the
lines of its section "Variants". The program of each build is asked for its version and, where it needs no
GPU, makes two steps of a small box. A combination that the page excludes must be refused by make with a
message. --only: the variants whose words are these, such as --only "SANITIZE=1 DEBUG=1"; '' is the plain
`make`. --list prints the variants. A variant whose compiler is not installed is skipped. The last line is
'N passed, N failed, N skipped'.

Would catch: a variant that one compiler or one combination of options no longer builds, or that builds
only with warnings."""
import argparse
import itertools
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAGE = os.path.join(ROOT, "docs", "building.md")
NO_SYMBOLS = "CFLAGS=-g0"  # for the debugger, which take a quarter of the time and change no warning
COMPILERS = ("MPICC", "OMPI_CC", "CXX", "NVCC")
REFUSED = {"BACKEND=cuda", "SANITIZE=1"}  # together: nvcc knows no sanitizers of this kind
CASE = """&run steps_max = 2 /
&grid n = 8, 8, 8 /
&fluid nu = 0.02 /
&initial type = 'isotropic' /
"""


def combinations(line):
    """Of 'make [A=x|y] [B=1] [-j N] [target]' all lists of words; what make presets is left out, the first of
    several values."""
    choices = []
    for name, values in re.findall(r"\[([A-Z]+)=([^\]]*)\]", line):
        words = [f"{name}={value}" for value in values.split("|")]
        choices.append([None] + (words[1:] if len(words) > 1 else words))
    return [[w for w in choice if w] for choice in itertools.product(*choices)]


def variants(text):
    """Lists of words for make, as the page has them; none twice."""
    head = re.search(r"^    (make \[BACKEND=.*)$", text, re.M)
    section = re.search(r"^## Variants$(.*?)(?:^## |\Z)", text, re.M | re.S)
    if not head or not section:
        raise SystemExit(f"{PAGE}: no line 'make [BACKEND=...' or no section 'Variants'")
    lines = re.findall(r"^    make (.*?)(?:  .*)?$", section[1], re.M)
    if not lines:
        raise SystemExit(f"{PAGE}: no line 'make ...' in the section 'Variants'")
    found = combinations(head[1]) + [shlex.split(line) for line in lines]
    return [list(words) for words in dict.fromkeys(tuple(sorted(words)) for words in found)]


def lacking(words):
    """The compiler that a variant needs and this machine has not; '' if it has all."""
    if "BACKEND=cuda" in words:
        cuda = os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin", "nvcc")
        if not shutil.which("nvcc") and not os.path.exists(cuda):
            return "nvcc"
    for word in words:
        name, _, value = word.partition("=")
        if name in COMPILERS and not shutil.which(shlex.split(value)[-1]):
            return value
    return ""


def call(words, folder, **more):
    """Exit code and both outputs. A variable of the caller's make is not handed on."""
    keep = {n: v for n, v in os.environ.items()
            if n not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "BACKEND", "REAL", "DEBUG", "SANITIZE", "LEVEL",
                         "BUILD", "ARCH", "WERROR")}
    quiet = {"ASAN_OPTIONS": "detect_leaks=0"}  # Open MPI has some
    ended = subprocess.run(words, cwd=folder, env={**keep, **quiet, **more}, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    return ended.returncode, ended.stdout


def tried(target, words):
    """What is wrong with the programs of a build; '' if nothing is."""
    for name in ("kolmo", "kolmo-stats", "kolmo-merge"):
        code, text = call([os.path.join(target, name), "--version"], target)
        if code != 0:
            return f"{name} --version: exit code {code}\n{text}"
    if "BACKEND=cuda" in words:
        return ""
    with open(os.path.join(target, "case.nml"), "w", encoding="utf-8") as file:
        file.write(CASE)
    code, text = call([os.path.join(target, "kolmo"), "case.nml", "--set", "output.directory=run"], target,
                      XDG_CACHE_HOME=target)
    return "" if code == 0 else f"a run: exit code {code}\n{text}"


def build(words, target, jobs):
    """What is wrong; '' if nothing is."""
    make = ["make", f"-j{jobs}", f"BUILD={target}", "WERROR=-Werror", NO_SYMBOLS, *words, "all"]
    if REFUSED <= set(words):
        code, text = call(make, ROOT)
        good = code != 0 and "SANITIZE=1" in text and not os.listdir(target)
        return "" if good else f"make has to refuse it; exit code {code}\n{text}"
    code, text = call(make, ROOT)
    if code != 0:
        faults = [line for line in text.splitlines() if not re.match(r"(cc|c\+\+|nvcc|link)  ", line)]
        return f"exit code {code}\n" + "\n".join(faults)
    return tried(target, words)


def main():
    """Exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", action="append")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--to")
    parser.add_argument("--list", action="store_true")
    o = parser.parse_args()
    with open(PAGE, encoding="utf-8") as file:
        found = variants(file.read())
    wanted = found if o.only is None else [sorted(shlex.split(words)) for words in o.only]
    unknown = [w for w in wanted if w not in found]
    if unknown:
        print(f"{PAGE} has no variant 'make {shlex.join(unknown[0])}'; --list prints them", file=sys.stderr)
        return 2
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for words in wanted:
        name = shlex.join(["make", *words])
        if o.list:
            print(name)
            continue
        missing, start = lacking(words), time.monotonic()
        if missing:
            count["skipped"] += 1
            print(f"skip {name}: {missing} is not installed", flush=True)
            continue
        with tempfile.TemporaryDirectory(prefix="kolmo-build-", dir=o.to) as target:
            fault = build(words, target, o.jobs)
        count["failed" if fault else "passed"] += 1
        print(f"{'FAIL' if fault else 'ok  '} {name:50s} {time.monotonic() - start:7.1f} s", flush=True)
        for line in fault.splitlines()[:60]:
            print(f"     | {line}")
    if o.list:
        return 0
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**count))
    return int(count["failed"] > 0 or count["passed"] == 0)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # quietly ended where nobody reads on, as `| head`
    sys.exit(main())

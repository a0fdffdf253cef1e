#!/usr/bin/env python3
"""Fails on a function or variable of a header that no other file uses: it should be static, or go. What is
defined and who uses it is read from the objects of build/cpu, as in call_circles.py; tests, benches,
postproc/ and the CUDA sources count by the words in their text, so that they need not be built."""
import re
from call_circles import objects, symbols
from tree import Findings, files, text

WORD = re.compile(r"\w+")


def others(found):
    """The words of the sources that have no object among `found`."""
    words = set()
    for path in files(".c", ".cu", ".cuh"):
        if path not in found:
            words.update(WORD.findall(text(path) or ""))
    return words


def main():
    findings = Findings("lone_functions")
    found, reason = objects()
    if not found:
        print(f"lone_functions: SKIPPED, {reason or 'no sources'}")
        return
    wanted, defined = symbols(found)
    called = set().union(*wanted.values()) | others(found)
    for name, path in sorted(defined.items()):
        if name not in called and name != "main":
            lines = (text(path) or "").splitlines()
            line = next((n for n, row in enumerate(lines, 1) if re.search(rf"^\S.*\b{name}\b", row)), 1)
            findings.add(path, line, f"{name} is used in no other file: make it static, or remove it")
    findings.finish(len(found))


if __name__ == "__main__":
    main()

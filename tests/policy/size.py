#!/usr/bin/env python3
"""No C or CUDA file is longer than LIMIT lines: longer ones do two things."""
from tree import Findings, files, text

LIMIT = 600


def main():
    findings = Findings("size")
    paths = files(".c", ".h", ".cu", ".cuh")
    for path in paths:
        lines = len((text(path) or "").splitlines())
        if lines > LIMIT:
            findings.add(path, LIMIT + 1, f"{lines} lines, at most {LIMIT}: split it")
    findings.finish(len(paths))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Code and comments keep to LIMIT columns. A line of one word, such as an address, cannot be broken."""
import re
from tree import Findings, files, text

LIMIT = 110
ENDINGS = (".c", ".h", ".cu", ".cuh", ".cpp", ".f90", ".py", ".sh", ".mk")
NAMES = ("Makefile", "bootstrap", ".ci/run", "postproc/kolmo-report", "postproc/kolmo-watch",
         "postproc/kolmo-converge", "postproc/kolmo-decay", "postproc/kolmo-export",
         "postproc/kolmo-movie")
ONE_WORD = re.compile(r"\s*(#|//|/?\*+)?\s*\S+\s*")


def main():
    findings = Findings("columns")
    paths = [p for p in files() if p.endswith(ENDINGS) or p in NAMES]
    for path in paths:
        for line, words in enumerate((text(path) or "").splitlines(), 1):
            if len(words) > LIMIT and not ONE_WORD.fullmatch(words):
                findings.add(path, line, f"{len(words)} columns, at most {LIMIT}")
    findings.finish(len(paths))


if __name__ == "__main__":
    main()

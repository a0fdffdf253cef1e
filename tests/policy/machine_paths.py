#!/usr/bin/env python3
"""No text file names a place that exists only on the machine of its author."""
import re
from tree import Findings, files, text

PLACES = ("root", "home/", "work/", "Users/")
PATTERN = re.compile(r"(?<![\w.~/}<>)*-])/(?:"
                     + "|".join(p.rstrip("/") + (r"/\w" if p.endswith("/") else r"(?![\w-])")
                              for p in PLACES) + r")|\.\./" + "shared")


def main():
    findings = Findings("machine_paths")
    paths = files()
    for path in paths:
        for line, words in enumerate((text(path) or "").splitlines(), 1):
            match = PATTERN.search(words)
            if match:
                findings.add(path, line, f"names a place of one machine: {words[match.start():].split()[0]}")
    findings.finish(len(paths))


if __name__ == "__main__":
    main()

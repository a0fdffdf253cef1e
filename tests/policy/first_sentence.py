#!/usr/bin/env python3
"""Every source begins with a comment that says what it is for, from a capital letter to a full stop. The line
with the ranks of a unit test may stand before it."""
import re
from tree import Findings, files, text

RANKS = re.compile(r"/\* ranks: [\d ]+ \*/\n")
SENTENCE = re.compile(r"/\* [A-Z\d](?:(?!\*/).)*?\.\s", re.DOTALL)


def main():
    findings = Findings("first_sentence")
    paths = files(".c", ".cu", ".cpp")
    for path in paths:
        words = text(path) or ""
        ranks = RANKS.match(words)
        if not SENTENCE.match(words, ranks.end() if ranks else 0):
            findings.add(path, 2 if ranks else 1, "begin with a sentence that says what this file is for")
    findings.finish(len(paths))


if __name__ == "__main__":
    main()

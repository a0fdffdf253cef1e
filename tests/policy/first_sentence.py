#!/usr/bin/env python3
"""Every source begins with a comment that says what it is for, from a capital letter to a full stop. The line
with the ranks of a unit test may stand before it. In Python this is the first sentence of the docstring. It
may also begin with the name of a file, an option or a program."""
import ast
import re
from tree import Findings, files, text

RANKS = re.compile(r"/\* ranks: [\d ]+ \*/\n")
SENTENCE = re.compile(r"/\* [A-Z\d](?:(?!\*/).)*?\.\s", re.DOTALL)
IN_PYTHON = re.compile(r"(?:[A-Z\d]|[`-]|\S+\.\w+\b|kolmo).*?\.(?:\s|$)", re.DOTALL)


def begins_well(path, words):
    if path.endswith(".py"):
        return IN_PYTHON.match(ast.get_docstring(ast.parse(words)) or "")
    ranks = RANKS.match(words)
    return SENTENCE.match(words, ranks.end() if ranks else 0)


def main():
    findings = Findings("first_sentence")
    paths = files(".c", ".h", ".cu", ".cuh", ".cpp", ".py")
    for path in paths:
        words = text(path) or ""
        if not begins_well(path, words):
            findings.add(path, 2 if RANKS.match(words) else 1,
                         "begin with a sentence that says what this file is for")
    findings.finish(len(paths))


if __name__ == "__main__":
    main()

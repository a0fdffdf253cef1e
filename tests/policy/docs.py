#!/usr/bin/env python3
"""Docs and code agree: relative links and their anchors lead somewhere; functions written `name()` and files
written `path` in README.md and docs/ exist; docs and sections cited in the sources (docs/x.md, "Section")
exist."""
import glob
import os
import re
from tree import ROOT, Findings, files, text

SOURCE = (".c", ".h", ".cu", ".cuh", ".py", ".sh")
CHECKED = SOURCE + (".md", ".nml", ".csv", ".bib")  # endings of names that must be files of the checkout
FOREIGN = re.compile(r"(MPI_|H5|nc_|NC_|cuda|cufft|fftw|hwloc|std::|__)")  # functions of libraries
GENERATED = ("build/", "runs/")


def headings(path):
    """Titles of the sections of a markdown file."""
    found, fenced = [], False
    for line in (text(path) or "").splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and re.match(r"#+\s", line):
            found.append(re.sub(r"[`*]", "", line.lstrip("#").strip()))
    return found


def anchor(title):
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def prose(path):
    """(line number, text) outside fenced blocks."""
    fenced = False
    for number, line in enumerate((text(path) or "").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def check_link(findings, path, line, target):
    if re.match(r"[a-z][a-z0-9+.-]*:", target):
        return
    name, _, section = target.partition("#")
    place = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
    if place.startswith("..") or not os.path.exists(os.path.join(ROOT, place)):
        findings.add(path, line, f"link to {target}: no such file")
    elif section and place.endswith(".md") and section not in map(anchor, headings(place)):
        findings.add(path, line, f"link to {target}: {place} has no such section")


def check_file(findings, path, line, name, known):
    """A name in backticks that looks like a file or a folder of the checkout."""
    name = re.sub(r":\d+(-\d+)?$", "", name)
    if not re.fullmatch(r"[\w.@+*?\[\]-]+(/[\w.@+*?\[\]-]+)*/?", name) or name.startswith(GENERATED):
        return
    first = name.split("/")[0]
    is_folder = "/" in name and os.path.isdir(os.path.join(ROOT, first)) and first not in (".", "..")
    if not is_folder and not re.sub(r"\[\w+\]$", "c", name).endswith(CHECKED):
        return
    pattern = name.rstrip("/")
    if glob.glob(os.path.join(ROOT, pattern)) or glob.glob(os.path.join(ROOT, os.path.dirname(path),
                                                                        pattern)):
        return
    if not is_folder:  # `rk3.c` or `point/laplace.h`: anywhere
        ending = re.compile(r"(.*/)?" + re.escape(pattern).replace(r"\*", "[^/]*").replace(r"\[", "[")
                            .replace(r"\]", "]"))
        if any(ending.fullmatch(k) for k in known):
            return
    findings.add(path, line, f"`{name}`: no such file in the checkout")


def check_documents(findings, documents, known):
    sources = "\n".join(text(p) or "" for p in known if p.endswith(SOURCE) or p in ("bootstrap", ".ci/run"))
    functions = set(re.findall(r"\b([A-Za-z_]\w*)\s*\(", sources))
    for path in documents:
        for line, words in prose(path):
            plain = re.sub(r"`[^`]*`", "", words)
            for target in re.findall(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)", plain) + re.findall(
                r"^\[[^\]]+\]:\s*(\S+)", plain
            ):
                check_link(findings, path, line, target)
            for code in re.findall(r"`([^`]+)`", words):
                for name in re.findall(r"([A-Za-z_][\w:]*)\(\)", code):
                    if name not in functions and not FOREIGN.match(name):
                        findings.add(path, line, f"`{name}()`: no such function in the sources")
                check_file(findings, path, line, code.strip(), known)


def check_citations(findings, sources):
    """docs/x.md, "Section" in comments, also where the comment breaks the line before the section."""
    citation = re.compile(r"\b(docs/[\w./-]+\.md)(?:(?:,|:)?[ ]*(?:\n[ \t]*(?:\*|//|#)?[ "
                          r"\t]*)?\"([^\"\n]+)\")?")
    for path in sources:
        content = text(path) or ""
        for match in citation.finditer(content):
            line = content.count("\n", 0, match.start()) + 1
            document, section = match.groups()
            if not os.path.isfile(os.path.join(ROOT, document)):
                findings.add(path, line, f"cites {document}: no such file")
            elif section and section not in headings(document):
                findings.add(path, line, f'cites {document}, "{section}": no such section')


def main():
    findings = Findings("docs")
    known = files()
    documents = [p
                 for p in known
                 if p.endswith(".md") and (p in ("README.md", "CHANGELOG.md") or p.startswith("docs/"))]
    sources = [p for p in known if p.endswith(SOURCE) and not p.startswith("tests/policy/")]
    check_documents(findings, documents, known)
    check_citations(findings, sources)
    findings.finish(len(documents) + len(sources))


if __name__ == "__main__":
    main()

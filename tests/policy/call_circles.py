#!/usr/bin/env python3
"""Who calls whom, as the linker sees it: fails on a circle of calls between modules and, inside solver/, on a
call upward by the table of include_arrows.py. A module is one object of build/cpu, so the sources of one
header are told apart here. Calls through pointers do not show. Without objects, or with some older than their
sources, the check says that it is SKIPPED: `make` builds them."""
import os
import subprocess
from circles import components, shortest
from include_arrows import may
from tree import ROOT, Findings, files

BUILD = os.path.join(ROOT, "build", "cpu")
# of postproc/, each file is a program
FOLDERS = ("solver/", "io/", "inputs/", "kernels/cpu/", "kernels/base/")


def objects():
    """{source: its object} of the CPU build, or the reason why there is none."""
    found = {}
    for path in (p for p in files(".c") if p.startswith(FOLDERS)):
        name = os.path.join(BUILD, path[:-2] + ".o")
        if not os.path.exists(name):
            return None, f"no object of {path} in build/cpu"
        if os.path.getmtime(name) < os.path.getmtime(os.path.join(ROOT, path)):
            return None, f"the object of {path} in build/cpu is older than it"
        found[path] = name
    return found, ""


def symbols(found):
    """{source: names it calls or reads}, {name: source that defines it}."""
    wanted, defined = {path: set() for path in found}, {}
    source = {name: path for path, name in found.items()}
    listing = subprocess.run(["nm", "-A", "-g", *source], capture_output=True, text=True, check=True).stdout
    for row in listing.splitlines():
        name, _, rest = row.rpartition(":")
        *_, kind, symbol = rest.split()
        if kind == "U":
            wanted[source[name]].add(symbol)
        else:
            defined[symbol] = source[name]
    return wanted, defined


def main():
    findings = Findings("call_circles")
    found, reason = objects()
    if not found:
        print(f"call_circles: SKIPPED, {reason or 'no sources'}")
        return
    wanted, defined = symbols(found)
    graph = {path: {defined[s] for s in names if s in defined} - {path} for path, names in wanted.items()}
    for path, called in sorted(graph.items()):
        for other in sorted(called):
            if path.startswith("solver/") and other.startswith("solver/") and not may(path, other):
                names = sorted(s for s in wanted[path] if defined.get(s) == other)
                findings.add(path, 1, f"calls upward into {other}: {', '.join(names)}")
    for group in components(graph):
        circle = shortest(graph, group)
        arrows = [(one, other, min(s for s in wanted[one] if defined.get(s) == other))
                  for one, other in zip(circle, circle[1:])]
        words = "; ".join(f"{one} calls {name} of {other}" for one, other, name in arrows)
        more = (f"; {len(group)} modules reach each other: {' '.join(sorted(group))}"
                * (len(group) > len(arrows)))
        findings.add(circle[0], 1, f"modules call each other in a circle: {words}{more}")
    findings.finish(len(found))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Who may include whom (docs/conventions.md, "Who may call whom"). Fails on

- an #include upward: ALLOWED has one row a folder;
- a circle between modules. A module is a header and its source together: the path without its ending. What
  the sources of one header `x.h` share, `x_internal.h`, counts to the module `x`; a further source of that
  header, `x_part.c`, is a module of its own, which others reach by calls alone: call_circles.py sees these;
- a library's header outside the one place that may use it;
- `struct run` outside the time loop and the programs;
- a question for the CUDA compiler elsewhere than in kernels/base/types.h."""
import os
import re
from circles import components, shortest
from tree import ROOT, Findings, files, text

EVERYTHING = "everything"
ANY = "kernels kernels/base inputs io/log.h io/view.h"  # what every room of solver/ but math may include
LOW = "step forcing boundary scalars bodies poisson state parallel math"  # the lower rooms
# Folders from the top down. A row: folders: what their files may include besides each other. The right side
# names rows below, rooms of solver/ without its name, or single headers where the rest of a folder is closed.
ALLOWED = f"""
tests: everything
postproc: solver output checkpoint statistics control parallel io inputs kernels/base
solver: output checkpoint statistics control initial {LOW} io {ANY}
solver/output: checkpoint statistics control initial {LOW} io {ANY}
solver/checkpoint: statistics control initial {LOW} io {ANY}
solver/statistics: step boundary scalars bodies state parallel math io {ANY}
solver/control: {LOW} io/tuning_file.h {ANY}
solver/initial: step boundary scalars bodies state parallel math {ANY}
solver/step: forcing boundary scalars bodies poisson state parallel math {ANY}
solver/forcing: state parallel math {ANY}
solver/boundary: scalars state parallel math io {ANY}
solver/scalars: bodies poisson state parallel math {ANY}
solver/bodies: state parallel math io {ANY}
solver/poisson: state parallel math {ANY}
solver/state: parallel math {ANY}
solver/parallel: math io/run_lock.h {ANY}
solver/math: inputs kernels/base
io: kernels/base
inputs: kernels/base
kernels/cuda: kernels kernels/base
kernels/cpu: kernels kernels/base
kernels kernels/point: kernels/base
kernels/base:
"""
LIBRARY = (  # header of a library -> files that may include it
    (r"(hdf5|hdf5_hl|H5\w*)\.h", r"io/h5\.[ch]|tests/.*", "io/h5.[ch]"),
    (r"netcdf(_par|_meta|_mem)?\.h", r"io/nc\.[ch]|tests/.*", "io/nc.[ch]"),
    (r"mpi\.h", r"(?!kernels/|inputs/|solver/math/).*",
     "folders other than kernels/, inputs/ and solver/math/"),
    (r"fftw3\.h", r"(kernels/cpu|tests)/.*", "kernels/cpu/"),
    (
        r"(cuda|cufft|cublas|cusolver|cub/|cooperative_groups|nvtx).*",
        r"(kernels/(cuda|base)|tests)/.*",
        "kernels/cuda/ and kernels/base/",
    ),
)
# All else takes the parts of a run that it needs: domain, flow, step, control.
RUN, KNOWS_RUN = "solver/run.h", r"solver/(main|run|check_run)\.[ch]|postproc/.*"
CUDA_QUESTION = "kernels/base/types.h"
SOURCES = (".c", ".h", ".cu", ".cuh")
IN_CIRCLES = ("solver/", "io/", "inputs/", "kernels/", "postproc/")


def reading():
    """{folder: what it may include}; a row that names something which has no row below its own is refused.
    Folders of one row are one layer: who may include one of them may include all."""
    rows = [[side.split() for side in row.split(":")] for row in ALLOWED.strip().splitlines()]
    table = {}
    for number, (folders, right) in enumerate(rows):
        below = {name: set(layer) for layer, _ in rows[number + 1:] for name in layer}
        allowed = set(folders)
        for name in right:
            name = name if name in below or "solver/" + name not in below else "solver/" + name
            if name not in below and os.path.dirname(name) not in below and name != EVERYTHING:
                raise SystemExit(f"include_arrows: the row of {folders[0]} names {name}, which has no row "
                                 "below it")
            allowed |= below.get(name, {name})
        table.update((name, allowed) for name in folders)
    return table


TABLE = reading()


def folder(path):
    return "tests" if path.startswith("tests/") else os.path.dirname(path)


def may(path, target):
    """May the file `path` include `target`, or call what stands in it?"""
    return not {EVERYTHING, folder(target), target}.isdisjoint(TABLE[folder(path)])


def module(path):
    return re.sub(r"(_internal)?\.\w+$", "", path)


def resolve(path, name):
    """The file that #include "name" in path means, relative to ROOT (-I. -Isolver); None if there is none."""
    for start in (os.path.dirname(path), "", "solver"):
        candidate = os.path.normpath(os.path.join(start, name))
        if os.path.isfile(os.path.join(ROOT, candidate)):
            return candidate
    return None


def includes(path):
    """(line, bracket, name, file that is meant or None) of each #include."""
    for line, words in enumerate((text(path) or "").splitlines(), 1):
        found = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', words)
        if found:
            bracket, name = found.groups()
            yield line, bracket, name, resolve(path, name) if bracket == '"' else None


def check_own(findings, path, line, name, target):
    if target is None:
        findings.add(path, line, f'#include "{name}": no such file in the checkout')
    elif folder(path) not in TABLE or folder(target) not in TABLE:
        where = folder(path) if folder(path) not in TABLE else folder(target)
        findings.add(path, line, f"{where}/ has no row in the table of tests/policy/include_arrows.py")
    elif target == RUN and not re.fullmatch(KNOWS_RUN, path):
        findings.add(path, line, f"{RUN} is known to main, run, check_run and the programs alone")
    elif not may(path, target):
        findings.add(path, line, f"{folder(path)} must not include {target}")


def check_library(findings, path, line, name):
    for header, users, words in LIBRARY:
        if re.fullmatch(header, name) and not re.fullmatch(users, path):
            findings.add(path, line, f"{name} may only be included in {words}")


def check_circles(findings, graph, places):
    """places: (module, module) -> the file and line that draw this arrow."""
    for group in components(graph):
        circle = shortest(graph, group)
        drawn = [places[arrow] for arrow in zip(circle, circle[1:])]
        words = f"modules include each other in a circle: {' -> '.join(circle)}"
        words += f" ({', '.join(f'{path}:{line}' for path, line in drawn)})"
        if len(group) > len(circle) - 1:
            words += f"; {len(group)} modules reach each other: {' '.join(sorted(group))}"
        findings.add(*drawn[0], words)


def main():
    findings = Findings("include_arrows")
    paths = files(*SOURCES)
    graph, places = {}, {}
    for path in paths:
        for line, bracket, name, target in includes(path):
            foreign = any(re.fullmatch(header, name) for header, _, _ in LIBRARY)
            if bracket == '"' and (target or not foreign):
                check_own(findings, path, line, name, target)
            else:
                check_library(findings, path, line, name)
            if target and path.startswith(IN_CIRCLES) and target.startswith(IN_CIRCLES):
                arrow = (module(path), module(target))
                graph.setdefault(arrow[1], set())
                if arrow[0] != arrow[1]:
                    graph.setdefault(arrow[0], set()).add(arrow[1])
                    places.setdefault(arrow, (path, line))
        for line, words in enumerate((text(path) or "").splitlines(), 1):
            asks = re.match(r"\s*#\s*(el)?if", words) and re.search(
                r"__CUDACC__|__CUDA_ARCH__|__NVCC__", words
            )
            if asks and path != CUDA_QUESTION:
                findings.add(path, line, f"only {CUDA_QUESTION} asks for the CUDA compiler")
    check_circles(findings, graph, places)
    findings.finish(len(paths))


if __name__ == "__main__":
    main()

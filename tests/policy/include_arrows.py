#!/usr/bin/env python3
"""Who may include whom (docs/conventions.md, "Who may call whom"): fails on an #include against the arrows, on a
library's header outside the one place that may use it, and on a question for the CUDA compiler elsewhere than in
kernels/base/types.h. The rules are the tables below."""
import os
import re
from tree import ROOT, Findings, files, text

BASE = "kernels/base"  # the floor: everybody may include it
ALLOWED = {            # folder of the file that includes -> folders it may include
    BASE: (BASE,),
    "kernels": ("kernels",),
    "io": ("io", BASE),
    "inputs": ("inputs", BASE),
    "solver": ("solver", "kernels", "io", "inputs"),
    "postproc": ("postproc", "solver", "inputs", "io", BASE),
}                      # tests may include everything
IO_FROM_SOLVER = ("solver/output/output.c", "solver/output/step_files.c", "solver/output/writer_thread.c", "solver/checkpoint/restart.c", "solver/checkpoint/regrid.c", "solver/checkpoint/stored_flow.c", "solver/output/fault_report.c", "solver/output/provenance.c", "solver/main.c", "solver/control/launch_tuning.c", "solver/statistics/netcdf_page.h", "solver/output/series_record.h",
                  "solver/output/slices.c", "solver/output/probes.c", "solver/boundary/inflow.c", "solver/boundary/inflow_planes.c")  # output and its parts
IO_FOR_ALL = ("io/log.h", "io/view.h")
LIBRARY = (            # header of a library -> files that may include it
    (r"(hdf5|hdf5_hl|H5\w*)\.h", r"io/h5\.[ch]|tests/.*", "io/h5.[ch]"),
    (r"netcdf(_par|_meta|_mem)?\.h", r"io/nc\.[ch]|tests/.*", "io/nc.[ch]"),
    (r"mpi\.h", r"(?!kernels/).*", "folders other than kernels/"),
    (r"fftw3\.h", r"kernels/cpu/.*|solver/line_transform\.c|tests/.*", "kernels/cpu/ and solver/math/fourier_line.c"),
    (r"(cuda|cufft|cublas|cusolver|cub/|cooperative_groups|nvtx).*", r"kernels/(cuda|base)/.*|tests/.*", "kernels/cuda/ and kernels/base/"),
)
CUDA_QUESTION = "kernels/base/types.h"


def folder(path):
    return BASE if path.startswith(BASE + "/") else path.split("/")[0]


def resolve(path, name):
    """The file that #include "name" in path means, relative to ROOT; None if there is none."""
    for start in (os.path.dirname(path), "", "kernels"):
        candidate = os.path.normpath(os.path.join(start, name))
        if os.path.isfile(os.path.join(ROOT, candidate)):
            return candidate
    return None


def check_own(findings, path, line, name):
    target = resolve(path, name)
    if target is None:
        findings.add(path, line, f'#include "{name}": no such file in the checkout')
        return
    allowed = ALLOWED.get(folder(path))
    if allowed is None:
        return
    if folder(target) not in allowed and not (folder(target) == BASE and "kernels" in allowed):
        findings.add(path, line, f"{folder(path)} must not include {target} (allowed: {', '.join(allowed)})")
    elif (folder(path) == "solver" and folder(target) == "io" and target not in IO_FOR_ALL
          and path not in IO_FROM_SOLVER):
        findings.add(path, line, f"{target}: of solver/ only {', '.join(os.path.basename(f) for f in IO_FROM_SOLVER)} "
                                 "may include it")


def check_library(findings, path, line, name):
    for header, users, words in LIBRARY:
        if re.fullmatch(header, name) and not re.fullmatch(users, path):
            findings.add(path, line, f"{name} may only be included in {words}")


def main():
    findings = Findings("include_arrows")
    paths = files(".c", ".h", ".cu", ".cuh")
    for path in paths:
        for line, words in enumerate((text(path) or "").splitlines(), 1):
            include = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', words)
            if include and include.group(1) == '"' and resolve(path, include.group(2)):
                check_own(findings, path, line, include.group(2))
            elif include:
                if include.group(1) == '"' and not any(re.fullmatch(h, include.group(2)) for h, _, _ in LIBRARY):
                    check_own(findings, path, line, include.group(2))
                check_library(findings, path, line, include.group(2))
            elif (re.match(r"\s*#\s*(el)?if", words) and re.search(r"__CUDACC__|__CUDA_ARCH__|__NVCC__", words)
                  and path != CUDA_QUESTION):
                findings.add(path, line, f"only {CUDA_QUESTION} asks for the CUDA compiler")
    findings.finish(len(paths))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Each policy check fires: a small tree with one fault of every kind must give the findings written beside
the faults, and the same tree without its faults none."""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HOST = "/ho" + "me/me"  # in two parts: machine_paths reads this file, too
GOOD = {
    "README.md": "[tour](docs/tour.md#the-first-step)\n`field_make()` in `solver/run.c`, `a.[ch]`, "
                 "`build/x/y.c`\n",
    "docs/tour.md": "# Tour\n## The first step\n[back](../README.md) `point/lap.h` `/etc/os-release`\n",
    "kernels/base/types.h": "#ifdef __CUDACC__\n#endif\n",
    "kernels/point/lap.h": '#include "../base/types.h"\n',
    "kernels/cpu/a.c": '#include <fftw3.h>\n#include "../a.h"\n/* docs/tour.md,\n * "The first step" */\n',
    "kernels/a.h": '#include "base/types.h"\n',
    "io/h5.c": '#include <hdf5.h>\n#include <mpi.h>\n',
    "io/log.h": "",
    "io/h5.h": "",
    "io/fields.h": '#include "../kernels/base/types.h"\n',
    "solver/run.c": '#include "../kernels/a.h"\n#include "../io/log.h"\nint field_make(void);\n',
    "solver/output/output.c": '#include "io/fields.h"\n#include "step/step.h"\n#include "output.h"\n',
    "solver/output/output.h": "",
    "solver/step/step.h": '#include "io/log.h"\n#include "step_internal.h"\n',
    "solver/step/step_internal.h": '#include "state/flow.h"\n',
    "solver/state/flow.h": "",
    "solver/run.h": "",
    "tests/a.c": '#include "../io/h5.h"\n#include <hdf5.h>\n',
    ".clang-format": "DisableFormat: false\nSortIncludes: Never\n",
    "bootstrap": "#!/bin/bash\ncd /tmp || exit 1\n# https://example.org/" + 100 * "a" + "\n",
}
WITH_OBJECTS = ("call_circles.py", "lone_functions.py")
CALLS = {  # for the checks of objects, which have to compile their tree
    "solver/run.c": "int step(void); int main(void) { return step(); }\n",
    "solver/step/rk3.c": "int flow(void); int step(void); int step(void) { return flow(); }\n",
    "solver/state/flow.c": "int flow(void); int flow(void) { return 0; }\n",
}
FIRST = {  # for the check of first sentences
    "solver/run.c": "/* Runs. */\n#include <a.h>\n",
    "tests/unit/math/test_a.c": "/* ranks: 1 2 */\n/* Tests a\n * thing. Catches b. */\n",
}
OWN_GOOD = {"call_circles.py": CALLS, "lone_functions.py": CALLS, "first_sentence.py": FIRST}
# check -> file -> (content, line of the finding, words it must contain), line 0: no finding there; added to
# the good tree
BAD = {
    "include_arrows.py": {
        "kernels/b.c": ('\n#include "../solver/output/output.c"\n', 2,
                        "kernels must not include solver/output/output.c"),
        "kernels/c.c": ("#include <mpi.h>\n", 1, "mpi.h"),
        "kernels/base/b.h": ('#include "../a.h"\n', 1, "kernels/base must not include kernels/a.h"),
        "io/b.c": ('#include "../kernels/a.h"\n', 1, "io must not include"),
        "io/c.c": ("# include <netcdf.h>\n", 1, "netcdf.h"),
        "inputs/b.c": ('#include "../io/log.h"\n', 1, "inputs must not include"),
        "postproc/b.c": ('#include "../kernels/a.h"\n', 1, "postproc must not include"),
        "postproc/c.c": ('#include "solver/step/step.h"\n', 1, "postproc must not include"),
        "kernels/cpu/b.c": ('#include "../../io/log.h"\n', 1, "kernels/cpu must not include"),
        "solver/step/b.c": ('#include "io/fields.h"\n', 1, "solver/step must not include io/fields.h"),
        "solver/step/c.c": ('\n#include "run.h"\n', 2, "solver/run.h is known to main"),
        "tests/unit/math/a.c": ('#include "solver/run.h"\n', 1, "solver/run.h is known to main"),
        "tests/unit/run/a.c": ('#include "solver/run.h"\n', 1, "solver/run.h is known to main"),
        "solver/step/d.c": ('#include "output/output.h"\n', 1,
                            "solver/step must not include solver/output/output.h"),
        "solver/state/b.c": ('#include "step/step.h"\n', 1,
                             "solver/state must not include solver/step/step.h"),
        "solver/math/b.c": ('#include "kernels/a.h"\n', 1, "solver/math must not include kernels/a.h"),
        "solver/math/c.c": ("#include <mpi.h>\n", 1, "mpi.h"),
        "solver/new/b.c": ('#include "state/flow.h"\n', 1, "solver/new/ has no row"),
        "solver/output/circle.c": ('#include "other.h"\n', 1,
                                   "solver/output/circle -> solver/output/other -> "),
        "solver/output/circle.h": ("", 0, ""),
        "solver/output/other.h": ("", 0, ""),
        "solver/output/other.c": ('#include "circle.h"\n', 0, ""),
        "solver/c.c": ("#include <hdf5.h>\n", 1, "hdf5.h"),
        "solver/d.c": ("#include <fftw3.h>\n", 1, "fftw3.h"),
        "solver/e.c": ("#include <cuda_runtime.h>\n", 1, "cuda_runtime.h"),
        "solver/f.c": ("#if defined(__CUDACC__)\n#endif\n", 1, "types.h"),
        "solver/g.c": ('#include "absent.h"\n', 1, "no such file"),
    },
    "call_circles.py": {
        "solver/state/flow.c": ("int step(void); int flow(void); int flow(void) { return step(); }\n", 1,
                                "calls upward into solver/step/rk3.c: step"),
        "solver/math/a.c": ("int b(void); int a(void); int a(void) { return b(); }\n", 1,
                            "calls b of solver/math/b.c"),
        "solver/math/b.c": ("int a(void); int b(void); int b(void) { return a(); }\n", 0, ""),
    },
    "docs.py": {
        "docs/a.md": ("[x](absent.md)\n", 1, "no such file"),
        "docs/b.md": ("\n[x](tour.md#absent)\n", 2, "no such section"),
        "docs/c.md": ("`absent_function()`\n", 1, "no such function"),
        "docs/d.md": ("`solver/absent.c`\n", 1, "no such file"),
        "docs/e.md": ("`absent.h`\n", 1, "no such file"),
        "solver/b.c": ("/* docs/absent.md */\n", 1, "cites docs/absent.md"),
        "solver/c.c": ('/* docs/tour.md, "Absent" */\n', 1, "no such section"),
    },
    "machine_paths.py": {"docs/a.md": (f"x\nsee {HOST}/file\n", 2, "one machine")},
    "columns.py": {
        "solver/b.c": ("int a;\n/* " + 36 * "a " + 36 * "b " + "*/\n", 2, "columns, at most 110"),
        "tests/b.py": ("a = (" + 60 * "1, " + ")\n", 1, "columns, at most 110"),
        "Makefile": ("\nall: " + 60 * "a " + "\n", 2, "columns, at most 110"),
    },
    "lone_functions.py": {
        "solver/math/a.c": ("\nint lone(void);\nint lone(void) { return 0; }\n", 2,
                            "lone is used in no other file"),
        "solver/math/b.c": ("int tested(void); int tested(void) { return 0; }\n", 0, ""),
        "tests/unit/math/test_b.c": ("int tested(void); int use(void); int use(void) { return tested(); }\n",
                                     0, ""),
    },
    "first_sentence.py": {
        "solver/b.c": ("#include <a.h>\n/* Does b. */\n", 1, "begin with a sentence"),
        "kernels/cuda/b.cu": ("/* what b is */\n", 1, "begin with a sentence"),
        "tests/b.cpp": ("/* A noun phrase without an end */\n", 1, "begin with a sentence"),
        "tests/unit/math/test_b.c": ("/* ranks: 1 */\n#include <a.h>\n", 2, "begin with a sentence"),
        "solver/b.h": ("/* struct b: what it is. */\n", 1, "begin with a sentence"),
        "tests/b.py": ('#!/usr/bin/env python3\n\"\"\"what b is\"\"\"\n', 1, "begin with a sentence"),
        "tests/c.py": ("import os\n", 1, "begin with a sentence"),
    },
    "size.py": {"solver/b.c": ("int a;\n" * 601, 601, "601 lines")},
    "format.sh": {"solver/b.c": ("int  a;\n", 1, "clang-format")},
    "shell.sh": {"tests/b.sh": ("#!/bin/bash\ncd $1\n", 2, "SC2086")},
}


def compile_all(root, tree):
    """Objects where a CPU build has them; none without a compiler: the check then says that it is skipped."""
    compiler = shutil.which("cc") or shutil.which("mpicc")
    for path in tree if compiler else ():
        target = os.path.join(root, "build", "cpu", path[:-2] + ".o")
        os.makedirs(os.path.dirname(target), exist_ok=True)
        subprocess.run([compiler, "-c", os.path.join(root, path), "-o", target], check=True)


def run(check, tree):
    with tempfile.TemporaryDirectory() as root:
        for path, content in tree.items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(content)
        if check in WITH_OBJECTS:
            compile_all(root, tree)
        command = ["bash" if check.endswith(".sh") else sys.executable, os.path.join(HERE, check), root]
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        return done.returncode, done.stdout + done.stderr


def main():
    wrong = []
    for check, faults in BAD.items():
        good = OWN_GOOD.get(check, GOOD)
        code, output = run(check, good)
        if "SKIPPED" in output:
            continue
        if code != 0:
            wrong.append(f"{check}: finds faults in the good tree:\n{output}")
        code, output = run(check, {**good, **{path: fault[0] for path, fault in faults.items()}})
        if code != 1:
            wrong.append(f"{check}: exit code {code} with faults")
        for path, (_, line, words) in faults.items():
            if line and not any(f"{path}:{line}:" in row and words in row for row in output.splitlines()):
                wrong.append(f"{check}: does not find {path}:{line}: ... {words} ...; it says:\n{output}")
    for words in wrong:
        print(f"selftest: {words}")
    faults = sum(line > 0 for files in BAD.values() for _, line, _ in files.values())
    print(f"selftest: {len(BAD)} checks, {faults} faults, {len(wrong)} findings")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

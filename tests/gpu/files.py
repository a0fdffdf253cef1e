#!/usr/bin/env python3
"""How long the steps of a GPU wait for their files: less than a twentieth of the time that these take to be
written, on this disk.

usage: files.py --kolmo build/cuda/kolmo [--cells 512] [--folder FOLDER]

One GPU, a periodic box of cells^3: a checkpoint, then a checkpoint with a field file of velocity, pressure
and vorticity, each far enough from the next to be complete; nothing is said of checkpoint.background. Catches
copies of the state that are slower than the link, and steps that wait for the disk. The folder needs room for
four checkpoints. Ends with 'N passed, N failed'."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

CASE = """&run steps_max={steps} /
&grid n={cells},{cells},{cells} /
&fluid nu=0.001 /
&output directory='{folder}' log_interval=50{fields} /
&checkpoint interval={interval} at_end=.false. /
"""
BOUND = 0.05
WAITED = re.compile(r"files: written in (\S+) s while the run went on; steps waited (\S+) s")


def case(options, folder, name, interval, fields):
    """Steps up to the file, and a few more."""
    path = os.path.join(folder, "case.nml")
    target = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as out:
        out.write(CASE.format(steps=interval + 10, cells=options.cells, folder=target, interval=interval,
                              fields=f" field_interval={interval} fields_vorticity=.true." if fields else ""))
    done = subprocess.run([options.kolmo, path], capture_output=True, text=True, check=False)
    found = WAITED.search(done.stdout)
    size = sum(os.path.getsize(os.path.join(target, n))
               for n in os.listdir(target) if n.endswith(".h5")) if os.path.isdir(target) else 0
    subprocess.run(["rm", "-rf", target], check=False)
    if done.returncode != 0 or found is None:
        print(f"FAIL {name}: exit code {done.returncode}: {done.stdout[-800:]}{done.stderr[-800:]}")
        return False
    wrote, waited = (float(x) for x in found.groups())
    good = waited < BOUND * wrote
    print(f"{'ok  ' if good else 'FAIL'} {name}, {options.cells}^3: {size / 1e9:.2f} GB written in "
          f"{wrote:.1f} s behind the steps, "
          f"which waited {waited:.3f} s: {100 * waited / wrote:.2f} % (bound {100 * BOUND:.0f} %)",
          flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kolmo", required=True)
    parser.add_argument("--cells", type=int, default=512)
    parser.add_argument("--folder", help="on the disk to be tried; default: that of temporary files")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        results = [case(options, folder, "checkpoint", 20, False),
                   case(options, folder, "checkpoint and fields", 300, True)]
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""What only a machine with GPUs can show: the same bits on any number of GPUs by any transport, memory
refused with numbers and used as --check tells it, 1024^3 cells on one GPU, a GPU shared by ranks, the
profile.

usage: gpus.py --kolmo build/cuda/kolmo [--only NAME] [--keep FOLDER]"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import gpu_list  # noqa: E402
import kolmo_case as kc  # noqa: E402
import memory_cases  # noqa: E402

CASE = {"run": {"steps_max": 4, "seed": 7},
        "grid": {"n": (96, 72, 80), "length": (kc.TWO_PI, 5.0, 5.5),
                 "stretching": ("sine", "uniform", "tanh"),
                 "stretching_factor": (0.4, 0.0, 1.1)},
        "fluid": {"nu": 0.02}, "time": {"cfl": 0.9},
        "initial": {"type": "isotropic", "velocity": (0.3, -0.2, 0.1)},
        "device": {"tuning": False}}
LAYOUTS = {2: ((2, 1, 1), (1, 2, 1), (1, 1, 2)), 3: ((1, 1, 3),),
           4: ((4, 1, 1), (2, 2, 1), (1, 2, 2), (1, 1, 4)),
           8: ((2, 2, 2), (1, 2, 4), (4, 1, 2))}
SHARED_STEPS = 1  # ranks that share a GPU take turns: exchanges by peer are slow
# docs/numerics/halo.md
REFUSED = ("device.transport = 'cuda-aware' is not possible: this MPI does not accept GPU memory; "
           "choose 'auto' or 'host'")
PROBE = """#include <mpi.h>
#include <stdio.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
int main(int argc, char **argv)
{
    int takes = 0;
    MPI_Init(&argc, &argv);
#ifdef MPIX_CUDA_AWARE_SUPPORT
    takes = MPIX_Query_cuda_support();
#endif
    printf("takes %d\\n", takes);
    return MPI_Finalize();
}
"""

# of runs whose memory is watched: so many cells that 2 % of it are more than what the driver rounds up, and
# few
MEMORY_CELLS, MEMORY_TINY = (320, 256, 288), (32, 32, 32)
MEMORY_STEPS = 150  # that take a second, to be seen


def gpus():
    """Number of the GPUs that programs can use."""
    return len(gpu_list.visible())


def memory_used():
    """GiB of the first GPU that are in use."""
    found = subprocess.run(["nvidia-smi", "-i", gpu_list.visible()[0], "--query-gpu=memory.used",
                            "--format=csv,noheader,nounits"],
                           capture_output=True, text=True, check=False)
    return (float(found.stdout.strip().split()[0]) / 1024 if found.returncode == 0 and found.stdout.strip()
            else float("nan"))


def transport_of(result):
    """What the log says of the messages."""
    found = re.search(r"messages by (\S+?)[;,\s]", result.out)
    return found.group(1) if found else "?"


def transports(kolmo, check):
    """Layouts of 1 to 8 ranks, each transport: the same bits as on one rank; more ranks than GPUs share them,
    with a warning."""
    one, count = kolmo.run(CASE), gpus()
    short = kc.merge(CASE, {"run": {"steps_max": SHARED_STEPS}})
    one_short = kolmo.run(short)
    for ranks, layouts in LAYOUTS.items():
        for transport in ("host", "peer"):
            for number, layout in enumerate(layouts):
                share = ranks > count
                if share and transport == "peer" and number > 0:
                    continue
                label = f"{transport}, {' x '.join(map(str, layout))}, {count} GPUs"
                case = kc.merge(short if share else CASE,
                                {"grid": {"ranks": layout}, "device": {"transport": transport}})
                other = kolmo.run(case, ranks=ranks)
                check.equal(f"{label}: transport", transport_of(other), transport)
                check.same(label, kc.differences(one_short if share else one, other))
                check.equal(f"{label}: warned", "share a GPU" in other.text, share)
    if count > 1:
        check.equal("chosen without being asked", transport_of(kolmo.run(CASE, ranks=2)), "peer")


def implicit(kolmo, check):
    """Implicit diffusion, both schemes, on the largest number of GPUs."""
    ranks = min(gpus(), 4)
    if ranks < 2:
        check.skip("implicit", "one GPU")
        return
    for scheme in ("rk3-half", "rk3-wray"):
        case = kc.merge(CASE, {"time": {"diffusion": "implicit", "scheme": scheme}, "fluid": {"nu": 0.2}})
        check.same(f"{scheme}, {ranks} GPUs", kc.differences(kolmo.run(case), kolmo.run(case, ranks=ranks)))


def averages(result):
    """Arrays of statistics.nc; none where there is no such file."""
    found, path = {}, os.path.join(result.folder, "statistics.nc")
    if os.path.exists(path):
        with h5py.File(path, "r") as source:
            source.visititems(lambda name, thing: found.update({name: np.array(thing)})
                              if isinstance(thing, h5py.Dataset) else None)
    return found


def restart(kolmo, check):
    """A checkpoint of one GPU goes on on several: the same bits as without a stop; in a periodic box, a
    channel and a duct with averages over time, turbulence that comes in and goes out."""
    walls = {"boundary": {"z_low": "wall", "z_high": "wall"},
             "forcing": {"type": "bulk-velocity", "value": 1.0},
             "initial": {"type": "channel", "velocity": None}, "statistics": {"start": 0.0, "interval": 1}}
    stream = {"boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0),
                           "x_low_turbulence": (0.1, 0.06, 0.03), "x_high": "outflow",
                           "turbulence_length": 0.5, "turbulence_modes": 50},
              "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)}}
    duct = dict(walls, boundary={"y_low": "wall", "y_high": "wall", "z_low": "wall", "z_high": "wall"})
    for name, variant in (("box", {}), ("averages", walls), ("averages of a duct", duct),
                          ("open faces", stream)):
        case = kc.merge(CASE, variant, {"checkpoint": {"interval": 2, "keep": 4}})
        whole = kolmo.run(case)
        other = kolmo.run(case, "--restart", kc.checkpoint_path(whole.folder, 2), ranks=2)
        a, b = whole.checkpoint(4), other.checkpoint(4)
        check.same(f"{name}: fields after the restart", kc.differing_arrays(a.fields, b.fields))
        check.holds(f"{name}: the state is there",
                    name == "box" or any(f == "statistics" or f.startswith("outflow_") for f in a.fields))
        check.same(f"{name}: statistics.nc", kc.differing_arrays(averages(whole), averages(other)))


def mpi_takes_gpu_memory(kolmo):
    """What MPI says of itself, asked without the solver; None where it can't be asked."""
    if shutil.which("mpicc") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "probe")
        made = subprocess.run(["mpicc", "-x", "c", "-", "-o", program], input=PROBE, capture_output=True,
                              text=True, check=False)
        if made.returncode != 0:
            print(made.stderr[-500:])
            return None
        told = subprocess.run(kolmo.mpirun + ["-n", "1", program], capture_output=True, text=True,
                              env=kc.environment(), check=False)
        found = re.search(r"takes (\d)", told.stdout)
        return found.group(1) == "1" if found else None


def cuda_aware(kolmo, check):
    """Messages by an MPI that takes GPU memory, where there is one: the bits of one rank; where not, refused
    as the documentation says."""
    takes = mpi_takes_gpu_memory(kolmo)
    if takes is None:
        check.skip("cuda-aware", "no program that asks MPI could be built and run")
        return
    forced = kc.merge(CASE, {"device": {"transport": "cuda-aware"}})
    if not takes:
        bad = kolmo.run(forced, ranks=2, rc=None)
        check.equal("exit code where MPI does not take GPU memory", bad.rc, 2)
        check.says("the reason and the remedy", bad.err, REFUSED)
        return
    one = kolmo.run(CASE)
    for ranks, layouts in LAYOUTS.items():
        for layout in layouts if ranks <= gpus() else ():
            other = kolmo.run(kc.merge(forced, {"grid": {"ranks": layout}}), ranks=ranks)
            check.equal(f"{layout}: transport", transport_of(other), "cuda-aware")
            check.same(f"cuda-aware, {layout}", kc.differences(one, other))


def refused(kolmo, check):
    """More memory than there is."""
    large = kolmo.run(kc.merge(CASE, {"grid": {"n": (2048, 2048, 2048)}}), rc=None)
    check.equal("2048^3 on one GPU is refused: exit code", large.rc, 2)
    check.says("the numbers", large.text, "GiB")


def shared(kolmo, check):
    """More ranks than GPUs: works, with a warning."""
    ranks = gpus() + 1
    result = kolmo.run(kc.merge(CASE, {"grid": {"ranks": (1, 1, 0)}}), ranks=ranks)
    check.holds("warning", "warning" in result.text and "share a GPU" in result.text, result.text[-300:])
    check.equal("chosen without being asked", transport_of(result), "host")


def profile(kolmo, check):
    """--profile: the table and the timeline."""
    ranks = min(max(gpus(), 1), 2)
    case = kc.merge(CASE,
                    {"grid": {"n": (256, 256, 256)}, "run": {"steps_max": 6}, "checkpoint": {"at_end": False},
                     "initial": {"type": "taylor-green", "velocity": None}})
    result = kolmo.run(case, "--profile", ranks=ranks)
    table = result.out[result.out.find("profile of"):]
    print(table)
    check.says("the table", table, "convection", "pressure", "hidden",
               *(("faces and edges", "multigrid") if ranks > 1 else ()))
    with open(os.path.join(result.folder, "timeline.json"), encoding="utf-8") as source:
        events = json.load(source)
    check.above("bars of the timeline", len([e for e in events if e["ph"] == "X"]), 10)


class MemoryWatch:
    """The most that each GPU has in use while a run goes on [MiB], asked again and again."""

    def __enter__(self):
        self.most, self.stop = {}, threading.Event()
        self.watch = threading.Thread(target=self.read)
        self.watch.start()
        return self

    def read(self):
        """Lines such as '0, 517'."""
        while not self.stop.wait(0.05):
            found = subprocess.run(["nvidia-smi", "--query-gpu=index,memory.used",
                                    "--format=csv,noheader,nounits", "-i",
                                    ",".join(gpu_list.visible())], capture_output=True,
                                   text=True, check=False)
            for index, used in re.findall(r"^(\d+), *(\d+)", found.stdout, re.M):
                self.most[index] = max(self.most.get(index, 0), int(used))

    def __exit__(self, *fault):
        self.stop.set()
        self.watch.join()


def memory_of(kolmo, name, preconditioner, cells, ranks):
    """Bytes of a rank of such a run: told by --check, and seen in use, the driver's own among them; of the
    fullest GPU."""
    case = memory_cases.case(name, preconditioner, cells, MEMORY_STEPS)
    told = memory_cases.told_bytes(kolmo.run(case, "--check", ranks=ranks))
    with MemoryWatch() as watch:
        kolmo.run(case, ranks=ranks, seconds=200)
    if not watch.most:
        raise kc.RunError("nvidia-smi told nothing of the memory in use")
    return told, max(watch.most.values()) * 2**20 / -(-ranks // gpus())


def memory(kolmo, check):
    """--check tells the GPU memory of a run within 2 %: boxes, channels, ducts, open flows, each
    preconditioner on one rank, one of them on two. What the same kind of run takes with few cells beyond what
    is told is the driver's and the libraries'."""
    if memory_used() > 1:
        check.skip("memory", "others use the GPU")
        return
    for ranks in (1, 2):
        for name, (_, preconditioners) in memory_cases.KINDS.items():
            for preconditioner in preconditioners[1 - ranks:]:
                few, few_used = memory_of(kolmo, name, preconditioner, MEMORY_TINY, ranks)
                told, used = memory_of(kolmo, name, preconditioner, MEMORY_CELLS, ranks)
                label = f"{name}, {preconditioner}, {ranks} rank{'s' * (ranks > 1)}"
                print(f"{label}: {told / 2**30:.3f} GiB told, {used / 2**30:.3f} in use, "
                      f"{(few_used - few) / 2**30:.3f} of it not ours")
                check.near(f"{label}: memory in use over that told", (used - few_used + few) / told, 1.0,
                           0.02)


def large(kolmo, check):
    """1024^3 cells on one GPU: starts and steps, in at most 16 double values a cell, all counted; --check
    tells the memory that the GPU is seen to give."""
    case = {"run": {"steps_max": 1}, "grid": {"n": (1024, 1024, 1024)}, "fluid": {"nu": 1e-3},
            "time": {"dt": 1e-4},
            "initial": {"type": "uniform", "velocity": (1.0, 0.5, 0.25)}, "checkpoint": {"at_end": False},
            "device": {"tuning": False}}
    if memory_used() > 1:
        check.skip("1024^3 cells", "others use the GPU")
        return
    seen, stop = [0.0], threading.Event()
    watch = threading.Thread(target=lambda: [seen.append(memory_used())
                                             for _ in iter(lambda: stop.wait(0.3), True)])
    watch.start()
    try:
        result = kolmo.run(case, seconds=400)
    finally:
        stop.set()
        watch.join()
    wanted = re.search(r"kernel memory ([0-9.]+) GiB", result.out)
    arrays = float(wanted.group(1)) * 2**30 / 8 / 1024**3 if wanted else float("nan")
    check.below("double values a cell, halo and padding included", arrays, 16.0)
    told = re.search(r"with message buffers\s+([0-9.]+) GiB", kolmo.run(case, "--check").out)
    told = float(told.group(1)) if told else float("nan")
    check.near("GiB by --check", told, float(wanted.group(1)) if wanted else 0, 0.01)
    check.near("the GPU's memory in use, over that", max(seen) / told, 1.0, 0.02)


if __name__ == "__main__":
    kc.main(__doc__, [transports, cuda_aware, implicit, restart, refused, shared, profile, memory, large])

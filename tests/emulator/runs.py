#!/usr/bin/env python3
"""Whole runs on emulated GPUs: the same bits whatever the order of threads, blocks and streams, on one GPU
and on two by any transport; memory that is short and GPUs that are missing are told with numbers; --check
tells what memory runs take.

usage: runs.py --kolmo build/emulated/kolmo [--only NAME] [--keep FOLDER]"""
import contextlib
import os
import random
import re
import shutil
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
import memory_cases  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gpu"))
import timeline  # noqa: E402

# Small and loosely converged: every reduction block of the grid, however small, is a thread block for the
# emulator.
CASE = {"run": {"steps_max": 1, "seed": 7},
        "grid": {"n": (14, 8, 10), "length": (kc.TWO_PI, 5.0, 5.5), "stretching": ("sine", "uniform", "tanh"),
                 "stretching_factor": (0.4, 0.0, 1.1)},
        "fluid": {"nu": 0.02}, "time": {"cfl": 0.9},
        "initial": {"type": "isotropic", "k_peak": 2, "velocity": (0.3, -0.2, 0.1)},
        "pressure": {"tolerance": 1e-2}, "device": {"tuning": False},
        "statistics": {"start": 0.0, "interval": 1}, "output": {"field_precision": "double"},
        "slices": {"normal": ("z", "x"), "position": (4.0, 1.0), "interval": (1, 1),
                   "quantities": ("velocity", "q vorticity")},
        "boxes": {"interval": 1, "quantities": "pressure lambda2"},
        "probes": {"position": (1.0, 0.3, 4.0, 5.0, 4.0, 5.0)}}
# the polynomial takes two sweeps on one GPU, three on two
VARIANTS = {"half": {},
            "wray": {"time": {"scheme": "rk3-wray"},
                     "pressure": {"preconditioner": "polynomial", "degree": 5}},
            "implicit": {"time": {"diffusion": "implicit", "diffusion_tolerance": 1e-4},
                         "fluid": {"nu": 0.2}},
            "jacobi": {"pressure": {"preconditioner": "jacobi"}},
            "walls": {"boundary": {"y_low": "slip", "y_high": "slip", "z_low": "wall", "z_high": "wall",
                                   "z_high_velocity": (0.5, 0.25, 0.0)},
                      "forcing": {"type": "bulk-velocity", "value": 1.0},
                      "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0), "k_peak": None}}}
VARIANTS["scalars"] = dict(VARIANTS["walls"], time={"scheme": "rk3-wray"},
                           scalars={"name": ("heat", "salt"), "prandtl": (0.7, 2.0),
                                    "disturbance": (0.1, 0.2), "waves": (1, 1, 1),
                                    "initial": ("conduction", "uniform"),
                                    "z_low": ("value", "flux"), "z_high": ("value", "flux"),
                                    "z_low_value": (1.0, 0.1), "z_high_value": (0.0, -0.1)},
                           buoyancy={"gravity": (0.1, 0.0, -1.0), "expansion": (1.0, -0.5)})
# x alone is periodic: its halos are this rank's own cells
VARIANTS["implicit scalars"] = dict(VARIANTS["scalars"], time=VARIANTS["implicit"]["time"],
                                    boundary=VARIANTS["walls"]["boundary"])
VARIANTS["lines"] = {"grid": {"stretching": None, "stretching_factor": None},
                     "statistics": {"spectra_interval": 1}}
VARIANTS["implicit in z"] = dict(VARIANTS["walls"], time={"diffusion": "implicit-z"},
                                 boundary={n: v
                                           for n, v in VARIANTS["walls"]["boundary"].items() if n[0] == "z"})
# the first variant takes all of them, the others the last
ORDERS = ({"EMULATOR_ORDER": "reverse"}, {"EMULATOR_ORDER": "random:7"}, {"EMULATOR_STREAMS": "late"},
          {"EMULATOR_ORDER": "random:8", "EMULATOR_STREAMS": "late"})


MEMORY_CELLS = (16, 12, 16)  # and no steps: what they hold is held before

# where these fail the run may do without: copies for files, peers' memory
SPARED = ("cudaGetDeviceCount", "cudaHostAlloc", "cudaMallocHost", "cudaIpcGetMemHandle",
          "cudaIpcOpenMemHandle", "cudaMemGetInfo", "cudaDeviceGetAttribute")


@contextlib.contextmanager
def settings(**values):
    """Variables of the emulator for the runs inside."""
    before = dict(os.environ)
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def transport_of(result):
    """What the log says of the messages."""
    found = re.search(r"messages by (\S+?)[;,\s]", result.out)
    return found.group(1) if found else "?"


def differences(one, other):
    """What differs, slices, boxes and probes among it."""
    found = kc.differences(one, other)
    for name in ("slice_1_00000001.h5", "slice_2_00000001.h5", "box_1_00000001.h5", "probes.nc"):
        different = kc.differing_arrays(*(kc.read_fields(os.path.join(r.folder, name)) for r in (one, other)))
        found += [f"{name}: {d}" for d in different]
    return found


def orders(kolmo, check):
    """Threads, blocks and streams in other orders: a race shows as other bits."""
    for name, variant in VARIANTS.items():
        case = kc.merge(CASE, variant)
        one = kolmo.run_once(case)
        for order in ORDERS if name == "half" else ORDERS[-1:]:
            with settings(**order):
                check.same(f"{name}, {order}", differences(one, kolmo.run(case)))


def streams(check, label, transport, folder):
    """tests/gpu/timeline.py tells by names of kernels what a stream is for: so it is in the timelines of a
    run, of each of two ranks."""
    files = timeline.files_of(folder)
    check.equal(f"{label}: timelines", len(files), 2)
    for rank, path in enumerate(files):
        found = timeline.records(path)
        queues = timeline.transfer_queues(found)
        check.equal(f"    rank {rank}: streams of exchanges", len(queues), 1)
        check.equal("    parts", sorted({r.part for r in found}),
                    ["exchanges", "levels", "rims", "sweeps"])
        rims = {timeline.short(r.name).split("<")[0] for r in found if r.part == "rims"}
        check.equal("    in that stream: sweeps whose rims belong there",
                    sorted({"momentum_kernel", "divergence_kernel", "monitor_kernel"} - rims), [])
        check.equal("    in that stream: kernels that none of it should run",
                    sorted(rims & {"correct_kernel", "share_kernel", "jacobi_update_kernel"}), [])
        if transport == "peer":
            check.equal("    kernels of an exchange: packing, waiting, unpacking; or all in one",
                        {len(run) for run in timeline.runs_of(found)}, {1, 3})
            check.equal("    those of the multigrid's grids: in the queue of the sweeps",
                        [r.name for r in found if r.part == "levels" and r.stream in queues], [])


SINGLE = {"run": {"steps_max": 2},
          "grid": {"n": (12, 10, 14), "stretching": ("uniform", "uniform", "sine"),
                   "stretching_factor": (0.0, 0.0, 0.4)},
          "pressure": {"preconditioner": "direct", "tolerance": 1e-6}, "checkpoint": {"interval": 1}}
# with tighter solves of implicit diffusion the emulator would take several times as long as for all else
SINGLE_VARIANTS = {"periodic": {}, "wray": {"time": {"scheme": "rk3-wray"}},
                   "implicit": {"fluid": {"nu": 0.2},
                                "time": {"diffusion": "implicit", "diffusion_tolerance": 1e-7}},
                   "implicit in z": dict(VARIANTS["implicit in z"],
                                         grid={"stretching": ("uniform", "uniform", "tanh")}),
                   "forced": {"forcing": {"type": "linear", "value": 0.5}},
                   "forced waves": {"forcing": {"type": "low-wavenumber", "value": 0.2},
                                    "grid": {"stretching": None, "stretching_factor": None}}}


def is_single(check, name, found, other, what):
    """Fields near those of another run, and a divergence that only meets the tolerance."""
    for field, values in found.checkpoint().fields.items():
        wanted = other.checkpoint().fields[field]
        check.below(f"{name}: {field}, {what}", np.max(np.abs(values - wanted)),
                    1e-5 * np.max(np.abs(wanted)))
    left = found.series()["divergence_max"][-1]
    check.below(f"{name}: max|div u| h/U", left, 1e-6)
    if name == "periodic":
        check.holds(f"{name}: not as small as that of double precision", left > 1e-13, left)


def single(kolmo, check):
    """The exact inverse in single precision: its flow is that of double precision to the tolerance, it is
    chosen by itself, takes fewer arrays, reaches a smaller tolerance by refinement, gives the same bits in
    any order and after a restart, and is refused by name where it can't be."""
    def precision(which, **more):
        return {"pressure": {"direct_precision": which, **more}}

    for name, variant in SINGLE_VARIANTS.items():
        case = kc.merge(CASE, SINGLE, variant)
        double = kolmo.run(kc.merge(case, precision("double")))
        auto = kolmo.run(case)
        is_single(check, name, auto, double, "difference from double")
        arrays = [int(re.search(r"\((\d+) fields", r.out).group(1)) for r in (auto, double)]
        # the solves of implicit diffusion take as many arrays as the inverse in double precision
        check.holds(f"{name}: fewer arrays", arrays[0] < arrays[1] + (name == "implicit"), arrays)
        if name not in ("periodic", "implicit in z", "forced waves"):
            continue
        with settings(**ORDERS[-1]):
            check.same(f"{name}, another order, by name",
                       differences(auto, kolmo.run(kc.merge(case, precision("single")))))
        folder = kolmo.place()
        kolmo.run(kc.merge(case, {"run": {"steps_max": 1}}), folder=folder)
        part = kolmo.run(case, "--restart", "latest", folder=folder)
        check.same(f"{name}, restarted", kc.differences(auto, part))
    case = kc.merge(CASE, SINGLE)
    fine = kolmo.run(kc.merge(case, precision("single", tolerance=1e-11)))
    check.below("refined: max|div u| h/U", fine.checkpoint().scaled_divergence(), 1e-11)
    check.holds("refined: more than a solve a stage",
                max(fine.series()["pressure_iterations"]) > 3, fine.series()["pressure_iterations"])
    tight = kolmo.run(kc.merge(case, precision("auto", tolerance=1e-11)))
    check.same("auto is double where the tolerance is small",
               differences(tight, kolmo.run(kc.merge(case, precision("double", tolerance=1e-11)))))
    for label, variant, ranks, words in (
            ("x divided", {"grid": {"ranks": (2, 1, 1)}}, 2, "x or y is divided between ranks"),
            ("seven blocks of levels", {"grid": {"ranks": (1, 1, 2)}}, 2, "the levels of z can't be divided"),
            ("x stretched", {"grid": {"stretching": ("sine", "uniform", "uniform"),
                                      "stretching_factor": (0.4, 0.0, 0.0)}}, 1, "not both uniform")):
        with settings(EMULATED_GPUS=str(ranks)):
            refused = kolmo.run(kc.merge(case, variant, precision("single")), ranks=ranks, rc=2)
            check.says(f"refused: {label}", refused.text, ".nml:", "pressure.direct_precision = 'single'",
                       words, "'auto' or 'double'")


def single_on_ranks(kolmo, check):
    """The exact inverse in single precision on ranks that cut z: its flow is that of one rank to the
    tolerance, with the same bits on two ranks and on four, by any transport, in any order of the streams, and
    after a restart."""
    def cut(ranks, transport):
        return {"grid": {"ranks": (1, 1, ranks)}, "device": {"transport": transport}}

    for name, variant in SINGLE_VARIANTS.items():
        case = kc.merge(CASE, SINGLE, variant, {"grid": {"n": (8, 6, 9)}})
        one = kolmo.run(case)
        with settings(EMULATED_GPUS="4"):
            two = kolmo.run(kc.merge(case, cut(2, "peer")), ranks=2)
            four = kolmo.run(kc.merge(case, cut(4, "host")), ranks=4)
            check.same(f"{name}: two by peer, four by host", differences(two, four))
            is_single(check, name, two, one, "difference from one rank")
            if name != "periodic":
                continue
            with settings(EMULATOR_STREAMS="priority", EMULATOR_ORDER="random:9"):
                check.same(f"{name}: the stream of the exchanges ahead of the other", differences(
                    two, kolmo.run(kc.merge(case, cut(2, "host")), ranks=2)))
            for before in (2, 4):
                folder = kolmo.place()
                kolmo.run(kc.merge(case, cut(before, "peer"), {"run": {"steps_max": 1}}), ranks=before,
                          folder=folder)
                part = kolmo.run(kc.merge(case, cut(2, "peer")), "--restart", "latest", ranks=2,
                                 folder=folder)
                check.same(f"{name}: {before} ranks, restarted on two", kc.differences(two, part))
            fine = kolmo.run(kc.merge(case, cut(2, "peer"), {"pressure": {"direct_precision": "single",
                                                                         "tolerance": 1e-11}}), ranks=2)
            check.below("refined: max|div u| h/U", fine.checkpoint().scaled_divergence(), 1e-11)


def transports(kolmo, check):
    """Two ranks on two GPUs, cut in each direction: the bits of one rank."""
    one = kolmo.run_once(CASE)
    with settings(EMULATED_GPUS="2"):
        for transport in ("peer", "host"):
            for layout in ((2, 1, 1), (1, 2, 1), (1, 1, 2)):
                folder = kolmo.place()
                with settings(EMULATOR_TIMELINE=os.path.join(folder, "timeline")):
                    two = kolmo.run(kc.merge(CASE,
                                             {"grid": {"ranks": layout}, "device": {"transport": transport}}),
                                    ranks=2)
                check.equal("transport", transport_of(two), transport)
                check.same(f"{transport}, {layout}", differences(one, two))
                streams(check, f"{transport}, {layout}", transport, folder)
        with settings(EMULATOR_CUDA_AWARE="1"):
            two = kolmo.run(kc.merge(CASE,
                                     {"grid": {"ranks": (2, 1, 1)}, "device": {"transport": "cuda-aware"}}),
                            ranks=2)
            check.equal("transport", transport_of(two), "cuda-aware")
            check.same("cuda-aware", differences(one, two))
        lines = kc.merge(CASE, VARIANTS["lines"])
        whole = kolmo.run_once(lines)
        for transport, layout in (("peer", (1, 1, 2)), ("host", (2, 1, 1))):
            two = kolmo.run(kc.merge(lines, {"grid": {"ranks": layout}, "device": {"transport": transport}}),
                            ranks=2)
            check.same(f"statistics of lines, {transport}, {layout}", kc.differences(whole, two))
        blocked = kc.merge(CASE, VARIANTS["wray"])
        two = kolmo.run(kc.merge(blocked, {"grid": {"ranks": (1, 2, 1)}}), ranks=2)
        check.same("a polynomial, cut in y", differences(kolmo.run_once(blocked), two))
        walled = kc.merge(CASE, VARIANTS["walls"])
        whole = kolmo.run_once(walled)
        two = kolmo.run(kc.merge(walled, {"grid": {"ranks": (1, 1, 2)}}), ranks=2)
        check.same("walls, cut between them", kc.differences(whole, two))
        for name, case, whole in (("half", CASE, one), ("walls", walled, whole)):
            with settings(EMULATOR_STREAMS="priority"):
                two = kolmo.run(kc.merge(case,
                                         {"grid": {"ranks": (1, 1, 2)}, "device": {"transport": "host"}}),
                                ranks=2)
            check.same(f"{name}, the stream of the exchanges ahead of the other", kc.differences(whole, two))
        columns = kc.merge(CASE, VARIANTS["implicit in z"])
        two = kolmo.run(kc.merge(columns, {"grid": {"ranks": (2, 1, 0)}}), ranks=2)
        check.same("implicit in z, cut beside columns", kc.differences(kolmo.run_once(columns), two))
        check.equal("chosen without being asked", transport_of(kolmo.run(CASE, ranks=2)), "peer")


def summed(kolmo, check):
    """The last correction of a step without record sums the limits of the step, on two ranks and on four as
    on one: the same bits by any transport and in any order of threads and streams."""
    plain = {group: CASE[group] for group in CASE if group not in ("statistics", "slices", "boxes", "probes")}
    direct = kc.merge(plain, SINGLE, {"run": {"steps_max": 4}, "output": {"series_interval": 100},
                                      "checkpoint": {"interval": 0}, "grid": {"n": (8, 6, 9)}})
    cycles = kc.merge(direct, {"pressure": {"preconditioner": "multigrid", "multigrid_precision": "single"},
                               "grid": {"n": (10, 8, 9)}})
    walls = {group: SINGLE_VARIANTS["implicit in z"][group] for group in ("boundary", "forcing", "grid")}
    walls.update(run={"seed": None}, initial={"type": "channel", "velocity": None, "k_peak": None})

    def run(case, layout, transport):
        folder, ranks = kolmo.place(), layout[0] * layout[1] * layout[2]
        with settings(EMULATOR_TIMELINE=os.path.join(folder, "timeline")):
            result = kolmo.run(
                kc.merge(case, {"grid": {"ranks": layout}, "device": {"transport": transport}}), ranks=ranks)
        names = [{timeline.short(r.name).split("<")[0] for r in timeline.records(path)}
                 for path in timeline.files_of(folder)]
        check.equal(f"    {layout}, {transport}: ranks that sum with the correction",
                    sum("correct_limits_kernel" in n for n in names), ranks)
        return result

    columns = kc.merge(direct, walls, {"time": {"diffusion": "implicit-z"}})
    with settings(EMULATED_GPUS="4"):
        two = run(direct, (1, 1, 2), "peer")
        with settings(**ORDERS[-1]):
            check.same("direct: two by peer, four by host",
                       kc.differences(two, run(direct, (1, 1, 4), "host")))
        with settings(EMULATOR_STREAMS="priority", EMULATOR_ORDER="random:9"):
            check.same("direct: the stream of the exchanges ahead of the other",
                       kc.differences(two, run(direct, (1, 1, 2), "host")))
        check.same("direct, implicit in z: two by host, four by peer",
                   kc.differences(run(columns, (1, 1, 2), "host"), run(columns, (1, 1, 4), "peer")))
        for name, case, layouts in (("multigrid", cycles, ((2, 1, 1), (1, 2, 1), (1, 1, 2))),
                                    ("multigrid, walls", kc.merge(cycles, walls), ((1, 1, 2),))):
            one = run(case, (1, 1, 1), "auto")
            for layout, transport in zip(layouts, ("peer", "host", "peer"), strict=False):
                with settings(**ORDERS[-1]):
                    check.same(f"{name}, {layout} by {transport}",
                               kc.differences(one, run(case, layout, transport)))


def shared(kolmo, check):
    """Two ranks on one GPU: works, with a warning."""
    result = kolmo.run(kc.merge(CASE, {"grid": {"ranks": (1, 1, 2)}}), ranks=2)
    check.holds("warning", "warning" in result.text and "share" in result.text, result.text[-300:])


def refused(kolmo, check):
    """No GPU; less memory than the run wants."""
    with settings(EMULATED_GPUS="0"):
        bad = kolmo.run(CASE, rc=None)
        check.equal("exit code without a GPU", bad.rc, 1)
        check.says("the reason", bad.text, "no GPU on this node")
    with settings(EMULATED_MEMORY="1"):
        bad = kolmo.run(kc.merge(CASE, {"grid": {"n": (64, 64, 64)}}), rc=None)
        check.holds("short memory is refused", bad.rc not in (0, None), str(bad.rc))
        check.says("the numbers", bad.text, "GiB", "memory")


def memory(kolmo, check):
    """--check tells the memory of a run within 2 %. Catches what is held and not counted, or counted and not
    held."""
    mark = os.path.join(kolmo.folder, "most")
    for name, preconditioner, ranks in (("box", "jacobi", 1), ("box, statistics", "multigrid", 1),
                                        ("channel, statistics", "direct", 1),
                                        ("duct, statistics", "multigrid", 1), ("open", "direct", 2),
                                        ("box", "direct", 2),
                                        ("channel, budgets in cells", "multigrid", 1),
                                        ("bodies", "multigrid", 2), ("bodies that travel", "multigrid", 1)):
        case = memory_cases.case(name, preconditioner, MEMORY_CELLS, 0)
        told = memory_cases.told_bytes(kolmo.run(case, "--check", ranks=ranks))
        with settings(EMULATED_GPUS=str(ranks), EMULATOR_MEMORY_MARK=mark):
            kolmo.run(case, ranks=ranks)
        most = [int(line) for line in kc.file_bytes(mark).split()]
        os.remove(mark)
        check.equal(f"{name}, {preconditioner}: ranks that took memory", len(most), ranks)
        check.near("    the most of them over that told", max(most) / told, 1.0, 0.02)


def calls_fail(kolmo, check):
    """The n-th call of the CUDA runtime of a kind, or a launch, fails on one rank: a message with rank, GPU
    and call, exit code 1, no hang, the old checkpoint as it was; the run goes on from it to the same bits."""
    goal = kc.merge(CASE, {"run": {"steps_max": 2}, "checkpoint": {"interval": 1}})
    begun = kolmo.run(kc.merge(goal, {"run": {"steps_max": 1}}))
    whole, kept = kolmo.run(goal), kc.file_bytes(kc.checkpoint_path(begun.folder, 1))
    chance = random.Random(11)

    def again(ranks, env):
        folder = kolmo.place()
        for name in os.listdir(begun.folder):
            shutil.copy(os.path.join(begun.folder, name), folder)
        mark = os.path.join(kolmo.folder, "mark")
        with contextlib.suppress(FileNotFoundError):
            os.remove(mark)
        case = kolmo.write(kc.merge(goal, {"grid": {"ranks": (1, 1, ranks)}}), folder)
        return kolmo.call(case, "--restart", "latest", ranks=ranks, rc=None, seconds=60, folder=folder,
                          env=dict(env, EMULATOR_FAIL_MARK=mark, EMULATED_GPUS=str(ranks))), mark
    for ranks, rank, kinds in ((1, 0, None), (2, 1, ("cudaIpcGetMemHandle", "cudaIpcOpenMemHandle",
                                                     "cudaMemcpyAsync", "launch"))):
        _, mark = again(ranks, {"EMULATOR_FAIL": f"count:0:{rank}"})
        made = [line.split() for line in kc.file_bytes(mark).decode().splitlines()]
        for call, most in made:
            if kinds is not None and call not in kinds:
                continue
            number = chance.randint(1, int(most))
            bad, mark = again(ranks, {"EMULATOR_FAIL": f"{call}:{number}:{rank}"})
            label = f"{call} {number} of {most}, rank {rank} of {ranks}"
            if bad.rc == 0 and call in SPARED:
                check.same(f"{label}: the run does without", kc.differences(whole, bad, 2))
                continue
            check.holds(f"{label}: it failed, exit code {bad.rc}", os.path.exists(mark) and bad.rc == 1,
                        bad.text[-300:])
            check.says(label, bad.err, f"on rank {rank} of {ranks}",
                       "emulated" if "no processor" not in bad.err else "no processor",
                       "kernel " if call == "launch" else call, "cudaErrorLaunchFailure")
            check.holds("    the old checkpoint is as it was",
                        kept == kc.file_bytes(kc.checkpoint_path(bad.folder, 1)))
        on = kolmo.call(os.path.join(bad.folder, "case.nml"), "--restart", "latest", ranks=ranks,
                        folder=bad.folder)
        check.same("    and the run goes on to the same bits", kc.differences(whole, on, 2))


if __name__ == "__main__":
    kc.main(__doc__, [orders, single, single_on_ranks, transports, summed, shared, refused, memory,
                      calls_fail])

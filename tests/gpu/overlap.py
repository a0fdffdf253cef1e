#!/usr/bin/env python3
"""How much of the halo exchanges between GPUs is hidden behind sweeps: by the marks of --profile, and by a
timeline of the same run.

usage: overlap.py --kolmo build/cuda/kolmo [--ranks 2] [--cells 256]
       overlap.py --made-up

Two runs of the Taylor-Green vortex for each of two preconditioners, one rank a GPU, transport 'peer'. The
first with --profile: its marks tell of each exchange how long the compute queue had nothing to do but wait,
and the sum of its phases is held against the clock of the host. The second leaves a timeline (timeline.py):
of each exchange, from the first packing to the last unpacking, the time in which a sweep ran in the other
queue. Both have to say that most is hidden, and nearly the same. Exchanges of the multigrid's grids, which
overlap nothing, are told apart, for they pack single precision, and so are grids that come together in the
queue of the sweeps; a program that computes in single precision packs nothing else: there the marks stand
alone with the multigrid. Where CUPTI is not there or can't trace, the marks stand alone, and the script says
so.
--made-up: only the timeline whose answers are known, which wants no GPU.
Ends with 'N passed, N failed'; without GPUs enough: skipped, code 0."""
import argparse
import os
import re
import signal
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kolmo_case as kc  # noqa: E402
import scaling  # noqa: E402
import timeline  # noqa: E402

PRECONDITIONERS = ("polynomial", "multigrid")
STEPS = 20
# Least share of the exchanges of the flow and of the conjugate gradients. With 256^3 cells a rank of two has
# 8 layers of reduction blocks, of which 6 are inner: at 4.06 TB/s their 16 B/cell take 25 us in the first
# sweep of a polynomial, 24 to 32 B/cell 37 to 50 in its second, in residuals and directions. An exchange
# takes 35 to 45: of the first at least 0.6 can be hidden, of the others nearly all.
HIDDEN = 0.7
AGREE = 0.15        # between the marks and the profiler, which slows the host down
CLOCK = 0.15        # between the phases of a step and the host's clock, over it


# --- the timeline ---

def late_ones(path):
    """The exchanges of the second half of a run."""
    found = timeline.exchanges(timeline.records(path))
    middle = (found[0].start + found[-1].end) / 2 if found else 0
    return [e for e in found if e.start > middle]


def of_part(found, part):
    """How many there are of a part, how long they are together, and how much of it no sweep ran [ns]."""
    mine = [e for e in found if e.part == part]
    return len(mine), sum(e.end - e.start for e in mine), sum(e.waited for e in mine)


def hidden(found):
    """Share of the time of the exchanges of the flow and of the conjugate gradients that is hidden, and how
    many there are."""
    count, length, waited = of_part(found, "exchanges")
    return (1 - waited / length if length > 0 else float("nan")), count


# --- runs ---

def traced(kolmo, library, case, ranks):
    """The same with a timeline: a file for each rank."""
    folder = kolmo.place()
    kolmo.finish(kolmo.start([kolmo.write(case, folder)], ranks, env=timeline.variables(library, folder)),
                 folder, seconds=200)
    files = timeline.files_of(folder)
    if len(files) != ranks:
        raise timeline.TimelineError(f"{len(files)} timelines of {ranks} ranks")
    return files


def study(kolmo, check, options, preconditioner, library):
    """Both views of one run."""
    options.preconditioner = preconditioner
    case = kc.merge(scaling.case_of((options.cells,) * 3, STEPS, options), {"device": {"transport": "peer"}})
    result = kolmo.run(case, "--profile", ranks=options.ranks, rc=None)
    if result.rc == 2 and "is not possible" in result.err:
        check.skip(f"{preconditioner}: hidden", result.err.strip().splitlines()[0])
        return
    check.equal(f"{preconditioner}: exit code", result.rc, 0)
    row = scaling.parse(result.out)
    by_marks = scaling.hidden(row)
    clock = 1e3 * float(np.mean(result.series()["seconds_per_step"][1 - STEPS:]))
    check.near(f"{preconditioner}: ms of a step's phases over the host's clock", row["step_ms"] / clock, 1.0,
               CLOCK)
    check.above(f"{preconditioner}: hidden, by the marks of --profile", by_marks, HIDDEN)
    if library is None:
        check.skip(f"{preconditioner}: hidden, by a timeline", "no CUPTI here: --profile's marks alone")
        return
    if options.real == "float" and preconditioner == "multigrid":
        check.skip(f"{preconditioner}: hidden, by a timeline", "all values are single precision")
        return
    files = traced(kolmo, library, case, options.ranks)
    for rank, path in enumerate(files):
        found = late_ones(path)
        share, count = hidden(found)
        many, length, waited = of_part(found, "levels")
        if preconditioner == "multigrid":
            check.above(f"{preconditioner}, rank {rank}: levels in the timeline", many, 1)
            print(f"       {length * 1e-6:.3f} ms, of which no sweep ran for {waited * 1e-6:.3f}", flush=True)
        else:
            check.equal(f"{preconditioner}, rank {rank}: levels in the timeline", many, 0)
        check.above(f"{preconditioner}, rank {rank}: exchanges in the timeline", count, STEPS)
        check.above(f"{preconditioner}, rank {rank}: hidden, by the timeline", share, HIDDEN)
        check.near(f"    and by the marks {by_marks:.3f}: difference", share - by_marks, 0.0, AGREE)


def write_timeline(path, found):
    """A file as timeline.cpp writes it."""
    with open(path, "w", encoding="utf-8") as target:
        target.write(timeline.COLUMNS + "\n")
        target.writelines(f"{start}\t{end}\t0\t{stream}\t0\t{blocks}\t{name}\n"
                          for start, end, stream, blocks, name in found)
        target.write(f"# end\t{len(found)}\tmissing\t0\n")


PACK, UNPACK = ("void copy_kernel<double, (bool)1, (int)24>(copies<24>, raises)",
                "void copy_kernel<double, false, 24>(copies<24>, raises)")
PACK_LEVEL, UNPACK_LEVEL = ("void copy_kernel<float, true, 96>(copies<96>, raises)",
                            "void copy_kernel<float, (bool)0, (int)96>(copies<96>, raises)")
WHOLE_LEVEL, WHOLE = ("void exchange_kernel<float, 24>(copies<24>, raises, awaits)",
                      "void exchange_kernel<double, (int)96>(copies<96>, raises, awaits)")
AWAIT, RIM, SWEEP, SUM = ("await_kernel(awaits)", "residual_kernel(box, double)",
                          "void momentum_kernel<(bool)1, (bool)0>(box)", "share_kernel(blocks)")


def made_up(check, folder):
    """A timeline whose answers are known: of two exchanges of 100 ns one has 60 behind a sweep, one all; a
    third, of 50, none, as it is in one launch in the queue of the sweeps, which is still theirs. Of the
    multigrid's grids one is in either queue. A rim in the queue of the exchanges is no part of one; copies of
    a rank's own sides are of none."""
    path = os.path.join(folder, "timeline.0.1.tsv")
    # the first half is left out
    found = [(0, 10, 14, 2, PACK), (10, 20, 14, 2, UNPACK), (30, 40, 14, 2, PACK), (40, 50, 14, 2, UNPACK),
             (1000, 1010, 14, 2, PACK), (1015, 1090, 14, 1, AWAIT), (1090, 1100, 14, 2, UNPACK),
             (1100, 1150, 14, 8, RIM),
             (1000, 1040, 7, 64, SWEEP), (1030, 1060, 7, 64, SWEEP), (1200, 1210, 14, 2, PACK),
             (1210, 1300, 14, 2, UNPACK),
             (1190, 1310, 7, 64, "void last_kernel<1, (kind)2>(box)"), (1400, 1440, 14, 2, PACK_LEVEL),
             (1440, 1460, 14, 1, AWAIT), (1460, 1500, 14, 2, UNPACK_LEVEL),
             (1510, 1560, 7, 6, WHOLE_LEVEL), (1570, 1580, 7, 2, UNPACK_LEVEL), (1580, 1600, 7, 1, SUM),
             (1610, 1660, 7, 6, WHOLE)]
    write_timeline(path, found)
    all_of_it, late = timeline.records(path), late_ones(path)
    check.equal("a timeline made up: hidden, and how many", hidden(late), (0.64, 3))
    check.equal("    of the multigrid's grids: how many, ns, waited", of_part(late, "levels"), (2, 150, 150))
    check.equal("    the queue of the exchanges", timeline.transfer_queues(all_of_it), {14})
    check.equal("    rims", [r.start for r in all_of_it if r.part == "rims"], [1100])
    every, span = timeline.gaps(all_of_it)
    check.equal("    gaps between sweeps", (every, span),
                ([timeline.Gap("residual_kernel", 8, 40, 0), timeline.Gap("last_kernel<1, 2>", 64, 40, 40),
                  timeline.Gap("copy_kernel<float, 0, 96>", 2, 260, 110)], 600))
    check.equal("    from momentum kernel to momentum kernel", len(timeline.within(all_of_it, "momentum")), 3)
    tables = re.sub(" +", " ", timeline.table(path, None))
    check.says("    its tables", tables, "momentum_kernel<1, 0> sweeps 64 2",
               "exchange_kernel<float, 24> levels 6 1", "levels float 2 0.000 0.07 0.000 0.07")
    host = [(0, 10, 14, 2, UNPACK), (10, 30, 14, 0, "copy"), (40, 60, 14, 0, "copy"), (60, 70, 14, 2, UNPACK),
            (70, 90, 14, 8, RIM), (0, 10, 7, 2, UNPACK), (10, 80, 7, 64, SWEEP)]
    write_timeline(path, host)
    check.equal("one by way of the host: parts", [r.part for r in timeline.records(path) if r.stream == 14],
                4 * ["exchanges"] + ["rims"])
    for name, text in (("cut short", "\n1\t2\t0\t7\t0\t1\tx\n"),
                       ("with records missing", "\n# end\t0\tmissing\t3\n"),
                       ("with a line of another kind", "\n1 2\n# end\t1\tmissing\t0\n")):
        with open(path, "w", encoding="utf-8") as target:
            target.write(timeline.COLUMNS + text)
        try:
            timeline.records(path)
            check.fail(f"    one {name} is refused")
        except timeline.TimelineError as fault:
            check.holds(f"    one {name} is refused", os.path.basename(path) in str(fault))


def library_of(check, folder):
    """The tracer, None where it can't be made."""
    try:
        return timeline.build(folder)
    except timeline.TimelineError as fault:
        check.skip("a timeline", str(fault))
        return None


def main():
    """Exits 0: all passed, 1: some failed."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kolmo", default="build/cuda/kolmo", help="the program")
    parser.add_argument("--mpirun", default="mpirun --oversubscribe", help="how several ranks are started")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--cells", type=int, default=256, help="side of the cube")
    parser.add_argument("--real", default="double", choices=("float", "double"),
                        help="arithmetic of the program")
    parser.add_argument("--made-up", action="store_true", help="no runs")
    options = parser.parse_args()
    os.environ.setdefault("OMPI_MCA_hwloc_base_binding_policy", "none")
    check = kc.Check()
    with tempfile.TemporaryDirectory(prefix="kolmo-overlap-") as folder:
        made_up(check, folder)
        if options.made_up:
            pass
        elif scaling.gpus_here() < options.ranks:
            check.skip("overlap", f"{scaling.gpus_here()} GPUs here, {options.ranks} are wanted")
        else:
            kolmo, library = kc.Kolmo(options, folder), library_of(check, folder)
            for preconditioner in PRECONDITIONERS:
                try:
                    study(kolmo, check, options, preconditioner, library)
                except (kc.RunError, timeline.TimelineError, OSError) as fault:
                    check.fail(f"{preconditioner}: {type(fault).__name__}: {fault}")
    print(f"{check.passed} passed, {check.failed} failed"
          + (f", {check.skipped} skipped" if check.skipped else ""))
    return 0 if check.failed == 0 and check.passed > 0 else 1


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # quietly ended where nobody reads on, as `| head`
    sys.exit(main())

#!/usr/bin/env python3
"""Checkpoints whose hashes are right and whose numbers make no sense: refused with file, number and range,
whichever way they are read; 'latest' takes an older one. Nothing ends by a signal, and nothing runs for ever.

Would catch: a number of the state that is used as it comes, a check that one of the ways of reading leaves
out, a number that is new in the state and in no table."""
import math
import os
import re
import shutil
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

CASE = {"run": {"steps_max": 4}, "grid": {"n": (8, 8, 8), "length": (2.0, 2.0, 2.0)}, "fluid": {"nu": 0.02},
        "boundary": {"z_low": "wall", "z_high": "wall"},
        "forcing": {"type": "pressure-gradient", "value": 1.0},
        "initial": {"type": "channel"}, "pressure": {"preconditioner": "polynomial"},
        "statistics": {"start": 0.0, "interval": 1}, "checkpoint": {"interval": 2, "keep": 5}}
OPEN = {"run": {"steps_max": 2}, "grid": {"n": (12, 8, 8), "length": (3.0, 1.0, 1.0)}, "fluid": {"nu": 0.02},
        "boundary": {"x_low": "inflow", "x_high": "outflow", "x_low_velocity": (1.0, 0.0, 0.0),
                     "z_low": "wall", "z_high": "wall"},
        "initial": {"type": "rest"}, "checkpoint": {"interval": 2}}
NAN, INF = math.nan, math.inf
# what makes no sense for any number, for counts and yes or no, for what can't be negative
NEVER, NO_COUNT, NEGATIVE = (NAN, INF, -INF), (-1.0, 0.5, 1e300), (-1.0,)
LENGTHS = {"energy", "nu", "time", "smoothing_reduction", "smoothing_gain"}
SIGNED = {"dissipation_before", "force", "force_power"}
UNKNOWN = {"energy_start", "decays_since", "regime_looked"}  # -1: not known
COUNTS = {"scheme", "stage_pressures", "preconditioner_choice", "statistics_size", "steps_known",
          "inverse_met", "smoothing_steps", "monitors_complete", "open_faces", "forcing_size", "surface_size",
          "bodies", "bodies_hash",
          "scalar_tables",
          "regime_kind",
          "regime_bins"}


def senseless(name):
    """Values that no run writes."""
    if name == "step":
        return NEVER + NO_COUNT + (2.0**53,)
    if name == "dt":
        return NEVER + NEGATIVE + (0.0, 5e-324, 1e-300, 1e300)
    if name in COUNTS:
        return NEVER + NO_COUNT
    if name.startswith("inflow_table"):
        return NEVER + (-2.0, 0.5, 1e300)
    if name in SIGNED:
        return NEVER
    if name in UNKNOWN:
        return NEVER + (-2.0,)
    if name in LENGTHS or name.startswith("regime_"):
        return NEVER + NEGATIVE
    return None


def spoilt(good, folder, change):
    """A copy of the two checkpoints of a run; the newest one is changed. Returns its path."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(good.folder, folder)
    path = kc.checkpoint_path(folder, 4)
    change(path)
    return path


def refused(check, label, result, path, name):
    """By exit code 4 and one message with file and number."""
    faults = []
    if result.rc != 4:
        faults.append(f"exit code {result.rc}")
    if path not in result.err:
        faults.append("no file in the message")
    if f"'{name}'" not in result.err and name not in result.err:
        faults.append("no number in the message")
    check.holds(f"{label}: exit code 4, file and '{name}' named", not faults,
                "; ".join(faults) + ": " + result.err[-400:])


def every_number(kolmo, check):
    """Each number of the state by name, of which one value is tried, or with --long all; --restart FILE."""
    good = kolmo.run(CASE)
    case = kolmo.write(kc.merge(CASE, {"run": {"steps_max": 6}}), good.folder)
    folder = os.path.join(kolmo.folder, "spoilt")
    names = sorted(good.checkpoint().state)
    check.equal("numbers that no list here has", [n for n in names if senseless(n) is None], [])
    for place, name in enumerate(names):
        values = senseless(name) or ()
        if not kolmo.options.long and name not in ("dt", "step", "time"):
            values = values[place % len(values):][:1]
        for value in values:
            path = spoilt(good, folder, lambda p, n=name, v=value: kc.write_state(p, n, v))
            for extra in ([], ["--check"]) if value is NAN else ([],):
                result = kolmo.call(case, "--restart", path, *extra, "--set", f"output.directory={folder}",
                                    rc=None, seconds=30)
                refused(check, f"{name} = {value}{' --check' if extra else ''}", result, path, name)


def ways(kolmo, check):
    """The same by 'latest', which goes back to the older one, by kolmo-stats, on two ranks, with regrid."""
    good = kolmo.run(CASE)
    case = kolmo.write(kc.merge(CASE, {"run": {"steps_max": 6}}), good.folder)
    whole = kolmo.run(kc.merge(CASE, {"run": {"steps_max": 6}}))
    folder = os.path.join(kolmo.folder, "spoilt")
    tried = [(1, "dt", NAN), (1, "dt", 5e-324), (2, "step", NAN), (1, "time", NAN),
             (1, "stage_pressures", 4.0)]
    if kolmo.options.long:
        tried += [(1, "dt", 0.0), (1, "step", 1e300), (1, "step", 0.5), (1, "steps_known", 9.0),
                  (2, "stage_pressures", 8.0), (1, "open_faces", 1.0), (1, "statistics_size", 0.5),
                  (1, "regime_bins", 5e9), (1, "force", INF)]
    for ranks, name, value in tried:
        def change(path, name=name, value=value):
            kc.write_state(path, name, value)
        label = f"{name} = {value}, {ranks} ranks"
        path = spoilt(good, folder, change)
        result = kolmo.call(case, "--restart", "latest", "--set", f"output.directory={folder}", ranks=ranks,
                            rc=None, seconds=60, folder=folder)
        check.equal(f"{label}: latest: exit code", (result.rc, result.err[-300:] if result.rc else ""),
                    (0, ""))
        check.says(f"{label}: latest", result.text, "a checkpoint is passed over", path, "step 2",
                   f"{path}.damaged")
        if result.rc == 0:
            check.same(f"{label}: latest: as a run without a stop", kc.differences(whole, result, 6))
        path = spoilt(good, folder, change)
        stats = kolmo.other("kolmo-stats").call("--out", os.path.join(folder, "averages"), path, ranks=ranks,
                                                rc=None, seconds=60)
        refused(check, f"{label}: kolmo-stats", stats, path, name)
        check.holds(f"{label}: kolmo-stats writes nothing",
                    not os.path.exists(os.path.join(folder, "averages")))
        other = kolmo.call(case, "--restart", path, "--set", f"output.directory={folder}", "--set",
                           "grid.n=8,8,10", "--set", "checkpoint.regrid=.true.", ranks=ranks, rc=None)
        refused(check, f"{label}: regrid", other, path, name)
    path = spoilt(good, folder, lambda p: kc.write_state(p, "step", 3.0))
    result = kolmo.call(case, "--restart", path, rc=None)
    refused(check, "the step of the state is not that of the file", result, path, "step")
    path = spoilt(good, folder, lambda p: kc.write_state(p, "step", 0.0, root_step=True))
    result = kolmo.call(case, "--restart", path, rc=None)
    refused(check, "step 0 at a later time", result, path, "time")


def tables(kolmo, check):
    """A state with a table of velocities that its input does not name: refused with the face."""
    good = kolmo.run(OPEN)
    path = kc.checkpoint_path(good.folder, 2)
    kc.write_state(path, "inflow_table_y_low", 7.0)
    stats = kolmo.other("kolmo-stats").call("--out", kolmo.place(), path, rc=2, seconds=60)
    check.says("kolmo-stats", stats.err, path, "a table of velocities for boundary.y_low")


def averages(kolmo, check):
    """Numbers of samples and sums of the averages over time: counts that do not belong together, times out
    of order, sums that are not finite. In a checkpoint, and in what kolmo-merge reads."""
    good = kolmo.run(CASE)
    case = kolmo.write(kc.merge(CASE, {"run": {"steps_max": 6}}), good.folder)
    folder = os.path.join(kolmo.folder, "spoilt")
    samples, length, complete, current, begin, end = range(6)
    tried = [(samples, NAN), (length, INF), (complete, 0.5), (begin, NAN), (end, -1.0), (20, NAN)]
    if kolmo.options.long:
        tried += [(samples, 1e300), (length, 0.0), (complete, -1.0), (complete, 1e9), (current, NAN),
                  (end, INF), (-1, INF)]
    for place, value in tried:
        def change(path, place=place, value=value):
            values = kc.Checkpoint(path).fields["statistics"]
            values.ravel()[place] = value
            kc.write_field(path, "statistics", values)
        label = f"number {place} of the averages = {value}"
        path = spoilt(good, folder, change)
        result = kolmo.call(case, "--restart", path, "--set", f"output.directory={folder}", rc=None)
        refused(check, label, result, path, "averages")
        if place == complete:
            result = kolmo.call(case, "--restart", "latest", "--set", f"output.directory={folder}", rc=None)
            check.equal(f"{label}: latest: exit code", result.rc, 0)
            check.says(f"{label}: latest", result.text, "a checkpoint is passed over", "step 2")
    stats = kolmo.other("kolmo-stats")
    parts = [kolmo.place(), kolmo.place()]
    for step, part in zip((2, 4), parts):
        stats.call("--out", part, "--replace", kc.checkpoint_path(good.folder, step))
    file = os.path.join(parts[1], "statistics.nc")
    for name, value in (("n_samples", NAN), ("n_samples", 0.5), ("n_samples", 1e300), ("t_start", NAN),
                        ("t_end", -1.0), ("batches/rest", INF)):
        copy = kc.file_bytes(file)
        with h5py.File(file, "r+") as target:
            if target[name].dtype.kind == "f":
                values = np.array(target[name])
                values.ravel()[0] = value
                target[name][...] = values
            else:
                value = -1
                target[name][...] = value
        merged = kolmo.other("kolmo-merge").call("--out", kolmo.place(), "--replace", *parts, rc=None)
        check.equal(f"kolmo-merge, {name} = {value}: exit code", merged.rc, 4)
        check.says(f"kolmo-merge, {name} = {value}", merged.err, file, "damaged")
        with open(file, "wb") as target:
            target.write(copy)


def amplitudes(kolmo, check):
    """The amplitudes of the forced waves of a box: flags that are neither 0 nor 1, numbers that are not
    finite."""
    forced = {"run": {"steps_max": 4}, "grid": {"n": (12, 12, 12)}, "fluid": {"nu": 0.02},
              "initial": {"type": "isotropic", "k_peak": 2, "u_rms": 0.8},
              "forcing": {"type": "low-wavenumber", "law": "constant-power", "value": 0.2},
              "checkpoint": {"interval": 2, "keep": 5}}
    good = kolmo.run(forced)
    case = kolmo.write(kc.merge(forced, {"run": {"steps_max": 6}}), good.folder)
    folder = os.path.join(kolmo.folder, "spoilt")
    for place, value in ((0, 0.5), (1, NAN), (4, NAN), (5, INF), (-1, 1e300)):
        def change(path, place=place, value=value):
            values = kc.Checkpoint(path).fields["forcing"]
            values.ravel()[place] = value
            kc.write_field(path, "forcing", values)
        path = spoilt(good, folder, change)
        for ranks in (1, 2) if place == 4 else (1,):
            result = kolmo.call(case, "--restart", path, "--set", f"output.directory={folder}", ranks=ranks,
                                rc=None)
            refused(check, f"number {place} of the amplitudes = {value}, ranks {ranks}", result, path,
                    "forcing")
        if place == 4:
            result = kolmo.call(case, "--restart", "latest", "--set", f"output.directory={folder}",
                                rc=None)
            check.equal("a bad amplitude: latest: exit code", result.rc, 0)
            check.says("a bad amplitude: latest", result.text, "a checkpoint is passed over", "step 2")


def stale_block(kolmo, check):
    """A block of 512 bytes of an older checkpoint in the place of the newer one's, each block in turn: told
    by --restart FILE as by 'latest', or the same numbers."""
    good = kolmo.run(kc.merge(CASE, {"run": {"steps_max": 4}, "checkpoint": {"interval": 1}}))
    old, new = (kc.file_bytes(kc.checkpoint_path(good.folder, n)) for n in (3, 4))
    check.equal("checkpoints of the same layout", len(old), len(new))
    case = kolmo.write(kc.merge(CASE, {"run": {"steps_max": 5}}), good.folder)
    whole = kolmo.run(kc.merge(CASE, {"run": {"steps_max": 5}}))
    folder = os.path.join(kolmo.folder, "spoilt")
    tried = [at for at in range(0, len(new), 512) if old[at:at + 512] != new[at:at + 512]]
    with h5py.File(kc.checkpoint_path(good.folder, 4), "r") as source:
        data = [(d.id.get_offset(), d.id.get_offset() + d.id.get_storage_size())
                for d in source["fields"].values()]
    heads = [at for at in tried if not any(low <= at and at + 512 <= high for low, high in data)]
    check.above("blocks of numbers and names that differ", len(heads), 3)
    told = 0
    for at in heads + [tried[len(tried) // 2]]:
        path = spoilt(good, folder, lambda p, at=at: write_bytes(p, new[:at] + old[at:at + 512]
                                                                 + new[at + 512:]))
        result = kolmo.call(case, "--restart", path, "--set", f"output.directory={folder}", rc=None,
                            folder=folder)
        if result.rc == 0:
            a, b = whole.checkpoint(5), result.checkpoint(5)
            check.same(f"block at {at}: accepted", kc.differing_arrays(a.fields, b.fields)
                       + kc.differing_arrays(a.state, b.state))
        else:
            told += 1
            check.holds(f"block at {at}: refused by name", result.rc == 4 and path in result.err,
                        (result.rc, result.err[-300:]))
        stats = kolmo.other("kolmo-stats").call("--out", os.path.join(folder, "averages"), path, rc=None)
        check.holds(f"block at {at}: kolmo-stats, too",
                    stats.rc == result.rc or (stats.rc == 0 and re.search("array|differs", result.err)),
                    (stats.rc, stats.err[-300:]))
    check.above("blocks that were refused", told, 2)


def write_bytes(path, content):
    """In place of what the file held."""
    with open(path, "wb") as target:
        target.write(content)


if __name__ == "__main__":
    kc.main(__doc__, [every_number, ways, tables, averages, amplitudes, stale_block])

"""Runs of many kinds whose memory --check tells: what tests/gpu and tests/emulator hold against the memory
that they take."""
import re

import kolmo_case as kc

WALLED = {"boundary": {"z_low": "wall", "z_high": "wall"}, "forcing": {"type": "bulk-velocity", "value": 1.0},
          "initial": {"type": "channel"}}
SAMPLED = {"statistics": {"start": 0.0, "interval": 1}}
STREAM = {"boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0),
                       "x_low_turbulence": (0.1, 0.06, 0.03), "x_high": "outflow",
                       "turbulence_length": 0.5, "turbulence_modes": 50},
          "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)}}
BOX = {"initial": {"type": "taylor-green"}}
# by name: inputs, and the preconditioners to be tried
KINDS = {"box": (BOX, ("jacobi", "polynomial", "direct", "multigrid")),
         "box, statistics": (kc.merge(BOX, SAMPLED, {"statistics": {"spectra_interval": 1}}), ("multigrid",)),
         "channel, statistics": (kc.merge(WALLED, SAMPLED), ("polynomial", "direct", "multigrid")),
         "duct, statistics": (kc.merge(WALLED, SAMPLED, {"boundary": {"y_low": "wall", "y_high": "wall"}}),
                              ("multigrid", "direct")),
         "channel, budgets in cells": (kc.merge(WALLED, SAMPLED, {"statistics": {
             "directions": "none", "batches": 0, "cell_budgets": True}}), ("multigrid",)),
         "bodies": (kc.merge(BOX, {"packing": {"shape": "sphere", "count": 12, "size": 1.0, "seed": 3},
                                   "output": {"surface_start": 0.0}}), ("multigrid",)),
         "bodies that travel": (kc.merge(BOX, {"bodies": {
             "shape": "sphere", "centre": (3.0, 2.5, 2.7), "size": (1.5, 0.0, 0.0), "motion": "translate",
             "velocity": (0.5, 0.0, 0.0)}}), ("multigrid",)),
         "open": (STREAM, ("multigrid", "direct"))}


def case(name, preconditioner, cells, steps):
    """A run of one of the kinds."""
    return kc.merge({"run": {"steps_max": steps}, "grid": {"n": cells, "length": (kc.TWO_PI, 5.0, 5.5)},
                     "fluid": {"nu": 0.002},
                     "time": {"dt": 1e-4}, "pressure": {"preconditioner": preconditioner},
                     "checkpoint": {"at_end": False},
                     "device": {"tuning": False}}, KINDS[name][0])


def told_bytes(result):
    """Bytes of the fullest rank by --check."""
    found = re.search(r"with message buffers\s+([0-9.]+) (GiB|MiB)", result.out)
    return float(found.group(1)) * 2 ** {"GiB": 30, "MiB": 20}[found.group(2)] if found else float("nan")

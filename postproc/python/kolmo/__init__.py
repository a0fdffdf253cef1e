"""Reads, starts and draws runs of Kolmo.

    import kolmo
    run = kolmo.open("runs/my-first")
    run.series["kinetic_energy"].values
    run.fields.last["velocity"]

`open` gives a run; `run` starts one, `sweep` several; `write_namelist`, `write_flow` and `write_planes` write
what a run reads; `export` writes other formats; `kolmo.plots` draws. numpy and h5py suffice; with xarray the
data come as its objects, with tqdm a run shows a bar, and figures need matplotlib."""

from . import certificate, converge, plots
from .flows import write_flow
from .formats import export, to_meshio
from .guarded import Unreadable
from .launch import Job, RunFailed, Sweep, run, sweep
from .namelists import write_namelist
from .planes import write_planes
from .runs import Progress, Run, open  # pylint: disable=redefined-builtin
from .snapshots import Snapshots
from .surfaces import Surfaces, surface_force
from .tables import Table, Variable

__all__ = [
    "Job",
    "Progress",
    "Run",
    "RunFailed",
    "Snapshots",
    "Surfaces",
    "Sweep",
    "Table",
    "Unreadable",
    "Variable",
    "certificate",
    "converge",
    "export",
    "open",
    "plots",
    "run",
    "surface_force",
    "sweep",
    "to_meshio",
    "write_flow",
    "write_namelist",
    "write_planes",
]

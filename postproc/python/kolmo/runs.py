"""A run: the files of a folder, opened when they are asked for, also while the run goes on."""

from __future__ import annotations

import os
import re
import socket
import time
from dataclasses import dataclass
from typing import Any

from . import namelists
from .guarded import Unreadable, regular
from .snapshots import Snapshots, find, read_flow
from .surfaces import Surfaces, average_of, find_surfaces
from .tables import best, plain, read_netcdf

TABLES = {
    "series": "series.nc",
    "statistics": "statistics.nc",
    "spectra": "spectra.nc",
    "densities": "pdf.nc",
    "phases": "phases.nc",
    "probes": "probes.nc",
    "history": "history.nc",
    "bodies": "bodies.nc",
}
LINE = re.compile(r"step +(\d+) +t +(\S+) +dt +(\S+) .*?([\d.]+) %(?: +ETA +([\d:]+))?")
END = re.compile(r"(finished|stopped): step (\d+), t (\S+?),")
LOCK_PATIENCE = 60.0  # seconds without a beat after which another host's run counts as gone


@dataclass
class Progress:
    """How far a run is: step, time, completed share (0 to 1), and the seconds that remain, if known."""

    step: int
    time: float
    share: float
    eta: float | None


def seconds_of(text: str | None) -> float | None:
    """Of h:mm:ss."""
    if not text:
        return None
    total = 0.0
    for part in text.split(":"):
        total = 60.0 * total + float(part)
    return total


def progress_of(line: str) -> Progress | None:
    """What a line of the log says of it; None where it says nothing."""
    found = LINE.search(line)
    if not found:
        return None
    return Progress(int(found[1]), float(found[2]), float(found[4]) / 100.0, seconds_of(found[5]))


class Run:
    """The files of one run. Each property opens what the run has written up to now: ask again for newer data.
    What the run has not written is refused, and the text says which input makes it."""

    HOW = {
        "series": "output.series_interval",
        "statistics": "statistics.start",
        "spectra": "statistics.start and statistics.spectra_interval",
        "densities": "statistics.start and statistics.spectra_interval",
        "phases": "statistics.phases",
        "probes": "probes.position",
        "history": "history.interval",
        "bodies": "bodies.shape",
    }

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.fspath(folder)
        self._kept: dict[str, tuple[Any, Any]] = {}

    def __repr__(self) -> str:
        """One line."""
        return f"<run {self.folder}: {', '.join(self.files) or 'no files'}>"

    def path(self, name: str) -> str:
        """Of a file in the folder."""
        return os.path.join(self.folder, name)

    @property
    def files(self) -> list[str]:
        """Which of series, statistics, ..., fields, slice_1, ... there are."""
        tables = [n for n, file in TABLES.items() if os.path.exists(self.path(file))]
        surfaces = ["surfaces"] if find_surfaces(self.folder) else []
        return tables + sorted(find(self.folder)) + surfaces

    def _table(self, name: str) -> Any:
        """A NetCDF file, opened again where the run has renewed it."""
        path = self.path(TABLES[name])
        try:
            stamp = os.stat(path)
        except OSError:
            how = self.HOW[name]
            asks = "ask" if " and " in how else "asks"
            raise Unreadable(f"{path}: no such file; {how} {asks} for it") from None
        signature = (stamp.st_ino, stamp.st_mtime_ns, stamp.st_size)
        if self._kept.get(name, (None, None))[0] != signature:
            self._kept[name] = (signature, best(read_netcdf(path)))
        return self._kept[name][1]

    @property
    def series(self) -> Any:
        """One record a step: energy, dissipation, divergence, ..."""
        return self._table("series")

    @property
    def statistics(self) -> Any:
        """Averages with their standard errors, <name>_error."""
        return self._table("statistics")

    @property
    def spectra(self) -> Any:
        """Spectra and correlations."""
        return self._table("spectra")

    @property
    def densities(self) -> Any:
        """Structure functions and probability densities."""
        return self._table("densities")

    @property
    def phases(self) -> Any:
        """Averages over phases of a drive."""
        return self._table("phases")

    @property
    def probes(self) -> Any:
        """Velocity and pressure at points, in time."""
        return self._table("probes")

    @property
    def history(self) -> Any:
        """Turbulence of a periodic box in time: scales, spectra, structure functions."""
        return self._table("history")

    @property
    def bodies(self) -> Any:
        """Force and torque on each body, in time."""
        return self._table("bodies")

    @property
    def averages(self) -> Any:
        """Averages over time in every cell, with their standard errors, <name>_error."""
        path = self.path("averages.h5")
        if not os.path.exists(path):
            raise Unreadable(f"{path}: no such file; statistics.directions = 'none' asks for it")
        return best(read_flow(path))

    def latest(self, name: str) -> Any:
        """The latest sample of 'statistics', 'spectra' or 'densities', of flows that decay."""
        return best(read_netcdf(self.path(TABLES[name]), "latest"))

    def _snapshots(self, kind: str) -> Snapshots:
        return Snapshots(kind, find(self.folder).get(kind, {}))

    @property
    def fields(self) -> Snapshots:
        """Velocity and pressure of the whole grid."""
        return self._snapshots("fields")

    @property
    def checkpoints(self) -> Snapshots:
        """The exact states, on the staggered grid."""
        return self._snapshots("checkpoint")

    @property
    def surfaces(self) -> Surfaces:
        """Pressure and shear on the surface of bodies, of single steps."""
        return Surfaces(find_surfaces(self.folder))

    @property
    def surface_average(self) -> Any:
        """Their averages over time."""
        return average_of(self.path("surface_average.h5"))

    @property
    def slices(self) -> dict[int, Snapshots]:
        """By the number of the slice."""
        return self._numbered("slice_")

    @property
    def boxes(self) -> dict[int, Snapshots]:
        """By the number of the box."""
        return self._numbered("box_")

    def _numbered(self, head: str) -> dict[int, Snapshots]:
        return {
            int(kind[len(head) :]): Snapshots(kind, paths)
            for kind, paths in sorted(find(self.folder).items())
            if kind.startswith(head)
        }

    @property
    def attributes(self) -> dict[str, Any]:
        """Title, version, input and provenance, as the first file that there is has them."""
        for name in TABLES:
            if os.path.exists(self.path(TABLES[name])):
                return {n: plain(v) for n, v in self._table(name).attrs.items()}
        raise Unreadable(f"{self.folder}: it has none of {', '.join(TABLES.values())}")

    @property
    def title(self) -> str:
        """run.title of the input; without one the name of the folder."""
        return str(self.attributes.get("title") or os.path.basename(os.path.abspath(self.folder)))

    @property
    def input(self) -> dict[str, list[str]]:
        """{'group.name': [values as text]}: every input that the run was made with."""
        return namelists.parse(str(self.attributes.get("input", "")))

    def number(self, name: str, default: float | None = None) -> float:
        """The first value of an input, such as 'fluid.nu'."""
        return namelists.reals(self.input, name, 1, default)[0]

    @property
    def log(self) -> str:
        """run.log."""
        try:
            with open_text(self.path("run.log")) as file:
                return file.read()
        except OSError as error:
            raise Unreadable(f"{self.path('run.log')}: {error.strerror}") from None

    @property
    def warnings(self) -> list[str]:
        """Lines of the log that warn."""
        return [line for line in self.log.splitlines() if line.startswith("warning:")]

    @property
    def progress(self) -> Progress | None:
        """What the last line of a step in the log says; None before the first one."""
        if not os.path.exists(self.path("run.log")):
            return None
        for line in reversed(self.log.splitlines()):
            found = progress_of(line)
            if found:
                return found
        return None

    @property
    def finished(self) -> bool:
        """Whether the last run in this folder has reached its end."""
        if not os.path.exists(self.path("run.log")):
            return False
        for line in reversed(self.log.splitlines()):
            end = END.match(line)
            if end:
                return end[1] == "finished"
            if LINE.search(line):
                return False
        return False

    @property
    def running(self) -> bool:
        """Whether a run is at work in this folder, as its lock tells."""
        path = self.path("kolmo.lock")
        try:
            with open_text(path) as file:
                entries = dict(line.split(None, 1) for line in file.read().splitlines() if " " in line)
            age = time.time() - os.stat(path).st_mtime
        except (OSError, ValueError, Unreadable):
            return False
        if entries.get("host", "").strip() == socket.gethostname():
            return born(entries.get("pid", "0").strip()) == entries.get("born", "").strip()
        return age < LOCK_PATIENCE


def born(pid: str) -> str | None:
    """When a process of this host was started, in ticks; numbers of processes come again."""
    try:
        with open_text(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return None


def open_text(path: str) -> Any:
    """A text file; bytes that are no text do not stop the reader. Refused where it is no regular file."""
    regular(path)
    return _builtin_open(path, encoding="utf-8", errors="replace")


_builtin_open = open


def open(folder: str | os.PathLike[str]) -> Run:  # pylint: disable=redefined-builtin
    """The run in a folder, finished or at work. Nothing is read before it is asked for."""
    if not os.path.isdir(folder):
        raise Unreadable(f"{os.fspath(folder)}: no such folder")
    run = Run(folder)
    if not run.files and not os.path.exists(run.path("run.log")):
        raise Unreadable(f"{run.folder}: it has no file of a run; output.directory is where its files go")
    return run

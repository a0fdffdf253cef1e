"""Starts runs: one, or one for each combination of settings."""

from __future__ import annotations

import itertools
import os
import queue
import shlex
import shutil
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Mapping
from typing import Any, Callable, Iterator, Sequence, Union

from . import namelists
from .runs import Progress, Run, progress_of

CaseOrPath = Union[str, "os.PathLike[str]", namelists.Case]
CODES = {
    2: "the input was refused",
    3: "the run failed numerically",
    4: "a file could not be read or written",
    5: "the run was stopped; a checkpoint is written",
}
BUILDS = ("cuda", "cpu")
KEPT_LINES = 30


class RunFailed(RuntimeError):
    """A run that has not ended well: exit code and the last lines that it said."""

    def __init__(self, code: int, command: Sequence[str], lines: Sequence[str]) -> None:
        self.code, self.command, self.lines = code, list(command), list(lines)
        super().__init__(
            f"{CODES.get(code, 'the run failed')} (exit code {code}): {shlex.join(command)}\n"
            + "\n".join(lines)
        )


def find_program(name: str = "kolmo") -> str:
    """The program: $KOLMO names it, or it is in the PATH, or in build/cuda or build/cpu of the checkout that
    this package lies in or that the current folder is."""
    asked = os.environ.get("KOLMO")
    if asked:
        place = asked if name == "kolmo" else os.path.join(os.path.dirname(asked), name)
        if not os.access(place, os.X_OK):
            raise FileNotFoundError(f"{place}: no such program; KOLMO names it")
        return os.path.abspath(place)
    if shutil.which(name):
        return str(shutil.which(name))
    here = os.path.dirname(os.path.realpath(__file__))
    for root in (os.path.join(here, "..", "..", ".."), "."):
        for build in BUILDS:
            place = os.path.abspath(os.path.join(root, "build", build, name))
            if os.access(place, os.X_OK):
                return place
    raise FileNotFoundError(
        f"{name}: not in the PATH, and there is no build/cpu/{name}; build it by `make`, or "
        "name it by the environment variable KOLMO"
    )


def arguments_of(settings: Mapping[str, Any]) -> list[str]:
    """--set for each: grid__n=(32, 32, 32) and **{'grid.n': (32, 32, 32)} mean the same."""
    found = []
    for name, value in settings.items():
        name = name.replace("__", ".")
        if "." not in name:
            raise TypeError(
                f"{name}: a setting is named by its group and name, as fluid__nu or "
                "**{'fluid.nu': ...}; see docs/inputs.md"
            )
        found += ["--set", f"{name}={namelists.value_text(value)}"]
    return found


class Bar:
    """How far a run is: a bar of tqdm where it is installed, else lines; `show` False: nothing."""

    def __init__(self, show: bool, words: str) -> None:
        self.bar, self.last, self.words, self.show = None, -1, words, show
        if show:
            try:
                from tqdm.auto import tqdm

                self.bar = tqdm(
                    total=100.0, desc=words, bar_format="{l_bar}{bar}| {elapsed}<{remaining}{postfix}"
                )
            except ImportError:
                pass

    def tell(self, progress: Progress) -> None:
        """The newest."""
        percent = 100.0 * progress.share
        if self.bar is not None:
            self.bar.set_postfix_str(f" step {progress.step}, t = {progress.time:.4g}", refresh=False)
            self.bar.update(max(percent - self.bar.n, 0.0))
        elif self.show and int(percent // 10) > self.last:
            self.last = int(percent // 10)
            rest = "" if progress.eta is None else f", {progress.eta:.0f} s to go"
            print(
                f"{self.words}: {percent:.0f} %, step {progress.step}, t = {progress.time:.4g}{rest}",
                file=sys.stderr,
                flush=True,
            )

    def close(self) -> None:
        """At the end."""
        if self.bar is not None:
            self.bar.close()


class Job:
    """A run at work. wait() returns it when it has ended; stop() ends it early with a checkpoint."""

    def __init__(self, command: list[str], folder: str, environment: dict[str, str]) -> None:
        self.command, self.folder = command, folder
        self.kept: deque[str] = deque(maxlen=KEPT_LINES)
        self.lines: queue.Queue[str | None] = queue.Queue()
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        """Empties the pipe, whether somebody waits or not."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.kept.append(line.rstrip("\n"))
            self.lines.put(line)
        self.lines.put(None)

    @property
    def run(self) -> Run:
        """Its files, up to now."""
        return Run(self.folder)

    def stop(self) -> None:
        """Asks the run to stop with a checkpoint; wait() then raises RunFailed with the code 5."""
        with open(os.path.join(self.folder, "stop"), "w", encoding="ascii"):
            pass

    def wait(self, progress: bool = False) -> Run:
        """The run, when it has ended; RunFailed where it has not ended well."""
        bar = Bar(progress, os.path.basename(os.path.abspath(self.folder)))
        try:
            while (line := self.lines.get()) is not None:
                found = progress_of(line)
                if found:
                    bar.tell(found)
            code = self.process.wait()
        except KeyboardInterrupt:
            self.process.terminate()
            raise
        finally:
            bar.close()
        if code != 0:
            raise RunFailed(code, self.command, self.kept)
        return self.run


def start(
    case: CaseOrPath,
    ranks: int = 1,
    *,
    folder: str | os.PathLike[str],
    restart: str | None = None,
    program: str | None = None,
    mpirun: str | None = None,
    **settings: Any,
) -> Job:
    """Starts a run and returns at once; arguments as of run()."""
    if ranks < 1:
        raise ValueError(f"ranks = {ranks}: one or more are needed")
    folder = os.fspath(folder)
    os.makedirs(folder, exist_ok=True)
    if isinstance(case, Mapping):
        case = namelists.write_namelist(os.path.join(folder, "case.nml"), case, "Written by kolmo.run().")
    command = shlex.split(mpirun if mpirun is not None else os.environ.get("MPIRUN", "mpirun"))
    command = command + ["-n", str(ranks)] if ranks > 1 or mpirun else []
    command += [
        program or find_program(),
        os.fspath(case),
        "--set",
        f"output.directory={namelists.value_text(folder)}",
    ]
    command += arguments_of(settings)
    if restart is not None:
        command += ["--restart", restart]
    return Job(command, folder, dict(os.environ))


def run(
    case: CaseOrPath,
    ranks: int = 1,
    *,
    folder: str | os.PathLike[str],
    progress: bool = True,
    restart: str | None = None,
    program: str | None = None,
    mpirun: str | None = None,
    **settings: Any,
) -> Run:
    """Starts a run, shows how far it is, and returns it when it has ended.

    case: a path, or {group: {name: value}}. ranks: of MPI. folder: output.directory. settings: what --set
    changes, as fluid__nu=0.01. restart: 'latest', or a checkpoint. program, mpirun: instead of find_program()
    and of $MPIRUN or 'mpirun'. RunFailed, with the messages of the run, where it does not end well."""
    return start(
        case, ranks, folder=folder, restart=restart, program=program, mpirun=mpirun, **settings
    ).wait(progress)


class Sweep(Sequence):
    """Runs of several settings: sweep[n] is a run, sweep.settings[n] what it was made with."""

    def __init__(self, settings: list[dict[str, Any]], runs: list[Run]) -> None:
        self.settings, self.runs = settings, runs

    def __getitem__(self, n: Any) -> Any:
        """A run."""
        return self.runs[n]

    def __len__(self) -> int:
        """How many runs there are."""
        return len(self.runs)

    def __iter__(self) -> Iterator[Run]:
        """One after the other."""
        return iter(self.runs)

    def collect(self, **what: Callable[[Run], Any]) -> list[dict[str, Any]]:
        """A row for each run: its settings, and what each function makes of the run."""
        return [
            dict(settings, **{name: function(one) for name, function in what.items()})
            for settings, one in zip(self.settings, self.runs)
        ]


def folder_name(settings: Mapping[str, Any]) -> str:
    """Of one run of a sweep: nu-0.01_n-32x32x32."""
    words = []
    for name, value in settings.items():
        text = "x".join(str(v) for v in value) if isinstance(value, (tuple, list)) else str(value)
        words.append(f"{name.rpartition('.')[2]}-{text}")
    return "_".join("".join(c if c.isalnum() or c in "-_." else "-" for c in w) for w in words)


def sweep(
    case: CaseOrPath,
    ranks: int = 1,
    *,
    folder: str | os.PathLike[str],
    over: Mapping[str, Sequence[Any]],
    progress: bool = True,
    program: str | None = None,
    mpirun: str | None = None,
    **settings: Any,
) -> Sweep:
    """One run for each combination of the values of `over`, {'fluid.nu': [0.1, 0.05], ...}, one after the
    other, each in a folder below `folder` that is named by its settings."""
    names = [name.replace("__", ".") for name in over]
    every = [dict(zip(names, values)) for values in itertools.product(*over.values())]
    places = [os.path.join(folder, folder_name(one)) for one in every]
    if len(set(places)) < len(places):
        raise ValueError("two combinations of `over` have the same settings")
    runs = [
        run(
            case,
            ranks,
            folder=place,
            progress=progress,
            program=program,
            mpirun=mpirun,
            **{**settings, **one},
        )
        for one, place in zip(every, places)
    ]
    return Sweep(every, runs)

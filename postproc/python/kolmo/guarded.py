"""Reads files in a child process: libhdf5 may crash on a damaged one, and the report then names it."""

from __future__ import annotations

import functools
import os
import pickle
import resource
import signal
import stat
import traceback
from typing import Any, Callable, NoReturn

import h5py

PATIENCE = 30  # seconds of a processor that a child may take, ...
PACE = 5e6  # ... and one more for so many bytes of its file


class Unreadable(Exception):
    """A file cannot be used, or an option is not understood; the text says why."""

    def __str__(self) -> str:
        """What a terminal would obey is escaped: the text may come from a file."""
        return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in super().__str__())


def regular(path: str | os.PathLike[str]) -> bool:
    """Whether there is a file of this name; refused where it is a pipe, a device or the like, which may wait
    for ever."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    if stat.S_ISDIR(mode):
        raise Unreadable(f"{path}: it is a folder, and a file is needed")
    if not stat.S_ISREG(mode):
        raise Unreadable(f"{path}: it is no regular file")
    return True


def writable(path: str) -> str:
    """The path of a file to be written; refused where something stands there that is no regular file: a pipe
    would wait for a reader."""
    regular(path)
    return path


class Variables(dict):
    """What a file holds by name; a name that it lacks is refused with the name of the file."""

    def __init__(self, path: str, found: dict[str, Any]) -> None:
        super().__init__(found)
        self.path = path

    def __missing__(self, name: str) -> NoReturn:
        """Refuses."""
        raise Unreadable(
            f"{self.path}: it has no variable '{name}'; it is damaged, or it is no such file of " "a run"
        )


def refuse_links(path: str, group: h5py.Group, seen: set[int]) -> None:
    """Refuses what leads to another file or place: behind it may be a pipe, which waits for ever."""
    for name in group:
        if not isinstance(group.get(name, getlink=True), h5py.HardLink):
            raise Unreadable(f"{path}: '{name}' is a link to another place; give a file with its own data")
        item = group[name]
        if isinstance(item, h5py.Group) and h5py.h5o.get_info(item.id).addr not in seen:
            seen.add(h5py.h5o.get_info(item.id).addr)
            refuse_links(path, item, seen)
        elif isinstance(item, h5py.Dataset) and (item.is_virtual or item.external):
            raise Unreadable(
                f"{path}: the data of '{name}' are in other files; give a file with its own " "data"
            )


def opened(path: str) -> h5py.File:
    """An HDF5 file, open for reading. To be called in a child process."""
    file = h5py.File(path, "r")
    refuse_links(path, file, set())
    return file


def unforeseen(folder: str, error: BaseException) -> str:
    """What to say of a fault that no check of a file has found."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{folder}: its files can't be used together; one of them is damaged, or another version wrote "
        f"it ({type(error).__name__}: {error}, in {os.path.basename(place.filename)}:{place.lineno})"
    )


def answer(read: Callable[..., Any], path: str, words: tuple[Any, ...]) -> bytes:
    """What is sent to the parent: whether it went well, and the result or the reason."""
    try:
        return pickle.dumps((True, read(path, *words)))
    except Unreadable as error:
        return pickle.dumps((False, str(error)))
    except MemoryError:
        return pickle.dumps(
            (False, f"{path}: there is no memory for what it claims to hold; it is damaged")
        )
    except FileNotFoundError:
        return pickle.dumps((False, f"{path}: no such file or folder"))
    except Exception as error:  # pylint: disable=broad-except
        return pickle.dumps((False, f"{path}: it can't be read, it may be damaged: {error}"))


def in_child(read: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a function whose first argument is the name of a file: it runs in a child process. Its result
    is copied. Unreadable, with the name, where it fails or ends the child."""

    @functools.wraps(read)
    def guarded(path: str, *words: Any) -> Any:
        if not regular(path):
            raise Unreadable(f"{path}: there is no such file, or it can't be reached")
        receive, send = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(receive)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what the C library says of a broken heap
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            # the time of the processor, not that of the clock: on a busy machine a good file takes long, too
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, PATIENCE + os.path.getsize(path) / PACE)
            with os.fdopen(send, "wb") as target:
                target.write(answer(read, path, words))
            os._exit(0)
        os.close(send)
        with os.fdopen(receive, "rb") as source:
            sent = source.read()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code != 0:
            how = f"ended the reader by {signal.Signals(-code).name}" if code < 0 else f"failed with {code}"
            raise Unreadable(f"{path}: it is damaged: libhdf5 {how}; write it again, or move it away")
        good, found = pickle.loads(sent)
        if not good:
            raise Unreadable(found)
        return found

    return guarded

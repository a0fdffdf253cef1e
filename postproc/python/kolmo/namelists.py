"""Inputs as text: reading the input that a file keeps, and writing one."""

from __future__ import annotations

import os
import re
from typing import Any, Mapping

import numpy as np

from .guarded import Unreadable, writable

Case = Mapping[str, Mapping[str, Any]]
TOKEN = re.compile(
    r"!.*|&(\w+)|(\w+)\s*(?:\(\s*\d+\s*\))?\s*=|'((?:[^']|'')*)'|\"([^\"]*)\"|(/)|([^\s,=/'\"!&]+)"
)


def parse(text: str) -> dict[str, list[str]]:
    """{'group.name': [values as text]} of a namelist without further structure, as output files keep it."""
    values: dict[str, list[str]] = {}
    group = name = None
    for match in TOKEN.finditer(text):
        begin, variable, single, double, end, plain = match.groups()
        if begin:
            group, name = begin.lower(), None
        elif end:
            group, name = None, None
        elif variable and group:
            name = f"{group}.{variable.lower()}"
            values[name] = []
        elif name and single is not None:
            values[name].append(single.replace("''", "'"))
        elif name and double is not None:
            values[name].append(double)
        elif name and plain:
            repeat = re.fullmatch(r"(\d+)\*(.+)", plain)
            values[name] += [repeat.group(2)] * int(repeat.group(1)) if repeat else [plain]
    return values


def reals(
    values: Mapping[str, list[str]], name: str, count: int, default: float | None = None
) -> list[float]:
    """`count` reals of an input that parse() gave."""
    words = values.get(name)
    if not words:
        if default is None:
            raise Unreadable(f"its input text does not give {name}")
        return [default] * count
    try:
        found = [float(w.lower().replace("d", "e")) for w in words]
    except ValueError:
        raise Unreadable(f"its input text gives {name} = {', '.join(words)}: not a number") from None
    return (found * count)[:count] if len(found) == 1 else found


def value_text(value: Any) -> str:
    """A value as a namelist has it. Reals are written so that they are read back as the same double."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (tuple, list)):
        return ", ".join(value_text(v) for v in value)
    if isinstance(value, (bool, np.bool_)):
        return ".true." if value else ".false."
    if isinstance(value, str):
        if "\n" in value:
            raise ValueError(f"{value!r}: an input can't hold the end of a line")
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    raise ValueError(f"{value!r}: an input is a number, a text, a truth value, or a list of these")


def namelist_text(case: Case) -> str:
    """The text of {group: {name: value}}. A value that is a mapping sets elements by their number:
    {"slices": {"normal": {1: "z", 2: "y"}}}. None leaves a name out."""
    lines = []
    for group, names in case.items():
        lines.append(f"&{group}")
        for name, value in names.items():
            elements = value.items() if isinstance(value, Mapping) else ((None, value),)
            lines += [
                f"  {name}{'' if n is None else f'({n})'} = {value_text(v)}"
                for n, v in elements
                if v is not None
            ]
        lines.append("/")
    return "\n".join(lines) + "\n"


def write_namelist(path: str | os.PathLike[str], case: Case, comment: str = "") -> str:
    """Writes a case, {group: {name: value}}, for the command line; returns its path. Lines of the comment
    come first."""
    words = "".join(f"! {line}\n" for line in comment.splitlines()) + namelist_text(case)
    with open(writable(path), "w", encoding="utf-8") as file:
        file.write(words)
    return os.fspath(path)

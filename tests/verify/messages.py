#!/usr/bin/env python3
"""What messages print of files and command lines is fit for a terminal, and they say what is wrong.

Would catch: an escape sequence of a side file that a terminal obeys, a byte that is no UTF-8, a table that is
read up to a zero byte, a length that ends inside the program or is blamed on something else, a number that a
message shows as another one."""
import os
import shutil
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

CASE = {"run": {"steps_max": 1}, "grid": {"n": (8, 8, 8)}, "fluid": {"nu": 0.02},
        "initial": {"type": "isotropic"}}
EVIL = b"1 \x1b]0;owned\x07\x1b[31m\x08\x7f\xff\xc2\x9b \xc3\xa9 2\r"
SIDES = {"faces": {"grid": {"stretching": ("file", "uniform", "uniform"), "stretching_file": "{}"}},
         "table": {"boundary": {"z_low": "inflow", "z_high": "outflow", "z_low_profile": "table",
                                "z_low_file": "{}"}, "initial": {"type": "uniform"}},
         "spectrum": {"initial": {"spectrum": "file", "spectrum_file": "{}"}},
         "probes": {"probes": {"file": "{}", "interval": 1}}}
LONG = {"bodies_list": ({"bodies_list": {"file": "{}"}}, b"sphere 3 3 3 3 0 0\n"),
        "motion_file": ({"bodies": {"shape": ("sphere",), "size": (3.0, 0.0, 0.0), "motion": ("file",),
                                    "motion_file": ("{}",)}}, b"0 3 3 3\n9 3 3 3.1\n")}


def bad_bytes(raw):
    """What a terminal would obey, or can't show."""
    found = {c for c in raw if (c < 32 and c not in b"\n\t") or c == 127}
    try:
        found |= {ord(c) for c in raw.decode("utf-8") if 0x80 <= ord(c) < 0xa0}
    except UnicodeDecodeError as fault:
        found.add(str(fault))
    return found


def clean(kolmo, check, label, words, rc, *parts, folder=None, program="kolmo"):
    """A call ends with this exit code, and all that it prints is clean and has these parts."""
    process = kolmo.other(program).start(words)
    out, err = process.communicate(timeout=60)
    log = os.path.join(folder, "run.log") if folder else ""
    raw = out + err + (kc.file_bytes(log) if os.path.exists(log) else b"")
    check.holds(f"{label}: exit code {process.returncode}", process.returncode in rc, raw[-300:])
    check.holds(f"{label}: no control characters", not bad_bytes(raw), (bad_bytes(raw), raw[-300:]))
    check.says(label, raw.decode("utf-8", "replace"), *parts)


def with_side(kolmo, change):
    """A place with a case that names the side file there: both of them."""
    folder = kolmo.place()
    case, side = os.path.join(folder, "case.nml"), os.path.join(folder, "side")
    with open(case, "w", encoding="utf-8") as target:
        target.write(kc.namelist(kc.merge(CASE, change, {"output": {"directory": folder + "/out"}}))
                     .replace("{}", side))
    return case, side


def side_files(kolmo, check):
    """Lines of side files, with escapes, a bell and bytes that are no text; what is UTF-8 stays. A zero byte
    is refused with its line."""
    for name, change in SIDES.items():
        case, side = with_side(kolmo, change)
        with open(side, "wb") as target:
            target.write(b"# \x1b[2J\n" + EVIL + b"\n")
        clean(kolmo, check, name, [case], (2,), "side:2: error: ", "\\x1b]0;owned\\x07", "\u00e9", "\\xff",
              "\\x9b")
        with open(side, "wb") as target:
            target.write(b"# one\n1 1 1\n2 2 \x00 2\n")
        clean(kolmo, check, f"{name}, zero byte", [case], (2,), "side:3: error: a zero byte stands here")
        clean(kolmo, check, f"{name}, zero byte, --check", [case, "--check"], (2,), "a zero byte stands here")
    for name, (change, good) in LONG.items():
        case, side = with_side(kolmo, change)
        for label, more, part in (("escapes", EVIL + b"\n", ": error: "),
                                  ("zero byte", b"# \x00\n" + good, ": error: a zero byte stands here"),
                                  ("zero byte in a line", good[:-1] + b" \x00\n", "a zero byte stands here")):
            with open(side, "wb") as target:
                target.write(good + more)
            clean(kolmo, check, f"{name}, {label}", [case], (2,), part, f"{name}")
            clean(kolmo, check, f"{name}, {label}, --check", [case, "--check"], (2,), part)


def terabytes(kolmo, check):
    """Files that claim 8 TiB are refused with their size before they are read."""
    stl = {"bodies": {"shape": ("stl",), "size": (1.0, 0.0, 0.0), "centre": (3.0, 3.0, 3.0),
                      "file": ("{}",)}}
    for name, change in (("stl", stl), *((name, change) for name, (change, _) in LONG.items())):
        case, side = with_side(kolmo, change)
        with open(side, "wb") as target:
            target.truncate(8 << 40)
        for more in ([], ["--check"]):
            clean(kolmo, check, f"{name} of 8 TiB {more}", [case, *more], (2,), "side: error: the file has "
                  "8796093022208 bytes", "case.nml:")


def names(kolmo, check):
    """Names of files and settings on the command line, and texts of the input."""
    folder = kolmo.place()
    odd = os.path.join(folder, "a\x1b[31m\x07b\u00e9.nml")
    clean(kolmo, check, "input that is not there", [odd], (2,), "\\x1b[31m\\x07b\u00e9")
    with open(odd, "w", encoding="utf-8") as target:
        target.write("&grid n = 8, 8, \x1b[31m /\n&run title = 'x\x1b[31m' /\n")
    clean(kolmo, check, "input", [odd], (2,), "\\x1b[31m")
    case = kolmo.write(CASE, folder)
    clean(kolmo, check, "restart", [case, "--restart", odd], (2,), "text holds a control character")
    clean(kolmo, check, "setting", [case, "--set", "run.\x1b[31m=1"], (2,), "\\x1b[31m")
    clean(kolmo, check, "option", [case, "--\x1b[31m"], (2,), "\\x1b[31m")
    target = os.path.join(folder, "out\x1b[31m")
    for words in ([], ["--check"]):
        clean(kolmo, check, f"folder and title {words}",
              [case, *words, "--set", f"output.directory={target}", "--set", "run.title=t\x07\u00e9"],
              (0, 2), "\\x", folder=target)
    for program, part in (("kolmo-stats", "\\x1b[31m"), ("kolmo-merge", "\\x1b[31m")):
        clean(kolmo, check, program, ["--out", folder + "/o", odd + ".h5", odd + "x.h5"], (2, 4), part,
              program=program)


def attributes(kolmo, check):
    """Texts of checkpoints and of files of averages."""
    good = kolmo.run(kc.merge(CASE, {"statistics": {"start": 0.0, "interval": 1}}))
    case = kolmo.write(CASE, good.folder)
    path = os.path.join(good.folder, "odd.h5")
    for place, name in (("/", "format"), ("/fields/u", "location")):
        shutil.copy(good.checkpoint().path, path)
        with h5py.File(path, "r+", libver=("v110", "v110")) as file:
            del file[place].attrs[name]
            file[place].attrs.create(name, np.bytes_(b"\x1b[31m\x07"[:6]))
        for program, words in (("kolmo", [case, "--restart", path]),
                               ("kolmo-stats", ["--out", good.folder + "/o", path])):
            clean(kolmo, check, f"{program}, {name}", words, (2, 4), "\\x1b[31m", program=program)
    with h5py.File(path, "w", libver=("v110", "v110")) as file:
        shutil.copy(good.checkpoint().path, path + "x")
    with h5py.File(path + "x", "r+", libver=("v110", "v110")) as file:
        file["fields/\x1b[31m"] = h5py.SoftLink("/nowhere")
    clean(kolmo, check, "a name of a link", [case, "--restart", path + "x"], (4,), "\\x1b[31m")
    folders = [kolmo.place(), kolmo.place()]
    for n, folder in enumerate(folders):
        shutil.copy(os.path.join(good.folder, "statistics.nc"), folder)
        with h5py.File(os.path.join(folder, "statistics.nc"), "r+") as file:
            variable = next(v for v in file.values() if "long_name" in v.attrs)
            variable.attrs.modify("long_name", np.bytes_(b"\x1b[31m%d" % n))
    clean(kolmo, check, "kolmo-merge, long_name", ["--out", kolmo.place(), "--replace", *folders], (2,),
          "\\x1b[31m", program="kolmo-merge")


def lengths(kolmo, check):
    """Lengths and speeds beyond what arithmetic can hold: refused by their name, not by another's, and never
    inside."""
    folder = kolmo.place()
    case = kolmo.write(CASE, folder)
    for length, word in (("3*1e200", "long"), ("3*1e-200", "short"), ("3*1e-308", "short"),
                         ("1,1e300,1", "long"), ("3*1e100", "long"), ("1,1,1e-100", "short")):
        for more in ([], ["--set", "grid.stretching=3*tanh", "--set", "grid.stretching_factor=3*1.5"],
                     ["--check"]):
            bad = kolmo.call(case, "--set", f"grid.length={length}", *more, rc=None)
            check.equal(f"{length} {more}: exit code", bad.rc, 2)
            check.says(f"{length} {more}", bad.err, "grid.length(", f"is too {word} for",
                       "choose another unit of length")
            check.holds(f"{length} {more}: nothing else is blamed", "tolerance" not in bad.err, bad.err)
    for speed in ("initial.velocity(2)=-1e61", "initial.u_rms=1e300", "boundary.outflow_velocity=1e200"):
        for more in ([], ["--check"]):
            bad = kolmo.call(case, "--set", speed, *more, rc=2)
            check.says(f"{speed} {more}", bad.err, speed.split("=", maxsplit=1)[0] + " = ", "is too fast for")
    for subscript in ("99999999999", "1000001", "-5", "99999999999999999999999", "2:99999999999"):
        bad = kolmo.call(case, "--set", f"grid.length({subscript})=1", rc=2)
        check.says(f"subscript {subscript}", bad.err,
                   f"grid.length: subscript {subscript.split(':')[-1]} is outside 1 to 3")


if __name__ == "__main__":
    kc.main(__doc__, [side_files, terabytes, names, attributes, lengths])

#!/usr/bin/env python3
"""Runs a set of the cases, some of them smaller or shorter, draws one picture of each, and writes
docs/gallery.md.

usage: gallery.py [--kolmo PROGRAM] [--only NAME]... [--ranks N] [--quick] [--runs FOLDER] [--draw] FOLDER

FOLDER gets gallery.md and gallery/NAME.png: docs in a checkout. `make gallery` does that.

  --kolmo PROGRAM  the program (build/cpu/kolmo)
  --only NAME      only this case; may be given several times. The page then keeps the entries of the others
  --ranks N        ranks of each run (2)
  --quick          two steps of each case on a quarter of the cells in each direction, for tests
  --runs FOLDER    folder of the runs (a temporary one, which is removed)
  --draw           only draw again what is in the folder of --runs

Exit codes: 0 all drawn; 1 a run failed; 2 an option is not understood, or a module is missing."""
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(HERE, "plot"))
import system_python  # noqa: E402

system_python.require("gallery", __name__)
import isosurface  # noqa: E402
import report_parts  # noqa: E402
import slices  # noqa: E402
from kolmo import namelists  # noqa: E402
from kolmo.guarded import writable  # noqa: E402
from kolmo.snapshots import find  # noqa: E402
from report_parts import Unreadable, plotter  # noqa: E402

WHOLE = ("stirred-box",)  # cases that fit no coarser grid
WIDE, COLOURS, BYTES = 480, (256, 64, 32), 60000  # pixels of a picture, colours that are tried, largest size


def plane(normal, position, quantities):
    """Settings of a slice at the end of the run."""
    return {"slices.normal(1)": normal, "slices.position(1)": position, "slices.quantities(1)": quantities,
            "slices.interval_time(1)": "END"}


def box(quantities):
    """Settings of a box over the whole grid at the end of the run."""
    return {"boxes.quantities(1)": quantities, "boxes.interval_time(1)": "END"}


# name: what is drawn (a quantity of the slice, or an isosurface of Q and its colour), the end of the run,
# other settings, what the picture shows
ENTRIES = {
    "taylor-green-re1600": ("q:vorticity.z", 9, {"grid.n": "64,64,64", **box("'q vorticity'")},
                            "The Taylor-Green vortex at its largest dissipation: an isosurface of Q, "
                            "coloured by the vorticity along z."),
    "isotropic-decay": ("q:vorticity.z", 2, {"grid.n": "40,40,40", "output.field_interval_time": 0,
                                              **box("'q vorticity'")},
                        "Decaying isotropic turbulence: an isosurface of Q."),
    "isotropic-mixing": ("dye", 2, {"output.field_interval_time": 0, **plane("y", 0, "dye")},
                         "A dye that turbulence mixes. It began as one wave in x."),
    "channel-minimal": ("velocity.x", 60, plane("z", 0.1, "velocity"),
                        "A streak in the smallest turbulent channel, 18 wall units above the lower wall: "
                        "the velocity along the stream."),
    "channel-rotating": ("velocity.x", 60, plane("x", 1, "velocity"),
                         "A cross-section of a channel that turns about y, on the way to turbulence: the "
                         "lower wall makes it, the upper one quenches it."),
    "couette-turbulent": ("velocity.x", 60, {"grid.n": "40,32,32", **plane("x", 1, "velocity")},
                          "A cross-section of Couette flow on the way to turbulence, between walls that "
                          "move in opposite directions."),
    "square-duct": ("velocity.x", 40, {"grid.n": "24,32,32", **plane("x", 1, "velocity")},
                    "A square duct on the way to turbulence: the velocity along the duct in a "
                    "cross-section."),
    "rayleigh-benard": ("temperature", 40, {"grid.n": "32,32,20", **plane("y", 1, "temperature")},
                        "Rayleigh-Benard convection, Ra 1e5: plumes between a warm and a cold plate."),
    "heated-cavity-2d": ("temperature", 20, {"grid.n": "40,2,40", **plane("y", 0.02, "temperature")},
                         "Convection in a cavity between a warm and a cold wall."),
    "cavity-2d-re1000": ("velocity", 30, {"grid.n": "48,2,48", **plane("y", 0.5, "velocity")},
                         "The lid-driven cavity, Re 1000: the speed."),
    "backward-step-re800": ("velocity.x", 60, {"grid.n": "120,2,16", **plane("y", 0.05, "velocity")},
                            "A backward-facing step: the jet from the upper half of the inflow, and fluid "
                            "that flows back below it."),
    "cylinder-re20": ("velocity.x", 4, {"grid.n": "220,2,41", "output.field_interval_time": 0,
                                        **plane("y", 0.005, "velocity")},
                      "A cylinder in a channel, Re 20, with the bubble behind it."),
    "taylor-couette": ("velocity", 0.8, {"output.field_interval_time": 0, "grid.n": "48,48,4",
                                       **plane("z", 0.05, "velocity")},
                       "Fluid between two cylinders, of which the inner one turns: the speed."),
    "oscillating-cylinder": ("vorticity.z", 6, {"grid.n": "128,80,2", "grid.length": "8,5,0.125",
                                                "bodies.centre(:,1)": "4,2.5,0",
                                                **plane("z", 0.1, "vorticity")},
                             "The vorticity around a cylinder that swings to and fro in fluid at rest."),
    "stirred-box": ("vorticity.y", 3, {"grid.n": "48,48,48", **plane("y", 0.5, "vorticity")},
                    "A stream through 96 cubes at random places, which stirs turbulence."),
    "sphere-array": ("velocity.x", 0.06, plane("y", 0.51, "velocity"),
                     "Slow flow through a cubic array of spheres."),
}  # fmt: skip


# ---- runs --------------------------------------------------------------------------------------------------

def quarter(cells):
    """A quarter of the cells in each direction, for tests."""
    return ",".join(str(n if n < 8 else max(4, 2 * round(n / 8))) for n in cells)


def settings(name, quick):
    """[GROUP.NAME=VALUE] of an entry."""
    _, end, more, _ = ENTRIES[name]
    chosen = {"run.t_end": end, **{n: end if v == "END" else v for n, v in more.items()}}
    if quick:
        with open(os.path.join(ROOT, "inputs", "cases", name + ".nml"), encoding="utf-8") as file:
            cells = str(chosen.get("grid.n", ",".join(namelists.parse(file.read())["grid.n"])))
        if name not in WHOLE:
            chosen["grid.n"] = quarter([int(n) for n in cells.split(",")])
        chosen["run.steps_max"] = 2
        del chosen["run.t_end"]
        for group in ("slices", "boxes"):
            if group + ".interval_time(1)" in chosen:
                chosen.update({group + ".interval_time(1)": 0, group + ".interval(1)": 2})
    return [f"{n}={v}" for n, v in chosen.items()]


def quoted(word):
    """A word of a command line."""
    return f'"{word}"' if "'" in word else shlex.quote(word)


def shown(name, words, step):
    """The commands of the page, line by line; step: of the last file."""
    what, folder = ENTRIES[name][0], f"runs/gallery/{name}"
    lines = [f"mpirun -n 2 build/cpu/kolmo inputs/cases/{name}.nml"]
    for word in [*words, f"output.directory={folder}"]:
        more = f" --set {quoted(word)}"
        if len(lines[-1] + more) > 100:
            lines[-1] += " \\"
            lines.append("   ")
        lines[-1] += more
    paint = (f"isosurface.py --colour {what[2:]} {folder}/box_1_{step:08d}.h5" if what.startswith("q:")
             else f"slices.py --quantity {what} --step {step} {folder}")
    return [*lines, f"python3 postproc/plot/{paint}"]


def run_case(o, name, folder):
    """Runs an entry; seconds."""
    start = ["mpirun", "-n", str(o["ranks"])] if o["ranks"] > 1 else []
    words = [w for s in settings(name, o["quick"]) for w in ("--set", s)]
    begun = time.monotonic()
    case = os.path.join(ROOT, "inputs", "cases", name + ".nml")
    done = subprocess.run([*start, o["kolmo"], case, *words, "--set", f"output.directory={folder}"],
                          capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise RuntimeError(f"{name}: exit code {done.returncode}: {done.stderr.strip()[-600:]}")
    return time.monotonic() - begun


# ---- pictures ----------------------------------------------------------------------------------------------

def draw(name, folder, target):
    """The picture of the last file of an entry, small; the step of this file."""
    what, plt = ENTRIES[name][0], plotter()
    if what.startswith("q:"):
        paths = find(folder)["box_1"]
        drawn = isosurface.draw({"dir": paths[max(paths)], "quantity": "q", "colour": what[2:], "level": None,
                                 "to": target, "limits": None, "map": None, "view": None, "pixels": WIDE})
        if not drawn:
            raise RuntimeError(f"{name}: Q has no surface")
    else:
        paths = find(folder)["slice_1"]
        last = paths[max(paths)]
        figure = slices.picture(plt, last, what, slices.common_limits({0: last}, what))
        figure.savefig(writable(target), dpi=WIDE / figure.get_size_inches()[0])
        plt.close(figure)
    shrink(target)
    return max(paths)


def shrink(path):
    """Fewer colours, until the picture has at most BYTES."""
    from PIL import Image

    with Image.open(path) as picture:
        whole = picture.convert("RGB")
    for colours in COLOURS:
        whole.quantize(colours).save(path, optimize=True)
        if os.path.getsize(path) <= BYTES:
            return
    raise RuntimeError(f"{path}: {os.path.getsize(path)} bytes, at most {BYTES} are wanted")


# ---- the page ----------------------------------------------------------------------------------------------

HEAD = """# Gallery

`make gallery` has made this page: it runs these cases, of which some are smaller or shorter than their input
files say, and draws one picture of each. The commands do the same; their pictures have more points and
colours, and slices may have other limits. The times are those of two ranks on two cores that had other work,
too.
[inputs/cases](../inputs/cases/README.md) describes all cases.
"""
PART = re.compile(r"^## (\S+)\n.*?(?=^## |\Z)", re.M | re.S)


def part(name, seconds, step):
    """An entry of the page."""
    commands = "".join(f"    {line}\n" for line in shown(name, settings(name, False), step))
    took = f"{seconds:.0f} s" if seconds >= 1 else "less than 1 s"
    return (f"## {name}\n\n![{name}](gallery/{name}.png)\n\n{ENTRIES[name][3]} The run took {took}.\n\n"
            f"{commands}\n")


def write_page(folder, made):
    """gallery.md, with the entries that it has and is not given anew."""
    path, parts = os.path.join(folder, "gallery.md"), {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            parts = {m[1]: m[0] for m in PART.finditer(file.read())}
    parts.update(made)
    with open(writable(path + ".tmp"), "w", encoding="utf-8") as file:
        file.write("\n".join([HEAD] + [parts[n].rstrip() + "\n" for n in ENTRIES if n in parts]))
    os.replace(path + ".tmp", path)


def options(words):
    """What the command line asks for."""
    o = report_parts.options(
        words, __doc__, {"kolmo": os.path.join(ROOT, "build", "cpu", "kolmo"), "only": [], "ranks": 2,
                         "quick": False, "runs": None, "draw": False},
        {"only": lambda text: list(ENTRIES)[list(ENTRIES).index(text)], "ranks": int,
         "kolmo": os.path.abspath})
    if o["draw"] and not o["runs"]:
        raise Unreadable("--draw: from which runs? give --runs, too")
    if not os.access(o["kolmo"], os.X_OK):
        raise Unreadable(f"--kolmo {o['kolmo']}: no such program; run make first")
    return o


def main(words):
    """Exit code."""
    failed = 0
    try:
        import PIL  # noqa: F401  pylint: disable=unused-import

        o = options(words)
        os.makedirs(os.path.join(o["dir"], "gallery"), exist_ok=True)
    except ImportError:
        print("gallery: no module PIL; install python3-pil", file=sys.stderr)
        return 2
    except (Unreadable, OSError) as error:
        print(f"gallery: {error}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as temporary:
        for name in o["only"] or ENTRIES:
            folder = os.path.join(o["runs"] or temporary, name)
            try:
                seconds = None if o["draw"] else run_case(o, name, folder)
                step = draw(name, folder, os.path.join(o["dir"], "gallery", name + ".png"))
            except (RuntimeError, Unreadable, OSError, KeyError) as error:
                print(f"gallery: {error}", file=sys.stderr)
                failed += 1
                continue
            if seconds is not None:
                write_page(o["dir"], {name: part(name, seconds, step)})
                print(f"{name}: {seconds:.1f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

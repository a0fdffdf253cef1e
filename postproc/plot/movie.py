"""Makes an animation of the slices of a run, or of an isosurface in one of its boxes.

usage: kolmo-movie [--slice N] [--quantity NAME] [--limits LOW,HIGH] [--map NAME] [--fps N] [--first STEP]
                   [--last STEP] [--dpi N] [--to FILE] DIR
       kolmo-movie --surface q|lambda2 [--box N] [--level X] [--colour NAME] [--view A,E] [...] DIR
       kolmo-movie --volume NAME [--box N] [--opacity X] [--view A,E] [...] DIR

DIR is the folder of a run, with files slice_<n>_<step>.h5 or box_<n>_<step>.h5. Each file is a frame. All
frames have the same colours, the same size, and the same value on the surface.

  --slice N          number of the slice (the first one)
  --quantity NAME    what is drawn, as slices.py --help names it: velocity, velocity.x, vorticity.z, q, ...
                     Without this option, the first quantity of the files
  --surface NAME     draw the surface of q or lambda2 in a box instead of a slice
  --box N            number of the box (the first one)
  --level X          value on the surface. Without this option, it encloses 4 % of the cells of the last file
  --colour NAME      quantity that colours the surface, as isosurface.py --help names it (vorticity.z, or
                     height if the files have no vorticity)
  --view A,E         direction from the box to the eye, in degrees (35,25)
  --volume NAME      draw a volume of this quantity in a box, as volume.py does; needs VTK (pip install vtk)
  --opacity X        of a volume, as volume.py --help says (0.7)
  --limits LOW,HIGH  values at the ends of the colour map
  --map NAME         colour map of matplotlib
  --first, --last    steps of the first and the last frame
  --fps N            frames per second (10)
  --dpi N            points per inch (120); the longer side of a slice has 6 inches, a box 7.5
  --to FILE          FILE.mp4 (needs ffmpeg), FILE.gif (needs python3-pil), or a folder for a series of PNG.
                     Without this option, the best of these that can be made, in DIR

Exit codes: 0 made; 1 there are fewer than two frames; 2 a file is missing or can't be read, an option is not
understood, or the program that makes such a film is not installed."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import system_python
system_python.require("kolmo-movie", __name__)
import numpy as np  # noqa: E402
import isosurface  # noqa: E402
import report_parts  # noqa: E402
import slices  # noqa: E402
import volume  # noqa: E402
from kolmo.plots import signed  # noqa: E402
from kolmo.snapshots import find  # noqa: E402
from report_parts import Unreadable, plotter  # noqa: E402

OF = {"box": ("surfaces", "volumes"), "view": ("surfaces", "volumes"), "level": ("surfaces",),
      "colour": ("surfaces",), "opacity": ("volumes",), "slice": ("slices",), "quantity": ("slices",)}


# ---- frames ------------------------------------------------------------------------------------------------

def files_of(o):
    """The files of the slice or the box by step, between --first and --last; the name of what they are."""
    kind = "box" if o["surface"] or o["volume"] else "slice"
    there = {int(n.rpartition("_")[2]): n for n in find(o["dir"]) if re.fullmatch(kind + r"_\d+", n)}
    if not there:
        raise Unreadable(f"{o['dir']}: no {kind}_<n>_<step>.h5; &{'boxes' if kind == 'box' else 'slices'} of "
                         "the input asks for them")
    number = o[kind] if o[kind] is not None else min(there)
    if number not in there:
        raise Unreadable(f"--{kind} {number}: this run has {kind} {', '.join(map(str, sorted(there)))}")
    paths = find(o["dir"])[there[number]]
    return there[number], {s: p for s, p in sorted(paths.items()) if (o["first"] or 0) <= s
                           and (o["last"] is None or s <= o["last"])}


def slice_frames(o, paths, folder):
    """Draws them; the quantity."""
    held = slices.names_in(next(iter(paths.values())))
    quantity = o["quantity"] or held[0]
    if quantity not in held:
        raise Unreadable(f"--quantity {quantity}: these files have {', '.join(held)}")
    limits, plt = o["limits"] or slices.common_limits(paths, quantity), plotter()
    for n, path in enumerate(paths.values()):
        figure = slices.picture(plt, path, quantity, limits, o["map"])
        figure.savefig(os.path.join(folder, f"frame_{n:06d}.png"), dpi=o["dpi"])
        plt.close(figure)
    return quantity


def surface_frames(o, paths, folder):
    """Draws them with the level and the colours of the last file; the quantity."""
    quantity, colour = o["surface"], isosurface.colour_of(o, paths[max(paths)])
    values, _, _ = isosurface.read(paths[max(paths)], {quantity, colour})
    share = 1 - isosurface.SHARE if quantity == "q" else isosurface.SHARE
    level = o["level"] if o["level"] is not None else float(np.quantile(values[quantity], share))
    low, high = (float(v) for v in np.quantile(values[colour], (0.02, 0.98)))
    most = max(abs(low), abs(high), 1e-30)
    limits = o["limits"] or ((-most, most) if signed(colour) else (low, max(high, low + 1e-30)))
    for n, path in enumerate(paths.values()):
        name = os.path.join(folder, f"frame_{n:06d}.png")
        drawn = isosurface.draw({"dir": path, "quantity": quantity, "colour": colour, "level": level,
                                 "to": name, "limits": limits, "map": o["map"], "view": o["view"],
                                 "pixels": round(isosurface.WIDE * o["dpi"])})
        if not drawn:
            raise Unreadable(f"{path}: no value reaches {level:.4g}; give another --level, or --first")
    return quantity


def volume_frames(o, paths, folder):
    """Draws them with the colours of the last file; the quantity."""
    volume.need_vtk()
    quantity = o["volume"]
    values, _, _ = isosurface.read(paths[max(paths)], {quantity})
    limits = volume.limits_of(values[quantity], quantity, o["limits"])
    for n, path in enumerate(paths.values()):
        volume.draw({**dict.fromkeys(("surface", "level", "colour")), "dir": path, "quantity": quantity,
                     "opacity": o["opacity"], "limits": limits, "map": o["map"], "view": o["view"],
                     "to": os.path.join(folder, f"frame_{n:06d}.png"),
                     "pixels": round(isosurface.WIDE * o["dpi"])})
    return quantity


# ---- films -------------------------------------------------------------------------------------------------

def has_pillow():
    """Whether GIF can be written."""
    try:
        import PIL.Image  # noqa: F401  pylint: disable=unused-import
    except ImportError:
        return False
    return True


def target_of(o, stem):
    """Where the film goes: the best kind that can be made, or the one that is asked for."""
    ffmpeg = shutil.which("ffmpeg")
    if o["to"] is None:
        return os.path.join(o["dir"], stem + (".mp4" if ffmpeg else ".gif" if has_pillow() else ""))
    if o["to"].endswith(".mp4") and not ffmpeg:
        raise Unreadable(f"--to {o['to']}: there is no ffmpeg in the PATH; install it (apt install ffmpeg), "
                         "or choose a name that ends in .gif, or a folder for a series of PNG")
    if o["to"].endswith(".gif") and not has_pillow():
        raise Unreadable(f"--to {o['to']}: there is no module PIL; install python3-pil, or choose a folder "
                         "for a series of PNG")
    if os.path.splitext(o["to"])[1] not in (".mp4", ".gif", ""):
        raise Unreadable(f"--to {o['to']}: the name of a film ends in .mp4 or .gif; another name without an "
                         "ending is a folder")
    return o["to"]


def even(folder, names):
    """Makes all frames as large as the largest one, on white, with even sides, as films want them."""
    from PIL import Image

    pictures = [Image.open(os.path.join(folder, n)).convert("RGB") for n in names]
    size = tuple(2 * (-(-max(p.size[d] for p in pictures) // 2)) for d in (0, 1))
    for name, picture in zip(names, pictures):
        if picture.size != size:
            whole = Image.new("RGB", size, "white")
            whole.paste(picture, ((size[0] - picture.size[0]) // 2, (size[1] - picture.size[1]) // 2))
            whole.save(os.path.join(folder, name))


def write_film(folder, target, fps):
    """The film of frame_000000.png, ..."""
    names = sorted(os.listdir(folder))
    if has_pillow():
        even(folder, names)
    if target.endswith(".mp4"):
        done = subprocess.run(
            ["ffmpeg", "-y", "-loglevel", "error", "-framerate", str(fps), "-i",
             os.path.join(folder, "frame_%06d.png"), "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white",
             "-pix_fmt", "yuv420p", target], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Unreadable(f"ffmpeg has failed: {done.stderr.strip()[-300:]}")
    elif target.endswith(".gif"):
        from PIL import Image

        first, *others = [Image.open(os.path.join(folder, n)).convert("RGB") for n in names]
        first.save(target, save_all=True, append_images=others, duration=round(1000 / fps), loop=0)
    else:
        os.makedirs(target, exist_ok=True)
        for name in names:
            shutil.copyfile(os.path.join(folder, name), os.path.join(target, name))


# ---- the command -------------------------------------------------------------------------------------------

def positive(text):
    """A number above 0."""
    value = float(text)
    if not value > 0:
        raise ValueError(text)
    return value


def options(words):
    """What the command line asks for."""
    found = report_parts.options(
        words, __doc__,
        {"slice": None, "quantity": None, "surface": None, "volume": None, "opacity": None, "box": None,
         "level": None, "colour": None,
         "view": None, "limits": None, "map": None, "first": None, "last": None, "fps": 10.0, "dpi": 120.0,
         "to": None},
        {"slice": int, "box": int, "level": float, "view": isosurface.pair, "opacity": volume.share,
         "limits": slices.limits_of, "first": int,
         "last": int, "fps": positive, "dpi": positive,
         "surface": lambda text: ("q", "lambda2")[("q", "lambda2").index(text)]})
    if found["surface"] and found["volume"]:
        raise Unreadable("--surface and --volume: choose one")
    mine = "surfaces" if found["surface"] else "volumes" if found["volume"] else "slices"
    for name, kinds in OF.items():
        if found[name] is not None and mine not in kinds:
            raise Unreadable(f"--{name}: it is of {' and '.join(kinds)}; this would be a film of {mine}"
                             + ("; give --surface, too" if "surfaces" in kinds and mine == "slices" else ""))
    return found


def main(words):
    """Exit code."""
    try:
        o = options(words)
        name, paths = files_of(o)
        if len(paths) < 2:
            print(f"kolmo-movie: {name} has {len(paths)} files; two frames or more are wanted",
                  file=sys.stderr)
            return 1
        with tempfile.TemporaryDirectory() as folder:
            target_of(o, name)  # whether it can be made, before frames are drawn
            frames = surface_frames if o["surface"] else volume_frames if o["volume"] else slice_frames
            quantity = frames(o, paths, folder)
            target = target_of(o, f"{name}_{quantity.replace('.', '_')}")
            write_film(folder, target, o["fps"])
    except (Unreadable, ImportError, OSError, ValueError) as error:
        print(f"kolmo-movie: {error}", file=sys.stderr)
        return 2
    print(f"film {target}: {len(paths)} frames")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

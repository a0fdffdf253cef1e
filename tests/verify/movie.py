#!/usr/bin/env python3
"""kolmo-movie: frames of slices and of an isosurface as GIF, as a series, and by ffmpeg, for which a program
stands in; what is refused. Volumes, of it and of volume.py, where VTK is installed: KOLMO_FORMATS_PYTHON
names a Python that has it.

Would catch: volumes that are empty, black, mirrored, or of another quantity, frames in another order, of
another slice or size, colours that change from frame to frame, a film that is claimed and not there."""
import contextlib
import io
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(HERE, "..", "..", "postproc", "plot"))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402
import movie  # noqa: E402

PYTHON = os.environ.get("KOLMO_FORMATS_PYTHON", sys.executable)
CASE = {
    "run": {"steps_max": 4},
    "grid": {"n": (12, 10, 8)},
    "fluid": {"nu": 0.02},
    "time": {"dt": 0.05},
    "initial": {"type": "isotropic", "u_rms": 2.0},
    "slices": {"normal": ("z", "x"), "position": (1.0, 2.0), "interval": (2, 4),
               "quantities": ("velocity q", "pressure")},
    "boxes": {"interval": 2, "quantities": "q vorticity"},
}


def tool(*words):
    """Exit code and what is said."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = movie.main(list(words))
    return code, out.getvalue()


def films(kolmo, check):
    """All kinds, of files that are compressed."""
    run = kolmo.run(kc.merge(CASE, {"output": {"compression": 2}}))
    try:
        import matplotlib  # noqa: F401  pylint: disable=unused-import
        from PIL import Image
    except ImportError:
        check.skip("films", "no matplotlib or PIL")
        return
    os.environ["PATH"] = os.path.join(run.folder, "none")  # no ffmpeg
    code, said = tool("--dpi", "40", "--quantity", "velocity.x", run.folder)
    name = os.path.join(run.folder, "slice_1_velocity_x.gif")
    check.equal("GIF without ffmpeg", (code, f"film {name}: 3 frames" in said), (0, True))
    with Image.open(name) as film:
        check.equal("    frames", film.n_frames, 3)
        frames = []
        for n in range(3):
            film.seek(n)
            frames.append(np.asarray(film.convert("L"), dtype=float))
    check.equal("    sides are even", [s % 2 for s in frames[0].shape], [0, 0])
    check.above("    they differ", float(min(abs(a - b).max() for a, b in zip(frames, frames[1:]))), 20.0)
    bar = frames[0].shape[1] * 15 // 16
    check.below("    the colour bar is the same", float(abs(frames[0] - frames[2])[:, bar:].max()), 40.0)
    series = os.path.join(run.folder, "series")
    check.equal("a series", tool("--dpi", "30", "--first", "2", "--to", series, run.folder)[0], 0)
    check.equal("    files", sorted(os.listdir(series)), ["frame_000000.png", "frame_000001.png"])
    surface = os.path.join(run.folder, "surface.gif")
    code, said = tool("--surface", "q", "--dpi", "20", "--to", surface, run.folder)
    check.equal("an isosurface", (code, os.path.exists(surface)), (0, True))
    code, missing = tool("--surface", "q", "--colour", "pressure", "--to", surface, run.folder)
    check.equal("a colour that the box lacks: exit code", code, 2)
    check.says("    its words", missing, "has no 'pressure'", "--colour", "boxes.quantities")
    levels = {line.partition(" = ")[2].partition(" at")[0] for line in said.splitlines() if " = " in line}
    check.equal("    one level", len(levels), 1)
    plain = os.path.join(kolmo.place(), "box_1_00000002.h5")
    shutil.copyfile(os.path.join(run.folder, os.path.basename(plain)), plain)
    with h5py.File(plain, "r+") as file:
        del file["vorticity"]
    unset = dict.fromkeys(("quantity", "level", "colour", "limits", "map", "view", "to"))
    drawn = movie.isosurface.draw({**unset, "dir": plain, "pixels": 40})
    there = os.path.exists(plain[:-3] + ".png")
    check.equal("    without vorticity in the file", (drawn, there), (True, True))
    place = kolmo.place()
    with open(os.path.join(place, "ffmpeg"), "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\nfor last; do :; done\necho "$@" > "$last"\n')
    os.chmod(os.path.join(place, "ffmpeg"), 0o755)
    os.environ["PATH"] = place + ":/bin:/usr/bin"
    code, said = tool("--dpi", "30", "--slice", "2", run.folder)
    path = os.path.join(run.folder, "slice_2_pressure.mp4")
    check.equal("mp4 where ffmpeg is", (code, os.path.exists(path)), (0, True))
    check.says("    its words", kc.file_bytes(path).decode(), "-framerate 10", "frame_%06d.png", "yuv420p")


def refused(kolmo, check):
    """Words and folders."""
    run = kolmo.run(CASE)
    os.environ["PATH"] = os.path.join(run.folder, "none")
    for words, told in ((("--slice", "3", run.folder), "this run has slice 1, 2"),
                        (("--quantity", "pressure", run.folder), "these files have q, velocity"),
                        (("--to", "x.mp4", run.folder), "no ffmpeg"),
                        (("--to", "x.avi", run.folder), "ends in .mp4 or .gif"),
                        (("--level", "3", run.folder), "give --surface"),
                        (("--volume", "q", "--level", "3", run.folder), "of surfaces"),
                        (("--volume", "q", "--surface", "q", run.folder), "choose one"),
                        (("--surface", "p", run.folder), "not understood"),
                        (("--surface", "lambda2", run.folder), "lambda2"),
                        ((kolmo.place(),), "no slice_<n>_<step>.h5")):
        code, said = tool(*words)
        check.equal(f"{' '.join(words[:-1])}: {told}", (code, told in said), (2, True))
    check.equal("one frame is no film", tool("--first", "4", run.folder)[0], 1)
    for script in ("isosurface.py", "volume.py"):
        code, said = call(f"plot/{script}", "--pixels", "0", os.path.join(run.folder, "box_1_00000004.h5"))
        check.equal(f"{script} --pixels 0", (code, "--pixels 0: not understood" in said), (2, True))


def call(script, *words):
    """Exit code and what is said, in the Python of volumes, without a display."""
    env = {n: v for n, v in kc.environment().items() if n != "DISPLAY"}
    done = subprocess.run([PYTHON, os.path.join(HERE, "..", "..", "postproc", script), *words], env=env,
                          capture_output=True, text=True, check=False, timeout=kc.SECONDS)
    return done.returncode, done.stdout + done.stderr


def coloured(path):
    """Where a picture has colour, left of the colour bar: mean places to the right and down, the share."""
    from matplotlib import image

    pixels = image.imread(path)[..., :3]
    pixels = pixels[:, :pixels.shape[1] * 85 // 100]
    seen = pixels.max(axis=-1) - pixels.min(axis=-1) > 0.15
    down, right = np.nonzero(seen)
    return right.mean() / seen.shape[1], down.mean() / seen.shape[0], seen.mean()


def small(folder, mine, check):
    """The same picture of a box a thousand times smaller, which rays of steps of 1 L would miss, and of one
    with cells without a value, as averages have them in bodies."""
    other, to = (os.path.join(folder, n) for n in ("other.h5", "other.png"))
    shutil.copy(mine, other)
    with h5py.File(other, "r+") as file:
        for d in "xyz":
            file[f"grid/{d}_face"][...] *= 1e-3
        file["q"][:4, -5:, :4] = np.nan
    seen = []
    for path in (mine, other):
        for words in (("--quantity", "q"), ("--surface", "q", "--map", "jet")):
            code, said = call("plot/volume.py", *words, "--pixels", "300", "--to", to, path)
            check.equal(f"{os.path.basename(path)}, {words[0]}", (code, said.count("drawn")), (0, 1))
            seen.append(coloured(to))
    for name, one, two in (("volume", seen[0], seen[2]), ("surface", seen[1], seen[3])):
        check.below(f"small box with holes, {name}: moved by, share of the picture",
                    float(max(abs(a - b) for a, b in zip(one, two))), 0.01)


def volumes(kolmo, check):
    """A sphere in a corner of a stretched box is drawn in that corner, as volume and as surface."""
    run = kolmo.run(CASE)
    if subprocess.run([PYTHON, "-c", "import vtkmodules.vtkRenderingVolumeOpenGL2"], capture_output=True,
                      check=False).returncode:
        path = os.path.join(run.folder, "box_1_00000004.h5")
        for script, words in (("plot/volume.py", (path,)),
                              ("kolmo-movie", ("--volume", "vorticity", run.folder))):
            code, said = call(script, *words)
            check.equal(f"{script} without VTK", (code, "pip install vtk" in said), (2, True))
        check.skip("volumes", "no vtk")
        return
    run = kolmo.run(kc.merge(CASE, {"grid": {"n": (24, 20, 16), "stretching": ("sine", "uniform", "uniform"),
                                             "stretching_factor": (0.5, 0.0, 0.0)},
                                    "time": {"dt": 0.02}}))
    path, mine = (os.path.join(run.folder, n) for n in ("box_1_00000004.h5", "mine.h5"))
    shutil.copy(path, mine)
    with h5py.File(mine, "r+") as file:
        centre = [0.5 * (file[f"grid/{d}_face"][1:] + file[f"grid/{d}_face"][:-1]) for d in "xyz"]
        z, y, x = np.meshgrid(*centre[::-1], indexing="ij")
        file["q"][...] = np.exp(-3 * ((x - 5) ** 2 + (y - 1.5) ** 2 + (z - 5) ** 2))
    eye = {"0,0": (1.5, 5.0), "90,0": (2 * np.pi - 5, 5.0)}  # what lies to the right, and up
    for view, (right, up) in eye.items():
        for words in (("--quantity", "q"),
                      ("--surface", "q", "--level", "0.3", "--colour", "q", "--map", "jet")):
            to = os.path.join(run.folder, "picture.png")
            code, said = call("plot/volume.py", *words, "--view", view, "--pixels", "300", "--to", to, mine)
            check.equal(f"{words[0]} from {view}", (code, said), (0, f"drawn {to}: q at t = 0.08\n"))
            seen = coloured(to)
            check.near("    to the right", seen[0], right / (2 * np.pi), 0.06)
            check.near("    down", seen[1], 1 - up / (2 * np.pi), 0.06)
            check.above("    share of the picture", seen[2], 0.003)
    small(run.folder, mine, check)
    code, said = call("plot/volume.py", "--surface", "q", "--level", "1e9", mine)
    check.equal("an empty surface", (code, "no value reaches" in said), (1, True))
    check.says("a quantity that is not there", call("plot/volume.py", "--quantity", "heat", mine)[1],
               "no 'heat', but q, vorticity;", "--quantity")
    check.says("a slice", call("plot/volume.py", "--quantity", "velocity", os.path.join(
        run.folder, "slice_1_00000004.h5"))[1], "slices.py draws it")
    code, said = call("kolmo-movie", "--volume", "vorticity", "--dpi", "20", "--to", run.folder + "/film",
                      run.folder)
    check.equal("a film", (code, sorted(os.listdir(run.folder + "/film"))),
                (0, [f"frame_{n:06d}.png" for n in range(3)]))


if __name__ == "__main__":
    kc.main(__doc__, [films, refused, volumes])

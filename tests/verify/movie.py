#!/usr/bin/env python3
"""kolmo-movie: frames of slices and of an isosurface as GIF, as a series, and by ffmpeg, for which a program
stands in; what is refused.

Would catch: frames in another order, of another slice or size, colours that change from frame to frame, a
film that is claimed and not there."""
import contextlib
import io
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(HERE, "..", "..", "postproc", "plot"))
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402
import movie  # noqa: E402

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
    """All kinds."""
    run = kolmo.run(CASE)
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
                        (("--surface", "p", run.folder), "not understood"),
                        (("--surface", "lambda2", run.folder), "lambda2"),
                        ((kolmo.place(),), "no slice_<n>_<step>.h5")):
        code, said = tool(*words)
        check.equal(f"{' '.join(words[:-1])}: {told}", (code, told in said), (2, True))
    check.equal("one frame is no film", tool("--first", "4", run.folder)[0], 1)


if __name__ == "__main__":
    kc.main(__doc__, [films, refused])

#!/usr/bin/env python3
"""postproc/gallery.py, which makes docs/gallery.md: a few of its cases in two steps on a quarter of the
cells, the settings of all of them, and the page that is kept.

Would catch: a case that its settings no longer fit, a picture that is empty, large or missing, a page whose
commands are not those that made it, an entry that is lost when another one is drawn anew."""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", ".."))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(ROOT, "postproc"))
import kolmo_case as kc  # noqa: E402

TOOL, DOCS = os.path.join(ROOT, "postproc", "gallery.py"), os.path.join(ROOT, "docs")


def tool(kolmo, *words, rc=0):
    """What the command says."""
    done = subprocess.run([sys.executable, TOOL, "--kolmo", kolmo.program, "--ranks", "1", *words],
                          capture_output=True, text=True, check=False, timeout=kc.SECONDS,
                          stdin=subprocess.DEVNULL, env={**kc.environment(), **kolmo.alone()})
    if done.returncode != rc:
        raise kc.RunError(f"{words}: exit code {done.returncode}, expected {rc}: {done.stderr[-300:]}")
    return done.stdout + done.stderr


def drawing(kolmo, check):
    """A surface and two slices; one of them again."""
    try:
        import PIL.Image
        import matplotlib  # noqa: F401  pylint: disable=unused-import
    except ImportError:
        check.skip("pictures", "no matplotlib or PIL")
        return
    place = kolmo.place()
    names = ("isotropic-decay", "cavity-2d-re1000", "isotropic-mixing")
    only = [w for n in names for w in ("--only", n)]
    tool(kolmo, "--quick", *only, "--runs", place + "/runs", place)
    with open(place + "/gallery.md", encoding="utf-8") as file:
        page = file.read()
    check.equal("entries", re.findall(r"^## (\S+)", page, re.M), ["isotropic-decay", "isotropic-mixing",
                                                                  "cavity-2d-re1000"])
    for name in names:
        with PIL.Image.open(f"{place}/gallery/{name}.png") as picture:
            check.equal(f"{name}: pixels across", abs(picture.size[0] - 480) <= 2, True)
            check.above("    colours", len(set(picture.convert("RGB").getdata())), 20)
    for words, rc, told in ((("--quantity", "dye"), 0, "drawn"), (("--quantity", "heat"), 2, "have dye")):
        done = subprocess.run([sys.executable, os.path.join(ROOT, "postproc", "plot", "slices.py"), *words,
                               f"{place}/runs/isotropic-mixing"], capture_output=True, text=True, check=False)
        check.equal(f"slices.py {' '.join(words)}: exit code", done.returncode, rc)
        check.says("    its words", done.stdout + done.stderr, told)
    os.unlink(f"{place}/gallery/{names[1]}.png")
    tool(kolmo, "--draw", "--only", names[1], "--runs", place + "/runs", place)
    check.equal("drawn again", os.path.exists(f"{place}/gallery/{names[1]}.png"), True)
    with open(place + "/gallery.md", encoding="utf-8") as file:
        check.equal("    the page", file.read() == page, True)
    check.says("an unknown case", tool(kolmo, "--only", "nothing", place, rc=2), "not understood")
    said = tool(kolmo, "--quick", "--only", names[1], "--runs", "/dev/null", place, rc=1)
    check.says("a run that fails", said, "cavity-2d-re1000: exit code")


def settings(kolmo, check):
    """Each case takes its settings."""
    import gallery

    for name in gallery.ENTRIES:
        words = [w for s in gallery.settings(name, False) for w in ("--set", s)]
        said = kolmo.call(os.path.join(ROOT, "inputs", "cases", name + ".nml"), "--check", *words, rc=None)
        check.equal(name, (said.rc, said.err[-200:]), (0, ""))


def kept(_, check):
    """The page in docs: all cases, with the commands of today, and small pictures."""
    import gallery

    with open(os.path.join(DOCS, "gallery.md"), encoding="utf-8") as file:
        parts = {m[1]: m[0] for m in gallery.PART.finditer(file.read())}
    check.equal("entries", list(parts), list(gallery.ENTRIES))
    sizes = {n: os.path.getsize(os.path.join(DOCS, "gallery", n + ".png")) for n in parts}
    check.below("largest picture [bytes]", max(sizes.values()), gallery.BYTES)
    check.below("all pictures [bytes]", sum(sizes.values()), 1e6)
    check.equal("other files", sorted(os.listdir(os.path.join(DOCS, "gallery"))),
                sorted(n + ".png" for n in parts))
    for name, text in parts.items():
        step = int(re.search(r"--step (\d+)|_(\d{8})\.h5", text).expand(r"\1\2") or -1)
        commands = [line[4:] for line in text.splitlines() if line.startswith("    ")]
        wanted = gallery.shown(name, gallery.settings(name, False), step)
        check.equal(f"{name}: commands", commands, list(wanted))


if __name__ == "__main__":
    kc.main(__doc__, [drawing, settings, kept])

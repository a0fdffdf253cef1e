#!/usr/bin/env python3
"""`make install`, what it installs, `make uninstall` and `make dist`; the Spack package and the PBS script
with stand-ins for their tools.

Would catch: a program that starts only in the checkout, a report that misses its tables, a completion that
knows no inputs, a man page that formats nothing, files that uninstalling leaves, an archive without its
version, an object whose flags are not those that the program tells, a job that is queued again when it must
not be."""

import glob
import os
import shutil
import subprocess
import sys
import tarfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def call(*words, rc=0, env=None, **more):
    """What a command says; a make in it knows nothing of one that started this test."""
    env = {k: v for k, v in (env or os.environ).items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, timeout=kc.SECONDS, env=env, **more
    )
    if rc is not None and done.returncode != rc:
        raise kc.RunError(f"{words}: exit code {done.returncode}, expected {rc}: {done.stderr.strip()}")
    return done.stdout + done.stderr


def script(name, *words, **more):
    """One of the scripts of packaging/."""
    return call("sh", os.path.join(ROOT, "packaging", name), *words, **more)


def env_of_install():
    """This Python for install.sh, and for the scripts whose help it reads: another one looks for modules
    first and then starts this one."""
    first = os.path.dirname(sys.executable)
    return dict(os.environ, PYTHON=sys.executable, PATH=first + os.pathsep + os.environ["PATH"])


def installed_test(kolmo, check):
    """A prefix with a blank in its name, and a run with what is there."""
    prefix = os.path.join(kolmo.place(), "my programs")
    build = os.path.dirname(kolmo.program)
    if not os.access(os.path.join(build, "kolmo-stats"), os.X_OK):
        check.skip("make install", "this build has no kolmo-stats")
        return
    said = script("install.sh", build, prefix, env=env_of_install())
    check.says("install", said, "installed in", "files")
    version = kolmo.call("--version").out.splitlines()[0]
    for name in ("kolmo", "kolmo-report"):
        with open(os.path.join(prefix, "share", "man", "man1", name + ".1"), encoding="utf-8") as file:
            check.says(f"the head of the man page of {name}", file.readline(), f'"{version}"')
    place = kolmo.place()
    path = os.path.join(prefix, "bin")
    env = dict(kc.environment(), PATH=path + os.pathsep + os.environ["PATH"], **kolmo.alone())
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # uninstalling must find bytecode
    case = os.path.join(prefix, "share", "kolmo", "inputs", "cases", "taylor-green-small.nml")
    run = ("--set", "grid.n=12,12,12", "--set", "run.t_end=0.5")
    call("kolmo", case, *run, cwd=place, env=env)
    check.says("kolmo-stats", call("kolmo-stats", "--help", env=env), "usage: kolmo-stats")
    check.says("kolmo-merge", call("kolmo-merge", "--help", env=env), "usage: kolmo-merge")
    folder = os.path.join(place, "runs", "taylor-green-small")
    check.says("kolmo-report", call("kolmo-report", "--no-page", folder, env=env, rc=None), "energy budget")
    check.says("kolmo-watch", call("kolmo-watch", "--once", folder, env=env), "finished")
    report = os.path.join(prefix, "share", "kolmo", "postproc", "plot", "taylor_green_report.py")
    check.says(
        "a report with a table",
        call(sys.executable, report, "--no-figure", folder),
        "the reference does not",
    )
    site = glob.glob(os.path.join(prefix, "lib", "python*", "site-packages"))
    lines = f"import kolmo; print(kolmo.__file__, kolmo.open({folder!r}).title)"
    check.says(
        "the Python package",
        call(sys.executable, "-c", lines, cwd="/", env=dict(os.environ, PYTHONPATH=site[0])),
        prefix,
        "Taylor-Green",
    )
    tools = ("stats", "merge", "report", "watch", "converge", "decay", "export", "movie")
    for name in ("kolmo", *("kolmo-" + tool for tool in tools)):
        page = os.path.join(prefix, "share", "man", "man1", name + ".1")
        with open(page, encoding="utf-8") as file:
            text = file.read()
        check.says(f"man {name}", text, ".TH " + name.upper(), f"{name} \\-", "\\-\\-help")
        if shutil.which("groff"):
            check.says(
                f"man {name}, formatted", call("groff", "-man", "-Tascii", "-P-cbou", page), "NAME", "usage"
            )
    module = os.path.join(prefix, "share", "modulefiles", "kolmo")
    with open(module, encoding="utf-8") as file:
        check.says(
            "module file",
            file.read(),
            f"set root {{{prefix}}}",
            os.path.basename(os.path.dirname(site[0])),
        )
    if shutil.which("tclsh"):  # the language of module files, with commands that say what they are given
        lines = "foreach name {module-whatis conflict prepend-path setenv} {proc $name args {puts $args}}\n"
        said = call("tclsh", input=lines + f"source {{{module}}}\n")
        check.says("module file, loaded", said, f"KOLMO {{{path}/kolmo}}", f"PATH {{{path}}}")
    completions(check, prefix)
    old = os.path.join(prefix, "share", "kolmo", "postproc", "plot", "of_an_earlier_version.py")
    for name, line in ((old, ""), (os.path.join(prefix, "share", "kolmo", "manifest.txt"), old + "\n")):
        with open(name, "a", encoding="utf-8") as file:
            file.write(line)
    script("install.sh", build, prefix, env=env_of_install())
    check.equal("a file of an earlier version is gone", os.path.exists(old), False)
    check.says("uninstall", script("uninstall.sh", prefix), "removed")
    check.equal("nothing is left", os.path.exists(prefix), False)
    check.says("uninstall again", script("uninstall.sh", prefix, rc=2), "nothing is installed there")
    check.says("a relative prefix", script("install.sh", build, "here", rc=2), "an absolute path is needed")
    root = kolmo.place()
    script("install.sh", build, "/opt/kolmo", root, env=env_of_install())
    check.holds("DESTDIR", os.access(os.path.join(root, "opt", "kolmo", "bin", "kolmo"), os.X_OK))


# options that a program offers, and one that it does not take
OFFERED = {
    "kolmo-stats": ({"--every", "--from", "--history", "--set", "--help"}, "--restart"),
    "kolmo-merge": ({"--only", "--out", "--overlap", "--replace", "--help"}, "--set"),
    "kolmo-report": ({"--allow", "--any-re-tau", "--certificate", "--verify", "--help"}, "--fps"),
    "kolmo-watch": ({"--every", "--file", "--once", "--port", "--terminal", "--help"}, "--to"),
    "kolmo-converge": ({"--grids", "--quantity", "--ratio", "--regrid", "--set", "--help"}, "--fps"),
    "kolmo-decay": ({"--average", "--csv", "--figure", "--window", "--help"}, "--to"),
    "kolmo-export": ({"--compression", "--format", "--quantity", "--to", "--help"}, "--fps"),
    "kolmo-movie": ({"--fps", "--level", "--surface", "--view", "--to", "--help"}, "--port"),
}


def completions(check, prefix):
    """What bash offers; zsh's file has the same names."""
    folder = os.path.join(prefix, "share", "bash-completion", "completions")

    def offered(*words):
        function = "_" + words[0].replace("-", "_")
        line = (f'source "{os.path.join(folder, words[0])}"; COMP_WORDS=({" ".join(words)}); '
                f'COMP_CWORD={len(words) - 1}; compopt() {{ :; }}; {function}; '
                'printf "%s\\n" "${COMPREPLY[@]}"')  # fmt: skip
        return call("bash", "-c", line).split()

    check.equal(
        "--set fluid.", sorted(offered("kolmo", "--set", "fluid.r")), ["fluid.re_tau=", "fluid.reynolds="]
    )
    check.equal("--res", offered("kolmo", "--res"), ["--restart"])
    check.holds(
        "all groups",
        {"run.t_end=", "pressure.tolerance=", "initial.file="} <= set(offered("kolmo", "--set", "''")),
    )
    for name, (wanted, other) in OFFERED.items():
        found = set(offered(name, "--"))
        check.holds(f"{name}: options", wanted <= found and other not in found, str(sorted(found)))
        path = os.path.join(prefix, "share", "zsh", "site-functions", "_" + name)
        with open(path, encoding="utf-8") as file:
            check.says(f"{name}: zsh", file.read(), f"#compdef {name}", *sorted(wanted))
    for name in ("kolmo-stats", "kolmo-converge"):
        check.equal(f"{name} --set", offered(name, "--set", "fluid.rey"), ["fluid.reynolds="])
    zsh = os.path.join(prefix, "share", "zsh", "site-functions")
    if shutil.which("zsh"):
        for name in sorted(os.listdir(zsh)):
            call("zsh", "-n", os.path.join(zsh, name))
    with open(os.path.join(zsh, "_kolmo"), encoding="utf-8") as file:
        check.says("zsh", file.read(), "#compdef kolmo", "fluid.reynolds=", "--restart")
    here = {n for n in os.listdir(os.path.join(prefix, "bin")) if n.startswith("kolmo")}
    check.equal("programs with a completion", sorted(os.listdir(folder)), sorted(here))


def archive_test(kolmo, check):
    """The archive of `make dist` has its version, and its Makefile tells it."""
    if not os.path.exists(os.path.join(ROOT, ".git")) or not shutil.which("git"):
        check.skip("make dist", "no checkout of git here")
        return
    version = "1.2.3-test"
    name = script("dist.sh", version, cwd=ROOT).strip().splitlines()[-1]
    place = kolmo.place()
    with tarfile.open(os.path.join(ROOT, name)) as archive:
        names = archive.getnames()
        archive.extractall(place)
    os.remove(os.path.join(ROOT, name))
    top = f"kolmo-{version}/"
    wanted = {top + n for n in ("Makefile", "VERSION", "solver/run.c", "README.md")}
    check.holds("files of the archive", wanted <= set(names))
    check.equal(
        "its version",
        call("make", "-s", "-C", os.path.join(place, top), "version").splitlines()[-1],
        version,
    )
    one = "build/flags/kernels/base/plain_text.o"

    def compiled(*words):
        said = call("make", "-C", os.path.join(place, top), "BUILD=build/flags", *words, one)
        return "cc    kernels/base/plain_text.c" in said

    check.equal("an object is compiled, left alone, compiled anew for other flags, left alone",
                [compiled(), compiled(), compiled("ARCH="), compiled("ARCH=")], [True, False, True, False])
    check.says(
        "make knows the targets", call("make", "-n", "-C", ROOT, "uninstall", "PREFIX=/x"), "uninstall.sh"
    )


SPACK = """
import types
class Part:
    def __init__(self, name): self.name = name
    prefix = "/of"; mpicc = "mpicc"
    headers = property(lambda self: types.SimpleNamespace(include_flags=f"-I/{self.name}"))
    libs = property(lambda self: types.SimpleNamespace(ld_flags=f"-L/{self.name}"))
class Spec:
    def __init__(self, cuda): self.cuda = cuda
    def satisfies(self, words): return {"+cuda": self.cuda, "+double": True}[words]
    def __getitem__(self, name): return Part(name)
    variants = {"cuda_arch": types.SimpleNamespace(value=("none",))}  # Spack's own default
class MakefilePackage: pass
class CudaPackage: pass
version = variant = depends_on = lambda *words, **more: None
made = []
make = lambda *words: made.append(words)
"""


def spack_test(kolmo, check):
    """The Spack package with a stand-in for Spack: every variable that it gives is one of the Makefile."""
    place = kolmo.place()
    os.makedirs(os.path.join(place, "spack"))
    for name, text in (("__init__", ""), ("package", SPACK)):
        with open(os.path.join(place, "spack", name + ".py"), "w", encoding="ascii") as file:
            file.write(text)
    lines = ("import runpy, sys; sys.path.insert(0, sys.argv[1]); import spack.package as s; "
             "K = runpy.run_path(sys.argv[2])['Kolmo']; "
             "[(setattr(k, 'spec', s.Spec(c)), k.build(k.spec, '/p'), k.install(k.spec, '/p')) "
             "for c in (False, True) for k in [K()]]; print(*(w for m in s.made for w in m), sep='\\n')")
    words = call(sys.executable, "-c", lines, place, os.path.join(ROOT, "packaging", "spack", "package.py"))
    given = dict(word.split("=", 1) for word in words.splitlines() if "=" in word)
    check.equal("variables", len(given), 14)
    with open(os.path.join(ROOT, "Makefile"), encoding="utf-8") as file:
        text = file.read()
    check.same("variables that the Makefile does not know", [n for n in given if f"$({n})" not in text])
    check.equal("the prefix", given.get("PREFIX"), "/p")
    check.equal("no kind of GPU is chosen", given.get("CUDA_ARCH"), "")


def pbs_test(kolmo, check):
    """Queued again with code 5 alone, and not after a file `stop`; restarted where there is a checkpoint."""
    place = kolmo.place()
    tools = os.path.join(place, "bin")
    os.makedirs(tools)
    for name, text in (
        ("mpirun", 'echo "$@" >"$RUN/started"; echo "$LAST" >"$RUN/run.log"; exit "$CODE"'),
        ("qsub", 'echo "$@" >"$RUN/queued"'),
    ):
        with open(os.path.join(tools, name), "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\n{text}\n")
        os.chmod(os.path.join(tools, name), 0o755)
    for code, last, checkpoint, again in (
        (0, "finished", 0, 0), (5, "stopped: wall-clock time", 1, 1), (5, "stopped: stop file", 1, 0),
        (3, "", 1, 0)
    ):  # fmt: skip
        run = kolmo.place()
        if checkpoint:
            with open(os.path.join(run, "checkpoint_00000010.h5"), "w", encoding="ascii"):
                pass
        env = dict(os.environ, PATH=tools + os.pathsep + os.environ["PATH"], RUN=run)
        env.update(CODE=str(code), LAST=last, PBS_O_WORKDIR=place)
        call("bash", os.path.join(ROOT, "inputs", "pbs", "mpirun.pbs"), rc=code, env=env)
        with open(os.path.join(run, "started"), encoding="utf-8") as file:
            words = file.read()
        what = f"code {code}, {last or 'no words'}"
        check.equal(f"{what}: restarted", "--restart latest" in words, bool(checkpoint))
        check.says(f"{what}: the time", words, "run.walltime=11:45:00")
        check.equal(f"{what}: queued again", os.path.exists(os.path.join(run, "queued")), bool(again))


if __name__ == "__main__":
    kc.main(__doc__, [installed_test, archive_test, spack_test, pbs_test])

#!/usr/bin/env python3
"""kolmo-report: the page of small runs holds every figure and needs no other file; norms are those of tables
made here; exit codes.

Would catch: a table that is read and not judged, or judged where it has no values, a norm over the wrong
range or of the wrong column, a budget's sign, a verdict that the exit code does not tell, a figure left out,
a page that loads something."""
import base64
import contextlib
import copy
import glob
import io
import os
import re
import shutil
import subprocess
import sys
import warnings

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc", "plot"))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402
import slices  # noqa: E402
import channel_report  # noqa: E402
import walls_report  # noqa: E402
import report_page  # noqa: E402
import report_parts  # noqa: E402
import run_report  # noqa: E402
import taylor_green_report  # noqa: E402
from kolmo import plots  # noqa: E402

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc", "kolmo-report")
LOOSE = ("--allow", "total stress=1e9", "--allow", "energy budget=1e9")


def read_once(read):
    """A reader of files that remembers what it has found, as long as the file is the same: most reports of a
    test read the files of one run."""
    known = {}

    def remembered(path):
        now = os.stat(path)
        key = path, now.st_ino, now.st_size, now.st_mtime_ns
        if key not in known:
            known[key] = read(path)
        return copy.deepcopy(known[key])

    return remembered


def report(*words):
    """A run of the command in this process, for time."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
        warnings.simplefilter("always")  # not only where one was not told before
        rc = run_report.main(list(words))
    return subprocess.CompletedProcess(words, rc, out.getvalue(), err.getvalue())


def called(*words):
    """A run of the command as a user calls it."""
    return subprocess.run([sys.executable, TOOL, *words], capture_output=True, text=True, check=False)


def verdicts(result):
    """{(words, table): (norm, verdict)} of the list."""
    found = {}
    for line in result.stdout.splitlines():
        match = re.match(r"(.{34}) (.{28}) +(\S+) +(\S+)  (pass|FAIL)  \(", line)
        if match:
            found[match[1].strip(), match[2].strip()] = (float(match[3]), match[5])
    return found


def table(path, columns, about="made from a run"):
    """A CSV file as those of references."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"# {about}\n" + ",".join(columns) + "\n")
        for row in zip(*columns.values()):
            file.write(",".join(v if isinstance(v, str) else repr(float(v)) for v in row) + "\n")
    return path


def no_figures(check, result):
    """Whether there is nothing to draw with; then said, and the rest of the test is left out."""
    if "No module named 'matplotlib" in result.stderr:
        check.skip("the page", "no matplotlib")
        return True
    return False


def periodic(kolmo, check):
    """A periodic box: histories, slices, probes, a spectrum."""
    run = kolmo.run({"run": {"steps_max": 8, "title": "a <small> box"}, "grid": {"n": (16, 12, 14)},
                     "fluid": {"nu": 0.02}, "time": {"dt": 0.02},
                     "initial": {"type": "isotropic"},
                     "statistics": {"start": 0.0, "interval": 1, "spectra_interval": 4},
                     "slices": {"normal": "z", "position": 1.0, "interval": 8, "quantities": "velocity q"},
                     "history": {"interval": 1},
                     "probes": {"position": (1.0, 2.0, 3.0)}})
    s, folder = run.series(), run.folder
    good = called("--slices", "2", folder)
    if no_figures(check, good):
        return
    check.equal("exit code", good.returncode, 0)
    with open(os.path.join(folder, "report.html"), encoding="utf-8") as file:
        page = file.read()
    names = re.findall(r'<figure id="(\w+)">', page)
    check.equal("figures", names, ["history_kinetic_energy", "history_dissipation", "history_enstrophy",
                                   "history_budget", "history_divergence",
                                   "history_step", "decay_energy", "decay_lengths", "decay_reynolds",
                                   "box_energy", "box_time", "box_reynolds", "box_lengths", "box_gradients",
                                   "box_dissipation_constant", "box_quality", "box_E", "box_T",
                                   "box_structure_along", "box_structure_across",
                                   "spectrum_energy", "spectrum_transfer", "spectra_along",
                                   "correlations", "structure_2", "structure_3",
                                   "densities", "densities_increments", "probe_1", "slice_1_q",
                                   "slice_1_velocity"])
    check.equal("sources of pictures that are outside",
                [w for w in re.findall(r'src="([^"]{1,20})', page) if not w.startswith("data:image/")], [])
    check.holds("nothing else is loaded", not re.search(r"<script|<link|url\(|@import", page))
    check.holds("the title is text", "a &lt;small&gt; box" in page and "<small>" not in page)
    check.holds("averages stand in a table",
                "Re_lambda" in page and "integral_length" in page and "standard error" in page)
    # beyond both ends; the run is compared at its own times
    time = np.linspace(s["time"][0] - 1, s["time"][-1] + 1, 9)
    same = table(os.path.join(folder, "same.csv"),
                 {"t": s["time"], "kinetic_energy": s["kinetic_energy"], "enstrophy": 2 * s["enstrophy"]})
    flat = table(os.path.join(folder, "flat.csv"), {"t": time, "minus_dEdt": 0 * time + 3.0})
    found = report("--no-page", "--reference", same, "--reference", flat, folder)
    check.equal("exit code, twice the enstrophy in the table", found.returncode, 1)
    rows = verdicts(found)
    check.equal("same energy", rows["kinetic energy", "same"], (0.0, "pass"))
    check.equal("half of the enstrophy", rows["enstrophy", "same"], (0.5, "FAIL"))
    x, e = s["time"], s["dissipation"]
    want = np.sqrt(np.trapezoid((e - 3) ** 2, x) / (9 * (x[-1] - x[0]))) if hasattr(np, "trapezoid") else \
        np.sqrt(np.trapz((e - 3) ** 2, x) / (9 * (x[-1] - x[0])))
    check.near("dissipation against a flat one", rows["dissipation (minus_dEdt)", "flat"][0], want,
               1e-2 * want)
    check.equal("allowed is what was said",
                report("--no-page", "--allow", "enstrophy=0.6", "--reference", same, folder).returncode, 0)
    with h5py.File(os.path.join(folder, "spectra.nc"), "r") as file:
        k, energy = file["k"][...], file["latest/E"][...]  # it decays
    steep = table(os.path.join(folder, "steep.csv"), {"k": k[1:6], "E": np.e * energy[1:6]})
    found = report("--no-page", "--reference", steep, folder)
    check.near("spectrum, a factor e", verdicts(found)["spectrum, rms of ln E/E_table", "steep"][0], 1.0,
               1e-3)
    check.equal("exit code", found.returncode, 1)
    gap = np.where(k[1:6] == k[5], np.nan, 1.0)  # no measurement there
    decay = table(os.path.join(folder, "decay.csv"),
                  {"k": k[1:6] / 5.08, "E42": energy[1:6] * gap * 5.08e6, "E98": np.e * energy[1:6] * 5.08e6})
    for station, want in (("42", 0.0), ("98", 1.0)):
        found = report("--no-page", "--station", station, "--units", "5.08,1000", "--reference", decay,
                       folder)
        check.near(f"spectrum of station {station}, in centimetres",
                   verdicts(found)["spectrum, rms of ln E/E_table", f"decay, {station}"][0], want, 1e-3)
    for words, more in (("choose one by --station 42", ()), ("none of its own, 42, 98", ("--station", "99")),
                        ("not understood", ("--station", "42", "--units", "5")),
                        ("not those of the run", ("--station", "42", "--units", "5e5,1"))):
        found = report("--no-page", *more, "--reference", decay, folder)
        check.equal(f"{words}: exit code", (found.returncode, words in found.stderr), (2, True))
    for option in (("--station", "42"), ("--units", "5.08,1000")):
        check.equal(f"{option[0]} without such a table: exit code",
                    report("--no-page", *option, "--reference", same, folder).returncode, 2)
    even = kolmo.run({"run": {"steps_max": 1}, "grid": {"n": (8, 8, 8)}, "fluid": {"nu": 0.02},
                      "time": {"dt": 0.02},
                      "initial": {"type": "uniform", "velocity": (0.1, 0.7, 0.3)},
                      "statistics": {"start": 0.0, "interval": 1, "spectra_interval": 1}})
    found = report(even.folder)
    check.equal("a flow in which nothing fluctuates", found.returncode, 0)
    check.holds("    no warning", "Warning" not in found.stderr, found.stderr)


def walls(kolmo, check):
    """A channel: profiles and budgets against tables of its own numbers."""
    run = kolmo.run({"run": {"steps_max": 12, "seed": 5},
                     "grid": {"n": (12, 14, 16), "length": (2.5, 2.1, 2.0),
                             "stretching": ("uniform", "uniform", "tanh"),
                              "stretching_factor": (0.0, 0.0, 1.2)},
                     "fluid": {"nu": 0.01}, "time": {"dt": 0.02},
                     "boundary": {"z_low": "wall", "z_high": "wall"},
                     "forcing": {"type": "bulk-velocity", "value": 1.0}, "initial": {"type": "channel"},
                     "statistics": {"start": 0.0, "interval": 1, "spectra_interval": 4,
                                    "spectra_heights": (0.1, 0.5, 1.0, 1.4), "quadrants": True}})
    folder = run.folder
    with h5py.File(os.path.join(folder, "statistics.nc"), "r") as file:
        page = {n: v[...] for n, v in file.items() if isinstance(v, h5py.Dataset)}
    half = page["z"].size // 2

    def folded(name, sign=1.0, cells=False):
        values = page[name + "_plus"]
        values = values[1:] + values[:-1] if cells else values
        return 0.5 * (values + sign * values[::-1])[:half]
    y = page["wall_distance_plus"][:half]
    wall = (folded("P") + 0.5 * (folded("ww", cells=True)))[0]
    profile = table(os.path.join(folder, "profiles.csv"),
                    {"y_plus": y, "U_plus": folded("U"), "P_plus": folded("P") - wall, "uu": folded("uu"),
                     "ww": folded("vv")})
    names = {"production": 1, "dissipation": -1, "turbulent_diffusion": 1, "viscous_diffusion": 1}
    ours = {"production": "production", "dissipation": "dissipation",
            "turbulent_diffusion": "turbulent_transport", "viscous_diffusion": "viscous_diffusion"}
    budget = table(os.path.join(folder, "budgets.csv"),
                   dict({"quantity": ["k"] * half, "y_plus": y},
                        **{n: s * folded("k_" + ours[n]) for n, s in names.items()}))
    good = report(*LOOSE, "--reference", profile, "--reference", budget, folder)
    if no_figures(check, good):
        return
    check.equal("exit code, its own numbers", good.returncode, 0)
    rows = verdicts(good)
    check.below("largest norm", max(v[0] for k, v in rows.items() if k[1] in ("profiles", "budgets")), 1e-12)
    check.equal("columns that are judged", sorted(k[0] for k in rows if k[1] in ("profiles", "budgets")),
                sorted(["mean velocity", "mean pressure", "streamwise variance", "spanwise variance",
                        "k: production", "k: dissipation", "k: turbulent transport",
                        "k: viscous diffusion"]))
    with open(os.path.join(folder, "report.html"), encoding="utf-8") as file:
        found = re.findall(r'<figure id="(\w+)">', file.read())
    check.holds("figures", {"profile_mean", "profile_rms", "profile_vorticity", "profile_pressure",
                            "profile_stress", "budget_k", "budget_uu", "budget_vv",
                            "budget_ww", "budget_uv", "plain_skewness", "plain_flatness", "plain_quadrants",
                            "plain_quadrants_time", "spectra_heights_x", "spectra_heights_y",
                            "correlations_heights_x", "correlations_heights_y"} <= set(found), found)
    wrong = table(os.path.join(folder, "wrong.csv"),
                  dict({"quantity": ["k"] * half, "y_plus": y}, **{n: folded("k_" + ours[n]) for n in names}))
    bad = report("--no-page", *LOOSE, "--reference", wrong, folder)
    check.equal("exit code, dissipation of the wrong sign", bad.returncode, 1)
    check.near("its norm", verdicts(bad)["k: dissipation", "wrong"][0], 2.0, 1e-9)
    # at faces; missing on walls
    made, lost = (0.5 * (page[f"uw_{t}_plus"] - page[f"uw_{t}_plus"][::-1])[1:half]
                  for t in ("production", "dissipation"))
    shear = table(os.path.join(folder, "shear.csv"),
                  {"quantity": ["uv"] * (half - 1), "y_plus": page["wall_distance_face_plus"][1:half],
                   "production": made,
                   "dissipation": 0.05 * made - lost}, f"Re_tau = {float(page['Re_tau'])}")
    rows = verdicts(report("--no-page", *LOOSE, "--reference", shear, folder))
    check.near("budget of uv over its production", rows["uv: dissipation", "shear"][0], 0.05, 1e-9)
    check.below("    production", rows["uv: production", "shear"][0], 1e-12)
    re_tau, u_tau = float(page["Re_tau"]), float(page["u_tau"])
    numbers = table(os.path.join(folder, "numbers.csv"),
                    {"dataset": ["own", "other", "far"], "Re_tau": [re_tau * f for f in (0.97, 1.04, 1.06)],
                     "Ub_plus": [float(page["u_b"]) / u_tau, "nan", 1],
                     "Cf": [float(page["friction_coefficient"])] * 3,
                     "u_rms_max": ["nan", 1.1 * float(page["u_rms_plus"].max()), 1]})
    found = report("--no-page", *LOOSE, "--reference", numbers, folder)
    rows = verdicts(found)
    check.equal("numbers: rows", sorted(k for k in rows if ": " in k[1]),
                [("bulk velocity", "numbers: own"), ("friction coefficient", "numbers: other"),
                 ("friction coefficient", "numbers: own"),
               ("peak of streamwise rms", "numbers: other")])
    check.equal("    of the run itself",
                [v[1] for k, v in sorted(rows.items()) if k[1].startswith("numbers")],
                ["pass"] * 3 + ["FAIL"])
    # a parabola of the mean of both halves
    check.near("    a tenth too low", rows["peak of streamwise rms", "numbers: other"][0], 0.1 / 1.1, 0.03)
    heights(check, run)
    alone = os.path.join(folder, "alone")
    os.makedirs(alone)
    shutil.copy(os.path.join(folder, "statistics.nc"), alone)
    found = report("--no-page", *LOOSE, "--reference", profile, alone)
    check.equal("averages without a series: exit code", found.returncode, 0)
    check.equal("    what is judged of the run", [k[0] for k in verdicts(found) if k[1] != "profiles"],
                ["total stress"])
    ncdump(check, folder)


def turning_frame(kolmo, check):
    """Walls in a frame that turns: about their normal the total stress is not judged, along them it is."""
    for rotation, judged in (((0.0, 0.0, 0.5), False), ((0.0, 0.5, 0.0), True)):
        run = kolmo.run({"run": {"steps_max": 4}, "grid": {"n": (8, 10, 12)}, "fluid": {"nu": 0.01},
                         "time": {"dt": 0.02}, "boundary": {"z_low": "wall", "z_high": "wall"},
                         "forcing": {"type": "pressure-gradient", "value": 1.0, "rotation": rotation},
                         "initial": {"type": "channel", "amplitude": 1.0},
                         "statistics": {"start": 0.0, "interval": 1}})
        found = report("--no-page", run.folder)
        words = f"rotation {rotation}: the total stress is judged"
        check.equal(words, ("total stress", "straight line") in verdicts(found), judged)
        check.equal("    a note says that it is not", channel_report.TURNS in found.stdout, not judged)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            channel = channel_report.Channel(os.path.join(run.folder, "statistics.nc"))
            rows, good = channel_report.judge(channel, [], {"total stress": 1e9})
        check.equal("    by channel_report", ([r[0] for r in rows], good),
                    (["total stress"] if judged else [], True))
        check.equal("    with a note", channel_report.TURNS in out.getvalue(), not judged)


def without_walls(kolmo, check):
    """Planes between free-slip faces: profiles in the units of the run; figures for print."""
    run = kolmo.run({"run": {"steps_max": 4}, "grid": {"n": (8, 10, 12)}, "fluid": {"nu": 0.01},
                     "time": {"dt": 0.02}, "boundary": {"y_low": "slip", "y_high": "slip"},
                     "initial": {"type": "channel", "amplitude": 1.0},
                     "slices": {"normal": "z", "position": 1.0, "interval": 4, "quantities": "velocity"},
                     "statistics": {"start": 0.0, "interval": 1}})
    prints = os.path.join(run.folder, "pdf")
    result = report("--figures", prints, run.folder)
    if no_figures(check, result):
        return
    check.equal("exit code", result.returncode, 0)
    check.holds("nothing told in the way",
                "Warning" not in result.stderr and "font" not in result.stderr.replace("font cache", ""),
                result.stderr)
    with open(os.path.join(run.folder, "report.html"), encoding="utf-8") as file:
        names = re.findall(r'<figure id="(\w+)">', file.read())
    check.equal("figures", [n[6:] for n in names if n.startswith("plain_")],
                ["mean", "rms", "vorticity", "budget_k", "skewness", "flatness"])
    check.equal("figures for print and tables", sorted(os.listdir(prints)),
                sorted([n + e for n in names for e in (".pdf", ".svg")] + ["averages.tex", "verdicts.tex"]))
    check.holds("    a slice among them", "slice_1_velocity" in names, names)


def other_walls(kolmo, check):
    """Walls that move against each other, one wall alone, below and above: profiles count from the wall, and
    the mean rises from it as its friction says."""
    case = {"run": {"steps_max": 6}, "grid": {"n": (8, 8, 12), "stretching": ("uniform", "uniform", "tanh"),
                                              "stretching_factor": (0.0, 0.0, 1.2)}, "fluid": {"nu": 0.01},
            "time": {"dt": 0.02}, "initial": {"type": "channel"}, "statistics": {"start": 0.0, "interval": 1}}
    force = {"forcing": {"type": "pressure-gradient", "value": 0.01}}
    runs = {"against each other": {"boundary": {"z_low": "wall", "z_high": "wall",
                                                "z_low_velocity": (-1.0, 0.0, 0.0),
                                                "z_high_velocity": (1.0, 0.0, 0.0)}},
            "below": kc.merge(force, {"boundary": {"z_low": "wall", "z_high": "slip"}}),
            "above": kc.merge(force, {"boundary": {"z_low": "slip", "z_high": "wall"}})}
    for words, more in runs.items():
        run = kolmo.run(kc.merge(case, more))
        channel = channel_report.Channel(os.path.join(run.folder, "statistics.nc"))
        y, u, _ = channel.profile("U")
        check.holds(f"{words}: distances rise", bool((np.diff(y) > 0).all()), y)
        check.holds(f"{words}: the mean rises from the wall", u[0] > 0 and u[-1] > u[0], u)
        check.near(f"{words}: it is that of the wall's friction", u[0] / y[0], channel.profile("dUdy")[1][0],
                   0.05)
        found = report("--no-page", *LOOSE, run.folder)
        check.equal(f"{words}: exit code", (found.returncode, found.stderr), (0, ""))


def moving_walls(kolmo, check):
    """Bulk velocity and friction coefficient against walls that move: the numbers of the same flow with its
    walls at rest. Between walls that move differently they are of the frame, or against the mean of walls
    with alike friction."""
    case = {"run": {"steps_max": 40}, "grid": {"n": (4, 4, 10), "length": (1.0, 1.0, 2.0)},
            "fluid": {"nu": 0.1}, "time": {"dt": 0.05}, "initial": {"type": "uniform"},
            "statistics": {"start": 0.0, "interval": 1},
            "forcing": {"type": "pressure-gradient", "value": 1.0}}

    def numbers(faces, start=0.0, **more):
        run = kolmo.run(kc.merge(case, {"boundary": faces, "initial": {"velocity": (start, 0.0, 0.0)}}, more))
        channel = channel_report.Channel(os.path.join(run.folder, "statistics.nc"))
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            walls_report.friction(walls_report.Run(run.folder))
        told = re.search(r"bulk velocity (\S+?)( against the walls)?, friction coefficient (\S+?),",
                         out.getvalue())
        return channel, told

    walls_ = {"z_low": "wall", "z_high": "wall"}
    for words, faces in (("a channel", walls_), ("an open channel", {"z_low": "wall", "z_high": "slip"}),
                         ("an open channel upside down", {"z_low": "slip", "z_high": "wall"})):
        speeds = {f"{f}_velocity": (0.7, 0.0, 0.0) for f, kind in faces.items() if kind == "wall"}
        (still, one), (moved, other) = numbers(faces), numbers({**faces, **speeds}, 0.7)
        for n in ("u_b", "Re_b", "friction_coefficient"):
            check.near(f"{words}: {n} of the file is against the wall", moved.number[n] / still.number[n],
                       1.0, 1e-9)
        (bulk, friction), (same, of_it) = still.bulk_and_friction(), moved.bulk_and_friction()
        check.near("    bulk velocity", same / bulk, 1.0, 1e-8)
        check.near("    friction coefficient", of_it[0] / friction[0], 1.0, 1e-8)
        check.near("    at rest it is that of the file", friction[0] / still.number["friction_coefficient"],
                   1.0, 1e-12)
        check.equal("    walls_report", (other[1], other[3], one[2], other[2]),
                    (one[1], one[3], None, " against the walls"))
    one = {**walls_, "z_high_velocity": (0.2, 0.0, 0.0)}
    couette, told = numbers(one, forcing={"type": "none", "value": None})
    check.near("one wall moves: bulk velocity of the frame", couette.bulk_and_friction()[0],
               abs(couette.number["u_b"]) / couette.number["u_tau"], 1e-12)
    check.equal("    friction coefficient of the file", couette.bulk_and_friction()[1][0],
                couette.number["friction_coefficient"])
    check.equal("    none by walls_report", told, None)
    mixed, told = numbers(one)
    check.near("one wall moves under a force: bulk velocity against the mean of the walls",
               mixed.bulk_and_friction()[0], abs(mixed.number["u_b"] - 0.1) / mixed.number["u_tau"], 1e-8)
    check.equal("    none by walls_report", told, None)


def heights(check, run):
    """Spectra at heights against tables of one wave each, in the units of tables: its own spectra at two of
    them, twice those at another; heights beside its own."""
    with h5py.File(os.path.join(run.folder, "spectra.nc"), "r") as file:
        page = {n: v[...] for n, v in file.items() if isinstance(v, h5py.Dataset)}
    scale, delta = float(page["u_tau"]) ** 2, 1.0

    def rows(factor, shift=1.0):
        columns = {n: [] for n in ("direction", "y_plus", "k", "E_uu", "E_vv")}
        for axis, letter in (("x", "x"), ("y", "z")):
            k = page["k" + axis]
            for h, y in enumerate(page["height_plus"][:3:2]):
                for n, value in (("direction", [letter] * k.size), ("y_plus", [y * shift] * k.size),
                                 ("k", k * delta),
                                 ("E_uu", factor[h] * page["E_uu_" + axis][2 * h] * k[1] / scale),
                                 ("E_vv", page["E_ww_" + axis][2 * h] * k[1] / scale)):
                    columns[n] += list(value)
        return columns
    same = report("--no-page", *LOOSE, "--reference",
                  table(os.path.join(run.folder, "same.csv"), rows((1, 1))), run.folder)
    found = {k[0]: v for k, v in verdicts(same).items() if k[1] == "same"}
    check.equal("spectra at heights: exit code", same.returncode, 0)
    check.equal("    rows", sorted(found),
                [f"E_{p} along {d}, 2 heights" for p in ("uu", "vv") for d in "xz"])
    check.below("    largest norm", max(v[0] for v in found.values()), 1e-12)
    other = verdicts(report("--no-page", *LOOSE, "--reference",
                            table(os.path.join(run.folder, "twice.csv"), rows((1, 2))), run.folder))
    check.near("    half of the table's at one height of two", other["E_uu along x, 2 heights", "twice"][0],
               np.sqrt(0.25 / 2), 1e-3)
    re_tau = f"Re_tau = {run_report.Run(run.folder).channel.number['Re_tau']}"
    far = report("--no-page", "--reference", table(os.path.join(run.folder, "far.csv"), rows((1, 1), 300.0),
                                                   re_tau), run.folder)
    check.equal("    other heights: exit code", far.returncode, 2)
    check.says("    other heights", far.stderr, "its heights", "are not those of the run")
    for name, columns, told in (("high", {"y_plus": [1e4, 2e4], "U_plus": [1, 2]},
                                 "are not those of the run"),
                                ("deep",
                                 {"quantity": ["k", "k"], "y_plus": [1e4, 2e4], "dissipation": [1, 2]},
                                 "are not those of the run"),
                                ("mixed", {"y_plus": [1, 3, 2], "U_plus": [1, 2, 3]}, "must increase"),
                                ("none", {"y_plus": [1, 3], "U_plus": [1, "nan"]}, "U is nan")):
        found = report("--no-page", "--reference", table(os.path.join(run.folder, name + ".csv"), columns,
                                                         re_tau), run.folder)
        check.equal(f"table {name}: exit code", found.returncode, 2)
        check.says(f"table {name}", found.stderr, told)


def ncdump(check, folder):
    """The files open in NetCDF's own tool, and in xarray."""
    tool = shutil.which("ncdump")
    files = sorted(glob.glob(os.path.join(folder, "*.nc")))
    if tool is None:
        check.skip("ncdump", "not installed (package netcdf-bin)")
    for path in files if tool else []:
        result = subprocess.run([tool, "-h", path], capture_output=True, text=True, check=False)
        check.equal(f"ncdump {os.path.basename(path)}: exit code", result.returncode, 0)
        check.says(f"ncdump {os.path.basename(path)}", result.stdout, "Conventions", "long_name", "units")
    xarray = kc.xarray_of_netcdf()
    if xarray is None:
        check.skip("xarray", "not installed (packages python3-xarray, python3-netcdf4)")
        return
    with xarray.open_dataset(os.path.join(folder, "statistics.nc")) as data:
        check.equal("xarray: dimensions of U", data["U"].dims, ("z",))
        check.equal("xarray: unit of U", (data["U"].attrs["units"], data["U"].attrs["scaling"]), ("1", "U"))
        check.holds("xarray: in wall units too",
                    "U_plus" in data and np.allclose(data["U_plus"] * data["u_tau"], data["U"]))


def other_reynolds(kolmo, check):
    """Tables in wall units of another Re_tau are refused, however they tell it; of the run's they are not."""
    case = {"run": {"steps_max": 4}, "grid": {"n": (8, 8, 16), "length": (2.0, 2.0, 2.0)},
            "fluid": {"nu": 0.01}, "time": {"dt": 0.02},
            "boundary": {"z_low": "wall", "z_high": "wall"}, "initial": {"type": "channel"},
            "forcing": {"type": "bulk-velocity", "value": 1.0}, "statistics": {"start": 0.0, "interval": 1}}
    run = kolmo.run(case)
    with h5py.File(os.path.join(run.folder, "statistics.nc"), "r") as file:
        y, u, re_tau = file["wall_distance_plus"][:8], file["U_plus"][:8], float(file["Re_tau"][...])
    name = os.path.join(run.folder, "profile.csv")

    def found(columns, about="of a paper, no. 5", *more):
        return report("--no-page", *LOOSE, *more, "--reference", table(name, columns, about), run.folder)
    profile = {"y_plus": y, "U_plus": u}
    outer = dict(profile, y_over_h=y / re_tau)
    for words, columns, about, good in (
            ("that of the run, its first line", profile, f"Lee, Re_tau = {re_tau:.3f} (nominal 1)", True),
            ("that of the run, y over h", outer, "Re_tau = 950", True),
            ("that of the run, its last y_plus", profile, "of a paper, no. 5", True),
            ("9 % more", profile, f"Re_tau={1.09 * re_tau:.5f}", True),
            ("11 % less", profile, f"Re_{{\\tau}} = {0.89 * re_tau:.5f}", False),
            ("five times, its first line", profile, f"up to y+ 9, Re_tau = {5 * re_tau:.2f}", False),
            ("five times, y over h", dict(outer, y_over_h=0.2 * y / re_tau), f"Re_tau = {re_tau}", False),
            ("five times, its last y_plus", dict(profile, y_plus=5 * y), "of a paper", False),
            ("a column", dict(profile, Re_tau=[5 * re_tau] * 8), "of a paper", False),
            ("half of it, its last y_plus", {"y_plus": y[:4], "U_plus": u[:4]}, "of a paper", False),
            ("a part of it", {"y_plus": y[:4], "U_plus": u[:4]}, f"Re_tau {re_tau:.4f}", True)):
        result = found(columns, about)
        check.equal(f"{words}: exit code",
                    (result.returncode, "table profile: its Re_tau is" in result.stderr),
                    (0, False) if good else (2, True))
        if not good:
            check.says("    the remedy", result.stderr, "within 10% they are compared", "--any-re-tau")
            check.equal("    --any-re-tau", found(columns, about, "--any-re-tau").returncode in (0, 1), True)
    budget = {"quantity": ["k"] * 8, "y_plus": y, "dissipation": -1 - y}
    check.equal("a budget", found(budget, f"Re_tau = {3 * re_tau}").returncode, 2)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        rc = channel_report.main(["--no-figure", "--reference", table(name, profile, "Re_tau = 950"),
                                  run.folder])
    check.equal("channel_report: exit code", rc, 2)
    check.says("channel_report", said.getvalue(), "its Re_tau is 950", "--any-re-tau")


def usual_names(kolmo, check):
    """Histories under their usual names, spectra in columns of times and in rows of them, of a box that
    decays."""
    run = kolmo.run({"run": {"steps_max": 10}, "grid": {"n": (16, 16, 16), "length": (1.0, 2.0, 1.0)},
                     "fluid": {"nu": 0.01}, "time": {"dt": 0.01},
                     "initial": {"type": "isotropic", "velocity": (0.5, 0.0, 0.0)},
                     "statistics": {"start": 0.0, "interval": 5, "spectra_interval": 5}})
    s, name = run.series(), os.path.join(run.folder, "names.csv")
    t, k, eps, enstrophy = (s[n] for n in ("time", "kinetic_energy", "dissipation", "enstrophy"))
    mean = 0.5 * s["momentum_x"] ** 2

    def found(columns, *more):
        return report("--no-page", "--allow", "energy budget=1e9", *more, "--reference", table(name, columns),
                      run.folder)
    for words, columns, wanted in (
            ("t, K", {"t": t, "K": k}, ["kinetic energy (K)"]),
            ("time, tke, eps", {"time": t, "tke": k - mean, "eps": eps}, ["kinetic energy (tke)",
                                                                          "dissipation (eps)"]),
            ("energy, epsilon", {"t": t, "energy": k, "epsilon": eps}, ["kinetic energy (energy)",
                                                                        "dissipation (epsilon)"]),
            ("E", {"Time": t, "E": k, "other": k}, ["kinetic energy (E)"]),
            ("enstrophy", {"t": t, "enstrophy": enstrophy}, ["enstrophy"]),
            ("its total", {"t": t, "enstrophy_total": 2 * enstrophy, "total_energy": 2 * k},
             ["enstrophy (enstrophy_total)", "kinetic energy (total_energy)"]),
            ("its mean", {"t": t, "mean_enstrophy": enstrophy}, ["enstrophy (mean_enstrophy)"]),
            ("without the half", {"t": t, "omega_squared": 2 * enstrophy}, ["enstrophy (omega_squared)"]),
            ("units in brackets", {"Time [L/U]": t, "E_kin (U^2)": k}, ["kinetic energy (E_kin (U^2))"]),
            ("rates", {"t": t, "-dE/dt": eps, "dk/dt": -eps},
             ["dissipation (-dE/dt)", "dissipation (dk/dt)"])):
        result = found(columns)
        rows = {n[0]: v for n, v in verdicts(result).items() if n[1] == "names"}
        check.equal(f"{words}: columns", sorted(rows), sorted(wanted))
        check.below("    norms", max([v[0] for v in rows.values()] or [np.nan]), 1e-12)
    result = found({"t": t, "enstrophy": 2 * enstrophy})
    check.equal("twice the enstrophy: exit code", result.returncode, 1)
    check.says("    a note", result.stdout, "note: table names: enstrophy is 2 times the run's",
               "omega_squared")
    result = found({"t": t[::5], "enstrophy": 2 * enstrophy[::5]})
    check.says("    a note on a table of few rows", result.stdout, "note: table names: enstrophy is 2 times")
    check.says("what decays is told", result.stdout, "note: Nothing drives this flow, and it decays",
               "of the latest sample, t = 0.1")
    with h5py.File(os.path.join(run.folder, "spectra.nc"), "r") as file:
        wave, latest = file["k"][1:6], file["latest/E"][1:6]
    words = "spectrum, rms of ln E/E_table"
    for form in ("t=%s", "E_t%s", "E(t=%s)", "t_%s", "%s"):
        columns = {"k": wave, form % "0.05": np.e * latest, form % "0.1": latest}
        rows = verdicts(found(columns))
        check.equal(f"columns {form}: the time of the run's", [n[1] for n in rows if n[0] == words],
                    ["names, 0.1"])
        check.below("    norm", rows[words, "names, 0.1"][0], 1e-6)
        check.near("    another by --station", verdicts(found(columns, "--station", "0.05"))[
            words, "names, 0.05"][0], 1.0, 1e-6)
    rows = {"t": [0.0] * 5 + [0.1] * 5, "k": np.tile(wave, 2), "E": np.concatenate((7 * latest, latest))}
    check.below("times in rows", verdicts(found(rows))[words, "names, 0.1"][0], 1e-6)
    late = found({"k": wave, "t=5": latest, "t=7": latest})
    check.equal("other times: exit code", late.returncode, 2)
    check.says("other times", late.stderr, "it has spectra at t = 5, 7", "--station 5")
    alone = os.path.join(run.folder, "alone")
    os.makedirs(alone)
    for n in ("statistics.nc", "spectra.nc"):
        shutil.copy(os.path.join(run.folder, n), alone)
    check.says("averages alone: what decays is told", report("--no-page", alone).stdout,
               "note: Nothing drives this flow, and it decays. An average over time, t = 0.05 to 0.1")
    kolmo.other("kolmo-stats").call(run.folder, "--out", os.path.join(run.folder, "stored"))
    check.says("of one stored flow", report("--no-page", os.path.join(run.folder, "stored")).stdout,
               "note: Nothing drives this flow, and it decays. The averages are of one time, t = 0.1")
    driven = kolmo.run({"run": {"steps_max": 2}, "grid": {"n": (8, 8, 8)}, "fluid": {"nu": 0.02},
                        "time": {"dt": 0.02}, "initial": {"type": "isotropic"},
                        "forcing": {"type": "pressure-gradient", "value": 0.1}})
    check.equal("a box that is driven", run_report.Run(driven.folder).decays, False)
    forced = {"run": {"steps_max": 5}, "grid": {"n": (8, 8, 8)}, "fluid": {"nu": 0.1}, "time": {"dt": 0.02},
              "initial": {"type": "isotropic", "k_peak": 2.0}, "history": {"interval": 1},
              "forcing": {"type": "linear", "control": "power", "value": 0.2}}
    source = kc.checkpoint_path(kolmo.run(forced).folder)
    off = kolmo.run(kc.merge(forced, {"forcing": {"decay": True}, "run": {"steps_max": 10}}), "--restart",
                    source)
    check.says("a force that was switched off", report("--no-page", off.folder).stdout,
               "decays after its force was switched off at t = 0.1: its kinetic energy falls")


def figures(kolmo, check):
    """What lies where in figures: keys beside the panel, numbers on axes of logarithms, shares of quadrants
    where there is a stress, the words of components, colours."""
    try:
        page = run_report.Page(run_report.plotter(), None)
    except ImportError:
        check.skip("figures", "no matplotlib")
        return
    figure, axis = run_report.axes(page, "x", "y", yscale="log")
    for n in range(7):
        axis.plot([0, 1], [1.2 + 0.1 * n, 6.0], label=f"line number {n}", **run_report.style(n))
    other = axis.twinx()
    other.plot([0, 1], [0, 1], label="right")
    plots.few_ticks(axis)
    report_page.key(figure)
    figure.canvas.draw()
    check.above("the key is above the panel", axis.get_legend().get_window_extent().y0
                - axis.get_window_extent().y1, 0.0)
    check.equal("    it has all lines", len(axis.get_legend().get_texts()), 8)
    low, high = axis.get_ylim()
    told = [x.get_text() for x, at in zip(axis.yaxis.get_majorticklabels(), axis.yaxis.get_majorticklocs())
            if low <= at <= high and x.get_text()]
    check.holds("numbers on less than a power of ten", len(told) >= 2, told)
    page.add(figure, "wide", "labels beyond the sheet", vector=True)
    figure, axis = run_report.axes(page, "x", "y")
    axis.set_yticks([0.0, 1.0], ["a label that is longer than the margin of the sheet", "1"])
    page.add(figure, "cut", "labels beyond the sheet")
    svg = base64.b64decode(re.search(r"svg\+xml;base64,([^\"]*)", page.parts[-1])[1]).decode()
    check.near("a long label leaves the picture its size, points",
               float(re.search(r'width="([\d.]+)pt"', svg)[1]), 72 * report_page.SIZE[0], 0.01)
    looks = [str(sorted(run_report.style(n).items(), key=str)) for n in range(9)]
    check.equal("nine lines look different", len(set(looks)), 9)
    run = kolmo.run({"run": {"steps_max": 6, "title": "a title"}, "grid": {"n": (16, 8, 8)},
                     "fluid": {"nu": 0.01}, "time": {"dt": 0.02},
                     "boundary": {"x_low": "wall", "x_high": "wall"}, "initial": {"type": "channel"},
                     "forcing": {"type": "bulk-velocity", "value": 1.0, "direction": "z"},
                     "statistics": {"start": 0.0, "interval": 1, "quadrants": True},
                     "slices": {"normal": "y", "position": 0.5, "interval": 6, "quantities": "velocity"}})
    found = run_report.Run(run.folder)
    stress = found.statistics["values"]["uw"]
    known = run_report.share_known(found, "x", stress.size)
    check.equal("shares of quadrants: where the stress is",
                bool(np.array_equal(known, abs(stress) > 0.05 * abs(stress).max())) and 0 < known.sum() < 17,
                True)
    check.equal("the product of walls normal to x, stream along z", found.channel.product("uv"), "w'u'")
    check.equal("the distance from these walls", found.channel.distance, "$x^+$")
    saved, told = page.plt.Figure.savefig, []

    def looked_at(self, name, **how):
        """Notes what the figure of the file has; the page takes its pictures in memory."""
        if not isinstance(name, str):
            saved(self, name, **how)
            return
        open(name, "wb").close()
        self.canvas.draw()
        keys = [(a, a.get_legend()) for a in self.axes if a.get_legend()]
        told[:] = [a.get_ylabel() for a in self.axes] + [w.get_text() for _, k in keys for w in k.get_texts()]
        told.extend(k.get_window_extent().y0 - a.get_window_extent().y1 for a, k in keys)

    page.plt.Figure.savefig = looked_at
    try:
        channel_report.draw(found.channel, [], os.path.join(run.folder, "channel.png"))
    finally:
        page.plt.Figure.savefig = saved
    check.holds("channel_report: what the axes and lines are",
                {"residual of the shear stress", r"$-\langle w'u'\rangle^+$", "$x^+$"} <= set(told)
                and told.count("shear stress") == 1, told)
    check.above("    its keys are above the panels", min(x for x in told if isinstance(x, float)), 0.0)
    check.equal("title of the averages", found.statistics["words"]["title"], "a title")
    path = {0: os.path.join(run.folder, "slice_1_00000006.h5")}
    for quantity, both in (("velocity.z", False), ("velocity.y", True), ("velocity", False)):
        limits = slices.common_limits(path, quantity)
        check.equal(f"colours of {quantity}: two signs", plots.two_signed(limits), both)
        with h5py.File(path[0], "r") as file:
            values = file["velocity"][...]
        if quantity == "velocity.z":
            check.near("    the largest", limits[1], float(np.quantile(values[..., 2], 0.998)), 1e-6)
            with h5py.File(path[0], "r+") as file:
                file["velocity"][...] = -values
            low, high = slices.common_limits(path, quantity)
            check.holds("    of the other sign", low < 0 and high <= 0 and not plots.two_signed((low, high)),
                        (low, high))
            with h5py.File(path[0], "r+") as file:
                file["velocity"][...] = values


def cavity(kolmo, check):
    """Tables on the lines through a lid-driven cavity: made here from the checkpoint's fields, in both
    forms."""
    run = kolmo.run({"run": {"steps_max": 20}, "grid": {"n": (17, 2, 20), "length": (1.0, 1.0, 1.0)},
                     "fluid": {"nu": 0.01}, "time": {"dt": 0.01},
                     "boundary": {"x_low": "wall", "x_high": "wall", "z_low": "wall", "z_high": "wall",
                                  "z_high_velocity": (2.0, 0.0, 0.0)},
                     "initial": {"type": "rest"}})
    with h5py.File(sorted(glob.glob(os.path.join(run.folder, "checkpoint_*.h5")))[-1], "r") as file:
        u, w = (file[f"fields/{name}"][:, 0, :] for name in "uw")
        x, z = (0.5 * (f[1:] + f[:-1]) for f in (file["grid/x_face"][...], file["grid/z_face"][...]))
    # faces lie at n/17 in x, so none in the middle: the cubic through the four beside it
    weights = np.array([-1, 9, 9, -1]) / 16
    lines = {"y": (z, u[:, 7:11] @ weights / 2), "x": (x, w[10, :] / 2)}  # of the faces in z one lies there
    about = lambda factor: {"y": {"y": lines["y"][0], "Re200": lines["y"][1] * factor,
                                  "Re400": 9 + 0 * lines["y"][1]},
                            "x": {"x": lines["x"][0], "Re200": lines["x"][1] * factor}}
    names = {place: table(os.path.join(run.folder, f"cavity_{place}.csv"), about(1.0)[place])
             for place in lines}
    whole = table(os.path.join(run.folder, "cavity_both.csv"),
                  {"component": ["u"] * 20 + ["v"] * 17, "coordinate": np.concatenate((z, x)),
                   "velocity": np.concatenate((lines["y"][1], 1.1 * lines["x"][1]))},
                  "a cavity at Re = 200")
    found = verdicts(report("--no-page", "--reference", names["y"], "--reference", names["x"], "--reference",
                            whole, run.folder))
    u_words, v_words = "u on the line normal to the lid", "v on the line along the lid"
    for key, wanted in (((u_words, "cavity_y"), 0.0), ((v_words, "cavity_x"), 0.0),
                        ((u_words, "cavity_both"), 0.0), ((v_words, "cavity_both"), 0.1 / 1.1)):
        check.near(f"{key[0]}, {key[1]}: norm", found[key][0], wanted, 3e-5)
    check.equal("a tenth more", found[v_words, "cavity_both"][1], "FAIL")
    other = table(os.path.join(run.folder, "other.csv"), {"x": x, "Re100": x})
    result = report("--no-page", "--reference", other, run.folder)
    check.equal("another Reynolds number: exit code", result.returncode, 2)
    check.says("another Reynolds number", result.stderr, "it is of Re 100, the run of 200")
    if not no_figures(check,
                      good := report("--reference", names["y"], "--allow", "energy budget=1e9", run.folder)):
        check.equal("page: exit code", good.returncode, 0)
        with open(os.path.join(run.folder, "report.html"), encoding="utf-8") as file:
            check.says("figure", file.read(), 'id="centre_line_u"')


def duct(kolmo, check):
    """Numbers of a duct against tables made of its own, and of ducts of other sides; with a side that slips
    there are none."""
    case = {"run": {"steps_max": 4}, "grid": {"n": (4, 12, 8), "length": (1.0, 3.0, 1.5)},
            "fluid": {"nu": 0.1}, "time": {"dt": 0.01},
            "boundary": {f"{d}_{side}": "wall" for d in "yz" for side in ("low", "high")},
            "forcing": {"type": "pressure-gradient", "value": 1.0},
            "initial": {"type": "rest"}, "statistics": {"start": 0.0, "interval": 1}}
    run = kolmo.run(case)
    with h5py.File(os.path.join(run.folder, "statistics.nc"), "r") as file:
        # equal widths: means over the sides
        friction = float(file["wall_stress_u_y_low"][...].mean()
                         + file["wall_stress_u_z_low"][...].mean() * 2) / 3
        bulk, largest = float(file["u_b"][...]), float(file["U"][...].max())
    f_re = 8 * friction / bulk ** 2 * bulk * 2.0 / 0.1  # hydraulic diameter 4 x 4.5/9
    name = os.path.join(run.folder, "ducts.csv")
    found = report("--no-page", *LOOSE, "--reference",
                   table(name,
                         {"aspect": [1.0, 2.0], "u_max_over_U": [9.0, largest / bulk],
                          "fRe_Darcy": [9.0, f_re],
                          "fRe_Fanning": [9.0, f_re / 5]}), run.folder)
    check.equal("exit code", found.returncode, 1)
    moving = {f"{face}_velocity": (0.5, 0.0, 0.0) for face in case["boundary"]}
    moved = kolmo.run(kc.merge(case, {"boundary": moving, "initial": {"type": "uniform",
                                                                      "velocity": (0.5, 0.0, 0.0)}}))
    of_moved = report("--no-page", *LOOSE, "--reference",
                      table(os.path.join(moved.folder, "ducts.csv"),
                            {"aspect": [2.0], "u_max_over_U": [largest / bulk], "fRe_Darcy": [f_re]}),
                      moved.folder)
    check.equal("four walls that move alike: exit code", of_moved.returncode, 0)
    norms = [v[0] for n, v in verdicts(of_moved).items() if n[1] == "ducts"]
    check.equal("    numbers", len(norms), 2)
    check.below("    differences", max(norms, default=np.nan), 1e-9)
    rows = verdicts(found)
    for words, wanted, verdict in (("largest velocity over the mean", 0.0, "pass"),
                                   ("f Re, Darcy", 0.0, "pass"),
                                   ("f Re, Fanning", 0.25, "FAIL")):
        check.near(words, rows[words, "ducts"][0], wanted, 1e-6 if wanted else 1e-12)
        check.equal("    verdict", rows[words, "ducts"][1], verdict)
    check.says(
        "other sides",
        report(
            "--no-page",
            "--reference",
            table(name, {"aspect": [1.0, 2.1], "fRe_Darcy": [1.0, 2.0]}),
            run.folder,
        ).stderr,
        "ratio of the run's, 2",
    )
    slip = kolmo.run(kc.merge(case, {"boundary": {"y_low": "slip"}}))
    check.says("a side that slips", report("--no-page", "--reference", name, slip.folder).stderr,
               "it holds ducts, of which this run has none")


def refused(kolmo, check):
    """Files that are missing, damaged or of another flow, and options that are none: exit code 2 and the
    reason."""
    run = kolmo.run({"run": {"steps_max": 2}, "grid": {"n": (8, 8, 8)}, "fluid": {"nu": 0.02},
                     "time": {"dt": 0.02}})
    odd = table(os.path.join(run.folder, "odd.csv"), {"a": [1.0], "b": [2.0]})
    late = table(os.path.join(run.folder, "late.csv"), {"t": [100.0, 200.0], "kinetic_energy": [1.0, 1.0]})
    profile = table(os.path.join(run.folder, "profile.csv"), {"y_plus": [1.0, 2.0], "U_plus": [1.0, 2.0]})
    for words, told in (((), "which folder?"), (("none",), "no such folder"),
                        ((os.path.dirname(run.folder),),
                         "neither a series.nc with two records or more nor a statistics.nc"),
                        (("--reference", "none.csv", run.folder), "none.csv"),
                        (("--reference", odd, run.folder), "none of a known kind"),
                        (("--reference", late, run.folder), "are not those of the run"),
                        (("--reference", profile, run.folder),
                         "it holds profiles, of which this run has none"),
                        (("--allow", "speed=1", run.folder), "NAME=SHARE"),
                        (("--reference", "--allow", run.folder), "--reference wants a value"),
                        (("--quick", run.folder), "not understood")):
        result = report("--no-page", *words)
        check.equal(f"{told}: exit code", result.returncode, 2)
        check.says(told, result.stderr, told)
    for kind, text, told in (("a word", "# of a paper\n\nt,kinetic_energy\n0,1\n1,one\n",
                              "bad.csv:5: kinetic_energy is 'one'; a number is wanted"),
                             ("nothing", "# of a paper\n", "bad.csv: no header"),
                             ("a header", "t,kinetic_energy\n", "bad.csv: no rows below its header"),
                             ("a long row", "t,kinetic_energy\n0,1\n1,2,3\n",
                              "bad.csv:3: 3 values, and the header names 2 columns (t, kinetic_energy)"),
                             ("a short row", "y_plus,U_plus\n1,1\n2\n", "bad.csv:3: 1 values"),
                             ("a name twice", "k,E,E\n1,2,3\n2,3,4\n", "names 'E' twice"),
                             ("nan", "k,E\n1,2\n2,nan\n", "E is nan in row 2"),
                             ("bytes", b"\x89\xff\x00", "it is no text")):
        with open(os.path.join(run.folder, "bad.csv"), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        result = report("--no-page", "--reference", os.path.join(run.folder, "bad.csv"), run.folder)
        check.equal(f"a table with {kind}: exit code", result.returncode, 2)
        check.says(f"a table with {kind}", result.stderr, told)
    series = run.series()
    marked = os.path.join(run.folder, "marked.csv")
    # as spreadsheets write it, with a column of words
    with open(marked, "w", encoding="utf-8-sig", newline="") as file:
        file.write("t, kinetic_energy, note\r\n"
                   + "".join(f"{float(t)!r}, {float(e)!r}, \"a, b\"\r\n"
                             for t, e in zip(series["time"], series["kinetic_energy"])))
    check.equal("a table of a spreadsheet", verdicts(report("--no-page", "--allow", "energy budget=1e9",
                                                            "--reference", marked,
                                                            run.folder))["kinetic energy", "marked"],
                (0.0, "pass"))


def first_picture(_, check):
    """The curves of docs/validation that the first figure has: those of their grids, beside the reference."""
    reference = taylor_green_report.read_reference()
    table = taylor_green_report.read_table(taylor_green_report.EXPECTED)
    for cells in (64, 96):
        curve = taylor_green_report.read_curve(cells)
        for t in (4.0, 8.0, 12.0):
            there = float(np.interp(t, curve["t"], curve["kinetic_energy"]))
            exact = float(reference["kinetic_energy"][reference["t"] == t][0])
            wanted = taylor_green_report.expected_error(table, cells, f"energy_t{t:g}")[0]
            check.near(f"{cells}^3: error of the energy at t = {t:g}", there / exact - 1, wanted, 1e-3)
        check.below(f"{cells}^3: the dissipation is that of the energy",
                    float(np.abs(curve["dissipation"][4:-4]
                                 + np.gradient(curve["kinetic_energy"], curve["t"])[4:-4]).max()), 2e-4)
    check.equal("no curve of another grid", taylor_green_report.read_curve(100), None)
    check.equal("no error is expected that is not of second order",
                taylor_green_report.expected_error(table, 16, "peak_dissipation"), None)
    check.equal("    one that is small comes from the nearest grid",
                taylor_green_report.expected_error(table, 80, "peak_dissipation")[1] in (64, 96), True)


if __name__ == "__main__":
    report_parts.contents_of = read_once(report_parts.contents_of)
    kc.main(__doc__, [periodic, walls, turning_frame, without_walls, other_walls,
                      moving_walls, other_reynolds, usual_names,
                      figures, cavity, duct, refused, first_picture])

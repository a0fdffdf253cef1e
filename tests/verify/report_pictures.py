#!/usr/bin/env python3
"""The look of kolmo-report: every figure has one size, and nothing in it is cut or lies over something else;
figures of made-up numbers against kept pictures; figures of the other reports; the page on a phone, in a
headless browser; failures on top
of the verdicts, with links to figures that are there; LaTeX tables.

Would catch: a key over the curves, numbers of an axis over one another, an axis label beyond the sheet, bands
or marks that are gone, shares of quadrants where there is no stress, a figure twice as large as the others, a
page that is wider than a phone.

--update draws the kept pictures anew: python3 tests/verify/report_pictures.py --update"""
import html
import os
import re
import shutil
import subprocess
import sys
import types

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(HERE, "..", "..", "postproc", "plot"))
import kolmo_case as kc  # noqa: E402
import numpy as np  # noqa: E402
import system_python  # noqa: E402,F401  pylint: disable=unused-import
import bodies_report  # noqa: E402
import channel_report  # noqa: E402
import decay  # noqa: E402
import poisson_report  # noqa: E402
import report_page  # noqa: E402
import run_report  # noqa: E402
import scalars_report  # noqa: E402
import step_report  # noqa: E402
import taylor_green_report  # noqa: E402
import walls_report  # noqa: E402
import wave_report  # noqa: E402

PLOT = os.path.join(HERE, "..", "..", "postproc", "plot")
KEPT = os.path.join(HERE, "..", "data", "pictures")
PIXELS, COARSE = (168, 128), 4  # of kept pictures; cells of so many pixels are compared
DIFFERENT = 0.03  # rms of the difference of grey, of white; a lost table makes 0.05
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PHONE = 380  # pixels
CHANNEL = {
    "run": {"steps_max": 6, "title": "a channel <of & for> phones"},
    "grid": {"n": (16, 8, 12), "length": (8.0, 2.0, 2.0)},
    "fluid": {"nu": 0.01},
    "time": {"dt": 0.02},
    "boundary": {"z_low": "wall", "z_high": "wall"},
    "initial": {"type": "channel"},
    "forcing": {"type": "bulk-velocity", "value": 1.0},
    "statistics": {"start": 0.0, "interval": 1, "quadrants": True},
    "probes": {"position": (1.0, 1.0, 1.0)},
    "scalars": {"name": "hot_air", "prandtl": 0.7, "bulk_source": 1.0, "z_low": "value", "z_high": "value"},
    "slices": {"normal": "y", "position": 0.5, "interval": 6, "quantities": "velocity q hot_air"},
}
LAYER = {  # heat that is conducted alone: every Nusselt number is 1
    "run": {"steps_max": 4},
    "grid": {"n": (8, 6, 10), "length": (2.0, 1.5, 1.3), "stretching": ("uniform", "uniform", "sine"),
             "stretching_factor": (0, 0, 0.4)},
    "time": {"dt": 0.02},
    "boundary": {"z_low": "wall", "z_high": "wall"},
    "initial": {"type": "rest"},
    "scalars": {"name": "heat", "prandtl": 0.7, "initial": "conduction", "z_low": "value",
                "z_low_value": 0.3, "z_high": "value", "z_high_value": -0.9},
    "fluid": {"nu": 0.05},
}
DUCT = {
    "run": {"steps_max": 6},
    "grid": {"n": (8, 12, 10), "length": (3.0, 2.0, 2.0)},
    "fluid": {"nu": 0.02},
    "boundary": {"y_low": "wall", "y_high": "wall", "z_low": "wall", "z_high": "wall"},
    "forcing": {"type": "bulk-velocity", "value": 1.0},
    "initial": {"type": "channel"},
    "scalars": {"name": "heat", "prandtl": 0.7, "bulk_source": 1.0, "y_low": "value", "y_high": "value",
                "z_low": "value", "z_high": "value"},
    "statistics": {"start": 0.0, "interval": 1},
}
SOLID = {
    "run": {"steps_max": 4},
    "grid": {"n": (12, 10, 14), "length": (1.2, 1.0, 1.4)},
    "fluid": {"nu": 0.05},
    "time": {"dt": 0.01},
    "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)},
    "bodies": {"shape": "sphere", "centre": (0.5, 0.5, 0.6), "size": 0.5},
    "output": {"field_interval": 4},
}
BOX = {
    "run": {"steps_max": 6},
    "grid": {"n": (12, 12, 12)},
    "fluid": {"nu": 0.02},
    "time": {"dt": 0.02},
    "initial": {"type": "isotropic"},
    "statistics": {"start": 0.0, "interval": 1, "spectra_interval": 2},
}


class Watched(report_page.Page):
    """A page that looks at its figures."""

    keeps = False  # figures in the page, too: it takes time

    def __init__(self, plt, figures=None):
        super().__init__(plt, figures)
        self.sizes, self.faults, self.drawn = set(), [], {}

    def add(self, figure, name, words, vector=True):
        """Its size, faults and grey values."""
        for axis in figure.axes:
            report_page.few_ticks(axis)
        report_page.key(figure)
        self.sizes.add(tuple(float(v) for v in figure.get_size_inches()))
        self.faults += [f"{name}: {words}" for words in report_page.faults_of(figure)]
        self.drawn[name] = np.asarray(figure.canvas.buffer_rgba())[..., :3].mean(axis=2)
        if self.keeps:
            super().add(figure, name, words, vector)
        else:
            self.names.append(name)
            self.plt.close(figure)


# ---- made-up runs ------------------------------------------------------------------------------------------

def file_of(values, words=None):
    """As report_parts.read_netcdf() gives it."""
    return {"values": values, "words": words or {}, "latest": {}, "about": {n: n for n in values},
            "units": {n: "1" for n in values}}


def history_run():
    """An energy that decays, with a table."""
    t = np.linspace(0.0, 4.0, 81)
    energy = 1 / (1 + t)
    column = {"time": t, "kinetic_energy": energy, "dissipation": energy ** 2, "enstrophy": 40 * energy ** 2,
              "dt": 0.05 + 0.01 * np.sin(3 * t), "cfl": 0.8 - 0.1 * np.cos(3 * t),
              "divergence_max": 1e-7 * (1 + t), "budget_residual": 1e-4 * np.sin(9 * t)}
    run = types.SimpleNamespace(column=lambda n: column.get(n, 0 * t), number=lambda *_: 1e-6,
                                series=file_of(column))
    table = {"kind": "histories", "name": "a table",
             "column": {"t": t[::8], "kinetic_energy": energy[::8] * 1.05}}
    return run, [table]


def channel_run():
    """Profiles of a mixing length, and a table beside them."""
    re_tau = 180.0
    y = re_tau * (1 - np.cos(np.pi * np.arange(1, 49) / 96))
    mean = np.log1p(0.41 * y) / 0.41 + 7.8 * (1 - np.exp(-y / 11) - y / 11 * np.exp(-y / 3))
    shape = {"U": mean, "uu": 7 * (y / 15) ** 2 * np.exp(2 - 2 * y / 15) + 1 - y / re_tau,
             "vv": 1.2 * (1 - np.exp(-y / 40)) ** 2, "ww": 1.3 * (1 - np.exp(-y / 20)) ** 2,
             "uv": -(1 - y / re_tau) * (1 - np.exp(-y / 15)), "oxox": 0.03 * np.exp(-y / 40),
             "oyoy": 0.04 * (y / 15) * np.exp(1 - y / 15), "ozoz": 0.1 * np.exp(-y / 15), "pp": 3 - y / 90,
             "stress_viscous": np.exp(-y / 12), "stress_total": 1 - y / re_tau,
             "stress_line": 1 - y / re_tau}
    channel = types.SimpleNamespace(shape=shape, number={"Re_tau": re_tau}, distance="$z^+$", normal="z",
                                    data={},
                                    product=lambda _: "u'w'", component=lambda w: w,
                                    profile=lambda n, sign=None: (y, shape[n], 0.02 * abs(shape[n])))
    table = {"kind": "profiles", "name": "a table", "y": y[::3],
             "column": {n: 1.1 * shape[n][::3] for n in ("U", "uu", "vv", "ww", "uv")}}
    return types.SimpleNamespace(channel=channel), [table]


def quadrant_run():
    """Shares over the height; the stress goes through zero in the middle."""
    z = np.linspace(0.05, 1.95, 39)
    stress = -(1 - z) * (1 - np.exp(-10 * np.minimum(z, 2 - z)))
    values = {"z": z, "z_face": np.linspace(0, 2, 40), "uw": stress}
    for q, share in enumerate((-0.1, 0.7, -0.15, 0.55), 1):
        values[f"quadrant_{q}_share"] = share / np.where(abs(1 - z) > 1e-9, 1 - z, 1e-9) * abs(1 - z)
        values[f"quadrant_{q}_fraction"] = 0.2 + 0.03 * q + 0.02 * np.cos(q * z)
    return types.SimpleNamespace(statistics=file_of(values, {"streamwise_direction": "x"}))


def density_run():
    """Structure functions of a model spectrum, and densities."""
    r, bins = np.linspace(0.1, 3.0, 30), np.linspace(-8, 8, 65)
    values = {"bin": bins, "sx": np.array([0.2, 0.8]),
              "pdf_increment_along_x": np.array([0.5 * np.exp(-abs(bins)), np.exp(-bins ** 2 / 2) / 2.5])}
    for d in "xyz":
        values["r" + d] = r
        values[f"S2_along_{d}"], values[f"S2_across_{d}"] = r ** 2 / (0.1 + r ** 1.33), 1.3 * r ** 2 / (
            0.1 + r ** 1.33)
        values[f"S3_along_{d}"] = -0.8 * r * r ** 2 / (0.05 + r ** 2)
        for kind in ("along", "across"):
            values[f"pdf_gradient_{kind}_{d}"] = 0.4 * np.exp(-1.2 * abs(bins))
    for name in ("velocity", "vorticity"):
        values["pdf_" + name] = np.exp(-bins ** 2 / 2) / 2.5
    return types.SimpleNamespace(densities=file_of(values),
                                 statistics=file_of({"dissipation": np.array(1.0)}))


def scalar_run():
    """A heated layer: series of a flow that becomes steady, profiles with two boundary layers."""
    t, z = np.linspace(0.0, 20.0, 101), np.linspace(0.02, 0.98, 33)
    faces = np.linspace(0.0, 1.0, 34)
    grown = 4 * (1 - np.exp(-t / 4))
    series = {"time": t, "heat_mean": 0 * t, "heat_least": 0 * t - 0.5, "heat_largest": 0 * t + 0.5,
              "heat_variance": 0.08 - 0.01 * grown, "heat_dissipation": 0.01 * (1 + grown),
              "heat_flux_x": 0 * t, "heat_flux_y": 0 * t, "heat_flux_z": 0.01 * grown * (1 + 0.1 * np.sin(t)),
              "heat_flux_in_z_low": 0.01 * (1 + grown), "heat_flux_in_z_high": -0.009 * (1 + grown)}
    sine = np.sin(np.pi * faces)
    values = {"z": z, "z_face": faces, "heat": 0.25 * (1 - 2 * z) ** 5,
              "heat_rms": 0.1 * np.sin(np.pi * z) + 0.05, "heat_w": 0.05 * sine,
              "heat_molecular_flux": 0.05 * (1 - sine), "heat_total_flux": 0 * faces + 0.05,
              "heat_variance_production": 0.02 * np.sin(np.pi * z),
              "heat_variance_dissipation": 0.02 * np.sin(np.pi * z) + 0.01 * np.cos(4 * np.pi * z),
              "heat_variance_molecular_diffusion": 0.01 * np.cos(4 * np.pi * z)}
    values.update({n + "_error": 0.05 * abs(v) for n, v in values.items() if n.startswith("heat")})
    wanted = {"scalars.name": ["heat"], "scalars.diffusivity": ["0.01"], "scalars.z_low": ["value"],
              "scalars.z_low_value": ["0.5"], "scalars.z_high": ["value"], "scalars.z_high_value": ["-0.5"],
              "grid.length": ["1", "1", "1"]}
    return types.SimpleNamespace(series=file_of(series), input=wanted, words={"input": ""},
                                 statistics=file_of(values, {"wall_normal_direction": "z"}))


def body_file():
    """Forces on two bodies, which one start makes large; the second one moves."""
    t = np.linspace(0.0, 10.0, 201)
    drag = np.stack([1 + 5 * np.exp(-10 * t), 0.7 + 0.1 * np.sin(t)], axis=1)
    values = {"time": t, "force_x": drag, "force_y": 1e-17 * drag,
              "force_z": np.stack([0 * t, np.cos(t)], axis=1),
              "viscous_x": 0.4 * drag, "pressure_x": 0.6 * drag}
    for d in "xyz":
        values["torque_" + d] = 0 * drag
        values["position_" + d] = np.stack([0 * t, np.sin(t) if d == "z" else 0 * t], axis=1)
    return values


def made_up():
    """All figures of made-up runs; None without matplotlib."""
    try:
        page = Watched(report_page.plotter())
    except ImportError:
        return None
    run_report.draw_histories(page, *history_run())
    run_report.draw_profiles(page, *channel_run())
    run_report.draw_plain_profiles(page, quadrant_run(), "z", run_report.QUADRANTS)
    run_report.draw_densities(page, density_run())
    scalars_report.draw(page, scalar_run())
    values = body_file()
    bodies_report.draw_vectors(page, values, "force", "force", "U^2 L^2", "Force on the bodies")
    bodies_report.draw_parts(page, values)
    bodies_report.draw_paths(page, values)
    return page


# ---- tests -------------------------------------------------------------------------------------------------

def coarse(picture):
    """Mean grey of cells of a picture, 0 to 1."""
    from PIL import Image

    kept = Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8)).resize(PIXELS, Image.BOX)
    small = kept.resize((PIXELS[0] // COARSE, PIXELS[1] // COARSE), Image.BOX)
    return np.asarray(small, dtype=float) / 255


def kept_names(page):
    """Of the figures that are kept."""
    kinds = ("history", "profile", "plain", "structure", "scalar", "bodies")
    return [n for n in page.drawn if n.split("_")[0] in kinds]


def difference(one, two):
    """Root mean square."""
    return float(np.sqrt(np.mean((one - two) ** 2)))


def pictures_test(_, check):
    """Made-up numbers against the kept pictures, and whether the comparison would see a lost curve."""
    page = made_up()
    if page is None:
        check.skip("pictures", "no matplotlib")
        return
    from PIL import Image

    names = kept_names(page)
    check.equal("figures", len(names), 26)
    check.same("faults of their look", page.faults)
    kept = {}
    for name in names:
        with Image.open(os.path.join(KEPT, name + ".png")) as file:
            kept[name] = coarse(np.asarray(file.convert("L"), dtype=float))
        check.below(f"{name}: difference from the kept picture", difference(coarse(page.drawn[name]),
                                                                            kept[name]), DIFFERENT)
    page.drawn.clear()
    run_report.draw_profiles(page, channel_run()[0], [])
    lost = difference(coarse(page.drawn["profile_rms"]), kept["profile_rms"])
    check.above("without the table's marks", lost, DIFFERENT)
    figure, axis = report_page.axes(page, "x", "y")
    axis.plot([0, 1], [0, 1], label="a line")
    axis.legend(loc="center")
    check.equal("a key over its panel is seen", len(report_page.faults_of(figure)), 1)
    axis.get_legend().remove()
    axis.set_xticks(np.linspace(0, 1, 40), [f"number {n}" for n in range(40)])
    check.equal("numbers over one another are seen", report_page.faults_of(figure),
                ["panel 1: numbers of an axis overlap"])


def sheets():
    """What the reports without a page draw, of made-up numbers: a function for each figure."""
    t = np.linspace(0.0, 12.0, 61)
    series = {"time": t, "kinetic_energy": 0.125 - 0.008 * t, "dissipation": 0.002 * t,
              "energy_loss": 0.002 * t}
    flow = types.SimpleNamespace(title="a title", type="taylor-green", re=1600.0, n=[96] * 3, cells=96)
    x = np.linspace(0.05, 0.95, 10)
    laminar = ("Poiseuille", x, x * (1 - x), lambda y: y * (1 - y), 1.0)
    line, points = (x, np.sin(6 * x)), np.stack([x, np.sin(6 * x)], axis=1)
    cavity = (100, "2d, Re 100, 48 x 2 x 48", {"u": line, "w": line}, {"u": points, "w": points},
              "Ghia et al.", [])
    solvers = {(case, name, n): {"iterations": 4 + n // 16} for case in poisson_report.CASES
               for name in ("multigrid", "direct") for n in (16, 32, 64)}
    wave = [(n, n, t, (1j * wave_report.OMEGA * (1 - 1 / n)) * t, wave_report.OMEGA * (1 - 1 / n))
            for n in (32, 64)]
    z, along = np.linspace(-0.45, 0.45, 10), np.linspace(0.25, 29.75, 60)
    shear = np.sin(along / 4) / 100
    step = types.SimpleNamespace(input={"run.title": ["a", "title, $"]}, reynolds=800.0,
                                 length=(30.0, 0.1, 1.0), centre=[along, x, z], x=along, lower=shear,
                                 upper=-shear, u=np.outer(1 - 4 * z * z, 1 + shear),
                                 cells=lambda: "60 x 2 x 10",
                                 face=[along, x, np.linspace(-0.5, 0.5, 11)])
    rows = [{"Re_T": v, "n": 1.3 + 1 / v, "n_error": 0.02, "k_max_eta": v / 20} for v in (10.0, 30.0, 100.0)]
    run, tables = channel_run()
    run.channel.title, run.channel.halves = "a title", True
    for n in ("k_production", "k_dissipation", "k_turbulent_transport", "k_viscous_diffusion",
              "k_pressure_transport", "k_budget_residual", "stress_residual"):
        run.channel.shape[n] = run.channel.shape["oxox"]
    return {"channel.png": lambda plt, to: channel_report.draw(
                run.channel, tables, os.path.join(to, "channel.png")),
            "tg.png": lambda plt, to: taylor_green_report.figure(
                os.path.join(to, "tg.png"), series, dict(series, t=t), dict(series, t=t), flow),
            "walls-laminar.png": lambda plt, to: walls_report.laminar_figure(plt, [laminar] * 2, to),
            "walls-cavity.png": lambda plt, to: walls_report.cavity_figure(plt, [cavity] * 2, to),
            "iterations.png": lambda plt, to: poisson_report.figure(
                plt, solvers, ["multigrid", "direct"], lambda r: r["iterations"], "iterations",
                os.path.join(to, "iterations.png")),
            "orr-sommerfeld.png": lambda plt, to: wave_report.draw(wave, to),
            "backward-step.png": lambda plt, to: step_report.draw([step], to),
            "n.png": lambda plt, to: decay.draw(os.path.join(to, "n.png"), [("an ensemble", rows)],
                                                 "a title")}


def sheets_test(kolmo, check):
    """Figures of the other reports: panels of the page's width, no fault of their look, PNG, PDF and SVG; and
    no report has a layout of its own."""
    try:
        plt = report_page.plotter()
    except ImportError:
        check.skip("figures", "no matplotlib")
        return
    place, saved, seen = kolmo.place(), plt.Figure.savefig, {}

    def look(figure, name, **_):
        if not isinstance(name, str):  # of the page: report_sheets.py
            name.write(b"<svg/>")
            return
        head = os.path.basename(name).removesuffix(".part")
        if head.endswith(".png"):
            seen[head] = report_page.faults_of(figure), figure.get_size_inches()[0] / report_page.SIZE[0]
        with open(name, "wb"):
            pass
    plt.Figure.savefig = look
    try:
        for draw in sheets().values():
            draw(plt, place)
    finally:
        plt.Figure.savefig = saved
    check.equal("figures", sorted(seen), sorted(sheets()))
    check.same("faults of their look", [f"{n}: {f}" for n, (faults, _) in seen.items() for f in faults])
    check.same("panels of another width",
               [n for n, (_, count) in seen.items() if abs(count - round(count)) > 1e-9])
    check.equal("    as PDF and SVG, too", sorted(os.listdir(place)),
                sorted(n.replace(".png", e) for n in seen for e in (".png", ".pdf", ".svg")))
    own = []
    for name in sorted(os.listdir(PLOT)):
        with open(os.path.join(PLOT, name), encoding="utf-8") as file:
            text = file.read()
        if name.endswith("_report.py") or name == "decay.py":
            own += [f"{name}: {word}" for word in ("savefig", "figsize", "rcParams", "matplotlib.use",
                                                   "h5py.File") if word in text]
    check.same("layouts and readers of their own", own)


def page_of(kolmo, case, keeps):
    """The page of a run, and the run; None without matplotlib."""
    run = run_report.Run(kolmo.run(case).folder)
    verdicts, seen = run_report.Verdicts(run_report.ALLOWED), []
    run_report.judge_run(run, verdicts)
    made = lambda *words: seen.append(Watched(*words)) or seen[0]
    run_report.Page, Watched.keeps = made, keeps
    try:
        run_report.write(run, [], verdicts, {"figures": None, "to": os.path.join(run.folder, "page.html"),
                                             "slices": 3})
    except ImportError:
        return None, run
    finally:
        run_report.Page, Watched.keeps = report_page.Page, False
    return seen[0], run


def looks(check, page):
    """One size, and no fault."""
    check.equal("one size, inches", page.sizes, {report_page.SIZE})
    check.same("faults of their look", page.faults)
    check.above("figures", len(page.names), 15)


def box_test(kolmo, check):
    """All figures of a box."""
    page, _ = page_of(kolmo, BOX, False)
    if page is None:
        check.skip("figures", "no matplotlib")
    else:
        looks(check, page)


def scalars_test(kolmo, check):
    """Nusselt numbers of conduction; figures of a scalar are in the channel's page."""
    run = run_report.Run(kolmo.run(LAYER).folder)
    found = scalars_report.nusselt(run, "heat", 0)
    check.equal("ways to a Nusselt number", len(found), 4)
    for words, values in found:
        check.below(f"{words}: Nusselt number of conduction, less 1", float(abs(values - 1).max()), 1e-9)


def duct_test(kolmo, check):
    """A scalar over the cross-section of a duct."""
    page, run = page_of(kolmo, DUCT, False)
    if page is None:
        check.skip("figures of a duct", "no matplotlib")
        return
    check.same("faults of their look", page.faults)
    check.same("figures that lack", sorted({"section_heat", "section_heat_variance"} - set(page.names)))
    with open(os.path.join(run.folder, "page.html"), encoding="utf-8") as file:
        check.says("its Nusselt number", file.read(), "Nusselt number of heat by")


def bodies_test(kolmo, check):
    """Figures of bodies: forces, parts, and the body in three planes of a file of fields."""
    page, run = page_of(kolmo, SOLID, False)
    if page is None:
        check.skip("figures of bodies", "no matplotlib")
        return
    check.same("faults of their look", page.faults)
    check.equal("one size, inches", page.sizes, {report_page.SIZE})
    wanted = {"bodies_force_x", "bodies_parts", "bodies_x", "bodies_y", "bodies_z"}
    check.same("figures that lack", sorted(wanted - set(page.names)))
    path = os.path.join(run.folder, "fields_00000004.h5")
    place, _, level = bodies_report.planes_of(path, [0.5, 0.5, 0.6])["planes"][2]
    x, y = np.meshgrid((np.arange(12) + 0.5) * 0.1, (np.arange(10) + 0.5) * 0.1)
    inside = (x - 0.5) ** 2 + (y - 0.5) ** 2 + (place - 0.6) ** 2 < 0.25 ** 2
    check.equal("cells of the sphere that are drawn", int((level < 0).sum()), int(inside.sum()))
    check.holds("    at their places", np.array_equal(level < 0, inside))


def channel_test(kolmo, check):
    """All figures of a channel; verdicts, links, LaTeX, and the page on a phone."""
    made, run = page_of(kolmo, CHANNEL, True)
    if made is None:
        check.skip("page", "no matplotlib")
        return
    looks(check, made)
    lines = {"range", "variance", "flux", "mean", "fluxes", "fluxes_along", "budget_variance"}
    wanted = {"scalar_hot_air_" + n for n in lines}
    check.same("figures of the scalar that lack", sorted(wanted - set(made.names)))
    with open(os.path.join(run.folder, "page.html"), encoding="utf-8") as file:
        page = file.read()
    verdicts = re.findall(r'<tr class="(pass|fail)"><td>(.*?)</td>', page)
    check.equal("failures are on top", verdicts, sorted(verdicts, key=lambda v: v[0] != "fail"))
    bad = sum(v[0] == "fail" for v in verdicts)
    check.holds("    and counted", bad > 0 and f"{bad} of {len(verdicts)} FAIL" in page)
    check.equal("verdicts that lead to a figure", [v[1] for v in verdicts if "<a href=" not in v[1]], [])
    lost = [n for n in re.findall(r'href="#([^"]+)"', page) if f'id="{n}"' not in page]
    check.same("links that lead nowhere", lost)
    check.equal("LaTeX: a text", report_page.tex("a_b & 5 % \\"), r"a\_b \& 5 \% \textbackslash{}")
    check.equal("LaTeX: a table", report_page.latex_table(["a", "b"], [["1", "2"]]).count(r"\\"), 2)
    browser = next((shutil.which(b) for b in BROWSERS if shutil.which(b)), None)
    if browser is None:
        check.skip("the page on a phone", "no chromium")
        return
    wrapped = os.path.join(run.folder, "phone.html")
    with open(wrapped, "w", encoding="utf-8") as file:
        file.write(
            f'<!DOCTYPE html><body style="margin:0"><iframe id="f" style="width:{PHONE}px;height:900px;'
            f'border:0" srcdoc="{html.escape(page)}"></iframe><pre id="o"></pre><script>onload=()=>{{'
            'const d=document.getElementById("f").contentDocument,w=e=>Math.round(e.getBoundingClientRect()'
            '.width);document.getElementById("o").textContent="found "+d.documentElement.scrollWidth+" "+'
            '[...new Set([...d.querySelectorAll("figure img")].map(w))]}</script>'
        )
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
                           "--virtual-time-budget=4000", f"--user-data-dir={kolmo.place()}",
                           "file://" + wrapped],
                          capture_output=True, text=True, check=False, timeout=kc.SECONDS)
    found = re.search(r"found (\d+) ([\d,]+)<", done.stdout)
    check.holds("the browser has shown the page", found is not None, done.stderr[-300:])
    if found:
        check.below("width on a phone, pixels", float(found[1]), PHONE + 0.5)
        check.holds("    all figures are as wide as it", len(found[2].split(",")) == 1
                    and int(found[2]) > 0.8 * PHONE, found[2])


def update():
    """Draws the kept pictures."""
    from PIL import Image

    page = made_up()
    os.makedirs(KEPT, exist_ok=True)
    for name in kept_names(page):
        grey = Image.fromarray(page.drawn[name].astype(np.uint8)).resize(PIXELS, Image.BOX)
        grey.point(lambda v: round(v / 17) * 17).save(os.path.join(KEPT, name + ".png"), optimize=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        sys.exit(update())
    kc.main(__doc__, [pictures_test, sheets_test, box_test, scalars_test, duct_test, bodies_test,
                      channel_test])

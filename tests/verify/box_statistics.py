#!/usr/bin/env python3
"""Statistics of a periodic box, statistics.nc, spectra.nc, pdf.nc: sums that the series knows too, exact
flows, layouts, restart, files.

Energy, dissipation and enstrophy are those of series.nc to rounding, in stretched boxes too; the moments of
the Taylor-Green and ABC flows come at second order; a Gaussian field has a Gaussian's flatness; spectra,
structure functions and densities are those of numpy; the same bits on any ranks and after a restart. Would
catch: a term of the wrong place or weight, a sample doubled or lost at a restart, a state that the checkpoint
lacks, a variable under another's name."""
import math
import os
import sys

for folder in ("support", "reference"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", folder))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402

ROUNDING = 2e-13


class Page:
    """A file of statistics: variables, raw sums as raw/name, texts."""

    def __init__(self, result, name="statistics.nc"):
        self.data, self.words = {}, {}
        with h5py.File(os.path.join(result.folder, name), "r") as file:
            self.texts = {k: v.decode() if isinstance(v, bytes) else v
                          for k, v in file.attrs.items() if not k.startswith("_NC")}
            for place, prefix in ((file, ""), (file.get("raw", {}), "raw/"), (file["latest"], "latest/")):
                for key, column in place.items():
                    if isinstance(column, h5py.Dataset):
                        self.data[prefix + key] = column[...]
                        self.words[prefix + key] = {k: v.decode() if isinstance(v, bytes) else v
                                                    for k, v in column.attrs.items()}
        self.n = int(self.data["n_samples"])

    def __getitem__(self, name):
        value = self.data[name]
        return float(value) if value.ndim == 0 else value

    def same(self, other):
        """Names of variables that differ, bit for bit."""
        return kc.differing_arrays(self.data, other.data)


def box(*cases):
    """A little turbulence in a box of unequal sides, stretched in two directions."""
    return kc.merge({"run": {"steps_max": 8, "seed": 5},
                     "grid": {"n": (16, 12, 14), "length": (kc.TWO_PI, 5.0, 5.5),
                              "stretching": ("sine", "uniform", "tanh"),
                              "stretching_factor": (0.4, 0.0, 1.1)},
                     "fluid": {"nu": 0.03}, "time": {"dt": 0.02},
                     "initial": {"type": "isotropic", "k_peak": 2, "velocity": (0.3, -0.2, 0.1)},
                     "pressure": {"tolerance": 1e-8}, "statistics": {"start": 0.0, "interval": 1},
                     "checkpoint": {"at_end": True}, "output": {"log_interval": 1000}}, *cases)


def uniform(n, *cases):
    """A cube of n^3 cells."""
    return kc.merge(box(), {"grid": {"n": (n, n, n), "length": (kc.TWO_PI,) * 3, "stretching": None,
                                     "stretching_factor": None}}, *cases)


def near(check, name, value, wanted, by=ROUNDING):
    check.below(name, abs(value - wanted) / max(abs(wanted), 1e-300), by)


def sums(kolmo, check):
    """What the series knows too, to rounding; definitions among themselves; moments of the fields of the
    checkpoint."""
    result = kolmo.run(box({"run": {"steps_max": 1}, "forcing": {"type": "pressure-gradient", "value": 0.7}}))
    page, series, state = Page(result), {k: v[-1] for k, v in result.series().items()}, result.checkpoint(1)
    check.equal("samples", page.n, 1)
    for name in ("kinetic_energy", "dissipation", "enstrophy"):
        near(check, name, page[name], series[name])
    for name, axis in zip("UVW", "xyz"):
        near(check, f"mean velocity along {axis}", page[name], series["momentum_" + axis], 1e-12)
    near(check, "power, by the mean velocity of the step", page["power"], 0.7 * 0.5 * (0.3 + page["U"]), 1e-3)
    u = state.velocity
    for d, name in enumerate("uvw"):
        near(check, f"fourth moment of {name}", page[f"raw/sum_{name * 4}"], state.mean(name, u[d] ** 4))
        slope = (kc.up(u[d], d) - u[d]) / kc.along(state.width[d], d)
        near(check, f"third moment of d{name}/d{'xyz'[d]}", page[f"raw/sum_d{name}d{'xyz'[d]}_3"],
             state.mean("p", slope ** 3), 1e-11)
    nu, rms = page["nu"], page["velocity_rms"]
    near(check, "Taylor scale", page["taylor_length"], rms * math.sqrt(15 * nu / page["dissipation"]))
    near(check, "Re_lambda", page["Re_lambda"], rms * page["taylor_length"] / nu)
    near(check, "k_max eta", page["k_max_eta"], page["k_max"] * (nu ** 3 / page["dissipation"]) ** 0.25)
    check.holds("errors are missing", math.isnan(page["k_error"]))


def flows(kolmo, check):
    """Exact moments of flows: errors of second order, no larger than expected; helicity with its sign."""
    still = {"run": {"steps_max": 1}, "time": {"dt": 1e-7}, "fluid": {"nu": 1.0}}
    exact = {"taylor-green": {"uu": 1 / 8, "ww": 0.0, "k": 1 / 8, "dissipation": 3 / 4, "enstrophy": 3 / 8,
                              "helicity": 0.0, "u_flatness": 27 / 8,
                              "dudx_squared": 1 / 8, "dudx_flatness": 27 / 8, "dudy_squared": 1 / 8,
                              "dwdx_squared": 0.0},
             "abc": {"uu": 1.0, "k": 1.5, "dissipation": 3.0, "enstrophy": 1.5, "helicity": 3.0, "uv": 0.0,
                     "u_flatness": 9 / 4,
                     "dudx_squared": 0.0, "dudy_squared": 0.5, "taylor_length": math.sqrt(5.0),
                     "kolmogorov_length": 3 ** -0.25},
             "beltrami": {"k": 0.5}}
    for flow, wanted in exact.items():
        pages = [Page(kolmo.run(uniform(n, still, {"initial": {"type": flow, "k_peak": None,
                                                               "velocity": None}}))) for n in (16, 32)]
        for name, value in wanted.items():
            coarse, fine = (abs(p[name] - value) for p in pages)
            check.below(f"{flow}, {name}: error on 32^3", fine, 0.01 * max(abs(value), 1))
            if coarse > 1e-5:
                check.near(f"{flow}, {name}: it falls by", coarse / fine, 4.0, 0.2)
    near(check, "helicity of the Beltrami flow over its enstrophy",
         pages[1]["helicity"] / math.sqrt(2 * pages[1]["kinetic_energy"] * 2 * pages[1]["enstrophy"]), 1.0,
         0.02)


def gaussian(kolmo, check):
    """A synthetic field of many modes: flatness 3, skewness 0, isotropy, within the scatter of such a
    field."""
    page = Page(kolmo.run(uniform(48,
                                  {"run": {"steps_max": 1}, "time": {"dt": 1e-6},
                                   "pressure": {"tolerance": 1e-4},
                                   "initial": {"k_peak": 6, "velocity": None}})))
    check.near("flatness of longitudinal gradients", page["gradient_along_flatness"], 3.0, 0.1)
    check.near("flatness of transverse gradients", page["gradient_across_flatness"], 3.0, 0.1)
    check.near("skewness of longitudinal gradients", page["gradient_along_skewness"], 0.0, 0.03)
    check.near("flatness of u", page["u_flatness"], 3.0, 0.2)
    check.near("isotropy of gradients", page["gradient_isotropy"], 1.0, 0.08)
    check.near("Taylor scale from longitudinal gradients",
               page["taylor_length_along"] / page["taylor_length"], 1.0, 0.03)


def shells_of(state, products, step):
    """Sums over shells of wavenumbers of an array over all waves, [kz, ky, kx]."""
    k = [2 * np.pi / state.length[d] * np.fft.fftfreq(len(state.centre[d])) * len(state.centre[d])
         for d in range(3)]
    size = np.sqrt(k[2][:, None, None] ** 2 + k[1][None, :, None] ** 2 + k[0][None, None, :] ** 2)
    shell = np.floor(size / step + 0.5 + 1e-9).astype(int)  # waves on an edge: of the shell above
    return np.bincount(shell.ravel(), products.ravel(), minlength=shell.max() + 1), np.bincount(shell.ravel())


def spectra(kolmo, check):
    """Against the library's own transform of the checkpoint, in boxes of unequal sides, even and odd; sums to
    the energy and the dissipation of the series; convection moves energy between shells and makes none;
    correlations against shifted products."""
    import navier_stokes as ns
    for n, length in (((16, 12, 10), (kc.TWO_PI, 5.0, 4.0)), ((9, 15, 14), (9.0, 6.0, 3.0))):
        case = box({"run": {"steps_max": 2},
                    "grid": {"n": n, "length": length, "stretching": None, "stretching_factor": None},
                    "pressure": {"preconditioner": "direct", "direct_precision": "double", "tolerance": None},
                    "statistics": {"interval": 2, "spectra_interval": 2}})
        result = kolmo.run(case)
        page, state, series = (
            Page(result, "spectra.nc"),
            result.checkpoint(2),
            {k: v[-1] for k, v in result.series().items()},
        )
        label, step, u = str(n), page["k"][1], state.velocity
        cells = u[0].size
        grid = ns.Grid(n, length, (0, 0, 0), ("uniform",) * 3, (0, 0, 0))
        hat = [np.fft.fftn(q) / cells for q in u]
        force = [np.fft.fftn(q) / cells for q in ns.convection(grid, u)]
        wave = [np.fft.fftfreq(n[d]) * 2 * np.pi for d in range(3)]
        square = sum(kc.along((2 * np.sin(wave[d] / 2) * n[d] / length[d]) ** 2, d) for d in range(3))
        energy = sum(abs(q) ** 2 for q in hat) / 2
        for name, products in (("E", energy), ("D", 2 * page["nu"] * square * energy),
                               ("T", sum(-(np.conj(q) * f).real for q, f in zip(hat, force)))):
            wanted, modes = shells_of(state, products, step)
            wanted = np.concatenate((wanted, np.zeros(page[name].size - wanted.size))) / step
            check.below(f"{label}: {name}", abs(page[name] - wanted).max() / abs(wanted).max(), 1e-12)
        check.equal(f"{label}: waves", list(page["modes"][:modes.size]), list(modes))
        near(check, f"{label}: Parseval", page["E"].sum() * step, series["kinetic_energy"])
        near(check, f"{label}: dissipation", page["D"].sum() * step, series["dissipation"])
        check.below(f"{label}: transfer over all shells", abs(page["T"].sum()) / abs(page["T"]).max(), 1e-12)
        for c, name in enumerate("uvw"):
            for d, axis in enumerate("xyz"):
                pair = f"{name}{name}_{axis}"
                near(check, f"{label}: E_{pair} over its axis",
                     page["E_" + pair].sum() * 2 * np.pi / length[d], (u[c] ** 2).mean())
                shifted = [(u[c] * np.roll(u[c], -j, axis=2 - d)).mean() - u[c].mean() ** 2
                           for j in range(n[d] // 2 + 1)]
                check.below(f"{label}: R_{pair}", abs(page["R_" + pair] - shifted).max() / shifted[0], 1e-12)
        one = np.fft.rfft(u[1], axis=1)
        one = ((abs(one) ** 2).mean(axis=(0, 2)) / n[1] ** 2
               * (2 - (np.arange(n[1] // 2 + 1) * 2 % n[1] == 0)) * length[1] / (2 * np.pi))
        check.below(f"{label}: E_vv_y", abs(page["E_vv_y"] - one).max() / one.max(), 1e-12)
        line = page["R_uu_x"]
        whole = (2 * line.sum() - line[0] - (line[-1] if n[0] % 2 == 0 else 0)) * length[0] / n[0] / 2
        near(check, f"{label}: integral scale", page["integral_length_x"], whole / line[0], 1e-11)


def densities(kolmo, check):
    """Structure functions and densities against sums and histograms of the checkpoint's fields; gradients
    are the increments over one spacing."""
    n, length = (16, 12, 10), (kc.TWO_PI, 5.0, 4.0)
    case = box({"run": {"steps_max": 1},
                "grid": {"n": n, "length": length, "stretching": None, "stretching_factor": None},
                "statistics": {"spectra_interval": 1}})
    result = kolmo.run(case)
    page, u = Page(result, "pdf.nc"), result.checkpoint(1).velocity
    powers = {
        "A1": abs,
        "S2": np.square,
        "S3": lambda q: q**3,
        "A3": lambda q: abs(q) ** 3,
        "S4": lambda q: q**4,
        "S5": lambda q: q**5,
        "A5": lambda q: abs(q) ** 5,
        "S6": lambda q: q**6,
    }
    edges = np.arange(-160, 161) / 5
    for d, axis in enumerate("xyz"):
        h = length[d] / n[d]
        points = [int(round(r / h)) for r in page["r" + axis]]
        check.equal(f"distances along {axis}", points, [r for r in (1, 2, 3, 4, 6, 8, 12) if r <= n[d] // 2])
        for kind, parts in (("along", [d]), ("across", [c for c in range(3) if c != d])):
            worst, miscounted = 0, 0
            for i, r in enumerate(points):
                steps = [np.roll(u[c], -r, axis=2 - d) - u[c] for c in parts]
                for name, power in powers.items():
                    wanted = np.mean([power(q).mean() for q in steps])
                    size = np.mean([abs(power(q)).mean() for q in steps])
                    worst = max(worst, abs(page[f"{name}_{kind}_{axis}"][i] - wanted) / size)
                if r & (r - 1) == 0:
                    rms = math.sqrt(np.mean(np.square(steps)))
                    count = np.histogram(np.concatenate([q.ravel() for q in steps]) / rms, edges)[0]
                    row = page[f"pdf_increment_{kind}_{axis}"][int(math.log2(r))]
                    if r == 1:
                        check.below(f"density of gradients {kind} {axis}: of d over one spacing",
                                    abs(page[f"pdf_gradient_{kind}_{axis}"] - row).max(), 0.0)
                    miscounted = max(miscounted, abs(row / 5 * len(parts) * u[0].size - count).max())
            check.below(f"moments of increments {kind} {axis}", worst, 1e-12)
            check.below(f"counts of increments {kind} {axis} beside a bin", miscounted, 1e-6)
    near(check, "density of the velocity: its whole",
         page["pdf_velocity"].sum() / 5 + page["outside_velocity"], 1.0)
    values = np.concatenate([((q - q.mean()) / q.std()).ravel() for q in u])
    check.below("density of the velocity",
                abs(page["pdf_velocity"] / 5 * values.size - np.histogram(values, edges)[0]).max(), 1e-6)
    omega = np.concatenate(
        [
            (q / math.sqrt(np.mean(q**2))).ravel()
            for q in (
                (u[(d + 2) % 3] - kc.down(u[(d + 2) % 3], (d + 1) % 3)) * n[(d + 1) % 3] / length[(d + 1) % 3]
                - (u[(d + 1) % 3] - kc.down(u[(d + 1) % 3], (d + 2) % 3))
                * n[(d + 2) % 3]
                / length[(d + 2) % 3]
                for d in range(3)
            )
        ]
    )
    check.below("density of the vorticity",
                abs(page["pdf_vorticity"] / 5 * omega.size - np.histogram(omega, edges)[0]).max(), 1e-6)


def units(kolmo, check):
    """Velocities of 2^-40 in the unit of another run: every variable is the power of it that its unit tells,
    bit for bit, and none is missing."""
    unit = 2.0 ** -40
    case = uniform(8,
                   {"run": {"steps_max": 10}, "grid": {"n": (8, 10, 9)},
                    "pressure": {"preconditioner": "direct", "tolerance": None},
                    "statistics": {"spectra_interval": 1}, "checkpoint": {"at_end": False}})
    slow = kc.merge(case,
                    {"fluid": {"nu": 0.03 * unit}, "time": {"dt": 0.02 / unit},
                     "initial": {"u_rms": unit, "velocity": (0.3 * unit, -0.2 * unit, 0.1 * unit)}})
    runs = kolmo.run(case), kolmo.run(slow)
    for name in ("statistics.nc", "spectra.nc", "pdf.nc"):
        one, other = (Page(r, name) for r in runs)
        power = {n: sum(sign * int(u[1:] or 1)
                        for part, sign in zip(w.get("scaling", "").split("/"), (1, -1))
                        for u in part.split() if u[0] == "U")
                 for n, w in one.words.items()}
        check.same(f"{name}: scaled",
                   [n
                    for n in one.data
                    if n in power
                    and (one.data[n] * unit ** power[n]).tobytes() != (other.data[n] * 1.0).tobytes()])
        check.equal(f"{name}: missing", [n for n in other.data if np.isnan(other.data[n]).any()], [])


def still(kolmo, check):
    """Where nothing fluctuates but rounding, ratios of moments and lengths are missing, and densities are all
    in the bin above 0; of a plane flow those of the third component."""
    short = {"run": {"steps_max": 2}, "statistics": {"spectra_interval": 1},
             "initial": {"type": "uniform", "k_peak": None, "velocity": (0.1, 0.7, 0.3)},
             "checkpoint": {"at_end": False}}
    result = kolmo.run(uniform(8, {"grid": {"n": (12, 10, 8), "length": (1.0, 2.0, 3.0)}}, short))
    page, spectra_page, densities_page = (Page(result, n) for n in ("statistics.nc", "spectra.nc", "pdf.nc"))
    ratios = ([n for n in page.data if n.endswith(("_skewness", "_flatness"))]
              + ["Re_lambda", "gradient_isotropy", "k_max_eta"])
    check.equal("ratios that are there", [n for n in ratios if not np.isnan(page[n])], [])
    check.equal("lengths that are there",
                [n
                 for n in spectra_page.data
                 if n.startswith("integral_length") and not np.isnan(spectra_page[n])], [])
    heaps = {n: v.reshape(-1, v.shape[-1])
             for n, v in densities_page.data.items() if n.startswith("pdf_") and not n.endswith("_error")}
    check.equal("densities that are elsewhere",
                [n for n, v in heaps.items() if not (np.all(v[:, 160] == 5) and np.all(v.sum(axis=1) == 5))],
                [])
    plane = Page(kolmo.run(uniform(8, short, {"initial": {"type": "taylor-green-2d", "velocity": None},
                                                  "pressure": {"preconditioner": "direct",
                                                               "tolerance": None}})))
    check.equal("of a plane flow",
                [n for n in ("u_flatness", "w_flatness", "dudx_flatness", "dwdz_flatness",
                             "gradient_along_flatness") if np.isnan(plane[n])],
                ["w_flatness", "dwdz_flatness"])


def latest(kolmo, check):
    """What the files have of the latest sample is the average of a run that takes that sample alone."""
    case = uniform(12,
                   {"run": {"steps_max": 6}, "statistics": {"spectra_interval": 2},
                    "pressure": {"preconditioner": "direct", "tolerance": None}})
    several, last = kolmo.run(case), kolmo.run(kc.merge(case, {"statistics": {"start": 0.11}}))
    for name, variable in (("statistics.nc", "Re_lambda"), ("spectra.nc", "E"),
                           ("pdf.nc", "pdf_increment_along_x")):
        pages = [Page(r, name) for r in (several, last)]
        check.equal(f"{name}: samples", [p.n for p in pages], [6 if name == "statistics.nc" else 3, 1])
        names = [n[7:] for n in pages[0].data if n.startswith("latest/")]
        check.holds(f"{name}: {variable} is there",
                    variable in names
                    and not np.array_equal(pages[0]["latest/" + variable], pages[0][variable]))
        check.same(f"{name}: all of it",
                   [n for n in names if pages[0].data["latest/" + n].tobytes() != pages[1].data[n].tobytes()])


def layouts(kolmo, check):
    """Every variable, errors too, has the same bits on any ranks."""
    case = box({"run": {"steps_max": 9}, "pressure": {"tolerance": 1e-6}})
    even = kc.merge(case,
                    {"grid": {"stretching": None, "stretching_factor": None},
                     "statistics": {"spectra_interval": 1}})
    for names, which, ranks in ((("statistics.nc",), case, (1, 1, 2)),
                                (("spectra.nc", "pdf.nc"), even, (2, 2, 1))):
        one, other = kolmo.run(which), kolmo.run(kc.merge(which, {"grid": {"ranks": ranks}}),
                                                 ranks=int(np.prod(ranks)))
        for name in names:
            page = Page(one, name)
            error = page[{"statistics.nc": "k_error", "spectra.nc": "kinetic_energy_error",
                          "pdf.nc": "S2_along_x_error"}[name]]
            check.holds(f"{name}: errors are there", bool(np.all(error > 0)))
            check.same(f"{name}, {ranks}", page.same(Page(other, name)))


def restart(kolmo, check):
    """Stopped in the middle of a batch, on other ranks after it."""
    case = uniform(12, {"run": {"steps_max": 75}, "statistics": {"write_interval": 30, "spectra_interval": 2},
                        "pressure": {"tolerance": 1e-5},
                        "checkpoint": {"interval": 67, "keep": 4}})
    whole = kolmo.run(case)
    folder = kolmo.place()
    kolmo.run(kc.merge(case, {"run": {"steps_max": 67}}), folder=folder)
    second = kolmo.run(kc.merge(case, {"grid": {"ranks": (1, 2, 1)}}), "--restart", "latest", ranks=2,
                       folder=folder)
    for name in ("statistics.nc", "spectra.nc", "pdf.nc"):
        check.same(f"{name}: 67 steps, then the rest on two ranks",
                   Page(whole, name).same(Page(second, name)))
    check.equal("batches joined once", int(Page(whole)["batch_length"]), 2)


def come_and_go(kolmo, check):
    """Spectra that a restart asks for, or no longer: the averages over the volume go on, to the bits of one
    run. Averages no longer asked for, a start beyond the end: the log tells."""
    case = uniform(8, {"pressure": {"preconditioner": "direct", "tolerance": None}})
    folder = kolmo.place()
    for steps, interval, words, spectra_samples in ((5, 0, (), 0),
                                                    (8, 2, ("statistics continue after 5 samples",), 2),
                                                    (11, 0, ("statistics continue after 8 samples",), 2)):
        part = kolmo.run(kc.merge(case,
                                  {"run": {"steps_max": steps},
                                   "statistics": {"spectra_interval": interval}}),
                         *("--restart", "latest") * (steps > 5), folder=folder)
        check.says(f"to step {steps}, told in the log", part.out, *words)
        check.equal("samples in the file of spectra",
                    Page(part, "spectra.nc").n if interval > 0 or spectra_samples > 0 else 0, spectra_samples)
    check.same(
        "averages over the volume",
        Page(part).same(
            Page(kolmo.run(kc.merge(case, {"run": {"steps_max": 11}, "statistics": {"spectra_interval": 0}})))
        ),
    )
    last = kolmo.run(kc.merge(case,
                              {"run": {"steps_max": 12}, "statistics": {"start": None, "interval": None}}),
                     "--restart", "latest", folder=folder)
    check.says("averages no longer asked for, told in the log", last.out,
               "the averages of the checkpoint are not continued")
    late = kolmo.run(kc.merge(case, {"run": {"steps_max": 3, "t_end": 0.06}, "statistics": {"start": 9.0}}))
    check.says("spectra at longer intervals than the run",
               kolmo.run(kc.merge(case, {"run": {"steps_max": 1}})).out,
               "no sample of spectra was taken: statistics.spectra_interval is 500 steps")
    check.says("a start beyond the end", late.out, "statistics.start = 9 is beyond run.t_end = 0.06",
               "no sample of the averages was taken")


def ending(kolmo, check):
    """A run ends when its error is small, not before there are batches enough, on several ranks at once;
    names of other flows are refused."""
    case = uniform(12,
                   {"run": {"steps_max": 60}, "initial": {"type": "abc", "k_peak": None, "velocity": None},
                    "time": {"dt": 1e-3},
                    "pressure": {"preconditioner": "direct", "tolerance": None},
                    "statistics": {"spectra_interval": 0, "stop_when": "dissipation", "stop_error": 0.05}})
    result = kolmo.run(kc.merge(case, {"grid": {"ranks": (1, 1, 2)}}), ranks=2)
    page = Page(result)
    check.equal("samples at the end", page.n, 32)
    check.equal("checkpoint of the last step", result.steps(), [32])
    check.below("error", page["dissipation_error"], 0.05 * page["dissipation"])
    check.says("log", result.out, "statistics.stop_when is met", "finished: step 32")
    check.equal("a smaller error takes longer",
                Page(kolmo.run(kc.merge(case, {"statistics": {"stop_error": 1e-9}}))).n, 60)
    for name in ("enstrophy", "taylor_length", "kolmogorov_length", "gradient_along_skewness",
                 "gradient_along_flatness"):
        result = kolmo.run(
            kc.merge(
                case,
                {
                    "grid": {"n": (6, 6, 6)},
                    "statistics": {"stop_when": name, "stop_error": 1e9},
                    "initial": {"type": "taylor-green"},
                },
            )
        )
        check.says(name, result.out, f"statistics.stop_when is met: {Page(result)[name]:.6g} +- ")
    check.says("a number of other flows",
               kolmo.run(kc.merge(case, {"statistics": {"stop_when": "u_tau"}}), rc=2).text,
               "statistics.stop_when = 'u_tau' is no number of a periodic box", "'Re_lambda'")
    check.says("an error without a number",
               kolmo.run(kc.merge(case, {"statistics": {"stop_when": None}}), rc=2).text,
               "statistics.stop_error", "no effect")


def files(kolmo, check):
    """Words and units of every variable; cell methods; provenance."""
    result = kolmo.run(uniform(8, {"statistics": {"spectra_interval": 4}}))
    for name, variable, methods in (("statistics.nc", "k", "x: y: z: mean time: mean"),
                                    ("spectra.nc", "E", "x: y: z: mean time: mean"),
                                    ("pdf.nc", "S2_along_x", "x: y: z: mean time: mean")):
        page = Page(result, name)
        lacking = [n
                   for n, words in page.words.items() if not words.get("units") or not words.get("long_name")]
        check.equal(f"{name}: variables without words", lacking, [])
        check.equal(f"{name}: cell methods", page.words[variable].get("cell_methods"), methods)
        linked = {n: w.get("ancillary_variables") for n, w in page.words.items()}
        check.equal(f"{name}: errors that no variable names",
                    [n for n in linked if linked[n] != (n + "_error" if n + "_error" in linked else None)],
                    [])
        check.holds(f"{name}: provenance",
                    all(page.texts.get(n) for n in ("input", "version", "Conventions", "scaling")),
                    sorted(page.texts))
    check.equal("samples of spectra", page.n, 2)
    check.holds("none in a stretched box",
                not os.path.exists(os.path.join(kolmo.run(box()).folder, "spectra.nc")))
    check.says("spectra of a stretched box",
               kolmo.run(box({"statistics": {"spectra_interval": 5}}), rc=2).text,
               "statistics.spectra_interval", "no effect", "grid.stretching")


if __name__ == "__main__":
    kc.main(__doc__,
            [sums, flows, gaussian, spectra, densities, units, still, latest, layouts, restart, come_and_go,
             ending, files])

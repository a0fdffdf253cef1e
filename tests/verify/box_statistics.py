#!/usr/bin/env python3
"""Statistics of a periodic box, statistics.nc: sums that the series knows too, exact flows, layouts, restart, files.

Energy, dissipation and enstrophy are those of series.nc to rounding, in stretched boxes too; the moments of the Taylor-Green and ABC flows
come at second order; a Gaussian field has a Gaussian's flatness; the same bits on any ranks and after a restart. Would catch: a term of the
wrong place or weight, a sample doubled or lost at a restart, a state that the checkpoint lacks, a variable under another's name."""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402

ROUNDING = 2e-13


class Page:
    """A file of statistics: variables, raw sums as raw/name, texts."""

    def __init__(self, result, name="statistics.nc"):
        self.data, self.words = {}, {}
        with h5py.File(os.path.join(result.folder, name), "r") as file:
            self.texts = {k: v.decode() if isinstance(v, bytes) else v for k, v in file.attrs.items() if not k.startswith("_NC")}
            for place, prefix in ((file, ""), (file["raw"], "raw/")):
                for key, column in place.items():
                    if isinstance(column, h5py.Dataset):
                        self.data[prefix + key] = column[...]
                        self.words[prefix + key] = {k: v.decode() if isinstance(v, bytes) else v for k, v in column.attrs.items()}
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
                     "grid": {"n": (16, 12, 14), "length": (kc.TWO_PI, 5.0, 5.5), "stretching": ("sine", "uniform", "tanh"),
                              "stretching_factor": (0.4, 0.0, 1.1)},
                     "fluid": {"nu": 0.03}, "time": {"dt": 0.02},
                     "initial": {"type": "isotropic", "k_peak": 2, "velocity": (0.3, -0.2, 0.1)},
                     "pressure": {"tolerance": 1e-8}, "statistics": {"start": 0.0, "interval": 1},
                     "checkpoint": {"at_end": True}, "output": {"log_interval": 1000}}, *cases)


def uniform(n, *cases):
    """A cube of n^3 cells."""
    return kc.merge(box(), {"grid": {"n": (n, n, n), "length": (kc.TWO_PI,) * 3, "stretching": None, "stretching_factor": None}}, *cases)


def near(check, name, value, wanted, by=ROUNDING):
    check.below(name, abs(value - wanted) / max(abs(wanted), 1e-300), by)


def sums(kolmo, check):
    """What the series knows too, to rounding; definitions among themselves; moments of the fields of the checkpoint."""
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
        near(check, f"third moment of d{name}/d{'xyz'[d]}", page[f"raw/sum_d{name}d{'xyz'[d]}_3"], state.mean("p", slope ** 3), 1e-11)
    nu, rms = page["nu"], page["velocity_rms"]
    near(check, "Taylor scale", page["taylor_length"], rms * math.sqrt(15 * nu / page["dissipation"]))
    near(check, "Re_lambda", page["Re_lambda"], rms * page["taylor_length"] / nu)
    near(check, "k_max eta", page["k_max_eta"], page["k_max"] * (nu ** 3 / page["dissipation"]) ** 0.25)
    check.holds("errors are missing", math.isnan(page["k_error"]))


def flows(kolmo, check):
    """Exact moments of flows: errors of second order, no larger than expected; helicity with its sign."""
    still = {"run": {"steps_max": 1}, "time": {"dt": 1e-7}, "fluid": {"nu": 1.0}}
    exact = {"taylor-green": {"uu": 1 / 8, "ww": 0.0, "k": 1 / 8, "dissipation": 3 / 4, "enstrophy": 3 / 8, "helicity": 0.0, "u_flatness": 27 / 8,
                              "dudx_squared": 1 / 8, "dudx_flatness": 27 / 8, "dudy_squared": 1 / 8, "dwdx_squared": 0.0},
             "abc": {"uu": 1.0, "k": 1.5, "dissipation": 3.0, "enstrophy": 1.5, "helicity": 3.0, "uv": 0.0, "u_flatness": 9 / 4,
                     "dudx_squared": 0.0, "dudy_squared": 0.5, "taylor_length": math.sqrt(5.0), "kolmogorov_length": 3 ** -0.25},
             "beltrami": {"k": 0.5}}
    for flow, wanted in exact.items():
        pages = [Page(kolmo.run(uniform(n, still, {"initial": {"type": flow, "k_peak": None, "velocity": None}}))) for n in (16, 32)]
        for name, value in wanted.items():
            coarse, fine = (abs(p[name] - value) for p in pages)
            check.below(f"{flow}, {name}: error on 32^3", fine, 0.01 * max(abs(value), 1))
            if coarse > 1e-5:
                check.near(f"{flow}, {name}: it falls by", coarse / fine, 4.0, 0.2)
    near(check, "helicity of the Beltrami flow over its enstrophy", pages[1]["helicity"] / math.sqrt(2 * pages[1]["kinetic_energy"] * 2 * pages[1]["enstrophy"]), 1.0, 0.02)


def gaussian(kolmo, check):
    """A synthetic field of many modes: flatness 3, skewness 0, isotropy, within the scatter of such a field."""
    page = Page(kolmo.run(uniform(48, {"run": {"steps_max": 1}, "time": {"dt": 1e-6}, "pressure": {"tolerance": 1e-4},
                                       "initial": {"k_peak": 6, "velocity": None}})))
    check.near("flatness of longitudinal gradients", page["gradient_along_flatness"], 3.0, 0.1)
    check.near("flatness of transverse gradients", page["gradient_across_flatness"], 3.0, 0.1)
    check.near("skewness of longitudinal gradients", page["gradient_along_skewness"], 0.0, 0.03)
    check.near("flatness of u", page["u_flatness"], 3.0, 0.2)
    check.near("isotropy of gradients", page["gradient_isotropy"], 1.0, 0.08)
    check.near("Taylor scale from longitudinal gradients", page["taylor_length_along"] / page["taylor_length"], 1.0, 0.03)


def layouts(kolmo, check):
    """Every variable, errors too, has the same bits on any ranks."""
    case = box({"run": {"steps_max": 9}, "pressure": {"tolerance": 1e-6}})
    one = Page(kolmo.run(case))
    check.holds("errors are there", math.isfinite(one["k_error"]) and one["k_error"] > 0)
    for ranks in ((1, 1, 2), (2, 2, 1)):
        check.same(str(ranks), one.same(Page(kolmo.run(kc.merge(case, {"grid": {"ranks": ranks}}), ranks=int(np.prod(ranks))))))


def restart(kolmo, check):
    """Stopped in the middle of a batch, on other ranks after it."""
    case = box({"run": {"steps_max": 75}, "statistics": {"write_interval": 7}, "pressure": {"tolerance": 1e-6}, "checkpoint": {"interval": 67, "keep": 4}})
    whole = kolmo.run(case)
    folder = kolmo.place()
    kolmo.run(kc.merge(case, {"run": {"steps_max": 67}}), folder=folder)
    second = kolmo.run(kc.merge(case, {"grid": {"ranks": (1, 2, 1)}}), "--restart", "latest", ranks=2, folder=folder)
    check.same("67 steps, then the rest on two ranks", Page(whole).same(Page(second)))
    check.equal("batches joined once", int(Page(whole)["batch_length"]), 2)


def files(kolmo, check):
    """Words and units of every variable; cell methods; provenance."""
    page = Page(kolmo.run(box()))
    lacking = [n for n, words in page.words.items() if not words.get("units") or not words.get("long_name")]
    check.equal("variables without words", lacking, [])
    check.equal("cell methods", page.words["k"].get("cell_methods"), "volume: mean time: mean")
    check.holds("provenance", all(page.texts.get(n) for n in ("input", "version", "Conventions", "scaling")), sorted(page.texts))


if __name__ == "__main__":
    kc.main(__doc__, [sums, flows, gaussian, layouts, restart, files])

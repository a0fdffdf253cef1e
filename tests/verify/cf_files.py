#!/usr/bin/env python3
"""NetCDF files of every kind of flow keep CF 1.11: series, probes, averages, spectra and densities of
channels with walls normal to z and to x, of an oscillating drive, a box, a duct, an open flow, of kolmo-stats
and of kolmo-merge.

Our own checks need no other program. compliance-checker, xarray, cf-units and pint read the same files where
they are installed: KOLMO_CF_PYTHON names a Python that has them, if the one of the tests has not.

Would catch: a unit that UDUNITS doesn't read or reads as something else, cell_methods of dimensions that are
not there, a coordinate without words, one that is taken for a date or a longitude, a missing title or
history, averages of an earlier version that are no longer merged."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402

FILES = ("series.nc", "probes.nc", "statistics.nc", "spectra.nc", "pdf.nc", "phases.nc", "history.nc",
         "bodies.nc")
UNITS = {"1", "s", "rad"}  # what UDUNITS reads; everything else is a power of U and L, and is in `scaling`
SCALING = re.compile(r"(U\d?|L-?\d?)( L\d?)?(/L\d?|/U)?|1/L\d?")  # the last: gradients of scalars of unit 1
METHODS = re.compile(r"([xyz]: )+mean( time: (mean|sum))?|([xyz]: )*time: (standard_deviation|variance)")
MOMENTS = {"rms": "standard_deviation", "variance": "variance", "skewness": None, "flatness": None}
SQUARES = ("uu", "vv", "ww", "pp")
PYTHON = os.environ.get("KOLMO_CF_PYTHON", sys.executable)
SMALL = {"run": {"steps_max": 6, "title": "a run"}, "fluid": {"nu": 0.02}, "time": {"dt": 0.02},
         "statistics": {"start": 0.0, "interval": 1}, "probes": {"position": (0.2, 0.3, 0.4), "interval": 2},
         "checkpoint": {"interval": 3, "keep": 9}}


def channel(normal):
    """Between walls normal to a direction."""
    faces = {f"{normal}_low": "wall", f"{normal}_high": "wall"}
    n = dict(zip("xyz", (12, 10, 8)))
    n[normal] = 16
    return kc.merge(SMALL, {"grid": {"n": tuple(n.values()), "length": (2.0, 2.0, 2.0)}, "boundary": faces,
                            "forcing": {"type": "bulk-velocity", "value": 1.0,
                                        "direction": "y" if normal == "x" else "x"},
                            "initial": {"type": "channel"},
                            "statistics": {"spectra_interval": 2, "spectra_heights": (0.2, 0.9),
                                           "quadrants": True}})


CASES = {
    "channel-z": channel("z"),
    "channel-x": channel("x"),
    "phases": kc.merge(channel("z"), {"run": {"steps_max": 24}, "time": {"dt": 0.05},
                                      "forcing": {"type": "pressure-gradient", "value": 0.1, "amplitude": 1.0,
                                                  "frequency": 2.0},
                                      "scalars": {"name": "dye", "prandtl": 1.0, "z_low": "value",
                                                  "z_low_value": 1.0},
                                      "statistics": {"phases": 4}, "checkpoint": {"interval": 0}}),
    "box": kc.merge(SMALL, {"run": {"title": ""}, "grid": {"n": (12, 16, 8)},
                            "initial": {"type": "isotropic"},
                            "scalars": {"name": "dye", "prandtl": 1.0, "disturbance": 0.5},
                            "statistics": {"spectra_interval": 2}}),
    "forced": kc.merge(SMALL, {"grid": {"n": (12, 12, 12)}, "initial": {"type": "isotropic", "k_peak": 2},
                               "forcing": {"type": "low-wavenumber", "law": "constant-power", "value": 0.2},
                               "statistics": {"spectra_interval": 2}, "history": {"interval": 2}}),
    "scalar": kc.merge(channel("z"), {"scalars": {"name": "temperature", "prandtl": 0.7,
                                                  "initial": "conduction", "z_low": "value",
                                                  "z_low_value": 0.5, "z_high": "value",
                                                  "z_high_value": -0.5},
                                      "buoyancy": {"gravity": (0.0, 0.0, -1.0), "richardson": 0.1}}),
    "bodies": {**SMALL, "grid": {"n": (12, 12, 12)},
               "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)},
               "bodies": {"shape": "sphere", "centre": (3.0, 3.0, 3.0), "size": 2.5}},
    "duct": kc.merge(SMALL, {"grid": {"n": (4, 12, 8), "length": (1.0, 3.0, 1.5)},
                             "boundary": {f"{d}_{s}": "wall" for d in "yz" for s in ("low", "high")},
                             "forcing": {"type": "pressure-gradient", "value": 1.0, "direction": "x"},
                             "scalars": {"name": "dye", "prandtl": 1.0, "y_low": "value",
                                         "y_low_value": 1.0, "disturbance": 0.1},
                             "statistics": {"scalar_budgets": True}, "initial": {"type": "rest"}}),
    "open": kc.merge(SMALL, {"grid": {"n": (16, 4, 8), "length": (4.0, 1.0, 2.0)},
                             "boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0),
                                          "x_high": "outflow", "z_low": "wall", "z_high": "wall"},
                             "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)}}),
}
OUTSIDE = r'''
import importlib.util, json, os, sys, warnings
warnings.simplefilter("ignore")
found = {}
paths = sys.argv[1:]
def there(name):
    return importlib.util.find_spec(name) is not None
if there("compliance_checker"):
    # it asks each file for the same again and again: 200 s for one of 150 variables
    import functools, inspect
    from compliance_checker.cf import util
    for name, function in list(vars(util).items()):
        if name.startswith("get_") and inspect.isfunction(function) and \
                list(inspect.signature(function).parameters) in (["nc"], ["ds"]):
            setattr(util, name, functools.lru_cache(maxsize=None)(function))
    from compliance_checker.runner import CheckSuite
    CheckSuite.load_all_available_checkers()
    suite = CheckSuite()
    for path in paths:
        data = suite.load_dataset(path)
        for group, errors in suite.run_all(data, ["cf:1.11"]).values():
            found.setdefault("compliance-checker", {})[path] = sorted(
                {m for r in group if r.value[0] != r.value[1] for m in r.msgs}) + sorted(
                f"{e}: {e2[0]!r}" for e, e2 in errors.items()
                if e != "check_invalid_same_named_dimension_across_groups") # it wants `time` in every group
for name in ("cf_units", "pint"):
    if there(name):
        import netCDF4
        read = (__import__("pint").UnitRegistry().parse_units if name == "pint"
                else __import__("cf_units").Unit)
        for path in paths:
            bad = []
            with netCDF4.Dataset(path) as file:
                for unit in {getattr(v, "units", "1") for v in file.variables.values()}:
                    try:
                        read(unit)
                    except Exception as fault:
                        bad.append(f"{unit}: {fault}")
            found.setdefault(name, {})[path] = bad
if there("xarray") and (there("netCDF4") or there("h5netcdf")):
    import xarray
    for path in paths:
        try:
            with xarray.open_dataset(path) as page:
                page.load()
            found.setdefault("xarray", {})[path] = []
        except Exception as fault:
            found.setdefault("xarray", {})[path] = [repr(fault)]
print("FOUND" + json.dumps(found))
'''


def texts(thing):
    """Attributes that are text."""
    return {n: v.decode() if isinstance(v, bytes) else v for n, v in thing.attrs.items()
            if isinstance(v, (bytes, str))}


def variables(group, path=""):
    """Of a group and those below it: full name, variable."""
    for name, item in group.items():
        if isinstance(item, h5py.Group):
            yield from variables(item, f"{path}{name}/")
        elif not item.attrs.get("NAME", b"").startswith(b"This is a netCDF dimension but not"):
            yield path + name, item


def faults_of(name, variable, root):
    """What is wrong with the words of one variable."""
    words, last, found = texts(variable), name.rsplit("/", 1)[-1], []
    if last.endswith("_bounds"):
        return [] if variable.shape[-1:] == (2,) else ["bounds of another shape"]
    if not words.get("long_name"):
        found.append("no long_name")
    if words.get("units") not in UNITS:
        found.append(f"units '{words.get('units')}'")
    if "scaling" in words and not SCALING.fullmatch(words["scaling"]):
        found.append(f"scaling '{words['scaling']}'")
    if "standard_name" in words:
        found.append("a standard name is of a quantity with units")
    methods = words.get("cell_methods")
    if methods is not None and not METHODS.fullmatch(methods):
        found.append(f"cell_methods '{methods}'")
    plain = last.removesuffix("_plus")
    moment = "variance" if plain in SQUARES else plain.rpartition("_")[2]
    if moment in MOMENTS and methods is not None and methods.rpartition(" ")[2] != MOMENTS[moment]:
        found.append(f"cell_methods '{methods}' of a quantity that is no mean")
    in_time = "time" in words.get("coordinates", "") and len(words["coordinates"].split()) < 4
    if name in ("u_rms", *SQUARES) and in_time and methods is None:
        found.append("no cell_methods")
    over = re.findall(r"([xyz]|time):", methods or "")
    if over != words.get("coordinates", "").split() and methods is not None:
        found.append(f"cell_methods '{methods}', coordinates '{words.get('coordinates')}'")
    found += [f"no variable '{n}' of {key}" for key in ("coordinates", "ancillary_variables", "bounds")
              for n in words.get(key, "").split()
              if n not in root and os.path.join(os.path.dirname(name), n) not in root]
    found += [f"{key}: it is of longitude, latitude and height" for key in ("axis", "positive")
              if key in words]
    if variable.attrs.get("CLASS") == b"DIMENSION_SCALE" and not np.all(np.diff(variable[...]) > 0):
        found.append("a coordinate that doesn't increase")
    return found


def own(check, path, title):
    """What needs no other program."""
    words = os.path.join(*path.split(os.sep)[-2:])
    with h5py.File(path, "r") as file:
        about = texts(file)
        check.equal(f"{words}: conventions", about.get("Conventions"), "CF-1.11")
        if title:
            check.equal("    title", about.get("title"), title)
        check.holds("    has a title", about.get("title", "").strip() != "")
        check.holds("    history, with the time of each line",
                    all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ: \S", line)
                        for line in about.get("history", "none").strip().splitlines()), about.get("history"))
        every = dict(variables(file))
        wrong = [f"{n}: {fault}" for n, v in every.items() for fault in faults_of(n, v, every)]
        check.equal("    words of variables", wrong, [])
        check.holds("    some variables", len(every) > 8)


def made(kolmo, check):
    """Runs every kind; paths of all files."""
    paths, folders = [], {}
    for name, case in CASES.items():
        folders[name] = kolmo.run_once(case, folder=kolmo.place(name)).folder
    stats = kolmo.place("stats")
    kolmo.other("kolmo-stats").call(folders["channel-z"], "--out", stats)
    other = kolmo.run(kc.merge(CASES["channel-z"], {"run": {"seed": 3}}), folder=kolmo.place("other"))
    merged = kolmo.place("merged")
    kolmo.other("kolmo-merge").call("--replace", "--out", merged, folders["channel-z"], other.folder)
    for folder in [*folders.values(), stats, merged]:
        there = [os.path.join(folder, n) for n in FILES if os.path.exists(os.path.join(folder, n))]
        check.holds(f"files of {os.path.basename(folder)}", len(there) >= 2, there)
        paths += there
    return paths


def outside(check, paths):
    """What other programs say, in one process."""
    result = subprocess.run([PYTHON, "-c", OUTSIDE, *paths], capture_output=True, text=True, check=False)
    said = result.stdout.partition("FOUND")[2]
    check.holds("the other programs ran", said != "", result.stderr[-2000:])
    found = __import__("json").loads(said or "{}")
    for program in ("compliance-checker", "cf_units", "pint", "xarray"):
        if program not in found:
            check.skip(program, "not installed, or nothing that it reads NetCDF with")
            continue
        for path, faults in found[program].items():
            check.equal(f"{program}: {os.path.join(*path.split(os.sep)[-2:])}", faults, [])


def files(kolmo, check):
    """All files of all kinds."""
    paths = made(kolmo, check)
    for path in paths:
        box = os.path.basename(os.path.dirname(path)) == "box"
        own(check, path, "" if box else "a run")
    outside(check, paths)


def powers(kolmo, check):
    """Squares of scalars whose unit has several parts: m/s2 would be an acceleration, kg m-32 anything."""
    parts, simple = ("kg m-3", "(kg m-3)^2", "kg m-32"), ("K", "K2", "(K)")
    for case, (own, square, wrong) in (("scalar", parts), ("scalar", simple), ("box", parts),
                                       ("duct", parts)):
        groups = {g: v for g, v in CASES[case].items() if g not in ("scalars", "buoyancy")}
        run = kolmo.run(kc.merge(groups, {"run": {"steps_max": 2}, "scalars": {
            "name": ("c",), "diffusivity": (0.02,), "unit": (own,)}}))
        for name in ("series.nc", "statistics.nc"):
            with h5py.File(os.path.join(run.folder, name), "r") as file:
                units = {texts(v).get("scaling", texts(v).get("units", "")) for _, v in variables(file)}
            check.holds(f"{case}, {name}, {own}", any(u.startswith(square) for u in units)
                        and not any(u.startswith(wrong) for u in units), sorted(units))


def litres(kolmo, check):
    """A unit with the letters U, L and T is no power of the run's U and L: it stays in `units`; with powers
    of them behind it, the whole is in `scaling`."""
    for own in ("mol/L", "mol L-1", "T", "PSU"):
        run = kolmo.run(kc.merge(CASES["box"], {"run": {"steps_max": 1}, "scalars": {"unit": own},
                                                "statistics": {"spectra_interval": None}}))
        square = f"({own})^2" if "L" in own and own != "PSU" else own + "2"
        with h5py.File(os.path.join(run.folder, "series.nc"), "r") as file:
            for name, wanted in (("mean", (own, None)), ("variance", (square, None)),
                                 ("flux_x", ("1", f"{own} U")), ("dissipation", ("1", f"{square} U/L"))):
                words = texts(file[f"dye_{name}"])
                check.equal(f"{own}: {name}", (words["units"], words.get("scaling")), wanted)


def earlier(kolmo, check):
    """Averages of an earlier version, with powers of U and L as units, and without what they are averages
    over, are merged with those of this one."""
    tool = kolmo.other("kolmo-merge")
    for name in ("channel-z", "duct", "box"):
        new = kolmo.run_once(CASES[name]).folder
        old = kolmo.run(kc.merge(CASES[name], {"run": {"seed": 3, "steps_max": 8}}),
                        folder=kolmo.place(f"old-{name}")).folder
        for path in (os.path.join(old, n) for n in FILES[2:]):
            if not os.path.exists(path):
                continue
            with h5py.File(path, "r+") as file:
                for variable, item in list(variables(file)):
                    if "scaling" in item.attrs:
                        item.attrs["units"] = np.bytes_(item.attrs.pop("scaling"))
                    if variable in ("x", "y", "z", "time") and item.shape == ():
                        del file[variable]
        words = ("--overlap",) if name == "duct" else ()
        for n, folders in enumerate(((new, old), (old, new))):
            out = os.path.join(kolmo.place(), "out")
            said = tool.call("--out", out, *words, *folders, rc=None)
            check.equal(f"{name}, order {n}: exit code", (said.rc, said.err.strip()[:300] if said.rc else ""),
                        (0, ""))
        with h5py.File(os.path.join(old, "statistics.nc"), "r+") as file:
            file["nu"].attrs["units"] = np.bytes_("U9")
            file["nu"].attrs.pop("scaling", None)
        said = tool.call("--out", os.path.join(kolmo.place(), "out"), *words, new, old, rc=2)
        check.says(f"{name}: another unit", said.text, "nu, units: '", "'U9'")


if __name__ == "__main__":
    kc.main(__doc__, [files, powers, litres, earlier])

#!/usr/bin/env python3
"""kolmo-stats: statistics of stored flows have the bits of those that the run itself took. kolmo-merge: those
of segments are those of the whole.

From checkpoints, and from fields in double precision on their own faces, on any ranks, every variable of
statistics.nc, spectra.nc and pdf.nc, errors too, is that of a run which sampled at the same steps; from
single precision it is the same to rounding of the values. What can give no such numbers is refused. Would
catch: a halo, force or time that a file lacks, a component at another place, a sample doubled or left out,
files of two flows in one average."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc"))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402
import planes  # noqa: E402
from kolmo.planes import hash_of  # noqa: E402

FILES = ("statistics.nc", "spectra.nc", "pdf.nc")
EVERY = {"statistics": {"start": 0.0, "interval": 2}, "checkpoint": {"interval": 2, "keep": 99},
         "time": {"dt": 0.02},
         "pressure": {"tolerance": 1e-6},
         "output": {"log_interval": 1000, "field_interval": 2, "field_places": "faces"}}
BOX = kc.merge(EVERY,
               {"run": {"steps_max": 16, "seed": 3}, "grid": {"n": (16, 12, 20), "length": (6.0, 5.0, 7.0)},
                "fluid": {"nu": 0.02},
                "initial": {"type": "isotropic", "k_peak": 2}, "statistics": {"spectra_interval": 2},
                "forcing": {"type": "pressure-gradient", "value": 0.1}})
CHANNEL = kc.merge(EVERY,
                   {"run": {"steps_max": 8, "seed": 5},
                    "grid": {"n": (12, 16, 10), "length": (2.5, 2.0, 1.9),
                             "stretching": ("uniform", "tanh", "sine"),
                                                             "stretching_factor": (0.0, 1.2, 0.3)},
                    "fluid": {"nu": 0.01}, "boundary": {"y_low": "wall", "y_high": "wall"},
                    "initial": {"type": "channel"},
                    "forcing": {"type": "bulk-velocity", "value": 1.0}})


# The same with one direction uniform: spectra at heights, budgets of the shear stress.
RICH = kc.merge(CHANNEL,
                {"grid": {"stretching": ("uniform", "tanh", "uniform"), "stretching_factor": (0.0, 1.2, 0.0)},
                 "statistics": {"spectra_heights": (0.2, 0.9), "spectra_interval": 2,
                                "stress_budgets": True}})


def contents(folder):
    """All variables of the files in a folder, by file and name."""
    data = {}
    for name in FILES:
        if os.path.exists(os.path.join(folder, name)):
            with h5py.File(os.path.join(folder, name), "r") as file:
                file.visititems(lambda n, o, name=name: data.__setitem__(name + "/" + n, o[...])
                                if isinstance(o, h5py.Dataset) else None)
    return data


def differ(one, other):
    return [n
            for n in sorted(set(one) | set(other)) if n not in one or n not in other
            or one[n].tobytes() != other[n].tobytes()]


def stored(folder, stem, steps):
    return [os.path.join(folder, f"{stem}_{s:08d}.h5") for s in steps]


def opened(check, folder):
    """What other programs read in the files of a folder: names, shapes and numbers are those of HDF5."""
    whole = contents(folder)
    for name in sorted(set(n.split("/")[0] for n in whole)):
        path = os.path.join(folder, name)
        roots = sorted(n.split("/")[1]
                       for n in whole if n.startswith(name) and n.count("/") == 1
                       and n.split("/")[1] not in ("ends", "level"))
        if shutil.which("ncdump"):
            head = subprocess.run(["ncdump", "-h", path], capture_output=True, text=True, check=False)
            check.equal(f"{name}: ncdump", head.returncode, 0)
            check.says("    its text", head.stdout, "group: batches", ':Conventions = "CF-1.11"')
            check.same("    variables",
                       [n for n in roots if f" {n} ;" not in head.stdout and f" {n}(" not in head.stdout])
        else:
            check.skip(f"{name}: ncdump", "not installed")
        xarray = kc.xarray_of_netcdf()
        if xarray is None:
            check.skip(f"{name}: xarray", "not installed (packages python3-xarray, python3-netcdf4)")
            continue
        with xarray.open_dataset(path) as page:
            check.same(f"{name}: variables in xarray", sorted(set(map(str, page.variables)) ^ set(roots)))
            check.same("    numbers",
                       [n
                        for n in roots
                        if not np.array_equal(page[n].values, whole[name + "/" + n], equal_nan=True)])
            check.same("    words",
                       [n
                        for n in roots
                        if not n.endswith("_bounds")
                        and not ("long_name" in page[n].attrs and "units" in page[n].attrs)])
        with xarray.open_dataset(path, group="batches") as page:
            check.same("    batches",
                       [n
                        for n in ("sum", "rest", "latest")
                        if not np.array_equal(page[n].values, whole[f"{name}/batches/{n}"])])


def box(kolmo, check):
    """A periodic box: the folder on one rank, fields of double precision on four, a namelist on two."""
    run = kolmo.run(kc.merge(BOX, {"output": {"field_precision": "double"}}))
    tool, whole = kolmo.other("kolmo-stats"), contents(run.folder)
    steps = range(2, 17, 2)
    said = tool.call(run.folder).out
    check.says("the flow before the first step", said, "left out: it has no pressure yet")
    check.equal("variables", len(whole) > 500 and set(n.split("/")[0] for n in whole) == set(FILES), True)
    opened(check, run.folder)
    check.same("folder of checkpoints", differ(whole, contents(os.path.join(run.folder, "stats"))))
    out = kolmo.place()
    tool.call(*stored(run.folder, "fields", steps), "--out", out, ranks=4)
    check.same("fields, 4 ranks", differ(whole, contents(out)))
    with h5py.File(os.path.join(out, "pdf.nc"), "r") as file:
        check.says("provenance", file.attrs["files"].decode() + file.attrs["program"].decode(),
                   "fields_00000004.h5: step 4", "kolmo-stats")
    out = kolmo.place()
    tool.call(os.path.join(run.folder, "case.nml"), "--out", out, "--set", "grid.ranks=1,2,1", ranks=2)
    check.same("a namelist, ranks 1 x 2 x 1", differ(whole, contents(out)))
    out = kolmo.place()
    tool.call(run.folder, "--from", "0.05", "--to", "0.3", "--every", "2", "--no-spectra", "--out", out)
    few = contents(out)
    check.equal("from, to, every",
                (int(few["statistics.nc/n_samples"]), round(float(few["statistics.nc/t_start"]), 9),
                 round(float(few["statistics.nc/t_end"]), 9)),
                (3, 0.08, 0.24))
    check.equal("files without spectra", sorted(os.listdir(out)), ["statistics.nc"])


def channel(kolmo, check):
    """Between walls normal to y, another direction stretched, a force that changes from step to step; a run
    that took no statistics itself."""
    run = kolmo.run(CHANNEL)
    tool, whole = kolmo.other("kolmo-stats"), contents(run.folder)
    opened(check, run.folder)
    for ranks in (1, 4):
        out = kolmo.place()
        tool.call(run.folder, "--out", out, ranks=ranks)
        check.same(f"checkpoints, {ranks} ranks", differ(whole, contents(out)))
    rich, out = kolmo.run(RICH), kolmo.place()
    tool.call(rich.folder, "--out", out, ranks=2)
    check.holds("spectra at heights", os.path.exists(os.path.join(rich.folder, "spectra.nc")))
    check.same("with spectra and budgets of the shear stress, 2 ranks",
               differ(contents(rich.folder), contents(out)))
    plain = kolmo.run(kc.merge(CHANNEL, {"statistics": {"start": None, "interval": None}}))
    out = kolmo.place()
    tool.call(plain.folder, "--out", out, ranks=2)
    check.same("of a run without statistics, 2 ranks", differ(whole, contents(out)))


DUCT = kc.merge(CHANNEL,
                {"run": {"steps_max": 4}, "boundary": {"z_low": "wall", "z_high": "wall"},
                 "grid": {"stretching": ("uniform", "tanh", "tanh")}},
                {"grid": {"stretching_factor": (0.0, 1.2, 1.1)}})


def duct(kolmo, check):
    """Fields over the section of a duct: the same bits on two ranks."""
    run, out = kolmo.run(DUCT), kolmo.place()
    kolmo.other("kolmo-stats").call(run.folder, "--out", out, ranks=2)
    check.same("2 ranks", differ(contents(run.folder), contents(out)))


def exact(kolmo, check):
    """pressure.method = 'exact', whose steps need no pressure: samples have that of their time, as
    checkpoints do."""
    run, out = kolmo.run(kc.merge(BOX,
                                  {"run": {"steps_max": 4}, "pressure": {"method": "exact"},
                                   "forcing": {"type": None, "value": None}})), kolmo.place()
    kolmo.other("kolmo-stats").call(run.folder, "--out", out)
    check.same("the same bits", differ(contents(run.folder), contents(out)))
    check.above("root mean square of the pressure", float(contents(out)["statistics.nc/p_rms"]), 0.01)


def through(kolmo, check):
    """Inflow with turbulence and outflow: fields over the section, and where all other faces are periodic
    profiles; the same bits on any ranks. Another table of the inflow, and fields, which have not the velocity
    on the open faces, are refused."""
    stream = kc.merge(EVERY,
                      {"run": {"steps_max": 6, "seed": 5},
                       "grid": {"n": (14, 10, 12), "length": (3.0, 1.5, 2.0),
                                "stretching": ("uniform", "sine", "tanh"),
                               "stretching_factor": (0.0, 0.3, 1.2)},
                       "fluid": {"nu": 0.02},
                       "boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0), "x_high": "outflow",
                                    "z_low": "wall",
                                    "z_high": "wall"}, "initial": {"type": "channel", "disturbance": 0.3}})
    table = os.path.join(kolmo.place(), "inflow.txt")

    def write(factor):
        with open(table, "w", encoding="utf-8") as file:
            for z in np.linspace(0, 2, 21):
                file.write(f"{float(z)!r} {float(factor * z * (2 - z))!r} 0 0\n")
    write(1.0)
    wind = kc.merge(stream,
                    {"boundary": {"x_low_profile": "table", "x_low_file": table, "x_low_velocity": None}})
    waves = kc.merge(stream, {"boundary": {"z_low": None, "z_high": None,
                                           "x_low_turbulence": (0.2, 0.1, 0.15), "turbulence_length": 0.4,
                                           "turbulence_modes": 20},
                              "grid": {"stretching": ("uniform", "sine", "uniform"),
                                       "stretching_factor": (0.0, 0.3, 0.0)},
                              "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0),
                                          "disturbance": None}})
    tool = kolmo.other("kolmo-stats")
    for name, case in (("a table, walls", wind), ("turbulence", waves)):
        run = kolmo.run(case)
        for ranks in (1, 4):
            out = kolmo.place()
            tool.call(run.folder, "--out", out, ranks=ranks)
            check.same(f"{name}, {ranks} ranks", differ(contents(run.folder), contents(out)))
        if case is wind:
            write(1.1)
            check.says("another table", tool.call(run.folder, "--out", kolmo.place(), rc=2).err,
                       "inflow.txt holds other velocities")
    check.says("fields", tool.call(stored(run.folder, "fields", [4])[0], "--out", kolmo.place(), rc=2).err,
               "only checkpoints hold the velocities on them")


def single(kolmo, check):
    """Fields in single precision: the same numbers to rounding of the values; XDMF lists what is at cell
    centres alone."""
    run = kolmo.run(BOX)
    out = kolmo.place()
    kolmo.other("kolmo-stats").call(*stored(run.folder, "fields", range(2, 17, 2)), "--out", out, ranks=2)
    whole, rounded = contents(run.folder), contents(out)
    check.same("names", sorted(set(whole) ^ set(rounded)))
    check.equal("exact bits", bool(differ(whole, rounded)), True)
    for name in ("statistics.nc/k", "statistics.nc/dissipation", "statistics.nc/Re_lambda",
                 "statistics.nc/gradient_along_skewness", "statistics.nc/p_rms",
                 "statistics.nc/uv", "spectra.nc/E", "spectra.nc/T", "spectra.nc/R_uu_x", "pdf.nc/S2_along_x",
                 "pdf.nc/S3_across_z"):
        check.below(name, abs(whole[name] - rounded[name]).max() / abs(whole[name]).max(), 1e-6)
    with open(os.path.join(run.folder, "fields.xdmf"), encoding="utf-8") as file:
        text = file.read()
    check.equal("arrays in XDMF", ("pressure" in text, ':/u<' in text), (True, False))


def elsewhere(kolmo, check):
    """Flows put into copies of a file of fields, as docs/statistics.md says: a mean velocity, a mode in each
    component, amplitudes that change from file to file; a box of unequal sides."""
    n, length, nu = (16, 12, 10), (3.0, 2.0, 1.5), 0.03
    run = kolmo.run({"run": {"steps_max": 1}, "grid": {"n": n, "length": length}, "fluid": {"nu": nu},
                     "time": {"dt": 0.01}, "initial": {"type": "rest"},
                     "output": {"field_interval": 1, "field_places": "faces", "field_precision": "double"}})
    spacing, files, sizes = [a / m for a, m in zip(length, n)], [], (0.5, 1.0, 1.5)
    x, y, z = np.meshgrid(*(s * (np.arange(m) + 0.5) for s, m in zip(spacing, n)), indexing="ij")
    k = [2 * np.pi * waves / side for waves, side in zip((2, 3, 2), length)]
    for number, a in enumerate(sizes, 1):
        files.append(os.path.join(run.folder, f"mine_{number}.h5"))
        shutil.copy(os.path.join(run.folder, "fields_00000001.h5"), files[-1])
        with h5py.File(files[-1], "r+") as file:
            for name, values in (("u", 0.3 + a * np.cos(k[1] * y + 0.4)), ("v", 2 * a * np.sin(k[2] * z)),
                                 ("w", 3 * a * np.cos(k[0] * x)), ("pressure", a * np.cos(k[0] * x))):
                file[name][...] = values.transpose(2, 1, 0)
                file[name].attrs["hash"] = hash_of(file[name][...])
            file.attrs["time"], file.attrs["step"] = float(number), np.int64(number)
    out = os.path.join(run.folder, "mine")
    kolmo.other("kolmo-stats").call(*files, "--spectra", "--out", out, ranks=2)
    found, square = contents(out), sum(a * a for a in sizes) / 3
    seen = [2 / s * np.sin(w * s / 2) for s, w in zip(spacing, k)]  # by differences of second order
    wanted = {"U": 0.3, "V": 0.0, "W": 0.0, "uu": square / 2, "vv": 2 * square, "ww": 4.5 * square, "uw": 0.0,
              "p_rms": (square / 2) ** 0.5,
              "dudy_squared": square / 2 * seen[1] ** 2, "dvdz_squared": 2 * square * seen[2] ** 2,
              "dwdx_squared": 4.5 * square * seen[0] ** 2,
              "dissipation": nu * square * (seen[1] ** 2 / 2 + 2 * seen[2] ** 2 + 4.5 * seen[0] ** 2),
              "v_flatness": sum(a ** 4 for a in sizes) / 3 * 6 / (2 * square) ** 2,
              "omega_z_rms": (square / 2) ** 0.5 * seen[1]}
    for name, value in wanted.items():
        check.near(name, float(found["statistics.nc/" + name]), value, 1e-12)
    check.near("helicity of three waves that don't meet", float(found["statistics.nc/helicity"]), 0.0, 1e-12)
    energy, distance = found["spectra.nc/E"] * 2 * np.pi / 3.0, found["spectra.nc/rx"]
    # of w along x, u along y, v along z
    shells = {round(w * 3.0 / (2 * np.pi) + 1e-9): e
              for w, e in zip(k, (4.5 / 2 * square, square / 4, square))}
    check.below("shells of the three waves, the mean, and no other",
                max(abs(e - shells.get(m, 0.045 if m == 0 else 0)) for m, e in enumerate(energy)), 1e-12)
    check.below("correlation of w along x",
                abs(found["spectra.nc/R_ww_x"] - 4.5 * square * np.cos(k[0] * distance)).max(), 1e-12)
    rx = found["pdf.nc/rx"]
    check.below("structure function across x, of v and w",
                abs(found["pdf.nc/S2_across_x"] - 4.5 * square * (1 - np.cos(k[0] * rx))).max(), 1e-11)


def segments(kolmo, case, steps, cut, *ranks):
    """A run in one piece, and the same steps in two whose averages begin anew."""
    whole = kolmo.run(kc.merge(case, {"run": {"steps_max": steps}}))
    first = kolmo.run(kc.merge(case, {"run": {"steps_max": cut}}))
    later = {"run": {"steps_max": steps}, "statistics": {"start": first.series()["time"][-1] + 1e-9}}
    second = kolmo.run(kc.merge(case, later), "--restart", kc.checkpoint_path(first.folder, cut))
    return whole, first, second


def near_whole(check, name, whole, merged):
    """Names, and the largest difference of any variable over its largest value."""
    worst = {}
    for n in whole:
        if (
            "/batches/" in n
            or n.endswith("_error")
            or n not in merged
            or n.endswith(("n_batches", "batch_length"))
        ):
            continue
        one, two = np.asarray(whole[n], dtype=float), np.asarray(merged[n], dtype=float)
        if (np.isnan(one) != np.isnan(two)).any():
            worst[n] = np.inf
        elif np.isfinite(one).any():
            worst[n] = np.nanmax(abs(one - two)) / max(np.nanmax(abs(one)), 1e-12)
            # the rounding of raw moments, over what little fluctuates beside the mean
            if n.endswith(("_skewness", "_flatness")):
                worst[n] *= 1e-6
    check.same(f"{name}: names", sorted(set(whole) ^ set(merged)))
    least = max(worst, key=worst.get)
    check.below(f"{name}: {len(worst)} variables, the worst is {least}", worst[least], 1e-12)


def merged(kolmo, check):
    """Files of two segments as those of one run, errors too where batches are the same; between walls with
    batches that are joined. Another flow is refused with a list."""
    sampled = {"statistics": {"interval": 1, "spectra_interval": 1},
               "checkpoint": {"interval": 0, "at_end": True},
               "output": {"field_interval": 0, "field_places": None}}
    tool = kolmo.other("kolmo-merge")
    whole, first, second = segments(kolmo, kc.merge(BOX, sampled), 18, 8)
    out = kolmo.place()
    tool.call(second.folder, first.folder, "--out", out)
    one, two = contents(whole.folder), contents(out)
    near_whole(check, "box", one, two)
    for name in ("statistics.nc/k_error", "statistics.nc/Re_lambda_error", "spectra.nc/E_error",
                 "pdf.nc/S2_along_x_error"):
        check.below("box: " + name, abs(one[name] - two[name]).max() / abs(one[name]).max(), 1e-9)
    again = kolmo.place()
    tool.call(out, kolmo.run(kc.merge(BOX, sampled, {"run": {"seed": 8}})).folder, "--out", again, "--only",
              "statistics.nc", ranks=2)
    check.equal("a merged file and a run of another seed",
                (int(contents(again)["statistics.nc/n_samples"]), os.listdir(again)), (34, ["statistics.nc"]))
    whole, first, second = segments(
        kolmo, kc.merge(DUCT, sampled, {"statistics": {"spectra_interval": None}}), 40, 8
    )
    out = kolmo.place()
    tool.call(first.folder, second.folder, "--out", out)
    one, two = contents(whole.folder), contents(out)
    near_whole(check, "duct", one, two)
    check.equal("duct: batches of fields and of lines",
                [int(two["statistics.nc/" + n]) for n in ("n_batches", "batch_length", "n_batches_lines",
                                                          "batch_length_lines")], [10, 4, 40, 1])
    for name in ("statistics.nc/U_error", "statistics.nc/k_plus_error", "statistics.nc/u_tau_error",
                 "statistics.nc/wall_stress_u_z_low_rms_error"):
        check.below("duct: " + name, abs(one[name] - two[name]).max() / abs(one[name]).max(), 1e-9)
    lines = kc.merge(RICH, sampled)
    whole, first, second = segments(kolmo, lines, 100, 70)
    out = kolmo.place()
    tool.call(first.folder, second.folder, "--out", out)
    one, two = contents(whole.folder), contents(out)
    near_whole(check, "channel", one, two)
    check.equal("channel: batches of 2 samples",
                (int(two["statistics.nc/n_batches"]), int(two["statistics.nc/batch_length"])), (50, 2))
    check.near("channel: error of u_tau over that of the whole run",
               float(two["statistics.nc/u_tau_error"] / one["statistics.nc/u_tau_error"]), 1, 0.1)

    def call(name, words, *parts):
        check.says(name, tool.call(*words, "--out", kolmo.place(), rc=2).err, *parts)
    thick = kolmo.run(kc.merge(lines,
                               {"run": {"steps_max": 4}, "fluid": {"nu": 0.02},
                                "grid": {"stretching_factor": (0.0, 1.3, 0.0)}}))
    call("another flow", [first.folder, thick.folder], "another flow", "fluid.nu: 0.01 and 0.02",
         "y: value 0 is", "y_face: value 1 is")
    call("the same file twice", [first.folder, first.folder], "hold the same samples")
    call("a box and a channel", [again, first.folder, "--only", "statistics.nc"], "another flow",
         "boundary.y_low", "wall_normal_direction", "statistics.nc alone:", "more")
    call("a file that one run lacks", [again, os.path.dirname(again)], "is in", "--only")
    call("one run", [again], "one run is given", "two or more")
    check.says("no folder", tool.call(again, out, rc=2).err, "--out FOLDER")
    call("overlapping times of one seed", [first.folder, whole.folder],
         "samples of one flow would count twice", "--overlap")
    check.says("taken all the same",
               tool.call(first.folder, whole.folder, "--overlap", "--out", kolmo.place()).out,
               "samples of one run count twice")
    old = kolmo.place()
    shutil.copy(os.path.join(first.folder, "statistics.nc"), old)
    with h5py.File(os.path.join(old, "statistics.nc"), "r+") as copy:
        del copy["batches"]
    call("a file of an earlier version", [old, second.folder, "--only", "statistics.nc"],
         "no group `batches`", "kolmo-stats")


def refused(kolmo, check):
    """What gives no numbers of this run, with the remedy; wrong words; nothing is overwritten."""
    few = {"run": {"steps_max": 4}}
    run = kolmo.run(kc.merge(BOX, few, {"output": {"field_places": "centres"}}))
    other = kolmo.run(kc.merge(BOX, few, {"fluid": {"nu": 0.03}}))
    grid = kolmo.run(kc.merge(BOX, few, {"grid": {"n": (16, 12, 16)}}))
    tool, first = kolmo.other("kolmo-stats"), stored(run.folder, "checkpoint", [2])[0]

    def call(name, code, words, *parts):
        check.says(name, tool.call(*words, "--out", kolmo.place(), rc=code).err, *parts)
    call("cell centres", 2, stored(run.folder, "fields", [4]), "fields_00000004.h5: error:", "cell centres",
         "output.field_places = 'faces'")
    call("another viscosity", 2, [first, stored(other.folder, "checkpoint", [4])[0]], "another flow",
         "fluid.nu", "0.03")
    call("another grid", 2, [first, stored(grid.folder, "checkpoint", [4])[0]], "another flow",
         "cells in z: 16 in the file, 20 in the input")
    call("one step twice", 2, [first, first], "both belong to step 2")
    call("the initial flow", 2, stored(other.folder, "fields", [0]), "before the first step")
    call("no time left", 2, [run.folder, "--from", "5"], "none is of t = 5 or later", "--from and --to")
    call("no such file", 4, [run.folder, first + "x.h5"], "x.h5")
    call("an unknown option", 2, [run.folder, "--form", "5"], "unknown option --form", "--help")
    call("an option in the place of a value", 2, [run.folder, "--from", "--to", "5"], "--from needs",
         "--to follows it instead")
    call("no number", 2, [run.folder, "--from", "abc"], "--from abc", "number")
    call("two beginnings", 2, [run.folder, "--from", "0.1", "--set", "statistics.start=0.2"],
         "--from and --set statistics.start", "one of them")
    call("an interval of runs", 2, [run.folder, "--set", "statistics.interval=5"],
         "--set statistics.interval=", "--every")
    call("no run", 2, [], "no run is given")
    empty = kolmo.place()
    shutil.copy(stored(run.folder, "fields", [2])[0], empty)
    call("a folder with centred fields alone", 2, [empty], "1 files of fields, 1 of them",
         "output.field_places = 'faces'")
    damaged = os.path.join(kolmo.place(), "checkpoint_00000002.h5")
    shutil.copy(first, damaged)
    with h5py.File(damaged, "r+") as file:
        file["fields/v"][3, 2, 1] += 1e-9
    call("a damaged array", 4, [damaged], "damaged")
    none = os.path.join(kolmo.place(), "new")
    for program, words in ((tool, (first, stored(other.folder, "checkpoint", [4])[0])),
                           (kolmo.other("kolmo-merge"), (run.folder, other.folder))):
        program.call(*words, "--out", none, rc=2)
        check.equal("a folder is left behind", os.path.exists(none), False)
    tool.call(run.folder)
    check.says("files that are there", tool.call(run.folder, rc=2).err, "is there already", "--replace")
    check.equal("replaced", tool.call(run.folder, "--replace").rc, 0)
    lines = kolmo.run(kc.merge(CHANNEL, few))
    call("spectra between walls", 2, [lines.folder, "--spectra"], "periodic boxes")
    check.says("help", tool.call("--help").out, "usage: kolmo-stats", "--every N", "exit codes")


if __name__ == "__main__":
    kc.main(__doc__, [box, channel, duct, exact, through, single, elsewhere, merged, refused])

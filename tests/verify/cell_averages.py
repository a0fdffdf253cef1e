#!/usr/bin/env python3
"""Averages over time alone in every cell, averages.h5: numpy on the fields of every step, layouts, restarts,
stored flows, merging, refusals.

Means, covariances and errors are those that numpy makes of the stored fields, with the weights of
docs/statistics.md, in a cavity, between an inflow and an outflow, and in a periodic box; the sums have the
same bits on any ranks and after a restart; parts of a run merged give the whole. Would catch: a face from the
wrong side, a product under another's name, a weight or batch of the wrong sample, a state that the checkpoint
lacks, a rank's cells in another's place."""
import os
import shutil
import sys
import xml.etree.ElementTree as xml

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "postproc", "python"))
import kolmo as package  # noqa: E402
import batch_error  # noqa: E402
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402

SUMS = ("u", "v", "w", "p", "uu", "vv", "ww", "uv", "uw", "vw", "pp", "up", "vp", "wp")
COVARIANCES = SUMS[4:]
ROUNDING = 1e-12

EVERY = {"statistics": {"start": 0.05, "interval": 1, "directions": "none"},
         "pressure": {"tolerance": 1e-6},
         "output": {"log_interval": 1000, "field_precision": "double"}}
# a fast vortex that decays, so that steps grow
SPIN = {"u": "4*sin(pi*x)^2*sin(2*pi*z/0.9)", "v": "0.5*sin(pi*y/1.1)^2*sin(2*pi*x)",
        "w": "-4*sin(2*pi*x)*sin(pi*z/0.9)^2"}
CAVITY = kc.merge(EVERY, {
    "run": {"steps_max": 40}, "grid": {"n": (12, 10, 14), "length": (1.0, 1.1, 0.9),
                                       "stretching": ("tanh", "uniform", "tanh"),
                                       "stretching_factor": (0.6, 0.0, 0.8)},
    "fluid": {"nu": 0.01}, "time": {"cfl": 0.8}, "initial": dict(type="formula", **SPIN),
    "boundary": dict({f"{d}_{s}": "wall" for d in "xyz" for s in ("low", "high")},
                     z_high_velocity=(1.0, 0.3, 0.0))})
# a flow from an inflow to an outflow, between planes of symmetry and walls
OPEN = kc.merge(EVERY, {
    "run": {"steps_max": 12}, "grid": {"n": (16, 8, 12), "length": (2.0, 1.0, 1.0)},
    "fluid": {"nu": 0.02}, "time": {"cfl": 0.7}, "initial": {"type": "uniform", "velocity": (1.0, 0.0, 0.0)},
    "boundary": {"x_low": "inflow", "x_high": "outflow", "x_low_velocity": (1.0, 0.0, 0.0),
                 "y_low": "slip", "y_high": "slip", "z_low": "wall", "z_high": "wall"}})
BOX = kc.merge(EVERY, {
    "run": {"steps_max": 24, "seed": 3}, "grid": {"n": (16, 12, 20), "length": (6.0, 5.0, 7.0)},
    "fluid": {"nu": 0.02}, "time": {"dt": 0.05}, "initial": {"type": "isotropic", "k_peak": 2},
    "statistics": {"start": 0.0, "interval": 2, "batches": 0}})


def averages(folder):
    """Arrays, sums and numbers of averages.h5."""
    with h5py.File(os.path.join(folder, "averages.h5"), "r") as file:
        data = {n: d[...] for n, d in file.items() if isinstance(d, h5py.Dataset)}
        sums = {n: d[...] for n, d in file["sums"].items()}
        return data, sums, {n: float(v) for n, v in file.attrs.items() if np.ndim(v) == 0
                            and not isinstance(v, (str, bytes))}


def differ(one, other):
    """Names of arrays, sums and numbers that differ, bit for bit."""
    a, b = averages(one.folder if hasattr(one, "folder") else one), averages(
        other.folder if hasattr(other, "folder") else other)
    found = [f"sums/{n}" for n in kc.differing_arrays(a[1], b[1])]
    return found + kc.differing_arrays(a[0], b[0]) + kc.differing_arrays(a[2], b[2], ("step",))


def samples_of(folder, start, interval):
    """Times of the samples, and the values of all cells in them, from files of fields."""
    times, values = [], []
    names = sorted(n for n in os.listdir(folder) if n.startswith("fields_") and n.endswith(".h5"))
    for name in names:
        step = int(name[7:-3])
        with h5py.File(os.path.join(folder, name), "r") as file:
            t = float(file.attrs["time"])
            if step == 0 or step % interval or t < start:
                continue
            u, p = file["velocity"][...], file["pressure"][...]
        v = [u[..., 0], u[..., 1], u[..., 2], p]
        pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2), (3, 3), (0, 3), (1, 3), (2, 3))
        values.append(v + [v[a] * v[b] for a, b in pairs])
        times.append(t)
    return np.array(times), np.array(values)


def weights_of(t):
    """As docs/statistics.md has them."""
    w = np.empty_like(t)
    w[1:-1] = 0.5 * (t[2:] - t[:-2])
    w[0], w[-1] = t[1] - t[0], t[-1] - t[-2]
    return w / (t[1] - t[0])


def widths_of(folder):
    """Of the cells along z, y, x."""
    with h5py.File(os.path.join(folder, "averages.h5"), "r") as file:
        return [np.diff(file[f"grid/{d}_face"][...]) for d in "zyx"]


def covariances(mean):
    """Of means of the sums."""
    out = {n: mean[i] for i, n in enumerate(SUMS[:4])}
    for i, n in enumerate(COVARIANCES):
        out[n] = mean[4 + i] - out[n[0]] * out[n[1]]
    out["k"] = 0.5 * (out["uu"] + out["vv"] + out["ww"])
    return out


def off(found, wanted):
    return float(np.max(np.abs(found - wanted))) / max(float(np.max(np.abs(wanted))), 1e-300)


def against_numpy(check, kolmo, name, case, interval=1):
    result = kolmo.run(kc.merge(case, {"output": {"field_interval": 1, "field_places": "centres"}}))
    data, sums, number = averages(result.folder)
    t, values = samples_of(result.folder, case["statistics"]["start"], interval)
    w = weights_of(t)
    check.equal(f"{name}: samples", int(number["n_samples"]), t.size)
    check.equal("  in each cell", sorted(set(data["samples"].ravel())), [t.size])
    check.below("  time", abs(number["averaging_time"] - w.sum() * (t[1] - t[0])), 1e-12 * t[-1])
    mean = np.tensordot(w, values, 1) / w.sum()
    batches = sum(sums[n] for n in sums if n.startswith("batch_"))
    check.below("  sums", off(np.moveaxis(batches, -1, 0)[:14] / number["weight"], mean), ROUNDING)
    if interval == 1:
        check.below("  the least and largest weight differ", w.min() / w.max(), 0.99)
    wanted = covariances(mean)
    for i, c in enumerate("uvw"):
        check.below(f"  mean {c}", off(data["velocity"][..., i], wanted[c]), ROUNDING)
    check.below("  mean p", off(data["pressure"], wanted["p"]), ROUNDING)
    for n in COVARIANCES + ("k",):
        scale = np.max(np.abs(mean[SUMS.index("uu" if n == "k" else n)]))
        check.below(f"  {n}", float(np.max(np.abs(data[n] - wanted[n]))) / scale, ROUNDING)
    series = result.series()
    kept = (series["step"] % interval == 0) & (series["time"] >= case["statistics"]["start"]) & (
        series["step"] > 0)
    volume = np.prod([np.meshgrid(*widths_of(result.folder), indexing="ij")], axis=1)[0]
    check.below("  dissipation is that of series.nc", abs(
        (data["dissipation"] * volume).sum() / volume.sum() * w.sum()
        / (w * series["dissipation"][kept]).sum() - 1), 0.02 if name == "open" else 1e-10)
    check.below("  latest sample", off(np.moveaxis(sums["latest"], -1, 0)[:4], values[-1][:4]), 0)
    return result, t, values, w


def test_numpy(kolmo, check):
    """Means, covariances and batches are those of the stored fields."""
    result, _, values, w = against_numpy(check, kolmo, "cavity", CAVITY)
    data, sums, number = averages(result.folder)
    length, count = int(number["batch_length"]), int(number["n_batches"])
    check.above("  batches", count, 8)
    parts = [slice(m * length, (m + 1) * length) for m in range(count)]
    for m, part in enumerate(parts):
        one = np.tensordot(w[part], values[part], 1)
        if m in (0, count - 1):
            check.below(f"  batch {m}", off(np.moveaxis(sums[f"batch_{m}"], -1, 0)[:14], one), ROUNDING)
    of = np.array([w[p].sum() for p in parts])
    sum_of = np.array([np.tensordot(w[p], values[p], 1) for p in parts])
    left = [covariances((sum_of.sum(0) - s) / (of.sum() - a)) for s, a in zip(sum_of, of)]
    whole, share = covariances(sum_of.sum(0) / of.sum()), of.sum() / w.sum()
    for n, found in (("u", data["velocity_error"][..., 0]), ("uv", data["uv_error"]),
                     ("k", data["k_error"])):
        d = np.array([(count - 1) * (whole[n] - one[n]) for one in left])
        check.below(f"  error of {n}", off(found, batch_error.of_deviations(d) * np.sqrt(share)), 1e-8)
    against_numpy(check, kolmo, "open", OPEN)
    against_numpy(check, kolmo, "box", BOX, 2)


def test_layouts(kolmo, check):
    """The same bits on any ranks, divided in every direction."""
    for name, case, layouts in (("cavity", CAVITY, ((2, 1, 1), (1, 2, 2))),
                                ("box", BOX, ((1, 2, 1), ))):
        one = kolmo.run_once(case)
        for ranks in layouts:
            n = int(np.prod(ranks))
            other = kolmo.run(kc.merge(case, {"grid": {"ranks": ranks}}), ranks=n)
            check.same(f"{name} on {ranks}", differ(one, other))
            check.same("  checkpoint", [n for n in kc.differences(one, other) if n.startswith("field")])


CHANNEL = kc.merge(EVERY, {
    "run": {"steps_max": 18}, "grid": {"n": (16, 12, 10), "length": (2.0, 1.5, 1.0),
                                       "stretching": ("sine", "uniform", "tanh"),
                                       "stretching_factor": (0.4, 0.0, 0.8)},
    "fluid": {"nu": 0.01}, "time": {"cfl": 0.7}, "boundary": {"z_low": "wall", "z_high": "wall"},
    "initial": {"type": "formula", "u": "sin(pi*z)*(1+0.3*sin(2*pi*y/1.5))", "v": "0.3*sin(pi*x)*sin(pi*z)^2",
                "w": "0.2*cos(2*pi*y/1.5)*sin(pi*z)^2"}})


def along(values, directions, widths):
    """Mean of values[z, y, x, ...] over directions, weighted by the widths of the cells."""
    for d in directions:
        n = 2 - "xyz".index(d)
        w = widths[d].reshape([-1 if i == n else 1 for i in range(values.ndim)])
        values = (values * w).sum(axis=n, keepdims=True) / w.sum()
    return values


def test_directions(kolmo, check):
    """Averages over some of the periodic directions are those of the sums in every cell; on any ranks."""
    for name, case, sets in (("box", BOX, ("x", "yz")), ("channel", CHANNEL, ("y", ))):
        every = kc.merge(case, {"statistics": {"directions": "none"}})
        _, sums, number = averages(kolmo.run_once(every).folder)
        total = sum(sums[n] for n in sums if n.startswith("batch_")) / number["weight"]
        for chosen in sets:
            asked = kc.merge(case, {"statistics": {"directions": chosen}})
            result = kolmo.run(asked)
            data, own, _ = averages(result.folder)
            with h5py.File(os.path.join(result.folder, "averages.h5"), "r") as file:
                told, methods = file.attrs["directions"], str(file["uv"].attrs["cell_methods"])
                told = told.decode() if isinstance(told, bytes) else told
                check.equal(f"{name}, {chosen}: named", told, chosen)
                check.holds("  methods", all(f"{d}: " in methods for d in chosen))
            with h5py.File(kc.checkpoint_path(result.folder), "r") as file:
                widths = {d: np.diff(file[f"grid/{d}_face"][...]) for d in "xyz"}
            check.same("  the same sums", kc.differing_arrays(sums, own))
            mean = along(total, chosen, widths)
            wanted = covariances(np.moveaxis(mean, -1, 0))
            check.equal("  shape", data["uv"].shape, mean.shape[:3])
            for n, found in [(c, data["velocity"][..., i]) for i, c in enumerate("uvw")] + [
                    (n, data[n]) for n in COVARIANCES + ("k",)]:
                square = SUMS.index("uu" if n == "k" else n * 2 if len(n) < 2 else n)
                scale = np.max(np.abs(mean[..., square]))
                check.below(f"  {n}", float(np.max(np.abs(found - wanted[n]))) / max(scale, 1e-6), 1e-11)
            lines = int(np.prod([case["grid"]["n"]["xyz".index(d)] for d in chosen]))
            check.equal("  samples", sorted(set(data["samples"].ravel())), [lines * number["n_samples"]])
            ranks = {"x": (2, 1, 1), "yz": (1, 2, 2), "y": (2, 2, 1)}[chosen]
            other = kolmo.run(kc.merge(asked, {"grid": {"ranks": ranks}}), ranks=int(np.prod(ranks)))
            check.same(f"  on {ranks}", differ(result, other))
        first = kolmo.run(kc.merge(asked, {"run": {"steps_max": 10}}))
        t = first.checkpoint().state["time"]
        second = kolmo.run(kc.merge(asked, {"checkpoint": {"restart": kc.checkpoint_path(first.folder)},
                                            "statistics": {"start": t * 1.0001}}))
        out = os.path.join(kolmo.place(), "out")
        kolmo.other("kolmo-merge").call("--out", out, second.folder, first.folder, ranks=2)
        check.below("  merged", off(averages(out)[0]["velocity"], data["velocity"]), 1e-9)
        check.equal("  its shape", averages(out)[0]["velocity"].shape, data["velocity"].shape)
    index = xml.parse(os.path.join(result.folder, "averages.xdmf")).getroot()
    check.holds("index", any(a.get("Name") == "uv" for a in index.iter("Attribute")))


# a sphere across the periodic faces of x and z, and a cylinder along y
BODIES = kc.merge(EVERY, {
    "run": {"steps_max": 18}, "grid": {"n": (16, 12, 20), "length": (2.0, 1.2, 1.5),
                                       "stretching": ("uniform", "uniform", "sine"),
                                       "stretching_factor": (0.0, 0.0, 0.3)},
    "fluid": {"nu": 0.01}, "time": {"cfl": 0.6}, "pressure": {"tolerance": 1e-8},
    "initial": {"type": "taylor-green", "amplitude": 0.8, "velocity": (0.4, -0.3, 0.2)},
    "bodies": {"shape": ("sphere", "cylinder"), "centre": (0.1, 0.5, 1.45, 1.2, 0.6, 0.7),
               "size": (0.55, 0.0, 0.0, 0.45, 0.0, 0.0), "axis": ("z", "y")},
    "statistics": {"start": 0.0, "directions": "none"}})


def fluid_of_bodies(faces, sphere=(0.1, 0.5, 1.45)):
    """Whether each cell has an open face: one whose centre lies outside the sphere, whose centre this is
    (None: it has vanished), and outside the cylinder."""
    centres = {d: 0.5 * (f[1:] + f[:-1]) for d, f in faces.items()}

    def is_out(x, y, z):
        z, y, x = np.meshgrid(z, y, x, indexing="ij")
        out = ~((x - 1.2)**2 + (z - 0.7)**2 < 0.225**2)
        if sphere is None:
            return out
        dx, dz = np.abs(x - sphere[0]), np.abs(z - sphere[2])
        in_sphere = np.minimum(dx, 2.0 - dx)**2 + (y - sphere[1])**2 + np.minimum(dz, 1.5 - dz)**2 < 0.275**2
        return out & ~in_sphere
    fluid = np.zeros(tuple(centres[d].size for d in "zyx"), dtype=bool)
    for d in "xyz":
        for side in (slice(None, -1), slice(1, None)):
            fluid |= is_out(*(faces[e][side] if e == d else centres[e] for e in "xyz"))
    return fluid


def merged_halves(kolmo, asked):
    """Averages of two halves of a run, the second of which begins anew, merged on two ranks: their folder."""
    first = kolmo.run(kc.merge(asked, {"run": {"steps_max": 15}}))
    second = kolmo.run(kc.merge(asked, {
        "checkpoint": {"restart": kc.checkpoint_path(first.folder)},
        "statistics": {"start": first.checkpoint().state["time"] * 1.0001}}))
    out = os.path.join(kolmo.place(), "out")
    kolmo.other("kolmo-merge").call("--out", out, second.folder, first.folder, ranks=2)
    return out


def test_bodies(kolmo, check):
    """Averages over the fluid alone, with its share and superficial means; ranks, restart, merge, stored."""
    every = {"output": {"field_interval": 1, "field_places": "centres"}}
    result = kolmo.run(kc.merge(BODIES, every))
    with h5py.File(kc.checkpoint_path(result.folder), "r") as file:
        faces = {d: file[f"grid/{d}_face"][...] for d in "xyz"}
    fluid, widths = fluid_of_bodies(faces), {d: np.diff(f) for d, f in faces.items()}
    data, sums, number = averages(result.folder)
    t, values = samples_of(result.folder, 0.0, 1)
    w = weights_of(t)
    total = np.tensordot(w, values, 1) / w.sum()
    wanted = covariances(total)
    check.holds("solid cells: some, and not most", 0.03 < 1 - fluid.mean() < 0.4, f"{fluid.mean()}")
    check.same("  samples", np.argwhere((data["samples"] > 0) != fluid).tolist())
    check.holds("  no values in them",
                all(np.isnan(data[n][~fluid]).all() for n in ("velocity", "uv", "k_error")))
    for n, found in [(c, data["velocity"][..., i]) for i, c in enumerate("uvw")] + [
            (n, data[n]) for n in COVARIANCES + ("k",)]:
        check.below(f"  {n}", off(found[fluid], wanted[n][fluid]), 1e-9)
    for chosen in ("y", "xy", "periodic") if kolmo.options.long else ("y", "periodic"):
        asked = kc.merge(BODIES, {"statistics": {"directions": chosen}})
        one = kolmo.run(asked)
        data = averages(one.folder)[0]
        over = "xyz" if chosen == "periodic" else chosen
        share = along(fluid.astype(float), over, widths)
        superficial = np.array([along(s * fluid, over, widths) for s in total])
        with np.errstate(invalid="ignore", divide="ignore"):
            wanted = covariances(superficial / share)
        there = share > 0
        check.below(f"{chosen}: share of the fluid", off(data["fluid_share"], share), ROUNDING)
        lines = [n for n, d in zip(fluid.shape, "zyx") if d in over]
        check.below("  samples", off(data["samples"], share * 0 + t.size * np.add.reduce(
            fluid, axis=tuple("zyx".index(d) for d in over), keepdims=True)), 0)
        for i, n in enumerate("uvw"):
            check.below(f"  {n}", off(data["velocity"][..., i][there], wanted[n][there]), 1e-9)
            check.below("  superficial", off(data["velocity_superficial"][..., i], superficial[i]), 1e-9)
        check.below("  superficial p", np.max(np.abs(data["pressure_superficial"] - superficial[3])), 1e-12)
        for n in COVARIANCES + ("k",):
            check.below(f"  {n}", off(data[n][there], wanted[n][there]), 1e-8)
        check.holds("  errors", np.isfinite(data["uw_error"][there]).all() and len(lines) == len(over))
        ranks = {"y": (2, 1, 2), "periodic": (2, 1, 1)}.get(chosen)
        if ranks:
            other = kolmo.run(kc.merge(asked, {"grid": {"ranks": ranks}}), ranks=int(np.prod(ranks)))
            check.same(f"  on {ranks}", differ(one, other))
        if chosen != "y":
            continue
        folder = kolmo.place()
        kolmo.run(kc.merge(asked, {"run": {"steps_max": 15}}), folder=folder)
        again = kolmo.run(kc.merge(asked, {"checkpoint": {"restart": "latest"}}), ranks=2, folder=folder)
        check.same("  restarted", differ(one, again))
    out = merged_halves(kolmo, asked)
    for n in ("velocity", "velocity_superficial", "fluid_share", "uu", "samples"):
        check.below(f"merged: {n}", off(averages(out)[0][n], data[n]), 1e-9)
    stored = kolmo.run(kc.merge(asked, {"checkpoint": {"interval": 1, "keep": 99}}))
    out = os.path.join(kolmo.place(), "stats")
    kolmo.other("kolmo-stats").call("--out", out, stored.folder, ranks=2)
    check.same("stored flows", differ(stored, out))
    mean = [stored.series()[f"momentum_{d}"] for d in "xyz"]
    found = averages(stored.folder)[0]["velocity_superficial"].ravel()
    for n, d in enumerate("xyz"):
        check.below(f"momentum along {d} of series.nc",
                    abs((w * mean[n][1:]).sum() / w.sum() - found[n]), 1e-9)
    for n in ("spectra_interval", "phases"):
        bad = kolmo.run(kc.merge(BODIES, {"statistics": {n: 4}}), rc=2)
        check.says(f"{n} with bodies", bad.text, f"statistics.{n}", "bodies.shape")


def test_turning(kolmo, check):
    """Bodies that move or vanish: each cell is averaged over the samples in which it was fluid."""
    every = {"output": {"field_interval": 1, "field_places": "centres"}}
    moves = (-0.25, 0.4, 0.3)
    travel = kc.merge(BODIES, {"bodies": {"motion": ("translate", "none"), "velocity": moves + 3 * (0.0,)}})
    vanish = kc.merge(BODIES, {"bodies": {"remove_time": (0.35,)}})
    for name, case in (("moving", travel), ("vanishing", vanish)):
        result = kolmo.run(kc.merge(case, every))
        with h5py.File(kc.checkpoint_path(result.folder), "r") as file:
            faces = {d: file[f"grid/{d}_face"][...] for d in "xyz"}
        data, _, number = averages(result.folder)
        t, values = samples_of(result.folder, 0.0, 1)
        w, widths = weights_of(t), {d: np.diff(f) for d, f in faces.items()}

        places = [(0.1, 0.5, 1.45) if time < 0.35001 else None for time in t]
        if case is travel:
            ways = list(zip((0.1, 0.5, 1.45), moves, (2.0, 1.2, 1.5)))
            places = [tuple((c + v * time) % size for c, v, size in ways) for time in t]
        fluid = np.array([fluid_of_bodies(faces, place) for place in places]).astype(float)
        share = np.tensordot(w, fluid, 1) / w.sum()
        check.holds(f"{name}: cells that turn", 20 < np.sum((share > 0) & (share < 1)))
        check.below("  share of the time in the fluid", off(data["fluid_share"], share), ROUNDING)
        check.below("  samples", off(data["samples"], share * t.size), ROUNDING)
        superficial = np.einsum("t,tq...,t...->q...", w, values, fluid) / w.sum()
        there = share > 0
        check.holds("  no values where there never was fluid",
                    all(np.isnan(data[n][~there]).all() for n in ("velocity", "uv")))
        with np.errstate(invalid="ignore", divide="ignore"):
            wanted = covariances(superficial / share)
        for n, found in [(c, data["velocity"][..., i]) for i, c in enumerate("uvw")] + [
                (n, data[n]) for n in COVARIANCES + ("k",)]:
            check.below(f"  {n}", off(found[there], wanted[n][there]), 1e-8)
        check.below("  superficial u", off(data["velocity_superficial"][..., 0], superficial[0]), 1e-9)
        length, count = int(number["batch_length"]), int(number["n_batches"])
        parts = [slice(m * length, (m + 1) * length) for m in range(count)]
        of = np.array([np.tensordot(w[p], fluid[p], 1) for p in parts])
        sum_of = np.array([np.einsum("t,tq...,t...->q...", w[p], values[p], fluid[p]) for p in parts])
        with np.errstate(invalid="ignore", divide="ignore"):
            left = [covariances((sum_of.sum(0) - s) / (of.sum(0) - a)) for s, a in zip(sum_of, of)]
            whole = covariances(sum_of.sum(0) / of.sum(0))
        often = (of.sum(0) - of.max(0) > 0) & (share > 0.5)
        for n, found in (("u", data["velocity_error"][..., 0]), ("uw", data["uw_error"])):
            d = np.array([(count - 1) * (whole[n] - one[n])[often] for one in left])
            varies = np.any(d != 0, axis=0)  # next to the cylinder some velocities are always 0
            wanted_error = batch_error.of_deviations(d[:, varies]) * np.sqrt(
                sum(w[:count * length]) / w.sum())
            check.below(f"  error of {n}", off(found[often][varies], wanted_error), 1e-7)
            check.equal("  where nothing varies", np.count_nonzero(found[often][~varies]), 0)
        asked = kc.merge(case, {"statistics": {"directions": "y"}})
        one = kolmo.run(asked)
        data = averages(one.folder)[0]
        lines, sums = along(share, "y", widths), np.array([along(s, "y", widths) for s in superficial])
        with np.errstate(invalid="ignore", divide="ignore"):
            wanted = covariances(sums / lines)
        check.below("  along y: share of the fluid", off(data["fluid_share"], lines), ROUNDING)
        check.below("  samples", off(data["samples"], (share * t.size).sum(axis=1, keepdims=True)), ROUNDING)
        for n in ("uw", "k", "pp"):
            check.below(f"  {n}", off(data[n][lines > 0], wanted[n][lines > 0]), 1e-8)
        check.holds("  errors where there is much fluid", np.isfinite(data["uw_error"][lines > 0.9]).all())
        ranks = (2, 1, 2) if case is travel else (2, 1, 1)
        other = kolmo.run(kc.merge(asked, {"grid": {"ranks": ranks}}), ranks=int(np.prod(ranks)))
        check.same(f"  on {ranks}", differ(one, other))
        folder = kolmo.place()
        kolmo.run(kc.merge(asked, {"run": {"steps_max": 9}}), folder=folder)
        again = kolmo.run(kc.merge(asked, {"checkpoint": {"restart": "latest"}}), ranks=2, folder=folder)
        check.same("  restarted", differ(one, again))
    stored = kolmo.run(kc.merge(travel, {"checkpoint": {"interval": 1, "keep": 99}}))
    out = os.path.join(kolmo.place(), "stats")
    kolmo.other("kolmo-stats").call("--out", out, stored.folder, ranks=2)
    check.same("stored flows", differ(stored, out))
    out = merged_halves(kolmo, asked)
    for n in ("velocity", "velocity_superficial", "fluid_share", "uu", "samples"):
        check.below(f"  merged: {n}", off(np.nan_to_num(averages(out)[0][n]), np.nan_to_num(data[n])), 1e-9)


def test_restart(kolmo, check):
    """A run in two parts is the run in one, on other ranks too; what can't continue says so."""
    for name, case, steps in (("cavity", CAVITY, (23, 26, 40)), ("box", BOX, (13, 14, 24))):
        whole = kolmo.run_once(case)
        for half in steps[:2]:
            folder = kolmo.place()
            kolmo.run(kc.merge(case, {"run": {"steps_max": half}}), folder=folder)
            more = kc.merge(case, {"checkpoint": {"restart": "latest"}})
            other = kolmo.run(more, ranks=2 if half == steps[0] else 1, folder=folder)
            check.says(f"{name} restarted at {half}: log", other.out, "statistics continue after")
            check.same("  averages", differ(whole, other))
            check.same("  checkpoint", [n for n in kc.differences(whole, other) if n.startswith("field")])
    folder = kolmo.place()
    kolmo.run(kc.merge(CAVITY, {"run": {"steps_max": 20}}), folder=folder)
    for change, words in (({"statistics": {"batches": 0}}, "other batches than statistics.batches"),
                          ({"statistics": {"batches": 32}}, "of another kind"),
                          ({"statistics": {"start": 0.3}}, "statistics.start is 0.3"),
                          ({"grid": {"n": (12, 10, 12)}, "checkpoint": {"regrid": True}}, "of another kind")):
        place = kolmo.place()
        case = kc.merge(CAVITY, {"checkpoint": {"restart": kc.checkpoint_path(folder, 20)}}, change)
        other = kolmo.run(case, folder=place)
        check.says(f"changed {change}", other.out, words)
        check.below("  samples", averages(place)[2]["n_samples"], 20)
    # a damaged sum is found
    place = kolmo.place()
    damaged = os.path.join(place, "checkpoint_00000020.h5")
    shutil.copy(kc.checkpoint_path(folder, 20), damaged)
    with h5py.File(damaged, "r+") as file:
        file["fields/cells_batch_1"][3, 4, 5, 6] += 1
    bad = kolmo.run(kc.merge(CAVITY, {"checkpoint": {"restart": damaged}}), rc=4)
    check.says("a damaged sum", bad.text, "cells_batch_1")


def test_stored(kolmo, check):
    """kolmo-stats makes the same averages from checkpoints."""
    case = kc.merge(BOX, {"checkpoint": {"interval": 2, "keep": 99}, "run": {"steps_max": 12}})
    whole = kolmo.run(case)
    out = os.path.join(kolmo.place(), "stats")
    kolmo.other("kolmo-stats").call("--out", out, whole.folder, ranks=2)
    found = averages(out)
    n = int(found[2]["n_samples"])
    check.above("stored: samples", n, 5)
    t, values = samples_of_checkpoints(whole)
    check.equal("  as many as checkpoints", n, t.size)
    w = weights_of(t)
    mean = np.tensordot(w, values, 1) / w.sum()
    check.below("  mean u", off(found[0]["velocity"][..., 0], mean), ROUNDING)


def samples_of_checkpoints(result):
    """Times, and u at centres, of the checkpoints of a periodic run."""
    times, values = [], []
    for step in sorted(result.steps()):
        c = result.checkpoint(step)
        times.append(c.state["time"])
        u = c.fields["u"]
        values.append(0.5 * (u + np.roll(u, -1, axis=2)))
    return np.array(times), np.array(values)


def test_merge(kolmo, check):
    """Segments of a run merged are the whole, to rounding; other flows, and one twice, are refused."""
    merge = kolmo.other("kolmo-merge")
    for name, case, half, otherwise in (("cavity", CAVITY, 21, {"initial": {"v": "0.2*sin(pi*y/1.1)^2"}}),
                                        ("box", BOX, 14, {"run": {"seed": 4}})):
        whole = kolmo.run_once(case)
        first = kolmo.run(kc.merge(case, {"run": {"steps_max": half}}))
        t = first.checkpoint().state["time"]
        second = kolmo.run(kc.merge(case, {"checkpoint": {"restart": kc.checkpoint_path(first.folder)},
                                           "statistics": {"start": t * 1.0001}}))
        out = os.path.join(kolmo.place(), "out")
        merge.call("--out", out, second.folder, first.folder, ranks=2 if name == "cavity" else 1)
        a, b = averages(whole.folder), averages(out)
        check.equal(f"{name}: samples", b[2]["n_samples"], a[2]["n_samples"])
        check.below("  time", abs(b[2]["averaging_time"] - a[2]["averaging_time"]), 1e-12)
        for n in a[0]:
            if not n.endswith("_error"):
                check.below(f"  {n}", off(b[0][n], a[0][n]), 1e-9)
        check.same("  latest", kc.differing_arrays({"l": a[1]["latest"]}, {"l": b[1]["latest"]}))
        alone = os.path.join(kolmo.place(), "alone")
        merge.call("--out", alone, second.folder, first.folder)
        check.same("  on any ranks", differ(out, alone))
        again = os.path.join(kolmo.place(), "again")
        other = kolmo.run(kc.merge(case, otherwise))
        merge.call("--out", again, out, other.folder)
        check.equal("  merged again", averages(again)[2]["n_samples"],
                    b[2]["n_samples"] + averages(other.folder)[2]["n_samples"])
        c = averages(again)[0]["velocity"]
        time = [averages(f)[2]["averaging_time"] for f in (out, other.folder)]
        mean = (time[0] * b[0]["velocity"] + time[1] * averages(other.folder)[0]["velocity"]) / sum(time)
        check.below("  its mean", off(c, mean), 1e-9)
        twice = merge.call("--out", os.path.join(kolmo.place(), "x"), first.folder, first.folder, rc=2)
        check.says("  one twice", twice.text, "hold the same samples")
        other = kolmo.run(kc.merge(case, {"fluid": {"nu": 0.03}}))
        no = merge.call("--out", os.path.join(kolmo.place(), "x"), first.folder, other.folder, rc=2)
        check.says("  other physics", no.text, "fluid.nu")
        no = merge.call("--out", os.path.join(kolmo.place(), "x"), first.folder,
                        kolmo.place(), rc=2)
        check.says("  none there", no.text, "averages.h5", "--only")


def test_files(kolmo, check):
    """The index, the provenance, the counted memory and disk; errors only where asked for."""
    result = kolmo.run_once(CAVITY)
    data, sums, _ = averages(result.folder)
    root = xml.parse(os.path.join(result.folder, "averages.xdmf")).getroot()
    names = [a.get("Name") for a in root.iter("Attribute")]
    check.same("index lists all arrays", sorted(set(names) ^ set(data)))
    places = [i.text.split(":/")[1] for i in root.iter("DataItem")]
    with h5py.File(os.path.join(result.folder, "averages.h5"), "r") as file:
        check.same("  its places are there", [p for p in places if p not in file])
        about = file["uv"].attrs
        check.equal("  units", [x.decode() if isinstance(x, bytes) else x
                                for x in (about["units"], about["scaling"], about["cell_methods"])],
                    ["1", "U2", "time: mean"])
        check.holds("  provenance", "input" in file["run"].attrs)
    found = package.open(result.folder)
    uv = found.averages["uv"]
    check.equal("  by Python", (tuple(uv.dims), off(uv.values, data["uv"])), (("z", "y", "x"), 0.0))
    check.holds("  its checkpoint by Python", "u" in found.checkpoints.last
                and "cells_batch_0" not in found.checkpoints.last)
    check.holds("errors", all(n + "_error" in data for n in COVARIANCES + ("velocity", "pressure", "k")))
    none = kolmo.run(kc.merge(CAVITY, {"statistics": {"batches": 0}}))
    data, sums, number = averages(none.folder)
    check.holds("no errors with batches = 0", not any(n.endswith("_error") for n in data)
                and sorted(sums) == ["batch_0", "latest", "numbers"])
    few = kolmo.run(kc.merge(CAVITY, {"run": {"steps_max": 7}}))
    check.holds("none from few samples", not any(n.endswith("_error") for n in averages(few.folder)[0]))
    size = [kolmo.call(kolmo.write(kc.merge(CAVITY, {"statistics": {"batches": n}}), kolmo.place()),
                       "--check").out for n in (0, 16)]
    share = [float(next(line for line in s.splitlines() if "checkpoint  " in line).split()[1]) for s in size]
    cells = 12 * 10 * 14
    check.near("--check: checkpoint [MiB]", share[1] - share[0], cells * 15 * 120 / 2**20, 0.02)
    folder = kolmo.place()
    for _ in range(2):
        kolmo.run(kc.merge(CAVITY, {"run": {"steps_max": 3}, "statistics": {"start": 0.0}}), folder=folder)
    check.same("a new run moves the old files aside",
               [n for n in ("averages.h5", "averages.xdmf")
                if not os.path.exists(os.path.join(folder, "previous-1", n))])
    idle = kolmo.run(kc.merge(CAVITY, {"statistics": {"start": 1e3}, "run": {"steps_max": 2}}))
    check.says("no sample", idle.out, "no averages.h5 was written")


def test_refused(kolmo, check):
    """What the geometry does not allow, and what needs other averages, by name."""
    channel = kc.merge(EVERY, {"run": {"steps_max": 2}, "grid": {"n": (8, 8, 8), "length": (1.0, 1.0, 1.0)},
                               "fluid": {"nu": 0.1}, "boundary": {"z_low": "wall", "z_high": "wall"}})
    for case, change, words in (
        (CAVITY, {"statistics": {"directions": "periodic"}}, ("statistics.start", "directions = 'none'")),
        (CAVITY, {"statistics": {"directions": "xz"}}, ("'xz'", "boundary.x_low")),
        (channel, {"statistics": {"directions": "xz"}}, ("'xz'", "boundary.z_low")),
        (channel, {"statistics": {"directions": "nine"}}, ("statistics.directions",)),
        (channel, {"statistics": {"stop_when": "u_b"}}, ("statistics.stop_when", "statistics.directions")),
        (channel, {"statistics": {"quadrants": True}}, ("statistics.quadrants", "statistics.directions")),
        (BOX, {"statistics": {"spectra_interval": 5}}, ("statistics.spectra_interval", "directions")),
        (channel, {"statistics": {"batches": 15}}, ("statistics.batches = 15", "even")),
        (channel, {"statistics": {"batches": 8}}, ("statistics.batches = 8",)),
        (channel, {"statistics": {"directions": "periodic", "batches": 16}}, ("statistics.batches",)),
        (channel, {"checkpoint": {"background": True}}, ("checkpoint.background",)),
    ):
        bad = kolmo.run(kc.merge(case, change), rc=2)
        check.says(f"{change}", bad.text, *words)
    good = kolmo.run(kc.merge(channel, {"statistics": {"directions": "xy", "start": 0.0}}))
    check.holds("all periodic directions by name", os.path.exists(os.path.join(good.folder, "statistics.nc")))


if __name__ == "__main__":
    kc.main(__doc__, [test_numpy, test_layouts, test_directions, test_bodies, test_turning, test_restart,
                      test_stored, test_merge, test_files, test_refused])

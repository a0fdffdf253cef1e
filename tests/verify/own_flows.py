#!/usr/bin/env python3
"""Initial flows of the user: formulas against numpy, files on this grid bit for bit, files of other grids by
their order of accuracy, the projection by its exact result, and what is refused.

Would catch: a function or an operator under the name of another, a wrong precedence, a component at the
points of another, a file whose arrays are shifted by a cell or turned, an interpolation of the first order, a
wall that is taken for a periodic face, bits that depend on the ranks, a fault in a formula at the wrong
column.
"""

import math
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
sys.path.insert(0, os.path.join(HERE, "..", "..", "postproc", "python"))
import kolmo_case as kc  # noqa: E402
import h5py  # noqa: E402
import numpy as np  # noqa: E402
import kolmo as package  # noqa: E402

DOCS = os.path.join(HERE, "..", "..", "docs", "own-flows.md")
START = {
    "run": {"steps_max": 0},
    "fluid": {"nu": 0.05},
    "time": {"dt": 0.01},
    "grid": {"n": (12, 10, 8), "length": (2.0, 3.0, 4.0), "origin": (-0.5, 0.25, 0.5)},
    "output": {"field_interval": 1, "field_places": "faces", "field_precision": "double"},
    "checkpoint": {"at_end": False},
}
WALLS = {
    "grid": {"stretching": ("uniform", "uniform", "tanh"), "stretching_factor": (0.0, 0.0, 1.5)},
    "boundary": {"z_low": "wall", "z_high": "wall"},
}
ONE = {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "exp": np.exp, "log": np.log, "log10": np.log10,
    "sqrt": np.sqrt, "abs": np.abs, "floor": np.floor, "ceil": np.ceil, "erf": np.vectorize(math.erf),
    "sign": np.sign,
    "step": lambda a: np.where(a >= 0, 1.0, 0.0),
}  # fmt: skip
TWO = {"min": np.minimum, "max": np.maximum, "atan2": np.arctan2, "pow": np.power, "mod": np.mod}
# a formula of two coordinates a and b, and the same for numpy; both are put in the place of x, y or z
FORMULAS = [(f"{name}(0.2 + a/9)*b + {name}(0.9)", f"{name}(0.2 + a/9)*b + {name}(0.9)") for name in ONE]
FORMULAS += [(f"{name}(1.2 - a)*b", f"{name}(1.2 - a)*b") for name in ("floor", "ceil", "step", "sign")]
FORMULAS += [(f"{name}(a + 1, b)", f"{name}(a + 1, b)") for name in TWO]
FORMULAS += [
    ("-a^2 + 2^-1^2*b", "-(a**2) + 2.0**(-(1.0**2))*b"),
    ("2**a**2/b/2*3 - 1 - 1", "2.0**(a**2)/b/2*3 - 1 - 1"),
    (" ( a - -b ) * + .5e1 - 1.5E-1", "(a + b)*5.0 - 0.15"),
    ("lx + 2*ly - lz/4 + nu*pi + t0 + a", "2.0 + 6.0 - 1.0 + 0.05*pi + a"),
]
# a formula, the column of the fault, and a part of what is said
FAULTS = [
    ("sin(x", 6, "closing parenthesis"), ("sinn(x)", 1, "'sinn' is not known"), ("x + ", 5, "ends where"),
    ("x y", 3, "operator"), ("2*(x + )", 8, "must stand here"), ("1e999", 1, "no number"),
    ("1.2.3", 1, "no number"),
    ("system(1)", 1, "'system' is not known"), ("x; y", 2, "operator"), ("min(x)", 6, "comma"),
    ("sin(x, y)", 6, "so many"), ("sin x", 4, "in parentheses"), ("0x10", 2, "operator"), ("inf", 1, "'inf'"),
    ("(" * 40 + "x" + ")" * 40, 33, "too deeply"), ("u", 1, "'u' is not known"), ("X", 1, "'X' is not known"),
    ("a%b", 1, "'a'"), ("x*\u00e9", 3, "must stand here"),
    ("min(1,2+" * 20 + "x" + ")" * 20, 134, "too long"),
]  # fmt: skip


def fields(result):
    """The first fields of a run: u, v, w."""
    with h5py.File(os.path.join(result.folder, "fields_00000000.h5"), "r") as file:
        return {n: file[n][...] for n in "uvw"}, [file[f"grid/{d}_face"][...] for d in "xyz"]


def points(faces, component):
    """x, y, z of the points of a component, as arrays over z, y, x."""
    line = [f[:-1] if d == component else 0.5 * (f[1:] + f[:-1]) for d, f in enumerate(faces)]
    z, y, x = np.meshgrid(line[2], line[1], line[0], indexing="ij")
    return {"x": x, "y": y, "z": z}


def formulas_test(kolmo, check):
    """Components that do not depend on their own coordinate have no divergence: they come as they are."""
    others = {"u": "yz", "v": "xz", "w": "xy"}
    for first in range(0, len(FORMULAS), 3):
        part = (FORMULAS[first:] + FORMULAS)[:3]
        text = {c: re.sub(r"\b([ab])\b", lambda m, c=c: others[c]["ab".index(m[1])], f[0])
                for c, f in zip("uvw", part)}  # fmt: skip
        got, faces = fields(kolmo.run(kc.merge(START, {"initial": dict(text, type="formula")})))
        for d, (c, formula) in enumerate(zip("uvw", part)):
            at = points(faces, d)
            names = dict(ONE, **TWO, pi=np.pi, a=at[others[c][0]], b=at[others[c][1]])
            wanted = eval(formula[1], {"__builtins__": {}}, names)  # pylint: disable=eval-used
            scale = np.abs(wanted).max() or 1.0
            check.below(f"{text[c]}", np.abs(got[c] - wanted).max() / scale, 1e-13)


def faults_test(kolmo, check):
    """Each fault has its column, in the file and in --set."""
    for first in range(0, len(FAULTS), 3):
        part = dict(zip("uvw", FAULTS[first : first + 3]))
        formulas = {c: fault[0] for c, fault in part.items()}
        result = kolmo.run(kc.merge(START, {"initial": dict(formulas, type="formula")}), rc=2)
        line = open(os.path.join(result.folder, "case.nml"), encoding="utf-8").read().splitlines()
        for c, (text, column, words) in part.items():
            row = next(n for n, words in enumerate(line, 1) if words.startswith(f"  {c} = "))
            place = f"case.nml:{row}:{len('  w = ') + 1 + column}: error"
            told = next((said for said in result.text.splitlines() if place in said), "")
            check.says(f"{c} = {text[:20]}", told, f"initial.{c}: column {column} of the formula", words)
    case = kc.merge(START, {"initial": {"type": "formula", "u": "sin(y)"}})
    result = kolmo.run(case, "--set", "initial.u=cos(", rc=2)
    check.says("--set", result.text, "column 5 of the formula")
    for change, words in (
        ({"type": "formula"}, "needs a formula"),
        ({"type": "uniform", "u": "x"}, "initial.u has no effect"),
        ({"type": "formula", "u": "log(x)"}, "initial.u is -nan at x = -0.5"),
        ({"type": "formula", "v": "1/(x - x)"}, ": error: initial.v is inf at"),
        ({"type": "formula", "w": "-1e70*(x + 2)"}, "error: initial.w is -"),
        ({"type": "formula", "u": "x", "file": "a.h5"}, "initial.file has no effect"),
        ({"type": "file"}, "needs initial.file"),
    ):
        result = kolmo.run(kc.merge(START, {"initial": change}), rc=2)
        check.says(str(change), result.text.replace("is nan", "is -nan"), words)


def solenoidal(faces, walls):
    """u, v, w of a vector potential on the edges: divergence-free on the grid, nothing through walls."""
    length = [f[-1] - f[0] for f in faces]
    phase = [2 * np.pi * (f - f[0]) / n for f, n in zip(faces, length)]
    z, y, x = np.meshgrid(phase[2], phase[1], phase[0], indexing="ij")
    shape = np.sin(z / 2) ** 2 if walls else np.cos(z)
    potential = np.sin(x + 0.3) * np.cos(y - 0.2) * shape  # on edges along z
    dx, dy = (np.diff(f) for f in faces[:2])
    u = np.diff(potential, axis=1)[:, :, :-1] / dy[None, :, None]
    v = -np.diff(potential, axis=2)[:, :-1, :] / dx[None, None, :]
    middle = 0.5 * (u[1:] + u[:-1]), 0.5 * (v[1:] + v[:-1])
    return middle[0], middle[1], 0 * middle[0]


def grid_faces(kolmo, case):
    """Of a run with this case."""
    return fields(kolmo.run(kc.merge(case, {"initial": {"type": "rest"}})))[1]


def same_grid_test(kolmo, check):
    """Values on faces of the same grid are taken as they are, in both precisions, on any ranks."""
    for words, case in (("periodic", START), ("walls", kc.merge(START, WALLS))):
        faces = grid_faces(kolmo, case)
        parts = dict(zip("uvw", solenoidal(faces, words == "walls")))
        path = os.path.join(kolmo.place(), "flow.h5")
        package.write_flow(path, **parts, faces=faces)
        file_case = kc.merge(case, {"initial": {"type": "file", "file": path}})
        result = kolmo.run(file_case)
        got = fields(result)[0]
        check.same(
            f"{words}: values of the file", [n for n in "uvw" if not np.array_equal(got[n], parts[n])]
        )
        check.says(
            f"{words}: log",
            result.out,
            "initial flow from",
            "on faces of 12 x 10 x 8 cells",
            "given",
            "projected",
        )
        for ranks, layout in ((2, (1, 1, 2)), (4, (2, 2, 1))):
            other = fields(kolmo.run(kc.merge(file_case, {"grid": {"ranks": layout}}), ranks=ranks))[0]
            check.same(
                f"{words}: {ranks} ranks", [n for n in "uvw" if not np.array_equal(got[n], other[n])]
            )
    narrow = {n: v.astype(np.float32) for n, v in parts.items()}
    package.write_flow(path, **narrow)
    got = fields(kolmo.run(file_case))[0]
    check.below(
        "single precision, no grid in the file", max(np.abs(got[n] - narrow[n]).max() for n in "uvw"), 2e-6
    )


def own_files_test(kolmo, check):
    """Checkpoints and field files of another run."""
    case = kc.merge(START, WALLS, {"run": {"steps_max": 3}, "initial": {"type": "channel"},
                                   "checkpoint": {"at_end": True}})  # fmt: skip
    first = kolmo.run(case)
    for name in ("checkpoint_00000003.h5", "fields_00000003.h5"):
        path = os.path.join(first.folder, name)
        got = fields(kolmo.run(kc.merge(START, WALLS, {"initial": {"type": "file", "file": path}})))[0]
        with h5py.File(path, "r") as file:
            group = file.get("fields", file)
            wanted = {n: group[n][...] for n in "uvw"}
        check.below(
            f"{name}: what the projection changes",
            max(np.abs(got[n] - wanted[n]).max() for n in "uvw"),
            1e-6,
        )


def smooth(at, walls):
    """A divergence-free flow, u, v, w at points of a component (phases of x, y, z)."""
    x, y, z = at["x"], at["y"], at["z"]
    if not walls:
        return np.sin(x) * np.cos(y) * np.cos(z), -np.cos(x) * np.sin(y) * np.cos(z), np.cos(x + y)
    g, slope = np.sin(z / 2) ** 2, np.sin(z / 2) * np.cos(
        z / 2
    )  # no flow through z = 0, 2 pi; slope = dg/dz
    return slope * np.cos(x), 0 * x + np.cos(x) * g, g * np.sin(x)


def interpolation_test(kolmo, check):
    """From files of other grids: the error falls as the square of the spacings, or faster.

    Both grids differ in all directions, and both are refined. The box has the sides 2 pi."""
    for walls in (False, True):
        for places in ("faces", "centres"):
            errors = []
            for fine in (1, 2):
                n, theirs = (20 * fine, 18 * fine, 14 * fine), (12 * fine, 14 * fine, 16 * fine)
                box = {"grid": {"n": n, "length": kc.CUBE, "origin": (0.0, 0.0, 0.0)}}
                case = kc.merge(START, box, WALLS if walls else {}, {"pressure": {"tolerance": 1e-9}})
                faces = [np.linspace(0, 2 * np.pi, m + 1) for m in theirs]
                faces[2] = faces[2] - 0.1 * np.sin(faces[2])
                path = os.path.join(kolmo.place(), "flow.h5")
                if places == "faces":
                    parts = {c: smooth(points(faces, d), walls)[d] for d, c in enumerate("uvw")}
                    package.write_flow(path, **parts, faces=faces)
                else:
                    centred = np.stack(smooth(points(faces, -1), walls), axis=-1)
                    package.write_flow(path, centred, faces=faces)
                result = kolmo.run(kc.merge(case, {"initial": {"type": "file", "file": path}}))
                got, own = fields(result)
                exact = [smooth(points(own, d), walls)[d] for d in range(3)]
                errors.append(max(np.sqrt(np.mean((got[c] - e) ** 2)) for c, e in zip("uvw", exact)))
            words = f"{'walls' if walls else 'periodic'}, {places}: errors {errors[0]:.1e}, {errors[1]:.1e}"
            check.above(words + ", order", np.log2(errors[0] / errors[1]), 1.8)
            check.below(words + ", the last", errors[1], 0.005)
            check.says("    log", result.out, "24 x 28 x 32 cells, interpolated")


def projection_test(kolmo, check):
    """A gradient on top of a divergence-free flow is taken away, and the log tells of its energy."""
    faces = grid_faces(kolmo, START)
    keep = solenoidal(faces, False)
    length = [f[-1] - f[0] for f in faces]
    centre = points(faces, -1)
    potential = sum(np.sin(2 * np.pi * centre[d] / n) for d, n in zip("xyz", length))
    added = [(potential - np.roll(potential, 1, axis=2 - d)) / np.diff(f)[0] for d, f in enumerate(faces)]
    path = os.path.join(kolmo.place(), "flow.h5")
    package.write_flow(path, **{c: k + a for c, k, a in zip("uvw", keep, added)}, faces=faces)
    case = {"initial": {"type": "file", "file": path}, "pressure": {"tolerance": 1e-10}}
    result = kolmo.run(kc.merge(START, case))
    got = fields(result)[0]
    check.below("the gradient is gone", max(np.abs(got[c] - k).max() for c, k in zip("uvw", keep)), 1e-9)
    told = re.search(r"energy (\S+) given, (\S+) projected \((\S+) %\)", result.out)
    energy = [
        0.5 * sum(np.mean(v**2) for v in flow) for flow in ([k + a for k, a in zip(keep, added)], keep)
    ]
    check.below("energy given", abs(float(told[1]) / energy[0] - 1), 1e-8)
    check.below("energy projected", abs(float(told[2]) / energy[1] - 1), 1e-8)
    check.below("its change", abs(float(told[3]) / (100 * (energy[1] / energy[0] - 1)) - 1), 1e-2)


def refused_test(kolmo, check):
    """Files that do not fit, with exit code 2 or 4 and numbers."""
    place = kolmo.place()
    path = os.path.join(place, "flow.h5")
    faces = [
        np.linspace(o, o + n, m + 1) for o, n, m in zip((-0.5, 0.25, 0.5), (2.0, 3.0, 4.0), (12, 10, 8))
    ]
    flow = np.zeros((8, 10, 12, 3))
    case = kc.merge(START, {"initial": {"type": "file", "file": path}})

    def spoil(change):
        package.write_flow(path, flow, faces=faces)
        with h5py.File(path, "r+") as file:
            change(file)

    def says(words, *parts, rc=2, case=case):
        result = kolmo.run(case, rc=rc)
        check.says(words, result.text, *parts)
        (
            check.says(words + " (--check)", kolmo.run(case, "--check", rc=None).text, parts[0])
            if rc == 2
            else None
        )

    says("no file", "flow.h5", "can't be read", "give the name of an existing file", "initial.file")
    with open(path, "w", encoding="ascii") as file:
        file.write("no HDF5")
    says("no HDF5", "flow.h5", rc=4)
    package.write_flow(path, flow[:, :, :6])
    says("other sizes without a grid", "6 cells in x", "this run has 12")
    package.write_flow(path, flow, faces=[2 * faces[0], faces[1], faces[2]])
    says("another box", "from -1 to 3 in x", "from -0.5 to 1.5")
    spoil(lambda file: file.attrs.create("format", np.bytes_("kolmo-planes")))
    says("another kind of file", "kolmo-planes")
    spoil(lambda file: file.move("velocity", "u"))
    says("no v", "'v'")
    open_case = kc.merge(
        case, {"boundary": {"x_low": "inflow", "x_low_velocity": (1.0, 0.0, 0.0), "x_high": "outflow"}}
    )
    package.write_flow(path, flow[:, :, ::2], faces=[faces[0][::2], faces[1], faces[2]])
    says("another grid with open faces", "6 x 10 x 8", "inflows or outflows", case=open_case)
    package.write_flow(path, flow + [1.0, 0.0, 0.0], faces=faces)
    kolmo.run(open_case)
    check.holds("the same grid with open faces", True)

    def no_number(file):
        file["velocity"][3, 2, 1, 1] = np.nan
        del file["velocity"].attrs["hash"]

    spoil(no_number)
    check.says("a value that is none", kolmo.run(case, rc=2).text, "component v", "is nan in plane 3")

    def no_speed(file):
        file["velocity"][3, 2, 1, 1] = 1e70
        del file["velocity"].attrs["hash"]

    spoil(no_speed)
    check.says("too fast", kolmo.run(case, rc=2).text, "component v", "e+", "too fast for")

    def other_value(file):
        file["velocity"][3, 2, 1, 1] = 1.0

    spoil(other_value)
    check.says("a value that differs from the hash", kolmo.run(case, rc=4).text, "hash")


def recipe_test(kolmo, check):
    """The lines of docs/own-flows.md write a file that a run starts from."""
    with open(DOCS, encoding="utf-8") as file:
        recipe = re.search(r"```python\n(.*?)```", file.read(), re.DOTALL)[1]
    place = kolmo.place()
    subprocess.run([sys.executable, "-c", recipe], cwd=place, check=True, timeout=60)
    case = kc.merge(START, {"grid": {"n": (16, 16, 16), "length": kc.CUBE, "origin": (0.0, 0.0, 0.0)},
                            "initial": {"type": "file", "file": os.path.join(place, "flow.h5")}})  # fmt: skip
    got, faces = fields(kolmo.run(case))
    check.below("u = cos y", np.abs(got["u"] - np.cos(points(faces, 0)["y"])).max(), 0.01)
    check.below("w = sin x", np.abs(got["w"] - np.sin(points(faces, 2)["x"])).max(), 0.01)
    cube = np.zeros((2, 2, 2))
    for wrong in (
        {"velocity": cube},
        {"u": cube},
        {"velocity": np.full((2, 2, 2, 3), np.inf)},
        {"velocity": np.zeros((2, 2, 2, 3)), "faces": [[0, 1, 2]] * 2 + [[0, 1]]},
        {"velocity": np.zeros((2, 2, 2, 3)), "scalars": {"dye": np.zeros((2, 2, 3))}},
        {"velocity": np.zeros((2, 2, 2, 3)), "scalars": {"dye": cube * np.nan}},
        {"velocity": np.zeros((2, 2, 2, 3)), "scalars": {"u": cube}},
    ):
        try:
            package.write_flow(os.path.join(place, "wrong.h5"), **wrong)
            check.fail(f"write_flow accepts {list(wrong)}")
        except ValueError as error:
            check.holds(f"write_flow refuses: {error}", True)


def scalars_test(kolmo, check):
    """Scalars by formulas: values at the centres, on any ranks; against the initial state that other inputs
    make, with buoyancy; what is refused."""
    heat = {"name": ("heat", "dye"), "prandtl": (0.7, 0.7), "initial": ("uniform", "formula"),
            "disturbance": (0.0, 0.25), "waves": (0, 0, 0, 1, 0, 0),
            "initial_formula": ("", "exp(-(x - 0.3)^2)*sin(2*pi*y/ly) + z*nu - t0")}  # fmt: skip
    case = kc.merge(START, WALLS, {"initial": {"type": "rest"}, "scalars": heat})
    values = []
    for ranks, layout in ((1, (1, 1, 1)), (4, (2, 2, 1)), (2, (1, 1, 2))):
        run = kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=ranks)
        with h5py.File(os.path.join(run.folder, "fields_00000000.h5"), "r") as file:
            values.append(file["dye"][...])
            faces = [file[f"grid/{d}_face"][...] for d in "xyz"]
            check.equal("the scalar without a formula", float(abs(file["heat"][...]).max()), 0.0)
        check.equal(f"ranks {layout}: the same bits", np.array_equal(values[0], values[-1]), True)
    at = points(faces, -1)
    wanted = np.exp(-((at["x"] - 0.3) ** 2)) * np.sin(2 * np.pi * at["y"] / 3.0) + at["z"] * 0.05
    wanted += 0.25 * np.cos(2 * np.pi * (at["x"] + 0.5) / 2.0)
    check.below("formula and disturbance", abs(values[0] - wanted).max(), 1e-14)
    warm = {"run": {"steps_max": 8}, "initial": {"type": "rest"}, "time": {"dt": 0.02},
            "buoyancy": {"gravity": (0.0, -2.0, 0.0), "expansion": 0.5, "reference": 1.25}}
    seen = []
    for scalar in ({"initial_value": 1.5, "disturbance": 0.25, "waves": (1, 0, 0)},
                   {"initial": "formula", "initial_formula": "1.5 + 0.25*cos(2*pi*(x + 0.5)/lx)"}):
        run = kolmo.run(kc.merge(START, warm, {"scalars": dict(scalar, name="heat", prandtl=0.7)}))
        seen.append(run.series())
    for name in ("kinetic_energy", "heat_variance", "buoyancy_work"):
        check.above(f"{name} of both", float(abs(seen[0][name][-1])), 1e-8)
        check.below("    differ by", abs(seen[0][name][-1] / seen[1][name][-1] - 1), 1e-6)
    for change, words in (
        ({"initial": "formula"}, "'formula' needs a formula"),
        ({"initial": "uniform", "initial_formula": "x"},
         "scalars.initial_formula(1) has no effect with scalars.initial(1) = 'uniform'"),
        ({"initial_formula": "x", "initial_value": 1.0}, "initial_value(1) has no effect"),
        ({"initial_formula": "sin(x"}, "column 6 of the formula"),
        ({"initial_formula": "x*t"}, "column 3 of the formula"),
        ({"initial_formula": "1/(x - x)"}, ": error: scalars.initial_formula(1) is inf at x = "),
    ):  # fmt: skip
        scalar = {"name": "heat", "prandtl": 0.7, "initial": "formula", **change}
        check.says(str(change), kolmo.run(kc.merge(START, {"scalars": scalar}), rc=2).text, words)
    scalar = {"name": "heat", "prandtl": 0.7, "initial": "formula", "initial_formula": "x"}
    case = kc.merge(START, warm, {"scalars": scalar, "buoyancy": {"reference": None}})
    check.says("buoyancy without a reference", kolmo.run(case, rc=2).text, "needs buoyancy.reference(1)")


def means_on(old, new, values, axis, periodic):
    """Means of the new cells along an axis: the integral, by the cubic through the four nearest old faces."""
    values = np.moveaxis(values, axis, -1)
    integral = np.concatenate([0 * values[..., :1], np.cumsum(values * np.diff(old), axis=-1)], axis=-1)
    if periodic:
        length, whole = old[-1] - old[0], integral[..., -1:]
        old = np.concatenate([old[:-1] - length, old, old[1:] + length])
        integral = np.concatenate([integral[..., :-1] - whole, integral, integral[..., 1:] + whole], axis=-1)
    at_new = []
    for x in new:
        first = int(np.clip(np.searchsorted(old, x, side="right") - 2, 0, old.size - 4))
        near = old[first : first + 4]
        weight = [np.prod([(x - b) / (a - b) for b in near if b != a]) for a in near]
        at_new.append(integral[..., first : first + 4] @ np.array(weight))
    return np.moveaxis(np.diff(np.stack(at_new, axis=-1), axis=-1) / np.diff(new), -1, axis)


def scalars_of_file_test(kolmo, check):
    """Scalars of the file: values of this grid bit for bit, those of another by the interpolation in numpy,
    in both precisions, on any ranks; what the file lacks or has besides; what is refused."""
    path = os.path.join(kolmo.place(), "flow.h5")
    three = {"name": ("dye", "heat", "salt"), "prandtl": (0.7, 0.7, 0.7), "initial_value": (0.0, 0.75, 0.0),
             "disturbance": (0.0, 0.0, 0.25), "waves": (0, 0, 0, 0, 0, 0, 1, 0, 0)}  # fmt: skip
    case = kc.merge(START, WALLS, {"initial": {"type": "file", "file": path}, "scalars": three})
    own = grid_faces(kolmo, kc.merge(START, WALLS))

    def write(faces, **scalars):
        shape = tuple(f.size - 1 for f in faces[::-1])
        package.write_flow(path, np.zeros(shape + (3,)), faces=faces, scalars=scalars)
        return shape

    def written(result):
        with h5py.File(os.path.join(result.folder, "fields_00000000.h5"), "r") as file:
            return {name: file[name][...] for name in three["name"]}

    random = np.random.default_rng(3)
    dye, salt = random.random((2, 8, 10, 12))
    write(own, dye=dye, salt=salt.astype(np.float32), oil=dye)
    result = kolmo.run(case)
    got, wave = written(result), 0.25 * np.cos(2 * np.pi * (points(own, -1)["x"] + 0.5) / 2.0)
    check.holds("this grid: values of the file", np.array_equal(got["dye"], dye.astype(got["dye"].dtype)))
    check.below("    in single precision, with a disturbance",
                float(abs(got["salt"] - salt.astype(np.float32) - wave).max()), 1e-6)  # fmt: skip
    check.equal("    a scalar that the file lacks", [got["heat"].min(), got["heat"].max()], [0.75, 0.75])
    words = ("the scalar heat is not in", "begins as &scalars says", "not read in", "'oil'")
    check.says("    the log", result.out, *words, "the scalar dye begins from", "from %.6g to" % dye.min())
    check.says("    --check", kolmo.run(case, "--check").text, *words, "the scalar dye begins from")
    write(own, dye=1e4 * dye, heat=1e-5 * dye)
    large = {"time": {"diffusion": "implicit"},
             "scalars": {"z_low": ("none", "value"), "z_low_value": (0.0, 1.0)}}
    told = "time.diffusion_tolerance of the scalar "
    text = kolmo.run(kc.merge(case, large)).text
    check.says("implicit diffusion of values that the input does not expect", text,
               f"warning: {told}dye is relative to 1, far from these values; set scalars.initial_value(1) to "
               "about 1e+04")  # fmt: skip
    check.holds("    small ones beside a wall with a value", told + "heat" not in text)
    text = kolmo.run(kc.merge(case, large, {"scalars": {"initial_value": (1e4, 0.75, 0.0)}})).text
    check.holds("    with what the warning says", told not in text)
    faces = [np.linspace(-0.5, 1.5, 16), np.linspace(0.25, 3.25, 8), np.linspace(0, 1, 15) ** 1.2 * 4 + 0.5]
    dye = random.random(write(faces, dye=random.random((14, 7, 15))))
    write(faces, dye=dye, heat=dye.astype(np.float32))
    wanted = dye
    for d in range(3):
        wanted = means_on(faces[d], own[d], wanted, 2 - d, d < 2)
    one = written(kolmo.run(case))
    rounding = 1e-6 if kolmo.options.real == "float" else 1e-13
    check.below("another grid: against numpy", float(abs(one["dye"] - wanted).max()), rounding)
    check.below("    in single precision", float(abs(one["heat"] - wanted).max()), 1e-6)
    for ranks, layout in ((2, (1, 1, 2)), (4, (2, 2, 1))):
        other = written(kolmo.run(kc.merge(case, {"grid": {"ranks": layout}}), ranks=ranks))
        check.same(f"    {ranks} ranks", [n for n in one if not np.array_equal(one[n], other[n])])
    first = kolmo.run(kc.merge(case, {"run": {"steps_max": 2}, "checkpoint": {"at_end": True}}))
    with h5py.File(kc.checkpoint_path(first.folder, 2), "r") as file:
        kept = {n: file[f"fields/{n}"][...] for n in one}
    still = {"disturbance": None, "waves": None}
    own_file = kc.checkpoint_path(first.folder, 2)
    again = kc.merge(case, {"initial": {"file": own_file}, "scalars": still})
    other = written(kolmo.run(again))
    check.same("a checkpoint of this grid", [n for n in one if not np.array_equal(kept[n], other[n])])
    refused_scalars(kolmo, check, case, path)


def refused_scalars(kolmo, check, case, path):
    """Scalars of a file that do not fit, with the file, the array and its sizes."""
    own = grid_faces(kolmo, kc.merge(START, WALLS))

    def spoiled(change):
        dye = np.zeros((8, 10, 12))
        package.write_flow(path, np.zeros(dye.shape + (3,)), faces=own, scalars={"dye": dye})
        with h5py.File(path, "r+") as file:
            change(file)

    def other_sizes(file):
        del file["dye"]
        file["dye"] = np.zeros((8, 10, 11))

    def no_number(file):
        file["dye"][3, 2, 1] = np.nan
        del file["dye"].attrs["hash"]

    def other_unit(file):
        file["dye"].attrs["unit"] = np.bytes_("K")

    def other_value(file):
        file["dye"][3, 2, 1] = 1.0

    for change, rc, words in ((other_sizes, 2, ("flow.h5", "the scalar 'dye' is (8, 10, 11)", "(8, 10, 12)")),
                              (no_number, 2, ("flow.h5", "the scalar 'dye' is nan in plane 3")),
                              (other_unit, 2, ("'dye' is 'K'", "scalars.unit(1) = '1'")),
                              (other_value, 4, ("dye' differs from its hash",))):  # fmt: skip
        spoiled(change)
        check.says(change.__name__, kolmo.run(case, rc=rc).text, *words)
    spoiled(lambda file: None)
    warm = {"buoyancy": {"gravity": (0.0, -2.0, 0.0), "expansion": 0.5}}
    formula = {"scalars": {"initial": "formula", "initial_formula": "x", "initial_value": 0.0}}
    for changes, words in (
        ((formula,), "scalars.initial(1) has no effect"),
        ((warm,), "add buoyancy.reference(1)"),
        ((warm, {"buoyancy": {"reference": 0.5}, "time": {"dt": None}}), "set time.dt"),
    ):
        result = kolmo.run(kc.merge(case, *changes), rc=2)
        check.says(str(changes), result.text, words, "'dye'")


if __name__ == "__main__":
    kc.main(__doc__, [formulas_test, faults_test, same_grid_test, own_files_test, interpolation_test,
                      projection_test, refused_test, recipe_test, scalars_test,
                      scalars_of_file_test])  # fmt: skip

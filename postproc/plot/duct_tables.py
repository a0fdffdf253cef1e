"""Tables of laminar flow in rectangular ducts, and what a run has of them: f Re and the largest velocity over
the mean one."""
import numpy as np

from report_parts import Unreadable

WORDS = {"u_max_over_U": "largest velocity over the mean", "fRe_Darcy": "f Re, Darcy",
         "fRe_Fanning": "f Re, Fanning"}
SAME_ASPECT = 0.01  # of the sides of the run and of a row, that are compared


def known(names):
    """Whether these columns are such a table's."""
    return "aspect" in names and bool(set(WORDS) & set(names))


def read(rows, names):
    """Its rows: the ratio of the sides and the numbers beside it."""
    return [{n: r.number(n) for n in names if n == "aspect" or n in WORDS} for r in rows]


def duct_of(statistics):
    """Aspect and numbers of averages over a section of four walls without slip, along which the flow goes;
    None where they are others."""
    if statistics is None or "friction_factor" not in statistics["values"]:
        return None
    v, words = statistics["values"], statistics["words"]
    along = words["homogeneous_direction"]
    sides = sorted(float(v[d + "_face"][-1] - v[d + "_face"][0]) for d in "xyz" if d != along)
    # the hydraulic diameter, if all four have friction
    walls = 2 * sides[0] * sides[1] / (sides[0] + sides[1])
    if words.get("streamwise_direction") != along or not abs(float(v["hydraulic_diameter"])
                                                             - walls) < 1e-9 * walls:
        return None
    darcy = float(v["friction_factor"] * v["Re_b"])
    u, of_walls = v["UVW"["xyz".index(along)]], v["u_b"]
    y, z = (np.diff(v[d + "_face"]) for d in "xyz" if d != along)
    frame = float((u * np.outer(z, y)).sum() / np.outer(z, y).sum() - of_walls)  # velocity of the walls
    return {"aspect": sides[1] / sides[0], "fRe_Darcy": darcy, "fRe_Fanning": 0.25 * darcy,
            "u_max_over_U": float(np.max((u - frame) / of_walls))}


def judge(duct, table, verdicts):
    """Numbers of the row of the same sides; how many."""
    near = [r for r in table["ducts"] if abs(r["aspect"] - duct["aspect"]) <= SAME_ASPECT * duct["aspect"]]
    if not near:
        raise Unreadable(f"table {table['name']}: none of its ducts has sides of the ratio of the run's, "
                         f"{duct['aspect']:.4g}")
    wanted = {n: near[0][n] for n in WORDS if near[0].get(n, np.nan) > 0}
    for name, value in wanted.items():
        verdicts.add(WORDS[name], table["name"], abs(duct[name] / value - 1), "duct")
    return len(wanted)

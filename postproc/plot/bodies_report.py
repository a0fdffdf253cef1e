"""Bodies in the report: forces, their parts, torques and paths in time, from bodies.nc; the bodies in the
flow, from the newest file of fields."""
import os

import numpy as np
from kolmo.guarded import in_child, opened
from kolmo.plots import line_style as style
from kolmo.plots import plane_picture
from kolmo.snapshots import find
from report_page import axes
from report_parts import Unreadable

FEW = 6  # bodies that have lines of their own in a figure
LISTED = 12  # bodies in the table
PARTS = (("pressure", "pressure"), ("viscous", "friction"), ("convective", "convection"),
         ("opening", "faces that open or close"))
SMALL = 1e-6  # of the largest force: a component below it is rounding
EARLY = 0.05  # of the time, in which a sudden start makes a force that is not drawn
SOLID = "#555555"


def chosen(v, kind):
    """Directions in which a vector over the bodies is more than rounding."""
    most = [float(np.nanmax(np.abs(v[f"{kind}_{d}"]), initial=0.0)) for d in "xyz"]
    return [d for d, m in zip("xyz", most) if m > SMALL * max(*most, 1e-300)]


def in_time(page, v, label):
    """A panel over the time."""
    return axes(page, "$t\\;[L/U]$", label, xlim=(float(v["time"][0]), float(v["time"][-1])))


def bound(axis, v, found):
    """Limits that the first instants do not decide."""
    late = v["time"] >= v["time"][0] + EARLY * np.ptp(v["time"])
    low, high = (float(f(f(y[late]) for y in found)) for f in (min, max))
    if np.isfinite([low, high]).all() and high > low:
        axis.set_ylim(low - 0.1 * (high - low), high + 0.1 * (high - low))


def draw_vectors(page, v, kind, name, unit, words):
    """Force or torque on each body, or their sum and range where there are many."""
    count = v[kind + "_x"].shape[1]
    for d in chosen(v, kind):
        values = v[f"{kind}_{d}"]
        figure, axis = in_time(page, v, f"{name}$_{d}$ [${unit}$]")
        if count <= FEW:
            found = [values[:, n] for n in range(count)]
            for n, y in enumerate(found):
                axis.plot(v["time"], y, label=f"body {n + 1}", **style(n))
            told = ""
        else:
            found = [values.min(axis=1), values.mean(axis=1), values.max(axis=1)]
            axis.plot(v["time"], found[1], label=f"mean of {count} bodies", **style(0))
            axis.fill_between(v["time"], found[0], found[2], color=style(0)["color"], alpha=0.2, lw=0)
            told = " The band has the least and the largest one."
        bound(axis, v, found)
        page.add(figure, f"bodies_{kind}_{d}", f"{words} along {d}.{told}")


def draw_parts(page, v):
    """What makes the force on all bodies, along the direction of the largest one."""
    mean = {d: float(np.abs(v[f"force_{d}"].sum(axis=1)).mean()) for d in "xyz"}
    d = max(mean, key=mean.get)
    lines = [("force", v[f"force_{d}"].sum(axis=1))]
    lines += [(words, v[f"{part}_{d}"].sum(axis=1)) for part, words in PARTS
              if f"{part}_{d}" in v and np.any(v[f"{part}_{d}"])]
    figure, axis = in_time(page, v, f"force$_{d}$ [$U^2 L^2$]")
    for n, (words, values) in enumerate(lines):
        axis.plot(v["time"], values, label=words, **style(n))
    bound(axis, v, [values for _, values in lines])
    drive = np.any(v.get("drive_" + d, 0))
    page.add(figure, "bodies_parts", f"Force on all bodies along {d}, and its parts."
             + (" The drive's force on their volume, drive_" + d + ", is not among them." if drive else ""))


def draw_paths(page, v):
    """Where bodies that move are, from where they were at first."""
    for d in "xyz":
        place = v[f"position_{d}"] if f"position_{d}" in v else np.zeros((1, 1))
        moved = np.flatnonzero(np.nan_to_num(np.ptp(place, axis=0)) > 0)[:FEW]
        if moved.size == 0:
            continue
        figure, axis = in_time(page, v, f"${d}$ [$L$]")
        for n, body in enumerate(moved):
            axis.plot(v["time"], place[:, body], label=f"body {body + 1}", **style(n))
        page.add(figure, f"bodies_position_{d}", f"Centres of bodies that move, along {d}."
                 + (" The first six." if moved.size == FEW else ""))


def table(page, v):
    """Means and standard deviations over the second half of the time."""
    late = v["time"] >= 0.5 * (v["time"][0] + v["time"][-1])
    count, directions = v["force_x"].shape[1], chosen(v, "force")
    if not directions or late.sum() < 2:
        return
    rows = []
    for n in range(min(count, LISTED)):
        row = [str(n + 1)]
        for d in directions:
            values = v[f"force_{d}"][late, n]
            row += [f"{values.mean():.6g}", f"{values.std():.2g}"]
            if f"coefficient_{d}" in v:
                row.append(f"{v[f'coefficient_{d}'][late, n].mean():.5g}")
        rows.append(row)
    more = ("mean coefficient",) if "coefficient_x" in v else ()
    head = ["body"] + [f"{w}, {d}" for d in directions for w in ("mean force", "its rms fluctuation") + more]
    page.words(f"Over the second half of the time, t = {v['time'][late][0]:.6g} to {v['time'][-1]:.6g}"
               + (f"; {LISTED} of {count} bodies:" if count > LISTED else ":"))
    page.table(head, rows, name="bodies")


# ---- the bodies in the flow --------------------------------------------------------------------------------

@in_child
def planes_of(path, centre):
    """Of a file of fields: time, faces, and in the planes through a point speed and level set by direction;
    None where it has no level set."""
    with opened(path) as file:
        if "level_set" not in file or not {"velocity"} & set(file):
            return None
        faces = [np.asarray(file[f"grid/{d}_face"][...], dtype=float) for d in "xyz"]
        planes = {}
        for d in range(3):
            if any(faces[o].size < 4 for o in range(3) if o != d):
                continue  # of one or two cells in a direction there is nothing to see
            inside = faces[d][0] + (centre[d] - faces[d][0]) % np.ptp(faces[d])
            cell = int(np.clip(np.searchsorted(faces[d], inside, "right") - 1, 0, faces[d].size - 2))
            place = tuple(cell if o == 2 - d else slice(None) for o in range(3))
            speed = np.sqrt((np.asarray(file["velocity"][place], dtype=float) ** 2).sum(axis=-1))
            planes[d] = (0.5 * (faces[d][cell] + faces[d][cell + 1]), speed,
                         np.asarray(file["level_set"][place], dtype=float))
        return {"time": float(file.attrs["time"]), "faces": faces, "planes": planes}


def draw_flow(page, folder, v):
    """Speed and bodies in the planes through the first body."""
    files = find(folder).get("fields", {})
    found = None
    if files:
        centre = [float(v[f"position_{d}"][-1, 0]) if f"position_{d}" in v else float(v[d][0])
                  for d in "xyz"]
        found = planes_of(files[max(files)], centre)
    if found is None:
        page.words("The bodies are drawn where the run has written fields with them: "
                   "output.field_interval_time and output.fields_bodies.")
        return
    for d, (place, speed, level) in found["planes"].items():
        a, b = (o for o in range(3) if o != d)
        figure, axis = axes(page, "", "")
        fluid = np.where(level > 0, speed, np.nan)
        if not np.isfinite(fluid).any():
            page.plt.close(figure)
            continue
        faces = (found["faces"][a], found["faces"][b])
        plane_picture(axis, faces, "xyz"[a] + "xyz"[b], speed, "velocity",
                      (0.0, float(np.nanquantile(fluid, 0.998)) or 1.0), None)
        middles = [0.5 * (f[1:] + f[:-1]) for f in faces]
        if (level < 0).any():
            axis.contourf(*middles, level, [-1e300, 0.0], colors=[SOLID])
        page.add(figure, f"bodies_{'xyz'[d]}",
                 f"Bodies and speed at {'xyz'[d]} = {place:.5g}, t = {found['time']:.5g}.", vector=False)


def draw(page, run):
    """The section of the page."""
    v = run.bodies["values"]
    if "force_x" not in v or v["force_x"].ndim != 2:
        raise Unreadable(f"{os.path.join(run.folder, 'bodies.nc')}: it has no forces over records and bodies")
    page.heading("Bodies")
    if v["time"].size > 1:
        draw_vectors(page, v, "force", "force", "U^2 L^2", "Force of the fluid on the bodies")
        if "coefficient_x" in v:
            draw_vectors(page, v, "coefficient", "coefficient", "1", "Coefficient 2 F/(A U^2) of the bodies")
        draw_parts(page, v)
        draw_vectors(page, v, "torque", "torque", "U^2 L^3", "Torque of the fluid about the bodies' centres,")
        draw_paths(page, v)
        table(page, v)
    draw_flow(page, run.folder, v)

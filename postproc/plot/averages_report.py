"""Pictures of averages.h5, the averages over time in every cell: the middle planes of the means."""
import os

import h5py
import numpy as np
from kolmo.guarded import in_child, opened, regular
from kolmo.plots import plane_picture, signed
from report_page import axes
from report_parts import Unreadable, text_of

# array, component or None for the magnitude of a vector, what is drawn
PICTURES = (("velocity", None, "magnitude of the mean velocity"), ("velocity", "x", "mean velocity along x"),
            ("pressure", None, "mean pressure"), ("k", None, "turbulent kinetic energy"))


@in_child
def read(path):
    """Numbers and texts of the file, and the middle planes of what is drawn: values[second, first], faces of
    both directions, the letter and the place of the normal direction."""
    try:
        with opened(path) as file:
            faces = [np.asarray(file[f"grid/{d}_face"][...], dtype=float) for d in "xyz"]
            scalars = tuple((n, None, f"mean {n}") for n in sorted(file) if f"{n}_variance" in file
                            and f"{n}_u" in file)
            planes = {(name, component, d): plane_of(file[name], d, component)
                      for name, component, _ in PICTURES + scalars for d in range(3)}
            return {"numbers": {n: float(v) for n, v in file.attrs.items()
                                if np.issubdtype(np.asarray(v).dtype, np.number) and np.size(v) == 1},
                    "words": {n: text_of(v) for n, v in file["run"].attrs.items()},
                    "faces": faces, "planes": planes, "pictures": PICTURES + scalars}
    except (OSError, KeyError, ValueError, IndexError) as error:
        raise Unreadable(f"{path}: {error}") from None


def plane_of(array, normal, component):
    """The plane of cells in the middle of a direction."""
    if not isinstance(array, h5py.Dataset) or array.ndim not in (3, 4):
        raise ValueError("an array is no field over the cells")
    place = [slice(None)] * 3
    place[2 - normal] = array.shape[2 - normal] // 2
    values = np.asarray(array[tuple(place)], dtype=float)
    if array.ndim == 3:
        return values
    return values[..., "xyz".index(component)] if component else np.sqrt((values**2).sum(axis=-1))


def averages_of(folder):
    """What is drawn of the averages in a folder; None if there are none."""
    path = os.path.join(folder, "averages.h5")
    return read(path) if regular(path) else None


def limits_of(values, has_signs):
    """Of the values but the 0.2 % of the largest; solid cells have none."""
    found = values[np.isfinite(values)]
    if found.size == 0:
        return 0.0, 1.0
    most = float(np.quantile(np.abs(found), 0.998)) or 1.0
    return (-most, most) if has_signs else (min(float(found.min()), 0.0), most)


def draw(page, averages):
    """Adds the pictures to a page. Directions that the averages are taken along have one cell."""
    number, faces = averages["numbers"], averages["faces"]
    page.heading(f"Averages over time, t {number['t_start']:.6g} to {number['t_end']:.6g}")
    several = [d for d in range(3) if faces[d].size > 2]
    for part in averages["pictures"]:
        if len(several) == 1:
            draw_profile(page, averages, part, several[0])
        for normal in range(3):
            if all(d in several for d in range(3) if d != normal):
                draw_plane(page, averages, part, normal)


def named(part):
    """The quantity, as it is called in titles and names of files."""
    return part[0] if part[1] is None else f"{part[0]}.{part[1]}"


def draw_profile(page, averages, part, along):
    """One quantity over the one direction that is left."""
    face = averages["faces"][along]
    values = averages["planes"][part[0], part[1], (along + 1) % 3].ravel()
    figure, axis = axes(page, f"${'xyz'[along]}$", part[2])
    axis.plot(0.5 * (face[1:] + face[:-1]), values, ".-")
    page.add(figure, f"average_{named(part).replace('.', '_')}",
             f"{part[2][0].upper() + part[2][1:]}, {averages['numbers']['n_samples']:.0f} samples.")


def draw_plane(page, averages, part, normal):
    """One quantity in the plane of cells in the middle of a direction."""
    number, faces, quantity = averages["numbers"], averages["faces"], named(part)
    values = averages["planes"][part[0], part[1], normal]
    a, b = (d for d in range(3) if d != normal)
    figure, axis = axes(page, "", "")
    plane_picture(axis, (faces[a], faces[b]), "xyz"[a] + "xyz"[b], values, quantity,
                  limits_of(values, signed(quantity) or bool((values < 0).any())), None)
    where, place = "averaged", f"averaged along {'xyz'[normal]}"
    if faces[normal].size > 2:
        cell = (faces[normal].size - 1) // 2
        middle = 0.5 * (faces[normal][cell] + faces[normal][cell + 1])
        where, place = f"${'xyz'[normal]} = {middle:.5g}$", f"at {'xyz'[normal]} = {middle:.5g}"
    axis.set_title(where)
    page.add(figure, f"average_{quantity.replace('.', '_')}_{'xyz'[normal]}",
             f"{part[2][0].upper() + part[2][1:]} {place}, {number['n_samples']:.0f} samples.", vector=False)

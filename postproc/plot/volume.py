#!/usr/bin/env python3
"""Draws a volume, or a surface of any value, of fields or a box, with VTK and off screen: one PNG.

usage: volume.py [--quantity NAME] [--opacity X] [--limits LOW,HIGH] [--map NAME] [--view A,E] [--pixels N]
                 [--to FILE] FILE.h5
       volume.py --surface NAME [--level X] [--colour NAME] [...] FILE.h5

FILE.h5 is fields_<step>.h5, box_<n>_<step>.h5 or averages.h5. Needs VTK (pip install vtk; Debian:
python3-vtk9) and matplotlib, but no display. isosurface.py draws surfaces of Q and lambda2 without VTK. With
bodies in the file (output.fields_bodies), their surfaces are drawn grey.

  --quantity NAME    what fills the volume (vorticity): velocity (its magnitude), velocity.x, vorticity,
                     vorticity.z, pressure, q, lambda2, the name of a scalar, ... Values near zero, or
                     near the smallest one where all have one sign, can't be seen
  --opacity X        how opaque the largest values are, across a twentieth of the box, from 0 to 1 (0.7)
  --surface NAME     draw a surface of this quantity instead
  --level X          value on the surface. Without this option, it encloses 4 % of the cells
  --colour NAME      quantity that colours the surface. Without this option, it is that of the surface
  --limits LOW,HIGH  values at the ends of the colour map
  --map NAME         colour map of matplotlib
  --view A,E         direction from the box to the eye, in degrees (35,25)
  --pixels N         width of the picture (900)
  --to FILE          write the picture to FILE. Without this option, its name is that of FILE.h5, but ends in
                     _volume.png

Exit codes: 0 drawn; 1 the surface is empty; 2 a file is missing or can't be read, an option is not
understood, or VTK is not installed."""
import importlib.util
import sys

import system_python
system_python.require("volume", __name__)
import numpy as np  # noqa: E402
import isosurface  # noqa: E402
import report_parts  # noqa: E402
import slices  # noqa: E402
from kolmo.plots import label, signed  # noqa: E402
from report_parts import Unreadable, plotter  # noqa: E402

SAMPLES = 300  # along the diagonal
CLEAR = 0.12  # of the largest value: below, a volume can't be seen


def need_vtk():
    """Refuses where VTK is not installed; loads what draws, before anything is made that is drawn."""
    if importlib.util.find_spec("vtkmodules") is None:
        raise Unreadable("no module vtkmodules; install VTK (pip install vtk, or apt install python3-vtk9) "
                         "or draw surfaces of Q with isosurface.py")
    import vtkmodules.vtkRenderingOpenGL2  # noqa: F401  pylint: disable=unused-import
    import vtkmodules.vtkRenderingVolumeOpenGL2  # noqa: F401  pylint: disable=unused-import
    from vtkmodules.vtkCommonCore import vtkLogger

    vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_OFF)  # that there is no display


def held(path, names):
    """Scalars of a file by name, its faces, the time; `level_set` too, if the file has it."""
    with_bodies = "level_set" in slices.names_in(path)
    return isosurface.read(path, set(names) | ({"level_set"} if with_bodies else set()))


def image_of(values, face):
    """An image with points at uniform distances, of values at the centres of cells."""
    from vtkmodules.util.numpy_support import numpy_to_vtk
    from vtkmodules.vtkCommonDataModel import vtkImageData

    out = np.asarray(values, dtype=np.float32)
    sizes = []
    for d in range(3):
        centre, count = (face[d][1:] + face[d][:-1]) / 2, max(face[d].size, 2)
        place = np.interp(np.linspace(face[d][0], face[d][-1], count), centre, np.arange(centre.size))
        low = np.minimum(place.astype(int), max(centre.size - 2, 0))
        share = (place - low).astype(np.float32).reshape([-1 if a == 2 - d else 1 for a in range(3)])
        high = np.minimum(low + 1, centre.size - 1)
        out = out.take(low, 2 - d) * (1 - share) + out.take(high, 2 - d) * share
        sizes.append(count)
    image = vtkImageData()
    image.SetDimensions(*sizes)
    image.SetOrigin(*(float(f[0]) for f in face))
    image.SetSpacing(*(float(f[-1] - f[0]) / (n - 1) for f, n in zip(face, sizes)))
    array = numpy_to_vtk(out.ravel(), deep=1)
    array.SetName("values")
    image.GetPointData().SetScalars(array)
    return image


def unseen(values, value):
    """With this value in the cells that have none, as those of averages in bodies."""
    return np.where(np.isfinite(values), values, value)


def limits_of(values, name, wanted):
    """Ends of the colour map."""
    if wanted:
        return wanted
    low, high = (float(v) for v in np.nanquantile(values, (0.002, 0.998)))
    if signed(name) and low < 0 < high:
        return -max(-low, high), max(-low, high)
    return low, max(high, low + 1e-30)


def colours(limits, name):
    """The colour map of VTK for one of matplotlib."""
    from vtkmodules.vtkRenderingCore import vtkColorTransferFunction

    found = vtkColorTransferFunction()
    for share in np.linspace(0, 1, 33):
        found.AddRGBPoint(limits[0] + share * (limits[1] - limits[0]), *plotter().get_cmap(name)(share)[:3])
    return found


def diagonal(face):
    """Length of that of the box."""
    return float(np.linalg.norm([np.ptp(f) for f in face]))


def distance(widths, face):
    """Between samples along a ray: half a cell, where SAMPLES suffice for that, and one cell at most. That of
    VTK is 1, in units of the run."""
    return min(max(min(widths) / 2, diagonal(face) / SAMPLES), min(widths))


def volume_of(values, face, limits, paint, opacity):
    """What VTK draws of a volume."""
    from vtkmodules.vtkCommonDataModel import vtkPiecewiseFunction
    from vtkmodules.vtkRenderingCore import vtkVolume, vtkVolumeProperty
    from vtkmodules.vtkRenderingVolume import vtkFixedPointVolumeRayCastMapper

    clear = vtkPiecewiseFunction()
    both = limits[0] < 0 < limits[1]
    for share in np.linspace(-1 if both else 0, 1, 41):
        place = share * limits[1] if both else limits[0] + share * (limits[1] - limits[0])
        clear.AddPoint(place, opacity * max(0.0, (abs(share) - CLEAR) / (1 - CLEAR)) ** 1.2)
    about = vtkVolumeProperty()
    about.SetColor(colours(limits, paint))
    about.SetScalarOpacity(clear)
    about.SetScalarOpacityUnitDistance(0.05 * diagonal(face))
    about.SetInterpolationTypeToLinear()
    image = image_of(unseen(values, 0.0 if both else limits[0]), face)
    mapper = vtkFixedPointVolumeRayCastMapper()
    mapper.SetInputData(image)
    mapper.AutoAdjustSampleDistancesOff()
    mapper.SetSampleDistance(distance(image.GetSpacing(), face))
    found = vtkVolume()
    found.SetMapper(mapper)
    found.SetProperty(about)
    return found


def surface_of(values, face, level, tint=None, limits=None, paint=None):
    """What VTK draws of a surface, grey or coloured by other values; None where it is empty."""
    from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
    from vtkmodules.vtkFiltersCore import vtkFlyingEdges3D
    from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

    cut = vtkFlyingEdges3D()
    cut.SetInputData(image_of(values, face))
    cut.SetValue(0, level)
    cut.ComputeNormalsOn()
    cut.Update()
    found, mapper, actor = cut.GetOutput(), vtkPolyDataMapper(), vtkActor()
    if found.GetNumberOfPoints() == 0:
        return None
    if tint is None:
        mapper.ScalarVisibilityOff()
        actor.GetProperty().SetColor(0.55, 0.55, 0.55)
    else:
        centre = [(f[1:] + f[:-1]) / 2 for f in face]
        points = vtk_to_numpy(found.GetPoints().GetData())
        found.GetPointData().SetScalars(numpy_to_vtk(isosurface.Field(tint, centre).at(points), deep=1))
        mapper.SetLookupTable(colours(limits, paint))
        mapper.UseLookupTableScalarRangeOn()
    mapper.SetInputData(found)
    actor.SetMapper(mapper)
    actor.GetProperty().SetSpecular(0.25)
    actor.GetProperty().SetSpecularPower(30)
    return actor


def picture(parts, face, axes, pixels):
    """Pixels [up, right, colour] of what VTK draws, and their extent to the right and up [L]."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow, vtkWindowToImageFilter

    low, high = np.array([f[0] for f in face]), np.array([f[-1] for f in face])
    right, up, eye = axes
    corners = np.array([[(low, high)[b][d] for d, b in enumerate(bits)] for bits in np.ndindex(2, 2, 2)])
    margin = 0.02 * np.linalg.norm(high - low)
    extent = [v for a in (right, up) for v in ((corners @ a).min() - margin, (corners @ a).max() + margin)]
    middle = right * (extent[0] + extent[1]) / 2 + up * (extent[2] + extent[3]) / 2
    middle += eye * ((low + high) / 2 @ eye)
    renderer, window = vtkRenderer(), vtkRenderWindow()
    renderer.SetBackground(1, 1, 1)
    for part in parts:
        renderer.AddViewProp(part)
    camera = renderer.GetActiveCamera()
    camera.ParallelProjectionOn()
    camera.SetFocalPoint(*middle)
    camera.SetPosition(*(middle + eye * 3 * np.linalg.norm(high - low)))
    camera.SetViewUp(*up)
    camera.SetParallelScale((extent[3] - extent[2]) / 2)
    renderer.ResetCameraClippingRange()
    window.SetOffScreenRendering(1)
    window.SetSize(pixels, max(1, round(pixels * (extent[3] - extent[2]) / (extent[1] - extent[0]))))
    window.AddRenderer(renderer)
    window.Render()
    grabbed = vtkWindowToImageFilter()
    grabbed.SetInput(window)
    grabbed.ReadFrontBufferOff()
    grabbed.Update()
    wide, tall, _ = grabbed.GetOutput().GetDimensions()
    found = vtk_to_numpy(grabbed.GetOutput().GetPointData().GetScalars())
    found = found.reshape(tall, wide, -1)[..., :3].copy()
    window.Finalize()
    return found, extent


def parts_of(o, values, face):
    """What is drawn: parts for VTK, the quantity of the colours, their limits and map; None for none."""
    name = o["colour"] or o["surface"] or o["quantity"] or "vorticity"
    limits = limits_of(values[name], name, o["limits"])
    paint = o["map"] or ("RdBu_r" if limits[0] < 0 < limits[1] else "viridis")
    if o["surface"]:
        shown = values[o["surface"]]
        sign = -1 if o["surface"] == "lambda2" else 1
        share = 1 - isosurface.SHARE if sign > 0 else isosurface.SHARE
        level = o["level"] if o["level"] is not None else float(np.nanquantile(shown, share))
        beyond = np.nanmin(shown) if sign > 0 else np.nanmax(shown)
        parts = [surface_of(unseen(shown, beyond), face, level, unseen(values[name], limits[0]), limits,
                            paint)]
    else:
        parts = [volume_of(values[name], face, limits, paint, 0.7 if o["opacity"] is None else o["opacity"])]
    if parts[0] is None:
        return None
    if "level_set" in values and o["surface"] != "level_set":
        body = surface_of(values["level_set"], face, 0.0)
        parts += [body] if body is not None else []
    return parts, name, limits, paint


def draw(o):
    """The picture; whether there is anything on it."""
    need_vtk()
    plt = plotter()
    values, face, time = held(o["dir"], {o["surface"] or o["quantity"] or "vorticity"}
                              | ({o["colour"]} if o["colour"] else set()))
    if min(f.size for f in face) < 3:
        raise Unreadable(f"{o['dir']}: it is one cell thick; slices.py draws it")
    empty = [n for n, v in values.items() if not np.isfinite(v).any()]
    if empty:
        raise Unreadable(f"{o['dir']}: '{empty[0]}' has no value in any cell")
    found = parts_of(o, values, face)
    if found is None:
        return False
    parts, name, limits, paint = found
    axes, pixels = isosurface.camera(*(o["view"] or (35.0, 25.0))), o["pixels"] or 900
    shown, extent = picture(parts, face, axes, 2 * pixels)
    target = o["to"] or o["dir"].removesuffix(".h5") + "_volume.png"
    isosurface.write(target, shown, -1, extent, face, axes,
                     (plt.cm.ScalarMappable(plt.Normalize(*limits), paint), label(name)), pixels)
    print(f"drawn {target}: {name} at t = {time:.5g}")
    return True


def share(text):
    """A number from 0 to 1."""
    value = float(text)
    if not 0 <= value <= 1:
        raise ValueError(text)
    return value


def options(words):
    """What the command line asks for."""
    found = report_parts.options(
        words, __doc__,
        dict.fromkeys(("quantity", "opacity", "surface", "level", "colour", "limits", "map", "view", "pixels",
                       "to")),
        {"opacity": share, "level": float, "limits": slices.limits_of, "view": isosurface.pair,
         "pixels": isosurface.at_least_one})
    for name in ("level", "colour") if not found["surface"] else ("quantity", "opacity"):
        if found[name] is not None:
            raise Unreadable(f"--{name}: it is of {'volumes' if found['surface'] else 'surfaces'}; "
                             + ("leave out --surface" if found["surface"] else "give --surface, too"))
    return found


def main(words):
    """Exit code."""
    return report_parts.exit_code("volume", draw, lambda: options(words),
                                  "no value reaches --level")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

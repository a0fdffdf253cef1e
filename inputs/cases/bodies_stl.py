#!/usr/bin/env python3
"""Writes the surfaces of triangles that cases in this folder read, as binary STL.

    python3 inputs/cases/bodies_stl.py inputs/cases

boulder.stl: an icosahedron whose triangles are divided once, with bumps; its size is about 1.
hill.stl: the hill of the periodic hill flow (Almeida et al. 1993, ERCOFTAC test case 81), of height 1 with
    its crest at x = 0, z = 1, from y = 0 to 4.5, closed below at z = -0.5. x lies between -54/28 and
    54/28."""
import math
import os
import signal
import struct
import sys

# the polynomials of ERCOFTAC test case 81: height in mm from the distance to the crest in mm, for a hill of
# 28 mm; from, to, coefficients
HILL = ((0, 9, (28.0, 0.0, 6.775070969851e-3, -2.124527775800e-3)),
        (9, 14, (25.07355893131, 0.9754803562315, -1.016116352781e-1, 1.889794677828e-3)),
        (14, 20, (25.79601052357, 0.8206693007457, -9.055370274339e-2, 1.626510569859e-3)),
        (20, 30, (40.46435022819, -1.379581654948, 1.945884504128e-2, -2.070318932190e-4)),
        (30, 40, (17.92461334664, 0.8743920332081, -5.567361123058e-2, 6.277731764683e-4)),
        (40, 54, (56.39011190988, -2.010520359035, 1.644919857549e-2, 2.674976141766e-5)))
SPAN, DEPTH, PIECES = 4.5, -0.5, 72


def height(x):
    """Of the hill at a distance from its crest, both over the height of the hill."""
    mm = abs(x) * 28
    for low, high, c in HILL:
        if low <= mm <= high:
            return min(max(sum(c[n] * mm ** n for n in range(4)), 0), 28) / 28
    return 0.0


def hill():
    """A prism along y whose section is the hill with a foot below."""
    xs = [54 / 28 * (n / PIECES - 1) for n in range(2 * PIECES + 1)]
    section = [(x, height(x)) for x in xs] + [(xs[-1], DEPTH), (xs[0], DEPTH)]
    front, back = [(x, 0.0, z) for x, z in section], [(x, SPAN, z) for x, z in section]
    out = []
    for n in range(len(section)):
        m = (n + 1) % len(section)
        out += [(front[n], front[m], back[m]), (front[n], back[m], back[n])]
    foot = len(section) - 1
    for n in range(len(section) - 2):  # fans from a corner of the foot
        out += [(front[foot], front[n + 1], front[n]), (back[foot], back[n], back[n + 1])]
    return out


def boulder():
    """Corners of an icosahedron and the middles of its edges, moved outward or inward."""
    g = (1 + math.sqrt(5)) / 2
    corners = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g), (0, -1, -g), (0, 1, -g),
               (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4),
             (11, 10, 2), (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9),
             (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]

    def placed(p):
        size = math.sqrt(sum(q * q for q in p))
        x, y, z = (q / size for q in p)
        radius = 0.5 * (1 + 0.12 * math.sin(3 * x + 1) * math.cos(2 * y) + 0.1 * math.sin(4 * z + 2 * x))
        return radius * x, radius * y, 0.8 * radius * z
    out = []
    for a, b, c in faces:
        p, q, r = corners[a], corners[b], corners[c]
        u, v, w = (tuple(0.5 * (s + t) for s, t in zip(m, n)) for m, n in ((p, q), (q, r), (r, p)))
        out += [tuple(placed(s) for s in t) for t in ((p, u, w), (q, v, u), (r, w, v), (u, v, w))]
    return out


def write(path, triangles):
    """Binary STL; the normals are left to the reader."""
    with open(path, "wb") as file:
        file.write(b"Kolmo, inputs/cases/bodies_stl.py".ljust(80))
        file.write(struct.pack("<I", len(triangles)))
        for t in triangles:
            file.write(struct.pack("<12fH", 0, 0, 0, *(q for p in t for q in p), 0))


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # quietly ended where nobody reads on, as `| head`
    if len(sys.argv) != 2:
        sys.exit("usage: bodies_stl.py FOLDER")
    for stem, made in (("boulder", boulder()), ("hill", hill())):
        write(os.path.join(sys.argv[1], stem + ".stl"), made)

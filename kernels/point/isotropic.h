/* One random wave of the isotropic initial flow, and the coefficients of products of sines and cosines that
 * four such waves make. */
#ifndef KOL_POINT_ISOTROPIC_H
#define KOL_POINT_ISOTROPIC_H

#include <math.h>
#include "../base/constants.h"
#include "../base/philox.h"
#include "../isotropic.h"

struct isotropic_wave {
    double re, im;
};

/* The shell of a wave whose wavenumber has this square. */
HD int point_isotropic_shell(struct isotropic_waves w, double square)
{
    int shell = (int)(sqrt(square) / w.width + 0.5);
    while (square < w.edge[shell]) --shell;
    while (square >= w.edge[shell + 1]) ++shell;
    return shell;
}

/* Component c of two unit vectors that are orthogonal to k and to each other. The first one is also
 * orthogonal to the axis along which k is smallest. */
HD void point_isotropic_vectors(const double k[3], int c, double e[2])
{
    const double a = fabs(k[0]), b = fabs(k[1]), d = fabs(k[2]);
    const int axis = b < a ? (d < b ? 2 : 1) : (d < a ? 2 : 0);
    const double k1 = axis == 0   ? k[1]
                      : axis == 1 ? k[2]
                                  : k[0],
                 k2 = axis == 0   ? k[2]
                      : axis == 1 ? k[0]
                                  : k[1],
                 k0 = axis == 0   ? k[0]
                      : axis == 1 ? k[1]
                                  : k[2];
    const double square = k0 * k0 + k1 * k1 + k2 * k2, flat = sqrt(k1 * k1 + k2 * k2), norm = sqrt(square);
    const int place = (c - axis + 3) % 3; /* of the component, counted from the axis */
    const double e1 = k2 / flat, e2 = -k1 / flat;
    e[0] = place == 0 ? 0 : place == 1 ? e1 : e2;
    e[1] = place == 0 ? (k1 * e2 - k2 * e1) / norm : place == 1 ? -k0 * e2 / norm : k0 * e1 / norm;
}

/* The coefficient of the wave with these numbers. */
HD struct isotropic_wave point_isotropic_wave(struct isotropic_waves w, int x, int y, int z)
{
    struct isotropic_wave out = {w.mean, 0};
    if (x == 0 && y == 0 && z == 0) return out;
    const int sign = z < 0 || (z == 0 && (y < 0 || (y == 0 && x < 0))) ? -1 : 1;
    const int m[3] = {sign * x, sign * y, sign * z};
    const struct philox_words r =
        philox((uint32_t)m[0], (uint32_t)m[1], (uint32_t)m[2], 0, w.key[0], w.key[1]);
    double square = 0, shift = 0, modified[3], e[2];
    for (int d = 0; d < 3; ++d) {
        const double k = w.wave[d] * m[d];
        square += k * k;
        shift += w.shift[d] * m[d];
        modified[d] = w.spacing[d] > 0 ? 2 * sin(0.5 * k * w.spacing[d]) / w.spacing[d] : k;
    }
    point_isotropic_vectors(modified, w.component, e);
    const double angle = 2 * PI * philox_unit(r.word[2]),
                 amplitude = w.amplitude[point_isotropic_shell(w, square)];
    const double a = amplitude * cos(angle) * e[0], b = amplitude * sin(angle) * e[1];
    const double p = 2 * PI * philox_unit(r.word[0]) + shift, q = 2 * PI * philox_unit(r.word[1]) + shift;
    out.re = a * cos(p) + b * cos(q);
    out.im = sign * (a * sin(p) + b * sin(q));
    return out;
}

/* The coefficients of the four products of a cosine (C) or sine (S) along y with one along z: CC, SC, CS, SS.
 * line: the place of the coefficient along x. y, z >= 0 are wave numbers below those of two cells. */
HD void point_isotropic_products(struct isotropic_waves w, int line, int y, int z, double out[4])
{
    const int x = (line + 1) / 2, sine = line > 0 && line % 2 == 0;
    const struct isotropic_wave none = {0, 0}, pp = point_isotropic_wave(w, x, y, z),
                                mp = y > 0 ? point_isotropic_wave(w, x, -y, z) : none,
                                pm = z > 0 ? point_isotropic_wave(w, x, y, -z) : none,
                                mm = y > 0 && z > 0 ? point_isotropic_wave(w, x, -y, -z) : none;
    const double half = (y > 0 ? 0.5 : 1) * (z > 0 ? 0.5 : 1);
    /* a sine multiplies by -i and by the sign of its wave number; a sine along x takes the imaginary part */
    const double cc_re = half * (pp.re + pm.re + mp.re + mm.re),
                 cc_im = half * (pp.im + pm.im + mp.im + mm.im);
    const double sc_re = half * (pp.im + pm.im - mp.im - mm.im),
                 sc_im = -half * (pp.re + pm.re - mp.re - mm.re);
    const double cs_re = half * (pp.im - pm.im + mp.im - mm.im),
                 cs_im = -half * (pp.re - pm.re + mp.re - mm.re);
    const double ss_re = -half * (pp.re - pm.re - mp.re + mm.re),
                 ss_im = -half * (pp.im - pm.im - mp.im + mm.im);
    out[0] = sine ? cc_im : cc_re;
    out[1] = sine ? sc_im : sc_re;
    out[2] = sine ? cs_im : cs_re;
    out[3] = sine ? ss_im : ss_re;
}

/* Writes the coefficients of wave numbers y, z >= 0, at most n/2, to their places in a plane. */
HD void point_isotropic_write(struct isotropic_waves w, int line, int y, int z, double *plane)
{
    double value[4] = {0, 0, 0, 0};
    const int ny = w.n[1], nz = w.n[2];
    const int none = 2 * ((line + 1) / 2) == w.n[0] || 2 * y == ny || 2 * z == nz;
    const int last_y = 2 * y < ny && y > 0, last_z = 2 * z < nz && z > 0;
    const ptrdiff_t row = (ptrdiff_t)nz * (y > 0 ? 2 * y - 1 : 0), column = z > 0 ? 2 * z - 1 : 0;
    if (!none) point_isotropic_products(w, line, y, z, value);
    plane[row + column] = value[0];
    if (last_y) plane[row + nz + column] = value[1];
    if (last_z) plane[row + column + 1] = value[2];
    if (last_y && last_z) plane[row + nz + column + 1] = value[3];
}

#endif

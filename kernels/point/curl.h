/* The discrete curl between edges and faces of the staggered grid at one point. The curl of a potential on
 * the edges lies on the faces, and its differences are divided by cell widths. The curl of a velocity on the
 * faces lies on the edges, and its differences are divided by distances of centres. */
#ifndef KOL_POINT_CURL_H
#define KOL_POINT_CURL_H

#include "../base/types.h"

/* curl_spacings: spacings at an edge along direction d. The edge is at a cell centre in d and at a lower
 * face in the next two directions, e and f, in the cyclic order x, y, z.
 *
 *   id              inverse width of the cell along d
 *   iel, ieh, ie    in e: inverse widths of the cells below and above the edge, inverse distance of their
 *                   centres
 *   ifl, ifh, iff   the same in f
 *   volume          cell width along d times the two distances of centres */
struct curl_spacings {
    real id;
    real iel, ieh, ie;
    real ifl, ifh, iff;
    real volume;
};

HD struct curl_spacings point_curl_spacings_x(struct metrics m, int i, int j, int k)
{
    const struct curl_spacings s = {
        m.dxi_c[i],     m.dyi_c[j - 1], m.dyi_c[j], m.dyi_f[j],
        m.dzi_c[k - 1], m.dzi_c[k],     m.dzi_f[k], m.dx_c[i] * m.dy_f[j] * m.dz_f[k]};
    return s;
}

HD struct curl_spacings point_curl_spacings_y(struct metrics m, int i, int j, int k)
{
    const struct curl_spacings s = {
        m.dyi_c[j],     m.dzi_c[k - 1], m.dzi_c[k], m.dzi_f[k],
        m.dxi_c[i - 1], m.dxi_c[i],     m.dxi_f[i], m.dx_f[i] * m.dy_c[j] * m.dz_f[k]};
    return s;
}

HD struct curl_spacings point_curl_spacings_z(struct metrics m, int i, int j, int k)
{
    const struct curl_spacings s = {
        m.dzi_c[k],     m.dxi_c[i - 1], m.dxi_c[i], m.dxi_f[i],
        m.dyi_c[j - 1], m.dyi_c[j],     m.dyi_f[j], m.dx_f[i] * m.dy_f[j] * m.dz_c[k]};
    return s;
}

/* point_circulation: returns d(b)/de - d(a)/df. The components a (along e) and b (along f) are given at both
 * ends. */
HD real point_circulation(real bl, real bh, real ie, real al, real ah, real iff)
{
    return (bh - bl) * ie - (ah - al) * iff;
}

/* point_vorticity: returns the curl of a velocity at an edge along d [1/T]. a, b: the components along e and
 * f. o: index of the edge. se, sf: strides along e and f. */
HD real point_vorticity(const real *a, const real *b, ptrdiff_t o, ptrdiff_t se, ptrdiff_t sf,
                        struct curl_spacings s)
{
    return point_circulation(b[o - se], b[o], s.ie, a[o - sf], a[o], s.iff);
}

/* point_curl_curl: returns the curl of the curl of a potential at an edge along d. p, a, b: its components
 * along d, e and f. */
HD real point_curl_curl(const real *p, const real *a, const real *b, ptrdiff_t o, ptrdiff_t sd, ptrdiff_t se,
                        ptrdiff_t sf, struct curl_spacings s)
{
    /* the curl on the two faces normal to f beside the edge, then on those normal to e */
    const real fh = point_circulation(a[o], a[o + sd], s.id, p[o], p[o + se], s.ieh);
    const real fl = point_circulation(a[o - se], a[o - se + sd], s.id, p[o - se], p[o], s.iel);
    const real eh = point_circulation(p[o], p[o + sf], s.ifh, b[o], b[o + sd], s.id);
    const real el = point_circulation(p[o - sf], p[o], s.ifl, b[o - sf], b[o - sf + sd], s.id);
    return point_circulation(fl, fh, s.ie, el, eh, s.iff);
}

/* point_curl_face: returns the curl of a potential on the lower face in d. a, b: its components along e and
 * f. ie, iff: inverse cell widths. */
HD real point_curl_face(const real *a, const real *b, ptrdiff_t o, ptrdiff_t se, ptrdiff_t sf, real ie,
                        real iff)
{
    return point_circulation(b[o], b[o + se], ie, a[o], a[o + sf], iff);
}

/* point_curl_diagonal: returns the diagonal of V curl (I + beta curl curl) curl. In the term with beta, only
 * the diagonal of curl curl is taken into account. */
HD real point_curl_diagonal(struct curl_spacings s, real beta)
{
    const real d = s.ie * (s.iel + s.ieh) + s.iff * (s.ifl + s.ifh);
    return s.volume * d * (1 + beta * d);
}

HD real point_curl_abs(real a)
{
    return a < 0 ? -a : a;
}

#endif

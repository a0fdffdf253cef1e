/* Finds walls of bodies that no face centre lies in. */
#include "body_thin.h"

#include <math.h>

static double along(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The depth of a part of a link from x, over the length; 0 if it is no wall. */
static double depth_of(const struct body_set *s, const double x[3], int d, double length,
                       const struct body_part *p)
{
    double in[3] = {x[0], x[1], x[2]}, out[3] = {x[0], x[1], x[2]}, n[2][3];
    if (p->from_image < 0 || p->to_image < 0) return 0;
    in[d] += p->from * length;
    out[d] += p->to * length;
    body_set_normal(s, p->from_image, in, d, n[0]);
    body_set_normal(s, p->to_image, out, d, n[1]);
    if (along(n[0], n[1]) > -0.5) return 0;
    return 0.5 * (p->to - p->from) * fmin(fabs(n[0][d]), fabs(n[1][d]));
}

/* Looks at the link from face p of component c upward in direction d. */
static void look(const struct body_set *s, const struct body_faces *f, int c, int d, const int p[3],
                 struct body_thin *out)
{
    struct body_part part[BODY_PARTS];
    double x[3];
    long long cell = 0;
    for (int e = 2; e >= 0; --e) {
        x[e] = body_face_place(f, c, e, p[e]);
        cell = cell * f->n_g[e] + f->offset[e] + p[e];
    }
    const double length = body_face_link(f, c, d, p[d], 1);
    const int parts = body_set_link(s, x, d, 1, length, part);
    for (int n = 0; n < parts; ++n) {
        const double depth = depth_of(s, x, d, length, &part[n]);
        if (!(depth > BODY_THIN)) continue;
        const long long key = cell * 9 + 3 * c + d;
        if (out->first < 0 || key < out->first) {
            out->first = key;
            out->body = part[n].body;
        }
        out->deepest = fmax(out->deepest, depth);
        ++out->links;
    }
}

void body_thin_find(const struct body_set *s, const struct body_faces *f, struct box b,
                    const unsigned char *open, const unsigned char *near, struct body_thin *out)
{
    int p[3];
    *out = (struct body_thin){0, -1, 0, -1};
    for (p[2] = 0; p[2] < f->n[Z]; ++p[2])
        for (p[1] = 0; p[1] < f->n[Y]; ++p[1])
            for (p[0] = 0; p[0] < f->n[X]; ++p[0]) {
                const ptrdiff_t q = at(b, p[0], p[1], p[2]), up[3] = {1, b.sy, b.sz};
                for (int c = 0; c < 3; ++c) {
                    if (!(near[q] >> c & 1) || !(open[q] >> (2 * c) & 1)) continue;
                    for (int d = 0; d < 3; ++d) {
                        if (c != d && body_face_beyond(f, c, d, p[d] + 1)) continue;
                        if (open[q + up[d]] >> (2 * c) & 1) look(s, f, c, d, p, out);
                    }
                }
            }
}

/* Signed functions of shapes: box, sphere, ellipsoid, cylinder, capsule, plane, torus, wave. */
#include "shape.h"

#include <math.h>
#include <string.h>
#include "kernels/base/constants.h"

/* Sine and cosine of degrees, exact at multiples of 90, so that a body on grid faces stays there. */
static void turn_of(double degrees, double *c, double *s)
{
    const double quarters = degrees / 90;
    if (quarters == floor(quarters)) {
        static const int cosine[4] = {1, 0, -1, 0};
        const int q = (int)((long)quarters % 4 + 4) % 4;
        *c = cosine[q];
        *s = cosine[(q + 3) % 4];
        return;
    }
    *c = cos(degrees * PI / 180);
    *s = sin(degrees * PI / 180);
}

/* Turns a vector about one of the fixed axes. */
static void turn_about(int axis, double degrees, double v[3])
{
    double c, s;
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    turn_of(degrees, &c, &s);
    const double va = v[a], vb = v[b];
    v[a] = c * va - s * vb;
    v[b] = s * va + c * vb;
}

struct shape shape_make(int kind, const double centre[3], const double size[3], int axis,
                        const double angles[3])
{
    struct shape out;
    memset(&out, 0, sizeof out);
    out.kind = kind;
    for (int e = 0; e < 3; ++e) {
        const int along = (axis + 1 + e) % 3;
        out.centre[e] = centre[e];
        out.turn[e][along] = 1;
        for (int d = 0; d < 3; ++d) turn_about(d, angles[d], out.turn[e]);
        out.half[e] = kind == SHAPE_BOX || kind == SHAPE_ELLIPSOID ? size[along] / 2 : size[e] / 2;
    }
    if ((kind == SHAPE_CYLINDER || kind == SHAPE_CAPSULE) && size[1] == 0) out.half[1] = HUGE_VAL;
    if (kind == SHAPE_WAVE) {
        out.half[0] = size[0];
        out.half[1] = 2 * PI / size[1];
    }
    return out;
}

static void to_body(const struct shape *s, const double x[3], double q[3])
{
    for (int e = 0; e < 3; ++e) {
        q[e] = 0;
        for (int d = 0; d < 3; ++d) q[e] += s->turn[e][d] * (x[d] - s->centre[d]);
    }
}

/* From how far the coordinates along two independent directions lie outside, the distance. */
static double outside(double a, double b)
{
    if (a <= 0 || b <= 0) return fmax(a, b);
    return sqrt(a * a + b * b);
}

static double box_distance(const double half[3], const double q[3])
{
    double out = 0, most = -HUGE_VAL;
    for (int e = 0; e < 3; ++e) {
        const double beyond = fabs(q[e]) - half[e];
        most = fmax(most, beyond);
        if (beyond > 0) out += beyond * beyond;
    }
    return most > 0 ? sqrt(out) : most;
}

/* Of the shapes in their own coordinates. */
static double distance_within(const struct shape *s, const double q[3])
{
    const double *half = s->half, across = sqrt(q[0] * q[0] + q[1] * q[1]);
    switch (s->kind) {
    case SHAPE_BOX:
        return box_distance(half, q);
    case SHAPE_SPHERE:
        return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) - half[0];
    case SHAPE_ELLIPSOID: {
        const double a = q[0] / half[0], b = q[1] / half[1], c = q[2] / half[2];
        return (sqrt(a * a + b * b + c * c) - 1) * fmin(half[0], fmin(half[1], half[2]));
    }
    case SHAPE_CYLINDER:
        if (half[1] == HUGE_VAL) return across - half[0];
        return outside(across - half[0], fabs(q[2]) - half[1]);
    case SHAPE_CAPSULE: {
        if (half[1] == HUGE_VAL) return across - half[0];
        const double beyond = fmax(fabs(q[2]) - (half[1] - half[0]), 0);
        return sqrt(across * across + beyond * beyond) - half[0];
    }
    case SHAPE_PLANE:
        return q[2];
    case SHAPE_TORUS:
        return sqrt((across - half[0]) * (across - half[0]) + q[2] * q[2]) - half[1];
    case SHAPE_WAVE: {
        const double slope = half[0] * half[1];
        return (q[2] - half[0] * cos(half[1] * q[0])) / sqrt(1 + slope * slope);
    }
    default:
        return HUGE_VAL;
    }
}

double shape_distance(const struct shape *s, const double x[3])
{
    double q[3];
    to_body(s, x, q);
    return distance_within(s, q);
}

/* line: a line in the coordinates of a shape. skin: a line that runs along a flat surface, or parallel to the
 * axis, lies inside if it is at most this far outside [L]. */
struct line {
    const struct shape *shape;
    double q[3], u[3], skin;
};
static const double PARALLEL = 1e-14; /* slope below which a line runs along a surface */

/* Cuts the part of a line to where -a <= origin + t slope <= a. Returns 0 if nothing is left. */
static int cut_slab(double origin, double slope, double a, double skin, struct shape_part *p)
{
    if (a == HUGE_VAL) return 1;
    if (fabs(slope) < PARALLEL) return fabs(origin) <= a + skin;
    double one = (-a - origin) / slope, two = (a - origin) / slope;
    p->from = fmax(p->from, fmin(one, two));
    p->to = fmin(p->to, fmax(one, two));
    return p->from < p->to;
}

/* Cuts the part of a line to where a t^2 + 2 b t + c <= 0, with a >= 0. */
static int cut_quadric(double a, double b, double c, struct shape_part *p)
{
    const double under = b * b - a * c;
    if (under <= 0) return 0;
    const double root = -b - copysign(sqrt(under), b);
    double one = root / a, two = root != 0 ? c / root : 0;
    p->from = fmax(p->from, fmin(one, two));
    p->to = fmin(p->to, fmax(one, two));
    return p->from < p->to;
}

/* Cuts the part of a line to the inside of a cylinder about the third direction. */
static int cut_tube(const struct line *l, double radius, struct shape_part *p)
{
    const double *q = l->q, *u = l->u;
    if (fabs(u[0]) < PARALLEL && fabs(u[1]) < PARALLEL) return hypot(q[0], q[1]) <= radius + l->skin;
    return cut_quadric(u[0] * u[0] + u[1] * u[1], q[0] * u[0] + q[1] * u[1],
                       q[0] * q[0] + q[1] * q[1] - radius * radius, p);
}

static int cut_ball(const double q[3], const double u[3], double radius, double above, struct shape_part *p)
{
    const double z = q[2] - above;
    return cut_quadric(u[0] * u[0] + u[1] * u[1] + u[2] * u[2], q[0] * u[0] + q[1] * u[1] + z * u[2],
                       q[0] * q[0] + q[1] * q[1] + z * z - radius * radius, p);
}

/* A capsule is convex: its part reaches over those of its tube and its two balls. */
static int cut_capsule(const struct line *l, struct shape_part *p)
{
    const double *half = l->shape->half, tube = half[1] - half[0];
    struct shape_part each[3] = {*p, *p, *p}, all = {HUGE_VAL, -HUGE_VAL};
    const int ends = half[1] < HUGE_VAL;
    const int in[3] = {
        cut_tube(l, half[0], &each[0]) && cut_slab(l->q[2], l->u[2], tube, l->skin, &each[0]),
        ends && cut_ball(l->q, l->u, half[0], tube, &each[1]),
        ends && cut_ball(l->q, l->u, half[0], -tube, &each[2]),
    };
    for (int e = 0; e < 3; ++e) {
        if (!in[e]) continue;
        all.from = fmin(all.from, each[e].from);
        all.to = fmax(all.to, each[e].to);
    }
    *p = all;
    return all.from < all.to;
}

/* The one part of a line inside a convex shape. */
static int cut_convex(const struct line *l, struct shape_part *p)
{
    const double *half = l->shape->half, *q = l->q, *u = l->u, skin = l->skin;
    switch (l->shape->kind) {
    case SHAPE_BOX:
        return cut_slab(q[0], u[0], half[0], skin, p) && cut_slab(q[1], u[1], half[1], skin, p) &&
               cut_slab(q[2], u[2], half[2], skin, p);
    case SHAPE_SPHERE:
        return cut_ball(q, u, half[0], 0, p);
    case SHAPE_ELLIPSOID: {
        double qs[3], us[3];
        for (int e = 0; e < 3; ++e) {
            qs[e] = q[e] / half[e];
            us[e] = u[e] / half[e];
        }
        return cut_ball(qs, us, 1, 0, p);
    }
    case SHAPE_CYLINDER:
        return cut_tube(l, half[0], p) && cut_slab(q[2], u[2], half[1], skin, p);
    case SHAPE_CAPSULE:
        return cut_capsule(l, p);
    default: /* SHAPE_PLANE */
        if (fabs(u[2]) < PARALLEL) return q[2] <= skin;
        if (u[2] > 0) p->to = fmin(p->to, -q[2] / u[2]);
        else p->from = fmax(p->from, -q[2] / u[2]);
        return p->from < p->to;
    }
}

static double on_line(const struct line *l, double t)
{
    double q[3];
    for (int e = 0; e < 3; ++e) q[e] = l->q[e] + t * l->u[e];
    return distance_within(l->shape, q);
}

/* The place between a and b where the sign changes. */
static double crossing(const struct line *l, double a, double b, int inside_a)
{
    for (int n = 0; n < 60; ++n) {
        const double mid = 0.5 * (a + b);
        if ((on_line(l, mid) < 0) == inside_a) a = mid;
        else b = mid;
    }
    return 0.5 * (a + b);
}

/* Walks along a line. A step is as long as the distance function allows, but at least LEAST of the line. */
static int march(const struct line *l, double length, struct shape_part *part)
{
    static const double LEAST = 1e-3;
    int count = 0;
    double t = 0, d = on_line(l, 0), begin = 0;
    while (t < length) {
        const double next = fmin(t + fmax(fabs(d), LEAST * length), length), ahead = on_line(l, next);
        if ((ahead < 0) != (d < 0)) {
            const double at = crossing(l, t, next, d < 0);
            if (d < 0 && count < SHAPE_PARTS) part[count++] = (struct shape_part){begin, at};
            begin = at;
        }
        t = next;
        d = ahead;
    }
    if (d < 0 && count < SHAPE_PARTS) part[count++] = (struct shape_part){begin, length};
    return count;
}

int shape_line(const struct shape *s, const double x[3], int dir, int side, double length, double skin,
               struct shape_part part[SHAPE_PARTS])
{
    struct line l = {.shape = s, .skin = skin};
    to_body(s, x, l.q);
    for (int e = 0; e < 3; ++e) l.u[e] = side ? s->turn[e][dir] : -s->turn[e][dir];
    if (s->kind == SHAPE_TORUS || s->kind == SHAPE_WAVE) return march(&l, length, part);
    part[0] = (struct shape_part){0, length};
    return cut_convex(&l, &part[0]);
}

/* How far a shape reaches from its centre along a fixed direction. */
static double reach(const struct shape *s, int d)
{
    const double *half = s->half, a = s->turn[0][d], b = s->turn[1][d], c = fabs(s->turn[2][d]);
    const double across = sqrt(a * a + b * b);
    switch (s->kind) {
    case SHAPE_BOX:
        return fabs(a) * half[0] + fabs(b) * half[1] + c * half[2];
    case SHAPE_SPHERE:
        return half[0];
    case SHAPE_ELLIPSOID:
        return sqrt(a * a * half[0] * half[0] + b * b * half[1] * half[1] + c * c * half[2] * half[2]);
    case SHAPE_CYLINDER:
        return half[0] * across + (c > 0 ? c * half[1] : 0);
    case SHAPE_CAPSULE:
        return half[0] + (c > 0 ? c * (half[1] - half[0]) : 0);
    case SHAPE_TORUS:
        return half[0] * across + half[1];
    default:
        return HUGE_VAL;
    }
}

void shape_bounds(const struct shape *s, double low[3], double high[3])
{
    for (int d = 0; d < 3; ++d) {
        const double r = reach(s, d);
        low[d] = s->centre[d] - r;
        high[d] = s->centre[d] + r;
        if (s->kind != SHAPE_PLANE && s->kind != SHAPE_WAVE) continue;
        /* a half space has an end only along its normal */
        const double top = s->kind == SHAPE_WAVE ? s->half[0] : 0;
        if (s->turn[2][d] == 1) high[d] = s->centre[d] + top;
        if (s->turn[2][d] == -1) low[d] = s->centre[d] - top;
    }
}

/* Area of an ellipsoid with the half axes r, by its integral over the sphere of directions. */
static double ellipsoid_area(const double r[3])
{
    enum { POLAR = 200, ROUND = 200 };
    double sum = 0;
    for (int m = 0; m < POLAR; ++m) {
        const double theta = PI * (m + 0.5) / POLAR, st = sin(theta), ct = cos(theta);
        for (int n = 0; n < ROUND; ++n) {
            const double phi = 2 * PI * (n + 0.5) / ROUND, x = st * cos(phi), y = st * sin(phi);
            const double a = r[1] * r[2] * x, b = r[0] * r[2] * y, c = r[0] * r[1] * ct;
            sum += sqrt(a * a + b * b + c * c) * st;
        }
    }
    return sum * (PI / POLAR) * (2 * PI / ROUND);
}

double shape_volume(const struct shape *s)
{
    const double *r = s->half;
    switch (s->kind) {
    case SHAPE_BOX:
        return 8 * r[0] * r[1] * r[2];
    case SHAPE_SPHERE:
        return 4 * PI / 3 * r[0] * r[0] * r[0];
    case SHAPE_ELLIPSOID:
        return 4 * PI / 3 * r[0] * r[1] * r[2];
    case SHAPE_CYLINDER:
        return 2 * PI * r[0] * r[0] * r[1];
    case SHAPE_CAPSULE:
        return 2 * PI * r[0] * r[0] * (r[1] - r[0]) + 4 * PI / 3 * r[0] * r[0] * r[0];
    case SHAPE_TORUS:
        return 2 * PI * PI * r[0] * r[1] * r[1];
    default:
        return HUGE_VAL;
    }
}

double shape_area(const struct shape *s)
{
    const double *r = s->half;
    switch (s->kind) {
    case SHAPE_BOX:
        return 8 * (r[0] * r[1] + r[1] * r[2] + r[0] * r[2]);
    case SHAPE_SPHERE:
        return 4 * PI * r[0] * r[0];
    case SHAPE_ELLIPSOID:
        return ellipsoid_area(r);
    case SHAPE_CYLINDER:
        return 4 * PI * r[0] * r[1] + 2 * PI * r[0] * r[0];
    case SHAPE_CAPSULE:
        return 4 * PI * r[0] * r[1];
    case SHAPE_TORUS:
        return 4 * PI * PI * r[0] * r[1];
    default:
        return HUGE_VAL;
    }
}

double shape_thickness(const struct shape *s)
{
    const double *r = s->half;
    switch (s->kind) {
    case SHAPE_BOX:
    case SHAPE_ELLIPSOID:
        return 2 * fmin(r[0], fmin(r[1], r[2]));
    case SHAPE_SPHERE:
    case SHAPE_CAPSULE:
        return 2 * r[0];
    case SHAPE_CYLINDER:
        return 2 * fmin(r[0], r[1]);
    case SHAPE_TORUS:
        return 2 * r[1];
    default:
        return HUGE_VAL;
    }
}

void shape_box_normal(const struct shape *s, const double x[3], int dir, double normal[3])
{
    static const double CLOSE = 1e-9; /* of the edges */
    double q[3], most = -1;
    int side = 0;
    to_body(s, x, q);
    const double least = CLOSE * fmax(s->half[0], fmax(s->half[1], s->half[2]));
    for (int e = 0; e < 3; ++e) { /* a side that x does not lie on counts by how far x is from it */
        const double off = fabs(fabs(q[e]) - s->half[e]), score = off < least ? fabs(s->turn[e][dir]) : -off;
        if (e > 0 && score <= most) continue;
        most = score;
        side = e;
    }
    for (int d = 0; d < 3; ++d) normal[d] = copysign(1, q[side]) * s->turn[side][d];
}

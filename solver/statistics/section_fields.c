/* Computes fields over the cross-section of a flow that is homogeneous in one direction. */
#include "section_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/face_kinds.h"
#include "inputs/stream_direction.h"
#include "math/central_moments.h"

/* --- the section --- */

int section_fields_along(const struct input *in)
{
    int along = -1, count = 0;
    for (int d = 0; d < 3; ++d) {
        if (!direction_is_periodic(in, d)) continue;
        along = d;
        ++count;
    }
    return count == 1 ? along : -1;
}

static kol_status set_spacings(const struct grid *g, struct section_fields *s)
{
    for (int d = 0; d < 2; ++d) {
        const int direction = d == 0 ? s->a : s->b, n = s->cells[d];
        s->c[d] = calloc((size_t)(3 * (n + 1)), sizeof *s->c[d]);
        if (s->c[d] == NULL) RAISE(KOL_ERR_MEMORY, "no memory for averages over a section of %d cells", n);
        s->f[d] = s->c[d] + n + 1;
        s->e[d] = s->f[d] + n + 1;
        for (int k = 0; k < n; ++k) s->c[d][k] = grid_width(g, direction, k);
        for (int k = 0; k <= n; ++k) {
            s->f[d][k] = grid_centre_distance(g, direction, k);
            s->e[d][k] = k == 0 || k == n ? 0.5 * s->f[d][k] : s->f[d][k];
        }
        s->centre[d] = g->centre[direction];
        s->face[d] = g->face[direction];
    }
    return KOL_OK;
}

/* Direction normal to a side: 0 is a, 1 is b. */
static int normal_of(int side)
{
    return side / 2;
}

static int direction_of(const struct section_fields *s, int d)
{
    return d == 0 ? s->a : s->b;
}

/* Whether a side is a no-slip wall along the stream; only such walls cause friction of the stream. */
static int drags(const struct section_fields *s, int side)
{
    return s->rough[side] && direction_of(s, normal_of(side)) != s->stream;
}

static void set_scales(const struct input *in, const struct grid *g, struct section_fields *s)
{
    double perimeter = 0;
    s->delta = INFINITY;
    for (int side = 0; side < 4; ++side) {
        const int face = 2 * direction_of(s, normal_of(side)) + side % 2;
        s->rough[side] = face_has_friction(in, face);
        s->open[side] = face_is_open(in, face);
    }
    for (int d = 0; d < 2; ++d) {
        const double width = g->length[direction_of(s, d)], other = g->length[direction_of(s, 1 - d)];
        const int walls = s->rough[2 * d] + s->rough[2 * d + 1];
        if (walls > 0) s->delta = fmin(s->delta, width / walls);
        perimeter += other * (drags(s, 2 * d) + drags(s, 2 * d + 1));
    }
    s->diameter = perimeter > 0 ? 4 * g->length[s->a] * g->length[s->b] / perimeter : NAN;
}

static void set_places(struct section_fields *s)
{
    for (int q = 0; q < LINE_SUM_COUNT; ++q)
        s->row_first[q + 1] = s->row_first[q] + section_sums_place(s->n_g, s->along, q).high;
    for (int q = 0; q <= LINE_SUM_COUNT; ++q) s->sum_first[q] = section_sums_first(s->n_g, s->along, q);
    for (int n = 0; n < FIELDS; ++n) {
        const struct section_sums_place p = section_fields_place(s, n);
        s->field_first[n + 1] = s->field_first[n] + (ptrdiff_t)p.wide * p.high;
    }
    for (int n = 0; n < LINES; ++n)
        s->line_first[n + 1] =
            s->line_first[n] + s->cells[1 - normal_of(n % 4)] + (n % LINE_RMS >= LINE_ALONG);
}

void section_fields_shape(const int n_g[3], int along, struct section_fields *s)
{
    memset(s, 0, sizeof *s);
    s->along = along;
    s->a = along == X ? Y : X;
    s->b = along == Z ? Y : Z;
    memcpy(s->n_g, n_g, sizeof s->n_g);
    s->cells[0] = n_g[s->a];
    s->cells[1] = n_g[s->b];
    set_places(s);
}

void section_fields_strip(const struct section_fields *s, int first, int rows, double scale,
                          struct section_fields *strip)
{
    *strip = *s;
    strip->n_g[s->b] = strip->cells[1] = rows;
    strip->scale = scale;
    strip->c[1] += first;
    strip->f[1] += first;
    strip->e[1] += first;
    strip->centre[1] += first;
    strip->face[1] += first;
    set_places(strip);
}

kol_status section_fields_create(const struct input *in, const struct grid *g, struct section_fields *s)
{
    section_fields_shape(g->n_g, section_fields_along(in), s);
    s->nu = in->fluid.nu;
    s->stream = channel_stream(in);
    if (s->stream < 0) s->stream = s->along;
    s->frame = faces_walls_velocity(in, s->stream);
    set_scales(in, g, s);
    TRY(set_spacings(g, s));
    for (int j = 0; j < s->cells[1]; ++j)
        for (int i = 0; i < s->cells[0]; ++i) s->area += s->c[0][i] * s->c[1][j];
    return KOL_OK;
}

void section_fields_destroy(struct section_fields *s)
{
    for (int d = 0; d < 2; ++d) {
        free(s->c[d]);
        s->c[d] = s->f[d] = s->e[d] = NULL;
    }
}

struct section_sums_place section_fields_place(const struct section_fields *s, int field)
{
    const int face_a = field >= FIELD_FACES_B || (field >= FIELD_CENTRES && field < FIELD_FACES_A),
              face_b = field >= FIELD_FACES_A;
    return (struct section_sums_place){s->cells[0] + face_a, s->cells[1] + face_b};
}

double section_fields_wall_unit(const struct section_fields *s, int field, double u_tau)
{
    const struct section_entry *e = &section_field_entries[field];
    return pow(u_tau, e->velocity) * pow(s->nu / u_tau, e->length);
}

int section_fields_walled(const struct section_fields *s)
{
    return s->rough[0] || s->rough[1] || s->rough[2] || s->rough[3];
}

/* --- means and moments --- */

#define M(Q) (mean + s->sum_first[LINE_SUM_##Q])
#define O(F) (out + s->field_first[FIELD_##F])

struct moments_of {
    const double *one, *two, *three, *four;
    double *mean, *variance, *skewness, *flatness;
};

static void moments_at(struct moments_of m, ptrdiff_t places, double scale)
{
    for (ptrdiff_t k = 0; k < places; ++k) {
        const struct central c =
            central_moments((const double[]){m.one[k], m.two[k], m.three[k], m.four[k]}, scale);
        m.mean[k] = m.one[k];
        m.variance[k] = c.variance;
        m.skewness[k] = c.skewness;
        m.flatness[k] = c.flatness;
    }
}

static void derive_moments(const struct section_fields *s, const double *mean, double *out)
{
    const ptrdiff_t wide = s->cells[0], high = s->cells[1];
    const double scale =
        central_moments_largest(central_moments_largest(central_moments_largest(s->scale, M(SS), wide * high),
                                                        M(AA), (wide + 1) * high),
                                M(BB), wide * (high + 1));
    moments_at((struct moments_of){M(S), M(SS), M(SSS), M(SSSS), O(S), O(SS), O(S_SKEWNESS), O(S_FLATNESS)},
               wide * high, scale);
    moments_at((struct moments_of){M(A), M(AA), M(AAA), M(AAAA), O(A), O(AA), O(A_SKEWNESS), O(A_FLATNESS)},
               (wide + 1) * high, scale);
    moments_at((struct moments_of){M(B), M(BB), M(BBB), M(BBBB), O(B), O(BB), O(B_SKEWNESS), O(B_FLATNESS)},
               wide * (high + 1), scale);
    for (ptrdiff_t k = 0; k < wide * high; ++k) {
        O(P)[k] = M(P)[k];
        O(P_RMS)[k] = sqrt(fmax(M(PP)[k] - M(P)[k] * M(P)[k], 0));
    }
}

/* --- gradients, fluxes --- */

/* line: the mean of a quantity along one line of points that ends at walls or open faces. It has the values
 * u[n stride] at `cells` centres. `slope` is the gradient of the mean at each face k. At the ends, the value
 * beyond the line follows from the gradient. */
struct line {
    const double *u;
    ptrdiff_t stride;
    int cells;
};

static double below(struct line l, int k, double slope, double f)
{
    return k > 0 ? l.u[(k - 1) * l.stride] : l.u[0] - slope * f;
}

static double above(struct line l, int k, double slope, double f)
{
    return k < l.cells ? l.u[k * l.stride] : l.u[(k - 1) * l.stride] + slope * f;
}

static double middle(struct line l, int k, double slope, double f)
{
    return 0.5 * (below(l, k, slope, f) + above(l, k, slope, f));
}

/* The same, weighted with the widths of the cells. This is the mean velocity that convects a momentum
 * volume. */
static double carrier(struct line l, int k, double slope, const double *c, double f)
{
    const double low = c[k > 0 ? k - 1 : 0], high = c[k < l.cells ? k : l.cells - 1];
    return (low * below(l, k, slope, f) + high * above(l, k, slope, f)) / (2 * f);
}

static void derive_shear(const struct section_fields *s, const double *mean, double *out)
{
    const int wide = s->cells[0], high = s->cells[1];
    for (int j = 0; j < high; ++j) {
        for (int i = 0; i <= wide; ++i) {
            const ptrdiff_t o = (ptrdiff_t)j * (wide + 1) + i;
            const struct line l = {M(S) + (ptrdiff_t)j * wide, 1, wide};
            O(SA)[o] = M(SA)[o] - M(A)[o] * middle(l, i, M(DSA)[o], s->f[0][i]);
            O(OMEGA_B_RMS)[o] = sqrt(fmax(M(OMEGA_B)[o] - M(DSA)[o] * M(DSA)[o], 0));
        }
    }
    for (int j = 0; j <= high; ++j) {
        for (int i = 0; i < wide; ++i) {
            const ptrdiff_t o = (ptrdiff_t)j * wide + i;
            const struct line l = {M(S) + i, wide, high};
            O(SB)[o] = M(SB)[o] - M(B)[o] * middle(l, j, M(DSB)[o], s->f[1][j]);
            O(OMEGA_A_RMS)[o] = sqrt(fmax(M(OMEGA_A)[o] - M(DSB)[o] * M(DSB)[o], 0));
        }
    }
}

/* fluxes: turbulent fluxes on an edge along s: of A along b, and of B along a. */
struct fluxes {
    double ab, ba;
};

static struct fluxes fluxes_at(const struct section_fields *s, const double *mean, int i, int j)
{
    const ptrdiff_t wide = s->cells[0], o = j * (wide + 1) + i;
    const struct line along_b = {M(A) + i, wide + 1, s->cells[1]}, along_a = {M(B) + j * wide, 1, (int)wide};
    const double dab = M(DAB)[o], dba = M(DBA)[o], fa = s->f[0][i], fb = s->f[1][j];
    struct fluxes f;
    f.ab = M(FLUX_AB)[o] - carrier(along_a, i, dba, s->c[0], fa) * middle(along_b, j, dab, fb);
    f.ba = M(FLUX_BA)[o] - carrier(along_b, j, dab, s->c[1], fb) * middle(along_a, i, dba, fa);
    return f;
}

static void derive_edges(const struct section_fields *s, const double *mean, double *out)
{
    const double sign = s->along == Y ? -1 : 1;
    for (int j = 0; j <= s->cells[1]; ++j) {
        for (int i = 0; i <= s->cells[0]; ++i) {
            const ptrdiff_t o = (ptrdiff_t)j * (s->cells[0] + 1) + i;
            const struct fluxes f = fluxes_at(s, mean, i, j);
            const double omega = M(DBA)[o] - M(DAB)[o];
            O(AB)[o] = 0.5 * (f.ab + f.ba);
            O(OMEGA_S)[o] = sign * omega;
            O(OMEGA_S_RMS)[o] = sqrt(fmax(M(OMEGA_S)[o] - omega * omega, 0));
        }
    }
}

/* --- energy --- */

/* How much a value at the lower (high = 0) or upper face of cell k contributes to the cell: half of the
 * face's volume over the cell's; on a boundary, all of it. */
static double share(const struct section_fields *s, int d, int k, int high)
{
    const int face = k + high, ends = face == 0 || face == s->cells[d];
    return (ends ? s->e[d][face] : 0.5 * s->e[d][face]) / s->c[d][k];
}

/* Whether face k of direction d is a boundary. The velocity through it is given there, so it has no
 * production and no dissipation. */
static int is_given(const struct section_fields *s, int d, int k)
{
    return k == 0 || k == s->cells[d];
}

/* balance: production, and dissipation divided by the viscosity. */
struct balance {
    double production, dissipation;
};

static struct balance at_faces_a(const struct section_fields *s, const double *mean, const double *out, int i,
                                 int j)
{
    const ptrdiff_t o = (ptrdiff_t)j * (s->cells[0] + 1) + i;
    const double slope = M(DSA)[o];
    return (struct balance){0 - O(SA)[o] * slope,
                            M(DSA2)[o] - slope * slope + (is_given(s, 0, i) ? 0 : M(DAS2)[o])};
}

static struct balance at_faces_b(const struct section_fields *s, const double *mean, const double *out, int i,
                                 int j)
{
    const ptrdiff_t o = (ptrdiff_t)j * s->cells[0] + i;
    const double slope = M(DSB)[o];
    return (struct balance){0 - O(SB)[o] * slope,
                            M(DSB2)[o] - slope * slope + (is_given(s, 1, j) ? 0 : M(DBS2)[o])};
}

static struct balance at_edges(const struct section_fields *s, const double *mean, int i, int j)
{
    const ptrdiff_t o = (ptrdiff_t)j * (s->cells[0] + 1) + i;
    const struct fluxes f = fluxes_at(s, mean, i, j);
    const double dab = M(DAB)[o], dba = M(DBA)[o];
    struct balance b = {0, 0};
    if (!is_given(s, 0, i)) {
        b.production -= f.ab * dab;
        b.dissipation += M(DAB2)[o] - dab * dab;
    }
    if (!is_given(s, 1, j)) {
        b.production -= f.ba * dba;
        b.dissipation += M(DBA2)[o] - dba * dba;
    }
    return b;
}

static struct balance at_centre(const struct section_fields *s, const double *mean, int i, int j)
{
    const ptrdiff_t wide = s->cells[0], o = j * wide + i;
    const double *a = M(A) + j * (wide + 1) + i, *b = M(B) + o;
    const double daa = (a[1] - a[0]) / s->c[0][i], dbb = (b[wide] - b[0]) / s->c[1][j];
    const double aa = M(FLUX_AA)[o] - 0.25 * (a[0] + a[1]) * (a[0] + a[1]),
                 bb = M(FLUX_BB)[o] - 0.25 * (b[0] + b[wide]) * (b[0] + b[wide]);
    return (struct balance){0 - aa * daa - bb * dbb,
                            M(GRAD_S)[o] + (M(GRAD_A)[o] - daa * daa) + (M(GRAD_B)[o] - dbb * dbb)};
}

static void add(struct balance *to, double part, struct balance b)
{
    to->production += part * b.production;
    to->dissipation += part * b.dissipation;
}

/* column: contributions of the faces and edges on one side of the cells in a: at the face, and at the edges
 * below and above. */
struct column {
    struct balance face, edge[2];
};

static struct column column_at(const struct section_fields *s, const double *mean, const double *out, int i,
                               int j)
{
    return (struct column){at_faces_a(s, mean, out, i, j),
                           {at_edges(s, mean, i, j), at_edges(s, mean, i, j + 1)}};
}

/* Derives the energy and its balance. A cell's upper column is the lower column of the next cell. */
static void derive_energy(const struct section_fields *s, const double *mean, double *out)
{
    const ptrdiff_t wide = s->cells[0];
    for (int j = 0; j < s->cells[1]; ++j) {
        const double in_b[2] = {share(s, 1, j, 0), share(s, 1, j, 1)};
        struct column column[2] = {column_at(s, mean, out, 0, j)};
        for (int i = 0; i < s->cells[0]; ++i) {
            const ptrdiff_t o = j * wide + i;
            const double in_a[2] = {share(s, 0, i, 0), share(s, 0, i, 1)};
            struct balance all = at_centre(s, mean, i, j);
            double energy = O(SS)[o];
            column[1] = column_at(s, mean, out, i + 1, j);
            for (int n = 0; n < 2; ++n) {
                energy += in_a[n] * O(AA)[j * (wide + 1) + i + n] + in_b[n] * O(BB)[(j + n) * wide + i];
                add(&all, in_a[n], column[n].face);
                add(&all, in_b[n], at_faces_b(s, mean, out, i, j + n));
                for (int m = 0; m < 2; ++m) add(&all, in_b[n] * in_a[m], column[m].edge[n]);
            }
            O(K)[o] = 0.5 * energy;
            O(PRODUCTION)[o] = all.production;
            O(DISSIPATION)[o] = s->nu * all.dissipation;
            column[0] = column[1];
        }
    }
}

void section_fields_derive(const void *context, const double *mean, double *out)
{
    const struct section_fields *s = context;
    derive_moments(s, mean, out);
    derive_shear(s, mean, out);
    derive_edges(s, mean, out);
    derive_energy(s, mean, out);
}

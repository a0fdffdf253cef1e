/* Computes the transport of a scalar face by face. */
#include "scalar.h"

#include <math.h>

/* The cell below cell i along d, and the area and centre distance of the face between them. */
struct between {
    ptrdiff_t below, here;
    double area, distance;
};

static struct between face_of(const struct ref_grid *g, const int i[3], int d)
{
    const int a = (d + 1) % 3, b = (d + 2) % 3;
    int low[3] = {i[0], i[1], i[2]};
    --low[d];
    return (struct between){ref_index(g, low[0], low[1], low[2]), ref_index(g, i[0], i[1], i[2]),
                            g->dc[a][i[a]] * g->dc[b][i[b]], g->df[d][i[d]]};
}

/* Calls `with` for each face of each direction. */
static void each_face(const struct ref_grid *g, void (*with)(void *context, struct between f, int d),
                      void *context)
{
    int i[3];
    for (int d = 0; d < 3; ++d)
        for (i[2] = 0; i[2] < g->n[2]; ++i[2])
            for (i[1] = 0; i[1] < g->n[1]; ++i[1])
                for (i[0] = 0; i[0] < g->n[0]; ++i[0]) with(context, face_of(g, i, d), d);
}

/* open: bits of the open faces of each cell; NULL: all are open. */
struct transport {
    double kappa;
    const unsigned char *open;
    double *const *vel;
    const double *theta;
    double *sum;
};

/* Whether the lower face of a cell along d is closed. */
static int is_closed(const unsigned char *open, struct between f, int d)
{
    return open != NULL && !(open[f.here] & 1u << (2 * d));
}

/* What passes through a face leaves one cell and enters the other. */
static void pass(void *context, struct between f, int d)
{
    const struct transport *t = context;
    if (is_closed(t->open, f, d)) return;
    const double low = t->theta[f.below], high = t->theta[f.here];
    const double through =
        f.area * (t->vel[d][f.here] * (low + high) / 2 - t->kappa * (high - low) / f.distance);
    t->sum[f.below] -= through;
    t->sum[f.here] += through;
}

void ref_scalar_rhs(const struct ref_grid *g, double kappa, double source, const double *gradient,
                    double *const vel[3], const double *theta, double *rhs)
{
    struct transport t = {kappa, NULL, vel, theta, rhs};
    int i[3];
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) rhs[n] = 0;
    each_face(g, pass, &t);
    for (i[2] = 0; i[2] < g->n[2]; ++i[2])
        for (i[1] = 0; i[1] < g->n[1]; ++i[1])
            for (i[0] = 0; i[0] < g->n[0]; ++i[0]) {
                const ptrdiff_t o = ref_index(g, i[0], i[1], i[2]);
                rhs[o] = rhs[o] / ref_volume(g, REF_CCC, i[0], i[1], i[2]) + source;
                for (int d = 0; d < 3 && gradient != NULL; ++d) {
                    int high[3] = {i[0], i[1], i[2]};
                    ++high[d];
                    rhs[o] -= gradient[d] * (vel[d][o] + vel[d][ref_index(g, high[0], high[1], high[2])]) / 2;
                }
            }
}

void ref_scalar_rhs_open(const struct ref_grid *g, double kappa, double source, double *const vel[3],
                         const double *theta, const unsigned char *open, double *rhs)
{
    struct transport t = {kappa, open, vel, theta, rhs};
    int i[3];
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) rhs[n] = 0;
    each_face(g, pass, &t);
    for (i[2] = 0; i[2] < g->n[2]; ++i[2])
        for (i[1] = 0; i[1] < g->n[1]; ++i[1])
            for (i[0] = 0; i[0] < g->n[0]; ++i[0]) {
                const ptrdiff_t o = ref_index(g, i[0], i[1], i[2]);
                const double volume = ref_volume(g, REF_CCC, i[0], i[1], i[2]);
                rhs[o] = open[o] != 0 ? rhs[o] / volume + source : 0;
            }
}

/* The value that Koren's limiter puts on the face of cell i along d, in the form with a function psi of the
 * ratio of slopes; the value on the other side of the face bounds it. */
static double limited_face(const struct ref_grid *g, const double *theta, const int i[3], int d, double wind)
{
    double value[4], place[4];
    int from;
    for (int n = 0; n < 4; ++n) {
        int c[3] = {i[0], i[1], i[2]};
        c[d] += n - 2;
        value[n] = theta[ref_index(g, c[0], c[1], c[2])];
    }
    place[1] = 0;
    place[2] = g->df[d][i[d]];
    place[0] = -g->df[d][(i[d] - 1 + g->n[d]) % g->n[d]];
    place[3] = place[2] + g->df[d][(i[d] + 1) % g->n[d]];
    from = wind < 0 ? 2 : 1;
    const int to = wind < 0 ? 1 : 2, behind = wind < 0 ? 3 : 0;
    const double width = g->dc[d][(i[d] + (wind < 0 ? 0 : g->n[d] - 1)) % g->n[d]];
    const double up = (value[from] - value[behind]) / fabs(place[from] - place[behind]),
                 down = (value[to] - value[from]) / fabs(place[to] - place[from]);
    const double ratio = up != 0 ? down / up : 0, gap = fabs(place[to] - place[from]);
    const double psi = fmax(0, fmin(fmin(2 * ratio * gap / width, (1 + 2 * ratio) / 3), 2));
    return value[from] + 0.5 * width * psi * up;
}

double ref_scalar_limited(const struct ref_grid *g, double *const vel[3], const double *theta, double *rhs)
{
    double lost = 0;
    int i[3];
    for (ptrdiff_t n = 0; n < ref_count(g); ++n) rhs[n] = 0;
    for (int d = 0; d < 3; ++d)
        for (i[2] = 0; i[2] < g->n[2]; ++i[2])
            for (i[1] = 0; i[1] < g->n[1]; ++i[1])
                for (i[0] = 0; i[0] < g->n[0]; ++i[0]) {
                    const struct between f = face_of(g, i, d);
                    const double wind = vel[d][f.here], face = limited_face(g, theta, i, d, wind);
                    const double low = theta[f.below], high = theta[f.here];
                    rhs[f.below] -= f.area * wind * face;
                    rhs[f.here] += f.area * wind * face;
                    lost += f.area * wind * ((low + high) / 2 - face) * (high - low);
                }
    for (i[2] = 0; i[2] < g->n[2]; ++i[2])
        for (i[1] = 0; i[1] < g->n[1]; ++i[1])
            for (i[0] = 0; i[0] < g->n[0]; ++i[0])
                rhs[ref_index(g, i[0], i[1], i[2])] /= ref_volume(g, REF_CCC, i[0], i[1], i[2]);
    return lost;
}

struct record {
    const unsigned char *open;
    double *const *vel;
    const double *theta;
    struct ref_scalar_numbers *out;
};

static void note(void *context, struct between f, int d)
{
    const struct record *r = context;
    if (is_closed(r->open, f, d)) return;
    const double low = r->theta[f.below], high = r->theta[f.here];
    r->out->scatter += f.area / f.distance * (high - low) * (high - low);
    r->out->flux[d] += f.area * f.distance * r->vel[d][f.here] * (low + high) / 2;
}

struct ref_scalar_numbers ref_scalar_record(const struct ref_grid *g, double mean, double *const vel[3],
                                            const double *theta)
{
    return ref_scalar_record_open(g, mean, vel, theta, NULL);
}

struct ref_scalar_numbers ref_scalar_record_open(const struct ref_grid *g, double mean, double *const vel[3],
                                                 const double *theta, const unsigned char *open)
{
    struct ref_scalar_numbers n = {0, 0, {0, 0, 0}, 0, 0};
    struct record r = {open, vel, theta, &n};
    int i[3];
    each_face(g, note, &r);
    for (i[2] = 0; i[2] < g->n[2]; ++i[2])
        for (i[1] = 0; i[1] < g->n[1]; ++i[1])
            for (i[0] = 0; i[0] < g->n[0]; ++i[0]) {
                const ptrdiff_t o = ref_index(g, i[0], i[1], i[2]);
                const double off = theta[o] - mean;
                if (open != NULL && open[o] == 0) continue;
                n.square += ref_volume(g, REF_CCC, i[0], i[1], i[2]) * off * off;
                n.above = fmax(n.above, off);
                n.below = fmax(n.below, -off);
            }
    return n;
}

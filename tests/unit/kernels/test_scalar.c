/* Tests the transport of scalars, the layer beyond faces, buoyancy and the sums of a record against
 * tests/reference. Tests also what the discretisation promises: convection conserves a scalar and its square,
 * and a uniform scalar stays uniform. Catches a wrong metric or neighbour on a stretched grid, a scalar that
 * gets the coefficients or the velocity of another, a read beyond the faces or of a value with weight 0, a
 * write outside the own cells, and a cell that is computed twice or left out if a sweep is divided into two
 * calls. No MPI. */
#include <stdlib.h>
#include "kernels/scalar.h"
#include "kernels/wall.h"
#include "tests/reference/scalar.h"
#include "tests/support/check.h"
#include "tests/support/kernel_case.h"
#include "tests/support/mask_case.h"

/* in units of the largest value: spacings are differences of coordinates that are rounded at 1, some 50 times
 * larger */
static const double BOUND = 100 * KOL_EPSILON;
static const double SENTINEL = -77.25;
enum { SCALARS = 3 };

static const struct scalar_term TERM[SCALARS] = {
    {(real)0.02, (real)0.5, {0, 0, 0}}, {0, 0, {(real)0.25, (real)-1.5, (real)2}}, {(real)1.5, 0, {0, 0, 0}}};

/* whole: random fields of a case. */
struct whole {
    double *u[3], *theta[SCALARS], *base[SCALARS], *old[SCALARS], *rhs[SCALARS], *got[SCALARS];
};

static void whole_new(struct kernel_case *c, struct whole *w)
{
    case_solenoidal(&c->ref, 11, w->u);
    for (unsigned n = 0; n < SCALARS; ++n) {
        const double gradient[3] = {(double)TERM[n].gradient[0], (double)TERM[n].gradient[1],
                                    (double)TERM[n].gradient[2]};
        w->theta[n] = case_random(&c->ref, 21 + n);
        w->base[n] = case_random(&c->ref, 31 + n);
        w->old[n] = case_random(&c->ref, 41 + n);
        w->rhs[n] = ref_new(&c->ref);
        w->got[n] = ref_new(&c->ref);
        ref_scalar_rhs(&c->ref, (double)TERM[n].kappa, (double)TERM[n].source, gradient, w->u, w->theta[n],
                       w->rhs[n]);
    }
}

static void whole_free(struct whole *w)
{
    case_free(w->u, 3);
    case_free(w->theta, SCALARS);
    case_free(w->base, SCALARS);
    case_free(w->old, SCALARS);
    case_free(w->rhs, SCALARS);
    case_free(w->got, SCALARS);
}

/* The scalars of a call, of which the kernel takes two at a time, and which arrays its stage has: base apart
 * from theta, old kept, old read. */
struct form {
    int count, based, kept;
    double a_old;
};

/* One part, in one call or in two with the halo of `remote` arriving between them. */
static void run_part(struct kernel_case *c, struct part *p, struct form form, unsigned remote,
                     struct whole *w)
{
    struct scalar_stage s = {.a = (real)0.75, .a_old = (real)form.a_old, .count = form.count};
    real *u[3], *theta[SCALARS], *hidden[SCALARS], *base[SCALARS], *old[SCALARS], *out[SCALARS];
    real *hidden_u[3], *before[SCALARS];
    for (int d = 0; d < 3; ++d) {
        u[d] = part_from(p, OWN_HIGH, w->u[d]);
        hidden_u[d] = part_hidden(p, remote, u[d]);
    }
    for (int n = 0; n < form.count; ++n) {
        s.term[n] = TERM[n];
        theta[n] = part_from(p, OWN_FACES, w->theta[n]);
        hidden[n] = part_hidden(p, remote, theta[n]);
        base[n] = form.based ? part_from(p, OWN, w->base[n]) : theta[n];
        old[n] = !form.kept ? NULL : form.a_old != 0 ? part_from(p, OWN, w->old[n]) : part_array(p);
        out[n] = part_filled(p, SENTINEL);
        before[n] = part_copy(p, out[n]);
    }
    struct cells cells = {remote == 0 ? CELLS_ALL : CELLS_INNER, remote, 0};
    real *const *kept = form.kept ? old : NULL;
    if (remote != 0) {
        real *own[SCALARS];
        for (int n = 0; n < form.count; ++n) own[n] = form.based ? base[n] : hidden[n];
        CASE_TRUE(c,
                  scalar_transport(p->g.box, p->g.m, cells, &s, hidden_u, hidden, own, kept, out) == KOL_OK);
        cells.which = CELLS_RIM;
    }
    CASE_TRUE(c, scalar_transport(p->g.box, p->g.m, cells, &s, u, theta, base, kept, out) == KOL_OK);
    for (int n = 0; n < form.count; ++n) {
        part_get(p, out[n], w->got[n]);
        CASE_TRUE(c, part_changed(p, OWN, before[n], out[n]) == 0);
        if (form.kept)
            CASE_BELOW(c, part_error(p, OWN, old[n], w->rhs[n]),
                       BOUND * check_max(w->rhs[n], NULL, c->count));
    }
}

static void check_stage(struct kernel_case *c)
{
    static const struct form FORM[] = {{3, 0, 0, 0}, {1, 1, 0, 0},      {2, 1, 0, 0},
                                       {3, 0, 1, 0}, {3, 0, 1, -0.625}, {1, 0, 1, -0.625}};
    static const unsigned REMOTE[] = {0, 1u << FACE_X_LOW | 1u << FACE_Z_HIGH, 0x3f};
    for (size_t f = 0; f < sizeof FORM / sizeof *FORM; ++f) {
        for (size_t r = 0; r < sizeof REMOTE / sizeof *REMOTE; ++r) {
            struct whole w;
            whole_new(c, &w);
            for (struct part *p = c->part; p < c->part + c->size; ++p) {
                run_part(c, p, FORM[f], REMOTE[r], &w);
                part_release(p);
            }
            for (int n = 0; n < FORM[f].count; ++n) {
                double most = 0, wrong = 0;
                for (ptrdiff_t o = 0; o < c->count; ++o) {
                    const double want = (FORM[f].based ? w.base[n][o] : w.theta[n][o]) +
                                        (0.75 * w.rhs[n][o] + FORM[f].a_old * w.old[n][o]);
                    most = fmax(most, fabs(want));
                    wrong = fmax(wrong, fabs(want - w.got[n][o]));
                }
                CASE_BELOW(c, wrong, BOUND * most);
                CASE_TRUE(c, most > 0.1);
            }
            whole_free(&w);
        }
    }
}

static void test_stage_like_reference(void **state)
{
    (void)state;
    case_each(check_stage);
}

/* Convection alone, of any scalar: the sums of V F and V theta F vanish, and F is 0 where theta is uniform.
 * */
static void check_conservation(struct kernel_case *c)
{
    struct whole w;
    struct scalar_stage s = {.a = 1, .count = 2};
    double mass = 0, variance = 0, terms = 0, uneven = 0, most = 0;
    whole_new(c, &w);
    for (ptrdiff_t o = 0; o < c->count; ++o) w.theta[1][o] = 3;
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        real *u[3], *theta[2], *old[2], *out[2];
        for (int d = 0; d < 3; ++d) u[d] = part_from(p, OWN_HIGH, w.u[d]);
        for (int n = 0; n < 2; ++n) {
            theta[n] = part_from(p, OWN_FACES, w.theta[n]);
            old[n] = part_array(p);
            out[n] = part_array(p);
        }
        CASE_TRUE(c,
                  scalar_transport(p->g.box, p->g.m, cells_all(), &s, u, theta, theta, old, out) == KOL_OK);
        for (int n = 0; n < 2; ++n) part_get(p, old[n], w.got[n]);
        part_release(p);
    }
    for (ptrdiff_t o = 0; o < c->count; ++o) {
        const double part = case_volume(&c->ref, REF_CCC, o) * w.got[0][o];
        mass += part;
        variance += part * w.theta[0][o];
        terms += fabs(part);
        uneven = fmax(uneven, fabs(w.got[1][o]));
        most = fmax(most, fabs(w.got[0][o]));
    }
    CASE_BELOW(c, fabs(mass), BOUND * terms);
    CASE_BELOW(c, fabs(variance), BOUND * terms);
    CASE_BELOW(c, uneven, 3 * BOUND * most);
    CASE_TRUE(c, terms > 0);
    whole_free(&w);
}

static void test_convection_conserves(void **state)
{
    (void)state;
    case_each(check_conservation);
}

/* What is added beyond the upper face in x at a place, for the second scalar. */
static real added_at(int j, int k)
{
    return (real)(0.25 * j - 0.125 * k + 1);
}

/* Puts it into a plane in kernel memory; NaN where no cell is. */
static kol_status added_plane(struct box b, real *plane)
{
    const size_t values = (size_t)plane_values(b, X);
    real *host = malloc(values * sizeof *host);
    if (host == NULL) return KOL_ERR_MEMORY;
    for (size_t n = 0; n < values; ++n) host[n] = (real)NAN;
    for (int k = 0; k < b.nz; ++k)
        for (int j = 0; j < b.ny; ++j) host[plane_at(b, X, 0, j, k)] = added_at(j, k);
    const kol_status st = mem_to_kernel(plane, host, values * sizeof *host);
    free(host);
    return st;
}

/* The layer beyond faces, and nothing else, gets factor * inside + add, or what a plane adds. */
static void check_fill(struct kernel_case *c)
{
    struct scalar_faces w = {.faces = 1u << FACE_X_HIGH | 1u << FACE_Y_LOW | 1u << FACE_Z_LOW, .count = 2};
    double *theta[2] = {case_random(&c->ref, 51), case_random(&c->ref, 52)};
    for (int f = 0; f < FACES; ++f)
        for (int n = 0; n < 2; ++n) {
            w.factor[f][n] = n == 0 ? -1 : 1;
            w.add[f][n] = (real)(0.5 * f + n);
        }
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        const struct box b = p->g.box;
        const int cells[3] = {b.nx, b.ny, b.nz};
        real *q[2], *host[2];
        int wrong = 0;
        for (int n = 0; n < 2; ++n) q[n] = part_from(p, OWN, theta[n]);
        /* the lower face in y is closed where i + k is even */
        real *plane = part_array(p), *wind = malloc((size_t)plane_values(b, Y) * sizeof *wind);
        for (int j = -1; j <= b.nz; ++j)
            for (int i = -1; i <= b.nx; ++i) wind[plane_at(b, Y, 0, i, j)] = (real)((i + j) & 1);
        CASE_TRUE(c, mem_to_kernel(plane, wind, (size_t)plane_values(b, Y) * sizeof *wind) == KOL_OK);
        free(wind);
        w.wind[FACE_Y_LOW] = plane;
        real *added = part_array(p);
        CASE_TRUE(c, added_plane(b, added) == KOL_OK);
        w.plane[FACE_X_HIGH][1] = added;
        CASE_TRUE(c, scalar_fill(b, &w, q) == KOL_OK);
        for (int n = 0; n < 2; ++n) host[n] = part_copy(p, q[n]);
        for (int k = -b.h; k < b.nz + b.h; ++k)
            for (int j = -b.h; j < b.ny + b.h; ++j)
                for (int i = -b.h; i < b.nx + b.h; ++i) {
                    const int at_cell[3] = {i, j, k};
                    int in[3] = {i, j, k}, outside = 0, face = -1;
                    for (int d = 0; d < 3; ++d) {
                        if (at_cell[d] >= 0 && at_cell[d] < cells[d]) continue;
                        ++outside;
                        face = 2 * d + (at_cell[d] >= 0);
                        in[d] = at_cell[d] < 0 ? 0 : cells[d] - 1;
                        if (at_cell[d] != -1 && at_cell[d] != cells[d]) outside = 9;
                    }
                    const int filled = outside == 1 && (w.faces >> face & 1u);
                    for (int n = 0; n < 2; ++n) {
                        const real value = host[n][at(b, i, j, k)], own = host[n][at(b, in[X], in[Y], in[Z])];
                        if (outside == 0) wrong += value != value;
                        else if (filled && face == FACE_Y_LOW && ((i + k) & 1) == 0) wrong += value != own;
                        else if (filled && face == FACE_X_HIGH && n == 1)
                            wrong += value != w.factor[face][n] * own + added_at(j, k);
                        else if (filled) wrong += value != w.factor[face][n] * own + w.add[face][n];
                        else wrong += value == value; /* NaN, as before */
                    }
                }
        CASE_TRUE(c, wrong == 0);
        for (int n = 0; n < 2; ++n) free(host[n]);
        part_release(p);
    }
    case_free(theta, 2);
}

static void test_fill_beyond_faces(void **state)
{
    (void)state;
    case_each(check_fill);
}

static void check_record(struct kernel_case *c)
{
    struct whole w;
    double got[SCALAR_NUMBERS] = {0};
    const double mean = 0.125;
    whole_new(c, &w);
    const struct ref_scalar_numbers want = ref_scalar_record(&c->ref, mean, w.u, w.theta[0]);
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        real *u[3];
        for (int d = 0; d < 3; ++d) u[d] = part_from(p, OWN_HIGH, w.u[d]);
        CASE_TRUE(c, scalar_record(p->g.box, p->g.m, reduction_blocks(p->reduction), NULL, NULL, mean, u,
                                   part_from(p, OWN_FACES, w.theta[0])) == KOL_OK);
        part_sums(p, SCALAR_SUMS, SCALAR_NUMBERS - SCALAR_SUMS, got);
        part_release(p);
    }
    CASE_BELOW(c, fabs(got[SCALAR_SQUARE] - want.square), BOUND * want.square);
    CASE_BELOW(c, fabs(got[SCALAR_SCATTER] - want.scatter), BOUND * want.scatter);
    for (int d = 0; d < 3; ++d)
        CASE_BELOW(c, fabs(got[SCALAR_FLUX_X + d] - want.flux[d]),
                   BOUND * want.square * check_max(w.u[d], NULL, c->count));
    CASE_BELOW(c, fabs(got[SCALAR_ABOVE] - want.above), 0);
    CASE_BELOW(c, fabs(got[SCALAR_BELOW] - want.below), 0);
    whole_free(&w);
}

static void test_record_like_reference(void **state)
{
    (void)state;
    case_each(check_record);
}

static const enum ref_location FACES_OF[3] = {REF_FCC, REF_CFC, REF_CCF};

/* Buoyancy, and its work, of two scalars in a gravity that is along no axis, with a state of rest that
 * varies. */
static void check_lift(struct kernel_case *c)
{
    struct whole w;
    struct scalar_lift l = {.count = 2, .a = (real)0.5};
    double work = 0, got_work = 0, work_terms = 0;
    whole_new(c, &w);
    for (int n = 0; n < 2; ++n) {
        l.rest[n] = (real)(0.25 - n);
        for (int d = 0; d < 3; ++d) {
            l.lift[n][d] = d == Y && c->size % 2 == 0 ? 0 : (real)(1 - 0.75 * d + 0.5 * n);
            l.slope[n][d] = (real)(0.125 * (d - n));
        }
    }
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        const struct box b = p->g.box;
        real *u[3], *old[3], *theta[2], *x = part_array(p), *host[3], *start[3], *kept[3];
        double *line[3];
        ptrdiff_t used = 0;
        for (int d = 0; d < 3; ++d) {
            const int cells[3] = {b.nx, b.ny, b.nz}, n = cells[d];
            real *values = malloc((size_t)(n + 2) * sizeof *values);
            line[d] = malloc((size_t)(n + 2) * sizeof **line);
            for (int i = -1; i <= n; ++i) {
                line[d][i + 1] = 0.3 * (p->d.offset[d] + i) + 0.01 * i * i;
                values[i + 1] = (real)line[d][i + 1];
                line[d][i + 1] = (double)values[i + 1];
            }
            assert_int_equal(mem_to_kernel(x + used, values, (size_t)(n + 2) * sizeof *values), KOL_OK);
            l.x[d] = x + used + 1;
            used += n + 2;
            free(values);
            u[d] = part_from(p, OWN, w.u[d]);
            old[d] = part_from(p, OWN, w.base[d]);
            start[d] = part_copy(p, u[d]);
            kept[d] = part_copy(p, old[d]);
        }
        for (int n = 0; n < 2; ++n) theta[n] = part_from(p, OWN_LOW, w.theta[n]);
        l.first[X] = p->d.offset[X] == 0; /* the faces at the lower end of x are faces of the box */
        CASE_TRUE(c, scalar_buoyancy_work(b, p->g.m, reduction_blocks(p->reduction), &l, theta, u) == KOL_OK);
        part_sums(p, 1, 0, &got_work);
        CASE_TRUE(c, scalar_buoyancy(b, &l, theta, u, old) == KOL_OK);
        double wrong = 0;
        for (int d = 0; d < 3; ++d) {
            host[d] = part_copy(p, u[d]);
            real *after = part_copy(p, old[d]);
            for (int k = 0; k < b.nz; ++k)
                for (int j = 0; j < b.ny; ++j)
                    for (int i = 0; i < b.nx; ++i) {
                        const int cell[3] = {i, j, k};
                        int g[3], below[3];
                        double sum = 0;
                        for (int e = 0; e < 3; ++e) g[e] = below[e] = p->d.offset[e] + cell[e];
                        --below[d];
                        for (int n = 0; n < 2; ++n) {
                            double excess[2];
                            for (int side = 0; side < 2; ++side) {
                                const int *of = side ? g : below;
                                excess[side] =
                                    w.theta[n][ref_index(&c->ref, of[0], of[1], of[2])] - (double)l.rest[n];
                                for (int e = 0; e < 3; ++e)
                                    excess[side] -=
                                        (double)l.slope[n][e] * line[e][cell[e] + (e == d && !side ? 0 : 1)];
                            }
                            sum += (double)l.lift[n][d] * (excess[0] + excess[1]) / 2;
                        }
                        const ptrdiff_t o = at(b, i, j, k);
                        const double inside = d != X || g[X] > 0,
                                     volume = ref_volume(&c->ref, FACES_OF[d], g[X], g[Y], g[Z]),
                                     power = inside * volume * (double)start[d][o] * sum;
                        work += power;
                        work_terms += fabs(power);
                        wrong = fmax(wrong, fabs((double)host[d][o] - ((double)start[d][o] + 0.5 * sum)));
                        wrong = fmax(wrong, fabs((double)after[o] - ((double)kept[d][o] + sum)));
                    }
            free(after);
            free(host[d]);
            free(start[d]);
            free(kept[d]);
        }
        for (int d = 0; d < 3; ++d) free(line[d]);
        CASE_BELOW(c, wrong, 10 * BOUND);
        part_release(p);
    }
    CASE_BELOW(c, fabs(got_work - work), 10 * BOUND * work_terms);
    CASE_TRUE(c, work_terms > 0);
    whole_free(&w);
}

static void test_buoyancy_like_reference(void **state)
{
    (void)state;
    case_each(check_lift);
}

/* Koren's limiter: like the reference, conservative, and what it takes from theta^2/2 is what it says. */
static void check_limited(struct kernel_case *c)
{
    struct whole w;
    struct scalar_stage s = {.a = 1, .a_old = (real)0.5, .count = 2};
    double got = 0, change = 0, mass = 0, terms = 0;
    whole_new(c, &w);
    const double lost = ref_scalar_limited(&c->ref, w.u, w.theta[0], w.rhs[0]);
    ref_scalar_limited(&c->ref, w.u, w.theta[1], w.rhs[1]);
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        real *u[3], *theta[2], *old[2], *out[2];
        for (int d = 0; d < 3; ++d) u[d] = part_from(p, OWN_HIGH, w.u[d]);
        for (int n = 0; n < 2; ++n) {
            theta[n] = part_from(p, OWN_DEEP, w.theta[n]);
            old[n] = part_from(p, OWN, w.old[n]);
            out[n] = part_array(p);
        }
        CASE_TRUE(c, scalar_limiter_loss(p->g.box, p->g.m, reduction_blocks(p->reduction), 0, u, theta[0]) ==
                         KOL_OK);
        part_sums(p, 1, 0, &got);
        CASE_TRUE(c, scalar_transport_limited(p->g.box, p->g.m, 0, &s, u, theta, theta, old, out) == KOL_OK);
        for (int n = 0; n < 2; ++n) {
            const double most = check_max(w.rhs[n], NULL, c->count);
            CASE_BELOW(c, part_error(p, OWN, old[n], w.rhs[n]), BOUND * most);
            for (ptrdiff_t o = 0; o < c->count; ++o)
                w.got[n][o] = w.theta[n][o] + (w.rhs[n][o] + 0.5 * w.old[n][o]);
            CASE_BELOW(c, part_error(p, OWN, out[n], w.got[n]), BOUND * most);
        }
        part_release(p);
    }
    for (ptrdiff_t o = 0; o < c->count; ++o) {
        const double part = case_volume(&c->ref, REF_CCC, o) * w.rhs[0][o];
        mass += part;
        change += part * w.theta[0][o];
        terms += fabs(part);
    }
    CASE_BELOW(c, fabs(mass), BOUND * terms);
    CASE_BELOW(c, fabs(change + lost), BOUND * terms);
    CASE_BELOW(c, fabs(got - lost), BOUND * terms);
    CASE_TRUE(c, lost > 0);
    whole_free(&w);
}

static void test_limiter_like_reference(void **state)
{
    (void)state;
    case_each(check_limited);
}

/* Transport and record with faces closed at random, against sums over the open faces. */
static void check_masked(struct kernel_case *c)
{
    struct whole w;
    struct mask m;
    double got[SCALAR_NUMBERS] = {0}, volume = 0, sum = 0, square = 0, mass = 0, terms = 0;
    const double mean = 0.125, kappa = (double)TERM[0].kappa, source = (double)TERM[0].source;
    struct ref_scalar_numbers want;
    whole_new(c, &w);
    mask_create(MASK_RANDOM, &c->part[0].g, 0.4, 5, &m);
    ref_scalar_rhs_open(&c->ref, kappa, source, w.u, w.theta[0], m.open, w.rhs[0]);
    want = ref_scalar_record_open(&c->ref, mean, w.u, w.theta[0], m.open);
    for (struct part *p = c->part; p < c->part + c->size; ++p) {
        struct scalar_stage s = {.a = (real)0.75, .a_old = (real)-0.625, .count = 1, .term = {TERM[0]}};
        real *u[3], *theta[] = {part_from(p, OWN_FACES, w.theta[0])}, *out[] = {part_array(p)};
        real *old[] = {part_from(p, OWN, w.old[0])};
        unsigned char *open = mask_part(&m, &p->d, p->g.box);
        for (int d = 0; d < 3; ++d) u[d] = part_from(p, OWN_HIGH, w.u[d]);
        s.open = open;
        CASE_TRUE(c,
                  scalar_transport(p->g.box, p->g.m, cells_all(), &s, u, theta, theta, old, out) == KOL_OK);
        CASE_BELOW(c, part_error(p, OWN, old[0], w.rhs[0]), BOUND * check_max(w.rhs[0], NULL, c->count));
        part_get(p, out[0], w.got[0]);
        part_get(p, old[0], w.got[1]);
        CASE_TRUE(c, scalar_record(p->g.box, p->g.m, reduction_blocks(p->reduction), open, open, mean, u,
                                   theta[0]) == KOL_OK);
        part_sums(p, SCALAR_SUMS, SCALAR_NUMBERS - SCALAR_SUMS, got);
        mem_kernel_free(open);
        part_release(p);
    }
    for (ptrdiff_t o = 0; o < c->count; ++o) {
        const double v = m.open[o] != 0 ? case_volume(&c->ref, REF_CCC, o) : 0, q = w.theta[0][o];
        const double next = q + 0.75 * w.rhs[0][o] - 0.625 * w.old[0][o];
        CASE_BELOW(c, fabs(w.got[0][o] - next), BOUND * check_max(w.rhs[0], NULL, c->count));
        if (m.open[o] == 0) CASE_TRUE(c, w.got[1][o] == 0);
        mass += v * (w.got[1][o] - source);
        terms += v * fabs(w.got[1][o]);
        volume += v;
        sum += v * (q - mean);
        square += v * (q - mean) * (q - mean);
    }
    CASE_BELOW(c, fabs(mass), BOUND * terms); /* nothing is lost to solids */
    CASE_BELOW(c, fabs(got[SCALAR_VOLUME] - volume), BOUND * volume);
    CASE_BELOW(c, fabs(got[SCALAR_SUM] - sum), BOUND * volume);
    CASE_BELOW(c, fabs(got[SCALAR_SQUARE] - square), BOUND * square);
    CASE_BELOW(c, fabs(got[SCALAR_SCATTER] - want.scatter), BOUND * want.scatter);
    for (int d = 0; d < 3; ++d)
        CASE_BELOW(c, fabs(got[SCALAR_FLUX_X + d] - want.flux[d]),
                   BOUND * want.square * check_max(w.u[d], NULL, c->count));
    mask_destroy(&m);
    whole_free(&w);
}

static void test_closed_faces_like_reference(void **state)
{
    (void)state;
    case_each(check_masked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stage_like_reference),        cmocka_unit_test(test_convection_conserves),
        cmocka_unit_test(test_fill_beyond_faces),           cmocka_unit_test(test_record_like_reference),
        cmocka_unit_test(test_buoyancy_like_reference),     cmocka_unit_test(test_limiter_like_reference),
        cmocka_unit_test(test_closed_faces_like_reference),
    };
    return cmocka_run_group_tests_name("scalar", tests, NULL, NULL);
}

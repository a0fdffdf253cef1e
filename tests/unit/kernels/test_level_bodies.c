/* Tests the sweeps and transfers of levels in boxes with bodies, on the grids and cuts of test_level.c, with
 * faces that are closed or partly open: the first steps from a zero guess against a plain sum over faces, the
 * restriction against the transpose of the interpolation, joined sweeps against separate ones, bit by bit,
 * and every cut against the whole box. Catches a face that is open on one side alone, a diagonal that is not
 * that of the neighbour's own faces, a cell that moves to a coarse cell and is added to another one or twice,
 * and bits that depend on the cut. No MPI. */
#include <stdlib.h>
#include <string.h>
#include "kernels/base/mem.h"
#include "kernels/point/level.h"
#include "tests/support/check.h"
#include "tests/support/level_case.h"

enum { ROUNDINGS = 200, OUTPUTS = 5 };
enum { STARTED, SMOOTHED, SMOOTHED_APART, COARSE, COARSE_APART };
static const double C0 = 1.5, C1 = -0.75, CLOSED = -0.4;
static const level_real STEP = (level_real)1.125;

/* bodies: parts of LEVEL_FACE_WHOLE of the upper face of each cell, whether they are words, and what is
 * computed. prolonged: z + P e. moved: number of residuals that level_descend_open leaves and that are not
 * those of level_residual, and how many cells move. */
struct bodies {
    const struct level_case *c;
    int *part[3], words;
    double *r, *z, *e, *q, *prolonged, *out[OUTPUTS];
    int wrong, moves;
};

static ptrdiff_t beside(const struct level_case *c, ptrdiff_t m, int d, int side)
{
    const int *n = c->ref.n;
    const ptrdiff_t apart[3] = {1, n[X], (ptrdiff_t)n[X] * n[Y]};
    const int i = (int)(m / apart[d] % n[d]);
    if (side == 0) return i > 0 ? m - apart[d] : m + apart[d] * (n[d] - 1);
    return i + 1 < n[d] ? m + apart[d] : m - apart[d] * (n[d] - 1);
}

/* Closed in the lower two thirds: a third of the faces at random, and whole planes behind every second cell,
 * with a hole. */
static void bodies_open(const struct level_case *c, int words, struct bodies *b)
{
    memset(b, 0, sizeof *b);
    b->c = c;
    b->words = words;
    for (int d = 0; d < 3; ++d) {
        double *random = level_values(c->count, 60 + (unsigned)d);
        b->part[d] = malloc((size_t)c->count * sizeof *b->part[d]);
        assert_non_null(b->part[d]);
        for (ptrdiff_t m = 0; m < c->count; ++m) {
            const int whole = !words || random[m] > 0;
            b->part[d][m] = random[m] < CLOSED ? 0
                            : whole            ? LEVEL_FACE_WHOLE
                                               : 1 + (int)(-random[m] * LEVEL_FACE_WHOLE);
            if (d == X && m % c->ref.n[X] % 2 == 0 && m % 5 != 0) b->part[d][m] = 0;
            if (3 * m >= 2 * c->count) b->part[d][m] = LEVEL_FACE_WHOLE;
        }
        free(random);
    }
    b->r = level_values(c->count, 71);
    b->z = level_values(c->count, 72);
    b->e = level_values(c->coarse_count, 73);
    b->q = level_values(c->count, 74);
    b->prolonged = level_values(c->count, 75);
    for (int n = 0; n < OUTPUTS; ++n) b->out[n] = calloc((size_t)c->count, sizeof(double));
}

static void bodies_close(struct bodies *b)
{
    for (int d = 0; d < 3; ++d) free(b->part[d]);
    double *const all[] = {b->r, b->z, b->e, b->q, b->prolonged};
    for (int n = 0; n < 5; ++n) free(all[n]);
    for (int n = 0; n < OUTPUTS; ++n) free(b->out[n]);
}

static level_word word_of(const struct bodies *b, ptrdiff_t m)
{
    level_word word = 0;
    for (int f = 0; f < FACES; ++f) {
        const int d = f / 2, part = b->part[d][f % 2 ? m : beside(b->c, m, d, 0)];
        word |= b->words ? (level_word)part << (f * LEVEL_FACE_BITS) : (level_word)(part > 0) << f;
    }
    return word;
}

/* The weights of a part with two layers of halo; beyond faces in p->around all bits are set. */
static void put_weights(struct level_part *p, const struct bodies *b)
{
    const struct box q = p->lb;
    const int *n = p->c->ref.n, own[3] = {q.nx, q.ny, q.nz};
    level_word *words = calloc((size_t)q.size, sizeof *words);
    unsigned char *bytes = calloc((size_t)q.size, 1);
    assert_true(words != NULL && bytes != NULL);
    for (int k = -q.h; k < q.nz + q.h; ++k)
        for (int j = -q.h; j < q.ny + q.h; ++j)
            for (int i = -q.h; i < q.nx + q.h; ++i) {
                const int cell[3] = {i, j, k};
                int g[3], hidden = 0;
                for (int d = 0; d < 3; ++d) {
                    hidden = hidden || ((cell[d] < 0 || cell[d] >= own[d]) && p->around >> (2 * d) & 1);
                    g[d] = (p->from[d] + cell[d] + 4 * n[d]) % n[d];
                }
                const level_word word = word_of(b, ((ptrdiff_t)g[Z] * n[Y] + g[Y]) * n[X] + g[X]);
                words[at(q, i, j, k)] = hidden ? ~(level_word)0 : word;
                bytes[at(q, i, j, k)] = hidden ? 0xff : (unsigned char)word;
            }
    if (b->words) p->s.faces = level_kernel(p, words, (size_t)q.size * sizeof *words);
    else p->s.open = level_kernel(p, bytes, (size_t)q.size);
    free(words);
    free(bytes);
}

static void mark(struct level_part *p, struct cells cells, const struct bodies *b)
{
    put_weights(p, b);
    level_word *words = b->words ? (level_word *)(void *)level_array(p, p->lb) : NULL;
    unsigned char *bytes = b->words ? NULL : (unsigned char *)(void *)level_array(p, p->lb);
    assert_int_equal(level_mark(p->lb, p->s, cells, p->t, bytes, words), KOL_OK);
    p->s.open = bytes;
    p->s.faces = words;
}

/* Steps, the residual of the whole grid, and the correction. */
static void steps_part(struct level_part *p, struct cells cells, void *data)
{
    struct bodies *b = data;
    mark(p, cells, b);
    level_real *out = level_array(p, p->lb), *z = level_from(p, b->z, 0, 0);
    assert_int_equal(
        level_start(p->lb, p->s, cells, (level_real)C0, (level_real)C1, level_from(p, b->r, 1, 0), out),
        KOL_OK);
    assert_int_equal(level_outside(p->lb, out), 0);
    level_get(p, out, b->out[STARTED]);
    assert_int_equal(
        level_residual(p->lb, p->s, cells, level_from(p, b->r, 0, 0), level_from(p, b->z, 1, 0), out),
        KOL_OK);
    level_get(p, out, b->q);
    const struct level_correction own = {
        p->t, p->cb, {0, 0, 0}, level_paired(p), p->around, level_coarse(p, b->e, 2, 1)};
    assert_int_equal(level_prolong_open(p->lb, p->s, &own, z), KOL_OK);
    level_get(p, z, b->prolonged);
}

/* Whether the coarse cells of a part have all their fine cells in it. */
static int pairs_are_own(const struct level_part *p)
{
    int own = 1;
    for (int d = 0; d < 3; ++d)
        own = own && level_begins(p->c, d, p->from[d]) && level_begins(p->c, d, p->from[d] + p->n[d]);
    return own;
}

/* Compares the residuals of the cells that move. */
static void check_moved(struct level_part *p, const level_real *left, struct bodies *b)
{
    const size_t size = b->words ? sizeof(level_word) : 1;
    const int *n = b->c->ref.n;
    level_real *got = level_copy(p->lb, left);
    unsigned char *marked = malloc((size_t)p->lb.size * size);
    assert_non_null(marked);
    assert_int_equal(mem_to_host(marked, b->words ? (const void *)p->s.faces : (const void *)p->s.open,
                                 (size_t)p->lb.size * size),
                     KOL_OK);
    const struct level_stencil s = {.open = b->words ? NULL : marked,
                                    .faces = b->words ? (const level_word *)(const void *)marked : NULL};
    for (int k = 0; k < p->n[Z]; ++k)
        for (int j = 0; j < p->n[Y]; ++j)
            for (int i = 0; i < p->n[X]; ++i) {
                const ptrdiff_t o = at(p->lb, i, j, k);
                const ptrdiff_t m = ((ptrdiff_t)(p->from[Z] + k) * n[Y] + p->from[Y] + j) * n[X] + p->from[X];
                if (point_level_moved(s, o) < 0) continue;
                b->wrong += got[o] != (level_real)b->q[m + i];
                ++b->moves;
            }
    free(marked);
    free(got);
}

static void joined_part(struct level_part *p, struct cells cells, void *data)
{
    struct bodies *b = data;
    mark(p, cells, b);
    const level_real *r = level_from(p, b->r, 0, 0), *z = level_from(p, b->z, 1, 0);
    const level_real *q = level_from(p, b->q, 2, 1);
    level_real *out = level_array(p, p->lb), *coarse = level_array(p, p->cb);
    assert_int_equal(level_smooth(p->lb, p->s, cells, STEP, r, level_from(p, b->prolonged, 1, 0), NULL, out),
                     KOL_OK);
    level_get(p, out, b->out[SMOOTHED_APART]);
    const struct level_correction late = {p->t, p->cb, {0, 0, 0}, 1, p->around, level_coarse(p, b->e, 1, 1)};
    if (level_smooth_corrects() && pairs_are_own(p))
        assert_int_equal(level_smooth(p->lb, p->s, cells, STEP, r, z, &late, out), KOL_OK);
    level_get(p, out, b->out[SMOOTHED]);
    assert_int_equal(level_restrict_open(p->lb, p->s, cells, p->t, p->nc, p->cb, q, coarse), KOL_OK);
    assert_int_equal(level_outside(p->cb, coarse), 0);
    level_coarse_get(p, coarse, b->out[COARSE_APART]);
    if (pairs_are_own(p)) {
        level_real *left = level_array(p, p->lb);
        assert_int_equal(level_descend_open(p->lb, p->s, cells, p->t, p->nc, p->cb, r, z, left, coarse),
                         KOL_OK);
        check_moved(p, left, b);
        assert_int_equal(level_restrict_moved(p->lb, p->s, cells, p->t, p->nc, p->cb, q, coarse), KOL_OK);
    }
    level_coarse_get(p, coarse, b->out[COARSE]);
}

static int all_dead;

/* z = c0 y + c1 (y - A y / D), y = r / D, as sums over the faces of each cell. A smoothing step leaves 0 in a
 * dead cell of the first level. */
static void check_start(const struct bodies *b)
{
    const struct level_case *c = b->c;
    const int *n = c->ref.n;
    double *diag = calloc((size_t)c->count, sizeof *diag), *sum = calloc((size_t)c->count, sizeof *sum);
    assert_true(diag != NULL && sum != NULL);
    for (int way = 0; way < 2; ++way)
        for (ptrdiff_t m = 0; m < c->count; ++m) {
            const int i[3] = {(int)(m % n[X]), (int)(m / n[X] % n[Y]), (int)(m / n[X] / n[Y])};
            for (int f = 0; f < FACES; ++f) {
                const int d = f / 2, x = (d + 1) % 3, y = (d + 2) % 3;
                const ptrdiff_t near = beside(c, m, d, f % 2);
                const int part = b->part[d][f % 2 ? m : near];
                const double weight = b->words ? (double)part / LEVEL_FACE_WHOLE : part > 0;
                const double link =
                    weight * c->ref.width[x][i[x]] * c->ref.width[y][i[y]] * c->ref.link[d][i[d] + f % 2];
                if (way == 0) diag[m] += link;
                else if (link > 0) sum[m] += link * b->r[near] / diag[near];
            }
        }
    for (ptrdiff_t m = 0; m < c->count; ++m) {
        const double y = diag[m] > 0 ? b->r[m] / diag[m] : 0;
        const double far = diag[m] > 0 ? sum[m] / diag[m] : 0;
        CHECK_NEAR(b->out[STARTED][m], C0 * y + C1 * far,
                   ROUNDINGS * LEVEL_EPSILON * (fabs(y) + fabs(far) + 1));
        if (b->words || word_of(b, m) != 0) continue;
        assert_true(b->out[SMOOTHED][m] == 0);
        ++all_dead;
    }
    free(diag);
    free(sum);
}

/* <P e, q> = <e, R q>, and no cell is added twice: a constant is interpolated as itself. */
static void check_transfers(const struct bodies *b)
{
    double there = 0, back = 0, magnitude = 0;
    for (ptrdiff_t m = 0; m < b->c->count; ++m) {
        there += (b->prolonged[m] - b->z[m]) * b->q[m];
        magnitude += fabs(b->q[m]) * 2;
    }
    for (ptrdiff_t m = 0; m < b->c->coarse_count; ++m) back += b->e[m] * b->out[COARSE_APART][m];
    CHECK_NEAR(there, back, ROUNDINGS * LEVEL_EPSILON * magnitude);
}

static int all_moves;
static struct bodies first; /* of the whole box */

static void compute(struct level_case *c, const struct level_cut *cut, int words, struct bodies *b)
{
    bodies_open(c, words, b);
    level_each_part(c, cut, steps_part, b);
    level_each_part(c, cut, joined_part, b);
}

static void check_kind(struct level_case *c, int words)
{
    compute(c, &level_cuts[0], words, &first);
    check_start(&first);
    check_transfers(&first);
    for (int m = 0; m < LEVEL_CUTS; ++m) {
        struct bodies b;
        if (!level_cut_fits(c, &level_cuts[m])) continue;
        compute(c, &level_cuts[m], words, &b);
        assert_int_equal(b.wrong, 0);
        all_moves += b.moves;
        const size_t fine = (size_t)c->count * sizeof(double);
        const size_t coarse = (size_t)c->coarse_count * sizeof(double);
        assert_memory_equal(b.out[STARTED], first.out[STARTED], fine);
        assert_memory_equal(b.prolonged, first.prolonged, fine);
        assert_memory_equal(b.out[SMOOTHED], b.out[SMOOTHED_APART], fine);
        assert_memory_equal(b.out[SMOOTHED], first.out[SMOOTHED], fine);
        assert_memory_equal(b.out[COARSE], b.out[COARSE_APART], coarse);
        assert_memory_equal(b.out[COARSE], first.out[COARSE], coarse);
        bodies_close(&b);
    }
    bodies_close(&first);
}

static void test_bytes_and_words(void **state)
{
    (void)state;
    for (int n = 0; n < LEVEL_INPUTS; ++n)
        for (int words = 0; words < 2; ++words) {
            struct level_case c;
            level_case_open(&level_inputs[n], &c);
            check_kind(&c, words);
            level_case_close(&c);
        }
    assert_true(all_moves > 100);
    assert_true(all_dead > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes_and_words)};
    return cmocka_run_group_tests_name("levels with bodies", tests, NULL, NULL);
}

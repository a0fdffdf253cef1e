/* Adds a force by formulas, and sums its power. A formula is evaluated along rows in x: what does not depend
 * on x is computed once for a row. Each operation is that of kernels/base/formula_step.h, with the same
 * values, so the bits are those of a point by itself. */
#include "../formula_force.h"
#include "../point/formula_force.h"
#include "rows.h"

enum { CHUNK = 64 }; /* values of a row at a time */

/* stack: values that are the same along the row, or differ. */
struct stack {
    double row[FORMULA_DEPTH + 1][CHUNK];
    double one[FORMULA_DEPTH + 1];
    int varies[FORMULA_DEPTH + 1];
};

static inline void each(int operation, int n, double *a)
{
    for (int i = 0; i < n; ++i) a[i] = formula_one(operation, a[i]);
}

static inline void pairs(int operation, int n, double *a, const double *b)
{
    for (int i = 0; i < n; ++i) a[i] = formula_two(operation, a[i], b[i]);
}

/* An operation of one value, that on top. */
static void one(struct stack *s, int top, int operation, int n)
{
    if (!s->varies[top]) s->one[top] = formula_one(operation, s->one[top]);
    else each(operation, n, s->row[top]);
}

static void spread(struct stack *s, int place, int n)
{
    if (s->varies[place]) return;
    for (int i = 0; i < n; ++i) s->row[place][i] = s->one[place];
    s->varies[place] = 1;
}

/* An operation of the two values on top; the result is in the place of the lower one. */
static void two(struct stack *s, int low, int operation, int n)
{
    double *a = s->row[low], *b = s->row[low + 1];
    if (!s->varies[low] && !s->varies[low + 1]) {
        s->one[low] = formula_two(operation, s->one[low], s->one[low + 1]);
        return;
    }
    spread(s, low, n);
    spread(s, low + 1, n);
    switch (operation) { /* the compiler makes vector instructions of operations that it knows */
    case FORMULA_ADD:
        pairs(FORMULA_ADD, n, a, b);
        break;
    case FORMULA_SUBTRACT:
        pairs(FORMULA_SUBTRACT, n, a, b);
        break;
    case FORMULA_MULTIPLY:
        pairs(FORMULA_MULTIPLY, n, a, b);
        break;
    default:
        pairs(operation, n, a, b);
    }
}

/* The force along d at n points of the row (j, k) from point i on. */
static void force_chunk(const struct formula_field *f, int d, int i, int j, int k, int n, double *force)
{
    struct stack s;
    const double *x = (d == X ? f->face[X] : f->centre[X]) + i;
    double variable[FORMULA_VARIABLES];
    int top = -1;
    point_formula_variables(f, d, i, j, k, variable);
    for (const struct formula_step *at = f->step[d]; at < f->step[d] + f->count[d]; ++at) {
        const int which = at->operation == FORMULA_VARIABLE ? (int)at->number : -1;
        if (at->operation == FORMULA_NUMBER || at->operation == FORMULA_VARIABLE) {
            s.varies[++top] = which == FORMULA_X;
            s.one[top] = which < 0 ? at->number : variable[which];
            for (int p = 0; p < n && which == FORMULA_X; ++p) s.row[top][p] = x[p];
        } else if (at->operation < FORMULA_ADD) {
            one(&s, top, at->operation, n);
        } else {
            two(&s, --top, at->operation, n);
        }
    }
    spread(&s, 0, n);
    for (int p = 0; p < n; ++p) force[p] = s.row[0][p];
}

/* The number of points of the chunk that begins at i. */
static int chunk_of(struct box b, int i)
{
    return b.nx - i < CHUNK ? b.nx - i : CHUNK;
}

/* The force is 0 on faces that bodies close, whatever the formula gives there. */
static void leave_out_closed(struct box b, const struct formula_field *f, int d, int i, int j, int k, int n,
                             double *force)
{
    for (int p = 0; p < n; ++p)
        if (!point_formula_acts(b, f, d, i + p, j, k)) force[p] = 0;
}

kol_status formula_force_apply(struct box b, const struct formula_field *f, real a, real *const vel[3],
                               real *const old[3])
{
    double force[CHUNK];
    for (int d = 0; d < 3; ++d) {
        if (f->count[d] == 0) continue;
        for (int k = 0; k < b.nz; ++k)
            for (int j = 0; j < b.ny; ++j)
                for (int i = 0; i < b.nx; i += CHUNK) {
                    const int n = chunk_of(b, i);
                    force_chunk(f, d, i, j, k, n, force);
                    if (f->open != NULL) leave_out_closed(b, f, d, i, j, k, n, force);
                    for (int p = 0; p < n; ++p) vel[d][at(b, i + p, j, k)] += a * (real)force[p];
                    for (int p = 0; p < n && old != NULL; ++p) old[d][at(b, i + p, j, k)] += (real)force[p];
                }
    }
    return KOL_OK;
}

static void power_row(struct box b, struct metrics m, const struct formula_field *f, real *const vel[3],
                      int j, int k, double *out)
{
    double force[3][CHUNK] = {{0}};
    for (int i = 0; i < b.nx; i += CHUNK) {
        const int n = chunk_of(b, i);
        for (int d = 0; d < 3; ++d)
            if (f->count[d] > 0) {
                force_chunk(f, d, i, j, k, n, force[d]);
                if (f->open != NULL) leave_out_closed(b, f, d, i, j, k, n, force[d]);
            }
        for (int p = 0; p < n; ++p) {
            const double here[3] = {force[X][p], force[Y][p], force[Z][p]};
            out[i + p] = point_formula_power(b, m, f, vel[X], vel[Y], vel[Z], here, i + p, j, k);
        }
    }
}

kol_status formula_force_power(struct box b, struct metrics m, struct blocks bl,
                               const struct formula_field *f, real *const vel[3])
{
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 1);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    power_row(b, m, f, vel, j, k, rows_of(bl, b, 0));
                    lanes_row_sum(bl, lanes_of(bl, 0, by), rows_of(bl, b, 0));
                }
            }
        }
        lanes_flush(bl, 1, 0, bz);
    }
    return KOL_OK;
}

static void total_row(struct box b, struct metrics m, const struct formula_field *f, int d, int j, int k,
                      double *out)
{
    for (int i = 0; i < b.nx && f->count[d] == 0; ++i) out[i] = 0;
    for (int i = 0; i < b.nx && f->count[d] > 0; i += CHUNK) {
        const int n = chunk_of(b, i);
        double force[CHUNK];
        force_chunk(f, d, i, j, k, n, force);
        leave_out_closed(b, f, d, i, j, k, n, force);
        for (int p = 0; p < n; ++p) out[i + p] = force[p] * point_formula_volume(m, f, d, i + p, j, k);
    }
}

kol_status formula_force_total(struct box b, struct metrics m, struct blocks bl,
                               const struct formula_field *f)
{
    for (int bz = 0; bz < bl.nz; ++bz) {
        lanes_clear(bl, 3);
        for (int k = bl.z[bz]; k < bl.z[bz + 1]; ++k) {
            for (int by = 0; by < bl.ny; ++by) {
                for (int j = bl.y[by]; j < bl.y[by + 1]; ++j) {
                    for (int d = 0; d < 3; ++d) {
                        total_row(b, m, f, d, j, k, rows_of(bl, b, d));
                        lanes_row_sum(bl, lanes_of(bl, d, by), rows_of(bl, b, d));
                    }
                }
            }
        }
        lanes_flush(bl, 3, 0, bz);
    }
    return KOL_OK;
}

/* One cell of the sweeps of ../level.h. What does not change along z is computed once for each column, and
 * what does not change in a plane once for each plane. Every kernel uses the same expressions, so that a cell
 * gets the same bits wherever it is computed. */
#ifndef KOL_POINT_LEVEL_H
#define KOL_POINT_LEVEL_H

#include <math.h>
#include "../level.h"

/* level_column: the area of a column, and the coefficients of its four neighbours in the plane, per unit of
 * height. cross is the sum of these coefficients. level_plane: the height of a plane, and the inverse
 * distances to the planes below and above. */
struct level_column {
    level_real area, xl, xh, yl, yh, cross;
};
struct level_plane {
    level_real w, zl, zh;
};

HD struct level_column point_level_column(struct level_stencil s, int i, int j)
{
    struct level_column c;
    c.area = s.wx[i] * s.wy[j];
    c.xl = s.wy[j] * s.gx[i];
    c.xh = s.wy[j] * s.gx[i + 1];
    c.yl = s.wx[i] * s.gy[j];
    c.yh = s.wx[i] * s.gy[j + 1];
    c.cross = (c.xl + c.xh) + (c.yl + c.yh);
    return c;
}

HD struct level_plane point_level_plane(struct level_stencil s, int k)
{
    struct level_plane h;
    h.w = s.wz[k];
    h.zl = s.gz[k];
    h.zh = s.gz[k + 1];
    return h;
}

/* point_level_inverse: returns 1 / D. */
HD level_real point_level_inverse(struct level_column c, struct level_plane h)
{
    return 1 / (h.w * c.cross + c.area * (h.zl + h.zh));
}

/* level_open: the weights of the six faces of a cell in a box with bodies.
 *
 * point_level_open: reads them at place q of the stencil, from s.open if `bits` is set, else from s.faces.
 *
 * point_level_moved: returns the direction in which the cell moves (below), or -1; level_mark() has stored
 * it. */
struct level_open {
    level_real w[FACES];
};

HD struct level_open point_level_open_bits(unsigned open)
{
    struct level_open a;
    for (int f = 0; f < FACES; ++f) a.w[f] = open >> f & 1u ? (level_real)1 : 0;
    return a;
}

HD struct level_open point_level_open_word(level_word word)
{
    const level_real part = (level_real)1 / LEVEL_FACE_WHOLE;
    struct level_open a;
    for (int f = 0; f < FACES; ++f) {
        const int n = (int)(word >> (f * LEVEL_FACE_BITS) & (((level_word)1 << LEVEL_FACE_BITS) - 1));
        a.w[f] = n == LEVEL_FACE_WHOLE ? 1 : (level_real)n * part;
    }
    return a;
}

HD struct level_open point_level_open(struct level_stencil s, ptrdiff_t q, int bits)
{
    return bits ? point_level_open_bits(s.open[q]) : point_level_open_word(s.faces[q]);
}

HD int point_level_moved_bits(unsigned open)
{
    return (int)(open >> FACES) - 1;
}

HD int point_level_moved_word(level_word word)
{
    return (int)(word >> (FACES * LEVEL_FACE_BITS)) - 1;
}

HD int point_level_moved(struct level_stencil s, ptrdiff_t q)
{
    return s.open != NULL ? point_level_moved_bits(s.open[q]) : point_level_moved_word(s.faces[q]);
}

/* point_level_column_open, point_level_plane_open: return the coefficients of a cell, whose faces have these
 * weights. */
HD struct level_column point_level_column_open(struct level_column c, struct level_open a)
{
    c.xl *= a.w[FACE_X_LOW];
    c.xh *= a.w[FACE_X_HIGH];
    c.yl *= a.w[FACE_Y_LOW];
    c.yh *= a.w[FACE_Y_HIGH];
    c.cross = (c.xl + c.xh) + (c.yl + c.yh);
    return c;
}

HD struct level_plane point_level_plane_open(struct level_plane h, struct level_open a)
{
    h.zl *= a.w[FACE_Z_LOW];
    h.zh *= a.w[FACE_Z_HIGH];
    return h;
}

/* point_level_inverse_open: returns 1 / D, or 0 in a dead cell. */
HD level_real point_level_inverse_open(struct level_column c, struct level_plane h)
{
    const level_real diag = h.w * c.cross + c.area * (h.zl + h.zh);
    return diag > 0 ? 1 / diag : 0;
}

/* point_level_apply: returns A z, computed from differences. The result is exact for a constant z. Where no
 * flux passes, the caller may pass z itself as the neighbour. */
HD level_real point_level_apply(struct level_column c, struct level_plane h, level_real z, level_real xl,
                                level_real xh, level_real yl, level_real yh, level_real zl, level_real zh)
{
    const level_real plane = (c.xl * (z - xl) + c.xh * (z - xh)) + (c.yl * (z - yl) + c.yh * (z - yh));
    return h.w * plane + c.area * (h.zl * (z - zl) + h.zh * (z - zh));
}

/* point_level_start: returns c0 y + c1 (1 - A/D) y. It needs y and its six neighbours. inverse: 1 / D. */
HD level_real point_level_start(struct level_column c, struct level_plane h, level_real inverse,
                                level_real c0, level_real c1, level_real y, level_real xl, level_real xh,
                                level_real yl, level_real yh, level_real zl, level_real zh)
{
    const level_real plane = (c.xl * xl + c.xh * xh) + (c.yl * yl + c.yh * yh);
    const level_real sum = h.w * plane + c.area * (h.zl * zl + h.zh * zh);
    return c0 * y + c1 * (sum * inverse);
}

/* point_level_smooth: returns z + step * correction, where correction = (r - A z) / D. */
HD level_real point_level_smooth(level_real z, level_real step, level_real correction)
{
    return z + step * correction;
}

/* point_level_scale: returns the power of two of level_enter. The exponent is limited, so that neither the
 * scale nor its inverse overflows. */
enum { LEVEL_EXPONENT_MOST = 1000 };

HD double point_level_scale(const struct cg_state *cg, double volume)
{
    const double most = cg != NULL ? cg->most * volume : 0;
    int e = 0;
    if (!(most > 0) || !cg_finite(most)) return 1;
    (void)frexp(most, &e);
    if (e > LEVEL_EXPONENT_MOST) e = LEVEL_EXPONENT_MOST;
    if (e < -LEVEL_EXPONENT_MOST) e = -LEVEL_EXPONENT_MOST;
    return ldexp(1.0, -e);
}

/* level_dense adds up a row in LEVEL_LANES sums: value n goes to sum n modulo LEVEL_LANES. Then it adds the
 * upper half of the sums to the lower half, until one sum is left. */
enum { LEVEL_LANES = 32 };

/* point_level_own: returns the weight of the parent in the value interpolated at fine cell i. */
HD level_real point_level_own(struct level_transfer t, int i)
{
    return (1 - t.low[i]) - t.high[i];
}

/* A coarse cell restricts from at most LEVEL_FINE fine cells, in ascending order. point_level_fine: returns
 * the index of one of them. point_level_weight: returns its weight. A cell of weight 0 must not be read. */
enum { LEVEL_FINE = 4 };

HD int point_level_fine(struct level_transfer t, int coarse, int n)
{
    const int first = t.first[coarse], end = t.first[coarse + 1];
    return n == LEVEL_FINE - 1 ? end : first - 1 + n;
}

HD level_real point_level_weight(struct level_transfer t, int coarse, int n)
{
    const int first = t.first[coarse], end = t.first[coarse + 1];
    if (n == 0) return t.high[first - 1];
    if (n == LEVEL_FINE - 1) return t.low[end];
    return first - 1 + n < end ? point_level_own(t, first - 1 + n) : 0;
}

/* point_level_turned: returns the index at which cell i is read, which lies at most n beyond the box. If
 * `around` has that direction, it is on the opposite side. */
HD int point_level_turned(int i, int n, unsigned around, int direction)
{
    if ((i >= 0 && i < n) || !(around >> (2 * direction) & 1u)) return i;
    return i < 0 ? i + n : i - n;
}

/* Where the face between the two cells of a pair is closed, one coarse value can't stand for both sides of
 * it. Then the upper cell moves to the coarse neighbour above, if its way there is open, and unless an open
 * way leads round the face inside the coarse cell. A cell moves in one direction at most. A face is taken for
 * closed if its weight is below LEVEL_HALF.
 *
 * level_near: the surroundings of a fine cell, which may lie one cell beyond the own ones; what is read lies
 * at most two beyond. point_level_shut: returns whether face f of the cell at i + offset is closed. */
#define LEVEL_HALF ((level_real)0.5)
#define LEVEL_SHUT ((level_real)0.1)
struct level_near {
    struct box b;
    struct level_stencil s;
    unsigned around;
    struct level_transfers t;
    int i[3];
};

HD ptrdiff_t point_level_place(struct box lb, unsigned around, int i, int j, int k)
{
    return at(lb, point_level_turned(i, lb.nx, around, X), point_level_turned(j, lb.ny, around, Y),
              point_level_turned(k, lb.nz, around, Z));
}

HD struct level_open point_level_near(const struct level_near *n, const int offset[3])
{
    const ptrdiff_t q =
        point_level_place(n->b, n->around, n->i[X] + offset[X], n->i[Y] + offset[Y], n->i[Z] + offset[Z]);
    return point_level_open(n->s, q, n->s.open != NULL);
}

HD int point_level_live(struct level_open a)
{
    level_real sum = 0;
    for (int f = 0; f < FACES; ++f) sum += a.w[f];
    return sum > 0;
}

/* point_level_round: returns whether a way leads from a cell to the one below it in direction d, through the
 * cells beside the two beyond face f. own, below: the weights of the two. */
HD int point_level_round(const struct level_near *n, int d, int f, struct level_open own,
                         struct level_open below)
{
    const int e = f / 2;
    const level_real *const g = e == X ? n->s.gx : e == Y ? n->s.gy : n->s.gz;
    int offset[3] = {0, 0, 0};
    if (own.w[f] < LEVEL_SHUT || below.w[f] < LEVEL_SHUT || g[n->i[e] + f % 2] == 0) return 0;
    offset[e] = f % 2 ? 1 : -1;
    return point_level_near(n, offset).w[2 * d] >= LEVEL_SHUT;
}

HD int point_level_moves_in(const struct level_near *n, int d, struct level_open own)
{
    const level_real *const g = d == X ? n->s.gx : d == Y ? n->s.gy : n->s.gz;
    const int *const parent = d == X ? n->t.x.parent : d == Y ? n->t.y.parent : n->t.z.parent;
    const int i = n->i[d];
    int offset[3] = {0, 0, 0};
    if (own.w[2 * d] >= LEVEL_SHUT || own.w[2 * d + 1] < LEVEL_HALF || parent[i - 1] != parent[i] ||
        g[i + 1] == 0)
        return 0;
    offset[d] = -1;
    const struct level_open below = point_level_near(n, offset);
    if (!point_level_live(below)) return 0;
    for (int f = 0; f < FACES; ++f)
        if (f / 2 != d && point_level_round(n, d, f, own, below)) return 0;
    return 1;
}

/* point_level_moves: returns the direction in which fine cell (i, j, k) moves, or -1. */
HD int point_level_moves(struct box lb, struct level_stencil s, unsigned around, struct level_transfers t,
                         int i, int j, int k)
{
    const struct level_near n = {lb, s, around, t, {i, j, k}};
    const int none[3] = {0, 0, 0};
    const struct level_open own = point_level_near(&n, none);
    return point_level_moves_in(&n, X, own)   ? X
           : point_level_moves_in(&n, Y, own) ? Y
           : point_level_moves_in(&n, Z, own) ? Z
                                              : -1;
}

/* point_level_marks: returns whether level_mark() sets a mark at cell (i, j, k): it does so at own cells and
 * in the first halo layer. point_level_mark: returns the mark: 1 + the direction in which the cell moves, or
 * 0. */
HD int point_level_marks(struct box lb, int i, int j, int k)
{
    return i >= -1 && i <= lb.nx && j >= -1 && j <= lb.ny && k >= -1 && k <= lb.nz;
}

HD unsigned point_level_mark(struct box lb, struct level_stencil s, unsigned around, struct level_transfers t,
                             int i, int j, int k)
{
    return point_level_marks(lb, i, j, k) ? 1u + (unsigned)point_level_moves(lb, s, around, t, i, j, k) : 0;
}

/* point_level_from: returns the place from which level_mark() takes the weights of a cell. */
HD ptrdiff_t point_level_from(struct box lb, unsigned around, int i, int j, int k)
{
    return point_level_marks(lb, i, j, k) ? point_level_place(lb, around, i, j, k) : at(lb, i, j, k);
}

/* point_level_mean: returns the mean weight of the links of a coarse cell across its face f, by their areas.
 * A link is a fine face between a cell that belongs to the coarse cell and one that belongs to the neighbour.
 * from, to: the fine cells of the coarse cell, from .. to - 1 in each direction. A wall of the grid is
 * closed, because what lies beyond it depends on the ranks. */
HD level_real point_level_mean(struct box lb, struct level_stencil s, unsigned around, int f,
                               const int from[3], const int to[3])
{
    const level_real *const w[3] = {s.wx, s.wy, s.wz}, *const inverse[3] = {s.gx, s.gy, s.gz};
    const int d = f / 2, e = (d + 1) % 3, g = (d + 2) % 3;
    level_real area = 0, open = 0;
    int i[3];
    if (inverse[d][f % 2 == 0 ? from[d] : to[d]] == 0) return 0;
    i[d] = f % 2 == 0 ? from[d] - 1 : to[d] - 1;
    for (i[g] = from[g]; i[g] < to[g]; ++i[g]) {
        for (i[e] = from[e]; i[e] < to[e]; ++i[e]) {
            const level_real part = w[e][i[e]] * w[g][i[g]];
            const ptrdiff_t q = point_level_place(lb, around, i[X], i[Y], i[Z]);
            const int inner = point_level_moved(s, q) == d;
            area += part;
            open += part * point_level_open(s, q, s.open != NULL).w[2 * d + !inner];
        }
    }
    return open / area;
}

/* point_level_word: returns the word of a coarse cell, without a mark. */
HD level_word point_level_word(struct box lb, struct level_stencil s, unsigned around,
                               struct level_transfers t, int i, int j, int k)
{
    const int from[3] = {t.x.first[i], t.y.first[j], t.z.first[k]},
              to[3] = {t.x.first[i + 1], t.y.first[j + 1], t.z.first[k + 1]};
    level_word word = 0;
    for (int f = 0; f < FACES; ++f) {
        const level_real open = point_level_mean(lb, s, around, f, from, to);
        int parts = (int)(open * LEVEL_FACE_WHOLE + (level_real)0.5);
        if (parts == 0 && open > 0) parts = 1;
        word |= (level_word)parts << (f * LEVEL_FACE_BITS);
    }
    return word;
}

/* point_level_gather: returns the sum of q over the own fine cells of a coarse cell that do not move away: y
 * innermost, then z, then x. */
HD level_real point_level_gather(struct box lb, struct level_stencil s, unsigned around,
                                 struct level_transfers t, int i, int j, int k, const level_real *q)
{
    level_real sum = 0;
    for (int a = t.x.first[i]; a < t.x.first[i + 1]; ++a) {
        level_real plane = 0;
        for (int c = t.z.first[k]; c < t.z.first[k + 1]; ++c) {
            level_real row = 0;
            for (int b = t.y.first[j]; b < t.y.first[j + 1]; ++b) {
                const ptrdiff_t o = point_level_place(lb, around, a, b, c);
                row += point_level_moved(s, o) < 0 ? q[o] : 0;
            }
            plane += row;
        }
        sum += plane;
    }
    return sum;
}

/* point_level_gather_moved: returns `sum` plus q of the fine cells that move to a coarse cell from below, in
 * x, then in y, then in z. */
HD level_real point_level_gather_moved(struct box lb, struct level_stencil s, unsigned around,
                                       struct level_transfers t, int i, int j, int k, const level_real *q,
                                       level_real sum)
{
    const int from[3] = {t.x.first[i], t.y.first[j], t.z.first[k]},
              to[3] = {t.x.first[i + 1], t.y.first[j + 1], t.z.first[k + 1]};
    for (int d = 0; d < 3; ++d) {
        const int first[3] = {from[X] - (d == X), from[Y] - (d == Y), from[Z] - (d == Z)},
                  end[3] = {d == X ? from[X] : to[X], d == Y ? from[Y] : to[Y], d == Z ? from[Z] : to[Z]};
        for (int c = first[Z]; c < end[Z]; ++c) {
            for (int b = first[Y]; b < end[Y]; ++b) {
                for (int a = first[X]; a < end[X]; ++a) {
                    const ptrdiff_t o = point_level_place(lb, around, a, b, c);
                    if (point_level_moved(s, o) == d) sum += q[o];
                }
            }
        }
    }
    return sum;
}

/* point_level_correction: returns the correction of a fine cell: the value of the coarse cell to which it
 * belongs. moves: from point_level_moved(). */
HD level_real point_level_correction(const struct level_correction *c, int moves, int i, int j, int k)
{
    const int x = c->t.x.parent[i] + c->shift[X] + (moves == X),
              y = c->t.y.parent[j] + c->shift[Y] + (moves == Y),
              z = c->t.z.parent[k] + c->shift[Z] + (moves == Z);
    return c->e[point_level_place(c->box, c->around, x, y, z)];
}

/* level_parents: the coarse cells from which a fine cell interpolates. They are its parent with the weight
 * `own`, and, if beside is not 0, the cell `other` with the weight `beside`. */
struct level_parents {
    int parent, other;
    level_real own, beside;
};

HD struct level_parents point_level_parents(struct level_transfer t, int i)
{
    struct level_parents p;
    p.parent = t.parent[i];
    p.other = t.low[i] != 0 ? p.parent - 1 : p.parent + 1;
    p.own = point_level_own(t, i);
    p.beside = t.low[i] + t.high[i];
    return p;
}

#endif

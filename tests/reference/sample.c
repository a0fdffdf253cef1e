/* Computes samples of the flow at cell centres and at points with plain loops. */
#include "sample.h"

#include <math.h>

static double value(const struct ref_grid *g, const double *q, const int i[3], int d, int steps, int e,
                    int steps2)
{
    int c[3] = {i[0], i[1], i[2]};
    c[d] += steps;
    c[e] += steps2;
    return q[ref_index(g, c[0], c[1], c[2])];
}

void ref_velocity_gradient(const struct ref_grid *g, double *const vel[3], const int i[3], double out[3][3])
{
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            if (a == b) {
                out[a][a] =
                    (value(g, vel[a], i, a, 1, a, 0) - value(g, vel[a], i, a, 0, a, 0)) / g->dc[a][i[a]];
                continue;
            }
            double sum = 0;
            for (int face = 0; face < 2; ++face) {
                for (int edge = 0; edge < 2; ++edge) {
                    const double above = value(g, vel[a], i, a, face, b, edge),
                                 below = value(g, vel[a], i, a, face, b, edge - 1);
                    sum += (above - below) / g->df[b][(i[b] + edge) % g->n[b]];
                }
            }
            out[a][b] = sum / 4;
        }
    }
}

/* Halves of g and its transpose: added (strain) or subtracted (rotation). */
static void half(double g[3][3], double sign, double out[3][3])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out[i][j] = (g[i][j] + sign * g[j][i]) / 2;
}

double ref_q(double g[3][3])
{
    double s[3][3], r[3][3], q = 0;
    half(g, 1, s);
    half(g, -1, r);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) q += (r[i][j] * r[i][j] - s[i][j] * s[i][j]) / 2;
    return q;
}

/* Eigenvalues of a symmetric matrix below x: the signs of the pivots of a - x (Sylvester). */
static int count_below(double a[3][3], double x)
{
    double m[3][3];
    int below = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m[i][j] = a[i][j] - (i == j ? x : 0);
    for (int p = 0; p < 3; ++p) {
        if (m[p][p] == 0) m[p][p] = -1e-300; /* x is a value of a leading part: a hair beside it */
        below += m[p][p] < 0;
        for (int i = p + 1; i < 3; ++i)
            for (int j = p + 1; j < 3; ++j) m[i][j] -= m[i][p] * m[p][j] / m[p][p];
    }
    return below;
}

double ref_lambda2(double g[3][3])
{
    double s[3][3], r[3][3], m[3][3], size = 0;
    half(g, 1, s);
    half(g, -1, r);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            m[i][j] = 0;
            for (int k = 0; k < 3; ++k) m[i][j] += s[i][k] * s[k][j] + r[i][k] * r[k][j];
            size += fabs(m[i][j]);
        }
    }
    double low = -size, high = size;
    for (int n = 0; n < 70; ++n) {
        const double middle = (low + high) / 2;
        if (count_below(m, middle) >= 2) high = middle;
        else low = middle;
    }
    return (low + high) / 2;
}

/* The squares of the gradients of the velocity in a cell, at its centre or at the four edges around it. */
static double squares_of_gradients(const struct ref_grid *g, double *const vel[3], const int i[3])
{
    double sum = 0;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            for (int face = 0; face < 2; ++face)
                for (int edge = 0; edge < 2; ++edge) {
                    const double slope =
                        a == b ? (value(g, vel[a], i, a, 1, a, 0) - value(g, vel[a], i, a, 0, a, 0)) /
                                     g->dc[a][i[a]]
                               : (value(g, vel[a], i, a, face, b, edge) -
                                  value(g, vel[a], i, a, face, b, edge - 1)) /
                                     g->df[b][(i[b] + edge) % g->n[b]];
                    sum += slope * slope / 4;
                }
    return sum;
}

void ref_cell_products(const struct ref_grid *g, double nu, double *const field[4], const int i[3],
                       double out[15])
{
    static const int FACTOR[10][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2},
                                      {1, 2}, {3, 3}, {0, 3}, {1, 3}, {2, 3}};
    for (int c = 0; c < 4; ++c) {
        int up[3] = {i[0], i[1], i[2]};
        const double low = field[c][ref_index(g, i[0], i[1], i[2])];
        if (c < 3) ++up[c];
        out[c] = (low + field[c][ref_index(g, up[0], up[1], up[2])]) / 2;
    }
    for (int n = 0; n < 10; ++n) out[4 + n] = out[FACTOR[n][0]] * out[FACTOR[n][1]];
    out[14] = nu * squares_of_gradients(g, field, i);
}

/* Computes the lowest eigenvalue of the errors that the next grid can't represent. */
#include "multigrid_eigenvalue.h"

#include <math.h>
#include <stdlib.h>

/* Halvings of an interval: of mu, which lies between 0 and 2; of nu, to this part of it. */
enum { HALVINGS_MU = 12, HALVINGS_NU = 40 };
static const double NU_PRECISION = 1e-6;

/* ring: the pencil T - nu W of one direction, W diagonal and positive, T symmetric; value i is coupled with i
 * + 1 by side[i], the last with the first. low, high: the least eigenvalue nu lies between. */
struct ring {
    int n;
    double *diagonal, *side, *weight;
    double low, high;
};

/* Whether T - nu W is positive definite: the pivots of its elimination. `fill` couples the row at hand with
 * the last one. */
static int positive(const struct ring *t, double nu)
{
    const int last = t->n - 1;
    double pivot = t->diagonal[0] - nu * t->weight[0], end = t->diagonal[last] - nu * t->weight[last];
    if (last == 0) return pivot + 2 * t->side[0] > 0;
    double fill = t->side[last];
    for (int i = 0; i < last - 1; ++i) {
        if (!(pivot > 0)) return 0;
        const double factor = t->side[i] / pivot;
        end -= fill * fill / pivot;
        fill *= -factor;
        pivot = t->diagonal[i + 1] - nu * t->weight[i + 1] - factor * t->side[i];
    }
    fill += t->side[last - 1];
    return pivot > 0 && end - fill * fill / pivot > 0;
}

static double least_nu(const struct ring *t)
{
    double low = t->low, high = t->high;
    for (int n = 0; n < HALVINGS_NU && high - low > NU_PRECISION * fabs(low); ++n) {
        const double mid = (low + high) / 2;
        if (positive(t, mid)) {
            low = mid;
        } else {
            high = mid;
        }
    }
    return low;
}

/* L - mu E against the widths, L the second differences of a direction, E its diagonal. A constant gives the
 * upper bound. */
static void ring_any(const struct line *l, double mu, struct ring *t)
{
    double diagonals = 0, widths = 0;
    t->n = l->n;
    t->low = 0;
    for (int i = 0; i < l->n; ++i) {
        const double above = line_inverse(l, i + 1), diagonal = line_inverse(l, i) + above;
        t->diagonal[i] = (1 - mu) * diagonal;
        t->side[i] = -above;
        t->weight[i] = l->width[i];
        t->low = fmin(t->low, -mu * diagonal / l->width[i]);
        diagonals += diagonal;
        widths += l->width[i];
    }
    t->high = -mu * diagonals / widths;
}

/* The same of functions that are w1/(w0 + w1) and -w0/(w0 + w1) in the two cells of a pair, times any number.
 */
static void ring_of_pairs(const struct line *l, const struct pairs *pairs, double mu, struct ring *t)
{
    t->n = 0;
    t->low = 0;
    t->high = INFINITY;
    for (int i = 0; i + 1 < l->n; ++i) {
        if (!multigrid_pairs_begin(pairs, i)) continue;
        const double w0 = l->width[i], w1 = l->width[i + 1], f0 = w1 / (w0 + w1), f1 = f0 - 1;
        const double between = line_inverse(l, i + 1), above = line_inverse(l, i + 2);
        const double d0 = line_inverse(l, i) + between, d1 = between + above;
        const int p = t->n++, next = i + 2 < l->n ? i + 2 : 0, paired = multigrid_pairs_begin(pairs, next);
        const double other = paired ? l->width[next + 1] / (l->width[next] + l->width[next + 1]) : 0;
        t->diagonal[p] = (1 - mu) * (d0 * f0 * f0 + d1 * f1 * f1) - 2 * between * f0 * f1;
        t->side[p] = -above * f1 * other;
        t->weight[p] = w0 * f0 * f0 + w1 * f1 * f1;
        t->low = fmin(t->low, -mu * fmax(d0 / w0, d1 / w1));
        t->high = fmin(t->high, t->diagonal[p] / t->weight[p]);
    }
    if (t->n == 1) t->high += 2 * fmax(t->side[0], 0) / t->weight[0];
}

/* Whether f of direction d can be such a pair's, all others as they like, with a quotient below mu. A - mu D
 * is the sum of the three directions' parts, each beside the widths of the others; so its least value against
 * the volumes is the sum of theirs. */
static int reaches(const struct line line[3], const struct pairs pairs[3], int d, double mu, struct ring *t)
{
    double sum = 0;
    for (int e = 0; e < 3; ++e) {
        if (line[e].n == 1) continue;
        if (e == d) {
            ring_of_pairs(&line[e], &pairs[e], mu, t);
        } else {
            ring_any(&line[e], mu, t);
        }
        sum += least_nu(t);
    }
    return sum < 0;
}

kol_status multigrid_eigenvalue_lowest(const struct line line[3], const struct pairs pairs[3], double least,
                                       double *out)
{
    int n = 1;
    for (int d = 0; d < 3; ++d) n = line[d].n > n ? line[d].n : n;
    double *values = malloc(3 * (size_t)n * sizeof *values);
    if (values == NULL) RAISE(KOL_ERR_MEMORY, "no memory for 3 x %d values", n);
    struct ring t = {.diagonal = values, .side = values + n, .weight = values + 2 * (ptrdiff_t)n};
    *out = 2;
    for (int d = 0; d < 3; ++d) {
        if (!pairs[d].coarsened || !reaches(line, pairs, d, *out, &t)) continue;
        double low = least, high = *out;
        for (int m = 0; m < HALVINGS_MU && high - low > 0; ++m) {
            const double mid = sqrt(low * high);
            if (reaches(line, pairs, d, mid, &t)) {
                high = mid;
            } else {
                low = mid;
            }
        }
        *out = low;
    }
    free(values);
    return KOL_OK;
}

/* Computes the weights of the cubic interpolation between two sets of faces, and applies them. */
#include "interpolate_line.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS = 4 };

/* line: an old line with its faces; in a periodic direction they are continued beyond the ends. */
struct line {
    int n, periodic, points; /* points: of the interpolation, fewer if the line has fewer faces */
    const double *face;
};

/* taps: the faces from which a value at one place is interpolated, and their weights. */
struct taps {
    int first;
    double weight[POINTS];
};

static int wrap(int i, int n)
{
    return (i % n + n) % n;
}

static double face_at(const struct line *l, int i)
{
    if (!l->periodic) return l->face[i];
    const int turns = (i - wrap(i, l->n)) / l->n;
    return l->face[wrap(i, l->n)] + turns * (l->face[l->n] - l->face[0]);
}

static double width_at(const struct line *l, int i)
{
    const int c = l->periodic ? wrap(i, l->n) : i;
    return l->face[c + 1] - l->face[c];
}

/* The old cell that contains x. */
static int cell_of(const struct line *l, double x)
{
    int low = 0, high = l->n;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (l->face[middle] <= x) low = middle;
        else high = middle;
    }
    return low;
}

/* Weights of the Lagrange polynomial through the faces near x. At a face it gives exactly the value of that
 * face. */
static struct taps taps_at(const struct line *l, double x)
{
    struct taps t = {.first = cell_of(l, x) - (l->points - 1) / 2};
    if (!l->periodic && t.first < 0) t.first = 0;
    if (!l->periodic && t.first > l->n + 1 - l->points) t.first = l->n + 1 - l->points;
    for (int a = 0; a < l->points; ++a) {
        t.weight[a] = 1;
        for (int b = 0; b < l->points; ++b) {
            const double xa = face_at(l, t.first + a), xb = face_at(l, t.first + b);
            if (b != a) t.weight[a] *= (x - xb) / (xa - xb);
        }
    }
    return t;
}

static struct line make_line(int n, const double *face, int periodic)
{
    const int most = periodic || n + 1 > POINTS ? POINTS : n + 1;
    return (struct line){n, periodic, most, face};
}

static kol_status map_create(int from, int to, size_t most, struct interpolate_line *m)
{
    memset(m, 0, sizeof *m);
    m->from = from;
    m->to = to;
    m->start = calloc((size_t)to + 1, sizeof *m->start);
    m->index = malloc(most * sizeof *m->index);
    m->weight = malloc(most * sizeof *m->weight);
    m->end = calloc((size_t)to, sizeof *m->end);
    if (m->start != NULL && m->index != NULL && m->weight != NULL && m->end != NULL) return KOL_OK;
    interpolate_line_free(m);
    RAISE(KOL_ERR_MEMORY, "no memory to interpolate lines of %d values", to);
}

static void add(struct interpolate_line *m, int *used, int index, double weight)
{
    if (weight == 0) return;
    m->index[*used] = index;
    m->weight[(*used)++] = weight;
}

kol_status interpolate_line_points(int from, const double *old_face, int to, const double *new_face,
                                   int periodic, struct interpolate_line *m)
{
    const struct line l = make_line(from, old_face, periodic);
    int used = 0;
    TRY(map_create(from, to, (size_t)to * POINTS, m));
    for (int j = 0; j < to; ++j) {
        const struct taps t = taps_at(&l, new_face[j]);
        for (int a = 0; a < l.points; ++a) {
            const int i = t.first + a;
            if (periodic || i < from) add(m, &used, wrap(i, from), t.weight[a]);
            else m->end[j] = t.weight[a];
        }
        m->start[j + 1] = used;
    }
    return KOL_OK;
}

/* Centre of old cell i; beyond walls there is none. */
static double centre_at(const struct line *l, int i)
{
    return 0.5 * (face_at(l, i) + face_at(l, i + 1));
}

kol_status interpolate_line_centres(int from, const double *old_face, int to, const double *new_face,
                                    int periodic, struct interpolate_line *m)
{
    const struct line l = make_line(from, old_face, periodic);
    const int points = periodic || from > POINTS ? POINTS : from;
    int used = 0;
    TRY(map_create(from, to, (size_t)to * POINTS, m));
    for (int j = 0; j < to; ++j) {
        const double x = new_face[j];
        int first = cell_of(&l, x);
        first -= (x < centre_at(&l, first)) + (points - 1) / 2;
        if (!periodic && first < 0) first = 0;
        if (!periodic && first > from - points) first = from - points;
        for (int a = 0; a < points; ++a) {
            double weight = 1;
            for (int b = 0; b < points; ++b) {
                const double xa = centre_at(&l, first + a), xb = centre_at(&l, first + b);
                if (b != a) weight *= (x - xb) / (xa - xb);
            }
            add(m, &used, wrap(first + a, from), weight);
        }
        m->start[j + 1] = used;
    }
    return KOL_OK;
}

/* How much old cell i contributes to the integral from face `base` to x: the sum of the weights of all faces
 * above the cell. */
static double share(const struct line *l, const struct taps *t, int i)
{
    double sum = 0;
    for (int a = 0; a < l->points; ++a)
        if (t->first + a > i) sum += t->weight[a];
    return sum;
}

kol_status interpolate_line_averages(int from, const double *old_face, int to, const double *new_face,
                                     int periodic, struct interpolate_line *m)
{
    const struct line l = make_line(from, old_face, periodic);
    int used = 0;
    TRY(map_create(from, to, (size_t)from + (size_t)to * 2 * POINTS, m));
    struct taps low = taps_at(&l, new_face[0]);
    for (int j = 0; j < to; ++j) {
        const struct taps high = taps_at(&l, new_face[j + 1]);
        const double width = new_face[j + 1] - new_face[j];
        for (int i = low.first; i < high.first + l.points - 1; ++i) {
            const double part = share(&l, &high, i) - share(&l, &low, i);
            add(m, &used, periodic ? wrap(i, from) : i, part * width_at(&l, i) / width);
        }
        m->start[j + 1] = used;
        low = high;
    }
    return KOL_OK;
}

void interpolate_line_free(struct interpolate_line *m)
{
    free(m->start);
    free(m->index);
    free(m->weight);
    free(m->end);
    memset(m, 0, sizeof *m);
}

void interpolate_line_apply(const struct interpolate_line *m, ptrdiff_t inner, ptrdiff_t outer,
                            const double *in, double *out)
{
    for (ptrdiff_t o = 0; o < outer; ++o)
        for (int j = 0; j < m->to; ++j) {
            double *to = out + (o * m->to + j) * inner;
            memset(to, 0, (size_t)inner * sizeof *to);
            for (int t = m->start[j]; t < m->start[j + 1]; ++t) {
                const double *from = in + (o * m->from + m->index[t]) * inner;
                for (ptrdiff_t i = 0; i < inner; ++i) to[i] += m->weight[t] * from[i];
            }
        }
}

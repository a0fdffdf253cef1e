/* Interpolates a level set between the nodes of the grid. */
#include "level_set.h"

#include <math.h>
#include <stdlib.h>

#include "io/nodes_file.h"

enum { AROUND = 4 }; /* nodes beyond the own cells on each side */

struct level_set {
    const struct grid *grid;
    int first[3], count[3];
    double margin, *value;
};

static kol_status read_part(struct level_set *s, const char *file, const struct input_place *by)
{
    char why[1024];
    const size_t nodes = (size_t)s->count[0] * (size_t)s->count[1] * (size_t)s->count[2];
    s->value = malloc(nodes * sizeof *s->value);
    if (s->value == NULL) RAISE(KOL_ERR_MEMORY, "no memory for %zu nodes of %s", nodes, file);
    const kol_status st =
        nodes_file_read(file, "level_set", s->grid->n_g, s->grid->periodic, s->first, s->count, s->value);
    if (st == KOL_OK) return KOL_OK;
    snprintf(why, sizeof why, "%s", status_message());
    status_clear();
    RAISE(st, "%s %s", why, by->by);
}

kol_status level_set_create(const struct domain *domain, const char *file, const struct input_place *by,
                            double margin, struct level_set **out)
{
    struct level_set *s = calloc(1, sizeof *s);
    kol_status st = KOL_ERR_MEMORY;
    if (s != NULL) {
        s->grid = &domain->grid;
        s->margin = margin;
        for (int d = 0; d < 3; ++d) {
            s->first[d] = domain->decomp.offset[d] - AROUND;
            s->count[d] = domain->decomp.n[d] + 2 * AROUND + 1;
        }
        st = read_part(s, file, by);
    } else st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for a level set");
    st = comm_agree(&domain->comm, st);
    if (st != KOL_OK) level_set_destroy(&s);
    *out = s;
    return st;
}

void level_set_destroy(struct level_set **s)
{
    if (*s == NULL) return;
    free((*s)->value);
    free(*s);
    *s = NULL;
}

/* Finds the node of this part below x in a direction, and the weight of the node above it. */
static int below(const struct level_set *s, int d, double x, double *weight)
{
    const struct grid *g = s->grid;
    const double *face = g->face[d];
    const int n = g->n_g[d];
    if (g->periodic[d] && x >= face[n]) x -= g->length[d];
    if (g->periodic[d] && x < face[0]) x += g->length[d];
    x = x < face[0] ? face[0] : x > face[n] ? face[n] : x;
    int low = 0, high = n;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (x >= face[middle]) low = middle;
        else high = middle;
    }
    *weight = (x - face[low]) / (face[low + 1] - face[low]);
    const int at_node = g->periodic[d] ? ((low - s->first[d]) % n + n) % n : low - s->first[d];
    return at_node < 0 ? 0 : at_node > s->count[d] - 2 ? s->count[d] - 2 : at_node;
}

static double value_at(const struct level_set *s, const double x[3])
{
    int node[3];
    double weight[3], sum = 0;
    for (int d = 0; d < 3; ++d) node[d] = below(s, d, x[d], &weight[d]);
    for (int n = 0; n < 8; ++n) {
        const int up[3] = {n & 1, n >> 1 & 1, n >> 2};
        double part = 1;
        ptrdiff_t q = 0;
        for (int d = 2; d >= 0; --d) {
            part *= up[d] ? weight[d] : 1 - weight[d];
            q = q * s->count[d] + node[d] + up[d];
        }
        sum += part * s->value[q];
    }
    return sum;
}

double level_set_distance(const struct level_set *s, const double x[3])
{
    const double v = value_at(s, x);
    return copysign(fmin(fabs(v), 0.5 * s->margin), v);
}

int level_set_line(const struct level_set *s, const double x[3], int dir, int side, double length,
                   struct shape_part part[SHAPE_PARTS])
{
    double end[3] = {x[0], x[1], x[2]};
    end[dir] += side ? length : -length;
    const double from = value_at(s, x), to = value_at(s, end);
    if (from > 0 && to > 0) return 0;
    const double wall = (from > 0) != (to > 0) ? length * from / (from - to) : 0;
    part[0].from = from > 0 ? wall : 0;
    part[0].to = to > 0 ? wall : length;
    return part[0].from < part[0].to;
}

void level_set_normal(const struct level_set *s, const double x[3], double normal[3])
{
    double size = 0;
    for (int d = 0; d < 3; ++d) {
        double one[3] = {x[0], x[1], x[2]}, two[3] = {x[0], x[1], x[2]};
        one[d] += 1e-3 * s->margin;
        two[d] -= 1e-3 * s->margin;
        normal[d] = value_at(s, one) - value_at(s, two);
        size += normal[d] * normal[d];
    }
    for (int d = 0; d < 3; ++d) normal[d] /= size > 0 ? sqrt(size) : 1;
}

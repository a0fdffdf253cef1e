/* A place in the fields of the reference, for judges that write out the terms of a sum. */
#ifndef KOL_TESTS_PLACE_H
#define KOL_TESTS_PLACE_H

#include "../reference/reference.h"

struct place {
    const struct ref_grid *g;
    double *const *field; /* u, v, w, then p or a scalar */
    int at[3];
};

/* place_value: a field some steps away along a direction. place_spacing: a spacing there; d: g->dc or
 * g->df. */
static inline double place_value(const struct place *p, int field, int direction, int steps)
{
    int c[3] = {p->at[0], p->at[1], p->at[2]};
    c[direction] += steps;
    return p->field[field][ref_index(p->g, c[0], c[1], c[2])];
}

static inline double place_spacing(const struct place *p, double *const d[3], int direction, int steps)
{
    const int n = p->g->n[direction];
    return d[direction][(p->at[direction] + steps + n) % n];
}

#endif

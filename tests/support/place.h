/* A place in the fields of the reference, for judges that write out the terms of a sum. */
#ifndef KOL_TESTS_PLACE_H
#define KOL_TESTS_PLACE_H

#include "../reference/reference.h"

/* place: a cell. Between walls, a and b are the directions along them, and n is the normal one. */
struct place {
    const struct ref_grid *g;
    double *const *field; /* u, v, w, then others */
    int at[3], a, b, n;
};

/* place_moved: returns the place some steps away along a direction. place_value: returns a field there.
 * place_spacing: returns a spacing there; d: g->dc or g->df. */
static inline struct place place_moved(const struct place *p, int direction, int steps)
{
    struct place q = *p;
    q.at[direction] += steps;
    return q;
}

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

/* place_here: returns a field in the cell. place_in_cell: returns the mean of component c on both faces of
 * the cell. place_round_face: returns the mean of this over the two cells beside the lower face normal to n.
 */
static inline double place_here(const struct place *p, int field)
{
    return place_value(p, field, 0, 0);
}

static inline double place_in_cell(const struct place *p, int c)
{
    return (place_here(p, c) + place_value(p, c, c, 1)) / 2;
}

static inline double place_round_face(const struct place *p, int c)
{
    const struct place below = place_moved(p, p->n, -1);
    return (place_in_cell(p, c) + place_in_cell(&below, c)) / 2;
}

#endif

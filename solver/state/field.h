/* The one list of the fields of a flow: how files, messages and halos call them, where they lie, which of
 * them a checkpoint keeps. Whoever goes through the fields of a flow goes through this list.
 *
 * To add a transported scalar:
 *   1. struct flow gets the pointer to its array;
 *   2. enum flow_field_number gets its number, between FLOW_P and FLOW_FIELDS, and field.c its row, with
 *      HALO_EDGES and FIELD_ALWAYS;
 *   3. HALO_FIELDS (parallel/halo.h) grows, so that it travels with the velocity and the pressure.
 * Then checkpoints, restarts, other grids, field files, probes, halos and the messages of control/health.c
 * know it. Static assertions stop the build where a size does not follow by itself. What the list can't know
 * is the scalar's own: its equation, its values at the start and beyond walls (boundary/boundary.c), and what
 * to do with a checkpoint that does not have it. */
#ifndef KOL_STATE_FIELD_H
#define KOL_STATE_FIELD_H

#include <stddef.h>
#include "flow.h"

/* The first FLOW_FIELDS are the flow itself, velocity first, the others what guesses of the next step read.
 * In this order they lie in the list of arrays for files, and are written. */
enum flow_field_number {
    FLOW_U,
    FLOW_V,
    FLOW_W,
    FLOW_P, /* the running pressure */
    FLOW_FIELDS,
    FLOW_P_STAGE_2 = FLOW_FIELDS,
    FLOW_P_STAGE_1,
    FLOW_POTENTIAL_X,
    FLOW_POTENTIAL_Y,
    FLOW_POTENTIAL_Z,
    FLOW_ROWS
};
_Static_assert((int)FLOW_FIELDS <= (int)HALO_FIELDS,
               "one exchange takes all fields that a stage begins with");

/* field_kept: in every checkpoint and field file; or in checkpoints alone, if its array is held. */
enum field_kept { FIELD_ALWAYS, FIELD_FOR_GUESS };
enum { FIELD_NO_HALO = -1 };

struct flow_field {
    const char *name;         /* in checkpoints, in probes.nc, in messages */
    const char *name_in_file; /* in field files */
    const char *long_name;    /* in checkpoints and field files */
    const char *at_a_point;   /* long name in probes.nc; NULL: probes do not take it */
    const char *unit;
    enum location location;
    int halo; /* enum halo_shape: what a stage reads beyond own cells; FIELD_NO_HALO: nothing */
    enum field_kept kept;
    size_t array; /* of the pointer to it in struct flow: its offset */
};
extern const struct flow_field flow_field[FLOW_ROWS];

/* field_array: the place of its pointer in the flow; *field_array() is NULL where the array is not held. */
real **field_array(struct flow *flow, enum flow_field_number f);
const real *field_values(const struct flow *flow, enum flow_field_number f);
/* field_component: 0, 1, 2 for the velocity along x, y, z; -1: it is no velocity. */
int field_component(enum flow_field_number f);
/* field_halos: the arrays that a stage reads with their halos, in the order of the list, as one exchange
 * takes them. Returns their number; *shape: what all of them need. */
int field_halos(const struct flow *flow, real *array[HALO_FIELDS], enum halo_shape *shape);

#endif

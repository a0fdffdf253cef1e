/* The one list of the fields of a flow: their names in files, messages and halos, the place of their arrays,
 * and whether a checkpoint keeps them. All code that goes through the fields of a flow goes through this
 * list.
 *
 * docs/extending.md says how to add a field. Checkpoints, restarts, runs
 * from another grid, field files, probes, halos, the memory between steps and the messages of
 * control/health.c then include it. If a size does not follow by itself, a static assertion stops the build.
 * What the list can't supply is specific to the field: its equation, its values at the start and beyond walls
 * (boundary/boundary.c), and what to do with a checkpoint that does not have it. */
#ifndef KOL_STATE_FLOW_FIELDS_H
#define KOL_STATE_FLOW_FIELDS_H

#include <stddef.h>
#include "flow.h"

/* flow_field_number: the first FLOW_FIELDS are the flow itself, velocity first; a flow has as many scalars
 * of them as its inputs give. The guesses of the next step read the others. The list of arrays for files has
 * this order, and so have the files. */
enum flow_field_number {
    FLOW_U,
    FLOW_V,
    FLOW_W,
    FLOW_P,      /* the running pressure */
    FLOW_SCALAR, /* the first scalar of &scalars */
    FLOW_FIELDS = FLOW_SCALAR + SCALARS_MOST,
    FLOW_P_STAGE_2 = FLOW_FIELDS,
    FLOW_P_STAGE_1,
    FLOW_POTENTIAL_X,
    FLOW_POTENTIAL_Y,
    FLOW_POTENTIAL_Z,
    FLOW_ROWS
};
_Static_assert((int)FLOW_FIELDS <= (int)HALO_FIELDS,
               "one exchange takes all fields that a stage begins with");

/* field_kept: FIELD_ALWAYS: the field is in every checkpoint and every field file. FIELD_FOR_GUESS: it is in
 * checkpoints only, and only if the flow has its array. */
enum field_kept { FIELD_ALWAYS, FIELD_FOR_GUESS };
enum { FIELD_NO_HALO = -1 };

struct flow_field {
    const char *name;         /* in checkpoints, in probes.nc, in messages */
    const char *name_in_file; /* in field files */
    const char *long_name;    /* in checkpoints and field files */
    const char *at_a_point;   /* long name in probes.nc; NULL: probes do not take it */
    const char *unit;
    enum location location;
    int halo; /* enum halo_shape: the halo cells that a stage reads; FIELD_NO_HALO: none */
    enum field_kept kept;
    size_t array; /* offset in struct flow of the pointer to its array */
};
extern const struct flow_field flow_field[FLOW_ROWS];
/* field_row: returns a row of the list. The inputs give the names and the unit of a scalar, which the row
 * borrows; flow_field[] itself has none. */
struct flow_field field_row(const struct input *in, enum flow_field_number f);

/* field_count: returns how many fields a flow with these inputs has. They are the first ones of the list. A
 * field that some flows do not have stands last among the first FLOW_FIELDS. */
int field_count(const struct input *in);

/* field_array: returns the address of the field's pointer in the flow. *field_array() is NULL if the flow
 * does not have the array. */
real **field_array(struct flow *flow, enum flow_field_number f);
/* field_values: returns that pointer, for reading. */
const real *field_values(const struct flow *flow, enum flow_field_number f);
/* field_component: returns 0, 1 or 2 for the velocity along x, y or z, and -1 if the field is no velocity. */
int field_component(enum flow_field_number f);
/* field_halos: lists the arrays whose halos a stage reads, in the order of the list, for one exchange.
 *
 *   array   out: the arrays
 *   shape   out: the shape of halo that all of them need
 *
 * Returns their number. */
int field_halos(const struct flow *flow, real *array[HALO_FIELDS], enum halo_shape *shape);

#endif

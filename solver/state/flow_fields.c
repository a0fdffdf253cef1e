/* Holds the list of the fields of a flow, and finds their arrays. */
#include "flow_fields.h"

#include "inputs/scalars.h"

#define AT(member) offsetof(struct flow, member)
#define SCALAR(n)                                                                                            \
    {                                                                                                        \
        NULL, NULL, NULL, NULL, NULL, LOC_CCC, HALO_FACES, FIELD_ALWAYS, AT(scalar[n])                       \
    }
_Static_assert(SCALARS_MOST == 8, "the list has a row for each scalar");

/* The list of fields. Stage pressures are those of the last step; the potential is that of the exact method's
 * last stage. */
const struct flow_field flow_field[FLOW_ROWS] = {
    [FLOW_U] = {"u", "u", "velocity along x", "velocity in x", "U", LOC_FCC, HALO_EDGES, FIELD_ALWAYS,
                AT(vel[X])},
    [FLOW_V] = {"v", "v", "velocity along y", "velocity in y", "U", LOC_CFC, HALO_EDGES, FIELD_ALWAYS,
                AT(vel[Y])},
    [FLOW_W] = {"w", "w", "velocity along z", "velocity in z", "U", LOC_CCF, HALO_EDGES, FIELD_ALWAYS,
                AT(vel[Z])},
    [FLOW_P] = {"p", "pressure", "pressure over density", "pressure over density", "U2", LOC_CCC, HALO_EDGES,
                FIELD_ALWAYS, AT(pressure.p)},
    [FLOW_SCALAR + 0] = SCALAR(0),
    [FLOW_SCALAR + 1] = SCALAR(1),
    [FLOW_SCALAR + 2] = SCALAR(2),
    [FLOW_SCALAR + 3] = SCALAR(3),
    [FLOW_SCALAR + 4] = SCALAR(4),
    [FLOW_SCALAR + 5] = SCALAR(5),
    [FLOW_SCALAR + 6] = SCALAR(6),
    [FLOW_SCALAR + 7] = SCALAR(7),
    [FLOW_P_STAGE_2] = {"p_stage_2", NULL, "pressure over density of stage 2 of the last step", NULL, "U2",
                        LOC_CCC, FIELD_NO_HALO, FIELD_FOR_GUESS, AT(pressure.now[1])},
    [FLOW_P_STAGE_1] = {"p_stage_1", NULL, "pressure over density of stage 1 of the last step", NULL, "U2",
                        LOC_CCC, FIELD_NO_HALO, FIELD_FOR_GUESS, AT(pressure.now[0])},
    [FLOW_POTENTIAL_X] = {"potential_x", NULL, "potential of the last stage's increment, along x", NULL,
                          "U L", LOC_CFF, FIELD_NO_HALO, FIELD_FOR_GUESS, AT(potential[X])},
    [FLOW_POTENTIAL_Y] = {"potential_y", NULL, "potential of the last stage's increment, along y", NULL,
                          "U L", LOC_FCF, FIELD_NO_HALO, FIELD_FOR_GUESS, AT(potential[Y])},
    [FLOW_POTENTIAL_Z] = {"potential_z", NULL, "potential of the last stage's increment, along z", NULL,
                          "U L", LOC_FFC, FIELD_NO_HALO, FIELD_FOR_GUESS, AT(potential[Z])},
};

struct flow_field field_row(const struct input *in, enum flow_field_number f)
{
    struct flow_field row = flow_field[f];
    const int n = (int)f - (int)FLOW_SCALAR;
    if (n < 0 || f >= FLOW_FIELDS) return row;
    row.name = row.name_in_file = row.long_name = row.at_a_point = in->scalars.name[n];
    row.unit = in->scalars.unit[n];
    if (scalar_limited(in, n)) row.halo = HALO_WIDE;
    return row;
}

int field_count(const struct input *in)
{
    return FLOW_SCALAR + scalar_count(in);
}

static real *const *place_in(const struct flow *flow, int f)
{
    return (real *const *)(const void *)((const char *)flow + flow_field[f].array);
}

real **field_array(struct flow *flow, enum flow_field_number f)
{
    return (real **)(void *)((char *)flow + flow_field[f].array);
}

const real *field_values(const struct flow *flow, enum flow_field_number f)
{
    return *place_in(flow, f);
}

int field_component(enum flow_field_number f)
{
    const int d = (int)flow_field[f].location - (int)LOC_FCC;
    return d >= X && d <= Z ? d : -1;
}

int field_halos(const struct flow *flow, real *array[HALO_FIELDS], enum halo_shape *shape)
{
    int n = 0;
    *shape = HALO_FACES;
    for (int f = 0; f < field_count(flow->domain->in); ++f) {
        const struct flow_field row = field_row(flow->domain->in, f);
        if (row.halo == FIELD_NO_HALO) continue;
        array[n++] = *place_in(flow, f);
        if (row.halo > (int)*shape) *shape = (enum halo_shape)row.halo;
    }
    return n;
}

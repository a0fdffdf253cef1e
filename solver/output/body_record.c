/* Writes the forces on bodies to bodies.nc. */
#include "body_record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bodies/bodies_travel.h"
#include "forcing/formula_force.h"
#include "inputs/bodies.h"
#include "inputs/drives.h"
#include "inputs/scalars.h"
#include "io/series.h"

/* Columns before those of the bodies: step, time, the force of the mean pressure gradient on the solid, and
 * with forces by formulas that on the fluid. */
enum {
    PATH = 1024,
    PLAIN_COLUMNS = 5,
    FIRST_COLUMNS = 8,
    SUMS = 3,
    COEFFICIENTS = 3,
    BODY_COLUMNS = SUMS + BODY_FORCES + 3 + COEFFICIENTS,
    COLUMNS = FIRST_COLUMNS + BODY_COLUMNS
};

/* flux_words: the words of the column of a scalar. */
struct flux_words {
    char name[64], long_name[128], unit[2 * INPUT_TEXT];
};

struct body_record {
    struct flow *flow; /* borrowed */
    int bodies;
    double *force, *record;    /* rank 0 */
    double total[3];           /* rank 0: the force on all bodies in the last record [U^2 L^2] */
    double flux[SCALARS_MOST]; /* rank 0: the flux of each scalar from all bodies likewise [own U L^2] */
    long long total_step;      /* the step of this record */
    struct flux_words words[SCALARS_MOST];
    double *centre[3];
    struct series *series;
    long long keep_through;
    const struct io_text *text;
    int texts;
};

kol_status body_record_create(struct flow *flow, struct body_record **out)
{
    const struct domain *domain = flow->domain;
    *out = NULL;
    if (flow->bodies == NULL || flow->bodies->forces == NULL || memory_counts(domain->memory)) return KOL_OK;
    const struct body_geometry *g = flow->bodies->geometry;
    struct body_record *r = *out = calloc(1, sizeof *r);
    kol_status st = KOL_OK;
    if (r != NULL) {
        r->flow = flow;
        r->bodies = g->bodies;
        r->total_step = -1;
        r->force = malloc((size_t)r->bodies * BODY_FORCES * sizeof *r->force);
        r->record =
            malloc(((size_t)r->bodies * (BODY_COLUMNS + SCALARS_MOST) + FIRST_COLUMNS) * sizeof *r->record);
        for (int d = 0; d < 3; ++d) r->centre[d] = malloc((size_t)r->bodies * sizeof *r->centre[d]);
    }
    if (r == NULL || r->force == NULL || r->record == NULL || r->centre[X] == NULL || r->centre[Y] == NULL ||
        r->centre[Z] == NULL)
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for the forces on %d bodies",
                          g->bodies);
    else
        for (int n = 0; n < r->bodies; ++n)
            for (int d = 0; d < 3; ++d) r->centre[d][n] = g->body[n].home[d];
    return comm_agree(&domain->comm, st);
}

void body_record_destroy(struct body_record **record)
{
    struct body_record *r = *record;
    if (r == NULL) return;
    free(r->force);
    free(r->record);
    for (int d = 0; d < 3; ++d) free(r->centre[d]);
    free(r);
    *record = NULL;
}

/* The force of a mean pressure gradient on the volume of the closed faces [U^2 L^2]. It belongs to the drag
 * of an array of bodies, and no body's own force has it. */
static double drive_on_solid(const struct flow *flow, int direction)
{
    const struct domain *domain = flow->domain;
    if (flow->bodies == NULL || drive_direction(domain->in) != direction) return 0;
    return flow->force.gradient * (domain->grid.volume - flow->bodies->open_volume[direction]);
}

/* The number of columns before those of the bodies. */
static int columns_before(const struct input *in)
{
    return drive_by_formula(in) ? FIRST_COLUMNS : PLAIN_COLUMNS;
}

/* The values of the bodies in a record. */
static double *of_bodies(const struct body_record *r)
{
    return r->record + columns_before(r->flow->domain->in);
}

/* Sets one column of all bodies: the sum of `kinds` numbers of each, which lie 3 apart. */
static void put_column(struct body_record *r, int column, int first, int kinds)
{
    for (int n = 0; n < r->bodies; ++n) {
        double sum = 0;
        for (int k = 0; k < kinds; ++k) sum += r->force[n * BODY_FORCES + first + 3 * k];
        of_bodies(r)[column * r->bodies + n] = sum;
    }
}

/* Where the bodies are; one that crosses a periodic face goes on beyond it. */
static void put_positions(struct body_record *r)
{
    const struct body_info *body = r->flow->bodies->geometry->body;
    for (int d = 0; d < 3; ++d)
        for (int n = 0; n < r->bodies; ++n)
            of_bodies(r)[(SUMS + BODY_FORCES + d) * r->bodies + n] = body[n].home[d] + body[n].moved[d];
}

/* The sums of the first three columns over the bodies, and the coefficients of each. */
static void put_totals(struct body_record *r)
{
    const double factor = bodies_coefficient(r->flow->domain->in);
    const double *force = of_bodies(r);
    double *coefficient = of_bodies(r) + (SUMS + BODY_FORCES + 3) * r->bodies;
    for (int d = 0; d < 3; ++d) {
        r->total[d] = 0;
        for (int n = 0; n < r->bodies; ++n) {
            r->total[d] += force[d * r->bodies + n];
            if (factor > 0) coefficient[d * r->bodies + n] = factor * force[d * r->bodies + n];
        }
    }
    r->total_step = r->flow->clock.step;
}

/* The number of columns of the bodies, without those of scalars, which come after them. */
static int columns_of_bodies(const struct input *in)
{
    return bodies_coefficient(in) > 0 ? BODY_COLUMNS : BODY_COLUMNS - COEFFICIENTS;
}

/* Collects the fluxes of scalars, which become the last columns. */
static kol_status put_fluxes(struct body_record *r)
{
    const struct input *in = r->flow->domain->in;
    double *value = of_bodies(r) + columns_of_bodies(in) * r->bodies;
    for (int n = 0; n < scalar_count(in); ++n) {
        if (!scalar_on_bodies(in, n)) continue;
        TRY(body_scalars_collect(r->flow->bodies->scalars, r->flow, n, r->bodies, value));
        r->flux[n] = 0;
        for (int m = 0; m < r->bodies && r->flow->domain->comm.rank == 0; ++m) r->flux[n] += value[m];
        value += r->bodies;
    }
    return KOL_OK;
}

static kol_status append(struct body_record *r)
{
    const struct flow *flow = r->flow;
    r->record[0] = (double)flow->clock.step;
    r->record[1] = flow->clock.t;
    for (int d = 0; d < 3; ++d) {
        r->record[2 + d] = drive_on_solid(flow, d);
        if (drive_by_formula(flow->domain->in)) r->record[PLAIN_COLUMNS + d] = formula_force_mean(flow, d);
        put_column(r, d, d, BODY_TORQUE / 3); /* the whole force */
    }
    for (int q = 0; q < BODY_FORCES; ++q) put_column(r, SUMS + q, q, 1);
    put_positions(r);
    put_totals(r);
    TRY(body_record_open(r));
    return series_append(r->series, r->record);
}

kol_status body_record_step(struct body_record *r, kol_status *file)
{
    *file = KOL_OK;
    if (r == NULL || r->flow->bodies == NULL || !body_forces_known(r->flow->bodies->forces, r->flow))
        return KOL_OK;
    /* the open faces of a body that travels change; their volume is needed where a force drives the flow */
    if (bodies_travelling(r->flow) && drive_has_force(r->flow->domain->in)) TRY(bodies_measure(r->flow));
    TRY(body_forces_collect(r->flow->bodies->forces, r->flow, r->force));
    TRY(put_fluxes(r));
    if (r->flow->domain->comm.rank == 0) *file = append(r);
    return KOL_OK;
}

/* The number of columns of series.nc: the force on all bodies, and its coefficients if they are wanted. */
static int totals_of(const struct input *in)
{
    if (!bodies_any(in) || in->output.bodies_interval == 0) return 0;
    return bodies_coefficient(in) > 0 ? BODY_TOTALS : BODY_TOTALS - COEFFICIENTS;
}

int body_record_columns(const struct input *in, struct series_column column[BODY_TOTALS])
{
    static const struct series_column all[BODY_TOTALS] = {
        {"bodies_force_x", "force of the fluid on all bodies in x", "U2 L2", SERIES_REAL},
        {"bodies_force_y", "force of the fluid on all bodies in y", "U2 L2", SERIES_REAL},
        {"bodies_force_z", "force of the fluid on all bodies in z", "U2 L2", SERIES_REAL},
        {"bodies_coefficient_x", "2 F/(A U^2) of this force in x", "1", SERIES_REAL},
        {"bodies_coefficient_y", "2 F/(A U^2) of this force in y", "1", SERIES_REAL},
        {"bodies_coefficient_z", "2 F/(A U^2) of this force in z", "1", SERIES_REAL}};
    const int count = totals_of(in);
    memcpy(column, all, (size_t)count * sizeof *all);
    return count;
}

void body_record_totals(const struct body_record *r, const struct flow *flow, double value[BODY_TOTALS])
{
    const struct input *in = flow->domain->in;
    for (int c = 0; c < totals_of(in); ++c) {
        if (flow->bodies == NULL) value[c] = 0;
        else if (r == NULL || r->total_step != flow->clock.step) value[c] = NAN;
        else value[c] = c < 3 ? r->total[c] : bodies_coefficient(in) * r->total[c - 3];
    }
}

double body_record_flux(const struct body_record *r, const struct flow *flow, int n)
{
    return r == NULL || r->total_step != flow->clock.step ? NAN : r->flux[n];
}

void body_record_name(struct body_record *r, long long keep_through, const struct io_text *text, int texts)
{
    if (r == NULL) return;
    r->keep_through = keep_through;
    r->text = text;
    r->texts = texts;
}

/* Adds the columns of the fluxes after `count` others, and returns how many columns there are. */
static int add_fluxes(struct body_record *r, int count, struct series_column *column)
{
    const struct input *in = r->flow->domain->in;
    for (int n = 0; n < scalar_count(in); ++n) {
        struct flux_words *w = &r->words[n];
        if (!scalar_on_bodies(in, n)) continue;
        snprintf(w->name, sizeof w->name, "%.*s_flux", SCALAR_NAME, in->scalars.name[n]);
        snprintf(w->long_name, sizeof w->long_name, "%.*s: flux from the body into the fluid", SCALAR_NAME,
                 in->scalars.name[n]);
        scalar_unit(in->scalars.unit[n], 1, "U L2", w->unit, sizeof w->unit);
        column[count++] = (struct series_column){w->name, w->long_name, w->unit, SERIES_POINTS};
    }
    return count;
}

kol_status body_record_open(struct body_record *r)
{
    static const struct series_column forces[COLUMNS] = {
        {"step", "time step", "1", SERIES_INTEGER},
        {"time", "time", "L/U", SERIES_REAL},
        {"drive_x", "force of the mean pressure gradient on the volume of the bodies in x", "U2 L2",
         SERIES_REAL},
        {"drive_y", "force of the mean pressure gradient on the volume of the bodies in y", "U2 L2",
         SERIES_REAL},
        {"drive_z", "force of the mean pressure gradient on the volume of the bodies in z", "U2 L2",
         SERIES_REAL},
        {"formula_force_x", "force of the formulas on the fluid in x", "U2 L2", SERIES_REAL},
        {"formula_force_y", "force of the formulas on the fluid in y", "U2 L2", SERIES_REAL},
        {"formula_force_z", "force of the formulas on the fluid in z", "U2 L2", SERIES_REAL},
        {"force_x", "force of the fluid on the body in x", "U2 L2", SERIES_POINTS},
        {"force_y", "force of the fluid on the body in y", "U2 L2", SERIES_POINTS},
        {"force_z", "force of the fluid on the body in z", "U2 L2", SERIES_POINTS},
        {"viscous_x", "viscous part of the force in x", "U2 L2", SERIES_POINTS},
        {"viscous_y", "viscous part of the force in y", "U2 L2", SERIES_POINTS},
        {"viscous_z", "viscous part of the force in z", "U2 L2", SERIES_POINTS},
        {"convective_x", "momentum that convection carries into closed faces in x", "U2 L2", SERIES_POINTS},
        {"convective_y", "momentum that convection carries into closed faces in y", "U2 L2", SERIES_POINTS},
        {"convective_z", "momentum that convection carries into closed faces in z", "U2 L2", SERIES_POINTS},
        {"pressure_x", "pressure part of the force in x", "U2 L2", SERIES_POINTS},
        {"pressure_y", "pressure part of the force in y", "U2 L2", SERIES_POINTS},
        {"pressure_z", "pressure part of the force in z", "U2 L2", SERIES_POINTS},
        {"torque_x", "torque of the fluid about the centre of the body in x", "U2 L3", SERIES_POINTS},
        {"torque_y", "torque of the fluid about the centre of the body in y", "U2 L3", SERIES_POINTS},
        {"torque_z", "torque of the fluid about the centre of the body in z", "U2 L3", SERIES_POINTS},
        {"opening_x", "momentum in x that faces take which open and close", "U2 L2", SERIES_POINTS},
        {"opening_y", "momentum in y that faces take which open and close", "U2 L2", SERIES_POINTS},
        {"opening_z", "momentum in z that faces take which open and close", "U2 L2", SERIES_POINTS},
        {"position_x", "centre of the body in x at the end of the step", "L", SERIES_POINTS},
        {"position_y", "centre of the body in y at the end of the step", "L", SERIES_POINTS},
        {"position_z", "centre of the body in z at the end of the step", "L", SERIES_POINTS},
        {"coefficient_x", "2 F/(A U^2) of the force in x", "1", SERIES_POINTS},
        {"coefficient_y", "2 F/(A U^2) of the force in y", "1", SERIES_POINTS},
        {"coefficient_z", "2 F/(A U^2) of the force in z", "1", SERIES_POINTS}};
    char path[PATH];
    if (r == NULL || r->series != NULL || r->flow->bodies == NULL) return KOL_OK;
    const struct series_coordinate coordinate[3] = {{"x", "centre of the body in x", "L", r->centre[X]},
                                                    {"y", "centre of the body in y", "L", r->centre[Y]},
                                                    {"z", "centre of the body in z", "L", r->centre[Z]}};
    const struct series_points points = {"body", r->bodies, coordinate, 3};
    snprintf(path, sizeof path, "%s/bodies.nc", r->flow->domain->in->output.directory);
    struct series_column column[COLUMNS + SCALARS_MOST];
    const struct input *in = r->flow->domain->in;
    const int before = columns_before(in), own = columns_of_bodies(in);
    memcpy(column, forces, (size_t)before * sizeof *column);
    memcpy(column + before, forces + FIRST_COLUMNS, (size_t)own * sizeof *column);
    const int columns = add_fluxes(r, before + own, column);
    return series_open(path, column, columns, &points, r->keep_through, r->text, r->texts, &r->series);
}

kol_status body_record_flush(struct body_record *r)
{
    return r != NULL && r->series != NULL ? series_flush(r->series) : KOL_OK;
}

kol_status body_record_close(struct body_record *r)
{
    return r != NULL ? series_close(&r->series) : KOL_OK;
}

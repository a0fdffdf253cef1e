/* Judges whether a checkpoint suits the input of a run. */
#include "restart_fit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/bodies.h"
#include "inputs/compare.h"
#include "inputs/drives.h"
#include "inputs/face_kinds.h"
#include "inputs/scalars.h"
#include "io/hash.h"
#include "io/planefile.h"
#include "boundary/open_faces.h"
#include "scalars/scalar_given.h"

const char *const restart_table[FACES] = {"inflow_table_x_low", "inflow_table_x_high",
                                          "inflow_table_y_low", "inflow_table_y_high",
                                          "inflow_table_z_low", "inflow_table_z_high"};

const char *const restart_scalar_table = "scalar_tables";

/* A hash of the numbers of a table: the columns, then the coordinates. */
static unsigned long long hash_of_table(const struct face_table *t)
{
    const size_t n = (size_t)t->points;
    unsigned long long sum = hash_bytes(t->x, n * sizeof(double), (unsigned long long)t->columns * n);
    for (int c = 0; c < t->columns; ++c)
        sum += hash_bytes(t->value[c], n * sizeof(double), (unsigned long long)c * n);
    return sum;
}

double restart_table_hash(const struct inflow *inflow, int face)
{
    const struct face_table *t = inflow_table_of(inflow, face);
    const struct planefile *planes = inflow_planefile(inflow, face);
    unsigned long long sum = 0;
    if (planes != NULL) return 1 + (double)(planefile_hash(planes) >> 12);
    if (t == NULL) return 0;
    sum = hash_of_table(t);
    return 1 + (double)(sum >> 12);
}

double restart_scalar_hash(const struct domain *domain)
{
    unsigned long long sum = 0;
    int any = 0;
    for (int f = 0; f < FACES; ++f)
        for (int n = 0; n < scalar_count(domain->in); ++n) {
            const struct face_table *t = scalar_given_table(domain, n, f);
            if (t == NULL) continue;
            any = 1;
            sum += (2 * (unsigned long long)(SCALARS_MOST * f + n) + 1) * hash_of_table(t);
        }
    return any ? 1 + (double)(sum >> 12) : 0;
}

void restart_add_line(char *text, size_t size, const char *fmt, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, fmt);
    vsnprintf(text + used, size - used, fmt, args);
    va_end(args);
}

/* Whether an input is not compared as text. The group grid is compared by its coordinates; a restarted run
 * does not read &initial; and the log tells how it was restarted. */
static int is_told_elsewhere(const char *name)
{
    static const char *const NAME[] = {"grid.",
                                       "initial.",
                                       "checkpoint.restart",
                                       "checkpoint.force",
                                       "checkpoint.regrid",
                                       "checkpoint.add_bodies",
                                       "checkpoint.remove_bodies"};
    for (size_t i = 0; i < sizeof NAME / sizeof *NAME; ++i)
        if (strncmp(name, NAME[i], strlen(NAME[i])) == 0) return 1;
    return 0;
}

/* Whether the seed determines the turbulence of an inflow, which continues from the file. */
static int seed_is_physics(const struct input *in)
{
    for (int f = 0; f < FACES; ++f)
        if (face_has_turbulent_inflow(in, f)) return 1;
    return 0;
}

static int is_of_bodies(const char *name)
{
    return strncmp(name, "bodies.", 7) == 0 || strncmp(name, "packing.", 8) == 0 ||
           strncmp(name, "bodies_list.", 12) == 0;
}

/* Notes which scalars of the file this run has not. was: their names, as 'heat', 'dye'. */
static void note_left_out(struct restart_fit *f, const char *was)
{
    const struct input *in = f->domain->in;
    for (const char *from = strchr(was, '\''), *to; from != NULL; from = strchr(to + 1, '\'')) {
        to = strchr(++from, '\'');
        if (to == NULL) return;
        int there = to == from;
        for (int n = 0; n < scalar_count(in); ++n)
            there |= strlen(in->scalars.name[n]) == (size_t)(to - from) &&
                     strncmp(from, in->scalars.name[n], (size_t)(to - from)) == 0;
        if (!there) restart_add_line(f->left_out, sizeof f->left_out, " %.*s", (int)(to - from), from);
    }
}

/* Whether a change belongs to the buoyancy of scalars that begin with this run, in a flow that had none. */
static int begins_to_lift(const struct restart_fit *f, const struct input_change *change)
{
    return strncmp(change->name, "buoyancy.", 9) == 0 && scalar_count(f->domain->in) > 0 && f->scalars == 0 &&
           f->left_out[0] == '\0';
}

/* Whether a change takes the force of a box away by its type. */
static int takes_force_away(const struct input_change *change)
{
    return strcmp(change->name, "forcing.type") == 0 && strcmp(change->now, "'none'") == 0 &&
           (strcmp(change->was, "'linear'") == 0 || strcmp(change->was, "'low-wavenumber'") == 0);
}

/* Notes a change of the input. Changes of control, numerics and output are allowed, and the log tells
 * them. */
static void note_change(void *context, const struct input_change *change)
{
    struct restart_fit *f = context;
    const int seed = strcmp(change->name, "run.seed") == 0 && seed_is_physics(f->domain->in);
    const int bodies = f->bodies && is_of_bodies(change->name);
    const int lifts = begins_to_lift(f, change);
    const int begins = bodies || lifts || (strncmp(change->name, "scalars.", 8) == 0 && f->scalars == 0);
    f->lifts |= lifts;
    if (strcmp(change->name, "scalars.name") == 0) note_left_out(f, change->was);
    if (!change->known) {
        restart_add_line(f->other, sizeof f->other, "\n  %s = %s is unknown to this program", change->name,
                         change->was);
    } else if (strcmp(change->name, "forcing.decay") == 0) {
        f->switched = 1;
        restart_add_line(f->other, sizeof f->other, "\n  %s: %s, was %s", change->name, change->now,
                         change->was);
    } else if (strcmp(change->name, "run.seed") == 0 && !seed) {
        snprintf(f->seed.was, sizeof f->seed.was, "%.31s", change->was);
        snprintf(f->seed.now, sizeof f->seed.now, "%.31s", change->now);
    } else if ((change->physics && !begins) || seed) {
        ++f->physics_changes;
        f->unforced |= takes_force_away(change);
        f->boundary_changes +=
            seed || strncmp(change->name, "boundary.", 9) == 0 || is_of_bodies(change->name);
        restart_add_line(f->physics, sizeof f->physics, "\n  %s: %s in the file, %s in the input",
                         change->name, change->was, change->now);
    } else if (!is_told_elsewhere(change->name) && !bodies) {
        restart_add_line(f->other, sizeof f->other, "\n  %s: %s, was %s", change->name, change->now,
                         change->was);
    }
}

/* Judges another run.seed when all other changes are known. It is other physics if a random force of a box
 * goes on. A force that is switched off needs no random numbers. One that is switched on again begins
 * anew. */
static void judge_seed(struct restart_fit *f)
{
    const struct input *in = f->domain->in;
    const int goes_on = drive_is_random(in) && drive_forces_box(in) && !f->switched;
    if (f->seed.was[0] == '\0') return;
    f->physics_changes += goes_on;
    if (goes_on)
        restart_add_line(f->physics, sizeof f->physics,
                         "\n  run.seed: %s in the file, %s in the input, and the random force of the box "
                         "depends on it",
                         f->seed.was, f->seed.now);
    else restart_add_line(f->other, sizeof f->other, "\n  run.seed: %s, was %s", f->seed.now, f->seed.was);
}

/* Compares the velocities in the tables of inflows. */
static kol_status compare_tables(struct checkpoint *c, const struct inflow *inflow, struct restart_fit *f)
{
    for (int face = 0; face < FACES; ++face) {
        const double now = restart_table_hash(inflow, face);
        double was;
        char name[32];
        TRY(checkpoint_scalar_or(c, restart_table[face], -1, &was));
        snprintf(name, sizeof name, "boundary.%s_file", restart_table[face] + strlen("inflow_table_"));
        if (now > 0 && was < 0)
            restart_add_line(f->other, sizeof f->other,
                             "\n  %s: the checkpoint does not tell what this file held", name);
        if (now == 0 || was <= 0 || now == was) continue;
        ++f->physics_changes;
        ++f->boundary_changes;
        restart_add_line(f->physics, sizeof f->physics,
                         "\n  %s: %s holds other velocities than when the file was written", name,
                         f->domain->in->boundary.file[face]);
    }
    return KOL_OK;
}

/* Compares the tables of scalars. */
static kol_status compare_scalar_tables(struct checkpoint *c, struct restart_fit *f)
{
    const double now = restart_scalar_hash(f->domain);
    double was;
    TRY(checkpoint_scalar_or(c, restart_scalar_table, 0, &was));
    if (now == 0 || was == 0 || now == was) return KOL_OK;
    ++f->physics_changes;
    restart_add_line(f->physics, sizeof f->physics,
                     "\n  scalars.*_table: the tables hold other numbers than when the file was written");
    return KOL_OK;
}

kol_status restart_other_table(const struct flow *flow, struct checkpoint *c, int *face)
{
    *face = -1;
    for (int f = FACES - 1; f >= 0 && flow->open != NULL; --f) {
        double was;
        TRY(checkpoint_scalar_or(c, restart_table[f], -1, &was));
        if (restart_table_hash(flow->open->inflow, f) != fmax(was, 0)) *face = f;
    }
    return KOL_OK;
}

/* By which input a run with bodies takes on a flow without, or the other way about. */
static const char *bodies_remedy(const struct restart_fit *f)
{
    return f->bodies != 0  ? ""
           : f->may_add    ? "; or checkpoint.add_bodies = .true. to put the bodies into its flow"
           : f->may_remove ? "; or checkpoint.remove_bodies = .true. to go on without its bodies"
                           : "";
}

static kol_status refuse(const struct domain *domain, const struct restart_fit *f, const char *path)
{
    const int grid = f->grid.count > 0 && (!domain->in->checkpoint.regrid || f->grid.box > 0);
    const int physics = f->physics_changes > 0 && !domain->in->checkpoint.force;
    if (!grid && !physics) return KOL_OK;
    RAISE(KOL_ERR_INPUT, "%s does not fit this run:%s%s\nuse the input and the build that wrote it%s%s%s%s%s",
          path, grid ? f->grid.text : "", physics ? f->physics : "",
          physics && f->unforced
              ? "; or keep &forcing and set forcing.decay = .true. to let the turbulence decay"
              : "",
          grid && f->grid.box == 0 ? "; or checkpoint.regrid = .true. to interpolate the flow" : "",
          physics ? bodies_remedy(f) : "", physics ? "; or --force-restart to go on with other physics" : "",
          "; or restart = 'none'");
}

/* Finds which scalars of this run the file holds. */
static kol_status look_for_scalars(struct checkpoint *c, struct restart_fit *f)
{
    const struct input *in = f->domain->in;
    for (int n = 0; n < scalar_count(in); ++n) {
        int there = 0;
        TRY(checkpoint_has(c, in->scalars.name[n], &there));
        f->scalars += there;
        if (!there) restart_add_line(f->begun, sizeof f->begun, " %.*s", SCALAR_NAME, in->scalars.name[n]);
    }
    return KOL_OK;
}

/* Finds whether bodies come into a flow that had none, or leave it. */
static kol_status look_for_bodies(struct checkpoint *c, struct restart_fit *f)
{
    const struct input *in = f->domain->in;
    double was, t;
    TRY(checkpoint_scalar_or(c, "bodies", 0, &was));
    TRY(checkpoint_scalar(c, "time", &t));
    f->may_add = was == 0 && bodies_left_at(in, t);
    f->may_remove = was > 0 && !bodies_any(in);
    f->bodies = f->may_add && in->checkpoint.add_bodies   ? 1
                : was > 0 && in->checkpoint.remove_bodies ? -1
                                                          : 0;
    return KOL_OK;
}

kol_status restart_fit_judge(const struct domain *domain, const struct io_axis axis[3], struct checkpoint *c,
                             const char *path, const struct inflow *inflow, struct restart_fit *f,
                             int *grid_differs)
{
    char *text = NULL;
    memset(f, 0, sizeof *f);
    f->domain = domain;
    TRY(look_for_scalars(c, f));
    TRY(look_for_bodies(c, f));
    TRY(checkpoint_compare(c, axis, (int)sizeof(real), &f->grid));
    TRY(checkpoint_text(c, "input", &text));
    input_compare(text, domain->in, note_change, f);
    free(text);
    judge_seed(f);
    TRY(compare_tables(c, inflow, f));
    TRY(compare_scalar_tables(c, f));
    *grid_differs = f->grid.count > 0;
    return refuse(domain, f, path);
}

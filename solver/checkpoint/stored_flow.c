/* Reads stored flows, for programs that compute statistics of them. */
#include "stored_flow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/compare.h"
#include "inputs/drives.h"
#include "inputs/face_kinds.h"
#include "io/checkpoint.h"
#include "bodies/bodies_travel.h"
#include "control/health.h"
#include "boundary/open_faces.h"
#include "restart.h"
#include "restart_fit.h"
#include "restart_state.h"

static kol_status look(struct checkpoint *c, struct stored_flow *out)
{
    int faces = 1;
    out->fields = checkpoint_is_fields(c);
    if (out->fields) TRY(checkpoint_has(c, flow_field[FLOW_U].name_in_file, &faces));
    out->centred = !faces;
    TRY(checkpoint_step(c, &out->step));
    return checkpoint_scalar(c, "time", &out->t);
}

/* Checks that the numbers of a file of fields make sense. */
static kol_status check_numbers(struct checkpoint *c)
{
    static const char *const NAME[] = {"time", "force", "force_power", "decays_since"};
    long long step;
    TRY(checkpoint_step(c, &step));
    if (step < 0 || step >= 1LL << 53)
        RAISE(KOL_ERR_IO, "%s: 'step' is %lld, but an integer from 0 to 2^53 is needed; leave the file out",
              checkpoint_path(c), step);
    for (size_t n = 0; n < sizeof NAME / sizeof *NAME; ++n) {
        double value;
        TRY(checkpoint_scalar_or(c, NAME[n], 0, &value));
        if (!isfinite(value) || (n == 0 && (value < 0 || (value > 0) != (step > 0))))
            RAISE(KOL_ERR_IO, "%s: '%s' is %.17g at step %lld, which makes no sense; leave the file out",
                  checkpoint_path(c), NAME[n], value, step);
    }
    return KOL_OK;
}

/* Whether numbers and texts are those that were written, and make sense. Arrays are checked as they are read.
 */
static kol_status check_sound(const struct comm *ranks, struct checkpoint *c)
{
    TRY(checkpoint_whole(c));
    return checkpoint_is_fields(c) ? comm_agree(ranks, check_numbers(c)) : restart_state_check(ranks, c);
}

/* After a fault of one rank alone no collective call is possible, so the file is not closed. */
static kol_status close_after(kol_status st, struct checkpoint **c)
{
    if (st != KOL_OK && !status_agreed() && st != KOL_ERR_INPUT && st != KOL_ERR_NUMERICAL) return st;
    const kol_status closed = checkpoint_close(c);
    return st != KOL_OK ? st : closed;
}

kol_status stored_flow_look(const struct comm *c, const char *path, struct stored_flow *out)
{
    struct checkpoint *file = NULL;
    if (snprintf(out->path, sizeof out->path, "%s", path) >= (int)sizeof out->path)
        RAISE(KOL_ERR_INPUT, "error: %.80s...: the name is longer than %d bytes", path,
              RUN_DIRECTORY_TEXT - 1);
    TRY(checkpoint_look_flow(c->mpi, path, &file));
    kol_status st = check_sound(c, file);
    if (st == KOL_OK) st = look(file, out);
    return close_after(st, &file);
}

kol_status stored_flow_input(const struct comm *c, const char *path, char **text)
{
    struct checkpoint *file = NULL;
    *text = NULL;
    TRY(checkpoint_look_flow(c->mpi, path, &file));
    const kol_status st = close_after(checkpoint_text(file, "input", text), &file);
    if (st == KOL_OK) return st;
    free(*text);
    *text = NULL;
    return st;
}

/* --- does it fit? --- */

struct physics {
    char text[4096]; /* lines, each begun by a newline */
};

static void note_change(void *context, const struct input_change *change)
{
    struct physics *p = context;
    const size_t used = strlen(p->text);
    if (!change->known || !change->physics) return;
    snprintf(p->text + used, sizeof p->text - used, "\n  %s: %s in the file, %s in the input", change->name,
             change->was, change->now);
}

static kol_status check_kind(const struct flow *flow, const struct stored_flow *from)
{
    if (from->centred)
        RAISE(
            KOL_ERR_INPUT,
            "%s: error: its velocity is interpolated to cell centres, which smooths it: no statistics of the "
            "run follow from it. Let the run write output.field_places = 'faces', or give checkpoints",
            from->path);
    if (from->step == 0)
        RAISE(KOL_ERR_INPUT,
              "%s: error: it is the flow before the first step, which has no pressure yet, and of which the "
              "run "
              "takes no sample; leave it out",
              from->path);
    if (from->fields && flow->open != NULL)
        RAISE(KOL_ERR_INPUT,
              "%s: error: the box has open faces, and only checkpoints hold the velocities on them; give "
              "checkpoints",
              from->path);
    return KOL_OK;
}

static kol_status check_precision(struct checkpoint *c, const struct stored_flow *from)
{
    int bytes;
    TRY(checkpoint_bytes(c, &bytes));
    if (bytes <= (int)sizeof(real)) return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "%s: error: its values have %d bytes, but those of this program have %d; use the double build",
          from->path, bytes, (int)sizeof(real));
}

static kol_status check_fit(const struct flow *flow, struct checkpoint *c, const struct stored_flow *from)
{
    const struct domain *domain = flow->domain;
    struct checkpoint_differences grid;
    struct physics physics = {""};
    struct io_axis axis[3];
    char *text = NULL;
    TRY(check_kind(flow, from));
    if (from->fields) TRY(check_precision(c, from));
    for (int d = 0; d < 3; ++d) axis[d] = (struct io_axis){domain->decomp.n_g[d], domain->grid.face[d]};
    TRY(checkpoint_compare(c, axis, from->fields ? 0 : (int)sizeof(real), &grid));
    TRY(checkpoint_text(c, "input", &text));
    input_compare(text, domain->in, note_change, &physics);
    free(text);
    if (grid.count == 0 && physics.text[0] == '\0') return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "%s: error: it is of another flow:%s%s\ngive files of one flow, with its own input, and the build "
          "of their precision",
          from->path, grid.text, physics.text);
}

/* --- reading --- */

static kol_status get_field(struct flow *flow, struct host_copy *s, struct checkpoint *c,
                            const struct stored_flow *from, enum flow_field_number f)
{
    struct io_view v = host_copy_field(flow->domain, f);
    if (from->fields) v.name = field_row(flow->domain->in, f).name_in_file;
    v.widens = from->fields;
    return checkpoint_get(c, host_copy_into(s, *field_array(flow, f), v));
}

static kol_status get_force(struct flow *flow, struct checkpoint *c, const struct stored_flow *from)
{
    const struct domain *domain = flow->domain;
    const double unknown = !drive_has_force(domain->in) && !drive_is_of_box(domain->in) ? 0 : NAN;
    TRY(checkpoint_scalar_or(c, "force", unknown, &flow->force.gradient));
    TRY(checkpoint_scalar_or(c, "force_power", unknown, &flow->force.power));
    if (!isnan(flow->force.gradient) && !isnan(flow->force.power)) return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "%s: error: the force that drove the flow is not in it: an earlier version wrote it. Continue from "
          "it for one step with a checkpoint at the end, and give that checkpoint",
          from->path);
}

/* Reads the velocity on open faces. */
static kol_status get_planes(struct flow *flow, struct checkpoint *c, const struct stored_flow *from)
{
    const struct domain *domain = flow->domain;
    double stored;
    int face;
    if (flow->open == NULL) return KOL_OK;
    TRY(checkpoint_scalar_or(c, "open_faces", 0, &stored));
    TRY(restart_other_table(flow, c, &face));
    if (face >= 0 && domain->in->boundary.file[face][0] == '\0')
        RAISE(KOL_ERR_INPUT,
              "%s: error: its state holds a table of velocities for boundary.%s, and its input names none",
              from->path, FACE_NAME[face]);
    if (face >= 0)
        RAISE(KOL_ERR_INPUT,
              "%s: error: %s holds other velocities than when the file was written, or the file does not say "
              "which",
              from->path, domain->in->boundary.file[face]);
    if ((open_faces_stored(flow) & ~(unsigned)stored) != 0)
        RAISE(KOL_ERR_INPUT,
              "%s: error: it does not have the velocity on all outflows: an earlier version wrote it",
              from->path);
    return restart_planes(flow, c, 0);
}

/* Moves bodies that travel to where they were. */
static kol_status place_bodies(struct flow *flow, struct checkpoint *c, const struct stored_flow *from)
{
    double was;
    TRY(checkpoint_scalar_or(c, "bodies_hash", 0, &was));
    if (was != 0 && was != bodies_hash(flow))
        RAISE(
            KOL_ERR_INPUT,
            "%s: error: its bodies had another geometry or motion, though their inputs are the same; a file "
            "named by bodies.file, bodies.motion_file or bodies_list.file has changed. Use the file as it "
            "was",
            from->path);
    return bodies_place(flow);
}

static kol_status read(struct flow *flow, struct host_copy *s, struct checkpoint *c,
                       const struct stored_flow *from)
{
    TRY(check_fit(flow, c, from));
    TRY(get_force(flow, c, from));
    flow->clock = (struct clock){.step = from->step, .t = from->t};
    TRY(checkpoint_scalar_or(c, "dt", 0, &flow->clock.dt)); /* field files have none */
    TRY(checkpoint_scalar_or(c, "decays_since", -1, &flow->clock.decays_since));
    TRY(place_bodies(flow, c, from));
    for (int f = FLOW_U; f < FLOW_P; ++f) TRY(get_field(flow, s, c, from, f));
    TRY(get_planes(flow, c, from));
    for (int f = FLOW_P; f < field_count(flow->domain->in); ++f) TRY(get_field(flow, s, c, from, f));
    flow->halo_filled = 0;
    flow->energy_start = -1;
    flow->now = flow->before = (struct monitor){.energy = 0};
    return health_monitor(flow);
}

kol_status stored_flow_read(struct flow *flow, struct host_copy *s, const struct stored_flow *from)
{
    const struct domain *domain = flow->domain;
    struct checkpoint *c = NULL;
    TRY(checkpoint_look_flow(domain->comm.mpi, from->path, &c));
    return close_after(read(flow, s, c, from), &c);
}

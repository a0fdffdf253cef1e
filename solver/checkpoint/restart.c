/* Writes the state of a run to checkpoints, and continues a run from them. */
#include "restart.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "io/checkpoint.h"
#include "io/checkpoint_find.h"
#include "io/log.h"
#include "bodies/bodies.h"
#include "initial/body_removal.h"
#include "initial/initial.h"
#include "inputs/drives.h"
#include "inputs/scalars.h"
#include "scalars/scalar_initial.h"
#include "step/exact_step.h"
#include "boundary/open_faces.h"
#include "forcing/box_forcing.h"
#include "poisson/preconditioner_choice.h"
#include "step/pressure.h"
#include "step/travel_stage.h"
#include "regrid.h"
#include "transfer.h"
#include "restart_fit.h"
#include "restart_state.h"
#include "statistics/statistics.h"
#include "parallel/watchdog.h"

/* Added to the bits of stages 1 and 2 in the number `stage_pressures` if the file holds the potential. */
enum { WITH_POTENTIAL = 4 };

/* judged: an array that is to be written to a checkpoint. */
struct judged {
    struct io_view view;
    const struct restart_image *image;
    int rank;
};

static kol_status check_finite(const struct judged *about, int first, int planes)
{
    const struct restart_image *image = about->image;
    const struct io_view *v = &about->view;
    const real *value = v->data;
    const ptrdiff_t n = (ptrdiff_t)v->n[X] * v->n[Y] * planes * v->ncomp;
    for (ptrdiff_t c = 0; c < n; ++c) {
        if (isfinite(value[c])) continue;
        const int i = (int)(c / v->ncomp % v->n[X]), j = (int)(c / v->ncomp / v->n[X] % v->n[Y]);
        const int k = first + (int)(c / v->ncomp / v->n[X] / v->n[Y]);
        RAISE(KOL_ERR_NUMERICAL,
              "%s is %g in cell (%d, %d, %d) on rank %d after step %lld, t = %.6g: no checkpoint is written, "
              "and older ones are unchanged. Lower time.cfl or time.dt, or refine the grid",
              v->name, (double)value[c], v->offset[X] + i, v->offset[Y] + j, v->offset[Z] + k, about->rank,
              image->step, image->t);
    }
    return KOL_OK;
}

/* Checks that values are finite. health_monitor does not look at all fields, above all not at the pressures,
 * and a checkpoint must not hold such values. */
static kol_status pass_finite(void *judged, int first, int planes)
{
    const struct judged *about = judged;
    const struct io_planes *from = &about->view.planes;
    watchdog_phase(NULL);
    TRY(from->pass(from->context, first, planes));
    return check_finite(about, first, planes);
}

static kol_status take_arrays(const struct flow *flow, struct host_copy *s, struct restart_image *image,
                              int whole)
{
    struct io_view *v = image->view;
    for (int f = 0; f < FLOW_ROWS; ++f) {
        const real *array = field_values(flow, f);
        if (array == NULL || (flow_field[f].kept == FIELD_FOR_GUESS && !whole)) continue;
        *v++ = host_copy_field(flow->domain, f);
        TRY(host_copy_list(s, array));
    }
    return KOL_OK;
}

kol_status restart_take(struct statistics *statistics, struct control *control, struct step *step,
                        struct flow *flow, struct host_copy *s, int whole, struct restart_image *image)
{
    struct poisson *poisson = &step->poisson;
    const struct domain *domain = flow->domain;
    const int stored = (flow->pressure.now[0] != NULL) + 2 * (flow->pressure.now[1] != NULL) +
                       WITH_POTENTIAL * (flow->potential[X] != NULL);
    const struct io_scalar scalar[RESTART_PLAIN] = {{"step", (double)flow->clock.step},
                                                    {"time", flow->clock.t},
                                                    {"dt", flow->clock.dt},
                                                    {"dissipation_before", flow->dissipation_before2},
                                                    {"energy", flow->now.energy},
                                                    {"energy_start", flow->energy_start},
                                                    {"decays_since", flow->clock.decays_since},
                                                    {"nu", domain->in->fluid.nu},
                                                    {"scheme", domain->in->time.scheme},
                                                    {"stage_pressures", stored},
                                                    {"preconditioner_choice", poisson->choice},
                                                    {"force", flow->force.gradient},
                                                    {"force_power", flow->force.power},
                                                    {"statistics_size", (double)statistics_size(statistics)},
                                                    {"steps_known", flow->pressure.steps_known},
                                                    {"inverse_met", step->inverse_met},
                                                    {"smoothing_steps", poisson->strength.steps},
                                                    {"smoothing_reduction", poisson->strength.reduction},
                                                    {"smoothing_gain", poisson->strength.gain},
                                                    {"forcing_size", box_forcing_stored(flow)},
                                                    {"surface_size", bodies_surface_stored(flow)},
                                                    {"monitors_complete", flow->complete},
                                                    {"open_faces", open_faces_stored(flow)},
                                                    {"bodies", bodies_stored(flow)},
                                                    {"bodies_hash", bodies_hash(flow)},
                                                    {restart_scalar_table, restart_scalar_hash(domain)}};
    image->step = flow->clock.step;
    image->t = flow->clock.t;
    memcpy(image->scalar, scalar, sizeof scalar);
    struct turbulence_watch regime = control->watch;
    double *value[TURBULENCE_WATCH_VALUES];
    turbulence_watch_values(&regime, value);
    for (int f = 0; f < FACES; ++f)
        image->scalar[RESTART_PLAIN + f] = (struct io_scalar){
            restart_table[f], restart_table_hash(flow->open != NULL ? flow->open->inflow : NULL, f)};
    for (int n = 0; n < TURBULENCE_WATCH_VALUES; ++n)
        image->scalar[RESTART_PLAIN + FACES + n] = (struct io_scalar){turbulence_watch_names[n], *value[n]};
    s->listed = 0;
    if (whole) TRY(statistics_take(statistics));
    image->statistics = whole ? statistics_view(statistics) : (struct io_view){.n_g = {0, 0, 0}};
    image->cells = whole ? statistics : NULL;
    if (whole) box_forcing_take(flow);
    image->forcing = whole ? box_forcing_view(flow) : (struct io_view){.n_g = {0, 0, 0}};
    image->surface = whole ? bodies_surface_view(flow) : (struct io_view){.n_g = {0, 0, 0}};
    image->planes = 0;
    if (whole) TRY(open_faces_take(flow));
    for (int f = 0; f < FACES && whole; ++f)
        if (open_faces_stored(flow) >> f & 1u) image->plane[image->planes++] = open_faces_view(flow, f);
    return take_arrays(flow, s, image, whole);
}

static kol_status put_fields(const struct comm *ranks, struct host_copy *s, const struct restart_image *image,
                             struct checkpoint *c)
{
    for (int n = 0; n < s->listed; ++n) {
        struct judged about = {host_copy_from(s, n, image->view[n]), image, ranks->rank};
        struct io_view view = about.view;
        view.planes.pass = pass_finite;
        view.planes.context = &about;
        watchdog_phase(NULL);
        TRY(checkpoint_put(c, view));
    }
    for (int n = 0; n < image->planes; ++n) {
        const struct judged about = {image->plane[n], image, ranks->rank};
        TRY(comm_agree(ranks, check_finite(&about, 0, about.view.n[Z])));
        TRY(checkpoint_put(c, image->plane[n]));
    }
    if (image->forcing.n_g[X] > 0) TRY(checkpoint_put(c, image->forcing));
    if (image->surface.n_g[X] > 0) TRY(checkpoint_put(c, image->surface));
    if (image->statistics.n_g[X] > 0) TRY(checkpoint_put(c, image->statistics));
    return statistics_put_cells(image->cells, c);
}

/* Reads the averages over time, if the file has those of this grid and this flow. */
static kol_status get_statistics(struct statistics *statistics, const struct domain *domain,
                                 struct checkpoint *c, int same)
{
    double size;
    struct io_view view;
    TRY(checkpoint_scalar_or(c, "statistics_size", 0, &size));
    if (!same || statistics == NULL || !(size >= 1 && size <= INT_MAX)) {
        statistics_absent(statistics, size != 0);
        return KOL_OK;
    }
    TRY(comm_agree(&domain->comm, statistics_expect(statistics, (ptrdiff_t)size, &view)));
    TRY(checkpoint_get(c, view));
    TRY(comm_agree(&domain->comm, statistics_given(statistics, domain)));
    return statistics_get_cells(statistics, c);
}

/* Reads the amplitudes of the forced waves of a box, if the file has those of this forcing. */
static kol_status get_forcing(struct flow *flow, struct checkpoint *c, int same, int other_grid)
{
    double size;
    TRY(checkpoint_scalar_or(c, "forcing_size", 0, &size));
    if (!same || size == 0 || size != box_forcing_stored(flow)) return KOL_OK;
    TRY(checkpoint_get(c, box_forcing_view(flow)));
    return box_forcing_given(flow, other_grid);
}

/* Reads the averages on the surface of bodies, if the file has those of these bodies from the same time on.
 * */
static kol_status get_surface(struct flow *flow, struct checkpoint *c, int same, char *why, size_t room)
{
    double size;
    int continued = 0;
    TRY(checkpoint_scalar_or(c, "surface_size", 0, &size));
    if (bodies_surface_stored(flow) == 0) return KOL_OK;
    if (same && size == bodies_surface_stored(flow)) {
        TRY(checkpoint_get(c, bodies_surface_view(flow)));
        TRY(body_stresses_given(flow->bodies->stresses, &continued));
    }
    if (!continued && flow->clock.t > flow->domain->in->output.surface_start)
        restart_add_line(
            why, room,
            "\nwarning: the averages on the surface of bodies begin here: the checkpoint has none "
            "of these bodies from output.surface_start on");
    return KOL_OK;
}

kol_status restart_write(const struct domain *domain, const struct comm *ranks, const struct io_axis axis[3],
                         struct host_copy *s, const struct restart_image *image, const struct io_text *text,
                         int texts)
{
    const char *directory = domain->in->output.directory;
    struct checkpoint *c = NULL;
    TRY(comm_agree(ranks, restart_state_written(image->scalar)));
    TRY(checkpoint_check_space(ranks->mpi, directory, restart_bytes(domain->in)));
    TRY(checkpoint_begin(ranks->mpi, directory, image->step, axis, text, texts, &c));
    const kol_status st = put_fields(ranks, s, image, c);
    if (st != KOL_OK) {
        if (status_agreed())
            checkpoint_close(&c); /* after a fault of one rank alone no collective call is possible */
        return status_pass(st, __FILE__, __LINE__, "put_fields");
    }
    return checkpoint_end(&c, image->scalar, RESTART_SCALARS, domain->in->checkpoint.keep);
}

kol_status restart_count(struct memory *memory, const struct domain *domain)
{
    const struct input *in = domain->in;
    struct memory verify = {.host = 0}, planes = {.host = 0}, regrid = {.host = 0};
    verify.host = checkpoint_verify_bytes(domain->decomp.n_g, restart_cell_bytes(in), domain->comm.size);
    memory_for_a_while(memory, &verify);
    if (strcmp(in->checkpoint.restart, "none") == 0) {
        if (in->initial.type == INITIAL_FILE) TRY(transfer_count(&regrid, domain));
        memory_for_a_while(memory, &regrid);
        return KOL_OK;
    }
    TRY(open_faces_count(&planes, domain));
    memory_for_a_while(memory, &planes);
    if (in->checkpoint.regrid) TRY(regrid_count(&regrid, domain));
    memory_for_a_while(memory, &regrid);
    return KOL_OK;
}

/* Restores the planes of outflows. Those that the file does not hold begin without a gradient across them. */
kol_status restart_planes(struct flow *flow, struct checkpoint *c, int changed)
{
    double stored;
    TRY(checkpoint_scalar_or(c, "open_faces", 0, &stored));
    for (int f = 0; f < FACES; ++f)
        if (open_faces_stored(flow) & (unsigned)stored & 1u << f)
            TRY(checkpoint_get(c, open_faces_view(flow, f)));
    TRY(open_faces_known(flow, (unsigned)stored));
    return open_faces_restore(flow, (unsigned)stored, changed);
}

static kol_status get_field(struct flow *flow, struct host_copy *s, struct checkpoint *c,
                            enum flow_field_number f)
{
    return checkpoint_get(c, host_copy_into(s, *field_array(flow, f), host_copy_field(flow->domain, f)));
}

/* Restores the potential of the exact method. A flow of another method is projected first; so is a flow with
 * other boundaries, for any method. */
static kol_status get_potential(struct step *step, struct flow *flow, struct host_copy *s,
                                struct checkpoint *c, int known, int changed)
{
    const struct domain *domain = flow->domain;
    if (changed || (step->exact_step != NULL && !known)) return initial_project(step, flow);
    if (step->exact_step == NULL) return KOL_OK;
    for (int d = 0; d < 3; ++d) {
        TRY(pool_hold(domain->pool, "potential", &flow->potential[d]));
        TRY(get_field(flow, s, c, FLOW_POTENTIAL_X + d));
    }
    return KOL_OK;
}

/* Restores the scalars. One that the file does not hold begins with its initial values. */
static kol_status get_scalars(struct flow *flow, struct host_copy *s, struct checkpoint *c)
{
    for (int n = 0; n < scalar_count(flow->domain->in); ++n) {
        int there = 0;
        TRY(checkpoint_has(c, flow->domain->in->scalars.name[n], &there));
        TRY(there ? get_field(flow, s, c, FLOW_SCALAR + n) : scalar_initial(flow, n));
        if (there) TRY(scalar_initial_hold(flow, n));
    }
    return KOL_OK;
}

/* Restores the fields. changed: whether the boundary conditions differ from the file's. added: whether bodies
 * are put into the flow or taken out of it. */
static kol_status get_fields(struct step *step, struct flow *flow, struct host_copy *s, struct checkpoint *c,
                             int changed, int added)
{
    const struct domain *domain = flow->domain;
    double stages, known, scheme;
    TRY(checkpoint_scalar(c, "stage_pressures", &stages));
    TRY(checkpoint_scalar(c, "steps_known", &known));
    TRY(checkpoint_scalar(c, "scheme", &scheme));
    for (int f = FLOW_U; f < FLOW_P; ++f) TRY(get_field(flow, s, c, f));
    /* the stage pressures of another scheme belong to other times, those of other boundaries to another flow;
     * then the guesses begin without them */
    const int same = (int)scheme == domain->in->time.scheme && !changed && !added;
    const int wanted = pressure_stages_wanted(domain->in, step->poisson.guess);
    int have = 0;
    for (int m = 0; m < 2; ++m) {
        if (!same || !((int)stages & (1 << m)) || !(wanted & (1 << m))) continue;
        TRY(pool_hold(domain->pool, "stage pressure", &flow->pressure.now[m]));
        TRY(get_field(flow, s, c, m == 0 ? FLOW_P_STAGE_1 : FLOW_P_STAGE_2));
        have |= 1 << m;
    }
    TRY(restart_planes(flow, c, changed));
    TRY(get_field(flow, s, c, FLOW_P));
    /* the pressure of the flow without bodies does not hold round them, and in them it is 0 */
    if (added) TRY(mem_fill_real(flow->pressure.p, domain->grid.box.size, 0));
    TRY(get_scalars(flow, s, c));
    flow->pressure.steps_known = same && have == wanted ? (int)known : 0;
    return get_potential(step, flow, s, c, same && ((int)stages & WITH_POTENTIAL), changed || added);
}

/* --- reading --- */

static kol_status get_clock(struct control *control, struct step *step, struct flow *flow,
                            struct checkpoint *c)
{
    struct poisson *poisson = &step->poisson;
    double number, choice, met, smoothing, complete, *value[TURBULENCE_WATCH_VALUES];
    turbulence_watch_values(&control->watch, value);
    for (int n = 0; n < TURBULENCE_WATCH_VALUES; ++n)
        TRY(checkpoint_scalar_or(c, turbulence_watch_names[n], 0, value[n]));
    TRY(checkpoint_scalar_or(c, "regime_looked", -1, &control->watch.looked));
    TRY(checkpoint_scalar(c, "step", &number));
    TRY(checkpoint_scalar(c, "time", &flow->clock.t));
    TRY(checkpoint_scalar(c, "dt", &flow->clock.dt));
    TRY(checkpoint_scalar(c, "dissipation_before", &flow->dissipation_before2));
    TRY(checkpoint_scalar_or(c, "energy_start", -1, &flow->energy_start));
    TRY(checkpoint_scalar_or(c, "decays_since", -1, &flow->clock.decays_since));
    TRY(checkpoint_scalar_or(c, "force", 0, &flow->force.gradient));
    TRY(checkpoint_scalar_or(c, "force_power", 0, &flow->force.power));
    TRY(checkpoint_scalar_or(c, "preconditioner_choice", 0, &choice));
    TRY(checkpoint_scalar_or(c, "inverse_met", 0, &met));
    TRY(checkpoint_scalar_or(c, "smoothing_steps", 0, &smoothing));
    TRY(checkpoint_scalar_or(c, "smoothing_reduction", 0, &poisson->strength.reduction));
    TRY(checkpoint_scalar_or(c, "smoothing_gain", 0, &poisson->strength.gain));
    TRY(checkpoint_scalar_or(c, "monitors_complete", 3, &complete));
    step->inverse_met = met != 0;
    poisson->strength.steps = (int)smoothing;
    flow->complete = (int)complete;
    flow->clock.step = (long long)number;
    poisson->choice = (int)choice;
    return KOL_OK;
}

/* Forgets what was measured in a flow with other physics, since it does not apply to this one. */
static void forget(struct control *control, struct step *step, struct flow *flow, int boundary)
{
    struct poisson *poisson = &step->poisson;
    flow->energy_start = -1;
    flow->force.gradient = flow->force.power = 0;
    control->watch = (struct turbulence_watch){.looked = -1};
    step->inverse_met = 0;
    poisson->strength = (struct increment_strength){0, 0, 0};
    if (!boundary) return;
    poisson->choice = 0;
    flow->clock.dt = 0;
}

/* Checks that bodies whose inputs are the same have the same geometry and motion. */
static kol_status check_geometry(const struct flow *flow, struct checkpoint *c, struct restart_fit *f)
{
    double was;
    TRY(checkpoint_scalar_or(c, "bodies_hash", 0, &was));
    if (was == 0 || was == bodies_hash(flow)) return KOL_OK;
    if (flow->domain->in->checkpoint.force) {
        ++f->physics_changes;
        ++f->boundary_changes;
        restart_add_line(f->physics, sizeof f->physics,
                         "\n  bodies: another geometry or motion, from a file that has changed");
        return KOL_OK;
    }
    RAISE(
        KOL_ERR_INPUT,
        "%s does not fit this run: its bodies had another geometry or motion, though their inputs are the "
        "same; a file named by bodies.file, bodies.motion_file or bodies_list.file has changed. Use the file "
        "as it was, or --force-restart to go on with this one, or start anew",
        checkpoint_path(c));
}

/* choice: why this file. */
static kol_status get_state(struct statistics *statistics, struct control *control, struct step *step,
                            struct flow *flow, const struct io_axis axis[3], struct host_copy *s,
                            struct checkpoint *c, const char *choice, char *why, size_t size)
{
    struct poisson *poisson = &step->poisson;
    const struct domain *domain = flow->domain;
    struct restart_fit *f = malloc(sizeof *f);
    char energy[400] = "";
    double averages = 0;
    int regrid = 0;
    if (f == NULL) RAISE(KOL_ERR_MEMORY, "no memory to compare a checkpoint with the input");
    kol_status st = restart_fit_judge(domain, axis, c, control->restarted_from,
                                      flow->open != NULL ? flow->open->inflow : NULL, f, &regrid);
    if (st == KOL_OK) st = get_clock(control, step, flow, c);
    if (regrid) { /* they belong to another grid */
        poisson->choice = step->inverse_met = 0;
        poisson->strength = (struct increment_strength){0, 0, 0};
    }
    if (st == KOL_OK) st = bodies_renew(flow, flow->clock.t); /* some may have vanished before */
    if (st == KOL_OK && f->bodies == 0 && f->physics_changes == 0) st = check_geometry(flow, c, f);
    const int other = f->physics_changes > 0 || f->switched || f->bodies != 0 || f->lifts;
    if (other) forget(control, step, flow, f->boundary_changes > 0 || f->bodies != 0);
    if (f->physics_changes > 0) flow->dissipation_before2 = NAN; /* it was that of the other physics */
    if (f->switched) flow->clock.decays_since = domain->in->forcing.decay ? flow->clock.t : -1;
    if (f->bodies != 0)
        flow->clock.decays_since = f->bodies < 0 && body_removal_decays(flow) ? flow->clock.t : -1;
    if (st == KOL_OK)
        st = preconditioner_choice_create(
            poisson); /* as the choice just read says; another grid needs a projection */
    if (st == KOL_OK) st = travel_stage_place(step, flow);
    if (st == KOL_OK)
        st = regrid ? regrid_read(step, flow, c, s, energy, sizeof energy)
                    : get_fields(step, flow, s, c, f->boundary_changes > 0, f->bodies != 0);
    if (st == KOL_OK) st = get_forcing(flow, c, !other, regrid);
    if (st == KOL_OK) st = get_statistics(statistics, domain, c, !regrid && !other);
    if (st == KOL_OK) st = checkpoint_scalar_or(c, "statistics_size", 0, &averages);
    if (st == KOL_OK) {
        restart_add_line(why, size, "restart from %s: step %lld, t %.6g; %s", control->restarted_from,
                         flow->clock.step, flow->clock.t, choice);
        if (f->physics_changes > 0)
            restart_add_line(why, size,
                             "\nwarning: the run goes on with other physics than the checkpoint's "
                             "(checkpoint.force):%s",
                             f->physics);
        if (other && drive_is_random(domain->in) && drive_forces_box(domain->in))
            restart_add_line(why, size,
                             "\nthe amplitudes of the random force begin anew, with the random numbers of "
                             "run.seed = %d",
                             domain->in->run.seed);
        if (f->bodies > 0)
            restart_add_line(why, size,
                             "\nthe checkpoint has no bodies: %d are put into its flow "
                             "(checkpoint.add_bodies), which was projected round them",
                             (int)bodies_stored(flow));
        if (f->bodies < 0)
            restart_add_line(why, size,
                             "\nthe bodies of the checkpoint are taken out (checkpoint.remove_bodies): fluid "
                             "with their velocity is in their place, and the flow was projected");
        if (f->begun[0] != '\0')
            restart_add_line(why, size,
                             "\nscalars that the checkpoint does not hold begin with their initial values:%s",
                             f->begun);
        if (f->lifts) restart_add_line(why, size, "\nbuoyancy begins with them: averages begin anew");
        if (f->left_out[0] != '\0')
            restart_add_line(why, size, "\nscalars of the checkpoint that this run leaves out:%s",
                             f->left_out);
        if (f->switched)
            restart_add_line(why, size, "\nthe forcing of the box is switched %s: averages begin anew",
                             domain->in->forcing.decay ? "off, and the turbulence decays from here on"
                                                       : "on again");
        if (f->boundary_changes > 0)
            restart_add_line(why, size,
                             "\nthe flow was projected, because the boundary conditions have changed");
        if (regrid) restart_add_line(why, size, "\n%s; differences:%s", energy, f->grid.text);
        if (f->other[0] != '\0')
            restart_add_line(why, size, "\ninputs that differ from the checkpoint's:%s", f->other);
        if (averages > 0 && statistics == NULL)
            restart_add_line(
                why, size,
                "\nthe averages of the checkpoint are not continued: statistics.start is not given");
        st = get_surface(flow, c, !regrid && !other, why, size);
    }
    free(f);
    return st;
}

kol_status restart_read(struct statistics *statistics, struct control *control, struct step *step,
                        struct flow *flow, const struct io_axis axis[3], struct host_copy *s, char *why,
                        size_t size)
{
    const struct domain *domain = flow->domain;
    char choice[128] = "the one named", *path = control->restarted_from;
    const size_t path_size = sizeof control->restarted_from;
    struct checkpoint *c = NULL;
    struct checkpoint_found found = {1, 0};
    struct restart_judge run = {domain, statistics, flow};
    const struct checkpoint_judge judge = {restart_sound, &run};
    why[0] = '\0';
    if (strcmp(domain->in->checkpoint.restart, "latest") == 0) {
        TRY(checkpoint_find(domain->comm.mpi, domain->in->output.directory, path, path_size, &judge, &found));
        if (found.passed_over > 0)
            snprintf(choice, sizeof choice, "the newest usable one of %d checkpoints; %d newer %s not usable",
                     found.files, found.passed_over, found.passed_over > 1 ? "ones are" : "one is");
        else if (found.files > 1)
            snprintf(choice, sizeof choice, "the newest of %d checkpoints", found.files);
        else snprintf(choice, sizeof choice, "the only checkpoint");
    } else {
        snprintf(path, path_size, "%s", domain->in->checkpoint.restart);
        TRY(checkpoint_verify(domain->comm.mpi, path, &judge));
    }
    TRY(checkpoint_look(domain->comm.mpi, path, &c));
    const kol_status st = get_state(statistics, control, step, flow, axis, s, c, choice, why, size);
    if (st != KOL_OK && !status_agreed() && st != KOL_ERR_INPUT && st != KOL_ERR_NUMERICAL)
        return st; /* of one rank alone */
    const kol_status closed = checkpoint_close(&c);
    return st != KOL_OK ? st : closed;
}

static kol_status check_file(const struct domain *domain, const struct inflow *inflow,
                             const struct io_axis axis[3], struct checkpoint *c)
{
    struct restart_fit *f = malloc(sizeof *f);
    int regrid = 0;
    if (f == NULL) RAISE(KOL_ERR_MEMORY, "no memory to compare a checkpoint with the input");
    const kol_status st =
        restart_fit_judge(domain, axis, c, domain->in->checkpoint.restart, inflow, f, &regrid);
    free(f);
    return st;
}

kol_status restart_check(const struct domain *domain, const struct inflow *inflow)
{
    const char *name = domain->in->checkpoint.restart;
    struct io_axis axis[3];
    struct checkpoint *c = NULL;
    if (strcmp(name, "none") == 0 || strcmp(name, "latest") == 0) return KOL_OK;
    for (int d = 0; d < 3; ++d) axis[d] = (struct io_axis){domain->decomp.n_g[d], domain->grid.face[d]};
    TRY(checkpoint_look(domain->comm.mpi, name, &c));
    kol_status st = checkpoint_whole(c);
    if (st == KOL_OK) st = restart_state_check(&domain->comm, c);
    if (st == KOL_OK) st = check_file(domain, inflow, axis, c);
    const kol_status closed = checkpoint_close(&c);
    return st != KOL_OK ? st : closed;
}

/* Writes the field files, slices, boxes and checkpoints of one step. */
#include "step_files.h"

#include <stddef.h>
#include <string.h>
#include "bodies/bodies.h"
#include "inputs/bodies.h"
#include "io/fields.h"
#include "io/log.h"
#include "io/shared_faults.h"
#include "state/background_writing.h"
#include "step/exact_step.h"
#include "statistics/statistics.h"
#include "parallel/watchdog.h"

int step_files_on_the_way(const struct input *in)
{
    return background_wanted(in) &&
           (in->checkpoint.interval > 0 || in->checkpoint.interval_walltime > 0 ||
            in->output.field_interval > 0 || in->output.field_interval_time > 0 || slices_wanted(in));
}

kol_status step_files_check(const struct domain *domain)
{
    const int level = domain->in->output.compression;
    const char *lack = level > 0 ? fields_compression_lack() : NULL;
    if (lack == NULL) return KOL_OK;
    RAISE(KOL_ERR_INPUT, "%s: error: output.compression = %d: %s; choose 0, or link another HDF5",
          input_place(domain->source, offsetof(struct input, output.compression), 0).at, level, lack);
}

kol_status step_files_create(struct memory *memory, const struct flow *flow, int ahead, struct step_files *f)
{
    const struct domain *domain = f->domain = flow->domain;
    struct memory restart = {.host = 0};
    TRY(restart_count(&restart, domain));
    TRY(host_copy_create(memory, domain, ahead, HOST_COPY_SLAB_BYTES, restart.temporary, &f->staging));
    memory_for_a_while(memory, &restart);
    const struct body_geometry *geometry = flow->bodies != NULL ? flow->bodies->geometry : NULL;
    if (bodies_in_fields(domain->in) && (geometry != NULL || memory_counts(memory)))
        TRY(memory_agree(memory, &domain->comm, body_fields_create(memory, domain, geometry, &f->bodies)));
    return memory_agree(memory, &domain->comm, slices_create(memory, flow, &f->cuts));
}

double step_files_host(const struct flow *flow, int ahead)
{
    struct memory counted = {.host = 0};
    struct step_files f;
    memset(&f, 0, sizeof f);
    if (step_files_create(&counted, flow, ahead, &f) != KOL_OK) status_clear();
    step_files_destroy(&f);
    return (double)(counted.host + counted.temporary);
}

void step_files_destroy(struct step_files *f)
{
    host_copy_destroy(&f->staging);
    slices_destroy(&f->cuts);
    body_fields_destroy(&f->bodies);
}

kol_status step_files_take(struct statistics *statistics, struct control *control, struct step *step,
                           struct flow *flow, struct step_files *f, int fields, int checkpoint)
{
    f->fields = fields;
    f->checkpoint = checkpoint;
    f->image.step = flow->clock.step;
    f->image.t = flow->clock.t;
    if (fields && f->bodies.share != NULL)
        body_fields_compute(&f->bodies, flow->bodies != NULL ? flow->bodies->geometry : NULL,
                            flow->clock.t); /* before bodies move on */
    if (fields || checkpoint || slices_take_pressure(&f->cuts)) TRY(exact_step_pressure(step, flow));
    TRY(slices_take(&f->cuts));
    if (!fields && !checkpoint) return device_wait(); /* a few planes; the fields stay where they are */
    TRY(restart_take(statistics, control, step, flow, &f->staging, checkpoint, &f->image));
    return f->cuts.count > 0 ? device_wait() : host_copy_listed(&f->staging);
}

/* Describes a field as in field files. Only the exact method has a pressure that belongs to the time of the
 * file. */
static struct io_view view_of(const struct step_files *files, enum flow_field_number f)
{
    struct io_view v = host_copy_field(files->domain, f);
    v.name = field_row(files->domain->in, f).name_in_file;
    if (f == FLOW_P)
        v.long_name = files->step->exact_step == NULL ? "pressure over density of the last stage"
                                                      : "pressure over density of this time";
    return v;
}

/* Adds the velocity, at cell centres or each component on its own faces. */
static kol_status add_velocity(struct step_files *f, struct fields_file *file)
{
    const struct domain *domain = f->domain;
    struct host_copy *s = &f->staging;
    watchdog_phase(NULL);
    if (domain->in->output.field_places == PLACES_CENTRES)
        return fields_add(
            file, host_copy_centre_velocity(
                      s, host_copy_view(domain, "velocity", "velocity at cell centres", "U", IO_CCC, 3)));
    for (int n = FLOW_U; n < FLOW_P; ++n) TRY(fields_add(file, host_copy_from(s, n, view_of(f, n))));
    return KOL_OK;
}

/* Adds the force that drives the flow and the time at which it was switched off, as in a checkpoint. */
static kol_status add_numbers(const struct step_files *f, struct fields_file *file)
{
    static const char *const NAME[] = {"force", "force_power", "decays_since"};
    for (size_t n = 0; n < sizeof NAME / sizeof *NAME; ++n)
        for (int i = 0; i < RESTART_PLAIN; ++i)
            if (strcmp(f->image.scalar[i].name, NAME[n]) == 0)
                TRY(fields_number(file, NAME[n], f->image.scalar[i].value));
    return KOL_OK;
}

/* Adds the solid share and the level set of the bodies. */
static kol_status add_bodies(struct step_files *f, struct fields_file *file)
{
    struct io_view share, level;
    watchdog_phase(NULL);
    body_fields_views(&f->bodies, &share, &level);
    TRY(fields_add(file, share));
    return fields_add(file, level);
}

static kol_status add_fields(struct step_files *f, struct fields_file *file)
{
    const struct domain *domain = f->domain;
    struct host_copy *s = &f->staging;
    const struct io_view vorticity =
        host_copy_view(domain, "vorticity", "vorticity at cell centres", "U/L", IO_CCC, 3);
    TRY(add_numbers(f, file));
    TRY(add_velocity(f, file));
    for (int n = FLOW_P; n < field_count(domain->in); ++n) {
        watchdog_phase(NULL);
        TRY(fields_add(file, host_copy_from(s, n, view_of(f, n))));
    }
    if (f->bodies.share != NULL) TRY(add_bodies(f, file));
    if (!domain->in->output.fields_vorticity) return KOL_OK;
    watchdog_phase(NULL);
    return fields_add(file, host_copy_centre_vorticity(s, vorticity));
}

static kol_status write_fields(struct step_files *f)
{
    struct fields_file *file = NULL;
    const int single = f->domain->in->output.field_precision == PRECISION_SINGLE;
    TRY(fields_begin(f->comm->mpi, f->domain->in->output.directory, "fields", f->image.step, f->image.t,
                     f->axis, single, f->text, f->texts, &file));
    TRY(fields_compress(file, f->domain->in->output.compression));
    TRY(add_fields(f, file));
    TRY(fields_end(&file, NULL));
    if (f->comm->rank == 0) log_info("fields written: step %lld, t %.6g", f->image.step, f->image.t);
    return KOL_OK;
}

kol_status step_files_write_alone(void *files)
{
    const struct step_files *f = files;
    return statistics_behind_write(f->statistics, f->domain, f->text, f->texts);
}

kol_status step_files_write(void *files)
{
    struct step_files *f = files;
    SHARE_TRY(f->comm->mpi, f->statistics_taken ? step_files_write_alone(f) : KOL_OK);
    if (f->fields) TRY(write_fields(f));
    TRY(slices_write(&f->cuts, f->comm, f->image.step, f->image.t, f->text, f->texts));
    if (!f->checkpoint) return KOL_OK;
    TRY(restart_write(f->domain, f->comm, f->axis, &f->staging, &f->image, f->text, f->texts));
    if (f->comm->rank == 0) log_info("checkpoint written: step %lld, t %.6g", f->image.step, f->image.t);
    return KOL_OK;
}

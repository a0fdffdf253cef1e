#include "files.h"

#include <string.h>
#include "../io/fields.h"
#include "../io/log.h"
#include "../io/share.h"
#include "nullspace.h"
#include "statistics.h"
#include "watchdog.h"

enum { PRESSURE_IN_LIST = 3 }; /* after the velocity */

static int wanted(const struct input *in)
{
    return in->checkpoint.background < 0 ? strcmp(device_backend(), "cpu") != 0 : in->checkpoint.background;
}

int files_statistics_on_the_way(const struct input *in)
{
    return wanted(in) && statistics_behind_wanted(in) &&
           (in->statistics.write_interval > 0 || in->checkpoint.interval > 0 ||
            in->checkpoint.interval_walltime > 0);
}

int files_on_the_way(const struct input *in)
{
    return wanted(in) &&
           (in->checkpoint.interval > 0 || in->checkpoint.interval_walltime > 0 ||
            in->output.field_interval > 0 || in->output.field_interval_time > 0 || cuts_wanted(in));
}

kol_status files_take(struct run *run, struct files *f, int fields, int checkpoint)
{
    f->fields = fields;
    f->checkpoint = checkpoint;
    f->image.step = run->clock.step;
    f->image.t = run->clock.t;
    if (fields || checkpoint || cuts_take_pressure(&f->cuts)) TRY(nullspace_pressure(run));
    TRY(cuts_take(&f->cuts));
    if (!fields && !checkpoint) return device_wait(); /* a few planes; the fields stay where they are */
    TRY(restart_take(run, &f->staging, checkpoint, &f->image));
    return f->cuts.count > 0 ? device_wait() : staging_listed(&f->staging);
}

/* At cell centres, or each component on its own faces. */
static kol_status add_velocity(struct files *f, struct fields_file *file)
{
    const struct run *run = f->run;
    struct staging *s = &f->staging;
    watchdog_phase(NULL);
    if (run->in.output.field_places == PLACES_CENTRES)
        return fields_add(file,
                          staging_centre_velocity(
                              s, staging_view(run, "velocity", "velocity at cell centres", "U", IO_CCC, 3)));
    for (int d = 0; d < 3; ++d) TRY(fields_add(file, staging_from(s, d, restart_view(run, d))));
    return KOL_OK;
}

/* What drove the flow, as a checkpoint has it. */
static kol_status add_numbers(const struct files *f, struct fields_file *file)
{
    static const char *const NAME[] = {"force", "force_power"};
    for (int n = 0; n < 2; ++n)
        for (int i = 0; i < RESTART_PLAIN; ++i)
            if (strcmp(f->image.scalar[i].name, NAME[n]) == 0)
                TRY(fields_number(file, NAME[n], f->image.scalar[i].value));
    return KOL_OK;
}

static kol_status add_fields(struct files *f, struct fields_file *file)
{
    const struct run *run = f->run;
    struct staging *s = &f->staging;
    const struct io_view pressure =
        staging_view(run, "pressure",
                     run->nullspace == NULL ? "pressure over density of the last stage"
                                            : "pressure over density of this time",
                     "U2", IO_CCC, 1);
    const struct io_view vorticity =
        staging_view(run, "vorticity", "vorticity at cell centres", "U/L", IO_CCC, 3);
    TRY(add_numbers(f, file));
    TRY(add_velocity(f, file));
    watchdog_phase(NULL);
    TRY(fields_add(file, staging_from(s, PRESSURE_IN_LIST, pressure)));
    if (!run->in.output.fields_vorticity) return KOL_OK;
    watchdog_phase(NULL);
    return fields_add(file, staging_centre_vorticity(s, vorticity));
}

static kol_status write_fields(struct files *f)
{
    struct fields_file *file = NULL;
    const int single = f->run->in.output.field_precision == PRECISION_SINGLE;
    TRY(fields_begin(f->comm->mpi, f->run->in.output.directory, "fields", f->image.step, f->image.t, f->axis,
                     single, f->text, f->texts, &file));
    TRY(add_fields(f, file));
    TRY(fields_end(&file, NULL));
    if (f->comm->rank == 0) log_info("fields written: step %lld, t %.6g", f->image.step, f->image.t);
    return KOL_OK;
}

kol_status files_write_alone(void *files)
{
    const struct files *f = files;
    return statistics_behind_write(f->run, f->text, f->texts);
}

kol_status files_write(void *files)
{
    struct files *f = files;
    SHARE_TRY(f->comm->mpi, f->statistics ? files_write_alone(f) : KOL_OK);
    if (f->fields) TRY(write_fields(f));
    TRY(cuts_write(&f->cuts, f->comm, f->image.step, f->image.t, f->text, f->texts));
    if (!f->checkpoint) return KOL_OK;
    TRY(restart_write(f->run, f->comm, f->axis, &f->staging, &f->image, f->text, f->texts));
    if (f->comm->rank == 0) log_info("checkpoint written: step %lld, t %.6g", f->image.step, f->image.t);
    return KOL_OK;
}

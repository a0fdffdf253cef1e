#include "restart.h"

#include <stdio.h>
#include <string.h>
#include "../io/checkpoint.h"
#include "../io/log.h"
#include "pressure.h"

static const struct {
    const char *name, *long_name;
    enum io_location location;
} VELOCITY[3] = {
    {"u", "velocity along x", IO_FCC}, {"v", "velocity along y", IO_CFC}, {"w", "velocity along z", IO_CCF}};

/* The pressures of the stages of the last step; the last of them is the running pressure. */
static const struct {
    const char *name, *long_name;
} PRESSURE[3] = {{"p_stage_1", "pressure over density of stage 1 of the last step"},
                 {"p_stage_2", "pressure over density of stage 2 of the last step"},
                 {"p", "pressure over density"}};

double restart_bytes(const struct input *in)
{
    const double cells = (double)in->grid.n[0] * in->grid.n[1] * in->grid.n[2];
    return cells * (3 + pressure_stages_kept(in)) * (double)sizeof(real);
}

static kol_status put_fields(struct run *run, struct staging *s, struct checkpoint *c)
{
    for (int d = 0; d < 3; ++d) {
        TRY(staging_pack(run, s, run->vel[d]));
        TRY(checkpoint_put(
            c, staging_view(run, s, VELOCITY[d].name, VELOCITY[d].long_name, "U", VELOCITY[d].location, 1)));
    }
    for (int m = 2; m >= 0; --m) {
        if (run->pressure.now[m] == NULL) continue;
        TRY(staging_pack(run, s, run->pressure.now[m]));
        TRY(checkpoint_put(c,
                           staging_view(run, s, PRESSURE[m].name, PRESSURE[m].long_name, "U2", IO_CCC, 1)));
    }
    return KOL_OK;
}

kol_status restart_write(struct run *run, const struct io_axis axis[3], struct staging *s,
                         const struct io_text *text, int texts)
{
    const struct io_scalar scalar[] = {
        {"step", (double)run->clock.step},
        {"time", run->clock.t},
        {"dt", run->clock.dt},
        {"dissipation_before", run->dissipation_before2},
        {"energy", run->now.energy},
        {"nu", run->in.fluid.nu},
        {"scheme", run->in.time.scheme},
        {"stage_pressures", (run->pressure.now[0] != NULL) + 2 * (run->pressure.now[1] != NULL)},
        {"steps_known", run->pressure.steps_known}};
    struct checkpoint *c = NULL;
    TRY(checkpoint_check_space(run->comm.mpi, run->in.output.directory, restart_bytes(&run->in)));
    TRY(checkpoint_begin(run->comm.mpi, run->in.output.directory, run->clock.step, axis, text, texts, &c));
    TRY(put_fields(run, s, c)); /* after a fault of one rank alone no collective call may follow */
    return checkpoint_end(&c, scalar, (int)(sizeof scalar / sizeof *scalar), run->in.checkpoint.keep);
}

static kol_status get_fields(struct run *run, struct staging *s, struct checkpoint *c)
{
    double stages, known, scheme;
    TRY(checkpoint_scalar(c, "stage_pressures", &stages));
    TRY(checkpoint_scalar(c, "steps_known", &known));
    TRY(checkpoint_scalar(c, "scheme", &scheme));
    for (int d = 0; d < 3; ++d) {
        TRY(checkpoint_get(
            c, staging_view(run, s, VELOCITY[d].name, VELOCITY[d].long_name, "U", VELOCITY[d].location, 1)));
        TRY(staging_unpack(run, s, run->vel[d]));
    }
    /* another scheme's stage pressures belong to other times: then the guesses start anew */
    const int same_scheme = (int)scheme == run->in.time.scheme;
    const int wanted = pressure_stages_wanted(&run->in);
    int have = 0;
    for (int m = 0; m < 2; ++m) {
        if (!same_scheme || !((int)stages & (1 << m)) || !(wanted & (1 << m))) continue;
        TRY(pool_hold(run->pool, "stage pressure", &run->pressure.now[m]));
        TRY(checkpoint_get(c,
                           staging_view(run, s, PRESSURE[m].name, PRESSURE[m].long_name, "U2", IO_CCC, 1)));
        TRY(staging_unpack(run, s, run->pressure.now[m]));
        have |= 1 << m;
    }
    TRY(checkpoint_get(c, staging_view(run, s, PRESSURE[2].name, PRESSURE[2].long_name, "U2", IO_CCC, 1)));
    TRY(staging_unpack(run, s, run->pressure.p));
    run->pressure.steps_known = known > 0 && same_scheme && have == wanted;
    return KOL_OK;
}

static kol_status get_state(struct run *run, struct staging *s, struct checkpoint *c)
{
    double step, nu;
    TRY(checkpoint_scalar(c, "step", &step));
    TRY(checkpoint_scalar(c, "time", &run->clock.t));
    TRY(checkpoint_scalar(c, "dt", &run->clock.dt));
    TRY(checkpoint_scalar(c, "dissipation_before", &run->dissipation_before2));
    TRY(checkpoint_scalar(c, "nu", &nu));
    run->clock.step = (long long)step;
    if (nu != run->in.fluid.nu && run->comm.rank == 0) {
        log_warn("the checkpoint was written with nu = %.9g, this run goes on with %.9g", nu,
                 run->in.fluid.nu);
    }
    return get_fields(run, s, c);
}

kol_status restart_read(struct run *run, const struct io_axis axis[3], struct staging *s)
{
    char *path = run->restarted_from;
    const size_t size = sizeof run->restarted_from;
    struct checkpoint *c = NULL;
    if (strcmp(run->in.checkpoint.restart, "latest") == 0) {
        TRY(checkpoint_find(run->comm.mpi, run->in.output.directory, path, size));
    } else {
        snprintf(path, size, "%s", run->in.checkpoint.restart);
    }
    TRY(checkpoint_open(run->comm.mpi, path, axis, (int)sizeof(real), &c));
    TRY(get_state(run, s, c));
    const kol_status closed = checkpoint_close(&c);
    return closed;
}

kol_status restart_check(const struct run *run)
{
    const char *name = run->in.checkpoint.restart;
    struct io_axis axis[3];
    struct checkpoint *c = NULL;
    if (strcmp(name, "none") == 0 || strcmp(name, "latest") == 0) return KOL_OK;
    for (int d = 0; d < 3; ++d) axis[d] = (struct io_axis){run->decomp.n_g[d], run->grid.face[d]};
    TRY(checkpoint_open(run->comm.mpi, name, axis, (int)sizeof(real), &c));
    return checkpoint_close(&c);
}

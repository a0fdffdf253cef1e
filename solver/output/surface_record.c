/* Writes surface data of bodies. */
#include "surface_record.h"

#include <stdlib.h>
#include "bodies/bodies.h"
#include "io/log.h"
#include "io/surface_file.h"
#include "io/xdmf.h"
#include "parallel/watchdog.h"

struct surface_record {
    struct flow *flow;        /* borrowed */
    double *pressure, *shear; /* rank 0 */
    long long written;        /* number of steps in the averages that have been written */
    struct xdmf_index index;  /* rank 0 */
};

static struct body_stresses *source(const struct surface_record *r)
{
    return r->flow->bodies->stresses;
}

kol_status surface_record_create(struct flow *flow, struct surface_record **out)
{
    const struct domain *domain = flow->domain;
    *out = NULL;
    if (flow->bodies == NULL || flow->bodies->stresses == NULL || memory_counts(domain->memory))
        return KOL_OK;
    struct surface_record *r = *out = calloc(1, sizeof *r);
    kol_status st = KOL_OK;
    if (r != NULL) {
        const size_t points = (size_t)body_stresses_points(flow->bodies->stresses)->points;
        r->flow = flow;
        r->pressure = malloc((points + 1) * sizeof *r->pressure);
        r->shear = malloc((3 * points + 1) * sizeof *r->shear);
    }
    if (r == NULL || r->pressure == NULL || r->shear == NULL)
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for surface data of bodies");
    return comm_agree(&domain->comm, st);
}

void surface_record_destroy(struct surface_record **record)
{
    struct surface_record *r = *record;
    if (r == NULL) return;
    xdmf_index_drop(&r->index);
    free(r->pressure);
    free(r->shear);
    free(r);
    *record = NULL;
}

int surface_record_due(const struct surface_record *r)
{
    return r != NULL && r->flow->bodies != NULL && body_stresses_known(source(r), r->flow);
}

static struct surface_data data_of(const struct surface_record *r)
{
    const struct surface_points *p = body_stresses_points(source(r));
    return (struct surface_data){.points = p->points,
                                 .position = p->position,
                                 .normal = p->normal,
                                 .area = p->area,
                                 .face_area = p->face_area,
                                 .weight = p->weight,
                                 .body = p->body,
                                 .pressure = r->pressure,
                                 .shear = r->shear};
}

kol_status surface_record_step(struct surface_record *r, const struct io_axis axis[3],
                               const struct io_text *text, int texts)
{
    const struct flow *flow = r->flow;
    const struct surface_when when = {flow->clock.step, flow->clock.t, flow->clock.dt, 0, 0};
    kol_status st = KOL_OK;
    watchdog_phase("surface data");
    TRY(body_stresses_of_step(source(r), flow, r->pressure, r->shear));
    if (flow->domain->comm.rank == 0)
        st = surface_file_write(flow->domain->in->output.directory, when, axis, data_of(r), text, texts,
                                &r->index);
    return comm_agree(&flow->domain->comm, st);
}

kol_status surface_record_average(struct surface_record *r, const struct io_axis axis[3],
                                  const struct io_text *text, int texts)
{
    if (r == NULL || r->flow->bodies == NULL) return KOL_OK;
    const struct flow *flow = r->flow;
    const struct body_surface_average a = body_stresses_average(source(r));
    const struct surface_when when = {flow->clock.step, flow->clock.t, a.duration, a.start, a.steps};
    kol_status st = KOL_OK;
    watchdog_phase("surface_average.h5");
    TRY(body_stresses_average_of(source(r), r->pressure, r->shear));
    if (flow->domain->comm.rank == 0 && a.steps > r->written)
        st = surface_file_write_average(flow->domain->in->output.directory, when, axis, data_of(r), text,
                                        texts);
    r->written = a.steps;
    return comm_agree(&flow->domain->comm, st);
}

/* Sums the diagnostics of a step: those that every step needs, or all of them. */
#include "flow_monitor.h"

#include <math.h>
#include "boundary/boundary.h"
#include "forcing/box_forcing.h"

static kol_status sweep_all(const void *context, struct cells cells)
{
    const struct flow *flow = context;
    const struct domain *domain = flow->domain;
    return project_monitor(domain->grid.box, domain->grid.m, domain->walls,
                           reduction_blocks(domain->reduction), cells, flow->vel[X], flow->vel[Y],
                           flow->vel[Z]);
}

static kol_status sweep_limits(const void *context, struct cells cells)
{
    const struct flow *flow = context;
    const struct domain *domain = flow->domain;
    return project_limits(domain->grid.box, domain->grid.m, reduction_blocks(domain->reduction), cells,
                          flow->vel[X], flow->vel[Y], flow->vel[Z]);
}

/* Puts the numbers of project_limits() in the places of project_monitor()'s. */
static void place(const double limit[LIM_COUNT], double value[MON_COUNT])
{
    for (int n = 0; n < MON_COUNT; ++n) value[n] = NAN;
    value[MON_ENERGY] = limit[LIM_ENERGY];
    value[MON_MOM_X] = limit[LIM_MOM_X];
    value[MON_MOM_Y] = limit[LIM_MOM_Y];
    value[MON_MOM_Z] = limit[LIM_MOM_Z];
    value[MON_DIV] = limit[LIM_DIV];
    value[MON_COURANT] = limit[LIM_COURANT];
    value[MON_SPEED] = limit[LIM_SPEED];
}

int flow_monitor_follows(const struct flow *flow, int stage)
{
    const int wanted =
        stage < 2 ? box_forcing_moves(flow, stage) : flow->limits_only || pool_counts(flow->domain->pool);
    return wanted && flow->open == NULL && !box_forcing_sweeps(flow); /* sums go without waves */
}

kol_status flow_monitor_begin(struct flow *flow)
{
    flow->sums.begun = 1;
    return reduction_start(flow->domain->reduction, LIM_SUMS, LIM_COUNT - LIM_SUMS);
}

/* Collects the limits that a correction has summed. */
static kol_status collect_limits(struct flow *flow)
{
    double limit[LIM_COUNT];
    flow->sums.begun = 0;
    TRY(reduction_collect(flow->domain->reduction, LIM_SUMS, LIM_COUNT - LIM_SUMS, limit));
    place(limit, flow->sums.value);
    return KOL_OK;
}

kol_status flow_monitor_take(struct flow *flow)
{
    const struct domain *domain = flow->domain;
    struct flow_sums *s = &flow->sums;
    real *read[HALO_FIELDS];
    const struct exchange exchange = boundary_exchange_flow(flow, read);
    s->all = !s->begun && (!flow->limits_only || flow->open != NULL);
    TRY(profile_phase(domain->profile, "monitor"));
    TRY(s->begun ? exchange_fill(&exchange)
                 : exchange_overlap(&exchange, s->all ? sweep_all : sweep_limits, flow));
    flow->halo_filled = 1;
    s->taken = 1;
    if (s->all) return reduction_finish(domain->reduction, MON_SUMS, MON_COUNT - MON_SUMS, s->value);
    if (!s->begun) TRY(flow_monitor_begin(flow));
    return collect_limits(flow);
}

/* The forcing of turbulence in a periodic box: a force that varies in space and follows the flow.
 * docs/numerics/forcing.md.
 *
 * The sums over the grid that the force of a stage needs are formed at the end of the stage before: by
 * health_monitor(), by the correction, by a sweep of their own, or by the sweep for the divergence. */
#ifndef KOL_FORCING_BOX_FORCING_H
#define KOL_FORCING_BOX_FORCING_H

#include "io/view.h"
#include "kernels/box_forcing.h"
#include "parallel/memory.h"
#include "state/flow.h"

/* box_forcing_create: makes the forcing that the inputs ask for; *out stays NULL if they ask for none. */
kol_status box_forcing_create(struct memory *memory, const struct domain *domain, struct box_forcing **out);
/* box_forcing_destroy: frees it and sets the pointer to NULL, which it may be before. */
void box_forcing_destroy(struct box_forcing **box);

/* The functions below do nothing if flow->force.box is NULL. Those that return a number return 0 then.
 *
 * box_forcing_begin: finds the force of the first stage. It is called at the start of a step; flow->now, the
 * clock, and flow->dissipation_before2 must be up to date. KOL_ERR_NUMERICAL if the flow has no fluctuation
 * that the force could drive. */
kol_status box_forcing_begin(struct flow *flow);

/* box_forcing_pull: returns the linear part of the force of stage m, rate (u - mean). */
struct box_pull {
    double rate;    /* [1/T] */
    double mean[3]; /* [U] */
};
struct box_pull box_forcing_pull(const struct flow *flow, int m);

/* box_forcing_sweeps: returns whether box_forcing_sums() will have sums.
 *
 * box_forcing_sums: begins the sums over the prediction of a stage that the sweep for its divergence has to
 * take. Returns them in *sums; sums->total stays NULL if there are none.
 *
 * box_forcing_field: returns the waves that the correction of stage m has to add to the velocity, in *rows;
 * rows->row stays NULL if there are none. factor: that of the correction.
 *
 * box_forcing_stage: finds the force of the next stage. It is called at the end of stage m. Collective.
 *
 * box_forcing_moves: returns whether it needs energy and momentum of the velocity that stage m leads to. If
 * flow->sums.begun is set, it collects them from the sums of this velocity's limits; otherwise it has a sweep
 * of its own for them. */
int box_forcing_sweeps(const struct flow *flow);
int box_forcing_moves(const struct flow *flow, int m);
kol_status box_forcing_sums(struct flow *flow, struct box_wave_sums *sums);
kol_status box_forcing_field(struct flow *flow, int m, double factor, struct box_rows *rows);
kol_status box_forcing_stage(struct flow *flow, int m);

/* box_forcing_power: returns the power of the force over the step that has just been taken [U^2/T]: the
 * powers of its stages with the weights of the scheme. */
double box_forcing_power(const struct flow *flow);

/* For the choice of dt: box_forcing_rate returns how fast a force that follows the velocity changes the
 * present flow [1/T], box_forcing_push the largest acceleration of a force that doesn't [U/T]. */
double box_forcing_rate(const struct flow *flow);
double box_forcing_push(const struct flow *flow);

/* The state of the force between steps, in checkpoints.
 *
 *   box_forcing_stored   returns how many numbers it has; 0: none
 *   box_forcing_take     copies them from the present flow
 *   box_forcing_view     describes these for a file
 *   box_forcing_sound    returns KOL_ERR_IO if the memory of the view, on rank 0, has numbers that make no
 *                        sense after a checkpoint was read. `file` is its name.
 *   box_forcing_given    takes the state from the memory of the view, on rank 0, after a checkpoint was read.
 *                        other_grid: the flow has been interpolated. Collective. */
int box_forcing_stored(const struct flow *flow);
void box_forcing_take(const struct flow *flow);
struct io_view box_forcing_view(const struct flow *flow);
kol_status box_forcing_sound(const struct flow *flow, const char *file);
kol_status box_forcing_given(struct flow *flow, int other_grid);

#endif

/* A force in the waves of the lowest wavenumbers of a periodic box, from stage to stage.
 * docs/numerics/forcing.md, "Low wavenumbers". Used by box_forcing.c alone. */
#ifndef KOL_FORCING_WAVE_FORCE_H
#define KOL_FORCING_WAVE_FORCE_H

#include "io/view.h"
#include "kernels/box_forcing.h"
#include "parallel/memory.h"
#include "state/flow.h"

struct wave_force;

/* wave_force_create, wave_force_destroy: as those of box_forcing.h. */
kol_status wave_force_create(struct memory *memory, const struct domain *domain, struct wave_force **out);
void wave_force_destroy(struct wave_force **force);

/* wave_force_begin: finds the force of the first stage of a step. Collective.
 * wave_force_sums: begins the sums over the prediction of a stage, which the sweep for the divergence takes.
 * wave_force_field: returns what the force of stage m adds to the velocity. factor: that of the correction.
 * wave_force_stage: finds the velocity that stage m has led to from these sums and from what the force has
 * added, and the force of the next stage. Collective. */
kol_status wave_force_begin(struct wave_force *force, const struct flow *flow);
kol_status wave_force_sums(struct wave_force *force, const struct flow *flow, struct box_wave_sums *sums);
kol_status wave_force_field(struct wave_force *force, const struct flow *flow, int m, double factor,
                            struct box_rows *rows);
kol_status wave_force_stage(struct wave_force *force, const struct flow *flow, int m);

/* wave_force_power: returns the power of the force of stage m [U^2/T].
 * wave_force_rate: returns how fast a force that follows the velocity changes the present flow [1/T].
 * wave_force_push: returns the largest acceleration of a force that doesn't [U/T]. */
double wave_force_power(const struct wave_force *force, int m);
double wave_force_rate(const struct wave_force *force, const struct flow *flow);
double wave_force_push(const struct input *in);

/* The state between steps, WAVE_FORCE_STATE numbers of a checkpoint. The first WAVE_FORCE_FLAGS are 0 or 1.
 *
 * wave_force_store: writes them to out. wave_force_restore: takes them from a checkpoint. other_grid: the
 * flow has been interpolated, so that the amplitudes of its waves are not those of the checkpoint. */
enum { WAVE_FORCE_FLAGS = 2, WAVE_FORCE_STATE = WAVE_FORCE_FLAGS + 46 * (3 + 2) * 2 };
void wave_force_store(const struct wave_force *force, double out[WAVE_FORCE_STATE]);
void wave_force_restore(struct wave_force *force, const double from[WAVE_FORCE_STATE], int other_grid);

#endif

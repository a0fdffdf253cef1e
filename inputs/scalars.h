/* The transported scalars that the input asks for. Every test of &scalars, in any folder, is one of these
 * functions. They only read the input. */
#ifndef KOL_SCALARS_INPUT_H
#define KOL_SCALARS_INPUT_H

#include <stddef.h>
#include "input.h"

/* scalar_count: returns the number of scalars. They are the first entries of &scalars. */
int scalar_count(const struct input *in);

/* scalar_ranges: the least and the largest of what is given on each face for each scalar: values [own] or
 * fluxes [own U]. The input alone knows the numbers, scalar_ranges_of(). Formulas and tables add what the
 * grid and the files tell (solver/scalars/scalar_given.h). */
struct scalar_range {
    double least, most;
};
struct scalar_ranges {
    struct scalar_range of[6][SCALARS_MOST];
};
struct scalar_ranges scalar_ranges_of(const struct input *in);

/* Properties of scalar n.
 *
 *   scalar_has_gradient  it has a mean gradient, whose source follows the velocity
 *   scalar_diffusivity   its diffusivity, given or from its Prandtl number [U L]
 *   scalar_explicit_diffusivity   of the part of its diffusion that the Runge-Kutta scheme treats [U L]
 *   scalar_largest_diffusivity   the largest of these of all scalars; 0 if there is none [U L]
 *   scalar_scale         the size of its values that the input and the ranges of what is given on faces make
 *                        likely, above 0 [own]
 *   scalar_gradient      its mean gradient, the part that stands for bulk_source included [own/L]
 *   scalar_limited       its convection has a limiter
 *   scalar_any_limited   that of any scalar has one
 *   scalar_disturbed     there is a disturbance of its initial state
 *   scalar_is_held       something other than its sources and fluxes determines its mean: a value on a
 *                        face or on bodies, or an open face
 *   scalar_random        this disturbance is random
 *   scalar_start_range   widens a range of values such that its initial state without the disturbance lies
 *                        in it; values of 'conduction' are those of its faces and are left out. Of a formula
 *                        it knows the values at some points, without those that are not finite [own]
 *   scalar_conduction    the direction along which its initial state is linear, which has the condition
 *                        'value' on both faces, with numbers; -1 if not exactly one direction has */
int scalar_has_gradient(const struct input *in, int n);
double scalar_diffusivity(const struct input *in, int n);
double scalar_explicit_diffusivity(const struct input *in, int n);
double scalar_scale(const struct input *in, int n, const struct scalar_ranges *ranges);
double scalar_largest_diffusivity(const struct input *in);
void scalar_gradient(const struct input *in, int n, double gradient[3]);
int scalar_limited(const struct input *in, int n);
int scalar_any_limited(const struct input *in);
int scalar_disturbed(const struct input *in, int n);
int scalar_is_held(const struct input *in, int n);
int scalar_random(const struct input *in, int n);
void scalar_start_range(const struct input *in, int n, double *least, double *most);
int scalar_conduction(const struct input *in, int n);

/* The condition of scalar n on a face.
 *
 *   scalar_has_none    no condition is given ('none')
 *   scalar_has_value   its value is given ('value', 'planes')
 *   scalar_has_flux    its flux is given ('flux')
 *   scalar_by_planes   its value is given by planes in time
 *   scalar_by_formula  its value or flux is given by a formula
 *   scalar_by_table    it is given by a table
 *   scalar_varies      it is given by one of these three
 *   scalar_varies_along  it varies along one of the directions d for which along[d] is not 0. Planes in time
 *                      do not count: like those of the velocity, they may be homogeneous turbulence */
int scalar_has_none(const struct input *in, int n, int face);
int scalar_has_value(const struct input *in, int n, int face);
int scalar_has_flux(const struct input *in, int n, int face);
int scalar_by_planes(const struct input *in, int n, int face);
int scalar_by_formula(const struct input *in, int n, int face);
int scalar_by_table(const struct input *in, int n, int face);
int scalar_varies(const struct input *in, int n, int face);
int scalar_varies_along(const struct input *in, int n, int face, const int along[3]);

/* The condition of scalar n on bodies. Body m is body m of the geometry, from 0.
 *
 *   scalar_on_body          whether it has a value on body m. *value: this value, if it has one [own]; if the
 *                           bodies give fluxes, it has none, and *value is the flux into the fluid [own U]
 *   scalar_flux_on_bodies   whether the bodies give fluxes of it; then they give no values
 *   scalar_on_bodies        whether the input gives it a value on any body, or fluxes
 *   scalar_any_on_bodies    whether it does so for any scalar
 *   scalar_widen_to_bodies  widens a range of values such that these values lie in it [own] */
int scalar_on_body(const struct input *in, int n, int m, double *value);
int scalar_flux_on_bodies(const struct input *in, int n);
int scalar_on_bodies(const struct input *in, int n);
int scalar_any_on_bodies(const struct input *in);
void scalar_widen_to_bodies(const struct input *in, int n, double *least, double *most);

/* scalar_unit: writes a unit: that of a scalar, `own`, to a power, and then the rest. A unit of several parts
 * stands in brackets, as in (m/s)^2 U/L. If the power is not above 0, or if `own` is "1", the rest stands
 * alone. If it is empty, too, the unit is "1". */
void scalar_unit(const char *own, int power, const char *rest, char *text, size_t size);

#endif

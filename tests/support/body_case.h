/* For tests of the geometry of bodies: domains without fields, random bodies, and a slow inside test that
 * shares nothing with the code under test. */
#ifndef KOL_TESTS_BODY_CASE_H
#define KOL_TESTS_BODY_CASE_H

#include "solver/state/domain.h"

/* body_case_input: sets up an input without bodies: a box of n cells with these boundaries; if `stretched`,
 * with unequal cells. body_case_add: adds a body and returns its number. body_case_random: adds `count`
 * random bodies that the boundaries allow. */
void body_case_input(struct input *in, const int n[3], const int periodic[3], int stretched);
int body_case_add(struct input *in, int shape, const double centre[3], const double size[3]);
void body_case_random(struct input *in, unsigned *seed, int count);
double body_case_unit(unsigned *seed);

/* body_case_domain: makes a domain of decomp and grid alone. body_case_close: frees it. */
kol_status body_case_domain(const struct input *in, const struct comm *c, const int layout[3],
                            struct domain *out);
void body_case_close(struct domain *d);

/* body_case_solid: returns how a point lies: 1 in the solid, 0 in the fluid, -1 if it is closer to a surface
 * than `skin` in each shape's own measure, so that rounding decides. */
int body_case_solid(const struct input *in, const double x[3], double skin);

#endif

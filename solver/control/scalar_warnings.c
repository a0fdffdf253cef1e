/* Finds what the input asks of scalars that may not be meant. */
#include "scalar_warnings.h"

#include <math.h>
#include <stdio.h>
#include "inputs/buoyancy.h"
#include "inputs/scalar_balance.h"
#include "inputs/scalars.h"
#include "state/domain.h"

enum { WARNING_TEXT = 400 };

/* Distances and differences are rounded in inputs; less than this part is no warning. */
static const double ALIKE = 1e-3;

static void warn_of_mean(const struct input *in, int n, void (*tell)(const char *warning))
{
    const char *name = in->scalars.name[n], *doubt = scalar_balance_doubt(in, n);
    const double growth = scalar_mean_growth(in, n);
    char text[WARNING_TEXT];
    snprintf(
        text, sizeof text,
        "scalar '%.*s': its fluxes and sources are not compared, %s; the mean in series.nc tells whether "
        "they balance",
        SCALAR_NAME, name, doubt != NULL ? doubt : "");
    if (doubt != NULL) tell(text);
    snprintf(text, sizeof text,
             "scalar '%.*s': no face takes away what its sources bring, so its mean changes by %g a unit of "
             "time",
             SCALAR_NAME, name, growth);
    if (growth != 0) tell(text);
}

/* buoyancy.rayleigh belongs to the unit of length and to a unit difference of scalar 1. */
static void warn_of_rayleigh(const struct input *in, void (*tell)(const char *warning))
{
    const int d = scalar_count(in) > 0 && buoyancy_free_fall(in) ? scalar_conduction(in, 0) : -1;
    char text[WARNING_TEXT];
    if (d < 0) return;
    const double apart = fabs(in->scalars.face_value[2 * d][0] - in->scalars.face_value[2 * d + 1][0]),
                 length = in->grid.length[d], factor = apart * length * length * length;
    if (apart == 0 || fabs(factor - 1) < ALIKE) return;
    const double rayleigh = in->buoyancy.rayleigh;
    snprintf(text, sizeof text,
             "buoyancy.rayleigh = %g belongs to a unit distance and a unit difference of '%.*s'; with the "
             "distance %g of the faces in %c and the difference %g it is %g",
             rayleigh, SCALAR_NAME, in->scalars.name[0], length, "xyz"[d], apart, rayleigh * factor);
    tell(text);
}

void scalar_warnings(const struct input *in, void (*tell)(const char *warning))
{
    for (int n = 0; n < scalar_count(in); ++n) warn_of_mean(in, n, tell);
    warn_of_rayleigh(in, tell);
}

/* Applies the rules on buoyancy. */
#include "check_buoyancy.h"

#include "buoyancy.h"
#include "rules.h"
#include "scalars.h"
#include "schemes.h"

static int no_gravity(const struct input *in)
{
    const double *g = in->buoyancy.gravity;
    return g[0] == 0 && g[1] == 0 && g[2] == 0;
}

size_t buoyancy_unused(const struct input *in, size_t offset, const char **remedy)
{
    if (offset < OFF(buoyancy) || offset >= OFF(buoyancy) + sizeof in->buoyancy) return 0;
    if (scalar_count(in) == 0) {
        *remedy = "give a scalars.name";
        return OFF(scalars.name);
    }
    if (offset == OFF(buoyancy.gravity) || !no_gravity(in)) return 0;
    *remedy = "give a buoyancy.gravity other than 0";
    return OFF(buoyancy.gravity);
}

static int all_good(const struct reading *r)
{
    return is_good(r, OFF(buoyancy.gravity)) && is_good(r, OFF(buoyancy.expansion)) &&
           is_good(r, OFF(buoyancy.reference)) && is_good(r, OFF(buoyancy.rayleigh)) &&
           is_good(r, OFF(buoyancy.richardson)) && is_good(r, OFF(scalars.prandtl)) &&
           is_good(r, OFF(scalars.name));
}

/* Each entry belongs to a scalar, and to one whose density it tells. */
static void rule_entries(struct reading *r, const struct input *in)
{
    const size_t beta = OFF(buoyancy.expansion), level = OFF(buoyancy.reference);
    for (int n = 0; n < SCALARS_MOST; ++n) {
        const int there = n < scalar_count(in);
        if (in->buoyancy.expansion[n] != 0 && !there)
            fault_add(&r->faults, place_of_element(r, beta, n, beta),
                      "buoyancy.expansion(%d) has no effect: scalar %d has no name; give scalars.name(%d)",
                      n + 1, n + 1, n + 1);
        if (in->buoyancy.reference[n] != INPUT_NOWHERE &&
            (!there || (in->buoyancy.expansion[n] == 0 && !(n == 0 && buoyancy_scaled(in)))))
            fault_add(&r->faults, place_of_element(r, level, n, level),
                      "buoyancy.reference(%d) has no effect without a buoyancy.expansion(%d); remove it, or "
                      "give the expansion",
                      n + 1, n + 1);
        if (there && buoyancy_lacks_reference(in, n))
            fault_add(
                &r->faults, place_of_element(r, OFF(scalars.initial), n, OFF(buoyancy.gravity)),
                "scalars.initial(%d) = 'formula' with buoyancy needs buoyancy.reference(%d), the value at "
                "which scalar %d causes no buoyancy; add it to &buoyancy",
                n + 1, n + 1, n + 1);
    }
}

/* Numbers that stand for gravity and expansion. */
static void rule_scaled(struct reading *r, const struct input *in)
{
    const size_t self = buoyancy_free_fall(in) ? OFF(buoyancy.rayleigh) : OFF(buoyancy.richardson);
    const char *name = buoyancy_free_fall(in) ? "rayleigh" : "richardson";
    if (in->buoyancy.rayleigh > 0 && in->buoyancy.richardson > 0)
        fault_add(&r->faults, place_of(r, OFF(buoyancy.richardson)),
                  "buoyancy.rayleigh and buoyancy.richardson can't both be given; remove one");
    if (buoyancy_free_fall(in) && !(in->scalars.prandtl[0] > 0))
        fault_add(&r->faults, place_of(r, self),
                  "buoyancy.rayleigh = %g needs the Prandtl number of scalar 1; give scalars.prandtl(1) "
                  "instead of diffusivity(1)",
                  in->buoyancy.rayleigh);
    if (in->buoyancy.expansion[0] != 0 && in->buoyancy.expansion[0] != 1)
        fault_add(&r->faults, place_of_element(r, OFF(buoyancy.expansion), 0, self),
                  "buoyancy.expansion(1) = %g: with buoyancy.%s %s it is 1; remove it",
                  in->buoyancy.expansion[0], name, origin_of(r, self).text);
}

void check_buoyancy(struct reading *r, const struct input *in)
{
    const size_t gravity = OFF(buoyancy.gravity);
    if (!all_good(r) || scalar_count(in) == 0) return;
    rule_entries(r, in);
    if (no_gravity(in)) return;
    if (buoyancy_scaled(in)) rule_scaled(r, in);
    else if (!buoyancy_wanted(in))
        fault_add(&r->faults, place_of(r, gravity),
                  "buoyancy.gravity has no effect: no scalar has an expansion coefficient; give "
                  "buoyancy.expansion, rayleigh or richardson");
    if (is_good(r, OFF(pressure.method)) && method_is_exact(in) && buoyancy_wanted(in))
        fault_add(&r->faults, place_of(r, OFF(pressure.method)),
                  "pressure.method = 'exact' can't be combined with buoyancy so far, and buoyancy.gravity is "
                  "not 0 %s; choose 'projection'",
                  origin_of(r, gravity).text);
}

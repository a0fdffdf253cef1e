/* Tells the units of the run from those that UDUNITS knows. */
#include "unit.h"

#include <string.h>

int unit_has_powers(const char *unit)
{
    const char *last = strrchr(unit, ' ');
    if (strpbrk(unit, "UL") == NULL) return 0;
    if (unit[strspn(unit, "UL0123456789^/- ")] == '\0') return 1;
    return last != NULL && strchr("UL1", last[1]) != NULL && strpbrk(last, "UL") != NULL &&
           last[1 + strspn(last + 1, "UL0123456789/")] == '\0';
}

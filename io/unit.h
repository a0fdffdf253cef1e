/* Units of variables in files. */
#ifndef KOL_IO_UNIT_H
#define KOL_IO_UNIT_H

/* unit_has_powers: returns whether a unit has powers of U and L of the run, so that it is no unit of UDUNITS.
 * It is made of them alone, or ends in them after a space, as in K2 U/L. The L of mol/L or mol L-1 is a
 * litre, and the U of PSU is nothing of ours. */
int unit_has_powers(const char *unit);

#endif

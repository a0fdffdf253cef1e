/* Converts the text of a namelist, or of a --set, into stored values. Private to inputs/. */
#ifndef KOL_PARSE_H
#define KOL_PARSE_H

#include "reading.h"

/* parse_file: parses the whole text of a namelist. parse_set: parses one "group.name=value", which replaces
 * the value of the file. set: the number of this --set, counted from 1. Both add their faults to r->faults.
 */
void parse_file(struct reading *r, const char *text, size_t length);
void parse_set(struct reading *r, const char *text, int set);

#endif

/* From the text of a namelist, or of a --set, to stored values. Private to inputs/. */
#ifndef KOL_PARSE_H
#define KOL_PARSE_H

#include "reading.h"

/* parse_file: the whole text of a namelist. parse_set: one "group.name=value", the set-th from 1, which takes
 * the place of what the file said. Faults go to r->faults. */
void parse_file(struct reading *r, const char *text, size_t length);
void parse_set(struct reading *r, const char *text, int set);

#endif

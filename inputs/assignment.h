/* One assignment "name(subscripts) = values" to stored values. This is the part of the parser that files
 * and --set share. Private to inputs/. */
#ifndef KOL_ASSIGNMENT_H
#define KOL_ASSIGNMENT_H

#include "reading.h"
#include "scanner.h"

/* parse_assignment: parses subscripts, "=" and values, and stores the values. The name before them is already
 * read. v is the number of the variable in the table. If the name is not known, v is -1, and everything up to
 * the next name is skipped. Afterwards, also after a fault, the cursor stands before the next name or the end
 * of the group. */
void parse_assignment(struct reading *r, struct scanner *s, int v, const struct token *name);

#endif

/* From "name(subscripts) = values" to stored values: the part of the parser that files and --set share.
 * Private to inputs/. */
#ifndef KOL_ASSIGNMENT_H
#define KOL_ASSIGNMENT_H

#include "reading.h"
#include "scanner.h"

/* parse_assignment: what follows a name: subscripts, "=", values. The cursor ends before the next name or the
 * end of the group, after a fault too. v: -1 where the name was not known, then all is skipped. */
void parse_assignment(struct reading *r, struct scanner *s, int v, const struct token *name);

#endif

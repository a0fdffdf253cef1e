#ifndef KOL_PRECOND_DIRECT_H
#define KOL_PRECOND_DIRECT_H
#include "grid.h"
struct direct;
kol_status direct_create(const struct comm *c, const struct decomp *d, const struct grid *g, const char *transport, struct direct **out);
void direct_destroy(struct direct **s);
kol_status direct_apply(struct direct *s, const real *r, real *z);
size_t direct_bytes_wanted(const struct comm *c, const struct decomp *d, const struct grid *g);
#endif

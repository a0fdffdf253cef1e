/* Finds which messages of an exchange are sent, and leaves some out. */
#include "transport_routes.h"

void routes_omit(struct routes *r, int shape, int n)
{
    r->send[shape][n] = r->receive[shape][n] = 0;
}

int routes_used(const struct routes *r, int rank, int shape, int n)
{
    return r->rank[n] != rank && (r->send[shape][n] > 0 || r->receive[shape][n] > 0);
}

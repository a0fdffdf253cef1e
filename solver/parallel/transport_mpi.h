/* The transport that sends messages by MPI, from kernel memory or from copies of it in host memory. */
#ifndef KOL_PARALLEL_TRANSPORT_MPI_H
#define KOL_PARALLEL_TRANSPORT_MPI_H

#include "comm.h"
#include "memory.h"
#include "transport_routes.h"

/* transport_mpi_kind: which memory MPI gets.
 *
 *   VIA_DIRECT   kernel memory, which is host memory in the CPU build
 *   VIA_DEVICE   GPU memory
 *   VIA_STAGED   copies in page-locked host memory */
enum transport_mpi_kind { VIA_DIRECT, VIA_DEVICE, VIA_STAGED };

/* These are the functions of transport.h. Creating and destroying are not collective. */
struct transport_mpi;
kol_status transport_mpi_create(struct memory *memory, const struct comm *c, enum transport_mpi_kind kind,
                                const struct routes *r, struct transport_mpi **out);
void transport_mpi_destroy(struct transport_mpi **t);
void transport_mpi_omit(struct transport_mpi *t, int shape, int n);
kol_status transport_mpi_begin(struct transport_mpi *t, int shape, int fields, struct parcel *out);
kol_status transport_mpi_send(struct transport_mpi *t);
kol_status transport_mpi_await(struct transport_mpi *t);
kol_status transport_mpi_join(struct transport_mpi *t);
/* transport_mpi_takes_gpu_memory: returns whether this MPI says of itself that it takes GPU memory. */
int transport_mpi_takes_gpu_memory(void);

#endif

/* Messages by MPI: of kernel memory, or of copies of it in host memory. */
#ifndef KOL_PARALLEL_TRANSPORT_MPI_H
#define KOL_PARALLEL_TRANSPORT_MPI_H

#include "comm.h"
#include "memory.h"
#include "transport_routes.h"

/* What MPI is given: VIA_DIRECT, kernel memory that is host memory (CPU build); VIA_DEVICE, GPU memory;
 * VIA_STAGED, page-locked copies. */
enum transport_mpi_kind { VIA_DIRECT, VIA_DEVICE, VIA_STAGED };

/* The functions of transport.h. Creating and destroying are not collective. */
struct transport_mpi;
kol_status transport_mpi_create(struct memory *memory, const struct comm *c, enum transport_mpi_kind kind,
                                const struct routes *r, struct transport_mpi **out);
void transport_mpi_destroy(struct transport_mpi **t);
void transport_mpi_omit(struct transport_mpi *t, int shape, int n);
kol_status transport_mpi_begin(struct transport_mpi *t, int shape, int fields, struct parcel *out);
kol_status transport_mpi_send(struct transport_mpi *t);
kol_status transport_mpi_await(struct transport_mpi *t);
kol_status transport_mpi_join(struct transport_mpi *t);
/* transport_mpi_takes_gpu_memory: whether this MPI says so of itself. */
int transport_mpi_takes_gpu_memory(void);

#endif

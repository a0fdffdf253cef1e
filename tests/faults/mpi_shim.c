/* Makes one of the MPI calls of one rank fail. Calls by libraries are not affected. calls.py builds and
 * uses this file.
 *
 * KOLMO_MPI_FAULT=call:number:rank
 *   call    name of an MPI function, such as MPI_Allreduce. With `count` no call fails; when MPI ends, a
 *           line "name number" for each function is written to the file KOLMO_FAULT_MARK.
 *   number  number of the call that fails, from 1 on. It is not made, and returns MPI_ERR_OTHER.
 *
 * KOLMO_FAULT_MARK: name of a file that is written when the call has failed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32 }; /* kinds of calls */

/* counter: number of calls of one function. */
struct counter {
    const char *name;
    long made;
};
static struct counter *list[MOST];
static int listed;

static struct {
    int ready, mine, count;
    long number;
    char call[32];
} fault;

static void read_fault(void)
{
    const char *text = getenv("KOLMO_MPI_FAULT"), *rank = getenv("OMPI_COMM_WORLD_RANK");
    int wanted = 0;
    fault.ready = 1;
    if (!text || sscanf(text, "%31[^:]:%ld:%d", fault.call, &fault.number, &wanted) != 3) return;
    fault.count = strcmp(fault.call, "count") == 0;
    fault.mine = wanted == (rank ? atoi(rank) : 0);
}

static FILE *mark(void)
{
    const char *name = getenv("KOLMO_FAULT_MARK");
    return name ? fopen(name, "w") : NULL;
}

/* Returns whether the program itself made the call, and not a library. */
static int of_program(const void *place)
{
    Dl_info caller;
    return dladdr(place, &caller) && strcmp(caller.dli_fname, program_invocation_name) == 0;
}

static int hits(struct counter *c, const void *place)
{
    if (!fault.ready) read_fault();
    if (!fault.mine || !of_program(place)) return 0;
    const long n = __atomic_add_fetch(&c->made, 1, __ATOMIC_SEQ_CST);
    if (n == 1) list[__atomic_fetch_add(&listed, 1, __ATOMIC_SEQ_CST)] = c;
    if (fault.count || n != fault.number || strcmp(fault.call, c->name) != 0) return 0;
    FILE *f = mark();
    if (f) fclose(f);
    return 1;
}

#define WRAP(name, parameters, arguments)                                                                    \
    int name parameters                                                                                      \
    {                                                                                                        \
        static struct counter counter = {#name, 0};                                                          \
        return hits(&counter, __builtin_return_address(0)) ? MPI_ERR_OTHER : P##name arguments;              \
    }
WRAP(MPI_Allgather, (const void *a, int n, MPI_Datatype s, void *b, int m, MPI_Datatype t, MPI_Comm c),
     (a, n, s, b, m, t, c))
WRAP(MPI_Allgatherv,
     (const void *a, int n, MPI_Datatype s, void *b, const int m[], const int at[], MPI_Datatype t,
      MPI_Comm c),
     (a, n, s, b, m, at, t, c))
WRAP(MPI_Allreduce, (const void *a, void *b, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c),
     (a, b, n, t, op, c))
WRAP(MPI_Alltoallv,
     (const void *a, const int n[], const int from[], MPI_Datatype s, void *b, const int m[], const int at[],
      MPI_Datatype t, MPI_Comm c),
     (a, n, from, s, b, m, at, t, c))
WRAP(MPI_Barrier, (MPI_Comm c), (c))
WRAP(MPI_Bcast, (void *a, int n, MPI_Datatype t, int root, MPI_Comm c), (a, n, t, root, c))
WRAP(MPI_Comm_dup, (MPI_Comm c, MPI_Comm *out), (c, out))
WRAP(MPI_Comm_free, (MPI_Comm * c), (c))
WRAP(MPI_Comm_split_type, (MPI_Comm c, int type, int key, MPI_Info info, MPI_Comm *out),
     (c, type, key, info, out))
WRAP(MPI_Iallreduce, (const void *a, void *b, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c, MPI_Request *r),
     (a, b, n, t, op, c, r))
WRAP(MPI_Irecv, (void *a, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *r),
     (a, n, t, from, tag, c, r))
WRAP(MPI_Isend, (const void *a, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r),
     (a, n, t, to, tag, c, r))
WRAP(MPI_Reduce, (const void *a, void *b, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c),
     (a, b, n, t, op, root, c))
WRAP(MPI_Test, (MPI_Request * r, int *done, MPI_Status *s), (r, done, s))
WRAP(MPI_Wait, (MPI_Request * r, MPI_Status *s), (r, s))
WRAP(MPI_Waitall, (int n, MPI_Request r[], MPI_Status s[]), (n, r, s))
WRAP(MPI_Win_allocate_shared, (MPI_Aint n, int unit, MPI_Info info, MPI_Comm c, void *base, MPI_Win *w),
     (n, unit, info, c, base, w))
WRAP(MPI_Win_free, (MPI_Win * w), (w))
WRAP(MPI_Win_shared_query, (MPI_Win w, int rank, MPI_Aint *n, int *unit, void *base),
     (w, rank, n, unit, base))

int MPI_Finalize(void)
{
    FILE *f = fault.count && fault.mine ? mark() : NULL;
    for (int n = 0; f && n < listed; ++n) fprintf(f, "%s %ld\n", list[n]->name, list[n]->made);
    if (f) fclose(f);
    return PMPI_Finalize();
}

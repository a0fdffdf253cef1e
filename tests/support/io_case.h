/* What the tests of io/ share: a small case that is written and read with any layout of ranks. Each test
 * has a directory of its own. Functions that a comment calls collective are collective over
 * MPI_COMM_WORLD. */
#ifndef KOL_TESTS_IO_CASE_H
#define KOL_TESTS_IO_CASE_H

#include <mpi.h>
#include "io/checkpoint.h"
#include "io/checkpoint_find.h"
#include "io/hash.h"

enum { NX = 7, NY = 6, NZ = 5, CELLS = NX * NY * NZ, LAYOUTS = 7, SCALARS = 3 };
extern const int layouts[LAYOUTS][3]; /* ranks in x, y, z */
extern const struct io_axis axis[3];
extern const struct io_scalar scalars[SCALARS];
extern char directory[512]; /* of this test, the same on all ranks */
extern int world_rank, world_size;

/* Fixtures of cmocka: setup makes the directory and clears the status; teardown removes the directory.
 * Collective. */
int setup(void **state);
int teardown(void **state);
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

/* make_view: returns a view of this rank's part. If the cells do not divide evenly, the parts differ: 7 = 4
 * + 3. widest: returns the layout that uses all ranks (1, 2 or 4). */
struct io_view make_view(const int layout[3], int rank, const char *name, int ncomp, int bytes, void *data);
const int *widest(void);
/* walk: if `fill` is set, fills the view with numbers that depend on the global index; otherwise returns
 * the number of values that differ from them. */
int walk(struct io_view v, int field, int fill);
/* comm_for: returns a communicator of as many ranks as the layout has. On other ranks, and if there are too
 * few ranks, it returns MPI_COMM_NULL. Collective. */
MPI_Comm comm_for(const int layout[3]);

/* write_case: writes a checkpoint with the fields u (values of `bytes` bytes) and vec (3 components), and
 * the scalars. read_case: reads it and returns the number of values that are wrong or unreadable, or -1 if
 * the file is refused. Collective over comm. */
kol_status write_case(MPI_Comm comm, const int layout[3], long long step, int bytes, int keep);
int read_case(MPI_Comm comm, const int layout[3], const char *path, int bytes);

/* path_of: returns the path of the checkpoint of a step, followed by an ending. It is valid until the next
 * call. */
const char *path_of(long long step, const char *ending);
int exists(const char *path);
/* check_fault: asserts that st is the wanted status, that all ranks know of it, and that the message
 * contains the words on every rank. It then clears the status. Collective. */
void check_fault(kol_status st, kol_status wanted, const char *words);

#endif

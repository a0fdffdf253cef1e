/* What the tests of io/ share: a small case to write and read on any layout of ranks, in a directory of its
 * own for each test. Every function that the comment calls collective is so over MPI_COMM_WORLD. */
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

/* cmocka's fixture: makes and removes the directory; clears the status. Collective. */
int setup(void **state);
int teardown(void **state);
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

/* make_view: this rank's part, uneven where the cells do not divide: 7 = 4 + 3. widest: the layout of all
 * ranks (1, 2 or 4). */
struct io_view make_view(const int layout[3], int rank, const char *name, int ncomp, int bytes, void *data);
const int *widest(void);
/* walk: fill the view with numbers that depend on the global index (fill), then count the values that
 * differ. */
int walk(struct io_view v, int field, int fill);
/* comm_for: as many ranks as the layout has, MPI_COMM_NULL on the others and where there are too few.
 * Collective. */
MPI_Comm comm_for(const int layout[3]);

/* write_case: u (bytes a value), vec (3 components) and the scalars. read_case: -1 where the file is
 * refused, else the number of wrong or unreadable things. Collective over comm. */
kol_status write_case(MPI_Comm comm, const int layout[3], long long step, int bytes, int keep);
int read_case(MPI_Comm comm, const int layout[3], const char *path, int bytes);

/* path_of: of the checkpoint of a step, with an ending; valid until the next call. */
const char *path_of(long long step, const char *ending);
int exists(const char *path);
/* check_fault: st is the wanted one, agreed, and the message holds the words, on all ranks; clears it.
 * Collective. */
void check_fault(kol_status st, kol_status wanted, const char *words);

#endif

/* Makes folders and files for the tests of io/, and damages files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>
#include "io_case.h"
#include "mpi_main.h"

static const int n_g[3] = {NX, NY, NZ};
const int layouts[LAYOUTS][3] = {{1, 1, 1}, {2, 1, 1}, {1, 1, 2}, {2, 2, 1}, {1, 2, 2}, {1, 4, 1}, {1, 1, 4}};

char directory[512];
int world_rank, world_size;

/* --- a case: a grid, two fields, three numbers --- */

static double value_at(int field, int c, int i, int j, int k)
{
    return field + 0.1 * c + 1.0 / (1 + i + 10 * j + 100 * k);
}

static double face_x[NX + 1], face_y[NY + 1], face_z[NZ + 1];
const struct io_axis axis[3] = {{NX, face_x}, {NY, face_y}, {NZ, face_z}};

static void make_grid(void)
{
    for (int i = 0; i <= NX; ++i) face_x[i] = 0.1 * i;
    for (int j = 0; j <= NY; ++j) face_y[j] = 0.2 * j * j;
    for (int k = 0; k <= NZ; ++k) face_z[k] = -1.0 + k / 3.0;
}

/* uneven where the number of cells does not divide: 7 = 4 + 3 */
struct io_view make_view(const int layout[3], int rank, const char *name, int ncomp, int bytes, void *data)
{
    struct io_view v = {
        .name = name, .long_name = "a field", .unit = "U", .ncomp = ncomp, .bytes = bytes, .data = data};
    const int at[3] = {rank % layout[0], rank / layout[0] % layout[1], rank / (layout[0] * layout[1])};
    v.location = ncomp == 1 ? IO_FCC : IO_CCC;
    for (int d = 0; d < 3; ++d) {
        const int more = n_g[d] % layout[d];
        v.n_g[d] = n_g[d];
        v.n[d] = n_g[d] / layout[d] + (at[d] < more);
        v.offset[d] = at[d] * (n_g[d] / layout[d]) + (at[d] < more ? at[d] : more);
    }
    return v;
}

/* fill the view, or count the values that differ from what fill had put there */
int walk(struct io_view v, int field, int fill)
{
    int wrong = 0;
    ptrdiff_t m = 0;
    for (int k = 0; k < v.n[2]; ++k)
        for (int j = 0; j < v.n[1]; ++j)
            for (int i = 0; i < v.n[0]; ++i)
                for (int c = 0; c < v.ncomp; ++c, ++m) {
                    const double x = value_at(field, c, i + v.offset[0], j + v.offset[1], k + v.offset[2]);
                    if (fill && v.bytes == 8) ((double *)v.data)[m] = x;
                    if (fill && v.bytes == 4) ((float *)v.data)[m] = (float)x;
                    if (v.bytes == 8) wrong += ((double *)v.data)[m] != x;
                    if (v.bytes == 4) wrong += ((float *)v.data)[m] != (float)x;
                }
    return wrong;
}

const struct io_scalar scalars[SCALARS] = {{"time", 0.1}, {"dt", 1e-3}, {"dpdx", -1.0 / 3}};

kol_status write_case(MPI_Comm comm, const int layout[3], long long step, int bytes, int keep)
{
    static double u[CELLS], vec[3 * CELLS];
    struct checkpoint *c = NULL;
    int rank;
    const struct io_text text[] = {
        {"version", "test"}, {"compiler", "a"},  {"flags", "b"},
        {"libraries", "c"},  {"processor", "d"}, {"host", "e"},
        {"ranks", "f"},      {"command", "g"},   {"arithmetic", "three"},
        {"started", "h"},    {"title", "none"},  {"input", "&run title = 'caf\xc3\xa9' /\n"}};
    enum { TEXTS = sizeof text / sizeof text[0] }; /* so many that HDF5 keeps them apart from the group */
    MPI_Comm_rank(comm, &rank);
    const struct io_view vu = make_view(layout, rank, "u", 1, bytes, u),
                         vv = make_view(layout, rank, "vec", 3, 8, vec);
    walk(vu, 1, 1);
    walk(vv, 2, 1);
    TRY(checkpoint_begin(comm, directory, step, axis, text, TEXTS, &c));
    kol_status st = checkpoint_put(c, vu);
    if (st == KOL_OK) st = checkpoint_put(c, vv);
    const kol_status ended = checkpoint_end(&c, scalars, 3, keep);
    return st == KOL_OK ? ended : st;
}

/* 0 where all of the case comes back */
int read_case(MPI_Comm comm, const int layout[3], const char *path, int bytes)
{
    static double u[CELLS], vec[3 * CELLS];
    struct checkpoint *c = NULL;
    int rank, wrong = 0;
    MPI_Comm_rank(comm, &rank);
    memset(u, 0xff, sizeof u);
    memset(vec, 0xff, sizeof vec);
    if (checkpoint_open(comm, path, axis, bytes, &c) != KOL_OK) return -1;
    const struct io_view vu = make_view(layout, rank, "u", 1, bytes, u),
                         vv = make_view(layout, rank, "vec", 3, 8, vec);
    wrong += checkpoint_get(c, vv) != KOL_OK || checkpoint_get(c, vu) != KOL_OK;
    wrong += walk(vu, 1, 0) + walk(vv, 2, 0);
    for (int n = 0; n < 3; ++n) {
        double x = 0;
        wrong += checkpoint_scalar(c, scalars[n].name, &x) != KOL_OK || x != scalars[n].value;
    }
    wrong += checkpoint_close(&c) != KOL_OK;
    return wrong;
}

/* Makes a communicator of as many ranks as the layout has. On other ranks, and if there are too few ranks,
 * it is MPI_COMM_NULL. */
MPI_Comm comm_for(const int layout[3])
{
    const int size = layout[0] * layout[1] * layout[2];
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, size <= world_size && world_rank < size ? 0 : MPI_UNDEFINED, world_rank,
                   &comm);
    return comm;
}

const int *widest(void)
{
    static int wide[3] = {1, 1, 1};
    wide[0] = world_size >= 2 ? 2 : 1;
    wide[1] = world_size >= 4 ? 2 : 1;
    return wide;
}

/* --- helpers --- */

int setup(void **state)
{
    (void)state;
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    make_grid();
    if (world_rank == 0) {
        snprintf(directory, sizeof directory, "/tmp/kolmo-io-XXXXXX");
        if (!mkdtemp(directory)) directory[0] = '\0';
    }
    MPI_Bcast(directory, sizeof directory, MPI_CHAR, 0, MPI_COMM_WORLD);
    status_clear();
    return directory[0] == '\0';
}

int teardown(void **state)
{
    char command[600];
    (void)state;
    MPI_Barrier(MPI_COMM_WORLD);
    snprintf(command, sizeof command, "%s/small", directory);
    if (world_rank == 0) umount2(command, MNT_DETACH); /* what test_full_disk may have left */
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    return world_rank == 0 ? system(command) : 0;
}

const char *path_of(long long step, const char *ending)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/checkpoint_%08lld.h5%s", directory, step, ending);
    return path;
}

int exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* the same fault with the same words on all ranks; words: what the message must hold */
void check_fault(kol_status st, kol_status wanted, const char *words)
{
    const int right = st == wanted && status_agreed() && strstr(status_message(), words) != NULL;
    if (!right) print_error("rank %d: status %d, message: %s\n", world_rank, (int)st, status_message());
    CHECK_ALL(right);
    status_clear();
}

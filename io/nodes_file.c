/* Reads numbers on nodes, piece by piece where the part wraps round a periodic direction. */
#include "nodes_file.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "h5.h"
#include "kernels/base/regular_file.h"

/* run: nodes that follow each other in the file and in memory. */
struct run {
    int from, to, length;
};
enum { RUNS = 64 };

/* Divides the wanted nodes of a direction into runs. Returns their number. */
static int find_runs(int cells, int periodic, int first, int count, struct run run[RUNS])
{
    int runs = 0;
    for (int i = 0; i < count; ++i) {
        const int at = first + i;
        const int node = periodic ? ((at % cells) + cells) % cells : at < 0 ? 0 : at > cells ? cells : at;
        if (runs > 0 && node == run[runs - 1].from + run[runs - 1].length) ++run[runs - 1].length;
        else if (runs < RUNS) run[runs++] = (struct run){node, i, 1};
    }
    return runs;
}

static int read_run(hid_t set, hid_t space, const struct run *x, const struct run *y, const struct run *z,
                    const int count[3], double *value)
{
    const hsize_t from[3] = {(hsize_t)z->from, (hsize_t)y->from, (hsize_t)x->from};
    const hsize_t to[3] = {(hsize_t)z->to, (hsize_t)y->to, (hsize_t)x->to};
    const hsize_t size[3] = {(hsize_t)z->length, (hsize_t)y->length, (hsize_t)x->length};
    const hsize_t all[3] = {(hsize_t)count[2], (hsize_t)count[1], (hsize_t)count[0]};
    const hid_t memory = H5Screate_simple(3, all, NULL);
    const int good = memory >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL) >= 0 &&
                     H5Sselect_hyperslab(memory, H5S_SELECT_SET, to, NULL, size, NULL) >= 0 &&
                     H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, value) >= 0;
    if (memory >= 0) H5Sclose(memory);
    return good;
}

static kol_status read_runs(const char *path, hid_t set, hid_t space, const int cells[3],
                            const int periodic[3], const int first[3], const int count[3], double *value)
{
    struct run run[3][RUNS];
    int runs[3];
    for (int d = 0; d < 3; ++d) runs[d] = find_runs(cells[d], periodic[d], first[d], count[d], run[d]);
    for (int k = 0; k < runs[2]; ++k)
        for (int j = 0; j < runs[1]; ++j)
            for (int i = 0; i < runs[0]; ++i)
                if (!read_run(set, space, &run[0][i], &run[1][j], &run[2][k], count, value))
                    RAISE(KOL_ERR_INPUT, "%s: error: its numbers can't be read; the file is damaged", path);
    for (int n = 0; n < count[0] * count[1] * count[2]; ++n)
        if (!isfinite(value[n]))
            RAISE(KOL_ERR_INPUT,
                  "%s: error: the number at node %d, %d, %d is not finite (x, y, z, counted from 0); repair "
                  "the "
                  "file",
                  path, first[0] + n % count[0], first[1] + n / count[0] % count[1],
                  first[2] + n / (count[0] * count[1]));
    return KOL_OK;
}

static kol_status check_shape(const char *path, const char *dataset, hid_t set, hid_t space,
                              const int cells[3])
{
    hsize_t size[3] = {0, 0, 0};
    const hid_t type = H5Dget_type(set);
    const int numbers = type >= 0 && H5Tget_class(type) == H5T_FLOAT;
    if (type >= 0) H5Tclose(type);
    if (!numbers) RAISE(KOL_ERR_INPUT, "%s: error: %s holds no floating point numbers", path, dataset);
    if (H5Sget_simple_extent_ndims(space) == 3) H5Sget_simple_extent_dims(space, size, NULL);
    for (int d = 0; d < 3; ++d)
        if (size[2 - d] != (hsize_t)cells[d] + 1)
            RAISE(KOL_ERR_INPUT,
                  "%s: error: %s has the shape (%llu, %llu, %llu), but the nodes of the grid are (z, y, x) = "
                  "(%d, "
                  "%d, %d); write one number for each node",
                  path, dataset, (unsigned long long)size[0], (unsigned long long)size[1],
                  (unsigned long long)size[2], cells[2] + 1, cells[1] + 1, cells[0] + 1);
    return KOL_OK;
}

kol_status nodes_file_read(const char *path, const char *dataset, const int cells[3], const int periodic[3],
                           const int first[3], const int count[3], double *value)
{
    const char *why = NULL;
    kol_status st = KOL_OK;
    const int fd = regular_file_open(path, O_RDONLY, &why);
    if (fd < 0) RAISE(KOL_ERR_INPUT, "%s: error: the file can't be opened: %s", path, why);
    close(fd);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) RAISE(KOL_ERR_INPUT, "%s: error: the file is no HDF5 file, or damaged", path);
    const hid_t set = H5Dopen2(file, dataset, H5P_DEFAULT);
    const hid_t space = set >= 0 ? H5Dget_space(set) : H5I_INVALID_HID;
    if (set < 0 || space < 0)
        st = status_raise(KOL_ERR_INPUT, __FILE__, __LINE__, "%s: error: the file has no dataset %s", path,
                          dataset);
    if (st == KOL_OK) st = check_shape(path, dataset, set, space, cells);
    if (st == KOL_OK) st = read_runs(path, set, space, cells, periodic, first, count, value);
    if (space >= 0) H5Sclose(space);
    if (set >= 0) H5Dclose(set);
    H5Fclose(file);
    return st;
}

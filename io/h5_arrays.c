/* Writes and reads arrays: grid coordinates by rank 0, fields by all ranks in slabs. */
#include "h5_arrays.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "h5_attributes.h"
#include "h5_compression.h"
#include "h5_groups.h"
#include "hash.h"

/* bytes of the buffer that changes 8-byte values to 4-byte ones */
static const size_t CONVERT_BYTES = (size_t)1 << 26;

const char *h5_location(enum io_location location)
{
    static const char *const name[] = {"ccc", "fcc", "cfc", "ccf", "cff", "fcf", "ffc", "surface"};
    return name[location];
}

/* --- pieces --- */

/* pieces: how the part of an array that one rank has is divided. Pieces are contiguous in memory. The part is
 * divided along z; if a single plane is too large, it is divided along y, too. If the part is handed over in
 * slabs (io_planes), a piece is a slab, or some rows of a slab of one plane. */
struct pieces {
    int planes, rows; /* of one piece */
    int in_y;         /* pieces one after another in y */
    int count;        /* of this rank */
};

static struct pieces cut(const struct io_view *v, size_t slab)
{
    struct pieces p = {1, v->n[1], 1, 0};
    const size_t row = (size_t)v->n[0] * (size_t)v->ncomp * (size_t)v->bytes, plane = row * (size_t)v->n[1];
    if (plane == 0 || v->n[2] == 0) return p;
    if (plane <= slab) {
        const size_t fit = slab / plane;
        p.planes = fit > (size_t)v->n[2] ? v->n[2] : (int)fit;
        if (v->planes.most > 0 && p.planes > v->planes.most) p.planes = v->planes.most;
    } else {
        p.rows = row <= slab ? (int)(slab / row) : 1;
        p.in_y = (v->n[1] + p.rows - 1) / p.rows;
    }
    p.count = (v->n[2] + p.planes - 1) / p.planes * p.in_y;
    return p;
}

struct piece {
    hsize_t start[4], size[4]; /* in the file: z, y, x, component */
    ptrdiff_t first, values;   /* in memory */
    int plane, planes;         /* of this rank's part */
    int begins, ends;          /* whether it is the first, the last of these planes */
};

/* Piece number m; it is empty if this rank has no more. */
static struct piece piece_of(const struct io_view *v, struct pieces p, int m)
{
    struct piece piece = {.size = {1, 1, 1, 1}};
    if (m >= p.count) return piece;
    const int k = m / p.in_y * p.planes, j = m % p.in_y * p.rows;
    const int nk = k + p.planes > v->n[2] ? v->n[2] - k : p.planes;
    const int nj = j + p.rows > v->n[1] ? v->n[1] - j : p.rows;
    const int start[4] = {v->offset[2] + k, v->offset[1] + j, v->offset[0], 0};
    const int size[4] = {nk, nj, v->n[0], v->ncomp};
    for (int d = 0; d < 4; ++d) {
        piece.start[d] = (hsize_t)start[d];
        piece.size[d] = (hsize_t)size[d];
    }
    const ptrdiff_t row = (ptrdiff_t)v->n[0] * v->ncomp;
    piece.first = ((ptrdiff_t)(v->planes.most > 0 ? 0 : k) * v->n[1] + j) * row;
    piece.values = (ptrdiff_t)nk * nj * row;
    piece.plane = k;
    piece.planes = nk;
    piece.begins = j == 0;
    piece.ends = j + nj == v->n[1];
    return piece;
}

static kol_status select_piece(struct h5_file *f, const struct piece *piece, int rank, hid_t in_file,
                               hid_t *in_memory)
{
    H5_TRY(f, *in_memory = H5Screate_simple(rank, piece->size, NULL));
    if (piece->values == 0) {
        H5_TRY(f, H5Sselect_none(*in_memory));
        H5_TRY(f, H5Sselect_none(in_file));
    } else {
        H5_TRY(f, H5Sselect_hyperslab(in_file, H5S_SELECT_SET, piece->start, NULL, piece->size, NULL));
    }
    return KOL_OK;
}

/* --- moving the data --- */

struct move {
    hid_t set, space;
    int writing, rank; /* rank: number of dimensions of the dataset */
    int file_bytes;
    float *convert;
    unsigned long long hash; /* hash of what this rank has in the file */
};

static hid_t memory_type(int bytes)
{
    return bytes == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
}

static unsigned long long hash_piece(const struct io_view *v, const struct piece *piece, int bytes,
                                     void *data)
{
    if (piece->values == 0) return 0;
    struct io_view part = *v;
    part.data = data;
    part.bytes = bytes;
    for (int d = 0; d < 3; ++d) {
        part.offset[d] = (int)piece->start[2 - d];
        part.n[d] = (int)piece->size[2 - d];
    }
    return hash_view(part);
}

static kol_status pass_planes(const struct io_view *v, const struct piece *piece, int wanted)
{
    if (v->planes.most == 0 || piece->values == 0 || !wanted) return KOL_OK;
    return v->planes.pass(v->planes.context, piece->plane, piece->planes);
}

/* Prepares *data. Before a write it gets the values as they will be in the file. Before a read its old values
 * are erased, because a read may stop short without a fault. */
static kol_status make_ready(struct move *m, const struct io_view *v, const struct piece *piece, void **data)
{
    if (!m->writing) {
        if (m->convert) *data = m->convert;
        memset(*data, 0xff, (size_t)piece->values * (size_t)(m->convert ? 4 : v->bytes));
        return KOL_OK;
    }
    TRY(pass_planes(v, piece, piece->begins));
    if (m->convert) {
        const double *from = *data;
        for (ptrdiff_t i = 0; i < piece->values; ++i) m->convert[i] = (float)from[i];
        *data = m->convert;
    }
    m->hash += hash_piece(v, piece, m->convert ? 4 : v->bytes, *data);
    return KOL_OK;
}

/* Converts 4-byte values that were read to those of the view. */
static void widen(const struct move *m, const struct io_view *v, const struct piece *piece)
{
    if (!m->convert || piece->values == 0) return;
    double *to = (double *)v->data + piece->first;
    for (ptrdiff_t i = 0; i < piece->values; ++i) to[i] = m->convert[i];
}

static kol_status move_piece(struct h5_file *f, struct move *m, const struct io_view *v, struct piece piece)
{
    kol_status st = KOL_OK;
    hid_t memory = H5I_INVALID_HID;
    char unused = 0;
    void *data = v->data ? (char *)v->data + piece.first * v->bytes : NULL;
    if (piece.values == 0 || !data) data = &unused;
    st = make_ready(m, v, &piece, &data);
    if (st == KOL_OK) st = select_piece(f, &piece, m->rank, m->space, &memory);
    TRY_OR(done, io_share(f->comm, st));
    const hid_t type = memory_type(m->convert ? 4 : v->bytes);
    if (m->writing) {
        H5_TRY_ALL_OR(done, f, H5Dwrite(m->set, type, memory, m->space, f->transfer, data));
    } else {
        H5_TRY_ALL_OR(done, f, H5Dread(m->set, type, memory, m->space, f->transfer, data));
        m->hash += hash_piece(v, &piece, m->convert ? 4 : v->bytes, data);
        widen(m, v, &piece);
        st = pass_planes(v, &piece, piece.ends);
    }
done:
    return io_share(f->comm, h5_drop(f, st, &memory));
}

static kol_status move_all(struct h5_file *f, struct move *m, const struct io_view *v, size_t slab)
{
    kol_status st = KOL_OK;
    const int convert = v->bytes == 8 && m->file_bytes == 4;
    if (convert && slab > CONVERT_BYTES) slab = CONVERT_BYTES;
    const struct pieces p = cut(v, slab);
    int most = 0;
    if (convert) {
        const size_t values = (size_t)p.planes * (size_t)p.rows * (size_t)v->n[0] * (size_t)v->ncomp + 1;
        m->convert = malloc(values * sizeof *m->convert);
        if (!m->convert)
            st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "%s: no memory for %zu values", f->path,
                              values);
        TRY_OR(done, io_share(f->comm, st));
    }
    IO_MPI_TRY_OR(done, MPI_Allreduce(&p.count, &most, 1, MPI_INT, MPI_MAX, f->comm));
    for (int n = 0; n < most; ++n) TRY_OR(done, move_piece(f, m, v, piece_of(v, p, n)));
done:
    free(m->convert);
    m->convert = NULL;
    return st;
}

/* --- views --- */

kol_status h5_check_view(struct h5_file *f, const struct io_view *v)
{
    kol_status st = KOL_OK;
    int bad = (v->bytes != 4 && v->bytes != 8) || v->ncomp < 1;
    long long mine = 1, all = 0, wanted = 1;
    for (int d = 0; d < 3; ++d) {
        bad |= v->n_g[d] < 1 || v->n[d] < 0 || v->offset[d] < 0 || v->n[d] > v->n_g[d] - v->offset[d];
        mine *= v->n[d];
        wanted *= v->n_g[d];
    }
    if (bad || (mine > 0 && !v->data))
        st = status_raise(KOL_ERR_INTERNAL, __FILE__, __LINE__,
                          "field %s: part (%d, %d, %d) at (%d, %d, %d) of (%d, %d, %d), %d values of %d "
                          "bytes a cell, is no part of the array",
                          v->name, v->n[0], v->n[1], v->n[2], v->offset[0], v->offset[1], v->offset[2],
                          v->n_g[0], v->n_g[1], v->n_g[2], v->ncomp, v->bytes);
    TRY(io_share(f->comm, st));
    IO_MPI_TRY(MPI_Allreduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, f->comm));
    if (all != wanted)
        st = status_raise(KOL_ERR_INTERNAL, __FILE__, __LINE__,
                          "field %s: the parts of all ranks have %lld cells, but the array has %lld", v->name,
                          all, wanted);
    return io_share(f->comm, st);
}

/* space is reserved first, so that a full disk is found before HDF5 or MPI fails on it */
static kol_status reserve(struct h5_file *f, const struct move *m)
{
    const haddr_t offset = H5Dget_offset(m->set);
    const hsize_t bytes = H5Dget_storage_size(m->set);
    if (f->rank != 0 || offset == HADDR_UNDEF || bytes == 0) return KOL_OK;
    return disk_reserve(f->path, (long long)offset, (long long)bytes);
}

static kol_status put_about(struct h5_file *f, const char *dataset, const struct io_view *v)
{
    double position[3]; /* in the cell, 0 lower face */
    const char *location = h5_location(v->location);
    for (int d = 0; d < 3; ++d) position[d] = location[d] == 'f' ? 0.0 : 0.5;
    TRY(h5_put_text(f, dataset, "location", h5_location(v->location)));
    TRY(h5_put_double(f, dataset, "position", 3, position));
    TRY(h5_put_text(f, dataset, "unit", v->unit));
    TRY(h5_put_text(f, dataset, "long_name", v->long_name));
    return KOL_OK;
}

/* Creates a dataset. It is never filled: every cell is written, and a hole would be found by its hash. */
static kol_status create_set(struct h5_file *f, const char *dataset, int rank, const hsize_t *size, int bytes,
                             struct move *m)
{
    kol_status st = KOL_OK;
    hid_t how = H5I_INVALID_HID;
    const hid_t type = bytes == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    H5_TRY_ALL_OR(done, f, how = H5Pcreate(H5P_DATASET_CREATE));
    TRY_OR(done, io_share(f->comm, h5_set_layout(f, how, rank, size)));
    H5_TRY_ALL_OR(done, f, m->space = H5Screate_simple(rank, size, NULL));
    H5_TRY_ALL_OR(done, f,
                  m->set = H5Dcreate2(f->id, dataset, type, m->space, H5P_DEFAULT, how, H5P_DEFAULT));
done:
    return io_share(f->comm, h5_drop(f, st, &how));
}

kol_status h5_put_view(struct h5_file *f, const char *dataset, struct io_view v, int file_bytes, size_t slab)
{
    kol_status st = KOL_OK;
    struct move m = {H5I_INVALID_HID, H5I_INVALID_HID, 1, v.ncomp == 1 ? 3 : 4, file_bytes, NULL, 0};
    const hsize_t size[4] = {(hsize_t)v.n_g[2], (hsize_t)v.n_g[1], (hsize_t)v.n_g[0], (hsize_t)v.ncomp};
    if (f->compression != 0 && slab > H5_COMPRESS_BYTES) slab = H5_COMPRESS_BYTES;
    TRY_OR(done, create_set(f, dataset, m.rank, size, file_bytes, &m));
    TRY_OR(done, io_share(f->comm, reserve(f, &m)));
    TRY_OR(done, move_all(f, &m, &v, slab));
    unsigned long long hash = 0;
    IO_MPI_TRY_OR(done, MPI_Allreduce(&m.hash, &hash, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, f->comm));
    TRY_OR(done, put_about(f, dataset, &v));
    TRY_OR(done, h5_put_hash(f, dataset, hash));
done:
    st = h5_drop(f, st, &m.space);
    return io_share(f->comm, h5_drop(f, st, &m.set));
}

static kol_status open_set(struct h5_file *f, const char *dataset, struct move *m, struct h5_shape *shape)
{
    kol_status st = KOL_OK;
    hid_t type = H5I_INVALID_HID;
    htri_t found = 0;
    hsize_t size[4] = {0, 0, 0, 1};
    H5_TRY_ALL_OR(done, f, found = H5Lexists(f->id, dataset, H5P_DEFAULT));
    if (!found) {
        st = status_raise(KOL_ERR_IO, __FILE__, __LINE__,
                          "%s: the file has no array '%s'; it belongs to another case", f->path, dataset);
        goto done;
    }
    H5_TRY_ALL_OR(done, f, m->set = H5Dopen2(f->id, dataset, H5P_DEFAULT));
    TRY_OR(done, io_share(f->comm, h5_check_stored_here(f, dataset, m->set)));
    H5_TRY_ALL_OR(done, f, m->space = H5Dget_space(m->set));
    H5_TRY_ALL_OR(done, f, type = H5Dget_type(m->set));
    m->rank = H5Sget_simple_extent_ndims(m->space);
    shape->bytes = (int)H5Tget_size(type);
    int bad = (m->rank != 3 && m->rank != 4) || H5Tget_class(type) != H5T_FLOAT ||
              (shape->bytes != 4 && shape->bytes != 8) || H5Sget_simple_extent_dims(m->space, size, NULL) < 0;
    double bytes = shape->bytes, most = 0;
    TRY_OR(done, io_share(f->comm, h5_most_bytes(f, m->set, &most)));
    for (int d = 0; d < 4; ++d) {
        bad |= size[d] < 1 || size[d] > INT_MAX;
        bytes *= (double)size[d];
    }
    if (bad || bytes > most) {
        st = status_raise(KOL_ERR_IO, __FILE__, __LINE__,
                          "%s: array '%s' is no (nz, ny, nx[, c]) array of 4- or 8-byte numbers that fits "
                          "the file; use an older file",
                          f->path, dataset);
        goto done;
    }
    for (int d = 0; d < 3; ++d) shape->n_g[d] = (int)size[2 - d];
    shape->ncomp = (int)size[3];
done:
    return io_share(f->comm, h5_drop(f, st, &type));
}

static kol_status place_of(struct h5_file *f, const char *dataset, hid_t set, int bytes, long long *place)
{
    hid_t type = H5I_INVALID_HID;
    kol_status st = KOL_OK;
    const haddr_t at = H5Dget_offset(set);
    H5_TRY(f, type = H5Dget_type(set));
    const htri_t native = H5Tequal(type, memory_type(bytes));
    if (at == HADDR_UNDEF || native <= 0)
        st = status_raise(KOL_ERR_INPUT, __FILE__, __LINE__,
                          "%s: error: '%s' has to be stored in one piece, neither chunked nor compressed, "
                          "little-endian, float64 or float32",
                          f->path, dataset);
    *place = (long long)at;
    return h5_drop(f, st, &type);
}

kol_status h5_get_place(struct h5_file *f, const char *dataset, struct h5_shape *shape, long long *place)
{
    struct move m = {H5I_INVALID_HID, H5I_INVALID_HID, 0, 0, 0, NULL, 0};
    kol_status st = open_set(f, dataset, &m, shape);
    if (st == KOL_OK) st = io_share(f->comm, place_of(f, dataset, m.set, shape->bytes, place));
    st = h5_drop(f, st, &m.space);
    return io_share(f->comm, h5_drop(f, st, &m.set));
}

kol_status h5_get_shape(struct h5_file *f, const char *dataset, struct h5_shape *shape)
{
    struct move m = {H5I_INVALID_HID, H5I_INVALID_HID, 0, 0, 0, NULL, 0};
    kol_status st = open_set(f, dataset, &m, shape);
    st = h5_drop(f, st, &m.space);
    return io_share(f->comm, h5_drop(f, st, &m.set));
}

kol_status h5_get_view(struct h5_file *f, const char *dataset, struct io_view v, size_t slab,
                       unsigned long long *hash)
{
    kol_status st = KOL_OK;
    struct move m = {H5I_INVALID_HID, H5I_INVALID_HID, 0, 0, v.bytes, NULL, 0};
    struct h5_shape s;
    TRY_OR(done, open_set(f, dataset, &m, &s));
    const int fits = s.bytes == v.bytes || (v.widens && s.bytes == 4 && v.bytes == 8);
    if (memcmp(s.n_g, v.n_g, sizeof s.n_g) != 0 || s.ncomp != v.ncomp || !fits) {
        st = status_raise(KOL_ERR_IO, __FILE__, __LINE__,
                          "%s: array '%s' is (%d, %d, %d) cells of %d values of %d bytes, but (%d, %d, %d) "
                          "cells of %d values of %d bytes are needed; the file belongs to another case",
                          f->path, dataset, s.n_g[0], s.n_g[1], s.n_g[2], s.ncomp, s.bytes, v.n_g[0],
                          v.n_g[1], v.n_g[2], v.ncomp, v.bytes);
        goto done;
    }
    m.file_bytes = s.bytes;
    TRY_OR(done, move_all(f, &m, &v, slab));
done:
    *hash = m.hash;
    st = h5_drop(f, st, &m.space);
    return io_share(f->comm, h5_drop(f, st, &m.set));
}

/* --- the grid --- */

static struct io_view line_view(int n, const double *value)
{
    struct io_view v = {.name = "face", .unit = "L", .location = IO_FCC, .ncomp = 1, .bytes = 8};
    for (int d = 0; d < 3; ++d) v.n_g[d] = v.n[d] = 1;
    v.n_g[0] = v.n[0] = n;
    v.data = (void *)(uintptr_t)value; /* only read from */
    return v;
}

static const char *const grid_name[3] = {"/grid/x_face", "/grid/y_face", "/grid/z_face"};

static kol_status put_line(struct h5_file *f, const char *dataset, int n, const double *value)
{
    kol_status st = KOL_OK;
    struct move m = {H5I_INVALID_HID, H5I_INVALID_HID, 1, 1, 8, NULL, 0};
    const hsize_t size = (hsize_t)n;
    TRY_OR(done, create_set(f, dataset, 1, &size, 8, &m));
    if (f->rank != 0) H5_TRY_OR(written, f, H5Sselect_none(m.space));
    H5_TRY_OR(written, f, H5Dwrite(m.set, H5T_NATIVE_DOUBLE, m.space, m.space, f->transfer, value));
written:
    TRY_OR(done, io_share(f->comm, st));
    TRY_OR(done, h5_put_text(f, dataset, "unit", "L"));
    TRY_OR(done, h5_put_hash(f, dataset, hash_view(line_view(n, value))));
done:
    st = h5_drop(f, st, &m.space);
    return io_share(f->comm, h5_drop(f, st, &m.set));
}

kol_status h5_put_grid(struct h5_file *f, const struct io_axis axis[3])
{
    TRY(h5_put_group(f, "/grid"));
    for (int d = 0; d < 3; ++d) TRY(put_line(f, grid_name[d], axis[d].n + 1, axis[d].face));
    return KOL_OK;
}

static kol_status get_line(struct h5_file *f, const char *dataset, hid_t set, hid_t space, int *n,
                           double **value)
{
    hsize_t size = 0;
    unsigned long long hash = 0;
    if (H5Sget_simple_extent_ndims(space) != 1 || H5Sget_simple_extent_dims(space, &size, NULL) < 0 ||
        size < 2 || size > INT_MAX || 8.0 * (double)size > f->bytes)
        RAISE(KOL_ERR_IO, "%s: '%s' is no list of coordinates; use an older file", f->path, dataset);
    *n = (int)size - 1;
    *value = malloc((size_t)size * sizeof **value);
    kol_status st = KOL_OK;
    if (!*value)
        st =
            status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "%s: no memory for %d coordinates", f->path, *n);
    TRY(io_share(f->comm, st));
    H5_TRY_ALL(f, H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, f->transfer, *value));
    int there = 1; /* files that users write may have no hashes */
    if (strcmp(f->format, "kolmo-flow") == 0) TRY(h5_has_attribute(f, dataset, "hash", &there));
    if (there) TRY(h5_get_hash(f, dataset, &hash));
    if (there && hash != hash_view(line_view(*n + 1, *value)))
        RAISE(KOL_ERR_IO, "%s: '%s' differs from its hash: the file is damaged; use an older one", f->path,
              dataset);
    return KOL_OK;
}

kol_status h5_get_line(struct h5_file *f, const char *dataset, int *n, double **value)
{
    kol_status st = KOL_OK;
    hid_t set = H5I_INVALID_HID, space = H5I_INVALID_HID;
    *value = NULL;
    H5_TRY_ALL_OR(done, f, set = H5Dopen2(f->id, dataset, H5P_DEFAULT));
    TRY_OR(done, io_share(f->comm, h5_check_stored_here(f, dataset, set)));
    H5_TRY_ALL_OR(done, f, space = H5Dget_space(set));
    TRY_OR(done, io_share(f->comm, get_line(f, dataset, set, space, n, value)));
done:
    st = h5_drop(f, st, &space);
    st = io_share(f->comm, h5_drop(f, st, &set));
    if (st != KOL_OK) {
        free(*value);
        *value = NULL;
    }
    return st;
}

kol_status h5_has(struct h5_file *f, const char *object, int *there)
{
    const htri_t found = H5Lexists(f->id, object, H5P_DEFAULT);
    *there = found > 0;
    return io_share(f->comm, found >= 0 ? KOL_OK : h5_raise(f, __FILE__, __LINE__, "H5Lexists()"));
}

kol_status h5_has_grid(struct h5_file *f, int *there)
{
    return h5_has(f, "/grid", there);
}

kol_status h5_get_grid(struct h5_file *f, int direction, int *n, double **face)
{
    const char *name = grid_name[direction];
    TRY(h5_get_line(f, name, n, face));
    int bad = 0;
    while (bad <= *n && isfinite((*face)[bad]) && (bad == 0 || (*face)[bad] > (*face)[bad - 1])) ++bad;
    if (bad > *n) return KOL_OK;
    const kol_status st = status_raise(KOL_ERR_IO, __FILE__, __LINE__,
                                       "%s: coordinate %d of '%s' is %.17g, but faces must increase; use an "
                                       "older file",
                                       f->path, bad, name, (*face)[bad]);
    free(*face);
    *face = NULL;
    return st;
}

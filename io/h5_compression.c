/* Chunks and filters of compressed arrays. */
#include "h5_compression.h"

/* Cells of a chunk, and of one side of it in a plane. A chunk of three float64 values a cell then has
 * 1.5 MiB: large enough for deflate and for the disk, and small enough to read a part of an array. */
enum { CHUNK_CELLS = 1 << 16, CHUNK_SIDE = 1 << 8 };

const char *h5_compression_lack(void)
{
#if H5_VERSION_GE(1, 10, 2)
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0)
        return "this HDF5 was built without zlib, so it has no deflate filter";
    if (H5Zfilter_avail(H5Z_FILTER_SHUFFLE) <= 0) return "this HDF5 was built without its shuffle filter";
    return NULL;
#else
    return "this HDF5 is older than 1.10.2, and can't write compressed arrays from several ranks";
#endif
}

/* Cuts a length into equal parts of at most `most`, so that the last chunk is as full as the others. */
static hsize_t part_of(hsize_t length, hsize_t most)
{
    const hsize_t parts = (length + most - 1) / most;
    return (length + parts - 1) / parts;
}

/* Chunks are thin in z, because ranks hand over their part in slabs of planes, one after another. */
static void chunk_of(int rank, const hsize_t *size, hsize_t *chunk)
{
    chunk[2] = part_of(size[2], CHUNK_SIDE);
    chunk[1] = part_of(size[1], CHUNK_CELLS / chunk[2] < CHUNK_SIDE ? CHUNK_CELLS / chunk[2] : CHUNK_SIDE);
    chunk[0] = part_of(size[0], CHUNK_CELLS / (chunk[1] * chunk[2]));
    if (rank == 4) chunk[3] = size[3];
}

kol_status h5_set_layout(const struct h5_file *f, hid_t how, int rank, const hsize_t *size)
{
    hsize_t chunk[4];
    H5_TRY(f, H5Pset_fill_time(how, H5D_FILL_TIME_NEVER));
    if (f->compression == 0 || rank < 3) {
        H5_TRY(f, H5Pset_layout(how, H5D_CONTIGUOUS));
        H5_TRY(f, H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY));
        return KOL_OK;
    }
    chunk_of(rank, size, chunk);
    H5_TRY(f, H5Pset_chunk(how, rank, chunk));
    H5_TRY(f, H5Pset_shuffle(how));
    H5_TRY(f, H5Pset_deflate(how, (unsigned)f->compression));
    return KOL_OK;
}

kol_status h5_most_bytes(const struct h5_file *f, hid_t set, double *bytes)
{
    hid_t how = H5I_INVALID_HID;
    H5_TRY(f, how = H5Dget_create_plist(set));
    *bytes = f->bytes * (H5Pget_nfilters(how) > 0 ? H5_DEFLATE_MOST : 1.0);
    return h5_drop(f, KOL_OK, &how);
}

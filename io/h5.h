/* The one place that includes hdf5.h. It defines an open file, and calls whose faults have HDF5's own reasons
 * in their messages. The headers h5_groups.h, h5_attributes.h, h5_arrays.h, h5_verify.h and h5_file.h build
 * on it, each on those before it. Unless a comment says otherwise, their functions are collective over the
 * file's communicator and return the same status on all ranks. */
#ifndef KOL_IO_H5_H
#define KOL_IO_H5_H

#include <errno.h>
#include <mpi.h>
#include <hdf5.h>
#include "disk.h"
#include "shared_faults.h"

struct h5_file {
    MPI_Comm comm; /* borrowed */
    int rank;
    int writing;
    int compression; /* 1 to 9: new arrays are compressed by deflate at this level; 0: they are not */
    hid_t id;
    hid_t transfer;        /* how raw data travel: collective, or the default for serial files */
    double bytes;          /* size when opened to read */
    char path[DISK_PATH];  /* of the file as it is open */
    char final[DISK_PATH]; /* its name once complete; "" when opened to read */
    char format[64];       /* "kolmo-checkpoint", ... */
};

/* H5_TRY: makes a local call. If the result is negative, it raises a fault and returns. H5_TRY_ALL: makes a
 * collective call and shares its result with all ranks. The forms _OR do not return but go to a label that
 * closes handles. They need a variable `kol_status st`. f: struct h5_file *, for path and ranks. */
#define H5_TRY(f, call)                                                                                      \
    do {                                                                                                     \
        errno = 0;                                                                                           \
        if ((call) < 0) return h5_raise((f), __FILE__, __LINE__, #call);                                     \
    } while (0)
#define H5_TRY_OR(label, f, call)                                                                            \
    do {                                                                                                     \
        errno = 0;                                                                                           \
        if ((call) < 0) {                                                                                    \
            st = h5_raise((f), __FILE__, __LINE__, #call);                                                   \
            goto label;                                                                                      \
        }                                                                                                    \
    } while (0)
#define H5_TRY_ALL(f, call)                                                                                  \
    do {                                                                                                     \
        errno = 0;                                                                                           \
        const kol_status h5_st_ =                                                                            \
            io_share((f)->comm, (call) < 0 ? h5_raise((f), __FILE__, __LINE__, #call) : KOL_OK);             \
        if (h5_st_ != KOL_OK) return status_pass(h5_st_, __FILE__, __LINE__, #call);                         \
    } while (0)
#define H5_TRY_ALL_OR(label, f, call)                                                                        \
    do {                                                                                                     \
        errno = 0;                                                                                           \
        st = io_share((f)->comm, (call) < 0 ? h5_raise((f), __FILE__, __LINE__, #call) : KOL_OK);            \
        if (st != KOL_OK) {                                                                                  \
            status_pass(st, __FILE__, __LINE__, #call);                                                      \
            goto label;                                                                                      \
        }                                                                                                    \
    } while (0)

/* h5_raise: raises KOL_ERR_IO. The message has the path, the call, HDF5's innermost reasons and a remedy.
 * Local. */
kol_status h5_raise(const struct h5_file *f, const char *file, int line, const char *call);
/* h5_drop: closes *id if it is open, and sets it to H5I_INVALID_HID. Returns st, unless st is KOL_OK and
 * closing fails. Then it returns that fault. Local. */
kol_status h5_drop(const struct h5_file *f, kol_status st, hid_t *id);
#endif

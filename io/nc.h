/* NetCDF behind one door: nothing else includes netcdf.h. For one rank alone; MPI must have been started. */
#ifndef KOL_IO_NC_H
#define KOL_IO_NC_H

#include <errno.h>
#include <netcdf.h>
#include <netcdf_mem.h>
#include "kernels/base/status.h"

/* NC_TRY: anything but NC_NOERR: raise, with path, call, reason and remedy, and return. _OR: to a label that
 * closes the file; wants a variable `kol_status st`. */
#define NC_TRY(path, call)                                                                                   \
    do {                                                                                                     \
        errno = 0;                                                                                           \
        const int nc_rc_ = (call);                                                                           \
        if (nc_rc_ != NC_NOERR) return nc_raise(__FILE__, __LINE__, (path), #call, nc_rc_);                  \
    } while (0)
#define NC_TRY_OR(label, path, call)                                                                         \
    do {                                                                                                     \
        errno = 0;                                                                                           \
        const int nc_rc_ = (call);                                                                           \
        if (nc_rc_ != NC_NOERR) {                                                                            \
            st = nc_raise(__FILE__, __LINE__, (path), #call, nc_rc_);                                        \
            goto label;                                                                                      \
        }                                                                                                    \
    } while (0)

kol_status nc_raise(const char *file, int line, const char *path, const char *call, int rc);
/* nc_drop: close *id where it is open (>= 0), set it to -1; st, or the fault of closing. */
kol_status nc_drop(const char *path, kol_status st, int *id);
/* nc_put_text: a text attribute of variable (NC_GLOBAL: of the file), replaced where it exists. */
kol_status nc_put_text(const char *path, int id, int variable, const char *name, const char *text);

#endif

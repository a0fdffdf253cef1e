/* The one place that includes netcdf.h. One rank alone calls these functions, after MPI has been started. */
#ifndef KOL_IO_NC_H
#define KOL_IO_NC_H

#include <errno.h>
#include <netcdf.h>
#include <netcdf_mem.h>
#include "kernels/base/status.h"

/* NC_TRY: makes a call. If the result is not NC_NOERR, it raises a fault with path, call, reason and remedy,
 * and returns. The form _OR does not return but goes to a label that closes the file. It needs a variable
 * `kol_status st`. */
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
/* nc_drop: closes *id if it is open (>= 0) and sets it to -1. Returns st, unless st is KOL_OK and closing
 * fails. Then it returns that fault. */
kol_status nc_drop(const char *path, kol_status st, int *id);
/* nc_put_text: writes a text attribute of a variable, or of the file (NC_GLOBAL). It replaces an existing
 * attribute. */
kol_status nc_put_text(const char *path, int id, int variable, const char *name, const char *text);
/* nc_put_unit: writes the attribute `units` of a variable as the CF conventions require. A unit of powers
 * of the run's velocity U and length L is no unit of UDUNITS, which reads U as nothing and L as litre:
 * `units` is then 1, and the attribute `scaling` has the powers. They stand alone, or after the unit of a
 * scalar and a space. Another unit, such as mol/L, is kept in `units`. NULL and "" stand for 1. nc_get_unit:
 * reads `scaling`, or `units` if there is no `scaling`, as in files before CF-1.11, which have the powers
 * in `units`. If the variable has neither attribute, text is "". */
kol_status nc_put_unit(const char *path, int id, int variable, const char *unit);
void nc_get_unit(int id, int variable, char *text, size_t size);

#endif

/* Turns faults of NetCDF into messages, and closes files. */
#include "nc.h"

#include <string.h>
#include "unit.h"

kol_status nc_raise(const char *file, int line, const char *path, const char *call, int rc)
{
    const int fault = rc > 0 ? rc : errno; /* positive: the system's own number */
    const int of_disk = fault == ENOSPC || fault == EDQUOT || fault == EIO || fault == EFBIG ||
                        fault == EROFS || fault == EACCES || fault == ENOENT;
    return status_raise(
        KOL_ERR_IO, file, line,
        "%s: %.120s failed: %s%s%s; check free space, quota and permissions, and that the file is NetCDF",
        path, call, nc_strerror(rc), rc < 0 && of_disk ? ": " : "", rc < 0 && of_disk ? strerror(fault) : "");
}

kol_status nc_drop(const char *path, kol_status st, int *id)
{
    const int old = *id;
    *id = -1;
    if (old < 0) return st;
    errno = 0;
    const int rc = nc_close(old);
    if (rc != NC_NOERR && st == KOL_OK) return nc_raise(__FILE__, __LINE__, path, "nc_close", rc);
    return st;
}

kol_status nc_put_text(const char *path, int id, int variable, const char *name, const char *text)
{
    NC_TRY(path, nc_put_att_text(id, variable, name, text ? strlen(text) : 0, text ? text : ""));
    return KOL_OK;
}

kol_status nc_put_unit(const char *path, int id, int variable, const char *unit)
{
    const int scaled = unit != NULL && unit_has_powers(unit);
    TRY(nc_put_text(path, id, variable, "units", unit == NULL || unit[0] == '\0' || scaled ? "1" : unit));
    return scaled ? nc_put_text(path, id, variable, "scaling", unit) : KOL_OK;
}

void nc_get_unit(int id, int variable, char *text, size_t size)
{
    static const char *const NAME[] = {"scaling", "units"};
    for (size_t n = 0; n < sizeof NAME / sizeof *NAME; ++n) {
        size_t length;
        nc_type type;
        memset(text, 0, size);
        if (nc_inq_att(id, variable, NAME[n], &type, &length) == NC_NOERR && type == NC_CHAR &&
            length < size && nc_get_att_text(id, variable, NAME[n], text) == NC_NOERR)
            return;
    }
    text[0] = '\0';
}

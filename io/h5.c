/* Turns faults of HDF5 into messages, and closes handles. */
#include "h5.h"

#include <stdio.h>
#include <string.h>

enum { REASONS = 4, REASON_TEXT = 600 };

struct reasons {
    char text[REASON_TEXT];
    int count;
};

static herr_t add_reason(unsigned n, const H5E_error2_t *e, void *data)
{
    struct reasons *r = data;
    (void)n;
    if (r->count++ >= REASONS || !e->desc) return 0;
    const size_t used = strlen(r->text);
    snprintf(r->text + used, sizeof r->text - used, "%s%s", used ? " < " : "", e->desc);
    return 0;
}

/* MPI leaves all sorts of values in errno; only these tell of a disk */
static int is_disk_fault(int e)
{
    return e == ENOSPC || e == EDQUOT || e == EIO || e == EFBIG || e == EROFS || e == EACCES || e == ESTALE;
}

kol_status h5_raise(const struct h5_file *f, const char *file, int line, const char *call)
{
    const int fault = errno;
    struct reasons r = {"", 0};
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, add_reason, &r); /* innermost first */
    return status_raise(KOL_ERR_IO, file, line, "%s: %.120s failed: %s%s%s; %s", f->path, call,
                        is_disk_fault(fault) ? strerror(fault) : "", is_disk_fault(fault) ? ": " : "",
                        r.count ? r.text : "no reason given",
                        f->writing ? "check free space, quota and permissions"
                                   : "the file is damaged or of another kind: use an older one");
}

kol_status h5_drop(const struct h5_file *f, kol_status st, hid_t *id)
{
    const hid_t old = *id;
    *id = H5I_INVALID_HID;
    if (old < 0) return st;
    errno = 0;
    if (H5Idec_ref(old) < 0 && st == KOL_OK) return h5_raise(f, __FILE__, __LINE__, "closing a handle");
    return st;
}

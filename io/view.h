/* What io/ is given: plain data, no solver types. */
#ifndef KOL_IO_VIEW_H
#define KOL_IO_VIEW_H

#include "kernels/base/status.h"

/* location on the staggered grid: x, y, z; c centre, f lower face */
enum io_location { IO_CCC, IO_FCC, IO_CFC, IO_CCF, IO_CFF, IO_FCF, IO_FFC };

/* io_planes: a part that passes in slabs of planes through memory that holds `most` of them. pass: writing:
 * called before planes first .. first + count - 1 of the part (in z) are written, to put them there; reading:
 * after they were read, to take them away. Slabs come in order, from plane 0 on. Local; its fault is that of
 * the whole transfer. */
struct io_planes {
    int most; /* 0: the memory holds the whole part */
    kol_status (*pass)(void *context, int first, int count);
    void *context;
};

/* io_view: this rank's part of one global array, packed: data[((k*n[1] + j)*n[0] + i)*ncomp + c]. */
struct io_view {
    const char *name; /* of the dataset */
    const char *long_name;
    const char *unit;
    enum io_location location;
    int ncomp;     /* values a cell: 1 or 3 */
    int n_g[3];    /* global cells, x y z */
    int offset[3]; /* of this rank's first cell */
    int n[3];      /* cells of this rank */
    int bytes;     /* of one value in data: 4 or 8 */
    int widens;    /* reading: whether 4-byte values of the file become 8-byte ones */
    void *data;    /* host memory, borrowed */
    struct io_planes planes;
};

struct io_scalar { /* a number of the state */
    const char *name;
    double value;
};
struct io_text { /* provenance: code version, input text, hardware, ... */
    const char *name;
    const char *text;
};
struct io_axis { /* face coordinates of one direction: n + 1 values [L] */
    int n;
    const double *face;
};

#endif

/* What io/ is given to write or read: plain data, without types of the solver. */
#ifndef KOL_IO_VIEW_H
#define KOL_IO_VIEW_H

#include <stddef.h>
#include "kernels/base/status.h"

/* io_location: the place on the staggered grid, a letter each for x, y, z: c is the centre, f the lower
 * face. IO_SURFACE: points on the surface of bodies. */
enum io_location { IO_CCC, IO_FCC, IO_CFC, IO_CCF, IO_CFF, IO_FCF, IO_FFC, IO_SURFACE };

/* io_planes: how a part of an array passes in slabs of planes, through memory that holds at most `most`
 * planes. pass is called for each slab, which is planes first to first + count - 1 of the part (in z). When
 * writing, it is called before the slab is written, to fill it; when reading, after the slab was read, to
 * empty it. Slabs come in order, from plane 0 on. Local; its fault is that of the whole transfer. */
struct io_planes {
    int most; /* 0: the memory holds the whole part */
    kol_status (*pass)(void *context, int first, int count);
    void *context;
};

/* io_view: this rank's part of a global array, packed: data[((k*n[1] + j)*n[0] + i)*ncomp + c]. */
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
/* io_view_list: returns the view of a list of `count` doubles. Rank 0 gives all of them in `data`; the other
 * ranks give NULL. */
static inline struct io_view io_view_list(const char *name, const char *long_name, int count, double *data)
{
    const int own = data != NULL ? count : 0;
    return (struct io_view){.name = name,
                            .long_name = long_name,
                            .unit = "1",
                            .location = IO_CCC,
                            .ncomp = 1,
                            .n_g = {count, 1, 1},
                            .n = {own, own > 0, own > 0},
                            .bytes = (int)sizeof(double),
                            .data = data};
}

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

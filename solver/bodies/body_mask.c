/* Finds the open faces of the cells, row by row. */
#include "body_mask.h"

#include <stdlib.h>
#include <string.h>

/* row: where one row of face centres along x is written. */
struct row {
    int *owner;
    double *depth;
};

/* The faces of component c in the row (j, k). They are the lower faces of their cells, and the upper faces of
 * the cells below. */
static void set_row(const struct body_faces *f, struct box b, int c, int j, int k, const struct row *row,
                    double margin, unsigned char *open, unsigned char *near, long long *closed)
{
    const int h = KOL_HALO, place[3] = {0, j, k}, upper = (c == X) ? f->n[X] + h + 1 : f->n[X] + h;
    const int lower_cell = c == X || place[c] < f->n[c] + h;
    const ptrdiff_t below = c == X ? 1 : c == Y ? b.sy : b.sz;
    for (int i = -h; i < upper; ++i) {
        const ptrdiff_t q = at(b, i, j, k);
        const int along = c == X ? i : place[c];
        const int cell = c == X ? i < f->n[X] + h : lower_cell;
        if (cell && row->depth[i + h] < margin) near[q] = (unsigned char)(near[q] | 1u << c);
        const int mine = i >= 0 && i < f->n[X] && j >= 0 && j < f->n[Y] && k >= 0 && k < f->n[Z];
        if (row->owner[i + h] >= 0) {
            closed[row->owner[i + h]] += mine;
            continue;
        }
        if (cell) open[q] = (unsigned char)(open[q] | 1u << (2 * c));
        if (along > -h) open[q - below] = (unsigned char)(open[q - below] | 1u << (2 * c + 1));
    }
}

kol_status body_mask_make(const struct body_set *s, const struct body_faces *f, struct box b,
                          unsigned char *open, unsigned char *near, long long *closed)
{
    const int h = KOL_HALO, longest = f->n[X] + 2 * h + 1;
    struct row row = {malloc((size_t)longest * sizeof(int)), malloc((size_t)longest * sizeof(double))};
    if (row.owner == NULL || row.depth == NULL) {
        free(row.owner);
        free(row.depth);
        RAISE(KOL_ERR_MEMORY, "no memory for a row of %d faces", longest);
    }
    memset(open, 0, (size_t)b.size);
    memset(near, 0, (size_t)b.size);
    for (int c = 0; c < 3; ++c)
        for (int k = -h; k < f->n[Z] + h + (c == Z); ++k)
            for (int j = -h; j < f->n[Y] + h + (c == Y); ++j) {
                body_set_row(s, f->n[X] + 2 * h + (c == X), f->x[c == X][X] + BODY_RIM - h,
                             body_face_place(f, c, Y, j), body_face_place(f, c, Z, k), row.owner, row.depth);
                set_row(f, b, c, j, k, &row, s->margin, open, near, closed);
            }
    free(row.owner);
    free(row.depth);
    return KOL_OK;
}

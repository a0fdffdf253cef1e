/* What the sources of stl.h share. */
#ifndef KOL_BODIES_STL_INTERNAL_H
#define KOL_BODIES_STL_INTERNAL_H

#include "stl.h"

/* A coordinate on the lattice of stl_frame. */
typedef long long lattice;

/* stl_bins: the triangles over each bin of the plane normal to one direction. */
struct stl_bins {
    int n[2];
    double low[2], size[2];
    int *first, *item;
};

/* stl_piece: a part of a grid line inside, and the triangles where it begins and ends. */
struct stl_piece {
    double from, to;
    int enters, leaves;
};

/* stl_row: the parts of the line that was asked for last. */
struct stl_row {
    int valid, dir, strict, count, room;
    lattice a, b;
    struct stl_piece *piece;
};

struct stl {
    char file[256];
    struct stl_frame frame;
    int vertices, triangles;
    double (*vertex)[3]; /* [L] */
    lattice (*point)[3]; /* the same on the lattice */
    int (*corner)[3];
    int *place; /* line of each triangle in a text file, or its number in a binary one, from 1 */
    int is_text;
    int *part; /* closed part that each triangle belongs to */
    int parts;
    double unit, low[3], high[3], volume, area;
    struct stl_bins bins[3];
    unsigned char *near; /* for each cell of a coarse grid: whether a triangle is closer than the margin */
    int near_n[3];
    double near_size[3];
    struct stl_row row;
};

/* stl_read: reads corners and triangles; equal corners become one vertex. stl_check_edges, stl_check_parts,
 * stl_check_cuts: check edges, closed parts and cuts. The last two need the bins. */
kol_status stl_read(struct stl *s, const char *bytes, size_t length);
kol_status stl_check_edges(struct stl *s);
kol_status stl_check_parts(struct stl *s);
kol_status stl_check_cuts(struct stl *s);
/* stl_place: the words "car.stl:12" or "car.stl: triangle 3". */
struct stl_words {
    char text[320];
};
struct stl_words stl_place(const struct stl *s, int triangle);
/* stl_winding: returns how often the surface, without one part, winds round a vertex. skip: the part; -1:
 * none. */
int stl_winding(struct stl *s, const lattice point[3], int skip);
#endif

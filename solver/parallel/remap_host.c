/* Moves an array in host memory from one distribution over ranks to another. */
#include "remap_host.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

size_t piece_count(struct piece p)
{
    size_t n = 1;
    for (int d = 0; d < 3; ++d) n *= p.hi[d] > p.lo[d] ? (size_t)(p.hi[d] - p.lo[d]) : 0;
    return n;
}

struct piece piece_overlap(struct piece a, struct piece b)
{
    for (int d = 0; d < 3; ++d) {
        a.lo[d] = a.lo[d] > b.lo[d] ? a.lo[d] : b.lo[d];
        a.hi[d] = a.hi[d] < b.hi[d] ? a.hi[d] : b.hi[d];
        if (a.hi[d] < a.lo[d]) a.hi[d] = a.lo[d];
    }
    return a;
}

/* Copies a part between the packed array of piece `whole` and a packed buffer. */
static void copy_part(struct piece part, struct piece whole, size_t bytes, char *array, char *buffer,
                      int to_buffer)
{
    const size_t row = (size_t)(part.hi[0] - part.lo[0]) * bytes;
    if (piece_count(part) == 0) return;
    for (int k = part.lo[2]; k < part.hi[2]; ++k) {
        for (int j = part.lo[1]; j < part.hi[1]; ++j, buffer += row) {
            const size_t line =
                (size_t)(k - whole.lo[2]) * (size_t)(whole.hi[1] - whole.lo[1]) + (size_t)(j - whole.lo[1]);
            char *cell =
                array +
                (line * (size_t)(whole.hi[0] - whole.lo[0]) + (size_t)(part.lo[0] - whole.lo[0])) * bytes;
            memcpy(to_buffer ? buffer : cell, to_buffer ? cell : buffer, row);
        }
    }
}

/* Finds counts and starts of what this rank, which holds `mine`, exchanges with the other ranks. `rule` tells
 * their pieces. */
static kol_status plan(const struct comm *c, struct piece mine, remap_rule rule, const void *context,
                       int *count, int *start, size_t *total)
{
    *total = 0;
    for (int r = 0; r < c->size; ++r) {
        const size_t n = piece_count(piece_overlap(mine, rule(context, r)));
        if (*total + n > INT_MAX) {
            RAISE(KOL_ERR_MEMORY, "rank %d would exchange more than %d values in one step; use more ranks",
                  c->rank, INT_MAX);
        }
        count[r] = (int)n;
        start[r] = (int)*total;
        *total += n;
    }
    return KOL_OK;
}

struct tables {
    int *send_count, *send_start, *get_count, *get_start;
    char *send, *get;
};

static kol_status exchange(struct memory *memory, const struct comm *c, int bytes, remap_rule from,
                           const void *fc, const void *source, remap_rule to, const void *tc, void *target,
                           struct tables *t)
{
    const struct piece had = from(fc, c->rank), want = to(tc, c->rank);
    size_t sent, got;
    TRY(plan(c, had, to, tc, t->send_count, t->send_start, &sent));
    TRY(plan(c, want, from, fc, t->get_count, t->get_start, &got));
    TRY(memory_plain(memory, sent * (size_t)bytes + 1, (void **)&t->send));
    TRY(memory_plain(memory, got * (size_t)bytes + 1, (void **)&t->get));
    if (memory_counts(memory)) return KOL_OK;
    for (int r = 0; r < c->size; ++r) {
        copy_part(piece_overlap(had, to(tc, r)), had, (size_t)bytes, (char *)(size_t)source,
                  t->send + (size_t)t->send_start[r] * (size_t)bytes, 1);
    }
    MPI_Datatype value;
    MPI_TRY(MPI_Type_contiguous(bytes, MPI_BYTE, &value));
    MPI_TRY(MPI_Type_commit(&value));
    MPI_TRY(MPI_Alltoallv(t->send, t->send_count, t->send_start, value, t->get, t->get_count, t->get_start,
                          value, c->mpi));
    MPI_TRY(MPI_Type_free(&value));
    for (int r = 0; r < c->size; ++r) {
        copy_part(piece_overlap(want, from(fc, r)), want, (size_t)bytes, target,
                  t->get + (size_t)t->get_start[r] * (size_t)bytes, 0);
    }
    return KOL_OK;
}

kol_status remap(struct memory *memory, const struct comm *c, int bytes, remap_rule from,
                 const void *from_context, const void *source, remap_rule to, const void *to_context,
                 void *target)
{
    int *table = malloc(4 * (size_t)c->size * sizeof *table);
    if (table == NULL) RAISE(KOL_ERR_MEMORY, "no memory for a table of %d ranks", c->size);
    struct tables t = {table, table + c->size, table + 2 * c->size, table + 3 * c->size, NULL, NULL};
    const kol_status st = exchange(memory, c, bytes, from, from_context, source, to, to_context, target, &t);
    free(table);
    free(t.send);
    free(t.get);
    return st;
}

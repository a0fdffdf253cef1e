/* ranks: 1 2 4 */
/* Tests how global arrays are moved between distributions. Every value arrives at its place, for odd sizes,
 * for ranks without cells, and for values of any number of bytes. Values outside the pieces are not
 * changed. */
#include <stdlib.h>
#include <string.h>
#include "solver/parallel/decomp.h"
#include "solver/parallel/remap_host.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

/* context of a rule */
struct shares {
    int n[3], size;
};

static struct piece cut(const struct shares *l, int dir, int part, int parts)
{
    struct piece p = {{0, 0, 0}, {l->n[0], l->n[1], l->n[2]}};
    p.lo[dir] = l->n[dir] * part / parts;
    p.hi[dir] = l->n[dir] * (part + 1) / parts;
    return p;
}

static struct piece planes(const void *context, int rank)
{
    const struct shares *l = context;
    return cut(l, 2, rank, l->size);
}

static struct piece rows(const void *context, int rank)
{
    const struct shares *l = context;
    return cut(l, 1, rank, l->size);
}

/* columns, the first with the last rank: nobody keeps all it had */
static struct piece columns_backwards(const void *context, int rank)
{
    const struct shares *l = context;
    return cut(l, 0, l->size - 1 - rank, l->size);
}

/* the last rank has it all */
static struct piece gathered(const void *context, int rank)
{
    const struct shares *l = context;
    struct piece p = cut(l, 0, 0, 1);
    if (rank != l->size - 1) p.hi[1] = p.lo[1];
    return p;
}

/* two uneven halves with ranks 0 and 1 (or 0 alone), all others without cells and with strange limits */
static struct piece first_two(const void *context, int rank)
{
    const struct shares *l = context;
    struct piece p = {{3, 2, 1}, {0, 2, 1}};
    if (rank > 1) return p;
    p = cut(l, 2, 0, 1);
    if (l->size > 1 && rank == 0) p.hi[2] = 1;
    if (rank == 1) p.lo[2] = 1;
    return p;
}

/* the solver's own boxes */
static struct piece boxes(const void *context, int rank)
{
    static const int choose[3] = {0, 0, 0};
    const struct shares *l = context;
    struct decomp d;
    struct piece p = {{0, 0, 0}, {0, 0, 0}};
    if (decomp_create(l->n, choose, l->size, rank, &d) != KOL_OK) return p;
    for (int i = 0; i < 3; ++i) {
        p.lo[i] = d.offset[i];
        p.hi[i] = d.offset[i] + d.n[i];
    }
    return p;
}

static const remap_rule rules[] = {planes, rows, columns_backwards, gathered, first_two, boxes};
enum { RULES = sizeof rules / sizeof *rules, GUARD = 32 };

/* byte b of the value at a global place */
static unsigned char byte_of(size_t place, int b)
{
    return (unsigned char)((place + 1) * 2654435761u >> (b % 4 * 8)) ^ (unsigned char)(b * 29);
}

/* fill the packed piece, or count its wrong bytes and those of the guard behind it */
static int walk(const struct shares *l, struct piece p, int bytes, unsigned char *data, int fill)
{
    int wrong = 0;
    size_t at = 0;
    if (piece_count(p) > 0) {
        for (int k = p.lo[2]; k < p.hi[2]; ++k)
            for (int j = p.lo[1]; j < p.hi[1]; ++j)
                for (int i = p.lo[0]; i < p.hi[0]; ++i)
                    for (int b = 0; b < bytes; ++b, ++at) {
                        const size_t place =
                            ((size_t)k * (size_t)l->n[1] + (size_t)j) * (size_t)l->n[0] + (size_t)i;
                        if (fill) data[at] = byte_of(place, b);
                        else wrong += data[at] != byte_of(place, b);
                    }
    }
    for (int b = 0; b < GUARD; ++b) {
        if (fill) data[at + (size_t)b] = 0xA5;
        else wrong += data[at + (size_t)b] != 0xA5;
    }
    return wrong;
}

static int move(const struct shares *l, remap_rule from, remap_rule to, int bytes)
{
    const struct piece had = from(l, comm.rank), want = to(l, comm.rank);
    const size_t sent = piece_count(had) * (size_t)bytes + GUARD,
                 got = piece_count(want) * (size_t)bytes + GUARD;
    unsigned char *source = malloc(sent), *target = malloc(got);
    memset(target, 0xA5, got);
    walk(l, had, bytes, source, 1);
    int wrong = remap(NULL, &comm, bytes, from, l, source, to, l, target) != KOL_OK;
    wrong += walk(l, want, bytes, target, 0);
    wrong += walk(l, had, bytes, source, 0); /* the source stays as it was */
    free(source);
    free(target);
    return wrong;
}

static void test_every_pair_of_distributions(void **state)
{
    (void)state;
    static const int sizes[][3] = {{7, 9, 11}, {8, 8, 8}, {13, 4, 5}, {10, 3, 4}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        const struct shares l = {{sizes[s][0], sizes[s][1], sizes[s][2]}, comm.size};
        for (int from = 0; from < RULES; ++from) {
            int wrong = 0;
            for (int to = 0; to < RULES; ++to)
                for (int bytes = 1; bytes <= 16; bytes *= 2) wrong += move(&l, rules[from], rules[to], bytes);
            CHECK_ALL(wrong == 0);
        }
    }
}

/* fewer planes than ranks, and a single cell */
static void test_ranks_without_cells(void **state)
{
    (void)state;
    static const int sizes[][3] = {{4, 4, 1}, {1, 5, 1}, {1, 1, 1}, {3, 1, 2}};
    static const remap_rule thin[] = {planes, rows, columns_backwards, gathered};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        const struct shares l = {{sizes[s][0], sizes[s][1], sizes[s][2]}, comm.size};
        int wrong = 0;
        for (int from = 0; from < 4; ++from)
            for (int to = 0; to < 4; ++to) wrong += move(&l, thin[from], thin[to], 8);
        CHECK_ALL(wrong == 0);
    }
}

static void test_piece_count(void **state)
{
    (void)state;
    CHECK_ALL(piece_count((struct piece){{0, 0, 0}, {3, 4, 5}}) == 60);
    CHECK_ALL(piece_count((struct piece){{1, 2, 3}, {2, 3, 4}}) == 1);
    CHECK_ALL(piece_count((struct piece){{1, 2, 3}, {1, 9, 9}}) == 0);
    CHECK_ALL(piece_count((struct piece){{0, 5, 0}, {9, 2, 9}}) == 0); /* limits the wrong way round */
    CHECK_ALL(piece_count((struct piece){{0, 5, 7}, {9, 2, 3}}) == 0); /* twice */
    CHECK_ALL(piece_count((struct piece){{0, 0, 0}, {65536, 65536, 4}}) == (size_t)1 << 34);
}

/* every rank would move 2^31 values, more than MPI can count: refused before any memory or message */
static void test_too_many_values(void **state)
{
    (void)state;
    const struct shares l = {{2048, 1024, 1024 * comm.size}, comm.size};
    const kol_status st = remap(NULL, &comm, 8, planes, &l, NULL, planes, &l, NULL);
    CHECK_ALL(st == KOL_ERR_MEMORY && strstr(status_message(), "use more ranks"));
    status_clear();
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(test_every_pair_of_distributions),
        CASE(test_ranks_without_cells),
        CASE(test_piece_count),
        CASE(test_too_many_values),
    };
    return MPI_MAIN(argc, argv, "remap", tests);
}

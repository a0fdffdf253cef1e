/* ranks: 1 2 4 */
/* Tests every transport that is available. 50 exchanges of changing shape are started without waiting for
 * any of them, while one rank after another runs ahead of the others. Then every cell of all of them is
 * checked. Transports that are not available are refused by name. Catches a buffer that is written before
 * it was read, a flag that is raised before its values have arrived, a queue that does not wait, and
 * exchanges in one queue and in two that get out of order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/input.h"
#include "kernels/base/device.h"
#include "kernels/base/mem.h"
#include "solver/parallel/peer_sums.h"
#include "tests/support/halo_case.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

enum { EXCHANGES = 50, DELAY_VALUES = 1 << 18, DELAYS = 60, OTHER_TAG = 50 };
enum { DELAY_VALUES_EMULATED = 1 << 10 }; /* its times mean nothing: all of a delay would take minutes */
enum {
    AT_ONCE = 4
}; /* every fourth exchange has nothing to overlap with, and so does not leave the compute queue */
static const int SIZE[3] = {16, 16, 16};
/* field counts of an exchange by its shape */
static const int FIELDS[] = {[HALO_FACES] = 1, [HALO_EDGES] = 4, [HALO_DEEP] = 1, [HALO_NORMAL] = 3};

/* one of 50: all fields of it its own; image: what they are to hold, page-locked */
struct exchange {
    enum halo_shape shape;
    int tag, fields;
    real *array[HALO_FIELDS], *image[HALO_FIELDS];
};

/* the same shape several times in a row, and each one after each other */
static enum halo_shape shape_of(int e)
{
    static const enum halo_shape order[] = {HALO_NORMAL, HALO_NORMAL, HALO_DEEP,  HALO_DEEP,  HALO_DEEP,
                                            HALO_EDGES,  HALO_NORMAL, HALO_FACES, HALO_FACES, HALO_EDGES,
                                            HALO_DEEP,   HALO_FACES,  HALO_NORMAL};
    return order[e % (int)(sizeof order / sizeof *order)];
}

static ptrdiff_t delay_values(void)
{
    char device[128] = "";
    CHECK_ALL(device_select(comm.rank, device, sizeof device) == KOL_OK);
    return strncmp(device, "emulated", 8) == 0 ? DELAY_VALUES_EMULATED : DELAY_VALUES;
}

/* work for the GPU of one rank only, another one each time, before or between the halves of an exchange */
static int delay(real *scratch, ptrdiff_t values, int e, int half)
{
    int wrong = 0;
    if ((e + half) % (comm.size + 1) != comm.rank) return 0;
    for (int n = 0; n < DELAYS; ++n) wrong += mem_fill_real(scratch, values, (real)n) != KOL_OK;
    return wrong;
}

/* the own cells get their values from the compute queue just before the exchange, others are there until then
 */
static int run_exchanges(struct halo_part *p, struct halo *h, struct exchange *x, real *scratch,
                         ptrdiff_t values)
{
    const size_t bytes = (size_t)p->b.size * sizeof(real);
    int wrong = 0;
    for (int e = 0; e < EXCHANGES; ++e)
        for (int f = 0; f < x[e].fields; ++f)
            halo_part_set(p, x[e].array[f], (x[e].tag + OTHER_TAG) % HALO_CASE_TAGS);
    for (int e = 0; e < EXCHANGES; ++e) {
        wrong += delay(scratch, values, e, 0);
        for (int f = 0; f < x[e].fields; ++f)
            wrong += mem_to_kernel_begin(x[e].array[f], x[e].image[f], bytes) != KOL_OK;
        if (e % AT_ONCE == 0) {
            wrong += halo_fill(h, x[e].array, x[e].fields, x[e].shape) != KOL_OK;
            continue;
        }
        wrong += halo_begin(h, x[e].array, x[e].fields, x[e].shape) != KOL_OK;
        wrong += delay(scratch, values, e, 1);
        wrong += halo_part_finish(h) != KOL_OK;
    }
    for (int e = 0; e < EXCHANGES; ++e)
        for (int f = 0; f < x[e].fields; ++f)
            wrong += halo_part_wrong(p, x[e].array[f], x[e].tag + f, x[e].shape, f, ~0u);
    return wrong + (device_wait() != KOL_OK);
}

static int exchange_create(struct halo_part *p, int e, struct exchange *x)
{
    const size_t bytes = (size_t)p->b.size * sizeof(real);
    const int tags = HALO_CASE_TAGS / HALO_FIELDS;
    *x = (struct exchange){.shape = shape_of(e), .tag = e % tags * HALO_FIELDS};
    x->fields = FIELDS[x->shape];
    for (int f = 0; f < x->fields; ++f) {
        x->array[f] = halo_part_array(p);
        if (mem_host_alloc(bytes, (void **)&x->image[f]) != KOL_OK) return 1;
        halo_part_set(p, x->array[f], x->tag + f);
        memcpy(x->image[f], p->host, bytes);
    }
    return 0;
}

static void exchange_destroy(struct exchange *x)
{
    for (int f = 0; f < x->fields; ++f) {
        mem_kernel_free(x->array[f]);
        mem_host_free(x->image[f]);
    }
}

/* *status: of the creation; returns the number of faults after it */
static int exchange_by(int transport, const int layout[3], kol_status *status)
{
    struct halo_part p;
    struct halo *h = NULL;
    struct exchange x[EXCHANGES];
    void *scratch = NULL;
    if (halo_part_create(&comm, SIZE, layout, &p) != KOL_OK) return 1;
    *status = halo_create(NULL, HALO_FIELDS, &comm, &p.d, p.b, transport, &h);
    if (*status != KOL_OK) {
        halo_destroy(&h);
        halo_part_destroy(&p);
        return 0;
    }
    const ptrdiff_t values = delay_values();
    int wrong = mem_kernel_alloc((size_t)values * sizeof(real), &scratch) != KOL_OK;
    for (int e = 0; e < EXCHANGES; ++e) wrong += exchange_create(&p, e, &x[e]);
    for (int round = 0; round < 2; ++round) wrong += run_exchanges(&p, h, x, scratch, values);
    for (int e = 0; e < EXCHANGES; ++e) exchange_destroy(&x[e]);
    mem_kernel_free(scratch);
    halo_destroy(&h);
    halo_part_destroy(&p);
    return wrong;
}

/* Tests a transport with every layout of the ranks. If the transport is not available, it must be refused
 * by its name; the test then says that it is skipped. */
static void check_transport(int transport, const char *name)
{
    for (int px = 1; px <= comm.size; ++px)
        for (int py = 1; py <= comm.size / px; ++py) {
            const int layout[3] = {px, py, comm.size / px / py};
            kol_status st = KOL_OK;
            if (px * py * layout[Z] != comm.size) continue;
            CHECK_ALL(exchange_by(transport, layout, &st) == 0);
            CHECK_ALL(st == KOL_OK || st == KOL_ERR_INPUT);
            if (st == KOL_OK) continue;
            CHECK_ALL(strstr(status_message(), "device.transport") != NULL);
            CHECK_ALL(strstr(status_message(), name) != NULL);
            print_message("skipped: %s\n", status_message());
            status_clear();
            skip();
        }
}

static void test_auto(void **state)
{
    (void)state;
    struct halo_part p;
    struct halo *h = NULL;
    static const int any[3] = {0, 0, 0};
    check_transport(TRANSPORT_AUTO, "auto");
    CHECK_ALL(halo_part_create(&comm, SIZE, any, &p) == KOL_OK);
    CHECK_ALL(halo_create(NULL, HALO_FIELDS, &comm, &p.d, p.b, TRANSPORT_AUTO, &h) == KOL_OK);
    print_message("chosen: %s. %s\n", halo_transport(h), halo_warning(h));
    if (strcmp(device_backend(), "cpu") == 0) CHECK_ALL(strcmp(halo_transport(h), "mpi") == 0);
    else if (comm.size == 1) CHECK_ALL(strcmp(halo_transport(h), "none") == 0);
    halo_destroy(&h);
    halo_part_destroy(&p);
}

static void test_host(void **state)
{
    (void)state;
    check_transport(TRANSPORT_HOST, "host");
}

static void test_cuda_aware(void **state)
{
    (void)state;
    check_transport(TRANSPORT_CUDA_AWARE, "cuda-aware");
}

static void test_peer(void **state)
{
    (void)state;
    check_transport(TRANSPORT_PEER, "peer");
}

/* Tests the counters and the block values of a team, up to the last value. They are 0 at first; afterwards
 * each rank has what every rank has written into its memory. */
static int wrong_in_team(const struct decomp *d, const struct sums_team *t)
{
    const ptrdiff_t values = (ptrdiff_t)2 * KOL_PARTS * d->blocks_g[X] * d->blocks_g[Y] * d->blocks_g[Z];
    const unsigned number = (unsigned)comm.rank + 1;
    const double value = comm.rank + 0.5;
    unsigned arrived[SUMS_TEAM_MOST];
    double all[SUMS_TEAM_MOST];
    const size_t counters = (size_t)comm.size * sizeof *arrived, last = (size_t)comm.size * sizeof *all;
    int wrong = t->ranks != comm.size || t->rank != comm.rank;
    wrong += mem_to_host(arrived, t->arrived[comm.rank], counters) != KOL_OK;
    for (int r = 0; r < comm.size; ++r) wrong += arrived[r] != 0;
    MPI_Barrier(comm.mpi);
    for (int r = 0; r < comm.size; ++r) {
        wrong += mem_to_kernel(t->arrived[r] + comm.rank, &number, sizeof number) != KOL_OK;
        wrong += mem_to_kernel(t->all[r] + values - 1 - comm.rank, &value, sizeof value) != KOL_OK;
    }
    MPI_Barrier(comm.mpi);
    wrong += mem_to_host(arrived, t->arrived[comm.rank], counters) != KOL_OK;
    wrong += mem_to_host(all, t->all[comm.rank] + values - comm.size, last) != KOL_OK;
    for (int r = 0; r < comm.size; ++r)
        wrong += arrived[r] != (unsigned)r + 1 || all[comm.size - 1 - r] != r + 0.5;
    return wrong;
}

static void test_team(void **state)
{
    (void)state;
    static const int any[3] = {0, 0, 0};
    struct halo_part p;
    struct halo *h = NULL;
    struct team *t = NULL;
    CHECK_ALL(halo_part_create(&comm, SIZE, any, &p) == KOL_OK);
    CHECK_ALL(halo_create(NULL, HALO_FIELDS, &comm, &p.d, p.b, TRANSPORT_AUTO, &h) == KOL_OK);
    const int peers = strcmp(halo_transport(h), "peer") == 0;
    halo_destroy(&h);
    if (peers) {
        CHECK_ALL(peer_sums_create(NULL, &comm, &p.d, &t) == KOL_OK);
        CHECK_ALL(wrong_in_team(&p.d, peer_sums_view(t)) == 0);
        peer_sums_destroy(&t);
    }
    halo_part_destroy(&p);
    if (!peers) skip();
}

/* the CPU build has one transport and says so */
static void test_cpu_refuses_others(void **state)
{
    (void)state;
    static const int any[3] = {0, 0, 0};
    if (strcmp(device_backend(), "cpu") != 0) skip();
    for (int transport = TRANSPORT_PEER; transport <= TRANSPORT_HOST; ++transport) {
        struct halo_part p;
        struct halo *h = NULL;
        CHECK_ALL(halo_part_create(&comm, SIZE, any, &p) == KOL_OK);
        CHECK_ALL(halo_create(NULL, HALO_FIELDS, &comm, &p.d, p.b, transport, &h) == KOL_ERR_INPUT);
        CHECK_ALL(strstr(status_message(), "device.transport") != NULL);
        CHECK_ALL(status_agreed());
        status_clear();
        halo_destroy(&h);
        halo_part_destroy(&p);
    }
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(test_auto), CASE(test_host), CASE(test_cuda_aware),
        CASE(test_peer), CASE(test_team), CASE(test_cpu_refuses_others),
    };
    return MPI_MAIN(argc, argv, "transport", tests);
}

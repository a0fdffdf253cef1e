/* Measures halo exchanges: every shape by every transport that can be had here. */
#include "bench.h"

#include <string.h>

enum { FACE_CELLS = 512, FACE_PLANES = 16 };

/* What is exchanged, for bench_measure's work. */
struct exchange {
    const char *name;
    enum halo_shape shape;
    int fields;
};
static const struct exchange EXCHANGE[] = {{"halo, 1 field, faces", HALO_FACES, 1},
                                           {"halo, 1 field, deep", HALO_DEEP, 1},
                                           {"halo, 3 fields, normal faces", HALO_NORMAL, 3},
                                           {"halo, 4 fields, faces and edges", HALO_EDGES, 4}};
enum { EXCHANGES = sizeof EXCHANGE / sizeof *EXCHANGE };
/* The exchanges of bench_face. If a box is divided in z alone, HALO_NORMAL sends one face of one field and
 * receives one. */
static const struct exchange FACE[] = {{"halo, 1 field, faces", HALO_FACES, 1},
                                       {"halo, one face each way", HALO_NORMAL, 3}};
enum { FACE_EXCHANGES = sizeof FACE / sizeof *FACE, FACE_FIELDS = 3 };

struct halo_bench {
    struct halo *halo;
    const struct exchange *exchange;
    real *field[HALO_FIELDS];
};

/* bench_work knows only the bench: these are its exchange while one is measured. */
static kol_status work_exchange(struct bench *b)
{
    const struct halo_bench *h = b->exchange;
    return halo_fill(h->halo, h->field, h->exchange->fields, h->exchange->shape);
}

/* The transports of several ranks: forced, each; one rank has only its own sides to copy. */
static const int FORCED[] = {TRANSPORT_PEER, TRANSPORT_CUDA_AWARE, TRANSPORT_HOST};
static const int CHOSEN[] = {TRANSPORT_AUTO};

/* A transport that cannot be had is no fault here. */
static kol_status try_transport(struct bench *b, const struct decomp *d, struct box box, int transport,
                                struct halo **halo)
{
    const kol_status st = halo_create(NULL, HALO_FIELDS, &b->comm, d, box, transport, halo);
    if (st != KOL_ERR_INPUT) return st;
    if (b->comm.rank == 0) printf("left out: %s\n", status_message());
    halo_destroy(halo);
    status_clear();
    return KOL_OK;
}

static kol_status measure(struct bench *b, struct halo_bench *h, const int n[3], const char *note)
{
    struct bench_record r = {.iterations = -1};
    snprintf(r.name, sizeof r.name, "%s, %s%s", h->exchange->name,
             b->comm.size == 1 ? "own sides" : halo_transport(h->halo), note);
    if (!bench_wanted(b, r.name)) return KOL_OK;
    for (int i = 0; i < 3; ++i) r.n[i] = n[i];
    b->exchange = h;
    TRY(bench_measure(b, work_exchange, &r.time));
    b->exchange = NULL;
    return bench_record(b, r);
}

/* The exchanges by each transport. */
static kol_status each_transport(struct bench *b, const struct decomp *d, struct box box, real *const *field,
                                 const struct exchange *exchange, int count, const char *note)
{
    const int forced = b->comm.size > 1 && strcmp(device_backend(), "cpu") != 0;
    const int *transport = forced ? FORCED : CHOSEN;
    const int transports = forced ? (int)(sizeof FORCED / sizeof *FORCED) : 1;
    for (int t = 0; t < transports; ++t) {
        struct halo_bench h = {.halo = NULL};
        for (int i = 0; i < HALO_FIELDS; ++i) h.field[i] = field[i];
        TRY(try_transport(b, d, box, transport[t], &h.halo));
        for (int e = 0; e < count && h.halo != NULL; ++e) {
            h.exchange = &exchange[e];
            TRY(measure(b, &h, d->n_g, note));
        }
        halo_destroy(&h.halo);
    }
    return KOL_OK;
}

kol_status bench_halos(struct bench *b)
{
    return each_transport(b, &b->domain->decomp, b->domain->grid.box, b->a, EXCHANGE, EXCHANGES, "");
}

/* Measures the exchange of faces of 512 x 512 cells between ranks in a row along z. Each rank sends and
 * receives one or two faces. The sides of the thin slab are copied at the same time. */
kol_status bench_face(struct bench *b)
{
    const int n[3] = {FACE_CELLS, FACE_CELLS, FACE_PLANES * b->comm.size}, ranks[3] = {1, 1, b->comm.size};
    struct decomp d;
    real *field[HALO_FIELDS] = {NULL};
    TRY(decomp_create(n, ranks, b->comm.size, b->comm.rank, &d));
    const struct box box = box_make(d.n[X], d.n[Y], d.n[Z], KOL_HALO);
    for (int f = 0; f < FACE_FIELDS; ++f) {
        TRY(mem_kernel_alloc((size_t)box.size * sizeof(real), (void **)&field[f]));
        TRY(bench_random(box, field[f]));
    }
    TRY(each_transport(b, &d, box, field, FACE, FACE_EXCHANGES, ", 512 x 512"));
    for (int f = 0; f < FACE_FIELDS; ++f) mem_kernel_free(field[f]);
    return KOL_OK;
}

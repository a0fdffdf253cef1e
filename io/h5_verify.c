/* Reads arrays again, all ranks together and plane by plane, and compares their hashes with the stored ones.
 */
#include "h5_verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "h5_arrays.h"
#include "h5_attributes.h"
#include "h5_groups.h"

static const size_t BUFFER_BYTES = (size_t)1 << 26; /* each rank reads this much at a time */

/* share: this rank's share of the planes, in parts that fit the buffer. All ranks have the same number of
 * parts. */
struct share {
    int first, planes; /* of this rank */
    int part, parts;   /* planes at a time, how many times */
};

static struct share share_of(const struct h5_shape *s, int rank, int ranks)
{
    const size_t plane = (size_t)s->n_g[0] * (size_t)s->n_g[1] * (size_t)s->ncomp * (size_t)s->bytes;
    const int most = (s->n_g[2] + ranks - 1) / ranks; /* planes of one rank, at most */
    struct share share;
    share.first = rank * (long long)most > s->n_g[2] ? s->n_g[2] : rank * most;
    share.planes = s->n_g[2] - share.first > most ? most : s->n_g[2] - share.first;
    share.part = plane > BUFFER_BYTES
                     ? 1
                     : (int)(BUFFER_BYTES / plane > (size_t)most ? (size_t)most : BUFFER_BYTES / plane);
    share.parts = (most + share.part - 1) / share.part;
    return share;
}

static size_t buffer_bytes(const struct h5_shape *s, int ranks)
{
    return (size_t)s->n_g[0] * (size_t)s->n_g[1] * (size_t)s->ncomp * (size_t)s->bytes *
           (size_t)share_of(s, 0, ranks).part;
}

size_t h5_verify_bytes(const int n[3], int bytes, int ranks)
{
    return buffer_bytes(&(struct h5_shape){.n_g = {n[0], n[1], n[2]}, .ncomp = 1, .bytes = bytes}, ranks);
}

static kol_status hash_array(struct h5_file *f, const char *path, const struct h5_shape *s,
                             unsigned long long *hash)
{
    int ranks;
    MPI_Comm_size(f->comm, &ranks);
    const struct share share = share_of(s, f->rank, ranks);
    struct io_view v = {.name = path, .ncomp = s->ncomp, .bytes = s->bytes};
    memcpy(v.n_g, s->n_g, sizeof v.n_g);
    v.n[0] = s->n_g[0];
    v.n[1] = s->n_g[1];
    const size_t room = buffer_bytes(s, ranks);
    kol_status st = KOL_OK;
    v.data = malloc(room);
    if (!v.data)
        st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory to check %s: %zu bytes", f->path,
                          room);
    unsigned long long mine = 0;
    TRY_OR(done, io_share(f->comm, st));
    for (int part = 0; part < share.parts; ++part) {
        const int left = share.planes - part * share.part;
        v.n[2] = left < 0 ? 0 : left < share.part ? left : share.part;
        v.offset[2] = left < 0 ? 0 : share.first + part * share.part;
        unsigned long long these = 0;
        TRY_OR(done, h5_get_view(f, path, v, H5_SLAB_BYTES, &these));
        mine += these;
    }
    IO_MPI_TRY_OR(done, MPI_Allreduce(&mine, hash, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, f->comm));
done:
    free(v.data);
    return st;
}

static kol_status verify_array(struct h5_file *f, const char *path)
{
    struct h5_shape shape;
    unsigned long long found = 0, wanted = 0;
    TRY(h5_get_shape(f, path, &shape));
    TRY(h5_get_hash(f, path, &wanted));
    TRY(hash_array(f, path, &shape, &found));
    if (found != wanted)
        RAISE(KOL_ERR_IO,
              "%s: array '%s' has hash %016llx, but %016llx was stored with it: the file is damaged; use an "
              "older one",
              f->path, path, found, wanted);
    return KOL_OK;
}

static kol_status verify_group(struct h5_file *f, const char *group)
{
    char **name, path[300];
    int count;
    TRY(h5_list(f, group, &name, &count));
    kol_status st = KOL_OK;
    for (int n = 0; n < count && st == KOL_OK; ++n) {
        snprintf(path, sizeof path, "%s/%.255s", group[1] ? group : "", name[n]);
        st = verify_array(f, path);
    }
    h5_list_free(&name, count);
    return st;
}

kol_status h5_sum_hashes(struct h5_file *f, const char *group, unsigned long long *sum)
{
    char **name, path[300];
    int count;
    *sum = 0;
    TRY(h5_list(f, group, &name, &count));
    kol_status st = KOL_OK;
    for (int n = 0; n < count && st == KOL_OK; ++n) {
        unsigned long long hash = 0;
        snprintf(path, sizeof path, "%s/%.255s", group, name[n]);
        st = h5_get_hash(f, path, &hash);
        *sum += hash;
    }
    h5_list_free(&name, count);
    return st;
}

/* Numbers and arrays are of one file: each is sound by itself where a page of an older checkpoint, of the
 * same layout, took the place of this one's. */
static kol_status check_numbers(struct h5_file *f)
{
    unsigned long long numbers, arrays, wanted;
    long long step;
    int known = 0;
    TRY(h5_check_numbers(f, "/state", &numbers));
    TRY(h5_has_attribute(f, "/", "hash", &known));
    if (!known) return KOL_OK; /* files before Kolmo kept one */
    TRY(h5_sum_hashes(f, "/fields", &arrays));
    TRY(h5_get_hash(f, "/", &wanted));
    TRY(h5_get_integer(f, "/", "step", &step));
    if (numbers + arrays + h5_number_hash("step", (double)step) != wanted)
        RAISE(KOL_ERR_IO,
              "%s: numbers of '/state' and arrays do not belong together; the file is damaged; use an older "
              "one",
              f->path);
    return KOL_OK;
}

kol_status h5_verify_whole(struct h5_file *f)
{
    int bytes;
    TRY(h5_get_value_bytes(f, &bytes));
    TRY(check_numbers(f));
    return h5_check_texts(f, "/run"); /* a restart compares the input in it */
}

kol_status h5_verify(struct h5_file *f)
{
    static const char *const GROUP[] = {"/fields", "/sums"};
    for (int direction = 0; direction < 3; ++direction) {
        int n;
        double *face;
        TRY(h5_get_grid(f, direction, &n, &face));
        free(face);
    }
    TRY(verify_group(f, "/"));
    for (size_t n = 0; n < sizeof GROUP / sizeof *GROUP; ++n) {
        htri_t there = 0;
        H5_TRY_ALL(f, there = H5Lexists(f->id, GROUP[n], H5P_DEFAULT));
        if (there) TRY(verify_group(f, GROUP[n]));
    }
    return KOL_OK;
}

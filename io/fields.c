/* Writes files of fields: volumes, slices and boxes. */
#include "fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "h5_arrays.h"
#include "h5_attributes.h"
#include "h5_compression.h"
#include "h5_file.h"
#include "h5_groups.h"
#include "xdmf.h"

struct fields_file {
    MPI_Comm comm;
    struct h5_file *file; /* NULL after a fault */
    char directory[DISK_PATH], stem[DISK_STEM];
    long long step;
    int n_g[3];
    int single;
    int alone; /* whether there is one file of this stem for all steps */
};

static kol_status begin(MPI_Comm comm, const char *directory, const char *stem, long long step, double time,
                        const struct io_axis axis[3], int single, int alone, const struct io_text *text,
                        int texts, struct fields_file **out)
{
    *out = NULL;
    struct fields_file *f = calloc(1, sizeof *f);
    kol_status st = KOL_OK;
    if (!f) st = status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for a file of fields");
    TRY_OR(failed, io_share(comm, st));
    f->comm = comm;
    f->step = step;
    f->single = single;
    f->alone = alone;
    for (int d = 0; d < 3; ++d) f->n_g[d] = axis[d].n;
    snprintf(f->directory, sizeof f->directory, "%s", directory);
    snprintf(f->stem, sizeof f->stem, "%s", stem);
    TRY_OR(failed, (alone ? h5_create_alone : h5_create)(comm, directory, f->stem, step, &f->file));
    TRY_OR(failed, h5_put_double(f->file, "/", "time", 1, &time));
    TRY_OR(failed, h5_put_run(f->file, text, texts));
    TRY_OR(failed, h5_put_grid(f->file, axis));
    *out = f;
    return KOL_OK;
failed:
    if (f) h5_abandon(&f->file);
    free(f);
    return st;
}

kol_status fields_begin(MPI_Comm comm, const char *directory, const char *stem, long long step, double time,
                        const struct io_axis axis[3], int single, const struct io_text *text, int texts,
                        struct fields_file **out)
{
    return begin(comm, directory, stem, step, time, axis, single, 0, text, texts, out);
}

kol_status fields_begin_averages(MPI_Comm comm, const char *directory, long long step, double time,
                                 const struct io_axis axis[3], int single, const struct io_text *text,
                                 int texts, struct fields_file **out)
{
    TRY(begin(comm, directory, "averages", step, time, axis, single, 1, text, texts, out));
    const kol_status st = h5_put_group((*out)->file, "/sums");
    if (st != KOL_OK) h5_abandon(&(*out)->file);
    return st;
}

const char *fields_compression_lack(void)
{
    return h5_compression_lack();
}

kol_status fields_compress(struct fields_file *f, int level)
{
    const char *lack = level > 0 ? h5_compression_lack() : NULL;
    if (lack != NULL)
        RAISE(KOL_ERR_INPUT, "error: output.compression = %d: %s; choose 0, or link another HDF5", level,
              lack);
    if (f->file) f->file->compression = level;
    return KOL_OK;
}

static kol_status put(struct fields_file *f, const char *dataset, struct io_view v, int bytes)
{
    TRY(h5_check_view(f->file, &v));
    const double all = (double)v.n_g[0] * v.n_g[1] * v.n_g[2] * v.ncomp * bytes;
    SHARE_TRY(f->comm, f->file->rank == 0 ? disk_check_space(f->directory, all) : KOL_OK);
    return h5_put_view(f->file, dataset, v, bytes, H5_SLAB_BYTES);
}

static kol_status add(struct fields_file *f, struct io_view v)
{
    if (memcmp(v.n_g, f->n_g, sizeof v.n_g) != 0 || (v.ncomp != 1 && (v.ncomp != 3 || v.location != IO_CCC)))
        RAISE(KOL_ERR_INTERNAL,
              "field %s has (%d, %d, %d) values of %d components at %s, but (%d, %d, %d) values of 1 "
              "component are needed, or of 3 at ccc",
              v.name, v.n_g[0], v.n_g[1], v.n_g[2], v.ncomp, h5_location(v.location), f->n_g[0], f->n_g[1],
              f->n_g[2]);
    return put(f, v.name, v, f->single ? 4 : v.bytes);
}

static kol_status add_sums(struct fields_file *f, struct io_view v)
{
    char dataset[80];
    snprintf(dataset, sizeof dataset, "/sums/%.64s", v.name);
    return put(f, dataset, v, v.bytes);
}

static kol_status given_up(const struct fields_file *f)
{
    RAISE(KOL_ERR_IO, "%s of step %lld was given up after an earlier fault", f->stem, f->step);
}

kol_status fields_add(struct fields_file *f, struct io_view v)
{
    if (!f->file) return io_share(f->comm, given_up(f));
    const kol_status st = io_share(f->comm, add(f, v));
    if (st != KOL_OK) h5_abandon(&f->file);
    return st;
}

kol_status fields_add_sums(struct fields_file *f, struct io_view v)
{
    if (!f->file) return io_share(f->comm, given_up(f));
    const kol_status st = io_share(f->comm, add_sums(f, v));
    if (st != KOL_OK) h5_abandon(&f->file);
    return st;
}

kol_status fields_text(struct fields_file *f, const char *array, const char *name, const char *text)
{
    if (!f->file) return io_share(f->comm, given_up(f));
    const kol_status st = h5_put_text(f->file, array, name, text);
    if (st != KOL_OK) h5_abandon(&f->file);
    return st;
}

kol_status fields_number(struct fields_file *f, const char *name, double value)
{
    if (!f->file) return io_share(f->comm, given_up(f));
    const kol_status st = h5_put_double(f->file, "/", name, 1, &value);
    if (st != KOL_OK) h5_abandon(&f->file);
    return st;
}

void fields_give_up(struct fields_file **file)
{
    struct fields_file *f = *file;
    *file = NULL;
    if (f == NULL) return;
    h5_abandon(&f->file);
    free(f);
}

kol_status fields_end(struct fields_file **file, struct xdmf_index *index)
{
    struct fields_file *f = *file;
    *file = NULL;
    kol_status st = KOL_OK;
    if (!f->file) TRY_OR(done, io_share(f->comm, given_up(f)));
    const int rank = f->file->rank;
    TRY_OR(done, h5_commit(&f->file));
    if (rank == 0)
        st = f->alone ? xdmf_write_alone(f->directory, f->stem)
                      : xdmf_write(f->directory, f->stem, f->step, index);
    TRY_OR(done, io_share(f->comm, st));
done:
    h5_abandon(&f->file);
    free(f);
    return st;
}

/* Opens, completes, abandons and closes HDF5 files. */
#include "h5_file.h"

#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "h5_attributes.h"
#include "h5_groups.h"
#include "h5_verify.h"

enum { FORMAT_VERSION = 1 };

/* Allocates a file object; it is NULL on all ranks if one has no memory. */
static struct h5_file *file_new(MPI_Comm comm, const char *path, int writing)
{
    struct h5_file *f = calloc(1, sizeof *f);
    const kol_status st =
        f ? KOL_OK : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory to open %s", path);
    if (io_share(comm, st) != KOL_OK) {
        free(f);
        return NULL;
    }
    f->comm = comm;
    f->writing = writing;
    f->id = f->transfer = H5I_INVALID_HID;
    MPI_Comm_rank(comm, &f->rank);
    snprintf(f->path, sizeof f->path, "%s", path);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* the stack goes into our message */
    return f;
}

/* Uses format 1.10 for both bounds, because its metadata have checksums and readers from 1.10 on know it. */
static kol_status file_access(struct h5_file *f, int parallel, hid_t *access)
{
    H5_TRY(f, *access = H5Pcreate(H5P_FILE_ACCESS));
    H5_TRY(f, H5Pset_libver_bounds(*access, H5F_LIBVER_V110, H5F_LIBVER_V110));
    H5_TRY(f, H5Pset_fclose_degree(*access, H5F_CLOSE_STRONG));
    H5_TRY(f, f->transfer = H5Pcreate(H5P_DATASET_XFER));
    if (!parallel) return KOL_OK;
    H5_TRY(f, H5Pset_fapl_mpio(*access, f->comm, MPI_INFO_NULL));
    H5_TRY(f, H5Pset_all_coll_metadata_ops(*access, 1));
    H5_TRY(f, H5Pset_coll_metadata_write(*access, 1));
    H5_TRY(f, H5Pset_dxpl_mpio(f->transfer, H5FD_MPIO_COLLECTIVE));
    return KOL_OK;
}

/* Each rank calls this before a collective open, for two reasons. First, Open MPI 4.1 guards a file by a
 * semaphore that is named after the file and shared by all runs of a host. If a run is killed at the wrong
 * moment, the semaphore stays locked, and every later run waits for ever. Only shared file pointers need it,
 * and we have none, so it is removed here. Second, one rank that can't open the file would leave the others
 * waiting in MPI_File_open. */
static kol_status ready_to_open(const char *path, int writing)
{
    char name[256];
    const char *slash = strrchr(path, '/');
    snprintf(name, sizeof name, "/OMPIO_%.240s", slash ? slash + 1 : path);
    sem_unlink(name);
    return disk_check_open(path, writing);
}

/* Shares a fault that this rank alone may have, before a collective call that the others do not come to. */
static kol_status share_lone(MPI_Comm comm, kol_status st)
{
    return st == KOL_OK || status_agreed() ? st : io_share(comm, st);
}

/* Closes the file after the fault st or at the end of reading, without a message. Returns st, or what fails
 * here. */
static kol_status file_free(struct h5_file **f, kol_status st)
{
    const hid_t id = (*f)->id;
    st = share_lone((*f)->comm, st);
    kol_status closed = h5_drop(*f, KOL_OK, &(*f)->transfer);
    closed = h5_drop(*f, closed, &(*f)->id);
    if (id >= 0 && H5Iis_valid(id) > 0) io_set_exit_unsafe(); /* HDF5 tries again at its end */
    closed = io_share((*f)->comm, closed);
    free(*f);
    *f = NULL;
    return st != KOL_OK ? st : closed;
}

static kol_status path_of(const char *directory, const char *stem, long long step, int alone, char *path)
{
    char name[DISK_STEM + 8];
    if (!alone) {
        TRY(disk_clean(directory, stem));
        return disk_name(path, directory, stem, step);
    }
    snprintf(name, sizeof name, "%s.h5", stem);
    return disk_join(path, directory, name);
}

static kol_status create_path(const char *directory, const char *stem, long long step, int alone, char *path)
{
    TRY(path_of(directory, stem, step, alone, path));
    char temporary[DISK_PATH];
    const int n = snprintf(temporary, sizeof temporary, "%s.tmp", path);
    if (n < 0 || n >= (int)sizeof temporary) RAISE(KOL_ERR_IO, "the path %s is too long", path);
    return disk_create(temporary);
}

static kol_status create_open(struct h5_file *f, const char *stem, long long step, int alone)
{
    kol_status st = KOL_OK;
    hid_t access = H5I_INVALID_HID;
    TRY_OR(done, io_share(f->comm, file_access(f, 1, &access)));
    TRY_OR(done, io_share(f->comm, ready_to_open(f->path, 1)));
    H5_TRY_ALL_OR(done, f, f->id = H5Fcreate(f->path, H5F_ACC_TRUNC, H5P_DEFAULT, access));
    const int surface = strncmp(stem, "surface", strlen("surface")) == 0;
    snprintf(f->format, sizeof f->format, "kolmo-%s",
             surface                                    ? "surface"
             : alone || strcmp(stem, "checkpoint") == 0 ? stem
                                                        : "fields");
    TRY_OR(done, h5_put_text(f, "/", "format", f->format));
    TRY_OR(done, h5_put_integer(f, "/", "format_version", FORMAT_VERSION));
    TRY_OR(done, h5_put_integer(f, "/", "step", step));
done:
    return h5_drop(f, st, &access);
}

static kol_status create(MPI_Comm comm, const char *directory, const char *stem, long long step, int alone,
                         struct h5_file **out)
{
    char path[DISK_PATH] = "";
    int rank;
    *out = NULL;
    MPI_Comm_rank(comm, &rank);
    SHARE_TRY(comm, rank == 0 ? create_path(directory, stem, step, alone, path) : KOL_OK);
    IO_MPI_TRY(MPI_Bcast(path, DISK_PATH, MPI_CHAR, 0, comm));
    struct h5_file *f = file_new(comm, path, 1);
    if (!f) return KOL_ERR_MEMORY;
    snprintf(f->final, sizeof f->final, "%s", path);
    snprintf(f->path, sizeof f->path, "%.*s.tmp", DISK_PATH - 5, path);
    const kol_status st = create_open(f, stem, step, alone);
    if (st != KOL_OK) {
        h5_abandon(&f);
        return st;
    }
    *out = f;
    return KOL_OK;
}

kol_status h5_create(MPI_Comm comm, const char *directory, const char *stem, long long step,
                     struct h5_file **f)
{
    return create(comm, directory, stem, step, 0, f);
}

kol_status h5_create_alone(MPI_Comm comm, const char *directory, const char *stem, long long step,
                           struct h5_file **f)
{
    return create(comm, directory, stem, step, 1, f);
}

/* Sets the mark only after everything else has reached the disk, and then flushes it by itself. */
static kol_status mark_complete(struct h5_file *f)
{
    H5_TRY_ALL(f, H5Fflush(f->id, H5F_SCOPE_GLOBAL));
    TRY(h5_put_integer(f, "/", "complete", 1));
    H5_TRY_ALL(f, H5Fflush(f->id, H5F_SCOPE_GLOBAL));
    return KOL_OK;
}

static kol_status read_back(MPI_Comm comm, const char *path, const char *format)
{
    struct h5_file *f;
    kol_status st = h5_open(comm, path, format, &f);
    if (st == KOL_OK) {
        st = io_share(comm, h5_verify(f));
        const kol_status closed = h5_close(&f);
        if (st == KOL_OK) st = closed;
    }
    if (st != KOL_ERR_IO) return st;
    char why[1200];
    snprintf(why, sizeof why, "%s", status_message());
    status_clear(); /* that message advises people who read old files */
    st = status_raise(
        st, __FILE__, __LINE__,
        "%s was just written, but it does not read back: check free space, quota and the disk (%s)", path,
        why);
    return io_share(comm, st);
}

/* The file is read back, because on a full disk collective writes of Open MPI 4.1 returned success from write
 * and sync, and left holes. */
kol_status h5_commit(struct h5_file **file)
{
    struct h5_file *f = *file;
    *file = NULL;
    kol_status st = mark_complete(f);
    if (st != KOL_OK) {
        h5_abandon(&f);
        return st;
    }
    const struct h5_file old = *f;
    st = file_free(&f, KOL_OK);
    if (st != KOL_OK) io_set_exit_unsafe();
    if (st == KOL_OK) st = read_back(old.comm, old.path, old.format);
    if (st == KOL_OK) st = io_share(old.comm, old.rank == 0 ? disk_commit(old.path, old.final) : KOL_OK);
    st = share_lone(old.comm, st);
    if (st != KOL_OK && old.rank == 0) unlink(old.path);
    /* all ranks find the file under its new name, or not at all */
    const kol_status seen = io_mpi(MPI_Barrier(old.comm), __FILE__, __LINE__, "MPI_Barrier");
    return st != KOL_OK ? st : seen;
}

/* Closes a file that could not be completed. The file is first cut to length 0: on a full disk this frees
 * space for what H5Fclose still writes. A guard is set, because a rank whose write failed may go through
 * H5Fclose in another way than the others. Without the guard all ranks would then wait for each other. */
void h5_abandon(struct h5_file **file)
{
    struct h5_file *f = *file;
    *file = NULL;
    if (!f) return;
    struct io_guard *g = io_guard_begin(f->comm);
    if (f->rank == 0 && f->id >= 0 && truncate(f->path, 0) != 0) io_set_exit_unsafe();
    MPI_Barrier(f->comm);
    if (f->transfer >= 0) H5Pclose(f->transfer);
    if (f->id >= 0 && H5Fclose(f->id) < 0) io_set_exit_unsafe();
    if (f->rank == 0) unlink(f->path);
    MPI_Barrier(f->comm); /* gone for all ranks */
    io_guard_end(g);
    free(f);
}

static kol_status check_kind(struct h5_file *f)
{
    char found[64];
    long long version = 0, complete = 0;
    TRY(h5_get_text(f, "/", "format", found, sizeof found));
    if (f->format[0] == '\0') snprintf(f->format, sizeof f->format, "%s", found);
    if (strcmp(found, f->format) != 0)
        RAISE(KOL_ERR_IO, "%s: the file has the format '%s', but '%s' is needed; check the name", f->path,
              found, f->format);
    TRY(h5_get_integer(f, "/", "format_version", &version));
    if (version != FORMAT_VERSION)
        RAISE(
            KOL_ERR_IO,
            "%s: the file has format version %lld, but this program reads %d; use the program that wrote it",
            f->path, version, FORMAT_VERSION);
    TRY(h5_get_integer(f, "/", "complete", &complete));
    if (complete != 1) RAISE(KOL_ERR_IO, "%s: the file was not completed; use an older one", f->path);
    return h5_check_links(f);
}

static kol_status open_signature(struct h5_file *f)
{
    TRY(disk_check_file(f->path, &f->bytes));
    if (H5Fis_hdf5(f->path) <= 0)
        RAISE(KOL_ERR_IO,
              "%s: the file has %.0f bytes and is no HDF5 file; check the name, or use an older one", f->path,
              f->bytes);
    return KOL_OK;
}

static kol_status open_any(MPI_Comm comm, int parallel, const char *path, const char *format,
                           struct h5_file **out)
{
    *out = NULL;
    struct h5_file *f = file_new(comm, path, 0);
    if (!f) return KOL_ERR_MEMORY;
    snprintf(f->format, sizeof f->format, "%s", format ? format : "");
    hid_t access = H5I_INVALID_HID;
    kol_status st = io_share(comm, f->rank == 0 ? open_signature(f) : KOL_OK);
    if (st != KOL_OK) goto failed;
    st = io_mpi(MPI_Bcast(&f->bytes, 1, MPI_DOUBLE, 0, comm), __FILE__, __LINE__, "MPI_Bcast");
    if (st != KOL_OK) goto failed;
    st = io_share(comm, file_access(f, parallel, &access));
    if (st != KOL_OK) goto failed;
    st = io_share(comm, ready_to_open(f->path, 0));
    if (st != KOL_OK) goto failed;
    H5_TRY_ALL_OR(failed, f, f->id = H5Fopen(f->path, H5F_ACC_RDONLY, access));
    st = h5_drop(f, st, &access);
    if (st == KOL_OK) st = io_share(comm, check_kind(f));
    if (st != KOL_OK) goto failed;
    *out = f;
    return KOL_OK;
failed:
    h5_drop(f, st, &access);
    return file_free(&f, st);
}

kol_status h5_open(MPI_Comm comm, const char *path, const char *format, struct h5_file **f)
{
    return open_any(comm, 1, path, format, f);
}

kol_status h5_open_serial(const char *path, const char *format, struct h5_file **f)
{
    return open_any(MPI_COMM_SELF, 0, path, format, f);
}

/* Whether the fault of this rank is one of MPI: then the others may be in another call. */
static int mpi_has_failed(void)
{
    struct status_record fault;
    status_take(&fault);
    status_give(&fault);
    return fault.st == KOL_ERR_MPI;
}

kol_status h5_close(struct h5_file **f)
{
    if (*f == NULL) return KOL_OK;
    struct io_guard *g = mpi_has_failed() ? io_guard_begin((*f)->comm) : NULL;
    const kol_status st = file_free(f, KOL_OK);
    io_guard_end(g);
    return st;
}

/* Finds the newest sound checkpoint of a directory, and verifies a single one. */
#include "checkpoint_find.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "disk.h"
#include "h5_attributes.h"
#include "h5_file.h"
#include "h5_verify.h"
#include "log.h"

/* Checks that numbers and arrays belong to one checkpoint. Each of them may be sound by itself although a
 * page of an older checkpoint with the same layout has replaced one of this file. */
static kol_status check_whole(struct h5_file *f)
{
    unsigned long long numbers, arrays, wanted;
    long long step;
    int known = 0;
    TRY(h5_check_numbers(f, "/state", &numbers));
    TRY(h5_has_attribute(f, "/", "hash", &known));
    if (!known) return KOL_OK; /* the file is from before Kolmo wrote this hash */
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

static kol_status verify_file(struct h5_file *f)
{
    int bytes;
    TRY(h5_get_value_bytes(f, &bytes));
    TRY(check_whole(f));
    TRY(h5_check_texts(f, "/run")); /* a restart compares the input in it */
    TRY(h5_verify(f));
    return KOL_OK;
}

kol_status checkpoint_verify(MPI_Comm comm, const char *path)
{
    struct h5_file *f;
    TRY(h5_open(comm, path, "kolmo-checkpoint", &f));
    const kol_status st = io_share(comm, verify_file(f));
    const kol_status closed = h5_close(&f);
    return st != KOL_OK ? st : closed;
}

/* Whether all bytes can be read. If not, errno is set. */
static int readable(const char *path)
{
    char bytes[1 << 14];
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : 1;
    while (n > 0 || (n < 0 && fd >= 0 && errno == EINTR)) n = read(fd, bytes, sizeof bytes);
    const int fault = errno;
    if (fd >= 0) close(fd);
    errno = fault;
    return n == 0;
}

/* Gives a damaged file another name, so that it does not count among the checkpoints to keep. A file that
 * can't be read, because of missing permission or a fault of the disk, may be sound and keeps its name. */
static void set_aside(const char *path)
{
    char name[DISK_PATH + 16];
    if (!readable(path)) {
        log_warn("it can't be read (%s) and is left as it is", strerror(errno));
        return;
    }
    snprintf(name, sizeof name, "%s.damaged", path);
    if (rename(path, name) == 0) {
        log_warn("it is now called %s", name);
    } else {
        log_warn("it could not be renamed: %s", strerror(errno));
    }
}

/* Verifies a file, and tries again if that fails, because a fault of a disk or a limit may be temporary. */
static kol_status verify_patiently(MPI_Comm comm, const char *path)
{
    char first[1200];
    const kol_status st = checkpoint_verify(comm, path);
    if (st != KOL_ERR_IO) return st;
    snprintf(first, sizeof first, "%s", status_message());
    status_clear();
    TRY(checkpoint_verify(comm, path));
    log_warn("%s is sound at the second look; at the first: %s", path, first);
    return KOL_OK;
}

kol_status checkpoint_find(MPI_Comm comm, const char *directory, char *path, size_t size,
                           struct checkpoint_found *found)
{
    long long *step = NULL;
    int count = 0, rank;
    char candidate[DISK_PATH];
    MPI_Comm_rank(comm, &rank);
    SHARE_TRY(comm, rank == 0 ? disk_list(directory, "checkpoint", &step, &count) : KOL_OK);
    IO_MPI_TRY(MPI_Bcast(&count, 1, MPI_INT, 0, comm));
    kol_status st = KOL_ERR_IO;
    int n = 0;
    for (; n < count; ++n) {
        st = io_share(comm, rank == 0 ? disk_name(candidate, directory, "checkpoint", step[n]) : KOL_OK);
        if (st != KOL_OK) break;
        st = io_mpi(MPI_Bcast(candidate, DISK_PATH, MPI_CHAR, 0, comm), __FILE__, __LINE__, "MPI_Bcast");
        if (st != KOL_OK) break;
        st = verify_patiently(comm, candidate);
        if (st != KOL_ERR_IO) break;
        log_warn("a checkpoint is passed over: %s", status_message());
        status_clear();
        if (rank == 0) set_aside(candidate);
    }
    free(step);
    if (found) *found = (struct checkpoint_found){count, n};
    if (st == KOL_OK && strlen(candidate) >= size)
        RAISE(KOL_ERR_INTERNAL, "the name %s does not fit into %zu bytes", candidate, size);
    if (st == KOL_OK) snprintf(path, size, "%s", candidate);
    if (n == count) {
        st = status_raise(
            KOL_ERR_IO, __FILE__, __LINE__,
            "there is no checkpoint to restart from in directory %s: it has %d files checkpoint_*.h5, and "
            "none of them is sound; name one in checkpoint.restart, or start with restart = 'none'",
            directory, count);
        st = io_share(comm, st);
    }
    return st;
}

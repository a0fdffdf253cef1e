/* Finds the newest sound checkpoint of a directory, and verifies a single one. */
#include "checkpoint_find.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "checkpoint.h"
#include "disk.h"
#include "h5_file.h"
#include "h5_verify.h"
#include "kernels/base/regular_file.h"
#include "log.h"

static kol_status verify_file(struct h5_file *f)
{
    TRY(h5_verify_whole(f));
    TRY(h5_verify(f));
    return KOL_OK;
}

/* Whether a run can use it. */
static kol_status ask(MPI_Comm comm, const char *path, const struct checkpoint_judge *judge)
{
    struct checkpoint *c = NULL;
    if (judge == NULL) return KOL_OK;
    TRY(checkpoint_look(comm, path, &c));
    const kol_status st = io_share(comm, judge->sound(judge->context, c));
    const kol_status closed = checkpoint_close(&c);
    return st != KOL_OK ? st : closed;
}

kol_status checkpoint_verify(MPI_Comm comm, const char *path, const struct checkpoint_judge *judge)
{
    struct h5_file *f;
    TRY(h5_open(comm, path, "kolmo-checkpoint", &f));
    const kol_status st = io_share(comm, verify_file(f));
    const kol_status closed = h5_close(&f);
    if (st != KOL_OK || closed != KOL_OK) return st != KOL_OK ? st : closed;
    return ask(comm, path, judge);
}

/* The size that the head of an HDF5 file claims for it, in bytes; 0 if there is no such head: then no byte
 * behind it is worth a look. Negative if it can't be read. */
static off_t claimed_size(int fd)
{
    static const unsigned char SIGNATURE[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    enum {
        VERSION = 8,
        OFFSET_BYTES = 9,
        END = 28,
        HEAD = 36
    }; /* places in a superblock of version 2 or 3 */
    unsigned char head[HEAD];
    unsigned long long end = 0;
    ssize_t n;
    do n = pread(fd, head, sizeof head, 0);
    while (n < 0 && errno == EINTR);
    if (n < 0) return -1;
    if (n < HEAD || memcmp(head, SIGNATURE, sizeof SIGNATURE) != 0 || head[VERSION] < 2 ||
        head[VERSION] > 3 || head[OFFSET_BYTES] != 8)
        return 0;
    for (int byte = 7; byte >= 0; --byte) end = end << 8 | head[END + byte];
    return end > LLONG_MAX ? 0 : (off_t)end;
}

/* Whether the bytes of a damaged file can be read. If not, *why says why. A file with holes may claim any
 * size. So nothing is read beyond the size that its head claims, holes are skipped, and where the file system
 * does not know them, no more is read than is stored. */
static int readable(const char *path, const char **why)
{
    enum { PIECE = 1 << 22, BLOCK = 512 };
    struct stat s = {0};
    char *bytes = malloc(PIECE);
    const int fd = regular_file_open(path, O_RDONLY, why);
    ssize_t n = bytes == NULL || fd < 0 || fstat(fd, &s) != 0 ? -1 : 1;
    const off_t end = n < 0 ? 0 : claimed_size(fd);
    if (bytes == NULL) *why = "no memory";
    else if (fd >= 0 && (n < 0 || end < 0)) *why = strerror(errno), n = -1;
    off_t left = s.st_blocks * BLOCK;
    for (off_t at = 0; n > 0 && at < end && left > 0; at += n, left -= n) {
        const off_t data = lseek(fd, at, SEEK_DATA);
        if (data < 0 && errno == ENXIO) break; /* the rest is a hole */
        if (data > at) at = data;
        do n = pread(fd, bytes, PIECE, at);
        while (n < 0 && errno == EINTR);
        if (n < 0) *why = strerror(errno);
    }
    if (fd >= 0) close(fd);
    free(bytes);
    return n >= 0;
}

/* Whether this rank can open a file. If not, it raises KOL_ERR_IO, because a limit or a mount of this host
 * alone may be at fault. */
static kol_status opens_here(const char *path)
{
    const char *why = NULL;
    const int fd = regular_file_open(path, O_RDONLY, &why);
    if (fd < 0) RAISE(KOL_ERR_IO, "%s", why);
    close(fd);
    return KOL_OK;
}

/* Gives a damaged file another name, so that it does not count among the checkpoints to keep. A file that
 * can't be read, because of missing permission or a fault of the disk, may be sound and keeps its name. */
static void rename_damaged(const char *path)
{
    char name[DISK_PATH + 16];
    const char *why;
    if (!readable(path, &why)) {
        log_warn("it can't be read (%s) and is left as it is", why);
        return;
    }
    snprintf(name, sizeof name, "%s.damaged", path);
    if (rename(path, name) == 0) {
        log_warn("it is now called %s", name);
    } else {
        log_warn("it could not be renamed: %s", strerror(errno));
    }
}

/* Sets a file aside that was found damaged, if all ranks can open it. Collective. */
static kol_status set_aside(MPI_Comm comm, const char *path)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    const kol_status st = io_share(comm, opens_here(path));
    if (st == KOL_ERR_IO) {
        log_warn("it can't be read (%s) and is left as it is", status_message());
        status_clear();
        return KOL_OK;
    }
    if (st == KOL_OK && rank == 0) rename_damaged(path);
    return st;
}

/* Verifies a file, and tries again if that fails, because a fault of a disk or a limit may be temporary. */
static kol_status verify_patiently(MPI_Comm comm, const char *path, const struct checkpoint_judge *judge)
{
    char first[1200];
    const kol_status st = checkpoint_verify(comm, path, judge);
    if (st != KOL_ERR_IO) return st;
    snprintf(first, sizeof first, "%s", status_message());
    status_clear();
    TRY(checkpoint_verify(comm, path, judge));
    log_warn("%s is intact when it is read again; the first time: %s", path, first);
    return KOL_OK;
}

kol_status checkpoint_find(MPI_Comm comm, const char *directory, char *path, size_t size,
                           const struct checkpoint_judge *judge, struct checkpoint_found *found)
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
        st = verify_patiently(comm, candidate, judge);
        if (st != KOL_ERR_IO) break;
        log_warn("a checkpoint is passed over: %s", status_message());
        status_clear();
        const kol_status aside = set_aside(comm, candidate);
        if (aside != KOL_OK) {
            st = aside;
            break;
        }
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

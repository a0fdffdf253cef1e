/* Does plain file work for one rank: lists, reserves, copies, flushes and renames files. */
#include "disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include "kernels/base/regular_file.h"
#include "log.h"

static const double SPACE_FACTOR = 1.1; /* free space asked for, times what will be written */

kol_status disk_join(char *path, const char *directory, const char *name)
{
    const int n = snprintf(path, DISK_PATH, "%s/%s", directory, name);
    if (n < 0 || n >= DISK_PATH)
        RAISE(KOL_ERR_IO, "the path %.60s.../%s is too long: at most %d bytes; choose a shorter directory",
              directory, name, DISK_PATH - 1);
    return KOL_OK;
}

static kol_status check_directory(const char *directory)
{
    struct stat s;
    if (stat(directory, &s) != 0)
        RAISE(KOL_ERR_IO, "directory %s: %s; make it, or set output.directory", directory, strerror(errno));
    if (!S_ISDIR(s.st_mode))
        RAISE(KOL_ERR_IO, "%s is no directory; remove the file, or set output.directory", directory);
    return KOL_OK;
}

kol_status disk_check_space(const char *directory, double bytes)
{
    struct statvfs s;
    int rc;
    do rc = statvfs(directory, &s);
    while (rc != 0 && errno == EINTR);
    if (rc != 0)
        RAISE(KOL_ERR_IO, "directory %s: its free space can't be found: %s", directory, strerror(errno));
    const double free_bytes = (double)s.f_bavail * (double)s.f_frsize;
    if (free_bytes < SPACE_FACTOR * bytes)
        RAISE(KOL_ERR_IO,
              "directory %s: %.6g MB are to be written, which takes %.6g MB with a reserve, but %.6g MB are "
              "free; free some space, or set output.directory",
              directory, bytes * 1e-6, SPACE_FACTOR * bytes * 1e-6, free_bytes * 1e-6);
    return KOL_OK;
}

kol_status disk_create(const char *path)
{
    const char *why;
    const int fd = regular_file_open(path, O_WRONLY | O_CREAT | O_TRUNC, &why);
    if (fd < 0)
        RAISE(KOL_ERR_IO, "%s can't be created: %s; check permissions, quota and free space", path, why);
    if (close(fd) != 0) RAISE(KOL_ERR_IO, "%s can't be closed: %s", path, strerror(errno));
    return KOL_OK;
}

kol_status disk_reserve(const char *path, long long offset, long long bytes)
{
    const char *why;
    const int fd = regular_file_open(path, O_WRONLY, &why);
    if (fd < 0) RAISE(KOL_ERR_IO, "%s can't be opened: %s", path, why);
    int rc;
    do rc = fallocate(fd, 0, offset, bytes);
    while (rc != 0 && errno == EINTR);
    const int fault = rc != 0 ? errno : 0;
    close(fd);
    if (fault == ENOSPC || fault == EDQUOT || fault == EFBIG || fault == EIO)
        RAISE(KOL_ERR_IO, "%s: there is no room for %.6g MB more: %s; %s", path, (double)bytes * 1e-6,
              strerror(fault),
              fault == EFBIG ? "raise the limit of a file's size (ulimit -f)"
                             : "free some space, or set output.directory");
    return KOL_OK;
}

kol_status disk_check_file(const char *path, double *bytes)
{
    struct stat s;
    if (stat(path, &s) != 0) RAISE(KOL_ERR_IO, "%s: %s; check the name", path, strerror(errno));
    if (!S_ISREG(s.st_mode)) RAISE(KOL_ERR_IO, "%s is no regular file; check the name", path);
    if (access(path, R_OK) != 0)
        RAISE(KOL_ERR_IO, "%s can't be read: %s; check its permissions", path, strerror(errno));
    *bytes = (double)s.st_size;
    return KOL_OK;
}

kol_status disk_check_given(const char *path)
{
    if (access(path, R_OK) != 0)
        RAISE(KOL_ERR_INPUT, "%s: error: the file can't be read: %s", path, strerror(errno));
    return KOL_OK;
}

kol_status disk_check_open(const char *path, int writing)
{
    const char *why;
    const int fd = regular_file_open(path, writing ? O_RDWR : O_RDONLY, &why);
    if (fd < 0) RAISE(KOL_ERR_IO, "%s can't be opened: %s; check its permissions", path, why);
    close(fd);
    return KOL_OK;
}

static kol_status sync_path(const char *path, int flags)
{
    int fd, rc;
    do fd = open(path, flags | O_CLOEXEC | O_NONBLOCK);
    while (fd < 0 && errno == EINTR);
    if (fd < 0) RAISE(KOL_ERR_IO, "%s can't be opened for fsync: %s", path, strerror(errno));
    do rc = fsync(fd);
    while (rc != 0 && errno == EINTR);
    const int fault = rc != 0 ? errno : 0;
    if (close(fd) != 0 && fault == 0) RAISE(KOL_ERR_IO, "%s can't be closed: %s", path, strerror(errno));
    /* some file systems cannot sync a directory and say EINVAL; that is no loss of data already written */
    if (fault != 0 && !(fault == EINVAL && (flags & O_DIRECTORY)))
        RAISE(KOL_ERR_IO, "%s can't be flushed (fsync): %s; check free space, quota and the disk", path,
              strerror(fault));
    return KOL_OK;
}

kol_status disk_commit(const char *temporary, const char *path)
{
    char directory[DISK_PATH];
    TRY(sync_path(temporary, O_RDONLY));
    if (rename(temporary, path) != 0)
        RAISE(KOL_ERR_IO, "%s can't be renamed to %s: %s", temporary, path, strerror(errno));
    const char *slash = strrchr(path, '/');
    if (!slash) snprintf(directory, sizeof directory, ".");
    else if (slash == path) snprintf(directory, sizeof directory, "/");
    else snprintf(directory, sizeof directory, "%.*s", (int)(slash - path), path);
    TRY(sync_path(directory, O_RDONLY | O_DIRECTORY));
    return KOL_OK;
}

static kol_status copy_bytes(int from, int to, const char *path, const char *copy)
{
    enum { BLOCK = 1 << 20 };
    char *block = malloc(BLOCK);
    if (!block) RAISE(KOL_ERR_MEMORY, "no memory for a copy of %s", path);
    kol_status st = KOL_OK;
    ssize_t got = 0;
    while (st == KOL_OK && (got = read(from, block, BLOCK)) != 0) {
        if (got < 0 && errno == EINTR) continue;
        if (got < 0)
            st = status_raise(KOL_ERR_IO, __FILE__, __LINE__, "%s can't be read: %s", path, strerror(errno));
        for (ssize_t done = 0; done < got && st == KOL_OK;) {
            const ssize_t put = write(to, block + done, (size_t)(got - done));
            if (put > 0) done += put;
            if (put < 0 && errno != EINTR)
                st = status_raise(KOL_ERR_IO, __FILE__, __LINE__,
                                  "%s can't be written: %s; check free space and quota", copy,
                                  strerror(errno));
        }
    }
    free(block);
    return st;
}

kol_status disk_copy(const char *path, const char *copy)
{
    const char *why;
    const int from = regular_file_open(path, O_RDONLY, &why);
    if (from < 0) RAISE(KOL_ERR_IO, "%s can't be opened: %s", path, why);
    const int to = regular_file_open(copy, O_WRONLY | O_CREAT | O_TRUNC, &why);
    if (to < 0) {
        close(from);
        RAISE(KOL_ERR_IO, "%s can't be created: %s; check permissions, quota and free space", copy, why);
    }
    kol_status st = copy_bytes(from, to, path, copy);
    close(from);
    if (close(to) != 0 && st == KOL_OK)
        st = status_raise(KOL_ERR_IO, __FILE__, __LINE__, "%s can't be closed: %s", copy, strerror(errno));
    return st;
}

/* The step in a file's name, which must be as from disk_name but with another ending; -1 if it is not. */
static long long step_of(const char *name, const char *stem, const char *ending)
{
    const size_t n = strlen(stem);
    if (strncmp(name, stem, n) != 0 || name[n] != '_') return -1;
    const char *digits = name + n + 1;
    const size_t length = strspn(digits, "0123456789");
    if (length < 8 || length > 18 || (length > 8 && digits[0] == '0') || strcmp(digits + length, ending) != 0)
        return -1;
    return strtoll(digits, NULL, 10);
}

static int larger_first(const void *a, const void *b)
{
    const long long x = *(const long long *)a, y = *(const long long *)b;
    return (x < y) - (x > y);
}

kol_status disk_list(const char *directory, const char *stem, long long **step, int *count)
{
    int room = 0;
    *step = NULL;
    *count = 0;
    TRY(check_directory(directory));
    DIR *d = opendir(directory);
    if (!d) RAISE(KOL_ERR_IO, "directory %s: %s; check its permissions", directory, strerror(errno));
    for (struct dirent *e; (e = readdir(d));) {
        const long long found = step_of(e->d_name, stem, ".h5");
        if (found < 0) continue;
        if (*count == room) {
            room = 2 * room + 64;
            long long *more = realloc(*step, (size_t)room * sizeof **step);
            if (!more) {
                free(*step);
                *step = NULL;
                closedir(d);
                RAISE(KOL_ERR_MEMORY, "no memory for the list of %d files %s_*.h5", room, stem);
            }
            *step = more;
        }
        (*step)[(*count)++] = found;
    }
    closedir(d);
    if (*count > 1) qsort(*step, (size_t)*count, sizeof **step, larger_first);
    return KOL_OK;
}

kol_status disk_name(char *path, const char *directory, const char *stem, long long step)
{
    char name[128];
    if (step < 0) RAISE(KOL_ERR_INTERNAL, "file %s of step %lld: steps begin at 0", stem, step);
    snprintf(name, sizeof name, "%.64s_%08lld.h5", stem, step);
    TRY(disk_join(path, directory, name));
    return KOL_OK;
}

kol_status disk_clean(const char *directory, const char *stem)
{
    char path[DISK_PATH];
    TRY(check_directory(directory));
    DIR *d = opendir(directory);
    if (!d) RAISE(KOL_ERR_IO, "directory %s: %s; check its permissions", directory, strerror(errno));
    for (struct dirent *e; (e = readdir(d));) {
        if (step_of(e->d_name, stem, ".h5.tmp") < 0 || disk_join(path, directory, e->d_name) != KOL_OK)
            continue;
        if (unlink(path) == 0) log_warn("removed %s, which an interrupted run left unfinished", path);
        else
            log_warn("%s, which an interrupted run left unfinished, can't be removed: %s", path,
                     strerror(errno));
    }
    closedir(d);
    return KOL_OK;
}

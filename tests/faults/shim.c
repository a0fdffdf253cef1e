/* Makes one file operation of one rank fail. tests/verify/faults.py and tests/faults build and use it.
 *
 * KOLMO_FAULT=call:number:errno:rank:path
 *   call    the operation that fails: write (with pwrite, writev, ...), fsync, rename, open, close, mkdir,
 *           unlink or fallocate; or one of these words:
 *           stop     the process stops itself (SIGSTOP) at its write with this number
 *           kill     the process kills itself at its operation with this number, of any kind; if the
 *                    operation is a write, half of the bytes are written before
 *           count    nothing fails; the name of each operation is written to KOLMO_FAULT_MARK
 *           slow     nothing fails; each write and fsync takes `number` milliseconds longer
 *           single   nothing fails; on all ranks MPI says that only one thread may call it
 *   number  number of the operation that fails, counted from 1 among those that match. With + behind the
 *           number, all later ones fail, too.
 *   errno   the error code. If it is 0, a write stores half of its bytes and reports no error.
 *   path    text that the name of the file must contain
 *
 * KOLMO_FAULT_MARK: name of a file that is written when the operation has failed.
 *
 * KOLMO_FAULT_SPACE: if it is set, the file system claims to have much free space, and space cannot be
 * reserved. So a full disk is only noticed by a write. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static struct {
    int ready, mine, onward, error, kill, count, space;
    long number;
    char call[16], path[256];
} fault;
static long calls;

static void read_fault(void)
{
    const char *text = getenv("KOLMO_FAULT"), *rank = getenv("OMPI_COMM_WORLD_RANK");
    int wanted = 0;
    char number[32] = "";
    fault.ready = 1;
    fault.space = getenv("KOLMO_FAULT_SPACE") != NULL;
    if (!text || sscanf(text, "%15[^:]:%31[^:]:%d:%d:%255s", fault.call, number, &fault.error, &wanted,
                        fault.path) != 5)
        return;
    fault.number = strtol(number, NULL, 10);
    fault.onward = strchr(number, '+') != NULL;
    fault.kill = strcmp(fault.call, "kill") == 0;
    fault.count = strcmp(fault.call, "count") == 0;
    fault.mine = wanted == (rank ? atoi(rank) : 0);
}

static void mark(const char *call)
{
    const char *name = getenv("KOLMO_FAULT_MARK");
    char line[32];
    if (!name) return;
    const int fd = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND, 0666);
    const int n = snprintf(line, sizeof line, "%s\n", call);
    if (fd < 0) return;
    (void)!syscall(SYS_write, fd, line, (size_t)n);
    syscall(SYS_close, fd);
}

/* Returns whether this call is the one that fails. */
static int hits(const char *call, const char *path)
{
    if (!fault.ready) read_fault();
    if (fault.mine && path && strcmp(fault.call, "slow") == 0 && strstr(path, fault.path)) {
        if (strcmp(call, "write") == 0 || strcmp(call, "fsync") == 0)
            usleep((useconds_t)(1000 * fault.number));
        return 0;
    }
    const int stop = strcmp(fault.call, "stop") == 0 && strcmp(call, "write") == 0;
    const int any = stop || fault.kill || fault.count;
    if (!fault.mine || !path || (!any && strcmp(fault.call, call) != 0) || !strstr(path, fault.path))
        return 0;
    if (fault.count) {
        mark(call);
        return 0;
    }
    const long n = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
    if (n != fault.number && !(fault.onward && n > fault.number)) return 0;
    mark(call);
    if (stop) raise(SIGSTOP);
    if (fault.kill && strcmp(call, "write") != 0) raise(SIGKILL);
    errno = fault.error;
    return !stop;
}

static int hits_fd(const char *call, int fd)
{
    char link[64], path[4096];
    const int kept = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    const int hit = hits(call, path);
    if (!hit) errno = kept;
    return hit;
}

/* Is called after a write of half the bytes. */
static ssize_t half_done(ssize_t written)
{
    if (fault.kill) raise(SIGKILL);
    return written;
}

/* MPI_THREAD_SINGLE is the least level, 0 in all MPIs that we know. */
int MPI_Query_thread(int *level);
int MPI_Query_thread(int *level)
{
    static int (*next)(int *);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "MPI_Query_thread");
    if (!fault.ready) read_fault();
    const int rc = next ? next(level) : 0;
    if (strcmp(fault.call, "single") == 0) *level = 0;
    return rc;
}

#define NEXT(type, name, ...)                                                                                \
    static type (*next)(__VA_ARGS__);                                                                        \
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, name)

ssize_t write(int fd, const void *data, size_t size)
{
    NEXT(ssize_t, "write", int, const void *, size_t);
    if (hits_fd("write", fd)) return fault.error ? -1 : half_done(next(fd, data, size / 2));
    return next(fd, data, size);
}

#define PWRITE(name)                                                                                         \
    ssize_t name(int fd, const void *data, size_t size, off_t at)                                            \
    {                                                                                                        \
        NEXT(ssize_t, #name, int, const void *, size_t, off_t);                                              \
        if (hits_fd("write", fd)) return fault.error ? -1 : half_done(next(fd, data, size / 2, at));         \
        return next(fd, data, size, at);                                                                     \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

ssize_t writev(int fd, const struct iovec *data, int count)
{
    NEXT(ssize_t, "writev", int, const struct iovec *, int);
    if (hits_fd("write", fd)) return fault.error ? -1 : half_done(next(fd, data, (count + 1) / 2));
    return next(fd, data, count);
}

#define PWRITEV(name)                                                                                        \
    ssize_t name(int fd, const struct iovec *data, int count, off_t at)                                      \
    {                                                                                                        \
        NEXT(ssize_t, #name, int, const struct iovec *, int, off_t);                                         \
        if (hits_fd("write", fd)) {                                                                          \
            const struct iovec half = {data->iov_base, data->iov_len / 2};                                   \
            return fault.error ? -1 : half_done(next(fd, &half, 1, at));                                     \
        }                                                                                                    \
        return next(fd, data, count, at);                                                                    \
    }
PWRITEV(pwritev)
PWRITEV(pwritev64)

int fsync(int fd)
{
    NEXT(int, "fsync", int);
    return hits_fd("fsync", fd) ? -1 : next(fd);
}

int close(int fd)
{
    NEXT(int, "close", int);
    if (!hits_fd("close", fd)) return next(fd);
    next(fd);
    errno = fault.error;
    return -1;
}

int rename(const char *from, const char *to)
{
    NEXT(int, "rename", const char *, const char *);
    return hits("rename", to) ? -1 : next(from, to);
}

int unlink(const char *path)
{
    NEXT(int, "unlink", const char *);
    return hits("unlink", path) ? -1 : next(path);
}

int mkdir(const char *path, mode_t mode)
{
    NEXT(int, "mkdir", const char *, mode_t);
    return hits("mkdir", path) ? -1 : next(path, mode);
}

#define FALLOCATE(name)                                                                                      \
    int name(int fd, int mode, off_t at, off_t size)                                                         \
    {                                                                                                        \
        NEXT(int, #name, int, int, off_t, off_t);                                                            \
        if (!fault.ready) read_fault();                                                                      \
        if (fault.space) {                                                                                   \
            errno = EOPNOTSUPP;                                                                              \
            return -1;                                                                                       \
        }                                                                                                    \
        return hits_fd("fallocate", fd) ? -1 : next(fd, mode, at, size);                                     \
    }
FALLOCATE(fallocate)
FALLOCATE(fallocate64)

int statvfs(const char *path, struct statvfs *s)
{
    NEXT(int, "statvfs", const char *, struct statvfs *);
    const int rc = next(path, s);
    if (!fault.ready) read_fault();
    if (rc == 0 && fault.space) s->f_bavail = s->f_bfree = (fsblkcnt_t)1 << 40;
    return rc;
}

#define OPEN(name)                                                                                           \
    int name(const char *path, int flags, ...)                                                               \
    {                                                                                                        \
        NEXT(int, #name, const char *, int, ...);                                                            \
        va_list args;                                                                                        \
        va_start(args, flags);                                                                               \
        const int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, int) : 0;                              \
        va_end(args);                                                                                        \
        return hits("open", path) ? -1 : next(path, flags, mode);                                            \
    }
OPEN(open)
OPEN(open64)

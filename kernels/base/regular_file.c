/* Opens regular files, and refuses pipes, sockets, folders and devices without waiting for them. */
#include "regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* NULL: it is a regular file. */
static const char *other_kind(mode_t mode)
{
    if (S_ISREG(mode)) return NULL;
    if (S_ISFIFO(mode)) return "it is a pipe, and a regular file is needed";
    if (S_ISSOCK(mode)) return "it is a socket, and a regular file is needed";
    if (S_ISDIR(mode)) return "it is a folder, and a regular file is needed";
    return "it is a device, and a regular file is needed";
}

/* Looked at before, for a device acts when it is opened, and after, for another file may have taken its
 * place. O_NONBLOCK: that one may be a pipe. */
static int open_kind(const char *path, int flags, int *is_pipe, const char **why)
{
    struct stat s;
    int fd;
    *why = stat(path, &s) == 0 ? other_kind(s.st_mode) : NULL;
    if (*why != NULL && !(is_pipe != NULL && S_ISFIFO(s.st_mode))) return errno = EINVAL, -1;
    do fd = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    while (fd < 0 && errno == EINTR);
    *why = fd < 0 ? strerror(errno) : NULL;
    if (fd < 0) return -1;
    if (fstat(fd, &s) != 0) *why = strerror(errno);
    else *why = other_kind(s.st_mode);
    if (is_pipe != NULL) *is_pipe = S_ISFIFO(s.st_mode);
    if (*why == NULL || (is_pipe != NULL && *is_pipe)) return fd;
    close(fd);
    errno = EINVAL;
    return -1;
}

int regular_file_open(const char *path, int flags, const char **why)
{
    const int fd = open_kind(path, flags, NULL, why);
    if (fd >= 0 && !(flags & O_NONBLOCK)) fcntl(fd, F_SETFL, flags & (O_ACCMODE | O_APPEND));
    return fd;
}

FILE *regular_file_stream(const char *path, int flags, const char *mode, const char **why)
{
    const int fd = regular_file_open(path, flags, why);
    FILE *f = fd >= 0 ? fdopen(fd, mode) : NULL;
    if (fd >= 0 && f == NULL) {
        *why = strerror(errno);
        close(fd);
    }
    return f;
}

int regular_file_or_pipe(const char *path, int *is_pipe, const char **why)
{
    *is_pipe = 0;
    return open_kind(path, O_RDONLY, is_pipe, why);
}

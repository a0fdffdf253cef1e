/* Seals finished files, and checks the seal. */
#include "seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "hash.h"
#include "kernels/base/regular_file.h"

enum { BLOCK = 1 << 20 }; /* whole words of the hash */
static const char MARK[] = "\nkolmo-seal";

static void seal_text(char text[SEAL_BYTES + 1], size_t size, unsigned long long hash)
{
    char line[SEAL_BYTES + 32];
    snprintf(line, sizeof line, "%s bytes %zu hash %016llx", MARK, size, hash);
    snprintf(text, SEAL_BYTES + 1, "%-*.*s\n", SEAL_BYTES - 1, SEAL_BYTES - 1, line);
}

/* Reads exactly `size` bytes. It returns 0, or errno, which is ENODATA if the file ends early. */
static int read_all(int fd, void *to, size_t size)
{
    for (size_t got = 0; got < size;) {
        const ssize_t n = read(fd, (char *)to + got, size - got);
        if (n == 0) return ENODATA;
        if (n < 0 && errno != EINTR) return errno;
        if (n > 0) got += (size_t)n;
    }
    return 0;
}

static int write_all(int fd, const void *from, size_t size)
{
    for (size_t put = 0; put < size;) {
        const ssize_t n = write(fd, (const char *)from + put, size - put);
        if (n < 0 && errno != EINTR) return errno;
        if (n > 0) put += (size_t)n;
    }
    return 0;
}

/* Adds the next bytes to the hash. If keep is not NULL, they are stored there. */
static int hash_next(int fd, size_t size, char *block, char *keep, unsigned long long *hash)
{
    *hash = 0;
    for (size_t done = 0; done < size;) {
        const size_t part = size - done < BLOCK ? size - done : BLOCK;
        char *to = keep != NULL ? keep + done : block;
        const int fault = read_all(fd, to, part);
        if (fault != 0) return fault;
        *hash += hash_bytes(to, part, done / 8);
        done += part;
    }
    return 0;
}

static int size_of(int fd, size_t *size)
{
    struct stat s;
    if (fstat(fd, &s) != 0) return errno;
    *size = (size_t)s.st_size;
    return 0;
}

kol_status seal_write(const char *path)
{
    char text[SEAL_BYTES + 1];
    unsigned long long hash;
    size_t size = 0;
    char *block = malloc(BLOCK);
    if (block == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the hash of %s", path);
    const char *why;
    const int fd = regular_file_open(path, O_RDWR, &why);
    int fault = fd < 0 ? errno : size_of(fd, &size);
    if (fault == 0) fault = hash_next(fd, size, block, NULL, &hash);
    free(block);
    if (fault == 0) {
        seal_text(text, size, hash);
        fault = write_all(fd, text, SEAL_BYTES);
    }
    if (fd >= 0 && close(fd) != 0 && fault == 0) fault = errno;
    if (fault != 0)
        RAISE(KOL_ERR_IO, "%s: its hash can't be stored: %s; check free space and quota", path,
              strerror(fault));
    return KOL_OK;
}

/* Reads the seal at the end of a file. It is read before the rest, because a file with holes may claim any
 * size. damage: what is wrong with it, or "". Returns 0 or errno. */
static int read_seal(int fd, size_t size, char found[SEAL_BYTES + 1], char *damage)
{
    char format[32];
    size_t sealed = 0;
    if (lseek(fd, (off_t)size, SEEK_SET) < 0) return errno;
    const int fault = read_all(fd, found, SEAL_BYTES);
    if (fault != 0) return fault;
    if (lseek(fd, 0, SEEK_SET) < 0) return errno;
    snprintf(format, sizeof format, "%s bytes %%zu hash", MARK);
    if (memcmp(found, MARK, strlen(MARK)) != 0)
        snprintf(damage, SEAL_WORDS,
                 "it does not end in a hash: it was cut off, or another program or version wrote it");
    else if (sscanf(found, format, &sealed) != 1 || sealed != size)
        snprintf(damage, SEAL_WORDS, "its bytes are not those that were written");
    return 0;
}

/* Looks at the file once. damage: what is wrong. again: whether the fault may be temporary. */
static kol_status look(int fd, const char *path, char *block, char *damage, int *again, void **content,
                       size_t *size)
{
    char found[SEAL_BYTES + 1] = "", wanted[SEAL_BYTES + 1];
    unsigned long long hash = 0;
    size_t whole = 0;
    void *keep = NULL;
    *again = 0;
    int fault = size_of(fd, &whole);
    if (fault == 0 && whole <= SEAL_BYTES) {
        snprintf(damage, SEAL_WORDS, "it has %zu bytes", whole);
        return KOL_OK;
    }
    *size = whole - SEAL_BYTES;
    damage[0] = '\0';
    if (fault == 0) fault = read_seal(fd, *size, found, damage);
    if (damage[0] != '\0') return KOL_OK;
    if (fault == 0 && content != NULL && (keep = malloc(*size)) == NULL)
        RAISE(KOL_ERR_MEMORY, "no memory for %s, %zu bytes", path, *size);
    if (fault == 0) fault = hash_next(fd, *size, block, keep, &hash);
    seal_text(wanted, *size, hash);
    if (fault != 0) {
        *again = 1;
        snprintf(damage, SEAL_WORDS, "it can't be read: %.80s", strerror(fault));
    } else if (memcmp(found, wanted, SEAL_BYTES) != 0) {
        snprintf(damage, SEAL_WORDS, "its bytes are not those that were written");
    }
    if (damage[0] == '\0' && content != NULL) *content = keep;
    else free(keep);
    return KOL_OK;
}

kol_status seal_check(const char *path, char *damage, void **content, size_t *size)
{
    int again = 1;
    kol_status st = KOL_OK;
    char *block = malloc(BLOCK);
    if (block == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the hash of %s", path);
    if (content != NULL) *content = NULL;
    for (int time = 0; time < 2 && again && st == KOL_OK; ++time) {
        const char *why;
        const int fd = regular_file_open(path, O_RDONLY, &why);
        if (fd < 0) {
            free(block);
            RAISE(KOL_ERR_IO,
                  "%s can't be opened: %s; check its permissions, or move it away to begin a new one", path,
                  why);
        }
        st = look(fd, path, block, damage, &again, content, size);
        close(fd);
    }
    free(block);
    return st;
}

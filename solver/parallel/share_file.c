/* Reads text files on rank 0 and sends them to all ranks. */
#include "share_file.h"

#include <ctype.h>
#include <math.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/base/mem.h"
#include "kernels/base/regular_file.h"

/* Makes the message for a file that can't be read. It names the input that names the file. */
static kol_status blame(kol_status st, const struct input_place *by)
{
    char why[2048];
    if (st != KOL_ERR_INPUT) return st;
    snprintf(why, sizeof why, "%s", status_message());
    status_clear();
    RAISE(st, "%s; give the name of an existing file, relative to the folder in which the run starts %s", why,
          by->by);
}

/* A text file has no zero byte: what is behind it would not be read. */
static kol_status check_text(const char *name, const char *text, size_t length)
{
    const char *zero = memchr(text, '\0', length);
    int line = 1;
    if (zero == NULL) return KOL_OK;
    for (const char *c = text; c < zero; ++c) line += *c == '\n';
    RAISE(KOL_ERR_INPUT, "%s:%d: error: a zero byte stands here, so it is no text", name, line);
}

kol_status share_file_text(const struct comm *c, const char *name, const struct input_place *by, char **text)
{
    size_t length = 0;
    *text = NULL;
    kol_status st = c->rank == 0 ? input_load(name, 0, text, &length) : KOL_OK;
    if (st == KOL_OK && c->rank == 0) st = check_text(name, *text, length);
    TRY(comm_agree(c, blame(st, by)));
    int bytes = (int)length;
    MPI_TRY(MPI_Bcast(&bytes, 1, MPI_INT, 0, c->mpi));
    char *whole = malloc((size_t)bytes + 1);
    if (c->rank == 0 && whole != NULL) memcpy(whole, *text, length);
    free(*text);
    *text = whole;
    TRY(comm_agree(c, whole != NULL
                          ? KOL_OK
                          : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for %s", name)));
    whole[bytes] = '\0';
    MPI_TRY(MPI_Bcast(whole, bytes, MPI_CHAR, 0, c->mpi));
    return KOL_OK;
}

/* A file with a hole claims any size. One that this host can't hold once for each rank is not read. */
static kol_status check_size(const char *name, double size, int copies)
{
    size_t free_bytes;
    TRY(mem_host_available(&free_bytes));
    if (size * copies <= (double)free_bytes) return KOL_OK;
    RAISE(KOL_ERR_INPUT,
          "%s: error: the file has %.0f bytes, and each of %d ranks on this host holds a copy; only %.0f "
          "bytes of memory are free",
          name, size, copies, (double)free_bytes);
}

/* Reads a whole regular file, of which this host is to hold so many copies. */
static kol_status load(const char *name, int copies, char **bytes, size_t *length)
{
    const char *why = NULL;
    const int fd = regular_file_open(name, O_RDONLY, &why);
    if (fd < 0) RAISE(KOL_ERR_INPUT, "%s: error: the file can't be opened: %s", name, why);
    const off_t size = lseek(fd, 0, SEEK_END);
    const kol_status st = check_size(name, (double)size, copies);
    if (st != KOL_OK) {
        close(fd);
        return st;
    }
    FILE *file = fdopen(fd, "rb");
    *bytes = size >= 0 ? malloc((size_t)size + 1) : NULL;
    if (file == NULL || *bytes == NULL) {
        if (file != NULL) fclose(file);
        else close(fd);
        RAISE(KOL_ERR_MEMORY, "no memory to read %s: %lld bytes", name, (long long)size);
    }
    rewind(file);
    *length = fread(*bytes, 1, (size_t)size, file);
    const int failed = *length != (size_t)size;
    fclose(file);
    if (failed)
        RAISE(KOL_ERR_INPUT, "%s: error: only %zu of %lld bytes could be read", name, *length,
              (long long)size);
    return KOL_OK;
}

kol_status share_file_bytes(const struct comm *c, const char *name, const struct input_place *by,
                            char **bytes, size_t *length)
{
    enum { CHUNK = 1 << 30 };
    *bytes = NULL;
    *length = 0;
    const kol_status st = c->rank == 0 ? load(name, c->node_size + c->beside, bytes, length) : KOL_OK;
    TRY(comm_agree(c, blame(st, by)));
    unsigned long long size = *length;
    MPI_TRY(MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG_LONG, 0, c->mpi));
    *length = (size_t)size;
    if (c->rank != 0) *bytes = malloc(*length + 1);
    TRY(comm_agree(c, *bytes != NULL
                          ? KOL_OK
                          : status_raise(KOL_ERR_MEMORY, __FILE__, __LINE__, "no memory for %s", name)));
    for (size_t at_byte = 0; at_byte < *length; at_byte += CHUNK) {
        const size_t left = *length - at_byte;
        MPI_TRY(MPI_Bcast(*bytes + at_byte, left < CHUNK ? (int)left : CHUNK, MPI_CHAR, 0, c->mpi));
    }
    (*bytes)[*length] = '\0';
    return KOL_OK;
}

kol_status share_file_long_text(const struct comm *c, const char *name, const struct input_place *by,
                                char **text, size_t *length)
{
    TRY(share_file_bytes(c, name, by, text, length));
    const kol_status st = blame(check_text(name, *text, *length), by); /* all ranks have the same bytes */
    if (st == KOL_OK) return KOL_OK;
    free(*text);
    *text = NULL;
    return st;
}

kol_status share_file_case(const struct comm *c, const char *path, char **text, size_t *bytes)
{
    kol_status st = KOL_OK;
    *text = NULL;
    *bytes = 0;
    if (c->rank == 0) st = input_load(path, c->size == 1, text, bytes); /* ranks elsewhere have no pipe */
    TRY(comm_agree(c, st));
    int count = (int)*bytes;
    MPI_TRY(MPI_Bcast(&count, 1, MPI_INT, 0, c->mpi));
    if (c->rank != 0) *text = malloc((size_t)count + 1);
    if (*text == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the input");
    const int sent = MPI_Bcast(*text, count, MPI_CHAR, 0, c->mpi);
    *bytes = (size_t)count;
    if (sent == MPI_SUCCESS) return KOL_OK;
    free(*text);
    return comm_raise(sent, __FILE__, __LINE__, "MPI_Bcast of the input");
}

int share_file_numbers(const char *line, int count, double *value)
{
    while (isspace((unsigned char)*line)) ++line;
    if (*line == '\0' || *line == '#') return 0;
    for (int n = 0; n < count; ++n) {
        char *rest;
        value[n] = strtod(line, &rest);
        if (rest == line || !isfinite(value[n])) return -1;
        line = rest;
    }
    while (isspace((unsigned char)*line)) ++line;
    return *line == '\0' || *line == '#' ? 1 : -1;
}

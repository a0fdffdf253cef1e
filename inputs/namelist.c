/* Reads a whole input: defaults, the file, the settings of the command line, then the rules. */
#include "namelist.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/base/regular_file.h"
#include "check.h"
#include "parse.h"
#include "resolve.h"

static void source_fill(const struct reading *r, const char *name, struct input_source *source)
{
    memset(source, 0, sizeof *source);
    snprintf(source->name, sizeof source->name, "%s", name);
    for (int v = 0; v < r->count; ++v) {
        const struct place place = r->given[v].place;
        source->line[v] = place.set ? -1 : place.line;
        if (place.set) source->by[v] = input_settings_by(r->set, place.set);
    }
    memcpy(source->warnings, r->warnings, sizeof source->warnings);
}

kol_status input_read(const char *name, const char *text, size_t length, const struct input_settings *set,
                      int nranks, struct input *in, struct input_source *source)
{
    if (length > INPUT_BYTES_MAX)
        RAISE(KOL_ERR_INPUT, "%s:1:1: error: the file has %zu bytes; at most %d are allowed", name, length,
              INPUT_BYTES_MAX);
    struct reading *r = malloc(sizeof *r);
    if (!r) RAISE(KOL_ERR_MEMORY, "no memory to read %s: %zu bytes", name, sizeof *r);
    int count = 0;
    const struct variable *table = input_table(&count);
    memset(in, 0, sizeof *in);
    reading_start(r, name, table, count, in);
    r->set = set;
    parse_file(r, text, length);
    for (int i = 0; set != NULL && i < set->count; ++i) parse_set(r, set->text[i], i + 1);
    check_given(r, in);
    resolve_inputs(r, in);
    check_rules(r, in, nranks);
    if (source) source_fill(r, name, source);
    const kol_status st = faults_raise(&r->faults, name, set);
    free(r);
    return st;
}

/* Milliseconds: how long a pipe may lack a writer, how long its writer may write nothing, and between two
 * looks. */
enum { WRITER_COMES = 500, WRITER_WRITES = 10000, LOOK = 10 };

/* All bytes up to `most`. -1, with *why, if that fails. */
static long read_all(int fd, int is_pipe, char *to, size_t most, const char **why)
{
    size_t got = 0;
    int waited = 0;
    while (got < most) {
        const ssize_t n = read(fd, to + got, most - got);
        if (n > 0) {
            got += (size_t)n;
            waited = 0;
            continue;
        }
        const int nobody = n == 0 && is_pipe && got == 0, slow = n < 0 && errno == EAGAIN;
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && !slow) return *why = strerror(errno), -1;
        if (!nobody && !slow) break;
        if (waited >= (slow ? WRITER_WRITES : WRITER_COMES))
            return *why = slow ? "it is a pipe, and its writer writes nothing"
                               : "it is a pipe without a writer, or an empty one",
                   -1;
        poll(NULL, 0, LOOK);
        waited += LOOK;
    }
    return (long)got;
}

/* Whether these are the first bytes of HDF5, which new NetCDF files are, too, or of an old NetCDF file. */
static int is_of_arrays(const char *bytes, long length)
{
    return length > 4 && (memcmp(bytes, "\x89HDF", 4) == 0 ||
                          (memcmp(bytes, "CDF", 3) == 0 && bytes[3] >= 1 && bytes[3] <= 5));
}

kol_status input_load(const char *path, int pipes, char **text, size_t *length)
{
    const char *why = NULL;
    int is_pipe = 0;
    *text = NULL;
    *length = 0;
    const int fd =
        pipes ? regular_file_or_pipe(path, &is_pipe, &why) : regular_file_open(path, O_RDONLY, &why);
    if (fd < 0) RAISE(KOL_ERR_INPUT, "%s: error: the file can't be opened: %s", path, why);
    char *bytes = malloc(INPUT_BYTES_MAX + 2);
    const long got = bytes ? read_all(fd, is_pipe, bytes, INPUT_BYTES_MAX + 1, &why) : 0;
    close(fd);
    if (!bytes) RAISE(KOL_ERR_MEMORY, "no memory to read %s: %d bytes", path, INPUT_BYTES_MAX);
    const int arrays = is_of_arrays(bytes, got);
    if (got < 0 || got > INPUT_BYTES_MAX || arrays) {
        free(bytes);
        if (arrays)
            RAISE(KOL_ERR_INPUT,
                  "%s: error: the file is one of HDF5 or NetCDF, so it is no input file; give a text file, "
                  "such as the namelist of a case",
                  path);
        if (got < 0) RAISE(KOL_ERR_INPUT, "%s: error: the file can't be read: %s", path, why);
        RAISE(KOL_ERR_INPUT, "%s: error: the file is larger than %d bytes, so it is no input file", path,
              INPUT_BYTES_MAX);
    }
    bytes[got] = '\0';
    *text = bytes;
    *length = (size_t)got;
    return KOL_OK;
}

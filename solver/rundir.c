#include "rundir.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const PRODUCTS[] = {"series.nc", "run.log", "fields_*.h5", "fields.xdmf",
                                       "checkpoint_*.h5"};

static kol_status make_path(const char *directory)
{
    char path[RUNDIR_TEXT];
    if (snprintf(path, sizeof path, "%s", directory) >= (int)sizeof path) {
        RAISE(KOL_ERR_INPUT, "output.directory is longer than %d bytes", RUNDIR_TEXT - 1);
    }
    for (char *slash = path + 1;; ++slash) {
        slash = strchr(slash, '/');
        if (slash != NULL) *slash = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            RAISE(KOL_ERR_IO, "can't make the output directory %s: %s", path, strerror(errno));
        }
        if (slash == NULL) break;
        *slash = '/';
    }
    struct stat s;
    if (stat(directory, &s) != 0 || !S_ISDIR(s.st_mode)) RAISE(KOL_ERR_IO, "%s is no directory", directory);
    if (access(directory, W_OK | X_OK) != 0) {
        RAISE(KOL_ERR_IO, "can't write into the output directory %s: %s", directory, strerror(errno));
    }
    return KOL_OK;
}

static kol_status move_all(const glob_t *found, const char *folder)
{
    if (mkdir(folder, 0777) != 0) RAISE(KOL_ERR_IO, "can't make %s: %s", folder, strerror(errno));
    for (size_t i = 0; i < found->gl_pathc; ++i) {
        char to[2 * RUNDIR_TEXT];
        const char *name = strrchr(found->gl_pathv[i], '/');
        snprintf(to, sizeof to, "%s/%s", folder, name != NULL ? name + 1 : found->gl_pathv[i]);
        if (rename(found->gl_pathv[i], to) != 0) {
            RAISE(KOL_ERR_IO, "can't move %s to %s: %s", found->gl_pathv[i], to, strerror(errno));
        }
    }
    return KOL_OK;
}

kol_status rundir_prepare(const char *directory, int fresh, char moved[RUNDIR_TEXT])
{
    moved[0] = '\0';
    TRY(make_path(directory));
    if (!fresh) return KOL_OK;
    glob_t found = {0};
    int flags = 0;
    for (size_t i = 0; i < sizeof PRODUCTS / sizeof *PRODUCTS; ++i) {
        char pattern[2 * RUNDIR_TEXT];
        snprintf(pattern, sizeof pattern, "%s/%s", directory, PRODUCTS[i]);
        const int rc = glob(pattern, flags, NULL, &found);
        if (rc != 0 && rc != GLOB_NOMATCH) {
            globfree(&found);
            RAISE(KOL_ERR_IO, "can't list the output directory %s", directory);
        }
        if (rc == 0) flags = GLOB_APPEND;
    }
    kol_status st = KOL_OK;
    if (flags != 0) {
        struct stat s;
        for (int k = 1;; ++k) {
            snprintf(moved, RUNDIR_TEXT, "%.900s/previous-%d", directory, k);
            if (stat(moved, &s) != 0) break;
        }
        st = move_all(&found, moved);
    }
    globfree(&found);
    return st;
}

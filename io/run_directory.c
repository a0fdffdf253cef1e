/* Makes the output directory, and moves files of an earlier run aside. */
#include "run_directory.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const PRODUCTS[] = {
    "series.nc",         "statistics.nc",       "spectra.nc",          "pdf.nc",
    "run.log",           "fields_*.h5",         "fields.xdmf",         "timeline.json",
    "checkpoint_*.h5",   "probes.nc",           "series.nc.damaged*",  "probes.nc.damaged*",
    "slice_[0-9]*_*.h5", "slice_[0-9]*.xdmf",   "box_[0-9]*_*.h5",     "box_[0-9]*.xdmf",
    "phases.nc",         "run.jsonl",           "averages.h5",         "averages.xdmf",
    "history.nc",        "history.nc.damaged*", "bodies.nc",           "bodies.nc.damaged*",
    "surface_*.h5",      "surface.xdmf",        "surface_average.xdmf"};

kol_status run_directory_make(const char *directory)
{
    char path[RUN_DIRECTORY_TEXT];
    if (snprintf(path, sizeof path, "%s", directory) >= (int)sizeof path) {
        RAISE(KOL_ERR_INPUT, "output.directory is longer than %d bytes", RUN_DIRECTORY_TEXT - 1);
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

int run_directory_exists(const char *directory)
{
    struct stat s;
    return stat(directory, &s) == 0 && S_ISDIR(s.st_mode);
}

static int is_product(const char *name)
{
    for (size_t i = 0; i < sizeof PRODUCTS / sizeof *PRODUCTS; ++i) {
        if (fnmatch(PRODUCTS[i], name, 0) == 0) return 1;
    }
    return 0;
}

/* Makes the first free name previous-<k> when it is needed first. */
static kol_status make_previous(const char *directory, char moved[RUN_DIRECTORY_TEXT])
{
    char name[RUN_DIRECTORY_TEXT];
    for (int k = 1;; ++k) {
        const int length = snprintf(name, sizeof name, "%s/previous-%d", directory, k);
        if (length < 0 || length >= (int)sizeof name) RAISE(KOL_ERR_INPUT, "output.directory is too long");
        if (mkdir(name, 0777) == 0) break;
        if (errno != EEXIST) RAISE(KOL_ERR_IO, "can't make %s: %s", name, strerror(errno));
    }
    memcpy(moved, name, sizeof name);
    return KOL_OK;
}

static kol_status move_products(const char *directory, DIR *open_directory, char moved[RUN_DIRECTORY_TEXT])
{
    struct dirent *entry;
    while ((entry = readdir(open_directory)) != NULL) {
        char from[RUN_DIRECTORY_TEXT + 256], to[RUN_DIRECTORY_TEXT + 256];
        if (!is_product(entry->d_name)) continue;
        if (moved[0] == '\0') TRY(make_previous(directory, moved));
        snprintf(from, sizeof from, "%s/%s", directory, entry->d_name);
        snprintf(to, sizeof to, "%s/%s", moved, entry->d_name);
        if (rename(from, to) != 0) RAISE(KOL_ERR_IO, "can't move %s to %s: %s", from, to, strerror(errno));
    }
    return KOL_OK;
}

kol_status run_directory_prepare(const char *directory, int fresh, char moved[RUN_DIRECTORY_TEXT])
{
    moved[0] = '\0';
    TRY(run_directory_make(directory));
    if (!fresh) return KOL_OK;
    DIR *open_directory = opendir(directory);
    if (open_directory == NULL)
        RAISE(KOL_ERR_IO, "can't list the output directory %s: %s", directory, strerror(errno));
    const kol_status st = move_products(directory, open_directory, moved);
    closedir(open_directory);
    return st;
}

int run_directory_holds(const char *directory, const char *file)
{
    char of_file[PATH_MAX], of_directory[PATH_MAX], copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", file);
    return realpath(dirname(copy), of_file) != NULL && realpath(directory, of_directory) != NULL &&
           strcmp(of_file, of_directory) == 0;
}

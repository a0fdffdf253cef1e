/* Finds and replaces the small text files that runs share. */
#include "cache_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

kol_status cache_file_path(const char *name, char path[DISK_PATH])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char below[DISK_PATH];
    path[0] = '\0';
    if (cache != NULL && cache[0] == '/') {
        TRY(disk_join(below, "kolmo", name));
        return disk_join(path, cache, below);
    }
    if (home == NULL || home[0] != '/') return KOL_OK;
    TRY(disk_join(below, ".cache/kolmo", name));
    return disk_join(path, home, below);
}

static kol_status make_folders(const char *path)
{
    char folder[DISK_PATH];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            RAISE(KOL_ERR_IO, "folder %s: %s", folder, strerror(errno));
        *slash = '/';
    }
    return KOL_OK;
}

kol_status cache_file_begin(const char *path, struct cache_file *f)
{
    const int n = snprintf(f->temporary, sizeof f->temporary, "%s.%ld", path, (long)getpid());
    if (n >= (int)sizeof f->temporary) RAISE(KOL_ERR_IO, "the path %.60s... is too long", path);
    f->path = path;
    TRY(make_folders(path));
    f->to = fopen(f->temporary, "wxe");
    if (f->to == NULL) RAISE(KOL_ERR_IO, "%s can't be created: %s", f->temporary, strerror(errno));
    return KOL_OK;
}

kol_status cache_file_end(struct cache_file *f, kol_status st)
{
    const int bad = ferror(f->to);
    if ((fclose(f->to) != 0 || bad) && st == KOL_OK)
        st = status_raise(KOL_ERR_IO, __FILE__, __LINE__, "%s can't be written: %s", f->temporary,
                          strerror(errno));
    if (st == KOL_OK) st = disk_commit(f->temporary, f->path);
    if (st != KOL_OK) unlink(f->temporary);
    return st;
}

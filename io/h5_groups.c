/* Makes groups, lists what is in one, and finds what leads out of a file. */
#include "h5_groups.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

kol_status h5_put_group(struct h5_file *f, const char *group)
{
    hid_t id = H5I_INVALID_HID;
    H5_TRY_ALL(f, id = H5Gcreate2(f->id, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    return io_share(f->comm, h5_drop(f, KOL_OK, &id));
}

struct list {
    char **name;
    size_t count, room;
    char strange[64]; /* the first name that does not lead to an object of this file; "": there is none */
};

/* A link that leads elsewhere is not followed: behind it may lie any file, also a pipe, which would wait. */
static herr_t list_link(hid_t group, const char *name, const H5L_info_t *about, void *list)
{
    struct list *l = list;
    (void)group;
    if (about->type != H5L_TYPE_HARD) {
        snprintf(l->strange, sizeof l->strange, "%.60s", name[0] ? name : "?");
        return 1;
    }
    if (l->count == l->room) {
        const size_t room = 2 * l->room + 8;
        char **more = realloc(l->name, room * sizeof *more);
        if (!more) return -1;
        l->name = more;
        l->room = room;
    }
    l->name[l->count] = strdup(name);
    return l->name[l->count++] ? 0 : -1;
}

static int by_name(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static kol_status is_dataset(struct h5_file *f, const char *group, const char *name, int *is)
{
    char path[600];
    H5O_info_t about;
    if (strlen(name) > 255)
        RAISE(KOL_ERR_IO, "%s: a name of %zu letters stands in %s; the file is of another kind", f->path,
              strlen(name), group);
    snprintf(path, sizeof path, "%.300s/%s", group[1] ? group : "", name);
    H5_TRY_ALL(f, H5Oget_info_by_name2(f->id, path, &about, H5O_INFO_BASIC, H5P_DEFAULT));
    *is = about.type == H5O_TYPE_DATASET;
    return KOL_OK;
}

/* Lists a group in the order of the file, and sorts the list here. If HDF5 1.10 is asked for a name by its
 * place in another order, it builds a table, and in a damaged group it crashes when it frees that table. */
static kol_status list_all(struct h5_file *f, const char *group, struct list *l, int *count)
{
    int kept = 0;
    H5_TRY_ALL(
        f, H5Literate_by_name(f->id, group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, list_link, l, H5P_DEFAULT));
    if (l->strange[0] != '\0')
        RAISE(KOL_ERR_IO, "%s: '%s' in %s is a link to another place; give a file that holds its own data",
              f->path, l->strange, group);
    if (l->count > INT_MAX) RAISE(KOL_ERR_IO, "%s: there are %zu names in %s", f->path, l->count, group);
    if (l->count) qsort(l->name, l->count, sizeof *l->name, by_name);
    for (size_t n = 0; n < l->count; ++n) {
        int is = 0;
        TRY(is_dataset(f, group, l->name[n], &is));
        char *const name = l->name[n];
        l->name[n] = l->name[kept]; /* nothing is lost, whatever follows */
        l->name[kept] = name;
        kept += is;
    }
    *count = kept;
    return KOL_OK;
}

kol_status h5_list(struct h5_file *f, const char *group, char ***name, int *count)
{
    struct list l = {NULL, 0, 0, ""};
    *name = NULL;
    *count = 0;
    const kol_status st = io_share(f->comm, list_all(f, group, &l, count));
    const size_t from = st == KOL_OK ? (size_t)*count : 0;
    for (size_t n = from; n < l.count; ++n) free(l.name[n]);
    if (st == KOL_OK) *name = l.name;
    else free(l.name);
    return st;
}

kol_status h5_check_links(struct h5_file *f)
{
    static const char *const GROUP[] = {"/", "/run", "/grid", "/fields", "/state", "/sums"};
    for (size_t n = 0; n < sizeof GROUP / sizeof *GROUP; ++n) {
        char **name;
        int count;
        htri_t there = 1;
        if (n > 0) H5_TRY_ALL(f, there = H5Lexists(f->id, GROUP[n], H5P_DEFAULT));
        if (!there) continue;
        TRY(h5_list(f, GROUP[n], &name, &count));
        h5_list_free(&name, count);
    }
    return KOL_OK;
}

kol_status h5_check_stored_here(struct h5_file *f, const char *dataset, hid_t set)
{
    hid_t how = H5I_INVALID_HID;
    H5_TRY(f, how = H5Dget_create_plist(set));
    const int elsewhere = H5Pget_layout(how) == H5D_VIRTUAL || H5Pget_external_count(how) != 0;
    const kol_status st = elsewhere
                              ? status_raise(KOL_ERR_IO, __FILE__, __LINE__,
                                             "%s: the data of '%s' are in other files; give a file that "
                                             "holds its own data",
                                             f->path, dataset)
                              : KOL_OK;
    return h5_drop(f, st, &how);
}

/* --- all links of a file --- */

struct own_data {
    struct h5_file *file;
    kol_status status;
};

static kol_status check_place(struct h5_file *f, const char *name, const H5L_info_t *about)
{
    H5O_info_t object;
    hid_t set = H5I_INVALID_HID;
    if (about->type != H5L_TYPE_HARD)
        RAISE(KOL_ERR_IO, "%s: '%.60s' is a link to another place; give a file that holds its own data",
              f->path, name);
    H5_TRY(f, H5Oget_info_by_name2(f->id, name, &object, H5O_INFO_BASIC, H5P_DEFAULT));
    if (object.type != H5O_TYPE_DATASET) return KOL_OK;
    H5_TRY(f, set = H5Dopen2(f->id, name, H5P_DEFAULT));
    return h5_drop(f, h5_check_stored_here(f, name, set), &set);
}

/* HDF5 stops at the first result that is not 0. Names are relative to the root. */
static herr_t visit_link(hid_t root, const char *name, const H5L_info_t *about, void *context)
{
    struct own_data *d = context;
    (void)root;
    d->status = check_place(d->file, name, about);
    return d->status != KOL_OK;
}

kol_status h5_check_own_data(const char *path)
{
    struct h5_file f = {.comm = MPI_COMM_SELF, .id = H5I_INVALID_HID};
    struct own_data d = {&f, KOL_OK};
    snprintf(f.path, sizeof f.path, "%s", path);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    if (H5Fis_hdf5(path) <= 0) return KOL_OK;
    H5_TRY(&f, f.id = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT));
    const herr_t visited = H5Lvisit(f.id, H5_INDEX_NAME, H5_ITER_NATIVE, visit_link, &d);
    if (visited < 0) d.status = h5_raise(&f, __FILE__, __LINE__, "H5Lvisit");
    const hid_t id = f.id;
    const kol_status st = h5_drop(&f, d.status, &f.id);
    if (H5Iis_valid(id) > 0) io_set_exit_unsafe(); /* HDF5 tries again at its end */
    return st;
}

void h5_list_free(char ***name, int count)
{
    for (int n = 0; *name && n < count; ++n) free((*name)[n]);
    free(*name);
    *name = NULL;
}
